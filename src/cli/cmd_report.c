// Writes pages to look at: what was solved, by which programs, and where the time went.
#include <stdlib.h>

#include "cli/cli.h"

typedef struct {
    ts_tasks *tasks;
    const ts_task **chosen;
    ts_programs *programs;
    ts_submission *submission;
    ts_pages_options options;
    char *playground;
    int problems;
    CliProgress progress;
} Report;

static ExitCode read_submission(const Cli *cli, Report *r) {
    ts_status s;
    const char *path = cli_value(cli, "submission");
    if (!path) return EXIT_GOOD;
    r->submission = ts_submission_read(path, r->chosen, r->options.count, &s);
    r->options.submission = r->submission;
    return r->submission ? EXIT_GOOD : cli_fail(&s);
}

static ExitCode read_all(const Cli *cli, Report *r) {
    ExitCode code = EXIT_GOOD;
    long threads = 0;
    if (!cli_number(cli, "threads", 1, 256, &threads)) return EXIT_USAGE;
    if (cli->word_count) return cli_usage(cli, "'%s' is no option; --pool names the programs", cli->words[0]);
    if (!cli_has(cli, "out")) return cli_usage(cli, "give the folder for the pages: --out DIR");
    if (!cli_has(cli, "pool") && !cli_has(cli, "submission") && !cli_has(cli, "candidates"))
        return cli_usage(cli, "give programs, --pool P, or answers, --submission S or --candidates FILE");
    r->options = (ts_pages_options){.folder = cli_value(cli, "out"),
                                    .title = cli_tasks_title(cli),
                                    .candidates = cli_value(cli, "candidates"),
                                    .profile = cli_value(cli, "profile"),
                                    .threads = (int)threads};
    if (cli_has(cli, "playground") && !(r->playground = cli_playground())) return EXIT_SYSTEM;
    r->options.playground = r->playground;
    if (!(r->tasks = cli_tasks(cli, &r->problems, &code))) return code;
    if (!(r->chosen = cli_select_in_order(cli, r->tasks, &r->options.count, &code))) return code;
    r->options.tasks = r->chosen;
    if ((code = read_submission(cli, r))) return code;
    if (cli_has(cli, "pool"))
        r->programs = cli_pool_programs(cli_value(cli, "pool"), NULL, &r->problems, &code);
    r->options.programs = r->programs;
    return code;
}

static bool show_progress(void *user, size_t done, size_t all) {
    CliProgress *progress = user;
    const double part = all ? (double)done / (double)all : 1;
    char text[80], left[32] = "0s";
    if (done) cli_time_text((clock_ms() - progress->start) / 1000 * (1 - part) / part, left);
    snprintf(text, sizeof text, "%.0f %%, %s left, %s", 100 * part, left,
             part < 0.5 ? "running programs" : "making pages");
    cli_progress_bar(progress, part, text);
    return true;
}

static ExitCode report(const Cli *cli, Report *r) {
    ts_status s;
    ExitCode code = read_all(cli, r);
    if (code) return code;
    r->progress = cli_progress("report", "pages");
    bool good = ts_pages_write(&r->options, show_progress, &r->progress, &s);
    cli_progress_end(&r->progress);
    if (!good) return cli_fail(&s);
    printf("%s/index.html: %zu task%s\n", r->options.folder, r->options.count,
           r->options.count == 1 ? "" : "s");
    return r->problems ? EXIT_INPUT : EXIT_GOOD;
}

// ---- Two files of answers ----

static ExitCode print_changes(const Report *r, const ts_change *changes) {
    size_t counts[TS_CHANGES] = {0};
    for (size_t k = 0; k < r->options.count; k++) counts[changes[k]]++;
    for (int c = 0; c < TS_CHANGES; c++)
        printf("%s%s %zu", c ? ", " : "", ts_change_name((ts_change)c), counts[c]);
    putchar('\n');
    for (size_t k = 0; k < r->options.count; k++)
        if (changes[k] == TS_WON || changes[k] == TS_LOST)
            printf("%s %s\n", ts_change_name(changes[k]), r->chosen[k]->id);
    return r->problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode compare(const Cli *cli, Report *r) {
    ts_status s;
    ExitCode code = EXIT_GOOD;
    if (cli->word_count != 1) return cli_usage(cli, "give two files: --compare A B");
    if (cli_has(cli, "pool") || cli_has(cli, "submission") || cli_has(cli, "candidates") ||
        cli_has(cli, "profile") || cli_has(cli, "playground"))
        return cli_usage(cli, "--compare takes two files of answers and nothing else to show");
    r->options = (ts_pages_options){.folder = cli_value(cli, "out"), .title = cli_tasks_title(cli)};
    if (!(r->tasks = cli_tasks(cli, &r->problems, &code))) return code;
    if (!(r->chosen = cli_select_in_order(cli, r->tasks, &r->options.count, &code))) return code;
    r->options.tasks = r->chosen;
    ts_change *changes = calloc(r->options.count + 1, sizeof *changes);
    if (!changes) return cli_no_memory();
    const char *files[2] = {cli_value(cli, "compare"), cli->words[0]};
    size_t lacking[2] = {0};
    const bool good = ts_compare_write(&r->options, files[0], files[1], changes, lacking, &s);
    for (int k = 0; good && k < 2; k++)
        if (lacking[k])
            cli_say("%zu of %zu tasks are not in '%s': there they are not solved", lacking[k],
                    r->options.count, files[k]);
    code = good ? print_changes(r, changes) : cli_fail(&s);
    free(changes);
    return code;
}

static ExitCode run(Cli *cli) {
    Report r = {0};
    ExitCode code = cli_has(cli, "compare") ? compare(cli, &r) : report(cli, &r);
    ts_submission_free(r.submission);
    ts_programs_free(r.programs);
    free(r.chosen);
    free(r.playground);
    ts_tasks_free(r.tasks);
    return code;
}

const CliCommand cmd_report = {
    .name = "report",
    .arguments = "(--pool P --out DIR | --compare FILE FILE [--out DIR]) [--tasks PATH] [--submission FILE]"
                 " [--candidates FILE] [--profile R.json] [--playground]",
    .summary = "write pages that show what was solved, and how",
    .help = "Writes DIR/index.html, a wall with a tile for each task, and a page for each task: its samples, "
            "the\n"
            "attempts, the best program with the value of each line, other programs that agree, what failed. "
            "The\n"
            "pages need no network and no server: open index.html in a browser.\n"
            "The programs are those of a pool, of a file or of a folder, and with --candidates those that a "
            "search\n"
            "found. The attempts are those of a submission, or else the answers that rank first and second.\n"
            "With --compare it says what was won and lost between two runs.\n"
            "Example: tessera report --pool tasks/solvers.py --tasks tasks --out pages",
    .options = {CLI_TASK_OPTIONS,
                CLI_RANGE_OPTIONS,
                {"pool", "P", "a pool, a file of programs, or a folder of such files"},
                {"submission", "FILE", "answers, as `tessera solve --out` writes them"},
                {"candidates", "FILE", "programs found, as `tessera solve --candidates` writes them"},
                {"profile", "R.json",
                 "where the time went, as --profile of solve, battery or iterate writes it"},
                {"compare", "FILE FILE",
                 "what was won and lost from the first to the second: submissions, or files of candidates; "
                 "prints the counts, and writes a page with --out"},
                {"out", "DIR", "the folder for the pages, made where it is not there"},
                {"playground", NULL, "put the playground beside them, and link to it with task and program"},
                {"threads", "N", "threads; else one for each processor"}},
    .run = run,
};
