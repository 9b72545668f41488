// The geometry of grids and patches: turned, mirrored, scaled, joined, cut.
//
// Workload: grids of 3 by 3 to 30 by 30, patches of 1 to 200 cells, factors of 2 to 5.
//   grid    quarter turns and diagonal mirrors are transposed in squares of 8 by 8, with rows taken or
//           written backwards; all else copies rows or pieces of rows, eight cells at a time
//   patch   words are sorted by colour, row, column. Mirrored words are put straight where they belong,
//           row by row; transposed ones by counting those of each column. So nothing is ever sorted.
//   else    as Python does it, through the elements. A grid cut down to no rows or no columns is no
//           longer a grid: it is (), or a tuple of ().
#include "dsl/patch.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static const Obj *fast_grid(const Ctx *c, Value v) {
    return !c->plain && value_is_grid(v) ? value_obj(v) : NULL;
}

// ---- Stretches of cells ----

static inline uint64_t load_8(const int8_t *from) {
    uint64_t cells;
    memcpy(&cells, from, sizeof cells);
    return cells;
}

static inline void store_8(int8_t *to, uint64_t cells) { memcpy(to, &cells, sizeof cells); }

// Copies a row. Rows are short: calling memcpy would take longer than the copying.
static inline void copy_cells(int8_t *to, const int8_t *from, size_t n) {
    if (n < 8) {
        for (size_t k = 0; k < n; k++) to[k] = from[k];
        return;
    }
    for (size_t k = 0; k + 8 < n; k += 8) store_8(to + k, load_8(from + k));
    store_8(to + n - 8, load_8(from + n - 8)); // the last eight, some of them once more
}

// The same, backwards.
static inline void reverse_cells(int8_t *to, const int8_t *from, size_t n) {
    if (n < 8) {
        for (size_t k = 0; k < n; k++) to[k] = from[n - 1 - k];
        return;
    }
    for (size_t k = 0; k + 8 < n; k += 8) store_8(to + k, __builtin_bswap64(load_8(from + n - 8 - k)));
    store_8(to + n - 8, __builtin_bswap64(load_8(from)));
}

// Writes each cell `times` times. Up to eight are written at once: what is too much is written over by what
// comes next, and nothing goes beyond `end`.
static void stretch_cells(int8_t *to, const int8_t *from, size_t n, size_t times, const int8_t *end) {
    size_t j = 0;
    if (times <= 8)
        for (; j < n && end - to >= 8; j++, to += times) store_8(to, (uint8_t)from[j] * 0x0101010101010101u);
    for (; j < n; j++, to += times) memset(to, from[j], times);
}

// ---- Parts of grids ----

// A tuple of n times ().
static Value empty_rows(Ctx *c, int64_t n) { return CALL(repeat, VALUE_NO_TUPLE, value_of_small(n)); }

// The part of a grid between two rows and two columns, the latter not inside.
static Value part_of(Ctx *c, const Obj *grid, int64_t top, int64_t bottom, int64_t left, int64_t right) {
    if (bottom <= top) return VALUE_NO_TUPLE;
    if (right <= left) return empty_rows(c, bottom - top);
    Obj *o = value_grid_new(c, bottom - top, right - left);
    if (!o) return VALUE_FAILED;
    size_t width = o->width;
    const int8_t *from = obj_cells(grid) + (size_t)top * grid->width + left;
    int8_t *to = grid_cells(o);
    if (width == grid->width) {
        memcpy(to, from, o->n * width);
        return value_of_obj(o);
    }
    if (!ctx_charge(c, o->n)) return VALUE_FAILED;
    for (uint32_t i = 0; i < o->n; i++) copy_cells(to + i * width, from + (size_t)i * grid->width, width);
    return value_of_obj(o);
}

// Where Python's slice [start:start + count] of n elements begins and ends.
static void slice_bounds(int64_t n, int64_t start, int64_t count, int64_t *from, int64_t *to) {
    int64_t stop = start + count;
    if (start < 0) start = start + n < 0 ? 0 : start + n;
    if (stop < 0) stop += n;
    *from = start;
    *to = stop > n ? n : stop;
}

static Value crop_grid(Ctx *c, const Obj *grid, int64_t i, int64_t j, int64_t height, int64_t width) {
    int64_t top, bottom, left, right;
    slice_bounds(grid->n, i, height, &top, &bottom);
    slice_bounds(grid->width, j, width, &left, &right);
    return part_of(c, grid, top, bottom, left, right);
}

// ---- Turns and mirrors of grids ----

