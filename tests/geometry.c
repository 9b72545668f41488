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
#include "grid/colors.h"
#include "grid/lattice.h"

enum { MOST_SIDE = 12 };

typedef struct {
    Checks checks;
    Ctx c;
    Rng r;
} Geometry;

static int below(Geometry *u, int n) { return (int)rng_below(&u->r, (uint32_t)n); }

// A grid of some of the first colours, most with sides of at most MOST_SIDE.
static ts_grid any_grid(Geometry *u) {
    const int most = below(u, 10) ? MOST_SIDE : GRID_TASK_SIDE;
    int h = 1 + below(u, most), w = 1 + below(u, most), colors = 1 + below(u, 4);
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
        check(&u->checks, symmetry_then(a, Symmetry_AS_IS) == a && symmetry_then(Symmetry_AS_IS, a) == a,
              "%d", a);
        check(&u->checks, symmetry_then(a, symmetry_inverse(a)) == Symmetry_AS_IS, "the inverse of %d", a);
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
    static const int step[3] = {Symmetry_TRANSPOSED, Symmetry_UPSIDE_DOWN, Symmetry_LEFT_TO_RIGHT};
    check_begin(&u->checks, "a symmetry is its steps, one after the other");
    for (int steps = 0; steps < SYMMETRIES; steps++) {
        int all = Symmetry_AS_IS;
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
    check(&u->checks, direction_rows[Direction_NORTH] == -1 && direction_columns[Direction_NORTHEAST] == 1,
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
        Box all = {0, 0, g.height - 1, g.width - 1}, beyond = {1, 0, g.height, g.width - 1};
        check(&u->checks, grid_cut(&u->c.arena, g, all, &cut) && ts_grid_equal(cut, g), "all");
        check(&u->checks, !grid_cut(&u->c.arena, g, beyond, &cut), "beyond");
        text_clear(&printed), text_clear(&wanted);
        grid_print(&printed, g);
        literal_print(&wanted, value_grid(&u->c, g));
        check(&u->checks, strcmp(printed.data, wanted.data) == 0, "%s, not %s", printed.data, wanted.data);
        grid_edit(copy)[below(u, g.height * g.width)] ^= 1;
        check(&u->checks, !ts_grid_equal(copy, g) && grid_hash(copy) != grid_hash(g), "%s", printed.data);
    }
    text_free(&printed), text_free(&wanted);
    check_end(&u->checks);
}

static void test_blocks(Geometry *u) {
    check_begin(&u->checks, "a scaled grid is in blocks, and comes back");
    for (int round = 0; round < 200; round++) {
        ctx_begin(&u->c, INT64_MAX / 2);
        ts_grid g = any_grid(u), large, back;
        int n = 1 + below(u, 5), side = grid_block_side(g);
        const bool fits = n * g.height <= GRID_TASK_SIDE && n * g.width <= GRID_TASK_SIDE;
        check(&u->checks, grid_scaled(&u->c.arena, g, n, GRID_TASK_SIDE, &large) == fits, "by %d", n);
        if (!fits) continue;
        check(&u->checks, grid_block_side(large) == n * side, "%d, not %d times %d", grid_block_side(large),
              n, side);
        check(&u->checks, grid_unscaled(&u->c.arena, large, n, &back) && ts_grid_equal(back, g),
              "back from %d", n);
    }
    check_end(&u->checks);
}

// ---- Boxes and colours ----

static void test_boxes(Geometry *u) {
    check_begin(&u->checks,
                "the box of a colour holds all its cells, and each side has one; pasted, it is as before");
    for (int round = 0; round < 400; round++) {
        ctx_begin(&u->c, INT64_MAX / 2);
        ts_grid g = any_grid(u), cut, again;
        int color = below(u, 4), n = 0;
        unsigned sides = 0;
        bool is = below(u, 2);
        Box b;
        bool found = grid_box(g, color, is, &b);
        for (int i = 0; i < g.height; i++)
            for (int j = 0; j < g.width; j++) {
                if ((g.cells[i * g.width + j] == color) != is) continue;
                n++;
                check(&u->checks, found && box_holds(b, i, j), "(%d, %d) is outside", i, j);
                sides |= (unsigned)(i == b.top) | (unsigned)(j == b.left) << 1 |
                         (unsigned)(i == b.bottom) << 2 | (unsigned)(j == b.right) << 3;
            }
        check(&u->checks, found == (n > 0) && (!n || sides == 15), "sides %x of %d cells", sides, n);
        if (!found) continue;
        check(&u->checks,
              grid_cut(&u->c.arena, g, b, &cut) && cut.height == box_height(b) && cut.width == box_width(b),
              "cut");
        check(&u->checks, grid_copy(&u->c.arena, g, &again), "no memory");
        grid_put(again, cut, b.top, b.left);
        check(&u->checks, ts_grid_equal(again, g), "pasted");
    }
    check_end(&u->checks);
}

static void test_colors(Geometry *u) {
    check_begin(&u->checks, "the colours of a grid, counted, ranked, renamed");
    static const int8_t turned[10] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    for (int round = 0; round < 200; round++) {
        ctx_begin(&u->c, INT64_MAX / 2);
        ts_grid g = any_grid(u), other, back;
        int counts[10], all = 0, without = below(u, 5) - 1;
        colors_count(g, counts);
        int most = colors_by_count(counts, without, false), least = colors_by_count(counts, without, true);
        for (int c = 0; c < 10; c++) {
            all += counts[c];
            check(&u->checks, (counts[c] > 0) == (colors_in(g) >> c & 1), "colour %d", c);
            if (c == without || !counts[c]) continue;
            check(&u->checks, counts[c] < counts[most] || (counts[c] == counts[most] && c >= most),
                  "most: %d", c);
            check(&u->checks, counts[c] > counts[least] || (counts[c] == counts[least] && c >= least),
                  "least: %d", c);
        }
        check(&u->checks, all == g.height * g.width && most != without && (most < 0) == (least < 0), "all");
        check(&u->checks, colors_only(colors_in(g)) == (counts[g.cells[0]] == all ? g.cells[0] : -1), "only");
        bool same = colors_renamed(&u->c.arena, g, turned, &other) &&
                    colors_renamed(&u->c.arena, other, turned, &back) && ts_grid_equal(back, g);
        check(&u->checks, same && (colors_in(other) & 0x3C0) && !(colors_in(other) & 15), "renamed");
    }
    check_end(&u->checks);
}

// ---- Lines and lattices ----

static bool is_line(ts_grid g, bool row, int k, int color) {
    for (int m = 0; m < (row ? g.width : g.height); m++)
        if (g.cells[row ? k * g.width + m : m * g.width + k] != color) return false;
    return true;
}

static bool is_repeated(ts_grid g, bool row, int k) {
    for (int m = 0; k && m < (row ? g.width : g.height); m++)
        if (row ? g.cells[k * g.width + m] != g.cells[(k - 1) * g.width + m]
                : g.cells[m * g.width + k] != g.cells[m * g.width + k - 1])
            return false;
    return k > 0;
}

// A grid with some rows and columns of one colour, or as the one before.
static ts_grid lined_grid(Geometry *u) {
    ts_grid g = any_grid(u);
    for (int n = below(u, 6); n > 0; n--) {
        bool row = below(u, 2), repeats = below(u, 3) == 0;
        int k = below(u, row ? g.height : g.width), color = below(u, 3);
        for (int m = 0; m < (row ? g.width : g.height); m++) {
            int at = row ? k * g.width + m : m * g.width + k, before = k ? (row ? at - g.width : at - 1) : at;
            grid_edit(g)[at] = (signed char)(repeats ? g.cells[before] : color);
        }
    }
    return g;
}

static void test_lines(Geometry *u) {
    check_begin(&u->checks, "lines of a colour and repeated ones, and the grid without them");
    for (int round = 0; round < 600; round++) {
        ctx_begin(&u->c, INT64_MAX / 2);
        ts_grid g = lined_grid(u), left;
        int color = below(u, 3), rows = 0, columns = 0;
        GridLines of = grid_lines(g, color), repeated = grid_repeated_lines(g);
        for (int i = 0; i < g.height; i++) {
            check(&u->checks, (of.rows >> i & 1) == is_line(g, true, i, color), "row %d", i);
            check(&u->checks, (repeated.rows >> i & 1) == is_repeated(g, true, i), "row %d again", i);
            rows += !is_line(g, true, i, color);
        }
        for (int j = 0; j < g.width; j++) {
            check(&u->checks, (of.columns >> j & 1) == is_line(g, false, j, color), "column %d", j);
            check(&u->checks, (repeated.columns >> j & 1) == is_repeated(g, false, j), "column %d again", j);
            columns += !is_line(g, false, j, color);
        }
        bool some = grid_without(&u->c.arena, g, of, &left);
        check(&u->checks, some == (rows && columns), "what is left");
        check(&u->checks, !some || (left.height == rows && left.width == columns), "%d by %d", rows, columns);
        check(&u->checks, grid_without(&u->c.arena, g, repeated, &left), "a row and a column stay");
    }
    check_end(&u->checks);
}

// Lines of a colour, rows and columns.
static int count_lines(ts_grid g, int color) {
    int n = 0;
    for (int i = 0; i < g.height; i++) n += is_line(g, true, i, color);
    for (int j = 0; j < g.width; j++) n += is_line(g, false, j, color);
    return n;
}

static void check_rooms(Geometry *u, ts_grid g, const Lattice *l) {
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            int in = 0;
            for (int k = 0; k < lattice_rooms(l); k++) in += box_holds(lattice_room(l, k), i, j);
            bool between = is_line(g, true, i, l->color) || is_line(g, false, j, l->color);
            check(&u->checks, in == !between, "(%d, %d) is in %d rooms", i, j, in);
        }
}

