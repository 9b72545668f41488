// Segmentation, and the properties of parts.
//
// Workload: grids of 3 by 3 to 30 by 30, 1 to 200 parts of 1 to 100 cells. A part's cells are found by
// walking its box and comparing labels; all that compares parts with each other does it over their boxes.
#include "parts/parts.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

// ---- Segmentation ----

// The colours of which cells are parts, as bits.
static unsigned colors_taken(const Parts *p) {
    unsigned all = 0x3FF, ground = (unsigned)p->background < 10 ? 1u << p->background : 0;
    if (p->kind == PartsKind_PATCHES) return all;
    return p->kind == PartsKind_REGIONS ? ground : all & ~ground;
}

static bool connects_corners(PartsKind kind) {
    return kind == PartsKind_PARTS_DIAGONAL || kind == PartsKind_THINGS_DIAGONAL;
}
static bool takes_any_color(PartsKind kind) {
    return kind == PartsKind_THINGS || kind == PartsKind_THINGS_DIAGONAL;
}

// Labels that turned out to be one part have the least of them in common, which has itself.
static int16_t least_label(int16_t *same, int16_t label) {
    while (same[label] != label) label = same[label] = same[same[label]];
    return label;
}

// The label of a cell that has one, or none, where it also hangs together with one that has another.
static int16_t unite(int16_t *same, int16_t label, int16_t other) {
    if (label < 0 || label == other) return other;
    label = least_label(same, label), other = least_label(same, other);
    if (other < label) return same[label] = other;
    return same[other] = label;
}

// Row by row: a cell has the label of those before it that it hangs together with. A part's least label is
// that of its first cell, so that in the end parts are numbered by these.
static void label_all(Parts *p, int16_t *same) {
    int h = p->grid.height, w = p->grid.width, count = 0;
    const signed char *cells = p->grid.cells;
    bool any = takes_any_color(p->kind), corners = connects_corners(p->kind);
    unsigned taken = colors_taken(p);
    for (int i = 0, k = 0; i < h; i++)
        for (int j = 0; j < w; j++, k++) {
            int16_t label = -1;
            p->label[k] = -1;
            if ((unsigned)cells[k] > 9 || !(taken >> cells[k] & 1)) continue;
                // Those before it, as far as they are labelled and alike.
#define HANGS(at) (p->label[at] >= 0 && (any || cells[at] == cells[k]))
            if (j > 0 && HANGS(k - 1)) label = p->label[k - 1];
            if (i > 0 && HANGS(k - w)) label = unite(same, label, p->label[k - w]);
            if (corners && i > 0 && j > 0 && HANGS(k - w - 1))
                label = unite(same, label, p->label[k - w - 1]);
            if (corners && i > 0 && j < w - 1 && HANGS(k - w + 1))
                label = unite(same, label, p->label[k - w + 1]);
#undef HANGS
            if (label < 0) {
                label = (int16_t)count++;
                same[label] = label;
            }
            p->label[k] = label;
        }
    for (int n = 0; n < count; n++) same[n] = same[n] == n ? (int16_t)p->count++ : same[same[n]];
    for (int k = 0; k < h * w; k++)
        if (p->label[k] >= 0) p->label[k] = same[p->label[k]];
}

static void label_colors(Parts *p) {
    int16_t of_color[10];
    unsigned taken = colors_taken(p);
    memset(of_color, -1, sizeof of_color);
    for (int k = 0; k < p->grid.height * p->grid.width; k++) {
        int color = p->grid.cells[k];
        p->label[k] = -1;
        if ((unsigned)color > 9 || !(taken >> color & 1)) continue;
        if (of_color[color] < 0) of_color[color] = (int16_t)p->count++;
        p->label[k] = of_color[color];
    }
}

