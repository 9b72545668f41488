// The engine of patterns: templates completed, a pattern replaced wherever it occurs, empty places filled,
// what one cell of a lattice says about the others (patterns/patterns.h).
//
// There are some hundred rules without anything to learn but their numbers; each is tried on the demos, and
// the first one that it fails on ends it. A pattern with what takes its place is learnt: the cells that a
// demo changes fall into groups; what all groups that change alike have in common, in a box around each, is
// the pattern, and there may be a few. If what is learnt without a demo is right on it, for each of them, the
// rule was foreseen and is to be trusted; else it may just know the demos by heart. Rules that are right on
// all demos vote on the tests by how simple they are.
//
// Classes: by family, templates 0, replacements 4, places 8, cells of a lattice 12, mirrors 16; + 2 for what
// is less simple, + 1 for what is not the first of its family. Replacements that were not foreseen are 6, and
// 7 by heart.
#include "patterns/patterns.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "grid/geometry.h"
#include "grid/lattice.h"
#include "search/quest.h"

typedef enum { FAMILY_TEMPLATES, FAMILY_REPLACE, FAMILY_PLACES, FAMILY_CELLS, FAMILIES } Family;
enum {
    MOST_CELLS = GRID_TASK_SIDE * GRID_TASK_SIDE,
    MOST_RULES = 24,
    MOST_OFFERS = 2,
    MOST_PAIRS = 4,
    NO_COLOR = -1
};
enum { SCRATCH_BYTES = 16 << 20, TEMPLATES_UNITS = 15000000 };

typedef struct {
    Family family;
    int cost;
    Completion completion;
    int pairs; // of replacements, one after the other
    ts_grid from[MOST_PAIRS], to[MOST_PAIRS];
    int flags;
    int ground, color; // of a filled place
    Place place;
    CellRule cell;
    int last_from, last_to; // a colour that is replaced at the end; NO_COLOR: none
    int right;              // demos
    int support;            // groups that each pair of a replacement was learnt from
    bool foreseen;          // what was learnt without a demo was right on it
    double weight;
    uint64_t hash; // of what it gives for the tests
} Rule;

typedef struct {
    Quest *q;
    Arena scratch;
    int8_t *canvas, *before;
    bool has_lines; // that cross an input, of another colour than the ground
    Rule rules[MOST_RULES];
    int count;
} Patterns;

static int cells_of(ts_grid g) { return g.height * g.width; }

// ---- Trying ----

static int64_t replace_all(Patterns *e, const Rule *r, ts_grid in) {
    int64_t work = 0;
    for (int k = 0; k < r->pairs; k++) {
        int64_t more = patterns_replace(&e->scratch, in, r->from[k], r->to[k], r->flags, e->canvas);
        if (more < 0) return -1;
        work += more;
        memcpy(e->before, e->canvas, (size_t)cells_of(in));
        in.cells = e->before;
    }
    return work;
}

static bool apply(Patterns *e, const Rule *r, ts_grid in) {
    int64_t work = -1;
    arena_reset(&e->scratch);
    switch (r->family) {
    case FAMILY_TEMPLATES: work = patterns_complete(&e->scratch, in, &r->completion, e->canvas); break;
    case FAMILY_REPLACE: work = replace_all(e, r, in); break;
    case FAMILY_CELLS: work = patterns_from_cell(in, &r->cell, e->canvas); break;
    default: work = patterns_fill_places(&e->scratch, in, r->ground, &r->place, r->color, e->canvas);
    }
    quest_spend(e->q, work < 0 ? 1000 - work : work);
    return work >= 0;
}

static void replace_last(Patterns *e, const Rule *r, ts_grid in) {
    for (int n = 0; n < cells_of(in) && r->last_from != NO_COLOR; n++)
        if (e->canvas[n] == r->last_from) e->canvas[n] = (int8_t)r->last_to;
}

