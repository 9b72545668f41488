#include "grid/colors.h"

bool colors_learn(ts_grid from, ts_grid to, int8_t table[10]) {
    if (from.height != to.height || from.width != to.width) return false;
    for (int k = 0; k < from.height * from.width; k++) {
        int c = from.cells[k];
        if (c < 0 || c > 9) return false;
        if (table[c] == COLOR_UNSEEN) table[c] = to.cells[k];
        else if (table[c] != to.cells[k]) return false;
    }
    return true;
}

void colors_print(Text *t, const int8_t colors[10]) {
    int last = 9, from = 1, x = 2;
    while (last > 0 && (colors[last] == COLOR_UNSEEN || colors[last] == last)) last--;
    for (int c = 0; c <= last; c++) {
        if (colors[c] == COLOR_UNSEEN || colors[c] == c) continue;
        text_print(t, "x%d = ofcolor(x1, %d)\n", x, c);
        if (c == last) text_print(t, "O = fill(x%d, %d, x%d)\n", from, colors[c], x);
        else text_print(t, "x%d = fill(x%d, %d, x%d)\n", x + 1, from, colors[c], x);
        from = x + 1;
        x += 2;
    }
}
