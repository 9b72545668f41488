// What a round has found: the candidates that are worth their place are cut out of the battery as programs of
// their own, run alone, and stored.
//
// A worker elsewhere tells of programs, and what they do. Nothing of it is believed: as its result comes in,
// each program that would be stored by now is run here, and what was said of it has to be true. What is
// wanted only becomes less, so none that was not run then is stored when the turn of the round comes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "battery/points.h"
#include "iterate/iterate.h"
#include "pool/pool.h"
#include "program/evaluator.h"
#include "task/task.h"

enum { MOST_WINNERS = 5 };                                // that are kept of a task, but for shorter ones
static const double WINNER_WORTH = 10, NEAR_WORTH = 0.02; // the first one of a task; against another winner

// A candidate that was cut out, for the tasks it is good for.
typedef struct {
    uint32_t node;
    size_t program; // in `found`
} Cut;

typedef struct {
    ts_iterate *it;
    const IterateRound *round;
    ts_programs *found; // cut out here, or a worker's
    Cut *cuts;
    size_t cut_count, cut_room;
} Keeping;

IterateBar iterate_bar(ts_iterate *it, size_t task) {
    const IterateKnown *k = &it->known[task];
    IterateBar bar = {.score = INT64_MAX, .winner_lines = SIZE_MAX};
    if (k->winners >= MOST_WINNERS) bar.winner_lines = k->shortest ? k->shortest - 1 : 0;
    if (it->options.strategy != TS_BLIND)
        pool_bar(it->pool, it->tasks[task]->id, &bar.score, &bar.lines, &bar.longest);
    return bar;
}

static bool solves(const ts_iterate *it, size_t task, const ts_candidate *c) {
    return c->demos_right == (uint32_t)it->tasks[task]->demos;
}

// A program that is worth its place: it solves the task, and is among the first or the shortest; or its score
// is among the best.
static bool is_wanted(ts_iterate *it, size_t task, const ts_candidate *c) {
    const IterateKnown *k = &it->known[task];
    if (solves(it, task, c)) return k->winners < MOST_WINNERS || c->lines < k->shortest;
    if (it->options.strategy == TS_BLIND) return false;
    return c->score > 0 && ts_pool_wants(it->pool, it->tasks[task]->id, c->score, c->lines);
}

// The program of a candidate, cut out once however many tasks it is good for.
static bool cut_out(Keeping *r, const ts_candidate *c, size_t *program, ts_status *s) {
    *program = c->node;
    if (r->round->found) return true; // the worker has cut it out
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
    return ts_battery_cut(r->round->battery, c->node, "solve", r->found, s);
}

// How much of a demo is right, 0 to 1000: the cells, of a grid of the right size; of another, that it is one.
static uint16_t points_of(ts_grid got, ts_grid wanted) {
    const int cells = got.height * got.width, off = ts_grid_off(got, wanted);
    if (off < 0) return 1;
    return (uint16_t)(off == 0 ? 1000 : 100 + 899 * (cells - off) / cells);
}

// What a battery says of a candidate: demos right before the first that is not, which is the last to count.
typedef struct {
    const ts_programs *differs;
    bool bundled; // they are those
    uint32_t right;
    int32_t score;
    bool missed;
} Saying;

static int32_t mean_points(ts_iterate *it, const Saying *say, const ts_task *task, ts_grid grid,
                           ts_grid right) {
    int64_t sum = 0;
    for (size_t k = 0; k < say->differs->count; k++) {
        const ts_result r = ts_run_differ(it->asked, say->differs, k, task, grid, right);
        sum += r.failure ? 0 : iterate_points(r.value);
    }
    return (int32_t)(sum / (int64_t)say->differs->count);
}

static int32_t bundled_points(ts_iterate *it, ts_grid grid, ts_grid right) {
    Ctx *c = &it->asked->ctx;
    ctx_begin(c, EVALUATOR_UNMETERED);
    const Value a = value_grid(c, grid), b = value_grid(c, right);
    if (c->failure) return 0;
    PointsSight sight, wanted;
    points_look(value_obj(a), &sight);
    points_look(value_obj(b), &wanted);
    return points_give(&sight, &wanted);
}

static int32_t score_of(ts_iterate *it, const Saying *say, const ts_task *task, int demo, ts_grid grid) {
    const ts_sample *sample = &task->samples[demo];
    const int side = task_side(task);
    if (grid.height > side || grid.width > side) return 0;
    if (say->bundled)
        return points_score(bundled_points(it, grid, sample->output),
                            bundled_points(it, sample->input, sample->output));
    ts_engine_set_units(it->asked, side > GRID_USUAL_SIDE ? POINTS_LARGE_UNITS : POINTS_UNITS);
    return points_score(mean_points(it, say, task, grid, sample->output),
                        mean_points(it, say, task, sample->input, sample->output));
}

