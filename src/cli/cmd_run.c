// Runs each program on the task that its name ends in, and counts what is right.
//
// All evaluations are done first, in one go that is timed by itself; only then is anything printed. Pictures
// are drawn by running the program once more.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

typedef enum { OUTCOME_RIGHT, OUTCOME_WRONG, OUTCOME_FAILED, OUTCOME_UNKNOWN } Outcome;
static const char *const outcome_names[] = {"right", "wrong", "failed", "unknown"};
static const CliInk outcome_inks[] = {CLI_GOOD, CLI_BAD, CLI_BAD, CLI_FAIR};

typedef struct {
    Outcome outcome;
    ts_failure failure;
    int line;
    int off; // cells that are wrong; -1 where the result has another shape or is no grid
} SampleResult;

// A program, its task, and what came out.
typedef struct {
    size_t program;
    const ts_task *task;
    SampleResult *samples;
    Outcome outcome; // of all samples together
    int off, cells;  // of the samples whose output is known; off is -1 where one has no such number
} Pairing;

// A program is nearly right if it gives the right shape everywhere, and one cell in so many is wrong at most.
enum { NEAR_PART = 10 };
enum { MOST_NAME = 40 }; // columns for the names of programs

typedef struct {
    ts_programs *programs;
    ts_tasks *tasks;
    ts_engine *engine;
    ts_profile *profile;
    Pairing *pairings;
    size_t count, unpaired;
    const Pairing **near; // those that are nearly right, where they are asked for
    size_t near_count;
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
    SampleResult result = {.failure = got.failure, .line = got.line, .off = -1};
    if (got.failure) result.outcome = OUTCOME_FAILED;
    else if (!sample->has_output) result.outcome = OUTCOME_UNKNOWN;
    else {
        if (ts_value_is_grid(got.value)) result.off = ts_grid_off(ts_value_grid(got.value), sample->output);
        result.outcome = result.off == 0 ? OUTCOME_RIGHT : OUTCOME_WRONG;
    }
    return result;
}

static void count_off(Pairing *p, int sample) {
    const SampleResult *r = &p->samples[sample];
    if (r->outcome == OUTCOME_UNKNOWN) return;
    const ts_grid output = p->task->samples[sample].output;
    p->off = r->off < 0 || p->off < 0 ? -1 : p->off + r->off;
    p->cells += output.height * output.width;
}

static bool run_all(Run *r) {
    r->units = 0;
    for (size_t k = 0; k < r->count; k++) {
        Pairing *p = &r->pairings[k];
        double start = r->profile ? clock_thread_ms() : 0;
        p->outcome = OUTCOME_RIGHT;
        p->off = p->cells = 0;
        for (int s = 0; s < p->task->demos + p->task->tests; s++) {
            p->samples[s] = run_sample(r, p, s);
            if (ts_engine_starved(r->engine)) return false;
            Outcome o = p->samples[s].outcome;
            if (o != OUTCOME_UNKNOWN && o > p->outcome) p->outcome = o;
            count_off(p, s);
        }
        if (r->profile) ts_profile_task(r->profile, p->task->id, clock_thread_ms() - start);
    }
    return true;
}

// ---- Nearly right ----

static bool is_near(const Pairing *p) {
    return p->outcome == OUTCOME_WRONG && p->off > 0 && p->off * NEAR_PART <= p->cells;
}

static int nearest_first(const void *a, const void *b) {
    const Pairing *x = *(const Pairing *const *)a, *y = *(const Pairing *const *)b;
    return x->off != y->off ? (x->off > y->off) - (x->off < y->off) : (x > y) - (x < y);
}

// Those that are nearly right, the nearest first.
static bool find_near(Run *r) {
    r->near = calloc(r->count + 1, sizeof *r->near);
    if (!r->near) return false;
    for (size_t k = 0; k < r->count; k++)
        if (is_near(&r->pairings[k])) r->near[r->near_count++] = &r->pairings[k];
    qsort(r->near, r->near_count, sizeof *r->near, nearest_first);
    return true;
}

