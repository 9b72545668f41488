// Grids changed cell by cell.
//
// Workload: grids of 3 by 3 to 30 by 30, patches of 1 to 200 cells, most of them inside the grid.
//   painting   a copy of the bytes, then one store for each word of the patch; where in the grid it goes is
//              worked out for eight words at once. The
//              colours of a set come in ascending order: of several at one location the greatest stays,
//              or the first where only background is painted over.
//   colours    cells are compared and exchanged 16 at a time
//   else       the grid as lists of values (a Sheet), as Python does it: rows of any lengths, any
//              colours, and a column that is looked at only where the row lies inside
#include "dsl/patch.h"

static const Obj *fast_grid(const Ctx *c, Value v) {
    return !c->plain && value_is_grid(v) ? value_obj(v) : NULL;
}

static bool is_color(Value v) { return value_is_small(v) && fits_cell(value_small(v)); }

static size_t grid_size(const Obj *grid) { return (size_t)grid->n * grid->width; }

// ---- A grid as lists ----

typedef struct {
    Ctx *c;
    Gather *rows;
    int64_t height, width; // the width is that of the first row
} Sheet;

// On failure the sheet is empty.
static Sheet sheet_of(Ctx *c, Value grid) {
    Sheet s = {.c = c};
    int64_t height = value_length(c, grid), width = value_length(c, value_item(c, grid, 0));
    Gather *rows = c->failure ? NULL : ctx_alloc(c, (size_t)height * sizeof *rows);
    if (!rows) return s;
    Value row;
    for (Iter it = iter(c, grid); iter_next(&it, &row);) {
        rows[s.height] = gather(c);
        gather_all(&rows[s.height++], row);
    }
    s.rows = rows;
    s.width = width;
    return s;
}

static bool is_below(Ctx *c, Value coordinate, int64_t n, int64_t *at) {
    *at = need_int(c, coordinate);
    return !c->failure && *at >= 0 && *at < n;
}

// The place of (i, j). NULL outside of the grid; a row that is too short fails.
static Value *sheet_at(Sheet *s, Value i, Value j) {
    int64_t row, column;
    if (!is_below(s->c, i, s->height, &row) || !is_below(s->c, j, s->width, &column)) return NULL;
    if ((size_t)column < s->rows[row].n) return &s->rows[row].items[column];
    ctx_fail(s->c, TS_FAIL_INDEX);
    return NULL;
}

static Value sheet_tuple(Sheet *s) {
    Gather g = gather(s->c);
    for (int64_t i = 0; i < s->height && !s->c->failure; i++) gather_add(&g, gather_tuple(&s->rows[i]));
    return gather_tuple(&g);
}

// ---- Making and reading ----

OP_FN(canvas) {
    if (!c->plain && is_color(a[0]) && value_is_tuple(a[1]) && value_length(c, a[1]) >= 2) {
        Value h = value_element(c, a[1], 0), w = value_element(c, a[1], 1);
        int64_t height = value_is_small(h) ? value_small(h) : 0,
                width = value_is_small(w) ? value_small(w) : 0;
        if (height > 0 && width > 0) {
            Obj *o = value_grid_new(c, height, width);
            if (!o) return VALUE_FAILED;
            memset(grid_cells(o), (int)value_small(a[0]), grid_size(o));
            return value_of_obj(o);
        }
    }
    int64_t height = need_range(c, value_item(c, a[1], 0));
    // Of no rows the width does not count.
    if (c->failure || height == 0) return c->failure ? VALUE_FAILED : VALUE_NO_TUPLE;
    Value row = CALL(repeat, a[0], value_item(c, a[1], 1));
    return CALL(repeat, row, value_item(c, a[1], 0));
}

OP_FN(index) {
    const Obj *o = fast_grid(c, a[0]);
    if (o && value_is_loc(a[1])) {
        int i = word_i(value_word(a[1])), j = word_j(value_word(a[1]));
        if (i < 0 || j < 0 || (uint32_t)i >= o->n || (uint32_t)j >= o->width) return VALUE_NONE;
        return value_of_small(obj_cells(o)[(size_t)i * o->width + (size_t)j]);
    }
    Value first, second;
    int64_t i, j;
    unpack_two(c, a[1], &first, &second);
    int64_t height = value_length(c, a[0]), width = value_length(c, value_item(c, a[0], 0));
    bool inside = is_below(c, first, height, &i) && is_below(c, second, width, &j);
    if (c->failure || !inside) return c->failure ? VALUE_FAILED : VALUE_NONE;
    if (!value_is_tuple(a[1])) return ctx_fail(c, TS_FAIL_TYPE); // a set has two elements, but no loc[0]
    return value_item(c, value_item(c, a[0], i), j);
}

