// Functions over columns of values.
//
// Calling compose(f, g) element by element walks through the function once for each element, and that walk
// costs more than most of the primitives in it. So it is done once: g for the whole column, then f for the
// whole column of results. Where a fixed argument comes in (rbind, lbind) it is a column that stands still.
// Every element is needed anyway, so nothing is computed that would not have been; only which failure comes
// first may differ, and a failure is a failure.
//
// The steps met most often on numbers, locations and cells have a loop of their own here; all others call the
// primitive for each element. In plain mode everything is called element by element, which is the reference.
#include "dsl/column.h"

#include "dsl/patch.h"

enum {
    STEP_UNITS = 2, // of one primitive on one element
    WALK_UNITS = 4, // of one function on a column
    FEW = 2,        // fewer elements than this are called one by one
    MANY = 16,      // columns of this length are kept
};

// Value k is v[k * step]; a step of 0 is a fixed argument.
typedef struct {
    const Value *v;
    size_t step;
} Column;

static Value *new_column(Ctx *c, size_t n) { return ctx_alloc(c, (n + 1) * sizeof(Value)); }

const Value *column_of(Ctx *c, Value container, size_t *n) {
    Iter it = iter(c, container);
    *n = it.n;
    if (c->failure) return NULL;
    if (value_is(container, KIND_TUPLE) || value_is(container, KIND_SET))
        return obj_items(value_obj(container));
    CtxColumn *kept = &c->columns[container.bits / 16 % CTX_COLUMNS];
    const bool worth_it = it.n >= MANY && value_tag(container) == TAG_OBJ;
    if (worth_it && !c->plain && kept->key == container.bits && !kept->in) {
        ctx_charge(c, kept->cost);
        return c->failure ? NULL : kept->out;
    }
    int64_t before = c->units;
    Value *column = new_column(c, it.n);
    if (!column) return NULL;
    values_of(c, container, column);
    if (worth_it) {
        *kept = (CtxColumn){container.bits, NULL, column, it.n, before - c->units};
        c->keeps_columns = true;
    }
    return c->failure ? NULL : column;
}

// ---- Steps with a loop of their own ----

// The kinds of containers that functions over elements meet: pairs, and tuples of some elements.
static inline bool has_elements(Value x) {
    unsigned tag = value_tag(x);
    if (tag != TAG_OBJ) return tag == TAG_LOC || tag == TAG_CELL;
    return value_obj(x)->kind == KIND_GRID || (value_obj(x)->kind == KIND_TUPLE && value_obj(x)->n > 0);
}

// Mostly a pair of locations, which is a grid of two columns.
static inline Value row_of(Ctx *c, const int8_t *cells, uint32_t width) {
    return width == 2 ? value_of_loc(loc_word(cells[0], cells[1])) : value_row(c, cells, width);
}

static inline Value first_of(Ctx *c, Value x) {
    if (value_is_loc(x)) return value_of_small(word_i(value_word(x)));
    if (value_is_cell(x)) return value_of_small(word_v(value_word(x)));
    const Obj *o = value_obj(x);
    return o->kind == KIND_GRID ? row_of(c, obj_cells(o), o->width) : obj_items(o)[0];
}

static inline Value last_of(Ctx *c, Value x) {
    if (value_is_loc(x)) return value_of_small(word_j(value_word(x)));
    if (value_is_cell(x)) return value_of_loc(word_loc(value_word(x)));
    const Obj *o = value_obj(x);
    if (o->kind == KIND_GRID) return row_of(c, obj_cells(o) + (size_t)(o->n - 1) * o->width, o->width);
    return obj_items(o)[o->n - 1];
}

// Where element k is in a location, in a cell as (row, column, colour) (see rank.c), or in a pair of
// locations, which is a grid; -1 for anything else, and where there is none.
static inline int place_of(Value x, Value k) {
    bool is_pair = value_is_loc(x) || (value_is_grid(x) && value_obj(x)->n == 2);
    int64_t n = is_pair ? 2 : value_is_cell(x) ? 3 : 0, place = value_is_small(k) ? value_small(k) : n;
    if (place < 0) place += n;
    return place >= 0 && place < n ? (int)place : -1;
}

