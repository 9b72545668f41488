#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { COLUMNS = 100 }; // of comments

static ExitCode run(Cli *cli) {
    if (cli->word_count == 0) return cli_usage(cli, "expected a file of programs");
    ts_programs *programs = ts_programs_new();
    if (!programs) return cli_no_memory();
    ts_status s;
    ExitCode code = EXIT_GOOD;
    for (int k = 0; k < cli->word_count; k++)
        if (!ts_programs_add_file(programs, cli->words[k], false, cli_report, NULL, &s))
            code = s.code == TS_SYSTEM ? EXIT_SYSTEM : EXIT_INPUT;
    const char *only = cli_value(cli, "name");
    size_t printed = 0;
    for (size_t k = 0; k < ts_programs_count(programs); k++) {
        if (only && strcmp(only, ts_programs_name(programs, k)) != 0) continue;
        char *text = ts_programs_print(programs, k);
        char *words = cli_has(cli, "words") ? ts_programs_tell(programs, k) : NULL;
        if (!text || (cli_has(cli, "words") && !words)) code = cli_no_memory();
        if (printed++) printf("\n\n");
        if (words) cli_print_wrapped("# ", words, COLUMNS);
        if (text) printf("%s", text);
        free(words);
        free(text);
    }
    if (only && !printed) {
        cli_say("no program '%s'", only);
        code = EXIT_INPUT;
    }
    ts_programs_free(programs);
    return code;
}

const CliCommand cmd_print = {
    .name = "print",
    .arguments = "PROGRAMS.py… [--name NAME] [--words]",
    .summary = "print programs in canonical form",
    .help = "Prints programs as Tessera understands them: one call per line, equal lines once,\n"
            "lines without use left out, variables renamed. Python with arc-dsl runs it too, where all its\n"
            "primitives are of the public language.",
    .options = {{"name", "NAME", "only this program"},
                {"words", NULL, "what each program does, in English, as a comment above it"}},
    .run = run,
};
