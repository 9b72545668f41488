// What the primitives that draw and move share: rules as the codes of words.
#ifndef TESSERA_DRAW_DRAW_OP_H
#define TESSERA_DRAW_DRAW_OP_H

#include "draw/drawing.h"
#include "words/words.h"

enum { WHICH_CODES = 14, PAINT_CODES = 36, DRAWING_CODES = 640 }; // enough for those of the shapes

void draw_which_of(const int *codes, PartsKind *kind, Selector *s);
void draw_paint_of(const int *codes, Paint *p);
// Sees a grid's parts with all their properties, and charges for it.
bool draw_see(Ctx *c, ts_grid grid, PartsKind kind, Scene *scene);
// Which of them a selector takes, charged for as well.
void draw_choose(Ctx *c, const Scene *scene, const Selector *s, bool chosen[SCENE_MOST_PARTS]);

#endif
