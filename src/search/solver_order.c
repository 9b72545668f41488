// An order as a text, and the other side of it: what a worker makes of one.
//
// An order:
//     tessera  order  …              (message.h; the stock is the pool)
//     options  seed  bytes of memory  trust-pool  seconds by the clock, 0: no limit  tasks
//              whether what programs give is asked for  engines, *: all
//     task     id  seconds of work  the task as JSON, without the solutions of its tests; one for each
//     found …, run …                 what earlier runs of these tasks have brought (solver_records.c)
// Its result:
//     tessera  result  …
//     found … or gave …, run …, memory …       of this run
// A pool:
//     tessera  pool  …
//     program  whether a search has found it  text
// All of them end as message.h says.
//
// A worker searches as a solver does that has these tasks, one thread and no files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"
#include "search/message.h"
#include "search/solver.h"
#include "task/task.h"

enum { OPTION_FIELDS = 8, TASK_FIELDS = 4, PROGRAM_FIELDS = 3 };

// ---- The pool ----

static bool has_programs(const ts_programs *pool) { return pool && ts_programs_count(pool); }

char *ts_solver_stock(const ts_solver *s) {
    const ts_programs *pool = s->options.pool;
    Text t = {0};
    text_add(&t, "");
    if (has_programs(pool)) message_begin(&t, "pool", "-");
    for (size_t k = 0; has_programs(pool) && k < ts_programs_count(pool); k++) {
        char *text = ts_programs_print(pool, k);
        t.failed |= !text;
        if (!text) break;
        text_print(&t, "program\t%d", ts_programs_found(pool, k));
        journal_field(&t, text);
        text_char(&t, '\n');
        free(text);
    }
    if (t.length) message_end(&t);
    return text_take(&t);
}

static bool read_program(const Journal *j, ts_programs *pool, Status *s) {
    uint64_t found;
    const size_t before = ts_programs_count(pool);
    if (j->count != PROGRAM_FIELDS || strcmp(j->fields[0], "program") != 0)
        return journal_damaged(j, 0, "a program", s);
    if (!journal_count(j, 1, 1, &found, s) ||
        !program_add_ours(pool, "pool", j->fields[2], strlen(j->fields[2]), s))
        return false;
    if (ts_programs_count(pool) != before + 1) return journal_damaged(j, 2, "one program", s);
    ts_programs_set_found(pool, before, found);
    return true;
}

ts_programs *solver_read_stock(const char *text, size_t length, Status *s) {
    Journal j;
    ts_programs *pool = ts_programs_new();
    bool good = message_open(&j, "pool", "pool", text, length, s) && message_whole(&j, s) && pool;
    while (good && (good = journal_next(&j, s)) && j.count) good = read_program(&j, pool, s);
    journal_close(&j, false);
    if (good) return pool;
    if (!pool) status_fail(s, TS_SYSTEM, "not enough memory for a pool");
    ts_programs_free(pool);
    return NULL;
}

// ---- Writing an order ----

static void print_head(const ts_solver *s, const Order *p, Text *t) {
    const ts_search_options *o = &s->options.search;
    const double left = solver_has_budget(s) ? fmax(1e-3, s->end - solver_now()) : 0;
    message_begin(t, "order", s->stock[0] ? s->stock : "-");
    text_print(t, "options\t%llu\t%zu\t%d\t%.3f\t%zu\t%d", (unsigned long long)o->seed, o->memory,
               s->options.trust_pool, left, p->count, s->options.trust_workers);
    journal_field(t, o->engines ? o->engines : "*");
    text_char(t, '\n');
}

static void print_task(const Job *job, Text *t) {
    Text json = {0};
    text_add(t, "task");
    journal_field(t, job->task->id);
    text_print(t, "\t%.17g\t", job->given);
    task_print(&json, job->task, false);
    text_put(t, json.data, json.length);
    text_char(t, '\n');
    t->failed |= json.failed;
    text_free(&json);
}

bool solver_print_order(ts_solver *s, const Order *p, Text *t) {
    if (!s->stock[0] && has_programs(s->options.pool)) {
        char *stock = ts_solver_stock(s);
        if (!stock) return false;
        message_name(stock, strlen(stock), s->stock);
        free(stock);
    }
    print_head(s, p, t);
    for (size_t k = 0; k < p->count; k++) print_task(&s->jobs[p->jobs[k]], t);
    for (size_t k = 0; k < p->count; k++) {
        const Job *job = &s->jobs[p->jobs[k]];
        if (job->runs) solver_print_run(s, job, 0, false, job->is_over, t);
    }
    message_end(t);
    return !t->failed;
}

// ---- Doing what it says ----

typedef struct {
    Journal journal;
    ts_solver_options options;
    char *engines;
    double limit, *given;
    size_t *known; // candidates of each task that came with the order
    const ts_task **tasks;
    size_t count;
    ts_tasks *set;
    ts_solver *solver;
} Duty;

