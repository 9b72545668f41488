// How far a program that is right on all demos of a task is to be trusted. (confidence.c)
#ifndef TESSERA_POOL_CONFIDENCE_H
#define TESSERA_POOL_CONFIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POOL_KIN = 4 };

typedef struct {
    uint64_t answers;       // a hash of what it gives for the tests; 0: not known
    uint64_t kin[POOL_KIN]; // those with one of them in common are no independent witnesses; 0: none
    size_t lines;
    double confidence; // that it is right on the tests: what comes out
    size_t group;      // for confidence.c
} PoolWitness;

// Weighs all programs that are right on all demos of one task. False where memory is short.
bool pool_weigh(PoolWitness *witnesses, size_t count);
// A hash of the text of a program without its constants.
uint64_t pool_shape(const char *text);
// The programs that a text on the origin of a program names, by the hashes in it.
void pool_parents(const char *origin, uint64_t *parents, size_t most);

#endif
