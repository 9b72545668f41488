// Jobs that other processes search: they are given out as orders, and what comes back is taken as records.
//
// An order is a text (solver_order.c) with some tasks and all that decides what is found for them; whoever
// carries it away, by whatever means, brings back a text of records, as a journal has them. The programs in
// it are read and run here before they count, so those who search need not be trusted: what is no result of
// the order is refused as a whole. An order whose process was lost is given out again, task by task, so that
// the one that does the harm is found; the third time it is given up, and all others go on.
//
// Workload: orders of about half a second, tens of thousands of them under way. What is found for a task
// depends on nothing but the task, so in which orders tasks go, and in which order they come back, changes no
// result where there is no budget.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/solver.h"

enum {
    MOST_BYTES = 64 << 20,   // of a result
    CHECK_UNITS = 640000000, // a sample, beside the work that was given: for the programs of a pool
    ROUNDS_LEFT = 2,         // orders get smaller, so that each worker has so many still to come
};
static const double ORDER_SECONDS = 0.5;
// Of the work given, that a task takes by the clock: until some came back.
static const double USUAL_PART = 0.5;
// What an engine says that it took for a task, and tried: more is no count.
static const double MOST_MS = 1e12;
static const uint64_t MOST_TRIED = 1000000000000000;
static const double MOST_TAKEN = 10; // times that work: more than that is not believed

// ---- Giving out ----

// Seconds that a job will take, as far as is known.
static double expected(const ts_solver *s, const Job *job) {
    const double part = (s->measured + USUAL_PART) / (s->planned + 1);
    return job->given * part;
}

// Jobs that nobody has searched or is searching. (With a budget one that runs may have run before.)
static size_t count_open(const ts_solver *s) {
    const size_t begun = s->done + s->running;
    return begun < s->count ? s->count - begun : 0;
}

// How many tasks go with this one: as many as make up half a second, and fewer towards the end.
static size_t tasks_of_order(const ts_solver *s, const Job *first, int workers) {
    if (first->is_alone || first->is_suspected) return 1;
    double most = ORDER_SECONDS / fmax(expected(s, first), 1e-6);
    const double fair = (double)(count_open(s) + 1) / (ROUNDS_LEFT * fmax(workers, 1));
    most = fmin(fmin(most, fair), SOLVER_ORDER_TASKS);
    return most > 1 ? (size_t)most : 1;
}

// One that may have ended the process it was in: when nothing else is under way.
static Job *take_suspect(ts_solver *s) {
    if (!s->suspects || s->orders_out || solver_is_stopped(s) || solver_is_late(s)) return NULL;
    for (size_t k = 0; k < s->count; k++) {
        Job *job = &s->jobs[k];
        if (!job->is_suspected || job->is_running || job->is_over || job->lost) continue;
        solver_begin_run(s, job);
        s->suspects_out++;
        return job;
    }
    return NULL;
}

static void give_back(ts_solver *s, Job *job) {
    const size_t k = (size_t)(job - s->jobs);
    job->is_running = false;
    s->running--;
    if (job->is_suspected) s->suspects_out -= s->suspects_out > 0;
    if (k < s->first_open) s->first_open = k;
}

static bool room_for_order(ts_solver *s) {
    if (s->order_count < s->order_room) return true;
    const size_t room = s->order_room ? 2 * s->order_room : 64;
    Order *orders = realloc(s->orders, room * sizeof *orders);
    if (!orders) return false;
    s->orders = orders;
    s->order_room = room;
    return true;
}

// Fills an order with this job and those that come next.
static bool fill(ts_solver *s, Order *p, Job *first, int workers) {
    const size_t most = tasks_of_order(s, first, workers);
    p->jobs = malloc(most * sizeof *p->jobs);
    p->count = 0;
    if (!p->jobs) return false;
    for (Job *job = first; job; job = p->count < most ? solver_next(s) : NULL) {
        if (p->count && job->is_alone) {
            give_back(s, job);
            break;
        }
        p->jobs[p->count++] = (size_t)(job - s->jobs);
    }
    return true;
}

static void abandon(ts_solver *s, Order *p) {
    for (size_t k = 0; k < p->count; k++) give_back(s, &s->jobs[p->jobs[k]]);
    free(p->jobs);
    *p = (Order){0};
}

