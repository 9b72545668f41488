// Sets of locations and of cells as sorted 32-bit words.
//
// Workload: 1 to 20,000 words, mostly sorted already or sorted but for a few runs (a shifted, mirrored or
// merged patch). What lies in a box that is not too large, which is nearly everything, is sorted through a
// bitmap for each colour: one pass to set bits, one to read them out, repetitions gone on the way. What is
// scattered too widely takes a radix sort.
#include "value/bits.h"
#include "value/value.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

enum { BITMAP_WORDS = 4096, FEW_WORDS = 12, BLOCK = 8 }; // words that a loop takes at a time

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

// The box around locations, and the colours that occur: the lowest and the highest of each, as in the words.
typedef struct {
    uint32_t top, bottom, left, right, low, high;
} Extent;

static Extent extent_of(const uint32_t *words, size_t n) {
    uint32_t top = UINT32_MAX, bottom = 0, left = UINT32_MAX, right = 0, low = UINT32_MAX, high = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t w = words[k], i = word_loc(w), j = w & 0xFFF;
        top = i < top ? i : top;
        bottom = i > bottom ? i : bottom;
        left = j < left ? j : left;
        right = j > right ? j : right;
        low = w < low ? w : low;
        high = w > high ? w : high;
    }
    return (Extent){top >> 12, bottom >> 12, left, right, low >> 24, high >> 24};
}

// The bits that the mask selects closed up, and back. It selects the lowest of a colour and of a row, and
// those of a column from 64 on.
#ifdef __BMI2__
static uint32_t close_up(uint32_t word, uint32_t mask) { return _pext_u32(word, mask); }
static uint32_t spread_out(uint32_t closed, uint32_t mask) { return _pdep_u32(closed, mask); }
#else
static int columns_in(uint32_t mask) { return __builtin_popcount(mask & 0xFFF); }
static int rows_in(uint32_t mask) { return __builtin_popcount(mask & 0xFFF000); }
static uint32_t close_up(uint32_t word, uint32_t mask) {
    return (word >> 24 << rows_in(mask) | (word >> 12 & 0xFFF)) << columns_in(mask) | (word & 0xFFF) >> 6;
}
static uint32_t spread_out(uint32_t closed, uint32_t mask) {
    uint32_t row = closed >> columns_in(mask), color = row >> rows_in(mask);
    return color << 24 | (row << 12 & mask & 0xFFF000) | (closed << 6 & mask & 0xFFF);
}
#endif

// All bits up to the highest that is set.
static uint32_t bits_up_to(uint32_t n) { return n ? UINT32_MAX >> __builtin_clz(n) : 0; }

// Sets the bit of a word that is counted from the base of a bitmap.
static inline void set_bit(uint64_t *bits, uint32_t word, uint32_t mask) {
    bits[close_up(word, mask)] |= 1ULL << (word & 63);
}

// Sorts words through a bitmap, dropping repeated ones. Counted from the first corner of the box and the
// lowest colour, most bits of a word are always 0: the others closed up are its place in the bitmap. Returns
// how many are left, 0 where the bitmap would be too large.
static size_t bitmap_sort(uint32_t *words, size_t n) {
    const Extent e = extent_of(words, n);
    const uint32_t base = e.low << 24 | e.top << 12 | e.left;
    const uint32_t rows = bits_up_to(e.bottom - e.top), columns = bits_up_to(e.right - e.left) & ~63U;
    const uint32_t mask = bits_up_to(e.high - e.low) << 24 | rows << 12 | columns,
                   last = close_up(mask, mask);
    if (last >= BITMAP_WORDS || last >= 8 * n) return 0;
    uint64_t bits[BITMAP_WORDS];
    memset(bits, 0, (last + 1) * sizeof *bits);
    const uint32_t *from = words, *end = words + n;
    for (; end - from >= BLOCK; from += BLOCK)
        for (int k = 0; k < BLOCK; k++) set_bit(bits, from[k] - base, mask);
    for (; from < end; from++) set_bit(bits, *from - base, mask);
    uint32_t *to = words;
    for (uint32_t k = 0; k <= last; k++)
        if (bits[k]) to = bits_write_words(to, bits[k], base + spread_out(k, mask));
    return (size_t)(to - words);
}

// Words known not to be in order.
static Value finish_unsorted(Ctx *c, Obj *o, size_t n) {
    uint32_t *words = packed_of(o);
    if (n > FEW_WORDS) {
        if (!ctx_charge(c, (int64_t)n)) return VALUE_FAILED;
        size_t kept = bitmap_sort(words, n);
        if (kept) return packed_finish_sorted(c, o, kept);
        uint32_t *other = ctx_alloc(c, n * sizeof *other);
        if (!other) return VALUE_FAILED;
        radix_sort(words, other, n);
    } else {
        insertion_sort(words, n);
    }
    size_t kept = 1;
    for (size_t k = 1; k < n; k++)
        if (words[k] != words[kept - 1]) words[kept++] = words[k];
    return packed_finish_sorted(c, o, kept);
}

// In blocks, which the compiler compares many words at a time.
static bool is_sorted(const uint32_t *words, size_t n) {
    size_t k = 1;
    for (; k + BLOCK <= n; k += BLOCK) {
        uint32_t wrong = 0;
        for (size_t m = k; m < k + BLOCK; m++) wrong |= words[m - 1] >= words[m];
        if (wrong) return false;
    }
    for (; k < n; k++)
        if (words[k - 1] >= words[k]) return false;
    return true;
}

static Value build_finish(Ctx *c, Obj *o, size_t n) {
    if (c->failure) return VALUE_FAILED;
    return is_sorted(packed_of(o), n) ? packed_finish_sorted(c, o, n) : finish_unsorted(c, o, n);
}

