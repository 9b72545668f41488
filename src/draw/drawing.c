// What is drawn for a part; drawing.h says what there is.
//
// A patch puts its cells down with a brush, which leaves out what lies outside of the grid and what it has
// put down before. All of it is done a cell at a time: patches have some 15 cells, and each of a thousand is
// asked for once for each part of a task's grids. So a part's own cells are listed, and what cannot be put
// down twice, or outside, is put down without asking. Steps are counted as if all had been asked.
#include "draw/drawing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool brush_init(Arena *a, Brush *b, ts_grid grid) {
    size_t cells = (size_t)(grid.height * grid.width);
    *b = (Brush){.at = arena_alloc(a, cells * sizeof *b->at),
                 .color = arena_alloc(a, cells),
                 .seen = arena_alloc(a, cells * sizeof *b->seen)};
    if (!b->at || !b->color || !b->seen) return false;
    memset(b->seen, 0, cells * sizeof *b->seen);
    return true;
}

// A patch being put down.
typedef struct {
    const Scene *s;
    const Part *part;
    int index;           // of the part
    int h, w;            // of the grid
    const int8_t *cells; // of the grid
    uint32_t colors;     // of the grid; 0 where one is not among 0 to 31
    const int16_t *label;
    const Spot *own; // the cells of the part
    int size;        // how many they are
    Brush *b;
    int steps;
} Hand;

static bool within(const Hand *x, int i, int j) {
    return (unsigned)i < (unsigned)x->h && (unsigned)j < (unsigned)x->w;
}
static bool own(const Hand *x, int i, int j) { return within(x, i, j) && x->label[i * x->w + j] == x->index; }
static int cell(const Hand *x, int i, int j) { return x->cells[i * x->w + j]; }
static bool is_ground(const Hand *x, int i, int j) { return cell(x, i, j) == x->s->parts.background; }

// Puts down what was not put down before in this patch, and lies within the grid.
static void put_new(Hand *x, int at, int color) {
    Brush *b = x->b;
    assert(at >= 0 && at < x->w * x->h && b->n < x->w * x->h); // each place once
    b->color[b->n] = (int8_t)color;
    b->at[b->n++] = (uint16_t)at;
}

// Puts down what lies within the grid.
static void put_within(Hand *x, int at, int color) {
    x->steps++;
    if (x->b->seen[at] == x->b->round) return;
    x->b->seen[at] = x->b->round;
    put_new(x, at, color);
}

static void put(Hand *x, int i, int j, int color) {
    if (within(x, i, j)) put_within(x, i * x->w + j, color);
    else x->steps++;
}

// ---- Cells of the part, and of its box ----

static bool is_among(const Hand *x, int which, Spot at) {
    const unsigned all = (1u << DIRECTIONS) - 1, sides = (1u << Direction_NORTHEAST) - 1;
    int from_first = at.row - x->part->top + at.column - x->part->left;
    switch (which) {
    case CellsOf_EDGE: return (at.own & sides) != sides;
    case CellsOf_INTERIOR: return (at.own & sides) == sides;
    case CellsOf_EDGE_DIAGONAL: return at.own != all;
    case CellsOf_INTERIOR_DIAGONAL: return at.own == all;
    case CellsOf_CHECKERED_FIRST: return from_first % 2 == 0;
    case CellsOf_CHECKERED_SECOND: return from_first % 2 == 1;
    default: return true;
    }
}

static void put_cells(Hand *x, int which) {
    for (int n = 0; n < x->size; n++) {
        if (!is_among(x, which, x->own[n])) continue;
        put_new(x, x->own[n].row * x->w + x->own[n].column, -1);
        x->steps++;
    }
}

// Of a row of a box that begins at `at` in the grid the cells of its frame, its corners or its sides.
static void put_edges(Hand *x, int which, bool is_end, int left, int right, int at) {
    bool ends = which == BoxPart_SIDE_CELLS ? !is_end : which == BoxPart_FRAME || is_end;
    bool middle = is_end && which != BoxPart_CORNER_CELLS;
    if (ends && left >= 0) put_new(x, at + left, -1);
    for (int j = left < 0 ? 0 : left + 1; middle && j < right && j < x->w; j++) put_new(x, at + j, -1);
    if (ends && right != left && right < x->w) put_new(x, at + right, -1);
}

