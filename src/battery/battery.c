#include "battery/battery.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lay_in.h"
#include "base/threads.h"
#include "profile/profile_report.h"
#include "program/types.h"

// Tasks of a chunk: enough for the operations to stay warm, few enough for the values to stay in the cache.
enum { MOST_CHUNK = SHEET_WIDEST, CHUNK_COLUMNS = 32768, USUAL_CHUNK = 8 };

// For the values of all lanes of a usual chunk (what a lane may keep of it does not depend on the chunk asked
// for), and for those that are the same in every lane.
#define CHUNK_MEMORY ((size_t)256 << 20)
#define FIXED_MEMORY ((size_t)64 << 20)

static uint32_t usual_chunk(const Graph *g) {
    uint32_t chunk = CHUNK_COLUMNS / graph_columns(g);
    return chunk < 1 ? 1 : chunk > USUAL_CHUNK ? USUAL_CHUNK : chunk;
}

static void choose_chunk(ts_battery *b) {
    uint32_t usual = usual_chunk(&b->graph), asked = (uint32_t)b->options.chunk;
    b->limits = (SheetLimits){CHUNK_MEMORY / usual, FIXED_MEMORY, sheet_sure_units(b->options.units)};
    b->differ_limits = differs_limits;
    b->chunk = b->options.chunk <= 0 ? usual : asked < MOST_CHUNK ? asked : MOST_CHUNK;
}

// The lines of a program that are grids by their types, or may be. False: no memory.
static bool find_grids(ts_battery *b, const Member *m) {
    const Program *p = m->program;
    const uint32_t first = SLOTS_GIVEN + p->constant_count;
    Type *types = malloc(program_slots(p) * sizeof *types);
    if (!types) return false;
    const bool known = program_types(p, types, NULL);
    for (uint32_t k = 0; k < p->line_count; k++)
        b->eligible[m->columns[k]] |= !known || types[first + k].self & TYPE_GRID;
    free(types);
    return true;
}

static bool find_eligible(ts_battery *b) {
    const Graph *g = &b->graph;
    b->eligible = calloc(graph_columns(g), sizeof *b->eligible);
    b->giver = calloc(graph_columns(g), sizeof *b->giver);
    if (!b->eligible || !b->giver) return false;
    for (uint32_t column = g->first; column < graph_columns(g); column++)
        b->eligible[column] = !b->options.hopeful;
    for (uint32_t m = 0; b->options.hopeful && m < g->member_count; m++)
        if (!find_grids(b, &g->members[m])) return false;
    for (uint32_t m = g->member_count; m-- > 0;) {
        b->eligible[g->members[m].result] = true;
        b->giver[g->members[m].result] = m + 1;
    }
    return true;
}

static bool graph_uses_samples(const Graph *g) {
    for (uint32_t k = 0; k < g->count; k++)
        if (g->nodes[k].needs & NEEDS_S) return true;
    return false;
}

static bool same_programs(const ts_programs *a, const ts_programs *b) {
    bool same = a->count == b->count;
    for (size_t k = 0; same && k < a->count; k++) {
        Text one = {0}, other = {0};
        program_print(&one, &a->programs[k]);
        program_print(&other, &b->programs[k]);
        same = !one.failed && !other.failed && strcmp(one.data, other.data) == 0;
        text_free(&one);
        text_free(&other);
    }
    return same;
}

static bool is_bundled(const ts_programs *differs) {
    ts_status s;
    ts_programs *bundled = ts_programs_new();
    bool same = bundled && ts_differs_bundled(bundled, &s) && same_programs(differs, bundled);
    ts_programs_free(bundled);
    return same;
}

