// The steps of functions that are met most often on numbers, locations and cells, each with a loop of its own
// over all elements. Whatever is not of the usual kind goes to the primitive itself.
#include <stdlib.h>

#include "dsl/column_walk.h"
#include "dsl/patch.h"

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
#define STEP1(op, usual, result)                                          \
    static void step_##op(Ctx *c, ValueColumn in, size_t n, Value *out) { \
        for (size_t k = 0; k < n; k++, in.v += in.step) {                 \
            const Value x = *in.v;                                        \
            out[k] = (usual) ? (result) : op_##op(c, (Value[1]){x});      \
        }                                                                 \
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

static void step_identity(Ctx *c, ValueColumn in, size_t n, Value *out) {
    (void)c;
    for (size_t k = 0; k < n; k++) out[k] = in.v[k * in.step];
}

#define STEP2(op, usual, result)                                                        \
    static void step_##op(Ctx *c, ValueColumn p, ValueColumn q, size_t n, Value *out) { \
        for (size_t k = 0; k < n; k++, p.v += p.step, q.v += q.step) {                  \
            const Value x = *p.v, y = *q.v;                                             \
            out[k] = (usual) ? (result) : op_##op(c, (Value[2]){x, y});                 \
        }                                                                               \
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
static void step_manhattan(Ctx *c, ValueColumn p, ValueColumn q, size_t n, Value *out) {
    const bool to_one = !q.step && one_word(q.v[0]);
    for (size_t k = 0; k < n; k++, p.v += p.step, q.v += q.step) {
        const Value x = *p.v, y = *q.v;
        const bool usual = one_word(x) && (to_one || one_word(y));
        out[k] = usual ? value_of_small(words_apart(x, y)) : op_manhattan(c, (Value[2]){x, y});
    }
}

#define HAS_STEP(op) [OP_##op] = step_##op
ColumnStep1 *const column_steps1[OPS] = {
    HAS_STEP(identity), HAS_STEP(first),  HAS_STEP(last),   HAS_STEP(even),    HAS_STEP(positive),
    HAS_STEP(flip),     HAS_STEP(size),   HAS_STEP(color),  HAS_STEP(maximum), HAS_STEP(minimum),
    HAS_STEP(sign),     HAS_STEP(toivec), HAS_STEP(tojvec),
};
ColumnStep2 *const column_steps2[OPS] = {
    HAS_STEP(add),  HAS_STEP(subtract), HAS_STEP(multiply), HAS_STEP(equality),  HAS_STEP(greater),
    HAS_STEP(both), HAS_STEP(either),   HAS_STEP(astuple),  HAS_STEP(get_nth_f), HAS_STEP(manhattan),
};

// ---- Many patches against one ----

enum { SIDE = 64 };

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
bool column_against(Ctx *c, unsigned op, ValueColumn in, Value fixed, size_t n, Value *out) {
    Bitmap m;
    if (n < COLUMN_ENOUGH || !value_is(fixed, KIND_LOCS)) return false;
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
