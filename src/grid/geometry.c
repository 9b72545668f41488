#include "grid/geometry.h"

#define TURN(word) [Turn_##word] = Symmetry_##word
const int8_t symmetry_by_steps[SYMMETRIES] = {
    TURN(AS_IS),         TURN(TRANSPOSED),   TURN(UPSIDE_DOWN),  TURN(TURNED_LEFT),
    TURN(LEFT_TO_RIGHT), TURN(TURNED_RIGHT), TURN(TURNED_ROUND), TURN(ANTI_TRANSPOSED),
};

// The cells of a row of the result start somewhere and go on by some steps.
void symmetry_cells(int s, int h, int w, const int8_t *from, int8_t *to) {
    bool exchanges = symmetry_exchanges(s);
    int rows = exchanges ? w : h, columns = exchanges ? h : w;
    int down = exchanges ? 1 : w, right = exchanges ? w : 1;
    if (SYMMETRIES_THAT_FLIP_ROWS >> s & 1) from += (rows - 1) * down, down = -down;
    if (SYMMETRIES_THAT_FLIP_COLUMNS >> s & 1) from += (columns - 1) * right, right = -right;
    for (int i = 0; i < rows; i++, from += down, to += columns)
        for (int j = 0; j < columns; j++) to[j] = from[j * right];
}

int symmetry_inverse(int s) {
    return s == Symmetry_TURNED_RIGHT  ? Symmetry_TURNED_LEFT
           : s == Symmetry_TURNED_LEFT ? Symmetry_TURNED_RIGHT
                                       : s;
}

int symmetry_then(int s, int then) {
    bool exchanges = symmetry_exchanges(then);
    int rows = SYMMETRIES_THAT_FLIP_ROWS >> s & 1, columns = SYMMETRIES_THAT_FLIP_COLUMNS >> s & 1;
    int steps = symmetry_exchanges(s) ^ exchanges;
    steps |= ((exchanges ? columns : rows) ^ (SYMMETRIES_THAT_FLIP_ROWS >> then & 1)) << 1;
    steps |= ((exchanges ? rows : columns) ^ (SYMMETRIES_THAT_FLIP_COLUMNS >> then & 1)) << 2;
    return symmetry_by_steps[steps];
}
