// What functions over elements will cost at the least.
//
// They nest: for each cell the best of all objects, and that for each object. That this will be too much is
// seen from the functions and from the sizes of the containers in them, before any of it is done.
#include "dsl/column_walk.h"

enum { OVER_UNITS = 2 }; // of a function over elements, for each: itself, and a place for its result

// The elements in a function that goes over those of a container; 0 where it is none.
static int64_t elements_over(Value f) {
    if (!value_is(f, KIND_FUNC)) return 0;
    const Obj *o = value_obj(f);
    const Value *parts = obj_items(o);
    if (!value_is_op(parts[0])) return 0;
    if (o->detail == OP_lbind && column_goes_over_first(value_op(parts[0]))) return column_elements(parts[1]);
    return o->detail == OP_rbind && column_goes_over_second(value_op(parts[0])) ? column_elements(parts[1])
                                                                                : 0;
}

// The same of a primitive. Some may leave a column as it is.
static int64_t least_of_op(Value f) {
    const unsigned op = value_is_op(f) ? value_op(f) : OP_identity;
    if (op == OP_identity || op == OP_astuple || op == OP_first || op == OP_last) return 0;
    return column_steps1[op] || column_steps2[op] || op == OP_apply ? 1 : 1 + COLUMN_STEP_UNITS;
}

static int64_t least_units(Value f, int *parts_left);

// The same of the functions that a function makes, as far as is known: compose, one of its parts given.
static int64_t least_of_made(Value f, int *parts_left) {
    while (value_is(f, KIND_FUNC) && (value_obj(f)->detail == OP_compose || value_obj(f)->detail == OP_chain))
        f = obj_items(value_obj(f))[0];
    if (!value_is(f, KIND_FUNC) || !value_same(obj_items(value_obj(f))[0], value_of_op(OP_compose))) return 0;
    int64_t units = least_units(obj_items(value_obj(f))[1], parts_left);
    return units > 0 ? units - 1 : 0; // there is a place for the last result already
}

// What a function charges for each element at the least: a place for each result. Looks at so many
// of its parts only, as a part may be in it a million times.
static int64_t least_units(Value f, int *parts_left) {
    const int64_t most = 1 << 30;
    if (--*parts_left < 0) return 0;
    if (!value_is(f, KIND_FUNC)) return least_of_op(f);
    const Obj *o = value_obj(f);
    const Value *parts = obj_items(o);
    int64_t units = OVER_UNITS * elements_over(f), times = 1;
    if (o->detail == OP_rbind || o->detail == OP_lbind) {
        if (!units) units = least_units(parts[0], parts_left);
    } else if (o->detail == OP_compose && elements_over(parts[0])) {
        units = (OVER_UNITS + least_of_made(parts[1], parts_left)) * elements_over(parts[0]);
    } else if (o->detail == OP_power) {
        times = value_int_of(parts[1]) < most ? value_int_of(parts[1]) : most;
        units = least_units(parts[0], parts_left);
    } else {
        for (uint32_t k = 0; k < (o->detail == OP_matcher ? 1 : o->n); k++)
            units += least_units(parts[k], parts_left);
    }
    return units > most / times ? most : units * times;
}

static int64_t least_over(Value f, int64_t n) {
    enum { MOST_PARTS = 40 };
    int parts_left = MOST_PARTS;
    int64_t units = least_units(f, &parts_left);
    return n * (units > 0 ? units - 1 : 0); // there is a place for the last result already
}

bool column_affords(Ctx *c, Value f, size_t n) { return ctx_affords(c, least_over(f, (int64_t)n)); }

bool column_affords_rows(Ctx *c, unsigned op, const ValueColumn *in, size_t n) {
    const int over = column_goes_over_first(op) ? 0 : 1;
    if ((over && !column_goes_over_second(op)) || column_elements(in[over].v[0]) < COLUMN_MANY) return true;
    int64_t units = 0;
    for (size_t k = 0; k < n && units <= c->units; k++)
        units +=
            least_over(in[1 - over].v[k * in[1 - over].step], column_elements(in[over].v[k * in[over].step]));
    return ctx_affords(c, units);
}
