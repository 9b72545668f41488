// A file laid into the object file as it is, closed by a zero, so that it needs not be there when the program
// runs. The path is seen from where the compiler runs.
#ifndef TESSERA_BASE_LAY_IN_H
#define TESSERA_BASE_LAY_IN_H

#ifdef __wasm__ // whose assembler wants to know what a symbol is, and how long
#define LAY_IN(symbol, path)                                                                       \
    __asm__(".section .rodata." #symbol ",\"\",@\n" #symbol ":\n.incbin \"" path "\"\n.int8 0\n"   \
            ".L" #symbol "_end:\n.size " #symbol ", .L" #symbol "_end-" #symbol "\n.type " #symbol \
            ",@object\n.text\n");                                                                  \
    extern const char symbol[] __attribute__((visibility("hidden")))
#else
#define LAY_IN(symbol, path)                                                           \
    __asm__(".section .rodata\n" #symbol ":\n.incbin \"" path "\"\n.byte 0\n.text\n"); \
    extern const char symbol[] __attribute__((visibility("hidden")))
#endif

#endif
