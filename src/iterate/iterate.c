// The loop: a round looks for programs in one of two ways, what it finds is checked and stored, and again.
//
// A round deals mutants that are run on all tasks at once (iterate_deal.c), or grows programs for a few tasks
// (iterate_grow.c). Each way gets the more of the work the more tasks it has solved lately for the same
// work. Which comes next follows from counts alone, never from the clock: the same seed on the same pool, the
// same rounds.
//
// The pool is all that a run leaves behind: a second start goes on from it, other processes may add to it at
// the same time, and what a round has stored is safe whenever the process ends. Programs in the pool that
// have no score yet (imported ones) are run as they are before anything is mutated.
#include "iterate/iterate.h"
#include "iterate/iterate_worker.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "program/evaluator.h"

enum {
    DEFAULT_PROGRAMS = 32,
    TIDY_EVERY = 64, // rounds
    TIDY_ENTRIES = 512,
};
static const double KEEP = 0.98;         // of what is known of the ways, from round to round
static const double LEAST_SHARE = 0.15;  // of the work, for each of them
static const double HOPED_UNITS = 300e6; // in which a way is taken to solve a task before it was tried

bool iterate_say_why(ts_status *s) {
    return s->message[0] ? false : status_fail(s, TS_SYSTEM, "not enough memory");
}

static bool is_late(const ts_iterate *it) {
    return it->seconds > 0 && clock_ms() - it->start >= it->seconds * 1000;
}

// ---- Starting ----

static void note_task(void *user, const ts_pool_task *task) {
    ts_iterate *it = user;
    for (size_t k = 0; k < it->count; k++) {
        if (strcmp(it->tasks[k]->id, task->id) != 0) continue;
        it->known[k] = (IterateKnown){.winners = task->winners,
                                      .shortest = task->winners ? task->shortest : SIZE_MAX,
                                      .best = task->best,
                                      .correct = task->correct};
        it->so_far.solved += task->winners > 0;
        it->so_far.correct += task->correct;
    }
}

// An empty pool starts with the simplest programs there are: one primitive from grid to grid.
static bool plant(ts_iterate *it, ts_status *s) {
    Text text = {0};
    ts_programs *seeds = ts_programs_new();
    for (size_t k = 0; k < ts_ops_count(); k++) {
        ts_op op = ts_ops_at(k);
        if (op.arity != 1 || strcmp(op.result, "Grid") != 0) continue;
        if (strcmp(op.types[0], "Grid") != 0 && strcmp(op.types[0], "Piece") != 0) continue;
        text_print(&text, "def solve_%s(I):\n    return %s(I)\n\n", op.name, op.name);
    }
    const bool begun = seeds && !text.failed &&
                       ts_programs_add_text(seeds, "seeds", text.data, text.length, false, NULL, NULL, s) &&
                       ts_pool_begin(it->pool, s);
    bool good = begun;
    const ts_pool_facts facts = {.origin = "one primitive", .pinned = true};
    char hash[17];
    bool is_new;
    for (size_t k = 0; good && k < ts_programs_count(seeds); k++)
        good = ts_pool_add_program(it->pool, seeds, k, &facts, hash, &is_new, s);
    good = good && ts_pool_commit(it->pool, s);
    if (begun && !good) ts_pool_rollback(it->pool);
    text_free(&text);
    ts_programs_free(seeds);
    return good;
}

// Loads the pool. There is a program at least that can be mutated, whatever others have done to the pool.
static bool load_view(ts_iterate *it, ts_status *s) {
    if (!archive_refresh(it, s)) return false;
    const bool empty = !ts_programs_count(it->view.programs);
    if (empty && (!plant(it, s) || !archive_refresh(it, s))) return false;
    if (empty || !it->last_original) it->last_original = it->view.last;
    archive_count_originals(it);
    return true;
}

bool iterate_count_held(ts_iterate *it, ts_status *s) {
    ts_pool_counts counts;
    if (!ts_pool_count(it->pool, &counts, s)) return false;
    it->so_far.held = counts.programs;
    return true;
}

