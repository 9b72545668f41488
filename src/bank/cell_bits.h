// Cells as bits, 32 cells at once, the first lowest. Cells are 0 to 127.
#ifndef TESSERA_BANK_CELL_BITS_H
#define TESSERA_BANK_CELL_BITS_H

#include <stdint.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

enum { CELL_BITS = 32 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "eight cells are read as a word, the first lowest");

#define EIGHT_ONES 0x0101010101010101ULL

// Whether each of eight cells is other than 0, as eight bits.
static inline uint64_t bits_of_eight(uint64_t cells) {
    uint64_t high = ((cells + EIGHT_ONES * 0x7F) & (EIGHT_ONES * 0x80)) >> 7;
    return high * 0x0102040810204080ULL >> 56;
}

// Where two stretches of cells differ; the plain way.
static inline uint32_t cells_differ_plain(const int8_t *a, const int8_t *b) {
    uint32_t bits = 0;
    for (int k = 0; k < 4; k++) {
        uint64_t x, y;
        memcpy(&x, a + 8 * k, 8);
        memcpy(&y, b + 8 * k, 8);
        bits |= (uint32_t)bits_of_eight(x ^ y) << 8 * k;
    }
    return bits;
}

static inline uint32_t cells_differ(const int8_t *a, const int8_t *b) {
#ifdef __AVX2__
    __m256i x = _mm256_loadu_si256((const __m256i *)a), y = _mm256_loadu_si256((const __m256i *)b);
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, y));
#else
    return cells_differ_plain(a, b);
#endif
}

// Where they are other than 0.
static inline uint32_t cells_set(const int8_t *a) {
    static const int8_t none[CELL_BITS];
    return cells_differ(a, none);
}

#endif
