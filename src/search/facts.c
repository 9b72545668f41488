// What the demos have in common, as numbers of pairs of an input and an output.
#include "search/facts.h"

#include <string.h>

#include "base/hash.h"

enum { UNSAID = -1000 }; // of kind SAME: a pair has no such number

enum { EACH, SAME, ALL };
static const struct {
    const char *name, *words;
    double odds;
    int kind;
} table[FACTS] = {
#define FACT(name, kind, odds, words) [FACT_##name] = {#name, words, odds, kind},
#include "search/facts.def"
};

const char *facts_name(Fact fact) { return table[fact].name; }
const char *facts_words(Fact fact) { return table[fact].words; }

// ---- A pair ----

typedef struct {
    int count;
    uint64_t things, shapes; // hashes: the parts with their colours, and without
} PartsSum;

typedef struct {
    ts_grid in, out;
    int had[10], has[10]; // cells of each colour
    unsigned in_colors, out_colors;
    int in_ground, out_ground;
    int in_cells, out_cells; // that are not background
    PartsSum in_parts, out_parts, in_things, out_things;
    bool same_size;
} Pair;

static size_t cells_of(ts_grid g) { return (size_t)(g.height * g.width); }

// Parts of one colour, or things of any colours, that touch over sides or corners.
static PartsSum sum_parts(ts_grid g, int ground, bool one_color) {
    PartsSum sum = {0};
    bool seen[GRID_TASK_SIDE * GRID_TASK_SIDE];
    int16_t stack[GRID_TASK_SIDE * GRID_TASK_SIDE];
    if (!grid_fits(g, GRID_TASK_SIDE)) return sum;
    memset(seen, 0, cells_of(g));
    for (int first = 0; first < (int)cells_of(g); first++) {
        if (seen[first] || g.cells[first] == ground) continue;
        int n = 0, end = 1, top = g.height, left = g.width;
        stack[0] = (int16_t)first;
        seen[first] = true;
        for (; n < end; n++) {
            int i = stack[n] / g.width, j = stack[n] % g.width;
            if (i < top) top = i;
            if (j < left) left = j;
            for (int d = 0; d < DIRECTIONS; d++) {
                int k = i + direction_rows[d], l = j + direction_columns[d], at = k * g.width + l;
                if (k < 0 || l < 0 || k >= g.height || l >= g.width || seen[at] || g.cells[at] == ground)
                    continue;
                if (one_color && g.cells[at] != g.cells[first]) continue;
                seen[at] = true;
                stack[end++] = (int16_t)at;
            }
        }
        uint64_t thing = 0, shape = 0;
        for (n = 0; n < end; n++) {
            uint64_t place =
                hash_mix(1, (uint64_t)((stack[n] / g.width - top) * 128 + stack[n] % g.width - left));
            shape += place;
            thing += hash_mix(place, (uint64_t)g.cells[stack[n]]);
        }
        sum.count++;
        sum.things += hash_mix(2, thing);
        sum.shapes += hash_mix(3, shape);
    }
    return sum;
}

static Pair pair_of(ts_grid in, ts_grid out) {
    Pair p = {.in = in, .out = out, .in_ground = ground_of(in), .out_ground = ground_of(out)};
    p.same_size = grid_same_size(in, out);
    colors_count(in, p.had);
    colors_count(out, p.has);
    p.in_colors = colors_in(in);
    p.out_colors = colors_in(out);
    for (int c = 0; c < 10; c++) {
        p.in_cells += c == p.in_ground ? 0 : p.had[c];
        p.out_cells += c == p.in_ground ? 0 : p.has[c];
    }
    p.in_parts = sum_parts(in, p.in_ground, true);
    p.out_parts = sum_parts(out, p.in_ground, true);
    p.in_things = sum_parts(in, p.in_ground, false);
    p.out_things = sum_parts(out, p.in_ground, false);
    return p;
}

// ---- Facts of a pair: 1 or 0 for EACH, a number for SAME ----

static bool is_mirrored(ts_grid g, bool upside_down) {
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            int k = upside_down ? g.height - 1 - i : i, l = upside_down ? j : g.width - 1 - j;
            if (g.cells[i * g.width + j] != g.cells[k * g.width + l]) return false;
        }
    return true;
}

static bool is_piece(ts_grid g, ts_grid of) {
    for (int top = 0; top + g.height <= of.height; top++)
        for (int left = 0; left + g.width <= of.width; left++) {
            int i = 0;
            while (i < g.height &&
                   !memcmp(g.cells + i * g.width, of.cells + (top + i) * of.width + left, (size_t)g.width))
                i++;
            if (i == g.height) return true;
        }
    return false;
}

// Whether all cells that change were background, and whether none of them becomes it.
static bool only_ground_changes(const Pair *p) {
    if (!p->same_size) return false;
    for (size_t k = 0; k < cells_of(p->in); k++)
        if (p->in.cells[k] != p->out.cells[k] && p->in.cells[k] != p->in_ground) return false;
    return true;
}

static bool things_stay(const Pair *p) {
    if (!p->same_size) return false;
    for (size_t k = 0; k < cells_of(p->in); k++)
        if (p->in.cells[k] != p->out.cells[k] && p->out.cells[k] == p->in_ground) return false;
    return true;
}

static int changed(const Pair *p) {
    if (!p->same_size) return UNSAID;
    int n = 0;
    for (size_t k = 0; k < cells_of(p->in); k++) n += p->in.cells[k] != p->out.cells[k];
    return n;
}

