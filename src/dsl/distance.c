// Where two patches lie to each other: direction, shared rows and columns, distance, touching.
//
// Workload: two patches of 1 to 200 words in and around a 30 by 30 grid.
//   rows, columns   a bit for each, in one word
//   distances       bitmaps of 64 by 64. `adjacent` and `gravitate` ask of each cell of the one patch, by a
//   shift,
//                   after how many steps it meets or touches the other; `manhattan` grows one patch until it
//                   meets the other
//   else            as Python does it: any tuples in any container, coordinates of 64 bits
#include <stdlib.h>

#include "dsl/patch.h"

typedef struct {
    int64_t i, j;
} Point;

static Point box_center(Box b) { return (Point){b.top + box_height(b) / 2, b.left + box_width(b) / 2}; }

static int least(int a, int b) { return a < b ? a : b; }
static int greatest(int a, int b) { return a > b ? a : b; }

static Point plain_center(Ctx *c, Value patch) {
    Point p;
    Value indices = CALL(toindices, patch);
    if (c->failure) return (Point){0};
    unpack_ints(c, CALL(center, indices), &p.i, &p.j);
    return p;
}

OP_FN(position) {
    const Obj *x = patch_paid(c, a[0]), *y = patch_paid(c, a[1]);
    Point p = x ? box_center(patch_box(x)) : plain_center(c, a[0]);
    Point q = y ? box_center(patch_box(y)) : plain_center(c, a[1]);
    int i = p.i < q.i ? 1 : -1, j = p.j < q.j ? 1 : -1;
    if (p.i == q.i) return value_loc(c, 0, j);
    return value_loc(c, i, p.j == q.j ? 0 : j);
}

// ---- Shared rows and columns ----

enum { BITS = 64 };

// Whether the patches have a row (shift 12) or a column (shift 0) in common. Those of the first begin at
// `low` and span at most 64.
static bool share_coordinate(Ctx *c, const Obj *a, const Obj *b, int shift, int low) {
    uint64_t in_a = 0, in_b = 0;
    if (!ctx_charge(c, (int64_t)a->n + b->n)) return false;
    uint32_t base = (uint32_t)(low + LOC_BIAS);
    for (uint32_t k = 0; k < a->n; k++) in_a |= 1ULL << ((obj_words(a)[k] >> shift & 0xFFF) - base);
    for (uint32_t k = 0; k < b->n; k++) {
        uint32_t bit = (obj_words(b)[k] >> shift & 0xFFF) - base;
        in_b |= (uint64_t)(bit < BITS) << (bit & (BITS - 1));
    }
    return (in_a & in_b) != 0;
}

// Rows for k = 0, columns for k = 1.
static Value plain_matching(Ctx *c, const Value *a, int k) {
    Gather x = gather(c), y = gather(c);
    Value e;
    gather_all(&x, patch_coordinates(c, a[0], k));
    gather_all(&y, patch_coordinates(c, a[1], k));
    Value in_a = gather_set(&x), in_b = gather_set(&y);
    for (Iter it = iter(c, in_a); iter_next(&it, &e);)
        if (value_contains(c, in_b, e)) return value_bool(true);
    return value_bool(false);
}

OP_FN(hmatching) {
    const Obj *x = patch_paid(c, a[0]), *y = patch_paid(c, a[1]);
    int top, bottom;
    if (!x || !y) return plain_matching(c, a, 0);
    patch_rows(x, &top, &bottom);
    return bottom - top < BITS ? value_bool(share_coordinate(c, x, y, 12, top)) : plain_matching(c, a, 0);
}

OP_FN(vmatching) {
    const Obj *x = patch_paid(c, a[0]), *y = patch_paid(c, a[1]);
    int left, right;
    if (!x || !y) return plain_matching(c, a, 1);
    patch_columns(x, &left, &right);
    return right - left < BITS ? value_bool(share_coordinate(c, x, y, 0, left)) : plain_matching(c, a, 1);
}

// ---- Distances ----

static int distance(uint32_t a, uint32_t b) {
    return abs(word_i(a) - word_i(b)) + abs(word_j(a) - word_j(b));
}

static Value manhattan_of_pairs(Ctx *c, const Obj *a, const Obj *b) {
    int best = INT32_MAX;
    for (uint32_t k = 0; k < a->n && ctx_charge(c, b->n); k++)
        for (uint32_t m = 0; m < b->n; m++) best = least(best, distance(obj_words(a)[k], obj_words(b)[m]));
    return value_of_small(best);
}

void patch_set_bits(uint64_t *rows, const Obj *o, int top, int left) {
    for (uint32_t k = 0; k < o->n; k++)
        rows[word_i(obj_words(o)[k]) - top] |= 1ULL << (word_j(obj_words(o)[k]) - left);
}

