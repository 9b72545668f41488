// A command line is taken apart, and the command that it names is run.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

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

static const char *option_name(size_t index, const void *command) {
    const CliOption *o = &((const CliCommand *)command)->options[index];
    return o->name ? o->name : index == 0 || o[-1].name ? "help" : NULL;
}

static ExitCode unknown_option(const Cli *cli, const char *word, size_t length) {
    char name[40] = "";
    if (strncmp(word, "--", 2) == 0 && length - 2 < sizeof name) memcpy(name, word + 2, length - 2);
    const char *nearest = text_nearest(name, option_name, cli->command);
    return cli_usage(cli, "unknown option '%s'%s%s%s", word, nearest ? "; did you mean '--" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
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
        const CliOption *o = word[1] == '-' ? cli_option_find(cli->command, word + 2, length - 2)
                             : length == 2  ? find_letter(cli->command, word[1])
                                            : NULL;
        if (!o) return unknown_option(cli, word, length);
        if (!o->argument && equals) return cli_usage(cli, "--%s takes no value", o->name);
        if (o->argument && !equals && k + 1 == argc)
            return cli_usage(cli, "--%s needs a value: %s", o->name, o->argument);
        give(cli, o, !o->argument ? "" : equals ? equals + 1 : argv[++k]);
        k = take_more(cli, o, argv, k, argc);
    }
    return EXIT_GOOD;
}

// Work on a grid of 127 by 127 has its scratch on the stack. The stack takes its memory here, where its lack
// can be told: later on it would end the process.
enum { STACK_BYTES = 1 << 20 };

__attribute__((noinline)) static void reach_down(void) {
    char deep[STACK_BYTES];
    explicit_bzero(deep, 1); // which no compiler leaves out
}

static bool take_stack(void) {
    void *as_much = malloc(STACK_BYTES + STACK_BYTES / 8);
    if (!as_much) return false;
    free(as_much);
    reach_down();
    return true;
}

static ExitCode check_lacks(const Cli *cli) {
    for (const char *const *name = cli_lacks; *name; name++)
        if (cli_has(cli, *name))
            return cli_usage(cli, "--%s is for one process: `tessera %s` has it", *name, cli->command->name);
    return EXIT_GOOD;
}

static ExitCode run_command(const CliCommand *command, const CliElsewhere *elsewhere, int argc, char **argv) {
    for (int k = 0; k < argc && strcmp(argv[k], "--") != 0; k++) {
        if (strcmp(argv[k], "--help") && strcmp(argv[k], "-h")) continue;
        cli_print_help(command);
        return EXIT_GOOD;
    }
    Cli cli = {.command = command, .elsewhere = elsewhere};
    cli.words = calloc((size_t)argc + 1, sizeof *cli.words);
    cli.given = calloc((size_t)argc + 1, sizeof *cli.given);
    ExitCode code = cli.words && cli.given && take_stack() ? EXIT_GOOD : cli_no_memory();
    if (code == EXIT_GOOD) {
        code = parse_words(&cli, argc, argv);
        if (code == EXIT_GOOD) code = check_lacks(&cli);
        if (code == EXIT_GOOD) code = command->run(&cli);
    }
    free(cli.words);
    free(cli.given);
    return code;
}

static const char *command_name(size_t index, const void *unused) {
    static const char *const others[] = {"--help", "--version", "--man", "--completion"};
    const size_t other_count = sizeof others / sizeof *others;
    const CliCommand *c = index < other_count ? NULL : cli_command_at(index - other_count);
    (void)unused;
    return index < other_count ? others[index] : c ? c->name : NULL;
}

static ExitCode unknown_command(const char *name) {
    return cli_usage(&(Cli){0}, "unknown command '%s'%s", name, cli_hint(name, command_name, NULL).text);
}

static ExitCode help(const char *name) {
    const CliCommand *command = name ? cli_command_find(name) : NULL;
    if (command) cli_print_help(command);
    else if (name && name[0] != '-') return unknown_command(name);
    else cli_print_commands();
    return EXIT_GOOD;
}

static ExitCode print_completion(const char *shell) {
    if (cli_print_completion(shell ? shell : "bash")) return EXIT_GOOD;
    return cli_usage(&(Cli){0}, "there is completion for bash, zsh and fish, not for '%s'", shell);
}

static ExitCode act(int argc, char **argv, const CliElsewhere *elsewhere) {
    const char *first = argc > 1 ? argv[1] : "--help", *second = argc > 2 ? argv[2] : NULL;
    const CliCommand *command = cli_command_find(first);
    if (command) return run_command(command, elsewhere, argc - 2, argv + 2);
    if (!strcmp(first, "--help") || !strcmp(first, "-h") || !strcmp(first, "help")) return help(second);
    if (!strcmp(first, "--completion")) return print_completion(second);
    if (!strcmp(first, "--complete")) return cli_complete(argc - 2, argv + 2);
    if (!strcmp(first, "--version")) printf("%s %s\n", cli_program, ts_version());
    else if (!strcmp(first, "--man")) cli_print_man();
    else return unknown_command(first);
    return EXIT_GOOD;
}

int cli_main(int argc, char **argv, const CliElsewhere *elsewhere) {
    ExitCode code = act(argc, argv, elsewhere);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (code == EXIT_GOOD) code = EXIT_SYSTEM;
        cli_say("the output could not be written");
    }
    return (int)code;
}
