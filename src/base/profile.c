#include "base/profile.h"

#include "base/clock.h"

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

double profile_ms_per_tick(void) {
    enum { MEASURE_MS = 3 };
    double start = clock_ms(), now;
    uint64_t from = ticks_now();
    do now = clock_ms();
    while (now - start < MEASURE_MS);
    return (now - start) / (double)(ticks_now() - from);
}
