// The rules of `cutout` that make one grid of many pieces: laid out in order, a cell for each, laid on each
// other, counted.
#include "cutout/cutout_engine.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"

// ---- Measures ----

static void add_measure(Cutout *s, const Pieces *p, int prop, int how, double cost) {
    const Quest *q = s->q;
    if (s->measure_count == SELECT_MOST_MEASURES) return;
    int *values = arena_alloc(&s->q->arena, (size_t)q->samples * sizeof *values);
    for (int k = 0; values && k < q->samples; k++)
        if (!pieces_measure(&p[k], prop, how, &values[k])) return;
    if (values)
        s->measures[s->measure_count++] =
            (MeasureRule){p[0].source, prop, how, cost + cutout_source_cost(p[0].source), values};
}

static void measure_whole(Cutout *s, const Pieces *p) {
    static const int props[] = {PieceProperty_COLORS_INSIDE,
                                PieceProperty_FILLED_CELLS,
                                PieceProperty_BOX_HEIGHT,
                                PieceProperty_BOX_WIDTH,
                                PieceProperty_PARTS_INSIDE,
                                PieceProperty_COMMON_COLOR,
                                PieceProperty_RARE_COLOR,
                                PieceProperty_RARE_CELLS,
                                PieceProperty_BOX_SYMMETRIES,
                                PieceProperty_BOX_IS_MIRRORED_UPDOWN,
                                PieceProperty_BOX_IS_MIRRORED_LEFTRIGHT,
                                PieceProperty_BOX_IS_MIRRORED_DIAGONAL};
    for (size_t k = 0; k < sizeof props / sizeof *props; k++)
        add_measure(s, p, props[k], Measure_GREATEST, cutout_prop_cost(props[k]));
    for (int c = 0; c < 10; c++) add_measure(s, p, PieceProperty_CELLS_OF + c, Measure_GREATEST, 2);
}

static void measure_parts(Cutout *s, const Pieces *p) {
    static const int props[] = {Property_SIZE, Property_HEIGHT, Property_WIDTH, Property_HOLES};
    for (size_t k = 0; k < sizeof props / sizeof *props; k++)
        for (int how = Measure_GREATEST; how <= Measure_SUM; how++)
            add_measure(s, p, props[k], how, 1 + cutout_prop_cost(props[k]));
    add_measure(s, p, Property_COLOR, Measure_HOW_MANY_DIFFERENT, 2);
    add_measure(s, p, Property_COLOR, Measure_USUAL, 2);
    for (int c = 0; c < 10; c++) add_measure(s, p, Property_COLOR, Measure_HOW_MANY_WITH + c, 2);
    for (int size = 1; size <= 4; size++) add_measure(s, p, Property_SIZE, Measure_HOW_MANY_WITH + size, 3);
    int kinds[8], n = cutout_shared_values(s, p, PieceProperty_SIZE_AND_COLOR, kinds);
    for (int k = 0; k < n; k++)
        add_measure(s, p, PieceProperty_SIZE_AND_COLOR, Measure_HOW_MANY_WITH + kinds[k], 3);
    add_measure(s, p, Property_IS_RECTANGLE, Measure_HOW_MANY_WITH + 1, 3);
    add_measure(s, p, Property_SYMMETRIES, Measure_GREATEST, 3);
}

static void find_measures(Cutout *s) {
    for (int k = 0; k < s->source_count; k++) {
        const Pieces *p = s->pieces[k];
        int source = s->sources[k];
        if (!p || source >= PIECE_SOURCES) continue;
        if (source == Source_WHOLE) measure_whole(s, p);
        else add_measure(s, p, PieceProperty_INDEX, Measure_HOW_MANY, 0);
        if (source < PartsKind_COLORS) measure_parts(s, p);
    }
}

const MeasureRule *cutout_measure_of(Cutout *s, const int *values) {
    const MeasureRule *best = NULL;
    if (!s->measure_count) find_measures(s);
    for (int k = 0; k < s->measure_count; k++) {
        const MeasureRule *m = &s->measures[k];
        if (memcmp(m->values, values, (size_t)s->q->demos * sizeof *values)) continue;
        if (!best || m->cost < best->cost) best = m;
    }
    return best;
}

