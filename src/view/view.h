// Views: a grid seen in a simpler way, in which a rule may be simpler too, and what was found there turned
// back.
//
//   lattice   a grid of cells with lines between them, as the grid of the cells' colours
//   ranked    colours renamed by how many cells they have: 0 the most, 1 the next, …
//   rare      the background as 0, the other colours renamed by how few cells they have
//   trimmed   the box of all that is not background
//   small     blocks of k by k equal cells as one cell
//   upright   turned and mirrored so that most of what is not background lies above and to the left
//   unframed  without its outermost ring, which is of one colour
//   flipped   rows as columns
//   largest   the box of the part with most cells, of any colours and connected over corners; the first of
//   equals smallest  the same with the fewest
//
// The view of a grid depends on that grid alone, so it can be taken of a test input. A result is turned back
// by way of the input it came from: its lattice, its colours, its place, its turn.
#ifndef TESSERA_VIEW_VIEW_H
#define TESSERA_VIEW_VIEW_H

#include "grid/grid.h"
#include "parts/parts.h"

typedef enum {
    VIEW_LATTICE,
    VIEW_RANKED,
    VIEW_RARE,
    VIEW_TRIMMED,
    VIEW_SMALL,
    VIEW_UPRIGHT,
    VIEW_UNFRAMED,
    VIEW_FLIPPED,
    VIEW_LARGEST,
    VIEW_SMALLEST,
    VIEWS
} View;
extern const char *const view_names[VIEWS];

// The view of a grid. False where it has none such, or memory is short. Cells are 0 to 9, sides at most 64.
bool view_take(Arena *a, View view, ts_grid grid, ts_grid *seen);
// What `result`, found in the view of `input`, means for the input itself.
bool view_back(Arena *a, View view, ts_grid input, ts_grid result, ts_grid *back);
// The other way round: what is to be found in the view, for this output. False where turning it back would
// not give the output.
bool view_output(Arena *a, View view, ts_grid input, ts_grid output, ts_grid *seen);

// The boxes that a grid falls into: of its parts of a kind, or, for kind BOXES_LATTICE, the cells of its
// lattice.
enum { BOXES_LATTICE = PARTS_KINDS, BOXES_KINDS };
// NULL where there are none such, or memory is short.
const Box *view_boxes(Arena *a, ts_grid grid, int kind, int *count);

#endif
