// Functions over columns of values.
//
// Calling compose(f, g) element by element walks through the function once for each element, and that walk
// costs more than most of the primitives in it. So it is done once: g for the whole column, then f for the
// whole column of results. Where a fixed argument comes in (rbind, lbind) it is a column that stands still;
// what is made of such columns alone is made once.
// Every element is needed anyway, so nothing is computed that would not have been; only which failure comes
// first may differ, and a failure is a failure.
//
// The steps met most often on numbers, locations and cells have a loop of their own here; all others call the
// primitive for each element. In plain mode everything is called element by element, which is the reference.
#include "dsl/column.h"

#include <stdlib.h>

#include "dsl/patch.h"

enum {
    LOOP_UNITS = 1, // of one primitive on two elements, beside the memory, where it has a loop of its own
    STEP_UNITS = 2, // of one primitive on one element, where it has not
    WALK_UNITS = 4, // of one function on a column
    PASS_UNITS = 1, // of one that leaves a column as it is
    OVER_UNITS = 2, // of a function over elements, for each: itself, and a place for its result
    FEW = 2,        // fewer elements than this are called one by one
    MANY = 16,      // columns of this length are kept
    MOST_ALIKE = 1 << 14, // the weight of a function that others are compared with
    LIGHT = 32,           // the weight of one that is compared for nothing
};

// See "Functions of one shape". No function holds a failure, so its tag is free there.
enum { TAG_HOLE = TAG_FAIL, KEY_OF_SHAPE = 8 | TAG_HOLE };

// Value k is v[k * step]; a step of 0 is a fixed argument. Where there is a `second`, it is the pair of that
// value and second[k * second_step]: most pairs are made to be taken apart again, and these need not be made.
typedef struct {
    const Value *v;
    size_t step;
    const Value *second;
    size_t second_step;
} Column;

static int64_t step_units(bool has_loop, size_t n) {
    return has_loop ? (int64_t)(n + 1) / 2 * LOOP_UNITS : (int64_t)n * STEP_UNITS;
}

// Whether all its values are one.
static inline bool is_fixed(Column in) { return !in.step && (!in.second || !in.second_step); }

static Value *new_column(Ctx *c, size_t n) { return ctx_alloc(c, (n + 1) * sizeof(Value)); }

static void keep(Ctx *c, CtxColumn *place, CtxColumn what) {
    *place = what;
    c->kept |= 1ULL << (place - c->columns);
}

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
    if (worth_it) keep(c, kept, (CtxColumn){container.bits, NULL, column, it.n, before - c->units, 0, 1});
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

// A pair of cells is a tuple.
static inline bool starts_with_cell(Value x) {
    return value_is(x, KIND_TUPLE) && value_obj(x)->n > 0 && value_is_cell(obj_items(value_obj(x))[0]);
}
static inline int first_color(Value x) {
    const Obj *o = value_obj(x);
    return word_v(o->kind == KIND_CELLS ? obj_words(o)[0] : value_word(obj_items(o)[0]));
}

// Each is a loop over all elements: what is given for the usual kind of value, else the primitive itself.
#define STEP1(op, usual, result)                                     \
    static void step_##op(Ctx *c, Column in, size_t n, Value *out) { \
        for (size_t k = 0; k < n; k++, in.v += in.step) {            \
            const Value x = *in.v;                                   \
            out[k] = (usual) ? (result) : op_##op(c, (Value[1]){x}); \
        }                                                            \
    }

STEP1(first, has_elements(x), first_of(c, x))
STEP1(last, has_elements(x), last_of(c, x))
STEP1(even, value_is_small(x), value_bool(value_small(x) % 2 == 0))
STEP1(positive, value_is_small(x), value_bool(value_small(x) > 0))
STEP1(flip, value_is_small(x), value_bool(value_small(x) == 0))
STEP1(size, value_tag(x) == TAG_OBJ && value_is_container(x), value_of_small(value_obj(x)->n))
STEP1(color, value_is(x, KIND_CELLS) || starts_with_cell(x), value_of_small(first_color(x)))
STEP1(sign, value_is_small(x), value_of_small((value_small(x) > 0) - (value_small(x) < 0)))
STEP1(maximum, value_is_loc(x), value_of_small(extreme_of_loc(value_word(x), true)))
STEP1(minimum, value_is_loc(x), value_of_small(extreme_of_loc(value_word(x), false)))
STEP1(toivec, value_is_small(x), value_loc(c, value_small(x), 0))
STEP1(tojvec, value_is_small(x), value_loc(c, 0, value_small(x)))

