// The kernels of image_map.c and image_shape.c: colours, the box of an image, what is cut out of it, how it
// lies, what it encloses and what surrounds it, what is counted in it.
#ifndef TESSERA_DEVICE_KERNEL_MAPS_H
#define TESSERA_DEVICE_KERNEL_MAPS_H

#include "device/kernel_rows.h"

// An image of one colour.
FUNCTION int lane_full(Lane *t, int i, int j, int h, int w, int color) {
    int result = lane_frame(t, i, j, h, w);
    t->row = lane_paint(t->r < t->out.h ? lane_first(t->out.w) : 0, color);
    return result;
}

// ---- Colours ----

FUNCTION int lane_keep(Lane *t, LOCAL const LaneShared *s) {
    uint32_t all = lane_all(t), bits = lane_where(t->row, t->variant) & all;
    int color = t->variant;
    for (int k = 1; k < IMAGE_COLORS && !color; k++) color = s->counts[k] ? k : 0;
    t->row = lane_paint(bits, color ? color : 1);
    return lane_same(t);
}

FUNCTION int lane_erase(Lane *t, LOCAL const LaneShared *s) {
    int color = t->variant ? t->variant : lane_color(s);
    t->row = lane_mask(t->row, ~lane_where(t->row, color));
    return lane_same(t);
}

// ---- Its box ----

FUNCTION int lane_box(Lane *t, LOCAL const LaneShared *s) {
    int v = t->variant, high = 2 - t->in.h % 2, wide = 2 - t->in.w % 2, color = lane_color(s);
    bool first = v == ImageBox_FIRST_CELL || v == ImageBox_CELL_AT_ORIGIN, middle = v == ImageBox_MIDDLE;
    LaneFrame f = t->in;
    if (v == ImageBox_BLANK_BOX || v == ImageBox_BLANK_BOX_AT_ORIGIN) color = 0;
    if (v == ImageBox_FILLED_BOX_AT_ORIGIN || v == ImageBox_BLANK_BOX_AT_ORIGIN ||
        v == ImageBox_CELL_AT_ORIGIN)
        f.i = f.j = 0;
    if (first) f.h = f.w = 1;
    if (middle) {
        f.i += (f.h - high) / 2;
        f.j += (f.w - wide) / 2;
        f.h = high;
        f.w = wide;
        color = 1;
    }
    return lane_full(t, f.i, f.j, f.h, f.w, color);
}

// ---- Less of it ----

// The part from a cell on, at the place where it was.
FUNCTION int lane_part(Lane *t, LOCAL const LaneShared *s, int i, int j, int h, int w) {
    int result = lane_frame(t, t->in.i + i, t->in.j + j, h, w);
    t->row = lane_shifted(lane_read(s, 0, t->r < h ? t->r + i : -1), -j);
    return result;
}

// Which rows and columns have something; or which are not as the one before.
FUNCTION void lane_look(const Lane *t, LOCAL LaneShared *s, bool repeated) {
    uint32_t columns = lane_filled(t->row), row = columns;
    if (repeated) {
        row = t->r ? lane_differ(t->row, lane_read(s, 0, t->r - 1)) : 1;
        if (t->r >= t->in.h) row = 0;
        columns = (lane_differ(t->row, lane_shifted(t->row, 1)) & lane_all(t)) | 1U;
    }
    if (columns) SET_BITS(&s->some_columns, columns);
    if (row) SET_BITS(&s->some_rows, 1U << t->r);
}

// The rows and columns that are wanted, at the origin.
FUNCTION int lane_select(Lane *t, LOCAL const LaneShared *s) {
    uint32_t rows = s->some_rows, columns = s->some_columns;
    int result = lane_frame(t, 0, 0, COUNT_BITS(rows), COUNT_BITS(columns));
    for (int k = 0; k < t->r; k++) rows &= rows - 1;
    t->row = lane_pressed(lane_read(s, 0, rows ? lane_lowest(rows) : -1), columns);
    return result;
}

FUNCTION int lane_trim(Lane *t, LOCAL LaneShared *s) {
    int v = t->variant, i = 1, j = 1, h = t->in.h - 2, w = t->in.w - 2;
    if (v == ImageTrim_AT_ORIGIN) return lane_frame(t, 0, 0, t->in.h, t->in.w);
    if (v != ImageTrim_NO_BORDER && !t->step) {
        lane_look(t, s, v == ImageTrim_NO_REPEATED_LINES);
        return LANE_MORE;
    }
    if (v == ImageTrim_NO_EMPTY_LINES || v == ImageTrim_NO_REPEATED_LINES) return lane_select(t, s);
    if (v == ImageTrim_TO_CONTENT) {
        uint32_t rows = s->some_rows, columns = s->some_columns;
        i = rows ? lane_lowest(rows) : 0;
        j = rows ? lane_lowest(columns) : 0;
        h = rows ? 32 - LEADING_ZEROS(rows) - i : 0;
        w = rows ? 32 - LEADING_ZEROS(columns) - j : 0;
    }
    return lane_part(t, s, i, j, h, w);
}

