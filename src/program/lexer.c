#include "program/lexer.h"

#include <ctype.h>
#include <endian.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "base/utf8.h"

enum { TAB_STOP = 8 };

// What a character begins, or is.
typedef enum {
    IS_OTHER,
    IS_LETTER,
    IS_DIGIT,
    IS_QUOTE,
    IS_SPACE,
    IS_NEWLINE,
    IS_OPEN,
    IS_CLOSE,
    IS_SIGN
} Sort;

static const uint8_t sorts[256] = {
    ['a' ... 'z'] = IS_LETTER, ['A' ... 'Z'] = IS_LETTER, ['_'] = IS_LETTER, ['0' ... '9'] = IS_DIGIT,
    ['"'] = IS_QUOTE,          ['\''] = IS_QUOTE,         [' '] = IS_SPACE,  ['\t'] = IS_SPACE,
    ['\f'] = IS_SPACE,         ['\r'] = IS_SPACE,         ['\\'] = IS_SPACE, ['#'] = IS_SPACE,
    ['\n'] = IS_NEWLINE,       ['('] = IS_OPEN,           [')'] = IS_CLOSE,  ['['] = IS_OPEN,
    [']'] = IS_CLOSE,          ['{'] = IS_OPEN,           ['}'] = IS_CLOSE,  [','] = IS_SIGN,
    ['='] = IS_SIGN,           [':'] = IS_SIGN,           ['.'] = IS_SIGN,   ['*'] = IS_SIGN,
};

static Sort sort_of(char c) { return sorts[(unsigned char)c]; }

Lexer lexer_begin(const char *text, size_t length) {
    Lexer l = {.text = text, .end = text + length, .at = text, .line = 1, .fresh = true};
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) l.at += 3; // byte order mark
    return l;
}

static char peek(const Lexer *l, size_t k) { return (size_t)(l->end - l->at) > k ? l->at[k] : 0; }

static bool ends_line(const Lexer *l, const char *at) {
    return at == l->end || *at == '\n' || (*at == '\r' && (at + 1 == l->end || at[1] == '\n'));
}

// The length of a character of a comment or a string, of any but a line's end; 0 for what Python takes for no
// text, or for the end of a line where we do not.
static size_t text_length(const Lexer *l, const char *at) {
    if (*at == 0 || (*at == '\r' && !ends_line(l, at))) return 0;
    return utf8_length((const unsigned char *)at, (size_t)(l->end - at));
}

static bool is_word_char(char c) { return sort_of(c) == IS_LETTER || sort_of(c) == IS_DIGIT; }

// Whether a comment in the first two lines says that the text is not UTF-8: `coding`, then ':' or '=', then a
// name. Python would decode the text accordingly, and may see another program.
static bool is_recoded(const char *at, const char *end) {
    static const char word[] = "coding";
    for (; (at = memmem(at, (size_t)(end - at), word, sizeof word - 1)); at++) {
        const char *name = at + sizeof word - 1;
        if (name == end || (*name != ':' && *name != '=')) continue;
        for (name++; name < end && (*name == ' ' || *name == '\t');) name++;
        size_t n = 0;
        while (name + n < end && (is_word_char(name[n]) || name[n] == '-' || name[n] == '.')) n++;
        if (n == 0) continue;
        return !((n == 5 && (strncasecmp(name, "utf-8", 5) == 0 || strncasecmp(name, "utf_8", 5) == 0)) ||
                 (n == 4 && strncasecmp(name, "utf8", 4) == 0));
    }
    return false;
}

// Past a comment. False where it holds something bad, which is to be the next token.
static bool skip_comment(Lexer *l) {
    const char *start = l->at;
    for (size_t n = 1; n; l->at += n) {
        while (l->at < l->end && (unsigned char)(*l->at - ' ') < 0x7F - ' ') l->at++; // as most are
        if (ends_line(l, l->at)) break;
        if (!(n = text_length(l, l->at))) return false;
    }
    if (l->line > 2 || !is_recoded(start, l->at)) return true;
    l->at = start;
    return false;
}

