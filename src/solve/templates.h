// Which layouts (rule/features.h) give bases of the size of the outputs, on all demos.
#ifndef TESSERA_TEMPLATES_H
#define TESSERA_TEMPLATES_H

#include "rule/features.h"
#include "solve/quest.h"

enum { TEMPLATES_MOST = 8 };
// The likeliest first. Returns how many.
int templates_find(Quest *q, Layout layouts[TEMPLATES_MOST]);

#endif
