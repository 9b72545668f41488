// Runs all programs as one battery on every task, says what came of it, and ranks the answers of a task.
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

// A lane has its seconds as units; the clock stands behind that with ten times as many.
enum { UNITS_PER_SECOND = 1000000000, CLOCK_FACTOR = 10, DEFAULT_TOP = 5 };

typedef struct {
    ts_tasks *tasks;
    const ts_task **chosen;
    size_t count;
    ts_programs *programs, *differs;
    ts_battery_options options;
    ts_battery *battery;
    ts_battery_counts counts;
    double read_ms, total_ms;
    int problems;
    CliProgress progress;
    ts_profile *profile;
} Battery;

// ---- What is asked for ----

static ExitCode read_options(const Cli *cli, Battery *b) {
    long threads = 0, chunk = 0, units = 0, top = DEFAULT_TOP;
    double seconds = 0;
    if (!cli_number(cli, "threads", 1, 256, &threads) || !cli_number(cli, "chunk", 1, 1024, &chunk) ||
        !cli_number(cli, "units", 1, 1000L * 1000 * 1000, &units) || !cli_number(cli, "top", 1, 1000, &top) ||
        !cli_decimal(cli, "seconds", 1e-6, 1e6, &seconds))
        return EXIT_USAGE;
    if (cli_has(cli, "outcomes") && !cli_has(cli, "json"))
        return cli_usage(cli, "--outcomes is a part of --json");
    b->options = (ts_battery_options){.threads = (int)threads,
                                      .chunk = (int)chunk,
                                      .units = (uint64_t)units,
                                      .lane_units = (uint64_t)(seconds * UNITS_PER_SECOND),
                                      .lane_seconds = seconds * CLOCK_FACTOR,
                                      .full = cli_has(cli, "full"),
                                      .hopeful = !cli_has(cli, "outcomes"),
                                      .top = (int)top,
                                      .plain = cli_has(cli, "plain"),
                                      .no_text_sharing = cli_has(cli, "no-text-sharing")};
    return EXIT_GOOD;
}

static bool wants_scores(const Cli *cli) {
    return cli_has(cli, "score") || cli_has(cli, "top") || cli_has(cli, "explain") ||
           cli_has(cli, "differs") || cli_has(cli, "only-differs");
}

static ExitCode read_all(const Cli *cli, Battery *b) {
    ExitCode code;
    double start = clock_ms();
    if ((code = read_options(cli, b)) || (code = cli_profile_start(cli, &b->profile))) return code;
    b->options.profile = b->profile;
    b->tasks = cli_tasks(cli, &b->problems, &code);
    if (!b->tasks) return code;
    b->chosen = cli_select(cli, b->tasks, &b->count, &code);
    if (!b->chosen) return code;
    b->programs = cli_programs(cli, &b->problems, &code);
    if (!b->programs) return code;
    if (wants_scores(cli) && !(b->options.differs = b->differs = cli_differs(cli, &code))) return code;
    b->read_ms = clock_ms() - start;
    return EXIT_GOOD;
}

static bool show_progress(void *user, size_t done, size_t all) {
    Battery *b = user;
    cli_progress_show(&b->progress, done, all, "");
    return true;
}

// ---- The summary ----

static void print_ids(const Battery *b, Text *t, bool correct) {
    bool any = false;
    for (size_t k = 0; k < b->count; k++) {
        ts_task_result r = ts_battery_task(b->battery, k);
        if (correct ? !r.correct : !r.solved) continue;
        text_add(t, any ? ", " : "");
        text_json(t, r.task->id);
        any = true;
    }
}

static void print_over(const Battery *b) {
    size_t named = 0;
    if (!b->counts.over) return;
    printf("%zu lanes ran out of units:", b->counts.over);
    for (size_t k = 0; k < b->count; k++) {
        ts_task_result r = ts_battery_task(b->battery, k);
        if (r.over && named++ < 10) printf(" %s (%d)", r.task->id, r.over);
    }
    puts(named > 10 ? " …" : "");
}

