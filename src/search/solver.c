// Many tasks on several threads, within a budget.
//
// A job is a task with its search. Threads take jobs one after the other, search each for some seconds of
// work, put its answers into the submission, and write a record to the journal. With so many seconds for each
// task every job is run once, and what comes out depends on nothing else. With a budget by the clock jobs are
// run again, each time with four times the work, until an answer is to be trusted or the engines have no more
// to bring: those with the fewest runs first, of these the most promising; when what is left of the budget
// does not reach for another round after this one, all of it is spread over this one.
//
// One more thread keeps house: it shows the progress, writes the submission anew where it has changed, and
// puts the time into the journal.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/replace.h"
#include "base/threads.h"
#include "device/devices.h"
#include "profile/profile_report.h"
#include "program/program.h"
#include "search/journal.h"
#include "search/kept.h"
#include "search/quest.h"
#include "task/task.h"

enum {
    GROWTH = 4,            // of the work from one run of a job to the next
    TICK_MS = 100,         // between two looks of the thread that keeps house
    WRITE_MS = 1000,       // between two writes of the submission
    MOST_ANSWERS = 8,      // to a test that are looked at
    POOL_TOP = 16,         // programs of the pool that are offered for a task
    POOL_UNITS = 10000000, // that a program of the pool may spend on a sample
    CLOCK_FACTOR = 4,      // a job may take so many times its seconds by the clock
    STOCK_PART = 8,        // of the memory of a job: what a thread keeps from one job to the next
};
static const double POOL_PART = 0.5;  // of the budget, at the most, for the programs of the pool
static const double FIRST_PART = 0.1; // of a task's share of the budget, for its first run
static const double FIRST_LEAST = 0.01, FIRST_MOST = 0.5; // seconds
static const double LEAST_GAIN = 2; // a run with less than so many times the work before is a waste
static const double SLACK = 0.1;    // seconds by the clock that a job may take in any case

typedef struct {
    const ts_task *task;
    ts_search search;
    bool is_running, is_over, is_solved;
    bool starved;      // memory has failed in its last run,
    bool pool_starved; // or for the programs of the pool
    int runs;
    double given;     // seconds of work in the last run
    double until;     // by the clock: when the run under way should be through
    double promise;   // the more, the sooner it gets more work
    size_t journaled; // candidates that the journal has
} Job;

struct ts_solver {
    ts_solver_options options;
    Job *jobs;
    size_t count;
    int threads;
    Journal journal;
    double start, end; // by the clock; end: 0 without a budget
    double before;     // seconds spent by earlier runs, and before this one was made
    ts_submission *submission;
    // The lock is for all of these, and for the jobs but the search of one that is running.
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool is_changed;      // the submission
    bool is_ended;        // there is nothing to take any more
    size_t running;       // jobs
    size_t done, earlier; // jobs that were run; by earlier runs
    size_t solved, news;
    size_t starved;       // jobs
    ts_solved *solutions; // in the order in which they came; the last `news` were not yet told of
    uint64_t tried;
    Profile *laps; // of each thread; NULL without a profile
    bool has_pool; // the journal has the pool as it is
    const char *warning;
    SearchKept earlier_file; // the submission of an earlier run
};

static bool is_stopped(const ts_solver *s) { return threads_stopped(s->options.search.stop); }
static bool has_budget(const ts_solver *s) { return s->options.budget > 0; }
static double now(void) { return clock_ms() / 1000; }
static double spent(const ts_solver *s) { return s->before + now() - s->start; }

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
    text_print(t, "build " SOURCES_SUM "\ttasks %zu, %016llx\tseed %llu", s->count, (unsigned long long)tasks,
               (unsigned long long)o->seed);
    if (has_budget(s)) text_print(t, "\tbudget %.9g s", s->options.budget);
    else text_print(t, "\tper-task %.9g s", o->seconds);
    text_print(t, "\tengine %s\tmemory %zu", o->engines ? o->engines : "all", o->memory);
    if (s->options.trust_pool) text_add(t, "\ttrust-pool yes");
}

// A pool is shared: others may have added to it when a run is taken up again. So it is no part of the key.
static uint64_t hash_pool(const ts_programs *pool) {
    uint64_t programs = 0;
    char hash[17];
    for (size_t k = 0; pool && k < ts_programs_count(pool); k++)
        if (ts_programs_hash(pool, k, hash)) programs = hash_bytes(programs, hash, sizeof hash);
    return programs;
}

