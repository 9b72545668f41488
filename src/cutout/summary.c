// Workload: some twenty pieces of a few cells each, thousands of layouts tried for a task. Views are made
// anew for each layout: they are smaller than what would remember them.
#include "cutout/summary.h"

#include <assert.h>
#include <string.h>

static bool look_up(const KeyValue *table, int n, int key, int *value) {
    for (int k = 0; k < n; k++)
        if (table[k].key == key) {
            *value = table[k].value;
            return true;
        }
    return false;
}

// The value of the key, or of all that have no other.
static bool found(const KeyValue *table, int n, int key, int *value) {
    return look_up(table, n, key, value) || look_up(table, n, Otherwise_OTHERWISE, value);
}

// ---- Laid out ----

typedef struct {
    int count;
    ts_grid at[PIECES_MOST];
    int piece[PIECES_MOST];
    int height, width; // of the largest
} Views;

static bool is_there(const Views *v, ts_grid g) {
    for (int k = 0; k < v->count; k++)
        if (ts_grid_equal(v->at[k], g)) return true;
    return false;
}

static bool order_views(const ts_grid *views, const int *order, int n, bool once, Views *v) {
    v->count = v->height = v->width = 0;
    for (int k = 0; k < n; k++) {
        ts_grid g = views[order[k]];
        if (!g.height) return false;
        if (once && is_there(v, g)) continue;
        v->piece[v->count] = order[k];
        v->at[v->count++] = g;
        v->height = g.height > v->height ? g.height : v->height;
        v->width = g.width > v->width ? g.width : v->width;
    }
    return v->count > 0;
}

static bool lay_in_line(Arena *a, const Pieces *p, const Views *v, int layout, ts_grid *out) {
    bool down = (layout & 3) == PieceLayout_IN_COLUMN, end = layout & PIECE_LAYOUT_AT_END;
    int gap = layout & PIECE_LAYOUT_WITH_GAPS ? 1 : 0, length = gap * (v->count - 1), at = 0;
    for (int k = 0; k < v->count; k++) length += down ? v->at[k].height : v->at[k].width;
    int h = down ? length : v->height, w = down ? v->width : length;
    const int most = summary_side(p->grid);
    if (h > most || w > most) return false;
    *out = grid_blank(a, h, w, p->ground);
    if (!out->cells) return false;
    for (int k = 0; k < v->count; k++) {
        ts_grid g = v->at[k];
        if (down) grid_put(*out, g, at, end ? w - g.width : 0);
        else grid_put(*out, g, end ? h - g.height : 0, at);
        at += gap + (down ? g.height : g.width);
    }
    return true;
}

static bool lay_on_stack(Arena *a, const Pieces *p, const Views *v, ts_grid *out) {
    *out = grid_blank(a, v->height, v->width, p->ground);
    if (!out->cells) return false;
    for (int k = v->count - 1; k >= 0; k--) {
        if (v->at[k].height != v->height || v->at[k].width != v->width) return false;
        for (int c = 0; c < v->height * v->width; c++)
            if (v->at[k].cells[c] != p->ground) grid_edit(*out)[c] = v->at[k].cells[c];
    }
    return true;
}

// In which of the bands of rows (or columns) that pieces cover each piece lies; returns how many there are.
static int bands(const Pieces *p, const Views *v, bool columns, int *band) {
    bool covered[PIECE_MOST_SIDE + 1] = {false};
    int number[PIECE_MOST_SIDE + 1], n = 0;
    for (int k = 0; k < v->count; k++) {
        const Piece *t = &p->at[v->piece[k]];
        for (int l = 0; l < (columns ? t->width : t->height); l++)
            covered[(columns ? t->left : t->top) + l] = true;
    }
    // Tiles that touch are bands of their own.
    if (p->rows) {
        for (int k = 0; k < v->count; k++)
            band[k] = columns ? v->piece[k] % p->columns : v->piece[k] / p->columns;
        return columns ? p->columns : p->rows;
    }
    for (int l = 0; l < (columns ? p->grid.width : p->grid.height); l++) {
        number[l] = n;
        n += covered[l] && !covered[l + 1];
    }
    for (int k = 0; k < v->count; k++) {
        const Piece *t = &p->at[v->piece[k]];
        band[k] = number[columns ? t->left : t->top];
    }
    return n;
}

