// Functions of one image that draw: cells smeared in some directions, connected, spread over what is 0.
//
// They work on lanes: the rows of the image in blocks of LANE cells, each row after as many 0s, so that a
// loop over a block is one instruction, and what lies left and right of a row is 0. Across, what each cell
// carries along is found by doubling: from the cell before it, then from 2 before, 4 before and so on.
#include "bank/image_cells.h"
#include "grid/geometry.h"

ImageMaps image_do_smear, image_do_connect, image_do_spread;

enum { LANE = 32, MOST_LANES = 2 * (IMAGE_MOST_CELLS + IMAGE_MOST_SIDE * LANE) };

typedef struct {
    int h, wide; // rows, and cells of a row with those up to a whole block
    int stride;  // from row to row: 0s, then the cells
    int n;       // bytes, a row of 0s at the end
} Lanes;

static Lanes lanes_for(const Image *x) {
    int wide = (x->w + LANE - 1) / LANE * LANE;
    return (Lanes){x->h, wide, 2 * wide, (x->h + 1) * 2 * wide};
}

static void lanes_of(const Lanes *l, const Image *x, int8_t *to) {
    memset(to, 0, (size_t)l->n);
    to += l->wide;
    for (int i = 0; i < x->h; i++) memcpy(to + i * l->stride, x->cells + i * x->w, (size_t)x->w);
}

static bool lanes_image(Arena *a, const Lanes *l, const int8_t *lanes, const Image *in, Image *out) {
    int8_t *to = image_new(a, in->i, in->j, in->h, in->w, out);
    if (!to) return false;
    lanes += l->wide;
    for (int i = 0; i < in->h; i++) memcpy(to + i * in->w, lanes + i * l->stride, (size_t)in->w);
    return true;
}

// For each block of each row: `at` is where it starts.
#define EACH_BLOCK(l, at)                     \
    for (int row_ = 0; row_ < (l)->h; row_++) \
        for (int at = row_ * (l)->stride + (l)->wide, end_ = at + (l)->wide; at < end_; at += LANE)

// ---- Smears ----

// A block of b below one of a: the cells of a that are not 0, else those of b.
static inline void either(const int8_t *restrict a, const int8_t *restrict b, int8_t *restrict to) {
    for (int k = 0; k < LANE; k++) {
        int8_t first = a[k], second = b[k];
        to[k] = first ? first : second;
    }
}

// What each cell carries from those before it, its own colour first. `spare` is as large and 0.
static int8_t *carried_across(const Lanes *l, int w, int step, int8_t *from, int8_t *spare) {
    for (int by = 1; by < w; by *= 2) {
        EACH_BLOCK(l, at) either(from + at, from + at - step * by, spare + at);
        int8_t *other = from;
        from = spare;
        spare = other;
    }
    return from;
}

// The same row by row, which need no doubling.
static void carry_down(const Lanes *l, int i_step, int j_step, int8_t *lanes) {
    int8_t *row = lanes + (i_step < 0 ? l->h - 1 : 0) * l->stride + l->wide;
    for (int n = l->h - 1; n > 0; n--) {
        const int8_t *before = row - j_step;
        row += i_step * l->stride;
        for (int at = 0; at < l->wide; at += LANE) {
            int8_t block[LANE];
            either(row + at, before + at, block);
            memcpy(row + at, block, LANE);
        }
    }
}

enum { RIGHT = 1, LEFT = 2, DOWN = 4, UP = 8, DOWN_RIGHT = 16, UP_LEFT = 32, UP_RIGHT = 64, DOWN_LEFT = 128 };
static const int8_t directions[] = {Direction_EAST,      Direction_WEST,      Direction_SOUTH,
                                    Direction_NORTH,     Direction_SOUTHEAST, Direction_NORTHWEST,
                                    Direction_NORTHEAST, Direction_SOUTHWEST};

// In which direction the later ones go over the earlier.
bool image_do_smear(Arena *a, int variant, const Image *in, Image *out) {
    static const uint8_t sets[] = {
        [ImageSmear_EAST] = RIGHT,
        [ImageSmear_WEST] = LEFT,
        [ImageSmear_SOUTH] = DOWN,
        [ImageSmear_NORTH] = UP,
        [ImageSmear_EAST_AND_WEST] = RIGHT | LEFT,
        [ImageSmear_NORTH_AND_SOUTH] = DOWN | UP,
        [ImageSmear_FOUR_WAYS] = RIGHT | LEFT | DOWN | UP,
        [ImageSmear_SOUTHEAST] = DOWN_RIGHT,
        [ImageSmear_NORTHWEST] = UP_LEFT,
        [ImageSmear_NORTHEAST] = UP_RIGHT,
        [ImageSmear_SOUTHWEST] = DOWN_LEFT,
        [ImageSmear_FALLING_DIAGONALS] = DOWN_RIGHT | UP_LEFT,
        [ImageSmear_RISING_DIAGONALS] = UP_RIGHT | DOWN_LEFT,
        [ImageSmear_FOUR_DIAGONALS] = DOWN_RIGHT | UP_LEFT | UP_RIGHT | DOWN_LEFT,
        [ImageSmear_EIGHT_WAYS] = 255,
    };
    int8_t source[MOST_LANES], lanes[3][MOST_LANES], *one = lanes[0], *spare = lanes[1], *drawn = NULL;
    Lanes l = lanes_for(in);
    lanes_of(&l, in, source);
    memset(spare, 0, (size_t)l.n);
    for (unsigned left = sets[variant]; left; left &= left - 1) {
        int direction = directions[__builtin_ctz(left)];
        int i_step = direction_rows[direction], j_step = direction_columns[direction];
        int8_t *carried = one;
        memcpy(one, source, (size_t)l.n);
        if (i_step) carry_down(&l, i_step, j_step, one);
        else carried = carried_across(&l, in->w, j_step, one, spare);
        if (!drawn) { // the first is what the others go over
            drawn = carried;
            memset(lanes[2], 0, (size_t)l.n);
            if (carried == one) one = lanes[2];
            else spare = lanes[2];
            continue;
        }
        EACH_BLOCK(&l, at) {
            int8_t block[LANE];
            either(carried + at, drawn + at, block);
            memcpy(drawn + at, block, LANE);
        }
    }
    return lanes_image(a, &l, drawn, in, out);
}

