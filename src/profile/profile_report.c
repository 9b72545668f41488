#include "profile/profile_report.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "dsl/ops.h"

static const char *const stage_names[TS_STAGES] = {"read",    "generate", "run",   "score",
                                                   "extract", "check",    "store", "other"};

enum { PEAK_EVERY_MS = 5 };

// That all threads of the process have spent so far.
static double core_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// ---- Gathering ----

ts_profile *ts_profile_new(void) {
    ts_profile *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->threads = 1;
    p->core_start = core_seconds();
    p->start = clock_ms(); // both clocks are read one right after the other, at the end too
    profile_begin(&p->laps);
    p->start_ticks = p->laps.last;
    return p;
}

void ts_profile_free(ts_profile *p) {
    if (!p) return;
    for (size_t k = 0; k < p->task_count; k++) free((void *)(uintptr_t)p->tasks[k].id);
    free(p->tasks);
    free(p);
}

// The most memory that the process has held since the last call, in KiB; the kernel keeps that mark.
static long take_peak(void) {
    long peak = 0;
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &peak) == 1) break;
    if (status) fclose(status);
    int refs = open("/proc/self/clear_refs", O_WRONLY);
    if (refs >= 0) {
        ssize_t written = write(refs, "5", 1);
        (void)written; // where it cannot be reset, later peaks include earlier ones
        close(refs);
    }
    return peak;
}

void ts_profile_stage(ts_profile *p, ts_stage stage) {
    if (!p) return;
    double now = clock_ms();
    if (now - p->peak_taken >= PEAK_EVERY_MS || stage == p->laps.stage) { // what is shorter says little
        long peak = take_peak();
        if (peak > p->peak_kb[p->laps.stage]) p->peak_kb[p->laps.stage] = peak;
        p->peak_taken = now;
    }
    profile_lap(&p->laps, PROFILE_STAGE + p->laps.stage, 1);
    p->laps.stage = stage;
}

// Batteries come again with the same tasks in the same order, so the search starts after the task before.
void ts_profile_task(ts_profile *p, const char *id, double ms) {
    if (!p) return;
    for (size_t k = 0; k < p->task_count; k++) {
        size_t at = (p->task_next + k) % p->task_count;
        if (strcmp(p->tasks[at].id, id) != 0) continue;
        p->tasks[at].ms += ms;
        p->task_next = at + 1;
        return;
    }
    if (p->task_count == p->task_room) {
        size_t room = p->task_room ? p->task_room * 2 : 256;
        ProfileTask *tasks = realloc(p->tasks, room * sizeof *tasks);
        if (!tasks) return;
        p->tasks = tasks;
        p->task_room = room;
    }
    char *copy = strdup(id);
    if (copy) p->tasks[p->task_count++] = (ProfileTask){copy, ms};
}

// Every second point goes, and those to come keep as far apart as the others are now, or nearly so.
static void thin_out(ts_profile *p) {
    size_t n = 0;
    for (size_t k = 0; k < p->point_count; k += 2) p->points[n++] = p->points[k];
    p->point_count = n;
    p->point_gap = (p->points[n - 1].core_seconds - p->points[0].core_seconds) / PROFILE_MOST_POINTS;
}

// Whether nothing has come since the point before the last.
static bool is_idle(const ProfilePoint *last, const ProfilePoint *point) {
    return last[-1].solved == point->solved && last[-1].programs == point->programs;
}

void ts_profile_point(ts_profile *p, uint64_t solved, uint64_t programs) {
    if (!p) return;
    ProfilePoint point = {core_seconds() - p->core_start, solved, programs};
    size_t n = p->point_count;
    const ProfilePoint *last = n ? &p->points[n - 1] : &point;
    if (last->core_seconds > point.core_seconds) point.core_seconds = last->core_seconds;
    if (last->solved > solved) point.solved = last->solved;
    if (last->programs > programs) point.programs = last->programs;
    if (n > 1 && (is_idle(last, &point) || last->core_seconds - last[-1].core_seconds < p->point_gap))
        p->point_count--; // the last one moves on
    else if (n == PROFILE_MOST_POINTS) thin_out(p);
    p->points[p->point_count++] = point;
}

void profile_start_threads(ts_profile *p, int threads) {
    if (!p) return;
    profile_lap(&p->laps, PROFILE_LANES, 0);
    if (threads > p->threads) p->threads = threads;
}

