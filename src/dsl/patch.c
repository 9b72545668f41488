// Patches: where things are, how large, and moved.
//
// Workload: patches of 1 to 200 words in and around a 30 by 30 grid, objects mostly of one colour; grids of
// up to 900 cells.
//   rows        the first and the last word tell, unless there are several colours
//   boxes       one pass, four words at a time, rows and columns together
//   moving      one addition for all words, with a check that none leaves the range of a LOC
//   colours     locations are the words with the colour masked out, to be sorted if there were several;
//               a grid's cells of a colour are found by bits, a row at a time
//   else        as Python does it: any tuples in any container, coordinates of 64 bits
// TRIED: dealing a grid's cells out by colour in one pass for `asobject`. Each write waits for the last one
// of its colour: 1.5 to 2.7 ns a cell and the counts before that, no gain over a pass for each of five
// colours.
#include "dsl/patch.h"

#include <stdlib.h>

#include "value/bits.h"

// ---- Words, four at a time ----

typedef uint32_t Words __attribute__((vector_size(16)));
enum { LANES = PATCH_LANES };

static Words load_words(const uint32_t *from) {
    Words w;
    memcpy(&w, from, sizeof w);
    return w;
}

void patch_colored(uint32_t *to, const uint32_t *from, size_t n, uint32_t color) {
    for (size_t k = 0; k < n; k += PATCH_WORDS)
        patch_store(to + k, (patch_load(from + k) & 0xFFFFFF) | color << 24);
}

// Adds (di, dj) to all locations. False where one of them leaves the range: then what is carried from the
// columns to the rows, or from the rows to the colour, is not what a sum of this sign has to carry.
static bool move_words(uint32_t *to, const uint32_t *from, size_t n, int di, int dj) {
    const uint32_t sum = (uint32_t)(di * LOC_LIMIT + dj), row = 1U << 12, color = 1U << 24;
    const uint32_t changed = (sum & row) ^ (dj < 0 ? row : 0); // of these two bits, in all words
    PatchWords wrong = {0}, some = {0};
    for (size_t k = 0; k < n; k += PATCH_WORDS) {
        const PatchWords w = patch_load(from + k), moved = w + sum;
        wrong |= some;
        some = w ^ moved ^ changed;
        patch_store(to + k, moved);
    }
    // Of the last ones not what lies beyond the end.
    wrong |= some & patch_first((n - 1) % PATCH_WORDS + 1);
    return !patch_any(wrong & (row | color));
}

// ---- Rows, columns, boxes ----

static int least(int a, int b) { return a < b ? a : b; }
static int greatest(int a, int b) { return a > b ? a : b; }

// Row and column of four words, each in 16 bits: this is what the processor can compare without more ado. gcc
// makes one instruction of each of the two loops; clang makes eight comparisons, and has a name for what is
// meant.
typedef int16_t Halves __attribute__((vector_size(16)));
enum { HALVES = 8 };

static Halves halves_of(Words w) { return (Halves)((w << 4 & 0xFFF0000) | (w & 0xFFF)); }

#if defined __clang__ && __clang_major__ >= 14
static Halves lower(Halves a, Halves b) { return __builtin_elementwise_min(a, b); }
static Halves higher(Halves a, Halves b) { return __builtin_elementwise_max(a, b); }
#else
static Halves lower(Halves a, Halves b) {
    Halves r;
    for (int k = 0; k < HALVES; k++) r[k] = a[k] < b[k] ? a[k] : b[k];
    return r;
}

static Halves higher(Halves a, Halves b) {
    Halves r;
    for (int k = 0; k < HALVES; k++) r[k] = a[k] > b[k] ? a[k] : b[k];
    return r;
}
#endif

// The words in another order, so that all four come together in two steps.
static Halves swap_far(Halves h) {
    return (Halves)(Words){((Words)h)[2], ((Words)h)[3], ((Words)h)[0], ((Words)h)[1]};
}
static Halves swap_near(Halves h) {
    return (Halves)(Words){((Words)h)[1], ((Words)h)[0], ((Words)h)[3], ((Words)h)[2]};
}

static Box box_of_few(const uint32_t *words, uint32_t n) {
    Box b = {word_i(words[0]), word_j(words[0]), word_i(words[0]), word_j(words[0])};
    for (uint32_t k = 1; k < n; k++) {
        int i = word_i(words[k]), j = word_j(words[k]);
        b = (Box){least(b.top, i), least(b.left, j), greatest(b.bottom, i), greatest(b.right, j)};
    }
    return b;
}

