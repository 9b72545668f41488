// The first page while the work goes on: solved tasks against time, the newest programs with what they do,
// the wall.
//
// Workload: a renewal every two seconds at most for up to some thousand tasks, beside a search that wants all
// processors. The pictures of tiles are made once, when it is opened; a program is run and told when it is
// among the newest that are shown, once. What all of it takes of a processor is counted, and a renewal waits
// until the hundredth part of the process's time has room for one like the last, and for one at the end. A
// page is written beside its place and renamed.
//
// What tests may rely on: main[data-live] where it reloads; #solved-count, #left, #curve, .fresh[data-id].
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "report/report.h"

enum { EVERY_MS = 2000, NEWEST = 6, MOST_POINTS = 1024, MOST_SHOWN = 20000, LIVE_UNITS = 2 * 1000 * 1000 };
static const double MOST_PART = 0.009; // of the process's time: below the hundredth that is promised

typedef struct {
    char *picture;
    const char *engine; // NULL: not solved
} Tile;

// One of the newest programs: its text until it is shown for the first time, from then on the part of the
// page.
typedef struct {
    size_t task;
    char *program;
    Text part;
} Fresh;

struct ts_live {
    char *folder, *title;
    const ts_task *const *tasks;
    size_t count;
    Tile *tiles;
    Fresh fresh[NEWEST]; // the newest first
    size_t fresh_count;
    ReportPoint points[MOST_POINTS];
    size_t point_count;
    ts_live_point now;
    double renewed;     // ms by the clock
    double spent, last; // ms of a processor, for all of it and for the last renewal
};

static double process_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// ---- The newest programs ----

static void put_answer(Text *t, const ts_task *task, const char *program) {
    ts_status s;
    ts_engine *engine = ts_engine_new();
    ts_programs *set = ts_programs_new();
    const bool good =
        engine && set && ts_programs_add_text(set, "live", program, strlen(program), true, NULL, NULL, &s);
    if (good) ts_engine_set_units(engine, LIVE_UNITS);
    const ts_result r = good && task->tests ? ts_run_sample(engine, set, 0, task, task->demos)
                                            : (ts_result){.failure = TS_FAIL_TYPE};
    if (!r.failure && ts_value_is_grid(r.value)) {
        const ts_grid g = ts_value_grid(r.value);
        text_add(t, "<div class=\"pair\"><figure>");
        report_grid(t, task->samples[task->demos].input, "test 1 input", NULL);
        text_add(t, "<figcaption>test 1</figcaption></figure><span class=\"arrow\" "
                    "aria-hidden=\"true\">→</span><figure>");
        if (g.height > 0 && g.width > 0 && g.height <= 30 && g.width <= 30)
            report_grid(t, g, "its answer to test 1", NULL);
        text_add(t, "<figcaption>its answer</figcaption></figure></div>\n");
    }
    ts_programs_free(set);
    ts_engine_free(engine);
}

static void put_fresh(const ts_live *l, Fresh *f) {
    const ts_task *task = l->tasks[f->task];
    Text *t = &f->part;
    char *words = ts_tell(f->program);
    text_add(t, "<li class=\"fresh\" data-id=\"");
    report_escape_all(t, task->id);
    text_print(t, "\" id=\"fresh-%zu\" tabindex=\"-1\"><h3><span class=\"id\">", f->task);
    report_escape_all(t, task->id);
    text_print(t, "</span> <span class=\"soft\">%s</span></h3>\n<div class=\"pair\"><figure>",
               l->tiles[f->task].engine);
    report_grid(t, task->samples[0].input, "demo 1 input", NULL);
    text_add(t, "<figcaption>demo 1</figcaption></figure><span class=\"arrow\" "
                "aria-hidden=\"true\">→</span><figure>");
    report_grid(t, task->samples[0].output, "demo 1 output", NULL);
    text_add(t, "<figcaption>output</figcaption></figure></div>\n");
    put_answer(t, task, f->program);
    text_add(t, "<p class=\"words\">");
    if (words) report_escape_all(t, words);
    text_add(t, "</p>\n<details><summary>The program as text</summary><pre tabindex=\"0\"><code>");
    if (strlen(f->program) < MOST_SHOWN) report_escape_all(t, f->program);
    text_add(t, "</code></pre></details></li>\n");
    free(words);
    free(f->program);
    f->program = NULL;
}

