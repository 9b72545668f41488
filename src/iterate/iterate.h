// What the files of this folder share.
//
//     iterate.c         the public face: starting, dealing a card, the loop
//     iterate_keep.c    what a round has found: cut out, checked alone, stored
#ifndef TESSERA_ITERATE_ITERATE_H
#define TESSERA_ITERATE_ITERATE_H

#include "base/text.h"
#include "tessera.h"

// What is known of a task.
typedef struct {
    size_t winners, shortest; // programs that solve it, lines of the shortest
    int64_t best;             // score
    bool correct;
} IterateKnown;

struct ts_iterate {
    ts_iterate_options options;
    const ts_task **tasks;
    IterateKnown *known, *before; // now, and before the round under way
    size_t count;
    ts_pool *pool;
    ts_pool_view view;
    double *weights;
    size_t weight_room;
    size_t next_unscored;     // entries of the view before this one were run, or have scores
    ts_programs *differs;     // the bundled ones, where the options name none
    ts_engine *alone;         // checks programs
    ts_iterate_counts so_far; // but for the seconds
    double start, spent;      // of the run under way, of those before; ms
    double seconds;           // that the run under way has; 0: no limit
};

static inline bool iterate_is_stopped(const ts_iterate *it) { return ts_stop_is_set(it->options.stop); }

// Stores what a battery of this card has found, as one transaction.
bool iterate_keep(ts_iterate *it, const ts_card *card, ts_battery *battery, Status *s);

#endif
