// Lines of the language, the cheapest programs first; lines.h says what the bank is.
//
// For each cost, each line of the grammar is tried with all entries whose costs add up to it. A line is run
// on the demos and tests one after the other until it fails; what it gives is looked up by its hash, and only
// what is new moves from the scratch memory to the bank. When most of the units are spent the bank closes:
// from then on a line is run on the first demo alone unless that gives hope to reach a goal, so that the last
// cost, which is most of the work, costs a fraction.
#include "lines/lines.h"

#include <assert.h>

#include "base/hash.h"

enum {
    ENTRY_UNITS = 80000, // that a line may spend on all samples
    TRIAL_UNITS = 60,    // what a trial costs beside what its primitive does
    CALL_UNITS = 20,     // what a call costs that tells functions apart
    ENTRIES_MOST = 1 << 17,
    TABLE_SLOTS = 1 << 18,
    KINDS_MOST = 48,
    OTHER_GRID_COSTS = 2, // more, where a slot prefers the input
    ELEMENTS_MOST = 12,
};

// ---- The grammar ----

static int rule_count(const Lines *b) { return GRAMMAR_RULES + b->more.rule_count; }

static const GrammarRule *rule_at(const Lines *b, int rule) {
    return rule < GRAMMAR_RULES ? &grammar_rules[rule] : &b->more.rules[rule - GRAMMAR_RULES];
}

int lines_elements(Sort s) {
    if (s >= SORT_PATCH_TO_NUMBER && s <= SORT_PATCH_TO_GRID) return 0;
    if (s >= SORT_PAIR_TO_INDICES && s <= SORT_PAIR_TO_TRUTH) return 1;
    return s >= SORT_GRID_TO_NUMBER && s <= SORT_GRID_TO_GRIDS ? 2 : -1;
}

// What prints as a line of the public language: `o_g` does, as `objects`.
static bool is_public(int op) { return ops_table[op].origin <= ORIGIN_PUBLIC || op == OP_o_g; }

static bool is_commutative(int op) {
    return op == OP_combine || op == OP_intersection || op == OP_add || op == OP_multiply ||
           op == OP_cellwise;
}

// ---- Text ----

void lines_print(Text *t, const Lines *b, uint32_t entry) {
    assert(entry <= b->count); // the last one is that which is tried
    const LinesEntry *e = &b->entries[entry];
    if (e->op == ENTRY_IS_INPUT) {
        text_char(t, 'I');
        return;
    }
    if (e->op == ENTRY_IS_CONSTANT) {
        Value v = lines_values(b, entry)[0];
        if (value_is_op(v)) text_add(t, ops_table[value_op(v)].name);
        else literal_print_words(t, v);
        return;
    }
    if (e->op == OP_o_g && b->entries[e->args[1]].op == ENTRY_IS_CONSTANT) {
        int64_t flags = value_int_of(lines_values(b, e->args[1])[0]);
        text_add(t, "objects(");
        lines_print(t, b, e->args[0]);
        for (int bit = 4; bit; bit /= 2) text_add(t, flags & bit ? ", T" : ", F");
        text_char(t, ')');
        return;
    }
    const bool calls = e->op == ENTRY_IS_CALL;
    const int n = calls ? 2 + (e->args[2] != ENTRY_NONE) : ops_table[e->op].arity;
    if (calls) lines_print(t, b, e->args[0]);
    else text_add(t, ops_table[e->op].name);
    for (int k = calls; k < n; k++) {
        text_add(t, k > calls ? ", " : "(");
        lines_print(t, b, e->args[k]);
    }
    text_char(t, ')');
}

int lines_print_color(Text *t, const Lines *b, const int8_t *wanted) {
    int constant = -1;
    bool is_constant = true;
    for (int d = 0; d < b->demos; d++) {
        if (wanted[d] < 0) continue;
        if (constant < 0) constant = wanted[d];
        is_constant &= wanted[d] == constant;
    }
    if (is_constant) {
        text_int(t, constant < 0 ? 0 : constant);
        return 1;
    }
    for (uint32_t k = 0; k < b->colors.n; k++) {
        uint32_t e = b->colors.ids[k];
        bool good = true;
        for (int d = 0; d < b->demos && good; d++)
            good = wanted[d] < 0 || value_same(lines_values(b, e)[d], value_of_small(wanted[d]));
        if (!good) continue;
        lines_print(t, b, e);
        return b->entries[e].cost;
    }
    return -1;
}

