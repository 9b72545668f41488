// Trees that are applied over and over, until nothing changes.
#ifndef TESSERA_TREE_SPREAD_H
#define TESSERA_TREE_SPREAD_H

#include "search/quest.h"

// Offers what it finds, for a task whose outputs have the size of the inputs.
void tree_spread(Quest *q);

#endif
