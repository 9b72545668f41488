// The geometry that all rules share: the eight symmetries, the eight directions, boxes.
//
// There is one numbering of each, that of the shapes Symmetry and Direction. Where the codes of a primitive,
// or the order in which a rule tries things, are others, a small table at that place says so.
#ifndef TESSERA_GRID_GEOMETRY_H
#define TESSERA_GRID_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "words/words.h"

// ---- Symmetries ----

enum { SYMMETRIES = Symmetry_AS_IS + 1 };
// Each is made of three steps: rows and columns exchanged, then turned upside down, then left to right. A bit
// for each symmetry that takes a step.
enum {
    SYMMETRIES_THAT_EXCHANGE = 0x5A,
    SYMMETRIES_THAT_FLIP_ROWS = 0x69,
    SYMMETRIES_THAT_FLIP_COLUMNS = 0x3C
};
// The symmetry of a Turn: the one that takes the steps of its bits 1, 2 and 4.
extern const int8_t symmetry_by_steps[SYMMETRIES];

// Whether it exchanges rows and columns.
static inline bool symmetry_exchanges(int s) { return SYMMETRIES_THAT_EXCHANGE >> s & 1; }
// Where (i, j) of h by w cells comes to lie.
static inline void symmetry_cell(int s, int h, int w, int i, int j, int *k, int *l) {
    bool exchanges = symmetry_exchanges(s);
    int row = exchanges ? j : i, column = exchanges ? i : j;
    *k = SYMMETRIES_THAT_FLIP_ROWS >> s & 1 ? (exchanges ? w : h) - 1 - row : row;
    *l = SYMMETRIES_THAT_FLIP_COLUMNS >> s & 1 ? (exchanges ? h : w) - 1 - column : column;
}
// All of h by w cells moved.
void symmetry_cells(int s, int h, int w, const int8_t *from, int8_t *to);
int symmetry_inverse(int s);
int symmetry_then(int s, int then); // both, one after the other

// ---- Directions: four sides, then four corners, clockwise from above and from above right ----

enum { DIRECTIONS = Direction_NORTHWEST + 1 };
static const int8_t direction_rows[DIRECTIONS] = {-1, 0, 1, 0, -1, 1, 1, -1};
static const int8_t direction_columns[DIRECTIONS] = {0, 1, 0, -1, 1, 1, -1, -1};

// ---- Boxes ----

typedef struct {
    int top, left, bottom, right; // the outermost rows and columns, all inside
} Box;

static inline int box_height(Box b) { return b.bottom - b.top + 1; }
static inline int box_width(Box b) { return b.right - b.left + 1; }
static inline bool box_holds(Box b, int i, int j) {
    return i >= b.top && i <= b.bottom && j >= b.left && j <= b.right;
}
static inline Box box_grown(Box b, int by) {
    return (Box){b.top - by, b.left - by, b.bottom + by, b.right + by};
}

#endif
