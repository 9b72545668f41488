// Counts for the tests in C. A test is one law or one primitive, tried on many values: it passes if all of
// them do. Only the first value that does not is shown.
#ifndef TESSERA_TEST_CHECK_H
#define TESSERA_TEST_CHECK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
    int passed, failed;
    const char *name; // of the test that is under way
    bool bad;         // it has failed
} Checks;

static inline void check_begin(Checks *k, const char *name) {
    k->name = name;
    k->bad = false;
}

// Says what does not hold, once in a test; the arguments are evaluated only then.
__attribute__((format(printf, 2, 3))) static inline bool check_failed(Checks *k, const char *format, ...) {
    if (k->bad) return false;
    k->bad = true;
    va_list args;
    va_start(args, format);
    printf("FAILED %s: ", k->name);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    return false;
}
static inline bool check_result(bool good) { return good; } // a value that need not be used
#define check(k, holds, ...) check_result((holds) || check_failed(k, __VA_ARGS__))

static inline void check_end(Checks *k) { *(k->bad ? &k->failed : &k->passed) += 1; }

// Takes the file of a pool away, with what SQLite may leave beside it.
static inline void check_remove_pool(const char *path) {
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    for (int k = 0; k < 4; k++) {
        char name[200];
        snprintf(name, sizeof name, "%s%s", path, ends[k]);
        unlink(name);
    }
}

// The closing line, and the exit code.
static inline int check_summary(const Checks *k) {
    printf("%d passed, %d failed\n", k->passed, k->failed);
    return k->failed != 0;
}

#endif
