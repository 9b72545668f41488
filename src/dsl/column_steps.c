// The steps of functions that are met most often on numbers, locations and cells, each with a loop of its own
// over all elements. Whatever is not of the usual kind goes to the primitive itself.
#include <stdlib.h>

#include "dsl/column_walk.h"

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

// Where all values of a column are of one tag, a loop without questions, on the bits alone; from so many on.
enum { ALIKE = 4 };

static bool all_tagged(ValueColumn in, size_t n, unsigned tag) {
    uint64_t wrong = 0;
    for (size_t k = 0; k < n * in.step; k++) wrong |= in.v[k].bits ^ tag;
    return in.step ? !(wrong & 7) : value_tag(in.v[0]) == tag;
}

// Integers of 28 bits and a sign: sums and products of two fit a word.
static bool all_tiny(ValueColumn in, size_t n) {
    uint64_t wrong = 0;
    const size_t rows = in.step ? n : 1;
    for (size_t k = 0; k < rows; k++)
        wrong |= (in.v[k].bits + (1ULL << 31)) >> 32 | ((in.v[k].bits ^ TAG_INT) & 7);
    return !wrong;
}

#define BIT_INT(n) ((uint64_t)(n) << 3 | TAG_INT)
#define BIT_I(x) ((x) >> 20 & 0xFFF) // of a location, biased
#define BIT_J(x) ((x) >> 8 & 0xFFF)
#define BIT_V(x) ((x) >> 32 & 0xFF) // of a cell
#define BIT_LOC(i, j) ((uint64_t)(i) << 20 | (uint64_t)(j) << 8 | TAG_LOC)
#define LOOP1(result)                             \
    do {                                          \
        for (size_t k = 0; k < n; k++) {          \
            const uint64_t x = in.v[k].bits;      \
            out[k] = (Value){(uint64_t)(result)}; \
        }                                         \
    } while (0)

// Each is a loop over all elements: what is given for the usual kind of value, else the primitive itself.
#define STEP1(op, usual, result) STEP1_ALIKE(op, op, TAG_NONE, x, usual, result)

// With a loop on bits for one tag.
#define STEP1_ALIKE(name, op, tag, bits, usual, result)                             \
    static void step_##name(Ctx *c, ValueColumn in, size_t n, Value *out) {         \
        if ((tag) != TAG_NONE && n >= ALIKE && in.step && all_tagged(in, n, tag)) { \
            LOOP1(bits);                                                            \
            return;                                                                 \
        }                                                                           \
        for (size_t k = 0; k < n; k++, in.v += in.step) {                           \
            const Value x = *in.v;                                                  \
            out[k] = (usual) ? (result) : op_##op(c, (Value[1]){x});                \
        }                                                                           \
    }

STEP1_ALIKE(first_of_pairs, first, TAG_LOC, BIT_INT(BIT_I(x) - LOC_BIAS), has_elements(x), first_of(c, x))
STEP1_ALIKE(last_of_pairs, last, TAG_LOC, BIT_INT(BIT_J(x) - LOC_BIAS), has_elements(x), last_of(c, x))
STEP1_ALIKE(even, even, TAG_INT, BIT_INT(~x >> 3 & 1), value_is_small(x), value_bool(value_small(x) % 2 == 0))
STEP1_ALIKE(positive, positive, TAG_INT, BIT_INT((int64_t)x > TAG_INT), value_is_small(x),
            value_bool(value_small(x) > 0))
STEP1_ALIKE(flip, flip, TAG_INT, BIT_INT(x == TAG_INT), value_is_small(x), value_bool(value_small(x) == 0))
STEP1(size, value_tag(x) == TAG_OBJ && value_is_container(x), value_of_small(value_obj(x)->n))
STEP1(color, value_is(x, KIND_CELLS) || starts_with_cell(x), value_of_small(first_color(x)))
STEP1_ALIKE(sign, sign, TAG_INT, BIT_INT(((int64_t)x > TAG_INT) - ((int64_t)x < TAG_INT)), value_is_small(x),
            value_of_small((value_small(x) > 0) - (value_small(x) < 0)))
