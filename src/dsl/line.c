// Neighbours, lines and frames: locations that are laid out by rule.
//
// Workload: single locations, lines of up to 43, frames and boxes of up to 900 locations around patches of 1
// to 200 words. The fast paths write the words in sorted order, straight into the result. The plain paths
// gather pairs of any integers; their ranges may be of any length, so they are paid for in advance.
#include "dsl/patch.h"

#include <stdlib.h>

// ---- Ranges of any length ----

static const int64_t LONGEST = (int64_t)1 << 40; // more than anyone can pay for

static int64_t span(int64_t start, int64_t end) {
    int64_t n;
    if (end <= start) return 0;
    return __builtin_sub_overflow(end, start, &n) || n > LONGEST ? LONGEST : n;
}

// Pays for n times m locations before the first is made, so that too long a range costs no time.
static bool pay_for(Ctx *c, int64_t n, int64_t m) {
    return !c->failure && ctx_charge(c, 2 * (m > 0 && n > LONGEST / m ? LONGEST : n * m));
}

// ---- Neighbours ----

enum { WEST = -1, EAST = 1, NORTH = -LOC_LIMIT, SOUTH = LOC_LIMIT };

// The words at these offsets, given in ascending order.
static Value words_around(Ctx *c, uint32_t word, const int *offsets, int n) {
    Obj *o = packed_new(c, KIND_LOCS, (size_t)n);
    if (!o) return VALUE_FAILED;
    for (int k = 0; k < n; k++) packed_of(o)[k] = word + (uint32_t)offsets[k];
    return packed_finish_sorted(c, o, (size_t)n);
}

static bool is_inner_loc(const Ctx *c, Value v) {
    if (c->plain || !value_is_loc(v)) return false;
    uint32_t i = value_word(v) >> 12, j = value_word(v) & 0xFFF;
    return i - 1 < LOC_LIMIT - 2 && j - 1 < LOC_LIMIT - 2;
}

static void gather_point(Gather *g, int64_t i, int64_t j, int di, int dj) {
    gather_add(g, value_loc(g->c, int_add(g->c, i, di), int_add(g->c, j, dj)));
}

static void gather_around(Gather *g, Value loc, bool beside, bool diagonal) {
    int64_t i = need_int(g->c, value_item(g->c, loc, 0)), j = need_int(g->c, value_item(g->c, loc, 1));
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
            if ((di != 0 && dj != 0) ? diagonal : (di != dj && beside)) gather_point(g, i, j, di, dj);
}

OP_FN(dneighbors) {
    static const int offsets[] = {NORTH, WEST, EAST, SOUTH};
    if (is_inner_loc(c, a[0])) return words_around(c, value_word(a[0]), offsets, 4);
    Gather g = gather(c);
    gather_around(&g, a[0], true, false);
    return gather_set(&g);
}

OP_FN(ineighbors) {
    static const int offsets[] = {NORTH + WEST, NORTH + EAST, SOUTH + WEST, SOUTH + EAST};
    if (is_inner_loc(c, a[0])) return words_around(c, value_word(a[0]), offsets, 4);
    Gather g = gather(c);
    gather_around(&g, a[0], false, true);
    return gather_set(&g);
}

OP_FN(neighbors) {
    static const int offsets[] = {NORTH + WEST, NORTH,        NORTH + EAST, WEST,
                                  EAST,         SOUTH + WEST, SOUTH,        SOUTH + EAST};
    if (is_inner_loc(c, a[0])) return words_around(c, value_word(a[0]), offsets, 8);
    Gather g = gather(c);
    gather_around(&g, a[0], true, true);
    return gather_set(&g);
}

static Value corners_of(Ctx *c, Box b) {
    Obj *o = packed_new(c, KIND_LOCS, 4);
    if (!o) return VALUE_FAILED;
    uint32_t *to = packed_of(o);
    *to++ = loc_word(b.top, b.left);
    if (b.right > b.left) *to++ = loc_word(b.top, b.right);
    if (b.bottom > b.top) *to++ = loc_word(b.bottom, b.left);
    if (b.bottom > b.top && b.right > b.left) *to++ = loc_word(b.bottom, b.right);
    return packed_finish_sorted(c, o, (size_t)(to - packed_of(o)));
}

