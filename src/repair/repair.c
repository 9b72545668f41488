// Periods are lattices: tiles of p by q, the next row of tiles moved aside by s; two cells are of one kind if
// the lattice takes one to the other. The fewest kinds that no two known cells contradict win. Symmetries are
// maps of cells; the one that most pairs of known cells bear out wins, and none may contradict it.
//
// Workload: 30 by 30 cells, thousands of lattices and axes, nearly all of which the first few cells
// contradict. So what it takes shows only as it is done: the cells that are looked at are counted.
#include "repair/repair.h"

#include <stdlib.h>
#include <string.h>

#include "parts/parts.h"

enum { UNKNOWN = -128, MOST_CELLS = REPAIR_MOST_SIDE * REPAIR_MOST_SIDE, MOST_SKEWED = 12 };
// What a board takes, a lattice or map that is tried, and a cell: looked at, voted on, found to be of a part.
enum { BOARD_UNITS = 300, TRY_UNITS = 10, CELL_UNITS = 4, VOTE_UNITS = 12, PART_UNITS = 10 };

// The grid to be made: what is known of it so far.
typedef struct {
    int height, width;
    int seen_height, seen_width; // of the grid that was given
    int mask;
    signed char cells[MOST_CELLS]; // UNKNOWN for the unknown
    int known_count;
    int16_t known[MOST_CELLS]; // the places of the others
    int64_t work, most_work;   // in units: nothing more is tried once there is more of it
} Board;

typedef struct {
    int p, q, s;
} Lattice;

static int floor_mod(int a, int n) { return (a % n + n) % n; }

// The kinds of cells that are asked for row by row, each row from the left: they follow from the last one.
typedef struct {
    const Lattice *l;
    int row, column; // the last one,
    int kinds, at;   // the first kind of its row, and which from there on
} Kinds;

static inline int kind_of(Kinds *k, int i, int j) {
    const Lattice *l = k->l;
    if (i != k->row) {
        k->row = i;
        k->column = 0;
        k->kinds = i % l->p * l->q;
        k->at = floor_mod(-(i / l->p) * l->s, l->q);
    }
    k->at += j - k->column;
    k->column = j;
    while (k->at >= l->q) k->at -= l->q;
    return k->kinds + k->at;
}

// ---- Periods without contradiction ----

// Whether no two known cells contradict it, and each unknown cell has a known one of its kind. With `fill`,
// they are set.
static bool lattice_holds(Board *b, const Lattice *l, bool fill) {
    signed char colors[MOST_CELLS];
    int k = 0;
    if (b->work > b->most_work) return false;
    memset(colors, UNKNOWN, (size_t)(l->p * l->q));
    Kinds known = {.l = l, .row = -1}, all = known;
    for (int i = 0; k < b->known_count; k++) {
        while (b->known[k] >= (i + 1) * b->width) i++;
        signed char c = b->cells[b->known[k]];
        signed char *kind = &colors[kind_of(&known, i, b->known[k] - i * b->width)];
        if (*kind == UNKNOWN) *kind = c;
        else if (*kind != c) break;
    }
    b->work += TRY_UNITS + CELL_UNITS * k;
    if (k < b->known_count) return false;
    for (int i = 0; i < b->height; i++)
        for (int j = 0; j < b->width; j++) {
            signed char *c = &b->cells[i * b->width + j];
            int color = colors[kind_of(&all, i, j)];
            if (color == UNKNOWN) return false;
            if (fill) *c = (signed char)color;
            b->work += CELL_UNITS;
        }
    return true;
}

// The smallest lattice among those of a way; the squarest of equals.
static bool find_lattice(Board *b, int how, Lattice *best) {
    int most_p = b->seen_height, most_q = b->seen_width, fewest = MOST_CELLS + 1;
    bool skewed = how == Repair_SKEWED_PERIODS || how == Repair_PERIOD_OF_DIAGONALS;
    if (how == Repair_PERIOD_OF_DIAGONALS) most_p = 1;
    if (how == Repair_SKEWED_PERIODS && most_p > MOST_SKEWED) most_p = MOST_SKEWED;
    if (skewed && most_q > 2 * MOST_SKEWED) most_q = 2 * MOST_SKEWED;
    for (int p = how == Repair_PERIOD_ACROSS ? b->height : 1;
         p <= (how == Repair_PERIOD_ACROSS ? b->height : most_p); p++)
        for (int q = how == Repair_PERIOD_DOWN ? b->width : 1;
             q <= (how == Repair_PERIOD_DOWN ? b->width : most_q); q++) {
            int kinds = p * q;
            if (kinds > fewest || (kinds == fewest && abs(p - q) >= abs(best->p - best->q))) continue;
            for (int s = skewed ? 1 : 0; s < (skewed ? q : 1); s++) {
                Lattice l = {p, q, s};
                if (!lattice_holds(b, &l, false)) continue;
                *best = l;
                fewest = kinds;
                break;
            }
        }
    return fewest <= MOST_CELLS;
}

