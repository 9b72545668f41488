// Traces against runs: what a trace gives is what ts_run gives, its lines are those that print, and each line
// gives what the program gives that ends with it.
//
//     build/obj/tests/trace [seed [seeds]]
//
// The programs are the bundled ones and the bundled differs with mutants of both, each on samples of any
// task, so that many fail somewhere in the middle.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "check.h"
#include "generate.h"

enum { LOTS = 1000 * 1000 * 1000, MUTANTS = 12 };

typedef struct {
    Checks k;
    Rng rng;
    ts_tasks *tasks;
    ts_programs *differs, *programs;
    ts_engine *engine, *other;
    size_t failed, went_on; // programs that failed; lines that were run after a failure
    size_t forgiven;        // programs of which a line failed
} Test;

// One trace under way.
typedef struct {
    Test *t;
    const ts_task *task;
    ts_grid input;
    const ts_grid *expected; // of a differ
    bool compare;            // each line with the program that ends with it
    const char *head;        // of the program, as it prints
    size_t head_length;
    Text lines;
    bool forgives;    // it has a choose: it goes on after a line that fails
    ts_failure first; // failure
    int visited, most;
    uint64_t units;
} Trace;

static ts_result run(Test *t, ts_engine *engine, const ts_programs *set, size_t index, const Trace *trace) {
    (void)t;
    if (trace->expected)
        return ts_run_differ(engine, set, index, trace->task, trace->input, *trace->expected);
    ts_sample sample = {.input = trace->input};
    ts_task one = *trace->task; // the same demos, and the input after them
    ts_sample *samples = malloc((size_t)(one.demos + 1) * sizeof *samples);
    memcpy(samples, one.samples, (size_t)one.demos * sizeof *samples);
    samples[one.demos] = sample;
    one.samples = samples;
    one.tests = 1;
    ts_result r = ts_run_sample(engine, set, index, &one, one.demos);
    free(samples);
    return r;
}

static bool is_same(ts_value a, ts_value b) {
    return ts_value_equal(a, b) && ts_value_hash(a) == ts_value_hash(b);
}

// The program that ends with the line.
static void compare_line(Trace *trace, const ts_trace_line *line) {
    Test *t = trace->t;
    ts_status s;
    Text cut = {0};
    ts_programs *set = ts_programs_new();
    text_put(&cut, trace->head, trace->head_length);
    text_put(&cut, trace->lines.data, trace->lines.length);
    text_print(&cut, "    return %.*s\n", (int)strcspn(line->text, " "), line->text);
    check(&t->k, ts_programs_add_text(set, "", cut.data, cut.length, true, NULL, NULL, &s), "%s\n%s",
          s.message, cut.data);
    ts_result r = run(t, t->other, set, 0, trace);
    check(&t->k, r.failure == line->failure, "%s, not %s, in\n%s", ts_failure_name(line->failure),
          ts_failure_name(r.failure), cut.data);
    if (!r.failure && !line->failure)
        check(&t->k, is_same(r.value, line->value), "another value in\n%s", cut.data);
    ts_programs_free(set);
    text_free(&cut);
}

static bool visit(void *user, const ts_trace_line *line) {
    Trace *trace = user;
    Checks *k = &trace->t->k;
    trace->visited++;
    check(k, line->number == trace->visited && line->number <= line->count && line->source > 0,
          "line %d of %d", line->number, line->count);
    text_print(&trace->lines, "    %s\n", line->text);
    if (trace->compare) compare_line(trace, line);
    if (!trace->first || trace->forgives) trace->units += line->units;
    trace->t->went_on += trace->first && line->units > 0;
    if (!trace->first) trace->first = line->failure;
    return trace->visited != trace->most;
}