static bool describe(Arena *a, Parts *p) {
    int h = p->grid.height, w = p->grid.width;
    p->parts = arena_alloc(a, (size_t)p->count * sizeof *p->parts);
    int16_t(*counts)[10] = arena_alloc(a, (size_t)p->count * sizeof *counts);
    if (!p->parts || !counts) return false;
    for (int k = 0; k < p->count; k++)
        p->parts[k] =
            (Part){.top = GRID_TASK_SIDE, .left = GRID_TASK_SIDE, .bottom = -1, .right = -1, .first = -1};
    memset(counts, 0, (size_t)p->count * sizeof *counts);
    for (int i = 0, k = 0; i < h; i++)
        for (int j = 0; j < w; j++, k++) {
            if (p->label[k] < 0) continue;
            Part *part = &p->parts[p->label[k]];
            int color = p->grid.cells[k];
            if (part->first < 0) part->first = k;
            part->size++;
            part->colors |= (uint16_t)(1 << color);
            counts[p->label[k]][color]++;
            if (i < part->top) part->top = i;
            if (j < part->left) part->left = j;
            if (i > part->bottom) part->bottom = i;
            if (j > part->right) part->right = j;
        }
    for (int k = 0; k < p->count; k++)
        for (int c = 1; c < 10; c++)
            if (counts[k][c] > counts[k][p->parts[k].color]) p->parts[k].color = c;
    return true;
}

bool parts_of(Arena *a, ts_grid grid, int background, PartsKind kind, Parts *parts) {
    assert((unsigned)kind < PARTS_KINDS);
    *parts = (Parts){.grid = grid, .background = background, .kind = kind};
    if (!grid_fits(grid, GRID_TASK_SIDE)) parts->grid = (ts_grid){0};
    size_t n = (size_t)(parts->grid.height * parts->grid.width);
    parts->label = arena_alloc(a, n * sizeof *parts->label + 1);
    int16_t *same = arena_alloc(a, n * sizeof *same + 1);
    if (!parts->label || !same) return false;
    if (kind == PartsKind_COLORS) label_colors(parts);
    else label_all(parts, same);
    return describe(a, parts);
}

// ---- Properties ----

static int height_of(const Part *p) { return p->bottom - p->top + 1; }
static int width_of(const Part *p) { return p->right - p->left + 1; }

// The colour at (i, j) of the part's box, -1 where the cell is not the part's.
static int cell_of(const Parts *p, int part, int i, int j) {
    const Part *x = &p->parts[part];
    int at = (x->top + i) * p->grid.width + x->left + j;
    return p->label[at] == part ? p->grid.cells[at] : -1;
}

// Regions of the box, with a rim around it, that do not hang together with the outside; or their cells.
static int enclosed(const Parts *p, int part, bool count_cells) {
    const Part *x = &p->parts[part];
    int h = height_of(x) + 2, w = width_of(x) + 2, regions = 0, cells = 0;
    if (x->size < 4) return 0;
    bool seen[(GRID_TASK_SIDE + 2) * (GRID_TASK_SIDE + 2)];
    int16_t stack[(GRID_TASK_SIDE + 2) * (GRID_TASK_SIDE + 2)];
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            seen[i * w + j] = i > 0 && j > 0 && i < h - 1 && j < w - 1 && cell_of(p, part, i - 1, j - 1) >= 0;
    for (int start = 0; start < h * w; start++) {
        if (seen[start]) continue;
        int n = 0;
        stack[n++] = (int16_t)start;
        seen[start] = true;
        if (start) regions++; // the first is the outside
        while (n) {
            int at = stack[--n], i = at / w, j = at % w;
            cells += start != 0;
            const int next[4] = {i > 0 ? at - w : at, i < h - 1 ? at + w : at, j > 0 ? at - 1 : at,
                                 j < w - 1 ? at + 1 : at};
            for (int d = 0; d < 4; d++) {
                if (seen[next[d]]) continue;
                seen[next[d]] = true;
                stack[n++] = (int16_t)next[d];
            }
        }
    }
    return count_cells ? cells : regions;
}

