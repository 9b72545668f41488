// A program while it is being read: lines and constants are added one by one, equal ones are found again, and
// at the end what the result needs is laid out as a Program.
#ifndef TESSERA_PROGRAM_DRAFT_H
#define TESSERA_PROGRAM_DRAFT_H

#include <assert.h>

#include "base/index.h"
#include "program/program.h"

// What an argument refers to: one of S, I, C, or a constant, or a line.
typedef uint32_t Ref;
enum { REF_GIVEN, REF_CONSTANT, REF_LINE };
#define REF_NONE UINT32_MAX
static inline Ref ref_make(unsigned kind, uint32_t index) {
    assert(kind <= REF_LINE && index < 1U << 30);
    return kind << 30 | index;
}
static inline unsigned ref_kind(Ref r) { return r >> 30; }
static inline uint32_t ref_index(Ref r) { return r & (UINT32_MAX >> 2); }

typedef struct {
    int16_t op;
    uint8_t n;
    Ref callee, args[LINE_MOST_ARGS]; // zeros where there are none
    uint32_t source;
    char name[LINE_NAME];
} DraftLine;

typedef struct {
    DraftLine *lines;
    Value *constants;
    uint32_t line_count, line_room, constant_count, constant_room;
    Index index;      // of lines (2 * number) and constants (2 * number + 1)
    uint32_t *places; // for draft_finish, with room for so many lines and constants
    uint32_t placed_lines, placed_constants;
    bool failed;      // memory has run out
    bool keeps_equal; // equal lines stay apart, for measuring
} Draft;

void draft_clear(Draft *d);
void draft_free(Draft *d);
Ref draft_constant(Draft *d, Value v);
Ref draft_line(Draft *d, const DraftLine *line);
// The name that the text gives a value, with its first eight bytes; the first that a line gets stays.
void draft_long_name(char *into, const char *name, size_t length);
static inline void draft_name(Draft *d, Ref value, uint64_t head, const char *name, size_t length) {
    if (ref_kind(value) != REF_LINE) return;
    char *into = d->lines[ref_index(value)].name;
    if (into[0]) return;
    memcpy(into, &head, sizeof head);
    if (length > sizeof head) draft_long_name(into, name, length);
}

// What a slot of a program has become, and a hash of all that it says.
typedef struct {
    Ref ref;
    uint32_t hash;
} DraftSlot;

// Takes in a whole program, of which equal lines may be there already, and fills in its slots. A draft takes
// in whole programs or single lines, but not both.
void draft_program(Draft *d, const Program *p, DraftSlot *slots);
// Lays the program out in the arena of the context: only what the result needs, in the order it is needed.
bool draft_finish(Draft *d, Ctx *c, Ref result, Program *p);

#endif
