// The page of a task: its samples, the attempts, the program with the value of each line, other programs that
// give the same answer, and what failed.
//
// The values of lines come from a trace of the program on each sample. There is one value for each sample, of
// which the style sheet shows the one that is chosen: the page needs no script for that.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "grid/grid.h"
#include "report/report.h"
#include "show/show.h"

enum {
    MOST_LINES = 60,   // of the program, shown with their values
    MOST_SAMPLES = 10, // as many as the style sheet knows
    MOST_VALUE = 240,  // bytes of a value, a line
    MOST_LINE = 400,
    MOST_TEXT = 20000,   // of a program
    MOST_DRAWN = 600000, // once the page has so many bytes, values come without pictures
    MOST_AGREEING = 8,
    MOST_NEAR = 6, // programs that failed
    MOST_FAR = 3,  // of these where they are right on no demo
};

typedef struct {
    Text *t;
    const ReportFinding *f;
    const ts_task *task;
    bool has_submission, has_programs; // the report, for whatever task
    bool has_playground;
} Sheet;

// "demo 1" or "test 1"
static const char *sample_name(const ts_task *task, int sample, char name[32]) {
    bool is_test = sample >= task->demos;
    snprintf(name, 32, "%s %d", is_test ? "test" : "demo", is_test ? sample - task->demos + 1 : sample + 1);
    return name;
}

static void put_short(Text *t, const char *text, size_t length, size_t most) {
    svg_escape(t, text, utf8_fit(text, length, most));
    if (length > most) text_add(t, " …");
}

// ---- Head and samples ----

static void put_way(Text *t, const ReportInput *in, size_t task, const char *rel, const char *arrow) {
    const ts_pages_options *o = in->options;
    bool is_next = rel[0] == 'n';
    if (is_next ? task + 1 >= o->count : task == 0) return;
    size_t to = is_next ? task + 1 : task - 1;
    text_print(t, "<a rel=\"%s\" href=\"%s\" aria-label=\"%s task, ", rel, in->files[to],
               is_next ? "next" : "previous");
    report_escape_all(t, o->tasks[to]->id);
    text_print(t, "\">%s</a>", arrow);
}

static void put_head(Text *t, const ReportInput *in, size_t task, const ReportFinding *f) {
    report_begin(t, f->task->id);
    text_add(
        t,
        "<a class=\"skip\" href=\"#main\">Skip to the task</a>\n<header class=\"top\"><p class=\"brand\"><a "
        "href=\"index.html\">Tessera</a></p><nav aria-label=\"Tasks\"><a href=\"index.html#wall\">All "
        "tasks</a> ");
    put_way(t, in, task, "prev", "←");
    put_way(t, in, task, "next", "→");
    text_add(t, "</nav><button id=\"theme\" type=\"button\">Dark</button></header>\n<main id=\"main\" "
                "tabindex=\"-1\">\n<h1>");
    report_escape_all(t, f->task->id);
    text_print(t, "</h1>\n<p class=\"status %s\"><i class=\"sign %s\"></i>%s</p>\n",
               report_status_names[f->status], report_status_names[f->status],
               report_status_words(f->status, f->known));
}

static void put_figure(Text *t, ts_grid grid, const char *label, const ts_grid *wanted, const char *caption) {
    text_add(t, "<figure>");
    if (grid.height) report_grid(t, grid, label, wanted);
    else text_print(t, "<p class=\"nothing\" role=\"img\" aria-label=\"%s, not known\">?</p>", label);
    text_print(t, "<figcaption>%s <span class=\"soft\">", caption);
    if (grid.height) text_print(t, "%d × %d", grid.height, grid.width);
    text_add(t, "</span></figcaption></figure>");
}

