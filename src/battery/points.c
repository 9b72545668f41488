#include "battery/points.h"

#include <assert.h>

#include "dsl/patch.h"
#include "value/bits.h"

// ---- Looking at a grid ----

enum { ROOM = GRID_USUAL_SIDE * GRID_USUAL_SIDE };
_Static_assert((int)GRID_USUAL_SIDE <= (int)BITS_CELLS, "a row is one word of bits");

// Runs of equal cells in a row, united with those above that they touch; none of the background. They are
// numbered as they come, so which one a cell belongs to is told by the bits of `starts` up to it.
typedef struct {
    uint16_t root[ROOM], size[ROOM];
    uint32_t count;
    uint32_t above, starts; // of the row before: its first run, and a bit for each cell that begins one
} Runs;

static uint16_t root_of(uint16_t *root, uint16_t k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
}

// Makes one of two that have these roots. Returns that of both.
static uint16_t unite(uint16_t *roots, uint16_t *sizes, uint16_t root, uint16_t other) {
    if (other == root) return root;
    const uint16_t late = other < root ? root : other;
    root = other < root ? other : root;
    roots[late] = root;
    sizes[root] = (uint16_t)(sizes[root] + sizes[late]);
    return root;
}

// Unites a run with all those above it that have a cell in `touching`. Neighbours among these cells are of
// one run, as they have one colour: the first of them stands for the others.
static void unite_above(Runs *r, uint16_t root, uint32_t touching) {
    for (uint32_t first = touching & ~(touching << 1); first; first &= first - 1) {
        const uint32_t before = (uint32_t)__builtin_popcount(r->starts & (first ^ (first - 1)));
        const uint16_t other = root_of(r->root, (uint16_t)(r->above + before - 1));
        root = unite(r->root, r->size, root, other);
    }
}

// Adds the runs of a row that begin at `starts`; at `ends` something else begins.
static void add_row(Runs *r, uint32_t starts, uint32_t ends, uint32_t touching, uint32_t width) {
    const uint32_t first = r->count;
    for (uint32_t left = starts; left; left &= left - 1) {
        const uint32_t upto = left ^ (left - 1), later = ends & ~upto;
        const uint32_t cells = (later ? (later & -later) - 1 : bits_lowest(width)) & ~(upto >> 1);
        const uint16_t run = (uint16_t)r->count++;
        r->root[run] = run;
        r->size[run] = (uint16_t)__builtin_popcount(cells);
        unite_above(r, run, touching & cells);
    }
    r->above = first;
    r->starts = starts;
}

static void note_size(PointsSight *s, uint16_t size) {
    uint64_t *word = &s->sizes[size / 64], bit = 1ULL << size % 64;
    s->size_count += !(*word & bit);
    *word |= bit;
}

static void find_sizes(PointsSight *s, int8_t background) {
    const uint32_t height = s->grid->n, width = s->grid->width;
    // With background on both sides, for what is read beside the grid.
    int8_t cells[BITS_CELLS + ROOM + BITS_CELLS], plain[BITS_CELLS];
    memset(plain, background, BITS_CELLS);
    memcpy(cells, plain, BITS_CELLS);
    memcpy(cells + BITS_CELLS, obj_cells(s->grid), (size_t)height * width);
    memcpy(cells + BITS_CELLS + (size_t)height * width, plain, BITS_CELLS);
    Runs r;
    r.count = r.above = r.starts = 0;
    const int8_t *row = cells + BITS_CELLS;
    for (uint32_t i = 0; i < height; i++, row += width) {
        const uint32_t begin = (~bits_same(row, row - 1) | 1) & bits_lowest(width);
        add_row(&r, begin & ~bits_same(row, plain), begin, bits_same(row, row - width), width);
    }
    for (uint16_t k = 0; k < r.count; k++)
        if (r.root[k] == k) note_size(s, r.size[k]);
}

// The same for any grid of a task, cell by cell.
static void find_sizes_of_large(PointsSight *s, int8_t background) {
    uint16_t root[GRID_TASK_SIDE * GRID_TASK_SIDE], size[GRID_TASK_SIDE * GRID_TASK_SIDE];
    const uint32_t width = s->grid->width, n = s->grid->n * width;
    const int8_t *cells = obj_cells(s->grid);
    for (uint32_t k = 0; k < n; k++) {
        uint16_t own = root[k] = (uint16_t)k;
        size[k] = cells[k] != background;
        if (k % width && cells[k] == cells[k - 1])
            own = unite(root, size, own, root_of(root, (uint16_t)(k - 1)));
        if (k >= width && cells[k] == cells[k - width])
            unite(root, size, own, root_of(root, (uint16_t)(k - width)));
    }
    for (uint32_t k = 0; k < n; k++)
        if (root[k] == k && size[k]) note_size(s, size[k]);
}

