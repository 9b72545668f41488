// A tree of questions about a cell, that ends in the colour it gets.
//
// In the language it is of shape Tree (words/words.def): a leaf is a colour, KEEP, or (COPY, feature), and a
// question (IF, feature, EQUALS or AT_LEAST, value, tree if so, tree if not).
#ifndef TESSERA_TREE_CELL_TREE_H
#define TESSERA_TREE_CELL_TREE_H

#include <assert.h>

#include "tree/features.h"

typedef enum { TREE_EQUALS, TREE_AT_LEAST, TREE_COLOR, TREE_COPY } TreeKind;
enum { TREE_MOST_NODES = 1000 };

typedef struct {
    TreeKind kind;
    int feature, number; // number: to compare with, or the colour
    int yes, no;         // nodes
} TreeNode;

// What the tree, whose root is the first node, gives for a cell; columns holds that of each node's feature.
// Where a feature that is to be copied gives no colour, the result is -1.
static inline int tree_color(const TreeNode *nodes, const uint8_t *const *columns, size_t cell) {
    int k = 0;
    for (;;) {
        const TreeNode *t = &nodes[k];
        assert(k >= 0 && k < TREE_MOST_NODES);
        if (t->kind == TREE_COLOR) return t->number;
        int value = columns[k][cell] - 1;
        if (t->kind == TREE_COPY) return value;
        k = (t->kind == TREE_EQUALS ? value == t->number : value >= t->number) ? t->yes : t->no;
    }
}

#endif
