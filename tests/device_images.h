// Images for the tests of devices: made up, and real ones, which are grids of the bundled tasks and what
// steps make of them.
#ifndef TESSERA_TEST_DEVICE_IMAGES_H
#define TESSERA_TEST_DEVICE_IMAGES_H

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "device/device.h"
#include "image/image_cells.h"

enum { SIZES = 12, STYLES = 9, MOST_STEPS = 5, BEHIND = 64 }; // cells of arenas may be read some too far

typedef struct {
    Rng r;
    Arena arena;
    ts_tasks *tasks; // the bundled ones
} ImageSource;

static inline int below(ImageSource *u, int n) { return (int)rng_below(&u->r, (uint32_t)n); }

// ---- Made up ----

static inline void draw_box(int8_t *cells, int w, int top, int left, int bottom, int right, int color,
                            bool frame) {
    for (int i = top; i <= bottom; i++)
        for (int j = left; j <= right; j++)
            if (!frame || i == top || i == bottom || j == left || j == right)
                cells[i * w + j] = (int8_t)color;
}

// Boxes, lines, frames.
static inline void draw_things(ImageSource *u, int8_t *cells, int h, int w, int colors, bool frames) {
    for (int n = 1 + below(u, 8); n; n--) {
        int top = below(u, h), left = below(u, w), bottom = top + below(u, h - top),
            right = left + below(u, w - left);
        int kind = below(u, 3);
        if (kind == 1) bottom = top;
        if (kind == 2) right = left;
        draw_box(cells, w, top, left, bottom, right, below(u, colors), frames);
    }
}

// Each second cell is another one than the one before, so that there are many components, or few that are
// long.
static inline void draw_maze(ImageSource *u, int8_t *cells, int h, int w, int colors) {
    int color = 1 + below(u, colors - 1), period = 2 + below(u, 2);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            bool line = i % period == 0, gate = j == (i / period % 2 ? 0 : w - 1);
            cells[i * w + j] = (int8_t)(line != gate ? color : 0);
        }
    if (below(u, 2)) cells[below(u, h * w)] = (int8_t)below(u, colors);
}

static inline void draw_cells(ImageSource *u, int style, int8_t *cells, int h, int w) {
    int n = h * w, colors = 2 + below(u, IMAGE_COLORS - 1), full = 1 + below(u, 100);
    memset(cells, 0, (size_t)n);
    switch (style) {
    case 0: break; // blank
    case 1: memset(cells, below(u, IMAGE_COLORS), (size_t)n); break;
    case 2: draw_things(u, cells, h, w, colors, false); break;
    case 3: draw_things(u, cells, h, w, colors, true); break;
    case 4: // frames within each other
        for (int k = 0; 2 * k < h && 2 * k < w; k++)
            draw_box(cells, w, k, k, h - 1 - k, w - 1 - k, below(u, colors), true);
        break;
    case 5: draw_maze(u, cells, h, w, colors); break;
    case 6: cells[below(u, n)] = (int8_t)(1 + below(u, IMAGE_COLORS - 1)); break;
    default:
        for (int k = 0; k < n; k++) cells[k] = (int8_t)(below(u, 100) < full ? below(u, colors) : 0);
    }
    if (below(u, 4) == 0) // symmetric
        for (int k = 0; k < n / 2; k++) cells[n - 1 - k] = cells[k];
    if (below(u, 4) == 0) // with rows that are as the one before
        for (int i = 1; i < h; i++)
            if (below(u, 2)) memcpy(cells + i * w, cells + (i - 1) * w, (size_t)w);
}

// Its cells are to be freed: so reading beyond them is seen.
static inline Image image_of(ImageSource *u, int h, int w) {
    int far = below(u, 8) ? 5 : below(u, 2) ? 40 : 32767;
    int8_t *cells = malloc((size_t)(h * w));
    draw_cells(u, below(u, STYLES), cells, h, w);
    int i = below(u, 2 * far + 1) - far, j = below(u, 2 * far + 1) - far;
    return (Image){(int16_t)i, (int16_t)j, (int16_t)h, (int16_t)w, cells};
}

static inline Image any_image(ImageSource *u, int most) {
    int h = 1 + below(u, most), w = 1 + below(u, most);
    if (below(u, 10) == 0) h = DEVICE_SIDE;
    if (below(u, 10) == 0) w = DEVICE_SIDE;
    return image_of(u, h, w);
}

// ---- Real ones ----

static inline Image any_grid(ImageSource *u) {
    const ts_task *task = ts_tasks_at(u->tasks, (size_t)below(u, (int)ts_tasks_count(u->tasks)));
    const ts_sample *sample = &task->samples[below(u, task->demos + task->tests)];
    const ts_grid grid = sample->has_output && below(u, 2) ? sample->output : sample->input;
    int8_t *cells = arena_alloc(&u->arena, (size_t)(grid.height * grid.width) + BEHIND);
    memcpy(cells, grid.cells, (size_t)(grid.height * grid.width));
    return (Image){0, 0, (int16_t)grid.height, (int16_t)grid.width, cells};
}

// Of all functions, those of lists too. Its cells are to be freed.
static inline Image any_piece(ImageSource *u) {
    arena_reset(&u->arena);
    const Image grid = any_grid(u);
    Images x = {1, false, &grid}, next;
    for (int n = below(u, MOST_STEPS + 1); n; n--) {
        const int fn = below(u, IMAGE_FNS), variant = below(u, image_fns[fn].variants);
        const Image size = any_grid(u);
        const bool good =
            images_apply(&u->arena, fn, variant, &x, image_fns[fn].kind == IMAGE_SIZED ? &size : NULL, &next);
        if (good && next.count) x = next;
    }
    Image piece = x.at[below(u, x.count)];
    if (!image_cells(&piece) || piece.h > DEVICE_SIDE || piece.w > DEVICE_SIDE) piece = grid;
    int8_t *cells = malloc((size_t)image_cells(&piece));
    memcpy(cells, piece.cells, (size_t)image_cells(&piece));
    piece.cells = cells;
    return piece;
}

#endif
