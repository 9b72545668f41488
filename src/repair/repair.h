// Repair: what a symmetry or a period that the known cells bear out says of the unknown ones.
//
// Cells of the mask colour, and those beyond the grid where a larger one is asked for, are unknown. The way
// that is asked for picks the simplest symmetry or period that no two known cells contradict; what it does
// not reach stays as it was.
#ifndef TESSERA_REPAIR_REPAIR_H
#define TESSERA_REPAIR_REPAIR_H

#include "grid/grid.h"
#include "words/words.h"

// Periods of all sizes are tried on all cells: a larger grid would take too long.
enum { REPAIR_MOST_SIDE = 40 };

// A way is a Repair, which has a kind and options (words/repair.def).
enum {
    REPAIR_KINDS = Repair_QUARTER_TURNS + 1,
    REPAIR_OPTION = 16, // what an option is multiplied by
    REPAIR_BOX = REPAIR_OPTION << RepairOptions_BOX_IS_KNOWN,
    REPAIR_VOTE = REPAIR_OPTION << RepairOptions_BY_VOTE,
    REPAIR_PARTS = REPAIR_OPTION << RepairOptions_EACH_THING,
    REPAIR_HOWS = 2 * REPAIR_PARTS
};

// False where there is no such symmetry or period, the size is none, or memory is short. *units becomes what
// it took; where that is more than it was, the search for one was ended.
bool repair_grid(Arena *a, ts_grid grid, int mask, int how, int height, int width, int64_t *units,
                 ts_grid *out);

#endif
