// What commands ask for by their options: numbers, tasks, programs; and how they say what is wrong.
#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"

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

bool cli_decimal(const Cli *cli, const char *option, double least, double most, double *value) {
    const char *text = cli_value(cli, option);
    if (!text) return true;
    char *end;
    double n = strtod(text, &end);
    if (*text && !*end && n >= least && n <= most) {
        *value = n;
        return true;
    }
    cli_usage(cli, "--%s takes a number from %g to %g, not '%s'", option, least, most, text);
    return false;
}

bool cli_duration(const Cli *cli, const char *option, double *seconds) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"h", 3600}, {"m", 60}, {"s", 1}};
    const char *text = cli_value(cli, option), *at = text;
    if (!text) return true;
    double sum = 0;
    bool good = *text != 0;
    while (good && *at) {
        char *end;
        double n = isdigit((unsigned char)*at) || *at == '.' ? strtod(at, &end) : -1;
        size_t unit = 0;
        while (n >= 0 && unit < 4 && strncmp(end, units[unit].name, strlen(units[unit].name)) != 0) unit++;
        good = n >= 0 && unit < 4;
        if (!good) break;
        sum += n * units[unit].seconds;
        at = end + strlen(units[unit].name);
    }
    if (good && sum >= 1e-6 && sum <= 1e8) {
        *seconds = sum;
        return true;
    }
    cli_usage(cli, "--%s takes a time such as 300ms, 90s, 15m or 1h30m, not '%s'", option, text);
    return false;
}

bool cli_bytes(const Cli *cli, const char *option, size_t *bytes) {
    static const char letters[] = "KMGT";
    const char *text = cli_value(cli, option);
    if (!text) return true;
    char *end = NULL;
    double n = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
    const char *letter = end && *end ? strchr(letters, *end) : NULL;
    for (const char *k = letters; letter && k <= letter; k++) n *= 1024;
    if (n >= 1 && n < 0x1p62 && (!*end || (letter && !end[1]))) {
        *bytes = (size_t)n;
        return true;
    }
    cli_usage(cli, "--%s takes a number of bytes such as 512M or 2G, not '%s'", option, text);
    return false;
}

// ---- Messages ----

static void say(const char *format, va_list args) {
    char message[1024], shown[2048];
    vsnprintf(message, sizeof message, format, args);
    status_escape(shown, sizeof shown, message, strlen(message));
    fprintf(stderr, "tessera: %s\n", shown);
}

void cli_say(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
}

ExitCode cli_usage(const Cli *cli, const char *format, ...) {
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    if (cli->command) cli_print_usage(stderr, cli->command);
    else fputs("`tessera --help` lists the commands\n", stderr);
    return EXIT_USAGE;
}

void cli_print_status(const ts_status *s) {
    if (s->file[0]) fprintf(stderr, "%s:", s->file);
    if (s->line) fprintf(stderr, "%d:", s->line);
    if (s->column) fprintf(stderr, "%d:", s->column);
    fprintf(stderr, "%s%s\n", s->file[0] || s->line ? " " : "tessera: ", s->message);
    if (s->excerpt[0]) fprintf(stderr, "  %s\n  %*s^\n", s->excerpt, s->caret, "");
}

ExitCode cli_fail(const ts_status *s) {
    cli_print_status(s);
    return s->code == TS_SYSTEM ? EXIT_SYSTEM : EXIT_INPUT;
}

ExitCode cli_no_memory(void) {
    fputs("tessera: not enough memory\n", stderr);
    return EXIT_SYSTEM;
}

ExitCode cli_print(Text *t) {
    const bool whole = !t->failed;
    if (whole && t->data) fputs(t->data, stdout);
    text_free(t);
    return whole ? EXIT_GOOD : cli_no_memory();
}

void cli_report(void *user, const ts_status *s) {
    cli_print_status(s);
    if (user) ++*(int *)user;
}

// ---- Tasks ----

// The values of an option, in turn. NULL: no memory.
static const char **all_values(const Cli *cli, const char *option, size_t *count) {
    const char **values = calloc((size_t)cli->given_count + 1, sizeof *values), *value;
    *count = 0;
    for (int at = 0; values && (value = cli_next(cli, option, &at));) values[(*count)++] = value;
    return values;
}

