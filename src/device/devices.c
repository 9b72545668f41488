// The devices that there are: listing, choosing, measuring, and handing them out to threads.
//
// "auto" is what runs by itself, so it has to cost next to nothing where there is nothing to be had. To load
// a driver takes long (33 ms for that of a processor, PoCL 3.1, a second time; 86 ms the first), so that
// nothing but processors was found is kept in the cache folder, under a key of all that it depends on, and
// the next run loads nothing: 0.1 ms. A processor is neither built for nor measured. A process whose address
// space is limited is one that is short of memory on purpose: drivers take hundreds of megabytes of it, or
// cannot start, so there is none.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/status.h"
#include "device/device_cache.h"
#include "device/devices.h"
#include "device/kernel.h"
#include "device/opencl_library.h"

enum {
    MOST_DEVICES = OPENCL_MOST_DEVICES,
    USUAL_WAVE = 16384, // jobs: nine of ten of the bank's steps are in waves of so many or more
    KEY_WORDS = 256,
    SENTENCE = DEVICE_WORDS + 256,
};

typedef enum { LIST, NONE, AUTO, FORCE, CHOSEN } Choice;

typedef struct {
    const DeviceBackend *backend;
    int number; // within its backend
    DeviceInfo info;
    char key[KEY_WORDS]; // what its prices depend on
    bool is_used, is_measured;
    DevicePrices prices;
    void *ready; // opened, for threads to share; NULL: not yet
    bool is_lost;
    char why[DEVICE_WORDS];
} Entry;

typedef struct Use {
    Device device;
    int thread;
    struct Use *next;
} Use;

struct ts_devices {
    Choice choice;
    uint64_t chosen; // a bit for each number
    Entry entries[MOST_DEVICES];
    int count;
    char why[DEVICE_WORDS];
    char note[SENTENCE], warning[SENTENCE]; // once said they stay
    pthread_mutex_t lock;                   // for all of it, once it is open
    Use *uses;
};

// ---- What is asked for ----

static bool read_numbers(const char *which, uint64_t *chosen) {
    for (const char *at = which;; at++) {
        char *end;
        if (*at < '0' || *at > '9') return false;
        const unsigned long number = strtoul(at, &end, 10);
        if (number >= MOST_DEVICES || (*end && *end != ',')) return false;
        *chosen |= (uint64_t)1 << number;
        if (!*end) return true;
        at = end;
    }
}

static bool read_choice(ts_devices *d, const char *which, Status *status) {
    static const struct {
        const char *word;
        Choice choice;
    } words[] = {{"none", NONE}, {"auto", AUTO}, {"force", FORCE}};
    d->choice = which ? CHOSEN : LIST;
    for (size_t k = 0; which && k < sizeof words / sizeof *words; k++)
        if (strcmp(which, words[k].word) == 0) d->choice = words[k].choice;
    if (d->choice != CHOSEN || read_numbers(which, &d->chosen)) return true;
    return status_fail(status, TS_USAGE,
                       "a device is auto, none, force, or numbers below %d with commas between, not '%.100s'",
                       (int)MOST_DEVICES, which);
}

// ---- Messages ----

static void warn(ts_devices *d, int number, const char *why) {
    if (d->warning[0]) return;
    if (number < 0) snprintf(d->warning, sizeof d->warning, "%s; going on with the CPU", why);
    else
        snprintf(d->warning, sizeof d->warning, "device %d (%s): %s; going on with the CPU", number,
                 d->entries[number].info.name, why);
}

// ---- Listing ----

static void put_note_key(char key[KEY_WORDS]) {
    snprintf(key, KEY_WORDS, "listing %016llx", (unsigned long long)opencl_surroundings());
}

// Whether an earlier run has seen nothing but processors, and nothing has changed.
static bool is_known_empty(void) {
    char key[KEY_WORDS];
    Text ignored = {0};
    put_note_key(key);
    const bool known = device_cache_read("listing", key, &ignored);
    text_free(&ignored);
    return known;
}

static void keep_emptiness(const ts_devices *d) {
    char key[KEY_WORDS];
    for (int k = 0; k < d->count; k++)
        if (!d->entries[k].info.is_processor) return;
    put_note_key(key);
    if (d->count) device_cache_write("listing", key, "nothing but processors\n", 23);
}

static bool is_memory_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static void list_all(ts_devices *d, const DeviceBackend *backend) {
    const int count = backend->count(d->why);
    for (int k = 0; k < count && d->count < MOST_DEVICES; k++) {
        Entry *e = &d->entries[d->count++];
        DeviceInfo info = {.name = "unknown"};
        e->is_lost = !backend->describe(k, &info, e->why);
        if (!e->is_lost) e->why[0] = 0;
        e->backend = backend;
        e->number = k;
        e->info = info;
        snprintf(e->key, sizeof e->key, "%s, kernels %016llx, version " TS_VERSION, info.name,
                 (unsigned long long)hash_bytes(0, kernel_source, kernel_source_length));
    }
    if (d->count) d->why[0] = 0;
}

