// Names: primitives, constants, and the variables of the program that is being read, in one table. A variable
// belongs to one program; starting the next forgets all of them at once by counting up `generation`.
#ifndef TESSERA_SYMBOLS_H
#define TESSERA_SYMBOLS_H

#include "program/program.h"

typedef enum { SYMBOL_UNKNOWN, SYMBOL_OP, SYMBOL_CONSTANT } SymbolKind;

typedef struct {
    const char *name; // not closed by a zero
    size_t length;
    SymbolKind kind; // what the name means where no variable has it
    int op;
    Value constant;
    uint32_t generation; // the program whose variable it is
    uint64_t ref;        // where that variable's value is, for the parser
    bool is_program;     // a program of this text has the name
} Symbol;

typedef struct {
    Symbol *entries;
    size_t count, room; // room is a power of two
    uint32_t generation;
} Symbols;

bool symbols_init(Symbols *s); // false where memory is short
void symbols_free(Symbols *s);
// The entry of a name, made if need be; NULL where memory is short. Valid until the next call.
Symbol *symbols_get(Symbols *s, const char *name, size_t length);
static inline bool symbol_is_variable(const Symbols *s, const Symbol *y) {
    return y->generation == s->generation;
}
// Writes the known name that is spelt most like this one; false where none is near.
bool symbols_nearest(const Symbols *s, const char *name, size_t length, char *nearest, size_t size);

#endif
