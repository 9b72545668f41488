// The values of the language: immutable, normalised when made, one representation each (equal values have
// equal bytes, wherever they came from).
//
//   word (64 bits)   immediate          integers of 61 bits, small pairs, cells, primitives, words of the
//                                       language such as REGIONS, None, failures
//                    pointer to an Obj  everything else
//
//   a pair (i, j) of integers from -2048 to 2047      -> a LOC:  i and j as 12 bits each, offset by 2048
//   a cell (v, (i, j)), v from -128 to 127            -> a CELL: 8 bits of v + 128, then the LOC
//   a tuple of equally long, non-empty tuples of
//     integers from -128 to 127                       -> a GRID: height, width, a byte a cell
//   a non-empty set of LOCs, of CELLs                 -> LOCS, CELLS: sorted 32-bit words
//   any other tuple or set                            -> TUPLE, SET: its elements as Values (a set's sorted)
//   an integer that needs more than 61 bits           -> a BIG
//   a function made by compose, rbind, …              -> a FUNC: what it was made of
//
// The words of LOCS and CELLS compare as unsigned numbers just as the tuples they stand for, so a sorted set
// of tuples is a sorted array of words, a shift is an addition, and recolouring is an or.
//
// Values belong to the arena of the Ctx that was passed in; nobody frees one alone.
#ifndef TESSERA_VALUE_VALUE_H
#define TESSERA_VALUE_VALUE_H

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "value/context.h"

typedef ts_value Value;

enum { TAG_OBJ, TAG_INT, TAG_LOC, TAG_CELL, TAG_OP, TAG_NONE, TAG_FAIL, TAG_WORD };
typedef enum { KIND_BIG, KIND_TUPLE, KIND_GRID, KIND_SET, KIND_LOCS, KIND_CELLS, KIND_FUNC } Kind;

typedef struct Obj {
    uint8_t kind;    // a Kind
    uint8_t depth;   // nesting: 1 + that of the deepest element
    uint8_t detail;  // TUPLE: whether all elements are from -128 to 127; FUNC: the primitive that made it
    uint8_t arity;   // FUNC: number of arguments
    uint32_t n;      // elements; GRID: height
    uint32_t width;  // GRID only
    uint32_t weight; // see value_weight; not for GRID
    // The payload follows: Values, bytes or words.
} Obj;

enum {
    VALUE_MOST_DEPTH = 200,
    VALUE_MOST_WEIGHT = 1 << 26,
    LOC_BIAS = 2048,
    LOC_LIMIT = 4096, // biased coordinates are below this
    CELL_BIAS = 128,
};

// ---- Taking words apart ----

static inline unsigned value_tag(Value v) { return v.bits & 7; }
static inline Value value_from(unsigned tag, uint64_t payload) { return (Value){payload << 8 | tag}; }
static inline bool value_same(Value a, Value b) { return a.bits == b.bits; }

static inline const Obj *value_obj(Value v) {
    assert(value_tag(v) == TAG_OBJ);
    return (const Obj *)(uintptr_t)v.bits;
}
static inline Value value_of_obj(const Obj *o) { return (Value){(uint64_t)(uintptr_t)o}; }
static inline bool value_is(Value v, Kind kind) {
    return value_tag(v) == TAG_OBJ && value_obj(v)->kind == kind;
}

static inline const Value *obj_items(const Obj *o) { return (const Value *)(o + 1); }
static inline const int8_t *obj_cells(const Obj *o) { return (const int8_t *)(o + 1); }
static inline const uint32_t *obj_words(const Obj *o) { return (const uint32_t *)(o + 1); }
// Bytes of the payload that are no values.
static inline size_t obj_plain_bytes(const Obj *o) {
    switch ((Kind)o->kind) {
    case KIND_BIG: return sizeof(int64_t);
    case KIND_GRID: return (size_t)o->n * o->width;
    case KIND_LOCS:
    case KIND_CELLS: return o->n * sizeof(uint32_t);
    default: return 0;
    }
}

#define VALUE_NONE ((Value){TAG_NONE})
#define VALUE_FAILED ((Value){TAG_FAIL}) // what a primitive returns once the context has failed
extern const Obj value_no_tuple, value_no_set;
#define VALUE_NO_TUPLE value_of_obj(&value_no_tuple)
#define VALUE_NO_SET value_of_obj(&value_no_set)