// Whether the shapes are the same, colours left out, where the other is moved by a symmetry.
static bool same_shape(const Parts *p, int one, int other, int symmetry) {
    const Part *x = &p->parts[one], *y = &p->parts[other];
    int h = height_of(x), w = width_of(x), k, l;
    bool exchanges = symmetry_exchanges(symmetry);
    if (x->size != y->size || h != (exchanges ? width_of(y) : height_of(y)) ||
        w != (exchanges ? height_of(y) : width_of(y)))
        return false;
    for (int i = 0; i < height_of(y); i++)
        for (int j = 0; j < width_of(y); j++) {
            symmetry_cell(symmetry, height_of(y), width_of(y), i, j, &k, &l);
            if ((cell_of(p, other, i, j) >= 0) != (cell_of(p, one, k, l) >= 0)) return false;
        }
    return true;
}

bool part_same_shape(const Parts *p, int one, int other) {
    bool same = false;
    for (int s = 0; s < SYMMETRIES && !same; s++) same = same_shape(p, one, other, s);
    return same;
}

PartOutline part_outline(const Parts *p, int part) {
    const Part *x = &p->parts[part];
    int h = p->grid.height, w = p->grid.width;
    PartOutline o = {0};
    for (int i = x->top; i <= x->bottom; i++)
        for (int j = x->left; j <= x->right; j++) {
            if (p->label[i * w + j] != part) continue;
            bool up = i > 0 && p->label[(i - 1) * w + j] == part;
            bool down = i < h - 1 && p->label[(i + 1) * w + j] == part;
            bool left = j > 0 && p->label[i * w + j - 1] == part;
            bool right = j < w - 1 && p->label[i * w + j + 1] == part;
            int sides = up + down + left + right;
            o.ends += sides == 1;
            o.bends += sides == 2 && up != down;
            o.branches += sides > 2;
        }
    return o;
}

static bool is_symmetric(const Parts *p, int part, int symmetry) {
    int h = height_of(&p->parts[part]), w = width_of(&p->parts[part]), k, l;
    if (symmetry_exchanges(symmetry) && h != w) return false;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            symmetry_cell(symmetry, h, w, i, j, &k, &l);
            if (cell_of(p, part, i, j) != cell_of(p, part, k, l)) return false;
        }
    return true;
}

static bool is_inside(const Part *x, const Part *y) {
    return x->top >= y->top && x->left >= y->left && x->bottom <= y->bottom && x->right <= y->right &&
           (x->top > y->top || x->left > y->left || x->bottom < y->bottom || x->right < y->right);
}

// Parts, or colours as bits, in the cells around the part.
static int around(const Parts *p, int part, bool count_colors) {
    const Part *x = &p->parts[part];
    int h = p->grid.height, w = p->grid.width, colors = 0, n = 0;
    uint64_t seen[GRID_TASK_SIDE * GRID_TASK_SIDE / 64 + 1];
    memset(seen, 0, ((size_t)p->count / 64 + 1) * sizeof *seen);
    for (int i = x->top; i <= x->bottom; i++)
        for (int j = x->left; j <= x->right; j++) {
            if (p->label[i * w + j] != part) continue;
            for (int a = i > 0 ? i - 1 : 0; a <= i + 1 && a < h; a++)
                for (int b = j > 0 ? j - 1 : 0; b <= j + 1 && b < w; b++) {
                    int label = p->label[a * w + b], color = p->grid.cells[a * w + b];
                    if (label == part) continue;
                    if ((a == i || b == j) && color >= 0 && color <= 9 && color != p->background)
                        colors |= 1 << color;
                    if (label < 0 || (seen[label / 64] >> (label % 64) & 1)) continue;
                    seen[label / 64] |= 1ULL << (label % 64);
                    n++;
                }
        }
    return count_colors ? colors : n;
}

