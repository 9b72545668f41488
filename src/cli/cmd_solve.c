// Solves tasks: searches programs for them within a budget, and writes the two best answers for each test as
// a submission.
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { MOST_NAMED = 10 }; // tasks in a message

typedef struct {
    ts_solver_options options;
    ts_tasks *tasks;
    const ts_task **chosen;
    size_t count;
    ts_programs *pool;
    ts_pool *store; // the pool that winners go to, NULL where there is none
    char *journal;
    ts_merge_source *others;
    ts_devices *devices;
    bool devices_warned; // before the run
    ts_solver *solver;
    ts_solver_progress last;
    int problems;
    bool quiet;
    double start;
    ts_profile *profile;
    CliProgress progress;
    CliLive live;
} Solve;

static ts_stop interrupted;
static void interrupt(int number) {
    (void)number;
    ts_stop_set(&interrupted, true);
}

// ---- What is asked for ----

static ExitCode read_options(const Cli *cli, Solve *s) {
    ts_solver_options *o = &s->options;
    long threads = 0, seed = 0;
    ExitCode code = EXIT_GOOD;
    if (!cli_duration(cli, "budget", &o->budget) || !cli_duration(cli, "per-task", &o->search.seconds) ||
        !cli_bytes(cli, "memory", &o->search.memory) || !cli_number(cli, "threads", 1, 256, &threads) ||
        !cli_number(cli, "seed", 0, LONG_MAX, &seed))
        return EXIT_USAGE;
    if (cli->word_count) return cli_usage(cli, "'%s' is no option; --tasks names the tasks", cli->words[0]);
    if (cli_has(cli, "budget") == cli_has(cli, "per-task"))
        return cli_usage(cli, "give either --budget TIME, for all, or --per-task TIME");
    o->submission = cli_value(cli, "out");
    if (!o->submission) return cli_usage(cli, "give the file for the submission: --out FILE");
    if (asprintf(&s->journal, "%s.journal", o->submission) < 0) return cli_no_memory();
    o->journal = s->journal;
    o->threads = (int)threads;
    o->search.seed = (uint64_t)seed;
    o->search.engines = cli_value(cli, "engine");
    o->search.stop = &interrupted;
    o->fresh = cli_has(cli, "fresh");
    o->trust_pool = cli_has(cli, "trust-pool");
    o->trust_workers = cli->elsewhere && cli->elsewhere->is_trusted;
    s->quiet = cli_has(cli, "quiet");
    s->devices = cli_devices(cli, cli->elsewhere ? "none" : "auto", &code);
    o->devices = s->devices;
    s->devices_warned = s->devices && ts_devices_warning(s->devices);
    return code;
}

static ExitCode read_pool(const Cli *cli, Solve *s) {
    const char *path = cli_value(cli, "pool");
    ts_status status;
    ExitCode code = EXIT_GOOD;
    if (path && strcmp(path, "none") == 0) return EXIT_GOOD;
    if (path) s->pool = cli_pool_programs(path, NULL, &s->problems, &code);
    else if ((s->pool = ts_programs_new()) && !ts_programs_bundled(s->pool, &status))
        return cli_fail(&status);
    s->options.pool = s->pool;
    if (!s->pool) return code ? code : cli_no_memory();
    if (!path || !cli_is_pool(path)) return EXIT_GOOD;
    s->store = ts_pool_open(path, TS_POOL_WRITE, &status); // said now, not after hours
    return s->store ? EXIT_GOOD : cli_fail(&status);
}

// The submissions of others that --with names.
static ExitCode read_others(const Cli *cli, Solve *s) {
    const char *word;
    s->others = calloc((size_t)cli->given_count + 1, sizeof *s->others);
    if (!s->others) return cli_no_memory();
    s->options.others = s->others;
    for (int at = 0; (word = cli_next(cli, "with", &at));) {
        ts_merge_source *source = &s->others[s->options.others_count];
        ExitCode code = cli_weighted(cli, word, s->chosen, s->count, source);
        if (code) return code;
        s->options.others_count++;
    }
    return EXIT_GOOD;
}

