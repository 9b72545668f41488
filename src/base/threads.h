// The same function on several threads at once, the caller's being one of them; and what threads tell each
// other.
#ifndef TESSERA_BASE_THREADS_H
#define TESSERA_BASE_THREADS_H

#include <pthread.h>
#include <stdbool.h>

#include "tessera.h"

// Calls run(arg, 0) … run(arg, n - 1), each on its own thread, and waits for all. Where a thread cannot be
// had its number is left out, so the work must be such that any of them can do all of it.
void threads_run(int n, void (*run)(void *arg, int number), void *arg);
int threads_processors(void);

// A condition whose timed waits go by the clock that never jumps, that of clock_ms.
void threads_condition(pthread_cond_t *condition);
// Waits for it, but not beyond this time by clock_ms. False where that has come.
bool threads_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, double ms);

// Whether a flag was set, in place: who counts work asks often. The public type is a plain bool, so that C++
// and Python can read the header; all reads and writes are atomic all the same.
static inline bool threads_stopped(const ts_stop *stop) {
    return stop && __atomic_load_n(&stop->set, __ATOMIC_RELAXED);
}

#endif
