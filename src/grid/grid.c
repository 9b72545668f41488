#include "grid/grid.h"

#include <string.h>

#include "base/hash.h"

bool ts_grid_equal(ts_grid a, ts_grid b) {
    if (!grid_same_size(a, b)) return false;
    size_t cells = (size_t)a.height * (size_t)a.width;
    return cells == 0 || memcmp(a.cells, b.cells, cells) == 0;
}

int ts_grid_off(ts_grid grid, ts_grid wanted) {
    if (!grid_same_size(grid, wanted)) return -1;
    int off = 0;
    for (size_t k = 0; k < (size_t)grid.height * (size_t)grid.width; k++)
        off += grid.cells[k] != wanted.cells[k];
    return off;
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

bool grid_cut(Arena *a, ts_grid grid, Box b, ts_grid *out) {
    int h = box_height(b), w = box_width(b);
    if (b.top < 0 || b.left < 0 || h < 1 || w < 1 || b.bottom >= grid.height || b.right >= grid.width)
        return false;
    signed char *cells = arena_alloc(a, (size_t)(h * w));
    if (!cells) return false;
    for (int i = 0; i < h; i++)
        memcpy(cells + i * w, grid.cells + (b.top + i) * grid.width + b.left, (size_t)w);
    *out = (ts_grid){h, w, cells};
    return true;
}

bool grid_moved(Arena *a, ts_grid g, int symmetry, ts_grid *out) {
    bool exchanges = symmetry_exchanges(symmetry), stays = symmetry == Symmetry_AS_IS;
    signed char *cells = stays ? NULL : arena_alloc(a, (size_t)(g.height * g.width));
    if (cells) symmetry_cells(symmetry, g.height, g.width, g.cells, cells);
    *out = stays ? g : (ts_grid){exchanges ? g.width : g.height, exchanges ? g.height : g.width, cells};
    return out->cells;
}

bool grid_scaled(Arena *a, ts_grid g, int n, int most, ts_grid *out) {
    if (n < 1 || n * g.height > most || n * g.width > most) return false;
    *out = grid_blank(a, n * g.height, n * g.width, 0);
    for (int k = 0; out->cells && k < out->height * out->width; k++)
        grid_edit(*out)[k] = g.cells[k / out->width / n * g.width + k % out->width / n];
    return out->cells;
}

static bool is_in_blocks(ts_grid g, int n) {
    if (g.height % n || g.width % n) return false;
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++)
            if (g.cells[i * g.width + j] != g.cells[(i - i % n) * g.width + j - j % n]) return false;
    return true;
}

bool grid_unscaled(Arena *a, ts_grid g, int n, ts_grid *out) {
    if (!is_in_blocks(g, n)) return false;
    *out = grid_blank(a, g.height / n, g.width / n, 0);
    for (int k = 0; out->cells && k < out->height * out->width; k++)
        grid_edit(*out)[k] = g.cells[k / out->width * n * g.width + k % out->width * n];
    return out->cells;
}

int grid_block_side(ts_grid g) {
    int n = g.height < g.width ? g.height : g.width;
    while (n > 1 && !is_in_blocks(g, n)) n--;
    return n;
}

void grid_put(ts_grid to, ts_grid g, int top, int left) {
    for (int i = 0; i < g.height; i++)
        memcpy(grid_edit(to) + (top + i) * to.width + left, g.cells + i * g.width, (size_t)g.width);
}

bool grid_box(ts_grid g, int color, bool is, Box *box) {
    int top = g.height, left = g.width, bottom = -1, right = -1;
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            if ((g.cells[i * g.width + j] == color) != is) continue;
            top = i < top ? i : top;
            left = j < left ? j : left;
            bottom = i;
            right = j > right ? j : right;
        }
    *box = (Box){top, left, bottom, right};
    return bottom >= 0;
}
