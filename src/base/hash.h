// One 64-bit hash for everything: names, values, outputs. Not for hostile keys; the same on every machine.
#ifndef TESSERA_HASH_H
#define TESSERA_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ULL;
    return h ^ (h >> 32);
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
