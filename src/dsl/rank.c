// Elements by their place, values by their rank, and cells by their parts.
//
// A rank counts from 0, and from the end where it is negative. A cell is (colour, (row, column)); programs
// that take cells apart by place take them for (row, column, colour). So here, and for keys to be ranked, the
// first element of a cell is its row, then comes its column, then its colour. What counts as a cell follows
// from the value alone: a pair of a number and a pair of numbers.
//
// Workload: pairs and cells, one element of each of some hundred (column.c has a loop for that); the colours
// of a grid of up to 900 cells in 1 to 5 colours.
#include "dsl/column.h"
#include "dsl/patch.h"

// ---- Cells ----

// The row, column and colour of a cell of any size; false for what is none.
static bool cell_parts(Ctx *c, Value v, Value parts[3]) {
    if (value_is_cell(v)) {
        uint32_t word = value_word(v);
        parts[0] = value_of_small(word_i(word));
        parts[1] = value_of_small(word_j(word));
        parts[2] = value_of_small(word_v(word));
        return true;
    }
    if (!value_is(v, KIND_TUPLE) || value_obj(v)->n != 2) return false;
    Value color = obj_items(value_obj(v))[0], loc = obj_items(value_obj(v))[1];
    if (!value_is_int(color) || !value_is_tuple(loc) || value_length(c, loc) != 2) return false;
    parts[0] = value_element(c, loc, 0);
    parts[1] = value_element(c, loc, 1);
    parts[2] = color;
    return value_is_int(parts[0]) && value_is_int(parts[1]);
}

const Value *patch_cells_by_rows(Ctx *c, const Value *keys, size_t n) {
    Value parts[3];
    if (n == 0 || !cell_parts(c, keys[0], parts)) return keys;
    Value *triples = ctx_alloc(c, n * sizeof *triples);
    for (size_t k = 0; triples && k < n && !c->failure; k++)
        triples[k] = cell_parts(c, keys[k], parts) ? value_tuple(c, parts, 3) : keys[k];
    return c->failure ? NULL : triples;
}

// The location of a cell, or of anything that begins with one.
static Value location_of(Ctx *c, Value v) {
    Value parts[3];
    if (value_is_loc(v)) return v;
    if (!cell_parts(c, v, parts)) {
        parts[0] = value_item(c, v, 0);
        parts[1] = value_item(c, v, 1);
    }
    return c->failure ? VALUE_FAILED : value_pair(c, parts[0], parts[1]);
}

OP_FN(toij) { return location_of(c, a[0]); }

OP_FN(ascell) {
    Value loc = location_of(c, a[0]);
    return c->failure ? VALUE_FAILED : value_pair(c, a[1], loc);
}

OP_FN(astriple) {
    Value loc = value_pair(c, a[0], a[1]);
    return c->failure ? VALUE_FAILED : value_pair(c, a[2], loc);
}

OP_FN(celltuple) {
    size_t n, m;
    const Value *locs = column_of(c, a[0], &n), *colors = column_of(c, a[1], &m);
    if (m < n) n = m;
    Value *out = locs && colors ? ctx_alloc(c, (n + 1) * sizeof *out) : NULL;
    if (!out) return VALUE_FAILED;
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value i, j, parts[3];
        if (cell_parts(c, locs[k], parts)) ctx_fail(c, TS_FAIL_VALUE); // three parts where two are asked for
        if (unpack_two(c, locs[k], &i, &j)) out[k] = value_pair(c, colors[k], value_pair(c, i, j));
    }
    return value_tuple(c, out, n);
}

// Whether all elements of a tuple are integers; a cell is three of them.
static bool is_row(Ctx *c, Value v) {
    Value element, parts[3];
    if (!value_is_tuple(v)) return false;
    if (cell_parts(c, v, parts)) return true;
    ctx_charge(c, value_length(c, v));
    for (Iter it = iter(c, v); iter_next(&it, &element);)
        if (!value_is_int(element)) return false;
    return true;
}

