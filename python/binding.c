// What the package adds to tessera.h: work that can be watched and stopped without Python's lock, many texts read or
// judged in one call, and what a pool or a trace visits, collected. Declared a second time, for cffi, in binding.py.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera.h>

// What a run says of itself, read by the thread that waits for it; `stop` goes the other way.
typedef struct watch {
    ts_stop stop;
    volatile size_t done, all, solved, correct;
    volatile uint64_t tried, growth;
    volatile double left; // seconds; below zero where it is not known
    ts_live *live;        // the page that is renewed meanwhile, or NULL
    ts_status trouble;    // the first with that page
    const ts_iterate *loop;
    const char *pool; // the file of the loop's
    double budget;
} watch;

// A page that cannot be written is no reason to end the work.
static void keep_trouble(watch *w, bool good, const ts_status *status) {
    if (!good && !w->trouble.code) w->trouble = *status;
}

static bool watch_battery(void *user, size_t done, size_t all) {
    watch *w = user;
    w->all = all;
    w->done = done;
    return !ts_stop_is_set(&w->stop);
}

static void watch_solver(void *user, const ts_solver_progress *p) {
    watch *w = user;
    w->all = p->tasks;
    w->done = p->done;
    w->solved = p->solved;
    w->tried = p->tried;
    w->left = p->left;
    ts_status status;
    keep_trouble(w, ts_live_watch_solver(w->live, p, &status), &status);
}

static bool watch_iterate(void *user, const ts_iterate_counts *c) {
    watch *w = user;
    w->done = c->rounds;
    w->solved = c->solved;
    w->correct = c->correct;
    w->tried = c->tried;
    w->growth = c->grown;
    ts_status status;
    keep_trouble(w, ts_live_watch_iterate(w->live, w->loop, w->pool, w->all, w->budget, false, &status), &status);
    return !ts_stop_is_set(&w->stop);
}

// Reads texts, each ending where ends[k] says, until one has a problem. Returns how many were read without any.
// counts[k] gets the number of programs in the set after text k.
static size_t add_texts(ts_programs *set, const char *name, const char *texts, const size_t *ends, size_t count,
                        bool strict, ts_report *report, void *user, uint32_t *counts, ts_status *status) {
    for (size_t k = 0, start = 0; k < count; start = ends[k++]) {
        bool good = ts_programs_add_text(set, name, texts + start, ends[k] - start, strict, report, user, status);
        counts[k] = (uint32_t)ts_programs_count(set);
        if (!good) return k;
    }
    return count;
}

// What a judge said of one text; its outcomes, as the battery gives them, stand apart.
typedef struct verdict {
    int64_t score;
    uint64_t units;
    int32_t demos_right, tests_right;
    int32_t line;  // that failed, on the first sample on which one did; 0: none
    bool readable; // else all is 0
} verdict;

// By sample: an outcome as the battery gives it, the line that failed, the points of a demo. A row of `width` for each text.
typedef struct verdict_rows {
    uint8_t *outcomes;
    int32_t *lines;
    int16_t *scores;
    size_t width;
} verdict_rows;

// Judges the texts that end where ends[k] says, one for each task.
static bool judge_texts(ts_judge *judge, const ts_task *const *tasks, const char *texts, const size_t *ends,
                        size_t count, verdict *verdicts, const verdict_rows *rows, ts_status *status) {
    ts_judge_item *items = malloc((count + 1) * sizeof *items);
    status->code = TS_SYSTEM;
    snprintf(status->message, sizeof status->message, "not enough memory to judge");
    if (!items) return false;
    for (size_t k = 0, start = 0; k < count; start = ends[k++])
        items[k] = (ts_judge_item){.task = tasks[k], .text = texts + start, .length = ends[k] - start};
    bool good = ts_judge_run(judge, items, count, status);
    for (size_t k = 0; good && k < count; k++) {
        ts_verdict v = ts_judge_at(judge, k);
        verdicts[k] = (verdict){.readable = !v.problem};
        if (v.problem) continue;
        verdicts[k].score = v.score;
        verdicts[k].units = v.units;
        verdicts[k].demos_right = v.demos_right;
        verdicts[k].tests_right = v.tests_right;
        for (int n = 0; n < v.demos + v.tests; n++) {
            const ts_verdict_sample *s = &v.samples[n];
            const size_t place = k * rows->width + (size_t)n;
            rows->outcomes[place] = (uint8_t)(s->outcome | s->failure << 3);
            rows->lines[place] = s->line;
            rows->scores[place] = (int16_t)s->score;
            if (!verdicts[k].line) verdicts[k].line = s->line;
        }
    }
    free(items);
    return good;
}

// What a pool has for tasks, or the scores of a program; a copy, with the ids.
typedef struct row {
    ts_pool_task task;
    ts_pool_score score;
} row;

typedef struct rows {
    row *rows;
    size_t count, room;
    bool failed; // for want of memory
} rows;

static void keep_row(rows *r, row row) {
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        void *more = realloc(r->rows, room * sizeof row);
        if (!more) r->failed = true;
        if (!more) return;
        r->rows = more;
        r->room = room;
    }
    row.task.id = strdup(row.task.id);
    if (row.task.id) r->rows[r->count++] = row;
    else r->failed = true;
}

static void keep_task(void *user, const ts_pool_task *task) { keep_row(user, (row){.task = *task}); }

static void keep_score(void *user, const char *task, const ts_pool_score *score) {
    keep_row(user, (row){.task.id = task, .score = *score});
}

static void free_rows(rows *r) {
    for (size_t k = 0; k < r->count; k++) free((char *)r->rows[k].task.id);
    free(r->rows);
}

// The lines of a trace; a copy, with the texts.
typedef struct traced {
    ts_trace_line *lines;
    size_t count, room;
    bool failed; // for want of memory
} traced;

static bool keep_line(void *user, const ts_trace_line *line) {
    traced *t = user;
    if (t->count == t->room) {
        size_t room = t->room ? 2 * t->room : 64;
        void *more = realloc(t->lines, room * sizeof *t->lines);
        if (more) t->lines = more;
        if (more) t->room = room;
    }
    char *text = t->count < t->room ? strdup(line->text) : NULL;
    t->failed = !text;
    if (!text) return false;
    t->lines[t->count] = *line;
    t->lines[t->count++].text = text;
    return true;
}

static void free_traced(traced *t) {
    for (size_t k = 0; k < t->count; k++) free((char *)t->lines[k].text);
    free(t->lines);
}