void ts_live_solved(ts_live *l, size_t task, const char *engine, const char *program) {
    if (!l || task >= l->count) return;
    l->tiles[task].engine = engine;
    char *copy = program ? strdup(program) : NULL;
    if (!copy) return;
    if (l->fresh_count == NEWEST) {
        free(l->fresh[NEWEST - 1].program);
        text_free(&l->fresh[NEWEST - 1].part);
    } else l->fresh_count++;
    memmove(l->fresh + 1, l->fresh, (l->fresh_count - 1) * sizeof *l->fresh);
    l->fresh[0] = (Fresh){.task = task, .program = copy};
}

// ---- The page ----

static const ReportKinds running = {
    2, {"solved", "not"}, {"all demos right", "not yet"}, {"solved", "not yet"}};
static const ReportKinds ended = {3,
                                  {"solved", "partly", "not"},
                                  {"right", "all demos or some test right", "not right"},
                                  {"solved", "partly", "not"}};

// What is said of a task: by its submission where the solution is known, else whether a program fits.
static size_t kind_of(const ts_live *l, size_t k, const ts_submission *submission) {
    const ts_task *task = l->tasks[k];
    const bool fits = l->tiles[k].engine;
    if (!submission) return fits ? 0 : 1;
    int known = 0, right = 0;
    for (int test = 0; test < task->tests; test++) {
        const ts_sample *sample = &task->samples[task->demos + test];
        known += sample->has_output;
        bool is_right = false;
        for (int m = 0; m < 2 && sample->has_output; m++)
            is_right |= ts_grid_equal(ts_submission_at(submission, k, test, m), sample->output);
        right += is_right;
    }
    if (right == known && (known == task->tests || fits)) return 0;
    return fits || right ? 1 : 2;
}

static void put_time(Text *t, double seconds) {
    const long n = (long)seconds;
    if (n >= 3600) text_print(t, "%ld&nbsp;h %02ld&nbsp;min", n / 3600, n / 60 % 60);
    else if (n >= 60) text_print(t, "%ld&nbsp;min %02ld&nbsp;s", n / 60, n % 60);
    else text_print(t, "%.0f&nbsp;s", seconds);
}

static void put_state(const ts_live *l, Text *t, bool is_last) {
    text_add(t, "<p id=\"left\">");
    if (is_last) text_add(t, "Ended after ");
    else if (l->now.left >= 0) {
        text_add(t, "<b>");
        put_time(t, l->now.left);
        text_add(t, "</b> left, after ");
    } else text_add(t, "Under way for ");
    put_time(t, l->now.seconds);
    text_print(t, "; %.0f programs tried.</p>\n", l->now.tried);
    if (!is_last)
        text_add(t, "<p id=\"stale\" role=\"status\" hidden>This page has not been renewed for some time: "
                    "the run may have ended without a word.</p>\n");
}

// Whether its program is among the newest.
static bool is_shown(const ts_live *l, size_t task) {
    for (size_t k = 0; k < l->fresh_count; k++)
        if (l->fresh[k].task == task) return true;
    return false;
}

