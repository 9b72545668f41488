#include "program/python_parse.h"

static PythonNode *parse_binary(PythonText *p, int least);
static bool parse_clauses(PythonText *p, PythonNode **clauses);

static PythonNode *comprehension(PythonText *p, const Token *open, PythonNode *element, char close) {
    PythonNode *n = python_node(p, PYTHON_COMPREHENSION, open);
    n->op = (unsigned char)*open->start;
    n->a = element;
    if (!parse_clauses(p, &n->b)) return NULL;
    if (close && !python_take(p, close)) return NULL;
    return n;
}

static bool at_clause(const PythonText *p) { return python_at_word(p, "for") || python_at_word(p, "async"); }

// An element of a tuple, perhaps with a star before it.
static PythonNode *parse_element(PythonText *p) {
    if (!python_at(p, '*')) return python_expression(p);
    PythonNode *n = python_node(p, PYTHON_STAR, &p->t);
    python_advance(p);
    n->a = parse_binary(p, 1);
    return n->a ? n : NULL;
}

static PythonNode *parse_bracketed(PythonText *p) {
    Token open = p->t;
    char close = python_at(p, '(') ? ')' : python_at(p, '[') ? ']' : '}';
    PythonNode *n = python_node(p,
                                close == ')'   ? PYTHON_TUPLE
                                : close == ']' ? PYTHON_LIST
                                               : PYTHON_SET,
                                &open);
    PythonNode **end = &n->a;
    bool comma = false;
    python_advance(p);
    while (!python_at(p, close)) {
        PythonNode *e = parse_element(p);
        if (!e) return NULL;
        if (close == '}' && python_at(p, ':')) {
            python_problem(p, open.start, 1, TS_PROBLEM_UNSAID,
                           "use a tuple of pairs and lookup(key, pairs, otherwise), or choose(…)",
                           "there are no dicts");
            return NULL;
        }
        if (!n->a && at_clause(p)) return comprehension(p, &open, e, close);
        *end = e;
        end = &e->next;
        if (!python_at(p, ',')) break;
        comma = true;
        python_advance(p);
    }
    n->length = (uint32_t)(p->t.start + 1 - open.start);
    char what[] = "',' or ' '";
    what[8] = close;
    if (!python_at(p, close)) return python_expected(p, what);
    python_advance(p);
    if (close == '}' && !n->a) {
        python_problem(p, open.start, 2, TS_PROBLEM_UNSAID, "",
                       "'{}' is a dict in Python; the empty set is frozenset()");
        return NULL;
    }
    if (close == ')' && n->a && !comma && n->a->kind != PYTHON_STAR) return n->a;
    return n;
}

static PythonNode *parse_lambda(PythonText *p) {
    PythonNode *n = python_node(p, PYTHON_LAMBDA, &p->t);
    python_advance(p);
    if (!python_at(p, ':')) {
        n->a = python_parameters(p, false);
        if (!n->a) return NULL;
    }
    if (!python_take(p, ':')) return NULL;
    n->b = python_expression(p);
    return n->b ? n : NULL;
}

static PythonNode *parse_atom(PythonText *p) {
    Token t = p->t;
    PythonNode *n;
    if (python_at(p, '(') || python_at(p, '[') || python_at(p, '{')) return parse_bracketed(p);
    if (t.kind == TOKEN_NAME && !python_at_keyword(p)) {
        if (t.length <= 2 && p->lexer.at < p->lexer.end && (*p->lexer.at == '\'' || *p->lexer.at == '"') &&
            strchr("fFbB", t.start[t.length - 1])) {
            python_problem(p, t.start, t.length, TS_PROBLEM_UNSAID, "leave it out: programs make grids only",
                           "there are no strings of this kind");
            return NULL;
        }
        n = python_node(p, PYTHON_NAME, &t);
        n->name = python_name_of(p, &t);
        python_advance(p);
        return n;
    }
    if (t.kind == TOKEN_INT) {
        if (t.value > INT64_MAX) {
            python_problem(p, t.start, t.length, TS_PROBLEM_LIMIT, "", "integer does not fit 64 bits");
            return NULL;
        }
        n = python_node(p, PYTHON_INT, &t);
        n->value = t.value;
        python_advance(p);
        return n;
    }
    if (t.kind == TOKEN_STRING) {
        n = python_node(p, PYTHON_STRING, &t);
        while (p->t.kind == TOKEN_STRING) python_advance(p);
        return n;
    }
    if (python_at_word(p, "lambda")) return parse_lambda(p);
    if (python_at_word(p, "yield") || python_at_word(p, "await")) {
        python_problem(p, t.start, t.length, TS_PROBLEM_UNSAID, "return a tuple, or use apply(f, container)",
                       "there is no '%.*s'", (int)t.length, t.start);
        return NULL;
    }
    return python_expected(p, "a value");
}

