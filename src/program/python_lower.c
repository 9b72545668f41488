// Names, displays, comprehensions and statements.
#include "program/python_lower.h"

#include <ctype.h>
#include <stdio.h>

static const Type any = {TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY, 0};

// ---- Variables ----

PythonVariable *python_find(const PythonScope *s, uint32_t name) {
    for (uint32_t k = 0; k < s->count; k++)
        if (s->variables[k].name == name) return &s->variables[k];
    return NULL;
}

void python_set(PythonLower *l, PythonScope *s, uint32_t name, PythonValue v) {
    PythonVariable *found = python_find(s, name);
    if (!found && s->count == s->room) {
        uint32_t room = s->room ? 2 * s->room : 16;
        PythonVariable *grown = python_alloc(l->text, room * sizeof *grown);
        if (!grown) return;
        if (s->count) memcpy(grown, s->variables, s->count * sizeof *grown);
        s->variables = grown;
        s->room = room;
    }
    if (!found) found = &s->variables[s->count++];
    *found = (PythonVariable){name, v};
}

static bool target_has(const PythonNode *target, uint32_t name) {
    if (target->kind == PYTHON_NAME) return target->name == name;
    if (target->kind != PYTHON_TUPLE && target->kind != PYTHON_LIST) return false;
    for (const PythonNode *e = target->a; e; e = e->next)
        if (target_has(e, name)) return true;
    return false;
}

// What a statement such as x.append(y) changes; NULL: nothing.
static const PythonNode *changed(const PythonNode *n) {
    if (n->kind != PYTHON_EXPRESSION || n->a->kind != PYTHON_CALL || n->a->a->kind != PYTHON_ATTRIBUTE)
        return NULL;
    return n->a->a->a->kind == PYTHON_NAME ? n->a->a->a : NULL;
}

bool python_assigns(const PythonNode *n, uint32_t name) {
    for (; n; n = n->next) {
        switch (n->kind) {
        case PYTHON_ASSIGN:
            for (const PythonNode *t = n->a; t; t = t->next)
                if (target_has(t, name)) return true;
            break;
        case PYTHON_AUGMENT:
            if (target_has(n->a, name)) return true;
            break;
        case PYTHON_FOR:
            if (target_has(n->a, name) || python_assigns(n->c, name)) return true;
            break;
        case PYTHON_IF:
            if (python_assigns(n->b, name) || python_assigns(n->c, name)) return true;
            break;
        case PYTHON_REFUSED:
            if (python_assigns(n->a, name)) return true;
            break;
        case PYTHON_DEF:
            if (n->name == name) return true;
            break;
        default: break;
        }
    }
    return false;
}

// A guess is offered only where it is near in meaning, too: no variable x7 is a word A7.
static void guess(PythonLower *l, const PythonScope *s, const Token *name, char *remedy, size_t size) {
    char nearest[40];
    Symbols *symbols = &l->symbols;
    bool numbered =
        name->length > 1 && name->length < 5 && isdigit((unsigned char)name->start[name->length - 1]);
    if (numbered || name->length == 1) {
        snprintf(remedy, size, "no line above gives it a value: the line is missing");
        return;
    }
    symbols_clear(symbols);
    for (; s; s = s->outer)
        for (uint32_t k = 0; k < s->count; k++) {
            uint32_t v = symbols_variable(symbols, &l->text->names[s->variables[k].name].token);
            if (v != UINT32_MAX) symbols->variables[v].ref = 0;
        }
    if (name->length > 2 && symbols_nearest(symbols, name->start, name->length, nearest, sizeof nearest))
        snprintf(remedy, size, "did you mean '%s'?", nearest);
}

