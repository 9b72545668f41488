// Grids as a whole: made, copied, cut out, moved, compared, printed.
#ifndef TESSERA_GRID_GRID_H
#define TESSERA_GRID_GRID_H

#include "base/arena.h"
#include "base/text.h"
#include "grid/geometry.h"
#include "tessera.h"

static inline signed char *grid_edit(ts_grid g) { return (signed char *)(uintptr_t)g.cells; }
static inline bool grid_same_size(ts_grid a, ts_grid b) { return a.height == b.height && a.width == b.width; }
uint64_t grid_hash(ts_grid grid);
// As a literal of the language.
void grid_print(Text *t, ts_grid grid);

ts_grid grid_blank(Arena *a, int height, int width, int color); // cells NULL where memory is short

// All of these are false where memory is short.
bool grid_copy(Arena *a, ts_grid grid, ts_grid *out);
// What lies in a box of a grid; false too where it is no box of it.
bool grid_cut(Arena *a, ts_grid grid, int top, int left, int height, int width, ts_grid *out);
// As it is, it has the very cells that it had.
bool grid_moved(Arena *a, ts_grid grid, int symmetry, ts_grid *out);

#endif
