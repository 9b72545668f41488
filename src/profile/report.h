// A profile of a whole command: the laps of its threads, gathered, and made into a report.
#ifndef TESSERA_REPORT_H
#define TESSERA_REPORT_H

#include "base/profile.h"

typedef struct {
    const char *id; // a copy
    double ms;
} ProfileTask;

struct ts_profile {
    Profile laps;         // of the thread that made it; first, so that an engine can lap on it
    double start;         // by another clock than the laps
    double beside_ms;     // of all threads but the caller's
    double threads_start; //
    int threads;          // most at once
    long peak_kb[TS_STAGES];
    double peak_taken; // when
    ProfileTask *tasks;
    size_t task_count, task_room, task_next;
};

// Around the work of several threads, the caller's being one of them.
void profile_start_threads(ts_profile *p, int threads);
// Once for each, after all have ended; the caller's last.
void profile_end_thread(ts_profile *p, const Profile *laps, bool is_caller);

#endif
