// Donors: lines of other programs, taken into the bank as if the grammar had made them.
//
// A program that was written for another task, or that is nearly right on this one, holds parts that no
// grammar comes upon: each of its lines is run on the samples, and what it gives is an entry like any other,
// found by its behaviour, that goals are held against and further lines are built on. What a line costs grows
// with the lines below it. A line that fails on a sample is left out, and so are those that need it; where
// only the public language will do, so are lines of any other.
#include "base/hash.h"
#include "lines/lines.h"

enum {
    DONOR_UNITS = 400000, // that a line may spend on all samples
    WORDS_MOST = 300,     // in the expression of an entry
    TRIAL_UNITS = 60,
};

// ---- Sorts ----

static bool is_color_op(int op) {
    return op == OP_color || op == OP_mostcolor || op == OP_leastcolor || op == OP_index || op == OP_other;
}

static Sort sort_of_set(Type t, bool is_set) {
    if (t.element == TYPE_OBJECT) return is_set ? SORT_OBJECTS : SORT_LIST;
    if (t.element == TYPE_INDICES) return SORT_PATCHES;
    if (t.element == TYPE_GRID) return SORT_GRIDS;
    return t.element == TYPE_INT ? SORT_NUMBERS : SORT_OTHER;
}

// Whether what a function gives is a truth value and no number.
static bool gives_truth(Value f) {
    while (value_is(f, KIND_FUNC)) {
        if (value_obj(f)->detail == OP_matcher) return true;
        f = obj_items(value_obj(f))[0];
    }
    return value_is_op(f) && type_of_result((Op)value_op(f)).self == TYPE_BOOL;
}

static Sort sort_of_result(int elements, Value f, Value v) {
    static const Sort sorts[3][6] = {
        // number, truth, pair, locations, object, grid
        {SORT_PATCH_TO_NUMBER, SORT_PATCH_TO_TRUTH, SORT_PATCH_TO_PAIR, SORT_PATCH_TO_INDICES,
         SORT_PATCH_TO_OBJECT, SORT_PATCH_TO_GRID},
        {SORT_PAIR_TO_NUMBER, SORT_PAIR_TO_TRUTH, SORT_OTHER, SORT_PAIR_TO_INDICES, SORT_PAIR_TO_OBJECT,
         SORT_OTHER},
        {SORT_GRID_TO_NUMBER, SORT_GRID_TO_TRUTH, SORT_OTHER, SORT_OTHER, SORT_OTHER, SORT_GRID_TO_GRID},
    };
    const Type t = type_of_value(v);
    if (t.self & (TYPE_BOOL | TYPE_INT)) return sorts[elements][gives_truth(f)];
    if (t.self == TYPE_PAIR) return sorts[elements][2];
    if (t.self == TYPE_INDICES) return sorts[elements][3];
    if (t.self == TYPE_OBJECT) return sorts[elements][4];
    return t.self == TYPE_GRID ? sorts[elements][5] : SORT_OTHER;
}

// What a function is told apart by: the first kind of element that it takes.
static Sort sort_of_function(Lines *b, Value f) {
    Ctx *c = &b->scratch;
    for (int kind = 0; kind < 3; kind++) {
        if (!b->element_count[kind][0]) continue;
        Value v = func_call1(c, f, b->elements[kind][0][0]);
        const bool good = !c->failure;
        c->failure = TS_FAIL_NONE;
        c->calls = 0;
        Sort sort = good ? sort_of_result(kind, f, v) : SORT_OTHER;
        if (sort != SORT_OTHER) return sort;
    }
    return SORT_OTHER;
}

static Sort sort_of(Lines *b, int op, Type t, Value v) {
    switch (t.self) {
    case TYPE_GRID: return SORT_GRID;
    case TYPE_BOOL: return SORT_TRUTH;
    case TYPE_INT: return is_color_op(op) ? SORT_COLOR : SORT_NUMBER;
    case TYPE_PAIR: return SORT_PAIR;
    case TYPE_INDICES: return SORT_INDICES;
    case TYPE_OBJECT: return SORT_OBJECT;
    case TYPE_SET: return sort_of_set(t, true);
    case TYPE_TUPLE: return sort_of_set(t, false);
    case TYPE_FUNCTION: return t.arities & 1 ? sort_of_function(b, v) : SORT_OTHER;
    default: return SORT_OTHER;
    }
}