void cutout_print_measure(Text *t, const MeasureRule *m) {
    text_print(t, "measure(I, %d, %d, %d)", m->source, m->prop, m->how);
}

static bool same_sizes(const Cutout *s) {
    for (int d = 1; d < s->q->demos; d++)
        if (!grid_same_size(s->targets[d], s->targets[0])) return false;
    return true;
}

// ---- Laid out in order ----

enum { MOST_WRAPPED = 36 };

typedef struct {
    Cutout *s;
    int source, view, layout;
    const Pieces *p;
    ts_grid **views; // of each sample
    const Orders *orders;
    const OrderRule *by;
    Choice order;
    double cost;
} Arrangement;

static bool has_turned_size(ts_grid g, ts_grid y) {
    return grid_same_size(g, y) || (g.height == y.width && g.width == y.height);
}

// What it gives for each sample; false where the sizes are wrong for two demos, or it gives nothing for a
// test.
static bool arrange(const Arrangement *r, ts_grid *grids) {
    const Quest *q = r->s->q;
    int misses = 0;
    arena_reset(&r->s->scratch);
    for (int k = 0; k < q->samples; k++) {
        int kept[PIECES_MOST], n = 0;
        for (int i = 0; i < r->p[k].count; i++)
            if (piece_meets(&r->p[k], &r->order, r->by->order[k][i])) kept[n++] = r->by->order[k][i];
        bool done = pieces_laid_out(&r->s->scratch, &r->p[k], r->views[k], kept, n, r->layout, &grids[k]);
        if (!done) grids[k] = (ts_grid){0};
        if (k < q->demos) misses += !done || !has_turned_size(grids[k], r->s->targets[k]);
        else if (!done) return false;
        if (misses > (q->demos > 2)) return false;
    }
    return true;
}

static void note_arrangement(const Arrangement *r, const ts_grid *grids) {
    Quest *q = r->s->q;
    uint64_t hashes[QUEST_MOST_DEMOS];
    ts_grid moved[QUEST_MOST_SAMPLES];
    for (int d = 0; d < q->demos; d++) hashes[d] = grids[d].height ? grid_hash(grids[d]) : 0;
    for (int m = Symmetry_AS_IS; m >= 0; m--) {
        uint32_t mask = 0;
        for (int d = 0; d < q->demos; d++) mask |= (uint32_t)(hashes[d] == r->s->target_hash[m][d]) << d;
        if (!cutout_is_worth_noting(r->s, mask)) continue;
        for (int k = 0; k < q->samples; k++)
            if (!grids[k].height || !grid_moved(&r->s->scratch, grids[k], m, &moved[k]))
                moved[k] = (ts_grid){0};
        if (!cutout_note_grids(r->s, CUTOUT_ARRANGE, moved, r->cost + (m == Symmetry_AS_IS ? 0 : 1.5)))
            continue;
        text_print(&r->s->text, "%s = cutouts(I, (%d, %d), (%d, %d, %d, %d), %d)\n",
                   m == Symmetry_AS_IS ? result_name(r->s) : "x1", r->source, r->view, r->order.where,
                   r->order.equals, r->order.prop, r->order.kind, r->layout);
        if (m != Symmetry_AS_IS) text_print(&r->s->text, "%s = mir_rot_t(x1, %d)\n", result_name(r->s), m);
        cutout_note_lines(r->s);
    }
}

// All orders of a source, view, condition and layout whose sizes are right.
static bool arrange_by_all(Arrangement r) {
    ts_grid grids[QUEST_MOST_SAMPLES];
    double base = 1 + cutout_source_cost(r.source) + cutout_view_cost(r.view) + (r.layout & ~3 ? 1.5 : 0);
    if (r.order.where >= CHOICE_NOT) base += 2.5 + cutout_prop_cost(r.order.where - CHOICE_NOT);
    else if (r.order.where >= 0) base += 1.5 + cutout_prop_cost(r.order.where);
    for (int k = 0; k < r.orders->count; k++) {
        r.by = &r.orders->at[k];
        r.order.prop = r.by->prop, r.order.kind = r.by->kind;
        r.cost = base + r.by->cost;
        if (arrange(&r, grids)) note_arrangement(&r, grids);
        else if (k == 0) return quest_spend(r.s->q, 600); // the sizes are wrong whatever the order
        if (!quest_spend(r.s->q, 600)) return false;
        // The order does not matter as they lie.
        if ((r.layout & 3) == PieceLayout_AS_THEY_LIE && r.layout < PieceLayout_WRAPPED) return true;
    }
    return true;
}

