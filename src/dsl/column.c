// Functions over columns of values.
//
// Calling compose(f, g) element by element walks through the function once for each element, and that walk
// costs more than most of the primitives in it. So it is done once: g for the whole column, then f for the
// whole column of results. Where a fixed argument comes in (rbind, lbind) it is a column that stands still;
// what is made of such columns alone is made once.
// Every element is needed anyway, so nothing is computed that would not have been; only which failure comes
// first may differ, and a failure is a failure.
//
// The steps met most often have a loop of their own (column_steps.c); all others call the primitive for each
// element. In plain mode everything is called element by element, which is the reference.
#include "dsl/column_walk.h"

enum {
    WALK_UNITS = 4, // of one function on a column
    PASS_UNITS = 1, // of one that leaves a column as it is
};

static int64_t step_units(bool has_loop, size_t n) {
    return has_loop ? (int64_t)(n + 1) / 2 * COLUMN_LOOP_UNITS : (int64_t)n * COLUMN_STEP_UNITS;
}

// Whether all its values are one.
static inline bool is_fixed(ValueColumn in) { return !in.step && (!in.second || !in.second_step); }

static bool step(Ctx *c, Value f, ValueColumn *in, int arity, size_t n, Value *out, ValueColumn *result);
static bool walk(Ctx *c, Value f, const ValueColumn *in, int arity, size_t n, Value *out,
                 ValueColumn *result);

const Value *column_of(Ctx *c, Value container, size_t *n) {
    Iter it = iter(c, container);
    *n = it.n;
    if (c->failure) return NULL;
    if (value_is(container, KIND_TUPLE) || value_is(container, KIND_SET))
        return obj_items(value_obj(container));
    CtxColumn *kept = &c->columns[container.bits / 16 % CTX_COLUMNS];
    const bool worth_it = it.n >= COLUMN_MANY && value_tag(container) == TAG_OBJ;
    if (worth_it && !c->plain && kept->key == container.bits && !kept->in) {
        ctx_charge(c, kept->cost);
        return c->failure ? NULL : kept->out;
    }
    int64_t before = c->units;
    Value *column = column_new(c, it.n);
    if (!column) return NULL;
    values_of(c, container, column);
    if (worth_it)
        column_keep(c, kept, (CtxColumn){container.bits, NULL, column, it.n, before - c->units, 0, 1});
    return c->failure ? NULL : column;
}

// Calls a primitive for each row of arguments. A row that is the one before it again gets the same result,
// and is charged what that one cost: so the units are the same however the values came to be.
static void call_rows1(Ctx *c, OpFn *fn, ValueColumn in, size_t n, Value *out) {
    int64_t cost = 0;
    Value last = VALUE_FAILED; // which no element is
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value x = in.v[k * in.step];
        if (value_same(x, last)) {
            out[k] = out[k - 1];
            ctx_charge(c, cost);
            continue;
        }
        int64_t before = c->units;
        last = x;
        out[k] = fn(c, &x);
        cost = before - c->units;
    }
}

static void call_rows2(Ctx *c, OpFn *fn, ValueColumn p, ValueColumn q, size_t n, Value *out) {
    int64_t cost = 0;
    Value a[2] = {VALUE_FAILED, VALUE_FAILED};
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value x = p.v[k * p.step], y = q.v[k * q.step];
        if (value_same(x, a[0]) && value_same(y, a[1])) {
            out[k] = out[k - 1];
            ctx_charge(c, cost);
            continue;
        }
        int64_t before = c->units;
        a[0] = x;
        a[1] = y;
        out[k] = fn(c, a);
        cost = before - c->units;
    }
}

static void call_rows(Ctx *c, OpFn *fn, const ValueColumn *in, int arity, size_t n, Value *out) {
    if (arity == 2) {
        call_rows2(c, fn, in[0], in[1], n, out);
        return;
    }
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value a[4];
        for (int j = 0; j < arity; j++) a[j] = in[j].v[k * in[j].step];
        out[k] = fn(c, a);
    }
}
// ---- The walk ----

static __attribute__((noinline)) bool apply_to_locs(Ctx *c, Value f, ValueColumn in, size_t n, Value *out);

// Where all rows of arguments are one, it is done once and charged for each.
static bool charge_rows(Ctx *c, int64_t before, size_t n, size_t done) {
    return done == n || ctx_charge(c, (before - c->units) * (int64_t)(n - done));
}

// Makes what was put off.
static bool settle_made(Ctx *c, ValueColumn *in, size_t n) {
    const ColumnMade *made = in->made;
    ValueColumn args[4] = {made->in[0], made->in[1]};
    Value *out = column_new(c, n);
    return out && step(c, value_of_op(made->op), args, made->arity, n, out, in);
}

