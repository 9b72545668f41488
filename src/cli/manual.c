// The man page, from the tables of the commands.
#include "cli/cli.h"

// Text for roff: a backslash or a leading dot or quote would be a command.
static void roff(const char *text) {
    bool line_start = true;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
        if (*text == '\\') fputs("\\e", stdout);
        else if (*text == '-') fputs("\\-", stdout);
        else putchar(*text);
        line_start = *text == '\n';
    }
}

// A paragraph with a heading of its own; `value` stands behind the heading, unless it is NULL.
static void man_entry(const char *before, const char *name, const char *value, const char *text) {
    fputs(".TP\n.B ", stdout);
    roff(before);
    roff(name);
    if (value) {
        putchar(' ');
        roff(value);
    }
    putchar('\n');
    roff(text);
    putchar('\n');
}

static void man_command(const CliCommand *c) {
    printf(".SS %s\n.B tessera %s\n", c->name, c->name);
    roff(c->arguments);
    puts("\n.PP");
    roff(c->help);
    putchar('\n');
    for (const CliAction *a = c->actions; a && a->name; a++) man_entry("", a->name, a->shape, a->about);
    for (const CliOption *o = c->options; o->name; o++) {
        char before[8] = "--";
        if (o->letter) snprintf(before, sizeof before, "-%c, --", o->letter);
        man_entry(before, o->name, o->argument, o->help);
    }
}

void cli_print_man(void) {
    puts(".TH TESSERA 1 \"\" \"tessera " TS_VERSION "\"\n.SH NAME\n"
         "tessera \\- finds and runs programs of the arc\\-dsl grid language for ARC tasks\n.SH SYNOPSIS\n"
         ".B tessera\nCOMMAND …\n.br\n.B tessera\nCOMMAND \\-\\-help\n.br\n.B tessera\n"
         "\\-\\-version | \\-\\-man | \\-\\-completion bash | zsh | fish\n.SH COMMANDS");
    for (const CliGroup *g = cli_groups; g->wish; g++) {
        printf(".SS %s\n", g->wish);
        for (const CliCommand *const *c = g->commands; *c; c++)
            man_entry("", (*c)->name, NULL, (*c)->summary);
    }
    puts(".SH EACH COMMAND");
    const CliCommand *c;
    for (size_t k = 0; (c = cli_command_at(k)); k++) man_command(c);
    puts(".SH ENGINES\nWhat searches programs, in the order in which it runs: names for \\-\\-engine.");
    const char *name, *about;
    for (size_t k = 0; (name = ts_search_engine_at(k, &about)); k++) man_entry("", name, NULL, about);
    puts(
        ".SH EXIT STATUS\n"
        "0 good; 1 a check found something that is not as expected, or the expression fails; 2 wrong usage;\n"
        "3 something could not be read (what could be was used); 4 a file or memory could not be had.\n"
        ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nwhere set, nothing is coloured.\n.TP\n.B COLORTERM\n"
        "truecolor or 24bit: pictures in 24\\-bit colours, else 256.\n.TP\n.B COLUMNS\n"
        "how wide the output may be, where that is no terminal; else 80.");
}