// Arguments up to the closing bracket.
static bool parse_arguments(PythonText *p, PythonNode *call) {
    PythonNode **end = &call->b;
    while (!python_at(p, ')')) {
        Token t = p->t;
        PythonNode *e;
        if (python_at(p, '*') || p->op == PYTHON_OP('*', '*')) {
            e = python_node(p, PYTHON_STAR, &t);
            e->op = p->op;
            python_advance(p);
            if (!(e->a = python_expression(p))) return false;
        } else {
            if (!(e = python_expression(p))) return false;
            if (python_at(p, '=')) {
                if (e->kind != PYTHON_NAME) return python_expected(p, "',' or ')'");
                e->kind = PYTHON_KEYWORD;
                python_advance(p);
                if (!(e->a = python_expression(p))) return false;
            } else if (at_clause(p)) {
                if (!(e = comprehension(p, &t, e, 0))) return false;
                e->op = '(';
            }
        }
        *end = e;
        end = &e->next;
        if (!python_at(p, ',')) break;
        python_advance(p);
    }
    if (!python_at(p, ')')) return python_expected(p, "',' or ')'");
    python_advance(p);
    return true;
}

static PythonNode *parse_subscript_part(PythonText *p) {
    Token t = p->t;
    PythonNode *parts[3] = {NULL}, *n;
    int k = 0;
    bool slice = false;
    while (!python_at(p, ']') && !python_at(p, ',')) {
        if (python_at(p, ':')) {
            slice = true;
            if (++k == 3) return python_expected(p, "']'");
            python_advance(p);
        } else if (parts[k]) return python_expected(p, "']'");
        else if (!(parts[k] = python_expression(p))) return NULL;
    }
    if (!slice) return parts[0] ? parts[0] : python_expected(p, "an index");
    n = python_node(p, PYTHON_SLICE, &t);
    n->a = parts[0];
    n->b = parts[1];
    n->c = parts[2];
    return n;
}

static PythonNode *parse_subscript(PythonText *p, PythonNode *base) {
    PythonNode *n = python_node(p, PYTHON_INDEX, &p->t), **end = &n->b;
    n->a = base;
    python_advance(p);
    do {
        if (n->b) python_advance(p);
        if (n->b && python_at(p, ']')) break;
        if (!(*end = parse_subscript_part(p))) return NULL;
        end = &(*end)->next;
    } while (python_at(p, ','));
    n->length = (uint32_t)(p->t.start + 1 - n->at);
    return python_take(p, ']') ? n : NULL;
}