// The sizes of the views that meet the condition.
typedef struct {
    int count, height, width; // the largest
    int heights, widths;      // summed up
    bool differ, missing;
} Extent;

static Extent extent_of(const Arrangement *r, int d) {
    Extent e = {0};
    for (int k = 0; k < r->p[d].count; k++) {
        if (!piece_meets(&r->p[d], &r->order, k)) continue;
        ts_grid g = r->views[d][k];
        e.missing |= !g.height;
        e.differ |= e.count && (g.height != e.height || g.width != e.width);
        e.height = g.height > e.height ? g.height : e.height;
        e.width = g.width > e.width ? g.width : e.width;
        e.heights += g.height;
        e.widths += g.width;
        e.count++;
    }
    return e;
}

// Whether a layout may give an output of this size, perhaps turned. Those without repetitions may always.
static bool extent_fits(const Extent *e, int layout, ts_grid y) {
    int gaps = layout < PieceLayout_WRAPPED && layout & PIECE_LAYOUT_WITH_GAPS ? e->count - 1 : 0;
    if (!e->count || e->missing) return false;
    if (layout >= PieceLayout_WRAPPED) return e->count <= y.height * y.width;
    if (layout & PIECE_LAYOUT_ONCE) return true;
    switch (layout & 3) {
    case PieceLayout_IN_ROW:
        return has_turned_size((ts_grid){.height = e->height, .width = e->widths + gaps}, y);
    case PieceLayout_IN_COLUMN:
        return has_turned_size((ts_grid){.height = e->heights + gaps, .width = e->width}, y);
    case PieceLayout_STACKED:
        return !e->differ && has_turned_size((ts_grid){.height = e->height, .width = e->width}, y);
    default:
        return !e->differ && ((y.height % e->height == 0 && y.width % e->width == 0) ||
                              (y.width % e->height == 0 && y.height % e->width == 0));
    }
}

static bool may_fit(const Arrangement *r, const Extent *extents) {
    int misses = 0, demos = r->s->q->demos;
    for (int d = 0; d < demos && misses <= (demos > 2); d++)
        misses += !extent_fits(&extents[d], r->layout, r->s->targets[d]);
    return misses <= (demos > 2);
}

static bool arrange_layouts(Arrangement r) {
    static const int layouts[] = {PieceLayout_IN_ROW,
                                  PieceLayout_IN_COLUMN,
                                  PieceLayout_STACKED,
                                  PieceLayout_AS_THEY_LIE,
                                  PieceLayout_IN_ROW | PIECE_LAYOUT_AT_END,
                                  PieceLayout_IN_COLUMN | PIECE_LAYOUT_AT_END,
                                  PieceLayout_IN_ROW | PIECE_LAYOUT_ONCE,
                                  PieceLayout_IN_COLUMN | PIECE_LAYOUT_ONCE,
                                  PieceLayout_IN_ROW | PIECE_LAYOUT_WITH_GAPS,
                                  PieceLayout_IN_COLUMN | PIECE_LAYOUT_WITH_GAPS};
    Extent extents[QUEST_MOST_DEMOS];
    for (int d = 0; d < r.s->q->demos; d++) extents[d] = extent_of(&r, d);
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
        r.layout = layouts[k];
        bool extra = r.layout & ~3;
        if (extra && r.order.where >= 0) break;
        if (r.p[0].count < 2 && !r.p[0].rows && k > 1) break;
        if (may_fit(&r, extents) && !arrange_by_all(r)) return false;
    }
    ts_grid y = r.s->targets[0];
    bool small = y.height > 1 && y.width > 1 && y.height * y.width <= MOST_WRAPPED;
    if (r.view - r.view % PIECE_CUTS != Reduction_AS_DOT || !small || !same_sizes(r.s))
        return quest_spend(r.s->q, 200);
    r.layout = PieceLayout_WRAPPED + 30 * y.height + y.width;
    if (may_fit(&r, extents) && !arrange_by_all(r)) return false;
    r.layout += PieceLayout_SNAKE - PieceLayout_WRAPPED;
    return !may_fit(&r, extents) || arrange_by_all(r);
}

