#include "base/profile.h"

#include "base/clock.h"

// Reads all clocks at one moment, as far as that is possible: a thread that loses its processor between two
// of them tries again.
static void read_clocks(Profile *p) {
    enum { TRIES = 4, TOGETHER = 1 << 16 };
    uint64_t before;
    int tries = 0;
    do {
        before = ticks_now();
        p->wall = clock_ms();
        p->core = clock_thread_ms();
        p->synced = ticks_now();
    } while (p->synced - before > TOGETHER && ++tries < TRIES);
}

void profile_begin(Profile *p) {
    if (!p) return;
    read_clocks(p);
    p->last = p->synced;
    p->waited = 0;
}

uint64_t profile_sync(Profile *p) {
    const uint64_t synced = p->synced;
    const double wall = p->wall, core = p->core;
    read_clocks(p);
    if (p->wall > wall)
        p->waited += (int64_t)((double)(p->synced - synced) * (1 - (p->core - core) / (p->wall - wall)));
    return p->synced;
}

void profile_add(Profile *to, const Profile *from) {
    for (int k = 0; k < PROFILE_SLOTS; k++) {
        to->slots[k].ticks += from->slots[k].ticks;
        to->slots[k].calls += from->slots[k].calls;
        to->slots[k].built += from->slots[k].built;
    }
    for (int k = 0; k < TS_STAGES; k++) to->stage_ticks[k] += from->stage_ticks[k];
    for (int k = 0; k < BUILDS; k++) {
        to->builds[k].ticks += from->builds[k].ticks;
        to->builds[k].calls += from->builds[k].calls;
    }
}

void profile_go_on(Profile *p, const Profile *after) {
    p->last = after->last;
    p->synced = after->synced;
    p->wall = after->wall;
    p->core = after->core;
    p->waited = after->waited;
}
