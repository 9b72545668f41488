// Things put into a frame: one piece of the grid is cut out, and the parts outside of it go in, scaled,
// turned and painted as it asks. How is the shape Fitting of words/assemble.def.
#ifndef TESSERA_ASSEMBLE_FIT_H
#define TESSERA_ASSEMBLE_FIT_H

#include "cutout/crop.h"

enum { FITS = Fit_ON_MARKS + 1, FIT_MOST_ITEMS = 12, FIT_MOST_WORK = 4000000 };

typedef struct {
    int items; // a PartsKind
    int fit, turn, paint;
} Fitting;

// Fits what lies outside of the frame, a piece of the grid, into its view. False where that cannot be done,
// or there are several ways that differ. *work grows by what it took.
bool fit_made(Arena *a, const Pieces *p, int frame, ts_grid view, const Fitting *how, int64_t *work,
              ts_grid *out);

#endif