static void put_page(ts_live *l, Text *t, const ts_submission *submission, bool is_last) {
    const ReportKinds *kinds = submission ? &ended : &running;
    size_t counts[REPORT_MOST_KINDS] = {0};
    for (size_t k = 0; k < l->count; k++) counts[kind_of(l, k, submission)]++;
    report_begin(t, l->title);
    text_add(t, "<a class=\"skip\" href=\"#wall\">Skip to the tasks</a>\n<header class=\"top\"><p "
                "class=\"brand\">Tessera</p><nav aria-label=\"Parts of this page\"><a "
                "href=\"#fresh\">Newest</a> <a href=\"#wall\">Tasks</a></nav><button id=\"theme\" "
                "type=\"button\">Dark</button></header>\n<main id=\"main\"");
    if (!is_last) text_print(t, " data-live=\"%d\" data-written=\"%lld\"", EVERY_MS, (long long)time(NULL));
    text_add(t, ">\n<section class=\"hero\">\n<div><h1>");
    report_escape_all(t, l->title);
    text_print(t, "</h1>\n<p class=\"big\"><strong id=\"solved-count\">%zu</strong> of %zu tasks %s</p>\n",
               counts[0], l->count,
               submission ? "right" : "solved: with a program that is right on all demos");
    report_bar(t, kinds, counts, l->count);
    put_state(l, t, is_last);
    if (l->now.correct) text_print(t, "<p>%zu of them are right on the tests, too.</p>\n", l->now.correct);
    text_add(t, "</div>\n<figure id=\"curve\"><figcaption><h2>Solved against seconds</h2></figcaption>\n");
    report_curve(t, l->points, l->point_count, "seconds");
    text_add(t, "</figure>\n</section>\n<section id=\"fresh\" aria-labelledby=\"fresh-title\">\n<h2 "
                "id=\"fresh-title\">The newest programs</h2>\n");
    if (!l->fresh_count) text_add(t, "<p class=\"soft\">There is none so far.</p>\n");
    text_add(t, "<ul class=\"programs columns\">\n");
    for (size_t k = 0; k < l->fresh_count; k++) {
        if (l->fresh[k].program) put_fresh(l, &l->fresh[k]);
        if (l->fresh[k].part.length) text_put(t, l->fresh[k].part.data, l->fresh[k].part.length);
    }
    text_add(t, "</ul>\n</section>\n");
    report_wall_begin(t, kinds, counts, l->count, NULL, 0);
    for (size_t k = 0; k < l->count; k++) {
        const size_t kind = kind_of(l, k, submission);
        char href[40];
        snprintf(href, sizeof href, "#fresh-%zu", k);
        report_picture_tile(t, l->tasks[k], kinds->names[kind], kinds->words[kind], NULL,
                            is_shown(l, k) ? href : NULL, l->tiles[k].picture);
    }
    report_wall_end(t);
    text_add(t, "</main>\n");
    report_end(t);
}

static bool write_live(ts_live *l, const ts_submission *submission, bool is_last, Status *s) {
    const double before = clock_thread_ms();
    Text page = {0};
    put_page(l, &page, submission, is_last);
    const bool good = report_write(l->folder, "index.html", &page, s);
    text_free(&page);
    l->renewed = clock_ms();
    l->last = clock_thread_ms() - before;
    l->spent += l->last;
    return good;
}

// ---- From the beginning to the end ----

static void free_live(ts_live *l) {
    for (size_t k = 0; k < l->fresh_count; k++) {
        free(l->fresh[k].program);
        text_free(&l->fresh[k].part);
    }
    for (size_t k = 0; l->tiles && k < l->count; k++) free(l->tiles[k].picture);
    free(l->tiles);
    free(l->title);
    free(l->folder);
    free(l);
}

static bool make_tiles(ts_live *l) {
    l->tiles = calloc(l->count + 1, sizeof *l->tiles);
    bool good = l->tiles && l->folder && l->title;
    for (size_t k = 0; good && k < l->count; k++) {
        Text t = {0};
        good = report_thumbnail(&t, l->tasks[k]);
        l->tiles[k].picture = text_take(&t);
        good = good && l->tiles[k].picture;
    }
    return good;
}

ts_live *ts_live_open(const char *folder, const char *title, const ts_task *const *tasks, size_t count,
                      ts_status *status) {
    *status = (ts_status){0};
    const double before = clock_thread_ms();
    ts_live *l = report_make_folder(folder, status) ? calloc(1, sizeof *l) : NULL;
    if (!l) {
        if (!status->message[0]) status_fail(status, TS_SYSTEM, "not enough memory");
        return NULL;
    }
    l->folder = strdup(folder);
    l->title = strdup(title ? title : "Report");
    l->tasks = tasks;
    l->count = count;
    l->now.left = -1;
    bool good = make_tiles(l) || status_fail(status, TS_SYSTEM, "not enough memory");
    l->spent = clock_thread_ms() - before;
    if (good && write_live(l, NULL, false, status)) return l;
    free_live(l);
    return NULL;
}

static void add_point(ts_live *l, const ts_live_point *now) {
    const ReportPoint p = {now->seconds, (double)now->solved, now->tried};
    l->now = *now;
    if (l->point_count == MOST_POINTS) { // every other one goes
        for (size_t k = 0; k < MOST_POINTS / 2; k++) l->points[k] = l->points[2 * k];
        l->point_count /= 2;
    }
    // Where nothing was solved the last point moves on.
    if (l->point_count > 1 && l->points[l->point_count - 1].solved == p.solved &&
        l->points[l->point_count - 2].solved == p.solved)
        l->point_count--;
    l->points[l->point_count++] = p;
}

