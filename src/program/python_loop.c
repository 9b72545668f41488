// Loops. One over a few known elements is written out; any other is a fold: power does a step as often as
// there are elements, on a pair of what has come of it so far and the number of the next element.
#include "program/python_lower.h"

enum { MOST_KEPT = 8, MOST_TRIES = 4 };

// The elements of what is gone through where they are known one by one; -1 where they are not.
static int known_elements(PythonLower *l, PythonValue c, PythonValue *elements) {
    Value v, e;
    int n = 0;
    if (c.parts) {
        if (c.part_count > PYTHON_MOST_TURNS) return -1;
        for (; n < c.part_count; n++) elements[n] = c.parts[n];
        return n;
    }
    if (python_is_constant(l, &c, &v) && value_is_container(v)) {
        if (value_length(l->ctx, v) > PYTHON_MOST_TURNS) return -1;
        for (Iter it = iter(l->ctx, v); iter_next(&it, &e);) elements[n++] = python_constant(l, NULL, e);
        return n;
    }
    if (c.state != PYTHON_CLOSED || ref_kind(c.ref) != REF_LINE) return -1;
    const DraftLine *line = &l->draft->lines[ref_index(c.ref)];
    if (line->op != OP_interval) return -1;
    int64_t given[3];
    for (int k = 0; k < 3; k++) {
        if (ref_kind(line->args[k]) != REF_CONSTANT) return -1;
        v = l->draft->constants[ref_index(line->args[k])];
        if (!value_is_small(v)) return -1;
        given[k] = value_small(v);
    }
    if (given[2] == 0) return -1;
    for (int64_t k = given[0]; given[2] > 0 ? k < given[1] : k > given[1]; k += given[2]) {
        if (n == PYTHON_MOST_TURNS) return -1;
        elements[n++] = python_number(l, k);
    }
    return n;
}

// first of a pair that is the state of a fold, and the number of the element.
typedef struct {
    PythonValue tuple, count;
    uint32_t bit;
    PythonValue state, kept, place, element;
} Fold;

static bool fold_begin(PythonLower *l, const PythonNode *at, PythonValue container, Type kept, Fold *f) {
    f->tuple = python_as_tuple(l, at, container);
    if (f->tuple.state == PYTHON_NOTHING) return false;
    f->count = PYTHON_CALLED(l, at, OP_size, f->tuple);
    f->state = python_parameter(l, (Type){TYPE_TUPLE, TYPE_ALL, TYPE_ALL, 0, 0}, &f->bit);
    f->kept = PYTHON_CALLED(l, at, OP_first, f->state);
    f->place = PYTHON_CALLED(l, at, OP_last, f->state);
    f->element = PYTHON_CALLED(l, at, OP_get_nth_t, f->tuple, f->place);
    if (f->element.state == PYTHON_NOTHING) return false;
    f->kept.type = kept;
    f->place.type = (Type){TYPE_INT};
    Type e = type_element(container.type);
    if (e.self) f->element.type = e;
    f->element = python_parted(l, at, f->element, container);
    return true;
}

// What is kept after all elements, where one step makes `next` of it.
static PythonValue fold_end(PythonLower *l, const PythonNode *at, Fold *f, PythonValue start,
                            PythonValue next) {
    PythonValue one = python_number(l, 1), zero = python_number(l, 0);
    PythonValue step = PYTHON_CALLED(l, at, OP_astuple, next, PYTHON_CALLED(l, at, OP_increment, f->place));
    PythonValue function = python_abstract(l, at, step, f->bit);
    if (function.state == PYTHON_NOTHING || start.state == PYTHON_NOTHING) return python_nothing();
    PythonValue times = PYTHON_CALLED(l, at, OP_maximum, PYTHON_CALLED(l, at, OP_astuple, f->count, one));
    PythonValue first = PYTHON_CALLED(l, at, OP_astuple, start, zero);
    PythonValue all = python_call_value(l, at, PYTHON_CALLED(l, at, OP_power, function, times), 1, &first);
    return python_choose(l, at, PYTHON_CALLED(l, at, OP_positive, f->count),
                         PYTHON_CALLED(l, at, OP_first, all), start);
}

PythonValue python_sum(PythonLower *l, const PythonNode *at, PythonValue container, PythonValue start) {
    Fold f;
    PythonValue known[PYTHON_MOST_TURNS];
    int n = known_elements(l, container, known);
    if (n >= 0) {
        for (int k = 0; k < n; k++) start = python_binary(l, at, '+', start, known[k]);
        return start;
    }
    if (!fold_begin(l, at, container, (Type){TYPE_INT}, &f)) return python_nothing();
    if (!python_is_number(&f.element)) {
        l->parameters &= ~f.bit;
        return python_fault(l, at, TS_PROBLEM_TYPE, "use size(merge(x)) for containers",
                            "a sum is of numbers, and these may be something else");
    }
    PythonValue r = fold_end(l, at, &f, start, PYTHON_CALLED(l, at, OP_add, f.kept, f.element));
    if (r.state != PYTHON_NOTHING) r.type = (Type){TYPE_INT};
    return r;
}

// ---- Statements ----

typedef struct {
    uint32_t names[MOST_KEPT];
    PythonValue before[MOST_KEPT];
    Type types[MOST_KEPT];
    int count;
} Kept;

