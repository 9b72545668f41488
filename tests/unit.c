// What data cannot say: laws over thousands of random values and programs, and the memory underneath.
//
//     unit [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
//
// Runs in the root of the project, for it reads tests/laws.txt.
//
// Prints what fails, with the value it fails for, and closes with `N passed, N failed`.
#include <stdlib.h>
#include <time.h>

#include "base/hash.h"
#include "check.h"
#include "generate.h"
#include "program/evaluator.h"
#include "program/symbols.h"
#include "task/task.h"

#define MEMORY ((size_t)256 << 20)

typedef struct {
    Checks checks;
    Ctx c, scratch, fast, plain; // for values; for trying things out; for running a primitive both ways
    Gen g;
    ts_engine *engine;
} Unit;

static void empty(Ctx *c) { ctx_begin(c, INT64_MAX / 2); }

// Values of the round before are gone; a grid is there.
static void next_round(Unit *u) {
    empty(&u->c);
    gen_typed(&u->g, "Grid");
}

// The value as text, the last one's text forgotten.
static const char *shown(Value v) {
    static Text texts[4];
    static int next;
    Text *t = &texts[next++ % 4];
    text_clear(t);
    literal_print(t, v);
    return t->data;
}

// ---- Values ----

static void test_one_form(Unit *u) {
    check_begin(&u->checks, "a value made by another route has the same bytes and hash");
    for (int k = 0; k < 20000; k++) {
        next_round(u);
        Value v = gen_any(&u->g, 4), again = gen_rebuild(&u->g, v);
        if (u->c.failure) continue;
        bool same = value_equal(v, again) && gen_identical(v, again) && value_hash(v) == value_hash(again) &&
                    value_compare(&u->c, v, again) == 0;
        check(&u->checks, same, "%s and %s", shown(v), shown(again));
    }
    check_end(&u->checks);
}

static int sign(int n) { return (n > 0) - (n < 0); }

static void test_order(Unit *u) {
    check_begin(&u->checks, "the natural order is total");
    for (int k = 0; k < 20000; k++) {
        next_round(u);
        int depth = k % 3; // shallow ones meet their like more often
        Value a = gen_any(&u->g, depth), b = gen_any(&u->g, depth), d = gen_any(&u->g, depth);
        if (gen_chance(&u->g, 20)) b = gen_rebuild(&u->g, a);
        if (u->c.failure) continue;
        int ab = value_compare(&u->c, a, b), ba = value_compare(&u->c, b, a), bd = value_compare(&u->c, b, d),
            ad = value_compare(&u->c, a, d);
        check(&u->checks, sign(ab) == -sign(ba), "%s and %s: not antisymmetric", shown(a), shown(b));
        check(&u->checks, (ab == 0) == value_equal(a, b), "%s and %s: equal or not?", shown(a), shown(b));
        check(&u->checks, (ab == 0) <= (value_hash(a) == value_hash(b)), "%s: two hashes", shown(a));
        bool chain = (ab <= 0 && bd <= 0 && ad > 0) || (ab >= 0 && bd >= 0 && ad < 0);
        check(&u->checks, !chain, "%s, %s, %s: not transitive", shown(a), shown(b), shown(d));
    }
    check_end(&u->checks);
}

// What a comparison charges.
static int64_t units_to_compare(Unit *u, Value a, Value b) {
    const int64_t before = u->c.units;
    value_compare(&u->c, a, b);
    return before - u->c.units;
}

// A tuple that holds each of two values some times.
static Value tuple_of(Unit *u, Value a, Value b) {
    Value items[40];
    for (int k = 0; k < 40; k++) items[k] = k % 3 ? a : b;
    return value_tuple(&u->c, items, 40);
}

static void test_units_of_order(Unit *u) {
    check_begin(&u->checks, "what a comparison charges follows from the values, not from where they lie");
    int64_t most = 0;
    for (int k = 0; k < 2000; k++) {
        next_round(u);
        Value a = gen_any(&u->g, 2), b = gen_any(&u->g, 2), twin = gen_rebuild(&u->g, a);
        Value left = tuple_of(u, a, a), alike = tuple_of(u, twin, a), other = tuple_of(u, a, b);
        if (u->c.failure) continue;
        const int64_t same = units_to_compare(u, left, left);
        most = same > most ? same : most;
        check(&u->checks, same == units_to_compare(u, left, alike), "%s", shown(left));
        check(&u->checks, units_to_compare(u, left, other) == units_to_compare(u, alike, other), "%s and %s",
              shown(left), shown(other));
    }
    check(&u->checks, most > 1000, "nothing heavy was compared");
    check_end(&u->checks);
}

static void test_less(Unit *u) {
    check_begin(&u->checks, "Python's < agrees with the natural order, sets apart");
    for (int k = 0; k < 5000; k++) {
        next_round(u);
        static const char *const types[] = {"Integer", "IntegerTuple", "Grid", "Cell", "Tuple"};
        const char *type = types[k % 5];
        Value a = gen_typed(&u->g, type), b = gen_typed(&u->g, type);
        int before = value_sorts_before(&u->c, a, b);
        if (u->c.failure) continue; // what cannot be compared
        check(&u->checks, before == (value_compare(&u->c, a, b) < 0), "%s and %s", shown(a), shown(b));
    }
    check_end(&u->checks);
}