static void put_box(Hand *x, int grow, int which) {
    const Part *p = x->part;
    int top = p->top - grow, left = p->left - grow, bottom = p->bottom + grow, right = p->right + grow;
    if (top > bottom || left > right) return;
    if (which == BoxPart_CENTER) { // one cell, or two or four
        int i = (top + bottom) / 2, j = (left + right) / 2;
        for (int k = i; k <= (top + bottom + 1) / 2; k++)
            for (int l = j; l <= (left + right + 1) / 2; l++) put(x, k, l, -1);
        return;
    }
    int from = left < 0 ? 0 : left, to = right < x->w ? right : x->w - 1;
    for (int i = top < 0 ? 0 : top; i <= bottom && i < x->h; i++) {
        bool row = i == top || i == bottom;
        int at = i * x->w, falling = left + i - top, rising = right - (i - top);
        x->steps += to - from + 1;
        switch (which) {
        case BoxPart_FRAME:
        case BoxPart_CORNER_CELLS:
        case BoxPart_SIDE_CELLS: put_edges(x, which, row, left, right, at); break;
        case BoxPart_REST:
            for (int j = from; j <= to; j++)
                if (x->label[at + j] != x->index) put_new(x, at + j, -1);
            break;
        case BoxPart_FALLING_DIAGONAL:
            if (falling >= from && falling <= to) put_new(x, at + falling, -1);
            break;
        case BoxPart_RISING_DIAGONAL:
            if (rising >= from && rising <= to) put_new(x, at + rising, -1);
            break;
        default:
            for (int j = from; j <= to; j++) put_new(x, at + j, -1);
        }
    }
}

// The frame of its box, and the cells that lie so far outside of it, or twice, three times as far.
static void put_rings(Hand *x, int grow) {
    const Part *p = x->part;
    for (int i = 0; i < x->h && grow > 0; i++)
        for (int j = 0; j < x->w; j++) {
            int up = p->top - i, down = i - p->bottom, left = p->left - j, right = j - p->right;
            int rows = up > down ? up : down, columns = left > right ? left : right;
            int far = rows > columns ? rows : columns; // 0 on the frame, below that inside
            if (far >= 0 && far % grow == 0) put(x, i, j, -1);
        }
    x->steps += x->h * x->w;
}

// What cannot be reached from outside of the box without crossing the part. Marks what can.
static void put_holes(Hand *x) {
    const Part *p = x->part;
    int h = p->bottom - p->top + 1, w = p->right - p->left + 1, top = 0;
    if (h < 3 || w < 3) return;
    uint8_t reached[GRID_TASK_SIDE * GRID_TASK_SIDE];
    int16_t stack[GRID_TASK_SIDE * GRID_TASK_SIDE];
    memset(reached, 0, (size_t)(h * w));
    for (int k = 0; k < h * w; k++) {
        int i = k / w, j = k % w;
        if ((i == 0 || j == 0 || i == h - 1 || j == w - 1) && !own(x, p->top + i, p->left + j)) {
            reached[k] = 1;
            stack[top++] = (int16_t)k;
        }
    }
    while (top > 0) {
        int k = stack[--top];
        for (int d = 0; d < 4; d++) {
            int i = k / w + direction_rows[d], j = k % w + direction_columns[d];
            if (i < 0 || j < 0 || i >= h || j >= w || reached[i * w + j] || own(x, p->top + i, p->left + j))
                continue;
            reached[i * w + j] = 1;
            stack[top++] = (int16_t)(i * w + j);
        }
    }
    x->steps += 2 * h * w;
    for (int i = 0, k = 0; i < h; i++)
        for (int j = 0; j < w; j++, k++)
            if (!reached[k] && !own(x, p->top + i, p->left + j)) put(x, p->top + i, p->left + j, -1);
}

static void put_around(Hand *x, int near, int far) {
    int first = near == Nearby_OVER_CORNERS ? Direction_NORTHEAST : Direction_NORTH;
    int end = near == Nearby_OVER_SIDES ? Direction_NORTHEAST : DIRECTIONS;
    for (int n = 0; n < x->size; n++)
        for (int d = first; d < end; d++) {
            int k = x->own[n].row + far * direction_rows[d],
                l = x->own[n].column + far * direction_columns[d];
            if (!own(x, k, l)) put(x, k, l, -1);
        }
}