// What Python has beyond the language, with what to say instead.
static const struct {
    const char *name, *remedy;
} foreign[] = {
    {"print", "leave it out"},
    {"input", "the grid is the parameter of the program"},
    {"isinstance", "the types of values are known: leave it out"},
    {"type", "the types of values are known: leave it out"},
    {"np", "use the primitives: there is no numpy"},
    {"numpy", "use the primitives: there is no numpy"},
    {"Counter", "use mostcommon(x), leastcommon(x), mostcolor(g) or colorcount(g, c)"},
    {"defaultdict", "use a tuple of pairs and lookup(key, pairs, otherwise)"},
    {"dict", "use a tuple of pairs and lookup(key, pairs, otherwise)"},
    {"deque", "use tuples"},
    {"deepcopy", "leave it out: nothing can be changed in place"},
    {"copy", "leave it out: nothing can be changed in place"},
    {"float", "there are whole numbers only: use '//'"},
    {"str", "there are no strings"},
    {"math", "use the primitives"},
    {"itertools", "use product(a, b), or two fors in a comprehension"},
    {"random", "a program gives the same each time"},
    {"reduce", "use a for that goes on with its result"},
    {"iter", "use first(x)"},
};

PythonValue python_unknown(PythonLower *l, const PythonScope *s, const PythonNode *n, bool called) {
    const Token *t = &l->text->names[n->name].token;
    char remedy[160] = "";
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        if (strlen(foreign[k].name) == t->length && memcmp(foreign[k].name, t->start, t->length) == 0)
            return python_fault(l, n, TS_PROBLEM_UNSAID, foreign[k].remedy, "there is no '%s'",
                                foreign[k].name);
    guess(l, s, t, remedy, sizeof remedy);
    return python_fault(l, n, TS_PROBLEM_NAME, remedy, "unknown %s '%.*s'", called ? "primitive" : "name",
                        t->length > 60 ? 60 : (int)t->length, t->start);
}

static PythonValue unset(PythonLower *l, const PythonNode *n) {
    const Token *t = &l->text->names[n->name].token;
    return python_fault(l, n, TS_PROBLEM_NAME, "give it one before, or on the other side too",
                        "'%.*s' may have no value here", t->length > 60 ? 60 : (int)t->length, t->start);
}

// The value that a name has in the scopes around; false where none has it.
static bool variable(PythonLower *l, PythonScope *s, const PythonNode *n, PythonValue *v) {
    const PythonName *name = &l->text->names[n->name];
    for (PythonScope *k = s; k; k = k->outer) {
        const PythonVariable *found = python_find(k, n->name);
        if (found) {
            *v = found->value.state == PYTHON_UNSET ? unset(l, n) : found->value;
            return true;
        }
        bool own = k->function && k->function->kind == PYTHON_DEF && name->is_stored;
        if (own && python_assigns(k->function->b, n->name)) {
            *v = python_fault(l, n, TS_PROBLEM_NAME, "",
                              "'%.*s' has been used above, where it is this variable, still without a value",
                              name->token.length > 60 ? 60 : (int)name->token.length, name->token.start);
            if (!name->known && !name->def) {
                l->text->count--;
                *v = python_unknown(l, s, n, false);
            }
            return true;
        }
    }
    if (!name->def) return false;
    *v = (PythonValue){.state = PYTHON_CLOSURE, .function = name->def, .scope = &l->top};
    return true;
}

static PythonValue name_value(PythonLower *l, PythonScope *s, const PythonNode *n) {
    PythonValue v;
    if (variable(l, s, n, &v)) return v;
    const Symbol *known = l->text->names[n->name].known;
    if (known && symbol_is_value(known)) return python_constant(l, n, known->value);
    const Token *t = &l->text->names[n->name].token; // Python's own functions that one of ours is like
    static const struct {
        const char *name;
        Op op;
    } alike[] = {{"len", OP_size}, {"tuple", OP_totuple}, {"list", OP_totuple}};
    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++)
        if (strlen(alike[k].name) == t->length && memcmp(alike[k].name, t->start, t->length) == 0)
            return python_op(l, alike[k].op);
    return python_unknown(l, s, n, false);
}

