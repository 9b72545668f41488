// Mutations that make expressions up, by the grammar of lines (program/grammar.h): for any argument, or for a
// constant that may just as well be measured.
//
// An expression is chosen from the top. What can stand at a slot has a cost: a rule that of its line and the
// least that its own slots can cost, a value that is there one of its own; a thing is half as likely as
// another that costs one less. What lines are left says which rules still can be finished.
#include "mutate/mutator.h"

enum {
    MOST_GROWN = 6, // lines
    MOST_MEASURED = 3,
    HEAVIEST = 1 << 16, // the weight of what costs nothing
    DEAREST = 16,
    OTHER_GRID = 2,             // what a grid costs more where the input is meant mostly
    COARSE = MUTATE_MOST_RULES, // the rule of a coarse primitive, whichever
    NOT_YET = 100,              // lines and costs of a sort that nothing is known to make
};

#define SORT_BIT(sort) ((uint64_t)1 << SORT_##sort)
#define FIRST_FUNCTION SORT_PATCH_TO_NUMBER
#define ALL_FUNCTIONS (((uint64_t)1 << SORTS) - ((uint64_t)1 << FIRST_FUNCTION))

// ---- The grammar, in the order in which it is asked ----

// What is there without a line of its own, beside the input and primitives.
static const struct {
    uint8_t sort, cost;
    int8_t i, j; // a pair, or a number and 0
} given[] = {
    {SORT_NUMBER, 2, 0, 0},      {SORT_NUMBER, 1, 1, 0},     {SORT_NUMBER, 1, 2, 0},
    {SORT_NUMBER, 2, 3, 0},      {SORT_NUMBER, 2, 4, 0},     {SORT_NUMBER, 3, 5, 0},
    {SORT_NUMBER, 3, 6, 0},      {SORT_NUMBER, 3, 7, 0},     {SORT_NUMBER, 3, 8, 0},
    {SORT_NUMBER, 3, 9, 0},      {SORT_FLAGS, 0, 5, 0},      {SORT_FLAGS, 1, 7, 0},
    {SORT_FLAGS, 1, 4, 0},       {SORT_FLAGS, 2, 1, 0},      {SORT_FLAGS, 2, 3, 0},
    {SORT_DIRECTION, 2, -1, -1}, {SORT_DIRECTION, 1, -1, 0}, {SORT_DIRECTION, 2, -1, 1},
    {SORT_DIRECTION, 1, 0, -1},  {SORT_DIRECTION, 1, 0, 1},  {SORT_DIRECTION, 2, 1, -1},
    {SORT_DIRECTION, 1, 1, 0},   {SORT_DIRECTION, 2, 1, 1},  {SORT_PAIR, 1, 0, 0},
    {SORT_PAIR, 2, 2, 2},        {SORT_PAIR, 2, 3, 3},
};
enum { GIVEN = sizeof given / sizeof *given, COLOR_COST = 2 };

static int smaller(int a, int b) { return a < b ? a : b; }

// The least that something for a slot needs, in lines and in costs.
static void least_of_slot(const Grammar *g, uint64_t slot, int *lines, int *cost) {
    *lines = *cost = slot & GRAMMAR_FIXED ? 0 : NOT_YET;
    for (int s = 0; !(slot & GRAMMAR_FIXED) && s < SORTS; s++) {
        if (!(slot >> s & 1)) continue;
        *lines = smaller(*lines, g->least_lines[s]);
        *cost = smaller(*cost, g->least_cost[s]);
    }
}

static int rule_count(const Grammar *g) { return GRAMMAR_RULES + g->more.rule_count; }

static const GrammarRule *rule_at(const Grammar *g, int rule) {
    return rule < GRAMMAR_RULES ? &grammar_rules[rule] : &g->more.rules[rule - GRAMMAR_RULES];
}

static void learn_rule(Grammar *g, int rule) {
    const GrammarRule *r = rule_at(g, rule);
    int lines = 1, cost = r->cost, of_lines, of_cost;
    for (int k = 0; k < ops_table[r->op].arity; k++) {
        least_of_slot(g, r->slots[k], &of_lines, &of_cost);
        lines = smaller(lines + of_lines, NOT_YET);
        cost = smaller(cost + of_cost, NOT_YET);
    }
    g->lines[rule] = (uint8_t)lines;
    g->cost[rule] = (uint8_t)cost;
    g->least_lines[r->sort] = (uint8_t)smaller(g->least_lines[r->sort], lines);
    g->least_cost[r->sort] = (uint8_t)smaller(g->least_cost[r->sort], cost);
}

