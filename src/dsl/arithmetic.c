// Numbers, and pairs of numbers element by element.
//
// Workload: small integers and small pairs. Both are immediate, so the fast path is a tag test and a sum. The
// plain path goes through Python's operators, because `add` of two pairs of tuples puts the tuples end to
// end.
#include "dsl/ops.h"

typedef Value Binary(Ctx *c, Value a, Value b);

// The operation on a and b, spread over the first two elements of whichever is a tuple.
static Value spread(Ctx *c, Binary *operation, Value a, Value b) {
    if (value_is_int(a) && value_is_int(b)) return operation(c, a, b);
    bool first = !value_is_int(a), second = value_is_tuple(b);
    if (first && second && !value_is_tuple(a)) second = false; // what is no tuple is indexed, and fails
    Value x[2];
    for (int k = 0; k < 2; k++) {
        Value l = first ? value_item(c, a, k) : a;
        Value r = second ? value_item(c, b, k) : b;
        x[k] = operation(c, l, r);
    }
    return c->failure ? VALUE_FAILED : value_pair(c, x[0], x[1]);
}

// The same for one argument.
static Value spread1(Ctx *c, Value (*operation)(Ctx *, Value), Value x) {
    if (value_is_int(x)) return operation(c, x);
    Value i = operation(c, value_item(c, x, 0));
    Value j = operation(c, value_item(c, x, 1));
    return c->failure ? VALUE_FAILED : value_pair(c, i, j);
}

static bool are_locs(const Ctx *c, Value a, Value b) {
    return !c->plain && value_is_loc(a) && value_is_loc(b);
}

OP_FN(add) {
    if (are_locs(c, a[0], a[1])) {
        uint32_t x = value_word(a[0]), y = value_word(a[1]);
        return value_loc(c, word_i(x) + word_i(y), word_j(x) + word_j(y));
    }
    return spread(c, py_add, a[0], a[1]);
}

OP_FN(subtract) {
    if (are_locs(c, a[0], a[1])) {
        uint32_t x = value_word(a[0]), y = value_word(a[1]);
        return value_loc(c, word_i(x) - word_i(y), word_j(x) - word_j(y));
    }
    return spread(c, py_subtract, a[0], a[1]);
}

OP_FN(multiply) {
    if (!c->plain && value_is_small(a[0]) && value_is_small(a[1])) {
        int64_t product;
        if (!__builtin_mul_overflow(value_small(a[0]), value_small(a[1]), &product))
            return value_int(c, product);
    }
    return spread(c, py_multiply, a[0], a[1]);
}

OP_FN(divide) { return spread(c, py_divide, a[0], a[1]); }

static Value negated(Ctx *c, Value x) { return value_int(c, int_subtract(c, 0, need_int(c, x))); }

OP_FN(invert) { return spread1(c, negated, a[0]); }

static Value doubled(Ctx *c, Value x) { return py_multiply(c, x, value_of_small(2)); }

OP_FN(double) { return spread1(c, doubled, a[0]); }

static Value halved(Ctx *c, Value x) { return py_divide(c, x, value_of_small(2)); }

OP_FN(halve) { return spread1(c, halved, a[0]); }

static Value plus_one(Ctx *c, Value x) { return value_int(c, int_add(c, need_int(c, x), 1)); }

OP_FN(increment) { return spread1(c, plus_one, a[0]); }

static Value minus_one(Ctx *c, Value x) { return value_int(c, int_subtract(c, need_int(c, x), 1)); }

OP_FN(decrement) { return spread1(c, minus_one, a[0]); }

static int sign_of(int64_t n) { return (n > 0) - (n < 0); }

static Value further(Ctx *c, Value x) {
    int64_t n = need_int(c, x);
    return value_int(c, int_add(c, n, sign_of(n)));
}

OP_FN(crement) { return spread1(c, further, a[0]); }

static Value signum(Ctx *c, Value x) { return value_of_small(sign_of(need_int(c, x))); }

OP_FN(sign) { return spread1(c, signum, a[0]); }

OP_FN(toivec) { return value_pair(c, a[0], value_of_small(0)); }

OP_FN(tojvec) { return value_pair(c, value_of_small(0), a[0]); }
