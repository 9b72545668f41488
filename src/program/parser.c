// Reads programs written as Python: `def solve_ID(I):`, a line `x = f(a, b)` after the other, `return O`.
//
// What Python would refuse is refused, and what would mean something else there. A recursive descent over the
// tokens. A problem is reported with its place; reading goes on at the next line
// that starts in the first column, so the other programs of a file still load.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/arguments.h"
#include "program/draft.h"
#include "program/lexer.h"
#include "program/python_reader.h"
#include "program/symbols.h"

// Brackets, as in Python. A literal has half of them at most, for a set prints as frozenset({…}): so what is
// printed can be read.
enum { MOST_NESTING = 199, DEEPEST_LITERAL = 95 };
enum { MOST_PROBLEMS = 1000, MOST_HINTS = 20 };

// What the literals of a text may cost, in units: so much, and more for each byte. As variables stand for
// literals in others, each of which is walked through, a short text could ask for hours and all memory.
enum { LITERAL_UNITS = 1 << 20, LITERAL_UNITS_A_BYTE = 16 };

struct Parser {
    // Of the text that is being read.
    ts_programs *set;
    size_t first; // number of its first program in the set
    const char *file, *text;
    size_t length;
    Lexer lexer;
    Token t; // the token to be read next
    int nesting, problems;
    uint32_t line; // of the last call that was begun
    bool failed;
    bool is_program;   // and not an expression of ours
    bool is_ours;      // written by the engine: lines of calls and nothing else
    Status status;     // of the problem found last
    StatusPlace known; // of the text
    // What is kept for the next text.
    Symbols symbols;
    Draft draft;
    Index names;          // of the programs of the text
    PythonReader *python; // for what is more than lines of calls; NULL before the first such text
    Ref *refs;            // elements of the brackets that are open
    size_t ref_count, ref_room;
};

static void advance(Parser *p) { lexer_next(&p->lexer, &p->t); }

static bool at_char(const Parser *p, char c) { return p->t.c == c; }

static bool at_word(const Parser *p, const char *word) {
    return p->t.kind == TOKEN_NAME && p->t.length == strlen(word) &&
           memcmp(p->t.start, word, p->t.length) == 0;
}

// ---- Problems ----

__attribute__((format(printf, 3, 4))) static bool problem(Parser *p, const char *where, const char *format,
                                                          ...) {
    if (p->failed) return false; // the first one counts
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    p->failed = true;
    status_fail(&p->status, TS_INPUT, "%s", message);
    p->status.kind = TS_PROBLEM_SYNTAX;
    return status_locate(&p->status, &p->known, p->file, p->text, p->length, (size_t)(where - p->text));
}

static bool no_memory(Parser *p) {
    if (p->failed) return false;
    problem(p, p->t.start, "out of memory");
    p->status.code = TS_SYSTEM;
    return false;
}

static bool expected(Parser *p, const char *what) {
    char buffer[100];
    if (p->t.kind == TOKEN_BAD)
        return problem(p, p->t.start, "%s %s", p->t.problem, lexer_describe(&p->t, buffer, sizeof buffer));
    return problem(p, p->t.start, "expected %s, found %s", what,
                   lexer_describe(&p->t, buffer, sizeof buffer));
}

static bool take_char(Parser *p, char c) {
    char what[4] = {'\'', c, '\'', 0};
    if (!at_char(p, c)) return expected(p, what);
    advance(p);
    return true;
}

// Whether a text that is wrong here may still be one that says more than lines of calls.
static bool is_read_again(const Parser *p) { return !p->is_ours && p->length <= PYTHON_LONGEST; }

static bool unknown_name(Parser *p, const char *name, size_t length, bool called) {
    char nearest[40];
    if (p->failed) return false;
    problem(p, name, "unknown %s '%.*s'", called ? "primitive" : "name", length > 60 ? 60 : (int)length,
            name);
    p->status.kind = TS_PROBLEM_NAME;
    p->status.length = (int)length;
    // What is said when a text is read again is what counts.
    if (!is_read_again(p) && p->problems < MOST_HINTS &&
        symbols_nearest(&p->symbols, name, length, nearest, sizeof nearest))
        status_advise(&p->status, TS_PROBLEM_NAME, "did you mean '%s'?", nearest);
    return false;
}

