// Fuzzes evaluation: random expressions and programs under a small budget, once with the fast paths and once
// without. Both have to give the same value or both to fail, unless one of them has spent its units.
//
// The first byte chooses: even, the rest is the text of an expression; odd, the rest is read as a program,
// such that every sequence of bytes is one:
//     height, width, cells of the grid; then for each line a primitive (or the call of a variable) and for
//     each argument a variable, a constant, a primitive or a small number, or what a parameter takes in
//     words.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dsl/ops.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { UNITS = 50 * 1000, PLAIN_UNITS = 20 * UNITS, MOST_LINES = 40, MOST_SIDE = 8 };

typedef struct {
    const uint8_t *at, *end;
} Bytes;

static unsigned next(Bytes *b) { return b->at < b->end ? *b->at++ : 0; }

// ---- Programs out of bytes ----

static void write_argument(Text *t, Bytes *b, unsigned variables) {
    unsigned kind = next(b), which = next(b);
    if (kind < 140) {
        unsigned k = which % (variables + 1);
        if (k) text_print(t, "x%u", k);
        else text_char(t, 'I');
    } else if (kind < 190) text_add(t, ops_constants[which % ops_constant_count].name);
    else if (kind < 230) text_add(t, ops_table[which % OPS].name);
    else text_print(t, "%d", (int)which - 64);
}

static bool write_words(Text *t, Bytes *b, Shape shape) {
    Ctx c = {.units = UNITS};
    Rng r = {next(b)};
    r.state |= (uint64_t)next(b) << 8;
    arena_init(&c.arena, (size_t)1 << 20);
    Value v = shape_random(&c, &r, SHAPE_Number, shape);
    bool good = !c.failure;
    if (good) literal_print(t, v);
    arena_free(&c.arena);
    return good;
}

static void write_line(Text *t, Bytes *b, unsigned variables) {
    unsigned op = next(b);
    int arity = 1;
    text_print(t, "    x%u = ", variables + 1);
    if (op < OPS) {
        text_add(t, ops_table[op].name);
        arity = ops_table[op].arity;
    } else {
        text_print(t, "x%u", variables ? 1 + op % variables : 0);
        arity = 1 + (op > 220);
    }
    for (int k = 0; k < arity; k++) {
        text_add(t, k ? ", " : "(");
        Shape shape = op < OPS ? ops_table[op].shapes[k] : SHAPE_NONE;
        bool said = shape != SHAPE_NONE && next(b) % 4 && write_words(t, b, shape);
        if (!said) write_argument(t, b, variables);
    }
    text_add(t, ")\n");
}

static void write_program(Text *t, Bytes *b) {
    text_add(t, "def f(I):\n    x0 = identity\n");
    unsigned lines = 0;
    while (b->at < b->end && lines < MOST_LINES) write_line(t, b, lines++);
    text_print(t, "    return x%u\n", lines);
}

static ts_grid read_grid(Bytes *b, signed char *cells) {
    ts_grid grid = {1 + (int)(next(b) % MOST_SIDE), 1 + (int)(next(b) % MOST_SIDE), cells};
    for (int k = 0; k < grid.height * grid.width; k++) {
        unsigned c = next(b);
        cells[k] = (signed char)(c < 250 ? c % 10 : c - 200);
    }
    return grid;
}

// ---- Both ways ----

static void stop(const char *what, const ts_result *fast, const ts_result *plain, const char *text) {
    char *a = ts_value_print(fast->value), *b = ts_value_print(plain->value);
    fprintf(stderr, "%s: fast %s (%s), plain %s (%s)\n%s\n", what, a, ts_failure_name(fast->failure), b,
            ts_failure_name(plain->failure), text);
    abort();
}

static void compare(const ts_result *fast, const ts_result *plain, const char *text) {
    if (fast->failure == TS_FAIL_BUDGET || plain->failure == TS_FAIL_BUDGET) return;
    if ((fast->failure == TS_FAIL_NONE) != (plain->failure == TS_FAIL_NONE))
        stop("one fails", fast, plain, text);
    if (fast->failure) return;
    if (!ts_value_equal(fast->value, plain->value)) stop("two values", fast, plain, text);
    if (ts_value_hash(fast->value) != ts_value_hash(plain->value)) stop("two hashes", fast, plain, text);
}

// A printed value reads back as the same value.
static void check_literal(ts_engine *other, const ts_result *result) {
    char *printed = ts_value_print(result->value);
    ts_result again;
    ts_status s;
    if (!printed) abort();
    ts_engine_set_units(other, 100 * PLAIN_UNITS);
    bool nested = strstr(printed, "((((((((((((((((((((") || strstr(printed, "{{{{{{{{{{{{{{{{{{{{");
    if (!nested && strlen(printed) < 100000) { // the reader takes 100 levels, a value may have 200
        if (!ts_eval(other, printed, strlen(printed), &again, &s) && !strstr(s.message, "nested more than"))
            abort();
        else if (!again.failure && !ts_value_equal(again.value, result->value)) abort();
    }
    ts_engine_set_units(other, PLAIN_UNITS);
    free(printed);
}

static void run_program(ts_engine *fast, ts_engine *plain, Bytes *b) {
    signed char cells[MOST_SIDE * MOST_SIDE];
    ts_grid grid = read_grid(b, cells);
    Text t = {0};
    write_program(&t, b);
    ts_programs *programs = ts_programs_new();
    ts_status s;
    if (!programs) abort();
    // What is called with too many arguments, or calls a number, is no program.
    if (ts_programs_add_text(programs, "fuzz", t.data, t.length, true, NULL, NULL, &s)) {
        ts_result a = ts_run(fast, programs, 0, grid), p = ts_run(plain, programs, 0, grid);
        compare(&a, &p, t.data);
        if (!a.failure) check_literal(plain, &a);
    }
    ts_programs_free(programs);
    text_free(&t);
}

static void run_expression(ts_engine *fast, ts_engine *plain, const Bytes *b) {
    ts_result a, p;
    ts_status s;
    size_t n = (size_t)(b->end - b->at);
    char *text = malloc(n + 1);
    if (!text) abort();
    if (n) memcpy(text, b->at, n);
    text[n] = 0;
    bool good = ts_eval(fast, text, n, &a, &s);
    if (good != ts_eval(plain, text, n, &p, &s)) abort();
    if (good) compare(&a, &p, text);
    if (good && !a.failure) check_literal(plain, &a);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static ts_engine *fast, *plain;
    if (!fast) {
        fast = ts_engine_new();
        plain = ts_engine_new();
        if (!fast || !plain) abort();
        ts_engine_set_units(fast, UNITS);
        ts_engine_set_units(plain, PLAIN_UNITS);
        ts_engine_set_plain(plain, true);
    }
    Bytes b = {data, data + size};
    if (next(&b) % 2) run_program(fast, plain, &b);
    else run_expression(fast, plain, &b);
    return 0;
}
