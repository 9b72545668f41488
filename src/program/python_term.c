// Calls as lines of the draft, or as terms where they depend on a parameter.
#include <stdarg.h>
#include <stdio.h>

#include "program/arguments.h"
#include "program/python_lower.h"

PythonValue python_fault(PythonLower *l, const PythonNode *at, ts_problem kind, const char *remedy,
                         const char *format, ...) {
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    python_problem(l->text, at->at, at->length, kind, remedy, "%s", message);
    return python_nothing();
}

// ---- Closed values ----

static uint32_t slot_of(Ref r) {
    switch (ref_kind(r)) {
    case REF_GIVEN: return ref_index(r);
    case REF_CONSTANT: return SLOTS_GIVEN + ref_index(r);
    default: return SLOTS_GIVEN + PYTHON_MOST_CONSTANTS + ref_index(r);
    }
}

PythonValue python_too_large(PythonLower *l, const PythonNode *at) {
    if (!l->reported && at)
        python_fault(l, at, TS_PROBLEM_LIMIT,
                     "write it shorter: functions over containers instead of many calls",
                     "the program becomes too long here, with functions and loops written out");
    l->reported = true;
    return python_nothing();
}

static PythonValue closed(PythonLower *l, Ref ref) {
    return (PythonValue){.state = PYTHON_CLOSED, .ref = ref, .type = l->types[slot_of(ref)]};
}

PythonValue python_constant(PythonLower *l, const PythonNode *at, Value v) {
    Ctx *c = l->ctx;
    if (value_tag(v) == TAG_OBJ) {
        enum { DEEPEST_LITERAL = 95 };
        ctx_charge(c, value_weight(v));
        if (value_obj(v)->depth > DEEPEST_LITERAL) ctx_fail(c, TS_FAIL_DEPTH);
    }
    if (c->failure) {
        if (c->arena.starved) l->text->starved = true;
        else if (at)
            python_fault(l, at, TS_PROBLEM_LIMIT, "", "this literal is too large or nested too deeply");
        c->failure = TS_FAIL_NONE;
        return python_nothing();
    }
    Ref r = draft_constant(l->draft, v);
    if (l->draft->failed) l->text->starved = true;
    if (ref_index(r) >= PYTHON_MOST_CONSTANTS || l->text->starved) return python_too_large(l, at);
    if (ref_index(r) >= l->typed_constants) {
        l->types[slot_of(r)] = type_of_value(v);
        l->typed_constants = ref_index(r) + 1;
    }
    return closed(l, r);
}

bool python_is_constant(const PythonLower *l, const PythonValue *v, Value *constant) {
    if (v->state != PYTHON_CLOSED || ref_kind(v->ref) != REF_CONSTANT) return false;
    *constant = l->draft->constants[ref_index(v->ref)];
    return true;
}

PythonValue python_op(PythonLower *l, Op op) { return python_constant(l, NULL, value_of_op(op)); }

PythonValue python_number(PythonLower *l, int64_t n) {
    return python_constant(l, NULL, value_int(l->ctx, n));
}

// The type of a primitive's result where the places of a pair are known.
static bool type_of_place(const PythonLower *l, int op, const PythonValue *args, Type *type) {
    if (op != OP_first && op != OP_last && op != OP_get_nth_t) return false;
    if (args[0].type.self != TYPE_CELL) return false;
    Value place = VALUE_NONE;
    if (op == OP_get_nth_t && (!python_is_constant(l, &args[1], &place) || !value_is_small(place)))
        return false;
    bool second = op == OP_last || (op == OP_get_nth_t && (value_small(place) & 1));
    *type = (Type){second ? TYPE_PAIR : TYPE_INT};
    return true;
}