FUNCTION int lane_half(Lane *t, LOCAL const LaneShared *s) {
    int v = t->variant, h = t->in.h, w = t->in.w;
    bool across = v == ImageHalf_LEFT_HALF || v == ImageHalf_RIGHT_HALF;
    int i = v == ImageHalf_LOWER_HALF ? h - h / 2 : 0, j = v == ImageHalf_RIGHT_HALF ? w - w / 2 : 0;
    return lane_part(t, s, i, j, across ? h : h / 2, across ? w / 2 : w);
}

// ---- How it lies ----

// How many cells of a row are not 0, and the sum of their columns, which is less than 2^16 of all rows.
FUNCTION uint32_t lane_balance(uint32_t filled) {
    uint32_t sum = (uint32_t)COUNT_BITS(filled) << 16;
    sum += (uint32_t)COUNT_BITS(filled & 0xAAAAAAAAU) + 2 * (uint32_t)COUNT_BITS(filled & 0xCCCCCCCCU);
    sum += 4 * (uint32_t)COUNT_BITS(filled & 0xF0F0F0F0U) + 8 * (uint32_t)COUNT_BITS(filled & 0xFF00FF00U);
    return sum + 16 * (uint32_t)COUNT_BITS(filled & 0xFFFF0000U);
}

// Whether it is more out of balance up and down than left and right, by the balances of its rows.
FUNCTION bool lane_leans_down(const Lane *t, LOCAL const LaneShared *s) {
    int count = 0, across = 0, down = 0;
    for (int i = 0; i < t->in.h; i++) {
        int row = (int)s->rows[1][0][i];
        count += row >> 16;
        across += row & 0xFFFF;
        down += (row >> 16) * i;
    }
    across = across * 2 - (t->in.w - 1) * count;
    down = down * 2 - (t->in.h - 1) * count;
    return (across < 0 ? -across : across) < (down < 0 ? -down : down);
}

// A column of the image as a row, from its last cell on if asked.
FUNCTION LaneRow lane_column(const Lane *t, LOCAL const LaneShared *s, int column, bool upwards) {
    LaneRow row = lane_blank();
    if (column < 0 || column >= t->in.w) return row;
    for (int i = 0; i < t->in.h; i++) {
        int to = upwards ? t->in.h - 1 - i : i;
        for (int p = 0; p < KERNEL_PLANES; p++) row.at[p] |= (s->rows[0][p][i] >> column & 1U) << to;
    }
    return row;
}

FUNCTION int lane_rigid(Lane *t, LOCAL LaneShared *s) {
    int v = t->variant, h = t->in.h, w = t->in.w;
    if (v == ImageMotion_TO_LIGHTER_SIDE) {
        if (!t->step) {
            s->rows[1][0][t->r] = lane_balance(lane_filled(t->row));
            return LANE_MORE;
        }
        v = lane_leans_down(t, s) ? ImageMotion_UPSIDE_DOWN : ImageMotion_LEFT_TO_RIGHT;
    }
    bool left = v == ImageMotion_TURNED_LEFT, right = v == ImageMotion_TURNED_RIGHT;
    bool anti = v == ImageMotion_ANTI_TRANSPOSED;
    if (left || right || anti || v == ImageMotion_TRANSPOSED) {
        t->row = lane_column(t, s, left || anti ? w - 1 - t->r : t->r, right || anti);
        return lane_frame(t, t->in.i, t->in.j, w, h);
    }
    bool round = v == ImageMotion_TURNED_ROUND || v == ImageMotion_ON_TURNED_ROUND;
    bool rows = round || v == ImageMotion_UPSIDE_DOWN || v == ImageMotion_ON_UPSIDE_DOWN;
    bool columns = round || v == ImageMotion_LEFT_TO_RIGHT || v == ImageMotion_ON_LEFT_TO_RIGHT;
    LaneRow under = lane_read(s, 0, rows ? h - 1 - t->r : t->r);
    if (columns) under = lane_reversed(under, w);
    bool on = v == ImageMotion_ON_LEFT_TO_RIGHT || v == ImageMotion_ON_UPSIDE_DOWN ||
              v == ImageMotion_ON_TURNED_ROUND;
    t->row = on ? lane_either(t->row, under) : under;
    return lane_same(t);
}

// ---- What it encloses ----

// What is not filled and is reached from the border, in now.at[0]: a row takes over from those beside it
// until nothing changes. Whether that has ended; then the rows are in the buffer that the last step wrote.
FUNCTION bool lane_outside(Lane *t, LOCAL LaneShared *s, bool corners) {
    int h = t->in.h, from = 1 + (t->step + 1) % 2;
    uint32_t clear = lane_all(t) & ~lane_filled(t->row), sides = 1U | 1U << (t->in.w - 1);
    uint32_t fresh = clear & (t->r == 0 || t->r == h - 1 ? 0xFFFFFFFFU : sides), had = 0;
    if (lane_has_ended(t, s)) return true;
    if (t->step) {
        had = t->now.at[0];
        fresh = lane_reach(lane_beside(s, from, t->r - 1) | lane_beside(s, from, t->r + 1), corners) & clear &
                ~had;
    }
    t->now.at[0] = fresh ? lane_fill(had | fresh, clear) : had;
    s->rows[3 - from][0][t->r] = t->now.at[0];
    lane_changes(t, s, fresh != 0);
    return false;
}

