// A program line by line, as somebody looks on who wants to know what each line gives.
//
// Up to the first line that fails it is what program_run does. There the program has failed, but the lines
// after it that need nothing of it still have something to show; those that do fail as it did, the leftmost
// argument deciding, as in a battery. Once units or memory are spent there is nothing more to run with. What
// a program with choose gives is known at its end.
#include "program/evaluator.h"

typedef struct {
    ts_engine *engine;
    const Program *program;
    Value *slots;     // what has failed is a failure there
    ts_result result; // of the program, once it is known
    Text text;        // of the line under way
} Trace;

static void run_line(Trace *t, uint32_t number, ts_trace_line *line) {
    Ctx *c = &t->engine->ctx;
    const Line *l = &t->program->lines[number];
    const bool forgives = t->program->forgives;
    const int64_t before = c->units;
    Value a[LINE_MOST_ARGS], callee = t->slots[l->callee];
    for (int arg = 0; arg < l->n; arg++) a[arg] = t->slots[l->args[arg]];
    Value v = line_failure(l->op, callee, a, l->n);
    if (c->failure) v = failure_value(TS_FAIL_BUDGET, l->source); // nothing is left to run it with
    else if (!v.bits) {
        c->foreseen = c->units;
        v = line_run(c, l->op, callee, a, l->n);
        profile_lap(c->profile, l->op == LINE_CALLS_VALUE ? PROFILE_CALL : (unsigned)l->op, 1);
        const bool ends = c->failure && (!forgives || c->failure == TS_FAIL_BUDGET);
        if (!t->result.failure && (!forgives || ends)) t->result = evaluator_result(t->engine, v, l->source);
        line->units = (uint64_t)ctx_spent(c, before);
        if (c->failure) v = failure_value(c->failure, l->source);
        if (c->failure && c->failure != TS_FAIL_BUDGET) ctx_forgive(c);
        if (forgives && !c->failure) line->units = (uint64_t)(before - c->units);
    }
    t->slots[program_slot_of_line(t->program, number)] = v;
    line->failure = value_is_failure(v) ? failure_kind(v) : TS_FAIL_NONE;
    line->value = line->failure ? VALUE_FAILED : v;
}

// What a program with choose gives, as all its lines have been run.
static void settle(Trace *t) {
    const Value v = t->slots[t->program->result];
    if (!t->program->forgives || t->result.failure) return;
    t->result = evaluator_result(t->engine, v, 0);
    if (!value_is_failure(v)) return;
    t->result.value = VALUE_FAILED;
    t->result.failure = failure_kind(v);
    t->result.line = (int)failure_place(v);
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
    if (!t->slots) {
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
    t.result = evaluator_result(engine, t.slots ? t.slots[p->result] : VALUE_FAILED, 0);
    bool goes_on = t.slots;
    for (uint32_t k = 0; k < p->line_count && goes_on; k++) goes_on = show_line(&t, k, visit, user);
    if (goes_on) settle(&t);
    text_free(&t.text);
    return t.result;
}
