// The features of cells and the table that trees grow on, held against what they mean: cell by cell, one
// question after the other.
//
//     build/obj/tests/features [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "tree/grow.h"

enum { ROUNDS = 60, SAMPLES = 3, SIDE = GRID_TASK_SIDE };

typedef struct {
    Checks checks;
    Rng r;
    Arena arena;
    CellScene scene;
    signed char cells[2 * SAMPLES][SIDE * SIDE];
} Features;

static int below(Features *u, int n) { return (int)rng_below(&u->r, (uint32_t)n); }

// Mostly background, so that rays have a way to go; sometimes full.
static ts_grid any_grid(Features *u, int k, int h, int w) {
    int colors = 2 + below(u, 5), rare = 1 + below(u, 6);
    for (int n = 0; n < h * w; n++)
        u->cells[k][n] = (signed char)(below(u, rare)           ? 0
                                       : (n > 0 && below(u, 2)) ? u->cells[k][n - 1]
                                                                : below(u, colors));
    return (ts_grid){h, w, u->cells[k]};
}

static int at(ts_grid g, int i, int j) {
    return i < 0 || j < 0 || i >= g.height || j >= g.width ? -1 : g.cells[i * g.width + j];
}

// ---- What lies around a cell ----

// The first colour in a direction that is not `over`; -1 where the edge comes first.
static int look(ts_grid g, int i, int j, int d, int over, int *distance) {
    for (*distance = 1;; ++*distance) {
        int color = at(g, i += cell_step_i(d), j += cell_step_j(d));
        if (color != over) return color;
    }
}

static unsigned colors_ahead(ts_grid g, int i, int j, int d, int ground, int *full) {
    unsigned colors = 0;
    int color;
    *full = 0;
    while ((color = at(g, i += cell_step_i(d), j += cell_step_j(d))) >= 0) {
        colors |= 1u << color;
        *full += color != ground;
    }
    return colors;
}

static unsigned near_colors(ts_grid g, int i, int j, bool corners) {
    unsigned colors = 0;
    for (int d = 0; d < 8; d++) {
        int color = at(g, i + cell_step_i(d), j + cell_step_j(d));
        if (color >= 0 && (corners || d % 4 < 2)) colors |= 1u << color;
    }
    return colors;
}

static int run_through(ts_grid g, int i, int j, int d) {
    int one, other;
    look(g, i, j, d, at(g, i, j), &one);
    look(g, i, j, d + 4, at(g, i, j), &other);
    return one + other - 1;
}

// What a feature is for a cell; -2 for those that are not told here.
static int plainly(const CellScene *s, FeatureFamily family, int place, int i, int j) {
    ts_grid g = s->base;
    int ground = s->background, far, full, d = place % 8;
    int color = at(g, i + cell_step_i(d), j + cell_step_j(d)), own = at(g, i, j);
    switch (family) {
    case FAMILY_near: return color;
    case FAMILY_near_full: return color >= 0 && color != ground;
    case FAMILY_near_has: return near_colors(g, i, j, place < PLACE(SIDE_HAS)) >> place % 10 & 1;
    case FAMILY_ray: return look(g, i, j, d, ground, &far);
    case FAMILY_ray_other: return look(g, i, j, d, own, &far);
    case FAMILY_ray_distance: return look(g, i, j, d, ground, &far) < 0 ? -1 : far;
    case FAMILY_ray_count: return colors_ahead(g, i, j, d, ground, &full), full;
    case FAMILY_ray_both:
        if (place >= 4) return -2;
        color = look(g, i, j, place, ground, &far);
        return color == look(g, i, j, place + 4, ground, &far) ? color : -1;
    case FAMILY_sees:
    case FAMILY_sees_diagonal:
        d = (place < 20 ? place / 10 : place / 10 + 2) + 2 * (family == FAMILY_sees_diagonal);
        return colors_ahead(g, i, j, d, ground, &full) >> place % 10 & 1;
    case FAMILY_run:
        if (place == PLACE(ROW_RUN)) return run_through(g, i, j, Neighbor_WEST);
        return place == PLACE(COLUMN_RUN) ? run_through(g, i, j, Neighbor_NORTH) : -2;
    case FAMILY_near_count:
        if (place == PLACE(NEIGHBOR_COLORS))
            return __builtin_popcount(near_colors(g, i, j, true) & ~(1u << ground));
        return place == PLACE(IS_BACKGROUND) ? own == ground : -2;
    case FAMILY_near_color:
        if (place != PLACE(ONLY_NEIGHBOR_COLOR)) return -2;
        return colors_only(near_colors(g, i, j, true) & ~(1u << ground));
    default: return -2;
    }
}

// The nearest cell of the foreground, by steps to the sides; its colour, or how far it is.
static int nearest(const CellScene *s, bool asks_color, int i, int j) {
    int best = 127, color = -1;
    for (int k = 0; k < s->base.height * s->base.width; k++) {
        int far = abs(k / s->base.width - i) + abs(k % s->base.width - j);
        if (s->base.cells[k] != s->background && far < best) best = far, color = s->base.cells[k];
    }
    return asks_color ? color : best;
}

