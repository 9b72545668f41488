// Tuples and sets.
//
// Workload: patches and objects (LOCS and CELLS of 1 to 200 words), sets of some ten objects, tuples of a few
// values. Two sets of words are united, cut and subtracted by walking through both; a set of patches is
// merged by laying all words end to end and sorting once. All else goes element by element.
#include "dsl/column.h"

// Whether both are sets of locations, or both of cells.
static bool same_words(const Ctx *c, Value a, Value b) {
    if (c->plain || value_tag(a) != TAG_OBJ || value_tag(b) != TAG_OBJ) return false;
    Kind kind = (Kind)value_obj(a)->kind;
    return (kind == KIND_LOCS || kind == KIND_CELLS) && value_obj(b)->kind == kind;
}

enum { MANY_MORE = 4 };
typedef enum { ONLY_FIRST = 1, ONLY_SECOND = 2, IN_BOTH = 4 } Keep;

// The first word that is not below this one. Without branches, as nobody can guess which way they go.
static const uint32_t *not_below(const uint32_t *p, const uint32_t *end, uint32_t word) {
    size_t n = (size_t)(end - p);
    if (n == 0) return p;
    while (n > 1) {
        size_t half = n / 2;
        p += half & -(size_t)(p[half - 1] < word);
        n -= half;
    }
    return p + (*p < word);
}

// As walk_words, for a second set that is small: each of its words is looked for.
static uint32_t *walk_few(uint32_t *out, const uint32_t *p, const uint32_t *p_end, const uint32_t *q,
                          const uint32_t *q_end, int keep) {
    for (; q < q_end && p < p_end; q++) {
        const uint32_t *next = not_below(p, p_end, *q);
        if (keep & ONLY_FIRST) {
            memcpy(out, p, (size_t)(next - p) * sizeof *out);
            out += next - p;
        }
        bool found = next < p_end && *next == *q;
        if (found && keep & IN_BOTH) *out++ = *q;
        p = next + found;
    }
    if (keep & ONLY_FIRST) {
        memcpy(out, p, (size_t)(p_end - p) * sizeof *out);
        out += p_end - p;
    }
    return out;
}

// Walks through two sorted arrays and keeps what is in the first, the second, or both, as asked for: laid out
// anew for each of the three that ask.
static inline __attribute__((always_inline)) Value walk_words(Ctx *c, Value a, Value b, const int keep) {
    const Obj *x = value_obj(a), *y = value_obj(b);
    const uint32_t *p = obj_words(x), *q = obj_words(y), *p_end = p + x->n, *q_end = q + y->n;
    if (!ctx_charge(c, x->n + y->n)) return VALUE_FAILED;
    if (!(keep & ONLY_SECOND)) { // only what lies between the first and the last word of the other matters
        q = not_below(q, q_end, *p);
        if (p_end[-1] < UINT32_MAX) q_end = not_below(q, q_end, p_end[-1] + 1);
    }
    Obj *o = packed_new(c, (Kind)x->kind, (size_t)x->n + (keep & ONLY_SECOND ? y->n : 0));
    if (!o) return VALUE_FAILED;
    uint32_t *out = packed_of(o);
    size_t n = (size_t)(p_end - p), m = (size_t)(q_end - q);
    if (n >= MANY_MORE * m && !(keep & ONLY_SECOND)) {
        out = walk_few(out, p, p_end, q, q_end, keep);
        return packed_finish_sorted(c, o, (size_t)(out - packed_of(o)));
    }
    if (m >= MANY_MORE * n && !(keep & ONLY_SECOND)) { // each word of the first is looked for in the second
        for (; p < p_end; p++) {
            q = not_below(q, q_end, *p);
            bool found = q < q_end && *q == *p;
            *out = *p;
            out += (keep & (found ? IN_BOTH : ONLY_FIRST)) != 0;
        }
        return packed_finish_sorted(c, o, (size_t)(out - packed_of(o)));
    }
    while (p < p_end && q < q_end) {
        uint32_t u = *p, v = *q;
        *out = u <= v ? u : v;
        out += u == v ? (keep & IN_BOTH) != 0 : u < v ? (keep & ONLY_FIRST) != 0 : (keep & ONLY_SECOND) != 0;
        p += u <= v;
        q += v <= u;
    }
    if (keep & ONLY_FIRST)
        while (p < p_end) *out++ = *p++;
    if (keep & ONLY_SECOND)
        while (q < q_end) *out++ = *q++;
    return packed_finish_sorted(c, o, (size_t)(out - packed_of(o)));
}

