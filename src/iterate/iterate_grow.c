// A round of growth: for a few tasks programs are built line by line, the cheapest first, on what the pool
// has.
//
// This is the bank of lines (src/lines/) with donors: near-winners of the task first, then programs that
// solve other tasks or were imported, picked at random. What is nearly right can so be painted over, cut,
// turned, recoloured, or chosen by a condition; any line of any donor may become an argument; and only what
// the outputs ask for is followed. Tasks without a winner have their turn in the order of their visits, each
// visit three times as long as the one before. A task that has one comes as if it had been visited twice
// more: other winners tell whether the first is to be trusted.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/threads.h"
#include "iterate/iterate.h"
#include "profile/profile_report.h"
#include "program/program.h"
#include "search/quest.h"

enum {
    BATCH = 8,    // tasks in a round
    DONORS = 200, // programs that a task builds on
    GROWTH = 3,
    MOST_VISITS = 4, // from then on the visits do not get longer
    VISITS_OF_WINNERS = 2,
};
static const double FIRST_UNITS = 20e6;

typedef struct {
    size_t task;
    Quest quest;
    ts_programs donors; // programs are the view's
    bool made;
} Visit;

typedef struct {
    ts_iterate *it;
    Visit visits[BATCH];
    size_t tasks[BATCH]; // theirs
    int count, next;
    pthread_mutex_t lock;
    Profile *laps; // of each thread; NULL without a profile
} Growth;

// ---- Which tasks ----

static unsigned turn_of(const IterateKnown *k) { return k->visits + (k->winners ? VISITS_OF_WINNERS : 0); }

static bool is_chosen(const Growth *g, size_t task) {
    for (int k = 0; k < g->count; k++)
        if (g->tasks[k] == task) return true;
    return false;
}

// Those with the fewest visits; of several the order is at random.
static void choose_tasks(Growth *g, Rng *rng) {
    const ts_iterate *it = g->it;
    for (; g->count < BATCH && (size_t)g->count < it->count; g->count++) {
        size_t best = SIZE_MAX, first = rng_below(rng, (uint32_t)it->count);
        for (size_t n = 0; n < it->count; n++) {
            size_t task = (first + n) % it->count;
            if (!is_chosen(g, task) &&
                (best == SIZE_MAX || turn_of(&it->known[task]) < turn_of(&it->known[best])))
                best = task;
        }
        g->tasks[g->count] = best;
    }
}

// ---- Growing ----

static bool pick_donors(ts_iterate *it, Visit *v, Rng *rng) {
    const IterateKnown *known = &it->known[v->task];
    Program *programs = malloc((DONORS + ARCHIVE_NEAR) * sizeof *programs);
    size_t *order = malloc((it->source_count + 1) * sizeof *order), n = 0;
    if (programs && order) {
        for (size_t k = 0; k < known->near_count; k++)
            programs[n++] = it->view.programs->programs[known->near[k].program];
        if (it->source_count) memcpy(order, it->sources, it->source_count * sizeof *order);
        for (size_t k = 0; k < it->source_count && k < DONORS; k++) {
            size_t other = k + rng_below(rng, (uint32_t)(it->source_count - k)), kept = order[k];
            order[k] = order[other];
            order[other] = kept;
            programs[n++] = it->view.programs->programs[order[k]];
        }
        v->donors = (ts_programs){.programs = programs, .count = n};
    } else free(programs);
    free(order);
    return v->donors.programs;
}

static bool begin_visit(ts_iterate *it, Visit *v, uint64_t seed) {
    Rng rng = {hash_mix(seed, v->task)};
    if (!pick_donors(it, v, &rng) || !quest_init(&v->quest, it->tasks[v->task], seed)) return false;
    v->made = true;
    v->quest.donors = &v->donors;
    v->quest.public_only = it->language == ORIGIN_PUBLIC;
    v->quest.stop = it->options.stop;
    if (it->seconds > 0) v->quest.deadline = it->start + it->seconds * 1000;
    return true;
}

static double units_of(const IterateKnown *k) {
    double units = FIRST_UNITS;
    for (unsigned n = 0; n < k->visits && n < MOST_VISITS; n++) units *= GROWTH;
    return units;
}

