// Waves: which jobs go to the device, what runs here, and lists put together of what a device made.
//
// Jobs are chosen by price (devices.h): of the functions that a device does quicker, all jobs go there, if
// what that saves is more than the call costs.
#include "device/wave.h"

#include <assert.h>
#include <string.h>

// ---- Here ----

// Whether a step has given back the very image.
static bool is_same(const Images *in, const Images *out) {
    return !in->is_list && !out->is_list && !memcmp(in->at, out->at, sizeof *in->at);
}

void wave_run_one(Arena *a, const WaveJob *job, WaveResult *r) {
    r->hash = 0;
    if (!images_apply(a, job->fn, job->variant, &job->in, job->size, &r->value)) {
        r->status = a->full ? WAVE_LEFT : WAVE_FAILED; // for want of room it need not fail alone
    } else if (is_same(&job->in, &r->value)) {
        r->status = WAVE_SAME;
    } else {
        r->status = WAVE_DONE;
        r->hash = images_hash(&r->value);
    }
}

// ---- On the device ----

typedef struct {
    DeviceJob *lanes;
    Image *images; // to be uploaded
    size_t count, image_count;
} Shipment;

// Whether a device can do a job, image by image.
static bool can_go(const Device *d, const WaveJob *job) {
    const ImageKind kind = image_fns[job->fn].kind;
    if (!job->held || (kind != IMAGE_MAPS && kind != IMAGE_SIZED) || (job->size && !image_cells(job->size)))
        return false;
    for (int k = 0; k < job->in.count; k++)
        if (!d->backend->supports(job->fn, job->variant, &job->in.at[k], job->size)) return false;
    return job->in.count > 0;
}

static bool is_cheaper(const Device *d, int fn) {
    return d->is_forced || (d->prices.lane[fn] > 0 && d->prices.lane[fn] < d->prices.host[fn]);
}

// Marks the jobs that go to the device as unseen; all others are left. How many lanes they are, 0 where it is
// not worth it.
static size_t choose(const Device *d, const WaveJob *jobs, size_t count, WaveResult *results) {
    double saved = 0;
    size_t lanes = 0;
    for (size_t k = 0; k < count; k++) {
        const WaveJob *job = &jobs[k];
        const bool goes = is_cheaper(d, job->fn) && can_go(d, job);
        results[k].status = goes ? WAVE_UNSEEN : WAVE_LEFT;
        if (!goes) continue;
        lanes += (size_t)job->in.count;
        saved += job->in.count * ((double)d->prices.host[job->fn] - (double)d->prices.lane[job->fn]);
    }
    return d->is_forced || saved > (double)d->prices.fixed ? lanes : 0;
}

static DeviceFrame frame_of(const Image *x) { return (DeviceFrame){x->i, x->j, x->h, x->w}; }

// Adds the lanes of a job, and its images if the device has none of them. `held` is how many it has.
static void ship(Shipment *s, const WaveJob *job, uint32_t held) {
    if (!*job->held) {
        *job->held = held + (uint32_t)s->image_count + 1;
        memcpy(s->images + s->image_count, job->in.at, (size_t)job->in.count * sizeof *s->images);
        s->image_count += (size_t)job->in.count;
    }
    for (int k = 0; k < job->in.count; k++)
        s->lanes[s->count++] = (DeviceJob){.image = *job->held - 1 + (uint32_t)k,
                                           .fn = job->fn,
                                           .variant = job->variant,
                                           .size = job->size ? frame_of(job->size) : (DeviceFrame){0}};
}

static int cells_of(const DeviceResult *lane) { return lane->frame.h * lane->frame.w; }

// What the lanes of a job say: its hash, or that it is left.
static void conclude(const WaveJob *job, const DeviceResult *lanes, WaveResult *r) {
    uint64_t hashes[IMAGES_MOST];
    int n = 0, cells = 0;
    for (int k = 0; k < job->in.count; k++) {
        r->status = lanes[k].status == DEVICE_DONE ? r->status : WAVE_LEFT;
        if (cells_of(&lanes[k]) > 0 || !job->in.is_list) hashes[n++] = lanes[k].hash;
        cells += cells_of(&lanes[k]);
    }
    if (cells > IMAGES_MOST_CELLS) r->status = WAVE_LEFT; // it fails
    r->hash = job->in.is_list ? images_hash_list(hashes, n) : hashes[0];
}