static bool lay_in_table(Arena *a, const Pieces *p, const Views *v, int layout, ts_grid *out) {
    int row[PIECES_MOST], column[PIECES_MOST], gap = layout & PIECE_LAYOUT_WITH_GAPS ? 1 : 0;
    int n = bands(p, v, false, row), m = bands(p, v, true, column);
    int h = n * (v->height + gap) - gap, w = m * (v->width + gap) - gap;
    const int most = summary_side(p->grid);
    if (h > most || w > most) return false;
    *out = grid_blank(a, h, w, p->ground);
    if (!out->cells) return false;
    for (int k = 0; k < v->count; k++) {
        if (v->at[k].height != v->height || v->at[k].width != v->width) return false;
        grid_put(*out, v->at[k], row[k] * (v->height + gap), column[k] * (v->width + gap));
    }
    return true;
}

static bool lay_wrapped(Arena *a, const Pieces *p, const Views *v, int h, int w, bool snake, ts_grid *out) {
    if (w < 1 || v->height != 1 || v->width != 1 || v->count > h * w) return false;
    *out = grid_blank(a, h, w, p->ground);
    if (!out->cells) return false;
    for (int k = 0; k < v->count; k++) {
        int i = k / w, j = k % w;
        grid_edit(*out)[i * w + (snake && i % 2 ? w - 1 - j : j)] = v->at[k].cells[0];
    }
    return true;
}

bool pieces_laid_out(Arena *a, const Pieces *p, const ts_grid *views, const int *order, int n, int layout,
                     ts_grid *out) {
    Views *v = arena_alloc(a, sizeof *v);
    bool wrapped = layout >= PieceLayout_WRAPPED;
    if (!v || !order_views(views, order, n, !wrapped && layout & PIECE_LAYOUT_ONCE, v)) return false;
    if (wrapped) {
        bool snake = layout >= PieceLayout_SNAKE;
        int size = layout - (snake ? PieceLayout_SNAKE : PieceLayout_WRAPPED);
        return lay_wrapped(a, p, v, size / 30, size % 30, snake, out);
    }
    switch (layout & 3) {
    case PieceLayout_STACKED: return lay_on_stack(a, p, v, out);
    case PieceLayout_AS_THEY_LIE: return lay_in_table(a, p, v, layout, out);
    default: return lay_in_line(a, p, v, layout, out);
    }
}

void pieces_views(Arena *a, const Pieces *p, int view, ts_grid *views) {
    for (int k = 0; k < p->count; k++)
        if (!piece_view(a, p, k, view, &views[k])) views[k] = (ts_grid){0};
}

bool pieces_arranged(Arena *a, const Pieces *p, int view, const Choice *order, int layout, ts_grid *out) {
    ts_grid views[PIECES_MOST];
    int pieces[PIECES_MOST], n = pieces_ordered(p, order, pieces);
    pieces_views(a, p, view, views);
    return pieces_laid_out(a, p, views, pieces, n, layout, out);
}

// ---- A cell for each piece ----

bool pieces_gist(Arena *a, const Pieces *p, int prop, const KeyValue *table, int n, ts_grid *out) {
    assert(p->props && prop >= 0 && prop < PIECE_PROPERTIES && n >= 0);
    if (!p->rows || p->count != p->rows * p->columns) return false;
    *out = grid_blank(a, p->rows, p->columns, 0);
    if (!out->cells) return false;
    for (int k = 0; k < p->count; k++) {
        int value = p->props[k * PIECE_PROPERTIES + prop];
        if (n ? !found(table, n, value, &value) : value < 0 || value > 9) return false;
        grid_edit(*out)[k] = (signed char)value;
    }
    return true;
}

// ---- On each other ----

static int cell_at(const Pieces *p, int k, int i, int j) {
    return p->grid.cells[(p->at[k].top + i) * p->grid.width + p->at[k].left + j];
}

int pieces_overlay_key(const Pieces *p, int how, int i, int j) {
    int key = 0;
    for (int k = 0; k < p->count; k++) {
        int c = cell_at(p, k, i, j);
        if (how == Overlay_BY_WHICH_FILLED) key |= (c != p->ground) << k;
        else if (how == Overlay_BY_HOW_MANY) key += c != p->ground;
        else key = key * 10 + (c < 0 || c > 9 ? 0 : c);
    }
    return key;
}

