#include "program/python_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// ---- Problems, memory, names ----

bool python_is_full(const PythonText *p) {
    return p->count - p->first >= PYTHON_MOST_OF_DEF || p->count >= PYTHON_MOST_PROBLEMS;
}

static bool room_for_problem(PythonText *p) {
    if (p->count < p->room) return true;
    int room = p->room ? 2 * p->room : 8;
    Status *grown = realloc(p->problems, (size_t)room * sizeof *grown);
    if (!grown) return !(p->starved = true);
    p->problems = grown;
    p->room = room;
    return true;
}

bool python_problem(PythonText *p, const char *at, size_t length, ts_problem kind, const char *remedy,
                    const char *format, ...) {
    char message[400];
    va_list args;
    if (python_is_full(p) || !room_for_problem(p)) return false;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    Status *s = &p->problems[p->count];
    status_fail(s, TS_INPUT, "%s", message);
    s->kind = kind;
    if (remedy[0]) status_advise(s, kind, "%s", remedy);
    status_locate(s, &p->known, p->file, p->text, p->length, (size_t)(at - p->text));
    s->length = length < 10000 ? (int)length : 0;
    for (int k = 0; k < p->count; k++) // what is said of a line that is read twice is said once
        if (p->problems[k].line == s->line && p->problems[k].column == s->column) return false;
    p->count++;
    return false;
}

void *python_alloc(PythonText *p, size_t bytes) {
    void *piece = arena_alloc(&p->arena, bytes);
    if (!piece) p->starved = true;
    return piece;
}

PythonNode *python_node(PythonText *p, PythonKind kind, const Token *t) {
    PythonNode *n = python_alloc(p, sizeof *n);
    static _Thread_local PythonNode none; // of no use to anybody: the text is given up
    if (!n) n = &none;
    *n = (PythonNode){.kind = (uint8_t)kind, .at = t->start, .line = t->line, .length = (uint32_t)t->length};
    return n;
}

uint32_t python_name_of(PythonText *p, const Token *t) {
    uint32_t at = t->hash, k;
    if (!index_reserve(&p->index)) return p->starved = true, 0;
    while ((k = index_next(&p->index, t->hash, &at))) {
        const Token *other = &p->names[k - 1].token;
        if (other->length == t->length && memcmp(other->start, t->start, t->length) == 0) return k - 1;
    }
    if (p->name_count == p->name_room) {
        uint32_t room = p->name_room ? 2 * p->name_room : 128;
        PythonName *grown = realloc(p->names, room * sizeof *grown);
        if (!grown) return p->starved = true, 0;
        p->names = grown;
        p->name_room = room;
    }
    p->names[p->name_count] = (PythonName){.token = *t, .known = symbols_known(t)};
    index_put(&p->index, at, t->hash, p->name_count);
    return p->name_count++;
}

// ---- Tokens ----

// The operators of more than one character, the longer first.
static const char *const operators[] = {"//=", "**=", ">>=", "<<=", "==", "!=", "<=", ">=", "//", "**", "+=",
                                        "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "->", ":=", "<<", ">>"};

void python_advance(PythonText *p) {
    lexer_next(&p->lexer, &p->t);
    Token *t = &p->t;
    p->op = 0;
    bool sign = t->kind == TOKEN_BAD && t->length == 1 && *t->start && strchr("+/%<>!&|^~@", *t->start);
    if (t->kind == TOKEN_ARROW) {
        p->op = PYTHON_OP('-', '>');
        return;
    }
    if (t->kind != TOKEN_OTHER && !sign) return;
    p->op = (unsigned char)*t->start;
    size_t left = (size_t)(p->lexer.end - t->start);
    for (size_t k = 0;
         left > 1 && strchr("=/*<>-:+%&|^!", *t->start) && k < sizeof operators / sizeof *operators; k++) {
        const char *o = operators[k];
        size_t n = strlen(o);
        if (left < n || memcmp(t->start, o, n) != 0) continue;
        p->op = n == 3 ? (uint32_t)o[0] << 16 | PYTHON_OP(o[1], o[2]) : PYTHON_OP(o[0], o[1]);
        t->length = n;
        p->lexer.at = t->start + n;
        break;
    }
    if (p->op == '!') return;
    t->kind = TOKEN_OTHER;
}

bool python_is_word(const Token *t, const char *word) {
    return t->kind == TOKEN_NAME && t->length == strlen(word) && memcmp(t->start, word, t->length) == 0;
}

bool python_at_keyword(const PythonText *p) {
    const Symbol *known = p->t.kind == TOKEN_NAME ? symbols_known(&p->t) : NULL;
    return known && known->is_keyword && known->kind == SYMBOL_NONE;
}

PythonNode *python_expected(PythonText *p, const char *what) {
    char buffer[100];
    const char *found = lexer_describe(&p->t, buffer, sizeof buffer);
    if (p->t.kind == TOKEN_BAD)
        python_problem(p, p->t.start, p->t.length, TS_PROBLEM_SYNTAX, "", "%s %s", p->t.problem, found);
    else
        python_problem(p, p->t.start, p->t.length, TS_PROBLEM_SYNTAX, "", "expected %s, found %s", what,
                       found);
    return NULL;
}

bool python_take(PythonText *p, char c) {
    char what[4] = {'\'', c, '\'', 0};
    if (!python_at(p, c)) return python_expected(p, what);
    python_advance(p);
    return true;
}
