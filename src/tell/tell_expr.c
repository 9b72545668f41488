// Expressions, and functions applied to them: compose(size, first) of it is size(first(it)). So whatever is
// made of compose, chain, fork, rbind, … is told by the primitives that it comes down to, and a constant that
// is bound to a function is told as what it is for there.
#include "tell/teller.h"

enum { MOST_UNROLLED = 3 }; // power(f, 3) is f(f(f(x)))

static const Type any_type = {TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY, 0};

static Expr *new_expr(Teller *t, ExprKind kind) {
    Expr *e = arena_alloc(&t->arena, sizeof *e);
    if (!e) {
        t->starved = true;
        e = &t->spare;
        kind = EXPR_UNKNOWN;
    }
    *e = (Expr){.kind = (uint8_t)kind, .slot = NO_SLOT, .type = any_type};
    return e;
}

bool expr_is_function(const Expr *e) {
    if (e->kind == EXPR_VALUE) return value_is_op(e->value) || value_is(e->value, KIND_FUNC);
    return e->kind == EXPR_CALL && e->type.self == TYPE_FUNCTION;
}

Expr *expr_thing(Teller *t, Type type, const char *called) {
    Expr *e = new_expr(t, EXPR_THING);
    e->type = type;
    e->called = called;
    return e;
}

Expr *expr_element(Teller *t, const Expr *container) {
    Type type = any_type, found;
    // The type of an element is that of `first`.
    if (type_of_call(NULL, NULL, OP_first, &container->type, &found) && found.self) type = found;
    Expr *e = expr_thing(t, type, NULL);
    const Expr *pairs = container;
    while (expr_is_call(pairs, OP_totuple) || expr_is_call(pairs, OP_sfilter) ||
           expr_is_call(pairs, OP_order))
        pairs = pairs->args[0];
    e->from = container;
    e->is_pair = expr_is_call(pairs, OP_product) || expr_is_call(pairs, OP_pair);
    return e;
}

Expr *expr_call(Teller *t, Op op, Expr *const *args, int n) {
    if (op == OP_identity && n == 1) return args[0];
    Expr *e = new_expr(t, EXPR_CALL);
    Type types[LINE_MOST_ARGS], found;
    if (e->kind != EXPR_CALL) return e;
    e->op = (int16_t)op;
    e->n = (uint8_t)n;
    for (int k = 0; k < n; k++) {
        e->args[k] = args[k];
        types[k] = args[k]->type;
    }
    if (n == ops_table[op].arity && type_of_call(NULL, NULL, op, types, &found)) e->type = found;
    else e->type = type_of_result(op);
    return e;
}

// ---- Applying ----

static Expr *over_and_over(Teller *t, const Expr *power, Expr *x) {
    const Expr *times = power->args[1];
    int64_t n = times->kind == EXPR_VALUE && value_is_small(times->value) ? value_small(times->value) : -1;
    if (n >= 0 && n <= MOST_UNROLLED) {
        for (int64_t k = 0; k < n; k++) x = expr_apply(t, power->args[0], &x, 1);
        return x;
    }
    Expr *thing = expr_thing(t, x->type, "it"), *e = new_expr(t, EXPR_OVER);
    if (e->kind != EXPR_OVER) return e;
    e->type = x->type;
    e->n = 4;
    e->args[0] = x;
    e->args[1] = power->args[1];
    e->args[2] = expr_apply(t, power->args[0], &thing, 1);
    e->args[3] = thing;
    return e;
}

// With one more argument, the first or the last.
static Expr *apply_bound(Teller *t, const Expr *bound, Expr *const *args, int n) {
    Expr *all[LINE_MOST_ARGS];
    if (n >= LINE_MOST_ARGS) return new_expr(t, EXPR_UNKNOWN);
    const int first = bound->op == OP_lbind;
    for (int k = 0; k < n; k++) all[k + first] = args[k];
    all[first ? 0 : n] = bound->args[1];
    return expr_apply(t, bound->args[0], all, n + 1);
}

static Expr *apply_made(Teller *t, const Expr *f, Expr *const *args, int n) {
    Expr *const *a = f->args, *x, *y;
    switch (f->op) {
    case OP_compose: x = expr_apply(t, a[1], args, n); return expr_apply(t, a[0], &x, 1);
    case OP_chain:
        x = expr_apply(t, a[2], args, n);
        x = expr_apply(t, a[1], &x, 1);
        return expr_apply(t, a[0], &x, 1);
    case OP_matcher:
        x = expr_apply(t, a[0], args, n);
        return expr_call(t, OP_equality, (Expr *[]){x, a[1]}, 2);
    case OP_fork:
        x = expr_apply(t, a[1], args, n);
        y = expr_apply(t, a[2], args, n);
        return expr_apply(t, a[0], (Expr *[]){x, y}, 2);
    case OP_branch:
    case OP_choose:
        x = expr_apply(t, a[1], args, n);
        y = expr_apply(t, a[2], args, n);
        return expr_call(t, OP_branch, (Expr *[]){a[0], x, y}, 3);
    case OP_rbind:
    case OP_lbind: return apply_bound(t, f, args, n);
    case OP_power: return n == 1 ? over_and_over(t, f, args[0]) : new_expr(t, EXPR_UNKNOWN);
    default: return new_expr(t, EXPR_UNKNOWN);
    }
}

