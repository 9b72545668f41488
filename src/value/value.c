// Makes values, in their one normal form. Everything that decides which form a value has is in this file.
#include "value/value.h"

const Obj value_no_tuple = {.kind = KIND_TUPLE, .depth = 1, .weight = 1};
const Obj value_no_set = {.kind = KIND_SET, .depth = 1, .weight = 1};

static Obj *obj_new(Ctx *c, Kind kind, size_t n, size_t bytes) {
    if (n > UINT32_MAX) {
        ctx_fail(c, TS_FAIL_BUDGET);
        return NULL;
    }
    Obj *o = ctx_alloc(c, sizeof *o + bytes);
    if (o) *o = (Obj){.kind = (uint8_t)kind, .n = (uint32_t)n};
    return o;
}

Value value_big(Ctx *c, int64_t n) {
    Obj *o = obj_new(c, KIND_BIG, 1, sizeof n);
    if (!o) return VALUE_FAILED;
    o->weight = 1;
    memcpy(o + 1, &n, sizeof n);
    return value_of_obj(o);
}

static inline unsigned value_depth(Value v) {
    unsigned tag = value_tag(v);
    if (tag == TAG_OBJ) return value_obj(v)->depth;
    return tag == TAG_LOC ? 1 : tag == TAG_CELL ? 2 : 0;
}

// 0 for the integers from -128 to 127, and for nothing else.
static inline uint64_t beyond_cell(Value v) {
    return ((v.bits + ((uint64_t)CELL_BIAS << 3)) ^ TAG_INT) & ~(uint64_t)((2 * CELL_BIAS - 1) << 3);
}

// A TUPLE, SET or FUNC of these elements as they are.
static inline Obj *obj_of_items(Ctx *c, Kind kind, const Value *restrict items, size_t n) {
    Obj *o = obj_new(c, kind, n, n * sizeof *items);
    if (!o) return NULL;
    uint64_t depth = 0, weight = 1, beyond = 0;
    Value *restrict to = (Value *)(o + 1);
    const bool ints = n > 0 && value_is_small(items[0]);
    if (ints)
        for (size_t k = 0; k < n; k++) beyond |= beyond_cell(to[k] = items[k]);
    if (ints && !beyond) weight += n;
    else
        for (size_t k = 0; k < n; k++) {
            const Value v = to[k] = items[k];
            const uint64_t d = value_depth(v);
            if (d > depth) depth = d;
            weight += value_weight(v);
        }
    if (depth >= VALUE_MOST_DEPTH) ctx_fail(c, TS_FAIL_DEPTH);
    if (weight > VALUE_MOST_WEIGHT) ctx_fail(c, TS_FAIL_BUDGET);
    o->depth = (uint8_t)(depth + 1);
    o->weight = (uint32_t)weight;
    o->detail = kind == KIND_TUPLE && ints && !beyond;
    return c->failure ? NULL : o;
}

Value value_func(Ctx *c, unsigned made_by, unsigned arity, const Value *parts, size_t n) {
    Obj *o = obj_of_items(c, KIND_FUNC, parts, n);
    if (!o) return VALUE_FAILED;
    o->detail = (uint8_t)made_by;
    o->arity = (uint8_t)arity;
    return value_of_obj(o);
}

// ---- Grids ----

Obj *value_grid_new(Ctx *c, int64_t height, int64_t width) {
    if (height > VALUE_MOST_WEIGHT || width > VALUE_MOST_WEIGHT || height * width > VALUE_MOST_WEIGHT / 2) {
        ctx_fail(c, TS_FAIL_BUDGET);
        return NULL;
    }
    Obj *o = obj_new(c, KIND_GRID, (size_t)height, (size_t)(height * width));
    if (!o) return NULL;
    o->width = (uint32_t)width;
    o->depth = 2;
    return o;
}

Value value_grid(Ctx *c, ts_grid grid) {
    if (grid.height == 0) return VALUE_NO_TUPLE;
    Obj *o = value_grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    memcpy(grid_cells(o), grid.cells, (size_t)grid.height * (size_t)grid.width);
    return value_of_obj(o);
}

Value value_row_slow(Ctx *c, const int8_t *cells, uint32_t n) {
    if (n == 0) return VALUE_NO_TUPLE;
    Obj *o = obj_new(c, KIND_TUPLE, n, n * sizeof(Value));
    if (!o) return VALUE_FAILED;
    Value *items = (Value *)(o + 1);
    for (uint32_t k = 0; k < n; k++) items[k] = value_of_small(cells[k]);
    o->depth = 1;
    o->weight = 1 + n;
    o->detail = 1;
    return value_of_obj(o);
}