// A primitive that finds no result because memory is short has spent its memory, whatever it says.
static inline Value ctx_fail(Ctx *c, ts_failure kind) {
    if (!c->failure) c->failure = c->arena.full ? TS_FAIL_BUDGET : kind;
    return VALUE_FAILED;
}

// ---- Integers ----

static inline bool value_is_small(Value v) { return value_tag(v) == TAG_INT; }
static inline int64_t value_small(Value v) {
    assert(value_is_small(v));
    return (int64_t)v.bits >> 3;
}
static inline Value value_of_small(int64_t n) { return (Value){(uint64_t)n << 3 | TAG_INT}; } // |n| < 2^60
static inline bool value_is_int(Value v) { return value_is_small(v) || value_is(v, KIND_BIG); }
static inline int64_t value_int_of(Value v) {
    int64_t big;
    if (value_is_small(v)) return value_small(v);
    memcpy(&big, value_obj(v) + 1, sizeof big);
    return big;
}
Value value_big(Ctx *c, int64_t n);
static inline Value value_int(Ctx *c, int64_t n) {
    return n < ((int64_t)1 << 60) && n >= -((int64_t)1 << 60) ? value_of_small(n) : value_big(c, n);
}
static inline Value value_bool(bool b) { return value_of_small(b); }
static inline bool fits_cell(int64_t v) { return v >= -CELL_BIAS && v < CELL_BIAS; }

// ---- Locations and cells ----

static inline bool fits_loc(int64_t i, int64_t j) {
    return (((uint64_t)i + LOC_BIAS) | ((uint64_t)j + LOC_BIAS)) < LOC_LIMIT; // a power of two
}
static inline uint32_t loc_word(int i, int j) {
    assert(fits_loc(i, j));
    return (uint32_t)(i + LOC_BIAS) << 12 | (uint32_t)(j + LOC_BIAS);
}
static inline uint32_t cell_word(int v, int i, int j) {
    assert(fits_cell(v));
    return (uint32_t)(v + CELL_BIAS) << 24 | loc_word(i, j);
}
static inline int word_i(uint32_t w) { return (int)(w >> 12 & 0xFFF) - LOC_BIAS; }
static inline int word_j(uint32_t w) { return (int)(w & 0xFFF) - LOC_BIAS; }
static inline int word_v(uint32_t w) { return (int)(w >> 24) - CELL_BIAS; }
static inline uint32_t word_loc(uint32_t w) { return w & 0xFFFFFF; }

static inline bool value_is_loc(Value v) { return value_tag(v) == TAG_LOC; }
static inline bool value_is_cell(Value v) { return value_tag(v) == TAG_CELL; }
static inline uint32_t value_word(Value v) { return (uint32_t)(v.bits >> 8); }
static inline Value value_of_loc(uint32_t word) { return value_from(TAG_LOC, word); }
static inline Value value_of_cell(uint32_t word) { return value_from(TAG_CELL, word); }

Value value_pair_slow(Ctx *c, Value a, Value b);
// The tuple (a, b).
static inline Value value_pair(Ctx *c, Value a, Value b) {
    if (value_is_small(a) && value_is_small(b) && fits_loc(value_small(a), value_small(b)))
        return value_of_loc(loc_word((int)value_small(a), (int)value_small(b)));
    return value_pair_slow(c, a, b);
}
static inline Value value_loc(Ctx *c, int64_t i, int64_t j) {
    if (fits_loc(i, j)) return value_of_loc(loc_word((int)i, (int)j));
    return value_pair(c, value_int(c, i), value_int(c, j));
}

// ---- Grids ----

