// Events from JSON text in the page's engine, where there is no yajl: the plain path of task/json.h, token by
// token. Grids come as lists and numbers, which every listener takes as well.
//
// Workload: what a person pastes or drops, some MB at the most.
#include "task/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const TaskJsonListener *listener;
    void *user;
    const char *text;
    size_t length, at;
    int depth;
    bool stopped;
    TaskJsonError *error;
} Reader;

static bool wrong(Reader *r, size_t at, const char *message) {
    r->error->at = at;
    snprintf(r->error->message, sizeof r->error->message, "%s", message);
    return false;
}

// What is not there, or something else stands in its place.
static bool missing(Reader *r, const char *what) {
    if (r->at >= r->length) return wrong(r, r->length, "the text ends too early");
    return wrong(r, r->at, what);
}

static bool heard(Reader *r, bool goes_on) {
    r->stopped = !goes_on;
    return goes_on;
}

static bool skips(Reader *r, char c) {
    r->at = task_scan_blanks(r->text, r->at, r->length);
    if (r->at >= r->length || r->text[r->at] != c) return false;
    r->at++;
    return true;
}

// ---- Scalars ----

// The four digits of \uXXXX at `at`; -1 where there are none.
static int read_unit(const Reader *r, size_t at) {
    int unit = 0;
    for (size_t k = at; k < at + 4; k++) {
        const char *digits = "0123456789abcdefABCDEF", *d = k < r->length ? strchr(digits, r->text[k]) : NULL;
        if (!d || !*d) return -1;
        unit = unit * 16 + (int)(d - digits) - (d - digits > 15 ? 6 : 0);
    }
    return unit;
}

static char *put_code(char *to, unsigned code) {
    if (code < 0x80) *to++ = (char)code;
    else if (code < 0x800) *to++ = (char)(0xC0 | code >> 6);
    else if (code < 0x10000) *to++ = (char)(0xE0 | code >> 12);
    else *to++ = (char)(0xF0 | code >> 18);
    if (code >= 0x10000) *to++ = (char)(0x80 | (code >> 12 & 63));
    if (code >= 0x800) *to++ = (char)(0x80 | (code >> 6 & 63));
    if (code >= 0x80) *to++ = (char)(0x80 | (code & 63));
    return to;
}

// What stands behind a backslash. NULL where it is nothing that may.
static char *read_escape(Reader *r, char *to) {
    static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char c = r->at < r->length ? r->text[r->at++] : 0, *name = c ? strchr(names, c) : NULL;
    if (name) *to++ = means[name - names];
    if (name) return to;
    int unit = c == 'u' ? read_unit(r, r->at) : -1;
    if (unit < 0) return NULL;
    r->at += 4;
    if (unit >= 0xD800 && unit < 0xDC00 && r->at + 1 < r->length && memcmp(r->text + r->at, "\\u", 2) == 0) {
        const int low = read_unit(r, r->at + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            r->at += 6;
            return put_code(to, 0x10000u + ((unsigned)unit - 0xD800) * 0x400 + (unsigned)low - 0xDC00);
        }
    }
    return put_code(to, unit >= 0xD800 && unit < 0xE000 ? '?' : (unsigned)unit); // half of a pair
}

// The string whose quote is at `at`, into memory that is to be freed; NULL where it is none. An escape is
// longer than what it stands for.
static char *read_string(Reader *r, size_t *length) {
    const size_t start = r->at++;
    const char *end = r->text + start + 1;
    while (end < r->text + r->length && *end != '"') end += *end == '\\' ? 2 : 1;
    char *text = malloc((size_t)(end - r->text) - start + 1), *to = text;
    if (!text) wrong(r, start, "no memory for a string");
    while (to && r->at < r->length && r->text[r->at] != '"') {
        const size_t at = r->at;
        const char c = r->text[r->at++];
        if (c == '\\') to = read_escape(r, to);
        else if ((unsigned char)c < ' ') to = NULL;
        else *to++ = c;
        if (!to)
            wrong(r, at, c == '\\' ? "an escape that JSON does not have" : "a control character in a string");
    }
    if (to && r->at < r->length) {
        r->at++; // the quote
        *length = (size_t)(to - text);
        return text;
    }
    if (to) wrong(r, r->length, "the text ends too early");
    free(text);
    return NULL;
}

static size_t digits(const Reader *r, size_t at) {
    size_t end = at;
    while (end < r->length && r->text[end] >= '0' && r->text[end] <= '9') end++;
    return end - at;
}

