// The bank: entries, cheapest first, and the engine; bank.h says what they are.
//
// A step costs 10. The seeds are the input, at 0, and at 10 blank images of the input's and the output's size
// and the outputs of the other demos. An entry is dropped where each of its nodes is known from cheaper
// entries: it only mixes what is there already.
#include "bank/bank.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "value/bits.h"

enum {
    STEP_COST = 10,
    SPLIT_LEAVES = 5, // a list is worth making only if something can be made of it
    SCRATCH_BYTES = 16 << 20,
    MOST_OFFERS = 10,
    FIRST_LIMIT = 20,
    LAST_LIMIT = 40,
    LIST_PRIOR = 2,
    MOST_PRIOR = 60,
    WAVE_HOST = 512,       // jobs of a wave: so what they make stays in the processor's cache
    WAVE_DEVICE = 1 << 15, // with a device: enough that a call costs little
    WAVE_BYTES = 64 << 20,
    SURE_UNSEEN = 2, // demos that a stack is right on and was not made for, to go no deeper
};

// ---- Entries ----

static uint64_t hash_nodes(const int32_t *nodes, int demos) {
    return hash_bytes(0, nodes, (size_t)demos * sizeof *nodes);
}

static bool grow_table(Bank *b) {
    size_t room = b->table_room ? b->table_room * 2 : 4096;
    uint32_t *table = arena_alloc(b->shop.arena, room * sizeof *table);
    if (!table) return false;
    memset(table, 0, room * sizeof *table);
    for (size_t e = 0; e < b->count; e++) {
        size_t at = hash_nodes(b->nodes + e * (size_t)b->demos, b->demos) & (room - 1);
        while (table[at]) at = (at + 1) & (room - 1);
        table[at] = (uint32_t)e + 1;
    }
    b->table = table;
    b->table_room = room;
    return true;
}

// Adds an entry, if it is new. False where memory is short.
static bool add_entry(Bank *b, const int32_t *nodes, BankEntry entry) {
    size_t demos = (size_t)b->demos;
    if (b->count * 2 >= b->table_room && !grow_table(b)) return false;
    size_t at = hash_nodes(nodes, b->demos) & (b->table_room - 1);
    for (; b->table[at]; at = (at + 1) & (b->table_room - 1))
        if (!memcmp(b->nodes + (b->table[at] - 1) * demos, nodes, demos * sizeof *nodes)) return true;
    if (!bank_array_room(b->shop.arena, &b->entries, b->count, &b->entry_room, sizeof entry) ||
        !bank_array_room(b->shop.arena, &b->nodes, b->count, &b->node_room, demos * sizeof *nodes))
        return false;
    memcpy(b->nodes + b->count * demos, nodes, demos * sizeof *nodes);
    b->entries[b->count++] = entry;
    b->table[at] = (uint32_t)b->count;
    return true;
}

// A list calls for a step that makes something of it.
static int prior_of(const Workshop *w, int step, bool is_list) {
    const BankStep *s = &w->steps[step];
    return is_list && s->kind == IMAGE_MAPS ? s->prior + LIST_PRIOR : s->prior;
}

// Tries a step on an entry. False where units or memory are spent.
static bool try_step(Bank *b, int32_t e, int step) {
    Workshop *w = &b->shop;
    int32_t nodes[BANK_MOST_DEMOS];
    int cost = b->entries[e].cost + STEP_COST, depth = 0;
    b->q->tried[ENGINE_bank]++;
    if (!bank_graphs_step(w, b->graphs, b->demos, b->nodes + (size_t)e * (size_t)b->demos, step, cost, nodes))
        return true;
    for (int k = 0; k < b->demos; k++) {
        int known = b->graphs[k].nodes[nodes[k]].depth;
        if (known > depth) depth = known;
    }
    w->units += 20 + 4 * b->demos;
    if (depth < cost) return true;
    bool is_list = b->graphs[0].nodes[nodes[0]].value.is_list;
    int prior = b->entries[e].prior + prior_of(w, step, b->entries[e].is_list);
    BankEntry new = {.parent = e,
                     .step = (uint8_t)step,
                     .cost = (uint8_t)cost,
                     .prior = (uint8_t)prior,
                     .is_list = is_list};
    return add_entry(b, nodes, new);
}

