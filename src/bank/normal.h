// The normal form of colours: a task in which colours change places from sample to sample becomes one in
// which a colour means the same everywhere.
//
// Some colours keep their meaning over all demos; they come first, in their order. The others are told apart
// by features, such as having the most cells: the first that the first feature picks, then the one that the
// second picks among the rest, and so on. A sample's map takes each colour to its number in this order.
#ifndef TESSERA_BANK_NORMAL_H
#define TESSERA_BANK_NORMAL_H

#include "grid/grid.h"
#include "words/words.h"

enum { NORMAL_FEATURES = ColorTrait_FARTHEST + 8 };
enum { NORMAL_MOST_SIDE = 64 }; // of an input: a row is a word of bits

typedef struct {
    unsigned kept;       // a bit for each colour that stays as it is; black always does
    int count;           // of features
    uint8_t features[9]; // each a ColorTrait that picks one colour
} NormalForm;

// From the demos. Cells must be 0 to 9.
void normal_learn(const ts_grid *inputs, const ts_grid *outputs, int demos, NormalForm *form);
// The number of each colour for this sample, of which only the input is looked at.
void normal_map(const NormalForm *form, ts_grid input, int8_t map[10]);
// The other way round.
void normal_inverse(const int8_t map[10], int8_t inverse[10]);

#endif
