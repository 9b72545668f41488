// Locations as bits: a word of 64 bits for a row, a bit for each column. What primitives do with many
// locations at once they do with these, inside of them; sets remain sorted words (see value.h).
#ifndef TESSERA_VALUE_BITS_H
#define TESSERA_VALUE_BITS_H

#include <stdint.h>
#include <string.h>

#include "base/arena.h"

#if defined __AVX2__ && defined __BMI2__
#include <immintrin.h>
#elif defined __SSE2__
#include <emmintrin.h>
#endif

enum { BITS_CELLS = 32 };

// 32 cells as the processor takes them.
#if defined __AVX2__ && defined __BMI2__
typedef __m256i BitsCells;
static inline BitsCells bits_load(const void *cells) { return _mm256_loadu_si256((const __m256i *)cells); }
static inline BitsCells bits_plain(int8_t color) { return _mm256_set1_epi8(color); }
static inline uint32_t bits_equal(BitsCells x, BitsCells y) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, y));
}
#elif defined __SSE2__
typedef struct {
    __m128i half[2];
} BitsCells;
static inline BitsCells bits_load(const void *cells) {
    const __m128i *from = (const __m128i *)cells;
    return (BitsCells){{_mm_loadu_si128(from), _mm_loadu_si128(from + 1)}};
}
static inline BitsCells bits_plain(int8_t color) {
    return (BitsCells){{_mm_set1_epi8(color), _mm_set1_epi8(color)}};
}
static inline uint32_t bits_equal(BitsCells x, BitsCells y) {
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x.half[0], y.half[0])) |
           (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x.half[1], y.half[1])) << 16;
}
#else
typedef struct {
    int8_t at[BITS_CELLS];
} BitsCells;
static inline BitsCells bits_load(const void *cells) {
    BitsCells x;
    memcpy(&x, cells, sizeof x);
    return x;
}
static inline BitsCells bits_plain(int8_t color) {
    BitsCells x;
    memset(&x, color, sizeof x);
    return x;
}
static inline uint32_t bits_equal(BitsCells x, BitsCells y) {
    uint32_t bits = 0;
    for (int k = 0; k < BITS_CELLS; k++) bits |= (uint32_t)(x.at[k] == y.at[k]) << k;
    return bits;
}
#endif

// Bit k tells whether byte k is the same here and there, for 32 bytes.
static inline uint32_t bits_same(const void *a, const void *b) {
    return bits_equal(bits_load(a), bits_load(b));
}

// Bit k tells whether cell k has a colour, for 32 cells: those beyond the end of a grid are read too (see
// ARENA_SLACK), and left out by whoever asks.
static inline uint32_t bits_of_cells(const int8_t *cells, int8_t color) {
    return bits_equal(bits_load(cells), bits_plain(color));
}
_Static_assert((int)BITS_CELLS <= (int)ARENA_SLACK, "what is read too much lies in the slack");

#if defined __AVX2__ && defined __BMI2__
// The first n of 32 cells, 0 in place of the others, which are read too.
static inline BitsCells bits_load_first(const void *cells, size_t n) {
    static const int8_t mask[2 * BITS_CELLS] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                                -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                                -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_and_si256(bits_load(cells), bits_load(mask + BITS_CELLS - n));
}
#endif

// Copies n cells, at most 32, with 0 after them up to 32. Of those that are copied 32 are read.
static inline void bits_copy(int8_t *to, const int8_t *from, size_t n) {
#if defined __AVX2__ && defined __BMI2__
    _mm256_storeu_si256((__m256i *)to, bits_load_first(from, n));
#else
    int8_t cells[BITS_CELLS] = {0};
    memcpy(cells, from, n);
    memcpy(to, cells, sizeof cells);
#endif
}

// The lowest n of 32, of which there may be fewer.
static inline uint32_t bits_lowest(size_t n) { return n < 32 ? (1U << n) - 1 : UINT32_MAX; }

// Writes a word for each bit that is set: `first` for bit 0, one more for each bit above it. Returns where
// the next goes. May write up to eight words beyond that, so they have to be in the piece made last.
static inline uint32_t *bits_write_words(uint32_t *to, uint64_t bits, uint32_t first) {
#if defined __AVX2__ && defined __BMI2__
    // Eight bits are eight places, of which those that count are pushed together.
    const uint64_t ones = 0x0101010101010101, places = 0x0706050403020100;
    __m256i base = _mm256_set1_epi32((int)first);
    for (; bits; bits >>= 8, base = _mm256_add_epi32(base, _mm256_set1_epi32(8))) {
        const uint64_t chosen = _pext_u64(places, _pdep_u64(bits, ones) * 255);
        const __m256i eight = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)chosen));
        _mm256_storeu_si256((__m256i *)to, _mm256_add_epi32(base, eight));
        to += __builtin_popcountll(bits & 255);
    }
    _Static_assert(sizeof(__m256i) <= ARENA_SLACK, "what is written too much lies in the slack");
#else
    for (; bits; bits &= bits - 1) *to++ = first + (uint32_t)__builtin_ctzll(bits);
#endif
    return to;
}

#endif
