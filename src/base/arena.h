// Memory with a stated lifetime: an arena hands out pieces by moving a pointer and gives all of them back at
// once. Values, programs and tasks live in arenas; nobody frees a single piece.
//
// Workload: millions of pieces of 16 to 1,000 bytes between two resets. Blocks are kept over a reset, so that
// a lane in steady state never calls malloc. A piece is aligned to 16 bytes. Behind the last one of a block
// there are ARENA_SLACK bytes more: so the piece made last may be written to that far beyond its end, and any
// one read, by whoever goes in steps of a vector and forgets what was too much.
//
// A thread that makes and frees arenas over and over keeps their blocks in a stock: what an arena gives back
// the next one takes. Memory that comes fresh from the system costs more than most of what is done with it.
#ifndef TESSERA_BASE_ARENA_H
#define TESSERA_BASE_ARENA_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARENA_SLACK = 32 };

typedef struct ArenaBlock ArenaBlock;

typedef struct {
    ArenaBlock *blocks;
    size_t held;  // bytes in them
    size_t limit; // what would go beyond it is freed
} ArenaStock;

typedef struct {
    char *next, *end;   // the free part of the current block
    char *start;        // where the current block starts
    ArenaBlock *blocks; // all blocks: those in use, then the free ones
    ArenaBlock *current;
    ArenaStock *stock; // where blocks come from and go to, NULL for none
    size_t held;       // bytes in all blocks
    size_t limit;      // held never exceeds this
    bool starved;      // malloc has failed, not the limit
    bool full;         // a piece could not be had since the last reset
} Arena;

void arena_init(Arena *a, size_t limit);
void arena_init_from(Arena *a, size_t limit, ArenaStock *stock); // which outlives what is in the arena
void arena_free(Arena *a);
void arena_stock_free(ArenaStock *stock);
void arena_reset(Arena *a); // gives back all pieces, keeps the blocks

// The slow way of arena_alloc: takes the next block. NULL where the limit is reached or malloc fails, so
// never for no bytes.
void *arena_alloc_slow(Arena *a, size_t bytes);

static inline void *arena_alloc(Arena *a, size_t bytes) {
    // What is left is a multiple of 16 bytes as well, so there is room for what is rounded up.
    if (bytes > (size_t)(a->end - a->next)) return arena_alloc_slow(a, bytes);
    char *piece = a->next;
    a->next += (bytes + 15) & ~(size_t)15;
    if (!piece) __builtin_unreachable(); // so that whoever looks whether there is a piece need not, here
    return piece;
}

// Gives back what was handed out since `then`, a copy of the arena; the blocks stay.
static inline void arena_return(Arena *a, const Arena *then) {
    assert(then->start <= then->next && then->next <= then->end);
    a->next = then->next;
    a->end = then->end;
    a->start = then->start;
    a->current = then->current;
    a->full = then->full;
}

// Whether a piece that is in use is in this arena.
bool arena_holds_slow(const Arena *a, const void *piece);
static inline bool arena_holds(const Arena *a, const void *piece) {
    const char *at = piece;
    return (at >= a->start && at < a->end) || arena_holds_slow(a, piece);
}

// A copy of n bytes of text with a closing zero.
char *arena_text(Arena *a, const char *text, size_t n);

#endif
