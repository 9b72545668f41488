// What the generator of the tests draws from a seed, for tests/compilers.py:
//
//     draws SEED COUNT     random programs, as text
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "generate.h"

#define MEMORY ((size_t)256 << 20)

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    long seed = strtol(argv[1], NULL, 10), count = strtol(argv[2], NULL, 10);
    Ctx c, scratch;
    gen_context(&c, MEMORY);
    gen_context(&scratch, MEMORY);
    for (long k = 0; k < count; k++) {
        ctx_begin(&c, INT64_MAX / 2);
        Gen g = {.rng = {hash_mix((uint64_t)seed, (uint64_t)k)}, .c = &c, .scratch = &scratch};
        char name[32];
        Text text = {0};
        Value grid = gen_typed(&g, "Grid"), result;
        snprintf(name, sizeof name, "solve_%ld_%ld", seed, k);
        if (gen_program(&g, name, grid, &text, &result)) puts(text.data);
        text_free(&text);
    }
    arena_free(&c.arena);
    arena_free(&scratch.arena);
    return 0;
}
