// Growing trees: the cells of all samples as a table of features, and the tree of questions that parts them
// until each group of cells gets its colour by one leaf.
//
// Workload: 100 to 20,000 rows (cells), 100 to 700 columns (features) of bytes; some dozens of trees.
#ifndef TESSERA_TREE_GROW_H
#define TESSERA_TREE_GROW_H

#include "tree/cell_tree.h"
#include "search/quest.h"

enum {
    GROW_MOST_LEAVES = 12,
    GROW_MOST_NODES = 2 * GROW_MOST_LEAVES + 1,
    GROW_MOST_ROWS = 24000,
    GROW_LARGE_ROWS = 65000, // where grids are larger than usual; Counts hold no more
    GROW_MOST_SAMPLES = 96,
    GROW_MOST_SETS = 16, // values of a column that has sets of rows
    GROW_GROUPS = 8,     // of rows, by the leaf that is right for them
    GROW_COLORS = 10
};

typedef struct {
    const uint8_t *cells;  // of all rows
    const uint8_t *codes;  // of each value that demos have: its place among the values
    const uint8_t *values; // those that occur, ascending
    int distinct;          // of them
    const uint64_t *sets;  // for each value the demos' rows that have it; NULL where there are many values
    const uint64_t *right; // of a colour: the rows that have it in the output; else NULL
    int feature, price;
    FeatureFamily family;
    bool is_new; // tests have values in it that no demo has
} Column;

// A number for each of the leaves that are looked at together.
enum { LEAVES = 16 };
typedef uint16_t Counts __attribute__((vector_size(2 * LEAVES)));

// The rows of a sample: those of a demo may be there several times, flipped.
typedef struct {
    int first, count, sample;
} Rows;

typedef struct {
    Quest *quest;
    CellLayout layout;
    int rows, all_rows; // of demos; of tests too
    int columns;
    Column *column; // by price
    int *copied;    // the columns that are colours
    int copied_count;
    uint8_t *label;    // of the demos' rows: the colour of the output, plus 1
    int words;         // of a set of the demos' rows
    uint64_t *colored; // the rows of each colour
    Rows *samples;
    int sample_count, demo_rows; // samples: first those of the demos
    float *n_log_n;
    int *order;     // room for a tree that grows: the rows,
    uint8_t *group; // what would be right for each,
    Counts *right;  // which of several leaves,
    uint64_t *sets; // and the rows that have the same
    uint64_t *scratch;
} TreeTable;

// What a tree learns from: a grid and what is to become of it. A test has an output of height 0.
typedef struct {
    ts_grid input, output;
    int sample; // of the task
} Example;

// Demos come before tests. False where the layout does not fit, or memory is short. Families that are not
// wanted are left out; NULL: all are.
bool tree_table_make(TreeTable *t, Quest *q, CellLayout layout, const Example *examples, int count,
                     const bool *wanted);

typedef struct {
    TreeNode nodes[GROW_MOST_NODES];
    int column[GROW_MOST_NODES]; // of the table, for each node
    int count, leaves;
    double cost;     // of all questions and leaves: the lower the likelier
    int wrong;       // rows of the demos it was grown on
    uint64_t answer; // hash of what it gives for the tests
} Tree;

typedef struct {
    bool asks[FAMILIES];   // about these
    bool copies[FAMILIES]; // these
    bool by_coverage;      // questions are chosen by how many cells a leaf on each side is right for, else by
                           // the information on which leaf is right
} GrowPlan;

// Without the demo of this number, -1 for all. False where units are short, or the tree would get too large.
bool tree_grow(const TreeTable *t, const GrowPlan *plan, int without, Tree *tree);
// Rows of a sample for which the tree is wrong.
int tree_wrong(const TreeTable *t, const Tree *tree, const Rows *rows);
uint64_t tree_answer(const TreeTable *t, const Tree *tree);
void tree_print(Text *text, const Tree *tree);
void layout_print(Text *text, CellLayout layout);

#endif