static void step_identity(Ctx *c, Column in, size_t n, Value *out) {
    (void)c;
    for (size_t k = 0; k < n; k++) out[k] = in.v[k * in.step];
}

#define STEP2(op, usual, result)                                              \
    static void step_##op(Ctx *c, Column p, Column q, size_t n, Value *out) { \
        for (size_t k = 0; k < n; k++, p.v += p.step, q.v += q.step) {        \
            const Value x = *p.v, y = *q.v;                                   \
            out[k] = (usual) ? (result) : op_##op(c, (Value[2]){x, y});       \
        }                                                                     \
    }

// Whether it is a set of one location or one cell, and how far two of those are apart.
static bool one_word(Value x) {
    if (value_tag(x) != TAG_OBJ || value_obj(x)->n != 1) return false;
    return value_obj(x)->kind == KIND_LOCS || value_obj(x)->kind == KIND_CELLS;
}
static int words_apart(Value x, Value y) {
    const uint32_t p = obj_words(value_obj(x))[0], q = obj_words(value_obj(y))[0];
    return abs(word_i(p) - word_i(q)) + abs(word_j(p) - word_j(q));
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

// Mostly from many to one, which is looked at once.
static void step_manhattan(Ctx *c, Column p, Column q, size_t n, Value *out) {
    const bool to_one = !q.step && one_word(q.v[0]);
    for (size_t k = 0; k < n; k++, p.v += p.step, q.v += q.step) {
        const Value x = *p.v, y = *q.v;
        const bool usual = one_word(x) && (to_one || one_word(y));
        out[k] = usual ? value_of_small(words_apart(x, y)) : op_manhattan(c, (Value[2]){x, y});
    }
}

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
    HAS_STEP(both), HAS_STEP(either),   HAS_STEP(astuple),  HAS_STEP(get_nth_f), HAS_STEP(manhattan),
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
        Obj *o = ctx_charge(c, (int64_t)x->n + value_obj(fixed)->n) ? packed_new(c, KIND_LOCS, x->n) : NULL;
        if (!o) break;
        uint32_t *to = packed_of(o);
        for (uint32_t w = 0; w < x->n; w++) {
            *to = obj_words(x)[w];
            to += bitmap_has(&m, *to) == keep;
        }
        out[k] = packed_finish_sorted(c, o, (size_t)(to - packed_of(o)));
    }
    return true;
}

// ---- What will be too much ----

// Functions over elements nest: for each cell the best of all objects, and that for each object. That this
// will be too much is seen from the functions and from the sizes of the containers in them, before any of it
// is done.

static bool goes_for_best(unsigned op) {
    return op == OP_argmin || op == OP_argmax || op == OP_valmin || op == OP_valmax;
}

// Primitives that go through all of their first argument with their second, or the other way round.
static bool goes_over_first(unsigned op) {
    return op == OP_sfilter || op == OP_mfilter || op == OP_order || goes_for_best(op);
}
static bool goes_over_second(unsigned op) { return op == OP_apply || op == OP_mapply; }

static int64_t elements_in(Value v) {
    return value_tag(v) == TAG_OBJ && value_is_container(v) ? value_obj(v)->n : 0;
}

// The elements in a function that goes over those of a container; 0 where it is none.
static int64_t elements_over(Value f) {
    if (!value_is(f, KIND_FUNC)) return 0;
    const Obj *o = value_obj(f);
    const Value *parts = obj_items(o);
    if (!value_is_op(parts[0])) return 0;
    if (o->detail == OP_lbind && goes_over_first(value_op(parts[0]))) return elements_in(parts[1]);
    return o->detail == OP_rbind && goes_over_second(value_op(parts[0])) ? elements_in(parts[1]) : 0;
}

