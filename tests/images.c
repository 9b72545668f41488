// What src/image/ does with many cells at once, held against what is said cell by cell.
//
//     images [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
#include <stdlib.h>
#include <string.h>

#include "image/image_cells.h"
#include "base/hash.h"
#include "base/rng.h"
#include "check.h"
#include "grid/geometry.h"
#include "value/bits.h"

typedef struct {
    Checks checks;
    Arena arena;
    Rng r;
} Test;

static int below(Test *u, int n) { return (int)rng_below(&u->r, (uint32_t)n); }

// Its cells are to be freed: so reading beyond them is seen.
static Image any_image(Test *u) {
    int w = 1 + below(u, below(u, 2) ? 34 : IMAGE_MOST_SIDE), most = IMAGE_MOST_CELLS / w;
    int h = 1 + below(u, most < 20 ? most : 20), n = h * w, colors = 2 + below(u, 3), full = below(u, 100);
    int8_t *cells = malloc((size_t)n);
    for (int k = 0; k < n; k++) cells[k] = (int8_t)(below(u, 100) < full ? below(u, colors) : 0);
    return (Image){(int16_t)(below(u, 9) - 4), (int16_t)(below(u, 9) - 4), (int16_t)h, (int16_t)w, cells};
}

// 0 outside.
static int cell_at(const Image *x, int i, int j) {
    return i < 0 || j < 0 || i >= x->h || j >= x->w ? 0 : x->cells[i * x->w + j];
}

// The first colour that is met from a cell on, in a direction.
static int met(const Image *x, int i, int j, int i_step, int j_step) {
    for (; i >= 0 && j >= 0 && i < x->h && j < x->w; i += i_step, j += j_step)
        if (cell_at(x, i, j)) return cell_at(x, i, j);
    return 0;
}

static void check_step(Test *u, int fn, int variant, const Image *x, const int8_t *wanted) {
    Images in = {1, false, x}, out;
    bool good = images_apply(&u->arena, fn, variant, &in, NULL, &out);
    good = good && !memcmp(out.at, x, sizeof(int16_t[4])) &&
           !memcmp(out.at->cells, wanted, (size_t)image_cells(x));
    check(&u->checks, good, "%s, variant %d, of an image of %d by %d", image_fns[fn].name, variant, x->h,
          x->w);
}

// The directions of each smear, the last of which goes over the others.
static const char *const smears[] = {
    [ImageSmear_EAST] = "e",
    [ImageSmear_WEST] = "w",
    [ImageSmear_SOUTH] = "s",
    [ImageSmear_NORTH] = "n",
    [ImageSmear_EAST_AND_WEST] = "ew",
    [ImageSmear_NORTH_AND_SOUTH] = "sn",
    [ImageSmear_FOUR_WAYS] = "ewsn",
    [ImageSmear_SOUTHEAST] = "4",
    [ImageSmear_NORTHWEST] = "1",
    [ImageSmear_NORTHEAST] = "2",
    [ImageSmear_SOUTHWEST] = "3",
    [ImageSmear_FALLING_DIAGONALS] = "41",
    [ImageSmear_RISING_DIAGONALS] = "23",
    [ImageSmear_FOUR_DIAGONALS] = "4123",
    [ImageSmear_EIGHT_WAYS] = "ewsn4123",
};

static void test_smear(Test *u) {
    check_begin(&u->checks, "smears are as cell by cell");
    for (int k = 0; k < 300; k++) {
        Image x = any_image(u);
        int8_t wanted[IMAGE_MOST_CELLS];
        int variant = below(u, image_fns[IMAGE_FN_smear].variants);
        memset(wanted, 0, sizeof wanted);
        for (const char *way = smears[variant]; *way; way++) {
            int i_step = strchr("n12", *way) ? -1 : strchr("s34", *way) ? 1 : 0;
            int j_step = strchr("w13", *way) ? -1 : strchr("e24", *way) ? 1 : 0;
            for (int c = 0; c < image_cells(&x); c++) {
                int color = met(&x, c / x.w, c % x.w, -i_step, -j_step);
                if (color) wanted[c] = (int8_t)color;
            }
        }
        check_step(u, IMAGE_FN_smear, variant, &x, wanted);
        free((void *)x.cells);
    }
    check_end(&u->checks);
}