// ---- Answers ----

// Puts the best answers for a test into the submission, beside those of others. Gives the support of the
// first that was found, 0 for none.
static double answer(ts_solver *s, size_t task, int test) {
    Answer answers[MOST_ANSWERS];
    size_t n = quest_rank(&s->jobs[task].search.quest, test, answers, MOST_ANSWERS);
    TaskVotes votes = {.count = 0};
    for (size_t m = 0; m < n; m++) task_vote(&votes, answers[m].grid, answers[m].confidence);
    for (size_t k = 0; k < s->options.others_count; k++)
        task_vote_all(&votes, &s->options.others[k], task, test);
    if (s->options.others_count) task_sort_votes(&votes);
    task_elect(&votes, s->submission, task, test);
    for (int m = 0; m < 2 && (size_t)m < n && !s->options.others_count; m++)
        ts_submission_trust(s->submission, task, test, m, answers[m].confidence);
    return n ? answers[0].support : 0;
}

// Puts what was found for a job into the submission, and draws conclusions. With the lock.
static void publish(ts_solver *s, Job *job) {
    const Quest *q = &job->search.quest;
    size_t k = (size_t)(job - s->jobs);
    double least = 1, part = 0;
    bool solved = false;
    for (int test = 0; test < q->all_tests; test++) least = fmin(least, answer(s, k, test));
    for (size_t c = 0; c < q->count; c++)
        part = fmax(part, (double)q->candidates[c].demos_right / q->all_demos);
    solved = part >= 1;
    s->is_changed = true;
    job->promise = solved ? 1 + least : part;
    job->is_over |= least >= QUEST_TRUSTED || !has_budget(s);
    if (!solved || job->is_solved) return;
    Answer best;
    job->is_solved = true;
    if (!quest_rank(q, 0, &best, 1)) return;
    const Candidate *c = &q->candidates[best.candidate];
    s->solutions[s->solved++] =
        (ts_solved){k, engines_table[c->engine].name, c->lines, best.confidence, c->program};
    s->news++;
}