static void grow_some(void *arg, int number) {
    Growth *g = arg;
    Profile *laps = g->laps ? &g->laps[number] : NULL;
    if (number) profile_begin(laps); // by the clock of this thread
    for (;;) {
        pthread_mutex_lock(&g->lock);
        Visit *v = g->next < g->count ? &g->visits[g->next++] : NULL;
        pthread_mutex_unlock(&g->lock);
        if (!v) break;
        v->quest.profile = laps;
        quest_run(&v->quest, "lines", (int64_t)units_of(&g->it->known[v->task]));
        quest_rest(&v->quest);
    }
    profile_lap(laps, PROFILE_WAIT, 1);
}

// All visits, on several threads, with laps for each where there is a profile.
static void grow_all(Growth *g) {
    ts_profile *profile = g->it->options.profile;
    const int wanted = g->it->options.threads ? g->it->options.threads : threads_processors();
    const int threads = wanted < g->count ? wanted : g->count;
    ts_profile_stage(profile, TS_STAGE_RUN);
    if (profile) g->laps = calloc((size_t)threads, sizeof *g->laps);
    if (g->laps) profile_start_threads(profile, threads);
    for (int e = 0; profile && e < ENGINES; e++) profile_engine(profile, e, engines_table[e].name);
    for (int k = 0; g->laps && k < threads; k++) g->laps[k].stage = TS_STAGE_RUN;
    if (g->laps) profile_begin(&g->laps[0]);
    threads_run(threads, grow_some, g);
    for (int k = threads; g->laps && k-- > 0;) profile_end_thread(profile, &g->laps[k], k == 0);
    free(g->laps);
}

// Whether no visit ran short of memory: one that did may have missed something.
static bool are_fed(const Growth *g) {
    for (int k = 0; k < g->count; k++)
        if (g->visits[k].quest.starved) return false;
    return true;
}

// What was found, as programs that a battery can run.
static ts_programs *collect(const Growth *g, Status *s) {
    ts_programs *found = ts_programs_new();
    bool good = found;
    for (int k = 0; k < g->count && good; k++) {
        const Quest *q = &g->visits[k].quest;
        for (size_t n = 0; n < q->count && good; n++)
            good = ts_programs_add_text(found, "grown", q->candidates[n].program,
                                        strlen(q->candidates[n].program), true, NULL, NULL, s);
    }
    if (good) return found;
    ts_programs_free(found);
    return NULL;
}

// Runs what was found on its tasks, for the scores, and stores it.
static bool play(ts_iterate *it, const Growth *g, const ts_programs *found, Status *s) {
    const ts_task *tasks[BATCH];
    for (int k = 0; k < g->count; k++) tasks[k] = it->tasks[g->tasks[k]];
    ts_battery *battery = iterate_play(it, found, tasks, (size_t)g->count, NULL, s);
    bool good = battery && iterate_keep(it, NULL, NULL, 0, battery, g->tasks, (size_t)g->count, s);
    ts_battery_free(battery);
    return good;
}

bool iterate_grow(ts_iterate *it, bool *any, Status *s) {
    Growth g = {.it = it, .lock = PTHREAD_MUTEX_INITIALIZER};
    const uint64_t seed = iterate_seed(it);
    Rng rng = {seed};
    bool good = true;
    ts_profile_stage(it->options.profile, TS_STAGE_GENERATE);
    choose_tasks(&g, &rng);
    *any = g.count;
    for (int k = 0; k < g.count && good; k++) {
        g.visits[k].task = g.tasks[k];
        good = begin_visit(it, &g.visits[k], seed);
    }
    if (good && g.count) grow_all(&g);
    ts_programs *found = good && are_fed(&g) ? collect(&g, s) : NULL;
    good = found && (!ts_programs_count(found) || play(it, &g, found, s));
    for (int k = 0; k < g.count && good && !iterate_is_stopped(it); k++) {
        IterateKnown *known = &it->known[g.tasks[k]];
        it->units[WAY_GROW] += units_of(known);
        it->so_far.grown += g.visits[k].quest.tried[ENGINE_lines];
        known->visits++;
    }
    ts_programs_free(found);
    for (int k = 0; k < g.count; k++) {
        if (g.visits[k].made) quest_free(&g.visits[k].quest);
        free(g.visits[k].donors.programs);
    }
    return good;
}
