// Python's operators as far as the primitives lean on them: what + or v[::-1] does with numbers, tuples and
// sets.
#include "dsl/ops.h"

int64_t need_int(Ctx *c, Value v) {
    if (value_is_small(v)) return value_small(v);
    if (value_is_int(v)) return value_int_of(v);
    ctx_fail(c, TS_FAIL_TYPE);
    return 0;
}

int64_t need_range(Ctx *c, Value v) {
    int64_t n = need_int(c, v);
    return n < 0 ? 0 : n;
}

bool py_equal(Ctx *c, Value a, Value b) {
    return ctx_charge(c, value_equal_units(a, b)) && value_equal(a, b);
}

bool unpack_two(Ctx *c, Value v, Value *a, Value *b) {
    *a = *b = VALUE_NONE;
    if (value_length(c, v) != 2) {
        ctx_fail(c, TS_FAIL_VALUE);
        return false;
    }
    *a = value_element(c, v, 0);
    *b = value_element(c, v, 1);
    return !c->failure;
}

bool unpack_ints(Ctx *c, Value v, int64_t *i, int64_t *j) {
    Value a, b;
    *i = *j = 0;
    if (!unpack_two(c, v, &a, &b)) return false;
    *i = need_int(c, a);
    *j = need_int(c, b);
    return !c->failure;
}

bool unpack_cell(Ctx *c, Value v, Value *color, int64_t *i, int64_t *j) {
    Value loc;
    *i = *j = 0;
    return unpack_two(c, v, color, &loc) && unpack_ints(c, loc, i, j);
}

#define CHECKED(name, builtin)                            \
    int64_t int_##name(Ctx *c, int64_t a, int64_t b) {    \
        int64_t result;                                   \
        if (!builtin(a, b, &result)) return result;       \
        return ctx_fail(c, TS_FAIL_OVERFLOW), (int64_t)0; \
    }
CHECKED(add, __builtin_add_overflow)
CHECKED(subtract, __builtin_sub_overflow)
CHECKED(multiply, __builtin_mul_overflow)

Value py_add(Ctx *c, Value a, Value b) {
    if (value_is_int(a) && value_is_int(b)) return value_int(c, int_add(c, value_int_of(a), value_int_of(b)));
    if (!value_is_tuple(a) || !value_is_tuple(b)) return ctx_fail(c, TS_FAIL_TYPE);
    Gather g = gather(c);
    gather_all(&g, a);
    gather_all(&g, b);
    return gather_tuple(&g);
}

Value py_subtract(Ctx *c, Value a, Value b) {
    if (value_is_int(a) && value_is_int(b))
        return value_int(c, int_subtract(c, value_int_of(a), value_int_of(b)));
    if (!value_is_set(a) || !value_is_set(b)) return ctx_fail(c, TS_FAIL_TYPE);
    return CALL(difference, a, b);
}

static Value repeat_tuple(Ctx *c, Value v, int64_t times) {
    Gather g = gather(c);
    if (value_length(c, v) == 0) return v;
    for (int64_t k = 0; k < times && !c->failure; k++) gather_all(&g, v);
    return gather_tuple(&g);
}

Value py_multiply(Ctx *c, Value a, Value b) {
    if (value_is_int(a) && value_is_int(b))
        return value_int(c, int_multiply(c, value_int_of(a), value_int_of(b)));
    if (value_is_tuple(a) && value_is_int(b)) return repeat_tuple(c, a, value_int_of(b));
    if (value_is_int(a) && value_is_tuple(b)) return repeat_tuple(c, b, value_int_of(a));
    return ctx_fail(c, TS_FAIL_TYPE);
}

Value py_divide(Ctx *c, Value a, Value b) {
    int64_t x = need_int(c, a), y = need_int(c, b);
    if (c->failure) return VALUE_FAILED;
    if (y == 0) return ctx_fail(c, TS_FAIL_ZERO);
    if (x == INT64_MIN && y == -1) return ctx_fail(c, TS_FAIL_OVERFLOW);
    int64_t quotient = x / y;
    return value_int(c, x % y != 0 && (x < 0) != (y < 0) ? quotient - 1 : quotient);
}

Value py_slice(Ctx *c, Value v, int64_t start, int64_t stop) {
    if (!value_is_tuple(v)) return ctx_fail(c, TS_FAIL_TYPE);
    int64_t n = value_length(c, v);
    if (start < 0) start = start + n < 0 ? 0 : start + n;
    if (stop < 0) stop += n;
    if (stop > n) stop = n;
    Gather g = gather(c);
    for (int64_t k = start; k < stop && !c->failure; k++) gather_add(&g, value_element(c, v, (uint32_t)k));
    return gather_tuple(&g);
}

Value py_reversed(Ctx *c, Value v) {
    if (!value_is_tuple(v)) return ctx_fail(c, TS_FAIL_TYPE);
    Gather g = gather(c);
    for (int64_t k = value_length(c, v); k-- > 0 && !c->failure;)
        gather_add(&g, value_element(c, v, (uint32_t)k));
    return gather_tuple(&g);
}

Value py_zip_all(Ctx *c, Value v) {
    Gather rows = gather(c), columns = gather(c);
    gather_all(&rows, v);
    int64_t shortest = rows.n ? INT64_MAX : 0;
    for (size_t k = 0; k < rows.n; k++) {
        int64_t n = value_length(c, rows.items[k]);
        if (n < shortest) shortest = n;
    }
    for (int64_t j = 0; j < shortest && !c->failure; j++) {
        Gather column = gather(c);
        for (size_t k = 0; k < rows.n && !c->failure; k++)
            gather_add(&column, value_element(c, rows.items[k], (uint32_t)j));
        gather_add(&columns, gather_tuple(&column));
    }
    return gather_tuple(&columns);
}
