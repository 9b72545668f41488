// The kernels of image_draw.c: cells smeared in some directions, connected, spread over what is 0.
#ifndef TESSERA_DEVICE_KERNEL_DRAW_H
#define TESSERA_DEVICE_KERNEL_DRAW_H

#include "device/kernel_rows.h"

// Directions in the order in which the later ones go over the earlier; each is followed by its opposite.
enum {
    LANE_EAST,
    LANE_WEST,
    LANE_SOUTH,
    LANE_NORTH,
    LANE_SOUTHEAST,
    LANE_NORTHWEST,
    LANE_NORTHEAST,
    LANE_SOUTHWEST
};
enum {
    LANE_ROWS = 1 << LANE_EAST | 1 << LANE_WEST,
    LANE_COLUMNS = 1 << LANE_SOUTH | 1 << LANE_NORTH,
    LANE_FALLING = 1 << LANE_SOUTHEAST | 1 << LANE_NORTHWEST,
    LANE_RISING = 1 << LANE_NORTHEAST | 1 << LANE_SOUTHWEST,
};

FUNCTION int lane_smear_directions(int variant) {
    switch (variant) {
    case ImageSmear_EAST: return 1 << LANE_EAST;
    case ImageSmear_WEST: return 1 << LANE_WEST;
    case ImageSmear_SOUTH: return 1 << LANE_SOUTH;
    case ImageSmear_NORTH: return 1 << LANE_NORTH;
    case ImageSmear_EAST_AND_WEST: return LANE_ROWS;
    case ImageSmear_NORTH_AND_SOUTH: return LANE_COLUMNS;
    case ImageSmear_FOUR_WAYS: return LANE_ROWS | LANE_COLUMNS;
    case ImageSmear_SOUTHEAST: return 1 << LANE_SOUTHEAST;
    case ImageSmear_NORTHWEST: return 1 << LANE_NORTHWEST;
    case ImageSmear_NORTHEAST: return 1 << LANE_NORTHEAST;
    case ImageSmear_SOUTHWEST: return 1 << LANE_SOUTHWEST;
    case ImageSmear_FALLING_DIAGONALS: return LANE_FALLING;
    case ImageSmear_RISING_DIAGONALS: return LANE_RISING;
    case ImageSmear_FOUR_DIAGONALS: return LANE_FALLING | LANE_RISING;
    default: return LANE_ROWS | LANE_COLUMNS | LANE_FALLING | LANE_RISING;
    }
}

FUNCTION int lane_connect_directions(int variant) {
    return variant == ImageConnect_IN_ROWS        ? LANE_ROWS
           : variant == ImageConnect_IN_COLUMNS   ? LANE_COLUMNS
           : variant == ImageConnect_ON_DIAGONALS ? LANE_FALLING | LANE_RISING
                                                  : LANE_ROWS | LANE_COLUMNS;
}

// What the cells carry in a direction, each its own colour or else the first one that is met, is in `now`: it
// is drawn over what was; or, where cells are to be connected, what the two opposite directions agree on
// where the image is 0.
FUNCTION void lane_carried(Lane *t, int direction) {
    if (t->fn == IMAGE_FN_connect) {
        LaneRow met = lane_mask(t->now, ~(lane_differ(t->now, t->other) | lane_filled(t->row)));
        t->other = t->now;
        if (direction % 2 == 0) return;
        t->drawn = lane_either(met, t->drawn);
    } else t->drawn = lane_either(t->now, t->drawn);
}

// A step of doubling from row to row: what a row carries from those up to `by` before it, with what the one
// `by` before it carries. The first step reads the image, the others read and write two buffers by turns.
FUNCTION void lane_carry_on(Lane *t, LOCAL LaneShared *s, int direction) {
    bool down = direction == LANE_SOUTH || direction == LANE_SOUTHEAST || direction == LANE_SOUTHWEST;
    bool right = direction == LANE_SOUTHEAST || direction == LANE_NORTHEAST;
    int across = direction == LANE_SOUTH || direction == LANE_NORTH ? 0 : right ? t->by : -t->by;
    bool even = t->by == 2 || t->by == 8;
    LaneRow before = lane_read(s, t->by == 1 ? 0 : even ? 1 : 2, down ? t->r - t->by : t->r + t->by);
    t->now = lane_mask(lane_either(t->now, lane_shifted(before, across)), lane_all(t));
    lane_write(s, even ? 2 : 1, t->r, t->now);
    t->by *= 2;
}

FUNCTION void lane_carry_across(Lane *t, bool right) {
    for (int by = 1; by < t->in.w; by *= 2)
        t->now = lane_either(t->now, lane_shifted(t->now, right ? by : -by));
    t->now = lane_mask(t->now, lane_all(t));
}

FUNCTION int lane_draw(Lane *t, LOCAL LaneShared *s) {
    if (!t->step) {
        t->directions = (uint32_t)(t->fn == IMAGE_FN_smear ? lane_smear_directions(t->variant)
                                                           : lane_connect_directions(t->variant));
        t->drawn = t->other = lane_blank();
        t->now = t->row;
        t->by = 1;
    }
    for (; t->directions; t->directions &= t->directions - 1) {
        int direction = lane_lowest(t->directions);
        if (direction == LANE_EAST || direction == LANE_WEST) lane_carry_across(t, direction == LANE_EAST);
        else if (t->by < t->in.h) {
            lane_carry_on(t, s, direction);
            return LANE_MORE;
        }
        lane_carried(t, direction);
        t->now = t->row;
        t->by = 1;
    }
    t->row = t->drawn;
    return lane_same(t);
}

// All colours but perhaps one grow over the 0s a cell at a time; of those that arrive at once the first wins:
// from above, left, right, below.
FUNCTION int lane_spread(Lane *t, LOCAL LaneShared *s) {
    int from = 1 + (t->step + 1) % 2;
    bool changes = false;
    if (lane_has_ended(t, s)) {
        t->row = lane_either(t->row, t->now);
        return lane_same(t);
    }
    if (t->step) {
        LaneRow fresh = lane_either(lane_read(s, from, t->r - 1), lane_shifted(t->now, 1));
        fresh = lane_either(lane_either(fresh, lane_shifted(t->now, -1)), lane_read(s, from, t->r + 1));
        fresh = lane_mask(fresh, lane_all(t) & ~lane_filled(t->row) & ~lane_filled(t->now));
        changes = lane_filled(fresh) != 0;
        t->now = lane_either(t->now, fresh);
    } else {
        int stays = t->variant == ImageSpread_ALL_BUT_COMMONEST ? lane_color(s) : 0;
        t->now = lane_mask(t->row, ~lane_where(t->row, stays));
    }
    lane_write(s, 3 - from, t->r, t->now);
    lane_changes(t, s, changes);
    return LANE_MORE;
}

#endif
