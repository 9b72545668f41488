// The loop: deal a card from the pool, run it as a battery, score, cut out what is good, check it alone,
// store it, and again.
//
// The pool is all that a run leaves behind: a second start goes on from it, other processes may add to it at
// the same time, and what a round has stored is safe whenever the process ends. Programs in the pool that
// have no score yet (imported ones) are run as they are before anything is mutated.
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "cli/cli.h"

enum {
    DEFAULT_PROGRAMS = 32,
    MOST_UNSCORED = 512, // programs without a score in a round
    TOP = 8,             // candidates of a task that are looked at
    MOST_WINNERS = 5,    // that are kept of a task, but for shorter ones
    TIDY_EVERY = 64,     // rounds
};

// What is known of a task.
typedef struct {
    size_t winners, shortest; // programs that solve it, lines of the shortest
    int64_t best;             // score
    bool correct;
} Known;

// A candidate that was cut out, for the tasks it is good for.
typedef struct {
    uint32_t node;
    size_t program; // in `found`
} Cut;

typedef struct {
    ts_tasks *tasks;
    const ts_task **chosen;
    Known *known;
    size_t count;
    ts_pool *pool;
    ts_pool_view view;
    double *weights;
    size_t weight_room;
    size_t next_unscored; // entries of the view before this one were run, or have scores
    ts_programs *differs;
    ts_engine *alone;
    ts_profile *profile;
    long rounds, programs, threads, units, seed;
    double seconds, rate;
    // So far:
    long round;
    size_t solved, correct, stored_winners, stored_near, tried;
    size_t held; // programs in the pool when it was last counted
    double start;
    int problems;
    CliProgress progress;
} Iterate;

static ts_stop interrupted;
static void interrupt(int number) {
    (void)number;
    ts_stop_set(&interrupted, true);
}

static double elapsed(const Iterate *it) { return (clock_ms() - it->start) / 1000; }

static bool is_over(const Iterate *it) {
    return ts_stop_is_set(&interrupted) || (it->rounds && it->round >= it->rounds) ||
           (it->seconds > 0 && elapsed(it) >= it->seconds);
}

// What fails without a word has found no memory.
static ExitCode fail(ts_status *s) {
    if (!s->message[0]) *s = (ts_status){.code = TS_SYSTEM, .message = "not enough memory"};
    return cli_fail(s);
}

// ---- Starting ----

static void note_task(void *user, const ts_pool_task *task) {
    Iterate *it = user;
    for (size_t k = 0; k < it->count; k++) {
        if (strcmp(it->chosen[k]->id, task->id) != 0) continue;
        it->known[k] = (Known){.winners = task->winners,
                               .shortest = task->winners ? SIZE_MAX : 0,
                               .best = task->best,
                               .correct = task->correct};
        it->solved += task->winners > 0;
        it->correct += task->correct;
    }
}

// An empty pool starts with the simplest programs there are: one primitive from grid to grid.
static bool plant(Iterate *it, ts_status *s) {
    Text text = {0};
    ts_programs *seeds = ts_programs_new();
    for (size_t k = 0; k < ts_ops_count(); k++) {
        ts_op op = ts_ops_at(k);
        if (op.arity != 1 || strcmp(op.result, "Grid") != 0) continue;
        if (strcmp(op.types[0], "Grid") != 0 && strcmp(op.types[0], "Piece") != 0) continue;
        text_print(&text, "def solve_%s(I):\n    return %s(I)\n\n", op.name, op.name);
    }
    bool good = seeds && !text.failed &&
                ts_programs_add_text(seeds, "seeds", text.data, text.length, false, NULL, NULL, s) &&
                ts_pool_begin(it->pool, s);
    const ts_pool_facts facts = {.origin = "one primitive", .pinned = true};
    char hash[17];
    bool is_new;
    for (size_t k = 0; good && k < ts_programs_count(seeds); k++)
        good = ts_pool_add_program(it->pool, seeds, k, &facts, hash, &is_new, s);
    good = good && ts_pool_commit(it->pool, s);
    text_free(&text);
    ts_programs_free(seeds);
    return good;
}

static bool refresh(Iterate *it, ts_status *s) {
    if (!ts_pool_load(it->pool, NULL, &it->view, s)) return false;
    return ts_pool_read(it->pool, &it->view, NULL, 0, cli_report, &it->problems, s);
}