static void near_json(Run *r, Text *t, const Pairing *p) {
    text_add(t, "{\"program\": ");
    text_json(t, ts_programs_name(r->programs, p->program));
    text_add(t, ", \"id\": ");
    text_json(t, p->task->id);
    text_print(t, ", \"cells_off\": %d, \"cells\": %d, \"samples\": [", p->off, p->cells);
    for (int s = 0, any = 0; s < p->task->demos + p->task->tests; s++) {
        if (p->samples[s].outcome != OUTCOME_WRONG) continue;
        const ts_grid wanted = p->task->samples[s].output;
        const ts_result again = ts_run_sample(r->engine, r->programs, p->program, p->task, s);
        if (again.failure) continue; // there is no more memory
        const ts_grid got = ts_value_grid(again.value);
        const bool is_test = s >= p->task->demos;
        text_print(t, "%s{\"kind\": \"%s\", \"number\": %d, \"off\": [", any++ ? ", " : "",
                   is_test ? "test" : "demo", is_test ? s - p->task->demos + 1 : s + 1);
        for (int k = 0, more = 0; k < got.height * got.width; k++)
            if (got.cells[k] != wanted.cells[k])
                text_print(t, "%s[%d, %d, %d, %d]", more++ ? ", " : "", k / got.width, k % got.width,
                           got.cells[k], wanted.cells[k]);
        text_add(t, "]}");
    }
    text_add(t, "]}");
}

// ---- Pictures in files ----

// What a program gives on all samples, copied: height 0 where that is no grid. NULL: no memory.
static ts_grid *all_answers(Run *r, const Pairing *p, Text *cells) {
    const int count = p->task->demos + p->task->tests;
    ts_grid *answers = calloc((size_t)count, sizeof *answers);
    size_t *at = calloc((size_t)count, sizeof *at);
    for (int s = 0; answers && at && s < count; s++) {
        ts_result got = ts_run_sample(r->engine, r->programs, p->program, p->task, s);
        if (got.failure || !ts_value_is_grid(got.value)) continue;
        answers[s] = ts_value_grid(got.value);
        at[s] = cells->length;
        text_put(cells, (const char *)answers[s].cells, (size_t)answers[s].height * (size_t)answers[s].width);
    }
    const bool good = answers && at && !cells->failed;
    for (int s = 0; good && s < count; s++) answers[s].cells = (const signed char *)cells->data + at[s];
    free(at);
    if (good) return answers;
    free(answers);
    return NULL;
}

// The program's name, with its number where an earlier one has the same.
static void name_picture(const Run *r, const Pairing *p, const char *folder, Text *path) {
    const char *name = ts_programs_name(r->programs, p->program);
    bool again = false;
    for (const Pairing *q = r->pairings; q < p; q++)
        again |= strcmp(ts_programs_name(r->programs, q->program), name) == 0;
    text_print(path, "%s/%s", folder, name);
    if (again) text_print(path, "~%zu", p->program + 1);
    text_add(path, ".png");
}

static ExitCode write_picture(Run *r, const Pairing *p, const char *folder) {
    ts_status s;
    Text path = {0}, cells = {0};
    ts_grid *answers = all_answers(r, p, &cells);
    name_picture(r, p, folder, &path);
    ExitCode code = EXIT_GOOD;
    if (!answers || path.failed) code = cli_no_memory();
    else if (!ts_png_answers(p->task, answers, path.data, &s)) code = cli_fail(&s);
    free(answers);
    text_free(&cells);
    text_free(&path);
    return code;
}

