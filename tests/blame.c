// What is said of programs that fail: it agrees with the failure, names the primitive and what it was given,
// and stays short.
//
//     build/obj/tests/blame [seed [seeds]]
//
// Expressions: those of tests/golden/failures.txt with their messages; and every primitive on its example
// with each argument exchanged for values that it may not like. Programs: the bundled ones with mutants, on
// samples of any task, so that many fail somewhere in the middle.
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "check.h"
#include "generate.h"

enum { LOTS = 1000 * 1000 * 1000, MUTANTS = 12, SHORT = 480 };

typedef struct {
    Checks k;
    Rng rng;
    ts_tasks *tasks;
    ts_programs *programs;
    ts_engine *engine;
    size_t failed, named; // failures; those with one argument to blame
} Test;

// ---- What holds of every explanation ----

static bool is_utf8(const char *text) {
    for (size_t n = strlen(text), length; n > 0; text += length, n -= length)
        if (!(length = utf8_length((const unsigned char *)text, n))) return false;
    return true;
}

static void check_fault(Test *t, const ts_result *r, const ts_fault *f, const char *of) {
    Checks *k = &t->k;
    char which[80];
    check(k,
          f->failure == r->failure && strcmp(f->kind, ts_failure_name(r->failure)) == 0 && f->line == r->line,
          "%s in line %d, not %s in line %d: %s", f->kind, f->line, ts_failure_name(r->failure), r->line, of);
    check(k, f->message[0] && strlen(f->message) < SHORT && is_utf8(f->message) && is_utf8(f->remedy),
          "'%s' of %s", f->message, of);
    check(k, !f->primitive || strstr(f->message, f->primitive), "no %s in '%s' of %s", f->primitive,
          f->message, of);
    check(k, f->primitive || strstr(f->message, "called"), "no primitive in '%s' of %s", f->message, of);
    check(k, (f->argument > 0) == (f->given[0] != 0), "argument %d is '%s': %s", f->argument, f->given, of);
    if (f->argument)
        check(k, strstr(f->message, f->given), "no '%s' in '%s' of %s", f->given, f->message, of);
    snprintf(which, sizeof which, "argument %d", f->argument);
    if (f->argument && f->failure != TS_FAIL_EMPTY)
        check(k, strstr(f->message, which), "no %s in '%s' of %s", which, f->message, of);
    t->failed++;
    t->named += f->argument > 0;
}

// ---- Expressions ----

static void check_expression(Test *t, const char *text, const char *wanted) {
    ts_result r;
    ts_status s;
    ts_fault f;
    if (!ts_eval(t->engine, text, strlen(text), &r, &s)) {
        check(&t->k, !wanted, "%s: %s", s.message, text);
        return; // words that a parameter does not take are refused by the reader
    }
    const bool found = ts_explain_eval(t->engine, text, strlen(text), &f);
    if (!check(&t->k, found == (r.failure != 0), "%s is %sexplained", text, found ? "" : "not ")) return;
    if (!found) return;
    check_fault(t, &r, &f, text);
    char said[sizeof f.message + 32];
    snprintf(said, sizeof said, "%s, %s", f.kind, f.message);
    if (wanted) check(&t->k, strcmp(said, wanted) == 0, "%s: '%s', not '%s'", text, said, wanted);
}