static bool count_held(Iterate *it, ts_status *s) {
    ts_pool_counts counts;
    if (!ts_pool_count(it->pool, &counts, s)) return false;
    it->held = counts.programs;
    return true;
}

// What the pool has dropped stays in the view; once that is most of it the view is loaded anew.
static bool tidy_view(Iterate *it, ts_status *s) {
    if (it->round % TIDY_EVERY) return true;
    if (!count_held(it, s)) return false;
    if (it->view.count < 2 * it->held + MOST_UNSCORED) return true;
    ts_pool_view_free(&it->view);
    it->view = (ts_pool_view){0};
    it->next_unscored = 0;
    return refresh(it, s);
}

static ExitCode open_pool(Iterate *it, const char *path) {
    ts_status s = {0};
    it->pool = ts_pool_open(path, TS_POOL_CREATE, &s);
    if (!it->pool || !refresh(it, &s)) return fail(&s);
    if (!it->view.count && (!plant(it, &s) || !refresh(it, &s))) return fail(&s);
    it->known = calloc(it->count + 1, sizeof *it->known);
    if (!it->known) return cli_no_memory();
    return ts_pool_tasks(it->pool, note_task, it, &s) ? EXIT_GOOD : fail(&s);
}

static ExitCode read_options(const Cli *cli, Iterate *it) {
    *it = (Iterate){.programs = DEFAULT_PROGRAMS, .rate = 0.05};
    if (!cli_number(cli, "rounds", 1, LONG_MAX, &it->rounds) ||
        !cli_decimal(cli, "seconds", 0.001, 1e9, &it->seconds) ||
        !cli_number(cli, "programs", 1, 100000, &it->programs) ||
        !cli_number(cli, "threads", 1, 256, &it->threads) ||
        !cli_number(cli, "seed", 0, LONG_MAX, &it->seed) ||
        !cli_number(cli, "units", 1, 1000L * 1000 * 1000, &it->units) ||
        !cli_decimal(cli, "rate", 0, 1, &it->rate))
        return EXIT_USAGE;
    if (!it->rounds && it->seconds <= 0) return cli_usage(cli, "give --rounds N or --seconds S");
    return cli_value(cli, "pool") ? EXIT_GOOD : cli_usage(cli, "give the pool: --pool P");
}

static ExitCode start(const Cli *cli, Iterate *it) {
    ExitCode code = read_options(cli, it);
    if (code || (code = cli_profile_start(cli, &it->profile))) return code;
    it->tasks = cli_tasks(cli, &it->problems, &code);
    if (!it->tasks) return code;
    it->chosen = cli_select(cli, it->tasks, &it->count, &code);
    if (!it->chosen) return code;
    it->differs = cli_differs(cli, &code);
    if (!it->differs) return code;
    it->alone = ts_engine_new();
    if (!it->alone) return cli_no_memory();
    ts_engine_set_stop(it->alone, &interrupted);
    ts_engine_set_units(it->alone, it->units ? (uint64_t)it->units : TS_BATTERY_UNITS);
    return open_pool(it, cli_value(cli, "pool"));
}

// ---- Generating ----

static bool weigh(Iterate *it) {
    size_t n = ts_programs_count(it->view.programs);
    if (n > it->weight_room) {
        double *weights = realloc(it->weights, 2 * n * sizeof *weights);
        if (!weights) return false;
        it->weights = weights;
        it->weight_room = 2 * n;
    }
    for (size_t k = 0; k < n; k++) it->weights[k] = 0;
    for (size_t k = 0; k < it->view.count; k++) {
        const ts_pool_entry *e = &it->view.entries[k];
        if (e->program >= 0) it->weights[e->program] = ts_card_weight(e->task ? &e->score : NULL);
    }
    return true;
}

// The programs that nobody has run yet, as they are: their weights 1, all others 0. How many there are.
static size_t pick_unscored(Iterate *it) {
    size_t n = 0;
    for (size_t k = 0; k < ts_programs_count(it->view.programs); k++) it->weights[k] = 0;
    for (; it->next_unscored < it->view.count && n < MOST_UNSCORED; it->next_unscored++) {
        const ts_pool_entry *e = &it->view.entries[it->next_unscored];
        if (e->task || e->program < 0) continue;
        it->weights[e->program] = 1;
        n++;
    }
    return n;
}

