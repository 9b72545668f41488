// Objects found in grids.
//
// Workload: grids of 3 by 3 to 30 by 30 in 2 to 5 colours, half of the cells background; 1 to 20 objects
// of 1 to 50 cells. Half of all programs begin with `objects`; one calls `occurrences` hundreds of times.
//   rows         a grid's rows as bits, where it has a colour: 32 cells are compared at once
//   objects      the rows of a colour fall into runs. A run joins those above it that it touches, which
//                the bits tell. In order, the runs then give the words of each object sorted, and the
//                objects by their first word, which is the order of the set. Objects of several colours
//                are joined over all that is not background, and written colour by colour.
//   occurrences  the rows of a colour, shifted and put together by `and`: one after the other for the
//                cells of an object, by doubling for a rectangle of one colour
//   periods      the same bits for the object's own cells
//   else         as Python does it, through the elements; so too grids of more than 64 rows or 63
//                columns
//
// Tried and lost for `objects`: runs over the whole grid with their colours, joined by walking along two
// rows side by side and sorted by colour: 1,065 ns on average over the ARC-1 inputs and twice as many
// wrongly guessed branches, against 700 ns. For `partition`, runs instead of a pass for each colour: no
// gain.
#include "dsl/column.h"
#include "dsl/patch.h"
#include "value/bits.h"

enum { WORD = 64, MOST_ROWS = CTX_ROWS, NO_COLOR = 1000 };

// ---- Cells as bits ----

static uint64_t low_bits(int n) { return (1ULL << n) - 1; } // n below 64
static int lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }
static int highest_bit(uint64_t bits) { return WORD - 1 - __builtin_clzll(bits); }

// A grid's rows as bits: where it has this colour. Height is at most 64, width less.
static void color_rows(uint64_t rows[MOST_ROWS], const Obj *grid, int color) {
    const int8_t *cells = obj_cells(grid);
    const uint32_t height = grid->n, width = grid->width, left = bits_lowest(width);
    for (uint32_t i = 0; i < height; i++) rows[i] = bits_of_cells(cells + i * width, (int8_t)color) & left;
    if (width <= BITS_CELLS) return;
    const uint32_t right = bits_lowest(width - BITS_CELLS);
    for (uint32_t i = 0; i < height; i++)
        rows[i] |= (uint64_t)(bits_of_cells(cells + i * width + BITS_CELLS, (int8_t)color) & right)
                   << BITS_CELLS;
}

// A grid whose rows fit 64 bits, and one to spare; NULL for any other value and where fast paths are off.
static const Obj *bits_grid(const Ctx *c, Value v) {
    if (c->plain || !value_is_grid(v)) return NULL;
    return value_obj(v)->n <= MOST_ROWS && value_obj(v)->width < WORD ? value_obj(v) : NULL;
}

// ---- Runs ----

enum { SLACK = 7 }; // words left free after an object, to be written to and forgotten

// Neighbouring cells of a row that belong to the same object.
typedef struct {
    uint32_t word, length; // the first cell, and how many
    uint32_t root;         // an earlier run of the same object, this one where there is none
    uint32_t size;         // of a root: cells of the object
    uint32_t *next;        // of a root: where the next word of the object goes
} Run;

typedef struct {
    Ctx *c;
    const Obj *grid;
    uint32_t n, count;                    // runs, objects
    uint64_t rows[MOST_ROWS + 1];         // by row + 1: the cells that objects are made of
    uint16_t run_at[MOST_ROWS + 1][WORD]; // by row + 1, then column: the run that begins there
    Run runs[MOST_ROWS * WORD / 2];
    Value objects[MOST_ROWS * WORD];
} Search;

static uint64_t run_starts(uint64_t row) { return row & ~(row << 1); }

static int run_length(uint64_t row, int start) { return lowest_bit(~(row >> start)); } // bit 63 is not set

// The run that holds the first of some cells of a row; 0 where there are no runs up to it, and any run for no
// cells.
static uint32_t run_of(const uint16_t run_at[WORD], uint64_t starts, uint64_t cells) {
    return run_at[highest_bit((starts & (cells ^ (cells - 1))) | 1)];
}

static uint32_t find_root(Run *runs, uint32_t k) {
    while (runs[k].root != k) k = runs[k].root = runs[runs[k].root].root;
    return k;
}