static const GrammarBare *bare_at(const Grammar *g, int k) {
    return k < GRAMMAR_BARE ? &grammar_bare[k] : &g->more.bare[k - GRAMMAR_BARE];
}

void mutator_learn_grammar(Grammar *g) {
    enum { ROUNDS = 6 }; // a rule may stand before those that its slots need
    grammar_learn_more(&g->more);
    memset(g->least_lines, NOT_YET, sizeof g->least_lines);
    memset(g->least_cost, NOT_YET, sizeof g->least_cost);
    g->least_lines[SORT_GRID] = g->least_cost[SORT_GRID] = 0;
    g->least_lines[SORT_COLOR] = 0;
    g->least_cost[SORT_COLOR] = COLOR_COST;
    for (int k = 0; k < GIVEN; k++) {
        g->least_lines[given[k].sort] = 0;
        g->least_cost[given[k].sort] = (uint8_t)smaller(g->least_cost[given[k].sort], given[k].cost);
    }
    for (int k = 0; k < GRAMMAR_BARE + g->more.bare_count; k++) {
        const GrammarBare *b = bare_at(g, k);
        g->least_lines[b->sort] = 0;
        g->least_cost[b->sort] = (uint8_t)smaller(g->least_cost[b->sort], b->cost);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < rule_count(g); k++) learn_rule(g, k);
    uint16_t n = 0;
    for (int s = 0; s < SORTS; s++) {
        g->first[s] = n;
        for (int k = 0; k < rule_count(g); k++)
            if (rule_at(g, k)->sort == s) g->rules[n++] = (uint16_t)k;
    }
    g->first[SORTS] = n;
}

// ---- Sorts of what is there ----

// What a slot of the program may stand for: a number is a colour only if it comes from where colours do.
static uint64_t sorts_of_slot(const Mutator *m, uint32_t slot) {
    uint32_t first = program_slot_of_line(m->p, 0);
    uint64_t sorts = grammar_sorts(m->types[slot]);
    if (slot < first || !(sorts & SORT_BIT(COLOR))) return sorts;
    int op = m->p->lines[slot - first].op;
    bool color = op != LINE_CALLS_VALUE && constant_kind_of_result((Op)op) == CONSTANT_COLOR;
    return sorts & ~(color ? SORT_BIT(NUMBER) : SORT_BIT(COLOR));
}

static bool is_primitive(const Program *p, uint32_t slot, Op *op) {
    if (!mutator_is_constant(p, slot) || !value_is_op(p->constants[slot - SLOTS_GIVEN])) return false;
    *op = (Op)value_op(p->constants[slot - SLOTS_GIVEN]);
    return true;
}

// Whether an argument of the program may stand at a slot of the grammar, as far as can be seen.
static bool slot_takes(const Mutator *m, uint64_t slot, uint32_t argument) {
    Op op;
    Type t = m->types[argument];
    if (slot & GRAMMAR_FIXED) return is_primitive(m->p, argument, &op) && op == (Op)(slot & ~GRAMMAR_FIXED);
    if (t.self & TYPE_FUNCTION) return slot & ALL_FUNCTIONS;
    return t.self == TYPE_ALL || grammar_sorts(t) & slot;
}

// What may stand at an argument of a line, by the rules that the line may have come from.
static uint64_t sorts_by_rules(const Mutator *m, const Line *l, int argument) {
    uint64_t sorts = 0;
    for (int k = 0; k < rule_count(&m->grammar); k++) {
        const GrammarRule *r = rule_at(&m->grammar, k);
        if (r->op != l->op || r->slots[argument] & GRAMMAR_FIXED) continue;
        bool fits = true;
        for (int n = 0; fits && n < l->n; n++) fits = n == argument || slot_takes(m, r->slots[n], l->args[n]);
        if (fits) sorts |= r->slots[argument] & ~(GRAMMAR_GIVEN_ONLY | GRAMMAR_PREFERS_INPUT);
    }
    return sorts;
}

