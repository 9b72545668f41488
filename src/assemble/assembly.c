// Workload: two to ten pieces of some ten cells, a few thousand layouts tried for a task. All but the pile
// give each piece its place by a few comparisons; a pile pushes each step by step.
#include "assemble/assembly.h"

#include <assert.h>
#include <string.h>

typedef struct {
    ts_grid grid;
    int top, left;
} Placed;

typedef struct {
    Arena *arena;
    const Pieces *p;
    int ground;
    const int *order;
    int n;
    const Assembly *how;
    const ts_grid *wanted; // NULL: none
    Placed at[ASSEMBLY_MOST];
    int height, width; // of the canvas
    int64_t work;
} Board;

static int larger(int a, int b) { return a > b ? a : b; }
static int cell(ts_grid g, int i, int j) { return g.cells[i * g.width + j]; }
// Two usual grids fit beside each other, and what is as large as the grid does.
static bool is_too_large(const Board *b) {
    const int most = larger(2 * GRID_USUAL_SIDE, larger(b->p->grid.height, b->p->grid.width));
    return b->height < 1 || b->width < 1 || b->height > most || b->width > most;
}

// ---- On each other ----

// The size that the rule says; where it says none, that of the largest piece either way.
static void set_size(Board *b) {
    b->height = b->width = 0;
    if (b->how->canvas == Canvas_SIZE_OF_GRID) b->height = b->p->grid.height, b->width = b->p->grid.width;
    for (int k = 0; k < b->n && b->how->canvas == Canvas_CLOSE_FIT; k++) {
        b->height = larger(b->height, b->at[k].grid.height);
        b->width = larger(b->width, b->at[k].grid.width);
    }
    if (b->how->canvas == Canvas_SIZE_OF_PIECE)
        b->height = b->at[0].grid.height, b->width = b->at[0].grid.width;
}

static bool lay_about_one_middle(Board *b) {
    set_size(b);
    for (int k = 0; k < b->n; k++) {
        Placed *t = &b->at[k];
        int down = b->height - t->grid.height, right = b->width - t->grid.width;
        if (down < 0 || right < 0 || down % 2 || right % 2) return false;
        t->top = down / 2, t->left = right / 2;
    }
    return true;
}

// ---- Joined at marked cells ----

// Moves the board so that all pieces begin at its corner, and sets its size.
static void close_up(Board *b) {
    int top = INT32_MAX, left = INT32_MAX, bottom = INT32_MIN, right = INT32_MIN;
    for (int k = 0; k < b->n; k++) {
        const Placed *t = &b->at[k];
        if (t->top < top) top = t->top;
        if (t->left < left) left = t->left;
        bottom = larger(bottom, t->top + t->grid.height);
        right = larger(right, t->left + t->grid.width);
    }
    for (int k = 0; k < b->n; k++) b->at[k].top -= top, b->at[k].left -= left;
    b->height = bottom - top;
    b->width = right - left;
}

// The first and the last cell of a colour, from left to right.
static bool find_marks(ts_grid g, int color, int first[2], int last[2]) {
    int n = 0;
    for (int j = 0; j < g.width; j++)
        for (int i = 0; i < g.height; i++) {
            if (cell(g, i, j) != color) continue;
            if (!n++) first[0] = i, first[1] = j;
            last[0] = i, last[1] = j;
        }
    return n > 0;
}

// The commonest colour but the background and the marks takes the place of the marks.
static bool blend_marks(Board *b, ts_grid *g, int color) {
    int counts[10];
    colors_count(*g, counts);
    counts[color] = 0;
    int own = colors_by_count(counts, b->ground, false);
    if (own < 0 || !grid_copy(b->arena, *g, g)) return false;
    for (int k = 0; k < g->height * g->width; k++)
        if (g->cells[k] == color) grid_edit(*g)[k] = (signed char)own;
    return true;
}

static bool join(Board *b) {
    int color = b->how->a, row = 0, column = 0, row_of_first = b->p->at[b->order[0]].top;
    for (int k = 0; k < b->n; k++) {
        int first[2], last[2];
        Placed *t = &b->at[k];
        if (!find_marks(t->grid, color, first, last)) return false;
        if (k) {
            t->top = row - first[0];
            t->left = column + (b->how->b == Joint_MARKS_TOUCH) - first[1];
        } else t->top = row_of_first, t->left = 0;
        row = t->top + last[0], column = t->left + last[1];
        if (b->how->c == MarkPaint_MARKS_BLEND && !blend_marks(b, &t->grid, color)) return false;
    }
    int top = b->at[0].top;
    close_up(b);
    if (b->how->canvas == Canvas_CLOSE_FIT) return true;
    if (b->how->canvas != Canvas_ROWS_OF_GRID) return false;
    int moved = top - b->at[0].top; // the rows stay as they are in the grid
    if (moved < 0 || moved + b->height > b->p->grid.height) return false;
    for (int k = 0; k < b->n; k++) b->at[k].top += moved;
    b->height = b->p->grid.height;
    return true;
}

// ---- Where they point ----

