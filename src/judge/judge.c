#include "judge/judge.h"

#include <stdlib.h>

#include "battery/grids.h"

#define MEMORY_DEFAULT ((size_t)64 << 20)
#define RESULTS_LIMIT ((size_t)4 << 30) // of one block

ts_judge *ts_judge_new(const ts_judge_options *options, ts_status *status) {
    ts_judge *j = calloc(1, sizeof *j);
    if (j) {
        j->options = *options;
        if (!j->options.units) j->options.units = TS_BATTERY_UNITS;
        if (j->options.units > INT64_MAX / 2) j->options.units = INT64_MAX / 2;
        if (!j->options.memory) j->options.memory = MEMORY_DEFAULT;
        // What is known takes no memory of the evaluation, so that must not be what ends it: 8 bytes a unit.
        j->remembers = j->options.units <= j->options.memory / (4 * 8);
        arena_init(&j->ctx.arena, j->options.memory);
        j->ctx.stop = options->stop;
        arena_init(&j->results, RESULTS_LIMIT);
        j->programs = ts_programs_new();
        if (memory_init(&j->memory, !options->no_scores) && j->programs) return j;
    }
    ts_judge_free(j);
    status_fail(status, TS_SYSTEM, "no memory for a judge");
    return NULL;
}

void ts_judge_free(ts_judge *j) {
    if (!j) return;
    ts_programs_free(j->programs);
    arena_free(&j->ctx.arena);
    arena_free(&j->results);
    memory_free(&j->memory);
    free(j->lines);
    free(j->items);
    free(j->unescaped);
    free(j->answers);
    free(j);
}

// ---- Reading ----

// One program, and one only. What is wrong otherwise stays with the results; NULL: all is well.
static const ts_status *read_program(ts_judge *j, const ts_judge_item *item, bool *starved) {
    ts_status problem;
    programs_reset(j->programs);
    bool good = ts_programs_add_text(j->programs, "", item->text, item->length, true, NULL, NULL, &problem);
    size_t count = j->programs->count;
    if (good && count == 1) return NULL;
    if (good && count == 0) status_fail(&problem, TS_INPUT, "expected a program: def solve(I): …");
    else if (good) status_fail(&problem, TS_INPUT, "expected one program, there are %zu", count);
    *starved |= problem.code == TS_SYSTEM || j->programs->ctx.arena.starved;
    ts_status *kept = arena_alloc(&j->results, sizeof *kept);
    if (kept) *kept = problem;
    return kept;
}

// ---- Running ----

// What it gave, where that is a grid. One that is too large for any answer is not kept. False: no memory.
static bool note_grid(ts_judge *j, const ReadySample *s, const Obj *grid, Met *met, ts_verdict_sample *v) {
    v->output = (ts_grid){.height = (int)grid->n, .width = (int)grid->width};
    if (v->outcome == TS_RIGHT) {
        v->output.cells = s->sample->output.cells;
        v->score = s->sample->is_test ? 0 : POINTS_PERFECT;
    } else if (points_comparable(grid, s->side)) {
        if (!met && !(met = memory_grid(&j->memory, s, grid))) return false;
        v->output.cells = obj_cells(&met->grid);
        v->score = memory_score(met);
    }
    return true;
}

static bool run_sample(ts_judge *j, const Program *p, const ReadyTask *task, const ReadySample *s,
                       ts_verdict_sample *v) {
    Ctx *c = &j->ctx;
    Met *met = NULL;
    uint32_t line = 0;
    ctx_begin(c, (int64_t)j->options.units);
    const Value samples = p->takes_samples ? task->demos : VALUE_NO_TUPLE;
    const bool remember = j->remembers && !p->forgives && value_weight(s->input) >= MEMORY_LEAST_WEIGHT;
    const Value value = remember ? memory_run(&j->memory, c, p, samples, s, &met, &line)
                                 : program_run(c, p, samples, s->input, VALUE_NONE, &line);
    *v = (ts_verdict_sample){.outcome = TS_FAILED, .failure = c->failure};
    v->units = (uint64_t)ctx_spent(c, (int64_t)j->options.units);
    if (c->failure) {
        v->line = (int)line;
        return !c->arena.starved;
    }
    const Obj *grid = value_is_grid(value) ? value_obj(value) : NULL;
    if (!s->sample->has_output) v->outcome = TS_UNKNOWN;
    else v->outcome = grid && grids_same(grid, &s->sample->output) ? TS_RIGHT : TS_WRONG;
    return !grid || note_grid(j, s, grid, met, v);
}

// False: no memory.
static bool judge_item(ts_judge *j, const ts_judge_item *item, ts_verdict *v) {
    bool starved = false;
    *v = (ts_verdict){.problem = read_program(j, item, &starved)};
    if (starved) return false;
    if (v->problem || j->programs->count != 1) return v->problem != NULL;
    const ReadyTask *task = memory_task(&j->memory, item->task);
    v->demos = item->task->demos;
    v->tests = j->options.tests ? item->task->tests : 0;
    ts_verdict_sample *samples = arena_alloc(&j->results, (size_t)(v->demos + v->tests) * sizeof *samples);
    if (!task || !samples) return false;
    v->samples = samples;
    for (int k = 0; k < v->demos + v->tests; k++) {
        if (!run_sample(j, &j->programs->programs[0], task, &task->samples[k], &samples[k])) return false;
        v->units += samples[k].units;
        if (k < v->demos) v->demos_right += samples[k].outcome == TS_RIGHT;
        else v->tests_right += samples[k].outcome == TS_RIGHT;
        v->score += samples[k].score;
    }
    return true;
}

bool judge_items(ts_judge *j, const ts_judge_item *items, size_t count, ts_status *status) {
    memory_begin(&j->memory);
    arena_reset(&j->results);
    j->count = 0;
    j->verdicts = arena_alloc(&j->results, (count + 1) * sizeof *j->verdicts);
    if (!j->verdicts) return status_fail(status, TS_SYSTEM, "no memory to judge %zu programs", count);
    for (; j->count < count; j->count++) {
        bool good = judge_item(j, &items[j->count], &j->verdicts[j->count]);
        if (threads_stopped(j->options.stop)) break; // perhaps in the middle of it
        if (!good) return status_fail(status, TS_SYSTEM, "no memory to judge %zu programs", count);
    }
    return true;
}

bool ts_judge_run(ts_judge *j, const ts_judge_item *items, size_t count, ts_status *status) {
    if (!judge_items(j, items, count, status)) return false;
    return j->count == count ||
           status_fail(status, TS_SYSTEM, "stopped after %zu of %zu programs", j->count, count);
}

ts_verdict ts_judge_at(const ts_judge *j, size_t index) { return j->verdicts[index]; }
