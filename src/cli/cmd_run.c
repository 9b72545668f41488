// Runs each program on the task that its name ends in, and counts what is right.
//
// All evaluations are done first, in one go that is timed by itself; only then is anything printed. Pictures
// are drawn by running the program once more.
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef enum { OUTCOME_RIGHT, OUTCOME_WRONG, OUTCOME_FAILED, OUTCOME_UNKNOWN } Outcome;
static const char *const outcome_names[] = {"right", "wrong", "failed", "unknown"};

typedef struct {
    Outcome outcome;
    ts_failure failure;
    int line;
} SampleResult;

// A program, its task, and what came out.
typedef struct {
    size_t program;
    const ts_task *task;
    SampleResult *samples;
    Outcome outcome; // of all samples together
} Pairing;

typedef struct {
    ts_programs *programs;
    ts_tasks *tasks;
    ts_engine *engine;
    ts_profile *profile;
    Pairing *pairings;
    size_t count, unpaired;
    size_t totals[4];
    double read_ms, parse_ms, run_ms;
    uint64_t units;
    int problems;
} Run;

// ---- Pairing ----

// The task whose id is the whole name or what follows one of its underscores; of several the longest id.
static const ts_task *task_of_name(const ts_tasks *tasks, const char *name) {
    while (name) {
        const ts_task *task = ts_tasks_find(tasks, name);
        if (task) return task;
        name = strchr(name, '_');
        if (name) name++;
    }
    return NULL;
}

static bool asked_for(const Cli *cli, const char *id) {
    const char *value;
    if (!cli_has(cli, "task")) return true;
    for (int at = 0; (value = cli_next(cli, "task", &at));)
        if (strcmp(value, id) == 0) return true;
    return false;
}

static ExitCode check_asked_tasks(const Cli *cli, const Run *r) {
    const char *value;
    for (int at = 0; (value = cli_next(cli, "task", &at));) {
        if (ts_tasks_find(r->tasks, value)) continue;
        cli_say("no task '%s' among the %zu tasks", value, ts_tasks_count(r->tasks));
        return EXIT_INPUT;
    }
    return EXIT_GOOD;
}

static ExitCode pair_up(const Cli *cli, Run *r) {
    size_t n = ts_programs_count(r->programs);
    r->pairings = calloc(n + 1, sizeof *r->pairings);
    if (!r->pairings) return cli_no_memory();
    ExitCode code = check_asked_tasks(cli, r);
    if (code) return code;
    for (size_t k = 0; k < n; k++) {
        const ts_task *task = task_of_name(r->tasks, ts_programs_name(r->programs, k));
        r->unpaired += !task;
        if (!task || !asked_for(cli, task->id)) continue;
        Pairing *p = &r->pairings[r->count++];
        *p = (Pairing){.program = k, .task = task};
        p->samples = calloc((size_t)(task->demos + task->tests), sizeof *p->samples);
        if (!p->samples) return cli_no_memory();
    }
    if (r->count) return EXIT_GOOD;
    cli_say("no program's name ends in the id of a task");
    return EXIT_INPUT;
}

// ---- Running ----

static SampleResult run_sample(Run *r, const Pairing *p, int k) {
    const ts_sample *sample = &p->task->samples[k];
    ts_result got = ts_run_sample(r->engine, r->programs, p->program, p->task, k);
    r->units += got.units;
    SampleResult result = {.failure = got.failure, .line = got.line};
    if (got.failure) result.outcome = OUTCOME_FAILED;
    else if (!sample->has_output) result.outcome = OUTCOME_UNKNOWN;
    else
        result.outcome =
            ts_value_is_grid(got.value) && ts_grid_equal(ts_value_grid(got.value), sample->output)
                ? OUTCOME_RIGHT
                : OUTCOME_WRONG;
    return result;
}