static void put_samples(const Sheet *s) {
    char name[32], label[64];
    text_add(s->t, "<section aria-labelledby=\"samples\">\n<h2 id=\"samples\">Demos and tests</h2>\n<div "
                   "class=\"samples\">\n");
    for (int k = 0; k < s->task->demos + s->task->tests; k++) {
        const ts_sample *sample = &s->task->samples[k];
        text_print(s->t, "<div class=\"sample%s\" data-sample=\"%d\"><h3>%s</h3><div class=\"pair\">",
                   sample->is_test ? " test" : "", k, sample_name(s->task, k, name));
        snprintf(label, sizeof label, "%s input", name);
        put_figure(s->t, sample->input, label, NULL, "input");
        text_add(s->t, "<span class=\"arrow\" aria-hidden=\"true\">→</span>");
        snprintf(label, sizeof label, "%s output", name);
        put_figure(s->t, sample->has_output ? sample->output : (ts_grid){0}, label, NULL, "output");
        text_add(s->t, "</div></div>\n");
    }
    text_add(s->t, "</div>\n</section>\n");
}

// ---- Attempts ----

static void put_mark(Text *t, bool known, bool right) {
    if (!known) text_add(t, "<span class=\"mark\">not known</span>");
    else if (right) text_add(t, "<span class=\"mark yes\">✓ right</span>");
    else text_add(t, "<span class=\"mark no\">✗ wrong</span>");
}

static void put_difference(Text *t, ts_grid grid, ts_grid wanted) {
    const int cells = ts_grid_off(grid, wanted);
    if (cells < 0) {
        text_print(t, "%d × %d instead of %d × %d", grid.height, grid.width, wanted.height, wanted.width);
        return;
    }
    text_print(t, "%d cell%s differ%s", cells, cells == 1 ? "" : "s", cells == 1 ? "s" : "");
}

// Where it comes from, and its name if it was not made up here.
static void put_who(Text *t, const ReportProgram *p) {
    text_print(t, "<b>%s</b> ", p->engine);
    if (strcmp(p->engine, "pool") != 0) return;
    text_add(t, "<code>");
    report_escape_all(t, p->name);
    text_add(t, "</code> ");
}

static void put_attempt(const Sheet *s, int test, int number) {
    const ts_sample *sample = &s->task->samples[s->task->demos + test];
    const ReportTest *r = &s->f->tests[test];
    const ReportAttempt *a = &r->attempts[number];
    char label[64];
    Text *t = s->t;
    snprintf(label, sizeof label, "test %d attempt %d", test + 1, number + 1);
    text_print(
        t, "<div class=\"attempt\" data-test=\"%d\" data-attempt=\"%d\" data-right=\"%s\"><h4>Attempt %d ",
        test + 1, number + 1,
        !r->known  ? "unknown"
        : a->right ? "yes"
                   : "no",
        number + 1);
    put_mark(t, r->known, a->right);
    text_add(t, "</h4>");
    if (a->grid.height) report_grid(t, a->grid, label, r->known ? &sample->output : NULL);
    text_add(t, "<p class=\"soft\">");
    if (r->known && !a->right) {
        put_difference(t, a->grid, sample->output);
        if (s->has_programs) text_add(t, "; ");
    }
    if (a->program >= 0) {
        put_who(t, &s->f->programs[a->program]);
        if (a->confidence >= 0) text_print(t, "with confidence %.2f", a->confidence);
    } else if (s->has_programs) text_add(t, "no program here gives it");
    text_add(t, "</p></div>\n");
}

static void put_attempts(const Sheet *s) {
    text_add(s->t, "<section aria-labelledby=\"attempts\">\n<h2 id=\"attempts\">Attempts</h2>\n");
    for (int test = 0; test < s->task->tests; test++) {
        const ts_sample *sample = &s->task->samples[s->task->demos + test];
        const ReportTest *r = &s->f->tests[test];
        char label[64];
        text_print(s->t, "<h3>Test %d</h3>\n<div class=\"attempts\">", test + 1);
        snprintf(label, sizeof label, "test %d solution", test + 1);
        if (r->known) {
            text_add(s->t, "<div class=\"solution\"><h4>Solution</h4>");
            report_grid(s->t, sample->output, label, NULL);
            text_add(s->t, "</div>\n");
        }
        for (int k = 0; k < r->count; k++) put_attempt(s, test, k);
        if (!r->count)
            text_add(s->t, s->has_submission
                               ? "<p class=\"soft\">The submission has no attempt at it.</p>"
                               : "<p class=\"soft\">There is no attempt: no program is right on a demo.</p>");
        text_add(s->t, "</div>\n");
    }
    text_add(s->t, "</section>\n");
}