// ---- Keeping entries ----

static bool list_push(Arena *a, EntryList *l, uint32_t id) {
    if (l->n == l->room) {
        uint32_t room = l->room ? l->room * 2 : 8;
        uint32_t *ids = arena_alloc(a, room * sizeof *ids);
        if (!ids) return false;
        if (l->n) memcpy(ids, l->ids, l->n * sizeof *ids);
        l->ids = ids;
        l->room = room;
    }
    l->ids[l->n++] = id;
    return true;
}

// Puts entry b->count, whose values are in place, into the lists of all slots that take it.
static void keep(Lines *b) {
    uint32_t id = b->count++;
    const LinesEntry *e = &b->entries[id];
    for (int k = 0; k < b->kind_count; k++) {
        if (!(b->kinds[k] >> e->sort & 1) || (b->kinds[k] & GRAMMAR_GIVEN_ONLY && id >= b->given)) continue;
        int cost = e->cost;
        if (b->kinds[k] & GRAMMAR_PREFERS_INPUT && id >= b->given) cost += OTHER_GRID_COSTS;
        if (cost > LINES_MOST_COST) continue;
        if (!list_push(&b->q->arena, &b->lists[k][cost], id)) b->closing = true;
    }
    if (e->sort == SORT_COLOR && !list_push(&b->q->arena, &b->colors, id)) b->closing = true;
    if (b->count == b->room) b->closing = true;
}

size_t lines_find(const Lines *b, uint64_t hash) {
    size_t at = hash & (TABLE_SLOTS - 1);
    while (b->table[at] && b->hashes[b->table[at] - 1] != hash) at = (at + 1) & (TABLE_SLOTS - 1);
    return at;
}

static void add_constant(Lines *b, Sort sort, int cost, Value v) {
    for (int s = 0; s < b->samples; s++) b->values[(size_t)b->count * (size_t)b->samples + (size_t)s] = v;
    b->entries[b->count] =
        (LinesEntry){.op = ENTRY_IS_CONSTANT, .sort = (uint8_t)sort, .cost = (uint8_t)cost, .words = 1};
    uint64_t hash = hash_mix(sort, 0);
    for (int s = 0; s < b->samples; s++) hash = hash_mix(hash, value_hash(v));
    size_t at = lines_find(b, hash);
    if (b->table[at]) return;
    b->table[at] = b->count + 1;
    b->hashes[b->count] = hash;
    keep(b);
}

// ---- Trying a line ----

bool lines_sane(const Lines *b, Sort sort, Value v) {
    unsigned tag = value_tag(v);
    if (tag == TAG_NONE || tag == TAG_FAIL) return false;
    if (sort == SORT_GRID) return value_is_grid(v) && grid_fits(value_as_grid(v), quest_reach(b->q));
    if (sort == SORT_COLOR) return value_is_small(v) && value_small(v) >= 0 && value_small(v) <= 9;
    if (sort == SORT_NUMBER) return value_is_small(v);
    if (sort == SORT_PAIR) return value_is_loc(v);
    return true;
}

// What a function gives for the elements of a sample. False where it fails on all of them.
bool lines_hash_function(Lines *b, int kind, int sample, Value f, uint64_t *hash) {
    Ctx *c = &b->scratch;
    bool any = b->element_count[kind][sample] == 0;
    for (int k = 0; k < b->element_count[kind][sample]; k++) {
        Value v = func_call1(c, f, b->elements[kind][sample][k]);
        ctx_charge(c, CALL_UNITS);
        any |= !c->failure;
        *hash = hash_mix(*hash, c->failure ? 0 : value_hash(v));
        if (c->failure == TS_FAIL_BUDGET) return false;
        c->failure = TS_FAIL_NONE;
        c->calls = 0;
    }
    return any;
}

