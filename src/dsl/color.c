// The colours of grids and objects.
//
// Workload: grids of up to 900 cells in 1 to 5 colours, nearly always from 0 to 9; objects of 1 to 200 cells,
// most of them in one colour; sets of some ten objects.
//   grid    one pass tells which colours there are, 32 cells at a time, then each but the last is counted by
//           bits. Only where one is not from 0 to 15 is there a histogram. (A histogram alone is slow: a
//           background makes each addition wait for the one before.)
//   cells   the words are sorted by colour, so a colour is a run of words
//   locs    the same runs, with the row in place of the colour: that is what Python sees first in (i, j)
//   else    as Python does it, through the elements
#include "dsl/patch.h"
#include "value/bits.h"

// ---- Counting the cells of a grid ----

uint32_t color_count(const int8_t *cells, size_t n, int8_t color) {
    uint32_t count = 0;
    size_t k = 0;
    for (; k + BITS_CELLS <= n; k += BITS_CELLS)
        count += (uint32_t)__builtin_popcount(bits_of_cells(cells + k, color));
    return count + (uint32_t)__builtin_popcount(bits_of_cells(cells + k, color) & bits_lowest(n - k));
}

// The colours that occur, as bits; 0 where one of them is not from 0 to 15.
#if defined __AVX2__ && defined __BMI2__
static uint32_t usual_colors(const int8_t *cells, size_t n) {
    const long long powers = (long long)0x8040201008040201; // of two, a byte each
    const __m256i low = _mm256_set_epi64x(0, powers, 0, powers),
                  high = _mm256_set_epi64x(powers, 0, powers, 0);
    const __m256i first = _mm256_set1_epi8(cells[0]), none = _mm256_setzero_si256();
    __m256i below_8 = none, from_8 = none, all = none;
    for (size_t k = 0; k < n; k += BITS_CELLS) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(cells + k));
        if (n - k < BITS_CELLS) { // beyond the end as the first, which is there already
            const __m256i lane = _mm256_set_epi64x(0x1F1E1D1C1B1A1918, 0x1716151413121110, 0x0F0E0D0C0B0A0908,
                                                   0x0706050403020100);
            v = _mm256_blendv_epi8(first, v, _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(n - k)), lane));
        }
        below_8 = _mm256_or_si256(below_8, _mm256_shuffle_epi8(low, v));
        from_8 = _mm256_or_si256(from_8, _mm256_shuffle_epi8(high, v));
        all = _mm256_or_si256(all, v);
    }
    if (!_mm256_testz_si256(all, _mm256_set1_epi8((char)0xF0))) return 0;
    // Side by side they are 16 bits for each cell.
    const __m256i both =
        _mm256_or_si256(_mm256_unpacklo_epi8(below_8, from_8), _mm256_unpackhi_epi8(below_8, from_8));
    uint64_t part[4];
    memcpy(part, &both, sizeof part);
    uint64_t seen = part[0] | part[1] | part[2] | part[3];
    seen |= seen >> 32;
    return (uint32_t)(seen | seen >> 16) & 0xFFFF;
}
#else
static uint32_t usual_colors(const int8_t *cells, size_t n) {
    uint32_t seen = 0, all = 0;
    for (size_t k = 0; k < n; k++) {
        seen |= 1U << (cells[k] & 15);
        all |= (uint8_t)cells[k];
    }
    return all > 15 ? 0 : seen;
}
#endif

static void tally_add(Tally *t, int color, uint32_t count) {
    t->color[t->n] = (int8_t)color;
    t->count[t->n] = count;
    t->n += count > 0;
}

static void tally_any(Tally *t, const int8_t *cells, size_t n) {
    uint32_t count[256] = {0};
    for (size_t k = 0; k < n; k++) count[cells[k] + CELL_BIAS]++;
    t->n = 0;
    for (int k = 0; k < 256; k++)
        if (count[k]) tally_add(t, k - CELL_BIAS, count[k]);
}