// Makes the values of a column that a primitive asks for.
static bool settle(Ctx *c, ValueColumn *in, size_t n) {
    if (in->made) return settle_made(c, in, n);
    if (!in->second) return true;
    Value *pairs = column_new(c, n);
    if (!pairs || !ctx_charge(c, step_units(true, n))) return false;
    const int64_t before = c->units;
    const size_t rows = is_fixed(*in) ? 1 : n;
    for (size_t k = 0; k < rows; k++)
        pairs[k] = value_pair(c, in->v[k * in->step], in->second[k * in->second_step]);
    *in = (ValueColumn){.v = pairs, .step = rows == n};
    return !c->failure && charge_rows(c, before, n, rows);
}

// The argument that a function holds: a fixed one, or one for each row.
static ValueColumn bound(const Value *v) {
    return value_tag(*v) == COLUMN_TAG_HOLE ? (ValueColumn){.v = column_of_hole(*v), .step = 1}
                                            : (ValueColumn){.v = v};
}

// A column of pairs, where the function is astuple with one argument given.
static bool pairs_with(Value f, ValueColumn in, ValueColumn *result) {
    if (in.second || in.made || !value_is(f, KIND_FUNC)) return false;
    const Value *parts = obj_items(value_obj(f));
    if (!value_same(parts[0], value_of_op(OP_astuple)) || value_obj(f)->arity != 1) return false;
    const ValueColumn held = bound(&parts[1]);
    if (value_obj(f)->detail == OP_rbind) *result = (ValueColumn){in.v, in.step, held.v, held.step};
    else if (value_obj(f)->detail == OP_lbind) *result = (ValueColumn){held.v, held.step, in.v, in.step};
    else return false;
    return true;
}

// A primitive of one argument, which most are.
static bool step_one(Ctx *c, unsigned op, ValueColumn in, size_t n, Value *out, ValueColumn *result) {
    const OpInfo *info = &ops_table[op];
    if (info->arity != 1) ctx_fail(c, TS_FAIL_ARITY);
    if (in.made && !c->failure && column_without_making(c, op, &in, n, out)) {
        *result = (ValueColumn){.v = out, .step = 1};
        return !c->failure;
    }
    if (c->failure || !settle(c, &in, n) || !ctx_charge(c, step_units(column_steps1[op], n))) return false;
    const int64_t before = c->units;
    const size_t rows = is_fixed(in) ? 1 : n;
    if (column_steps1[op]) column_steps1[op](c, in, rows, out);
    else call_rows1(c, info->fn, in, rows, out);
    *result = (ValueColumn){.v = out, .step = rows == n};
    return !c->failure && charge_rows(c, before, n, rows);
}

// What a function comes down to in the end: a primitive.
static bool step(Ctx *c, Value f, ValueColumn *in, int arity, size_t n, Value *out, ValueColumn *result) {
    if (!value_is_op(f)) ctx_fail(c, TS_FAIL_TYPE);
    else if (arity == 1) return step_one(c, value_op(f), in[0], n, out, result);
    else if (ops_table[value_op(f)].arity != arity) ctx_fail(c, TS_FAIL_ARITY);
    if (c->failure) return false;
    unsigned op = value_op(f);
    if (op == OP_colorcount && in[0].made && column_counts_color(c, in, n, out)) {
        *result = (ValueColumn){.v = out, .step = 1};
        return !c->failure;
    }
    for (int k = 0; k < arity; k++)
        if (!settle(c, &in[k], n)) return false;
    if (!ctx_charge(c, step_units(column_steps2[op] || op == OP_apply, n))) return false;
    if (!column_affords_rows(c, op, in, n)) return false;
    bool fixed = true, done = false;
    for (int k = 0; k < arity; k++) fixed &= is_fixed(in[k]);
    const int64_t before = c->units;
    const size_t rows = fixed ? 1 : n;
    if (op == OP_apply && in[0].step == 0) done = apply_to_locs(c, in[0].v[0], in[1], rows, out);
    if ((op == OP_difference || op == OP_intersection) && in[1].step == 0)
        done = column_against(c, op, in[0], in[1].v[0], rows, out);
    if (column_goes_over_first(op) || column_goes_over_second(op))
        done = done || column_rows(c, op, in, rows, out);
    if (column_steps2[op]) column_steps2[op](c, in[0], in[1], rows, out);
    else if (!done) call_rows(c, ops_table[op].fn, in, arity, rows, out);
    *result = (ValueColumn){.v = out, .step = !fixed};
    return !c->failure && charge_rows(c, before, n, rows);
}

