// The table of engines.
#include <string.h>

#include "base/profile.h"
#include "search/quest.h"

_Static_assert((int)ENGINES <= (int)PROFILE_MOST_ENGINES, "each engine has a slot of a profile");

// The pool's programs are run for all tasks at once, before any engine (solver.c).
bool engine_pool(Quest *q) { return q != NULL; }

const Engine engines_table[ENGINES] = {
#define ENGINE(name, share, doc) {#name, doc, share, engine_##name},
#include "search/engines.def"
};

EngineId engines_find(const char *name, size_t length) {
    int e = 0;
    if (length == 6 && !memcmp(name, "select", 6)) return ENGINE_cutout; // as it was once called
    while (e < ENGINES &&
           (strlen(engines_table[e].name) != length || memcmp(engines_table[e].name, name, length)))
        e++;
    return (EngineId)e;
}

const char *ts_search_engine_at(size_t index, const char **about) {
    if (index >= ENGINES) return NULL;
    if (about) *about = engines_table[index].doc;
    return engines_table[index].name;
}
