// The pool that ships with the engine: the programs of pool/, laid into the library as text.
#include "base/status.h"

// BUNDLED_POOL, all files of pool/ as one, is made by the Makefile.
__asm__(".section .rodata\nbundled_pool:\n.incbin \"" BUNDLED_POOL "\"\nbundled_pool_end:\n.text\n");
extern const char bundled_pool[], bundled_pool_end[];

bool ts_programs_bundled(ts_programs *into, ts_status *status) {
    return ts_programs_add_text(into, "pool", bundled_pool, (size_t)(bundled_pool_end - bundled_pool), true,
                                NULL, NULL, status);
}