// ---- Giving values ----

// How many elements a tuple has for certain; -1: not known.
static int known_length(const PythonLower *l, const PythonValue *v) {
    if (v->parts) return v->part_count;
    if (python_only(v, TYPE_PAIR | TYPE_CELL)) return 2;
    Value constant;
    if (python_is_constant(l, v, &constant) && value_is_tuple(constant))
        return (int)value_length(l->ctx, constant);
    if (v->state != PYTHON_CLOSED || ref_kind(v->ref) != REF_LINE) return -1;
    const DraftLine *line = &l->draft->lines[ref_index(v->ref)];
    if (line->op == OP_shape || line->op == OP_astuple) return 2;
    bool counted = line->op == OP_hsplit || line->op == OP_vsplit || line->op == OP_repeat;
    if (!counted || ref_kind(line->args[1]) != REF_CONSTANT) return -1;
    constant = l->draft->constants[ref_index(line->args[1])];
    return value_is_small(constant) && value_small(constant) >= 0 && value_small(constant) < 100
               ? (int)value_small(constant)
               : -1;
}

// The same value, failing where it has not so many elements, as Python does.
static PythonValue of_length(PythonLower *l, const PythonNode *at, PythonValue v, int n) {
    if (v.state != PYTHON_CLOSED || v.is_shared) return v;
    PythonValue size = PYTHON_CALLED(l, at, OP_size, v), wanted = python_number(l, n);
    PythonValue fails = PYTHON_CALLED(l, at, OP_first, python_constant(l, at, VALUE_NO_TUPLE));
    PythonValue r = python_choose(l, at, PYTHON_CALLED(l, at, OP_equality, size, wanted), v, fails);
    r.type = v.type;
    return r;
}

static PythonValue part(PythonLower *l, const PythonNode *at, PythonValue v, int k, int n) {
    if (v.parts && k < v.part_count) return v.parts[k];
    if (k == 0) return PYTHON_CALLED(l, at, OP_first, v);
    if (k == n - 1) return PYTHON_CALLED(l, at, OP_last, v);
    return PYTHON_CALLED(l, at, OP_get_nth_t, v, python_number(l, k));
}

bool python_bind(PythonLower *l, PythonScope *s, const PythonNode *target, PythonValue v) {
    if (target->kind == PYTHON_NAME) {
        python_set(l, s, target->name, v);
        return true;
    }
    if (target->kind != PYTHON_TUPLE && target->kind != PYTHON_LIST) {
        python_fault(l, target, TS_PROBLEM_UNSAID, "name each of them", "this can be given no value");
        return false;
    }
    int n = 0, k = 0, length = known_length(l, &v);
    for (const PythonNode *e = target->a; e; e = e->next) n++;
    if (v.state == PYTHON_CLOSURE)
        v = python_fault(l, target, TS_PROBLEM_TYPE, "", "a function has no elements");
    if (v.state != PYTHON_NOTHING && length >= 0 && length != n)
        v = python_fault(l, target, TS_PROBLEM_TYPE, "", "%d names for %d values", n, length);
    else if (v.state != PYTHON_NOTHING && python_is_number(&v))
        v = python_fault(l, target, TS_PROBLEM_TYPE, "", "a number has no elements");
    else if (v.state != PYTHON_NOTHING && length < 0) {
        if (!python_only(&v, TYPE_TUPLES)) v = PYTHON_CALLED(l, target, OP_totuple, v);
        v = of_length(l, target, v, n);
    }
    for (const PythonNode *e = target->a; e; e = e->next, k++)
        if (!python_bind(l, s, e, v.state == PYTHON_NOTHING ? v : part(l, e, v, k, n))) return false;
    return true;
}

// ---- Displays ----

