// Colours: counted, the background among them, and which becomes which.
#ifndef TESSERA_GRID_COLORS_H
#define TESSERA_GRID_COLORS_H

#include "grid/grid.h"

// Cells of each colour, 0 to 9; what else there is does not count.
void colors_count(ts_grid grid, int counts[10]);
// Whether every cell has a colour, 0 to 9.
bool colors_everywhere(ts_grid grid);
// A bit for each colour that is there.
unsigned colors_in(ts_grid grid);
// The commonest (or rarest) colour that is there, the lowest of equals, one left out (-1: none is); -1 where
// there is none.
int colors_by_count(const int counts[10], int without, bool rarest);
// Of a set of colours the one that there is; -1 for none and for many.
static inline int colors_only(unsigned colors) {
    return colors && !(colors & (colors - 1)) ? __builtin_ctz(colors) : -1;
}
// The colour taken for background: the one with most cells, black where it is within half of that.
int ground_of(ts_grid grid);

// ---- Which colour becomes which: a last step that several engines learn ----

enum { COLOR_UNSEEN = 10 };

// A grid in other colours. False where a cell has none, or memory is short.
bool colors_renamed(Arena *a, ts_grid grid, const int8_t table[10], ts_grid *out);
// Adds what two grids say. False where they differ in size, or a colour has become two.
bool colors_learn(ts_grid from, ts_grid to, int8_t table[10]);
// The lines that make O from x1, if the table changes a colour.
void colors_print(Text *t, const int8_t table[10]);

#endif
