// What the primitives that choose among pieces share: rules as the codes of words.
#ifndef TESSERA_CUTOUT_CUTOUT_OP_H
#define TESSERA_CUTOUT_CUTOUT_OP_H

#include "cutout/crop.h"
#include "dsl/ops.h"

// A grid, a look and a choice or an order (the shape says which), in a[0] to a[2]: the pieces with their
// properties, the view, which are meant. False, with the failure set, where they do not fit.
bool cutout_need_choice(Ctx *c, const Value *a, Shape shape, Pieces *p, int *view, Choice *choice);
// What a primitive gives: the grid, or a failure where it was not done.
Value cutout_grid_value(Ctx *c, bool done, ts_grid grid);

#endif