// What a cell has from its part; -2 for those that are not told here.
static int of_part(const CellScene *s, FeatureFamily family, int place, int cell) {
    int number = feature_families[family].number, kind = number % 10;
    if (number < 20 || number >= 50 || kind >= PARTS_KINDS) return -2;
    const Parts *p = &s->parts[kind];
    int part = p->label[cell];
    if (part < 0) return -1;
    if (number < 30) return place < PROPS ? part_prop(p, part, place) : -2;
    if (number >= 40) return part_prop(p, part, Property_TOUCHES) >> place & 1;
    if (place == PartColor_MAIN_COLOR) return p->parts[part].color;
    if (place != PartColor_TWIN_COLOR) return -2;
    unsigned twins = 0;
    for (int k = 0; k < p->count; k++)
        if (p->parts[k].color != p->parts[part].color && part_same_shape(p, part, k))
            twins |= 1u << p->parts[k].color;
    return colors_only(twins);
}

static void test_columns(Features *u) {
    check_begin(&u->checks, "a column of features is what they are, cell by cell");
    for (int round = 0; round < ROUNDS; round++) {
        CellScene *s = &u->scene;
        arena_reset(&u->arena);
        ts_grid g = any_grid(u, 0, 1 + below(u, 14), 1 + below(u, 14));
        if (!cell_scene_init(s, &u->arena, g, (CellLayout){0})) continue;
        for (int f = 0; f < FAMILIES; f++)
            for (int place = 0; place < feature_families[f].count; place++) {
                int number = feature_families[f].number, w = g.width;
                const uint8_t *column = feature_families[f].layout == Layout_ANY
                                            ? cell_scene_column(s, number * 100 + place)
                                            : NULL;
                for (int cell = 0; column && cell < g.height * w; cell++) {
                    int wanted = plainly(s, (FeatureFamily)f, place, cell / w, cell % w);
                    if (f == FAMILY_nearest && place == PLACE(NEAREST_COLOR))
                        wanted = nearest(s, true, cell / w, cell % w);
                    if (f == FAMILY_nearest_distance && place == PLACE(NEAREST_DISTANCE))
                        wanted = nearest(s, false, cell / w, cell % w);
                    if (wanted == -2) wanted = of_part(s, (FeatureFamily)f, place, cell);
                    check(&u->checks, wanted == -2 || column[cell] == feature_byte(wanted),
                          "feature %d of cell %d of %d by %d: %d, not %d", number * 100 + place, cell,
                          g.height, w, column[cell] - 1, wanted);
                }
            }
    }
    check_end(&u->checks);
}

// ---- The table ----

static void check_column(Features *u, const TreeTable *t, const Column *c) {
    bool demos_have[256] = {false}, is_new = false;
    for (int k = 0; k < t->rows; k++) {
        int value = c->cells[k], code = c->codes[value];
        demos_have[value] = true;
        check(&u->checks, code < c->distinct && c->values[code] == value, "feature %d: the code of %d",
              c->feature, value);
        for (int v = 0; c->sets && v < c->distinct; v++)
            check(&u->checks, (c->sets[v * t->words + k / 64] >> k % 64 & 1) == (v == code),
                  "feature %d: row %d in the set of value %d", c->feature, k, v);
        if (c->right)
            check(&u->checks, (c->right[k / 64] >> k % 64 & 1) == (value == t->label[k]),
                  "feature %d: row %d is right", c->feature, k);
    }
    for (int k = t->rows; k < t->all_rows; k++) is_new |= !demos_have[c->cells[k]];
    check(&u->checks, c->is_new == is_new, "feature %d: new values", c->feature);
    for (int v = 1; v < c->distinct; v++)
        check(&u->checks, c->values[v - 1] < c->values[v], "feature %d: the order", c->feature);
}

static void test_table(Features *u) {
    check_begin(&u->checks, "the sets of a table are the rows that have a value");
    for (int round = 0; round < ROUNDS / 6; round++) {
        Example examples[SAMPLES];
        Quest q = {.units = (int64_t)1 << 50, .until_clock = (int64_t)1 << 50};
        arena_init(&q.arena, (size_t)512 << 20);
        for (int k = 0; k < SAMPLES; k++) {
            int h = 1 + below(u, 9), w = 1 + below(u, 9);
            examples[k] = (Example){.input = any_grid(u, k, h, w), .sample = k};
            if (k < SAMPLES - 1) examples[k].output = any_grid(u, SAMPLES + k, h, w);
        }
        TreeTable t;
        if (tree_table_make(&t, &q, (CellLayout){0}, examples, SAMPLES, NULL))
            for (int c = 0; c < t.columns; c++) check_column(u, &t, &t.column[c]);
        arena_free(&q.arena);
    }
    check_end(&u->checks);
}

int main(int argc, char **argv) {
    static Features u;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    arena_init(&u.arena, (size_t)256 << 20);
    for (uint64_t seed = first; seed <= last; seed++) {
        u.r = (Rng){seed};
        test_columns(&u);
        test_table(&u);
    }
    arena_free(&u.arena);
    return check_summary(&u.checks);
}
