// Reads programs written as Python: `def solve_ID(I):`, a line `x = f(a, b)` after the other, `return O`.
//
// A recursive descent over the tokens. A problem is reported with its place; reading goes on at the next line
// that starts in the first column, so the other programs of a file still load.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/draft.h"
#include "program/lexer.h"
#include "program/symbols.h"

enum { MOST_NESTING = 250, MOST_PROBLEMS = 1000, MOST_HINTS = 20 };

typedef struct {
    ts_programs *set;
    const char *file, *text;
    size_t length;
    Lexer lexer;
    Token t; // the token to be read next
    Symbols symbols;
    Draft draft;
    Ref *refs; // elements of the brackets that are open
    size_t ref_count, ref_room;
    int nesting, problems;
    uint32_t line; // number of the line that `counted` points to
    const char *counted;
    Status status; // of the problem found last
    bool failed;
} Parser;

static void advance(Parser *p) { p->t = lexer_next(&p->lexer); }

static bool at_char(const Parser *p, char c) { return p->t.kind == TOKEN_OTHER && p->t.c == c; }

static bool at_word(const Parser *p, const char *word) {
    return p->t.kind == TOKEN_NAME && p->t.length == strlen(word) &&
           memcmp(p->t.start, word, p->t.length) == 0;
}

// ---- Problems ----

__attribute__((format(printf, 3, 4))) static bool problem(Parser *p, const Token *where, const char *format,
                                                          ...) {
    if (p->failed) return false; // the first one counts
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    p->failed = true;
    status_fail(&p->status, TS_INPUT, "%s", message);
    return status_locate(&p->status, p->file, p->text, p->length, (size_t)(where->start - p->text));
}

// The token as a person would name it.
static const char *describe(const Token *t, char *buffer, size_t size) {
    switch (t->kind) {
    case TOKEN_END: return "the end of the text";
    case TOKEN_NEWLINE: return "the end of the line";
    case TOKEN_STRING: return "a string";
    default: break;
    }
    int n = 0; // a token of many lines is shown up to the end of the first
    while (n < 40 && (size_t)n < t->length && (unsigned char)t->start[n] >= ' ') n++;
    bool readable = n > 1 || (n == 1 && (unsigned char)t->start[0] < 0x7F);
    if (readable) snprintf(buffer, size, "'%.*s'", n, t->start);
    else snprintf(buffer, size, "byte 0x%02X", t->length ? (unsigned char)t->start[0] : 0);
    return buffer;
}

static bool expected(Parser *p, const char *what) {
    char buffer[64];
    if (p->t.kind == TOKEN_BAD)
        return problem(p, &p->t, "%s %s", p->t.problem, describe(&p->t, buffer, sizeof buffer));
    return problem(p, &p->t, "expected %s, found %s", what, describe(&p->t, buffer, sizeof buffer));
}

static bool take_char(Parser *p, char c) {
    char what[4] = {'\'', c, '\'', 0};
    if (!at_char(p, c)) return expected(p, what);
    advance(p);
    return true;
}

static bool unknown_name(Parser *p, const Token *name, bool called) {
    char nearest[40], hint[64] = "";
    if (p->problems < MOST_HINTS &&
        symbols_nearest(&p->symbols, name->start, name->length, nearest, sizeof nearest))
        snprintf(hint, sizeof hint, "; did you mean '%s'?", nearest);
    return problem(p, name, "unknown %s '%.*s'%s", called ? "primitive" : "name",
                   name->length > 60 ? 60 : (int)name->length, name->start, hint);
}

// ---- Expressions ----

static bool parse_expression(Parser *p, Ref *result);

static uint32_t line_of(Parser *p, const Token *t) {
    for (; p->counted < t->start; p->counted++) p->line += *p->counted == '\n';
    return p->line;
}

static bool is_constant(Ref r) { return ref_kind(r) == REF_CONSTANT; }

static bool push(Parser *p, Ref r) {
    if (p->ref_count == p->ref_room) {
        size_t room = p->ref_room ? p->ref_room * 2 : 64;
        Ref *grown = realloc(p->refs, room * sizeof *grown);
        if (!grown) return problem(p, &p->t, "out of memory");
        p->refs = grown;
        p->ref_room = room;
    }
    p->refs[p->ref_count++] = r;
    return true;
}

static Ref constant(Parser *p, Value v) {
    if (p->set->ctx.failure) problem(p, &p->t, "this literal is too large or nested too deeply");
    return draft_constant(&p->draft, v);
}

