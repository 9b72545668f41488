// Waves: random steps on images and lists, with a device that may fail at any call, held against each step
// run alone. What comes out is the same, whatever the device does.
//
//     waves [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "device/wave.h"
#include "image/image_cells.h"

enum { NODES = 24, JOBS = 900, WAVES = 4, MOST_LIST = 9, ARENA_BYTES = 64 << 20 };

typedef struct {
    Checks checks;
    Rng r;
    Arena arena;
    Images nodes[NODES];
    uint32_t held[NODES];
} Test;

static int below(Test *u, int n) { return (int)rng_below(&u->r, (uint32_t)n); }

// One in ten is too large for a device, one in ten of a list is of nothing.
static Image any_image(Test *u, bool may_be_nothing) {
    const int most = below(u, 10) ? 20 : IMAGE_MOST_SIDE / 3, h = 1 + below(u, most), w = 1 + below(u, most);
    const int i = below(u, 9) - 4, j = below(u, 9) - 4, full = below(u, 100), colors = 1 + below(u, 9);
    if (may_be_nothing && !below(u, 10)) return IMAGE_NOTHING;
    int8_t *cells = arena_alloc(&u->arena, (size_t)(h * w));
    for (int k = 0; k < h * w; k++) {
        const bool set = below(u, 100) < full;
        cells[k] = (int8_t)(set ? below(u, colors + 1) : 0);
    }
    return (Image){(int16_t)i, (int16_t)j, (int16_t)h, (int16_t)w, cells};
}

static Images any_images(Test *u) {
    const bool is_list = below(u, 3) == 0;
    const int count = is_list ? below(u, MOST_LIST + 1) : 1;
    Image *at = arena_alloc(&u->arena, (size_t)(count + 1) * sizeof *at);
    for (int k = 0; k < count; k++) at[k] = any_image(u, !is_list);
    return (Images){count, is_list, at};
}

static WaveJob any_job(Test *u, const Image *size) {
    const int node = below(u, NODES), fn = below(u, IMAGE_FNS), variant = below(u, image_fns[fn].variants);
    return (WaveJob){u->nodes[node], image_fns[fn].kind == IMAGE_SIZED ? size : NULL,
                     below(u, 20) ? &u->held[node] : NULL, (uint8_t)fn, (uint8_t)variant};
}

static bool equal(const Images *a, const Images *b) {
    bool same = a->count == b->count && a->is_list == b->is_list;
    for (int k = 0; k < a->count && same; k++) {
        const Image *x = &a->at[k], *y = &b->at[k];
        same = x->i == y->i && x->j == y->j && x->h == y->h && x->w == y->w &&
               (!image_cells(x) || !memcmp(x->cells, y->cells, (size_t)image_cells(x)));
    }
    return same;
}

static void compare(Test *u, const WaveJob *job, const WaveResult *r) {
    Arena alone;
    WaveResult wanted;
    const char *name = image_fns[job->fn].name;
    arena_init(&alone, ARENA_BYTES);
    wave_run_one(&alone, job, &wanted);
    if (r->status == WAVE_LEFT) check(&u->checks, false, "%s, variant %d, is left", name, job->variant);
    else if (wanted.status == WAVE_FAILED || r->status == WAVE_FAILED)
        check(&u->checks, wanted.status == r->status, "%s, variant %d: it fails, or not", name, job->variant);
    else if (wanted.status == WAVE_SAME) // a device does not know, and makes it again
        check(&u->checks, r->status == WAVE_SAME || r->hash == images_hash(&job->in),
              "%s, variant %d: the same", name, job->variant);
    else {
        check(&u->checks, r->hash == wanted.hash, "%s, variant %d: the hash", name, job->variant);
        check(&u->checks, r->status != WAVE_DONE || equal(&r->value, &wanted.value),
              "%s, variant %d: what is made", name, job->variant);
    }
    arena_free(&alone);
}