Box patch_box(const Obj *o) {
    const uint32_t *words = obj_words(o);
    if (o->n < LANES) return box_of_few(words, o->n);
    // The last four come first, as some of them may come again: that saves a loop over the rest.
    Halves low = halves_of(load_words(words + o->n - LANES)), high = low;
    for (uint32_t k = 0; k + LANES < o->n; k += LANES) {
        Halves h = halves_of(load_words(words + k));
        low = lower(low, h);
        high = higher(high, h);
    }
    low = lower(low, swap_far(low));
    low = lower(low, swap_near(low));
    high = higher(high, swap_far(high));
    high = higher(high, swap_near(high));
    uint32_t corner[2] = {((Words)low)[0], ((Words)high)[0]};
    return (Box){.top = (int)(corner[0] >> 16) - LOC_BIAS,
                 .left = (int)(corner[0] & 0xFFFF) - LOC_BIAS,
                 .bottom = (int)(corner[1] >> 16) - LOC_BIAS,
                 .right = (int)(corner[1] & 0xFFFF) - LOC_BIAS};
}

void patch_rows(const Obj *o, int *top, int *bottom) {
    *top = word_i(obj_words(o)[0]);
    *bottom = word_i(obj_words(o)[o->n - 1]);
    if (patch_is_flat(o)) return;
    Box b = patch_box(o);
    *top = b.top;
    *bottom = b.bottom;
}

void patch_columns(const Obj *o, int *left, int *right) {
    Box b = patch_box(o);
    *left = b.left;
    *right = b.right;
}

// A set of the elements of a tuple that are all locations or all cells.
static const Obj *patch_of_tuple(Ctx *c, const Obj *tuple) {
    const unsigned tag = value_tag(obj_items(tuple)[0]);
    if (tag != TAG_LOC && tag != TAG_CELL) return NULL;
    for (uint32_t k = 0; k < tuple->n; k++)
        if (value_tag(obj_items(tuple)[k]) != tag) return NULL;
    Obj *o = packed_new(c, tag == TAG_LOC ? KIND_LOCS : KIND_CELLS, tuple->n);
    if (!o || !ctx_charge(c, tuple->n)) return NULL;
    for (uint32_t k = 0; k < tuple->n; k++) packed_of(o)[k] = value_word(obj_items(tuple)[k]);
    return patch_fast(c, packed_finish(c, o, tuple->n));
}

// The same for a tuple of locations of small numbers, which is a grid of two columns.
static const Obj *patch_of_pairs(Ctx *c, const Obj *grid) {
    const int8_t *pair = obj_cells(grid);
    Obj *o = packed_new(c, KIND_LOCS, grid->n);
    if (!o || !ctx_charge(c, grid->n)) return NULL;
    for (uint32_t k = 0; k < grid->n; k++, pair += 2) packed_of(o)[k] = loc_word(pair[0], pair[1]);
    return patch_fast(c, packed_finish(c, o, grid->n));
}

const Obj *patch_loose(Ctx *c, Value v) {
    if (c->plain || value_tag(v) != TAG_OBJ) return NULL;
    const Obj *o = value_obj(v);
    if (o->kind == KIND_LOCS || o->kind == KIND_CELLS) return o;
    if (o->kind == KIND_GRID && o->width == 2) return patch_of_pairs(c, o);
    return o->kind == KIND_TUPLE && o->n > 0 ? patch_of_tuple(c, o) : NULL;
}

// The same for the rows alone, which mostly need no pass.
static const Obj *paid_rows(Ctx *c, Value v) {
    const Obj *o = patch_fast(c, v);
    if (o && !patch_is_flat(o)) ctx_charge(c, o->n / LANES);
    return o;
}

// ---- What the plain paths share ----

// Whether Python takes the patch for an object: its first element has a tuple in second place.
static bool looks_like_cells(Ctx *c, Value patch) {
    return value_is_tuple(value_item(c, CALL(first, patch), 1));
}

// min() or max() of the elements, of which there must be some.
static Value extreme(Ctx *c, Value container, bool is_max) {
    if (value_length(c, container) == 0) return ctx_fail(c, TS_FAIL_EMPTY);
    return is_max ? CALL(maximum, container) : CALL(minimum, container);
}