static void test_connect(Test *u) {
    static const int lines[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    static const unsigned sets[] = {[ImageConnect_IN_ROWS] = 1,
                                    [ImageConnect_IN_COLUMNS] = 2,
                                    [ImageConnect_IN_ROWS_AND_COLUMNS] = 3,
                                    [ImageConnect_ON_DIAGONALS] = 12};
    check_begin(&u->checks, "connections are as cell by cell");
    for (int k = 0; k < 200; k++) {
        Image x = any_image(u);
        int8_t wanted[IMAGE_MOST_CELLS];
        int variant = below(u, image_fns[IMAGE_FN_connect].variants);
        memset(wanted, 0, sizeof wanted);
        for (int line = 0; line < 4; line++)
            for (int c = 0; c < image_cells(&x) && sets[variant] >> line & 1; c++) {
                int i = c / x.w, j = c % x.w, one = met(&x, i, j, lines[line][0], lines[line][1]);
                bool meets = one && !x.cells[c] && one == met(&x, i, j, -lines[line][0], -lines[line][1]);
                if (meets) wanted[c] = (int8_t)one;
            }
        check_step(u, IMAGE_FN_connect, variant, &x, wanted);
        free((void *)x.cells);
    }
    check_end(&u->checks);
}

static void test_spread(Test *u) {
    check_begin(&u->checks, "colours spread as cell by cell");
    for (int k = 0; k < 100; k++) {
        Image x = any_image(u), now = x;
        int8_t grown[IMAGE_MOST_CELLS], next[IMAGE_MOST_CELLS];
        int variant = below(u, image_fns[IMAGE_FN_spread].variants), counts[IMAGE_COLORS] = {0}, stays = 0;
        for (int c = 0; c < image_cells(&x); c++) counts[x.cells[c]]++;
        for (int color = 1; color < IMAGE_COLORS && variant == ImageSpread_ALL_BUT_COMMONEST; color++)
            if (counts[color] > (stays ? counts[stays] : 0)) stays = color;
        for (int c = 0; c < image_cells(&x); c++) grown[c] = x.cells[c] == stays ? 0 : x.cells[c];
        now.cells = grown;
        for (bool changed = true; changed;) {
            changed = false;
            memcpy(next, grown, sizeof next);
            for (int c = 0; c < image_cells(&x); c++) {
                static const int8_t from[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
                for (int d = 0; d < 4 && !next[c] && !x.cells[c]; d++)
                    next[c] = (int8_t)cell_at(&now, c / x.w + from[d][0], c % x.w + from[d][1]);
                changed |= next[c] != grown[c];
            }
            memcpy(grown, next, sizeof next);
        }
        for (int c = 0; c < image_cells(&x); c++) grown[c] = x.cells[c] ? x.cells[c] : grown[c];
        check_step(u, IMAGE_FN_spread, variant, &x, grown);
        free((void *)x.cells);
    }
    check_end(&u->checks);
}

static void test_bits(Test *u) {
    check_begin(&u->checks, "cells as bits are as cell by cell");
    for (int k = 0; k < 500; k++) {
        int8_t a[BITS_CELLS], b[BITS_CELLS];
        uint32_t differ = 0, set = 0;
        for (int c = 0; c < BITS_CELLS; c++) {
            a[c] = (int8_t)(below(u, 2) ? below(u, 128) : 0);
            b[c] = (int8_t)(below(u, 2) ? below(u, 128) : a[c]);
            differ |= (uint32_t)(a[c] != b[c]) << c;
            set |= (uint32_t)(a[c] != 0) << c;
        }
        check(&u->checks, ~bits_same(a, b) == differ, "%x", differ);
        check(&u->checks, ~bits_of_cells(a, 0) == set, "%x", set);
        Image x = any_image(u);
        Bits rows;
        if (!bits_of(&x, &rows)) check(&u->checks, x.w > 63, "%d columns", x.w);
        else
            for (int c = 0; c < image_cells(&x); c++)
                check(&u->checks, (rows.rows[c / x.w] >> c % x.w & 1) == (x.cells[c] != 0), "cell %d", c);
        free((void *)x.cells);
    }
    check_end(&u->checks);
}

// A word at a time, and the last bytes one by one.
static uint64_t plain_hash(uint64_t h, const unsigned char *p, int n) {
    uint64_t lanes[4] = {h, h + 1, h + 2, h + 3}, word;
    bool is_long = n >= 64;
    for (; is_long && n >= 32; n -= 32)
        for (int k = 0; k < 4; k++, p += 8) memcpy(&word, p, 8), lanes[k] = hash_mix(lanes[k], word);
    for (int k = 1; is_long && k < 4; k++) h = hash_mix(k == 1 ? lanes[0] : h, lanes[k] + (uint64_t)k);
    for (; n >= 8; n -= 8, p += 8) memcpy(&word, p, 8), h = hash_mix(h, word);
    word = (uint64_t)n;
    for (; n; n--) word = word << 8 | *p++;
    return hash_mix(h, word);
}

static void test_hash(Test *u) {
    check_begin(&u->checks, "a hash takes the last bytes as one by one");
    for (int k = 0; k < 500; k++) {
        int n = below(u, 200);
        unsigned char *bytes = malloc((size_t)n + 1);
        for (int c = 0; c < n; c++) bytes[c] = (unsigned char)below(u, 256);
        check(&u->checks, hash_bytes((uint64_t)k, bytes, (size_t)n) == plain_hash((uint64_t)k, bytes, n),
              "of %d bytes", n);
        free(bytes);
    }
    check_end(&u->checks);
}

int main(int argc, char **argv) {
    static Test u;
    arena_init(&u.arena, (size_t)64 << 20);
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    for (uint64_t seed = first; seed <= last; seed++) {
        u.r = (Rng){seed};
        test_smear(&u);
        test_connect(&u);
        test_spread(&u);
        test_bits(&u);
        test_hash(&u);
        arena_reset(&u.arena);
    }
    arena_free(&u.arena);
    return check_summary(&u.checks);
}
