// What a round has found: the candidates that are worth their place are cut out of the battery as programs of
// their own, run alone, and stored.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iterate/iterate.h"

enum { MOST_WINNERS = 5 };                                // that are kept of a task, but for shorter ones
static const double WINNER_WORTH = 10, NEAR_WORTH = 0.02; // the first one of a task; against another winner

// A candidate that was cut out, for the tasks it is good for.
typedef struct {
    uint32_t node;
    size_t program; // in `found`
} Cut;

typedef struct {
    ts_iterate *it;
    const ts_card *card; // NULL: what was grown
    ts_battery *battery;
    ts_programs *found;
    Cut *cuts;
    size_t cut_count, cut_room;
} Round;

// A program that is worth its place: it solves the task, and is among the first or the shortest; or its score
// is among the best.
static bool is_wanted(Round *r, size_t task, const ts_candidate *c) {
    const IterateKnown *k = &r->it->known[task];
    if (c->demos_right == (uint32_t)r->it->tasks[task]->demos)
        return k->winners < MOST_WINNERS || c->lines < k->shortest;
    if (r->it->options.strategy == TS_BLIND) return false;
    return c->score > 0 && ts_pool_wants(r->it->pool, r->it->tasks[task]->id, c->score, c->lines);
}

// The program of a candidate, cut out once however many tasks it is good for.
static bool cut_out(Round *r, const ts_candidate *c, size_t *program, ts_status *s) {
    for (size_t k = 0; k < r->cut_count; k++) {
        *program = r->cuts[k].program;
        if (r->cuts[k].node == c->node) return true;
    }
    if (r->cut_count == r->cut_room) {
        size_t room = r->cut_room ? r->cut_room * 2 : 64;
        Cut *cuts = realloc(r->cuts, room * sizeof *cuts);
        if (!cuts) return false;
        r->cuts = cuts;
        r->cut_room = room;
    }
    *program = ts_programs_count(r->found);
    r->cuts[r->cut_count++] = (Cut){c->node, *program};
    return ts_battery_cut(r->battery, c->node, "solve", r->found, s);
}

// How much of a demo is right, 0 to 1000: the cells, of a grid of the right size; of another, that it is one.
static uint16_t points_of(ts_grid got, ts_grid wanted) {
    const int cells = got.height * got.width, off = ts_grid_off(got, wanted);
    if (off < 0) return 1;
    return (uint16_t)(off == 0 ? 1000 : 100 + 899 * (cells - off) / cells);
}

// Runs the program alone, from its text, on all samples of the task. False where it is not what the battery
// said of it.
static bool check_alone(Round *r, size_t program, const ts_task *task, const ts_candidate *c,
                        ts_pool_score *score) {
    *score = (ts_pool_score){.demos = task->demos, .tests = task->tests, .score = c->score};
    for (int k = 0; k < task->demos + task->tests; k++) {
        const ts_sample *sample = &task->samples[k];
        ts_result got = ts_run_sample(r->it->alone, r->found, program, task, k);
        const bool is_grid = !got.failure && ts_value_is_grid(got.value);
        const ts_grid grid = is_grid ? ts_value_grid(got.value) : (ts_grid){0};
        const bool right = is_grid && sample->has_output && ts_grid_equal(grid, sample->output);
        uint64_t *digest = sample->is_test ? &score->answers : &score->behaviour;
        *digest = ts_grid_digest(*digest, grid);
        if (got.units > score->units) score->units = got.units;
        if (sample->is_test) score->tests_right += right;
        else score->demos_right += right;
        if (sample->is_test || k >= TS_POOL_DEMOS) continue;
        score->right_on |= (uint32_t)right << k;
        score->points[k] = is_grid ? points_of(grid, sample->output) : 0;
    }
    score->each = true;
    return score->demos_right == task->demos || c->demos_right < (uint32_t)task->demos;
}

// Where a candidate came from: the program of the pool that was mutated, and how.
static void name_origin(const Round *r, size_t task, const ts_candidate *c, char *origin, size_t size) {
    if (!r->card) {
        snprintf(origin, size, "grown for %s", r->it->tasks[task]->id);
        return;
    }
    ts_card_entry made = ts_card_at(r->card, c->program);
    const ts_pool_view *v = &r->it->view;
    size_t at = made.parent; // where it is, unless programs could not be read
    for (size_t k = 0; k < v->count && (at >= v->count || v->entries[at].program != (ptrdiff_t)made.parent);
         k++)
        at = k;
    const char *parent = at < v->count ? v->entries[at].hash : "?";
    if (made.mutations) snprintf(origin, size, "mutation of %s: %s", parent, made.note);
    else snprintf(origin, size, "part of %s", parent);
}