STEP1_ALIKE(maximum, maximum, TAG_LOC, BIT_INT((BIT_I(x) > BIT_J(x) ? BIT_I(x) : BIT_J(x)) - LOC_BIAS),
            value_is_loc(x), value_of_small(extreme_of_loc(value_word(x), true)))
STEP1_ALIKE(minimum, minimum, TAG_LOC, BIT_INT((BIT_I(x) < BIT_J(x) ? BIT_I(x) : BIT_J(x)) - LOC_BIAS),
            value_is_loc(x), value_of_small(extreme_of_loc(value_word(x), false)))
STEP1(toivec, value_is_small(x), value_loc(c, value_small(x), 0))
STEP1(tojvec, value_is_small(x), value_loc(c, 0, value_small(x)))

// Of cells, too.
static void step_first(Ctx *c, ValueColumn in, size_t n, Value *out) {
    if (n >= ALIKE && in.step && all_tagged(in, n, TAG_CELL)) LOOP1(BIT_INT(BIT_V(x) - CELL_BIAS));
    else step_first_of_pairs(c, in, n, out);
}
static void step_last(Ctx *c, ValueColumn in, size_t n, Value *out) {
    if (n >= ALIKE && in.step && all_tagged(in, n, TAG_CELL)) LOOP1((x & 0xFFFFFF00) | TAG_LOC);
    else step_last_of_pairs(c, in, n, out);
}

static void step_identity(Ctx *c, ValueColumn in, size_t n, Value *out) {
    (void)c;
    for (size_t k = 0; k < n; k++) out[k] = in.v[k * in.step];
}

#define LOOP2_OF(from_p, from_q, result)                     \
    for (size_t k = 0; k < n; k++) {                         \
        const uint64_t x = (from_p).bits, y = (from_q).bits; \
        out[k] = (Value){(uint64_t)(result)};                \
    }
// Where one of both stands still it is read once.
#define LOOP2(result)                                          \
    do {                                                       \
        const Value first = p.v[0], second = q.v[0];           \
        if (p.step && q.step) LOOP2_OF(p.v[k], q.v[k], result) \
        else if (p.step) LOOP2_OF(p.v[k], second, result)      \
        else LOOP2_OF(first, q.v[k], result)                   \
    } while (0)

#define STEP2(op, usual, result) STEP2_ALIKE(op, op, false, x + y, usual, result)

// With a loop on bits where the columns are alike.
#define STEP2_ALIKE(name, op, alike, bits, usual, result)                                 \
    static void step_##name(Ctx *c, ValueColumn p, ValueColumn q, size_t n, Value *out) { \
        if (n >= ALIKE && (alike)) {                                                      \
            LOOP2(bits);                                                                  \
            return;                                                                       \
        }                                                                                 \
        for (size_t k = 0; k < n; k++, p.v += p.step, q.v += q.step) {                    \
            const Value x = *p.v, y = *q.v;                                               \
            out[k] = (usual) ? (result) : op_##op(c, (Value[2]){x, y});                   \
        }                                                                                 \
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

static bool both_locs(ValueColumn p, ValueColumn q, size_t n) {
    return n >= ALIKE && all_tagged(p, n, TAG_LOC) && all_tagged(q, n, TAG_LOC);
}
// False where a sum goes beyond what a location can be.
static bool add_locs(ValueColumn p, ValueColumn q, size_t n, Value *out) {
    uint64_t i, j, beyond = 0;
    if (!both_locs(p, q, n)) return false;
    LOOP2((i = BIT_I(x) + BIT_I(y) - LOC_BIAS, j = BIT_J(x) + BIT_J(y) - LOC_BIAS, beyond |= i | j,
           BIT_LOC(i & 0xFFF, j & 0xFFF)));
    return beyond < LOC_LIMIT;
}
static bool subtract_locs(ValueColumn p, ValueColumn q, size_t n, Value *out) {
    uint64_t i, j, beyond = 0;
    if (!both_locs(p, q, n)) return false;
    LOOP2((i = BIT_I(x) - BIT_I(y) + LOC_BIAS, j = BIT_J(x) - BIT_J(y) + LOC_BIAS, beyond |= i | j,
           BIT_LOC(i & 0xFFF, j & 0xFFF)));
    return beyond < LOC_LIMIT;
}

