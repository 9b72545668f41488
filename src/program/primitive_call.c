// Calls of registered primitives.
//
// What a call costs follows from its arguments and its result alone, not from how long the function takes or
// whether it is called at all: what it gave for the same arguments is remembered, with what it cost.
//
// The memory of a primitive is one for all threads. Whoever finds it in use makes the call instead of
// waiting: so no thread waits for another one, and a process that was forked meanwhile never for one that it
// has not. When it is full it begins anew.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "grid/colors.h"
#include "program/evaluator.h"
#include "program/primitive.h"

enum {
    KEPT_CALLS = 1 << 13,
    KEPT_BYTES = 16 << 20,
    KEPT_WEIGHT = 1 << 14, // of arguments and result together; what is heavier is not kept
    MESSAGE_BYTES = 500,
};

// ---- What calls gave ----

typedef struct {
    uint64_t hash; // of the arguments; 0 for none
    Value args[LINE_MOST_ARGS], result;
    ts_failure failure;
    const char *message;
    int64_t units;
} KeptCall;

struct PrimitiveMemory {
    pthread_mutex_t lock;
    Ctx ctx; // holds the values
    KeptCall calls[KEPT_CALLS];
};

static void begin_anew(PrimitiveMemory *m) {
    ctx_begin(&m->ctx, EVALUATOR_UNMETERED);
    memset(m->calls, 0, sizeof m->calls);
}

PrimitiveMemory *primitive_memory_new(void) {
    PrimitiveMemory *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    pthread_mutex_init(&m->lock, NULL);
    arena_init(&m->ctx.arena, KEPT_BYTES);
    ctx_begin(&m->ctx, EVALUATOR_UNMETERED);
    return m;
}

void primitive_memory_clear(PrimitiveMemory *m) {
    pthread_mutex_lock(&m->lock);
    begin_anew(m);
    pthread_mutex_unlock(&m->lock);
}

static uint64_t hash_arguments(const Value *a, int n) {
    uint64_t hash = 1;
    for (int k = 0; k < n; k++) hash = value_hash_from(hash, a[k]);
    return hash ? hash : 1;
}

static bool is_call(const KeptCall *kept, uint64_t hash, const Value *a, int n) {
    bool same = kept->hash == hash;
    for (int k = 0; same && k < n; k++) same = value_equal(kept->args[k], a[k]);
    return same;
}

// A failure with a text of its own.
static Value fail_saying(Ctx *c, const char *message) {
    ctx_fail(c, TS_FAIL_FOREIGN);
    if (c->failure == TS_FAIL_FOREIGN)
        c->message = message ? arena_text(&c->arena, message, strlen(message)) : NULL;
    return VALUE_FAILED;
}

static bool recall(PrimitiveMemory *m, Ctx *c, uint64_t hash, const Value *a, int n, Value *result) {
    if (pthread_mutex_trylock(&m->lock) != 0) return false;
    const KeptCall *kept = &m->calls[hash % KEPT_CALLS];
    const bool found = is_call(kept, hash, a, n);
    if (found) {
        const int64_t before = c->units;
        *result = kept->failure ? VALUE_FAILED : value_copy(c, kept->result);
        c->units = before; // a copy is not what the call has cost
        ctx_charge(c, kept->units);
        if (kept->failure == TS_FAIL_FOREIGN) fail_saying(c, kept->message);
        else if (kept->failure) ctx_fail(c, kept->failure);
    }
    pthread_mutex_unlock(&m->lock);
    return found;
}

static void keep(PrimitiveMemory *m, const Ctx *c, uint64_t hash, const Value *a, int n, Value result,
                 int64_t units) {
    uint64_t weight = c->failure ? 0 : value_weight(result);
    for (int k = 0; k < n; k++) weight += value_weight(a[k]);
    if (c->failure == TS_FAIL_BUDGET || weight > KEPT_WEIGHT || pthread_mutex_trylock(&m->lock) != 0) return;
    KeptCall kept = {.hash = hash, .failure = c->failure, .units = units, .result = VALUE_FAILED};
    for (int k = 0; k < n; k++) kept.args[k] = value_copy(&m->ctx, a[k]);
    if (!c->failure) kept.result = value_copy(&m->ctx, result);
    if (c->failure == TS_FAIL_FOREIGN && c->message)
        kept.message = arena_text(&m->ctx.arena, c->message, strlen(c->message));
    if (m->ctx.failure) begin_anew(m);
    else m->calls[hash % KEPT_CALLS] = kept;
    pthread_mutex_unlock(&m->lock);
}

// ---- A call ----

// Grids have colours wherever grids are declared. Of any other type it is enough that the value may be of it.
static bool is_fit(Value v, Type type) {
    if (!type_fits(type_of_value(v), type)) return false;
    if (!(type.self & TYPE_GRID) || type.self & TYPE_TUPLE) return true; // any tuple will do
    if (!value_is_grid(v)) return type.self & (TYPE_OBJECT | TYPE_INDICES) && value_is_set(v);
    return colors_everywhere(value_as_grid(v));
}

