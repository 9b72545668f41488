// The points of the bundled differs (src/battery/differs.py), worked out without running them.
//
// Batteries and judges meet grids by the million. So what the differs ask of a grid is found once
// (PointsSight), and the right grid's is kept. The tests compare the points with those of the programs.
// Grids are at most GRID_TASK_SIDE by GRID_TASK_SIDE.
#ifndef TESSERA_BATTERY_POINTS_H
#define TESSERA_BATTERY_POINTS_H

#include "grid/grid.h"
#include "value/value.h"

enum {
    POINTS_PERFECT = 1000,
    POINTS_SIZES = GRID_TASK_SIDE * GRID_TASK_SIDE / 64 + 1,
    POINTS_UNITS = 1000000,        // that a differ may spend on a grid,
    POINTS_LARGE_UNITS = 16000000, // and on one of a task with larger grids than usual
};

// What counts of a grid.
typedef struct {
    const Obj *grid;
    int32_t color_count, size_count;
    int32_t size_words;           // that a grid of so many cells needs; those behind them are not set
    uint64_t colors[4];           // a bit for each that occurs, offset by CELL_BIAS
    uint64_t sizes[POINTS_SIZES]; // a bit for each size of an object that is not background
} PointsSight;

// Whether a grid may be an answer to a task whose answers have at most `side` rows and columns (task_side).
static inline bool points_comparable(const Obj *grid, int side) {
    return grid->n <= (uint32_t)side && grid->width <= (uint32_t)side;
}
void points_look(const Obj *grid, PointsSight *sight);
int32_t points_give(const PointsSight *grid, const PointsSight *right); // the mean of the differs, 0 to 1000
// The part of the way from the input to the right grid; only that one has gone all of it.
int32_t points_score(int32_t points, int32_t input_points);

#endif
