#include "grid/colors.h"

#include <string.h>

void colors_count(ts_grid g, int counts[10]) {
    memset(counts, 0, 10 * sizeof *counts);
    for (int k = 0; k < g.height * g.width; k++)
        if (g.cells[k] >= 0 && g.cells[k] < 10) counts[g.cells[k]]++;
}

unsigned colors_in(ts_grid g) {
    unsigned seen = 0;
    for (int k = 0; k < g.height * g.width; k++)
        if (g.cells[k] >= 0 && g.cells[k] < 10) seen |= 1U << g.cells[k];
    return seen;
}

int colors_by_count(const int counts[10], int without, bool rarest) {
    int best = -1;
    for (int c = 0; c < 10; c++)
        if (c != without && counts[c] &&
            (best < 0 || (rarest ? counts[c] < counts[best] : counts[c] > counts[best])))
            best = c;
    return best;
}

bool colors_everywhere(ts_grid g) {
    for (int k = 0; k < g.height * g.width; k++)
        if (g.cells[k] < 0 || g.cells[k] > 9) return false;
    return true;
}

int ground_of(ts_grid g) {
    int counts[10];
    colors_count(g, counts);
    int best = colors_by_count(counts, -1, false);
    return best < 0 || counts[0] * 2 >= counts[best] ? 0 : best;
}

bool colors_renamed(Arena *a, ts_grid g, const int8_t table[10], ts_grid *out) {
    signed char *cells = arena_alloc(a, (size_t)(g.height * g.width));
    for (int k = 0; cells && k < g.height * g.width; k++) {
        if (g.cells[k] < 0 || g.cells[k] > 9) return false;
        cells[k] = table[g.cells[k]];
    }
    *out = (ts_grid){g.height, g.width, cells};
    return cells;
}

bool colors_learn(ts_grid from, ts_grid to, int8_t table[10]) {
    if (!grid_same_size(from, to)) return false;
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
