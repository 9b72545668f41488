// Functions made of functions, and how a function is called.
//
// compose, rbind, … give a FUNC that holds its parts; `call` walks through it. Nothing is compiled: a call
// costs a few nanoseconds, and the parts stay visible, so functions can be printed, compared and shared.
#include "dsl/ops.h"

enum { CALL_UNITS = 4 };

// Number of arguments that a function takes, 0 for what is none.
static int arity_of(Value f) {
    if (value_is_op(f)) return ops_table[value_op(f)].arity;
    return value_is(f, KIND_FUNC) ? value_obj(f)->arity : 0;
}

static Value call_op(Ctx *c, Value f, const Value *args, int n) {
    const OpInfo *info = &ops_table[value_op(f)];
    return info->arity == n ? info->fn(c, args) : ctx_fail(c, TS_FAIL_ARITY);
}

// A function that only the caller of the evaluation knows.
static Value call_handle(Ctx *c, const Obj *o, const Value *args, int n) {
    const int64_t number = value_int_of(obj_items(o)[0]);
    return c->call_handle ? c->call_handle(c, number, args, n) : ctx_fail(c, TS_FAIL_TYPE);
}

// A function of one argument, which is nearly every one. Its outermost step is not a call of its own: what it
// leaves to be done becomes f and x, and the loop goes on with that. So a call nests only where a value is
// needed before the next step.
static Value call_func1(Ctx *c, Value f, Value x) {
    Value pair[2];
    while (value_is(f, KIND_FUNC)) {
        const Obj *o = value_obj(f);
        const Value *parts = obj_items(o);
        if (o->arity != 1) return ctx_fail(c, TS_FAIL_ARITY);
        f = parts[0];
        switch (o->detail) {
        case OP_compose: x = func_call1(c, parts[1], x); break;
        case OP_chain: x = func_call1(c, parts[1], func_call1(c, parts[2], x)); break;
        case OP_fork:
            pair[0] = func_call1(c, parts[1], x);
            pair[1] = func_call1(c, parts[2], x);
            return func_call(c, f, pair, 2);
        case OP_matcher: x = func_call1(c, f, x); return value_bool(py_equal(c, x, parts[1]));
        case FUNC_HANDLE: return call_handle(c, o, &x, 1);
        case OP_power:
            for (int64_t k = value_int_of(parts[1]); k > 1 && !c->failure; k--) x = func_call1(c, f, x);
            break;
        default: // rbind, lbind
            pair[o->detail == OP_lbind] = x;
            pair[o->detail == OP_rbind] = parts[1];
            return func_call(c, f, pair, 2);
        }
        if (c->failure || !ctx_charge(c, CALL_UNITS)) return VALUE_FAILED;
    }
    return value_is_op(f) ? call_op(c, f, &x, 1) : ctx_fail(c, TS_FAIL_TYPE);
}

// A function of two or three arguments was made by rbind or lbind of one that takes one more, or is a handle.
static Value call_bound(Ctx *c, const Obj *o, const Value *args, int n) {
    if (o->detail == FUNC_HANDLE) return call_handle(c, o, args, n);
    Value all[4];
    bool left = o->detail == OP_lbind;
    for (int k = 0; k < n; k++) all[k + left] = args[k];
    all[left ? 0 : n] = obj_items(o)[1];
    return func_call(c, obj_items(o)[0], all, n + 1);
}

Value func_call(Ctx *c, Value f, const Value *args, int n) {
    if (c->failure || !ctx_charge(c, CALL_UNITS)) return VALUE_FAILED;
    if (value_is_op(f)) return call_op(c, f, args, n);
    if (!value_is(f, KIND_FUNC)) return ctx_fail(c, TS_FAIL_TYPE);
    if (value_obj(f)->arity != n) return ctx_fail(c, TS_FAIL_ARITY);
    if (c->calls >= CTX_MOST_CALLS) return ctx_fail(c, TS_FAIL_DEPTH);
    c->calls++;
    Value result = n == 1 ? call_func1(c, f, args[0]) : call_bound(c, value_obj(f), args, n);
    c->calls--;
    return result;
}

Value func_call1(Ctx *c, Value f, Value x) {
    if (c->failure || !ctx_charge(c, CALL_UNITS)) return VALUE_FAILED;
    if (value_is_op(f)) return call_op(c, f, &x, 1);
    if (c->calls >= CTX_MOST_CALLS) return ctx_fail(c, TS_FAIL_DEPTH);
    c->calls++;
    Value result = call_func1(c, f, x);
    c->calls--;
    return result;
}

OP_FN(identity) {
    (void)c;
    return a[0];
}

OP_FN(compose) { return value_func(c, OP_compose, 1, a, 2); }

OP_FN(chain) { return value_func(c, OP_chain, 1, a, 3); }

OP_FN(matcher) { return value_func(c, OP_matcher, 1, a, 2); }

// An argument that is fixed, in words where the parameter takes them: so a function that is made and one that
// is read are the same. What does not fit stays as it is.
static Value fixed_in_words(Ctx *c, Op made_by, Value f, Value v) {
    int first = 0, taken = 0;
    for (; value_is(f, KIND_FUNC); f = obj_items(value_obj(f))[0]) {
        if (value_obj(f)->detail == OP_rbind) taken++;
        else if (value_obj(f)->detail == OP_lbind) first++;
        else return v;
    }
    if (!value_is_op(f)) return v;
    const OpInfo *info = &ops_table[value_op(f)];
    int k = made_by == OP_rbind ? info->arity - 1 - taken : first;
    bool is_free = k >= first && k < info->arity - taken;
    if (!is_free || info->shapes[k] == SHAPE_NONE || shape_follows(info->shapes[k])) return v;
    Value said = shape_read(c, info->shapes[k], v, NULL);
    if (c->failure != TS_FAIL_VALUE) return said;
    c->failure = TS_FAIL_NONE;
    return v;
}

// One argument fixed: a function of n arguments becomes one of n - 1. Of a function of one argument it makes
// one of three, which fails when it is called; that is what Python does.
static Value bind(Ctx *c, Op made_by, const Value *a) {
    int n = arity_of(a[0]);
    if (n == 0) return ctx_fail(c, TS_FAIL_TYPE);
    const Value parts[] = {a[0], fixed_in_words(c, made_by, a[0], a[1])};
    if (c->failure) return VALUE_FAILED;
    return value_func(c, made_by, n == 2 || n == 3 ? (unsigned)n - 1 : 3, parts, 2);
}

OP_FN(rbind) { return bind(c, OP_rbind, a); }

OP_FN(lbind) { return bind(c, OP_lbind, a); }

OP_FN(power) {
    int64_t n = need_int(c, a[1]);
    if (n == 1) return a[0];
    if (n < 1) return ctx_fail(c, TS_FAIL_DEPTH); // Python recurses without end
    return value_func(c, OP_power, 1, a, 2);
}

OP_FN(fork) { return value_func(c, OP_fork, 1, a, 3); }