// Element k of all pairs of a patch's locations, as a tuple.
Value patch_coordinates(Ctx *c, Value patch, int k) {
    Gather g = gather(c);
    Value e, part[2];
    Value indices = CALL(toindices, patch);
    for (Iter it = iter(c, indices); iter_next(&it, &e);)
        if (unpack_two(c, e, &part[0], &part[1])) gather_add(&g, part[k]);
    return gather_tuple(&g);
}

// ---- Size and form ----

OP_FN(height) {
    const Obj *o = paid_rows(c, a[0]);
    if (o) {
        int top, bottom;
        patch_rows(o, &top, &bottom);
        return value_of_small(bottom - top + 1);
    }
    int64_t n = value_length(c, a[0]);
    if (n == 0 || value_is_tuple(a[0])) return value_of_small(n);
    Value bottom = CALL(lowermost, a[0]), top = CALL(uppermost, a[0]);
    return py_add(c, py_subtract(c, bottom, top), value_of_small(1));
}

OP_FN(width) {
    const Obj *o = patch_paid(c, a[0]);
    if (o) {
        int left, right;
        patch_columns(o, &left, &right);
        return value_of_small(right - left + 1);
    }
    if (!c->plain && value_is_grid(a[0])) return value_of_small(value_obj(a[0])->width);
    if (value_length(c, a[0]) == 0) return value_of_small(0);
    if (value_is_tuple(a[0])) return value_of_small(value_length(c, value_element(c, a[0], 0)));
    Value right = CALL(rightmost, a[0]), left = CALL(leftmost, a[0]);
    return py_add(c, py_subtract(c, right, left), value_of_small(1));
}

OP_FN(shape) {
    const Obj *o = patch_paid(c, a[0]);
    if (o) {
        Box b = patch_box(o);
        return value_loc(c, box_height(b), box_width(b));
    }
    Value h = CALL(height, a[0]), w = CALL(width, a[0]);
    return value_pair(c, h, w);
}

OP_FN(portrait) {
    Value h = CALL(height, a[0]), w = CALL(width, a[0]);
    return value_bool(value_less(c, w, h));
}

OP_FN(square) {
    const Obj *o = patch_paid(c, a[0]);
    if (o) {
        Box b = patch_box(o);
        return value_bool(box_height(b) == box_width(b) && box_height(b) * box_width(b) == (int)o->n);
    }
    int64_t n = value_length(c, a[0]), area;
    if (value_is_tuple(a[0])) return value_bool(n == value_length(c, value_item(c, a[0], 0)));
    int64_t h = need_int(c, CALL(height, a[0])), w = need_int(c, CALL(width, a[0]));
    return value_bool(!__builtin_mul_overflow(h, w, &area) && area == n && h == w);
}

OP_FN(vline) {
    const Obj *o = patch_fast(c, a[0]);
    if (o && patch_is_flat(o)) {
        const uint32_t *words = obj_words(o), last = o->n - 1;
        if (words[last] - words[0] != last * LOC_LIMIT || !ctx_charge(c, o->n / LANES))
            return value_bool(false);
        uint32_t k = 1;
        while (k < last && words[k] - words[k - 1] == LOC_LIMIT) k++;
        return value_bool(k >= last);
    }
    Value n = value_of_small(value_length(c, a[0]));
    if (c->failure || !value_equal(CALL(height, a[0]), n)) return value_bool(false);
    return value_bool(value_equal(CALL(width, a[0]), value_of_small(1)));
}

OP_FN(hline) {
    const Obj *o = patch_fast(c, a[0]);
    if (o && patch_is_flat(o)) {
        uint32_t first = obj_words(o)[0], last = obj_words(o)[o->n - 1];
        return value_bool(word_i(first) == word_i(last) && last - first + 1 == o->n);
    }
    Value n = value_of_small(value_length(c, a[0]));
    if (c->failure || !value_equal(CALL(width, a[0]), n)) return value_bool(false);
    return value_bool(value_equal(CALL(height, a[0]), value_of_small(1)));
}

// ---- Between grids and patches ----