static PythonValue display(PythonLower *l, PythonScope *s, const PythonNode *n) {
    size_t count = 0, k = 0;
    for (const PythonNode *e = n->a; e; e = e->next) count++;
    PythonValue *elements = python_alloc(l->text, count * sizeof *elements + 1);
    if (!elements) return python_nothing();
    bool lists = false;
    for (const PythonNode *e = n->a; e; e = e->next) {
        if (e->kind == PYTHON_STAR)
            return python_fault(l, e, TS_PROBLEM_UNSAID, "use combine(a, b)", "there are no stars in tuples");
        elements[k] = python_value(l, s, e);
        if (elements[k].state == PYTHON_CLOSURE) elements[k] = python_function(l, e, elements[k], any);
        if (e->kind == PYTHON_NAME && elements[k].is_list) {
            PythonVariable *v = python_find(s, e->name);
            if (v) v->value.is_shared = true;
        }
        lists |= elements[k++].is_list;
    }
    if (n->kind == PYTHON_SET && lists)
        return python_fault(l, n, TS_PROBLEM_TYPE, "make tuples of them", "a list cannot be in a set");
    PythonValue v = python_tuple(l, n, elements, count, n->kind == PYTHON_SET);
    v.is_list = n->kind == PYTHON_LIST;
    return v;
}

// ---- Comprehensions ----

PythonValue python_as_tuple(PythonLower *l, const PythonNode *at, PythonValue v) {
    if (v.state == PYTHON_NOTHING || python_only(&v, TYPE_TUPLES)) return v;
    PythonValue r = PYTHON_CALLED(l, at, OP_totuple, v);
    r.pairs = v.pairs;
    return r;
}

PythonValue python_as_set(PythonLower *l, const PythonNode *at, PythonValue v) {
    if (v.state == PYTHON_NOTHING || python_only(&v, TYPE_SETS)) return v;
    Value constant;
    if (python_is_constant(l, &v, &constant) && value_is_container(constant)) {
        Gather g = gather(l->ctx);
        gather_all(&g, constant);
        return python_constant(l, at, gather_set(&g));
    }
    PythonValue r = PYTHON_CALLED(l, at, OP_combine, python_constant(l, at, VALUE_NO_SET), v);
    if (r.state != PYTHON_NOTHING && v.type.self != TYPE_ALL) r.type = type_set(type_element(v.type));
    r.pairs = v.pairs;
    return r;
}

PythonValue python_parted(PythonLower *l, const PythonNode *at, PythonValue element, PythonValue container) {
    if (!container.pairs || element.state == PYTHON_NOTHING) return element;
    PythonValue *parts = python_alloc(l->text, 2 * sizeof *parts);
    if (!parts) return python_nothing();
    parts[0] = PYTHON_CALLED(l, at, OP_first, element);
    parts[1] = PYTHON_CALLED(l, at, OP_last, element);
    for (int k = 0; k < 2; k++)
        if (container.pairs[k].self) parts[k].type = container.pairs[k];
    element.parts = parts;
    element.part_count = 2;
    return element;
}

// An expression of the names of a target, as a function of an element of the container.
static PythonValue element_function(PythonLower *l, PythonScope *s, const PythonNode *target,
                                    PythonValue container, const PythonNode *n, PythonWish wish,
                                    PythonValue *body) {
    uint32_t bit;
    PythonScope *inner = python_alloc(l->text, sizeof *inner);
    if (!inner) return python_nothing();
    *inner = (PythonScope){.outer = s};
    PythonValue x = python_parameter(l, type_element(container.type), &bit);
    python_bind(l, inner, target, python_parted(l, n, x, container));
    if (n->kind == PYTHON_CLAUSE || n->kind == PYTHON_COMPREHENSION)
        *body = python_comprehension(l, inner, n, wish);
    else *body = python_value(l, inner, n);
    return python_abstract(l, n, *body, bit);
}