// Runs a line on all samples, into the values of entry b->count. False where it fails, or is of no use.
static bool run_line(Lines *b, int op, Sort sort, const uint32_t *args, uint64_t *hash) {
    Ctx *c = &b->scratch;
    int n = ops_table[op].arity, elements = lines_elements(sort);
    Value *values = b->values + (size_t)b->count * (size_t)b->samples;
    *hash = hash_mix(sort, 0);
    for (int s = 0; s < b->samples; s++) {
        Value a[4];
        for (int k = 0; k < n; k++) a[k] = lines_values(b, args[k])[s];
        Value v = ops_table[op].fn(c, a);
        if (c->failure || !lines_sane(b, sort, v) || (b->unsure && !grammar_is_of(sort, v))) return false;
        if (s == 0 && b->closing && !goals_hope(b, sort, v)) return false;
        values[s] = v;
        if (elements < 0) *hash = hash_mix(*hash, value_hash(v));
        else if (!lines_hash_function(b, elements, s, v, hash)) return false;
    }
    return true;
}

bool lines_keep(Lines *b, size_t at, uint64_t hash, int64_t *spent) {
    Value *values = b->values + (size_t)b->count * (size_t)b->samples;
    for (int s = 0; s < b->samples && !b->closing; s++) {
        size_t bytes = 0;
        values[s] = value_move(&b->q->arena, &b->scratch.arena, values[s], VALUE_MOVE_ENOUGH, &bytes);
        if (value_tag(values[s]) == TAG_FAIL) b->closing = true;
        *spent += (int64_t)(bytes / 8);
    }
    if (b->closing) return false;
    b->table[at] = b->count + 1;
    b->hashes[b->count] = hash;
    keep(b);
    return true;
}

bool lines_try(Lines *b, int op, Sort sort, int cost, const uint32_t *args) {
    Quest *q = b->q;
    uint64_t hash;
    q->tried[ENGINE_lines]++;
    ctx_begin(&b->scratch, ENTRY_UNITS);
    bool good = run_line(b, op, sort, args, &hash);
    int64_t spent = ENTRY_UNITS - b->scratch.units + TRIAL_UNITS * b->samples;
    if (good) {
        size_t at = lines_find(b, hash);
        if (!b->table[at]) {
            LinesEntry *e = &b->entries[b->count];
            *e = (LinesEntry){.op = (int16_t)op, .sort = (uint8_t)sort, .cost = (uint8_t)cost, .words = 1};
            for (int k = 0; k < ops_table[op].arity; k++) {
                e->args[k] = args[k];
                e->words += b->entries[args[k]].words;
            }
            goals_meet(b, b->count, b->values + (size_t)b->count * (size_t)b->samples);
            lines_keep(b, at, hash, &spent);
        }
    }
    return quest_spend(q, spent + spent * 2 / 5); // hashes, look-ups and goals, by measurement
}

// All entries for a slot and those after it that bring a rule to the cost.
static bool try_slots(Lines *b, int rule, int slot, int left, uint32_t *args, int cost) {
    const GrammarRule *r = rule_at(b, rule);
    int n = ops_table[r->op].arity;
    if (slot == n) return left != 0 || lines_try(b, r->op, (Sort)r->sort, cost, args);
    if (r->slots[slot] & GRAMMAR_FIXED) {
        args[slot] = (uint32_t)(r->slots[slot] & ~GRAMMAR_FIXED);
        return try_slots(b, rule, slot + 1, left, args, cost);
    }
    bool last = true;
    for (int k = slot + 1; k < n; k++) last &= (r->slots[k] & GRAMMAR_FIXED) != 0;
    for (int own = last ? left : 0; own <= left; own++) {
        const EntryList *l = &b->lists[b->rule_kinds[rule][slot]][own];
        for (uint32_t k = 0; k < l->n; k++) {
            args[slot] = l->ids[k];
            if (slot == 1 && args[1] < args[0] && is_commutative(r->op)) continue;
            if (!try_slots(b, rule, slot + 1, left - own, args, cost)) return false;
        }
    }
    return true;
}

// ---- What is there from the start ----

static void add_numbers(Lines *b) {
    static const int8_t number_costs[] = {2, 1, 1, 2, 2, 3, 3, 3, 3, 3};
    static const int8_t flags[] = {5, 7, 4, 1, 3}, flag_costs[] = {0, 1, 1, 2, 2};
    for (int n = 0; n < 10; n++) add_constant(b, SORT_NUMBER, number_costs[n], value_of_small(n));
    for (int k = 0; k < 5; k++) add_constant(b, SORT_FLAGS, flag_costs[k], value_of_small(flags[k]));
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            if (i || j) add_constant(b, SORT_DIRECTION, i && j ? 2 : 1, value_of_loc(loc_word(i, j)));
    for (int n = 0; n < 4; n++)
        if (n != 1) add_constant(b, SORT_PAIR, n ? 2 : 1, value_of_loc(loc_word(n, n)));
}