// Past white space, comments, blank lines, joined lines. Returns the indentation at the start of a statement.
static int skip_space(Lexer *l) {
    int indent = 0;
    const char *at = l->at, *end = l->end;
    l->tabs = 0;
    for (;; at++) {
        for (; at < end && *at == ' '; at++) indent++;
        l->at = at;
        Sort sort = sort_of(peek(l, 0));
        if (sort == IS_NEWLINE && (l->fresh || l->brackets)) {
            indent = l->tabs = 0;
            l->line++;
        } else if (sort != IS_SPACE) return indent;
        else if (*at == '\f') indent = l->tabs = 0; // as in Python
        else if (*at == '\t') {
            int column = (indent / TAB_STOP + 1) * TAB_STOP;
            l->tabs += column - indent - 1;
            indent = column;
        } else if (*at == '\r' && ends_line(l, at)) continue;
        else if (*at == '\\' && !l->fresh && at + 1 < end && ends_line(l, at + 1)) {
            at += at[1] == '\n' ? 1 : 2;
            if (at + 1 >= end) return indent; // joined to nothing
            l->line++;
        } else if (*at == '#') {
            if (!skip_comment(l)) return indent;
            at = l->at - 1;
        } else return indent;
    }
}

static void bad(Token *t, const char *problem) {
    t->kind = TOKEN_BAD;
    t->problem = problem;
}

// ---- Names, eight bytes at a time ----

// The next eight bytes, the first one lowest; zeros after the end.
static uint64_t load_word(const char *at, const char *end) {
    uint64_t word = 0;
    memcpy(&word, at, end - at < 8 ? (size_t)(end - at) : 8);
    return le64toh(word);
}

#define EACH_BYTE(b) ((uint64_t)(b)*0x0101010101010101)

// The upper bit of each byte that cannot be part of a name. No sum of two bytes reaches the next byte.
static uint64_t no_name_bytes(uint64_t word) {
    uint64_t low = word & EACH_BYTE(0x7F), lower = low | EACH_BYTE(0x20);
    uint64_t letter = (lower + EACH_BYTE(0x80 - 'a')) & ~(lower + EACH_BYTE(0x7F - 'z'));
    uint64_t digit = (low + EACH_BYTE(0x80 - '0')) & ~(low + EACH_BYTE(0x7F - '9'));
    uint64_t underscore = EACH_BYTE(0x80) - (low ^ EACH_BYTE('_'));
    return (~(letter | digit | underscore) | word) & EACH_BYTE(0x80);
}

// The bytes below the lowest bit of `after`, which is the upper one of a byte; all where there is none.
static uint64_t bytes_before(uint64_t word, uint64_t after) { return word & (((after & -after) >> 7) - 1); }

// A name of any length, from its start on.
static void lex_name(Lexer *l, Token *t) {
    uint64_t hash = hash_seed, after;
    l->at = t->start;
    do {
        uint64_t word = load_word(l->at, l->end);
        after = no_name_bytes(word);
        word = bytes_before(word, after);
        hash = hash_mix(hash, word);
        if (l->at == t->start) t->head = word;
        l->at += after ? __builtin_ctzll(after) / 8 : 8;
    } while (!after);
    t->kind = TOKEN_NAME;
    t->hash = (uint32_t)hash;
}

// ---- The other tokens ----

static void lex_int(Lexer *l, Token *t) {
    bool overflow = false;
    t->kind = TOKEN_INT;
    t->value = 0;
    for (; l->at < l->end && sort_of(*l->at) == IS_DIGIT; l->at++)
        overflow |= __builtin_mul_overflow(t->value, 10, &t->value) ||
                    __builtin_add_overflow(t->value, (uint64_t)(*l->at - '0'), &t->value);
    const char *digits_end = l->at;
    bool leads = *t->start == '0' && t->value > 0;
    while (sort_of(peek(l, 0)) == IS_LETTER || sort_of(peek(l, 0)) == IS_DIGIT || peek(l, 0) == '.') l->at++;
    if (l->at > digits_end) bad(t, "expected a whole decimal number, found");
    else if (leads) bad(t, "a number may not begin with zeros:");
    else if (overflow) bad(t, "integer does not fit 64 bits");
}

