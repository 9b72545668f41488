// Keys: tables that a grid carries with it, and what they colour.
//
// A key is a small block of colours that lies over a larger mask, or pairs of cells that say which colour
// stands for which. Where the key is and how it is read is the same for all samples; what it says differs
// from sample to sample. The codes are those of words/key.def.
#ifndef TESSERA_KEY_KEY_H
#define TESSERA_KEY_KEY_H

#include "cutout/crop.h"

// ---- A key over a mask ----

enum { KEY_JOINS = KeyJoin_ROW_BY_ROW + 1 };

// The size of what a join gives; false where the two do not go together.
bool key_join_size(ts_grid key, ts_grid mask, int join, int *height, int *width);
// False too where memory is short.
bool key_over(Arena *a, int ground, ts_grid key, ts_grid mask, int join, ts_grid *out);
// The background of a mask: that of the grid which it comes from, or what else there is most of in the grid,
// where the mask has none of that.
int key_ground(ts_grid grid, ts_grid mask);

// ---- A table of colours ----

typedef struct {
    int pieces; // a Source
    int entry;  // a KeyEntry
    int way;    // a KeyWay
    int turns;  // a KeyTurns
} KeyForm;

enum { KEY_MOST_ENTRIES = 100 };
typedef struct {
    int ground;
    int count;
    int8_t from[KEY_MOST_ENTRIES], to[KEY_MOST_ENTRIES]; // in the order of the pieces
    int8_t colors[10]; // what each colour becomes, itself where there is no entry
    ts_grid rest;      // the grid without the key
} KeyTable;

// Reads the table. It has no entries where the grid has no such key; false where memory is short.
bool key_read(Arena *a, ts_grid grid, const Pieces *pieces, const KeyForm *form, KeyTable *table);
// The same table read otherwise: sets `colors` only.
void key_turn(KeyTable *table, int turns);

typedef struct {
    int painted; // a KeyPainted
    int of;      // a Source: the pieces of the grid without the key
    int rest;    // a KeyRest
} KeyUse;
// *used gets a bit for each colour whose entry changed a cell. False where nothing is left, or memory is
// short.
bool key_paint(Arena *a, ts_grid grid, const KeyTable *table, const Pieces *of, const KeyUse *use,
               unsigned *used, ts_grid *out);

#endif
