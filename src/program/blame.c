#include "program/blame.h"

#include "program/types.h"

// Taking a line apart may take as much as so many runs of the whole program; where that does not suffice what
// was found by then is said.
enum { SEARCH_RUNS = 4 };

typedef struct {
    Ctx *c;
    Blame *b;
} Blamer;

static void blame_function(const Blamer *s, Value f, const Value *args, int n);

// ---- Trying ----

static void forgive(Ctx *c) {
    if (!c->failure) return;
    c->foreseen = c->units;
    ctx_forgive(c);
}

// What came of a call, and with which failure.
static Value try_function(const Blamer *s, Value f, const Value *args, int n, ts_failure *failure) {
    Value v = func_call(s->c, f, args, n);
    *failure = s->c->failure;
    forgive(s->c);
    return v;
}

static ts_failure try_op(const Blamer *s, int op, const Value *args) {
    ops_table[op].fn(s->c, args);
    ts_failure failure = s->c->failure;
    forgive(s->c);
    return failure;
}

// ---- Which argument ----

static bool is_empty(Value v) { return value_is_container(v) && !py_truth(v); }

static bool has_zero(Value v) {
    if (value_is_loc(v)) return !word_i(value_word(v)) || !word_j(value_word(v));
    return value_is_small(v) && value_small(v) == 0;
}

static bool misfits(int op, int k, Value v) {
    return !type_fits(type_of_value(v), type_of_parameter((Op)op, k));
}

// The arguments of the primitive in its example, which it takes. False where memory is short.
static bool example_arguments(const Blamer *s, ts_programs *set, int op, Value *args) {
    Status status;
    Program p;
    const char *example = ops_table[op].example;
    if (!program_parse_expression(set, "", example, strlen(example), &p, &status)) return false;
    Value *slots = arena_alloc(&s->c->arena, program_slots(&p) * sizeof *slots);
    if (!slots) return false;
    for (uint32_t k = 0; k < SLOTS_GIVEN; k++) slots[k] = VALUE_NONE;
    for (uint32_t k = 0; k < p.constant_count; k++) slots[SLOTS_GIVEN + k] = p.constants[k];
    for (uint32_t k = 0; k < p.line_count; k++) {
        const Line *l = &p.lines[k];
        for (int arg = 0; arg < l->n; arg++) args[arg] = slots[l->args[arg]];
        if (l->op == op) return true;
        slots[program_slot_of_line(&p, k)] = line_run(s->c, l->op, slots[l->callee], args, l->n);
        if (s->c->failure) break;
    }
    forgive(s->c);
    return false;
}

// Of the arguments that are of another type than declared, the first with which the call fails though the
// others are such as the primitive takes: much of what is declared otherwise works all the same.
static int misfit_to_blame(const Blamer *s, const Value *fine) {
    const Blame *b = s->b;
    int first = BLAME_NO_ARGUMENT, count = 0;
    for (int k = 0; k < b->n; k++)
        if (misfits(b->op, k, b->args[k]) && count++ == 0) first = k;
    for (int k = first; count > 1 && fine && k < b->n; k++) {
        Value args[LINE_MOST_ARGS];
        if (!misfits(b->op, k, b->args[k])) continue;
        for (int arg = 0; arg < b->n; arg++)
            args[arg] = arg != k && misfits(b->op, arg, b->args[arg]) ? fine[arg] : b->args[arg];
        if (try_op(s, b->op, args)) return k;
    }
    return first;
}

// The only argument without which the call would work.
static int argument_alone(const Blamer *s, const Value *fine) {
    const Blame *b = s->b;
    int found = BLAME_NO_ARGUMENT;
    if (b->n == 1) return 0;
    for (int k = 0; k < b->n && fine; k++) {
        Value args[LINE_MOST_ARGS];
        memcpy(args, b->args, sizeof args);
        args[k] = fine[k];
        if (try_op(s, b->op, args)) continue;
        if (found >= 0) return BLAME_NO_ARGUMENT;
        found = k;
    }
    return found;
}

static void choose_argument(const Blamer *s) {
    Blame *b = s->b;
    Value fine[LINE_MOST_ARGS];
    b->argument = BLAME_NO_ARGUMENT;
    if (b->op == LINE_CALLS_VALUE || b->kind == TS_FAIL_BUDGET || b->kind == TS_FAIL_OVERFLOW ||
        b->kind == TS_FAIL_FOREIGN)
        return;
    for (int k = b->n; k-- > 0;) {
        if (b->kind == TS_FAIL_EMPTY && is_empty(b->args[k])) b->argument = k;                   // the first
        if (b->kind == TS_FAIL_ZERO && has_zero(b->args[k]) && b->argument < 0) b->argument = k; // the last
    }
    if (b->argument >= 0) return;
    ts_programs *set = ts_programs_new();
    const bool known = set && example_arguments(s, set, b->op, fine);
    b->argument = misfit_to_blame(s, known ? fine : NULL);
    b->misfits = b->argument >= 0;
    // What is not there is so by what is asked for and by where it is looked for.
    if (!b->misfits && (b->n == 1 || b->kind != TS_FAIL_INDEX))
        b->argument = argument_alone(s, known ? fine : NULL);
    ts_programs_free(set);
}