// Behind a backslash in a string: whether Python takes it for a character. Names of characters, \N{…}, are
// not looked up.
static bool is_escape(const char *at, const char *end) {
    const int digits = *at == 'x' ? 2 : *at == 'u' ? 4 : *at == 'U' ? 8 : 0;
    uint32_t n = 0;
    for (int k = 1; k <= digits; k++) {
        if (at + k >= end || !isxdigit((unsigned char)at[k])) return false;
        n = n << 4 | (uint32_t)(at[k] <= '9' ? at[k] - '0' : (at[k] & 7) + 9);
    }
    return *at != 'N' && n <= 0x10FFFF;
}

// At a quote. Strings matter only as doc strings, so their contents are passed over.
static void lex_string(Lexer *l, Token *t, bool raw) {
    const char *from = l->at;
    char quote = *from;
    bool ended = false, escapes = true;
    size_t quotes = peek(l, 1) == quote && peek(l, 2) == quote ? 3 : 1, n = 1;
    l->at += quotes;
    while (l->at < l->end && !ended && n) {
        if (*l->at == '\\' && l->at + 1 < l->end) {
            escapes &= raw || is_escape(l->at + 1, l->end);
            l->at += l->at[1] == '\r' && ends_line(l, l->at + 1) && l->at + 2 < l->end ? 2 : 1;
        } else if (quotes == 1 && ends_line(l, l->at)) break;
        else if (*l->at == quote && (quotes == 1 || (peek(l, 1) == quote && peek(l, 2) == quote))) {
            l->at += quotes;
            ended = true;
            break;
        }
        n = *l->at == '\r' ? quotes == 3 : text_length(l, l->at);
        l->at += n;
    }
    for (; from < l->at; from++) l->line += *from == '\n';
    t->kind = TOKEN_STRING;
    if (!n) {
        t->start = l->at; // the character itself
        l->at++;
        bad(t, "unexpected character");
    } else if (!ended) bad(t, "this string does not end");
    else if (!escapes) bad(t, "there is no such character: a backslash in");
}

static void lex_other(Lexer *l, Token *t) {
    char c = *l->at++;
    if (c == ';') {
        t->kind = TOKEN_NEWLINE;
        t->c = c;
    } else if (c == '-' && peek(l, 0) == '>') {
        t->kind = TOKEN_ARROW;
        l->at++;
    } else if (c == '-') {
        t->kind = TOKEN_OTHER;
        t->c = c;
    } else {
        while (l->at < l->end && (*l->at & 0xC0) == 0x80) l->at++; // the rest of a UTF-8 character
        bad(t,
            c == '#' ? "only texts in UTF-8 are read, and this one says otherwise:" : "unexpected character");
    }
}

// Any token, from its start on.
__attribute__((noinline)) static void lex_any(Lexer *l, Token *t) {
    l->at = t->start;
    if (l->at == l->end) {
        l->brackets = 0;
        l->fresh = true; // a last line without a newline ends all the same
        t->kind = t->indent < 0 ? TOKEN_NEWLINE : TOKEN_END;
    } else switch (sort_of(*l->at)) {
        case IS_LETTER:
            lex_name(l, t);
            if (l->at - t->start == 1 && sort_of(peek(l, 0)) == IS_QUOTE && strchr("rRuU", *t->start))
                lex_string(l, t, *t->start == 'r' || *t->start == 'R');
            break;
        case IS_DIGIT: lex_int(l, t); break;
        case IS_QUOTE: lex_string(l, t, false); break;
        default: lex_other(l, t);
        }
    t->length = (size_t)(l->at - t->start);
}