static ts_card *deal(Iterate *it, ts_status *s) {
    uint64_t seed = hash_mix(hash_mix((uint64_t)it->seed, (uint64_t)it->round), (uint64_t)it->view.last);
    Rng rng = {seed};
    ts_card_options options = {.count = (size_t)it->programs, .seed = seed, .rate = it->rate};
    if (it->count) options.colors = ts_task_colors(it->chosen[rng_below(&rng, (uint32_t)it->count)]);
    if (!weigh(it)) return NULL;
    if (it->next_unscored < it->view.count) {
        size_t n = pick_unscored(it);
        if (n) {
            options.freeze = true;
            options.count = n;
        } else if (!weigh(it)) return NULL;
    }
    return ts_card_new(it->view.programs, it->weights, &options, s);
}

// ---- Extracting, checking, storing ----

typedef struct {
    Iterate *it;
    const ts_card *card;
    ts_battery *battery;
    ts_programs *found;
    Cut *cuts;
    size_t cut_count, cut_room;
} Round;

// A program that is worth its place: it solves the task, and is among the first or the shortest; or its score
// is among the best.
static bool is_wanted(Round *r, size_t task, const ts_candidate *c) {
    const Known *k = &r->it->known[task];
    if (c->demos_right == (uint32_t)r->it->chosen[task]->demos)
        return k->winners < MOST_WINNERS || c->lines < k->shortest;
    return c->score > 0 && ts_pool_wants(r->it->pool, r->it->chosen[task]->id, c->score, c->lines);
}

// The program of a candidate, cut out once however many tasks it is good for.
static bool cut_out(Round *r, const ts_candidate *c, size_t *program, ts_status *s) {
    for (size_t k = 0; k < r->cut_count; k++) {
        *program = r->cuts[k].program;
        if (r->cuts[k].node == c->node) return true;
    }
    if (r->cut_count == r->cut_room) {
        size_t room = r->cut_room ? r->cut_room * 2 : 64;
        Cut *cuts = realloc(r->cuts, room * sizeof *cuts);
        if (!cuts) return false;
        r->cuts = cuts;
        r->cut_room = room;
    }
    *program = ts_programs_count(r->found);
    r->cuts[r->cut_count++] = (Cut){c->node, *program};
    return ts_battery_cut(r->battery, c->node, "solve", r->found, s);
}

// Runs the program alone, from its text, on all samples of the task. False where it is not what the battery
// said of it.
static bool check_alone(Round *r, size_t program, const ts_task *task, const ts_candidate *c,
                        ts_pool_score *score) {
    *score = (ts_pool_score){.demos = task->demos, .tests = task->tests, .score = c->score};
    for (int k = 0; k < task->demos + task->tests; k++) {
        const ts_sample *sample = &task->samples[k];
        ts_result got = ts_run_sample(r->it->alone, r->found, program, task, k);
        bool right = !got.failure && sample->has_output && ts_value_is_grid(got.value) &&
                     ts_grid_equal(ts_value_grid(got.value), sample->output);
        if (got.units > score->units) score->units = got.units;
        if (sample->is_test) score->tests_right += right;
        else score->demos_right += right;
    }
    bool solved = score->demos_right == task->demos, said = c->demos_right == (uint32_t)task->demos;
    return solved == said;
}

// Where a candidate came from: the program of the pool that was mutated, and how.
static void name_origin(const Round *r, const ts_candidate *c, char *origin, size_t size) {
    ts_card_entry made = ts_card_at(r->card, c->program);
    const ts_pool_view *v = &r->it->view;
    size_t at = made.parent; // where it is, unless programs could not be read
    for (size_t k = 0; k < v->count && (at >= v->count || v->entries[at].program != (ptrdiff_t)made.parent);
         k++)
        at = k;
    const char *parent = at < v->count ? v->entries[at].hash : "?";
    if (made.mutations) snprintf(origin, size, "mutation of %s: %s", parent, made.note);
    else snprintf(origin, size, "part of %s", parent);
}