// Whether the rule is right on a demo. The last colour is learnt where the first difference is.
static bool right_on(Patterns *e, Rule *r, int demo) {
    ts_grid in = e->q->inputs[demo], out = e->q->outputs[demo];
    if (!apply(e, r, in)) return false;
    if (memcmp(e->canvas, in.cells, (size_t)cells_of(in)) == 0) return ts_grid_equal(in, out);
    for (int n = 0; n < cells_of(in) && r->last_from == NO_COLOR && r->family == FAMILY_TEMPLATES; n++) {
        if (e->canvas[n] == out.cells[n]) continue;
        r->last_from = e->canvas[n];
        r->last_to = out.cells[n];
    }
    replace_last(e, r, in);
    return memcmp(e->canvas, out.cells, (size_t)cells_of(out)) == 0;
}

// Keeps the simplest rule for each answer, with the weight of all.
static void keep(Patterns *e, Rule *r) {
    bool still = true;
    r->hash = 1;
    for (int k = e->q->demos; k < e->q->samples; k++) {
        ts_grid in = e->q->inputs[k];
        if (!apply(e, r, in)) return;
        replace_last(e, r, in);
        r->hash = hash_bytes(r->hash, e->canvas, (size_t)cells_of(in));
        still &= memcmp(e->canvas, in.cells, (size_t)cells_of(in)) == 0;
    }
    if (still) return;
    r->weight = 1;
    for (int k = 0; k < r->cost; k++) r->weight /= 2;
    int at = 0;
    while (at < e->count && (e->rules[at].hash != r->hash || e->rules[at].right != r->right)) at++;
    if (at == MOST_RULES) return;
    if (at == e->count) e->rules[e->count++] = *r;
    else {
        double weight = e->rules[at].weight + r->weight;
        bool foreseen = e->rules[at].foreseen || r->foreseen;
        if (r->cost < e->rules[at].cost) e->rules[at] = *r;
        e->rules[at].weight = weight;
        e->rules[at].foreseen = foreseen;
    }
}

// True where the rule is right on all demos. One that is wrong on a single one of several is kept too.
static bool try_rule(Patterns *e, Rule *r) {
    int demos = e->q->demos, most_wrong = demos > 2 ? 1 : 0, wrong = 0;
    e->q->tried[ENGINE_patterns]++;
    for (int d = 0; d < demos && wrong <= most_wrong; d++) {
        if (right_on(e, r, d)) continue;
        wrong++;
        if (d == 0) return false; // what it learns, it learns from the first
    }
    r->right = demos - wrong;
    if (wrong <= most_wrong) keep(e, r);
    return wrong == 0;
}

// ---- Templates ----

static void try_completion(Patterns *e, Completion completion, int cost) {
    Rule r = {.family = FAMILY_TEMPLATES, .completion = completion, .cost = cost, .last_from = NO_COLOR};
    try_rule(e, &r);
}

static void try_anchor(Patterns *e, int anchor, int64_t until) {
    static const int kinds[] = {TemplateParts_THINGS_DIAGONAL, TemplateParts_THINGS,
                                TemplateParts_THINGS_BETWEEN_LINES};
    static const int options[] = {
        [Completion_WHERE_MARKED] = TEMPLATE_TURNED | TEMPLATE_SCALED | TEMPLATE_MOVED,
        [Completion_WHERE_PART_FITS] = TEMPLATE_TURNED | TEMPLATE_SCALED | TEMPLATE_MOVED | TEMPLATE_TINTED,
        [Completion_AROUND_CELLS] = TEMPLATE_MOVED | TEMPLATE_TINTED,
        [Completion_OVER_SAME_SHAPE] = TEMPLATE_TURNED | TEMPLATE_SCALED | TEMPLATE_MOVED,
    };
    int most = e->has_lines ? 3 : 2;
    for (int flags = 0; flags < TEMPLATE_FLAGS; flags++)
        for (int kind = 0; kind < most && !(flags & ~options[anchor]); kind++)
            for (int pick = 0; pick < TEMPLATE_PICKS && e->q->units > until; pick++) {
                if (pick == TemplatePick_ALONE_OF_COLOR) continue;
                if (pick == TemplatePick_MOST_DETAILED && !(flags & TEMPLATE_SCALED)) continue;
                try_completion(e, (Completion){kinds[kind], anchor, pick, flags},
                               kind + (pick > 0) + anchor + __builtin_popcount((unsigned)flags));
            }
}