OP_FN(asindices) {
    const Obj *grid = grid_fast(c, a[0]);
    if (grid) {
        Obj *o = packed_new(c, KIND_LOCS, (size_t)grid->n * grid->width);
        if (!o) return VALUE_FAILED;
        uint32_t *to = packed_of(o);
        for (uint32_t i = 0; i < grid->n; i++) to = patch_run(to, loc_word((int)i, 0), grid->width);
        return packed_finish_sorted(c, o, (size_t)grid->n * grid->width);
    }
    Gather g = gather(c);
    int64_t h = value_length(c, a[0]), w = h > 0 ? value_length(c, value_item(c, a[0], 0)) : 0;
    for (int64_t i = 0; i < h && !c->failure && ctx_charge(c, w); i++)
        for (int64_t j = 0; j < w && !c->failure; j++) gather_add(&g, value_loc(c, i, j));
    return gather_set(&g);
}

uint32_t *patch_of_color(uint32_t *to, const Obj *grid, int8_t color, uint32_t high) {
    const int8_t *cells = obj_cells(grid);
    const uint32_t width = grid->width, left = bits_lowest(width);
    uint32_t word = high | loc_word(0, 0);
    for (uint32_t i = grid->n; i > 0; i--, word += LOC_LIMIT, cells += width) {
        to = bits_write_words(to, bits_of_cells(cells, color) & left, word);
        for (uint32_t j = BITS_CELLS; j < width; j += BITS_CELLS)
            to = bits_write_words(to, bits_of_cells(cells + j, color) & bits_lowest(width - j), word + j);
    }
    return to;
}

static Value of_color(Ctx *c, const Obj *grid, int8_t color) {
    size_t cells = (size_t)grid->n * grid->width;
    if (!ctx_charge(c, (int64_t)cells / 2)) return VALUE_FAILED;
    uint32_t count = color_count(obj_cells(grid), cells, color);
    if (count == 0) return VALUE_NO_SET;
    Obj *o = packed_new(c, KIND_LOCS, count);
    if (!o) return VALUE_FAILED;
    patch_of_color(packed_of(o), grid, color, 0);
    return packed_finish_sorted(c, o, count);
}

OP_FN(ofcolor) {
    const Obj *grid = grid_fast(c, a[0]);
    if (grid) {
        if (!value_is_small(a[1]) || !fits_cell(value_small(a[1]))) return VALUE_NO_SET;
        return of_color(c, grid, (int8_t)value_small(a[1]));
    }
    Gather g = gather(c);
    Value r, v;
    int64_t i = 0;
    for (Iter rows = iter(c, a[0]); iter_next(&rows, &r); i++) {
        int64_t j = 0;
        for (Iter row = iter(c, r); iter_next(&row, &v); j++)
            if (py_equal(c, v, a[1])) gather_add(&g, value_loc(c, i, j));
    }
    return gather_set(&g);
}

OP_FN(toindices) {
    const Obj *patch = value_is_grid(a[0]) ? NULL : patch_loose(c, a[0]);
    if (patch) {
        if (patch->kind == KIND_LOCS) return a[0];
        Obj *o = packed_new(c, KIND_LOCS, patch->n);
        if (!o) return VALUE_FAILED;
        patch_colored(packed_of(o), obj_words(patch), patch->n, 0);
        return patch_is_flat(patch) ? packed_finish_sorted(c, o, patch->n) : packed_finish(c, o, patch->n);
    }
    if (value_length(c, a[0]) == 0) return VALUE_NO_SET;
    if (!looks_like_cells(c, a[0])) return a[0];
    Gather g = gather(c);
    Value e, value, index;
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);)
        if (unpack_two(c, e, &value, &index)) gather_add(&g, index);
    return gather_set(&g);
}

OP_FN(asobject) {
    const Obj *grid = grid_fast(c, a[0]);
    if (grid) {
        size_t n = (size_t)grid->n * grid->width;
        Tally t;
        Obj *o = packed_new(c, KIND_CELLS, n);
        if (!o || !ctx_charge(c, (int64_t)n)) return VALUE_FAILED;
        color_tally(&t, obj_cells(grid), n);
        uint32_t *to = packed_of(o);
        for (int k = 0; k < t.n; k++)
            to = patch_of_color(to, grid, t.color[k], (uint32_t)(t.color[k] + CELL_BIAS) << 24);
        return packed_finish_sorted(c, o, n);
    }
    Gather g = gather(c);
    Value r, v;
    int64_t i = 0;
    for (Iter rows = iter(c, a[0]); iter_next(&rows, &r); i++) {
        int64_t j = 0;
        for (Iter row = iter(c, r); iter_next(&row, &v); j++)
            gather_add(&g, value_pair(c, v, value_loc(c, i, j)));
    }
    return gather_set(&g);
}