static void print_summary(const Battery *b) {
    const ts_battery_counts *n = &b->counts;
    printf("%zu programs of %zu lines: %zu nodes\n", n->programs, n->lines, n->nodes);
    printf("%zu tasks, %zu lanes: %llu nodes evaluated, %llu shared, %llu skipped\n", n->tasks, n->lanes,
           (unsigned long long)n->evaluated, (unsigned long long)n->shared, (unsigned long long)n->skipped);
    fputs("failures:", stdout);
    bool any = false;
    for (int kind = 1; kind < TS_FAIL_KINDS; kind++) {
        if (!n->failures[kind]) continue;
        printf("%s %s %llu", any ? "," : "", ts_failure_name((ts_failure)kind),
               (unsigned long long)n->failures[kind]);
        any = true;
    }
    puts(any ? "" : " none");
    print_over(b);
    printf("%llu candidates, %llu distinct\n", (unsigned long long)n->candidates,
           (unsigned long long)n->distinct);
    printf("%zu tasks solved on all demos, %zu of them right on the tests\n", n->solved, n->correct);
    printf("read %.2f ms, merge %.2f ms, run %.2f ms, score %.2f ms, in all %.2f ms\n", b->read_ms,
           n->merge_ms, n->run_ms, n->score_ms, b->total_ms);
}

// The program of a candidate: one whose result it is, else one that has it among its lines.
static size_t program_of(const ts_candidate *c) { return c->whole ? c->whole - 1 : c->program; }

static void candidate_json(const Battery *b, Text *t, const ts_candidate *c) {
    text_add(t, "{\"program\": ");
    text_json(t, ts_programs_name(b->programs, program_of(c)));
    text_print(t, ", \"index\": %zu, \"whole\": %s, ", program_of(c), c->whole ? "true" : "false");
    text_print(t,
               "\"node\": %u, \"lines\": %u, \"agreeing\": %u, \"demos_right\": %u, \"demos\": %u, "
               "\"tests_right\": %u, \"score\": %d, \"outputs\": \"%016llx\"}",
               c->node, c->lines, c->agreeing, c->demos_right, c->demos, c->tests_right, c->score,
               (unsigned long long)c->outputs);
}

static void candidates_json(const Battery *b, Text *t) {
    text_add(t, ",\n \"tasks\": [");
    for (size_t k = 0; k < b->count; k++) {
        ts_task_result r = ts_battery_task(b->battery, k);
        text_add(t, k ? ",\n  {\"id\": " : "\n  {\"id\": ");
        text_json(t, r.task->id);
        text_print(t, ", \"solved\": %s, \"candidates\": %zu, \"distinct\": %zu, \"top\": [",
                   r.solved ? "true" : "false", r.candidates, r.distinct);
        for (size_t i = 0; i < r.top_count; i++) {
            if (i) text_add(t, ", ");
            candidate_json(b, t, &r.top[i]);
        }
        text_add(t, "]}");
    }
    text_char(t, ']');
}

// ---- What each program gave ----

// An outcome as a letter: what failed has the first one of its kind, in small.
static char outcome_letter(uint8_t outcome) {
    static const char letters[] = {
        [TS_NOT_RUN] = '.', [TS_RIGHT] = 'R', [TS_WRONG] = 'W', [TS_UNKNOWN] = 'U'};
    const ts_outcome o = outcome % 8;
    return o == TS_FAILED ? ts_failure_name((ts_failure)(outcome / 8))[0] : letters[o];
}

// The outcomes of a program on a task's samples: how many of these, from `from` on, are right.
static int count_right(const Battery *b, const uint8_t *outcomes, size_t program, int from, int to) {
    int right = 0;
    for (int k = from; k < to; k++) right += outcomes[(size_t)k * b->counts.programs + program] == TS_RIGHT;
    return right;
}

// The ids of the tasks that a program solves on all demos; or of those where the tests are right, too.
static void wins_json(const Battery *b, Text *t, size_t program, bool correct) {
    bool any = false;
    for (size_t k = 0; k < b->count; k++) {
        const ts_task *task = b->chosen[k];
        const uint8_t *outcomes = ts_battery_outcomes(b->battery, k);
        const int all = task->demos + task->tests;
        int known = 0;
        for (int i = task->demos; i < all; i++) known += task->samples[i].has_output;
        if (count_right(b, outcomes, program, 0, task->demos) < task->demos) continue;
        if (correct && (!known || count_right(b, outcomes, program, task->demos, all) < known)) continue;
        text_add(t, any ? ", " : "");
        text_json(t, task->id);
        any = true;
    }
}

