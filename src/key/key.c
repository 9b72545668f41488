// How keys are read and laid over things; see key.h.
#include "key/key.h"

#include <assert.h>
#include <string.h>

static int cell(ts_grid g, int i, int j) { return g.cells[i * g.width + j]; }
static bool is_color(int c) { return c >= 0 && c <= 9; }

// ---- A key over a mask ----

int key_ground(ts_grid grid, ts_grid mask) {
    int counts[10], ground = ground_of(grid);
    unsigned there = colors_in(mask);
    if (there >> ground & 1) return ground;
    colors_count(grid, counts);
    for (int c = 0; c < 10; c++)
        if (!(there >> c & 1)) counts[c] = 0;
    ground = colors_by_count(counts, -1, false);
    return ground < 0 ? 0 : ground;
}

static bool divides(int a, int b) { return a > b ? a % b == 0 : b % a == 0; }
static int larger(int a, int b) { return a > b ? a : b; }

bool key_join_size(ts_grid key, ts_grid mask, int join, int *height, int *width) {
    int h = mask.height, w = mask.width;
    bool fits = key.height && key.width && h && w;
    switch (join) {
    case KeyJoin_STRETCHED_OVER:
        fits = fits && divides(key.height, h) && divides(key.width, w);
        h = larger(key.height, h);
        w = larger(key.width, w);
        break;
    case KeyJoin_BY_CORNERS: fits = fits && h % 2 == 0 && w % 2 == 0; break;
    case KeyJoin_MASK_FOR_EACH:
        h *= key.height;
        w *= key.width;
        break;
    case KeyJoin_COLUMN_BY_COLUMN: fits = fits && key.width == w && key.height > 1; break;
    default: fits = fits && key.height == h && key.width > 1;
    }
    *height = h;
    *width = w;
    const int most = larger(grid_reach(key), grid_reach(mask));
    return fits && h <= most && w <= most;
}

// The colours of a cell of what a join of h by w cells gives: where the mask counts, and elsewhere.
static void join_colors(ts_grid key, int join, int h, int w, int i, int j, int *here, int *elsewhere) {
    int top = 0, left = 0;
    switch (join) {
    case KeyJoin_STRETCHED_OVER:
        top = i * key.height / h;
        left = j * key.width / w;
        break;
    case KeyJoin_BY_CORNERS:
        top = i < h / 2 ? 0 : key.height - 1;
        left = j < w / 2 ? 0 : key.width - 1;
        break;
    case KeyJoin_MASK_FOR_EACH:
        top = i / (h / key.height);
        left = j / (w / key.width);
        break;
    case KeyJoin_COLUMN_BY_COLUMN:
        left = j;
        *elsewhere = cell(key, key.height - 1, j);
        break;
    default: top = i; *elsewhere = cell(key, i, key.width - 1);
    }
    *here = cell(key, top, left);
}

static int mask_cell(ts_grid mask, int join, int h, int w, int i, int j) {
    switch (join) {
    case KeyJoin_MASK_FOR_EACH: return cell(mask, i % mask.height, j % mask.width);
    case KeyJoin_STRETCHED_OVER: return cell(mask, i * mask.height / h, j * mask.width / w);
    default: return cell(mask, i, j);
    }
}

bool key_over(Arena *a, int ground, ts_grid key, ts_grid mask, int join, ts_grid *out) {
    int h, w;
    assert((unsigned)join < KEY_JOINS);
    if (!key_join_size(key, mask, join, &h, &w)) return false;
    *out = grid_blank(a, h, w, ground);
    for (int k = 0; out->cells && k < h * w; k++) {
        int i = k / w, j = k % w, here, elsewhere = ground;
        bool filled = mask_cell(mask, join, h, w, i, j) != ground;
        join_colors(key, join, h, w, i, j, &here, &elsewhere);
        grid_edit(*out)[k] = (signed char)(filled ? here : elsewhere);
    }
    return out->cells;
}

// ---- Reading entries ----

static void add_entry(KeyTable *t, int from, int to, int way) {
    int first = t->count;
    if (first + 2 > KEY_MOST_ENTRIES) return;
    for (int back = 0; back <= 1; back++) {
        if (way != KeyWay_EACH_FOR_OTHER && back != (way == KeyWay_FIRST_FOR_SECOND)) continue;
        t->from[t->count] = (int8_t)(back ? to : from);
        t->to[t->count++] = (int8_t)(back ? from : to);
    }
}

// Whether all cells are colours but the background.
static bool is_full(ts_grid g, int ground) {
    for (int k = 0; k < g.height * g.width; k++)
        if (g.cells[k] == ground || !is_color(g.cells[k])) return false;
    return true;
}

