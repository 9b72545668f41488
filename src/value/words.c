// Sets of locations and of cells as sorted 32-bit words.
//
// Workload: 1 to 900 words, mostly sorted already or sorted but for a few runs (a shifted, mirrored or merged
// patch). Locations inside a 64 by 64 box, which is nearly all of them, are sorted through a bitmap: one pass
// to set bits, one to read them out, repetitions gone on the way. Anything else takes a radix sort.
#include "value/value.h"

enum { BITMAP_SIDE = 64, FEW_WORDS = 12 };

Obj *words_new(Ctx *c, Kind kind, size_t most) {
    if (most > VALUE_MOST_WEIGHT / 8) {
        ctx_fail(c, TS_FAIL_BUDGET);
        return NULL;
    }
    Obj *o = ctx_alloc(c, sizeof *o + most * sizeof(uint32_t));
    if (o) *o = (Obj){.kind = (uint8_t)kind, .depth = kind == KIND_LOCS ? 2 : 3};
    return o;
}

Value words_finish_sorted(Ctx *c, Obj *o, size_t n) {
    if (c->failure) return VALUE_FAILED;
    if (n == 0) return VALUE_NO_SET;
    o->n = (uint32_t)n;
    return value_of_obj(o);
}

// Sorts by bytes, lowest first; bytes that are the same everywhere cost nothing.
static void radix_sort(uint32_t *words, uint32_t *other, size_t n) {
    uint32_t *from = words, *to = other;
    for (int shift = 0; shift < 32; shift += 8) {
        size_t start[257] = {0};
        for (size_t k = 0; k < n; k++) start[(from[k] >> shift & 255) + 1]++;
        if (start[(from[0] >> shift & 255) + 1] == n) continue;
        for (int b = 0; b < 256; b++) start[b + 1] += start[b];
        for (size_t k = 0; k < n; k++) to[start[from[k] >> shift & 255]++] = from[k];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != words) memcpy(words, from, n * sizeof *words);
}

static void insertion_sort(uint32_t *words, size_t n) {
    for (size_t k = 1; k < n; k++) {
        uint32_t w = words[k];
        size_t at = k;
        for (; at > 0 && words[at - 1] > w; at--) words[at] = words[at - 1];
        words[at] = w;
    }
}

// Sorts locations that lie in a small box, dropping repeated ones. Returns how many are left, 0 where the box
// is too large.
static size_t bitmap_sort(uint32_t *words, size_t n) {
    uint32_t top = UINT32_MAX, bottom = 0, left = UINT32_MAX, right = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = words[k] >> 12, j = words[k] & 0xFFF;
        top = i < top ? i : top;
        bottom = i > bottom ? i : bottom;
        left = j < left ? j : left;
        right = j > right ? j : right;
    }
    if (bottom - top >= BITMAP_SIDE || right - left >= BITMAP_SIDE) return 0;
    uint64_t rows[BITMAP_SIDE];
    memset(rows, 0, (bottom - top + 1) * sizeof *rows);
    for (size_t k = 0; k < n; k++) rows[(words[k] >> 12) - top] |= 1ULL << ((words[k] & 0xFFF) - left);
    size_t out = 0;
    for (uint32_t r = 0; r <= bottom - top; r++)
        for (uint64_t bits = rows[r]; bits; bits &= bits - 1)
            words[out++] = (top + r) << 12 | (left + (uint32_t)__builtin_ctzll(bits));
    return out;
}

Value words_finish(Ctx *c, Obj *o, size_t n) {
    if (c->failure) return VALUE_FAILED;
    uint32_t *words = words_of(o);
    size_t sorted = 1;
    while (sorted < n && words[sorted - 1] < words[sorted]) sorted++;
    if (sorted >= n) return words_finish_sorted(c, o, n);
    if (n > FEW_WORDS) {
        if (!ctx_charge(c, (int64_t)n)) return VALUE_FAILED;
        size_t kept = o->kind == KIND_LOCS ? bitmap_sort(words, n) : 0;
        if (kept) return words_finish_sorted(c, o, kept);
        uint32_t *other = ctx_alloc(c, n * sizeof *other);
        if (!other) return VALUE_FAILED;
        radix_sort(words, other, n);
    } else {
        insertion_sort(words, n);
    }
    size_t kept = 1;
    for (size_t k = 1; k < n; k++)
        if (words[k] != words[kept - 1]) words[kept++] = words[k];
    return words_finish_sorted(c, o, kept);
}

bool words_contain(const Obj *o, uint32_t word) {
    const uint32_t *words = obj_words(o);
    uint32_t low = 0, high = o->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (words[middle] < word) low = middle + 1;
        else high = middle;
    }
    return low < o->n && words[low] == word;
}

bool words_unite(Ctx *c, const Value *sets, size_t n, Value *united) {
    size_t total = 0;
    int kind = -1;
    for (size_t k = 0; k < n; k++) {
        if (value_same(sets[k], VALUE_NO_SET)) continue;
        if (!value_is(sets[k], KIND_LOCS) && !value_is(sets[k], KIND_CELLS)) return false;
        if (kind >= 0 && value_obj(sets[k])->kind != kind) return false;
        kind = value_obj(sets[k])->kind;
        total += value_obj(sets[k])->n;
    }
    if (kind < 0) return false;
    *united = VALUE_FAILED;
    Obj *o = ctx_charge(c, (int64_t)total / 2) ? words_new(c, (Kind)kind, total) : NULL;
    if (!o) return true;
    uint32_t *out = words_of(o);
    for (size_t k = 0; k < n; k++) {
        const Obj *set = value_obj(sets[k]);
        memcpy(out, obj_words(set), set->n * sizeof *out);
        out += set->n;
    }
    *united = words_finish(c, o, total);
    return true;
}