static int foreign(const Parts *p, int part) {
    const Part *x = &p->parts[part];
    int n = 0;
    for (int i = x->top; i <= x->bottom; i++)
        for (int j = x->left; j <= x->right; j++) {
            int at = i * p->grid.width + j;
            n += p->label[at] != part && p->grid.cells[at] != p->background;
        }
    return n;
}

static int odd_cells(const Parts *p, int part) {
    const Part *x = &p->parts[part];
    int n = 0;
    for (int i = 0; i < height_of(x); i++)
        for (int j = 0; j < width_of(x); j++) {
            int color = cell_of(p, part, i, j);
            n += color >= 0 && color != x->color;
        }
    return n;
}

// Parts that stand to this one as the property asks.
static int count_parts(const Parts *p, int part, int prop) {
    const Part *x = &p->parts[part];
    int n = 0;
    for (int k = 0; k < p->count; k++) {
        const Part *y = &p->parts[k];
        switch (prop) {
        case Property_SAME_COLOR: n += y->color == x->color; break;
        case Property_SAME_SIZE: n += y->size == x->size; break;
        case Property_SAME_SHAPE: n += same_shape(p, part, k, Symmetry_AS_IS); break;
        case Property_SAME_SHAPE_TURNED: {
            n += part_same_shape(p, part, k);
            break;
        }
        case Property_IS_INSIDE: n |= is_inside(x, y); break;
        case Property_CONTAINS: n += is_inside(y, x); break;
        case Property_ROW_RANK: n += y->top < x->top; break;
        case Property_COLUMN_RANK: n += y->left < x->left; break;
        case Property_SIZE_RANK: n += y->size > x->size; break;
        default: break;
        }
    }
    return n;
}

int part_prop(const Parts *p, int part, int prop) {
    assert(part >= 0 && part < p->count && (unsigned)prop < PROPS);
    const Part *x = &p->parts[part];
    int h = height_of(x), w = width_of(x);
    switch (prop) {
    case Property_SIZE: return x->size;
    case Property_COLOR: return x->color;
    case Property_COLOR_COUNT: return __builtin_popcount(x->colors);
    case Property_HEIGHT: return h;
    case Property_WIDTH: return w;
    case Property_AREA: return h * w;
    case Property_LONGER_SIDE: return h > w ? h : w;
    case Property_GAPS: return h * w - x->size;
    case Property_HOLES: return enclosed(p, part, false);
    case Property_HOLE_CELLS: return enclosed(p, part, true);
    case Property_TOP: return x->top;
    case Property_LEFTMOST: return x->left;
    case Property_BOTTOM: return x->bottom;
    case Property_RIGHTMOST: return x->right;
    case Property_AT_BORDER:
        return x->top == 0 || x->left == 0 || x->bottom == p->grid.height - 1 ||
               x->right == p->grid.width - 1;
    case Property_IS_RECTANGLE: return h * w == x->size;
    case Property_IS_SQUARE: return h == w;
    case Property_IS_LINE: return h == 1 || w == 1;
    case Property_IS_MIRRORED_UPDOWN: return is_symmetric(p, part, Symmetry_UPSIDE_DOWN);
    case Property_IS_MIRRORED_LEFTRIGHT: return is_symmetric(p, part, Symmetry_LEFT_TO_RIGHT);
    case Property_IS_MIRRORED_DIAGONAL: return is_symmetric(p, part, Symmetry_TRANSPOSED);
    case Property_SYMMETRIES:
        return is_symmetric(p, part, Symmetry_UPSIDE_DOWN) + is_symmetric(p, part, Symmetry_LEFT_TO_RIGHT) +
               is_symmetric(p, part, Symmetry_TRANSPOSED);
    case Property_NEIGHBOR_PARTS: return around(p, part, false);
    case Property_TOUCHES: return around(p, part, true);
    case Property_FOREIGN_CELLS: return foreign(p, part);
    case Property_ODD_CELLS: return odd_cells(p, part);
    case Property_HAS_ODD_SIZE: return x->size & 1;
    default: return count_parts(p, part, prop);
    }
}
