// The rules of `cutout` that cut one piece out: a source of pieces, a view, a choice, and a last step.
//
// Pieces and last steps meet in the middle: what the output of a demo would be before each last step is
// worked out once, and a piece fits if its hash is among these. What is chosen does not depend on the view,
// so the choices are evaluated once for a source: a rule is then a look-up for each demo.
#include "cutout/cutout_engine.h"

#include <string.h>

#include "base/hash.h"

// ---- Last steps ----

typedef enum {
    LAST_MOVED,
    LAST_SCALED,
    LAST_TILED,
    LAST_RECOLORED,
    LAST_SCALED_BY,
    LAST_TILED_BY,
    LAST_PAINTED,
    LAST_SWAPPED
} LastKind;

typedef struct {
    LastKind kind;
    int motion; // MOVED, RECOLORED; that of the first of the tiles
    int n, m;
    ts_grid motions; // of tiles
    double cost;
    uint64_t want[QUEST_MOST_DEMOS]; // for each demo, the hash of what it starts from; 0 for none
} Last;

enum { MOST_LASTS = 120, MOST_SCALE = 10, MOST_TILES = 6 };

typedef struct {
    int count;
    Last at[MOST_LASTS];
    uint64_t scaled[QUEST_MOST_DEMOS][MOST_SCALE + 1]; // of each demo, by each scale
} Lasts;

static void add_moves(const Cutout *s, Lasts *l) {
    for (int m = Symmetry_AS_IS; m >= 0; m--) {
        Last *last = &l->at[l->count++], *recolored = &l->at[l->count++];
        *last = (Last){.kind = LAST_MOVED, .motion = m, .cost = m == Symmetry_AS_IS ? 0 : 1.5};
        *recolored = (Last){.kind = LAST_RECOLORED, .motion = m, .cost = m == Symmetry_AS_IS ? 1 : 3};
        memcpy(last->want, s->before_hash[m], sizeof last->want);
    }
}

static void add_scales(Quest *q, Lasts *l) {
    for (int k = 1; k <= MOST_SCALE; k++) {
        Last *last = &l->at[l->count];
        *last = (Last){.kind = LAST_SCALED, .n = k, .cost = 1.5};
        int n = 0;
        for (int d = 0; d < q->demos; d++) {
            ts_grid before;
            if (grid_unscaled(&q->arena, q->outputs[d], k, &before)) last->want[d] = grid_hash(before), n++;
            l->scaled[d][k] = last->want[d];
        }
        l->count += k > 1 && n;
    }
    l->at[l->count++] = (Last){.kind = LAST_SCALED_BY, .cost = 2};
    l->at[l->count++] = (Last){.kind = LAST_TILED_BY, .cost = 2};
    l->at[l->count++] = (Last){.kind = LAST_PAINTED, .cost = 1};
    l->at[l->count++] = (Last){.kind = LAST_SWAPPED, .cost = 2};
}

// For each tile of an output, the motions that make it from the first one, as bits. False where one has none.
static bool tile_motions(Arena *scratch, ts_grid y, int n, int m, unsigned *bits, ts_grid *moved) {
    if (y.height % n || y.width % m) return false;
    int h = y.height / n, w = y.width / m;
    ts_grid tile;
    if (!grid_cut(scratch, y, (Box){0, 0, h - 1, w - 1}, &tile)) return false;
    for (int g = 0; g < SYMMETRIES; g++)
        if (!grid_moved(scratch, tile, g, &moved[g])) return false;
    for (int k = 0; k < n * m; k++) {
        int top = k / m * h, left = k % m * w;
        if (!grid_cut(scratch, y, (Box){top, left, top + h - 1, left + w - 1}, &tile)) return false;
        for (int g = 0; g < SYMMETRIES; g++)
            if (bits[k] >> g & 1 && !ts_grid_equal(moved[g], tile)) bits[k] &= ~(1u << g);
        if (!bits[k]) return false;
    }
    return true;
}

