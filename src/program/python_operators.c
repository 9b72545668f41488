// Operators: which primitive stands for each, by the types of what it is given. Where the types do not tell,
// and Python would do one thing or another, that is a problem and not a guess.
#include "program/python_lower.h"

#include <stdio.h>

static bool is_tuple(const PythonValue *v) { return python_only(v, TYPE_TUPLES); }
static bool is_set(const PythonValue *v) { return python_only(v, TYPE_SETS); }

// Both as small numbers that are written in the text.
static bool constants(const PythonLower *l, const PythonValue *a, const PythonValue *b, int64_t *x,
                      int64_t *y) {
    Value v, w;
    if (!python_is_constant(l, a, &v) || !python_is_constant(l, b, &w)) return false;
    if (!value_is_small(v) || !value_is_small(w)) return false;
    *x = value_small(v);
    *y = value_small(w);
    return *x > -100000 && *x < 100000 && *y > -100000 && *y < 100000;
}

static const char *sort_name(const PythonValue *v) {
    if (v->state == PYTHON_CLOSURE || python_only(v, TYPE_FUNCTION)) return "a function";
    return python_is_number(v) ? "a number"
           : is_tuple(v)       ? "a tuple"
           : is_set(v)         ? "a set"
                               : "something unknown";
}

// No primitive stands for it. What should have been written depends on what the operator is.
static PythonValue refuse(PythonLower *l, const PythonNode *at, const char *op, PythonValue a, PythonValue b,
                          const char *remedy) {
    if (a.state == PYTHON_NOTHING || b.state == PYTHON_NOTHING) return python_nothing();
    const char *x = sort_name(&a), *y = sort_name(&b);
    bool unknown = *x == 's' || *y == 's';
    return python_fault(l, at, TS_PROBLEM_TYPE, remedy,
                        unknown ? "what '%s' means of %s and %s cannot be told"
                                : "Python has no '%s' of %s and %s",
                        op, x, y);
}

static PythonValue plus(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b) {
    if (python_is_number(&a) && python_is_number(&b)) return PYTHON_CALLED(l, at, OP_add, a, b);
    if (is_tuple(&a) && is_tuple(&b)) {
        if (a.is_list != b.is_list)
            return python_fault(l, at, TS_PROBLEM_TYPE, "make a tuple of the list: tuple(x)",
                                "a list and a tuple cannot be put together");
        if (a.parts && b.parts) { // both known one by one
            size_t n = (size_t)a.part_count + b.part_count;
            PythonValue *all = n < UINT8_MAX ? python_alloc(l->text, n * sizeof *all + 1) : NULL;
            if (all) {
                if (a.part_count) memcpy(all, a.parts, a.part_count * sizeof *all);
                if (b.part_count) memcpy(all + a.part_count, b.parts, b.part_count * sizeof *all);
                PythonValue r = python_tuple(l, at, all, n, false);
                r.is_list = a.is_list;
                return r;
            }
        }
        PythonValue r = PYTHON_CALLED(l, at, OP_combine, a, b);
        if (r.state != PYTHON_NOTHING) {
            r.is_list = a.is_list;
            r.type = type_tuple(type_join(type_element(a.type), type_element(b.type)));
        }
        return r;
    }
    return refuse(l, at, "+", a, b, "use add(a, b) for numbers and vectors, combine(a, b) for containers");
}

static PythonValue times(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b) {
    if (python_is_number(&a) && python_is_number(&b)) return PYTHON_CALLED(l, at, OP_multiply, a, b);
    if (is_tuple(&b) && python_is_number(&a)) {
        PythonValue swap = a;
        a = b;
        b = swap;
    }
    if (!is_tuple(&a) || !python_is_number(&b))
        return refuse(l, at, "*", a, b,
                      "use multiply(a, b) for numbers and vectors, repeat(x, n) for tuples");
    PythonValue r = PYTHON_CALLED(l, at, OP_merge, PYTHON_CALLED(l, at, OP_repeat, a, b));
    if (r.state != PYTHON_NOTHING) r.type = type_tuple(type_element(a.type));
    r.is_list = a.is_list;
    return r;
}

static PythonValue modulo(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b) {
    PythonValue whole = PYTHON_CALLED(l, at, OP_multiply, b, PYTHON_CALLED(l, at, OP_divide, a, b));
    return PYTHON_CALLED(l, at, OP_subtract, a, whole);
}

static PythonValue raised(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b) {
    Value n;
    if (!python_is_constant(l, &b, &n) || !value_is_small(n) || value_small(n) < 1 || value_small(n) > 8)
        return refuse(l, at, "**", a, b, "use multiply(a, b) as often as it takes");
    PythonValue r = a;
    for (int64_t k = 1; k < value_small(n); k++) r = PYTHON_CALLED(l, at, OP_multiply, r, a);
    return r;
}