// Rows as columns of 8 by 8 cells; the rows lie `from_step` and `to_step` apart.
static inline void transpose_8(int8_t *to, ptrdiff_t to_step, const int8_t *from, ptrdiff_t from_step) {
#ifdef __SSE2__
    __m128i pairs[4], fours[4], eights[4]; // of rows, cell by cell
    for (int k = 0; k < 4; k++)
        pairs[k] = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(from + 2 * k * from_step)),
                                     _mm_loadl_epi64((const __m128i *)(from + (2 * k + 1) * from_step)));
    for (int k = 0; k < 2; k++) {
        fours[k] = _mm_unpacklo_epi16(pairs[2 * k], pairs[2 * k + 1]);
        fours[2 + k] = _mm_unpackhi_epi16(pairs[2 * k], pairs[2 * k + 1]);
    }
    for (int k = 0; k < 2; k++) {
        eights[2 * k] = _mm_unpacklo_epi32(fours[2 * k], fours[2 * k + 1]);
        eights[2 * k + 1] = _mm_unpackhi_epi32(fours[2 * k], fours[2 * k + 1]);
    }
    for (int k = 0; k < 4; k++, to += 2 * to_step) {
        _mm_storel_epi64((__m128i *)to, eights[k]);
        _mm_storel_epi64((__m128i *)(to + to_step), _mm_unpackhi_epi64(eights[k], eights[k]));
    }
#else
    for (int i = 0; i < 8; i++, to += to_step)
        for (int j = 0; j < 8; j++) to[j] = from[j * from_step + i];
#endif
}

// The same for all of a grid, of this height and width where it comes from. Squares that would go beyond the
// end begin earlier: some cells are written twice.
static void transpose_cells(int8_t *to, ptrdiff_t to_step, const int8_t *from, ptrdiff_t from_step,
                            ptrdiff_t height, ptrdiff_t width) {
    if (height < 8 || width < 8) {
        for (ptrdiff_t i = 0; i < width; i++, to += to_step)
            for (ptrdiff_t j = 0; j < height; j++) to[j] = from[j * from_step + i];
        return;
    }
    for (ptrdiff_t i = 0; i < width; i += 8) {
        if (i > width - 8) i = width - 8;
        for (ptrdiff_t j = 0; j < height; j += 8) {
            if (j > height - 8) j = height - 8;
            transpose_8(to + i * to_step + j, to_step, from + j * from_step + i, from_step);
        }
    }
}

// A grid with rows and columns exchanged: its rows taken from the last on, its own rows written so.
static Value transposed(Ctx *c, const Obj *grid, bool from_last, bool to_last) {
    const ptrdiff_t height = (ptrdiff_t)grid->n, width = (ptrdiff_t)grid->width;
    Obj *o = value_grid_new(c, width, height);
    if (!o || !ctx_charge(c, height * width / 2)) return VALUE_FAILED;
    const int8_t *from = obj_cells(grid);
    int8_t *to = grid_cells(o);
    transpose_cells(to_last ? to + (width - 1) * height : to, to_last ? -height : height,
                    from_last ? from + (height - 1) * width : from, from_last ? -width : width, height,
                    width);
    return value_of_obj(o);
}

// Each row backwards, or the rows in reverse order.
static Value mirror_grid(Ctx *c, const Obj *grid, bool rows) {
    Obj *o = value_grid_new(c, grid->n, grid->width);
    if (!o || !ctx_charge(c, 2 * (int64_t)grid->n)) return VALUE_FAILED;
    const size_t width = grid->width;
    const int8_t *from = obj_cells(grid), *last = from + (grid->n - 1) * width;
    int8_t *to = grid_cells(o);
    for (size_t at = 0; at < grid->n * width; at += width) {
        if (rows) copy_cells(to + at, last - at, width);
        else reverse_cells(to + at, from + at, width);
    }
    return value_of_obj(o);
}

// Each row backwards.
static Value reversed_rows(Ctx *c, Value rows) {
    Gather g = gather(c);
    Value row;
    for (Iter it = iter(c, rows); iter_next(&it, &row);) gather_add(&g, py_reversed(c, row));
    return gather_tuple(&g);
}

OP_FN(rot90) {
    const Obj *o = fast_grid(c, a[0]);
    return o ? transposed(c, o, true, false) : py_zip_all(c, py_reversed(c, a[0]));
}

OP_FN(rot180) {
    const Obj *o = fast_grid(c, a[0]);
    if (!o) return reversed_rows(c, py_reversed(c, a[0]));
    Obj *turned = value_grid_new(c, o->n, o->width);
    if (!turned) return VALUE_FAILED;
    reverse_cells(grid_cells(turned), obj_cells(o), (size_t)o->n * o->width);
    return value_of_obj(turned);
}

