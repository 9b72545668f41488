// The types of a program's values, found by running it with types instead of values.
//
// A type is a set of sorts, one bit each: what the value may be. Of tuples and sets that have no sort of
// their own it also says what their elements may be, and the elements of those; further in, anything. So
// Objects is {SET, OBJECT}, the samples S are {TUPLE, TUPLE, GRID}, Patch is {INDICES or OBJECT}.
//
// An argument fits a parameter if some sort is common to both. Only what cannot work is refused: the language
// is Python, where `first` of anything with elements is fine, and what a wide type allows may still fail when
// it runs. Results are as narrow as can be told: argmax of Objects is an Object, apply(f, x) has the elements
// that f gives for those of x. What a primitive gives where it finds nothing (None, an empty container) is of
// no account.
//
// A function's type says which function it is, a primitive or the line that made it, so that calling it runs
// it on types too: fork(astuple, height, width) of a Grid is a pair. Where that is not known (a branch of two
// functions, a function out of a tuple) it says how many arguments it may take.
#ifndef TESSERA_PROGRAM_TYPES_H
#define TESSERA_PROGRAM_TYPES_H

#include "program/program.h"

enum {
    TYPE_BOOL = 1 << 0, // an integer too; 0 and 1 written in a program may be either
    TYPE_INT = 1 << 1,
    TYPE_PAIR = 1 << 2, // of integers
    TYPE_CELL = 1 << 3, // an integer and a pair
    TYPE_GRID = 1 << 4,
    TYPE_TUPLE = 1 << 5, // any other tuple
    TYPE_INDICES = 1 << 6,
    TYPE_OBJECT = 1 << 7,
    TYPE_SET = 1 << 8, // any other set
    TYPE_FUNCTION = 1 << 9,
    TYPE_NONE = 1 << 10,
    TYPE_WORD = 1 << 11, // such as REGIONS
    TYPE_ALL = (1 << 12) - 1,
    TYPE_TUPLES = TYPE_PAIR | TYPE_CELL | TYPE_GRID | TYPE_TUPLE,
    TYPE_SETS = TYPE_INDICES | TYPE_OBJECT | TYPE_SET,
    TYPE_CONTAINERS = TYPE_TUPLES | TYPE_SETS,
    TYPE_ANY_ARITY = (1 << LINE_MOST_ARGS) - 1,
};

typedef struct {
    uint16_t self, element, inner;
    uint16_t arities;  // of a function: bit n - 1 where it may take n arguments
    uint32_t function; // 1 + primitive, or 1 + OPS_MOST + the line that made it; 0 where it is not known
} Type;

// Why a program does not type-check: an argument that cannot be passed, perhaps inside of a function that the
// line calls.
typedef struct {
    uint32_t line; // of the program, from 0
    int op;        // the primitive concerned; LINE_CALLS_VALUE where what is called is no such function
    int argument;  // from 0; -1 where each of them is fine alone
    Type found;
} TypeProblem;

Type type_of_value(Value v);
const Type *type_named(const char *name); // as ops.def names it; NULL for shapes and what is none
void type_declare(Op op); // takes the types of a primitive from its row, for what is registered
Type type_of_parameter(Op op, int argument);
Type type_of_result(Op op);                    // whatever the arguments
bool type_fits(Type argument, Type parameter); // whether it may be passed
// Whether two types have a sort in common, a truth value being no number.
bool type_alike(Type a, Type b);
// The result of a primitive on arguments of these types; false where one cannot be passed. The types are
// those of the program, so that functions made on its lines are known; without one they are not.
bool type_of_call(const Program *p, const Type *types, Op op, const Type *arguments, Type *result);
Type type_element(Type container); // of no sort where it has none
Type type_join(Type a, Type b);
Type type_apply(Type like, Type element); // a container like this one, of such elements
Type type_tuple(Type element);
Type type_set(Type element);
// The type of one line, those before it being known; false where it does not type-check.
bool type_of_line(const Program *p, const Type *types, uint32_t line, Type *result);
void type_print(Text *t, Type type);

// The type of each slot, SLOTS_GIVEN + constants + lines of them. False where the program does not
// type-check, with the problem (NULL: not asked for) and the slots up to that line filled in.
bool program_types(const Program *p, Type *types, TypeProblem *problem);
// The same for who wants to know what each primitive is given. A place is where one is written: as what a
// line calls, or as an argument, a function that something calls in the end. The watch is called for each
// call, after those that its arguments ask for; a place that nothing is seen to call it does not hear of.
// What does not type-check is no end here. Functions in these types may name places: they are good for
// nothing else. A line power(f, n) has a place for each of the first times that f is called.
enum { TYPE_PLACE_OF_LINE = LINE_MOST_ARGS, TYPE_PLACES, TYPE_MOST_POWER = LINE_MOST_ARGS };
static inline uint32_t type_place(uint32_t line, int argument) {
    return line * TYPE_PLACES + (uint32_t)argument;
}
typedef void TypeWatch(void *user, uint32_t place, Op op, const Type *arguments, Type result);
bool program_watch_types(const Program *p, Type *types, TypeWatch *watch, void *user);
void type_problem_print(Text *t, const TypeProblem *problem);

#endif