static PythonNode *parse_primary(PythonText *p) {
    PythonNode *n = parse_atom(p);
    while (n && (python_at(p, '(') || python_at(p, '[') || python_at(p, '.'))) {
        PythonNode *base = n;
        if (python_at(p, '[')) {
            n = parse_subscript(p, base);
        } else if (python_at(p, '(')) {
            n = python_node(p, PYTHON_CALL, &p->t);
            n->at = base->at;
            n->length = base->length;
            n->line = base->line;
            n->a = base;
            python_advance(p);
            if (!parse_arguments(p, n)) return NULL;
        } else {
            python_advance(p);
            if (p->t.kind != TOKEN_NAME) return python_expected(p, "a name");
            n = python_node(p, PYTHON_ATTRIBUTE, &p->t);
            n->name = python_name_of(p, &p->t);
            n->a = base;
            python_advance(p);
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
    if (!python_at(p, '-') && !python_at(p, '+') && !python_at(p, '~')) return parse_primary(p);
    PythonNode *n = python_node(p, PYTHON_SIGN, &p->t);
    n->op = p->op;
    python_advance(p);
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
        PythonNode *n = python_node(p, PYTHON_BINARY, &p->t);
        n->op = p->op;
        python_advance(p);
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
        python_advance(p);
        return op;
    }
    if (python_at_word(p, "in")) return python_advance(p), 'i';
    if (python_at_word(p, "is")) {
        python_advance(p);
        if (!python_at_word(p, "not")) return 's';
        python_advance(p);
        return 'S';
    }
    if (!python_at_word(p, "not")) return 0;
    Lexer ahead = p->lexer;
    Token next;
    lexer_next(&ahead, &next);
    if (!python_is_word(&next, "in")) return 0;
    python_advance(p);
    python_advance(p);
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
            n = python_node(p, PYTHON_COMPARE, &t);
            n->a = first;
            end = &n->b;
        }
        PythonNode *part = python_node(p, PYTHON_COMPARED, &t);
        part->op = op;
        if (!(part->a = parse_binary(p, 1))) return NULL;
        *end = part;
        end = &part->next;
    }
}

static PythonNode *parse_not(PythonText *p) {
    if (!python_at_word(p, "not")) return parse_comparison(p);
    PythonNode *n = python_node(p, PYTHON_NOT, &p->t);
    python_advance(p);
    if (++p->depth > PYTHON_DEEPEST) {
        python_problem(p, n->at, 3, TS_PROBLEM_LIMIT, "", "nested more than %d deep", PYTHON_DEEPEST);
        p->depth--;
        return NULL;
    }
    n->a = parse_not(p);
    p->depth--;
    return n->a ? n : NULL;
}

// Operands of one kind with a word between them, from left to right.
static PythonNode *parse_words(PythonText *p, const char *word, PythonKind kind,
                               PythonNode *operand(PythonText *)) {
    PythonNode *left = operand(p);
    while (left && python_at_word(p, word)) {
        PythonNode *n = python_node(p, kind, &p->t);
        python_advance(p);
        n->a = left;
        n->b = operand(p);
        left = n->b ? n : NULL;
    }
    return left;
}

static PythonNode *parse_and(PythonText *p) { return parse_words(p, "and", PYTHON_AND, parse_not); }
static PythonNode *parse_or(PythonText *p) { return parse_words(p, "or", PYTHON_OR, parse_and); }

static PythonNode *parse_choice(PythonText *p) {
    PythonNode *value = python_at_word(p, "lambda") ? parse_lambda(p) : parse_or(p);
    if (value && p->op == PYTHON_OP(':', '=')) {
        python_problem(p, p->t.start, 2, TS_PROBLEM_UNSAID,
                       "give the variable its value on a line of its own", "there is no ':='");
        return NULL;
    }
    if (!value || !python_at_word(p, "if")) return value;
    PythonNode *n = python_node(p, PYTHON_CHOICE, &p->t);
    python_advance(p);
    n->b = value;
    if (!(n->a = parse_or(p))) return NULL;
    if (!python_at_word(p, "else")) return python_expected(p, "'else'");
    python_advance(p);
    n->c = python_expression(p);
    return n->c ? n : NULL;
}

PythonNode *python_expression(PythonText *p) {
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
    python_advance(p);
    PythonNode *n = python_expression(p);
    if (n && p->t.kind == TOKEN_NEWLINE) python_advance(p);
    if (n && p->t.kind != TOKEN_END) return python_expected(p, "the end of the expression");
    return n;
}

