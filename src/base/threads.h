// The same function on several threads at once, the caller's being one of them; and what threads tell each
// other.
#ifndef TESSERA_BASE_THREADS_H
#define TESSERA_BASE_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// Calls run(arg, 0) … run(arg, n - 1), each on its own thread, and waits for all. Where a thread cannot be
// had its number is left out, so the work must be such that any of them can do all of it.
void threads_run(int n, void (*run)(void *arg, int number), void *arg);
int threads_processors(void);

// A condition whose timed waits go by the clock that never jumps, that of clock_ms.
void threads_condition(pthread_cond_t *condition);
// Waits for it, but not beyond this time by clock_ms. False where that has come.
bool threads_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, double ms);

// Whether a flag was set that the caller sets at any moment, from another thread or a signal; NULL never is.
_Static_assert(sizeof(atomic_bool) == sizeof(bool), "a bool can be read as an atomic one");
static inline bool threads_flag(const volatile bool *flag) {
    return flag && atomic_load_explicit((const volatile atomic_bool *)flag, memory_order_relaxed);
}

#endif
