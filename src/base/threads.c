#include "base/threads.h"

#include <assert.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 256, MOST_AT_ONCE = MOST_THREADS + 1 }; // one more keeps house

typedef struct {
    void (*run)(void *arg, int number);
    void *arg;
    int number;
    pthread_t thread;
    bool started;
} Thread;

static void *start(void *arg) {
    Thread *t = arg;
    t->run(t->arg, t->number);
    return NULL;
}

void threads_run(int n, void (*run)(void *arg, int number), void *arg) {
    assert(n >= 1);
    Thread threads[MOST_AT_ONCE];
    if (n > MOST_AT_ONCE) n = MOST_AT_ONCE;
    for (int k = 1; k < n; k++) {
        threads[k] = (Thread){.run = run, .arg = arg, .number = k};
        threads[k].started = pthread_create(&threads[k].thread, NULL, start, &threads[k]) == 0;
    }
    run(arg, 0);
    for (int k = 1; k < n; k++)
        if (threads[k].started) pthread_join(threads[k].thread, NULL);
}

int threads_processors(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (int)n;
}

void threads_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool threads_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, double ms) {
    struct timespec at = {.tv_sec = (time_t)(ms / 1e3)};
    at.tv_nsec = (long)((ms - (double)at.tv_sec * 1e3) * 1e6);
    return pthread_cond_timedwait(condition, lock, &at) != ETIMEDOUT;
}

// ---- Flags ----

void ts_stop_set(ts_stop *stop, bool set) { __atomic_store_n(&stop->set, set, __ATOMIC_RELAXED); }

bool ts_stop_is_set(const ts_stop *stop) { return threads_stopped(stop); }
