// The bank: images that coarse steps make of a task's inputs, and stacks of them that make the outputs.
//
// Each sample has a graph. A node is an image or a list of images, kept once however it was reached; its
// children, the results of the steps, are remembered. An entry is a node in each demo's graph that the same
// steps lead to from the same seed: what a program gives on all demos. Entries are kept once too, so a
// program that does the same as a cheaper one on all demos goes no further. The tests' graphs only hold what
// was asked for.
//
//   bank_nodes.c   the graphs, waves   bank.c          the entries, passes, and the engine
//   bank_sizes.c   the outputs' sizes  bank_pieces.c   entries as pieces of the output, stacks of them
//   bank_program.c a stack as a program
#ifndef TESSERA_BANK_BANK_H
#define TESSERA_BANK_BANK_H

#include <assert.h>

#include "bank/normal.h"
#include "device/wave.h"
#include "image/image.h"
#include "search/quest.h"

enum {
    BANK_MOST_DEMOS = 12, // of those that a quest has
    BANK_MOST_SAMPLES = BANK_MOST_DEMOS + QUEST_MOST_TESTS,
    BANK_MOST_STEPS = 255,
    BANK_LOOK_EVERY = 64, // entries between two looks at the clock, where no units are charged
    STACK_MOST = 10,
};

// One way to make an image of an image.
typedef struct {
    uint8_t fn, variant;
    uint8_t kind;  // an ImageKind
    int8_t size;   // of the sized ones: SIZE_INPUT or SIZE_OUTPUT; else -1
    uint8_t prior; // how rarely it is of use: twice the bits
} BankStep;

enum { SIZE_INPUT, SIZE_OUTPUT, SIZES };

// An array that grows in an arena.
bool bank_array_room(Arena *a, void *array, size_t count, size_t *room, size_t item);

// ---- The graph of a sample (bank_nodes.c) ----

// What is known of a child that is no node. Unknown is all bits; from CHILD_JOB on downwards it is a job of
// the wave under way, 0 first.
enum { CHILD_UNKNOWN = -1, CHILD_NONE = -2, CHILD_JOB = -3 };

typedef struct {
    Images value;
    int32_t *children; // by step; NULL while none was asked for
    uint32_t held;     // its number on the device + 1, 0 where it is not there
    uint8_t depth;     // the cost of the entry that it first came up in
    uint8_t clean;     // whether it is right wherever it shows: see bank_pieces.c
} BankNode;

typedef struct {
    BankNode *nodes;
    size_t count, room;
    struct NodeSlot {
        uint64_t hash;
        uint32_t node; // its number + 1, 0 for none
    } * table;
    size_t table_room;
    Image size[SIZES];
} BankGraph;

// The steps that are run in one go (device/wave.h): first jobs are gathered, then all are run, and then the
// bank goes its way and finds what each job gave, as if it ran it then and there. Jobs that it does not come
// to are discarded.
typedef struct {
    WaveJob *jobs;
    WaveResult *results;
    struct BankJob {
        int32_t node;
        uint8_t graph, step;
        int32_t units; // that it costs
    } * whose;
    size_t count, most, room;
    int64_t units; // of all jobs
    Wave run;
    // Jobs whose cells are to be fetched, and their hashes in a table.
    uint32_t *wanted;
    struct WantedSlot {
        uint64_t hash;
        uint32_t wave; // in which it was put there: a table of an earlier one is empty
        uint8_t graph;
    } * wanted_table;
    size_t wanted_room;
    uint32_t number;
} BankWave;

typedef struct {
    Arena *arena;
    Arena scratch;
    BankStep steps[BANK_MOST_STEPS];
    int step_count;
    int64_t units; // spent and not charged yet
    BankWave wave;
} Workshop;

// The node of a value; -1 where memory is short.
int32_t bank_graph_add(Workshop *w, BankGraph *g, const Images *value, int depth);
// What a step makes of a node: a node, or CHILD_NONE.
int32_t bank_graph_step(Workshop *w, BankGraph *g, int32_t node, int step, int depth);
// What one step makes of a node in each of some graphs. False where it fails in one of them.
bool bank_graphs_step(Workshop *w, BankGraph *g, int count, const int32_t *nodes, int step, int depth,
                      int32_t *made);

// Adds what one step makes of a node in each of some graphs to the wave, but for what is known or in it
// already.
void bank_wave_add(Workshop *w, BankGraph *g, int count, const int32_t *nodes, const uint8_t *steps,
                   int step_count);