// The earlier of two roots becomes that of both.
static void unite_roots(Run *runs, uint32_t x, uint32_t y) {
    x = find_root(runs, x);
    y = find_root(runs, y);
    runs[x > y ? x : y].root = x < y ? x : y;
}

// x or y, without a branch for the processor to guess.
static uint32_t choose(bool is_x, uint32_t x, uint32_t y) { return y ^ ((x ^ y) & -(uint32_t)is_x); }

// Finds the runs of the rows and unites those that touch. A run takes the root of the first one above it that
// it touches; that there are more is rare.
static void find_runs(Search *s, int color, bool diagonal) {
    uint32_t n = 0;
    s->rows[0] = 0;
    s->run_at[0][0] = 0;
    s->runs[0].root = 0;
    for (int i = 0; i < (int)s->grid->n; i++) {
        const uint64_t above = s->rows[i], row = s->rows[i + 1];
        if (!row) continue;
        uint16_t *run_above = s->run_at[i];
        run_above[0] = (uint16_t)(run_above[0] & -(above & 1)); // what run_of finds where there is none
        const uint64_t starts_above = run_starts(above);
        uint64_t starts = run_starts(row);
        do {
            const int j = lowest_bit(starts);
            const uint64_t run = row & ~(row + (starts & -starts)); // a sum is carried to the end of the run
            const uint64_t reach = diagonal ? run | run << 1 | run >> 1 : run;
            const uint64_t touched = above & reach;
            uint64_t more = run_starts(touched);
            const uint32_t first = run_of(run_above, starts_above, touched);
            const uint32_t root = choose(touched != 0, s->runs[first].root, n);
            const uint32_t length = (uint32_t)__builtin_popcountll(run);
            s->runs[n] = (Run){cell_word(color, i, j), length, root, 0, NULL};
            s->run_at[i + 1][j] = (uint16_t)n;
            for (more &= more - 1; more; more &= more - 1)
                unite_roots(s->runs, n, run_above[lowest_bit(more)]);
            n++;
        } while (starts &= starts - 1);
    }
    s->n = n;
}

// Makes every root the first run of its object and adds up the sizes.
static void settle_roots(Run *runs, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        uint32_t root = runs[runs[k].root].root;       // an earlier run is settled already
        if (runs[k].root != root) runs[k].root = root; // rare: then the next one need not wait for it
        runs[root].size += runs[k].length;
    }
}

static bool make_object(Search *s, Run *root) {
    Obj *o = packed_new(s->c, KIND_CELLS, root->size + SLACK);
    if (!o) return false;
    root->next = packed_of(o);
    s->objects[s->count++] = packed_finish_sorted(s->c, o, root->size);
    return true;
}

// Writes a run to its object, which is made with the first. What is written too much lies in the slack or is
// written over.
static inline bool write_run(Search *s, uint32_t word, uint32_t length, Run *root) {
    if (!root->next && !make_object(s, root)) return false;
    root->next = patch_run(root->next, word, length);
    return true;
}
_Static_assert((int)SLACK >= (int)PATCH_WORDS - 1, "a run ends within the slack of its object");

// ---- Objects ----

static bool pay_search(Search *s) {
    return ctx_charge(s->c, s->grid->n * (s->grid->width / 8 + 2) + 8 * (int64_t)s->n);
}

// The objects of one colour.
static bool objects_of_color(Search *s, int color, bool diagonal) {
    color_rows(s->rows + 1, s->grid, color);
    find_runs(s, color, diagonal);
    if (!pay_search(s)) return false;
    settle_roots(s->runs, s->n);
    for (const Run *run = s->runs, *end = run + s->n; run < end; run++)
        if (!write_run(s, run->word, run->length, &s->runs[run->root])) return false;
    return true;
}

// Writes the cells of a colour to the objects that have been found.
static bool write_color(Search *s, int color) {
    uint64_t rows[MOST_ROWS];
    color_rows(rows, s->grid, color);
    for (int i = 0; i < (int)s->grid->n; i++) {
        for (uint64_t starts = run_starts(rows[i]); starts; starts &= starts - 1) {
            int j = lowest_bit(starts);
            const uint32_t run = run_of(s->run_at[i + 1], run_starts(s->rows[i + 1]), 1ULL << j);
            Run *root = &s->runs[s->runs[run].root];
            if (!write_run(s, cell_word(color, i, j), (uint32_t)run_length(rows[i], j), root)) return false;
        }
    }
    return true;
}

