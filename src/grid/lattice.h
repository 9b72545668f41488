// Rows and columns of one colour that cross a whole grid, and the rooms between them.
#ifndef TESSERA_GRID_LATTICE_H
#define TESSERA_GRID_LATTICE_H

#include "grid/grid.h"

// Some rows and columns of a grid, a bit for each.
typedef struct {
    GridRow rows, columns;
} GridLines;

// All that are of this colour alone.
GridLines grid_lines(ts_grid grid, int color);
// Those that are as the one before.
GridLines grid_repeated_lines(ts_grid grid);
// The grid without them; false where nothing is left, or memory is short.
bool grid_without(Arena *a, ts_grid grid, GridLines lines, ts_grid *out);

// Where the rooms begin and end along one axis; the end is the first place beyond.
typedef struct {
    int count;
    int8_t start[GRID_TASK_SIDE], end[GRID_TASK_SIDE];
} Spans;

typedef struct {
    int color; // of the lines
    Spans rows, columns;
} Lattice;

static inline int lattice_rooms(const Lattice *l) { return l->rows.count * l->columns.count; }
// Rooms are numbered row by row.
static inline Box lattice_room(const Lattice *l, int room) {
    int i = room / l->columns.count, j = room % l->columns.count;
    return (Box){l->rows.start[i], l->columns.start[j], l->rows.end[i] - 1, l->columns.end[j] - 1};
}

// The lattice of the colour, of a set, that has most lines, the lowest of equals; the colour `spare` (-1:
// none) only where no other has any. False where it has fewer than two rooms.
bool lattice_by_lines(ts_grid grid, unsigned colors, int spare, Lattice *l);
// The lattice of the lowest colour whose lines leave so many rooms; false where there is none.
bool lattice_by_rooms(ts_grid grid, int least, Lattice *l);

#endif
