// Mutations of a program: small changes that keep it well typed.
//
// A mutation is made on a copy whose lines may refer to each other in any order, and which is then laid out
// anew through a Draft. So what it leaves without use is gone, what it makes equal is one, and the result is
// canonical. What does not type-check, changes nothing, or forgets the input is thrown away and tried again.
#ifndef TESSERA_MUTATE_MUTATE_H
#define TESSERA_MUTATE_MUTATE_H

#include "base/rng.h"
#include "program/draft.h"
#include "program/grammar.h"
#include "program/types.h"

enum { MUTATE_MOST_LINES = 120, MUTATE_LONGEST_PARENT = 1000 };
enum { MUTATE_MOST_RULES = GRAMMAR_RULES + GRAMMAR_MOST_MORE };

// The rules of the grammar by their sort, and the least that each of them needs: lines with its own, and
// costs.
typedef struct {
    uint16_t rules[MUTATE_MOST_RULES], first[SORTS + 1]; // those of a sort, in `rules`
    uint8_t lines[MUTATE_MOST_RULES], cost[MUTATE_MOST_RULES];
    uint8_t least_lines[SORTS], least_cost[SORTS];
    GrammarMore more; // its rules have the numbers from GRAMMAR_RULES on
} Grammar;

typedef struct {
    const ts_programs *source; // where parts to graft come from
    ts_colors colors;          // of the samples
    unsigned kinds;            // a bit for each kind of mutation that may be made
    const double *worth;       // factors of their weights; NULL: 1 for all
    Grammar grammar;
    Rng rng;
    Ctx ctx[2]; // hold the program under way, and the one that is tried
    int at;     // which of them is which
    Ctx said;   // holds constants that were made, until the next call
    Text note;  // what was done, in words
    Draft draft;
    bool failed; // memory has run out

    // The program under way: what it was, and its lines and constants as they are being changed.
    const Program *p;
    Type *types, *other_types; // of p; of a program that is looked at beside it
    size_t type_room, other_type_room;
    DraftLine *lines;
    Value *constants;
    uint32_t line_count, line_room, constant_count, constant_room;
    Ref *places; // of the lines, in the draft; of the lines of a part that is grafted
    size_t place_room;
    Ref result;
    Type wanted; // of the result
    int unsaid;  // parameters that want words and get something that is worked out
    bool takes_samples;
    OpOrigin origin; // of p: no primitives of a wider language
} Mutator;

void mutator_init(Mutator *m, const ts_programs *source, ts_colors colors, unsigned kinds); // 0: all
void mutator_free(Mutator *m);

// Mutates p at least once, and with the probability `rate` at each line of it. Returns the number of
// mutations made, with what they were in m->note and their number by kind added to `made`; 0 where none was
// found, and where p does not type-check, with the reason in the note. The program lives until the next call.
unsigned mutate_program(Mutator *m, const Program *p, double rate, Program *mutant,
                        size_t made[TS_MUTATIONS]);

// Equal for programs that are the same but for their name.
uint64_t mutate_hash(const Program *p);

#endif