// Uploads and runs. False where the device has failed.
static bool run_lanes(Wave *w, const Shipment *s) {
    Device *d = w->device;
    char why[DEVICE_WORDS] = "";
    if ((s->image_count && !d->backend->upload(d->state, s->images, s->image_count, why)) ||
        !d->backend->run(d->state, s->lanes, s->count, w->lanes, why)) {
        device_give_up(d, why);
        return false;
    }
    for (size_t k = 0; k < s->image_count; k++)
        d->bytes_up += (uint64_t)s->images[k].h * DEVICE_PLANES * sizeof(uint32_t);
    d->bytes_up += s->count * sizeof *s->lanes;
    d->bytes_down += s->count * sizeof *w->lanes;
    d->held += (uint32_t)s->image_count;
    d->waves++;
    d->jobs += s->count;
    return true;
}

// Runs what is worth it on the device; the rest is left.
static void run_there(Wave *w, const WaveJob *jobs, size_t count, WaveResult *results) {
    const size_t lanes = choose(w->device, jobs, count, results);
    Shipment s = {.lanes = arena_alloc(&w->arena, lanes * sizeof *s.lanes),
                  .images = arena_alloc(&w->arena, lanes * sizeof *s.images)};
    w->lanes = arena_alloc(&w->arena, lanes * sizeof *w->lanes);
    bool good = lanes && s.lanes && s.images && w->lanes;
    for (size_t k = 0; k < count && good; k++) {
        if (results[k].status != WAVE_UNSEEN) continue;
        results[k].lane = (uint32_t)s.count;
        ship(&s, &jobs[k], w->device->held);
    }
    good = good && run_lanes(w, &s);
    for (size_t k = 0; k < count; k++) {
        if (results[k].status != WAVE_UNSEEN) continue;
        if (good) conclude(&jobs[k], w->lanes + results[k].lane, &results[k]);
        else results[k].status = WAVE_LEFT;
        if (good) w->device->left += results[k].status == WAVE_LEFT;
    }
}

void wave_run(Wave *w, const WaveJob *jobs, size_t count, WaveResult *results) {
    arena_reset(&w->arena);
    const bool has_device = w->device && w->device->state;
    if (has_device) run_there(w, jobs, count, results);
    for (size_t k = 0; k < count; k++)
        if (!has_device || results[k].status == WAVE_LEFT) wave_run_one(&w->arena, &jobs[k], &results[k]);
}

// ---- Fetching ----

// Sets the value of a job from its lanes, whose cells come next. Gives where those after it begin, NULL where
// memory is short.
static const int8_t *unpack(Wave *w, const WaveJob *job, WaveResult *r, const int8_t *cells) {
    const DeviceResult *lanes = w->lanes + r->lane;
    Image *at = arena_alloc(&w->arena, (size_t)job->in.count * sizeof *at);
    if (!at) return NULL;
    r->value = (Images){.is_list = job->in.is_list, .at = at};
    for (int k = 0; k < job->in.count; k++) {
        const DeviceFrame f = lanes[k].frame;
        if (!cells_of(&lanes[k]) && job->in.is_list) continue;
        at[r->value.count++] = (Image){f.i, f.j, f.h, f.w, cells};
        cells += cells_of(&lanes[k]);
    }
    r->status = WAVE_DONE;
    return cells;
}

void wave_fetch(Wave *w, const WaveJob *jobs, WaveResult *results, const uint32_t *wanted, size_t count) {
    Device *d = w->device;
    size_t lanes = 0, bytes = 0, n = 0;
    for (size_t k = 0; k < count; k++) {
        const WaveResult *r = &results[wanted[k]];
        assert(r->status == WAVE_UNSEEN);
        lanes += (size_t)jobs[wanted[k]].in.count;
        for (int m = 0; m < jobs[wanted[k]].in.count; m++)
            bytes += (size_t)cells_of(&w->lanes[r->lane + (uint32_t)m]);
    }
    if (!count) return;
    uint32_t *numbers = arena_alloc(&w->arena, lanes * sizeof *numbers);
    int8_t *buffer = arena_alloc(&w->arena, bytes);
    const int8_t *cells = buffer;
    char why[DEVICE_WORDS] = "";
    for (size_t k = 0; k < count && numbers; k++)
        for (int m = 0; m < jobs[wanted[k]].in.count; m++)
            numbers[n++] = results[wanted[k]].lane + (uint32_t)m;
    bool good = numbers && buffer && d->state;
    if (good && !d->backend->download(d->state, numbers, n, buffer, why)) {
        device_give_up(d, why);
        good = false;
    }
    d->bytes_down += good ? bytes : 0;
    for (size_t k = 0; k < count; k++) {
        WaveResult *r = &results[wanted[k]];
        const int8_t *next = good ? unpack(w, &jobs[wanted[k]], r, cells) : NULL;
        if (!next) r->status = WAVE_LEFT;
        else cells = next;
        good = next;
    }
}