// A trace, and the run that it has to be like.
static void compare(Test *t, const ts_programs *set, size_t index, Trace *trace, uint64_t units) {
    char *text = ts_programs_print(set, index);
    const char *name = ts_programs_name(set, index);
    trace->t = t;
    trace->head = text;
    trace->head_length = strcspn(text, "\n") + 1;
    trace->forgives = strstr(text, "choose(");
    ts_engine_set_units(t->engine, units);
    ts_engine_set_units(t->other, units);
    ts_result got = ts_trace(t->engine, set, index, trace->task, trace->input, trace->expected, visit, trace);
    ts_result wanted = run(t, t->other, set, index, trace);
    Text whole = {0};
    text_put(&whole, trace->head, trace->head_length);
    if (trace->lines.length) text_put(&whole, trace->lines.data, trace->lines.length);
    check(&t->k,
          strncmp(text, whole.data, whole.length) == 0 &&
              strncmp(text + whole.length, "    return ", 11) == 0,
          "the lines of\n%s are\n%s", text, whole.data);
    check(&t->k, (size_t)trace->visited == ts_programs_lines(set, index), "%d lines", trace->visited);
    check(&t->k, got.failure == wanted.failure && got.line == wanted.line && got.units == wanted.units,
          "%s: %s in line %d with %llu units, not %s in line %d with %llu", name,
          ts_failure_name(got.failure), got.line, (unsigned long long)got.units,
          ts_failure_name(wanted.failure), wanted.line, (unsigned long long)wanted.units);
    check(&t->k, trace->units == got.units && (trace->forgives || trace->first == got.failure),
          "%s: its lines take %llu units, it takes %llu", name, (unsigned long long)trace->units,
          (unsigned long long)got.units);
    if (!got.failure) check(&t->k, is_same(got.value, wanted.value), "%s gives another value", name);
    t->failed += got.failure != 0;
    t->forgiven += trace->first && !got.failure;
    text_free(&whole);
    text_free(&trace->lines);
    free(text);
}

static const ts_task *any_task(Test *t) {
    return ts_tasks_at(t->tasks, rng_below(&t->rng, (uint32_t)ts_tasks_count(t->tasks)));
}

static ts_card *mutants(Test *t, const ts_programs *source) {
    ts_status s;
    const ts_card_options options = {.each = MUTANTS, .seed = rng_next(&t->rng), .rate = 0.1};
    return ts_card_new(source, NULL, &options, &s);
}

// ---- Tests ----

static void test_programs(Test *t, bool differs) {
    check_begin(&t->k, differs ? "traces of differs are like runs" : "traces are like runs");
    ts_card *card = mutants(t, differs ? t->differs : t->programs);
    const ts_programs *set = ts_card_programs(card);
    t->failed = t->went_on = 0;
    for (size_t n = 0; n < ts_programs_count(set); n++) {
        const ts_task *task = any_task(t);
        const ts_sample *sample = &task->samples[rng_below(&t->rng, (uint32_t)task->demos)];
        const uint64_t few = rng_below(&t->rng, 3000);
        for (int k = 0; k < 2; k++) {
            Trace trace = {.task = task, .input = sample->input, .compare = k == 0};
            if (differs) trace.expected = &sample->output;
            compare(t, set, n, &trace, k ? few : LOTS);
        }
    }
    check(&t->k, t->failed >= 10 && (differs || t->went_on >= 10),
          "%zu programs failed, %zu lines after that", t->failed, t->went_on);
    ts_card_free(card);
    check_end(&t->k);
}

// Programs that choose between two mutants.
static void test_choices(Test *t) {
    check_begin(&t->k, "traces of programs that choose are like runs");
    ts_card *card = mutants(t, t->programs);
    ts_programs *set = ts_programs_new();
    t->failed = t->forgiven = 0;
    for (int n = 0; n < 300; n++) {
        Text text = {0};
        ts_status s;
        gen_choice(&t->rng, n % 3 || !n ? ts_card_programs(card) : set, "solve_choice", &text);
        bool good = ts_programs_add_text(set, "", text.data, text.length, true, NULL, NULL, &s);
        if (!check(&t->k, good, "%s\n%s", s.message, text.data)) break;
        const ts_task *task = any_task(t);
        const ts_sample *sample = &task->samples[rng_below(&t->rng, (uint32_t)task->demos)];
        const uint64_t few = rng_below(&t->rng, 3000);
        for (int k = 0; k < 2; k++) {
            Trace trace = {.task = task, .input = sample->input, .compare = k == 0};
            compare(t, set, ts_programs_count(set) - 1, &trace, k ? few : LOTS);
        }
        text_free(&text);
    }
    check(&t->k, t->failed >= 20 && t->forgiven >= 20, "%zu programs failed, %zu did not", t->failed,
          t->forgiven);
    ts_programs_free(set);
    ts_card_free(card);
    check_end(&t->k);
}