// Tiles of n by m; the first one is the piece itself, or the piece moved.
static void add_tiles(Cutout *s, Lasts *l, int n, int m) {
    Quest *q = s->q;
    unsigned bits[MOST_TILES * MOST_TILES];
    for (int k = 0; k < n * m; k++) bits[k] = (1u << SYMMETRIES) - 1;
    Last *lasts = &l->at[l->count];
    for (int d = 0; d < q->demos; d++) {
        ts_grid moved[SYMMETRIES];
        arena_reset(&s->scratch);
        if (!tile_motions(&s->scratch, q->outputs[d], n, m, bits, moved)) return;
        for (int g = 0; g < SYMMETRIES; g++) lasts[g].want[d] = grid_hash(moved[symmetry_inverse(g)]);
    }
    ts_grid motions = grid_blank(&q->arena, n, m, Symmetry_AS_IS);
    if (!motions.cells) return;
    bool moves = false;
    for (int k = 0; k < n * m; k++) {
        int motion = bits[k] >> Symmetry_AS_IS & 1 ? Symmetry_AS_IS : __builtin_ctz(bits[k]);
        grid_edit(motions)[k] = (signed char)motion;
        moves |= motion != Symmetry_AS_IS;
    }
    for (int g = 0; g < SYMMETRIES; g++) {
        lasts[g].kind = LAST_TILED;
        lasts[g].motion = g;
        lasts[g].n = n;
        lasts[g].m = m;
        lasts[g].motions = motions;
        lasts[g].cost = 1.5 + moves + (g == Symmetry_AS_IS ? 0 : 1);
    }
    l->count += SYMMETRIES;
}

static Lasts *last_steps(Cutout *s) {
    Lasts *l = arena_alloc(&s->q->arena, sizeof *l);
    if (!l) return NULL;
    memset(l, 0, sizeof *l);
    add_moves(s, l);
    add_scales(s->q, l);
    for (int n = 1; n <= MOST_TILES; n++)
        for (int m = 1; m <= MOST_TILES; m++)
            if (n * m > 1 && l->count + SYMMETRIES <= MOST_LASTS) add_tiles(s, l, n, m);
    return l;
}

// ---- Choices ----

static double choice_cost(const Choice *c) {
    static const double kinds[SUPERLATIVES] = {0, 0.5, 1, 3, 2};
    if (c->where < 0) return cutout_prop_cost(c->prop) + kinds[c->kind];
    double where =
        c->where >= CHOICE_NOT ? 2 + cutout_prop_cost(c->where - CHOICE_NOT) : 1 + cutout_prop_cost(c->where);
    return c->prop == PieceProperty_INDEX ? where : where + 2 + cutout_prop_cost(c->prop) + kinds[c->kind];
}

typedef struct {
    Choice choice;
    double cost;
    int16_t pick[QUEST_MOST_SAMPLES]; // of each sample; -1 for none
} ChoiceRule;

typedef struct {
    int count, room;
    ChoiceRule *at;
    uint64_t *picked; // hashes of the picks
} ChoiceRules;

enum { MOST_CHOICES = 3000 };

static bool is_new(ChoiceRules *rules, uint64_t hash) {
    for (int k = 0; k < rules->count; k++)
        if (rules->picked[k] == hash) return false;
    return true;
}

static void add_choice(Cutout *s, const Pieces *p, ChoiceRules *rules, Choice choice) {
    if (rules->count == MOST_CHOICES) return;
    ChoiceRule *r = &rules->at[rules->count];
    *r = (ChoiceRule){.choice = choice, .cost = choice_cost(&choice)};
    bool equals = choice.prop == PieceProperty_EQUAL_PIECES || choice.kind == Superlative_COMMONEST,
         tied = false;
    int misses = 0;
    uint64_t hash = 5;
    for (int k = 0; k < s->q->samples; k++) {
        int ties;
        r->pick[k] = (int16_t)piece_chosen(&p[k], &choice, &ties);
        if (r->pick[k] < 0 && (k >= s->q->demos || ++misses > 1)) return;
        tied |= ties > 0 && !equals;
        hash = hash_mix(hash, (uint64_t)r->pick[k]);
    }
    if (tied) r->cost += 1.5;
    if (!is_new(rules, hash)) return;
    rules->picked[rules->count++] = hash;
}

static void add_choices(Cutout *s, int source, const Pieces *p, ChoiceRules *rules, int where, int equals) {
    for (int prop = 0; prop < PIECE_PROPERTIES; prop++) {
        if (!pieces_prop_fits(source, prop) || prop == where) continue;
        for (int kind = 0; kind < (where < 0 ? SUPERLATIVES : Superlative_UNIQUE); kind++) {
            if (kind == Superlative_UNIQUE &&
                (prop == PieceProperty_INDEX || prop == PieceProperty_EQUAL_PIECES))
                continue;
            add_choice(s, p, rules, (Choice){where, equals, prop, kind});
        }
    }
}

