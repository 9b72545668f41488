// What the files of the solver share.
//
//     solver.c          the public face: making, threads, keeping house
//     solver_jobs.c     which job is next, for how long; the pool; what a search has brought, as answers
//     solver_records.c  what a job has done, as records of the journal and back
//     solver_spread.c   jobs searched by other processes: given out as orders, taken back as records
//     solver_order.c    an order as a text, and the other side of it: a worker
//
// A job is a task with its search.
#ifndef TESSERA_SEARCH_SOLVER_H
#define TESSERA_SEARCH_SOLVER_H

#include <math.h>
#include <pthread.h>

#include "base/clock.h"
#include "base/index.h"
#include "base/threads.h"
#include "search/kept.h"
#include "search/message.h"
#include "search/quest.h"

enum {
    SOLVER_TRIES = 3,        // a job is given to other processes so often, then it is given up
    SOLVER_ORDER_TASKS = 64, // in an order, at the most
};

typedef struct {
    const ts_task *task;
    ts_search search;
    bool is_running, is_over, is_solved;
    bool is_through;   // in its last run: the engines have no more to bring
    bool starved;      // memory has failed in its last run,
    bool pool_starved; // or for the programs of the pool
    int runs;
    double given;     // seconds of work in the last run
    double asked;     // that an order wants; 0: the solver decides
    double until;     // by the clock: when the run under way should be through
    double promise;   // the more, the sooner it gets more work
    size_t journaled; // candidates that the journal has
    // Searched by another process:
    int losses;        // processes that were lost with it
    bool is_alone;     // one was: it makes up an order by itself
    bool is_suspected; // perhaps it was this one: nothing else is given out beside it
    char *lost;        // why it was given up; NULL: it was not
    bool starved_there;
} Job;

typedef struct {
    size_t *jobs; // NULL: it has come back
    size_t count;
} Order;

struct ts_solver {
    ts_solver_options options;
    Job *jobs;
    size_t count;
    Index ids; // of the jobs, by the hash of the task's id
    int threads;
    Journal journal;
    double start, end; // by the clock; end: 0 without a budget
    double closing;    // and what was given out until the end is waited for until then
    double before;     // seconds spent by earlier runs, and before this one was made
    double limit;      // of an order: seconds by the clock that all of it may take; 0: no limit
    ts_submission *submission;
    // The lock is for all of these, and for the jobs but the search of one that is running.
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool is_changed;      // the submission
    bool is_ended;        // there is nothing to take any more
    size_t running;       // jobs
    size_t first_open;    // of the jobs: those before are over or running
    size_t done, earlier; // jobs that were run; by earlier runs
    size_t solved, news;
    size_t starved;       // jobs
    size_t lost;          // jobs that were given up
    ts_solved *solutions; // in the order in which they came; the last `news` were not yet told of
    uint64_t tried;
    Profile *laps; // of each thread; NULL without a profile
    bool has_pool; // the journal has the pool as it is
    const char *warning;
    SearchKept earlier_file; // the submission of an earlier run
    // Orders, by their numbers.
    bool is_spread;            // one was asked for
    char stock[MESSAGE_STOCK]; // what they go with; empty: not known yet
    Order *orders;
    size_t order_count, order_room;
    size_t orders_out, suspects_out, suspects; // under way; of suspected jobs; such jobs that wait
    double measured, planned;   // seconds that jobs have taken elsewhere, and seconds of work they were given
    double written, write_took; // ms: when the submission was written last, and how long that took
};

static inline bool solver_is_stopped(const ts_solver *s) { return threads_stopped(s->options.search.stop); }
static inline bool solver_has_budget(const ts_solver *s) { return s->options.budget > 0; }
static inline double solver_now(void) { return clock_ms() / 1000; }
static inline double solver_spent(const ts_solver *s) { return s->before + solver_now() - s->start; }
static inline bool solver_is_late(const ts_solver *s) { return s->end > 0 && solver_now() >= s->end; }

// ---- Jobs (solver_jobs.c); all with the lock ----

// Puts what was found for a job into the submission, and draws conclusions.
void solver_publish(ts_solver *s, Job *job);
// Runs the programs of the pool on the tasks that were not yet searched. Where memory does not reach for them
// the search goes on without.
void solver_try_pool(ts_solver *s);
// The job that is next, NULL where there is none now.
Job *solver_next(ts_solver *s);
void solver_begin_run(ts_solver *s, Job *job); // says for how long
void solver_note_starved(ts_solver *s, Job *job, bool starved);
// Searches all jobs, one after the other, in this thread, with the programs of the pool first. (solver.c)
void solver_search_here(ts_solver *s);

// ---- Records (solver_records.c) ----

// What was found for a job, from this candidate on, with what it gives or without, and its run.
void solver_print_run(const ts_solver *s, const Job *job, size_t from, bool gives, bool is_over, Text *t);
void solver_print_memory(const Job *job, Text *t); // where memory was short for it
void solver_record_run(ts_solver *s, Job *job);    // with the lock
void solver_record_time(ts_solver *s);
void solver_record_pool(ts_solver *s);
// Brings the jobs to where the records of a journal have them. Those of the order alone, unless it is NULL.
bool solver_restore(ts_solver *s, Journal *j, const Order *order, Status *status);
uint64_t solver_hash_pool(const ts_programs *pool);

// ---- Orders as texts (solver_order.c) ----

bool solver_print_order(ts_solver *s, const Order *p, Text *t); // false where memory is short
// The pool that a stock is.
ts_programs *solver_read_stock(const char *text, size_t length, Status *s);
// The result of an order, to be freed. The pool must be that of its stock. NULL, with *s, where it is no
// order, memory is short, or it was stopped.
char *solver_do(const char *order, size_t length, const ts_programs *pool, const ts_stop *stop, Status *s);

// ---- Keeping house (solver.c) ----

void solver_begin(ts_solver *s); // the time
bool solver_write_submission(ts_solver *s, Status *status);

#endif
