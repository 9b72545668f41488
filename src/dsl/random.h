// Random arguments for a primitive, by the types that ops.def gives: for the benchmark, the tests and
// fuzzing.
#ifndef TESSERA_DSL_RANDOM_H
#define TESSERA_DSL_RANDOM_H

#include "base/rng.h"
#include "dsl/ops.h"

Value random_value(Ctx *c, Rng *r, const char *type);
void random_arguments(Ctx *c, Rng *r, Op op, Value *a);

#endif
