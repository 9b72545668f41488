// Rules that put all pieces of a source together, or those that a condition takes, by one layout.
//
// What an output is made of is seen before any layout is tried: the colours of its cells are those of the
// pieces, all of them or, where pieces cover each other, some of them.
#include <string.h>

#include "assemble/assemble_engine.h"
#include "assemble/assembly.h"
#include "base/hash.h"
#include "cutout/cutout_engine.h"

enum { MOST_SETS = 100, MOST_ORDERS = 24, MOST_LAYOUTS = 160, SOURCES = 10 };

typedef struct {
    Assembly how;
    double cost;
    bool ordered; // whether the order of the pieces matters
} Layout;

typedef struct {
    int source, view;
    Pieces *p;
    ts_grid *views[QUEST_MOST_SAMPLES];
    int (*colors[QUEST_MOST_DEMOS])[10]; // of each view, how many cells of each colour
    uint64_t chosen[QUEST_MOST_SAMPLES]; // a bit for each piece that the condition takes
    Choice order;
    int count[QUEST_MOST_SAMPLES];
    int ordered[QUEST_MOST_SAMPLES][ASSEMBLE_PIECES];
    Assembly how;
    int layout_count;
    Layout layouts[MOST_LAYOUTS];
    double cost; // without that of the order and the layout
} LayoutRule;

// ---- Which layouts may give the outputs ----

// What a demo's output and the pieces have in common.
typedef struct {
    bool exact;                         // each colour has as many cells in the output as in the pieces
    bool covered;                       // it has no more than that
    bool same;                          // the same colours
    bool moved;                         // the pieces are those whose cells have changed
    bool alone;                         // one piece is the output already
    bool as_grid, as_piece, as_largest; // the size of the output
    bool rings;                         // as large as rings of all pieces
    unsigned marks;                     // colours that all pieces have, where the others are in the output
} Makeup;

// Colours that all pieces have, beside others that are all there in the output.
static unsigned marks_of(unsigned shared, const int *sums, const int *counts, int ground) {
    unsigned marks = 0;
    for (int c = 0; c < 10; c++) {
        bool rest = shared >> c & 1, others = false;
        for (int d = 0; d < 10; d++) {
            if (d == c || d == ground) continue;
            rest &= !counts[d] == !sums[d] && counts[d] >= sums[d];
            others |= sums[d] > 0;
        }
        if (rest && others && c != ground && counts[c] <= sums[c]) marks |= 1u << c;
    }
    return marks;
}

// Whether a cell of a piece is another in the output, which has the size of the input.
static bool has_changed(const Assembler *s, const LayoutRule *r, int d, int k) {
    const Piece *t = &r->p[d].at[k];
    ts_grid y = s->q->outputs[d], g = r->views[d][k];
    for (int c = 0; c < g.height * g.width; c++) {
        int at = (t->top + c / g.width) * y.width + t->left + c % g.width;
        if (g.cells[c] != r->p[d].ground && g.cells[c] != y.cells[at]) return true;
    }
    return false;
}

static Makeup makeup_of(const Assembler *s, const LayoutRule *r, int d) {
    int sums[10] = {0}, counts[10], height = 0, width = 0, n = 0, order[ASSEMBLE_PIECES];
    unsigned shared = 0x3FF;
    ts_grid y = s->q->outputs[d];
    bool as_grid = grid_same_size(y, s->q->inputs[d]);
    Makeup m = {
        .exact = true, .covered = true, .same = true, .as_piece = true, .moved = as_grid, .as_grid = as_grid};
    for (int k = 0; k < r->p[d].count; k++) {
        m.moved = m.moved && has_changed(s, r, d, k) == (r->chosen[d] >> k & 1);
        if (!(r->chosen[d] >> k & 1)) continue;
        ts_grid g = r->views[d][k];
        if (!g.height) return (Makeup){0};
        order[n++] = k;
        height = g.height > height ? g.height : height;
        width = g.width > width ? g.width : width;
        m.as_piece &= grid_same_size(g, y);
        m.alone |= ts_grid_equal(g, y);
        for (int c = 0; c < 10; c++) {
            sums[c] += r->colors[d][k][c];
            if (!r->colors[d][k][c]) shared &= ~(1u << c);
        }
    }
    if (n < 2) return (Makeup){.moved = m.moved}; // the rest is for several
    int ground = assembly_ground(&r->p[d], r->views[d], order, n);
    colors_count(y, counts);
    for (int c = 0; c < 10; c++) {
        if (c == ground) continue;
        m.exact &= counts[c] == sums[c];
        m.covered &= counts[c] <= sums[c];
        m.same &= !counts[c] == !sums[c];
    }
    m.as_largest = y.height == height && y.width == width;
    m.rings = y.height == 2 * n - 1 && y.width == y.height;
    m.marks = marks_of(shared, sums, counts, ground);
    return m;
}