static void take_demo(ts_iterate *it, Saying *say, const ts_task *task, int demo, const ts_result *got,
                      bool right) {
    const bool fits = !got->failure && got->units <= it->options.units;
    if (say->missed) return;
    say->missed = !right || !fits;
    say->right += !say->missed;
    if (!say->differs->count || !fits || !ts_value_is_grid(got->value)) return;
    say->score += right ? POINTS_PERFECT : score_of(it, say, task, demo, ts_value_grid(got->value));
}

// Runs the program alone, from its text, on all samples of the task. False where it is not what the battery
// said of it; where `say` is given, in every respect.
static bool check_alone(ts_iterate *it, const ts_programs *found, size_t program, const ts_task *task,
                        const ts_candidate *c, ts_pool_score *score, Saying *say) {
    *score = (ts_pool_score){.demos = task->demos, .tests = task->tests, .score = c->score};
    for (int k = 0; k < task->demos + task->tests; k++) {
        const ts_sample *sample = &task->samples[k];
        ts_result got = ts_run_sample(it->alone, found, program, task, k);
        const bool is_grid = !got.failure && ts_value_is_grid(got.value);
        const ts_grid grid = is_grid ? ts_value_grid(got.value) : (ts_grid){0};
        const bool right = is_grid && sample->has_output && ts_grid_equal(grid, sample->output);
        uint64_t *digest = sample->is_test ? &score->answers : &score->behaviour;
        *digest = ts_grid_digest(*digest, grid);
        if (got.units > score->units) score->units = got.units;
        if (sample->is_test) score->tests_right += right;
        else score->demos_right += right;
        if (say && !sample->is_test) take_demo(it, say, task, k, &got, right);
        if (sample->is_test || k >= TS_POOL_DEMOS) continue;
        score->right_on |= (uint32_t)right << k;
        score->points[k] = is_grid ? points_of(grid, sample->output) : 0;
    }
    score->each = true;
    if (say && (say->right != c->demos_right || say->score != c->score)) return false;
    return score->demos_right == task->demos || c->demos_right < (uint32_t)task->demos;
}

// Where a candidate came from: the program of the pool that was mutated, and how.
static void name_origin(const Keeping *r, size_t task, const ts_candidate *c, char *origin, size_t size) {
    if (!r->round->card) {
        snprintf(origin, size, "grown for %s", r->it->tasks[task]->id);
        return;
    }
    const ts_card_entry made = ts_card_at(r->round->card, c->program);
    const char *parent = r->round->parents[c->program];
    if (made.mutations) snprintf(origin, size, "mutation of %s: %s", parent, made.note);
    else snprintf(origin, size, "part of %s", parent);
}

// Notes what a kind of mutation has brought.
static void credit(Keeping *r, const ts_candidate *c, double worth) {
    const unsigned kinds = r->round->card ? ts_card_at(r->round->card, c->program).kinds : 0;
    for (int k = 0; k < TS_MUTATIONS; k++)
        if (kinds >> k & 1) r->it->brought[k] += worth;
}