// Expressions with commas between them are a tuple.
PythonNode *python_expressions(PythonText *p) {
    Token t = p->t;
    PythonNode *first = parse_element(p);
    if (!first || !python_at(p, ',')) {
        if (first && first->kind == PYTHON_STAR) return python_expected(p, "','");
        return first;
    }
    PythonNode *n = python_node(p, PYTHON_TUPLE, &t), **end = &first->next;
    n->a = first;
    while (python_at(p, ',')) {
        python_advance(p);
        if (p->t.kind == TOKEN_NEWLINE || python_at(p, '=') || python_at(p, ')') || python_at(p, ':') ||
            python_at_word(p, "in"))
            break;
        if (!(*end = parse_element(p))) return NULL;
        end = &(*end)->next;
    }
    return n;
}

// What a for gives values to: a name, or names in brackets.
PythonNode *python_target(PythonText *p) {
    Token t = p->t;
    PythonNode *first = parse_binary(p, 1);
    if (!first || !python_at(p, ',')) return first;
    PythonNode *n = python_node(p, PYTHON_TUPLE, &t), **end = &first->next;
    n->a = first;
    while (python_at(p, ',')) {
        python_advance(p);
        if (python_at_word(p, "in")) break;
        if (!(*end = parse_binary(p, 1))) return NULL;
        end = &(*end)->next;
    }
    return n;
}

static bool parse_clauses(PythonText *p, PythonNode **clauses) {
    while (at_clause(p)) {
        PythonNode *n = python_node(p, PYTHON_CLAUSE, &p->t), **end = &n->c;
        if (python_at_word(p, "async")) return python_expected(p, "'for'");
        python_advance(p);
        if (!(n->a = python_target(p))) return false;
        if (!python_at_word(p, "in")) return python_expected(p, "'in'");
        python_advance(p);
        if (!(n->b = parse_or(p))) return false;
        while (python_at_word(p, "if")) {
            python_advance(p);
            PythonNode *condition = python_at_word(p, "lambda") ? parse_lambda(p) : parse_or(p);
            if (!condition) return false;
            *end = condition;
            end = &condition->next;
        }
        *clauses = n;
        clauses = &n->next;
    }
    return true;
}

// ---- Types and parameters ----

bool python_skip_type(PythonText *p) {
    PythonNode *type = parse_binary(p, 1);
    return type != NULL;
}

// Parameters, with types in a def; NULL where something is wrong. The first of them is a node of no name.
PythonNode *python_parameters(PythonText *p, bool typed) {
    PythonNode *all = python_node(p, PYTHON_PARAMETER, &p->t), **end = &all->next;
    while (!python_at(p, typed ? ')' : ':')) {
        if (python_at(p, '*') || p->op == PYTHON_OP('*', '*') || python_at(p, '/')) {
            python_problem(p, p->t.start, p->t.length, TS_PROBLEM_UNSAID, "name each parameter",
                           "a function takes a fixed number of arguments");
            return NULL;
        }
        if (p->t.kind != TOKEN_NAME || python_at_keyword(p)) return python_expected(p, "a parameter");
        PythonNode *n = python_node(p, PYTHON_PARAMETER, &p->t);
        n->name = python_name_of(p, &p->t);
        for (PythonNode *q = all->next; q; q = q->next)
            if (q->name == n->name) {
                python_problem(p, n->at, n->length, TS_PROBLEM_SYNTAX, "", "a second parameter '%.*s'",
                               n->length > 60 ? 60 : (int)n->length, n->at);
                return NULL;
            }
        python_advance(p);
        if (typed && python_at(p, ':')) {
            python_advance(p);
            if (!python_skip_type(p)) return NULL;
        }
        if (python_at(p, '=')) {
            python_advance(p);
            if (!(n->a = python_expression(p))) return NULL;
        }
        *end = n;
        end = &n->next;
        if (!python_at(p, ',')) break;
        python_advance(p);
    }
    return all;
}
