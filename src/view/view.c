// Views of grids. Each is a pair of functions, there and back; see view.h.
#include "view/view.h"

#include <string.h>

#include "parts/parts.h"

enum { MOST_SIDE = 64, COLORS = 10 };

const char *const view_names[VIEWS] = {"lattice", "ranked",   "rare",    "trimmed", "small",
                                       "upright", "unframed", "flipped", "largest", "smallest"};

static signed char *cells_new(Arena *a, int h, int w, ts_grid *grid) {
    if (h < 1 || w < 1 || h > MOST_SIDE || w > MOST_SIDE) return NULL;
    signed char *cells = arena_alloc(a, (size_t)(h * w));
    *grid = (ts_grid){h, w, cells};
    return cells;
}

static int at(ts_grid g, int i, int j) { return g.cells[i * g.width + j]; }

// ---- The lattice ----

// Where the cells between the lines begin and end, along one axis.
typedef struct {
    int count, start[MOST_SIDE], end[MOST_SIDE];
} Spans;

typedef struct {
    int color; // of the lines
    Spans rows, columns;
} Lattice;

static bool is_line(ts_grid g, bool rows, int k, int color) {
    int n = rows ? g.width : g.height;
    for (int m = 0; m < n; m++)
        if ((rows ? at(g, k, m) : at(g, m, k)) != color) return false;
    return true;
}

static void find_spans(ts_grid g, bool rows, int color, Spans *s) {
    int n = rows ? g.height : g.width;
    bool open = false;
    s->count = 0;
    for (int k = 0; k < n; k++) {
        bool line = is_line(g, rows, k, color);
        if (!line && !open) s->start[s->count++] = k;
        if (!line) s->end[s->count - 1] = k + 1;
        open = !line;
    }
}

// Lines of one colour that divide the grid into at least four cells.
static bool find_lattice(ts_grid g, Lattice *l) {
    for (int color = 0; color < COLORS; color++) {
        l->color = color;
        find_spans(g, true, color, &l->rows);
        find_spans(g, false, color, &l->columns);
        if (l->rows.count * l->columns.count >= 4 && l->rows.count + l->columns.count >= 4) return true;
    }
    return false;
}

// The colour of a cell of the lattice, -1 where it is of several.
static int lattice_cell(ts_grid g, const Lattice *l, int i, int j) {
    int color = at(g, l->rows.start[i], l->columns.start[j]);
    for (int a = l->rows.start[i]; a < l->rows.end[i]; a++)
        for (int b = l->columns.start[j]; b < l->columns.end[j]; b++)
            if (at(g, a, b) != color) return -1;
    return color;
}

static bool lattice_take(Arena *a, ts_grid g, ts_grid *seen) {
    Lattice l;
    if (!find_lattice(g, &l)) return false;
    signed char *cells = cells_new(a, l.rows.count, l.columns.count, seen);
    for (int k = 0; cells && k < seen->height * seen->width; k++)
        if ((cells[k] = (signed char)lattice_cell(g, &l, k / seen->width, k % seen->width)) < 0) return false;
    return cells;
}

static bool lattice_back(Arena *a, ts_grid input, ts_grid result, ts_grid *back) {
    Lattice l;
    if (!find_lattice(input, &l) || result.height != l.rows.count || result.width != l.columns.count)
        return false;
    signed char *cells = cells_new(a, input.height, input.width, back);
    if (!cells) return false;
    memset(cells, l.color, (size_t)(input.height * input.width));
    for (int i = 0; i < l.rows.count; i++)
        for (int j = 0; j < l.columns.count; j++)
            for (int k = l.rows.start[i]; k < l.rows.end[i]; k++)
                memset(cells + k * input.width + l.columns.start[j], at(result, i, j),
                       (size_t)(l.columns.end[j] - l.columns.start[j]));
    return true;
}

// ---- Colours by rank ----

// The new name of each colour; those that the grid has not take the names that are left, in order.
static void rank_colors(ts_grid g, bool rare, signed char to[COLORS]) {
    int counts[COLORS], ground = ground_of(g), next = 0;
    bool done[COLORS] = {0};
    colors_count(g, counts);
    if (rare) {
        to[ground] = (signed char)next++;
        done[ground] = true;
    }
    for (; next < COLORS; next++) {
        int best = -1;
        for (int c = 0; c < COLORS; c++) {
            if (done[c]) continue;
            if (best < 0 || (counts[c] && !counts[best]) ||
                (counts[c] && (rare ? counts[c] < counts[best] : counts[c] > counts[best])))
                best = c;
        }
        to[best] = (signed char)next;
        done[best] = true;
    }
}

static bool color_back(Arena *a, ts_grid input, bool rare, ts_grid result, ts_grid *back) {
    signed char to[COLORS], from[COLORS];
    rank_colors(input, rare, to);
    for (int c = 0; c < COLORS; c++) from[to[c]] = (signed char)c;
    return colors_renamed(a, result, from, back);
}