void bank_wave_run(Workshop *w, const BankGraph *g);
void bank_wave_end(Workshop *w, BankGraph *g); // discards what was not asked for

static inline const Image *node_image(const BankGraph *g, int32_t node) {
    assert(node >= 0 && (size_t)node < g->count);
    return g->nodes[node].value.at;
}

// ---- The bank (bank.c) ----

typedef enum { SEED_INPUT, SEED_INPUT_BLANK, SEED_OUTPUT_BLANK, SEED_DEMO } Seed;

typedef struct {
    int32_t parent; // -1: a seed
    uint8_t step;   // or the seed's number
    uint8_t cost;
    uint8_t prior;    // the sum over its steps
    uint8_t expanded; // a bit for each group of steps that was tried
    bool is_list;
} BankEntry;

enum { MOST_STEP_PRIOR = 15 };
typedef struct {
    int count;
    uint8_t step[BANK_MOST_STEPS];
} StepList;

// How a side of the output follows from the sides of two entries' images.
typedef struct {
    int32_t entry, other; // -1 for none
    int factor, offset;   // below 0: the side is divided
} SizeRule;

typedef struct {
    Quest *q;
    Workshop shop;
    int demos, tests;
    NormalForm form;
    ts_grid inputs[BANK_MOST_SAMPLES], outputs[BANK_MOST_DEMOS]; // in normal form
    BankGraph graphs[BANK_MOST_SAMPLES];                         // of the demos, then the tests
    StepList suiting[2]; // steps for an image, for a list; these by their prior there
    StepList suiting_by_prior[2][MOST_STEP_PRIOR + 1];
    BankEntry *entries;
    int32_t *nodes; // of entry e: from e * demos on
    size_t count, entry_room, node_room;
    size_t shallow; // entries of the first round
    uint32_t *table;
    size_t table_room;
    SizeRule height, width; // of the outputs
    int32_t *tests_nodes;   // of entry e: from e * tests on; see bank_test_node
    size_t tests_known, tests_room;
    struct Pieces *pieces; // of the entries so far (bank_pieces.c)
} Bank;

static inline int32_t entry_node(const Bank *b, int32_t entry, int demo) {
    assert(entry >= 0 && (size_t)entry < b->count && demo >= 0 && demo < b->demos);
    return b->nodes[(size_t)entry * (size_t)b->demos + (size_t)demo];
}
static inline const Image *entry_image(const Bank *b, int32_t entry, int demo) {
    return node_image(&b->graphs[demo], entry_node(b, entry, demo));
}
// The node of an entry on a test: worked out when asked for. Below 0: its steps fail there.
int32_t bank_test_node(Bank *b, int32_t entry, int test);
int bank_step(const Bank *b, int fn, int variant, int size); // its number

// ---- Sizes, pieces, programs ----

typedef enum {
    SIZES_NONE,    // no rule fits any demo, or gives sizes for the tests
    SIZES_SOME,    // more images may bring a better rule
    SIZES_SETTLED, // they cannot
} SizesFound;
// Finds how the sizes of the outputs follow, and sets those of the tests.
SizesFound bank_sizes_find(Bank *b);
bool bank_sizes_are_inputs(const Bank *b); // each output is as large as its input

typedef struct {
    int32_t entry;
    uint8_t cost;
    uint8_t color;  // that all its cells get; 0: their own
    bool at_origin; // moved there
} BankPiece;

typedef struct {
    int count, right;
    int cost;     // of all pieces
    int number;   // in the order in which they were found
    int unseen;   // demos it is right on that it was not made for
    int wrong;    // of a thousand cells of the other demos
    unsigned set; // demos it was made for
    bool borrows; // from outputs of demos
    BankPiece piece[STACK_MOST];
    uint8_t how[STACK_MOST]; // an ImageLay
} Stack;

// Makes pieces of the entries and stacks of the pieces; the best come first. NULL where memory is short.
Stack *bank_stacks_find(Bank *b, size_t *count);
// The image that a piece gives for a test, with room for BITS_CELLS more; false where it has none.
bool bank_piece_on_test(Bank *b, const BankPiece *p, int test, int8_t *cells);

void bank_print_stack(Bank *b, const Stack *s, Text *t);

EngineFn engine_bank;

#endif
