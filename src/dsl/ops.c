// The table of primitives, made from ops.def, and the constants.
#include "dsl/ops.h"

#include <stdlib.h>

#define A1(p, t) \
    1, {#p}, { #t }
#define A2(p, t, q, u) \
    2, {#p, #q}, { #t, #u }
#define A3(p, t, q, u, r, v) \
    3, {#p, #q, #r}, { #t, #u, #v }
#define A4(p, t, q, u, r, v, s, w) \
    4, {#p, #q, #r, #s}, { #t, #u, #v, #w }

const OpInfo ops_table[OPS] = {
#define OP(family, name, result, arguments, doc, example) \
    {op_##name, #name, #family, #result, arguments, doc, example},
#include "dsl/ops.def"
#undef OP
};

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

int ops_spelling_distance(const char *a, const char *b) {
    enum { LONGEST = 32 };
    size_t n = strlen(a), m = strlen(b);
    if (n >= LONGEST || m >= LONGEST) return LONGEST;
    int d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (int)(i + j);
                continue;
            }
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanged && d[i - 2][j - 2] + 1 < best) best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

// ---- The public face ----

size_t ts_ops_count(void) { return OPS; }

ts_op ts_ops_at(size_t index) {
    const OpInfo *info = &ops_table[index];
    ts_op op = {.name = info->name,
                .family = info->family,
                .arity = info->arity,
                .result = info->result,
                .doc = info->doc,
                .example = info->example};
    memcpy(op.parameters, info->parameters, sizeof op.parameters);
    memcpy(op.types, info->types, sizeof op.types);
    return op;
}

const char *ts_ops_nearest(const char *name) {
    const char *nearest = NULL;
    int least = 3;
    for (size_t k = 0; k < OPS; k++) {
        int distance = ops_spelling_distance(name, ops_table[k].name);
        if (distance < least) {
            least = distance;
            nearest = ops_table[k].name;
        }
    }
    return nearest;
}
