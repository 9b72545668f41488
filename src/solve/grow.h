// Growing trees: the cells of all samples as a table of features, and the tree of questions that parts them
// until each group of cells gets its colour by one leaf.
//
// Workload: 100 to 20,000 rows (cells), 100 to 700 columns (features) of bytes; some dozens of trees.
#ifndef TESSERA_GROW_H
#define TESSERA_GROW_H

#include "rule/tree.h"
#include "solve/quest.h"

enum { GROW_MOST_NODES = 96, GROW_MOST_ROWS = 24000, GROW_MOST_SAMPLES = 96 };

typedef struct {
    const uint8_t *cells; // of all rows
    int feature, price;
    Family family;
    uint8_t most; // its largest byte
    bool is_new;  // tests have values in it that no demo has
} Column;

// The rows of a sample: those of a demo may be there several times, flipped.
typedef struct {
    int first, count, sample;
} Rows;

typedef struct {
    Quest *quest;
    Layout layout;
    int rows, all_rows; // of demos; of tests too
    int columns;
    Column *column; // by price
    uint8_t *label; // of the demos' rows: the colour of the output, plus 1
    Rows *samples;
    int sample_count, demo_rows; // samples: first those of the demos
    float *n_log_n;
    int *order;     // room for a tree that grows: the rows,
    uint8_t *group; // and what would be right for each
} Table;

// False where the layout does not fit, or memory or units are short. Motions, a bit for each, say how
// the demos are flipped; bit 0 is none.
bool table_make(Table *t, Quest *q, Layout layout, unsigned motions);

typedef struct {
    TreeNode nodes[GROW_MOST_NODES];
    int column[GROW_MOST_NODES]; // of the table, for each node
    int count, leaves;
    double cost;     // of all questions and leaves: the lower the likelier
    int wrong;       // rows of the demos it was grown on
    uint64_t answer; // hash of what it gives for the tests
} Tree;

typedef struct {
    const bool *families; // that may be asked about
    double thrift;        // what a unit of price counts against all of the information
    int without;          // a demo left out, -1 for none
} GrowPlan;

// False where units are short.
bool tree_grow(const Table *t, const GrowPlan *plan, Tree *tree);
// Rows of a sample for which the tree is wrong.
int tree_wrong(const Table *t, const Tree *tree, const Rows *rows);
uint64_t tree_answer(const Table *t, const Tree *tree);
void tree_print(Text *text, const Tree *tree, Layout layout);

#endif
