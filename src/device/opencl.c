// The backend for OpenCL 1.2: graphics processors, and for tests the processor itself (PoCL).
//
// A use of a device is a queue, two kernels and seven buffers, for one thread; the context and the program
// are shared by all uses of a device. Images lie in a table of frames and a buffer of rows, which grow by
// doubling and are kept until they are forgotten. A wave is one write of its jobs, one run, one read of its
// results; cells that are asked for are collected to lie one after the other, and come in one read.
//
// To build the program takes seconds: what came of it is kept in the cache folder (device_cache.h). Any error
// of any call ends the use; what the call was and what it gave is the reason.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/status.h"
#include "device/device_cache.h"
#include "device/kernel.h"
#include "device/opencl_library.h"

enum {
    MOST_GROUPS = 1 << 16,  // at once: the kernels go on by themselves where there are more jobs
    LEAST_BUFFER = 1 << 16, // bytes
    KEY_WORDS = 256,
    LOG_WORDS = 120, // of what a compiler says
};

typedef struct {
    OpenClObject object;
    size_t size;
} Buffer;

typedef struct {
    OpenCl cl;
    OpenClObject device, context, program; // the context and the program are shared
    OpenClObject queue, run, collect;
    uint64_t most; // bytes of a buffer
    Buffer images, planes, jobs, results, cells, pieces, collected;
    size_t image_count, row_count; // uploaded
    uint16_t *last;                // cells of each result of the last run
    size_t last_room;
    void *staging; // for what goes up
    size_t staging_size;
} Use;

static bool no_memory(char why[DEVICE_WORDS]) {
    snprintf(why, DEVICE_WORDS, "memory is short");
    return false;
}

// ---- Listing ----

static int count_devices(char why[DEVICE_WORDS]) {
    OpenCl cl;
    return opencl_load(&cl, why) ? cl.count : 0;
}

static bool find_device(OpenCl *cl, int number, char why[DEVICE_WORDS]) {
    if (!opencl_load(cl, why)) return false;
    if (number < cl->count) return true;
    snprintf(why, DEVICE_WORDS, "it is no longer there");
    return false;
}

static bool get_info(const OpenCl *cl, OpenClObject device, uint32_t what, size_t room, void *value,
                     char why[DEVICE_WORDS]) {
    const int32_t error = cl->GetDeviceInfo(device, what, room, value, NULL);
    return !error || opencl_failed("GetDeviceInfo", error, why);
}

static bool describe(int number, DeviceInfo *info, char why[DEVICE_WORDS]) {
    OpenCl cl;
    uint64_t type = 0;
    char name[256] = "", driver[256] = "", both[sizeof info->name];
    *info = (DeviceInfo){.memory = 0};
    if (!find_device(&cl, number, why)) return false;
    const OpenClObject device = cl.devices[number];
    if (!get_info(&cl, device, OPENCL_TYPE, sizeof type, &type, why) ||
        !get_info(&cl, device, OPENCL_NAME, sizeof name - 1, name, why) ||
        !get_info(&cl, device, OPENCL_DRIVER, sizeof driver - 1, driver, why) ||
        !get_info(&cl, device, OPENCL_MEMORY, sizeof info->memory, &info->memory, why))
        return false;
    info->is_processor = type & OPENCL_TYPE_PROCESSOR;
    snprintf(both, sizeof both, "%.80s, driver %.30s", name, driver);
    status_escape(info->name, sizeof info->name, both, strlen(both));
    return true;
}

// ---- The program ----

// What the compiled program depends on, and the name of its file.
static bool put_key(int number, char key[KEY_WORDS], char file[64], char why[DEVICE_WORDS]) {
    DeviceInfo info;
    if (!describe(number, &info, why)) return false;
    snprintf(key, KEY_WORDS, "%s, kernels %016llx", info.name,
             (unsigned long long)hash_bytes(0, kernel_source, kernel_source_length));
    snprintf(file, 64, "program-%016llx", (unsigned long long)hash_bytes(0, key, strlen(key)));
    return true;
}

// The first line of what the compiler says.
static bool build_failed(const Use *u, int32_t error, char why[DEVICE_WORDS]) {
    size_t size = 0;
    opencl_failed("BuildProgram", error, why);
    if (u->cl.GetProgramBuildInfo(u->program, u->device, OPENCL_BUILD_LOG, 0, NULL, &size) || !size)
        return false;
    char *log = calloc(1, size + 1);
    if (log && !u->cl.GetProgramBuildInfo(u->program, u->device, OPENCL_BUILD_LOG, size, log, NULL)) {
        const char *line = log + strspn(log, " \t\r\n");
        char shown[LOG_WORDS];
        status_escape(shown, sizeof shown, line, strcspn(line, "\r\n"));
        const size_t used = strlen(why);
        if (shown[0]) snprintf(why + used, DEVICE_WORDS - used, ": %s", shown);
    }
    free(log);
    return false;
}

