// What the files of this folder share: expressions, and the one who tells them.
//
// An expression is a call of a primitive whose arguments are expressions. Each slot of the program has one;
// what becomes of functions that are applied to something has more of them, without a slot.
//
// Text goes into a Text that is handed down. All walks are bounded: by how deep they go, and by the steps
// that one sentence may take; beyond that something is told as "something".
#ifndef TESSERA_TELL_TELLER_H
#define TESSERA_TELL_TELLER_H

#include "program/constants.h"
#include "tell/tell.h"

enum { NO_SLOT = -1, MOST_DEEP = 48, MOST_STEPS = 300, MOST_LENGTH = 700 };

typedef enum {
    EXPR_GIVEN, // S, I or C
    EXPR_VALUE,
    EXPR_CALL,
    EXPR_THING,   // what a function is applied to
    EXPR_NAMED,   // a function that has a name, of args[0]
    EXPR_OVER,    // args[2], which holds the thing args[3], done args[1] times over from args[0] on
    EXPR_UNKNOWN, // something
} ExprKind;

typedef struct Expr Expr;
struct Expr {
    uint8_t kind, n;
    int16_t op;
    int32_t slot; // whose expression this is, or NO_SLOT; of EXPR_NAMED: the function's
    Value value;
    Type type;
    Expr *args[LINE_MOST_ARGS];
    // Of a thing:
    const char *called; // NULL: "each of" what it is from
    const Expr *from;   // the container; NULL: none
    bool is_pair;       // of two things, "the one" and "the other"
};

// What is known of a slot.
typedef struct {
    int uses;
    int step;                 // of the program's main line, counted from 1; 0: it is none
    char letter;              // its name, once it has one; 0: none
    bool is_in_step;          // an argument of a step but the first
    bool is_named, is_wanted; // it gets a name; a step's result that is asked for later on
    ConstantKind kind;        // what it is for, where that is known
    bool is_short;            // needs no name
} SlotNote;

typedef struct {
    const Program *p;
    Type *types;
    Expr **slots;
    SlotNote *notes;
    size_t count; // of slots
    Arena arena;
    Text *out;
    int sentences, letters, step; // told so far; step: the last of the main line that was told
    int budget, deep;             // steps that are left for a sentence; how deep we are in it
    int defining;                 // explanations under way
    bool is_planning;             // nothing is explained, names are just letters
    const Expr *plural;           // several things of which something is said
    const Expr *said_of;          // what the last condition was said of
    const Expr *things[8];        // those that are being told of
    int thing_count;
    bool starved;
    Expr spare; // stands for all that memory is short for
} Teller;

// ---- Expressions (tell_expr.c) ----

// What a line says; the slots before it have their expressions.
Expr *expr_of_line(Teller *t, uint32_t line);
// S, I, C or a constant.
Expr *expr_of_given(Teller *t, uint32_t slot);
Expr *expr_call(Teller *t, Op op, Expr *const *args, int n);
// A function applied to arguments.
Expr *expr_apply(Teller *t, const Expr *f, Expr *const *args, int n);
// A thing of this type; one of the elements of a container.
Expr *expr_thing(Teller *t, Type type, const char *called);
Expr *expr_element(Teller *t, const Expr *container);
bool expr_is_function(const Expr *e);
static inline bool expr_is_call(const Expr *e, Op op) { return e->kind == EXPR_CALL && e->op == (int)op; }
// How often a thing is told in an expression, up to 2; in a function that is passed counts as often.
int expr_mentions(Teller *t, const Expr *e, const Expr *thing);
// What a number in its place would be: a colour, a count, …
ConstantKind expr_kind(const Expr *e, int deep);

// ---- Values (tell_value.c) ----

void tell_value(Text *out, Value v, ConstantKind kind);
void tell_color(Text *out, int64_t color);
// A constant that a coarse primitive takes. (The words of a shape.)
bool tell_shaped(Text *out, const Expr *e, int argument);
// Whether such a constant goes without saying.
bool tell_is_silent(const Expr *call, int argument);
// Of an argument that says where pieces come from: "each part", or "the part"; how they are cut out, after a
// comma; and which of them is chosen, by the argument after it. All are constants.
void tell_pieces(Text *out, const Expr *call, int argument, bool each);
void tell_cut(Text *out, const Expr *call, int argument);
void tell_choice(Text *out, const Expr *call, int argument);
void tell_measure(Text *out, const Expr *call, int argument);

// ---- Phrases (tell_phrase.c) ----

// An expression as a noun phrase.
void tell_expr(Teller *t, Text *out, const Expr *e, ConstantKind kind);
// The same without regard to a name that it may have.
void tell_content(Teller *t, Text *out, const Expr *e, ConstantKind kind);
// A condition as a clause: "it is red".
void tell_clause(Teller *t, Text *out, const Expr *e, bool negated);
// A call as something to do, "fill it with red"; false where the primitive has no such phrase.
bool tell_step(Teller *t, Text *out, const Expr *e);
// Whether it is told best as a sentence of its own: what is made of each of several things. As an argument of
// a step some of it becomes "for each …: …".
bool tell_is_for_each(Teller *t, const Expr *e, bool in_step);
// What the parameter of a primitive is for, CONSTANT_OTHER where it takes anything.
ConstantKind tell_parameter_kind(Op op, int k);
// The argument that a step works on, from 0; -1 where the primitive is no step.
int tell_step_argument(Op op);
bool tell_step_is_silent(Op op);

// ---- Sentences (tell_program.c) ----

// The name of a slot that has one, explained before where it was not yet. False where it has none.
bool tell_name(Teller *t, Text *out, uint32_t slot);

#endif
