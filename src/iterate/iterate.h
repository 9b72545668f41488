// What the files of this folder share.
//
//     iterate.c         the public face: starting, the loop, which kind of round comes next
//     iterate_window.c  the rounds under way: planned, given out, taken back, merged in their order
//     archive.c         what is known of each task: its winners, and near-winners as parents
//     iterate_deal.c    a round of mutants: parents picked, a card dealt, for a battery on all tasks
//     iterate_grow.c    a round of growth: a few tasks, and lines of the pool's programs to build on
//     iterate_do.c      what a round does, here or elsewhere
//     iterate_keep.c    what a round has found: cut out, checked alone, stored
//     iterate_differs.c differs that evolve, if that is asked for
//     iterate_order.c   rounds as texts for workers, and the stock that they share
//     iterate_found.c   what workers have found, as texts
//     iterate_worker.c  a worker: reads stock and orders, does the round, tells what it has found
//
// A round is planned, done and merged. What is planned follows from the seed, the number of the round and the
// pool as far as it was merged by then; doing it needs nothing but the plan, so it may be done anywhere; and
// merging is in the order of the numbers. Round n is planned once round n - slots was merged and before the
// next one is. So who does the rounds, and in which order they come back, changes nothing.
//
// What planning changes: visits of tasks, units of the ways, kinds made, programs that were taken to be run
// as they are. What merging changes: the pool, the archive, counts, gains, kinds that brought something.
#ifndef TESSERA_ITERATE_ITERATE_H
#define TESSERA_ITERATE_ITERATE_H

#include "base/index.h"
#include "base/rng.h"
#include "base/text.h"
#include "program/program.h"
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

enum {
    ITERATE_TOP = 8,   // candidates of a task that are looked at
    ITERATE_BATCH = 8, // tasks that a round grows
    ITERATE_DONORS = 200 + ARCHIVE_NEAR,
    ITERATE_MOST_SLOTS = 4096,
};

// What a candidate must be to be stored for a task, by what is known as the round is planned. Bars only rise.
typedef struct {
    size_t winner_lines;   // that one which solves it may have
    int64_t score;         // that another one must exceed,
    size_t lines, longest; // or reach with less than `lines`; of more than `longest` none is wanted
} IterateBar;

static inline bool iterate_bar_lets(const IterateBar *b, bool solves, int64_t score, size_t lines) {
    if (solves) return lines <= b->winner_lines;
    return score > 0 && lines <= b->longest && (score > b->score || (score == b->score && lines < b->lines));
}

// A task that is grown.
typedef struct {
    size_t task;
    double units;
    size_t donors[ITERATE_DONORS]; // programs of the view, or of the worker
    size_t donor_count;
} IterateVisit;

// Means to do a round.
typedef struct {
    const ts_programs *differs;
    uint64_t units; // that a program may spend on a sample
    int threads;
    double deadline; // by clock_ms; 0: none
    const ts_stop *stop;
    ts_profile *profile;
} IterateMeans;

// A candidate that a worker tells of.
typedef struct {
    size_t place;           // of the task among those of the round
    ts_candidate candidate; // its node: its place among the programs; its program: of those dealt
    bool checked;           // then it is what the worker says, and this is its score
    ts_pool_score score;
} IterateClaim;

// What a worker has found: for each task the best first, tasks in the order in which they were asked for.
typedef struct {
    ts_programs *programs;
    IterateClaim *claims;
    size_t count, room;
    uint64_t grown;
    bool whole; // there was time for all of it
} IterateFound;

typedef enum { ROUND_WAITS, ROUND_OUT, ROUND_BACK } IterateState;

// A round from its plan to its end.
typedef struct {
    uint64_t number, seed;
    IterateWay way;
    bool first_run;   // there were programs that nobody had run, so what it solves is nobody's gain
    bool as_it_is;    // programs are run as they are, and nothing of it is noted as dealt
    double units;     // that the way was charged with
    IterateBar *bars; // of its tasks
    // A deal:
    ts_card *card;
    char (*parents)[17]; // of its programs: hashes
    uint64_t *keys;      // what was dealt
    size_t key_count;
    size_t unscored; // where in the view its programs without a score begin; SIZE_MAX: it has none
    // Growth:
    IterateVisit *visits;
    size_t visit_count;
    size_t tasks[ITERATE_BATCH];
    bool public_only;
    // What came of it here:
    ts_battery *battery;
    ts_programs *programs; // that were grown, for the battery
    uint64_t grown;        // how many were tried
    // For workers:
    IterateState state;
    char *order;
    size_t order_length;
    char *differs; // where they evolve: text
    int lost;      // times
    IterateFound *found;
} IterateRound;

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
    ts_engine *asked;                // asks differs about what workers say; NULL before the first
    double units[WAYS], gains[WAYS]; // spent lately by each way, and tasks solved by it
    double made[TS_MUTATIONS], brought[TS_MUTATIONS]; // of each kind lately: mutants, and what they brought
    ts_iterate_counts so_far;                         // but for the seconds
    double start, spent;                              // of the run under way, of those before; ms
    double seconds;                                   // that the run under way has; 0: no limit
    // Rounds under way (iterate_window.c): the one with number n at n % slots.
    IterateRound *rounds;
    uint64_t next, last;       // number of the next one to be planned; those up to `last` are to be; 0: any
    bool begun, failed;        // begun: they are done elsewhere. failed: there is no going on
    Text stock, stock_differs; // what all orders share
    char stock_name[17];
    Index stock_index; // of its programs, by hash
    uint64_t *stock_hashes;
    size_t stock_count;
};