static bool build(const Use *u, char why[DEVICE_WORDS]) {
    const int32_t error = u->cl.BuildProgram(u->program, 1, &u->device, "", NULL, NULL);
    return !error || build_failed(u, error, why);
}

// As an earlier run has built it. False where it has not, or the driver will not take it.
static bool take_kept(Use *u, const char *key, const char *file) {
    Text kept = {0};
    char ignored[DEVICE_WORDS];
    int32_t error = -1, status = 0;
    const bool is_there = device_cache_read(file, key, &kept) && kept.length;
    const unsigned char *bytes = (const unsigned char *)kept.data;
    if (is_there)
        u->program =
            u->cl.CreateProgramWithBinary(u->context, 1, &u->device, &kept.length, &bytes, &status, &error);
    text_free(&kept);
    if (!error && !status && u->program && build(u, ignored)) return true;
    if (!error && u->program) u->cl.ReleaseProgram(u->program);
    u->program = NULL;
    return false;
}

static void keep(const Use *u, const char *key, const char *file) {
    size_t size = 0;
    if (u->cl.GetProgramInfo(u->program, OPENCL_BINARY_SIZES, sizeof size, &size, NULL) || !size) return;
    unsigned char *bytes = malloc(size);
    if (bytes && !u->cl.GetProgramInfo(u->program, OPENCL_BINARIES, sizeof bytes, &bytes, NULL))
        device_cache_write(file, key, (const char *)bytes, size);
    free(bytes);
}

static bool make_program(Use *u, int number, char why[DEVICE_WORDS]) {
    char key[KEY_WORDS], file[64];
    if (!put_key(number, key, file, why)) return false;
    if (take_kept(u, key, file)) return true;
    const char *text = kernel_source;
    int32_t error;
    u->program = u->cl.CreateProgramWithSource(u->context, 1, &text, &kernel_source_length, &error);
    if (error) return opencl_failed("CreateProgramWithSource", error, why);
    if (!build(u, why)) return false;
    keep(u, key, file);
    return true;
}

// ---- Opening and closing ----

static void free_buffer(Use *u, Buffer *b) {
    if (b->object) u->cl.ReleaseMemObject(b->object);
    *b = (Buffer){0};
}

static void close_use(void *device) {
    Use *u = device;
    if (u->queue) u->cl.Finish(u->queue);
    Buffer *const buffers[] = {&u->images, &u->planes, &u->jobs,     &u->results,
                               &u->cells,  &u->pieces, &u->collected};
    for (size_t k = 0; k < sizeof buffers / sizeof *buffers; k++) free_buffer(u, buffers[k]);
    if (u->run) u->cl.ReleaseKernel(u->run);
    if (u->collect) u->cl.ReleaseKernel(u->collect);
    if (u->queue) u->cl.ReleaseCommandQueue(u->queue);
    if (u->program) u->cl.ReleaseProgram(u->program);
    if (u->context) u->cl.ReleaseContext(u->context);
    free(u->last);
    free(u->staging);
    free(u);
}

// What a thread has for itself.
static bool make_own(Use *u, char why[DEVICE_WORDS]) {
    int32_t error;
    u->queue = u->cl.CreateCommandQueue(u->context, u->device, 0, &error);
    if (error) return u->queue = NULL, opencl_failed("CreateCommandQueue", error, why);
    u->run = u->cl.CreateKernel(u->program, "run_lanes", &error);
    if (error) return u->run = NULL, opencl_failed("CreateKernel", error, why);
    u->collect = u->cl.CreateKernel(u->program, "collect", &error);
    if (error) return u->collect = NULL, opencl_failed("CreateKernel", error, why);
    return true;
}

static bool make_all(Use *u, int number, char why[DEVICE_WORDS]) {
    if (!find_device(&u->cl, number, why)) return false;
    u->device = u->cl.devices[number];
    if (!get_info(&u->cl, u->device, OPENCL_MOST_BUFFER, sizeof u->most, &u->most, why)) return false;
    int32_t error;
    u->context = u->cl.CreateContext(NULL, 1, &u->device, NULL, NULL, &error);
    if (error) return u->context = NULL, opencl_failed("CreateContext", error, why);
    return make_program(u, number, why) && make_own(u, why);
}

static void *open_device(int number, char why[DEVICE_WORDS]) {
    Use *u = calloc(1, sizeof *u);
    if (!u) return no_memory(why), NULL;
    if (make_all(u, number, why)) return u;
    close_use(u);
    return NULL;
}

