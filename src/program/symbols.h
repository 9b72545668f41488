// Names. What each means from the start, as a primitive, a constant or a word of Python, is in one table that
// all readers share; the variables of the program that is being read are in one of its own, which is asked
// first and emptied for the next program.
#ifndef TESSERA_PROGRAM_SYMBOLS_H
#define TESSERA_PROGRAM_SYMBOLS_H

#include "base/index.h"
#include "program/draft.h"
#include "program/lexer.h"

typedef enum { SYMBOL_NONE, SYMBOL_OP, SYMBOL_CONSTANT, SYMBOL_FROZENSET } SymbolKind;

// The name itself is that of a token: not closed by a zero.
typedef struct {
    const char *name;
    size_t length;
    uint64_t head;
    SymbolKind kind; // SYMBOL_NONE for words that are only Python's
    bool is_keyword; // which no variable may have as its name
    uint32_t number;
    uint32_t letters; // the set of its letters, for spelling
    Value value;      // of the constant; the primitive
} Symbol;

typedef struct {
    const char *name;
    size_t length;
    uint64_t head;
    Ref ref; // REF_NONE before the first value
} Variable;

enum { SYMBOLS_MOST_KNOWN = 2048 };

typedef struct {
    Variable *variables;
    uint32_t count, room;
    Index index; // of the variables
    // To Python a name is one thing in all of a program, and the programs of a text are names in it, too. So
    // for each name that is known from the start it is noted in which program it was used last, and whether a
    // program of the text has it.
    uint64_t program, first;             // the one in hand, and the first of the text, counted from 1
    uint64_t used[SYMBOLS_MOST_KNOWN];   // the program
    uint64_t hidden[SYMBOLS_MOST_KNOWN]; // the text: its first program
    bool hides;                          // one of them is hidden
} Symbols;

void symbols_prepare(void);             // the table that all share; before anything else
bool symbols_is_free(const char *name); // whether it is a name that nothing has yet
void symbols_add(unsigned op);          // the name of a primitive that is registered, before it counts
void symbols_free(Symbols *s);
void symbols_begin(Symbols *s); // a text
void symbols_clear(Symbols *s); // a program of it: forgets the variables
// What a name means where no variable has it; NULL: nothing.
const Symbol *symbols_known(const Token *name);
static inline bool symbol_is_value(const Symbol *y) {
    return y->kind == SYMBOL_OP || y->kind == SYMBOL_CONSTANT;
}
bool symbols_is_hidden(const Symbols *s, const Symbol *known);
// Notes that the program in hand uses it. False where a program of the text hides it.
static inline bool symbols_use(Symbols *s, const Symbol *known) {
    s->used[known->number] = s->program;
    return !s->hides || !symbols_is_hidden(s, known);
}
static inline bool symbols_was_used(const Symbols *s, const Symbol *known) { // in the program in hand
    return s->used[known->number] == s->program;
}
bool symbols_hide(Symbols *s, const Symbol *known); // false where it was used in this text
// The value of a variable; REF_NONE where there is none.
Ref symbols_value(const Symbols *s, const Token *name);
// The number of a variable, made if need be; UINT32_MAX where memory is short.
uint32_t symbols_variable(Symbols *s, const Token *name);
// Writes the known name that is spelt most like this one; false where none is near.
bool symbols_nearest(const Symbols *s, const char *name, size_t length, char *nearest, size_t size);

#endif