static bool choices_of(Cutout *s, int source, const Pieces *p, ChoiceRules *rules) {
    Arena *a = &s->q->arena;
    if (!rules->at) {
        rules->at = arena_alloc(a, MOST_CHOICES * sizeof *rules->at);
        rules->picked = arena_alloc(a, MOST_CHOICES * sizeof *rules->picked);
    }
    if (!rules->at || !rules->picked) return false;
    rules->count = 0;
    add_choices(s, source, p, rules, -1, 0);
    int values[8];
    for (int wide = 0; wide <= 1; wide++)
        for (int where = 0; where < PIECE_PROPERTIES; where++) {
            if (!pieces_prop_fits(source, where) || !cutout_is_condition(where)) continue;
            int n = cutout_shared_values(s, p, where, values);
            for (int k = 0; k < n; k++) {
                if (wide) add_choices(s, source, p, rules, where, values[k]);
                else
                    add_choice(s, p, rules,
                               (Choice){where, values[k], PieceProperty_INDEX, Superlative_LEAST});
                if (!quest_spend(s->q, 2000)) return false;
            }
        }
    return true;
}

// ---- Pieces that fit ----

typedef struct {
    const Last *last;
    uint8_t fits[QUEST_MOST_DEMOS][PIECES_MOST]; // of each demo and piece: whether, or by which factor
} Fit;

// The one colour, plus one, that all of a piece but the background gets; 0 where there is none.
static int painted(ts_grid piece, int ground, ts_grid y) {
    int color = -1;
    if (!grid_same_size(piece, y)) return 0;
    for (int k = 0; k < y.height * y.width; k++) {
        if (piece.cells[k] == ground ? y.cells[k] != ground : y.cells[k] == ground) return 0;
        if (piece.cells[k] == ground) continue;
        if (color >= 0 && y.cells[k] != color) return 0;
        color = y.cells[k];
    }
    return color + 1;
}

// Exchanges the colours of a piece that has two.
static bool swap_colors(Arena *a, ts_grid piece, ts_grid *out) {
    int first = piece.cells[0], second = -1;
    for (int k = 0; k < piece.height * piece.width; k++) {
        if (piece.cells[k] == first || piece.cells[k] == second) continue;
        if (second >= 0) return false;
        second = piece.cells[k];
    }
    if (second < 0 || !grid_copy(a, piece, out)) return false;
    for (int k = 0; k < piece.height * piece.width; k++)
        grid_edit(*out)[k] = (signed char)(piece.cells[k] == first ? second : first);
    return true;
}

static bool is_swapped(Cutout *s, ts_grid piece, ts_grid y) {
    ts_grid swapped;
    if (!grid_same_size(piece, y)) return false;
    arena_reset(&s->scratch);
    return swap_colors(&s->scratch, piece, &swapped) && ts_grid_equal(swapped, y);
}

static int fits(Cutout *s, const Lasts *l, const Last *last, int demo, ts_grid piece, int ground,
                uint64_t hash) {
    int8_t table[10];
    switch (last->kind) {
    case LAST_RECOLORED:
        memset(table, COLOR_UNSEEN, sizeof table);
        return colors_learn(piece, s->before[last->motion][demo], table);
    case LAST_SCALED_BY:
        for (int k = 1; k <= MOST_SCALE; k++)
            if (l->scaled[demo][k] == hash) return k;
        return 0;
    case LAST_TILED_BY: return summary_repeats(piece, s->q->outputs[demo]);
    case LAST_PAINTED: return painted(piece, ground, s->q->outputs[demo]);
    case LAST_SWAPPED: return is_swapped(s, piece, s->q->outputs[demo]);
    default: return last->want[demo] == hash;
    }
}