void profile_end_thread(ts_profile *p, const Profile *laps, bool is_caller) {
    if (!p || !laps) return;
    profile_add(&p->laps, laps);
    if (is_caller) profile_go_on(&p->laps, laps);
}

void profile_engine(ts_profile *p, int number, const char *name) {
    if (p && number < PROFILE_MOST_ENGINES) p->engines[number] = name;
}

// ---- The report ----

typedef struct {
    const char *name;
    double ms;
    uint64_t calls;
} Function;

enum {
    MOST_FUNCTIONS = 64,
    TOP_FUNCTIONS = 5,
    MOST_CATEGORIES = 40,
};
static const char engines_category[] = "engines"; // of which not only the top functions are shown

typedef struct {
    const char *name;
    bool is_primitives;
    double ms;
    Function functions[MOST_FUNCTIONS];
    int count;
} Category;

typedef struct {
    Category categories[MOST_CATEGORIES];
    int count;
    double parts_ms, primitives_ms;
} Report;

static Category *category(Report *r, const char *name) {
    for (int k = 0; k < r->count; k++)
        if (strcmp(r->categories[k].name, name) == 0) return &r->categories[k];
    if (r->count == MOST_CATEGORIES) return &r->categories[MOST_CATEGORIES - 1];
    r->categories[r->count].name = name;
    return &r->categories[r->count++];
}

static void add(Report *r, const char *where, bool is_primitive, Function f) {
    Category *c = category(r, where);
    c->is_primitives = is_primitive;
    c->ms += f.ms;
    r->parts_ms += f.ms;
    if (is_primitive) r->primitives_ms += f.ms;
    if (f.calls || f.ms > 0)
        if (c->count < MOST_FUNCTIONS) c->functions[c->count++] = f;
}

typedef struct {
    const char *name, *category;
} SlotName;

static const SlotName slot_names[PROFILE_ENGINES - PROFILE_PRIMITIVES] = {
    [PROFILE_CALL - PROFILE_PRIMITIVES] = {"(a function value)", "function"},
    [PROFILE_LOOKUP - PROFILE_PRIMITIVES] = {"look-ups of nodes", "sharing and look-ups"},
    [PROFILE_MERGE - PROFILE_PRIMITIVES] = {"merging programs", "sharing and look-ups"},
    [PROFILE_LANES - PROFILE_PRIMITIVES] = {"setting up lanes", "other"},
    [PROFILE_CANDIDATES - PROFILE_PRIMITIVES] = {"following candidates", "candidates"},
    [PROFILE_SCORES - PROFILE_PRIMITIVES] = {"adding up scores", "candidates"},
    [PROFILE_DEDUPE - PROFILE_PRIMITIVES] = {"distinct answers", "dedupe"},
    [PROFILE_FAILURES - PROFILE_PRIMITIVES] = {"outcomes of programs", "failures"},
    [PROFILE_WAIT - PROFILE_PRIMITIVES] = {"starting and ending threads", "other"},
};

static const char *const build_names[BUILDS] = {
    [BUILD_SET] = "sets of any values",
    [BUILD_WORDS] = "sets of locations and cells",
    [BUILD_UNION] = "unions of these",
    [BUILD_TUPLE] = "tuples",
};

// Adds what one slot counts; the ticks in it that sets and tuples took.
static uint64_t add_slot(Report *r, const ProfileCount *n, const char *name, const char *category,
                         bool is_primitive, double ms) {
    add(r, category, is_primitive, (Function){name, (double)(n->ticks - n->built) * ms, n->calls});
    return n->built;
}