OP_FN(corners) {
    const Obj *o = patch_loose(c, a[0]);
    if (o) return ctx_charge(c, o->n / 4) ? corners_of(c, patch_box(o)) : VALUE_FAILED;
    Gather g = gather(c);
    gather_add(&g, CALL(ulcorner, a[0]));
    gather_add(&g, CALL(urcorner, a[0]));
    gather_add(&g, CALL(llcorner, a[0]));
    gather_add(&g, CALL(lrcorner, a[0]));
    return gather_set(&g);
}

// ---- Lines ----

// The line between two locations, none where it is not straight.
static Value line_of_words(Ctx *c, uint32_t a, uint32_t b) {
    uint32_t first = a < b ? a : b, last = a < b ? b : a;
    int down = word_i(last) - word_i(first), right = word_j(last) - word_j(first);
    if (down != 0 && right != 0 && abs(right) != down) return VALUE_NO_SET;
    int steps = down != 0 ? down : right;
    uint32_t step = steps > 0 ? (last - first) / (uint32_t)steps : 1;
    Obj *o = packed_new(c, KIND_LOCS, (size_t)steps + 1);
    if (!o) return VALUE_FAILED;
    patch_steps(packed_of(o), first, step, (size_t)steps + 1);
    return packed_finish_sorted(c, o, (size_t)steps + 1);
}

// The same for any integers; (ai, aj) comes before (bi, bj) in sorted order.
static Value line_of_points(Ctx *c, int64_t ai, int64_t aj, int64_t bi, int64_t bj) {
    int64_t down = int_subtract(c, bi, ai), right = int_subtract(c, bj, aj);
    Gather g = gather(c);
    bool is_straight = down == 0 || right == 0 || right == down || right == -down;
    if (c->failure || !is_straight) return VALUE_NO_SET;
    int64_t steps = down != 0 ? down : right;
    int di = down > 0, dj = (right > 0) - (right < 0);
    if (!pay_for(c, span(0, steps), 1)) return VALUE_FAILED;
    for (int64_t k = 0; k <= steps && !c->failure; k++)
        gather_add(&g, value_loc(c, ai + k * di, aj + k * dj));
    return gather_set(&g);
}

OP_FN(connect) {
    if (!c->plain && value_is_loc(a[0]) && value_is_loc(a[1]))
        return line_of_words(c, value_word(a[0]), value_word(a[1]));
    int64_t ai, aj, bi, bj;
    if (!unpack_ints(c, a[0], &ai, &aj) || !unpack_ints(c, a[1], &bi, &bj)) return VALUE_FAILED;
    bool in_order = ai < bi || (ai == bi && aj <= bj);
    return in_order ? line_of_points(c, ai, aj, bi, bj) : line_of_points(c, bi, bj, ai, aj);
}

// Two sets of locations in a box of 64 by 64: a bit for each of theirs.
typedef struct {
    uint64_t a[64], b[64];
    Box box;
} TwoSets;

// Adds all lines from a location to later ones, shortest first, those to the right before those below. They
// begin in the one set and end in the other; `lengths` has a bit for each line in a direction.
static void lines_from(Gather *g, const TwoSets *s, uint32_t word, bool in_a, bool in_b) {
    static const uint32_t step[] = {(uint32_t)EAST, (uint32_t)(SOUTH + WEST), (uint32_t)SOUTH,
                                    (uint32_t)(SOUTH + EAST)};
    const uint64_t use_a = in_b ? ~0ULL : 0, use_b = in_a ? ~0ULL : 0;
    const int top = word_i(word) - s->box.top, left = word_j(word) - s->box.left;
    uint64_t lengths[4] = {((s->a[top] & use_a) | (s->b[top] & use_b)) >> left & ~1ULL};
    for (int k = 1; k < box_height(s->box) - top; k++) {
        const uint64_t ends = (s->a[top + k] & use_a) | (s->b[top + k] & use_b);
        lengths[1] |= (k <= left ? ends >> (left - k) & 1 : 0) << k;
        lengths[2] |= (ends >> left & 1) << k;
        lengths[3] |= (left + k < 64 ? ends >> (left + k) & 1 : 0) << k;
    }
    if (in_a && in_b) lengths[0] |= 1; // the location itself
    for (int d = 0; d < 4; d++) {
        for (; lengths[d] && !g->c->failure; lengths[d] &= lengths[d] - 1) {
            const size_t n = (size_t)__builtin_ctzll(lengths[d]) + 1;
            Obj *o = packed_new(g->c, KIND_LOCS, n);
            if (!o) return;
            patch_steps(packed_of(o), word, step[d], n);
            gather_add(g, packed_finish_sorted(g->c, o, n));
        }
    }
}

