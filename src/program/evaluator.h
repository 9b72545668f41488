// An engine: the memory and the limits of evaluations, one thread's at a time.
#ifndef TESSERA_PROGRAM_EVALUATOR_H
#define TESSERA_PROGRAM_EVALUATOR_H

#include "program/program.h"

#define EVALUATOR_MEMORY ((size_t)512 << 20) // of an evaluation; stands behind the units
#define EVALUATOR_UNITS (10 * 1000 * 1000)   // that it has where nothing else is said
#define EVALUATOR_UNMETERED (INT64_MAX / 2)  // units for what is given: it costs a program nothing

struct ts_engine {
    Ctx ctx;
    uint64_t units;       // per evaluation
    ts_programs *scratch; // for expressions
};

void evaluator_begin(ts_engine *engine); // forgets the evaluation before
// What came out so far, with the line of the text where it failed, if it did.
ts_result evaluator_result(const ts_engine *engine, Value value, uint32_t line);

#endif