// The smallest period of a row or column, if it has known cells at all.
static bool repair_line(Board *b, int start, int step, int n) {
    int first = n, last = -1;
    for (int k = 0; k < n; k++)
        if (b->cells[start + k * step] != UNKNOWN) last = k, first = k < first ? k : first;
    if (last < 0) return true;
    for (int q = 1; q <= last - first + 1; q++) {
        signed char colors[REPAIR_MOST_SIDE];
        bool holds = true;
        b->work += TRY_UNITS;
        memset(colors, UNKNOWN, sizeof colors);
        for (int k = first; k <= last && holds; k++) {
            signed char c = b->cells[start + k * step];
            if (c == UNKNOWN) continue;
            holds = colors[k % q] == UNKNOWN || colors[k % q] == c;
            colors[k % q] = c;
            b->work++;
        }
        for (int k = 0; k < q && holds; k++) holds = colors[k] != UNKNOWN;
        if (!holds) continue;
        for (int k = 0; k < n; k++) b->cells[start + k * step] = colors[k % q];
        return true;
    }
    return false;
}

static bool repair_lines(Board *b, bool columns) {
    int n = columns ? b->width : b->height;
    for (int k = 0; k < n; k++)
        if (!(columns ? repair_line(b, k, b->width, b->height) : repair_line(b, k * b->width, 1, b->width)))
            return false;
    return true;
}

// ---- Periods with wrong cells ----

// Cells that are not of the commonest colour of their kind. With `fill`, they are set to it.
static int lattice_misses(Board *b, const Lattice *l, bool fill) {
    uint16_t counts[MOST_CELLS][10];
    signed char best[MOST_CELLS];
    int misses = b->height * b->width, kinds = l->p * l->q;
    Kinds counted = {.l = l, .row = -1}, filled = counted;
    if (b->work > b->most_work) return misses;
    b->work += VOTE_UNITS * b->height * b->width;
    memset(counts, 0, (size_t)kinds * sizeof *counts);
    for (int i = 0, k = 0; i < b->height; i++)
        for (int j = 0; j < b->width; j++, k++)
            if (b->cells[k] >= 0 && b->cells[k] < 10) counts[kind_of(&counted, i, j)][b->cells[k]]++;
    for (int k = 0; k < kinds; k++) {
        best[k] = 0;
        for (signed char c = 1; c < 10; c++)
            if (counts[k][c] > counts[k][best[k]]) best[k] = c;
        misses -= counts[k][best[k]];
    }
    for (int i = 0, k = 0; i < b->height && fill; i++)
        for (int j = 0; j < b->width; j++, k++) b->cells[k] = best[kind_of(&filled, i, j)];
    return misses;
}

// A kind costs its colour, a wrong cell its place and colour: the lattice that says the grid in the fewest
// bits.
static bool repair_by_vote(Board *b, int how) {
    int cells = b->height * b->width, fewest = cells * 7 / 2,
        most = b->height < b->width ? b->width : b->height;
    Lattice best = {0};
    for (int p = 1; p <= (how == Repair_PERIOD_ACROSS ? 1 : most / 2); p++)
        for (int q = 1; q <= (how == Repair_PERIOD_DOWN ? 1 : most / 2); q++) {
            Lattice l = {how == Repair_PERIOD_ACROSS ? b->height : p,
                         how == Repair_PERIOD_DOWN ? b->width : q, 0};
            if (how == Repair_PERIOD_ACROSS) l.q = q;
            if (l.p > b->height || l.q > b->width || l.p * l.q * 7 / 2 >= fewest) continue;
            int cost = l.p * l.q * 7 / 2 + lattice_misses(b, &l, false) * 12;
            if (cost < fewest) fewest = cost, best = l;
        }
    if (!best.p) return false;
    lattice_misses(b, &best, true);
    return true;
}

