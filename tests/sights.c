// What the search works out for all parts and all cells at once, held against the plain way: one part, one
// property, one choice after the other.
//
//     build/obj/tests/sights [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "draw/sight.h"

enum { ROUNDS = 150, SAMPLES = 3, SIDE = GRID_MOST_SIDE };

typedef struct {
    Checks checks;
    Rng r;
    Arena arena;
    signed char cells[SAMPLES][SIDE * SIDE];
} Sights;

static int below(Sights *u, int n) { return (int)rng_below(&u->r, (uint32_t)n); }

// A grid that has something to see: boxes, filled or not, single cells, and now and then a part that is there
// again, turned.
static ts_grid any_grid(Sights *u, int sample, int most_side) {
    int h = 1 + below(u, most_side), w = 1 + below(u, most_side), colors = 2 + below(u, 4);
    if (below(u, 8) == 0) h = w;
    signed char *cells = u->cells[sample];
    ts_grid g = {h, w, cells};
    memset(cells, below(u, colors), (size_t)(h * w));
    for (int n = below(u, 12); n >= 0; n--) {
        int top = below(u, h), left = below(u, w), color = below(u, colors);
        int bottom = top + below(u, 1 + (h - top < 7 ? h - top : 7)), hollow = below(u, 2);
        int right = left + below(u, 1 + (w - left < 7 ? w - left : 7));
        for (int i = top; i <= bottom && i < h; i++)
            for (int j = left; j <= right && j < w; j++)
                if (!hollow || i == top || i == bottom || j == left || j == right || below(u, 9) == 0)
                    cells[i * w + j] = (signed char)color;
    }
    for (int n = below(u, 20); n > 0; n--) cells[below(u, h * w)] = (signed char)below(u, colors);
    for (int i = 0; below(u, 3) == 0 && i < h / 2; i++)
        for (int j = 0; j < w; j++) cells[(h - 1 - i) * w + j] = cells[i * w + j];
    if (below(u, 10) == 0) cells[below(u, h * w)] = 11; // no colour of a task
    return g;
}

static void test_props(Sights *u) {
    check_begin(&u->checks, "all properties at once are those that are asked for one by one");
    for (int round = 0; round < ROUNDS; round++) {
        arena_reset(&u->arena);
        ts_grid g = any_grid(u, 0, below(u, 4) ? 16 : SIDE);
        for (int kind = 0; kind < PARTS_KINDS; kind++) {
            Parts p;
            if (!parts_of(&u->arena, g, ground_of(g), kind, &p)) continue;
            const int *props = parts_props(&u->arena, &p);
            check(&u->checks, props != NULL, "no memory");
            for (int part = 0; props && part < p.count && part < 60; part++)
                for (int prop = 0; prop < PROPS; prop++)
                    check(&u->checks, props[part * PROPS + prop] == part_prop(&p, part, prop),
                          "kind %d, part %d of %d, property %d: %d, plainly %d", kind, part, p.count, prop,
                          props[part * PROPS + prop], part_prop(&p, part, prop));
        }
    }
    check_end(&u->checks);
}

// Each choice takes what its selector takes, and no two the same.
static void check_choices(Sights *u, const Quest *q, const Sight *s) {
    for (int k = 0; k < s->choice_count; k++) {
        const uint64_t *set = sight_chosen(s, &s->choices[k]);
        for (int sample = 0; sample < q->samples; sample++) {
            bool chosen[SCENE_MOST_PARTS];
            int parts = s->scenes[sample].parts.count;
            selector_apply(&s->choices[k].selector, parts, s->scenes[sample].props, chosen);
            for (int n = 0; n < parts; n++)
                check(&u->checks, set_has(set, s->first[sample] + n) == chosen[n],
                      "choice %d, sample %d, part %d", k, sample, n);
        }
        for (int n = 0; n < k; n++)
            check(&u->checks,
                  memcmp(set, sight_chosen(s, &s->choices[n]), (size_t)s->words * sizeof *set) != 0,
                  "choices %d and %d are the same", n, k);
    }
}

static void test_choices(Sights *u) {
    check_begin(&u->checks, "a choice of a sight takes the parts that its selector takes");
    for (int round = 0; round < ROUNDS / 3; round++) {
        ts_grid inputs[SAMPLES];
        Quest q = {.demos = SAMPLES - 1, .tests = 1, .samples = SAMPLES, .inputs = inputs, .units = 1 << 30};
        arena_init(&q.arena, (size_t)256 << 20);
        for (int k = 0; k < SAMPLES; k++) inputs[k] = any_grid(u, k, 12);
        for (int kind = 0; kind < PARTS_KINDS; kind++) {
            Sight s;
            if (sight_of(&q, inputs, kind, NULL, 0, &s)) check_choices(u, &q, &s);
        }
        arena_free(&q.arena);
    }
    check_end(&u->checks);
}

int main(int argc, char **argv) {
    static Sights u;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    arena_init(&u.arena, (size_t)256 << 20);
    for (uint64_t seed = first; seed <= last; seed++) {
        u.r = (Rng){seed};
        test_props(&u);
        test_choices(&u);
    }
    arena_free(&u.arena);
    return check_summary(&u.checks);
}
