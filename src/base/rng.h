// Random numbers from a seed (splitmix64): the same sequence on every machine.
#ifndef TESSERA_BASE_RNG_H
#define TESSERA_BASE_RNG_H

#include <assert.h>
#include <stdint.h>

typedef struct {
    uint64_t state;
} Rng;

static inline uint64_t rng_next(Rng *r) {
    uint64_t z = r->state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

// A number from 0 to n - 1.
static inline uint32_t rng_below(Rng *r, uint32_t n) {
    assert(n > 0);
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

#endif