Value packed_finish(Ctx *c, Obj *o, size_t n) {
    uint64_t start = profile_build(c->profile, BUILD_WORDS);
    Value result = build_finish(c, o, n);
    profile_built(c->profile, BUILD_WORDS, start);
    return result;
}

uint32_t packed_before(const Obj *o, uint64_t word) {
    const uint32_t *words = obj_words(o);
    uint32_t low = 0, high = o->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (words[middle] < word) low = middle + 1;
        else high = middle;
    }
    return low;
}

bool packed_contain(const Obj *o, uint32_t word) {
    uint32_t at = packed_before(o, word);
    return at < o->n && obj_words(o)[at] == word;
}

static bool build_unite(Ctx *c, const Value *sets, size_t n, Value *united) {
    size_t total = 0;
    int kind = -1;
    bool in_order = true; // whether each set ends before the next one begins
    uint32_t last = 0;
    for (size_t k = 0; k < n; k++) {
        if (value_same(sets[k], VALUE_NO_SET)) continue;
        if (!value_is(sets[k], KIND_LOCS) && !value_is(sets[k], KIND_CELLS)) return false;
        const Obj *set = value_obj(sets[k]);
        if (kind >= 0 && set->kind != kind) return false;
        in_order &= kind < 0 || last < obj_words(set)[0];
        last = obj_words(set)[set->n - 1];
        kind = set->kind;
        total += set->n;
    }
    if (kind < 0) return false;
    *united = VALUE_FAILED;
    Obj *o = ctx_charge(c, (int64_t)total / 2) ? packed_new(c, (Kind)kind, total) : NULL;
    if (!o) return true;
    uint32_t *out = packed_of(o);
    for (size_t k = 0; k < n; k++) {
        const Obj *set = value_obj(sets[k]);
        memcpy(out, obj_words(set), set->n * sizeof *out);
        out += set->n;
    }
    *united = in_order ? packed_finish_sorted(c, o, total) : finish_unsorted(c, o, total);
    return true;
}

bool packed_unite(Ctx *c, const Value *sets, size_t n, Value *united) {
    uint64_t start = profile_build(c->profile, BUILD_UNION);
    bool result = build_unite(c, sets, n, united);
    profile_built(c->profile, BUILD_UNION, start);
    return result;
}

// ---- One set moved many times ----

enum { MOST_STRIPS = 256, STRIP_WIDTH = 64 };

// What a set has in one row and colour, as bits, and where that goes in the bitmap.
typedef struct {
    uint64_t bits;
    uint32_t place;
} Strip;

// Words are sorted, so those of a strip follow each other. Returns how many strips there are, 0 where too
// many.
static size_t strips_of(const Obj *set, const Extent *e, uint32_t height, Strip strips[MOST_STRIPS]) {
    size_t n = 0;
    for (uint32_t k = 0; k < set->n; k++) {
        const uint32_t w = obj_words(set)[k];
        if (k == 0 || w >> 12 != obj_words(set)[k - 1] >> 12) {
            if (n == MOST_STRIPS) return 0;
            strips[n++] = (Strip){.place = ((w >> 24) - e->low) * height + (w >> 12 & 0xFFF) - e->top};
        }
        strips[n - 1].bits |= 1ULL << ((w & 0xFFF) - e->left);
    }
    return n;
}

bool packed_unite_moved(Ctx *c, const Obj *set, const Obj *vectors, Value *united) {
    const Extent e = extent_of(obj_words(set), set->n), v = extent_of(obj_words(vectors), vectors->n);
    const int64_t top = (int64_t)e.top + v.top - LOC_BIAS, left = (int64_t)e.left + v.left - LOC_BIAS;
    const uint32_t height = e.bottom - e.top + v.bottom - v.top + 1;
    const uint32_t width = e.right - e.left + v.right - v.left + 1, places = (e.high - e.low + 1) * height;
    if (top < 0 || left < 0 || top + height > LOC_LIMIT || left + width > LOC_LIMIT) return false;
    if (width > STRIP_WIDTH || places > BITMAP_WORDS) return false;
    Strip strips[MOST_STRIPS];
    const size_t n = strips_of(set, &e, height, strips);
    if (n == 0) return false;
    *united = VALUE_FAILED;
    // For each vector no less than for a function over elements, which this stands for (see column.c).
    const int64_t units = set->n + places / 2 + (int64_t)vectors->n * (3 + (int64_t)n / 2);
    if (!ctx_charge(c, units)) return true;
    uint64_t bits[BITMAP_WORDS];
    memset(bits, 0, places * sizeof *bits);
    for (uint32_t k = 0; k < vectors->n; k++) {
        const uint32_t w = obj_words(vectors)[k], left_by = (w & 0xFFF) - v.left;
        uint64_t *at = bits + ((w >> 12) - v.top);
        for (size_t s = 0; s < n; s++) at[strips[s].place] |= strips[s].bits << left_by;
    }
    size_t count = 0;
    for (uint32_t k = 0; k < places; k++) count += (size_t)__builtin_popcountll(bits[k]);
    Obj *o = packed_new(c, (Kind)set->kind, count);
    if (!o) return true;
    uint32_t *out = packed_of(o), start = e.low << 24 | (uint32_t)top << 12 | (uint32_t)left;
    for (uint32_t k = 0, row = 0; k < places; k++, row++) {
        if (row == height) {
            row = 0;
            start += 1U << 24;
        }
        out = bits_write_words(out, bits[k], start + (row << 12));
    }
    *united = packed_finish_sorted(c, o, count);
    return true;
}