static bool is_due(const ts_live *l) {
    return clock_ms() - l->renewed >= EVERY_MS && l->spent + 2 * l->last <= MOST_PART * process_ms();
}

bool ts_live_renew(ts_live *l, const ts_live_point *now, ts_status *status) {
    *status = (ts_status){0};
    if (!l) return true;
    add_point(l, now);
    if (!is_due(l)) return true;
    return write_live(l, NULL, false, status);
}

// ---- From solve and iterate ----

bool ts_live_watch_solver(ts_live *l, const ts_solver_progress *p, ts_status *status) {
    for (size_t k = 0; k < p->news_count; k++)
        ts_live_solved(l, p->news[k].task, p->news[k].engine, p->news[k].program);
    const ts_live_point now = {
        .solved = p->solved, .seconds = p->seconds, .left = p->left, .tried = (double)p->tried};
    return ts_live_renew(l, &now, status);
}

// The program of the pool that is most to be trusted with a task.
static void tell_of(ts_live *l, size_t task, ts_pool *pool) {
    ts_status s;
    ts_pool_view view = {0};
    const ts_pool_query query = {.task = l->tasks[task]->id, .solved = true, .best_first = true, .limit = 1};
    const bool good = pool && ts_pool_load(pool, &query, &view, &s) &&
                      ts_pool_read(pool, &view, NULL, 0, NULL, NULL, &s) && view.programs &&
                      ts_programs_count(view.programs) > 0;
    char *text = good ? ts_programs_print(view.programs, 0) : NULL;
    ts_live_solved(l, task, "pool", text);
    free(text);
    ts_pool_view_free(&view);
}

// Tells of tasks that the page does not have as solved. What the pool has at the start is told of as well.
// The loop has the pool to itself, so this is another look at the same file: one for all of them, since to
// open it takes longer than all else.
static void tell_news(ts_live *l, const ts_iterate *loop, const char *path) {
    ts_status s;
    size_t news = 0;
    for (size_t k = 0; k < l->count; k++) news += !l->tiles[k].engine && ts_iterate_at(loop, k).winners;
    ts_pool *pool = news ? ts_pool_open(path, TS_POOL_READ, &s) : NULL;
    for (size_t k = 0; news && k < l->count; k++) {
        if (l->tiles[k].engine || !ts_iterate_at(loop, k).winners) continue;
        if (news-- <= NEWEST) tell_of(l, k, pool);
        else ts_live_solved(l, k, "pool", NULL);
    }
    ts_pool_close(pool);
}

bool ts_live_watch_iterate(ts_live *l, const ts_iterate *loop, const char *pool, uint64_t rounds,
                           double seconds, bool has_ended, ts_status *status) {
    *status = (ts_status){0};
    if (!l) return true;
    const bool renews = !has_ended && is_due(l);
    const double before = clock_thread_ms();
    if (has_ended || renews) tell_news(l, loop, pool);
    const double telling = clock_thread_ms() - before;
    l->spent += telling;
    const ts_iterate_counts c = ts_iterate_count(loop);
    const double by_rounds = rounds && c.rounds ? c.seconds * ((double)rounds / (double)c.rounds - 1) : -1;
    const double by_clock = seconds > c.seconds ? seconds - c.seconds : -1;
    const bool sooner = by_clock >= 0 && by_clock < by_rounds;
    add_point(l, &(ts_live_point){.solved = c.solved,
                                  .correct = c.correct,
                                  .seconds = c.seconds,
                                  .left = by_rounds < 0 || sooner ? by_clock : by_rounds,
                                  .tried = (double)c.tried + (double)c.grown});
    if (!renews) return true; // the last page comes with the end
    const bool good = write_live(l, NULL, false, status);
    l->last += telling;
    return good;
}

bool ts_live_close(ts_live *l, const ts_submission *submission, ts_status *status) {
    *status = (ts_status){0};
    if (!l) return true;
    if (submission && !ts_submission_score(submission).outputs) submission = NULL;
    const bool good = write_live(l, submission, true, status);
    free_live(l);
    return good;
}
