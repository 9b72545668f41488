// The cheapest clock there is: the processor's own counter, which runs at a constant rate.
#ifndef TESSERA_BASE_TICKS_H
#define TESSERA_BASE_TICKS_H

#include <stdint.h>
#include <time.h>

static inline uint64_t ticks_now(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
#endif
}

#endif