// ---- The program, line by line ----

// Of the last line, the program's result, cells that are not as wanted are marked.
static void put_value(const Sheet *s, Text *t, const ts_trace_line *r, int sample, bool draws) {
    const bool is_last = r->number == r->count;
    char name[32], label[64];
    if (r->failure) {
        text_print(t, "<p class=\"fails\">fails: %s</p>", ts_failure_name(r->failure));
        return;
    }
    bool is_grid = is_last ? ts_value_is_grid(r->value) : svg_is_picture(r->value);
    ts_grid grid = is_grid ? ts_value_grid(r->value) : (ts_grid){0};
    if (is_grid && draws && grid.height > 0 && grid.width > 0 && grid_fits(grid, SHOW_MOST_SIDE)) {
        snprintf(label, sizeof label, "value on %s", sample_name(s->task, sample, name));
        const ts_sample *wanted = &s->task->samples[sample];
        report_grid(t, grid, label, is_last && wanted->has_output ? &wanted->output : NULL);
        if (is_last) put_mark(t, wanted->has_output, ts_grid_equal(grid, wanted->output));
        return;
    }
    char *picture = draws ? ts_svg_value(r->value, s->task->samples[sample].input) : NULL;
    char *text = picture ? NULL : ts_value_print_some(r->value, MOST_VALUE, NULL);
    if (picture) text_add(t, picture);
    else if (text) {
        text_add(t, "<code>");
        svg_escape(t, text, strlen(text));
        text_add(t, "</code>");
    }
    free(picture);
    free(text);
}

static int shown_samples(const ts_task *task) {
    int samples = task->demos + task->tests;
    return samples < MOST_SAMPLES ? samples : MOST_SAMPLES;
}

// The lines while the program is traced on one sample after another.
typedef struct {
    const Sheet *s;
    int sample;
    Text *lines;  // MOST_LINES of them, each with its values
    int count;    // of the program
    size_t drawn; // bytes of the page and of all lines
} Lines;

static bool add_line(void *user, const ts_trace_line *line) {
    Lines *l = user;
    l->count = line->count;
    if (line->number > MOST_LINES) return false;
    Text *t = &l->lines[line->number - 1];
    const size_t before = t->length;
    if (!before) {
        text_print(t, "<li class=\"line\" data-line=\"%d\"><code class=\"step\">", line->number);
        put_short(t, line->text, strlen(line->text), MOST_LINE);
        text_add(t, "</code>");
    }
    text_print(t, "<div class=\"value\" data-sample=\"%d\">", l->sample);
    put_value(l->s, t, line, l->sample, l->drawn < MOST_DRAWN);
    text_add(t, "</div>");
    l->drawn += t->length - before;
    return !t->failed;
}

static bool trace_lines(Lines *l, ts_engine *engine, const char *program) {
    ts_status status;
    const ts_task *task = l->s->task;
    ts_programs *programs = ts_programs_new();
    bool good = programs && ts_programs_add_text(programs, "program", program, strlen(program), true, NULL,
                                                 NULL, &status);
    ts_engine_set_units(engine, REPORT_UNITS);
    for (l->sample = 0; good && l->sample < shown_samples(task); l->sample++) {
        ts_trace(engine, programs, 0, task, task->samples[l->sample].input, NULL, add_line, l);
        good = !ts_engine_starved(engine);
    }
    ts_programs_free(programs);
    return good;
}

