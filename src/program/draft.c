#include "program/draft.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"

void draft_clear(Draft *d) {
    d->line_count = d->constant_count = 0;
    d->failed = false;
    index_clear(&d->index);
}

void draft_free(Draft *d) {
    free(d->lines);
    free(d->constants);
    free(d->places);
    index_free(&d->index);
}

// Room for one more element of an array that doubles as it fills, and for its place in the index.
static bool make_room(Draft *d, void **array, uint32_t count, uint32_t *room, size_t size) {
    if (!index_reserve(&d->index)) d->failed = true;
    if (count < *room) return !d->failed;
    uint32_t wanted = *room ? *room * 2 : 64;
    void *grown = wanted > *room && wanted <= UINT32_MAX / 4 ? realloc(*array, wanted * size) : NULL;
    if (!grown) {
        d->failed = true;
        return false;
    }
    *array = grown;
    *room = wanted;
    return !d->failed;
}

static bool room_for_line(Draft *d) {
    return make_room(d, (void **)&d->lines, d->line_count, &d->line_room, sizeof *d->lines);
}

static bool room_for_constant(Draft *d) {
    return make_room(d, (void **)&d->constants, d->constant_count, &d->constant_room, sizeof *d->constants);
}

static uint32_t hash_of_constant(Value v) {
    return (uint32_t)(value_tag(v) == TAG_OBJ ? value_hash_from(hash_seed, v)
                                              : hash_mix(hash_seed + 1, v.bits));
}

// `args` are the arguments of the line or hashes of them, as is the callee.
static uint32_t hash_of_line(int op, int n, uint32_t callee, const uint32_t args[LINE_MOST_ARGS]) {
    uint64_t words[2];
    memcpy(words, args, sizeof words);
    uint64_t h = hash_mix(hash_seed ^ ((uint64_t)(op + 2) << 32 | callee), words[0]);
    return (uint32_t)hash_mix(h + (unsigned)n, words[1]);
}

static bool same_line(const DraftLine *a, const DraftLine *b) {
    return a->op == b->op && a->n == b->n && a->callee == b->callee &&
           memcmp(a->args, b->args, sizeof a->args) == 0;
}

static Ref add_constant(Draft *d, Value v, uint32_t hash) {
    if (!room_for_constant(d)) return 0;
    uint32_t at = hash, k;
    while ((k = index_next(&d->index, hash, &at))) {
        uint32_t entry = k - 1;
        if (entry % 2 && value_equal(d->constants[entry / 2], v)) return ref_make(REF_CONSTANT, entry / 2);
    }
    d->constants[d->constant_count] = v;
    index_put(&d->index, at, hash, 2 * d->constant_count + 1);
    return ref_make(REF_CONSTANT, d->constant_count++);
}

static Ref add_line(Draft *d, const DraftLine *line, uint32_t hash) {
    if (!room_for_line(d)) return 0;
    if (!d->keeps_equal) {
        uint32_t at = hash, k;
        while ((k = index_next(&d->index, hash, &at))) {
            uint32_t entry = k - 1;
            if (entry % 2 == 0 && same_line(&d->lines[entry / 2], line)) return ref_make(REF_LINE, entry / 2);
        }
        index_put(&d->index, at, hash, 2 * d->line_count);
    }
    d->lines[d->line_count] = *line;
    return ref_make(REF_LINE, d->line_count++);
}

Ref draft_constant(Draft *d, Value v) { return add_constant(d, v, hash_of_constant(v)); }

Ref draft_line(Draft *d, const DraftLine *line) {
    assert(line->n <= LINE_MOST_ARGS && line->op >= LINE_CALLS_VALUE && line->op < OPS_MOST);
    for (int k = 0; k < line->n; k++) // to what was there before
        assert(ref_kind(line->args[k]) != REF_LINE || d->failed || ref_index(line->args[k]) < d->line_count);
    return add_line(d, line, hash_of_line(line->op, line->n, line->callee, line->args));
}

void draft_long_name(char *into, const char *name, size_t length) {
    static const char cut[] = "…";
    if (length < LINE_NAME) memcpy(into, name, length);
    else {
        memcpy(into, name, LINE_NAME - sizeof cut);
        memcpy(into + LINE_NAME - sizeof cut, cut, sizeof cut);
    }
}

// The hashes follow from the program alone, so those of all lines are known before the first is looked up,
// and what the index has for them comes into the cache together.
static void hash_lines(const Draft *d, const Program *p, DraftSlot *slots) {
    DraftSlot *slot = slots + program_slot_of_line(p, 0);
    for (uint32_t k = 0; k < p->line_count; k++, slot++) {
        const Line *l = &p->lines[k];
        uint32_t callee = l->op == LINE_CALLS_VALUE ? slots[l->callee].hash : 0, args[LINE_MOST_ARGS] = {0};
        for (int arg = 0; arg < l->n; arg++) args[arg] = slots[l->args[arg]].hash;
        slot->hash = hash_of_line(l->op, l->n, callee, args);
        index_prefetch(&d->index, slot->hash);
    }
}