// All conditions of a source and view: none, that a property has a value, that it has another.
static bool arrange_where(Arrangement r, bool conditions, bool negations) {
    r.order = (Choice){.where = -1};
    if (!arrange_layouts(r)) return false;
    for (int where = 0; where < PIECE_PROPERTIES && conditions; where++) {
        int values[8], n = 0;
        bool negates = negations && (where == Property_COLOR || where == Property_SIZE_RANK);
        if (pieces_prop_fits(r.source, where) && cutout_is_condition(where))
            n = cutout_shared_values(r.s, r.p, where, values);
        for (int i = 0; i < n; i++)
            for (int no = 0; no <= negates; no++) {
                r.order = (Choice){.where = where + (no ? CHOICE_NOT : 0), .equals = values[i]};
                if (!arrange_layouts(r)) return false;
            }
    }
    return true;
}

static const Orders *orders_of(Cutout *s, int index) {
    Orders *o = s->orders[index];
    const Pieces *p = s->pieces[index];
    if (o) return o;
    if (!(s->orders[index] = o = arena_alloc(&s->q->arena, sizeof *o))) return NULL;
    o->count = 0;
    // As they come is the first.
    for (int n = 0; n < 2 * PIECE_PROPERTIES; n++) {
        int prop = (PieceProperty_INDEX + n / 2) % PIECE_PROPERTIES, known = 0;
        OrderRule *r = &o->at[o->count];
        if (!pieces_prop_fits(s->sources[index], prop)) continue;
        *r = (OrderRule){.prop = prop,
                         .kind = n % 2 ? Superlative_MOST : Superlative_LEAST,
                         .cost = cutout_prop_cost(prop)};
        uint64_t hash = 3;
        for (int k = 0; k < s->q->samples; k++) {
            r->order[k] = arena_alloc(&s->q->arena, (size_t)p[k].count * sizeof **r->order);
            if (!r->order[k]) return NULL;
            pieces_ordered(&p[k], &(Choice){.where = -1, .prop = prop, .kind = r->kind}, r->order[k]);
            hash = hash_bytes(hash, r->order[k], (size_t)p[k].count * sizeof **r->order);
        }
        while (known < o->count && o->hashes[known] != hash) known++;
        if (known < o->count && o->at[known].cost > r->cost) o->at[known] = *r; // the cheaper way to say it
        o->hashes[known] = hash;
        o->count += known == o->count;
    }
    return o;
}

bool cutout_arrange(Cutout *s) {
    static const int views[] = {PieceView_WHOLE_BOX + Reduction_AS_DOT,
                                PieceView_WHOLE_BOX + Reduction_AS_BAR,
                                PieceView_WHOLE_BOX,
                                PieceView_BY_ITSELF,
                                PieceView_WHOLE_BOX + Reduction_TRIMMED,
                                PieceView_WITHOUT_FRAME,
                                PieceView_WHOLE_BOX + Reduction_SHRUNK,
                                PieceView_WITHOUT_FRAME + Reduction_AS_DOT};
    ts_grid *grids[QUEST_MOST_SAMPLES];
    for (int k = 0; k < s->q->samples; k++)
        if (!(grids[k] = arena_alloc(&s->q->arena, PIECES_MOST * sizeof **grids))) return false;
    for (int k = 0; k < s->source_count; k++) {
        const Pieces *p = s->pieces[k];
        if (!p || s->sources[k] == Source_WHOLE || s->sources[k] == Source_RECTANGLES) continue;
        for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
            Arrangement r = {.s = s,
                             .source = s->sources[k],
                             .view = views[v],
                             .p = p,
                             .views = grids,
                             .orders = orders_of(s, k)};
            if (!r.orders) return false;
            arena_reset(&s->views);
            for (int i = 0; i < s->q->samples; i++) pieces_views(&s->views, &p[i], r.view, grids[i]);
            if (!arrange_where(r, v < 4, v < 2)) return false;
        }
    }
    return true;
}

// ---- Tables: a cell for each piece, and pieces on each other ----

