#include "battery/grids.h"

#include <stdlib.h>

#include "base/hash.h"
#include "battery/points.h"

bool grids_init(Grids *g) {
    *g = (Grids){.room = 64, .mask = 127};
    g->entries = malloc(g->room * sizeof *g->entries);
    g->table = calloc(g->mask + 1, sizeof *g->table);
    return g->entries && g->table;
}

void grids_free(Grids *g) {
    free(g->entries);
    free(g->table);
}

void grids_begin(Grids *g, int side) {
    g->side = side;
    g->count = 0;
    memset(g->table, 0, (g->mask + 1) * sizeof *g->table);
    memset(g->recent, 0, sizeof g->recent);
}

static bool grow(Grids *g) {
    uint32_t room = g->room * 2, mask = room * 2 - 1;
    GridEntry *entries = realloc(g->entries, room * sizeof *entries);
    if (entries) g->entries = entries;
    uint32_t *table = calloc(mask + 1, sizeof *table);
    if (!entries || !table) {
        free(table);
        return false;
    }
    for (uint32_t k = 0; k < g->count; k++) {
        uint32_t at = g->entries[k].place & mask;
        while (table[at]) at = (at + 1) & mask;
        table[at] = k + 1;
    }
    free(g->table);
    g->table = table;
    g->mask = mask;
    g->room = room;
    return true;
}

bool grids_same(const Obj *o, const ts_grid *grid) {
    return (int)o->n == grid->height && (int)o->width == grid->width &&
           memcmp(obj_cells(o), grid->cells, (size_t)o->n * o->width) == 0;
}

static uint64_t hash_of(uint64_t seed, const Obj *o) {
    return hash_bytes(seed ^ (uint64_t)o->n << 40 ^ (uint64_t)o->width << 20, obj_cells(o),
                      (size_t)o->n * o->width);
}

// A hash that is the same everywhere can be met on purpose. After a few grids that differ and share it the
// others are looked for by one that nobody knows.
enum { MOST_CLASHES = 4 };

uint32_t grids_find_new(Grids *g, Value grid, const ts_grid *expected) {
    const Obj *o = value_obj(grid);
    const bool comparable = points_comparable(o, g->side);
    const uint64_t hash = hash_of(0, o);
    uint32_t place = (uint32_t)hash, clashes = 0;
    if (g->count == g->room && !grow(g)) return GRIDS_NONE;
    uint32_t at = place & g->mask;
    while (g->table[at]) {
        const GridEntry *e = &g->entries[g->table[at] - 1];
        const bool alike = e->hash == hash && e->place == place;
        if (alike && (!comparable || value_equal(e->grid, grid))) break;
        at = (at + 1) & g->mask;
        if (!alike || ++clashes != MOST_CLASHES) continue;
        place = (uint32_t)hash_of(hash_seed, o);
        at = place & g->mask;
    }
    if (!g->table[at]) {
        g->entries[g->count] = (GridEntry){.hash = hash,
                                           .grid = comparable ? grid : VALUE_NONE,
                                           .place = place,
                                           .right = expected && grids_same(o, expected)};
        g->table[at] = ++g->count;
    }
    return g->table[at] - 1;
}

uint32_t grids_find(Grids *g, Value grid, const ts_grid *expected) {
    uint32_t near = (uint32_t)(grid.bits >> 4) % GRIDS_RECENT;
    if (g->recent[near].bits == grid.bits) return g->recent[near].entry;
    uint32_t entry = grids_find_new(g, grid, expected);
    if (entry == GRIDS_NONE) return GRIDS_NONE;
    g->recent[near].bits = grid.bits;
    g->recent[near].entry = entry;
    return entry;
}
