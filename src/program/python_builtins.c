// Python's own functions and methods, where the language has the like.
#include "program/python_lower.h"

typedef struct {
    PythonLower *l;
    PythonScope *s;
    const PythonNode *n;
    const PythonNode *args[4]; // without names
    int count;
    const PythonNode *key, *otherwise, *reverse, *start; // with names: key=, default=, reverse=, start=
} Builtin;

typedef PythonValue BuiltinFn(Builtin *b);

static PythonValue argument(Builtin *b, int k) { return python_value(b->l, b->s, b->args[k]); }

static PythonValue gone_through(Builtin *b, int k, PythonWish wish) {
    return python_elements(b->l, b->s, b->args[k], wish);
}

static bool failed(const PythonValue *v) { return v->state == PYTHON_NOTHING; }

// The function that key= names, for elements of the container.
static PythonValue key_of(Builtin *b, PythonValue container, PythonValue *gives) {
    *gives = (PythonValue){.type = type_element(container.type)};
    if (!b->key) return python_op(b->l, OP_identity);
    PythonValue f = python_value(b->l, b->s, b->key);
    if (failed(&f)) return f;
    uint32_t bit;
    PythonValue x =
        python_parted(b->l, b->n, python_parameter(b->l, type_element(container.type), &bit), container);
    *gives = python_apply(b->l, b->key, f, 1, &x);
    if (f.state == PYTHON_CLOSURE) return python_abstract(b->l, b->key, *gives, bit);
    b->l->parameters &= ~bit;
    return f;
}

// ---- Numbers ----

static PythonValue of_len(Builtin *b) { return PYTHON_CALLED(b->l, b->n, OP_size, argument(b, 0)); }

static PythonValue of_abs(Builtin *b) {
    PythonValue v = argument(b, 0);
    if (failed(&v)) return v;
    if (!python_is_number(&v))
        return python_fault(b->l, b->args[0], TS_PROBLEM_TYPE, "use multiply(x, sign(x))",
                            "abs is of a number");
    return PYTHON_CALLED(b->l, b->n, OP_multiply, v, PYTHON_CALLED(b->l, b->n, OP_sign, v));
}

static PythonValue of_int(Builtin *b) {
    PythonValue v = argument(b, 0);
    if (failed(&v) || python_is_number(&v)) return v;
    return python_fault(b->l, b->args[0], TS_PROBLEM_TYPE, "leave it out: there are whole numbers only",
                        "int is of a number");
}

static PythonValue of_bool(Builtin *b) {
    return python_not(b->l, b->n, python_not(b->l, b->n, argument(b, 0)));
}

static PythonValue of_range(Builtin *b) {
    PythonValue v[3] = {python_number(b->l, 0), python_nothing(), python_number(b->l, 1)};
    for (int k = 0; k < b->count; k++) v[b->count == 1 ? 1 : k] = argument(b, k);
    for (int k = 0; k < 3; k++) {
        if (failed(&v[k])) return v[k];
        if (!python_is_number(&v[k]) && v[k].type.self != TYPE_ALL)
            return python_fault(b->l, b->n, TS_PROBLEM_TYPE, "", "range is of numbers");
    }
    return python_call(b->l, b->n, OP_interval, 3, v);
}

static PythonValue of_sum(Builtin *b) {
    const PythonNode *a = b->args[0];
    if (a->kind == PYTHON_COMPREHENSION && a->a->kind == PYTHON_INT && a->a->value == 1 && b->count == 1 &&
        !a->b->next) {
        PythonNode counted = *a; // a number of ones is a number of elements
        counted.a = a->b->a;
        PythonValue v = python_comprehension(b->l, b->s, &counted, PYTHON_TO_TUPLE);
        return PYTHON_CALLED(b->l, b->n, OP_size, v);
    }
    PythonValue c = gone_through(b, 0, PYTHON_TO_TUPLE);
    PythonValue start = b->count > 1 ? argument(b, 1)
                        : b->start   ? python_value(b->l, b->s, b->start)
                                     : python_number(b->l, 0);
    if (failed(&c) || failed(&start)) return python_nothing();
    Value none;
    bool tuples =
        python_is_constant(b->l, &start, &none) && value_is_tuple(none) && value_length(b->l->ctx, none) == 0;
    if (tuples) return PYTHON_CALLED(b->l, b->n, OP_merge, c);
    return python_sum(b->l, b->n, c, start);
}

