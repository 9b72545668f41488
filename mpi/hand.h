// A hand: the thread of a rank that does the orders, while the rank's main thread carries messages.
#ifndef TESSERA_MPI_HAND_H
#define TESSERA_MPI_HAND_H

#include <stdbool.h>

// What ranks send to one another: a text, and of which kind it is (the tag).
typedef enum {
    MESSAGE_STOCK = 1, // to workers: what orders go with
    MESSAGE_ORDER,
    MESSAGE_RESULT,  // back
    MESSAGE_TROUBLE, // back: why there is no result
    MESSAGE_ALIVE,   // back, now and then
    MESSAGE_END,     // to workers: there is no more to do
    MESSAGE_BYE,     // back, the last one
} MessageKind;

typedef struct Message {
    MessageKind kind;
    char *text; // of trouble NULL: no memory for words
    struct Message *next;
} Message;

typedef struct Hand Hand;

Hand *hand_new(void); // NULL: no memory, or no thread
// Ends what it is doing as soon as may be. NULL is fine.
void hand_free(Hand *h);
// Puts a stock or an order, which the hand then owns, behind those it has.
bool hand_put(Hand *h, MessageKind kind, char *text);
// The next result or trouble, in the order of the orders, yours to free with its text; NULL: none now.
Message *hand_get(Hand *h);

#endif