static void test_golden(Test *t) {
    check_begin(&t->k, "failures are told as they should be");
    Text file = {0};
    ts_status s;
    size_t lines = 0;
    check(&t->k, text_read_file(&file, "tests/golden/failures.txt", &s), "%s", s.message);
    for (char *line = file.data ? strtok(file.data, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        char *arrow = strstr(line, " => ");
        if (line[0] == '#') continue;
        if (!check(&t->k, arrow, "no ' => ' in '%s'", line)) continue;
        *arrow = 0;
        check_expression(t, line, arrow + 4);
        lines++;
    }
    check(&t->k, lines >= 60, "%zu lines", lines);
    text_free(&file);
    check_end(&t->k);
}

// The arguments of an example that is a call of the primitive: where each begins and ends. How many.
static int split_arguments(const char *example, const char *name, const char *begin[4], const char *end[4]) {
    const size_t n = strlen(name);
    int count = 0, depth = 0;
    if (strncmp(example, name, n) != 0 || example[n] != '(') return 0;
    const char *at = example + n + 1;
    begin[0] = at;
    for (; *at; at++) {
        if (strchr("({", *at)) depth++;
        if (strchr(")}", *at) && depth-- == 0) break;
        if (*at != ',' || depth) continue;
        end[count++] = at;
        if (count == 4) return 0;
        begin[count] = at + 1 + strspn(at + 1, " ");
    }
    end[count] = at;
    return count + 1;
}

static void test_all_primitives(Test *t) {
    check_begin(&t->k, "every primitive with other arguments");
    static const char *const others[] = {"5",
                                         "0",
                                         "-1",
                                         "(1, 2)",
                                         "(1, 2, 3)",
                                         "{}",
                                         "()",
                                         "{1, 2}",
                                         "((1, 2), (3, 4))",
                                         "{(0, 0)}",
                                         "{(1, (0, 0))}",
                                         "{{(1, (0, 0))}, {(2, (1, 1))}}",
                                         "vmirror",
                                         "add",
                                         "compose(first, last)",
                                         "None",
                                         "(1, (2, (3,)))"};
    size_t tried = 0, primitives = 0;
    for (size_t op = 0; op < ts_ops_count(); op++) {
        const ts_op info = ts_ops_at(op);
        const char *begin[4], *end[4];
        const int count = split_arguments(info.example, info.name, begin, end);
        const size_t before = t->failed;
        for (int arg = 0; arg < count; arg++) {
            for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
                Text text = {0};
                text_put(&text, info.example, (size_t)(begin[arg] - info.example));
                text_add(&text, others[k]);
                text_add(&text, end[arg]);
                check_expression(t, text.data, NULL);
                text_free(&text);
                tried++;
            }
        }
        primitives += t->failed > before;
    }
    check(&t->k, primitives > 190 && t->failed > 1500 && t->named * 10 > t->failed * 9,
          "%zu primitives, %zu failures of %zu, %zu with an argument", primitives, t->failed, tried,
          t->named);
    check_end(&t->k);
}

// ---- Programs ----

static void test_programs(Test *t) {
    check_begin(&t->k, "programs that fail are explained");
    ts_status s;
    const ts_card_options options = {.each = MUTANTS, .seed = rng_next(&t->rng), .rate = 0.15};
    ts_card *card = ts_card_new(t->programs, NULL, &options, &s);
    const ts_programs *set = ts_card_programs(card);
    t->failed = 0;
    for (size_t n = 0; n < ts_programs_count(set); n++) {
        const ts_task *task = ts_tasks_at(t->tasks, rng_below(&t->rng, (uint32_t)ts_tasks_count(t->tasks)));
        const int sample = (int)rng_below(&t->rng, (uint32_t)task->demos);
        char *text = ts_programs_print(set, n);
        ts_programs *again = ts_programs_new();
        check(&t->k, ts_programs_add_text(again, "", text, strlen(text), true, NULL, NULL, &s), "%s\n%s",
              s.message, text);
        for (int few = 0; few < 2; few++) {
            ts_fault f;
            ts_engine_set_units(t->engine, few ? rng_below(&t->rng, 3000) : LOTS);
            ts_result r = ts_run_sample(t->engine, again, 0, task, sample);
            const ts_grid *output = &task->samples[sample].output;
            bool right = !r.failure && ts_value_is_grid(r.value);
            right = right && ts_grid_equal(ts_value_grid(r.value), *output);
            bool found = ts_explain(t->engine, again, 0, task, task->samples[sample].input, output, &f);
            if (!check(&t->k, found != right, "it is %sexplained:\n%s", found ? "" : "not ", text) || right)
                continue;
            if (r.failure) check_fault(t, &r, &f, text);
            else check(&t->k, !f.failure && f.message[0], "'%s' of\n%s", f.message, text);
            check(&t->k, !f.primitive || strstr(text, f.primitive), "no %s in\n%s", f.primitive, text);
        }
        ts_programs_free(again);
        free(text);
    }
    check(&t->k, t->failed >= 20, "%zu failures", t->failed);
    ts_card_free(card);
    check_end(&t->k);
}

// What one program is said to have done wrong; "" for nothing.
static void check_message(Test *t, const char *text, uint64_t units, const char *wanted) {
    static const signed char cells[] = {1, 2, 3, 4};
    const ts_grid grid = {2, 2, cells}, other = {1, 2, cells};
    ts_programs *set = ts_programs_new();
    ts_status s;
    ts_fault f = {.message = ""};
    check(&t->k, ts_programs_add_text(set, "", text, strlen(text), true, NULL, NULL, &s), "%s", s.message);
    ts_engine_set_units(t->engine, units);
    ts_explain(t->engine, set, 0, NULL, grid, &other, &f);
    check(&t->k, strcmp(f.message, wanted) == 0, "'%s', not '%s', of\n%s", f.message, wanted, text);
    ts_programs_free(set);
}