static void measure(const Pair *p, int v[FACTS]) {
    const ts_grid in = p->in, out = p->out;
    const int in_colors = __builtin_popcount(p->in_colors), out_colors = __builtin_popcount(p->out_colors);
    v[FACT_SAME_SIZE] = p->same_size;
    v[FACT_SUBGRID] = !p->same_size && is_piece(out, in);
    v[FACT_CHANGES] = !ts_grid_equal(in, out);
    v[FACT_NO_NEW_COLOR] = !(p->out_colors & ~p->in_colors);
    v[FACT_SAME_COLORS] = p->out_colors == p->in_colors;
    v[FACT_FEWER_COLORS] = (p->in_colors & ~p->out_colors) != 0;
    v[FACT_SAME_COUNTS] = memcmp(p->had, p->has, sizeof p->had) == 0;
    v[FACT_SAME_GROUND] = p->in_ground == p->out_ground;
    v[FACT_ONLY_GROUND_CHANGES] = only_ground_changes(p);
    v[FACT_THINGS_STAY] = things_stay(p);
    v[FACT_AS_MUCH] = p->in_cells == p->out_cells;
    v[FACT_MORE] = p->in_cells < p->out_cells;
    v[FACT_LESS] = p->in_cells > p->out_cells;
    v[FACT_LEFT_IS_RIGHT] = is_mirrored(out, false);
    v[FACT_UP_IS_DOWN] = is_mirrored(out, true);
    v[FACT_AS_MANY_PARTS] = p->in_parts.count == p->out_parts.count;
    v[FACT_AS_MANY_THINGS] = p->in_things.count == p->out_things.count;
    v[FACT_SAME_PARTS] = p->in_parts.things == p->out_parts.things;
    v[FACT_SAME_SHAPES] = p->in_parts.shapes == p->out_parts.shapes;
    v[FACT_MORE_PARTS] = p->in_parts.count < p->out_parts.count;
    v[FACT_ONE_PART] = p->out_things.count == 1;
    v[FACT_AS_MANY_COLORS] = in_colors == out_colors;
    v[FACT_HEIGHT_DIFFERENCE] = out.height - in.height;
    v[FACT_WIDTH_DIFFERENCE] = out.width - in.width;
    v[FACT_COLOR_COUNT] = out_colors;
    v[FACT_NEW_COLORS] = out_colors - in_colors;
    v[FACT_PARTS] = p->out_parts.count;
    v[FACT_THINGS] = p->out_things.count;
    v[FACT_CELLS] = p->out_cells;
    v[FACT_GROUND] = p->out_ground;
    v[FACT_CHANGED] = changed(p);
}

// ---- Colours, over all demos ----

// Colours of the input, as bits: those of which no cell changes, and those of which there are as many as
// before.
static unsigned firm_colors(const Pair *p) {
    unsigned firm = p->same_size ? p->in_colors : 0;
    for (size_t k = 0; firm && k < cells_of(p->in); k++)
        if (p->in.cells[k] != p->out.cells[k]) firm &= ~(1U << p->in.cells[k]);
    return firm;
}

static unsigned counted_colors(const Pair *p) {
    unsigned counted = 0;
    for (int c = 0; c < 10; c++)
        if (p->had[c] && p->had[c] == p->has[c]) counted |= 1U << c;
    return counted;
}

Facts facts_of(const Quest *q) {
    Facts f = {.asked = ~0ULL >> (64 - FACTS), .firm = ~0U, .counted = ~0U};
    unsigned once = 0, twice = 0; // seen in inputs
    for (int k = 0; k < q->demos; k++) {
        const Pair p = pair_of(q->inputs[k], q->outputs[k]);
        int v[FACTS] = {0};
        measure(&p, v);
        for (int n = 0; n < FACTS; n++) {
            bool holds = table[n].kind != EACH || v[n];
            if (table[n].kind == SAME)
                holds = v[n] != UNSAID && q->demos > 2 && (k == 0 || v[n] == f.same[n]);
            f.same[n] = v[n];
            if (!holds) f.asked &= ~(1ULL << n);
        }
        f.colors |= p.out_colors;
        twice |= once & p.in_colors;
        once |= p.in_colors;
        f.firm &= firm_colors(&p) | ~p.in_colors;
        f.counted &= counted_colors(&p) | ~p.in_colors;
    }
    f.firm &= twice;
    f.counted &= once;
    return f;
}

uint64_t facts_broken(const Facts *f, ts_grid input, ts_grid answer) {
    const Pair p = pair_of(input, answer);
    int v[FACTS] = {0};
    measure(&p, v);
    v[FACT_KNOWN_COLORS] = !(p.out_colors & ~(f->colors | p.in_colors));
    v[FACT_FIRM] = !(p.same_size && f->firm & p.in_colors & ~firm_colors(&p));
    v[FACT_COUNTED] = !(f->counted & p.in_colors & ~counted_colors(&p));
    uint64_t broken = 0;
    for (int n = 0; n < FACTS; n++)
        if (table[n].kind == SAME ? v[n] != f->same[n] : !v[n]) broken |= 1ULL << n;
    return broken & f->asked;
}

double facts_odds(uint64_t broken) {
    double odds = 1;
    for (int n = 0; n < FACTS; n++)
        if (broken >> n & 1) odds *= table[n].odds;
    return odds;
}
