// A profile's report as a table.
#include "profile/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "task/json.h"

// ---- Reading ----

// The text is read twice: first by our own reader, which says where it is broken and refuses what is nested
// too deeply for a tree.
yajl_val profile_tree(const char *name, const char *text, size_t length, Status *s) {
    static const TaskJsonListener nobody = {0};
    TaskJsonError error;
    char why[256] = "";
    yajl_val *items;
    if (!text) text = "";
    if (task_json_parse(text, length, &nobody, NULL, &error) != TASK_JSON_DONE) {
        status_fail(s, TS_INPUT, "bad JSON: %s", error.message);
        status_locate(s, NULL, name, text, length, error.at);
        return NULL;
    }
    yajl_val tree = yajl_tree_parse(text, why, sizeof why);
    if (tree && tree_list(tree, "categories", &items) && tree_number(tree, "core_ms") > 0) return tree;
    yajl_tree_free(tree);
    status_fail(s, TS_INPUT, "expected a report that --profile wrote");
    status_in_file(s, name);
    return NULL;
}

// ---- The table ----

typedef struct {
    Text *out;
    const ProfileTable *options;
    double whole; // core ms
} Table;

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

// The columns that the tables begin with.
static void print_row(const Table *t, const char *indent, const char *name, double ms) {
    text_print(t->out, "%s%-*s %9.2f %5.1f", indent, 40 - (int)strlen(indent), name, ms,
               percent(ms, t->whole));
}

static void print_stages(const Table *t, yajl_val report) {
    yajl_val *stages;
    size_t n = tree_list(report, "stages", &stages);
    text_print(t->out, "\n%-40s %9s %5s %11s\n", "stage", "ms", "%", "peak MB");
    for (size_t k = 0; k < n; k++) {
        double ms = tree_number(stages[k], "ms"), peak = tree_number(stages[k], "peak_kb");
        if (ms <= 0) continue;
        print_row(t, "", tree_string(stages[k], "name"), ms);
        if (peak > 0) text_print(t->out, " %11.1f", peak / 1024);
        text_char(t->out, '\n');
    }
}

// What a name stands for, in a few words, where it is that of an engine; else "".
static const char *about_engine(const char *category, const char *name) {
    const char *engine, *about;
    for (size_t k = 0; !strcmp(category, "engines") && (engine = ts_search_engine_at(k, &about)); k++)
        if (strcmp(engine, name) == 0) return about;
    return "";
}

static void print_function(const Table *t, const char *category, yajl_val function) {
    const double ms = tree_number(function, "ms"), calls = tree_number(function, "calls");
    const char *name = tree_string(function, "name"), *about = about_engine(category, name);
    char text[80];
    snprintf(text, sizeof text, "%.40s%s%s", name, *about ? ": " : "", about);
    print_row(t, "  ", text, ms);
    text_print(t->out, " %11.0f %9.0f\n", calls, calls > 0 ? ms * 1e6 / calls : 0);
}

static void print_categories(const Table *t, yajl_val report) {
    yajl_val *categories, *functions;
    size_t n = tree_list(report, "categories", &categories);
    text_print(t->out, "\n%-40s %9s %5s %11s %9s\n", "category, and its top functions", "ms", "%", "calls",
               "ns a call");
    for (size_t k = 0; k < n; k++) {
        const double ms = tree_number(categories[k], "ms");
        const char *name = tree_string(categories[k], "name");
        if (ms < 0.0005) continue;
        print_row(t, "", name, ms);
        text_char(t->out, '\n');
        const size_t m = tree_list(categories[k], "functions", &functions);
        for (size_t f = 0; f < m; f++) print_function(t, name, functions[f]);
    }
}

// One number of a point [core-seconds, solved, programs].
static double coordinate(yajl_val point, size_t which) {
    yajl_val n = YAJL_IS_ARRAY(point) && which < YAJL_GET_ARRAY(point)->len
                     ? YAJL_GET_ARRAY(point)->values[which]
                     : NULL;
    return n && YAJL_IS_NUMBER(n) ? YAJL_GET_DOUBLE(n) : 0;
}