void points_look(const Obj *grid, PointsSight *s) {
    s->grid = grid;
    s->size_count = 0;
    s->size_words = (int32_t)(grid->n * grid->width / 64 + 1);
    memset(s->colors, 0, sizeof s->colors);
    memset(s->sizes, 0, (size_t)s->size_words * sizeof *s->sizes);
    Tally t;
    color_tally(&t, obj_cells(grid), (size_t)grid->n * grid->width);
    int most = 0;
    for (int k = 0; k < t.n; k++) {
        unsigned color = (unsigned)(t.color[k] + CELL_BIAS);
        s->colors[color / 64] |= 1ULL << color % 64;
        if (t.count[k] > t.count[most]) most = k;
    }
    s->color_count = t.n;
    if (points_comparable(grid, GRID_USUAL_SIDE)) find_sizes(s, t.color[most]);
    else find_sizes_of_large(s, t.color[most]);
}

// ---- Comparing two ----

// How many bits both have.
static int32_t bits_shared(const uint64_t *a, const uint64_t *b, int words) {
    int32_t n = 0;
    for (int k = 0; k < words; k++) n += __builtin_popcountll(a[k] & b[k]);
    return n;
}

// For what is missing of the colours.
static int32_t color_points(int32_t missing) { return missing < 10 ? POINTS_PERFECT - 100 * missing : 0; }

// For the sizes that are missing, as a part of all and one more.
static int32_t size_points(int32_t missing, int32_t all) {
    return POINTS_PERFECT - POINTS_PERFECT * missing / (all + 1);
}

// How many of n cells are the same here and there.
static int32_t count_same(const int8_t *a, const int8_t *b, uint32_t n) {
    const uint64_t below_top = 0x7F7F7F7F7F7F7F7F;
    int32_t same = 0;
    uint32_t k = 0;
    for (; n - k >= BITS_CELLS; k += BITS_CELLS) same += __builtin_popcount(bits_same(a + k, b + k));
    for (uint64_t x, y; n - k >= 8; k += 8) { // a byte of x ^ y that is zero keeps its top bit
        memcpy(&x, a + k, 8);
        memcpy(&y, b + k, 8);
        same += __builtin_popcountll(~((((x ^ y) & below_top) + below_top) | (x ^ y) | below_top));
    }
    for (; k < n; k++) same += a[k] == b[k];
    return same;
}

// The cells that are right, of a grid that has at least the rows and columns of the right one. -1 is never
// right: the differ marks with it what is not.
static int32_t cell_points(const Obj *grid, const Obj *right, bool marks) {
    if (grid->n < right->n || grid->width < right->width) return 0;
    const uint32_t all = right->n * right->width, run = grid->width == right->width ? all : right->width;
    const int8_t *a = obj_cells(grid), *b = obj_cells(right), *end = b + all;
    int32_t same = 0;
    for (; b < end; a += grid->width, b += run) {
        same += count_same(a, b, run);
        for (uint32_t k = 0; marks && k < run; k++) same -= a[k] == -1 && b[k] == -1;
    }
    return POINTS_PERFECT * same / (int32_t)all;
}

int32_t points_give(const PointsSight *grid, const PointsSight *right) {
    assert(points_comparable(grid->grid, GRID_TASK_SIDE) && points_comparable(right->grid, GRID_TASK_SIDE));
    bool fits = grid->grid->n == right->grid->n && grid->grid->width == right->grid->width;
    const unsigned mark = CELL_BIAS - 1; // the colour -1
    int32_t sum = fits ? POINTS_PERFECT : 0;
    sum += cell_points(grid->grid, right->grid, right->colors[mark / 64] >> mark % 64 & 1);
    const int32_t colors = bits_shared(grid->colors, right->colors, 4);
    sum += color_points(right->color_count - colors) + color_points(grid->color_count - colors);
    const int32_t words = grid->size_words < right->size_words ? grid->size_words : right->size_words;
    const int32_t sizes = bits_shared(grid->sizes, right->sizes, words);
    sum += size_points(right->size_count - sizes, right->size_count);
    sum += size_points(grid->size_count - sizes, grid->size_count);
    return sum / 6;
}

int32_t points_score(int32_t points, int32_t input_points) {
    if (points <= input_points) return 0;
    int32_t score = POINTS_PERFECT * (points - input_points) / (POINTS_PERFECT - input_points);
    return score < POINTS_PERFECT ? score : POINTS_PERFECT - 1;
}
