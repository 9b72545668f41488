// Summaries: grids made of many pieces at once, and numbers measured on a grid.
//
// Pieces are laid out in order, each cell of a table of pieces becomes one cell, equal pieces are laid on
// each other by a rule for what lies at the same place, or their properties are counted up to one number.
#ifndef TESSERA_CUTOUT_SUMMARY_H
#define TESSERA_CUTOUT_SUMMARY_H

#include "cutout/crop.h"

enum { SUMMARY_MOST_SIDE = 2 * GRID_TASK_SIDE }; // of what is laid out: two grids of a task beside each other

typedef enum {
    PIECE_LAYOUT_ROW,
    PIECE_LAYOUT_COLUMN,
    PIECE_LAYOUT_STACK,         // on each other, the first on top, background transparent
    PIECE_LAYOUT_TABLE,         // in rows and columns, as they lie in the grid
    PIECE_LAYOUT_END = 4,       // flush right or at the bottom
    PIECE_LAYOUT_GAP = 8,       // with a line of background between two
    PIECE_LAYOUT_ONCE = 16,     // the second of equal pieces left out
    PIECE_LAYOUT_WRAPPED = 100, // single cells row by row into a grid of h by w: 100 + 30 * h + w
    PIECE_LAYOUT_SNAKE = 1100,  // the same, every other row backwards: 1100 + 30 * h + w
    PIECE_LAYOUTS = 2030
} PieceLayout;

// A table: key, value.
typedef struct {
    int key, value;
} KeyValue;
// False where the key is not there.
bool cutout_lookup(const KeyValue *table, int n, int key, int *value);

// All of these are false where it cannot be done, the result would be too large, or memory is short.
bool pieces_arranged(Arena *a, const Pieces *p, int view, const Choice *order, int layout, ts_grid *out);
// The same for n pieces in a given order, with the views of all; height 0 where a piece has none.
bool pieces_laid_out(Arena *a, const Pieces *p, const ts_grid *views, const int *order, int n, int layout,
                     ts_grid *out);
void pieces_views(Arena *a, const Pieces *p, int view, ts_grid *views);
// A cell for each piece of a table of pieces: what the table of entries says for its property, or the value
// of the property itself where there are no entries.
bool pieces_gist(Arena *a, const Pieces *p, int prop, const KeyValue *table, int n, ts_grid *out);

typedef enum {
    OVERLAY_FILLED, // a bit for each piece that is not background there
    OVERLAY_COLORS, // the colours there as decimal digits
    OVERLAY_COUNT,  // how many are not background
    OVERLAYS
} Overlay;
enum { OVERLAY_MOST = 8, OVERLAY_FIRST = -20 };
// Pieces of one size on each other: the table gives for what lies at a place a colour, or -1 - k for the
// colour of piece k, or OVERLAY_FIRST for that of the first which is not background. The key -1 stands for
// all others.
bool pieces_overlaid(Arena *a, const Pieces *p, Overlay how, const KeyValue *table, int n, ts_grid *out);
int pieces_overlay_key(const Pieces *p, Overlay how, int i, int j);

typedef enum {
    MEASURE_COUNT, // of the pieces
    MEASURE_MOST,  // of the property
    MEASURE_LEAST,
    MEASURE_SUM,
    MEASURE_DISTINCT,
    MEASURE_COMMON, // the value that most pieces have, the least of equals
    MEASURES,
    MEASURE_EQUAL = 10 // + value: the number of pieces that have it
} Measure;
bool pieces_measure(const Pieces *p, int prop, int how, int *value);

// n by m copies of a grid, that in row i and column j moved as motions[i % h][j % w] says.
bool summary_tiled(Arena *a, ts_grid g, int n, int m, ts_grid motions, ts_grid *out);

// Whether a grid is copies of a tile, and nothing else.
bool summary_repeats(ts_grid tile, ts_grid grid);
typedef enum {
    KRON_FILLED, // cells that are not background
    KRON_COMMON, // of the commonest colour
    KRON_RARE,
    KRON_GROUND,
    KRON_OF_COLOR = 10, // + colour
    KRON_TINTED = 100,  // + any of these: the copies in the colour of the cell
    KRONS = 120
} Kron;
// A copy of b for each cell of a that is meant, black for the others.
bool summary_kron(Arena *a, ts_grid each, ts_grid copy, int how, ts_grid *out);

#endif
