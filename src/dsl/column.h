// A function over many elements at once: each step of the function is done for all elements before the next
// step.
#ifndef TESSERA_COLUMN_H
#define TESSERA_COLUMN_H

#include "dsl/ops.h"

// The elements of a container one after the other; NULL once something has failed.
const Value *column_of(Ctx *c, Value container, size_t *n);

// out[k] = f(x[k]) for n elements. False once something has failed; what is in `out` then means nothing.
bool column_call1(Ctx *c, Value f, const Value *x, size_t n, Value *out);
// out[k] = f(x[k], y[k]).
bool column_call2(Ctx *c, Value f, const Value *x, const Value *y, size_t n, Value *out);

#endif
