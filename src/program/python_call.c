// Calls: of primitives with what stands between the brackets, of functions of the text, of Python's own
// functions.
#include "program/python_lower.h"

#include <stdio.h>

static const Type any = {TYPE_ALL, TYPE_ALL, TYPE_ALL, TYPE_ANY_ARITY, 0};

static bool is_named(const Token *t, const char *name) {
    return strlen(name) == t->length && memcmp(name, t->start, t->length) == 0;
}

// ---- Primitives ----

// Which argument holds the elements that a function, another argument, is called with; -1: none does.
static int elements_of(Op op, int function) {
    switch (op) {
    case OP_apply:
    case OP_mapply: return function == 0 ? 1 : -1;
    case OP_order:
    case OP_valmax:
    case OP_valmin:
    case OP_argmax:
    case OP_argmin:
    case OP_get_arg_rank:
    case OP_get_val_rank:
    case OP_sfilter:
    case OP_mfilter:
    case OP_mfilter_t:
    case OP_extract: return function == 1 ? 0 : -1;
    case OP_get_nth_by_key_t:
    case OP_get_nth_by_key_f: return function == 2 ? 0 : -1;
    default: return -1;
    }
}

// A function of two arguments over pairs: of elements at the same place, or all of them.
static PythonValue over_pairs(PythonLower *l, const PythonNode *n, Op op, const PythonValue *args) {
    PythonValue pairs = PYTHON_CALLED(l, n, op == OP_prapply ? OP_product : OP_pair, args[1], args[2]);
    if (pairs.state == PYTHON_NOTHING) return pairs;
    uint32_t bit;
    PythonValue x = python_parameter(l, type_element(pairs.type), &bit), two[2];
    for (int k = 0; k < 2; k++) {
        two[k] = PYTHON_CALLED(l, n, k ? OP_last : OP_first, x);
        Type e = type_element(args[1 + k].type);
        if (e.self) two[k].type = e;
    }
    PythonValue body = python_inline(l, n, args[0], 2, two), f = python_abstract(l, n, body, bit);
    PythonValue r = PYTHON_CALLED(l, n, OP_apply, f, pairs);
    if (r.state != PYTHON_NOTHING) r.type = type_apply(pairs.type, body.type);
    return op == OP_mpapply ? PYTHON_CALLED(l, n, OP_merge, r) : r;
}

// fork, lbind and rbind of a function of two arguments: as the function of one that they make.
static PythonValue of_two(PythonLower *l, const PythonNode *n, Op op, const PythonValue *args) {
    uint32_t bit;
    PythonValue x = python_parameter(l, any, &bit), two[2];
    if (op == OP_fork) {
        two[0] = python_apply(l, n, args[1], 1, &x);
        two[1] = python_apply(l, n, args[2], 1, &x);
    } else {
        two[op == OP_rbind] = args[1];
        two[op == OP_lbind] = x;
    }
    return python_abstract(l, n, python_inline(l, n, args[0], 2, two), bit);
}

static int parameter_count(const PythonValue *closure) {
    const PythonNode *f = closure->function, *p = f->kind == PYTHON_LAMBDA && f->a ? f->a->next : f->a;
    int n = 0;
    for (; p; p = p->next) n++;
    return n;
}