FUNCTION int lane_inside(Lane *t, LOCAL LaneShared *s) {
    int v = t->variant, last = 1 + (t->step + 1) % 2;
    bool holes = v == ImageInside_HOLES_FILLED || v == ImageInside_HOLES_ALONE;
    if (!lane_outside(t, s, !holes)) return LANE_MORE;
    uint32_t all = lane_all(t), outside = t->now.at[0];
    if (holes) {
        if (v == ImageInside_HOLES_ALONE) outside |= lane_filled(t->row);
        t->row = lane_paint(~outside & all, lane_color(s));
        return lane_same(t);
    }
    uint32_t near = outside | lane_beside(s, last, t->r - 1) | lane_beside(s, last, t->r + 1);
    near = lane_reach(near, true) | 1U | 1U << (t->in.w - 1);
    if (t->r == 0 || t->r == t->in.h - 1) near = all;
    t->row = lane_mask(t->row, v == ImageInside_INNER_CELLS ? ~near : near);
    return lane_same(t);
}

FUNCTION int lane_ring(Lane *t, LOCAL const LaneShared *s) {
    int v = t->variant, h = t->in.h + 2, w = t->in.w + 2;
    if (v == ImageRing_IN_BLUE_FRAME || v == ImageRing_IN_OWN_FRAME) {
        uint32_t inner = t->r >= 1 && t->r < h - 1 ? lane_first(t->in.w) << 1 : 0;
        LaneRow image = lane_shifted(lane_read(s, 0, t->r - 1), 1);
        int result =
            lane_full(t, t->in.i - 1, t->in.j - 1, h, w, v == ImageRing_IN_BLUE_FRAME ? 1 : lane_color(s));
        t->row = lane_mask(t->row, ~inner);
        for (int p = 0; p < KERNEL_PLANES; p++) t->row.at[p] |= image.at[p];
        return result;
    }
    uint32_t filled = lane_filled(t->row);
    uint32_t others = lane_filled(lane_read(s, 0, t->r - 1)) | lane_filled(lane_read(s, 0, t->r + 1));
    uint32_t near = lane_reach(filled, true) | lane_reach(others, v == ImageRing_RING);
    t->row = lane_paint(near & ~filled & lane_all(t), 1);
    return lane_same(t);
}

// ---- What is counted ----

// Components that hang together over corners. They are all shrunk at once, towards their lower left: a cell
// stays where the cell below left of it is there, and there is a cell wherever two are of it, the left one
// and the one below. That neither joins nor parts nor loses any, but for one of a single cell: so these are
// counted as they go, which all have after as many steps as there are rows and columns. (Taking out one
// component after the other takes as many floods as there are.)
FUNCTION bool lane_components(Lane *t, LOCAL LaneShared *s) {
    int from = 1 + (t->step + 1) % 2;
    uint32_t next = lane_filled(t->row);
    if (lane_has_ended(t, s)) return true;
    if (t->step) {
        uint32_t x = t->now.at[0], below = lane_beside(s, from, t->r + 1), left = x << 1;
        uint32_t others = lane_reach(lane_beside(s, from, t->r - 1) | below, true) | left | x >> 1;
        next = ((left & x) | (left & below) | (x & below) | (x & below << 1)) & lane_all(t);
        t->now.at[1] += (uint32_t)COUNT_BITS(x & ~others);
    } else t->now.at[1] = 0;
    t->now.at[0] = next;
    s->rows[3 - from][0][t->r] = next;
    s->rows[0][0][t->r] = t->now.at[1]; // the image is not needed any more
    lane_changes(t, s, next != 0);
    return false;
}

FUNCTION int lane_count(Lane *t, LOCAL LaneShared *s) {
    int form = t->variant % (CountForm_AS_COLUMN + 1), what = t->variant - form;
    uint32_t number = 0;
    if (what == ImageCount_COUNT_COMPONENTS) {
        if (!lane_components(t, s)) return LANE_MORE;
        for (int i = 0; i < t->in.h; i++) number += s->rows[0][0][i];
    } else
        for (int k = 1; k < IMAGE_COLORS; k++)
            number += what == ImageCount_COUNT_CELLS ? s->counts[k] : s->counts[k] > 0;
    int n = (int)number;
    // Nothing has neither rows nor columns.
    return lane_full(t, 0, 0, form == CountForm_AS_ROW && n ? 1 : n, form == CountForm_AS_COLUMN && n ? 1 : n,
                     lane_color(s));
}

#endif
