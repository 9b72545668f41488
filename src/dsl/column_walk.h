// What the files of the columns share: column.c walks through a function, column_steps.c has the loops of the
// steps met most often, column_made.c does without values that only the next step sees, column_cost.c sees
// what will be too much, column_rows.c does at once what a function does for each of many containers.
#ifndef TESSERA_DSL_COLUMN_WALK_H
#define TESSERA_DSL_COLUMN_WALK_H

#include "dsl/column.h"

enum {
    COLUMN_LOOP_UNITS = 1, // of one primitive on two elements, beside the memory, where it has a loop
    COLUMN_STEP_UNITS = 2, // of one primitive on one element, where it has not
    COLUMN_FEW = 2,        // fewer elements than this are called one by one
    COLUMN_MANY = 16,      // columns of this length are kept
    COLUMN_ENOUGH = 4,     // rows that are worth a look at all of them
};

// Value k is v[k * step]; a step of 0 is a fixed argument. Where there is a `second`, it is the pair of that
// value and second[k * second_step]: most pairs are made to be taken apart again, and these need not be made.
// Where there is `made` the values are what it says, and there is nothing else.
typedef struct {
    const Value *v;
    size_t step;
    const Value *second;
    size_t second_step;
    const struct ColumnMade *made;
} ValueColumn;

// A step that is put off: what it would make, and of what.
typedef struct ColumnMade {
    unsigned op;
    int arity;
    ValueColumn in[2];
} ColumnMade;

static inline Value *column_new(Ctx *c, size_t n) { return ctx_alloc(c, (n + 1) * sizeof(Value)); }

static inline void column_keep(Ctx *c, CtxColumn *place, CtxColumn what) {
    *place = what;
    c->kept |= 1ULL << (place - c->columns);
}

// ---- Steps (column_steps.c) ----

typedef void ColumnStep1(Ctx *c, ValueColumn in, size_t n, Value *out);
typedef void ColumnStep2(Ctx *c, ValueColumn p, ValueColumn q, size_t n, Value *out);
// By primitive: its loop, NULL where it has none.
extern ColumnStep1 *const column_steps1[OPS_MOST];
extern ColumnStep2 *const column_steps2[OPS_MOST];

// ---- Primitives that go over the elements of an argument with another ----

static inline bool column_goes_for_best(unsigned op) {
    return op == OP_argmin || op == OP_argmax || op == OP_valmin || op == OP_valmax;
}
// Through all of their first argument with their second, or the other way round.
static inline bool column_goes_over_first(unsigned op) {
    return op == OP_sfilter || op == OP_mfilter || op == OP_order || column_goes_for_best(op);
}
static inline bool column_goes_over_second(unsigned op) { return op == OP_apply || op == OP_mapply; }

static inline int64_t column_elements(Value v) {
    return value_tag(v) == TAG_OBJ && value_is_container(v) ? value_obj(v)->n : 0;
}

// ---- Costs (column_cost.c) ----

// Whether a function on n elements may be affordable; fails where not.
bool column_affords(Ctx *c, Value f, size_t n);
// The same for rows of arguments, where the primitive is one that goes over elements.
bool column_affords_rows(Ctx *c, unsigned op, const ValueColumn *in, size_t n);

// ---- The walk (column.c) ----

// The results are in `out`; where it is NULL, in a new column. False once something has failed.
bool column_walk(Ctx *c, Value f, const ValueColumn *in, int arity, size_t n, Value *out,
                 ValueColumn *result);
// The same, with a value in `out` for each row.
bool column_walk_into(Ctx *c, Value f, const ValueColumn *in, int arity, size_t n, Value *out);

// A function may hold a column instead of a value: one for each row. No function holds a failure, so its tag
// is free for that. Such a function is never seen outside of these files.
enum { COLUMN_TAG_HOLE = TAG_FAIL };
static inline Value column_hole(const Value *column) {
    return (Value){(uint64_t)(uintptr_t)column | COLUMN_TAG_HOLE};
}
static inline const Value *column_of_hole(Value hole) {
    return (const Value *)(uintptr_t)(hole.bits & ~7ULL);
}

// ---- Values that need not be made (column_made.c) ----

// Puts a step off, if it is one of those that may not be needed. False where it is none.
bool column_puts_off(Ctx *c, unsigned op, const ValueColumn *in, int arity, ValueColumn *result);
// A primitive of one argument, or colorcount, on what was put off. False where that has to be made; true when
// it is done, or has failed.
bool column_without_making(Ctx *c, unsigned op, const ValueColumn *in, size_t n, Value *out);
bool column_counts_color(Ctx *c, const ValueColumn *in, size_t n, Value *out);
// difference(x, fixed) or intersection(x, fixed) for many sets of locations. False where this is not what
// they are.
bool column_against(Ctx *c, unsigned op, ValueColumn in, Value fixed, size_t n, Value *out);

// ---- Many rows at once (column_rows.c) ----

// A primitive that goes over elements, for n rows of containers and functions. False where they have too
// little in common; true when it is done, or has failed.
bool column_rows(Ctx *c, unsigned op, const ValueColumn *in, size_t n, Value *out);

#endif