static void put_band(Hand *x, int which, int of) {
    const Part *p = x->part;
    bool middle = of == Middle_MIDDLE_ONLY;
    int top = middle ? (p->top + p->bottom) / 2 : p->top,
        bottom = middle ? (p->top + p->bottom + 1) / 2 : p->bottom;
    int left = middle ? (p->left + p->right) / 2 : p->left,
        right = middle ? (p->left + p->right + 1) / 2 : p->right;
    for (int i = top; i <= bottom && which != BandOf_ITS_COLUMNS; i++)
        for (int j = 0; j < x->w; j++) put(x, i, j, -1);
    for (int j = left; j <= right && which != BandOf_ITS_ROWS; j++)
        for (int i = 0; i < x->h; i++) put(x, i, j, -1);
}

static void put_half(Hand *x, int side, int of) {
    const Part *p = x->part;
    int rows = p->bottom - p->top + 1, columns = p->right - p->left + 1;
    for (int i = p->top; i <= p->bottom; i++)
        for (int j = p->left; j <= p->right; j++) {
            int down = i - p->top, along = j - p->left;
            bool in = side == Direction_NORTH   ? 2 * down + 1 < rows
                      : side == Direction_SOUTH ? 2 * down + 1 > rows
                      : side == Direction_WEST  ? 2 * along + 1 < columns
                                                : 2 * along + 1 > columns;
            if (in && (of == HalfOf_OF_BOX || own(x, i, j))) put(x, i, j, -1);
        }
}

// ---- Rays ----

// Whether a ray ends before this cell.
static bool stops(const Hand *x, int stop, int color) {
    if (color == x->s->parts.background) return false;
    if (stop == Stop_TO_WALL || stop >= Stop_FOR) return false;
    if (stop == Stop_THROUGH_TO_OWN) return color == x->part->color;
    if (stop >= Stop_THROUGH_UP_TO && stop < Stop_THROUGH_UP_TO + 10)
        return color == stop - Stop_THROUGH_UP_TO;
    if (stop >= Stop_THROUGH_TO) return color == stop - Stop_THROUGH_TO;
    return true;
}

// Whether a ray that ends before a cell of this colour, -1 for the wall, is drawn at all.
static bool counts(const Hand *x, int stop, int color) {
    if (stop == Stop_ONLY_TO_THING) return color >= 0;
    if (stop == Stop_ONLY_TO_WALL) return color < 0;
    if (stop == Stop_ONLY_TO_OWN || stop == Stop_THROUGH_TO_OWN) return color == x->part->color;
    if (stop == Stop_ONLY_TO_OTHER) return color >= 0 && color != x->part->color;
    if (stop >= Stop_ONLY_TO && stop < Stop_ONLY_TO + 10) return color == stop - Stop_ONLY_TO;
    if (stop >= Stop_THROUGH_TO && stop < Stop_FOR) return color == stop - Stop_THROUGH_TO;
    return true;
}

// A ray to be put down: the colours of the grid that it stops at, where these are all below 32.
typedef struct {
    int d, di, dj, step; // step: from cell to cell in the grid
    int stop, dash, most;
    uint32_t stops_at;
} Ray;

// The same as stops() says of each.
static uint32_t colors_that_stop(const Hand *x, int stop) {
    int ground = x->s->parts.background, only;
    uint32_t things = (unsigned)ground < 32 ? x->colors & ~(1U << ground) : x->colors;
    if (stop == Stop_TO_WALL || stop >= Stop_FOR) return 0;
    if (stop == Stop_THROUGH_TO_OWN) only = x->part->color;
    else if (stop >= Stop_THROUGH_UP_TO && stop < Stop_THROUGH_UP_TO + 10) only = stop - Stop_THROUGH_UP_TO;
    else if (stop >= Stop_THROUGH_TO) only = stop - Stop_THROUGH_TO;
    else return things;
    return only < 32 ? things & 1U << only : 0;
}

static Ray ray_of(const Hand *x, int d, int stop, int dash) {
    int di = direction_rows[d], dj = direction_columns[d];
    return (Ray){.d = d,
                 .di = di,
                 .dj = dj,
                 .step = di * x->w + dj,
                 .stop = stop,
                 .dash = dash,
                 .most = stop >= Stop_FOR ? stop - Stop_FOR : GRID_TASK_SIDE,
                 .stops_at = colors_that_stop(x, stop)};
}

