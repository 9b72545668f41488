// Deals a card: programs picked from files or from the pool, mutated.
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef struct {
    const ts_programs *source;
    ts_programs *files; // the source, where it is files
    ts_pool_view view;  // or the pool
    double *weights;    // NULL: all the same
    ts_card_options options;
    ts_card *card;
    ts_card_counts counts;
    double read_ms, deal_ms;
    int problems;
} Card;

// ---- What to deal ----

static ExitCode read_files(const Cli *cli, Card *c) {
    ExitCode code;
    c->source = c->files = cli_programs(cli, &c->problems, &code);
    return c->files ? EXIT_GOOD : code;
}

// The programs of the pool, weighted by the score that they are best at, or that of the task asked for.
static ExitCode read_pool(const Cli *cli, Card *c) {
    ts_status s;
    const ts_pool_query query = {.task = cli_value(cli, "task")};
    ts_pool *pool = ts_pool_open(cli_value(cli, "pool"), TS_POOL_READ, &s);
    bool good = pool && ts_pool_load(pool, &query, &c->view, &s) &&
                ts_pool_read(pool, &c->view, NULL, 0, cli_report, &c->problems, &s);
    ts_pool_close(pool);
    if (!good) return cli_fail(&s);
    if (!c->view.programs || !ts_programs_count(c->view.programs)) {
        cli_say("the pool holds no program%s%s", query.task ? " for task " : "",
                query.task ? query.task : "");
        return EXIT_INPUT;
    }
    c->source = c->view.programs;
    c->weights = calloc(ts_programs_count(c->source) + 1, sizeof *c->weights);
    if (!c->weights) return cli_no_memory();
    for (size_t k = 0; k < c->view.count; k++) {
        const ts_pool_entry *e = &c->view.entries[k];
        if (e->program >= 0) c->weights[e->program] = ts_card_weight(e->task ? &e->score : NULL);
    }
    return EXIT_GOOD;
}

// The colours of the task asked for.
static ExitCode read_colors(const Cli *cli, Card *c) {
    const char *id = cli_value(cli, "task");
    if (!id) return EXIT_GOOD;
    ExitCode code = EXIT_GOOD;
    ts_tasks *tasks = cli_tasks(cli, &c->problems, &code);
    if (!tasks) return code;
    const ts_task *task = ts_tasks_find(tasks, id);
    if (task) c->options.colors = ts_task_colors(task);
    else {
        cli_say("no task '%s' among the %zu tasks", id, ts_tasks_count(tasks));
        code = EXIT_INPUT;
    }
    ts_tasks_free(tasks);
    return code;
}

// Names of kinds, with commas between them.
static ExitCode read_kinds(const Cli *cli, Card *c) {
    const char *at = cli_value(cli, "kinds");
    while (at) {
        const char *comma = strchr(at, ',');
        int length = (int)(comma ? (size_t)(comma - at) : strlen(at));
        unsigned found = length == 7 && strncmp(at, "classic", 7) == 0 ? TS_MUTATIONS_CLASSIC : 0;
        for (int k = 0; k < TS_MUTATIONS; k++) {
            const char *name = ts_mutation_name((ts_mutation)k);
            if (strncmp(name, at, (size_t)length) == 0 && !name[length]) found = 1U << k;
        }
        if (!found) return cli_usage(cli, "--kinds: there is no kind of mutation '%.*s'", length, at);
        c->options.kinds |= found;
        at = comma ? comma + 1 : NULL;
    }
    return EXIT_GOOD;
}

static ExitCode read_options(const Cli *cli, Card *c) {
    long count = 32, each = 0, seed = 1;
    const char *rate = cli_value(cli, "rate");
    c->options.rate = 0.01;
    if (!cli_number(cli, "count", 1, 1000000, &count) || !cli_number(cli, "each", 1, 1000000, &each) ||
        !cli_number(cli, "seed", 0, LONG_MAX, &seed))
        return EXIT_USAGE;
    if (rate) {
        char *end;
        errno = 0;
        c->options.rate = strtod(rate, &end);
        if (!*rate || *end || errno || !(c->options.rate >= 0 && c->options.rate <= 1))
            return cli_usage(cli, "--rate takes a number from 0 to 1, not '%s'", rate);
    }
    if (cli_has(cli, "pool") && cli->word_count)
        return cli_usage(cli, "programs come from files or from the pool: give one");
    if (each && cli_has(cli, "count"))
        return cli_usage(cli, "--each takes all programs, --count some: give one");
    c->options.count = (size_t)count;
    c->options.each = (size_t)each;
    c->options.seed = (uint64_t)seed;
    c->options.freeze = cli_has(cli, "freeze");
    return read_kinds(cli, c);
}

// ---- What was dealt ----

static const char *name_of_parent(const Card *c, size_t index) {
    return ts_programs_name(c->source, ts_card_at(c->card, index).parent);
}

static void print_programs(const Card *c) {
    const ts_programs *programs = ts_card_programs(c->card);
    for (size_t k = 0; k < ts_programs_count(programs); k++) {
        ts_card_entry entry = ts_card_at(c->card, k);
        char *text = ts_programs_print(programs, k);
        printf("%s# %s %s%s%s\n%s", k ? "\n\n" : "", entry.mutations ? "from" : "as", name_of_parent(c, k),
               entry.note[0] ? ": " : "", entry.note, text ? text : "");
        free(text);
    }
}