ts_tasks *cli_tasks(const Cli *cli, int *problems, ExitCode *code) {
    ts_status s;
    size_t count;
    const char **paths = all_values(cli, "tasks", &count), *split = cli_value(cli, "split");
    bool keep_going = cli_has(cli, "keep-going");
    ts_tasks *tasks = NULL;
    if (!paths) status_fail(&s, TS_SYSTEM, "not enough memory");
    else if (count) tasks = ts_tasks_read_all(paths, count, split, keep_going, cli_report, problems, &s);
    else tasks = ts_tasks_bundled(split, &s);
    free(paths);
    if (tasks) return tasks;
    // Where all went on to the end and nothing was left, the reader has reported each problem; else this is
    // the one that ended it.
    static const char none_left[] = "no task could be read: ";
    bool said = keep_going && *problems > 0 && strncmp(s.message, none_left, sizeof none_left - 1) == 0;
    *code = said ? EXIT_INPUT : cli_fail(&s);
    return NULL;
}

// The task of a word: the one in a file of that name, or the one with that id among the tasks asked for.
// NULL, with the exit code. The set that it belongs to is to be freed in any case.
static const ts_task *task_of(const Cli *cli, const char *word, ts_tasks **tasks, int *problems,
                              ExitCode *code) {
    ts_status s;
    struct stat info;
    bool is_file = !cli_value(cli, "tasks") && stat(word, &info) == 0 && S_ISREG(info.st_mode);
    *tasks = is_file ? ts_tasks_read(word, NULL, false, NULL, NULL, &s) : cli_tasks(cli, problems, code);
    if (!*tasks) {
        if (is_file) *code = cli_fail(&s);
        return NULL;
    }
    size_t count = ts_tasks_count(*tasks);
    const ts_task *task = is_file && count == 1 ? ts_tasks_at(*tasks, 0) : ts_tasks_find(*tasks, word);
    if (task) return task;
    *code = EXIT_INPUT;
    const char *path = cli_value(cli, "tasks"), *name = cli->command->name;
    int paths = 0;
    for (int at = 0; cli_next(cli, "tasks", &at);) paths++;
    if (paths > 1) path = "any of the paths of --tasks";
    if (is_file)
        cli_say("there are %zu tasks in '%s'; `tessera %s ID --tasks %s` takes one", count, word, name, word);
    else cli_say("no task '%s' in %s", word, path ? path : "the bundled tasks (--tasks names others)");
    return NULL;
}

ExitCode cli_with_task(Cli *cli, ExitCode (*act)(Cli *cli, const ts_task *task, int *problems)) {
    ExitCode code = EXIT_GOOD;
    int problems = 0;
    ts_tasks *tasks;
    if (cli->word_count != 1) return cli_usage(cli, "expected one task: a file or an id");
    const ts_task *task = task_of(cli, cli->words[0], &tasks, &problems, &code);
    if (task) code = act(cli, task, &problems);
    ts_tasks_free(tasks);
    return code ? code : problems ? EXIT_INPUT : EXIT_GOOD;
}

static void exchange(const ts_task **tasks, size_t a, size_t b) {
    const ts_task *task = tasks[a];
    tasks[a] = tasks[b];
    tasks[b] = task;
}

