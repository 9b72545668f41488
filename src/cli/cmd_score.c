// Scores a submission against the solutions of its tasks.
#include <stdlib.h>

#include "cli/cli.h"

static double percent(size_t part, size_t all) { return all ? 100.0 * (double)part / (double)all : 0; }

static void print_score(const ts_score *s) {
    printf("%zu of %zu outputs right (%.2f %%): Kaggle's rule, the mean over all outputs\n", s->right[1],
           s->outputs, percent(s->right[1], s->outputs));
    printf("%zu of %zu tasks whole (%.2f %%): the rule of ARC-AGI-2, all outputs of a task\n", s->whole[1],
           s->tasks, percent(s->whole[1], s->tasks));
    printf("attempts  outputs  tasks\n");
    for (int k = 0; k < TS_MOST_ATTEMPTS; k++) printf("%8d  %7zu  %5zu\n", k + 1, s->right[k], s->whole[k]);
    if (s->unknown) printf("%zu outputs are not known and do not count\n", s->unknown);
}

static void print_json(const ts_score *s) {
    printf("{\"outputs\": %zu, \"unknown\": %zu, \"tasks\": %zu, \"kaggle\": %.6f, \"arc_agi_2\": %.6f",
           s->outputs, s->unknown, s->tasks, percent(s->right[1], s->outputs) / 100,
           percent(s->whole[1], s->tasks) / 100);
    printf(", \"outputs_right\": [%zu, %zu, %zu], \"tasks_whole\": [%zu, %zu, %zu]}\n", s->right[0],
           s->right[1], s->right[2], s->whole[0], s->whole[1], s->whole[2]);
}

static ExitCode score(const Cli *cli, const ts_tasks *tasks) {
    size_t count = ts_tasks_count(tasks);
    const ts_task **all = calloc(count + 1, sizeof *all);
    if (!all) return cli_no_memory();
    for (size_t k = 0; k < count; k++) all[k] = ts_tasks_at(tasks, k);
    ts_status status;
    ts_submission *submission = ts_submission_read(cli->words[0], all, count, &status);
    free(all);
    if (!submission) return cli_fail(&status);
    ts_score s = ts_submission_score(submission);
    ts_submission_free(submission);
    if (!s.outputs) {
        cli_say("the submission is valid, but no solution of these tasks is known");
        return EXIT_INPUT;
    }
    if (cli_has(cli, "json")) print_json(&s);
    else print_score(&s);
    return EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    int problems = 0;
    ExitCode code;
    if (cli->word_count != 1) return cli_usage(cli, "give the submission");
    ts_tasks *tasks = cli_tasks(cli, &problems, &code);
    if (!tasks) return code;
    code = score(cli, tasks);
    ts_tasks_free(tasks);
    return code ? code : problems ? EXIT_INPUT : EXIT_GOOD;
}

const CliCommand cmd_score = {
    .name = "score",
    .arguments = "SUBMISSION [--tasks PATH] [--split NAME]",
    .summary = "score a submission against the solutions",
    .help = "Counts the outputs that are right with the first attempt, with one of the first two, and with "
            "one of\nthree where a third is given. A submission that is not whole (ids, counts, attempts, "
            "grids) is refused,\nwith the reason and the place.\n"
            "Example: tessera score submission.json --tasks data/arcagi_aa922be.json --split train",
    .options = {CLI_TASK_OPTIONS, {"json", NULL, "print one JSON object"}},
    .run = run,
};
