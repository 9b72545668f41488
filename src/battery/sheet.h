// A graph at work on some lanes: a matrix of values, a row for each column of the graph, a place for each
// lane (`values[column * width + lane]`), evaluated node by node from front to back.
//
// The seam is sheet_evaluate(): one operation on columns of arguments gives a column of results. Whoever
// takes its place (a device) needs nothing else of what is here. What comes before it decides for which lanes
// the operation is run at all:
//   - a node that nobody needs any more in a lane is skipped there;
//   - a node with a failed argument has failed as the leftmost of them, which is just what running a program
//     alone reports, because its lines stand in that order; only choose lets the side fail that it does not
//     take (program.h).
//
// What a node cost is kept beside its value, so that each program can be charged as if it ran alone: `units`
// is the node's own share, `bound` that of all below it with repetitions, so never less than what the program
// would be charged. Only where the bound exceeds the limit is the exact sum taken.
//
// What a lane may keep is limited. A value that goes beyond that is late: it is not kept, and so all that
// need it are late, too. sheet_settle (late.c) runs these as a program is run alone, and asks what to keep of
// them. So neighbours that fill a lane cost time and change nothing. Late, too, is what took so many units
// that a program alone could come to the end of its memory before that of its units.
#ifndef TESSERA_BATTERY_SHEET_H
#define TESSERA_BATTERY_SHEET_H

#include "battery/graph.h"

// ---- The seam ----

typedef struct {
    int op, n;
    uint32_t column;                   // of the node, to be named by its failures
    const Value *callee;               // columns: a value for each lane
    const Value *args[LINE_MOST_ARGS]; // likewise
    Value *result;                     // what it gives, or a failure
    uint32_t *units;                   // what it cost
    size_t *kept, room;                // bytes that each lane keeps, and may: what the result takes is added
    bool *late;                        // set where there is no room for the result
} Operation;

// Runs an operation on n of the lanes, each with so many units, in a context for the time being: what a lane
// keeps is the result alone, moved to its own arena.
void sheet_evaluate(const Operation *o, Ctx *c, Arena *const *lanes, const uint16_t *active, size_t n,
                    int64_t units);

// What is late stands in a column as a failure of no kind.
static inline Value late_value(uint32_t column) { return failure_value(TS_FAIL_NONE, column); }
static inline bool value_is_late(Value v) { return value_is_failure(v) && failure_kind(v) == TS_FAIL_NONE; }

// ---- The sheet ----

enum { SHEET_WIDEST = 1024 }; // lanes
enum { SHEET_NEEDED = 1, SHEET_RUN = 2 };

// What an arena needs to hold so many bytes, whatever its blocks are like. So it is the count of what is kept
// that says what is late, and never the arena.
static inline size_t arena_room(size_t bytes) { return 2 * bytes + ((size_t)16 << 20); }

// Beyond these values are late. They change nothing else but the time that a run takes.
typedef struct {
    size_t lane;         // bytes of the values of a lane
    size_t fixed;        // and of those that are the same in every lane
    uint32_t sure_units; // of a node and all below it
} SheetLimits;

// The units for which a program that runs alone surely has the memory, however its values lie there; any
// where it has that for all that it may spend.
uint32_t sheet_sure_units(uint64_t units);

typedef struct {
    int64_t units;      // that a program may spend in a lane
    int64_t lane_units; // that all nodes together may spend in a lane
    double lane_ms;     // the same by the clock; 0: no limit
    SheetLimits limits;
    double end;          // of all work, by clock_ms; 0: none
    const ts_stop *stop; // evaluations fail once it is set; may be NULL
    bool plain;
} SheetOptions;

typedef struct {
    uint64_t nodes, evaluated, shared; // in lanes; neither of both: skipped
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
    bool *over;      // lanes that have spent what they may
    bool *late;      // lanes in which something is late
    double deadline; // by the clock; 0: none
    bool stopped;    // it has to end: the values of this run are not whole
    uint8_t alike;   // what is known to be the same in all lanes: nodes that need nothing else are run once
    // Where not all nodes are run:
    bool narrow;
    uint8_t *needed; // [column * width + lane]: SHEET_NEEDED, then SHEET_RUN; else 0
    uint32_t *list;  // the nodes that any lane needs, from front to back
    uint32_t listed;
    uint32_t *stamps, *stack, stamp; // for walks through the graph
    Arena fixed;                     // holds what is the same in every lane
    uint32_t *fixed_late;            // columns of nodes that should be there and are late
    uint32_t fixed_late_count;       // of these
    Value *alone;                    // by column: what sheet_settle runs; NULL before the first time
    Ctx scratch;                     // of the evaluation under way
    SheetCounts counts;
    Profile *profile; // NULL: off
} Sheet;

bool sheet_init(Sheet *s, const Graph *g, uint32_t width, const SheetOptions *options, Profile *profile);
void sheet_free(Sheet *s);
void sheet_begin(Sheet *s); // with no lane
void sheet_give(Sheet *s, uint32_t lane, Arena *arena, Value samples, Value input, Value candidate);
// From here on only what is asked for is run, and what that needs. What is asked for after sheet_run is run
// by another one, on what is there.
void sheet_narrow(Sheet *s);
// Asks for a column in a lane, and narrows the sheet.
void sheet_need(Sheet *s, uint32_t column, uint32_t lane);
void sheet_run(Sheet *s);
bool sheet_ends(Sheet *s); // looks whether all work has to end, and notes it
static inline Value sheet_value(const Sheet *s, uint32_t column, uint32_t lane) {
    return s->values[(size_t)column * s->width + lane];
}
// Whether a column has its value, or failure, in this lane.
static inline bool sheet_has_run(const Sheet *s, uint32_t column, uint32_t lane) {
    if (!s->narrow || column < s->graph->first) return true;
    return s->needed[(size_t)column * s->width + lane] == SHEET_RUN;
}
// Runs what is late in a lane and was asked for. `keep` is told of each value and gives what is to stand in
// its place; it stays valid until `keep` returns. What fails stays late. False where memory is short.
typedef Value SheetKeep(void *user, uint32_t lane, Value v);
bool sheet_settle(Sheet *s, uint32_t lane, SheetKeep *keep, void *user);
// What the program that ends in this column would be charged in this lane, where that is within the limit.
bool sheet_affords(Sheet *s, uint32_t column, uint32_t lane);

#endif
