// The kernels of src/device/ as a backend, the table that the search has: what they give, what they take, and
// what they are for.
//
//     device [test] [--backend faulty|opencl] [--lanes N] [SEED [LAST]]
//         each function and variant on images, made up and real, against what the processor's functions give:
//         status, frame, hash and cells. N jobs for each seed (61200), with the seed 1, or with all from SEED
//         to LAST. faulty are the kernels as C; opencl is skipped where there is no driver.
//     device perf [--backend …]
//         what a job costs, function by function
//     device support [--backend …]
//         which functions and variants are for devices, as a table for docs/
//     device simulate [--lanes N] FILE GROUPS [SEED]
//         N jobs or a few more as Oclgrind's oclgrind-kernel takes them, for the text of kernels in FILE
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "check.h"
#include "device/devices.h"
#include "device/kernel.h"
#include "device_images.h"
#include "program/program.h"

enum { MOST_IMAGES = 700, USUAL_LANES = 61200, LEAST_ROUNDS = 2, SOME = 10000 };

// What came of the jobs of a function.
typedef struct {
    long lanes, left, wrong;
    char first[120]; // the first that was wrong
} Tally;

typedef struct {
    Checks checks;
    Arena arena;
    ImageSource source;
    const DeviceBackend *b;
    long lanes; // at least so many jobs
    bool may_be_left[IMAGE_FNS][UINT8_MAX];
    Tally tallies[IMAGE_FNS];
} Test;

// ---- Jobs ----

static bool is_for_devices(int fn) {
    return image_fns[fn].kind == IMAGE_MAPS || image_fns[fn].kind == IMAGE_SIZED;
}

static int count_variants(void) {
    int variants = 0;
    for (int fn = 0; fn < IMAGE_FNS; fn++)
        if (is_for_devices(fn)) variants += image_fns[fn].variants;
    return variants;
}

// So many that all functions and variants on them are half of the jobs that are wanted, or as many as fit.
// Those are more jobs than the groups that opencl.c has at once.
static int count_images(const Test *u) {
    const long count = (u->lanes / LEAST_ROUNDS + count_variants() - 1) / count_variants();
    return count < 1 ? 1 : count > MOST_IMAGES ? MOST_IMAGES : (int)count;
}

// The largest, the smallest, and any others.
static void make_images(Test *u, Image *images, int count) {
    ImageSource *s = &u->source;
    for (int k = 0; k < count; k++) {
        if (k < 2) images[k] = image_of(s, k ? 1 : DEVICE_SIDE, k ? 1 : DEVICE_SIDE);
        else images[k] = k % 2 ? any_piece(s) : any_image(s, below(s, 3) ? SIZES : DEVICE_SIDE);
    }
}

static void free_images(Image *images, int count) {
    for (int k = 0; k < count; k++) free((void *)images[k].cells);
}

// The frame of another image; or the same one, or a multiple of it, or one nearby.
static Image any_size(ImageSource *s, const Image *images, int count, const Image *x) {
    const int by = 1 + below(s, 3);
    if (below(s, 3)) return images[below(s, count)];
    Image size = {(int16_t)(x->i / 2 + below(s, 9)), (int16_t)(x->j / 2 - below(s, 9)), x->h, x->w, NULL};
    if (below(s, 4) == 0) size = *x;
    if (x->h * by <= DEVICE_SIDE && x->w * by <= DEVICE_SIDE)
        size.h = (int16_t)(x->h * by), size.w = (int16_t)(x->w * by);
    return size;
}

// All functions and variants, on each image.
static size_t make_jobs(Test *u, const Image *images, int images_count, DeviceJob *jobs) {
    size_t count = 0;
    for (int fn = 0; fn < IMAGE_FNS; fn++)
        for (int v = 0; v < image_fns[fn].variants; v++)
            for (int k = 0; k < images_count; k++) {
                const bool sized = image_fns[fn].kind == IMAGE_SIZED;
                const Image size =
                    sized ? any_size(&u->source, images, images_count, &images[k]) : (Image){0};
                const bool can = u->b->supports(fn, v, &images[k], sized ? &size : NULL);
                check(&u->checks, can == is_for_devices(fn), "whether it supports %s", image_fns[fn].name);
                if (!can || !is_for_devices(fn)) continue;
                jobs[count++] = (DeviceJob){.image = (uint32_t)k,
                                            .fn = (uint8_t)fn,
                                            .variant = (uint8_t)v,
                                            .size = {size.i, size.j, size.h, size.w}};
            }
    return count;
}