OP_FN(rot270) {
    const Obj *o = fast_grid(c, a[0]);
    return o ? transposed(c, o, false, true)
             : py_reversed(c, reversed_rows(c, py_zip_all(c, py_reversed(c, a[0]))));
}

// ---- Mirrors of patches ----

enum { COLUMN = LOC_LIMIT - 1 }; // the bits of a word that hold its column

// Row and column as they stand in the word, with their offset.
static uint32_t raw_row(uint32_t word) { return word >> 12 & COLUMN; }
static uint32_t raw_column(uint32_t word) { return word & COLUMN; }

// The end of the words that begin like word k, seen from bit `shift` on.
static uint32_t run_end(const uint32_t *words, uint32_t n, uint32_t k, int shift) {
    uint32_t start = words[k] >> shift;
    if (words[n - 1] >> shift == start) return n;
    for (k++; words[k] >> shift == start;) k++; // the last word ends it
    return k;
}

// Each colour's rows from the last to the first, their columns as they are.
static Value patch_upside_down(Ctx *c, const Obj *patch) {
    int top, bottom;
    patch_rows(patch, &top, &bottom);
    const uint32_t sum = (uint32_t)(top + bottom + 2 * LOC_BIAS), *from = obj_words(patch), n = patch->n;
    Obj *o = packed_new(c, patch->kind, n);
    if (!o || !ctx_charge(c, n)) return VALUE_FAILED;
    uint32_t *to = packed_of(o);
    for (uint32_t start = 0, end; start < n; start = end) {
        end = run_end(from, n, start, 24);
        for (uint32_t row_end = end, row = end; row_end > start; row_end = row) {
            for (row--; row > start && from[row - 1] >> 12 == from[row] >> 12;) row--;
            uint32_t up = (sum - 2 * raw_row(from[row])) << 12; // wraps where it goes up
            for (uint32_t k = row; k < row_end; k++) *to++ = from[k] + up;
        }
    }
    return packed_finish_sorted(c, o, n);
}

// Each row backwards.
static Value patch_left_right(Ctx *c, const Obj *patch) {
    int left, right;
    patch_columns(patch, &left, &right);
    const uint32_t sum = (uint32_t)(left + right + 2 * LOC_BIAS), *from = obj_words(patch), n = patch->n;
    Obj *o = packed_new(c, patch->kind, n);
    if (!o || !ctx_charge(c, n)) return VALUE_FAILED;
    uint32_t *to = packed_of(o);
    for (uint32_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && from[end] >> 12 == from[start] >> 12;) end++;
        for (uint32_t k = end; k-- > start;)
            *to++ = (from[k] & ~(uint32_t)COLUMN) | (sum - raw_column(from[k]));
    }
    return packed_finish_sorted(c, o, n);
}

// Writes words of one colour sorted by column, those of a column by row; on the other diagonal both
// backwards.
static void transpose_color(uint32_t *to, const uint32_t *from, uint32_t n, Box box, bool other) {
    uint32_t next[LOC_LIMIT], place = 0;
    const uint32_t width = (uint32_t)box_width(box), color = from[0] >> 24 << 24;
    const uint32_t top = (uint32_t)(box.top + LOC_BIAS), bottom = (uint32_t)(box.bottom + LOC_BIAS);
    const uint32_t left = (uint32_t)(box.left + LOC_BIAS), right = (uint32_t)(box.right + LOC_BIAS);
    memset(next, 0, width * sizeof *next);
    for (uint32_t k = 0; k < n; k++) next[other ? right - raw_column(from[k]) : raw_column(from[k]) - left]++;
    for (uint32_t j = 0; j < width; j++) {
        uint32_t count = next[j];
        next[j] = place;
        place += count;
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t word = from[other ? n - 1 - k : k], row = raw_row(word);
        uint32_t i = other ? right - raw_column(word) : raw_column(word) - left,
                 j = other ? bottom - row : row - top;
        to[next[i]++] = color | (top + i) << 12 | (left + j);
    }
}

// The patch with rows and columns exchanged; false where it would leave the range of words.
static bool transpose_patch(Ctx *c, Value piece, bool other, Value *result) {
    const Obj *patch = patch_fast(c, piece);
    if (!patch) return false;
    Box box = patch_box_paid(c, patch);
    if (!fits_loc(box.top + box_width(box) - 1, box.left + box_height(box) - 1)) return false;
    *result = VALUE_FAILED;
    Obj *o = packed_new(c, patch->kind, patch->n);
    if (!o) return true;
    const uint32_t *from = obj_words(patch);
    for (uint32_t start = 0, end; start < patch->n; start = end) {
        end = run_end(from, patch->n, start, 24);
        if (!ctx_charge(c, 3 * (int64_t)(end - start) + box_width(box))) return true;
        transpose_color(packed_of(o) + start, from + start, end - start, box, other);
    }
    *result = packed_finish_sorted(c, o, patch->n);
    return true;
}

