// What a search has found, into a pool.
#include <stdio.h>
#include <string.h>

#include "search/quest.h"

enum { MOST_WINNERS = 5 }; // programs for a task

static bool store_winner(ts_pool *pool, const ts_task *task, const ts_found *f, ts_status *status) {
    char origin[64], hash[17];
    snprintf(origin, sizeof origin, "solve %s", f->engine);
    ts_pool_facts facts = {.origin = origin, .units = f->units};
    ts_pool_score score = {.demos_right = f->demos_right,
                           .demos = f->demos,
                           .tests = task->tests,
                           .score = 1000 * (int64_t)f->demos_right,
                           .units = f->units};
    for (int n = 0; n < task->demos; n++)
        score.behaviour = ts_grid_digest(score.behaviour, task->samples[n].output);
    for (int n = 0; n < task->tests; n++) {
        score.answers = ts_grid_digest(score.answers, f->answers[n]);
        const ts_sample *test = &task->samples[task->demos + n];
        score.tests_right += test->has_output && ts_grid_equal(f->answers[n], test->output);
    }
    bool is_new, kept;
    ts_programs *program = ts_programs_new();
    status_fail(status, TS_SYSTEM, "not enough memory");
    bool good =
        program &&
        ts_programs_add_text(program, task->id, f->program, strlen(f->program), true, NULL, NULL, status) &&
        ts_pool_add_program(pool, program, 0, &facts, hash, &is_new, status) &&
        ts_pool_add_score(pool, hash, task->id, &score, &kept, status);
    ts_programs_free(program);
    return good;
}

// The places of the programs right on all demos that are most to be trusted; how many there are.
static size_t find_best(const ts_search *search, size_t best[MOST_WINNERS]) {
    size_t n = 0;
    for (size_t k = 0; k < ts_search_count(search); k++) {
        ts_found f = ts_search_at(search, k);
        if (f.demos_right < f.demos || strcmp(f.engine, "pool") == 0) continue;
        size_t at = n;
        while (at > 0 && ts_search_at(search, best[at - 1]).confidence < f.confidence) at--;
        if (at == MOST_WINNERS) continue;
        if (n < MOST_WINNERS) n++;
        memmove(best + at + 1, best + at, (n - at - 1) * sizeof *best);
        best[at] = k;
    }
    return n;
}

bool ts_search_store(const ts_search *search, ts_pool *pool, ts_status *status) {
    size_t best[MOST_WINNERS];
    const size_t n = find_best(search, best);
    bool good = true;
    for (size_t k = 0; good && k < n; k++) {
        const ts_found f = ts_search_at(search, best[k]);
        good = store_winner(pool, search->quest.task, &f, status);
    }
    return good;
}

bool ts_solver_store(ts_solver *solver, ts_pool *pool, ts_status *status) {
    bool good = ts_pool_begin(pool, status);
    if (!good) return false;
    for (size_t k = 0; good && k < ts_solver_count(solver); k++)
        good = ts_search_store(ts_solver_search(solver, k), pool, status);
    good = good && ts_pool_commit(pool, status);
    if (!good) ts_pool_rollback(pool);
    return good;
}