// ---- Entries ----

static uint32_t take_constant(Lines *b, Value v) {
    uint64_t hash = hash_mix(SORT_OTHER, 0);
    for (int s = 0; s < b->samples; s++) hash = hash_mix(hash, value_hash(v));
    size_t at = lines_find(b, hash);
    if (b->table[at]) return b->table[at] - 1;
    int64_t spent = 0;
    for (int s = 0; s < b->samples; s++) b->values[(size_t)b->count * (size_t)b->samples + (size_t)s] = v;
    b->entries[b->count] = (LinesEntry){.op = ENTRY_IS_CONSTANT, .sort = SORT_OTHER, .words = 1};
    return lines_keep(b, at, hash, &spent) ? b->count - 1 : ENTRY_NONE;
}

static bool is_allowed(const Lines *b, unsigned op) {
    return !b->q->public_only || ops_table[op].origin <= ORIGIN_PUBLIC;
}

static uint32_t entry_of_slot(Lines *b, Donor *d, uint32_t slot) {
    const Program *p = d->program;
    if (slot == SLOT_I) return b->ops;
    if (slot < SLOTS_GIVEN) return ENTRY_NONE;
    if (slot < program_slot_of_line(p, 0) && d->entries[slot] == ENTRY_NONE) {
        Value v = p->constants[slot - SLOTS_GIVEN];
        if (!value_is_op(v)) d->entries[slot] = take_constant(b, v);
        else if (is_allowed(b, value_op(v))) d->entries[slot] = value_op(v);
    }
    return d->entries[slot];
}

// The entry that a line would be, but for its cost. False where it cannot be one.
static bool describe(Lines *b, Donor *d, const Line *l, LinesEntry *e) {
    *e = (LinesEntry){.op = l->op, .words = 1};
    int first = 0;
    if (l->op == LINE_CALLS_VALUE) {
        if (l->n > 2) return false;
        e->op = ENTRY_IS_CALL;
        e->args[2] = ENTRY_NONE;
        e->args[0] = entry_of_slot(b, d, l->callee);
        if (e->args[0] == ENTRY_NONE) return false;
        e->words += b->entries[e->args[0]].words;
        first = 1;
    } else if (!is_allowed(b, (unsigned)l->op)) return false;
    for (int k = 0; k < l->n; k++) {
        uint32_t arg = e->args[first + k] = entry_of_slot(b, d, l->args[k]);
        if (arg == ENTRY_NONE) return false;
        e->words += b->entries[arg].words;
    }
    return e->words <= WORDS_MOST;
}

static Value run_sample(Lines *b, const LinesEntry *e, int n, int sample) {
    const bool calls = e->op == ENTRY_IS_CALL;
    Value a[LINE_MOST_ARGS];
    for (int k = 0; k < n; k++) a[k] = lines_values(b, e->args[k + calls])[sample];
    Value callee = calls ? lines_values(b, e->args[0])[sample] : VALUE_NONE;
    return line_run(&b->scratch, calls ? LINE_CALLS_VALUE : e->op, callee, a, n);
}

// Runs a line of a donor on all samples, into the values of entry b->count. False where it fails on one.
static bool run_donor(Lines *b, const LinesEntry *e, int n) {
    Value *values = b->values + (size_t)b->count * (size_t)b->samples;
    for (int s = 0; s < b->samples; s++) {
        values[s] = run_sample(b, e, n, s);
        if (b->scratch.failure || !lines_sane(b, SORT_OTHER, values[s])) return false;
    }
    return true;
}

// What is not as its sort asks on all samples (a large number, a colour that is none) still stands in lines
// of donors.
static Sort sort_of_values(Lines *b, int op, Type type, const Value *values) {
    const Sort sort = sort_of(b, op, type, values[0]);
    for (int s = 0; s < b->samples; s++)
        if (!lines_sane(b, sort, values[s])) return SORT_OTHER;
    return sort;
}

