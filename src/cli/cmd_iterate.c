// Iterates: the loop itself is the library's; here are its options, the progress and the summary.
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef struct {
    ts_tasks *tasks;
    const ts_task **chosen;
    size_t count;
    ts_programs *differs;
    ts_pool *pool;
    ts_iterate *loop;
    ts_iterate_options options;
    const char *pool_path;
    long rounds;
    double seconds;
    int problems;
    CliProgress progress;
    CliLive live;
} Iterate;

static ts_stop interrupted;
static void interrupt(int number) {
    (void)number;
    ts_stop_set(&interrupted, true);
}

static bool read_strategy(const Cli *cli, ts_strategy *strategy) {
    static const char *const names[] = {[TS_EVOLVE] = "evolve", [TS_CARDS] = "cards", [TS_BLIND] = "blind"};
    const char *name = cli_value(cli, "strategy");
    for (int k = 0; name && k < 3; k++)
        if (strcmp(name, names[k]) == 0) *strategy = (ts_strategy)k, name = NULL;
    if (name) cli_usage(cli, "--strategy is evolve, cards or blind");
    return !name;
}

static ExitCode read_options(const Cli *cli, Iterate *it) {
    long programs = 0, threads = 0, seed = 0, units = 0, slots = 0;
    ts_iterate_options *o = &it->options;
    o->rate = 0.05;
    if (!cli_number(cli, "rounds", 1, LONG_MAX, &it->rounds) ||
        !cli_decimal(cli, "seconds", 0.001, 1e9, &it->seconds) ||
        !cli_number(cli, "programs", 1, 100000, &programs) || !cli_number(cli, "threads", 1, 256, &threads) ||
        !cli_number(cli, "seed", 0, LONG_MAX, &seed) ||
        !cli_number(cli, "units", 1, 1000L * 1000 * 1000, &units) ||
        !cli_number(cli, "slots", 1, 4096, &slots) || !cli_decimal(cli, "rate", 0, 1, &o->rate) ||
        !read_strategy(cli, &o->strategy))
        return EXIT_USAGE;
    o->programs = (size_t)programs;
    o->threads = (int)threads;
    o->seed = (uint64_t)seed;
    o->units = (uint64_t)units;
    o->slots = slots ? (int)slots : cli->elsewhere ? cli->elsewhere->slots : 1;
    o->evolve_differs = cli_value(cli, "evolve-differs");
    o->stop = &interrupted;
    o->report = cli_report;
    o->user = &it->problems;
    return cli_value(cli, "pool") ? EXIT_GOOD : cli_usage(cli, "give the pool: --pool P");
}

static ExitCode start(const Cli *cli, Iterate *it) {
    ts_status s;
    ExitCode code = read_options(cli, it);
    if (code || (code = cli_profile_start(cli, &it->options.profile))) return code;
    if (!(it->tasks = cli_tasks(cli, &it->problems, &code))) return code;
    if (!(it->chosen = cli_select(cli, it->tasks, &it->count, &code))) return code;
    if (!(it->differs = cli_differs(cli, &code))) return code;
    it->options.differs = it->differs;
    if ((code = cli_live_open(cli, &it->live, it->chosen, it->count))) return code;
    it->pool_path = cli_value(cli, "pool");
    it->pool = ts_pool_open(it->pool_path, TS_POOL_CREATE, &s);
    if (!it->pool) return cli_fail(&s);
    it->loop = ts_iterate_new(it->pool, it->chosen, it->count, &it->options, &s);
    return it->loop ? EXIT_GOOD : cli_fail(&s);
}

static double rate(const ts_iterate_counts *c) { return c->seconds > 0 ? (double)c->rounds / c->seconds : 0; }

static void show_live(Iterate *it, bool has_ended) {
    ts_status s;
    cli_live_told(&it->live,
                  ts_live_watch_iterate(it->live.page, it->loop, it->pool_path, (uint64_t)it->rounds,
                                        it->seconds, has_ended, &s),
                  &s);
}

static bool show(void *user, const ts_iterate_counts *c) {
    Iterate *it = user;
    show_live(it, false);
    char text[200], left[32], time[48] = "";
    snprintf(text, sizeof text,
             "%zu of %zu tasks solved, %zu programs in the pool, %.1f rounds/s, score %.1f %%", c->solved,
             c->tasks, c->held, rate(c), c->most ? 100.0 * (double)c->score / (double)c->most : 0);
    if (it->rounds) {
        cli_progress_show(&it->progress, c->rounds, (size_t)it->rounds, text);
        return true;
    }
    double part = c->tasks ? (double)c->solved / (double)c->tasks : 0;
    if (it->seconds > 0) {
        const double to_come = it->seconds - c->seconds;
        part = c->seconds / it->seconds;
        snprintf(time, sizeof time, "%s left, ", cli_time_text(to_come > 0 ? to_come : 0, left));
    }
    char line[300];
    snprintf(line, sizeof line, "%llu rounds, %s%s", (unsigned long long)c->rounds, time, text);
    cli_progress_bar(&it->progress, part, line);
    return true;
}

// What each differ is worth, where they evolve.
static void print_differs(const Iterate *it) {
    ts_iterate_evolved e;
    const size_t n = ts_iterate_differs(it->loop, &e);
    if (!n) return;
    printf("differs, by how often they score the parent of a winner above another parent (%zu winners, %zu "
           "pairs):\n"
           "  %.3f  the set of the start\n  %.3f  the set in use\n",
           e.cases, e.pairs, e.worth_first, e.worth_used);
    for (size_t k = 0; k < n; k++) {
        const ts_iterate_differ d = ts_iterate_differ_at(it->loop, k);
        printf("  %.3f  %s %s (%s)\n", d.worth, d.used ? "*" : " ", d.name, d.origin);
    }
}

