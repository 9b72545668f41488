// Pieces put together to one grid: each is given a place by one layout for all of them, and the whole is
// painted. Pieces, their views and their order are those of cutout/crop.h; layouts and sizes are the shapes
// Assembly and Canvas of words/assemble.def.
#ifndef TESSERA_ASSEMBLE_ASSEMBLY_H
#define TESSERA_ASSEMBLE_ASSEMBLY_H

#include "cutout/crop.h"

enum {
    ASSEMBLY_MOST = 40, // pieces
    ASSEMBLY_MOST_SIDE = GRID_TASK_SIDE,
    ASSEMBLY_MOST_WORK = 4000000, // units for trying places; what takes more is given up
    ASSEMBLIES = Assembly_INTERLOCKED + 1,
};

typedef struct {
    int kind, a, b, c; // an Assembly and its fields
    int canvas;        // a Canvas
} Assembly;

// Puts n pieces together; views has that of each piece, of height 0 where there is none. False where it
// cannot be done: a piece without a view, marks that are not there, two pieces for one place, too large.
// Where a grid is wanted (NULL: none is), false too as soon as it is seen that the result is another. *work
// grows by what it took.
bool assembly_made(Arena *a, const Pieces *p, const ts_grid *views, const int *order, int n,
                   const Assembly *how, const ts_grid *wanted, int64_t *work, ts_grid *out);
// The background of pieces: that of the grid, or where none of them has any of it, and all have the same
// commonest colour beside others, that colour.
int assembly_ground(const Pieces *p, const ts_grid *views, const int *order, int n);
// Pieces moved into the rest of the grid; color: an OwnOrColor. (jigsaw.c)
bool assembly_interlocked(Arena *a, const Pieces *p, const ts_grid *views, const int *order, int n, int color,
                          int64_t *work, ts_grid *out);

#endif