enum { MOST_ENTRIES = 400 };

typedef struct {
    int count;
    KeyValue at[MOST_ENTRIES];
    uint32_t seen[MOST_ENTRIES]; // demos that have the key
} Table;

// False where the key stands for another value already, or there are too many.
static bool learn(Table *t, int key, int value, int demo) {
    int k = 0;
    while (k < t->count && t->at[k].key != key) k++;
    if (k == MOST_ENTRIES) return false;
    if (k == t->count) t->at[t->count] = (KeyValue){key, value}, t->seen[t->count++] = 0;
    t->seen[k] |= 1u << demo;
    return t->at[k].value == value;
}

// How many demos have a key that no other has.
static int lonely_demos(const Table *t) {
    uint32_t lonely = 0;
    for (int k = 0; k < t->count; k++)
        if (!(t->seen[k] & (t->seen[k] - 1))) lonely |= t->seen[k];
    return __builtin_popcount(lonely);
}

static void print_table(Text *t, const Table *table) {
    text_char(t, '(');
    for (int k = 0; k < table->count; k++)
        text_print(t, "%s(%d, %d)", k ? ", " : "", table->at[k].key, table->at[k].value);
    text_add(t, table->count == 1 ? ",)" : ")");
}

// Notes what a primitive gives that takes a source, a number and a table.
static void note_table(Cutout *s, const char *primitive, const ts_grid *grids, int source, int number,
                       const Table *t, double cost) {
    if (!cutout_note_grids(s, CUTOUT_TABLE, grids, cost)) return;
    text_print(&s->text, "%s = %s(I, %d, %d, ", result_name(s), primitive, source, number);
    print_table(&s->text, t);
    text_add(&s->text, ")\n");
    cutout_note_lines(s);
}

static void note_gist(Cutout *s, const Pieces *p, int prop, const Table *t, double cost) {
    ts_grid grids[QUEST_MOST_SAMPLES];
    arena_reset(&s->scratch);
    for (int k = 0; k < s->q->samples; k++)
        if (!pieces_gist(&s->scratch, &p[k], prop, t->at, t->count, &grids[k])) grids[k] = (ts_grid){0};
    note_table(s, "gist", grids, p[0].source, prop, t, cost);
}

static void try_gist(Cutout *s, const Pieces *p, Table *t) {
    const Quest *q = s->q;
    for (int d = 0; d < q->demos; d++)
        if (p[d].rows != s->targets[d].height || p[d].columns != s->targets[d].width) return;
    for (int prop = PieceProperty_FILLED_CELLS; prop < PIECE_PROPERTIES; prop++) {
        double cost = 1 + cutout_source_cost(p[0].source) + cutout_prop_cost(prop);
        t->count = 0;
        if (prop == PieceProperty_COMMON_COLOR || prop == PieceProperty_RARE_COLOR)
            note_gist(s, p, prop, t, cost);
        bool good = true;
        for (int d = 0; d < q->demos && good; d++)
            for (int k = 0; k < p[d].count && good; k++)
                good = learn(t, p[d].props[k * PIECE_PROPERTIES + prop], s->targets[d].cells[k], d);
        if (good) note_gist(s, p, prop, t, cost + 0.5 * t->count + lonely_demos(t));
    }
}

static void note_overlay(Cutout *s, const Pieces *p, int how, const Table *t, double cost) {
    ts_grid grids[QUEST_MOST_SAMPLES];
    arena_reset(&s->scratch);
    for (int k = 0; k < s->q->samples; k++)
        if (!pieces_overlaid(&s->scratch, &p[k], how, t->at, t->count, &grids[k])) grids[k] = (ts_grid){0};
    note_table(s, "overlaid", grids, p[0].source, how, t, cost);
}

// What each key may stand for: constants as bits 0 to 9, piece k as bit 10 + k.
static int possible_values(const Pieces *p, int i, int j, int color) {
    int bits = 1 << color;
    for (int k = 0; k < p->count; k++) {
        const Piece *t = &p->at[k];
        if (p->grid.cells[(t->top + i) * p->grid.width + t->left + j] == color) bits |= 1 << (10 + k);
    }
    return bits;
}

