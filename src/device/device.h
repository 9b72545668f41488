// Devices: the one seam between the search and whatever runs steps on images for it.
//
// The bank does not run a step when it meets it. It gathers the steps of a pass, a *wave* (wave.h), and what
// a device is good for goes there in one call. A job names an image that was uploaded, a function and a
// variant (image/image.h); its result is a status, a frame and a hash. Cells come back only for the results
// that are asked for: three of four give an image that is known by its hash.
//
// A device says *done* or *left to the host*. Failures, units, lists and everything odd are the host's: what
// is left is done there as if there were no device. So whether there is a device, and which, changes no
// result.
//
// A backend is a table of functions: opencl.c, and faulty.c for tests. Each function that gives false or NULL
// has failed (the device is lost, out of memory, …) and *why says so; the device is then closed and not used
// again.
//
// Workload: waves of some 20,000 jobs of a hundred cells each, one at a time a thread. Nothing here is shared
// between threads but what DeviceBackend.count and describe read.
#ifndef TESSERA_DEVICE_DEVICE_H
#define TESSERA_DEVICE_DEVICE_H

#include "image/image.h"

enum {
    DEVICE_SIDE = 32,   // of frames, at most: a row is a word
    DEVICE_PLANES = 4,  // bits of a colour
    DEVICE_WORDS = 200, // of a message
};

// Place and size, as an image has them.
typedef struct {
    int16_t i, j, h, w;
} DeviceFrame;

typedef struct {
    uint32_t image; // by the order of uploading
    uint8_t fn, variant;
    uint16_t unused;  // 0
    DeviceFrame size; // of the sized ones, else all 0
} DeviceJob;

enum { DEVICE_LEFT, DEVICE_DONE };

typedef struct {
    uint64_t hash;     // images_hash of the one image
    DeviceFrame frame; // the image of nothing is all 0
    uint32_t status;   // the others count only where it is DEVICE_DONE
    uint32_t unused;
} DeviceResult;

typedef struct {
    char name[128];    // of the device and its driver, as they call themselves
    bool is_processor; // the one that we run on: it has no memory of its own
    uint64_t memory;   // bytes
} DeviceInfo;

typedef struct {
    const char *name;
    // How many devices it has, at least 0; where none, *why says why not. Numbers go from 0.
    int (*count)(char why[DEVICE_WORDS]);
    bool (*describe)(int number, DeviceInfo *info, char why[DEVICE_WORDS]);
    // A use of a device by one thread; and by a further one, which has in common with the first what it can:
    // the program, what the driver needs for itself. Either may be closed first.
    void *(*open)(int number, char why[DEVICE_WORDS]);
    void *(*share)(void *device, char why[DEVICE_WORDS]);
    // Whether it can do this at all: asked of each job before it is sent. `size` is NULL for those that have
    // none.
    bool (*supports)(int fn, int variant, const Image *in, const Image *size);
    // More images, behind those that are there; of each at most DEVICE_SIDE rows and columns, at least one.
    bool (*upload)(void *device, const Image *images, size_t count, char why[DEVICE_WORDS]);
    bool (*run)(void *device, const DeviceJob *jobs, size_t count, DeviceResult *results,
                char why[DEVICE_WORDS]);
    // The cells of some results of the last run, by their numbers, one after the other, as many as their
    // frames say.
    bool (*download)(void *device, const uint32_t *jobs, size_t count, int8_t *cells, char why[DEVICE_WORDS]);
    void (*forget)(void *device); // all images: the next one that is uploaded has the number 0
    void (*close)(void *device);
} DeviceBackend;

extern const DeviceBackend device_opencl, device_faulty;

#endif
