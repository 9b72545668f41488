// Moving parts of a grid: all that are chosen are lifted, then put down again one by one, each where its
// motion takes it.
//
// In the language a motion is (kind, a, b, leaves): the numbers of the enum here.
#ifndef TESSERA_MOVE_MOTION_H
#define TESSERA_MOVE_MOTION_H

#include "draw/drawing.h"

typedef enum {
    MOVE_BY,      // a rows down, b columns to the right
    MOVE_SLIDE,   // in direction a until something blocks it
    MOVE_WALL,    // in direction a to the wall, through anything
    MOVE_OWN,     // in direction a by its own b: 0 height, 1 width, 2 size, 3 the box's size that way
    MOVE_TOWARDS, // straight to the nearest part that stays, of colour a (10: any), until they touch;
                  //   b: 1 as far as it overlaps none, but through anything else
    MOVE_FALL,    // each cell by itself in direction a until something blocks it
    MOVE_TURN,    // in place, by symmetry_by_steps[a]
    MOVE_ALIGN,   // with the nearest part that stays, of colour b (10: any), by its a: 0 top, 1 middle row,
                  //   2 bottom, 3 left, 4 middle column, 5 right
    MOVES
} MoveKind;

typedef struct {
    int16_t kind, a, b;
    bool leaves; // itself behind: a copy moves
} Motion;

// Moves the chosen parts of the scene's grid; the result goes to canvas. Returns the work it took.
int64_t move_apply(const Scene *s, const bool *chosen, const Motion *m, const Paint *paint, int8_t *canvas);

#endif
