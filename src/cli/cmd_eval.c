#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

// Bytes of a value: what a program may want to read, and what a person does.
enum { MOST_WRITTEN = 10 * 1000 * 1000, MOST_SHOWN = 100 * 1000 };

static ExitCode print_result(const ts_result *r) {
    char *text = ts_value_print_some(r->value, isatty(STDOUT_FILENO) ? MOST_SHOWN : MOST_WRITTEN, NULL);
    if (!text) return cli_no_memory();
    puts(text);
    free(text);
    if (!ts_value_is_grid(r->value) || !isatty(STDOUT_FILENO)) return EXIT_GOOD;
    ts_grid grid = ts_value_grid(r->value);
    char *picture = ts_draw(&grid, NULL, 1, cli_color(stdout), cli_columns(stdout));
    if (picture) fputs(picture, stdout);
    free(picture);
    return EXIT_GOOD;
}

// Evaluates one expression; a failure is said on stderr.
static ExitCode eval_text(ts_engine *engine, const char *file, int line, const char *text, size_t length) {
    ts_result r;
    ts_status s;
    if (!ts_eval(engine, text, length, &r, &s)) {
        status_in_file(&s, file);
        if (line) s.line = line;
        return cli_fail(&s);
    }
    if (!r.failure) return print_result(&r);
    if (ts_engine_starved(engine)) return cli_no_memory();
    puts("!");
    status_in_file(&s, file);
    ts_fault fault = {0};
    ts_explain_eval(engine, text, length, &fault);
    if (line) fprintf(stderr, "%s:%d: fails: %s", s.file, line, ts_failure_name(r.failure));
    else fprintf(stderr, "tessera: the expression fails: %s", ts_failure_name(r.failure));
    fprintf(stderr, "%s%s\n", fault.message[0] ? ", " : "", fault.message);
    return EXIT_MISMATCH;
}

static ExitCode eval_file(ts_engine *engine, const char *path) {
    Text text = {0};
    ts_status s;
    ExitCode worst = EXIT_GOOD;
    if (!text_read_file(&text, path, &s)) {
        text_free(&text);
        return cli_fail(&s);
    }
    int line = 1;
    for (const char *at = text.data, *end = at + text.length; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        size_t blank = strspn(at, " \t\r");
        if (at + blank < stop && at[blank] != '#') {
            ExitCode code = eval_text(engine, path, line, at, (size_t)(stop - at));
            if (code > worst) worst = code;
        }
        at = stop + 1;
    }
    text_free(&text);
    return worst;
}

static ExitCode run(Cli *cli) {
    const char *file = cli_value(cli, "file");
    if (file ? cli->word_count != 0 : cli->word_count != 1)
        return cli_usage(cli, "expected one expression, or -f FILE");
    long units = 0;
    if (!cli_number(cli, "units", 1, 1000L * 1000 * 1000 * 1000, &units)) return EXIT_USAGE;
    ts_engine *engine = ts_engine_new();
    if (!engine) return cli_no_memory();
    if (units) ts_engine_set_units(engine, (uint64_t)units);
    ts_engine_set_plain(engine, cli_has(cli, "plain"));
    ExitCode code =
        file ? eval_file(engine, file) : eval_text(engine, "", 0, cli->words[0], strlen(cli->words[0]));
    ts_engine_free(engine);
    return code;
}

const CliCommand cmd_eval = {
    .name = "eval",
    .arguments = "EXPR | -f FILE",
    .summary = "evaluate an expression",
    .help = "Prints the value of an expression of the language, a grid also as a picture on a terminal;\n"
            "'!' and exit code 1 where it fails. Of more than ten million characters, on a terminal of more "
            "than\n"
            "a hundred thousand, the first ones are printed, and how many elements are left.\n"
            "Example: tessera eval 'upscale(((1, 2),), TWO)'",
    .options = {{"file", "FILE", "evaluate each line of a file ('-' is standard input)", .letter = 'f'},
                {"units", "N", "work units that an evaluation may spend"},
                {"plain", NULL, "leave out the fast paths"}},
    .run = run,
};