// ---- Names ----

static bool is_keyword(const Token *t) {
    const Symbol *known = symbols_known(t);
    return known && known->is_keyword;
}

// Notes the use of a name that is known from the start. A program of the text with that name would hide it.
static bool use_known(Parser *p, const Token *name, const Symbol *known) {
    return symbols_use(&p->symbols, known) ||
           problem(p, name->start, "'%s' is a program of this text, which hides the primitive or constant",
                   known->name);
}

// The number of a variable that is about to get a value.
static bool take_variable(Parser *p, const Token *name, uint32_t *variable) {
    *variable = symbols_variable(&p->symbols, name);
    if (*variable == UINT32_MAX) return no_memory(p);
    if (p->symbols.variables[*variable].ref != REF_NONE) return true;
    const Symbol *known = symbols_known(name);
    return !known || !symbols_was_used(&p->symbols, known) ||
           problem(p, name->start,
                   "'%s' has been used above, where it is this variable, still without a value", known->name);
}

// ---- Expressions ----

static bool parse_expression(Parser *p, Ref *result);

// A call that goes on over several lines has the line that reading has come to.
static uint32_t line_of_call(Parser *p, uint32_t line) {
    if (line > p->line) p->line = line;
    return p->line;
}

static bool is_constant(Ref r) { return ref_kind(r) == REF_CONSTANT; }

static bool push(Parser *p, Ref r) {
    if (p->ref_count == p->ref_room) {
        size_t room = p->ref_room ? p->ref_room * 2 : 64;
        Ref *grown = realloc(p->refs, room * sizeof *grown);
        if (!grown) return no_memory(p);
        p->refs = grown;
        p->ref_room = room;
    }
    p->refs[p->ref_count++] = r;
    return true;
}

static Ref constant(Parser *p, Value v) {
    Ctx *c = &p->set->ctx;
    if (value_tag(v) == TAG_OBJ) {
        ctx_charge(c, value_weight(v));
        if (p->is_program && value_obj(v)->depth > DEEPEST_LITERAL) ctx_fail(c, TS_FAIL_DEPTH);
    }
    if (c->failure) {
        if (c->arena.starved) no_memory(p);
        else problem(p, p->t.start, "this literal is too large or nested too deeply");
        return 0;
    }
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
    return draft_line(&p->draft, &line);
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
    uint32_t source = line_of_call(p, p->t.line);
    const char *start = p->t.start;
    advance(p);
    if (!parse_elements(p, tuple ? ')' : '}', &comma)) return false;
    size_t n = p->ref_count - base;
    const Ref *elements = n ? p->refs + base : NULL;
    p->ref_count = base;
    for (size_t k = 0; k < n; k++) literal &= is_constant(elements[k]);
    if (!tuple && n == 0 && p->is_program)
        return problem(p, start, "'{}' is a dict in Python; the empty set is frozenset()");
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
        const char *where = p->t.start;
        if (!parse_expression(p, result)) return false;
        Value v = is_constant(*result) ? p->draft.constants[ref_index(*result)] : VALUE_NONE;
        if (!value_is_container(v)) return problem(p, where, "expected a literal set or tuple");
        Gather g = gather(&p->set->ctx);
        gather_all(&g, v);
        *result = constant(p, gather_set(&g));
    }
    return !p->failed && take_char(p, ')');
}

static bool parse_int(Parser *p, Ref *result) {
    bool negative = at_char(p, '-');
    if (negative) advance(p);
    if (p->t.kind != TOKEN_INT) return expected(p, "a number");
    if (p->t.value > (uint64_t)INT64_MAX + negative)
        return problem(p, p->t.start, "integer does not fit 64 bits");
    int64_t n = negative ? (int64_t)(0 - p->t.value) : (int64_t)p->t.value;
    *result = constant(p, value_int(&p->set->ctx, n));
    advance(p);
    return !p->failed;
}

