// Rules that put all pieces of a source together, or those that a condition takes, by one layout.
//
// What an output is made of is seen before any layout is tried: the colours of its cells are those of the
// pieces, all of them or, where pieces cover each other, some of them.
#include <string.h>

#include "assemble/assemble_engine.h"
#include "assemble/assembly.h"
#include "base/hash.h"
#include "cutout/cutout_engine.h"

enum { MOST_PIECES = 64, MOST_SETS = 200, MOST_ORDERS = 24 };

typedef struct {
    int source, view;
    Pieces *p;
    ts_grid *views[QUEST_MOST_SAMPLES];
    uint64_t chosen[QUEST_MOST_SAMPLES]; // a bit for each piece that the condition takes
    Choice order;
    int count[QUEST_MOST_SAMPLES];
    int ordered[QUEST_MOST_SAMPLES][MOST_PIECES];
    Assembly how;
    double cost; // without that of the layout
} LayoutRule;

static bool lay_sample(Assembler *s, const void *rule, int sample, ts_grid *out) {
    const LayoutRule *r = rule;
    int64_t work = 0;
    bool done = assembly_made(&s->scratch, &r->p[sample], r->views[sample], r->ordered[sample],
                              r->count[sample], &r->how, &work, out);
    return quest_spend(s->q, work) && done;
}

static bool try_layout(Assembler *s, LayoutRule *r, Assembly how, double cost) {
    r->how = how;
    if (assemble_try(s, lay_sample, r, r->cost + cost, false)) {
        text_print(&s->text, "O = assemble(I, (%d, %d), (%d, %d, %d, %d), ((%d, %d, %d, %d), %d))\n", r->source,
                   r->view, r->order.where, r->order.equals, r->order.prop, r->order.kind, how.kind, how.a, how.b,
                   how.c, how.canvas);
        assemble_note(s);
    }
    return quest_spend(s->q, 200);
}

// ---- What the outputs are made of ----

typedef struct {
    bool exact;   // each colour has as many cells in the output as in the pieces
    bool covered; // it has no more than that, and there is no other colour
    bool same;    // the same colours
    unsigned marks; // colours that all pieces have
} Makeup;

static Makeup makeup_of(const Assembler *s, const LayoutRule *r, int d) {
    Makeup m = {true, true, true, 0x3FF};
    int sums[10] = {0}, counts[10], in[10];
    for (int k = 0; k < r->p[d].count; k++) {
        if (!(r->chosen[d] >> k & 1)) continue;
        if (!r->views[d][k].height) return (Makeup){0};
        colors_count(r->views[d][k], in);
        for (int c = 0; c < 10; c++) {
            sums[c] += in[c];
            if (!in[c]) m.marks &= ~(1u << c);
        }
    }
    colors_count(s->q->outputs[d], counts);
    for (int c = 0; c < 10; c++) {
        if (c == r->p[d].ground) continue;
        m.exact &= counts[c] == sums[c];
        m.covered &= counts[c] <= sums[c];
        m.same &= !counts[c] == !sums[c];
    }
    m.marks &= ~(1u << r->p[d].ground);
    return m;
}

// What holds for all demos but one at the most.
static Makeup makeup_of_all(const Assembler *s, const LayoutRule *r) {
    int exact = 0, covered = 0, same = 0, marks[10] = {0}, demos = s->q->demos, enough = demos - (demos > 1);
    for (int d = 0; d < demos; d++) {
        Makeup m = makeup_of(s, r, d);
        exact += m.exact, covered += m.covered, same += m.same;
        for (int c = 0; c < 10; c++) marks[c] += (int)(m.marks >> c & 1);
    }
    Makeup all = {exact >= enough, covered >= enough, same >= enough, 0};
    for (int c = 0; c < 10; c++) all.marks |= (unsigned)(marks[c] >= enough) << c;
    return all;
}

// ---- Layouts ----

static bool try_piles(Assembler *s, LayoutRule *r) {
    static const int canvases[] = {Canvas_CLOSE_FIT, Canvas_SIZE_OF_GRID, Canvas_SIZE_OF_PIECE};
    for (int k = 0; k < 3; k++)
        for (int way = 0; way < 4; way++)
            for (int across = 0; across <= Across_FLUSH_LAST; across++)
                if (!try_layout(s, r, (Assembly){Assembly_PILED, way, across, 0, canvases[k]}, 3.5)) return false;
    return true;
}

static bool try_joints(Assembler *s, LayoutRule *r, unsigned marks) {
    for (int c = 0; c < 10; c++)
        for (int k = 0; k < 8 && marks >> c & 1; k++) {
            int canvas = k & 4 ? Canvas_ROWS_OF_GRID : Canvas_CLOSE_FIT;
            if (!try_layout(s, r, (Assembly){Assembly_JOINED_AT, c, k & 1, k >> 1 & 1, canvas}, 2 + (k & 1) + (k >> 1)))
                return false;
        }
    return true;
}

// The layouts for pieces in an order.
static bool try_ordered(Assembler *s, LayoutRule *r, Makeup m) {
    if (m.exact && !try_piles(s, r)) return false;
    for (int anchor = Anchor_NORTHEAST; m.covered && anchor <= Anchor_ABOUT_MIDDLE; anchor++)
        for (int canvas = 0; canvas < 2; canvas++)
            if (!try_layout(s, r, (Assembly){Assembly_ON_EACH_OTHER, anchor, 0, 0, canvas}, 2 + canvas)) return false;
    if (m.marks && !try_joints(s, r, m.marks)) return false;
    return !m.same || try_layout(s, r, (Assembly){.kind = Assembly_RINGS_IN_ORDER}, 1.5);
}