// ---- Painting ----

static Obj *copy_of(Ctx *c, const Obj *grid) {
    Obj *o = value_grid_new(c, grid->n, grid->width);
    if (o) memcpy(grid_cells(o), obj_cells(grid), grid_size(grid));
    return o;
}

// A grid and the cells to paint on it, in this order. Those of an ordinary patch lie there already; a tuple
// of cells (merged from a tuple of objects) or of locations (which is a grid of width 2) is copied.
typedef struct {
    const Obj *grid;
    const uint32_t *words;
    uint32_t n;
    bool has_colors;
} Job;

static bool read_tuple(Ctx *c, Job *job, const Obj *tuple) {
    uint32_t *words = ctx_alloc(c, tuple->n * sizeof *words + 1);
    if (!words) return false;
    job->words = words;
    job->n = tuple->n;
    job->has_colors = tuple->kind == KIND_TUPLE;
    if (tuple->kind == KIND_GRID) {
        for (const int8_t *loc = obj_cells(tuple); words < job->words + job->n; loc += 2)
            *words++ = loc_word(loc[0], loc[1]);
        return true;
    }
    for (uint32_t k = 0; k < job->n; k++) {
        if (!value_is_cell(obj_items(tuple)[k])) return false;
        words[k] = value_word(obj_items(tuple)[k]);
    }
    return true;
}

// False where the plain path must do it.
static bool fast_job(Ctx *c, Job *job, Value grid, Value patch) {
    *job = (Job){.grid = fast_grid(c, grid)};
    if (!job->grid || value_tag(patch) != TAG_OBJ) return false;
    const Obj *o = value_obj(patch);
    if (o->kind == KIND_TUPLE || (o->kind == KIND_GRID && o->width == 2)) return read_tuple(c, job, o);
    job->words = obj_words(o);
    job->n = o->n;
    job->has_colors = o->kind != KIND_LOCS;
    return o->kind == KIND_LOCS || o->kind == KIND_CELLS || (o->kind == KIND_SET && o->n == 0);
}

static bool fast_paint(Ctx *c, Job *job, Value grid, Value obj) {
    return fast_job(c, job, grid, obj) && job->has_colors;
}

// A copy of the grid to paint on, the painting paid for.
static Obj *job_copy(Ctx *c, const Job *job) { return ctx_charge(c, job->n) ? copy_of(c, job->grid) : NULL; }

enum { NO_COLOR = 1000 };

// Paints on the next n cells, of a vector or less.
static inline __attribute__((always_inline)) void paint_some(Obj *grid, const uint32_t *words, uint32_t n,
                                                             int color, int on, int di, int dj) {
    const PatchWords places = patch_places(words, grid, di, dj);
    for (uint32_t k = 0; k < n; k++) {
        int8_t *cell = grid_cells(grid) + places[k];
        const int8_t new = (int8_t)(color == NO_COLOR ? word_v(words[k]) : color);
        *cell = on == NO_COLOR || *cell == on ? new : *cell;
    }
}

// Paints the cells of a job, moved by (di, dj), on a copy of the grid made last: with a colour, or with their
// own where that is NO_COLOR; where `on` is a colour, only on cells that have it. What lies outside goes to
// the place behind the last cell, and is forgotten. Laid out anew for each of those who ask.
static inline __attribute__((always_inline)) void paint_cells(Obj *grid, const Job *job, int color, int on,
                                                              int di, int dj) {
    uint32_t k = 0;
    for (; k + PATCH_WORDS <= job->n; k += PATCH_WORDS)
        paint_some(grid, job->words + k, PATCH_WORDS, color, on, di, dj);
    if (k < job->n) paint_some(grid, job->words + k, job->n - k, color, on, di, dj);
}

OP_FN(fill) {
    Job job;
    if (is_color(a[1]) && fast_job(c, &job, a[0], a[2])) {
        Obj *o = job_copy(c, &job);
        if (!o) return VALUE_FAILED;
        paint_cells(o, &job, (int8_t)value_small(a[1]), NO_COLOR, 0, 0);
        return value_of_obj(o);
    }
    Sheet s = sheet_of(c, a[0]);
    Value loc, i, j;
    for (Iter it = iter(c, CALL(toindices, a[2])); iter_next(&it, &loc);) {
        Value *cell = unpack_two(c, loc, &i, &j) ? sheet_at(&s, i, j) : NULL;
        if (cell) *cell = a[1];
    }
    return sheet_tuple(&s);
}