static void list(ts_devices *d) {
    const bool is_test = getenv("TESSERA_FAULTY"); // then there is nothing else
    if (d->choice == NONE) return;
    if (d->choice == AUTO && is_memory_limited()) {
        snprintf(d->why, sizeof d->why, "the address space is limited, which drivers need");
        return;
    }
    if (d->choice == AUTO && !is_test && is_known_empty()) {
        snprintf(d->why, sizeof d->why, "there are none but processors");
        return;
    }
    list_all(d, is_test ? &device_faulty : &device_opencl);
    if (!is_test && (d->choice == AUTO || d->choice == LIST)) keep_emptiness(d);
}

// ---- Making ready and measuring ----

static void close_entry(Entry *e) {
    if (e->ready) e->backend->close(e->ready);
    e->ready = NULL;
}

static bool make_ready(Entry *e) {
    char why[DEVICE_WORDS];
    if (e->ready || e->is_lost) return e->ready;
    e->ready = e->backend->open(e->number, why);
    e->is_lost = !e->ready;
    if (e->is_lost) memcpy(e->why, why, sizeof why);
    return e->ready;
}

// What its prices say, where nobody asked for it by its number.
static void judge(ts_devices *d, Entry *e) {
    const double least = device_break_even(&e->prices);
    e->is_measured = true;
    if (d->choice == FORCE || d->choice == CHOSEN || e->info.is_processor) return;
    e->is_used = least > 0 && least <= USUAL_WAVE;
    e->why[0] = 0;
    if (!(least > 0)) snprintf(e->why, sizeof e->why, "the CPU is quicker, as measured");
    else if (!e->is_used)
        snprintf(e->why, sizeof e->why, "it is quicker only from %.0f jobs on, as measured", least);
}

// Whether its prices are known already, or those of another device of the same kind.
static bool know_prices(ts_devices *d, Entry *e) {
    for (const Entry *other = d->entries; other < e; other++)
        if (other->is_measured && strcmp(other->key, e->key) == 0) {
            e->prices = other->prices;
            return true;
        }
    return e->is_measured || device_prices_read(e->key, &e->prices);
}

static bool measure(ts_devices *d, Entry *e, bool anew) {
    if (anew || !know_prices(d, e)) {
        const double start = clock_ms();
        char why[DEVICE_WORDS];
        if (!make_ready(e)) return false;
        if (!device_calibrate(e->backend, e->ready, &e->prices, why)) {
            memcpy(e->why, why, sizeof why);
            e->is_lost = true;
            e->is_used = e->is_measured = false;
            close_entry(e);
            return false;
        }
        device_prices_write(e->key, &e->prices);
        snprintf(d->note, sizeof d->note,
                 "device %d (%s) was measured, which took %.1f s; the next run knows it",
                 (int)(e - d->entries), e->info.name, (clock_ms() - start) / 1e3);
    }
    judge(d, e);
    return true;
}

// ---- Choosing ----

static void choose_auto(ts_devices *d, Entry *e) {
    const bool may_measure = d->choice == AUTO;
    if (e->is_lost) return;
    if (e->info.is_processor)
        snprintf(e->why, sizeof e->why, "it is the processor, which is quicker by itself");
    else if (may_measure && !measure(d, e, false)) warn(d, (int)(e - d->entries), e->why);
    else if (!may_measure && know_prices(d, e)) judge(d, e);
    else if (!may_measure) snprintf(e->why, sizeof e->why, "it was not yet measured");
    if (!e->is_used) close_entry(e);
}

static void choose_asked(ts_devices *d, Entry *e) {
    const int number = (int)(e - d->entries);
    if (d->choice == CHOSEN && !(d->chosen >> number & 1)) {
        snprintf(e->why, sizeof e->why, "it was not asked for");
        return;
    }
    e->is_used = !e->is_lost && (d->choice == FORCE || measure(d, e, false));
    if (!e->is_used) warn(d, number, e->why);
}

static void choose(ts_devices *d) {
    for (int k = 0; k < d->count; k++)
        if (d->choice == AUTO || d->choice == LIST) choose_auto(d, &d->entries[k]);
        else choose_asked(d, &d->entries[k]);
    if (d->choice == FORCE && !d->count) warn(d, -1, d->why);
    if (d->choice != CHOSEN || !(d->count < MOST_DEVICES ? d->chosen >> d->count : 0)) return;
    if (d->count) snprintf(d->why, sizeof d->why, "they are numbered from 0 to %d", d->count - 1);
    char words[DEVICE_WORDS + 40];
    snprintf(words, sizeof words, "no such device: %s", d->why);
    warn(d, -1, words);
}

ts_devices *ts_devices_open(const char *which, ts_status *status) {
    ts_devices *d = calloc(1, sizeof *d);
    if (!d) {
        status_fail(status, TS_SYSTEM, "memory is short");
        return NULL;
    }
    if (!read_choice(d, which, status)) {
        free(d);
        return NULL;
    }
    pthread_mutex_init(&d->lock, NULL);
    list(d);
    choose(d);
    return d;
}

