// A program while it is being read: lines and constants are added one by one, equal ones are found again, and
// at the end what the result needs is laid out as a Program.
#ifndef TESSERA_DRAFT_H
#define TESSERA_DRAFT_H

#include "program/program.h"

// What an argument refers to: one of S, I, C, or a constant, or a line.
typedef uint64_t Ref;
enum { REF_GIVEN, REF_CONSTANT, REF_LINE };
static inline Ref ref_make(unsigned kind, uint32_t index) { return (uint64_t)kind << 32 | index; }
static inline unsigned ref_kind(Ref r) { return (unsigned)(r >> 32); }
static inline uint32_t ref_index(Ref r) { return (uint32_t)r; }

typedef struct {
    int16_t op;
    uint8_t n;
    uint32_t source;
    Ref callee, args[LINE_MOST_ARGS];
} DraftLine;

typedef struct {
    DraftLine *lines;
    Value *constants;
    uint32_t line_count, line_room, constant_count, constant_room;
    uint32_t *index; // open hash table over lines and constants: 1 + 2 * number, + 1 for constants
    uint32_t index_count, index_room;
    bool failed;      // memory has run out
    bool keeps_equal; // equal lines stay apart, for measuring
} Draft;

void draft_clear(Draft *d);
void draft_free(Draft *d);
Ref draft_constant(Draft *d, Value v);
Ref draft_line(Draft *d, DraftLine line);
// Takes in a whole program, of which equal lines may be there already. `refs` has room for its slots and is
// left with what each has become.
void draft_program(Draft *d, const Program *p, Ref *refs);
// Lays the program out in the arena of the context: only what the result needs, in the order it is needed.
bool draft_finish(Draft *d, Ctx *c, Ref result, Program *p);

#endif
