// Sharing by value, within one lane: a dear operation is not done again on arguments that are equal to those
// of an earlier node, however they came about. `done` is an open hash table over nodes, by operation and
// values of the arguments; it is wiped for each lane.
//
// Only operations that cost far more than hashing their arguments are looked up: those that run a function
// over a container, or find objects.
#ifndef TESSERA_SHARE_H
#define TESSERA_SHARE_H

#include "base/hash.h"
#include "dsl/ops.h"

typedef struct {
    uint32_t hash;
    uint32_t node; // + 1; 0 for none
} ShareEntry;

typedef struct {
    ShareEntry *done;
    uint32_t mask, count;
} Share;

bool share_init(Share *s, uint32_t nodes); // that are worth it
void share_free(Share *s);
void share_begin(Share *s);
bool share_pays(int op);
static inline uint64_t share_hash(uint64_t h, Value v) {
    return hash_mix(h, value_tag(v) == TAG_OBJ ? value_hash(v) : v.bits);
}

#endif
