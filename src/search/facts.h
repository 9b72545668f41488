// Facts: what the demos have in common, which an answer is asked for too.
#ifndef TESSERA_SEARCH_FACTS_H
#define TESSERA_SEARCH_FACTS_H

#include "search/quest.h"

typedef enum {
#define FACT(name, kind, odds, words) FACT_##name,
#include "search/facts.def"
    FACTS
} Fact;

typedef struct {
    uint64_t asked;   // a bit for each fact that holds for the demos
    int same[FACTS];  // of kind SAME: the number
    unsigned colors;  // of any output, as bits
    unsigned firm;    // of inputs: those whose cells never change,
    unsigned counted; // and those of which there are always as many as before
} Facts;
_Static_assert((int)FACTS <= 64, "a bit for each");

Facts facts_of(const Quest *q);
// Those that an answer to an input breaks, a bit for each.
uint64_t facts_broken(const Facts *f, ts_grid input, ts_grid answer);
// What is left of odds.
double facts_odds(uint64_t broken);
const char *facts_name(Fact fact);
const char *facts_words(Fact fact);

#endif
