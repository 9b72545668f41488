#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { COLUMNS = 100 }; // of comments

// The text of a program, as the options ask for it. NULL, with the exit code; `file` is where it comes from.
static char *print_program(const Cli *cli, const ts_programs *programs, size_t index, const char *file,
                           ExitCode *code) {
    ts_status s;
    if (!cli_has(cli, "dialect")) {
        char *text = ts_programs_print(programs, index);
        if (!text) *code = cli_no_memory();
        return text;
    }
    char *text = ts_programs_print_dialect(programs, index, &s);
    if (text) return text;
    status_in_file(&s, file);
    *code = cli_fail(&s);
    return NULL;
}

static ExitCode run(Cli *cli) {
    if (cli->word_count == 0) return cli_usage(cli, "expected a file of programs");
    ts_programs *programs = ts_programs_new();
    size_t *ends = calloc((size_t)cli->word_count, sizeof *ends); // of the programs of each file
    if (!programs || !ends) {
        ts_programs_free(programs);
        free(ends);
        return cli_no_memory();
    }
    ts_status s;
    ExitCode code = EXIT_GOOD;
    for (int k = 0; k < cli->word_count; k++) {
        if (!ts_programs_add_file(programs, cli->words[k], false, cli_report, NULL, &s))
            code = s.code == TS_SYSTEM ? EXIT_SYSTEM : EXIT_INPUT;
        ends[k] = ts_programs_count(programs);
    }
    const char *only = cli_value(cli, "name");
    size_t printed = 0, file = 0;
    bool found = false;
    for (size_t k = 0; k < ts_programs_count(programs); k++) {
        if (only && strcmp(only, ts_programs_name(programs, k)) != 0) continue;
        while (k >= ends[file]) file++;
        found = true;
        char *text = print_program(cli, programs, k, cli->words[file], &code);
        if (!text) continue;
        char *words = cli_has(cli, "words") ? ts_programs_tell(programs, k) : NULL;
        if (cli_has(cli, "words") && !words) code = cli_no_memory();
        if (printed++) printf("\n\n");
        if (words) cli_print_wrapped("# ", words, COLUMNS);
        printf("%s", text);
        free(words);
        free(text);
    }
    if (only && !found) {
        cli_say("no program '%s'", only);
        code = EXIT_INPUT;
    }
    free(ends);
    ts_programs_free(programs);
    return code;
}

const CliCommand cmd_print = {
    .name = "print",
    .arguments = "PROGRAMS.py… [--name NAME] [--words] [--dialect]",
    .summary = "print programs in canonical form",
    .help = "Prints programs as Tessera understands them: one call per line, equal lines once,\n"
            "lines without use left out, variables renamed. Python with arc-dsl runs it too, where all its\n"
            "primitives are of the public language. With --dialect it is for the Python of the dialect\n"
            "solve(S, I, C); a program that this has no names for is left out, with what and where.",
    .options = {{"name", "NAME", "only this program"},
                {"words", NULL, "what each program does, in English, as a comment above it"},
                {"dialect", NULL, "with the names of the dialect of solve(S, I, C)"}},
    .run = run,
};
