#include "program/lexer.h"

#include <string.h>

enum { TAB_STOP = 8 };

Lexer lexer_begin(const char *text, size_t length) {
    Lexer l = {.text = text, .end = text + length, .at = text, .fresh = true};
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) l.at += 3; // byte order mark
    return l;
}

static bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char peek(const Lexer *l, size_t k) { return (size_t)(l->end - l->at) > k ? l->at[k] : 0; }

static void skip_comment(Lexer *l) {
    while (l->at < l->end && *l->at != '\n') l->at++;
}

// Past white space, comments, blank lines, joined lines. Returns the indentation at the start of a statement.
static int skip_space(Lexer *l) {
    int indent = 0;
    for (; l->at < l->end; l->at++) {
        char c = *l->at;
        if (c == ' ' || c == '\f') indent++;
        else if (c == '\t') indent = (indent / TAB_STOP + 1) * TAB_STOP;
        else if (c == '\r' && (peek(l, 1) == '\n' || l->at + 1 == l->end)) continue;
        else if (c == '\\' && (peek(l, 1) == '\n' || (peek(l, 1) == '\r' && peek(l, 2) == '\n')))
            l->at += peek(l, 1) == '\n' ? 1 : 2;
        else if (c == '#') {
            skip_comment(l);
            l->at--;
        } else if (c == '\n' && (l->fresh || l->brackets)) indent = 0;
        else break;
    }
    return indent;
}

static Token bad(Token t, const Lexer *l, const char *problem) {
    t.kind = TOKEN_BAD;
    t.problem = problem;
    t.length = (size_t)(l->at - t.start);
    return t;
}

static Token lex_int(Lexer *l, Token t) {
    t.kind = TOKEN_INT;
    bool overflow = false;
    for (; l->at < l->end && is_digit(*l->at); l->at++)
        overflow |= __builtin_mul_overflow(t.value, 10, &t.value) ||
                    __builtin_add_overflow(t.value, (uint64_t)(*l->at - '0'), &t.value);
    const char *digits_end = l->at;
    while (l->at < l->end && (is_name_start(*l->at) || is_digit(*l->at) || *l->at == '.')) l->at++;
    if (l->at > digits_end) return bad(t, l, "expected a whole decimal number, found");
    if (overflow) return bad(t, l, "integer does not fit 64 bits");
    return t;
}

// At a quote. Strings matter only as doc strings, so their contents are passed over.
static Token lex_string(Lexer *l, Token t) {
    t.kind = TOKEN_STRING;
    char quote = *l->at;
    size_t quotes = peek(l, 1) == quote && peek(l, 2) == quote ? 3 : 1;
    l->at += quotes;
    while (l->at < l->end) {
        if (*l->at == '\\' && l->at + 1 < l->end) l->at += 2;
        else if (*l->at == '\n' && quotes == 1) break;
        else if (*l->at == quote && (quotes == 1 || (peek(l, 1) == quote && peek(l, 2) == quote))) {
            l->at += quotes;
            return t;
        } else l->at++;
    }
    return bad(t, l, "this string does not end");
}

static Token lex_other(Lexer *l, Token t) {
    char c = *l->at++;
    t.kind = TOKEN_OTHER;
    t.c = c;
    if (c == '-' && l->at < l->end && *l->at == '>') {
        l->at++;
        t.kind = TOKEN_ARROW;
    } else if (c == '(' || c == '{' || c == '[') l->brackets++;
    else if (c == ')' || c == '}' || c == ']') l->brackets -= l->brackets > 0;
    else if (c == '\n' || c == ';') {
        t.kind = TOKEN_NEWLINE;
        l->fresh = c == '\n';
    } else if (c == 0 || !strchr(",=:.-*", c)) {
        while (l->at < l->end && (*l->at & 0xC0) == 0x80) l->at++; // the rest of a UTF-8 character
        return bad(t, l, "unexpected character");
    }
    return t;
}

Token lexer_next(Lexer *l) {
    bool fresh = l->fresh;
    int indent = skip_space(l);
    Token t = {.kind = TOKEN_END, .start = l->at, .indent = fresh ? indent : -1};
    if (l->at >= l->end) {
        l->brackets = 0;
        if (fresh) return t;
        l->fresh = true; // a last line without a newline ends all the same
        t.kind = TOKEN_NEWLINE;
        return t;
    }
    l->fresh = false;
    if (is_name_start(*l->at)) {
        while (l->at < l->end && (is_name_start(*l->at) || is_digit(*l->at))) l->at++;
        t.kind = TOKEN_NAME;
        bool prefix = l->at - t.start == 1 && strchr("rRuU", *t.start) && l->at < l->end;
        if (prefix && (*l->at == '"' || *l->at == '\'')) t = lex_string(l, t);
    } else if (is_digit(*l->at)) t = lex_int(l, t);
    else if (*l->at == '"' || *l->at == '\'') t = lex_string(l, t);
    else t = lex_other(l, t);
    t.length = (size_t)(l->at - t.start);
    return t;
}

void lexer_skip_to_top(Lexer *l) {
    l->brackets = 0;
    while (l->at < l->end) {
        bool line_start = l->at == l->text || l->at[-1] == '\n';
        if (line_start && !strchr(" \t\r\n#\f", *l->at) && *l->at) break;
        l->at++;
    }
    l->fresh = true;
}
