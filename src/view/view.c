// Views of grids. Each is a pair of functions, there and back; see view.h.
#include "view/view.h"

#include <assert.h>
#include <string.h>

#include "grid/lattice.h"

enum { COLORS = 10 };

static signed char *cells_new(Arena *a, int h, int w, ts_grid *grid) {
    if (h < 1 || w < 1 || h > GRID_TASK_SIDE || w > GRID_TASK_SIDE) return NULL;
    signed char *cells = arena_alloc(a, (size_t)(h * w));
    *grid = (ts_grid){h, w, cells};
    return cells;
}

static int at(ts_grid g, int i, int j) { return g.cells[i * g.width + j]; }

// ---- The lattice ----

// Lines of one colour that divide the grid into at least four cells.
static bool find_lattice(ts_grid g, Lattice *l) { return lattice_by_rooms(g, 4, l); }

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

static void ground_as_black(ts_grid g, signed char to[COLORS]) {
    int ground = ground_of(g);
    for (int c = 0; c < COLORS; c++) to[c] = (signed char)(c == ground ? 0 : c == 0 ? ground : c);
}

// The new names that a view gives to the colours of a grid.
static void name_colors(int view, ts_grid g, signed char to[COLORS]) {
    if (view == View_GROUND_AS_BLACK) ground_as_black(g, to);
    else rank_colors(g, view == View_COLORS_BY_RARITY, to);
}

static bool color_back(Arena *a, int view, ts_grid input, ts_grid result, ts_grid *back) {
    signed char to[COLORS], from[COLORS];
    name_colors(view, input, to);
    for (int c = 0; c < COLORS; c++) from[to[c]] = (signed char)c;
    return colors_renamed(a, result, from, back);
}

// ---- Boxes ----

// The box of what is not background; false where it is the whole grid, or nothing.
static bool find_content(ts_grid g, Box *b) {
    return grid_box(g, ground_of(g), false, b) && (box_height(*b) < g.height || box_width(*b) < g.width);
}

static bool find_unframed(ts_grid g, Box *b) {
    *b = (Box){1, 1, g.height - 2, g.width - 2};
    GridLines frame = grid_lines(g, g.cells[0]);
    return g.height > 2 && g.width > 2 && frame.rows & frame.columns & 1 &&
           frame.rows >> (g.height - 1) & 1 && frame.columns >> (g.width - 1) & 1;
}

static bool paste_box(Arena *a, ts_grid input, Box b, ts_grid result, ts_grid *back) {
    if (result.height != box_height(b) || result.width != box_width(b)) return false;
    if (!grid_copy(a, input, back)) return false;
    grid_put(*back, result, b.top, b.left);
    return true;
}

// The box of the largest or smallest part; false where there are not two parts.
static bool find_part(Arena *a, ts_grid g, bool largest, Box *b) {
    Parts parts;
    if (!parts_of(a, g, ground_of(g), PartsKind_THINGS_DIAGONAL, &parts) || parts.count < 2) return false;
    int best = 0;
    for (int k = 1; k < parts.count; k++)
        if (largest ? parts.parts[k].size > parts.parts[best].size
                    : parts.parts[k].size < parts.parts[best].size)
            best = k;
    *b = part_box(&parts.parts[best]);
    return true;
}

// The box that a view shows.
static bool find_box(Arena *a, int view, ts_grid g, Box *b) {
    switch (view) {
    case View_CONTENT_BOX: return find_content(g, b);
    case View_UNFRAMED: return find_unframed(g, b);
    case View_LARGEST_THING: return find_part(a, g, true, b);
    case View_SMALLEST_THING: return find_part(a, g, false, b);
    default: return false;
    }
}

const Box *view_boxes(Arena *a, ts_grid grid, int kind, int *count) {
    Lattice l;
    Parts parts;
    assert(kind >= 0 && kind <= EachKind_LATTICE);
    *count = 0;
    if (kind == EachKind_LATTICE && (!grid_fits(grid, GRID_TASK_SIDE) || !find_lattice(grid, &l)))
        return NULL;
    if (kind != EachKind_LATTICE && !parts_of(a, grid, ground_of(grid), kind, &parts)) return NULL;
    int n = kind == EachKind_LATTICE ? lattice_rooms(&l) : parts.count;
    Box *boxes = arena_alloc(a, (size_t)n * sizeof *boxes + 1);
    for (int k = 0; boxes && k < n; k++)
        boxes[k] = kind == EachKind_LATTICE ? lattice_room(&l, k) : part_box(&parts.parts[k]);
    *count = boxes ? n : 0;
    return boxes;
}

// ---- Turns ----