// Notes what a kind of mutation has brought.
static void credit(Round *r, const ts_candidate *c, double worth) {
    const unsigned kinds = r->card ? ts_card_at(r->card, c->program).kinds : 0;
    for (int k = 0; k < TS_MUTATIONS; k++)
        if (kinds >> k & 1) r->it->brought[k] += worth;
}

static bool store(Round *r, size_t task, size_t program, const ts_candidate *c, const ts_pool_score *score,
                  ts_status *s) {
    ts_iterate *it = r->it;
    IterateKnown *k = &it->known[task];
    bool solved = score->demos_right == score->demos, is_new, kept;
    char hash[17], origin[256];
    name_origin(r, task, c, origin, sizeof origin);
    const ts_pool_facts facts = {.origin = origin, .units = score->units, .round = it->so_far.rounds};
    if (!ts_pool_add_program(it->pool, r->found, program, &facts, hash, &is_new, s) ||
        !ts_pool_add_score(it->pool, hash, it->tasks[task]->id, score, &kept, s))
        return false;
    if (!is_new && kept) archive_note(it, task, hash, score);
    if (score->score > k->best) k->best = score->score;
    if (is_new && kept) credit(r, c, solved && !k->winners ? WINNER_WORTH : solved ? 1 : NEAR_WORTH);
    if (!solved) {
        it->so_far.near += is_new && kept;
        return true;
    }
    if (is_new) iterate_differs_note(it, task, r->card, c->program);
    it->so_far.winners += is_new;
    it->so_far.solved += k->winners == 0;
    k->winners += is_new || k->winners == 0;
    bool correct = score->tests > 0 && score->tests_right == score->tests;
    it->so_far.correct += correct && !k->correct;
    k->correct |= correct;
    return true;
}

static void report_odd(const ts_iterate *it, const char *task) {
    ts_status s = {0};
    status_fail(&s, TS_INPUT, "a program for %s does not do alone what it did in the battery; left out",
                task);
    if (it->options.report) it->options.report(it->options.user, &s);
}

static bool keep_candidate(Round *r, size_t task, const ts_candidate *c, ts_status *s) {
    size_t program;
    ts_pool_score score;
    ts_iterate *it = r->it;
    if (!is_wanted(r, task, c)) return true;
    ts_profile_stage(it->options.profile, TS_STAGE_EXTRACT);
    if (!cut_out(r, c, &program, s)) return false;
    ts_profile_stage(it->options.profile, TS_STAGE_CHECK);
    bool checked = check_alone(r, program, it->tasks[task], c, &score);
    if (iterate_is_stopped(it)) return true; // perhaps in the middle of it
    ts_profile_stage(it->options.profile, TS_STAGE_STORE);
    if (ts_engine_starved(it->alone)) return false;
    if (!checked) {
        report_odd(it, it->tasks[task]->id);
        return true;
    }
    if (score.demos_right == score.demos && c->lines < it->known[task].shortest)
        it->known[task].shortest = c->lines;
    return store(r, task, program, c, &score, s);
}

static bool keep_all(Round *r, const uint64_t *dealt, size_t dealt_count, const size_t *tasks, size_t count,
                     ts_status *s) {
    ts_iterate *it = r->it;
    if (!ts_pool_begin(it->pool, s)) return false;
    bool good = true;
    for (size_t n = 0; good && n < count; n++) {
        ts_task_result result = ts_battery_task(r->battery, n);
        for (size_t k = 0; good && !iterate_is_stopped(it) && k < result.top_count; k++)
            good = keep_candidate(r, tasks ? tasks[n] : n, &result.top[k], s);
    }
    ts_profile_stage(it->options.profile, TS_STAGE_STORE);
    if (good && dealt_count && iterate_goes_on(it))
        good = ts_pool_dealt(it->pool, dealt, dealt_count, NULL, s);
    good = good && ts_pool_commit(it->pool, s);
    if (!good) ts_pool_rollback(it->pool);
    return good;
}

bool iterate_keep(ts_iterate *it, const ts_card *card, const uint64_t *dealt, size_t dealt_count,
                  ts_battery *battery, const size_t *tasks, size_t count, ts_status *s) {
    Round r = {.it = it, .card = card, .battery = battery, .found = ts_programs_new()};
    const int noted = iterate_differs_noted(it);
    memcpy(it->before, it->known, it->count * sizeof *it->known);
    ts_profile_stage(it->options.profile, TS_STAGE_STORE);
    bool good = r.found && keep_all(&r, dealt, dealt_count, tasks, count, s);
    if (!good) { // the pool has nothing of it
        memcpy(it->known, it->before, it->count * sizeof *it->known);
        iterate_differs_forget(it, noted);
    }
    ts_programs_free(r.found);
    free(r.cuts);
    return good;
}
