// Moving parts of a grid: all that are chosen are lifted, then put down again one by one, each where its
// motion takes it. Motions are the shape Motion of words/words.def, and have its codes here.
#ifndef TESSERA_MOVE_MOTION_H
#define TESSERA_MOVE_MOTION_H

#include "draw/drawing.h"

enum { MOVES = Motion_ALIGN + 1 };

typedef struct {
    int16_t kind, a, b; // a Motion and its fields
    bool leaves;        // itself behind: a copy moves
} Motion;

// Moves the chosen parts of the scene's grid; the result goes to canvas. Returns the work it took.
int64_t move_apply(const Scene *s, const bool *chosen, const Motion *m, const Paint *paint, int8_t *canvas);

#endif
