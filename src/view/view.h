// Views: a grid seen in a simpler way, in which a rule may be simpler too, and what was found there turned
// back. words/view.def says which there are; of equal things the first one counts.
//
// The view of a grid depends on that grid alone, so it can be taken of a test input. A result is turned back
// by way of the input it came from: its lattice, its colours, its place, its turn.
#ifndef TESSERA_VIEW_VIEW_H
#define TESSERA_VIEW_VIEW_H

#include "grid/grid.h"
#include "parts/parts.h"
#include "words/words.h"

enum { VIEWS = View_GROUND_AS_BLACK + 1 };

// The view of a grid. False where it has none such, or memory is short. Cells are 0 to 9, sides at most 64.
bool view_take(Arena *a, int view, ts_grid grid, ts_grid *seen);
// What `result`, found in the view of `input`, means for the input itself.
bool view_back(Arena *a, int view, ts_grid input, ts_grid result, ts_grid *back);
// The other way round: what is to be found in the view, for this output. False where turning it back would
// not give the output.
bool view_output(Arena *a, int view, ts_grid input, ts_grid output, ts_grid *seen);

// The boxes that a grid falls into, by an EachKind.
// NULL where there are none such, or memory is short.
const Box *view_boxes(Arena *a, ts_grid grid, int kind, int *count);

#endif
