// How the sizes of the outputs follow: from the sides of the images in the bank.
//
// A side of the output is a side of some image times 1 to 5, plus -3 to 3, or divided by 2 to 5; or the sum
// of the sides of two images; or always the same. Rules that fit more demos come first, then those with the
// least loss: small numbers, and images that came up early, or that are themselves some demos' outputs.
#include <stdlib.h>
#include <string.h>

#include "bank/bank.h"

enum {
    MOST_SEEDS = 200, // images with different sizes
    MOST_FACTOR = 5,
    MATCH_WORTH = 50, // by how much less an image loses for each output that it equals
    MOST_OFFSET = 3,
    MOST_OPTIONS = 64, // for a side
    MOST_RULES = 16,
    AXIS_EXTRA = 10, // what it costs to take the two sides from different images
};

typedef struct {
    int32_t entry;
    int matches; // outputs that an image of this size equals
    uint8_t side[2][BANK_MOST_DEMOS];
} SizeSeed;

typedef struct {
    SizeRule rule;
    unsigned fits; // a bit for each demo
    double loss;
} Option;

typedef struct {
    SizeRule rule[2];
    int fits;
    double loss;
} SizeRules;

typedef struct {
    Bank *b;
    uint8_t target[2][BANK_MOST_DEMOS];
    int seeds, count;
    SizeSeed seed[MOST_SEEDS];
    SizeRules best[MOST_RULES];
} Sizes;

static int side_of(const Image *x, int axis) { return axis ? x->w : x->h; }

static int matches_of(const Bank *b, int32_t entry) {
    int matches = 0;
    for (int d = 0; d < b->demos; d++) {
        const Image *x = entry_image(b, entry, d);
        ts_grid out = b->outputs[d];
        matches +=
            x->h == out.height && x->w == out.width && !memcmp(x->cells, out.cells, (size_t)image_cells(x));
    }
    return matches;
}

static void find_seeds(Sizes *s) {
    Bank *b = s->b;
    for (size_t e = 0; e < b->count; e++) {
        if (e % BANK_LOOK_EVERY == 0 && !quest_slow(b->q)) return;
        if (b->entries[e].is_list) continue;
        SizeSeed seed = {.entry = (int32_t)e, .matches = matches_of(b, (int32_t)e)};
        for (int d = 0; d < b->demos; d++)
            for (int axis = 0; axis < 2; axis++)
                seed.side[axis][d] = (uint8_t)side_of(entry_image(b, (int32_t)e, d), axis);
        int k = 0;
        while (k < s->seeds && memcmp(s->seed[k].side, seed.side, sizeof seed.side)) k++;
        if (k == s->seeds) {
            if (k == MOST_SEEDS) k--; // the last one goes
            if (k < s->seeds && !seed.matches) continue;
            s->seed[k] = seed;
            s->seeds = k + 1;
        } else if (seed.matches > s->seed[k].matches) s->seed[k].matches = seed.matches;
    }
}

static double loss_of(const Sizes *s, int seed) {
    return (double)(seed + 1) / (1 + MATCH_WORTH * s->seed[seed].matches);
}

// Keeps it among the best.
static void add_rules(Sizes *s, const Option *height, const Option *width, double loss) {
    int fits = __builtin_popcount(height->fits & width->fits);
    SizeRules new = {{height->rule, width->rule}, fits, loss};
    int at = s->count;
    while (at > 0 &&
           (fits > s->best[at - 1].fits || (fits == s->best[at - 1].fits && loss < s->best[at - 1].loss)))
        at--;
    if (fits == 0 || at == MOST_RULES) return;
    if (s->count < MOST_RULES) s->count++;
    memmove(&s->best[at + 1], &s->best[at], (size_t)(s->count - 1 - at) * sizeof *s->best);
    s->best[at] = new;
}

static unsigned fits_of(const Sizes *s, int axis, const uint8_t *side, const uint8_t *other, int factor,
                        int offset) {
    unsigned fits = 0;
    for (int d = 0; d < s->b->demos; d++)
        fits |= (unsigned)(side[d] * factor + offset + (other ? other[d] : 0) == s->target[axis][d]) << d;
    return fits;
}

// Adds an option unless one that is there fits as much and costs no more.
static int add_option(Option *options, int count, Option new) {
    if (!new.fits || count == MOST_OPTIONS) return count;
    for (int k = 0; k < count; k++)
        if ((options[k].fits & new.fits) == new.fits && options[k].loss <= new.loss) return count;
    options[count] = new;
    return count + 1;
}

// How a side may follow from the sides of one image.
static int options_of(const Sizes *s, int axis, const SizeSeed *seed, double loss, Option *options,
                      int count) {
    for (int factor = 1; factor <= MOST_FACTOR; factor++)
        for (int d = 0; d < s->b->demos; d++) {
            int offset = s->target[axis][d] - seed->side[axis][d] * factor;
            if (abs(offset) > MOST_OFFSET) continue;
            Option new = {{seed->entry, -1, factor, offset},
                          fits_of(s, axis, seed->side[axis], NULL, factor, offset),
                          loss * factor * (abs(offset) + 1)};
            count = add_option(options, count, new);
        }
    for (int divisor = 2; divisor <= MOST_FACTOR; divisor++) {
        Option new = {{seed->entry, -1, -divisor, 0}, 0, loss * divisor};
        for (int d = 0; d < s->b->demos; d++)
            new.fits |= (unsigned)(s->target[axis][d] * divisor == seed->side[axis][d]) << d;
        count = add_option(options, count, new);
    }
    return count;
}