char *ts_solver_give(ts_solver *s, int workers, uint64_t *number, ts_status *status) {
    *status = (ts_status){0};
    if (!s->is_spread) solver_begin(s);
    s->is_spread = true;
    s->threads = workers > 1 ? workers : 1;
    if (s->suspects_out) return NULL;
    Job *first = solver_next(s);
    if (!first) first = take_suspect(s);
    if (!first) return NULL;
    Text t = {0};
    Order *p = room_for_order(s) ? &s->orders[s->order_count] : NULL;
    if (!p) give_back(s, first);
    if (p && !fill(s, p, first, workers)) give_back(s, first), p = NULL;
    char *text = p && solver_print_order(s, p, &t) ? text_take(&t) : NULL;
    if (!text) {
        if (p) abandon(s, p);
        text_free(&t);
        status_fail(status, TS_SYSTEM, "not enough memory to give out a task");
        return NULL;
    }
    *number = s->order_count++;
    s->orders_out++;
    return text;
}

// ---- Losing ----

static void give_up(ts_solver *s, Job *job, const char *why) {
    job->lost = strdup(why);
    s->lost += job->lost != NULL;
    s->suspects -= job->is_suspected;
    job->is_suspected = false;
}

// A job did not come back.
static void lose(ts_solver *s, Job *job, const char *why, bool is_sure) {
    give_back(s, job);
    if (job->is_suspected) is_sure = true; // nothing else was under way
    job->is_alone = true;
    if (!is_sure) {
        s->suspects += !job->is_suspected;
        job->is_suspected = true;
    } else if (++job->losses >= SOLVER_TRIES) give_up(s, job, why);
}

static Order *order_at(ts_solver *s, uint64_t number) {
    return number < s->order_count && s->orders[number].jobs ? &s->orders[number] : NULL;
}

static void end_order(ts_solver *s, Order *p) {
    free(p->jobs);
    *p = (Order){0};
    s->orders_out--;
}

void ts_solver_lose(ts_solver *s, uint64_t number, const char *why, bool is_sure) {
    Order *p = order_at(s, number);
    if (!p) return;
    for (size_t k = 0; k < p->count; k++) lose(s, &s->jobs[p->jobs[k]], why, is_sure);
    end_order(s, p);
}

// ---- Taking back ----

// A job before a result was read, for one that is refused.
typedef struct {
    size_t count, journaled;
    int runs;
    double given, ms[ENGINES];
    uint64_t tried[ENGINES];
    bool through[ENGINES], is_over, full;
} Before;

static Before keep(const Job *job) {
    const Quest *q = &job->search.quest;
    Before b = {.count = q->count,
                .journaled = job->journaled,
                .runs = job->runs,
                .given = job->given,
                .is_over = job->is_over,
                .full = q->full};
    memcpy(b.ms, q->ms, sizeof b.ms);
    memcpy(b.tried, q->tried, sizeof b.tried);
    memcpy(b.through, q->through, sizeof b.through);
    return b;
}

static void take_back(Job *job, const Before *b) {
    Quest *q = &job->search.quest;
    q->count = b->count; // what came after stays in its arena, unseen
    job->journaled = b->journaled;
    job->runs = b->runs;
    job->given = b->given;
    job->is_over = b->is_over;
    q->full = b->full;
    memcpy(q->ms, b->ms, sizeof b->ms);
    memcpy(q->tried, b->tried, sizeof b->tried);
    memcpy(q->through, b->through, sizeof b->through);
}

// What the programs of a result may take here: the work that was given, and what a pool's may take.
static void make_ready(const ts_solver *s, Job *job) {
    Quest *q = &job->search.quest;
    const int64_t samples = q->all_demos + q->all_tests;
    q->stop = s->options.search.stop;
    q->deadline = 0;
    q->late = q->full = q->starved = false;
    q->units = (int64_t)(2e9 * job->given) + CHECK_UNITS * samples;
    job->starved_there = false;
}

