// The goals of the bank of lines, as its two files share them: lines_goal.c has the grids, sizes and
// conditions, lines_patch.c the patches.
#ifndef TESSERA_LINES_LINES_GOAL_H
#define TESSERA_LINES_LINES_GOAL_H

#include "lines/lines.h"

enum {
    GOALS_MOST = 96,
    GOAL_DEPTH = 3,
    BASES_MOST = 16,
    PIECE_BASES = 4,        // bases that pieces are kept for
    GOAL_PIECES_MOST = 256, // of a base
    LAYERS_MOST = 12,
    UNDERFILL_BASES = 4,
    CROPS_MOST = 12, // grids that are searched for the output
    MASK_WORDS = LINES_MOST_DEMOS * (GRID_TASK_SIDE * GRID_TASK_SIDE / 64 + 1),
    MASKS = 1 << LINES_MOST_DEMOS, // subsets of the demos
    OFFERS_MOST = 40,
    KEPT_MOST = 8,  // candidates
    PATIENCE = 2,   // costs beyond the first answer
    WEAK_COSTS = 3, // more, where a piece is of use on one demo only
    PARTIAL_MOST = 2,
};

typedef enum { GOAL_GRID, GOAL_FILL, GOAL_PIECES, GOAL_FILL_OTHER_SIZE } GoalFamily;

typedef struct {
    uint64_t hash;
    const char *around; // the lines, with $ for the grid
    int parent, depth;  // what they make; -1 for the outputs
    int height, width;  // on the first demo
    bool turned;        // by these lines
} GridGoal;

typedef struct {
    const char *text; // the lines, with $ for the grid
    int cost;
    uint64_t *covers;
} GoalPiece;

typedef struct {
    const char *text;
    int cost;
    uint64_t *missing;
    GoalPiece *pieces;
    int piece_count;
    bool news; // pieces since they were last put together
} Base;

typedef struct {
    int base;
    const char *above; // the lines that come after, with $ for the grid; NULL: this is for underfill
    int cost;
    const uint64_t *covered; // by those lines, of what is missing
    uint64_t *within;        // where a patch shows
    bool is_new;
} GoalLayer;

struct Goals {
    Value outputs[LINES_MOST_DEMOS]; // the target
    int target;                      // the goal that this is
    GridGoal grids[GOALS_MOST];
    int grid_count, crops;
    int start[LINES_MOST_DEMOS + 1]; // words of a mask: a bit for each cell of the target
    uint64_t *of_color[10];
    uint64_t *mask, *covers; // of the patch that is looked at
    Base bases[BASES_MOST];
    GoalLayer layers[LAYERS_MOST];
    int base_count, layer_count;
    uint64_t output_hash[LINES_MOST_DEMOS];
    const char *right[MASKS]; // the first grid that is right on these demos alone
    int right_cost[MASKS];
    const char *truth[MASKS]; // the first condition that holds on these demos
    int truth_cost[MASKS];
    bool branched[MASKS];    // offered
    bool new_choice;         // among these since they were last put together
    uint32_t size[2], shape; // entries that give height, width or both of the output; 0 for none yet
    int evidence;            // that the demos are, to be held against costs
    int offers, kept, best;  // best: the cost of the first answer
};

// ---- What both use (lines_goal.c) ----

// Offers an expression that meets a goal: 0 is the outputs themselves. The cost is that of the expression.
void goals_offer(Lines *b, int goal, GoalFamily family, int cost, const char *expression);
// Closes a text and keeps it with the quest; NULL where memory is short.
const char *goals_keep_text(Lines *b, Text *t);
const char *goals_entry_text(Lines *b, uint32_t entry);
// Puts the inner expression in the place of each $ of the lines around it. One of the two is NULL: it is what
// the text holds now.
void goals_wrap(Text *t, const char *around, const char *inner);

int lines_ground_color(ts_grid g); // the commonest, the lowest of equals

// ---- Patches (lines_patch.c) ----

// Learns the target.
bool patches_begin(Lines *b); // false where memory is short
// Takes a grid as large as the target for a base.
void patches_add_base(Lines *b, const char *text, int cost, const Value *values);
// Holds a patch against all bases and layers.
void patches_meet(Lines *b, uint32_t entry, const Value *values);
bool patches_hope(const Lines *b, Value first);
// Lays pieces together.
void patches_compose(Lines *b);

#endif