static void add(LayoutRule *r, double cost, bool ordered, Assembly how) {
    if (r->layout_count < MOST_LAYOUTS) r->layouts[r->layout_count++] = (Layout){how, cost, ordered};
}

static void add_piles(LayoutRule *r, int canvas) {
    for (int way = 0; way < 4; way++)
        for (int across = 0; across <= Across_FLUSH_LAST; across++)
            add(r, 3.5, true, (Assembly){Assembly_PILED, way, across, 0, canvas});
}

static void add_joints(LayoutRule *r, int color) {
    for (int k = 0; k < 8; k++) {
        bool touch = k & 1, blend = k & 2, rows = k & 4;
        add(r, 2 + touch + blend + rows, true,
            (Assembly){Assembly_JOINED_AT, color, touch ? Joint_MARKS_TOUCH : Joint_MARKS_MEET,
                       blend ? MarkPaint_MARKS_BLEND : MarkPaint_MARKS_STAY,
                       rows ? Canvas_ROWS_OF_GRID : Canvas_CLOSE_FIT});
    }
}

// Those that may give all outputs, or all but one.
static void find_layouts(const Assembler *s, LayoutRule *r) {
    int demos = s->q->demos, enough = demos - (demos > 1), marks[10] = {0};
    int pile_grid = 0, pile_piece = 0, on = 0, exact = 0, point = 0, moved = 0, rings = 0, through = 0;
    for (int d = 0; d < demos; d++) {
        Makeup m = makeup_of(s, r, d);
        exact += m.exact;
        pile_grid += m.exact && m.as_grid;
        pile_piece += m.exact && m.as_piece;
        moved += m.moved;
        point += m.exact && !m.as_grid;
        on += m.covered && m.as_largest && !m.alone;
        rings += m.same && m.rings;
        through += m.same && m.as_grid;
        for (int c = 0; c < 10; c++) marks[c] += (int)(m.marks >> c & 1);
    }
    r->layout_count = 0;
    if (through >= enough) add(r, 1.5, false, (Assembly){Assembly_RINGS_THROUGH});
    for (int c = 0; c <= OwnOrColor_ITS_OWN_COLORS && moved == demos; c++)
        if (c == OwnOrColor_ITS_OWN_COLORS || s->new_colors >> c & 1)
            add(r, c < 10 ? 3.5 : 2.5, false, (Assembly){Assembly_INTERLOCKED, c});
    if (point >= enough) add(r, 1.5, false, (Assembly){Assembly_WHERE_THEY_POINT});
    if (on >= enough) add(r, 1.5, exact < demos, (Assembly){Assembly_ABOUT_ONE_MIDDLE});
    if (rings >= enough) add(r, 1.5, true, (Assembly){Assembly_RINGS_IN_ORDER});
    for (int c = 0; c < 10; c++)
        if (marks[c] >= enough) add_joints(r, c);
    if (pile_grid >= enough) add_piles(r, Canvas_SIZE_OF_GRID);
    if (pile_piece >= enough) add_piles(r, Canvas_SIZE_OF_PIECE);
}

// ---- Trying ----

static bool lay_sample(Assembler *s, const void *rule, int sample, ts_grid *out) {
    const LayoutRule *r = rule;
    int64_t work = 0;
    const ts_grid *wanted = sample < s->q->demos ? &s->q->outputs[sample] : NULL;
    bool done = assembly_made(&s->scratch, &r->p[sample], r->views[sample], r->ordered[sample],
                              r->count[sample], &r->how, wanted, &work, out);
    return quest_spend(s->q, work) && done;
}