// The colours of the inputs; those that are in all of them are cheaper.
static void add_colors(Lines *b) {
    unsigned all = 0x3FF, any = 0;
    const Quest *q = b->q;
    for (int s = 0; s < q->samples + q->demos; s++) {
        ts_grid g = s < q->samples ? q->inputs[s] : q->outputs[s - q->samples];
        unsigned here = colors_in(g);
        if (s < q->samples) all &= here;
        any |= here;
    }
    for (int c = 0; c < 10; c++)
        if (any >> c & 1) add_constant(b, SORT_COLOR, all >> c & 1 ? 1 : 2, value_of_small(c));
}

static void add_fixed_size(Lines *b) {
    const Quest *q = b->q;
    for (int d = 1; d < q->demos; d++)
        if (!grid_same_size(q->outputs[d], q->outputs[0])) return;
    add_constant(b, SORT_PAIR, 1, value_of_loc(loc_word(q->outputs[0].height, q->outputs[0].width)));
}

static uint32_t number_entry(const Lines *b, int number) {
    for (uint32_t e = b->ops; e < b->count; e++)
        if (b->entries[e].sort == SORT_NUMBER && value_same(lines_values(b, e)[0], value_of_small(number)))
            return e;
    return 0;
}

// How many parts of the input, side by side or one below the other, are as large as the output; 0 for none.
static int parts_of_input(const Quest *q, bool across) {
    int parts = 0;
    for (int d = 0; d < q->demos; d++) {
        ts_grid in = q->inputs[d], out = q->outputs[d];
        if (across ? in.height != out.height : in.width != out.width) return 0;
        int n = across ? in.width / out.width : in.height / out.height;
        if (d && n != parts) return 0;
        parts = n;
    }
    return parts;
}

// How many times the outputs are as large as the inputs, down and across; false where that is not fixed.
static bool times_of_input(const Quest *q, int times[2]) {
    for (int d = 0; d < q->demos; d++) {
        ts_grid in = q->inputs[d], out = q->outputs[d];
        int down = out.height / in.height, across = out.width / in.width;
        if (out.height % in.height || out.width % in.width) return false;
        if (d && (down != times[0] || across != times[1])) return false;
        times[0] = down;
        times[1] = across;
    }
    return times[0] * times[1] > 1 && times[0] <= 5 && times[1] <= 5;
}

// The inputs scaled up, and repeated, to the size of the outputs, as if they were inputs.
static void add_multiples(Lines *b) {
    int times[2] = {0};
    if (!times_of_input(b->q, times)) return;
    if (times[0] == times[1])
        lines_try(b, OP_upscale, SORT_GRID, 1, (uint32_t[]){b->ops, number_entry(b, times[0])});
    uint32_t row = b->ops, all;
    for (int k = 1; k < times[1]; k++) {
        uint32_t next = b->count;
        lines_try(b, OP_hconcat, SORT_GRID, 1, (uint32_t[]){row, b->ops});
        if (b->count == next) return;
        row = next;
    }
    all = row;
    for (int k = 1; k < times[0]; k++) {
        uint32_t next = b->count;
        lines_try(b, OP_vconcat, SORT_GRID, 1, (uint32_t[]){all, row});
        if (b->count == next) return;
        all = next;
    }
}

// The parts of the inputs that are as large as the outputs, as if they were inputs.
static void add_parts(Lines *b) {
    for (int across = 0; across < 2; across++) {
        int parts = parts_of_input(b->q, across);
        uint32_t split = b->count;
        if (parts < 2 || parts > 4) continue;
        lines_try(b, across ? OP_hsplit : OP_vsplit, SORT_GRIDS, 1,
                  (uint32_t[]){b->ops, number_entry(b, parts)});
        if (b->count == split) continue;
        lines_try(b, OP_first, SORT_GRID, 1, &split);
        for (int k = 1; k < parts - 1 && !b->q->public_only; k++)
            lines_try(b, OP_get_nth_t, SORT_GRID, 1, (uint32_t[]){split, number_entry(b, k)});
        lines_try(b, OP_last, SORT_GRID, 1, &split);
    }
}