ts_battery *ts_battery_new(const ts_programs *programs, const ts_battery_options *options,
                           ts_status *status) {
    double start = clock_ms();
    ts_battery *b = calloc(1, sizeof *b);
    if (b) {
        b->options = *options;
        b->programs = programs;
        const uint64_t most = UINT32_MAX / 2;
        if (!b->options.units) b->options.units = TS_BATTERY_UNITS;
        if (b->options.units > most) b->options.units = most;
        if (!b->options.lane_units || b->options.lane_units > INT64_MAX) b->options.lane_units = INT64_MAX;
        if (b->options.threads <= 0) b->options.threads = threads_processors();
        if (b->options.top < 0) b->options.top = 0;
        if (options->full || options->differs) b->options.hopeful = false; // all that is run counts
        bool good = graph_make(&b->graph, programs, !options->no_text_sharing) && find_eligible(b) &&
                    (!options->differs || graph_make(&b->differs, options->differs, true));
        if (good) {
            choose_chunk(b);
            b->bundled_differs = options->differs && is_bundled(options->differs);
            b->uses_samples = graph_uses_samples(&b->graph) || graph_uses_samples(&b->differs);
        }
        b->counts.merge_ms = clock_ms() - start;
        profile_lap((Profile *)options->profile, PROFILE_MERGE, programs->count);
        if (good) return b;
    }
    ts_battery_free(b);
    status_fail(status, TS_SYSTEM, "not enough memory for a battery of %zu programs", programs->count);
    return NULL;
}

static void forget_results(ts_battery *b) {
    for (size_t k = 0; b->results && k < b->task_count; k++) free((void *)(uintptr_t)b->results[k].top);
    free(b->results);
    free(b->first_lane);
    free(b->outcomes);
    free(b->scores);
    b->results = NULL;
    b->first_lane = NULL;
    b->outcomes = NULL;
    b->scores = NULL;
    b->task_count = 0;
}

void ts_battery_free(ts_battery *b) {
    if (!b) return;
    forget_results(b);
    graph_free(&b->graph);
    graph_free(&b->differs);
    free(b->eligible);
    free(b->giver);
    free(b);
}

// ---- Running ----

static bool prepare_results(ts_battery *b, const ts_task *const *tasks, size_t count) {
    forget_results(b);
    b->results = calloc(count + 1, sizeof *b->results);
    b->first_lane = calloc(count + 1, sizeof *b->first_lane);
    if (!b->results || !b->first_lane) return false;
    b->task_count = count;
    for (size_t k = 0; k < count; k++) {
        b->results[k].task = tasks[k];
        b->first_lane[k + 1] = b->first_lane[k] + (size_t)(tasks[k]->demos + tasks[k]->tests);
        b->results[k].top = malloc((size_t)(b->options.top + 1) * sizeof *b->results[k].top);
        if (!b->results[k].top) return false;
    }
    const size_t outcomes = b->first_lane[count] * b->graph.member_count;
    const bool scores = b->options.scores && b->differs.member_count;
    b->outcomes = calloc(outcomes + 1, sizeof *b->outcomes);
    if (scores) b->scores = calloc(outcomes + 1, sizeof *b->scores);
    return b->outcomes && (b->scores || !scores);
}

typedef struct {
    ts_battery *b;
    Worker **workers;
    atomic_size_t next;
    size_t done;
    ts_progress *progress;
    void *user;
    pthread_mutex_t lock;
    atomic_bool stopped;
} Run;

static void report_progress(Run *r, size_t count) {
    if (!r->progress) return;
    pthread_mutex_lock(&r->lock);
    r->done += count;
    if (!r->progress(r->user, r->done, r->b->task_count)) r->stopped = true;
    pthread_mutex_unlock(&r->lock);
}

// The next tasks to be run: towards the end fewer at a time, so that no worker waits long for another.
static size_t take_chunk(Run *r, size_t *count) {
    const size_t all = r->b->task_count, workers = (size_t)r->b->options.threads;
    size_t first = r->next;
    do {
        const size_t left = first < all ? all - first : 0;
        *count = workers > 1 ? (left + 2 * workers - 1) / (2 * workers) : left;
        if (*count > r->b->chunk) *count = r->b->chunk;
    } while (!atomic_compare_exchange_weak(&r->next, &first, first + *count));
    return first;
}

static void run_worker(void *arg, int number) {
    Run *r = arg;
    Profile *laps = worker_profile(r->workers[number]);
    if (number) profile_begin(laps); // by the clock of this thread
    while (!r->stopped && !threads_stopped(r->b->options.stop)) {
        size_t count, first = take_chunk(r, &count);
        if (!count) break;
        if (worker_run(r->workers[number], first, count)) report_progress(r, count);
        else r->stopped = true;
    }
    profile_lap(laps, PROFILE_WAIT, 1);
}

