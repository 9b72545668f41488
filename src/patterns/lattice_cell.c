// What one cell of a lattice says about the others; see patterns.h.
#include <assert.h>
#include <string.h>

#include "grid/colors.h"
#include "grid/lattice.h"
#include "patterns/patterns.h"

enum { LATTICE_MOST = 256 }; // cells

typedef struct {
    ts_grid grid;
    Lattice lines;
    int count, columns;      // rooms, of them in a row
    int height, width;       // of each
    int start[LATTICE_MOST]; // of each: its first cell
    int ground;
    int64_t work;
} Rooms;

static int at(const Rooms *l, int room, int i, int j) {
    return l->grid.cells[l->start[room] + i * l->grid.width + j];
}

// The rooms, which must be of one size, and the commonest colour in them.
static bool find_rooms(ts_grid grid, Rooms *l) {
    int count[10] = {0};
    l->grid = grid;
    l->work = 20 * grid.height * grid.width;
    if (!colors_everywhere(grid)) return false;
    if (!lattice_by_rooms(grid, 4, &l->lines) || lattice_rooms(&l->lines) > LATTICE_MOST) return false;
    l->count = lattice_rooms(&l->lines);
    l->columns = l->lines.columns.count;
    for (int k = 0; k < l->count; k++) {
        Box room = lattice_room(&l->lines, k);
        if (k == 0) l->height = box_height(room), l->width = box_width(room);
        if (box_height(room) != l->height || box_width(room) != l->width) return false;
        l->start[k] = room.top * grid.width + room.left;
        for (int n = 0; n < l->height * l->width; n++) count[at(l, k, n / l->width, n % l->width)]++;
    }
    l->ground = colors_by_count(count, -1, false);
    return true;
}

static bool rooms_equal(const Rooms *l, int x, int y) {
    for (int i = 0; i < l->height; i++)
        for (int j = 0; j < l->width; j++)
            if (at(l, x, i, j) != at(l, y, i, j)) return false;
    return true;
}

static int measure(Rooms *l, int room, int what) {
    int h = l->height, w = l->width, n = 0;
    unsigned colors = 0;
    l->work += h * w;
    if (what == CellMeasure_EARLINESS) return -room;
    for (int k = 0; k < l->count && what == CellMeasure_EQUAL_PIECES; k++, l->work += h * w)
        n += rooms_equal(l, room, k);
    if (what == CellMeasure_EQUAL_PIECES) return n;
    for (int k = 0; k < h * w; k++) {
        int color = at(l, room, k / w, k % w);
        if (what == CellMeasure_FILLED_CELLS) n += color != l->ground;
        if (what >= CellMeasure_CELLS_COLORED) n += color == what - CellMeasure_CELLS_COLORED;
        colors |= 1U << color;
    }
    return what == CellMeasure_COLORS_SHOWN ? __builtin_popcount(colors) : n;
}

// The one cell with the most, or the least, of what is measured; -1 where there are several.
static int choose(Rooms *l, int what, bool least) {
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

static void put(const Rooms *l, int room, int i, int j, int color, int8_t *out) {
    out[l->start[room] + i * l->grid.width + j] = (int8_t)color;
}

static int commonest(const Rooms *l, int room) {
    int count[10] = {0};
    for (int n = 0; n < l->height * l->width; n++) count[at(l, room, n / l->width, n % l->width)]++;
    int best = colors_by_count(count, l->ground, false);
    return best < 0 ? l->ground : best;
}

// The cell that the chosen one goes to: where in it a colour lies, that none of its other cells has.
static int destination(const Rooms *l, int chosen, int color) {
    int h = l->height, w = l->width, found = -1;
    for (int n = 0; n < h * w; n++) {
        if (at(l, chosen, n / w, n % w) != color) continue;
        if (found >= 0) return -1;
        found = n / w * l->columns + n % w;
    }
    return found;
}

// The colour of a cell of room k afterwards.
static int result(const Rooms *l, const CellRule *r, int chosen, int k, int i, int j, bool empty) {
    int own = at(l, k, i, j), theirs = at(l, chosen, i, j);
    switch (r->use) {
    case CellUse_STAYS_ALONE: return k == chosen ? own : l->ground;
    case CellUse_FILLED_ALONE: return k == chosen ? commonest(l, chosen) : l->ground;
    case CellUse_MAPS_ALL: return at(l, chosen, k / l->columns, k % l->columns);
    case CellUse_FILLS_EMPTY: return empty ? theirs : own;
    case CellUse_FILLS_MARKED: return empty ? own : theirs;
    case CellUse_LIES_UNDER: return own != l->ground || theirs == l->ground ? own : theirs;
    case CellUse_LIES_UNDER_AS_LINES: return own != l->ground || theirs == l->ground ? own : l->lines.color;
    default: return k == destination(l, chosen, r->color) ? theirs : l->ground;
    }
}

int64_t patterns_from_cell(ts_grid grid, const CellRule *rule, int8_t *out) {
    assert(rule->what >= 0 && rule->what < CELL_MEASURES && (unsigned)rule->use < CELL_USES);
    Rooms l;
    if (!grid_fits(grid, GRID_TASK_SIDE) || !find_rooms(grid, &l)) return -1;
    int h = l.height, w = l.width, chosen = choose(&l, rule->what, rule->least);
    bool mapped = rule->use == CellUse_MAPS_ALL || rule->use == CellUse_GOES_TO;
    if (chosen < 0 || (mapped && (h != l.count / l.columns || w != l.columns))) return -1 - l.work;
    if (rule->use == CellUse_GOES_TO && destination(&l, chosen, rule->color) < 0) return -1 - l.work;
    memcpy(out, grid.cells, (size_t)(grid.height * grid.width));
    for (int k = 0; k < l.count; k++) {
        bool empty = measure(&l, k, CellMeasure_FILLED_CELLS) == 0;
        for (int n = 0; n < h * w; n++)
            put(&l, k, n / w, n % w, result(&l, rule, chosen, k, n / w, n % w, empty), out);
    }
    int64_t each = rule->use == CellUse_FILLED_ALONE || rule->use == CellUse_GOES_TO ? h * w : 4;
    return l.work + each * grid.height * grid.width;
}
