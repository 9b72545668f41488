// The command line: `tessera COMMAND …`. Each command is a table and a function in its own cmd_*.c.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

extern const CliCommand cmd_run, cmd_eval, cmd_check, cmd_print, cmd_show, cmd_ops, cmd_bench, cmd_pool,
    cmd_card, cmd_battery, cmd_profile, cmd_iterate, cmd_solve, cmd_score, cmd_explain, cmd_judge, cmd_report,
    cmd_merge;

const CliCommand *const cli_commands[] = {&cmd_run,     &cmd_eval,    &cmd_check, &cmd_print, &cmd_show,
                                          &cmd_ops,     &cmd_bench,   &cmd_pool,  &cmd_card,  &cmd_battery,
                                          &cmd_profile, &cmd_iterate, &cmd_solve, &cmd_score, &cmd_explain,
                                          &cmd_judge,   &cmd_report,  &cmd_merge, NULL};

static void print_commands(FILE *out) {
    fputs("Tessera runs programs of the arc-dsl grid language on ARC tasks.\n\nusage: tessera COMMAND …\n\n",
          out);
    int width = 0; // of the longest name
    for (const CliCommand *const *c = cli_commands; *c; c++)
        if ((int)strlen((*c)->name) > width) width = (int)strlen((*c)->name);
    for (const CliCommand *const *c = cli_commands; *c; c++)
        fprintf(out, "  %-*s %s\n", width, (*c)->name, (*c)->summary);
    fputs("\n`tessera COMMAND --help` tells more. Exit codes: 0 good, 1 a check failed, 2 wrong usage,\n"
          "3 something could not be read, 4 the system said no.\n",
          out);
}

static void print_help(const CliCommand *c) {
    printf("usage: tessera %s %s\n\n%s\n\n", c->name, c->arguments, c->help);
    for (const CliOption *o = c->options; o->name; o++) {
        char left[64], letter[8] = "";
        if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->argument ? " " : "",
                 o->argument ? o->argument : "");
        int beyond = 0; // bytes that take no column: an ellipsis is three bytes
        for (const char *at = left; *at; at++) beyond += (*at & 0xC0) == 0x80;
        printf("  %-*s %s\n", 20 + beyond, left, o->help);
    }
    printf("  %-20s %s\n", "--help", "this text");
}

static const CliCommand *find_command(const char *name) {
    for (const CliCommand *const *c = cli_commands; *c; c++)
        if (strcmp((*c)->name, name) == 0) return *c;
    return NULL;
}

static const CliOption *find_option(const CliCommand *c, const char *name, size_t length) {
    for (const CliOption *o = c->options; o->name; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) return o;
    return NULL;
}

static const CliOption *find_letter(const CliCommand *c, char letter) {
    for (const CliOption *o = c->options; o->name; o++)
        if (o->letter == letter) return o;
    return NULL;
}

static void give(Cli *cli, const CliOption *option, const char *value) {
    cli->given[cli->given_count].option = option;
    cli->given[cli->given_count++].value = value;
}

// An option that takes many values takes the words after it too, as long as they are not names of files.
static int take_more(Cli *cli, const CliOption *o, char **argv, int k, int argc) {
    while (o->many && k + 1 < argc && argv[k + 1][0] != '-' && access(argv[k + 1], F_OK) != 0)
        give(cli, o, argv[++k]);
    return k;
}

static ExitCode parse_words(Cli *cli, int argc, char **argv) {
    bool only_words = false;
    for (int k = 0; k < argc; k++) {
        const char *word = argv[k];
        if (only_words || word[0] != '-' || !word[1]) {
            cli->words[cli->word_count++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_words = true;
            continue;
        }
        const char *equals = strchr(word, '=');
        size_t length = equals ? (size_t)(equals - word) : strlen(word);
        const CliOption *o = word[1] == '-' ? find_option(cli->command, word + 2, length - 2)
                             : length == 2  ? find_letter(cli->command, word[1])
                                            : NULL;
        if (!o) return cli_usage(cli, "unknown option '%s'", word);
        if (!o->argument && equals) return cli_usage(cli, "--%s takes no value", o->name);
        if (o->argument && !equals && k + 1 == argc)
            return cli_usage(cli, "--%s needs a value: %s", o->name, o->argument);
        give(cli, o, !o->argument ? "" : equals ? equals + 1 : argv[++k]);
        k = take_more(cli, o, argv, k, argc);
    }
    return EXIT_GOOD;
}

static ExitCode run_command(const CliCommand *command, int argc, char **argv) {
    for (int k = 0; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (strcmp(argv[k], "--help") && strcmp(argv[k], "-h")) continue;
        print_help(command);
        return EXIT_GOOD;
    }
    Cli cli = {.command = command};
    cli.words = calloc((size_t)argc + 1, sizeof *cli.words);
    cli.given = calloc((size_t)argc + 1, sizeof *cli.given);
    ExitCode code = cli.words && cli.given ? EXIT_GOOD : cli_no_memory();
    if (code == EXIT_GOOD) {
        code = parse_words(&cli, argc, argv);
        if (code == EXIT_GOOD) code = command->run(&cli);
    }
    free(cli.words);
    free(cli.given);
    return code;
}

int main(int argc, char **argv) {
    const char *first = argc > 1 ? argv[1] : "--help";
    ExitCode code = EXIT_GOOD;
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
        const CliCommand *about = argc > 2 ? find_command(argv[2]) : NULL;
        if (about) print_help(about);
        else if (argc > 2 && argv[2][0] != '-') code = cli_usage(&(Cli){0}, "unknown command '%s'", argv[2]);
        else print_commands(stdout);
    } else if (strcmp(first, "--version") == 0) printf("tessera %s\n", ts_version());
    else if (strcmp(first, "--man") == 0) cli_print_man();
    else if (strcmp(first, "--completion") == 0) cli_print_completion();
    else {
        const CliCommand *command = find_command(first);
        if (command) code = run_command(command, argc - 2, argv + 2);
        else code = cli_usage(&(Cli){0}, "unknown command '%s'", first);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (code == EXIT_GOOD) code = EXIT_SYSTEM;
        cli_say("the output could not be written");
    }
    return (int)code;
}