static inline Value element_at(Ctx *c, Value x, int place) {
    if (value_is_grid(x)) {
        const Obj *o = value_obj(x);
        return row_of(c, obj_cells(o) + (size_t)place * o->width, o->width);
    }
    uint32_t word = value_word(x);
    return value_of_small(place == 0 ? word_i(word) : place == 1 ? word_j(word) : word_v(word));
}

static int extreme_of_loc(uint32_t word, bool greatest) {
    int i = word_i(word), j = word_j(word);
    return (i > j) == greatest ? i : j;
}

// Each is a loop over all elements: what is given for the usual kind of value, else the primitive itself.
#define STEP1(op, usual, result)                                     \
    static void step_##op(Ctx *c, Column in, size_t n, Value *out) { \
        for (size_t k = 0; k < n; k++) {                             \
            Value x = in.v[k * in.step];                             \
            out[k] = (usual) ? (result) : op_##op(c, &x);            \
        }                                                            \
    }

STEP1(first, has_elements(x), first_of(c, x))
STEP1(last, has_elements(x), last_of(c, x))
STEP1(even, value_is_small(x), value_bool(value_small(x) % 2 == 0))
STEP1(positive, value_is_small(x), value_bool(value_small(x) > 0))
STEP1(flip, value_is_small(x), value_bool(value_small(x) == 0))
STEP1(size, value_tag(x) == TAG_OBJ && value_is_container(x), value_of_small(value_obj(x)->n))
STEP1(color, value_is(x, KIND_CELLS), value_of_small(word_v(obj_words(value_obj(x))[0])))
STEP1(sign, value_is_small(x), value_of_small((value_small(x) > 0) - (value_small(x) < 0)))
STEP1(maximum, value_is_loc(x), value_of_small(extreme_of_loc(value_word(x), true)))
STEP1(minimum, value_is_loc(x), value_of_small(extreme_of_loc(value_word(x), false)))
STEP1(toivec, value_is_small(x), value_loc(c, value_small(x), 0))
STEP1(tojvec, value_is_small(x), value_loc(c, 0, value_small(x)))

static void step_identity(Ctx *c, Column in, size_t n, Value *out) {
    (void)c;
    for (size_t k = 0; k < n; k++) out[k] = in.v[k * in.step];
}

#define STEP2(op, usual, result)                                                 \
    static void step_##op(Ctx *c, Column p, Column q, size_t n, Value *out) {    \
        for (size_t k = 0; k < n; k++) {                                         \
            Value a[2] = {p.v[k * p.step], q.v[k * q.step]}, x = a[0], y = a[1]; \
            out[k] = (usual) ? (result) : op_##op(c, a);                         \
        }                                                                        \
    }

#define BOTH_SMALL (value_is_small(x) && value_is_small(y))
#define BOTH_LOCS (value_is_loc(x) && value_is_loc(y))
#define SMALL_SUM(sign) value_int(c, value_small(x) sign value_small(y))
#define LOC_SUM(sign)                                              \
    value_loc(c, word_i(value_word(x)) sign word_i(value_word(y)), \
              word_j(value_word(x)) sign word_j(value_word(y)))

STEP2(add, BOTH_SMALL || BOTH_LOCS, value_is_loc(x) ? LOC_SUM(+) : SMALL_SUM(+))
STEP2(subtract, BOTH_SMALL || BOTH_LOCS, value_is_loc(x) ? LOC_SUM(-) : SMALL_SUM(-))
STEP2(multiply, BOTH_SMALL &&fits_loc(value_small(x), value_small(y)),
      value_of_small(value_small(x) * value_small(y)))
STEP2(equality, value_tag(x) != TAG_OBJ || value_tag(y) != TAG_OBJ, value_bool(value_same(x, y)))
STEP2(greater, BOTH_SMALL, value_bool(value_small(x) > value_small(y)))
STEP2(both, value_is_small(x), value_small(x) ? y : x)
STEP2(either, value_is_small(x), value_small(x) ? x : y)
STEP2(astuple, true, value_pair(c, x, y))
STEP2(get_nth_f, place_of(x, y) >= 0, element_at(c, x, place_of(x, y)))

typedef void Step1(Ctx *c, Column in, size_t n, Value *out);
typedef void Step2(Ctx *c, Column p, Column q, size_t n, Value *out);

