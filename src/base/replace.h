// Writes a file so that a reader never sees half of it: under another name beside its place, then renamed. A
// failure leaves the file that was there.
#ifndef TESSERA_BASE_REPLACE_H
#define TESSERA_BASE_REPLACE_H

#include <stdio.h>

#include "base/status.h"

typedef struct {
    FILE *file; // to write to
    const char *path;
    char *name; // what it is called until it is whole
} Replace;

bool replace_open(Replace *r, const char *path, Status *s);
// Puts the new file in its place, or, with good false, takes it away again. Returns whether it is in place.
bool replace_close(Replace *r, bool good, Status *s);
// Takes away what processes that were killed have left beside a path, where nobody is writing to it now.
void replace_tidy(const char *path);
// All of it for a text.
bool replace_with(const char *path, const char *text, size_t length, Status *s);

#endif