OP_FN(combine) {
    if (same_words(c, a[0], a[1])) return walk_words(c, a[0], a[1], ONLY_FIRST | ONLY_SECOND | IN_BOTH);
    Gather g = gather(c);
    gather_all(&g, a[0]);
    gather_all(&g, a[1]);
    return gather_as(&g, a[0]);
}

OP_FN(intersection) {
    if (same_words(c, a[0], a[1])) return walk_words(c, a[0], a[1], IN_BOTH);
    if (value_is_int(a[0]) && value_is_int(a[1]))
        return value_int(c, value_int_of(a[0]) & value_int_of(a[1]));
    if (!value_is_set(a[0]) || !value_is_set(a[1])) return ctx_fail(c, TS_FAIL_TYPE);
    Gather g = gather(c);
    Value e;
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);)
        if (value_contains(c, a[1], e)) gather_add(&g, e);
    return gather_set(&g);
}

OP_FN(difference) {
    if (same_words(c, a[0], a[1])) return walk_words(c, a[0], a[1], ONLY_FIRST);
    Gather g = gather(c);
    Value e;
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);)
        if (!value_contains(c, a[1], e)) gather_add(&g, e);
    return gather_as(&g, a[0]);
}

OP_FN(dedupe) {
    Gather g = gather(c);
    Value e;
    // Sets have no index().
    if (value_is_set(a[0]) && value_length(c, a[0]) > 0) return ctx_fail(c, TS_FAIL_TYPE);
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);) {
        size_t k = 0;
        while (k < g.n && !c->failure && !py_equal(c, g.items[k], e)) k++;
        if (k == g.n) gather_add(&g, e);
    }
    return gather_tuple(&g);
}

OP_FN(repeat) {
    int64_t n = need_range(c, a[1]);
    Gather g = gather_room(c, (size_t)n);
    for (int64_t k = 0; k < n && !c->failure; k++) gather_add(&g, a[0]);
    return gather_tuple(&g);
}

OP_FN(size) { return value_of_small(value_length(c, a[0])); }

static bool grids_of_one_width(const Obj *tuple) {
    const Value *items = obj_items(tuple);
    for (uint32_t k = 0; k < tuple->n; k++)
        if (!value_is_grid(items[k]) || value_obj(items[k])->width != value_obj(items[0])->width)
            return false;
    return tuple->n > 0;
}

// All rows of some grids, as one grid.
static Value grids_below(Ctx *c, const Obj *tuple) {
    int64_t height = 0;
    for (uint32_t k = 0; k < tuple->n; k++) height += value_obj(obj_items(tuple)[k])->n;
    Obj *o =
        ctx_charge(c, tuple->n) ? value_grid_new(c, height, value_obj(obj_items(tuple)[0])->width) : NULL;
    if (!o) return VALUE_FAILED;
    int8_t *to = grid_cells(o);
    for (uint32_t k = 0; k < tuple->n; k++) {
        const Obj *grid = value_obj(obj_items(tuple)[k]);
        memcpy(to, obj_cells(grid), (size_t)grid->n * grid->width);
        to += (size_t)grid->n * grid->width;
    }
    return value_of_obj(o);
}

