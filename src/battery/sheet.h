// A graph at work on some lanes: a matrix of values, a row for each column of the graph, a place for each
// lane (`values[column * width + lane]`), evaluated node by node from front to back.
//
// The seam is evaluate(): one operation on columns of arguments gives a column of results. Whoever takes its
// place (a device) needs nothing else of what is here. What comes before it decides for which lanes the
// operation is run at all:
//   - a node that nobody needs any more in a lane is skipped there;
//   - a node with a failed argument has failed as the leftmost of them, which is just what running a program
//     alone reports, because its lines stand in that order.
//
// What a node cost is kept beside its value, so that each program can be charged as if it ran alone: `units`
// is the node's own share, `bound` that of all below it with repetitions, so never less than what the program
// would be charged. Only where the bound exceeds the limit is the exact sum taken.
#ifndef TESSERA_SHEET_H
#define TESSERA_SHEET_H

#include "battery/graph.h"

// ---- The seam ----

typedef struct {
    int op, n;
    uint32_t column;                   // of the node, to be named by its failures
    const Value *callee;               // columns: a value for each lane
    const Value *args[LINE_MOST_ARGS]; //
    Value *result;                     // what it gives, or a failure
    uint32_t *units;                   // what it cost
    size_t *kept;                      // bytes that each lane keeps: what the result takes is added
} Operation;

// Runs an operation on n of the lanes, each with so many units, in a context for the time being: what a lane
// keeps is the result alone, moved to its own arena.
void evaluate(const Operation *o, Ctx *c, Arena *const *lanes, const uint16_t *active, size_t n,
              int64_t units);

// A failure in a column: its kind, and the column of the node where it arose.
static inline Value failure_value(ts_failure kind, uint32_t column) {
    return value_from(TAG_FAIL, (uint64_t)column << 8 | (uint64_t)kind);
}
static inline bool value_is_failure(Value v) { return value_tag(v) == TAG_FAIL; }
static inline ts_failure failure_kind(Value v) { return (ts_failure)(v.bits >> 8 & 0xFF); }
static inline uint32_t failure_column(Value v) { return (uint32_t)(v.bits >> 16); }

// ---- The sheet ----

enum { SHEET_WIDEST = 1024 }; // lanes

typedef struct {
    int64_t units;      // that a program may spend in a lane
    int64_t lane_units; // that all nodes together may spend in a lane
    size_t lane_memory; // that their values may take there
    double lane_ms;     // the same by the clock; 0: no limit
    bool plain;
} SheetOptions;

typedef struct {
    uint64_t evaluated, shared, skipped; // nodes in lanes
} SheetCounts;

typedef struct {
    const Graph *graph;
    SheetOptions options;
    uint32_t width; // room for lanes
    uint32_t lanes; // in use: lane[0], lane[1], …
    uint16_t *lane, *active;
    Value *values;
    uint32_t *units, *bound;
    Arena **arenas;  // what each lane keeps; several lanes may have the same
    int64_t *spent;  // units of each lane so far
    size_t *kept;    // bytes of each lane so far, by its values alone: the arena has a past
    bool *over;      // lanes that have spent what they may, or their memory
    double deadline; // by the clock; 0: none
    uint8_t alike;   // what is known to be the same in all lanes: nodes that need nothing else are run once
    // Where not all nodes are run:
    bool narrow;
    uint8_t *needed; // [column * width + lane]
    uint32_t *list;  // the nodes that any lane needs, from front to back
    uint32_t listed;
    uint32_t *stamps, *stack, stamp; // for walks through the graph
    Arena fixed;                     // holds what is the same in every lane
    Ctx scratch;                     // of the evaluation under way
    SheetCounts counts;
    Profile *profile; // NULL: off
} Sheet;

bool sheet_init(Sheet *s, const Graph *g, uint32_t width, const SheetOptions *options, Profile *profile);
void sheet_free(Sheet *s);
void sheet_begin(Sheet *s); // with no lane
void sheet_give(Sheet *s, uint32_t lane, Arena *arena, Value samples, Value input, Value candidate);
// Asks for a column in a lane. Once anything was asked for, only that and what it needs is run.
void sheet_need(Sheet *s, uint32_t column, uint32_t lane);
void sheet_run(Sheet *s);
static inline Value sheet_value(const Sheet *s, uint32_t column, uint32_t lane) {
    return s->values[(size_t)column * s->width + lane];
}
// What the program that ends in this column would be charged in this lane, where that is within the limit.
bool sheet_affords(Sheet *s, uint32_t column, uint32_t lane);

#endif