// The end of the number that begins at `at`; 0 where there is none.
static size_t number_end(const Reader *r, size_t at) {
    const char *t = r->text;
    at += t[at] == '-';
    size_t n = digits(r, at);
    if (!n || (n > 1 && t[at] == '0')) return 0;
    at += n;
    if (at < r->length && t[at] == '.') {
        n = digits(r, at + 1);
        if (!n) return 0;
        at += 1 + n;
    }
    if (at < r->length && (t[at] == 'e' || t[at] == 'E')) {
        at += at + 1 < r->length && (t[at + 1] == '-' || t[at + 1] == '+') ? 2 : 1;
        n = digits(r, at);
        if (!n) return 0;
        at += n;
    }
    return at;
}

static bool send(Reader *r, TaskJsonScalar kind, const char *text, size_t length, size_t at) {
    return !r->listener->scalar || heard(r, r->listener->scalar(r->user, kind, text, length, at));
}

static bool read_word(Reader *r) {
    static const struct {
        const char *word;
        TaskJsonScalar kind;
    } words[] = {{"true", TASK_JSON_BOOL}, {"false", TASK_JSON_BOOL}, {"null", TASK_JSON_NULL}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const size_t n = strlen(words[k].word), at = r->at;
        if (r->length - at < n || memcmp(r->text + at, words[k].word, n) != 0) continue;
        r->at += n;
        return send(r, words[k].kind, words[k].word, n, at);
    }
    return missing(r, "no value stands here");
}

static bool read_scalar(Reader *r) {
    const size_t at = r->at;
    if (r->text[at] == '"') {
        size_t length;
        char *text = read_string(r, &length);
        const bool good = text && send(r, TASK_JSON_STRING, text, length, at);
        free(text);
        return good;
    }
    const size_t end = number_end(r, at);
    if (!end) return read_word(r);
    r->at = end;
    return send(r, TASK_JSON_NUMBER, r->text + at, end - at, at);
}

// ---- Lists and objects ----

static bool read_value(Reader *r);

static bool read_key(Reader *r) {
    size_t length;
    r->at = task_scan_blanks(r->text, r->at, r->length);
    const size_t at = r->at;
    if (at >= r->length || r->text[at] != '"') return missing(r, "a key in quotes is expected");
    char *text = read_string(r, &length);
    const bool good = text && (!r->listener->key || heard(r, r->listener->key(r->user, text, length, at)));
    free(text);
    if (!good) return false;
    return skips(r, ':') || missing(r, "a colon is expected after a key");
}

static bool read_items(Reader *r, char closing) {
    if (skips(r, closing)) return true;
    for (;;) {
        if ((closing == '}' && !read_key(r)) || !read_value(r)) return false;
        if (skips(r, closing)) return true;
        if (!skips(r, ','))
            return missing(r, closing == '}' ? "',' or '}' is expected" : "',' or ']' is expected");
    }
}

static bool read_value(Reader *r) {
    r->at = task_scan_blanks(r->text, r->at, r->length);
    if (r->at >= r->length) return missing(r, "");
    const size_t at = r->at;
    const char bracket = r->text[at];
    if (bracket != '{' && bracket != '[') return read_scalar(r);
    if (r->depth == TASK_JSON_DEPTH) return wrong(r, at, "lists and objects are nested too deeply");
    r->depth++;
    r->at++;
    if (r->listener->open && !heard(r, r->listener->open(r->user, bracket, at))) return false;
    if (!read_items(r, bracket == '{' ? '}' : ']')) return false;
    r->depth--;
    return !r->listener->close || heard(r, r->listener->close(r->user, r->at - 1));
}

TaskJsonEnd task_json_parse(const char *text, size_t length, const TaskJsonListener *listener, void *user,
                            TaskJsonError *error) {
    const size_t good = task_scan_bad_byte(text, length);
    Reader r = {.listener = listener, .user = user, .text = text, .length = good, .error = error};
    if (good >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) r.at = 3;
    const bool all = read_value(&r);
    if (r.stopped) return TASK_JSON_STOPPED;
    if (!all && (r.at < good || good == length)) return TASK_JSON_BROKEN;
    const size_t next = task_scan_blanks(text, r.at, good);
    if (next == length) return TASK_JSON_DONE;
    wrong(&r, next, next == good ? "a byte that may not stand in JSON" : "nothing may follow the value");
    return TASK_JSON_BROKEN;
}
