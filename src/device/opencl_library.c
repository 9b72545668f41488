// Finds OpenCL. Usually libOpenCL.so.1 is a loader: it reads the files *.icd of a folder, each of which names
// the library of a driver, and its functions go on to the driver that an object belongs to. Containers often
// have NVIDIA's driver without such a file; then the driver is asked itself. It shares few of its functions
// by name, but each of its objects begins with a pointer to a table of all of them, by which loaders find
// them.
//
// TESSERA_OPENCL in the environment names another library, of either kind, to be used instead: a driver of
// one's own, or one that is not there, for tests.
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/hash.h"
#include "base/text.h"
#include "device/opencl_library.h"

enum {
    MOST_PLATFORMS = 16,
    DEVICE_NOT_FOUND = -1,
    OUT_OF_MEMORY = -6,
    PLATFORM_NOT_FOUND = -1001, // what loaders say that know no driver
    DAY = 24 * 60 * 60,         // seconds
};
static const uint64_t ALL_TYPES = 0xFFFFFFFF;
static const char VENDORS[] = "/etc/OpenCL/vendors";

static const struct {
    const char *name;
    size_t place, offset; // in the table of a driver; in OpenCl
} functions[] = {
#define OPENCL(place, result, name, parameters) {"cl" #name, place, offsetof(OpenCl, name)},
#include "device/opencl_functions.def"
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

// ---- What went wrong ----

bool opencl_failed(const char *call, int32_t error, char why[DEVICE_WORDS]) {
    static const struct {
        int32_t error;
        const char *words;
    } known[] = {{-1, "no device"},
                 {-2, "the device is not available"},
                 {-4, "no memory for a buffer"},
                 {-5, "out of resources"},
                 {-6, "out of memory"},
                 {-11, "the program cannot be built"},
                 {-14, "it has failed while it ran"},
                 {-36, "the queue is lost"},
                 {-42, "another device's program"},
                 {-46, "no such kernel"},
                 {-54, "the group is too large"},
                 {-61, "the buffer is too large"}};
    const char *words = NULL;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].error == error) words = known[k].words;
    snprintf(why, DEVICE_WORDS, "cl%s gave %d%s%s%s", call, (int)error, words ? " (" : "", words ? words : "",
             words ? ")" : "");
    return false;
}

// ---- The files that name drivers ----

typedef bool VisitIcd(const char *path, void *user); // false: enough

// All of them: those of the folder that the environment names, or the one file.
static void visit_icds(VisitIcd *visit, void *user) {
    const char *named = getenv("OCL_ICD_VENDORS"), *folder = named && named[0] ? named : VENDORS;
    const size_t length = strlen(folder);
    if (length > 4 && strcmp(folder + length - 4, ".icd") == 0) {
        visit(folder, user);
        return;
    }
    DIR *entries = opendir(folder);
    bool more = true;
    for (struct dirent *e; entries && more && (e = readdir(entries));) {
        const size_t n = strlen(e->d_name);
        Text path = {0};
        text_print(&path, "%s/%s", folder, e->d_name);
        if (n > 4 && strcmp(e->d_name + n - 4, ".icd") == 0 && !path.failed) more = visit(path.data, user);
        text_free(&path);
    }
    if (entries) closedir(entries);
}

// Says so where a file names a library that cannot be loaded.
static bool find_dangling(const char *path, void *user) {
    char *why = user;
    Text text = {0};
    Status ignored;
    const char *slash = strrchr(path, '/');
    if (!text_read_found(&text, path, &ignored) || !text.length || text.failed) {
        snprintf(why, DEVICE_WORDS, "the file %.80s names no driver", slash ? slash + 1 : path);
        text_free(&text);
        return true;
    }
    text.data[strcspn(text.data, "\r\n")] = 0;
    void *driver = dlopen(text.data, RTLD_LAZY | RTLD_LOCAL);
    if (driver) snprintf(why, DEVICE_WORDS, "the driver %.80s finds nothing to drive", text.data);
    else
        snprintf(why, DEVICE_WORDS, "the driver %.60s, which %.60s names, cannot be loaded", text.data,
                 slash ? slash + 1 : path);
    text_free(&text);
    return driver; // which stays
}

static void explain_none(char why[DEVICE_WORDS]) {
    snprintf(why, DEVICE_WORDS, "no driver for OpenCL is there (no file *.icd names one)");
    visit_icds(find_dangling, why);
}

// ---- Loading ----

static void set_function(OpenCl *cl, int k, const void *address) {
    memcpy((char *)cl + functions[k].offset, &address, sizeof address);
}

// All functions by their names: a loader, or a driver that shares them.
static bool load_by_name(void *library, OpenCl *cl) {
    for (int k = 0; k < FUNCTIONS; k++) {
        void *address = dlsym(library, functions[k].name);
        if (!address) return false;
        set_function(cl, k, address);
    }
    return true;
}

