// What a primitive that goes over elements gives for each of many rows, done for all rows at once.
//
// For each cell, the nearest object: argmin of a fixed container with a function for each row, and these
// functions differ only in a value that they hold. Then the elements of the container are gone through one by
// one, and each is given to all functions at once: to one function with holes, in which a column stands for
// the values that differ.
#include "dsl/column_walk.h"

enum {
    KEY_OF_SHAPE = 8 | COLUMN_TAG_HOLE,
    MOST_ALIKE = 1 << 14, // the weight of a function that others are compared with
    LIGHT = 32,           // the weight of one that is compared for nothing
};

// What is light is compared in the price of its place in a column.
static bool all_equal(Ctx *c, const Value *v, size_t n) {
    Value last = v[0];
    const int64_t units = value_weight(last) > LIGHT ? value_weight(last) / 4 : 0;
    for (size_t k = 1; k < n && !c->failure; k++) {
        ctx_charge(c, units);
        if (value_same(v[k], last)) continue;
        if (!value_equal(v[k], v[0])) return false;
        last = v[k];
    }
    return true;
}

static bool shape_of(Ctx *c, const Value *f, size_t n, Value *shape) {
    *shape = f[0];
    if (all_equal(c, f, n)) return true;
    const Obj *first = value_obj(f[0]);
    for (size_t k = 0; k < n; k++) {
        if (!value_is(f[k], KIND_FUNC)) return false;
        const Obj *o = value_obj(f[k]);
        if (o->detail != first->detail || o->arity != first->arity) return false;
    }
    const bool binds = first->detail == OP_rbind || first->detail == OP_lbind;
    const bool nests = first->detail == OP_compose || first->detail == OP_chain || first->detail == OP_fork;
    Value parts[3];
    for (uint32_t p = 0; p < first->n; p++) {
        Value *column = column_new(c, n);
        if (!column) return false;
        for (size_t k = 0; k < n; k++) column[k] = obj_items(value_obj(f[k]))[p];
        if (p == 0 || nests) {
            if (!shape_of(c, column, n, &parts[p])) return false;
        } else {
            const bool equal = all_equal(c, column, n);
            if (!equal && !binds) return false;
            parts[p] = equal ? column[0] : column_hole(column);
        }
    }
    *shape = value_func(c, first->detail, first->arity, parts, first->n);
    return !c->failure;
}

// Kept, as the same column of functions comes again. VALUE_NONE where they have no shape in common, and where
// they are too heavy to be compared for it.
static Value kept_shape(Ctx *c, ValueColumn f, size_t n) {
    CtxColumn *kept = &c->columns[(uintptr_t)f.v / 16 % CTX_COLUMNS];
    if (kept->key == KEY_OF_SHAPE && kept->in == f.v && kept->n == n) {
        ctx_charge(c, kept->cost);
        return kept->out[0];
    }
    const int64_t before = c->units;
    Value *shape = column_new(c, 1);
    if (!shape) return VALUE_NONE;
    const bool light = value_is(f.v[0], KIND_FUNC) && value_weight(f.v[0]) <= MOST_ALIKE;
    if (!light || !shape_of(c, f.v, n, shape)) shape[0] = VALUE_NONE;
    column_keep(c, kept, (CtxColumn){KEY_OF_SHAPE, f.v, shape, n, before - c->units, 0, 1});
    return shape[0];
}

// What all functions give for one value, also kept: where each element is compared with all objects but one,
// it comes again for each of those.
static bool keys_of(Ctx *c, Value shape, const Value *x, size_t n, ValueColumn *result) {
    CtxColumn *kept = &c->columns[(shape.bits + x->bits * 5) / 16 % CTX_COLUMNS];
    if (kept->key == shape.bits && kept->with == x->bits && kept->n == n) {
        *result = (ValueColumn){.v = kept->out, .step = kept->step};
        return ctx_charge(c, kept->cost);
    }
    const int64_t before = c->units;
    if (!column_walk(c, shape, &(ValueColumn){.v = x}, 1, n, NULL, result)) return false;
    column_keep(c, kept,
                (CtxColumn){shape.bits, NULL, result->v, n, before - c->units, x->bits, result->step});
    return true;
}

// Takes what is better than before. Small integers compare as their words do; `mark` is what is to be seen of
// the best, or NULL for the key.
static inline void take_better(Value *best, ValueColumn keys, size_t n, const Value *mark, Value *out,
                               bool greatest) {
    for (size_t k = 0; k < n; k++) {
        const Value key = keys.v[k * keys.step];
        const int64_t x = (int64_t)key.bits, y = (int64_t)best[k].bits;
        const bool better = greatest ? y < x : x < y;
        out[k] = better ? mark ? *mark : key : out[k];
        best[k] = better ? key : best[k];
    }
}

static bool all_small(ValueColumn in, size_t n) {
    uint64_t wrong = 0;
    for (size_t k = 0; k < n; k++) wrong |= in.v[k * in.step].bits ^ TAG_INT;
    return !(wrong & 7);
}

// The best of a container by each of n functions, at the price of keys and comparisons that it has for one
// function. False where the functions differ too much.
static bool best_for_each(Ctx *c, unsigned op, Value container, ValueColumn f, size_t n, Value *out) {
    const bool greatest = op == OP_valmax || op == OP_argmax, by_key = op == OP_valmax || op == OP_valmin;
    size_t m = (size_t)column_elements(container);
    if (n < COLUMN_ENOUGH || m < 1 || f.step == 0) return false;
    const Value shape = kept_shape(c, f, n);
    if (value_tag(shape) == TAG_NONE) return c->failure != TS_FAIL_NONE;
    const Value *items = column_of(c, container, &m);
    if (!items || !ctx_charge(c, (int64_t)(m * (n - 1)))) return true;
    Value *best = column_new(c, n);
    bool small = true;
    for (size_t j = 0; j < m && best; j++) {
        ValueColumn result;
        if (!keys_of(c, shape, &items[j], n, &result)) return true;
        if (!ctx_charge(c, (int64_t)n)) return true;
        small = small && all_small(result, n);
        const Value *mark = by_key ? NULL : &items[j];
        if (j && small && greatest) take_better(best, result, n, mark, out, true);
        else if (j && small) take_better(best, result, n, mark, out, false);
        else
            for (size_t k = 0; k < n; k++) {
                const Value key = result.v[k * result.step];
                if (j && !(greatest ? value_less(c, best[k], key) : value_less(c, key, best[k]))) continue;
                best[k] = key;
                out[k] = mark ? *mark : key;
            }
    }
    return true;
}

bool column_rows(Ctx *c, unsigned op, const ValueColumn *in, size_t n, Value *out) {
    return column_goes_for_best(op) && in[0].step == 0 && best_for_each(c, op, in[0].v[0], in[1], n, out);
}