static bool try_unordered(Assembler *s, LayoutRule *r, Makeup m) {
    if (m.exact && !try_layout(s, r, (Assembly){.kind = Assembly_WHERE_THEY_POINT}, 1.5)) return false;
    return !m.same ||
           try_layout(s, r, (Assembly){.kind = Assembly_RINGS_THROUGH, .canvas = Canvas_SIZE_OF_GRID}, 1.5);
}

// ---- Orders ----

static uint64_t put_in_order(const Assembler *s, LayoutRule *r) {
    uint64_t hash = 1;
    for (int k = 0; k < s->q->samples; k++) {
        int order[PIECES_MOST];
        r->count[k] = pieces_ordered(&r->p[k], &r->order, order);
        memcpy(r->ordered[k], order, sizeof(int) * (size_t)r->count[k]);
        hash = hash_bytes(hash_mix(hash, (uint64_t)r->count[k]), order, sizeof(int) * (size_t)r->count[k]);
    }
    return hash;
}

// All orders of some pieces that differ, and all layouts of each.
static bool try_orders(Assembler *s, LayoutRule *r) {
    Makeup m = makeup_of_all(s, r);
    uint64_t seen[MOST_ORDERS];
    int n = 0;
    double base = r->cost;
    if (!quest_spend(s->q, 400 * s->q->demos)) return false;
    if (!m.exact && !m.covered && !m.same && !m.marks) return true;
    for (int prop = 0; prop < PIECE_PROPERTIES && n < MOST_ORDERS; prop++)
        for (int kind = 0; kind < 2 && pieces_prop_fits(r->source, prop) && n < MOST_ORDERS; kind++) {
            int k = 0;
            r->order.prop = prop, r->order.kind = kind;
            uint64_t hash = put_in_order(s, r);
            if (!quest_spend(s->q, 300 * s->q->samples)) return false;
            while (k < n && seen[k] != hash) k++;
            if (k < n) continue;
            seen[n++] = hash;
            r->cost = base + cutout_prop_cost(prop);
            if (!try_ordered(s, r, m)) return false;
            r->cost = base;
            if (n == 1 && !try_unordered(s, r, m)) return false;
        }
    return true;
}

// ---- Conditions ----

// The pieces that a condition takes. False where a sample has none.
static bool choose_pieces(const Assembler *s, LayoutRule *r, uint64_t *hash) {
    *hash = 1;
    for (int k = 0; k < s->q->samples; k++) {
        r->chosen[k] = 0;
        for (int i = 0; i < r->p[k].count; i++)
            r->chosen[k] |= (uint64_t)piece_meets(&r->p[k], &r->order, i) << i;
        if (!r->chosen[k]) return false;
        *hash = hash_mix(*hash, r->chosen[k]);
    }
    return true;
}

static bool try_view(Assembler *s, LayoutRule *r) {
    uint64_t seen[MOST_SETS], hash;
    int n = 0;
    double base = r->cost;
    r->order = (Choice){.where = -1};
    if (choose_pieces(s, r, &hash)) {
        seen[n++] = hash;
        if (!try_orders(s, r)) return false;
    }
    for (int where = 0; where < PIECE_PROPERTIES; where++) {
        if (!pieces_prop_fits(r->source, where) || !cutout_is_condition(where)) continue;
        for (int k = 0; k < 2 * r->p[0].count && n < MOST_SETS; k++) {
            int i = 0, value = r->p[0].props[k / 2 * PIECE_PROPERTIES + where];
            r->order = (Choice){.where = where + (k % 2 ? CHOICE_NOT : 0), .equals = value};
            if (!quest_spend(s->q, 20 * s->q->samples)) return false;
            if (!choose_pieces(s, r, &hash)) continue;
            while (i < n && seen[i] != hash) i++;
            if (i < n) continue;
            seen[n++] = hash;
            r->cost = base + 1.5 + k % 2 + cutout_prop_cost(where);
            if (!try_orders(s, r)) return false;
        }
    }
    return true;
}

bool assemble_layouts(Assembler *s) {
    static const int sources[] = {PartsKind_PARTS,
                                  PartsKind_PARTS_DIAGONAL,
                                  PartsKind_THINGS,
                                  PartsKind_THINGS_DIAGONAL,
                                  PartsKind_COLORS,
                                  Source_CLUSTERS,
                                  Source_LATTICE,
                                  Source_BLACK_LATTICE,
                                  Source_SQUARE_TILES,
                                  Source_FRAMES};
    Quest *q = s->q;
    LayoutRule *r = arena_alloc(&q->arena, sizeof *r);
    if (!r) return true;
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        *r = (LayoutRule){.source = sources[k], .p = assemble_pieces(s, sources[k], 2, MOST_PIECES)};
        if (q->units <= 0) return false;
        if (!r->p) continue;
        for (r->view = 0; r->view <= PieceView_BY_ITSELF; r->view++) {
            if (r->view == PieceView_BY_ITSELF && r->source >= PARTS_KINDS) continue;
            for (int i = 0; i < q->samples; i++) {
                r->views[i] = arena_alloc(&q->arena, MOST_PIECES * sizeof(ts_grid));
                if (!r->views[i]) return true;
                for (int n = 0; n < r->p[i].count; n++)
                    if (!piece_view(&q->arena, &r->p[i], n, r->view, &r->views[i][n])) r->views[i][n] = (ts_grid){0};
            }
            r->cost = 1 + cutout_source_cost(r->source) + cutout_view_cost(r->view);
            if (!try_view(s, r)) return false;
        }
    }
    return true;
}
