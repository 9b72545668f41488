#include "program/python_syntax.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"

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

static PythonNode *node(PythonText *p, PythonKind kind, const Token *t) {
    PythonNode *n = python_alloc(p, sizeof *n);
    static _Thread_local PythonNode none; // of no use to anybody: the text is given up
    if (!n) n = &none;
    *n = (PythonNode){.kind = (uint8_t)kind, .at = t->start, .line = t->line, .length = (uint32_t)t->length};
    return n;
}

static uint32_t name_of(PythonText *p, const Token *t) {
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

static void advance(PythonText *p) {
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

static bool at_op(const PythonText *p, char c) { return p->op == (unsigned char)c; }

static bool is_word(const Token *t, const char *word) {
    return t->kind == TOKEN_NAME && t->length == strlen(word) && memcmp(t->start, word, t->length) == 0;
}
static bool at_word(const PythonText *p, const char *word) { return is_word(&p->t, word); }

// Whether the token is a word that no variable may be called by; True, False and None are values all the
// same.
static bool at_keyword(const PythonText *p) {
    const Symbol *known = p->t.kind == TOKEN_NAME ? symbols_known(&p->t) : NULL;
    return known && known->is_keyword && known->kind == SYMBOL_NONE;
}

static const char *describe(const PythonText *p, char *buffer, size_t size) {
    const Token *t = &p->t;
    if (t->kind == TOKEN_END) return "the end of the text";
    if (t->kind == TOKEN_NEWLINE) return t->c ? "';'" : "the end of the line";
    if (t->kind == TOKEN_STRING) return "a string";
    const unsigned char *start = (const unsigned char *)t->start;
    size_t n = 0, bytes;
    while (n < t->length && (bytes = utf8_printable(start + n, t->length - n)) && n + bytes <= 40) n += bytes;
    if (lexer_only_looks_blank(t->start, n))
        snprintf(buffer, size, "'%.*s', which only looks like a space", (int)n, t->start);
    else if (n) snprintf(buffer, size, "'%.*s'", (int)n, t->start);
    else snprintf(buffer, size, "byte 0x%02X", t->length ? start[0] : 0);
    return buffer;
}

static PythonNode *expected(PythonText *p, const char *what) {
    char buffer[100];
    const char *found = describe(p, buffer, sizeof buffer);
    if (p->t.kind == TOKEN_BAD)
        python_problem(p, p->t.start, p->t.length, TS_PROBLEM_SYNTAX, "", "%s %s", p->t.problem, found);
    else
        python_problem(p, p->t.start, p->t.length, TS_PROBLEM_SYNTAX, "", "expected %s, found %s", what,
                       found);
    return NULL;
}

static bool take_op(PythonText *p, char c) {
    char what[4] = {'\'', c, '\'', 0};
    if (!at_op(p, c)) return expected(p, what);
    advance(p);
    return true;
}

// ---- Expressions ----

static PythonNode *parse_expression(PythonText *p); // with if, lambda
static PythonNode *parse_binary(PythonText *p, int least);

static PythonNode *parse_parameters(PythonText *p, bool typed);
static bool parse_clauses(PythonText *p, PythonNode **clauses);

static PythonNode *comprehension(PythonText *p, const Token *open, PythonNode *element, char close) {
    PythonNode *n = node(p, PYTHON_COMPREHENSION, open);
    n->op = (unsigned char)*open->start;
    n->a = element;
    if (!parse_clauses(p, &n->b)) return NULL;
    if (close && !take_op(p, close)) return NULL;
    return n;
}

static bool at_clause(const PythonText *p) { return at_word(p, "for") || at_word(p, "async"); }

// An element of a tuple, perhaps with a star before it.
static PythonNode *parse_element(PythonText *p) {
    if (!at_op(p, '*')) return parse_expression(p);
    PythonNode *n = node(p, PYTHON_STAR, &p->t);
    advance(p);
    n->a = parse_binary(p, 1);
    return n->a ? n : NULL;
}

static PythonNode *parse_bracketed(PythonText *p) {
    Token open = p->t;
    char close = at_op(p, '(') ? ')' : at_op(p, '[') ? ']' : '}';
    PythonNode *n = node(p, close == ')' ? PYTHON_TUPLE : close == ']' ? PYTHON_LIST : PYTHON_SET, &open);
    PythonNode **end = &n->a;
    bool comma = false;
    advance(p);
    while (!at_op(p, close)) {
        PythonNode *e = parse_element(p);
        if (!e) return NULL;
        if (close == '}' && at_op(p, ':')) {
            python_problem(p, open.start, 1, TS_PROBLEM_UNSAID,
                           "use a tuple of pairs and lookup(key, pairs, otherwise), or choose(…)",
                           "there are no dicts");
            return NULL;
        }
        if (!n->a && at_clause(p)) return comprehension(p, &open, e, close);
        *end = e;
        end = &e->next;
        if (!at_op(p, ',')) break;
        comma = true;
        advance(p);
    }
    n->length = (uint32_t)(p->t.start + 1 - open.start);
    char what[] = "',' or ' '";
    what[8] = close;
    if (!at_op(p, close)) return expected(p, what);
    advance(p);
    if (close == '}' && !n->a) {
        python_problem(p, open.start, 2, TS_PROBLEM_UNSAID, "",
                       "'{}' is a dict in Python; the empty set is frozenset()");
        return NULL;
    }
    if (close == ')' && n->a && !comma && n->a->kind != PYTHON_STAR) return n->a;
    return n;
}

static PythonNode *parse_lambda(PythonText *p) {
    PythonNode *n = node(p, PYTHON_LAMBDA, &p->t);
    advance(p);
    if (!at_op(p, ':')) {
        n->a = parse_parameters(p, false);
        if (!n->a) return NULL;
    }
    if (!take_op(p, ':')) return NULL;
    n->b = parse_expression(p);
    return n->b ? n : NULL;
}

static PythonNode *parse_atom(PythonText *p) {
    Token t = p->t;
    PythonNode *n;
    if (at_op(p, '(') || at_op(p, '[') || at_op(p, '{')) return parse_bracketed(p);
    if (t.kind == TOKEN_NAME && !at_keyword(p)) {
        if (t.length <= 2 && p->lexer.at < p->lexer.end && (*p->lexer.at == '\'' || *p->lexer.at == '"') &&
            strchr("fFbB", t.start[t.length - 1])) {
            python_problem(p, t.start, t.length, TS_PROBLEM_UNSAID, "leave it out: programs make grids only",
                           "there are no strings of this kind");
            return NULL;
        }
        n = node(p, PYTHON_NAME, &t);
        n->name = name_of(p, &t);
        advance(p);
        return n;
    }
    if (t.kind == TOKEN_INT) {
        if (t.value > INT64_MAX) {
            python_problem(p, t.start, t.length, TS_PROBLEM_LIMIT, "", "integer does not fit 64 bits");
            return NULL;
        }
        n = node(p, PYTHON_INT, &t);
        n->value = t.value;
        advance(p);
        return n;
    }
    if (t.kind == TOKEN_STRING) {
        n = node(p, PYTHON_STRING, &t);
        while (p->t.kind == TOKEN_STRING) advance(p);
        return n;
    }
    if (at_word(p, "lambda")) return parse_lambda(p);
    if (at_word(p, "yield") || at_word(p, "await")) {
        python_problem(p, t.start, t.length, TS_PROBLEM_UNSAID, "return a tuple, or use apply(f, container)",
                       "there is no '%.*s'", (int)t.length, t.start);
        return NULL;
    }
    return expected(p, "a value");
}

// Arguments up to the closing bracket.
static bool parse_arguments(PythonText *p, PythonNode *call) {
    PythonNode **end = &call->b;
    while (!at_op(p, ')')) {
        Token t = p->t;
        PythonNode *e;
        if (at_op(p, '*') || p->op == PYTHON_OP('*', '*')) {
            e = node(p, PYTHON_STAR, &t);
            e->op = p->op;
            advance(p);
            if (!(e->a = parse_expression(p))) return false;
        } else {
            if (!(e = parse_expression(p))) return false;
            if (at_op(p, '=')) {
                if (e->kind != PYTHON_NAME) return expected(p, "',' or ')'");
                e->kind = PYTHON_KEYWORD;
                advance(p);
                if (!(e->a = parse_expression(p))) return false;
            } else if (at_clause(p)) {
                if (!(e = comprehension(p, &t, e, 0))) return false;
                e->op = '(';
            }
        }
        *end = e;
        end = &e->next;
        if (!at_op(p, ',')) break;
        advance(p);
    }
    if (!at_op(p, ')')) return expected(p, "',' or ')'");
    advance(p);
    return true;
}

static PythonNode *parse_subscript_part(PythonText *p) {
    Token t = p->t;
    PythonNode *parts[3] = {NULL}, *n;
    int k = 0;
    bool slice = false;
    while (!at_op(p, ']') && !at_op(p, ',')) {
        if (at_op(p, ':')) {
            slice = true;
            if (++k == 3) return expected(p, "']'");
            advance(p);
        } else if (parts[k]) return expected(p, "']'");
        else if (!(parts[k] = parse_expression(p))) return NULL;
    }
    if (!slice) return parts[0] ? parts[0] : expected(p, "an index");
    n = node(p, PYTHON_SLICE, &t);
    n->a = parts[0];
    n->b = parts[1];
    n->c = parts[2];
    return n;
}

static PythonNode *parse_subscript(PythonText *p, PythonNode *base) {
    PythonNode *n = node(p, PYTHON_INDEX, &p->t), **end = &n->b;
    n->a = base;
    advance(p);
    do {
        if (n->b) advance(p);
        if (n->b && at_op(p, ']')) break;
        if (!(*end = parse_subscript_part(p))) return NULL;
        end = &(*end)->next;
    } while (at_op(p, ','));
    n->length = (uint32_t)(p->t.start + 1 - n->at);
    return take_op(p, ']') ? n : NULL;
}

static PythonNode *parse_primary(PythonText *p) {
    PythonNode *n = parse_atom(p);
    while (n && (at_op(p, '(') || at_op(p, '[') || at_op(p, '.'))) {
        PythonNode *base = n;
        if (at_op(p, '[')) {
            n = parse_subscript(p, base);
        } else if (at_op(p, '(')) {
            n = node(p, PYTHON_CALL, &p->t);
            n->at = base->at;
            n->length = base->length;
            n->line = base->line;
            n->a = base;
            advance(p);
            if (!parse_arguments(p, n)) return NULL;
        } else {
            advance(p);
            if (p->t.kind != TOKEN_NAME) return expected(p, "a name");
            n = node(p, PYTHON_ATTRIBUTE, &p->t);
            n->name = name_of(p, &p->t);
            n->a = base;
            advance(p);
        }
    }
    return n;
}

// How strongly an operator binds; 0 for what is none.
static int strength(const PythonText *p) {
    switch (p->op) {
    case '|': return 1;
    case '^': return 2;
    case '&': return 3;
    case PYTHON_OP('<', '<'):
    case PYTHON_OP('>', '>'): return 4;
    case '+':
    case '-': return 5;
    case '*':
    case '/':
    case '%':
    case '@':
    case PYTHON_OP('/', '/'): return 6;
    case PYTHON_OP('*', '*'): return 8;
    default: return 0;
    }
}

static PythonNode *parse_signed(PythonText *p) {
    if (!at_op(p, '-') && !at_op(p, '+') && !at_op(p, '~')) return parse_primary(p);
    PythonNode *n = node(p, PYTHON_SIGN, &p->t);
    n->op = p->op;
    advance(p);
    if (++p->depth > PYTHON_DEEPEST) {
        python_problem(p, n->at, 1, TS_PROBLEM_LIMIT, "", "nested more than %d deep", PYTHON_DEEPEST);
        p->depth--;
        return NULL;
    }
    n->a = parse_binary(p, 7);
    p->depth--;
    return n->a ? n : NULL;
}

static PythonNode *parse_binary(PythonText *p, int least) {
    PythonNode *left = parse_signed(p);
    for (int s; left && (s = strength(p)) >= least && s;) {
        PythonNode *n = node(p, PYTHON_BINARY, &p->t);
        n->op = p->op;
        advance(p);
        n->a = left;
        n->b = s == 8 ? parse_signed(p) : parse_binary(p, s + 1);
        left = n->b ? n : NULL;
    }
    return left;
}

// The operator of a comparison, taken; 0 where there is none. `in` is 'i', `not in` 'n', `is` 's', `is not`
// 'S'.
static uint32_t take_comparison(PythonText *p) {
    uint32_t op = p->op;
    if (op == '<' || op == '>' || op == PYTHON_OP('=', '=') || op == PYTHON_OP('!', '=') ||
        op == PYTHON_OP('<', '=') || op == PYTHON_OP('>', '=')) {
        advance(p);
        return op;
    }
    if (at_word(p, "in")) return advance(p), 'i';
    if (at_word(p, "is")) {
        advance(p);
        if (!at_word(p, "not")) return 's';
        advance(p);
        return 'S';
    }
    if (!at_word(p, "not")) return 0;
    Lexer ahead = p->lexer;
    Token next;
    lexer_next(&ahead, &next);
    if (!is_word(&next, "in")) return 0;
    advance(p);
    advance(p);
    return 'n';
}

static PythonNode *parse_comparison(PythonText *p) {
    PythonNode *first = parse_binary(p, 1), *n = NULL, **end = NULL;
    for (;;) {
        if (!first) return NULL;
        Token t = p->t;
        uint32_t op = take_comparison(p);
        if (!op) return n ? n : first;
        if (!n) {
            n = node(p, PYTHON_COMPARE, &t);
            n->a = first;
            end = &n->b;
        }
        PythonNode *part = node(p, PYTHON_COMPARED, &t);
        part->op = op;
        if (!(part->a = parse_binary(p, 1))) return NULL;
        *end = part;
        end = &part->next;
    }
}

static PythonNode *parse_not(PythonText *p) {
    if (!at_word(p, "not")) return parse_comparison(p);
    PythonNode *n = node(p, PYTHON_NOT, &p->t);
    advance(p);
    if (++p->depth > PYTHON_DEEPEST) {
        python_problem(p, n->at, 3, TS_PROBLEM_LIMIT, "", "nested more than %d deep", PYTHON_DEEPEST);
        p->depth--;
        return NULL;
    }
    n->a = parse_not(p);
    p->depth--;
    return n->a ? n : NULL;
}

static PythonNode *parse_and(PythonText *p) {
    PythonNode *left = parse_not(p);
    while (left && at_word(p, "and")) {
        PythonNode *n = node(p, PYTHON_AND, &p->t);
        advance(p);
        n->a = left;
        n->b = parse_not(p);
        left = n->b ? n : NULL;
    }
    return left;
}

static PythonNode *parse_or(PythonText *p) {
    PythonNode *left = parse_and(p);
    while (left && at_word(p, "or")) {
        PythonNode *n = node(p, PYTHON_OR, &p->t);
        advance(p);
        n->a = left;
        n->b = parse_and(p);
        left = n->b ? n : NULL;
    }
    return left;
}

static PythonNode *parse_choice(PythonText *p) {
    PythonNode *value = at_word(p, "lambda") ? parse_lambda(p) : parse_or(p);
    if (value && p->op == PYTHON_OP(':', '=')) {
        python_problem(p, p->t.start, 2, TS_PROBLEM_UNSAID,
                       "give the variable its value on a line of its own", "there is no ':='");
        return NULL;
    }
    if (!value || !at_word(p, "if")) return value;
    PythonNode *n = node(p, PYTHON_CHOICE, &p->t);
    advance(p);
    n->b = value;
    if (!(n->a = parse_or(p))) return NULL;
    if (!at_word(p, "else")) return expected(p, "'else'");
    advance(p);
    n->c = parse_expression(p);
    return n->c ? n : NULL;
}

static PythonNode *parse_expression(PythonText *p) {
    if (p->depth >= PYTHON_DEEPEST) {
        python_problem(p, p->t.start, p->t.length, TS_PROBLEM_LIMIT, "give parts of it names",
                       "nested more than %d deep", PYTHON_DEEPEST);
        return NULL;
    }
    p->depth++;
    PythonNode *n = parse_choice(p);
    p->depth--;
    return n;
}

PythonNode *python_parse_expression(PythonText *p) {
    p->lexer = lexer_begin(p->text, p->length);
    advance(p);
    PythonNode *n = parse_expression(p);
    if (n && p->t.kind == TOKEN_NEWLINE) advance(p);
    if (n && p->t.kind != TOKEN_END) return expected(p, "the end of the expression");
    return n;
}

// Expressions with commas between them are a tuple.
static PythonNode *parse_expressions(PythonText *p) {
    Token t = p->t;
    PythonNode *first = parse_element(p);
    if (!first || !at_op(p, ',')) {
        if (first && first->kind == PYTHON_STAR) return expected(p, "','");
        return first;
    }
    PythonNode *n = node(p, PYTHON_TUPLE, &t), **end = &first->next;
    n->a = first;
    while (at_op(p, ',')) {
        advance(p);
        if (p->t.kind == TOKEN_NEWLINE || at_op(p, '=') || at_op(p, ')') || at_op(p, ':') || at_word(p, "in"))
            break;
        if (!(*end = parse_element(p))) return NULL;
        end = &(*end)->next;
    }
    return n;
}

// What a for gives values to: a name, or names in brackets.
static PythonNode *parse_target(PythonText *p) {
    Token t = p->t;
    PythonNode *first = parse_binary(p, 1);
    if (!first || !at_op(p, ',')) return first;
    PythonNode *n = node(p, PYTHON_TUPLE, &t), **end = &first->next;
    n->a = first;
    while (at_op(p, ',')) {
        advance(p);
        if (at_word(p, "in")) break;
        if (!(*end = parse_binary(p, 1))) return NULL;
        end = &(*end)->next;
    }
    return n;
}

static bool parse_clauses(PythonText *p, PythonNode **clauses) {
    while (at_clause(p)) {
        PythonNode *n = node(p, PYTHON_CLAUSE, &p->t), **end = &n->c;
        if (at_word(p, "async")) return expected(p, "'for'");
        advance(p);
        if (!(n->a = parse_target(p))) return false;
        if (!at_word(p, "in")) return expected(p, "'in'");
        advance(p);
        if (!(n->b = parse_or(p))) return false;
        while (at_word(p, "if")) {
            advance(p);
            PythonNode *condition = at_word(p, "lambda") ? parse_lambda(p) : parse_or(p);
            if (!condition) return false;
            *end = condition;
            end = &condition->next;
        }
        *clauses = n;
        clauses = &n->next;
    }
    return true;
}

// ---- Types, which say nothing to us ----

static bool skip_type(PythonText *p) {
    PythonNode *type = parse_binary(p, 1);
    return type != NULL;
}

// Parameters, with types in a def; NULL where something is wrong. The first of them is a node of no name.
static PythonNode *parse_parameters(PythonText *p, bool typed) {
    PythonNode *all = node(p, PYTHON_PARAMETER, &p->t), **end = &all->next;
    while (!at_op(p, typed ? ')' : ':')) {
        if (at_op(p, '*') || p->op == PYTHON_OP('*', '*') || at_op(p, '/')) {
            python_problem(p, p->t.start, p->t.length, TS_PROBLEM_UNSAID, "name each parameter",
                           "a function takes a fixed number of arguments");
            return NULL;
        }
        if (p->t.kind != TOKEN_NAME || at_keyword(p)) return expected(p, "a parameter");
        PythonNode *n = node(p, PYTHON_PARAMETER, &p->t);
        n->name = name_of(p, &p->t);
        for (PythonNode *q = all->next; q; q = q->next)
            if (q->name == n->name) {
                python_problem(p, n->at, n->length, TS_PROBLEM_SYNTAX, "", "a second parameter '%.*s'",
                               n->length > 60 ? 60 : (int)n->length, n->at);
                return NULL;
            }
        advance(p);
        if (typed && at_op(p, ':')) {
            advance(p);
            if (!skip_type(p)) return NULL;
        }
        if (at_op(p, '=')) {
            advance(p);
            if (!(n->a = parse_expression(p))) return NULL;
        }
        *end = n;
        end = &n->next;
        if (!at_op(p, ',')) break;
        advance(p);
    }
    return all;
}

// ---- Statements ----

typedef struct {
    int indent, tabs;
} Margin;

static PythonNode *parse_statement(PythonText *p, const Margin *margin);
static PythonNode *parse_block(PythonText *p, const Margin *margin, bool *returns);

// To the next line, from a place where something is wrong in a statement that began on line `first`. Brackets
// that are open still are closed; a line that was taken for part of them is a line of its own again.
static void skip_line(PythonText *p, uint32_t first) {
    Lexer *l = &p->lexer;
    l->brackets = 0;
    if (p->t.kind == TOKEN_END) return;
    if (p->t.line > first && p->t.kind != TOKEN_NEWLINE) {
        l->at = p->t.start;
        l->line = p->t.line;
        while (l->at > l->text && l->at[-1] != '\n') l->at--;
    } else {
        const bool ended = p->t.kind == TOKEN_NEWLINE && !p->t.c; // then the lexer is behind it
        if (p->t.kind == TOKEN_BAD) {                             // a string without an end may go far
            l->at = p->t.start;
            l->line = p->t.line;
        }
        while (!ended && l->at < l->end && *l->at != '\n') l->at++;
        if (!ended && l->at < l->end) l->at++, l->line++;
    }
    l->fresh = true;
    advance(p);
}

static PythonNode *end_statement(PythonText *p, PythonNode *n) {
    if (p->t.kind != TOKEN_NEWLINE) return expected(p, "the end of the line");
    bool more = p->t.c;
    advance(p);
    if (more && p->t.kind == TOKEN_NEWLINE && !p->t.c) advance(p);
    return n;
}

static bool is_target(const PythonNode *n) {
    if (n->kind != PYTHON_TUPLE && n->kind != PYTHON_LIST) return n->kind == PYTHON_NAME;
    for (const PythonNode *e = n->a; e; e = e->next)
        if (!is_target(e)) return false;
    return n->a != NULL;
}

static void note_stored(PythonText *p, const PythonNode *n) {
    if (p->starved) return;
    if (n->kind == PYTHON_NAME) p->names[n->name].is_stored = true;
    else
        for (const PythonNode *e = n->a; e; e = e->next) note_stored(p, e);
}

static bool check_target(PythonText *p, const PythonNode *n) {
    if (is_target(n)) {
        note_stored(p, n);
        return true;
    }
    const PythonNode *base = n;
    while (base->kind == PYTHON_INDEX) base = base->a;
    if (n->kind == PYTHON_INDEX)
        return python_problem(p, base->at, base->length, TS_PROBLEM_UNSAID,
                              "make a new grid: g = fill(g, color, {(i, j)})",
                              "nothing can be changed in place");
    if (n->kind == PYTHON_ATTRIBUTE)
        return python_problem(p, n->at, n->length, TS_PROBLEM_UNSAID, "use a variable",
                              "values have no attributes");
    return python_problem(p, n->at, n->length, TS_PROBLEM_SYNTAX, "", "this can be given no value");
}

// A line that gives a value to something, or is an expression.
static PythonNode *parse_assignment(PythonText *p) {
    Token start = p->t;
    PythonNode *e = parse_expressions(p);
    if (!e) return NULL;
    if (p->op == '=' || at_op(p, ':')) {
        PythonNode *n = node(p, PYTHON_ASSIGN, &start), **end = &n->a;
        if (at_op(p, ':')) {
            advance(p);
            if (!skip_type(p)) return NULL;
            if (p->t.kind == TOKEN_NEWLINE) return node(p, PYTHON_PASS, &start);
            if (!at_op(p, '=')) return expected(p, "'='");
        }
        while (at_op(p, '=')) {
            if (!check_target(p, e)) return NULL;
            *end = e;
            end = &e->next;
            advance(p);
            if (!(e = parse_expressions(p))) return NULL;
        }
        n->b = e;
        return n;
    }
    if (p->op > 255 && (p->op & 255) == '=' && p->op != PYTHON_OP('=', '=')) {
        PythonNode *n = node(p, PYTHON_AUGMENT, &p->t);
        if (!check_target(p, e)) return NULL;
        if (e->kind != PYTHON_NAME) return expected(p, "'='");
        n->op = p->op >> 8;
        n->a = e;
        advance(p);
        n->b = parse_expressions(p);
        return n->b ? n : NULL;
    }
    PythonNode *n = node(p, PYTHON_EXPRESSION, &start);
    n->a = e;
    return n;
}

static PythonNode *parse_if(PythonText *p, const Margin *margin) {
    PythonNode *n = node(p, PYTHON_IF, &p->t);
    bool then = false, otherwise = false;
    advance(p);
    if (!(n->a = parse_expression(p)) || !take_op(p, ':')) return NULL;
    n->b = parse_block(p, margin, &then);
    bool here = p->t.indent == margin->indent;
    if (here && at_word(p, "elif")) {
        if (++p->depth > PYTHON_DEEPEST) {
            python_problem(p, n->at, 2, TS_PROBLEM_LIMIT, "", "nested more than %d deep", PYTHON_DEEPEST);
            p->depth--;
            return NULL;
        }
        n->c = parse_if(p, margin);
        p->depth--;
        if (!n->c) return NULL;
        otherwise = n->c->returns;
    } else if (here && at_word(p, "else")) {
        advance(p);
        if (!take_op(p, ':')) return NULL;
        n->c = parse_block(p, margin, &otherwise);
    }
    n->returns = then || otherwise;
    return n;
}

static PythonNode *parse_for(PythonText *p, const Margin *margin) {
    PythonNode *n = node(p, PYTHON_FOR, &p->t);
    advance(p);
    if (!(n->a = parse_target(p)) || !check_target(p, n->a)) return NULL;
    if (!at_word(p, "in")) return expected(p, "'in'");
    advance(p);
    if (!(n->b = parse_expressions(p)) || !take_op(p, ':')) return NULL;
    n->c = parse_block(p, margin, &n->returns);
    return n;
}

static PythonNode *parse_def(PythonText *p, const Margin *margin) {
    advance(p);
    if (p->t.kind != TOKEN_NAME || at_keyword(p)) return expected(p, "the name of the program");
    PythonNode *n = node(p, PYTHON_DEF, &p->t);
    n->name = name_of(p, &p->t);
    if (!p->starved) p->names[n->name].is_stored = true;
    advance(p);
    if (!take_op(p, '(')) return NULL;
    if (!(n->a = parse_parameters(p, true)) || !take_op(p, ')')) return NULL;
    n->a = n->a->next;
    if (p->op == PYTHON_OP('-', '>')) {
        advance(p);
        if (!skip_type(p)) return NULL;
    }
    if (!take_op(p, ':')) return NULL;
    n->b = parse_block(p, margin, &n->returns);
    return n;
}

// What Python has and the language has not, with what to say instead.
static const struct {
    const char *word, *remedy;
} refused[] = {
    {"while", "use power(f, n) for a number of times, or a for over a range"},
    {"try", "leave it out: a program that fails fails; choose(c, a, b) lets the side not taken fail"},
    {"with", "leave it out: a program reads its grid and nothing else"},
    {"class", "use functions and tuples"},
    {"global", "pass the value as an argument"},
    {"nonlocal", "pass the value as an argument"},
    {"assert", "leave it out"},
    {"raise", "leave it out"},
    {"del", "leave it out"},
    {"async", "use a plain function"},
    {"break", "filter first: sfilter(container, condition)"},
    {"continue", "put what follows into an if"},
};

// The rest of a statement that is refused: its block is read for further problems and for names.
static PythonNode *parse_refused(PythonText *p, size_t k, const Margin *margin) {
    PythonNode *n = node(p, PYTHON_REFUSED, &p->t), **end = &n->a;
    python_problem(p, p->t.start, p->t.length, TS_PROBLEM_UNSAID, refused[k].remedy, "there is no '%s'",
                   refused[k].word);
    for (;;) {
        while (p->t.kind != TOKEN_NEWLINE && p->t.kind != TOKEN_END && !(at_op(p, ':') && !p->lexer.brackets))
            advance(p);
        if (!at_op(p, ':')) {
            if (p->t.kind == TOKEN_NEWLINE) advance(p);
            return n;
        }
        advance(p);
        *end = parse_block(p, margin, &n->returns);
        while (*end) end = &(*end)->next;
        bool more = at_word(p, "except") || at_word(p, "finally") || at_word(p, "else");
        if (p->t.indent != margin->indent || !more) return n;
    }
}

// A name that is imported, as another name perhaps. What comes with a name of the language is taken for that;
// something else under such a name is not.
static bool skip_imported(PythonText *p, bool is_module) {
    bool renamed = is_module;
    bool ours = is_module && (at_word(p, "dsl") || at_word(p, "constants") || at_word(p, "tessera"));
    Token name = p->t;
    do {
        if (name.length == 0 || p->t.kind != TOKEN_NAME || at_keyword(p)) return expected(p, "a name");
        name = p->t;
        advance(p);
        if (!is_module || !at_op(p, '.')) break;
        advance(p);
    } while (true);
    if (at_word(p, "as")) {
        advance(p);
        if (p->t.kind != TOKEN_NAME || at_keyword(p)) return expected(p, "a name");
        renamed |= p->t.length != name.length || memcmp(p->t.start, name.start, name.length) != 0;
        name = p->t;
        advance(p);
    }
    const Symbol *known = symbols_known(&name);
    uint32_t k = name_of(p, &name);
    if (p->starved) return false;
    if (ours) p->names[k].is_module = true;
    if (!renamed || !known) return true;
    return python_problem(p, name.start, name.length, TS_PROBLEM_NAME, "",
                          "'%s' would be something else in Python", known->name);
}

static PythonNode *skip_import(PythonText *p) {
    PythonNode *n = node(p, PYTHON_PASS, &p->t);
    bool from = at_word(p, "from"), brackets = false, dots = false;
    advance(p);
    if (from) {
        if (at_word(p, "__future__")) return expected(p, "a module of the language");
        for (; at_op(p, '.'); advance(p)) dots = true;
        while (!(dots && at_word(p, "import"))) {
            if (p->t.kind != TOKEN_NAME || at_keyword(p)) return expected(p, "a name");
            advance(p);
            if (!at_op(p, '.')) break;
            advance(p);
        }
        if (!at_word(p, "import")) return expected(p, "'import'");
        advance(p);
        brackets = at_op(p, '(');
        if (brackets) advance(p);
        if (!brackets && at_op(p, '*')) {
            advance(p);
            return n;
        }
    }
    do {
        if (!skip_imported(p, !from)) return NULL;
        if (!at_op(p, ',')) break;
        advance(p);
    } while (!brackets || !at_op(p, ')'));
    return !brackets || take_op(p, ')') ? n : NULL;
}

static PythonNode *parse_simple(PythonText *p) {
    if (at_word(p, "return")) {
        PythonNode *n = node(p, PYTHON_RETURN, &p->t);
        n->returns = true;
        advance(p);
        if (p->t.kind != TOKEN_NEWLINE && !(n->a = parse_expressions(p))) return NULL;
        return n;
    }
    if (at_word(p, "pass")) {
        PythonNode *n = node(p, PYTHON_PASS, &p->t);
        advance(p);
        return n;
    }
    if (at_word(p, "import") || at_word(p, "from")) return skip_import(p);
    return parse_assignment(p);
}

// Without the end of the line, where it has one.
static PythonNode *parse_one(PythonText *p, const Margin *margin) {
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (at_word(p, refused[k].word)) return parse_refused(p, k, margin);
    if (at_op(p, '@')) {
        python_problem(p, p->t.start, 1, TS_PROBLEM_UNSAID, "leave it out", "there are no decorators");
        return NULL;
    }
    if (at_word(p, "if")) return parse_if(p, margin);
    if (at_word(p, "for")) return parse_for(p, margin);
    if (at_word(p, "def")) return parse_def(p, margin);
    PythonNode *n = parse_simple(p);
    return n ? end_statement(p, n) : NULL;
}

// A statement that could not be read. What it would give a value to has none, and that is all to be said of
// it; lines that stand further right belong to it.
static PythonNode *lost_statement(PythonText *p, const Token *first, const Margin *margin) {
    PythonNode *n = node(p, PYTHON_REFUSED, first);
    const Symbol *known = first->kind == TOKEN_NAME ? symbols_known(first) : NULL;
    skip_line(p, first->line);
    n->returns = is_word(first, "return");
    if (known && known->is_keyword)
        while (!n->returns && p->t.kind != TOKEN_END && p->t.indent > margin->indent) skip_line(p, p->t.line);
    else if (first->kind == TOKEN_NAME) {
        PythonNode *assign = node(p, PYTHON_ASSIGN, first), *name = node(p, PYTHON_NAME, first);
        name->name = name_of(p, first);
        if (p->starved) return n; // they may all be the same
        n->a = assign;
        assign->a = name;
        note_stored(p, name);
    }
    return n;
}

static PythonNode *parse_statement(PythonText *p, const Margin *margin) {
    const Token first = p->t;
    if (p->depth >= PYTHON_DEEPEST) {
        python_problem(p, first.start, first.length, TS_PROBLEM_LIMIT, "", "nested more than %d deep",
                       PYTHON_DEEPEST);
        return lost_statement(p, &first, margin);
    }
    const int depth = p->depth++;
    PythonNode *n = parse_one(p, margin);
    p->depth = depth;
    return n ? n : lost_statement(p, &first, margin);
}

static PythonNode *parse_block(PythonText *p, const Margin *outer, bool *returns) {
    PythonNode *all = NULL, **end = &all;
    Margin margin = *outer;
    if (p->t.kind != TOKEN_NEWLINE) { // on the same line
        do {
            *end = parse_statement(p, &margin);
            *returns |= (*end)->returns;
            end = &(*end)->next;
        } while (p->t.kind != TOKEN_END && p->t.indent < 0 && !p->starved);
        return all;
    }
    const Token colon = p->t;
    advance(p);
    margin = (Margin){p->t.indent, p->t.tabs};
    if (p->t.kind == TOKEN_BAD && p->t.indent <= outer->indent) {
        expected(p, "");
        skip_line(p, p->t.line);
        return NULL;
    }
    if (p->t.kind == TOKEN_END || p->t.indent <= outer->indent) {
        python_problem(p, colon.start, 1, TS_PROBLEM_SYNTAX, "indent the lines that belong to it",
                       "expected an indented line after this");
        return NULL;
    }
    while (p->t.kind != TOKEN_END && (p->t.indent < 0 || p->t.indent > outer->indent) && !p->starved &&
           !python_is_full(p)) {
        if (p->t.indent >= 0 && p->t.indent != margin.indent) {
            python_problem(p, p->t.start, 1, TS_PROBLEM_SYNTAX, "", "this line is indented otherwise");
            margin = (Margin){p->t.indent, p->t.tabs};
        } else if (p->t.indent >= 0 && p->t.tabs != margin.tabs) {
            python_problem(p, p->t.start, 1, TS_PROBLEM_SYNTAX, "",
                           "this line is indented with other tabs and spaces");
            margin.tabs = p->t.tabs;
        }
        *end = parse_statement(p, &margin);
        *returns |= (*end)->returns;
        end = &(*end)->next;
    }
    return all;
}

void python_parse(PythonText *p, const char *start, const char *stop, uint32_t line) {
    p->lexer = lexer_begin(start, (size_t)(stop - start));
    p->lexer.line = line;
    p->depth = 0;
    advance(p);
    Margin margin = {p->is_fenced ? p->t.indent : 0, p->is_fenced ? p->t.tabs : 0};
    while (p->t.kind != TOKEN_END && !p->starved) {
        if (p->t.indent > margin.indent) {
            python_problem(p, p->t.start, 1, TS_PROBLEM_SYNTAX, "",
                           "this line is indented, but no program has begun");
            skip_line(p, p->t.line);
            continue;
        }
        p->first = p->count;
        if (python_is_full(p)) break;
        PythonNode *n = parse_statement(p, &margin);
        n->is_broken = p->count > p->first;
        *p->top_end = n;
        p->top_end = &n->next;
    }
}