// ---- Against the processor's functions ----

static bool is_too_large(const Image *x) { return x->h > DEVICE_SIDE || x->w > DEVICE_SIDE; }

static Image copy_image(Arena *arena, const Image *x) {
    const size_t n = (size_t)image_cells(x);
    int8_t *cells = arena_alloc(arena, n + BEHIND);
    if (n) memcpy(cells, x->cells, n);
    return (Image){x->i, x->j, x->h, x->w, cells};
}

static bool is_as_wanted(Test *u, const Image *made, const DeviceResult *result, const int8_t *cells) {
    const Image wanted = copy_image(&u->arena, made);
    const Images one = {1, false, &wanted};
    return result->status == DEVICE_DONE && !memcmp(&result->frame, &wanted, sizeof result->frame) &&
           !memcmp(cells, wanted.cells, (size_t)image_cells(&wanted)) && result->hash == images_hash(&one);
}

// The result of a job and its cells, and what they should be.
static void check_lane(Test *u, const DeviceJob *job, const Image *image, const DeviceResult *result,
                       const int8_t *cells) {
    const Image in = copy_image(&u->arena, image),
                size = {job->size.i, job->size.j, job->size.h, job->size.w, NULL};
    const Images one = {1, false, &in};
    Images out;
    const bool good = images_apply(&u->arena, job->fn, job->variant, &one,
                                   image_fns[job->fn].kind == IMAGE_SIZED ? &size : NULL, &out);
    const bool left = !good || is_too_large(out.at);
    Tally *t = &u->tallies[job->fn];
    t->lanes++;
    t->left += left;
    if (left) u->may_be_left[job->fn][job->variant] = true;
    if (left ? result->status == DEVICE_LEFT : is_as_wanted(u, out.at, result, cells)) return;
    if (!t->wrong++)
        snprintf(t->first, sizeof t->first, "variant %d, of an image of %d by %d%s, size %d by %d",
                 job->variant, in.h, in.w, left ? " that is to be left" : "", size.h, size.w);
}

// Cells are asked for in random order, of all that are done.
static void check_jobs(Test *u, void *device, const Image *images, const DeviceJob *jobs, size_t count) {
    DeviceResult *results = malloc(count * sizeof *results);
    uint32_t *asked = malloc(count * sizeof *asked);
    int8_t *cells = malloc(count * KERNEL_CELLS), *at = cells;
    const int8_t **lies = calloc(count, sizeof *lies);
    char why[DEVICE_WORDS] = "";
    size_t n = 0;
    memset(results, 0x55, count * sizeof *results);
    bool good = u->b->run(device, jobs, count, results, why);
    for (size_t k = 0; k < count && good; k++)
        if (results[k].status == DEVICE_DONE) asked[n++] = (uint32_t)k;
    for (size_t k = n; k > 1; k--) {
        const size_t other = (size_t)below(&u->source, (int)k);
        const uint32_t last = asked[k - 1];
        asked[k - 1] = asked[other];
        asked[other] = last;
    }
    good = good && u->b->download(device, asked, n, cells, why);
    check(&u->checks, good, "%s: %s", u->b->name, why);
    for (size_t k = 0; k < n && good; k++) {
        lies[asked[k]] = at;
        at += results[asked[k]].frame.h * results[asked[k]].frame.w;
    }
    for (size_t k = 0; k < count && good; k++) {
        check_lane(u, &jobs[k], &images[jobs[k].image], &results[k], lies[k] ? lies[k] : cells);
        if (k % 64 == 0) arena_reset(&u->arena);
    }
    free(results);
    free(asked);
    free(cells);
    free((void *)lies);
}

