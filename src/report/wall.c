// The first page: how many tasks are right, a tile for each, and where the time went.
#include <stdio.h>
#include <string.h>

#include "report/report.h"

// ---- Tiles ----

void report_tile(ReportSummary *r, const ReportFinding *f, const char *file) {
    const ts_task *task = f->task;
    const ts_sample *first = &task->samples[0];
    Text *t = &r->tile;
    r->status = f->status;
    for (int k = 0; k < task->tests; k++) {
        r->outputs += f->tests[k].known;
        r->right += f->tests[k].known && f->tests[k].right;
    }
    if (f->shown >= 0 && f->programs[f->shown].demos_right > 0) r->engine = f->programs[f->shown].engine;
    text_add(t, "<li class=\"tile\" data-id=\"");
    report_escape_all(t, task->id);
    text_print(t, "\" data-status=\"%s\" data-source=\"%s\"><a href=\"%s\"><img loading=\"lazy\" alt=\"",
               report_status_names[f->status], r->engine ? r->engine : "none", file);
    text_print(t, "demo 1: %d by %d cells to %d by %d\" src=\"", first->input.height, first->input.width,
               first->output.height, first->output.width);
    if (!report_thumbnail(t, task)) t->failed = true;
    text_print(t, "\"><span class=\"id\"><i class=\"sign %s\"></i>", report_status_names[f->status]);
    report_escape_all(t, task->id);
    text_print(t, "<span class=\"unseen\">, %s</span></span></a></li>\n",
               report_status_words(f->status, f->known));
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

static void put_bar(Text *t, const Sums *sums, size_t count) {
    text_add(t, "<p class=\"bar\" aria-hidden=\"true\">");
    for (ReportStatus k = 0; k < REPORT_STATUSES; k++)
        if (sums->of_status[k])
            text_print(t, "<span class=\"%s\" style=\"width:%.3f%%\"></span>", report_status_names[k],
                       100.0 * (double)sums->of_status[k] / (double)count);
    text_add(t, "</p>\n<ul class=\"legend\">");
    for (ReportStatus k = 0; k < REPORT_STATUSES; k++)
        text_print(t, "<li><i class=\"sign %s\"></i>%zu %s</li>", report_status_names[k], sums->of_status[k],
                   report_status_words(k, sums->outputs));
    text_add(t, "</ul>\n");
}

static void put_result(Text *t, const Sums *sums, size_t count) {
    text_print(t, "<p class=\"big\"><strong id=\"solved-count\">%zu</strong> of %zu tasks %s</p>\n",
               sums->of_status[REPORT_SOLVED], count,
               sums->outputs ? "right" : "with a program that is right on all demos");
    put_bar(t, sums, count);
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

static void put_filters(Text *t, const ReportInput *in, const ReportSummary *summaries, const Sums *sums) {
    const char *sources[MOST_SOURCES];
    size_t n = sources_of(in, summaries, sources);
    text_print(
        t,
        "<form class=\"filters\" role=\"search\" aria-label=\"Tasks\"><fieldset><legend class=\"unseen\">Show"
        "</legend><input type=\"radio\" name=\"status\" id=\"filter-all\" value=\"\" checked><label "
        "for=\"filter-all\">all <span>%zu</span></label>",
        in->options->count);
    for (ReportStatus k = 0; k < REPORT_STATUSES; k++) {
        const char *name = report_status_names[k];
        text_print(t,
                   "<input type=\"radio\" name=\"status\" id=\"filter-%s\" value=\"%s\"><label "
                   "for=\"filter-%s\"><i class=\"sign %s\"></i>%s <span>%zu</span></label>",
                   name, name, name, name, sums->outputs ? name : report_status_words(k, false),
                   sums->of_status[k]);
    }
    text_add(
        t, "</fieldset>\n<label class=\"field\"><span class=\"unseen\">Find a task by its id</span><input "
           "type=\"search\" id=\"search\" name=\"find\" placeholder=\"Find an id   /\" autocomplete=\"off\" "
           "spellcheck=\"false\"></label>\n");
    if (n > 1) {
        text_add(t,
                 "<label class=\"field\"><span>found by</span><select id=\"source\" name=\"source\"><option "
                 "value=\"\">any</option>");
        for (size_t k = 0; k < n; k++) text_print(t, "<option>%s</option>", sources[k]);
        text_add(t, "</select></label>\n");
    }
    text_print(
        t,
        "<label class=\"field\"><span>order</span><select id=\"sort\" name=\"sort\"><option value=\"\">as "
        "given</option><option value=\"id\">id</option><option value=\"solved\">%s first</option>"
        "<option value=\"not\">%s first</option></select></label>\n</form>\n",
        report_status_words(REPORT_SOLVED, sums->outputs), report_status_words(REPORT_NOT, sums->outputs));
}

bool report_wall(Text *t, const ReportInput *in, const ReportSummary *summaries, Status *s) {
    const size_t count = in->options->count;
    const Sums sums = add_up(summaries, count);
    report_begin(t, in->options->title ? in->options->title : "Report");
    put_head(t, in);
    put_result(t, &sums, count);
    text_put(t, in->curve.data ? in->curve.data : "", in->curve.length);
    text_print(
        t,
        "</section>\n<section id=\"wall\" aria-labelledby=\"wall-title\" tabindex=\"-1\">\n<div "
        "class=\"heading\"><h2 id=\"wall-title\">Tasks</h2><p id=\"shown\" aria-live=\"polite\">%zu of %zu "
        "shown</p></div>\n",
        count, count);
    put_filters(t, in, summaries, &sums);
    text_add(t, "<p id=\"none\" hidden>No task is like that.</p>\n<ul class=\"tiles\">\n");
    for (size_t k = 0; k < count; k++) {
        text_put(t, summaries[k].tile.data ? summaries[k].tile.data : "", summaries[k].tile.length);
        t->failed |= summaries[k].tile.failed;
    }
    text_add(t, "</ul>\n</section>\n");
    text_put(t, in->timing.data ? in->timing.data : "", in->timing.length);
    text_add(t, "</main>\n");
    report_end(t);
    return !t->failed || status_fail(s, TS_SYSTEM, "not enough memory");
}