// The same of a primitive. Some may leave a column as it is.
static int64_t least_of_op(Value f) {
    const unsigned op = value_is_op(f) ? value_op(f) : OP_identity;
    if (op == OP_identity || op == OP_astuple || op == OP_first || op == OP_last) return 0;
    return steps1[op] || steps2[op] || op == OP_apply ? 1 : 1 + STEP_UNITS;
}

static int64_t least_units(Value f, int *parts_left);

// The same of the functions that a function makes, as far as is known: compose, one of its parts given.
static int64_t least_of_made(Value f, int *parts_left) {
    while (value_is(f, KIND_FUNC) && (value_obj(f)->detail == OP_compose || value_obj(f)->detail == OP_chain))
        f = obj_items(value_obj(f))[0];
    if (!value_is(f, KIND_FUNC) || !value_same(obj_items(value_obj(f))[0], value_of_op(OP_compose))) return 0;
    int64_t units = least_units(obj_items(value_obj(f))[1], parts_left);
    return units > 0 ? units - 1 : 0; // there is a place for the last result already
}

// What a function charges for each element at the least: a place for each result. Looks at so many
// of its parts only, as a part may be in it a million times.
static int64_t least_units(Value f, int *parts_left) {
    const int64_t most = 1 << 30;
    if (--*parts_left < 0) return 0;
    if (!value_is(f, KIND_FUNC)) return least_of_op(f);
    const Obj *o = value_obj(f);
    const Value *parts = obj_items(o);
    int64_t units = OVER_UNITS * elements_over(f), times = 1;
    if (o->detail == OP_rbind || o->detail == OP_lbind) {
        if (!units) units = least_units(parts[0], parts_left);
    } else if (o->detail == OP_compose && elements_over(parts[0])) {
        units = (OVER_UNITS + least_of_made(parts[1], parts_left)) * elements_over(parts[0]);
    } else if (o->detail == OP_power) {
        times = value_int_of(parts[1]) < most ? value_int_of(parts[1]) : most;
        units = least_units(parts[0], parts_left);
    } else {
        for (uint32_t k = 0; k < (o->detail == OP_matcher ? 1 : o->n); k++)
            units += least_units(parts[k], parts_left);
    }
    return units > most / times ? most : units * times;
}

static int64_t least_over(Value f, int64_t n) {
    enum { MOST_PARTS = 40 };
    int parts_left = MOST_PARTS;
    int64_t units = least_units(f, &parts_left);
    return n * (units > 0 ? units - 1 : 0); // there is a place for the last result already
}

// The same for rows of arguments, where the primitive is one that goes over elements.
static bool affords_rows(Ctx *c, unsigned op, const Column *in, size_t n) {
    const int over = goes_over_first(op) ? 0 : 1;
    if ((over && !goes_over_second(op)) || elements_in(in[over].v[0]) < MANY) return true;
    int64_t units = 0;
    for (size_t k = 0; k < n && units <= c->units; k++)
        units +=
            least_over(in[1 - over].v[k * in[1 - over].step], elements_in(in[over].v[k * in[over].step]));
    return ctx_affords(c, units);
}

// ---- The walk ----

static bool walk(Ctx *c, Value f, const Column *in, int arity, size_t n, Value *out, Column *result);
static bool walk_into(Ctx *c, Value f, const Column *in, int arity, size_t n, Value *out);
static __attribute__((noinline)) bool best_for_each(Ctx *c, unsigned op, Value container, Column f, size_t n,
                                                    Value *out);
static __attribute__((noinline)) bool apply_to_locs(Ctx *c, Value f, Column in, size_t n, Value *out);

// Where all rows of arguments are one, it is done once and charged for each.
static bool charge_rows(Ctx *c, int64_t before, size_t n, size_t done) {
    return done == n || ctx_charge(c, (before - c->units) * (int64_t)(n - done));
}

