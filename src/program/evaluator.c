// The public face of programs and their evaluation.
#include <assert.h>
#include <stdlib.h>

#include "program/evaluator.h"

// 10 million units: some ten milliseconds, and at most 80 MB. The hungriest public solver needs a twentieth.
#define PROGRAMS_MEMORY (SIZE_MAX > UINT32_MAX ? (size_t)((uint64_t)4 << 30) : (size_t)1 << 30) // 1 in a page

const char *ts_version(void) { return TS_VERSION; }

const char *ts_failure_name(ts_failure kind) {
    static const char *const names[TS_FAIL_KINDS] = {"none",     "type",  "value", "index",  "empty",  "zero",
                                                     "overflow", "arity", "depth", "budget", "foreign"};
    return (unsigned)kind < TS_FAIL_KINDS ? names[kind] : "unknown";
}

// ---- Programs ----

ts_programs *ts_programs_new(void) {
    ts_programs *programs = calloc(1, sizeof *programs);
    if (programs) arena_init(&programs->ctx.arena, PROGRAMS_MEMORY);
    return programs;
}

void ts_programs_free(ts_programs *programs) {
    if (!programs) return;
    arena_free(&programs->ctx.arena);
    parser_free(programs->parser);
    free(programs->programs);
    free(programs);
}

bool ts_programs_add_file(ts_programs *programs, const char *path, bool strict, ts_report *report, void *user,
                          ts_status *status) {
    Text text = {0};
    bool good = text_read_file(&text, path, status);
    if (!good && report) report(user, status);
    if (good)
        good = ts_programs_add_text(programs, path, text.data, text.length, strict, report, user, status);
    text_free(&text);
    return good;
}

size_t ts_programs_count(const ts_programs *programs) { return programs->count; }

const char *ts_programs_name(const ts_programs *programs, size_t index) {
    assert(index < programs->count);
    return programs->programs[index].name;
}

ptrdiff_t ts_programs_find(const ts_programs *programs, const char *name) {
    for (size_t k = 0; k < programs->count; k++)
        if (strcmp(programs->programs[k].name, name) == 0) return (ptrdiff_t)k;
    return -1;
}

bool ts_programs_found(const ts_programs *programs, size_t index) { return programs->programs[index].found; }

void ts_programs_set_found(ts_programs *programs, size_t index, bool found) {
    programs->programs[index].found = found;
}

size_t ts_programs_lines(const ts_programs *programs, size_t index) {
    return programs->programs[index].line_count;
}

char *ts_programs_print(const ts_programs *programs, size_t index) {
    assert(index < programs->count);
    Text text = {0};
    program_print(&text, &programs->programs[index]);
    return text_take(&text);
}

char *ts_programs_print_dialect(const ts_programs *programs, size_t index, ts_status *status) {
    assert(index < programs->count);
    Text text = {0};
    *status = (ts_status){0};
    if (!program_print_dialect(&text, &programs->programs[index], status)) {
        text_free(&text);
        return NULL;
    }
    if (text.failed) status_fail(status, TS_SYSTEM, "not enough memory");
    return text_take(&text);
}

// ---- Engines ----

ts_engine *ts_engine_new(void) {
    ts_engine *engine = calloc(1, sizeof *engine);
    if (!engine) return NULL;
    arena_init(&engine->ctx.arena, EVALUATOR_MEMORY);
    engine->units = EVALUATOR_UNITS;
    engine->scratch = ts_programs_new();
    if (engine->scratch) return engine;
    free(engine);
    return NULL;
}

void ts_engine_free(ts_engine *engine) {
    if (!engine) return;
    arena_free(&engine->ctx.arena);
    ts_programs_free(engine->scratch);
    free(engine);
}

void ts_engine_set_units(ts_engine *engine, uint64_t units) {
    engine->units = units < INT64_MAX / 2 ? units : INT64_MAX / 2;
}

void ts_engine_set_plain(ts_engine *engine, bool plain) { engine->ctx.plain = plain; }

void ts_engine_set_stop(ts_engine *engine, const ts_stop *stop) { engine->ctx.stop = stop; }

void ts_engine_set_profile(ts_engine *engine, ts_profile *profile) {
    engine->ctx.profile = profile ? (Profile *)profile : NULL; // its first part
}

