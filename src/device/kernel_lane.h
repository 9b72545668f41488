// A lane from its job to its result, in phases: the image is loaded, its colours counted where that is
// needed, the function goes its steps, the result is laid out as cells and hashed as images_hash does it.
//
// lane_phase is one phase of one worker. Which phase is next follows from what all workers of the group know
// alike.
#ifndef TESSERA_DEVICE_KERNEL_LANE_H
#define TESSERA_DEVICE_KERNEL_LANE_H

#include "device/kernel_draw.h"
#include "device/kernel_fit.h"
#include "device/kernel_maps.h"

enum { LANE_LOAD, LANE_TALLY, LANE_STEP, LANE_SUM, LANE_JOIN, LANE_MIX, LANE_DONE };

// Fields of 6 bits, five in a word: a row has at most 32 cells of a colour.
enum { LANE_FIELD = 6, LANE_FIELDS = 5 };

// Whether a function has to know how many cells of each colour there are.
FUNCTION bool lane_tallies(int fn, int variant) {
    switch (fn) {
    case IMAGE_FN_keep:
    case IMAGE_FN_erase: return variant == 0;
    case IMAGE_FN_inside: return variant == ImageInside_HOLES_FILLED || variant == ImageInside_HOLES_ALONE;
    case IMAGE_FN_ring: return variant == ImageRing_IN_OWN_FRAME;
    case IMAGE_FN_spread: return variant == ImageSpread_ALL_BUT_COMMONEST;
    case IMAGE_FN_fit: return variant == ImageFit_RESIZED;
    default: return fn == IMAGE_FN_box || fn == IMAGE_FN_count;
    }
}

FUNCTION void lane_load(Lane *t, LOCAL LaneShared *s, GLOBAL const KernelImage *images,
                        GLOBAL const uint32_t *planes, GLOBAL const DeviceJob *job) {
    GLOBAL const KernelImage *image = &images[job->image];
    t->fn = job->fn;
    t->variant = job->variant;
    t->in.i = image->i;
    t->in.j = image->j;
    t->in.h = image->h;
    t->in.w = image->w;
    t->row = lane_blank();
    if (t->r < t->in.h)
        for (int p = 0; p < KERNEL_PLANES; p++)
            t->row.at[p] = planes[(uint64_t)(image->row + (uint32_t)t->r) * KERNEL_PLANES + (uint64_t)p];
    lane_write(s, 0, t->r, t->row);
    if (t->r < 3) s->flags[t->r] = 0;
    if (t->r == 0) {
        s->in = t->in;
        s->some_rows = s->some_columns = 0;
        s->size.i = job->size.i;
        s->size.j = job->size.j;
        s->size.h = job->size.h;
        s->size.w = job->size.w;
    }
    t->step = 0;
    t->phase = LANE_STEP;
    if (!lane_tallies(t->fn, t->variant)) return;
    t->phase = LANE_TALLY;
    for (int word = 0; word < 2; word++) {
        uint32_t fields = 0;
        for (int k = 0; k < LANE_FIELDS; k++) {
            uint32_t where = lane_where(t->row, word * LANE_FIELDS + k) & lane_all(t);
            fields |= (uint32_t)COUNT_BITS(where) << k * LANE_FIELD;
        }
        s->rows[1][word][t->r] = fields;
    }
}

// A worker for each colour.
FUNCTION void lane_tally(const Lane *t, LOCAL LaneShared *s) {
    if (t->r >= IMAGE_COLORS) return;
    int word = t->r / LANE_FIELDS, shift = t->r % LANE_FIELDS * LANE_FIELD;
    uint32_t sum = 0;
    for (int i = 0; i < s->in.h; i++) sum += s->rows[1][word][i] >> shift & ((1U << LANE_FIELD) - 1U);
    s->counts[t->r] = sum;
}

FUNCTION int lane_step(Lane *t, LOCAL LaneShared *s) {
    switch (t->fn) {
    case IMAGE_FN_keep: return lane_keep(t, s);
    case IMAGE_FN_erase: return lane_erase(t, s);
    case IMAGE_FN_recolor: t->row = lane_paint(lane_filled(t->row), t->variant); return lane_same(t);
    case IMAGE_FN_box: return lane_box(t, s);
    case IMAGE_FN_trim: return lane_trim(t, s);
    case IMAGE_FN_rigid: return lane_rigid(t, s);
    case IMAGE_FN_half: return lane_half(t, s);
    case IMAGE_FN_inside: return lane_inside(t, s);
    case IMAGE_FN_ring: return lane_ring(t, s);
    case IMAGE_FN_smear:
    case IMAGE_FN_connect: return lane_draw(t, s);
    case IMAGE_FN_spread: return lane_spread(t, s);
    case IMAGE_FN_count: return lane_count(t, s);
    case IMAGE_FN_fit: return lane_fit(t, s);
    default: return LANE_LEFT;
    }
}

// ---- The result ----

// Four bits as four bytes, 0 or 1.
FUNCTION uint32_t lane_four(uint32_t bits) { return (bits & 15U) * 0x00204081U & 0x01010101U; }