// ---- The greatest and the least ----

static PythonValue extreme(Builtin *b, Op by_key, Op plain) {
    PythonLower *l = b->l;
    PythonValue c, gives, nothing;
    if (b->count > 1) {
        PythonValue all[4];
        for (int k = 0; k < b->count; k++) all[k] = argument(b, k);
        c = python_tuple(l, b->n, all, (size_t)b->count, false);
        if (!failed(&c) && !b->key) {
            PythonValue r = PYTHON_CALLED(l, b->n, plain, c);
            if (!failed(&r)) r.type = type_element(c.type).self ? type_element(c.type) : r.type;
            return r;
        }
    } else c = gone_through(b, 0, PYTHON_TO_EITHER);
    PythonValue f = key_of(b, c, &gives);
    if (failed(&c) || failed(&f)) return python_nothing();
    PythonValue r = PYTHON_CALLED(l, b->n, by_key, c, f);
    if (failed(&r)) return r;
    Type e = type_element(c.type);
    if (e.self) r.type = e;
    r = python_parted(l, b->n, r, c);
    if (!b->otherwise) return r;
    nothing = python_value(l, b->s, b->otherwise);
    return python_choose(l, b->n, PYTHON_CALLED(l, b->n, OP_positive, PYTHON_CALLED(l, b->n, OP_size, c)), r,
                         nothing);
}

static PythonValue of_max(Builtin *b) { return extreme(b, OP_argmax, OP_maximum); }
static PythonValue of_min(Builtin *b) { return extreme(b, OP_argmin, OP_minimum); }

static PythonValue of_sorted(Builtin *b) {
    PythonLower *l = b->l;
    const bool made = b->args[0]->kind == PYTHON_COMPREHENSION; // of which equal elements count, too
    PythonValue c = gone_through(b, 0, made ? PYTHON_TO_TUPLE : PYTHON_TO_EITHER), gives,
                f = key_of(b, c, &gives);
    bool down = false;
    if (b->reverse) {
        PythonValue v = python_value(l, b->s, b->reverse);
        Value known;
        if (!failed(&v) && !python_is_constant(l, &v, &known))
            return python_fault(l, b->reverse, TS_PROBLEM_UNSAID, "write True or False",
                                "reverse is not known");
        down = !failed(&v) && py_truth(known);
    }
    if (failed(&c) || failed(&f)) return python_nothing();
    if (down) { // the other way round by what is less: equal ones stay as they are, as in Python
        if (!python_only(&gives, TYPE_INT | TYPE_BOOL | TYPE_PAIR))
            return python_fault(l, b->n, TS_PROBLEM_TYPE,
                                "use a key that is a number: order(x, compose(invert, key))",
                                "what is sorted by here may be no number");
        f = b->key ? PYTHON_CALLED(l, b->n, OP_compose, python_op(l, OP_invert), f) : python_op(l, OP_invert);
    }
    PythonValue r = PYTHON_CALLED(l, b->n, OP_order, c, f);
    if (!failed(&r)) r.type = type_tuple(type_element(c.type));
    r.pairs = c.pairs;
    r.is_list = true;
    return r;
}

// ---- Containers ----

static PythonValue as_container(Builtin *b, PythonWish wish, bool is_list) {
    if (b->count == 0) {
        PythonValue v = wish == PYTHON_TO_SET ? python_constant(b->l, b->n, VALUE_NO_SET)
                                              : python_tuple(b->l, b->n, NULL, 0, false);
        v.is_list = is_list;
        return v;
    }
    PythonValue v = gone_through(b, 0, wish);
    v.is_list = is_list;
    v.is_shared = false;
    return v;
}

static PythonValue of_tuple(Builtin *b) { return as_container(b, PYTHON_TO_TUPLE, false); }
static PythonValue of_list(Builtin *b) { return as_container(b, PYTHON_TO_TUPLE, true); }
static PythonValue of_set(Builtin *b) { return as_container(b, PYTHON_TO_SET, false); }

static PythonValue of_any(Builtin *b) {
    PythonLower *l = b->l;
    PythonValue c = gone_through(b, 0, PYTHON_TO_EITHER);
    PythonValue r = PYTHON_CALLED(l, b->n, OP_sfilter, c, python_op(l, OP_identity));
    return PYTHON_CALLED(l, b->n, OP_positive, PYTHON_CALLED(l, b->n, OP_size, r));
}