// ---- Mirrors as Python has them ----

// Whether the first element of a patch is a cell: all others are then taken apart as cells.
static bool holds_cells(Ctx *c, Value patch) {
    if (value_length(c, patch) == 0) ctx_fail(c, TS_FAIL_EMPTY);
    return !c->failure && value_is_tuple(value_item(c, value_element(c, patch, 0), 1));
}

typedef Value Mirror(Ctx *c, Value by, Value i, Value j);

static Value mirrored(Ctx *c, Value patch, Mirror *mirror, Value by) {
    bool cells = holds_cells(c, patch);
    Gather g = gather(c);
    Value e, color = VALUE_NONE, i, j;
    for (Iter it = iter(c, patch); iter_next(&it, &e);) {
        if (cells) unpack_two(c, e, &color, &e);
        unpack_two(c, e, &i, &j);
        Value loc = mirror(c, by, i, j);
        gather_add(&g, cells ? value_pair(c, color, loc) : loc);
    }
    return gather_set(&g);
}

// The sum of the first and the last row (0) or column (1) of a patch.
static Value sum_of_corners(Ctx *c, Value patch, int axis) {
    Value first = value_item(c, CALL(ulcorner, patch), axis),
          last = value_item(c, CALL(lrcorner, patch), axis);
    return py_add(c, first, last);
}

static Value across_row(Ctx *c, Value sum, Value i, Value j) {
    return value_pair(c, py_subtract(c, sum, i), j);
}

static Value across_column(Ctx *c, Value sum, Value i, Value j) {
    return value_pair(c, i, py_subtract(c, sum, j));
}

static Value across_diagonal(Ctx *c, Value corner, Value i, Value j) {
    Value top, left;
    unpack_two(c, corner, &top, &left);
    Value down = py_add(c, py_subtract(c, j, left), top), along = py_add(c, py_subtract(c, i, top), left);
    return value_pair(c, down, along);
}

OP_FN(hmirror) {
    const Obj *o = fast_grid(c, a[0]), *patch = patch_fast(c, a[0]);
    if (o) return mirror_grid(c, o, true);
    if (patch) return patch_upside_down(c, patch);
    if (value_is_tuple(a[0])) return py_reversed(c, a[0]);
    return mirrored(c, a[0], across_row, sum_of_corners(c, a[0], 0));
}

OP_FN(vmirror) {
    const Obj *o = fast_grid(c, a[0]), *patch = patch_fast(c, a[0]);
    if (o) return mirror_grid(c, o, false);
    if (patch) return patch_left_right(c, patch);
    if (value_is_tuple(a[0])) return reversed_rows(c, a[0]);
    return mirrored(c, a[0], across_column, sum_of_corners(c, a[0], 1));
}

OP_FN(dmirror) {
    const Obj *o = fast_grid(c, a[0]);
    Value result;
    if (o) return transposed(c, o, false, false);
    if (transpose_patch(c, a[0], false, &result)) return result;
    if (value_is_tuple(a[0])) return py_zip_all(c, a[0]);
    return mirrored(c, a[0], across_diagonal, CALL(ulcorner, a[0]));
}

OP_FN(cmirror) {
    const Obj *o = fast_grid(c, a[0]);
    Value result;
    if (o) return transposed(c, o, true, true);
    if (transpose_patch(c, a[0], true, &result)) return result;
    if (value_is_tuple(a[0])) return py_zip_all(c, reversed_rows(c, py_reversed(c, a[0])));
    return CALL(vmirror, CALL(dmirror, CALL(vmirror, a[0])));
}

