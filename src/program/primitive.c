// Registering primitives; primitive.h says how they are held.
#include "program/primitive.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/status.h"
#include "program/symbols.h"

Primitive primitive_added[OPS_ADDED_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

_Static_assert((int)TS_MOST_PRIMITIVES == (int)OPS_ADDED_MOST, "the header says how many there may be");

// ---- Checks ----

static bool is_name(const char *name) {
    size_t n = 0;
    for (; name && name[n]; n++)
        if (!isalnum((unsigned char)name[n]) && name[n] != '_') return false;
    return n > 0 && n < sizeof primitive_added->name && !isdigit((unsigned char)*name);
}

// Names that a program prints with: I, O, x1, …
static bool is_variable(const char *name) {
    if (*name == 'x') return name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
    return !name[1] && strchr("SICO", *name);
}

static bool check_name(const char *name, ts_status *status) {
    if (!is_name(name))
        return status_fail(status, TS_USAGE,
                           "a primitive has a name of up to 31 letters, digits and '_', not '%.40s'",
                           name ? name : "");
    if (is_variable(name))
        return status_fail(status, TS_USAGE,
                           "a primitive cannot be called '%s': programs have variables of that name", name);
    if (ts_ops_find(name) >= 0)
        return status_fail(status, TS_USAGE, "there is a primitive '%s' already", name);
    if (!symbols_is_free(name))
        return status_fail(status, TS_USAGE,
                           "a primitive cannot be called '%s': the language has this name already", name);
    return true;
}

static bool check_type(const char *name, const char *what, const char *type, ts_status *status) {
    if (type && type_named(type)) return true;
    return status_fail(
        status, TS_USAGE,
        "%s: the type of %s is one that `tessera ops` names, such as Grid or Integer, not '%.40s'", name,
        what, type ? type : "");
}

static bool check(const ts_primitive *p, ts_status *status) {
    if (!check_name(p->name, status)) return false;
    if (!p->call) return status_fail(status, TS_USAGE, "%s: there is no function to call", p->name);
    if (p->arity < 1 || p->arity > LINE_MOST_ARGS)
        return status_fail(status, TS_USAGE, "%s takes %d arguments; a primitive takes 1 to %d", p->name,
                           p->arity, LINE_MOST_ARGS);
    if (p->cost > 9) return status_fail(status, TS_USAGE, "%s: the cost of a line is at most 9", p->name);
    if (p->units > 1000000000)
        return status_fail(status, TS_USAGE, "%s: a call has at most 1000000000 units", p->name);
    for (int k = 0; k < p->arity; k++) {
        const char *parameter = p->parameters[k];
        if (parameter && !is_name(parameter))
            return status_fail(status, TS_USAGE, "%s: '%.40s' is no name for a parameter", p->name,
                               parameter);
        for (int n = 0; n < k && parameter; n++)
            if (p->parameters[n] && strcmp(parameter, p->parameters[n]) == 0)
                return status_fail(status, TS_USAGE, "%s: two parameters are called '%s'", p->name,
                                   parameter);
        if (!check_type(p->name, parameter ? parameter : "a parameter", p->types[k], status)) return false;
    }
    return check_type(p->name, "the result", p->result, status);
}

// ---- Registering ----

static bool take(Primitive *own, const ts_primitive *p) {
    *own = (Primitive){.call = p->call, .user = p->user, .units = p->units ? (int64_t)p->units : 100};
    static const char *const names[] = {"a", "b", "c", "d"};
    strcpy(own->name, p->name);
    own->arity = p->arity;
    own->result = *type_named(p->result);
    for (int k = 0; k < p->arity; k++) {
        strcpy(own->parameters[k], p->parameters[k] ? p->parameters[k] : names[k]);
        own->types[k] = *type_named(p->types[k]);
    }
    own->doc = strdup(p->doc ? p->doc : "");
    own->example = strdup(p->example ? p->example : "");
    own->memory = p->forgetful ? NULL : primitive_memory_new();
    if (own->doc && own->example && (own->memory || p->forgetful)) return true;
    free(own->doc);
    free(own->example);
    free(own->memory);
    return false;
}

// The name of a type as the table of types has it, which stays.
static const char *lasting(const char *type) {
    static const char *const names[] = {
#define TYPE(name, doc) #name,
#include "words/types.def"
    };
    size_t k = 0;
    while (strcmp(names[k], type) != 0) k++; // there is one: it was checked
    return names[k];
}

static void publish(unsigned op, const ts_primitive *p) {
    const Primitive *own = &primitive_added[op - OPS];
    OpInfo info = {.fn = primitive_function(op - OPS),
                   .name = own->name,
                   .family = "added",
                   .result = lasting(p->result),
                   .arity = p->arity,
                   .doc = own->doc,
                   .example = own->example,
                   .origin = ORIGIN_ADDED,
                   .cost = p->cost};
    for (int k = 0; k < p->arity; k++) {
        info.parameters[k] = own->parameters[k];
        info.types[k] = lasting(p->types[k]);
        info.shapes[k] = SHAPE_NONE;
    }
    ops_table[op] = info;
    type_declare((Op)op);
    symbols_add(op);
    __atomic_store_n(&ops_counted, op + 1, __ATOMIC_RELEASE);
}

static bool add(const ts_primitive *p, ts_status *status) {
    const unsigned op = ops_count();
    if (!check(p, status)) return false;
    if (op == OPS_MOST)
        return status_fail(status, TS_USAGE, "there are %d primitives already that were added, no more fit",
                           OPS_ADDED_MOST);
    if (!take(&primitive_added[op - OPS], p))
        return status_fail(status, TS_SYSTEM, "not enough memory for the primitive '%s'", p->name);
    publish(op, p);
    return true;
}

bool ts_primitive_add(const ts_primitive *primitive, ts_status *status) {
    *status = (ts_status){0};
    pthread_mutex_lock(&lock);
    const bool good = add(primitive, status);
    pthread_mutex_unlock(&lock);
    return good;
}

void ts_primitive_forget(const char *name) {
    const ptrdiff_t op = ts_ops_find(name);
    if (op >= OPS && primitive_added[op - OPS].memory)
        primitive_memory_clear(primitive_added[op - OPS].memory);
}