static void test_names(Test *t) {
    check_begin(&t->k, "values are called as in the text");
    check_message(t, "def a(I):\n    objs = objects(I, T, F, T)\n    return rot90(objs)\n", LOTS,
                  "argument 1 of rot90 wants a Grid, objs is a set of 3 objects");
    check_message(t, "def a(I):\n    return rot90(objects(I, T, F, T))\n", LOTS,
                  "argument 1 of rot90 wants a Grid, objects(I, T, F, T) is a set of 3 objects");
    check_message(t,
                  "def a(I):\n    a_very_long_name_for_objects = objects(I, T, F, T)\n"
                  "    return rot90(a_very_long_name_for_objects)\n",
                  LOTS, "argument 1 of rot90 wants a Grid, a_very_long_name_for… is a set of 3 objects");
    check_message(
        t, "def a(I):\n    f = compose(color, first)\n    x = f(I)\n    return canvas(x, UNITY)\n", LOTS,
        "in f(I): argument 1 of color wants an Object (a set of cells, each (colour, (row, column))), "
        "it is the pair (1, 2)");
    check_message(
        t, "def a(I):\n    x = apply(color, I)\n    return x\n", LOTS,
        "in apply, at element 1 of I, the pair (1, 2): argument 1 of color wants an Object (a set of "
        "cells, each (colour, (row, column))), it is the pair (1, 2)");
    check_message(t, "def a(I):\n    return 143\n", LOTS, "returned 143, not a grid");
    check_message(t, "def a(I):\n    return I\n", LOTS, "gave a grid of 2 × 2, the output is 1 × 2");
    check_message(t, "def a(I):\n    return crop(hmirror(I), ORIGIN, (1, 2))\n", LOTS,
                  "gave a grid of 1 × 2 with 2 of 2 cells wrong");
    check_message(t, "def a(I):\n    return tophalf(I)\n", LOTS, "");
    // Only what the result asks for is to blame.
    check_message(t, "def a(I):\n    e = first(())\n    return choose(F, e, divide(ONE, ZERO))\n", LOTS,
                  "divide divides by zero: argument 2 of divide is the number 0");
    check_message(t, "def a(I):\n    e = first(())\n    return choose(T, e, divide(ONE, ZERO))\n", LOTS,
                  "first of an empty tuple");
    check_end(&t->k);
}

static void test_hostile(Test *t) {
    check_begin(&t->k, "large and deep values are told in a few words");
    Text deep = {0}, wide = {0};
    text_add(&deep, "def a(I):\n    x0 = repeat(I, 2)\n");
    for (int k = 0; k < 150; k++) text_print(&deep, "    x%d = repeat(x%d, 1)\n", k + 1, k);
    text_add(&deep, "    return shift(x150, UP)\n");
    check_message(t, deep.data, LOTS,
                  "argument 1 of shift wants a Patch (Object or Indices), x150 is a tuple of 1 tuple");
    text_add(&wide, "def a(I):\n    x0 = interval(0, 10000, 1)\n    x1 = repeat(x0, 100)\n");
    text_add(&wide, "    x2 = repeat(x1, 60)\n    return rot90(initset(x2))\n");
    check_message(t, wide.data, LOTS, "argument 1 of rot90 wants a Grid, initset(x2) is a set of 1 tuple");
    text_clear(&wide);
    text_add(&wide, "def a(I):\n    x = (");
    for (int k = 0; k < 4000; k++) text_print(&wide, "%d, ", k);
    text_add(&wide, ")\n    return rot90(initset(x))\n");
    check_message(t, wide.data, LOTS, "argument 1 of rot90 wants a Grid, initset(…) is a set of 1 tuple");
    // Where there is no work left to look inside, the line itself is told.
    check_message(
        t, "def a(I):\n    x = interval(0, 3000, 1)\n    y = apply(lbind(divide, 1), x)\n    return y\n",
        100 * 1000,
        "in apply, at element 1 of x, the number 0: divide divides by zero: argument 2 of divide is the "
        "number 0");
    text_free(&deep);
    text_free(&wide);
    check_end(&t->k);
}

int main(int argc, char **argv) {
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    ts_status s;
    Test t = {.tasks = ts_tasks_read("tasks", NULL, false, NULL, NULL, &s)};
    t.programs = ts_programs_new();
    t.engine = ts_engine_new();
    if (!t.tasks || !ts_programs_add_file(t.programs, "tasks/solvers.py", true, NULL, NULL, &s)) return 1;
    ts_engine_set_units(t.engine, 1000 * 1000);
    test_golden(&t);
    test_all_primitives(&t);
    test_names(&t);
    test_hostile(&t);
    for (uint64_t seed = first; seed < first + count; seed++) {
        t.rng.state = seed;
        test_programs(&t);
    }
    ts_engine_free(t.engine);
    ts_programs_free(t.programs);
    ts_tasks_free(t.tasks);
    return check_summary(&t.k);
}
