// The engine `cutout`: cut out a part of the grid, or sum its parts up.
//
// This file holds what rules cost, the rules that fit, and the engine itself; cutout_choose.c has the rules
// that cut one piece out, cutout_sums.c those that make one grid of many.
#include "cutout/cutout_engine.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"

enum { SCRATCH_BYTES = 64 << 20 };

// ---- What rules cost ----

double cutout_source_cost(int source) {
    static const double costs[PIECE_SOURCES] = {
        [PartsKind_PARTS] = 1.2,     [PartsKind_PARTS_DIAGONAL] = 1,
        [PartsKind_THINGS] = 1.5,    [PartsKind_THINGS_DIAGONAL] = 1,
        [PartsKind_COLORS] = 2,      [PartsKind_REGIONS] = 3,
        [PartsKind_PATCHES] = 3,     [Source_WHOLE] = 0,
        [Source_CLUSTERS] = 2.5,     [Source_LATTICE] = 1,
        [Source_BLACK_LATTICE] = 2,  [Source_SQUARE_TILES] = 1.5,
        [Source_FRAMES] = 2,         [Source_RECTANGLES] = 3,
        [Source_CORNER_MARKS] = 1.5, [Source_REPEATED_TILE] = 1.5,
        [Source_ALL_COLORS] = 2,
    };
    return source < PIECE_SOURCES ? costs[source] : 2;
}

double cutout_view_cost(int view) {
    static const double cuts[PIECE_CUTS] = {0, 0.5, 1, 3, 1.5, 2, 2.5, 2.5};
    static const double reductions[PIECE_REDUCTIONS] = {0, 1, 2, 1.5, 2, 1, 2, 1.5};
    return cuts[view % PIECE_CUTS] + reductions[view / PIECE_CUTS];
}

double cutout_prop_cost(int prop) {
    switch (prop) {
    case Property_SIZE:
    case PieceProperty_FILLED_CELLS:
    case Property_COLOR: return 0.5;
    case PieceProperty_COLORS_INSIDE:
    case Property_COLOR_COUNT:
    case Property_AREA:
    case PieceProperty_BOX_AREA:
    case PieceProperty_EQUAL_PIECES:
    case PieceProperty_INDEX:
    case Property_SAME_SHAPE:
    case Property_SYMMETRIES:
    case PieceProperty_BOX_SYMMETRIES: return 1;
    case Property_SAME_COLOR:
    case PieceProperty_LIKE_PIECES:
    case Property_HEIGHT:
    case Property_WIDTH:
    case Property_TOP:
    case Property_LEFTMOST:
    case PieceProperty_BOX_HEIGHT:
    case PieceProperty_BOX_WIDTH:
    case PieceProperty_BOX_TOP:
    case PieceProperty_BOX_LEFT:
    case PieceProperty_PARTS_INSIDE:
    case PieceProperty_COMMON_COLOR:
    case Property_HOLES:
    case Property_CONTAINS: return 1.5;
    case Property_ROW_RANK:
    case Property_COLUMN_RANK:
    case Property_SIZE_RANK:
    case Property_TOUCHES:
    case Property_HAS_ODD_SIZE: return 4;
    default: return prop >= PieceProperty_CELLS_OF ? 3 : 2.5;
    }
}

// ---- Rules that fit ----

bool cutout_is_worth_noting(const Cutout *s, uint32_t mask) {
    int right = __builtin_popcount(mask), demos = s->q->demos;
    return right == demos || (right == demos - 1 && right >= 2);
}

bool cutout_note(Cutout *s, CutoutFamily family, uint32_t mask, uint64_t answers, double cost) {
    assert((unsigned)family < CUTOUT_FAMILIES && !(mask & ~all_demos(s)));
    CutoutFound *f = s->found, *end = f + s->found_count;
    s->q->tried[ENGINE_cutout]++;
    while (f < end && (f->answers != answers || f->mask != mask)) f++;
    if (f == end) {
        if (s->found_count == SELECT_MOST_FOUND) return false;
        *f = (CutoutFound){.answers = answers, .mask = mask, .cost = INFINITY};
        s->found_count++;
    }
    f->worth += exp2(-cost);
    if (cost >= f->cost) return false;
    f->cost = cost;
    f->family = family;
    s->current = f;
    text_clear(&s->text);
    return true;
}

void cutout_note_lines(Cutout *s) {
    if (s->step.kind == STEP_SCALED) text_print(&s->text, "O = upscale(x9, %d)\n", s->step.n);
    if (s->step.kind == STEP_TILED)
        text_print(&s->text, "O = tiled(x9, (%d, %d), ((7,),))\n", s->step.n, s->step.m);
    s->current->lines = s->text.failed ? NULL : arena_text(&s->q->arena, s->text.data, s->text.length);
}