static bool write_submission(ts_solver *s, Status *status) {
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

// ---- The journal ----
//
//     pool   hash of its programs
//     found  task  engine  class  program
//     run    task  seconds of work  candidates  seconds so far  whether it is over, then for each engine:
//            name  whether it is through  programs tried  milliseconds
//     time   seconds so far
//
// A piece is what was found for a task and then its run, or any other record.

enum { RUN_FIELDS = 6, ENGINE_FIELDS = 4 }; // of a record `run`
_Static_assert(RUN_FIELDS + ENGINE_FIELDS * (int)ENGINES <= (int)JOURNAL_MOST_FIELDS,
               "a record has room for all engines");

static void record(ts_solver *s, Job *job) {
    Quest *q = &job->search.quest;
    Text t = {0};
    for (; job->journaled < q->count; job->journaled++) {
        const Candidate *c = &q->candidates[job->journaled];
        text_add(&t, "found");
        journal_field(&t, job->task->id);
        text_print(&t, "\t%s\t%d", engines_table[c->engine].name, c->class);
        journal_field(&t, c->program);
        text_char(&t, '\n');
    }
    text_add(&t, "run");
    journal_field(&t, job->task->id);
    text_print(&t, "\t%.9g\t%zu\t%.3f\t%d", job->given, q->count, spent(s), job->is_over);
    for (int e = 0; e < ENGINES; e++)
        text_print(&t, "\t%s\t%d\t%llu\t%.3f", engines_table[e].name, q->through[e],
                   (unsigned long long)q->tried[e], q->ms[e]);
    text_char(&t, '\n');
    journal_add(&s->journal, &t);
    text_free(&t);
}

static void record_time(ts_solver *s) {
    Text t = {0};
    text_print(&t, "time\t%.3f\n", spent(s));
    pthread_mutex_lock(&s->lock);
    journal_add(&s->journal, &t);
    pthread_mutex_unlock(&s->lock);
    journal_sync(&s->journal);
    text_free(&t);
}

static void record_pool(ts_solver *s) {
    Text t = {0};
    text_print(&t, "pool\t%016llx\n", (unsigned long long)hash_pool(s->options.pool));
    journal_add(&s->journal, &t);
    text_free(&t);
}

static Job *job_of(ts_solver *s, Status *status) {
    for (size_t k = 0; k < s->count; k++)
        if (strcmp(s->jobs[k].task->id, s->journal.fields[1]) == 0) return &s->jobs[k];
    journal_damaged(&s->journal, 1, "the id of a task of this run", status);
    return NULL;
}

static bool restore_engine(const Journal *j, int field, EngineId *engine, Status *status) {
    *engine = engines_find(j->fields[field], strlen(j->fields[field]));
    return *engine < ENGINES || journal_damaged(j, field, "the name of an engine", status);
}

// Whether the program can be read as it was written. If not, it may need a primitive that was registered
// then.
static bool check_found(const Journal *j, Status *status) {
    char expected[300];
    Status problem = {.code = TS_SYSTEM};
    ts_programs *set = ts_programs_new();
    const char *text = j->fields[4];
    const bool good = set && program_add_ours(set, "", text, strlen(text), &problem);
    ts_programs_free(set);
    if (good) return true;
    if (problem.code == TS_SYSTEM)
        return status_fail(status, TS_SYSTEM, "no memory to read '%.300s'", j->path);
    snprintf(expected, sizeof expected, "a program that can be read (%.200s)", problem.message);
    return journal_damaged(j, 4, expected, status);
}

static bool restore_found(ts_solver *s, Status *status) {
    const Journal *j = &s->journal;
    uint64_t class;
    EngineId engine;
    Job *job = job_of(s, status);
    if (!job || !restore_engine(j, 2, &engine, status) ||
        !journal_count(j, 3, QUEST_CLASSES - 1, &class, status) || !check_found(j, status))
        return false;
    Quest *q = &job->search.quest;
    size_t before = q->count;
    quest_offer_program(q, engine, (int)class, j->fields[4], strlen(j->fields[4]));
    if (!quest_is_fed(q)) return status_fail(status, TS_SYSTEM, "no memory to read '%.300s'", j->path);
    return q->count > before || journal_damaged(j, 4, "another program that is right on a demo", status);
}

static bool restore_run(ts_solver *s, Status *status) {
    const Journal *j = &s->journal;
    uint64_t candidates, over;
    Job *job = job_of(s, status);
    if (!job) return false;
    Quest *q = &job->search.quest;
    if (!journal_seconds(j, 2, &job->given, status) ||
        !journal_count(j, 3, QUEST_MOST_CANDIDATES, &candidates, status) ||
        !journal_seconds(j, 4, &s->before, status) || !journal_count(j, 5, 1, &over, status))
        return false;
    if (candidates != q->count) return journal_damaged(j, 3, "the number of programs found so far", status);
    job->journaled = q->count;
    job->is_over = over;
    s->done += job->runs++ == 0;
    for (int k = RUN_FIELDS; k < j->count; k += ENGINE_FIELDS) {
        uint64_t through, tried;
        EngineId e;
        if (!restore_engine(j, k, &e, status) || !journal_count(j, k + 1, 1, &through, status) ||
            !journal_count(j, k + 2, INT64_MAX, &tried, status) ||
            !journal_seconds(j, k + 3, &q->ms[e], status))
            return false;
        q->through[e] = through;
        s->tried += tried - q->tried[e];
        q->tried[e] = tried;
    }
    return true;
}

static bool restore_pool(ts_solver *s, Status *status) {
    const char *hash = s->journal.fields[1];
    if (strlen(hash) != 16 || strspn(hash, "0123456789abcdef") != 16)
        return journal_damaged(&s->journal, 1, "a hash of 16 digits", status);
    s->has_pool = strtoull(hash, NULL, 16) == hash_pool(s->options.pool);
    s->warning = s->has_pool
                     ? NULL
                     : "the pool has changed since this run was begun: tasks that were searched before are "
                       "not searched again";
    return true;
}

static bool restore_record(ts_solver *s, Status *status) {
    static const struct {
        const char *kind;
        int fields;
        bool (*restore)(ts_solver *s, Status *status);
    } kinds[] = {{"pool", 2, restore_pool},
                 {"found", 5, restore_found},
                 {"run", RUN_FIELDS + ENGINE_FIELDS * ENGINES, restore_run},
                 {"time", 2, NULL}};
    const Journal *j = &s->journal;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(j->fields[0], kinds[k].kind) != 0) continue;
        char expected[60];
        snprintf(expected, sizeof expected, "%d fields, not %d", kinds[k].fields, j->count);
        if (j->count != kinds[k].fields) return journal_damaged(j, 0, expected, status);
        return kinds[k].restore ? kinds[k].restore(s, status) : journal_seconds(j, 1, &s->before, status);
    }
    return journal_damaged(j, 0, "pool, found, run or time", status);
}

