// The primitives: their numbers, their table, and what their functions share.
//
// A primitive is `OP_FN(name) { … }` in the file of its family. Its arguments are a[0], a[1], …; none of them
// is a failure (but see choose). It returns a value, or ctx_fail(…). It first tries its fast path, on the
// forms that the value layer gives to ordinary grids, patches and objects; then comes the plain path, which
// says what the primitive means for any value at all and is what the fast path is tested against. Charge what
// the work is worth.
#ifndef TESSERA_DSL_OPS_H
#define TESSERA_DSL_OPS_H

#include "words/words.h"

typedef enum {
#define OP(family, name, ...) OP_##name,
#include "dsl/ops.def"
    OPS
} Op;

// Beyond these come the primitives that users register, as many as there is room for.
enum { OPS_ADDED_MOST = 64, OPS_MOST = OPS + OPS_ADDED_MOST };

typedef Value OpFn(Ctx *c, const Value *a);
#define OP_FN(name) Value op_##name(Ctx *c, const Value *a)
// A primitive called by another: CALL(fill, grid, color, patch).
#define CALL(name, ...) op_##name(c, (const Value[]){__VA_ARGS__})

#define OP(family, name, ...) OpFn op_##name;
#include "dsl/ops.def"

// The smallest language that has a primitive: each holds those before it.
typedef enum {
    ORIGIN_ADDED,   // none: what a user registers belongs to all of them
    ORIGIN_PUBLIC,  // arc-dsl
    ORIGIN_DIALECT, // that of solve(S, I, C)
    ORIGIN_OURS     // a coarse step of the search, in no other
} OpOrigin;

typedef struct {
    OpFn *fn;
    const char *name, *family, *result;
    int arity;
    const char *parameters[4], *types[4];
    Shape shapes[4]; // of the parameters; SHAPE_NONE for those that have none
    const char *doc, *example;
    OpOrigin origin;
    int cost; // of a line with it where grammar.def does not say; 0: by its types, below 0: no such line
} OpInfo;

// Rows are only added (program/primitive.c): one is written before it counts and never changes after that. So
// whoever knows the number of a primitive reads its row without a lock.
extern OpInfo ops_table[OPS_MOST];
extern unsigned ops_counted;
static inline unsigned ops_count(void) { return __atomic_load_n(&ops_counted, __ATOMIC_ACQUIRE); }
_Static_assert(OPS <= 255, "the number of a primitive of ops.def fits a byte");
_Static_assert((int)OPS_MOST <= (int)PROFILE_PRIMITIVES, "a slot of a profile for each primitive");

// What a parameter is about if it follows the one before it (shape_follows).
Shape op_yields(Ctx *c, const OpInfo *info, int k, const Value *arguments);

// What values of a type are, as ops.def names it; NULL where it is a shape of words.
const char *ops_type_doc(const char *type);

// Other names for primitives, understood by the reader.
typedef struct {
    const char *name;
    Op op;
} OpAlias;

extern const OpAlias ops_aliases[];
extern const size_t ops_alias_count;

typedef struct {
    const char *name;
    Value value;
} Constant;

// Those that values print by, then those that are understood by the reader only.
extern const Constant ops_constants[], ops_other_constants[];
extern const size_t ops_constant_count, ops_other_constant_count;

// A function that only the caller of an evaluation knows, by a number, which is its one part
// (program/call.c). No function is made by identity.
enum { FUNC_HANDLE = OP_identity };

// Call a function value: a primitive or what compose, rbind, … made.
Value func_call(Ctx *c, Value f, const Value *args, int n);
Value func_call1(Ctx *c, Value f, Value x);
static inline Value func_call2(Ctx *c, Value f, Value x, Value y) {
    return func_call(c, f, (const Value[]){x, y}, 2);
}

// ---- Values as text (literal.c) ----

void literal_print(Text *t, Value v);        // as a literal that the reader reads back
void literal_print_python(Text *t, Value v); // the same so that Python reads it too
void literal_print_words(Text *t, Value v);  // … as it stands in a program, where words say what is meant
// For people: about so many bytes of it, and how many elements are left then. Whether it is whole. A value
// may hold one part so often that its text would fill the memory: what is shown goes through this.
bool literal_print_some(Text *t, Value v, size_t most);
// In a few words: "a set of 7 objects", "a grid of 3 × 4", "the number 143". (describe.c)
void literal_describe(Text *t, Value v);

// ---- Python's operators, for the plain paths (python.c) ----

int64_t need_int(Ctx *c, Value v);   // fails for what is none
int64_t need_range(Ctx *c, Value v); // a count for a loop: below zero is zero
// What `if v` takes.
static inline bool py_truth(Value v) {
    if (value_is_small(v)) return value_small(v) != 0;
    if (value_tag(v) == TAG_NONE) return false;
    return !value_is_container(v) || value_tag(v) != TAG_OBJ || value_obj(v)->n != 0;
}
bool py_equal(Ctx *c, Value a, Value b);                   // ==, charged
bool unpack_two(Ctx *c, Value v, Value *a, Value *b);      // a, b = v
bool unpack_ints(Ctx *c, Value v, int64_t *i, int64_t *j); // the same where both must be integers
bool unpack_cell(Ctx *c, Value v, Value *color, int64_t *i, int64_t *j); // color, (i, j) = v
Value py_add(Ctx *c, Value a, Value b);                                  // numbers, tuples end to end
Value py_subtract(Ctx *c, Value a, Value b);                             // numbers, sets
Value py_multiply(Ctx *c, Value a, Value b);                             // numbers, tuples repeated
Value py_divide(Ctx *c, Value a, Value b);                               // numbers, rounded down
Value py_slice(Ctx *c, Value v, int64_t start, int64_t stop);            // v[start:stop] of a tuple
Value py_reversed(Ctx *c, Value v);                                      // v[::-1] of a tuple
Value py_zip_all(Ctx *c, Value v);                                       // tuple(zip(*v))
// Integers with overflow as a failure.
int64_t int_add(Ctx *c, int64_t a, int64_t b);
int64_t int_subtract(Ctx *c, int64_t a, int64_t b);
int64_t int_multiply(Ctx *c, int64_t a, int64_t b);

#endif