// Elements up to the closing bracket, pushed on the stack of references. *comma tells whether there was one.
static bool parse_elements(Parser *p, char close, bool *comma) {
    *comma = false;
    while (!at_char(p, close)) {
        Ref element;
        if (!parse_expression(p, &element)) return false;
        if (!push(p, element)) return false;
        if (!at_char(p, ',')) break;
        *comma = true;
        advance(p);
    }
    char what[12] = {'\'', ',', '\'', ' ', 'o', 'r', ' ', '\'', close, '\'', 0};
    if (!at_char(p, close)) return expected(p, what);
    advance(p);
    return true;
}

static Ref emit(Parser *p, Op op, uint32_t source, Ref a, Ref b) {
    DraftLine line = {.op = (int16_t)op, .n = (uint8_t)ops_table[op].arity, .source = source, .args = {a, b}};
    return draft_line(&p->draft, line);
}

// A tuple or set of elements that are not all literals, as lines of the language: a pair by astuple, a set by
// initset and insert, a longer tuple by combining tuples of one.
static Ref emit_display(Parser *p, bool tuple, const Ref *elements, size_t n, uint32_t source) {
    if (tuple && n == 2) return emit(p, OP_astuple, source, elements[0], elements[1]);
    Ref all = emit(p, OP_initset, source, elements[0], 0);
    if (tuple) all = emit(p, OP_totuple, source, all, 0);
    for (size_t k = 1; k < n; k++) {
        if (!tuple) {
            all = emit(p, OP_insert, source, elements[k], all);
            continue;
        }
        Ref one = emit(p, OP_totuple, source, emit(p, OP_initset, source, elements[k], 0), 0);
        all = emit(p, OP_combine, source, all, one);
    }
    return all;
}

static bool parse_bracketed(Parser *p, Ref *result) {
    bool tuple = at_char(p, '('), comma, literal = true;
    size_t base = p->ref_count;
    uint32_t source = line_of(p, &p->t);
    advance(p);
    if (!parse_elements(p, tuple ? ')' : '}', &comma)) return false;
    size_t n = p->ref_count - base;
    const Ref *elements = n ? p->refs + base : NULL;
    p->ref_count = base;
    for (size_t k = 0; k < n; k++) literal &= is_constant(elements[k]);
    if (tuple && n == 1 && !comma) *result = elements[0]; // just brackets around something
    else if (!literal) *result = emit_display(p, tuple, elements, n, source);
    else {
        Gather g = gather_room(&p->set->ctx, n);
        for (size_t k = 0; k < n; k++) gather_add(&g, p->draft.constants[ref_index(elements[k])]);
        *result = constant(p, tuple ? gather_tuple(&g) : gather_set(&g));
    }
    return !p->failed;
}

// frozenset() and frozenset({…}), as Python needs them where the language says {…}.
static bool parse_frozenset(Parser *p, Ref *result) {
    advance(p);
    if (!take_char(p, '(')) return false;
    if (at_char(p, ')')) {
        *result = constant(p, VALUE_NO_SET);
    } else {
        Token where = p->t;
        if (!parse_expression(p, result)) return false;
        Value v = is_constant(*result) ? p->draft.constants[ref_index(*result)] : VALUE_NONE;
        if (!value_is_container(v)) return problem(p, &where, "expected a literal set or tuple");
        Gather g = gather(&p->set->ctx);
        gather_all(&g, v);
        *result = constant(p, gather_set(&g));
    }
    return take_char(p, ')');
}

static bool parse_int(Parser *p, Ref *result) {
    bool negative = at_char(p, '-');
    if (negative) advance(p);
    if (p->t.kind != TOKEN_INT) return expected(p, "a number");
    if (p->t.value > (uint64_t)INT64_MAX + negative) return problem(p, &p->t, "integer does not fit 64 bits");
    int64_t n = negative ? (int64_t)(0 - p->t.value) : (int64_t)p->t.value;
    *result = constant(p, value_int(&p->set->ctx, n));
    advance(p);
    return !p->failed;
}

static bool parse_name(Parser *p, Ref *result) {
    Token name = p->t;
    Symbol *y = symbols_get(&p->symbols, name.start, name.length);
    if (!y) return problem(p, &name, "out of memory");
    if (!symbol_is_variable(&p->symbols, y) && at_word(p, "frozenset")) return parse_frozenset(p, result);
    advance(p);
    if (symbol_is_variable(&p->symbols, y)) *result = y->ref;
    else if (y->kind == SYMBOL_OP) *result = constant(p, value_of_op((unsigned)y->op));
    else if (y->kind == SYMBOL_CONSTANT) *result = constant(p, y->constant);
    else return unknown_name(p, &name, at_char(p, '('));
    return !p->failed;
}

