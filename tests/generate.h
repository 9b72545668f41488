// Random values and random programs for the tests, from a seed.
//
// Values follow the types of ops.def, mostly as tasks have them (small grids of few colours, objects cut out
// of the grid made last, so that arguments have to do with each other), now and then at the edges of their
// representation: cells of -128 and 128, coordinates of 2047 and 2048, integers of 61 and 64 bits.
//
// One draw a statement: C leaves it to the compiler which of two arguments it evaluates first, and a seed
// means the same with all of them.
#ifndef TESSERA_TEST_GENERATE_H
#define TESSERA_TEST_GENERATE_H

#include "base/rng.h"
#include "program/program.h"

typedef struct {
    Rng rng;
    Ctx *c;       // where the values are made
    Ctx *scratch; // for trying functions out
    Value grid;   // the grid made last
} Gen;

static inline uint32_t gen_below(Gen *g, uint32_t n) { return rng_below(&g->rng, n); }
static inline bool gen_chance(Gen *g, uint32_t percent) { return gen_below(g, 100) < percent; }
static inline int64_t gen_from(Gen *g, int64_t least, int64_t most) {
    return least + (int64_t)gen_below(g, (uint32_t)(most - least + 1));
}

void gen_context(Ctx *c, size_t memory); // a context with memory and units enough for a test

int64_t gen_int(Gen *g);                     // any integer, edges among them
Value gen_any(Gen *g, int depth);            // any value, nested at most so deep
Value gen_typed(Gen *g, const char *type);   // a value of a type of ops.def
Value gen_function(Gen *g, int arity);       // a function that takes so many arguments
void gen_arguments(Gen *g, Op op, Value *a); // arguments that the primitive mostly accepts
// The value made again by another route: sets in another order, grids row by row, pairs from their parts.
Value gen_rebuild(Gen *g, Value v);
// Whether all bytes are the same, in depth.
bool gen_identical(Value a, Value b);

// A program `def NAME(I):` as text, with the value that it has to give for the grid: found by calling the
// primitives directly, without the reader. False where nothing came of it.
bool gen_program(Gen *g, const char *name, Value grid, Text *text, Value *result);

// A program `def NAME(S, I, C):` as text that chooses between what two programs of the set give. Either may
// fail, and so may the condition.
void gen_choice(Rng *r, const ts_programs *set, const char *name, Text *text);

#endif