// Whether each job was run once, and took what can be. Sums up the time.
static bool check_runs(const ts_solver *s, const Order *p, const Before *before, double *took,
                       Status *status) {
    *took = 0;
    for (size_t k = 0; k < p->count; k++) {
        const Job *job = &s->jobs[p->jobs[k]];
        const Quest *q = &job->search.quest;
        // A record has nine digits of it.
        if (job->runs != before[k].runs + 1 || fabs(job->given - before[k].given) > 1e-8 * before[k].given)
            return status_fail(status, TS_INPUT,
                               "the result is damaged: expected a run of task %.100s with the work that was "
                               "given",
                               job->task->id);
        double seconds = 0;
        for (int e = 0; e < ENGINES; e++) {
            if (q->ms[e] > MOST_MS || q->tried[e] > MOST_TRIED)
                return status_fail(status, TS_INPUT,
                                   "the result is damaged: an engine has not tried so much for task %.100s",
                                   job->task->id);
            seconds += fmax(0, q->ms[e] - before[k].ms[e]) / 1000;
        }
        *took += fmin(seconds, MOST_TAKEN * job->given);
    }
    return true;
}

// A search that memory was short for, there, may do better elsewhere; in the end it counts as it is.
static void settle(ts_solver *s, Job *job, const Before *before, const char *why) {
    if (job->starved_there && job->losses + 1 < SOLVER_TRIES) {
        s->done -= before->runs == 0;
        take_back(job, before);
        lose(s, job, why, true);
        return;
    }
    give_back(s, job);
    s->suspects -= job->is_suspected;
    job->is_suspected = false;
    solver_note_starved(s, job, job->starved_there);
    solver_publish(s, job);
    if (!job->starved || solver_has_budget(s)) solver_record_run(s, job);
}

static bool read_result(ts_solver *s, const Order *p, const char *text, size_t length, Status *status) {
    Journal j;
    if (length > MOST_BYTES)
        return status_fail(status, TS_INPUT, "the result has %zu bytes; %d are the most", length, MOST_BYTES);
    const bool good = message_open(&j, "result", "result", text, length, status) &&
                      message_whole(&j, status) && solver_restore(s, &j, p, status);
    journal_close(&j, false);
    return good;
}

bool ts_solver_take(ts_solver *s, uint64_t number, const char *text, size_t length, ts_status *status) {
    Order *p = order_at(s, number);
    *status = (ts_status){0};
    if (!p) return true; // it was given up, or came back before
    Before *before = malloc(p->count * sizeof *before);
    if (!before) {
        status_fail(status, TS_SYSTEM, "not enough memory to take a result");
        ts_solver_lose(s, number, status->message, true);
        return false;
    }
    const size_t done = s->done;
    const uint64_t tried = s->tried;
    const double seconds = s->before;
    double took = 0, planned = 0;
    for (size_t k = 0; k < p->count; k++) {
        Job *job = &s->jobs[p->jobs[k]];
        before[k] = keep(job);
        planned += job->given;
        make_ready(s, job);
    }
    const bool good = read_result(s, p, text, length, status) && check_runs(s, p, before, &took, status);
    const bool stopped = solver_is_stopped(s); // perhaps in the middle of it
    s->before = seconds;
    for (size_t k = 0; k < p->count; k++) {
        Job *job = &s->jobs[p->jobs[k]];
        quest_rest(&job->search.quest);
        if (!good || stopped) take_back(job, &before[k]);
    }
    if (good && !stopped) {
        s->measured += took, s->planned += planned;
        for (size_t k = 0; k < p->count; k++)
            settle(s, &s->jobs[p->jobs[k]], &before[k], "the worker had not enough memory");
        end_order(s, p);
    } else {
        s->done = done;
        s->tried = tried;
        if (stopped) abandon(s, p), s->orders_out--;
        else ts_solver_lose(s, number, status->message, true);
    }
    free(before);
    return good || stopped;
}

// A worker that has all the time that is left is through when it is over; what it brings is waited for.
bool ts_solver_is_over(const ts_solver *s) {
    if (solver_is_stopped(s)) return true;
    if (s->orders_out) return s->closing > 0 && solver_now() >= s->closing;
    if (solver_is_late(s)) return true;
    for (size_t k = 0; k < s->count; k++)
        if (!s->jobs[k].is_over && !s->jobs[k].lost) return false;
    return true;
}