// What the reader makes of a text that is one value.
static Value read_back(Unit *u, const Text *t) {
    ts_result r;
    ts_status s;
    bool good = ts_eval(u->engine, t->data, t->length, &r, &s);
    return good && !r.failure ? r.value : VALUE_FAILED;
}

// Of a text that was cut off, the beginning and the number of what is left.
static void test_print_some(Unit *u) {
    check_begin(&u->checks, "a part of a value's text: its beginning, and how much is left");
    Text whole = {0}, part = {0};
    for (int k = 0; k < 5000; k++) {
        next_round(u);
        Value v = gen_any(&u->g, 3);
        if (u->c.failure) continue;
        const size_t most = gen_below(&u->g, 60);
        text_clear(&whole);
        text_clear(&part);
        literal_print(&whole, v);
        const bool all = literal_print_some(&part, v, most);
        const char *note = all ? NULL : strstr(part.data, " … ");
        const size_t shown = note ? (size_t)(note - part.data) : part.length;
        check(&u->checks, all || note, "%s: no note in %s", whole.data, part.data);
        check(&u->checks, !all || strcmp(part.data, whole.data) == 0, "%s is not %s", part.data, whole.data);
        check(&u->checks, strncmp(part.data, whole.data, shown) == 0 && shown <= most + 70,
              "%s is no beginning of %s, %zu bytes", part.data, whole.data, most);
        check(&u->checks, all || (shown >= most && strtol(note + strlen(" … "), NULL, 10) > 0), "%s",
              part.data);
        text_clear(&part);
        check(&u->checks, literal_print_some(&part, v, SIZE_MAX), "%s is not whole", part.data);
        Value pair = value_pair(&u->c, v, v), many = tuple_of(u, v, pair);
        char wanted[64];
        snprintf(wanted, sizeof wanted, "( … %u more elements", value_weight(many) - 1);
        text_clear(&part);
        literal_print_some(&part, many, 1);
        check(&u->checks, value_is_grid(many) || value_weight(many) > 1000 || strcmp(part.data, wanted) == 0,
              "%s, not %s", part.data, wanted);
    }
    text_free(&whole);
    text_free(&part);
    check_end(&u->checks);
}

static bool holds_function(Value v) {
    if (value_is(v, KIND_FUNC)) return true;
    if (!value_is(v, KIND_TUPLE) && !value_is(v, KIND_SET)) return false;
    for (uint32_t k = 0; k < value_obj(v)->n; k++)
        if (holds_function(obj_items(value_obj(v))[k])) return true;
    return false;
}

static void test_literals(Unit *u) {
    check_begin(&u->checks, "a printed value reads back as the same value");
    for (int k = 0; k < 10000; k++) {
        next_round(u);
        Value v = gen_any(&u->g, 3);
        if (u->c.failure) continue;
        Text t = {0};
        literal_print(&t, v);
        check(&u->checks, gen_identical(read_back(u, &t), v), "%s", t.data);
        text_clear(&t);
        literal_print_python(&t, v);
        if (!holds_function(v)) check(&u->checks, gen_identical(read_back(u, &t), v), "%s", t.data);
        text_free(&t);
    }
    check_end(&u->checks);
}

// ---- Words ----

