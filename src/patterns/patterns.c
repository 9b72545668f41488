// Patterns and places; patterns.h says what there is.
//
// All of it tries places one after the other and gives a place up at the first cell that contradicts it: a
// place costs a few cells. What would take too long is given up.
#include "patterns/patterns.h"

#include <assert.h>
#include <string.h>

#include "grid/grid.h"
#include "parts/selector.h"

// ---- A pattern with what takes its place ----

// Whether the pattern is there; *own becomes the colour of its cells of PATTERN_OWN.
static bool occurs(ts_grid grid, ts_grid pattern, int top, int left, int ground, int *own, int64_t *work) {
    *own = ground;
    for (int i = 0; i < pattern.height; i++)
        for (int j = 0; j < pattern.width; j++) {
            int wanted = pattern.cells[i * pattern.width + j];
            (*work)++;
            int there = grid.cells[(top + i) * grid.width + left + j];
            if (wanted == PATTERN_OWN && *own == ground) *own = there;
            if (wanted == PATTERN_OWN ? there == ground || there != *own
                                      : wanted != PATTERN_ANY && wanted != there)
                return false;
        }
    return true;
}

static void put(ts_grid grid, ts_grid to, int top, int left, int own, bool apart, bool *taken, int8_t *out) {
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < to.height; i++)
            for (int j = 0; j < to.width; j++) {
                int at = (top + i) * grid.width + left + j, color = to.cells[i * to.width + j];
                if (color == PATTERN_ANY) continue;
                if (pass == 0 && apart && taken[at]) return;
                if (pass == 0) continue;
                taken[at] = true;
                out[at] = (int8_t)(color == PATTERN_OWN ? own : color);
            }
}

int64_t patterns_replace(Arena *a, ts_grid grid, ts_grid from, ts_grid to, int flags, int8_t *out) {
    int64_t work = grid.height * grid.width;
    int motions = flags & REPLACE_TURNED ? SYMMETRIES : 1, ground, own;
    ts_grid froms[SYMMETRIES], tos[SYMMETRIES];
    bool *taken = TAKE_FROM(a, bool, work);
    if (!grid_fits(grid, GRID_TASK_SIDE) || !grid_fits(from, GRID_TASK_SIDE) || !grid_same_size(from, to) ||
        !taken)
        return -1;
    ground = ground_of(grid);
    memset(taken, 0, (size_t)work);
    memcpy(out, grid.cells, (size_t)work);
    const bool fits = from.height <= grid.height && from.width <= grid.width,
               fits_turned = from.width <= grid.height && from.height <= grid.width;
    if (!fits && !(fits_turned && motions > 1)) return work; // not to turn a large pattern for a small grid
    for (int m = 0; m < motions; m++) {
        int symmetry = symmetry_by_steps[m];
        if (!grid_moved(a, from, symmetry, &froms[m]) || !grid_moved(a, to, symmetry, &tos[m])) return -1;
    }
    for (int i = 0; i < grid.height && work < WORK_MOST; i++)
        for (int j = 0; j < grid.width; j++)
            for (int m = 0; m < motions; m++) {
                if (i + froms[m].height > grid.height || j + froms[m].width > grid.width) continue;
                if (occurs(grid, froms[m], i, j, ground, &own, &work))
                    put(grid, tos[m], i, j, own, flags & REPLACE_APART, taken, out);
            }
    return work < WORK_MOST ? work : no_rule(work);
}

// ---- Places of one colour ----

typedef struct {
    ts_grid grid;
    const Place *place;
    int color;
    GridRow rows[GRID_TASK_SIDE]; // a bit for each cell of the ground
    int8_t *out;
    int64_t work;
} Ground;

static GridRow bits(int left, int width) { return grid_row_of(width) << left; }

static void paint_rectangle(Ground *g, int top, int left, int height, int width) {
    int inset = g->place->inset;
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++) {
            int from_border = i < j ? i : j;
            from_border = height - 1 - i < from_border ? height - 1 - i : from_border;
            from_border = width - 1 - j < from_border ? width - 1 - j : from_border;
            if (inset == Inset_FRAME_ONLY ? from_border == 0 : from_border >= inset)
                g->out[(top + i) * g->grid.width + left + j] = (int8_t)g->color;
        }
    g->work += height * width;
}

static void fill_exact(Ground *g, int height, int width, bool apart) {
    GridRow used[GRID_TASK_SIDE];
    memset(used, 0, (size_t)g->grid.height * sizeof *used);
    for (int i = 0; i + height <= g->grid.height; i++)
        for (int j = 0; j + width <= g->grid.width; j++) {
            GridRow wanted = bits(j, width);
            bool all = true;
            for (int k = i; k < i + height && all; k++) all = (g->rows[k] & ~used[k] & wanted) == wanted;
            g->work += 3;
            if (!all) continue;
            paint_rectangle(g, i, j, height, width);
            for (int k = i; k < i + height && apart; k++) used[k] |= wanted;
        }
}

static bool is_meant(const Ground *g, int height, int width, int most) {
    int shorter = height < width ? height : width, longer = height + width - shorter;
    int a = g->place->a < g->place->b ? g->place->a : g->place->b, b = g->place->a + g->place->b - a;
    switch (g->place->kind) {
    case Place_LARGEST_RECTANGLES: return height * width == most;
    case Place_LARGEST_SQUARES: return shorter == most;
    case Place_RECTANGLES_ACROSS:
        return shorter >= a && longer >= b && (height == g->grid.height || width == g->grid.width);
    default: return shorter >= a && longer >= b;
    }
}