// Rounds until there were enough jobs, each behind images that were forgotten. What came of it is in the
// tallies.
static void run_rounds(Test *u, void *device) {
    const int count = count_images(u);
    Image images[MOST_IMAGES];
    DeviceJob *jobs = malloc((size_t)(count_variants() * count) * sizeof *jobs);
    char why[DEVICE_WORDS] = "";
    long lanes = 0;
    for (int round = 0; (round < LEAST_ROUNDS || lanes < u->lanes) && !u->checks.bad; round++) {
        make_images(u, images, count);
        const size_t first = (size_t)(count / 9); // in two parts
        const bool up = u->b->upload(device, images, first, why) &&
                        u->b->upload(device, images + first, (size_t)count - first, why);
        check(&u->checks, up, "%s: %s", u->b->name, why);
        const size_t n = make_jobs(u, images, count, jobs);
        if (up) check_jobs(u, device, images, jobs, n);
        lanes += (long)n;
        u->b->forget(device);
        free_images(images, count);
    }
    free(jobs);
}

// A test for each function, and one for what is needed for all of them.
static void test_functions(Test *u, int number) {
    check_begin(&u->checks, "the device");
    memset(u->tallies, 0, sizeof u->tallies);
    char why[DEVICE_WORDS] = "";
    DeviceInfo info = {0};
    const bool known = u->b->describe(number, &info, why);
    void *device = known ? u->b->open(number, why) : NULL;
    if (!check(&u->checks, device, "%s: %s", u->b->name, why)) return check_end(&u->checks);
    run_rounds(u, device);
    u->b->close(device);
    long lanes = 0, left = 0;
    for (int fn = 0; fn < IMAGE_FNS; fn++) lanes += u->tallies[fn].lanes, left += u->tallies[fn].left;
    // Counts of many cells, and frames around the largest.
    check(&u->checks, left * 25 < lanes && (left || lanes < SOME), "%ld of %ld lanes are left", left, lanes);
    check_end(&u->checks);
    for (int fn = 0; fn < IMAGE_FNS; fn++) {
        const Tally *t = &u->tallies[fn];
        if (!is_for_devices(fn)) continue;
        check_begin(&u->checks, image_fns[fn].name);
        check(&u->checks, t->lanes && !t->wrong, "%ld of %ld lanes are wrong: %s", t->wrong, t->lanes,
              t->first);
        check_end(&u->checks);
    }
    printf("%s, %s: %ld lanes compared, %ld of them left to the host\n", u->b->name, info.name, lanes, left);
}

// ---- What all of that depends on ----

static void test_supports(Test *u) {
    check_begin(&u->checks, "what is too large or nothing is not supported");
    static const int8_t cells[33 * 33];
    static const struct {
        int h, w;
        bool fits;
    } frames[] = {{0, 0, false},  {1, 1, true},   {32, 32, true},
                  {33, 1, false}, {1, 33, false}, {33, 33, false}};
    for (size_t k = 0; k < sizeof frames / sizeof *frames; k++) {
        Image x = {0, 0, (int16_t)frames[k].h, (int16_t)frames[k].w, cells}, one = {0, 0, 1, 1, cells};
        check(&u->checks, kernel_supports(IMAGE_FN_keep, 0, &x, NULL) == frames[k].fits, "%d by %d", x.h,
              x.w);
        check(&u->checks, kernel_supports(IMAGE_FN_fit, 0, &x, &one) == frames[k].fits, "%d by %d", x.h, x.w);
        check(&u->checks, kernel_supports(IMAGE_FN_fit, 0, &one, &x) == frames[k].fits, "to %d by %d", x.h,
              x.w);
    }
    check_end(&u->checks);
}

