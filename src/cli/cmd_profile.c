// Where the time went: shows the report that --profile of run, battery, iterate or solve wrote.
#include <stdlib.h>
#include <string.h>

#include "base/replace.h"
#include "base/tree.h"
#include "cli/cli.h"

// ---- The table ----

typedef struct {
    FILE *out;
    double whole; // core ms
    double over;  // a task that takes over so many times the median is an outlier
    bool without_outliers;
} Table;

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void print_stages(const Table *t, yajl_val report) {
    yajl_val *stages;
    size_t n = tree_list(report, "stages", &stages);
    fprintf(t->out, "\n%-24s %10s %6s %10s\n", "stage", "ms", "%", "peak MB");
    for (size_t k = 0; k < n; k++) {
        double ms = tree_number(stages[k], "ms"), peak = tree_number(stages[k], "peak_kb");
        if (ms <= 0) continue;
        fprintf(t->out, "%-24s %10.2f %6.1f", tree_string(stages[k], "name"), ms, percent(ms, t->whole));
        if (peak > 0) fprintf(t->out, " %10.1f", peak / 1024);
        fputc('\n', t->out);
    }
}

static void print_categories(const Table *t, yajl_val report) {
    yajl_val *categories, *functions;
    size_t n = tree_list(report, "categories", &categories);
    fprintf(t->out, "\n%-24s %10s %6s   %s\n", "category", "ms", "%", "top functions: ms, calls, ns a call");
    for (size_t k = 0; k < n; k++) {
        double ms = tree_number(categories[k], "ms");
        if (ms < 0.0005) continue;
        fprintf(t->out, "%-24s %10.2f %6.1f\n", tree_string(categories[k], "name"), ms,
                percent(ms, t->whole));
        size_t m = tree_list(categories[k], "functions", &functions);
        for (size_t f = 0; f < m; f++) {
            double own = tree_number(functions[f], "ms"), calls = tree_number(functions[f], "calls");
            fprintf(t->out, "%43s %-28s %9.2f %10.0f %9.0f\n", "", tree_string(functions[f], "name"), own,
                    calls, calls > 0 ? own * 1e6 / calls : 0);
        }
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
    fprintf(t->out, "\n%-24s %10s %6s %10s %12s\n", "the search after", "core-s", "%", "solved", "programs");
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        while (at + 1 < n && coordinate(points[at + 1], 0) - start <= parts[k] * all) at++;
        fprintf(t->out, "%-24s %10.2f %6.0f %10.0f %12.0f\n", "", parts[k] * all, 100 * parts[k],
                coordinate(points[at], 1), coordinate(points[at], 2));
    }
    double programs = coordinate(points[n - 1], 2) - coordinate(points[0], 2);
    fprintf(t->out, "%.0f programs a core-second\n", all > 0 ? programs / all : 0);
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
    double limit = t->over * percentile(ms, n, 0.5);
    while (outliers < n && ms[n - 1 - outliers] > limit) outliers++;
    size_t counted = t->without_outliers ? n - outliers : n;
    for (size_t k = 0; k < counted; k++) sum += ms[k];
    fprintf(t->out,
            "\n%zu tasks%s: mean %.3f ms, median %.3f, 90 %% below %.3f, 99 %% below %.3f, most %.3f\n",
            counted, t->without_outliers ? " without outliers" : "", counted ? sum / (double)counted : 0,
            percentile(ms, counted, 0.5), percentile(ms, counted, 0.9), percentile(ms, counted, 0.99),
            percentile(ms, counted, 1));
    fprintf(t->out, "%zu outliers over %g times the median:", outliers, t->over);
    size_t named = 0;
    for (size_t k = 0; k < n; k++)
        if (tree_number(tasks[k], "ms") > limit && named++ < 10)
            fprintf(t->out, " %s (%.2f ms)", tree_string(tasks[k], "id"), tree_number(tasks[k], "ms"));
    fputs(outliers > 10 ? " …\n" : "\n", t->out);
    free(ms);
}

