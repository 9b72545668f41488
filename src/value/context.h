// What an evaluation carries with it: its memory, the work it may still do, and whether it has failed.
//
// A failure is sticky. A helper that cannot go on calls ctx_fail and returns something harmless; loops end
// because iter_next gives nothing more once a failure is set; whoever called the primitive looks at `failure`
// once, when it returns. So a primitive reads like its definition and still no failure is lost.
//
// Work is counted in units: about one for each nanosecond that a good implementation needs, by what is done
// and never by the clock. Memory is work too: 8 bytes are one unit. So one number bounds both.
//
// Whoever evaluates may be told to stop, by a flag that a signal sets: the evaluation looks at it whenever
// some units are spent, and fails. Whoever has given the flag looks at it too, afterwards, and takes what
// came out for no result.
#ifndef TESSERA_VALUE_CONTEXT_H
#define TESSERA_VALUE_CONTEXT_H

#include <string.h>

#include "base/arena.h"
#include "base/profile.h"
#include "base/threads.h"
#include "tessera.h"

// A column of values that a function gave, or the elements of a container where `in` is NULL; or what many
// functions of one shape gave for one value (see column.c).
typedef struct {
    uint64_t key; // the function, or the container
    const ts_value *in;
    const ts_value *out;
    size_t n;
    int64_t cost;
    uint64_t with; // the value that many functions were given; 0 for none
    size_t step;   // 0 where all values of `out` are the first one, else 1
} CtxColumn;

enum {
    CTX_MOST_CALLS = 300,
    CTX_COLUMNS = 64,
    CTX_ROWS = 64,
    CTX_PAUSE = 1 << 18, // units between two looks at `stop`: well below a tenth of a second of anything
};

// Where a grid has a colour, a bit for each cell of a row: for `occurrences`, which asks for the same again.
typedef struct {
    const void *grid; // NULL for none
    int color;
    uint64_t rows[CTX_ROWS];
} CtxRows;

typedef struct Ctx {
    Arena arena;         // all values of the evaluation
    int64_t units;       // left to spend; negative once spent
    int64_t pause;       // once there are fewer than this it is time to look at `stop`; 0 where there is none
    int64_t foreseen;    // the least of them that ctx_affords has seen to be left
    ts_failure failure;  // TS_FAIL_NONE while all is well
    int calls;           // nesting of function calls
    bool plain;          // leave out the fast paths
    const ts_stop *stop; // set from outside: come to an end; may be NULL
    Profile *profile;    // of the thread; NULL: off
    // Calls a function that only the caller knows, by its number; NULL where there are none (program/call.c).
    ts_value (*call_handle)(struct Ctx *c, int64_t number, const ts_value *args, int n);
    void *handles;       // of the caller
    const char *message; // of the last failure of a registered primitive, in the arena; may be NULL
    uint64_t kept;       // a bit for each of these that is in use
    CtxColumn columns[CTX_COLUMNS];
    CtxRows rows;
} Ctx;

// What is kept by address must go whenever memory is given back.
static inline void ctx_forget(Ctx *c) {
    for (; c->kept; c->kept &= c->kept - 1) c->columns[__builtin_ctzll(c->kept)].key = 0;
    c->rows.grid = NULL;
}

// Starts an evaluation: all values of the one before are gone.
static inline void ctx_begin(Ctx *c, int64_t units) {
    arena_reset(&c->arena);
    c->units = c->foreseen = units;
    c->pause = c->stop ? units : 0;
    c->failure = TS_FAIL_NONE;
    c->calls = 0;
    ctx_forget(c);
}

static inline bool ctx_charge(Ctx *c, int64_t units) {
    if (__builtin_expect((c->units -= units) >= c->pause, 1)) return true;
    // All in place: a call would cost whoever charges more than this does.
    if (c->units >= 0 && !threads_stopped(c->stop)) {
        c->pause = c->units > CTX_PAUSE ? c->units - CTX_PAUSE : 0;
        return true;
    }
    if (!c->failure) c->failure = TS_FAIL_BUDGET;
    return false;
}

// Goes on after a failure that is no end of the units. What the line had to be able to spend is spent, so
// that it costs the same whatever is left: `foreseen` has to be what was left before it.
static inline void ctx_forgive(Ctx *c) {
    if (c->foreseen < c->units) c->units = c->foreseen;
    c->failure = TS_FAIL_NONE;
    c->calls = 0;
    ctx_forget(c);
}

// What was spent of the units given. Where they did not suffice it is all of them: how far beyond the end a
// charge went depends on what was kept from before, and so on where values lie.
static inline int64_t ctx_spent(const Ctx *c, int64_t given) {
    return c->failure == TS_FAIL_BUDGET ? given : given - c->units;
}

// Whether this much may still be spent; fails where not. Charges nothing: for what is charged piece by piece,
// so that a hopeless evaluation ends before it begins.
static inline bool ctx_affords(Ctx *c, int64_t units) {
    if (c->units - units < c->foreseen) c->foreseen = c->units - units;
    return units <= c->units || ctx_charge(c, units);
}

// A piece of the evaluation's memory; NULL, with the failure set, where it is spent.
static inline void *ctx_alloc(Ctx *c, size_t bytes) {
    if (!ctx_charge(c, 1 + (int64_t)(bytes / 8))) return NULL;
    void *piece = arena_alloc(&c->arena, bytes);
    if (__builtin_expect(!piece && !c->failure, 0)) c->failure = TS_FAIL_BUDGET;
    return piece;
}

#endif