// Where the argument with this name goes; -1 where there is none.
static int parameter_place(const OpInfo *info, const Token *name) {
    for (int k = 0; k < info->arity; k++)
        if (strlen(info->parameters[k]) == name->length &&
            memcmp(info->parameters[k], name->start, name->length) == 0)
            return k;
    return -1;
}

// Whether the name that is to be read next stands before '='. What mostly follows one tells at once.
static bool is_argument_name(const Parser *p) {
    const char *after = p->lexer.at;
    if (p->t.kind != TOKEN_NAME) return false;
    if (after < p->lexer.end && (*after == ',' || *after == ')' || *after == '(')) return false;
    Lexer ahead = p->lexer;
    Token next;
    lexer_next(&ahead, &next);
    return next.c == '=';
}

// One argument: a value, or name=value for a primitive.
static bool parse_argument(Parser *p, const OpInfo *info, DraftLine *line, unsigned *given, int position,
                           bool *keyword, const char **starts) {
    const char *start = p->t.start;
    int place = position;
    if (is_argument_name(p)) {
        int length = p->t.length > 60 ? 60 : (int)p->t.length;
        if (is_keyword(&p->t))
            return problem(p, start, "'%.*s' is a word of Python and names no argument", length, start);
        if (info) place = parameter_place(info, &p->t);
        advance(p);
        if (!info) return problem(p, start, "only primitives take arguments by name");
        if (place < 0) return problem(p, start, "%s has no parameter '%.*s'", info->name, length, start);
        *keyword = true;
        advance(p);
    } else if (*keyword) return problem(p, start, "an argument without a name cannot follow one with a name");
    int most = info ? info->arity : LINE_MOST_ARGS;
    if (place >= most) {
        if (info) return problem(p, start, "%s takes %d argument%s", info->name, most, most == 1 ? "" : "s");
        return problem(p, start, "a function takes at most %d arguments", most);
    }
    if (*given >> place & 1)
        return problem(p, start, "%s gets '%s' twice", info ? info->name : "",
                       info ? info->parameters[place] : "");
    *given |= 1u << place;
    starts[place] = p->t.start;
    return parse_expression(p, &line->args[place]);
}

// The next argument where it is a name or a small number and nothing else, as most are; else REF_NONE.
static Ref plain_argument(Parser *p) {
    const char *after = p->lexer.at;
    if (after == p->lexer.end || (*after != ',' && *after != ')') || p->nesting >= MOST_NESTING)
        return REF_NONE;
    if (p->t.kind == TOKEN_INT && p->t.value <= INT32_MAX)
        return constant(p, value_of_small((int64_t)p->t.value));
    if (p->t.kind != TOKEN_NAME) return REF_NONE;
    Ref variable = symbols_value(&p->symbols, &p->t);
    if (variable != REF_NONE) return variable;
    const Symbol *known = symbols_known(&p->t);
    if (!known || !symbol_is_value(known) || !use_known(p, &p->t, known)) return REF_NONE;
    return constant(p, known->value);
}

// ---- Words ----

static bool refuse_words(Parser *p, const char *start, const OpInfo *info, int k, const ShapeFault *fault) {
    bool missing = value_tag(fault->found) == TAG_NONE;
    const char *where = argument_leaf(start, p->t.start, fault->leaf - (missing && fault->leaf > 0));
    Text said = {0};
    argument_print_fault(&said, info, k, fault);
    if (said.failed) no_memory(p);
    else problem(p, where, "%s", said.data);
    text_free(&said);
    return false;
}

