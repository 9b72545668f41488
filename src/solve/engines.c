// The table of engines.
#include "solve/quest.h"

#define ENGINE(name, share, doc) \
    __attribute__((weak)) bool engine_##name(Quest *q) { return q != NULL; }
#include "solve/engines.def"

const Engine engines[ENGINES] = {
#define ENGINE(name, share, doc) {#name, doc, share, engine_##name},
#include "solve/engines.def"
};
