// A profile of a whole command: the laps of its threads, gathered, and made into a report.
#ifndef TESSERA_PROFILE_PROFILE_REPORT_H
#define TESSERA_PROFILE_PROFILE_REPORT_H

#include "base/profile.h"

enum { PROFILE_MOST_POINTS = 500 };

// How far a search was at a time.
typedef struct {
    double core_seconds;
    uint64_t solved, programs;
} ProfilePoint;

typedef struct {
    const char *id; // a copy
    double ms;
} ProfileTask;

struct ts_profile {
    Profile laps; // of the thread that made it; first, so that an engine can lap on it
    double start; // by another clock than the laps, which began at start_ticks
    uint64_t start_ticks;
    int threads; // most at once
    long peak_kb[TS_STAGES];
    double peak_taken; // when
    ProfileTask *tasks;
    size_t task_count, task_room, task_next;
    double core_start;                        // core-seconds of the process at the start
    ProfilePoint points[PROFILE_MOST_POINTS]; // the last one is the latest
    size_t point_count;
    double point_gap; // core-seconds between two of them at least, but before the last
    const char *engines[PROFILE_MOST_ENGINES]; // names of the search's engines, NULL for none
};

// Around the work of several threads, the caller's being one of them. Each begins its own laps, with
// profile_begin, and ends with one for PROFILE_WAIT.
void profile_start_threads(ts_profile *p, int threads);
// Once for each, after all have ended; the caller's last.
void profile_end_thread(ts_profile *p, const Profile *laps, bool is_caller);

// Names a slot of an engine; the name stays where it is. The time of those without a name is not told.
void profile_engine(ts_profile *p, int number, const char *name);

#endif
