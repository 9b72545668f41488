// What a profile says, for the first page: solved tasks against core-seconds, programs per second, and where
// the time went, by stage and by category with its top functions.
//
// The profile is the JSON that --profile of a command writes (src/profile/profile_report.c). The curve is in
// that of `tessera solve`: "curve": [[core-seconds, solved, programs], …].
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/table.h"
#include "report/report.h"

// ---- Numbers for people ----

static void put_seconds(Text *t, double ms) {
    if (ms >= 60e3) text_print(t, "%.0f&nbsp;min %02.0f&nbsp;s", floor(ms / 60e3), floor(fmod(ms / 1e3, 60)));
    else if (ms >= 1e3) text_print(t, "%.2f&nbsp;s", ms / 1e3);
    else text_print(t, ms >= 10 ? "%.0f&nbsp;ms" : "%.2f&nbsp;ms", ms);
}

static void put_count(Text *t, double n) {
    if (n >= 1e6) text_print(t, "%.3g million", n / 1e6);
    else if (n >= 1e4) text_print(t, "%.3g thousand", n / 1e3);
    else text_print(t, "%.0f", n);
}

// ---- The curve ----

enum { LEFT = 44, RIGHT = 560, TOP = 12, BOTTOM = 220, TICKS = 5 };

static ReportPoint point_at(yajl_val v) {
    if (!v || !YAJL_IS_ARRAY(v) || YAJL_GET_ARRAY(v)->len < 3) return (ReportPoint){0};
    yajl_val *n = YAJL_GET_ARRAY(v)->values;
    return (ReportPoint){tree_as_number(n[0]), tree_as_number(n[1]), tree_as_number(n[2])};
}

// A round step of which some TICKS make up the whole.
static double round_step(double whole) {
    double raw = whole / TICKS, power = pow(10, floor(log10(raw)));
    double digit = raw / power;
    return power * (digit > 5 ? 10 : digit > 2 ? 5 : digit > 1 ? 2 : 1);
}

static double x_of(double seconds, ReportPoint last) {
    return LEFT + (RIGHT - LEFT) * seconds / last.seconds;
}
static double y_of(double solved, ReportPoint last) { return BOTTOM - (BOTTOM - TOP) * solved / last.solved; }