// ---- Boxes ----

bool view_box_copy(Arena *a, ts_grid g, ViewBox b, ts_grid *out) {
    signed char *cells = cells_new(a, b.height, b.width, out);
    for (int i = 0; cells && i < out->height; i++)
        memcpy(cells + i * out->width, g.cells + (b.top + i) * g.width + b.left, (size_t)out->width);
    return cells;
}

// The box of what is not background; false where it is the whole grid, or nothing.
static bool find_content(ts_grid g, ViewBox *b) {
    int ground = ground_of(g);
    int bottom = 0, right = 0;
    *b = (ViewBox){g.height, g.width, 0, 0};
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            if (at(g, i, j) == ground) continue;
            if (i < b->top) b->top = i;
            if (j < b->left) b->left = j;
            if (i >= bottom) bottom = i + 1;
            if (j >= right) right = j + 1;
        }
    b->height = bottom - b->top;
    b->width = right - b->left;
    return bottom && (b->height < g.height || b->width < g.width);
}

static bool find_unframed(ts_grid g, ViewBox *b) {
    *b = (ViewBox){1, 1, g.height - 2, g.width - 2};
    int color = g.cells[0];
    return g.height > 2 && g.width > 2 && is_line(g, true, 0, color) &&
           is_line(g, true, g.height - 1, color) && is_line(g, false, 0, color) &&
           is_line(g, false, g.width - 1, color);
}

static bool paste_box(Arena *a, ts_grid input, ViewBox b, ts_grid result, ts_grid *back) {
    if (result.height != b.height || result.width != b.width) return false;
    signed char *cells = cells_new(a, input.height, input.width, back);
    if (!cells) return false;
    memcpy(cells, input.cells, (size_t)(input.height * input.width));
    for (int i = 0; i < result.height; i++)
        memcpy(cells + (b.top + i) * input.width + b.left, result.cells + i * result.width,
               (size_t)result.width);
    return true;
}

// The box of the largest or smallest part; false where there are not two parts.
static bool find_part(Arena *a, ts_grid g, bool largest, ViewBox *b) {
    Parts parts;
    if (!parts_of(a, g, ground_of(g), PARTS_ANY8, &parts) || parts.count < 2) return false;
    int best = 0;
    for (int k = 1; k < parts.count; k++)
        if (largest ? parts.parts[k].size > parts.parts[best].size
                    : parts.parts[k].size < parts.parts[best].size)
            best = k;
    const Part *p = &parts.parts[best];
    *b = (ViewBox){p->top, p->left, p->bottom - p->top + 1, p->right - p->left + 1};
    return true;
}

// The box that a view shows.
static bool find_box(Arena *a, View view, ts_grid g, ViewBox *b) {
    switch (view) {
    case VIEW_TRIMMED: return find_content(g, b);
    case VIEW_UNFRAMED: return find_unframed(g, b);
    case VIEW_LARGEST: return find_part(a, g, true, b);
    case VIEW_SMALLEST: return find_part(a, g, false, b);
    default: return false;
    }
}

const ViewBox *view_boxes(Arena *a, ts_grid grid, int kind, int *count) {
    Lattice l;
    Parts parts;
    *count = 0;
    if (kind == BOXES_LATTICE &&
        (grid.height > MOST_SIDE || grid.width > MOST_SIDE || !find_lattice(grid, &l)))
        return NULL;
    if (kind != BOXES_LATTICE && !parts_of(a, grid, ground_of(grid), (PartsKind)kind, &parts)) return NULL;
    int n = kind == BOXES_LATTICE ? l.rows.count * l.columns.count : parts.count;
    ViewBox *boxes = arena_alloc(a, (size_t)n * sizeof *boxes + 1);
    for (int k = 0; boxes && k < n; k++) {
        if (kind == BOXES_LATTICE) {
            int i = k / l.columns.count, j = k % l.columns.count;
            boxes[k] = (ViewBox){l.rows.start[i], l.columns.start[j], l.rows.end[i] - l.rows.start[i],
                                 l.columns.end[j] - l.columns.start[j]};
        } else {
            const Part *p = &parts.parts[k];
            boxes[k] = (ViewBox){p->top, p->left, p->bottom - p->top + 1, p->right - p->left + 1};
        }
    }
    *count = boxes ? n : 0;
    return boxes;
}

// ---- Blocks ----

static bool is_blocks(ts_grid g, int k) {
    if (g.height % k || g.width % k) return false;
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++)
            if (at(g, i, j) != at(g, i - i % k, j - j % k)) return false;
    return true;
}

static int block_side(ts_grid g) {
    for (int k = g.height < g.width ? g.height : g.width; k > 1; k--)
        if (is_blocks(g, k)) return k;
    return 1;
}

static bool shrink(Arena *a, ts_grid g, int k, ts_grid *seen) {
    signed char *cells = cells_new(a, g.height / k, g.width / k, seen);
    for (int n = 0; cells && n < seen->height * seen->width; n++)
        cells[n] = (signed char)at(g, n / seen->width * k, n % seen->width * k);
    return cells;
}

