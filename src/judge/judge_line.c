// One line {"id": …, "task": "…", "program": "…", "outputs": true}, strictly as JSON wants it: UTF-8 to the
// letter, no control characters, no lone surrogates, no key of ours twice. Other keys are passed over with
// all they hold, at most 64 levels deep.
//
// Workload: 200 bytes, of which the program is nearly all, with an escape in every 25 (its newlines).
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "base/utf8.h"
#include "judge/judge.h"

enum { MOST_DEPTH = 64 };

typedef struct {
    const char *at, *end;
    char *room;          // for texts with escapes
    const char *problem; // NULL while all is well
    const char *where;
} Reader;

static bool fail_at(Reader *r, const char *where, const char *problem) {
    r->problem = problem;
    r->where = where;
    return false;
}

static bool fail(Reader *r, const char *problem) { return fail_at(r, r->at, problem); }

static void skip_space(Reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

// What comes next; 0 at the end, where a zero byte is as wrong as the end is.
static char next(const Reader *r) { return r->at < r->end ? *r->at : 0; }

// ---- Strings ----

static bool is_plain(char c) { return (signed char)c >= ' ' && c != '"' && c != '\\'; }

// The top bit of each byte that is not plain; of those after the first one it may be wrong.
static uint64_t not_plain(uint64_t bytes) {
    const uint64_t each = 0x0101010101010101, top = each << 7;
    uint64_t quotes = bytes ^ each * '"', escapes = bytes ^ each * '\\';
    return (bytes | ((bytes - each * ' ') & ~bytes) | ((quotes - each) & ~quotes) |
            ((escapes - each) & ~escapes)) &
           top;
}

// To the next byte that is not plain, or the end.
static void skip_plain(Reader *r) {
    const char *at = r->at;
#ifdef __AVX2__
    for (; r->end - at >= 32; at += 32) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)at);
        const __m256i quotes = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('"'));
        const __m256i escapes = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'));
        const __m256i others = _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), v); // as signed numbers
        const __m256i any = _mm256_or_si256(_mm256_or_si256(quotes, escapes), others);
        const uint32_t found = (uint32_t)_mm256_movemask_epi8(any);
        if (found) {
            r->at = at + __builtin_ctz(found);
            return;
        }
    }
#endif
    for (uint64_t bytes, found; r->end - at >= 8; at += 8) {
        memcpy(&bytes, at, 8);
        if ((found = not_plain(bytes))) {
            r->at = at + __builtin_ctzll(found) / 8;
            return;
        }
    }
    while (at < r->end && is_plain(*at)) at++;
    r->at = at;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Four digits; -1 where they are none.
static int32_t read_hex(Reader *r) {
    int32_t n = 0;
    for (int k = 0; k < 4; k++) {
        int digit = hex_digit(next(r));
        if (digit < 0) return -1;
        n = n << 4 | digit;
        r->at++;
    }
    return n;
}

static void put_character(Reader *r, uint32_t c) {
    static const uint8_t first[] = {0, 0xC0, 0xE0, 0xF0};
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *r->room++ = (char)(first[more] | c >> 6 * more);
    while (more--) *r->room++ = (char)(0x80 | (c >> 6 * more & 0x3F));
}

