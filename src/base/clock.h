// Time in milliseconds: from a clock that never jumps, and what the calling thread has spent of a processor.
#ifndef TESSERA_BASE_CLOCK_H
#define TESSERA_BASE_CLOCK_H

#include <time.h>

static inline double clock_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static inline double clock_thread_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

#endif