static bool spend(Bank *b, int64_t reserve) {
    int64_t units = b->shop.units;
    b->shop.units = 0;
    return quest_spend(b->q, units) && b->q->units > reserve;
}

typedef enum { GROUP_PLAIN = 1, GROUP_OUTPUT = 2, GROUP_SPLIT = 4, GROUP_CLOSED = 8 } StepGroup;

static StepGroup group_of(const BankStep *s) {
    if (s->kind == IMAGE_SPLITS) return GROUP_SPLIT;
    return s->size == SIZE_OUTPUT ? GROUP_OUTPUT : GROUP_PLAIN;
}

static bool suits(const BankStep *s, bool is_list) {
    switch (s->kind) {
    case IMAGE_MAPS: return s->fn != IMAGE_FN_recolor;
    case IMAGE_SPLITS:
    case IMAGE_SIZED: return !is_list;
    default: return is_list;
    }
}

// The steps that an entry may still take.
static unsigned groups_for(const BankEntry *e, int limit) {
    unsigned groups = 0;
    if (e->cost + STEP_COST <= limit) groups |= GROUP_PLAIN | GROUP_OUTPUT;
    if (e->cost + STEP_COST + SPLIT_LEAVES <= limit) groups |= GROUP_SPLIT;
    return groups & ~(unsigned)e->expanded;
}

// ---- Passes ----
//
// A pass goes over all entries, those too that come up on the way, and tries some steps on each. Entries are
// taken in waves: the steps of many are run in one go, and then tried one after the other.

typedef struct {
    unsigned groups; // of steps
    int limit;       // of cost
    int cost;        // of the entries that it is about; ANY
    int prior;       // that entry and step have together; ANY
    int64_t reserve; // units that are to be left
} Pass;

enum { ANY = -1 };

// The groups of steps that a pass tries on an entry.
static unsigned groups_of(const Pass *p, const BankEntry *e) {
    if ((p->cost != ANY && e->cost != p->cost) || (p->prior != ANY && e->prior > p->prior)) return 0;
    return p->groups & groups_for(e, p->limit);
}

// The steps that it tries on an entry, by their order; how many.
static int steps_of(const Bank *b, const Pass *p, const BankEntry *e, unsigned groups, uint8_t *steps) {
    const Workshop *w = &b->shop;
    const int left = p->prior == ANY ? ANY : p->prior - e->prior;
    int n = 0;
    if (left > MOST_STEP_PRIOR) return 0;
    const StepList *list = left == ANY ? &b->suiting[e->is_list] : &b->suiting_by_prior[e->is_list][left];
    for (int k = 0; k < list->count; k++)
        if (groups & group_of(&w->steps[list->step[k]])) steps[n++] = list->step[k];
    return n;
}

// Gathers the steps of entries from `from` on until there are enough for a wave, or for the units that are
// left. Returns the entry after the last one.
static size_t gather_wave(Bank *b, const Pass *p, size_t from) {
    Workshop *w = &b->shop;
    uint8_t steps[BANK_MOST_STEPS];
    const int64_t left = b->q->units - p->reserve - w->units;
    size_t e = from;
    for (; e < b->count && w->wave.count < w->wave.most && w->wave.units < left; e++) {
        const unsigned groups = groups_of(p, &b->entries[e]);
        if (!groups) continue;
        const int n = steps_of(b, p, &b->entries[e], groups, steps);
        bank_wave_add(w, b->graphs, b->demos, b->nodes + e * (size_t)b->demos, steps, n);
    }
    return e > from ? e : from + 1; // where there are no units left it is tried all the same
}