PythonValue python_filter(PythonLower *l, PythonScope *s, const PythonNode *target, PythonValue container,
                          const PythonNode *condition) {
    if (condition->kind == PYTHON_AND) // so the second is asked only where the first holds
        return python_filter(l, s, target, python_filter(l, s, target, container, condition->a),
                             condition->b);
    PythonValue body, f = element_function(l, s, target, container, condition, PYTHON_TO_EITHER, &body);
    if (container.state == PYTHON_NOTHING) return container;
    PythonValue r = PYTHON_CALLED(l, condition, OP_sfilter, container, f);
    if (r.state == PYTHON_NOTHING) return r;
    r.pairs = container.pairs;
    r.is_list = container.is_list;
    return r;
}

// From this clause on. `n` is the comprehension; with a clause left out at its head it is made anew.
PythonValue python_comprehension(PythonLower *l, PythonScope *s, const PythonNode *n, PythonWish wish) {
    const PythonNode *clause = n->b;
    PythonValue c =
        python_elements(l, s, clause->b, wish == PYTHON_TO_TUPLE ? PYTHON_TO_TUPLE : PYTHON_TO_EITHER);
    c.is_list = false;
    for (const PythonNode *k = clause->c; k; k = k->next) c = python_filter(l, s, clause->a, c, k);
    if (clause->next) {
        PythonNode rest = *n;
        rest.b = clause->next;
        PythonValue body, f;
        bool set = wish != PYTHON_TO_TUPLE && python_only(&c, TYPE_SETS);
        PythonWish inner = wish == PYTHON_TO_TUPLE || !set ? PYTHON_TO_TUPLE : PYTHON_TO_SET;
        f = element_function(l, s, clause->a, c, &rest, inner, &body);
        if (c.state == PYTHON_NOTHING || f.state == PYTHON_NOTHING) return python_nothing();
        PythonValue r = PYTHON_CALLED(l, n, OP_mapply, f, c);
        if (r.state != PYTHON_NOTHING)
            r.type = set ? type_set(type_element(body.type)) : type_tuple(type_element(body.type));
        return wish == PYTHON_TO_SET ? python_as_set(l, n, r) : r;
    }
    if (!(n->a->kind == PYTHON_NAME && clause->a->kind == PYTHON_NAME && n->a->name == clause->a->name)) {
        PythonValue body, f = element_function(l, s, clause->a, c, n->a, PYTHON_TO_TUPLE, &body);
        if (c.state == PYTHON_NOTHING || f.state == PYTHON_NOTHING) return python_nothing();
        PythonValue r = PYTHON_CALLED(l, n, OP_apply, f, c);
        if (r.state == PYTHON_NOTHING) return r;
        r.type = type_apply(c.type, body.type);
        if (body.parts && body.part_count == 2) {
            Type *pairs = python_alloc(l->text, 2 * sizeof *pairs);
            if (pairs) pairs[0] = body.parts[0].type, pairs[1] = body.parts[1].type;
            r.pairs = pairs;
        }
        c = r;
    }
    return wish == PYTHON_TO_SET ? python_as_set(l, n, c) : c;
}

PythonValue python_elements(PythonLower *l, PythonScope *s, const PythonNode *n, PythonWish wish) {
    if (n->kind == PYTHON_COMPREHENSION && n->op == '(') return python_comprehension(l, s, n, wish);
    PythonValue v = python_value(l, s, n);
    if (v.state == PYTHON_CLOSURE ||
        (v.state != PYTHON_NOTHING && python_only(&v, TYPE_INT | TYPE_BOOL | TYPE_FUNCTION)))
        return python_fault(l, n, TS_PROBLEM_TYPE, python_is_number(&v) ? "use range(n)" : "",
                            "this has no elements to go through");
    if (wish == PYTHON_TO_TUPLE) return python_as_tuple(l, n, v);
    return wish == PYTHON_TO_SET ? python_as_set(l, n, v) : v;
}

// ---- Expressions ----