// ---- Connections ----

// Cells that are 0 and to which the same colour comes from both sides.
static void between(const int8_t *restrict source, const int8_t *restrict one, const int8_t *restrict other,
                    int8_t *restrict to) {
    for (int k = 0; k < LANE; k++) {
        int8_t cell = source[k], color = one[k], second = other[k], old = to[k];
        int8_t met = (int8_t)(!cell && color == second ? color : 0);
        to[k] = met ? met : old;
    }
}

// What lies between cells of one colour with nothing but 0s between them.
bool image_do_connect(Arena *a, int variant, const Image *in, Image *out) {
    static const int lines[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    static const int8_t ranges[][2] = {[ImageConnect_IN_ROWS] = {0, 0},
                                       [ImageConnect_IN_COLUMNS] = {1, 1},
                                       [ImageConnect_IN_ROWS_AND_COLUMNS] = {0, 1},
                                       [ImageConnect_ON_DIAGONALS] = {2, 3}};
    int8_t source[MOST_LANES], lanes[2][2][MOST_LANES], drawn[MOST_LANES];
    Lanes l = lanes_for(in);
    lanes_of(&l, in, source);
    memset(drawn, 0, (size_t)l.n);
    for (int line = ranges[variant][0]; line <= ranges[variant][1]; line++) {
        int8_t *carried[2];
        for (int side = 0; side < 2; side++) {
            int sign = side ? -1 : 1, i_step = sign * lines[line][0], j_step = sign * lines[line][1];
            carried[side] = lanes[side][0];
            memcpy(carried[side], source, (size_t)l.n);
            if (i_step) carry_down(&l, i_step, j_step, carried[side]);
            else {
                memset(lanes[side][1], 0, (size_t)l.n);
                carried[side] = carried_across(&l, in->w, j_step, carried[side], lanes[side][1]);
            }
        }
        EACH_BLOCK(&l, at) between(source + at, carried[0] + at, carried[1] + at, drawn + at);
    }
    return lanes_image(a, &l, drawn, in, out);
}

// ---- Spreading ----

// A step for a block; not 0 where it changes something.
static inline int8_t grow(const int8_t *restrict now, const int8_t *restrict room, int stride,
                          int8_t *restrict next) {
    int8_t changed = 0;
    for (int k = 0; k < LANE; k++) {
        int8_t here = now[k], left = now[k - 1], right = now[k + 1], below = now[k + stride];
        int8_t from = now[k - stride];
        from = from ? from : left;
        from = from ? from : right;
        from = (int8_t)((from ? from : below) & room[k]);
        from = here ? here : from;
        next[k] = from;
        changed |= (int8_t)(from ^ here);
    }
    return changed;
}

// What grows of a block, all but one colour, and where it may: the bytes are -1 there.
static inline void prepare(const int8_t *restrict source, int8_t stays, int8_t *restrict growing,
                           int8_t *restrict room) {
    for (int k = 0; k < LANE; k++) {
        int8_t cell = source[k];
        growing[k] = cell == stays ? 0 : cell;
        room[k] = cell ? 0 : -1;
    }
}

// All colours grow over the 0s, over sides, a cell at a time, until they meet; of those that arrive at once
// the first wins: from above, left, right, below.
bool image_do_spread(Arena *a, int variant, const Image *in, Image *out) {
    int8_t source[MOST_LANES], grown[2][MOST_LANES + 2 * IMAGE_MOST_SIDE + 4 * LANE], room[MOST_LANES];
    Lanes l = lanes_for(in);
    int8_t stays = (int8_t)(variant == ImageSpread_ALL_BUT_COMMONEST ? image_color(in) : 0), changed = 1;
    int above = l.stride, side = 0; // a row of 0s before the first
    lanes_of(&l, in, source);
    memset(grown[0], 0, (size_t)(l.n + above));
    memset(grown[1], 0, (size_t)(l.n + above));
    memset(room, 0, (size_t)l.n);
    EACH_BLOCK(&l, at) prepare(source + at, stays, grown[0] + above + at, room + at);
    for (int i = 0; i < in->h; i++) memset(room + i * l.stride + l.wide + in->w, 0, (size_t)(l.wide - in->w));
    while (changed) {
        const int8_t *now = grown[side] + above;
        int8_t *next = grown[side = !side] + above;
        changed = 0;
        EACH_BLOCK(&l, at) changed |= grow(now + at, room + at, l.stride, next + at);
    }
    EACH_BLOCK(&l, at) {
        int8_t block[LANE];
        either(source + at, grown[side] + above + at, block);
        memcpy(source + at, block, LANE);
    }
    return lanes_image(a, &l, source, in, out);
}