static void test_pack(Test *u) {
    check_begin(&u->checks, "images are packed as cell by cell");
    for (int k = 0; k < 500; k++) {
        Image x = any_image(&u->source, DEVICE_SIDE);
        uint32_t *planes = malloc((size_t)(x.h * KERNEL_PLANES) * sizeof *planes);
        kernel_pack(&x, planes);
        for (int i = 0; i < x.h; i++)
            for (int p = 0; p < KERNEL_PLANES; p++) {
                uint32_t word = 0;
                for (int j = 0; j < x.w; j++) word |= (uint32_t)(x.cells[i * x.w + j] >> p & 1) << j;
                check(&u->checks, planes[i * KERNEL_PLANES + p] == word, "row %d of %d by %d", i, x.h, x.w);
            }
        free(planes);
        free((void *)x.cells);
    }
    check_end(&u->checks);
}

static void test_keys(Test *u) {
    static const uint32_t keys[] = {
#include "image/image_keys.def"
    };
    check_begin(&u->checks, "the keys of the hash are those of splitmix64");
    Rng splitmix = {0};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        check(&u->checks, keys[k] == rng_next(&splitmix) >> 32, "key %zu", k);
    check_end(&u->checks);
}

// The hash as it is said: words of four cells, two at a time, each with the key of its place added; and once
// more with the keys two places on.
static void test_hash(Test *u) {
    static const uint32_t keys[] = {
#include "image/image_keys.def"
    };
    check_begin(&u->checks, "the hash of images is as it is said");
    for (int k = 0; k < 300; k++) {
        Image list[3];
        Images x = {below(&u->source, 4), below(&u->source, 2), list};
        if (!x.is_list) x.count = 1;
        uint64_t all = 0, place = 0;
        for (int n = 0; n < x.count; n++) {
            Image one = any_image(&u->source, DEVICE_SIDE);
            int8_t *cells = arena_alloc(&u->arena, IMAGE_MOST_CELLS + 64);
            memset(cells, below(&u->source, 128), IMAGE_MOST_CELLS + 64); // what lies behind does not matter
            memcpy(cells, one.cells, (size_t)image_cells(&one));
            free((void *)one.cells);
            one.cells = cells;
            list[n] = one;
            uint64_t sums[2] = {0}, frame = (uint64_t)(uint16_t)one.i | (uint64_t)(uint16_t)one.j << 16;
            frame |= (uint64_t)(uint16_t)one.h << 32 | (uint64_t)(uint16_t)one.w << 48;
            for (int c = 0; c < (image_cells(&one) + 31) / 32 * 32; c += 8) {
                uint32_t words[2] = {0};
                for (int b = 0; b < 8 && c + b < image_cells(&one); b++)
                    words[b / 4] |= (uint32_t)cells[c + b] << b % 4 * 8;
                for (int s = 0; s < 2; s++)
                    sums[s] +=
                        (uint64_t)(words[0] + keys[c / 4 + 2 * s]) * (words[1] + keys[c / 4 + 2 * s + 1]);
            }
            uint64_t h = hash_mix(hash_mix(frame, sums[0]), sums[1]);
            all = x.is_list ? all + hash_mix(h, place += 0x9E3779B97F4A7C15ULL) : h;
        }
        if (x.is_list) all = hash_mix(all, (uint64_t)x.count << 1 | 1);
        check(&u->checks, images_hash(&x) == all, "%d images", x.count);
        arena_reset(&u->arena);
    }
    check_end(&u->checks);
}

// With all devices that the backend has.
static int run_test(Test *u, uint64_t first, uint64_t last) {
    char why[DEVICE_WORDS];
    const int devices = u->b->count(why);
    if (!devices) printf("skipped %s: %s\n", u->b->name, why);
    test_keys(u);
    test_supports(u);
    for (uint64_t seed = first; seed <= last; seed++) {
        u->source.r = (Rng){seed};
        test_pack(u);
        test_hash(u);
        for (int number = 0; number < devices; number++) test_functions(u, number);
        arena_reset(&u->arena);
    }
    return check_summary(&u->checks);
}

// ---- Tables ----

