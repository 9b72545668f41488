#include "base/hash.h"

#include <sys/random.h>
#include <time.h>

uint64_t hash_seed;

// Before anything else runs, so that no thread ever sees it change. Where the system has no random numbers
// the clock and the places that the system has chosen for the process stand in for them.
__attribute__((constructor)) static void draw_seed(void) {
    if (getrandom(&hash_seed, sizeof hash_seed, GRND_NONBLOCK) == sizeof hash_seed) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    hash_seed = hash_mix((uintptr_t)&hash_seed, (uintptr_t)&now ^ (uint64_t)now.tv_nsec << 32);
}