// A constant that is background says most; then the colour of a piece; then any constant.
static int best_value(int bits, int ground) {
    if (bits >> ground & 1) return ground;
    int copies = bits >> 10, constants = bits & 1023;
    return copies ? -1 - __builtin_ctz((unsigned)copies) : __builtin_ctz((unsigned)constants);
}

static bool learn_overlay(Cutout *s, const Pieces *p, int how, Table *t) {
    const Quest *q = s->q;
    t->count = 0;
    for (int d = 0; d < q->demos; d++)
        for (int i = 0; i < s->targets[d].height; i++)
            for (int j = 0; j < s->targets[d].width; j++) {
                int key = pieces_overlay_key(&p[d], how, i, j), k = 0;
                int bits = possible_values(&p[d], i, j, s->targets[d].cells[i * s->targets[d].width + j]);
                while (k < t->count && t->at[k].key != key) k++;
                if (k == MOST_ENTRIES) return false;
                if (k == t->count) t->at[t->count] = (KeyValue){key, ~0}, t->seen[t->count++] = 0;
                t->at[k].value &= how == Overlay_BY_COLORS ? bits & 1023 : bits;
                t->seen[k] |= 1u << d;
                if (!t->at[k].value) return false;
            }
    for (int k = 0; k < t->count; k++) t->at[k].value = best_value(t->at[k].value, p[0].ground);
    return true;
}

// Pieces that hide each other in an order that the demos tell.
static void try_order(Cutout *s, const Pieces *p, Table *t) {
    int n = p[0].count, order[5] = {0, 1, 2, 3, 4}, used[5] = {0};
    if (n > 5) return;
    for (int k = 0; k < n; k++) order[k] = -1;
    for (int depth = 0; depth >= 0;) {
        if (depth == n) {
            t->count = 0;
            for (int key = 0; key < 1 << n; key++) {
                int value = p[0].ground;
                for (int k = n - 1; k >= 0; k--)
                    if (key >> order[k] & 1) value = -1 - order[k];
                t->at[t->count++] = (KeyValue){key, value};
            }
            note_overlay(s, p, Overlay_BY_WHICH_FILLED, t, 2 + cutout_source_cost(p[0].source) + 0.5 * n);
            used[order[--depth]] = 0;
        }
        int next = order[depth] + 1;
        while (next < n && used[next]) next++;
        if (next == n) {
            order[depth] = -1;
            if (--depth >= 0) used[order[depth]] = 0;
        } else {
            order[depth] = next;
            used[next] = 1;
            depth++;
        }
    }
}

static bool try_overlay(Cutout *s, const Pieces *p, Table *t) {
    const Quest *q = s->q;
    for (int k = 0; k < q->samples; k++) {
        if (p[k].count < 2 || p[k].count > OVERLAY_MOST) return true;
        if (p[k].at[0].height * p[k].at[0].width > 400) return true;
        for (int i = 0; i < p[k].count; i++)
            if (p[k].at[i].height != p[k].at[0].height || p[k].at[i].width != p[k].at[0].width) return true;
        if (k < q->demos &&
            (p[k].at[0].height != s->targets[k].height || p[k].at[0].width != s->targets[k].width))
            return true;
    }
    for (int how = 0; how < OVERLAYS; how++) {
        if (how == Overlay_BY_COLORS && p[0].count > 3) continue;
        if (!learn_overlay(s, p, how, t)) continue;
        double cost = cutout_source_cost(p[0].source) + 0.5 * t->count + lonely_demos(t);
        note_overlay(s, p, how, t, cost);
    }
    try_order(s, p, t);
    return quest_spend(s->q, 50000);
}

bool cutout_tables(Cutout *s) {
    Table *t = arena_alloc(&s->q->arena, sizeof *t);
    if (!t) return false;
    for (int k = 0; k < s->source_count; k++) {
        const Pieces *p = s->pieces[k];
        if (!p || !p[0].rows) continue;
        try_gist(s, p, t);
        if (!try_overlay(s, p, t)) return false;
    }
    return true;
}

// ---- Counts ----

// The n-th cell of a grid in one of some orders.
static int nth_cell(int order, int n, int h, int w) {
    int i = n / w, j = n % w;
    switch (order) {
    case 1: return n % h * w + n / h;               // column by column
    case 2: return i * w + (i % 2 ? w - 1 - j : j); // to and fro
    case 3: return (h - 1 - n % h) * w + n / h;     // columns from below
    case 4: return (h - 1 - i) * w + j;             // from below
    case 5: return i * w + w - 1 - j;               // from the right
    default: return n;
    }
}

