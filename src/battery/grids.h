// The different grids that a lane has given: each is found again by its content, compared with the right
// answer once, and scored once, however many nodes gave it.
#ifndef TESSERA_BATTERY_GRIDS_H
#define TESSERA_BATTERY_GRIDS_H

#include "value/value.h"

#define GRIDS_NONE UINT32_MAX

enum { GRIDS_RECENT = 512 };

typedef struct {
    uint64_t hash;  // the same everywhere
    Value grid;     // VALUE_NONE where it cannot be an answer: it is then known by its hash alone
    uint32_t place; // in the table: the hash, or one that begins with the seed of the process
    bool right;
    bool unseen;   // nobody asks for its score
    int32_t score; // 0 to 1000
} GridEntry;

typedef struct {
    GridEntry *entries;
    uint32_t count, room;
    uint32_t *table, mask; // open addressing: entry + 1
    int side;              // the longest that an answer may have
    struct {
        uint64_t bits;
        uint32_t entry;
    } recent[GRIDS_RECENT]; // by address: values that are shared come often
} Grids;

bool grids_same(const Obj *o, const ts_grid *grid); // whether a grid is this one

bool grids_init(Grids *g);
void grids_free(Grids *g);
void grids_begin(Grids *g, int side); // forgets all
// The entry of a grid, new ones with `right` as compared to the expected one. GRIDS_NONE: no memory.
uint32_t grids_find(Grids *g, Value grid, const ts_grid *expected);
// The same for a grid that lies where none of those before has stayed: nothing is known by its address.
uint32_t grids_find_new(Grids *g, Value grid, const ts_grid *expected);

#endif