// `before` is the argument of the parameter before. One that is bound to a function, without a `start`, and
// does not fit stays as it is: such a function is a value.
static bool in_words(Parser *p, const OpInfo *info, int k, const char *start, Ref before, Ref *argument) {
    ShapeFault fault = {0};
    Value said;
    if (info->shapes[k] == SHAPE_NONE || !is_constant(*argument)) return true;
    switch (argument_in_words(&p->set->ctx, &p->draft, info, k, before, *argument, &said, &fault)) {
    case ARGUMENT_STAYS: return true;
    case ARGUMENT_UNFIT: return !start || refuse_words(p, start, info, k, &fault);
    default: *argument = constant(p, said); return !p->failed;
    }
}

// After the bracket. The line has the primitive, or the function that is called; `start` is where that
// stands.
static bool parse_call(Parser *p, const char *start, DraftLine *line, Ref *result) {
    const OpInfo *info = line->op == LINE_CALLS_VALUE ? NULL : &ops_table[line->op];
    unsigned given = 0;
    bool keyword = false;
    int n = 0, most = info ? info->arity : LINE_MOST_ARGS;
    const char *starts[LINE_MOST_ARGS];
    for (Ref plain; !at_char(p, ')'); advance(p)) {
        if (n < most) starts[n] = p->t.start;
        if (n < most && !keyword && (plain = plain_argument(p)) != REF_NONE) {
            line->args[n] = plain;
            given |= 1u << n++;
            if (lexer_pass(&p->lexer, ',')) continue;
            advance(p);
            break;
        }
        if (!parse_argument(p, info, line, &given, n, &keyword, starts)) return false;
        n++;
        if (!at_char(p, ',')) break;
    }
    if (!at_char(p, ')')) return expected(p, "',' or ')'");
    if (info && n < info->arity)
        return problem(p, start, "%s takes %d argument%s, %d given", info->name, info->arity,
                       info->arity == 1 ? "" : "s", n);
    advance(p);
    for (int k = 0; info && k < n; k++)
        if (!in_words(p, info, k, starts[k], k ? line->args[k - 1] : REF_NONE, &line->args[k])) return false;
    int bound;
    const bool binds = line->op == OP_rbind || line->op == OP_lbind;
    const OpInfo *to = binds ? argument_bound(&p->draft, line, &bound) : NULL;
    if (to && !in_words(p, to, bound, NULL, REF_NONE, &line->args[1])) return false;
    line->n = (uint8_t)n;
    *result = draft_line(&p->draft, line);
    return !p->failed;
}

static bool parse_name(Parser *p, Ref *result) {
    const char *start = p->t.start;
    size_t length = p->t.length;
    uint32_t line = p->t.line;
    *result = symbols_value(&p->symbols, &p->t);
    if (*result != REF_NONE) {
        advance(p);
        return true;
    }
    const Symbol *known = symbols_known(&p->t);
    if (known && !use_known(p, &p->t, known)) return false;
    if (known && known->kind == SYMBOL_FROZENSET) return parse_frozenset(p, result);
    if (known && known->kind == SYMBOL_OP && lexer_pass(&p->lexer, '(')) { // as a primitive mostly stands
        DraftLine call = {.op = (int16_t)value_op(known->value), .source = line_of_call(p, line)};
        advance(p);
        return parse_call(p, start, &call, result);
    }
    advance(p);
    if (!known || !symbol_is_value(known)) return unknown_name(p, start, length, at_char(p, '('));
    *result = constant(p, known->value);
    return !p->failed;
}

static bool parse_primary(Parser *p, Ref *result) {
    if (p->t.kind == TOKEN_NAME) return parse_name(p, result);
    if (p->t.kind == TOKEN_INT || at_char(p, '-')) return parse_int(p, result);
    if (at_char(p, '(') || at_char(p, '{')) return parse_bracketed(p, result);
    return expected(p, "a value");
}

