// What the kinds of mutation share.
//
// A mutation looks at the program as it was, m->p and its types, and changes the lines in m->lines, where a
// reference to a line is to its number there: new lines come last, whatever refers to them.
#ifndef TESSERA_MUTATE_MUTATOR_H
#define TESSERA_MUTATE_MUTATOR_H

#include "mutate/mutate.h"
#include "program/constants.h"

// ---- Room (mutate.c) ----

// At least n elements in an array of m's. What it held is kept.
bool mutator_room(Mutator *m, void **array, size_t *room, size_t n, size_t size);
// A line or a constant more; REF_NONE where memory is short.
Ref mutator_line(Mutator *m, DraftLine line);
Ref mutator_constant(Mutator *m, Value v);

// ---- Choosing ----

static inline uint32_t mutator_below(Mutator *m, uint32_t n) { return rng_below(&m->rng, n); }

// Counts candidates up and says whether this one replaces the one chosen before, so that in the end each was
// equally likely.
static inline bool mutator_take(Mutator *m, uint32_t *seen) { return mutator_below(m, ++*seen) == 0; }

// Whether a primitive is in the language of the program, and may stand for any other: choose is only of use
// where it is put on purpose.
static inline bool mutator_has(const Mutator *m, int op) {
    return ops_table[op].origin <= m->origin && op != OP_choose;
}

static inline bool mutator_allows(const Mutator *m, int op) {
    return op != OP_identity && mutator_has(m, op);
}

// ---- Programs and their arguments (mutate.c) ----

static inline bool mutator_is_constant(const Program *p, uint32_t slot) {
    return slot >= SLOTS_GIVEN && slot < program_slot_of_line(p, 0);
}

// The slot of an argument, -1 being the function that the line calls.
static inline uint32_t mutator_argument_slot(const Line *l, int argument) {
    return argument < 0 ? l->callee : l->args[argument];
}

Ref mutator_ref(const Program *p, uint32_t slot);
Ref *mutator_argument(Mutator *m, uint32_t line, int argument); // of the changed lines
Type mutator_parameter(const Line *l, int argument);            // what may be passed there
// One of the arguments of a line, -1 for the function that it calls; -2 where it has none.
int mutator_any_argument(Mutator *m, const Line *l);
// An earlier value that may be passed, is like the one wanted and is not it: a slot; 0 where there is none (S
// is never chosen, for nothing else is like it).
uint32_t mutator_earlier(Mutator *m, uint32_t line, Type parameter, Type wanted, uint32_t not_this);
// All uses of a value on the lines of the program, and as its result, take another one.
void mutator_replace(Mutator *m, Ref from, Ref to);
// Puts something else in the place of a constant, and half the time everywhere else where it is used for the
// same (mutate_small.c).
void mutator_exchange(Mutator *m, uint32_t line, int argument, ConstantKind kind, Ref to);
// The smallest language that has all primitives of a program. Its mutants stay in it: those of a public
// program have no names that Python does not know.
OpOrigin mutator_origin(const Program *p);
// Whether no words came of it; that memory was short is not forgotten.
bool mutator_said_nothing(Mutator *m);
// What the argument before one is about, for a parameter that follows it.
Shape mutator_yields_before(Mutator *m, const Program *p, const Line *l, int argument);

// ---- Expressions made up (mutate_grow.c) ----

void mutator_learn_grammar(Grammar *g);
// One of these sorts (bits) with at most so many lines, for what stands in the slot `old`; values from before
// a line may be used. REF_NONE where none is found.
Ref mutator_grow(Mutator *m, uint32_t line, uint32_t old, uint64_t sorts, int most);
// The same of the input alone, so that it can stand anywhere, and not without it.
Ref mutator_measure(Mutator *m, uint64_t sorts, int most);

// ---- Notes (mutate.c) ----

void mutator_note_ref(Mutator *m, Ref r, const char *type); // a new line as an expression
void mutator_note_call(Mutator *m, const DraftLine *line);
const char *mutator_type_name(const DraftLine *l, int argument); // that is asked for there; NULL: any
// "line 3: argument 2: "
void mutator_note_place(Mutator *m, uint32_t line, int argument);
// "line 3: argument 2: x1 -> x2"
void mutator_note_change(Mutator *m, uint32_t line, int argument, Ref from, Ref to);

// ---- The kinds: each changes a line, or what it gives, and notes it; false where it cannot ----

typedef bool MutateKind(Mutator *m, uint32_t line);

MutateKind mutate_constant, mutate_color, mutate_primitive, mutate_argument; // (mutate_small.c)
MutateKind mutate_insert, mutate_drop, mutate_retype;
MutateKind mutate_graft, mutate_cross, mutate_chain, mutate_cover; // (mutate_parts.c)
MutateKind mutate_grow, mutate_measure;                            // (mutate_grow.c)

#endif
