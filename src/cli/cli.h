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
    bool many;           // takes several values
    char letter;         // its short form, 0 for none
    const char *choices; // the values that there are, with spaces between; NULL: any
} CliOption;

enum { CLI_MOST_OPTIONS = 32, CLI_MOST_VALUES = 4096, CLI_MOST_COMMANDS = 8 };

typedef struct Cli Cli;

// What a command can do, where its first word says which; closed by one without a name.
typedef struct {
    const char *name;
    const char *shape, *about; // for the help: what follows it, NULL for nothing; what it does
    ExitCode (*run)(Cli *cli);
    const char *argument; // what follows it, in words; NULL: nothing
    const char *options;  // that it takes, each between spaces
} CliAction;

typedef struct {
    const char *name, *arguments, *summary, *help; // help: what else there is to say, with an example
    CliOption options[CLI_MOST_OPTIONS];
    ExitCode (*run)(Cli *cli);
    const CliAction *actions; // NULL: it does one thing
} CliCommand;

// Who does the work of a search in place of this process's threads, as tessera-mpi has it.
typedef struct {
    bool (*solve)(ts_solver *solver, ts_solver_watch *watch, void *user, ts_status *s); // as ts_solver_run
    bool (*iterate)(ts_iterate *loop, uint64_t rounds, double seconds, ts_iterate_watch *watch, void *user,
                    ts_status *s);
    bool is_trusted; // as this process is
    int slots;       // of a loop, where the line does not say
} CliElsewhere;

struct Cli {
    const CliCommand *command;
    const CliElsewhere *elsewhere; // NULL: nobody else
    const char **words;            // what is no option
    int word_count;
    struct {
        const CliOption *option;
        const char *value;
    } * given;
    int given_count;
};

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

// The tasks that --tasks, --split and --keep-going ask for; the bundled ones where none are asked for.
ts_tasks *cli_tasks(const Cli *cli, int *problems, ExitCode *code);
// clang-format off
#define CLI_TASK_OPTIONS \
    {"tasks", "PATH", \
     "a folder of tasks, a task file, a challenges file or a data file; several times: all of them; else " \
     "the bundled tasks"}, \
    {"split", "NAME", "the part of a data file: train or eval", .choices = "train eval"}, \
    {"keep-going", NULL, "leave bad tasks out and go on"}
// clang-format on

// For a command on one task, its only word: the one in a file of that name, or the one with that id among the
// tasks asked for. `act` may count problems besides, which make a bad end.
ExitCode cli_with_task(Cli *cli, ExitCode (*act)(Cli *cli, const ts_task *task, int *problems));

// The programs of the files that the words name; the bundled ones where there are none. What cannot be read
// is reported and counted; NULL, with the exit code, where nothing is left or --strict asks for it.
ts_programs *cli_programs(const Cli *cli, int *problems, ExitCode *code);

const char *cli_engine_about(const char *name); // what it does, in a few words; "" where there is none

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

// The devices that --device asks for; NULL, with the exit code. (cmd_devices.c)
ts_devices *cli_devices(const Cli *cli, const char *usual, ExitCode *code);
// What was measured of a device: a table, and as the members of a JSON object.
void cli_print_prices(const ts_devices *devices, size_t index);
void cli_json_prices(Text *t, const ts_devices *devices, size_t index);
#define CLI_DEVICE_OPTION(usual)                                                                          \
    {                                                                                                     \
        "device", "WHICH",                                                                                \
            "where steps on images are done, which changes no result: auto, none, force, or the numbers " \
            "that "                                                                                       \
            "`tessera devices` lists, with commas between (" usual ")",                                   \
            .choices = "auto none force"                                                                  \
    }

// ---- The terminal (terminal.c) ----