// How far a search was after these parts of its core-seconds. What it began with is not counted as tried.
static void print_curve(const Table *t, yajl_val report) {
    static const double parts[] = {0.1, 0.25, 0.5, 0.75, 1};
    yajl_val *points;
    size_t n = tree_list(report, "curve", &points), at = 0;
    if (n < 2) return;
    double start = coordinate(points[0], 0), all = coordinate(points[n - 1], 0) - start;
    text_print(t->out, "\n%-40s %9s %5s %11s %10s\n", "the search after", "core-s", "%", "solved",
               "programs");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        while (at + 1 < n && coordinate(points[at + 1], 0) - start <= parts[k] * all) at++;
        text_print(t->out, "%-40s %9.2f %5.0f %11.0f %10.0f\n", "", parts[k] * all, 100 * parts[k],
                   coordinate(points[at], 1), coordinate(points[at], 2));
    }
    double programs = coordinate(points[n - 1], 2) - coordinate(points[0], 2);
    text_print(t->out, "%.0f programs a core-second\n", all > 0 ? programs / all : 0);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The value below which this part of n sorted numbers lies.
static double percentile(const double *sorted, size_t n, double part) {
    return n ? sorted[(size_t)(part * (double)(n - 1) + 0.5)] : 0;
}

static void print_tasks(const Table *t, yajl_val report) {
    yajl_val *tasks;
    size_t n = tree_list(report, "tasks", &tasks), outliers = 0;
    double *ms = malloc((n + 1) * sizeof *ms), sum = 0;
    if (!n || !ms) {
        free(ms);
        return;
    }
    for (size_t k = 0; k < n; k++) ms[k] = tree_number(tasks[k], "ms");
    qsort(ms, n, sizeof *ms, by_size);
    double limit = t->options->outlier * percentile(ms, n, 0.5);
    while (outliers < n && ms[n - 1 - outliers] > limit) outliers++;
    size_t counted = t->options->without_outliers ? n - outliers : n;
    for (size_t k = 0; k < counted; k++) sum += ms[k];
    text_print(t->out, "\n%-27s %9s %9s %10s %10s %9s\n", "time of a task, in ms", "mean", "median",
               "90 % below", "99 % below", "most");
    char label[64];
    snprintf(label, sizeof label, "%zu tasks%s", counted,
             t->options->without_outliers ? " without outliers" : "");
    text_print(t->out, "%-27s %9.3f %9.3f %10.3f %10.3f %9.3f\n", label, counted ? sum / (double)counted : 0,
               percentile(ms, counted, 0.5), percentile(ms, counted, 0.9), percentile(ms, counted, 0.99),
               percentile(ms, counted, 1));
    text_print(t->out, "%zu outliers over %g times the median%s\n", outliers, t->options->outlier,
               outliers ? ":" : "");
    size_t named = 0;
    for (size_t k = 0; k < n; k++)
        if (tree_number(tasks[k], "ms") > limit && named++ < 10)
            text_print(t->out, "  %-38s %9.2f\n", tree_string(tasks[k], "id"), tree_number(tasks[k], "ms"));
    if (outliers > 10) text_add(t->out, "  …\n");
    free(ms);
}

static const char *time_text(double ms, char text[32]) {
    snprintf(text, 32, ms < 10000 ? "%.2f ms" : "%.1f s", ms < 10000 ? ms : ms / 1000);
    return text;
}

static void print_table(const Table *t, yajl_val report) {
    double wall = tree_number(report, "wall_ms"), parts = tree_number(report, "parts_ms");
    double primitives = tree_number(report, "primitives_ms");
    char texts[4][32];
    text_print(t->out, "%s: %s on %.0f thread%s, %s of cores; %.1f %% accounted for\n",
               tree_string(report, "command"), time_text(wall, texts[0]), tree_number(report, "threads"),
               tree_number(report, "threads") > 1 ? "s" : "", time_text(t->whole, texts[1]),
               percent(parts, t->whole));
    text_print(t->out, "primitives %s (%.1f %%), everything around them %s (%.1f %%)\n",
               time_text(primitives, texts[2]), percent(primitives, t->whole),
               time_text(parts - primitives, texts[3]), percent(parts - primitives, t->whole));
    print_stages(t, report);
    print_categories(t, report);
    print_curve(t, report);
    print_tasks(t, report);
}

bool profile_print(Text *out, const char *name, const char *text, size_t length, const ProfileTable *options,
                   Status *s) {
    yajl_val report = profile_tree(name, text, length, s);
    if (!report) return false;
    Table t = {.out = out, .options = options, .whole = tree_number(report, "core_ms")};
    print_table(&t, report);
    yajl_tree_free(report);
    return !out->failed || status_fail(s, TS_SYSTEM, "not enough memory");
}

char *ts_profile_print(const char *name, const char *report, size_t length, double outlier,
                       bool without_outliers, ts_status *status) {
    Text out = {0};
    const ProfileTable options = {.outlier = outlier, .without_outliers = without_outliers};
    if (profile_print(&out, name, report, length, &options, status)) return text_take(&out);
    text_free(&out);
    return NULL;
}