// apply(f, x) where each x is a location: one column of all their coordinates. False where they are not.
static bool apply_to_locs(Ctx *c, Value f, ValueColumn in, size_t n, Value *out) {
    for (size_t k = 0; k < n; k++)
        if (!value_is_loc(in.v[k * in.step])) return false;
    Value *numbers = column_new(c, 2 * n), *results = column_new(c, 2 * n);
    if (!numbers || !results) return true;
    for (size_t k = 0; k < n; k++) {
        uint32_t word = value_word(in.v[k * in.step]);
        numbers[2 * k] = value_of_small(word_i(word));
        numbers[2 * k + 1] = value_of_small(word_j(word));
    }
    if (!column_walk_into(c, f, &(ValueColumn){.v = numbers, .step = 1}, 1, 2 * n, results)) return true;
    for (size_t k = 0; k < n; k++) out[k] = value_pair(c, results[2 * k], results[2 * k + 1]);
    return true;
}

// The results of a part of a function for a whole column. The same part comes again over the same column
// where a function is built anew for each of some objects and is then run over all cells: so the columns made
// last are kept for the evaluation, with what they cost, and whoever finds one again is charged the same.
static bool part(Ctx *c, Value f, ValueColumn in, size_t n, ValueColumn *result) {
    if (value_same(f, value_of_op(OP_identity))) {
        *result = in;
        return ctx_charge(c, PASS_UNITS);
    }
    if (in.second && (value_same(f, value_of_op(OP_first)) || value_same(f, value_of_op(OP_last)))) {
        const bool first = value_same(f, value_of_op(OP_first));
        *result = (ValueColumn){.v = first ? in.v : in.second, .step = first ? in.step : in.second_step};
        return ctx_charge(c, PASS_UNITS);
    }
    if (pairs_with(f, in, result)) return ctx_charge(c, PASS_UNITS);
    if (value_is_op(f) && column_steps1[value_op(f)]) {
        Value *out = column_new(c, n);
        return out && step_one(c, value_op(f), in, n, out, result);
    }
    CtxColumn *kept = &c->columns[(f.bits ^ (uintptr_t)in.v) / 16 % CTX_COLUMNS];
    const bool worth_it = n >= COLUMN_MANY && in.step && !in.second && !in.made;
    if (worth_it && kept->key == f.bits && kept->in == in.v && kept->n == n) {
        *result = (ValueColumn){.v = kept->out, .step = kept->step};
        return ctx_charge(c, kept->cost);
    }
    const int64_t before = c->units;
    if (!walk(c, f, &in, 1, n, NULL, result)) return false;
    if (worth_it && !result->made)
        column_keep(c, kept, (CtxColumn){f.bits, in.v, result->v, n, before - c->units, 0, result->step});
    return true;
}

// One function made of others. What is left to be done at the end becomes *f and the columns `next`; as with
// a call, only what comes before nests. A column that was given to a part is never written again, as what the
// part made of it may be kept.
static bool walk_func(Ctx *c, Value *f, ValueColumn next[4], int *arity, size_t n) {
    const Obj *o = value_obj(*f);
    const Value *parts = obj_items(o);
    ValueColumn second;
    switch (o->detail) {
    case OP_compose:
        if (!part(c, parts[1], next[0], n, next)) return false;
        break;
    case OP_chain:
        if (!part(c, parts[2], next[0], n, next) || !part(c, parts[1], next[0], n, next)) return false;
        break;
    case OP_fork: // both ask for what was put off
        if (next[0].made && !settle(c, &next[0], n)) return false;
        if (!part(c, parts[2], next[0], n, &second) || !part(c, parts[1], next[0], n, next)) return false;
        next[1] = second;
        *arity = 2;
        break;
    case OP_power:
        for (int64_t k = value_int_of(parts[1]); k > 1; k--)
            if (!part(c, parts[0], next[0], n, next)) return false;
        break;
    case OP_rbind: next[(*arity)++] = bound(&parts[1]); break;
    default: // lbind
        memmove(next + 1, next, (size_t)(*arity)++ * sizeof *next);
        next[0] = bound(&parts[1]);
        break;
    }
    *f = parts[0];
    return ctx_charge(c, WALK_UNITS);
}

static bool matches(Ctx *c, const Obj *matcher, ValueColumn *in, size_t n, Value *out, ValueColumn *result) {
    if (!out && !(out = column_new(c, n))) return false;
    if (!column_walk(c, obj_items(matcher)[0], in, 1, n, out, result)) return false;
    const int64_t before = c->units;
    const size_t rows = result->step ? n : 1;
    const Value target = obj_items(matcher)[1];
    if (value_tag(target) != TAG_OBJ) {
        for (size_t k = 0; k < rows; k++) out[k] = value_bool(value_same(out[k], target));
        ctx_charge(c, (int64_t)rows);
    } else {
        for (size_t k = 0; k < rows; k++) out[k] = value_bool(py_equal(c, out[k], target));
    }
    return !c->failure && charge_rows(c, before, n, rows);
}