static bool store(Round *r, size_t task, size_t program, const ts_candidate *c, const ts_pool_score *score,
                  ts_status *s) {
    Iterate *it = r->it;
    Known *k = &it->known[task];
    bool solved = score->demos_right == score->demos, is_new, kept;
    char hash[17], origin[256];
    name_origin(r, c, origin, sizeof origin);
    const ts_pool_facts facts = {.origin = origin, .units = score->units, .round = (uint64_t)it->round};
    if (!ts_pool_add_program(it->pool, r->found, program, &facts, hash, &is_new, s) ||
        !ts_pool_add_score(it->pool, hash, it->chosen[task]->id, score, &kept, s))
        return false;
    if (score->score > k->best) k->best = score->score;
    if (!solved) {
        it->stored_near += is_new && kept;
        return true;
    }
    it->stored_winners += is_new;
    it->solved += k->winners == 0;
    k->winners += is_new || k->winners == 0;
    bool correct = score->tests > 0 && score->tests_right == score->tests;
    it->correct += correct && !k->correct;
    k->correct |= correct;
    return true;
}

static bool keep_candidate(Round *r, size_t task, const ts_candidate *c, ts_status *s) {
    size_t program;
    ts_pool_score score;
    Iterate *it = r->it;
    if (!is_wanted(r, task, c)) return true;
    ts_profile_stage(it->profile, TS_STAGE_EXTRACT);
    if (!cut_out(r, c, &program, s)) return false;
    ts_profile_stage(it->profile, TS_STAGE_CHECK);
    bool checked = check_alone(r, program, it->chosen[task], c, &score);
    if (ts_stop_is_set(&interrupted)) return true; // perhaps in the middle of it
    ts_profile_stage(it->profile, TS_STAGE_STORE);
    if (ts_engine_starved(it->alone)) return false;
    if (!checked) {
        cli_say("a program for %s does not do alone what it did in the battery; left out",
                it->chosen[task]->id);
        it->problems++;
        return true;
    }
    if (c->demos_right == (uint32_t)it->chosen[task]->demos && c->lines < it->known[task].shortest)
        it->known[task].shortest = c->lines;
    return store(r, task, program, c, &score, s);
}

static bool keep_round(Round *r, ts_status *s) {
    ts_profile_stage(r->it->profile, TS_STAGE_STORE);
    bool good = ts_pool_begin(r->it->pool, s);
    if (!good) return false;
    for (size_t task = 0; good && task < r->it->count; task++) {
        ts_task_result result = ts_battery_task(r->battery, task);
        for (size_t k = 0; good && !ts_stop_is_set(&interrupted) && k < result.top_count; k++)
            good = keep_candidate(r, task, &result.top[k], s);
    }
    ts_profile_stage(r->it->profile, TS_STAGE_STORE);
    good = good && ts_pool_commit(r->it->pool, s);
    if (!good) ts_pool_rollback(r->it->pool);
    return good;
}

// ---- The loop ----

static void describe(const Iterate *it, char *text, size_t size) {
    int64_t best = 0, most = 0;
    for (size_t k = 0; k < it->count; k++) {
        best += it->known[k].best;
        most += 1000 * it->chosen[k]->demos;
    }
    double seconds = elapsed(it);
    snprintf(text, size, "%.1f rounds/s  %zu of %zu solved  pool %zu  scores %.1f %%",
             seconds > 0 ? (double)it->round / seconds : 0, it->solved, it->count, it->held,
             most ? 100.0 * (double)best / (double)most : 0);
}

static void show(Iterate *it) {
    char text[160];
    describe(it, text, sizeof text);
    if (it->rounds) cli_progress_show(&it->progress, (size_t)it->round, (size_t)it->rounds, text);
    else {
        double done = elapsed(it) * 1000, all = it->seconds * 1000;
        cli_progress_show(&it->progress, (size_t)(done < all ? done : all), (size_t)all, text);
    }
}

static bool go_on(void *user, size_t done, size_t all) {
    Iterate *it = user;
    (void)done;
    (void)all;
    return !ts_stop_is_set(&interrupted) && (it->seconds <= 0 || elapsed(it) < it->seconds);
}

