// OpenCL 1.2 as a library that may be there or not: found, loaded and asked for its devices when the program
// runs. What is used of it is declared here, so that neither the build nor a machine without a driver needs
// anything of it.
//
// It is loaded again by whoever needs it, which takes some microseconds after the first time, and stays
// loaded: drivers leave threads behind that go on in their code.
#ifndef TESSERA_DEVICE_OPENCL_LIBRARY_H
#define TESSERA_DEVICE_OPENCL_LIBRARY_H

#include "device/device.h"

// A platform, a device, a context, a queue, a program, a kernel, a buffer.
typedef struct OpenClThing *OpenClObject;
typedef void OpenClNotify(const char *words, const void *more, size_t size, void *user);
typedef void OpenClBuilt(OpenClObject program, void *user);

enum {
    OPENCL_MOST_DEVICES = 64,
    // What GetDeviceInfo, GetProgramInfo and GetProgramBuildInfo are asked for.
    OPENCL_TYPE = 0x1000,
    OPENCL_MOST_BUFFER = 0x1010,
    OPENCL_MEMORY = 0x101F,
    OPENCL_NAME = 0x102B,
    OPENCL_DRIVER = 0x102D,
    OPENCL_BINARY_SIZES = 0x1165,
    OPENCL_BINARIES = 0x1166,
    OPENCL_BUILD_LOG = 0x1183,
    OPENCL_TYPE_PROCESSOR = 1 << 1, // the bit of a device that is the processor
    OPENCL_READ_WRITE = 1 << 0,     // of a buffer
};

typedef struct {
#define OPENCL(place, result, name, parameters) result(*name) parameters;
#include "device/opencl_functions.def"
    OpenClObject devices[OPENCL_MOST_DEVICES]; // of all platforms, in the order of these
    int count;
} OpenCl;

// Loads it and lists the devices, at least one. False: *why says why there is none.
bool opencl_load(OpenCl *cl, char why[DEVICE_WORDS]);
// Says that a call has failed, and gives false. Its name is without the "cl".
bool opencl_failed(const char *call, int32_t error, char why[DEVICE_WORDS]);
// A hash of all that decides which devices there are, as far as can be seen without loading anything.
uint64_t opencl_surroundings(void);

#endif