// The token that begins with a character of this sort. The frequent ones come without a call.
static inline void lex_token(Lexer *l, Token *t, const char *at, Sort sort) {
    static const int8_t brackets[] = {[IS_OPEN] = 1, [IS_CLOSE] = -1, [IS_SIGN] = 0};
    size_t length = 1;
    t->line = l->line;
    t->start = at;
    t->c = 0;
    l->fresh = false;
    if (sort == IS_LETTER && l->end - at >= 8) {
        uint64_t word = load_word(at, at + 8), after = no_name_bytes(word);
        if (!after || sort_of(at[1]) == IS_QUOTE) return lex_any(l, t);
        t->kind = TOKEN_NAME;
        t->head = bytes_before(word, after);
        t->hash = (uint32_t)hash_mix(hash_seed, t->head);
        length = (size_t)__builtin_ctzll(after) / 8;
    } else if (sort >= IS_OPEN) {
        int open = l->brackets + brackets[sort];
        t->kind = TOKEN_OTHER;
        t->c = *at;
        l->brackets = open < 0 ? 0 : open;
    } else if (sort == IS_NEWLINE) {
        t->kind = TOKEN_NEWLINE;
        l->fresh = true;
        l->line++;
    } else if (sort == IS_DIGIT && l->end - at > 1 && (at[1] == ',' || at[1] == ')')) {
        t->kind = TOKEN_INT;
        t->value = (uint64_t)(*at - '0');
    } else return lex_any(l, t);
    t->length = length;
    l->at = at + length;
}

__attribute__((noinline)) static void lex_after_space(Lexer *l, Token *t) {
    bool fresh = l->fresh;
    int indent = skip_space(l);
    t->indent = fresh ? indent : -1;
    t->tabs = l->tabs;
    lex_token(l, t, l->at, l->at < l->end ? sort_of(*l->at) : IS_OTHER);
}

void lexer_next(Lexer *l, Token *t) {
    const char *at = l->at, *end = l->end;
    if (l->fresh || at == end) return lex_after_space(l, t);
    at += *at == ' '; // all that there is between most tokens
    Sort sort = at < end ? sort_of(*at) : IS_SPACE;
    if (sort == IS_SPACE || (sort == IS_NEWLINE && l->brackets)) return lex_after_space(l, t);
    t->indent = -1;
    lex_token(l, t, at, sort);
}

void lexer_skip_to_top(Lexer *l) {
    l->brackets = 0;
    for (; l->at < l->end; l->at++) {
        bool line_start = l->at == l->text || l->at[-1] == '\n';
        if (line_start && !strchr(" \t\r\n#\f", *l->at) && *l->at) break;
        l->line += *l->at == '\n';
    }
    l->fresh = true;
}

// Whether these are the spaces that texts from the web have instead of Python's: U+00A0, U+2000 to U+200B,
// U+202F, U+205F, U+3000, U+FEFF.
static bool only_looks_blank(const char *text, size_t n) {
    const unsigned char *p = (const unsigned char *)text;
    if (n == 2) return p[0] == 0xC2 && p[1] == 0xA0;
    if (n != 3) return false;
    unsigned c = (p[0] & 0xFu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    return (c >= 0x2000 && c <= 0x200B) || c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

const char *lexer_describe(const Token *t, char *buffer, size_t size) {
    switch (t->kind) {
    case TOKEN_END: return "the end of the text";
    case TOKEN_NEWLINE: return t->c ? "';'" : "the end of the line";
    case TOKEN_STRING: return "a string";
    default: break;
    }
    const unsigned char *start = (const unsigned char *)t->start;
    size_t n = 0, bytes; // a token of many lines is shown up to the end of the first
    while (n < t->length && (bytes = utf8_printable(start + n, t->length - n)) && n + bytes <= 40) n += bytes;
    if (only_looks_blank(t->start, n))
        snprintf(buffer, size, "'%.*s', which only looks like a space", (int)n, t->start);
    else if (n) snprintf(buffer, size, "'%.*s'", (int)n, t->start);
    else snprintf(buffer, size, "byte 0x%02X", t->length ? start[0] : 0);
    return buffer;
}