// Adds the pairs of a piece that is two cells wide, or two high. False where it is none, or holds a gap or a
// pair of one colour.
static bool add_pairs(KeyTable *t, ts_grid g, bool upright, int way) {
    int n = upright ? g.width : g.height, before = t->count;
    if ((upright ? g.height : g.width) != 2 || !is_full(g, t->ground)) return false;
    for (int k = 0; k < n; k++) {
        int first = upright ? cell(g, 0, k) : cell(g, k, 0);
        int second = upright ? cell(g, 1, k) : cell(g, k, 1);
        if (first == second) t->count = before;
        if (first == second) return false;
        add_entry(t, first, second, way);
    }
    return true;
}

static int look_up(const KeyTable *t, int color, bool in_turn) {
    for (int k = 0; k < t->count; k++) {
        if (t->from[k] != color) continue;
        color = t->to[k];
        if (!in_turn) break;
    }
    return color;
}

void key_turn(KeyTable *t, int turns) {
    for (int c = 0; c < 10; c++) {
        int color = look_up(t, c, turns == KeyTurns_IN_TURN);
        for (int left = 10; turns == KeyTurns_TO_THE_END && color != c && left > 0; left--)
            color = look_up(t, color, false);
        t->colors[c] = (int8_t)color;
    }
}

bool key_read(Arena *a, ts_grid grid, const Pieces *pieces, const KeyForm *form, KeyTable *t) {
    *t = (KeyTable){.ground = pieces->ground};
    if (!grid_copy(a, grid, &t->rest)) return false;
    for (int k = 0; k < pieces->count; k++) {
        const Piece *p = &pieces->at[k];
        ts_grid g;
        if (!piece_view(a, pieces, k, PieceView_WHOLE_BOX + Reduction_SHRUNK, &g)) return false;
        if (!add_pairs(t, g, form->entry == KeyEntry_TOP_TO_BOTTOM, form->way)) continue;
        for (int i = 0; i < p->height; i++)
            memset(grid_edit(t->rest) + (p->top + i) * grid.width + p->left, t->ground, (size_t)p->width);
    }
    key_turn(t, form->turns);
    return true;
}

// ---- Painting ----

// The one colour of a piece that has an entry; -1 for none and for several.
static int keyed_color(const KeyTable *t, const Pieces *of, int piece) {
    const Piece *p = &of->at[piece];
    unsigned found = 0;
    for (int i = p->top; i < p->top + p->height; i++)
        for (int j = p->left; j < p->left + p->width; j++) {
            int c = cell(t->rest, i, j);
            bool own = p->part < 0 || of->parts.label[i * t->rest.width + j] == p->part;
            if (own && is_color(c) && t->colors[c] != c) found |= 1U << c;
        }
    return colors_only(found);
}

static bool is_painted(const KeyUse *use, int color, int ground, int c, bool in_box) {
    switch (use->painted) {
    case KeyPainted_GROUND_IN_BOX:
    case KeyPainted_GROUND_AROUND: return c == ground;
    case KeyPainted_FRAME_AROUND: return !in_box;
    default: return c != ground && c != color;
    }
}

static void paint_piece(const KeyTable *t, const KeyUse *use, const Piece *p, int color, ts_grid out) {
    int grown = use->painted == KeyPainted_FRAME_AROUND || use->painted == KeyPainted_GROUND_AROUND;
    for (int i = p->top - grown; i < p->top + p->height + grown; i++)
        for (int j = p->left - grown; j < p->left + p->width + grown; j++) {
            if (i < 0 || j < 0 || i >= out.height || j >= out.width) continue;
            bool in_box = i >= p->top && j >= p->left && i < p->top + p->height && j < p->left + p->width;
            if (is_painted(use, color, t->ground, cell(t->rest, i, j), in_box))
                grid_edit(out)[i * out.width + j] = t->colors[color];
        }
}

static void paint_all(const KeyTable *t, const Pieces *of, const KeyUse *use, unsigned *used, ts_grid out) {
    if (use->painted == KeyPainted_CELLS_THEMSELVES) {
        for (int k = 0; k < out.height * out.width; k++) {
            int c = out.cells[k];
            if (!is_color(c) || c == t->ground || t->colors[c] == c) continue;
            grid_edit(out)[k] = t->colors[c];
            *used |= 1U << c;
        }
        return;
    }
    for (int k = 0; k < of->count; k++) {
        int color = keyed_color(t, of, k);
        if (color < 0) continue;
        paint_piece(t, use, &of->at[k], color, out);
        *used |= 1U << color;
    }
}

bool key_paint(Arena *a, ts_grid grid, const KeyTable *t, const Pieces *of, const KeyUse *use, unsigned *used,
               ts_grid *out) {
    Box box;
    *used = 0;
    if (!grid_copy(a, t->rest, out)) return false;
    paint_all(t, of, use, used, *out);
    if (use->rest == KeyRest_REST_ALONE)
        return grid_box(*out, t->ground, false, &box) && grid_cut(a, *out, box, out);
    for (int k = 0; k < grid.height * grid.width && use->rest == KeyRest_WITH_KEY; k++)
        if (t->rest.cells[k] != grid.cells[k]) grid_edit(*out)[k] = grid.cells[k];
    return true;
}
