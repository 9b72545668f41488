// One 64-bit hash for everything: names, values, outputs. Not for hostile keys; the same on every machine.
#ifndef TESSERA_HASH_H
#define TESSERA_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Both halves of the product count: so each bit of the word reaches all of the hash at once. (The lower half
// alone gave the same hash to one grid in a thousand.)
static inline uint64_t hash_mix(uint64_t h, uint64_t word) {
    unsigned __int128 product =
        (unsigned __int128)((h ^ word) + 0xD6E8FEB86659FD93ULL) * 0x9E3779B97F4A7C15ULL;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = hash_mix(h, word);
    }
    uint64_t rest = n;
    for (; n; n--) rest = rest << 8 | *p++;
    return hash_mix(h, rest);
}

#endif