typedef int32_t GetPlatforms(uint32_t room, OpenClObject *platforms, uint32_t *count);

// All functions by the table that its first platform points to: a driver.
static bool load_by_table(void *library, OpenCl *cl) {
    static const char call[] = "clIcdGetPlatformIDsKHR";
    void *(*address_of)(const char *name), *get = dlsym(library, call), *by_name;
    by_name = dlsym(library, "clGetExtensionFunctionAddress");
    memcpy(&address_of, &by_name, sizeof address_of);
    if (!get && by_name) get = address_of(call);
    GetPlatforms *get_platforms;
    memcpy(&get_platforms, &get, sizeof get_platforms);
    OpenClObject first = NULL;
    uint32_t count = 0;
    if (!get || get_platforms(1, &first, &count) || !count || !first) return false;
    void *const *table = *(void *const *const *)first;
    for (int k = 0; k < FUNCTIONS; k++) {
        if (!table[functions[k].place]) return false;
        set_function(cl, k, table[functions[k].place]);
    }
    cl->GetPlatformIDs = get_platforms;
    return true;
}

static bool list_devices(OpenCl *cl, char why[DEVICE_WORDS]) {
    OpenClObject platforms[MOST_PLATFORMS];
    uint32_t count = 0;
    int32_t error = cl->GetPlatformIDs(MOST_PLATFORMS, platforms, &count);
    if (error == PLATFORM_NOT_FOUND || (!error && !count)) return explain_none(why), false;
    if (error) return opencl_failed("GetPlatformIDs", error, why);
    snprintf(why, DEVICE_WORDS, "the drivers of OpenCL have no device");
    for (uint32_t p = 0; p < count && p < MOST_PLATFORMS; p++) {
        const uint32_t room = (uint32_t)(OPENCL_MOST_DEVICES - cl->count);
        uint32_t here = 0;
        if (!room) break;
        error = cl->GetDeviceIDs(platforms[p], ALL_TYPES, room, cl->devices + cl->count, &here);
        if (error && error != DEVICE_NOT_FOUND) opencl_failed("GetDeviceIDs", error, why);
        if (!error) cl->count += (int)(here < room ? here : room);
    }
    return cl->count > 0;
}

// False where the library is not there, or has nothing; *is_there says which.
static bool load(const char *name, OpenCl *cl, bool *is_there, char why[DEVICE_WORDS]) {
    *cl = (OpenCl){.count = 0};
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    *is_there = library;
    if (!library) {
        snprintf(why, DEVICE_WORDS, "no OpenCL is there (the library %.100s cannot be loaded)", name);
        return false;
    }
    if (load_by_name(library, cl) || load_by_table(library, cl)) return list_devices(cl, why);
    snprintf(why, DEVICE_WORDS, "the library %.100s has no platform of OpenCL 1.2", name);
    return false;
}

bool opencl_load(OpenCl *cl, char why[DEVICE_WORDS]) {
    const char *named = getenv("TESSERA_OPENCL");
    bool is_there;
    if (named && named[0]) return load(named, cl, &is_there, why);
    if (load("libOpenCL.so.1", cl, &is_there, why)) return true;
    char other[DEVICE_WORDS];
    if (load("libnvidia-opencl.so.1", cl, &is_there, other)) return true;
    if (is_there) memcpy(why, other, sizeof other);
    return false;
}

// ---- What it depends on ----

static uint64_t mix_file(uint64_t hash, const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) return hash_mix(hash, 1);
    hash = hash_mix(hash, (uint64_t)info.st_mtim.tv_sec);
    return hash_mix(hash, (uint64_t)info.st_mtim.tv_nsec ^ (uint64_t)info.st_size << 32);
}

// In any order: folders have none.
static bool add_icd(const char *path, void *user) {
    *(uint64_t *)user += mix_file(hash_bytes(0, path, strlen(path)), path);
    return true;
}

uint64_t opencl_surroundings(void) {
    static const char *const variables[] = {"OCL_ICD_VENDORS",      "OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH",
                                            "LD_LIBRARY_PATH",      "LD_PRELOAD",        "POCL_DEVICES",
                                            "CUDA_VISIBLE_DEVICES", "TESSERA_OPENCL"};
    static const char *const nodes[] = {"/dev/nvidiactl", "/dev/dri", "/dev/kfd", "/dev/dxg"};
    // At least once a day it is looked again.
    uint64_t hash = hash_mix(0, (uint64_t)time(NULL) / DAY), icds = 0;
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        const char *value = getenv(variables[k]);
        hash = value ? hash_bytes(hash, value, strlen(value)) : hash_mix(hash, k);
    }
    for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++) hash = mix_file(hash, nodes[k]);
    visit_icds(add_icd, &icds);
    return hash_mix(hash, icds);
}
