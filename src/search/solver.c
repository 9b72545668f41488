// Many tasks on several threads, within a budget.
//
// Threads take jobs one after the other (solver_jobs.c says which), search each for some seconds of work, put
// its answers into the submission, and write a record to the journal. One more thread keeps house: it shows
// the progress, writes the submission anew where it has changed, and puts the time into the journal.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/hash.h"
#include "base/replace.h"
#include "device/devices.h"
#include "profile/profile_report.h"
#include "search/solver.h"

enum {
    TICK_MS = 100,     // between two looks of the thread that keeps house
    WRITE_MS = 1000,   // between two writes of the submission,
    WRITE_FACTOR = 20, // and so many times what one takes
    CLOCK_FACTOR = 4,  // a job may take so many times its seconds by the clock
    STOCK_PART = 8,    // of the memory of a job: what a thread keeps from one job to the next
};
static const double SLACK = 0.1; // seconds by the clock that a job may take in any case
// Of the seconds after the search: for results that come as it ends.
static const double CLOSING_PART = 0.5;

// ---- What decides the results ----

static uint64_t hash_task(uint64_t h, const ts_task *task) {
    h = hash_bytes(h, task->id, strlen(task->id));
    for (int k = 0; k < task->demos + task->tests; k++)
        for (int side = 0; side < 2 - (k >= task->demos); side++) {
            ts_grid g = side ? task->samples[k].output : task->samples[k].input;
            h = hash_mix(h, (uint64_t)(g.height << 8 | g.width));
            h = hash_bytes(h, g.cells, (size_t)(g.height * g.width));
        }
    return h;
}

static void put_key(const ts_solver *s, Text *t) {
    const ts_search_options *o = &s->options.search;
    uint64_t tasks = 0;
    for (size_t k = 0; k < s->count; k++) tasks = hash_task(tasks, s->jobs[k].task);
    text_print(t, "build %s\ttasks %zu, %016llx\tseed %llu", build_sum(), s->count, (unsigned long long)tasks,
               (unsigned long long)o->seed);
    if (solver_has_budget(s)) text_print(t, "\tbudget %.9g s", s->options.budget);
    else text_print(t, "\tper-task %.9g s", o->seconds);
    text_print(t, "\tengine %s\tmemory %zu", o->engines ? o->engines : "all", o->memory);
    if (s->options.trust_pool) text_add(t, "\ttrust-pool yes");
}

bool solver_write_submission(ts_solver *s, Status *status) {
    if (!s->options.submission) return true;
    pthread_mutex_lock(&s->lock);
    char *text = ts_submission_print(s->submission);
    s->is_changed = false;
    pthread_mutex_unlock(&s->lock);
    bool good = text ? replace_with(s->options.submission, text, strlen(text), status)
                     : status_fail(status, TS_SYSTEM, "no memory to write '%.300s'", s->options.submission);
    free(text);
    return good;
}

// ---- Making ----

static bool index_id(ts_solver *s, size_t job) {
    const char *id = s->jobs[job].task->id;
    const uint32_t hash = (uint32_t)hash_bytes(hash_seed, id, strlen(id));
    uint32_t at = hash;
    if (!index_reserve(&s->ids)) return false;
    while (index_next(&s->ids, hash, &at)) {}
    index_put(&s->ids, at, hash, (uint32_t)job);
    return true;
}

static bool make_jobs(ts_solver *s, const ts_task *const *tasks, size_t count, Status *status) {
    ts_search_options options = s->options.search;
    options.stop = NULL; // what is offered before the run is not to be cut short
    s->jobs = calloc(count + 1, sizeof *s->jobs);
    s->solutions = calloc(count + 1, sizeof *s->solutions);
    if (!s->jobs || !s->solutions) return status_fail(status, TS_SYSTEM, "no memory for %zu tasks", count);
    for (; s->count < count; s->count++) {
        s->jobs[s->count].task = tasks[s->count];
        if (!index_id(s, s->count)) return status_fail(status, TS_SYSTEM, "memory is short");
        if (!search_init(&s->jobs[s->count].search, tasks[s->count], &options, status)) return false;
    }
    s->submission = ts_submission_new(tasks, count, status);
    return s->submission != NULL;
}