static PythonValue of_sets(PythonLower *l, const PythonNode *at, uint32_t op, PythonValue a, PythonValue b) {
    if (op == '&') return PYTHON_CALLED(l, at, OP_intersection, a, b);
    if (op == '|') return PYTHON_CALLED(l, at, OP_combine, a, b);
    if (op == '-') return PYTHON_CALLED(l, at, OP_difference, a, b);
    return PYTHON_CALLED(l, at, OP_combine, PYTHON_CALLED(l, at, OP_difference, a, b),
                         PYTHON_CALLED(l, at, OP_difference, b, a));
}

PythonValue python_binary(PythonLower *l, const PythonNode *at, uint32_t op, PythonValue a, PythonValue b) {
    char name[4] = {(char)(op >> 8 ? op >> 8 : op), (char)(op >> 8 ? op : 0), 0};
    int64_t x, y;
    if (a.state == PYTHON_NOTHING || b.state == PYTHON_NOTHING) return python_nothing();
    if (constants(l, &a, &b, &x, &y)) {
        if (op == '+') return python_number(l, x + y);
        if (op == '-') return python_number(l, x - y);
        if (op == '*') return python_number(l, x * y);
    }
    if (op == '+') return plus(l, at, a, b);
    if (op == '*') return times(l, at, a, b);
    if (op == '/')
        return python_fault(l, at, TS_PROBLEM_UNSAID, "use '//'", "there are whole numbers only, and no '/'");
    bool sets = op == '&' || op == '|' || op == '-' || op == '^';
    if (sets && is_set(&a) && is_set(&b)) return of_sets(l, at, op, a, b);
    bool numbers = python_is_number(&a) && python_is_number(&b);
    if (numbers && op == '-') return PYTHON_CALLED(l, at, OP_subtract, a, b);
    if (numbers && op == PYTHON_OP('/', '/')) return PYTHON_CALLED(l, at, OP_divide, a, b);
    if (numbers && op == '%') return modulo(l, at, a, b);
    if (numbers && op == PYTHON_OP('*', '*')) return raised(l, at, a, b);
    if (python_only(&a, TYPE_BOOL) && python_only(&b, TYPE_BOOL) && op == '&')
        return PYTHON_CALLED(l, at, OP_both, a, b);
    if (python_only(&a, TYPE_BOOL) && python_only(&b, TYPE_BOOL) && op == '|')
        return PYTHON_CALLED(l, at, OP_either, a, b);
    const char *remedy = op == '-' ? "use subtract(a, b) for numbers and vectors, difference(a, b) for sets"
                         : op == PYTHON_OP('/', '/') ? "use divide(a, b)"
                         : op == '&' || op == '|'
                             ? "use intersection(a, b), combine(a, b), both(a, b), either(a, b)"
                             : "use the primitives of numbers";
    return refuse(l, at, name, a, b, remedy);
}

// ---- Comparisons and truth ----

PythonValue python_not(PythonLower *l, const PythonNode *at, PythonValue v) {
    Value c;
    if (python_is_constant(l, &v, &c)) return python_constant(l, at, value_bool(!py_truth(c)));
    return PYTHON_CALLED(l, at, OP_flip, v);
}

static PythonValue equal(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b) {
    if (a.is_list != b.is_list && is_tuple(&a) && is_tuple(&b))
        return python_fault(l, at, TS_PROBLEM_TYPE, "make a tuple of the list: tuple(x)",
                            "a list is never equal to a tuple");
    int64_t x, y;
    if (constants(l, &a, &b, &x, &y)) return python_constant(l, at, value_bool(x == y));
    return PYTHON_CALLED(l, at, OP_equality, a, b);
}

