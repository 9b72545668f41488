// The normal form of colours; normal.h says what it is.
//
// A feature picks the colour that has most of it by the largest factor over the next. The demos decide which
// feature comes when: the one whose narrowest pick over all inputs is the clearest.
#include "bank/normal.h"

#include <string.h>

#include "grid/colors.h"

typedef struct {
    int count;
    int8_t color[10];
    double value[10][NORMAL_FEATURES];
} Colors;

enum { MOST_FACTOR = 1000 };

static int bits(uint64_t word) { return __builtin_popcountll(word); }

// The cells of `within` that are reached from `seed` by steps over sides.
static void flood(uint64_t *seed, const uint64_t *within, int height) {
    for (bool grown = true; grown;) {
        grown = false;
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < height; k++) {
                int i = pass ? height - 1 - k : k;
                uint64_t row = seed[i] | (i ? seed[i - 1] : 0) | (i + 1 < height ? seed[i + 1] : 0);
                row &= within[i];
                for (uint64_t last = 0; last != row;) {
                    last = row;
                    row |= (row << 1 | row >> 1) & within[i];
                }
                grown |= row != seed[i];
                seed[i] = row;
            }
    }
}

// How many parts there are, over corners.
static int components(const uint64_t *rows, int height) {
    uint64_t left[NORMAL_MOST_SIDE];
    uint16_t stack[NORMAL_MOST_SIDE * NORMAL_MOST_SIDE];
    memcpy(left, rows, (size_t)height * sizeof *left);
    int count = 0;
    for (int start = 0; start < height; start++)
        for (; left[start]; count++) {
            int n = 0;
            stack[n++] = (uint16_t)(start * 64 + __builtin_ctzll(left[start]));
            left[start] &= left[start] - 1;
            while (n) {
                int i = stack[--n] / 64, j = stack[n] % 64;
                uint64_t three = j ? 7ull << (j - 1) : 3;
                for (int r = i ? i - 1 : 0; r <= i + 1 && r < height; r++)
                    for (; left[r] & three; left[r] &= ~(left[r] & three & -(left[r] & three)))
                        stack[n++] = (uint16_t)(r * 64 + __builtin_ctzll(left[r] & three));
            }
        }
    return count;
}

static int enclosed(const uint64_t *rows, int height, uint64_t all) {
    uint64_t open[NORMAL_MOST_SIDE], outside[NORMAL_MOST_SIDE];
    uint64_t sides = (all & ~(all >> 1)) | 1;
    int count = 0;
    for (int i = 0; i < height; i++) {
        open[i] = all & ~rows[i];
        outside[i] = open[i] & (i == 0 || i == height - 1 ? all : sides);
    }
    flood(outside, open, height);
    for (int i = 0; i < height; i++) count += bits(open[i] & ~outside[i]);
    return count;
}

// How far the cells reach from the middle, in one of eight directions.
static int reach(const uint64_t *rows, int height, int width, int direction) {
    static const int8_t way[8][2] = {{-3, 0}, {3, 0}, {0, -3}, {0, 3}, {-2, -2}, {-2, 2}, {2, -2}, {2, 2}};
    int down = way[direction][0], right = way[direction][1], most = -50;
    for (int i = 0; i < height; i++) {
        if (!rows[i]) continue;
        int j = right < 0 ? __builtin_ctzll(rows[i]) : 63 - __builtin_clzll(rows[i]);
        int far = (2 * i - height + 1) * down + (2 * j - width + 1) * right;
        if (far > most) most = far;
    }
    return most;
}

static void find_colors(ts_grid g, unsigned kept, Colors *colors) {
    uint64_t rows[10][NORMAL_MOST_SIDE] = {0};
    colors->count = 0;
    if (!grid_fits(g, NORMAL_MOST_SIDE)) return;
    unsigned seen = 0;
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            int color = g.cells[i * g.width + j];
            if (color < 0 || color > 9 || kept >> color & 1) continue;
            rows[color][i] |= 1ull << j;
            seen |= 1u << color;
        }
    uint64_t all = g.width == 64 ? ~0ull : (1ull << g.width) - 1;
    for (int color = 1; color < 10; color++) {
        if (!(seen >> color & 1)) continue;
        double *value = colors->value[colors->count];
        int cells = 0;
        for (int i = 0; i < g.height; i++) cells += bits(rows[color][i]);
        int counts[3] = {cells, components(rows[color], g.height), enclosed(rows[color], g.height, all)};
        for (int k = 0; k < 3; k++) {
            value[2 * k] = counts[k];
            value[2 * k + 1] = 1 / (counts[k] + 1e-3);
        }
        for (int k = 0; k < 10; k++) value[6 + k] = 2 + (k == color);
        for (int k = 0; k < 8; k++) value[16 + k] = 1000 + reach(rows[color], g.height, g.width, k);
        colors->color[colors->count++] = (int8_t)color;
    }
}