static uint64_t sorts_of_kind(ConstantKind kind) {
    switch (kind) {
    case CONSTANT_COLOR: return SORT_BIT(COLOR);
    case CONSTANT_COUNT:
    case CONSTANT_INTEGER: return SORT_BIT(NUMBER);
    case CONSTANT_DIRECTION:
    case CONSTANT_SIZE:
    case CONSTANT_PAIR: return SORT_BIT(PAIR);
    default: return 0;
    }
}

// What may stand at an argument of a line: by what it is for, by the grammar, or else by its type.
static uint64_t sorts_of_argument(const Mutator *m, uint32_t line, int argument) {
    const Line *l = &m->p->lines[line];
    uint32_t slot = l->args[argument];
    Op op;
    if (mutator_is_constant(m->p, slot)) {
        ConstantKind kind = constant_kind(m->p, m->types, line, argument);
        if (kind != CONSTANT_OTHER) return sorts_of_kind(kind);
    }
    uint64_t sorts = l->op == LINE_CALLS_VALUE ? 0 : sorts_by_rules(m, l, argument);
    if (sorts) return sorts;
    const int bare = is_primitive(m->p, slot, &op) ? GRAMMAR_BARE + m->grammar.more.bare_count : 0;
    for (int k = 0; k < bare; k++)
        if (bare_at(&m->grammar, k)->op == (int)op) sorts |= (uint64_t)1 << bare_at(&m->grammar, k)->sort;
    return sorts ? sorts : sorts_of_slot(m, slot);
}

// ---- Growing ----

typedef struct {
    Mutator *m;
    uint32_t line; // what comes before it may be used
    uint32_t old;  // the slot that is grown over
    uint32_t source;
    int left; // lines that can still be made
} Growth;

// What was chosen for a slot: a rule of the grammar, or something that is there.
typedef struct {
    int rule; // -1: none; COARSE
    Ref ref;  // REF_NONE: a constant
    Value v;
    uint32_t total; // weight of all that was seen
} Pick;

static bool weigh(Growth *g, Pick *p, int cost) {
    uint32_t weight = HEAVIEST >> smaller(cost, DEAREST);
    p->total += weight;
    if (mutator_below(g->m, p->total) >= weight) return false;
    *p = (Pick){.rule = -1, .ref = REF_NONE, .v = VALUE_NONE, .total = p->total};
    return true;
}

static void pick_values(Growth *g, Pick *p, uint64_t slot) {
    const Mutator *m = g->m;
    int other = slot & GRAMMAR_PREFERS_INPUT ? OTHER_GRID : 0;
    if (slot & SORT_BIT(GRID) && weigh(g, p, 0)) p->ref = ref_make(REF_GIVEN, SLOT_I);
    uint32_t first = program_slot_of_line(m->p, 0);
    for (uint32_t k = first; k < first + g->line; k++)
        if (sorts_of_slot(m, k) & slot && weigh(g, p, (k != g->old) + other)) p->ref = mutator_ref(m->p, k);
}

static void pick_given(Growth *g, Pick *p, uint64_t slot) {
    unsigned colors = g->m->colors.inputs | g->m->colors.outputs;
    if (!colors) colors = 0x3FF;
    for (int c = 0; slot & SORT_BIT(COLOR) && c < 10; c++)
        if (colors >> c & 1 && weigh(g, p, COLOR_COST)) p->v = value_of_small(c);
    const uint64_t numbers = SORT_BIT(NUMBER) | SORT_BIT(FLAGS) | SORT_BIT(DIRECTION) | SORT_BIT(PAIR);
    for (int k = 0; slot & numbers && k < GIVEN; k++) {
        if (!(slot >> given[k].sort & 1) || !weigh(g, p, given[k].cost)) continue;
        bool pair = given[k].sort == SORT_PAIR || given[k].sort == SORT_DIRECTION;
        p->v = pair ? value_of_loc(loc_word(given[k].i, given[k].j)) : value_of_small(given[k].i);
    }
    const int bare = slot & ALL_FUNCTIONS ? GRAMMAR_BARE + g->m->grammar.more.bare_count : 0;
    for (int k = 0; k < bare; k++) {
        const GrammarBare *f = bare_at(&g->m->grammar, k);
        const bool fits = slot >> f->sort & 1 && (k < GRAMMAR_BARE || mutator_has(g->m, f->op));
        if (fits && weigh(g, p, f->cost)) p->v = value_of_op(f->op);
    }
}

