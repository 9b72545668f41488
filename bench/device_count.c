// A driver for OpenCL that computes no faster than anything: it runs the kernels of src/device as C17, worker
// by worker, and counts what a graphics processor would have to issue for them. bench/device builds it and
// has `tessera solve` load it (TESSERA_OPENCL), so that the counts are of the jobs and images of a real
// search.
//
// A group of 32 workers is a warp. Where its workers part, a warp runs one side and then the other, and a
// loop as often as the worker that stays longest. So of each block of the compiled code the warp's count is
// the largest of its workers' in a phase, and of its instructions it issues so many times. Between phases
// there is a barrier, which is where they meet again for certain; that they meet earlier is taken for
// granted.
//
// The blocks are those of LLVM's code of lane_phase, into which bench/device has put calls of count_block.
//
// What the search reads from its buffers goes to a file as well, the tape. A second run of the same search
// plays it: nothing is computed, and the caches are as they would be. Time in here is noted: what
// is left of that run's time is what the search takes with a device that costs nothing.
//
// It is for one thread and one context. Its counts are global, as they belong to the process and are written
// when that ends.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/kernels.h"
#include "device/opencl_library.h"

enum {
    GOOD = 0,
    BAD_VALUE = -30,
    GRAPHICS = 1 << 2, // the type of the device
    MOST_ARGUMENTS = 6,
    MOST_BLOCKS = 4096,
    MEMORY = 1 << 30,
};

#define OPENCL(place, result, name, parameters) result cl##name parameters;
#include "device/opencl_functions.def"

// What bench/device makes.
extern const uint16_t count_sizes[]; // instructions of each block
extern const uint32_t count_blocks;
void count_phase(Lane *t, LaneShared *s, const KernelImage *images, const uint32_t *planes,
                 const DeviceJob *job, DeviceResult *result, uint32_t *cells);
void count_block(uint32_t block);

typedef struct {
    bool is_run; // run_lanes; else it is collect
    union {
        void *buffer;
        uint32_t count;
    } arguments[MOST_ARGUMENTS];
} Kernel;

typedef struct {
    uint64_t lanes, left, cells, phases;
    uint64_t issued, worked; // by warps; by their workers
} Function;

static struct {
    Function functions[IMAGE_FNS];
    uint64_t launches, transfers, up, down, pieces, piece_rounds;
    uint32_t *widths; // of waves
    size_t waves;
    double seconds; // in here
} all;

// Of a worker in a phase, and of its warp; with the blocks that it has been to.
typedef struct {
    uint32_t counts[MOST_BLOCKS], blocks[MOST_BLOCKS], length;
} Path;

static Path worker, warp;

static FILE *tape;
static bool plays;

// ---- Time ----

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int32_t done_since(double start) {
    all.seconds += now() - start;
    return GOOD;
}

// ---- The kernels ----

void count_block(uint32_t block) {
    if (!worker.counts[block]++) worker.blocks[worker.length++] = block;
}

// Takes what a worker has gone through to the warp.
static void end_worker(Function *f) {
    for (uint32_t k = 0; k < worker.length; k++) {
        const uint32_t block = worker.blocks[k], count = worker.counts[block];
        f->worked += (uint64_t)count * count_sizes[block];
        if (!warp.counts[block]) warp.blocks[warp.length++] = block;
        if (count > warp.counts[block]) warp.counts[block] = count;
        worker.counts[block] = 0;
    }
    worker.length = 0;
}

static void end_phase(Function *f) {
    for (uint32_t k = 0; k < warp.length; k++) {
        f->issued += (uint64_t)warp.counts[warp.blocks[k]] * count_sizes[warp.blocks[k]];
        warp.counts[warp.blocks[k]] = 0;
    }
    warp.length = 0;
    f->phases++;
}

static void run_lane(const Kernel *k, uint32_t lane) {
    const DeviceJob *job = (const DeviceJob *)k->arguments[2].buffer + lane;
    DeviceResult *result = (DeviceResult *)k->arguments[4].buffer + lane;
    uint32_t *cells = (uint32_t *)k->arguments[5].buffer + (size_t)lane * (KERNEL_CELLS / 4);
    Function *f = &all.functions[job->fn];
    Lane workers[KERNEL_SIDE];
    LaneShared shared;
    for (int r = 0; r < KERNEL_SIDE; r++) workers[r] = (Lane){.r = r, .phase = LANE_LOAD};
    while (workers[0].phase != LANE_DONE) {
        for (int r = 0; r < KERNEL_SIDE; r++) {
            count_phase(&workers[r], &shared, k->arguments[0].buffer, k->arguments[1].buffer, job, result,
                        cells);
            end_worker(f);
        }
        end_phase(f);
    }
    const KernelImage *image = (const KernelImage *)k->arguments[0].buffer + job->image;
    f->lanes++;
    f->left += result->status != DEVICE_DONE;
    f->cells += (uint64_t)(image->h * image->w);
}