// Cells from (i, j) to the wall.
static int cells_ahead(const Hand *x, int i, int j, const Ray *r) {
    int rows = r->di < 0 ? i : r->di > 0 ? x->h - 1 - i : GRID_TASK_SIDE;
    int columns = r->dj < 0 ? j : r->dj > 0 ? x->w - 1 - j : GRID_TASK_SIDE;
    return rows < columns ? rows : columns;
}

// From beside (i, j), which is the last cell that is not drawn.
static void put_ray(Hand *x, int i, int j, const Ray *r) {
    int step = r->step, at = i * x->w + j, n = 0, hit = -1, most = cells_ahead(x, i, j, r);
    if (r->most < most) most = r->most < 0 ? 0 : r->most;
    if (r->stops_at == 0 && x->colors) n = most;
    bool ends = false;
    for (; n < most && !ends; n += !ends) {
        hit = x->cells[at + (n + 1) * step];
        ends = x->colors ? r->stops_at >> hit & 1 : stops(x, r->stop, hit);
    }
    if (!ends) hit = -1;
    x->steps += n + ends;
    if (!counts(x, r->stop, hit)) return;
    if (r->dash == Dash_TARGET_ONLY) {
        if (hit >= 0) put_within(x, at + (n + 1) * step, -1);
        return;
    }
    for (int k = 1; k <= n; k++) {
        if ((r->dash == Dash_DASHED && k % 2 == 0) || (r->dash == Dash_DASHED_SECOND && k % 2) ||
            (r->dash == Dash_END_ONLY && k < n))
            continue;
        put_within(x, at + k * step, -1);
    }
}

static void put_rays_from_cells(Hand *x, bool rare, const Ray *r) {
    const Part *p = x->part;
    int color = rare ? drawing_rarest(x->s, x->index) : -1;
    if (rare && !(p->colors & (p->colors - 1))) return;
    for (int n = 0; n < x->size; n++) {
        int i = x->own[n].row, j = x->own[n].column;
        if (!(x->own[n].own >> r->d & 1) && (color < 0 || cell(x, i, j) == color)) put_ray(x, i, j, r);
    }
}

static void put_rays_from_box(Hand *x, bool corners, const Ray *r) {
    const Part *p = x->part;
    int di = direction_rows[r->d], dj = direction_columns[r->d];
    // The range of cells of the box that lie furthest in the direction.
    int top = di < 0 ? p->top : di > 0 ? p->bottom : p->top, bottom = di ? top : p->bottom;
    int left = dj < 0 ? p->left : dj > 0 ? p->right : p->left, right = dj ? left : p->right;
    if (!corners) {
        int i = top + bottom, j = left + right;
        top = i / 2, bottom = (i + 1) / 2, left = j / 2, right = (j + 1) / 2;
    }
    put_ray(x, top, left, r);
    if (bottom != top || right != left) put_ray(x, bottom, right, r);
}

static void put_ray_from_corner(Hand *x, bool is_own, const Ray *r) {
    const Part *p = x->part;
    int i = direction_rows[r->d] < 0 ? p->top : p->bottom;
    int j = direction_columns[r->d] < 0 ? p->left : p->right;
    if (r->d >= Direction_NORTHEAST && own(x, i, j) == is_own) put_ray(x, i, j, r);
}

static void put_rays(Hand *x, int d, int from, int stop, int dash) {
    Ray r = ray_of(x, d, stop, dash);
    switch (from) {
    case RayFrom_FROM_CELLS: put_rays_from_cells(x, false, &r); break;
    case RayFrom_FROM_RAREST_CELLS: put_rays_from_cells(x, true, &r); break;
    case RayFrom_FROM_CENTER: put_rays_from_box(x, false, &r); break;
    case RayFrom_FROM_CORNERS: put_rays_from_box(x, true, &r); break;
    case RayFrom_FROM_OPEN_CORNERS: put_ray_from_corner(x, false, &r); break;
    case RayFrom_FROM_FILLED_CORNERS: put_ray_from_corner(x, true, &r); break;
    }
}

static bool is_open(const Hand *x, int i, int j, bool things) {
    return within(x, i, j) && (!things || is_ground(x, i, j) || own(x, i, j));
}

