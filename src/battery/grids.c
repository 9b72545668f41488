#include "battery/grids.h"

#include <stdlib.h>

#include "base/hash.h"

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

void grids_begin(Grids *g) {
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

bool grid_is(const Obj *o, const ts_grid *grid) {
    return (int)o->n == grid->height && (int)o->width == grid->width &&
           memcmp(obj_cells(o), grid->cells, (size_t)o->n * o->width) == 0;
}

uint32_t grids_find(Grids *g, Value grid, const ts_grid *expected) {
    uint32_t near = (uint32_t)(grid.bits >> 4) % GRIDS_RECENT;
    if (g->recent[near].bits == grid.bits) return g->recent[near].entry;
    const Obj *o = value_obj(grid);
    const uint64_t size = (uint64_t)o->n << 40 | (uint64_t)o->width << 20;
    const size_t cells = (size_t)o->n * o->width;
    const uint32_t place = (uint32_t)hash_bytes(hash_seed ^ size, obj_cells(o), cells);
    if (g->count == g->room && !grow(g)) return GRIDS_NONE;
    uint32_t at = place & g->mask;
    for (; g->table[at]; at = (at + 1) & g->mask) {
        const GridEntry *e = &g->entries[g->table[at] - 1];
        if (e->place == place && value_equal(e->grid, grid)) break;
    }
    if (!g->table[at]) {
        g->entries[g->count] = (GridEntry){.hash = hash_bytes(size, obj_cells(o), cells),
                                           .grid = grid,
                                           .place = place,
                                           .right = expected && grid_is(o, expected)};
        g->table[at] = ++g->count;
    }
    g->recent[near].bits = grid.bits;
    g->recent[near].entry = g->table[at] - 1;
    return g->table[at] - 1;
}
