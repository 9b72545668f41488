// A device for tests: the kernels compiled as C, and failures where they are asked for. It is there only
// where TESSERA_FAULTY is set, and then alone. The variable says at which call of a use it fails, counted
// from 1 with the opening, and as what:
//     TESSERA_FAULTY=         never
//     TESSERA_FAULTY=17       the 17th call, as if memory were short
//     TESSERA_FAULTY=17:lost  as if the device were gone; also :memory, :build, and :wrong for a result that
//     is wrong TESSERA_FAULTY=random:5 each call once in sixty times, as the seed 5 decides
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "device/kernel.h"

enum { ROW = DEVICE_PLANES, MEMORY_MB = 256, RARE = 60 };

typedef enum { FAULT_MEMORY, FAULT_LOST, FAULT_BUILD, FAULT_WRONG, FAULTS } Fault;

static const struct {
    const char *word, *why;
} faults[FAULTS] = {{"memory", "no memory for a buffer (TESSERA_FAULTY)"},
                    {"lost", "the device is lost (TESSERA_FAULTY)"},
                    {"build", "the program cannot be built (TESSERA_FAULTY)"},
                    {"wrong", ""}};

typedef struct {
    uint64_t at; // 0: never
    Fault fault;
    bool is_random;
    Rng rng;
} Plan;

typedef struct {
    Plan plan;
    uint64_t calls;
    KernelImage *images;
    uint32_t *planes;
    size_t image_count, row_count;
    DeviceResult *results; // of the last run
    uint32_t *cells;
    size_t room; // jobs
} Use;

// ---- What is to fail ----

static bool read_plan(Plan *plan, char why[DEVICE_WORDS]) {
    const char *text = getenv("TESSERA_FAULTY");
    char *end;
    *plan = (Plan){.at = 0};
    snprintf(why, DEVICE_WORDS,
             "TESSERA_FAULTY is '', CALL, CALL:memory, :lost, :build or :wrong, or random:SEED");
    if (!text || !text[0]) return text;
    if (strncmp(text, "random:", 7) == 0) {
        plan->is_random = true;
        plan->rng.state = strtoull(text + 7, &end, 10);
        return text[7] && !*end;
    }
    plan->at = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9') return false;
    if (!*end) return true;
    for (int k = 0; *end == ':' && k < FAULTS; k++)
        if (strcmp(end + 1, faults[k].word) == 0) return plan->fault = (Fault)k, true;
    return false;
}

// Counts a call; whether it is to fail.
static bool is_due(Use *u) {
    u->calls++;
    if (!u->plan.is_random) return u->calls == u->plan.at;
    u->plan.fault = (Fault)rng_below(&u->plan.rng, FAULT_WRONG);
    return rng_below(&u->plan.rng, RARE) == 0;
}

static bool fails(Use *u, char why[DEVICE_WORDS]) {
    if (!is_due(u) || u->plan.fault == FAULT_WRONG) return false;
    snprintf(why, DEVICE_WORDS, "%s", faults[u->plan.fault].why);
    return true;
}

static bool no_memory(char why[DEVICE_WORDS]) {
    snprintf(why, DEVICE_WORDS, "memory is short");
    return false;
}

// ---- The backend ----

static int count_devices(char why[DEVICE_WORDS]) {
    Plan plan;
    return read_plan(&plan, why);
}

static bool describe(int number, DeviceInfo *info, char why[DEVICE_WORDS]) {
    (void)number, (void)why;
    *info = (DeviceInfo){.name = "kernels in C", .memory = (uint64_t)MEMORY_MB << 20};
    return true;
}

static void close_use(void *device) {
    Use *u = device;
    free(u->images);
    free(u->planes);
    free(u->results);
    free(u->cells);
    free(u);
}

static void *open_use(int number, char why[DEVICE_WORDS]) {
    (void)number;
    Use *u = calloc(1, sizeof *u);
    if (!u) return no_memory(why), NULL;
    if (read_plan(&u->plan, why) && !fails(u, why)) return u;
    close_use(u);
    return NULL;
}

static void *share(void *device, char why[DEVICE_WORDS]) {
    (void)device;
    return open_use(0, why);
}

static bool upload(void *device, const Image *images, size_t count, char why[DEVICE_WORDS]) {
    Use *u = device;
    size_t rows = u->row_count;
    if (fails(u, why)) return false;
    for (size_t k = 0; k < count; k++) rows += (size_t)images[k].h;
    KernelImage *table = realloc(u->images, (u->image_count + count + 1) * sizeof *table);
    if (table) u->images = table;
    uint32_t *planes = realloc(u->planes, (rows * ROW + 1) * sizeof *planes);
    if (planes) u->planes = planes;
    if (!table || !planes) return no_memory(why);
    for (size_t k = 0; k < count; k++) {
        const Image *x = &images[k];
        table[u->image_count++] = (KernelImage){x->i, x->j, x->h, x->w, (uint32_t)u->row_count};
        kernel_pack(x, planes + u->row_count * ROW);
        u->row_count += (size_t)x->h;
    }
    return true;
}

static bool run(void *device, const DeviceJob *jobs, size_t count, DeviceResult *results,
                char why[DEVICE_WORDS]) {
    Use *u = device;
    if (fails(u, why)) return false;
    if (count > u->room) {
        free(u->results);
        free(u->cells);
        u->results = malloc(count * sizeof *u->results);
        u->cells = malloc(count * KERNEL_CELLS);
        u->room = u->results && u->cells ? count : 0;
        if (!u->room) return no_memory(why);
    }
    kernel_run_c(u->images, u->planes, jobs, count, u->results, u->cells);
    memcpy(results, u->results, count * sizeof *results);
    if (u->plan.fault == FAULT_WRONG && u->calls == u->plan.at)
        for (size_t k = 0; k < count; k++) results[k].hash ^= 1;
    return true;
}

static bool download(void *device, const uint32_t *jobs, size_t count, int8_t *cells,
                     char why[DEVICE_WORDS]) {
    Use *u = device;
    if (fails(u, why)) return false;
    for (size_t k = 0; k < count; k++) {
        const DeviceFrame *f = &u->results[jobs[k]].frame;
        const size_t n = (size_t)(f->h * f->w);
        memcpy(cells, u->cells + jobs[k] * (size_t)(KERNEL_CELLS / 4), n);
        cells += n;
    }
    return true;
}

static void forget(void *device) {
    Use *u = device;
    u->image_count = u->row_count = 0;
}

const DeviceBackend device_faulty = {
    .name = "faulty",
    .count = count_devices,
    .describe = describe,
    .open = open_use,
    .share = share,
    .supports = kernel_supports,
    .upload = upload,
    .run = run,
    .download = download,
    .forget = forget,
    .close = close_use,
};