// What stands before a bracket is called.
static bool parse_call_of(Parser *p, const char *start, uint32_t line, Ref callee, Ref *result) {
    DraftLine call = {.op = LINE_CALLS_VALUE, .callee = callee, .source = line_of_call(p, line)};
    if (is_constant(callee)) {
        Value f = p->draft.constants[ref_index(callee)];
        if (!value_is_op(f)) return problem(p, start, "expected a primitive or a function before '('");
        call.op = (int16_t)value_op(f);
        call.callee = 0;
    }
    advance(p);
    return parse_call(p, start, &call, result);
}

static bool parse_expression(Parser *p, Ref *result) {
    const char *start = p->t.start;
    uint32_t line = p->t.line;
    if (p->nesting >= MOST_NESTING) return problem(p, start, "nested more than %d deep", MOST_NESTING);
    p->nesting++;
    bool good = parse_primary(p, result);
    while (good && at_char(p, '(')) good = parse_call_of(p, start, line, *result, result);
    p->nesting--;
    return good;
}

// ---- Definitions ----

// A parameter gets its value; one name for two of them is no program.
static bool set_parameter(Parser *p, const Token *name, Ref ref) {
    uint32_t k = symbols_variable(&p->symbols, name);
    if (k == UINT32_MAX) return no_memory(p);
    if (p->symbols.variables[k].ref != REF_NONE)
        return problem(p, name->start, "a second parameter '%.*s'",
                       name->length > 60 ? 60 : (int)name->length, name->start);
    p->symbols.variables[k].ref = ref;
    return true;
}

static bool skip_type(Parser *p);

// Types up to the closing bracket.
static bool skip_types(Parser *p, char close, bool may_be_none) {
    advance(p);
    while (!(may_be_none && at_char(p, close))) {
        if (!skip_type(p)) return false;
        if (at_char(p, close)) break;
        if (!take_char(p, ',')) return false;
        may_be_none = true;
    }
    return take_char(p, close);
}

// A type, which says nothing to us: a name, a number, a string, '...' or a list, then members and arguments.
static bool skip_type(Parser *p) {
    const Symbol *known = p->t.kind == TOKEN_NAME ? symbols_known(&p->t) : NULL;
    bool good = true, is_word = known && known->is_keyword && known->kind != SYMBOL_CONSTANT;
    if (p->nesting >= MOST_NESTING - 1)
        return problem(p, p->t.start, "nested more than %d deep", MOST_NESTING);
    p->nesting++;
    if (at_char(p, '[')) good = skip_types(p, ']', true);
    else if (at_char(p, '.')) {
        for (int k = 0; good && k < 3; k++) good = take_char(p, '.');
    } else if (is_word || p->t.kind < TOKEN_NAME || p->t.kind > TOKEN_STRING) good = expected(p, "a type");
    else advance(p);
    while (good && (at_char(p, '[') || at_char(p, '.'))) {
        if (at_char(p, '[')) good = skip_types(p, ']', false);
        else {
            advance(p);
            good = (p->t.kind == TOKEN_NAME && !is_keyword(&p->t)) || expected(p, "a name");
            if (good) advance(p);
        }
    }
    p->nesting--;
    return good;
}

static bool parse_parameters(Parser *p, Program *program) {
    Token names[SLOTS_GIVEN];
    const char *open = p->t.start;
    int n = 0;
    if (!take_char(p, '(')) return false;
    while (!at_char(p, ')')) {
        if (p->t.kind != TOKEN_NAME || is_keyword(&p->t)) return expected(p, "a parameter");
        if (n == SLOTS_GIVEN) return problem(p, p->t.start, "expected (I) or (S, I, C) as parameters");
        names[n++] = p->t;
        advance(p);
        if (at_char(p, ':')) {
            advance(p);
            if (!skip_type(p)) return false;
        }
        if (!at_char(p, ',')) break;
        advance(p);
    }
    if (!take_char(p, ')')) return false;
    if (n != 1 && n != SLOTS_GIVEN) return problem(p, open, "expected (I) or (S, I, C) as parameters");
    program->takes_samples = n == SLOTS_GIVEN;
    for (int k = 0; k < n; k++)
        if (!set_parameter(p, &names[k], ref_make(REF_GIVEN, n == 1 ? SLOT_I : (uint32_t)k))) return false;
    if (p->t.kind == TOKEN_ARROW) {
        advance(p);
        if (!skip_type(p)) return false;
    }
    return take_char(p, ':');
}

