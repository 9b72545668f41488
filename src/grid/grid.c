#include "grid/grid.h"

#include <string.h>

#include "base/hash.h"

bool ts_grid_equal(ts_grid a, ts_grid b) {
    if (!grid_same_size(a, b)) return false;
    size_t cells = (size_t)a.height * (size_t)a.width;
    return cells == 0 || memcmp(a.cells, b.cells, cells) == 0;
}

uint64_t grid_hash(ts_grid g) {
    return hash_bytes(hash_mix(7, (uint64_t)(g.height * 256 + g.width)), g.cells,
                      (size_t)(g.height * g.width));
}

void grid_print(Text *t, ts_grid grid) {
    text_char(t, '(');
    for (int i = 0; i < grid.height; i++) {
        if (i) text_add(t, ", ");
        text_char(t, '(');
        for (int j = 0; j < grid.width; j++) {
            if (j) text_add(t, ", ");
            text_int(t, grid.cells[i * grid.width + j]);
        }
        text_add(t, grid.width == 1 ? ",)" : ")");
    }
    text_add(t, grid.height == 1 ? ",)" : ")");
}

ts_grid grid_blank(Arena *a, int height, int width, int color) {
    signed char *cells = arena_alloc(a, (size_t)(height * width));
    if (cells) memset(cells, color, (size_t)(height * width));
    return (ts_grid){height, width, cells};
}

bool grid_copy(Arena *a, ts_grid grid, ts_grid *out) {
    size_t bytes = (size_t)(grid.height * grid.width);
    signed char *cells = arena_alloc(a, bytes);
    if (!cells) return false;
    if (bytes) memcpy(cells, grid.cells, bytes);
    *out = (ts_grid){grid.height, grid.width, cells};
    return true;
}

bool grid_cut(Arena *a, ts_grid grid, int top, int left, int height, int width, ts_grid *out) {
    if (top < 0 || left < 0 || height < 1 || width < 1) return false;
    if (top + height > grid.height || left + width > grid.width) return false;
    signed char *cells = arena_alloc(a, (size_t)(height * width));
    if (!cells) return false;
    for (int i = 0; i < height; i++)
        memcpy(cells + i * width, grid.cells + (top + i) * grid.width + left, (size_t)width);
    *out = (ts_grid){height, width, cells};
    return true;
}

bool grid_moved(Arena *a, ts_grid g, int symmetry, ts_grid *out) {
    bool exchanges = symmetry_exchanges(symmetry), stays = symmetry == SYMMETRY_AS_IS;
    signed char *cells = stays ? NULL : arena_alloc(a, (size_t)(g.height * g.width));
    if (cells) symmetry_cells(symmetry, g.height, g.width, g.cells, cells);
    *out = stays ? g : (ts_grid){exchanges ? g.width : g.height, exchanges ? g.height : g.width, cells};
    return out->cells;
}
