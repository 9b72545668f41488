// Pieces: the boxes that can be cut out of a grid, what each looks like cut out, and what tells them apart.
//
// A source says where the boxes come from: parts of a segmentation, cells between lines, equal tiles, frames,
// … A view says how a box is cut out: as it is, the part alone, without its frame, reduced. A choice says
// which of the pieces is meant: "the largest", "the one of its colour", "among those of colour 3 the
// topmost". Sources, views and choices are numbers, so that a rule which was learnt is a few literals of a
// program.
#ifndef TESSERA_CUTOUT_CROP_H
#define TESSERA_CUTOUT_CROP_H

#include "grid/grid.h"
#include "parts/parts.h"

// Frames and plain rectangles are sought from each cell over all sizes: a larger grid would take too long.
enum { PIECES_MOST = 200, PIECE_MOST_SIDE = 40 };

typedef enum {
    // The first are those of PartsKind.
    SOURCE_WHOLE = PARTS_KINDS, // the grid
    SOURCE_NEAR,                // cells that are not background, up to one cell between them
    SOURCE_LATTICE,             // cells of the grid between lines that run through it, not black ones
    SOURCE_GAPS,                // the same with black lines
    SOURCE_SQUARES,             // square tiles along the longer side
    SOURCE_FRAMED,              // boxes with a border of one colour
    SOURCE_PLAIN,               // rectangles of one colour that cannot grow
    SOURCE_CORNERS,             // boxes with four corners of one colour and no more of it
    SOURCE_UNIT,                // the smallest tile that the grid repeats
    SOURCE_ALL_COLORS, // all cells of one colour, background too; what it leaves free counts as black
    SOURCES,
    SOURCE_TILES = 100,  // n by m equal tiles, with or without lines between them: 100 + 30 * n + m
    SOURCE_SIZED = 1100, // tiles of h by w: 1100 + 30 * h + w
} Source;

typedef enum {
    PIECE_VIEW_BOX,     // all cells of the box
    PIECE_VIEW_ALONE,   // the part's own, the others background
    PIECE_VIEW_INNER,   // without the outermost cells
    PIECE_VIEW_WIDER,   // with a ring around
    PIECE_VIEW_CONTENT, // the part's own made background, cut to what is left
    PIECE_VIEW_QUARTER, // the upper left quarter, with the middle row and column
    PIECE_VIEW_TOP,     // the upper half
    PIECE_VIEW_SIDE,    // the left half
    PIECE_VIEW_CUTS
} PieceCut;
typedef enum {
    PIECE_VIEW_FULL,
    PIECE_VIEW_TRIM,   // cut to what is not background
    PIECE_VIEW_MERGE,  // equal neighbouring rows and columns once
    PIECE_VIEW_SHRINK, // every block of the largest size that works a cell
    PIECE_VIEW_SIFT,   // without rows and columns of background
    PIECE_VIEW_DOT,    // one cell, of its commonest colour
    PIECE_VIEW_BAR,    // a row of that colour, as long as the part has cells
    PIECE_VIEW_PLAIN,  // all that is not background in that colour
    PIECE_VIEW_REDUCTIONS
} PieceReduction;
enum { PIECE_VIEWS = PIECE_VIEW_CUTS * PIECE_VIEW_REDUCTIONS }; // a view is cut + PIECE_VIEW_CUTS * reduction

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

// What is in the box, beside the properties of parts.
typedef enum {
    CROP_INDEX = PROPS,
    CROP_FILLED, // cells that are not background
    CROP_COLORS, // other than it
    CROP_COMMON, // the commonest of those, background where there are none
    CROP_RARE,
    CROP_RARE_COUNT, // cells of the rarest
    CROP_PARTS,      // connected over corners too, of one colour
    CROP_EQUAL,      // pieces that look like this, itself included
    CROP_LIKE,       // the same, but for colours
    CROP_TURNED,     // the same, but for turns and mirrors
    CROP_LOOKS,      // a number for what it looks like
    CROP_SHAPE,      // the same, but for colours
    CROP_KIND,       // 10 * cells + colour, of the part if it is one
    CROP_MIRROR_H,
    CROP_MIRROR_V,
    CROP_MIRROR_D,
    CROP_SYMMETRIES,
    CROP_HEIGHT,
    CROP_WIDTH,
    CROP_AREA,
    CROP_TOP,
    CROP_LEFT,
    CROP_COUNT_OF, // colour 0, and so on
    CROPS = CROP_COUNT_OF + 10
} CropProp;

// False where memory is short. A source that finds nothing, or more than PIECES_MOST, has no pieces.
bool pieces_of(Arena *a, ts_grid grid, int source, Pieces *pieces);
// [piece * CROPS + prop]; NULL where memory is short.
const int *pieces_props(Arena *a, Pieces *p);
// Whether a property says something of the pieces of a source that no other does.
bool pieces_prop_fits(int source, int prop);
// False where there is no such view of the piece, or memory is short.
bool piece_view(Arena *a, const Pieces *p, int piece, int view, ts_grid *out);

typedef enum { CHOICE_MOST, CHOICE_LEAST, CHOICE_ONLY, CHOICE_SECOND, CHOICE_COMMON, CHOICES } ChoiceKind;
enum { CHOICE_NOT = 100 };
typedef struct {
    // Only those with this value of this property; where < 0: all; where + CHOICE_NOT: not those.
    int where, equals;
    int prop;
    int kind; // a ChoiceKind
} Choice;
// The piece that is meant, the first of equals; -1 for none. *ties: how many others are meant as well.
int piece_chosen(const Pieces *p, const Choice *choice, int *ties);
// Whether a piece meets the condition.
bool piece_meets(const Pieces *p, const Choice *choice, int piece);
// The pieces that meet the condition by the property, the greatest first (CHOICE_MOST) or last. The number of
// them.
int pieces_ordered(const Pieces *p, const Choice *choice, int *order);

#endif