// To which side the weight of some cells lies: -1, 0 or 1 for rows and columns. The cells are those that are
// not background; where a piece has no background those that are not of its commonest colour.
static void weight_of(ts_grid g, int ground, int *down, int *right) {
    int counts[10], n = 0, rows = 0, columns = 0;
    colors_count(g, counts);
    int other = ground >= 0 && counts[ground] ? ground : colors_by_count(counts, -1, false);
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++)
            if (cell(g, i, j) != other) n++, rows += i, columns += j;
    int row = 2 * rows - n * (g.height - 1), column = 2 * columns - n * (g.width - 1);
    *down = (row > 0) - (row < 0);
    *right = (column > 0) - (column < 0);
}

// The pieces make a table of three rows and columns at most, each as large as the largest piece in it.
static bool lay_where_they_point(Board *b) {
    int row[ASSEMBLY_MOST], column[ASSEMBLY_MOST], heights[3] = {0}, widths[3] = {0};
    bool taken[9] = {false};
    if (b->how->canvas != Canvas_CLOSE_FIT || b->n > 9) return false;
    for (int k = 0; k < b->n; k++) {
        ts_grid g = b->at[k].grid;
        weight_of(g, b->ground, &row[k], &column[k]);
        int i = ++row[k], j = ++column[k];
        if (taken[3 * i + j]) return false;
        taken[3 * i + j] = true;
        heights[i] = larger(heights[i], g.height);
        widths[j] = larger(widths[j], g.width);
    }
    b->height = heights[0] + heights[1] + heights[2];
    b->width = widths[0] + widths[1] + widths[2];
    for (int k = 0; k < b->n; k++) {
        Placed *t = &b->at[k];
        t->top = row[k] == 0 ? 0 : row[k] == 1 ? heights[0] : b->height - t->grid.height;
        t->left = column[k] == 0 ? 0 : column[k] == 1 ? widths[0] : b->width - t->grid.width;
    }
    return true;
}

// ---- Piled up ----

typedef struct {
    Box box; // of the cells that are not background
    bool taken[ASSEMBLY_MOST_SIDE][ASSEMBLY_MOST_SIDE];
} Pile;

// Whether a piece at this place meets another, or the wall that it is pushed to; it may still come in from
// the other side.
static bool is_blocked(const Board *b, const Pile *pile, const Placed *t, int way) {
    for (int i = 0; i < t->grid.height; i++)
        for (int j = 0; j < t->grid.width; j++) {
            if (cell(t->grid, i, j) == b->ground) continue;
            int row = t->top + i, column = t->left + j;
            bool out = way == PileWay_NORTH   ? row < 0
                       : way == PileWay_SOUTH ? row >= b->height
                       : way == PileWay_WEST  ? column < 0
                                              : column >= b->width;
            bool in = row >= 0 && row < b->height && column >= 0 && column < b->width;
            if (out || (in && pile->taken[row][column])) return true;
        }
    return false;
}

// Where a piece lies across the pile. Rooms are laid on each other, parts lie as they do in the grid.
static void set_across(Board *b, const Pile *pile, int k) {
    Placed *t = &b->at[k];
    const Piece *piece = &b->p->at[b->order[k]];
    bool rooms = b->p->rows > 0, upright = b->how->a == PileWay_NORTH || b->how->a == PileWay_SOUTH;
    t->top = rooms ? 0 : piece->top;
    t->left = rooms ? 0 : piece->left;
    if (b->how->b == Across_FLUSH_FIRST) t->top = -pile->box.top, t->left = -pile->box.left;
    if (b->how->b == Across_FLUSH_LAST) {
        t->top = b->height - 1 - pile->box.bottom;
        t->left = b->width - 1 - pile->box.right;
    }
    // Along the pile it begins outside.
    if (upright) t->top = b->how->a == PileWay_SOUTH ? -pile->box.bottom - 1 : b->height - pile->box.top;
    else t->left = b->how->a == PileWay_EAST ? -pile->box.right - 1 : b->width - pile->box.left;
}

// Notes the cells of a piece. False where some lie outside, or are not wanted.
static bool settle(const Board *b, Pile *pile, const Placed *t) {
    for (int i = pile->box.top; i <= pile->box.bottom; i++)
        for (int j = pile->box.left; j <= pile->box.right; j++) {
            int row = t->top + i, column = t->left + j, color = cell(t->grid, i, j);
            if (color == b->ground) continue;
            if (row < 0 || row >= b->height || column < 0 || column >= b->width) return false;
            if (b->wanted && cell(*b->wanted, row, column) != color) return false;
            pile->taken[row][column] = true;
        }
    return true;
}

