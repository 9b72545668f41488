// A battery: a graph of programs, what is wanted of it, and what came out of its last run.
//
//     graph.c      many programs as one graph, and cutting a node out again
//     sheet.c      evaluation: the graph on some lanes, node by node
//     hope.c       what can be right, seen before it is run
//     late.c       what did not fit into a lane
//     grids.c      the different grids of a lane
//     differs.c    partial scores
//     points.c     those of the bundled differs, without running them
//     trial.c      a user's differs, tried before they are used
//     lanes.c      a worker: chunks of tasks, stage by stage, and what each stage gave
//     battery.c    the public face: threads, counts, results
#ifndef TESSERA_BATTERY_BATTERY_H
#define TESSERA_BATTERY_BATTERY_H

#include "battery/differs.h"
#include "battery/grids.h"
#include "battery/sheet.h"

// An outcome in a byte: a ts_outcome, or TS_FAILED and the kind of failure.
static inline uint8_t outcome_failed(ts_failure kind) { return (uint8_t)(TS_FAILED + 8 * (unsigned)kind); }

struct ts_battery {
    ts_battery_options options;
    const ts_programs *programs;
    Graph graph, differs;
    uint32_t chunk;
    SheetLimits limits, differ_limits;
    bool uses_samples;
    bool bundled_differs; // and nothing but these
    bool *eligible;  // columns that may be an answer: nodes (hopeful: that are grids by their types), and
                     // whatever a program returns
    uint32_t *giver; // of each column: the first program that returns it, plus one; 0: none
    // Of the last run:
    double end;              // by clock_ms; 0: none
    ts_task_result *results; // with `top` allocated for each
    size_t *first_lane;      // of each task, and the number of all
    uint8_t *outcomes;       // [lane * programs + program]
    int16_t *scores;         // the same, of demos; NULL: not wanted
    size_t task_count;
    ts_battery_counts counts;
};

// A worker runs chunks of tasks; results go where no other worker writes, counts stay with it.
typedef struct Worker Worker;
Worker *worker_new(ts_battery *b);
void worker_free(Worker *w);
bool worker_run(Worker *w, size_t first_task, size_t count); // false: stopped, these tasks are not through
Profile *worker_profile(Worker *w);                          // NULL where none is kept
bool worker_add_counts(const Worker *w, ts_battery_counts *counts); // false: memory has run out

#endif
