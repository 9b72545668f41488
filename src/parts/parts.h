// The parts of a grid: what a person would call its objects, under several ways of looking.
//
// A segmentation labels each cell with the part it belongs to, or none; its parts come with their boxes and
// counts, and further properties are worked out when they are asked for. The rules that the search learns,
// and the primitives that carry them out, see grids through this.
#ifndef TESSERA_PARTS_PARTS_H
#define TESSERA_PARTS_PARTS_H

#include "grid/colors.h"
#include "words/words.h"

typedef int PartsKind; // a word of that shape
enum { PARTS_KINDS = PartsKind_PATCHES + 1 };

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

// False where memory is short. Cells must be 0 to 9 (others are taken as no part's) and the grid no
// larger than a task's (else there are no parts).
bool parts_of(Arena *a, ts_grid grid, int background, PartsKind kind, Parts *parts);

// A Property of a part: a small whole number.
enum { PROPS = Property_HAS_ODD_SIZE + 1 };
int part_prop(const Parts *p, int part, int prop);
// All properties of all parts, [part * PROPS + prop]; NULL where memory is short. What asks for many of them
// takes this.
const int *parts_props(Arena *a, const Parts *p);
// For each part a number that those of one shape have in common, turned and mirrored too, colours left out;
// NULL where memory is short.
const uint64_t *parts_shapes(Arena *a, const Parts *p);
// Whether two have one shape, turned and mirrored too, colours left out.
bool part_same_shape(const Parts *p, int one, int other);
// Cells of a part that are an end, a bend or a branching: with one side of their own, two that are no
// straight line, more.
typedef struct {
    int ends, bends, branches;
} PartOutline;
PartOutline part_outline(const Parts *p, int part);

#endif