void color_tally(Tally *t, const int8_t *cells, size_t n) {
    uint32_t colors = usual_colors(cells, n), left = (uint32_t)n;
    if (!colors) {
        tally_any(t, cells, n);
        return;
    }
    t->n = 0;
    for (; colors & (colors - 1); colors &= colors - 1) {
        const int color = __builtin_ctz(colors);
        const uint32_t count = color_count(cells, n, (int8_t)color);
        tally_add(t, color, count);
        left -= count;
    }
    tally_add(t, __builtin_ctz(colors), left); // the last has what is left
}

// Charges for a pass over a grid.
static bool charge_cells(Ctx *c, const Obj *grid) {
    return ctx_charge(c, (int64_t)grid->n * grid->width / 8);
}

static bool tally_grid(Ctx *c, Tally *t, Value grid) {
    const Obj *o = value_obj(grid);
    if (!charge_cells(c, o)) return false;
    color_tally(t, obj_cells(o), (size_t)o->n * o->width);
    return true;
}

static bool is_fast_grid(const Ctx *c, Value v) { return !c->plain && value_is_grid(v); }

// ---- Runs of words that begin with the same number ----

static int first_shift(const Obj *o) { return o->kind == KIND_LOCS ? 12 : 24; }
static int first_bias(const Obj *o) { return o->kind == KIND_LOCS ? LOC_BIAS : CELL_BIAS; }
static int first_number(const Obj *o, uint32_t word) { return (int)(word >> first_shift(o)) - first_bias(o); }

static uint32_t run_end(const Obj *o, uint32_t k) {
    const uint32_t *words = obj_words(o);
    int shift = first_shift(o);
    uint32_t number = words[k] >> shift;
    if (words[o->n - 1] >> shift == number) return o->n;
    for (k++; words[k] >> shift == number;) k++; // the last word ends it
    return k;
}

// ---- The values that Python sees as colours ----

static void gather_colors(Gather *g, Value element) {
    Ctx *c = g->c;
    Value e, color, rest;
    bool is_tuple = value_is_tuple(element);
    for (Iter it = iter(c, element); iter_next(&it, &e);) {
        if (is_tuple) gather_all(g, e);
        else if (unpack_two(c, e, &color, &rest)) gather_add(g, color);
    }
}

// ---- The primitives ----

// Of several as frequent as each other the smallest, since they are looked at in ascending order.
static bool is_better(uint32_t count, uint32_t best, bool most) { return most ? count > best : count < best; }

static Value frequent_in_grid(Ctx *c, Value grid, bool most) {
    Tally t;
    if (!tally_grid(c, &t, grid)) return VALUE_FAILED;
    int best = 0;
    for (int k = 1; k < t.n; k++)
        if (is_better(t.count[k], t.count[best], most)) best = k;
    return value_of_small(t.color[best]);
}

static Value frequent_in_words(Ctx *c, const Obj *o, bool most) {
    if (!ctx_charge(c, o->n / 2)) return VALUE_FAILED;
    uint32_t best = 0, best_count = 0;
    for (uint32_t k = 0, end; k < o->n; k = end) {
        end = run_end(o, k);
        if (k > 0 && !is_better(end - k, best_count, most)) continue;
        best = k;
        best_count = end - k;
    }
    return value_of_small(first_number(o, obj_words(o)[best]));
}

static uint32_t count_of(Ctx *c, const Gather *values, Value v) {
    uint32_t count = 0;
    for (size_t k = 0; k < values->n && !c->failure; k++) count += py_equal(c, values->items[k], v);
    return count;
}

static Value frequent_in_any(Ctx *c, Value element, bool most) {
    Gather values = gather(c), distinct = gather(c);
    gather_colors(&values, element);
    if (c->failure) return VALUE_FAILED;
    if (values.n == 0) return ctx_fail(c, TS_FAIL_EMPTY);
    for (size_t k = 0; k < values.n; k++) gather_add(&distinct, values.items[k]);
    Value v, best = VALUE_NONE;
    uint32_t best_count = 0;
    bool is_first = true;
    for (Iter it = iter(c, gather_set(&distinct)); iter_next(&it, &v); is_first = false) {
        uint32_t count = count_of(c, &values, v);
        if (!is_first && !is_better(count, best_count, most)) continue;
        best = v;
        best_count = count;
    }
    return c->failure ? VALUE_FAILED : best;
}

