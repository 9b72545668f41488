// The host's side of the kernels, and the kernels themselves as C17.
//
// Workload: some thousand images are packed for a wave of 20,000 jobs, a row a time by vectors. kernel_run_c
// is for tests: it takes several times as long as images_apply.
#include "device/kernel.h"

#include <assert.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "device/kernels.h"

// The text is made by the Makefile.
__asm__(".section .rodata\n"
        ".globl kernel_source\n.hidden kernel_source\nkernel_source:\n.incbin \"" KERNEL_SOURCE "\"\n"
        ".Lkernel_source_end:\n.byte 0\n"
        ".globl kernel_source_length\n.hidden kernel_source_length\n.balign 8\nkernel_source_length:\n"
        ".quad .Lkernel_source_end - kernel_source\n.text\n");

#define SAME_PLACE(theirs, ours, field)                              \
    _Static_assert(offsetof(theirs, field) == offsetof(ours, field), \
                   #field " lies where the kernels look for it")
SAME_PLACE(DeviceFrame, KernelFrame, i);
SAME_PLACE(DeviceFrame, KernelFrame, j);
SAME_PLACE(DeviceFrame, KernelFrame, h);
SAME_PLACE(DeviceFrame, KernelFrame, w);
SAME_PLACE(DeviceJob, KernelJob, image);
SAME_PLACE(DeviceJob, KernelJob, fn);
SAME_PLACE(DeviceJob, KernelJob, variant);
SAME_PLACE(DeviceJob, KernelJob, size);
SAME_PLACE(DeviceResult, KernelResult, hash);
SAME_PLACE(DeviceResult, KernelResult, frame);
SAME_PLACE(DeviceResult, KernelResult, status);
_Static_assert(sizeof(DeviceJob) == sizeof(KernelJob) && sizeof(DeviceResult) == sizeof(KernelResult),
               "jobs and results are as long as the kernels take them to be");
_Static_assert((int)KERNEL_SIDE == DEVICE_SIDE && (int)KERNEL_PLANES == DEVICE_PLANES,
               "the kernels are for these images");
_Static_assert(sizeof kernel_keys / sizeof *kernel_keys >= KERNEL_CELLS / 4 + 2,
               "there is a key for each word");

static bool fits(const Image *x) {
    return x->h >= 1 && x->h <= KERNEL_SIDE && x->w >= 1 && x->w <= KERNEL_SIDE;
}

bool kernel_supports(int fn, int variant, const Image *in, const Image *size) {
    assert(fn >= 0 && fn < IMAGE_FNS && variant >= 0 && variant < image_fns[fn].variants);
    ImageKind kind = image_fns[fn].kind;
    (void)variant; // all of them
    return (kind == IMAGE_MAPS || kind == IMAGE_SIZED) && fits(in) && (kind == IMAGE_MAPS || fits(size));
}

// ---- Images as bits ----

#ifdef __AVX2__

// A bit of each cell is moved to the top of its byte; what comes in from the byte below stays beneath it.
static inline void pack_row(const int8_t *cells, uint32_t all, uint32_t *words) {
    const __m256i row = _mm256_loadu_si256((const __m256i *)cells);
    words[0] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(row, 7)) & all;
    words[1] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(row, 6)) & all;
    words[2] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(row, 5)) & all;
    words[3] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(row, 4)) & all;
}

#else

static inline void pack_row(const int8_t *cells, uint32_t all, uint32_t *words) {
    for (int p = 0; p < KERNEL_PLANES; p++) {
        words[p] = 0;
        for (int j = 0; j < KERNEL_SIDE; j++) words[p] |= (uint32_t)(cells[j] >> p & 1) << j;
        words[p] &= all;
    }
}

#endif

// Rows are read as if they were of full length; from where that would go beyond the last cell they are read
// from a copy.
void kernel_pack(const Image *x, uint32_t *planes) {
    assert(fits(x));
    int8_t tail[2 * KERNEL_SIDE];
    int n = image_cells(x), w = x->w, at = 0;
    uint32_t all = lane_first(w);
    for (; at + KERNEL_SIDE <= n; at += w, planes += KERNEL_PLANES) pack_row(x->cells + at, all, planes);
    memset(tail, 0, sizeof tail);
    memcpy(tail, x->cells + at, (size_t)(n - at));
    for (int from = at; at < n; at += w, planes += KERNEL_PLANES) pack_row(tail + (at - from), all, planes);
}

// ---- The kernels as C ----

void kernel_run_c(const KernelImage *images, const uint32_t *planes, const DeviceJob *jobs, size_t count,
                  DeviceResult *results, uint32_t *cells) {
    Lane workers[KERNEL_SIDE];
    LaneShared shared;
    for (size_t lane = 0; lane < count; lane++) {
        for (int r = 0; r < KERNEL_SIDE; r++) workers[r] = (Lane){.r = r, .phase = LANE_LOAD};
        while (workers[0].phase != LANE_DONE)
            for (int r = 0; r < KERNEL_SIDE; r++)
                lane_phase(&workers[r], &shared, images, planes, &jobs[lane], &results[lane],
                           cells + lane * (KERNEL_CELLS / 4));
    }
}