static int run_perf(Test *u) {
    char why[DEVICE_WORDS];
    const int devices = u->b->count(why);
    if (!devices) return printf("skipped %s: %s\n", u->b->name, why), 0;
    for (int number = 0; number < devices; number++) {
        DeviceInfo info;
        DevicePrices prices;
        void *device = u->b->describe(number, &info, why) ? u->b->open(number, why) : NULL;
        const bool good = device && device_calibrate(u->b, device, &prices, why);
        if (device) u->b->close(device);
        if (!good) return fprintf(stderr, "%s: %s\n", u->b->name, why), 1;
        printf("%s, %s: %.1f us a wave, and for each job\n\n", u->b->name, info.name,
               (double)prices.fixed / 1e3);
        printf("| function | device, ns | processor, ns | times as quick |\n|---|--:|--:|--:|\n");
        for (int fn = 0; fn < IMAGE_FNS; fn++)
            if (prices.lane[fn] > 0)
                printf("| `%s` | %.0f | %.0f | %.2f |\n", image_fns[fn].name, (double)prices.lane[fn],
                       (double)prices.host[fn], (double)prices.host[fn] / (double)prices.lane[fn]);
    }
    return 0;
}

// From which side to which of square images, or of sizes, a device takes it; "" for none. That it is as with
// squares for other frames is test_supports' to see.
static void put_limits(const Test *u, int fn, int variant, bool of_size, char limits[64]) {
    static const int8_t cells[IMAGE_MOST_SIDE * IMAGE_MOST_SIDE];
    int least = -1, most = -1;
    for (int16_t n = 0; n <= IMAGE_MOST_SIDE; n++) {
        const Image x = {0, 0, n, n, cells}, one = {0, 0, 1, 1, cells};
        const Image *size = image_fns[fn].kind == IMAGE_SIZED ? of_size ? &x : &one : NULL;
        if (!u->b->supports(fn, variant, of_size ? &one : &x, size)) continue;
        if (least < 0) least = n;
        most = n;
    }
    limits[0] = 0;
    if (least >= 0) snprintf(limits, 64, "%d × %d to %d × %d", least, least, most, most);
}

static void put_support(const Test *u, int fn, int variant, char words[256]) {
    char image[64], size[64];
    put_limits(u, fn, variant, false, image);
    put_limits(u, fn, variant, true, size);
    const bool sized = image_fns[fn].kind == IMAGE_SIZED;
    if (!image[0]) snprintf(words, 256, "the host | | |");
    else
        snprintf(words, 256, "the device | %s%s%s | %s |", image, sized ? ", into sizes of " : "",
                 sized ? size : "", u->may_be_left[fn][variant] ? "results larger than that" : "");
}

// A row for variants of a function that are alike and follow each other.
static int run_support(Test *u) {
    ts_programs *set = ts_programs_new();
    char why[DEVICE_WORDS];
    u->lanes = LEAST_ROUNDS * MOST_IMAGES * count_variants();
    check_begin(&u->checks, "what is left");
    void *device = u->b->count(why) ? u->b->open(0, why) : NULL; // to see what may be left
    if (!device || !set) return fprintf(stderr, "%s: %s\n", u->b->name, why), 1;
    run_rounds(u, device);
    u->b->close(device);
    printf("| function | variants | done by | images | but left to the host |\n|---|---|---|---|---|");
    for (int fn = 0; fn < IMAGE_FNS; fn++) {
        char before[256] = "", words[256];
        Text row = {0};
        for (int v = 0; v < image_fns[fn].variants; v++) {
            put_support(u, fn, v, words);
            if (strcmp(words, before) != 0) {
                if (v) text_print(&row, " | %s", before);
                text_print(&row, "\n| `%s` | ", image_fns[fn].name);
            } else text_print(&row, ", ");
            text_print(&row, "`");
            programs_reset(set);
            literal_print_words(&row,
                                shape_read(&set->ctx, image_fns[fn].shape, value_int(&set->ctx, v), NULL));
            text_print(&row, "`");
            memcpy(before, words, sizeof words);
        }
        printf("%s | %s", row.data, before);
        text_free(&row);
    }
    printf("\n");
    ts_programs_free(set);
    return u->checks.bad;
}

// ---- For Oclgrind ----

static void print_words(const char *more, const void *data, size_t bytes) {
    const uint32_t *words = data;
    printf("\n<size=%zu uint %s>\n", bytes, more);
    for (size_t k = 0; k < bytes / sizeof *words; k++) printf("%x%c", words[k], k % 16 == 15 ? '\n' : ' ');
    printf("\n");
}

