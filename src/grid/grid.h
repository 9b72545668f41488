// Grids as a whole: made, copied, cut out, moved, scaled, compared, printed.
#ifndef TESSERA_GRID_GRID_H
#define TESSERA_GRID_GRID_H

#include "base/arena.h"
#include "base/text.h"
#include "grid/geometry.h"
#include "tessera.h"

enum {
    GRID_TASK_SIDE = TS_MOST_SIDE,    // the longest of a task, and so of an answer: coordinates are bytes
    GRID_USUAL_SIDE = TS_KAGGLE_SIDE, // the longest in ARC's own tasks: these have to be quick
};

// A bit for each cell of a row, or of a column.
__extension__ typedef unsigned __int128 GridRow;
static inline int grid_row_count(GridRow row) {
    return __builtin_popcountll((uint64_t)row) + __builtin_popcountll((uint64_t)(row >> 64));
}
static inline int grid_row_first(GridRow row) { // of one that has a bit
    return (uint64_t)row ? __builtin_ctzll((uint64_t)row) : 64 + __builtin_ctzll((uint64_t)(row >> 64));
}
static inline GridRow grid_row_of(int n) { return ((GridRow)1 << n) - 1; } // the first n, below 128

static inline signed char *grid_edit(ts_grid g) { return (signed char *)(uintptr_t)g.cells; }
static inline bool grid_fits(ts_grid g, int side) { return g.height <= side && g.width <= side; }
// The longest side of what coarse steps make of a grid: there is no use for more than twice the usual.
static inline int grid_reach(ts_grid g) { return grid_fits(g, GRID_USUAL_SIDE) ? 64 : GRID_TASK_SIDE; }
static inline bool grid_same_size(ts_grid a, ts_grid b) { return a.height == b.height && a.width == b.width; }
uint64_t grid_hash(ts_grid grid);
// As a literal of the language.
void grid_print(Text *t, ts_grid grid);

ts_grid grid_blank(Arena *a, int height, int width, int color); // cells NULL where memory is short

// All of these are false where memory is short.
bool grid_copy(Arena *a, ts_grid grid, ts_grid *out);
// What lies in a box of a grid; false too where it is no box of it.
bool grid_cut(Arena *a, ts_grid grid, Box box, ts_grid *out);
// As it is, it has the very cells that it had.
bool grid_moved(Arena *a, ts_grid grid, int symmetry, ts_grid *out);
// Every cell a block of n by n, and back; false too where a side would be longer than `most`, or blocks are
// not of one colour.
bool grid_scaled(Arena *a, ts_grid grid, int n, int most, ts_grid *out);
bool grid_unscaled(Arena *a, ts_grid grid, int n, ts_grid *out);
// The largest n of which that is so.
int grid_block_side(ts_grid grid);

// Lays a grid on another, within which it is.
void grid_put(ts_grid to, ts_grid grid, int top, int left);
// The box of all cells that are of a colour, or of all that are not; false where there are none.
bool grid_box(ts_grid grid, int color, bool is, Box *box);

#endif