// The objects that are not background: united whatever their colours, then written colour by colour.
static bool objects_of_colors(Search *s, const Tally *t, int background, bool diagonal) {
    color_rows(s->rows + 1, s->grid, background);
    for (uint32_t i = 0; i < s->grid->n; i++) s->rows[i + 1] ^= low_bits((int)s->grid->width);
    find_runs(s, 0, diagonal);
    settle_roots(s->runs, s->n);
    for (int k = 0; k < t->n; k++)
        if (t->color[k] != background && !(pay_search(s) && write_color(s, t->color[k]))) return false;
    return true;
}

static int most_common(const Tally *t) {
    int most = 0;
    for (int k = 1; k < t->n; k++)
        if (t->count[k] > t->count[most]) most = k;
    return t->color[most];
}

// Both kinds of objects come out by their first word, which is the order of the set.
static Value objects_of_grid(Ctx *c, const Obj *grid, bool univalued, bool diagonal, bool without_bg) {
    Search s;
    Tally t;
    s.c = c;
    s.grid = grid;
    s.count = 0;
    color_tally(&t, obj_cells(grid), (size_t)grid->n * grid->width);
    int background = without_bg ? most_common(&t) : NO_COLOR;
    if (univalued) {
        for (int k = 0; k < t.n; k++)
            if (t.color[k] != background && !objects_of_color(&s, t.color[k], diagonal)) return VALUE_FAILED;
    } else if (!objects_of_colors(&s, &t, background, diagonal)) {
        return VALUE_FAILED;
    }
    return value_set_sorted(c, s.objects, s.count);
}

enum { FIELD_UNITS = 16 }; // of a cell in the search below

// A grid of any values, and what of it has been found.
typedef struct {
    Ctx *c;
    Value *cells; // row by row, cut to the width of the first row
    bool *found;
    int64_t *todo; // cells found whose neighbours have not been looked at
    int64_t height, width, waiting;
} Field;

static bool field_read(Field *f, Value grid) {
    Ctx *c = f->c;
    f->height = value_length(c, grid);
    f->width = value_length(c, value_item(c, grid, 0));
    size_t n = (size_t)f->height * (size_t)f->width;
    if (c->failure || n == 0) return false;
    f->cells = ctx_alloc(c, n * sizeof *f->cells);
    f->found = ctx_alloc(c, n * sizeof *f->found);
    f->todo = ctx_alloc(c, n * sizeof *f->todo);
    if (!f->cells || !f->found || !f->todo || !ctx_charge(c, FIELD_UNITS * (int64_t)n)) return false;
    memset(f->found, 0, n * sizeof *f->found);
    for (int64_t i = 0; i < f->height && !c->failure; i++) {
        Value row = value_item(c, grid, i);
        for (int64_t j = 0; j < f->width && !c->failure; j++)
            f->cells[i * f->width + j] = value_item(c, row, j);
    }
    return !c->failure;
}

// Whether a cell belongs to an object that began with `color`.
static bool field_matches(Field *f, int64_t at, Value color, bool univalued, Value background) {
    return univalued ? py_equal(f->c, f->cells[at], color) : !py_equal(f->c, f->cells[at], background);
}

static Value field_object(Field *f, int64_t first, bool univalued, bool diagonal, Value background) {
    Gather g = gather(f->c);
    f->found[first] = true;
    f->todo[f->waiting++] = first;
    while (f->waiting > 0 && !f->c->failure) {
        int64_t at = f->todo[--f->waiting], i = at / f->width, j = at % f->width;
        gather_add(&g, value_pair(f->c, f->cells[at], value_loc(f->c, i, j)));
        for (int step = 0; step < 9; step++) {
            int64_t y = i + step / 3 - 1, x = j + step % 3 - 1, next = y * f->width + x;
            if ((!diagonal && y != i && x != j) || y < 0 || y >= f->height || x < 0 || x >= f->width)
                continue;
            if (f->found[next] || !field_matches(f, next, f->cells[first], univalued, background)) continue;
            f->found[next] = true;
            f->todo[f->waiting++] = next;
        }
    }
    return gather_set(&g);
}

