// What a tree of Python (python_syntax.h) means, said in lines of the language.
//
// A value is closed, a constant or a line of the draft; or it depends on the parameter of a function that is
// being read, and then it is a term: a call that is not a line yet. When the function is needed as a value
// its term becomes one made by compose, fork, lbind and rbind: the parameter is abstracted
// (python_function.c). Functions that the text defines, and lambdas, are closures until then: a call of one
// puts its body in place.
//
// All along the types of values are known as far as types.h can tell: they choose what `+` means.
#ifndef TESSERA_PROGRAM_PYTHON_LOWER_H
#define TESSERA_PROGRAM_PYTHON_LOWER_H

#include "program/python_syntax.h"
#include "program/types.h"

typedef enum {
    PYTHON_NOTHING, // something was wrong and has been said; whatever needs it is passed over
    PYTHON_CLOSED,
    PYTHON_OPEN,
    PYTHON_CLOSURE,
    PYTHON_UNSET, // a variable that has a value on one side of an if only
} PythonState;

typedef struct PythonTerm PythonTerm;
typedef struct PythonScope PythonScope;
typedef struct PythonValue PythonValue;

struct PythonValue {
    uint8_t state;
    bool is_list;       // in Python; here it is a tuple all the same
    bool is_shared;     // a list that has another name, too: who changes it changes both
    uint8_t part_count; // elements of a tuple that are known one by one
    Type type;
    union {
        Ref ref;
        PythonTerm *term;
        struct {
            const PythonNode *function;
            PythonScope *scope; // where it was made
        };
    };
    const PythonValue *parts;
    const Type *pairs; // of a container: the types of the first and the second of each of its pairs
};

enum { PYTHON_PARAMETER_TERM = -2 };

struct PythonTerm {
    int16_t op; // as that of a line, or PYTHON_PARAMETER_TERM
    uint8_t n, depth;
    uint32_t free; // a bit for each parameter that it depends on
    uint32_t source;
    PythonValue callee, args[LINE_MOST_ARGS];
    uint32_t memo_bit; // the parameter that it was abstracted from last, and what came of that
    PythonValue memo;
};

typedef struct {
    uint32_t name;
    PythonValue value;
} PythonVariable;

struct PythonScope {
    PythonVariable *variables;
    uint32_t count, room;
    PythonScope *outer; // of the function around; NULL: the names of the text
    const PythonNode *function;
};

// Bounds of what a program may grow to when functions are put in place and loops are unrolled.
enum {
    PYTHON_MOST_STEPS = 20000,
    PYTHON_MOST_CALLS = 30,      // of functions in functions
    PYTHON_MOST_PARAMETERS = 30, // of functions around each other, that are being abstracted
    PYTHON_MOST_TURNS = 12,      // of a loop that is unrolled
    PYTHON_MOST_CONSTANTS = 4096,
    PYTHON_MOST_LINES = 4096,
    PYTHON_DEEPEST_TERM = 200,
};

typedef struct {
    PythonText *text;
    Draft *draft;
    Ctx *ctx;
    // The lines so far as a program, with room for all constants before them, and the types of all.
    Program view;
    Line *lines;
    Type *types;
    uint32_t typed_lines, typed_constants;
    uint32_t steps, calls, parameters; // parameters: bits of those in use
    const PythonNode *stack[PYTHON_MOST_CALLS];
    PythonScope top; // the names of the text
    Symbols symbols; // for spelling
    bool reported;   // that it is too large
} PythonLower;

static inline bool python_is(const PythonValue *v, PythonState s) { return v->state == s; }
static inline PythonValue python_nothing(void) { return (PythonValue){.state = PYTHON_NOTHING}; }
static inline uint32_t python_free(const PythonValue *v) {
    return v->state == PYTHON_OPEN ? v->term->free : 0;
}

// ---- Calls of primitives and functions (python_term.c) ----

// The program has grown too long, which is said once.
PythonValue python_too_large(PythonLower *l, const PythonNode *at);

PythonValue python_constant(PythonLower *l, const PythonNode *at, Value v);
bool python_is_constant(const PythonLower *l, const PythonValue *v, Value *constant);
PythonValue python_op(PythonLower *l, Op op); // as a value
PythonValue python_number(PythonLower *l, int64_t n);
// A call that the reader makes up: whatever the types.
PythonValue python_call(PythonLower *l, const PythonNode *at, Op op, int n, const PythonValue *args);
#define PYTHON_CALLED(l, at, op, ...)                                                         \
    python_call(l, at, op, (int)(sizeof((PythonValue[]){__VA_ARGS__}) / sizeof(PythonValue)), \
                (PythonValue[]){__VA_ARGS__})
PythonValue python_call_value(PythonLower *l, const PythonNode *at, PythonValue f, int n,
                              const PythonValue *args);