static const ts_task **choose(const Cli *cli, const ts_tasks *tasks, bool shuffled, size_t *count,
                              ExitCode *code) {
    long all = (long)ts_tasks_count(tasks), start = 0, most = all, seed = 0, n = 0;
    *code = EXIT_USAGE;
    if (!cli_number(cli, "start", 0, LONG_MAX, &start) || !cli_number(cli, "count", 1, LONG_MAX, &most) ||
        !cli_number(cli, "seed", 0, LONG_MAX, &seed))
        return NULL;
    const char *id;
    size_t ids = 0;
    for (int at = 0; cli_next(cli, "id", &at);) ids++;
    const ts_task **chosen = calloc((size_t)all + ids + 1, sizeof(ts_task *));
    if (!chosen) {
        *code = cli_no_memory();
        return NULL;
    }
    for (int at = 0; (id = cli_next(cli, "id", &at));) {
        chosen[n] = ts_tasks_find(tasks, id);
        long known = 0; // one that is named twice is taken once
        while (known < n && chosen[known] != chosen[n]) known++;
        if (chosen[n] && known < n) continue;
        if (chosen[n++]) continue;
        cli_say("no task '%s' among the %ld tasks", id, all);
        *code = EXIT_INPUT;
        free(chosen);
        return NULL;
    }
    for (long k = 0; !ids && k < all; k++) chosen[n++] = ts_tasks_at(tasks, (size_t)k);
    Rng rng = {(uint64_t)seed};
    for (long k = n; shuffled && k > 1; k--) exchange(chosen, (size_t)k - 1, rng_below(&rng, (uint32_t)k));
    if (start > n) start = n;
    if (most > n - start) most = n - start;
    memmove(chosen, chosen + start, (size_t)most * sizeof(ts_task *));
    *count = (size_t)most;
    *code = EXIT_GOOD;
    return chosen;
}

const ts_task **cli_select(const Cli *cli, const ts_tasks *tasks, size_t *count, ExitCode *code) {
    return choose(cli, tasks, cli_has(cli, "seed"), count, code);
}

const ts_task **cli_select_in_order(const Cli *cli, const ts_tasks *tasks, size_t *count, ExitCode *code) {
    return choose(cli, tasks, false, count, code);
}

// ---- Submissions ----

// A file whose name has an = in it is meant as it is.
ExitCode cli_weighted(const Cli *cli, const char *word, const ts_task *const *tasks, size_t count,
                      ts_merge_source *source) {
    ts_status status;
    const char *equals = access(word, F_OK) == 0 ? NULL : strrchr(word, '=');
    char *path = equals ? strndup(word, (size_t)(equals - word)) : strdup(word), *end;
    if (!path) return cli_no_memory();
    source->weight = equals ? strtod(equals + 1, &end) : 1;
    ExitCode code = EXIT_GOOD;
    if (equals && (end == equals + 1 || *end || !(source->weight > 0 && source->weight < 1e9)))
        code = cli_usage(cli, "'%s': the weight after the = is a number above 0", word);
    else if (!(source->submission = ts_submission_read_part(path, tasks, count, NULL, &status)))
        code = cli_fail(&status);
    free(path);
    return code;
}

// ---- Programs ----

ts_programs *cli_programs(const Cli *cli, int *problems, ExitCode *code) {
    ts_status s = {0};
    ts_programs *programs = ts_programs_new();
    if (!programs) {
        *code = cli_no_memory();
        return NULL;
    }
    bool strict = cli_has(cli, "strict"), good = true;
    if (cli->word_count == 0) good = ts_programs_examples(programs, &s);
    for (int k = 0; k < cli->word_count && (good || !strict); k++)
        good &= ts_programs_add_file(programs, cli->words[k], strict, cli_report, problems, &s);
    *code = s.code == TS_SYSTEM ? EXIT_SYSTEM : EXIT_INPUT;
    if (good || (!strict && ts_programs_count(programs) > 0)) return programs;
    ts_programs_free(programs);
    return NULL;
}

ts_programs *cli_differs(const Cli *cli, ExitCode *code) {
    ts_status s;
    const char *file;
    ts_programs *differs = ts_programs_new();
    if (!differs) {
        *code = cli_no_memory();
        return NULL;
    }
    bool good = cli_has(cli, "only-differs") || ts_differs_bundled(differs, &s);
    for (int at = 0; good && (file = cli_next(cli, "differs", &at));)
        good = ts_differs_add_file(differs, file, &s);
    for (int at = 0; good && (file = cli_next(cli, "only-differs", &at));)
        good = ts_differs_add_file(differs, file, &s);
    if (good) return differs;
    *code = cli_fail(&s);
    ts_programs_free(differs);
    return NULL;
}

const char *cli_engine_about(const char *name) {
    const char *known, *about;
    for (size_t k = 0; (known = ts_search_engine_at(k, &about)); k++)
        if (strcmp(known, name) == 0) return about;
    return "";
}
