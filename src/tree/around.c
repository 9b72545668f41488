// Features of what lies around a cell: its neighbours, and what is seen from it in each direction.
//
// The grid is copied into a wider one with a rim of two cells on all sides, each byte as in a column of
// features: 1 more than the colour, 0 for none. So a neighbour is at a fixed distance in memory and needs no
// question whether it is there, and what is seen in a direction follows from what the next cell in that
// direction sees.
#include <string.h>

#include "tree/features.h"

enum { RIM = 2, MOST_WIDE = GRID_TASK_SIDE + 2 * RIM };

typedef struct {
    int h, w;
    int pitch;         // from row to row in the wider grid
    int first, beyond; // of the rows of the grid there
    uint8_t over;      // the background
    uint8_t cells[MOST_WIDE * MOST_WIDE];
} Around;

static void look_around(const CellScene *s, Around *a) {
    a->h = s->base.height, a->w = s->base.width;
    a->pitch = a->w + 2 * RIM;
    a->first = RIM * a->pitch, a->beyond = (RIM + a->h) * a->pitch;
    a->over = (uint8_t)(s->background + 1);
    memset(a->cells, 0, (size_t)((a->h + 2 * RIM) * a->pitch));
    for (int i = 0; i < a->h; i++) {
        const signed char *from = s->base.cells + i * a->w;
        uint8_t *to = a->cells + (i + RIM) * a->pitch + RIM;
        for (int j = 0; j < a->w; j++) to[j] = (uint8_t)(from[j] + 1);
    }
}

static bool is_side(int d) { return d % 4 < 2; }
// How far the next cell in a direction is in memory.
static int step_of(const Around *a, int d) { return cell_step_i(d) * a->pitch + cell_step_j(d); }

// ---- Neighbours ----

// Takes from a wider grid what lies so far from each cell.
static void take(const Around *a, const uint8_t *wide, int step, uint8_t *to) {
    for (int i = 0; i < a->h; i++)
        memcpy(to + i * a->w, wide + a->first + i * a->pitch + RIM + step, (size_t)a->w);
}

static void fill_near(const Around *a, uint8_t *to, size_t stride) {
    for (int d = 0; d < 8; d++) take(a, a->cells, step_of(a, d), to + (size_t)d * stride);
}

static void fill_far(const Around *a, uint8_t *to, size_t stride) {
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            if (y != -2 && y != 2 && x != -2 && x != 2) continue;
            take(a, a->cells, y * a->pitch + x, to);
            to += stride;
        }
}

static void fill_near_full(const Around *a, uint8_t *to, size_t stride) {
    uint8_t full[MOST_WIDE * MOST_WIDE];
    for (int k = 0; k < a->beyond + RIM * a->pitch; k++)
        full[k] = (uint8_t)(1 + ((a->cells[k] != 0) & (a->cells[k] != a->over)));
    for (int d = 0; d < 8; d++) take(a, full, step_of(a, d), to + (size_t)d * stride);
}

// The colours of the neighbours of each cell as sets of bits: at the sides, and all of them.
static void near_colors(const Around *a, uint16_t *sides, uint16_t *all) {
    uint16_t wide[MOST_WIDE * MOST_WIDE];
    for (int k = 0; k < a->beyond + RIM * a->pitch; k++) wide[k] = (uint16_t)(1 << a->cells[k] >> 1);
    for (int i = 0; i < a->h; i++)
        for (int j = 0; j < a->w; j++) {
            const uint16_t *own = wide + a->first + i * a->pitch + RIM + j, *up = own - a->pitch,
                           *down = own + a->pitch;
            *sides = *up | own[-1] | own[1] | *down;
            *all++ = *sides++ | up[-1] | up[1] | down[-1] | down[1];
        }
}

static void fill_near_has(const Around *a, uint8_t *to, size_t stride) {
    uint16_t sides[GRID_TASK_SIDE * GRID_TASK_SIDE], all[GRID_TASK_SIDE * GRID_TASK_SIDE];
    near_colors(a, sides, all);
    for (int c = 0; c < 10; c++) {
        uint8_t *to_all = to + (size_t)(PLACE(NEIGHBOR_HAS) + c) * stride;
        uint8_t *to_sides = to + (size_t)(PLACE(SIDE_HAS) + c) * stride;
        for (int k = 0; k < a->h * a->w; k++) to_all[k] = (uint8_t)((all[k] >> c & 1) + 1);
        for (int k = 0; k < a->h * a->w; k++) to_sides[k] = (uint8_t)((sides[k] >> c & 1) + 1);
    }
}