static void *share_device(void *device, char why[DEVICE_WORDS]) {
    const Use *first = device;
    Use *u = calloc(1, sizeof *u);
    if (!u) return no_memory(why), NULL;
    u->cl = first->cl;
    u->device = first->device;
    u->most = first->most;
    int32_t error = u->cl.RetainContext(first->context);
    if (error) opencl_failed("RetainContext", error, why);
    else u->context = first->context;
    if (!error && (error = u->cl.RetainProgram(first->program))) opencl_failed("RetainProgram", error, why);
    else if (!error) u->program = first->program;
    if (!error && make_own(u, why)) return u;
    close_use(u);
    return NULL;
}

// ---- Buffers ----

// Room for so many bytes, of which the first `kept` stay as they are.
static bool reserve(Use *u, Buffer *b, size_t bytes, size_t kept, char why[DEVICE_WORDS]) {
    if (bytes <= b->size) return true;
    if (bytes > u->most) {
        snprintf(why, DEVICE_WORDS, "a buffer of %zu MB is needed, and %llu MB are the most it allows",
                 bytes >> 20, (unsigned long long)(u->most >> 20));
        return false;
    }
    size_t size = b->size ? b->size : LEAST_BUFFER;
    while (size < bytes) size *= 2;
    if (size > u->most) size = (size_t)u->most;
    int32_t error;
    if (!kept) free_buffer(u, b); // before there is a second one
    Buffer larger = {u->cl.CreateBuffer(u->context, OPENCL_READ_WRITE, size, NULL, &error), size};
    if (error) return opencl_failed("CreateBuffer", error, why);
    if (kept) {
        error = u->cl.EnqueueCopyBuffer(u->queue, b->object, larger.object, 0, 0, kept, 0, NULL, NULL);
        if (!error) error = u->cl.Finish(u->queue);
        free_buffer(u, b);
    }
    *b = larger;
    return !error || opencl_failed("EnqueueCopyBuffer", error, why);
}

static bool write_buffer(Use *u, const Buffer *b, size_t offset, size_t bytes, const void *from,
                         char why[DEVICE_WORDS]) {
    const int32_t error =
        u->cl.EnqueueWriteBuffer(u->queue, b->object, true, offset, bytes, from, 0, NULL, NULL);
    return !error || opencl_failed("EnqueueWriteBuffer", error, why);
}

static bool read_buffer(Use *u, const Buffer *b, size_t bytes, void *into, char why[DEVICE_WORDS]) {
    const int32_t error = u->cl.EnqueueReadBuffer(u->queue, b->object, true, 0, bytes, into, 0, NULL, NULL);
    return !error || opencl_failed("EnqueueReadBuffer", error, why);
}

// So many bytes of memory that stay until the next time.
static void *stage(Use *u, size_t bytes, char why[DEVICE_WORDS]) {
    if (bytes > u->staging_size) {
        free(u->staging);
        u->staging_size = 0;
        u->staging = malloc(bytes + bytes / 2);
        if (!u->staging) return no_memory(why), NULL;
        u->staging_size = bytes + bytes / 2;
    }
    return u->staging;
}

// ---- Images ----

static bool upload(void *device, const Image *images, size_t count, char why[DEVICE_WORDS]) {
    enum { ROW = DEVICE_PLANES * sizeof(uint32_t) };
    Use *u = device;
    size_t rows = 0;
    if (!count) return true;
    for (size_t k = 0; k < count; k++) rows += (size_t)images[k].h;
    if (u->row_count + rows > UINT32_MAX / 2 || u->image_count + count > UINT32_MAX / 2) {
        snprintf(why, DEVICE_WORDS, "there are too many images");
        return false;
    }
    const size_t table = count * sizeof(KernelImage);
    KernelImage *frames = stage(u, table + rows * ROW, why);
    if (!frames) return false;
    uint32_t *planes = (uint32_t *)(frames + count);
    size_t row = 0;
    for (size_t k = 0; k < count; k++) {
        const Image *x = &images[k];
        frames[k] = (KernelImage){x->i, x->j, x->h, x->w, (uint32_t)(u->row_count + row)};
        kernel_pack(x, planes + row * DEVICE_PLANES);
        row += (size_t)x->h;
    }
    const size_t old_table = u->image_count * sizeof *frames, old_rows = u->row_count * ROW;
    if (!reserve(u, &u->images, old_table + table, old_table, why) ||
        !reserve(u, &u->planes, old_rows + rows * ROW, old_rows, why) ||
        !write_buffer(u, &u->images, old_table, table, frames, why) ||
        !write_buffer(u, &u->planes, old_rows, rows * ROW, planes, why))
        return false;
    u->image_count += count;
    u->row_count += rows;
    return true;
}