static bool pile_up(Board *b) {
    Pile *pile = arena_alloc(b->arena, sizeof *pile);
    int way = b->how->a;
    if (!pile) return false;
    set_size(b);
    if (is_too_large(b) || b->how->canvas == Canvas_CLOSE_FIT) return false;
    pile->box = (Box){0};
    memset(pile->taken, 0, (size_t)b->height * sizeof *pile->taken);
    if (b->wanted && (b->wanted->height != b->height || b->wanted->width != b->width)) return false;
    for (int k = 0; k < b->n; k++) {
        Placed *t = &b->at[k];
        if (!grid_box(t->grid, b->ground, false, &pile->box)) return false;
        set_across(b, pile, k);
        do {
            b->work += 2 * t->grid.height * t->grid.width;
            t->top += direction_rows[way], t->left += direction_columns[way];
        } while (!is_blocked(b, pile, t, way));
        t->top -= direction_rows[way], t->left -= direction_columns[way];
        if (!settle(b, pile, t)) return false;
    }
    return true;
}

// ---- Rings ----

static int ring_of(int i, int j, int height, int width) {
    int row = i < height - 1 - i ? i : height - 1 - i, column = j < width - 1 - j ? j : width - 1 - j;
    return row < column ? row : column;
}

static bool draw_rings(Board *b, ts_grid *out) {
    bool through = b->how->kind == Assembly_RINGS_THROUGH;
    int colors[ASSEMBLY_MOST_SIDE], side = 2 * b->n - 1;
    b->height = through ? b->p->grid.height : side;
    b->width = through ? b->p->grid.width : side;
    if (is_too_large(b) || b->how->canvas != Canvas_CLOSE_FIT) return false;
    for (int k = 0; k < ASSEMBLY_MOST_SIDE; k++) colors[k] = -1;
    for (int k = 0; k < b->n; k++) {
        const Piece *t = &b->p->at[b->order[k]];
        int ring = through ? ring_of(t->top, t->left, b->height, b->width) : k;
        if (colors[ring] >= 0) return false;
        colors[ring] = b->p->props[b->order[k] * PIECE_PROPERTIES + PieceProperty_COMMON_COLOR];
    }
    *out = grid_blank(b->arena, b->height, b->width, b->ground);
    for (int k = 0; out->cells && k < b->height * b->width; k++) {
        int ring = ring_of(k / b->width, k % b->width, b->height, b->width);
        if (colors[ring] >= 0) grid_edit(*out)[k] = (signed char)colors[ring];
    }
    return out->cells != NULL;
}

// ---- The whole ----

static bool lay(Board *b) {
    switch (b->how->kind) {
    case Assembly_ABOUT_ONE_MIDDLE: return lay_about_one_middle(b);
    case Assembly_JOINED_AT: return join(b);
    case Assembly_WHERE_THEY_POINT: return lay_where_they_point(b);
    case Assembly_PILED: return pile_up(b);
    default: return false;
    }
}

static bool paint(Board *b, ts_grid *out) {
    *out = grid_blank(b->arena, b->height, b->width, b->ground);
    if (!out->cells) return false;
    for (int k = b->n - 1; k >= 0; k--) {
        const Placed *t = &b->at[k];
        for (int i = 0; i < t->grid.height; i++)
            for (int j = 0; j < t->grid.width; j++) {
                int row = t->top + i, column = t->left + j, color = cell(t->grid, i, j);
                if (color == b->ground) continue;
                assert(row >= 0 && row < b->height && column >= 0 && column < b->width);
                grid_edit(*out)[row * b->width + column] = (signed char)color;
            }
    }
    return true;
}

int assembly_ground(const Pieces *p, const ts_grid *views, const int *order, int n) {
    int common = -1;
    for (int k = 0; k < n; k++) {
        int counts[10], colors = 0;
        colors_count(views[order[k]], counts);
        for (int c = 0; c < 10; c++) colors += counts[c] > 0;
        int here = colors_by_count(counts, -1, false);
        if (colors < 2 || counts[p->ground] || (k && here != common)) return p->ground;
        common = here;
    }
    return common;
}

bool assembly_made(Arena *a, const Pieces *p, const ts_grid *views, const int *order, int n,
                   const Assembly *how, const ts_grid *wanted, int64_t *work, ts_grid *out) {
    assert(p->props && how->kind >= 0 && how->kind < ASSEMBLIES);
    if (n < 1 || n > ASSEMBLY_MOST) return false;
    if (how->kind == Assembly_INTERLOCKED)
        return how->canvas == Canvas_CLOSE_FIT &&
               assembly_interlocked(a, p, views, order, n, how->a, work, out);
    Board *b = arena_alloc(a, sizeof *b);
    if (!b) return false;
    *b = (Board){.arena = a,
                 .p = p,
                 .ground = assembly_ground(p, views, order, n),
                 .order = order,
                 .n = n,
                 .how = how,
                 .wanted = wanted};
    for (int k = 0; k < n; k++) {
        b->at[k].grid = views[order[k]];
        if (!b->at[k].grid.height) return false;
        b->work += 4 * b->at[k].grid.height * b->at[k].grid.width;
    }
    bool rings = how->kind == Assembly_RINGS_IN_ORDER || how->kind == Assembly_RINGS_THROUGH;
    bool made = rings ? draw_rings(b, out) : lay(b) && !is_too_large(b) && paint(b, out);
    *work += 300 + b->work + b->height * b->width;
    return made;
}
