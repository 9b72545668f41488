// What steps cost on a device and here, function by function: the bank sends a wave where it is quicker.
//
// The price of a wave is taken as a fixed part and so much for each job. So two widths are timed, the best of
// three each, as the bank has its waves: some images go up, jobs run, a quarter of the cells come down. On
// the CPU the same jobs are run and hashed. Images are of 12 by 12 or so, the mean of the bank's, and random
// with large areas of one colour, as pieces of tasks have them.
//
// What a device gives is compared with what the CPU gives, all of it: a driver that compiles wrongly is found
// out here, before anything depends on it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/rng.h"
#include "device/device_cache.h"
#include "device/devices.h"

enum {
    NARROW = 256, // jobs of a wave
    WIDE = 8192,
    IMAGES = WIDE / 16, // that go up with the wide one: an image has many steps
    DOWN = 4,           // of so many results one comes down
    TIMES = 3,
    ENOUGH_MS = 50, // in which it shows that a device is slow
    LEAST_SIDE = 8, // of an image
    SIDES = 9,
    SEED = 12,
    FILE_NAME = 64,
};

typedef struct {
    const DeviceBackend *backend;
    void *state;
    Arena arena;
    Image images[IMAGES];
    DeviceJob jobs[WIDE];
    DeviceResult results[WIDE];
    uint32_t down[WIDE / DOWN];
    int8_t *cells; // WIDE / DOWN of the largest
    char *why;
} Measure;

// ---- The jobs ----

static bool make_images(Measure *m) {
    Rng rng = {SEED};
    for (int k = 0; k < IMAGES; k++) {
        Image *image = &m->images[k];
        const int h = LEAST_SIDE + (int)rng_below(&rng, SIDES);
        const int w = LEAST_SIDE + (int)rng_below(&rng, SIDES);
        int8_t *cells = arena_alloc(&m->arena, (size_t)(h * w));
        if (!cells) return false;
        *image =
            (Image){(int16_t)rng_below(&rng, 5), (int16_t)rng_below(&rng, 5), (int16_t)h, (int16_t)w, cells};
        memset(cells, 0, (size_t)(h * w));
        for (int n = 2 + (int)rng_below(&rng, 6); n > 0; n--) { // boxes, one over the other
            const int i = (int)rng_below(&rng, (uint32_t)h), j = (int)rng_below(&rng, (uint32_t)w);
            const int color = (int)rng_below(&rng, 4) * (1 + k % 3);
            const int high = 1 + (int)rng_below(&rng, (uint32_t)(h - i));
            const int wide = 1 + (int)rng_below(&rng, (uint32_t)(w - j));
            for (int r = i; r < i + high; r++) memset(cells + r * w + j, color, (size_t)wide);
        }
    }
    return true;
}

static const Image *size_of(const Measure *m, int fn, const DeviceJob *job) {
    return image_fns[fn].kind == IMAGE_SIZED ? &m->images[(job->image + 1) % IMAGES] : NULL;
}

// Jobs of one function on images of the first `images`, each with one of the variants that the device has.
// False where it has none.
static bool make_jobs(Measure *m, int fn, int images) {
    const int variants = image_fns[fn].variants;
    int count = 0;
    for (int k = 0; count < WIDE && (count || k < IMAGES * variants); k++) {
        DeviceJob job = {.image = (uint32_t)(k % images), .fn = (uint8_t)fn};
        job.variant = (uint8_t)((k / images + k) % variants);
        const Image *size = size_of(m, fn, &job);
        if (!m->backend->supports(fn, job.variant, &m->images[job.image], size)) continue;
        if (size) job.size = (DeviceFrame){size->i, size->j, size->h, size->w};
        m->jobs[count++] = job;
    }
    return count == WIDE;
}

// ---- On the device ----

static bool run_wave(Measure *m, int count) {
    const DeviceBackend *b = m->backend;
    uint32_t down = 0;
    b->forget(m->state);
    if (!b->upload(m->state, m->images, (size_t)(count * IMAGES / WIDE), m->why) ||
        !b->run(m->state, m->jobs, (size_t)count, m->results, m->why))
        return false;
    for (int k = 0; k < count; k += DOWN)
        if (m->results[k].status == DEVICE_DONE) m->down[down++] = (uint32_t)k;
    return !down || b->download(m->state, m->down, down, m->cells, m->why);
}

// ns of a wave with so many jobs, at best; below 0 where the device has failed.
static double time_wave(Measure *m, int count) {
    double best = INFINITY, all = 0;
    for (int k = 0; k < TIMES && all < ENOUGH_MS; k++) {
        const double start = clock_ms();
        if (!run_wave(m, count)) return -1;
        const double ms = clock_ms() - start;
        best = fmin(best, ms);
        all += ms;
    }
    return best * 1e6;
}

// ---- On the CPU ----

static bool apply(Measure *m, const DeviceJob *job, Images *out) {
    const Images in = {.count = 1, .at = &m->images[job->image]};
    return images_apply(&m->arena, job->fn, job->variant, &in, size_of(m, job->fn, job), out);
}

// ns a job, at best.
static double time_host(Measure *m) {
    double best = INFINITY;
    uint64_t sum = 0;
    for (int k = 0; k < TIMES; k++) {
        const Arena before = m->arena;
        const double start = clock_ms();
        for (int j = 0; j < WIDE; j++) {
            Images out;
            if (apply(m, &m->jobs[j], &out)) sum += images_hash(&out);
            arena_return(&m->arena, &before);
        }
        best = fmin(best, clock_ms() - start);
    }
    return best * 1e6 / WIDE + (sum ? 0 : 1e-9); // so that the work is not left out
}