static PythonValue call_op(PythonLower *l, const PythonNode *n, Op op, PythonValue *args,
                           const PythonNode *const *nodes) {
    bool two = ops_table[op].arity > 0 && args[0].state == PYTHON_CLOSURE && parameter_count(&args[0]) == 2;
    for (int k = 0; k < ops_table[op].arity; k++)
        if (args[k].state == PYTHON_NOTHING) return python_nothing();
    if (two && (op == OP_papply || op == OP_mpapply || op == OP_prapply)) return over_pairs(l, n, op, args);
    if (two && (op == OP_fork || op == OP_lbind || op == OP_rbind)) return of_two(l, n, op, args);
    if (op == OP_sfilter && args[1].state == PYTHON_CLOSURE && args[1].function->kind == PYTHON_LAMBDA &&
        parameter_count(&args[1]) == 1 && args[1].function->b->kind == PYTHON_AND)
        return python_filter(l, args[1].scope,
                             &(PythonNode){.kind = PYTHON_NAME, .name = args[1].function->a->next->name},
                             args[0], args[1].function->b);
    for (int k = 0; k < ops_table[op].arity; k++) {
        int elements = elements_of(op, k);
        Type e = elements < 0 ? any : type_element(args[elements].type);
        if (args[k].state == PYTHON_CLOSURE && elements >= 0 && args[elements].pairs) {
            uint32_t bit;
            PythonValue x = python_parted(l, n, python_parameter(l, e, &bit), args[elements]);
            args[k] = python_abstract(l, n, python_apply(l, n, args[k], 1, &x), bit);
        } else if (args[k].state == PYTHON_CLOSURE) args[k] = python_function(l, nodes[k], args[k], e);
        if (args[k].state == PYTHON_NOTHING) return python_nothing();
    }
    PythonValue r = python_call_written(l, n, op, args, nodes);
    bool keeps = op == OP_sfilter || op == OP_order || op == OP_totuple || op == OP_remove;
    if (keeps && r.state != PYTHON_NOTHING) r.pairs = args[op == OP_remove ? 1 : 0].pairs;
    if (op == OP_pair && r.state != PYTHON_NOTHING) {
        Type *pairs = python_alloc(l->text, 2 * sizeof *pairs);
        if (pairs) pairs[0] = type_element(args[0].type), pairs[1] = type_element(args[1].type);
        r.pairs = pairs;
    }
    if (op == OP_identity) r = args[0];
    return r;
}

static int parameter_place(const OpInfo *info, const Token *name) {
    for (int k = 0; k < info->arity; k++)
        if (is_named(name, info->parameters[k])) return k;
    return -1;
}

// The arguments of a primitive, each in its place.
static PythonValue call_primitive(PythonLower *l, PythonScope *s, const PythonNode *n, Op op) {
    const OpInfo *info = &ops_table[op];
    PythonValue args[LINE_MOST_ARGS];
    const PythonNode *nodes[LINE_MOST_ARGS] = {NULL};
    int position = 0;
    bool good = true, keyword = false;
    for (const PythonNode *a = n->b; a; a = a->next, position++) {
        const Token *name = a->kind == PYTHON_KEYWORD ? &l->text->names[a->name].token : NULL;
        const PythonNode *value = name ? a->a : a;
        int place = name ? parameter_place(info, name) : position;
        if (name) keyword = true;
        if (a->kind == PYTHON_STAR)
            python_fault(l, a, TS_PROBLEM_UNSAID, "name each of them", "there are no stars here");
        else if (!name && keyword)
            python_fault(l, a, TS_PROBLEM_SYNTAX, "",
                         "an argument without a name cannot follow one with a name");
        else if (place < 0)
            python_fault(l, a, TS_PROBLEM_ARGUMENT, "", "%s has no parameter '%.*s'", info->name,
                         name->length > 60 ? 60 : (int)name->length, name->start);
        else if (place >= info->arity)
            python_fault(l, a, TS_PROBLEM_ARGUMENT, "", "%s takes %d argument%s", info->name, info->arity,
                         info->arity == 1 ? "" : "s");
        else if (nodes[place])
            python_fault(l, a, TS_PROBLEM_ARGUMENT, "", "%s gets '%s' twice", info->name,
                         info->parameters[place]);
        else {
            nodes[place] = value;
            args[place] = python_value(l, s, value);
            continue;
        }
        good = false;
        python_value(l, s, value); // for what else is wrong
    }
    if (!good) return python_nothing();
    if (position < info->arity)
        return python_fault(l, n, TS_PROBLEM_ARGUMENT, "", "%s takes %d argument%s, %d given", info->name,
                            info->arity, info->arity == 1 ? "" : "s", position);
    return call_op(l, n, op, args, nodes);
}

// ---- Functions ----