// Makes the pairs of a column that a primitive asks for.
static bool settle(Ctx *c, Column *in, size_t n) {
    if (!in->second) return true;
    Value *pairs = new_column(c, n);
    if (!pairs || !ctx_charge(c, step_units(true, n))) return false;
    const int64_t before = c->units;
    const size_t rows = is_fixed(*in) ? 1 : n;
    for (size_t k = 0; k < rows; k++)
        pairs[k] = value_pair(c, in->v[k * in->step], in->second[k * in->second_step]);
    *in = (Column){.v = pairs, .step = rows == n};
    return !c->failure && charge_rows(c, before, n, rows);
}

static const Value *hole_values(Value hole) { return (const Value *)(uintptr_t)(hole.bits & ~7ULL); }

// The argument that a function holds: a fixed one, or one for each row.
static Column bound(const Value *v) {
    return value_tag(*v) == TAG_HOLE ? (Column){.v = hole_values(*v), .step = 1} : (Column){.v = v};
}

// A column of pairs, where the function is astuple with one argument given.
static bool pairs_with(Value f, Column in, Column *result) {
    if (in.second || !value_is(f, KIND_FUNC)) return false;
    const Value *parts = obj_items(value_obj(f));
    if (!value_same(parts[0], value_of_op(OP_astuple)) || value_obj(f)->arity != 1) return false;
    const Column held = bound(&parts[1]);
    if (value_obj(f)->detail == OP_rbind) *result = (Column){in.v, in.step, held.v, held.step};
    else if (value_obj(f)->detail == OP_lbind) *result = (Column){held.v, held.step, in.v, in.step};
    else return false;
    return true;
}

// A primitive of one argument, which most are.
static bool step_one(Ctx *c, unsigned op, Column in, size_t n, Value *out, Column *result) {
    const OpInfo *info = &ops_table[op];
    if (info->arity != 1) ctx_fail(c, TS_FAIL_ARITY);
    if (c->failure || !settle(c, &in, n) || !ctx_charge(c, step_units(steps1[op], n))) return false;
    const int64_t before = c->units;
    const size_t rows = is_fixed(in) ? 1 : n;
    if (steps1[op]) steps1[op](c, in, rows, out);
    else call_rows1(c, info->fn, in, rows, out);
    *result = (Column){.v = out, .step = rows == n};
    return !c->failure && charge_rows(c, before, n, rows);
}

// What a function comes down to in the end: a primitive.
static bool step(Ctx *c, Value f, Column *in, int arity, size_t n, Value *out, Column *result) {
    if (!value_is_op(f)) ctx_fail(c, TS_FAIL_TYPE);
    else if (arity == 1) return step_one(c, value_op(f), in[0], n, out, result);
    else if (ops_table[value_op(f)].arity != arity) ctx_fail(c, TS_FAIL_ARITY);
    if (c->failure) return false;
    unsigned op = value_op(f);
    for (int k = 0; k < arity; k++)
        if (!settle(c, &in[k], n)) return false;
    if (!ctx_charge(c, step_units(steps2[op] || op == OP_apply, n))) return false;
    if (!affords_rows(c, op, in, n)) return false;
    bool fixed = true, done = false;
    for (int k = 0; k < arity; k++) fixed &= is_fixed(in[k]);
    const int64_t before = c->units;
    const size_t rows = fixed ? 1 : n;
    if (op == OP_apply && in[0].step == 0) done = apply_to_locs(c, in[0].v[0], in[1], rows, out);
    if ((op == OP_difference || op == OP_intersection) && in[1].step == 0)
        done = step_against(c, op, in[0], in[1].v[0], rows, out);
    if (goes_for_best(op) && in[0].step == 0) done = best_for_each(c, op, in[0].v[0], in[1], rows, out);
    if (steps2[op]) steps2[op](c, in[0], in[1], rows, out);
    else if (!done) call_rows(c, ops_table[op].fn, in, arity, rows, out);
    *result = (Column){.v = out, .step = !fixed};
    return !c->failure && charge_rows(c, before, n, rows);
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
    if (!walk_into(c, f, &(Column){.v = numbers, .step = 1}, 1, 2 * n, results)) return true;
    for (size_t k = 0; k < n; k++) out[k] = value_pair(c, results[2 * k], results[2 * k + 1]);
    return true;
}

