// The rules of grammar.def as tables, and rules by types for primitives that it does not name.
#include "program/grammar.h"

#include "program/constants.h"

#define ONE_OF(sort) ((uint64_t)1 << SORT_##sort)
#define in_grid ONE_OF(GRID)
#define in_grid_i (ONE_OF(GRID) | GRAMMAR_PREFERS_INPUT)
#define in_grids ONE_OF(GRIDS)
#define in_objects ONE_OF(OBJECTS)
#define in_patches ONE_OF(PATCHES)
#define in_list ONE_OF(LIST)
#define in_numbers ONE_OF(NUMBERS)
#define in_object ONE_OF(OBJECT)
#define in_indices ONE_OF(INDICES)
#define in_patch (ONE_OF(OBJECT) | ONE_OF(INDICES))
#define in_pair (ONE_OF(PAIR) | ONE_OF(DIRECTION))
#define in_direction ONE_OF(DIRECTION)
#define in_number ONE_OF(NUMBER)
#define in_color ONE_OF(COLOR)
#define in_truth ONE_OF(TRUTH)
#define in_flags ONE_OF(FLAGS)
#define in_patch_to_number ONE_OF(PATCH_TO_NUMBER)
#define in_patch_to_color ONE_OF(PATCH_TO_COLOR)
#define in_patch_to_truth ONE_OF(PATCH_TO_TRUTH)
#define in_patch_to_pair ONE_OF(PATCH_TO_PAIR)
#define in_patch_to_indices ONE_OF(PATCH_TO_INDICES)
#define in_given_patch_to_indices (ONE_OF(PATCH_TO_INDICES) | GRAMMAR_GIVEN_ONLY)
#define in_patch_to_object ONE_OF(PATCH_TO_OBJECT)
#define in_patch_to_grid ONE_OF(PATCH_TO_GRID)
#define in_pair_to_indices ONE_OF(PAIR_TO_INDICES)
#define in_pair_to_object ONE_OF(PAIR_TO_OBJECT)
#define in_pair_to_number ONE_OF(PAIR_TO_NUMBER)
#define in_pair_to_truth ONE_OF(PAIR_TO_TRUTH)
#define in_number_to_truth ONE_OF(NUMBER_TO_TRUTH)
#define in_given_number (ONE_OF(NUMBER) | GRAMMAR_GIVEN_ONLY)
#define in_number_to_row ONE_OF(NUMBER_TO_ROW)
#define in_cell_to_truth ONE_OF(CELL_TO_TRUTH)
#define in_row_to_row ONE_OF(ROW_TO_ROW)
#define in_grid_to_number ONE_OF(GRID_TO_NUMBER)
#define in_grid_to_truth ONE_OF(GRID_TO_TRUTH)
#define in_grid_to_grid ONE_OF(GRID_TO_GRID)
#define in_grid_to_grids ONE_OF(GRID_TO_GRIDS)
#define K(op) (GRAMMAR_FIXED | OP_##op)

const GrammarRule grammar_rules[GRAMMAR_RULES] = {
#define LINE(cost, when, sort, op, ...) {cost, GRAMMAR_##when, SORT_##sort, OP_##op, {__VA_ARGS__}},
#include "program/grammar.def"
};

const GrammarBare grammar_bare[GRAMMAR_BARE] = {
#define BARE(cost, sort, op) {cost, SORT_##sort, OP_##op},
#include "program/grammar.def"
};

// ---- Primitives that are not named ----

static const uint16_t left_out[] = {
#define OUT(op) OP_##op,
#include "program/grammar.def"
};

static void find_named(bool named[OPS_MOST]) {
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++) named[left_out[k]] = true;
    for (int k = 0; k < GRAMMAR_BARE; k++) named[grammar_bare[k].op] = true;
    for (int k = 0; k < GRAMMAR_RULES; k++) {
        const GrammarRule *r = &grammar_rules[k];
        named[r->op] = true;
        for (int n = 0; n < ops_table[r->op].arity; n++)
            if (r->slots[n] & GRAMMAR_FIXED) named[r->slots[n] & ~GRAMMAR_FIXED] = true;
    }
}

uint64_t grammar_sorts(Type t) {
    uint64_t sorts = 0;
    if (t.self == TYPE_ALL || t.self & TYPE_FUNCTION) return 0;
    if (t.self & TYPE_GRID) sorts |= ONE_OF(GRID);
    if (t.self & TYPE_OBJECT) sorts |= ONE_OF(OBJECT);
    if (t.self & TYPE_INDICES) sorts |= ONE_OF(INDICES);
    if (t.self & TYPE_PAIR) sorts |= ONE_OF(PAIR);
    if (t.self & TYPE_INT) sorts |= ONE_OF(NUMBER) | ONE_OF(COLOR);
    else if (t.self & TYPE_BOOL) sorts |= ONE_OF(TRUTH);
    if (!(t.self & (TYPE_TUPLE | TYPE_SET)) || t.element == TYPE_ALL) return sorts;
    bool tuple = t.self & TYPE_TUPLE;
    if (t.element & TYPE_GRID && tuple) sorts |= ONE_OF(GRIDS);
    if (t.element & TYPE_OBJECT) sorts |= tuple ? ONE_OF(LIST) : ONE_OF(OBJECTS);
    if (t.element & TYPE_INDICES) sorts |= ONE_OF(PATCHES);
    if (t.element & TYPE_INT) sorts |= ONE_OF(NUMBERS);
    return sorts;
}