OP_FN(objects) {
    const Obj *grid = bits_grid(c, a[0]);
    bool univalued = py_truth(a[1]), diagonal = py_truth(a[2]), without_bg = py_truth(a[3]);
    if (grid && (univalued || without_bg)) return objects_of_grid(c, grid, univalued, diagonal, without_bg);
    if (value_is_grid(a[0]) &&
        !ctx_affords(c, FIELD_UNITS * (int64_t)value_obj(a[0])->n * value_obj(a[0])->width))
        return VALUE_FAILED;
    Value background = without_bg ? CALL(mostcolor, a[0]) : VALUE_NONE;
    Field f = {.c = c};
    Gather g = gather(c);
    if (!field_read(&f, a[0])) return c->failure ? VALUE_FAILED : VALUE_NO_SET;
    for (int64_t at = 0; at < f.height * f.width && !c->failure; at++)
        if (!f.found[at] && !py_equal(c, f.cells[at], background))
            gather_add(&g, field_object(&f, at, univalued, diagonal, background));
    return gather_set(&g);
}

// The flags of `objects` in one number; false for any other number.
static bool read_flags(Value number, Value flags[3]) {
    if (!value_is_small(number) || value_small(number) < 0 || value_small(number) > 7) return false;
    for (int k = 0; k < 3; k++) flags[k] = value_bool(value_small(number) >> (2 - k) & 1);
    return true;
}

OP_FN(o_g) {
    Value flags[3];
    if (!read_flags(a[1], flags)) return VALUE_NONE;
    if (value_same(a[0], VALUE_NO_TUPLE)) return VALUE_NO_SET;
    return CALL(objects, a[0], flags[0], flags[1], flags[2]);
}

OP_FN(objects_t) {
    if (value_same(a[0], VALUE_NO_TUPLE)) return VALUE_NO_TUPLE;
    Value objs = op_objects(c, a);
    size_t n = 0;
    const Value *items = c->failure ? NULL : column_of(c, objs, &n);
    Value *ordered = items ? ctx_alloc(c, (n + 1) * sizeof *ordered) : NULL;
    if (!ordered) return VALUE_FAILED;
    for (size_t k = 0; k < n && !c->failure; k++) { // by the first of its locations, which are sorted
        Value locations = CALL(toindices, items[k]);
        ordered[k] = c->failure ? VALUE_FAILED : value_element(c, locations, 0);
    }
    uint32_t *places = c->failure ? NULL : column_order(c, ordered, n, false);
    if (!places) return VALUE_FAILED;
    for (size_t k = 0; k < n; k++) ordered[k] = items[places[k]];
    return value_tuple(c, ordered, n);
}

OP_FN(o_g_t) {
    Value flags[3];
    if (!read_flags(a[1], flags)) return VALUE_NONE;
    return CALL(objects_t, a[0], flags[0], flags[1], flags[2]);
}

// ---- One object for each colour ----

static Value partition_grid(Ctx *c, const Obj *grid, bool without_bg) {
    size_t cells = (size_t)grid->n * grid->width, n = 0;
    Value objects[256];
    Tally t;
    color_tally(&t, obj_cells(grid), cells);
    if (!ctx_charge(c, (int64_t)cells * t.n / 2)) return VALUE_FAILED;
    int background = without_bg ? most_common(&t) : NO_COLOR;
    for (int k = 0; k < t.n; k++) {
        if (t.color[k] == background) continue;
        Obj *o = packed_new(c, KIND_CELLS, t.count[k]);
        if (!o) return VALUE_FAILED;
        patch_of_color(packed_of(o), grid, t.color[k], (uint32_t)(t.color[k] + CELL_BIAS) << 24);
        objects[n++] = packed_finish_sorted(c, o, t.count[k]);
    }
    return value_set_sorted(c, objects, n);
}

static Value cells_of_color(Ctx *c, Value grid, Value color) {
    Gather g = gather(c);
    Value row, v;
    int64_t i = 0;
    for (Iter rows = iter(c, grid); iter_next(&rows, &row); i++) {
        int64_t j = 0;
        for (Iter cells = iter(c, row); iter_next(&cells, &v); j++)
            if (py_equal(c, v, color)) gather_add(&g, value_pair(c, v, value_loc(c, i, j)));
    }
    return gather_set(&g);
}

static Value partition_by(Ctx *c, Value grid, Value colors) {
    Gather g = gather(c);
    Value color;
    for (Iter it = iter(c, colors); iter_next(&it, &color);) gather_add(&g, cells_of_color(c, grid, color));
    return gather_set(&g);
}

