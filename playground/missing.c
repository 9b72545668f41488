// What the page's engine is linked with instead of folders that a page has no use for: there is no device, no
// profile and no pool, as the options say that are given it, so none of these has anything to do.
#include <stddef.h> // which the next one does not bring itself
#include <sys/random.h>
#include <unistd.h>

#include "device/devices.h"
#include "profile/profile_report.h"

Device *devices_for_thread(ts_devices *devices, int thread) {
    (void)devices, (void)thread;
    return NULL;
}
void device_forget(Device *d) { (void)d; }
void device_give_up(Device *d, const char *why) { (void)d, (void)why; }

void ts_profile_stage(ts_profile *profile, ts_stage stage) { (void)profile, (void)stage; }
void ts_profile_task(ts_profile *profile, const char *task, double ms) {
    (void)profile, (void)task, (void)ms;
}
void profile_engine(ts_profile *profile, int engine, const char *name) {
    (void)profile, (void)engine, (void)name;
}
void profile_start_threads(ts_profile *profile, int threads) { (void)profile, (void)threads; }
void profile_end_thread(ts_profile *profile, const Profile *laps, bool is_callers) {
    (void)profile, (void)laps, (void)is_callers;
}

// For the journal of a solver, which has none here.
bool ts_programs_hash(const ts_programs *programs, size_t index, char hash[17]) {
    (void)programs, (void)index, (void)hash;
    return false;
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    (void)flags;
    return getentropy(bytes, count) == 0 ? (ssize_t)count : -1;
}