static bool parse_primary(Parser *p, Ref *result) {
    if (p->t.kind == TOKEN_NAME) return parse_name(p, result);
    if (p->t.kind == TOKEN_INT || at_char(p, '-')) return parse_int(p, result);
    if (at_char(p, '(') || at_char(p, '{')) return parse_bracketed(p, result);
    return expected(p, "a value");
}

// Where the argument with this name goes; -1 where there is none.
static int parameter_place(const OpInfo *info, const Token *name) {
    for (int k = 0; k < info->arity; k++)
        if (strlen(info->parameters[k]) == name->length &&
            memcmp(info->parameters[k], name->start, name->length) == 0)
            return k;
    return -1;
}

// One argument: a value, or name=value for a primitive.
static bool parse_argument(Parser *p, const OpInfo *info, DraftLine *line, bool given[], int position,
                           bool *keyword) {
    Token name = p->t;
    Lexer before = p->lexer;
    int place = position;
    bool named = false;
    if (p->t.kind == TOKEN_NAME) {
        advance(p);
        named = at_char(p, '=');
        if (!named) { // a look too far
            p->lexer = before;
            p->t = name;
        }
    }
    if (named) {
        if (!info) return problem(p, &name, "only primitives take arguments by name");
        place = parameter_place(info, &name);
        if (place < 0)
            return problem(p, &name, "%s has no parameter '%.*s'", info->name,
                           (int)(name.length > 60 ? 60 : name.length), name.start);
        *keyword = true;
        advance(p);
    } else if (*keyword) return problem(p, &name, "an argument without a name cannot follow one with a name");
    int most = info ? info->arity : LINE_MOST_ARGS;
    if (place >= most) {
        if (info) return problem(p, &name, "%s takes %d argument%s", info->name, most, most == 1 ? "" : "s");
        return problem(p, &name, "a function takes at most %d arguments", most);
    }
    if (given[place])
        return problem(p, &name, "%s gets '%s' twice", info ? info->name : "",
                       info ? info->parameters[place] : "");
    given[place] = true;
    return parse_expression(p, &line->args[place]);
}

static bool parse_call(Parser *p, const Token *function, Ref callee, Ref *result) {
    DraftLine line = {.op = LINE_CALLS_VALUE, .callee = callee, .source = line_of(p, function)};
    const OpInfo *info = NULL;
    if (is_constant(callee)) {
        Value f = p->draft.constants[ref_index(callee)];
        if (!value_is_op(f)) return problem(p, function, "expected a primitive or a function before '('");
        line.op = (int16_t)value_op(f);
        line.callee = 0;
        info = &ops_table[line.op];
    }
    bool given[LINE_MOST_ARGS] = {false}, keyword = false;
    int n = 0;
    advance(p);
    while (!at_char(p, ')')) {
        if (!parse_argument(p, info, &line, given, n, &keyword)) return false;
        n++;
        if (!at_char(p, ',')) break;
        advance(p);
    }
    if (!at_char(p, ')')) return expected(p, "',' or ')'");
    if (info && n < info->arity)
        return problem(p, function, "%s takes %d argument%s, %d given", info->name, info->arity,
                       info->arity == 1 ? "" : "s", n);
    advance(p);
    line.n = (uint8_t)n;
    *result = draft_line(&p->draft, line);
    return true;
}

static bool parse_expression(Parser *p, Ref *result) {
    Token start = p->t;
    if (p->nesting >= MOST_NESTING) return problem(p, &start, "nested more than %d deep", MOST_NESTING);
    p->nesting++;
    bool good = parse_primary(p, result);
    for (int calls = 0; good && at_char(p, '('); calls++) good = parse_call(p, &start, *result, result);
    p->nesting--;
    return good;
}

// ---- Definitions ----

static bool set_variable(Parser *p, const Token *name, Ref ref) {
    Symbol *y = symbols_get(&p->symbols, name->start, name->length);
    if (!y) return problem(p, name, "out of memory");
    y->generation = p->symbols.generation;
    y->ref = ref;
    return true;
}

// A type, which says nothing to us: passed over up to one of the characters at the same depth.
static bool skip_type(Parser *p, const char *until) {
    int depth = 0;
    if (p->t.kind != TOKEN_NAME && p->t.kind != TOKEN_STRING) return expected(p, "a type");
    while (depth > 0 || !(p->t.kind == TOKEN_OTHER && strchr(until, p->t.c))) {
        if (p->t.kind == TOKEN_END || p->t.kind == TOKEN_NEWLINE || p->t.kind == TOKEN_BAD)
            return expected(p, "a type");
        if (at_char(p, '[') || at_char(p, '(')) depth++;
        if (at_char(p, ']') || at_char(p, ')')) depth--;
        advance(p);
    }
    return true;
}

