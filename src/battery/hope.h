// Which candidates can be right on a demo, seen before they are run.
//
// A grid that is painted over has the size of the grid below, and where the two differ a colour that was
// painted. So where the output has another size, or differs from the grid below in a colour that is not
// painted, the candidate is wrong whatever the patch: and patches are the dearest part of most programs.
// What is turned, or has its colours exchanged, has at least a size that is known.
//
// So a stage is run in two steps: first all that is no such grid, and the grids below; then, of the painted
// ones, those that can be right, and what they need.
#ifndef TESSERA_BATTERY_HOPE_H
#define TESSERA_BATTERY_HOPE_H

#include "battery/sheet.h"

// Asks for what shows whether candidates can be right in a lane.
void hope_ask_below(Sheet *s, const bool *eligible, uint32_t lane);
// After that was run: asks for the painted candidates that can be this output; NULL: for all of them.
void hope_ask_painted(Sheet *s, const bool *eligible, uint32_t lane, const ts_grid *output);

#endif
