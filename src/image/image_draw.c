// Functions of one image that draw: cells smeared in some directions, connected, spread over what is 0.
//
// Nearly all images are at most 32 cells wide: a row is a register. image_rows.def has what is done with
// rows.
#include "image/image_cells.h"
#include "grid/geometry.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

ImageMaps image_do_smear, image_do_connect, image_do_spread;

enum { RIGHT = 1, LEFT = 2, DOWN = 4, UP = 8, DOWN_RIGHT = 16, UP_LEFT = 32, UP_RIGHT = 64, DOWN_LEFT = 128 };
static const int8_t smear_directions[] = {Direction_EAST,      Direction_WEST,      Direction_SOUTH,
                                          Direction_NORTH,     Direction_SOUTHEAST, Direction_NORTHWEST,
                                          Direction_NORTHEAST, Direction_SOUTHWEST};
static const int8_t connect_lines[][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

#define ROW 32
#include "image/image_rows.def"
#define ROW 128
#include "image/image_rows.def"
_Static_assert(IMAGE_MOST_SIDE <= 128, "a row has room for the widest image");

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
    return in->w <= 32 ? smear32(a, sets[variant], in, out) : smear128(a, sets[variant], in, out);
}

// What lies between cells of one colour with nothing but 0s between them.
bool image_do_connect(Arena *a, int variant, const Image *in, Image *out) {
    static const int8_t ranges[][2] = {[ImageConnect_IN_ROWS] = {0, 0},
                                       [ImageConnect_IN_COLUMNS] = {1, 1},
                                       [ImageConnect_IN_ROWS_AND_COLUMNS] = {0, 1},
                                       [ImageConnect_ON_DIAGONALS] = {2, 3}};
    int first = ranges[variant][0], last = ranges[variant][1];
    return in->w <= 32 ? connect32(a, first, last, in, out) : connect128(a, first, last, in, out);
}

// All colours grow over the 0s, over sides, a cell at a time, until they meet; of those that arrive at once
// the first wins: from above, left, right, below.
bool image_do_spread(Arena *a, int variant, const Image *in, Image *out) {
    int8_t stays = (int8_t)(variant == ImageSpread_ALL_BUT_COMMONEST ? image_color(in) : 0);
    return in->w <= 32 ? spread32(a, stays, in, out) : spread128(a, stays, in, out);
}