// The results of a part of a function for a whole column. The same part comes again over the same column
// where a function is built anew for each of some objects and is then run over all cells: so the columns made
// last are kept for the evaluation, with what they cost, and whoever finds one again is charged the same.
static bool part(Ctx *c, Value f, Column in, size_t n, Column *result) {
    if (value_same(f, value_of_op(OP_identity))) {
        *result = in;
        return ctx_charge(c, PASS_UNITS);
    }
    if (in.second && (value_same(f, value_of_op(OP_first)) || value_same(f, value_of_op(OP_last)))) {
        const bool first = value_same(f, value_of_op(OP_first));
        *result = (Column){.v = first ? in.v : in.second, .step = first ? in.step : in.second_step};
        return ctx_charge(c, PASS_UNITS);
    }
    if (pairs_with(f, in, result)) return ctx_charge(c, PASS_UNITS);
    if (value_is_op(f) && steps1[value_op(f)]) {
        Value *out = new_column(c, n);
        return out && step_one(c, value_op(f), in, n, out, result);
    }
    CtxColumn *kept = &c->columns[(f.bits ^ (uintptr_t)in.v) / 16 % CTX_COLUMNS];
    const bool worth_it = n >= MANY && in.step && !in.second;
    if (worth_it && kept->key == f.bits && kept->in == in.v && kept->n == n) {
        *result = (Column){.v = kept->out, .step = kept->step};
        return ctx_charge(c, kept->cost);
    }
    const int64_t before = c->units;
    if (!walk(c, f, &in, 1, n, NULL, result)) return false;
    if (worth_it) keep(c, kept, (CtxColumn){f.bits, in.v, result->v, n, before - c->units, 0, result->step});
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
    case OP_rbind: next[(*arity)++] = bound(&parts[1]); break;
    default: // lbind
        memmove(next + 1, next, (size_t)(*arity)++ * sizeof *next);
        next[0] = bound(&parts[1]);
        break;
    }
    *f = parts[0];
    return ctx_charge(c, WALK_UNITS);
}

static bool matches(Ctx *c, const Obj *matcher, Column *in, size_t n, Value *out, Column *result) {
    if (!walk(c, obj_items(matcher)[0], in, 1, n, out, result)) return false;
    const int64_t before = c->units;
    const size_t rows = result->step ? n : 1;
    const Value target = obj_items(matcher)[1];
    if (value_tag(target) != TAG_OBJ) {
        for (size_t k = 0; k < rows; k++) out[k] = value_bool(value_same(out[k], target));
        ctx_charge(c, (int64_t)rows);
    } else {
        for (size_t k = 0; k < rows; k++) out[k] = value_bool(py_equal(c, out[k], target));
    }
    return !c->failure && charge_rows(c, before, n, rows);
}

// The results are in `out`; where it is NULL, in a new column.
static bool walk(Ctx *c, Value f, const Column *in, int arity, size_t n, Value *out, Column *result) {
    if (c->calls >= CTX_MOST_CALLS) ctx_fail(c, TS_FAIL_DEPTH);
    if (c->failure || (!out && !(out = new_column(c, n)))) return false;
    Column next[4] = {in[0], in[arity > 1], in[arity > 2 ? 2 : 0]};
    c->calls++;
    bool good = true, compared = false;
    while (good && !compared && value_is(f, KIND_FUNC)) {
        const Obj *o = value_obj(f);
        if (o->arity != arity) ctx_fail(c, TS_FAIL_ARITY);
        if (c->failure) break;
        compared = o->detail == OP_matcher;
        good = compared ? matches(c, o, next, n, out, result) : walk_func(c, &f, next, &arity, n);
    }
    if (good && !compared && !c->failure) step(c, f, next, arity, n, out, result);
    c->calls--;
    return good && !c->failure;
}

static bool walk_into(Ctx *c, Value f, const Column *in, int arity, size_t n, Value *out) {
    Column result;
    if (!walk(c, f, in, arity, n, out, &result)) return false;
    if (!result.step)
        for (size_t k = 1; k < n; k++) out[k] = out[0];
    return true;
}