PythonValue python_compare(PythonLower *l, const PythonNode *at, uint32_t op, PythonValue a, PythonValue b) {
    if (a.state == PYTHON_NOTHING || b.state == PYTHON_NOTHING) return python_nothing();
    bool numbers = python_is_number(&a) && python_is_number(&b);
    int64_t x, y;
    bool known = constants(l, &a, &b, &x, &y);
    switch (op) {
    case PYTHON_OP('=', '='): return equal(l, at, a, b);
    case PYTHON_OP('!', '='): return python_not(l, at, equal(l, at, a, b));
    case '<':
        return known ? python_constant(l, at, value_bool(x < y)) : PYTHON_CALLED(l, at, OP_greater, b, a);
    case '>':
        return known ? python_constant(l, at, value_bool(x > y)) : PYTHON_CALLED(l, at, OP_greater, a, b);
    case PYTHON_OP('<', '='):
        if (known) return python_constant(l, at, value_bool(x <= y));
        if (numbers) return PYTHON_CALLED(l, at, OP_flip, PYTHON_CALLED(l, at, OP_greater, a, b));
        return PYTHON_CALLED(l, at, OP_either, PYTHON_CALLED(l, at, OP_equality, a, b),
                             PYTHON_CALLED(l, at, OP_greater, b, a));
    case PYTHON_OP('>', '='):
        if (known) return python_constant(l, at, value_bool(x >= y));
        if (numbers) return PYTHON_CALLED(l, at, OP_flip, PYTHON_CALLED(l, at, OP_greater, b, a));
        return PYTHON_CALLED(l, at, OP_either, PYTHON_CALLED(l, at, OP_equality, a, b),
                             PYTHON_CALLED(l, at, OP_greater, a, b));
    case 'i':
    case 'n': {
        if (python_is_number(&b)) return python_fault(l, at, TS_PROBLEM_TYPE, "", "a number has no elements");
        PythonValue r = PYTHON_CALLED(l, at, OP_contained, a, b);
        return op == 'i' ? r : python_not(l, at, r);
    }
    default: break; // is, is not
    }
    Value c;
    if (!python_is_constant(l, &b, &c) || value_tag(c) != TAG_NONE)
        return python_fault(l, at, TS_PROBLEM_UNSAID, "use '=='", "'is' is for None only");
    PythonValue r = PYTHON_CALLED(l, at, OP_equality, a, b);
    return op == 's' ? r : python_not(l, at, r);
}

// Whether a value that depends on a parameter cannot fail: then both sides of an `and` may be asked.
static bool is_total(const PythonValue *v) {
    if (v->state != PYTHON_OPEN || v->term->op == PYTHON_PARAMETER_TERM) return v->state == PYTHON_OPEN;
    const PythonTerm *t = v->term;
    const PythonValue *a = t->args;
    bool fine = false;
    switch (t->op) {
    case OP_equality:
    case OP_flip:
    case OP_both:
    case OP_either: fine = true; break;
    case OP_contained: fine = python_only(&a[1], TYPE_CONTAINERS); break;
    case OP_size: fine = python_only(&a[0], TYPE_CONTAINERS); break;
    case OP_first:
    case OP_last: fine = python_only(&a[0], TYPE_PAIR | TYPE_CELL); break;
    case OP_even:
    case OP_positive: fine = python_is_number(&a[0]); break;
    case OP_greater:
    case OP_add:
    case OP_subtract: fine = python_is_number(&a[0]) && python_is_number(&a[1]); break;
    default: break;
    }
    for (int k = 0; fine && k < t->n; k++) fine = a[k].state == PYTHON_CLOSED || is_total(&a[k]);
    return fine;
}

PythonValue python_and(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b) {
    Value v;
    if (a.state == PYTHON_NOTHING || b.state == PYTHON_NOTHING) return python_nothing();
    if (python_is_constant(l, &a, &v)) return py_truth(v) ? b : a;
    return is_total(&b) ? PYTHON_CALLED(l, at, OP_both, a, b) : python_choose(l, at, a, b, a);
}

PythonValue python_or(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b) {
    Value v;
    if (a.state == PYTHON_NOTHING || b.state == PYTHON_NOTHING) return python_nothing();
    if (python_is_constant(l, &a, &v)) return py_truth(v) ? a : b;
    return is_total(&b) ? PYTHON_CALLED(l, at, OP_either, a, b) : python_choose(l, at, a, a, b);
}

PythonValue python_sign(PythonLower *l, const PythonNode *at, uint32_t op, PythonValue v) {
    Value c;
    if (v.state == PYTHON_NOTHING) return v;
    if (op == '~' || !python_is_number(&v))
        return python_fault(l, at, TS_PROBLEM_TYPE, "use invert(x) for numbers and vectors",
                            "what '%c' means of %s cannot be told", (char)op, sort_name(&v));
    if (op == '+') return v;
    if (python_is_constant(l, &v, &c) && value_is_small(c))
        return python_constant(l, at, value_int(l->ctx, -value_small(c)));
    return PYTHON_CALLED(l, at, OP_invert, v);
}

// ---- Elements ----