// By number. Only a tuple is a grid here, so that a patch fails instead of being mirrored as one.
OP_FN(mir_rot_t) {
    int64_t symmetry = value_is_small(a[1]) ? value_small(a[1]) : -1;
    if (symmetry < 0 || symmetry > 6) return a[0];
    if (!value_is_tuple(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    static OpFn *const turns[] = {op_hmirror, op_dmirror, op_vmirror, op_cmirror,
                                  op_rot90,   op_rot180,  op_rot270};
    return turns[symmetry](c, a);
}

// A tuple of cells or locations is a patch here too.
OP_FN(mir_rot_f) {
    int64_t symmetry = value_is_small(a[1]) ? value_small(a[1]) : -1;
    if (symmetry < 0 || symmetry > 3) return a[0];
    if (symmetry == 2 && value_same(a[0], VALUE_NO_SET)) return a[0];
    static OpFn *const turns[] = {op_hmirror, op_dmirror, op_vmirror, op_cmirror};
    Gather g = gather(c);
    if (value_is_tuple(a[0])) gather_all(&g, a[0]);
    Value patch = value_is_tuple(a[0]) ? gather_set(&g) : a[0];
    return c->failure ? VALUE_FAILED : turns[symmetry](c, &patch);
}

// ---- Scaling ----

// A grid with each row `down` times and each column `across` times, both at least 1.
static Value scale_grid(Ctx *c, const Obj *grid, int64_t down, int64_t across) {
    if (down > VALUE_MOST_WEIGHT || across > VALUE_MOST_WEIGHT) return ctx_fail(c, TS_FAIL_BUDGET);
    Obj *o = value_grid_new(c, grid->n * down, grid->width * across);
    if (!o || !ctx_charge(c, (int64_t)grid->n * grid->width + o->n)) return VALUE_FAILED;
    const int8_t *from = obj_cells(grid), *end = obj_cells(o) + (size_t)o->n * o->width;
    int8_t *to = grid_cells(o);
    for (; to < end; from += grid->width) {
        const int8_t *row = to;
        if (across == 1) copy_cells(to, from, grid->width);
        else stretch_cells(to, from, grid->width, (size_t)across, end);
        to += o->width;
        for (int64_t k = 1; k < down; k++, to += o->width) copy_cells(to, row, o->width);
    }
    return value_of_obj(o);
}

// The grid to scale, where the factor is a number above zero.
static const Obj *fast_scale(const Ctx *c, Value grid, Value factor) {
    return value_is_small(factor) && value_small(factor) > 0 ? fast_grid(c, grid) : NULL;
}

// Each element `factor` times; the factor counts only if there is an element.
static Value stretched(Ctx *c, Value row, Value factor) {
    Gather g = gather(c);
    Value e;
    for (Iter it = iter(c, row); iter_next(&it, &e);)
        for (int64_t k = need_range(c, factor); k > 0 && !c->failure; k--) gather_add(&g, e);
    return gather_tuple(&g);
}

static Value stretched_rows(Ctx *c, Value rows, Value factor) {
    Gather g = gather(c);
    Value row;
    for (Iter it = iter(c, rows); iter_next(&it, &row);) gather_add(&g, stretched(c, row, factor));
    return gather_tuple(&g);
}

OP_FN(hupscale) {
    const Obj *o = fast_scale(c, a[0], a[1]);
    return o ? scale_grid(c, o, 1, value_small(a[1])) : stretched_rows(c, a[0], a[1]);
}

OP_FN(vupscale) {
    const Obj *o = fast_scale(c, a[0], a[1]);
    return o ? scale_grid(c, o, value_small(a[1]), 1) : stretched(c, a[0], a[1]);
}

// Each run of cells in a row becomes `factor` longer runs, one below the other.
static uint32_t *scale_run(uint32_t *to, const uint32_t *from, uint32_t n, Box box, uint32_t factor) {
    const uint32_t top = (uint32_t)(box.top + LOC_BIAS), left = (uint32_t)(box.left + LOC_BIAS);
    const uint32_t row = from[0] >> 24 << 24 | (top + (raw_row(from[0]) - top) * factor) << 12;
    for (uint32_t below = 0; below < factor; below++)
        for (uint32_t k = 0; k < n; k++)
            to =
                patch_run(to, (row + (below << 12)) | (left + (raw_column(from[k]) - left) * factor), factor);
    return to;
}

// The cells of an object as squares of factor by factor; false where they would leave the range of words.
static bool scale_object(Ctx *c, Value element, Value by, Value *result) {
    const Obj *obj = patch_fast(c, element);
    if (!obj || obj->kind != KIND_CELLS || !value_is_small(by)) return false;
    int64_t factor = value_small(by);
    if (factor < 1 || factor > LOC_LIMIT) return false;
    Box box = patch_box_paid(c, obj);
    if (!fits_loc(box.top + box_height(box) * factor - 1, box.left + box_width(box) * factor - 1))
        return false;
    *result = VALUE_FAILED;
    size_t n = obj->n * (size_t)(factor * factor);
    Obj *o = packed_new(c, KIND_CELLS, n);
    if (!o || !ctx_charge(c, (int64_t)n)) return true;
    const uint32_t *from = obj_words(obj);
    uint32_t *to = packed_of(o);
    for (uint32_t start = 0, end; start < obj->n; start = end) {
        end = run_end(from, obj->n, start, 12);
        to = scale_run(to, from + start, end - start, box, (uint32_t)factor);
    }
    *result = packed_finish_sorted(c, o, n);
    return true;
}

// The squares of all cells of an object that lies at the origin.
static Value squares(Ctx *c, Value normed, Value by) {
    Gather g = gather(c);
    Value e, color;
    int64_t i, j;
    for (Iter it = iter(c, normed); iter_next(&it, &e);) {
        int64_t factor = need_range(c, by);
        unpack_cell(c, e, &color, &i, &j);
        if (factor == 0) continue;
        int64_t top = int_multiply(c, i, factor), left = int_multiply(c, j, factor);
        for (int64_t down = 0; down < factor && !c->failure; down++)
            for (int64_t along = 0; along < factor && !c->failure; along++)
                gather_add(
                    &g, value_pair(c, color, value_loc(c, int_add(c, top, down), int_add(c, left, along))));
    }
    return gather_set(&g);
}

OP_FN(upscale) {
    const Obj *o = fast_scale(c, a[0], a[1]);
    Value result;
    if (o) return scale_grid(c, o, value_small(a[1]), value_small(a[1]));
    if (scale_object(c, a[0], a[1], &result)) return result;
    if (value_is_tuple(a[0])) return stretched(c, stretched_rows(c, a[0], a[1]), a[1]);
    if (value_length(c, a[0]) == 0) return VALUE_NO_SET;
    Value corner = CALL(ulcorner, a[0]);
    int64_t i, j;
    unpack_ints(c, corner, &i, &j);
    Value normed = CALL(shift, a[0], value_loc(c, int_subtract(c, 0, i), int_subtract(c, 0, j)));
    return CALL(shift, squares(c, normed, a[1]), corner);
}

static Value downscale_grid(Ctx *c, const Obj *grid, uint32_t factor) {
    Obj *o = value_grid_new(c, (grid->n - 1) / factor + 1, (grid->width - 1) / factor + 1);
    if (!o || !ctx_charge(c, (int64_t)o->n * o->width)) return VALUE_FAILED;
    int8_t *to = grid_cells(o);
    for (uint32_t i = 0; i < o->n; i++) {
        const int8_t *row = obj_cells(grid) + (size_t)(i * factor) * grid->width;
        for (uint32_t j = 0; j < o->width; j++) *to++ = row[j * factor];
    }
    return value_of_obj(o);
}

// A row with the columns that the factor divides. All rows are read so, those that are dropped later too.
static Value downscaled_row(Ctx *c, Value grid, int64_t i, int64_t width, int64_t factor) {
    Gather g = gather(c);
    if (width == 0) return VALUE_NO_TUPLE;
    Value row = value_item(c, grid, i);
    for (int64_t j = 0; j < width && !c->failure; j++)
        if (j % factor == 0) gather_add(&g, value_item(c, row, j));
    return gather_tuple(&g);
}

OP_FN(downscale) {
    const Obj *o = fast_scale(c, a[0], a[1]);
    if (o && value_small(a[1]) < VALUE_MOST_WEIGHT) return downscale_grid(c, o, (uint32_t)value_small(a[1]));
    int64_t height = value_length(c, a[0]), width = value_length(c, value_item(c, a[0], 0));
    int64_t factor = need_int(c, a[1]);
    if (!c->failure && factor == 0) ctx_fail(c, TS_FAIL_ZERO);
    Gather g = gather(c);
    for (int64_t i = 0; i < height && !c->failure; i++) {
        Value row = downscaled_row(c, a[0], i, width, factor);
        if (!c->failure && i % factor == 0) gather_add(&g, row);
    }
    return gather_tuple(&g);
}

// ---- Joining ----

static Value beside(Ctx *c, const Obj *l, const Obj *r) {
    uint32_t height = l->n < r->n ? l->n : r->n;
    Obj *o = value_grid_new(c, height, (int64_t)l->width + r->width);
    if (!o || !ctx_charge(c, 2 * (int64_t)height)) return VALUE_FAILED;
    int8_t *to = grid_cells(o);
    for (uint32_t i = 0; i < height; i++, to += o->width) {
        copy_cells(to, obj_cells(l) + (size_t)i * l->width, l->width);
        copy_cells(to + l->width, obj_cells(r) + (size_t)i * r->width, r->width);
    }
    return value_of_obj(o);
}

OP_FN(hconcat) {
    const Obj *left = fast_grid(c, a[0]), *right = fast_grid(c, a[1]);
    if (left && right) return beside(c, left, right);
    Gather g = gather(c);
    Value l, r;
    for (Iter x = iter(c, a[0]), y = iter(c, a[1]); iter_next(&x, &l) && iter_next(&y, &r);)
        gather_add(&g, py_add(c, l, r));
    return gather_tuple(&g);
}

OP_FN(vconcat) {
    const Obj *upper = fast_grid(c, a[0]), *lower = fast_grid(c, a[1]);
    if (!upper || !lower || upper->width != lower->width) return py_add(c, a[0], a[1]);
    Obj *o = value_grid_new(c, (int64_t)upper->n + lower->n, upper->width);
    if (!o) return VALUE_FAILED;
    size_t above = (size_t)upper->n * upper->width;
    memcpy(grid_cells(o), obj_cells(upper), above);
    memcpy(grid_cells(o) + above, obj_cells(lower), (size_t)lower->n * lower->width);
    return value_of_obj(o);
}

// ---- Cutting ----

// Python's v[start[k]:start[k] + dims[k]].
static Value slice_by(Ctx *c, Value v, Value start, Value dims, int k) {
    int64_t from = need_int(c, value_item(c, start, k)), count = need_int(c, value_item(c, dims, k));
    int64_t to = int_add(c, from, count);
    return c->failure ? VALUE_FAILED : py_slice(c, v, from, to);
}

OP_FN(crop) {
    const Obj *o = fast_grid(c, a[0]);
    if (o && value_is_loc(a[1]) && value_is_loc(a[2])) {
        uint32_t start = value_word(a[1]), dims = value_word(a[2]);
        return crop_grid(c, o, word_i(start), word_j(start), word_i(dims), word_j(dims));
    }
    Gather g = gather(c);
    Value row, rows = slice_by(c, a[0], a[1], a[2], 0);
    for (Iter it = iter(c, rows); iter_next(&it, &row);) gather_add(&g, slice_by(c, row, a[1], a[2], 1));
    return gather_tuple(&g);
}

OP_FN(subgrid) {
    const Obj *patch = patch_fast(c, a[0]), *o = fast_grid(c, a[1]);
    if (!patch || !o) return CALL(crop, a[1], CALL(ulcorner, a[0]), CALL(shape, a[0]));
    Box box = patch_box_paid(c, patch);
    return crop_grid(c, o, box.top, box.left, box_height(box), box_width(box));
}

// n parts, side by side or one below the other. Where the length is no multiple of n, one line is left out
// between two parts.
static Value split(Ctx *c, Value grid, Value by, bool below) {
    const Obj *o = fast_grid(c, grid);
    int64_t height = value_length(c, grid), width = o ? o->width : value_length(c, value_item(c, grid, 0));
    int64_t length = below ? height : width, n = need_int(c, by);
    if (c->failure) return VALUE_FAILED;
    if (n == 0) return ctx_fail(c, TS_FAIL_ZERO);
    Gather g = gather(c);
    int64_t size = length / n, step = size + (length % n != 0); // n below zero gives no parts at all
    const int64_t fitting = step > 0 ? (length - size) / step + 1 : 0, whole = fitting < n ? fitting : n;
    const int64_t each = size * (below ? width : height) / 8; // the last parts may be cut short, or be empty
    if (n > 0 && (n > INT32_MAX || !ctx_affords(c, 2 * n + whole * each))) return ctx_fail(c, TS_FAIL_BUDGET);
    for (int64_t k = 0; o && k < n && !c->failure; k++)
        gather_add(&g, below ? crop_grid(c, o, k * step, 0, size, width)
                             : crop_grid(c, o, 0, k * step, height, size));
    if (o) return gather_tuple(&g);
    for (int64_t k = 0; k < n && !c->failure; k++) {
        Value start = value_int(c, int_multiply(c, step, k)), zero = value_of_small(0);
        Value from = below ? value_pair(c, start, zero) : value_pair(c, zero, start);
        Value dims = below ? value_loc(c, size, width) : value_loc(c, height, size);
        gather_add(&g, CALL(crop, grid, from, dims));
    }
    return gather_tuple(&g);
}

OP_FN(hsplit) { return split(c, a[0], a[1], false); }

OP_FN(vsplit) { return split(c, a[0], a[1], true); }

OP_FN(trim) {
    const Obj *o = fast_grid(c, a[0]);
    if (o) return part_of(c, o, 1, (int64_t)o->n - 1, 1, (int64_t)o->width - 1);
    Gather g = gather(c);
    Value row, rows = py_slice(c, a[0], 1, -1);
    for (Iter it = iter(c, rows); iter_next(&it, &row);) gather_add(&g, py_slice(c, row, 1, -1));
    return gather_tuple(&g);
}

OP_FN(tophalf) {
    const Obj *o = fast_grid(c, a[0]);
    if (o) return part_of(c, o, 0, o->n / 2, 0, o->width);
    return py_slice(c, a[0], 0, value_length(c, a[0]) / 2);
}

OP_FN(bottomhalf) {
    const Obj *o = fast_grid(c, a[0]);
    if (o) return part_of(c, o, (o->n + 1) / 2, o->n, 0, o->width);
    int64_t n = value_length(c, a[0]);
    return py_slice(c, a[0], (n + 1) / 2, n);
}

// A half is cut off the turned grid: where no column is left, there is no row either.
OP_FN(lefthalf) {
    const Obj *o = fast_grid(c, a[0]);
    if (o) return o->width == 1 ? VALUE_NO_TUPLE : part_of(c, o, 0, o->n, 0, o->width / 2);
    return CALL(rot270, CALL(tophalf, CALL(rot90, a[0])));
}

OP_FN(righthalf) {
    const Obj *o = fast_grid(c, a[0]);
    if (o) return o->width == 1 ? VALUE_NO_TUPLE : part_of(c, o, 0, o->n, (o->width + 1) / 2, o->width);
    return CALL(rot270, CALL(bottomhalf, CALL(rot90, a[0])));
}

// ---- Without lines of one colour ----

static bool is_plain_column(const Obj *grid, uint32_t j) {
    const int8_t *cell = obj_cells(grid) + j, first = *cell;
    for (uint32_t i = 1; i < grid->n; i++)
        if (*(cell += grid->width) != first) return false;
    return true;
}

// The rows are those with two colours next to each other somewhere.
static uint32_t copy_mixed_rows(int8_t *to, const Obj *grid, const uint32_t *columns, uint32_t n) {
    uint32_t height = 0;
    for (uint32_t i = 0; i < grid->n; i++) {
        const int8_t *row = obj_cells(grid) + (size_t)i * grid->width;
        if (memcmp(row, row + 1, grid->width - 1) == 0) continue;
        for (uint32_t k = 0; k < n; k++) *to++ = row[columns[k]];
        height++;
    }
    return height;
}

static Value compress_grid(Ctx *c, const Obj *grid) {
    uint32_t *columns = ctx_alloc(c, grid->width * sizeof *columns), n = 0;
    if (!columns || !ctx_charge(c, (int64_t)grid->n * grid->width)) return VALUE_FAILED;
    for (uint32_t j = 0; j < grid->width; j++)
        if (!is_plain_column(grid, j)) columns[n++] = j;
    Obj *o = value_grid_new(c, grid->n, n ? n : 1);
    if (!o) return VALUE_FAILED;
    uint32_t height = copy_mixed_rows(grid_cells(o), grid, columns, n);
    if (height == 0) return VALUE_NO_TUPLE;
    if (n == 0) return empty_rows(c, height);
    o->n = height;
    return value_of_obj(o);
}

// Whether all elements are equal and there is at least one.
static bool is_of_one(Ctx *c, Value row) {
    Value first = VALUE_NONE, e;
    bool any = false;
    for (Iter it = iter(c, row); iter_next(&it, &e); any = true) {
        if (!any) first = e;
        if (!py_equal(c, first, e)) return false;
    }
    return any;
}

// For each element, whether it is a line of one colour.
static bool *lines_of_one(Ctx *c, Value lines, int64_t *n) {
    *n = value_length(c, lines);
    bool *found = c->failure ? NULL : ctx_alloc(c, (size_t)*n + 1);
    Value line;
    if (!found) return NULL;
    bool *next = found;
    for (Iter it = iter(c, lines); iter_next(&it, &line);) *next++ = is_of_one(c, line);
    return found;
}

OP_FN(compress) {
    const Obj *o = fast_grid(c, a[0]);
    if (o) return compress_grid(c, o);
    int64_t height, width, i = 0;
    bool *rows = lines_of_one(c, a[0], &height), *columns = lines_of_one(c, CALL(dmirror, a[0]), &width);
    Gather g = gather(c);
    Value row, e;
    for (Iter it = iter(c, a[0]); iter_next(&it, &row); i++) {
        if (rows[i]) continue;
        Gather kept = gather(c);
        int64_t j = 0;
        for (Iter cell = iter(c, row); iter_next(&cell, &e); j++)
            if (j >= width || !columns[j]) gather_add(&kept, e);
        gather_add(&g, gather_tuple(&kept));
    }
    return gather_tuple(&g);
}
