// Cuts a program text into tokens, as Python would: newlines inside brackets do not count, comments are gone,
// the indentation of each new line is known.
#ifndef TESSERA_LEXER_H
#define TESSERA_LEXER_H

#include "base/status.h"

typedef enum {
    TOKEN_END,
    TOKEN_NEWLINE, // end of a statement
    TOKEN_NAME,
    TOKEN_INT,
    TOKEN_STRING,
    TOKEN_ARROW, // ->
    TOKEN_OTHER, // one character: ( ) { } [ ] , = : . -
    TOKEN_BAD,   // what no program may contain
} TokenKind;

typedef struct {
    TokenKind kind;
    char c; // of TOKEN_OTHER
    const char *start;
    size_t length;
    int indent;          // columns before it, for the first token of a statement; else -1
    uint64_t value;      // of TOKEN_INT
    const char *problem; // of TOKEN_BAD
} Token;

typedef struct {
    const char *text, *end, *at;
    int brackets;
    bool fresh; // at the start of a statement
} Lexer;

Lexer lexer_begin(const char *text, size_t length);
Token lexer_next(Lexer *l);
// To the next line that starts in the first column, from wherever the lexer is.
void lexer_skip_to_top(Lexer *l);

#endif