// What only primitives take that the grammar does not name: these as functions, and truth values.
static void add_more(Lines *b) {
    bool truths = false;
    for (int k = 0; k < b->more.bare_count; k++) {
        const GrammarBare *bare = &b->more.bare[k];
        if (!b->q->public_only || is_public(bare->op))
            add_constant(b, bare->sort, bare->cost, value_of_op(bare->op));
    }
    for (int r = 0; r < b->more.rule_count; r++)
        for (int k = 0; k < ops_table[b->more.rules[r].op].arity; k++)
            truths |= b->more.rules[r].slots[k] == (uint64_t)1 << SORT_TRUTH;
    for (int truth = 0; truths && truth < 2; truth++) add_constant(b, SORT_TRUTH, 1, value_of_small(truth));
}

// Elements that tell functions apart.
static bool add_elements(Lines *b) {
    Ctx *c = &b->scratch;
    static const int8_t flags[] = {5, 7, 4, 1};
    Arena *a = &b->q->arena;
    for (int s = 0; s < b->samples; s++) {
        Value input = lines_values(b, b->ops)[s];
        Value *kinds[3];
        int n[3] = {0};
        for (int k = 0; k < 3; k++)
            if (!(kinds[k] = arena_alloc(a, ELEMENTS_MOST * sizeof(Value)))) return false;
        ctx_begin(c, ENTRY_UNITS * 20);
        for (int f = 0; f < 4; f++) {
            Value objects = CALL(o_g, input, value_of_small(flags[f])), o;
            int taken = 0;
            for (Iter it = iter(c, objects); taken < 3 && n[0] < ELEMENTS_MOST && iter_next(&it, &o);
                 taken++) {
                kinds[0][n[0]++] = f == 3 && taken == 1 ? CALL(toindices, o) : o;
                if (n[1] < ELEMENTS_MOST / 2) kinds[1][n[1]++] = CALL(ulcorner, o);
            }
        }
        kinds[1][n[1]++] = value_of_loc(loc_word(0, 0));
        kinds[1][n[1]++] = value_of_loc(loc_word(3, 2));
        kinds[2][n[2]++] = input;
        kinds[2][n[2]++] = CALL(tophalf, input);
        kinds[2][n[2]++] = CALL(lefthalf, input);
        if (c->failure) n[0] = n[1] = n[2] = 0;
        for (int k = 0; k < 3; k++) {
            size_t bytes = 0;
            for (int e = 0; e < n[k]; e++) {
                kinds[k][e] = value_move(a, &c->arena, kinds[k][e], VALUE_MOVE_ENOUGH, &bytes);
                if (value_tag(kinds[k][e]) == TAG_FAIL) return false;
            }
            b->elements[k][s] = kinds[k];
            b->element_count[k][s] = n[k];
        }
    }
    return true;
}

static void find_kinds(Lines *b) {
    for (int r = 0; r < rule_count(b); r++)
        for (int s = 0; s < ops_table[rule_at(b, r)->op].arity; s++) {
            uint64_t slot = rule_at(b, r)->slots[s];
            int k = 0;
            if (slot & GRAMMAR_FIXED) continue;
            while (k < b->kind_count && b->kinds[k] != slot) k++;
            if (k == b->kind_count) b->kinds[b->kind_count++] = slot;
            b->rule_kinds[r][s] = (uint16_t)k;
        }
}