// Grids of one size with one colour that fills the more cells the greater a measure is.
static void try_tally(Cutout *s) {
    const Quest *q = s->q;
    int h = s->targets[0].height, w = s->targets[0].width, counts[QUEST_MOST_DEMOS], color = -1;
    if (h * w > 64 || !same_sizes(s)) return;
    int ground = 0;
    for (int d = 0; d < q->demos; d++) {
        counts[d] = 0;
        for (int k = 0; k < h * w; k++) {
            int c = s->targets[d].cells[k];
            if (c == ground) continue;
            if (color >= 0 && c != color) return;
            color = c;
            counts[d]++;
        }
    }
    const MeasureRule *m = color < 0 ? NULL : cutout_measure_of(s, counts);
    for (int order = 0; m && order < 6; order++) {
        ts_grid grids[QUEST_MOST_SAMPLES], steps[65];
        for (int n = 0; n <= h * w; n++) {
            steps[n] = grid_blank(&s->q->arena, h, w, ground);
            if (!steps[n].cells) return;
            for (int k = 0; k < n; k++) grid_edit(steps[n])[nth_cell(order, k, h, w)] = (signed char)color;
        }
        for (int k = 0; k < q->samples; k++) {
            int n = m->values[k];
            grids[k] = n >= 0 && n <= h * w ? steps[n] : (ts_grid){0};
        }
        if (!cutout_note_grids(s, CUTOUT_COUNT, grids, 2 + m->cost)) continue;
        text_add(&s->text, "x1 = ");
        cutout_print_measure(&s->text, m);
        text_print(&s->text, "\n%s = lookup(x1, (", result_name(s));
        for (int n = 0; n <= h * w; n++) {
            text_print(&s->text, "%s(%d, ", n ? ", " : "", n);
            grid_print(&s->text, steps[n]);
            text_char(&s->text, ')');
        }
        text_add(&s->text, "), 0)\n");
        cutout_note_lines(s);
    }
}

// A measure decides which of a few outputs it is; some must have come twice, else nothing bears it out.
static void try_lookup(Cutout *s, const MeasureRule *m) {
    const Quest *q = s->q;
    ts_grid grids[QUEST_MOST_SAMPLES];
    int borne_out = 0, firsts = 0;
    for (int k = 0; k < q->samples; k++) {
        grids[k] = (ts_grid){0};
        for (int d = 0; d < q->demos && !grids[k].height; d++)
            if (m->values[d] == m->values[k]) {
                grids[k] = s->targets[d];
                borne_out += d < k && k < q->demos;
                firsts += d == k;
            }
    }
    for (int d = 0; d < q->demos; d++)
        if (!ts_grid_equal(grids[d], s->targets[d])) return;
    if (borne_out < 1 || firsts < 2) return;
    if (!cutout_note_grids(s, CUTOUT_COUNT, grids, 4 + m->cost + firsts - borne_out)) return;
    text_add(&s->text, "x1 = ");
    cutout_print_measure(&s->text, m);
    text_print(&s->text, "\n%s = lookup(x1, (", result_name(s));
    for (int d = 0; d < q->demos; d++) {
        bool known = false;
        for (int e = 0; e < d; e++) known |= m->values[e] == m->values[d];
        if (known) continue;
        text_print(&s->text, "%s(%d, ", d ? ", " : "", m->values[d]);
        grid_print(&s->text, s->targets[d]);
        text_char(&s->text, ')');
    }
    text_add(&s->text, "), 0)\n");
    cutout_note_lines(s);
}

bool cutout_counts(Cutout *s) {
    if (!s->measure_count) find_measures(s);
    try_tally(s);
    for (int k = 0; k < s->measure_count; k++) try_lookup(s, &s->measures[k]);
    return quest_spend(s->q, 1000 * s->measure_count);
}

// ---- A copy for each cell ----

enum { KRON_VIEWS = 14 };

typedef struct {
    char text[80]; // the expression that gives it
    double cost;
    ts_grid grids[QUEST_MOST_SAMPLES]; // of each sample
} KronView;