// The last step is put off where nobody has said where the results go.
static bool walk(Ctx *c, Value f, const ValueColumn *in, int arity, size_t n, Value *out,
                 ValueColumn *result) {
    if (c->calls >= CTX_MOST_CALLS) ctx_fail(c, TS_FAIL_DEPTH);
    if (c->failure) return false;
    ValueColumn next[4] = {in[0], in[arity > 1], in[arity > 2 ? 2 : 0]};
    c->calls++;
    bool good = true, done = false;
    while (good && !done && value_is(f, KIND_FUNC)) {
        const Obj *o = value_obj(f);
        if (o->arity != arity) ctx_fail(c, TS_FAIL_ARITY);
        if (c->failure) break;
        done = o->detail == OP_matcher;
        good = done ? matches(c, o, next, n, out, result) : walk_func(c, &f, next, &arity, n);
    }
    if (good && !done && !c->failure && !out && n >= COLUMN_ENOUGH && value_is_op(f))
        done = column_puts_off(c, value_op(f), next, arity, result);
    if (good && !done && !c->failure && (out || (out = column_new(c, n))))
        step(c, f, next, arity, n, out, result);
    c->calls--;
    return good && !c->failure;
}

bool column_walk(Ctx *c, Value f, const ValueColumn *in, int arity, size_t n, Value *out,
                 ValueColumn *result) {
    return (out || (out = column_new(c, n))) && walk(c, f, in, arity, n, out, result);
}

bool column_walk_into(Ctx *c, Value f, const ValueColumn *in, int arity, size_t n, Value *out) {
    ValueColumn result;
    if (!column_walk(c, f, in, arity, n, out, &result)) return false;
    if (!result.step)
        for (size_t k = 1; k < n; k++) out[k] = out[0];
    return true;
}
static bool call_each(Ctx *c, Value f, const ValueColumn *in, int arity, size_t n, Value *out) {
    for (size_t k = 0; k < n && !c->failure; k++) {
        Value a[2];
        for (int j = 0; j < arity; j++) a[j] = in[j].v[k];
        out[k] = func_call(c, f, a, arity);
    }
    return !c->failure;
}

bool column_call1(Ctx *c, Value f, const Value *x, size_t n, Value *out) {
    ValueColumn in = {.v = x, .step = 1};
    if (n >= COLUMN_MANY && !c->plain && !column_affords(c, f, n)) return false;
    return c->plain || n < COLUMN_FEW ? call_each(c, f, &in, 1, n, out)
                                      : column_walk_into(c, f, &in, 1, n, out);
}

bool column_call2(Ctx *c, Value f, const Value *x, const Value *y, size_t n, Value *out) {
    ValueColumn in[2] = {{.v = x, .step = 1}, {.v = y, .step = 1}};
    return c->plain || n < COLUMN_FEW ? call_each(c, f, in, 2, n, out)
                                      : column_walk_into(c, f, in, 2, n, out);
}

bool column_cross(Ctx *c, Value f, const Value *x, size_t n, const Value *y, size_t m, Value *out) {
    if (!c->plain && !ctx_affords(c, (int64_t)(n * m / 2) * COLUMN_LOOP_UNITS)) return false;
    if (c->plain) {
        for (size_t k = 0; k < n * m && !c->failure; k++) out[k] = func_call2(c, f, x[k % n], y[k / n]);
        return !c->failure;
    }
    // The one with fewer values stands still.
    for (size_t k = 0; k < (n < m ? n : m) && !c->failure; k++) {
        const ValueColumn in[2] = {{.v = n < m ? x + k : x, .step = n >= m},
                                   {.v = n < m ? y : y + k, .step = n < m}};
        const size_t many = n < m ? m : n;
        column_walk_into(c, f, in, 2, many, out + k * many);
    }
    return !c->failure;
}
// ---- Order ----

// Whether key b has to come before key a, which stands before it.
static bool comes_first(Ctx *c, Value b, Value a, bool descending) {
    return descending ? value_sorts_before(c, a, b) : value_sorts_before(c, b, a);
}

// A stable merge sort.
uint32_t *column_order(Ctx *c, const Value *keys, size_t n, bool descending) {
    uint32_t *from = ctx_alloc(c, (n + 1) * sizeof *from), *to = ctx_alloc(c, (n + 1) * sizeof *to);
    if (!from || !to) return NULL;
    for (size_t k = 0; k < n; k++) from[k] = (uint32_t)k;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t start = 0; start < n && !c->failure; start += 2 * run) {
            size_t a = start, middle = start + run < n ? start + run : n;
            size_t b = middle, end = middle + run < n ? middle + run : n;
            for (size_t o = start; o < end; o++) {
                bool second =
                    a >= middle || (b < end && comes_first(c, keys[from[b]], keys[from[a]], descending));
                to[o] = second ? from[b++] : from[a++];
            }
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    return c->failure ? NULL : from;
}