static void print_table(const Table *t, yajl_val report) {
    double wall = tree_number(report, "wall_ms"), parts = tree_number(report, "parts_ms");
    double primitives = tree_number(report, "primitives_ms");
    fprintf(t->out, "%s: %.2f ms on %.0f thread%s, %.2f ms of cores; %.2f ms (%.1f %%) accounted for\n",
            tree_string(report, "command"), wall, tree_number(report, "threads"),
            tree_number(report, "threads") > 1 ? "s" : "", t->whole, parts, percent(parts, t->whole));
    fprintf(t->out, "primitives %.2f ms (%.1f %%), everything around them %.2f ms (%.1f %%)\n", primitives,
            percent(primitives, t->whole), parts - primitives, percent(parts - primitives, t->whole));
    print_stages(t, report);
    print_categories(t, report);
    print_curve(t, report);
    print_tasks(t, report);
}

// A tree is given back by recursion, so one that is far deeper than any report is not read at all. Brackets
// in strings count too, which does no harm.
static bool is_deep(const char *text) {
    enum { DEEPEST = 100 };
    int depth = 0;
    for (; *text && depth < DEEPEST; text++) {
        depth += *text == '[' || *text == '{';
        depth -= *text == ']' || *text == '}';
    }
    return depth >= DEEPEST;
}

static ExitCode show(Table *t, const char *name, const char *text) {
    char why[256] = "";
    yajl_val report = is_deep(text) ? NULL : yajl_tree_parse(text, why, sizeof why);
    yajl_val *categories;
    bool good =
        report && tree_list(report, "categories", &categories) > 0 && tree_number(report, "core_ms") > 0;
    if (good) {
        t->whole = tree_number(report, "core_ms");
        print_table(t, report);
    } else {
        why[strcspn(why, "\n")] = 0;
        ts_status s;
        status_fail(&s, TS_INPUT, "expected a report that --profile wrote%s%s", *why ? ": " : "", why);
        status_in_file(&s, name);
        cli_print_status(&s);
    }
    yajl_tree_free(report);
    return good ? EXIT_GOOD : EXIT_INPUT;
}

// ---- What the other commands use ----

ExitCode cli_profile_start(const Cli *cli, ts_profile **profile) {
    *profile = NULL;
    if (!cli_value(cli, "profile")) return EXIT_GOOD;
    *profile = ts_profile_new();
    return *profile ? EXIT_GOOD : EXIT_SYSTEM;
}

enum { OUTLIER = 10 };

ExitCode cli_profile_end(const Cli *cli, ts_profile *profile) {
    if (!profile) return EXIT_GOOD;
    ts_status s;
    const char *path = cli_value(cli, "profile");
    char *report = ts_profile_report(profile, cli->command->name);
    if (!report) return EXIT_SYSTEM;
    ExitCode code = replace_with(path, report, strlen(report), &s) ? EXIT_GOOD : cli_fail(&s);
    Table t = {.out = stderr, .over = OUTLIER};
    if (code == EXIT_GOOD && !cli_has(cli, "quiet")) code = show(&t, path, report);
    free(report);
    return code;
}

// ---- The command ----

static ExitCode run(Cli *cli) {
    ts_status s;
    Text text = {0};
    Table t = {.out = stdout, .over = OUTLIER, .without_outliers = cli_has(cli, "without-outliers")};
    if (cli->word_count != 1) return cli_usage(cli, "expected one report");
    if (!cli_decimal(cli, "outlier", 1, 1e6, &t.over)) return EXIT_USAGE;
    if (!text_read_file(&text, cli->words[0], &s)) return cli_fail(&s);
    ExitCode code = show(&t, cli->words[0], text.data ? text.data : "");
    text_free(&text);
    return code;
}

const CliCommand cmd_profile = {
    .name = "profile",
    .arguments = "REPORT.json [--without-outliers] [--outlier K]",
    .summary = "show where the time of a command went",
    .help =
        "Shows a report that --profile FILE of run, battery, iterate or solve wrote: time by stage and by "
        "category, the\ntop functions of each (of the search: its engines, with programs tried as calls), "
        "peak "
        "memory, how far a search\nwas after which part of its core-seconds, time per task. Time is that of "
        "cores: with two threads two\nmilliseconds pass in one. Building sets and tuples is a part of "
        "primitives "
        "that is found by sampling.\n"
        "Example: tessera battery --profile p.json && tessera profile p.json",
    .options = {{"without-outliers", NULL, "leave outliers out of the averages"},
                {"outlier", "K", "a task is an outlier over K times the median (10)"}},
    .run = run,
};