static PythonValue make_line(PythonLower *l, const PythonNode *at, int op, PythonValue callee, int n,
                             const PythonValue *args) {
    DraftLine line = {.op = (int16_t)op, .n = (uint8_t)n, .source = at->line};
    if (op == LINE_CALLS_VALUE) line.callee = callee.ref;
    for (int k = 0; k < n; k++) line.args[k] = args[k].ref;
    int bound;
    const OpInfo *to = argument_bound(l->draft, &line, &bound);
    ShapeFault fault;
    Value said;
    if (to && argument_in_words(l->ctx, l->draft, to, bound, REF_NONE, line.args[1], &said, &fault) ==
                  ARGUMENT_SAID)
        line.args[1] = python_constant(l, at, said).ref;
    Ref r = draft_line(l->draft, &line);
    uint32_t k = ref_index(r);
    if (l->draft->failed) l->text->starved = true;
    if (k >= PYTHON_MOST_LINES || l->text->starved) return python_too_large(l, at);
    if (k >= l->typed_lines) {
        Line *shown = &l->lines[k];
        *shown = (Line){.op = line.op, .n = line.n, .source = line.source};
        if (op == LINE_CALLS_VALUE) shown->callee = slot_of(line.callee);
        for (int j = 0; j < n; j++) shown->args[j] = slot_of(line.args[j]);
        l->typed_lines = l->view.line_count = k + 1;
        Type *type = &l->types[slot_of(r)];
        if (!type_of_line(&l->view, l->types, k, type))
            *type = op == LINE_CALLS_VALUE ? (Type){TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY, 0}
                                           : type_of_result((Op)op);
    }
    return closed(l, r);
}

// ---- Terms ----

static PythonValue make_term(PythonLower *l, const PythonNode *at, int op, PythonValue callee, int n,
                             const PythonValue *args) {
    PythonTerm *t = python_alloc(l->text, sizeof *t);
    if (!t) return python_nothing();
    *t = (PythonTerm){.op = (int16_t)op, .n = (uint8_t)n, .source = at->line, .callee = callee};
    PythonValue v = {.state = PYTHON_OPEN, .term = t};
    Type types[LINE_MOST_ARGS];
    unsigned depth = 0;
    if (op == LINE_CALLS_VALUE) {
        t->free = python_free(&callee);
        if (callee.state == PYTHON_OPEN) depth = callee.term->depth;
    }
    for (int k = 0; k < n; k++) {
        t->args[k] = args[k];
        types[k] = args[k].type;
        t->free |= python_free(&args[k]);
        if (args[k].state == PYTHON_OPEN && args[k].term->depth > depth) depth = args[k].term->depth;
    }
    if (depth + 1 > PYTHON_DEEPEST_TERM) return python_too_large(l, at);
    t->depth = (uint8_t)(depth + 1);
    if (op == LINE_CALLS_VALUE || !type_of_call(&l->view, l->types, (Op)op, types, &v.type))
        v.type = op == LINE_CALLS_VALUE ? (Type){TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY, 0}
                                        : type_of_result((Op)op);
    return v;
}

static PythonValue make(PythonLower *l, const PythonNode *at, int op, PythonValue callee, int n,
                        const PythonValue *given) {
    PythonValue args[LINE_MOST_ARGS] = {{0}};
    Type any = {TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY, 0}, place;
    bool open = op == LINE_CALLS_VALUE && callee.state == PYTHON_OPEN;
    if (++l->steps > PYTHON_MOST_STEPS) return python_too_large(l, at);
    for (int k = 0; k < n; k++) {
        args[k] = given[k];
        if (args[k].state == PYTHON_CLOSURE) args[k] = python_function(l, at, args[k], any);
        if (args[k].state == PYTHON_NOTHING) return python_nothing();
        open |= args[k].state == PYTHON_OPEN;
    }
    PythonValue v = open ? make_term(l, at, op, callee, n, args) : make_line(l, at, op, callee, n, args);
    if (v.state != PYTHON_NOTHING && type_of_place(l, op, args, &place)) v.type = place;
    return v;
}

PythonValue python_call(PythonLower *l, const PythonNode *at, Op op, int n, const PythonValue *args) {
    return make(l, at, (int)op, python_nothing(), n, args);
}

