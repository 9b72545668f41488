// The same function on several threads at once, the caller's being one of them.
#ifndef TESSERA_THREADS_H
#define TESSERA_THREADS_H

// Calls run(arg, 0) … run(arg, n - 1), each on its own thread, and waits for all. Where a thread cannot be
// had its number is left out, so the work must be such that any of them can do all of it.
void threads_run(int n, void (*run)(void *arg, int number), void *arg);
int threads_processors(void);

#endif