// ---- Functions of one shape ----

// For each cell, the nearest object: argmin of a fixed container with a function for each row, and these
// functions differ only in a value that they hold. Then the elements of the container are gone through one by
// one, and each is given to all functions at once: to one function with holes, in which a column stands for
// the values that differ. Such a function is never seen outside of this file.

static Value hole_of(const Value *column) { return (Value){(uint64_t)(uintptr_t)column | TAG_HOLE}; }

// What is light is compared in the price of its place in a column.
static bool all_equal(Ctx *c, const Value *v, size_t n) {
    Value last = v[0];
    const int64_t units = value_weight(last) > LIGHT ? value_weight(last) / 4 : 0;
    for (size_t k = 1; k < n && !c->failure; k++) {
        ctx_charge(c, units);
        if (value_same(v[k], last)) continue;
        if (!value_equal(v[k], v[0])) return false;
        last = v[k];
    }
    return true;
}

static bool shape_of(Ctx *c, const Value *f, size_t n, Value *shape) {
    *shape = f[0];
    if (all_equal(c, f, n)) return true;
    const Obj *first = value_obj(f[0]);
    for (size_t k = 0; k < n; k++) {
        if (!value_is(f[k], KIND_FUNC)) return false;
        const Obj *o = value_obj(f[k]);
        if (o->detail != first->detail || o->arity != first->arity) return false;
    }
    const bool binds = first->detail == OP_rbind || first->detail == OP_lbind;
    const bool nests = first->detail == OP_compose || first->detail == OP_chain || first->detail == OP_fork;
    Value parts[3];
    for (uint32_t p = 0; p < first->n; p++) {
        Value *column = new_column(c, n);
        if (!column) return false;
        for (size_t k = 0; k < n; k++) column[k] = obj_items(value_obj(f[k]))[p];
        if (p == 0 || nests) {
            if (!shape_of(c, column, n, &parts[p])) return false;
        } else {
            const bool equal = all_equal(c, column, n);
            if (!equal && !binds) return false;
            parts[p] = equal ? column[0] : hole_of(column);
        }
    }
    *shape = value_func(c, first->detail, first->arity, parts, first->n);
    return !c->failure;
}

// Kept, as the same column of functions comes again. VALUE_NONE where they have no shape in common, and where
// they are too heavy to be compared for it.
static Value kept_shape(Ctx *c, Column f, size_t n) {
    CtxColumn *kept = &c->columns[(uintptr_t)f.v / 16 % CTX_COLUMNS];
    if (kept->key == KEY_OF_SHAPE && kept->in == f.v && kept->n == n) {
        ctx_charge(c, kept->cost);
        return kept->out[0];
    }
    const int64_t before = c->units;
    Value *shape = new_column(c, 1);
    if (!shape) return VALUE_NONE;
    const bool light = value_is(f.v[0], KIND_FUNC) && value_weight(f.v[0]) <= MOST_ALIKE;
    if (!light || !shape_of(c, f.v, n, shape)) shape[0] = VALUE_NONE;
    keep(c, kept, (CtxColumn){KEY_OF_SHAPE, f.v, shape, n, before - c->units, 0, 1});
    return shape[0];
}

// What all functions give for one value, also kept: where each element is compared with all objects but one,
// it comes again for each of those.
static bool keys_of(Ctx *c, Value shape, const Value *x, size_t n, Column *result) {
    CtxColumn *kept = &c->columns[(shape.bits + x->bits * 5) / 16 % CTX_COLUMNS];
    if (kept->key == shape.bits && kept->with == x->bits && kept->n == n) {
        *result = (Column){.v = kept->out, .step = kept->step};
        return ctx_charge(c, kept->cost);
    }
    const int64_t before = c->units;
    if (!walk(c, shape, &(Column){.v = x}, 1, n, NULL, result)) return false;
    keep(c, kept, (CtxColumn){shape.bits, NULL, result->v, n, before - c->units, x->bits, result->step});
    return true;
}

