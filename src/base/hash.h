// One 64-bit hash for everything: names, values, outputs. It is the same on every machine, so whoever wants
// to finds keys that share one. A table of what strangers wrote therefore begins its hashes with `hash_seed`.
#ifndef TESSERA_BASE_HASH_H
#define TESSERA_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Drawn anew in each process, so that nobody can prepare keys that fall together in a table and make it slow.
// Only where in a table something lies may depend on it: nothing that is printed, stored or compared.
extern uint64_t hash_seed;

// Both halves of the product count: so each bit of the word reaches all of the hash at once. (The lower half
// alone gave the same hash to one grid in a thousand.)
static inline uint64_t hash_mix(uint64_t h, uint64_t word) {
    unsigned __int128 product =
        (unsigned __int128)((h ^ word) + 0xD6E8FEB86659FD93ULL) * 0x9E3779B97F4A7C15ULL;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Four words at a time where there are many, which do not wait for one another.
static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n) {
    const unsigned char *p = bytes, *start = p;
    uint64_t words[4];
    if (n >= 64) {
        uint64_t lanes[4] = {h, h + 1, h + 2, h + 3};
        for (; n >= 32; n -= 32, p += 32) {
            memcpy(words, p, 32);
            for (int k = 0; k < 4; k++) lanes[k] = hash_mix(lanes[k], words[k]);
        }
        // One after the other, so that equal changes do not cancel out.
        for (int k = 1; k < 4; k++) h = hash_mix(k == 1 ? lanes[0] : h, lanes[k] + (uint64_t)k);
    }
    for (; n >= 8; n -= 8, p += 8) {
        memcpy(words, p, 8);
        h = hash_mix(h, words[0]);
    }
    uint64_t rest = n;
    if (n && p - start >= 8) { // the same as below, from the last eight bytes
        memcpy(words, p + n - 8, 8);
        rest = rest << 8 * n | (__builtin_bswap64(words[0]) & (((uint64_t)1 << 8 * n) - 1));
    } else
        for (; n; n--) rest = rest << 8 | *p++;
    return hash_mix(h, rest);
}

#endif
