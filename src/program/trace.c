// A program line by line, as somebody looks on who wants to know what each line gives.
//
// Up to the first line that fails it is what program_run does. There the program has failed, but the lines
// after it that need nothing of it still have something to show; those that do fail as it did, the leftmost
// argument deciding, as in a battery. Once units or memory are spent there is nothing more to run with.
#include <stdlib.h>

#include "program/evaluator.h"

typedef struct {
    ts_engine *engine;
    const Program *program;
    Value *slots;
    ts_failure *failures; // of each slot
    ts_result result;     // of the program, once it is known
    Text text;            // of the line under way
} Trace;

// How a line fails before it is run: as something that it needs has failed, or for want of units.
static ts_failure failed_before(const Trace *t, const Line *l) {
    if (t->engine->ctx.failure) return TS_FAIL_BUDGET;
    ts_failure failure = l->op == LINE_CALLS_VALUE ? t->failures[l->callee] : TS_FAIL_NONE;
    for (int arg = 0; arg < l->n && !failure; arg++) failure = t->failures[l->args[arg]];
    return failure;
}

// The failure is known; the lines after it begin anew, unless there is nothing left to spend.
static void go_on(Ctx *c) {
    if (c->failure == TS_FAIL_BUDGET) return;
    c->failure = TS_FAIL_NONE;
    c->calls = 0;
    ctx_forget(c);
}

static void run_line(Trace *t, uint32_t number, ts_trace_line *line) {
    Ctx *c = &t->engine->ctx;
    const Line *l = &t->program->lines[number];
    const uint32_t slot = program_slot_of_line(t->program, number);
    const int64_t before = c->units;
    line->failure = failed_before(t, l);
    if (!line->failure) {
        Value a[LINE_MOST_ARGS];
        for (int arg = 0; arg < l->n; arg++) a[arg] = t->slots[l->args[arg]];
        line->value = line_run(c, l->op, t->slots[l->callee], a, l->n);
        profile_lap(c->profile, l->op == LINE_CALLS_VALUE ? PROFILE_CALL : (unsigned)l->op, 1);
        line->failure = c->failure;
        line->units = (uint64_t)ctx_spent(c, before);
        if (!t->result.failure) t->result = evaluator_result(t->engine, line->value, l->source);
        go_on(c);
    }
    if (line->failure) line->value = VALUE_FAILED;
    t->slots[slot] = line->value;
    t->failures[slot] = line->failure;
}

static bool show_line(Trace *t, uint32_t number, ts_trace_visit *visit, void *user) {
    ts_trace_line line = {.number = (int)number + 1,
                          .count = (int)t->program->line_count,
                          .source = (int)t->program->lines[number].source};
    run_line(t, number, &line);
    text_clear(&t->text);
    program_print_line(&t->text, t->program, number);
    if (t->text.failed) t->engine->ctx.arena.starved = true;
    line.text = t->text.failed ? "" : t->text.data;
    return visit(user, &line);
}

// S, I and C cost nothing, as in ts_run.
static void give(Trace *t, const ts_task *task, ts_grid input, const ts_grid *expected) {
    Ctx *c = &t->engine->ctx;
    const Program *p = t->program;
    Value samples = task && p->takes_samples ? program_samples(c, task) : VALUE_NO_TUPLE;
    Value grid = value_grid(c, input), right = expected ? value_grid(c, *expected) : VALUE_NONE;
    t->slots = arena_alloc(&c->arena, program_slots(p) * sizeof *t->slots);
    t->failures = calloc(program_slots(p), sizeof *t->failures);
    if (t->slots && !t->failures) c->arena.starved = true;
    if (!t->slots || !t->failures) {
        ctx_fail(c, TS_FAIL_BUDGET);
        return;
    }
    t->slots[SLOT_S] = samples;
    t->slots[SLOT_I] = grid;
    t->slots[SLOT_C] = right;
    for (uint32_t k = 0; k < p->constant_count; k++) t->slots[SLOTS_GIVEN + k] = p->constants[k];
}

ts_result ts_trace(ts_engine *engine, const ts_programs *programs, size_t index, const ts_task *task,
                   ts_grid input, const ts_grid *expected, ts_trace_visit *visit, void *user) {
    Trace t = {.engine = engine, .program = &programs->programs[index]};
    const Program *p = t.program;
    ctx_begin(&engine->ctx, EVALUATOR_UNMETERED);
    give(&t, task, input, expected);
    engine->ctx.units = (int64_t)engine->units;
    const bool given = t.slots && t.failures;
    t.result = evaluator_result(engine, given ? t.slots[p->result] : VALUE_FAILED, 0);
    bool goes_on = given;
    for (uint32_t k = 0; k < p->line_count && goes_on; k++) goes_on = show_line(&t, k, visit, user);
    free(t.failures);
    text_free(&t.text);
    return t.result;
}
