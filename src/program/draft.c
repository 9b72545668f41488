#include "program/draft.h"

#include <stdlib.h>

#include "base/hash.h"

void draft_clear(Draft *d) {
    d->line_count = d->constant_count = d->index_count = 0;
    if (d->index) memset(d->index, 0, d->index_room * sizeof *d->index);
}

void draft_free(Draft *d) {
    free(d->lines);
    free(d->constants);
    free(d->index);
}

// Room for one more element of an array that doubles as it fills.
static bool make_room(Draft *d, void **array, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room) return true;
    uint32_t wanted = *room ? *room * 2 : 64;
    void *grown = wanted > *room && wanted <= UINT32_MAX / 4 ? realloc(*array, wanted * size) : NULL;
    if (!grown) {
        d->failed = true;
        return false;
    }
    *array = grown;
    *room = wanted;
    return true;
}

static uint64_t hash_of_line(const DraftLine *l) {
    uint64_t h = hash_mix((uint64_t)(l->op + 2), l->callee);
    for (int k = 0; k < l->n; k++) h = hash_mix(h, l->args[k]);
    return h;
}

static bool same_line(const DraftLine *a, const DraftLine *b) {
    return a->op == b->op && a->n == b->n && a->callee == b->callee &&
           memcmp(a->args, b->args, a->n * sizeof *a->args) == 0;
}

static uint64_t hash_of_entry(const Draft *d, uint32_t entry) {
    uint32_t k = (entry - 1) / 2;
    return (entry - 1) % 2 ? value_hash(d->constants[k]) : hash_of_line(&d->lines[k]);
}

static bool grow_index(Draft *d) {
    if (d->index_count * 2 < d->index_room) return true;
    uint32_t room = d->index_room ? d->index_room * 2 : 256;
    uint32_t *index = calloc(room, sizeof *index);
    if (!index) {
        d->failed = true;
        return false;
    }
    for (uint32_t k = 0; k < d->index_room; k++) {
        if (!d->index[k]) continue;
        uint32_t at = (uint32_t)hash_of_entry(d, d->index[k]) & (room - 1);
        while (index[at]) at = (at + 1) & (room - 1);
        index[at] = d->index[k];
    }
    free(d->index);
    d->index = index;
    d->index_room = room;
    return true;
}

Ref draft_constant(Draft *d, Value v) {
    if (!grow_index(d)) return 0;
    uint32_t at = (uint32_t)value_hash(v) & (d->index_room - 1);
    for (; d->index[at]; at = (at + 1) & (d->index_room - 1)) {
        uint32_t entry = d->index[at] - 1;
        if (entry % 2 && value_equal(d->constants[entry / 2], v)) return ref_make(REF_CONSTANT, entry / 2);
    }
    if (!make_room(d, (void **)&d->constants, d->constant_count, &d->constant_room, sizeof v)) return 0;
    d->constants[d->constant_count] = v;
    d->index[at] = 1 + 2 * d->constant_count + 1;
    d->index_count++;
    return ref_make(REF_CONSTANT, d->constant_count++);
}

Ref draft_line(Draft *d, DraftLine line) {
    if (!grow_index(d)) return 0;
    uint32_t at = (uint32_t)hash_of_line(&line) & (d->index_room - 1);
    for (; d->index[at]; at = (at + 1) & (d->index_room - 1)) {
        uint32_t entry = d->index[at] - 1;
        if (entry % 2 == 0 && !d->keeps_equal && same_line(&d->lines[entry / 2], &line))
            return ref_make(REF_LINE, entry / 2);
    }
    if (!make_room(d, (void **)&d->lines, d->line_count, &d->line_room, sizeof line)) return 0;
    d->lines[d->line_count] = line;
    d->index[at] = 1 + 2 * d->line_count;
    d->index_count++;
    return ref_make(REF_LINE, d->line_count++);
}

void draft_program(Draft *d, const Program *p, Ref *refs) {
    Ref *next = refs;
    for (uint32_t k = 0; k < SLOTS_GIVEN; k++) *next++ = ref_make(REF_GIVEN, k);
    for (uint32_t k = 0; k < p->constant_count; k++) *next++ = draft_constant(d, p->constants[k]);
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        DraftLine line = {.op = l->op, .n = l->n, .source = l->source};
        if (l->op == LINE_CALLS_VALUE) line.callee = refs[l->callee];
        for (int arg = 0; arg < l->n; arg++) line.args[arg] = refs[l->args[arg]];
        *next++ = draft_line(d, line);
    }
}

