// Values that a caller makes and takes apart, and primitives called with them: what a binding for another
// language needs. It is thin: values are made by the same functions as everywhere, so they have the one form
// that follows from what they are.
#include <assert.h>

#include "program/evaluator.h"

ts_context *ts_call_begin(ts_engine *engine) {
    ctx_begin(&engine->ctx, EVALUATOR_UNMETERED);
    return &engine->ctx;
}

// ---- Made ----

ts_value ts_make_none(void) { return VALUE_NONE; }

ts_value ts_make_int(ts_context *c, int64_t n) { return value_int(c, n); }

// Whether all of them are there: one that failed, or was never made, is no value to be looked into.
static bool all_made(Ctx *c, const ts_value *items, size_t count) {
    if (count > VALUE_MOST_WEIGHT) ctx_fail(c, TS_FAIL_BUDGET);
    for (size_t k = 0; k < count && !c->failure; k++)
        if (!items[k].bits || value_is_failure(items[k])) ctx_fail(c, TS_FAIL_VALUE);
    return !c->failure;
}

ts_value ts_make_tuple(ts_context *c, const ts_value *items, size_t count) {
    return all_made(c, items, count) ? value_tuple(c, items, count) : VALUE_FAILED;
}

ts_value ts_make_set(ts_context *c, ts_value *items, size_t count) {
    return all_made(c, items, count) ? value_set(c, items, count) : VALUE_FAILED;
}

bool ts_make_word(const char *name, ts_value *word) {
    for (unsigned k = 0; k < WORDS; k++)
        if (strcmp(word_names[k], name) == 0) {
            *word = value_of_word(k);
            return true;
        }
    return false;
}

ts_value ts_make_op(size_t index) {
    assert(index < ops_count());
    return value_of_op((unsigned)index);
}

ts_value ts_make_function(ts_context *c, size_t index, const ts_value *parts) {
    assert(index < ops_count());
    return all_made(c, parts, (size_t)ops_table[index].arity) ? ops_table[index].fn(c, parts) : VALUE_FAILED;
}

ts_value ts_make_handle(ts_context *c, int64_t n, int arity) {
    const Value number = value_int(c, n);
    return c->failure ? VALUE_FAILED : value_func(c, FUNC_HANDLE, (unsigned)arity, &number, 1);
}

// ---- Called ----

typedef struct {
    ts_call_handle *call;
    void *user;
} Handles;

// What the caller makes costs no units.
static Value call_handle(Ctx *c, int64_t number, const Value *args, int n) {
    const Handles *handles = c->handles;
    const int64_t units = c->units, foreseen = c->foreseen;
    Value result = VALUE_NONE;
    c->units = EVALUATOR_UNMETERED;
    ts_failure failure = handles->call(handles->user, c, number, args, (size_t)n, &result);
    c->units = units;
    c->foreseen = foreseen;
    if (failure) ctx_fail(c, failure);
    return c->failure ? VALUE_FAILED : result;
}

ts_result ts_call(ts_engine *engine, ts_value function, const ts_value *arguments, size_t count,
                  ts_call_handle *handles, void *user) {
    Ctx *c = &engine->ctx;
    Handles held = {handles, user};
    const bool plain = c->plain;
    c->units = c->foreseen = (int64_t)engine->units;
    if (handles) {
        c->call_handle = call_handle;
        c->handles = &held;
        c->plain = true;
    }
    Value value = count <= 4 ? func_call(c, function, arguments, (int)count) : ctx_fail(c, TS_FAIL_ARITY);
    c->call_handle = NULL;
    c->handles = NULL;
    c->plain = plain;
    return evaluator_result(engine, value, 0);
}

// ---- Taken apart ----

static bool is_handle(Value v) { return value_is(v, KIND_FUNC) && value_obj(v)->detail == FUNC_HANDLE; }

ts_kind ts_value_kind(ts_value v) {
    if (value_is_int(v)) return TS_KIND_INT;
    if (value_is_tuple(v)) return TS_KIND_TUPLE;
    if (value_is_set(v)) return TS_KIND_SET;
    if (value_is_word(v)) return TS_KIND_WORD;
    if (is_handle(v)) return TS_KIND_HANDLE;
    return value_is_op(v) || value_is(v, KIND_FUNC) ? TS_KIND_FUNCTION : TS_KIND_NONE;
}

int64_t ts_value_int(ts_value v) {
    if (is_handle(v)) v = obj_items(value_obj(v))[0];
    return value_is_int(v) ? value_int_of(v) : 0;
}

const char *ts_value_name(ts_value v) { return word_names[value_word(v)]; }

size_t ts_value_op(ts_value v) { return value_is_op(v) ? value_op(v) : value_obj(v)->detail; }

size_t ts_value_length(ts_value v) {
    if (value_is_loc(v) || value_is_cell(v)) return 2;
    return value_is_container(v) || value_is(v, KIND_FUNC) ? value_obj(v)->n : 0;
}

ts_value ts_value_at(ts_context *c, ts_value v, size_t k) {
    if (c->failure || k >= ts_value_length(v)) return ctx_fail(c, TS_FAIL_INDEX);
    if (value_is(v, KIND_FUNC)) return obj_items(value_obj(v))[k];
    return value_element(c, v, (uint32_t)k);
}

const char *ts_constant(size_t index, ts_value *value) {
    if (index < ops_constant_count + ops_other_constant_count) {
        const bool other = index >= ops_constant_count;
        const Constant *k = other ? &ops_other_constants[index - ops_constant_count] : &ops_constants[index];
        *value = k->value;
        return k->name;
    }
    index -= ops_constant_count + ops_other_constant_count;
    if (index >= WORDS) return NULL;
    *value = value_of_word((unsigned)index);
    return word_names[index];
}
