// What one cell of a lattice says about the others; see patterns.h.
#include <string.h>

#include "patterns/patterns.h"
#include "view/view.h"

enum { LATTICE_MOST = 256 }; // cells

typedef struct {
    ts_grid grid;
    const ViewBox *boxes;
    int count, columns; // boxes, of them in a row
    int separator, ground;
    int64_t work;
} Lattice;

static int at(const Lattice *l, int box, int i, int j) {
    return l->grid.cells[(l->boxes[box].top + i) * l->grid.width + l->boxes[box].left + j];
}

// The boxes, which must be of one size, and the commonest colour in them.
static bool lattice_of(Arena *a, ts_grid grid, Lattice *l) {
    int count[10] = {0};
    *l = (Lattice){.grid = grid, .work = 20 * grid.height * grid.width};
    for (int n = 0; n < grid.height * grid.width; n++)
        if (grid.cells[n] < 0 || grid.cells[n] > 9) return false;
    l->boxes = view_boxes(a, grid, BOXES_LATTICE, &l->count);
    if (!l->boxes || l->count < 2 || l->count > LATTICE_MOST) return false;
    while (l->columns < l->count && l->boxes[l->columns].top == l->boxes[0].top) l->columns++;
    for (int k = 0; k < l->count; k++) {
        if (l->boxes[k].height != l->boxes[0].height || l->boxes[k].width != l->boxes[0].width) return false;
        for (int n = 0; n < l->boxes[0].height * l->boxes[0].width; n++)
            count[at(l, k, n / l->boxes[0].width, n % l->boxes[0].width)]++;
    }
    l->ground = color_by_count(count, -1, false);
    const ViewBox *last = &l->boxes[l->count - 1], *first = l->boxes;
    // A line runs below the first row of boxes, or to the right of the first column.
    l->separator = last->top > first->top ? at(l, 0, first->height, 0) : at(l, 0, 0, first->width);
    return true;
}

static bool boxes_equal(const Lattice *l, int x, int y) {
    for (int i = 0; i < l->boxes[0].height; i++)
        for (int j = 0; j < l->boxes[0].width; j++)
            if (at(l, x, i, j) != at(l, y, i, j)) return false;
    return true;
}

static int measure(Lattice *l, int box, int what) {
    int h = l->boxes[0].height, w = l->boxes[0].width, n = 0;
    unsigned colors = 0;
    l->work += h * w;
    if (what == CELL_FIRST) return -box;
    for (int k = 0; k < l->count && what == CELL_ALIKE; k++, l->work += h * w) n += boxes_equal(l, box, k);
    if (what == CELL_ALIKE) return n;
    for (int k = 0; k < h * w; k++) {
        int color = at(l, box, k / w, k % w);
        if (what == CELL_THINGS) n += color != l->ground;
        if (what >= CELL_COLOR) n += color == what - CELL_COLOR;
        colors |= 1U << color;
    }
    return what == CELL_COLORS ? __builtin_popcount(colors) : n;
}

// The one cell with the most, or the least, of what is measured; -1 where there are several.
static int choose(Lattice *l, int what, bool least) {
    int best = -1, most = 0;
    bool alone = false;
    for (int k = 0; k < l->count; k++) {
        int n = least ? -measure(l, k, what) : measure(l, k, what);
        if (best >= 0 && n <= most) {
            alone &= n < most;
            continue;
        }
        best = k;
        most = n;
        alone = true;
    }
    return alone ? best : -1;
}

static void put(const Lattice *l, int box, int i, int j, int color, int8_t *out) {
    out[(l->boxes[box].top + i) * l->grid.width + l->boxes[box].left + j] = (int8_t)color;
}

static int commonest(const Lattice *l, int box) {
    int count[10] = {0};
    for (int n = 0; n < l->boxes[0].height * l->boxes[0].width; n++)
        count[at(l, box, n / l->boxes[0].width, n % l->boxes[0].width)]++;
    int best = color_by_count(count, l->ground, false);
    return best < 0 ? l->ground : best;
}

// The cell that the chosen one goes to: where in it a colour lies, that none of its other cells has.
static int destination(const Lattice *l, int chosen, int color) {
    int h = l->boxes[0].height, w = l->boxes[0].width, found = -1;
    for (int n = 0; n < h * w; n++) {
        if (at(l, chosen, n / w, n % w) != color) continue;
        if (found >= 0) return -1;
        found = n / w * l->columns + n % w;
    }
    return found;
}

// The colour of a cell of box k afterwards.
static int result(const Lattice *l, const CellRule *r, int chosen, int k, int i, int j, bool empty) {
    int own = at(l, k, i, j), theirs = at(l, chosen, i, j);
    switch (r->use) {
    case USE_ALONE: return k == chosen ? own : l->ground;
    case USE_FILL: return k == chosen ? commonest(l, chosen) : l->ground;
    case USE_MAP: return at(l, chosen, k / l->columns, k % l->columns);
    case USE_COPY: return empty ? theirs : own;
    case USE_UNDER: return own != l->ground || theirs == l->ground ? own : theirs;
    case USE_UNDER_LINES: return own != l->ground || theirs == l->ground ? own : l->separator;
    default: return k == destination(l, chosen, r->color) ? theirs : l->ground;
    }
}

int64_t patterns_from_cell(Arena *a, ts_grid grid, const CellRule *rule, int8_t *out) {
    Lattice l;
    if (grid.height > PATTERN_MOST_SIDE || grid.width > PATTERN_MOST_SIDE || !lattice_of(a, grid, &l))
        return -1;
    int h = l.boxes[0].height, w = l.boxes[0].width, chosen = choose(&l, rule->what, rule->least);
    bool mapped = rule->use == USE_MAP || rule->use == USE_GO;
    if (chosen < 0 || (mapped && (h != l.count / l.columns || w != l.columns))) return -1 - l.work;
    if (rule->use == USE_GO && destination(&l, chosen, rule->color) < 0) return -1 - l.work;
    memcpy(out, grid.cells, (size_t)(grid.height * grid.width));
    for (int k = 0; k < l.count; k++) {
        bool empty = measure(&l, k, CELL_THINGS) == 0;
        for (int n = 0; n < h * w; n++)
            put(&l, k, n / w, n % w, result(&l, rule, chosen, k, n / w, n % w, empty), out);
    }
    int64_t each = rule->use == USE_FILL || rule->use == USE_GO ? h * w : 4;
    return l.work + each * grid.height * grid.width;
}