// Tries what the wave has. False where units or memory are spent.
static bool try_entries(Bank *b, const Pass *p, size_t from, size_t end) {
    uint8_t steps[BANK_MOST_STEPS];
    for (size_t e = from; e < end; e++) {
        const unsigned groups = groups_of(p, &b->entries[e]);
        if (!groups) continue;
        if (p->cost != ANY) b->entries[e].expanded |= (uint8_t)groups;
        const int n = steps_of(b, p, &b->entries[e], groups, steps);
        for (int k = 0; k < n; k++)
            if (!try_step(b, (int32_t)e, steps[k])) return false;
        if (!spend(b, p->reserve)) return false;
    }
    return true;
}

static bool run_pass(Bank *b, const Pass *p) {
    for (size_t e = 0; e < b->count;) {
        const size_t end = gather_wave(b, p, e);
        bank_wave_run(&b->shop, b->graphs);
        const bool good = try_entries(b, p, e, end);
        bank_wave_end(&b->shop, b->graphs);
        if (!good) return false;
        e = end;
    }
    return true;
}

// All entries up to a cost, by these groups of steps. False where units or memory are spent.
static bool enumerate(Bank *b, int limit, unsigned groups, int64_t reserve) {
    for (int cost = 0; cost + STEP_COST <= limit; cost += STEP_COST)
        if (!run_pass(b, &(Pass){groups, limit, cost, ANY, reserve})) return false;
    return true;
}

// The same for all steps, those entries first whose steps are of use most often.
static bool go_deeper(Bank *b, int limit, int64_t reserve) {
    for (int prior = 0; prior <= MOST_PRIOR; prior++)
        if (!run_pass(b, &(Pass){~0u, limit, ANY, prior, reserve})) return false;
    for (size_t e = 0; e < b->count; e++)
        b->entries[e].expanded |= (uint8_t)groups_for(&b->entries[e], limit);
    return true;
}

// What became of lists, as one image.
static void close_lists(Bank *b) {
    int pile = bank_step(b, IMAGE_FN_pile, 0, -1);
    size_t count = b->count;
    for (size_t e = 0; e < count; e++) {
        if (!b->entries[e].is_list || b->entries[e].expanded & GROUP_CLOSED) continue;
        b->entries[e].expanded |= GROUP_CLOSED;
        if (!try_step(b, (int32_t)e, pile) || !quest_slow(b->q)) return;
    }
}

int32_t bank_test_node(Bank *b, int32_t entry, int test) {
    assert(entry >= 0 && (size_t)entry < b->count && test >= 0 && test < b->tests);
    size_t tests = (size_t)b->tests;
    while (b->tests_known <= (size_t)entry) {
        if (!bank_array_room(b->shop.arena, &b->tests_nodes, b->tests_known, &b->tests_room,
                             tests * sizeof *b->tests_nodes))
            return CHILD_NONE;
        for (size_t t = 0; t < tests; t++) b->tests_nodes[b->tests_known * tests + t] = CHILD_UNKNOWN;
        b->tests_known++;
    }
    size_t at = (size_t)entry * tests + (size_t)test;
    if (b->tests_nodes[at] != CHILD_UNKNOWN) return b->tests_nodes[at];
    const BankEntry *e = &b->entries[entry];
    int32_t node = bank_test_node(b, e->parent, test);
    if (node >= 0) node = bank_graph_step(&b->shop, &b->graphs[b->demos + test], node, e->step, e->cost);
    return b->tests_nodes[at] = node;
}

int bank_step(const Bank *b, int fn, int variant, int size) {
    for (int step = 0; step < b->shop.step_count; step++) {
        const BankStep *s = &b->shop.steps[step];
        if (s->fn == fn && s->variant == variant && s->size == size) return step;
    }
    return -1;
}

