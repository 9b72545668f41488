// Where the time goes: a clock that is read between pieces of work, each of which names its slot.
//
// A profile belongs to one thread. `profile_lap` gives the time since the lap before to a slot, so nothing is
// counted twice and nothing is left out. A slot is a primitive, by its number, or one of the things that are
// done around primitives. The clock of laps runs on while the thread waits: for others, for a file, for its
// turn on a processor. So after some 100 microseconds, which is soon enough to know the lap, the time that
// the thread has spent on a processor is asked for, and the rest is taken out again. What primitives spend on
// building sets and tuples is taken out of their time: one in PROFILE_SAMPLE of these calls is timed, because
// timing all of them would cost more than it tells.
#ifndef TESSERA_BASE_PROFILE_H
#define TESSERA_BASE_PROFILE_H

#include <assert.h>
#include <stdbool.h>

#include "base/ticks.h"
#include "tessera.h"

enum { PROFILE_MOST_ENGINES = 16 };
enum {
    PROFILE_PRIMITIVES = 512,          // the slots below are primitives
    PROFILE_CALL = PROFILE_PRIMITIVES, // a function value that is called as a line
    PROFILE_LOOKUP,                    // which lanes run a node, and what they have already
    PROFILE_MERGE,                     // programs into one graph
    PROFILE_LANES,                     // tasks into lanes
    PROFILE_CANDIDATES,                // what each column gave
    PROFILE_SCORES,                    // what the differs gave
    PROFILE_DEDUPE,                    // distinct answers, ranked
    PROFILE_FAILURES,                  // what each program gave, and why it failed
    PROFILE_WAIT,                      // starting, ending and waking threads
    PROFILE_ENGINES,                   // the first of the slots of the search's engines
    // The first of TS_STAGES slots: what is known by its stage alone.
    PROFILE_STAGE = PROFILE_ENGINES + PROFILE_MOST_ENGINES,
    PROFILE_SLOTS = PROFILE_STAGE + TS_STAGES
};

typedef enum { BUILD_SET, BUILD_WORDS, BUILD_UNION, BUILD_TUPLE, BUILDS } Build;

enum { PROFILE_SAMPLE = 32, PROFILE_SYNC = 1 << 18 }; // ticks after which the processor's time is asked for

typedef struct {
    uint64_t ticks, calls;
    uint64_t built; // ticks of these that went into building sets and tuples
} ProfileCount;

typedef struct Profile {
    uint64_t last;
    uint64_t synced;   // ticks, when the clocks were last compared
    double wall, core; // what they said: ms by the clock, and of a processor
    int64_t waited;    // ticks that are still to be taken out of laps
    ts_stage stage;    // of the laps to come
    ProfileCount slots[PROFILE_SLOTS];
    uint64_t stage_ticks[TS_STAGES];
    struct {
        uint64_t ticks, calls;
    } builds[BUILDS];
    uint64_t built;   // ticks in all builds
    bool is_building; // what is built inside of something that is built belongs to that
} Profile;

// By the thread that the laps are to be of.
void profile_begin(Profile *p);
// Compares the clocks; gives the ticks by now.
uint64_t profile_sync(Profile *p);

static inline void profile_lap(Profile *p, unsigned slot, uint64_t calls) {
    if (!p) return;
    assert(slot < PROFILE_SLOTS && (unsigned)p->stage < TS_STAGES);
    uint64_t now = ticks_now();
    if (now - p->synced >= PROFILE_SYNC || slot >= PROFILE_WAIT) now = profile_sync(p);
    uint64_t ticks = now - p->last;
    p->last = now;
    if (p->waited > 0) {
        const uint64_t out = (uint64_t)p->waited < ticks ? (uint64_t)p->waited : ticks;
        p->waited -= (int64_t)out;
        ticks -= out;
    }
    p->slots[slot].ticks += ticks;
    p->slots[slot].calls += calls;
    p->stage_ticks[p->stage] += ticks;
    if (p->built) {
        p->slots[slot].built += p->built < ticks ? p->built : ticks;
        p->built = 0;
    }
}

// Around the building of a set or tuple; gives 0 where this one is not timed.
static inline uint64_t profile_build(Profile *p, Build what) {
    assert((unsigned)what < BUILDS);
    if (!p || p->is_building || p->builds[what].calls++ % PROFILE_SAMPLE) return 0;
    p->is_building = true;
    return ticks_now();
}
static inline void profile_built(Profile *p, Build what, uint64_t start) {
    if (!start) return;
    uint64_t ticks = (ticks_now() - start) * PROFILE_SAMPLE;
    p->builds[what].ticks += ticks;
    p->built += ticks;
    p->is_building = false;
}

void profile_add(Profile *to, const Profile *from);
// The laps to come begin where others of the same thread have ended.
void profile_go_on(Profile *p, const Profile *after);

#endif
