// The kind of a constant comes from the type and the name of the parameter that takes it, by one table; and
// where a function is bound to it or it is compared with something, from that function or that something.
#include "program/constants.h"

static const struct {
    const char *name;
    int least, most;
    bool ordered; // a neighbour is as good a guess as any other
} kinds[CONSTANT_KINDS] = {
    [CONSTANT_OTHER] = {"constant", 0, 0, false},    [CONSTANT_COLOR] = {"colour", 0, 9, false},
    [CONSTANT_RANK] = {"rank", -3, 4, true},         [CONSTANT_FLAG] = {"flag", 0, 1, false},
    [CONSTANT_SYMMETRY] = {"symmetry", 0, 6, false}, [CONSTANT_FLAGS] = {"flags", 0, 7, false},
    [CONSTANT_SIDE] = {"side", 0, 3, false},         [CONSTANT_COUNT] = {"count", 1, 10, true},
    [CONSTANT_INTEGER] = {"integer", -2, 10, true},  [CONSTANT_DIRECTION] = {"direction", -1, 1, false},
    [CONSTANT_SIZE] = {"size", 1, 10, true},         [CONSTANT_PAIR] = {"pair", -2, 10, true},
    [CONSTANT_WORDS] = {"words", 0, 0, false},
};

const char *constant_kind_name(ConstantKind kind) { return kinds[kind].name; }

// The first line that agrees decides; what is left out agrees with all.
static const struct {
    const char *type, *parameter;
    ConstantKind kind;
    const char *op;
} parameters[] = {
    {"Boolean", NULL, CONSTANT_FLAG},
    {"Integer", "value", CONSTANT_COLOR},
    {"Integer", "color", CONSTANT_COLOR},
    {"Integer", "replacee", CONSTANT_COLOR},
    {"Integer", "replacer", CONSTANT_COLOR},
    {"Integer", "fallback", CONSTANT_COLOR},
    {"Integer", NULL, CONSTANT_COLOR, "switch"},
    {"Integer", "rank", CONSTANT_RANK},
    {"Integer", "symmetry", CONSTANT_SYMMETRY},
    {"Integer", "flags", CONSTANT_FLAGS},
    {"Integer", "kind", CONSTANT_SIDE},
    {"Integer", "factor", CONSTANT_COUNT},
    {"Integer", "num", CONSTANT_COUNT},
    {"Integer", "n", CONSTANT_COUNT},
    {"Integer", NULL, CONSTANT_INTEGER},
    {"IntegerTuple", "direction", CONSTANT_DIRECTION},
    {"IntegerTuple", "directions", CONSTANT_DIRECTION},
    {"IntegerTuple", "offset", CONSTANT_DIRECTION},
    {"IntegerTuple", "dims", CONSTANT_SIZE},
    {"IntegerTuple", "dimensions", CONSTANT_SIZE},
    {"IntegerTuple", NULL, CONSTANT_PAIR},
};

static bool agrees(const char *wanted, const char *found) { return !wanted || strcmp(wanted, found) == 0; }

static ConstantKind declared_kind(Op op, int argument) {
    const OpInfo *info = &ops_table[op];
    if (info->shapes[argument] != SHAPE_NONE) return CONSTANT_WORDS;
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++)
        if (agrees(parameters[k].type, info->types[argument]) &&
            agrees(parameters[k].parameter, info->parameters[argument]) &&
            agrees(parameters[k].op, info->name))
            return parameters[k].kind;
    return CONSTANT_OTHER;
}

// What a primitive gives, where that is compared with a constant.
ConstantKind constant_kind_of_result(Op op) {
    switch (op) {
    case OP_mostcolor:
    case OP_leastcolor:
    case OP_color:
    case OP_index:
    case OP_palette:
    case OP_p_g:
    case OP_get_color_rank_t:
    case OP_get_color_rank_f: return CONSTANT_COLOR;
    case OP_a_mr: return CONSTANT_SYMMETRY;
    default: break;
    }
    if (strcmp(ops_table[op].result, "Integer") == 0) return CONSTANT_COUNT;
    return CONSTANT_OTHER;
}

static bool is_direction(Value v) {
    if (!value_is_loc(v)) return false;
    int i = word_i(value_word(v)), j = word_j(value_word(v));
    return i >= -1 && i <= 1 && j >= -1 && j <= 1 && (i || j);
}

// The kind as far as the value agrees with it. None agrees with all.
static ConstantKind kind_for_value(ConstantKind kind, Value v) {
    bool number = value_is_small(v), pair = value_is_loc(v);
    if (value_tag(v) == TAG_NONE || kind == CONSTANT_WORDS) return kind;
    if (pair) {
        if (kind == CONSTANT_SIZE) return kind;
        if (kind != CONSTANT_PAIR && is_direction(v)) return CONSTANT_DIRECTION;
        return CONSTANT_PAIR;
    }
    if (!number) return CONSTANT_OTHER;
    if (kind == CONSTANT_OTHER || kind >= CONSTANT_DIRECTION) return CONSTANT_INTEGER;
    bool within = value_small(v) >= kinds[kind].least && value_small(v) <= kinds[kind].most;
    return within || kinds[kind].ordered ? kind : CONSTANT_INTEGER;
}

ConstantKind constant_kind_of_parameter(Op op, int argument, Value v) {
    return kind_for_value(declared_kind(op, argument), v);
}

// ---- Through functions ----

static bool chooses(const Line *l) { return l->op == OP_branch || l->op == OP_choose; }