// A second Ctrl-C does not wait.
static void catch_interrupts(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static ExitCode read_all(const Cli *cli, Solve *s) {
    ts_status status;
    ExitCode code = read_options(cli, s);
    if (code || (code = cli_profile_start(cli, &s->profile))) return code;
    s->options.profile = s->profile;
    if (!(s->tasks = cli_tasks(cli, &s->problems, &code))) return code;
    if (!(s->chosen = cli_select_in_order(cli, s->tasks, &s->count, &code))) return code;
    if ((code = read_others(cli, s)) || (code = read_pool(cli, s))) return code;
    if ((code = cli_live_open(cli, &s->live, s->chosen, s->count))) return code;
    s->options.spent = (clock_ms() - s->start) / 1000;
    catch_interrupts(); // before there is a submission: who sees one may count on it
    s->solver = ts_solver_new(s->chosen, s->count, &s->options, &status);
    if (!s->solver && status.code == TS_USAGE) return cli_usage(cli, "%s", status.message);
    if (!s->solver) return cli_fail(&status);
    const char *warning = ts_solver_warning(s->solver);
    if (warning) fprintf(stderr, "tessera: %s\n", warning);
    return EXIT_GOOD;
}

// ---- Progress ----

static double rate(const ts_solver_progress *p) { return p->seconds > 0 ? (double)p->tried / p->seconds : 0; }

static void show(void *user, const ts_solver_progress *p) {
    Solve *s = user;
    ts_status status;
    char text[200], left[32], many[32];
    s->last = *p;
    ts_profile_point(s->profile, p->solved, p->tried);
    for (size_t k = 0; !s->quiet && k < p->news_count; k++) {
        const ts_solved *n = &p->news[k];
        snprintf(text, sizeof text, "solved %.80s: %s, %zu line%s, confidence %.2f", s->chosen[n->task]->id,
                 n->engine, n->lines, n->lines == 1 ? "" : "s", n->confidence);
        cli_progress_log(&s->progress, text);
    }
    cli_live_told(&s->live, ts_live_watch_solver(s->live.page, p, &status), &status);
    if (s->quiet) return;
    snprintf(text, sizeof text, "%zu/%zu tasks, %s left, %zu solved on demos, %s programs/s, pass %d",
             p->done, p->tasks, cli_time_text(p->left, left), p->solved, cli_count_text(rate(p), many),
             p->pass);
    double part = s->options.budget > 0 ? p->seconds / s->options.budget : (double)p->done / (double)p->tasks;
    cli_progress_bar(&s->progress, part, text);
}

// ---- What was found ----

static ExitCode keep_found(const Cli *cli, Solve *s) {
    ts_status status;
    const char *path = cli_value(cli, "candidates");
    if (path && !ts_solver_candidates(s->solver, path, &status)) return cli_fail(&status);
    if (s->store && !ts_solver_store(s->solver, s->store, &status)) return cli_fail(&status);
    return EXIT_GOOD;
}

// ---- The summary ----

typedef struct {
    const char *name;
    uint64_t tried; // programs
    double ms;
    size_t tasks; // whose first answer comes from a program of it that fits all demos
} EngineSums;

static const char *first_engine(const ts_search *search) {
    ts_attempt best;
    if (!ts_search_attempts(search, 0, &best, 1)) return "";
    const ts_found f = ts_search_at(search, best.found);
    return f.demos_right == f.demos ? f.engine : "";
}

// What an engine did on all tasks. False after the last one.
static bool engine_sums(Solve *s, size_t engine, EngineSums *sums) {
    *sums = (EngineSums){0};
    for (size_t k = 0; k < s->count; k++) {
        uint64_t tried;
        double ms;
        const ts_search *search = ts_solver_search(s->solver, k);
        if (!(sums->name = ts_search_engine(search, engine, &tried, &ms))) return false;
        sums->tried += tried;
        sums->ms += ms;
        sums->tasks += strcmp(first_engine(search), sums->name) == 0;
    }
    return sums->name;
}

static bool is_full(const Solve *s, size_t k) { return ts_search_full(ts_solver_search(s->solver, k)); }
static bool is_starved(const Solve *s, size_t k) { return ts_solver_starved(s->solver, k); }

static size_t count_tasks(const Solve *s, bool (*is)(const Solve *s, size_t task)) {
    size_t count = 0;
    for (size_t k = 0; k < s->count; k++) count += is(s, k);
    return count;
}

static void print_engines(Solve *s) {
    const char *about;
    EngineSums sums;
    printf("\n%-8s %9s %11s %5s  %s\n", "engine", "ms", "programs", "tasks", "what it tries");
    for (size_t e = 0; engine_sums(s, e, &sums) && ts_search_engine_at(e, &about); e++)
        printf("%-8s %9.0f %11llu %5zu  %s\n", sums.name, sums.ms, (unsigned long long)sums.tried, sums.tasks,
               about);
}

static void print_summary(Solve *s) {
    const ts_solver_progress *p = &s->last;
    ts_score score = ts_submission_score(ts_solver_submission(s->solver));
    char line[200];
    snprintf(line, sizeof line,
             "%zu of %zu tasks solved on their demos in %.1f s, %llu programs tried (%.2g M a second)%s",
             p->solved, p->tasks, p->seconds, (unsigned long long)p->tried, rate(p) / 1e6,
             ts_stop_is_set(&interrupted) ? "; interrupted" : "");
    cli_print_line(line, 2);
    if (score.outputs)
        printf("%zu outputs, %zu right, %zu with the first attempt\n", score.outputs, score.right[1],
               score.right[0]);
    print_engines(s);
    size_t full = count_tasks(s, is_full);
    if (full)
        printf("%zu task%s took all the memory that --memory allows; with more there may be more to find\n",
               full, full == 1 ? "" : "s");
    if (ts_stop_is_set(&interrupted)) printf("The same command goes on from here.\n");
}

static bool is_lost(const Solve *s, size_t k) { return ts_solver_lost(s->solver, k); }

// Says which tasks were given up, if any.
static ExitCode report_lost(const Solve *s) {
    size_t count = count_tasks(s, is_lost), shown = 0;
    for (size_t k = 0; k < s->count && shown < MOST_NAMED; k++)
        if (is_lost(s, k))
            shown++, cli_say("%s was given up: %s", s->chosen[k]->id, ts_solver_lost(s->solver, k));
    if (count)
        cli_say("%zu of %zu tasks were given up; the same command searches these again", count, s->count);
    return count ? EXIT_SYSTEM : EXIT_GOOD;
}

// Says which tasks memory was short for, if any.
static ExitCode report_starved(const Solve *s) {
    size_t count = count_tasks(s, is_starved), shown = 0;
    if (!count) return EXIT_GOOD;
    fprintf(stderr, "tessera: memory was short for %zu of %zu tasks (", count, s->count);
    for (size_t k = 0; k < s->count && shown < MOST_NAMED; k++)
        if (is_starved(s, k)) fprintf(stderr, "%s%s", shown++ ? ", " : "", s->chosen[k]->id);
    fprintf(stderr, "%s): with more of it, or on fewer threads, more may be found%s\n",
            count > shown ? ", …" : "",
            s->options.budget > 0 ? "" : "; the same command searches these again");
    return EXIT_SYSTEM;
}

static bool is_solved(const Solve *s, size_t task) {
    const ts_search *search = ts_solver_search(s->solver, task);
    for (size_t k = 0; k < ts_search_count(search); k++) {
        ts_found f = ts_search_at(search, k);
        if (f.demos_right == f.demos) return true;
    }
    return false;
}

static void put_ids(Text *t, const char *key, const Solve *s, bool (*is)(const Solve *s, size_t task)) {
    text_print(t, "\"%s\": [", key);
    for (size_t k = 0, any = 0; k < s->count; k++) {
        if (!is(s, k)) continue;
        if (any++) text_add(t, ", ");
        text_json(t, s->chosen[k]->id);
    }
    text_add(t, "], ");
}

static void put_device(Text *t, const ts_devices *devices) {
    const ts_device_counts c = ts_devices_counts(devices);
    const char *warning = ts_devices_warning(devices);
    size_t used = 0;
    text_add(t, "\"device\": {\"used\": [");
    for (size_t k = 0; k < ts_devices_count(devices); k++) {
        const ts_device device = ts_devices_at(devices, k);
        if (!device.is_used) continue;
        if (used++) text_add(t, ", ");
        text_json(t, device.name);
    }
    text_add(t, "], \"problem\": ");
    text_json(t, warning ? warning : "");
    text_print(
        t, ", \"waves\": %llu, \"jobs\": %llu, \"left\": %llu, \"bytes_up\": %llu, \"bytes_down\": %llu}, ",
        (unsigned long long)c.waves, (unsigned long long)c.jobs, (unsigned long long)c.left,
        (unsigned long long)c.bytes_up, (unsigned long long)c.bytes_down);
}

static void print_json(Solve *s) {
    const ts_solver_progress *p = &s->last;
    ts_score score = ts_submission_score(ts_solver_submission(s->solver));
    EngineSums sums;
    Text t = {0};
    text_print(&t, "{\"tasks\": %zu, \"done\": %zu, \"seconds\": %.3f, \"tried\": %llu, ", p->tasks, p->done,
               p->seconds, (unsigned long long)p->tried);
    put_ids(&t, "solved", s, is_solved);
    text_print(&t, "\"outputs\": %zu, \"right\": %zu, \"first_right\": %zu, \"engines\": [", score.outputs,
               score.right[1], score.right[0]);
    for (size_t e = 0; engine_sums(s, e, &sums); e++)
        text_print(&t, "%s{\"name\": \"%s\", \"ms\": %.0f, \"tried\": %llu, \"tasks\": %zu}", e ? ", " : "",
                   sums.name, sums.ms, (unsigned long long)sums.tried, sums.tasks);
    text_add(&t, "], ");
    put_ids(&t, "full", s, is_full);
    put_ids(&t, "starved", s, is_starved);
    put_ids(&t, "lost", s, is_lost);
    put_device(&t, s->devices);
    text_print(&t, "\"interrupted\": %s}\n", ts_stop_is_set(&interrupted) ? "true" : "false");
    fputs(t.data ? t.data : "", stdout);
    text_free(&t);
}

static bool is_too_large(ts_grid g) { return g.height > TS_KAGGLE_SIDE || g.width > TS_KAGGLE_SIDE; }

// The first grid of a task for which Kaggle has no room; NULL where there is none. Names the sample.
static const ts_grid *large_grid(const ts_task *task, char name[32]) {
    for (int k = 0; k < task->demos + task->tests; k++) {
        const ts_sample *sample = &task->samples[k];
        const bool input = is_too_large(sample->input);
        snprintf(name, 32, "%s %d, %s", sample->is_test ? "test" : "demo",
                 sample->is_test ? k - task->demos + 1 : k + 1, input ? "input" : "output");
        if (input) return &sample->input;
        if (sample->has_output && is_too_large(sample->output)) return &sample->output;
    }
    return NULL;
}

// Says how many tasks have grids that are no good for Kaggle, if any.
static void warn_of_large(const Solve *s) {
    size_t count = 0, first = 0;
    char name[32];
    const ts_grid *grid = NULL;
    for (size_t k = s->count; k-- > 0;)
        if (large_grid(s->chosen[k], name)) count++, first = k;
    if (!count) return;
    grid = large_grid(s->chosen[first], name);
    fprintf(
        stderr,
        "tessera: warning: Kaggle takes grids of at most %d rows and columns; %zu of %zu task%s %s larger "
        "ones (the first is '%s', %s: %d by %d)\n",
        TS_KAGGLE_SIDE, count, s->count, s->count == 1 ? "" : "s", count == 1 ? "has" : "have",
        s->chosen[first]->id, name, grid->height, grid->width);
}

static ExitCode solve(const Cli *cli, Solve *s) {
    ts_status status;
    ExitCode code = read_all(cli, s);
    if (code) return code;
    if (!s->quiet) warn_of_large(s);
    s->progress = cli_progress("solve", "tasks");
    ts_profile_stage(s->profile, TS_STAGE_RUN);
    bool good = cli->elsewhere ? cli->elsewhere->solve(s->solver, show, s, &status)
                               : ts_solver_run(s->solver, show, s, &status);
    cli_progress_end(&s->progress);
    cli_live_close(&s->live, good ? ts_solver_submission(s->solver) : NULL);
    if (!good) return cli_fail(&status);
    if (!s->devices_warned && ts_devices_warning(s->devices)) cli_say("%s", ts_devices_warning(s->devices));
    ts_profile_stage(s->profile, TS_STAGE_STORE);
    if ((code = keep_found(cli, s))) return code;
    ts_profile_stage(s->profile, TS_STAGE_OTHER);
    if (cli_has(cli, "json")) print_json(s);
    else if (!s->quiet) print_summary(s);
    if ((code = cli_profile_end(cli, s->profile)) || (code = report_lost(s)) || (code = report_starved(s)))
        return code;
    return s->problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    Solve s = {.start = clock_ms()};
    ExitCode code = solve(cli, &s);
    cli_live_close(&s.live, NULL);
    ts_solver_free(s.solver);
    ts_devices_close(s.devices);
    for (size_t k = 0; k < s.options.others_count; k++)
        ts_submission_free((ts_submission *)s.others[k].submission);
    free(s.others);
    ts_profile_free(s.profile);
    ts_programs_free(s.pool);
    ts_pool_close(s.store);
    free(s.journal);
    free(s.chosen);
    ts_tasks_free(s.tasks);
    return code;
}

const CliCommand cmd_solve = {
    .name = "solve",
    .arguments =
        "(--budget TIME | --per-task TIME) --out FILE [--tasks PATH] [--pool P] [--threads N] [--seed N]",
    .summary = "search programs for tasks and write a submission",
    .help =
        "Searches programs that are right on a task's demos, and writes for each test the two answers that "
        "are most\nlikely right. With --budget the time is spread over the tasks: a short pass over all of "
        "them, then more\nand more for those without an answer to trust; it ends when the time is over, or "
        "sooner. With --per-task\neach task gets so much work, counted in units of about a nanosecond and "
        "not by the clock: what comes out\ndepends on the seed alone, not on the machine or the threads.\n"
        "The submission is whole at every moment. A run that was ended, by Ctrl-C or in any other way, is "
        "taken up\nagain by the same command: FILE.journal says how far it was, and goes when all is done. A "
        "submission "
        "of a\nrun that has ended is kept as FILE.1, but for --fresh.\n"
        "Example: tessera solve --tasks data/arcagi_aa922be.json --split train --budget 10m --out "
        "submission.json",
    .options = {CLI_TASK_OPTIONS,
                CLI_RANGE_OPTIONS,
                {"budget", "TIME", "for all tasks together, by the clock: 90s, 15m, 8h, 1h30m"},
                {"per-task", "TIME", "work on each task: 300ms, 2s"},
                {"out", "FILE", "the submission"},
                {"pool", "P",
                 "programs to try first: a pool, which gets the winners too, a file or a folder; "
                 "none: none"},
                {"trust-pool", NULL,
                 "what programs of the pool answer comes first, where they fit all demos"},
                {"with", "FILE[=WEIGHT]",
                 "a submission of another solver, to be merged with what is found, as `tessera merge` does; "
                 "several times: all of them"},
                {"engine", "NAMES", "only these engines, with commas between"},
                {"threads", "N", "threads; else one for each processor"},
                {"seed", "N", "of the search (0)"},
                CLI_DEVICE_OPTION("auto"),
                {"memory", "BYTES", "that a thread may hold, such as 512M (1G)"},
                {"candidates", "FILE", "all programs found, one JSON object a line"},
                CLI_PROFILE_OPTION,
                CLI_PAGES_OPTION,
                {"fresh", NULL, "begin anew: without the journal that is there, and replace the submission"},
                {"quiet", NULL, "no progress and no summary"},
                {"json", NULL, "print the summary as one JSON object"}},
    .run = run,
};