// By what factor colour k has more of a feature than any other that is left.
static double factor_of(const Colors *colors, unsigned done, int k, int feature) {
    double least = MOST_FACTOR;
    for (int other = 0; other < colors->count; other++) {
        if (other == k || done >> other & 1) continue;
        double factor = colors->value[k][feature] / (colors->value[other][feature] + 1e-5);
        if (factor < least) least = factor;
    }
    return least;
}

// The colour that a feature picks; with none (below 0), the one that some feature picks most clearly.
static int pick(const Colors *colors, unsigned done, int feature, double *factor) {
    int best = -1;
    *factor = -1;
    for (int k = 0; k < colors->count; k++) {
        if (done >> k & 1) continue;
        double clear = 0;
        for (int f = feature < 0 ? 0 : feature; f < (feature < 0 ? NORMAL_FEATURES : feature + 1); f++) {
            double this = factor_of(colors, done, k, f);
            if (this > clear) clear = this;
        }
        if (clear >= *factor) {
            *factor = clear;
            best = k;
        }
    }
    return best;
}

// Colours that are in all outputs and no input, in all inputs and no output, or in outputs alone mean
// something; and where all outputs have the same colours, those do.
static unsigned find_kept(const ts_grid *inputs, const ts_grid *outputs, int demos) {
    unsigned some_in = 0, some_out = 0, all_in = ~0u, all_out = ~0u;
    for (int k = 0; k < demos; k++) {
        unsigned in = colors_in(inputs[k]), out = colors_in(outputs[k]);
        some_in |= in;
        some_out |= out;
        all_in &= in;
        all_out &= out;
    }
    unsigned kept = 1 | (all_in & ~some_out) | (some_out & ~some_in);
    return some_out == all_out ? kept | all_out : kept;
}

void normal_learn(const ts_grid *inputs, const ts_grid *outputs, int demos, NormalForm *form) {
    *form = (NormalForm){.kept = find_kept(inputs, outputs, demos)};
    enum { MOST_DEMOS = 32 };
    Colors colors[MOST_DEMOS];
    unsigned done[MOST_DEMOS] = {0};
    if (demos > MOST_DEMOS) demos = MOST_DEMOS;
    for (int k = 0; k < demos; k++) find_colors(inputs[k], form->kept, &colors[k]);
    while (form->count < 9) {
        double clearest = -1;
        int best = -1;
        for (int f = 0; f < NORMAL_FEATURES; f++) {
            double narrowest = MOST_FACTOR + 1, factor;
            for (int k = 0; k < demos; k++)
                if (pick(&colors[k], done[k], f, &factor) >= 0 && factor < narrowest) narrowest = factor;
            if (narrowest <= MOST_FACTOR && narrowest >= clearest) {
                clearest = narrowest;
                best = f;
            }
        }
        if (best < 0) break;
        form->features[form->count++] = (uint8_t)best;
        for (int k = 0; k < demos; k++) {
            double factor;
            int taken = pick(&colors[k], done[k], best, &factor);
            if (taken >= 0) done[k] |= 1u << taken;
        }
    }
}

void normal_map(const NormalForm *form, ts_grid input, int8_t map[10]) {
    Colors colors;
    find_colors(input, form->kept, &colors);
    int next = 0;
    unsigned mapped = 0, done = 0;
    for (int color = 0; color < 10; color++)
        if (form->kept >> color & 1) {
            map[color] = (int8_t)next++;
            mapped |= 1u << color;
        }
    for (int n = 0; n < colors.count; n++) {
        double factor;
        int k = pick(&colors, done, n < form->count ? form->features[n] : -1, &factor);
        done |= 1u << k;
        map[colors.color[k]] = (int8_t)next++;
        mapped |= 1u << colors.color[k];
    }
    for (int color = 0; color < 10; color++)
        if (!(mapped >> color & 1)) map[color] = (int8_t)next++;
}

void normal_inverse(const int8_t map[10], int8_t inverse[10]) {
    for (int color = 0; color < 10; color++) inverse[map[color]] = (int8_t)color;
}