// A box that is found again by what is in it.
static void try_boxes(Patterns *e) {
    static const int options[] = {0, TEMPLATE_TURNED, TEMPLATE_OVER, TEMPLATE_TURNED | TEMPLATE_OVER};
    for (int k = 0; k < 4; k++) {
        Completion box = {TemplateParts_PARTS, Completion_AROUND_CONTENT, TemplatePick_ALONE_OF_COLOR,
                          options[k]};
        try_completion(e, box, 1 + __builtin_popcount((unsigned)options[k]));
    }
}

static void try_repeats(Patterns *e) {
    static const int kinds[] = {TemplateParts_PARTS_DIAGONAL, TemplateParts_THINGS_DIAGONAL,
                                TemplateParts_PARTS};
    for (int kind = 0; kind < 3; kind++) {
        if (kinds[kind] != TemplateParts_PARTS)
            try_completion(e, (Completion){kinds[kind], Completion_MIRROR_TO_MARKS, 0, 0}, 2 + kind);
        for (int gap = 0; gap < REPEAT_GAPS; gap++)
            for (int pick = 0; pick <= TemplatePick_MOST_COLORFUL && e->q->units > 0; pick++)
                try_completion(e, (Completion){kinds[kind], Completion_REPEAT_TO_MARKS, pick, gap},
                               2 + kind + gap);
    }
}

static void try_mirrors(Patterns *e) {
    static const PartsKind kinds[] = {PartsKind_THINGS_DIAGONAL, PartsKind_PARTS_DIAGONAL, PartsKind_COLORS};
    for (int flags = 0; flags < MIRROR_FLAGS; flags++)
        for (int kind = 0; kind < 3; kind++)
            for (int pick = 0; pick < MIRROR_PICKS && e->q->units > 0; pick++)
                try_completion(e, (Completion){kinds[kind], Completion_MIRROR_ABOUT, pick, flags},
                               2 + (kind > 1) + (pick > 0) + __builtin_popcount((unsigned)flags));
}

// The dearest ones come last, and not all of them where the parts are many.
static void try_templates(Patterns *e) {
    int64_t until = e->q->units > TEMPLATES_UNITS ? e->q->units - TEMPLATES_UNITS : 0;
    try_anchor(e, Completion_WHERE_MARKED, until);
    try_anchor(e, Completion_AROUND_CELLS, until);
    try_boxes(e);
    try_anchor(e, Completion_OVER_SAME_SHAPE, until);
    try_anchor(e, Completion_WHERE_PART_FITS, until);
}

// ---- Learning what replaces what ----

enum { MOST_GROUPS = 200, MOST_WINDOW = 400 };
enum { LEARN_SPARSE = REPLACE_FLAGS, LEARN_OWN = 2 * REPLACE_FLAGS, LEARN_FLAGS = 4 * REPLACE_FLAGS };

// The box of a group of changed cells.
typedef struct {
    int demo, top, left, bottom, right;
} Group;

// Groups of changed cells, no two of which are nearer than `reach`. -1 where there are too many.
static int find_groups(Patterns *e, int without, int reach, Group *groups) {
    int count = 0;
    for (int d = 0; d < e->q->demos; d++) {
        ts_grid in = e->q->inputs[d], out = e->q->outputs[d];
        bool seen[MOST_CELLS];
        int16_t stack[MOST_CELLS];
        memset(seen, 0, (size_t)cells_of(in));
        for (int n = 0; n < cells_of(in) && d != without; n++) {
            if (in.cells[n] == out.cells[n] || seen[n]) continue;
            if (count == MOST_GROUPS) return -1;
            Group g = {d, in.height, in.width, 0, 0};
            int depth = 0;
            stack[depth++] = (int16_t)n;
            seen[n] = true;
            while (depth) {
                int at = stack[--depth], i = at / in.width, j = at % in.width;
                g.top = i < g.top ? i : g.top;
                g.left = j < g.left ? j : g.left;
                g.bottom = i > g.bottom ? i : g.bottom;
                g.right = j > g.right ? j : g.right;
                for (int k = i - reach; k <= i + reach; k++)
                    for (int l = j - reach; l <= j + reach; l++) {
                        if (k < 0 || l < 0 || k >= in.height || l >= in.width) continue;
                        int next = k * in.width + l;
                        if (seen[next] || in.cells[next] == out.cells[next]) continue;
                        seen[next] = true;
                        stack[depth++] = (int16_t)next;
                    }
            }
            groups[count++] = g;
        }
        quest_spend(e->q, 4 * cells_of(in));
    }
    return count;
}