static inline bool value_is_grid(Value v) { return value_is(v, KIND_GRID); }
// A grid to be filled in; height and width at least 1. NULL where memory is spent.
Obj *value_grid_new(Ctx *c, int64_t height, int64_t width);
static inline int8_t *grid_cells(Obj *o) { return (int8_t *)(o + 1); }
// Of a value that is one; the cells are its own.
static inline ts_grid value_as_grid(Value v) {
    const Obj *o = value_obj(v);
    return (ts_grid){(int)o->n, (int)o->width, obj_cells(o)};
}
Value value_grid(Ctx *c, ts_grid grid); // a copy; an empty one is ()
// A tuple of these integers.
Value value_row_slow(Ctx *c, const int8_t *cells, uint32_t n);
static inline Value value_row(Ctx *c, const int8_t *cells, uint32_t n) {
    return n == 2 ? value_of_loc(loc_word(cells[0], cells[1])) : value_row_slow(c, cells, n);
}

// ---- Tuples and sets ----

Value value_tuple(Ctx *c, const Value *items, size_t n);
Value value_set(Ctx *c, Value *items, size_t n); // sorts the items in place and drops repeated ones
Value value_set_sorted(Ctx *c, const Value *items, size_t n); // of items that are sorted and distinct already

// A tuple of the items where `like` is one, else a set.
Value value_like(Ctx *c, Value like, Value *items, size_t n);

// LOCS or CELLS: room for `most` words, to be filled in any order with repetitions, then finished before any
// other piece is made.
static inline uint32_t *packed_of(Obj *o) { return (uint32_t *)(o + 1); }
static inline Obj *packed_new(Ctx *c, Kind kind, size_t most) {
    if (most > VALUE_MOST_WEIGHT / 8) {
        ctx_fail(c, TS_FAIL_BUDGET);
        return NULL;
    }
    Obj *o = (Obj *)ctx_alloc(c, sizeof *o + most * sizeof(uint32_t));
    if (o) *o = (Obj){.kind = (uint8_t)kind, .depth = kind == KIND_LOCS ? 2 : 3};
    return o;
}
// One with as many words as another, of the same kind: finished, but for the words.
static inline Obj *packed_new_like(Ctx *c, const Obj *like) {
    Obj *o = (Obj *)ctx_alloc(c, sizeof *o + like->n * sizeof(uint32_t));
    if (o) *o = *like;
    return o;
}
Value packed_finish(Ctx *c, Obj *o, size_t n); // sorts, drops repeated ones
// Of words that are sorted and distinct already.
static inline Value packed_finish_sorted(Ctx *c, Obj *o, size_t n) {
    if (c->failure) return VALUE_FAILED;
    if (n == 0) return VALUE_NO_SET;
    assert(o->kind == KIND_LOCS || o->kind == KIND_CELLS);
    o->n = (uint32_t)n;
    o->weight = 1 + o->n * (o->kind == KIND_LOCS ? 3 : 5);
    return value_of_obj(o);
}
// The union of sets that are all LOCS or all CELLS (or empty); false where they are anything else.
bool packed_unite(Ctx *c, const Value *sets, size_t n, Value *united);
// The union of a set of LOCs or CELLs moved by each of some vectors, which are LOCs; false where it is too
// wide.
bool packed_unite_moved(Ctx *c, const Obj *set, const Obj *vectors, Value *united);

static inline bool value_is_tuple(Value v) {
    unsigned tag = value_tag(v);
    if (tag == TAG_OBJ) return value_obj(v)->kind == KIND_TUPLE || value_obj(v)->kind == KIND_GRID;
    return tag == TAG_LOC || tag == TAG_CELL;
}
static inline bool value_is_set(Value v) {
    if (value_tag(v) != TAG_OBJ) return false;
    Kind k = value_obj(v)->kind;
    return k == KIND_SET || k == KIND_LOCS || k == KIND_CELLS;
}
static inline bool value_is_container(Value v) { return value_is_tuple(v) || value_is_set(v); }

// ---- Functions ----

static inline bool value_is_op(Value v) { return value_tag(v) == TAG_OP; }
static inline unsigned value_op(Value v) {
    assert(value_is_op(v));
    return (unsigned)(v.bits >> 8);
}
static inline Value value_of_op(unsigned op) { return value_from(TAG_OP, op); }

// Words of the language, by their numbers; value_word gives that of one.
static inline bool value_is_word(Value v) { return value_tag(v) == TAG_WORD; }
static inline Value value_of_word(unsigned number) { return value_from(TAG_WORD, number); }

Value value_func(Ctx *c, unsigned made_by, unsigned arity, const Value *parts, size_t n);

