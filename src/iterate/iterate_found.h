// What a worker has found in a round, as a text: what it writes, and what the caller reads. Records are as in
// message.h; there is one head, then the programs, then the tasks.
//
//     found    number of the round, 1 if there was time for all of it, programs that growth has tried
//     program  text, under the name solve
//     task     place among those of the round, then a field "program dealt right score" for each candidate:
//              places of its program here and of the one that was dealt, demos right, score
//     end      as in message.h
#ifndef TESSERA_ITERATE_ITERATE_FOUND_H
#define TESSERA_ITERATE_ITERATE_FOUND_H

#include "iterate/iterate.h"
#include "search/message.h"

// Writes what a battery has that the bars let through. `battery` NULL: nothing. False where memory is short.
bool iterate_found_write(Text *t, const char *stock, uint64_t number, bool whole, uint64_t grown,
                         ts_battery *battery, const IterateBar *bars, size_t tasks, Status *s);

// Whole numbers of a field with a blank between, at most so many, none above `most`. `*count` says how many;
// false where there is anything else.
bool iterate_found_numbers(const Journal *j, int field, uint64_t most, uint64_t *numbers, size_t room,
                           size_t *count, Status *s);

#endif