// 0 for the LOCs of two integers that may stand in a grid, and for nothing else.
static inline uint64_t beyond_cells(Value v) {
    const uint64_t bias = CELL_BIAS << 12 | CELL_BIAS, pair = (uint64_t)(2 * CELL_BIAS - 1) * (1 << 12 | 1);
    return ((v.bits + (bias << 8)) ^ value_of_loc(loc_word(0, 0)).bits) & ~(pair << 8);
}

// Width of a row that may stand in a grid, 0 for anything else.
static uint32_t row_width(Value v) {
    if (value_is_loc(v)) return beyond_cells(v) ? 0 : 2;
    return value_is(v, KIND_TUPLE) && value_obj(v)->detail ? value_obj(v)->n : 0;
}

static bool are_rows(const Value *items, size_t n) {
    if (n > 0 && value_is_loc(items[0])) {
        uint64_t beyond = 0;
        for (size_t k = 0; k < n; k++) beyond |= beyond_cells(items[k]);
        return !beyond; // no other row has two cells
    }
    uint32_t width = n ? row_width(items[0]) : 0;
    for (size_t k = 1; width && k < n; k++)
        if (row_width(items[k]) != width) return false;
    return width != 0;
}

// ---- Tuples ----

static Value grid_of_rows(Ctx *c, const Value *rows, size_t n) {
    Obj *o = value_grid_new(c, (int64_t)n, row_width(rows[0]));
    if (!o) return VALUE_FAILED;
    int8_t *to = grid_cells(o);
    if (value_is_loc(rows[0])) {
        for (size_t k = 0; k < n; k++) {
            *to++ = (int8_t)(value_word(rows[k]) >> 12);
            *to++ = (int8_t)value_word(rows[k]);
        }
        return value_of_obj(o);
    }
    for (size_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < o->width; j++) *to++ = (int8_t)value_small(obj_items(value_obj(rows[k]))[j]);
    return value_of_obj(o);
}

Value value_pair_slow(Ctx *c, Value a, Value b) {
    if (value_is_small(a) && value_is_loc(b) && fits_cell(value_small(a)))
        return value_of_cell((uint32_t)(value_small(a) + CELL_BIAS) << 24 | value_word(b));
    Value items[2] = {a, b};
    if (are_rows(items, 2)) return grid_of_rows(c, items, 2);
    Obj *o = obj_new(c, KIND_TUPLE, 2, sizeof items);
    if (!o) return VALUE_FAILED;
    const unsigned p = value_depth(a), q = value_depth(b);
    const uint64_t weight = 1 + (uint64_t)value_weight(a) + value_weight(b);
    if (p >= VALUE_MOST_DEPTH || q >= VALUE_MOST_DEPTH) return ctx_fail(c, TS_FAIL_DEPTH);
    if (weight > VALUE_MOST_WEIGHT) return ctx_fail(c, TS_FAIL_BUDGET);
    o->depth = (uint8_t)(1 + (p > q ? p : q));
    o->weight = (uint32_t)weight;
    memcpy(o + 1, items, sizeof items); // not two small integers: that is a LOC
    return value_of_obj(o);
}

static Value build_tuple(Ctx *c, const Value *items, size_t n) {
    if (c->failure) return VALUE_FAILED;
    if (n == 0) return VALUE_NO_TUPLE;
    if (n == 2) return value_pair(c, items[0], items[1]);
    if (are_rows(items, n)) return grid_of_rows(c, items, n);
    Obj *o = obj_of_items(c, KIND_TUPLE, items, n);
    return o ? value_of_obj(o) : VALUE_FAILED;
}

Value value_tuple(Ctx *c, const Value *items, size_t n) {
    uint64_t start = profile_build(c->profile, BUILD_TUPLE);
    Value result = build_tuple(c, items, n);
    profile_built(c->profile, BUILD_TUPLE, start);
    return result;
}

// ---- Sets ----

enum { FEW_VALUES = 8, MANY_SETS = 32, MANY_VALUES = 64 };

// Merge sort: stable, no worst case, and the context pays for the second half of the memory.
static bool merge_sort(Ctx *c, Value *items, size_t n) {
    Value *from = items, *to = ctx_alloc(c, n * sizeof *to);
    if (!to) return false;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t start = 0; start < n; start += 2 * run) {
            size_t a = start, middle = start + run < n ? start + run : n;
            size_t b = middle, end = middle + run < n ? middle + run : n;
            for (size_t o = start; o < end; o++) {
                bool second = a >= middle || (b < end && value_compare(c, from[a], from[b]) > 0);
                to[o] = second ? from[b++] : from[a++];
            }
        }
        Value *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, n * sizeof *items);
    return !c->failure;
}

