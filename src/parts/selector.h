// Which parts of a grid a rule is for: those that meet some conditions on their properties, such as "the
// largest of the red ones".
//
// In the language a selector is a tuple of conditions, each (property, test, value, negated); the conditions
// narrow the choice one after the other, so that ((1, 0, 2, 0), (0, 1, 0, 0)) is the largest part of colour
// 2, and not the parts of colour 2 that are the largest of all.
#ifndef TESSERA_PARTS_SELECTOR_H
#define TESSERA_PARTS_SELECTOR_H

#include "parts/parts.h"

typedef enum {
    TEST_EQUALS,   // the value
    TEST_MOST,     // no other part has more
    TEST_LEAST,    // no other part has less
    TEST_ALONE,    // no other part has as much
    TEST_COMMON,   // has what most parts have
    TEST_BIT,      // bit `value` is set
    TEST_ODD,      // is an odd number
    TEST_AT_LEAST, // the value or more
    TESTS
} Test;

typedef struct {
    uint8_t prop, test;
    int16_t value;
    bool negated;
} Condition;

enum { SELECTOR_MOST = 3, SELECTOR_PARTS = 400 }; // conditions, parts

typedef struct {
    int count;
    Condition at[SELECTOR_MOST];
} Selector;

// Sets chosen[part] to whether the selector takes it. The properties are those of parts_props.
void selector_apply(const Selector *s, int parts, const int *props, bool *chosen);
// Narrows a choice by one condition.
void condition_apply(const Condition *c, int parts, const int *props, bool *chosen);

// The conditions that may matter for some grids, each with its cost: how little it is to be expected, in
// tenths of a bit. Those that compare with a value take it from the parts of these grids.
typedef struct {
    Condition condition;
    int cost;
} Costed;
enum { CONDITIONS_MOST = 1500 };
int conditions_for(int grids, const int *parts, const int *const *props, Costed *conditions);

#endif
