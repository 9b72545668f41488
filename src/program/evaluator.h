// An engine: the memory and the limits of evaluations, one thread's at a time.
#ifndef TESSERA_PROGRAM_EVALUATOR_H
#define TESSERA_PROGRAM_EVALUATOR_H

#include "program/program.h"

#define EVALUATOR_MEMORY ((size_t)512 << 20) // of an evaluation; stands behind the units

struct ts_engine {
    Ctx ctx;
    uint64_t units;       // per evaluation
    ts_programs *scratch; // for expressions
};

void evaluator_begin(ts_engine *engine); // forgets the evaluation before

#endif