// Paints a rectangle that cannot grow, or the largest squares in it.
static void paint_meant(Ground *g, int top, int left, int height, int width, int most) {
    bool squares = g->place->kind == Place_LARGEST_SQUARES;
    if (!is_meant(g, height, width, most)) return;
    if (!squares) paint_rectangle(g, top, left, height, width);
    for (int i = 0; squares && i + most <= height && g->work < WORK_MOST; i++)
        for (int j = 0; j + most <= width; j++) paint_rectangle(g, top + i, left + j, most, most);
}

// Goes through the rectangles that are as wide as can be, twice: first for the measure of the largest.
static void fill_maximal(Ground *g) {
    int most = 0, h = g->grid.height;
    bool squares = g->place->kind == Place_LARGEST_SQUARES,
         largest = g->place->kind == Place_LARGEST_RECTANGLES;
    for (int top = 0, pass = 0; pass < 2; pass += ++top == h, top %= h) {
        GridRow common = ~(GridRow)0, run;
        for (int bottom = top; bottom < h && (common &= g->rows[bottom]); bottom++)
            for (GridRow rest = common; rest; rest &= ~run) {
                int left = grid_row_first(rest), height = bottom - top + 1;
                GridRow gone = ~(rest >> left);
                int width = grid_row_first(gone); // there is a bit beyond the last column
                run = bits(left, width);
                g->work += 3;
                if (largest && (height < g->place->a || width < g->place->b)) continue;
                int measure = !squares ? height * width : height < width ? height : width;
                if (pass == 0 && measure > most) most = measure;
                bool grows = (top > 0 && (g->rows[top - 1] & run) == run) ||
                             (bottom + 1 < h && (g->rows[bottom + 1] & run) == run);
                if (pass && !grows) paint_meant(g, top, left, height, width, most);
            }
    }
}

// Fills what has the shape of a part, moved.
static bool fill_shape(Ground *g, Arena *a, const Parts *parts, int part, int motions) {
    const Part *p = &parts->parts[part];
    int h = p->bottom - p->top + 1, w = p->right - p->left + 1;
    int8_t *from = TAKE_FROM(a, int8_t, h * w);
    if (!from) return false;
    g->work += h * w;
    for (int n = 0; n < h * w; n++)
        from[n] = parts->label[(p->top + n / w) * g->grid.width + p->left + n % w] == part ? 1 : PATTERN_ANY;
    for (int m = 0; m < motions; m++) {
        ts_grid shape;
        if (!grid_moved(a, (ts_grid){h, w, from}, symmetry_by_steps[m], &shape)) return false;
        for (int i = 0; i + shape.height <= g->grid.height && g->work < WORK_MOST; i++)
            for (int j = 0; j + shape.width <= g->grid.width; j++) {
                bool all = true;
                for (int n = 0; n < h * w && all; n++, g->work++)
                    all = shape.cells[n] == PATTERN_ANY ||
                          (g->rows[i + n / shape.width] >> (j + n % shape.width) & 1);
                for (int n = 0; n < h * w && all; n++)
                    if (shape.cells[n] != PATTERN_ANY)
                        g->out[(i + n / shape.width) * g->grid.width + j + n % shape.width] =
                            (int8_t)g->color;
            }
    }
    return true;
}

static bool fill_shapes(Ground *g, Arena *a, int background) {
    Parts parts;
    PartsKind kind = g->place->b & SHAPE_TOGETHER ? PartsKind_COLORS : PartsKind_PARTS_DIAGONAL;
    if (!parts_of(a, g->grid, background, kind, &parts)) return false;
    bool any = false;
    for (int k = 0; k < parts.count && k < SELECTOR_PARTS; k++) {
        if (parts.parts[k].color != g->place->a || parts.parts[k].size < 2) continue;
        any = true;
        if (!fill_shape(g, a, &parts, k, g->place->b & SHAPE_TURNED ? SYMMETRIES : 1)) return false;
    }
    return any;
}

int64_t patterns_fill_places(Arena *a, ts_grid grid, int ground, const Place *place, int color, int8_t *out) {
    assert((unsigned)place->kind <= Place_SHAPE_OF && color == (int8_t)color);
    int background = ground_of(grid), cells = grid.height * grid.width;
    Ground g;
    if (!grid_fits(grid, GRID_TASK_SIDE)) return -1;
    g.grid = grid, g.place = place, g.color = color, g.out = out, g.work = 3 * cells;
    memset(g.rows, 0, (size_t)grid.height * sizeof *g.rows);
    memcpy(out, grid.cells, (size_t)cells);
    for (int n = 0; n < cells; n++)
        if (grid.cells[n] == (ground == PlaceGround_BACKGROUND ? background : ground))
            g.rows[n / grid.width] |= (GridRow)1 << n % grid.width;
    switch (place->kind) {
    case Place_RECTANGLES_EITHER_WAY: fill_exact(&g, place->b, place->a, false); // fall through
    case Place_RECTANGLES_OF: fill_exact(&g, place->a, place->b, false); break;
    case Place_RECTANGLES_APART: fill_exact(&g, place->a, place->b, true); break;
    case Place_SHAPE_OF:
        if (!fill_shapes(&g, a, background)) return no_rule(g.work);
        break;
    default: fill_maximal(&g);
    }
    return g.work < WORK_MOST ? g.work : no_rule(g.work);
}
