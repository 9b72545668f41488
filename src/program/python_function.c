// Functions of the text as function values. A term becomes a function of one of its parameters: x itself is
// identity, what does not depend on x is bound, f(g(x)) is composed, f(g(x), h(x)) forked. Where a function
// is itself made from x and then called, that is first(rapply(initset(…), …)): so everything can be said.
#include "program/python_lower.h"

static const Type any = {TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY, 0};

PythonValue python_parameter(PythonLower *l, Type type, uint32_t *bit) {
    PythonTerm *t = python_alloc(l->text, sizeof *t);
    int k = __builtin_ctz(~l->parameters | 1U << 31);
    *bit = 0;
    if (!t || k >= PYTHON_MOST_PARAMETERS) {
        l->steps = PYTHON_MOST_STEPS; // too large: said with the next call
        return python_nothing();
    }
    *bit = 1U << k;
    l->parameters |= *bit;
    *t = (PythonTerm){.op = PYTHON_PARAMETER_TERM, .free = *bit};
    return (PythonValue){.state = PYTHON_OPEN, .term = t, .type = type.self ? type : any};
}

// ---- Abstraction ----

static PythonValue abstract(PythonLower *l, const PythonNode *at, PythonValue v, uint32_t bit);

static bool is_parameter(const PythonValue *v, uint32_t bit) {
    return v->state == PYTHON_OPEN && v->term->op == PYTHON_PARAMETER_TERM && v->term->free == bit;
}

// f after what the value does with the parameter.
static PythonValue after(PythonLower *l, const PythonNode *at, PythonValue f, PythonValue v, uint32_t bit) {
    return is_parameter(&v, bit) ? f : PYTHON_CALLED(l, at, OP_compose, f, abstract(l, at, v, bit));
}

// The function that calls what one function gives with what another gives.
static PythonValue calling(PythonLower *l, const PythonNode *at, PythonValue f, PythonValue x) {
    PythonValue one = PYTHON_CALLED(l, at, OP_compose, python_op(l, OP_initset), f);
    return PYTHON_CALLED(l, at, OP_compose, python_op(l, OP_first),
                         PYTHON_CALLED(l, at, OP_fork, python_op(l, OP_rapply), one, x));
}

// b if a else c. The functions of both sides are chosen from, and the chosen one called: the other is not.
static PythonValue abstract_choice(PythonLower *l, const PythonNode *at, const PythonTerm *t, uint32_t bit) {
    const PythonValue *a = t->args;
    const bool sides = (python_free(&a[1]) | python_free(&a[2])) & bit;
    if (!sides) {
        PythonValue f = PYTHON_CALLED(l, at, OP_rbind, python_op(l, OP_branch), a[2]);
        return after(l, at, PYTHON_CALLED(l, at, OP_rbind, f, a[1]), a[0], bit);
    }
    PythonValue b = abstract(l, at, a[1], bit), c = abstract(l, at, a[2], bit);
    if (!(python_free(&a[0]) & bit)) return PYTHON_CALLED(l, at, OP_branch, a[0], b, c);
    PythonValue f = PYTHON_CALLED(l, at, OP_rbind, python_op(l, OP_branch), c);
    f = after(l, at, PYTHON_CALLED(l, at, OP_rbind, f, b), a[0], bit);
    return calling(l, at, f, python_op(l, OP_identity));
}

// A call of f, with some arguments that depend on the parameter.
static PythonValue abstract_call(PythonLower *l, const PythonNode *at, PythonValue f, const PythonValue *args,
                                 int n, uint32_t bit) {
    int first = 0, last = n - 1;
    for (; last > 0 && !(python_free(&args[last]) & bit); last--)
        f = PYTHON_CALLED(l, at, OP_rbind, f, args[last]);
    for (; first < last && !(python_free(&args[first]) & bit); first++)
        f = PYTHON_CALLED(l, at, OP_lbind, f, args[first]);
    if (first == last) return after(l, at, f, args[first], bit);
    if (first + 1 == last)
        return PYTHON_CALLED(l, at, OP_fork, f, abstract(l, at, args[first], bit),
                             abstract(l, at, args[last], bit));
    PythonValue made = PYTHON_CALLED(l, at, OP_lbind, python_op(l, OP_lbind), f);
    made = after(l, at, made, args[first], bit);
    for (int k = first + 1; k < last; k++) {
        if (python_free(&args[k]) & bit)
            made = PYTHON_CALLED(l, at, OP_fork, python_op(l, OP_lbind), made, abstract(l, at, args[k], bit));
        else
            made = PYTHON_CALLED(l, at, OP_compose,
                                 PYTHON_CALLED(l, at, OP_rbind, python_op(l, OP_lbind), args[k]), made);
    }
    return calling(l, at, made, abstract(l, at, args[last], bit));
}

