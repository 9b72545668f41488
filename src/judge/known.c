// Calls that come again.
//
// Generators write the same beginnings over and over, as objects(I, T, F, T), and what follows is often a
// grid that other programs made too. What a call gives and costs follows from its arguments alone. So the
// values of a program are given places that stay: grids by their content, among those that were met, all else
// with the call that made it; and a call whose arguments all have such places is known by them. All of it
// lies among the grids and is forgotten with them. Once the table is full nothing more is kept: what comes
// often is there by then, and to go on keeping what does not costs more than it brings.
//
// Small grids are not worth it: to do it again is as fast as to look it up. Tried and lost: to keep what
// comes for the second time (59,000 instructions a program by lines, 45,000 by calls, against 40,000).
#include <stdlib.h>

#include "base/hash.h"
#include "judge/judge.h"

enum { FIRST_CALLS = 1024, MOST_CALLS = 1 << 15, MOST_SLOTS = 64 };

void memory_forget_calls(Memory *m) {
    if (m->calls) memset(m->calls, 0, m->call_room * sizeof *m->calls);
    m->call_count = 0;
}

// ---- The table ----

static bool same_call(const Known *a, const Known *b) {
    return a->op == b->op && memcmp(a->args, b->args, sizeof a->args) == 0;
}

// Where a call is, or would go. There always is a free place.
static Known *place_of(const Memory *m, const Known *call, uint64_t hash) {
    size_t at = hash & (m->call_room - 1);
    while (m->calls[at].units && !same_call(&m->calls[at], call)) at = (at + 1) & (m->call_room - 1);
    return &m->calls[at];
}

static uint64_t hash_of(const Known *call) {
    uint64_t h = hash_seed ^ (uint64_t)call->op;
    for (int k = 0; k < LINE_MOST_ARGS; k++) h = hash_mix(h, call->args[k].bits);
    return h;
}

// Room for one call more. False: there is none, or no memory for it.
static bool make_room(Memory *m) {
    if (m->call_count * 2 < m->call_room) return true;
    const size_t room = m->call_room ? m->call_room * 2 : FIRST_CALLS;
    Known *calls = room <= MOST_CALLS ? calloc(room, sizeof *calls) : NULL;
    if (!calls) return false;
    Known *old = m->calls;
    const size_t old_room = m->call_room;
    m->calls = calls;
    m->call_room = room;
    for (size_t k = 0; k < old_room; k++)
        if (old[k].units) *place_of(m, &old[k], hash_of(&old[k])) = old[k];
    free(old);
    return true;
}

// Keeps what a call gave. The value as it lies there; else, where there is no room, VALUE_FAILED.
static Value keep(Memory *m, Ctx *c, const ReadySample *s, Known *call, uint64_t hash, Value v) {
    const Obj *grid = !c->failure && value_is_grid(v) ? value_obj(v) : NULL;
    if (memory_full(m) || !make_room(m)) return VALUE_FAILED;
    if (c->failure) call->value = failure_value(c->failure, 0);
    else if (grid && points_comparable(grid, s->side)) {
        const Met *met = memory_grid(m, s, grid);
        if (!met) return VALUE_FAILED;
        call->value = value_of_obj(&met->grid);
    } else {
        call->value = value_move(&m->grids, &c->arena, v, VALUE_MOVE_ENOUGH, &m->grid_bytes);
        if (value_is_failure(call->value)) return VALUE_FAILED;
    }
    *place_of(m, call, hash) = *call;
    m->call_count++;
    return call->value;
}

// ---- Running ----

typedef struct {
    Memory *memory;
    Ctx *ctx;
    const ReadySample *sample;
    Value *slots;
    uint64_t fixed; // a bit for each slot whose value has a place that stays
} Run;

// The arguments of a line, as far as they have such places; false where it is not worth looking for.
static bool is_worth_it(const Run *r, const Line *l, Known *call) {
    uint32_t weight = 0;
    if (l->op == LINE_CALLS_VALUE) return false;
    *call = (Known){.op = l->op};
    for (int k = 0; k < l->n; k++) {
        const Value v = call->args[k] = r->slots[l->args[k]];
        if (value_tag(v) != TAG_OBJ) continue;
        if (l->args[k] >= MOST_SLOTS || !(r->fixed >> l->args[k] & 1)) return false;
        weight += value_weight(v);
    }
    return weight >= MEMORY_LEAST_WEIGHT;
}

static Value run_line(Run *r, const Line *l) {
    Value a[LINE_MOST_ARGS];
    for (int k = 0; k < l->n; k++) a[k] = r->slots[l->args[k]];
    return line_run(r->ctx, l->op, r->slots[l->callee], a, l->n);
}

// The same of a line that may be known. Some primitives ask for more units than they spend, so both count.
static Value run_known(Run *r, const Line *l, uint32_t slot, Known *call) {
    Ctx *c = r->ctx;
    const uint64_t hash = hash_of(call);
    const Known *known = r->memory->calls ? place_of(r->memory, call, hash) : call;
    Value v;
    if (known->units && known->needs <= c->units && ctx_charge(c, known->units)) v = known->value;
    else {
        const int64_t before = c->foreseen = c->units;
        v = run_line(r, l);
        if (known->units || c->failure == TS_FAIL_BUDGET) return v;
        call->units = before - c->units;
        call->needs = before - (c->foreseen < c->units ? c->foreseen : c->units);
        const Value kept = keep(r->memory, c, r->sample, call, hash, v);
        if (value_same(kept, VALUE_FAILED)) return v;
        v = kept;
    }
    if (value_is_failure(v)) return ctx_fail(c, failure_kind(v));
    if (slot < MOST_SLOTS) r->fixed |= 1ULL << slot;
    return v;
}

Value memory_run(Memory *m, Ctx *c, const Program *p, Value samples, const ReadySample *s, Met **met,
                 uint32_t *failed_line) {
    Run r = {.memory = m, .ctx = c, .sample = s, .fixed = 1 << SLOT_S | 1 << SLOT_I};
    const uint32_t first = program_slot_of_line(p, 0);
    *failed_line = 0;
    *met = NULL;
    r.slots = arena_alloc(&c->arena, program_slots(p) * sizeof *r.slots);
    if (!r.slots) return ctx_fail(c, TS_FAIL_BUDGET);
    r.slots[SLOT_S] = samples;
    r.slots[SLOT_I] = s->input;
    r.slots[SLOT_C] = VALUE_NONE;
    for (uint32_t k = 0; k < p->constant_count; k++) r.slots[SLOTS_GIVEN + k] = p->constants[k];
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        Known call;
        r.slots[first + k] = is_worth_it(&r, l, &call) ? run_known(&r, l, first + k, &call) : run_line(&r, l);
        if (!c->failure) continue;
        *failed_line = l->source;
        return VALUE_FAILED;
    }
    const Value v = r.slots[p->result];
    const bool fixed = p->result >= first && p->result < MOST_SLOTS && r.fixed >> p->result & 1;
    if (fixed && value_is_grid(v) && points_comparable(value_obj(v), s->side))
        *met = (Met *)((uintptr_t)value_obj(v) - offsetof(Met, grid));
    if (*met && (*met)->sample != s) *met = NULL; // what is made of S is that of another sample, too
    return v;
}
