// Which parts of a grid a rule is for: those that meet some conditions on their properties, such as "the
// largest of the red ones".
//
// The conditions narrow the choice one after the other, so that ((COLOR, EQUALS, 2), (SIZE, MOST)) is the
// largest part of colour 2, and not the parts of colour 2 that are the largest of all.
#ifndef TESSERA_PARTS_SELECTOR_H
#define TESSERA_PARTS_SELECTOR_H

#include "parts/parts.h"

enum { TESTS = Test_AT_LEAST + 1 };

typedef struct {
    uint8_t prop, test; // a Property and a Test
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
