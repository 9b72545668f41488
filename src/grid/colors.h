// Which colour becomes which: a last step that several engines learn.
#ifndef TESSERA_GRID_COLORS_H
#define TESSERA_GRID_COLORS_H

#include "base/text.h"
#include "tessera.h"

enum { COLOR_UNSEEN = 10 };

// Adds what two grids say. False where they differ in size, or a colour has become two.
bool colors_learn(ts_grid from, ts_grid to, int8_t table[10]);
// The lines that make O from x1, if the table changes a colour.
void colors_print(Text *t, const int8_t table[10]);

#endif