// Whether two of the locations are not in one line. Nearly always the first ones are not.
static bool any_apart(Ctx *c, const Obj *a, const Obj *b) {
    for (uint32_t k = 0; k < a->n && ctx_charge(c, b->n); k++)
        for (uint32_t m = 0; m < b->n; m++) {
            const uint32_t p = obj_words(a)[k], q = obj_words(b)[m];
            const int down = word_i(p) - word_i(q), right = word_j(p) - word_j(q);
            if (down != 0 && right != 0 && down != right && down != -right) return true;
        }
    return false;
}

// From each location on, in their order, so that the lines come sorted.
bool patch_lines_between(Ctx *c, Value a, Value b, Value *lines) {
    if (c->plain || !value_is(a, KIND_LOCS) || !value_is(b, KIND_LOCS)) return false;
    const Obj *x = value_obj(a), *y = value_obj(b);
    const Box p = patch_box_paid(c, x), q = patch_box_paid(c, y);
    TwoSets s = {.box = {p.top < q.top ? p.top : q.top, p.left < q.left ? p.left : q.left,
                         p.bottom > q.bottom ? p.bottom : q.bottom, p.right > q.right ? p.right : q.right}};
    if (box_height(s.box) > 64 || box_width(s.box) > 64) return false;
    *lines = VALUE_FAILED;
    if (!ctx_charge(c, ((int64_t)x->n + y->n) * (8 + box_height(s.box)))) return true;
    patch_set_bits(s.a, x, s.box.top, s.box.left);
    patch_set_bits(s.b, y, s.box.top, s.box.left);
    Gather g = gather(c);
    if (any_apart(c, x, y)) gather_add(&g, VALUE_NO_SET);
    const uint32_t *u = obj_words(x), *v = obj_words(y), *u_end = u + x->n, *v_end = v + y->n;
    while ((u < u_end || v < v_end) && !c->failure) {
        const uint32_t word = v == v_end || (u < u_end && *u < *v) ? *u : *v;
        const bool in_a = u < u_end && *u == word, in_b = v < v_end && *v == word;
        lines_from(&g, &s, word, in_a, in_b);
        u += in_a;
        v += in_b;
    }
    *lines = value_set_sorted(c, g.items, g.n);
    return true;
}

OP_FN(shoot) {
    enum { REACH = 42 };
    if (!c->plain && value_is_loc(a[0]) && value_is_loc(a[1])) {
        uint32_t start = value_word(a[0]), direction = value_word(a[1]);
        int i = word_i(start) + REACH * word_i(direction), j = word_j(start) + REACH * word_j(direction);
        if (fits_loc(i, j)) return line_of_words(c, start, loc_word(i, j));
    }
    int64_t end[2];
    for (int k = 0; k < 2; k++) {
        int64_t from = need_int(c, value_item(c, a[0], k)), way = need_int(c, value_item(c, a[1], k));
        end[k] = int_add(c, from, int_multiply(c, REACH, way));
    }
    if (c->failure) return VALUE_FAILED;
    return CALL(connect, a[0], value_loc(c, end[0], end[1]));
}

enum { FRONTIER = 30 };

static Value frontier_of_words(Ctx *c, uint32_t first, uint32_t step) {
    Obj *o = packed_new(c, KIND_LOCS, FRONTIER);
    if (!o) return VALUE_FAILED;
    patch_steps(packed_of(o), first, step, FRONTIER);
    return packed_finish_sorted(c, o, FRONTIER);
}