// A comprehension that asks something of each element is a filter.
static bool asked(Builtin *b, PythonValue *container, PythonValue *held) {
    const PythonNode *a = b->args[0];
    if (a->kind != PYTHON_COMPREHENSION || a->b->next) return false;
    PythonNode plain = *a;
    plain.a = a->b->a;
    *container = python_comprehension(b->l, b->s, &plain, PYTHON_TO_EITHER);
    if (plain.a->kind != PYTHON_NAME) { // names in brackets: the elements themselves
        *container = python_elements(b->l, b->s, a->b->b, PYTHON_TO_EITHER);
        for (const PythonNode *k = a->b->c; k; k = k->next)
            *container = python_filter(b->l, b->s, a->b->a, *container, k);
    }
    *held = python_filter(b->l, b->s, a->b->a, *container, a->a);
    return true;
}

static PythonValue of_some(Builtin *b) {
    PythonValue c, held;
    if (!asked(b, &c, &held)) return of_any(b);
    return PYTHON_CALLED(b->l, b->n, OP_positive, PYTHON_CALLED(b->l, b->n, OP_size, held));
}

static PythonValue of_all(Builtin *b) {
    PythonValue c, held;
    if (!asked(b, &c, &held)) {
        c = gone_through(b, 0, PYTHON_TO_EITHER);
        held = PYTHON_CALLED(b->l, b->n, OP_sfilter, c, python_op(b->l, OP_identity));
    }
    return PYTHON_CALLED(b->l, b->n, OP_equality, held, c);
}

static PythonValue paired(Builtin *b, PythonValue x, PythonValue y) {
    PythonValue r = PYTHON_CALLED(b->l, b->n, OP_pair, x, y);
    if (failed(&r)) return r;
    Type *pairs = python_alloc(b->l->text, 2 * sizeof *pairs);
    if (!pairs) return python_nothing();
    pairs[0] = type_element(x.type);
    pairs[1] = type_element(y.type);
    r.pairs = pairs;
    return r;
}

static PythonValue of_enumerate(Builtin *b) {
    PythonLower *l = b->l;
    PythonValue c = gone_through(b, 0, PYTHON_TO_TUPLE), start = python_number(l, 0);
    if (b->count > 1) start = argument(b, 1);
    else if (b->start) start = python_value(l, b->s, b->start);
    if (failed(&c) || failed(&start)) return python_nothing();
    PythonValue end = python_binary(l, b->n, '+', PYTHON_CALLED(l, b->n, OP_size, c), start);
    if (b->count == 1 && !b->start) end = PYTHON_CALLED(l, b->n, OP_size, c);
    return paired(b, PYTHON_CALLED(l, b->n, OP_interval, start, end, python_number(l, 1)), c);
}

static PythonValue of_zip(Builtin *b) {
    if (b->count == 1 && b->args[0]->kind == PYTHON_STAR) {
        PythonValue g = python_value(b->l, b->s, b->args[0]->a);
        if (failed(&g)) return g;
        if (!(g.type.self & TYPE_GRID) || !python_only(&g, TYPE_TUPLES))
            return python_fault(b->l, b->args[0], TS_PROBLEM_TYPE, "use dmirror(g) for a grid",
                                "zip(*x) is for grids");
        PythonValue r = PYTHON_CALLED(b->l, b->n, OP_dmirror, g);
        if (!failed(&r)) r.type = (Type){TYPE_GRID};
        return r;
    }
    if (b->count != 2)
        return python_fault(b->l, b->n, TS_PROBLEM_UNSAID, "use pair(a, b) twice",
                            "zip is of two containers");
    PythonValue x = gone_through(b, 0, PYTHON_TO_TUPLE), y = gone_through(b, 1, PYTHON_TO_TUPLE);
    if (failed(&x) || failed(&y)) return python_nothing();
    return paired(b, x, y);
}

static PythonValue of_map(Builtin *b) {
    PythonLower *l = b->l;
    PythonValue f = argument(b, 0), c = gone_through(b, 1, PYTHON_TO_TUPLE), gives;
    if (failed(&f) || failed(&c)) return python_nothing();
    b->key = b->args[0];
    f = key_of(b, c, &gives);
    PythonValue r = PYTHON_CALLED(l, b->n, OP_apply, f, c);
    if (!failed(&r)) r.type = type_apply(c.type, gives.type);
    return r;
}

