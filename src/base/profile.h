// Where the time goes: a clock that is read between pieces of work, each of which names its slot.
//
// A profile belongs to one thread. `profile_lap` gives the time since the lap before to a slot, so nothing is
// counted twice and nothing is left out. A slot is a primitive, by its number, or one of the things that are
// done around primitives. What primitives spend on building sets and tuples is taken out of their time: one
// in PROFILE_SAMPLE of these calls is timed, because timing all of them would cost more than it tells.
#ifndef TESSERA_BASE_PROFILE_H
#define TESSERA_BASE_PROFILE_H

#include <assert.h>
#include <stdbool.h>

#include "base/ticks.h"
#include "tessera.h"

enum { PROFILE_MOST_ENGINES = 16 };
enum {
    PROFILE_PRIMITIVES = 256,          // the slots below are primitives
    PROFILE_CALL = PROFILE_PRIMITIVES, // a function value that is called as a line
    PROFILE_LOOKUP,                    // which lanes run a node, and what they have already
    PROFILE_MERGE,                     // programs into one graph
    PROFILE_LANES,                     // tasks into lanes
    PROFILE_CANDIDATES,                // what each column gave
    PROFILE_SCORES,                    // what the differs gave
    PROFILE_DEDUPE,                    // distinct answers, ranked
    PROFILE_FAILURES,                  // what each program gave, and why it failed
    PROFILE_WAIT,                      // for other threads
    PROFILE_ENGINES,                   // the first of the slots of the search's engines
    // The first of TS_STAGES slots: what is known by its stage alone.
    PROFILE_STAGE = PROFILE_ENGINES + PROFILE_MOST_ENGINES,
    PROFILE_SLOTS = PROFILE_STAGE + TS_STAGES
};

typedef enum { BUILD_SET, BUILD_WORDS, BUILD_UNION, BUILD_TUPLE, BUILDS } Build;

enum { PROFILE_SAMPLE = 32 };

typedef struct {
    uint64_t ticks, calls;
    uint64_t built; // ticks of these that went into building sets and tuples
} ProfileCount;

typedef struct Profile {
    uint64_t last;
    ts_stage stage; // of the laps to come
    ProfileCount slots[PROFILE_SLOTS];
    uint64_t stage_ticks[TS_STAGES];
    struct {
        uint64_t ticks, calls;
    } builds[BUILDS];
    uint64_t built;   // ticks in all builds
    bool is_building; // what is built inside of something that is built belongs to that
} Profile;

static inline void profile_begin(Profile *p) {
    if (p) p->last = ticks_now();
}

static inline void profile_lap(Profile *p, unsigned slot, uint64_t calls) {
    if (!p) return;
    assert(slot < PROFILE_SLOTS && (unsigned)p->stage < TS_STAGES);
    uint64_t now = ticks_now(), ticks = now - p->last;
    p->slots[slot].ticks += ticks;
    p->slots[slot].calls += calls;
    p->stage_ticks[p->stage] += ticks;
    if (p->built) {
        p->slots[slot].built += p->built < ticks ? p->built : ticks;
        p->built = 0;
    }
    p->last = now;
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

#endif