OP_FN(vfrontier) {
    if (!c->plain && value_is_loc(a[0]))
        return frontier_of_words(c, loc_word(0, word_j(value_word(a[0]))), LOC_LIMIT);
    Gather g = gather(c);
    Value column = value_item(c, a[0], 1);
    for (int i = 0; i < FRONTIER && !c->failure; i++)
        gather_add(&g, value_pair(c, value_of_small(i), column));
    return gather_set(&g);
}

OP_FN(hfrontier) {
    if (!c->plain && value_is_loc(a[0]))
        return frontier_of_words(c, loc_word(word_i(value_word(a[0])), 0), 1);
    Gather g = gather(c);
    Value row = value_item(c, a[0], 0);
    for (int j = 0; j < FRONTIER && !c->failure; j++) gather_add(&g, value_pair(c, row, value_of_small(j)));
    return gather_set(&g);
}

// ---- Boxes ----

static Value words_of_box(Ctx *c, Box b) {
    size_t n = (size_t)box_height(b) * (size_t)box_width(b);
    Obj *o = packed_new(c, KIND_LOCS, n);
    if (!o) return VALUE_FAILED;
    uint32_t *to = packed_of(o);
    for (int i = b.top; i <= b.bottom; i++) to = patch_run(to, loc_word(i, b.left), (size_t)box_width(b));
    return packed_finish_sorted(c, o, n);
}

OP_FN(backdrop) {
    const Obj *o = patch_loose(c, a[0]);
    if (o) return ctx_charge(c, o->n / 4) ? words_of_box(c, patch_box(o)) : VALUE_FAILED;
    if (value_length(c, a[0]) == 0) return VALUE_NO_SET;
    Value top, left, bottom, right;
    Value indices = CALL(toindices, a[0]);
    if (c->failure) return VALUE_FAILED;
    unpack_two(c, CALL(ulcorner, indices), &top, &left);
    unpack_two(c, CALL(lrcorner, a[0]), &bottom, &right);
    int64_t i = need_int(c, top), i_end = int_add(c, need_int(c, bottom), 1);
    if (c->failure || i >= i_end) return VALUE_NO_SET; // without rows Python does not look at the columns
    int64_t start = need_int(c, left), j_end = int_add(c, need_int(c, right), 1);
    if (start >= j_end || !pay_for(c, span(i, i_end), span(start, j_end))) return VALUE_NO_SET;
    Gather g = gather(c);
    for (; i < i_end && !c->failure; i++)
        for (int64_t j = start; j < j_end && !c->failure; j++) gather_add(&g, value_loc(c, i, j));
    return gather_set(&g);
}

// The locations of a box of at most 64 columns that are not among sorted words.
static Value words_left_free(Ctx *c, const Obj *patch, Box b) {
    const uint32_t *word = obj_words(patch), *end = word + patch->n;
    size_t most = (size_t)box_height(b) * (size_t)box_width(b) - patch->n;
    if (most == 0) return VALUE_NO_SET;
    Obj *o = packed_new(c, KIND_LOCS, most);
    if (!o || !ctx_charge(c, patch->n)) return VALUE_FAILED;
    uint32_t *to = packed_of(o);
    for (int i = b.top; i <= b.bottom; i++) {
        uint64_t is_free = ~0ULL >> (64 - box_width(b));
        uint32_t first = loc_word(i, b.left), next = loc_word(i, b.right) + 1;
        for (; word < end && word_loc(*word) < next; word++) is_free &= ~(1ULL << (word_loc(*word) - first));
        for (; is_free; is_free &= is_free - 1) *to++ = first + (uint32_t)__builtin_ctzll(is_free);
    }
    return packed_finish_sorted(c, o, most);
}