// One for each program that is not right, or nearly so where these are asked for.
static ExitCode write_pictures(Run *r, const char *folder) {
    ExitCode code = EXIT_GOOD;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        cli_say("cannot make the folder '%s': %s", folder, strerror(errno));
        return EXIT_SYSTEM;
    }
    for (size_t k = 0; r->near && k < r->near_count && !code; k++)
        code = write_picture(r, r->near[k], folder);
    for (size_t k = 0; !r->near && k < r->count && !code; k++)
        if (r->pairings[k].outcome != OUTCOME_RIGHT) code = write_picture(r, &r->pairings[k], folder);
    return code;
}

// ---- Printing ----

// What is wrong on a sample, found by running the program there once more; false where nothing is.
static bool explain(Run *r, const Pairing *p, int s, ts_fault *fault) {
    const ts_sample *sample = &p->task->samples[s];
    return ts_explain(r->engine, r->programs, p->program, p->task, sample->input,
                      sample->has_output ? &sample->output : NULL, fault);
}

// The same as a line, for the first sample on which the program does as badly as it does at all.
static void print_fault(Run *r, const Pairing *p) {
    ts_fault fault;
    int s = 0;
    while (p->samples[s].outcome != p->outcome) s++;
    if (p->outcome == OUTCOME_RIGHT || p->outcome == OUTCOME_UNKNOWN || !explain(r, p, s, &fault)) return;
    const bool is_test = p->task->samples[s].is_test;
    Text line = {0};
    text_print(&line, "       %s %d: %s", is_test ? "test" : "demo", is_test ? s - p->task->demos + 1 : s + 1,
               fault.message);
    if (!line.failed) cli_print_line(line.data, 9);
    text_free(&line);
}

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
        ts_grid grids[3] = {sample->input, sample->output, {0}}, wanted[3] = {{0}};
        const char *titles[3] = {"input", "expected", "got"};
        int n = sample->has_output ? 2 : 1;
        wanted[n] = sample->has_output ? sample->output : (ts_grid){0};
        if (!got.failure && ts_value_is_grid(got.value)) grids[n++] = ts_value_grid(got.value);
        printf("  %s %d%s\n", sample->is_test ? "test" : "demo",
               sample->is_test ? s - p->task->demos + 1 : s + 1,
               got.failure                   ? ": the program fails"
               : ts_value_is_grid(got.value) ? ""
                                             : ": the result is no grid");
        char *picture = ts_draw_against(grids, wanted, titles, n, cli_color(stdout), cli_columns(stdout));
        if (picture) fputs(picture, stdout);
        free(picture);
    }
}

// For people names stand in a column; a script has two spaces behind them.
static int name_width(const Run *r) {
    int width = 0;
    for (size_t k = 0; isatty(STDOUT_FILENO) && k < r->count; k++) {
        const int length = (int)strlen(ts_programs_name(r->programs, r->pairings[k].program));
        if (length > width && length <= MOST_NAME) width = length;
    }
    return width;
}

static void print_pairing(Run *r, const Pairing *p, int width) {
    int right = 0, samples = p->task->demos + p->task->tests;
    for (int s = 0; s < samples; s++) right += p->samples[s].outcome == OUTCOME_RIGHT;
    printf("%s%-6s%s %-*s  %d/%d samples", cli_ink(stdout, outcome_inks[p->outcome]),
           outcome_names[p->outcome], cli_ink(stdout, CLI_PLAIN), width,
           ts_programs_name(r->programs, p->program), right, samples);
    const SampleResult *failure = first_failure(p);
    if (failure) printf("  (%s, line %d)", ts_failure_name(failure->failure), failure->line);
    putchar('\n');
    print_fault(r, p);
}

static void print_near(Run *r, const Pairing *p) {
    printf("near   %s  task %s  %d of %d cells off\n", ts_programs_name(r->programs, p->program), p->task->id,
           p->off, p->cells);
    draw_differences(r, p);
}