static int compare_words(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t random_word(Gen *g, Kind kind, int64_t side) {
    int i = (int)gen_from(g, -side, side), j = (int)gen_from(g, -side, side);
    return kind == KIND_LOCS ? loc_word(i, j) : cell_word((int)gen_from(g, -128, 127), i, j);
}

static void test_words(Unit *u) {
    check_begin(&u->checks, "packed_finish sorts as a naive sort does");
    for (int k = 0; k < 5000; k++) {
        next_round(u);
        Kind kind = k % 2 ? KIND_LOCS : KIND_CELLS;
        uint32_t naive[400], n = 1 + gen_below(&u->g, k % 5 ? 30 : 400), kept = 0;
        int64_t side = (int64_t[]){2, 10, 31, 40, 2047}[gen_below(&u->g, 5)];
        Obj *o = packed_new(&u->c, kind, n);
        for (uint32_t w = 0; w < n; w++) naive[w] = packed_of(o)[w] = random_word(&u->g, kind, side);
        qsort(naive, n, sizeof *naive, compare_words);
        for (uint32_t w = 0; w < n; w++)
            if (kept == 0 || naive[w] != naive[kept - 1]) naive[kept++] = naive[w];
        Value v = packed_finish(&u->c, o, n);
        bool same = value_is(v, kind) && value_obj(v)->n == kept;
        same = same && memcmp(obj_words(value_obj(v)), naive, kept * sizeof *naive) == 0;
        check(&u->checks, same, "%s", shown(v));
        for (int probe = 0; probe < 20; probe++) {
            uint32_t w = random_word(&u->g, kind, side);
            bool there = bsearch(&w, naive, kept, sizeof *naive, compare_words) != NULL;
            check(&u->checks, packed_contain(value_obj(v), w) == there, "contains %u?", w);
        }
    }
    check_end(&u->checks);
}

// ---- The arena ----

static void test_arena(Unit *u) {
    check_begin(&u->checks, "arena: pieces are aligned, apart, within the limit, and used again");
    for (int k = 0; k < 200; k++) {
        Arena a;
        size_t limit = (size_t)gen_from(&u->g, 1, 3000000), asked = 0;
        arena_init(&a, limit);
        char *pieces[100];
        size_t sizes[100], held = 0;
        for (int round = 0; round < 3; round++) {
            int n = 0;
            for (; n < 100; n++) {
                sizes[n] = gen_chance(&u->g, 80) ? gen_below(&u->g, 300) : gen_below(&u->g, 200000);
                pieces[n] = arena_alloc(&a, sizes[n]);
                if (!pieces[n]) break;
                asked += sizes[n];
                memset(pieces[n], n, sizes[n]);
                check(&u->checks, (uintptr_t)pieces[n] % 16 == 0, "%p is not aligned", (void *)pieces[n]);
                check(&u->checks, a.held <= limit, "%zu held, limit %zu", a.held, limit);
            }
            for (int p = 0; p < n; p++)
                for (size_t b = 0; b < sizes[p]; b += 97)
                    check(&u->checks, pieces[p][b] == (char)p, "piece %d was written over", p);
            held = a.held;
            arena_reset(&a);
            check(&u->checks, a.held == held, "a reset gave blocks back");
        }
        size_t before = a.held;
        if (arena_alloc(&a, 16))
            check(&u->checks, a.held == before || before == 0, "a block was made, not used again");
        check(&u->checks, !arena_alloc(&a, SIZE_MAX) && !arena_alloc(&a, SIZE_MAX - 20), "an endless piece");
        arena_reset(&a); // all of it can be had, whatever was done before
        check(&u->checks, arena_alloc(&a, limit / 16 * 16), "no piece of %zu of %zu bytes", limit / 16 * 16,
              limit);
        check(&u->checks, arena_alloc(&a, 0), "no piece of no bytes, where all is in use");
        arena_free(&a);
        check(&u->checks, a.held == 0 && !a.blocks, "not all was freed");
        check(&u->checks, arena_alloc(&a, 0) && a.held == 0, "no piece of no bytes, where there is no block");
        check(&u->checks, !arena_alloc(&a, limit + 16) && arena_alloc(&a, 0), "none after one that failed");
        arena_free(&a);
    }
    check_end(&u->checks);
}

// Two arenas with one stock, and a third with none, are asked for the same: it makes no difference.
static void test_arena_stock(Unit *u) {
    check_begin(&u->checks, "arena: a stock keeps blocks within its limit, and changes nothing that is had");
    for (int k = 0; k < 100; k++) {
        ArenaStock stock = {.limit = (size_t)gen_below(&u->g, 2000000)};
        size_t limit = (size_t)gen_from(&u->g, 1, 3000000), most = 0;
        Arena arenas[3];
        for (int m = 0; m < 3; m++) arena_init_from(&arenas[m], limit, m < 2 ? &stock : NULL);
        for (int n = 0; n < 200; n++) {
            if (gen_chance(&u->g, 5)) arena_free(&arenas[1]); // so that what comes next may be used memory
            if (gen_chance(&u->g, 2)) {
                for (int m = 0; m < 3; m += 2) arena_free(&arenas[m]);
            }
            size_t size = gen_chance(&u->g, 80) ? gen_below(&u->g, 300) : gen_below(&u->g, 400000);
            char *pieces[3];
            for (int m = 0; m < 3; m++) pieces[m] = arena_alloc(&arenas[m], size);
            for (int m = 0; m < 3; m++)
                if (pieces[m]) memset(pieces[m], m, size);
            check(&u->checks, !pieces[0] == !pieces[2] && arenas[0].held == arenas[2].held,
                  "%zu held with a stock, %zu without", arenas[0].held, arenas[2].held);
            check(&u->checks, !pieces[0] || !size || !pieces[0][size - 1], "a piece was written over");
            check(&u->checks, stock.held <= stock.limit, "%zu in stock of %zu", stock.held, stock.limit);
            if (stock.held > most) most = stock.held;
        }
        for (int m = 0; m < 3; m++) arena_free(&arenas[m]);
        check(&u->checks, most || stock.limit < 1000000 || limit < 1000000, "nothing came into the stock");
        arena_stock_free(&stock);
        check(&u->checks, !stock.held && !stock.blocks, "not all was freed");
    }
    check_end(&u->checks);
}

// ---- Primitives ----

enum { OP_UNITS = 2 * 1000 * 1000 };

static bool run_op(Ctx *c, Op op, const Value *a, bool plain, Value *result) {
    empty(c);
    c->units = OP_UNITS;
    c->plain = plain;
    *result = ops_table[op].fn(c, a);
    return !c->failure;
}

static const char *shown_call(Op op, const Value *a) {
    static Text t;
    text_clear(&t);
    text_print(&t, "%s(", ops_table[op].name);
    for (int k = 0; k < ops_table[op].arity; k++) {
        if (k) text_add(&t, ", ");
        literal_print(&t, a[k]);
    }
    text_char(&t, ')');
    return t.data;
}

static uint64_t hash_arguments(Op op, const Value *a) {
    uint64_t h = 0;
    for (int k = 0; k < ops_table[op].arity; k++) h = h * 31 + value_hash(a[k]);
    return h;
}

// With the units that it spends a primitive does what it does; with fewer they end.
static bool ends_with_units(Unit *u, Op op, const Value *a, int64_t spent) {
    ctx_begin(&u->fast, spent);
    ops_table[op].fn(&u->fast, a);
    if (u->fast.failure || u->fast.units) return false;
    if (spent == 0) return true;
    ctx_begin(&u->fast, gen_below(&u->g, (uint32_t)spent));
    ops_table[op].fn(&u->fast, a);
    return u->fast.failure == TS_FAIL_BUDGET;
}

// The fast path against the plain one; the result in its one form; the arguments left as they are; the same
// units whenever it runs, and wherever the parts of its arguments lie; and no more than it is given.
static void test_op(Unit *u, Op op) {
    enum { ROUNDS = 400, LEAST = 20 };
    check_begin(&u->checks, ops_table[op].name);
    int good = 0;
    for (int k = 0; k < ROUNDS; k++) {
        next_round(u);
        Value a[4], fast, plain;
        gen_arguments(&u->g, op, a);
        if (u->c.failure) continue;
        uint64_t before = hash_arguments(op, a);
        bool fast_good = run_op(&u->fast, op, a, false, &fast),
             plain_good = run_op(&u->plain, op, a, true, &plain);
        if (u->fast.failure == TS_FAIL_BUDGET || u->plain.failure == TS_FAIL_BUDGET) continue;
        check(&u->checks, hash_arguments(op, a) == before, "%s changes its arguments", shown_call(op, a));
        check(&u->checks, fast_good == plain_good, "%s: fast %s (%s), plain %s (%s)", shown_call(op, a),
              fast_good ? shown(fast) : "!", ts_failure_name(u->fast.failure),
              plain_good ? shown(plain) : "!", ts_failure_name(u->plain.failure));
        if (!fast_good || !plain_good) continue;
        good++;
        check(&u->checks, gen_identical(fast, plain), "%s: fast %s, plain %s", shown_call(op, a), shown(fast),
              shown(plain));
        Value again = gen_rebuild(&u->g, fast);
        bool too_large = u->c.failure == TS_FAIL_BUDGET; // a grid of millions of cells, row by row
        check(&u->checks, too_large || gen_identical(fast, again), "%s: %s is not in its one form",
              shown_call(op, a), shown(fast));
        int64_t units = u->fast.units;
        check(&u->checks, run_op(&u->fast, op, a, false, &fast) && u->fast.units == units, "%s: other units",
              shown_call(op, a));
        const int64_t plain_units = u->plain.units;
        Value apart[4]; // equal, with no part in common
        for (int arg = 0; arg < ops_table[op].arity; arg++) apart[arg] = gen_rebuild(&u->g, a[arg]);
        if (u->c.failure) continue;
        check(&u->checks, run_op(&u->fast, op, apart, false, &fast) && u->fast.units == units,
              "%s: other units for the same values apart", shown_call(op, a));
        check(&u->checks, run_op(&u->plain, op, apart, true, &plain) && u->plain.units == plain_units,
              "%s: other units of the plain path for the same values apart", shown_call(op, a));
        const int64_t spent = OP_UNITS - units;
        check(&u->checks, ends_with_units(u, op, a, spent), "%s does not end with %lld units",
              shown_call(op, a), (long long)spent);
    }
    check(&u->checks, good >= LEAST, "only %d of %d calls did not fail: the test says little", good, ROUNDS);
    check_end(&u->checks);
    if (getenv("UNIT_COUNTS")) printf("  %-14s %d of %d\n", ops_table[op].name, good, ROUNDS);
}

// Grids of any width up to 70, for which rows are one, two or three pieces of 32 cells, or no row of bits.
static void test_wide(Unit *u) {
    static const Op ops[] = {OP_ofcolor,     OP_colorcount, OP_asobject,  OP_partition,
                             OP_fgpartition, OP_palette,    OP_mostcolor, OP_leastcolor,
                             OP_numcolors,   OP_objects,    OP_asindices};
    check_begin(&u->checks, "grids of any width");
    for (int k = 0; k < 150; k++) {
        next_round(u);
        int64_t height = gen_from(&u->g, 1, 40), width = gen_from(&u->g, 1, 70);
        const int least = (int[]){0, 0, 0, 5, -128, 14}[gen_below(&u->g, 6)];
        const uint32_t colors = 1 + gen_below(&u->g, 5);
        Obj *grid = value_grid_new(&u->c, height, width);
        for (int64_t at = 0; at < height * width; at++) {
            bool rare = gen_chance(&u->g, 20);
            grid_cells(grid)[at] = (int8_t)(least + (rare ? (int)gen_below(&u->g, colors) : 0));
        }
        Value a[4] = {value_of_obj(grid), value_of_small(least + (int)gen_below(&u->g, 2))}, fast, plain;
        for (size_t op = 0; op < sizeof ops / sizeof *ops; op++) {
            if (ops[op] == OP_objects)
                for (int flag = 1; flag < 4; flag++) a[flag] = value_bool(gen_chance(&u->g, 50));
            bool good = run_op(&u->fast, ops[op], a, false, &fast);
            if (!run_op(&u->plain, ops[op], a, true, &plain) && u->plain.failure == TS_FAIL_BUDGET) continue;
            check(&u->checks, good && gen_identical(fast, plain), "%s of %d by %d cells",
                  ops_table[ops[op]].name, (int)height, (int)width);
        }
    }
    check_end(&u->checks);
}

// ---- Laws ----

static void test_law(Unit *u, const char *type, const char *law) {
    enum { ROUNDS = 300, LEAST = 60 };
    check_begin(&u->checks, law);
    Text t = {0};
    text_print(&t, "def law(I):\n    return %s\n", law);
    ts_status s;
    ts_programs *set = ts_programs_new();
    bool readable = ts_programs_add_text(set, "laws.txt", t.data, t.length, true, NULL, NULL, &s);
    check(&u->checks, readable, "%s", s.message);
    int good = 0;
    for (int k = 0; readable && k < ROUNDS; k++) {
        next_round(u);
        Value input = gen_typed(&u->g, type);
        uint32_t line;
        empty(&u->fast);
        u->fast.plain = k % 4 == 0;
        Value result = program_run(&u->fast, set->programs, VALUE_NO_TUPLE, input, VALUE_NONE, &line);
        if (u->fast.failure) continue;
        good++;
        check(&u->checks, value_same(result, value_bool(true)), "not for I = %s", shown(input));
    }
    check(&u->checks, good >= LEAST, "fails for all but %d of %d values", good, ROUNDS);
    check_end(&u->checks);
    ts_programs_free(set);
    text_free(&t);
}

static void test_laws(Unit *u) {
    Text t = {0};
    ts_status s;
    if (!text_read_file(&t, "tests/laws.txt", &s)) {
        printf("%s\n", s.message);
        u->checks.failed++;
        return;
    }
    char *rest = t.data;
    for (char *line; (line = strsep(&rest, "\n"));) {
        char *law = strchr(line, ' ');
        if (line[0] == '#' || !law) continue;
        *law++ = 0;
        test_law(u, line, law);
    }
    text_free(&t);
}

// ---- Programs ----

static bool same_program(const Program *p, const Program *q) {
    bool same = strcmp(p->name, q->name) == 0 && p->takes_samples == q->takes_samples &&
                p->result == q->result && p->constant_count == q->constant_count &&
                p->line_count == q->line_count;
    for (uint32_t k = 0; same && k < p->constant_count; k++)
        same = gen_identical(p->constants[k], q->constants[k]);
    for (uint32_t k = 0; same && k < p->line_count; k++) {
        const Line *a = &p->lines[k], *b = &q->lines[k];
        same = a->op == b->op && a->n == b->n && a->callee == b->callee &&
               memcmp(a->args, b->args, a->n * sizeof *a->args) == 0;
    }
    return same;
}

static bool gives(Unit *u, const Program *p, Value input, Value wanted) {
    uint32_t line;
    empty(&u->fast);
    u->fast.plain = false;
    Value got = program_run(&u->fast, p, VALUE_NO_TUPLE, input, VALUE_NONE, &line);
    return !u->fast.failure && gen_identical(got, wanted);
}

// Runs with exactly the units that it needs, and not with one less.
static bool counts_units(Unit *u, const ts_programs *set, Value input) {
    const Obj *o = value_obj(input);
    ts_grid grid = {(int)o->n, (int)o->width, obj_cells(o)};
    ts_engine_set_units(u->engine, 1000 * 1000 * 1000);
    ts_result all = ts_run(u->engine, set, 0, grid);
    if (all.failure || all.units == 0) return !all.failure; // a program of no lines costs nothing
    ts_engine_set_units(u->engine, all.units);
    ts_result enough = ts_run(u->engine, set, 0, grid);
    ts_engine_set_units(u->engine, all.units - 1);
    ts_result less = ts_run(u->engine, set, 0, grid);
    ts_engine_set_units(u->engine, 1000 * 1000 * 1000);
    return !enough.failure && enough.units == all.units && less.failure == TS_FAIL_BUDGET;
}

static void test_program(Unit *u, const Text *text, Value grid, Value wanted) {
    ts_programs *first = ts_programs_new(), *second = ts_programs_new();
    ts_status s = {0};
    bool readable = ts_programs_add_text(first, "random.py", text->data, text->length, true, NULL, NULL, &s);
    if (check(&u->checks, readable, "%d:%d: %s\n%s", s.line, s.column, s.message, text->data)) {
        const Program *p = &first->programs[0];
        char *printed = ts_programs_print(first, 0);
        check(&u->checks, gives(u, p, grid, wanted), "another result than %s\n%sfor %s", shown(wanted),
              text->data, shown(grid));
        check(&u->checks, counts_units(u, first, grid), "units\n%s", text->data);
        readable = ts_programs_add_text(second, "printed.py", printed, strlen(printed), true, NULL, NULL, &s);
        if (check(&u->checks, readable, "printed: %s\n%s", s.message, printed)) {
            char *again = ts_programs_print(second, 0);
            check(&u->checks, strcmp(printed, again) == 0, "prints as\n%sthen as\n%s", printed, again);
            check(&u->checks, same_program(p, &second->programs[0]), "not the same program\n%s", printed);
            check(&u->checks, gives(u, &second->programs[0], grid, wanted), "another result\n%s", printed);
            free(again);
        }
        free(printed);
    }
    ts_programs_free(first);
    ts_programs_free(second);
}

static void test_programs(Unit *u) {
    enum { ROUNDS = 4000, LEAST = 2000 };
    check_begin(&u->checks, "random programs: read, run, print, read again");
    int written = 0;
    for (int k = 0; k < ROUNDS; k++) {
        next_round(u);
        Value grid = gen_typed(&u->g, "Grid"), wanted;
        Text text = {0};
        if (gen_program(&u->g, "solve_random", grid, &text, &wanted)) {
            written++;
            test_program(u, &text, grid, wanted);
        }
        text_free(&text);
    }
    check(&u->checks, written >= LEAST, "only %d programs of %d", written, ROUNDS);
    check_end(&u->checks);
}

// Whatever the units and the memory, a program gives its result or fails with `budget`.
static void test_limits(Unit *u) {
    check_begin(&u->checks, "little memory and few units: the same result or budget");
    for (int k = 0; k < 300; k++) {
        next_round(u);
        Value grid = gen_typed(&u->g, "Grid"), wanted;
        Text text = {0};
        ts_programs *set = ts_programs_new();
        ts_status s;
        bool good = gen_program(&u->g, "solve_random", grid, &text, &wanted) &&
                    ts_programs_add_text(set, "random.py", text.data, text.length, true, NULL, NULL, &s);
        for (int round = 0; good && round < 40; round++) {
            Ctx c;
            uint32_t line;
            gen_context(&c, round % 2 ? (size_t)gen_below(&u->g, 40000) : MEMORY);
            if (round % 2 == 0) c.units = gen_below(&u->g, 3000);
            Value got = program_run(&c, &set->programs[0], VALUE_NO_TUPLE, grid, VALUE_NONE, &line);
            bool same = c.failure ? c.failure == TS_FAIL_BUDGET : gen_identical(got, wanted);
            check(&u->checks, same, "%s\n%s", ts_failure_name(c.failure), text.data);
            arena_free(&c.arena);
        }
        ts_programs_free(set);
        text_free(&text);
    }
    check_end(&u->checks);
}

// ---- The rest of the public header ----

static void test_public(Unit *u) {
    check_begin(&u->checks, "the small functions of tessera.h");
    static const signed char cells[] = {1, 2, 3, 4}, others[] = {1, 2, 3, 5};
    ts_grid a = {2, 2, cells}, b = {2, 2, others}, wide = {1, 4, cells};
    check(&u->checks, ts_grid_equal(a, a) && !ts_grid_equal(a, b) && !ts_grid_equal(a, wide),
          "ts_grid_equal");
    check(&u->checks, ts_ops_count() >= 160, "%zu primitives", ts_ops_count());
    check(&u->checks, strcmp(ts_ops_nearest("objcts"), "objects") == 0, "nearest to objcts");
    check(&u->checks, !ts_ops_nearest("nothinglikeit"), "nearest to nothing");
    for (size_t k = 0; k < ts_ops_count(); k++) {
        ts_op op = ts_ops_at(k);
        check(&u->checks, strcmp(ts_ops_nearest(op.name), op.name) == 0, "nearest to %s", op.name);
        check(&u->checks, op.arity >= 1 && op.arity <= 4 && op.doc[0] && op.example[0], "%s", op.name);
    }
    for (int k = 0; k < TS_FAIL_KINDS; k++)
        check(&u->checks, ts_failure_name((ts_failure)k)[0], "failure %d", k);
    check(&u->checks, strcmp(ts_failure_name((ts_failure)99), "unknown") == 0, "failure 99");
    ts_programs *set = ts_programs_new();
    ts_status s;
    const char *text = "def a(I): return I\ndef b(I): return 5\n";
    check(&u->checks, ts_programs_add_text(set, "", text, strlen(text), true, NULL, NULL, &s), "%s",
          s.message);
    check(&u->checks, ts_programs_count(set) == 2 && ts_programs_find(set, "b") == 1, "two programs");
    check(&u->checks, ts_programs_find(set, "c") == -1 && strcmp(ts_programs_name(set, 0), "a") == 0, "find");
    ts_result r = ts_run(u->engine, set, 0, a);
    check(&u->checks, !r.failure && ts_value_is_grid(r.value) && ts_grid_equal(ts_value_grid(r.value), a),
          "run a");
    r = ts_run(u->engine, set, 1, a);
    check(&u->checks, !r.failure && !ts_value_is_grid(r.value), "run b");
    ts_programs_free(set);
    ts_programs_free(NULL);
    ts_engine_free(NULL);
    ts_tasks_free(NULL);
    check_end(&u->checks);
}

// Of many points some hundred stay, the first and the last among them, and no number ever falls.
static void test_curve(Unit *u) {
    enum { POINTS = 100000, MOST = 500 };
    check_begin(&u->checks, "the curve of a profile");
    ts_profile *p = ts_profile_new();
    for (unsigned k = 0; p && k <= POINTS; k++) ts_profile_point(p, k % 1000 ? k / 1000 : 0, k);
    ts_profile_point(p, 0, 0); // as if nothing were there any more
    char *report = p ? ts_profile_report(p, "test") : NULL,
         *at = report ? strstr(report, "\"curve\": [") : NULL;
    at = at ? at + strlen("\"curve\": [") : NULL;
    int points = 0;
    double seconds, last_seconds = 0;
    unsigned solved = 0, programs = 0, last_solved = 0, last_programs = 0;
    for (int length; at && sscanf(at, "[%lf, %u, %u]%n", &seconds, &solved, &programs, &length) == 3;
         points++) {
        check(&u->checks, points || !programs, "the first point is gone: %u programs", programs);
        check(&u->checks, seconds >= last_seconds && solved >= last_solved && programs >= last_programs,
              "point %d: %g s, %u solved, %u programs after %g s, %u, %u", points, seconds, solved, programs,
              last_seconds, last_solved, last_programs);
        last_seconds = seconds, last_solved = solved, last_programs = programs;
        at += length;
        at += strspn(at, ", ");
    }
    check(&u->checks, points > MOST / 4 && points <= MOST, "%d points", points);
    check(&u->checks, programs == POINTS && solved == POINTS / 1000 - 1, "the last one: %u, %u", solved,
          programs);
    free(report);
    ts_profile_free(p);
    check_end(&u->checks);
}

// A set takes many texts one after the other and can be emptied: what one text had does not show in the next.
static void test_reading(Unit *u) {
    enum { MANY = 3000 };
    Text many = {0}, chain = {0};
    for (int k = 0; k <= MANY; k++) text_print(&many, "def the_program_%d(I): return %d\n", k % MANY, k);
    text_add(&chain, "def chain(I):\n    a_long_variable_0 = 0\n");
    for (int k = 1; k <= MANY; k++)
        text_print(&chain, "    a_long_variable_%d = add(a_long_variable_%d, %d)\n", k, k - 1, k);
    text_print(&chain, "    return a_long_variable_%d", MANY); // and nothing after the name
    check_begin(&u->checks, "texts one after the other");
    ts_programs *set = ts_programs_new();
    ts_status s;
    for (int round = 0; set && round < 3; round++, programs_reset(set)) {
        bool good = ts_programs_add_text(set, "", many.data, many.length, false, NULL, NULL, &s);
        check(&u->checks, !good && s.line == MANY + 1 && strstr(s.message, "a second program"),
              "a second name");
        check(&u->checks, ts_programs_count(set) == MANY, "%zu programs", ts_programs_count(set));
        good = ts_programs_add_text(set, "", chain.data, chain.length, true, NULL, NULL, &s);
        check(&u->checks, good, "line %d: %s", s.line, s.message);
        ts_result r = good ? ts_run(u->engine, set, MANY, (ts_grid){0}) : (ts_result){0};
        check(&u->checks, value_same(r.value, value_of_small(MANY * (MANY + 1) / 2)), "the sum of the chain");
        const char *bad = "def one(I): return a_long_variable_1", *again = "def the_program_7(I): return I";
        good = ts_programs_add_text(set, "", bad, strlen(bad), true, NULL, NULL, &s);
        check(&u->checks, !good && strstr(s.message, "unknown name"), "a variable of another program");
        good = ts_programs_add_text(set, "", again, strlen(again), true, NULL, NULL, &s);
        check(&u->checks, good, "%s", s.message);
        check(&u->checks, ts_programs_count(set) == MANY + 2, "a name of another text");
    }
    check(&u->checks, set && ts_programs_count(set) == 0, "an empty set");
    ts_programs_free(set);
    text_free(&many);
    text_free(&chain);
    check_end(&u->checks);
}

// ---- Keys that were made to fall together ----

enum { CROWD = 4096, SHARED_BITS = 11 };

// How far the things of an index lie from where they were to lie, on average.
static double mean_way(const Index *x) {
    uint64_t way = 0;
    for (uint32_t k = 0; x->count && k <= x->mask; k++)
        if (x->slots[k]) way += (k - (uint32_t)(x->slots[k] >> 32)) & x->mask;
    return x->count ? (double)way / x->count : 1e9;
}

// The next text of letters whose hash, such as anyone can compute, ends in zeros.
static void next_key(uint64_t *number, char key[8], uint64_t (*hash)(const char *)) {
    do {
        uint64_t n = ++*number;
        memcpy(key, "aaaaaa", 7);
        for (int k = 0; k < 6; k++, n /= 26) key[k] = (char)('a' + n % 26);
    } while (hash(key) % (1 << SHARED_BITS));
}

static uint64_t hash_of_name(const char *key) {
    uint64_t head = 0;
    memcpy(&head, key, 6);
    return hash_mix(0, head);
}

static uint64_t hash_of_id(const char *key) { return hash_bytes(0, key, 6); }

static void test_crowds(Unit *u) {
    enum { FEW = 16 }; // where the hashes are good it is about one half; with a seed of 0, 500
    char key[8];
    uint64_t number = 0, drawn = hash_seed;
    check_begin(&u->checks, "names, ids and constants that share a hash");
    check(&u->checks, drawn != 0, "no seed was drawn");
    hash_seed = 0x2545F4914F6CDD1D; // one seed in 300 is past FEW
    Symbols symbols = {0};
    static char names[CROWD][8];
    for (int k = 0; k < CROWD; k++) {
        next_key(&number, names[k], hash_of_name);
        Lexer l = lexer_begin(names[k], 6);
        Token t;
        lexer_next(&l, &t);
        symbols_variable(&symbols, &t);
    }
    check(&u->checks, symbols.count == CROWD && mean_way(&symbols.index) < FEW, "names are %.0f away",
          mean_way(&symbols.index));
    symbols_free(&symbols);

    ts_tasks *tasks = calloc(1, sizeof *tasks);
    if (tasks) arena_init(&tasks->arena, MEMORY);
    for (int k = (int)(number = 0); tasks && k < CROWD; k++) {
        next_key(&number, key, hash_of_id);
        task_set_add(tasks, key, 6);
    }
    check(&u->checks, tasks && mean_way(&tasks->ids) < FEW, "ids are %.0f away", mean_way(&tasks->ids));
    ts_tasks_free(tasks);

    Draft draft = {0};
    for (int64_t n = 0; draft.constant_count < CROWD; n++) {
        Value v = value_of_small(n);
        if (hash_mix(1, v.bits) % (1 << SHARED_BITS) == 0) draft_constant(&draft, v);
    }
    check(&u->checks, mean_way(&draft.index) < FEW, "constants are %.0f away", mean_way(&draft.index));
    draft_free(&draft);
    hash_seed = drawn;
    check_end(&u->checks);
}

// ---- Problems at the end of a long text ----

static double seconds_to_read(Text *text, int problems) {
    size_t length = text->length;
    for (int k = 0; k < problems; k++) text_print(text, "def bad_%d(I): return wrong\n", k);
    ts_programs *set = ts_programs_new();
    ts_status s;
    clock_t start = clock(); // processor time: what else the machine does is not in it
    if (set) ts_programs_add_text(set, "", text->data, text->length, false, NULL, NULL, &s);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ts_programs_free(set);
    text->length = length;
    return seconds;
}

static void test_places(Unit *u) {
    check_begin(&u->checks, "the places of many problems");
    Text text = {0};
    for (int k = 0; k < 1 << 18; k++) text_add(&text, "# a comment like others\n");
    double one = seconds_to_read(&text, 1), many = seconds_to_read(&text, 900);
    check(&u->checks, many < 50 * one, "%.3f s, for one problem %.3f s", many, one);
    StatusPlace known = {0};
    for (int k = 0; k < 200; k++) { // forwards and backwards, as one that knows nothing
        size_t at = gen_below(&u->g, k % 2 ? 100 : (uint32_t)text.length);
        Status a = {0}, b = {0};
        status_locate(&a, &known, "", text.data, text.length, at);
        status_locate(&b, NULL, "", text.data, text.length, at);
        check(&u->checks,
              a.line == b.line && a.column == b.column && a.line == (int)(at / 24) + 1 &&
                  a.column == (int)(at % 24) + 1,
              "byte %zu: %d:%d, not %d:%d", at, a.line, a.column, b.line, b.column);
    }
    text_free(&text);
    check_end(&u->checks);
}

static void test_all(Unit *u, uint64_t seed) {
    u->g = (Gen){.rng = {seed}, .c = &u->c, .scratch = &u->scratch};
    test_one_form(u);
    test_order(u);
    test_units_of_order(u);
    test_print_some(u);
    test_less(u);
    test_literals(u);
    test_words(u);
    test_arena(u);
    test_arena_stock(u);
    for (int op = 0; op < OPS; op++) test_op(u, (Op)op);
    test_wide(u);
    test_laws(u);
    test_programs(u);
    test_limits(u);
}

int main(int argc, char **argv) {
    static Unit u;
    gen_context(&u.c, MEMORY);
    gen_context(&u.scratch, MEMORY);
    gen_context(&u.fast, MEMORY);
    gen_context(&u.plain, MEMORY);
    u.engine = ts_engine_new();
    if (!u.engine) return 1;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    for (uint64_t seed = first; seed <= last; seed++) test_all(&u, seed);
    test_public(&u);
    test_reading(&u);
    test_crowds(&u);
    test_places(&u);
    test_curve(&u);
    ts_engine_free(u.engine);
    arena_free(&u.c.arena);
    arena_free(&u.scratch.arena);
    arena_free(&u.fast.arena);
    arena_free(&u.plain.arena);
    return check_summary(&u.checks);
}
