// Repair: what a symmetry or a period that the known cells bear out says of the unknown ones.
//
// Cells of the mask colour, and those beyond the grid where a larger one is asked for, are unknown. The way
// that is asked for picks the simplest symmetry or period that no two known cells contradict; what it does
// not reach stays as it was.
#ifndef TESSERA_REPAIR_REPAIR_H
#define TESSERA_REPAIR_REPAIR_H

#include "grid/grid.h"

// Periods of all sizes are tried on all cells: a larger grid would take too long.
enum { REPAIR_MOST_SIDE = 40, REPAIR_NO_MASK = -1 };

typedef enum {
    REPAIR_TILES,       // a period down and one across
    REPAIR_SKEW,        // the same, each tile further down moved aside
    REPAIR_ROWS,        // a period across, the same for all rows
    REPAIR_COLUMNS,     // a period down
    REPAIR_EACH_ROW,    // a period across for each row
    REPAIR_EACH_COLUMN, // a period down for each column
    REPAIR_DIAGONALS,   // the same along diagonals
    REPAIR_MIRROR_H,    // upside down
    REPAIR_MIRROR_V,    // left to right
    REPAIR_MIRRORS,     // both, and the diagonals through their crossing where they hold
    REPAIR_TRANSPOSED,
    REPAIR_TURNED, // by quarters
    REPAIR_KINDS,
    REPAIR_BOX = 16,  // cells of the mask colour within the box of all others are known
    REPAIR_VOTE = 32, // nothing is unknown, but cells may be wrong: the commonest colour of its kind for each
    REPAIR_PARTS = 64, // each part that is not of the mask colour by itself
    REPAIR_HOWS = 128
} RepairHow;

// False where there is no such symmetry or period, the size is none, or memory is short.
bool repair_grid(Arena *a, ts_grid grid, int mask, int how, int height, int width, ts_grid *out);

#endif
