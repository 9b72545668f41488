// What the files of this folder share.
//
//     iterate.c         the public face: starting, the loop, which kind of round comes next
//     archive.c         what is known of each task: its winners, and near-winners as parents
//     iterate_deal.c    a round of mutants: parents picked, a card dealt, run as a battery on all tasks
//     iterate_grow.c    a round of growth: a few tasks searched, building on lines of the pool's programs
//     iterate_keep.c    what a round has found: cut out, checked alone, stored
//     iterate_differs.c differs that evolve, if that is asked for
#ifndef TESSERA_ITERATE_ITERATE_H
#define TESSERA_ITERATE_ITERATE_H

#include "base/index.h"
#include "base/rng.h"
#include "base/text.h"
#include "dsl/ops.h"
#include "tessera.h"

enum { ARCHIVE_NEAR = 12 }; // near-winners of a task that may be parents

// A program that comes near to a task.
typedef struct {
    size_t program; // of the view's
    int64_t score;
    size_t lines;
    uint64_t hash;      // of its text
    uint64_t behaviour; // what it gives on the demos
    int demos;
    uint16_t points[TS_POOL_DEMOS]; // of each demo, 0 to 1000
} Near;

// What is known of a task.
typedef struct {
    size_t winners, shortest; // programs that solve it, lines of the shortest
    int64_t best;             // score
    bool correct;
    unsigned visits; // times it was grown
    size_t near_count;
    Near near[ARCHIVE_NEAR];
} IterateKnown;

// How a round looks for programs.
typedef enum { WAY_DEAL, WAY_GROW, WAYS } IterateWay;

typedef struct IterateDiffers IterateDiffers;

struct ts_iterate {
    ts_iterate_options options;
    const ts_task **tasks;
    IterateKnown *known, *before; // now, and before the round under way
    size_t count;
    Index task_index; // by the hash of an id
    ts_pool *pool;
    ts_pool_view view;
    size_t seen;       // entries of the view that the archive knows
    Index entry_index; // of the view, by the hash of a program
    size_t *sources;   // programs of the view that solve a task, or were imported: what parents and
    size_t source_count, source_room; // donors are picked from for any task
    bool *is_source;                  // by entry of the view
    size_t originals;      // sources that were there from the start, the first of them: blind mutation picks
    int64_t last_original; // from these; the last program of the pool at the start
    OpOrigin language;     // the widest of the view's programs
    double *weights;
    size_t weight_room;
    size_t next_unscored;            // entries of the view before this one were run, or have scores
    ts_programs *differs;            // the bundled ones, where the options name none
    IterateDiffers *evolving;        // NULL: they stay as they are
    ts_engine *alone;                // checks programs
    double units[WAYS], gains[WAYS]; // spent lately by each way, and tasks solved by it
    double made[TS_MUTATIONS], brought[TS_MUTATIONS]; // of each kind lately: mutants, and what they brought
    ts_iterate_counts so_far;                         // but for the seconds
    double start, spent;                              // of the run under way, of those before; ms
    double seconds;                                   // that the run under way has; 0: no limit
};

static inline bool iterate_is_stopped(const ts_iterate *it) { return ts_stop_is_set(it->options.stop); }
// Whether the time of a run is over; also that it is stopped. (iterate.c)
bool iterate_goes_on(const ts_iterate *it);

// ---- The archive ----

// Takes in what the view has got since; false, with *s, where the pool cannot be read or memory is short.
bool archive_refresh(ts_iterate *it, Status *s);
// Forgets the view, which will be loaded anew.
void archive_forget(ts_iterate *it);
void archive_free(ts_iterate *it);
// Counts those sources, which come first, that were in the pool at the start: of a view just loaded.
void archive_count_originals(ts_iterate *it);
// Takes in a score that was stored, if the view has the program.
void archive_note(ts_iterate *it, size_t task, const char *hash, const ts_pool_score *score);
// A near-winner of a task that is good where it counts: the best on a demo picked at random, of several such
// the best on the next one, and so on. NULL where there is none.
const Near *archive_pick(const ts_iterate *it, size_t task, Rng *rng);

// ---- Rounds ----

uint64_t iterate_seed(const ts_iterate *it); // of the round under way
// Runs programs as a battery on tasks; NULL, with *s, where that fails. `progress`, of which the user is the
// loop, may end it early; NULL: nothing but the flag does. (iterate.c)
ts_battery *iterate_play(ts_iterate *it, const ts_programs *programs, const ts_task *const *tasks,
                         size_t count, ts_progress *progress, Status *s);
// Whether there are programs that nobody has run yet.
bool iterate_has_unscored(ts_iterate *it);
// Deals mutants, or runs as they are the programs that nobody has run yet; stores what comes of it.
bool iterate_deal(ts_iterate *it, Status *s);
// Grows programs for a few tasks. *any is false where there is no task to grow.
bool iterate_grow(ts_iterate *it, bool *any, Status *s);

// Stores what a battery of this card (NULL: of programs that were grown) has found for these tasks (NULL:
// all) as one transaction.
bool iterate_keep(ts_iterate *it, const ts_card *card, const uint64_t *dealt, size_t dealt_count,
                  ts_battery *battery, const size_t *tasks, size_t count, Status *s);

// ---- Differs that evolve; without them nothing here does anything ----

// Begins with the differs of the options, and those of the file if it is there.
bool iterate_differs_start(ts_iterate *it, const char *path, Status *s);
void iterate_differs_free(ts_iterate *it);
// Before each round: takes in the winners that were noted, and makes the next generation when it is time.
bool iterate_differs_step(ts_iterate *it, Status *s);
// At the end of a run: what each is worth by now.
bool iterate_differs_end(ts_iterate *it, Status *s);
// Notes that a program of the card solves a task. What was noted since there were so many is forgotten again.
void iterate_differs_note(ts_iterate *it, size_t task, const ts_card *card, size_t program);
int iterate_differs_noted(const ts_iterate *it);
void iterate_differs_forget(ts_iterate *it, int noted);
// Takes in a case: what the parent of a winner, and after it other programs, gave on the demos. False where
// memory is short.
bool iterate_differs_case(ts_iterate *it, const ts_task *task, const ts_grid *const *grids, int programs);

#endif
