#include "battery/points.h"

#include <assert.h>

#include "dsl/patch.h"

// ---- Looking at a grid ----

enum { ROOM = GRID_TASK_SIDE * GRID_TASK_SIDE };

// Runs of equal cells in a row, united with those above that they touch.
typedef struct {
    uint16_t root[ROOM], size[ROOM];
    uint16_t above[GRID_TASK_SIDE]; // the run that holds each cell of the row before
    uint32_t count;
} Runs;

static uint16_t root_of(Runs *r, uint16_t k) {
    while (r->root[k] != k) k = r->root[k] = r->root[r->root[k]];
    return k;
}

// Adds the run of cells from `start` on and gives where it ends. The run is of one colour, so whatever equal
// cell lies above it belongs to the same object.
static uint32_t add_run(Runs *r, const int8_t *row, const int8_t *before, uint32_t start, uint32_t width) {
    const int8_t color = row[start];
    uint16_t root = (uint16_t)r->count;
    uint32_t end = start;
    r->root[root] = root;
    r->size[root] = 0;
    r->count++;
    for (; end < width && row[end] == color; end++) {
        if (before && before[end] == color) {
            uint16_t other = root_of(r, r->above[end]);
            if (other != root) {
                uint16_t late = other < root ? root : other;
                root = other < root ? other : root;
                r->root[late] = root;
                r->size[root] = (uint16_t)(r->size[root] + r->size[late]);
            }
        }
        r->above[end] = root;
    }
    r->size[root] = (uint16_t)(r->size[root] + end - start);
    return end; // what its first cells have in `above` may have been united since, and leads on to the root
}

static void find_sizes(PointsSight *s, int background) {
    const Obj *g = s->grid;
    Runs r;
    r.count = 0;
    const int8_t *before = NULL;
    for (uint32_t i = 0; i < g->n; i++) {
        const int8_t *row = obj_cells(g) + (size_t)i * g->width;
        for (uint32_t j = 0; j < g->width;)
            if (row[j] == background) j++;
            else j = add_run(&r, row, before, j, g->width);
        before = row;
    }
    for (uint16_t k = 0; k < r.count; k++)
        if (r.root[k] == k) s->sizes[r.size[k] / 64] |= 1ULL << r.size[k] % 64;
}

PointsSight points_look(const Obj *grid) {
    PointsSight s = {.grid = grid};
    Tally t;
    color_tally(&t, obj_cells(grid), (size_t)grid->n * grid->width);
    int most = 0;
    for (int k = 0; k < t.n; k++) {
        unsigned color = (unsigned)(t.color[k] + CELL_BIAS);
        s.colors[color / 64] |= 1ULL << color % 64;
        if (t.count[k] > t.count[most]) most = k;
    }
    find_sizes(&s, t.color[most]);
    return s;
}

// ---- Comparing two ----

// How many bits a has that b lacks.
static int bits_missing(const uint64_t *a, const uint64_t *b, int words) {
    int n = 0;
    for (int k = 0; k < words; k++) n += __builtin_popcountll(a[k] & ~b[k]);
    return n;
}

static int32_t color_points(const PointsSight *a, const PointsSight *b) {
    int32_t missing = bits_missing(a->colors, b->colors, 4);
    return missing < 10 ? POINTS_PERFECT - 100 * missing : 0;
}

// Sizes that a has and b lacks, as a part of all sizes of a and one more.
static int32_t size_points(const PointsSight *a, const PointsSight *b) {
    static const uint64_t none[POINTS_SIZES];
    int32_t all = bits_missing(a->sizes, none, POINTS_SIZES) + 1;
    return POINTS_PERFECT - POINTS_PERFECT * bits_missing(a->sizes, b->sizes, POINTS_SIZES) / all;
}

// The cells that are right, of a grid that has at least the rows and columns of the right one. -1 is never
// right: the differ marks with it what is not.
static int32_t cell_points(const Obj *grid, const Obj *right) {
    if (grid->n < right->n || grid->width < right->width) return 0;
    const uint32_t all = right->n * right->width, run = grid->width == right->width ? all : right->width;
    const int8_t *a = obj_cells(grid), *b = obj_cells(right), *end = b + all;
    int32_t same = 0;
    for (; b < end; a += grid->width, b += run)
        for (uint32_t k = 0; k < run; k++) same += a[k] == b[k] && b[k] != -1;
    return POINTS_PERFECT * same / (int32_t)all;
}

int32_t points_give(const PointsSight *grid, const PointsSight *right) {
    assert(points_comparable(grid->grid) && points_comparable(right->grid));
    bool fits = grid->grid->n == right->grid->n && grid->grid->width == right->grid->width;
    int32_t sum = fits ? POINTS_PERFECT : 0;
    sum += cell_points(grid->grid, right->grid);
    sum += color_points(right, grid) + color_points(grid, right);
    sum += size_points(right, grid) + size_points(grid, right);
    return sum / 6;
}

int32_t points_score(int32_t points, int32_t input_points) {
    if (points <= input_points) return 0;
    int32_t score = POINTS_PERFECT * (points - input_points) / (POINTS_PERFECT - input_points);
    return score < POINTS_PERFECT ? score : POINTS_PERFECT - 1;
}
