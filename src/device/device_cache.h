// What is worth remembering of a device from one run to the next: its program as the driver has compiled it,
// what was measured of it, that there is none. Files in the user's cache folder, $XDG_CACHE_HOME/tessera or
// ~/.cache/tessera. All of it can be had again: without such a folder, or where a file is damaged or of
// another kind, everything is done as if for the first time.
#ifndef TESSERA_DEVICE_DEVICE_CACHE_H
#define TESSERA_DEVICE_DEVICE_CACHE_H

#include "base/text.h"

// What the file of this name holds, behind what is in `into`: true where it is whole and was kept under this
// key, one line of what it depends on.
bool device_cache_read(const char *name, const char *key, Text *into);
// Keeps it in place of what was there. What goes wrong is nobody's concern.
void device_cache_write(const char *name, const char *key, const char *bytes, size_t length);

#endif
