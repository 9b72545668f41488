// Between the files of the parser: tokens and nodes (python_syntax.c), expressions (python_expression.c) and
// statements (python_statement.c). What gives a node gives NULL where a problem was noted.
#ifndef TESSERA_PROGRAM_PYTHON_PARSE_H
#define TESSERA_PROGRAM_PYTHON_PARSE_H

#include "program/python_syntax.h"

// ---- Tokens ----

void python_advance(PythonText *p); // to the next one
bool python_is_word(const Token *t, const char *word);
// Whether the token is a word that no variable may be called by; True, False and None are values all the
// same.
bool python_at_keyword(const PythonText *p);
static inline bool python_at(const PythonText *p, char c) { return p->op == (unsigned char)c; }
static inline bool python_at_word(const PythonText *p, const char *word) {
    return python_is_word(&p->t, word);
}
PythonNode *python_expected(PythonText *p, const char *what); // notes what is there instead
bool python_take(PythonText *p, char c);

PythonNode *python_node(PythonText *p, PythonKind kind, const Token *t); // never NULL
uint32_t python_name_of(PythonText *p, const Token *t);                  // its number among the names

// ---- Expressions ----

PythonNode *python_expression(PythonText *p);  // with if, lambda
PythonNode *python_expressions(PythonText *p); // with commas between them: a tuple
PythonNode *python_target(PythonText *p);
bool python_skip_type(PythonText *p); // which says nothing to us
// With types in a def. The first of them is a node of no name.
PythonNode *python_parameters(PythonText *p, bool typed);

#endif
