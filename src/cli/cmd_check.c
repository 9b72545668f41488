#include "cli/cli.h"

// Adds what one file holds to the total.
static ExitCode check_file(ts_engine *engine, const ts_programs *programs, const char *path,
                           ts_check_result *total) {
    Text text = {0};
    ts_status s;
    if (!text_read_file(&text, path, &s)) {
        text_free(&text);
        return cli_fail(&s);
    }
    ts_check_result result;
    bool readable = ts_check(engine, programs, path, text.data, text.length, cli_report, NULL, &result);
    total->passed += result.passed;
    total->failed += result.failed;
    text_free(&text);
    if (ts_engine_starved(engine)) return cli_no_memory();
    return readable ? EXIT_GOOD : EXIT_INPUT;
}

static ExitCode run(Cli *cli) {
    if (cli->word_count == 0) return cli_usage(cli, "expected a file of cases");
    ts_programs *programs = NULL;
    ExitCode worst = EXIT_GOOD;
    const char *program_file = cli_value(cli, "programs");
    if (program_file) {
        ts_status s;
        programs = ts_programs_new();
        if (!programs) return cli_no_memory();
        if (!ts_programs_add_file(programs, program_file, false, cli_report, NULL, &s))
            worst = s.code == TS_SYSTEM ? EXIT_SYSTEM : EXIT_INPUT;
    }
    ts_engine *engine = ts_engine_new();
    if (!engine) return cli_no_memory();
    ts_engine_set_plain(engine, cli_has(cli, "plain"));
    ts_check_result total = {0, 0};
    for (int k = 0; k < cli->word_count; k++) {
        ExitCode code = check_file(engine, programs, cli->words[k], &total);
        if (code > worst) worst = code;
    }
    printf("%zu passed, %s%zu failed%s\n", total.passed, cli_ink(stdout, total.failed ? CLI_BAD : CLI_GOOD),
           total.failed, cli_ink(stdout, CLI_PLAIN));
    ts_engine_free(engine);
    ts_programs_free(programs);
    return worst ? worst : total.failed ? EXIT_MISMATCH : EXIT_GOOD;
}

const CliCommand cmd_check = {
    .name = "check",
    .arguments = "FILE… | --programs P.py CASES.txt…",
    .summary = "check results against expected ones",
    .help =
        "Checks lines `expression => value`, where '!' stands for a failure. With --programs the lines are\n"
        "`name INPUT => OUTPUT`: the program solve_name on that input. Each mismatch is printed with both\n"
        "values; the last line is `N passed, N failed`.",
    .options = {{"programs", "P.py", "the programs that the lines name"},
                {"plain", NULL, "leave out the fast paths"}},
    .run = run,
};