static bool try_layouts(Assembler *s, LayoutRule *r, bool first) {
    for (int k = 0; k < r->layout_count; k++) {
        const Layout *l = &r->layouts[k];
        const Assembly *h = &l->how;
        if (!l->ordered && !first) continue;
        double order = l->ordered ? cutout_prop_cost(r->order.prop) : 0;
        r->how = *h;
        if (assemble_try(s, lay_sample, r, r->cost + l->cost + order, false)) {
            text_print(&s->text, "O = assemble(I, (%d, %d), (%d, %d, %d, %d), ((%d, %d, %d, %d), %d))\n",
                       r->source, r->view, r->order.where, r->order.equals, r->order.prop, r->order.kind,
                       h->kind, h->a, h->b, h->c, h->canvas);
            assemble_note(s);
        }
        if (!quest_spend(s->q, 200)) return false;
    }
    return true;
}

static uint64_t put_in_order(const Assembler *s, LayoutRule *r) {
    uint64_t hash = 1;
    for (int k = 0; k < s->q->samples; k++) {
        int order[PIECES_MOST];
        r->count[k] = pieces_ordered(&r->p[k], &r->order, order);
        size_t bytes = sizeof(int) * (size_t)r->count[k];
        memcpy(r->ordered[k], order, bytes);
        hash = hash_bytes(hash_mix(hash, (uint64_t)r->count[k]), order, bytes);
    }
    return hash;
}

// All orders of the chosen pieces that differ, and all layouts of each.
static bool try_orders(Assembler *s, LayoutRule *r) {
    uint64_t seen[MOST_ORDERS];
    int n = 0;
    bool ordered = false;
    find_layouts(s, r);
    for (int k = 0; k < r->layout_count; k++) ordered |= r->layouts[k].ordered;
    if (!quest_spend(s->q, 200 * s->q->demos)) return false;
    for (int prop = 0; r->layout_count && prop < PIECE_PROPERTIES && n < MOST_ORDERS; prop++)
        for (int kind = 0; kind < 2 && pieces_prop_fits(r->source, prop) && n < MOST_ORDERS; kind++) {
            int k = 0;
            if (n && !ordered) return true;
            r->order.prop = prop, r->order.kind = kind;
            uint64_t hash = put_in_order(s, r);
            if (!quest_spend(s->q, 200 * s->q->samples)) return false;
            while (k < n && seen[k] != hash) k++;
            if (k < n) continue;
            seen[n++] = hash;
            if (!try_layouts(s, r, n == 1)) return false;
        }
    return true;
}

// ---- Which pieces ----

// The pieces that a condition takes. False where a sample has none, or the demos give no reason for
// a condition.
static bool choose_pieces(const Assembler *s, LayoutRule *r, uint64_t *hash) {
    bool all = true;
    *hash = 1;
    for (int k = 0; k < s->q->samples; k++) {
        r->chosen[k] = 0;
        for (int i = 0; i < r->p[k].count; i++)
            r->chosen[k] |= (uint64_t)piece_meets(&r->p[k], &r->order, i) << i;
        int n = __builtin_popcountll(r->chosen[k]);
        if (n < 1) return false;
        all &= k >= s->q->demos || n == r->p[k].count;
        *hash = hash_mix(*hash, r->chosen[k]);
    }
    return !all || r->order.where < 0;
}

// The pieces whose property is that of piece k of the first demo, or the others; false where an earlier piece
// has said so.
static bool set_condition(LayoutRule *r, int where, int k, bool not ) {
    const int *props = r->p[0].props + where;
    for (int i = 0; i < k; i++)
        if (props[i * PIECE_PROPERTIES] == props[k * PIECE_PROPERTIES]) return false;
    r->order = (Choice){.where = where + (not ? CHOICE_NOT : 0), .equals = props[k * PIECE_PROPERTIES]};
    return true;
}

static bool try_all(Assembler *s, LayoutRule *r) {
    uint64_t hash;
    r->order = (Choice){.where = -1};
    return !choose_pieces(s, r, &hash) || try_orders(s, r);
}