static void add_kron_view(Cutout *s, KronView *views, int *n, int source, int view, int prop, int kind) {
    KronView *v = &views[*n];
    for (int k = 0; k < s->source_count; k++) {
        const Pieces *p = s->pieces[k];
        if (s->sources[k] != source || !p) continue;
        const Choice choice = {.where = -1, .prop = prop, .kind = kind};
        snprintf(v->text, sizeof v->text, "cutout(I, (%d, %d), (-1, 0, %d, %d))", source, view, prop, kind);
        v->cost = source == Source_WHOLE && view == PieceView_WHOLE_BOX ? 0 : 1 + cutout_source_cost(source);
        for (int i = 0; i < s->q->samples; i++) {
            int ties, piece = piece_chosen(&p[i], &choice, &ties);
            if (piece < 0 || !piece_view(&s->q->arena, &p[i], piece, view, &v->grids[i])) return;
        }
        ++*n;
        return;
    }
}

static int kron_views(Cutout *s, KronView *views) {
    int n = 0, shrink = Reduction_SHRUNK;
    add_kron_view(s, views, &n, Source_WHOLE, PieceView_WHOLE_BOX, PieceProperty_INDEX, Superlative_MOST);
    add_kron_view(s, views, &n, Source_WHOLE, PieceView_WHOLE_BOX + shrink, PieceProperty_INDEX,
                  Superlative_MOST);
    add_kron_view(s, views, &n, Source_WHOLE, PieceView_WHOLE_BOX + Reduction_TRIMMED, PieceProperty_INDEX,
                  Superlative_MOST);
    for (int kind = Superlative_MOST; kind <= Superlative_LEAST; kind++) {
        add_kron_view(s, views, &n, PartsKind_COLORS, PieceView_WHOLE_BOX, Property_SIZE, kind);
        add_kron_view(s, views, &n, PartsKind_COLORS, PieceView_WHOLE_BOX + shrink, Property_SIZE, kind);
        add_kron_view(s, views, &n, Source_TILES + 30 + 2, PieceView_WHOLE_BOX, PieceProperty_INDEX, kind);
        add_kron_view(s, views, &n, Source_TILES + 60 + 1, PieceView_WHOLE_BOX, PieceProperty_INDEX, kind);
        add_kron_view(s, views, &n, Source_SQUARE_TILES, PieceView_WHOLE_BOX, PieceProperty_COLORS_INSIDE,
                      kind);
    }
    return n;
}

static void try_kron(Cutout *s, const KronView *each, const KronView *copy) {
    const Quest *q = s->q;
    ts_grid grids[QUEST_MOST_SAMPLES];
    for (int d = 0; d < q->demos; d++)
        if (each->grids[d].height * copy->grids[d].height != s->targets[d].height ||
            each->grids[d].width * copy->grids[d].width != s->targets[d].width)
            return;
    for (int how = 0; how < COPIES; how++) {
        int kind = how % COPIES_TINTED;
        if ((kind > CopyCells_EACH_BACKGROUND && kind < CopyCells_EACH_OF) || kind >= CopyCells_EACH_OF + 10)
            continue;
        arena_reset(&s->scratch);
        for (int k = 0; k < q->samples; k++)
            if (!summary_kron(&s->scratch, each->grids[k], copy->grids[k], how, &grids[k]))
                grids[k] = (ts_grid){0};
        double cost = 1 + each->cost + copy->cost + (kind >= CopyCells_EACH_OF ? 1.5 : 0) +
                      (how >= COPIES_TINTED ? 1 : 0);
        if (!cutout_note_grids(s, CUTOUT_TABLE, grids, cost)) continue;
        text_print(&s->text, "x1 = %s\nx2 = %s\nO = kron(x1, x2, %d)\n", each->text, copy->text, how);
        cutout_note_lines(s);
    }
}

bool cutout_krons(Cutout *s) {
    KronView *views = arena_alloc(&s->q->arena, KRON_VIEWS * sizeof *views);
    if (!views) return false;
    int n = kron_views(s, views);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            try_kron(s, &views[i], &views[j]);
            if (!quest_spend(s->q, 1000)) return false;
        }
    return true;
}