OP_FN(is_no_grid) {
    Value row;
    if (grid_fast(c, a[0])) return value_bool(false);
    if (!value_is_tuple(a[0])) return value_bool(true);
    for (Iter it = iter(c, a[0]); iter_next(&it, &row);)
        if (!is_row(c, row)) return value_bool(true);
    return c->failure ? VALUE_FAILED : value_bool(false);
}

// ---- Places ----

// The element at a place; `none` where there is none.
static Value at_place(Ctx *c, Value v, int64_t rank, Value none) {
    Value parts[3];
    bool is_cell = cell_parts(c, v, parts);
    int64_t n = is_cell ? 3 : value_length(c, v);
    if (rank < 0) rank += n;
    if (c->failure || rank < 0 || rank >= n) return none;
    return is_cell ? parts[rank] : value_element(c, v, (uint32_t)rank);
}

OP_FN(get_nth_f) {
    int64_t rank = need_int(c, a[1]);
    return at_place(c, a[0], rank, VALUE_NO_SET);
}

OP_FN(get_nth_t) {
    int64_t rank = need_int(c, a[1]);
    if (!value_is_tuple(a[0])) ctx_fail(c, TS_FAIL_TYPE);
    Value e = at_place(c, a[0], rank, VALUE_FAILED);
    return value_same(e, VALUE_FAILED) ? ctx_fail(c, TS_FAIL_INDEX) : e;
}

OP_FN(first_t) { return at_place(c, a[0], 0, a[0]); }

OP_FN(last_t) { return at_place(c, a[0], -1, a[0]); }

OP_FN(second) {
    if (value_length(c, a[0]) == 0) return ctx_fail(c, TS_FAIL_EMPTY);
    return at_place(c, a[0], 1, VALUE_NONE);
}

// ---- Ranks ----

// Which of n; -1 where the rank is out of range.
static int64_t rank_of(int64_t rank, size_t n) {
    if (rank < 0) rank += (int64_t)n;
    return rank >= 0 && rank < (int64_t)n ? rank : -1;
}

OP_FN(get_rank) {
    int64_t rank = need_int(c, a[1]);
    // Most are asked for the greater or the lesser of a pair.
    if (!c->plain && !c->failure && value_is_loc(a[0])) {
        int64_t k = rank_of(rank, 2), i = word_i(value_word(a[0])), j = word_j(value_word(a[0]));
        return value_of_small(k < 0 ? 0 : (i > j) == (k == 0) ? i : j);
    }
    Value parts[3];
    size_t n = 3;
    const Value *items = cell_parts(c, a[0], parts) ? parts : column_of(c, a[0], &n);
    const Value *keys = items ? patch_cells_by_rows(c, items, n) : NULL;
    uint32_t *places = keys ? column_order(c, keys, n, true) : NULL;
    if (!places) return VALUE_FAILED;
    int64_t k = rank_of(rank, n);
    return k < 0 ? value_of_small(0) : items[places[k]];
}

// Of elements that are as frequent as each other the first in natural order comes first.
OP_FN(get_common_rank) {
    int64_t rank = need_int(c, a[1]);
    Value parts[3];
    Gather g = gather(c), distinct = gather(c), counts = gather(c);
    if (cell_parts(c, a[0], parts))
        for (int k = 0; k < 3; k++) gather_add(&g, parts[k]);
    else gather_all(&g, a[0]);
    if (c->failure || !values_sort(c, g.items, g.n)) return VALUE_FAILED;
    for (size_t start = 0, end; start < g.n; start = end) {
        for (end = start + 1; end < g.n && py_equal(c, g.items[end], g.items[start]);) end++;
        gather_add(&distinct, g.items[start]);
        gather_add(&counts, value_of_small((int64_t)(end - start)));
    }
    int64_t k = rank_of(rank, distinct.n);
    uint32_t *places = c->failure ? NULL : column_order(c, counts.items, counts.n, false);
    if (!places) return VALUE_FAILED;
    if (k < 0) return value_is_set(a[0]) ? VALUE_NO_SET : VALUE_NO_TUPLE;
    return distinct.items[places[k]];
}

