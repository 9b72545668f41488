// The devices that there are, which of them are used, and one thread's use of one.
//
// Listing them is done once, by ts_devices_open. A device is made ready when the first thread needs it, and
// each thread then has its own use of it, with nothing to wait for but the device itself. A use that has
// failed is given up: the thread goes on with the processor, and what it finds is the same.
#ifndef TESSERA_DEVICE_DEVICES_H
#define TESSERA_DEVICE_DEVICES_H

#include "device/device.h"

// What steps cost, as measured (calibrate.c).
typedef struct {
    float fixed;           // ns that a wave costs on the device, whatever its jobs
    float lane[IMAGE_FNS]; // ns a job on the device, by function; 0: not measured, or not for it
    float host[IMAGE_FNS]; // the same on the CPU, hash and all
} DevicePrices;

// One thread's use of a device.
typedef struct Device {
    const DeviceBackend *backend;
    void *state;    // NULL: not open, or given up
    bool is_forced; // all that it supports goes there, whatever it costs
    DevicePrices prices;
    char why[DEVICE_WORDS];                           // it was given up; "" while it was not
    uint64_t waves, jobs, left, bytes_up, bytes_down; // that the thread has had done
    uint32_t held;                                    // images that it has
    int number;                                       // of the device, as they are listed
    struct ts_devices *of;                            // NULL for one that was made by hand
} Device;

// The use that thread t makes of a device, that of number t modulo how many are used; made ready where it was
// not yet. NULL where none is used, or it has failed. It belongs to the devices, and is for that thread
// alone.
Device *devices_for_thread(ts_devices *devices, int thread);
// Lets it forget all images: the next one has the number 0.
void device_forget(Device *d);
// Closes it; the CPU from there on.
void device_give_up(Device *d, const char *why);

// ---- What it costs (calibrate.c) ----

// Measures all functions, on the device and here, and compares what they give. False, with *why, where the
// device fails or gives something else.
bool device_calibrate(const DeviceBackend *backend, void *state, DevicePrices *prices,
                      char why[DEVICE_WORDS]);
// How many steps a wave has to have so that it is quicker on the device, with functions in the proportion of
// their variants and each where it is quicker; 0: it never is.
double device_break_even(const DevicePrices *prices);
// From and to the cache folder; the key says of what device, with which driver.
bool device_prices_read(const char *key, DevicePrices *prices);
void device_prices_write(const char *key, const DevicePrices *prices);

#endif