static bool store(Keeping *r, size_t task, size_t program, const ts_candidate *c, const ts_pool_score *score,
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
    if (is_new) iterate_differs_note(it, task, r->round, c->program);
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

// Whether the pool would drop it at once, for a near-winner that is no longer does the same. To ask costs
// nothing, to store it a tenth of a millisecond, and with many workers this is what holds them up. (With one
// slot it is stored and dropped, as it always was, for that takes a number, which seeds depend on.)
static bool is_known(const ts_iterate *it, size_t task, const ts_candidate *c, const ts_pool_score *score) {
    return it->options.slots > 1 && score->demos_right < score->demos &&
           ts_pool_has_behaviour(it->pool, it->tasks[task]->id, score->behaviour, c->lines);
}

// `claim`: what a worker tells of it; NULL: it is the battery's.
static bool keep_candidate(Keeping *r, size_t task, const ts_candidate *c, const IterateClaim *claim,
                           const IterateBar *bar, ts_status *s) {
    size_t program;
    ts_pool_score score;
    ts_iterate *it = r->it;
    if (!iterate_bar_lets(bar, solves(it, task, c), c->score, c->lines) || !is_wanted(it, task, c))
        return true;
    ts_profile_stage(it->options.profile, TS_STAGE_EXTRACT);
    if (!cut_out(r, c, &program, s)) return false;
    ts_profile_stage(it->options.profile, TS_STAGE_CHECK);
    bool checked = true;
    if (claim && claim->checked) score = claim->score;
    else checked = check_alone(it, r->found, program, it->tasks[task], c, &score, NULL);
    if (iterate_is_stopped(it)) return true; // perhaps in the middle of it
    ts_profile_stage(it->options.profile, TS_STAGE_STORE);
    if (ts_engine_starved(it->alone)) return false;
    if (!checked) {
        report_odd(it, it->tasks[task]->id);
        return true;
    }
    if (is_known(it, task, c, &score)) return true;
    if (score.demos_right == score.demos && c->lines < it->known[task].shortest)
        it->known[task].shortest = c->lines;
    return store(r, task, program, c, &score, s);
}

static bool keep_battery(Keeping *r, ts_status *s) {
    const IterateRound *round = r->round;
    bool good = true;
    for (size_t n = 0; good && n < iterate_task_count(r->it, round); n++) {
        ts_task_result result = ts_battery_task(round->battery, n);
        for (size_t k = 0; good && !iterate_is_stopped(r->it) && k < result.top_count; k++)
            good = keep_candidate(r, iterate_task(round, n), &result.top[k], NULL, &round->bars[n], s);
    }
    return good;
}

static bool keep_found(Keeping *r, ts_status *s) {
    const IterateFound *f = r->round->found;
    bool good = true;
    for (size_t k = 0; good && !iterate_is_stopped(r->it) && k < f->count; k++) {
        const IterateClaim *c = &f->claims[k];
        good = keep_candidate(r, iterate_task(r->round, c->place), &c->candidate, c,
                              &r->round->bars[c->place], s);
    }
    return good;
}

// Whether there was time for all of the round.
static bool is_whole(const Keeping *r) {
    return r->round->found ? r->round->found->whole : iterate_goes_on(r->it);
}

static bool keep_all(Keeping *r, ts_status *s) {
    ts_iterate *it = r->it;
    const IterateRound *round = r->round;
    if (!ts_pool_begin(it->pool, s)) return false;
    bool good = round->found ? keep_found(r, s) : keep_battery(r, s);
    ts_profile_stage(it->options.profile, TS_STAGE_STORE);
    if (good && round->key_count && is_whole(r))
        good = ts_pool_dealt(it->pool, round->keys, round->key_count, NULL, s);
    good = good && ts_pool_commit(it->pool, s);
    if (!good) ts_pool_rollback(it->pool);
    return good;
}

bool iterate_keep(ts_iterate *it, IterateRound *round, ts_status *s) {
    Keeping r = {.it = it, .round = round, .found = round->found ? round->found->programs : NULL};
    const int noted = iterate_differs_noted(it);
    if (!round->battery && !round->found) return true; // there was nothing to run
    memcpy(it->before, it->known, it->count * sizeof *it->known);
    ts_profile_stage(it->options.profile, TS_STAGE_STORE);
    if (!r.found) r.found = ts_programs_new();
    bool good = r.found && keep_all(&r, s);
    if (!good) { // the pool has nothing of it
        memcpy(it->known, it->before, it->count * sizeof *it->known);
        iterate_differs_forget(it, noted);
    }
    if (!round->found) ts_programs_free(r.found);
    free(r.cuts);
    return good;
}

// ---- What a worker says ----

static bool check_claim(ts_iterate *it, const IterateRound *r, const ts_programs *differs,
                        const ts_programs *programs, IterateClaim *c, Status *s) {
    const size_t task = iterate_task(r, c->place);
    Saying say = {.differs = differs, .bundled = differs == it->differs};
    if (!is_wanted(it, task, &c->candidate)) return true;
    c->checked =
        check_alone(it, programs, c->candidate.node, it->tasks[task], &c->candidate, &c->score, &say);
    if (ts_engine_starved(it->alone) || ts_engine_starved(it->asked))
        return status_fail(s, TS_SYSTEM, "not enough memory to check what a worker has found");
    return c->checked || iterate_is_stopped(it) ||
           status_fail(s, TS_INPUT, "a program for %.100s does not do what the worker says",
                       it->tasks[task]->id);
}

bool iterate_check(ts_iterate *it, const IterateRound *r, IterateFound *found, Status *s) {
    const ts_programs *differs = it->options.differs;
    ts_programs *own = NULL;
    bool good = true;
    ts_profile_stage(it->options.profile, TS_STAGE_CHECK);
    if (!it->asked) it->asked = ts_engine_new();
    if (!it->asked) return false;
    if (r->differs && found->count) {
        differs = own = ts_programs_new();
        good =
            own && ts_programs_add_text(own, "differs", r->differs, strlen(r->differs), true, NULL, NULL, s);
    }
    for (size_t k = 0; good && k < found->count; k++)
        good = check_claim(it, r, differs, found->programs, &found->claims[k], s);
    ts_programs_free(own);
    return good;
}