static void test_small(Test *t) {
    check_begin(&t->k, "no lines, no task, lines that are not asked for");
    static const char text[] = "def a(I):\n    return I\ndef b(I):\n    return TWO\n"
                               "def c(I):\n    x1 = vmirror(I)\n    x2 = hmirror(x1)\n    return rot90(x2)\n"
                               "def d(S, I, C):\n    x1 = size(S)\n    return astuple(x1, C)\n";
    static const signed char cells[] = {1, 2, 3, 4};
    const ts_grid grid = {2, 2, cells};
    ts_programs *set = ts_programs_new();
    ts_status s;
    check(&t->k, ts_programs_add_text(set, "", text, sizeof text - 1, true, NULL, NULL, &s), "%s", s.message);
    ts_engine_set_units(t->engine, LOTS);
    const char *const wanted[] = {"((1, 2), (3, 4))", "2", "((2, 4), (1, 3))", "(0, None)"};
    const int lines[] = {0, 0, 3, 2};
    for (size_t n = 0; n < 4; n++) {
        Trace trace = {.t = t};
        ts_result r = ts_trace(t->engine, set, n, NULL, grid, NULL, visit, &trace);
        char *got = ts_value_print(r.value);
        check(&t->k, !r.failure && strcmp(got, wanted[n]) == 0, "%s gives %s", ts_programs_name(set, n), got);
        check(&t->k, trace.visited == lines[n] && ts_programs_lines(set, n) == (size_t)lines[n], "%d lines",
              trace.visited);
        free(got);
        text_free(&trace.lines);
    }
    Trace trace = {.t = t, .most = 2};
    ts_result r = ts_trace(t->engine, set, 2, NULL, grid, NULL, visit, &trace);
    char *got = ts_value_print(r.value);
    check(&t->k, trace.visited == 2 && !r.failure && strcmp(got, "((4, 3), (2, 1))") == 0,
          "%d lines of two, which give %s", trace.visited, got);
    check(&t->k, strcmp(trace.lines.data, "    x1 = vmirror(I)\n    x2 = hmirror(x1)\n") == 0, "%s",
          trace.lines.data);
    free(got);
    text_free(&trace.lines);
    ts_programs_free(set);
    check_end(&t->k);
}

static ts_stop stop;

static void test_stop(Test *t) {
    check_begin(&t->k, "a trace that is stopped");
    static const char text[] = "def a(I):\n    x1 = power(identity, 100000000)\n    x2 = x1(I)\n"
                               "    x3 = vmirror(I)\n    return hconcat(x2, x3)\n";
    ts_programs *set = ts_programs_new();
    ts_status s;
    check(&t->k, ts_programs_add_text(set, "", text, sizeof text - 1, true, NULL, NULL, &s), "%s", s.message);
    ts_stop_set(&stop, true);
    ts_engine_set_stop(t->engine, &stop);
    Trace trace = {.t = t};
    ts_result r =
        ts_trace(t->engine, set, 0, NULL, ts_tasks_at(t->tasks, 0)->samples[0].input, NULL, visit, &trace);
    check(&t->k, r.failure == TS_FAIL_BUDGET && trace.visited == 4, "%s", ts_failure_name(r.failure));
    ts_engine_set_stop(t->engine, NULL);
    text_free(&trace.lines);
    ts_programs_free(set);
    check_end(&t->k);
}

int main(int argc, char **argv) {
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    ts_status s;
    Test t = {.tasks = ts_tasks_read("tasks", NULL, false, NULL, NULL, &s)};
    t.programs = ts_programs_new();
    t.differs = ts_programs_new();
    t.engine = ts_engine_new();
    t.other = ts_engine_new();
    if (!t.tasks || !ts_programs_add_file(t.programs, "tasks/solvers.py", true, NULL, NULL, &s) ||
        !ts_differs_bundled(t.differs, &s))
        return 1;
    test_small(&t);
    test_stop(&t);
    for (uint64_t seed = first; seed < first + count; seed++) {
        t.rng.state = seed;
        test_programs(&t, false);
        test_programs(&t, true);
        test_choices(&t);
    }
    ts_engine_free(t.other);
    ts_engine_free(t.engine);
    ts_programs_free(t.differs);
    ts_programs_free(t.programs);
    ts_tasks_free(t.tasks);
    return check_summary(&t.k);
}