static bool run_all(Run *r) {
    r->units = 0;
    for (size_t k = 0; k < r->count; k++) {
        Pairing *p = &r->pairings[k];
        double start = r->profile ? clock_ms() : 0;
        p->outcome = OUTCOME_RIGHT;
        for (int s = 0; s < p->task->demos + p->task->tests; s++) {
            p->samples[s] = run_sample(r, p, s);
            if (ts_engine_starved(r->engine)) return false;
            Outcome o = p->samples[s].outcome;
            if (o != OUTCOME_UNKNOWN && o > p->outcome) p->outcome = o;
        }
        if (r->profile) ts_profile_task(r->profile, p->task->id, clock_ms() - start);
    }
    return true;
}

// ---- Printing ----

static const SampleResult *first_failure(const Pairing *p) {
    for (int s = 0; s < p->task->demos + p->task->tests; s++)
        if (p->samples[s].outcome == OUTCOME_FAILED) return &p->samples[s];
    return NULL;
}

static void draw_differences(Run *r, const Pairing *p) {
    for (int s = 0; s < p->task->demos + p->task->tests; s++) {
        const ts_sample *sample = &p->task->samples[s];
        if (p->samples[s].outcome != OUTCOME_WRONG && p->samples[s].outcome != OUTCOME_FAILED) continue;
        ts_result got = ts_run_sample(r->engine, r->programs, p->program, p->task, s);
        ts_grid grids[3] = {sample->input, sample->output, {0}};
        const char *titles[3] = {"input", "expected", "got"};
        int n = sample->has_output ? 2 : 1;
        if (!got.failure && ts_value_is_grid(got.value)) grids[n++] = ts_value_grid(got.value);
        printf("  %s %d%s\n", sample->is_test ? "test" : "demo",
               sample->is_test ? s - p->task->demos + 1 : s + 1,
               got.failure                   ? ": the program fails"
               : ts_value_is_grid(got.value) ? ""
                                             : ": the result is no grid");
        char *picture = ts_draw(grids, titles, n, cli_color(stdout), cli_columns(stdout));
        if (picture) fputs(picture, stdout);
        free(picture);
    }
}

static void print_pairing(Run *r, const Pairing *p) {
    int right = 0, samples = p->task->demos + p->task->tests;
    for (int s = 0; s < samples; s++) right += p->samples[s].outcome == OUTCOME_RIGHT;
    printf("%-6s %s  %d/%d samples", outcome_names[p->outcome], ts_programs_name(r->programs, p->program),
           right, samples);
    const SampleResult *failure = first_failure(p);
    if (failure) printf("  (%s, line %d)", ts_failure_name(failure->failure), failure->line);
    putchar('\n');
}

static void print_text(const Cli *cli, Run *r) {
    for (size_t k = 0; k < r->count; k++) {
        print_pairing(r, &r->pairings[k]);
        if (cli_has(cli, "picture") && r->pairings[k].outcome != OUTCOME_RIGHT)
            draw_differences(r, &r->pairings[k]);
    }
    printf("%zu programs: %zu right, %zu wrong, %zu failed", r->count, r->totals[OUTCOME_RIGHT],
           r->totals[OUTCOME_WRONG], r->totals[OUTCOME_FAILED]);
    if (r->unpaired) printf("; %zu without a task", r->unpaired);
    printf("\nread %.2f ms, parse %.2f ms, run %.2f ms\n", r->read_ms, r->parse_ms, r->run_ms);
}

static void sample_json(Text *t, const Pairing *p, int s) {
    const SampleResult *result = &p->samples[s];
    text_print(t, "%s{\"kind\": \"%s\", \"outcome\": \"%s\"", s ? ", " : "",
               s < p->task->demos ? "demo" : "test", outcome_names[result->outcome]);
    if (result->failure)
        text_print(t, ", \"failure\": \"%s\", \"line\": %d", ts_failure_name(result->failure), result->line);
    text_char(t, '}');
}