// Whether programs without a score are under way: which of them, only the view knows.
static bool has_taken_unscored(const ts_iterate *it) {
    for (uint64_t n = it->so_far.rounds; n < it->next; n++)
        if (it->rounds[n % (uint64_t)it->options.slots].unscored != SIZE_MAX) return true;
    return false;
}

// What the pool has dropped stays in the view; once that is most of it the view is loaded anew.
static bool tidy_view(ts_iterate *it, ts_status *s) {
    if (it->next % TIDY_EVERY || has_taken_unscored(it)) return true;
    if (!iterate_count_held(it, s)) return false;
    if (it->view.count < 2 * it->so_far.held + TIDY_ENTRIES) return true;
    archive_forget(it);
    return load_view(it, s);
}

static bool take_tasks(ts_iterate *it, const ts_task *const *tasks, size_t count) {
    it->tasks = calloc(count + 1, sizeof *it->tasks);
    it->known = calloc(count + 1, sizeof *it->known);
    it->before = calloc(count + 1, sizeof *it->before);
    if (!it->tasks || !it->known || !it->before) return false;
    if (count) memcpy(it->tasks, tasks, count * sizeof *tasks);
    it->count = it->so_far.tasks = count;
    for (size_t k = 0; k < count; k++) {
        it->so_far.most += 1000 * tasks[k]->demos;
        it->known[k].shortest = SIZE_MAX;
    }
    return true;
}

static bool take_differs(ts_iterate *it, ts_status *s) {
    if (it->options.differs) return true;
    it->options.differs = it->differs = ts_programs_new();
    return it->differs && ts_differs_bundled(it->differs, s);
}

static bool start(ts_iterate *it, ts_status *s) {
    ts_iterate_options *o = &it->options;
    if (!o->programs) o->programs = DEFAULT_PROGRAMS;
    if (!o->units) o->units = TS_BATTERY_UNITS;
    if (!o->slots) o->slots = 1;
    if (o->slots < 1 || o->slots > ITERATE_MOST_SLOTS)
        return status_fail(s, TS_USAGE, "a loop has 1 to %d slots, not %d", ITERATE_MOST_SLOTS, o->slots);
    if (o->strategy > TS_BLIND) return status_fail(s, TS_USAGE, "there is no such strategy");
    it->alone = ts_engine_new();
    if (!it->alone) return false;
    ts_engine_set_stop(it->alone, o->stop);
    // What is checked may spend what `run` allows, and not less than what it had in the battery.
    if (o->units > EVALUATOR_UNITS) ts_engine_set_units(it->alone, o->units);
    return take_differs(it, s) && (!o->evolve_differs || iterate_differs_start(it, o->evolve_differs, s)) &&
           ts_pool_tasks(it->pool, note_task, it, s) && load_view(it, s);
}

ts_iterate *ts_iterate_new(ts_pool *pool, const ts_task *const *tasks, size_t count,
                           const ts_iterate_options *options, ts_status *status) {
    *status = (ts_status){0};
    if (!(options->rate >= 0 && options->rate <= 1)) {
        status_fail(status, TS_USAGE, "a probability is 0 to 1, not %g", options->rate);
        return NULL;
    }
    ts_iterate *it = calloc(1, sizeof *it);
    if (it) it->options = *options, it->pool = pool;
    if (it && take_tasks(it, tasks, count) && start(it, status)) return it;
    iterate_say_why(status);
    ts_iterate_free(it);
    return NULL;
}

void ts_iterate_free(ts_iterate *it) {
    if (!it) return;
    iterate_window_free(it);
    archive_free(it);
    iterate_differs_free(it);
    ts_engine_free(it->alone);
    ts_engine_free(it->asked);
    ts_programs_free(it->differs);
    free(it->weights);
    free(it->known);
    free(it->before);
    free(it->tasks);
    free(it);
}

// ---- The loop ----

bool iterate_goes_on(const ts_iterate *it) { return !iterate_is_stopped(it) && !is_late(it); }

static double rate_of(const ts_iterate *it, IterateWay way) {
    return (it->gains[way] + 1) / (it->units[way] + HOPED_UNITS);
}