static PythonValue compare_all(PythonLower *l, PythonScope *s, const PythonNode *n) {
    PythonValue left = python_value(l, s, n->a), all = python_nothing();
    for (const PythonNode *k = n->b; k; k = k->next) {
        PythonValue right = python_value(l, s, k->a), one = python_compare(l, k, k->op, left, right);
        all = k == n->b ? one : python_and(l, k, all, one);
        left = right;
    }
    return all;
}

static PythonValue subscript(PythonLower *l, PythonScope *s, const PythonNode *n) {
    PythonValue base = python_value(l, s, n->a);
    if (n->b->next)
        return python_fault(l, n, TS_PROBLEM_UNSAID,
                            "write x[i][j], or index(x, (i, j)) for a cell of a grid",
                            "there is one index only");
    if (n->b->kind == PYTHON_SLICE) return python_slice(l, s, n, base, n->b);
    return python_index(l, n, base, python_value(l, s, n->b));
}

PythonValue python_value(PythonLower *l, PythonScope *s, const PythonNode *n) {
    switch ((PythonKind)n->kind) {
    case PYTHON_NAME: return name_value(l, s, n);
    case PYTHON_INT: return python_constant(l, n, value_int(l->ctx, (int64_t)n->value));
    case PYTHON_STRING:
        return python_fault(l, n, TS_PROBLEM_UNSAID, "leave it out: programs make grids only",
                            "there are no strings");
    case PYTHON_TUPLE:
    case PYTHON_LIST:
    case PYTHON_SET: return display(l, s, n);
    case PYTHON_CALL: return python_call_node(l, s, n);
    case PYTHON_INDEX: return subscript(l, s, n);
    case PYTHON_ATTRIBUTE:
        if (n->a->kind == PYTHON_NAME && l->text->names[n->a->name].is_module &&
            l->text->names[n->name].known && symbol_is_value(l->text->names[n->name].known))
            return python_constant(l, n, l->text->names[n->name].known->value);
        if (n->a->kind == PYTHON_NAME) {
            int count = l->text->count;
            python_value(l, s, n->a);
            if (l->text->count > count) return python_nothing();
        }
        return python_fault(l, n, TS_PROBLEM_UNSAID, "use a primitive: height(g), width(g), shape(g)",
                            "values have no attributes");
    case PYTHON_BINARY: {
        PythonValue a = python_value(l, s, n->a), b = python_value(l, s, n->b);
        return python_binary(l, n, n->op, a, b);
    }
    case PYTHON_COMPARE: return compare_all(l, s, n);
    case PYTHON_AND: {
        PythonValue a = python_value(l, s, n->a);
        return python_and(l, n, a, python_value(l, s, n->b));
    }
    case PYTHON_OR: {
        PythonValue a = python_value(l, s, n->a);
        return python_or(l, n, a, python_value(l, s, n->b));
    }
    case PYTHON_NOT: return python_not(l, n, python_value(l, s, n->a));
    case PYTHON_SIGN: return python_sign(l, n, n->op, python_value(l, s, n->a));
    case PYTHON_CHOICE: {
        PythonValue a = python_value(l, s, n->a), b = python_value(l, s, n->b), c = python_value(l, s, n->c);
        return python_choose(l, n, a, b, c);
    }
    case PYTHON_LAMBDA: return (PythonValue){.state = PYTHON_CLOSURE, .function = n, .scope = s};
    case PYTHON_COMPREHENSION: {
        PythonValue v = python_comprehension(l, s, n, n->op == '{' ? PYTHON_TO_SET : PYTHON_TO_TUPLE);
        if (n->op == '(' && v.state != PYTHON_NOTHING)
            return python_fault(l, n, TS_PROBLEM_UNSAID, "write tuple(… for …) or frozenset(… for …)",
                                "a generator is no value");
        v.is_list = n->op == '[';
        return v;
    }
    case PYTHON_STAR:
        return python_fault(l, n, TS_PROBLEM_UNSAID, "name each of them", "there are no stars here");
    case PYTHON_SLICE:
        return python_fault(l, n, TS_PROBLEM_SYNTAX, "", "a slice stands alone between brackets");
    default: return python_nothing();
    }
}