// ---- Symmetries ----

// A cell (i, j) goes to (a + i·ii + j·ij, b + i·ji + j·jj).
typedef struct {
    int a, b, ii, ij, ji, jj;
} Map;

static bool map_cell(const Board *b, const Map *m, int i, int j, int *to) {
    int y = m->a + i * m->ii + j * m->ij, x = m->b + i * m->ji + j * m->jj;
    *to = y * b->width + x;
    return y >= 0 && x >= 0 && y < b->height && x < b->width;
}

// Pairs of known cells that bear it out; -1 where two contradict it.
static int map_support(Board *b, const Map *m) {
    int pairs = 0, to, k = 0;
    if (b->work > b->most_work) return -1;
    for (int i = 0; k < b->known_count; k++) {
        int at = b->known[k];
        while (at >= (i + 1) * b->width) i++;
        if (!map_cell(b, m, i, at - i * b->width, &to) || b->cells[to] == UNKNOWN) continue;
        if (b->cells[to] != b->cells[at]) break;
        pairs++;
    }
    b->work += TRY_UNITS + CELL_UNITS * k;
    return k < b->known_count ? -1 : pairs;
}

static Map map_of(int how, int a, int b) {
    switch (how) {
    case Repair_MIRROR_UPSIDE_DOWN: return (Map){a, 0, -1, 0, 0, 1};
    case Repair_MIRROR_LEFT_TO_RIGHT: return (Map){0, a, 1, 0, 0, -1};
    case Repair_MIRROR_DIAGONAL: return (Map){a, -a, 0, 1, 1, 0};
    default: return (Map){a, b, 0, 1, -1, 0}; // a quarter
    }
}

// The best map of a way; fewer than this many pairs bear nothing out.
static bool find_map(Board *b, int how, Map *best) {
    int most = 3, n = b->height > b->width ? b->height : b->width;
    bool found = false, turned = how == Repair_QUARTER_TURNS, transposed = how == Repair_MIRROR_DIAGONAL;
    for (int u = transposed || turned ? -n : 0; u < 2 * n; u++)
        for (int v = 0; v < (turned ? 2 * n : 1); v++) {
            Map m = map_of(how, u, v);
            int support = map_support(b, &m);
            if (support > most) most = support, *best = m, found = true;
        }
    return found;
}

static bool spread(Board *b, const Map *maps, int n) {
    bool changed = true;
    for (int round = 0; changed && round < 16; round++) {
        changed = false;
        b->work += CELL_UNITS * n * b->height * b->width;
        for (int k = 0; k < b->height * b->width; k++)
            for (int m = 0; m < n && b->cells[k] != UNKNOWN; m++) {
                int to;
                if (!map_cell(b, &maps[m], k / b->width, k % b->width, &to)) continue;
                if (b->cells[to] == b->cells[k]) continue;
                if (b->cells[to] != UNKNOWN) return false;
                b->cells[to] = b->cells[k];
                changed = true;
            }
    }
    return true;
}

static bool repair_symmetry(Board *b, int how) {
    Map maps[5];
    int n = 0;
    if (how != Repair_MIRROR_BOTH_WAYS) return find_map(b, how, &maps[0]) && spread(b, maps, 1);
    n += find_map(b, Repair_MIRROR_UPSIDE_DOWN, &maps[n]);
    n += find_map(b, Repair_MIRROR_LEFT_TO_RIGHT, &maps[n]);
    if (n == 2 && (maps[0].a - maps[1].b) % 2 == 0) {
        // The diagonals through the crossing of the two axes.
        int t = (maps[0].a - maps[1].b) / 2;
        Map diagonal = {t, -t, 0, 1, 1, 0};
        if (map_support(b, &diagonal) > 3) maps[n++] = diagonal;
    }
    return n > 0 && spread(b, maps, n);
}

// ---- All ways ----

static bool repair_board(Board *b, int how) {
    Lattice l = {0};
    int kind = how % REPAIR_OPTION;
    b->known_count = 0;
    for (int k = 0; k < b->height * b->width; k++)
        if (b->cells[k] != UNKNOWN) b->known[b->known_count++] = (int16_t)k;
    if (!b->known_count) return false;
    if (kind >= Repair_MIRROR_UPSIDE_DOWN) return kind < REPAIR_KINDS && repair_symmetry(b, kind);
    if (how & REPAIR_VOTE) return kind <= Repair_PERIOD_DOWN && repair_by_vote(b, kind);
    if (kind == Repair_PERIOD_OF_EACH_ROW || kind == Repair_PERIOD_OF_EACH_COLUMN)
        return repair_lines(b, kind == Repair_PERIOD_OF_EACH_COLUMN);
    return find_lattice(b, kind, &l) && lattice_holds(b, &l, true);
}