#define HAS_STEP(op) [OP_##op] = step_##op
static Step1 *const steps1[OPS] = {
    HAS_STEP(identity), HAS_STEP(first),  HAS_STEP(last),   HAS_STEP(even),    HAS_STEP(positive),
    HAS_STEP(flip),     HAS_STEP(size),   HAS_STEP(color),  HAS_STEP(maximum), HAS_STEP(minimum),
    HAS_STEP(sign),     HAS_STEP(toivec), HAS_STEP(tojvec),
};
static Step2 *const steps2[OPS] = {
    HAS_STEP(add),  HAS_STEP(subtract), HAS_STEP(multiply), HAS_STEP(equality),  HAS_STEP(greater),
    HAS_STEP(both), HAS_STEP(either),   HAS_STEP(astuple),  HAS_STEP(get_nth_f),
};

// Calls a primitive for each row of arguments. A row that is the one before it again gets the same result,
// and is charged what that one cost: so the units are the same however the values came to be.
static void call_rows1(Ctx *c, OpFn *fn, Column in, size_t n, Value *out) {
    int64_t cost = 0;
    Value last = VALUE_FAILED; // which no element is
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value x = in.v[k * in.step];
        if (value_same(x, last)) {
            out[k] = out[k - 1];
            ctx_charge(c, cost);
            continue;
        }
        int64_t before = c->units;
        last = x;
        out[k] = fn(c, &x);
        cost = before - c->units;
    }
}

static void call_rows2(Ctx *c, OpFn *fn, Column p, Column q, size_t n, Value *out) {
    int64_t cost = 0;
    Value a[2] = {VALUE_FAILED, VALUE_FAILED};
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value x = p.v[k * p.step], y = q.v[k * q.step];
        if (value_same(x, a[0]) && value_same(y, a[1])) {
            out[k] = out[k - 1];
            ctx_charge(c, cost);
            continue;
        }
        int64_t before = c->units;
        a[0] = x;
        a[1] = y;
        out[k] = fn(c, a);
        cost = before - c->units;
    }
}

static void call_rows(Ctx *c, OpFn *fn, const Column *in, int arity, size_t n, Value *out) {
    if (arity == 2) {
        call_rows2(c, fn, in[0], in[1], n, out);
        return;
    }
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value a[4];
        for (int j = 0; j < arity; j++) a[j] = in[j].v[k * in[j].step];
        out[k] = fn(c, a);
    }
}

// ---- Many patches against one ----

enum { SIDE = 64, ENOUGH = 4 };

// The locations of a set as bits, if they lie in a box of 64 by 64.
typedef struct {
    uint64_t rows[SIDE];
    int top, left;
} Bitmap;

static bool bitmap_of(Bitmap *m, const Obj *o) {
    const Box box = patch_box(o);
    if (box_height(box) > SIDE || box_width(box) > SIDE) return false;
    *m = (Bitmap){.top = box.top, .left = box.left};
    patch_set_bits(m->rows, o, box.top, box.left);
    return true;
}

static inline bool bitmap_has(const Bitmap *m, uint32_t word) {
    uint32_t i = (uint32_t)(word_i(word) - m->top), j = (uint32_t)(word_j(word) - m->left);
    return i < SIDE && j < SIDE && (m->rows[i] >> j & 1);
}

// difference(x, fixed) or intersection(x, fixed) for many sets of locations: each is looked up in a bitmap of
// the fixed one, at the price that the primitive asks. False where this is not what they are.
static bool step_against(Ctx *c, unsigned op, Column in, Value fixed, size_t n, Value *out) {
    Bitmap m;
    if (n < ENOUGH || !value_is(fixed, KIND_LOCS)) return false;
    for (size_t k = 0; k < n; k++)
        if (!value_is(in.v[k * in.step], KIND_LOCS)) return false;
    if (!bitmap_of(&m, value_obj(fixed))) return false;
    const bool keep = op == OP_intersection;
    for (size_t k = 0; k < n && !c->failure; k++) {
        const Obj *x = value_obj(in.v[k * in.step]);
        Obj *o = ctx_charge(c, (int64_t)x->n + value_obj(fixed)->n) ? words_new(c, KIND_LOCS, x->n) : NULL;
        if (!o) break;
        uint32_t *to = words_of(o);
        for (uint32_t w = 0; w < x->n; w++) {
            *to = obj_words(x)[w];
            to += bitmap_has(&m, *to) == keep;
        }
        out[k] = words_finish_sorted(c, o, (size_t)(to - words_of(o)));
    }
    return true;
}