// Finishes CELLS whose words are sorted by location and distinct, but not by colour: they only have to be
// dealt out.
static Value deal_cells(Ctx *c, const Obj *o, size_t n) {
    const uint32_t *words = obj_words(o);
    Obj *dealt = packed_new(c, KIND_CELLS, n);
    if (!dealt || !ctx_charge(c, (int64_t)n)) return VALUE_FAILED;
    uint32_t next[257] = {0}, lowest = 255, highest = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t color = words[k] >> 24;
        next[color + 1]++;
        lowest = color < lowest ? color : lowest;
        highest = color > highest ? color : highest;
    }
    for (uint32_t color = lowest; color < highest; color++) next[color + 1] += next[color];
    for (size_t k = 0; k < n; k++) packed_of(dealt)[next[words[k] >> 24]++] = words[k];
    return packed_finish_sorted(c, dealt, n);
}

// Writes the grid's cells at n locations, those outside of it left out. Returns where the next goes.
static uint32_t *write_cells(uint32_t *to, const uint32_t *from, uint32_t n, const Obj *grid) {
    const uint32_t outside = grid->n * grid->width;
    for (uint32_t k = 0; k < n; k += PATCH_WORDS) {
        const PatchWords places = patch_places(from + k, grid, 0, 0), locs = patch_load(from + k) & 0xFFFFFF;
        PatchWords cells;
        for (int m = 0; m < PATCH_WORDS; m++) cells[m] = (uint8_t)obj_cells(grid)[places[m]];
        cells = (cells << 24 ^ (uint32_t)CELL_BIAS << 24) | locs;
        const uint32_t left = n - k < PATCH_WORDS ? n - k : PATCH_WORDS;
        const PatchWords missing = (PatchWords)(places == outside) & patch_first(left);
        if (!patch_any(missing)) {
            patch_store(to, cells);
            to += left;
            continue;
        }
        for (uint32_t m = 0; m < left; m++)
            if (!missing[m]) *to++ = cells[m];
    }
    return to;
}

// Sorts few distinct words. Those of one vector go each where as many as are below it come before: no branch
// depends on them.
static void sort_few(uint32_t *words, size_t n) {
    if (n > PATCH_WORDS) {
        for (size_t k = 1, at; k < n; k++) {
            const uint32_t word = words[k];
            for (at = k; at > 0 && words[at - 1] > word; at--) words[at] = words[at - 1];
            words[at] = word;
        }
        return;
    }
    const PatchWords w = patch_load(words);
    const PatchNumbers numbers = (PatchNumbers)(w ^ 1U << 31); // in the same order
    PatchWords below = {0};
    for (size_t k = 0; k < n; k++) below -= (PatchWords)(numbers > (int32_t)(words[k] ^ 1U << 31));
    for (size_t k = 0; k < n; k++) words[below[k]] = w[k];
}

// The grid's cells at locations sorted and distinct once the colours are left out.
static Value cells_at(Ctx *c, const Obj *patch, const Obj *grid) {
    enum { FEW = 12 };
    Obj *o = packed_new(c, KIND_CELLS, patch->n);
    if (!o || !ctx_charge(c, patch->n)) return VALUE_FAILED;
    uint32_t *words = packed_of(o), wrong = 0;
    const size_t n = (size_t)(write_cells(words, obj_words(patch), patch->n, grid) - words);
    if (patch->n <= FEW) sort_few(words, n);
    else
        for (size_t k = 1; k < n; k++) wrong |= words[k - 1] > words[k];
    return wrong ? deal_cells(c, o, n) : packed_finish_sorted(c, o, n);
}

OP_FN(toobject) {
    const Obj *patch = patch_fast(c, a[0]);
    if (patch && value_is_grid(a[1])) {
        if (!patch_is_flat(patch)) patch = patch_fast(c, CALL(toindices, a[0]));
        return patch ? cells_at(c, patch, value_obj(a[1])) : VALUE_FAILED;
    }
    int64_t h = value_length(c, a[1]), w = value_length(c, value_item(c, a[1], 0));
    Gather g = gather(c);
    Value e, i, j;
    Value indices = CALL(toindices, a[0]);
    for (Iter it = iter(c, indices); iter_next(&it, &e);) {
        if (!unpack_two(c, e, &i, &j)) break;
        int64_t row = need_int(c, i);
        if (row < 0 || row >= h) continue; // Python looks at the column only if the row is inside
        int64_t column = need_int(c, j);
        if (column < 0 || column >= w) continue;
        Value color = value_item(c, value_item(c, a[1], row), column);
        gather_add(&g, value_pair(c, color, value_loc(c, row, column)));
    }
    return gather_set(&g);
}

