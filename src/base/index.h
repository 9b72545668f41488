// An open hash table over things that its user keeps in an array: it knows their numbers by their hashes.
//
//     if (!index_reserve(x)) … no memory …
//     uint32_t at = hash, k;
//     while ((k = index_next(x, hash, &at))) if (… things[k - 1] is the one …) return k - 1;
//     index_put(x, at, hash, count); // where it was not found
//
// A slot holds the whole hash beside the number, so that growing and passing over others touch no thing.
#ifndef TESSERA_BASE_INDEX_H
#define TESSERA_BASE_INDEX_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t *slots;      // hash << 32 | number + 1; 0 is free
    uint32_t count, mask; // mask + 1 slots, a power of two; 0 for none
} Index;

bool index_grow(Index *x);
void index_free(Index *x);
void index_clear(Index *x); // costs no more than putting in what is there did

// Room for one more; false where memory is short.
static inline bool index_reserve(Index *x) { return x->count * 2 < x->mask || index_grow(x); }

// Brings what is needed to look for a hash into the cache: for tables that are larger.
static inline void index_prefetch(const Index *x, uint32_t hash) {
    if (x->slots) __builtin_prefetch(&x->slots[hash & x->mask]);
}

// The next number with this hash, plus one; 0 where there is no more, `at` then being the slot for a new one.
static inline uint32_t index_next(const Index *x, uint32_t hash, uint32_t *at) {
    for (;; ++*at) {
        uint64_t slot = x->slots[*at & x->mask];
        if (!slot) return 0;
        if (slot >> 32 != hash) continue;
        ++*at;
        return (uint32_t)slot;
    }
}

static inline void index_put(Index *x, uint32_t at, uint32_t hash, uint32_t number) {
    assert(x->count < x->mask && !x->slots[at & x->mask]); // room was reserved, and the slot is free
    x->slots[at & x->mask] = (uint64_t)hash << 32 | (number + 1);
    x->count++;
}

#endif