OP_FN(delta) {
    // Cells in a tuple are a set once the colours are left out; of locations in a tuple there is no
    // difference.
    const Obj *o = patch_fast(c, a[0]);
    if (!o || !patch_is_flat(o)) {
        Value indices = CALL(toindices, a[0]);
        o = value_is(indices, KIND_LOCS) ? patch_fast(c, indices) : NULL; // cells of cells give cells
    }
    if (o) {
        Box b = patch_box_paid(c, o);
        if (box_width(b) <= 64) return words_left_free(c, o, b);
    }
    if (value_length(c, a[0]) == 0) return VALUE_NO_SET;
    Value whole = CALL(backdrop, a[0]);
    if (c->failure) return VALUE_FAILED;
    Value indices = CALL(toindices, a[0]);
    return c->failure ? VALUE_FAILED : py_subtract(c, whole, indices);
}

// ---- Frames ----

// The frame of a box whose corners may be given the wrong way round.
static Value words_of_frame(Ctx *c, Box b) {
    int top = b.top < b.bottom ? b.top : b.bottom, bottom = b.top + b.bottom - top;
    int left = b.left < b.right ? b.left : b.right, right = b.left + b.right - left;
    size_t height = (size_t)(bottom - top) + 1, width = (size_t)(right - left) + 1;
    Obj *o = packed_new(c, KIND_LOCS, 2 * (height + width));
    if (!o) return VALUE_FAILED;
    uint32_t *to = patch_run(packed_of(o), loc_word(top, left), width);
    for (int i = top + 1; i < bottom; i++) {
        *to++ = loc_word(i, left);
        if (right > left) *to++ = loc_word(i, right);
    }
    if (bottom > top) to = patch_run(to, loc_word(bottom, left), width);
    return packed_finish_sorted(c, o, (size_t)(to - packed_of(o)));
}

// The same for any integers.
static Value frame_of_points(Ctx *c, int64_t top, int64_t left, int64_t bottom, int64_t right) {
    int64_t i = top < bottom ? top : bottom, i_end = int_add(c, top < bottom ? bottom : top, 1);
    int64_t j = left < right ? left : right, j_end = int_add(c, left < right ? right : left, 1);
    if (!pay_for(c, span(i, i_end) + span(j, j_end), 2)) return VALUE_FAILED;
    Gather g = gather(c);
    for (int64_t k = i; k < i_end && !c->failure; k++) {
        gather_add(&g, value_loc(c, k, j));
        gather_add(&g, value_loc(c, k, j_end - 1));
    }
    for (int64_t k = j; k < j_end && !c->failure; k++) {
        gather_add(&g, value_loc(c, i, k));
        gather_add(&g, value_loc(c, i_end - 1, k));
    }
    return gather_set(&g);
}

OP_FN(box) {
    const Obj *o = patch_loose(c, a[0]);
    if (o) return ctx_charge(c, o->n / 4) ? words_of_frame(c, patch_box(o)) : VALUE_FAILED;
    if (value_length(c, a[0]) == 0) return a[0];
    int64_t top, left, bottom, right;
    if (!unpack_ints(c, CALL(ulcorner, a[0]), &top, &left)) return VALUE_FAILED;
    if (!unpack_ints(c, CALL(lrcorner, a[0]), &bottom, &right)) return VALUE_FAILED;
    return frame_of_points(c, top, left, bottom, right);
}

// The frame that lies `further` locations outside of the patch's own.
static Value frame_around(Ctx *c, Value patch, int further) {
    const Obj *o = patch_loose(c, patch);
    if (o) {
        Box b = patch_box(o);
        b = (Box){b.top - further, b.left - further, b.bottom + further, b.right + further};
        if (!ctx_charge(c, o->n / 4)) return VALUE_FAILED;
        if (fits_loc(b.top, b.left) && fits_loc(b.bottom, b.right)) return words_of_frame(c, b);
    }
    int64_t top = int_subtract(c, need_int(c, CALL(uppermost, patch)), further);
    int64_t left = int_subtract(c, need_int(c, CALL(leftmost, patch)), further);
    int64_t bottom = int_add(c, need_int(c, CALL(lowermost, patch)), further);
    int64_t right = int_add(c, need_int(c, CALL(rightmost, patch)), further);
    return c->failure ? VALUE_FAILED : frame_of_points(c, top, left, bottom, right);
}

OP_FN(inbox) { return frame_around(c, a[0], -1); }

OP_FN(outbox) { return frame_around(c, a[0], 1); }