// The colour of a cell and its place on the sheet, NULL outside.
static Value *sheet_cell(Sheet *s, Value e, Value *color) {
    Value loc, i, j;
    return unpack_two(s->c, e, color, &loc) && unpack_two(s->c, loc, &i, &j) ? sheet_at(s, i, j) : NULL;
}

OP_FN(paint) {
    Job job;
    if (fast_paint(c, &job, a[0], a[1])) {
        Obj *o = job_copy(c, &job);
        if (!o) return VALUE_FAILED;
        paint_cells(o, &job, NO_COLOR, NO_COLOR, 0, 0);
        return value_of_obj(o);
    }
    Sheet s = sheet_of(c, a[0]);
    Value e, color;
    for (Iter it = iter(c, a[1]); iter_next(&it, &e);) {
        Value *cell = sheet_cell(&s, e, &color);
        if (cell) *cell = color;
    }
    return sheet_tuple(&s);
}

// ---- Painting on the background ----

// The most common colour of a grid, or of anything else on a failure.
static int8_t background(Ctx *c, Value grid) {
    Value color = CALL(mostcolor, grid);
    return c->failure ? 0 : (int8_t)value_small(color);
}

OP_FN(underfill) {
    Job job;
    if (is_color(a[1]) && fast_job(c, &job, a[0], a[2])) {
        int8_t bg = background(c, a[0]), color = (int8_t)value_small(a[1]);
        Obj *o = job_copy(c, &job);
        if (!o) return VALUE_FAILED;
        paint_cells(o, &job, color, bg, 0, 0);
        return value_of_obj(o);
    }
    Sheet s = sheet_of(c, a[0]);
    Value loc, i, j, bg = CALL(mostcolor, a[0]);
    for (Iter it = iter(c, CALL(toindices, a[2])); iter_next(&it, &loc);) {
        Value *cell = unpack_two(c, loc, &i, &j) ? sheet_at(&s, i, j) : NULL;
        if (cell && py_equal(c, *cell, bg)) *cell = a[1];
    }
    return sheet_tuple(&s);
}

OP_FN(underpaint) {
    Job job;
    if (fast_paint(c, &job, a[0], a[1])) {
        int8_t bg = background(c, a[0]);
        Obj *o = job_copy(c, &job);
        if (!o) return VALUE_FAILED;
        paint_cells(o, &job, NO_COLOR, bg, 0, 0);
        return value_of_obj(o);
    }
    Sheet s = sheet_of(c, a[0]);
    Value e, color, bg = CALL(mostcolor, a[0]);
    for (Iter it = iter(c, a[1]); iter_next(&it, &e);) {
        Value *cell = sheet_cell(&s, e, &color);
        if (cell && py_equal(c, *cell, bg)) *cell = color;
    }
    return sheet_tuple(&s);
}

OP_FN(cover) {
    Job job;
    if (!fast_job(c, &job, a[0], a[1])) return CALL(fill, a[0], CALL(mostcolor, a[0]), CALL(toindices, a[1]));
    int8_t bg = background(c, a[0]);
    Obj *o = job_copy(c, &job);
    if (!o) return VALUE_FAILED;
    paint_cells(o, &job, bg, NO_COLOR, 0, 0);
    return value_of_obj(o);
}

OP_FN(move) {
    Job job;
    // A tuple of cells is painted as a set, since shift gives one: the fast path would keep its order.
    if (!value_is_loc(a[2]) || !value_is_set(a[1]) || !fast_paint(c, &job, a[0], a[1]))
        return CALL(paint, CALL(cover, a[0], a[1]), CALL(shift, a[1], a[2]));
    int8_t bg = background(c, a[0]);
    Obj *o = job_copy(c, &job);
    if (!o || !ctx_charge(c, job.n)) return VALUE_FAILED;
    paint_cells(o, &job, bg, NO_COLOR, 0, 0);
    paint_cells(o, &job, NO_COLOR, NO_COLOR, word_i(value_word(a[2])), word_j(value_word(a[2])));
    return value_of_obj(o);
}

// ---- Exchanging colours ----

typedef int8_t Bytes __attribute__((vector_size(16)));
enum { VECTOR = sizeof(Bytes) };

static Bytes all_bytes(Value color) { return (Bytes){0} + (int8_t)value_small(color); }