// The arguments of run_lanes. Buffers are as long as they have to be, and no longer.
static int run_simulate(Test *u, const char *file, long groups, uint64_t seed) {
    u->lanes *= LEAST_ROUNDS; // there is one
    const int count = count_images(u);
    Image images[MOST_IMAGES];
    KernelImage *table = calloc((size_t)count, sizeof *table);
    DeviceJob *jobs = malloc((size_t)(count_variants() * count) * sizeof *jobs);
    uint32_t *planes = malloc((size_t)(count * DEVICE_SIDE) * KERNEL_PLANES * sizeof *planes);
    size_t row = 0;
    u->source.r = (Rng){seed};
    make_images(u, images, count);
    for (int k = 0; k < count; k++) {
        table[k] = (KernelImage){images[k].i, images[k].j, images[k].h, images[k].w, (uint32_t)row};
        kernel_pack(&images[k], planes + row * KERNEL_PLANES);
        row += (size_t)images[k].h;
    }
    const size_t n = make_jobs(u, images, count, jobs);
    printf("%s\nrun_lanes\n%ld 1 1\n%d 1 1\n", file, groups * KERNEL_SIDE, KERNEL_SIDE);
    print_words("hex", table, (size_t)count * sizeof *table);
    print_words("hex", planes, row * KERNEL_PLANES * sizeof *planes);
    print_words("hex", jobs, n * sizeof *jobs);
    printf("\n<size=4 uint>\n%zu\n", n);
    printf("\n<size=%zu uint noinit>\n\n<size=%zu uint noinit>\n", n * sizeof(DeviceResult),
           n * KERNEL_CELLS);
    free_images(images, count);
    free(table);
    free(jobs);
    free(planes);
    return 0;
}

// ---- The command line ----

static int usage(void) {
    fprintf(stderr, "device [test|perf|support|simulate] [--backend faulty|opencl] [--lanes N] …\n");
    return 2;
}

static int run(Test *u, int argc, char **argv) {
    static const DeviceBackend *const backends[] = {&device_faulty, &device_opencl};
    const char *mode =
        argc > 1 && (argv[1][0] < '0' || argv[1][0] > '9') && argv[1][0] != '-' ? argv[1] : "test";
    int at = argc > 1 && mode == argv[1] ? 2 : 1;
    u->b = backends[0];
    u->lanes = USUAL_LANES;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (strcmp(argv[at], "--lanes") == 0) u->lanes = strtol(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "--backend") == 0) {
            u->b = NULL;
            for (size_t k = 0; k < sizeof backends / sizeof *backends; k++)
                if (strcmp(backends[k]->name, argv[at + 1]) == 0) u->b = backends[k];
        } else return usage();
        if (!u->b) return usage();
    }
    uint64_t numbers[] = {0, 0, 0};
    for (int k = 0; k < 3 && at + k < argc; k++) numbers[k] = strtoull(argv[at + k], NULL, 10);
    if (strcmp(mode, "perf") == 0) return run_perf(u);
    if (strcmp(mode, "support") == 0) return run_support(u);
    if (strcmp(mode, "simulate") == 0 && at + 1 < argc)
        return run_simulate(u, argv[at], (long)numbers[1], numbers[2]);
    if (strcmp(mode, "test") != 0) return usage();
    const uint64_t first = at < argc ? numbers[0] : 1;
    return run_test(u, first, at + 1 < argc ? numbers[1] : first);
}

int main(int argc, char **argv) {
    static Test u;
    Status status;
    setenv("TESSERA_FAULTY", "", 1);
    arena_init(&u.arena, (size_t)64 << 20);
    arena_init(&u.source.arena, (size_t)64 << 20);
    u.source.tasks = ts_tasks_bundled(NULL, &status);
    if (!u.source.tasks) return 2;
    const int code = run(&u, argc, argv);
    ts_tasks_free(u.source.tasks);
    arena_free(&u.source.arena);
    arena_free(&u.arena);
    return code;
}