// ---- Corners and sides ----

// tuple(map(…, zip(*toindices(patch)))), by columns: the rows of the result take the least or the greatest.
static Value plain_corner(Ctx *c, Value patch, bool bottom, bool right) {
    Value columns = py_zip_all(c, CALL(toindices, patch)), column;
    if (bottom != right && value_length(c, columns) > 2) return ctx_fail(c, TS_FAIL_INDEX);
    Gather g = gather(c);
    for (Iter it = iter(c, columns); iter_next(&it, &column);)
        gather_add(&g, extreme(c, column, g.n == 0 ? bottom : right));
    return gather_tuple(&g);
}

static inline Value corner_of(Ctx *c, Value patch, bool bottom, bool right) {
    const Obj *o = patch_paid_loose(c, patch);
    if (!o) return plain_corner(c, patch, bottom, right);
    Box b = patch_box(o);
    return value_of_loc(loc_word(bottom ? b.bottom : b.top, right ? b.right : b.left));
}

OP_FN(ulcorner) { return corner_of(c, a[0], false, false); }

OP_FN(urcorner) { return corner_of(c, a[0], false, true); }

OP_FN(llcorner) { return corner_of(c, a[0], true, false); }

OP_FN(lrcorner) { return corner_of(c, a[0], true, true); }

// The first or the last row, or column.
static inline Value side_of(Ctx *c, Value patch, bool column, bool last) {
    const Obj *o = column ? patch_paid_loose(c, patch) : paid_rows(c, patch);
    if (!o) return extreme(c, patch_coordinates(c, patch, column), last);
    int least, greatest;
    if (column) patch_columns(o, &least, &greatest);
    else patch_rows(o, &least, &greatest);
    return value_of_small(last ? greatest : least);
}

OP_FN(uppermost) { return side_of(c, a[0], false, false); }

OP_FN(lowermost) { return side_of(c, a[0], false, true); }

OP_FN(leftmost) { return side_of(c, a[0], true, false); }

OP_FN(rightmost) { return side_of(c, a[0], true, true); }

// ---- Centres ----

// A number that chooses one of several; -1 for what is no number.
static int64_t number_of(Value kind) { return value_is_small(kind) ? value_small(kind) : -1; }

OP_FN(corner) {
    switch (number_of(a[1])) {
    case 1: return CALL(urcorner, a[0]);
    case 2: return CALL(llcorner, a[0]);
    case 3: return CALL(lrcorner, a[0]);
    default: return CALL(ulcorner, a[0]);
    }
}

OP_FN(col_row) {
    switch (number_of(a[1])) {
    case 0: return CALL(lowermost, a[0]);
    case 1: return CALL(uppermost, a[0]);
    case 2: return CALL(leftmost, a[0]);
    case 3: return CALL(rightmost, a[0]);
    default: return VALUE_NONE;
    }
}

OP_FN(center) {
    const Obj *o = patch_paid(c, a[0]);
    if (o) {
        Box b = patch_box(o);
        return value_of_loc(loc_word(b.top + box_height(b) / 2, b.left + box_width(b) / 2));
    }
    const Value two = value_of_small(2);
    Value top = CALL(uppermost, a[0]), h = CALL(height, a[0]);
    Value i = py_add(c, top, py_divide(c, h, two));
    Value left = CALL(leftmost, a[0]), w = CALL(width, a[0]);
    Value j = py_add(c, left, py_divide(c, w, two));
    return value_pair(c, i, j);
}

// A sum of `count` biased coordinates, without the bias, by n: rounded down.
static int64_t mean(uint64_t sum, uint32_t count, uint32_t n) {
    int64_t total = (int64_t)sum - (int64_t)count * LOC_BIAS, quotient = total / n;
    return quotient * n > total ? quotient - 1 : quotient;
}

// The mean of the locations, by the number of elements that the patch had before its colours were left out.
static Value mean_of_words(Ctx *c, const Obj *o, uint32_t n) {
    uint64_t i = 0, j = 0;
    if (!ctx_charge(c, o->n)) return VALUE_FAILED;
    for (uint32_t k = 0; k < o->n; k++) {
        i += obj_words(o)[k] >> 12 & 0xFFF;
        j += obj_words(o)[k] & 0xFFF;
    }
    return value_loc(c, mean(i, o->n, n), mean(j, o->n, n));
}

