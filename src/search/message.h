// Texts between who gives out work and who does it: records as in a journal, under a line that says what it
// is.
//
//     tessera  KIND  build  primitives  stock
//
// The build and the primitives that programs have registered must be the same on both sides, or what is found
// would depend on who looks for it. The stock is what many orders share (a pool, the tasks of a loop): it is
// sent once, and an order names it by its hash.
#ifndef TESSERA_SEARCH_MESSAGE_H
#define TESSERA_SEARCH_MESSAGE_H

#include "search/journal.h"

enum { MESSAGE_STOCK = 17 }; // bytes of the name of a stock, with the closing zero; "-": none

// Begins a message of this kind that goes with a stock.
void message_begin(Text *t, const char *kind, const char *stock);
// Opens one of this kind, to be read with journal_next; journal_close ends it. `name` is what problems call
// it.
bool message_open(Journal *j, const char *name, const char *kind, const char *text, size_t length, Status *s);
// Ends a message with the hash of all before, so that what was damaged or cut off on the way is found out.
void message_end(Text *t);
// Looks that an open message ends so, and takes the end off. False where it does not.
bool message_whole(Journal *j, Status *s);
// The kind of a message and the stock that it names. False where it is none.
bool message_peek(const char *text, size_t length, char kind[MESSAGE_STOCK], char stock[MESSAGE_STOCK]);
// The name of a stock: the hash of its text.
void message_name(const char *text, size_t length, char stock[MESSAGE_STOCK]);

#endif