// The cells row by row, 0 after the last up to a whole block of the hash.
FUNCTION void lane_lay_out(const Lane *t, LOCAL LaneShared *s) {
    int w = t->out.w, n = t->out.h * w, row = t->r * w;
    for (int j = 0; j < w && t->r < t->out.h; j += 4) {
        uint32_t four = 0;
        for (int p = 0; p < KERNEL_PLANES; p++) four |= lane_four(t->row.at[p] >> j) << p;
        for (int k = j; k < w && k < j + 4; k++, four >>= 8) s->cells.bytes[row + k] = (uint8_t)(four & 15U);
    }
    if (n + t->r < (n + 31) / 32 * 32) s->cells.bytes[n + t->r] = 0;
}

// Two words of four cells at a time; each worker leaves its sums as halves.
FUNCTION void lane_sum(const Lane *t, LOCAL LaneShared *s, GLOBAL uint32_t *cells) {
    uint64_t first = 0, second = 0;
    int words = (s->out.h * s->out.w + 31) / 32 * 8;
    for (int k = 2 * t->r; k < words; k += 2 * KERNEL_SIDE) {
        uint32_t x = s->cells.words[k], y = s->cells.words[k + 1];
        first += (uint64_t)(x + kernel_keys[k]) * (uint64_t)(y + kernel_keys[k + 1]);
        second += (uint64_t)(x + kernel_keys[k + 2]) * (uint64_t)(y + kernel_keys[k + 3]);
        cells[k] = x;
        cells[k + 1] = y;
    }
    s->rows[0][0][t->r] = (uint32_t)first;
    s->rows[0][1][t->r] = (uint32_t)(first >> 32);
    s->rows[0][2][t->r] = (uint32_t)second;
    s->rows[0][3][t->r] = (uint32_t)(second >> 32);
}

// n sums of a buffer, of the first kind or the second.
FUNCTION uint64_t lane_joined(LOCAL const LaneShared *s, int buffer, int second, int from, int n) {
    uint64_t sum = 0;
    for (int k = from; k < from + n; k++)
        sum += (uint64_t)s->rows[buffer][2 * second + 1][k] << 32 | s->rows[buffer][2 * second][k];
    return sum;
}

// Sixteen workers add up four each.
FUNCTION void lane_join(const Lane *t, LOCAL LaneShared *s) {
    if (t->r >= 16) return;
    int second = t->r / 8, k = t->r % 8;
    uint64_t sum = lane_joined(s, 0, second, 4 * k, 4);
    s->rows[1][2 * second][k] = (uint32_t)sum;
    s->rows[1][2 * second + 1][k] = (uint32_t)(sum >> 32);
}

// hash_mix of base/hash.h.
FUNCTION uint64_t lane_mixed(uint64_t h, uint64_t word) {
    const uint64_t factor = 0x9E3779B97F4A7C15UL;
    uint64_t x = (h ^ word) + 0xD6E8FEB86659FD93UL;
    return x * factor ^ HIGH_PRODUCT(x, factor);
}

FUNCTION void lane_mix(const Lane *t, LOCAL const LaneShared *s, GLOBAL DeviceResult *result) {
    if (t->r) return;
    DeviceFrame frame;
    frame.i = (int16_t)s->out.i;
    frame.j = (int16_t)s->out.j;
    frame.h = (int16_t)s->out.h;
    frame.w = (int16_t)s->out.w;
    uint64_t hash = (uint64_t)(uint16_t)frame.i | (uint64_t)(uint16_t)frame.j << 16;
    hash |= (uint64_t)(uint16_t)frame.h << 32 | (uint64_t)(uint16_t)frame.w << 48;
    hash = lane_mixed(hash, lane_joined(s, 1, 0, 0, 8));
    result->hash = lane_mixed(hash, lane_joined(s, 1, 1, 0, 8));
    result->frame = frame;
    result->status = DEVICE_DONE;
    result->unused = 0;
}

// ---- A phase ----

FUNCTION void lane_phase(Lane *t, LOCAL LaneShared *s, GLOBAL const KernelImage *images,
                         GLOBAL const uint32_t *planes, GLOBAL const DeviceJob *job,
                         GLOBAL DeviceResult *result, GLOBAL uint32_t *cells) {
    switch (t->phase) {
    case LANE_LOAD: lane_load(t, s, images, planes, job); break;
    case LANE_TALLY:
        lane_tally(t, s);
        t->phase = LANE_STEP;
        break;
    case LANE_STEP: {
        // Read again at each step, so that they take no registers meanwhile.
        t->in = s->in;
        t->row = lane_read(s, 0, t->r);
        int became = lane_step(t, s);
        t->step++;
        if (became == LANE_READY) {
            lane_lay_out(t, s);
            if (t->r == 0) s->out = t->out;
            t->phase = LANE_SUM;
        } else if (became == LANE_LEFT) {
            if (t->r == 0) result->status = DEVICE_LEFT;
            t->phase = LANE_DONE;
        }
        break;
    }
    case LANE_SUM:
        lane_sum(t, s, cells);
        t->phase = LANE_JOIN;
        break;
    case LANE_JOIN:
        lane_join(t, s);
        t->phase = LANE_MIX;
        break;
    default: lane_mix(t, s, result); t->phase = LANE_DONE;
    }
}

#endif