static void pick_rules(Growth *g, Pick *p, uint64_t slot, int lines) {
    const Grammar *grammar = &g->m->grammar;
    int other = slot & GRAMMAR_PREFERS_INPUT ? OTHER_GRID : 0;
    for (uint64_t sorts = slot & (((uint64_t)1 << SORTS) - 1); sorts; sorts &= sorts - 1) {
        int s = __builtin_ctzll(sorts);
        if (grammar->least_lines[s] > lines) continue;
        for (int k = grammar->first[s]; k < grammar->first[s + 1]; k++) {
            int rule = grammar->rules[k];
            if (grammar->lines[rule] > lines) continue;
            if (rule >= GRAMMAR_RULES && !mutator_has(g->m, rule_at(grammar, rule)->op)) continue;
            if (weigh(g, p, grammar->cost[rule] + other)) p->rule = rule;
        }
    }
    bool coarse = g->m->origin == ORIGIN_OURS && slot & (SORT_BIT(GRID) | SORT_BIT(NUMBER));
    if (coarse && lines > 0 && weigh(g, p, other)) p->rule = COARSE;
}

static Ref grow_rule(Growth *g, const GrammarRule *r, int reserved);
static Ref grow_coarse(Growth *g, const char *result, int reserved);

// Something for a slot, `reserved` lines being needed for others. REF_NONE where nothing can stand there.
static Ref grow_slot(Growth *g, uint64_t slot, int reserved, bool at_top) {
    Pick p = {.rule = -1, .ref = REF_NONE, .v = VALUE_NONE};
    if (slot & GRAMMAR_FIXED) return mutator_constant(g->m, value_of_op((unsigned)(slot & ~GRAMMAR_FIXED)));
    if (!at_top) pick_values(g, &p, slot);
    if (!at_top || slot & ALL_FUNCTIONS) pick_given(g, &p, slot);
    if (!(slot & GRAMMAR_GIVEN_ONLY)) pick_rules(g, &p, slot, g->left - reserved);
    if (!p.total) return REF_NONE;
    if (p.rule == COARSE) return grow_coarse(g, slot & SORT_BIT(GRID) ? "Grid" : "Integer", reserved);
    if (p.rule >= 0) return grow_rule(g, rule_at(&g->m->grammar, p.rule), reserved);
    return p.ref == REF_NONE ? mutator_constant(g->m, p.v) : p.ref;
}

static Ref grow_rule(Growth *g, const GrammarRule *r, int reserved) {
    DraftLine made = {.op = (int16_t)r->op, .n = (uint8_t)ops_table[r->op].arity, .source = g->source};
    g->left--;
    for (int k = 0; k < made.n; k++) {
        int later = reserved, lines, cost;
        for (int n = k + 1; n < made.n; n++) {
            least_of_slot(&g->m->grammar, r->slots[n], &lines, &cost);
            later += lines;
        }
        made.args[k] = grow_slot(g, r->slots[k], later, false);
        if (made.args[k] == REF_NONE) return REF_NONE;
    }
    if (r->op == OP_o_g) { // as the public language says it
        unsigned flags = (unsigned)value_small(g->m->constants[ref_index(made.args[1])]);
        made.op = OP_objects;
        made.n = 4;
        for (int k = 1; k < 4; k++)
            made.args[k] = mutator_constant(g->m, value_of_small(flags >> (3 - k) & 1));
    }
    return mutator_line(g->m, made);
}

// ---- Coarse steps ----

// Something for a parameter of a coarse primitive.
static Ref grow_parameter(Growth *g, const char *type, int reserved) {
    static const struct {
        const char *type;
        uint64_t slot;
    } sorts[] = {{"Grid", SORT_BIT(GRID) | GRAMMAR_PREFERS_INPUT},
                 {"IntegerTuple", SORT_BIT(PAIR)},
                 {"Callable", SORT_BIT(GRID_TO_GRID)}};
    for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++)
        if (strcmp(type, sorts[k].type) == 0) return grow_slot(g, sorts[k].slot, reserved, false);
    if (strncmp(type, "Image", 5) != 0 || g->left <= reserved) return REF_NONE;
    return grow_coarse(g, strcmp(type, "Images") == 0 ? type : "Image", reserved);
}

