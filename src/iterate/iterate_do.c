// What a round does: a battery on tasks, and the growth of programs before it. It needs neither pool nor
// loop, so it is done by the caller or by a worker elsewhere, and comes to the same.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "iterate/iterate.h"
#include "profile/profile_report.h"
#include "search/quest.h"

// ---- Batteries ----

static bool go_on(void *user, size_t done, size_t all) {
    const IterateMeans *m = user;
    (void)done;
    (void)all;
    return !ts_stop_is_set(m->stop) && !(m->deadline > 0 && clock_ms() >= m->deadline);
}

ts_battery *iterate_play(IterateMeans *m, const ts_programs *programs, const ts_task *const *tasks,
                         size_t count, bool timed, ts_status *s) {
    const ts_battery_options options = {.threads = m->threads,
                                        .units = m->units,
                                        .top = ITERATE_TOP,
                                        .differs = m->differs,
                                        .profile = m->profile,
                                        .stop = m->stop};
    ts_battery *battery = ts_battery_new(programs, &options, s);
    if (battery && ts_battery_run(battery, tasks, count, timed ? go_on : NULL, m, s)) return battery;
    ts_battery_free(battery);
    return NULL;
}

// ---- Growth ----

typedef struct {
    Quest quest;
    ts_programs donors; // programs are somebody else's
    int64_t units;
    bool made;
} Visit;

typedef struct {
    const IterateMeans *means;
    Visit visits[ITERATE_BATCH];
    int count, next;
    pthread_mutex_t lock;
    Profile *laps; // of each thread; NULL without a profile
} Growth;

static bool begin_visit(Growth *g, const IterateVisit *plan, const ts_task *task, const Program *programs,
                        uint64_t seed, bool public_only) {
    Visit *v = &g->visits[g->count++];
    Program *donors = malloc((plan->donor_count + 1) * sizeof *donors);
    v->donors = (ts_programs){.programs = donors, .count = plan->donor_count};
    v->units = (int64_t)plan->units;
    if (!donors || !quest_init(&v->quest, task, seed)) return false;
    for (size_t k = 0; k < plan->donor_count; k++) donors[k] = programs[plan->donors[k]];
    v->made = true;
    v->quest.donors = &v->donors;
    v->quest.public_only = public_only;
    v->quest.stop = g->means->stop;
    v->quest.deadline = g->means->deadline;
    return true;
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
        quest_run(&v->quest, "lines", v->units);
        quest_rest(&v->quest);
    }
    profile_lap(laps, PROFILE_WAIT, 1);
}

// All visits, on several threads, with laps for each where there is a profile.
static void grow_all(Growth *g) {
    ts_profile *profile = g->means->profile;
    const int wanted = g->means->threads ? g->means->threads : threads_processors();
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

ts_programs *iterate_grow(const IterateMeans *means, const IterateVisit *visits, const ts_task *const *tasks,
                          size_t count, const Program *programs, uint64_t seed, bool public_only,
                          uint64_t *grown, Status *s) {
    Growth g = {.means = means, .lock = PTHREAD_MUTEX_INITIALIZER};
    bool good = true;
    *grown = 0;
    for (size_t k = 0; good && k < count; k++)
        good = begin_visit(&g, &visits[k], tasks[k], programs, seed, public_only);
    if (good) grow_all(&g);
    ts_programs *found = good && are_fed(&g) ? collect(&g, s) : NULL;
    for (int k = 0; k < g.count; k++) {
        if (g.visits[k].made) {
            *grown += g.visits[k].quest.tried[ENGINE_lines];
            quest_free(&g.visits[k].quest);
        }
        free(g.visits[k].donors.programs);
    }
    return found;
}