// The primitive and the parameter where an argument of a function ends up. Parts of a function are made on
// earlier lines than the function.
static bool trace_argument(const Program *p, const Type *types, Type f, int argument, Op *op, int *to) {
    while (f.function > OPS_MOST) {
        const Line *l = &p->lines[f.function - 1 - OPS_MOST];
        int part = 0;
        if (l->op == OP_lbind) argument++;
        if (l->op == OP_compose || l->op == OP_fork || chooses(l)) part = 1;
        if (l->op == OP_chain) part = 2;
        f = types[l->args[part]];
    }
    if (!f.function || argument >= ops_table[f.function - 1].arity) return false;
    *op = (Op)(f.function - 1);
    *to = argument;
    return true;
}

// The primitive whose result a function gives.
static bool trace_result(const Program *p, const Type *types, Type f, Op *op) {
    while (f.function > OPS_MOST) {
        const Line *l = &p->lines[f.function - 1 - OPS_MOST];
        if (l->op == OP_matcher) return false;
        f = types[l->args[chooses(l) ? 1 : 0]];
    }
    if (!f.function) return false;
    *op = (Op)(f.function - 1);
    return true;
}

// What follows from the other arguments of a line that takes anything.
static ConstantKind kind_beside(const Program *p, const Line *l, int argument) {
    for (int k = 0; k < l->n; k++) {
        uint32_t first = program_slot_of_line(p, 0);
        if (k == argument || l->args[k] < first) continue;
        int op = p->lines[l->args[k] - first].op;
        ConstantKind kind = op == LINE_CALLS_VALUE ? CONSTANT_OTHER : constant_kind_of_result((Op)op);
        if (kind != CONSTANT_OTHER) return kind;
    }
    return CONSTANT_OTHER;
}

// The parameter that takes a constant of a line in the end, perhaps by way of a function that is bound to it.
static bool find_parameter(const Program *p, const Type *types, const Line *l, int argument, Op *op,
                           int *to) {
    bool binds = (l->op == OP_rbind || l->op == OP_lbind) && argument == 1;
    if (l->op != LINE_CALLS_VALUE && !binds) {
        *op = (Op)l->op;
        *to = argument;
        return true;
    }
    Type f = types[binds ? l->args[0] : l->callee];
    if (!binds) return trace_argument(p, types, f, argument, op, to);
    int last = 0;
    while (f.arities >> (last + 1)) last++;
    return trace_argument(p, types, f, l->op == OP_lbind ? 0 : last, op, to);
}

ConstantKind constant_kind(const Program *p, const Type *types, uint32_t line, int argument) {
    const Line *l = &p->lines[line];
    Value v = p->constants[l->args[argument] - SLOTS_GIVEN];
    ConstantKind kind = CONSTANT_OTHER;
    Op op;
    int to;
    if (l->op == OP_matcher) {
        if (trace_result(p, types, types[l->args[0]], &op)) kind = constant_kind_of_result(op);
    } else if (find_parameter(p, types, l, argument, &op, &to)) kind = declared_kind(op, to);
    if (kind == CONSTANT_OTHER) kind = kind_beside(p, l, argument);
    return kind_for_value(kind, v);
}

Shape constant_shape(const Program *p, const Type *types, uint32_t line, int argument) {
    Op op;
    int to;
    bool found = find_parameter(p, types, &p->lines[line], argument, &op, &to);
    return found ? ops_table[op].shapes[to] : SHAPE_NONE;
}

// ---- Other values ----

static int64_t other_number(ConstantKind kind, Value v, Rng *r) {
    int64_t least = kinds[kind].least, most = kinds[kind].most, n;
    bool given = value_is_small(v);
    int64_t old = given ? value_small(v) : 0;
    bool ordinary = old > -1000000 && old < 1000000;
    if (given && ordinary && kinds[kind].ordered && rng_below(r, 2)) {
        n = rng_below(r, 2) ? old + 1 : old - 1;
        if (n >= least || old < least) return n;
    }
    do n = least + rng_below(r, (uint32_t)(most - least + 1));
    while (given && n == old);
    return n;
}

static Value pair_value(int64_t i, int64_t j) {
    if (!fits_loc(i, j)) i = j = 0;
    return value_of_loc(loc_word((int)i, (int)j));
}

static Value other_pair(ConstantKind kind, Value v, Rng *r) {
    if (!value_is_loc(v) || kind == CONSTANT_DIRECTION || rng_below(r, 4) == 0) {
        int64_t i, j;
        do {
            i = other_number(kind, VALUE_NONE, r);
            j = other_number(kind, VALUE_NONE, r);
        } while (kind == CONSTANT_DIRECTION && !i && !j);
        return pair_value(i, j);
    }
    int64_t i = word_i(value_word(v)), j = word_j(value_word(v));
    int64_t step = rng_below(r, 2) ? 1 : -1;
    bool shrinks = kind == CONSTANT_SIZE && step < 0;
    switch (rng_below(r, 5)) {
    case 0: return pair_value(j, i);
    case 1: return kind == CONSTANT_SIZE ? pair_value(i, i) : pair_value(-i, -j);
    case 2: return pair_value(shrinks && i <= 1 ? i + 1 : i + step, j);
    case 3: return pair_value(i, shrinks && j <= 1 ? j + 1 : j + step);
    default: return pair_value(shrinks && i <= 1 ? i + 1 : i + step, shrinks && j <= 1 ? j + 1 : j + step);
    }
}

Value constant_exchange(ConstantKind kind, Value v, Rng *r) {
    if (kind >= CONSTANT_DIRECTION) return other_pair(kind, v, r);
    return value_of_small(other_number(kind, v, r));
}
