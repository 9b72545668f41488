// Which build this is.
#ifndef TESSERA_BASE_BUILD_H
#define TESSERA_BASE_BUILD_H

// A number that follows from all sources, as text. What they are is part of what decides the results of a
// search: so what was begun by one build, here or on another machine, is not for another one to go on with.
const char *build_sum(void);

#endif