bool iterate_say_why(Status *s); // what fails without a word has found no memory; returns false (iterate.c)
static inline bool iterate_is_stopped(const ts_iterate *it) { return ts_stop_is_set(it->options.stop); }
// Whether the time of a run is over; also that it is stopped. (iterate.c)
bool iterate_goes_on(const ts_iterate *it);
bool iterate_count_held(ts_iterate *it, Status *s); // asks the pool how many programs it has (iterate.c)

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

// Where a program of the view is among its entries, and a program by its hash; SIZE_MAX: it is not there.
size_t archive_entry_of(const ts_iterate *it, size_t program);
size_t archive_program(const ts_iterate *it, const char *hash);

// ---- Rounds ----

// Whether there are programs that nobody has run yet.
bool iterate_has_unscored(ts_iterate *it);
// Plans a round of mutants, or of programs that nobody has run yet, as they are.
bool iterate_plan_deal(ts_iterate *it, IterateRound *r, Status *s);
// Plans to grow programs for a few tasks. *any is false where there is no task to grow.
bool iterate_plan_growth(ts_iterate *it, IterateRound *r, bool *any, Status *s);
// Plans the next round; does it here; merges it. A round that failed is to be dropped.
bool iterate_plan(ts_iterate *it, IterateRound *r, Status *s);
bool iterate_do_here(ts_iterate *it, IterateRound *r, Status *s);
bool iterate_merge(ts_iterate *it, IterateRound *r, Status *s);
void iterate_drop(ts_iterate *it, IterateRound *r); // takes back what planning has changed
void iterate_round_free(IterateRound *r);

// The tasks that a round is for: how many, and the place of each.
static inline size_t iterate_task_count(const ts_iterate *it, const IterateRound *r) {
    return r->card ? it->count : r->visit_count;
}
static inline size_t iterate_task(const IterateRound *r, size_t n) { return r->card ? n : r->tasks[n]; }

// Runs programs as a battery on tasks; NULL, with *s, where that fails. `timed`: it ends at the deadline.
// (iterate_do.c)
ts_battery *iterate_play(IterateMeans *means, const ts_programs *programs, const ts_task *const *tasks,
                         size_t count, bool timed, Status *s);
// Grows programs for tasks; NULL, with *s, where memory was short. The donors are numbers of these.
ts_programs *iterate_grow(const IterateMeans *means, const IterateVisit *visits, const ts_task *const *tasks,
                          size_t count, const Program *programs, uint64_t seed, bool public_only,
                          uint64_t *grown, Status *s);

// Stores what a round has found as one transaction.
bool iterate_keep(ts_iterate *it, IterateRound *r, Status *s);
// Whether what a worker tells of is so, as far as it matters. False, with *s, where it is not.
bool iterate_check(ts_iterate *it, const IterateRound *r, IterateFound *found, Status *s);
// What is wanted of a task as things are.
IterateBar iterate_bar(ts_iterate *it, size_t task);

// ---- Rounds done elsewhere ----

// Begins a run, without a stock; forgets the rounds under way, and that it runs.
bool iterate_begin(ts_iterate *it, uint64_t rounds, double seconds, Status *s);
void iterate_abandon(ts_iterate *it);
void iterate_window_free(ts_iterate *it);

bool iterate_write_stock(ts_iterate *it, Status *s);
bool iterate_write_order(ts_iterate *it, IterateRound *r, Status *s);
// Reads the result of a round; NULL, with *s, where it is none.
IterateFound *iterate_read_found(const ts_iterate *it, const IterateRound *r, const char *text, size_t length,
                                 Status *s);
void iterate_found_free(IterateFound *found);

// ---- Differs that evolve; without them nothing here does anything ----

int16_t iterate_points(ts_value value); // what a differ gave, 0 to 1000

// Begins with the differs of the options, and those of the file if it is there.
bool iterate_differs_start(ts_iterate *it, const char *path, Status *s);
void iterate_differs_free(ts_iterate *it);
// Before each round: takes in the winners that were noted, and makes the next generation when it is time.
bool iterate_differs_step(ts_iterate *it, Status *s);
// At the end of a run: what each is worth by now.
bool iterate_differs_end(ts_iterate *it, Status *s);
// Those in use, as text; NULL where memory is short.
char *iterate_differs_text(const ts_iterate *it);
// Notes that a program of a round solves a task. What was noted since there were so many is forgotten again.
void iterate_differs_note(ts_iterate *it, size_t task, const IterateRound *r, size_t program);
int iterate_differs_noted(const ts_iterate *it);
void iterate_differs_forget(ts_iterate *it, int noted);
// Takes in a case: what the parent of a winner, and after it other programs, gave on the demos. False where
// memory is short.
bool iterate_differs_case(ts_iterate *it, const ts_task *task, const ts_grid *const *grids, int programs);

#endif