PythonValue python_call_value(PythonLower *l, const PythonNode *at, PythonValue f, int n,
                              const PythonValue *args) {
    Value constant;
    if (f.state == PYTHON_NOTHING) return f;
    if (python_is_constant(l, &f, &constant)) {
        if (!value_is_op(constant))
            return python_fault(l, at, TS_PROBLEM_TYPE, "", "expected a primitive or a function before '('");
        if (ops_table[value_op(constant)].arity != n)
            return python_fault(l, at, TS_PROBLEM_ARGUMENT, "", "%s takes %d argument%s, %d given",
                                ops_table[value_op(constant)].name, ops_table[value_op(constant)].arity,
                                ops_table[value_op(constant)].arity == 1 ? "" : "s", n);
        return make(l, at, (int)value_op(constant), python_nothing(), n, args);
    }
    if (n > LINE_MOST_ARGS)
        return python_fault(l, at, TS_PROBLEM_ARGUMENT, "", "a function takes at most %d arguments",
                            LINE_MOST_ARGS);
    if (f.type.self && !(f.type.self & TYPE_FUNCTION))
        return python_fault(l, at, TS_PROBLEM_TYPE, "", "expected a primitive or a function before '('");
    return make(l, at, LINE_CALLS_VALUE, f, n, args);
}

// ---- Calls that are written ----

enum { NUMERIC = TYPE_BOOL | TYPE_INT | TYPE_PAIR };

// Whether an argument cannot be, whatever its value. Where a primitive is plain Python inside, as those of
// logic and containers are, more works than its types say.
static bool surely_fails(Op op, int k, Type found) {
    const Type wanted = type_of_parameter(op, k);
    if (!found.self || type_fits(found, wanted) || wanted.self == TYPE_BOOL) return false;
    const unsigned functions = TYPE_FUNCTION, containers = TYPE_CONTAINERS, numbers = TYPE_INT | TYPE_BOOL;
    if (wanted.self == TYPE_FUNCTION) return !(found.self & TYPE_FUNCTION);
    if (!(wanted.self & ~containers) && !(found.self & ~(numbers | functions))) return true;
    if (!(wanted.self & ~(unsigned)NUMERIC) && !(found.self & ~(TYPE_SETS | functions))) return true;
    static const char *const plain[] = {"logic",      "container", "function", "mapping",
                                        "arithmetic", "rank",      "sample"};
    for (size_t j = 0; j < sizeof plain / sizeof *plain; j++)
        if (strcmp(ops_table[op].family, plain[j]) == 0) return false;
    return !(found.self & TYPE_NONE);
}

static PythonValue refuse_type(PythonLower *l, const PythonNode *at, Op op, int k, Type found) {
    const OpInfo *info = &ops_table[op];
    Text t = {0};
    char remedy[120] = "";
    Type e = type_element(found);
    type_print(&t, found);
    if (found.self & (TYPE_TUPLE | TYPE_SET) && e.self && type_fits(e, type_of_parameter(op, k)))
        snprintf(remedy, sizeof remedy,
                 "take one of its elements, as first(x), or use apply for each of them");
    else if (found.self == TYPE_FUNCTION) snprintf(remedy, sizeof remedy, "call the function first");
    if (t.failed) l->text->starved = true;
    else
        python_fault(l, at, TS_PROBLEM_TYPE, remedy, "argument %d of %s (%s) wants %s%s, this is %s", k + 1,
                     info->name, info->parameters[k], strchr("AEIO", info->types[k][0]) ? "an " : "a ",
                     info->types[k], t.data ? t.data : "something else");
    text_free(&t);
    return python_nothing();
}

static bool write_words(PythonLower *l, Op op, int k, PythonValue *args, const PythonNode *at) {
    ShapeFault fault = {0};
    Value said;
    const OpInfo *info = &ops_table[op];
    Ref before = k && args[k - 1].state == PYTHON_CLOSED ? args[k - 1].ref : REF_NONE;
    if (info->shapes[k] == SHAPE_NONE || args[k].state != PYTHON_CLOSED) return true;
    switch (argument_in_words(l->ctx, l->draft, info, k, before, args[k].ref, &said, &fault)) {
    case ARGUMENT_STAYS: return true;
    case ARGUMENT_SAID: args[k] = python_constant(l, at, said); return true;
    default: break;
    }
    Text t = {0};
    argument_print_fault(&t, info, k, &fault);
    PythonText *text = l->text;
    const bool missing = value_tag(fault.found) == TAG_NONE;
    const char *leaf =
        argument_leaf(at->at, text->text + text->length, fault.leaf - (missing && fault.leaf > 0));
    if (t.failed) text->starved = true;
    else python_problem(text, leaf, 1, TS_PROBLEM_ARGUMENT, "", "%s", t.data);
    text_free(&t);
    return false;
}

