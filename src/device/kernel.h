// The kernels as the host sees them: their text, which jobs they are for, images as they are uploaded, and
// the same kernels compiled as C17.
//
// A backend uploads images as a table of KernelImage and a buffer of rows (kernel_lang.h), runs run_lanes
// with a group of KERNEL_SIDE workers for each job, or fewer groups, and has the cells that are asked for
// brought together by collect:
//     run_lanes(images, planes, jobs, count, results, cells)    cells: KERNEL_CELLS bytes a job
//     collect(cells, pieces, count, to)
#ifndef TESSERA_DEVICE_KERNEL_H
#define TESSERA_DEVICE_KERNEL_H

#include "device/device.h"
#include "device/kernel_lang.h"

// Of OpenCL C 1.2, with nothing to include, ended by a 0 that is not counted.
extern const char kernel_source[];
extern const size_t kernel_source_length;

// Whether the kernels can do this: `size` is NULL for functions that have none.
bool kernel_supports(int fn, int variant, const Image *in, const Image *size);
// An image as rows of KERNEL_PLANES words.
void kernel_pack(const Image *x, uint32_t *planes);

// What run_lanes does, on one thread.
void kernel_run_c(const KernelImage *images, const uint32_t *planes, const DeviceJob *jobs, size_t count,
                  DeviceResult *results, uint32_t *cells);

#endif