static bool grow(Arena *a, ts_grid g, int k, ts_grid *back) {
    signed char *cells = cells_new(a, g.height * k, g.width * k, back);
    for (int n = 0; cells && n < back->height * back->width; n++)
        cells[n] = (signed char)at(g, n / back->width / k, n % back->width / k);
    return cells;
}

// ---- Turns ----

// The symmetry that brings most of the content to the upper half and to the left one, the heavier of the two
// differences being the vertical one.
static int upright_turn(ts_grid g) {
    int ground = ground_of(g), down = 0, right = 0, turn = SYMMETRY_AS_IS;
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            if (at(g, i, j) == ground) continue;
            down += (2 * i + 1 > g.height) - (2 * i + 1 < g.height);
            right += (2 * j + 1 > g.width) - (2 * j + 1 < g.width);
        }
    if (down > 0) turn = SYMMETRY_UPSIDE_DOWN;
    if (right > 0) turn = symmetry_then(turn, SYMMETRY_LEFT_TO_RIGHT);
    if ((right < 0 ? -right : right) > (down < 0 ? -down : down))
        turn = symmetry_then(turn, SYMMETRY_TRANSPOSED);
    return turn;
}

// ---- All of them ----

bool view_take(Arena *a, View view, ts_grid g, ts_grid *seen) {
    signed char to[COLORS];
    ViewBox box;
    if (g.height < 1 || g.height > MOST_SIDE || g.width > MOST_SIDE) return false;
    switch (view) {
    case VIEW_LATTICE: return lattice_take(a, g, seen);
    case VIEW_RANKED:
    case VIEW_RARE: rank_colors(g, view == VIEW_RARE, to); return colors_renamed(a, g, to, seen);
    case VIEW_SMALL: return block_side(g) > 1 && shrink(a, g, block_side(g), seen);
    case VIEW_UPRIGHT: return grid_moved(a, g, upright_turn(g), seen);
    case VIEW_FLIPPED: return grid_moved(a, g, SYMMETRY_TRANSPOSED, seen);
    default: return find_box(a, view, g, &box) && view_box_copy(a, g, box, seen);
    }
}

bool view_back(Arena *a, View view, ts_grid input, ts_grid result, ts_grid *back) {
    ViewBox box;
    if (input.height < 1 || input.height > MOST_SIDE || input.width > MOST_SIDE || result.height < 1 ||
        result.height > MOST_SIDE || result.width > MOST_SIDE)
        return false;
    switch (view) {
    case VIEW_LATTICE: return lattice_back(a, input, result, back);
    case VIEW_RANKED:
    case VIEW_RARE: return color_back(a, input, view == VIEW_RARE, result, back);
    case VIEW_SMALL: return grow(a, result, block_side(input), back);
    case VIEW_UPRIGHT: return grid_moved(a, result, symmetry_inverse(upright_turn(input)), back);
    case VIEW_FLIPPED: return grid_moved(a, result, SYMMETRY_TRANSPOSED, back);
    default: return find_box(a, view, input, &box) && paste_box(a, input, box, result, back);
    }
}

bool view_output(Arena *a, View view, ts_grid input, ts_grid output, ts_grid *seen) {
    signed char to[COLORS];
    Lattice l;
    ViewBox box;
    ts_grid back;
    bool good = false;
    if (output.height > MOST_SIDE || output.width > MOST_SIDE || input.height > MOST_SIDE ||
        input.width > MOST_SIDE)
        return false;
    switch (view) {
    case VIEW_LATTICE:
        good = find_lattice(input, &l) && grid_same_size(output, input);
        signed char *cells = good ? cells_new(a, l.rows.count, l.columns.count, seen) : NULL;
        for (int k = 0; cells && k < seen->height * seen->width && good; k++)
            good = (cells[k] = (signed char)lattice_cell(output, &l, k / seen->width, k % seen->width)) >= 0;
        good = good && cells;
        break;
    case VIEW_RANKED:
    case VIEW_RARE:
        rank_colors(input, view == VIEW_RARE, to);
        good = colors_renamed(a, output, to, seen);
        break;
    case VIEW_TRIMMED:
    case VIEW_UNFRAMED:
    case VIEW_LARGEST:
    case VIEW_SMALLEST:
        good =
            grid_same_size(output, input) && find_box(a, view, input, &box) && view_box_copy(a, output, box, seen);
        break;
    case VIEW_SMALL:
        good = is_blocks(output, block_side(input)) && shrink(a, output, block_side(input), seen);
        break;
    case VIEW_UPRIGHT: good = grid_moved(a, output, upright_turn(input), seen); break;
    case VIEW_FLIPPED: good = grid_moved(a, output, SYMMETRY_TRANSPOSED, seen); break;
    default: break;
    }
    return good && view_back(a, view, input, *seen, &back) && ts_grid_equal(back, output);
}