// The same value in the arena of another context.
Value value_copy(Ctx *c, Value v);
// The same for what of it lies in the arena `from`, which is to be given back; the rest stays where it is.
// VALUE_FAILED where memory is short. From `enough` bytes on a part that is there many times is moved once,
// but counted in *bytes each time: so what is counted follows from the value alone. (move.c)
Value value_move(Arena *to, Arena *from, Value v, size_t enough, size_t *bytes);
enum { VALUE_MOVE_ENOUGH = 1 << 16 }; // for whoever does not know what it has cost

// ---- Comparing (order.c) ----

bool value_equal(Value a, Value b);
int64_t value_equal_units(Value a, Value b); // what that may cost, to be charged before
// The natural total order: integers ascending, tuples element by element (a prefix first), sets by their
// sorted elements; integers before tuples before sets before None before functions. Negative, zero or
// positive. Charges for what is long or heavy; where that is too much what it returns means nothing.
int value_compare_slow(Ctx *c, Value a, Value b);
static inline int value_compare(Ctx *c, Value a, Value b) {
    const unsigned tag = value_tag(a);
    if (tag != value_tag(b) || tag < TAG_INT || tag > TAG_CELL) return value_compare_slow(c, a, b);
    // Words of one kind compare as what they stand for.
    const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    return (x > y) - (x < y);
}
uint64_t value_hash_from(uint64_t seed, Value v); // for tables: see base/hash.h
static inline uint64_t value_hash(Value v) { return value_hash_from(0, v); }
// Python's `<`: tuples element by element, sets by inclusion. 1 or 0; what Python cannot compare fails.
int value_less(Ctx *c, Value a, Value b);
// As value_less, but sets by the natural order, which is total: for sorting.
int value_sorts_before(Ctx *c, Value a, Value b);
bool values_sort(Ctx *c, Value *items, size_t n); // by natural order; false where memory is spent
// Elements at all levels: what it costs to walk through all of it.
static inline uint32_t value_weight(Value v) {
    unsigned tag = value_tag(v);
    if (tag != TAG_OBJ) return tag == TAG_LOC ? 3 : tag == TAG_CELL ? 5 : 1;
    const Obj *o = value_obj(v);
    return o->kind == KIND_GRID ? 1 + o->n * (1 + o->width) : o->weight;
}
// How many words come before the first that is not below this one.
uint32_t packed_before(const Obj *o, uint64_t word);
bool packed_contain(const Obj *o, uint32_t word);

// ---- Elements (seq.c) ----

// Number of elements of any container; fails for what is none.
int64_t value_length(Ctx *c, Value v);
// Element k, counted from 0, of a container of more than k elements.
Value value_element(Ctx *c, Value v, uint32_t k);
// All elements of a container, to where there is room for them.
void values_of(Ctx *c, Value container, Value *out);
// Python's v[k]: tuples only, counted from the end where negative.
Value value_item(Ctx *c, Value v, int64_t k);
bool value_contains(Ctx *c, Value container, Value v);

// for (Iter it = iter(c, v); iter_next(&it, &e);)
typedef struct {
    Ctx *c;
    Value v;
    const Value *items; // of a TUPLE or SET, else NULL
    uint32_t k, n;
} Iter;
Iter iter(Ctx *c, Value v);
static inline bool iter_next(Iter *it, Value *e) {
    if (it->k >= it->n || it->c->failure) return false;
    *e = it->items ? it->items[it->k] : value_element(it->c, it->v, it->k);
    it->k++;
    return true;
}

// Elements gathered one by one, then made a tuple or a set.
typedef struct {
    Ctx *c;
    Value *items;
    size_t n, room;
} Gather;
static inline Gather gather(Ctx *c) { return (Gather){.c = c}; }
Gather gather_room(Ctx *c, size_t n);     // with room for n elements
bool gather_reserve(Gather *g, size_t n); // room for n more
static inline void gather_add(Gather *g, Value v) {
    if (g->n < g->room || gather_reserve(g, 1)) g->items[g->n++] = v;
}
void gather_all(Gather *g, Value container);
Value gather_tuple(Gather *g);
Value gather_set(Gather *g);
Value gather_as(Gather *g, Value like);

#endif
