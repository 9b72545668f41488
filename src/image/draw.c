// Functions of one image that draw: cells smeared in some directions, connected, spread over what is 0.
#include "image/cells.h"

ImageMaps image_do_smear, image_do_connect, image_do_spread;

// ---- Smears ----

enum { RIGHT = 1, LEFT = 2, DOWN = 4, UP = 8, DOWN_RIGHT = 16, UP_LEFT = 32, UP_RIGHT = 64, DOWN_LEFT = 128 };
static const struct {
    int bit, i, j;
} directions[] = {{RIGHT, 0, 1},      {LEFT, 0, -1},     {DOWN, 1, 0},      {UP, -1, 0},
                  {DOWN_RIGHT, 1, 1}, {UP_LEFT, -1, -1}, {UP_RIGHT, -1, 1}, {DOWN_LEFT, 1, -1}};

static void smear_across(const Image *in, int step, int8_t *restrict to) {
    int h = in->h, w = in->w;
    const int8_t *restrict from = in->cells;
    for (int i = 0; i < h; i++) {
        int8_t carried = 0;
        for (int k = i * w + (step < 0 ? w - 1 : 0), n = w; n > 0; n--, k += step) {
            int8_t cell = from[k], old = to[k];
            carried = cell ? cell : carried;
            to[k] = carried ? carried : old;
        }
    }
}

// Row by row: what each column carries moves on with the direction.
static void smear_down(const Image *in, int i_step, int j_step, int8_t *restrict to) {
    int8_t carried[2][IMAGE_MOST_SIDE + 2];
    int w = in->w, i = i_step < 0 ? in->h - 1 : 0;
    memset(carried[0], 0, (size_t)w + 2);
    carried[1][0] = carried[1][w + 1] = 0;
    for (int n = in->h, side = 0; n > 0; n--, i += i_step, side = !side) {
        const int8_t *restrict row = in->cells + i * w, *restrict before = carried[side] + 1 - j_step;
        int8_t *restrict now = carried[!side] + 1, *restrict out = to + i * w;
        for (int j = 0; j < w; j++) {
            int8_t cell = row[j], old = before[j], drawn = out[j], next = cell ? cell : old;
            now[j] = next;
            out[j] = next ? next : drawn;
        }
    }
}

bool image_do_smear(Arena *a, int variant, const Image *in, Image *out) {
    static const uint8_t sets[] = {
        RIGHT,
        LEFT,
        DOWN,
        UP,
        RIGHT | LEFT,
        DOWN | UP,
        RIGHT | LEFT | DOWN | UP,
        DOWN_RIGHT,
        UP_LEFT,
        UP_RIGHT,
        DOWN_LEFT,
        DOWN_RIGHT | UP_LEFT,
        UP_RIGHT | DOWN_LEFT,
        DOWN_RIGHT | UP_LEFT | UP_RIGHT | DOWN_LEFT,
        255,
    };
    int8_t *to = image_new(a, in->i, in->j, in->h, in->w, out);
    if (!to) return false;
    memcpy(to, in->cells, (size_t)image_cells(in));
    for (int k = 0; k < 8; k++) {
        if (!(sets[variant] & directions[k].bit)) continue;
        if (!directions[k].i) smear_across(in, directions[k].j, to);
        else smear_down(in, directions[k].i, directions[k].j, to);
    }
    return true;
}

// ---- Connections ----

// Between cells of one colour with nothing but 0 between them, along lines of n cells.
static void connect_lines(const int8_t *cells, int8_t *to, int lines, int line_step, int n, int step) {
    for (int line = 0; line < lines; line++) {
        const int8_t *from = cells + line * line_step;
        int last = -1;
        for (int k = 0; k < n; k++) {
            int8_t color = from[k * step];
            if (!color) continue;
            if (last >= 0 && from[last * step] == color)
                for (int b = last + 1; b < k; b++) to[line * line_step + b * step] = color;
            last = k;
        }
    }
}

// The connections alone: across, down, both.
bool image_do_connect(Arena *a, int variant, const Image *in, Image *out) {
    int8_t *to = image_new(a, in->i, in->j, in->h, in->w, out);
    if (!to) return false;
    memset(to, 0, (size_t)image_cells(in));
    if (variant != 1) connect_lines(in->cells, to, in->h, in->w, in->w, 1);
    if (variant != 0) connect_lines(in->cells, to, in->w, 1, in->h, in->w);
    return true;
}

// ---- Spreading ----

enum { PADDED_CELLS = IMAGE_MOST_CELLS + 4 * IMAGE_MOST_SIDE + 64 };

// All colours grow over the 0s, over sides, a cell at a time, until they meet; of those that arrive at once
// the first wins: from above, left, right, below. With variant 1 the commonest colour stays as it is.
//
// The image lies in rows with a 0 between them and a row of 0s around, so that a step is a pass over all
// cells.
bool image_do_spread(Arena *a, int variant, const Image *in, Image *out) {
    int8_t grown[2][PADDED_CELLS], room[PADDED_CELLS];
    int h = in->h, w = in->w, stride = w + 1, n = h * stride;
    int8_t stays = (int8_t)(variant ? image_color(in) : 0);
    memset(grown[0], 0, (size_t)(n + 2 * stride));
    memset(grown[1], 0, (size_t)(n + 2 * stride));
    memset(room, 0, (size_t)n);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int8_t cell = in->cells[i * w + j];
            grown[0][(i + 1) * stride + j] = cell == stays ? 0 : cell;
            room[i * stride + j] = cell ? 0 : -1;
        }
    int side = 0;
    for (int8_t changed = 1; changed; side = !side) {
        const int8_t *restrict now = grown[side] + stride;
        int8_t *restrict next = grown[!side] + stride;
        changed = 0;
        for (int k = 0; k < n; k++) {
            int8_t above = now[k - stride], left = now[k - 1], right = now[k + 1], below = now[k + stride];
            int8_t here = now[k], from = above ? above : left;
            from = from ? from : right;
            from = (int8_t)((from ? from : below) & room[k]);
            from = here ? here : from;
            next[k] = from;
            changed |= (int8_t)(from ^ here);
        }
    }
    int8_t *to = image_new(a, in->i, in->j, h, w, out);
    if (!to) return false;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int8_t cell = in->cells[i * w + j];
            to[i * w + j] = cell ? cell : grown[side][(i + 1) * stride + j];
        }
    return true;
}