static void set_board(Board *b, ts_grid g, int mask, int height, int width, int64_t most_work) {
    *b = (Board){.height = height,
                 .width = width,
                 .seen_height = g.height,
                 .seen_width = g.width,
                 .mask = mask,
                 .work = BOARD_UNITS + CELL_UNITS * height * width,
                 .most_work = most_work};
    memset(b->cells, UNKNOWN, sizeof b->cells);
    for (int i = 0; i < g.height && i < height; i++)
        for (int j = 0; j < g.width && j < width; j++)
            if (g.cells[i * g.width + j] != mask || mask == Mask_NO_MASK)
                b->cells[i * width + j] = g.cells[i * g.width + j];
}

// What lies within the box of the known cells is known; of a row or column by itself, between its known
// cells.
static void know_box(Board *b, int how) {
    Box box;
    if (!grid_box((ts_grid){b->height, b->width, b->cells}, UNKNOWN, false, &box)) return;
    int kind = how % REPAIR_OPTION;
    b->work += (int64_t)box_height(box) * box_width(box) * box_width(box);
    for (int i = box.top; i <= box.bottom; i++)
        for (int j = box.left; j <= box.right; j++) {
            signed char *c = &b->cells[i * b->width + j];
            bool before = false, after = false;
            for (int k = box.left; k < j; k++) before |= b->cells[i * b->width + k] != UNKNOWN;
            for (int k = j; k <= box.right; k++) after |= b->cells[i * b->width + k] != UNKNOWN;
            if (*c == UNKNOWN && (kind != Repair_PERIOD_OF_EACH_ROW || (before && after)))
                *c = (signed char)b->mask;
        }
}

static bool repair_parts(Arena *a, ts_grid g, int mask, int how, Board *sum) {
    Parts parts;
    if (!parts_of(a, g, mask, PartsKind_THINGS_DIAGONAL, &parts) || !parts.count) return false;
    sum->work += PART_UNITS * g.height * g.width;
    bool any = false;
    for (int k = 0; k < parts.count && k < 64; k++) {
        Board b;
        set_board(&b, g, mask, g.height, g.width, sum->most_work - sum->work);
        for (int c = 0; c < g.height * g.width; c++)
            if (parts.label[c] != k) b.cells[c] = UNKNOWN;
        bool repaired = repair_board(&b, how);
        sum->work += b.work;
        if (!repaired) continue;
        any = true;
        for (int c = 0; c < g.height * g.width; c++)
            if (sum->cells[c] == UNKNOWN) sum->cells[c] = b.cells[c];
    }
    return any;
}

static bool repair_any(Arena *a, ts_grid g, int how, Board *b) {
    if (how & (REPAIR_PARTS | REPAIR_BOX) && b->mask == Mask_NO_MASK) return false;
    if (how & REPAIR_PARTS)
        return b->height == g.height && b->width == g.width && repair_parts(a, g, b->mask, how, b);
    if (how & REPAIR_BOX) know_box(b, how);
    return repair_board(b, how);
}

bool repair_grid(Arena *a, ts_grid g, int mask, int how, int height, int width, int64_t *units,
                 ts_grid *out) {
    const int64_t most_work = *units;
    *units = 0;
    if (height < 1 || width < 1 || height > REPAIR_MOST_SIDE || width > REPAIR_MOST_SIDE) return false;
    if (!grid_fits(g, REPAIR_MOST_SIDE) || how < 0 || how >= REPAIR_HOWS) return false;
    Board b;
    set_board(&b, g, mask, height, width, most_work);
    bool repaired = repair_any(a, g, how, &b);
    *units = b.work;
    if (!repaired) return false;
    signed char *cells = arena_alloc(a, (size_t)(height * width));
    if (!cells) return false;
    for (int k = 0; k < height * width; k++)
        cells[k] = b.cells[k] == UNKNOWN ? (signed char)(mask == Mask_NO_MASK ? 0 : mask) : b.cells[k];
    *out = (ts_grid){height, width, cells};
    return true;
}
