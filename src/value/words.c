// Sets of locations and of cells as sorted 32-bit words.
//
// Workload: 1 to 900 words, mostly sorted already or sorted but for a few runs (a shifted, mirrored or merged
// patch). What lies in a box that is not too large, which is nearly everything, is sorted through a bitmap for each
// colour: one pass to set bits, one to read them out, repetitions gone on the way. What is scattered too widely
// takes a radix sort.
#include "value/value.h"

enum { BITMAP_WORDS = 1024, FEW_WORDS = 12 };

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

// The box around locations, and the colours that occur.
typedef struct {
    uint32_t top, bottom, left, right;
    uint32_t colors;
    uint8_t place[256]; // of a colour that occurs: how many do before it, + 1
} Extent;

static void find_extent(Extent *e, const uint32_t *words, size_t n) {
    uint32_t top = UINT32_MAX, bottom = 0, left = UINT32_MAX, right = 0, differ = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = word_loc(words[k]), j = words[k] & 0xFFF;
        top = i < top ? i : top;
        bottom = i > bottom ? i : bottom;
        left = j < left ? j : left;
        right = j > right ? j : right;
        differ |= words[k] ^ words[0];
    }
    *e = (Extent){.top = top >> 12, .bottom = bottom >> 12, .left = left, .right = right, .colors = 1};
    if (differ < 1 << 24) return;
    for (size_t k = 0; k < n; k++) e->place[words[k] >> 24] = 1;
    e->colors = 0;
    for (int v = 0; v < 256; v++)
        if (e->place[v]) e->place[v] = (uint8_t)e->colors++;
}

// Sorts words through bitmaps of the box around them, one for each colour, dropping repeated ones. Returns how many
// are left, 0 where the bitmaps would be too large.
static size_t bitmap_sort(uint32_t *words, size_t n) {
    Extent e;
    find_extent(&e, words, n);
    uint32_t stride = (e.right - e.left) / 64 + 1, rows = e.bottom - e.top + 1, page = stride * rows;
    if (page * e.colors > BITMAP_WORDS || page * e.colors > 8 * n) return 0;
    uint64_t bits[BITMAP_WORDS];
    uint32_t color[256];
    memset(bits, 0, page * e.colors * sizeof *bits);
    for (size_t k = 0; k < n; k++) {
        uint32_t v = words[k] >> 24, j = (words[k] & 0xFFF) - e.left;
        uint32_t at = e.place[v] * page + ((word_loc(words[k]) >> 12) - e.top) * stride + j / 64;
        bits[at] |= 1ULL << j % 64;
        color[e.place[v]] = v << 24;
    }
    size_t count = 0;
    uint64_t *next = bits;
    for (uint32_t v = 0; v < e.colors; v++)
        for (uint32_t r = 0; r < rows; r++)
            for (uint32_t s = 0; s < stride; s++, next++) {
                uint32_t start = color[v] | (e.top + r) << 12 | (e.left + 64 * s);
                for (uint64_t b = *next; b; b &= b - 1) words[count++] = start + (uint32_t)__builtin_ctzll(b);
            }
    return count;
}

Value words_finish(Ctx *c, Obj *o, size_t n) {
    if (c->failure) return VALUE_FAILED;
    uint32_t *words = words_of(o);
    size_t sorted = 1;
    while (sorted < n && words[sorted - 1] < words[sorted]) sorted++;
    if (sorted >= n) return words_finish_sorted(c, o, n);
    if (n > FEW_WORDS) {
        if (!ctx_charge(c, (int64_t)n)) return VALUE_FAILED;
        size_t kept = bitmap_sort(words, n);
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
