// Solves tasks: searches each within its units, and writes the two best answers for each test as a
// submission.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/replace.h"
#include "cli/cli.h"

enum { ATTEMPTS = 2 };

typedef struct {
    ts_search_options options;
    Text submission, candidates;
    size_t outputs, right, first_right, solved;
    uint64_t tried;
} Solve;

static void grid_json(Text *t, ts_grid g) {
    if (!g.height) {
        text_add(t, "null");
        return;
    }
    for (int i = 0; i < g.height; i++) {
        text_add(t, i ? ",[" : "[[");
        for (int j = 0; j < g.width; j++) text_print(t, j ? ",%d" : "%d", g.cells[i * g.width + j]);
        text_char(t, ']');
    }
    text_char(t, ']');
}

static void add_candidates(Solve *s, const ts_task *task, const ts_search *search) {
    Text *t = &s->candidates;
    for (size_t k = 0; k < ts_search_count(search); k++) {
        ts_found f = ts_search_at(search, k);
        text_print(
            t, "{\"task\": \"%s\", \"engine\": \"%s\", \"class\": %d, \"demos\": %d, \"demos_right\": %d, ",
            task->id, f.engine, f.rule, f.demos, f.demos_right);
        text_print(t, "\"confidence\": %.4f, \"units\": %llu, \"lines\": %zu, \"answers\": [", f.confidence,
                   (unsigned long long)f.units, f.lines);
        for (int n = 0; n < task->tests; n++) {
            if (n) text_char(t, ',');
            grid_json(t, f.answers[n]);
        }
        text_add(t, "], \"program\": ");
        text_json(t, f.program);
        text_add(t, "}\n");
    }
}

static void add_answers(Solve *s, const ts_task *task, const ts_search *search) {
    Text *t = &s->submission;
    text_print(t, "%s\"%s\": [", t->length > 1 ? ",\n" : "", task->id);
    for (int n = 0; n < task->tests; n++) {
        const ts_sample *test = &task->samples[task->demos + n];
        ts_attempt attempts[ATTEMPTS];
        size_t count = ts_search_attempts(search, n, attempts, ATTEMPTS);
        bool right = false;
        text_add(t, n ? ", {" : "{");
        for (size_t k = 0; k < ATTEMPTS; k++) {
            ts_grid g = k < count ? attempts[k].grid : (ts_grid){1, 1, (const signed char[]){0}};
            text_print(t, "%s\"attempt_%zu\": ", k ? ", " : "", k + 1);
            grid_json(t, g);
            if (test->has_output && ts_grid_equal(g, test->output)) {
                right = true;
                s->first_right += k == 0;
            }
        }
        text_char(t, '}');
        s->outputs++;
        s->right += right;
    }
    text_char(t, ']');
}

static ExitCode solve_all(Solve *s, const ts_task **tasks, size_t count) {
    CliProgress progress = cli_progress("solve");
    double ms[64] = {0};
    uint64_t tried[64] = {0};
    const char *names[64] = {0};
    text_char(&s->submission, '{');
    for (size_t k = 0; k < count; k++) {
        ts_status status;
        ts_search *search = ts_search_new(tasks[k], &s->options, &status);
        if (!search) return cli_fail(&status);
        add_answers(s, tasks[k], search);
        add_candidates(s, tasks[k], search);
        uint64_t n;
        double time;
        const char *name;
        for (size_t e = 0; (name = ts_search_engine(search, e, &n, &time)); e++) {
            names[e] = name;
            tried[e] += n;
            ms[e] += time;
        }
        ts_search_free(search);
        char more[64];
        snprintf(more, sizeof more, "%zu of %zu outputs right", s->right, s->outputs);
        cli_progress_show(&progress, k + 1, count, more);
    }
    cli_progress_end(&progress);
    text_add(&s->submission, "}\n");
    printf("%zu outputs, %zu right, %zu with the first attempt\n", s->outputs, s->right, s->first_right);
    for (int e = 0; names[e]; e++)
        printf("%-8s %9.0f ms %12llu tried\n", names[e], ms[e], (unsigned long long)tried[e]);
    return EXIT_GOOD;
}

static bool write_text(const char *path, const Text *t, ExitCode *code) {
    ts_status status;
    if (!path || replace_with(path, t->data ? t->data : "", t->length, &status)) return true;
    *code = cli_fail(&status);
    return false;
}

static ExitCode run(Cli *cli) {
    Solve s = {0};
    int problems = 0;
    ExitCode code = EXIT_GOOD;
    const char *per_task = cli_value(cli, "per-task");
    if (per_task) s.options.seconds = strtod(per_task, NULL) * (strstr(per_task, "ms") ? 1e-3 : 1);
    s.options.engines = cli_value(cli, "engine");
    ts_tasks *tasks = cli_tasks(cli, &problems, &code);
    if (!tasks) return code;
    size_t count;
    const ts_task **chosen = cli_select(cli, tasks, &count, &code);
    if (chosen) code = solve_all(&s, chosen, count);
    if (code == EXIT_GOOD && write_text(cli_value(cli, "out"), &s.submission, &code))
        write_text(cli_value(cli, "candidates"), &s.candidates, &code);
    text_free(&s.submission);
    text_free(&s.candidates);
    free(chosen);
    ts_tasks_free(tasks);
    return code;
}

const CliCommand cmd_solve = {
    .name = "solve",
    .arguments = "",
    .summary = "search programs for tasks and write a submission",
    .help = "Example: tessera solve --tasks data/arc1.json --per-task 1s --out submission.json",
    .options = {CLI_TASK_OPTIONS,
                CLI_SELECT_OPTIONS,
                {"per-task", "TIME", "work on each task, as 300ms or 2s"},
                {"engine", "NAMES", "only these engines, with commas between"},
                {"pool", "FILE", "programs to try first; none: no pool"},
                {"out", "FILE", "the submission"},
                {"candidates", "FILE", "all programs found, one JSON object a line"}},
    .run = run,
};
