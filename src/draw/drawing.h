// Drawing for each part of a grid: its box filled, a ray to the wall, a ring around it, a mirrored copy
// beside it.
//
// A patch is what is drawn for a part: some cells, which take the colour that a paint gives, or which bring
// their own colours along (a copy does). Patches, paints and layers are the shapes Drawn, Paint and Layer of
// words/words.def, and have their codes here.
#ifndef TESSERA_DRAW_DRAWING_H
#define TESSERA_DRAW_DRAWING_H

#include "grid/geometry.h"
#include "parts/selector.h"

// A cell of a part, with a bit for each direction in which the next cell is the part's, too.
typedef struct {
    uint8_t row, column, own;
} Spot;

// A grid seen in one way, with the properties of its parts.
typedef struct {
    Parts parts;
    const int *props;
    const Spot *cells; // of all parts, row by row,
    const int *first;  // and where those of each begin; one more
    uint32_t colors;   // of the grid, as bits; 0 where one is not among 0 to 31
} Scene;
enum { SCENE_MOST_PARTS = SELECTOR_PARTS };
// False where memory is short or there are too many parts.
bool scene_of(Arena *a, ts_grid grid, PartsKind kind, Scene *scene);

typedef struct {
    int8_t row, column, color; // color: a StampColor
} StampCell;
enum {
    PATCHES = Drawn_RINGS + 1,
    DRAWING_BESIDE = Beside_IN_PLACE + 1, // a Beside: this + a Direction
    STAMP_MOST = 200,
};

typedef struct {
    int16_t kind, a, b, c, d; // a Drawn and its fields
    int cells;                // of a stamp
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

// How far the boxes of two parts are apart: rows and columns from one to the other.
static inline int drawing_gap(int low, int high, int other_low, int other_high) {
    int after = other_low - high, before = low - other_high, gap = after > before ? after : before;
    return gap > 0 ? gap : 0;
}
static inline int drawing_distance(const Part *p, const Part *q) {
    return drawing_gap(p->top, p->bottom, q->top, q->bottom) +
           drawing_gap(p->left, p->right, q->left, q->right);
}
// Puts plain numbers for those that are worked out. Returns the work it took, in units.
int drawing_work_out(const Scene *s, int part, Patch *patch);

// Puts down the patch of a part. Returns the work it took, in units.
int drawing_patch(const Scene *s, int part, const Patch *patch, Brush *b);

enum { PAINTS = Paint_BY_TABLE + 1, PAINT_ENTRIES = 16 };
typedef struct {
    int8_t kind, value; // a Paint; the colour, or the property
    int entries;
    int16_t from[PAINT_ENTRIES];
    int8_t to[PAINT_ENTRIES];
} Paint;

// The colour that fewest of its cells have, the lowest of equals.
int drawing_rarest(const Scene *s, int part);
// -1 where there is none.
int drawing_paint(const Scene *s, int part, const Paint *paint);

typedef int Layer; // a word of that shape
enum { LAYERS = Layer_ON_THINGS + 1 };
static inline bool layer_takes(Layer layer, int color, int background) {
    return layer == Layer_OVER || (color == background) == (layer == Layer_UNDER);
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