static inline bool has_words(Value v) {
    if (value_tag(v) != TAG_OBJ) return false;
    return value_obj(v)->kind == KIND_LOCS || value_obj(v)->kind == KIND_CELLS;
}

// Sets of words by their first word alone, where these all differ; else false. Objects of a grid are such.
static bool sort_by_first_word(Value *items, size_t n) {
    uint32_t keys[MANY_SETS];
    if (n > MANY_SETS) return false;
    for (size_t k = 0; k < n; k++) {
        if (!has_words(items[k])) return false;
        if (value_obj(items[k])->kind != value_obj(items[0])->kind) return false;
        Value v = items[k];
        uint32_t key = obj_words(value_obj(v))[0];
        size_t at = k;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            items[at] = items[at - 1];
        }
        if (at > 0 && keys[at - 1] == key) { // as it was, for the other way to sort
            items[at] = v;
            return false;
        }
        keys[at] = key;
        items[at] = v;
    }
    return true;
}

// ---- Many values by a key ----

typedef struct {
    uint64_t key;
    Value v;
} Keyed;

// Values of one form have a key in 64 bits that never contradicts their order: integers themselves, sets of
// words their first two words, grids of one width their first eight cells. False where they are of several
// forms.
static bool key_of(Value v, Value like, uint64_t *key) {
    if (value_is_small(like)) {
        if (!value_is_small(v)) return false;
        *key = (uint64_t)value_small(v) ^ (uint64_t)1 << 63;
        return true;
    }
    *key = 0;
    if (value_same(v, VALUE_NO_SET)) return value_is_set(like);
    if (value_tag(v) != TAG_OBJ || value_tag(like) != TAG_OBJ) return false;
    const Obj *o = value_obj(v);
    if (o->kind != value_obj(like)->kind) return false;
    if (o->kind == KIND_LOCS || o->kind == KIND_CELLS) {
        *key = (uint64_t)obj_words(o)[0] << 32 | (o->n > 1 ? obj_words(o)[1] : 0);
        return true;
    }
    if (o->kind != KIND_GRID || o->width != value_obj(like)->width) return false;
    const size_t cells = (size_t)o->n * o->width;
    memcpy(key, obj_cells(o), cells < sizeof *key ? cells : sizeof *key);
    *key = __builtin_bswap64(*key) ^ 0x8080808080808080;
    return true;
}