static void print_text(const Cli *cli, Run *r) {
    const int width = name_width(r);
    for (size_t k = 0; k < r->near_count; k++) print_near(r, r->near[k]);
    for (size_t k = 0; k < r->count && !r->near; k++) {
        print_pairing(r, &r->pairings[k], width);
        if (cli_has(cli, "picture") && r->pairings[k].outcome != OUTCOME_RIGHT)
            draw_differences(r, &r->pairings[k]);
    }
    if (r->near) printf("%zu nearly right\n", r->near_count);
    printf("%zu programs: %zu right, %zu wrong, %zu failed", r->count, r->totals[OUTCOME_RIGHT],
           r->totals[OUTCOME_WRONG], r->totals[OUTCOME_FAILED]);
    if (r->unpaired) printf("; %zu without a task", r->unpaired);
    printf("\nread %.2f ms, parse %.2f ms, run %.2f ms\n", r->read_ms, r->parse_ms, r->run_ms);
}

static void sample_json(Run *r, Text *t, const Pairing *p, int s) {
    const SampleResult *result = &p->samples[s];
    text_print(t, "%s{\"kind\": \"%s\", \"outcome\": \"%s\"", s ? ", " : "",
               s < p->task->demos ? "demo" : "test", outcome_names[result->outcome]);
    if (result->failure)
        text_print(t, ", \"failure\": \"%s\", \"line\": %d", ts_failure_name(result->failure), result->line);
    if (result->off > 0) text_print(t, ", \"cells_off\": %d", result->off);
    ts_fault fault;
    if (result->outcome != OUTCOME_RIGHT && explain(r, p, s, &fault)) {
        char *json = ts_fault_json(&fault);
        text_print(t, ", \"fault\": %s", json ? json : "null");
        t->failed |= !json;
        free(json);
    }
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
        for (int s = 0; s < p->task->demos + p->task->tests; s++) sample_json(r, &t, p, s);
        text_add(&t, "]}");
    }
    text_char(&t, ']');
    if (r->near) text_add(&t, ",\n \"near\": [");
    for (size_t k = 0; k < r->near_count; k++) {
        text_add(&t, k ? ",\n  " : "\n  ");
        near_json(r, &t, r->near[k]);
    }
    if (r->near) text_char(&t, ']');
    text_add(&t, "}\n");
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
    if (cli_has(cli, "near") && !find_near(r)) return cli_no_memory();
    if (cli_has(cli, "json")) code = print_json(r);
    else print_text(cli, r);
    if (!code && cli_has(cli, "png")) code = write_pictures(r, cli_value(cli, "png"));
    if (code || (code = cli_profile_end(cli, r->profile))) return code;
    return r->problems ? EXIT_INPUT : EXIT_GOOD;
}

static ExitCode run(Cli *cli) {
    Run r = {0};
    ExitCode code = run_and_print(cli, &r);
    for (size_t k = 0; k < r.count; k++) free(r.pairings[k].samples);
    free(r.pairings);
    free(r.near);
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
    .help =
        "Runs each program on all samples of the task whose id its name ends in (solve_ID), and says "
        "what is\n"
        "right. Without arguments: the bundled programs on the bundled tasks. Where a result has the "
        "right shape,\npictures mark the cells that are off. --near lists the programs that fail nowhere, "
        "give the right\nshape on every sample, and are off in a tenth of the cells at most.\n"
        "Example: tessera run solvers.py --tasks data/arc1.json --split train",
    .options = {CLI_TASK_OPTIONS,
                {"task", "ID…", "only these tasks", .many = true},
                {"strict", NULL, "stop at the first program that cannot be read"},
                {"json", NULL, "print one JSON object"},
                {"picture", NULL, "draw input, expected and got where they differ"},
                {"near", NULL, "only what is nearly right, the nearest first, with the cells that are off"},
                {"png", "FOLDER", "write a picture of each program that is not right, or nearly so"},
                {"units", "N", "work units that an evaluation may spend"},
                {"repeat", "N", "evaluate N times and give the time of the fastest"},
                CLI_PROFILE_OPTION,
                {"plain", NULL, "leave out the fast paths"}},
    .run = run,
};
