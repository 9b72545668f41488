// Which layouts (tree/features.h) give bases of the size of the outputs, on all demos.
#ifndef TESSERA_TREE_TEMPLATES_H
#define TESSERA_TREE_TEMPLATES_H

#include "tree/features.h"
#include "search/quest.h"

enum { TEMPLATES_MOST = 8 };
// The likeliest first. Returns how many.
int templates_find(Quest *q, CellLayout layouts[TEMPLATES_MOST]);

#endif
