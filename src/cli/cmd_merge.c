// Merges submissions of several solvers into one.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

typedef struct {
    ts_tasks *tasks;
    const ts_task **chosen; // NULL: all tasks that a submission has
    size_t task_count;
    ts_merge_source *sources;
    size_t count;
    int problems;
} Merge;

static ExitCode read_sources(const Cli *cli, Merge *m) {
    m->sources = calloc((size_t)cli->word_count + 1, sizeof *m->sources);
    if (!m->sources) return cli_no_memory();
    for (int k = 0; k < cli->word_count; k++) {
        ExitCode code = cli_weighted(cli, cli->words[k], m->chosen, m->task_count, &m->sources[k]);
        if (code) return code;
        m->count++;
    }
    return EXIT_GOOD;
}

static ExitCode write_merged(const Cli *cli, const Merge *m, const ts_submission *merged) {
    ts_status status;
    const char *path = cli_value(cli, "out");
    if (!path) {
        char *text = ts_submission_print(merged);
        if (!text) return cli_no_memory();
        fputs(text, stdout);
        free(text);
        return EXIT_GOOD;
    }
    if (!ts_submission_write(merged, path, &status)) return cli_fail(&status);
    size_t outputs = 0, tasks = ts_submission_count(merged);
    for (size_t k = 0; k < tasks; k++) outputs += (size_t)ts_submission_task(merged, k)->tests;
    printf("%s: %zu task%s, %zu output%s, of %zu submissions\n", path, tasks, tasks == 1 ? "" : "s", outputs,
           outputs == 1 ? "" : "s", m->count);
    return EXIT_GOOD;
}

static ExitCode merge(const Cli *cli, Merge *m) {
    ExitCode code = EXIT_GOOD;
    ts_status status;
    if (cli_has(cli, "tasks")) {
        if (!(m->tasks = cli_tasks(cli, &m->problems, &code))) return code;
        if (!(m->chosen = cli_select_in_order(cli, m->tasks, &m->task_count, &code))) return code;
    } else if (cli_has(cli, "count") || cli_has(cli, "start") || cli_has(cli, "id"))
        return cli_usage(cli, "-c, -s and -i choose among the tasks that --tasks names");
    if ((code = read_sources(cli, m))) return code;
    ts_submission *merged = ts_merge(m->sources, m->count, m->chosen, m->task_count, &status);
    if (!merged) return cli_fail(&status);
    code = write_merged(cli, m, merged);
    ts_submission_free(merged);
    return code ? code : m->problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    Merge m = {0};
    if (cli->word_count < 1) return cli_usage(cli, "give the submissions to merge");
    ExitCode code = merge(cli, &m);
    for (size_t k = 0; k < m.count; k++) ts_submission_free((ts_submission *)m.sources[k].submission);
    free(m.sources);
    free(m.chosen);
    ts_tasks_free(m.tasks);
    return code;
}

const CliCommand cmd_merge = {
    .name = "merge",
    .arguments = "FILE[=WEIGHT]… [--out FILE] [--tasks PATH]",
    .summary = "put the submissions of several solvers together",
    .help =
        "Takes for each output the two answers that weigh most. A first attempt weighs 1/2, a second 1/4, a "
        "third 1/8,\ntimes the WEIGHT of its file (1); where files agree the weights add up, and of equal "
        "ones "
        "that of the file\nnamed first comes first. Files may have parts of the tasks, and answers with one "
        "attempt only. What comes\nout has all tasks that a file has; with --tasks just those, and answers "
        "of "
        "last resort where no file has one.\n`tessera solve --with FILE` does the same while it searches, "
        "with "
        "the confidence in its own answers.\n"
        "Example: tessera merge mine.json theirs.json=0.5 --out submission.json",
    .options = {CLI_TASK_OPTIONS, CLI_RANGE_OPTIONS, {"out", "FILE", "the submission; else it is printed"}},
    .run = run,
};