// ---- Ranks of colours ----

// A colour, how often it occurs, and where it does first.
typedef struct {
    Value color;
    size_t count, first;
} Share;

// The colour at a rank, descending; of several that occur as often the one that does so first.
static Value color_at_rank(Ctx *c, const Share *shares, size_t n, int64_t rank, Value none) {
    int64_t wanted = rank_of(rank, n);
    ctx_charge(c, (int64_t)(n * n / 4));
    for (size_t k = 0; k < n && wanted >= 0 && !c->failure; k++) {
        int64_t before = 0;
        for (size_t m = 0; m < n; m++)
            before += shares[m].count > shares[k].count ||
                      (shares[m].count == shares[k].count && shares[m].first < shares[k].first);
        if (before == wanted) return shares[k].color;
    }
    return none;
}

static Value color_rank_of_any(Ctx *c, const Gather *colors, int64_t rank, Value none) {
    Share *shares = c->failure ? NULL : ctx_alloc(c, (colors->n + 1) * sizeof *shares);
    size_t n = 0;
    for (size_t k = 0; shares && k < colors->n && !c->failure; k++) {
        size_t m = 0;
        while (m < n && !py_equal(c, shares[m].color, colors->items[k])) m++;
        if (m == n) shares[n++] = (Share){colors->items[k], 0, k};
        shares[m].count++;
    }
    return c->failure ? VALUE_FAILED : color_at_rank(c, shares, n, rank, none);
}

static Value color_rank_of_grid(Ctx *c, const Obj *grid, int64_t rank) {
    const size_t cells = (size_t)grid->n * grid->width;
    Tally t;
    Share shares[256];
    if (!ctx_charge(c, (int64_t)cells / 8)) return VALUE_FAILED;
    color_tally(&t, obj_cells(grid), cells);
    for (int k = 0; k < t.n; k++) {
        const int8_t *first = memchr(obj_cells(grid), (uint8_t)t.color[k], cells);
        shares[k] = (Share){value_of_small(t.color[k]), t.count[k], (size_t)(first - obj_cells(grid))};
    }
    return color_at_rank(c, shares, (size_t)t.n, rank, VALUE_NO_TUPLE);
}

OP_FN(get_color_rank_t) {
    int64_t rank = need_int(c, a[1]);
    if (c->failure) return VALUE_FAILED;
    if (!c->plain && value_is_grid(a[0])) return color_rank_of_grid(c, value_obj(a[0]), rank);
    Gather colors = gather(c);
    Value row;
    for (Iter it = iter(c, a[0]); iter_next(&it, &row);) gather_all(&colors, row);
    return color_rank_of_any(c, &colors, rank, VALUE_NO_TUPLE);
}

// The words of an object are sorted by colour.
static Value color_rank_of_cells(Ctx *c, const Obj *o, int64_t rank) {
    Share shares[256];
    size_t n = 0;
    if (!ctx_charge(c, o->n / 2)) return VALUE_FAILED;
    for (uint32_t k = 0; k < o->n; k++) {
        Value color = value_of_small(word_v(obj_words(o)[k]));
        if (n == 0 || !value_same(shares[n - 1].color, color)) shares[n++] = (Share){color, 0, k};
        shares[n - 1].count++;
    }
    return color_at_rank(c, shares, n, rank, VALUE_NO_SET);
}

OP_FN(get_color_rank_f) {
    int64_t rank = need_int(c, a[1]);
    if (c->failure) return VALUE_FAILED;
    if (!c->plain && value_is(a[0], KIND_CELLS)) return color_rank_of_cells(c, value_obj(a[0]), rank);
    Gather colors = gather(c);
    Value cell, color;
    int64_t i, j;
    for (Iter it = iter(c, a[0]); iter_next(&it, &cell);)
        if (unpack_cell(c, cell, &color, &i, &j)) gather_add(&colors, color);
    return color_rank_of_any(c, &colors, rank, VALUE_NO_SET);
}