// Brings the jobs to where the earlier run had them.
static bool restore(ts_solver *s, Status *status) {
    journal_trim(&s->journal, "found");
    if (!solver_restore(s, &s->journal, NULL, status)) return false;
    for (size_t k = 0; k < s->count; k++) {
        quest_rest(&s->jobs[k].search.quest);
        if (s->jobs[k].runs) solver_publish(s, &s->jobs[k]);
    }
    s->earlier = s->done;
    return journal_keep(&s->journal, status);
}

static bool open_journal(ts_solver *s, Status *status) {
    if (!s->options.journal) return true;
    Text key = {0};
    put_key(s, &key);
    bool good = key.failed
                    ? status_fail(status, TS_SYSTEM, "memory is short")
                    : journal_open(&s->journal, s->options.journal, key.data, s->options.fresh, status);
    text_free(&key);
    if (!good || (s->journal.resumed && !restore(s, status))) return false;
    if (!s->has_pool) solver_record_pool(s);
    if (s->options.submission) replace_tidy(s->options.submission); // nobody else writes it now
    return true;
}

// A run that goes on has a journal; any other keeps what an earlier one has brought.
static bool keep_earlier(ts_solver *s, Status *status) {
    if (!s->options.submission || s->options.fresh || s->journal.resumed) return true;
    if (!search_keep(&s->earlier_file, s->options.submission, status)) return false;
    if (s->earlier_file.words[0]) s->warning = s->earlier_file.words;
    return true;
}

ts_solver *ts_solver_new(const ts_task *const *tasks, size_t count, const ts_solver_options *options,
                         ts_status *status) {
    ts_solver *s = calloc(1, sizeof *s);
    if (!s) {
        status_fail(status, TS_SYSTEM, "memory is short");
        return NULL;
    }
    s->options = *options;
    if (!(s->options.search.seconds > 0)) s->options.search.seconds = 1;
    s->threads = options->threads > 0 ? options->threads : threads_processors();
    s->start = solver_now();
    s->journal.file = -1;
    pthread_mutex_init(&s->lock, NULL);
    threads_condition(&s->change);
    if (make_jobs(s, tasks, count, status) && open_journal(s, status) && keep_earlier(s, status) &&
        solver_write_submission(s, status)) {
        s->before += options->spent;
        return s;
    }
    journal_close(&s->journal, s->journal.is_new); // nothing has begun
    ts_solver_free(s);
    return NULL;
}

void ts_solver_free(ts_solver *s) {
    if (!s) return;
    journal_close(&s->journal, false);
    for (size_t k = 0; k < s->count; k++) {
        quest_free(&s->jobs[k].search.quest);
        free(s->jobs[k].lost);
    }
    ts_submission_free(s->submission);
    search_kept_free(&s->earlier_file);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->change);
    for (size_t k = 0; k < s->order_count; k++) free(s->orders[k].jobs);
    free(s->orders);
    index_free(&s->ids);
    free(s->jobs);
    free(s->solutions);
    free(s);
}

// ---- Searching ----

static uint64_t tried(const Quest *q) {
    uint64_t n = 0;
    for (int e = 0; e < ENGINES; e++) n += q->tried[e];
    return n;
}

// Seconds by the clock until the end, for all that is still to be done; 0: there is none.
static double time_left(const ts_solver *s) {
    if (solver_has_budget(s)) return fmax(1e-3, s->end - solver_now());
    return s->limit > 0 ? fmax(1e-3, s->start + s->limit - solver_now()) : 0;
}

// Without the lock.
static bool search_job(const ts_solver *s, Job *job, ArenaStock *stock, Device *device, Profile *laps) {
    const double left = time_left(s), limit = left > 0 ? fmin(left, CLOCK_FACTOR * job->given + SLACK) : 0;
    profile_lap(laps, PROFILE_STAGE + TS_STAGE_RUN, 0);
    job->search.quest.profile = laps;
    quest_use_stock(&job->search.quest, stock);
    job->search.quest.device = device;
    bool more = ts_search_more(&job->search, job->given, limit);
    job->search.quest.device = NULL;
    quest_use_stock(&job->search.quest, NULL);
    job->search.quest.profile = NULL;
    return more;
}

