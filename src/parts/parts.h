// The parts of a grid: what a person would call its objects, under several ways of looking.
//
// A segmentation labels each cell with the part it belongs to, or none; its parts come with their boxes and
// counts, and further properties are worked out when they are asked for. The rules that the search learns,
// and the primitives that carry them out, see grids through this.
#ifndef TESSERA_PARTS_PARTS_H
#define TESSERA_PARTS_PARTS_H

#include "grid/colors.h"

typedef enum {
    PARTS_COLOR4, // cells of one colour, connected over sides; not the background
    PARTS_COLOR8, // the same, over corners too
    PARTS_ANY4,   // cells that are not background, of any colours, connected over sides
    PARTS_ANY8,
    PARTS_BY_COLOR, // all cells of one colour, wherever they are; not the background
    PARTS_GROUND4,  // the background alone, connected over sides
    PARTS_ALL4,     // cells of one colour, background too, connected over sides
    PARTS_KINDS
} PartsKind;

typedef struct {
    int color;                    // the commonest, the lowest of equals
    uint16_t colors;              // a bit for each colour
    int size;                     // cells
    int top, left, bottom, right; // its box, the last row and column included
    int first;                    // its first cell, row by row
} Part;
static inline Box part_box(const Part *p) { return (Box){p->top, p->left, p->bottom, p->right}; }

typedef struct {
    ts_grid grid;
    int background;
    PartsKind kind;
    int count;
    Part *parts;    // by their first cell, row by row
    int16_t *label; // of each cell: its part, -1 for none
} Parts;

// False where memory is short. Cells must be 0 to 9 (others are taken as no part's) and the grid at most
// 64 by 64 (else there are no parts).
bool parts_of(Arena *a, ts_grid grid, int background, PartsKind kind, Parts *parts);

// The properties of a part, all small whole numbers.
typedef enum {
    PROP_SIZE,
    PROP_COLOR,
    PROP_COLORS, // how many
    PROP_HEIGHT,
    PROP_WIDTH,
    PROP_AREA,     // of the box
    PROP_LONGER,   // side of the box
    PROP_GAPS,     // cells of the box that are not the part's
    PROP_HOLES,    // separate regions that it encloses
    PROP_ENCLOSED, // cells of those
    PROP_TOP,
    PROP_LEFT,
    PROP_BOTTOM,
    PROP_RIGHT,
    PROP_BORDER,       // touches the border of the grid
    PROP_RECTANGLE,    // fills its box
    PROP_SQUARE,       // its box is square
    PROP_LINE,         // one row or column
    PROP_MIRROR_H,     // equals its mirror image, upside down
    PROP_MIRROR_V,     // … left to right
    PROP_MIRROR_D,     // … transposed
    PROP_SYMMETRIES,   // of the three, how many
    PROP_SAME_SHAPE,   // parts of this shape, itself included
    PROP_SAME_COLOR,   // parts of this colour
    PROP_SAME_SIZE,    // parts of this size
    PROP_SHAPE_TURNED, // parts of this shape up to turns and mirrors
    PROP_NEIGHBORS,    // other parts that it touches, over corners too
    PROP_TOUCHES,      // colours, as bits, that lie beside it, background left out
    PROP_INSIDE,       // within the box of another part
    PROP_CONTAINS,     // other parts within its box
    PROP_FOREIGN,      // cells of other colours within its box, background left out
    PROP_ODD_CELLS,    // its cells that are not of its commonest colour
    PROP_ROW_RANK,     // parts whose top is above its own
    PROP_COLUMN_RANK,
    PROP_SIZE_RANK, // parts that are larger
    PROP_SIZE_PARITY,
    PROPS
} Prop;
extern const char *const prop_names[PROPS];

int part_prop(const Parts *p, int part, Prop prop);
// All properties of all parts, [part * PROPS + prop]; NULL where memory is short. What asks for many of them
// takes this.
const int *parts_props(Arena *a, const Parts *p);

#endif
