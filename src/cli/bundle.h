// The bundled tasks and their programs, inside the binary: so that every command works anywhere without data.
#ifndef TESSERA_CLI_BUNDLE_H
#define TESSERA_CLI_BUNDLE_H

#include <stddef.h>

extern const char bundle_tasks[], bundle_programs[];
size_t bundle_tasks_length(void);
size_t bundle_programs_length(void);

#endif
