// Runs one program on one input.
#include <assert.h>

#include "program/program.h"

// Line after line as well, but what has failed stands in its slot, and a line that needs it fails too. Only
// the end of the units is that of the program.
static Value run_forgiving(Ctx *c, const Program *p, Value *slots, uint32_t *failed_line) {
    uint32_t slot = SLOTS_GIVEN + p->constant_count;
    for (uint32_t k = 0; k < p->line_count; k++, slot++) {
        const Line *l = &p->lines[k];
        Value a[LINE_MOST_ARGS];
        for (int arg = 0; arg < l->n; arg++) a[arg] = slots[l->args[arg]];
        slots[slot] = line_failure(l->op, slots[l->callee], a, l->n);
        if (slots[slot].bits) continue;
        c->foreseen = c->units;
        slots[slot] = line_run(c, l->op, slots[l->callee], a, l->n);
        profile_lap(c->profile, l->op == LINE_CALLS_VALUE ? PROFILE_CALL : (unsigned)l->op, 1);
        if (!c->failure) continue;
        *failed_line = l->source;
        if (c->failure == TS_FAIL_BUDGET) return VALUE_FAILED;
        slots[slot] = failure_value(c->failure, l->source);
        ctx_forgive(c);
    }
    if (!value_is_failure(slots[p->result])) return slots[p->result];
    *failed_line = failure_place(slots[p->result]);
    return ctx_fail(c, failure_kind(slots[p->result]));
}

Value program_run(Ctx *c, const Program *p, Value samples, Value input, Value candidate,
                  uint32_t *failed_line) {
    *failed_line = 0;
    uint32_t slot = SLOTS_GIVEN + p->constant_count;
    Value *slots = arena_alloc(&c->arena, program_slots(p) * sizeof *slots);
    if (!slots) return ctx_fail(c, TS_FAIL_BUDGET);
    slots[SLOT_S] = samples;
    slots[SLOT_I] = input;
    slots[SLOT_C] = candidate;
    if (p->constant_count) memcpy(slots + SLOTS_GIVEN, p->constants, p->constant_count * sizeof *slots);
    if (p->forgives) return run_forgiving(c, p, slots, failed_line);
    for (uint32_t k = 0; k < p->line_count; k++, slot++) {
        const Line *l = &p->lines[k];
        assert(l->n <= LINE_MOST_ARGS && l->op < OPS_MOST &&
               (l->op == LINE_CALLS_VALUE ? l->callee < slot : l->op >= 0));
        Value a[LINE_MOST_ARGS];
        for (int arg = 0; arg < l->n; arg++) assert(l->args[arg] < slot); // what was run before
        for (int arg = 0; arg < l->n; arg++) a[arg] = slots[l->args[arg]];
        slots[slot] = line_run(c, l->op, slots[l->callee], a, l->n);
        profile_lap(c->profile, l->op == LINE_CALLS_VALUE ? PROFILE_CALL : (unsigned)l->op, 1);
        if (!c->failure) continue;
        *failed_line = l->source;
        return VALUE_FAILED;
    }
    assert(p->result < slot);
    return slots[p->result];
}
