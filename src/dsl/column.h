// A function over many elements at once: each step of the function is done for all elements before the next
// step.
#ifndef TESSERA_DSL_COLUMN_H
#define TESSERA_DSL_COLUMN_H

#include "dsl/ops.h"

// The elements of a container one after the other; NULL once something has failed.
const Value *column_of(Ctx *c, Value container, size_t *n);

// out[k] = f(x[k]) for n elements. False once something has failed; what is in `out` then means nothing.
bool column_call1(Ctx *c, Value f, const Value *x, size_t n, Value *out);
// out[k] = f(x[k], y[k]).
bool column_call2(Ctx *c, Value f, const Value *x, const Value *y, size_t n, Value *out);

// All pairs of n values of x and m values of y, in any order: for sets.
bool column_cross(Ctx *c, Value f, const Value *x, size_t n, const Value *y, size_t m, Value *out);

// The places of n keys in order, equal ones as they come; NULL once something has failed.
uint32_t *column_order(Ctx *c, const Value *keys, size_t n, bool descending);
// Keys to be ranked, with tuples (row, column, colour) in the place of cells; NULL once something has failed.
const Value *patch_cells_by_rows(Ctx *c, const Value *keys, size_t n); // (rank.c)

#endif
