#include "base/profile.h"

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