static void put_bounce(Hand *x, int d, int by) {
    if (d < Direction_NORTHEAST) return;
    const Part *p = x->part;
    bool things = by == BouncedBy_BY_THINGS;
    int di = direction_rows[d], dj = direction_columns[d];
    int i = di < 0 ? p->top : p->bottom, j = dj < 0 ? p->left : p->right;
    for (int n = 0; n < 4 * (x->h + x->w); n++) {
        if (!is_open(x, i + di, j + dj, things)) {
            bool rows = !is_open(x, i + di, j, things), columns = !is_open(x, i, j + dj, things);
            if ((rows && by == BouncedBy_BY_SIDE_WALLS) || (columns && by == BouncedBy_BY_TOP_AND_BOTTOM))
                return;
            if (rows || !columns) di = -di;
            if (columns || !rows) dj = -dj;
            if (!is_open(x, i + di, j + dj, things)) return;
        }
        i += di;
        j += dj;
        if (!own(x, i, j)) put(x, i, j, -1);
    }
}

static void put_walk(Hand *x, int d, int hand) {
    if (d >= Direction_NORTHEAST) return;
    const Part *p = x->part;
    int i = direction_rows[d] > 0 ? p->bottom : p->top, j = direction_columns[d] > 0 ? p->right : p->left;
    for (int turns = 0; turns < 2; turns++, d = (d + (hand == Hand_LEFT_HAND ? 3 : 1)) % 4) {
        int di = direction_rows[d], dj = direction_columns[d];
        for (; within(x, i + di, j + dj) && is_ground(x, i + di, j + dj); i += di, j += dj)
            put(x, i + di, j + dj, -1);
    }
}

static void put_between(Hand *x, int i, int j, int k, int l) {
    int di = (k > i) - (k < i), dj = (l > j) - (l < j);
    for (;; i += di, j += dj) {
        if (!own(x, i, j)) put(x, i, j, -1);
        if (i == k && j == l) return;
    }
}

static int clamp(int n, int low, int high) { return n < low ? low : n > high ? high : n; }

// From cell to cell, the nearest of either box; the ends are left out.
static void put_elbow(Hand *x, int color, int first) {
    bool column_first = first == Elbow_COLUMN_FIRST;
    int best = -1, far = 0;
    for (int k = 0; k < x->s->parts.count; k++) {
        const Part *o = &x->s->parts.parts[k];
        int its = drawing_distance(x->part, o);
        if (k == x->index || (color != AnyColor_ANY_COLOR && o->color != color) || (best >= 0 && its >= far))
            continue;
        best = k;
        far = its;
    }
    if (best < 0) return;
    const Part *p = x->part, *o = &x->s->parts.parts[best];
    int k = clamp((p->top + p->bottom) / 2, o->top, o->bottom),
        l = clamp((p->left + p->right) / 2, o->left, o->right);
    int i = clamp(k, p->top, p->bottom), j = clamp(l, p->left, p->right);
    int bend_i = column_first ? k : i, bend_j = column_first ? j : l;
    int n = x->b->n;
    put_between(x, i, j, bend_i, bend_j);
    put_between(x, bend_i, bend_j, k, l);
    int kept = n; // what lies on the other part is not drawn
    for (; n < x->b->n; n++)
        if (x->label[x->b->at[n]] != best) x->b->at[kept] = x->b->at[n], x->b->color[kept++] = x->b->color[n];
    x->b->n = kept;
}

static void put_cornered(Hand *x, int what) {
    int i = x->part->first / x->w, j = x->part->first % x->w, color = cell(x, i, j), bottom = i + 1,
        right = j + 1;
    while (right < x->w && cell(x, i, right) != color) right++;
    while (bottom < x->h && cell(x, bottom, j) != color) bottom++;
    x->steps += right - j + bottom - i;
    if (right == x->w || bottom == x->h || cell(x, bottom, right) != color) return;
    for (int k = i; k <= bottom; k++)
        for (int l = j; l <= right; l++) {
            bool row = k == i || k == bottom, column = l == j || l == right;
            if (what == Cornered_SIDES_OF_IT ? row != column : !row && !column) put(x, k, l, -1);
        }
}

// ---- Copies ----