// ---- Which call ----

static void set_call(const Blamer *s, int op, Value callee, const Value *args, int n) {
    Blame *b = s->b;
    b->op = op;
    b->callee = callee;
    b->n = n;
    memcpy(b->args, args, (size_t)n * sizeof *args);
}

static bool is_container_type(const char *type) {
    return strcmp(type, "Container") == 0 || strcmp(type, "Tuple") == 0 ||
           strcmp(type, "ContainerContainer") == 0;
}

// Which parameters of a primitive are the function and the containers that it goes over; false where it calls
// none.
static bool goes_over(int op, int *function, int containers[2], int *count) {
    const OpInfo *info = &ops_table[op];
    *function = -1;
    *count = 0;
    if (strcmp(info->family, "mapping") != 0) return false;
    for (int k = 0; k < info->arity; k++) {
        if (strcmp(info->types[k], "Callable") == 0) *function = k;
        else if (*count < 2 && is_container_type(info->types[k])) containers[(*count)++] = k;
    }
    return *count > 0 && (*function >= 0 || op == OP_rapply);
}

// Goes into the call of a function with the element at this place, where that fails as the line did.
static bool fails_there(const Blamer *s, Value f, const Value *args, int n, uint32_t place, int container,
                        Value element, Value *got) {
    ts_failure failure;
    *got = try_function(s, f, args, n, &failure);
    if (failure != s->b->kind) return false;
    if (!s->b->inside) {
        s->b->place = place;
        s->b->container = container;
        s->b->element = element;
    }
    s->b->inside = true;
    blame_function(s, f, args, n);
    return true;
}

// Looks for the element that a primitive over elements fails at. False where there is none: then the
// primitive fails by itself.
static bool blame_element(const Blamer *s, int op, const Value *a) {
    int function, over[2], count;
    if (!goes_over(op, &function, over, &count)) return false;
    const Value first = a[over[0]], second = a[over[count - 1]];
    if (!value_is_container(first) || !value_is_container(second)) return false;
    if (function >= 0 && !value_is_op(a[function]) && !value_is(a[function], KIND_FUNC)) return false;
    const bool all_pairs = op == OP_prapply, each = op == OP_rapply;
    const uint32_t n = (uint32_t)value_length(s->c, first), m = (uint32_t)value_length(s->c, second);
    for (uint32_t k = 0; k < n; k++) {
        const Value x = value_element(s->c, first, k);
        for (uint32_t j = all_pairs || count == 1 ? 0 : k; j < (all_pairs ? m : k + 1) && j < m; j++) {
            Value got, args[2] = {each ? a[1] : x, count == 2 ? value_element(s->c, second, j) : x};
            if (s->c->units <= 0 || s->c->failure) return forgive(s->c), false;
            if (fails_there(s, each ? x : a[function], args, count, k + 1, over[0], x, &got)) return true;
            if (op == OP_extract && !value_is_failure(got) && py_truth(got)) return false;
            if (count == 1) break;
        }
    }
    return false;
}

static void blame_op(const Blamer *s, int op, const Value *a) {
    if (blame_element(s, op, a)) return;
    set_call(s, op, VALUE_NONE, a, ops_table[op].arity);
}

// One step of a function: its value; or false, with the blame, where it fails.
static bool passes(const Blamer *s, Value f, Value *x) {
    ts_failure failure;
    const Value got = try_function(s, f, x, 1, &failure);
    if (failure) blame_function(s, f, x, 1);
    else *x = got;
    return !failure;
}

// Of two parts that fail the one is to blame that fails as the line did.
static void blame_fork(const Blamer *s, const Value *parts, Value x) {
    ts_failure failures[2];
    Value pair[2];
    for (int k = 0; k < 2; k++) pair[k] = try_function(s, parts[k + 1], &x, 1, &failures[k]);
    const int worse = failures[0] == s->b->kind || !failures[1] ? 0 : 1;
    if (failures[worse]) blame_function(s, parts[worse + 1], &x, 1);
    else blame_function(s, parts[0], pair, 2);
}