// Takes note of a run that has ended. With the lock.
static void note_run(ts_solver *s, Job *job, bool more) {
    job->is_running = false;
    s->running--;
    job->is_through = !more;
    job->is_over |= !more;
    solver_note_starved(s, job, job->pool_starved || job->search.quest.starved);
    solver_publish(s, job);
    const bool cut_short = job->search.quest.late && (solver_is_stopped(s) || solver_is_late(s));
    if (cut_short) return;
    s->done += job->runs++ == 0;
    // One without a record is searched again by the next run.
    if (!job->starved || solver_has_budget(s)) solver_record_run(s, job);
}

static void work(ts_solver *s, int thread, Profile *laps) {
    Device *device = devices_for_thread(s->options.devices, thread);
    ArenaStock stock = {.limit = s->count ? s->jobs[0].search.quest.memory / STOCK_PART : 0};
    pthread_mutex_lock(&s->lock);
    for (;;) {
        Job *job = solver_next(s);
        if (!job && (!s->running || !solver_has_budget(s))) break;
        if (!job) { // one of those that are running may come back
            pthread_cond_wait(&s->change, &s->lock);
            profile_lap(laps, PROFILE_WAIT, 0);
            continue;
        }
        uint64_t before = tried(&job->search.quest);
        pthread_mutex_unlock(&s->lock);
        const double ms = laps ? clock_thread_ms() : 0;
        bool more = search_job(s, job, &stock, device, laps);
        const double spent_ms = laps ? clock_thread_ms() - ms : 0;
        pthread_mutex_lock(&s->lock);
        s->tried += tried(&job->search.quest) - before;
        if (laps) ts_profile_task(s->options.profile, job->task->id, spent_ms);
        note_run(s, job, more);
        pthread_cond_broadcast(&s->change);
    }
    s->is_ended = true;
    pthread_cond_broadcast(&s->change);
    pthread_mutex_unlock(&s->lock);
    arena_stock_free(&stock);
    profile_lap(laps, PROFILE_WAIT, 1);
}

// What is done once, before jobs are searched.
static void prepare(ts_solver *s) {
    solver_try_pool(s);
    for (size_t k = 0; k < s->count; k++) s->jobs[k].search.quest.stop = s->options.search.stop;
}

void solver_search_here(ts_solver *s) {
    prepare(s);
    work(s, 0, NULL);
}

// ---- Keeping house ----

typedef struct {
    ts_solver *solver;
    ts_solver_watch *watch;
    void *user;
} Run;

static void tell(ts_solver *s, ts_solver_watch *watch, void *user) {
    if (!watch) return;
    pthread_mutex_lock(&s->lock);
    ts_solver_progress p = {.tasks = s->count,
                            .done = s->done,
                            .solved = s->solved,
                            .news_count = s->news,
                            .news = s->solutions + s->solved - s->news,
                            .tried = s->tried,
                            .seconds = solver_spent(s),
                            .pass = 1};
    int least = -1;
    for (size_t k = 0; k < s->count; k++)
        if (s->jobs[k].is_running && (least < 0 || s->jobs[k].runs < least)) least = s->jobs[k].runs;
    if (least > 0) p.pass = least + 1;
    s->news = 0;
    double here = solver_now() - s->start;
    if (solver_has_budget(s)) p.left = fmax(0, s->end - solver_now());
    else if (s->done > s->earlier)
        p.left = here / (double)(s->done - s->earlier) * (double)(s->count - s->done);
    pthread_mutex_unlock(&s->lock);
    watch(user, &p); // solutions that were told of do not change
}

void ts_solver_watch_over(ts_solver *s, ts_solver_watch *watch, void *user) {
    pthread_mutex_lock(&s->lock);
    const bool is_changed = s->is_changed;
    pthread_mutex_unlock(&s->lock);
    if (clock_ms() - s->written >= fmax(WRITE_MS, WRITE_FACTOR * s->write_took)) {
        const double start = clock_ms();
        Status ignored; // the next one may do better; the last one counts
        if (is_changed) solver_write_submission(s, &ignored);
        solver_record_time(s);
        s->written = clock_ms();
        s->write_took = s->written - start;
    }
    tell(s, watch, user);
}