static bool end_statement(Parser *p) {
    if (p->t.kind != TOKEN_NEWLINE) return expected(p, "the end of the line");
    bool more = p->t.c;
    advance(p);
    if (more && p->t.kind == TOKEN_NEWLINE && !p->t.c) advance(p); // a ';' may stand before the newline
    return true;
}

// One statement of a body. *returned tells whether it was the return.
static bool parse_statement(Parser *p, Ref *result, bool *returned) {
    if (p->t.kind == TOKEN_STRING) { // a doc string
        advance(p);
        return end_statement(p);
    }
    if (p->t.kind != TOKEN_NAME) return expected(p, "a line 'x = f(…)' or 'return x'");
    bool is_return = at_word(p, "return");
    if (!is_return && is_keyword(&p->t)) return expected(p, "a line 'x = f(…)' or 'return x'");
    Token name = p->t;
    uint32_t variable;
    lexer_pass(&p->lexer, ' ');
    if (!is_return && !lexer_pass(&p->lexer, '=')) {
        advance(p);
        if (!at_char(p, '=')) return expected(p, "'='");
    }
    advance(p);
    Ref value;
    if (!parse_expression(p, &value)) return false;
    if (is_return) *result = value;
    else if (!take_variable(p, &name, &variable)) return false;
    else p->symbols.variables[variable].ref = value;
    if (!is_return) draft_name(&p->draft, value, name.head, name.start, name.length);
    *returned = is_return;
    return end_statement(p);
}

// The lines under the def, which stand one below the other, further right than the def itself.
static bool parse_body(Parser *p, const char *def, int def_indent, Ref *result) {
    bool returned = false;
    if (p->t.kind != TOKEN_NEWLINE) { // all on one line
        while (!returned && p->t.kind != TOKEN_END && p->t.indent < 0)
            if (!parse_statement(p, result, &returned)) return false;
    } else {
        if (p->t.c) return expected(p, "the lines of the program");
        advance(p);
        if (p->t.kind == TOKEN_BAD) return expected(p, "");
        int indent = p->t.indent, tabs = p->t.tabs;
        while (p->t.kind != TOKEN_END && (p->t.indent < 0 || p->t.indent > def_indent)) {
            if (p->t.indent >= 0 && p->t.indent != indent)
                return problem(p, p->t.start, "this line is indented otherwise");
            if (p->t.indent >= 0 && p->t.tabs != tabs)
                return problem(p, p->t.start, "this line is indented with other tabs and spaces");
            if (returned) return problem(p, p->t.start, "expected nothing more after 'return'");
            if (!parse_statement(p, result, &returned)) return false;
        }
    }
    return returned || problem(p, def, "this program returns nothing");
}

// Enters the name of a program. False where another of the text has it.
static bool add_name(Parser *p, const Token *name) {
    uint32_t at = name->hash, k;
    if (!index_reserve(&p->names)) return no_memory(p);
    while ((k = index_next(&p->names, name->hash, &at))) {
        const char *other = p->set->programs[p->first + k - 1].name;
        if (strncmp(other, name->start, name->length) == 0 && !other[name->length])
            return problem(p, name->start, "a second program '%.*s'",
                           name->length > 60 ? 60 : (int)name->length, name->start);
    }
    index_put(&p->names, at, name->hash, (uint32_t)(p->set->count - p->first));
    return true;
}