bool pieces_overlaid(Arena *a, const Pieces *p, int how, const KeyValue *table, int n, ts_grid *out) {
    if (p->count < 2 || p->count > OVERLAY_MOST) return false;
    int h = p->at[0].height, w = p->at[0].width;
    for (int k = 1; k < p->count; k++)
        if (p->at[k].height != h || p->at[k].width != w) return false;
    *out = grid_blank(a, h, w, p->ground);
    if (!out->cells) return false;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int value, key = pieces_overlay_key(p, how, i, j), first = 0;
            if (!found(table, n, key, &value)) return false;
            while (first < p->count - 1 && cell_at(p, first, i, j) == p->ground) first++;
            if (value == OverlayColor_FIRST_FILLED) value = cell_at(p, first, i, j);
            else if (value < 0) {
                if (-1 - value >= p->count) return false;
                value = cell_at(p, -1 - value, i, j);
            }
            grid_edit(*out)[i * w + j] = (signed char)value;
        }
    return true;
}

// ---- Measured ----

bool pieces_measure(const Pieces *p, int prop, int how, int *value) {
    assert(p->props && prop >= 0 && prop < PIECE_PROPERTIES);
    int most = INT32_MIN, least = INT32_MAX, sum = 0, distinct = 0, equal = 0, common = 0, held = 0;
    for (int k = 0; k < p->count; k++) {
        int v = p->props[k * PIECE_PROPERTIES + prop], same = 0, before = 0;
        for (int l = 0; l < p->count; l++) {
            bool is = p->props[l * PIECE_PROPERTIES + prop] == v;
            same += is;
            before += is && l < k;
        }
        most = v > most ? v : most;
        least = v < least ? v : least;
        sum += v;
        distinct += !before;
        equal += v == how - Measure_HOW_MANY_WITH;
        if (same > held || (same == held && v < common)) held = same, common = v;
    }
    if (!p->count && how != Measure_HOW_MANY && how < MEASURES) return false;
    const int values[MEASURES] = {p->count, most, least, sum, distinct, common};
    *value = how >= Measure_HOW_MANY_WITH ? equal : values[how];
    return true;
}

// ---- Tiled ----

bool summary_tiled(Arena *a, ts_grid g, int n, int m, ts_grid motions, ts_grid *out) {
    int h = g.height, w = g.width;
    const int most = summary_side(g);
    if (n < 1 || m < 1 || n > most || m > most || n * h > most || m * w > most) return false;
    ts_grid moved[SYMMETRIES];
    for (int k = 0; k < SYMMETRIES; k++)
        if (!grid_moved(a, g, k, &moved[k])) return false;
    *out = grid_blank(a, n * h, m * w, 0);
    if (!out->cells) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int motion = motions.cells[i % motions.height * motions.width + j % motions.width];
            if (motion < 0 || motion >= SYMMETRIES) return false;
            if (moved[motion].height != h || moved[motion].width != w) return false;
            grid_put(*out, moved[motion], i * h, j * w);
        }
    return true;
}

bool summary_repeats(ts_grid tile, ts_grid y) {
    if (y.height % tile.height || y.width % tile.width) return false;
    for (int i = 0; i < y.height; i++)
        for (int j = 0; j < y.width; j++)
            if (y.cells[i * y.width + j] != tile.cells[i % tile.height * tile.width + j % tile.width])
                return false;
    return true;
}

// ---- A copy for each cell ----

bool summary_kron(Arena *a, ts_grid each, ts_grid copy, int how, ts_grid *out) {
    int h = each.height * copy.height, w = each.width * copy.width, kind = how % COPIES_TINTED;
    bool tinted = how >= COPIES_TINTED;
    const int most = summary_side(each);
    if (h > most || w > most) return false;
    int counts[10], ground = ground_of(copy),
                    color = kind >= CopyCells_EACH_OF ? kind - CopyCells_EACH_OF : ground_of(each);
    colors_count(each, counts);
    if (kind == CopyCells_EACH_COMMONEST || kind == CopyCells_EACH_RAREST)
        color = colors_by_count(counts, -1, kind == CopyCells_EACH_RAREST);
    *out = grid_blank(a, h, w, 0);
    if (!out->cells) return false;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int c = each.cells[i / copy.height * each.width + j / copy.width];
            int d = copy.cells[i % copy.height * copy.width + j % copy.width];
            if ((c == color) == (kind == CopyCells_EACH_FILLED)) continue;
            grid_edit(*out)[i * w + j] = (signed char)(tinted && d != ground ? c : d);
        }
    return true;
}
