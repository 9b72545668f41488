// A round of mutants: parents are picked, and a card is dealt, to be run on all tasks as one battery.
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

static ts_card *deal(ts_iterate *it, IterateRound *r, Status *s) {
    const uint64_t seed = r->seed;
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
    const size_t first = it->next_unscored, n = pick_unscored(it);
    if (n) {
        r->unscored = first;
        options.freeze = true;
        options.count = n;
    } else pick_parents(it, options.count, &rng);
    return ts_card_new(it->view.programs, it->weights, &options, s);
}

// Whether a round under way has dealt this.
static bool is_under_way(const ts_iterate *it, uint64_t key) {
    for (uint64_t n = it->so_far.rounds; n < it->next; n++) {
        const IterateRound *r = &it->rounds[n % (uint64_t)it->options.slots];
        for (size_t k = 0; k < r->key_count; k++)
            if (r->keys[k] == key) return true;
    }
    return false;
}

// Takes out what was dealt before, and what is more than is wanted, and notes the keys of what is left. False
// where memory is short.
static bool sort_out(ts_iterate *it, IterateRound *r) {
    const ts_programs *programs = ts_card_programs(r->card);
    const size_t n = ts_programs_count(programs);
    bool *drop = malloc(n + 1), good = drop && (r->keys = malloc((n + 1) * sizeof *r->keys));
    size_t count = 0;
    for (size_t k = 0; good && k < n; k++) {
        uint64_t key;
        good = ts_programs_key(programs, k, &key);
        drop[k] = !good || count == it->options.programs || ts_pool_was_dealt(it->pool, key) ||
                  is_under_way(it, key);
        if (!drop[k]) r->keys[count++] = key;
    }
    if (good) ts_card_drop(r->card, drop);
    r->key_count = count;
    free(drop);
    return good;
}

// The parents by their hashes: where they are in the view may be forgotten before the round is back.
static bool note_parents(ts_iterate *it, IterateRound *r) {
    const size_t n = ts_programs_count(ts_card_programs(r->card));
    r->parents = calloc(n + 1, sizeof *r->parents);
    for (size_t k = 0; r->parents && k < n; k++) {
        const size_t at = archive_entry_of(it, ts_card_at(r->card, k).parent);
        memcpy(r->parents[k], at == SIZE_MAX ? "?" : it->view.entries[at].hash, at == SIZE_MAX ? 2 : 17);
    }
    return r->parents;
}

bool iterate_plan_deal(ts_iterate *it, IterateRound *r, Status *s) {
    ts_profile_stage(it->options.profile, TS_STAGE_GENERATE);
    r->unscored = SIZE_MAX;
    r->card = deal(it, r, s);
    r->as_it_is = it->options.strategy == TS_BLIND || r->unscored != SIZE_MAX;
    for (int k = 0; k < TS_MUTATIONS; k++) it->made[k] *= KEEP, it->brought[k] *= KEEP;
    if (!r->card || (!r->as_it_is && !sort_out(it, r)) || !note_parents(it, r)) return false;
    const size_t n = ts_programs_count(ts_card_programs(r->card));
    for (size_t k = 0; !r->as_it_is && k < n; k++)
        for (int kind = 0; kind < TS_MUTATIONS; kind++)
            it->made[kind] += ts_card_at(r->card, k).kinds >> kind & 1;
    // A card of nothing new counts too, or no other way would ever be chosen.
    if (!r->as_it_is) r->units = CARD_UNITS * (double)((n ? n : 1) * it->count);
    it->units[WAY_DEAL] += r->units;
    return true;
}
