// Cuts a program text into tokens, as Python would: newlines inside brackets do not count, comments are gone,
// the indentation of each new line is known. What Python's own lexer refuses is a bad token here, in comments
// and strings too.
#ifndef TESSERA_PROGRAM_LEXER_H
#define TESSERA_PROGRAM_LEXER_H

#include "base/status.h"

typedef enum {
    TOKEN_END,
    TOKEN_NEWLINE, // end of a statement; its character is ';' where it is one
    TOKEN_NAME,
    TOKEN_INT,
    TOKEN_STRING,
    TOKEN_ARROW, // ->
    TOKEN_OTHER, // one character: ( ) { } [ ] , = : . - *
    TOKEN_BAD,   // what no program may contain
} TokenKind;

typedef struct {
    TokenKind kind;
    char c;        // of TOKEN_OTHER, else 0
    int indent;    // columns before it, for the first token of a statement; else -1
    int tabs;      // how many of these columns there are only because a tab takes several
    uint32_t line; // of the text, from 1
    uint32_t hash; // of TOKEN_NAME
    const char *start;
    size_t length;
    union {
        uint64_t head;       // of TOKEN_NAME: its first eight bytes, or all of them and zeros
        uint64_t value;      // of TOKEN_INT
        const char *problem; // of TOKEN_BAD
    };
} Token;

typedef struct {
    const char *text, *end, *at;
    uint32_t line;
    int brackets;
    int tabs;
    bool fresh; // at the start of a statement
} Lexer;

Lexer lexer_begin(const char *text, size_t length);
void lexer_next(Lexer *l, Token *t);
// Goes past a character that stands right where the lexer is, as if it had been read as a token. False where
// there is another, or anything between.
static inline bool lexer_pass(Lexer *l, char c) {
    if (l->at == l->end || *l->at != c) return false;
    l->at++;
    l->brackets += c == '(';
    return true;
}
// The token as a person would name it, in the buffer or in a literal.
const char *lexer_describe(const Token *t, char *buffer, size_t size);
// To the next line that starts in the first column, from wherever the lexer is.
void lexer_skip_to_top(Lexer *l);

#endif