// A coarse primitive that gives this type, with words made up; of an image something like it. REF_NONE where
// there are too few lines left.
static Ref grow_coarse(Growth *g, const char *result, int reserved) {
    Mutator *m = g->m;
    bool image = strcmp(result, "Image") == 0;
    int chosen = OP_image;
    uint32_t seen = 0;
    bool plain = image && (g->left <= reserved + 1 || mutator_below(m, 2));
    for (int op = 0; !plain && op < OPS; op++) {
        const char *gives = ops_table[op].result;
        bool fits = strcmp(gives, result) == 0 || (image && strcmp(gives, "Imagery") == 0);
        if (ops_table[op].origin == ORIGIN_OURS && fits && mutator_take(m, &seen)) chosen = op;
    }
    const OpInfo *info = &ops_table[chosen];
    DraftLine made = {.op = (int16_t)chosen, .n = (uint8_t)info->arity, .source = g->source};
    Value words[LINE_MOST_ARGS] = {VALUE_NONE, VALUE_NONE, VALUE_NONE, VALUE_NONE};
    g->left--;
    for (int k = 0; k < made.n; k++) {
        if (info->shapes[k] == SHAPE_NONE) made.args[k] = grow_parameter(g, info->types[k], reserved);
        else {
            Shape yields = op_yields(&m->said, info, k, words);
            words[k] = shape_random(&m->said, &m->rng, yields, info->shapes[k]);
            made.args[k] = mutator_said_nothing(m) ? REF_NONE : mutator_constant(m, words[k]);
        }
        if (made.args[k] == REF_NONE) return REF_NONE;
    }
    return mutator_line(m, made);
}

Ref mutator_grow(Mutator *m, uint32_t line, uint32_t old, uint64_t sorts, int most) {
    int least = NOT_YET, left = 1;
    while (left < most && mutator_below(m, 2)) left++;
    for (int s = 0; s < SORTS; s++)
        if (sorts >> s & 1) least = smaller(least, m->grammar.least_lines[s] + !m->grammar.least_lines[s]);
    Growth g = {.m = m, .line = line, .old = old, .left = left < least ? least : left};
    if (m->p->line_count) g.source = m->p->lines[line < m->p->line_count ? line : line - 1].source;
    return least > most ? REF_NONE : grow_slot(&g, sorts, 0, true);
}

bool mutate_grow(Mutator *m, uint32_t line) {
    const Program *p = m->p;
    if (p->line_count == 0 || mutator_below(m, 16) == 0) {
        Ref grown = mutator_grow(m, p->line_count, p->result, grammar_sorts(m->wanted), MOST_GROWN);
        if (grown == REF_NONE) return false;
        text_add(&m->note, "result: ");
        mutator_note_ref(m, m->result, NULL);
        text_add(&m->note, " -> ");
        mutator_note_ref(m, grown, NULL);
        m->result = grown;
        return true;
    }
    const Line *l = &p->lines[line];
    int argument = mutator_any_argument(m, l);
    if (argument < 0) return false;
    uint32_t old = l->args[argument];
    Ref grown = mutator_grow(m, line, old, sorts_of_argument(m, line, argument), MOST_GROWN);
    if (grown == REF_NONE) return false;
    mutator_note_change(m, line, argument, mutator_ref(p, old), grown);
    *mutator_argument(m, line, argument) = grown;
    return true;
}

// Whether an expression that was grown looks at the input.
static bool looks_at_input(const Mutator *m, Ref r) {
    if (ref_kind(r) != REF_LINE) return r == ref_make(REF_GIVEN, SLOT_I);
    const DraftLine *l = &m->lines[ref_index(r)];
    for (int k = 0; k < l->n; k++)
        if (looks_at_input(m, l->args[k])) return true;
    return false;
}

Ref mutator_measure(Mutator *m, uint64_t sorts, int most) {
    Ref r = mutator_grow(m, 0, SLOT_I, sorts, most);
    if (r == REF_NONE || ref_kind(r) != REF_LINE || !looks_at_input(m, r)) return REF_NONE;
    const DraftLine *l = &m->lines[ref_index(r)];
    return l->n == 2 && l->args[0] == l->args[1] ? REF_NONE : r; // of a thing and itself all is known
}

// ---- Measuring ----

