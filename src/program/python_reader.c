#include "program/python_reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/python_lower.h"

#define ARENA_LIMIT ((size_t)256 << 20)

struct PythonReader {
    PythonText text;
    PythonLower lower;
};

void python_reader_free(PythonReader *r) {
    if (!r) return;
    arena_free(&r->text.arena);
    index_free(&r->text.index);
    symbols_free(&r->lower.symbols);
    free(r->text.names);
    free(r->text.problems);
    free(r->lower.lines);
    free(r->lower.types);
    free(r);
}

// ---- Where the code is ----

static const char *line_end(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static const char *past_spaces(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    return at;
}

static bool begins(const char *at, const char *end, const char *word) {
    size_t n = strlen(word);
    return (size_t)(end - at) >= n && memcmp(at, word, n) == 0;
}

static bool is_fence(const char *at, const char *end) {
    at = past_spaces(at, end);
    return begins(at, end, "```") || begins(at, end, "~~~");
}

// Whether a line that stands at the left may be code: a word of Python that begins a statement, or something
// that gets a value. All else there is prose.
static bool is_code(const char *at, const char *end) {
    static const char *const words[] = {"def ",   "import ", "from ", "class ", "if ",   "for ",
                                        "while ", "return",  "@",     "try:",   "with ", "async "};
    if (begins(at, end, "from ") && !memmem(at, (size_t)(end - at), " import ", 8)) return false;
    bool colon = end > at && (end[-1] == ':' || (end[-1] == '\r' && end - at > 1 && end[-2] == ':'));
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (begins(at, end, words[k])) return k < 3 || k == 7 || colon || *at == '@';
    const char *name = at;
    while (name < end && (isalnum((unsigned char)*name) || *name == '_')) name++;
    if (name == at) return false;
    while (name < end && (isalnum((unsigned char)*name) || *name == '_' ||
                          (*name == '.' && end - name > 1 && isalpha((unsigned char)name[1]))))
        name++;
    const char *sign = past_spaces(name, end);
    return (sign < end && *sign == '=') ||
           (sign == name && sign < end && *sign == '(' && memchr(at, ')', (size_t)(end - at)));
}

static bool has_def(const char *at, const char *end) {
    for (; at < end; at = line_end(at, end) + 1)
        if (begins(past_spaces(at, end), end, "def ")) return true;
    return false;
}

static uint32_t count_lines(const char *at, const char *end) {
    uint32_t n = 0;
    while ((at = memchr(at, '\n', (size_t)(end - at)))) n++, at++;
    return n;
}

// The blocks between fences that define something.
static void read_fenced(PythonText *p) {
    const char *end = p->text + p->length, *start = NULL;
    p->is_fenced = true;
    for (const char *at = p->text; at < end; at = line_end(at, end) + 1) {
        const char *stop = line_end(at, end);
        bool fence = is_fence(at, end);
        if (fence && start) {
            if (has_def(start, at)) python_parse(p, start, at, 1 + count_lines(p->text, start));
            start = NULL;
        } else if (fence) start = stop < end ? stop + 1 : end;
    }
    if (start && has_def(start, end)) python_parse(p, start, end, 1 + count_lines(p->text, start));
}

// Whether what stands outside of the code may be left out: nothing in it is indented as code is.
static bool is_prose(const char *at, const char *end) {
    if (memchr(at, 0, (size_t)(end - at)) || has_def(at, end)) return false;
    for (const char *next; at < end; at = next) {
        next = line_end(at, end);
        const char *first = past_spaces(at, next);
        if (first > at && first < next && !strchr("-*0123456789>\r", *first)) return false;
        if (next < end) next++;
    }
    return true;
}

// Whether a line at the left may belong to the code, comments and what closes a bracket included.
static bool is_part(const char *at, const char *end) { return strchr("#\"')]}", *at) || is_code(at, end); }

// A text without fences: prose may stand before the first line of code and after the last.
static void read_plain(PythonText *p) {
    const char *end = p->text + p->length, *start = p->text, *stop = p->text;
    if (begins(start, end, "\xEF\xBB\xBF")) start += 3;
    const char *first = start;
    bool inside = false;
    if (has_def(start, end)) {
        while (first < end && !(*first && is_part(first, line_end(first, end)))) {
            first = line_end(first, end);
            if (first < end) first++;
        }
        for (const char *at = first, *next; at < end; at = next) {
            next = line_end(at, end);
            const bool blank = past_spaces(at, next) == next || *at == '\r';
            if (!blank && *at != ' ' && *at != '\t') inside = *at && is_part(at, next);
            if (next < end) next++;
            if (inside && !blank) stop = next;
        }
    }
    if (!is_prose(start, first)) first = start;
    if (!has_def(first, end) || !is_prose(stop, end)) stop = end;
    python_parse(p, first, stop, 1 + count_lines(p->text, first));
}

static void read_code(PythonText *p) {
    const char *end = p->text + p->length;
    for (const char *at = p->text; at < end; at = line_end(at, end) + 1)
        if (is_fence(at, end)) {
            read_fenced(p);
            return;
        }
    read_plain(p);
}

// ---- Which definitions are programs ----

// Notes which definitions of the text others use.
static void note_uses(PythonText *p, const PythonNode *n, uint32_t own) {
    for (; n; n = n->next) {
        if (n->kind == PYTHON_NAME && n->name != own && p->names[n->name].def)
            p->names[n->name].is_called = true;
        if (n->a) note_uses(p, n->a, own);
        if (n->b) note_uses(p, n->b, own);
        if (n->c) note_uses(p, n->c, own);
    }
}

static bool is_main_guard(const PythonText *p, const PythonNode *n) {
    if (n->kind != PYTHON_IF || n->a->kind != PYTHON_COMPARE || n->a->a->kind != PYTHON_NAME) return false;
    const Token *t = &p->names[n->a->a->name].token;
    return t->length == 8 && memcmp(t->start, "__name__", 8) == 0;
}

static void note_definitions(PythonText *p) {
    for (PythonNode *n = p->tops; n; n = n->next) {
        if (n->kind != PYTHON_DEF) continue;
        PythonName *name = &p->names[n->name];
        p->first = p->count;
        if (name->def && !p->is_fenced)
            python_problem(p, n->at, n->length, TS_PROBLEM_NAME, "give it another name",
                           "a second program '%.*s'", n->length > 60 ? 60 : (int)n->length, n->at);
        else name->def = n;
    }
    for (PythonNode *n = p->tops; n; n = n->next) {
        if (n->kind == PYTHON_DEF && p->names[n->name].def == n) note_uses(p, n->b, n->name);
        else if (n->kind == PYTHON_ASSIGN) note_uses(p, n->b, UINT32_MAX);
    }
}

static bool is_solver_name(const Token *t) {
    static const char *const names[] = {"solve",  "transform", "main",           "p",
                                        "solver", "solution",  "transform_grid", "program"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == t->length && memcmp(t->start, names[k], t->length) == 0) return true;
    return t->length > 6 && memcmp(t->start, "solve_", 6) == 0;
}

// Whether this definition is a program: nothing else of the text uses it, and where one alone is called as
// solvers are the others are not meant.
static bool is_program(const PythonText *p, const PythonNode *def, const PythonNode *only) {
    return def->kind == PYTHON_DEF && p->names[def->name].def == def && !p->names[def->name].is_called &&
           (!only || only == def);
}

static const PythonNode *only_solver(const PythonText *p) {
    const PythonNode *only = NULL;
    for (const PythonNode *n = p->tops; n; n = n->next) {
        if (!is_program(p, n, NULL) || !is_solver_name(&p->names[n->name].token)) continue;
        if (only) return NULL;
        only = n;
    }
    return only;
}

// ---- Programs ----

static bool begin_lower(PythonReader *r, ts_programs *set, Draft *draft) {
    PythonLower *l = &r->lower;
    enum { SLOTS = SLOTS_GIVEN + PYTHON_MOST_CONSTANTS + PYTHON_MOST_LINES };
    if (!l->lines) l->lines = malloc(PYTHON_MOST_LINES * sizeof *l->lines);
    if (!l->types) l->types = malloc(SLOTS * sizeof *l->types);
    if (!l->lines || !l->types) return false;
    draft_clear(draft);
    l->text = &r->text;
    l->draft = draft;
    l->ctx = &set->ctx;
    l->view = (Program){.name = "", .constant_count = PYTHON_MOST_CONSTANTS, .lines = l->lines};
    l->typed_lines = l->typed_constants = 0;
    l->steps = l->calls = l->parameters = 0;
    l->reported = false;
    l->top = (PythonScope){0};
    l->types[SLOT_S] = (Type){TYPE_TUPLE, TYPE_TUPLE, TYPE_GRID, 0, 0};
    l->types[SLOT_I] = (Type){TYPE_GRID, 0, 0, 0, 0};
    l->types[SLOT_C] = (Type){TYPE_GRID | TYPE_NONE, 0, 0, 0, 0};
    return true;
}

// The statements at the top, which give values to names of the text.
static void lower_top(PythonLower *l) {
    PythonValue ignored;
    for (PythonNode *n = l->text->tops; n; n = n->next) {
        PythonNode alone = *n;
        alone.next = NULL;
        if (n->kind == PYTHON_ASSIGN || n->kind == PYTHON_AUGMENT || n->kind == PYTHON_FOR)
            python_block(l, &l->top, &alone, NULL, &ignored);
        if (n->kind == PYTHON_IF && !is_main_guard(l->text, n))
            python_block(l, &l->top, &alone, NULL, &ignored);
    }
}

static PythonValue given(const PythonLower *l, uint32_t slot) {
    return (PythonValue){.state = PYTHON_CLOSED, .ref = ref_make(REF_GIVEN, slot), .type = l->types[slot]};
}

// A program that has the name of a primitive or constant would hide it from its own lines, which may need it
// when they are said in the language.
static char *program_name(Arena *a, const PythonName *n) {
    static const char prefix[] = "solve_";
    const size_t before = n->known && n->known->kind != SYMBOL_NONE ? sizeof prefix - 1 : 0;
    char *name = arena_alloc(a, before + n->token.length + 1);
    if (!name) return NULL;
    memcpy(name, prefix, before);
    memcpy(name + before, n->token.start, n->token.length);
    name[before + n->token.length] = 0;
    return name;
}

// One definition as a program. False where something is wrong, which is noted.
static bool lower_def(PythonReader *r, ts_programs *set, Draft *draft, const PythonNode *def,
                      Program *program) {
    PythonLower *l = &r->lower;
    PythonText *p = &r->text;
    int n = 0;
    PythonScope scope = {.outer = &l->top, .function = def};
    if (!begin_lower(r, set, draft)) return !(p->starved = true);
    for (const PythonNode *q = def->a; q; q = q->next) n++;
    if (n != 1 && n != SLOTS_GIVEN)
        return python_problem(p, def->at, def->length, TS_PROBLEM_ARGUMENT, "",
                              "expected (I) or (S, I, C) as parameters");
    lower_top(l);
    const int before = p->count;
    n = n == 1 ? SLOT_I : 0;
    for (const PythonNode *q = def->a; q; q = q->next) {
        if (q->a) python_value(l, &l->top, q->a); // never used, but Python works it out
        python_set(l, &scope, q->name, given(l, (uint32_t)n++));
    }
    program->takes_samples = n == SLOTS_GIVEN;
    PythonValue result = python_nothing();
    l->stack[l->calls++] = def;
    bool returned = python_block(l, &scope, def->b, NULL, &result);
    Value none;
    if (returned && python_is_constant(l, &result, &none) && value_tag(none) == TAG_NONE) returned = false;
    if (!returned && p->count == before && !def->is_broken)
        python_problem(p, def->at, def->length, TS_PROBLEM_SYNTAX, "end it with 'return …'",
                       "this program returns nothing");
    if (result.state == PYTHON_CLOSURE)
        python_problem(p, def->at, def->length, TS_PROBLEM_TYPE, "call it",
                       "this program returns a function");
    if (result.state != PYTHON_CLOSED && !p->count)
        python_problem(p, def->at, def->length, TS_PROBLEM_LIMIT, "",
                       "the program becomes too long, with functions and loops written out");
    if (p->starved || p->count > before || def->is_broken || result.state != PYTHON_CLOSED) return false;
    program->name = program_name(&set->ctx.arena, &p->names[def->name]);
    if (!program->name || !draft_finish(draft, &set->ctx, result.ref, program)) return !(p->starved = true);
    return true;
}

static bool add_program(ts_programs *set, const Program *program) {
    if (set->count == set->room) {
        size_t room = set->room ? set->room * 2 : 512;
        Program *grown = realloc(set->programs, room * sizeof *grown);
        if (!grown) return false;
        set->programs = grown;
        set->room = room;
    }
    set->programs[set->count++] = *program;
    return true;
}

// ---- The ways in ----

static PythonReader *begin(PythonReader **r, ts_programs *set, const char *file, const char *text,
                           size_t length, Status *status) {
    if (!*r && !(*r = calloc(1, sizeof **r))) {
        status_fail(status, TS_SYSTEM, "out of memory");
        return NULL;
    }
    PythonText *p = &(*r)->text;
    if (!p->arena.limit) arena_init(&p->arena, ARENA_LIMIT);
    arena_reset(&p->arena);
    symbols_prepare();
    index_clear(&p->index);
    p->set = set;
    p->file = file;
    p->text = text;
    p->length = length;
    p->name_count = 0;
    p->known = (StatusPlace){0};
    p->count = p->first = p->depth = 0;
    p->starved = p->is_fenced = false;
    p->tops = NULL;
    p->top_end = &p->tops;
    set->ctx.failure = TS_FAIL_NONE;
    return *r;
}

static int by_place(const void *a, const void *b) {
    const Status *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

// Whether all is well; else all problems are reported, in their order.
static bool end(PythonReader *r, ts_report *report, void *user, Status *status) {
    PythonText *p = &r->text;
    if (p->starved) return status_fail(status, TS_SYSTEM, "out of memory");
    if (!p->count) return true;
    qsort(p->problems, (size_t)p->count, sizeof *p->problems, by_place);
    *status = p->problems[0];
    for (int k = 0; report && k < p->count; k++) report(user, &p->problems[k]);
    if (p->count < PYTHON_MOST_PROBLEMS || !report) return false;
    Status last = p->problems[p->count - 1];
    snprintf(last.message, sizeof last.message, "more than %d problems; the rest is not read",
             PYTHON_MOST_PROBLEMS);
    last.excerpt[0] = 0;
    report(user, &last);
    return false;
}

// Statements at the top that are nothing for a text of programs.
static void refuse_tops(PythonText *p) {
    for (const PythonNode *n = p->tops; n; n = n->next) {
        p->first = p->count;
        bool string = n->kind == PYTHON_EXPRESSION && n->a->kind == PYTHON_STRING;
        if (n->kind == PYTHON_RETURN || (n->kind == PYTHON_EXPRESSION && !string))
            python_problem(p, n->at, n->length, TS_PROBLEM_SYNTAX, "put it into a def, or leave it out",
                           "expected 'def', an import or a comment");
    }
}

bool python_read(PythonReader **reader, ts_programs *set, Draft *draft, const char *file, const char *text,
                 size_t length, bool strict, ts_report *report, void *user, Status *status) {
    PythonReader *r = begin(reader, set, file, text, length, status);
    if (!r) return false;
    PythonText *p = &r->text;
    read_code(p);
    const int parsed = p->count;
    if (!p->starved) {
        note_definitions(p);
        refuse_tops(p);
    }
    const PythonNode *only = p->starved ? NULL : only_solver(p);
    for (const PythonNode *n = p->tops; n && !p->starved && p->count < PYTHON_MOST_PROBLEMS; n = n->next) {
        Program program = {0};
        if (!is_program(p, n, only)) continue;
        if (strict && p->count && parsed == 0) break;
        p->first = p->count;
        bool good = lower_def(r, set, draft, n, &program);
        if (good && !(strict && p->count) && !add_program(set, &program)) p->starved = true;
    }
    return end(r, report, user, status);
}

bool python_read_expression(PythonReader **reader, ts_programs *set, Draft *draft, const char *file,
                            const char *text, size_t length, Program *program, Status *status) {
    PythonReader *r = begin(reader, set, file, text, length, status);
    if (!r || !begin_lower(r, set, draft)) return false;
    PythonNode *n = python_parse_expression(&r->text);
    PythonValue v = n ? python_value(&r->lower, &r->lower.top, n) : python_nothing();
    if (v.state == PYTHON_CLOSURE)
        v = python_function(&r->lower, n, v, (Type){TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY, 0});
    if (v.state != PYTHON_CLOSED && !r->text.count) r->text.starved = true;
    if (v.state == PYTHON_CLOSED && !r->text.count && !draft_finish(draft, &set->ctx, v.ref, program))
        r->text.starved = true;
    return end(r, NULL, NULL, status);
}
