#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct ArenaBlock {
    ArenaBlock *next;
    size_t bytes; // of data
    _Alignas(16) char data[];
};

enum { FIRST_BLOCK = 64 * 1024, LARGEST_STEP = 4 * 1024 * 1024 };

void arena_init(Arena *a, size_t limit) { *a = (Arena){.limit = limit}; }

void arena_free(Arena *a) {
    for (ArenaBlock *b = a->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    *a = (Arena){.limit = a->limit};
}

static void enter_block(Arena *a, ArenaBlock *b) {
    a->current = b;
    a->start = a->next = b->data;
    a->end = b->data + b->bytes;
}

void arena_reset(Arena *a) {
    if (a->blocks) enter_block(a, a->blocks);
}

void *arena_alloc_slow(Arena *a, size_t bytes) {
    size_t rounded = (bytes + 15) & ~(size_t)15;
    if (rounded < bytes) return NULL;
    // Blocks kept from before a reset are used again, those too small for this piece are passed over.
    while (a->current && a->current->next) {
        enter_block(a, a->current->next);
        if (rounded <= a->current->bytes) {
            a->next += rounded;
            return a->current->data;
        }
    }
    size_t step = a->held ? a->held : FIRST_BLOCK;
    if (step > LARGEST_STEP) step = LARGEST_STEP;
    if (step < rounded) step = rounded;
    if (step > a->limit - a->held) step = rounded;
    if (step > a->limit - a->held) return NULL;
    ArenaBlock *b = malloc(sizeof *b + step);
    if (!b) return NULL;
    b->next = NULL;
    b->bytes = step;
    if (a->current) a->current->next = b;
    else a->blocks = b;
    a->held += step;
    enter_block(a, b);
    a->next += rounded;
    return b->data;
}

bool arena_holds_slow(const Arena *a, const void *piece) {
    for (const ArenaBlock *b = a->blocks; b; b = b->next)
        if ((const char *)piece >= b->data && (const char *)piece < b->data + b->bytes) return true;
    return false;
}

char *arena_text(Arena *a, const char *text, size_t n) {
    char *copy = arena_alloc(a, n + 1);
    if (!copy) return NULL;
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}
