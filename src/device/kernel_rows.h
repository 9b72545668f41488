// Rows of an image in the kernels, and what the workers of a lane hold and share.
//
// A row is four words, one for each bit of the colours, so that an instruction works on 32 cells. Cells
// beyond the last column are 0, and so are rows beyond the last.
//
// A lane is done in phases, between which all workers of its group wait for each other. Within a phase nobody
// reads of the shared memory what another one writes; so in C17 the workers can go one after the other.
#ifndef TESSERA_DEVICE_KERNEL_ROWS_H
#define TESSERA_DEVICE_KERNEL_ROWS_H

#include "device/kernel_lang.h"

typedef struct {
    uint32_t at[KERNEL_PLANES];
} LaneRow;

// ---- Words ----

// The first n bits; all where there are not so many.
FUNCTION uint32_t lane_first(int n) { return n >= 32 ? 0xFFFFFFFFU : (1U << n) - 1U; }

// By so many columns to the right, or to the left where it is below zero; 0 comes in.
FUNCTION uint32_t lane_shift(uint32_t x, int by) {
    return by >= 32 || by <= -32 ? 0 : by >= 0 ? x << by : x >> -by;
}

FUNCTION int lane_lowest(uint32_t x) { return 31 - LEADING_ZEROS(x & (0U - x)); }

// The first w bits in reverse.
FUNCTION uint32_t lane_reverse(uint32_t x, int w) {
    x = (x >> 1 & 0x55555555U) | (x & 0x55555555U) << 1;
    x = (x >> 2 & 0x33333333U) | (x & 0x33333333U) << 2;
    x = (x >> 4 & 0x0F0F0F0FU) | (x & 0x0F0F0F0FU) << 4;
    x = (x >> 8 & 0x00FF00FFU) | (x & 0x00FF00FFU) << 8;
    return (x >> 16 | x << 16) >> (32 - w);
}

// Those beside them in the row too, where corners count.
FUNCTION uint32_t lane_reach(uint32_t x, bool corners) { return corners ? x | x << 1 | x >> 1 : x; }

// All stretches of set bits of `within` that have a bit of x: upwards by a carry that runs through each
// stretch, downwards by doubling.
FUNCTION uint32_t lane_fill(uint32_t x, uint32_t within) {
    x = (within & ~(within + x)) | x;
    for (int by = 1; by < 32; by *= 2) {
        x |= within & x >> by;
        within &= within >> by;
    }
    return x;
}

// ---- Rows ----

FUNCTION LaneRow lane_blank(void) {
    LaneRow row;
    for (int p = 0; p < KERNEL_PLANES; p++) row.at[p] = 0;
    return row;
}

// Where it is not 0.
FUNCTION uint32_t lane_filled(LaneRow x) { return x.at[0] | x.at[1] | x.at[2] | x.at[3]; }

// A colour where the bits are set.
FUNCTION LaneRow lane_paint(uint32_t bits, int color) {
    LaneRow row;
    for (int p = 0; p < KERNEL_PLANES; p++) row.at[p] = color >> p & 1 ? bits : 0;
    return row;
}

// Where x is not y.
FUNCTION uint32_t lane_differ(LaneRow x, LaneRow y) {
    uint32_t bits = 0;
    for (int p = 0; p < KERNEL_PLANES; p++) bits |= x.at[p] ^ y.at[p];
    return bits;
}

// Where it has a colour; for 0 the cells beyond its end too.
FUNCTION uint32_t lane_where(LaneRow x, int color) { return ~lane_differ(x, lane_paint(0xFFFFFFFFU, color)); }

FUNCTION LaneRow lane_mask(LaneRow x, uint32_t bits) {
    for (int p = 0; p < KERNEL_PLANES; p++) x.at[p] &= bits;
    return x;
}

// The cells of x that are not 0, else those of y.
FUNCTION LaneRow lane_either(LaneRow x, LaneRow y) {
    uint32_t free = ~lane_filled(x);
    for (int p = 0; p < KERNEL_PLANES; p++) x.at[p] |= y.at[p] & free;
    return x;
}

FUNCTION LaneRow lane_shifted(LaneRow x, int by) {
    for (int p = 0; p < KERNEL_PLANES; p++) x.at[p] = lane_shift(x.at[p], by);
    return x;
}

FUNCTION LaneRow lane_reversed(LaneRow x, int w) {
    for (int p = 0; p < KERNEL_PLANES; p++) x.at[p] = lane_reverse(x.at[p], w);
    return x;
}