static bool begin(Lines *b) {
    Quest *q = b->q;
    Arena *a = &q->arena;
    b->demos = q->demos < LINES_MOST_DEMOS ? q->demos : LINES_MOST_DEMOS;
    b->samples = b->demos + (q->tests < LINES_MOST_TESTS ? q->tests : LINES_MOST_TESTS);
    b->room = ENTRIES_MOST;
    b->entries = arena_alloc(a, (b->room + 1) * sizeof *b->entries);
    b->values = arena_alloc(a, (b->room + 1) * (size_t)b->samples * sizeof *b->values);
    b->hashes = arena_alloc(a, (b->room + 1) * sizeof *b->hashes);
    b->table = arena_alloc(a, TABLE_SLOTS * sizeof *b->table);
    grammar_learn_more(&b->more);
    b->ops = ops_count();
    const size_t kinds = KINDS_MOST + 4 * (size_t)b->more.rule_count;
    b->lists = arena_alloc(a, kinds * sizeof *b->lists);
    b->kinds = arena_alloc(a, kinds * sizeof *b->kinds);
    b->rule_kinds = arena_alloc(a, (size_t)rule_count(b) * sizeof *b->rule_kinds);
    if (!b->entries || !b->values || !b->hashes || !b->table || !b->lists || !b->kinds || !b->rule_kinds)
        return false;
    memset(b->table, 0, TABLE_SLOTS * sizeof *b->table);
    memset(b->lists, 0, kinds * sizeof *b->lists);
    find_kinds(b);
    for (int d = 0; d < q->demos; d++) {
        b->resize |= !grid_same_size(q->inputs[d], q->outputs[d]);
        b->shrink |= q->inputs[d].height > q->outputs[d].height || q->inputs[d].width > q->outputs[d].width;
    }
    for (uint32_t op = 0; op < b->ops; op++) {
        b->entries[op] = (LinesEntry){.op = ENTRY_IS_CONSTANT, .words = 1};
        for (int s = 0; s < b->samples; s++)
            b->values[op * (uint32_t)b->samples + (uint32_t)s] = value_of_op(op);
    }
    b->count = b->ops;
    b->given = UINT32_MAX;
    b->entries[b->ops] = (LinesEntry){.op = ENTRY_IS_INPUT, .sort = SORT_GRID, .words = 1};
    uint64_t hash = hash_mix(SORT_GRID, 0);
    for (int s = 0; s < b->samples; s++) {
        ctx_begin(&b->scratch, ENTRY_UNITS);
        Value v = value_grid(&b->scratch, q->inputs[s < b->demos ? s : q->demos + s - b->demos]);
        size_t bytes = 0;
        Value *kept = &b->values[b->ops * (uint32_t)b->samples + (uint32_t)s];
        *kept = value_move(a, &b->scratch.arena, v, VALUE_MOVE_ENOUGH, &bytes);
        if (b->scratch.failure || !lines_sane(b, SORT_GRID, *kept)) return false;
        hash = hash_mix(hash, value_hash(*kept));
    }
    b->table[lines_find(b, hash)] = b->ops + 1;
    b->hashes[b->ops] = hash;
    keep(b);
    return add_elements(b) && goals_init(b);
}

bool engine_lines(Quest *q) {
    Lines bank = {.q = q}, *b = &bank;
    int64_t half = q->units / 2;
    bool through = false;
    quest_arena(q, &b->scratch.arena, 64 << 20);
    if (begin(b)) {
        goals_meet(b, b->ops, lines_values(b, b->ops));
        add_colors(b);
        add_fixed_size(b);
        add_numbers(b);
        add_parts(b);
        add_multiples(b);
        for (int k = 0; k < GRAMMAR_BARE; k++)
            add_constant(b, grammar_bare[k].sort, grammar_bare[k].cost, value_of_op(grammar_bare[k].op));
        add_more(b);
        b->given = b->count;
        if (q->donors) donors_begin(b);
        for (int cost = 1; cost <= LINES_MOST_COST && !through; cost++) {
            donors_take(b, cost);
            for (int r = 0; r < rule_count(b) && q->units > 0; r++) {
                const GrammarRule *rule = rule_at(b, r);
                if ((rule->when == GRAMMAR_RESIZE && !b->resize) ||
                    (rule->when == GRAMMAR_SHRINK && !b->shrink) || (q->public_only && !is_public(rule->op)))
                    continue;
                if (q->units < half) b->closing = true;
                b->unsure = r >= GRAMMAR_RULES;
                uint32_t args[4];
                if (rule->cost <= cost) try_slots(b, r, 0, cost - rule->cost, args, cost);
            }
            goals_compose(b, cost);
            through = goals_done(b, cost);
            if (q->units <= 0) break;
        }
        goals_settle(b);
    }
    quest_free_arena(q, &b->scratch.arena);
    return through;
}
