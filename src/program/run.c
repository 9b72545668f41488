// Runs one program on one input.
#include "program/program.h"

enum { LINE_UNITS = 4 }; // what a line costs beside what its primitive does

static Value run_line(Ctx *c, const Line *l, const Value *slots) {
    Value a[LINE_MOST_ARGS];
    for (int k = 0; k < l->n; k++) a[k] = slots[l->args[k]];
    return l->op == LINE_CALLS_VALUE ? call(c, slots[l->callee], a, l->n) : ops_table[l->op].fn(c, a);
}

Value program_run(Ctx *c, const Program *p, Value samples, Value input, Value candidate,
                  uint32_t *failed_line) {
    *failed_line = 0;
    uint32_t slot = SLOTS_GIVEN + p->constant_count;
    Value *slots = ctx_alloc(c, (slot + p->line_count) * sizeof *slots);
    if (!slots) return VALUE_FAILED;
    slots[SLOT_S] = samples;
    slots[SLOT_I] = input;
    slots[SLOT_C] = candidate;
    if (p->constant_count) memcpy(slots + SLOTS_GIVEN, p->constants, p->constant_count * sizeof *slots);
    for (uint32_t k = 0; k < p->line_count; k++, slot++) {
        ctx_charge(c, LINE_UNITS);
        slots[slot] = run_line(c, &p->lines[k], slots);
        if (!c->failure) continue;
        *failed_line = p->lines[k].source;
        return VALUE_FAILED;
    }
    return slots[p->result];
}
