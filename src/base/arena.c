#include "base/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct ArenaBlock {
    ArenaBlock *next;
    size_t bytes; // of data, by what the arena counts
    size_t room;  // that there is
    _Alignas(16) char data[];
};

enum { FIRST_BLOCK = 64 * 1024, LARGEST_STEP = 4 * 1024 * 1024 };

// Where the free part of an arena without blocks is: so a piece of no bytes lies somewhere there too, and
// only what cannot be had is NULL.
static _Alignas(16) char nothing[16];

static void leave_blocks(Arena *a) {
    a->current = NULL;
    a->start = a->next = a->end = nothing;
}

void arena_init_from(Arena *a, size_t limit, ArenaStock *stock) {
    *a = (Arena){.limit = limit, .stock = stock};
    leave_blocks(a);
}

void arena_init(Arena *a, size_t limit) { arena_init_from(a, limit, NULL); }

// ---- The stock ----

static void stock_put(ArenaStock *stock, ArenaBlock *b) {
    if (!stock || b->room > stock->limit - stock->held) {
        free(b);
        return;
    }
    b->next = stock->blocks;
    stock->blocks = b;
    stock->held += b->room;
}

// The smallest that has room for so much and is not far too large for it; NULL where there is none.
static ArenaBlock *stock_take(ArenaStock *stock, size_t bytes) {
    ArenaBlock **best = NULL, *b;
    for (ArenaBlock **at = &stock->blocks; *at; at = &(*at)->next)
        if ((*at)->room >= bytes && (*at)->room / 2 <= bytes && (!best || (*at)->room < (*best)->room))
            best = at;
    if (!best) return NULL;
    b = *best;
    *best = b->next;
    stock->held -= b->room;
    return b;
}

// Frees so much of it, or all there is: what has lain there longest.
static void stock_cut(ArenaStock *stock, size_t bytes) {
    for (size_t cut = 0; cut < bytes && stock->blocks;) {
        ArenaBlock **last = &stock->blocks;
        while ((*last)->next) last = &(*last)->next;
        cut += (*last)->room;
        stock->held -= (*last)->room;
        free(*last);
        *last = NULL;
    }
}

void arena_stock_free(ArenaStock *stock) { stock_cut(stock, SIZE_MAX); }

// A block from the stock, or a new one for which as much of the stock goes: so a thread holds no more than it
// would without.
static ArenaBlock *find_block(ArenaStock *stock, size_t bytes) {
    ArenaBlock *b = stock ? stock_take(stock, bytes) : NULL;
    if (b) return b;
    if (stock) stock_cut(stock, bytes);
    b = malloc(sizeof *b + bytes + ARENA_SLACK);
    if (b) b->room = bytes;
    return b;
}

// ---- Blocks ----

void arena_free(Arena *a) {
    for (ArenaBlock *b = a->blocks, *next; b; b = next) {
        next = b->next;
        stock_put(a->stock, b);
    }
    arena_init_from(a, a->limit, a->stock);
}

static void enter_block(Arena *a, ArenaBlock *b) {
    a->current = b;
    a->start = a->next = b->data;
    a->end = b->data + b->bytes;
}

void arena_reset(Arena *a) {
    a->full = false;
    if (a->blocks) enter_block(a, a->blocks);
}

// The blocks after the current one are free.
static ArenaBlock **free_blocks(Arena *a) { return a->current ? &a->current->next : &a->blocks; }

// A free block with room for a piece, out of its place; NULL where there is none.
static ArenaBlock *take_block(Arena *a, size_t bytes) {
    ArenaBlock **at = free_blocks(a), *b;
    while (*at && (*at)->bytes < bytes) at = &(*at)->next;
    if ((b = *at)) *at = b->next;
    return b;
}

// A new block. Where the limit leaves no room for it the free ones go, which are too small: so what can be
// had does not depend on what was done before a reset.
static ArenaBlock *new_block(Arena *a, size_t bytes) {
    assert(a->held <= a->limit);
    size_t step = a->held ? a->held : FIRST_BLOCK;
    if (step > LARGEST_STEP) step = LARGEST_STEP;
    if (step < bytes) step = bytes;
    if (step > a->limit - a->held) step = bytes;
    assert(step % 16 == 0);
    for (ArenaBlock **first = free_blocks(a), *b; step > a->limit - a->held && (b = *first);) {
        *first = b->next;
        a->held -= b->bytes;
        stock_put(a->stock, b);
    }
    if (step > a->limit - a->held) return NULL;
    ArenaBlock *b = find_block(a->stock, step);
    if (!b) {
        a->starved = true;
        return NULL;
    }
    b->bytes = step;
    a->held += step;
    return b;
}

void *arena_alloc_slow(Arena *a, size_t bytes) {
    size_t rounded = (bytes + 15) & ~(size_t)15;
    if (rounded < bytes) return NULL;
    if (a->current == a->blocks && a->next == a->start) leave_blocks(a); // nothing is in use: all are free
    ArenaBlock *b = take_block(a, rounded);
    if (!b && !(b = new_block(a, rounded))) {
        a->full = true;
        return NULL;
    }
    ArenaBlock **place = free_blocks(a);
    b->next = *place;
    *place = b;
    enter_block(a, b);
    a->next += rounded;
    return b->data;
}

bool arena_holds_slow(const Arena *a, const void *piece) {
    if (!a->current) return false;
    for (const ArenaBlock *b = a->blocks; b != a->current; b = b->next) // the inline way has seen this one
        if ((const char *)piece >= b->data && (const char *)piece < b->data + b->bytes) return true;
    return false;
}

char *arena_text(Arena *a, const char *text, size_t n) {
    char *copy = arena_alloc(a, n + 1);
    if (!copy) return NULL;
    if (n) memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}
