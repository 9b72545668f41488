// Programs of the language: straight-line code, one call per line.
//
// A program's values live in numbered slots: S, I and C, then its constants, then one slot for each line. A
// line is a primitive or a function value, and the slots of its arguments; it writes its own slot, in order.
//
// Programs are in canonical form from the moment they are read: nested calls are lines, equal lines are one,
// lines that the result does not need are gone, and the lines stand in the order in which the result asks for
// them. So two texts that say the same thing give the same program, and it prints in one way only.
#ifndef TESSERA_PROGRAM_PROGRAM_H
#define TESSERA_PROGRAM_PROGRAM_H

#include "dsl/ops.h"

enum { SLOT_S, SLOT_I, SLOT_C, SLOTS_GIVEN };
enum { LINE_MOST_ARGS = 4, LINE_CALLS_VALUE = -1, LINE_NAME = 24 };

typedef struct {
    int16_t op; // LINE_CALLS_VALUE: the function is in the slot `callee`
    uint8_t n;
    uint32_t callee;
    uint32_t args[LINE_MOST_ARGS];
    uint32_t source;      // line of the text, for messages
    char name[LINE_NAME]; // that the text gives the value, its beginning and … where it is long; "" for none
} Line;

typedef struct {
    const char *name;
    bool takes_samples; // def solve(S, I, C); else def solve(I)
    bool forgives;      // has a line choose: a line may fail without the program
    bool found;         // by a search: nobody wrote it
    uint32_t constant_count, line_count;
    const Value *constants;
    const Line *lines;
    uint32_t result; // a slot
} Program;

typedef struct Parser Parser;

struct ts_programs {
    Ctx ctx; // holds the programs, their constants and names
    Program *programs;
    size_t count, room;
    Parser *parser; // reads texts into the set; NULL before the first
};

void parser_free(Parser *p); // (parser.c)

// Takes all programs out and keeps the memory for the next ones.
static inline void programs_reset(ts_programs *set) {
    ctx_begin(&set->ctx, INT64_MAX / 2);
    set->count = 0;
}

static inline uint32_t program_slot_of_line(const Program *p, uint32_t line) {
    return SLOTS_GIVEN + p->constant_count + line;
}

static inline size_t program_slots(const Program *p) { return program_slot_of_line(p, p->line_count); }

// Adds the programs of a text that the engine has written, all or none: it is lines of calls, and where it is
// anything else it was damaged. (parser.c)
bool program_add_ours(ts_programs *programs, const char *name, const char *text, size_t length,
                      Status *status);

// Reads one expression as a program without input. (parser.c)
bool program_parse_expression(ts_programs *set, const char *file, const char *text, size_t length,
                              Program *program, Status *status);

void program_print(Text *t, const Program *p); // (printer.c)
// One line of it, without the indentation: "x1 = vmirror(I)". (printer.c)
void program_print_line(Text *t, const Program *p, uint32_t number);
// As the dialect of solve(S, I, C) writes it. False where that has no words for it, with the status: its line
// is that of the text. What was written then counts for nothing. (dialect.c)
bool program_print_dialect(Text *t, const Program *p, Status *status);
// A constant as it stands in a program, where a value of this type is asked for; NULL: any. (printer.c)
void program_print_constant(Text *t, Value v, const char *type);
const char *program_constant_name(Value v, const char *type); // NULL where it has none

enum { LINE_UNITS = 4 }; // what a line costs beside what its primitive does

// One line on its arguments. What a line costs follows from their values alone, and a program costs what its
// lines cost: so a battery, where many programs share a line, can charge each of them as if it ran alone.
static inline Value line_run(Ctx *c, int op, Value callee, const Value *args, int n) {
    ctx_charge(c, LINE_UNITS);
    return op == LINE_CALLS_VALUE ? func_call(c, callee, args, n) : ops_table[op].fn(c, args);
}

// ---- Failures among values ----
//
// A line whose argument has failed fails with it, of several with the leftmost. But choose needs only its
// condition and the side that is chosen: so the other may fail, unless units or memory ended there, for these
// are the program's. A program without choose ends with the first line that fails.

// A failure in the place of a value: its kind, and where it arose, a line or a column.
static inline Value failure_value(ts_failure kind, uint32_t place) {
    return value_from(TAG_FAIL, (uint64_t)place << 8 | (uint64_t)kind);
}
static inline bool value_is_failure(Value v) { return value_tag(v) == TAG_FAIL; }
static inline ts_failure failure_kind(Value v) { return (ts_failure)(v.bits >> 8 & 0xFF); }
static inline uint32_t failure_place(Value v) { return (uint32_t)(v.bits >> 16); }

// The same where arguments of a choose have failed.
static inline Value line_choose_failure(const Value *a) {
    if (value_is_failure(a[0])) return a[0];
    const bool first = py_truth(a[0]);
    const Value chosen = a[first ? 1 : 2], other = a[first ? 2 : 1];
    if (value_is_failure(chosen)) return chosen;
    return failure_kind(other) == TS_FAIL_BUDGET ? other : (Value){0};
}

// What a line of these arguments fails with before it is run; else a value whose bits are 0. In a battery a
// value may be late, a failure of no kind: then so is the line, for nobody knows yet what it takes.
static inline Value line_failure(int op, Value callee, const Value *args, int n) {
    Value failed = {0};
    for (int k = op == LINE_CALLS_VALUE ? -1 : 0; k < n; k++) {
        const Value v = k < 0 ? callee : args[k];
        if (!value_is_failure(v)) continue;
        if (failure_kind(v) == TS_FAIL_NONE) return v;
        if (!failed.bits) failed = v;
    }
    return failed.bits && op == OP_choose ? line_choose_failure(args) : failed;
}

// The demos as S: a tuple of pairs (input, output). (evaluator.c)
Value program_samples(Ctx *c, const ts_task *task);

// Runs a program; the units to spend and the failure are in the context. (run.c)
Value program_run(Ctx *c, const Program *p, Value samples, Value input, Value candidate,
                  uint32_t *failed_line);

#endif