// ---- The walk ----

static bool walk(Ctx *c, Value f, const Column *in, int arity, size_t n, Value *out);
static __attribute__((noinline)) bool apply_to_locs(Ctx *c, Value f, Column in, size_t n, Value *out);

// A primitive of one argument, which most are.
static bool step_one(Ctx *c, unsigned op, Column in, size_t n, Value *out) {
    const OpInfo *info = &ops_table[op];
    if (info->arity != 1) ctx_fail(c, TS_FAIL_ARITY);
    if (c->failure || !ctx_charge(c, (int64_t)n * STEP_UNITS)) return false;
    if (steps1[op]) steps1[op](c, in, n, out);
    else call_rows1(c, info->fn, in, n, out);
    return !c->failure;
}

// What a function comes down to in the end: a primitive.
static bool step(Ctx *c, Value f, const Column *in, int arity, size_t n, Value *out) {
    if (!value_is_op(f)) ctx_fail(c, TS_FAIL_TYPE);
    else if (arity == 1) return step_one(c, value_op(f), in[0], n, out);
    else if (ops_table[value_op(f)].arity != arity) ctx_fail(c, TS_FAIL_ARITY);
    if (c->failure || !ctx_charge(c, (int64_t)n * STEP_UNITS)) return false;
    unsigned op = value_op(f);
    bool done = false;
    if (op == OP_apply && in[0].step == 0) done = apply_to_locs(c, in[0].v[0], in[1], n, out);
    if ((op == OP_difference || op == OP_intersection) && in[1].step == 0)
        done = step_against(c, op, in[0], in[1].v[0], n, out);
    if (steps2[op]) steps2[op](c, in[0], in[1], n, out);
    else if (!done) call_rows(c, ops_table[op].fn, in, arity, n, out);
    return !c->failure;
}

// apply(f, x) where each x is a location: one column of all their coordinates. False where they are not.
static bool apply_to_locs(Ctx *c, Value f, Column in, size_t n, Value *out) {
    for (size_t k = 0; k < n; k++)
        if (!value_is_loc(in.v[k * in.step])) return false;
    Value *numbers = new_column(c, 2 * n), *results = new_column(c, 2 * n);
    if (!numbers || !results) return true;
    for (size_t k = 0; k < n; k++) {
        uint32_t word = value_word(in.v[k * in.step]);
        numbers[2 * k] = value_of_small(word_i(word));
        numbers[2 * k + 1] = value_of_small(word_j(word));
    }
    if (!walk(c, f, &(Column){numbers, 1}, 1, 2 * n, results)) return true;
    for (size_t k = 0; k < n; k++) out[k] = value_pair(c, results[2 * k], results[2 * k + 1]);
    return true;
}

static bool compare_with(Ctx *c, Value target, size_t n, Value *out) {
    for (size_t k = 0; k < n; k++) out[k] = value_bool(equal(c, out[k], target));
    return !c->failure;
}

// The results of a part of a function for a whole column. The same part comes again over the same column
// where a function is built anew for each of some objects and is then run over all cells: so the columns made
// last are kept for the evaluation, with what they cost, and whoever finds one again is charged the same.
static bool part(Ctx *c, Value f, Column in, size_t n, Column *result) {
    if (value_same(f, value_of_op(OP_identity))) {
        *result = in;
        return ctx_charge(c, WALK_UNITS);
    }
    if (value_is_op(f)) {
        Value *out = new_column(c, n);
        *result = (Column){out, 1};
        return out && step_one(c, value_op(f), in, n, out);
    }
    CtxColumn *kept = &c->columns[(f.bits ^ (uintptr_t)in.v) / 16 % CTX_COLUMNS];
    const bool worth_it = n >= MANY && in.step;
    if (worth_it && kept->key == f.bits && kept->in == in.v && kept->n == n) {
        *result = (Column){kept->out, 1};
        return ctx_charge(c, kept->cost);
    }
    int64_t before = c->units;
    Value *out = new_column(c, n);
    *result = (Column){out, 1};
    if (!out || !walk(c, f, &in, 1, n, out)) return false;
    if (worth_it) {
        *kept = (CtxColumn){f.bits, in.v, out, n, before - c->units};
        c->keeps_columns = true;
    }
    return true;
}