bool ts_engine_starved(ts_engine *engine) {
    const bool starved = engine->ctx.arena.starved;
    engine->ctx.arena.starved = false;
    return starved;
}

void evaluator_begin(ts_engine *engine) { ctx_begin(&engine->ctx, (int64_t)engine->units); }

ts_result evaluator_result(const ts_engine *engine, Value value, uint32_t line) {
    const Ctx *c = &engine->ctx;
    int64_t used = ctx_spent(c, (int64_t)engine->units);
    return (ts_result){.value = c->failure ? VALUE_FAILED : value,
                       .failure = c->failure,
                       .line = c->failure ? (int)line : 0,
                       .units = (uint64_t)used};
}

// What is given costs nothing: units are for what the program does with it.
static ts_result run_given(ts_engine *engine, const Program *p, Value samples, Value input, Value candidate) {
    uint32_t line = 0;
    engine->ctx.units = (int64_t)engine->units;
    Value value = program_run(&engine->ctx, p, samples, input, candidate, &line);
    return evaluator_result(engine, value, line);
}

ts_result ts_run(ts_engine *engine, const ts_programs *programs, size_t index, ts_grid input) {
    ctx_begin(&engine->ctx, EVALUATOR_UNMETERED);
    Value grid = value_grid(&engine->ctx, input);
    return run_given(engine, &programs->programs[index], VALUE_NO_TUPLE, grid, VALUE_NONE);
}

Value program_samples(Ctx *c, const ts_task *task) {
    Gather g = gather_room(c, (size_t)task->demos);
    for (int k = 0; k < task->demos; k++) {
        Value input = value_grid(c, task->samples[k].input), output = value_grid(c, task->samples[k].output);
        if (!c->failure) gather_add(&g, value_pair(c, input, output));
    }
    return gather_tuple(&g);
}

ts_result ts_run_sample(ts_engine *engine, const ts_programs *programs, size_t index, const ts_task *task,
                        int sample) {
    const Program *p = &programs->programs[index];
    if (!p->takes_samples) return ts_run(engine, programs, index, task->samples[sample].input);
    Ctx *c = &engine->ctx;
    ctx_begin(c, EVALUATOR_UNMETERED);
    Value samples = program_samples(c, task), grid = value_grid(c, task->samples[sample].input);
    return run_given(engine, p, samples, grid, VALUE_NONE);
}

ts_result ts_run_differ(ts_engine *engine, const ts_programs *differs, size_t index, const ts_task *task,
                        ts_grid input, ts_grid expected) {
    Ctx *c = &engine->ctx;
    ctx_begin(c, EVALUATOR_UNMETERED);
    Value samples = program_samples(c, task), grid = value_grid(c, input), right = value_grid(c, expected);
    return run_given(engine, &differs->programs[index], samples, grid, right);
}

bool ts_eval(ts_engine *engine, const char *text, size_t length, ts_result *result, ts_status *status) {
    evaluator_begin(engine);
    arena_reset(&engine->scratch->ctx.arena);
    Program p;
    if (!program_parse_expression(engine->scratch, "", text, length, &p, status)) return false;
    uint32_t line = 0;
    Value value = program_run(&engine->ctx, &p, VALUE_NO_TUPLE, VALUE_NONE, VALUE_NONE, &line);
    *result = evaluator_result(engine, value, line);
    return true;
}

// ---- Values ----

bool ts_value_is_grid(ts_value value) { return value_is_grid(value); }

ts_grid ts_value_grid(ts_value value) { return value_as_grid(value); }

bool ts_value_equal(ts_value a, ts_value b) { return value_equal(a, b); }

char *ts_value_print(ts_value value) {
    Text text = {0};
    literal_print(&text, value);
    return text_take(&text);
}

char *ts_value_print_some(ts_value value, size_t most, bool *whole) {
    Text text = {0};
    const bool is_whole = literal_print_some(&text, value, most);
    if (whole) *whole = is_whole;
    return text_take(&text);
}

char *ts_value_describe(ts_value value) {
    Text text = {0};
    literal_describe(&text, value);
    return text_take(&text);
}

uint64_t ts_value_hash(ts_value value) { return value_hash(value); }