// Grows a by one step in the four directions until it meets b. A shortest way never leaves the box around
// both.
static Value manhattan_of_bits(Ctx *c, const Obj *a, const Obj *b, Box both) {
    uint64_t grown[BITS + 1], goal[BITS];
    int height = box_height(both);
    memset(grown, 0, (size_t)(height + 1) * sizeof *grown);
    memset(goal, 0, (size_t)height * sizeof *goal);
    patch_set_bits(grown, a, both.top, both.left);
    patch_set_bits(goal, b, both.top, both.left);
    for (int steps = 0; ctx_charge(c, height); steps++) {
        uint64_t met = 0, above = 0;
        for (int r = 0; r < height; r++) {
            uint64_t here = grown[r];
            met |= here & goal[r];
            grown[r] = here | here << 1 | here >> 1 | above | grown[r + 1];
            above = here;
        }
        if (met) return value_of_small(steps);
    }
    return VALUE_FAILED;
}

static Value fast_manhattan(Ctx *c, const Obj *a, const Obj *b) {
    enum { FEW_PAIRS = 64 };
    if ((uint64_t)a->n * b->n <= FEW_PAIRS) return manhattan_of_pairs(c, a, b);
    Box x = patch_box(a), y = patch_box(b);
    Box both = {least(x.top, y.top), least(x.left, y.left), greatest(x.bottom, y.bottom),
                greatest(x.right, y.right)};
    bool is_small = box_height(both) <= BITS && box_width(both) <= BITS;
    return is_small ? manhattan_of_bits(c, a, b, both) : manhattan_of_pairs(c, a, b);
}

// A difference without its sign.
static int64_t gap(Ctx *c, int64_t a, int64_t b) {
    int64_t d = int_subtract(c, a, b);
    return d < 0 ? int_subtract(c, 0, d) : d;
}

// The locations of a patch, which must be pairs of integers.
static Point *points_of(Ctx *c, Value patch, int64_t *n) {
    Value indices = CALL(toindices, patch), e;
    *n = value_length(c, indices);
    Point *points = c->failure ? NULL : ctx_alloc(c, (size_t)*n * sizeof *points);
    int64_t k = 0;
    for (Iter it = iter(c, indices); iter_next(&it, &e); k++) unpack_ints(c, e, &points[k].i, &points[k].j);
    return points;
}

OP_FN(manhattan) {
    const Obj *x = patch_paid_loose(c, a[0]), *y = patch_paid_loose(c, a[1]);
    if (x && y) return fast_manhattan(c, x, y);
    int64_t n, m, best = INT64_MAX;
    const Point *p = points_of(c, a[0], &n), *q = points_of(c, a[1], &m);
    if (!c->failure && (n == 0 || m == 0)) ctx_fail(c, TS_FAIL_EMPTY);
    for (int64_t k = 0; k < n && !c->failure; k++) {
        for (int64_t l = 0; l < m && ctx_charge(c, 1); l++) {
            int64_t d = int_add(c, gap(c, p[k].i, q[l].i), gap(c, p[k].j, q[l].j));
            best = d < best ? d : best;
        }
    }
    return value_int(c, best);
}

// ---- Moving until two patches touch ----

typedef enum { DOWN, UP, RIGHT, LEFT } Heading;

// How far along the heading a location lies, and in which lane: the row or column that it keeps to.
static int along(Heading h, uint32_t word) {
    int x = h == DOWN || h == UP ? word_i(word) : word_j(word);
    return h == DOWN || h == RIGHT ? x : -x;
}
static int lane(Heading h, uint32_t word) { return h == DOWN || h == UP ? word_j(word) : word_i(word); }

// The lanes of a patch that fits 62 by 62 locations: in each a bit for every location along it that belongs
// to the patch, and for every one beside such a location. A margin of one is left on all sides.
typedef struct {
    uint64_t taken[BITS], beside[BITS];
    int first_lane, lanes, start; // bit 0 stands for `start` along the heading
} Lanes;

static void lanes_fill(Lanes *l, const Obj *o, Box b, Heading h) {
    bool is_vertical = h == DOWN || h == UP;
    l->first_lane = (is_vertical ? b.left : b.top) - 1;
    l->lanes = (is_vertical ? box_width(b) : box_height(b)) + 2;
    l->start = (h == DOWN ? b.top : h == UP ? -b.bottom : h == RIGHT ? b.left : -b.right) - 1;
    memset(l->taken, 0, (size_t)l->lanes * sizeof *l->taken);
    for (uint32_t k = 0; k < o->n; k++) {
        uint32_t word = obj_words(o)[k];
        l->taken[lane(h, word) - l->first_lane] |= 1ULL << (along(h, word) - l->start);
    }
    for (int k = 0; k < l->lanes; k++) {
        uint64_t before = k > 0 ? l->taken[k - 1] : 0, after = k + 1 < l->lanes ? l->taken[k + 1] : 0;
        l->beside[k] = l->taken[k] << 1 | l->taken[k] >> 1 | before | after;
    }
}