// One function made of others. What is left to be done at the end becomes *f and the columns `next`; as with
// a call, only what comes before nests. A column that was given to a part is never written again, as what the
// part made of it may be kept.
static bool walk_func(Ctx *c, Value *f, Column next[4], int *arity, size_t n) {
    const Obj *o = value_obj(*f);
    const Value *parts = obj_items(o);
    Column second;
    switch (o->detail) {
    case OP_compose:
        if (!part(c, parts[1], next[0], n, next)) return false;
        break;
    case OP_chain:
        if (!part(c, parts[2], next[0], n, next) || !part(c, parts[1], next[0], n, next)) return false;
        break;
    case OP_fork:
        if (!part(c, parts[2], next[0], n, &second) || !part(c, parts[1], next[0], n, next)) return false;
        next[1] = second;
        *arity = 2;
        break;
    case OP_power:
        for (int64_t k = value_int_of(parts[1]); k > 1; k--)
            if (!part(c, parts[0], next[0], n, next)) return false;
        break;
    case OP_rbind: next[(*arity)++] = (Column){&parts[1], 0}; break;
    default: // lbind
        memmove(next + 1, next, (size_t)(*arity)++ * sizeof *next);
        next[0] = (Column){&parts[1], 0};
        break;
    }
    *f = parts[0];
    return ctx_charge(c, WALK_UNITS);
}

static bool walk(Ctx *c, Value f, const Column *in, int arity, size_t n, Value *out) {
    if (c->calls >= CTX_MOST_CALLS) {
        ctx_fail(c, TS_FAIL_DEPTH);
        return false;
    }
    Column next[4] = {in[0], in[arity > 1], in[arity > 2 ? 2 : 0]};
    c->calls++;
    bool good = true, compared = false;
    while (good && !compared && value_is(f, KIND_FUNC)) {
        const Obj *o = value_obj(f);
        if (o->arity != arity) ctx_fail(c, TS_FAIL_ARITY);
        if (c->failure) break;
        compared = o->detail == OP_matcher;
        if (compared)
            good = walk(c, obj_items(o)[0], next, 1, n, out) && compare_with(c, obj_items(o)[1], n, out);
        else good = walk_func(c, &f, next, &arity, n);
    }
    if (good && !compared && !c->failure) step(c, f, next, arity, n, out);
    c->calls--;
    return good && !c->failure;
}

static bool call_each(Ctx *c, Value f, const Column *in, int arity, size_t n, Value *out) {
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value a[2];
        for (int j = 0; j < arity; j++) a[j] = in[j].v[k];
        out[k] = call(c, f, a, arity);
    }
    return !c->failure;
}

bool column_call1(Ctx *c, Value f, const Value *x, size_t n, Value *out) {
    Column in = {x, 1};
    return c->plain || n < FEW ? call_each(c, f, &in, 1, n, out) : walk(c, f, &in, 1, n, out);
}

bool column_call2(Ctx *c, Value f, const Value *x, const Value *y, size_t n, Value *out) {
    Column in[2] = {{x, 1}, {y, 1}};
    return c->plain || n < FEW ? call_each(c, f, in, 2, n, out) : walk(c, f, in, 2, n, out);
}

// ---- Order ----

// Whether key b has to come before key a, which stands before it.
static bool comes_first(Ctx *c, Value b, Value a, bool descending) {
    return descending ? value_sorts_before(c, a, b) : value_sorts_before(c, b, a);
}

// A stable merge sort.
uint32_t *column_order(Ctx *c, const Value *keys, size_t n, bool descending) {
    uint32_t *from = ctx_alloc(c, (n + 1) * sizeof *from), *to = ctx_alloc(c, (n + 1) * sizeof *to);
    if (!from || !to) return NULL;
    for (size_t k = 0; k < n; k++) from[k] = (uint32_t)k;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t start = 0; start < n && !c->failure; start += 2 * run) {
            size_t a = start, middle = start + run < n ? start + run : n;
            size_t b = middle, end = middle + run < n ? middle + run : n;
            for (size_t o = start; o < end; o++) {
                bool second =
                    a >= middle || (b < end && comes_first(c, keys[from[b]], keys[from[a]], descending));
                to[o] = second ? from[b++] : from[a++];
            }
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    return c->failure ? NULL : from;
}
