#include "program/python_parse.h"

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
    python_advance(p);
}

static PythonNode *end_statement(PythonText *p, PythonNode *n) {
    if (p->t.kind != TOKEN_NEWLINE) return python_expected(p, "the end of the line");
    bool more = p->t.c;
    python_advance(p);
    if (more && p->t.kind == TOKEN_NEWLINE && !p->t.c) python_advance(p);
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
    PythonNode *e = python_expressions(p);
    if (!e) return NULL;
    if (p->op == '=' || python_at(p, ':')) {
        PythonNode *n = python_node(p, PYTHON_ASSIGN, &start), **end = &n->a;
        if (python_at(p, ':')) {
            python_advance(p);
            if (!python_skip_type(p)) return NULL;
            if (p->t.kind == TOKEN_NEWLINE) return python_node(p, PYTHON_PASS, &start);
            if (!python_at(p, '=')) return python_expected(p, "'='");
        }
        while (python_at(p, '=')) {
            if (!check_target(p, e)) return NULL;
            *end = e;
            end = &e->next;
            python_advance(p);
            if (!(e = python_expressions(p))) return NULL;
        }
        n->b = e;
        return n;
    }
    if (p->op > 255 && (p->op & 255) == '=' && p->op != PYTHON_OP('=', '=')) {
        PythonNode *n = python_node(p, PYTHON_AUGMENT, &p->t);
        if (!check_target(p, e)) return NULL;
        if (e->kind != PYTHON_NAME) return python_expected(p, "'='");
        n->op = p->op >> 8;
        n->a = e;
        python_advance(p);
        n->b = python_expressions(p);
        return n->b ? n : NULL;
    }
    PythonNode *n = python_node(p, PYTHON_EXPRESSION, &start);
    n->a = e;
    return n;
}

static PythonNode *parse_if(PythonText *p, const Margin *margin) {
    PythonNode *n = python_node(p, PYTHON_IF, &p->t);
    bool then = false, otherwise = false;
    python_advance(p);
    if (!(n->a = python_expression(p)) || !python_take(p, ':')) return NULL;
    n->b = parse_block(p, margin, &then);
    bool here = p->t.indent == margin->indent;
    if (here && python_at_word(p, "elif")) {
        if (++p->depth > PYTHON_DEEPEST) {
            python_problem(p, n->at, 2, TS_PROBLEM_LIMIT, "", "nested more than %d deep", PYTHON_DEEPEST);
            p->depth--;
            return NULL;
        }
        n->c = parse_if(p, margin);
        p->depth--;
        if (!n->c) return NULL;
        otherwise = n->c->returns;
    } else if (here && python_at_word(p, "else")) {
        python_advance(p);
        if (!python_take(p, ':')) return NULL;
        n->c = parse_block(p, margin, &otherwise);
    }
    n->returns = then || otherwise;
    return n;
}

static PythonNode *parse_for(PythonText *p, const Margin *margin) {
    PythonNode *n = python_node(p, PYTHON_FOR, &p->t);
    python_advance(p);
    if (!(n->a = python_target(p)) || !check_target(p, n->a)) return NULL;
    if (!python_at_word(p, "in")) return python_expected(p, "'in'");
    python_advance(p);
    if (!(n->b = python_expressions(p)) || !python_take(p, ':')) return NULL;
    n->c = parse_block(p, margin, &n->returns);
    return n;
}

static PythonNode *parse_def(PythonText *p, const Margin *margin) {
    python_advance(p);
    if (p->t.kind != TOKEN_NAME || python_at_keyword(p)) return python_expected(p, "the name of the program");
    PythonNode *n = python_node(p, PYTHON_DEF, &p->t);
    n->name = python_name_of(p, &p->t);
    if (!p->starved) p->names[n->name].is_stored = true;
    python_advance(p);
    if (!python_take(p, '(')) return NULL;
    if (!(n->a = python_parameters(p, true)) || !python_take(p, ')')) return NULL;
    n->a = n->a->next;
    if (p->op == PYTHON_OP('-', '>')) {
        python_advance(p);
        if (!python_skip_type(p)) return NULL;
    }
    if (!python_take(p, ':')) return NULL;
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
    PythonNode *n = python_node(p, PYTHON_REFUSED, &p->t), **end = &n->a;
    python_problem(p, p->t.start, p->t.length, TS_PROBLEM_UNSAID, refused[k].remedy, "there is no '%s'",
                   refused[k].word);
    for (;;) {
        while (p->t.kind != TOKEN_NEWLINE && p->t.kind != TOKEN_END &&
               !(python_at(p, ':') && !p->lexer.brackets))
            python_advance(p);
        if (!python_at(p, ':')) {
            if (p->t.kind == TOKEN_NEWLINE) python_advance(p);
            return n;
        }
        python_advance(p);
        *end = parse_block(p, margin, &n->returns);
        while (*end) end = &(*end)->next;
        bool more = python_at_word(p, "except") || python_at_word(p, "finally") || python_at_word(p, "else");
        if (p->t.indent != margin->indent || !more) return n;
    }
}