static void blame_made(const Blamer *s, const Obj *o, const Value *args, int n) {
    const Value *parts = obj_items(o);
    Value x = args[0], all[LINE_MOST_ARGS];
    const bool left = o->detail == OP_lbind;
    switch (o->detail) {
    case OP_chain:
        if (passes(s, parts[2], &x) && passes(s, parts[1], &x)) blame_function(s, parts[0], &x, 1);
        return;
    case OP_compose:
        if (passes(s, parts[1], &x)) blame_function(s, parts[0], &x, 1);
        return;
    case OP_matcher: blame_function(s, parts[0], &x, 1); return;
    case OP_fork: blame_fork(s, parts, x); return;
    case OP_power:
        for (int64_t k = value_int_of(parts[1]); k > 0 && s->c->units > 0; k--)
            if (!passes(s, parts[0], &x)) return;
        return;
    default: // rbind, lbind
        for (int k = 0; k < n; k++) all[k + left] = args[k];
        all[left ? 0 : n] = parts[1];
        blame_function(s, parts[0], all, n + 1);
    }
}

// A call that fails, of any value.
static void blame_function(const Blamer *s, Value f, const Value *args, int n) {
    const bool made = value_is(f, KIND_FUNC);
    const int arity = value_is_op(f) ? ops_table[value_op(f)].arity : made ? value_obj(f)->arity : 0;
    if (arity != n) set_call(s, LINE_CALLS_VALUE, f, args, n);
    else if (made) blame_made(s, value_obj(f), args, n);
    else blame_op(s, (int)value_op(f), args);
}

// ---- Running again ----

// Up to the line that the program fails with; false where it does not fail. As program_run does it, but all
// slots stay, and a failure says which line of the program it is of.
static bool run_again(Ctx *c, const Program *p, Value *slots, uint32_t *line) {
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        Value a[LINE_MOST_ARGS], *slot = &slots[program_slot_of_line(p, k)];
        for (int arg = 0; arg < l->n; arg++) a[arg] = slots[l->args[arg]];
        *slot = line_failure(l->op, slots[l->callee], a, l->n);
        if (slot->bits) continue;
        c->foreseen = c->units;
        *slot = line_run(c, l->op, slots[l->callee], a, l->n);
        *line = k;
        if (c->failure == TS_FAIL_BUDGET || (c->failure && !p->forgives)) return true;
        if (!c->failure) continue;
        *slot = failure_value(c->failure, k);
        ctx_forgive(c);
    }
    const Value result = slots[p->result];
    if (!value_is_failure(result)) return false;
    *line = failure_place(result);
    c->failure = failure_kind(result);
    return true;
}

// Whether the call that was found fails by itself as the line did. Where the units have ended on the way
// there, it may be any.
static bool is_proven(const Blamer *s) {
    const Blame *b = s->b;
    if (b->op == LINE_CALLS_VALUE) return b->kind == TS_FAIL_ARITY || b->kind == TS_FAIL_TYPE;
    return try_op(s, b->op, b->args) == b->kind;
}

bool program_blame(Ctx *c, const Program *p, const BlameGiven *given, int64_t units, Blame *b,
                   Value *result) {
    *b = (Blame){.argument = BLAME_NO_ARGUMENT};
    *result = VALUE_FAILED;
    Value *slots = arena_alloc(&c->arena, program_slots(p) * sizeof *slots);
    if (!slots) return false;
    slots[SLOT_S] = given->samples;
    slots[SLOT_I] = given->input;
    slots[SLOT_C] = given->candidate;
    for (uint32_t k = 0; k < p->constant_count; k++) slots[SLOTS_GIVEN + k] = p->constants[k];
    c->units = units;
    if (!run_again(c, p, slots, &b->line)) return *result = slots[p->result], false;
    b->kind = c->failure;
    if (b->kind == TS_FAIL_FOREIGN) b->message = c->message;
    const Line *l = &p->lines[b->line];
    const Blamer s = {c, b};
    Value a[LINE_MOST_ARGS];
    for (int k = 0; k < l->n; k++) a[k] = slots[l->args[k]];
    const Value callee = l->op == LINE_CALLS_VALUE ? slots[l->callee] : VALUE_NONE;
    set_call(&s, l->op, callee, a, l->n);
    if (b->kind == TS_FAIL_BUDGET) return true;
    const Blame whole = *b;
    forgive(c);
    c->units = units <= INT64_MAX / SEARCH_RUNS ? units * SEARCH_RUNS : units;
    // How deep calls nest is not to be seen in a part of them.
    if (l->op != LINE_CALLS_VALUE && b->kind != TS_FAIL_DEPTH) blame_op(&s, l->op, a);
    else if (b->kind != TS_FAIL_DEPTH) {
        b->inside = value_is(callee, KIND_FUNC) || value_is_op(callee);
        blame_function(&s, callee, a, l->n);
    }
    if (b->inside && !is_proven(&s)) *b = whole;
    choose_argument(&s);
    return true;
}