static void differs_json(Text *t, const Iterate *it) {
    ts_iterate_evolved e;
    const size_t n = ts_iterate_differs(it->loop, &e);
    if (!n) return;
    text_print(
        t, ", \"cases\": %zu, \"pairs\": %zu, \"worth_first\": %.4f, \"worth_used\": %.4f, \"differs\": [",
        e.cases, e.pairs, e.worth_first, e.worth_used);
    for (size_t k = 0; k < n; k++) {
        const ts_iterate_differ d = ts_iterate_differ_at(it->loop, k);
        text_print(t, "%s{\"name\": ", k ? ", " : "");
        text_json(t, d.name);
        text_print(t, ", \"worth\": %.4f, \"pairs\": %zu, \"used\": %s, \"origin\": ", d.worth, d.pairs,
                   d.used ? "true" : "false");
        text_json(t, d.origin);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static ExitCode print_summary(const Cli *cli, const Iterate *it) {
    const ts_iterate_counts c = ts_iterate_count(it->loop);
    const unsigned long long rounds = c.rounds;
    if (!cli_has(cli, "json")) {
        printf("%llu rounds in %.1f s (%.1f a second), %zu programs tried on %zu tasks\n", rounds, c.seconds,
               rate(&c), c.tried, c.tasks);
        printf("stored %zu winners and %zu near-winners; the pool holds %zu programs\n", c.winners, c.near,
               c.held);
        printf("%zu of %zu tasks solved on all demos, %zu of them right on the tests%s\n", c.solved, c.tasks,
               c.correct, ts_stop_is_set(&interrupted) ? "; interrupted" : "");
        print_differs(it);
        return EXIT_GOOD;
    }
    Text t = {0};
    text_print(&t,
               "{\"rounds\": %llu, \"seconds\": %.3f, \"tried\": %zu, \"grown\": %llu, \"winners\": %zu, "
               "\"near\": %zu, "
               "\"pool\": %zu, \"tasks\": %zu, \"solved\": [",
               rounds, c.seconds, c.tried, (unsigned long long)c.grown, c.winners, c.near, c.held, c.tasks);
    for (size_t k = 0, any = 0; k < it->count; k++) {
        if (!ts_iterate_at(it->loop, k).winners) continue;
        if (any++) text_add(&t, ", ");
        text_json(&t, it->chosen[k]->id);
    }
    text_print(&t, "], \"correct\": %zu, \"interrupted\": %s", c.correct,
               ts_stop_is_set(&interrupted) ? "true" : "false");
    differs_json(&t, it);
    text_add(&t, "}\n");
    return cli_print(&t);
}

static ExitCode iterate(const Cli *cli, Iterate *it) {
    ts_status s;
    ExitCode code = start(cli, it);
    if (code) return code;
    // A second one ends it.
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    it->progress = cli_progress("iterate", "rounds");
    const uint64_t rounds = (uint64_t)it->rounds;
    bool good = cli->elsewhere ? cli->elsewhere->iterate(it->loop, rounds, it->seconds, show, it, &s)
                               : ts_iterate_run(it->loop, rounds, it->seconds, show, it, &s);
    cli_progress_end(&it->progress);
    show_live(it, true);
    cli_live_close(&it->live, NULL);
    code = good ? print_summary(cli, it) : cli_fail(&s);
    if (code == EXIT_GOOD) code = cli_profile_end(cli, it->options.profile);
    return code ? code : it->problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    Iterate it = {0};
    ExitCode code = iterate(cli, &it);
    cli_live_close(&it.live, NULL);
    ts_iterate_free(it.loop);
    ts_pool_close(it.pool);
    ts_profile_free(it.options.profile);
    ts_programs_free(it.differs);
    free(it.chosen);
    ts_tasks_free(it.tasks);
    return code;
}

const CliCommand cmd_iterate = {
    .name = "iterate",
    .arguments = "--pool P [--rounds N] [--seconds S] [--tasks PATH] [-c N] [-s N] [-i ID…]",
    .summary = "mutate, run, score and store programs, again and again",
    .help = "Each round picks programs from the pool by their scores, mutates them, runs them as one battery "
            "on all\ntasks, and stores what solves a task, or comes nearer to it, after checking it alone. "
            "Programs that were\nimported are run as they are first; an empty pool starts from single "
            "primitives. Ctrl-C ends it after\nstoring what the round has; a second start goes on from the "
            "pool; several may work on one pool.\n"
            "Example: tessera pool import solvers.py --pool p.db && tessera iterate --pool p.db --seconds 60",
    .options = {CLI_TASK_OPTIONS,
                CLI_SELECT_OPTIONS,
                {"pool", "P", "the file that holds the programs"},
                {"rounds", "N", "end after so many rounds"},
                {"seconds", "S", "end after so many seconds"},
                {"programs", "N", "programs in a round (32)"},
                {"strategy", "NAME", "evolve; cards: mutants alone; blind: one mutation of what was imported",
                 .choices = "evolve cards blind"},
                {"rate", "R", "probability of a mutation at each line, beside the first (0.05)"},
                {"units", "N", "work units that a program may spend on a sample"},
                {"threads", "N", "threads; else one for each processor"},
                {"slots", "N",
                 "rounds under way at once, of which none knows what the others bring (1; tessera-mpi: 64)"},
                CLI_DIFFERS_OPTIONS,
                {"evolve-differs", "FILE", "let the differs evolve; those in use are kept in this file"},
                {"json", NULL, "print one JSON object at the end"},
                CLI_PROFILE_OPTION,
                CLI_PAGES_OPTION},
    .run = run,
};