// By bytes, lowest first; those that are the same everywhere cost nothing. Returns where the result lies.
static Keyed *radix_sort(Keyed *from, Keyed *to, size_t n) {
    uint64_t differ = 0;
    for (size_t k = 1; k < n; k++) differ |= from[k].key ^ from[0].key;
    for (int shift = 0; shift < 64; shift += 8) {
        if (!(differ >> shift & 255)) continue;
        uint32_t start[257] = {0};
        for (size_t k = 0; k < n; k++) start[(from[k].key >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++) start[b + 1] += start[b];
        for (size_t k = 0; k < n; k++) to[start[from[k].key >> shift & 255]++] = from[k];
        Keyed *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

// Sorts by keys, then what has the same key as before. False where there are none.
static bool sort_by_key(Ctx *c, Value *items, size_t n) {
    Value like = items[0];
    for (size_t k = 1; k < n && value_same(like, VALUE_NO_SET); k++) like = items[k];
    uint64_t key;
    for (size_t k = 0; k < n; k++)
        if (!key_of(items[k], like, &key)) return false;
    Keyed *keyed = ctx_alloc(c, 2 * n * sizeof *keyed);
    if (!keyed) return true;
    for (size_t k = 0; k < n; k++) {
        keyed[k].v = items[k];
        key_of(items[k], like, &keyed[k].key);
    }
    keyed = radix_sort(keyed, keyed + n, n);
    for (size_t k = 0; k < n; k++) items[k] = keyed[k].v;
    for (size_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && keyed[end].key == keyed[start].key;) end++;
        if (end - start > 1 && !value_is_small(like)) merge_sort(c, items + start, end - start);
    }
    return true;
}

// How many at the beginning are in order and distinct. Sets of words mostly differ in their first one.
static size_t count_in_order(Ctx *c, const Value *items, size_t n) {
    size_t k = 1;
    for (; k < n; k++) {
        const Value a = items[k - 1], b = items[k];
        const bool words = has_words(a) && has_words(b) && value_obj(a)->kind == value_obj(b)->kind;
        if (words && obj_words(value_obj(a))[0] < obj_words(value_obj(b))[0]) continue;
        if (value_compare(c, a, b) >= 0) break;
    }
    return k;
}

bool values_sort(Ctx *c, Value *items, size_t n) {
    if (sort_by_first_word(items, n)) return true;
    size_t k = count_in_order(c, items, n);
    if (k >= n) return !c->failure;
    // Some comparisons for each, or some passes.
    if (n > FEW_VALUES && !ctx_charge(c, 4 * (int64_t)n * (64 - __builtin_clzll(n)))) return false;
    if (n > MANY_VALUES && !c->plain && sort_by_key(c, items, n)) return !c->failure;
    if (n > FEW_VALUES) return merge_sort(c, items, n);
    for (; k < n; k++) {
        Value v = items[k];
        size_t at = k;
        for (; at > 0 && value_compare(c, items[at - 1], v) > 0; at--) items[at] = items[at - 1];
        items[at] = v;
    }
    return !c->failure;
}

// The form of a set of these elements.
static Kind kind_of_set(const Value *items, size_t n) {
    unsigned tag = value_tag(items[0]);
    if (tag != TAG_LOC && tag != TAG_CELL) return KIND_SET;
    for (size_t k = 1; k < n; k++)
        if (value_tag(items[k]) != tag) return KIND_SET;
    return tag == TAG_LOC ? KIND_LOCS : KIND_CELLS;
}

static Obj *words_of_values(Ctx *c, Kind kind, const Value *items, size_t n) {
    Obj *o = packed_new(c, kind, n);
    if (!o) return NULL;
    for (size_t k = 0; k < n; k++) packed_of(o)[k] = value_word(items[k]);
    return o;
}

static Value build_set(Ctx *c, Value *items, size_t n) {
    if (c->failure) return VALUE_FAILED;
    if (n == 0) return VALUE_NO_SET;
    Kind kind = kind_of_set(items, n);
    if (kind != KIND_SET) {
        Obj *o = words_of_values(c, kind, items, n);
        return o ? packed_finish(c, o, n) : VALUE_FAILED;
    }
    uint64_t weight = 0;
    for (size_t k = 0; k < n; k++) weight += value_weight(items[k]);
    if (!ctx_charge(c, (int64_t)weight / 2)) return VALUE_FAILED;
    size_t kept = count_in_order(c, items, n);
    if (kept < n) {
        if (!values_sort(c, items, n)) return VALUE_FAILED;
        kept = 1;
    }
    for (size_t k = kept; k < n; k++)
        if (!value_equal(items[k], items[kept - 1])) items[kept++] = items[k];
    Obj *o = obj_of_items(c, KIND_SET, items, kept);
    return o ? value_of_obj(o) : VALUE_FAILED;
}

Value value_set(Ctx *c, Value *items, size_t n) {
    uint64_t start = profile_build(c->profile, BUILD_SET);
    Value result = build_set(c, items, n);
    profile_built(c->profile, BUILD_SET, start);
    return result;
}

Value value_set_sorted(Ctx *c, const Value *items, size_t n) {
    if (c->failure) return VALUE_FAILED;
    if (n == 0) return VALUE_NO_SET;
    Kind kind = kind_of_set(items, n);
    Obj *o = kind == KIND_SET ? obj_of_items(c, KIND_SET, items, n) : words_of_values(c, kind, items, n);
    if (!o) return VALUE_FAILED;
    return kind == KIND_SET ? value_of_obj(o) : packed_finish_sorted(c, o, n);
}

// ---- Copies ----

Value value_copy(Ctx *c, Value v) {
    if (value_tag(v) != TAG_OBJ || value_same(v, VALUE_NO_TUPLE) || value_same(v, VALUE_NO_SET)) return v;
    const Obj *from = value_obj(v);
    size_t plain = obj_plain_bytes(from), items = plain ? 0 : from->n;
    Obj *to = ctx_alloc(c, sizeof *to + plain + items * sizeof v);
    if (!to) return VALUE_FAILED;
    memcpy(to, from, sizeof *to + plain);
    Value *copies = (Value *)(to + 1);
    for (size_t k = 0; k < items; k++) copies[k] = value_copy(c, obj_items(from)[k]);
    return value_of_obj(to);
}