// The colour that the cells of a group get; NO_COLOR where it is several.
static int color_of(const Quest *q, const Group *g) {
    ts_grid in = q->inputs[g->demo], out = q->outputs[g->demo];
    int color = NO_COLOR;
    for (int i = g->top; i <= g->bottom; i++)
        for (int j = g->left; j <= g->right; j++) {
            int at = i * in.width + j;
            if (in.cells[at] == out.cells[at]) continue;
            if (color != NO_COLOR && color != out.cells[at]) return NO_COLOR;
            color = out.cells[at];
        }
    return color;
}

static void window_size(const Group *g, int margin, int *h, int *w) {
    *h = g->bottom - g->top + 1 + 2 * margin;
    *w = g->right - g->left + 1 + 2 * margin;
}

// What is in the box of a group, grown by a margin, before and after; moved. With its own colour,
// the one that its cells get is PATTERN_OWN.
static void take_window(const Quest *q, const Group *g, int margin, int symmetry, bool with_own, int8_t *from,
                        int8_t *to) {
    ts_grid in = q->inputs[g->demo], out = q->outputs[g->demo];
    int h, w, own = with_own ? color_of(q, g) : NO_COLOR;
    window_size(g, margin, &h, &w);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int k, l, y = g->top - margin + i, x = g->left - margin + j, at = y * in.width + x;
            symmetry_cell(symmetry, h, w, i, j, &k, &l);
            int to_at = k * (symmetry_exchanges(symmetry) ? h : w) + l;
            bool inside = y >= 0 && x >= 0 && y < in.height && x < in.width;
            from[to_at] = inside ? in.cells[at] : PATTERN_ANY;
            to[to_at] = inside && in.cells[at] != out.cells[at] ? out.cells[at] : PATTERN_ANY;
            if (own != NO_COLOR && from[to_at] == own) from[to_at] = PATTERN_OWN;
            if (own != NO_COLOR && to[to_at] == own) to[to_at] = PATTERN_OWN;
        }
}

static int agreement(const int8_t *a, const int8_t *b, int n) {
    int same = 0;
    for (int k = 0; k < n; k++) same += a[k] == b[k];
    return same;
}

// How far a group, moved so that it changes like the result and is as like the pattern as can be, agrees with
// that; -1 where it never changes so.
static int best_window(const Quest *q, const Group *g, int margin, int flags, ts_grid pattern,
                       const int8_t *result, int8_t *best) {
    int8_t from[MOST_WINDOW], to[MOST_WINDOW];
    int h, w, most = -1, n = cells_of(pattern);
    window_size(g, margin, &h, &w);
    for (int m = 0; m < (flags & REPLACE_TURNED ? SYMMETRIES : 1); m++) {
        int symmetry = symmetry_by_steps[m];
        bool exchanges = symmetry_exchanges(symmetry);
        if ((exchanges ? w : h) != pattern.height || (exchanges ? h : w) != pattern.width) continue;
        take_window(q, g, margin, symmetry, flags & LEARN_OWN, from, to);
        int same = agreement(pattern.cells, from, n);
        if (memcmp(result, to, (size_t)n) != 0 || same <= most) continue;
        most = same;
        memcpy(best, from, (size_t)n);
    }
    return most;
}

