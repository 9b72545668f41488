// The pool that ships with the engine: the programs of pool/, laid into the library as text.
#include "base/status.h"

// BUNDLED_POOL, all files of pool/ as one, is made by the Makefile.
__asm__(".section .rodata\nbundled_pool:\n.incbin \"" BUNDLED_POOL "\"\nbundled_pool_end:\n.text\n");
extern const char bundled_pool[], bundled_pool_end[];

bool ts_programs_bundled(ts_programs *into, ts_status *status) {
    const size_t before = ts_programs_count(into), length = (size_t)(bundled_pool_end - bundled_pool);
    const bool good = ts_programs_add_text(into, "pool", bundled_pool, length, true, NULL, NULL, status);
    for (size_t k = before; k < ts_programs_count(into); k++) ts_programs_set_found(into, k, true);
    return good;
}