static PythonValue call_closure(PythonLower *l, PythonScope *s, const PythonNode *n, PythonValue f) {
    enum { MOST = 16 };
    PythonValue args[MOST];
    const PythonNode *p =
        f.function->kind == PYTHON_LAMBDA && f.function->a ? f.function->a->next : f.function->a;
    int count = parameter_count(&f), position = 0;
    if (count > MOST)
        return python_fault(l, n, TS_PROBLEM_LIMIT, "", "a function may have %d parameters at most", MOST);
    for (int k = 0; k < count; k++) args[k] = (PythonValue){.state = PYTHON_UNSET};
    for (const PythonNode *a = n->b; a; a = a->next, position++) {
        int place = position;
        if (a->kind == PYTHON_KEYWORD) {
            place = 0;
            const PythonNode *q = p;
            for (; q && q->name != a->name; q = q->next) place++;
            if (!q) place = count;
        }
        if (a->kind == PYTHON_STAR)
            return python_fault(l, a, TS_PROBLEM_UNSAID, "name each of them", "there are no stars here");
        if (place >= count || args[place].state != PYTHON_UNSET)
            return python_fault(l, a, TS_PROBLEM_ARGUMENT, "",
                                "the function takes %d argument%s, and not this one", count,
                                count == 1 ? "" : "s");
        args[place] = python_value(l, s, a->kind == PYTHON_KEYWORD ? a->a : a);
    }
    return python_inline(l, n, f, count, args);
}

static PythonValue call_function(PythonLower *l, PythonScope *s, const PythonNode *n, PythonValue f) {
    PythonValue args[LINE_MOST_ARGS];
    int count = 0;
    if (f.state == PYTHON_CLOSURE) return call_closure(l, s, n, f);
    Value c;
    if (python_is_constant(l, &f, &c) && value_is_op(c)) return call_primitive(l, s, n, (Op)value_op(c));
    for (const PythonNode *a = n->b; a; a = a->next) {
        if (a->kind == PYTHON_KEYWORD)
            return python_fault(l, a, TS_PROBLEM_ARGUMENT, "", "only primitives take arguments by name");
        PythonValue v = python_value(l, s, a);
        if (count == LINE_MOST_ARGS)
            return python_fault(l, a, TS_PROBLEM_ARGUMENT, "", "a function takes at most %d arguments",
                                LINE_MOST_ARGS);
        args[count++] = v;
    }
    if (!count && f.state != PYTHON_NOTHING)
        return python_fault(l, n, TS_PROBLEM_ARGUMENT, "", "a function takes at least one argument");
    return python_apply(l, n, f, count, args);
}

PythonValue python_call_node(PythonLower *l, PythonScope *s, const PythonNode *n) {
    const PythonNode *f = n->a;
    const PythonName *names = l->text->names;
    PythonValue result;
    if (f->kind == PYTHON_ATTRIBUTE) {
        bool module = f->a->kind == PYTHON_NAME && names[f->a->name].is_module;
        const Symbol *known = names[f->name].known;
        if (module && known && known->kind == SYMBOL_OP)
            return call_primitive(l, s, n, (Op)value_op(known->value));
        return python_method(l, s, n);
    }
    if (f->kind == PYTHON_NAME && !names[f->name].def && !names[f->name].is_stored) {
        bool local = false;
        for (PythonScope *k = s; k && !local; k = k->outer) local = python_find(k, f->name);
        const Symbol *known = names[f->name].known;
        if (!local && known && known->kind == SYMBOL_OP)
            return call_primitive(l, s, n, (Op)value_op(known->value));
        if (!local && python_builtin(l, s, n, &names[f->name].token, &result)) return result;
        if (!local && !(known && symbol_is_value(known))) {
            PythonValue none = python_unknown(l, s, f, true);
            for (const PythonNode *a = n->b; a; a = a->next) { // for what else is wrong
                const PythonNode *value = a->kind == PYTHON_KEYWORD || a->kind == PYTHON_STAR ? a->a : a;
                if (value->kind == PYTHON_COMPREHENSION) python_comprehension(l, s, value, PYTHON_TO_TUPLE);
                else if (value->kind != PYTHON_STRING) python_value(l, s, value);
            }
            return none;
        }
    }
    return call_function(l, s, n, python_value(l, s, f));
}