static Expr *apply_named(Teller *t, const Expr *f, Expr *x) {
    Expr *e = new_expr(t, EXPR_NAMED);
    if (e->kind != EXPR_NAMED) return e;
    e->slot = f->slot;
    e->n = 1;
    e->args[0] = x;
    return e;
}

Expr *expr_apply(Teller *t, const Expr *f, Expr *const *args, int n) {
    if (t->budget-- <= 0 || t->deep >= MOST_DEEP) return new_expr(t, EXPR_UNKNOWN);
    if (n == 1 && f->slot != NO_SLOT && t->notes[f->slot].is_named && expr_is_function(f))
        return apply_named(t, f, args[0]);
    if (f->kind == EXPR_VALUE && value_is_op(f->value) && ops_table[value_op(f->value)].arity == n)
        return expr_call(t, (Op)value_op(f->value), args, n);
    if (f->kind != EXPR_CALL) return new_expr(t, EXPR_UNKNOWN);
    t->deep++;
    Expr *e = apply_made(t, f, args, n);
    t->deep--;
    return e;
}

// ---- Slots ----

Expr *expr_of_given(Teller *t, uint32_t slot) {
    Expr *e = new_expr(t, slot < SLOTS_GIVEN ? EXPR_GIVEN : EXPR_VALUE);
    if (slot >= SLOTS_GIVEN) e->value = t->p->constants[slot - SLOTS_GIVEN];
    e->type = t->types[slot];
    e->slot = (int32_t)slot;
    return e;
}

Expr *expr_of_line(Teller *t, uint32_t line) {
    const Line *l = &t->p->lines[line];
    const uint32_t slot = program_slot_of_line(t->p, line);
    Expr *args[LINE_MOST_ARGS], *e;
    for (int k = 0; k < l->n; k++) args[k] = t->slots[l->args[k]];
    if (l->op == LINE_CALLS_VALUE) e = expr_apply(t, t->slots[l->callee], args, l->n);
    else e = expr_call(t, (Op)l->op, args, l->n);
    if (e->slot != NO_SLOT && e->kind != EXPR_NAMED) return e; // another slot's: the line changes nothing
    if (e->kind == EXPR_NAMED || e == &t->spare) return e;
    if (t->types[slot].self) e->type = t->types[slot];
    e->slot = (int32_t)slot;
    return e;
}

// ---- Looking at them ----

static int mentions(Teller *t, const Expr *e, const Expr *thing, int deep) {
    if (e == thing) return 1;
    if ((e->slot != NO_SLOT && e->kind != EXPR_NAMED) || deep >= MOST_DEEP || t->budget <= 0) return 0;
    int n = 0;
    t->budget--;
    for (int k = 0; k < e->n && n < 2; k++) n += mentions(t, e->args[k], thing, deep + 1);
    return expr_is_function(e) ? 2 * n : n;
}

int expr_mentions(Teller *t, const Expr *e, const Expr *thing) {
    const int budget = t->budget, n = mentions(t, e, thing, 0);
    t->budget = budget - (budget - t->budget) / 8; // it is cheap
    return n;
}

// What a function gives.
static ConstantKind kind_given(const Expr *f, int deep) {
    if (f->kind == EXPR_VALUE && value_is_op(f->value))
        return constant_kind_of_result((Op)value_op(f->value));
    if (f->kind != EXPR_CALL || deep >= MOST_DEEP || f->op == OP_matcher) return CONSTANT_OTHER;
    return expr_is_function(f) ? kind_given(f->args[0], deep + 1) : CONSTANT_OTHER;
}

ConstantKind expr_kind(const Expr *e, int deep) {
    if (e->kind != EXPR_CALL || e->n == 0 || deep >= MOST_DEEP) return CONSTANT_OTHER;
    const Expr *a = e->args[0];
    switch (e->op) {
    case OP_first:
        if (a->type.self == TYPE_CELL) return CONSTANT_COLOR;
        if (a->type.self == TYPE_PAIR) return CONSTANT_INTEGER;
        return expr_kind(a, deep + 1);
    case OP_last:
        if (a->type.self == TYPE_PAIR) return CONSTANT_INTEGER;
        return expr_kind(a, deep + 1);
    case OP_other:
    case OP_other_f:
    case OP_mostcommon:
    case OP_leastcommon:
    case OP_maximum:
    case OP_minimum:
    case OP_get_nth_t:
    case OP_get_nth_f:
    case OP_first_t:
    case OP_second:
    case OP_last_t:
    case OP_get_common_rank:
    case OP_get_rank:
    case OP_difference:
    case OP_intersection:
    case OP_combine:
    case OP_dedupe:
    case OP_totuple:
    case OP_initset:
    case OP_repeat:
    case OP_sfilter:
    case OP_extract:
    case OP_order: return expr_kind(a, deep + 1);
    case OP_insert:
    case OP_remove: return expr_kind(e->args[1], deep + 1);
    case OP_branch:
    case OP_choose: {
        ConstantKind kind = expr_kind(e->args[1], deep + 1);
        return kind != CONSTANT_OTHER ? kind : expr_kind(e->args[2], deep + 1);
    }
    case OP_apply:
    case OP_mapply:
    case OP_papply: return kind_given(a, deep + 1);
    case OP_c_iz:
    case OP_c_zo:
    case OP_c_iz_n:
    case OP_c_zo_n: return kind_given(e->args[1], deep + 1);
    default: return constant_kind_of_result((Op)e->op);
    }
}