// The way that has had less than its share, which grows with what it brings.
static IterateWay choose_way(ts_iterate *it) {
    const double deal = rate_of(it, WAY_DEAL), grow = rate_of(it, WAY_GROW);
    double share = grow / (deal + grow);
    if (it->options.strategy != TS_EVOLVE || iterate_has_unscored(it)) return WAY_DEAL;
    if (share < LEAST_SHARE) share = LEAST_SHARE;
    if (share > 1 - LEAST_SHARE) share = 1 - LEAST_SHARE;
    return it->units[WAY_GROW] * (1 - share) <= it->units[WAY_DEAL] * share ? WAY_GROW : WAY_DEAL;
}

static uint64_t seed_of(const ts_iterate *it) {
    return hash_mix(hash_mix(it->options.seed, it->next), (uint64_t)it->view.last);
}

static bool find_bars(ts_iterate *it, IterateRound *r) {
    const size_t count = iterate_task_count(it, r);
    r->bars = malloc((count + 1) * sizeof *r->bars);
    for (size_t n = 0; r->bars && n < count; n++) r->bars[n] = iterate_bar(it, iterate_task(r, n));
    return r->bars;
}

bool iterate_plan(ts_iterate *it, IterateRound *r, ts_status *s) {
    bool any = false;
    *r = (IterateRound){.number = it->next, .unscored = SIZE_MAX};
    ts_profile_stage(it->options.profile, TS_STAGE_READ);
    if (!iterate_differs_step(it, s) || !archive_refresh(it, s) || !tidy_view(it, s)) return false;
    r->seed = seed_of(it);
    r->first_run = iterate_has_unscored(it);
    r->way = choose_way(it);
    if (r->way == WAY_GROW && !iterate_plan_growth(it, r, &any, s)) return false;
    if (!any) r->way = WAY_DEAL;
    return (any || iterate_plan_deal(it, r, s)) && find_bars(it, r);
}

bool iterate_do_here(ts_iterate *it, IterateRound *r, ts_status *s) {
    const ts_iterate_options *o = &it->options;
    IterateMeans means = {.differs = o->differs,
                          .units = o->units,
                          .threads = o->threads,
                          .deadline = it->seconds > 0 ? it->start + it->seconds * 1000 : 0,
                          .stop = o->stop,
                          .profile = o->profile};
    ts_profile_stage(o->profile, TS_STAGE_RUN);
    if (r->card) {
        r->battery = iterate_play(&means, ts_card_programs(r->card), it->tasks, it->count, true, s);
        return r->battery;
    }
    const ts_task *tasks[ITERATE_BATCH];
    for (size_t k = 0; k < r->visit_count; k++) tasks[k] = it->tasks[r->tasks[k]];
    r->programs = iterate_grow(&means, r->visits, tasks, r->visit_count, it->view.programs->programs, r->seed,
                               r->public_only, &r->grown, s);
    if (!r->programs || !ts_programs_count(r->programs)) return r->programs;
    r->battery = iterate_play(&means, r->programs, tasks, r->visit_count, false, s);
    return r->battery;
}

// The programs that were to be run as they are, and were not.
static void give_back(ts_iterate *it, const IterateRound *r) {
    if (r->unscored < it->next_unscored) it->next_unscored = r->unscored;
}

void iterate_drop(ts_iterate *it, IterateRound *r) {
    it->units[r->way] = r->units < it->units[r->way] ? it->units[r->way] - r->units : 0;
    for (size_t k = 0; k < r->visit_count; k++) it->known[r->tasks[k]].visits -= !!r->visits;
    give_back(it, r);
    r->units = 0;
    r->visit_count = 0;
}

bool iterate_merge(ts_iterate *it, IterateRound *r, ts_status *s) {
    const ts_iterate_counts before = it->so_far;
    const bool is_done = r->battery || r->found || r->programs;
    if (r->card && is_done) it->so_far.tried += ts_programs_count(ts_card_programs(r->card));
    if (!iterate_keep(it, r, s)) {
        it->so_far = before; // as the pool is
        return false;
    }
    if (r->visits && !iterate_is_stopped(it)) it->so_far.grown += r->found ? r->found->grown : r->grown;
    else if (r->visits) iterate_drop(it, r); // there is nothing of it
    if (is_done && !(r->found ? r->found->whole : iterate_goes_on(it))) give_back(it, r);
    it->so_far.rounds++;
    if (!r->first_run) it->gains[r->way] += (double)(it->so_far.solved - before.solved);
    for (int k = 0; k < WAYS; k++) it->gains[k] *= KEEP, it->units[k] *= KEEP;
    return true;
}

