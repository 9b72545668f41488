// The first page: how many tasks are right, a tile for each, and where the time went.
#include <stdio.h>
#include <string.h>

#include "report/report.h"

// ---- Tiles ----

void report_tile(ReportSummary *r, const ReportFinding *f, const char *file) {
    const ts_task *task = f->task;
    Text *t = &r->tile;
    r->status = f->status;
    for (int k = 0; k < task->tests; k++) {
        r->outputs += f->tests[k].known;
        r->right += f->tests[k].known && f->tests[k].right;
    }
    if (f->shown >= 0 && f->programs[f->shown].demos_right > 0) r->engine = f->programs[f->shown].engine;
    Text picture = {0};
    if (!report_thumbnail(&picture, task) || picture.failed) t->failed = true;
    else
        report_picture_tile(t, task, report_status_names[f->status], report_status_words(f->status, f->known),
                            r->engine ? r->engine : "none", file, picture.data);
    text_free(&picture);
}

// ---- Above the wall ----

typedef struct {
    size_t of_status[REPORT_STATUSES], outputs, right;
} Sums;

static Sums add_up(const ReportSummary *summaries, size_t count) {
    Sums sums = {0};
    for (size_t k = 0; k < count; k++) {
        sums.of_status[summaries[k].status]++;
        sums.outputs += (size_t)summaries[k].outputs;
        sums.right += (size_t)summaries[k].right;
    }
    return sums;
}

static void put_plural(Text *t, size_t n, const char *what) {
    text_print(t, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void put_head(Text *t, const ReportInput *in) {
    const ts_pages_options *o = in->options;
    text_add(
        t, "<a class=\"skip\" href=\"#wall\">Skip to the tasks</a>\n<header class=\"top\"><p class=\"brand\">"
           "Tessera</p><nav aria-label=\"Parts of this page\"><a href=\"#wall\">Tasks</a> "
           "<a href=\"#time\">Time</a></nav><button id=\"theme\" type=\"button\">Dark</button></header>\n"
           "<main id=\"main\">\n<section class=\"hero\">\n<div><h1>");
    report_escape_all(t, o->title ? o->title : "Report");
    text_add(t, "</h1>\n<p class=\"soft\">");
    put_plural(t, o->count, "task");
    text_add(t, ", ");
    if (in->battery) put_plural(t, ts_programs_count(o->programs), "program");
    if (in->battery && o->candidates) text_add(t, " and ");
    if (o->candidates) text_add(t, "the programs that a search found");
    else if (!in->battery) text_add(t, "no programs");
    text_add(t, o->submission ? ". The attempts are those of a submission.</p>\n"
                              : ". The attempts are the answers that rank first and second.</p>\n");
}

static void put_result(Text *t, const Sums *sums, const ReportKinds *kinds, size_t count) {
    text_print(t, "<p class=\"big\"><strong id=\"solved-count\">%zu</strong> of %zu tasks %s</p>\n",
               sums->of_status[REPORT_SOLVED], count,
               sums->outputs ? "right" : "with a program that is right on all demos");
    report_bar(t, kinds, sums->of_status, count);
    if (sums->outputs)
        text_print(t,
                   "<p id=\"output-count\"><b>%zu of %zu</b> test outputs right, %.2f&nbsp;%%: two attempts "
                   "each, as Kaggle counts.</p>\n",
                   sums->right, sums->outputs, 100.0 * (double)sums->right / (double)sums->outputs);
    text_print(
        t, "<p class=\"soft rule\">%s</p>\n</div>\n",
        sums->outputs
            ? "Right: every test output is right in one of two attempts; where a solution is not known, "
              "a program is right on all demos. Partly: some test output is right, or a program is right "
              "on some demo."
            : "The solutions of the tests are not known here, so nothing says whether the attempts are "
              "right.");
}

// ---- The wall ----

enum { MOST_SOURCES = 64 };

static size_t sources_of(const ReportInput *in, const ReportSummary *summaries,
                         const char *sources[MOST_SOURCES]) {
    size_t n = 0;
    for (size_t k = 0; k < in->options->count; k++) {
        const char *engine = summaries[k].engine;
        size_t at = 0;
        while (engine && at < n && strcmp(sources[at], engine) != 0) at++;
        if (engine && at == n && n < MOST_SOURCES) sources[n++] = engine;
    }
    return n;
}

static ReportKinds kinds_of(const Sums *sums) {
    ReportKinds kinds = {.count = REPORT_STATUSES};
    for (ReportStatus k = 0; k < REPORT_STATUSES; k++) {
        kinds.names[k] = report_status_names[k];
        kinds.words[k] = report_status_words(k, sums->outputs);
        kinds.labels[k] = sums->outputs ? kinds.names[k] : kinds.words[k];
    }
    return kinds;
}

bool report_wall(Text *t, const ReportInput *in, const ReportSummary *summaries, Status *s) {
    const size_t count = in->options->count;
    const Sums sums = add_up(summaries, count);
    const ReportKinds kinds = kinds_of(&sums);
    const char *sources[MOST_SOURCES];
    const size_t source_count = sources_of(in, summaries, sources);
    report_begin(t, in->options->title ? in->options->title : "Report");
    put_head(t, in);
    put_result(t, &sums, &kinds, count);
    text_put(t, in->curve.data ? in->curve.data : "", in->curve.length);
    text_add(t, "</section>\n");
    report_wall_begin(t, &kinds, sums.of_status, count, sources, source_count);
    for (size_t k = 0; k < count; k++) {
        text_put(t, summaries[k].tile.data ? summaries[k].tile.data : "", summaries[k].tile.length);
        t->failed |= summaries[k].tile.failed;
    }
    report_wall_end(t);
    text_put(t, in->timing.data ? in->timing.data : "", in->timing.length);
    text_add(t, "</main>\n");
    report_end(t);
    return !t->failed || status_fail(s, TS_SYSTEM, "not enough memory");
}