static bool hash_values(Lines *b, Sort sort, const Value *values, uint64_t *hash) {
    const int elements = lines_elements(sort);
    *hash = hash_mix(sort, 0);
    for (int s = 0; s < b->samples; s++)
        if (elements < 0) *hash = hash_mix(*hash, value_hash(values[s]));
        else if (!lines_hash_function(b, elements, s, values[s], hash)) return false;
    return true;
}

// Runs a line of a donor, and finds or makes its entry.
static uint32_t take_line(Lines *b, Donor *d, uint32_t line, int cost) {
    const Line *l = &d->program->lines[line];
    const Type type = d->types[program_slot_of_line(d->program, line)];
    LinesEntry e;
    Ctx *c = &b->scratch;
    uint64_t hash = 0;
    if (!describe(b, d, l, &e)) return ENTRY_NONE;
    Value *values = b->values + (size_t)b->count * (size_t)b->samples;
    ctx_begin(c, DONOR_UNITS);
    bool good = run_donor(b, &e, l->n);
    if (good) {
        e.sort = (uint8_t)sort_of_values(b, l->op, type, values);
        good = hash_values(b, (Sort)e.sort, values, &hash);
    }
    int64_t spent = DONOR_UNITS - c->units + TRIAL_UNITS * b->samples;
    uint32_t found = ENTRY_NONE;
    if (good) {
        size_t at = lines_find(b, hash);
        if (b->table[at]) found = b->table[at] - 1;
        else {
            e.cost = (uint8_t)cost;
            b->entries[b->count] = e;
            goals_meet(b, b->count, values);
            if (lines_keep(b, at, hash, &spent)) found = b->count - 1;
        }
    }
    b->q->tried[ENGINE_lines]++;
    quest_spend(b->q, spent + spent * 2 / 5);
    return found;
}

// ---- All donors ----

static uint8_t depth_of(const Donor *d, const Line *l) {
    const uint32_t first = program_slot_of_line(d->program, 0);
    unsigned depth = 0;
    for (int k = l->op == LINE_CALLS_VALUE ? -1 : 0; k < l->n; k++) {
        uint32_t slot = k < 0 ? l->callee : l->args[k];
        if (slot >= first && d->depths[slot - first] > depth) depth = d->depths[slot - first];
    }
    return (uint8_t)(depth < 200 ? depth + 1 : 200);
}

bool donors_begin(Lines *b) {
    Arena *a = &b->q->arena;
    const ts_programs *set = b->q->donors;
    b->donors = arena_alloc(a, (set->count + 1) * sizeof *b->donors);
    if (!b->donors) return false;
    for (size_t k = 0; k < set->count; k++) {
        const Program *p = &set->programs[k];
        const size_t slots = program_slots(p);
        Type *types = arena_alloc(a, slots * sizeof *types);
        Donor d = {.program = p, .types = types};
        d.entries = arena_alloc(a, slots * sizeof *d.entries);
        d.depths = arena_alloc(a, p->line_count + 1);
        if (!types || !d.entries || !d.depths) return false;
        if (p->takes_samples || !program_types(p, types, NULL)) continue;
        for (size_t s = 0; s < slots; s++) d.entries[s] = ENTRY_NONE;
        for (uint32_t n = 0; n < p->line_count; n++) d.depths[n] = depth_of(&d, &p->lines[n]);
        b->donors[b->donor_count++] = d;
    }
    return true;
}

static int cost_of_depth(int depth) { return depth < 3 ? 3 : depth < 5 ? 4 : depth < 9 ? 5 : 6; }

void donors_take(Lines *b, int cost) {
    for (size_t k = 0; k < b->donor_count; k++) {
        Donor *d = &b->donors[k];
        for (uint32_t n = 0; n < d->program->line_count; n++)
            if (cost_of_depth(d->depths[n]) == cost && b->q->units > 0 && !b->closing)
                d->entries[program_slot_of_line(d->program, n)] = take_line(b, d, n, cost);
    }
}