// The columns that are wanted, moved together. Each bit goes down by as many as there are unwanted ones below
// it: by 1 where that is odd, then by 2 where half of it is, and so on.
FUNCTION LaneRow lane_pressed(LaneRow x, uint32_t wanted) {
    uint32_t unwanted = ~wanted << 1; // bit j: whether the one below bit j is
    x = lane_mask(x, wanted);
    for (int by = 1; by < 32; by *= 2) {
        uint32_t odd = unwanted; // the parity of those at and below each bit
        for (int k = 1; k < 32; k *= 2) odd ^= odd << k;
        uint32_t go = odd & wanted;
        wanted = (wanted ^ go) | go >> by;
        for (int p = 0; p < KERNEL_PLANES; p++) {
            uint32_t moves = x.at[p] & go;
            x.at[p] = (x.at[p] ^ moves) | moves >> by;
        }
        unwanted &= ~odd;
    }
    return x;
}

// ---- A lane ----

typedef struct {
    int i, j, h, w;
} LaneFrame;

// What a worker holds: that of row r.
typedef struct {
    int r, phase, step; // the step counts the phases of the function
    int fn, variant;
    LaneFrame in, out;
    LaneRow row; // of the image; in the end of the result
    // Of functions that take several steps.
    LaneRow now, other, drawn;
    uint32_t directions; // that are still to be gone
    int by;
} Lane;

// What the group shares.
typedef struct {
    uint32_t rows[3][KERNEL_PLANES][KERNEL_SIDE]; // the first are those of the image
    union {
        uint8_t bytes[KERNEL_CELLS];
        uint32_t words[KERNEL_CELLS / 4];
    } cells; // of the result
    LaneFrame in, out;
    LaneFrame size; // of the sized functions
    uint32_t counts[IMAGE_COLORS];
    uint32_t flags[3];                // whether something changed in a step, by the number of the step
    uint32_t some_rows, some_columns; // where there is something
} LaneShared;

// What became of a step: another one is needed; the result is there; it is the host's.
enum { LANE_MORE, LANE_READY, LANE_LEFT };

// The cells of a row of the image that are there.
FUNCTION uint32_t lane_all(const Lane *t) { return t->r < t->in.h ? lane_first(t->in.w) : 0; }

FUNCTION LaneRow lane_read(LOCAL const LaneShared *s, int buffer, int r) {
    LaneRow row = lane_blank();
    if (r < 0 || r >= KERNEL_SIDE) return row;
    for (int p = 0; p < KERNEL_PLANES; p++) row.at[p] = s->rows[buffer][p][r];
    return row;
}

FUNCTION void lane_write(LOCAL LaneShared *s, int buffer, int r, LaneRow row) {
    for (int p = 0; p < KERNEL_PLANES; p++) s->rows[buffer][p][r] = row.at[p];
}

// A word beside the row in the first plane of a buffer, 0 beyond the image.
FUNCTION uint32_t lane_beside(LOCAL const LaneShared *s, int buffer, int r) {
    return r < 0 || r >= KERNEL_SIDE ? 0 : s->rows[buffer][0][r];
}

// For functions that go on until nothing changes: step k sets flag k where it changes something, which step k
// + 1 reads while it sets its own; the third one is cleared meanwhile.
FUNCTION bool lane_has_ended(const Lane *t, LOCAL const LaneShared *s) {
    return t->step >= 2 && !s->flags[(t->step - 1) % 3];
}
FUNCTION void lane_changes(const Lane *t, LOCAL LaneShared *s, bool changes) {
    if (changes) SET_BITS(&s->flags[t->step % 3], 1U);
    if (t->r == 0) s->flags[(t->step + 1) % 3] = 0;
}

// The commonest colour that is not 0, the lowest of equals; 0 where there is none.
FUNCTION int lane_color(LOCAL const LaneShared *s) {
    uint32_t most = 0;
    int best = 0;
    for (int color = 1; color < IMAGE_COLORS; color++)
        if (s->counts[color] > most) {
            most = s->counts[color];
            best = color;
        }
    return best;
}

// The frame of the result: nothing where it has no cells, the host's where it is too large.
FUNCTION int lane_frame(Lane *t, int i, int j, int h, int w) {
    bool none = h <= 0 || w <= 0;
    t->out.i = none ? 0 : i;
    t->out.j = none ? 0 : j;
    t->out.h = none ? 0 : h;
    t->out.w = none ? 0 : w;
    return h > KERNEL_SIDE || w > KERNEL_SIDE ? LANE_LEFT : LANE_READY;
}

// It has the frame of the image.
FUNCTION int lane_same(Lane *t) {
    t->out = t->in;
    return LANE_READY;
}

#endif
