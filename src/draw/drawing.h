// Drawing for each part of a grid: its box filled, a ray to the wall, a ring around it, a mirrored copy
// beside it.
//
// A patch is what is drawn for a part: some cells, which take the colour that a paint gives, or which bring
// their own colours along (a copy does). In the language a patch is (kind, a, b, c, d), a paint is (kind,
// value) and their numbers are those of the enums here; see docs on `draw` for the rest.
#ifndef TESSERA_DRAW_DRAWING_H
#define TESSERA_DRAW_DRAWING_H

#include "grid/geometry.h"
#include "parts/selector.h"

// A grid seen in one way, with the properties of its parts.
typedef struct {
    Parts parts;
    const int *props;
} Scene;
enum { SCENE_MOST_PARTS = SELECTOR_PARTS };
// False where memory is short or there are too many parts.
bool scene_of(Arena *a, ts_grid grid, PartsKind kind, Scene *scene);

// clang-format off
typedef enum {
    PATCH_CELLS, // a: 0 all of them, 1 those beside something else, 2 the others; 3 and 4 over corners too;
                 //    5 and 6 every second one
    PATCH_BOX, // grown by a; b: 0 filled, 1 its frame, 2 filled but for the part, 3 its corners, 4 the frame
               //    without these, 5 its middle, 6 and 7 its diagonals
    PATCH_HOLES,  // what it encloses
    PATCH_AROUND, // cells near its own; a: 0 over sides, 1 over corners, 2 both; b: how far
    PATCH_BAND,   // a: 0 rows, 1 columns, 2 both, of its box; b: 1 for the middle ones only
    PATCH_RAY,  // in directions a, a bit for each; b: 0 from each cell, 1 from the middle of the box,
                //    2 from its corners; c: a Stop; d: a Dash
    PATCH_HALF, // on side a; b: 0 its cells, 1 its box's
    PATCH_TURN, // a copy by symmetry_by_steps[a]; b: 0 in place, else beside it, in direction b - 1, with c
                //    cells between
    PATCH_COPY, // a copy in directions a; b: 0 one cell on, 1 beside it, 2 with a cell between; c: how often
                //    (0 to the wall); d: 1 for its shape alone
    PATCH_REFLECT, // a copy by symmetry_by_steps[a] of the whole grid
    PATCH_BOUNCE,  // diagonal rays in directions a, thrown back by the walls; b: 1 by anything,
                   //    2 at the sides only, 3 above and below only
    PATCH_STAMP,   // cells around its first one: (row, column, color) each
    PATCH_LIKE,    // a copy of it wherever its cells of some colours are found again; a: 0 all but the
                   //    commonest, 1 the rarest, 2 the commonest; b: 1 turned and mirrored too
    PATCH_CLONE,   // on its middle, a copy of another part; a: 0 the largest, 1 that with most colours,
                   //    2 the smallest
    PATCH_MIRROR,  // a copy upside down (a: 2), left to right (4) or both (6), mirrored at b: 0 the nearest
                   //    other part, 1 its own cells of its rarest colour
    PATCH_BEAM,    // rays from its cells of its rarest colour, a: 0 away from its middle, 1 through it;
                   //    b: a Stop
    PATCH_WALK,  // a ray in directions a that turns once, where it is stopped by a thing or the wall; b: 0 to
                 //    the right, 1 to the left
    PATCH_ELBOW, // to the nearest other part, of colour a (10: any), with one bend; b: 0 along the row first,
                 //    1 along the column
    PATCH_CORNERS, // the inside of a box that its first cell is the first corner of, all four in its colour;
                   //    a: 1 what lies between the corners instead
    PATCHES
} PatchKind;
// clang-format on

typedef enum {
    STOP_WALL,               // nothing stops it
    STOP_THING,              // what is not background
    STOP_ONLY_THING,         // the same, and it is drawn only where there is such a thing
    STOP_ONLY_WALL,          // … where there is none
    STOP_ONLY_OWN,           // … where it is of the part's colour
    STOP_THROUGH_OWN,        // through anything else to the part's colour
    STOP_ONLY_OTHER,         // … where it is of another colour
    STOP_COLOR = 10,         // + X: through anything to colour X or the wall
    STOP_ONLY_COLOR = 20,    // + X: the first thing is of colour X
    STOP_THROUGH_COLOR = 30, // + X: through anything to colour X
} Stop;

typedef enum {
    DASH_NONE,
    DASH_ODD,  // every second cell
    DASH_EVEN, // the others
    DASH_LAST, // the last cell alone
    DASH_HIT,  // the cell that stopped it
} Dash;

typedef struct {
    int8_t row, column, color; // color: STAMP_OWN for that of the part
} StampCell;
enum { STAMP_OWN = 10, STAMP_MOST = 200 };

typedef struct {
    int16_t kind, a, b, c, d;
    int cells; // of a stamp
    const StampCell *stamp;
} Patch;

// Where a patch is put down.
typedef struct {
    int n;
    uint16_t *at;   // places in the grid, each once
    int8_t *color;  // of each; -1: to be painted
    uint16_t *seen; // the round in which a place was last put down
    uint16_t round;
} Brush;
bool brush_init(Arena *a, Brush *b, ts_grid grid);

// Puts down the patch of a part. Returns the work it took, in units.
int drawing_patch(const Scene *s, int part, const Patch *patch, Brush *b);

typedef enum {
    PAINT_COLOR,   // the value
    PAINT_OWN,     // the part's
    PAINT_GROUND,  // the background
    PAINT_RARE,    // the part's rarest
    PAINT_INSIDE,  // the only other one within its box
    PAINT_TOUCHED, // the only other one beside it
    PAINT_NEAREST, // that of the nearest other part
    PAINT_LARGEST, // that of the largest part
    PAINT_SMALLEST,
    PAINT_RAREST, // of all colours of the grid
    PAINT_TABLE,  // by a property: (property, (value, color), …)
    PAINTS
} PaintKind;

enum { PAINT_ENTRIES = 16 };
typedef struct {
    int8_t kind, value; // value: the colour, or the property
    int entries;
    int16_t from[PAINT_ENTRIES];
    int8_t to[PAINT_ENTRIES];
} Paint;

// The colour that fewest of its cells have, the lowest of equals.
int drawing_rarest(const Scene *s, int part);
// -1 where there is none.
int drawing_paint(const Scene *s, int part, const Paint *paint);

typedef enum { LAYER_OVER, LAYER_UNDER, LAYER_THINGS, LAYERS } Layer; // all cells, background, all else
static inline bool layer_takes(Layer layer, int color, int background) {
    return layer == LAYER_OVER || (color == background) == (layer == LAYER_UNDER);
}

typedef struct {
    PartsKind kind;
    Selector selector;
    Patch patch;
    Paint paint;
    Layer layer;
} Drawing;

// Draws on the canvas, which has the size of the scene's grid. Returns the work it took.
int64_t drawing_apply(const Scene *s, const Drawing *d, Brush *b, int8_t *canvas);

#endif