OP_FN(partition) {
    const Obj *grid = grid_fast(c, a[0]);
    return grid ? partition_grid(c, grid, false) : partition_by(c, a[0], CALL(palette, a[0]));
}

OP_FN(fgpartition) {
    const Obj *grid = grid_fast(c, a[0]);
    if (grid) return partition_grid(c, grid, true);
    Value background = CALL(mostcolor, a[0]);
    if (c->failure) return VALUE_FAILED;
    Value colors = CALL(palette, a[0]);
    return partition_by(c, a[0], py_subtract(c, colors, value_set(c, &background, 1)));
}

// ---- Occurrences ----

// Whether the object is a full rectangle of one colour. Its words are distinct: if the ends of a row are as
// far apart as there are words between them, none is missing.
static bool is_rectangle(const Obj *obj, Box *box) {
    const uint32_t *words = obj_words(obj), first = words[0], last = words[obj->n - 1];
    *box = (Box){word_i(first), word_j(first), word_i(last), word_j(last)};
    if (first >> 24 != last >> 24 || box->right < box->left) return false;
    uint32_t height = (uint32_t)box_height(*box), width = (uint32_t)box_width(*box);
    if (obj->n != height * width) return false;
    for (uint32_t i = 0; i < height; i++, words += width)
        if (words[0] != first + i * LOC_LIMIT || words[width - 1] != words[0] + width - 1) return false;
    return true;
}

// Leaves the bits from which a rectangle of set bits goes right and down. Each step doubles what has been
// looked at.
static void erode(uint64_t *rows, int n, int height, int width) {
    for (int done = 1, step; done < width; done += step) {
        step = done < width - done ? done : width - done;
        for (int i = 0; i < n; i++) rows[i] &= rows[i] >> step;
    }
    for (int done = 1, step; done < height; done += step) {
        step = done < height - done ? done : height - done;
        for (int i = 0; i + step < n; i++) rows[i] &= rows[i + step];
    }
}

// Leaves in `found` (of n rows) where all cells of the object fit. False once nothing is left.
static bool match_cells(uint64_t *found, int n, const Obj *grid, const Obj *obj, Box box) {
    uint64_t rows[MOST_ROWS];
    const uint32_t *words = obj_words(obj);
    for (uint32_t k = 0; k < obj->n; k++) {
        if (k == 0 || words[k] >> 24 != words[k - 1] >> 24) color_rows(rows, grid, word_v(words[k]));
        const uint64_t *row = rows + (word_i(words[k]) - box.top);
        int shift = word_j(words[k]) - box.left;
        uint64_t left = 0;
        for (int i = 0; i < n; i++) left |= found[i] &= row[i] >> shift;
        if (!left) return false;
    }
    return true;
}

static Value locations_of_bits(Ctx *c, const uint64_t *rows, int n) {
    size_t count = 0;
    for (int i = 0; i < n; i++) count += (size_t)__builtin_popcountll(rows[i]);
    if (count == 0) return VALUE_NO_SET;
    Obj *o = packed_new(c, KIND_LOCS, count);
    if (!o || !ctx_charge(c, (int64_t)count)) return VALUE_FAILED;
    uint32_t *to = packed_of(o);
    for (int i = 0; i < n; i++) to = bits_write_words(to, rows[i], loc_word(i, 0));
    return packed_finish_sorted(c, o, count);
}

// As color_rows. One program looks for rectangles of all sizes in one grid, so the rows made last are kept.
static void kept_rows(Ctx *c, uint64_t rows[MOST_ROWS], const Obj *grid, int color) {
    CtxRows *kept = &c->rows;
    if (kept->grid != grid || kept->color != color) {
        color_rows(kept->rows, grid, color);
        kept->grid = grid;
        kept->color = color;
    }
    memcpy(rows, kept->rows, grid->n * sizeof *rows);
}

static Value find_object(Ctx *c, const Obj *grid, const Obj *obj) {
    uint64_t found[MOST_ROWS];
    Box box;
    if (!ctx_charge(c, obj->n / (2 * PATCH_LANES))) return VALUE_FAILED;
    bool rectangle = is_rectangle(obj, &box);
    if (!rectangle) box = patch_box(obj);
    int n = (int)grid->n - box_height(box) + 1, across = (int)grid->width - box_width(box) + 1;
    if (n <= 0 || across <= 0) return VALUE_NO_SET;
    int64_t steps = rectangle ? 4 : obj->n;
    if (!ctx_charge(c, (int64_t)grid->n * 4 + steps * n / 2)) return VALUE_FAILED;
    if (rectangle) {
        kept_rows(c, found, grid, word_v(obj_words(obj)[0]));
        erode(found, (int)grid->n, box_height(box), box_width(box));
        return locations_of_bits(c, found, n);
    }
    for (int i = 0; i < n; i++) found[i] = low_bits(across);
    return match_cells(found, n, grid, obj, box) ? locations_of_bits(c, found, n) : VALUE_NO_SET;
}