static Value frequent(Ctx *c, Value element, bool most) {
    if (is_fast_grid(c, element)) return frequent_in_grid(c, element, most);
    const Obj *o = patch_fast(c, element);
    return o ? frequent_in_words(c, o, most) : frequent_in_any(c, element, most);
}

OP_FN(mostcolor) { return frequent(c, a[0], true); }

OP_FN(leastcolor) { return frequent(c, a[0], false); }

static Value count_in_grid(Ctx *c, Value grid, Value color) {
    const Obj *o = value_obj(grid);
    if (!value_is_small(color) || !fits_cell(value_small(color))) return value_of_small(0);
    if (!charge_cells(c, o)) return VALUE_FAILED;
    return value_of_small(color_count(obj_cells(o), (size_t)o->n * o->width, (int8_t)value_small(color)));
}

static Value count_in_words(const Obj *o, Value color) {
    enum { FEW = 32 };
    if (!value_is_small(color)) return value_of_small(0);
    int64_t number = value_small(color), bias = first_bias(o);
    if (number < -bias || number >= bias) return value_of_small(0);
    const uint64_t first = (uint64_t)(number + bias) << first_shift(o),
                   next = first + (1ULL << first_shift(o));
    if (o->n > FEW) return value_of_small(packed_before(o, next) - packed_before(o, first));
    PatchWords found = {0};
    for (uint32_t k = 0; k < o->n; k += PATCH_WORDS) {
        const PatchWords numbers = patch_load(obj_words(o) + k) >> first_shift(o);
        found -= (PatchWords)(numbers == (uint32_t)(number + bias)) & patch_first(o->n - k);
    }
    uint32_t count = 0;
    for (int k = 0; k < PATCH_WORDS; k++) count += found[k];
    return value_of_small(count);
}

// Apart, so that the fast paths save no registers for it.
static __attribute__((noinline)) Value count_in_any(Ctx *c, Value element, Value color) {
    Value e, v, rest;
    int64_t count = 0;
    bool is_tuple = value_is_tuple(element);
    for (Iter it = iter(c, element); iter_next(&it, &e);) {
        if (!is_tuple) {
            count += unpack_two(c, e, &v, &rest) && py_equal(c, v, color);
        } else if (value_is_tuple(e)) {
            for (Iter row = iter(c, e); iter_next(&row, &v);) count += py_equal(c, v, color);
        } else {
            ctx_fail(c, TS_FAIL_TYPE); // only a tuple has count()
        }
    }
    return value_of_small(count);
}

OP_FN(colorcount) {
    const Obj *o = patch_fast(c, a[0]);
    if (o) return count_in_words(o, a[1]);
    return is_fast_grid(c, a[0]) ? count_in_grid(c, a[0], a[1]) : count_in_any(c, a[0], a[1]);
}

// The objects whose first word begins with the number; false where one of them is no patch.
static bool filter_patches(Ctx *c, Value objs, Value color, Value *result) {
    if (c->plain || !(value_is(objs, KIND_SET) || value_is(objs, KIND_TUPLE))) return false;
    const Obj *o = value_obj(objs);
    *result = objs;
    if (o->n == 0 && o->kind == KIND_SET) return true;
    Value *kept = ctx_alloc(c, o->n * sizeof *kept);
    if (!kept) return true;
    size_t n = 0;
    for (uint32_t k = 0; k < o->n; k++) {
        kept[n] = obj_items(o)[k];
        const Obj *patch = patch_fast(c, kept[n]);
        if (!patch) return false;
        n += value_same(value_of_small(first_number(patch, obj_words(patch)[0])), color);
    }
    if (n < o->n || o->kind == KIND_TUPLE) *result = value_set(c, kept, n);
    return true;
}

OP_FN(colorfilter) {
    Value obj, result;
    if (filter_patches(c, a[0], a[1], &result)) return result;
    Gather g = gather(c);
    for (Iter it = iter(c, a[0]); iter_next(&it, &obj);) {
        Value color = value_item(c, CALL(first, obj), 0);
        if (!c->failure && py_equal(c, color, a[1])) gather_add(&g, obj);
    }
    return gather_set(&g);
}