static void put_turn(Hand *x, int symmetry, int where, int gap) {
    const Part *p = x->part;
    int h = p->bottom - p->top + 1, w = p->right - p->left + 1, di = 0, dj = 0;
    if (where != Beside_IN_PLACE) {
        int d = where - DRAWING_BESIDE;
        if (symmetry_exchanges(symmetry) && h != w) return;
        di = direction_rows[d] * (h + gap);
        dj = direction_columns[d] * (w + gap);
    }
    for (int n = 0; n < x->size; n++) {
        int i = x->own[n].row, j = x->own[n].column, k, l;
        symmetry_cell(symmetry, h, w, i - p->top, j - p->left, &k, &l);
        put(x, p->top + k + di, p->left + l + dj, cell(x, i, j));
    }
}

static void put_copy(Hand *x, int d, int step, int times, int tint) {
    const Part *p = x->part;
    int di = direction_rows[d], dj = direction_columns[d];
    if (step >= Step_EVERY) {
        di *= step - Step_EVERY;
        dj *= step - Step_EVERY;
        if (!di && !dj) return;
    } else if (step != Step_BY_ONE) {
        int gap = step == Step_SPACED ? 1 : 0;
        di *= p->bottom - p->top + 1 + gap;
        dj *= p->right - p->left + 1 + gap;
    }
    if (times == 0) times = GRID_TASK_SIDE;
    for (int n = 1; n <= times; n++) {
        int top = p->top + n * di, left = p->left + n * dj;
        if (top >= x->h || left >= x->w || p->bottom + n * di < 0 || p->right + n * dj < 0) break;
        for (int k = 0; k < x->size; k++) {
            int i = x->own[k].row, j = x->own[k].column;
            put(x, i + n * di, j + n * dj, tint == Tint_SHAPE_ONLY ? -1 : cell(x, i, j));
        }
    }
}

static void put_reflect(Hand *x, int symmetry) {
    if (symmetry_exchanges(symmetry) && x->h != x->w) return;
    for (int n = 0; n < x->size; n++) {
        int i = x->own[n].row, j = x->own[n].column, k, l;
        symmetry_cell(symmetry, x->h, x->w, i, j, &k, &l);
        put(x, k, l, cell(x, i, j));
    }
}

static void put_stamp(Hand *x, const Patch *patch) {
    const Part *p = x->part;
    for (int n = 0; n < patch->cells; n++) {
        const StampCell *c = &patch->stamp[n];
        put(x, p->top + c->row, p->left + c->column, c->color == StampColor_OWN ? p->color : c->color);
    }
}

// ---- Copies elsewhere ----

// The cells of the part whose colours are in a set, moved by a symmetry; (0, 0) is the corner of its box.
static int cells_with(Hand *x, unsigned colors, int symmetry, StampCell *cells, int most) {
    const Part *p = x->part;
    int h = p->bottom - p->top + 1, w = p->right - p->left + 1, n = 0;
    for (int m = 0; m < x->size; m++) {
        int i = x->own[m].row, j = x->own[m].column, c = cell(x, i, j), k, l;
        if (!(colors >> c & 1)) continue;
        if (n == most) return 0;
        symmetry_cell(symmetry, h, w, i - p->top, j - p->left, &k, &l);
        cells[n++] = (StampCell){(int8_t)k, (int8_t)l, (int8_t)c};
    }
    x->steps += 2 * h * w;
    return n;
}

// Whether the cells, put at (top, left), lie on cells of their colours, and not on the part itself.
static bool is_found_at(Hand *x, const StampCell *cells, int n, int top, int left) {
    for (int k = 0; k < n; k++) {
        int i = top + cells[k].row, j = left + cells[k].column;
        x->steps++;
        if (!within(x, i, j) || own(x, i, j) || cell(x, i, j) != cells[k].color) return false;
    }
    return true;
}

enum { LIKE_STEPS = 1 << 20 }; // enough for any part that is meant

