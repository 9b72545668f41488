// The man page and the bash completion, from the tables of the commands.
#include <string.h>

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

void cli_print_man(void) {
    puts(".TH TESSERA 1 \"\" \"tessera " TS_VERSION "\"\n.SH NAME\n"
         "tessera \\- runs programs of the arc\\-dsl grid language on ARC tasks\n.SH SYNOPSIS");
    for (const CliCommand *const *c = cli_commands; *c; c++) {
        printf("%s.B tessera %s\n", c == cli_commands ? "" : ".br\n", (*c)->name);
        roff((*c)->arguments);
        putchar('\n');
    }
    puts(".SH COMMANDS");
    for (const CliCommand *const *c = cli_commands; *c; c++) {
        printf(".SS %s\n", (*c)->name);
        roff((*c)->help);
        putchar('\n');
        for (const CliOption *o = (*c)->options; o->name; o++) {
            fputs(".TP\n.B ", stdout);
            if (o->letter) printf("\\-%c, ", o->letter);
            fputs("\\-\\-", stdout);
            roff(o->name);
            printf("%s%s\n", o->argument ? " " : "", o->argument ? o->argument : "");
            roff(o->help);
            putchar('\n');
        }
    }
    puts(
        ".SH EXIT STATUS\n"
        "0 good; 1 a check found something that is not as expected, or the expression fails; 2 wrong usage;\n"
        "3 something could not be read (what could be was used); 4 a file or memory could not be had.\n"
        ".SH ENVIRONMENT\n.B NO_COLOR\nwhere set, pictures are drawn without colours.\n.B COLORTERM\n"
        "truecolor or 24bit: pictures in 24\\-bit colours, else 256.");
}

void cli_print_completion(void) {
    puts("# bash completion for tessera, made by `tessera --completion`\n_tessera() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options\n"
         "    if [ \"$COMP_CWORD\" = 1 ]; then");
    fputs("        COMPREPLY=($(compgen -W '--help --version", stdout);
    for (const CliCommand *const *c = cli_commands; *c; c++) printf(" %s", (*c)->name);
    puts("' -- \"$word\"))\n        return\n    fi\n    case $before in\n"
         "    --split) COMPREPLY=($(compgen -W 'train eval' -- \"$word\")); return ;;\n    esac\n"
         "    case ${COMP_WORDS[1]} in");
    for (const CliCommand *const *c = cli_commands; *c; c++) {
        printf("    %s) options='--help", (*c)->name);
        for (const CliOption *o = (*c)->options; o->name; o++) printf(" --%s", o->name);
        if (strcmp((*c)->name, "ops") == 0)
            for (size_t k = 0; k < ts_ops_count(); k++) printf(" %s", ts_ops_at(k).name);
        puts("' ;;");
    }
    puts("    esac\n    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"; compgen -f -- \"$word\"))\n}\n"
         "complete -o filenames -F _tessera tessera");
}
