// Where the time went: shows the report that --profile of run, battery, iterate or solve wrote.
#include <stdlib.h>
#include <string.h>

#include "base/replace.h"
#include "cli/cli.h"
#include "profile/table.h"

enum { OUTLIER = 10 };

static ExitCode show(FILE *out, const char *name, const Text *report, const ProfileTable *options) {
    Text t = {0};
    ts_status s;
    bool good = profile_print(&t, name, report->data, report->length, options, &s);
    if (good) fputs(t.data, out);
    text_free(&t);
    return good ? EXIT_GOOD : cli_fail(&s);
}

// ---- What the other commands use ----

ExitCode cli_profile_start(const Cli *cli, ts_profile **profile) {
    *profile = NULL;
    if (!cli_value(cli, "profile")) return EXIT_GOOD;
    *profile = ts_profile_new();
    return *profile ? EXIT_GOOD : cli_no_memory();
}

ExitCode cli_profile_end(const Cli *cli, ts_profile *profile) {
    if (!profile) return EXIT_GOOD;
    ts_status s;
    const char *path = cli_value(cli, "profile");
    char *report = ts_profile_report(profile, cli->command->name);
    if (!report) return cli_no_memory();
    ExitCode code = replace_with(path, report, strlen(report), &s) ? EXIT_GOOD : cli_fail(&s);
    Text text = {.data = report, .length = strlen(report)};
    if (code == EXIT_GOOD && !cli_has(cli, "quiet"))
        code = show(stderr, path, &text, &(ProfileTable){.outlier = OUTLIER});
    free(report);
    return code;
}

// ---- The command ----

static ExitCode run(Cli *cli) {
    ts_status s;
    Text text = {0};
    ProfileTable t = {.outlier = OUTLIER, .without_outliers = cli_has(cli, "without-outliers")};
    if (cli->word_count != 1) return cli_usage(cli, "expected one report");
    if (!cli_decimal(cli, "outlier", 1, 1e6, &t.outlier)) return EXIT_USAGE;
    if (!text_read_file(&text, cli->words[0], &s)) return cli_fail(&s);
    ExitCode code = show(stdout, cli->words[0], &text, &t);
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
        "cores: two threads that work spend\ntwo milliseconds in one, and one that waits none. Building sets "
        "and tuples is a part of "
        "primitives "
        "that is found by sampling.\n"
        "Example: tessera battery --profile p.json && tessera profile p.json",
    .options = {{"without-outliers", NULL, "leave outliers out of the averages"},
                {"outlier", "K", "a task is an outlier over K times the median (10)"}},
    .run = run,
};
