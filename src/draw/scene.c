// Scenes: a grid's parts with their properties and their cells.
#include "draw/drawing.h"

static uint8_t own_ways(const Parts *p, int i, int j) {
    int h = p->grid.height, w = p->grid.width;
    unsigned ways = 0;
    for (int d = 0; d < DIRECTIONS; d++) {
        int k = i + direction_rows[d], l = j + direction_columns[d];
        bool within = (unsigned)k < (unsigned)h && (unsigned)l < (unsigned)w;
        ways |= (unsigned)(within && p->label[k * w + l] == p->label[i * w + j]) << d;
    }
    return (uint8_t)ways;
}

// Lists the cells of each part, row by row.
static bool list_cells(Arena *a, Scene *s) {
    const Parts *p = &s->parts;
    int n = 0, next[SCENE_MOST_PARTS];
    Spot *cells = arena_alloc(a, (size_t)(p->grid.height * p->grid.width) * sizeof *cells + 1);
    int *first = arena_alloc(a, (size_t)(p->count + 1) * sizeof *first);
    if (!cells || !first) return false;
    for (int k = 0; k < p->count; k++) next[k] = first[k] = n, n += p->parts[k].size;
    first[p->count] = n;
    for (int i = 0, at = 0; i < p->grid.height; i++)
        for (int j = 0; j < p->grid.width; j++, at++)
            if (p->label[at] >= 0)
                cells[next[p->label[at]]++] = (Spot){(uint8_t)i, (uint8_t)j, own_ways(p, i, j)};
    s->cells = cells;
    s->first = first;
    s->colors = 0;
    for (int k = 0; k < p->grid.height * p->grid.width; k++) {
        if (p->grid.cells[k] < 0 || p->grid.cells[k] > 31) return s->colors = 0, true;
        s->colors |= 1U << p->grid.cells[k];
    }
    return true;
}

bool scene_of(Arena *a, ts_grid grid, PartsKind kind, Scene *scene) {
    if (!parts_of(a, grid, ground_of(grid), kind, &scene->parts)) return false;
    if (scene->parts.count > SCENE_MOST_PARTS) return false;
    return list_cells(a, scene) && (scene->props = parts_props(a, &scene->parts)) != NULL;
}