static bool step_done(Cutout *s, ts_grid g, ts_grid *out) {
    static const signed char still[1] = {Symmetry_AS_IS};
    switch (s->step.kind) {
    case STEP_SCALED: return grid_scaled(&s->scratch, g, s->step.n, quest_reach(s->q), out);
    case STEP_TILED: return summary_tiled(&s->scratch, g, s->step.n, s->step.m, (ts_grid){1, 1, still}, out);
    default: *out = g; return true;
    }
}

bool cutout_note_grids(Cutout *s, CutoutFamily family, const ts_grid *grids, double cost) {
    const Quest *q = s->q;
    uint32_t mask = 0;
    for (int d = 0; d < q->demos; d++)
        mask |= (uint32_t)(grids[d].height && ts_grid_equal(grids[d], s->targets[d])) << d;
    if (!cutout_is_worth_noting(s, mask)) return false;
    uint64_t answers = 1;
    for (int t = q->demos; t < q->samples; t++) {
        ts_grid answer;
        if (!grids[t].height || !step_done(s, grids[t], &answer)) return false;
        answers = hash_mix(answers, grid_hash(answer));
    }
    return cutout_note(s, family, mask, answers, cost + (s->step.kind == STEP_NONE ? 0 : 1.5));
}

// ---- Conditions ----

// Values of a property that some piece of each sample has.
int cutout_shared_values(Cutout *s, const Pieces *p, int prop, int *values) {
    int n = 0;
    for (int k = 0; k < p[0].count && n < 8; k++) {
        int v = p[0].props[k * PIECE_PROPERTIES + prop];
        bool shared = true;
        for (int i = 0; i < n; i++) shared &= values[i] != v;
        for (int d = 1; d < s->q->samples && shared; d++) {
            shared = false;
            for (int l = 0; l < p[d].count && !shared; l++)
                shared = p[d].props[l * PIECE_PROPERTIES + prop] == v;
        }
        if (shared) values[n++] = v;
    }
    return n;
}

bool cutout_is_condition(int prop) {
    switch (prop) {
    case Property_COLOR:
    case Property_AT_BORDER:
    case Property_HOLES:
    case Property_IS_RECTANGLE:
    case Property_IS_SQUARE:
    case Property_IS_LINE:
    case Property_IS_MIRRORED_UPDOWN:
    case Property_IS_MIRRORED_LEFTRIGHT:
    case Property_SYMMETRIES:
    case Property_COLOR_COUNT:
    case Property_SAME_SHAPE:
    case Property_SAME_COLOR:
    case Property_SIZE:
    case Property_HEIGHT:
    case Property_WIDTH:
    case Property_IS_INSIDE:
    case Property_CONTAINS:
    case Property_NEIGHBOR_PARTS:
    case PieceProperty_COLORS_INSIDE:
    case Property_SIZE_RANK:
    case PieceProperty_COMMON_COLOR:
    case PieceProperty_BOX_IS_MIRRORED_UPDOWN:
    case PieceProperty_BOX_IS_MIRRORED_LEFTRIGHT:
    case PieceProperty_BOX_IS_MIRRORED_DIAGONAL:
    case PieceProperty_BOX_SYMMETRIES:
    case PieceProperty_EQUAL_PIECES:
    case PieceProperty_LIKE_PIECES:
    case PieceProperty_PARTS_INSIDE:
    case PieceProperty_BOX_HEIGHT:
    case PieceProperty_BOX_WIDTH: return true;
    default: return prop >= PieceProperty_CELLS_OF;
    }
}

// ---- The engine ----

// Sources that have pieces in all samples, with their properties.
static bool find_pieces(Cutout *s) {
    Quest *q = s->q;
    for (int source = 0; source < PIECE_SOURCES; source++) s->sources[s->source_count++] = source;
    static const int tiles[][2] = {{1, 2}, {2, 1}, {2, 2}, {1, 3}, {3, 1}, {3, 3}, {1, 4}, {4, 1}};
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles; k++)
        s->sources[s->source_count++] = Source_TILES + 30 * tiles[k][0] + tiles[k][1];
    ts_grid y = q->outputs[0];
    int as_output = Source_TILES + 30 * y.height + y.width;
    bool known = false;
    for (int k = 0; k < s->source_count; k++) known |= s->sources[k] == as_output;
    if (!known && y.height < 30 && y.width < 30) s->sources[s->source_count++] = as_output;
    if (y.height < 30 && y.width < 30)
        s->sources[s->source_count++] = Source_TILES_SIZED + 30 * y.height + y.width;
    for (int k = 0; k < s->source_count; k++) {
        Pieces *p = arena_alloc(&q->arena, (size_t)q->samples * sizeof *p);
        if (!p) return false;
        bool any = true;
        for (int i = 0; i < q->samples && any; i++) {
            if (!pieces_of(&q->arena, q->inputs[i], s->sources[k], &p[i])) return false;
            any = p[i].count > 0;
        }
        for (int i = 0; i < q->samples && any; i++) {
            if (!pieces_props(&q->arena, &p[i])) return false;
            if (!quest_spend(q, 4000 * p[i].count)) return false;
        }
        s->pieces[k] = any ? p : NULL;
    }
    return true;
}