OP_FN(merge) {
    Value united;
    if (!c->plain && value_is(a[0], KIND_SET) &&
        packed_unite(c, obj_items(value_obj(a[0])), value_obj(a[0])->n, &united))
        return united;
    if (!c->plain && value_is(a[0], KIND_TUPLE) && grids_of_one_width(value_obj(a[0])))
        return grids_below(c, value_obj(a[0]));
    Gather g = gather(c);
    Value e;
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);) gather_all(&g, e);
    return gather_as(&g, a[0]);
}

static Value extreme(Ctx *c, Value container, bool greatest) {
    Value best = value_of_small(0), e;
    bool any = false;
    for (Iter it = iter(c, container); iter_next(&it, &e);) {
        if (!any || (greatest ? value_less(c, best, e) : value_less(c, e, best))) best = e;
        any = true;
    }
    return best;
}

OP_FN(maximum) { return extreme(c, a[0], true); }

OP_FN(minimum) { return extreme(c, a[0], false); }

// The element of a tuple that occurs most or least often; of several the first in natural order.
static Value by_count(Ctx *c, Value tuple, bool most) {
    if (!value_is_tuple(tuple)) return ctx_fail(c, TS_FAIL_TYPE);
    Gather g = gather(c);
    gather_all(&g, tuple);
    if (g.n == 0) return ctx_fail(c, TS_FAIL_EMPTY);
    if (!values_sort(c, g.items, g.n)) return VALUE_FAILED;
    Value best = g.items[0];
    size_t best_count = 0;
    for (size_t start = 0, end; start < g.n; start = end) {
        for (end = start + 1; end < g.n && value_compare(c, g.items[end], g.items[start]) == 0;) end++;
        size_t count = end - start;
        if (best_count == 0 || (most ? count > best_count : count < best_count)) {
            best = g.items[start];
            best_count = count;
        }
    }
    return best;
}

OP_FN(mostcommon) { return by_count(c, a[0], true); }

OP_FN(leastcommon) { return by_count(c, a[0], false); }

OP_FN(initset) {
    Value item = a[0];
    if (value_is_loc(item) || value_is_cell(item)) {
        Obj *o = packed_new(c, value_is_loc(item) ? KIND_LOCS : KIND_CELLS, 1);
        if (!o) return VALUE_FAILED;
        packed_of(o)[0] = value_word(item);
        return packed_finish_sorted(c, o, 1);
    }
    return value_set(c, &item, 1);
}

OP_FN(totuple) {
    Gather g = gather(c);
    gather_all(&g, a[0]);
    return gather_tuple(&g);
}

OP_FN(first) {
    int64_t n = value_length(c, a[0]);
    if (n == 0) return ctx_fail(c, TS_FAIL_EMPTY);
    return value_element(c, a[0], 0);
}

OP_FN(last) {
    int64_t n = value_length(c, a[0]);
    if (n == 0) return ctx_fail(c, TS_FAIL_EMPTY);
    return value_element(c, a[0], (uint32_t)n - 1);
}

OP_FN(insert) {
    if (!value_is_set(a[1])) return ctx_fail(c, TS_FAIL_TYPE);
    Gather g = gather(c);
    gather_all(&g, a[1]);
    gather_add(&g, a[0]);
    return gather_set(&g);
}

OP_FN(remove) {
    Gather g = gather(c);
    Value e;
    for (Iter it = iter(c, a[1]); iter_next(&it, &e);)
        if (!py_equal(c, e, a[0])) gather_add(&g, e);
    return gather_as(&g, a[1]);
}

OP_FN(other) {
    Value e;
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);)
        if (!py_equal(c, e, a[1])) return e;
    return ctx_fail(c, TS_FAIL_EMPTY);
}

OP_FN(other_f) {
    Value e;
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);)
        if (!py_equal(c, e, a[1])) return e;
    return value_is_set(a[0]) ? VALUE_NO_SET : VALUE_NO_TUPLE;
}