// The colour of an object's first cell: of a set the first by rows, whatever the colours.
static Value first_color(Ctx *c, Value obj) {
    Value cell, color, first = VALUE_FAILED;
    int64_t i, j, row = 0, column = 0;
    ctx_charge(c, 2 * value_length(c, obj)); // to take a cell apart
    for (Iter it = iter(c, obj); iter_next(&it, &cell);) {
        if (!unpack_cell(c, cell, &color, &i, &j)) break;
        if (value_is_tuple(obj)) return color;
        if (!value_same(first, VALUE_FAILED) && (i > row || (i == row && j >= column))) continue;
        row = i;
        column = j;
        first = color;
    }
    return value_same(first, VALUE_FAILED) ? ctx_fail(c, TS_FAIL_EMPTY) : first;
}

OP_FN(colorfilter_t) {
    Gather g = gather(c);
    Value obj;
    for (Iter it = iter(c, a[0]); iter_next(&it, &obj);) {
        Value color = first_color(c, obj);
        if (!c->failure && py_equal(c, color, a[1])) gather_add(&g, obj);
    }
    return gather_tuple(&g);
}

static Value palette_of_grid(Ctx *c, Value grid) {
    Tally t;
    Value colors[256];
    if (!tally_grid(c, &t, grid)) return VALUE_FAILED;
    for (int k = 0; k < t.n; k++) colors[k] = value_of_small(t.color[k]);
    return value_set_sorted(c, colors, (size_t)t.n);
}

static Value palette_of_words(Ctx *c, const Obj *o) {
    Value numbers[LOC_LIMIT];
    size_t n = 0;
    if (!ctx_charge(c, o->n / 2)) return VALUE_FAILED;
    for (uint32_t k = 0; k < o->n; k = run_end(o, k))
        numbers[n++] = value_of_small(first_number(o, obj_words(o)[k]));
    return value_set_sorted(c, numbers, n);
}

OP_FN(palette) {
    if (is_fast_grid(c, a[0])) return palette_of_grid(c, a[0]);
    const Obj *o = patch_fast(c, a[0]);
    if (o) return palette_of_words(c, o);
    Gather g = gather(c);
    gather_colors(&g, a[0]);
    return gather_set(&g);
}

OP_FN(p_g) {
    Value colors = CALL(palette, a[0]);
    return c->failure ? VALUE_FAILED : CALL(totuple, colors);
}

OP_FN(numcolors) {
    const Obj *o = patch_fast(c, a[0]);
    if (o) {
        int64_t runs = 0;
        if (!ctx_charge(c, o->n / 2)) return VALUE_FAILED;
        for (uint32_t k = 0; k < o->n; k = run_end(o, k)) runs++;
        return value_of_small(runs);
    }
    if (is_fast_grid(c, a[0])) {
        Tally t;
        return tally_grid(c, &t, a[0]) ? value_of_small(t.n) : VALUE_FAILED;
    }
    return value_of_small(value_length(c, CALL(palette, a[0])));
}

OP_FN(color) {
    const Obj *o = patch_fast(c, a[0]);
    if (o) return value_of_small(first_number(o, obj_words(o)[0]));
    return value_item(c, CALL(first, a[0]), 0);
}

static Value recolor_words(Ctx *c, const Obj *o, uint32_t color) {
    Obj *cells = packed_new(c, KIND_CELLS, o->n);
    if (!cells) return VALUE_FAILED;
    patch_colored(packed_of(cells), obj_words(o), o->n, color);
    return patch_is_flat(o) ? packed_finish_sorted(c, cells, o->n) : packed_finish(c, cells, o->n);
}

OP_FN(recolor) {
    const Obj *o = patch_loose(c, a[1]);
    if (o && value_is_small(a[0]) && fits_cell(value_small(a[0])))
        return recolor_words(c, o, (uint32_t)(value_small(a[0]) + CELL_BIAS));
    Gather g = gather(c);
    Value index;
    Value indices = CALL(toindices, a[1]);
    for (Iter it = iter(c, indices); iter_next(&it, &index);) gather_add(&g, value_pair(c, a[0], index));
    return gather_set(&g);
}