static void samples_json(const Battery *b, Text *t, size_t program) {
    text_add(t, ", \"samples\": {");
    for (size_t k = 0; k < b->count; k++) {
        const uint8_t *outcomes = ts_battery_outcomes(b->battery, k);
        text_add(t, k ? ", " : "");
        text_json(t, b->chosen[k]->id);
        text_add(t, ": \"");
        for (int i = 0; i < b->chosen[k]->demos + b->chosen[k]->tests; i++)
            text_char(t, outcome_letter(outcomes[(size_t)i * b->counts.programs + program]));
        text_char(t, '"');
    }
    text_char(t, '}');
}

static void outcomes_json(const Battery *b, Text *t, bool samples) {
    static const char *const names[] = {"not_run", "right", "wrong", "unknown", "failed"};
    text_add(t, ",\n \"outcomes\": [");
    for (size_t p = 0; p < b->counts.programs; p++) {
        size_t counts[TS_FAILED + 1] = {0};
        for (size_t k = 0; k < b->count; k++)
            for (int i = 0; i < b->chosen[k]->demos + b->chosen[k]->tests; i++)
                counts[ts_battery_outcome(b->battery, p, k, i, NULL)]++;
        text_add(t, p ? ",\n  {\"program\": " : "\n  {\"program\": ");
        text_json(t, ts_programs_name(b->programs, p));
        text_add(t, ", \"solved\": [");
        wins_json(b, t, p, false);
        text_add(t, "], \"correct\": [");
        wins_json(b, t, p, true);
        text_char(t, ']');
        for (int o = 0; o <= TS_FAILED; o++) text_print(t, ", \"%s\": %zu", names[o], counts[o]);
        if (samples) samples_json(b, t, p);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static ExitCode print_json(const Cli *cli, const Battery *b) {
    const ts_battery_counts *n = &b->counts;
    Text t = {0};
    text_print(&t, "{\"programs\": %zu, \"lines\": %zu, \"nodes\": %zu, \"tasks_run\": %zu, \"lanes\": %zu, ",
               n->programs, n->lines, n->nodes, n->tasks, n->lanes);
    text_print(&t, "\"evaluated\": %llu, \"shared\": %llu, \"skipped\": %llu, \"failures\": {",
               (unsigned long long)n->evaluated, (unsigned long long)n->shared,
               (unsigned long long)n->skipped);
    for (int kind = 1; kind < TS_FAIL_KINDS; kind++)
        text_print(&t, "%s\"%s\": %llu", kind > 1 ? ", " : "", ts_failure_name((ts_failure)kind),
                   (unsigned long long)n->failures[kind]);
    text_print(&t, "}, \"over\": %zu, \"candidates\": %llu, \"distinct\": %llu,\n \"solved\": [", n->over,
               (unsigned long long)n->candidates, (unsigned long long)n->distinct);
    print_ids(b, &t, false);
    text_add(&t, "],\n \"correct\": [");
    print_ids(b, &t, true);
    text_print(
        &t, "],\n \"ms\": {\"read\": %.3f, \"merge\": %.3f, \"run\": %.3f, \"score\": %.3f, \"total\": %.3f}",
        b->read_ms, n->merge_ms, n->run_ms, n->score_ms, b->total_ms);
    outcomes_json(b, &t, cli_has(cli, "outcomes"));
    if (b->differs) candidates_json(b, &t);
    text_add(&t, "}\n");
    return cli_print(&t);
}

// ---- The ranking of a task ----

typedef struct {
    ts_engine *engine;
    const ts_task *task;
    ts_programs *answer; // the candidate, cut out
} Explain;

enum { MOST_SHOWN = 40 }; // bytes of what a differ gives

// What one differ says of the input and of the answer, on the demo on which the answer is worst or the first.
static void print_differ(const Battery *b, Explain *e, size_t differ, ts_grid got, const ts_sample *demo) {
    ts_result before = ts_run_differ(e->engine, b->differs, differ, e->task, demo->input, demo->output);
    char *old = before.failure ? NULL : ts_value_print_some(before.value, MOST_SHOWN, NULL);
    ts_result after = ts_run_differ(e->engine, b->differs, differ, e->task, got, demo->output);
    char *new = after.failure ? NULL : ts_value_print_some(after.value, MOST_SHOWN, NULL);
    printf("      %-24s input %s -> answer %s\n", ts_programs_name(b->differs, differ), old ? old : "fails",
           new ? new : "fails");
    free(old);
    free(new);
}

static ts_grid keep_grid(ts_grid grid, signed char **cells) {
    size_t n = (size_t)grid.height * (size_t)grid.width;
    *cells = malloc(n + 1);
    if (*cells) memcpy(*cells, grid.cells, n);
    return (ts_grid){.height = grid.height, .width = grid.width, .cells = *cells};
}

// The first demo that the answer gets wrong, with a picture and the words of the differs.
static ExitCode explain_miss(const Battery *b, Explain *e) {
    for (int k = 0; k < e->task->demos; k++) {
        const ts_sample *demo = &e->task->samples[k];
        ts_result got = ts_run_sample(e->engine, e->answer, 0, e->task, k);
        if (ts_engine_starved(e->engine)) return cli_no_memory();
        if (got.failure || !ts_value_is_grid(got.value)) {
            printf("    demo %d: %s\n", k + 1, got.failure ? ts_failure_name(got.failure) : "no grid");
            return EXIT_GOOD;
        }
        if (ts_grid_equal(ts_value_grid(got.value), demo->output)) continue;
        signed char *cells;
        ts_grid grids[3] = {demo->input, demo->output, keep_grid(ts_value_grid(got.value), &cells)};
        const char *titles[3] = {"input", "expected", "answer"};
        printf("    demo %d is not right:\n", k + 1);
        const ts_grid wanted[3] = {{0}, {0}, demo->output};
        char *picture =
            cells ? ts_draw_against(grids, wanted, titles, 3, cli_color(stdout), cli_columns(stdout)) : NULL;
        if (picture) fputs(picture, stdout);
        for (size_t d = 0; cells && d < ts_programs_count(b->differs); d++)
            print_differ(b, e, d, grids[2], demo);
        free(picture);
        free(cells);
        return EXIT_GOOD;
    }
    return EXIT_GOOD;
}

static ExitCode explain_candidate(const Battery *b, Explain *e, size_t rank, const ts_candidate *c) {
    ts_status s;
    printf("%zu. score %d of %d: %u of %d demos right, %u lines, %u nodes agree, %s%s", rank + 1, c->score,
           1000 * e->task->demos, c->demos_right, e->task->demos, c->lines, c->agreeing,
           c->whole ? "" : "in ", ts_programs_name(b->programs, program_of(c)));
    if (c->demos_right == (uint32_t)e->task->demos)
        printf("; %u of %d tests right", c->tests_right, e->task->tests);
    putchar('\n');
    e->answer = ts_programs_new();
    if (!e->answer) return cli_no_memory();
    bool good = ts_battery_cut(b->battery, c->node, "solve", e->answer, &s);
    char *text = good ? ts_programs_print(e->answer, 0) : NULL;
    for (const char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n");
        printf("    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    ExitCode code = good ? explain_miss(b, e) : cli_fail(&s);
    free(text);
    ts_programs_free(e->answer);
    return code;
}

static ExitCode explain(const Battery *b, const char *id) {
    for (size_t k = 0; k < b->count; k++) {
        ts_task_result r = ts_battery_task(b->battery, k);
        if (strcmp(r.task->id, id) != 0) continue;
        printf("%s: %zu candidates, %zu distinct; the best %zu:\n", id, r.candidates, r.distinct,
               r.top_count);
        Explain e = {.engine = ts_engine_new(), .task = r.task};
        ExitCode code = e.engine ? EXIT_GOOD : cli_no_memory();
        if (e.engine) { // as in the battery
            ts_engine_set_units(e.engine, b->options.units ? b->options.units : TS_BATTERY_UNITS);
            ts_engine_set_plain(e.engine, b->options.plain);
        }
        for (size_t i = 0; i < r.top_count && code == EXIT_GOOD; i++)
            code = explain_candidate(b, &e, i, &r.top[i]);
        ts_engine_free(e.engine);
        return code;
    }
    cli_say("no task '%s' among the %zu tasks that were run", id, b->count);
    return EXIT_INPUT;
}

static void print_ranking(const Battery *b) {
    for (size_t k = 0; k < b->count; k++) {
        ts_task_result r = ts_battery_task(b->battery, k);
        printf("%s %s%s%s: %zu candidates, %zu distinct\n", r.task->id,
               cli_ink(stdout, r.solved ? CLI_GOOD : CLI_FAIR), r.solved ? "solved" : "open",
               cli_ink(stdout, CLI_PLAIN), r.candidates, r.distinct);
        for (size_t i = 0; i < r.top_count; i++)
            printf("  score %5d of %d  %u/%d demos  %3u lines  %3u agree  %s%s\n", r.top[i].score,
                   1000 * r.task->demos, r.top[i].demos_right, r.task->demos, r.top[i].lines,
                   r.top[i].agreeing, r.top[i].whole ? "" : "in ",
                   ts_programs_name(b->programs, program_of(&r.top[i])));
    }
}

// ---- The command ----

static ExitCode run_and_print(const Cli *cli, Battery *b) {
    ts_status s;
    ExitCode code = read_all(cli, b);
    if (code) return code;
    double start = clock_ms();
    ts_profile_stage(b->profile, TS_STAGE_RUN);
    ts_profile_point(b->profile, 0, 0);
    b->progress = cli_progress("battery", "tasks");
    b->battery = ts_battery_new(b->programs, &b->options, &s);
    bool good = b->battery && ts_battery_run(b->battery, b->chosen, b->count, show_progress, b, &s);
    cli_progress_end(&b->progress);
    if (!good) return cli_fail(&s);
    b->total_ms = clock_ms() - start;
    ts_profile_stage(b->profile, TS_STAGE_OTHER);
    b->counts = ts_battery_count(b->battery);
    ts_profile_point(b->profile, b->counts.solved, b->counts.programs);
    const char *id;
    if (cli_has(cli, "json")) code = print_json(cli, b);
    else if (cli_has(cli, "explain"))
        for (int at = 0; code == EXIT_GOOD && (id = cli_next(cli, "explain", &at));) code = explain(b, id);
    else {
        if (cli_has(cli, "top")) print_ranking(b);
        print_summary(b);
    }
    if (code == EXIT_GOOD) code = cli_profile_end(cli, b->profile);
    return code ? code : b->problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    Battery b = {0};
    ExitCode code = run_and_print(cli, &b);
    ts_battery_free(b.battery);
    ts_profile_free(b.profile);
    ts_programs_free(b.programs);
    ts_programs_free(b.differs);
    free(b.chosen);
    ts_tasks_free(b.tasks);
    return code;
}

const CliCommand cmd_battery = {
    .name = "battery",
    .arguments = "[PROGRAMS.py…] [--tasks PATH] [-c N] [-s N] [-i ID…] [--top N] [--explain ID]",
    .summary = "run all programs as one graph on every task",
    .help =
        "Merges all programs into one graph, in which equal lines are one node, and runs it on every "
        "sample of\nevery task. Every node that gives a grid is a candidate answer. Without --full, what "
        "has missed a demo of\na task is not run on its other samples; and unless scores or outcomes are "
        "asked "
        "for, what cannot be right\non the first demo, by its size or by the colours that it paints, is not "
        "run "
        "at all, and candidates are what\nis right there. With --top or --explain the candidates are scored "
        "by "
        "differs: programs (S, I, C) that\ncompare a grid I with the right one C and give (score from 0 to "
        "1000, "
        "detail).\n"
        "--json says of each program what it solves; with --outcomes also, for each task, a letter a "
        "sample: R right,\nW wrong, U unknown (a test without an output), . not run, and where the program "
        "fails the first letter of\nthe failure (t type, v value, i index, e empty, z zero, o overflow, a "
        "arity, d depth, b budget).\n"
        "Example: tessera battery solvers.py --tasks data/arc1.json --split train --explain 3c9b0459",
    .options = {CLI_TASK_OPTIONS,
                CLI_SELECT_OPTIONS,
                {"seconds", "S", "that a lane may take, by its work units (10^9 to a second)", .letter = 't'},
                {"units", "N", "work units that a program may spend on a sample"},
                {"threads", "N", "threads; else one for each processor"},
                {"full", NULL, "go on with what has missed a demo"},
                {"score", NULL, "score the candidates"},
                {"top", "N", "score, and show the best N candidates of each task"},
                {"explain", "ID…", "score, and show the best candidates of these tasks with the reasons",
                 .many = true},
                CLI_DIFFERS_OPTIONS,
                {"json", NULL, "print one JSON object"},
                {"outcomes", NULL, "with --json: what each program gave on every sample"},
                CLI_PROFILE_OPTION,
                {"strict", NULL, "stop at the first program that cannot be read"},
                {"chunk", "N", "tasks that are run side by side"},
                {"no-text-sharing", NULL, "for measuring: equal lines stay apart"},
                {"plain", NULL, "leave out the fast paths"}},
    .run = run,
};
