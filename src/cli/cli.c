// Options, help, messages, the man page and the completion: all from the tables of the commands.
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/bundle.h"

// ---- Options ----

bool cli_has(const Cli *cli, const char *option) {
    int at = 0;
    return cli_next(cli, option, &at) != NULL;
}

const char *cli_value(const Cli *cli, const char *option) {
    const char *last = NULL, *value;
    for (int at = 0; (value = cli_next(cli, option, &at));) last = value;
    return last;
}

const char *cli_next(const Cli *cli, const char *option, int *at) {
    while (*at < cli->given_count) {
        int k = (*at)++;
        if (strcmp(cli->given[k].option->name, option) == 0) return cli->given[k].value;
    }
    return NULL;
}

bool cli_number(const Cli *cli, const char *option, long least, long most, long *value) {
    const char *text = cli_value(cli, option);
    if (!text) return true;
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (*text && !*end && !errno && n >= least && n <= most) {
        *value = n;
        return true;
    }
    cli_usage(cli, "--%s takes a whole number from %ld to %ld, not '%s'", option, least, most, text);
    return false;
}

// ---- Messages ----

ExitCode cli_usage(const Cli *cli, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("tessera: ", stderr);
    vfprintf(stderr, format, args);
    va_end(args);
    if (cli->command)
        fprintf(stderr, "\nusage: tessera %s %s\n", cli->command->name, cli->command->arguments);
    else fputs("\n`tessera --help` lists the commands\n", stderr);
    return EXIT_USAGE;
}

void cli_print_status(const ts_status *s) {
    if (s->file[0]) fprintf(stderr, "%s:", s->file);
    if (s->line) fprintf(stderr, "%d:%d:", s->line, s->column);
    fprintf(stderr, "%s%s\n", s->file[0] || s->line ? " " : "tessera: ", s->message);
    if (s->excerpt[0]) fprintf(stderr, "  %s\n  %*s^\n", s->excerpt, s->caret, "");
}

ExitCode cli_fail(const ts_status *s) {
    cli_print_status(s);
    return s->code == TS_SYSTEM ? EXIT_SYSTEM : EXIT_INPUT;
}

void cli_report(void *user, const ts_status *s) {
    cli_print_status(s);
    if (user) ++*(int *)user;
}

// ---- The terminal ----

ts_color cli_color(FILE *out) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM"), *color = getenv("COLORTERM");
    if ((no && *no) || !isatty(fileno(out)) || !term || strcmp(term, "dumb") == 0) return TS_COLOR_NONE;
    if (color && (strstr(color, "truecolor") || strstr(color, "24bit"))) return TS_COLOR_FULL;
    return TS_COLOR_256;
}

int cli_columns(FILE *out) {
    struct winsize size;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    int n = columns ? atoi(columns) : 0;
    return n > 0 ? n : 80;
}

// ---- Tasks ----

ts_tasks *cli_tasks(const Cli *cli, int *problems, ExitCode *code) {
    ts_status s;
    const char *path = cli_value(cli, "tasks"), *split = cli_value(cli, "split");
    bool keep_going = cli_has(cli, "keep-going");
    ts_tasks *tasks;
    if (path) tasks = ts_tasks_read(path, split, keep_going, cli_report, problems, &s);
    else tasks = ts_tasks_read_text("bundled tasks", bundle_tasks, bundle_tasks_length(), split, &s);
    if (tasks) return tasks;
    bool said = path && keep_going && *problems > 0; // the reader has reported it
    *code = said ? EXIT_INPUT : cli_fail(&s);
    return NULL;
}