static void forget(void *device) {
    Use *u = device;
    u->image_count = u->row_count = 0;
}

// ---- Waves ----

// A kernel with these arguments, of which the one that is no buffer has a NULL, and is the number of groups'
// jobs.
static bool launch(Use *u, OpenClObject kernel, const Buffer *const *buffers, uint32_t arguments, size_t jobs,
                   char why[DEVICE_WORDS]) {
    const uint32_t count = (uint32_t)jobs;
    int32_t error = 0;
    for (uint32_t k = 0; k < arguments && !error; k++)
        error = buffers[k] ? u->cl.SetKernelArg(kernel, k, sizeof buffers[k]->object, &buffers[k]->object)
                           : u->cl.SetKernelArg(kernel, k, sizeof count, &count);
    if (error) return opencl_failed("SetKernelArg", error, why);
    const size_t group = KERNEL_SIDE, all = (jobs < MOST_GROUPS ? jobs : MOST_GROUPS) * group;
    error = u->cl.EnqueueNDRangeKernel(u->queue, kernel, 1, NULL, &all, &group, 0, NULL, NULL);
    return !error || opencl_failed("EnqueueNDRangeKernel", error, why);
}

// Notes how many cells each has. What cannot be comes from a driver that is broken.
static bool keep_sizes(Use *u, const DeviceResult *results, size_t count, char why[DEVICE_WORDS]) {
    if (count > u->last_room) {
        uint16_t *more = realloc(u->last, 2 * count * sizeof *more);
        if (!more) return no_memory(why);
        u->last = more;
        u->last_room = 2 * count;
    }
    for (size_t k = 0; k < count; k++) {
        const DeviceFrame f = results[k].frame;
        const bool is_done = results[k].status == DEVICE_DONE;
        u->last[k] = is_done ? (uint16_t)(f.h * f.w) : 0;
        if (!is_done || (f.h >= 0 && f.h <= DEVICE_SIDE && f.w >= 0 && f.w <= DEVICE_SIDE)) continue;
        snprintf(why, DEVICE_WORDS, "it gives an image of %d by %d cells, which cannot be", f.h, f.w);
        return false;
    }
    return true;
}

static bool run(void *device, const DeviceJob *jobs, size_t count, DeviceResult *results,
                char why[DEVICE_WORDS]) {
    Use *u = device;
    const Buffer *const arguments[] = {&u->images, &u->planes, &u->jobs, NULL, &u->results, &u->cells};
    if (!count) return true;
    if (count > UINT32_MAX / KERNEL_CELLS) {
        snprintf(why, DEVICE_WORDS, "a wave of %zu jobs is too large", count);
        return false;
    }
    return reserve(u, &u->jobs, count * sizeof *jobs, 0, why) &&
           reserve(u, &u->results, count * sizeof *results, 0, why) &&
           reserve(u, &u->cells, count * KERNEL_CELLS, 0, why) &&
           write_buffer(u, &u->jobs, 0, count * sizeof *jobs, jobs, why) &&
           launch(u, u->run, arguments, 6, count, why) &&
           read_buffer(u, &u->results, count * sizeof *results, results, why) &&
           keep_sizes(u, results, count, why);
}

static bool download(void *device, const uint32_t *jobs, size_t count, int8_t *cells,
                     char why[DEVICE_WORDS]) {
    Use *u = device;
    const Buffer *const arguments[] = {&u->cells, &u->pieces, NULL, &u->collected};
    KernelPiece *pieces = count ? stage(u, count * sizeof *pieces, why) : NULL;
    size_t bytes = 0;
    if (!count) return true;
    if (!pieces) return false;
    for (size_t k = 0; k < count; k++) {
        pieces[k] = (KernelPiece){jobs[k], u->last[jobs[k]], (uint32_t)bytes};
        bytes += u->last[jobs[k]];
    }
    if (!bytes) return true;
    return reserve(u, &u->pieces, count * sizeof *pieces, 0, why) &&
           reserve(u, &u->collected, bytes, 0, why) &&
           write_buffer(u, &u->pieces, 0, count * sizeof *pieces, pieces, why) &&
           launch(u, u->collect, arguments, 4, count, why) &&
           read_buffer(u, &u->collected, bytes, cells, why);
}

const DeviceBackend device_opencl = {
    .name = "opencl",
    .count = count_devices,
    .describe = describe,
    .open = open_device,
    .share = share_device,
    .supports = kernel_supports,
    .upload = upload,
    .run = run,
    .download = download,
    .forget = forget,
    .close = close_use,
};