// Brings the jobs to where the earlier run had them.
static bool restore(ts_solver *s, Status *status) {
    Journal *j = &s->journal;
    journal_trim(j, "found");
    for (;;) {
        if (!journal_next(j, status)) return false;
        if (!j->count) break;
        if (!restore_record(s, status)) return false;
    }
    for (size_t k = 0; k < s->count; k++) {
        quest_rest(&s->jobs[k].search.quest);
        if (s->jobs[k].runs) publish(s, &s->jobs[k]);
    }
    s->earlier = s->done;
    return journal_keep(j, status);
}

// ---- Making ----

static bool make_jobs(ts_solver *s, const ts_task *const *tasks, size_t count, Status *status) {
    ts_search_options options = s->options.search;
    options.stop = NULL; // what is offered before the run is not to be cut short
    s->jobs = calloc(count + 1, sizeof *s->jobs);
    s->solutions = calloc(count + 1, sizeof *s->solutions);
    if (!s->jobs || !s->solutions) return status_fail(status, TS_SYSTEM, "no memory for %zu tasks", count);
    for (; s->count < count; s->count++) {
        s->jobs[s->count].task = tasks[s->count];
        if (!search_init(&s->jobs[s->count].search, tasks[s->count], &options, status)) return false;
    }
    s->submission = ts_submission_new(tasks, count, status);
    return s->submission != NULL;
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
    if (!s->has_pool) record_pool(s);
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
    s->start = now();
    s->journal.file = -1;
    pthread_mutex_init(&s->lock, NULL);
    threads_condition(&s->change);
    if (make_jobs(s, tasks, count, status) && open_journal(s, status) && keep_earlier(s, status) &&
        write_submission(s, status)) {
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
    for (size_t k = 0; k < s->count; k++) quest_free(&s->jobs[k].search.quest);
    ts_submission_free(s->submission);
    search_kept_free(&s->earlier_file);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->change);
    free(s->jobs);
    free(s->solutions);
    free(s);
}

// ---- The pool ----

// False where memory is short.
static bool offer(ts_battery *battery, Job *job, const ts_candidate *c, int class) {
    Status status;
    Quest *q = &job->search.quest;
    Text name = {0};
    quest_name(q, &name);
    ts_programs *cut = ts_programs_new();
    const bool made = cut && !name.failed && ts_battery_cut(battery, c->node, name.data, cut, &status);
    char *text = made ? ts_programs_print(cut, 0) : NULL;
    const bool good = text;
    if (good) quest_offer_program(q, ENGINE_pool, class, text, strlen(text));
    text_free(&name);
    ts_programs_free(cut);
    free(text);
    return good;
}

// What the programs of the pool bring for a task, as candidates.
static void offer_all(ts_solver *s, ts_battery *battery, size_t task, Job *job, double end) {
    Quest *q = &job->search.quest;
    ts_task_result r = ts_battery_task(battery, task);
    q->stop = s->options.search.stop;
    q->deadline = end;
    q->late = false;
    for (size_t m = 0; m < r.top_count && r.top[m].demos_right && !q->late; m++)
        job->pool_starved |=
            !offer(battery, job, &r.top[m],
                   class_of_candidate(q, s->options.pool, &r, &r.top[m], s->options.trust_pool));
    q->tried[ENGINE_pool] += ts_programs_count(s->options.pool);
    q->ms[ENGINE_pool] += r.ms;
    s->tried += ts_programs_count(s->options.pool);
    quest_rest(q);
    job->pool_starved |= q->starved;
    if (!q->count) return;
    publish(s, job);
    job->is_over &= has_budget(s);
    s->done += job->is_over;
}