static void reset_counts(ts_battery *b) {
    const Graph *g = &b->graph;
    b->counts = (ts_battery_counts){.programs = g->member_count,
                                    .lines = (size_t)g->lines,
                                    .nodes = g->count,
                                    .tasks = b->task_count,
                                    .merge_ms = b->counts.merge_ms};
}

bool ts_battery_run(ts_battery *b, const ts_task *const *tasks, size_t count, ts_progress *progress,
                    void *user, ts_status *status) {
    Run r = {.b = b, .progress = progress, .user = user, .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t chunks = (count + b->chunk - 1) / b->chunk, threads = (size_t)b->options.threads;
    if (threads > chunks) threads = chunks ? chunks : 1;
    bool good = prepare_results(b, tasks, count);
    b->end = b->options.deadline > 0 ? clock_ms() + b->options.deadline * 1e3 : 0;
    reset_counts(b);
    r.workers = calloc(threads, sizeof(Worker *));
    for (size_t k = 0; good && r.workers && k < threads; k++) good = (r.workers[k] = worker_new(b)) != NULL;
    good = good && r.workers;
    profile_start_threads(b->options.profile, (int)threads);
    if (good) profile_begin(worker_profile(r.workers[0]));
    if (good) threads_run((int)threads, run_worker, &r);
    for (size_t k = threads; r.workers && k-- > 0;) {
        if (r.workers[k] && good)
            profile_end_thread(b->options.profile, worker_profile(r.workers[k]), k == 0);
        if (r.workers[k] && good) good = worker_add_counts(r.workers[k], &b->counts);
        worker_free(r.workers[k]);
    }
    free(r.workers);
    for (size_t k = 0; good && b->options.profile && k < count; k++)
        ts_profile_task(b->options.profile, tasks[k]->id, b->results[k].ms);
    b->counts.run_ms /= (double)threads;
    b->counts.score_ms /= (double)threads;
    for (uint32_t k = 0; k < b->graph.count; k++) b->counts.evaluated += !b->graph.nodes[k].needs;
    // What the programs would have run alone, and neither ran nor was left out, was shared by text.
    b->counts.shared += (uint64_t)(b->counts.lines - b->counts.nodes) * b->counts.lanes;
    return good || status_fail(status, TS_SYSTEM, "not enough memory to run the battery");
}

// ---- Results ----

ts_battery_counts ts_battery_count(const ts_battery *b) { return b->counts; }

ts_task_result ts_battery_task(const ts_battery *b, size_t task) {
    assert(task < b->task_count);
    return b->results[task];
}

const uint8_t *ts_battery_outcomes(const ts_battery *b, size_t task) {
    assert(task < b->task_count);
    return b->outcomes + b->first_lane[task] * b->graph.member_count;
}

const int16_t *ts_battery_scores(const ts_battery *b, size_t task) {
    return b->scores ? b->scores + b->first_lane[task] * b->graph.member_count : NULL;
}

ts_outcome ts_battery_outcome(const ts_battery *b, size_t program, size_t task, int sample,
                              ts_failure *failure) {
    assert(program < b->graph.member_count && sample >= 0);
    uint8_t outcome = ts_battery_outcomes(b, task)[(size_t)sample * b->graph.member_count + program];
    if (failure) *failure = (ts_failure)(outcome / 8);
    return (ts_outcome)(outcome % 8);
}

bool ts_battery_cut(ts_battery *b, uint32_t node, const char *name, ts_programs *into, ts_status *status) {
    Ctx c = {0};
    Text text = {0};
    Program p;
    arena_init(&c.arena, (size_t)64 << 20);
    bool good = graph_cut(&b->graph, &c, node, &p);
    if (good) {
        p.name = name;
        program_print(&text, &p);
        good = !text.failed;
    }
    arena_free(&c.arena);
    if (good) good = ts_programs_add_text(into, name, text.data, text.length, true, NULL, NULL, status);
    else status_fail(status, TS_SYSTEM, "not enough memory to cut out a program");
    text_free(&text);
    return good;
}

// ---- The bundled differs ----

LAY_IN(differs_text, "src/battery/differs.py");

bool ts_differs_bundled(ts_programs *into, ts_status *status) {
    return ts_programs_add_text(into, "differs.py", differs_text, strlen(differs_text), true, NULL, NULL,
                                status);
}
