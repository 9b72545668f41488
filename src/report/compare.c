// Two files of answers held against each other: what was won and what was lost, as a wall and as a table.
//
// A side is a submission or a file of candidates. What it answers to a task, and whether that is right, comes
// from finding.c, as for the other pages.
//
// What tests may rely on: .tile[data-id][data-status=won|lost|both|neither|changed],
// tr[data-id][data-change].
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "search/candidates.h"

#define NAMES \
    { "won", "lost", "both", "neither", "changed" }
static const ReportKinds kinds = {TS_CHANGES, NAMES, NAMES, NAMES};

const char *ts_change_name(ts_change change) { return kinds.names[change]; }

typedef struct {
    ts_pages_options options;
    ReportInput input;
    ts_submission *submission; // NULL: it is a file of candidates
    size_t lacking;            // tasks that the submission does not have
} Side;

// ---- Reading ----

// A file whose first line is an object that names its task is one of candidates; so is one without a line.
static bool is_of_candidates(const Text *file) {
    const char *newline = file->length ? memchr(file->data, '\n', file->length) : NULL;
    const size_t length = newline ? (size_t)(newline - file->data) : file->length;
    TaskJsonError error;
    Text id = {0};
    const bool is =
        !file->length || (candidates_task(file->data, length, &id, &error) && id.data && *id.data);
    text_free(&id);
    return is;
}

static bool read_side(Side *side, const ts_pages_options *o, const char *path, Status *s) {
    Text file = {0};
    side->options = (ts_pages_options){.tasks = o->tasks, .count = o->count};
    side->input = (ReportInput){.options = &side->options};
    bool good = text_read_file(&file, path, s);
    if (good && is_of_candidates(&file)) {
        side->options.candidates = path;
        good = report_read_candidates(&side->input, s);
    } else if (good) {
        ts_submission_part part;
        side->submission =
            ts_submission_read_part_text(path, file.data, file.length, o->tasks, o->count, &part, s);
        good = side->submission;
        side->lacking = part.lacking;
        if (good && part.lacking == o->count)
            good = status_fail(s, TS_INPUT,
                               "'%.300s' is no file of candidates, and as a submission it has none of the "
                               "tasks",
                               path);
        side->options.submission = side->submission;
    }
    text_free(&file);
    return good;
}

static void free_side(Side *side) {
    ts_submission_free(side->submission);
    text_free(&side->input.candidates);
    free(side->input.lines);
}

// ---- A task ----

static bool same_answers(const ReportFinding *a, const ReportFinding *b) {
    for (int test = 0; test < a->task->tests; test++)
        for (int k = 0; k < 2; k++)
            if (!ts_grid_equal(a->tests[test].attempts[k].grid, b->tests[test].attempts[k].grid))
                return false;
    return true;
}

static ts_change change_of(const ReportFinding *a, const ReportFinding *b, bool by_demos) {
    const bool is_told = a->known || by_demos;
    const bool was = is_told && a->status == REPORT_SOLVED, is = is_told && b->status == REPORT_SOLVED;
    if (was != is) return is ? TS_WON : TS_LOST;
    return is ? TS_BOTH : same_answers(a, b) ? TS_NEITHER : TS_CHANGED;
}

static void put_answers(Text *t, const ReportFinding *f) {
    text_add(t, "<td><div class=\"pair\">");
    for (int test = 0; test < f->task->tests; test++)
        for (int k = 0; k < f->tests[test].count && k < 2; k++) {
            const ReportTest *r = &f->tests[test];
            const ts_sample *sample = &f->task->samples[f->task->demos + test];
            if (!r->attempts[k].grid.height) continue;
            text_add(t, "<figure>");
            report_grid(t, r->attempts[k].grid, "attempt", r->known ? &sample->output : NULL);
            text_print(t, "<figcaption>test %d, attempt %d%s</figcaption></figure>", test + 1, k + 1,
                       !r->known              ? ""
                       : r->attempts[k].right ? " ✓"
                                              : " ✗");
        }
    text_add(t, "</div></td>");
}

static void put_row(Text *t, const ReportFinding *a, const ReportFinding *b, ts_change change, size_t k) {
    text_add(t, "<tr data-id=\"");
    report_escape_all(t, a->task->id);
    text_print(t,
               "\" data-change=\"%s\" id=\"task-%zu\" tabindex=\"-1\"><th scope=\"row\"><span class=\"id\">",
               kinds.names[change], k);
    report_escape_all(t, a->task->id);
    text_print(t, "</span></th><td><i class=\"sign %s\"></i>%s</td>", kinds.names[change],
               kinds.words[change]);
    if (change == TS_BOTH || change == TS_NEITHER) text_add(t, "<td></td><td></td>"); // nothing to look at
    else {
        put_answers(t, a);
        put_answers(t, b);
    }
    text_add(t, "</tr>\n");
}

