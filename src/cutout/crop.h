// Pieces: the boxes that can be cut out of a grid, what each looks like cut out, and what tells them apart.
//
// A source says where the boxes come from: parts of a segmentation, cells between lines, equal tiles, frames,
// … A view says how a box is cut out: as it is, the part alone, without its frame, reduced. A choice says
// which of the pieces is meant: "the largest", "the one of its colour", "among those of colour 3 the
// topmost". Sources, views, properties and superlatives are the codes of words/cutout.def.
#ifndef TESSERA_CUTOUT_CROP_H
#define TESSERA_CUTOUT_CROP_H

#include "grid/grid.h"
#include "parts/parts.h"
#include "words/words.h"

enum { PIECES_MOST = 200, PIECE_MOST_SIDE = GRID_TASK_SIDE };

enum {
    PIECE_SOURCES = Source_ALL_COLORS + 1, // but for tiles
    PIECE_CUTS = PieceView_SIDE_HALF + 1,  // a view is a cut + a reduction
    PIECE_REDUCTIONS = Reduction_ONE_COLOR / PIECE_CUTS + 1,
    PIECE_PROPERTIES = PieceProperty_CELLS_OF + 10,
    SUPERLATIVES = Superlative_COMMONEST + 1,
};
_Static_assert((int)PieceProperty_INDEX == (int)PROPS, "those of parts come first");
_Static_assert((int)Source_WHOLE == (int)PARTS_KINDS, "those of parts come first");

typedef struct {
    int top, left, height, width;
    int part; // -1 for none
} Piece;

typedef struct {
    ts_grid grid;
    int ground;
    int source;
    int count;
    Piece *at;
    int rows, columns; // of a source that lays its pieces out like a table, else 0
    Parts parts;       // of a source that has parts
    const int *props;  // once asked for
} Pieces;

// False where memory is short. A source that finds nothing, or more than PIECES_MOST, has no pieces.
bool pieces_of(Arena *a, ts_grid grid, int source, Pieces *pieces);
// [piece * PIECE_PROPERTIES + prop]; NULL where memory is short.
const int *pieces_props(Arena *a, Pieces *p);
// Whether a property says something of the pieces of a source that no other does.
bool pieces_prop_fits(int source, int prop);
// False where there is no such view of the piece, or memory is short.
bool piece_view(Arena *a, const Pieces *p, int piece, int view, ts_grid *out);

enum { CHOICE_NOT = 100 };
typedef struct {
    // Only those with this value of this property; where < 0: all; where + CHOICE_NOT: not those.
    int where, equals;
    int prop;
    int kind; // a Superlative
} Choice;
// The piece that is meant, the first of equals; -1 for none. *ties: how many others are meant as well.
int piece_chosen(const Pieces *p, const Choice *choice, int *ties);
// Whether a piece meets the condition.
bool piece_meets(const Pieces *p, const Choice *choice, int piece);
// The pieces that meet the condition by the property, the greatest first (Superlative_MOST) or last. The
// number of them.
int pieces_ordered(const Pieces *p, const Choice *choice, int *order);

#endif