// Counts for each cell those of four neighbours that are alike, and those of the foreground.
static void count_near(const Around *a, bool corners, uint8_t *restrict same, uint8_t *restrict full) {
    memset(same, 1, (size_t)a->beyond);
    memset(full, 1, (size_t)a->beyond);
    for (int d = 0; d < 8; d++) {
        if (is_side(d) == corners) continue;
        const uint8_t *next = a->cells + (a->first + step_of(a, d)), *own = a->cells + a->first;
        uint8_t *restrict to_same = same + a->first, *restrict to_full = full + a->first;
        for (int k = 0; k < a->beyond - a->first; k++) {
            to_same[k] = (uint8_t)(to_same[k] + (next[k] == own[k]));
            to_full[k] = (uint8_t)(to_full[k] + ((next[k] != 0) & (next[k] != a->over)));
        }
    }
}

static void fill_near_count(const Around *a, uint8_t *to, size_t stride) {
    uint8_t same[2][MOST_WIDE * MOST_WIDE], full[2][MOST_WIDE * MOST_WIDE];
    uint16_t sides[GRID_TASK_SIDE * GRID_TASK_SIDE], all[GRID_TASK_SIDE * GRID_TASK_SIDE];
    for (int corners = 0; corners < 2; corners++) count_near(a, corners, same[corners], full[corners]);
    take(a, same[0], 0, to + (PLACE(SIDES) + 2 * CellKind_ALIKE) * stride);
    take(a, full[0], 0, to + (PLACE(SIDES) + 2 * CellKind_FOREGROUND) * stride);
    take(a, full[1], 0, to + PLACE(CORNERS) * stride);
    for (int k = a->first; k < a->beyond; k++) {
        same[0][k] = (uint8_t)(same[0][k] + same[1][k] - 1);
        full[0][k] = (uint8_t)(full[0][k] + full[1][k] - 1);
        full[1][k] = (uint8_t)((a->cells[k] == a->over) + 1);
    }
    take(a, same[0], 0, to + (PLACE(NEIGHBORS) + 2 * CellKind_ALIKE) * stride);
    take(a, full[0], 0, to + (PLACE(NEIGHBORS) + 2 * CellKind_FOREGROUND) * stride);
    take(a, full[1], 0, to + PLACE(IS_BACKGROUND) * stride);
    near_colors(a, sides, all);
    uint8_t *colors = to + PLACE(NEIGHBOR_COLORS) * stride;
    unsigned ground = 1u << (a->over - 1);
    for (int k = 0; k < a->h * a->w; k++) colors[k] = (uint8_t)(__builtin_popcount(all[k] & ~ground) + 1);
}

static const uint8_t *cell_at(const Around *a, int i, int j) {
    return a->cells + a->first + i * a->pitch + RIM + j;
}

static void fill_near_color(const Around *a, uint8_t *to, size_t stride) {
    for (int i = 0; i < a->h; i++)
        for (int j = 0; j < a->w; j++) {
            const uint8_t *own = cell_at(a, i, j);
            size_t cell = (size_t)(i * a->w + j);
            unsigned sides = 0, corners = 0;
            int8_t count[11] = {0};
            int commonest = 0;
            for (int d = 0; d < 8; d++) {
                int step = step_of(a, d), color = own[step];
                bool full = color && color != a->over;
                to[(size_t)(PLACE(TWO_IN_LINE) + d) * stride + cell] =
                    (uint8_t)(full && own[2 * step] == color ? color : 0);
                if (!full) continue;
                if (is_side(d)) sides |= 1u << (color - 1);
                else corners |= 1u << (color - 1);
                count[color]++;
                if (!commonest || count[color] > count[commonest]) commonest = color;
            }
            SET(PLACE(ONLY_NEIGHBOR_COLOR), colors_only(sides | corners));
            SET(PLACE(ONLY_SIDE_COLOR), colors_only(sides));
            SET(PLACE(ONLY_CORNER_COLOR), colors_only(corners));
            SET(PLACE(COMMON_NEIGHBOR_COLOR), commonest - 1);
        }
}