// 16 cells, or the last n; what stands beyond them is never stored.
static inline Bytes load(const int8_t *from, size_t n) {
    Bytes b = {0};
    if (n >= VECTOR) memcpy(&b, from, VECTOR);
    else memcpy(&b, from, n);
    return b;
}

static inline void store(int8_t *to, Bytes b, size_t n) {
    if (n >= VECTOR) memcpy(to, &b, VECTOR);
    else memcpy(to, &b, n);
}

// x where the mask is set, else y.
static inline Bytes choose(Bytes mask, Bytes x, Bytes y) { return (mask & x) | (~mask & y); }

static void agreeing_cells(int8_t *to, const int8_t *x, const int8_t *y, size_t n, Bytes fallback) {
    for (size_t k = 0; k < n; k += VECTOR) {
        Bytes l = load(x + k, n - k), r = load(y + k, n - k);
        store(to + k, choose(l == r, l, fallback), n - k);
    }
}

static Value cellwise_grids(Ctx *c, const Obj *x, const Obj *y, Bytes fallback) {
    if (y->n < x->n || y->width < x->width) return ctx_fail(c, TS_FAIL_INDEX);
    Obj *o = value_grid_new(c, x->n, x->width);
    if (!o) return VALUE_FAILED;
    if (x->width == y->width) {
        agreeing_cells(grid_cells(o), obj_cells(x), obj_cells(y), grid_size(x), fallback);
        return value_of_obj(o);
    }
    if (!ctx_charge(c, 8 * (int64_t)x->n)) return VALUE_FAILED;
    for (uint32_t i = 0; i < x->n; i++) {
        size_t row = (size_t)i * x->width;
        const int8_t *other = obj_cells(y) + (size_t)i * y->width;
        agreeing_cells(grid_cells(o) + row, obj_cells(x) + row, other, x->width, fallback);
    }
    return value_of_obj(o);
}

OP_FN(cellwise) {
    const Obj *x = fast_grid(c, a[0]), *y = fast_grid(c, a[1]);
    if (x && y && is_color(a[2])) return cellwise_grids(c, x, y, all_bytes(a[2]));
    int64_t height = value_length(c, a[0]), width = value_length(c, value_item(c, a[0], 0));
    Gather rows = gather(c);
    for (int64_t i = 0; i < height && !c->failure; i++) {
        Gather row = gather(c);
        Value left = width ? value_item(c, a[0], i) : VALUE_NONE,
              right = width ? value_item(c, a[1], i) : VALUE_NONE;
        for (int64_t j = 0; j < width && !c->failure; j++) {
            Value l = value_item(c, left, j), r = value_item(c, right, j);
            gather_add(&row, py_equal(c, l, r) ? l : a[2]);
        }
        gather_add(&rows, gather_tuple(&row));
    }
    return gather_tuple(&rows);
}

// Each cell that is x becomes y, and each that is y becomes x or stays.
static Value exchange_in_grid(Ctx *c, const Obj *grid, Bytes x, Bytes y, bool both) {
    Obj *o = value_grid_new(c, grid->n, grid->width);
    if (!o) return VALUE_FAILED;
    const size_t n = grid_size(grid);
    const Bytes back = both ? x : y;
    for (size_t k = 0; k < n;
         k += VECTOR) { // up to 15 cells beyond the last: memory is handed out by 16 bytes
        const Bytes b = load(obj_cells(grid) + k, VECTOR);
        store(grid_cells(o) + k, choose(b == x, y, choose(b == y, back, b)), VECTOR);
    }
    return value_of_obj(o);
}

static Value exchanged(Ctx *c, Value grid, Value x, Value y, bool both) {
    const Obj *o = fast_grid(c, grid);
    if (o && is_color(x) && is_color(y)) return exchange_in_grid(c, o, all_bytes(x), all_bytes(y), both);
    Gather rows = gather(c);
    Value r, v;
    for (Iter it = iter(c, grid); iter_next(&it, &r);) {
        Gather row = gather(c);
        for (Iter cell = iter(c, r); iter_next(&cell, &v);)
            gather_add(&row, both && py_equal(c, v, y) ? x : py_equal(c, v, x) ? y : v);
        gather_add(&rows, gather_tuple(&row));
    }
    return gather_tuple(&rows);
}

OP_FN(replace) { return exchanged(c, a[0], a[1], a[2], false); }

OP_FN(switch) { return exchanged(c, a[0], a[1], a[2], true); }
