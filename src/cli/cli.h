// What the commands share: options from a table, exit codes, messages.
#ifndef TESSERA_CLI_CLI_H
#define TESSERA_CLI_CLI_H

#include <stdio.h>

#include "base/clock.h"
#include "base/text.h"
#include "tessera.h"

typedef enum {
    EXIT_GOOD = 0,
    EXIT_MISMATCH = 1, // a check found something that is not as expected
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,  // something could not be read; what could be was used
    EXIT_SYSTEM = 4, // files, memory
} ExitCode;

typedef struct {
    const char *name;     // without the dashes
    const char *argument; // how the help calls its value; NULL: a switch
    const char *help;
    bool many;   // takes several values
    char letter; // its short form, 0 for none
} CliOption;

enum { CLI_MOST_OPTIONS = 32, CLI_MOST_VALUES = 4096 };

typedef struct Cli Cli;

typedef struct {
    const char *name, *arguments, *summary, *help; // help: what else there is to say, with an example
    CliOption options[CLI_MOST_OPTIONS];
    ExitCode (*run)(Cli *cli);
} CliCommand;

struct Cli {
    const CliCommand *command;
    const char **words; // what is no option
    int word_count;
    struct {
        const CliOption *option;
        const char *value;
    } * given;
    int given_count;
};

extern const CliCommand *const cli_commands[]; // closed by NULL

bool cli_has(const Cli *cli, const char *option);
const char *cli_value(const Cli *cli, const char *option); // the last one given, NULL where none was
// The values of an option in turn: *at starts at 0. NULL after the last.
const char *cli_next(const Cli *cli, const char *option, int *at);
// False: said what is wrong.
bool cli_number(const Cli *cli, const char *option, long least, long most, long *value);

// A message of one line. What a terminal would not just show is escaped, as in a status.
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
ExitCode cli_usage(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
ExitCode cli_fail(const ts_status *s); // prints it and gives the exit code
ExitCode cli_no_memory(void);          // says so and gives the exit code
ExitCode cli_print(Text *t);           // prints the text, where it is whole, and frees it
void cli_print_status(const ts_status *s);
void cli_report(void *user, const ts_status *s); // prints it; `user` counts them where it is an int

ts_color cli_color(FILE *out); // what the terminal behind it can show
int cli_columns(FILE *out);
// Each line begins with `start` and ends at a space, within so many columns where words allow it.
void cli_print_wrapped(const char *start, const char *text, int columns);

// The tasks that --tasks, --split and --keep-going ask for; the bundled ones where none are asked for.
ts_tasks *cli_tasks(const Cli *cli, int *problems, ExitCode *code);
// clang-format off
#define CLI_TASK_OPTIONS \
    {"tasks", "PATH", \
     "a folder of tasks, a task file, a challenges file or a data file; several times: all of them; else " \
     "the bundled tasks"}, \
    {"split", "NAME", "the part of a data file: train or eval"}, \
    {"keep-going", NULL, "leave bad tasks out and go on"}
// clang-format on

// For a command on one task, its only word: the one in a file of that name, or the one with that id among the
// tasks asked for. `act` may count problems besides, which make a bad end.
ExitCode cli_with_task(Cli *cli, ExitCode (*act)(Cli *cli, const ts_task *task, int *problems));

// The programs of the files that the words name; the bundled ones where there are none. What cannot be read
// is reported and counted; NULL, with the exit code, where nothing is left or --strict asks for it.
ts_programs *cli_programs(const Cli *cli, int *problems, ExitCode *code);

// The bundled differs and those of the files that --differs names; with --only-differs no bundled ones. NULL,
// with the exit code.
ts_programs *cli_differs(const Cli *cli, ExitCode *code);
// clang-format off
#define CLI_DIFFERS_OPTIONS \
    {"differs", "FILE", "score with the differs of this file, too"}, \
    {"only-differs", "FILE", "score with the differs of this file instead of the bundled ones"}
// clang-format on

// The tasks that -i, or -s and -c, or --seed with -c ask for, out of all; NULL, with the exit code.
const ts_task **cli_select(const Cli *cli, const ts_tasks *tasks, size_t *count, ExitCode *code);
// clang-format off
#define CLI_SELECT_OPTIONS CLI_RANGE_OPTIONS, {"seed", "N", "take the tasks in a random order that N decides"}
// clang-format on
// The same without --seed, which may mean something else.
const ts_task **cli_select_in_order(const Cli *cli, const ts_tasks *tasks, size_t *count, ExitCode *code);
// clang-format off
#define CLI_RANGE_OPTIONS \
    {"count", "N", "only so many tasks", .letter = 'c'}, \
    {"start", "N", "from this task on, counted from 0", .letter = 's'}, \
    {"id", "ID…", "only these tasks", .many = true, .letter = 'i'}
// clang-format on

// False: said what is wrong.
bool cli_decimal(const Cli *cli, const char *option, double least, double most, double *value);

// A length of time in seconds, such as 300ms, 90s, 15m or 1h30m; a number of bytes, such as 512M or 2G.
// False: said what is wrong.
bool cli_duration(const Cli *cli, const char *option, double *seconds);
bool cli_bytes(const Cli *cli, const char *option, size_t *bytes);

// The submission that a word FILE[=WEIGHT] names, of these tasks or (NULL) of those that it has. Yours to
// free.
ExitCode cli_weighted(const Cli *cli, const char *word, const ts_task *const *tasks, size_t count,
                      ts_merge_source *source);

// The programs of a pool, of a file or of all files *.py of a folder, whichever the path names; of a pool
// only those with a score for the task, where one is given, the best first. What cannot be read is reported
// and counted; NULL, with the exit code, where there is nothing to read. (pool_path.c)
ts_programs *cli_pool_programs(const char *path, const char *task, int *problems, ExitCode *code);
bool cli_is_pool(const char *path); // a file that is a pool
// Stores the programs of the words after the first in the pool at this path. (pool_import.c)
ExitCode cli_pool_import(const Cli *cli, const char *path);

// A line on a terminal that is written over again and again. Quiet where stderr is none.
typedef struct {
    const char *what;
    double start, shown; // ms
    bool on;
} CliProgress;
CliProgress cli_progress(const char *what);
void cli_progress_show(CliProgress *p, size_t done, size_t all, const char *more);
void cli_progress_bar(CliProgress *p, double part, const char *text); // the same with another text
void cli_progress_log(CliProgress *p, const char *line);              // a line that stays
void cli_progress_end(CliProgress *p);

// The profile that --profile FILE asks for, if it does: starts it; writes it to the file, and as a table to
// stderr. (cmd_profile.c)
ExitCode cli_profile_start(const Cli *cli, ts_profile **profile);
ExitCode cli_profile_end(const Cli *cli, ts_profile *profile);
#define CLI_PROFILE_OPTION \
    { "profile", "FILE", "write where the time went to a JSON file, and as a table to stderr" }

void cli_print_man(void);
void cli_print_completion(void);

#endif