// What the samples say: the colour that only inputs or only outputs have, the symmetry that turns one into
// the other. REF_NONE where the language of the program has no samples.
static Ref ask_samples(Mutator *m, uint32_t line, ConstantKind kind) {
    bool symmetry = kind == CONSTANT_SYMMETRY;
    if (m->origin < ORIGIN_DIALECT || (kind != CONSTANT_COLOR && !symmetry)) return REF_NONE;
    DraftLine made = {.op = OP_a_mr, .n = 1, .source = m->p->lines[line].source};
    made.args[0] = ref_make(REF_GIVEN, SLOT_S);
    if (!symmetry) {
        made.op = mutator_below(m, 2) ? OP_c_zo_n : OP_c_iz_n;
        made.n = 3;
        made.args[1] = mutator_constant(m, value_of_op(OP_p_g));
        made.args[2] = mutator_constant(m, value_of_op(mutator_below(m, 2) ? OP_first : OP_last));
    }
    m->takes_samples = true;
    return mutator_line(m, made);
}

static bool measure(Mutator *m, uint32_t line, int argument, ConstantKind kind) {
    const uint64_t sorts = sorts_of_kind(kind);
    Ref to = mutator_below(m, 2) || !sorts ? ask_samples(m, line, kind) : REF_NONE;
    if (to == REF_NONE && sorts) to = mutator_measure(m, sorts, MOST_MEASURED);
    if (to == REF_NONE) return false;
    mutator_exchange(m, line, argument, kind, to);
    return true;
}

// What a constant would be for, in the place of a number or a pair that is worked out; CONSTANT_OTHER where
// it is neither.
static ConstantKind kind_of_value(const Mutator *m, const Line *l, int argument) {
    uint32_t slot = l->args[argument];
    Type t = m->types[slot];
    bool number = t.self == TYPE_INT, pair = t.self == TYPE_PAIR;
    if (!number && !pair && t.self != TYPE_BOOL) return CONSTANT_OTHER;
    if (!number && !pair) return CONSTANT_FLAG;
    ConstantKind kind = CONSTANT_OTHER;
    if (l->op != LINE_CALLS_VALUE) kind = constant_kind_of_parameter((Op)l->op, argument, VALUE_NONE);
    if (kind == CONSTANT_OTHER && sorts_of_slot(m, slot) & SORT_BIT(COLOR)) return CONSTANT_COLOR;
    bool fits = kind != CONSTANT_OTHER && (kind >= CONSTANT_DIRECTION) == pair;
    return fits ? kind : pair ? CONSTANT_PAIR : CONSTANT_INTEGER;
}

// A constant in the place of what is worked out.
static bool settle(Mutator *m, uint32_t line, int argument) {
    const Line *l = &m->p->lines[line];
    ConstantKind kind = kind_of_value(m, l, argument);
    if (kind == CONSTANT_WORDS) return false;
    Value v = constant_exchange(kind, VALUE_NONE, &m->rng);
    unsigned colors = m->colors.inputs | m->colors.outputs, seen = 0;
    for (int c = 0; kind == CONSTANT_COLOR && c < 10; c++)
        if (colors >> c & 1 && mutator_take(m, &seen)) v = value_of_small(c);
    Ref to = mutator_constant(m, v);
    mutator_note_change(m, line, argument, mutator_ref(m->p, l->args[argument]), to);
    *mutator_argument(m, line, argument) = to;
    return true;
}

bool mutate_measure(Mutator *m, uint32_t line) {
    const Line *l = &m->p->lines[line];
    int argument = -1;
    ConstantKind kind = CONSTANT_OTHER;
    uint32_t seen = 0;
    for (int k = 0; k < l->n; k++) {
        ConstantKind found = CONSTANT_OTHER;
        if (mutator_is_constant(m->p, l->args[k])) {
            found = constant_kind(m->p, m->types, line, k);
            if (!sorts_of_kind(found) && found != CONSTANT_SYMMETRY) continue;
        } else if (l->args[k] < SLOTS_GIVEN || kind_of_value(m, l, k) == CONSTANT_OTHER) continue;
        if (!mutator_take(m, &seen)) continue;
        argument = k;
        kind = found;
    }
    if (argument < 0) return false;
    return kind == CONSTANT_OTHER ? settle(m, line, argument) : measure(m, line, argument, kind);
}
