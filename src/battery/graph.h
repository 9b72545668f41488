// Many programs as one graph: a line that several programs say alike is one node.
//
// Columns number all values of the graph: S, I and C, then the constants, then one for each node. A node
// comes after all that it needs, so evaluating from front to back is enough. A member is a program and the
// columns of its lines, in the order in which it would run them alone.
//
// The graph is a Draft that took in all programs, so cutting a node out as a program again is draft_finish.
// The programs given must outlive the graph: constants stay where they are.
#ifndef TESSERA_BATTERY_GRAPH_H
#define TESSERA_BATTERY_GRAPH_H

#include "program/draft.h"

enum { NEEDS_S = 1 << SLOT_S, NEEDS_I = 1 << SLOT_I, NEEDS_C = 1 << SLOT_C };

typedef struct {
    int16_t op; // a primitive, or LINE_CALLS_VALUE
    uint8_t n;
    uint8_t needs;   // which of S, I, C it depends on; 0: it is the same in every lane
    uint32_t callee; // columns
    uint32_t args[LINE_MOST_ARGS];
    uint32_t member; // the first program that has it
    uint32_t size;   // lines of the program that it would be, cut out
} Node;

typedef struct {
    const Program *program;
    const uint32_t *columns; // of its lines
    uint32_t result;         // a column
} Member;

typedef struct {
    Draft draft;
    Node *nodes;
    uint32_t count;
    uint32_t first; // column of node 0
    Member *members;
    uint32_t member_count;
    uint64_t lines; // of all members
    uint32_t *member_columns;
} Graph;

// Merges all programs. Without `share` equal lines stay apart, which is only for measuring. False: no memory.
bool graph_make(Graph *g, const ts_programs *programs, bool share);
void graph_free(Graph *g);
static inline uint32_t graph_columns(const Graph *g) { return g->first + g->count; }
// Lines of the program that ends in a column.
static inline uint32_t node_size(const Graph *g, uint32_t column) {
    return column < g->first ? 0 : g->nodes[column - g->first].size;
}
// A program that has a column among its lines, or returns it.
uint32_t graph_member(const Graph *g, uint32_t column);
// What a node needs and nothing else, as a program in the arena of the context.
bool graph_cut(Graph *g, Ctx *c, uint32_t column, Program *p);

#endif
