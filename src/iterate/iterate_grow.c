// A round of growth: for a few tasks programs are built line by line, the cheapest first, on what the pool
// has.
//
// This is the bank of lines (src/lines/) with donors: near-winners of the task first, then programs that
// solve other tasks or were imported, picked at random. What is nearly right can so be painted over, cut,
// turned, recoloured, or chosen by a condition; any line of any donor may become an argument; and only what
// the outputs ask for is followed. Tasks without a winner have their turn in the order of their visits, each
// visit three times as long as the one before. A task that has one comes as if it had been visited twice
// more: other winners tell whether the first is to be trusted.
//
// Where several rounds are under way at once a round grows one task: a batch takes up to a hundred times as
// long as a deal, and all would wait for it (16 workers with 128 slots would do 42 % of the work that they
// could; so they do 99 %).
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "iterate/iterate.h"

enum {
    DONORS = ITERATE_DONORS - ARCHIVE_NEAR, // sources that a task builds on
    GROWTH = 3,
    MOST_VISITS = 4, // from then on the visits do not get longer
    VISITS_OF_WINNERS = 2,
};
static const double FIRST_UNITS = 20e6;

// ---- Which tasks ----

static unsigned turn_of(const IterateKnown *k) { return k->visits + (k->winners ? VISITS_OF_WINNERS : 0); }

static bool is_chosen(const IterateRound *r, size_t task) {
    for (size_t k = 0; k < r->visit_count; k++)
        if (r->tasks[k] == task) return true;
    return false;
}

// Those with the fewest visits; of several the order is at random.
static void choose_tasks(const ts_iterate *it, IterateRound *r, Rng *rng) {
    const size_t batch = it->options.slots > 1 ? 1 : ITERATE_BATCH;
    for (; r->visit_count < batch && r->visit_count < it->count; r->visit_count++) {
        size_t best = SIZE_MAX, first = rng_below(rng, (uint32_t)it->count);
        for (size_t n = 0; n < it->count; n++) {
            size_t task = (first + n) % it->count;
            if (!is_chosen(r, task) &&
                (best == SIZE_MAX || turn_of(&it->known[task]) < turn_of(&it->known[best])))
                best = task;
        }
        r->tasks[r->visit_count] = best;
    }
}

static double units_of(const IterateKnown *k) {
    double units = FIRST_UNITS;
    for (unsigned n = 0; n < k->visits && n < MOST_VISITS; n++) units *= GROWTH;
    return units;
}

// ---- What to build on ----

// `order` has room for all sources.
static void pick_donors(const ts_iterate *it, IterateVisit *v, size_t *order, Rng *rng) {
    const IterateKnown *known = &it->known[v->task];
    for (size_t k = 0; k < known->near_count; k++) v->donors[v->donor_count++] = known->near[k].program;
    if (it->source_count) memcpy(order, it->sources, it->source_count * sizeof *order);
    for (size_t k = 0; k < it->source_count && k < DONORS; k++) {
        size_t other = k + rng_below(rng, (uint32_t)(it->source_count - k)), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
        v->donors[v->donor_count++] = order[k];
    }
}

bool iterate_plan_growth(ts_iterate *it, IterateRound *r, bool *any, Status *s) {
    (void)s;
    Rng rng = {r->seed};
    ts_profile_stage(it->options.profile, TS_STAGE_GENERATE);
    choose_tasks(it, r, &rng);
    *any = r->visit_count;
    if (!*any) return true;
    size_t *order = malloc((it->source_count + 1) * sizeof *order);
    r->visits = calloc(r->visit_count, sizeof *r->visits);
    bool good = order && r->visits;
    for (size_t k = 0; good && k < r->visit_count; k++) {
        IterateVisit *v = &r->visits[k];
        v->task = r->tasks[k];
        v->units = units_of(&it->known[v->task]);
        Rng own = {hash_mix(r->seed, v->task)};
        pick_donors(it, v, order, &own);
    }
    r->public_only = it->language == ORIGIN_PUBLIC;
    for (size_t k = 0; good && k < r->visit_count; k++) {
        r->units += r->visits[k].units;
        it->known[r->tasks[k]].visits++;
    }
    if (good) it->units[WAY_GROW] += r->units;
    free(order);
    if (!good) r->visit_count = 0;
    return good;
}
