// Walkers: each begins at a part of a grid, goes cell by cell, colours its way, and has a habit for what it
// meets: at a wall it turns, at a red cell it stops. Headings, habits and the rest are the shape Walk of
// words/walk.def, and have its codes here.
//
// A walker sees the grid as it was given and its own trail, never another's: so the order in which they go
// says nothing, but for whose colour is on top.
#ifndef TESSERA_WALK_WALKER_H
#define TESSERA_WALK_WALKER_H

#include "draw/drawing.h"

enum {
    WALK_METS = Met_OWN_KIND + 1,
    WALK_DEEDS = Deed_VANISHES + 1,
    WALK_UNSET = -1,       // as a deed: there is no habit
    WALK_MOST_BEGINS = 512 // of a part
};

typedef struct {
    int from, heading, gait, rhythm; // words of the shapes WalkFrom, Heading, Gait, Rhythm
    bool colors_start;
    Paint paint;
    int8_t deeds[WALK_METS];
    bool takes[WALK_METS]; // the colour that is met
} Walk;

// A walk without habits.
void walk_clear_habits(Walk *w);
// What goes without saying: it stops at the border and crosses its trail.
void walk_default_habits(Walk *w);

// Where one walker begins.
typedef struct {
    int at, direction;
} WalkBegin;
// Those of a part. Returns how many.
int walk_begins(const Scene *s, int part, const Walk *w, WalkBegin *begins);

typedef enum { WALK_ENDED, WALK_VANISHED, WALK_PUZZLED } WalkEnd;

// What a walker meets that there is no habit for: each colour by itself, any thing, or its own colour and
// others.
typedef enum { EYES_THINGS, EYES_COLORS, EYES_OWN, WALK_EYES } WalkEyes;

typedef struct {
    const Scene *scene;
    const Walk *walk;
    WalkEyes eyes;
    int room;          // for coloured cells
    int n;             // cells that were coloured
    uint16_t *at;      // these
    int8_t *color;     // and their colours
    uint16_t *seen;    // for each cell the directions in which it was entered, and SOAKED
    int16_t *queue;    // cells, for floods
    int met;           // what it was puzzled by
    int ahead, facing; // the cell of that, -1 beyond the border, and the direction to it
    unsigned things;   // colours of things that it met
    int64_t steps;     // work done, in units
} Walker;

bool walker_init(Arena *a, Walker *x, int cells); // of the largest grid
// One walker, whose colour is that of the paint. What it colours is in x->at and x->color: nothing of it
// counts where it has vanished; where it is puzzled it is what there was up to there.
WalkEnd walker_go(Walker *x, WalkBegin begin, int color);
// The colour in which a walker begins, -1 for none.
int walk_color(const Scene *s, int part, const Walk *w, WalkBegin begin);

#endif