static PythonValue abstract_term(PythonLower *l, const PythonNode *at, const PythonTerm *t, uint32_t bit) {
    if (t->op == OP_choose) return abstract_choice(l, at, t, bit);
    if (t->op == OP_equality && !((python_free(&t->args[0]) & bit) && (python_free(&t->args[1]) & bit))) {
        const PythonValue *x = &t->args[python_free(&t->args[0]) & bit ? 0 : 1],
                          *y = x == t->args ? x + 1 : x - 1;
        if (!is_parameter(x, bit)) return PYTHON_CALLED(l, at, OP_matcher, abstract(l, at, *x, bit), *y);
    }
    if (t->op != LINE_CALLS_VALUE) return abstract_call(l, at, python_op(l, (Op)t->op), t->args, t->n, bit);
    if (!(python_free(&t->callee) & bit)) return abstract_call(l, at, t->callee, t->args, t->n, bit);
    PythonValue made = abstract(l, at, t->callee, bit);
    for (int k = 0; k < t->n - 1; k++)
        made = PYTHON_CALLED(l, at, OP_fork, python_op(l, OP_lbind), made, abstract(l, at, t->args[k], bit));
    return calling(l, at, made, abstract(l, at, t->args[t->n - 1], bit));
}

static PythonValue abstract(PythonLower *l, const PythonNode *at, PythonValue v, uint32_t bit) {
    if (v.state == PYTHON_CLOSURE) v = python_function(l, at, v, any);
    if (v.state == PYTHON_NOTHING) return v;
    if (!(python_free(&v) & bit)) {
        PythonValue f = PYTHON_CALLED(l, at, OP_rbind, python_op(l, OP_branch), v);
        return PYTHON_CALLED(l, at, OP_rbind, f, v);
    }
    PythonTerm *t = v.term;
    if (t->op == PYTHON_PARAMETER_TERM) return python_op(l, OP_identity);
    if (t->memo_bit == bit) return t->memo;
    PythonNode place = *at;
    place.line = t->source;
    PythonValue f = abstract_term(l, &place, t, bit);
    t->memo_bit = bit;
    t->memo = f;
    return f;
}

PythonValue python_abstract(PythonLower *l, const PythonNode *at, PythonValue body, uint32_t bit) {
    PythonValue f = bit ? abstract(l, at, body, bit) : python_nothing();
    l->parameters &= ~bit;
    return f;
}

// ---- Calls of what the text defines ----

static int parameter_count(const PythonNode *function) {
    int n = 0;
    for (const PythonNode *p = function->kind == PYTHON_LAMBDA && function->a ? function->a->next
                                                                              : function->a;
         p; p = p->next)
        n++;
    return n;
}

PythonValue python_inline(PythonLower *l, const PythonNode *at, PythonValue closure, int n,
                          const PythonValue *args) {
    const PythonNode *f = closure.function, *p = f->kind == PYTHON_LAMBDA && f->a ? f->a->next : f->a;
    PythonScope *scope = python_alloc(l->text, sizeof *scope); // closures made inside may outlive the call
    if (!scope) return python_nothing();
    *scope = (PythonScope){.outer = closure.scope, .function = f};
    PythonValue result = python_nothing();
    for (uint32_t k = 0; k < l->calls; k++)
        if (l->stack[k] == f)
            return python_fault(l, at, TS_PROBLEM_UNSAID, "use power(f, n), or a for over a range",
                                "a function cannot call itself");
    if (l->calls == PYTHON_MOST_CALLS)
        return python_fault(l, at, TS_PROBLEM_LIMIT, "", "functions call each other more than %d deep",
                            PYTHON_MOST_CALLS);
    for (int k = 0; p; p = p->next, k++) {
        if (k < n && args[k].state != PYTHON_UNSET) {
            PythonValue v = args[k];
            v.is_shared = v.is_list;
            python_set(l, scope, p->name, v);
        } else if (p->a) python_set(l, scope, p->name, python_value(l, closure.scope, p->a));
        else {
            const Token *t = &l->text->names[p->name].token;
            return python_fault(l, at, TS_PROBLEM_ARGUMENT, "", "the function gets no '%.*s'", (int)t->length,
                                t->start);
        }
    }
    if (++l->steps > PYTHON_MOST_STEPS) return python_too_large(l, at);
    l->stack[l->calls++] = f;
    if (f->kind == PYTHON_LAMBDA) result = python_value(l, scope, f->b);
    else if (!python_block(l, scope, f->b, NULL, &result)) result = python_constant(l, at, VALUE_NONE);
    l->calls--;
    return result;
}

PythonValue python_apply(PythonLower *l, const PythonNode *at, PythonValue f, int n,
                         const PythonValue *args) {
    if (f.state != PYTHON_CLOSURE) return python_call_value(l, at, f, n, args);
    if (n > parameter_count(f.function))
        return python_fault(l, at, TS_PROBLEM_ARGUMENT, "", "the function takes %d argument%s, %d given",
                            parameter_count(f.function), parameter_count(f.function) == 1 ? "" : "s", n);
    return python_inline(l, at, f, n, args);
}

PythonValue python_function(PythonLower *l, const PythonNode *at, PythonValue f, Type argument) {
    if (f.state != PYTHON_CLOSURE) return f;
    uint32_t bit;
    int least = 0;
    const PythonNode *p =
        f.function->kind == PYTHON_LAMBDA && f.function->a ? f.function->a->next : f.function->a;
    for (; p; p = p->next) least += p->a == NULL;
    if (least > 1 || parameter_count(f.function) == 0)
        return python_fault(l, at, TS_PROBLEM_UNSAID, "use a primitive of two arguments, or a for over pairs",
                            "a function of %d arguments cannot be passed on here",
                            parameter_count(f.function));
    PythonValue x = python_parameter(l, argument, &bit);
    return python_abstract(l, at, python_inline(l, at, f, 1, &x), bit);
}
