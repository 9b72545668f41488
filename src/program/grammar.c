// The rules of grammar.def as tables.
#include "program/grammar.h"

#define ONE_OF(sort) ((uint64_t)1 << SORT_##sort)
#define in_grid ONE_OF(GRID)
#define in_grid_i (ONE_OF(GRID) | GRAMMAR_PREFERS_INPUT)
#define in_grids ONE_OF(GRIDS)
#define in_objects ONE_OF(OBJECTS)
#define in_patches ONE_OF(PATCHES)
#define in_list ONE_OF(LIST)
#define in_numbers ONE_OF(NUMBERS)
#define in_object ONE_OF(OBJECT)
#define in_indices ONE_OF(INDICES)
#define in_patch (ONE_OF(OBJECT) | ONE_OF(INDICES))
#define in_pair (ONE_OF(PAIR) | ONE_OF(DIRECTION))
#define in_direction ONE_OF(DIRECTION)
#define in_number ONE_OF(NUMBER)
#define in_color ONE_OF(COLOR)
#define in_truth ONE_OF(TRUTH)
#define in_flags ONE_OF(FLAGS)
#define in_patch_to_number ONE_OF(PATCH_TO_NUMBER)
#define in_patch_to_color ONE_OF(PATCH_TO_COLOR)
#define in_patch_to_truth ONE_OF(PATCH_TO_TRUTH)
#define in_patch_to_pair ONE_OF(PATCH_TO_PAIR)
#define in_patch_to_indices ONE_OF(PATCH_TO_INDICES)
#define in_given_patch_to_indices (ONE_OF(PATCH_TO_INDICES) | GRAMMAR_GIVEN_ONLY)
#define in_patch_to_object ONE_OF(PATCH_TO_OBJECT)
#define in_patch_to_grid ONE_OF(PATCH_TO_GRID)
#define in_pair_to_indices ONE_OF(PAIR_TO_INDICES)
#define in_pair_to_object ONE_OF(PAIR_TO_OBJECT)
#define in_pair_to_number ONE_OF(PAIR_TO_NUMBER)
#define in_pair_to_truth ONE_OF(PAIR_TO_TRUTH)
#define in_number_to_truth ONE_OF(NUMBER_TO_TRUTH)
#define in_given_number (ONE_OF(NUMBER) | GRAMMAR_GIVEN_ONLY)
#define in_number_to_row ONE_OF(NUMBER_TO_ROW)
#define in_cell_to_truth ONE_OF(CELL_TO_TRUTH)
#define in_row_to_row ONE_OF(ROW_TO_ROW)
#define in_grid_to_number ONE_OF(GRID_TO_NUMBER)
#define in_grid_to_truth ONE_OF(GRID_TO_TRUTH)
#define in_grid_to_grid ONE_OF(GRID_TO_GRID)
#define in_grid_to_grids ONE_OF(GRID_TO_GRIDS)
#define K(op) (GRAMMAR_FIXED | OP_##op)

const GrammarRule grammar_rules[GRAMMAR_RULES] = {
#define LINE(cost, when, sort, op, ...) {cost, GRAMMAR_##when, SORT_##sort, OP_##op, {__VA_ARGS__}},
#include "program/grammar.def"
};

const GrammarBare grammar_bare[GRAMMAR_BARE] = {
#define BARE(cost, sort, op) {cost, SORT_##sort, OP_##op},
#include "program/grammar.def"
};
