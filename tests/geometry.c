// The geometry of src/grid/, held against the primitives of the language and against what is said cell by
// cell.
//
//     geometry [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "dsl/ops.h"
#include "generate.h"
#include "grid/grid.h"

enum { MOST_SIDE = 12 };

typedef struct {
    Checks checks;
    Ctx c;
    Rng r;
} Geometry;

static int below(Geometry *u, int n) { return (int)rng_below(&u->r, (uint32_t)n); }

// A grid of some of the first colours, with sides of at most MOST_SIDE.
static ts_grid any_grid(Geometry *u) {
    int h = 1 + below(u, MOST_SIDE), w = 1 + below(u, MOST_SIDE), colors = 1 + below(u, 4);
    ts_grid g = grid_blank(&u->c.arena, h, w, 0);
    for (int k = 0; k < h * w; k++) grid_edit(g)[k] = (signed char)below(u, colors);
    return g;
}

static ts_grid moved(Geometry *u, ts_grid g, int symmetry) {
    ts_grid out;
    check(&u->checks, grid_moved(&u->c.arena, g, symmetry, &out), "no memory");
    return out;
}

// ---- Symmetries ----

static void test_group(Geometry *u) {
    check_begin(&u->checks, "the symmetries are a group, of which the numbers tell");
    for (int a = 0; a < SYMMETRIES; a++) {
        unsigned seen = 0;
        check(&u->checks, symmetry_then(a, SYMMETRY_AS_IS) == a && symmetry_then(SYMMETRY_AS_IS, a) == a,
              "%d", a);
        check(&u->checks, symmetry_then(a, symmetry_inverse(a)) == SYMMETRY_AS_IS, "the inverse of %d", a);
        for (int b = 0; b < SYMMETRIES; b++) {
            seen |= 1U << symmetry_then(a, b);
            for (int c = 0; c < SYMMETRIES; c++)
                check(&u->checks,
                      symmetry_then(symmetry_then(a, b), c) == symmetry_then(a, symmetry_then(b, c)),
                      "%d, %d, %d", a, b, c);
        }
        check(&u->checks, seen == (1U << SYMMETRIES) - 1, "%d with all others gives %x", a, seen);
    }
    check_end(&u->checks);
}

static void test_steps(Geometry *u) {
    static const int step[3] = {SYMMETRY_TRANSPOSED, SYMMETRY_UPSIDE_DOWN, SYMMETRY_LEFT_TO_RIGHT};
    check_begin(&u->checks, "a symmetry is its steps, one after the other");
    for (int steps = 0; steps < SYMMETRIES; steps++) {
        int all = SYMMETRY_AS_IS;
        for (int k = 0; k < 3; k++)
            if (steps >> k & 1) all = symmetry_then(all, step[k]);
        check(&u->checks, symmetry_by_steps[steps] == all, "steps %d are %d", steps, all);
        check(&u->checks, symmetry_exchanges(all) == (steps & 1), "%d", all);
    }
    check_end(&u->checks);
}

static void test_moves(Geometry *u) {
    check_begin(&u->checks, "cells, grids and mir_rot_t move alike, and one after the other as both at once");
    for (int round = 0; round < 200; round++) {
        ctx_begin(&u->c, INT64_MAX / 2);
        ts_grid g = any_grid(u);
        for (int s = 0; s < SYMMETRIES; s++) {
            ts_grid m = moved(u, g, s), back = moved(u, m, symmetry_inverse(s));
            check(&u->checks, ts_grid_equal(back, g), "back from %d", s);
            for (int i = 0; i < g.height; i++)
                for (int j = 0; j < g.width; j++) {
                    int k, l;
                    symmetry_cell(s, g.height, g.width, i, j, &k, &l);
                    bool inside = k >= 0 && l >= 0 && k < m.height && l < m.width;
                    check(&u->checks, inside && m.cells[k * m.width + l] == g.cells[i * g.width + j],
                          "%d: (%d, %d) of %d by %d", s, i, j, g.height, g.width);
                }
            Value v = op_mir_rot_t(&u->c, (const Value[]){value_grid(&u->c, g), value_of_small(s)});
            check(&u->checks, value_equal(v, value_grid(&u->c, m)), "mir_rot_t %d", s);
            for (int then = 0; then < SYMMETRIES; then++)
                check(&u->checks, ts_grid_equal(moved(u, m, then), moved(u, g, symmetry_then(s, then))),
                      "%d, then %d", s, then);
        }
    }
    check_end(&u->checks);
}

static void test_directions(Geometry *u) {
    check_begin(&u->checks, "sides and corners come clockwise, opposite ones two apart");
    for (int d = 0; d < DIRECTIONS; d++) {
        int next = d / 4 * 4 + (d + 1) % 4, i = direction_rows[d], j = direction_columns[d];
        check(&u->checks, (i && j) == (d >= 4), "%d", d);
        // A quarter to the right takes (i, j) to (j, -i).
        check(&u->checks, direction_rows[next] == j && direction_columns[next] == -i, "after %d", d);
    }
    check(&u->checks, direction_rows[DIRECTION_NORTH] == -1 && direction_columns[DIRECTION_NORTHEAST] == 1,
          "up");
    check_end(&u->checks);
}

// ---- Grids ----

static void test_grids(Geometry *u) {
    check_begin(&u->checks, "copies are equal, print as values do, and differ by one cell");
    Text printed = {0}, wanted = {0};
    for (int round = 0; round < 200; round++) {
        ctx_begin(&u->c, INT64_MAX / 2);
        ts_grid g = any_grid(u), copy, cut;
        check(&u->checks, grid_copy(&u->c.arena, g, &copy) && ts_grid_equal(copy, g), "a copy");
        check(&u->checks, grid_cut(&u->c.arena, g, 0, 0, g.height, g.width, &cut) && ts_grid_equal(cut, g),
              "all");
        check(&u->checks, !grid_cut(&u->c.arena, g, 1, 0, g.height, g.width, &cut), "beyond");
        text_clear(&printed), text_clear(&wanted);
        grid_print(&printed, g);
        value_print(&wanted, value_grid(&u->c, g));
        check(&u->checks, strcmp(printed.data, wanted.data) == 0, "%s, not %s", printed.data, wanted.data);
        grid_edit(copy)[below(u, g.height * g.width)] ^= 1;
        check(&u->checks, !ts_grid_equal(copy, g) && grid_hash(copy) != grid_hash(g), "%s", printed.data);
    }
    text_free(&printed), text_free(&wanted);
    check_end(&u->checks);
}

int main(int argc, char **argv) {
    static Geometry u;
    gen_context(&u.c, (size_t)64 << 20);
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    test_group(&u);
    test_steps(&u);
    test_directions(&u);
    for (uint64_t seed = first; seed <= last; seed++) {
        u.r = (Rng){seed};
        test_moves(&u);
        test_grids(&u);
    }
    arena_free(&u.c.arena);
    return check_summary(&u.checks);
}
