// Names. What each means from the start, as a primitive, a constant or a word of Python, is in one table that
// all readers share; the variables of the program that is being read are in one of its own, which is asked
// first and emptied for the next program.
#ifndef TESSERA_SYMBOLS_H
#define TESSERA_SYMBOLS_H

#include "base/index.h"
#include "program/draft.h"
#include "program/lexer.h"

typedef enum { SYMBOL_NONE, SYMBOL_OP, SYMBOL_CONSTANT } SymbolKind;

// The name itself is that of a token: not closed by a zero.
typedef struct {
    const char *name;
    size_t length;
    uint64_t head;
    SymbolKind kind;  // SYMBOL_NONE for words that are only Python's
    bool is_keyword;  // which no variable may have as its name
    uint32_t letters; // the set of its letters, for spelling
    Value value;      // of the constant; the primitive
} Symbol;

typedef struct {
    const char *name;
    size_t length;
    uint64_t head;
    Ref ref; // REF_NONE before the first value
} Variable;

typedef struct {
    Variable *variables;
    uint32_t count, room;
    Index index; // of the variables
} Symbols;

void symbols_prepare(void); // the table that all share; before anything else
void symbols_free(Symbols *s);
void symbols_clear(Symbols *s); // forgets the variables
// What a name means where no variable has it; NULL: nothing.
const Symbol *symbols_known(const Token *name);
// The value of a variable; REF_NONE where there is none.
Ref symbols_value(const Symbols *s, const Token *name);
// The number of a variable, made if need be; UINT32_MAX where memory is short.
uint32_t symbols_variable(Symbols *s, const Token *name);
// Writes the known name that is spelt most like this one; false where none is near.
bool symbols_nearest(const Symbols *s, const char *name, size_t length, char *nearest, size_t size);

#endif
