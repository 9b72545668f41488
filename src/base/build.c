#include "base/build.h"

const char *build_sum(void) { return SOURCES_SUM; }