static void run_lanes(const Kernel *k) {
    const uint32_t count = k->arguments[3].count;
    uint32_t *more = realloc(all.widths, (all.waves + 1) * sizeof *more);
    if (more) all.widths = more, more[all.waves++] = count;
    for (uint32_t lane = 0; lane < count; lane++) run_lane(k, lane);
}

static void collect(const Kernel *k) {
    const uint8_t *cells = k->arguments[0].buffer;
    const KernelPiece *pieces = k->arguments[1].buffer;
    uint8_t *to = k->arguments[3].buffer;
    for (uint32_t n = 0; n < k->arguments[2].count; n++) {
        memcpy(to + pieces[n].to, cells + (size_t)pieces[n].lane * KERNEL_CELLS, pieces[n].count);
        all.pieces++;
        all.piece_rounds += (pieces[n].count + KERNEL_SIDE - 1) / KERNEL_SIDE;
    }
}

int32_t clEnqueueNDRangeKernel(OpenClObject queue, OpenClObject kernel, uint32_t dimensions,
                               const size_t *offset, const size_t *width, const size_t *group,
                               uint32_t events, const OpenClObject *wait_for, OpenClObject *event) {
    const double start = now();
    const Kernel *k = kernel;
    (void)queue, (void)dimensions, (void)offset, (void)width, (void)group, (void)events, (void)wait_for,
        (void)event;
    all.launches++;
    if (plays) return done_since(start);
    if (k->is_run) run_lanes(k);
    else collect(k);
    return done_since(start);
}

// ---- Transfers ----

int32_t clEnqueueReadBuffer(OpenClObject queue, OpenClObject buffer, uint32_t waits, size_t offset,
                            size_t size, void *into, uint32_t events, const OpenClObject *wait_for,
                            OpenClObject *event) {
    const double start = now();
    (void)queue, (void)waits, (void)events, (void)wait_for, (void)event;
    if (!plays) memcpy(into, (const char *)buffer + offset, size);
    const size_t taped = plays ? fread(into, 1, size, tape) : fwrite(into, 1, size, tape);
    all.transfers++;
    all.down += size;
    done_since(start);
    return taped == size ? GOOD : BAD_VALUE;
}

int32_t clEnqueueWriteBuffer(OpenClObject queue, OpenClObject buffer, uint32_t waits, size_t offset,
                             size_t size, const void *from, uint32_t events, const OpenClObject *wait_for,
                             OpenClObject *event) {
    const double start = now();
    (void)queue, (void)waits, (void)events, (void)wait_for, (void)event;
    if (!plays) memcpy((char *)buffer + offset, from, size);
    all.transfers++;
    all.up += size;
    return done_since(start);
}

int32_t clEnqueueCopyBuffer(OpenClObject queue, OpenClObject from, OpenClObject into, size_t from_offset,
                            size_t into_offset, size_t size, uint32_t events, const OpenClObject *wait_for,
                            OpenClObject *event) {
    const double start = now();
    (void)queue, (void)events, (void)wait_for, (void)event;
    if (!plays) memcpy((char *)into + into_offset, (const char *)from + from_offset, size);
    return done_since(start);
}

// ---- What there is ----

static char the_one; // platform, device, context, queue and program

int32_t clGetPlatformIDs(uint32_t room, OpenClObject *platforms, uint32_t *count) {
    if (room) platforms[0] = &the_one;
    if (count) *count = 1;
    return GOOD;
}

int32_t clGetDeviceIDs(OpenClObject platform, uint64_t types, uint32_t room, OpenClObject *devices,
                       uint32_t *count) {
    (void)types;
    return clGetPlatformIDs(platform ? room : 0, devices, count);
}

int32_t clGetDeviceInfo(OpenClObject device, uint32_t what, size_t room, void *value, size_t *size) {
    const uint64_t number = what == OPENCL_TYPE ? GRAPHICS : MEMORY;
    (void)device, (void)size;
    if (what == OPENCL_NAME || what == OPENCL_DRIVER) snprintf(value, room, "counting");
    else if (room == sizeof number) memcpy(value, &number, sizeof number);
    else return BAD_VALUE;
    return GOOD;
}

static OpenClObject give(void *object, int32_t *error) {
    *error = object ? GOOD : BAD_VALUE;
    return object;
}

OpenClObject clCreateContext(const intptr_t *properties, uint32_t count, const OpenClObject *devices,
                             OpenClNotify *notify, void *user, int32_t *error) {
    (void)properties, (void)count, (void)devices, (void)notify, (void)user;
    return give(&the_one, error);
}

OpenClObject clCreateCommandQueue(OpenClObject context, OpenClObject device, uint64_t properties,
                                  int32_t *error) {
    (void)context, (void)device, (void)properties;
    return give(&the_one, error);
}

OpenClObject clCreateBuffer(OpenClObject context, uint64_t flags, size_t size, void *host, int32_t *error) {
    const double start = now();
    (void)context, (void)flags, (void)host;
    void *buffer = malloc(size);
    done_since(start);
    return give(buffer, error);
}

