// Jobs: what a search has brought becomes answers, the pool is tried, and the job that is next is chosen.
//
// With so many seconds for each task every job is run once, in the order of the tasks. With a budget by the
// clock jobs are run again, each time with four times the work, until an answer is to be trusted or the
// engines have no more to bring: those with the fewest runs first, of these the most promising; when what is
// left of the budget does not reach for another round after this one, all of it is spread over this one.
#include <stdlib.h>
#include <string.h>

#include "search/solver.h"
#include "task/task.h"

enum {
    GROWTH = 4,            // of the work from one run of a job to the next
    MOST_ANSWERS = 8,      // to a test that are looked at
    POOL_TOP = 16,         // programs of the pool that are offered for a task
    POOL_UNITS = 10000000, // that a program of the pool may spend on a sample
};
static const double POOL_PART = 0.5;  // of the budget, at the most, for the programs of the pool
static const double FIRST_PART = 0.1; // of a task's share of the budget, for its first run
static const double FIRST_LEAST = 0.01, FIRST_MOST = 0.5; // seconds
static const double LEAST_GAIN = 2; // a run with less than so many times the work before is a waste

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

void solver_publish(ts_solver *s, Job *job) {
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
    job->is_over |= least >= QUEST_TRUSTED || !solver_has_budget(s);
    if (!solved || job->is_solved) return;
    Answer best;
    job->is_solved = true;
    if (!quest_rank(q, 0, &best, 1)) return;
    const Candidate *c = &q->candidates[best.candidate];
    s->solutions[s->solved++] =
        (ts_solved){k, engines_table[c->engine].name, c->lines, best.confidence, c->program};
    s->news++;
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
    solver_publish(s, job);
    job->is_over &= solver_has_budget(s);
    s->done += job->is_over;
}

void solver_try_pool(ts_solver *s) {
    const ts_programs *pool = s->options.pool;
    if (!pool || !ts_programs_count(pool) || s->done == s->count) return;
    const ts_task **tasks = calloc(s->count, sizeof *tasks);
    Job **jobs = calloc(s->count, sizeof *jobs);
    size_t n = 0;
    for (size_t k = 0; tasks && jobs && k < s->count; k++)
        if (!s->jobs[k].runs) tasks[n] = s->jobs[k].task, jobs[n++] = &s->jobs[k];
    double left = 0, end = 0; // 0: there is no limit
    if (solver_has_budget(s)) left = fmax(1e-3, POOL_PART * (s->end - solver_now()));
    else if (s->limit > 0) left = fmax(1e-3, POOL_PART * s->limit);
    if (left > 0) end = clock_ms() + left * 1e3;
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
    double left = (s->end - solver_now()) * s->threads;
    size_t alike = 0; // jobs that have had no more than this one
    for (size_t k = 0; k < s->count; k++) {
        const Job *j = &s->jobs[k];
        if (j->is_running) left -= fmax(0, j->until - solver_now());
        else alike += !j->is_over && j->runs <= job->runs;
    }
    double each = fmax(0, left) / (double)alike;
    double first = FIRST_PART * s->options.budget * s->threads / (double)s->count;
    double seconds = fmin(fmax(first, FIRST_LEAST), FIRST_MOST) * pow(GROWTH, job->runs);
    return each < seconds * (1 + GROWTH) ? fmax(each, LEAST_GAIN * job->given) : seconds;
}

static bool is_open(const Job *j) { return !j->is_over && !j->is_running && !j->is_suspected && !j->lost; }

// Without a budget a job is run once, and those before `first_open` were given away.
static Job *next_in_order(ts_solver *s) {
    while (s->first_open < s->count && !is_open(&s->jobs[s->first_open])) s->first_open++;
    return s->first_open < s->count ? &s->jobs[s->first_open++] : NULL;
}

static Job *next_by_promise(const ts_solver *s) {
    Job *best = NULL;
    for (size_t k = 0; k < s->count; k++) {
        Job *j = &s->jobs[k];
        if (is_open(j) && (!best || comes_before(j, best))) best = j;
    }
    return best;
}

Job *solver_next(ts_solver *s) {
    if (solver_is_stopped(s) || solver_is_late(s)) return NULL;
    Job *job = solver_has_budget(s) ? next_by_promise(s) : next_in_order(s);
    if (job) solver_begin_run(s, job);
    return job;
}

void solver_begin_run(ts_solver *s, Job *job) {
    job->given = job->asked > 0         ? job->asked
                 : solver_has_budget(s) ? share(s, job)
                                        : s->options.search.seconds;
    job->until = solver_now() + job->given;
    job->is_running = true;
    s->running++;
}

void solver_note_starved(ts_solver *s, Job *job, bool starved) {
    s->starved += starved;
    s->starved -= job->starved;
    job->starved = starved;
}
