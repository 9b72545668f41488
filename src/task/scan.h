// Pieces of JSON text that are seen at a glance, so that no parser has to take them token by token. What is
// not plainly such a piece is none here, however good JSON it may be. The text holds no byte that JSON may
// not.
#ifndef TESSERA_TASK_SCAN_H
#define TESSERA_TASK_SCAN_H

#include <stddef.h>

#include "grid/grid.h"

enum { TASK_SCAN_WIDE = 32 }; // bytes that a vector takes at a time

typedef struct {
    int height, width;
    signed char cells[GRID_TASK_SIDE * GRID_TASK_SIDE + TASK_SCAN_WIDE]; // with room for what a vector writes
} TaskScanGrid;

size_t task_scan_blanks(const char *text, size_t at, size_t length); // the first byte that is none
// A list of lists of single digits, all of one length and none too long for a task, that begins at `at`.
// Returns where it ends; 0 where it is none.
size_t task_scan_grid(const char *text, size_t at, size_t length, TaskScanGrid *grid);
// An object {"input": grid, "output": grid}, its members in this order. Returns where it ends; 0 where it is
// something else.
size_t task_scan_sample(const char *text, size_t at, size_t length, TaskScanGrid grids[2]);
// A value of objects, lists, strings without escapes and single digits, nested no deeper than this. Returns
// where it ends; 0 where it is something else.
size_t task_scan_value(const char *text, size_t at, size_t length, int depth);
// The first byte that no JSON text may hold; the length where there is none.
size_t task_scan_bad_byte(const char *text, size_t length);

#endif
