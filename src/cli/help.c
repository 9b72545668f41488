// Help: the list of commands and the text of each, laid out for the terminal's width; what was perhaps meant
// by a word that is mistyped.
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/cli.h"

enum {
    WIDEST = 100, // lines longer than that are hard to read
    INDENT = 23,  // where the texts of options begin
    MOST_ARGUMENTS = 1000,
};

static int help_columns(void) {
    const int columns = cli_columns(stdout);
    return columns < WIDEST ? columns : WIDEST;
}

// ---- Commands ----

const CliCommand *cli_command_at(size_t index) {
    for (const CliGroup *g = cli_groups; g->wish; g++)
        for (const CliCommand *const *c = g->commands; *c; c++)
            if (index-- == 0) return *c;
    return NULL;
}

const CliCommand *cli_command_find(const char *name) {
    const CliCommand *c;
    for (size_t k = 0; (c = cli_command_at(k)); k++)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}

void cli_print_commands(void) {
    const int columns = help_columns();
    cli_print_wrapped("", "Tessera finds programs of the grid language arc-dsl for ARC tasks, and runs them.",
                      columns);
    printf("\nusage: %s COMMAND …\n", cli_program);
    for (const CliGroup *g = cli_groups; g->wish; g++) {
        printf("\n%s\n", g->wish);
        for (const CliCommand *const *c = g->commands; *c; c++) {
            char left[32];
            snprintf(left, sizeof left, "  %s", (*c)->name);
            cli_print_beside(stdout, left, 14, (*c)->summary, columns);
        }
    }
    puts("");
    char end[200];
    snprintf(
        end, sizeof end,
        "`%s COMMAND --help` tells more. Exit codes: 0 good, 1 a check failed, 2 wrong usage, 3 something "
        "could not be read, 4 the system said no.",
        cli_program);
    cli_print_wrapped("", end, columns);
}

// ---- One command ----

// The texts of commands are written in lines of some length. What belongs together is put together again and
// laid out anew: paragraphs, the entries of lists, examples.
typedef struct {
    Text text, left;
    int indent, columns;
} Paragraph;

static void end_paragraph(Paragraph *p) {
    if (p->text.length) {
        const char *left = p->left.length ? p->left.data : "";
        cli_print_beside(stdout, left, p->indent, p->text.data, p->columns);
    }
    text_clear(&p->text);
    text_clear(&p->left);
    p->indent = 0;
}

// A command may go on in the next line after a backslash, also where it is copied into a shell.
static void print_example(const char *text, size_t length, int columns) {
    const int room = columns > INDENT ? columns - 2 : INDENT;
    char rest[400];
    snprintf(rest, sizeof rest, "%.*s", (int)length, text);
    const char *at = rest, *indent = "";
    while (utf8_columns(at, strlen(at)) + (int)strlen(indent) > columns) {
        const size_t n = cli_line_length(at, room - (int)strlen(indent));
        if (!at[n]) break; // one long word
        printf("%s%.*s \\\n", indent, (int)n, at);
        at += n + strspn(at + n, " ");
        indent = "    ";
    }
    printf("%s%s\n", indent, at);
}

static void add_line(Paragraph *p, const char *line, size_t length) {
    const int at = cli_entry_text(line, length);
    const size_t spaces = strspn(line, " ");
    const bool goes_on = p->text.length && (spaces ? (int)spaces == p->indent : !p->indent);
    const bool is_example = strncmp(line, "Example: ", 9) == 0;
    if (!goes_on || !length || is_example) end_paragraph(p);
    if (is_example) print_example(line, length, p->columns);
    else if (!length || (spaces && !at && !goes_on)) printf("%.*s\n", (int)length, line);
    if (is_example || !length || (spaces && !at && !goes_on)) return;
    if (at) {
        text_put(&p->left, line, (size_t)at);
        while (p->left.data && p->left.data[p->left.length - 1] == ' ') p->left.data[--p->left.length] = 0;
        p->indent = utf8_columns(line, (size_t)at);
    }
    if (p->text.length) text_char(&p->text, ' ');
    const size_t from = at ? (size_t)at : spaces;
    text_put(&p->text, line + from, length - from);
}

static void print_text(const char *text, int columns) {
    Paragraph p = {.columns = columns};
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = strchrnul(text, '\n');
        add_line(&p, text, (size_t)(end - text));
    }
    end_paragraph(&p);
    text_free(&p.text);
    text_free(&p.left);
}

static void print_option(const CliOption *o, int columns) {
    char left[64], letter[8] = "";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->argument ? " " : "",
             o->argument ? o->argument : "");
    cli_print_beside(stdout, left, INDENT, o->help, columns);
}

static void print_actions(const CliAction *actions, int columns) {
    for (const CliAction *a = actions; a && a->name; a++) {
        char left[64];
        snprintf(left, sizeof left, "  %s%s%s", a->name, a->shape ? " " : "", a->shape ? a->shape : "");
        cli_print_beside(stdout, left, INDENT, a->about, columns);
    }
    if (actions) puts("");
}

static void print_engines(int columns) {
    const char *name, *about;
    puts("\nThe engines, in the order in which they run:");
    for (size_t k = 0; (name = ts_search_engine_at(k, &about)); k++) {
        char left[40];
        snprintf(left, sizeof left, "  %s", name);
        cli_print_beside(stdout, left, INDENT, about, columns);
    }
}

const CliOption *cli_option_find(const CliCommand *c, const char *name, size_t length) {
    for (const CliOption *o = c->options; o->name; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) return o;
    return NULL;
}

static bool is_lacking(const CliOption *o) {
    for (const char *const *name = cli_lacks; *name; name++)
        if (strcmp(*name, o->name) == 0) return true;
    return false;
}

// Takes out "[--threads N] " and the like, where the program has none of it.
static void cut_lacking(char *arguments) {
    for (const char *const *name = cli_lacks; *name; name++) {
        char option[40];
        snprintf(option, sizeof option, "[--%s", *name);
        char *at = strstr(arguments, option), *end = at ? strchr(at, ']') : NULL;
        if (!end) continue;
        end += 1 + strspn(end + 1, " ");
        memmove(at, end, strlen(end) + 1);
    }
}

void cli_print_usage(FILE *out, const CliCommand *c) {
    char left[40], arguments[MOST_ARGUMENTS];
    snprintf(arguments, sizeof arguments, "%s", c->arguments);
    cut_lacking(arguments);
    const int indent = snprintf(left, sizeof left, "usage: %s %s ", cli_program, c->name);
    const int columns = cli_columns(out);
    left[indent - 1] = 0;
    cli_print_beside(out, left, indent, arguments, columns < WIDEST ? columns : WIDEST);
}

void cli_print_help(const CliCommand *c) {
    const int columns = help_columns();
    cli_print_usage(stdout, c);
    puts("");
    print_text(c->help, columns);
    puts("");
    print_actions(c->actions, columns);
    for (const CliOption *o = c->options; o->name; o++)
        if (!is_lacking(o)) print_option(o, columns);
    print_option(&(CliOption){.name = "help", .help = "this text"}, columns);
    if (cli_option_find(c, "engine", 6)) print_engines(columns);
}

// ---- What was perhaps meant ----

CliHint cli_hint(const char *word, const char *(*name_at)(size_t index, const void *of), const void *of) {
    CliHint hint = {""};
    const char *nearest = text_nearest(word, name_at, of);
    if (nearest) snprintf(hint.text, sizeof hint.text, "; did you mean '%s'?", nearest);
    return hint;
}