bool grammar_is_of(Sort sort, Value v) {
    const Type t = type_of_value(v);
    if (sort >= SORT_PATCH_TO_NUMBER) return t.self == TYPE_FUNCTION;
    if (sort == SORT_TRUTH) return t.self & TYPE_BOOL;
    return grammar_sorts(t) >> sort & 1;
}

// What a parameter takes: by what its name says that it is for, else by its type. 0 where the search has
// nothing for it.
static uint64_t slot_of(Op op, int k) {
    const Type *type = type_named(ops_table[op].types[k]);
    uint64_t sorts = type ? grammar_sorts(*type) & ~ONE_OF(COLOR) : 0;
    switch (type ? constant_kind_of_parameter(op, k, VALUE_NONE) : CONSTANT_OTHER) {
    case CONSTANT_COLOR: return in_color;
    case CONSTANT_FLAGS: return in_flags;
    case CONSTANT_DIRECTION: return in_direction;
    default: break;
    }
    if (sorts & ONE_OF(PAIR)) sorts |= ONE_OF(DIRECTION);
    return sorts & ONE_OF(GRID) && ops_table[op].arity > 1 ? sorts | GRAMMAR_PREFERS_INPUT : sorts;
}

// The sort of a function of something of the sorts `in` that gives `out`; SORTS for none.
static Sort sort_of_function(uint64_t in, Sort out) {
    static const struct {
        uint64_t in;
        Sort out, sort;
    } table[] = {
        {in_patch, SORT_NUMBER, SORT_PATCH_TO_NUMBER},   {in_patch, SORT_COLOR, SORT_PATCH_TO_COLOR},
        {in_patch, SORT_TRUTH, SORT_PATCH_TO_TRUTH},     {in_patch, SORT_PAIR, SORT_PATCH_TO_PAIR},
        {in_patch, SORT_INDICES, SORT_PATCH_TO_INDICES}, {in_patch, SORT_OBJECT, SORT_PATCH_TO_OBJECT},
        {in_patch, SORT_GRID, SORT_PATCH_TO_GRID},       {in_pair, SORT_INDICES, SORT_PAIR_TO_INDICES},
        {in_pair, SORT_OBJECT, SORT_PAIR_TO_OBJECT},     {in_pair, SORT_NUMBER, SORT_PAIR_TO_NUMBER},
        {in_pair, SORT_TRUTH, SORT_PAIR_TO_TRUTH},       {in_number, SORT_TRUTH, SORT_NUMBER_TO_TRUTH},
        {in_grid, SORT_NUMBER, SORT_GRID_TO_NUMBER},     {in_grid, SORT_TRUTH, SORT_GRID_TO_TRUTH},
        {in_grid, SORT_GRID, SORT_GRID_TO_GRID},         {in_grid, SORT_GRIDS, SORT_GRID_TO_GRIDS},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].in & in && table[k].out == out) return table[k].sort;
    return SORTS;
}

// A line for each sort that the primitive may give, and of one argument a function as well.
static void learn_primitive(GrammarMore *more, Op op) {
    enum { COST = 2, COST_OF_GRIDS = 3 }; // what is found in the middle of programs; what ends many
    const OpInfo *info = &ops_table[op];
    const Type *type = type_named(info->result);
    GrammarRule rule = {.when = GRAMMAR_ANY, .op = (uint16_t)op};
    for (int k = 0; k < info->arity; k++)
        if (!(rule.slots[k] = slot_of(op, k))) return;
    for (uint64_t sorts = type && info->cost >= 0 ? grammar_sorts(*type) : 0; sorts; sorts &= sorts - 1) {
        const Sort sort = (Sort)__builtin_ctzll(sorts);
        const Sort function = info->arity == 1 ? sort_of_function(rule.slots[0], sort) : SORTS;
        rule.sort = (uint8_t)sort;
        rule.cost = (uint8_t)(info->cost                             ? info->cost
                              : sort == SORT_GRID && info->arity > 1 ? COST_OF_GRIDS
                                                                     : COST);
        if (more->rule_count < GRAMMAR_MOST_MORE) more->rules[more->rule_count++] = rule;
        if (function != SORTS && more->bare_count < GRAMMAR_MOST_MORE)
            more->bare[more->bare_count++] =
                (GrammarBare){.cost = rule.cost, .sort = (uint8_t)function, .op = (uint16_t)op};
    }
}

void grammar_learn_more(GrammarMore *more) {
    bool named[OPS_MOST] = {false};
    more->rule_count = more->bare_count = 0;
    find_named(named);
    for (unsigned op = 0; op < ops_count(); op++)
        if (!named[op]) learn_primitive(more, (Op)op);
}
