// A wave: many steps on images, run as one call, here or on a device.
//
// What comes out is the same wherever it ran. Whoever gives out jobs goes through the results in an order of
// its own, and of most it needs the hash alone, as the image is known: so what a device has made stays there
// until it is fetched.
//
// A device knows single images. A function that does the same with each image of a list goes there image by
// image, and the list is put together here.
#ifndef TESSERA_DEVICE_WAVE_H
#define TESSERA_DEVICE_WAVE_H

#include "device/devices.h"

typedef struct {
    Images in;
    const Image *size; // of the sized ones, else NULL
    uint32_t *held;    // the number of its first image on the device + 1, 0 where it is not there; NULL: not
                       // for a device
    uint8_t fn, variant;
} WaveJob;

typedef enum {
    WAVE_LEFT,   // not run: do it alone
    WAVE_DONE,   // made, with its hash
    WAVE_UNSEEN, // the same, and its cells are on the device: value is not set
    WAVE_SAME,   // the very image has come back
    WAVE_FAILED, // as images_apply says
} WaveStatus;

typedef struct {
    Images value;
    uint64_t hash; // of what was made
    WaveStatus status;
    uint32_t lane; // of what is unseen: the first of its results
} WaveResult;

typedef struct {
    Arena arena;    // for what is made; reset by each run
    Device *device; // NULL: none
    DeviceResult *lanes;
} Wave;

// Runs jobs. A device that fails is given up, and what it had is done here.
void wave_run(Wave *w, const WaveJob *jobs, size_t count, WaveResult *results);
// Brings the cells of some that are unseen, by their numbers. Where that fails they are left.
void wave_fetch(Wave *w, const WaveJob *jobs, WaveResult *results, const uint32_t *wanted, size_t count);
// The same for one job, in any arena, here.
void wave_run_one(Arena *a, const WaveJob *job, WaveResult *result);

#endif
