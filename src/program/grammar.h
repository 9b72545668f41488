// The grammar of lines that are worth trying: its sorts of values and functions, and its rules (grammar.def).
#ifndef TESSERA_PROGRAM_GRAMMAR_H
#define TESSERA_PROGRAM_GRAMMAR_H

#include "program/types.h"

typedef enum {
    SORT_GRID,
    SORT_GRIDS,
    SORT_OBJECTS,
    SORT_PATCHES, // sets of locations, in a container
    SORT_LIST,    // objects in a tuple
    SORT_NUMBERS,
    SORT_OBJECT,
    SORT_INDICES,
    SORT_PAIR,
    SORT_DIRECTION, // a pair that is one of eight
    SORT_NUMBER,
    SORT_COLOR,
    SORT_TRUTH,
    SORT_FLAGS, // how to look for objects
    SORT_PATCH_TO_NUMBER,
    SORT_PATCH_TO_COLOR,
    SORT_PATCH_TO_TRUTH,
    SORT_PATCH_TO_PAIR,
    SORT_PATCH_TO_INDICES,
    SORT_PATCH_TO_OBJECT,
    SORT_PATCH_TO_GRID,
    SORT_PAIR_TO_INDICES,
    SORT_PAIR_TO_OBJECT,
    SORT_PAIR_TO_NUMBER,
    SORT_PAIR_TO_TRUTH,
    SORT_NUMBER_TO_TRUTH,
    SORT_NUMBER_TO_ROW,
    SORT_ROW_TO_ROW,
    SORT_CELL_TO_TRUTH,
    SORT_GRID_TO_NUMBER,
    SORT_GRID_TO_TRUTH,
    SORT_GRID_TO_GRID,
    SORT_GRID_TO_GRIDS,
    SORTS
} Sort;

// What a slot of a line takes: a bit for each sort, and these; or GRAMMAR_FIXED and the primitive that always
// stands there.
#define GRAMMAR_GIVEN_ONLY ((uint64_t)1 << 61)    // only what is there from the start
#define GRAMMAR_PREFERS_INPUT ((uint64_t)1 << 62) // a grid that is not the input costs more
#define GRAMMAR_FIXED ((uint64_t)1 << 63)

enum { GRAMMAR_ANY, GRAMMAR_RESIZE, GRAMMAR_SHRINK }; // when a line is worth trying

typedef struct {
    uint8_t cost, when, sort;
    uint16_t op;
    uint64_t slots[4];
} GrammarRule;

// A primitive that is passed as a function.
typedef struct {
    uint8_t cost, sort;
    uint16_t op;
} GrammarBare;

enum {
    GRAMMAR_RULES = 0
#define LINE(...) +1
#include "program/grammar.def"
    ,
    GRAMMAR_BARE = 0
#define BARE(...) +1
#include "program/grammar.def"
};

extern const GrammarRule grammar_rules[GRAMMAR_RULES];
extern const GrammarBare grammar_bare[GRAMMAR_BARE];

// Lines and functions by their types alone, for primitives that grammar.def does not name: those that users
// register, and those that were added to ops.def since. They come after the others.
enum { GRAMMAR_MOST_MORE = 4 * OPS_ADDED_MOST };
typedef struct {
    GrammarRule rules[GRAMMAR_MOST_MORE];
    GrammarBare bare[GRAMMAR_MOST_MORE];
    int rule_count, bare_count;
} GrammarMore;

void grammar_learn_more(GrammarMore *more);
// What a value of this type may stand for, a bit for each sort; none where that is not to be seen.
uint64_t grammar_sorts(Type t);
// Whether a value is of a sort, for results of such lines: their types may allow several.
bool grammar_is_of(Sort sort, Value v);

#endif
