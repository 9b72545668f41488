// The language of the kernels: what C17, OpenCL C 1.2 and CUDA have in common, and the names of the rest.
//
// The kernels (kernels.h) are compiled three times: as C17 into the library, for tests and the faulty
// backend; as OpenCL C when a device is opened, from the text that the Makefile makes of them by the
// preprocessor alone (KERNEL_OPENCL); as CUDA (KERNEL_CUDA). So they have fixed sizes, no recursion and no
// pointers to functions; of atomics only those of 32 bits in local memory; and nothing that works on less
// than a group.
//
// A text has to hold all that it needs: the numbers of functions and variants and the keys of the hash come
// from the tables that the C code has them from, and the structures of the buffers stand here; kernel.c
// asserts that they are those of device.h.
#ifndef TESSERA_DEVICE_KERNEL_LANG_H
#define TESSERA_DEVICE_KERNEL_LANG_H

#if defined KERNEL_OPENCL || defined KERNEL_CUDA
#define KERNEL_TEXT
#define KernelFrame DeviceFrame
#define KernelJob DeviceJob
#define KernelResult DeviceResult

typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;

enum { DEVICE_LEFT, DEVICE_DONE };
enum {
#define IMAGE_FN(name, kind, shape, variants, weight) IMAGE_FN_##name,
#include "image/image_functions.def"
    IMAGE_COLORS = 10,
#define SHAPE(...)
#define INCLUDES(...)
#define ITEMS(...)
#define FIELDS_OF(...)
#define WORD(shape, code, name, ...) shape##_##name = code,
#define SAME(shape, code, name) shape##_##name = code,
#include "words/bank.def"
};
#else
#include "device/device.h"
#endif

// ---- The languages ----

#ifdef KERNEL_OPENCL

#define KERNEL __kernel
#define GLOBAL __global
#define LOCAL __local
#define CONSTANT __constant
#define FUNCTION static inline
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define GROUP() ((uint32_t)get_group_id(0))
#define GROUPS() ((uint32_t)get_num_groups(0))
#define MEMBER() ((int)get_local_id(0))
#define HIGH_PRODUCT(x, y) mul_hi(x, y)
#define SET_BITS(at, bits) ((void)atomic_or(at, bits))
#define LEADING_ZEROS(x) ((int)clz(x))
#define COUNT_BITS(x) ((int)popcount(x))

#elif defined KERNEL_CUDA

#define KERNEL extern "C" __global__
#define GLOBAL
#define LOCAL
#define CONSTANT static __device__ const
#define FUNCTION static __device__ __forceinline__
#define BARRIER() __syncthreads()
#define GROUP() ((uint32_t)blockIdx.x)
#define GROUPS() ((uint32_t)gridDim.x)
#define MEMBER() ((int)threadIdx.x)
#define HIGH_PRODUCT(x, y) __umul64hi(x, y)
#define SET_BITS(at, bits) ((void)atomicOr(at, bits))
#define LEADING_ZEROS(x) __clz((int)(x))
#define COUNT_BITS(x) __popc(x)

#else

#define GLOBAL
#define LOCAL
#define CONSTANT static const
#define FUNCTION static inline
#define HIGH_PRODUCT(x, y) ((uint64_t)((unsigned __int128)(x) * (y) >> 64))
#define SET_BITS(at, bits) ((void)(*(at) |= (bits)))
#define LEADING_ZEROS(x) __builtin_clz(x)
#define COUNT_BITS(x) __builtin_popcount(x)

#endif

// ---- What lies in the buffers ----

// As DeviceFrame, DeviceJob and DeviceResult, which they are called in a text.
typedef struct {
    int16_t i, j, h, w;
} KernelFrame;

typedef struct {
    uint32_t image;
    uint8_t fn, variant;
    uint16_t unused;
    KernelFrame size;
} KernelJob;

typedef struct {
    uint64_t hash;
    KernelFrame frame;
    uint32_t status;
    uint32_t unused;
} KernelResult;

// An image that was uploaded. A row is KERNEL_PLANES words: bit j of word p is bit p of the colour in column
// j.
typedef struct {
    int16_t i, j, h, w;
    uint32_t row; // the first of its rows
} KernelImage;

// Cells that are to be collected: so many of a lane, and where they go to.
typedef struct {
    uint32_t lane, count, to;
} KernelPiece;

enum {
    KERNEL_SIDE = 32,    // of a frame, at most; as many workers has a group, one for each row
    KERNEL_PLANES = 4,   // bits of a colour
    KERNEL_CELLS = 1024, // for each lane, in the buffer of cells
};

CONSTANT uint32_t kernel_keys[] = {
#include "image/image_keys.def"
};

#endif