// How far rules that fit all demos are borne out: what they are worth beside those that fit all but one,
// where that is most.
static double evidence(const Cutout *s) {
    double all = 0, least = 1;
    for (int k = 0; k < s->found_count; k++)
        if (s->found[k].mask == all_demos(s)) all += s->found[k].worth;
    for (int d = 0; d < s->q->demos; d++) {
        double others = 0;
        for (int k = 0; k < s->found_count; k++)
            if (s->found[k].mask == (all_demos(s) & ~(1u << d))) others += s->found[k].worth;
        if (all / (all + others) < least) least = all / (all + others);
    }
    return all > 0 ? least : 0;
}

// The class: what kind of rule, how far it is borne out and agreed on, and whether it is a short one.
static int class_of(const CutoutFound *f, double share, bool first) {
    static const int groups[CUTOUT_FAMILIES] = {[CUTOUT_ARRANGE] = 1, [CUTOUT_TABLE] = 2, [CUTOUT_COUNT] = 2};
    int bucket = share > 0.6 ? 3 : share > 0.3 ? 2 : first;
    return groups[f->family] * 8 + bucket * 2 + (f->cost < 5);
}

static void offer_all(Cutout *s) {
    double all = 0, proof = evidence(s);
    for (int k = 0; k < s->found_count; k++)
        if (s->found[k].mask == all_demos(s)) all += s->found[k].worth;
    for (int n = 0; n < 6; n++) {
        CutoutFound *best = NULL;
        for (int k = 0; k < s->found_count; k++) {
            CutoutFound *f = &s->found[k];
            bool fits = f->mask == all_demos(s);
            if (!f->lines || (!fits && (all > 0 || n > 1))) continue;
            if (!best || f->worth > best->worth) best = f;
        }
        if (!best) return;
        double agreement = all > 0 ? best->worth / all : 0;
        quest_offer(s->q, ENGINE_cutout, class_of(best, proof * agreement, n == 0), best->lines);
        best->lines = NULL;
    }
}

static bool move_back(Cutout *s) {
    for (int m = 0; m < SYMMETRIES; m++)
        for (int d = 0; d < s->q->demos; d++) {
            if (!grid_moved(&s->q->arena, s->q->outputs[d], symmetry_inverse(m), &s->before[m][d]))
                return false;
            s->before_hash[m][d] = grid_hash(s->before[m][d]);
        }
    return true;
}

// The steps: none, scaled by 2 to 6, tiled by 1 to 3 each way.
enum { STEPS = 1 + 5 + 8 };

static bool before_step(Cutout *s, ts_grid y, ts_grid *out) {
    if (s->step.kind == STEP_SCALED) return grid_unscaled(&s->q->arena, y, s->step.n, out);
    int n = s->step.n, m = s->step.m;
    if (y.height % n || y.width % m) return false;
    return grid_cut(&s->q->arena, y, (Box){0, 0, y.height / n - 1, y.width / m - 1}, out) &&
           summary_repeats(*out, y);
}

// Takes a step back. False where it cannot be taken back for all demos.
static bool set_step(Cutout *s, int number) {
    int tile = number - 5;
    if (number == 0) s->step = (CutoutStep){STEP_NONE, 1, 1};
    else if (tile <= 0) s->step = (CutoutStep){STEP_SCALED, number + 1, 1};
    else s->step = (CutoutStep){STEP_TILED, tile / 3 + 1, tile % 3 + 1};
    for (int d = 0; d < s->q->demos; d++) {
        if (!before_step(s, s->q->outputs[d], &s->targets[d])) return false;
        for (int m = 0; m < SYMMETRIES; m++) {
            ts_grid moved;
            if (!grid_moved(&s->q->arena, s->targets[d], symmetry_inverse(m), &moved)) return false;
            s->target_hash[m][d] = grid_hash(moved);
        }
    }
    return true;
}

bool engine_cutout(Quest *q) {
    Cutout *s = arena_alloc(&q->arena, sizeof *s);
    if (!s) return true;
    memset(s, 0, sizeof *s);
    s->q = q;
    quest_arena(q, &s->scratch, SCRATCH_BYTES);
    quest_arena(q, &s->views, SCRATCH_BYTES);
    // What is quick comes first.
    bool done = move_back(s) && find_pieces(s) && set_step(s, 0) && cutout_tables(s) && cutout_krons(s) &&
                cutout_choose(s) && cutout_counts(s);
    for (int k = 0; done && k < STEPS; k++)
        if (set_step(s, k)) done = (k == 0 || (cutout_tables(s) && cutout_counts(s))) && cutout_arrange(s);
    offer_all(s);
    quest_free_arena(q, &s->scratch);
    quest_free_arena(q, &s->views);
    quest_free_text(q, &s->text);
    return done;
}