static Value refuse_result(Ctx *c, unsigned number, Value v) {
    const OpInfo *info = &ops_table[OPS + number];
    const bool colors = value_is_grid(v) && type_fits(type_of_value(v), primitive_added[number].result);
    Text t = {0};
    text_print(&t, "%s gave ", info->name);
    literal_print_some(&t, v, 60);
    text_print(&t, colors ? ", whose cells are not all 0 to 9" : ", which is no %s", info->result);
    fail_saying(c, t.failed ? NULL : t.data);
    text_free(&t);
    return VALUE_FAILED;
}

static Value call_function(Ctx *c, unsigned number, const Value *a) {
    const Primitive *own = &primitive_added[number];
    if (c->calls >= CTX_MOST_CALLS) return ctx_fail(c, TS_FAIL_DEPTH);
    c->calls++;
    const Value v = own->call(c, a, own->user);
    c->calls--;
    if (c->failure) return VALUE_FAILED;
    if (!v.bits || value_is_failure(v)) return fail_saying(c, "it gave no value");
    ctx_charge(c, (int64_t)value_weight(v));
    return is_fit(v, own->result) ? v : refuse_result(c, number, v);
}

static Value call(Ctx *c, unsigned number, const Value *a) {
    const Primitive *own = &primitive_added[number];
    const int64_t before = c->units;
    int64_t units = own->units;
    for (int k = 0; k < own->arity; k++) {
        if (!is_fit(a[k], own->types[k])) return ctx_fail(c, TS_FAIL_TYPE);
        units += value_weight(a[k]);
    }
    if (!ctx_charge(c, units)) return VALUE_FAILED;
    // Handles of a caller mean something else in each call.
    if (!own->memory || c->call_handle) return call_function(c, number, a);
    const uint64_t hash = hash_arguments(a, own->arity);
    Value result;
    c->units = before; // what is remembered has cost all of it
    if (recall(own->memory, c, hash, a, own->arity, &result)) return c->failure ? VALUE_FAILED : result;
    c->units = before - units;
    result = call_function(c, number, a);
    keep(own->memory, c, hash, a, own->arity, result, before - c->units);
    return result;
}

// A function of its own for each row of the table: it knows its number and nothing else. The numbers are
// written with eight digits.
#define EACH_OF_EIGHT(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define EACH(X)         \
    EACH_OF_EIGHT(X, 0) \
    EACH_OF_EIGHT(X, 1) \
    EACH_OF_EIGHT(X, 2) \
    EACH_OF_EIGHT(X, 3) EACH_OF_EIGHT(X, 4) EACH_OF_EIGHT(X, 5) EACH_OF_EIGHT(X, 6) EACH_OF_EIGHT(X, 7)
#define FUNCTION(n) \
    static Value call_##n(Ctx *c, const Value *a) { return call(c, 0##n, a); }
EACH(FUNCTION)

OpFn *primitive_function(unsigned number) {
#define NAMED(n) call_##n,
    static OpFn *const functions[] = {EACH(NAMED)};
    _Static_assert(sizeof functions / sizeof *functions == OPS_ADDED_MOST, "one for each");
    return functions[number];
}

// ---- The public face ----

ts_value ts_make_grid(ts_context *c, ts_grid grid) {
    if (c->failure) return VALUE_FAILED;
    return grid.height < 0 || grid.width < 0 ? ctx_fail(c, TS_FAIL_VALUE) : value_grid(c, grid);
}

ts_value ts_context_call(ts_context *c, ts_value function, const ts_value *arguments, size_t count) {
    if (count < 1 || count > LINE_MOST_ARGS) return ctx_fail(c, TS_FAIL_ARITY);
    for (size_t k = 0; k < count; k++)
        if (!arguments[k].bits || value_is_failure(arguments[k])) ctx_fail(c, TS_FAIL_VALUE);
    return func_call(c, function, arguments, (int)count);
}

bool ts_context_charge(ts_context *c, uint64_t units) {
    return !c->failure && ctx_charge(c, units < INT64_MAX / 4 ? (int64_t)units : INT64_MAX / 4);
}

ts_value ts_context_fail(ts_context *c, const char *message) {
    char text[MESSAGE_BYTES + 1];
    snprintf(text, sizeof text, "%s", message ? message : "");
    return fail_saying(c, text);
}

ts_value ts_context_fail_as(ts_context *c, ts_failure kind) {
    const bool known = kind > TS_FAIL_NONE && kind < TS_FAIL_KINDS && kind != TS_FAIL_FOREIGN;
    return known ? ctx_fail(c, kind) : fail_saying(c, NULL);
}

ts_failure ts_context_failure(const ts_context *c) { return c->failure; }

const char *ts_engine_message(const ts_engine *engine) {
    return engine->ctx.failure == TS_FAIL_FOREIGN ? engine->ctx.message : NULL;
}