static PythonValue of_filter(Builtin *b) {
    PythonValue c = gone_through(b, 1, PYTHON_TO_TUPLE), gives;
    b->key = b->args[0];
    PythonValue f = key_of(b, c, &gives), r = PYTHON_CALLED(b->l, b->n, OP_sfilter, c, f);
    r.pairs = c.pairs;
    return r;
}

static PythonValue of_reversed(Builtin *b) {
    PythonValue v = argument(b, 0);
    PythonNode step = {.kind = PYTHON_SIGN, .op = '-', .at = b->n->at, .line = b->n->line};
    PythonNode one = {.kind = PYTHON_INT, .value = 1, .at = b->n->at, .line = b->n->line};
    PythonNode slice = {.kind = PYTHON_SLICE, .c = &step, .at = b->n->at};
    step.a = &one;
    return python_slice(b->l, b->s, b->n, v, &slice);
}

// The first element, as of next(x for x in … if …) and next(iter(x)).
static PythonValue of_next(Builtin *b) {
    PythonLower *l = b->l;
    const PythonNode *a = b->args[0];
    PythonValue c;
    if (a->kind == PYTHON_CALL && a->a->kind == PYTHON_NAME && a->b && !a->b->next) {
        const Token *t = &l->text->names[a->a->name].token;
        if (t->length != 4 || memcmp(t->start, "iter", 4) != 0)
            return python_fault(l, a, TS_PROBLEM_UNSAID, "use first(x)", "next is of a generator");
        c = python_elements(l, b->s, a->b, PYTHON_TO_EITHER);
    } else c = gone_through(b, 0, PYTHON_TO_EITHER);
    PythonValue r = PYTHON_CALLED(l, b->n, OP_first, c);
    if (failed(&r) || b->count == 1) return r;
    return python_choose(l, b->n, PYTHON_CALLED(l, b->n, OP_positive, PYTHON_CALLED(l, b->n, OP_size, c)), r,
                         argument(b, 1));
}

static PythonValue of_divmod(Builtin *b) {
    PythonValue x = argument(b, 0), y = argument(b, 1);
    PythonValue both[2] = {python_binary(b->l, b->n, PYTHON_OP('/', '/'), x, y),
                           python_binary(b->l, b->n, '%', x, y)};
    return python_tuple(b->l, b->n, both, 2, false);
}

static const struct {
    const char *name;
    BuiltinFn *fn;
    int least, most;
} builtins[] = {
    {"len", of_len, 1, 1},       {"abs", of_abs, 1, 1},
    {"int", of_int, 1, 1},       {"bool", of_bool, 1, 1},
    {"range", of_range, 1, 3},   {"sum", of_sum, 1, 2},
    {"max", of_max, 1, 4},       {"min", of_min, 1, 4},
    {"sorted", of_sorted, 1, 1}, {"tuple", of_tuple, 0, 1},
    {"list", of_list, 0, 1},     {"set", of_set, 0, 1},
    {"frozenset", of_set, 0, 1}, {"any", of_some, 1, 1},
    {"all", of_all, 1, 1},       {"enumerate", of_enumerate, 1, 2},
    {"zip", of_zip, 1, 4},       {"map", of_map, 2, 2},
    {"filter", of_filter, 2, 2}, {"reversed", of_reversed, 1, 1},
    {"next", of_next, 1, 2},     {"divmod", of_divmod, 2, 2},
};

static bool take_keyword(Builtin *b, const PythonNode *a) {
    const Token *t = &b->l->text->names[a->name].token;
    static const char *const names[] = {"key", "default", "reverse", "start"};
    const PythonNode **places[] = {&b->key, &b->otherwise, &b->reverse, &b->start};
    for (int k = 0; k < 4; k++)
        if (strlen(names[k]) == t->length && memcmp(names[k], t->start, t->length) == 0) {
            *places[k] = a->a;
            return true;
        }
    python_fault(b->l, a, TS_PROBLEM_ARGUMENT, "", "there is no such argument '%.*s'",
                 t->length > 60 ? 60 : (int)t->length, t->start);
    return false;
}