// Bit k becomes bit k - from; bits below 0 and above 63 are lost. Without branches, which would be hard to
// foresee.
static uint64_t seen_from(uint64_t bits, int from) {
    uint64_t ahead = from >= 0 && from < BITS ? bits : 0, behind = from < 0 && from > -BITS ? bits : 0;
    return ahead >> (from & (BITS - 1)) | behind << (-from & (BITS - 1));
}

// Bit t: whether a patch touches the one in the lanes, without lying on it, after t steps along the heading.
static uint64_t touches(const Lanes *l, const Obj *o, Heading h) {
    uint64_t on = 0, beside = 0;
    for (uint32_t k = 0; k < o->n; k++) {
        uint32_t word = obj_words(o)[k], number = (uint32_t)(lane(h, word) - l->first_lane);
        if (number >= (uint32_t)l->lanes) continue;
        int from = along(h, word) - l->start;
        on |= seen_from(l->taken[number], from);
        beside |= seen_from(l->beside[number], from);
    }
    return beside & ~on;
}

static bool fits_lanes(Box b) { return box_height(b) <= BITS - 2 && box_width(b) <= BITS - 2; }

// How far two intervals are apart, 0 if they overlap.
static int apart(int low, int high, int other_low, int other_high) {
    return greatest(0, greatest(other_low - high, low - other_high));
}

OP_FN(adjacent) {
    const Obj *x = patch_paid_loose(c, a[0]), *y = patch_paid_loose(c, a[1]);
    if (x && y) {
        Box p = patch_box(x), q = patch_box(y);
        if (apart(p.top, p.bottom, q.top, q.bottom) + apart(p.left, p.right, q.left, q.right) > 1)
            return value_bool(false);
        if (fits_lanes(q)) {
            Lanes l;
            if (!ctx_charge(c, (int64_t)x->n + y->n)) return VALUE_FAILED;
            lanes_fill(&l, y, q, DOWN);
            return value_bool(touches(&l, x, DOWN) & 1);
        }
    }
    return value_bool(value_equal(CALL(manhattan, a[0], a[1]), value_of_small(1)));
}

// ---- Moving towards each other ----

enum { MOST_STEPS = 42 };

// The heading from a to b: up or down where they share a column.
static Heading heading(bool vertical, Point a, Point b) {
    if (vertical) return a.i < b.i ? DOWN : UP;
    return a.j < b.j ? RIGHT : LEFT;
}

static Value steps_along(Ctx *c, Heading h, int steps) {
    switch (h) {
    case DOWN: return value_loc(c, steps, 0);
    case UP: return value_loc(c, -steps, 0);
    case RIGHT: return value_loc(c, 0, steps);
    default: return value_loc(c, 0, -steps);
    }
}

static Value fast_gravitate(Ctx *c, const Obj *source, Box from, const Obj *destination, Box to) {
    if (!ctx_charge(c, (int64_t)source->n + destination->n)) return VALUE_FAILED;
    bool vertical = share_coordinate(c, destination, source, 0, to.left);
    Heading h = heading(vertical, box_center(from), box_center(to));
    Lanes l;
    lanes_fill(&l, destination, to, h);
    uint64_t when = touches(&l, source, h);
    return steps_along(c, h, when ? least(__builtin_ctzll(when), MOST_STEPS) : MOST_STEPS);
}

static Value plain_gravitate(Ctx *c, Value source, Value destination) {
    Point p = {0}, q = {0};
    unpack_ints(c, CALL(center, source), &p.i, &p.j);
    if (c->failure) return VALUE_FAILED;
    unpack_ints(c, CALL(center, destination), &q.i, &q.j);
    if (c->failure) return VALUE_FAILED;
    Heading h = heading(py_truth(CALL(vmatching, source, destination)), p, q);
    Value step = steps_along(c, h, 1);
    int steps = 0;
    while (!c->failure && !py_truth(CALL(adjacent, source, destination)) && !c->failure &&
           steps < MOST_STEPS) {
        steps++;
        source = CALL(shift, source, step);
    }
    return steps_along(c, h, steps);
}

OP_FN(gravitate) {
    const Obj *x = patch_paid(c, a[0]), *y = patch_paid(c, a[1]);
    if (x && y) {
        Box from = patch_box(x), to = patch_box(y);
        if (fits_lanes(to)) return fast_gravitate(c, x, from, y, to);
    }
    return plain_gravitate(c, a[0], a[1]);
}
