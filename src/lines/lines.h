// The bank of lines: what programs of the language give on the samples of a task, the cheapest first.
//
// An entry is a value for each sample, with the line that made it: a primitive and the entries it was given.
// Two lines whose values agree on all samples are one entry, the cheaper one. Entries are made cost by cost
// by the grammar in program/grammar.def, whose slots ask for a sort of entry; so functions are entries too,
// told apart by what they give for some elements of the task.
//
// Goals (lines_goal.c) are what the last lines of a program may be given to make the outputs: grids that one
// step turns into them, patches to be filled, objects to be painted. Each new entry is held against them.
#ifndef TESSERA_LINES_LINES_H
#define TESSERA_LINES_LINES_H

#include "program/grammar.h"
#include "program/types.h"
#include "search/quest.h"

enum { LINES_MOST_COST = 20, LINES_MOST_DEMOS = 5, LINES_MOST_TESTS = 2, LINES_MOST_SAMPLES = 7 };

// Where no primitive made an entry, `op` says what it is.
enum {
    ENTRY_IS_INPUT = -1,
    ENTRY_IS_CONSTANT = -2,
    ENTRY_IS_CALL = -3, // of the function args[0] with args[1] and, unless it is ENTRY_NONE, args[2]
};
#define ENTRY_NONE UINT32_MAX
#define SORT_OTHER ((Sort)SORTS) // what no slot takes: it stands in lines of donors

typedef struct {
    int16_t op; // a primitive, or one of the above
    uint8_t sort, cost;
    uint32_t args[4];
    uint32_t words; // names in its expression
} LinesEntry;

// A program whose lines are taken into the bank.
typedef struct {
    const Program *program;
    const Type *types;
    uint32_t *entries; // by slot; ENTRY_NONE where it has none (yet)
    uint8_t *depths;   // of the lines
} Donor;

typedef struct {
    uint32_t *ids;
    uint32_t n, room;
} EntryList;

typedef struct Goals Goals;

typedef struct {
    Quest *q;
    int demos, samples;  // that values are held for: the first few
    uint32_t ops;        // primitives that there were at the start
    LinesEntry *entries; // first the primitives themselves, then the input
    Value *values;       // [entry * samples + sample]
    uint64_t *hashes;
    uint32_t count, room;
    uint32_t *table;                         // open addressing, 1 + entry
    uint32_t given;                          // entries before this one were there from the start
    EntryList (*lists)[LINES_MOST_COST + 1]; // [kind of slot][cost]
    uint64_t *kinds;                         // of slots
    int kind_count;
    uint16_t (*rule_kinds)[4]; // [rule][slot]
    GrammarMore more;          // rules beyond those of grammar.def
    bool unsure;               // the line under way is by one of them: results may be of another sort
    EntryList colors;          // those that are not constant, the cheapest first
    bool resize, shrink;       // how outputs differ from inputs in size
    bool closing;              // nothing is kept any more: what does not reach a goal at once is dropped
    Ctx scratch;
    const Value *elements[3][LINES_MOST_SAMPLES]; // that functions are told apart by: objects, places, grids
    int element_count[3][LINES_MOST_SAMPLES];
    Goals *goals;
    Donor *donors;
    size_t donor_count;
} Lines;

static inline const Value *lines_values(const Lines *b, uint32_t entry) {
    return b->values + (size_t)entry * (size_t)b->samples;
}

// Tries a line; false where the units are spent. A new entry is kept and held against the goals.
bool lines_try(Lines *b, int op, Sort sort, int cost, const uint32_t *args);
// The place in the table of the entry with this hash, or where it would be.
size_t lines_find(const Lines *b, uint64_t hash);
// Whether a value may be an entry of this sort.
bool lines_sane(const Lines *b, Sort sort, Value v);
// What the elements are that a function of this sort takes: the first index of `elements`, -1 for no function
// or one that is told apart by how it was made.
int lines_elements(Sort s);
// Runs line after line of an entry; see lines_try.
bool lines_hash_function(Lines *b, int kind, int sample, Value f, uint64_t *hash);
// Moves the values of entry b->count, and keeps it. False where memory is short.
bool lines_keep(Lines *b, size_t at, uint64_t hash, int64_t *spent);

// An entry as an expression of the language.
void lines_print(Text *t, const Lines *b, uint32_t entry);
// A colour that is as wanted on each demo (-1: any), as an expression. Returns its cost, -1 for none.
int lines_print_color(Text *t, const Lines *b, const int8_t *wanted);

// ---- Donors (lines_donor.c) ----

// Makes room for the lines of the quest's donors. False where memory is short.
bool donors_begin(Lines *b);
// Takes in those lines that cost so much.
void donors_take(Lines *b, int cost);

// ---- Goals (lines_goal.c) ----

// Learns the outputs. False where memory is short.
bool goals_init(Lines *b);
// Holds an entry (the next one, where it is not kept) with these values against the goals, and offers what
// meets one.
void goals_meet(Lines *b, uint32_t entry, const Value *values);
// Whether a value that the first demo gave may meet any goal at all.
bool goals_hope(const Lines *b, Sort sort, Value first);
// Puts together what was found so far; after each cost.
void goals_compose(Lines *b, int cost);
// At the very end: where nothing is right on all demos, what is right on most.
void goals_settle(Lines *b);
// Whether what was found makes dearer programs pointless.
bool goals_done(const Lines *b, int cost);

#endif