// Words of Python that are no names. The language has no use for most of them.
static bool is_keyword(const Token *t) {
    static const char *const words[] = {
        "and",    "as",   "assert", "async",  "await",    "break", "class", "continue", "def",
        "del",    "elif", "else",   "except", "finally",  "for",   "from",  "global",   "if",
        "import", "in",   "is",     "lambda", "nonlocal", "not",   "or",    "pass",     "raise",
        "return", "try",  "while",  "with",   "yield",    "True",  "False", "None"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k][0] == *t->start && strlen(words[k]) == t->length &&
            memcmp(words[k], t->start, t->length) == 0)
            return true;
    return false;
}

static bool parse_parameters(Parser *p, Program *program) {
    Token names[SLOTS_GIVEN], open = p->t;
    int n = 0;
    if (!take_char(p, '(')) return false;
    while (!at_char(p, ')')) {
        if (p->t.kind != TOKEN_NAME || is_keyword(&p->t)) return expected(p, "a parameter");
        if (n == SLOTS_GIVEN) return problem(p, &p->t, "expected (I) or (S, I, C) as parameters");
        names[n++] = p->t;
        advance(p);
        if (at_char(p, ':')) {
            advance(p);
            if (!skip_type(p, ",)")) return false;
        }
        if (!at_char(p, ',')) break;
        advance(p);
    }
    if (!take_char(p, ')')) return false;
    if (n != 1 && n != SLOTS_GIVEN) return problem(p, &open, "expected (I) or (S, I, C) as parameters");
    program->takes_samples = n == SLOTS_GIVEN;
    for (int k = 0; k < n; k++)
        if (!set_variable(p, &names[k], ref_make(REF_GIVEN, n == 1 ? SLOT_I : (uint32_t)k))) return false;
    if (p->t.kind == TOKEN_ARROW) {
        advance(p);
        if (!skip_type(p, ":")) return false;
    }
    return take_char(p, ':');
}

static bool end_statement(Parser *p) {
    if (p->t.kind != TOKEN_NEWLINE) return expected(p, "the end of the line");
    while (p->t.kind == TOKEN_NEWLINE) advance(p); // a ';' may stand before the newline
    return true;
}

// One statement of a body. *returned tells whether it was the return.
static bool parse_statement(Parser *p, Ref *result, bool *returned) {
    if (p->t.kind == TOKEN_STRING) { // a doc string
        advance(p);
        return end_statement(p);
    }
    if (p->t.kind != TOKEN_NAME) return expected(p, "a line 'x = f(…)' or 'return x'");
    Token name = p->t;
    bool is_return = at_word(p, "return");
    if (!is_return && is_keyword(&name)) return expected(p, "a line 'x = f(…)' or 'return x'");
    advance(p);
    if (!is_return && !at_char(p, '=')) return expected(p, "'='");
    if (!is_return) advance(p);
    Ref value;
    if (!parse_expression(p, &value)) return false;
    if (is_return) {
        *result = value;
        *returned = true;
    } else if (!set_variable(p, &name, value)) return false;
    return end_statement(p);
}

// The lines under the def, which stand one below the other, further right than the def itself.
static bool parse_body(Parser *p, const Token *def, int def_indent, Ref *result) {
    bool returned = false;
    if (p->t.kind != TOKEN_NEWLINE) { // all on one line
        while (!returned && p->t.kind != TOKEN_END && p->t.indent < 0)
            if (!parse_statement(p, result, &returned)) return false;
    } else {
        advance(p);
        int indent = p->t.indent;
        while (p->t.kind != TOKEN_END && (p->t.indent < 0 || p->t.indent > def_indent)) {
            if (p->t.indent >= 0 && p->t.indent != indent)
                return problem(p, &p->t, "this line is indented otherwise");
            if (returned) return problem(p, &p->t, "expected nothing more after 'return'");
            if (!parse_statement(p, result, &returned)) return false;
        }
    }
    return returned || problem(p, def, "this program returns nothing");
}

static bool add_program(Parser *p, const Token *name, Program program, Ref result) {
    ts_programs *set = p->set;
    if (set->count == set->room) {
        size_t room = set->room ? set->room * 2 : 512;
        Program *grown = realloc(set->programs, room * sizeof *grown);
        if (!grown) return problem(p, name, "out of memory");
        set->programs = grown;
        set->room = room;
    }
    program.name = arena_text(&set->ctx.arena, name->start, name->length);
    if (!program.name || !draft_finish(&p->draft, &set->ctx, result, &program))
        return problem(p, name, "out of memory");
    set->programs[set->count++] = program;
    return true;
}