static bool read_options(Duty *o, Status *s) {
    const Journal *j = &o->journal;
    uint64_t seed, memory, trust, count, gives;
    if (!journal_next(&o->journal, s)) return false;
    if (j->count != OPTION_FIELDS || strcmp(j->fields[0], "options") != 0)
        return status_fail(s, TS_INPUT, "this is no order: it has no options");
    if (!journal_count(j, 1, UINT64_MAX, &seed, s) || !journal_count(j, 2, SIZE_MAX / 2, &memory, s) ||
        !journal_count(j, 3, 1, &trust, s) || !journal_seconds(j, 4, &o->limit, s) ||
        !journal_count(j, 5, SOLVER_ORDER_TASKS, &count, s) || !journal_count(j, 6, 1, &gives, s))
        return false;
    o->count = (size_t)count;
    const bool all_engines = strcmp(j->fields[7], "*") == 0;
    o->engines = all_engines ? NULL : strdup(j->fields[7]);
    if (!all_engines && !o->engines) return status_fail(s, TS_SYSTEM, "not enough memory for an order");
    o->options.search.seed = seed;
    o->options.search.memory = (size_t)memory;
    o->options.search.engines = o->engines;
    o->options.trust_pool = trust;
    o->options.trust_workers = gives;
    o->options.threads = 1;
    return true;
}

static bool read_task(Duty *o, TaskLoad *load, size_t k, Status *s) {
    const Journal *j = &o->journal;
    if (!journal_next(&o->journal, s)) return false;
    if (j->count != TASK_FIELDS || strcmp(j->fields[0], "task") != 0)
        return status_fail(s, TS_INPUT, "the order is damaged: task %zu of %zu is missing", k + 1, o->count);
    if (!journal_seconds(j, 2, &o->given[k], s)) return false;
    const TaskSource source = {.name = "order", .text = j->fields[3], .length = strlen(j->fields[3])};
    return task_load_text(load, &source, j->fields[1], true);
}

static bool read_tasks(Duty *o, Status *s) {
    TaskLoad load;
    const TaskOptions none = {0};
    o->given = calloc(o->count + 1, sizeof *o->given);
    o->known = calloc(o->count + 1, sizeof *o->known);
    o->tasks = calloc(o->count + 1, sizeof *o->tasks);
    if (!o->given || !o->known || !o->tasks || !task_load_begin(&load, &none))
        return status_fail(s, TS_SYSTEM, "not enough memory for an order");
    bool good = true;
    for (size_t k = 0; good && k < o->count; k++) good = read_task(o, &load, k, s);
    Status problem = {0};
    o->set = task_load_finish(&load, "order", good ? s : &problem);
    if (!good && !s->code) *s = problem;
    if (!good || !o->set) return false;
    if (ts_tasks_count(o->set) != o->count)
        return status_fail(s, TS_INPUT, "the order is damaged: it has a task twice");
    for (size_t k = 0; k < o->count; k++) o->tasks[k] = ts_tasks_at(o->set, k);
    return true;
}

static char *search(Duty *o, Status *s) {
    Text t = {0};
    ts_solver *solver = o->solver;
    solver->limit = o->limit;
    for (size_t k = 0; k < o->count; k++) solver->jobs[k].asked = o->given[k];
    if (!solver_restore(solver, &o->journal, NULL, s)) return NULL;
    for (size_t k = 0; k < o->count; k++) {
        Quest *q = &solver->jobs[k].search.quest;
        quest_rest(q);
        o->known[k] = q->count;
        solver->jobs[k].is_over = false;
    }
    solver_search_here(solver);
    if (solver_is_stopped(solver)) {
        status_fail(s, TS_SYSTEM, "stopped");
        return NULL;
    }
    message_begin(&t, "result", "-");
    for (size_t k = 0; k < o->count; k++) {
        const Job *job = &solver->jobs[k];
        solver_print_run(solver, job, o->known[k], solver->options.trust_workers, job->is_through, &t);
        solver_print_memory(job, &t);
    }
    message_end(&t);
    char *text = text_take(&t);
    if (!text) status_fail(s, TS_SYSTEM, "not enough memory for a result");
    return text;
}

char *solver_do(const char *order, size_t length, const ts_programs *pool, const ts_stop *stop, Status *s) {
    Duty o = {.options = {.pool = pool, .search.stop = stop}};
    char *result = NULL;
    *s = (Status){0};
    if (message_open(&o.journal, "order", "order", order, length, s) && message_whole(&o.journal, s) &&
        read_options(&o, s) && read_tasks(&o, s) &&
        (o.solver = ts_solver_new(o.tasks, o.count, &o.options, s)))
        result = search(&o, s);
    if (!result && !s->code) status_fail(s, TS_SYSTEM, "not enough memory for an order");
    ts_solver_free(o.solver);
    ts_tasks_free(o.set);
    free(o.tasks);
    free(o.given);
    free(o.known);
    free(o.engines);
    journal_close(&o.journal, false);
    return result;
}