// ---- Laying out ----

typedef struct {
    uint32_t line;
    int next; // the argument to visit next; -1 is the function that is called
} Visit;

typedef struct {
    uint32_t *line_order, *line_place; // lines in their new order; where each went (+ 1, 0 for not yet)
    uint32_t *constant_order, *constant_place;
    uint32_t lines, constants;
    Visit *stack;
} Layout;

static void place_constant(Layout *y, uint32_t k) {
    if (y->constant_place[k]) return;
    y->constant_order[y->constants++] = k;
    y->constant_place[k] = y->constants;
}

// Visits what a line needs before the line itself, left to right. Lines refer to earlier lines only, so the
// stack is never deeper than their number.
static void place_line(const Draft *d, Layout *y, uint32_t root) {
    size_t depth = 0;
    y->stack[depth++] = (Visit){root, -1};
    while (depth) {
        Visit *top = &y->stack[depth - 1];
        const DraftLine *l = &d->lines[top->line];
        if (top->next >= l->n || y->line_place[top->line]) {
            if (!y->line_place[top->line]) {
                y->line_order[y->lines++] = top->line;
                y->line_place[top->line] = y->lines;
            }
            depth--;
            continue;
        }
        int next = top->next++;
        if (next < 0 && l->op != LINE_CALLS_VALUE) continue;
        Ref r = next < 0 ? l->callee : l->args[next];
        if (ref_kind(r) == REF_CONSTANT) place_constant(y, ref_index(r));
        if (ref_kind(r) == REF_LINE && !y->line_place[ref_index(r)])
            y->stack[depth++] = (Visit){ref_index(r), -1};
    }
}

static uint32_t slot_of(const Layout *y, Ref r) {
    switch (ref_kind(r)) {
    case REF_GIVEN: return ref_index(r);
    case REF_CONSTANT: return SLOTS_GIVEN + y->constant_place[ref_index(r)] - 1;
    default: return SLOTS_GIVEN + y->constants + y->line_place[ref_index(r)] - 1;
    }
}

static bool write_program(const Draft *d, const Layout *y, Ctx *c, Ref result, Program *p) {
    Line *lines = arena_alloc(&c->arena, y->lines * sizeof *lines + 1);
    Value *constants = arena_alloc(&c->arena, y->constants * sizeof *constants + 1);
    if (!lines || !constants) return false;
    for (uint32_t k = 0; k < y->constants; k++) constants[k] = d->constants[y->constant_order[k]];
    for (uint32_t k = 0; k < y->lines; k++) {
        const DraftLine *from = &d->lines[y->line_order[k]];
        lines[k] = (Line){.op = from->op, .n = from->n, .source = from->source};
        if (from->op == LINE_CALLS_VALUE) lines[k].callee = slot_of(y, from->callee);
        for (int arg = 0; arg < from->n; arg++) lines[k].args[arg] = slot_of(y, from->args[arg]);
    }
    p->constants = constants;
    p->constant_count = y->constants;
    p->lines = lines;
    p->line_count = y->lines;
    p->result = slot_of(y, result);
    return true;
}

bool draft_finish(Draft *d, Ctx *c, Ref result, Program *p) {
    if (d->failed) return false;
    size_t lines = d->line_count + 1, constants = d->constant_count + 1;
    uint32_t *scratch = calloc(2 * lines + 2 * constants, sizeof *scratch);
    Layout y = {.stack = malloc(lines * sizeof *y.stack)};
    bool good = scratch && y.stack;
    if (good) {
        y.line_order = scratch;
        y.line_place = scratch + lines;
        y.constant_order = scratch + 2 * lines;
        y.constant_place = scratch + 2 * lines + constants;
        if (ref_kind(result) == REF_LINE) place_line(d, &y, ref_index(result));
        if (ref_kind(result) == REF_CONSTANT) place_constant(&y, ref_index(result));
        good = write_program(d, &y, c, result, p);
    }
    free(scratch);
    free(y.stack);
    return good;
}