ts_color cli_color(FILE *out); // what the terminal behind it can show
int cli_columns(FILE *out);
// What begins a colour for good or bad news, and ends it; "" where the output has no colours.
typedef enum { CLI_PLAIN, CLI_GOOD, CLI_FAIR, CLI_BAD } CliInk;
const char *cli_ink(FILE *out, CliInk ink);
// How much of a text goes on a line of so many columns: it ends at a space, or with a word that is too long.
size_t cli_line_length(const char *text, int columns);
// Each line begins with `start` and ends at a space, within so many columns where words allow it.
void cli_print_wrapped(const char *start, const char *text, int columns);
// A text in a column that begins at `indent`, with `left` before its first line, or above it where that is
// long.
void cli_print_beside(FILE *out, const char *left, int indent, const char *text, int columns);
// One line; on a terminal that is too narrow for it several, the further ones moved in.
void cli_print_line(const char *text, int indent);
// Where the text of an entry of a list begins, `  name   text`; 0 where the line is no such entry.
int cli_entry_text(const char *line, size_t length);
ExitCode cli_print_lines(Text *t); // each line of the text, where it is whole, and frees it
const char *cli_time_text(double seconds, char text[32]); // 48s, 1m20s, 2h05m
const char *cli_count_text(double n, char text[32]);      // 950, 12 k, 3.4 M

// A line on a terminal that is written over again and again, ten times a second at most, and never wraps.
// Quiet where stderr is no terminal.
typedef struct {
    const char *what, *unit; // of what is counted, such as "tasks"
    double start, shown;     // ms
    bool on, drawn;
} CliProgress;
CliProgress cli_progress(const char *what, const char *unit);
void cli_progress_show(CliProgress *p, size_t done, size_t all, const char *more);
// The same with another text, of pieces with ", " between, which are left out from the end where it is
// narrow; without a bar where the part is below 0.
void cli_progress_bar(CliProgress *p, double part, const char *text);
void cli_progress_log(CliProgress *p, const char *line); // a line that stays
void cli_progress_end(CliProgress *p);

// The profile that --profile FILE asks for, if it does: starts it; writes it to the file, and as a table to
// stderr. (cmd_profile.c)
ExitCode cli_profile_start(const Cli *cli, ts_profile **profile);
ExitCode cli_profile_end(const Cli *cli, ts_profile *profile);
#define CLI_PROFILE_OPTION \
    { "profile", "FILE", "write where the time went to a JSON file, and as a table to stderr" }

// The page that --pages DIR asks for, if it does, renewed while the command works. What goes wrong with it
// later is said once, and the work goes on. (live_pages.c)
typedef struct {
    ts_live *page; // NULL: none
    bool failed;   // and said
} CliLive;
ExitCode cli_live_open(const Cli *cli, CliLive *live, const ts_task *const *tasks, size_t count);
void cli_live_told(CliLive *live, bool good, const ts_status *s); // what came of telling it
void cli_live_close(CliLive *live, const ts_submission *submission);
const char *cli_tasks_title(const Cli *cli); // of a page: the name of the file or folder of the tasks
#define CLI_PAGES_OPTION \
    { "pages", "DIR", "a page to watch the work by, DIR/index.html, which is renewed as it goes on" }

// ---- Help, the man page, completion: all from the tables of the commands ----

// Commands by what people want.
typedef struct {
    const char *wish;
    const CliCommand *commands[CLI_MOST_COMMANDS]; // closed by NULL
} CliGroup;
extern const CliGroup cli_groups[];   // of the program; closed by one without a wish
extern const char cli_program[];      // its name
extern const char *const cli_lacks[]; // options of its commands that it has not, for they are for the threads
                                      // of one process; closed by NULL
// All of it: the command that the line names, and the exit code.
int cli_main(int argc, char **argv, const CliElsewhere *elsewhere);
const CliCommand *cli_command_at(size_t index); // of all groups; NULL after the last one
const CliCommand *cli_command_find(const char *name);
const CliOption *cli_option_find(const CliCommand *command, const char *name, size_t length);

void cli_print_commands(void);
void cli_print_help(const CliCommand *command);
void cli_print_usage(FILE *out, const CliCommand *command);
void cli_print_man(void);
bool cli_print_completion(const char *shell); // false: there is none for it
// Prints what may stand in place of the last word of a command line, each on a line: for the scripts that
// cli_print_completion prints.
ExitCode cli_complete(int count, char **words);

// "; did you mean 'x'?" for a word that is near to one of those that `name_at` gives (text_nearest); else "".
typedef struct {
    char text[80];
} CliHint;
CliHint cli_hint(const char *word, const char *(*name_at)(size_t index, const void *of), const void *of);

// The path of the playground, yours to free. NULL: said that there is none. (cmd_playground.c)
char *cli_playground(void);

#endif
