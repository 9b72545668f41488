// Summaries: grids made of many pieces at once, and numbers measured on a grid.
//
// Pieces are laid out in order, each cell of a table of pieces becomes one cell, equal pieces are laid on
// each other by a rule for what lies at the same place, or their properties are counted up to one number.
#ifndef TESSERA_CUTOUT_SUMMARY_H
#define TESSERA_CUTOUT_SUMMARY_H

#include "cutout/crop.h"

// The longest side of what is made of a grid: two usual ones fit beside each other.
static inline int summary_side(ts_grid of) {
    return grid_fits(of, GRID_USUAL_SIDE) ? 2 * GRID_USUAL_SIDE : GRID_TASK_SIDE;
}

// A PieceLayout for pieces in a line, on each other or in a table is one of four and some of these options.
enum {
    PIECE_LAYOUT_AT_END = 4 << LayoutOptions_AT_END,
    PIECE_LAYOUT_WITH_GAPS = 4 << LayoutOptions_WITH_GAPS,
    PIECE_LAYOUT_ONCE = 4 << LayoutOptions_ONCE,
};

// A table: key or Otherwise_OTHERWISE, value.
typedef struct {
    int key, value;
} KeyValue;

// All of these are false where it cannot be done, the result would be too large, or memory is short.
bool pieces_arranged(Arena *a, const Pieces *p, int view, const Choice *order, int layout, ts_grid *out);
// The same for n pieces in a given order, with the views of all; height 0 where a piece has none.
bool pieces_laid_out(Arena *a, const Pieces *p, const ts_grid *views, const int *order, int n, int layout,
                     ts_grid *out);
void pieces_views(Arena *a, const Pieces *p, int view, ts_grid *views);
// A cell for each piece of a table of pieces: what the table of entries says for its property, or the value
// of the property itself where there are no entries.
bool pieces_gist(Arena *a, const Pieces *p, int prop, const KeyValue *table, int n, ts_grid *out);

// What lies at a place, by an Overlay: a bit for each piece that is not background there, the colours there
// as decimal digits, or how many are not background.
enum { OVERLAYS = Overlay_BY_HOW_MANY + 1, OVERLAY_MOST = 8 };
// Pieces of one size on each other: the table gives for what lies at a place an OverlayColor: a colour, or
// -1 - k for that of piece k, or OverlayColor_FIRST_FILLED for that of the first which is not background.
bool pieces_overlaid(Arena *a, const Pieces *p, int how, const KeyValue *table, int n, ts_grid *out);
int pieces_overlay_key(const Pieces *p, int how, int i, int j);

// A Measure of a property; for Measure_USUAL the least of equals.
enum { MEASURES = Measure_USUAL + 1 };
bool pieces_measure(const Pieces *p, int prop, int how, int *value);

// n by m copies of a grid, that in row i and column j moved as motions[i % h][j % w] says.
bool summary_tiled(Arena *a, ts_grid g, int n, int m, ts_grid motions, ts_grid *out);

// Whether a grid is copies of a tile, and nothing else.
bool summary_repeats(ts_grid tile, ts_grid grid);

enum { COPIES_TINTED = 100, COPIES = COPIES_TINTED + CopyCells_EACH_OF + 10 };
// A copy of b for each cell of a that is meant by CopyCells, black for the others.
bool summary_kron(Arena *a, ts_grid each, ts_grid copy, int how, ts_grid *out);

#endif