// What sets and tuples took, by primitive, was found by sampling; a primitive cannot have spent more than all
// its time on them, so the sum over the primitives is what counts.
static void fill_in(Report *r, const ts_profile *p, double ms) {
    uint64_t built = 0, sampled = 0;
    for (unsigned k = 0; k < ops_count(); k++)
        built += add_slot(r, &p->laps.slots[k], ops_table[k].name, ops_table[k].family, true, ms);
    for (int k = PROFILE_PRIMITIVES; k < PROFILE_ENGINES; k++) {
        const SlotName *slot = &slot_names[k - PROFILE_PRIMITIVES];
        built += add_slot(r, &p->laps.slots[k], slot->name, slot->category, k == PROFILE_CALL, ms);
    }
    for (int k = 0; k < BUILDS; k++) sampled += p->laps.builds[k].ticks;
    for (int k = 0; k < BUILDS; k++) {
        double share = sampled ? (double)p->laps.builds[k].ticks / (double)sampled : 0;
        add(r, k == BUILD_TUPLE ? "building tuples" : "building sets", true,
            (Function){build_names[k], share * (double)built * ms, p->laps.builds[k].calls});
    }
    category(r, engines_category); // also where none has run
    for (int k = 0; k < PROFILE_MOST_ENGINES; k++) {
        const ProfileCount *n = &p->laps.slots[PROFILE_ENGINES + k];
        if (!p->engines[k]) continue;
        add(r, engines_category, false, (Function){p->engines[k], (double)n->ticks * ms, n->calls});
    }
    for (int k = 0; k < TS_STAGES; k++) {
        const ProfileCount *n = &p->laps.slots[PROFILE_STAGE + k];
        add(r, k == TS_STAGE_STORE ? "store" : "other", false,
            (Function){stage_names[k], (double)n->ticks * ms, n->calls});
    }
    category(r, "device"); // none yet
}

static int dearest_function(const void *a, const void *b) {
    double x = ((const Function *)a)->ms, y = ((const Function *)b)->ms;
    return (x < y) - (x > y);
}
static int dearest_category(const void *a, const void *b) {
    double x = ((const Category *)a)->ms, y = ((const Category *)b)->ms;
    return (x < y) - (x > y);
}

static void write_categories(Text *t, Report *r) {
    qsort(r->categories, (size_t)r->count, sizeof *r->categories, dearest_category);
    for (int k = 0; k < r->count; k++) {
        Category *c = &r->categories[k];
        qsort(c->functions, (size_t)c->count, sizeof *c->functions, dearest_function);
        text_print(t, "%s\n  {\"name\": \"%s\", \"ms\": %.3f, \"primitives\": %s, \"functions\": [",
                   k ? "," : "", c->name, c->ms, c->is_primitives ? "true" : "false");
        int most = c->name == engines_category ? c->count : TOP_FUNCTIONS;
        for (int f = 0; f < c->count && f < most; f++)
            text_print(t, "%s{\"name\": \"%s\", \"ms\": %.3f, \"calls\": %llu}", f ? ", " : "",
                       c->functions[f].name, c->functions[f].ms, (unsigned long long)c->functions[f].calls);
        text_add(t, "]}");
    }
}

char *ts_profile_report(ts_profile *p, const char *command) {
    ts_profile_stage(p, p->laps.stage);
    const double core_ms = (core_seconds() - p->core_start) * 1e3;
    double wall_ms = clock_ms() - p->start, ms = wall_ms / (double)(ticks_now() - p->start_ticks);
    Report *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    fill_in(r, p, ms);
    Text t = {0};
    text_add(&t, "{\"command\": ");
    text_json(&t, command);
    text_print(&t, ", \"threads\": %d, \"wall_ms\": %.3f, \"core_ms\": %.3f, \"parts_ms\": %.3f, ",
               p->threads, wall_ms, core_ms, r->parts_ms);
    text_print(&t, "\"primitives_ms\": %.3f,\n \"stages\": [", r->primitives_ms);
    for (int k = 0; k < TS_STAGES; k++)
        text_print(&t, "%s{\"name\": \"%s\", \"ms\": %.3f, \"peak_kb\": %ld}", k ? ", " : "", stage_names[k],
                   (double)p->laps.stage_ticks[k] * ms, p->peak_kb[k]);
    text_add(&t, "],\n \"categories\": [");
    write_categories(&t, r);
    text_add(&t, "],\n \"curve\": [");
    for (size_t k = 0; k < p->point_count; k++)
        text_print(&t, "%s[%.4f, %llu, %llu]", k ? ", " : "", p->points[k].core_seconds,
                   (unsigned long long)p->points[k].solved, (unsigned long long)p->points[k].programs);
    text_add(&t, "],\n \"tasks\": [");
    for (size_t k = 0; k < p->task_count; k++) {
        text_add(&t, k ? ", {\"id\": " : "{\"id\": ");
        text_json(&t, p->tasks[k].id);
        text_print(&t, ", \"ms\": %.4f}", p->tasks[k].ms);
    }
    text_add(&t, "]}\n");
    free(r);
    return text_take(&t);
}
