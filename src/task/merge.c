// Merges submissions: for each output the two grids that most speaks for.
//
// An attempt whose confidence is known weighs that much. Of others the first of a submission weighs a half,
// the second a quarter, the third an eighth: that is about how far a first attempt of a solver worth asking
// is to be trusted, and a second one is seldom right. All of a submission is multiplied by the weight that it
// was given, and where submissions agree their weights add up. A grid that one submission has twice counts
// once.
#include <stdlib.h>
#include <string.h>

#include "task/task.h"

static const double FIRST = 0.5, LESS = 0.5; // of a first attempt; from one to the next

void task_vote(TaskVotes *v, ts_grid grid, double weight) {
    for (size_t k = 0; k < v->count; k++) {
        if (!ts_grid_equal(v->votes[k].grid, grid)) continue;
        v->votes[k].weight += weight;
        return;
    }
    if (v->count < sizeof v->votes / sizeof *v->votes) v->votes[v->count++] = (TaskVote){grid, weight};
}

void task_vote_all(TaskVotes *v, const ts_merge_source *source, size_t task, int test) {
    const ts_submission *s = source->submission;
    double usual = FIRST;
    for (int k = 0; k < TS_MOST_ATTEMPTS; k++, usual *= LESS) {
        const ts_grid grid = ts_submission_at(s, task, test, k);
        const double confidence = ts_submission_confidence(s, task, test, k);
        bool again = !grid.height;
        for (int m = 0; m < k && !again; m++) again = ts_grid_equal(ts_submission_at(s, task, test, m), grid);
        if (!again) task_vote(v, grid, source->weight * (confidence < 0 ? usual : confidence));
    }
}

void task_sort_votes(TaskVotes *v) {
    for (size_t k = 1; k < v->count; k++) {
        const TaskVote vote = v->votes[k];
        size_t at = k;
        for (; at > 0 && v->votes[at - 1].weight < vote.weight; at--) v->votes[at] = v->votes[at - 1];
        v->votes[at] = vote;
    }
}

void task_elect(const TaskVotes *v, ts_submission *into, size_t task, int test) {
    int chosen = 0;
    for (; chosen < 2 && (size_t)chosen < v->count; chosen++)
        ts_submission_set(into, task, test, chosen, v->votes[chosen].grid);
    ts_submission_guess(into, task, test, chosen);
    if (chosen == 1 && !ts_submission_at(into, task, test, 1).height)
        ts_submission_set(into, task, test, 1, v->votes[0].grid);
}

// ---- Whole submissions ----

typedef struct {
    const ts_merge_source *sources;
    size_t count;
    ts_tasks *set;  // stubs of all tasks of the result
    size_t *places; // of each of them in each source, from 1; 0: not there
} Merge;

static bool add_stubs(ts_tasks *set, const ts_task *task) {
    if (task_set_find(set, task->id, strlen(task->id))) return true;
    TaskEntry *entry = task_set_add(set, task->id, strlen(task->id));
    if (entry) entry->task.tests = task->tests;
    return entry;
}

// The tasks of the result: those given, or all that a source has in the order in which they come.
static bool collect(Merge *m, const ts_task *const *tasks, size_t count) {
    bool good = (m->set = task_stubs_new());
    for (size_t k = 0; good && tasks && k < count; k++) good = add_stubs(m->set, tasks[k]);
    for (size_t k = 0; good && !tasks && k < m->count; k++)
        for (size_t n = 0; good && n < ts_submission_count(m->sources[k].submission); n++)
            good = add_stubs(m->set, ts_submission_task(m->sources[k].submission, n));
    if (good) m->places = calloc(m->count * m->set->count + 1, sizeof *m->places);
    return good && m->places;
}

// The number of tests that the result has is that of the tasks given, or of the first source with the task.
static bool refuse(const Merge *m, size_t place, const ts_submission *s, int tests, bool given,
                   Status *status) {
    const ts_task *task = &m->set->entries[place].task;
    const char *first = "the set of tasks";
    for (size_t k = 0; k < m->count && !given; k++)
        if (m->places[k * m->set->count + place]) {
            first = task_submission_name(m->sources[k].submission);
            break;
        }
    return status_fail(status, TS_INPUT, "task '%.100s' has %d test%s in '%.120s' and %d in '%.120s'",
                       task->id, task->tests, task->tests == 1 ? "" : "s", first, tests,
                       task_submission_name(s));
}

static bool find_places(Merge *m, bool given, Status *status) {
    for (size_t k = 0; k < m->count; k++) {
        const ts_submission *s = m->sources[k].submission;
        for (size_t n = 0; n < ts_submission_count(s); n++) {
            const ts_task *task = ts_submission_task(s, n);
            const TaskEntry *entry = task_set_find(m->set, task->id, strlen(task->id));
            if (!entry) continue;
            const size_t place = (size_t)(entry - m->set->entries);
            if (task->tests != entry->task.tests) return refuse(m, place, s, task->tests, given, status);
            m->places[k * m->set->count + place] = n + 1;
        }
    }
    return true;
}

static void elect_all(const Merge *m, ts_submission *into) {
    for (size_t task = 0; task < m->set->count; task++)
        for (int test = 0; test < m->set->entries[task].task.tests; test++) {
            TaskVotes votes;
            votes.count = 0;
            for (size_t k = 0; k < m->count; k++) {
                const size_t place = m->places[k * m->set->count + task];
                if (place) task_vote_all(&votes, &m->sources[k], place - 1, test);
            }
            task_sort_votes(&votes);
            task_elect(&votes, into, task, test);
        }
}

ts_submission *ts_merge(const ts_merge_source *sources, size_t count, const ts_task *const *tasks,
                        size_t task_count, ts_status *status) {
    Merge m = {.sources = sources, .count = count};
    ts_submission *into = NULL;
    bool good = true;
    for (size_t k = 0; good && k < count; k++)
        if (!(sources[k].weight > 0 && sources[k].weight < 1e9))
            good = status_fail(status, TS_USAGE, "a weight is a number above 0, not %g", sources[k].weight);
    if (good && !collect(&m, tasks, task_count))
        good = status_fail(status, TS_SYSTEM, "no memory to merge %zu submissions", count);
    if (good && tasks && m.set->count < task_count)
        good = status_fail(status, TS_USAGE, "a set of tasks for a submission has no id twice");
    if (good && find_places(&m, tasks, status)) {
        if (tasks) into = task_submission("", tasks, task_count, status);
        else into = task_submission_own("", m.set, status);
        if (into) elect_all(&m, into);
    }
    if (!into || tasks) ts_tasks_free(m.set);
    free(m.places);
    return into;
}