OP_FN(centerofmass) {
    const Obj *o = patch_paid(c, a[0]);
    if (o) {
        const Obj *flat = patch_is_flat(o) ? o : patch_fast(c, CALL(toindices, a[0]));
        return flat ? mean_of_words(c, flat, o->n) : VALUE_FAILED;
    }
    Value n = value_of_small(value_length(c, a[0]));
    Value columns = py_zip_all(c, CALL(toindices, a[0])), column, x;
    Gather g = gather(c);
    for (Iter it = iter(c, columns); iter_next(&it, &column);) {
        int64_t sum = 0;
        for (Iter numbers = iter(c, column); iter_next(&numbers, &x);) sum = int_add(c, sum, need_int(c, x));
        gather_add(&g, py_divide(c, value_int(c, sum), n));
    }
    return gather_tuple(&g);
}

OP_FN(bordering) {
    const Obj *o = patch_paid(c, a[0]);
    if (o && value_is_grid(a[1])) {
        Box b = patch_box(o);
        int64_t h = value_obj(a[1])->n, w = value_obj(a[1])->width;
        return value_bool(b.top == 0 || b.left == 0 || b.bottom == h - 1 || b.right == w - 1);
    }
    const Value zero = value_of_small(0);
    if (value_equal(CALL(uppermost, a[0]), zero) || value_equal(CALL(leftmost, a[0]), zero))
        return value_bool(true);
    Value bottom = CALL(lowermost, a[0]);
    if (value_equal(bottom, value_of_small(value_length(c, a[1]) - 1))) return value_bool(true);
    Value right = CALL(rightmost, a[0]);
    return value_bool(value_equal(right, value_of_small(value_length(c, value_item(c, a[1], 0)) - 1)));
}

// ---- Moving ----

// The patch moved, or NULL where it leaves the range of LOCs.
static Obj *moved(Ctx *c, const Obj *patch, int di, int dj) {
    Obj *o = packed_new_like(c, patch);
    return o && move_words(packed_of(o), obj_words(patch), patch->n, di, dj) ? o : NULL;
}

static Value moved_pair(Ctx *c, Value location, Value di, Value dj) {
    Value i, j;
    if (!unpack_two(c, location, &i, &j)) return VALUE_FAILED;
    i = py_add(c, i, di);
    j = py_add(c, j, dj);
    return value_pair(c, i, j);
}

static __attribute__((noinline)) Value plain_shift(Ctx *c, Value patch, Value directions) {
    Value di, dj, e, value, location;
    if (value_length(c, patch) == 0) return patch;
    if (!unpack_two(c, directions, &di, &dj)) return VALUE_FAILED;
    bool cells = looks_like_cells(c, patch);
    Gather g = gather(c);
    for (Iter it = iter(c, patch); iter_next(&it, &e);) {
        if (!cells) gather_add(&g, moved_pair(c, e, di, dj));
        else if (unpack_two(c, e, &value, &location))
            gather_add(&g, value_pair(c, value, moved_pair(c, location, di, dj)));
    }
    return gather_set(&g);
}

OP_FN(shift) {
    const Obj *patch = patch_loose(c, a[0]);
    if (patch && value_is_loc(a[1])) {
        int di = word_i(value_word(a[1])), dj = word_j(value_word(a[1]));
        if (di == 0 && dj == 0) return value_of_obj(patch);
        const Obj *o = moved(c, patch, di, dj);
        if (o) return c->failure ? VALUE_FAILED : value_of_obj(o);
    }
    return plain_shift(c, a[0], a[1]);
}

OP_FN(normalize) {
    const Obj *patch = patch_paid(c, a[0]);
    if (patch) {
        Box b = patch_box(patch);
        if (b.top == 0 && b.left == 0) return a[0];
        const Obj *o = moved(c, patch, -b.top, -b.left);
        if (o) return c->failure ? VALUE_FAILED : value_of_obj(o);
    }
    if (value_length(c, a[0]) == 0) return a[0];
    int64_t top = need_int(c, CALL(uppermost, a[0])), left = need_int(c, CALL(leftmost, a[0]));
    Value i = value_int(c, int_subtract(c, 0, top)), j = value_int(c, int_subtract(c, 0, left));
    Value directions = value_pair(c, i, j);
    return CALL(shift, a[0], directions);
}