void draft_program(Draft *d, const Program *p, DraftSlot *slots) {
    DraftSlot *slot = slots;
    for (uint32_t k = 0; k < SLOTS_GIVEN; k++) *slot++ = (DraftSlot){ref_make(REF_GIVEN, k), k + 1};
    for (uint32_t k = 0; k < p->constant_count; k++, slot++) {
        slot->hash = hash_of_constant(p->constants[k]);
        slot->ref = add_constant(d, p->constants[k], slot->hash);
    }
    hash_lines(d, p, slots);
    for (uint32_t k = 0; k < p->line_count; k++, slot++) {
        const Line *l = &p->lines[k];
        DraftLine line = {.op = l->op, .n = l->n, .source = l->source};
        if (l->op == LINE_CALLS_VALUE) line.callee = slots[l->callee].ref;
        for (int arg = 0; arg < l->n; arg++) line.args[arg] = slots[l->args[arg]].ref;
        slot->ref = add_line(d, &line, slot->hash);
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

// In memory that the draft keeps, in which no line and no constant has a place yet.
static bool layout_begin(Draft *d, Layout *y) {
    size_t lines = d->line_room, constants = d->constant_room;
    if (!d->places || d->placed_lines != lines || d->placed_constants != constants) {
        free(d->places);
        d->places = calloc(4 * lines + 2 * constants + 1, sizeof *d->places);
        d->placed_lines = d->line_room;
        d->placed_constants = d->constant_room;
    }
    uint32_t *at = d->places;
    if (!at) return false;
    *y = (Layout){.stack = (Visit *)at,
                  .line_order = at + 2 * lines,
                  .line_place = at + 3 * lines,
                  .constant_order = at + 4 * lines,
                  .constant_place = at + 4 * lines + constants};
    return true;
}

static void layout_end(const Layout *y) {
    for (uint32_t k = 0; k < y->lines; k++) y->line_place[y->line_order[k]] = 0;
    for (uint32_t k = 0; k < y->constants; k++) y->constant_place[y->constant_order[k]] = 0;
}

static void place_constant(Layout *y, uint32_t k) {
    if (y->constant_place[k]) return;
    y->constant_order[y->constants++] = k;
    y->constant_place[k] = y->constants;
}

// Visits what a line needs before the line itself, left to right. Lines refer to earlier lines only, so the
// stack is never deeper than their number.
static void place_line(const Draft *d, Layout *y, uint32_t root) {
    const DraftLine *l = &d->lines[root];
    Visit at = {root, l->op == LINE_CALLS_VALUE ? -1 : 0};
    for (size_t depth = 0;;) {
        while (at.next < l->n) {
            Ref r = at.next < 0 ? l->callee : l->args[at.next];
            at.next++;
            if (ref_kind(r) == REF_CONSTANT) place_constant(y, ref_index(r));
            if (ref_kind(r) != REF_LINE || y->line_place[ref_index(r)]) continue;
            y->stack[depth++] = at;
            l = &d->lines[ref_index(r)];
            at = (Visit){ref_index(r), l->op == LINE_CALLS_VALUE ? -1 : 0};
        }
        y->line_order[y->lines++] = at.line;
        y->line_place[at.line] = y->lines;
        if (!depth) return;
        at = y->stack[--depth];
        l = &d->lines[at.line];
    }
}

static uint32_t slot_of(const Layout *y, Ref r) {
    assert(r != REF_NONE);
    assert(ref_kind(r) != REF_CONSTANT || y->constant_place[ref_index(r)]); // it was placed
    assert(ref_kind(r) != REF_LINE || y->line_place[ref_index(r)]);
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
        memcpy(lines[k].name, from->name, LINE_NAME);
        if (from->op == LINE_CALLS_VALUE) lines[k].callee = slot_of(y, from->callee);
        for (int arg = 0; arg < from->n; arg++) lines[k].args[arg] = slot_of(y, from->args[arg]);
    }
    p->forgives = false;
    for (uint32_t k = 0; k < y->lines; k++) p->forgives |= lines[k].op == OP_choose;
    p->constants = constants;
    p->constant_count = y->constants;
    p->lines = lines;
    p->line_count = y->lines;
    p->result = slot_of(y, result);
    return true;
}

bool draft_finish(Draft *d, Ctx *c, Ref result, Program *p) {
    Layout y;
    if (d->failed || !layout_begin(d, &y)) return false;
    if (ref_kind(result) == REF_LINE) place_line(d, &y, ref_index(result));
    if (ref_kind(result) == REF_CONSTANT) place_constant(&y, ref_index(result));
    bool good = write_program(d, &y, c, result, p);
    layout_end(&y);
    return good;
}
