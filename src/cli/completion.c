// Completion: what may stand at the end of a command line that somebody is typing.
//
// `tessera --complete WORD…` knows it, from the tables of the commands and from the tasks that the line
// names; the last word is the one that is begun, and may be empty. It prints a candidate a line, with a tab
// and what it is behind it; `:files` says that names of files may stand there, too. The scripts for the
// shells only ask.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/lay_in.h"
#include "cli/cli.h"

// ---- The scripts ----

LAY_IN(script_bash, "src/cli/completion.bash");
LAY_IN(script_zsh, "src/cli/completion.zsh");
LAY_IN(script_fish, "src/cli/completion.fish");

bool cli_print_completion(const char *shell) {
    const char *script = strcmp(shell, "bash") == 0   ? script_bash
                         : strcmp(shell, "zsh") == 0  ? script_zsh
                         : strcmp(shell, "fish") == 0 ? script_fish
                                                      : NULL;
    return script && fputs(script, stdout) >= 0;
}

// ---- The line ----

typedef struct {
    char **words; // all but the last
    int count;
    const CliCommand *command;
    const char *begun; // what is begun: of the last word what stands behind `kept`
    const char *kept;  // of the last word what stays, such as "--engine=draw,"
    int kept_length;
} Line;

static void offer(const Line *l, const char *word, const char *about) {
    if (strncmp(word, l->begun, strlen(l->begun)) != 0) return;
    printf("%.*s%s%s%s\n", l->kept_length, l->kept, word, about ? "\t" : "", about ? about : "");
}

static void offer_option(const Line *l, const CliOption *o) {
    char word[64];
    snprintf(word, sizeof word, "--%s", o->name);
    offer(l, word, o->help);
}

static void offer_options(const Line *l) {
    for (const CliOption *o = l->command->options; o->name; o++) offer_option(l, o);
    offer(l, "--help", "this text");
}

static void offer_commands(const Line *l) {
    const CliCommand *c;
    for (size_t k = 0; (c = cli_command_at(k)); k++) offer(l, c->name, c->summary);
}

// ---- Ids of tasks ----

// The path of a word as it was typed: a shell has not looked at it yet. Only what is a file or folder, for
// reading a pipe might wait for ever. NULL: none.
static char *typed_path(const char *word) {
    struct stat info;
    char *path = NULL;
    const char *home = getenv("HOME");
    const bool at_home = strncmp(word, "~/", 2) == 0 && home;
    if (asprintf(&path, "%s%s", at_home ? home : "", at_home ? word + 1 : word) < 0) return NULL;
    if (stat(path, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))) return path;
    free(path);
    return NULL;
}

// The value of word k as that of an option, NULL where it is none.
static const char *value_at(const Line *l, int k, const char *option) {
    const size_t length = strlen(option);
    if (strncmp(l->words[k], option, length) == 0 && l->words[k][length] == '=')
        return l->words[k] + length + 1;
    if (strcmp(l->words[k], option) != 0 || k + 1 >= l->count) return NULL;
    const bool is_torn = strcmp(l->words[k + 1], "=") == 0 && k + 2 < l->count; // by bash
    return l->words[is_torn ? k + 2 : k + 1];
}

// The tasks of the line: those of its --tasks, else the bundled ones. What cannot be read is passed over.
static ts_tasks *line_tasks(const Line *l) {
    ts_status s;
    const char *split = NULL, *value;
    size_t count = 0;
    char **paths = calloc((size_t)l->count + 1, sizeof *paths);
    if (!paths) return NULL;
    for (int k = 0; k < l->count; k++) {
        if ((value = value_at(l, k, "--split"))) split = value;
        if ((value = value_at(l, k, "--tasks")) && (paths[count] = typed_path(value))) count++;
    }
    ts_tasks *tasks = count
                          ? ts_tasks_read_all((const char *const *)paths, count, split, true, NULL, NULL, &s)
                          : ts_tasks_bundled(NULL, &s);
    while (count) free(paths[--count]);
    free(paths);
    return tasks;
}

static void offer_ids(const Line *l) {
    ts_tasks *tasks = line_tasks(l);
    for (size_t k = 0; tasks && k < ts_tasks_count(tasks); k++) {
        const ts_task *task = ts_tasks_at(tasks, k);
        char about[64];
        snprintf(about, sizeof about, "%d demo%s, %d test%s", task->demos, task->demos == 1 ? "" : "s",
                 task->tests, task->tests == 1 ? "" : "s");
        if (!strpbrk(task->id, "\t\n\r\x1b")) offer(l, task->id, about);
    }
    ts_tasks_free(tasks);
}

// ---- Values of options ----

// Of a list with commas the last name is begun.
static void after_comma(Line *l) {
    const char *comma = strrchr(l->begun, ',');
    if (!comma) return;
    l->kept_length += (int)(comma + 1 - l->begun);
    l->begun = comma + 1;
}

// Whether a value is the name of a file or folder: FILE, PATH, P, DIR, P.py, R.json, …
static bool is_path(const CliOption *o) { return strchr("DFP", o->argument[0]) || strchr(o->argument, '.'); }