// The pieces that fit after a last step. False where too few demos have one.
static bool find_fit(Cutout *s, const Lasts *l, const Last *last, const Pieces *p, ts_grid **views,
                     uint64_t **hashes, Fit *fit) {
    int misses = 0;
    fit->last = last;
    for (int d = 0; d < s->q->demos; d++) {
        bool any = false;
        for (int k = 0; k < p[d].count; k++) {
            ts_grid g = views[d][k];
            fit->fits[d][k] = g.height ? (uint8_t)fits(s, l, last, d, g, p[d].ground, hashes[d][k]) : 0;
            any |= fit->fits[d][k] != 0;
        }
        misses += !any;
        if (misses > (s->q->demos > 2)) return false;
    }
    return true;
}

// ---- Rules of a choice ----

static void print_choice(Text *t, const char *name, int source, int view, const Choice *c) {
    text_print(t, "%s = cutout(I, (%d, %d), (%d, %d, %d, %d))\n", name, source, view, c->where, c->equals,
               c->prop, c->kind);
}

typedef struct {
    Cutout *s;
    int source, view;
    const Pieces *p;
    ts_grid **views;
    const Fit *fit;
    const ChoiceRule *rule;
    uint32_t mask;
    const MeasureRule *by[2];
    int8_t colors[10];
    double cost;
} Try;

static void print_try(const Try *y) {
    Text *t = &y->s->text;
    const Last *last = y->fit->last;
    bool plain = last->kind == LAST_MOVED && last->motion == Symmetry_AS_IS;
    print_choice(t, plain ? "O" : "x1", y->source, y->view, &y->rule->choice);
    switch (last->kind) {
    case LAST_MOVED:
        if (!plain) text_print(t, "O = mir_rot_t(x1, %d)\n", last->motion);
        break;
    case LAST_SCALED: text_print(t, "O = upscale(x1, %d)\n", last->n); break;
    case LAST_TILED:
        if (last->motion != Symmetry_AS_IS) text_print(t, "x2 = mir_rot_t(x1, %d)\n", last->motion);
        text_print(t, "O = tiled(%s, (%d, %d), ", last->motion != Symmetry_AS_IS ? "x2" : "x1", last->n,
                   last->m);
        grid_print(t, last->motions);
        text_add(t, ")\n");
        break;
    case LAST_RECOLORED:
        if (last->motion != Symmetry_AS_IS) {
            text_clear(t);
            print_choice(t, "x0", y->source, y->view, &y->rule->choice);
            text_print(t, "x1 = mir_rot_t(x0, %d)\n", last->motion);
        }
        colors_print(t, y->colors);
        break;
    case LAST_SCALED_BY:
        text_add(t, "x2 = ");
        cutout_print_measure(t, y->by[0]);
        text_add(t, "\nO = upscale(x1, x2)\n");
        break;
    case LAST_TILED_BY:
        for (int k = 0; k < 2; k++) {
            text_print(t, "x%d = ", k + 2);
            cutout_print_measure(t, y->by[k]);
            text_char(t, '\n');
        }
        text_add(t, "x4 = astuple(x2, x3)\nO = tiled(x1, x4, ((7,),))\n");
        break;
    case LAST_PAINTED:
        text_add(t, "x2 = ");
        cutout_print_measure(t, y->by[0]);
        text_print(
            t, "\nx3 = asindices(x1)\nx4 = ofcolor(x1, %d)\nx5 = difference(x3, x4)\nO = fill(x1, x2, x5)\n",
            y->p[0].ground);
        break;
    case LAST_SWAPPED:
        text_add(t, "x2 = mostcolor(x1)\nx3 = leastcolor(x1)\nO = switch(x1, x2, x3)\n");
        break;
    }
}

// The colours must agree over the demos, and be known for the tests.
static bool learn_all_colors(Try *y) {
    const Quest *q = y->s->q;
    int changes = 0;
    memset(y->colors, COLOR_UNSEEN, sizeof y->colors);
    for (int d = 0; d < q->demos; d++)
        if (y->mask >> d & 1 &&
            !colors_learn(y->views[d][y->rule->pick[d]], y->s->before[y->fit->last->motion][d], y->colors))
            return false;
    for (int c = 0; c < 10; c++) changes += y->colors[c] != COLOR_UNSEEN && y->colors[c] != c;
    y->cost += changes;
    for (int k = q->demos; k < q->samples; k++) {
        ts_grid g = y->views[k][y->rule->pick[k]];
        bool unknown = false;
        for (int i = 0; i < g.height * g.width; i++)
            unknown |= y->colors[(unsigned)g.cells[i] % 10] == COLOR_UNSEEN;
        if (unknown) y->cost += 1.5;
    }
    return changes > 0;
}

