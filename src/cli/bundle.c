#include "cli/bundle.h"

// The files are laid into the object file as they are; BUNDLE_TASKS is made by the Makefile.
#define INCLUDE_FILE(symbol, path)                                                                          \
    __asm__(".section .rodata\n.global " #symbol "\n.global " #symbol "_end\n" #symbol ":\n.incbin \"" path \
            "\"\n" #symbol "_end:\n.byte 0\n.text\n")

INCLUDE_FILE(bundle_tasks, BUNDLE_TASKS);
INCLUDE_FILE(bundle_programs, "tasks/solvers.py");

extern const char bundle_tasks_end[], bundle_programs_end[];

size_t bundle_tasks_length(void) { return (size_t)(bundle_tasks_end - bundle_tasks); }
size_t bundle_programs_length(void) { return (size_t)(bundle_programs_end - bundle_programs); }