// A call that is written: arguments that cannot be are problems.
PythonValue python_call_written(PythonLower *l, const PythonNode *at, Op op, PythonValue *args,
                                const PythonNode *const *nodes);
// b if a else c: only the side that is chosen may fail.
PythonValue python_choose(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b, PythonValue c);
PythonValue python_tuple(PythonLower *l, const PythonNode *at, const PythonValue *elements, size_t n,
                         bool is_set);

// ---- Functions (python_function.c) ----

PythonValue python_parameter(PythonLower *l, Type type, uint32_t *bit);
// The function of this parameter that gives the value; ends the use of the bit.
PythonValue python_abstract(PythonLower *l, const PythonNode *at, PythonValue body, uint32_t bit);
// A closure called with these arguments.
PythonValue python_inline(PythonLower *l, const PythonNode *at, PythonValue closure, int n,
                          const PythonValue *args);
// Any function called.
PythonValue python_apply(PythonLower *l, const PythonNode *at, PythonValue f, int n, const PythonValue *args);
// A closure as a function value of one argument of this type; what is none stays.
PythonValue python_function(PythonLower *l, const PythonNode *at, PythonValue f, Type argument);

// ---- Expressions (python_lower.c, python_operators.c, python_builtins.c) ----

PythonValue python_value(PythonLower *l, PythonScope *s, const PythonNode *n);
bool python_bind(PythonLower *l, PythonScope *s, const PythonNode *target, PythonValue v);
void python_set(PythonLower *l, PythonScope *s, uint32_t name, PythonValue v);
PythonVariable *python_find(const PythonScope *s, uint32_t name);
PythonValue python_binary(PythonLower *l, const PythonNode *at, uint32_t op, PythonValue a, PythonValue b);
PythonValue python_compare(PythonLower *l, const PythonNode *at, uint32_t op, PythonValue a, PythonValue b);
PythonValue python_index(PythonLower *l, const PythonNode *at, PythonValue base, PythonValue index);
PythonValue python_slice(PythonLower *l, PythonScope *s, const PythonNode *at, PythonValue base,
                         const PythonNode *slice);
PythonValue python_and(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b);
PythonValue python_or(PythonLower *l, const PythonNode *at, PythonValue a, PythonValue b);
PythonValue python_sign(PythonLower *l, const PythonNode *at, uint32_t op, PythonValue v);
PythonValue python_not(PythonLower *l, const PythonNode *at, PythonValue v);
// Elements as a tuple, or as a set.
PythonValue python_as_tuple(PythonLower *l, const PythonNode *at, PythonValue v);
PythonValue python_as_set(PythonLower *l, const PythonNode *at, PythonValue v);
// The value of such an element of the container, with its parts where they are known.
PythonValue python_parted(PythonLower *l, const PythonNode *at, PythonValue element, PythonValue container);
// A comprehension or generator expression, as a tuple or a set; what does not matter may stay a set.
typedef enum { PYTHON_TO_TUPLE, PYTHON_TO_SET, PYTHON_TO_EITHER } PythonWish;
PythonValue python_comprehension(PythonLower *l, PythonScope *s, const PythonNode *n, PythonWish wish);
// An argument that is gone through: a comprehension or a container.
PythonValue python_elements(PythonLower *l, PythonScope *s, const PythonNode *n, PythonWish wish);
PythonValue python_filter(PythonLower *l, PythonScope *s, const PythonNode *target, PythonValue container,
                          const PythonNode *condition);
// A name that stands for nothing, which is said.
PythonValue python_unknown(PythonLower *l, const PythonScope *s, const PythonNode *n, bool called);
PythonValue python_call_node(PythonLower *l, PythonScope *s, const PythonNode *n);
// A call of one of Python's own functions, or of a method; false where it is none of those.
bool python_builtin(PythonLower *l, PythonScope *s, const PythonNode *n, const Token *name,
                    PythonValue *result);
PythonValue python_method(PythonLower *l, PythonScope *s, const PythonNode *n);
// The statements of a function. False where they end without a return.
typedef struct PythonRest PythonRest;
bool python_block(PythonLower *l, PythonScope *s, const PythonNode *n, const PythonRest *rest,
                  PythonValue *result);

void python_for(PythonLower *l, PythonScope *s, const PythonNode *n);
PythonValue python_sum(PythonLower *l, const PythonNode *at, PythonValue container, PythonValue start);
// Whether the function around, or the text, gives this name a value somewhere.
bool python_assigns(const PythonNode *statements, uint32_t name);

// Whether each sort that it may be is one of these.
static inline bool python_only(const PythonValue *v, unsigned sorts) {
    return v->type.self && !(v->type.self & ~sorts);
}
static inline bool python_is_number(const PythonValue *v) { return python_only(v, TYPE_INT | TYPE_BOOL); }
// Notes a problem at a node. Gives nothing back.
PythonValue python_fault(PythonLower *l, const PythonNode *at, ts_problem kind, const char *remedy,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