static void put_like(Hand *x, int anchors, int turned) {
    StampCell all[STAMP_MOST], anchor[STAMP_MOST];
    unsigned colors = x->part->colors, common = 1U << x->part->color;
    if (!(colors & (colors - 1))) return;
    unsigned by = anchors == Anchors_BY_MINOR_COLORS   ? colors & ~common
                  : anchors == Anchors_BY_RAREST_COLOR ? 1U << drawing_rarest(x->s, x->index)
                                                       : common;
    for (int way = 0; way < (turned == Turned_ALSO_TURNED ? SYMMETRIES : 1); way++) {
        int n = cells_with(x, colors, symmetry_by_steps[way], all, STAMP_MOST);
        int m = cells_with(x, by, symmetry_by_steps[way], anchor, STAMP_MOST);
        if (n == 0 || m == 0) return;
        for (int at = 0; at < x->h * x->w && x->steps < LIKE_STEPS; at++) {
            int top = at / x->w - anchor[0].row, left = at % x->w - anchor[0].column;
            if (x->cells[at] != anchor[0].color || !is_found_at(x, anchor, m, top, left)) continue;
            for (int k = 0; k < n; k++) put(x, top + all[k].row, left + all[k].column, all[k].color);
        }
        x->steps += x->h * x->w;
    }
}

static void put_clone(Hand *x, int which) {
    const Parts *parts = &x->s->parts;
    int best = -1, best_value = 0;
    for (int k = 0; k < parts->count; k++) {
        const Part *o = &parts->parts[k];
        int value = which == Other_LARGEST_OTHER         ? o->size
                    : which == Other_MOST_COLORFUL_OTHER ? __builtin_popcount(o->colors)
                                                         : -o->size;
        if (k != x->index && (best < 0 || value > best_value)) best = k, best_value = value;
    }
    if (best < 0) return;
    const Part *p = x->part, *o = &parts->parts[best];
    int di = p->top + p->bottom - o->top - o->bottom, dj = p->left + p->right - o->left - o->right;
    if (di % 2 || dj % 2) return;
    for (int i = o->top; i <= o->bottom; i++)
        for (int j = o->left; j <= o->right; j++)
            if (parts->label[i * x->w + j] == best) put(x, i + di / 2, j + dj / 2, cell(x, i, j));
}

// Twice the middle of what the part is mirrored at.
static bool find_mirror(Hand *x, int at, int *rows, int *columns) {
    int best = -1, far = 0, rare = drawing_rarest(x->s, x->index);
    if (at == MirroredAt_AT_NEAREST_PART) {
        for (int k = 0; k < x->s->parts.count; k++) {
            int its = drawing_distance(x->part, &x->s->parts.parts[k]);
            if (k != x->index && (best < 0 || its < far)) best = k, far = its;
        }
        if (best < 0) return false;
        const Part *o = &x->s->parts.parts[best];
        *rows = o->top + o->bottom;
        *columns = o->left + o->right;
        return true;
    }
    Part box = {.top = GRID_TASK_SIDE, .left = GRID_TASK_SIDE, .bottom = -1, .right = -1};
    for (int n = 0; n < x->size; n++) {
        int i = x->own[n].row, j = x->own[n].column;
        if (cell(x, i, j) != rare) continue;
        if (i < box.top) box.top = i;
        if (i > box.bottom) box.bottom = i;
        if (j < box.left) box.left = j;
        if (j > box.right) box.right = j;
    }
    *rows = box.top + box.bottom;
    *columns = box.left + box.right;
    return x->part->colors & (x->part->colors - 1);
}

static void put_mirror(Hand *x, int symmetry, int at) {
    int rows, columns;
    bool flips_rows = SYMMETRIES_THAT_FLIP_ROWS >> symmetry & 1;
    bool flips_columns = SYMMETRIES_THAT_FLIP_COLUMNS >> symmetry & 1;
    if (!find_mirror(x, at, &rows, &columns)) return;
    for (int n = 0; n < x->size; n++) {
        int i = x->own[n].row, j = x->own[n].column;
        put(x, flips_rows ? rows - i : i, flips_columns ? columns - j : j, cell(x, i, j));
    }
}

static int sign(int n) { return (n > 0) - (n < 0); }

static void put_beam(Hand *x, int way, int stop) {
    const Part *p = x->part;
    int rare = drawing_rarest(x->s, x->index);
    if (!(p->colors & (p->colors - 1))) return;
    for (int n = 0; n < x->size; n++) {
        int i = x->own[n].row, j = x->own[n].column;
        if (cell(x, i, j) != rare) continue;
        int di = sign(2 * i - p->top - p->bottom), dj = sign(2 * j - p->left - p->right), k = i, l = j;
        if (way == BeamWay_THROUGH_MIDDLE) di = -di, dj = -dj;
        if (!di && !dj) continue;
        while (own(x, k + di, l + dj)) k += di, l += dj;
        for (int d = 0; d < 8; d++)
            if (direction_rows[d] == di && direction_columns[d] == dj) {
                Ray r = ray_of(x, d, stop, Dash_SOLID);
                put_ray(x, k, l, &r);
            }
    }
}