// Runs the programs of the pool on the tasks that were not yet searched. Where memory does not reach for them
// the search goes on without.
static void try_pool(ts_solver *s) {
    const ts_programs *pool = s->options.pool;
    if (!pool || !ts_programs_count(pool) || s->done == s->count) return;
    const ts_task **tasks = calloc(s->count, sizeof *tasks);
    Job **jobs = calloc(s->count, sizeof *jobs);
    size_t n = 0;
    for (size_t k = 0; tasks && jobs && k < s->count; k++)
        if (!s->jobs[k].runs) tasks[n] = s->jobs[k].task, jobs[n++] = &s->jobs[k];
    double left = has_budget(s) ? fmax(1e-3, POOL_PART * (s->end - now())) : 0;
    double end = has_budget(s) ? clock_ms() + left * 1e3 : 0;
    ts_battery_options options = {.threads = s->threads,
                                  .units = POOL_UNITS,
                                  .hopeful = true,
                                  .top = POOL_TOP,
                                  .deadline = left,
                                  .stop = s->options.search.stop,
                                  .profile = s->options.profile};
    Status status;
    ts_battery *battery = n ? ts_battery_new(pool, &options, &status) : NULL;
    bool good = battery && ts_battery_run(battery, tasks, n, NULL, NULL, &status);
    ts_profile_stage(s->options.profile, TS_STAGE_EXTRACT);
    for (size_t k = 0; good && k < n; k++) offer_all(s, battery, k, jobs[k], end);
    for (size_t k = 0; !good && k < s->count; k++) s->jobs[k].pool_starved = !s->jobs[k].runs;
    ts_battery_free(battery);
    free(tasks);
    free(jobs);
}

// ---- Taking jobs ----

// Whether a should have more work before b.
static bool comes_before(const Job *a, const Job *b) {
    if (a->runs != b->runs) return a->runs < b->runs;
    return a->promise > b->promise;
}

// How much work a job gets now that is taken with a budget.
static double share(const ts_solver *s, const Job *job) {
    double left = (s->end - now()) * s->threads;
    size_t alike = 0; // jobs that have had no more than this one
    for (size_t k = 0; k < s->count; k++) {
        const Job *j = &s->jobs[k];
        if (j->is_running) left -= fmax(0, j->until - now());
        else alike += !j->is_over && j->runs <= job->runs;
    }
    double each = fmax(0, left) / (double)alike;
    double first = FIRST_PART * s->options.budget * s->threads / (double)s->count;
    double seconds = fmin(fmax(first, FIRST_LEAST), FIRST_MOST) * pow(GROWTH, job->runs);
    return each < seconds * (1 + GROWTH) ? fmax(each, LEAST_GAIN * job->given) : seconds;
}

// The job that is next, NULL where there is none. With the lock.
static Job *take(ts_solver *s) {
    if (is_stopped(s) || (has_budget(s) && now() >= s->end)) return NULL;
    Job *best = NULL;
    for (size_t k = 0; k < s->count; k++) {
        Job *j = &s->jobs[k];
        if (!j->is_over && !j->is_running && (!best || comes_before(j, best))) best = j;
    }
    if (!best) return NULL;
    best->given = has_budget(s) ? share(s, best) : s->options.search.seconds;
    best->until = now() + best->given;
    best->is_running = true;
    s->running++;
    return best;
}

static uint64_t tried(const Quest *q) {
    uint64_t n = 0;
    for (int e = 0; e < ENGINES; e++) n += q->tried[e];
    return n;
}