static void print_summary(const Card *c) {
    const ts_card_counts *n = &c->counts;
    Text t = {0};
    text_print(&t, "%zu programs from %zu: %zu lines, %zu distinct, %zu programs unchanged\nmutations:",
               n->programs, ts_programs_count(c->source), n->lines, n->distinct, n->unchanged);
    for (int k = 0; k < TS_MUTATIONS; k++)
        text_print(&t, "%s %s %zu", k ? "," : "", ts_mutation_name((ts_mutation)k), n->mutations[k]);
    text_print(&t, "\nread %.2f ms, made %.2f ms\n", c->read_ms, c->deal_ms);
    cli_print_lines(&t);
}

static void entry_json(Text *t, const Card *c, size_t index, bool with_text) {
    const ts_programs *programs = ts_card_programs(c->card);
    ts_card_entry entry = ts_card_at(c->card, index);
    text_add(t, index ? ",\n  {\"name\": " : "\n  {\"name\": ");
    text_json(t, ts_programs_name(programs, index));
    text_add(t, ", \"parent\": ");
    text_json(t, name_of_parent(c, index));
    text_print(t, ", \"mutations\": %u, \"note\": ", entry.mutations);
    text_json(t, entry.note);
    if (with_text) {
        char *text = ts_programs_print(programs, index);
        text_add(t, ", \"text\": ");
        text_json(t, text ? text : "");
        free(text);
    }
    text_char(t, '}');
}

static ExitCode print_json(const Card *c, bool with_text) {
    Text t = {0};
    text_print(&t,
               "{\"programs\": %zu, \"lines\": %zu, \"distinct\": %zu, \"unchanged\": %zu, \"mutations\": {",
               c->counts.programs, c->counts.lines, c->counts.distinct, c->counts.unchanged);
    for (int k = 0; k < TS_MUTATIONS; k++)
        text_print(&t, "%s\"%s\": %zu", k ? ", " : "", ts_mutation_name((ts_mutation)k),
                   c->counts.mutations[k]);
    text_print(&t, "},\n \"ms\": {\"read\": %.3f, \"made\": %.3f},\n \"card\": [", c->read_ms, c->deal_ms);
    for (size_t k = 0; k < c->counts.programs; k++) entry_json(&t, c, k, with_text);
    text_add(&t, "]}\n");
    return cli_print(&t);
}

// ---- The command ----

static ExitCode deal_and_print(const Cli *cli, Card *c) {
    ExitCode code = read_options(cli, c);
    double start = clock_ms();
    if (code || (code = read_colors(cli, c)) ||
        (code = cli_has(cli, "pool") ? read_pool(cli, c) : read_files(cli, c)))
        return code;
    c->read_ms = clock_ms() - start;
    ts_status s;
    start = clock_ms();
    c->card = ts_card_new(c->source, c->weights, &c->options, &s);
    c->deal_ms = clock_ms() - start;
    if (!c->card) return cli_fail(&s);
    if (!ts_card_count(c->card, &c->counts)) return cli_no_memory();
    if (cli_has(cli, "json")) code = print_json(c, cli_has(cli, "print"));
    else if (cli_has(cli, "print")) print_programs(c);
    else print_summary(c);
    if (code) return code;
    return c->problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    Card c = {0};
    ExitCode code = deal_and_print(cli, &c);
    ts_card_free(c.card);
    ts_programs_free(c.files);
    ts_pool_view_free(&c.view);
    free(c.weights);
    return code;
}

const CliCommand cmd_card = {
    .name = "card",
    .arguments = "[PROGRAMS.py… | --pool P] [-c COUNT | --each N] [--seed N] [--rate R] [--kinds NAMES] "
                 "[--freeze] [--task ID] [--print]",
    .summary = "pick programs and mutate them",
    .help = "Picks programs of files, or of a pool by their scores, mutates each so that it still "
            "type-checks, and\n"
            "says what came of it; with --print the programs themselves, each with a note on its parent and\n"
            "what was changed.\n"
            "Example: tessera card solvers.py -c 32 --seed 7 --print",
    .options = {{"pool", "P", "pick from this pool, programs with a better score more often"},
                {"count", "COUNT", "programs to pick, 32 if not given", .letter = 'c'},
                {"each", "N", "no picking: every program, and N mutants of it"},
                {"seed", "N", "the same seed, the same card; 1 if not given"},
                {"rate", "R",
                 "probability of a mutation at each line, 0.01 if not given; one is made in any case"},
                {"kinds", "NAMES",
                 "kinds of mutation, with commas; classic: the small ones; all if not given"},
                {"freeze", NULL, "only pick, mutate nothing"},
                {"task", "ID",
                 "take colours from this task's samples, and programs of the pool by their score for it"},
                CLI_TASK_OPTIONS,
                {"print", NULL, "print the programs with what was changed"},
                {"json", NULL, "print one JSON object; with --print the programs in it"}},
    .run = run,
};