// Whether the cells of a normalised object are in the grid, moved by (i, j). The first that is not ends it:
// what would be wrong with a later one does not count.
static bool occurs_at(Ctx *c, Value grid, int64_t height, int64_t width, Value normed, int64_t i, int64_t j) {
    Value e, color;
    int64_t y, x;
    for (Iter it = iter(c, normed); iter_next(&it, &e);) {
        if (!unpack_cell(c, e, &color, &y, &x)) return false;
        y = int_add(c, y, i);
        x = int_add(c, x, j);
        if (c->failure || y < 0 || y >= height || x < 0 || x >= width) return false;
        Value cell = value_item(c, value_item(c, grid, y), x);
        if (c->failure || !py_equal(c, cell, color)) return false;
    }
    return !c->failure;
}

OP_FN(occurrences) {
    const Obj *grid = bits_grid(c, a[0]), *obj = patch_fast(c, a[1]);
    if (grid && obj && obj->kind == KIND_CELLS) return find_object(c, grid, obj);
    Value normed = CALL(normalize, a[1]);
    int64_t height = value_length(c, a[0]), width = value_length(c, value_item(c, a[0], 0)), rows, columns;
    unpack_ints(c, CALL(shape, a[1]), &rows, &columns);
    rows = int_add(c, int_subtract(c, height, rows), 1);
    columns = int_add(c, int_subtract(c, width, columns), 1);
    Gather g = gather(c);
    for (int64_t i = 0; i < rows && !c->failure; i++)
        for (int64_t j = 0; j < columns && ctx_charge(c, 1) && !c->failure; j++)
            if (occurs_at(c, a[0], height, width, normed, i, j)) gather_add(&g, value_loc(c, i, j));
    return gather_set(&g);
}

// ---- Frontiers ----

// Adds the cells of a line of one colour to the objects: n words from `first` on, `step` apart.
static void add_line(Ctx *c, Value *objects, size_t *count, uint32_t first, uint32_t n, uint32_t step) {
    Obj *o = packed_new(c, KIND_CELLS, n);
    if (!o) return;
    for (uint32_t k = 0; k < n; k++) packed_of(o)[k] = first + k * step;
    objects[(*count)++] = packed_finish_sorted(c, o, n);
}

static bool is_plain_column(const Obj *grid, uint32_t j) {
    const int8_t *cell = obj_cells(grid) + j, first = *cell;
    for (uint32_t i = 1; i < grid->n; i++)
        if (*(cell += grid->width) != first) return false;
    return true;
}

static Value frontiers_of_grid(Ctx *c, const Obj *grid) {
    const uint32_t height = grid->n, width = grid->width;
    Value *objects = ctx_alloc(c, ((size_t)height + width) * sizeof *objects);
    size_t n = 0;
    if (!objects || !ctx_charge(c, (int64_t)height * width)) return VALUE_FAILED;
    const int8_t *row = obj_cells(grid);
    for (uint32_t i = 0; i < height; i++, row += width)
        if (memcmp(row, row + 1, width - 1) == 0)
            add_line(c, objects, &n, cell_word(*row, (int)i, 0), width, 1);
    row = obj_cells(grid);
    for (uint32_t j = 0; j < width; j++)
        if (is_plain_column(grid, j))
            add_line(c, objects, &n, cell_word(row[j], 0, (int)j), height, LOC_LIMIT);
    return value_set(c, objects, n);
}

// Whether all elements are equal and there is at least one.
static bool is_of_one(Ctx *c, Value line) {
    Gather g = gather(c);
    gather_all(&g, line);
    return value_length(c, gather_set(&g)) == 1;
}