// ---- Rays ----

// What is seen from a cell in a direction, as a byte of a feature: from the next cell there (0 for none), the
// cell itself, and what is seen from the next one.
typedef enum {
    SEEN_COLOR,    // the first that is no background
    SEEN_OTHER,    // the first that is not the cell's own
    SEEN_DISTANCE, // of the first that is no background
    SEEN_RUN,      // cells of its own colour, without a byte's 1 more
    SEEN_FULL,     // cells that are no background
    SEEN_COLORS,   // all of them, as a set of bits
} Seen;

static inline uint16_t seen_from(Seen what, unsigned next, unsigned own, unsigned over, unsigned from_next) {
    switch (what) {
    case SEEN_COLOR: return (uint16_t)(next != over ? next : from_next);
    case SEEN_OTHER: return (uint16_t)(next != own ? next : from_next);
    case SEEN_DISTANCE: return (uint16_t)(!next ? 0 : next != over ? 2 : from_next + (from_next != 0));
    case SEEN_RUN: return (uint16_t)(next != own ? 0 : from_next + 1);
    case SEEN_FULL: return (uint16_t)(!next ? 1 : from_next + (next != over));
    default: return (uint16_t)(!next ? 0 : from_next | 1u << (next - 1));
    }
}

static inline void follow(const Around *a, Seen what, int d, uint16_t *seen) {
    int step = step_of(a, d);
    bool up = cell_step_i(d) > 0, back = cell_step_j(d) > 0; // from the end
    for (int n = 0; n < a->h; n++) {
        int start = a->first + (up ? a->h - 1 - n : n) * a->pitch + RIM;
        for (int m = 0; m < a->w; m++) {
            int at = start + (back ? a->w - 1 - m : m);
            seen[at] = seen_from(what, a->cells[at + step], a->cells[at], a->over, seen[at + step]);
        }
    }
}

// Room for all that is seen; outside of the grid nothing has to be known.
typedef uint16_t Plane[MOST_WIDE * MOST_WIDE];

static void see(const Around *a, Seen what, int d, uint16_t *seen) {
    switch (what) { // each by itself, so that the question what is asked once
    case SEEN_COLOR: follow(a, SEEN_COLOR, d, seen); break;
    case SEEN_OTHER: follow(a, SEEN_OTHER, d, seen); break;
    case SEEN_DISTANCE: follow(a, SEEN_DISTANCE, d, seen); break;
    case SEEN_RUN: follow(a, SEEN_RUN, d, seen); break;
    case SEEN_FULL: follow(a, SEEN_FULL, d, seen); break;
    case SEEN_COLORS: follow(a, SEEN_COLORS, d, seen); break;
    }
}

// The same with the cells of the grid alone.
static void see_tight(const Around *a, Seen what, int d, uint16_t *tight) {
    Plane seen;
    see(a, what, d, seen);
    for (int i = 0; i < a->h; i++)
        memcpy(tight + i * a->w, seen + a->first + i * a->pitch + RIM, (size_t)a->w * sizeof *tight);
}

static void fill_seen(const Around *a, Seen what, int d, uint8_t *to) {
    Plane seen;
    see_tight(a, what, d, seen);
    for (int k = 0; k < a->h * a->w; k++) to[k] = (uint8_t)seen[k];
}

void cell_ray_distances(const CellScene *s, int d, uint8_t *to) {
    Around a;
    look_around(s, &a);
    fill_seen(&a, SEEN_DISTANCE, d, to);
}

static void fill_rays(const Around *a, Seen what, uint8_t *to, size_t stride) {
    for (int d = 0; d < 8; d++) fill_seen(a, what, d, to + (size_t)d * stride);
}

static void fill_ray_both(const Around *a, uint8_t *to, size_t stride) {
    Plane one, other;
    for (int d = 0; d < 4; d++) {
        uint8_t *both = to + (size_t)d * stride;
        see_tight(a, SEEN_COLOR, d, one);
        see_tight(a, SEEN_COLOR, d + 4, other);
        for (int k = 0; k < a->h * a->w; k++) both[k] = (uint8_t)(one[k] == other[k] ? one[k] : 0);
    }
    for (size_t cell = 0; cell < (size_t)(a->h * a->w); cell++, to++) {
        uint8_t straight = *to ? *to : to[stride],
                diagonal = to[2 * stride] ? to[2 * stride] : to[3 * stride];
        to[LineThrough_ANYHOW * stride] = straight ? straight : diagonal;
        to[LineThrough_STRAIGHT * stride] = straight;
        to[LineThrough_DIAGONALLY * stride] = diagonal;
    }
}