OP_FN(interval) {
    int64_t start = need_int(c, a[0]), stop = need_int(c, a[1]), step = need_int(c, a[2]);
    if (c->failure) return VALUE_FAILED;
    if (step == 0) return ctx_fail(c, TS_FAIL_VALUE);
    __int128 way = (__int128)stop - start, count = way / step + (way % step != 0);
    if (way != 0 && (way > 0) != (step > 0)) return VALUE_NO_TUPLE;
    Gather g = gather_room(c, count > INT64_MAX ? SIZE_MAX : (size_t)count);
    for (int64_t n = start; (step > 0 ? n < stop : n > stop) && !c->failure;) {
        gather_add(&g, value_int(c, n));
        if (__builtin_add_overflow(n, step, &n)) break;
    }
    return gather_tuple(&g);
}

OP_FN(astuple) { return value_pair(c, a[0], a[1]); }

// Sets of integers that all fit a location; they are sorted, so the first and the last tell.
static bool small_ints(Value v) {
    if (!value_is(v, KIND_SET) || value_obj(v)->n == 0) return false;
    const Value *items = obj_items(value_obj(v)), *last = items + value_obj(v)->n - 1;
    return value_is_small(*items) && value_is_small(*last) &&
           fits_loc(value_small(*items), value_small(*last));
}

static Value product_of_ints(Ctx *c, const Obj *x, const Obj *y) {
    Obj *o = packed_new(c, KIND_LOCS, (size_t)x->n * y->n);
    if (!o) return VALUE_FAILED;
    uint32_t *out = packed_of(o);
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t j = 0; j < y->n; j++)
            *out++ = loc_word((int)value_small(obj_items(x)[i]), (int)value_small(obj_items(y)[j]));
    return packed_finish_sorted(c, o, (size_t)x->n * y->n);
}

enum { PAIR_UNITS = 6 }; // of a pair in a product, beside its memory

// Room for n pairs in one piece, and to gather them.
static void *pairs_new(Ctx *c, size_t n, size_t size, Gather *g) {
    if (!ctx_charge(c, PAIR_UNITS * (int64_t)n) || !ctx_affords(c, 6 * (int64_t)n)) return NULL;
    *g = gather_room(c, n);
    return c->failure ? NULL : ctx_alloc(c, n * size);
}

// Two sets of locations: each pair is a grid of two rows and two columns. All of them are made in one piece.
static Value product_of_locs(Ctx *c, const Obj *x, const Obj *y) {
    typedef struct {
        Obj head;
        int8_t cells[16]; // four in use; values lie at multiples of 16 bytes
    } Pair;
    Gather g;
    Pair *pair = pairs_new(c, (size_t)x->n * y->n, sizeof *pair, &g);
    if (!pair) return VALUE_FAILED;
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t j = 0; j < y->n; j++, pair++) {
            uint32_t u = obj_words(x)[i], v = obj_words(y)[j];
            pair->head = (Obj){.kind = KIND_GRID, .depth = 2, .n = 2, .width = 2};
            pair->cells[0] = (int8_t)word_i(u), pair->cells[1] = (int8_t)word_j(u);
            pair->cells[2] = (int8_t)word_i(v), pair->cells[3] = (int8_t)word_j(v);
            g.items[g.n++] = value_of_obj(&pair->head);
        }
    return value_set_sorted(c, g.items, g.n);
}

// Two sets of cells: each pair is a tuple of two.
static Value product_of_cells(Ctx *c, const Obj *x, const Obj *y) {
    typedef struct {
        Obj head;
        Value items[2];
    } Pair;
    Gather g;
    Pair *pair = pairs_new(c, (size_t)x->n * y->n, sizeof *pair, &g);
    if (!pair) return VALUE_FAILED;
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t j = 0; j < y->n; j++, pair++) {
            const Value u = value_of_cell(obj_words(x)[i]), v = value_of_cell(obj_words(y)[j]);
            pair->head = (Obj){.kind = KIND_TUPLE, .depth = 3, .n = 2, .weight = 1 + 2 * value_weight(u)};
            pair->items[0] = u, pair->items[1] = v;
            g.items[g.n++] = value_of_obj(&pair->head);
        }
    return value_set_sorted(c, g.items, g.n);
}