static bool add_program(Parser *p, const Token *name, Program program, Ref result) {
    ts_programs *set = p->set;
    if (set->count == set->room) {
        size_t room = set->room ? set->room * 2 : 512;
        Program *grown = realloc(set->programs, room * sizeof *grown);
        if (!grown) return no_memory(p);
        set->programs = grown;
        set->room = room;
    }
    program.name = arena_text(&set->ctx.arena, name->start, name->length);
    if (!program.name || !draft_finish(&p->draft, &set->ctx, result, &program)) return no_memory(p);
    set->programs[set->count] = program;
    const Symbol *known = symbols_known(name);
    if (!add_name(p, name)) return false;
    if (known && !symbols_hide(&p->symbols, known))
        return problem(p, name->start, "'%s' is used in this text, where this program would hide it",
                       known->name);
    set->count++;
    return true;
}

static void begin_program(Parser *p) {
    draft_clear(&p->draft);
    symbols_clear(&p->symbols);
    p->ref_count = 0;
    p->nesting = 0;
}

static bool parse_def(Parser *p) {
    const char *def = p->t.start;
    int indent = p->t.indent;
    begin_program(p);
    advance(p);
    Token name = p->t;
    if (p->t.kind != TOKEN_NAME || is_keyword(&p->t)) return expected(p, "the name of the program");
    index_prefetch(&p->names, name.hash); // asked for at the end
    advance(p);
    Program program = {0};
    Ref result = 0;
    return parse_parameters(p, &program) && parse_body(p, def, indent, &result) &&
           add_program(p, &name, program, result);
}

static bool skip_name(Parser *p) {
    if (p->t.kind != TOKEN_NAME || is_keyword(&p->t)) return expected(p, "a name");
    advance(p);
    return true;
}

// A name, or with `dotted` a path of names, as another name perhaps. What comes with a name of the language
// is taken for that; something else under such a name is not.
static bool skip_imported(Parser *p, bool dotted) {
    Token name = p->t;
    bool same = !dotted; // a module is no primitive
    if (!skip_name(p)) return false;
    while (dotted && at_char(p, '.')) {
        advance(p);
        if (!skip_name(p)) return false;
    }
    if (at_word(p, "as")) {
        advance(p);
        same = same && p->t.kind == TOKEN_NAME && p->t.length == name.length &&
               memcmp(p->t.start, name.start, name.length) == 0;
        name = p->t;
        if (!skip_name(p)) return false;
    }
    const Symbol *known = symbols_known(&name);
    return same || !known || problem(p, name.start, "'%s' would be something else in Python", known->name);
}

// from dsl import *, import x, from x import (a, b): nothing to do.
static bool skip_import(Parser *p) {
    bool from = at_word(p, "from"), brackets = false, dots = false;
    advance(p);
    if (from) {
        if (at_word(p, "__future__")) return expected(p, "a module of the language");
        for (; at_char(p, '.'); advance(p)) dots = true;
        if (!dots || !at_word(p, "import")) {
            for (; skip_name(p) && at_char(p, '.');) advance(p);
            if (p->failed) return false;
        }
        if (!at_word(p, "import")) return expected(p, "'import'");
        advance(p);
        brackets = at_char(p, '(');
        if (brackets) advance(p);
        if (!brackets && at_char(p, '*')) {
            advance(p);
            return end_statement(p);
        }
    }
    do {
        if (!skip_imported(p, !from)) return false;
        if (!at_char(p, ',')) break;
        advance(p);
    } while (!brackets || !at_char(p, ')'));
    return (!brackets || take_char(p, ')')) && end_statement(p);
}

static bool parse_top(Parser *p) {
    if (p->t.indent > 0) return problem(p, p->t.start, "this line is indented, but no program has begun");
    if (at_word(p, "def") && p->t.indent == 0) return parse_def(p);
    if (at_word(p, "import") || at_word(p, "from")) return skip_import(p);
    if (p->t.kind == TOKEN_STRING) {
        advance(p);
        return end_statement(p);
    }
    return expected(p, "'def', an import or a comment");
}

// ---- The ways in ----

void parser_free(Parser *p) {
    if (!p) return;
    symbols_free(&p->symbols);
    draft_free(&p->draft);
    index_free(&p->names);
    python_reader_free(p->python);
    free(p->refs);
    free(p);
}