static bool try_conditions(Assembler *s, LayoutRule *r) {
    uint64_t seen[MOST_SETS], hash;
    int n = 0;
    double base = r->cost;
    for (int where = 0; where < PIECE_PROPERTIES; where++) {
        bool edge = where == Property_TOP || where == Property_LEFTMOST;
        if (!pieces_prop_fits(r->source, where) || (!edge && !cutout_is_condition(where))) continue;
        for (int k = 0; k < 2 * r->p[0].count && n < MOST_SETS; k++) {
            int i = 0;
            if (!set_condition(r, where, k / 2, k % 2)) continue;
            if (!quest_spend(s->q, 30 + 4 * r->p[0].count)) return false;
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

// Cuts out all pieces, and counts their colours. False where memory is short.
static bool see(Assembler *s, LayoutRule *r) {
    Quest *q = s->q;
    for (int k = 0; k < q->samples; k++) {
        size_t n = (size_t)r->p[k].count;
        r->views[k] = arena_alloc(&q->arena, n * sizeof *r->views[k]);
        if (k < q->demos) r->colors[k] = arena_alloc(&q->arena, n * sizeof *r->colors[k]);
        if (!r->views[k] || (k < q->demos && !r->colors[k])) return false;
        for (int i = 0; i < (int)n; i++) {
            if (!piece_view(&q->arena, &r->p[k], i, r->view, &r->views[k][i])) r->views[k][i] = (ts_grid){0};
            if (k < q->demos) colors_count(r->views[k][i], r->colors[k][i]);
            quest_spend(q, 100 + 2 * r->views[k][i].height * r->views[k][i].width);
        }
    }
    return true;
}

// Whether all views look as those of another do.
static bool looks_like(const Assembler *s, const LayoutRule *a, const LayoutRule *b) {
    for (int k = 0; k < s->q->samples; k++) {
        if (a->p[k].count != b->p[k].count) return false;
        for (int i = 0; i < a->p[k].count; i++)
            if (!ts_grid_equal(a->views[k][i], b->views[k][i])) return false;
    }
    return true;
}

// Blocks of which three by three make an output, and corners as large as it; -1 where there are no such.
static int sized_source(const Assembler *s, int which) {
    ts_grid y = s->q->outputs[0];
    int h = y.height, w = y.width;
    if (h >= GRID_USUAL_SIDE || w >= GRID_USUAL_SIDE) return -1; // no word says more
    if (which) return Source_CORNERS_SIZED + 30 * h + w;
    return h % 3 || w % 3 ? -1 : Source_BLOCKS_SIZED + 30 * (h / 3) + w / 3;
}

// The ways of seeing the pieces that all samples have, each different.
static int find_sights(Assembler *s, LayoutRule **sights) {
    static const int sources[] = {PartsKind_PARTS,     PartsKind_PARTS_DIAGONAL,
                                  PartsKind_THINGS,    PartsKind_THINGS_DIAGONAL,
                                  PartsKind_COLORS,    Source_CLUSTERS,
                                  Source_LATTICE,      Source_BLACK_LATTICE,
                                  Source_SQUARE_TILES, Source_FRAMES};
    int n = 0;
    for (int k = 0; k < SOURCES + 2; k++) {
        int source = k < SOURCES ? sources[k] : sized_source(s, k - SOURCES);
        Pieces *p = source < 0 ? NULL : assemble_pieces(s, source);
        bool parts = source < PARTS_KINDS;
        for (int view = 0; p && view <= (parts ? PieceView_BY_ITSELF : PieceView_WHOLE_BOX); view++) {
            int i = 0;
            LayoutRule *r = arena_alloc(&s->q->arena, sizeof *r);
            if (!r) return n;
            *r = (LayoutRule){.source = source, .view = view, .p = p};
            r->cost = 1 + cutout_source_cost(r->source) + cutout_view_cost(view);
            if (!see(s, r)) return n;
            while (i < n && !looks_like(s, r, sights[i])) i++;
            if (i == n) sights[n++] = r;
        }
    }
    return n;
}

// What takes no condition comes first.
bool assemble_layouts(Assembler *s) {
    LayoutRule *sights[2 * SOURCES + 2];
    int n = find_sights(s, sights);
    for (int k = 0; k < n; k++)
        if (!try_all(s, sights[k])) return false;
    for (int k = 0; k < n; k++)
        if (!try_conditions(s, sights[k])) return false;
    return true;
}