static bool is_equal(Measure *m, int job) {
    const DeviceResult *r = &m->results[job];
    Images out;
    if (r->status != DEVICE_DONE) return true;
    if (!apply(m, &m->jobs[job], &out)) return m->arena.full; // memory was short: who knows
    const Image *image = out.at;
    return out.count == 1 && !out.is_list && r->hash == images_hash(&out) && r->frame.i == image->i &&
           r->frame.j == image->j && r->frame.h == image->h && r->frame.w == image->w;
}

// Results and cells of the last wave.
static bool compare(Measure *m, int fn) {
    const Arena before = m->arena;
    const int8_t *cells = m->cells;
    for (int k = 0; k < WIDE; k++) {
        bool good = is_equal(m, k);
        if (good && k % DOWN == 0 && m->results[k].status == DEVICE_DONE) {
            const size_t n = (size_t)(m->results[k].frame.h * m->results[k].frame.w);
            Images out;
            good = !n || !apply(m, &m->jobs[k], &out) || memcmp(cells, out.at->cells, n) == 0;
            cells += n;
        }
        arena_return(&m->arena, &before);
        if (good) continue;
        snprintf(m->why, DEVICE_WORDS, "%s, variant %d, is not what it is on the CPU", image_fns[fn].name,
                 m->jobs[k].variant);
        return false;
    }
    return true;
}

// ---- Both ----

static bool measure(Measure *m, DevicePrices *prices) {
    double fixed = 0;
    int count = 0;
    for (int fn = 0; fn < IMAGE_FNS; fn++) {
        if (!make_jobs(m, fn, IMAGES)) continue;
        // The first wave is not timed: drivers compile or load what it needs while it runs.
        if (!run_wave(m, WIDE) || !compare(m, fn)) return false;
        const double wide = time_wave(m, WIDE);
        if (wide < 0 || !make_jobs(m, fn, IMAGES * NARROW / WIDE)) return false;
        const double narrow = time_wave(m, NARROW);
        if (narrow < 0) return false;
        const double lane = fmax((wide - narrow) / (WIDE - NARROW), 1e-3);
        prices->lane[fn] = (float)lane;
        prices->host[fn] = (float)time_host(m);
        fixed += fmax(0, narrow - lane * NARROW);
        count++;
    }
    if (count) prices->fixed = (float)(fixed / count);
    else snprintf(m->why, DEVICE_WORDS, "it can do none of the functions");
    return count > 0;
}

bool device_calibrate(const DeviceBackend *backend, void *state, DevicePrices *prices,
                      char why[DEVICE_WORDS]) {
    Measure *m = calloc(1, sizeof *m);
    snprintf(why, DEVICE_WORDS, "no memory to measure it");
    if (!m) return false;
    *prices = (DevicePrices){0};
    m->backend = backend;
    m->state = state;
    m->why = why;
    arena_init(&m->arena, (size_t)64 << 20);
    m->cells = malloc((size_t)WIDE / DOWN * DEVICE_SIDE * DEVICE_SIDE);
    const bool good = m->cells && make_images(m) && measure(m, prices);
    if (good) why[0] = 0;
    backend->forget(state);
    free(m->cells);
    arena_free(&m->arena);
    free(m);
    return good;
}

double device_break_even(const DevicePrices *prices) {
    double gain = 0, variants = 0;
    for (int fn = 0; fn < IMAGE_FNS; fn++) {
        if (!(prices->lane[fn] > 0)) continue;
        gain += image_fns[fn].variants * fmax(0, (double)prices->host[fn] - (double)prices->lane[fn]);
        variants += image_fns[fn].variants;
    }
    return gain > 0 ? fmax(1, (double)prices->fixed * variants / gain) : 0;
}

// ---- Kept ----
//
// A line for each: `fixed NS`, and `NAME DEVICE HOST` for the functions that were measured.

static void name_file(const char *key, char name[FILE_NAME]) {
    snprintf(name, FILE_NAME, "prices-%016llx", (unsigned long long)hash_bytes(0, key, strlen(key)));
}

void device_prices_write(const char *key, const DevicePrices *prices) {
    Text t = {0};
    char file[FILE_NAME];
    name_file(key, file);
    text_print(&t, "fixed %.9g\n", (double)prices->fixed);
    for (int fn = 0; fn < IMAGE_FNS; fn++)
        if (prices->lane[fn] > 0)
            text_print(&t, "%s %.9g %.9g\n", image_fns[fn].name, (double)prices->lane[fn],
                       (double)prices->host[fn]);
    if (!t.failed) device_cache_write(file, key, t.data, t.length);
    text_free(&t);
}

static bool is_price(float ns) { return ns >= 0 && ns < 1e12F; }

bool device_prices_read(const char *key, DevicePrices *prices) {
    Text t = {0};
    char file[FILE_NAME], name[64];
    float lane, host;
    int used = 0, any = 0;
    name_file(key, file);
    *prices = (DevicePrices){0};
    bool good = device_cache_read(file, key, &t) && t.data &&
                sscanf(t.data, "fixed %f\n%n", &prices->fixed, &used) == 1 && used && is_price(prices->fixed);
    for (const char *at = good ? t.data + used : ""; good && *at; at += used) {
        used = 0;
        good = sscanf(at, "%63s %f %f\n%n", name, &lane, &host, &used) == 3 && used && is_price(lane) &&
               is_price(host);
        for (int fn = 0; good && fn < IMAGE_FNS; fn++)
            if (strcmp(name, image_fns[fn].name) == 0)
                prices->lane[fn] = lane, prices->host[fn] = host, any++;
    }
    text_free(&t);
    return good && any;
}
