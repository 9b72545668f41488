// The kernels of image_fit.c: an image brought to a size.
#ifndef TESSERA_DEVICE_KERNEL_FIT_H
#define TESSERA_DEVICE_KERNEL_FIT_H

#include "device/kernel_rows.h"

FUNCTION LaneRow lane_embedded(const Lane *t, LOCAL const LaneShared *s) {
    return lane_shifted(lane_read(s, 0, t->r + s->size.i - t->in.i), t->in.j - s->size.j);
}

// A line too long for the size goes on in the next row, or column. Where there are too many rows, what is
// left of them goes on to the right; then no line can go on below.
FUNCTION LaneRow lane_wrapped(const Lane *t, LOCAL const LaneShared *s) {
    int h = t->in.h, w = t->in.w;
    if (h <= s->size.h) return lane_shifted(lane_read(s, 0, t->r % h), -(t->r / h * s->size.w));
    LaneRow row = lane_blank();
    for (int i = t->r, right = 0; i < h && right < s->size.w; i += s->size.h, right += w) {
        LaneRow more = lane_shifted(lane_read(s, 0, i), right);
        for (int p = 0; p < KERNEL_PLANES; p++) row.at[p] |= more.at[p];
    }
    return row;
}

// Each cell so many times.
FUNCTION LaneRow lane_magnified(const Lane *t, LOCAL const LaneShared *s, int high, int wide) {
    LaneRow from = lane_read(s, 0, t->r / high), row = lane_blank();
    for (int j = 0; j < t->in.w; j++) {
        uint32_t bits = lane_first(wide) << j * wide;
        for (int p = 0; p < KERNEL_PLANES; p++) row.at[p] |= from.at[p] >> j & 1U ? bits : 0;
    }
    return row;
}

// What one cell of the result covers of rows or columns: for each, by how much, in parts of a cell of the
// image.
typedef struct {
    int from, to;    // these, the last excluded
    int first, last; // by how much the first and the last of them
} LaneCover;

FUNCTION LaneCover lane_cover(int cells, int parts, int k) {
    int from = k * cells, to = from + cells; // each cell is `parts` wide
    LaneCover c;
    c.from = from / parts;
    c.to = (to + parts - 1) / parts;
    c.first = (c.from + 1) * parts - from;
    c.last = to - (c.to - 1) * parts;
    if (c.to - c.from == 1) c.first = c.last = cells;
    return c;
}

// By how much of a cell of the result a colour covers it.
FUNCTION int lane_weight(LOCAL const LaneShared *s, int color, LaneCover rows, LaneCover columns) {
    int weight = 0, n = columns.to - columns.from;
    uint32_t inner = n > 2 ? lane_first(n - 2) << 1 : 0, last = n > 1 ? 1U << (n - 1) : 0;
    for (int y = rows.from; y < rows.to; y++) {
        uint32_t bits = lane_where(lane_read(s, 0, y), color) >> columns.from;
        int wide = (int)(bits & 1U) * columns.first + COUNT_BITS(bits & inner) * s->size.w;
        if (bits & last) wide += columns.last;
        weight += wide * (y == rows.from ? rows.first : y == rows.to - 1 ? rows.last : s->size.h);
    }
    return weight;
}

// Each cell in the colour that covers most of it; of equals the one that is commoner in all, then the lowest.
FUNCTION LaneRow lane_covered(const Lane *t, LOCAL const LaneShared *s) {
    LaneRow row = lane_blank();
    if (t->r >= s->size.h) return row;
    LaneCover rows = lane_cover(t->in.h, s->size.h, t->r);
    for (int j = 0; j < s->size.w; j++) {
        LaneCover columns = lane_cover(t->in.w, s->size.w, j);
        int best = 0, most = 0;
        for (int color = 0; color < IMAGE_COLORS; color++) {
            if (!s->counts[color]) continue;
            int weight = lane_weight(s, color, rows, columns);
            if (weight > most || (weight && weight == most && s->counts[color] > s->counts[best])) {
                best = color;
                most = weight;
            }
        }
        for (int p = 0; p < KERNEL_PLANES; p++) row.at[p] |= (uint32_t)(best >> p & 1) << j;
    }
    return row;
}

// A place within the first turn of what is repeated in turns, also where it is below zero.
FUNCTION int lane_place(int at, int turn) { return (at % turn + turn) % turn; }

// Copies beside each other, each second one mirrored if asked.
FUNCTION LaneRow lane_repeated(const Lane *t, LOCAL const LaneShared *s, int gap, bool mirrored) {
    int h = t->in.h, w = t->in.w, down = h + gap, across = w + gap;
    int at = lane_place(t->r + s->size.i - t->in.i, mirrored ? 2 * down : down), within = at % down;
    LaneRow row = lane_blank();
    if (within >= h) return row;
    LaneRow copy = lane_read(s, 0, at >= down ? h - 1 - within : within), other = copy;
    if (mirrored) other = lane_reversed(copy, w);
    int start = lane_place(s->size.j - t->in.j, mirrored ? 2 * across : across);
    bool is_other = start >= across;
    for (int j = -(start % across); j < s->size.w; j += across) {
        LaneRow more = lane_shifted(is_other ? other : copy, j);
        for (int p = 0; p < KERNEL_PLANES; p++) row.at[p] |= more.at[p];
        is_other = !is_other;
    }
    return row;
}

FUNCTION int lane_fit(Lane *t, LOCAL const LaneShared *s) {
    int v = t->variant, h = s->size.h, w = s->size.w;
    bool at_origin = v == ImageFit_WRAPPED_ROUND;
    bool gaps = v == ImageFit_IN_COPIES_WITH_GAPS || v == ImageFit_IN_MIRRORED_COPIES_WITH_GAPS;
    bool mirrored = v == ImageFit_IN_MIRRORED_COPIES || v == ImageFit_IN_MIRRORED_COPIES_WITH_GAPS;
    if (v == ImageFit_CROPPED_OR_PADDED) t->row = lane_embedded(t, s);
    else if (v == ImageFit_WRAPPED_ROUND) t->row = lane_wrapped(t, s);
    else if (v != ImageFit_RESIZED) t->row = lane_repeated(t, s, gaps, mirrored);
    else if (h % t->in.h == 0 && w % t->in.w == 0) t->row = lane_magnified(t, s, h / t->in.h, w / t->in.w);
    else t->row = lane_covered(t, s);
    t->row = lane_mask(t->row, t->r < h ? lane_first(w) : 0);
    return lane_frame(t, at_origin ? 0 : s->size.i, at_origin ? 0 : s->size.j, h, w);
}

#endif