static void put_choice(const Sheet *s) {
    char name[32];
    text_add(s->t, "<fieldset class=\"choice\"><legend class=\"unseen\">Show the values on</legend>");
    for (int k = 0; k < shown_samples(s->task); k++)
        text_print(s->t,
                   "<input type=\"radio\" name=\"sample\" id=\"sample-%d\"%s><label "
                   "for=\"sample-%d\">%s</label>\n",
                   k, k ? "" : " checked", k, sample_name(s->task, k, name));
    text_add(s->t, "</fieldset>\n");
}

static bool put_lines(const Sheet *s) {
    Text *t = s->t;
    Lines l = {.s = s, .lines = calloc(MOST_LINES, sizeof *l.lines), .drawn = t->length};
    ts_engine *engine = ts_engine_new();
    bool good = l.lines && engine && trace_lines(&l, engine, s->f->programs[s->f->shown].text);
    text_add(t, "<ol class=\"lines\">\n");
    for (int k = 0; l.lines && k < MOST_LINES; k++) {
        if (l.lines[k].length) text_put(t, l.lines[k].data, l.lines[k].length);
        if (l.lines[k].length) text_add(t, "</li>\n");
        good = good && !l.lines[k].failed;
        text_free(&l.lines[k]);
    }
    text_add(t, "</ol>\n");
    if (l.count > MOST_LINES)
        text_print(t, "<p class=\"soft\">%d more lines are in the text below.</p>\n", l.count - MOST_LINES);
    ts_engine_free(engine);
    free(l.lines);
    return good;
}

// A program's outcome on each sample, as a row of signs.
static void put_outcomes(const Sheet *s, const ReportProgram *p) {
    static const char *const signs[] = {
        [TS_RIGHT] = "✓", [TS_WRONG] = "✗", [TS_UNKNOWN] = "?", [TS_FAILED] = "!"};
    static const char *const words[] = {
        [TS_RIGHT] = "right", [TS_WRONG] = "wrong", [TS_UNKNOWN] = "not known", [TS_FAILED] = "failed"};
    char name[32];
    text_add(s->t, "<span class=\"outcomes\">");
    for (int k = 0; k < s->task->demos + s->task->tests; k++) {
        ts_outcome o = p->outcomes[k].outcome;
        text_print(s->t,
                   "<span class=\"%s\" title=\"%s: %s\"><span class=\"unseen\">%s %s, </span><span "
                   "aria-hidden=\"true\">%s</span></span>",
                   o == TS_RIGHT     ? "yes"
                   : o == TS_UNKNOWN ? "open"
                                     : "no",
                   sample_name(s->task, k, name), words[o], name, words[o], signs[o]);
    }
    text_add(s->t, "</span>");
}

static void put_words(Text *t, const ReportProgram *p) {
    char *words = ts_tell(p->text);
    if (words) {
        text_add(t, "<p class=\"words\">");
        svg_escape(t, words, strlen(words));
        text_add(t, "</p>\n");
    } else t->failed = true;
    free(words);
}

static void put_source(Text *t, const ReportProgram *p) {
    text_add(t, "<pre tabindex=\"0\" role=\"region\" aria-label=\"the program\"><code>");
    put_short(t, p->text, strlen(p->text), MOST_TEXT);
    text_add(t, "</code></pre>");
}

static void put_program_row(const Sheet *s, const ReportProgram *p) {
    put_who(s->t, p);
    text_print(s->t, "<span class=\"soft\">%zu line%s</span> ", p->lines, p->lines == 1 ? "" : "s");
    put_outcomes(s, p);
}