// Some waves on the same images; a part of what is unseen is fetched. Returns whether the device has lasted.
static bool run_waves(Test *u, Device *d) {
    Wave w = {.device = d};
    WaveJob *jobs = malloc(JOBS * sizeof *jobs);
    WaveResult *results = malloc(JOBS * sizeof *results);
    uint32_t *wanted = malloc(JOBS * sizeof *wanted);
    const Image size = any_image(u, false);
    arena_init(&w.arena, ARENA_BYTES);
    for (int wave = 0; wave < WAVES; wave++) {
        const size_t count = (size_t)below(u, JOBS);
        size_t n = 0;
        for (size_t k = 0; k < count; k++) jobs[k] = any_job(u, &size);
        wave_run(&w, jobs, count, results);
        for (size_t k = 0; k < count; k++)
            if (results[k].status == WAVE_UNSEEN && below(u, 3)) wanted[n++] = (uint32_t)k;
        wave_fetch(&w, jobs, results, wanted, n);
        const bool lost = d && !d->state;
        for (size_t k = 0; k < count; k++) {
            if (results[k].status == WAVE_LEFT && lost) wave_run_one(&w.arena, &jobs[k], &results[k]);
            compare(u, &jobs[k], &results[k]);
        }
    }
    arena_free(&w.arena);
    free(jobs);
    free(results);
    free(wanted);
    return d && d->state;
}

static void begin(Test *u, const char *name, uint64_t seed) {
    check_begin(&u->checks, name);
    u->r.state = seed;
    arena_init(&u->arena, ARENA_BYTES);
    for (int k = 0; k < NODES; k++) {
        u->nodes[k] = any_images(u);
        u->held[k] = 0;
    }
}

static void end(Test *u) {
    arena_free(&u->arena);
    check_end(&u->checks);
}

static Device open_device(Test *u, const char *fault) {
    Device d = {.backend = &device_faulty, .is_forced = true};
    setenv("TESSERA_FAULTY", fault, 1);
    d.state = d.backend->open(0, d.why);
    check(&u->checks, d.state || fault[0], "the device does not open: %s", d.why);
    return d;
}

static void close_device(Device *d) {
    if (d->state) d->backend->close(d->state);
}

static void test_device(Test *u, uint64_t seed) {
    begin(u, "a device", seed);
    Device d = open_device(u, "");
    check(&u->checks, run_waves(u, &d), "it was given up: %s", d.why);
    check(&u->checks, d.jobs > 100 && d.left * 5 < d.jobs, "of %d jobs %d are left", (int)d.jobs,
          (int)d.left);
    close_device(&d);
    end(u);
}

static void test_none(Test *u, uint64_t seed) {
    begin(u, "no device", seed);
    run_waves(u, NULL);
    end(u);
}

// At its first call, its second, and so on until it has no more.
static void test_faults(Test *u, uint64_t seed) {
    for (int call = 1, lasted = 0; !lasted; call++) {
        char fault[32];
        snprintf(fault, sizeof fault, "%d:%s", call,
                 call % 3 == 0   ? "lost"
                 : call % 3 == 1 ? "memory"
                                 : "build");
        begin(u, fault, seed);
        Device d = open_device(u, fault);
        lasted = run_waves(u, &d);
        check(&u->checks, lasted || !d.waves || d.why[0], "it does not say why");
        close_device(&d);
        end(u);
    }
}

// The device is used for what it does quicker, and not where that is not worth the call.
static void test_prices(Test *u, uint64_t seed) {
    begin(u, "prices", seed);
    Device d = open_device(u, "");
    d.is_forced = false;
    run_waves(u, &d);
    check(&u->checks, d.jobs == 0, "without prices it is used");
    for (int fn = 0; fn < IMAGE_FNS; fn++)
        d.prices.lane[fn] = 2, d.prices.host[fn] = fn == IMAGE_FN_smear ? 3 : 1;
    d.prices.fixed = 1e9F;
    run_waves(u, &d);
    check(&u->checks, d.jobs == 0, "a call that costs a second is made");
    d.prices.fixed = 1;
    run_waves(u, &d);
    check(&u->checks, d.jobs > 0, "it is not used for what is worth it");
    close_device(&d);
    end(u);
}

int main(int argc, char **argv) {
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    Test *u = calloc(1, sizeof *u);
    for (uint64_t seed = first; seed <= last; seed++) {
        test_none(u, seed);
        test_device(u, seed);
        test_faults(u, seed);
        test_prices(u, seed);
    }
    const int code = check_summary(&u->checks);
    free(u);
    return code;
}