bool python_builtin(PythonLower *l, PythonScope *s, const PythonNode *n, const Token *name,
                    PythonValue *result) {
    for (size_t k = 0; k < sizeof builtins / sizeof *builtins; k++) {
        if (strlen(builtins[k].name) != name->length ||
            memcmp(builtins[k].name, name->start, name->length) != 0)
            continue;
        Builtin b = {.l = l, .s = s, .n = n};
        *result = python_nothing();
        for (const PythonNode *a = n->b; a; a = a->next) {
            if (a->kind == PYTHON_KEYWORD) {
                if (!take_keyword(&b, a)) return true;
            } else if (b.count == builtins[k].most || (a->kind == PYTHON_STAR && builtins[k].fn != of_zip)) {
                python_fault(l, a, TS_PROBLEM_ARGUMENT, "", "%s takes %d argument%s here", builtins[k].name,
                             builtins[k].most, builtins[k].most == 1 ? "" : "s");
                return true;
            } else b.args[b.count++] = a;
        }
        if (b.count < builtins[k].least)
            python_fault(l, n, TS_PROBLEM_ARGUMENT, "", "%s takes %d argument%s, %d given", builtins[k].name,
                         builtins[k].least, builtins[k].least == 1 ? "" : "s", b.count);
        else *result = builtins[k].fn(&b);
        return true;
    }
    return false;
}

// ---- Methods ----

static const struct {
    const char *name, *remedy;
} mutations[] = {
    {"append", "make a new tuple: x = combine(x, (y,)), or use apply(f, container)"},
    {"extend", "make a new tuple: x = combine(x, y)"},
    {"add", "make a new set: x = insert(y, x)"},
    {"update", "make a new set: x = combine(x, y)"},
    {"remove", "make a new container: x = remove(y, x)"},
    {"discard", "make a new container: x = remove(y, x)"},
    {"pop", "use last(x) and remove(y, x)"},
    {"insert", "use insert(y, x) for sets, combine(a, b) for tuples"},
    {"sort", "use order(x, key)"},
    {"reverse", "use x[::-1]"},
    {"copy", "leave it out: nothing can be changed in place"},
    {"items", "use a tuple of pairs"},
    {"index", "use first(sfilter(interval(0, size(x), 1), …))"},
};

static PythonValue counted(PythonLower *l, const PythonNode *n, PythonValue base, PythonValue x) {
    PythonValue f = PYTHON_CALLED(l, n, OP_lbind, python_op(l, OP_equality), x);
    return PYTHON_CALLED(l, n, OP_size, PYTHON_CALLED(l, n, OP_sfilter, base, f));
}

PythonValue python_method(PythonLower *l, PythonScope *s, const PythonNode *n) {
    const Token *t = &l->text->names[n->a->name].token;
    char name[32] = "";
    if (t->length < sizeof name) memcpy(name, t->start, t->length);
    int count = l->text->count;
    PythonValue base = python_value(l, s, n->a->a);
    if (l->text->count > count || base.state == PYTHON_NOTHING) return python_nothing();
    bool one = n->b && !n->b->next && n->b->kind != PYTHON_KEYWORD && n->b->kind != PYTHON_STAR;
    static const struct {
        const char *name;
        Op op;
    } sets[] = {{"union", OP_combine}, {"intersection", OP_intersection}, {"difference", OP_difference}};
    for (size_t k = 0; one && k < 3; k++) {
        if (strcmp(sets[k].name, name) != 0) continue;
        PythonValue other = python_elements(l, s, n->b, PYTHON_TO_SET);
        if (base.state == PYTHON_NOTHING || other.state == PYTHON_NOTHING) return python_nothing();
        if (!python_only(&base, TYPE_SETS))
            return python_fault(l, n->a, TS_PROBLEM_TYPE, "use combine, intersection, difference",
                                "'%s' is of sets", name);
        return PYTHON_CALLED(l, n, sets[k].op, base, other);
    }
    if (one && strcmp(name, "count") == 0) {
        PythonValue x = python_value(l, s, n->b);
        if (base.state == PYTHON_NOTHING || x.state == PYTHON_NOTHING) return python_nothing();
        if (!python_only(&base, TYPE_TUPLES))
            return python_fault(l, n->a, TS_PROBLEM_TYPE, "use size(sfilter(x, …))", "'count' is of tuples");
        return counted(l, n, base, x);
    }
    for (size_t k = 0; k < sizeof mutations / sizeof *mutations; k++)
        if (strcmp(mutations[k].name, name) == 0)
            return python_fault(l, n->a, TS_PROBLEM_UNSAID, mutations[k].remedy, "there is no method '%s'",
                                name);
    return python_fault(l, n->a, TS_PROBLEM_UNSAID, "use a primitive", "values have no methods");
}