// ---- Statements ----

struct PythonRest {
    const PythonNode *next;
    const PythonRest *after;
};

// x.append(y), where x is a list of its own.
static bool change(PythonLower *l, PythonScope *s, const PythonNode *n) {
    const PythonNode *name = changed(n), *call = n->a;
    if (!name) return false;
    const Token *method = &l->text->names[call->a->name].token;
    PythonVariable *v = python_find(s, name->name);
    bool append = method->length == 6 && memcmp(method->start, "append", 6) == 0;
    bool extend = method->length == 6 && memcmp(method->start, "extend", 6) == 0;
    if (!v || (!append && !extend) || !call->b || call->b->next) return false;
    if (v->value.state != PYTHON_NOTHING && (!v->value.is_list || v->value.is_shared)) return false;
    PythonValue e = append ? python_value(l, s, call->b) : python_elements(l, s, call->b, PYTHON_TO_TUPLE);
    if (append && call->b->kind == PYTHON_NAME && e.is_list) {
        PythonVariable *other = python_find(s, call->b->name);
        if (other) other->value.is_shared = true;
    }
    if (append) e = python_tuple(l, n, &e, 1, false);
    PythonValue old = v->value, all = e;
    if (old.state == PYTHON_NOTHING || e.state == PYTHON_NOTHING) all = python_nothing();
    else if (!(old.parts && old.part_count == 0)) all = PYTHON_CALLED(l, n, OP_combine, old, e);
    if (all.state != PYTHON_NOTHING)
        all.type = type_tuple(type_join(type_element(old.type), type_element(e.type)));
    all.is_list = true;
    python_set(l, s, name->name, all);
    return true;
}

static void assign(PythonLower *l, PythonScope *s, const PythonNode *n) {
    PythonValue v = python_value(l, s, n->b);
    if (v.is_list && n->b->kind == PYTHON_NAME) {
        PythonVariable *other = python_find(s, n->b->name);
        v.is_shared = true;
        if (other) other->value.is_shared = true;
    }
    if (n->a->next) v.is_shared = v.is_list;
    for (const PythonNode *t = n->a; t; t = t->next) python_bind(l, s, t, v);
}

static void augment(PythonLower *l, PythonScope *s, const PythonNode *n) {
    PythonValue old = python_value(l, s, n->a), v = python_value(l, s, n->b);
    PythonValue r = python_binary(l, n, n->op, old, v);
    r.is_list = old.is_list;
    python_set(l, s, n->a->name, r);
}

static bool same_value(const PythonValue *a, const PythonValue *b) {
    if (a->state != b->state) return false;
    switch ((PythonState)a->state) {
    case PYTHON_CLOSED: return a->ref == b->ref;
    case PYTHON_OPEN: return a->term == b->term;
    case PYTHON_CLOSURE: return a->function == b->function && a->scope == b->scope;
    default: return true;
    }
}

// The variables after an if: those of the scope are after else; `then` are the others.
static void merge(PythonLower *l, PythonScope *s, const PythonNode *n, PythonValue condition,
                  const PythonVariable *then, uint32_t count) {
    PythonScope other = {.variables = (PythonVariable *)then, .count = count, .room = count};
    for (uint32_t k = 0; k < s->count; k++) {
        PythonVariable *mine = &s->variables[k];
        const PythonVariable *theirs = python_find(&other, mine->name);
        if (!theirs) mine->value = (PythonValue){.state = PYTHON_UNSET};
        else if (mine->value.state == PYTHON_UNSET || theirs->value.state == PYTHON_UNSET)
            mine->value = (PythonValue){.state = PYTHON_UNSET};
        else if (mine->value.state == PYTHON_NOTHING || theirs->value.state == PYTHON_NOTHING)
            mine->value = python_nothing();
        else if (!same_value(&mine->value, &theirs->value))
            mine->value = python_choose(l, n, condition, theirs->value, mine->value);
    }
    for (uint32_t k = 0; k < count; k++)
        if (!python_find(s, then[k].name))
            python_set(l, s, then[k].name, (PythonValue){.state = PYTHON_UNSET});
}