// ---- Setting out ----

// How rarely the functions are of use, by what was found on training tasks: twice the bits, a variant, less
// those of the commonest.
static const uint8_t priors[IMAGE_FNS] = {
    [IMAGE_FN_keep] = 0,  [IMAGE_FN_trim] = 0,   [IMAGE_FN_half] = 2,    [IMAGE_FN_smear] = 3,
    [IMAGE_FN_ring] = 3,  [IMAGE_FN_inside] = 3, [IMAGE_FN_connect] = 3, [IMAGE_FN_box] = 4,
    [IMAGE_FN_erase] = 4, [IMAGE_FN_split] = 2,  [IMAGE_FN_pile] = 0,    [IMAGE_FN_fit] = 4,
    [IMAGE_FN_rigid] = 4, [IMAGE_FN_spread] = 5, [IMAGE_FN_count] = 7,   [IMAGE_FN_gravity] = 7,
    [IMAGE_FN_sift] = 3,  [IMAGE_FN_pick] = 2,
};

static void add_step(Workshop *w, int fn, int variant, int size) {
    if (w->step_count == BANK_MOST_STEPS) return;
    w->steps[w->step_count++] = (BankStep){.fn = (uint8_t)fn,
                                           .variant = (uint8_t)variant,
                                           .kind = (uint8_t)image_fns[fn].kind,
                                           .size = (int8_t)size,
                                           .prior = priors[fn]};
}

static void choose_steps(Bank *b) {
    unsigned colors = 0;
    for (int k = 0; k < b->demos + b->tests; k++) colors |= colors_in(b->inputs[k]);
    for (int k = 0; k < b->demos; k++) colors |= colors_in(b->outputs[k]);
    for (int fn = 0; fn < IMAGE_FNS; fn++)
        for (int variant = 0; variant < image_fns[fn].variants; variant++) {
            bool of_color = fn == IMAGE_FN_keep || fn == IMAGE_FN_erase || fn == IMAGE_FN_recolor;
            if (of_color && !(colors >> variant & 1)) continue;
            if (fn != IMAGE_FN_keep && of_color && variant == 0) continue;
            if (image_fns[fn].kind == IMAGE_SIZED)
                for (int size = 0; size < SIZES; size++) add_step(&b->shop, fn, variant, size);
            else add_step(&b->shop, fn, variant, -1);
        }
}

static void list_step(StepList *list, int step) { list->step[list->count++] = (uint8_t)step; }

static void list_steps(Bank *b) {
    for (int is_list = 0; is_list < 2; is_list++)
        for (int step = 0; step < b->shop.step_count; step++) {
            if (!suits(&b->shop.steps[step], is_list)) continue;
            const int prior = prior_of(&b->shop, step, is_list);
            assert(prior <= MOST_STEP_PRIOR);
            list_step(&b->suiting[is_list], step);
            list_step(&b->suiting_by_prior[is_list][prior], step);
        }
}

// Room for a wave, with the steps of one entry more.
static bool make_wave(Bank *b) {
    BankWave *v = &b->shop.wave;
    Arena *a = b->shop.arena;
    Device *d = b->q->device && b->q->device->state ? b->q->device : NULL;
    v->most = d ? WAVE_DEVICE : WAVE_HOST;
    v->room = v->most + (size_t)b->demos * (size_t)b->shop.step_count;
    v->jobs = arena_alloc(a, v->room * sizeof *v->jobs);
    v->results = arena_alloc(a, v->room * sizeof *v->results);
    v->whose = arena_alloc(a, v->room * sizeof *v->whose);
    if (!v->jobs || !v->results || !v->whose) return false;
    v->run.device = d;
    if (!d) return true;
    device_forget(d);
    v->wanted_room = 2 * WAVE_DEVICE;
    while (v->wanted_room < 2 * v->room) v->wanted_room *= 2;
    v->wanted = arena_alloc(a, v->room * sizeof *v->wanted);
    v->wanted_table = arena_alloc(a, v->wanted_room * sizeof *v->wanted_table);
    if (v->wanted_table) memset(v->wanted_table, 0, v->wanted_room * sizeof *v->wanted_table);
    return v->wanted && v->wanted_table;
}