static ExitCode print_json(Run *r) {
    Text t = {0};
    text_print(&t, "{\"programs\": %zu, \"right\": %zu, \"wrong\": %zu, \"failed\": %zu, \"unpaired\": %zu, ",
               r->count, r->totals[OUTCOME_RIGHT], r->totals[OUTCOME_WRONG], r->totals[OUTCOME_FAILED],
               r->unpaired);
    text_print(&t,
               "\"units\": %llu, \"ms\": {\"read\": %.3f, \"parse\": %.3f, \"run\": %.3f},\n \"tasks\": [",
               (unsigned long long)r->units, r->read_ms, r->parse_ms, r->run_ms);
    for (size_t k = 0; k < r->count; k++) {
        const Pairing *p = &r->pairings[k];
        text_add(&t, k ? ",\n  {\"id\": " : "\n  {\"id\": ");
        text_json(&t, p->task->id);
        text_add(&t, ", \"program\": ");
        text_json(&t, ts_programs_name(r->programs, p->program));
        text_print(&t, ", \"outcome\": \"%s\", \"samples\": [", outcome_names[p->outcome]);
        for (int s = 0; s < p->task->demos + p->task->tests; s++) sample_json(&t, p, s);
        text_add(&t, "]}");
    }
    text_add(&t, "]}\n");
    return cli_print(&t);
}

// ---- The command ----

static ExitCode read_programs(const Cli *cli, Run *r) {
    ExitCode code;
    double start = clock_ms();
    r->programs = cli_programs(cli, &r->problems, &code);
    r->parse_ms = clock_ms() - start;
    return r->programs ? EXIT_GOOD : code;
}

static ExitCode run_and_print(const Cli *cli, Run *r) {
    long units = 0, repeat = 1;
    if (!cli_number(cli, "units", 1, 1000L * 1000 * 1000 * 1000, &units)) return EXIT_USAGE;
    if (!cli_number(cli, "repeat", 1, 1000000, &repeat)) return EXIT_USAGE;
    ExitCode code = cli_profile_start(cli, &r->profile);
    if (code) return code;
    double start = clock_ms();
    r->tasks = cli_tasks(cli, &r->problems, &code);
    r->read_ms = clock_ms() - start;
    if (!r->tasks) return code;
    if ((code = read_programs(cli, r)) || (code = pair_up(cli, r))) return code;
    r->engine = ts_engine_new();
    if (!r->engine) return cli_no_memory();
    if (units) ts_engine_set_units(r->engine, (uint64_t)units);
    ts_engine_set_plain(r->engine, cli_has(cli, "plain"));
    ts_engine_set_profile(r->engine, r->profile);
    ts_profile_stage(r->profile, TS_STAGE_RUN);
    for (long k = 0; k < repeat; k++) {
        start = clock_ms();
        if (!run_all(r)) return cli_no_memory();
        double ms = clock_ms() - start;
        if (k == 0 || ms < r->run_ms) r->run_ms = ms;
    }
    ts_profile_stage(r->profile, TS_STAGE_OTHER);
    for (size_t k = 0; k < r->count; k++) r->totals[r->pairings[k].outcome]++;
    if (cli_has(cli, "json")) code = print_json(r);
    else print_text(cli, r);
    if (code || (code = cli_profile_end(cli, r->profile))) return code;
    return r->problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    Run r = {0};
    ExitCode code = run_and_print(cli, &r);
    for (size_t k = 0; k < r.count; k++) free(r.pairings[k].samples);
    free(r.pairings);
    ts_engine_free(r.engine);
    ts_profile_free(r.profile);
    ts_programs_free(r.programs);
    ts_tasks_free(r.tasks);
    return code;
}

const CliCommand cmd_run = {
    .name = "run",
    .arguments = "[PROGRAMS.py…] [--tasks PATH] [--split NAME] [--task ID…]",
    .summary = "run programs on the tasks that their names end in",
    .help = "Runs each program on all samples of the task whose id its name ends in (solve_ID), and says "
            "what is\n"
            "right. Without arguments: the bundled programs on the bundled tasks.\n"
            "Example: tessera run solvers.py --tasks data/arc1.json --split train",
    .options = {CLI_TASK_OPTIONS,
                {"task", "ID…", "only these tasks", .many = true},
                {"strict", NULL, "stop at the first program that cannot be read"},
                {"json", NULL, "print one JSON object"},
                {"picture", NULL, "draw input, expected and got where they differ"},
                {"units", "N", "work units that an evaluation may spend"},
                {"repeat", "N", "evaluate N times and give the time of the fastest"},
                CLI_PROFILE_OPTION,
                {"plain", NULL, "leave out the fast paths"}},
    .run = run,
};