static void begin_program(Parser *p) {
    draft_clear(&p->draft);
    p->symbols.generation++;
    p->ref_count = 0;
    p->nesting = 0;
}

static bool parse_def(Parser *p) {
    Token def = p->t;
    begin_program(p);
    advance(p);
    Token name = p->t;
    if (p->t.kind != TOKEN_NAME || is_keyword(&p->t)) return expected(p, "the name of the program");
    advance(p);
    Program program = {0};
    Ref result = 0;
    if (!parse_parameters(p, &program) || !parse_body(p, &def, def.indent, &result)) return false;
    Symbol *y = symbols_get(&p->symbols, name.start, name.length);
    if (!y) return problem(p, &name, "out of memory");
    if (y->is_program)
        return problem(p, &name, "a second program '%.*s'", name.length > 60 ? 60 : (int)name.length,
                       name.start);
    y->is_program = true;
    return add_program(p, &name, program, result);
}

// from dsl import *, import x, from x import (a, b): nothing to do.
static bool skip_import(Parser *p) {
    while (p->t.kind != TOKEN_NEWLINE) {
        if (p->t.kind == TOKEN_BAD || p->t.kind == TOKEN_END) return expected(p, "the end of the import");
        advance(p);
    }
    advance(p);
    return true;
}

static bool parse_top(Parser *p) {
    if (p->t.indent > 0) return problem(p, &p->t, "this line is indented, but no program has begun");
    if (at_word(p, "def")) return parse_def(p);
    if (at_word(p, "import") || at_word(p, "from")) return skip_import(p);
    if (p->t.kind == TOKEN_STRING) {
        advance(p);
        return end_statement(p);
    }
    return expected(p, "'def', an import or a comment");
}

// ---- The ways in ----

static bool parser_begin(Parser *p, ts_programs *set, const char *file, const char *text, size_t length) {
    *p = (Parser){.set = set, .file = file, .text = text, .length = length, .line = 1, .counted = text};
    p->lexer = lexer_begin(text, length);
    set->ctx.failure = TS_FAIL_NONE;
    set->ctx.units = INT64_MAX / 2;
    if (!symbols_init(&p->symbols)) return status_fail(&p->status, TS_SYSTEM, "out of memory");
    advance(p);
    return true;
}

static void parser_end(Parser *p) {
    symbols_free(&p->symbols);
    draft_free(&p->draft);
    free(p->refs);
}

bool ts_programs_add_text(ts_programs *programs, const char *name, const char *text, size_t length,
                          bool strict, ts_report *report, void *user, ts_status *status) {
    Parser p;
    if (!parser_begin(&p, programs, name, text, length)) {
        *status = p.status;
        return false;
    }
    while (p.t.kind != TOKEN_END) {
        const char *top = p.t.start;
        if (parse_top(&p)) continue;
        if (p.problems == MOST_PROBLEMS) { // said where the last one was found
            Status last = p.status;
            status_fail(&p.status, TS_INPUT, "more than %d problems; the rest is not read", MOST_PROBLEMS);
            snprintf(p.status.file, sizeof p.status.file, "%s", last.file);
            p.status.line = last.line;
            p.status.column = last.column;
        }
        if (p.problems++ == 0) *status = p.status;
        if (report) report(user, &p.status);
        if (strict || p.problems > MOST_PROBLEMS) break;
        p.failed = false;
        programs->ctx.failure = TS_FAIL_NONE;
        // The token that was not expected may be the start of the next program.
        if (p.t.start > top) p.lexer.at = p.t.start;
        lexer_skip_to_top(&p.lexer);
        advance(&p);
    }
    parser_end(&p);
    return p.problems == 0;
}

bool program_parse_expression(ts_programs *set, const char *file, const char *text, size_t length,
                              Program *program, Status *status) {
    Parser p;
    Ref result = 0;
    *program = (Program){.name = "", .takes_samples = true};
    bool good = parser_begin(&p, set, file, text, length);
    if (good) {
        begin_program(&p);
        good = parse_expression(&p, &result);
        if (good && p.t.kind == TOKEN_NEWLINE) advance(&p);
        if (good && p.t.kind != TOKEN_END) good = expected(&p, "the end of the expression");
        if (good && !draft_finish(&p.draft, &set->ctx, result, program))
            good = problem(&p, &p.t, "out of memory");
        parser_end(&p);
    }
    if (!good) *status = p.status;
    return good;
}
