// Why a program failed: which call, perhaps inside of a function that its line calls, and which argument.
//
// Nobody pays for this on the way. A program that has failed is run again up to the line that failed; then
// that line's functions are taken apart, and called part by part and element by element, until the call is
// found that fails by itself. blame.c finds it, blame_say.c puts it into words.
#ifndef TESSERA_PROGRAM_BLAME_H
#define TESSERA_PROGRAM_BLAME_H

#include "program/program.h"

enum { BLAME_NO_ARGUMENT = -1 };

typedef struct {
    ts_failure kind;
    const char *message; // of a registered primitive that failed; may be NULL
    uint32_t line;       // of the program, from 0
    // The call that fails. LINE_CALLS_VALUE: `callee` is no function, or takes another number of arguments.
    int op;
    Value callee;
    int n;
    Value args[LINE_MOST_ARGS];
    int argument; // that is to blame, from 0; BLAME_NO_ARGUMENT where none is alone
    bool misfits; // it is not of the type that the primitive takes
    bool inside;  // the call is not that of the line but of a function that it calls
    // The element at which the line's own primitive, such as apply, has called it: counted from 1, 0 where it
    // does not go over elements; and which argument of the line that is an element of.
    uint32_t place;
    int container;
    Value element;
} Blame;

// What a program is given.
typedef struct {
    Value samples, input, candidate;
} BlameGiven;

// Runs the program again with so many units, in a context that has just begun; what was found is of values in
// it. False where the program does not fail, with what it gives; a failure where memory is short.
bool program_blame(Ctx *c, const Program *p, const BlameGiven *given, int64_t units, Blame *b, Value *result);

// What went wrong, as part of a sentence, and what could be done about it: nothing where that is not clear.
void blame_print(Text *t, const Blame *b, const Program *p);
void blame_print_remedy(Text *t, const Blame *b, const Program *p);

// Runs the program as program_blame does, and says what is wrong: a failure, or what it gives held against
// the grid that is wanted (NULL: any grid is fine). False where nothing is. (explain.c)
bool program_explain(Ctx *c, const Program *p, const BlameGiven *given, const ts_grid *wanted, int64_t units,
                     ts_fault *fault);

#endif
