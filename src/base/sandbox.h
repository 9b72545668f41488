// A process that only computes gives up its rights for good: see sandbox.c.
#ifndef TESSERA_BASE_SANDBOX_H
#define TESSERA_BASE_SANDBOX_H

#include <stdbool.h>

// Closes all files but standard input, output and error.
void sandbox_close_files(void);

// All threads that there are lose their rights; none can be started later. False, with the reason, where this
// build or this system has no sandbox: then nothing has changed but that no new rights can be had by exec.
bool sandbox_enter(const char **why);

#endif
