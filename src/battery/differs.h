// Partial scores: how near a grid is to the right one.
//
// A differ is a program (S, I, C) that compares a grid I with the right one C and gives (score from 0 to
// 1000, detail). All differs are one graph; its lanes are not samples but the different grids that one sample
// gave, so that what concerns C alone is done once for all of them.
//
// A grid's points are the mean over all differs. Its score is the part of the way from the plain input to
// the right answer: 0 for no better than the input, 1000 for right.
#ifndef TESSERA_BATTERY_DIFFERS_H
#define TESSERA_BATTERY_DIFFERS_H

#include "battery/grids.h"
#include "battery/sheet.h"

extern const SheetLimits differs_limits; // what is usual
bool differs_init(Sheet *s, const Graph *differs, const SheetLimits *limits, bool plain, Profile *profile);
size_t differs_room(const SheetLimits *limits); // what an arena needs for what they may keep at a time
// Scores all grids of a lane; what this takes is in the context given, and gone with the next call.
void differs_score(Sheet *s, Ctx *c, Value samples, Value input, Value expected, Grids *grids);
// The same by the bundled differs, a tenth of the work (points.h).
void differs_score_bundled(Value input, Value expected, Grids *grids);

#endif