// Whether all its coordinates may stand in a grid.
static bool small_locs(Value v) {
    if (!value_is(v, KIND_LOCS)) return false;
    const Obj *o = value_obj(v);
    for (uint32_t k = 0; k < o->n; k++)
        if (!fits_cell(word_i(obj_words(o)[k])) || !fits_cell(word_j(obj_words(o)[k]))) return false;
    return true;
}

OP_FN(product) {
    if (!c->plain && small_locs(a[0]) && small_locs(a[1]))
        return product_of_locs(c, value_obj(a[0]), value_obj(a[1]));
    if (!c->plain && small_ints(a[0]) && small_ints(a[1]))
        return product_of_ints(c, value_obj(a[0]), value_obj(a[1]));
    if (!c->plain && value_is(a[0], KIND_CELLS) && value_is(a[1], KIND_CELLS))
        return product_of_cells(c, value_obj(a[0]), value_obj(a[1]));
    Gather g = gather(c);
    Value i, j;
    // In the order of the pairs, so nothing to sort.
    if (!c->plain && value_is_set(a[0]) && value_is_set(a[1])) {
        const size_t n = (size_t)value_obj(a[0])->n * value_obj(a[1])->n;
        if (!ctx_charge(c, PAIR_UNITS * (int64_t)n) || !ctx_affords(c, 2 * (int64_t)n)) return VALUE_FAILED;
        g = gather_room(c, n);
        for (Iter first = iter(c, a[0]); iter_next(&first, &i);)
            for (Iter second = iter(c, a[1]); iter_next(&second, &j);) gather_add(&g, value_pair(c, i, j));
        return value_set_sorted(c, g.items, g.n);
    }
    for (Iter second = iter(c, a[1]); iter_next(&second, &j);)
        for (Iter first = iter(c, a[0]); iter_next(&first, &i);) gather_add(&g, value_pair(c, i, j));
    return gather_set(&g);
}

// Of two rows of a grid: a grid of two columns. NULL where they are anything else.
static const Obj *row_fast(const Ctx *c, Value v) {
    if (c->plain || !value_is(v, KIND_TUPLE)) return NULL;
    const Obj *o = value_obj(v);
    return o->detail && o->n ? o : NULL;
}

static Value pair_rows(Ctx *c, const Obj *a, const Obj *b) {
    const uint32_t n = a->n < b->n ? a->n : b->n;
    Obj *o = value_grid_new(c, n, 2);
    if (!o) return VALUE_FAILED;
    for (uint32_t k = 0; k < n; k++) {
        grid_cells(o)[2 * k] = (int8_t)value_small(obj_items(a)[k]);
        grid_cells(o)[2 * k + 1] = (int8_t)value_small(obj_items(b)[k]);
    }
    return value_of_obj(o);
}

OP_FN(pair) {
    const Obj *rows[] = {row_fast(c, a[0]), row_fast(c, a[1])};
    if (rows[0] && rows[1]) return pair_rows(c, rows[0], rows[1]);
    size_t n, m;
    const Value *x = column_of(c, a[0], &n), *y = column_of(c, a[1], &m);
    if (m < n) n = m;
    Value *out = x && y ? ctx_alloc(c, (n + 1) * sizeof *out) : NULL;
    if (!out) return VALUE_FAILED;
    for (size_t k = 0; k < n; k++) out[k] = value_pair(c, x[k], y[k]);
    return value_tuple(c, out, n);
}

static Gather elements_of_size(Ctx *c, Value container, Value n) {
    Gather g = gather(c);
    Value e;
    for (Iter it = iter(c, container); iter_next(&it, &e);)
        if (py_equal(c, value_of_small(value_length(c, e)), n)) gather_add(&g, e);
    return g;
}

OP_FN(sizefilter) {
    Gather g = elements_of_size(c, a[0], a[1]);
    return gather_set(&g);
}

OP_FN(sizefilter_t) {
    Gather g = elements_of_size(c, a[0], a[1]);
    return gather_tuple(&g);
}