// Factors must vary over the demos (else they are no factors to be measured), and be measured by something.
static bool learn_factors(Try *y) {
    const Quest *q = y->s->q;
    int factors[2][QUEST_MOST_DEMOS], varies[2] = {0, 0}, two = y->fit->last->kind == LAST_TILED_BY;
    int is_color = y->fit->last->kind == LAST_PAINTED;
    if (y->mask != all_demos(y->s)) return false;
    for (int k = 1; k < q->samples && is_color; k++)
        if (y->p[k].ground != y->p[0].ground) return false;
    for (int d = 0; d < q->demos; d++) {
        ts_grid piece = y->views[d][y->rule->pick[d]], out = q->outputs[d];
        factors[0][d] = two ? out.height / piece.height : y->fit->fits[d][y->rule->pick[d]] - is_color;
        factors[1][d] = two ? out.width / piece.width : 0;
        for (int k = 0; k < 2; k++) varies[k] |= factors[k][d] != factors[k][0];
    }
    if (!varies[0] && !varies[1]) return false;
    for (int k = 0; k <= two; k++) {
        if (!(y->by[k] = cutout_measure_of(y->s, factors[k]))) return false;
        y->cost += y->by[k]->cost;
    }
    return true;
}

static bool try_answer(Try *y, int sample, ts_grid *out) {
    Arena *a = &y->s->scratch;
    ts_grid g = y->views[sample][y->rule->pick[sample]];
    const Last *last = y->fit->last;
    static const signed char still[1] = {Symmetry_AS_IS};
    int n = last->n, m = last->m;
    if (!g.height) return false;
    switch (last->kind) {
    case LAST_MOVED: return grid_moved(a, g, last->motion, out);
    case LAST_SCALED_BY: n = y->by[0]->values[sample]; // fall through
    case LAST_SCALED: return grid_scaled(a, g, n, quest_reach(y->s->q), out);
    case LAST_TILED:
        return grid_moved(a, g, last->motion, &g) && summary_tiled(a, g, n, m, last->motions, out);
    case LAST_TILED_BY:
        n = y->by[0]->values[sample], m = y->by[1]->values[sample];
        return summary_tiled(a, g, n, m, (ts_grid){1, 1, still}, out);
    case LAST_PAINTED:
        if (!grid_copy(a, g, out)) return false;
        for (int k = 0; k < g.height * g.width; k++)
            if (g.cells[k] != y->p[0].ground) grid_edit(*out)[k] = (signed char)y->by[0]->values[sample];
        return true;
    case LAST_SWAPPED: return swap_colors(a, g, out);
    case LAST_RECOLORED:
        if (!grid_moved(a, g, last->motion, &g) || !grid_copy(a, g, out)) return false;
        for (int k = 0; k < out->height * out->width; k++) {
            int c = y->colors[(unsigned)out->cells[k] % 10];
            if (c != COLOR_UNSEEN) grid_edit(*out)[k] = (signed char)c;
        }
        return true;
    }
    return false;
}

static void try_rule(Try *y) {
    const Quest *q = y->s->q;
    const Last *last = y->fit->last;
    y->mask = 0;
    for (int d = 0; d < q->demos; d++) {
        int pick = y->rule->pick[d];
        y->mask |= (uint32_t)(pick >= 0 && y->fit->fits[d][pick]) << d;
    }
    if (!cutout_is_worth_noting(y->s, y->mask)) return;
    y->cost = cutout_source_cost(y->source) + cutout_view_cost(y->view) + last->cost + y->rule->cost;
    if (y->source == Source_WHOLE) y->cost -= y->rule->cost; // there is nothing to choose
    if (last->kind == LAST_RECOLORED && !learn_all_colors(y)) return;
    bool by = last->kind == LAST_SCALED_BY || last->kind == LAST_TILED_BY || last->kind == LAST_PAINTED;
    if (by && !learn_factors(y)) return;
    uint64_t answers = 1;
    arena_reset(&y->s->scratch);
    for (int k = q->demos; k < q->samples; k++) {
        ts_grid answer;
        if (!try_answer(y, k, &answer)) return;
        answers = hash_mix(answers, grid_hash(answer));
    }
    if (!cutout_note(y->s, CUTOUT_CHOOSE, y->mask, answers, y->cost)) return;
    print_try(y);
    cutout_note_lines(y->s);
}