void ts_devices_close(ts_devices *d) {
    if (!d) return;
    for (Use *u = d->uses, *next; u; u = next) {
        next = u->next;
        if (u->device.state) u->device.backend->close(u->device.state);
        free(u);
    }
    for (int k = 0; k < d->count; k++) close_entry(&d->entries[k]);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

// ---- Looking ----

size_t ts_devices_count(const ts_devices *d) { return (size_t)d->count; }
const char *ts_devices_why(const ts_devices *d) { return d->why; }

ts_device ts_devices_at(const ts_devices *d, size_t index) {
    const Entry *e = &d->entries[index];
    return (ts_device){.backend = e->backend->name,
                       .name = e->info.name,
                       .is_processor = e->info.is_processor,
                       .memory = e->info.memory,
                       .is_used = e->is_used && !e->is_lost,
                       .why = e->why,
                       .is_measured = e->is_measured,
                       .fixed_us = e->is_measured ? (double)e->prices.fixed / 1e3 : 0,
                       .break_even = e->is_measured ? device_break_even(&e->prices) : 0};
}

bool ts_devices_price(const ts_devices *d, size_t index, size_t function, ts_device_price *price) {
    if (function >= IMAGE_FNS) return false;
    const DevicePrices *p = &d->entries[index].prices;
    const double lane = (double)p->lane[function], host = (double)p->host[function];
    *price = (ts_device_price){.function = image_fns[function].name,
                               .device_ns = lane,
                               .host_ns = host,
                               .break_even = lane > 0 && host > lane ? (double)p->fixed / (host - lane) : 0};
    return true;
}

bool ts_devices_measure(ts_devices *d, size_t index, bool anew, ts_status *status) {
    Entry *e = &d->entries[index];
    pthread_mutex_lock(&d->lock);
    const bool good = measure(d, e, anew);
    pthread_mutex_unlock(&d->lock);
    return good || status_fail(status, TS_SYSTEM, "device %zu (%s): %s", index, e->info.name, e->why);
}

ts_device_counts ts_devices_counts(const ts_devices *d) {
    ts_device_counts sum = {0};
    for (const Use *u = d->uses; u; u = u->next) {
        sum.waves += u->device.waves;
        sum.jobs += u->device.jobs;
        sum.left += u->device.left;
        sum.bytes_up += u->device.bytes_up;
        sum.bytes_down += u->device.bytes_down;
    }
    return sum;
}

static const char *said(const ts_devices *d, const char *sentence) {
    pthread_mutex_t *lock = (pthread_mutex_t *)&d->lock;
    pthread_mutex_lock(lock);
    const char *words = sentence[0] ? sentence : NULL;
    pthread_mutex_unlock(lock);
    return words;
}

const char *ts_devices_note(const ts_devices *d) { return said(d, d->note); }
const char *ts_devices_warning(const ts_devices *d) { return said(d, d->warning); }

// ---- Threads ----

static void give_up(Device *d, const char *why) {
    snprintf(d->why, sizeof d->why, "%s", why);
    if (d->state) d->backend->close(d->state);
    d->state = NULL;
}

void device_forget(Device *d) {
    d->backend->forget(d->state);
    d->held = 0;
}

void device_give_up(Device *d, const char *why) {
    give_up(d, why);
    if (!d->of) return;
    pthread_mutex_lock(&d->of->lock);
    warn(d->of, d->number, d->why);
    pthread_mutex_unlock(&d->of->lock);
}

static Entry *entry_of(ts_devices *d, int thread) {
    int used = 0;
    for (int k = 0; k < d->count; k++) used += d->entries[k].is_used;
    if (!used) return NULL;
    Entry *e = d->entries;
    for (int left = thread % used;; e++)
        if (e->is_used && left-- == 0) return e;
}

// With the lock. NULL where memory is short.
static Use *new_use(ts_devices *d, Entry *e, int thread) {
    Use *u = calloc(1, sizeof *u);
    if (!u) return NULL;
    u->thread = thread;
    u->next = d->uses;
    d->uses = u;
    u->device = (Device){.backend = e->backend,
                         .is_forced = d->choice == FORCE,
                         .prices = e->prices,
                         .number = (int)(e - d->entries),
                         .of = d};
    if (make_ready(e)) {
        u->device.state = e->backend->share(e->ready, u->device.why);
        if (u->device.state) u->device.why[0] = 0;
        else warn(d, u->device.number, u->device.why);
    } else {
        give_up(&u->device, e->why);
        warn(d, u->device.number, e->why);
    }
    return u;
}

Device *devices_for_thread(ts_devices *d, int thread) {
    if (!d) return NULL;
    pthread_mutex_lock(&d->lock);
    Entry *e = entry_of(d, thread);
    Use *u = d->uses;
    while (u && u->thread != thread) u = u->next;
    if (e && !u) u = new_use(d, e, thread);
    pthread_mutex_unlock(&d->lock);
    return u && u->device.state ? &u->device : NULL;
}