static Image image_of(ts_grid g) { return (Image){0, 0, (int16_t)g.height, (int16_t)g.width, g.cells}; }

// An entry that is given; the values of the tests follow those of the demos.
static bool add_seed(Bank *b, int number, int cost, const Image *values) {
    int32_t nodes[BANK_MOST_SAMPLES];
    size_t count = b->count;
    for (int k = 0; k < b->demos + b->tests; k++) {
        Images value = {1, false, &values[k]};
        nodes[k] = bank_graph_add(&b->shop, &b->graphs[k], &value, cost);
        if (nodes[k] < 0) return false;
    }
    if (!add_entry(b, nodes, (BankEntry){.parent = -1, .step = (uint8_t)number, .cost = (uint8_t)cost}))
        return false;
    if (b->count == count) return true; // it is there already
    for (int t = 0; t < b->tests; t++) {
        if (!bank_array_room(b->shop.arena, &b->tests_nodes, b->count, &b->tests_room,
                             (size_t)b->tests * sizeof *b->tests_nodes))
            return false;
        for (; b->tests_known < b->count; b->tests_known++)
            for (int k = 0; k < b->tests; k++)
                b->tests_nodes[b->tests_known * (size_t)b->tests + (size_t)k] = CHILD_UNKNOWN;
        b->tests_nodes[count * (size_t)b->tests + (size_t)t] = nodes[b->demos + t];
    }
    return true;
}

static bool set_out(Bank *b, Quest *q) {
    *b = (Bank){.q = q, .demos = q->demos, .tests = q->tests, .shop = {.arena = &q->arena}};
    quest_arena(q, &b->shop.scratch, SCRATCH_BYTES);
    quest_arena(q, &b->shop.wave.run.arena, WAVE_BYTES);
    if (b->demos > BANK_MOST_DEMOS) b->demos = BANK_MOST_DEMOS;
    normal_learn(q->inputs, q->outputs, b->demos, &b->form);
    Image inputs[BANK_MOST_SAMPLES], blanks[BANK_MOST_SAMPLES];
    for (int k = 0; k < b->demos + b->tests; k++) {
        ts_grid in = q->inputs[k < b->demos ? k : k - b->demos + q->demos];
        int8_t map[10];
        normal_map(&b->form, in, map);
        if (!colors_renamed(&q->arena, in, map, &b->inputs[k]) ||
            (k < b->demos && !colors_renamed(&q->arena, q->outputs[k], map, &b->outputs[k])) ||
            !image_blank(&q->arena, in.height, in.width, &blanks[k]))
            return false;
        inputs[k] = image_of(b->inputs[k]);
        b->graphs[k].size[SIZE_INPUT] = blanks[k];
    }
    choose_steps(b);
    list_steps(b);
    return make_wave(b) && add_seed(b, SEED_INPUT, 0, inputs) &&
           add_seed(b, SEED_INPUT_BLANK, STEP_COST, blanks);
}

// The outputs' sizes are known: blank images of them, and the outputs of the other demos.
static bool add_outputs(Bank *b) {
    Image blanks[BANK_MOST_SAMPLES], others[BANK_MOST_SAMPLES];
    for (int k = 0; k < b->demos + b->tests; k++) blanks[k] = b->graphs[k].size[SIZE_OUTPUT];
    if (!add_seed(b, SEED_OUTPUT_BLANK, STEP_COST, blanks)) return false;
    for (int d = 0; d < b->demos; d++) {
        for (int k = 0; k < b->demos + b->tests; k++)
            others[k] = k == d ? blanks[d] : image_of(b->outputs[d]);
        if (!add_seed(b, SEED_DEMO + d, STEP_COST, others)) return false;
    }
    return true;
}