// ---- All sources and views ----

static bool views_of(Cutout *s, const Pieces *p, int view, ts_grid **views, uint64_t **hashes) {
    arena_reset(&s->views);
    for (int k = 0; k < s->q->samples; k++) {
        for (int i = 0; i < p[k].count; i++) {
            ts_grid *g = &views[k][i];
            if (!piece_view(&s->views, &p[k], i, view, g)) *g = (ts_grid){0};
            hashes[k][i] = g->height ? grid_hash(*g) : 0;
        }
        if (!quest_spend(s->q, 250 * p[k].count)) return false;
    }
    return true;
}

static bool choose_from(Cutout *s, const Lasts *l, int source, const Pieces *p, ChoiceRules *rules,
                        ts_grid **views, uint64_t **hashes, Fit *fit) {
    static const uint8_t cuts[][2] = {
        {PieceView_WHOLE_BOX, Reduction_UNREDUCED},   {PieceView_WHOLE_BOX, Reduction_TRIMMED},
        {PieceView_WHOLE_BOX, Reduction_MERGED},      {PieceView_WHOLE_BOX, Reduction_SHRUNK},
        {PieceView_WHOLE_BOX, Reduction_SIFTED},      {PieceView_WHOLE_BOX, Reduction_AS_DOT},
        {PieceView_BY_ITSELF, Reduction_UNREDUCED},   {PieceView_BY_ITSELF, Reduction_MERGED},
        {PieceView_BY_ITSELF, Reduction_SHRUNK},      {PieceView_WITHOUT_FRAME, Reduction_UNREDUCED},
        {PieceView_WITHOUT_FRAME, Reduction_TRIMMED}, {PieceView_WITHOUT_FRAME, Reduction_SHRUNK},
        {PieceView_WITHOUT_FRAME, Reduction_AS_DOT},  {PieceView_WITH_RING, Reduction_UNREDUCED},
        {PieceView_CONTENT, Reduction_UNREDUCED},     {PieceView_CONTENT, Reduction_SHRUNK},
        {PieceView_QUARTER, Reduction_UNREDUCED},     {PieceView_TOP_HALF, Reduction_UNREDUCED},
        {PieceView_SIDE_HALF, Reduction_UNREDUCED},   {PieceView_WHOLE_BOX, Reduction_ONE_COLOR},
        {PieceView_BY_ITSELF, Reduction_ONE_COLOR},   {PieceView_CONTENT, Reduction_AS_DOT},
        {PieceView_WHOLE_BOX, Reduction_AS_BAR},
    };
    rules->count = 0;
    for (size_t v = 0; v < sizeof cuts / sizeof *cuts; v++) {
        int view = cuts[v][0] + cuts[v][1];
        if (!views_of(s, p, view, views, hashes)) return false;
        for (int k = 0; k < l->count; k++) {
            if (!find_fit(s, l, &l->at[k], p, views, hashes, fit)) continue;
            if (!rules->count && !choices_of(s, source, p, rules)) return false;
            Try y = {.s = s, .source = source, .view = view, .p = p, .views = views, .fit = fit};
            for (int r = 0; r < rules->count; r++) {
                y.rule = &rules->at[r];
                try_rule(&y);
            }
            if (!quest_spend(s->q, 40 * rules->count)) return false;
        }
    }
    return true;
}

bool cutout_choose(Cutout *s) {
    Arena *a = &s->q->arena;
    const Lasts *l = last_steps(s);
    ChoiceRules rules = {0};
    Fit *fit = arena_alloc(a, sizeof *fit);
    ts_grid *views[QUEST_MOST_SAMPLES];
    uint64_t *hashes[QUEST_MOST_SAMPLES];
    for (int k = 0; k < s->q->samples; k++) {
        views[k] = arena_alloc(a, PIECES_MOST * sizeof **views);
        hashes[k] = arena_alloc(a, PIECES_MOST * sizeof **hashes);
        if (!views[k] || !hashes[k]) return false;
    }
    for (int k = 0; l && fit && k < s->source_count; k++)
        if (s->pieces[k] && !choose_from(s, l, s->sources[k], s->pieces[k], &rules, views, hashes, fit))
            return false;
    return l != NULL;
}
