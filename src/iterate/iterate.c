// The loop: deal a card from the pool, run it as a battery, score, cut out what is good, check it alone,
// store it, and again.
//
// The pool is all that a run leaves behind: a second start goes on from it, other processes may add to it at
// the same time, and what a round has stored is safe whenever the process ends. Programs in the pool that
// have no score yet (imported ones) are run as they are before anything is mutated.
#include "iterate/iterate.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"

enum {
    DEFAULT_PROGRAMS = 32,
    MOST_UNSCORED = 512, // programs without a score in a round
    TOP = 8,             // candidates of a task that are looked at
    TIDY_EVERY = 64,     // rounds
};

// What fails without a word has found no memory.
static bool say_why(ts_status *s) {
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
                                      .shortest = task->winners ? SIZE_MAX : 0,
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

static bool refresh(ts_iterate *it, ts_status *s) {
    if (!ts_pool_load(it->pool, NULL, &it->view, s)) return false;
    return ts_pool_read(it->pool, &it->view, NULL, 0, it->options.report, it->options.user, s);
}

static bool count_held(ts_iterate *it, ts_status *s) {
    ts_pool_counts counts;
    if (!ts_pool_count(it->pool, &counts, s)) return false;
    it->so_far.held = counts.programs;
    return true;
}

// What the pool has dropped stays in the view; once that is most of it the view is loaded anew.
static bool tidy_view(ts_iterate *it, ts_status *s) {
    if (it->so_far.rounds % TIDY_EVERY) return true;
    if (!count_held(it, s)) return false;
    if (it->view.count < 2 * it->so_far.held + MOST_UNSCORED) return true;
    ts_pool_view_free(&it->view);
    it->view = (ts_pool_view){0};
    it->next_unscored = 0;
    return refresh(it, s);
}

static bool take_tasks(ts_iterate *it, const ts_task *const *tasks, size_t count) {
    it->tasks = calloc(count + 1, sizeof *it->tasks);
    it->known = calloc(count + 1, sizeof *it->known);
    it->before = calloc(count + 1, sizeof *it->before);
    if (!it->tasks || !it->known || !it->before) return false;
    if (count) memcpy(it->tasks, tasks, count * sizeof *tasks);
    it->count = it->so_far.tasks = count;
    for (size_t k = 0; k < count; k++) it->so_far.most += 1000 * tasks[k]->demos;
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
    it->alone = ts_engine_new();
    if (!it->alone) return false;
    ts_engine_set_stop(it->alone, o->stop);
    ts_engine_set_units(it->alone, o->units);
    return take_differs(it, s) && refresh(it, s) && (it->view.count || (plant(it, s) && refresh(it, s))) &&
           ts_pool_tasks(it->pool, note_task, it, s);
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
    say_why(status);
    ts_iterate_free(it);
    return NULL;
}

void ts_iterate_free(ts_iterate *it) {
    if (!it) return;
    ts_pool_view_free(&it->view);
    ts_engine_free(it->alone);
    ts_programs_free(it->differs);
    free(it->weights);
    free(it->known);
    free(it->before);
    free(it->tasks);
    free(it);
}

// ---- Generating ----

static bool weigh(ts_iterate *it) {
    size_t n = ts_programs_count(it->view.programs);
    if (n > it->weight_room) {
        double *weights = realloc(it->weights, 2 * n * sizeof *weights);
        if (!weights) return false;
        it->weights = weights;
        it->weight_room = 2 * n;
    }
    for (size_t k = 0; k < n; k++) it->weights[k] = 0;
    for (size_t k = 0; k < it->view.count; k++) {
        const ts_pool_entry *e = &it->view.entries[k];
        if (e->program >= 0) it->weights[e->program] = ts_card_weight(e->task ? &e->score : NULL);
    }
    return true;
}

// The programs that nobody has run yet, as they are: their weights 1, all others 0. How many there are.
static size_t pick_unscored(ts_iterate *it) {
    size_t n = 0;
    for (size_t k = 0; k < ts_programs_count(it->view.programs); k++) it->weights[k] = 0;
    for (; it->next_unscored < it->view.count && n < MOST_UNSCORED; it->next_unscored++) {
        const ts_pool_entry *e = &it->view.entries[it->next_unscored];
        if (e->task || e->program < 0) continue;
        it->weights[e->program] = 1;
        n++;
    }
    return n;
}

static ts_card *deal(ts_iterate *it, ts_status *s) {
    uint64_t seed = hash_mix(hash_mix(it->options.seed, it->so_far.rounds), (uint64_t)it->view.last);
    Rng rng = {seed};
    ts_card_options options = {.count = it->options.programs, .seed = seed, .rate = it->options.rate};
    if (it->count) options.colors = ts_task_colors(it->tasks[rng_below(&rng, (uint32_t)it->count)]);
    if (!weigh(it)) return NULL;
    if (it->next_unscored < it->view.count) {
        size_t n = pick_unscored(it);
        if (n) {
            options.freeze = true;
            options.count = n;
        } else if (!weigh(it)) return NULL;
    }
    return ts_card_new(it->view.programs, it->weights, &options, s);
}

// ---- The loop ----

static bool go_on(void *user, size_t done, size_t all) {
    const ts_iterate *it = user;
    (void)done;
    (void)all;
    return !iterate_is_stopped(it) && !is_late(it);
}

// The card as a battery on all tasks, and what it has found into the pool.
static bool play(ts_iterate *it, const ts_card *card, ts_status *s) {
    const ts_iterate_options *o = &it->options;
    const ts_battery_options options = {.threads = o->threads,
                                        .units = o->units,
                                        .top = TOP,
                                        .differs = o->differs,
                                        .profile = o->profile,
                                        .stop = o->stop};
    ts_battery *battery = ts_battery_new(ts_card_programs(card), &options, s);
    bool good = battery && ts_battery_run(battery, it->tasks, it->count, go_on, it, s);
    if (good) {
        it->so_far.tried += ts_programs_count(ts_card_programs(card));
        it->so_far.rounds++;
        good = iterate_keep(it, card, battery, s);
    }
    ts_battery_free(battery);
    return good;
}

static bool run_round(ts_iterate *it, ts_status *s) {
    ts_profile_stage(it->options.profile, TS_STAGE_READ);
    bool good = refresh(it, s) && tidy_view(it, s);
    const ts_iterate_counts before = it->so_far;
    const size_t unscored = it->next_unscored;
    ts_profile_stage(it->options.profile, TS_STAGE_GENERATE);
    ts_card *card = good ? deal(it, s) : NULL;
    ts_profile_stage(it->options.profile, TS_STAGE_RUN);
    good = card && play(it, card, s);
    if (!good) it->so_far = before; // as the pool is
    if (!good || !go_on(it, 0, 0)) it->next_unscored = unscored;
    ts_profile_stage(it->options.profile, TS_STAGE_OTHER);
    ts_card_free(card);
    return good;
}

bool ts_iterate_run(ts_iterate *it, uint64_t rounds, double seconds, ts_iterate_watch *watch, void *user,
                    ts_status *status) {
    const uint64_t last = rounds && rounds < UINT64_MAX - it->so_far.rounds ? it->so_far.rounds + rounds : 0;
    bool good = true, goes_on = true;
    *status = (ts_status){0};
    it->start = clock_ms();
    it->seconds = seconds;
    ts_profile_point(it->options.profile, it->so_far.solved, it->so_far.tried);
    while (good && goes_on && !iterate_is_stopped(it) && !is_late(it) &&
           !(last && it->so_far.rounds >= last)) {
        good = run_round(it, status);
        ts_profile_point(it->options.profile, it->so_far.solved, it->so_far.tried);
        const ts_iterate_counts counts = ts_iterate_count(it);
        if (good && watch) goes_on = watch(user, &counts);
    }
    good = good && count_held(it, status);
    it->spent += clock_ms() - it->start;
    it->start = 0;
    return good || say_why(status);
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
