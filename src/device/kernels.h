// The kernels of a text: run_lanes does jobs, a group of KERNEL_SIDE workers for each or for some of them in
// turn; collect brings the cells of some lanes together, a group for each or for some.
//
// There is one loop with one barrier: compilers for processors split a kernel at its barriers, and with
// several of them, or with barriers in functions, took a minute or failed.
#ifndef TESSERA_DEVICE_KERNELS_H
#define TESSERA_DEVICE_KERNELS_H

#include "device/kernel_lane.h"

#ifdef KERNEL_TEXT

KERNEL void run_lanes(GLOBAL const KernelImage *images, GLOBAL const uint32_t *planes,
                      GLOBAL const DeviceJob *jobs, uint32_t count, GLOBAL DeviceResult *results,
                      GLOBAL uint32_t *cells) {
#ifdef KERNEL_CUDA
    __shared__
#else
    LOCAL
#endif
        LaneShared shared;
    Lane t;
    t.r = MEMBER();
    t.phase = LANE_LOAD;
    for (uint32_t lane = GROUP(); lane < count;) {
        lane_phase(&t, &shared, images, planes, &jobs[lane], &results[lane],
                   &cells[(uint64_t)lane * (KERNEL_CELLS / 4)]);
        if (t.phase == LANE_DONE) {
            t.phase = LANE_LOAD;
            lane += GROUPS();
        }
        BARRIER();
    }
}

KERNEL void collect(GLOBAL const uint8_t *cells, GLOBAL const KernelPiece *pieces, uint32_t count,
                    GLOBAL uint8_t *to) {
    for (uint32_t k = GROUP(); k < count; k += GROUPS())
        for (uint32_t c = (uint32_t)MEMBER(); c < pieces[k].count; c += KERNEL_SIDE)
            to[pieces[k].to + c] = cells[(uint64_t)pieces[k].lane * KERNEL_CELLS + c];
}

#endif

#endif