// ---- All of them ----

static void put_directed(Hand *x, const Patch *p) {
    for (unsigned left = p->a & 0xFF; left; left &= left - 1) {
        int d = __builtin_ctz(left);
        if (p->kind == Drawn_RAY) put_rays(x, d, p->b, p->c, p->d);
        else if (p->kind == Drawn_COPIES) put_copy(x, d, p->b, p->c, p->d);
        else if (p->kind == Drawn_WALK) put_walk(x, d, p->b);
        else put_bounce(x, d, p->b);
    }
}

int drawing_patch(const Scene *s, int part, const Patch *patch, Brush *b) {
    assert(part >= 0 && part < s->parts.count && patch->kind >= 0 && patch->kind < PATCHES);
    ts_grid g = s->parts.grid;
    Hand x = {.s = s,
              .part = &s->parts.parts[part],
              .index = part,
              .h = g.height,
              .w = g.width,
              .cells = g.cells,
              .colors = s->colors,
              .label = s->parts.label,
              .own = s->cells + s->first[part],
              .size = s->parts.parts[part].size,
              .b = b,
              .steps = 20};
    Patch worked_out = *patch, *p = &worked_out;
    x.steps += drawing_work_out(s, part, p);
    if (++b->round == 0) {
        memset(b->seen, 0, (size_t)(g.height * g.width) * sizeof *b->seen);
        b->round = 1;
    }
    b->n = 0;
    switch (p->kind) {
    case Drawn_CELLS: put_cells(&x, p->a); break;
    case Drawn_BOX: put_box(&x, p->a, p->b); break;
    case Drawn_ENCLOSED: put_holes(&x); break;
    case Drawn_AROUND: put_around(&x, p->a, p->b); break;
    case Drawn_BAND: put_band(&x, p->a, p->b); break;
    case Drawn_HALF: put_half(&x, p->a, p->b); break;
    case Drawn_TURN: put_turn(&x, symmetry_by_steps[p->a & 7], p->b, p->c); break;
    case Drawn_REFLECT: put_reflect(&x, symmetry_by_steps[p->a & 7]); break;
    case Drawn_STAMP: put_stamp(&x, p); break;
    case Drawn_LIKE_IT: put_like(&x, p->a, p->b); break;
    case Drawn_CLONE: put_clone(&x, p->a); break;
    case Drawn_MIRROR: put_mirror(&x, symmetry_by_steps[p->a & 7], p->b); break;
    case Drawn_BEAM: put_beam(&x, p->a, p->b); break;
    case Drawn_ELBOW_TO: put_elbow(&x, p->a, p->b); break;
    case Drawn_CORNERED: put_cornered(&x, p->a); break;
    case Drawn_RINGS: put_rings(&x, p->a); break;
    case Drawn_RAY:
    case Drawn_COPIES:
    case Drawn_WALK:
    case Drawn_BOUNCE: put_directed(&x, p); break;
    default: break;
    }
    return 2 * x.steps;
}

int64_t drawing_apply(const Scene *s, const Drawing *d, Brush *b, int8_t *canvas) {
    assert(s->parts.count <= SCENE_MOST_PARTS && (unsigned)d->layer < LAYERS);
    bool chosen[SCENE_MOST_PARTS];
    int64_t work = (int64_t)s->parts.count * (10 + 30 * d->selector.count);
    selector_apply(&d->selector, s->parts.count, s->props, chosen);
    for (int k = 0; k < s->parts.count; k++) {
        if (!chosen[k]) continue;
        int color = drawing_paint(s, k, &d->paint);
        work += drawing_patch(s, k, &d->patch, b) + 50;
        for (int n = 0; n < b->n; n++) {
            int c = b->color[n] >= 0 ? b->color[n] : color;
            if (c >= 0 && layer_takes(d->layer, s->parts.grid.cells[b->at[n]], s->parts.background))
                canvas[b->at[n]] = (int8_t)c;
        }
    }
    return work;
}
