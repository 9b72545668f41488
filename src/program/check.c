// Checks lines of expected results: `expression => value`, or `name INPUT => OUTPUT` for programs.
#include <stdio.h>

#include "program/evaluator.h"

enum { MOST_SHOWN = 200 }; // bytes of a value

typedef struct {
    ts_engine *engine;
    const ts_programs *programs;
    const char *name;
    int line; // under way
    ts_report *report;
    void *user;
    ts_check_result *result;
} Check;

// An expected or given text: a value, or '!' for a failure.
static bool read_side(Check *k, const char *start, const char *end, Value *value, Status *s) {
    Program p;
    uint32_t line;
    if (!program_parse_expression(k->engine->scratch, "", start, (size_t)(end - start), &p, s)) return false;
    *value = program_run(&k->engine->ctx, &p, VALUE_NO_TUPLE, VALUE_NONE, VALUE_NONE, &line);
    return true;
}

// What is wrong with the line, said where it begins.
static void report_line(Check *k, Status *s) {
    status_in_file(s, k->name);
    s->line = k->line;
    s->column = 1;
    s->excerpt[0] = 0;
    if (k->report) k->report(k->user, s);
}

static void print_side(Text *t, const char *title, Value v, ts_failure failure) {
    text_add(t, title);
    if (failure) text_print(t, "! (%s)", ts_failure_name(failure));
    else literal_print_some(t, v, MOST_SHOWN);
}

// The program's result for the input, which was read into `input`.
static bool run_named(Check *k, const char *start, const char *end, Value *value, Status *s) {
    const char *space = memchr(start, ' ', (size_t)(end - start));
    if (!space) return status_fail(s, TS_INPUT, "expected 'name INPUT => OUTPUT'");
    char name[128];
    snprintf(name, sizeof name, "solve_%.*s", space - start > 100 ? 100 : (int)(space - start), start);
    ptrdiff_t index = ts_programs_find(k->programs, name);
    if (index < 0) index = ts_programs_find(k->programs, name + strlen("solve_"));
    if (index < 0) return status_fail(s, TS_INPUT, "no program '%s'", name);
    Value input;
    uint32_t line;
    if (!read_side(k, space + 1, end, &input, s)) return false;
    Ctx *c = &k->engine->ctx;
    if (!c->failure)
        *value = program_run(c, &k->programs->programs[index], VALUE_NO_TUPLE, input, VALUE_NONE, &line);
    return true;
}

static bool check_line(Check *k, const char *start, const char *end) {
    Status s;
    const char *arrow = memmem(start, (size_t)(end - start), " => ", 4);
    if (!arrow) {
        status_fail(&s, TS_INPUT, "expected 'expression => value'");
        report_line(k, &s);
        return false;
    }
    Ctx *c = &k->engine->ctx;
    evaluator_begin(k->engine);
    arena_reset(&k->engine->scratch->ctx.arena);
    Value given = VALUE_FAILED, wanted = VALUE_FAILED;
    bool readable =
        k->programs ? run_named(k, start, arrow, &given, &s) : read_side(k, start, arrow, &given, &s);
    ts_failure given_failure = c->failure;
    const char *expected = arrow + 4;
    bool wants_failure = end - expected == 1 && *expected == '!';
    c->failure = TS_FAIL_NONE;
    c->units = INT64_MAX / 2; // a large expected value is not to fail for what was spent on the left
    if (readable && !wants_failure) readable = read_side(k, expected, end, &wanted, &s);
    if (c->arena.starved) return false;
    if (!readable) {
        report_line(k, &s);
        return false;
    }
    if (wants_failure ? given_failure != TS_FAIL_NONE : !given_failure && value_equal(given, wanted)) {
        k->result->passed++;
        return true;
    }
    k->result->failed++;
    Text t = {0};
    print_side(&t, "expected ", wanted, wants_failure);
    print_side(&t, "\n  got      ", given, given_failure);
    status_fail(&s, TS_INPUT, "%.500s", t.data ? t.data : "out of memory");
    text_free(&t);
    report_line(k, &s);
    return true;
}

bool ts_check(ts_engine *engine, const ts_programs *programs, const char *name, const char *text,
              size_t length, ts_report *report, void *user, ts_check_result *result) {
    Check k = {engine, programs, name, 1, report, user, result};
    bool good = true;
    *result = (ts_check_result){0, 0};
    engine->ctx.arena.starved = false;
    for (const char *start = text, *end = text + length; start < end; k.line++) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        const char *stop = newline ? newline : end;
        const char *last = stop > start && stop[-1] == '\r' ? stop - 1 : stop;
        if (last > start && *start != '#') good &= check_line(&k, start, last);
        if (engine->ctx.arena.starved) return false;
        start = stop + 1;
    }
    return good;
}