static bool run_round(Iterate *it, ts_status *s) {
    Round r = {.it = it, .found = ts_programs_new()};
    ts_profile_stage(it->profile, TS_STAGE_READ);
    bool good = r.found && refresh(it, s) && tidy_view(it, s);
    ts_profile_stage(it->profile, TS_STAGE_GENERATE);
    ts_card *card = good ? deal(it, s) : NULL;
    good = card != NULL;
    ts_profile_stage(it->profile, TS_STAGE_RUN);
    ts_battery_options options = {.threads = (int)it->threads,
                                  .units = (uint64_t)it->units,
                                  .top = TOP,
                                  .differs = it->differs,
                                  .profile = it->profile,
                                  .stop = &interrupted};
    if (good) good = (r.battery = ts_battery_new(ts_card_programs(card), &options, s)) != NULL;
    if (good) good = ts_battery_run(r.battery, it->chosen, it->count, go_on, it, s);
    if (good) {
        it->tried += ts_programs_count(ts_card_programs(card));
        r.card = card;
        it->round++;
        good = keep_round(&r, s);
    }
    ts_profile_stage(it->profile, TS_STAGE_OTHER);
    ts_battery_free(r.battery);
    ts_card_free(card);
    ts_programs_free(r.found);
    free(r.cuts);
    return good;
}

static ExitCode print_summary(const Cli *cli, const Iterate *it) {
    double seconds = elapsed(it);
    if (!cli_has(cli, "json")) {
        printf("%ld rounds in %.1f s (%.1f a second), %zu programs tried on %zu tasks\n", it->round, seconds,
               seconds > 0 ? (double)it->round / seconds : 0, it->tried, it->count);
        printf("stored %zu winners and %zu near-winners; the pool holds %zu programs\n", it->stored_winners,
               it->stored_near, it->held);
        printf("%zu of %zu tasks solved on all demos, %zu of them right on the tests%s\n", it->solved,
               it->count, it->correct, ts_stop_is_set(&interrupted) ? "; interrupted" : "");
        return EXIT_GOOD;
    }
    Text t = {0};
    text_print(&t,
               "{\"rounds\": %ld, \"seconds\": %.3f, \"tried\": %zu, \"winners\": %zu, \"near\": %zu, "
               "\"pool\": %zu, \"tasks\": %zu, \"solved\": [",
               it->round, seconds, it->tried, it->stored_winners, it->stored_near, it->held, it->count);
    for (size_t k = 0, any = 0; k < it->count; k++) {
        if (!it->known[k].winners) continue;
        if (any++) text_add(&t, ", ");
        text_json(&t, it->chosen[k]->id);
    }
    text_print(&t, "], \"correct\": %zu, \"interrupted\": %s}\n", it->correct,
               ts_stop_is_set(&interrupted) ? "true" : "false");
    return cli_print(&t);
}

static ExitCode iterate(const Cli *cli, Iterate *it) {
    ts_status s = {0};
    ExitCode code = start(cli, it);
    if (code) return code;
    // A second one ends it.
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    it->start = clock_ms();
    ts_profile_point(it->profile, it->solved, it->tried);
    it->progress = cli_progress("iterate");
    bool good = true;
    while (good && !is_over(it)) {
        good = run_round(it, &s);
        ts_profile_point(it->profile, it->solved, it->tried);
        show(it);
    }
    cli_progress_end(&it->progress);
    if (!good) code = fail(&s);
    else if (count_held(it, &s)) code = print_summary(cli, it);
    else code = fail(&s);
    if (code == EXIT_GOOD) code = cli_profile_end(cli, it->profile);
    return code ? code : it->problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    Iterate it;
    ExitCode code = iterate(cli, &it);
    ts_pool_view_free(&it.view);
    ts_pool_close(it.pool);
    ts_engine_free(it.alone);
    ts_profile_free(it.profile);
    ts_programs_free(it.differs);
    free(it.weights);
    free(it.known);
    free(it.chosen);
    ts_tasks_free(it.tasks);
    return code;
}

const CliCommand cmd_iterate = {
    .name = "iterate",
    .arguments = "--pool P (--rounds N | --seconds S) [--tasks PATH] [-c N] [-s N] [-i ID…]",
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
                {"rate", "R", "probability of a mutation at each line, beside the first (0.05)"},
                {"units", "N", "work units that a program may spend on a sample"},
                {"threads", "N", "threads; else one for each processor"},
                {"differs", "FILE", "score with the differs of this file, too"},
                {"json", NULL, "print one JSON object at the end"},
                CLI_PROFILE_OPTION},
    .run = run,
};