// The symmetry that brings most of the content to the upper half and to the left one, the heavier of the two
// differences being the vertical one.
static int upright_turn(ts_grid g) {
    int ground = ground_of(g), down = 0, right = 0, turn = Symmetry_AS_IS;
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            if (at(g, i, j) == ground) continue;
            down += (2 * i + 1 > g.height) - (2 * i + 1 < g.height);
            right += (2 * j + 1 > g.width) - (2 * j + 1 < g.width);
        }
    if (down > 0) turn = Symmetry_UPSIDE_DOWN;
    if (right > 0) turn = symmetry_then(turn, Symmetry_LEFT_TO_RIGHT);
    if ((right < 0 ? -right : right) > (down < 0 ? -down : down))
        turn = symmetry_then(turn, Symmetry_TRANSPOSED);
    return turn;
}

// ---- All of them ----

bool view_take(Arena *a, int view, ts_grid g, ts_grid *seen) {
    signed char to[COLORS];
    Box box;
    assert(view >= 0 && view < VIEWS);
    if (g.height < 1 || !grid_fits(g, GRID_TASK_SIDE)) return false;
    switch (view) {
    case View_LATTICE_COLORS: return lattice_take(a, g, seen);
    case View_COLORS_BY_COUNT:
    case View_COLORS_BY_RARITY:
    case View_GROUND_AS_BLACK: name_colors(view, g, to); return colors_renamed(a, g, to, seen);
    case View_BLOCKS_AS_CELLS: return grid_block_side(g) > 1 && grid_unscaled(a, g, grid_block_side(g), seen);
    case View_UPRIGHT: return grid_moved(a, g, upright_turn(g), seen);
    case View_ROWS_AS_COLUMNS: return grid_moved(a, g, Symmetry_TRANSPOSED, seen);
    default: return find_box(a, view, g, &box) && grid_cut(a, g, box, seen);
    }
}

bool view_back(Arena *a, int view, ts_grid input, ts_grid result, ts_grid *back) {
    Box box;
    assert(view >= 0 && view < VIEWS);
    if (input.height < 1 || !grid_fits(input, GRID_TASK_SIDE) || result.height < 1 ||
        !grid_fits(result, GRID_TASK_SIDE))
        return false;
    switch (view) {
    case View_LATTICE_COLORS: return lattice_back(a, input, result, back);
    case View_COLORS_BY_COUNT:
    case View_COLORS_BY_RARITY:
    case View_GROUND_AS_BLACK: return color_back(a, view, input, result, back);
    case View_BLOCKS_AS_CELLS: return grid_scaled(a, result, grid_block_side(input), grid_reach(input), back);
    case View_UPRIGHT: return grid_moved(a, result, symmetry_inverse(upright_turn(input)), back);
    case View_ROWS_AS_COLUMNS: return grid_moved(a, result, Symmetry_TRANSPOSED, back);
    default: return find_box(a, view, input, &box) && paste_box(a, input, box, result, back);
    }
}

bool view_output(Arena *a, int view, ts_grid input, ts_grid output, ts_grid *seen) {
    signed char to[COLORS];
    Lattice l;
    Box box;
    ts_grid back;
    bool good = false;
    assert(view >= 0 && view < VIEWS);
    if (!grid_fits(output, GRID_TASK_SIDE) || !grid_fits(input, GRID_TASK_SIDE)) return false;
    switch (view) {
    case View_LATTICE_COLORS:
        good = find_lattice(input, &l) && grid_same_size(output, input);
        signed char *cells = good ? cells_new(a, l.rows.count, l.columns.count, seen) : NULL;
        for (int k = 0; cells && k < seen->height * seen->width && good; k++)
            good = (cells[k] = (signed char)lattice_cell(output, &l, k / seen->width, k % seen->width)) >= 0;
        good = good && cells;
        break;
    case View_COLORS_BY_COUNT:
    case View_COLORS_BY_RARITY:
    case View_GROUND_AS_BLACK:
        name_colors(view, input, to);
        good = colors_renamed(a, output, to, seen);
        break;
    case View_CONTENT_BOX:
    case View_UNFRAMED:
    case View_LARGEST_THING:
    case View_SMALLEST_THING:
        good =
            grid_same_size(output, input) && find_box(a, view, input, &box) && grid_cut(a, output, box, seen);
        break;
    case View_BLOCKS_AS_CELLS: good = grid_unscaled(a, output, grid_block_side(input), seen); break;
    case View_UPRIGHT: good = grid_moved(a, output, upright_turn(input), seen); break;
    case View_ROWS_AS_COLUMNS: good = grid_moved(a, output, Symmetry_TRANSPOSED, seen); break;
    default: break;
    }
    return good && view_back(a, view, input, *seen, &back) && ts_grid_equal(back, output);
}