// Without the lock.
static bool search_job(const ts_solver *s, Job *job, ArenaStock *stock, Device *device, Profile *laps) {
    double limit = 0;
    if (has_budget(s)) limit = fmax(1e-3, fmin(s->end - now(), CLOCK_FACTOR * job->given + SLACK));
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

static void work(ts_solver *s, int thread, Profile *laps) {
    Device *device = devices_for_thread(s->options.devices, thread);
    ArenaStock stock = {.limit = s->count ? s->jobs[0].search.quest.memory / STOCK_PART : 0};
    pthread_mutex_lock(&s->lock);
    for (;;) {
        Job *job = take(s);
        if (!job && (!s->running || !has_budget(s))) break;
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
        job->is_running = false;
        s->running--;
        job->is_over |= !more;
        s->starved -= job->starved;
        s->starved += job->starved = job->pool_starved || job->search.quest.starved;
        s->tried += tried(&job->search.quest) - before;
        if (laps) ts_profile_task(s->options.profile, job->task->id, spent_ms);
        publish(s, job);
        bool cut_short = job->search.quest.late && (is_stopped(s) || (has_budget(s) && now() >= s->end));
        if (!cut_short) {
            s->done += job->runs++ == 0;
            if (!job->starved || has_budget(s)) record(s, job); // else it is searched again by the next run
        }
        pthread_cond_broadcast(&s->change);
    }
    s->is_ended = true;
    pthread_cond_broadcast(&s->change);
    pthread_mutex_unlock(&s->lock);
    arena_stock_free(&stock);
    profile_lap(laps, PROFILE_WAIT, 1);
}

// ---- Keeping house ----

typedef struct {
    ts_solver *solver;
    ts_solver_watch *watch;
    void *user;
    double written; // ms: when the submission was
} Run;

static void tell(Run *r) {
    ts_solver *s = r->solver;
    if (!r->watch) return;
    pthread_mutex_lock(&s->lock);
    ts_solver_progress p = {.tasks = s->count,
                            .done = s->done,
                            .solved = s->solved,
                            .news_count = s->news,
                            .news = s->solutions + s->solved - s->news,
                            .tried = s->tried,
                            .seconds = spent(s),
                            .pass = 1};
    int least = -1;
    for (size_t k = 0; k < s->count; k++)
        if (s->jobs[k].is_running && (least < 0 || s->jobs[k].runs < least)) least = s->jobs[k].runs;
    if (least > 0) p.pass = least + 1;
    s->news = 0;
    double here = now() - s->start;
    if (has_budget(s)) p.left = fmax(0, s->end - now());
    else if (s->done > s->earlier)
        p.left = here / (double)(s->done - s->earlier) * (double)(s->count - s->done);
    pthread_mutex_unlock(&s->lock);
    r->watch(r->user, &p); // solutions that were told of do not change
}

static void keep_house(Run *r) {
    ts_solver *s = r->solver;
    for (bool over = false; !over;) {
        pthread_mutex_lock(&s->lock);
        double tick = clock_ms() + TICK_MS;
        while (!(over = s->is_ended && !s->running) && threads_wait_until(&s->change, &s->lock, tick))
            continue;
        bool is_changed = s->is_changed;
        pthread_mutex_unlock(&s->lock);
        if (!over && clock_ms() - r->written >= WRITE_MS) {
            Status ignored; // the next one may do better; the last one counts
            if (is_changed) write_submission(s, &ignored);
            record_time(s);
            r->written = clock_ms();
        }
        tell(r);
    }
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

bool ts_solver_run(ts_solver *s, ts_solver_watch *watch, void *user, ts_status *status) {
    Run run = {.solver = s, .watch = watch, .user = user, .written = clock_ms()};
    if (has_budget(s)) s->end = s->start + s->options.budget - s->before - reserve(s);
    tell(&run);
    try_pool(s);
    for (size_t k = 0; k < s->count; k++) s->jobs[k].search.quest.stop = s->options.search.stop;
    run_threads(s, &run);
    tell(&run);
    bool good = write_submission(s, status);
    char *text = good ? ts_submission_print(s->submission) : NULL;
    if (text) search_kept_compare(&s->earlier_file, text);
    free(text);
    bool goes_on = is_stopped(s) || (s->starved && !has_budget(s));
    if (good && goes_on && s->options.journal) {
        record_time(s);
        if (s->journal.failed)
            good = status_fail(status, TS_SYSTEM, "'%.300s' could not be written: the next run begins anew",
                               s->options.journal);
    }
    journal_close(&s->journal, good && !goes_on);
    return good;
}

const char *ts_solver_warning(const ts_solver *s) { return s->warning; }
bool ts_solver_starved(const ts_solver *s, size_t task) { return s->jobs[task].starved; }

size_t ts_solver_count(const ts_solver *s) { return s->count; }
ts_search *ts_solver_search(ts_solver *s, size_t task) { return &s->jobs[task].search; }
const ts_submission *ts_solver_submission(const ts_solver *s) { return s->submission; }