static bool compare_task(const Side side[2], size_t k, Text rows[TS_CHANGES], ts_change *change, Status *s) {
    ReportFinding a = {0}, b = {0};
    const bool by_demos = !side[0].submission && !side[1].submission;
    bool good = report_find(&side[0].input, k, &a, s);
    const bool both = good && report_find(&side[1].input, k, &b, s);
    if (both) {
        *change = change_of(&a, &b, by_demos);
        put_row(&rows[*change], &a, &b, *change, k);
    }
    report_finding_free(&a);
    if (good) report_finding_free(&b);
    return both;
}

// ---- The page ----

// In the table what there is to look at comes first.
static const ts_change table_order[TS_CHANGES] = {TS_WON, TS_LOST, TS_CHANGED, TS_BOTH, TS_NEITHER};

static void put_table(Text *t, const Text rows[TS_CHANGES]) {
    text_add(
        t, "<section id=\"table\" aria-labelledby=\"table-title\">\n<h2 id=\"table-title\">Table</h2>\n<div "
           "class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table><thead><tr><th "
           "scope=\"col\">task</th><th scope=\"col\">change</th><th scope=\"col\">A</th><th "
           "scope=\"col\">B</th></tr></thead><tbody>\n");
    for (int k = 0; k < TS_CHANGES; k++) {
        const Text *some = &rows[table_order[k]];
        text_put(t, some->data ? some->data : "", some->length);
        t->failed |= some->failed;
    }
    text_add(t, "</tbody></table></div>\n</section>\n");
}

static void put_head(Text *t, const char *title, const char *a, const char *b) {
    report_begin(t, title);
    text_add(t,
             "<a class=\"skip\" href=\"#wall\">Skip to the tasks</a>\n<header class=\"top\"><p "
             "class=\"brand\">Tessera</p><nav aria-label=\"Parts of this page\"><a href=\"#wall\">Tasks</a> "
             "<a href=\"#table\">Table</a></nav><button id=\"theme\" type=\"button\">Dark</button></header>\n"
             "<main id=\"main\">\n<section><h1>");
    report_escape_all(t, title);
    text_add(t, "</h1>\n<p>From A, <code>");
    report_escape_all(t, a);
    text_add(t, "</code>, to B, <code>");
    report_escape_all(t, b);
    text_add(t, "</code>.</p>\n<p class=\"soft\">Won: B solves it and A does not. Lost: the other way round. "
                "Changed: neither solves it, and the answers differ.</p>\n");
}

static bool write_comparison(const ts_pages_options *o, const char *a, const char *b,
                             const Text rows[TS_CHANGES], const ts_change *changes, const size_t lacking[2],
                             Status *s) {
    Text t = {0}, picture = {0};
    size_t counts[TS_CHANGES] = {0};
    for (size_t k = 0; k < o->count; k++) counts[changes[k]]++;
    put_head(&t, o->title ? o->title : "Comparison", a, b);
    for (int k = 0; k < 2; k++)
        if (lacking[k])
            text_print(
                &t, "<p class=\"lacking\">%zu of %zu tasks are not in %c: there they are not solved.</p>\n",
                lacking[k], o->count, "AB"[k]);
    report_bar(&t, &kinds, counts, o->count);
    text_add(&t, "</section>\n");
    report_wall_begin(&t, &kinds, counts, o->count, NULL, 0);
    for (size_t k = 0; k < o->count; k++) {
        char href[40];
        snprintf(href, sizeof href, "#task-%zu", k);
        text_clear(&picture);
        if (!report_thumbnail(&picture, o->tasks[k]) || picture.failed) t.failed = true;
        else
            report_picture_tile(&t, o->tasks[k], kinds.names[changes[k]], kinds.words[changes[k]], NULL, href,
                                picture.data);
    }
    report_wall_end(&t);
    put_table(&t, rows);
    text_add(&t, "</main>\n");
    report_end(&t);
    const bool good = report_make_folder(o->folder, s) && report_write(o->folder, "index.html", &t, s);
    text_free(&t);
    text_free(&picture);
    return good;
}

bool ts_compare_write(const ts_pages_options *o, const char *a, const char *b, ts_change *changes,
                      size_t lacking[2], ts_status *status) {
    *status = (ts_status){0};
    Side sides[2] = {0};
    Text rows[TS_CHANGES] = {0};
    bool good = o->count || status_fail(status, TS_USAGE, "there is no task to compare");
    good = good && read_side(&sides[0], o, a, status) && read_side(&sides[1], o, b, status);
    for (size_t k = 0; good && k < o->count; k++) good = compare_task(sides, k, rows, &changes[k], status);
    for (int k = 0; k < 2; k++) lacking[k] = sides[k].lacking;
    good = good && (!o->folder || write_comparison(o, a, b, rows, changes, lacking, status));
    for (int k = 0; k < 2; k++) free_side(&sides[k]);
    for (int k = 0; k < TS_CHANGES; k++) text_free(&rows[k]);
    return good;
}
