// A round of mutants: parents are picked, a card is dealt, and all tasks are run with it as one battery.
//
// Half of the parents solve something or were imported, any of them as likely as another. The others are
// near-winners: an unsolved task is picked, each as likely as another, then one of its near-winners that is
// good where it counts (archive_pick). What the pool knows to have been dealt is not run again.
#include <math.h>
#include <stdlib.h>

#include "iterate/iterate.h"

enum {
    MOST_UNSCORED = 512, // programs without a score in a round
    SPARE_PERCENT = 40,  // mutants beyond those wanted, for some are known
};
static const double CARD_UNITS = 12000; // what a mutant takes on a task, by measurement
static const double KEEP = 0.995;       // of what is known of the kinds of mutation, from round to round
static const double MUTANTS_KNOWN = 100, USUAL_RATE = 0.05; // of each kind, before any was made
static const double MOST_WORTH = 4;

static bool room_for_weights(ts_iterate *it) {
    const size_t n = ts_programs_count(it->view.programs);
    if (n > it->weight_room) {
        double *weights = realloc(it->weights, 2 * n * sizeof *weights);
        if (!weights) return false;
        it->weights = weights;
        it->weight_room = 2 * n;
    }
    for (size_t k = 0; k < n; k++) it->weights[k] = 0;
    return true;
}

static bool is_unscored(const ts_pool_entry *e) { return !e->task && e->program >= 0; }

bool iterate_has_unscored(ts_iterate *it) {
    while (it->next_unscored < it->view.count && !is_unscored(&it->view.entries[it->next_unscored]))
        it->next_unscored++;
    return it->next_unscored < it->view.count;
}

// The programs that nobody has run yet, as they are: their weights 1, all others 0. How many there are.
static size_t pick_unscored(ts_iterate *it) {
    size_t n = 0;
    for (; n < MOST_UNSCORED && iterate_has_unscored(it); it->next_unscored++, n++)
        it->weights[it->view.entries[it->next_unscored].program] = 1;
    return n;
}

// An unsolved task that has near-winners; SIZE_MAX after a few that have none.
static size_t pick_task(const ts_iterate *it, Rng *rng) {
    for (int tries = 0; tries < 20 && it->count; tries++) {
        size_t task = rng_below(rng, (uint32_t)it->count);
        if (!it->known[task].winners && it->known[task].near_count) return task;
    }
    return SIZE_MAX;
}

static void pick_parents(ts_iterate *it, size_t count, Rng *rng) {
    const bool blind = it->options.strategy == TS_BLIND;
    for (size_t k = 0; k < count; k++) {
        const size_t task = !blind && rng_below(rng, 2) ? pick_task(it, rng) : SIZE_MAX;
        const Near *near = task == SIZE_MAX ? NULL : archive_pick(it, task, rng);
        const size_t sources = blind ? it->originals : it->source_count;
        if (near) it->weights[near->program]++;
        else if (sources) it->weights[it->sources[rng_below(rng, (uint32_t)sources)]]++;
        else it->weights[rng_below(rng, (uint32_t)ts_programs_count(it->view.programs))]++;
    }
}

// What each kind of mutation has brought lately, against what all of them have.
static void find_worth(const ts_iterate *it, double worth[TS_MUTATIONS]) {
    double made = MUTANTS_KNOWN, brought = MUTANTS_KNOWN * USUAL_RATE;
    for (int k = 0; k < TS_MUTATIONS; k++) made += it->made[k], brought += it->brought[k];
    for (int k = 0; k < TS_MUTATIONS; k++) {
        const double own = (it->brought[k] + MUTANTS_KNOWN * brought / made) / (it->made[k] + MUTANTS_KNOWN);
        worth[k] = fmin(fmax(own * made / brought, 1 / MOST_WORTH), MOST_WORTH);
    }
}