void iterate_round_free(IterateRound *r) {
    ts_battery_free(r->battery);
    ts_programs_free(r->programs);
    ts_card_free(r->card);
    iterate_found_free(r->found);
    free(r->bars);
    free(r->parents);
    free(r->keys);
    free(r->visits);
    free(r->order);
    free(r->differs);
    *r = (IterateRound){0};
}

// ---- Running it here ----

static bool run_round(ts_iterate *it, ts_status *s) {
    IterateRound r;
    bool good = iterate_plan(it, &r, s);
    it->next += good;
    good = good && iterate_do_here(it, &r, s) && iterate_merge(it, &r, s);
    if (!good) {
        iterate_drop(it, &r);
        it->next = it->so_far.rounds;
    }
    iterate_round_free(&r);
    ts_profile_stage(it->options.profile, TS_STAGE_OTHER);
    return good;
}

// The next round as a worker does it. With several slots this is the way here, too: what a round was planned
// on may be gone by the time it is done.
static bool pass_round(ts_iterate *it, const IterateStock *stock, ts_status *s) {
    const ts_iterate_options *o = &it->options;
    uint64_t number;
    char *order = ts_iterate_give(it, &number, s), *result = NULL;
    if (!order) return !s->code;
    ts_profile_stage(o->profile, TS_STAGE_RUN);
    result = iterate_do(order, strlen(order), stock, o->threads, o->stop, s);
    bool good = result ? ts_iterate_take(it, number, result, strlen(result), s) : iterate_is_stopped(it);
    if (!good && s->code == TS_INPUT) { // as a candidate that does not do alone what it did in the battery
        if (o->report) o->report(o->user, s);
        good = true;
    }
    free(result);
    free(order);
    ts_profile_stage(o->profile, TS_STAGE_OTHER);
    return good;
}

static IterateStock *own_stock(ts_iterate *it, ts_status *s) {
    IterateStock *stock = iterate_stock_read(it->stock.data, it->stock.length, s);
    if (stock) iterate_stock_profile(stock, it->options.profile);
    return stock;
}

bool ts_iterate_run(ts_iterate *it, uint64_t rounds, double seconds, ts_iterate_watch *watch, void *user,
                    ts_status *status) {
    const bool passes = it->options.slots > 1;
    IterateStock *stock = NULL;
    bool good = passes ? ts_iterate_begin(it, rounds, seconds, status) && (stock = own_stock(it, status))
                       : iterate_begin(it, rounds, seconds, status);
    ts_profile_point(it->options.profile, it->so_far.solved, it->so_far.tried);
    for (bool goes_on = true; good && goes_on && !ts_iterate_is_over(it);) {
        good = passes ? pass_round(it, stock, status) : run_round(it, status);
        ts_profile_point(it->options.profile, it->so_far.solved, it->so_far.tried);
        const ts_iterate_counts counts = ts_iterate_count(it);
        if (good && watch) goes_on = watch(user, &counts);
    }
    iterate_stock_free(stock);
    if (good) good = ts_iterate_end(it, status);
    else iterate_abandon(it);
    return good || iterate_say_why(status);
}

// ---- What came of it ----

ts_iterate_counts ts_iterate_count(const ts_iterate *it) {
    ts_iterate_counts counts = it->so_far;
    counts.seconds = (it->spent + (it->start > 0 ? clock_ms() - it->start : 0)) / 1000;
    for (size_t k = 0; k < it->count; k++) counts.score += it->known[k].best;
    return counts;
}

ts_iterate_found ts_iterate_at(const ts_iterate *it, size_t task) {
    const IterateKnown *k = &it->known[task];
    return (ts_iterate_found){.winners = k->winners, .correct = k->correct, .score = k->best};
}
