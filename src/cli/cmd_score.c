// Scores a submission against the solutions of its tasks.
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { MOST_NAMED = 10 }; // tasks in a message

static double percent(size_t part, size_t all) { return all ? 100.0 * (double)part / (double)all : 0; }

static void print_score(const ts_score *s) {
    const char *good = cli_ink(stdout, CLI_GOOD), *plain = cli_ink(stdout, CLI_PLAIN);
    printf("%s%zu of %zu outputs right%s (%.2f %%): Kaggle's rule, the mean over all outputs\n", good,
           s->right[1], s->outputs, plain, percent(s->right[1], s->outputs));
    printf("%s%zu of %zu tasks whole%s (%.2f %%): the rule of ARC-AGI-2, all outputs of a task\n", good,
           s->whole[1], s->tasks, plain, percent(s->whole[1], s->tasks));
    printf("attempts  outputs  tasks\n");
    for (int k = 0; k < TS_MOST_ATTEMPTS; k++) printf("%8d  %7zu  %5zu\n", k + 1, s->right[k], s->whole[k]);
    if (s->unknown) printf("%zu outputs are not known and do not count\n", s->unknown);
}

static void print_json(const ts_score *s) {
    printf("{\"outputs\": %zu, \"unknown\": %zu, \"tasks\": %zu, \"kaggle\": %.6f, \"arc_agi_2\": %.6f",
           s->outputs, s->unknown, s->tasks, percent(s->right[1], s->outputs) / 100,
           percent(s->whole[1], s->tasks) / 100);
    printf(", \"outputs_right\": [%zu, %zu, %zu], \"tasks_whole\": [%zu, %zu, %zu], \"lacking\": %zu}\n",
           s->right[0], s->right[1], s->right[2], s->whole[0], s->whole[1], s->whole[2], s->lacking);
}

// Says which tasks the submission does not have.
static void name_lacking(const ts_submission *submission, size_t lacking) {
    size_t named = 0;
    fprintf(stderr, "tessera: %zu of %zu tasks are not in the submission and do not count (", lacking,
            ts_submission_count(submission));
    for (size_t k = 0; k < ts_submission_count(submission) && named < MOST_NAMED; k++)
        if (!ts_submission_at(submission, k, 0, 0).height)
            fprintf(stderr, "%s%s", named++ ? ", " : "", ts_submission_task(submission, k)->id);
    fprintf(stderr, "%s)\n", lacking > named ? ", …" : "");
}

// Reads the submission: whole, or with --part as far as it goes; of tasks that were not chosen nothing is
// asked. NULL, with the exit code.
static ts_submission *read_submission(const Cli *cli, const ts_task *const *tasks, size_t count,
                                      ExitCode *code) {
    ts_status status;
    ts_submission_part part = {0};
    const bool in_part = cli_has(cli, "part");
    const bool chosen = cli_has(cli, "id") || cli_has(cli, "count") || cli_has(cli, "start");
    ts_submission *s = in_part || chosen
                           ? ts_submission_read_part(cli->words[0], tasks, count, &part, &status)
                           : ts_submission_read(cli->words[0], tasks, count, &status);
    if (!s) {
        *code = cli_fail(&status);
        if (status.code == TS_INPUT && strstr(status.message, "is missing") &&
            !strstr(status.message, "attempt_"))
            cli_say("--part scores the tasks that are there");
        return NULL;
    }
    if (part.lacking) name_lacking(s, part.lacking);
    if (part.others && !chosen)
        fprintf(stderr, "tessera: %zu tasks of the submission are not in the set and do not count\n",
                part.others);
    if (!part.lacking || in_part) return s;
    cli_say("--part scores the tasks that are there");
    ts_submission_free(s);
    *code = EXIT_INPUT;
    return NULL;
}

static ExitCode score(const Cli *cli, const ts_task *const *tasks, size_t count) {
    ExitCode code = EXIT_GOOD;
    ts_submission *submission = read_submission(cli, tasks, count, &code);
    if (!submission) return code;
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
    size_t count;
    if (cli->word_count != 1) return cli_usage(cli, "give the submission");
    ts_tasks *tasks = cli_tasks(cli, &problems, &code);
    if (!tasks) return code;
    const ts_task **chosen = cli_select_in_order(cli, tasks, &count, &code);
    if (chosen) code = score(cli, chosen, count);
    free(chosen);
    ts_tasks_free(tasks);
    return code ? code : problems ? EXIT_INPUT : EXIT_GOOD;
}

const CliCommand cmd_score = {
    .name = "score",
    .arguments = "SUBMISSION [--tasks PATH] [--split NAME] [-c N] [-i ID…] [--part]",
    .summary = "score a submission against the solutions",
    .help =
        "Counts the outputs that are right with the first attempt, with one of the first two, and with "
        "one of\nthree where a third is given. A submission that is not whole (ids, counts, attempts, "
        "grids) is refused,\nwith the reason and the place. -c, -s and -i choose tasks as for solve, and "
        "those "
        "not chosen do not matter;\n--part scores the tasks that are there and names those that are not.\n"
        "Example: tessera score submission.json --tasks data/arcagi_aa922be.json --split train",
    .options = {CLI_TASK_OPTIONS,
                CLI_RANGE_OPTIONS,
                {"part", NULL,
                 "tasks, and second attempts, may be missing; tasks that are not in the set do not count"},
                {"json", NULL, "print one JSON object"}},
    .run = run,
};