// Adds an object for each of the lines (rows, or columns of a grid) that is of one colour: its cells in the
// grid from 0 to n, whatever the length of the line.
static void add_frontiers(Gather *g, Value grid, Value lines, int64_t n, bool columns) {
    Ctx *c = g->c;
    Value line;
    int64_t at = 0;
    for (Iter it = iter(c, lines); iter_next(&it, &line); at++) {
        if (!is_of_one(c, line)) continue;
        Gather cells = gather(c);
        for (int64_t k = 0; k < n && !c->failure; k++) {
            int64_t i = columns ? k : at, j = columns ? at : k;
            Value color = value_item(c, value_item(c, grid, i), j);
            gather_add(&cells, value_pair(c, color, value_loc(c, i, j)));
        }
        gather_add(g, gather_set(&cells));
    }
}

OP_FN(frontiers) {
    const Obj *o = grid_fast(c, a[0]);
    if (o) return frontiers_of_grid(c, o);
    int64_t height = value_length(c, a[0]), width = value_length(c, value_item(c, a[0], 0));
    Gather g = gather(c);
    add_frontiers(&g, a[0], a[0], width, false);
    add_frontiers(&g, a[0], CALL(dmirror, a[0]), height, true);
    return gather_set(&g);
}

// ---- Periods ----

enum { MOST_MASKS = 1024 };

// The rows of an object as bits: those of its first colour, then those of the next. Returns how many rows
// there are in all, 0 where they are too many or too wide.
static int object_rows(uint64_t masks[MOST_MASKS], const Obj *obj, Box box) {
    const uint32_t *words = obj_words(obj);
    int height = box_height(box), n = 0;
    if (box_width(box) > WORD) return 0;
    for (uint32_t k = 0; k < obj->n; k++) {
        if (k == 0 || words[k] >> 24 != words[k - 1] >> 24) {
            if (n + height > MOST_MASKS) return 0;
            memset(masks + n, 0, (size_t)height * sizeof *masks);
            n += height;
        }
        masks[n - height + word_i(words[k]) - box.top] |= 1ULL << (word_j(words[k]) - box.left);
    }
    return n;
}

// Whether the cells from column p on are there p columns earlier too.
static bool repeats_across(const uint64_t *masks, int n, int p) {
    for (int k = 0; k < n; k++)
        if (masks[k] >> p & ~masks[k]) return false;
    return true;
}

// Whether the cells from row p on are there p rows earlier too, for each colour.
static bool repeats_down(const uint64_t *masks, int n, int height, int p) {
    for (int start = 0; start < n; start += height)
        for (int i = p; i < height; i++)
            if (masks[start + i] & ~masks[start + i - p]) return false;
    return true;
}

// The period of ordinary cells, 0 where they do not fit the bits.
static int period_of_cells(Ctx *c, const Obj *obj, bool across) {
    uint64_t masks[MOST_MASKS];
    Box box = patch_box_paid(c, obj);
    int n = object_rows(masks, obj, box), length = across ? box_width(box) : box_height(box), p = 1;
    if (n == 0 || !ctx_charge(c, 2 * (int64_t)obj->n + (int64_t)n * length / 16)) return 0;
    while (p < length && !(across ? repeats_across(masks, n, p) : repeats_down(masks, n, box_height(box), p)))
        p++;
    return p;
}

// Whether what is left of a moved object, after it is cut at row and column 0, is in the object.
static bool is_within(Ctx *c, Value moved, Value obj, bool across) {
    Value e, color;
    int64_t i, j;
    for (Iter it = iter(c, moved); iter_next(&it, &e);)
        if (unpack_cell(c, e, &color, &i, &j) && (across ? j : i) >= 0 && !value_contains(c, obj, e))
            return false;
    return true;
}

static Value period(Ctx *c, Value obj, bool across) {
    const Obj *o = patch_fast(c, obj);
    int fast = o && o->kind == KIND_CELLS ? period_of_cells(c, o, across) : 0;
    if (fast) return value_of_small(fast);
    Value normed = CALL(normalize, obj);
    int64_t length = need_int(c, across ? CALL(width, normed) : CALL(height, normed));
    for (int64_t p = 1; p < length && !c->failure; p++) {
        Value moved = CALL(shift, normed, across ? value_loc(c, 0, -p) : value_loc(c, -p, 0));
        if (is_within(c, moved, normed, across)) return value_int(c, p);
    }
    return value_int(c, length);
}

OP_FN(hperiod) { return period(c, a[0], true); }

OP_FN(vperiod) { return period(c, a[0], false); }