// A name that is imported, as another name perhaps. What comes with a name of the language is taken for that;
// something else under such a name is not.
static bool skip_imported(PythonText *p, bool is_module) {
    bool renamed = is_module;
    bool ours = is_module &&
                (python_at_word(p, "dsl") || python_at_word(p, "constants") || python_at_word(p, "tessera"));
    Token name = p->t;
    do {
        if (name.length == 0 || p->t.kind != TOKEN_NAME || python_at_keyword(p))
            return python_expected(p, "a name");
        name = p->t;
        python_advance(p);
        if (!is_module || !python_at(p, '.')) break;
        python_advance(p);
    } while (true);
    if (python_at_word(p, "as")) {
        python_advance(p);
        if (p->t.kind != TOKEN_NAME || python_at_keyword(p)) return python_expected(p, "a name");
        renamed |= p->t.length != name.length || memcmp(p->t.start, name.start, name.length) != 0;
        name = p->t;
        python_advance(p);
    }
    const Symbol *known = symbols_known(&name);
    uint32_t k = python_name_of(p, &name);
    if (p->starved) return false;
    if (ours) p->names[k].is_module = true;
    if (!renamed || !known) return true;
    return python_problem(p, name.start, name.length, TS_PROBLEM_NAME, "",
                          "'%s' would be something else in Python", known->name);
}

static PythonNode *skip_import(PythonText *p) {
    PythonNode *n = python_node(p, PYTHON_PASS, &p->t);
    bool from = python_at_word(p, "from"), brackets = false, dots = false;
    python_advance(p);
    if (from) {
        if (python_at_word(p, "__future__")) return python_expected(p, "a module of the language");
        for (; python_at(p, '.'); python_advance(p)) dots = true;
        while (!(dots && python_at_word(p, "import"))) {
            if (p->t.kind != TOKEN_NAME || python_at_keyword(p)) return python_expected(p, "a name");
            python_advance(p);
            if (!python_at(p, '.')) break;
            python_advance(p);
        }
        if (!python_at_word(p, "import")) return python_expected(p, "'import'");
        python_advance(p);
        brackets = python_at(p, '(');
        if (brackets) python_advance(p);
        if (!brackets && python_at(p, '*')) {
            python_advance(p);
            return n;
        }
    }
    do {
        if (!skip_imported(p, !from)) return NULL;
        if (!python_at(p, ',')) break;
        python_advance(p);
    } while (!brackets || !python_at(p, ')'));
    return !brackets || python_take(p, ')') ? n : NULL;
}

static PythonNode *parse_simple(PythonText *p) {
    if (python_at_word(p, "return")) {
        PythonNode *n = python_node(p, PYTHON_RETURN, &p->t);
        n->returns = true;
        python_advance(p);
        if (p->t.kind != TOKEN_NEWLINE && !(n->a = python_expressions(p))) return NULL;
        return n;
    }
    if (python_at_word(p, "pass")) {
        PythonNode *n = python_node(p, PYTHON_PASS, &p->t);
        python_advance(p);
        return n;
    }
    if (python_at_word(p, "import") || python_at_word(p, "from")) return skip_import(p);
    return parse_assignment(p);
}

// Without the end of the line, where it has one.
static PythonNode *parse_one(PythonText *p, const Margin *margin) {
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (python_at_word(p, refused[k].word)) return parse_refused(p, k, margin);
    if (python_at(p, '@')) {
        python_problem(p, p->t.start, 1, TS_PROBLEM_UNSAID, "leave it out", "there are no decorators");
        return NULL;
    }
    if (python_at_word(p, "if")) return parse_if(p, margin);
    if (python_at_word(p, "for")) return parse_for(p, margin);
    if (python_at_word(p, "def")) return parse_def(p, margin);
    PythonNode *n = parse_simple(p);
    return n ? end_statement(p, n) : NULL;
}

// A statement that could not be read. What it would give a value to has none, and that is all to be said of
// it; lines that stand further right belong to it.
static PythonNode *lost_statement(PythonText *p, const Token *first, const Margin *margin) {
    PythonNode *n = python_node(p, PYTHON_REFUSED, first);
    const Symbol *known = first->kind == TOKEN_NAME ? symbols_known(first) : NULL;
    skip_line(p, first->line);
    n->returns = python_is_word(first, "return");
    if (known && known->is_keyword)
        while (!n->returns && p->t.kind != TOKEN_END && p->t.indent > margin->indent) skip_line(p, p->t.line);
    else if (first->kind == TOKEN_NAME) {
        PythonNode *assign = python_node(p, PYTHON_ASSIGN, first), *name = python_node(p, PYTHON_NAME, first);
        name->name = python_name_of(p, first);
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
    python_advance(p);
    margin = (Margin){p->t.indent, p->t.tabs};
    if (p->t.kind == TOKEN_BAD && p->t.indent <= outer->indent) {
        python_expected(p, "");
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
    python_advance(p);
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
