// The table of primitives, made from ops.def, and the constants.
#include "dsl/ops.h"

#include <stdlib.h>

#define A1(p, t) \
    1, {#p}, {#t}, { SHAPE_##t }
#define A2(p, t, q, u) \
    2, {#p, #q}, {#t, #u}, { SHAPE_##t, SHAPE_##u }
#define A3(p, t, q, u, r, v) \
    3, {#p, #q, #r}, {#t, #u, #v}, { SHAPE_##t, SHAPE_##u, SHAPE_##v }
#define A4(p, t, q, u, r, v, s, w) \
    4, {#p, #q, #r, #s}, {#t, #u, #v, #w}, { SHAPE_##t, SHAPE_##u, SHAPE_##v, SHAPE_##w }

OpInfo ops_table[OPS_MOST] = {
#define OP(family, name, result, arguments, doc, example) \
    {op_##name, #name, #family, #result, arguments, doc, example, ORIGIN_PUBLIC, 0},
#define DIALECT(family, name, result, arguments, doc, example) \
    {op_##name, #name, #family, #result, arguments, doc, example, ORIGIN_DIALECT, 0},
#define OURS(family, name, result, arguments, doc, example) \
    {op_##name, #name, #family, #result, arguments, doc, example, ORIGIN_OURS, 0},
#include "dsl/ops.def"
};
unsigned ops_counted = OPS;

Shape op_yields(Ctx *c, const OpInfo *info, int k, const Value *arguments) {
    Shape shape = info->shapes[k], before = k > 0 ? info->shapes[k - 1] : SHAPE_NONE;
    if (shape == SHAPE_NONE || before == SHAPE_NONE || !shape_follows(shape)) return SHAPE_Number;
    return shape_yields(c, before, arguments[k - 1]);
}

static const struct {
    const char *name, *doc;
} types[] = {
#define TYPE(name, doc) {#name, doc},
#include "words/types.def"
};

const char *ops_type_doc(const char *type) {
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k].name, type) == 0) return types[k].doc;
    return NULL;
}

const OpAlias ops_aliases[] = {
#define ALIAS(name, primitive) {#name, OP_##primitive},
#include "dsl/ops.def"
};
const size_t ops_alias_count = sizeof ops_aliases / sizeof *ops_aliases;

#define INT(n) \
    { (uint64_t)(int64_t)(n) << 3 | TAG_INT }
#define LOC(i, j) \
    { ((uint64_t)((i) + LOC_BIAS) << 12 | (uint64_t)((j) + LOC_BIAS)) << 8 | TAG_LOC }

const Constant ops_constants[] = {
    {"F", INT(0)},
    {"T", INT(1)},
    {"ZERO", INT(0)},
    {"ONE", INT(1)},
    {"TWO", INT(2)},
    {"THREE", INT(3)},
    {"FOUR", INT(4)},
    {"FIVE", INT(5)},
    {"SIX", INT(6)},
    {"SEVEN", INT(7)},
    {"EIGHT", INT(8)},
    {"NINE", INT(9)},
    {"TEN", INT(10)},
    {"NEG_ONE", INT(-1)},
    {"NEG_TWO", INT(-2)},
    {"DOWN", LOC(1, 0)},
    {"RIGHT", LOC(0, 1)},
    {"UP", LOC(-1, 0)},
    {"LEFT", LOC(0, -1)},
    {"ORIGIN", LOC(0, 0)},
    {"UNITY", LOC(1, 1)},
    {"NEG_UNITY", LOC(-1, -1)},
    {"UP_RIGHT", LOC(-1, 1)},
    {"DOWN_LEFT", LOC(1, -1)},
    {"ZERO_BY_TWO", LOC(0, 2)},
    {"TWO_BY_ZERO", LOC(2, 0)},
    {"TWO_BY_TWO", LOC(2, 2)},
    {"THREE_BY_THREE", LOC(3, 3)},
};
const size_t ops_constant_count = sizeof ops_constants / sizeof *ops_constants;

// Numbers by what they are used for: F and L are ranks from the first and from the last, R and A select one
// of several kinds, SM and SD are factors.
const Constant ops_other_constants[] = {
    {"F0", INT(0)},         {"F1", INT(1)},          {"F2", INT(2)},        {"F3", INT(3)},
    {"F4", INT(4)},         {"F5", INT(5)},          {"F6", INT(6)},        {"F7", INT(7)},
    {"F8", INT(8)},         {"F9", INT(9)},          {"L1", INT(-1)},       {"L2", INT(-2)},
    {"L3", INT(-3)},        {"L4", INT(-4)},         {"L5", INT(-5)},       {"L6", INT(-6)},
    {"L7", INT(-7)},        {"L8", INT(-8)},         {"L9", INT(-9)},       {"L10", INT(-10)},
    {"R0", INT(0)},         {"R1", INT(1)},          {"R2", INT(2)},        {"R3", INT(3)},
    {"R4", INT(4)},         {"R5", INT(5)},          {"R6", INT(6)},        {"R7", INT(7)},
    {"R8", INT(8)},         {"R9", INT(9)},          {"A0", INT(0)},        {"A1", INT(1)},
    {"A2", INT(2)},         {"A3", INT(3)},          {"A4", INT(4)},        {"A5", INT(5)},
    {"A6", INT(6)},         {"A7", INT(7)},          {"A8", INT(8)},        {"A9", INT(9)},
    {"SM2", INT(2)},        {"SM3", INT(3)},         {"SD2", INT(-2)},      {"SD3", INT(-3)},
    {"NEG_THREE", INT(-3)}, {"NEG_FOUR", INT(-4)},   {"NEG_FIVE", INT(-5)}, {"NEG_SIX", INT(-6)},
    {"NEG_SEVEN", INT(-7)}, {"NEG_EIGHT", INT(-8)},  {"NEG_NINE", INT(-9)}, {"NEG_TEN", INT(-10)},
    {"HUNDRED", INT(100)},  {"THOUSAND", INT(1000)}, {"BLACK", INT(0)},     {"BLUE", INT(1)},
    {"RED", INT(2)},        {"GREEN", INT(3)},       {"YELLOW", INT(4)},    {"GRAY", INT(5)},
    {"MAGENTA", INT(6)},    {"ORANGE", INT(7)},      {"CYAN", INT(8)},      {"BURGUNDY", INT(9)},
};
const size_t ops_other_constant_count = sizeof ops_other_constants / sizeof *ops_other_constants;

// ---- The public face ----

size_t ts_ops_count(void) { return ops_count(); }

ts_op ts_ops_at(size_t index) {
    const OpInfo *info = &ops_table[index];
    ts_op op = {.name = info->name,
                .family = info->family,
                .arity = info->arity,
                .result = info->result,
                .doc = info->doc,
                .example = info->example,
                .dialect = info->origin == ORIGIN_DIALECT,
                .ours = info->origin == ORIGIN_OURS,
                .added = info->origin == ORIGIN_ADDED};
    memcpy(op.parameters, info->parameters, sizeof op.parameters);
    memcpy(op.types, info->types, sizeof op.types);
    return op;
}

const char *ts_ops_alias(size_t index, size_t nth) {
    for (size_t k = 0; k < ops_alias_count; k++)
        if (ops_aliases[k].op == index && nth-- == 0) return ops_aliases[k].name;
    return NULL;
}

ptrdiff_t ts_ops_find(const char *name) {
    for (size_t k = 0; k < ops_count(); k++)
        if (strcmp(ops_table[k].name, name) == 0) return (ptrdiff_t)k;
    for (size_t k = 0; k < ops_alias_count; k++)
        if (strcmp(ops_aliases[k].name, name) == 0) return (ptrdiff_t)ops_aliases[k].op;
    return -1;
}

const char *ts_ops_nearest(const char *name) {
    const char *nearest = NULL;
    int least = 3;
    const size_t count = ops_count();
    for (size_t k = 0; k < count + ops_alias_count; k++) {
        const char *known = k < count ? ops_table[k].name : ops_aliases[k - count].name;
        int distance = text_distance(name, known);
        if (distance < least) {
            least = distance;
            nearest = known;
        }
    }
    return nearest;
}
