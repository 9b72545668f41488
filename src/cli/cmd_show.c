#include <stdlib.h>
#include <sys/stat.h>

#include "cli/cli.h"

// The word names a file of one task, or an id among the tasks asked for.
static ExitCode show(const Cli *cli, const char *word) {
    ts_status s;
    struct stat info;
    ExitCode code = EXIT_GOOD;
    int problems = 0;
    bool is_file = !cli_value(cli, "tasks") && stat(word, &info) == 0 && S_ISREG(info.st_mode);
    ts_tasks *tasks =
        is_file ? ts_tasks_read(word, NULL, false, NULL, NULL, &s) : cli_tasks(cli, &problems, &code);
    if (!tasks) return code ? code : cli_fail(&s);
    const ts_task *task =
        is_file && ts_tasks_count(tasks) == 1 ? ts_tasks_at(tasks, 0) : ts_tasks_find(tasks, word);
    if (!task) {
        if (is_file)
            fprintf(stderr, "tessera: there are %zu tasks in '%s'; `tessera show ID --tasks %s` draws one\n",
                    ts_tasks_count(tasks), word, word);
        else
            fprintf(stderr, "tessera: no task '%s' in %s\n", word,
                    cli_value(cli, "tasks") ? cli_value(cli, "tasks")
                                            : "the bundled tasks (--tasks names others)");
        ts_tasks_free(tasks);
        return EXIT_INPUT;
    }
    const char *png = cli_value(cli, "png");
    if (png) {
        if (!ts_png_task(task, png, &s)) code = cli_fail(&s);
    } else {
        char *picture = ts_draw_task(task, cli_color(stdout), cli_columns(stdout));
        if (picture) fputs(picture, stdout);
        free(picture);
    }
    ts_tasks_free(tasks);
    return code ? code : problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    if (cli->word_count != 1) return cli_usage(cli, "expected one task: a file or an id");
    return show(cli, cli->words[0]);
}

const CliCommand cmd_show = {
    .name = "show",
    .arguments = "TASK [--tasks PATH] [--png FILE]",
    .summary = "draw a task",
    .help =
        "Draws the demos and tests of a task in the terminal, in ARC's colours as far as the terminal has\n"
        "them (NO_COLOR turns them off), or into a PNG file. TASK is a task file or the id of a task.",
    .options = {CLI_TASK_OPTIONS, {"png", "FILE", "write a picture instead"}},
    .run = run,
};