static void keep_house(Run *r) {
    ts_solver *s = r->solver;
    for (bool over = false; !over;) {
        pthread_mutex_lock(&s->lock);
        double tick = clock_ms() + TICK_MS;
        while (!(over = s->is_ended && !s->running) && threads_wait_until(&s->change, &s->lock, tick))
            continue;
        pthread_mutex_unlock(&s->lock);
        if (!over) ts_solver_watch_over(s, r->watch, r->user);
    }
    tell(s, r->watch, r->user);
}

static void run_thread(void *arg, int number) {
    Run *r = arg;
    Profile *laps = r->solver->laps && number < r->solver->threads ? &r->solver->laps[number] : NULL;
    if (number) profile_begin(laps); // by the clock of this thread
    if (number == r->solver->threads) keep_house(r);
    else work(r->solver, number, laps);
}

// The threads, with laps for each where there is a profile; without memory for these their time has no place.
static void run_threads(ts_solver *s, Run *run) {
    ts_profile *profile = s->options.profile;
    ts_profile_stage(profile, TS_STAGE_RUN);
    if (profile) s->laps = calloc((size_t)s->threads, sizeof *s->laps);
    if (s->laps) profile_start_threads(profile, s->threads);
    for (int e = 0; e < ENGINES; e++) profile_engine(profile, e, engines_table[e].name);
    for (int k = 0; s->laps && k < s->threads; k++) s->laps[k].stage = TS_STAGE_RUN;
    if (s->laps) profile_begin(&s->laps[0]);
    threads_run(s->threads + 1, run_thread, run);
    for (int k = s->threads; s->laps && k-- > 0;) profile_end_thread(profile, &s->laps[k], k == 0);
    free(s->laps);
    s->laps = NULL;
}

// Seconds for what is to be done after the search.
static double reserve(const ts_solver *s) { return fmin(0.03 + 0.005 * s->options.budget, 2); }

void solver_begin(ts_solver *s) {
    s->written = clock_ms();
    if (!solver_has_budget(s)) return;
    s->end = s->start + s->options.budget - s->before - reserve(s);
    s->closing = s->end + CLOSING_PART * reserve(s);
}

bool ts_solver_end(ts_solver *s, ts_solver_watch *watch, void *user, ts_status *status) {
    tell(s, watch, user);
    bool good = solver_write_submission(s, status);
    char *text = good ? ts_submission_print(s->submission) : NULL;
    if (text) search_kept_compare(&s->earlier_file, text);
    free(text);
    const bool is_whole = !s->lost && (!s->starved || solver_has_budget(s));
    const bool goes_on = solver_is_stopped(s) || !is_whole || !ts_solver_is_over(s);
    if (good && goes_on && s->options.journal) {
        solver_record_time(s);
        if (s->journal.failed)
            good = status_fail(status, TS_SYSTEM, "'%.300s' could not be written: the next run begins anew",
                               s->options.journal);
    }
    journal_close(&s->journal, good && !goes_on);
    return good;
}

bool ts_solver_run(ts_solver *s, ts_solver_watch *watch, void *user, ts_status *status) {
    Run run = {.solver = s, .watch = watch, .user = user};
    solver_begin(s);
    tell(s, watch, user);
    prepare(s);
    run_threads(s, &run);
    return ts_solver_end(s, watch, user, status);
}

const char *ts_solver_warning(const ts_solver *s) { return s->warning; }
bool ts_solver_starved(const ts_solver *s, size_t task) { return s->jobs[task].starved; }
bool ts_solver_has_budget(const ts_solver *s) { return solver_has_budget(s); }
const char *ts_solver_lost(const ts_solver *s, size_t task) { return s->jobs[task].lost; }

size_t ts_solver_count(const ts_solver *s) { return s->count; }
ts_search *ts_solver_search(ts_solver *s, size_t task) { return &s->jobs[task].search; }
const ts_submission *ts_solver_submission(const ts_solver *s) { return s->submission; }
