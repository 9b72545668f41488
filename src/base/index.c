#include "base/index.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64, SPARSE = 8 };

bool index_grow(Index *x) {
    uint32_t mask = x->mask ? x->mask * 2 + 1 : FIRST_SLOTS - 1;
    uint64_t *slots = mask < UINT32_MAX ? calloc((size_t)mask + 1, sizeof *slots) : NULL;
    if (!slots) return false;
    for (uint32_t k = 0; x->mask && k <= x->mask; k++) {
        if (!x->slots[k]) continue;
        uint32_t at = (uint32_t)(x->slots[k] >> 32) & mask;
        while (slots[at]) at = (at + 1) & mask;
        slots[at] = x->slots[k];
    }
    free(x->slots);
    x->slots = slots;
    x->mask = mask;
    return true;
}

void index_free(Index *x) {
    free(x->slots);
    *x = (Index){0};
}

// A table that has become far too large is given back, so that a large user is not paid for by small ones.
void index_clear(Index *x) {
    if (x->mask >= FIRST_SLOTS && x->count < x->mask / SPARSE) index_free(x);
    else if (x->count) memset(x->slots, 0, ((size_t)x->mask + 1) * sizeof *x->slots);
    x->count = 0;
}