static void offer_choices(const Line *l, const char *choices) {
    for (const char *at = choices, *end; *at; at = *end ? end + 1 : end) {
        char word[32];
        end = strchrnul(at, ' ');
        snprintf(word, sizeof word, "%.*s", (int)(end - at), at);
        offer(l, word, NULL);
    }
}

static void offer_value(Line *l, const CliOption *o) {
    const char *name, *about;
    const bool is_engine = strcmp(o->name, "engine") == 0, is_kind = strcmp(o->name, "kinds") == 0;
    if (is_engine || is_kind) after_comma(l);
    for (size_t k = 0; is_engine && (name = ts_search_engine_at(k, &about)); k++) offer(l, name, about);
    for (int k = 0; is_kind && k < TS_MUTATIONS; k++) offer(l, ts_mutation_name((ts_mutation)k), NULL);
    if (o->choices) offer_choices(l, o->choices);
    else if (strncmp(o->argument, "ID", 2) == 0) offer_ids(l);
    else if (is_path(o)) puts(":files");
}

static const CliOption *option_of(const CliCommand *c, const char *word) {
    if (strncmp(word, "--", 2) == 0) return cli_option_find(c, word + 2, strlen(word) - 2);
    for (const CliOption *o = c->options; o->name && word[0] == '-' && word[1] && !word[2]; o++)
        if (o->letter == word[1]) return o;
    return NULL;
}

// The option whose value is begun; NULL where that is no value.
static const CliOption *option_before(Line *l) {
    const char *equals = strncmp(l->begun, "--", 2) == 0 ? strchr(l->begun, '=') : NULL;
    const CliOption *o = NULL;
    if (equals) {
        l->kept_length = (int)(equals + 1 - l->begun);
        o = cli_option_find(l->command, l->begun + 2, (size_t)(equals - l->begun) - 2);
        l->begun = equals + 1;
        return o;
    }
    int k = l->count - 1;
    if (strcmp(l->begun, "=") == 0) l->begun = l->kept = ""; // bash: `--split=` in two words, …
    else if (k > 1 && strcmp(l->words[k], "=") == 0) k--;    // … and with a value in three
    if (k < 1) return NULL;
    o = option_of(l->command, l->words[k]);
    if (o) return o->argument ? o : NULL;
    while (k > 1 && l->words[k][0] != '-') k--; // one that takes many values
    o = option_of(l->command, l->words[k]);
    return o && o->many && l->begun[0] != '-' ? o : NULL;
}

// ---- Words of a command ----

// The number of words that are no options and no values, after the command.
static int plain_words(const Line *l, int *first) {
    int count = 0;
    for (int k = 1; k < l->count; k++) {
        const CliOption *o = option_of(l->command, l->words[k]);
        if (o && o->argument) k++;
        else if (l->words[k][0] != '-' && count++ == 0) *first = k;
    }
    return count;
}

static void offer_words(const Line *l) {
    const CliCommand *c = l->command;
    const CliAction *a = c->actions;
    int first = 0;
    const int before = plain_words(l, &first);
    const char *shape = c->arguments; // what may stand here, as the help says it
    if (a && before == 0) {
        for (; a->name; a++) offer(l, a->name, a->about);
        return;
    }
    while (a && a->name && strcmp(a->name, l->words[first]) != 0) a++;
    if (a) shape = a->name && a->shape ? a->shape : "";
    if (strcmp(c->name, "ops") == 0)
        for (size_t k = 0; k < ts_ops_count(); k++) offer(l, ts_ops_at(k).name, ts_ops_at(k).doc);
    else if (strncmp(shape, "TASK", 4) == 0 && before == (a != NULL)) {
        offer_ids(l);
        if (!a) puts(":files");
    } else if (shape[0] == 'P' || shape[0] == 'F' || strncmp(shape, "[P", 2) == 0 || strstr(shape, ".json"))
        puts(":files");
    else offer_options(l); // there is nothing else
}

ExitCode cli_complete(int count, char **words) {
    static const CliOption global[] = {{"help", NULL, "the commands"},
                                       {"version", NULL, "the version"},
                                       {"man", NULL, "the manual page, for man"},
                                       {"completion", NULL, "completion for a shell: bash, zsh, fish"}};
    if (count < 1) return EXIT_GOOD;
    Line l = {.words = words, .count = count - 1, .begun = words[count - 1], .kept = words[count - 1]};
    const char *first = words[0];
    if (count == 1) {
        offer_commands(&l);
        for (size_t k = 0; k < sizeof global / sizeof *global; k++) offer_option(&l, &global[k]);
    } else if (!strcmp(first, "help") || !strcmp(first, "--help")) offer_commands(&l);
    else if (!strcmp(first, "--completion")) offer_choices(&l, "bash zsh fish");
    if (count == 1 || !(l.command = cli_command_find(first))) return EXIT_GOOD;
    const CliOption *o = option_before(&l);
    if (o) offer_value(&l, o);
    else if (l.begun[0] == '-') offer_options(&l);
    else offer_words(&l);
    return EXIT_GOOD;
}