// Takes what is better than before. Small integers compare as their words do; `mark` is what is to be seen of
// the best, or NULL for the key.
static inline void take_better(Value *best, Column keys, size_t n, const Value *mark, Value *out,
                               bool greatest) {
    for (size_t k = 0; k < n; k++) {
        const Value key = keys.v[k * keys.step];
        const int64_t x = (int64_t)key.bits, y = (int64_t)best[k].bits;
        const bool better = greatest ? y < x : x < y;
        out[k] = better ? mark ? *mark : key : out[k];
        best[k] = better ? key : best[k];
    }
}

static bool all_small(Column in, size_t n) {
    uint64_t wrong = 0;
    for (size_t k = 0; k < n; k++) wrong |= in.v[k * in.step].bits ^ TAG_INT;
    return !(wrong & 7);
}

// The best of a container by each of n functions, at the price of keys and comparisons that it has for one
// function. False where the functions differ too much.
static bool best_for_each(Ctx *c, unsigned op, Value container, Column f, size_t n, Value *out) {
    const bool greatest = op == OP_valmax || op == OP_argmax, by_key = op == OP_valmax || op == OP_valmin;
    size_t m = (size_t)elements_in(container);
    if (n < ENOUGH || m < FEW || f.step == 0) return false;
    const Value shape = kept_shape(c, f, n);
    if (value_tag(shape) == TAG_NONE) return c->failure != TS_FAIL_NONE;
    const Value *items = column_of(c, container, &m);
    if (!items || !ctx_charge(c, (int64_t)(m * (n - 1)))) return true;
    Value *best = new_column(c, n);
    bool small = true;
    for (size_t j = 0; j < m && best; j++) {
        Column result;
        if (!keys_of(c, shape, &items[j], n, &result)) return true;
        if (!ctx_charge(c, (int64_t)n)) return true;
        small = small && all_small(result, n);
        const Value *mark = by_key ? NULL : &items[j];
        if (j && small && greatest) take_better(best, result, n, mark, out, true);
        else if (j && small) take_better(best, result, n, mark, out, false);
        else
            for (size_t k = 0; k < n; k++) {
                const Value key = result.v[k * result.step];
                if (j && !(greatest ? value_less(c, best[k], key) : value_less(c, key, best[k]))) continue;
                best[k] = key;
                out[k] = mark ? *mark : key;
            }
    }
    return true;
}

static bool call_each(Ctx *c, Value f, const Column *in, int arity, size_t n, Value *out) {
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value a[2];
        for (int j = 0; j < arity; j++) a[j] = in[j].v[k];
        out[k] = func_call(c, f, a, arity);
    }
    return !c->failure;
}

bool column_call1(Ctx *c, Value f, const Value *x, size_t n, Value *out) {
    Column in = {.v = x, .step = 1};
    if (n >= MANY && !c->plain && !ctx_affords(c, least_over(f, (int64_t)n))) return false;
    return c->plain || n < FEW ? call_each(c, f, &in, 1, n, out) : walk_into(c, f, &in, 1, n, out);
}

bool column_call2(Ctx *c, Value f, const Value *x, const Value *y, size_t n, Value *out) {
    Column in[2] = {{.v = x, .step = 1}, {.v = y, .step = 1}};
    return c->plain || n < FEW ? call_each(c, f, in, 2, n, out) : walk_into(c, f, in, 2, n, out);
}

bool column_cross(Ctx *c, Value f, const Value *x, size_t n, const Value *y, size_t m, Value *out) {
    if (!c->plain && !ctx_affords(c, (int64_t)(n * m / 2) * LOOP_UNITS)) return false;
    if (c->plain) {
        for (size_t k = 0; k < n * m && !c->failure; k++) out[k] = func_call2(c, f, x[k % n], y[k / n]);
        return !c->failure;
    }
    // The one with fewer values stands still.
    for (size_t k = 0; k < (n < m ? n : m) && !c->failure; k++) {
        const Column in[2] = {{.v = n < m ? x + k : x, .step = n >= m},
                              {.v = n < m ? y : y + k, .step = n < m}};
        const size_t many = n < m ? m : n;
        walk_into(c, f, in, 2, many, out + k * many);
    }
    return !c->failure;
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
