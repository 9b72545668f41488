// The hash of images: by it the bank knows one from another, and a device works it out as well.
//
// Cells are taken as words of four, and two words at a time are multiplied, each with a key added that
// belongs to its place: the sum of these products is as good as random for keys that are (NH, the first stage
// of the code UMAC), two images differing in some cell having the same sum once in 2^32. A second sum, with
// the keys two places on, makes that once in 2^64. No product waits for another: vectors do four at once, and
// on a device each worker some of them. Place and size come in at the end. The hash of a list is made of
// those of its images.
#include "base/hash.h"
#include "image/image_cells.h"
#include "value/bits.h"

enum {
    BLOCK = BITS_CELLS, // cells that are taken at once, 0 after the last
    KEY_WORDS = (IMAGE_MOST_CELLS + BLOCK - 1) / BLOCK * BLOCK / 4 + 2,
};

static const uint32_t keys[] = {
#include "image/image_keys.def"
};
_Static_assert(sizeof keys / sizeof *keys >= KEY_WORDS, "there is a key for each word");

// An image's place and size, in one word.
static uint64_t frame_of(const Image *x) {
    uint64_t frame;
    memcpy(&frame, x, sizeof frame);
    return frame;
}
_Static_assert(offsetof(Image, cells) == sizeof(uint64_t), "place and size are one word");

#if defined __AVX2__ && defined __BMI2__

static inline __m256i products(__m256i words, const uint32_t *key) {
    const __m256i sum = _mm256_add_epi32(words, bits_load(key));
    return _mm256_mul_epu32(sum, _mm256_srli_epi64(sum, 32));
}

static inline uint64_t sum_of(__m256i x) {
    const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (uint64_t)_mm_extract_epi64(two, 0) + (uint64_t)_mm_extract_epi64(two, 1);
}

// The last block is read whole: cells lie in arenas.
static void sums_of(const int8_t *cells, int n, uint64_t sums[2]) {
    __m256i first = _mm256_setzero_si256(), second = first;
    const uint32_t *key = keys;
    for (; n > 0; n -= BLOCK, cells += BLOCK, key += BLOCK / 4) {
        const __m256i words = n < BLOCK ? bits_load_first(cells, (size_t)n) : bits_load(cells);
        first = _mm256_add_epi64(first, products(words, key));
        second = _mm256_add_epi64(second, products(words, key + 2));
    }
    sums[0] = sum_of(first);
    sums[1] = sum_of(second);
}

#else

static void sums_of(const int8_t *cells, int n, uint64_t sums[2]) {
    sums[0] = sums[1] = 0;
    const uint32_t *key = keys;
    for (; n > 0; n -= BLOCK, cells += BLOCK, key += BLOCK / 4) {
        uint32_t words[BLOCK / 4] = {0};
        memcpy(words, cells, (size_t)(n < BLOCK ? n : BLOCK));
        for (int k = 0; k < BLOCK / 4; k += 2) {
            sums[0] += (uint64_t)(words[k] + key[k]) * (words[k + 1] + key[k + 1]);
            sums[1] += (uint64_t)(words[k] + key[k + 2]) * (words[k + 1] + key[k + 3]);
        }
    }
}

#endif

static uint64_t hash_one(const Image *x) {
    uint64_t sums[2];
    sums_of(x->cells, image_cells(x), sums);
    return hash_mix(hash_mix(frame_of(x), sums[0]), sums[1]);
}

// Each at its place, so that two that change places make another hash.
static uint64_t at_place(uint64_t hash, int k) {
    const uint64_t place = (uint64_t)k + 1;
    return hash_mix(hash, place * 0x9E3779B97F4A7C15U);
}

static uint64_t end_list(uint64_t sum, int count) { return hash_mix(sum, (uint64_t)count << 1 | 1); }

uint64_t images_hash_list(const uint64_t *hashes, int count) {
    uint64_t sum = 0;
    for (int k = 0; k < count; k++) sum += at_place(hashes[k], k);
    return end_list(sum, count);
}

uint64_t images_hash(const Images *x) {
    uint64_t sum = 0;
    if (!x->is_list) return hash_one(x->at);
    for (int k = 0; k < x->count; k++) sum += at_place(hash_one(&x->at[k]), k);
    return end_list(sum, x->count);
}