// What the first group that is left has in common with all that change like it; these are then left no more.
static bool common_pattern(Patterns *e, const Group *groups, bool *left, int count, int margin, int flags,
                           Rule *r) {
    int8_t best[MOST_WINDOW];
    bool own = flags & LEARN_OWN;
    int first = 0, alike = 1, h, w;
    while (!left[first]) first++;
    window_size(&groups[first], margin, &h, &w);
    if (h * w > MOST_WINDOW || h > e->q->side || w > e->q->side || r->pairs == MOST_PAIRS) return false;
    int8_t *pattern = arena_alloc(&e->q->arena, (size_t)(h * w)),
           *result = arena_alloc(&e->q->arena, (size_t)(h * w));
    if (!pattern || !result) return false;
    take_window(e->q, &groups[first], margin, Symmetry_AS_IS, own, pattern, result);
    left[first] = false;
    for (int k = first + 1; k < count; k++) {
        if (!left[k]) continue;
        quest_spend(e->q, 10 * h * w);
        if (best_window(e->q, &groups[k], margin, flags, (ts_grid){h, w, pattern}, result, best) < 0)
            continue;
        left[k] = false;
        alike++;
        for (int n = 0; n < h * w; n++)
            if (pattern[n] != best[n]) pattern[n] = PATTERN_ANY;
    }
    int known = 0, owned = 0;
    for (int n = 0; n < h * w; n++) {
        known += pattern[n] != PATTERN_ANY;
        owned += pattern[n] == PATTERN_OWN;
    }
    r->from[r->pairs] = (ts_grid){h, w, pattern};
    r->to[r->pairs++] = (ts_grid){h, w, result};
    if (alike < r->support) r->support = alike;
    return known > 1 && own == (owned > 0);
}

// Cuts off rows and columns around a pattern that say nothing.
static void trim(ts_grid *pattern, ts_grid *result) {
    int top = pattern->height, left = pattern->width, bottom = 0, right = 0, w = pattern->width;
    int8_t *from = (int8_t *)pattern->cells, *to = (int8_t *)result->cells;
    for (int n = 0; n < cells_of(*pattern); n++) {
        if (from[n] == PATTERN_ANY && to[n] == PATTERN_ANY) continue;
        top = n / w < top ? n / w : top;
        left = n % w < left ? n % w : left;
        bottom = n / w + 1;
        right = n % w + 1 > right ? n % w + 1 : right;
    }
    for (int i = top; i < bottom; i++)
        for (int j = left; j < right; j++) {
            from[(i - top) * (right - left) + j - left] = from[i * w + j];
            to[(i - top) * (right - left) + j - left] = to[i * w + j];
        }
    pattern->height = result->height = bottom - top;
    pattern->width = result->width = right - left;
}

// Leaves the background open that stays what it is.
static void make_sparse(const Quest *q, ts_grid pattern, ts_grid result) {
    int8_t *from = (int8_t *)pattern.cells;
    int ground = ground_of(q->inputs[0]);
    for (int n = 0; n < cells_of(pattern); n++)
        if (from[n] == ground && result.cells[n] == PATTERN_ANY) from[n] = PATTERN_ANY;
}

enum { NEAR = 2, FAR = 4 };            // margins
enum { SUPPORTED = 5, BY_HEART = 10 }; // what it costs not to have been foreseen

static bool learn_replacement(Patterns *e, int without, int reach, int margin, int flags, Rule *r) {
    Group groups[MOST_GROUPS];
    int count = find_groups(e, without, reach, groups);
    *r = (Rule){.family = FAMILY_REPLACE,
                .flags = flags & (REPLACE_FLAGS - 1),
                .support = MOST_GROUPS,
                .cost = (flags & LEARN_SPARSE ? margin / 2 : margin) + reach +
                        __builtin_popcount((unsigned)(flags & (REPLACE_TURNED | REPLACE_APART))),
                .last_from = NO_COLOR};
    bool left[MOST_GROUPS];
    memset(left, true, sizeof left);
    for (int k = 0; k < count; k++)
        if (left[k] && !common_pattern(e, groups, left, count, margin, flags, r)) return false;
    for (int k = 0; k < r->pairs; k++) {
        if (flags & LEARN_SPARSE) make_sparse(e->q, r->from[k], r->to[k]);
        trim(&r->from[k], &r->to[k]);
    }
    r->cost += 2 * (r->pairs - 1);
    return r->pairs > 0;
}