// The set's parser, made if need be, at the first token of a text. NULL where memory is short.
static Parser *parser_begin(ts_programs *set, const char *file, const char *text, size_t length,
                            Status *status) {
    Parser *p = set->parser;
    if (!p && !(p = set->parser = calloc(1, sizeof *p))) {
        status_fail(status, TS_SYSTEM, "out of memory");
        return NULL;
    }
    symbols_prepare();
    p->set = set;
    p->first = set->count;
    p->file = file;
    p->text = text;
    p->length = length;
    p->lexer = lexer_begin(text, length);
    p->problems = 0;
    p->is_program = true;
    p->is_ours = false;
    p->line = 1;
    symbols_begin(&p->symbols);
    p->failed = false;
    p->known = (StatusPlace){0};
    index_clear(&p->names);
    begin_program(p);
    set->ctx.failure = TS_FAIL_NONE;
    set->ctx.units = LITERAL_UNITS + LITERAL_UNITS_A_BYTE * (int64_t)length;
    advance(p);
    return p;
}

// Reads the text that the parser stands at, as ts_programs_add_text does.
static bool parse_text(Parser *p, bool strict, ts_report *report, void *user, Status *status) {
    ts_programs *programs = p->set;
    while (p->t.kind != TOKEN_END) {
        const char *top = p->t.start;
        if (parse_top(p)) continue;
        // Where memory was short a text is not read again.
        if (is_read_again(p) && p->problems == 0 && p->status.code != TS_SYSTEM) {
            programs->count = p->first;
            return python_read(&p->python, programs, &p->draft, p->file, p->text, p->length, strict, report,
                               user, status);
        }
        if (p->problems == MOST_PROBLEMS) { // said where the last one was found
            Status last = p->status;
            status_fail(&p->status, TS_INPUT, "more than %d problems; the rest is not read", MOST_PROBLEMS);
            snprintf(p->status.file, sizeof p->status.file, "%s", last.file);
            p->status.line = last.line;
            p->status.column = last.column;
        }
        if (p->problems++ == 0) *status = p->status;
        if (report) report(user, &p->status);
        if (strict || p->problems > MOST_PROBLEMS) break;
        p->failed = false;
        programs->ctx.failure = TS_FAIL_NONE;
        if (p->t.start > top) { // the token that was not expected may be the start of the next program
            p->lexer.at = p->t.start;
            p->lexer.line = p->t.line;
        }
        lexer_skip_to_top(&p->lexer);
        advance(p);
    }
    return p->problems == 0;
}

bool ts_programs_add_text(ts_programs *programs, const char *name, const char *text, size_t length,
                          bool strict, ts_report *report, void *user, ts_status *status) {
    Parser *p = parser_begin(programs, name, text, length, status);
    return p && parse_text(p, strict, report, user, status);
}

bool program_add_ours(ts_programs *programs, const char *name, const char *text, size_t length,
                      Status *status) {
    Parser *p = parser_begin(programs, name, text, length, status);
    if (!p) return false;
    p->is_ours = true;
    return parse_text(p, true, NULL, NULL, status);
}

bool program_parse_expression(ts_programs *set, const char *file, const char *text, size_t length,
                              Program *program, Status *status) {
    Ref result = 0;
    *program = (Program){.name = "", .takes_samples = true};
    Parser *p = parser_begin(set, file, text, length, status);
    if (!p) return false;
    p->is_program = false;
    bool good = parse_expression(p, &result);
    if (good && p->t.kind == TOKEN_NEWLINE) advance(p);
    if (good && p->t.kind != TOKEN_END) good = expected(p, "the end of the expression");
    if (good && !draft_finish(&p->draft, &set->ctx, result, program)) good = no_memory(p);
    if (good) return true;
    *status = p->status;
    if (p->status.code == TS_SYSTEM || length > PYTHON_LONGEST) return false;
    return python_read_expression(&p->python, set, &p->draft, file, text, length, program, status);
}