// After "\u".
static bool read_unicode(Reader *r, const char *start) {
    int32_t high = read_hex(r), low;
    if (high < 0) return fail(r, "expected four hexadecimal digits after \\u");
    if (high < 0xD800 || high > 0xDFFF) {
        put_character(r, (uint32_t)high);
        return true;
    }
    if (high > 0xDBFF || r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u')
        return fail_at(r, start, "half of a surrogate pair");
    r->at += 2;
    low = read_hex(r);
    if (low < 0xDC00 || low > 0xDFFF) return fail_at(r, start, "half of a surrogate pair");
    put_character(r, 0x10000 + ((uint32_t)high - 0xD800) * 0x400 + ((uint32_t)low - 0xDC00));
    return true;
}

static bool read_escape(Reader *r) {
    const char *start = r->at++;
    char c = next(r);
    switch (c) {
    case '"':
    case '\\':
    case '/': break;
    case 'b': c = '\b'; break;
    case 'f': c = '\f'; break;
    case 'n': c = '\n'; break;
    case 'r': c = '\r'; break;
    case 't': c = '\t'; break;
    case 'u': r->at++; return read_unicode(r, start);
    default: return fail_at(r, start, "no such escape in JSON");
    }
    r->at++;
    *r->room++ = c;
    return true;
}

// A character of several bytes.
static bool skip_utf8(Reader *r) {
    size_t length = utf8_length((const unsigned char *)r->at, (size_t)(r->end - r->at));
    if (!length) return fail(r, "this is not UTF-8");
    r->at += length;
    return true;
}

// Copies from there up to where the reader is. Spans are short: 32 bytes at a time, without a call, where the
// line is long enough; the room has as much to spare.
static void put_span(Reader *r, const char *span) {
    const size_t n = (size_t)(r->at - span);
    if ((size_t)(r->end - span) < n + JUDGE_LINE_SPARE) memcpy(r->room, span, n);
    else
        for (size_t k = 0; k < n; k += JUDGE_LINE_SPARE) memcpy(r->room + k, span + k, JUDGE_LINE_SPARE);
    r->room += n;
}

// A string, at its quote. Where there are escapes in it, it is put together in the room.
static bool read_string(Reader *r, const char **text, size_t *length) {
    const char *quote = r->at++, *span = r->at;
    char *copy = r->room;
    bool copied = false;
    for (;;) {
        skip_plain(r);
        if (r->at == r->end) return fail_at(r, quote, "this text has no end");
        if ((signed char)*r->at < 0) {
            if (!skip_utf8(r)) return false;
            continue;
        }
        if (*r->at != '"' && *r->at != '\\') return fail(r, "a control character, which JSON escapes");
        if (*r->at == '"' && !copied) break;
        put_span(r, span);
        copied = true;
        if (*r->at == '"') break;
        if (!read_escape(r)) return false;
        span = r->at;
    }
    *text = copied ? copy : span;
    *length = (size_t)(copied ? r->room - copy : r->at - span);
    r->at++;
    return true;
}

// ---- Other values ----

static bool read_word(Reader *r, const char *word) {
    size_t n = strlen(word);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return fail(r, "expected a value");
    r->at += n;
    return true;
}

static bool skip_digits(Reader *r) {
    if (next(r) < '0' || next(r) > '9') return fail(r, "expected a digit");
    while (next(r) >= '0' && next(r) <= '9') r->at++;
    return true;
}

static bool skip_number(Reader *r) {
    if (next(r) == '-') r->at++;
    if (next(r) == '0') r->at++;
    else if (!skip_digits(r)) return false;
    if (next(r) == '.') {
        r->at++;
        if (!skip_digits(r)) return false;
    }
    if (next(r) == 'e' || next(r) == 'E') {
        r->at++;
        if (next(r) == '+' || next(r) == '-') r->at++;
        return skip_digits(r);
    }
    return true;
}

static bool skip_scalar(Reader *r) {
    const char *text;
    size_t length;
    switch (next(r)) {
    case '"': return read_string(r, &text, &length);
    case 't': return read_word(r, "true");
    case 'f': return read_word(r, "false");
    case 'n': return read_word(r, "null");
    case '-': return skip_number(r);
    default: return next(r) >= '0' && next(r) <= '9' ? skip_number(r) : fail(r, "expected a value");
    }
}

// The key of an object and its colon, with the space around them.
static bool read_key(Reader *r, const char **key, size_t *length) {
    skip_space(r);
    if (next(r) != '"') return fail(r, "expected a key in quotes");
    if (!read_string(r, key, length)) return false;
    skip_space(r);
    if (next(r) != ':') return fail(r, "expected ':'");
    r->at++;
    skip_space(r);
    return true;
}

// A value is all there only if a comma follows, or what closes the object or list.
static bool ends_value(Reader *r, char close) {
    skip_space(r);
    if (next(r) == ',' || next(r) == close) return true;
    return fail(r, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
}

static bool skip_value(Reader *r, int depth) {
    const char *key, open = next(r), close = open == '{' ? '}' : ']';
    size_t length;
    if (open != '{' && open != '[') return skip_scalar(r);
    if (depth == MOST_DEPTH) return fail(r, "nested more than 64 levels deep");
    r->at++;
    skip_space(r);
    if (next(r) == close) {
        r->at++;
        return true;
    }
    for (;;) {
        skip_space(r);
        if (open == '{' && !read_key(r, &key, &length)) return false;
        if (!skip_value(r, depth + 1) || !ends_value(r, close)) return false;
        if (*r->at++ == close) return true;
    }
}

// ---- The line ----

static bool is_key(const char *key, size_t length, const char *name) {
    return length == strlen(name) && memcmp(key, name, length) == 0;
}

static bool read_text(Reader *r, const char **text, size_t *length, const char *otherwise) {
    return next(r) == '"' ? read_string(r, text, length) : fail(r, otherwise);
}

static bool read_flag(Reader *r, bool *flag, const char *otherwise) {
    *flag = next(r) == 't';
    return next(r) == 't' || next(r) == 'f' ? skip_scalar(r) : fail(r, otherwise);
}

// asked: for outputs, for errors.
static bool read_member(Reader *r, JudgeLine *l, bool asked[2]) {
    const char *key, *start = r->at;
    size_t length;
    if (!read_key(r, &key, &length)) return false;
    bool is_id = is_key(key, length, "id"), is_task = is_key(key, length, "task"),
         is_program = is_key(key, length, "program"), is_outputs = is_key(key, length, "outputs"),
         is_errors = is_key(key, length, "errors");
    if ((is_id && l->id) || (is_task && l->task) || (is_program && l->program) || (is_outputs && asked[0]) ||
        (is_errors && asked[1])) {
        while (*start != '"') start++;
        return fail_at(r, start, "this key is here for the second time");
    }
    if (is_id) {
        const char *id = r->at;
        if (next(r) == '{' || next(r) == '[')
            return fail(r, "\"id\" has to be a text, a number, true, false or null");
        if (!skip_scalar(r)) return false;
        l->id_length = (size_t)(r->at - id);
        if (!ends_value(r, '}')) return false;
        l->id = id;
        return true;
    }
    if (is_task)
        return read_text(r, &l->task, &l->task_length, "\"task\" has to be a text: the id of a task");
    if (is_program) return read_text(r, &l->program, &l->program_length, "\"program\" has to be a text");
    if (!is_outputs && !is_errors) return skip_value(r, 1);
    asked[is_errors] = true;
    return is_errors ? read_flag(r, &l->errors, "\"errors\" has to be true or false")
                     : read_flag(r, &l->outputs, "\"outputs\" has to be true or false");
}

static bool read_line(Reader *r, JudgeLine *l) {
    bool asked[2] = {false};
    skip_space(r);
    const char *start = r->at;
    if (next(r) != '{') return fail(r, "expected an object: {\"id\": …, \"task\": …, \"program\": …}");
    r->at++;
    skip_space(r);
    if (next(r) == '}') r->at++;
    else
        for (;;) {
            if (!read_member(r, l, asked) || !ends_value(r, '}')) return false;
            if (*r->at++ == '}') break;
        }
    skip_space(r);
    if (r->at < r->end) return fail(r, "expected nothing more in this line");
    if (!l->task) return fail_at(r, start, "there is no \"task\"");
    return l->program || fail_at(r, start, "there is no \"program\"");
}

void judge_line_read(JudgeLine *l, const char *line, size_t length, char **room) {
    Reader r = {.at = line, .end = line + length, .room = *room};
    *l = (JudgeLine){.text = line};
    if (length > TS_JUDGE_LINE) fail(&r, "a line of more than 1 MiB");
    else read_line(&r, l);
    *room = r.room;
    l->problem = r.problem;
    l->at = r.problem ? (size_t)(r.where - line) : 0;
}