// What lies in each of four directions, straight or diagonal, near and far.
static void fill_sees(const Around *a, bool diagonal, uint8_t *to, size_t stride) {
    Plane seen;
    for (int k = 0; k < 4; k++) {
        see_tight(a, SEEN_COLORS, (k < 2 ? k : k + 2) + 2 * diagonal, seen);
        for (int c = 0; c < 10; c++) {
            uint8_t *has = to + (size_t)(10 * k + c) * stride;
            for (int n = 0; n < a->h * a->w; n++) has[n] = (uint8_t)((seen[n] >> c & 1) + 1);
        }
    }
}

// ---- Runs ----

// The largest square of one colour that ends at each cell, then the largest that holds it.
static void squares(const Around *a, uint8_t *largest) {
    uint8_t ends[GRID_TASK_SIDE][GRID_TASK_SIDE];
    memset(largest, 0, (size_t)(a->h * a->w));
    for (int i = 0; i < a->h; i++)
        for (int j = 0; j < a->w; j++) {
            const uint8_t *own = cell_at(a, i, j), *up = own - a->pitch;
            int side = 1;
            if (*up == *own && own[-1] == *own && up[-1] == *own) {
                side = ends[i - 1][j] < ends[i][j - 1] ? ends[i - 1][j] : ends[i][j - 1];
                if (ends[i - 1][j - 1] < side) side = ends[i - 1][j - 1];
                side++;
            }
            ends[i][j] = (uint8_t)side;
            for (int y = i - side + 1; y <= i; y++)
                for (int x = j - side + 1; x <= j; x++)
                    if (largest[y * a->w + x] < side) largest[y * a->w + x] = (uint8_t)side;
        }
}

static void fill_run(const Around *a, uint8_t *to, size_t stride) {
    uint8_t largest[GRID_TASK_SIDE * GRID_TASK_SIDE];
    Plane run[4];
    squares(a, largest);
    for (int k = 0; k < 4; k++) see_tight(a, SEEN_RUN, k < 2 ? k : k + 2, run[k]);
    for (size_t cell = 0; cell < (size_t)(a->h * a->w); cell++) {
        int down = run[0][cell] + run[2][cell] + 1, across = run[1][cell] + run[3][cell] + 1;
        SET(PLACE(ROW_RUN), across);
        SET(PLACE(COLUMN_RUN), down);
        SET(PLACE(SHORTER_RUN), across < down ? across : down);
        SET(PLACE(LONGER_RUN), across > down ? across : down);
        SET(PLACE(LARGEST_SQUARE), largest[cell]);
        SET(PLACE(RUN_IS_WIDE), across > down);
    }
}

bool cell_fill_around(const CellScene *s, FeatureFamily family, uint8_t *to, size_t stride) {
    Around a;
    look_around(s, &a);
    switch (family) {
    case FAMILY_near: fill_near(&a, to, stride); break;
    case FAMILY_near_count: fill_near_count(&a, to, stride); break;
    case FAMILY_near_has: fill_near_has(&a, to, stride); break;
    case FAMILY_near_full: fill_near_full(&a, to, stride); break;
    case FAMILY_near_color: fill_near_color(&a, to, stride); break;
    case FAMILY_far: fill_far(&a, to, stride); break;
    case FAMILY_ray: fill_rays(&a, SEEN_COLOR, to, stride); break;
    case FAMILY_ray_other: fill_rays(&a, SEEN_OTHER, to, stride); break;
    case FAMILY_ray_distance: fill_rays(&a, SEEN_DISTANCE, to, stride); break;
    case FAMILY_ray_count: fill_rays(&a, SEEN_FULL, to, stride); break;
    case FAMILY_ray_both: fill_ray_both(&a, to, stride); break;
    case FAMILY_sees: fill_sees(&a, false, to, stride); break;
    case FAMILY_sees_diagonal: fill_sees(&a, true, to, stride); break;
    case FAMILY_run: fill_run(&a, to, stride); break;
    default: return false;
    }
    return true;
}