static ts_card *deal(ts_iterate *it, bool *frozen, Status *s) {
    const uint64_t seed = iterate_seed(it);
    const bool blind = it->options.strategy == TS_BLIND;
    double worth[TS_MUTATIONS];
    Rng rng = {seed};
    ts_card_options options = {.count = it->options.programs, .seed = seed, .rate = it->options.rate};
    if (blind) {
        options.rate = 0;
        options.kinds = TS_MUTATIONS_CLASSIC;
    } else {
        find_worth(it, worth);
        options.worth = worth;
        options.count += it->options.programs * SPARE_PERCENT / 100;
    }
    if (it->count) options.colors = ts_task_colors(it->tasks[rng_below(&rng, (uint32_t)it->count)]);
    if (!room_for_weights(it)) return NULL;
    const size_t n = pick_unscored(it);
    *frozen = n > 0;
    if (n) {
        options.freeze = true;
        options.count = n;
    } else pick_parents(it, options.count, &rng);
    return ts_card_new(it->view.programs, it->weights, &options, s);
}

// Takes out what was dealt before, and what is more than is wanted. Gives the keys of what is left; NULL
// where memory is short.
static uint64_t *sort_out(ts_iterate *it, ts_card *card, size_t *count) {
    const ts_programs *programs = ts_card_programs(card);
    const size_t n = ts_programs_count(programs);
    uint64_t *keys = malloc((n + 1) * sizeof *keys);
    bool *drop = malloc(n + 1), good = keys && drop;
    *count = 0;
    for (size_t k = 0; good && k < n; k++) {
        uint64_t key;
        good = ts_programs_key(programs, k, &key);
        drop[k] = !good || *count == it->options.programs || ts_pool_was_dealt(it->pool, key);
        if (!drop[k]) keys[(*count)++] = key;
    }
    if (good) ts_card_drop(card, drop);
    free(drop);
    if (good) return keys;
    free(keys);
    return NULL;
}

static bool go_on(void *user, size_t done, size_t all) {
    (void)done;
    (void)all;
    return iterate_goes_on(user);
}

// The card as a battery on all tasks, and what it has found into the pool.
static bool play(ts_iterate *it, const ts_card *card, const uint64_t *keys, size_t count, Status *s) {
    const size_t programs = ts_programs_count(ts_card_programs(card));
    ts_battery *battery = iterate_play(it, ts_card_programs(card), it->tasks, it->count, go_on, s);
    bool good = battery;
    if (good) {
        it->so_far.tried += programs;
        // A card of nothing new counts too, or no other way would ever be chosen.
        if (keys) it->units[WAY_DEAL] += CARD_UNITS * (double)((programs ? programs : 1) * it->count);
        good = iterate_keep(it, card, keys, count, battery, NULL, it->count, s);
    }
    ts_battery_free(battery);
    return good;
}

bool iterate_deal(ts_iterate *it, Status *s) {
    const size_t unscored = it->next_unscored;
    bool as_it_is = it->options.strategy == TS_BLIND, frozen = false;
    size_t count = 0;
    ts_profile_stage(it->options.profile, TS_STAGE_GENERATE);
    ts_card *card = deal(it, &frozen, s);
    as_it_is |= frozen;
    for (int k = 0; k < TS_MUTATIONS; k++) it->made[k] *= KEEP, it->brought[k] *= KEEP;
    uint64_t *keys = card && !as_it_is ? sort_out(it, card, &count) : NULL;
    for (size_t n = 0; keys && n < count; n++)
        for (int k = 0; k < TS_MUTATIONS; k++) it->made[k] += ts_card_at(card, n).kinds >> k & 1;
    ts_profile_stage(it->options.profile, TS_STAGE_RUN);
    bool good = card && (keys || as_it_is) && play(it, card, keys, count, s);
    if (!good || !iterate_goes_on(it)) it->next_unscored = unscored;
    free(keys);
    ts_card_free(card);
    return good;
}