static void try_replacements(Patterns *e) {
    for (int reach = 1; reach <= 2; reach++)
        for (int margin = 0; margin <= FAR; margin++)
            for (int flags = 0; flags < LEARN_FLAGS && e->q->units > 0; flags++) {
                Rule r, other;
                bool right = learn_replacement(e, -1, reach, margin, flags, &r), foreseen = right;
                for (int d = 0; d < e->q->demos && foreseen; d++)
                    foreseen =
                        learn_replacement(e, d, reach, margin, flags, &other) && right_on(e, &other, d);
                r.foreseen = foreseen;
                if (margin > NEAR && !(foreseen && flags & LEARN_SPARSE)) continue;
                if (!foreseen) r.cost += r.support > 1 ? SUPPORTED : BY_HEART;
                if (right) try_rule(e, &r);
            }
}

// ---- Places ----

// The one colour that gives way, and the one that comes: false where there are several. *ground is
// PATTERN_ANY where it is the background that gives way, in whatever colour.
static bool one_change(const Quest *q, int *ground, int *color) {
    int from = NO_COLOR, to = NO_COLOR;
    bool one = true, background = true;
    for (int d = 0; d < q->demos; d++) {
        int under = ground_of(q->inputs[d]);
        for (int n = 0; n < cells_of(q->inputs[d]); n++) {
            int x = q->inputs[d].cells[n], y = q->outputs[d].cells[n];
            if (x == y) continue;
            one &= from == NO_COLOR || from == x;
            background &= x == under;
            from = x;
            if (to != NO_COLOR && to != y) return false;
            to = y;
        }
    }
    *ground = one ? from : PATTERN_ANY;
    *color = to;
    return to != NO_COLOR && (one || background);
}

static bool try_place(Patterns *e, int kind, int a, int b, int inset, int cost) {
    Rule r = {.family = FAMILY_PLACES,
              .place = {kind, a, b, inset},
              .cost = cost + (inset != 0),
              .last_from = NO_COLOR};
    return one_change(e->q, &r.ground, &r.color) && try_rule(e, &r);
}

static void try_places(Patterns *e) {
    int ground, color;
    if (!one_change(e->q, &ground, &color)) return;
    for (int inset = -1; inset <= 1; inset++) {
        for (int side = 1; side <= 3; side++) try_place(e, Place_LARGEST_RECTANGLES, side, side, inset, side);
        try_place(e, Place_LARGEST_SQUARES, 1, 1, inset, 1);
        for (int a = 1; a <= 6; a++)
            for (int b = 1; b <= 8 && e->q->units > 0; b++) {
                try_place(e, Place_RECTANGLES_OF, a, b, inset, 2);
                try_place(e, Place_RECTANGLES_APART, a, b, inset, 3);
                if (a > b) continue;
                if (a < b) try_place(e, Place_RECTANGLES_EITHER_WAY, a, b, inset, 3);
                // The least that will do leaves out the fewest places: the first is the boldest.
                try_place(e, Place_FULL_RECTANGLES, a, b, inset, 2 + (a != b));
                try_place(e, Place_RECTANGLES_ACROSS, a, b, inset, 3);
            }
    }
    for (int c = 0; c < 10; c++)
        for (int how = 0; how < 4 && e->q->units > 0; how++) try_place(e, Place_SHAPE_OF, c, how, 0, 1 + how);
}

// ---- Cells of a lattice ----

static void try_cells(Patterns *e) {
    arena_reset(&e->scratch);
    Rule any = {.family = FAMILY_CELLS, .cell = {CellMeasure_EARLINESS, false, CellUse_STAYS_ALONE, 0}};
    if (!apply(e, &any, e->q->inputs[0])) return; // no lattice
    for (int what = 0; what < CELL_MEASURES; what++)
        for (int least = 0; least < (what == CellMeasure_EARLINESS ? 1 : 2); least++)
            for (int use = 0; use < CELL_USES; use++)
                for (int color = 0; color < (use == CellUse_GOES_TO ? 10 : 1) && e->q->units > 0; color++) {
                    Rule r = {.family = FAMILY_CELLS,
                              .cell = {what, least, use, color},
                              .cost =
                                  1 + (what > CellMeasure_EQUAL_PIECES) + least + (use == CellUse_GOES_TO),
                              .last_from = NO_COLOR};
                    try_rule(e, &r);
                }
}

// ---- The engine ----

static bool takes_task(const Quest *q) {
    for (int k = 0; k < q->samples; k++) {
        ts_grid g = q->inputs[k];
        if (!grid_fits(g, GRID_TASK_SIDE)) return false;
        if (k < q->demos && !grid_same_size(g, q->outputs[k])) return false;
    }
    return true;
}