PythonValue python_index(PythonLower *l, const PythonNode *at, PythonValue base, PythonValue index) {
    Value c;
    if (base.state == PYTHON_NOTHING || index.state == PYTHON_NOTHING) return python_nothing();
    if (is_set(&base))
        return python_fault(l, at, TS_PROBLEM_TYPE, "use first(x), or order(x, key)[i]",
                            "a set has no order, and no element number so and so");
    if (base.state == PYTHON_CLOSURE || python_is_number(&base) || python_only(&base, TYPE_FUNCTION))
        return python_fault(l, at, TS_PROBLEM_TYPE, "", "%s has no elements", sort_name(&base));
    if (is_tuple(&index) || is_set(&index))
        return python_fault(l, at, TS_PROBLEM_UNSAID,
                            "write x[i][j], or index(x, (i, j)) for a cell of a grid",
                            "an index is a number");
    bool known = python_is_constant(l, &index, &c) && value_is_small(c);
    int64_t k = known ? value_small(c) : 0;
    if (known && base.parts) {
        int64_t place = k < 0 ? k + base.part_count : k;
        if (place < 0 || place >= base.part_count)
            return python_fault(l, at, TS_PROBLEM_TYPE, "", "there are %d elements only", base.part_count);
        return base.parts[place];
    }
    PythonValue r;
    if (known && k == 0 && is_tuple(&base)) r = PYTHON_CALLED(l, at, OP_first, base);
    else if (known && k == -1 && is_tuple(&base)) r = PYTHON_CALLED(l, at, OP_last, base);
    else r = PYTHON_CALLED(l, at, OP_get_nth_t, base, index);
    return python_parted(l, at, r, base);
}

// A bound of a slice as a place from 0 to n.
static PythonValue bound(PythonLower *l, const PythonNode *at, PythonValue v, PythonValue n) {
    Value c;
    PythonValue zero = python_number(l, 0);
    if (python_is_constant(l, &v, &c) && value_is_small(c)) {
        if (value_small(c) == 0) return zero;
        if (value_small(c) > 0)
            return PYTHON_CALLED(l, at, OP_minimum, PYTHON_CALLED(l, at, OP_astuple, v, n));
        PythonValue from_end = PYTHON_CALLED(l, at, OP_add, n, v);
        return PYTHON_CALLED(l, at, OP_maximum, PYTHON_CALLED(l, at, OP_astuple, from_end, zero));
    }
    PythonValue from_end = PYTHON_CALLED(l, at, OP_add, n, v),
                negative = PYTHON_CALLED(l, at, OP_greater, zero, v);
    PythonValue place = PYTHON_CALLED(l, at, OP_branch, negative, from_end, v);
    place = PYTHON_CALLED(l, at, OP_maximum, PYTHON_CALLED(l, at, OP_astuple, place, zero));
    return PYTHON_CALLED(l, at, OP_minimum, PYTHON_CALLED(l, at, OP_astuple, place, n));
}

PythonValue python_slice(PythonLower *l, PythonScope *s, const PythonNode *at, PythonValue base,
                         const PythonNode *slice) {
    PythonValue one = python_number(l, 1), zero = python_number(l, 0), step = one, start = zero, stop;
    Value c;
    if (slice->a) start = python_value(l, s, slice->a);
    stop = slice->b ? python_value(l, s, slice->b) : zero;
    if (slice->c) step = python_value(l, s, slice->c);
    if (base.state == PYTHON_NOTHING || start.state == PYTHON_NOTHING || stop.state == PYTHON_NOTHING ||
        step.state == PYTHON_NOTHING)
        return python_nothing();
    if (!is_tuple(&base))
        return python_fault(l, at, TS_PROBLEM_TYPE, "make a tuple of it: tuple(x), order(x, key)",
                            "only tuples have slices, and this is %s", sort_name(&base));
    bool known = python_is_constant(l, &step, &c) && value_is_small(c) && value_small(c) != 0;
    if (!known || (value_small(c) < 0 && (slice->a || slice->b || value_small(c) != -1)) ||
        !python_is_number(&start) || !python_is_number(&stop))
        return python_fault(l, at, TS_PROBLEM_UNSAID, "use interval(start, stop, step) and x[i]",
                            "a slice of this kind cannot be said");
    if (!slice->a && !slice->b && value_small(c) == 1) return base;
    PythonValue n = PYTHON_CALLED(l, at, OP_size, base), places;
    if (value_small(c) < 0) {
        if (base.type.self == TYPE_GRID && !base.is_list) return PYTHON_CALLED(l, at, OP_hmirror, base);
        places = PYTHON_CALLED(l, at, OP_interval, PYTHON_CALLED(l, at, OP_decrement, n),
                               python_number(l, -1), step);
    } else {
        stop = slice->b ? bound(l, at, stop, n) : n;
        places = PYTHON_CALLED(l, at, OP_interval, bound(l, at, start, n), stop, step);
    }
    PythonValue r = PYTHON_CALLED(l, at, OP_apply,
                                  PYTHON_CALLED(l, at, OP_lbind, python_op(l, OP_get_nth_t), base), places);
    if (r.state != PYTHON_NOTHING) r.type = type_tuple(type_element(base.type));
    r.is_list = base.is_list;
    r.pairs = base.pairs;
    return r;
}