static void test_lattices(Geometry *u) {
    check_begin(&u->checks,
                "a cell is on a line or in one room, and the lines are those that were asked for");
    for (int round = 0; round < 1000; round++) {
        ctx_begin(&u->c, INT64_MAX / 2);
        ts_grid g = lined_grid(u);
        int spare = below(u, 4) - 1, most = 0, first = spare; // first: the lowest colour with most lines
        unsigned colors = below(u, 2) ? 0x3FF : 0x3FE;
        Lattice l, some;
        if (spare >= 0) colors |= 1U << spare;
        for (int c = 0; c < 10; c++)
            if (c != spare && colors >> c & 1 && count_lines(g, c) > most)
                most = count_lines(g, c), first = c;
        if (lattice_by_lines(g, colors, spare, &l)) {
            check_rooms(u, g, &l);
            check(&u->checks, lattice_rooms(&l) >= 2 && colors >> l.color & 1, "colour %d", l.color);
            check(&u->checks, l.color == first, "%d, not %d", l.color, first);
        }
        int least = 2 + below(u, 4), lowest = 0;
        bool found = lattice_by_rooms(g, least, &l);
        if (found) check_rooms(u, g, &l);
        check(&u->checks, !found || lattice_rooms(&l) >= least, "%d rooms", lattice_rooms(&l));
        for (; lowest < (found ? l.color : 10); lowest++)
            if (lattice_by_lines(g, 1U << lowest, -1, &some))
                check(&u->checks, lattice_rooms(&some) < least, "colour %d is lower", lowest);
    }
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
        test_blocks(&u);
        test_boxes(&u);
        test_colors(&u);
        test_lines(&u);
        test_lattices(&u);
    }
    arena_free(&u.c.arena);
    return check_summary(&u.checks);
}