static bool crossed_by_lines(ts_grid g) {
    int ground = ground_of(g);
    for (int color = 0; color < 10; color++) {
        GridLines lines = grid_lines(g, color);
        if (color != ground && (lines.rows || lines.columns)) return true;
    }
    return false;
}

static void print_rule(Text *t, const Rule *r) {
    const Completion *c = &r->completion;
    const char *to = r->last_from == NO_COLOR ? "O" : "x1";
    text_clear(t);
    switch (r->family) {
    case FAMILY_TEMPLATES:
        text_print(t, "%s = complete_templates(I, (%d, %d, %d, %d))\n", to, c->kind, c->pick, c->anchor,
                   c->flags);
        break;
    case FAMILY_REPLACE:
        for (int k = 0; k < r->pairs; k++) {
            if (k + 1 < r->pairs) text_print(t, "x%d = replace_pattern(", k + 1);
            else text_add(t, "O = replace_pattern(");
            if (k) text_print(t, "x%d, ", k);
            else text_add(t, "I, ");
            grid_print(t, r->from[k]);
            text_add(t, ", ");
            grid_print(t, r->to[k]);
            text_print(t, ", %d)\n", r->flags);
        }
        break;
    case FAMILY_CELLS:
        text_print(t, "O = from_cell(I, (%d, %d, %d, %d))\n", r->cell.what, r->cell.least, r->cell.use,
                   r->cell.color);
        break;
    default:
        text_print(t, "O = fill_places(I, %d, (%d, %d, %d, %d), %d)\n", r->ground, r->place.kind, r->place.a,
                   r->place.b, r->place.inset, r->color);
    }
    if (r->last_from != NO_COLOR) text_print(t, "O = replace(x1, %d, %d)\n", r->last_from, r->last_to);
}

static int class_of(const Rule *r, int rank) {
    if (r->family == FAMILY_TEMPLATES && r->completion.anchor == Completion_MIRROR_ABOUT)
        return FAMILIES * 4 + (rank > 0);
    if (r->family == FAMILY_REPLACE && !r->foreseen) return FAMILY_REPLACE * 4 + (r->support > 1 ? 2 : 3);
    return (int)r->family * 4 + 2 * (r->family != FAMILY_REPLACE && r->cost > 2) + (rank > 0);
}

// Offers the best rules of a family that are right on all demos, or the best that are not.
static void offer_family(Patterns *e, Family family, bool whole) {
    Text t = {0};
    for (int rank = 0; rank < MOST_OFFERS; rank++) {
        Rule *best = NULL;
        for (int k = 0; k < e->count; k++) {
            Rule *r = &e->rules[k];
            if (r->family == family && (r->right == e->q->demos) == whole &&
                r->weight > (best ? best->weight : 0))
                best = r;
        }
        if (!best || (rank && family == FAMILY_REPLACE && !best->foreseen)) break;
        print_rule(&t, best);
        if (!t.failed) quest_offer(e->q, ENGINE_patterns, class_of(best, rank), t.data);
        best->weight = 0;
    }
    quest_free_text(e->q, &t);
}

bool engine_patterns(Quest *q) {
    Patterns *e = arena_alloc(&q->arena, sizeof *e);
    if (!e || !takes_task(q)) return true;
    *e = (Patterns){
        .q = q, .canvas = arena_alloc(&q->arena, MOST_CELLS), .before = arena_alloc(&q->arena, MOST_CELLS)};
    if (!e->canvas || !e->before) return true;
    quest_arena(q, &e->scratch, SCRATCH_BYTES);
    for (int k = 0; k < q->samples; k++) e->has_lines |= crossed_by_lines(q->inputs[k]);
    try_cells(e); // first what takes little
    try_repeats(e);
    try_replacements(e);
    try_mirrors(e);
    try_places(e);
    try_templates(e);
    for (int whole = 1; whole >= 0; whole--)
        for (int family = 0; family < FAMILIES; family++) offer_family(e, (Family)family, whole);
    quest_free_arena(q, &e->scratch);
    return q->units > 0;
}