static void put_axes(Text *t, ReportPoint last, const char *unit) {
    double step = round_step(last.solved);
    if (step < 1) step = 1;
    for (int k = 0; k <= 2 * TICKS && k * step <= last.solved; k++) {
        double n = k * step, y = y_of(n, last);
        text_print(t,
                   "<path class=\"axis\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                   "text-anchor=\"end\">%.0f</text>",
                   LEFT, y, RIGHT, LEFT - 8, y + 4, n);
    }
    step = round_step(last.seconds);
    for (int k = 0; k <= 2 * TICKS && k * step <= last.seconds; k++)
        text_print(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>", x_of(k * step, last),
                   BOTTOM + 20, k * step);
    text_print(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", RIGHT, BOTTOM + 40, unit);
}

// What a run that was taken up again began with is not its own work.
static void put_rate(Text *t, yajl_val profile, double programs, double seconds) {
    double wall = tree_number(profile, "wall_ms") / 1e3;
    text_add(t, "<p id=\"rate\"><b>");
    put_count(t, programs / (wall > 0 ? wall : seconds));
    text_add(t, "</b> programs per second, ");
    put_count(t, programs / seconds);
    text_add(t, " on one core; ");
    put_count(t, programs);
    text_add(t, " in all.</p>\n");
}

void report_curve(Text *t, const ReportPoint *points, size_t n, const char *unit) {
    const ReportPoint last = n ? points[n - 1] : (ReportPoint){0};
    if (!(last.seconds > 0) || !(last.solved > 0)) return;
    text_print(t,
               "<svg viewBox=\"0 0 580 264\" role=\"img\" aria-label=\"%.0f tasks solved on their demos in "
               "%.3g %s; half of them after ",
               last.solved, last.seconds, unit);
    size_t half = 0;
    while (half + 1 < n && points[half].solved * 2 < last.solved) half++;
    text_print(t, "%.3g\">", points[half].seconds);
    put_axes(t, last, unit);
    text_print(t, "<path class=\"line\" d=\"M%d %d", LEFT, BOTTOM);
    for (size_t k = 0; k < n; k++)
        text_print(t, "H%.1fV%.1f", x_of(points[k].seconds, last), y_of(points[k].solved, last));
    text_add(t, "\"/></svg>\n");
}

// False where the profile has no curve to draw.
static bool put_curve(Text *t, yajl_val profile) {
    yajl_val *values;
    const size_t n = tree_list(profile, "curve", &values);
    const ReportPoint last = n ? point_at(values[n - 1]) : (ReportPoint){0};
    if (!(last.seconds > 0)) return false;
    ReportPoint *points = calloc(n, sizeof *points);
    t->failed |= !points;
    for (size_t k = 0; points && k < n; k++) points[k] = point_at(values[k]);
    text_add(t, "<figure id=\"curve\"><figcaption><h2>Solved against core-seconds</h2></figcaption>\n");
    if (points) report_curve(t, points, n, "core-seconds");
    text_print(
        t, "<p class=\"soft\">%.0f tasks with a program right on all demos, after %.3g core-seconds.</p>\n",
        last.solved, last.seconds);
    put_rate(t, profile, last.programs - point_at(values[0]).programs, last.seconds);
    text_add(t, "</figure>\n");
    free(points);
    return true;
}

// ---- Where the time went ----

static void put_row(Text *t, const char *name, double ms, double whole) {
    double part = whole > 0 ? 100 * ms / whole : 0;
    text_add(t, "<span class=\"name\">");
    report_escape_all(t, name);
    text_print(t,
               "</span><span class=\"track\"><span style=\"width:%.2f%%\"></span></span><span "
               "class=\"part\">%.1f&nbsp;%%"
               "</span><span class=\"ms\">",
               part > 100 ? 100 : part, part);
    put_seconds(t, ms);
    text_add(t, "</span>");
}

// Whether a part of the time is so large that its row says more than 0.0 %.
static bool is_seen(double ms, double whole) { return ms * 1000 >= whole; }

static void put_stages(Text *t, yajl_val profile, double whole) {
    yajl_val *stages;
    size_t n = tree_list(profile, "stages", &stages);
    text_add(t, "<h3>By stage</h3>\n<ul class=\"rows\">");
    for (size_t k = 0; k < n; k++) {
        double ms = tree_number(stages[k], "ms");
        if (!is_seen(ms, whole)) continue;
        text_add(t, "<li class=\"row stage\">");
        put_row(t, tree_string(stages[k], "name"), ms, whole);
        text_add(t, "</li>\n");
    }
    text_add(t, "</ul>\n");
}

static void put_functions(Text *t, yajl_val category) {
    yajl_val *functions;
    size_t n = tree_list(category, "functions", &functions);
    text_add(t, "<table><thead><tr><th scope=\"col\">function</th><th scope=\"col\">time</th><th "
                "scope=\"col\">calls</th></tr></thead><tbody>");
    for (size_t k = 0; k < n; k++) {
        text_add(t, "<tr><td>");
        report_escape_all(t, tree_string(functions[k], "name"));
        text_add(t, "</td><td>");
        put_seconds(t, tree_number(functions[k], "ms"));
        text_print(t, "</td><td>%.0f</td></tr>", tree_number(functions[k], "calls"));
    }
    text_add(t, "</tbody></table>");
}

// The names of the first of them, to be seen without opening.
static void put_top(Text *t, yajl_val category) {
    enum { TOP_FUNCTIONS = 3 };
    yajl_val *functions;
    size_t n = tree_list(category, "functions", &functions);
    text_add(t, "<span class=\"tops\">");
    for (size_t k = 0; k < n && k < TOP_FUNCTIONS; k++) {
        if (k) text_add(t, ", ");
        report_escape_all(t, tree_string(functions[k], "name"));
    }
    text_add(t, "</span>");
}

static void put_categories(Text *t, yajl_val profile, double whole) {
    yajl_val *categories;
    double rest = 0;
    size_t n = tree_list(profile, "categories", &categories);
    text_add(t, "<h3>By category</h3>\n<p class=\"soft\">With their top functions; open one for the times of "
                "these.</p>\n<div class=\"rows\">");
    for (size_t k = 0; k < n; k++) {
        double ms = tree_number(categories[k], "ms");
        if (!is_seen(ms, whole)) {
            rest += ms;
            continue;
        }
        text_add(t, "<details class=\"category\"><summary class=\"row\">");
        put_row(t, tree_string(categories[k], "name"), ms, whole);
        put_top(t, categories[k]);
        text_add(t, "</summary>");
        put_functions(t, categories[k]);
        text_add(t, "</details>\n");
    }
    if (rest > 0) {
        text_add(t, "<div class=\"row\">");
        put_row(t, "all others", rest, whole);
        text_add(t, "</div>\n");
    }
    text_add(t, "</div>\n");
}

static void put_timing(Text *t, yajl_val profile, bool has_curve) {
    double whole = tree_number(profile, "core_ms");
    text_add(t, "<p><code>tessera ");
    report_escape_all(t, tree_string(profile, "command"));
    text_add(t, "</code>: ");
    put_seconds(t, tree_number(profile, "wall_ms"));
    text_print(t, " on %.0f thread%s, ", tree_number(profile, "threads"),
               tree_number(profile, "threads") > 1 ? "s" : "");
    put_seconds(t, whole);
    text_add(t, " of cores.</p>\n");
    if (!has_curve)
        text_add(t,
                 "<p class=\"soft\">This profile has no curve of solved tasks; that of <code>tessera solve … "
                 "--profile R.json</code> has one.</p>\n");
    put_stages(t, profile, whole);
    put_categories(t, profile, whole);
}

bool report_timing(ReportInput *in, Status *s) {
    const char *path = in->options->profile;
    Text *t = &in->timing, file = {0};
    yajl_val profile = NULL;
    text_add(t, "<section id=\"time\" aria-labelledby=\"time-title\">\n<h2 id=\"time-title\">Where the time "
                "went</h2>\n");
    if (!path)
        text_add(
            t, "<p class=\"soft\">There is no profile. <code>tessera solve … --profile R.json</code> writes "
               "one; "
               "<code>tessera report … --profile R.json</code> shows it here, with the tasks solved against "
               "core-seconds.</p>\n");
    else if (!text_read_file(&file, path, s) || !(profile = profile_tree(path, file.data, file.length, s))) {
        text_free(&file);
        return false;
    } else put_timing(t, profile, put_curve(&in->curve, profile));
    text_add(t, "</section>\n");
    yajl_tree_free(profile);
    text_free(&file);
    return (!t->failed && !in->curve.failed) || status_fail(s, TS_SYSTEM, "not enough memory");
}