PythonValue python_call_written(PythonLower *l, const PythonNode *at, Op op, PythonValue *args,
                                const PythonNode *const *nodes) {
    const OpInfo *info = &ops_table[op];
    bool good = true;
    for (int k = 0; k < info->arity; k++) {
        if (args[k].state == PYTHON_NOTHING) return python_nothing();
        if (args[k].state == PYTHON_CLOSURE) continue;
        if (info->shapes[k] != SHAPE_NONE) good &= write_words(l, op, k, args, nodes[k]);
        else if (surely_fails(op, k, args[k].type)) {
            refuse_type(l, nodes[k], op, k, args[k].type);
            good = false;
        } else if (args[k].is_list && !(type_of_parameter(op, k).self &
                                        ~(unsigned)(TYPE_GRID | NUMERIC | TYPE_OBJECT | TYPE_INDICES))) {
            python_fault(l, nodes[k], TS_PROBLEM_TYPE, "make a tuple of it: tuple(…), and of each row",
                         "argument %d of %s is a list", k + 1, info->name);
            good = false;
        }
    }
    return good ? python_call(l, at, op, info->arity, args) : python_nothing();
}

// ---- Choices and displays ----

PythonValue python_choose(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b, PythonValue c) {
    Value v;
    Type any = {TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY, 0};
    if (python_is_constant(l, &a, &v)) return py_truth(v) ? b : c;
    if (b.state == PYTHON_CLOSURE) b = python_function(l, at, b, any);
    if (c.state == PYTHON_CLOSURE) c = python_function(l, at, c, any);
    if (b.state == PYTHON_CLOSED && c.state == PYTHON_CLOSED && b.ref == c.ref) return b;
    PythonValue r = PYTHON_CALLED(l, at, OP_choose, a, b, c);
    if (r.state == PYTHON_NOTHING) return r;
    r.type = type_join(b.type, c.type);
    if (r.state == PYTHON_CLOSED) l->types[slot_of(r.ref)] = r.type; // any condition will do, in Python
    r.is_list = b.is_list || c.is_list;
    return r;
}

static PythonValue constant_display(PythonLower *l, const PythonNode *at, const PythonValue *elements,
                                    size_t n, bool is_set) {
    Gather g = gather_room(l->ctx, n);
    for (size_t k = 0; k < n; k++) {
        Value v = VALUE_NONE;
        python_is_constant(l, &elements[k], &v);
        gather_add(&g, v);
    }
    return python_constant(l, at, is_set ? gather_set(&g) : gather_tuple(&g));
}

PythonValue python_tuple(PythonLower *l, const PythonNode *at, const PythonValue *elements, size_t n,
                         bool is_set) {
    bool literal = true;
    Value ignored;
    PythonValue all;
    for (size_t k = 0; k < n; k++) {
        if (elements[k].state == PYTHON_NOTHING) return python_nothing();
        literal &= python_is_constant(l, &elements[k], &ignored);
    }
    if (literal) all = constant_display(l, at, elements, n, is_set);
    else if (!is_set && n == 2) all = PYTHON_CALLED(l, at, OP_astuple, elements[0], elements[1]);
    else {
        all = PYTHON_CALLED(l, at, OP_initset, elements[0]);
        if (!is_set) all = PYTHON_CALLED(l, at, OP_totuple, all);
        for (size_t k = 1; k < n; k++) {
            PythonValue one = elements[k];
            if (is_set) all = PYTHON_CALLED(l, at, OP_insert, one, all);
            else {
                one = PYTHON_CALLED(l, at, OP_totuple, PYTHON_CALLED(l, at, OP_initset, one));
                all = PYTHON_CALLED(l, at, OP_combine, all, one);
            }
        }
    }
    if (is_set || all.state == PYTHON_NOTHING || n > UINT8_MAX) return all;
    PythonValue *parts = python_alloc(l->text, n * sizeof *parts + 1);
    if (!parts) return python_nothing();
    if (n) memcpy(parts, elements, n * sizeof *parts);
    all.parts = parts;
    all.part_count = (uint8_t)n;
    return all;
}