#define ALL_TINY (all_tiny(p, n) && all_tiny(q, n))
STEP2_ALIKE(add_numbers, add, ALL_TINY, x + y - TAG_INT, BOTH_SMALL || BOTH_LOCS,
            value_is_loc(x) ? LOC_SUM(+) : SMALL_SUM(+))
STEP2_ALIKE(subtract_numbers, subtract, ALL_TINY, x - y + TAG_INT, BOTH_SMALL || BOTH_LOCS,
            value_is_loc(x) ? LOC_SUM(-) : SMALL_SUM(-))

static void step_add(Ctx *c, ValueColumn p, ValueColumn q, size_t n, Value *out) {
    if (!add_locs(p, q, n, out)) step_add_numbers(c, p, q, n, out);
}
static void step_subtract(Ctx *c, ValueColumn p, ValueColumn q, size_t n, Value *out) {
    if (!subtract_locs(p, q, n, out)) step_subtract_numbers(c, p, q, n, out);
}

STEP2_ALIKE(multiply, multiply, ALL_TINY, BIT_INT(((int64_t)x >> 3) * ((int64_t)y >> 3)),
            BOTH_SMALL &&fits_loc(value_small(x), value_small(y)),
            value_of_small(value_small(x) * value_small(y)))
STEP2_ALIKE(equality, equality,
            (!p.step && value_tag(p.v[0]) != TAG_OBJ) || (!q.step && value_tag(q.v[0]) != TAG_OBJ),
            BIT_INT(x == y), value_tag(x) != TAG_OBJ || value_tag(y) != TAG_OBJ, value_bool(value_same(x, y)))
STEP2_ALIKE(greater, greater, all_tagged(p, n, TAG_INT) && all_tagged(q, n, TAG_INT),
            BIT_INT((int64_t)x > (int64_t)y), BOTH_SMALL, value_bool(value_small(x) > value_small(y)))
STEP2_ALIKE(both, both, all_tagged(p, n, TAG_INT), x != TAG_INT ? y : x, value_is_small(x),
            value_small(x) ? y : x)
STEP2_ALIKE(either, either, all_tagged(p, n, TAG_INT), x != TAG_INT ? x : y, value_is_small(x),
            value_small(x) ? x : y)
STEP2(astuple, true, value_pair(c, x, y))
STEP2(get_nth_f, place_of(x, y) >= 0, element_at(c, x, place_of(x, y)))

// Mostly from many to one, which is looked at once.
static void step_manhattan(Ctx *c, ValueColumn p, ValueColumn q, size_t n, Value *out) {
    const bool to_one = !q.step && one_word(q.v[0]);
    for (size_t k = 0; k < n; k++, p.v += p.step, q.v += q.step) {
        const Value x = *p.v, y = *q.v;
        const bool usual = one_word(x) && (to_one || one_word(y));
        out[k] = usual ? value_of_small(words_apart(x, y)) : op_manhattan(c, (Value[2]){x, y});
    }
}

#define HAS_STEP(op) [OP_##op] = step_##op
ColumnStep1 *const column_steps1[OPS_MOST] = {
    HAS_STEP(identity), HAS_STEP(first),  HAS_STEP(last),   HAS_STEP(even),    HAS_STEP(positive),
    HAS_STEP(flip),     HAS_STEP(size),   HAS_STEP(color),  HAS_STEP(maximum), HAS_STEP(minimum),
    HAS_STEP(sign),     HAS_STEP(toivec), HAS_STEP(tojvec),
};
ColumnStep2 *const column_steps2[OPS_MOST] = {
    HAS_STEP(add),  HAS_STEP(subtract), HAS_STEP(multiply), HAS_STEP(equality),  HAS_STEP(greater),
    HAS_STEP(both), HAS_STEP(either),   HAS_STEP(astuple),  HAS_STEP(get_nth_f), HAS_STEP(manhattan),
};