// ---- The engine ----

// The answers of a stack, as one hash; 0 where it has none for some test.
static uint64_t answers_of(Bank *b, const Stack *s) {
    uint64_t hash = 1;
    for (int t = 0; t < b->tests; t++) {
        const Image *size = &b->graphs[b->demos + t].size[SIZE_OUTPUT];
        size_t n = (size_t)image_cells(size);
        int8_t cells[IMAGE_MOST_CELLS], piece[IMAGE_MOST_CELLS + BITS_CELLS], unset = -1;
        memset(cells, unset, n);
        for (int k = 0; k < s->count; k++) {
            if (!bank_piece_on_test(b, &s->piece[k], t, piece)) return 0;
            for (size_t c = 0; c < n; c++)
                if (cells[c] == unset &&
                    (s->how[k] == ImageLay_REPLACING || (piece[c] != 0) == (s->how[k] == ImageLay_ON_TOP)))
                    cells[c] = piece[c];
        }
        if (memchr(cells, unset, n)) return 0;
        hash = hash_bytes(hash, cells, n);
    }
    return hash;
}

// How far a stack is to be trusted: by the demos that it is right on though it was not made for them, by its
// pieces, and by their cost.
static int class_of(const Stack *s) {
    int unseen = s->unseen < 3 ? s->unseen : 3;
    return (unseen * 2 + s->borrows) * 3 + (s->count > 3 ? 2 : s->count > 1);
}

// Offers the best stacks that differ in their answers.
static void offer(Bank *b, const Stack *stacks, size_t count) {
    uint64_t offered[MOST_OFFERS];
    int n = 0;
    Text text = {0};
    for (size_t k = 0; k < count && n < MOST_OFFERS && quest_slow(b->q); k++) {
        uint64_t answers = answers_of(b, &stacks[k]);
        bool known = answers == 0;
        for (int m = 0; m < n && !known; m++) known = offered[m] == answers;
        if (known) continue;
        offered[n++] = answers;
        text_clear(&text);
        bank_print_stack(b, &stacks[k], &text);
        if (!text.failed) quest_offer(b->q, ENGINE_bank, class_of(&stacks[k]), text.data);
    }
    quest_free_text(b->q, &text);
}

static bool search(Bank *b) {
    int64_t all = b->q->units;
    const unsigned without = GROUP_PLAIN | GROUP_SPLIT, with = without | GROUP_OUTPUT;
    enumerate(b, STEP_COST, without | GROUP_SPLIT, all / 2);
    if (bank_sizes_find(b) != SIZES_SETTLED) {
        enumerate(b, FIRST_LIMIT, without, all / 2);
        if (bank_sizes_find(b) == SIZES_NONE) return true;
    }
    if (!add_outputs(b)) return true;
    bool through = enumerate(b, FIRST_LIMIT, with, b->q->units / 3);
    for (int limit = FIRST_LIMIT;; limit += STEP_COST) {
        close_lists(b);
        if (limit == FIRST_LIMIT) b->shallow = b->count;
        size_t count;
        Stack *stacks = bank_stacks_find(b, &count);
        if (!stacks) return true;
        offer(b, stacks, count);
        bool is_sure = count && stacks[0].right == b->demos && stacks[0].unseen >= SURE_UNSEEN;
        if (!through || is_sure || limit == LAST_LIMIT) return through;
        through = go_deeper(b, limit + STEP_COST, b->q->units / 4);
    }
}

bool engine_bank(Quest *q) {
    Bank *b = arena_alloc(&q->arena, sizeof *b);
    if (!b) return true;
    bool done = set_out(b, q) && search(b);
    quest_free_arena(q, &b->shop.scratch);
    quest_free_arena(q, &b->shop.wave.run.arena);
    return done;
}