OpenClObject clCreateProgramWithSource(OpenClObject context, uint32_t count, const char **texts,
                                       const size_t *lengths, int32_t *error) {
    (void)context, (void)count, (void)texts, (void)lengths;
    return give(&the_one, error);
}

OpenClObject clCreateProgramWithBinary(OpenClObject context, uint32_t count, const OpenClObject *devices,
                                       const size_t *lengths, const unsigned char **binaries,
                                       int32_t *statuses, int32_t *error) {
    (void)context, (void)count, (void)devices, (void)lengths, (void)binaries, (void)statuses;
    return give(NULL, error);
}

int32_t clBuildProgram(OpenClObject program, uint32_t count, const OpenClObject *devices, const char *options,
                       OpenClBuilt *built, void *user) {
    (void)program, (void)count, (void)devices, (void)options, (void)built, (void)user;
    return count_blocks <= MOST_BLOCKS && tape ? GOOD : BAD_VALUE;
}

int32_t clGetProgramInfo(OpenClObject program, uint32_t what, size_t room, void *value, size_t *size) {
    (void)program, (void)what, (void)room, (void)value, (void)size;
    return BAD_VALUE;
}

int32_t clGetProgramBuildInfo(OpenClObject program, OpenClObject device, uint32_t what, size_t room,
                              void *value, size_t *size) {
    (void)device;
    return clGetProgramInfo(program, what, room, value, size);
}

OpenClObject clCreateKernel(OpenClObject program, const char *name, int32_t *error) {
    Kernel *k = calloc(1, sizeof *k);
    (void)program;
    if (k) k->is_run = strcmp(name, "run_lanes") == 0;
    return give(k, error);
}

int32_t clSetKernelArg(OpenClObject kernel, uint32_t index, size_t size, const void *value) {
    Kernel *k = kernel;
    if (index >= MOST_ARGUMENTS || size > sizeof k->arguments[index]) return BAD_VALUE;
    memcpy(&k->arguments[index], value, size);
    return GOOD;
}

static int32_t let_go(OpenClObject object) {
    const double start = now();
    free(object);
    return done_since(start);
}

int32_t clReleaseKernel(OpenClObject kernel) { return let_go(kernel); }
int32_t clReleaseMemObject(OpenClObject buffer) { return let_go(buffer); }
int32_t clRetainContext(OpenClObject context) { return context ? GOOD : BAD_VALUE; }
int32_t clReleaseContext(OpenClObject context) { return clRetainContext(context); }
int32_t clRetainProgram(OpenClObject program) { return clRetainContext(program); }
int32_t clReleaseProgram(OpenClObject program) { return clRetainContext(program); }
int32_t clReleaseCommandQueue(OpenClObject queue) { return clRetainContext(queue); }
int32_t clFinish(OpenClObject queue) { return clRetainContext(queue); }

// ---- Begin and end ----

__attribute__((constructor)) static void open_tape(void) {
    const char *path = getenv("DEVICE_TAPE");
    plays = getenv("DEVICE_PLAYS");
    tape = path ? fopen(path, plays ? "r" : "w") : NULL;
}

#define NUMBER(x) ((unsigned long long)(x))

static void write_functions(FILE *out) {
    static const char *const names[] = {
#define IMAGE_FN(name, kind, shape, variants, weight) "image_" #name,
#include "image/image_functions.def"
    };
    for (int k = 0, any = 0; k < IMAGE_FNS; k++) {
        const Function *f = &all.functions[k];
        if (!f->lanes) continue;
        fprintf(out, "%s\"%s\": {\"lanes\": %llu, \"left\": %llu, \"cells\": %llu, ", any++ ? ", " : "",
                names[k], NUMBER(f->lanes), NUMBER(f->left), NUMBER(f->cells));
        fprintf(out, "\"phases\": %llu, \"issued\": %llu, \"worked\": %llu}", NUMBER(f->phases),
                NUMBER(f->issued), NUMBER(f->worked));
    }
}

__attribute__((destructor)) static void write_all(void) {
    const char *path = getenv("DEVICE_COUNTS");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (tape) fclose(tape);
    if (!out) return;
    fprintf(out,
            "{\"seconds\": %.6f, \"launches\": %llu, \"transfers\": %llu, \"up\": %llu, \"down\": %llu, ",
            all.seconds, NUMBER(all.launches), NUMBER(all.transfers), NUMBER(all.up), NUMBER(all.down));
    fprintf(out, "\"pieces\": %llu, \"piece_rounds\": %llu, \"widths\": [", NUMBER(all.pieces),
            NUMBER(all.piece_rounds));
    for (size_t k = 0; k < all.waves; k++) fprintf(out, "%s%u", k ? ", " : "", all.widths[k]);
    fputs("], \"functions\": {", out);
    write_functions(out);
    fputs("}}\n", out);
    fclose(out);
}
