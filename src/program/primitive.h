// Primitives that users register: what is known of them beside their rows in the table of primitives.
//
// They are registered one after the other, under a lock, and never go: who knows the number of one reads all
// of it without a lock. Only what calls gave before is shared and changes (primitive_call.c).
#ifndef TESSERA_PROGRAM_PRIMITIVE_H
#define TESSERA_PROGRAM_PRIMITIVE_H

#include "program/types.h"

typedef struct PrimitiveMemory PrimitiveMemory;

typedef struct {
    ts_primitive_call *call;
    void *user;
    int64_t units;
    int arity;
    Type types[LINE_MOST_ARGS], result;
    PrimitiveMemory *memory; // NULL: each call is made
    char name[32], parameters[LINE_MOST_ARGS][32];
    char *doc, *example;
} Primitive;

extern Primitive primitive_added[OPS_ADDED_MOST];

// The function that stands in the row of primitive OPS + number. (primitive_call.c)
OpFn *primitive_function(unsigned number);
PrimitiveMemory *primitive_memory_new(void); // NULL where memory is short
void primitive_memory_clear(PrimitiveMemory *memory);

#endif