static void try_seed(Sizes *s, int k) {
    Option options[2][MOST_OPTIONS];
    int count[2];
    for (int axis = 0; axis < 2; axis++) count[axis] = options_of(s, axis, &s->seed[k], 1, options[axis], 0);
    for (int m = 0; m < count[0]; m++)
        for (int n = 0; n < count[1]; n++)
            add_rules(s, &options[0][m], &options[1][n],
                      loss_of(s, k) * options[0][m].loss * options[1][n].loss);
}

static Option sum_option(const Sizes *s, int axis, const SizeSeed *a, const SizeSeed *b) {
    return (Option){{a->entry, b ? b->entry : -1, 1, 0},
                    fits_of(s, axis, a->side[axis], b ? b->side[axis] : NULL, 1, 0),
                    1};
}

static void try_sums(Sizes *s) {
    for (int m = 0; m < s->seeds; m++)
        for (int n = 0; n < m; n++)
            for (int both = 1; both < 4; both++) {
                const SizeSeed *a = &s->seed[m], *b = &s->seed[n];
                Option height = sum_option(s, 0, a, both & 1 ? b : NULL);
                Option width = sum_option(s, 1, a, both & 2 ? b : NULL);
                add_rules(s, &height, &width, loss_of(s, m) * loss_of(s, n));
            }
}

static void try_axes(Sizes *s) {
    Option options[2][MOST_OPTIONS];
    int count[2] = {0, 0};
    for (int axis = 0; axis < 2; axis++) {
        for (int d = 0; d < s->b->demos; d++) {
            int side = s->target[axis][d];
            Option new = {
                {-1, -1, 0, side}, fits_of(s, axis, s->target[axis], NULL, 0, side), side + AXIS_EXTRA};
            count[axis] = add_option(options[axis], count[axis], new);
        }
        for (int k = 0; k < s->seeds; k++) {
            Option found[MOST_OPTIONS];
            int n = options_of(s, axis, &s->seed[k], loss_of(s, k), found, 0);
            for (int m = 0; m < n; m++) {
                found[m].loss += AXIS_EXTRA;
                count[axis] = add_option(options[axis], count[axis], found[m]);
            }
        }
    }
    for (int m = 0; m < count[0]; m++)
        for (int n = 0; n < count[1]; n++)
            add_rules(s, &options[0][m], &options[1][n], options[0][m].loss * options[1][n].loss);
}

// A side of the output of a test; 0 where the rule gives none.
static int side_on_test(Bank *b, const SizeRule *rule, int axis, int test) {
    int side = rule->offset;
    if (rule->entry >= 0) {
        int32_t node = bank_test_node(b, rule->entry, test);
        if (node < 0) return 0;
        int of = side_of(node_image(&b->graphs[b->demos + test], node), axis);
        side += rule->factor > 0 ? of * rule->factor : of % -rule->factor ? 0 : of / -rule->factor;
    }
    if (rule->other >= 0) {
        int32_t node = bank_test_node(b, rule->other, test);
        if (node < 0) return 0;
        side += side_of(node_image(&b->graphs[b->demos + test], node), axis);
    }
    return side > 0 && side <= b->q->side ? side : 0;
}

// Sets the sizes of the tests' outputs; false where the rule gives none for some test.
static bool apply_rules(Bank *b, const SizeRules *rules) {
    for (int t = 0; t < b->tests; t++) {
        int height = side_on_test(b, &rules->rule[0], 0, t), width = side_on_test(b, &rules->rule[1], 1, t);
        if (!height || !width ||
            !image_blank(b->shop.arena, height, width, &b->graphs[b->demos + t].size[SIZE_OUTPUT]))
            return false;
    }
    b->height = rules->rule[0];
    b->width = rules->rule[1];
    return true;
}

static bool is_side_of_input(const SizeRule *rule) {
    return rule->entry == 0 && rule->other < 0 && rule->factor == 1 && rule->offset == 0;
}

bool bank_sizes_are_inputs(const Bank *b) {
    return is_side_of_input(&b->height) && is_side_of_input(&b->width);
}

SizesFound bank_sizes_find(Bank *b) {
    Sizes *s = arena_alloc(b->shop.arena, sizeof *s);
    if (!s) return SIZES_NONE;
    *s = (Sizes){.b = b};
    for (int d = 0; d < b->demos; d++) {
        ts_grid out = b->outputs[d];
        s->target[0][d] = (uint8_t)out.height;
        s->target[1][d] = (uint8_t)out.width;
        if (!image_blank(b->shop.arena, out.height, out.width, &b->graphs[d].size[SIZE_OUTPUT]))
            return SIZES_NONE;
    }
    find_seeds(s);
    for (int k = 0; k < s->seeds; k++) try_seed(s, k);
    try_axes(s);
    if (!s->count || s->best[0].fits < b->demos) try_sums(s);
    b->shop.units += s->seeds * 1000;
    for (int k = 0; k < s->count; k++) {
        if (!apply_rules(b, &s->best[k])) continue;
        bool settled = s->best[k].fits == b->demos && s->best[k].loss <= 1;
        return settled ? SIZES_SETTLED : SIZES_SOME;
    }
    return SIZES_NONE;
}
