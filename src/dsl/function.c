// Functions made of functions, and how a function is called.
//
// compose, rbind, … give a FUNC that holds its parts; `call` walks through it. Nothing is compiled: a call
// costs a few nanoseconds, and the parts stay visible, so functions can be printed, compared and shared.
#include "dsl/ops.h"

// Number of arguments that a function takes, 0 for what is none.
static int arity_of(Value f) {
    if (value_is_op(f)) return ops_table[value_op(f)].arity;
    return value_is(f, KIND_FUNC) ? value_obj(f)->arity : 0;
}

static Value call_func(Ctx *c, const Obj *o, const Value *args, int n) {
    const Value *parts = obj_items(o);
    switch (o->detail) {
    case OP_compose: return call1(c, parts[0], call1(c, parts[1], args[0]));
    case OP_chain: return call1(c, parts[0], call1(c, parts[1], call1(c, parts[2], args[0])));
    case OP_fork: {
        Value x = call1(c, parts[1], args[0]);
        return call2(c, parts[0], x, call1(c, parts[2], args[0]));
    }
    case OP_matcher: {
        Value x = call1(c, parts[0], args[0]);
        return c->failure ? VALUE_FAILED : value_bool(equal(c, x, parts[1]));
    }
    case OP_power: {
        Value x = args[0];
        for (int64_t k = value_int_of(parts[1]); k > 0 && !c->failure; k--) x = call1(c, parts[0], x);
        return x;
    }
    case OP_rbind:
    case OP_lbind: {
        Value all[4];
        memcpy(all + (o->detail == OP_lbind), args, (size_t)n * sizeof *all);
        all[o->detail == OP_lbind ? 0 : n] = parts[1];
        return call(c, parts[0], all, n + 1);
    }
    default: return ctx_fail(c, TS_FAIL_TYPE);
    }
}

Value call(Ctx *c, Value f, const Value *args, int n) {
    if (c->failure || !ctx_charge(c, 4)) return VALUE_FAILED;
    if (value_is_op(f)) {
        const OpInfo *info = &ops_table[value_op(f)];
        if (info->arity != n) return ctx_fail(c, TS_FAIL_ARITY);
        Value result = info->fn(c, args);
        return c->failure ? VALUE_FAILED : result;
    }
    if (!value_is(f, KIND_FUNC)) return ctx_fail(c, TS_FAIL_TYPE);
    if (value_obj(f)->arity != n) return ctx_fail(c, TS_FAIL_ARITY);
    if (c->calls >= CTX_MOST_CALLS) return ctx_fail(c, TS_FAIL_DEPTH);
    c->calls++;
    Value result = call_func(c, value_obj(f), args, n);
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

// One argument fixed: a function of n arguments becomes one of n - 1. Of a function of one argument it makes
// one of three, which fails when it is called; that is what Python does.
static Value bind(Ctx *c, Op made_by, const Value *a) {
    int n = arity_of(a[0]);
    if (n == 0) return ctx_fail(c, TS_FAIL_TYPE);
    return value_func(c, made_by, n == 2 || n == 3 ? (unsigned)n - 1 : 3, a, 2);
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
