// Workload: thousands of grids of up to 30 by 30, most of which have no lines at all. Sides are at most
// GRID_TASK_SIDE, so that a set of rows is a GridRow.
#include "grid/lattice.h"

#include <string.h>

static GridRow bit(int k) { return (GridRow)1 << k; }

// All that are of one colour, whichever.
static GridLines even_lines(ts_grid g) {
    const GridRow all = grid_row_of(g.width);
    uint64_t columns[2] = {(uint64_t)all, (uint64_t)(all >> 64)};
    GridLines l = {0};
    for (int i = 0; i < g.height; i++) {
        const signed char *row = g.cells + i * g.width;
        int same = 1;
        while (same < g.width && row[same] == row[0]) same++;
        if (same == g.width) l.rows |= bit(i);
        for (int k = 0; k < g.width; k += 64)
            for (uint64_t left = columns[k / 64]; left; left &= left - 1) {
                int j = k + __builtin_ctzll(left);
                if (row[j] != g.cells[j]) columns[k / 64] &= ~(left & -left);
            }
    }
    l.columns = columns[0] | (GridRow)columns[1] << 64;
    return l;
}

static GridLines of_color(ts_grid g, GridLines even, int color) {
    GridLines l = {0};
    for (GridRow left = even.rows; left; left &= left - 1) {
        int i = grid_row_first(left);
        if (g.cells[i * g.width] == color) l.rows |= bit(i);
    }
    for (GridRow left = even.columns; left; left &= left - 1) {
        int j = grid_row_first(left);
        if (g.cells[j] == color) l.columns |= bit(j);
    }
    return l;
}

GridLines grid_lines(ts_grid g, int color) { return of_color(g, even_lines(g), color); }

GridLines grid_repeated_lines(ts_grid g) {
    GridLines l = {0, grid_row_of(g.width) & ~bit(0)};
    for (int i = 0; i < g.height; i++) {
        const signed char *row = g.cells + i * g.width;
        if (i && memcmp(row, row - g.width, (size_t)g.width) == 0) l.rows |= bit(i);
        for (int j = 1; j < g.width; j++)
            if (row[j] != row[j - 1]) l.columns &= ~bit(j);
    }
    return l;
}

bool grid_without(Arena *a, ts_grid g, GridLines lines, ts_grid *out) {
    GridRow rows = grid_row_of(g.height) & ~lines.rows, columns = grid_row_of(g.width) & ~lines.columns;
    if (!rows || !columns) return false;
    *out = grid_blank(a, grid_row_count(rows), grid_row_count(columns), 0);
    signed char *next = grid_edit(*out);
    for (; next && rows; rows &= rows - 1)
        for (GridRow left = columns; left; left &= left - 1)
            *next++ = g.cells[grid_row_first(rows) * g.width + grid_row_first(left)];
    return next;
}

// ---- Lattices ----

static void find_spans(GridRow lines, int n, Spans *s) {
    s->count = 0;
    for (int k = 0; k < n; k++) {
        if (lines >> k & 1) continue;
        if (k == 0 || lines >> (k - 1) & 1) s->start[s->count++] = (int8_t)k;
        s->end[s->count - 1] = (int8_t)(k + 1);
    }
}

static int find_rooms(ts_grid g, int color, GridLines lines, Lattice *l) {
    l->color = color;
    find_spans(lines.rows, g.height, &l->rows);
    find_spans(lines.columns, g.width, &l->columns);
    return lattice_rooms(l);
}

bool lattice_by_lines(ts_grid g, unsigned colors, int spare, Lattice *l) {
    GridLines even = even_lines(g), best = {0};
    int color = -1, most = 0;
    for (int c = 0; c < 10; c++) {
        GridLines own = of_color(g, even, c);
        int lines = grid_row_count(own.rows) + grid_row_count(own.columns);
        if (!(colors >> c & 1) || !lines || (c == spare ? color >= 0 : color != spare && lines <= most))
            continue;
        color = c;
        most = lines;
        best = own;
    }
    return color >= 0 && find_rooms(g, color, best, l) >= 2;
}

bool lattice_by_rooms(ts_grid g, int least, Lattice *l) {
    GridLines even = even_lines(g);
    for (int c = 0; c < 10; c++)
        if (find_rooms(g, c, of_color(g, even, c), l) >= least) return true;
    return false;
}