static bool changes(const PythonNode *n, uint32_t name) {
    for (; n; n = n->next) {
        if (n->kind == PYTHON_EXPRESSION && n->a->kind == PYTHON_CALL && n->a->a->kind == PYTHON_ATTRIBUTE &&
            n->a->a->a->kind == PYTHON_NAME && n->a->a->a->name == name)
            return true;
        if (n->kind == PYTHON_IF && (changes(n->b, name) || changes(n->c, name))) return true;
        if (n->kind == PYTHON_FOR && changes(n->c, name)) return true;
    }
    return false;
}

// The variables that the loop goes on with: they have a value before it, and it gives them others.
static bool find_kept(PythonLower *l, PythonScope *s, const PythonNode *n, Kept *kept) {
    kept->count = 0;
    for (uint32_t k = 0; k < s->count; k++) {
        const PythonVariable *v = &s->variables[k];
        if (!python_assigns(n->c, v->name) && !changes(n->c, v->name)) continue;
        if (v->value.state == PYTHON_UNSET) continue;
        if (kept->count == MOST_KEPT) {
            python_fault(l, n, TS_PROBLEM_LIMIT, "", "a loop may go on with %d variables at most", MOST_KEPT);
            return false;
        }
        kept->names[kept->count] = v->name;
        kept->before[kept->count] = v->value;
        kept->types[kept->count++] = v->value.type;
    }
    return true;
}

static void forget(PythonScope *s, uint32_t count, const PythonNode *n) {
    if (s->count > count) s->count = count; // what is given a value in the loop only
    for (uint32_t k = 0; k < s->count; k++) {
        const PythonNode target = {.kind = PYTHON_ASSIGN, .a = n->a};
        if (python_assigns(&target, s->variables[k].name) || python_assigns(n->c, s->variables[k].name))
            s->variables[k].value = (PythonValue){.state = PYTHON_UNSET};
    }
}

// One step on types: the values after it. False where nothing can be made of it.
static bool step(PythonLower *l, PythonScope *s, const PythonNode *n, PythonValue container, Kept *kept,
                 Fold *f, PythonValue *next) {
    PythonValue ignored, before = python_nothing();
    Type tuple = {TYPE_TUPLE, TYPE_ALL, TYPE_ALL, 0, 0};
    if (!fold_begin(l, n, container, kept->count == 1 ? kept->types[0] : tuple, f)) return false;
    for (int k = 0; k < kept->count; k++) {
        before = kept->count == 1 ? f->kept : PYTHON_CALLED(l, n, OP_get_nth_t, f->kept, python_number(l, k));
        before.type = kept->types[k];
        before.is_list = kept->before[k].is_list;
        python_set(l, s, kept->names[k], before);
    }
    if (!python_bind(l, s, n->a, f->element)) return false;
    python_block(l, s, n->c, NULL, &ignored);
    for (int k = 0; k < kept->count; k++) {
        next[k] = python_find(s, kept->names[k])->value;
        if (next[k].state == PYTHON_CLOSURE || next[k].state == PYTHON_UNSET) next[k] = python_nothing();
        if (next[k].state == PYTHON_NOTHING) return false;
    }
    return true;
}

static void fold(PythonLower *l, PythonScope *s, const PythonNode *n, PythonValue container) {
    const uint32_t count = s->count;
    Kept kept;
    Fold f = {0};
    PythonValue next[MOST_KEPT], after = python_nothing();
    if (!find_kept(l, s, n, &kept)) return;
    bool good = kept.count > 0, settled = false;
    for (int tries = 0; good && !settled && tries < MOST_TRIES; tries++) {
        l->parameters &= ~f.bit;
        settled = good = step(l, s, n, container, &kept, &f, next);
        for (int k = 0; good && k < kept.count; k++) {
            Type both = type_join(kept.types[k], next[k].type);
            both.function = 0;
            if (memcmp(&both, &kept.types[k], sizeof both) != 0) settled = false;
            kept.types[k] = both;
        }
    }
    if (good) {
        PythonValue start =
            kept.count == 1 ? kept.before[0] : python_tuple(l, n, kept.before, (size_t)kept.count, false);
        PythonValue all = kept.count == 1 ? next[0] : python_tuple(l, n, next, (size_t)kept.count, false);
        after = fold_end(l, n, &f, start, all);
    }
    l->parameters &= ~f.bit;
    forget(s, count, n);
    for (int k = 0; k < kept.count; k++) {
        PythonValue v = after;
        if (after.state != PYTHON_NOTHING) {
            if (kept.count > 1) v = PYTHON_CALLED(l, n, OP_get_nth_t, after, python_number(l, k));
            v.type = kept.types[k];
            v.parts = NULL;
            v.is_list = kept.before[k].is_list;
        }
        python_set(l, s, kept.names[k], v);
    }
}

void python_for(PythonLower *l, PythonScope *s, const PythonNode *n) {
    PythonValue known[PYTHON_MOST_TURNS], ignored;
    PythonValue container = python_elements(l, s, n->b, PYTHON_TO_EITHER);
    if (n->returns) {
        python_fault(l, n, TS_PROBLEM_UNSAID,
                     "use extract(container, condition), or first(sfilter(container, condition))",
                     "there is no return from inside of a for");
        return;
    }
    if (container.state == PYTHON_NOTHING) {
        python_bind(l, s, n->a, container);
        python_block(l, s, n->c, NULL, &ignored);
        return;
    }
    int turns = known_elements(l, container, known);
    if (turns < 0) {
        fold(l, s, n, container);
        return;
    }
    for (int k = 0; k < turns && l->steps <= PYTHON_MOST_STEPS; k++)
        if (python_bind(l, s, n->a, python_parted(l, n, known[k], container)))
            python_block(l, s, n->c, NULL, &ignored);
}