static bool put_program(const Sheet *s) {
    Text *t = s->t;
    const ReportProgram *p = s->f->shown < 0 ? NULL : &s->f->programs[s->f->shown];
    text_print(t,
               "<section aria-labelledby=\"program\">\n<h2 id=\"program\">The %sprogram, line by line</h2>\n",
               p && p->demos_right < s->task->demos ? "nearest " : "");
    if (!p) {
        text_add(t, s->has_programs
                        ? "<p class=\"soft\">No program comes near this task.</p>\n"
                        : "<p class=\"soft\">There are no programs here: <code>--pool P</code> and "
                          "<code>--candidates FILE</code> bring them.</p>\n");
        if (s->has_playground) report_playground_link(t, s->task, NULL);
        text_add(t, "</section>\n");
        return true;
    }
    text_add(t, "<p>");
    put_program_row(s, p);
    text_add(t, "</p>\n");
    put_words(t, p);
    put_choice(s);
    bool good = put_lines(s);
    text_add(t, "<details><summary>The program as text</summary>");
    put_source(t, p);
    text_add(t, "</details>\n");
    if (s->has_playground) report_playground_link(t, s->task, p->text);
    text_add(t, "</section>\n");
    return good;
}

// ---- Other programs ----

// Whether it answers all tests as the program that is shown does.
static bool agrees(const Sheet *s, const ReportProgram *p) {
    const ReportProgram *best = &s->f->programs[s->f->shown];
    for (int k = s->task->demos; k < s->task->demos + s->task->tests; k++) {
        ts_grid a = p->outcomes[k].grid, b = best->outcomes[k].grid;
        if (!a.height || !b.height || !ts_grid_equal(a, b)) return false;
    }
    return true;
}

// Whether what it gives is right wherever that is known.
static bool is_right_on_all(const Sheet *s, const ReportProgram *p) {
    for (int k = 0; k < s->task->demos + s->task->tests; k++)
        if (p->outcomes[k].outcome != TS_RIGHT && p->outcomes[k].outcome != TS_UNKNOWN) return false;
    return true;
}

// Right, but with other answers than the program that is shown: nobody went by it.
static bool is_passed_over(const Sheet *s, const ReportProgram *p) {
    return is_right_on_all(s, p) && !agrees(s, p);
}

static bool is_agreeing(const Sheet *s, const ReportProgram *p) { return p->demos_right && agrees(s, p); }

// The programs for which this holds, but for the one that is shown; how many there are.
static int put_programs(const Sheet *s, bool (*holds)(const Sheet *s, const ReportProgram *p)) {
    int count = 0;
    text_add(s->t, "<ul class=\"programs\">");
    for (size_t k = 0; k < s->f->count; k++) {
        const ReportProgram *p = &s->f->programs[k];
        if ((ptrdiff_t)k == s->f->shown || !holds(s, p) || count++ >= MOST_AGREEING) continue;
        text_print(s->t, "<li class=\"%s\"><details><summary>",
                   holds == is_agreeing ? "agree" : "passed-over");
        put_program_row(s, p);
        text_add(s->t, "</summary>");
        put_words(s->t, p);
        put_source(s->t, p);
        text_add(s->t, "</details></li>\n");
    }
    text_add(s->t, "</ul>\n");
    if (count > MOST_AGREEING) text_print(s->t, "<p class=\"soft\">and %d more</p>\n", count - MOST_AGREEING);
    return count;
}

static void put_agreeing(const Sheet *s) {
    text_add(s->t, "<section aria-labelledby=\"agree\">\n<h2 id=\"agree\">Other programs that agree</h2>\n");
    if (!put_programs(s, is_agreeing))
        text_add(s->t,
                 "<p class=\"soft\">No other program that is right on a demo gives these answers.</p>\n");
    text_add(s->t, "</section>\n");
}

static void put_passed_over(const Sheet *s) {
    bool any = false;
    for (size_t k = 0; k < s->f->count; k++) any |= is_passed_over(s, &s->f->programs[k]);
    if (!any) return;
    text_add(s->t, "<section aria-labelledby=\"passed-over\">\n<h2 id=\"passed-over\">Right, with other "
                   "answers</h2>\n");
    put_programs(s, is_passed_over);
    text_add(s->t, "</section>\n");
}