static bool copy_variables(PythonLower *l, const PythonScope *s, PythonVariable **copy) {
    *copy = python_alloc(l->text, s->count * sizeof **copy + 1);
    if (!*copy) return false;
    if (s->count) memcpy(*copy, s->variables, s->count * sizeof **copy);
    return true;
}

// An if without a return in it; or with one, and then the rest of the function is part of each side. True
// where it has returned.
static bool branches(PythonLower *l, PythonScope *s, const PythonNode *n, const PythonRest *after,
                     PythonValue *result) {
    PythonValue condition = python_value(l, s, n->a);
    PythonVariable *before, *then;
    const uint32_t count = s->count;
    PythonRest here = {n->next, after};
    const PythonRest *rest = n->returns ? &here : NULL;
    PythonValue a = python_nothing(), b = python_nothing();
    if (!copy_variables(l, s, &before)) return true;
    Value known;
    if (python_is_constant(l, &condition, &known)) { // an unrolled loop knows it
        bool returned = python_block(l, s, py_truth(known) ? n->b : n->c, rest, result);
        return rest ? (returned ? true : (*result = python_constant(l, n, VALUE_NONE), true)) : false;
    }
    bool first = python_block(l, s, n->b, rest, &a);
    const uint32_t then_count = s->count;
    if (!copy_variables(l, s, &then)) return true;
    s->variables = before;
    s->count = s->room = count;
    bool second = python_block(l, s, n->c, rest, &b);
    if (rest) {
        if (!first) a = python_constant(l, n, VALUE_NONE);
        if (!second) b = python_constant(l, n, VALUE_NONE);
        *result = python_choose(l, n, condition, a, b);
        return true;
    }
    merge(l, s, n, condition, then, then_count);
    return false;
}

static void statement(PythonLower *l, PythonScope *s, const PythonNode *n) {
    switch ((PythonKind)n->kind) {
    case PYTHON_ASSIGN: assign(l, s, n); break;
    case PYTHON_AUGMENT: augment(l, s, n); break;
    case PYTHON_FOR: python_for(l, s, n); break;
    case PYTHON_DEF:
        python_set(l, s, n->name, (PythonValue){.state = PYTHON_CLOSURE, .function = n, .scope = s});
        break;
    case PYTHON_EXPRESSION:
        if (n->a->kind != PYTHON_STRING && !change(l, s, n)) python_value(l, s, n->a);
        break;
    case PYTHON_REFUSED: // what it would give a value to has none, and that was said
        for (uint32_t k = 0; k < l->text->name_count; k++)
            if (l->text->names[k].is_stored && python_assigns(n->a, k)) python_set(l, s, k, python_nothing());
        break;
    default: break;
    }
}

bool python_block(PythonLower *l, PythonScope *s, const PythonNode *n, const PythonRest *rest,
                  PythonValue *result) {
    for (; n; n = n->next) {
        if (l->text->starved || l->steps > PYTHON_MOST_STEPS) return true;
        if (n->kind == PYTHON_RETURN) {
            *result = n->a ? python_value(l, s, n->a) : python_constant(l, n, VALUE_NONE);
            return true;
        }
        if (n->kind == PYTHON_REFUSED && n->returns) {
            *result = python_nothing();
            return true;
        }
        if (n->kind == PYTHON_IF) {
            if (branches(l, s, n, rest, result)) return true;
        } else statement(l, s, n);
    }
    return rest && python_block(l, s, rest->next, rest->after, result);
}