// The first sample on which it is not right, and what it gave there.
static void put_miss(const Sheet *s, const ReportProgram *p) {
    int k = 0, all = s->task->demos + s->task->tests;
    while (k < all && (p->outcomes[k].outcome == TS_RIGHT || p->outcomes[k].outcome == TS_UNKNOWN)) k++;
    if (k == all) return;
    const ReportOutcome *o = &p->outcomes[k];
    const ts_grid wanted = s->task->samples[k].output;
    char name[32], label[64];
    text_print(s->t, "<p>On %s it ", sample_name(s->task, k, name));
    if (o->outcome == TS_FAILED) {
        text_print(s->t, "fails: %s, in line %d, ", ts_failure_name(o->failure), o->line);
        text_add(s->t, "<code>");
        put_short(s->t, o->step, strlen(o->step), MOST_VALUE);
        text_add(s->t, "</code></p>");
    } else if (!o->grid.height) text_add(s->t, "gives no grid of at most 127 by 127 cells.</p>");
    else {
        text_add(s->t, "is wrong: ");
        put_difference(s->t, o->grid, wanted);
        text_add(s->t, ".</p><div class=\"pair\">");
        snprintf(label, sizeof label, "%s, what it gives", name);
        put_figure(s->t, o->grid, label, &wanted, "given");
        snprintf(label, sizeof label, "%s output", name);
        put_figure(s->t, wanted, label, NULL, "wanted");
        text_add(s->t, "</div>");
    }
}

static bool gives_the_same(const Sheet *s, const ReportProgram *p, const ReportProgram *q) {
    for (int k = 0; k < s->task->demos + s->task->tests; k++) {
        const ReportOutcome *a = &p->outcomes[k], *b = &q->outcomes[k];
        if (a->outcome != b->outcome || a->failure != b->failure || !ts_grid_equal(a->grid, b->grid))
            return false;
    }
    return true;
}

// How many of these programs give the same on all samples as this one.
static int count_like(const Sheet *s, size_t program, size_t from, size_t to) {
    int count = 0;
    for (size_t k = from; k < to; k++)
        count += gives_the_same(s, &s->f->programs[k], &s->f->programs[program]);
    return count;
}

// Programs that are not right everywhere: one for each way to fail.
static void put_failed(const Sheet *s) {
    int count = 0;
    text_add(s->t, "<section aria-labelledby=\"failed\">\n<h2 id=\"failed\">What failed</h2>\n<ul "
                   "class=\"programs columns\">");
    for (size_t k = 0; k < s->f->count && count < MOST_NEAR; k++) {
        const ReportProgram *p = &s->f->programs[k];
        if (is_right_on_all(s, p) || count_like(s, k, 0, k)) continue;
        if (!p->demos_right && count >= MOST_FAR) continue;
        int others = count_like(s, k, k + 1, s->f->count);
        count++;
        text_add(s->t, "<li class=\"near\"><details><summary>");
        put_program_row(s, p);
        text_add(s->t, "</summary>");
        put_words(s->t, p);
        put_source(s->t, p);
        text_add(s->t, "</details>");
        put_miss(s, p);
        if (others)
            text_print(s->t, "<p class=\"soft\">%d other%s the same.</p>", others,
                       others == 1 ? " gives" : "s give");
        text_add(s->t, "</li>\n");
    }
    text_add(s->t, "</ul>\n");
    if (!count) text_add(s->t, "<p class=\"soft\">Nothing else came near.</p>\n");
    text_add(s->t, "</section>\n");
}

// ---- All of it ----

bool report_sheet(Text *t, const ReportInput *in, size_t task, const ReportFinding *f, Status *status) {
    const Sheet s = {t,
                     f,
                     f->task,
                     in->options->submission,
                     in->battery || in->options->candidates,
                     in->options->playground};
    put_head(t, in, task, f);
    put_samples(&s);
    put_attempts(&s);
    bool good = put_program(&s);
    if (f->shown >= 0) {
        put_agreeing(&s);
        put_passed_over(&s);
    }
    if (s.has_programs) put_failed(&s);
    text_add(t, "</main>\n");
    report_end(t);
    return (good && !t->failed) || status_fail(status, TS_SYSTEM, "not enough memory");
}
