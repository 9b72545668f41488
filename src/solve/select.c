// The engine `select`: cut out a part of the grid, or sum its parts up.
//
// Every rule is a source of pieces, a view, a choice or an order, and a last step. Pieces and last steps meet
// in the middle: what the output of a demo would be before each last step is worked out once, and a piece
// fits if its hash is among these. What is chosen does not depend on the view, so the choices are evaluated
// once for a source: a rule is then a look-up for each demo.
#include "solve/select.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

// ---- What rules cost ----

double source_cost(int source) {
    static const double costs[SOURCES] = {
        [PARTS_COLOR4] = 1.2,    [PARTS_COLOR8] = 1,   [PARTS_ANY4] = 1.5,     [PARTS_ANY8] = 1,
        [PARTS_BY_COLOR] = 2,    [PARTS_GROUND4] = 3,  [PARTS_ALL4] = 3,       [SOURCE_WHOLE] = 0,
        [SOURCE_NEAR] = 2.5,     [SOURCE_LATTICE] = 1, [SOURCE_GAPS] = 2,      [SOURCE_SQUARES] = 1.5,
        [SOURCE_FRAMED] = 2,     [SOURCE_PLAIN] = 3,   [SOURCE_CORNERS] = 1.5, [SOURCE_UNIT] = 1.5,
        [SOURCE_ALL_COLORS] = 2,
    };
    return source < SOURCES ? costs[source] : 2;
}

double view_cost(int view) {
    static const double cuts[VIEW_CUTS] = {0, 0.5, 1, 3, 1.5, 2, 2.5, 2.5};
    static const double reductions[VIEW_REDUCTIONS] = {0, 1, 2, 1.5, 2, 1, 2, 1.5};
    return cuts[view % VIEW_CUTS] + reductions[view / VIEW_CUTS];
}

double prop_cost(int prop) {
    switch (prop) {
    case PROP_SIZE:
    case CROP_FILLED:
    case PROP_COLOR: return 0.5;
    case CROP_COLORS:
    case PROP_COLORS:
    case PROP_AREA:
    case CROP_AREA:
    case CROP_EQUAL:
    case CROP_INDEX:
    case PROP_SAME_SHAPE:
    case PROP_SYMMETRIES:
    case CROP_SYMMETRIES: return 1;
    case PROP_SAME_COLOR:
    case CROP_LIKE:
    case PROP_HEIGHT:
    case PROP_WIDTH:
    case PROP_TOP:
    case PROP_LEFT:
    case CROP_HEIGHT:
    case CROP_WIDTH:
    case CROP_TOP:
    case CROP_LEFT:
    case CROP_PARTS:
    case CROP_COMMON:
    case PROP_HOLES:
    case PROP_CONTAINS: return 1.5;
    case PROP_ROW_RANK:
    case PROP_COLUMN_RANK:
    case PROP_SIZE_RANK:
    case PROP_TOUCHES:
    case PROP_SIZE_PARITY: return 4;
    default: return prop >= CROP_COUNT_OF ? 3 : 2.5;
    }
}

static double choice_cost(const Choice *c) {
    static const double kinds[CHOICES] = {0, 0.5, 1, 3, 2};
    if (c->where < 0) return prop_cost(c->prop) + kinds[c->kind];
    double where = c->where >= CHOICE_NOT ? 2 + prop_cost(c->where - CHOICE_NOT) : 1 + prop_cost(c->where);
    return c->prop == CROP_INDEX ? where : where + 2 + prop_cost(c->prop) + kinds[c->kind];
}

// ---- Rules that fit ----

static bool grid_scaled(Arena *a, ts_grid g, int n, ts_grid *out) {
    if (n < 1 || n * g.height > 30 || n * g.width > 30) return false;
    *out = grid_blank(a, n * g.height, n * g.width, 0);
    for (int k = 0; out->cells && k < out->height * out->width; k++)
        grid_edit(*out)[k] = g.cells[k / out->width / n * g.width + k % out->width / n];
    return out->cells != NULL;
}

bool is_worth_noting(const Select *s, uint32_t mask) {
    int right = __builtin_popcount(mask), demos = s->q->demos;
    return right == demos || (right == demos - 1 && right >= 2);
}

bool note(Select *s, Family family, uint32_t mask, uint64_t answers, double cost) {
    Found *f = s->found, *end = f + s->found_count;
    s->q->tried[ENGINE_select]++;
    while (f < end && (f->answers != answers || f->mask != mask)) f++;
    if (f == end) {
        if (s->found_count == SELECT_MOST_FOUND) return false;
        *f = (Found){.answers = answers, .mask = mask, .cost = INFINITY};
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

void note_lines(Select *s) {
    if (s->step.kind == STEP_SCALED) text_print(&s->text, "O = upscale(x9, %d)\n", s->step.n);
    if (s->step.kind == STEP_TILED)
        text_print(&s->text, "O = tiled(x9, (%d, %d), ((7,),))\n", s->step.n, s->step.m);
    s->current->lines = arena_text(&s->q->arena, s->text.data, s->text.length);
}

static bool step_done(Select *s, ts_grid g, ts_grid *out) {
    static const signed char still[1] = {MOTION_NONE};
    switch (s->step.kind) {
    case STEP_SCALED: return grid_scaled(&s->scratch, g, s->step.n, out);
    case STEP_TILED: return grid_tiled(&s->scratch, g, s->step.n, s->step.m, (ts_grid){1, 1, still}, out);
    default: *out = g; return true;
    }
}

bool note_grids(Select *s, Family family, const ts_grid *grids, double cost) {
    const Quest *q = s->q;
    uint32_t mask = 0;
    for (int d = 0; d < q->demos; d++)
        mask |= (uint32_t)(grids[d].height && ts_grid_equal(grids[d], s->targets[d])) << d;
    if (!is_worth_noting(s, mask)) return false;
    uint64_t answers = 1;
    for (int t = q->demos; t < q->samples; t++) {
        ts_grid answer;
        if (!grids[t].height || !step_done(s, grids[t], &answer)) return false;
        answers = hash_mix(answers, grid_hash(answer));
    }
    return note(s, family, mask, answers, cost + (s->step.kind == STEP_NONE ? 0 : 1.5));
}

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
    uint64_t want[32]; // for each demo, the hash of what it starts from; 0 for none
} Last;

enum { SCRATCH_BYTES = 64 << 20 };
enum { MOST_LASTS = 120, MOST_SCALE = 10, MOST_TILES = 6 };

typedef struct {
    int count;
    Last at[MOST_LASTS];
    uint64_t scaled[32][MOST_SCALE + 1]; // of each demo, by each scale
} Lasts;

static bool unscaled(Arena *a, ts_grid g, int k, ts_grid *out) {
    if (g.height % k || g.width % k) return false;
    *out = grid_blank(a, g.height / k, g.width / k, 0);
    if (!out->cells) return false;
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++) {
            int c = g.cells[i * g.width + j];
            if (c != g.cells[(i - i % k) * g.width + j - j % k]) return false;
            grid_edit(*out)[i / k * out->width + j / k] = (signed char)c;
        }
    return true;
}

static void add_moves(const Select *s, Lasts *l) {
    for (int m = MOTION_NONE; m >= 0; m--) {
        Last *last = &l->at[l->count++], *recolored = &l->at[l->count++];
        *last = (Last){.kind = LAST_MOVED, .motion = m, .cost = m == MOTION_NONE ? 0 : 1.5};
        *recolored = (Last){.kind = LAST_RECOLORED, .motion = m, .cost = m == MOTION_NONE ? 1 : 3};
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
            if (unscaled(&q->arena, q->outputs[d], k, &before)) last->want[d] = grid_hash(before), n++;
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
    if (!grid_cut(scratch, y, 0, 0, h, w, &tile)) return false;
    for (int g = 0; g < MOTIONS; g++)
        if (!grid_moved(scratch, tile, g, &moved[g])) return false;
    for (int k = 0; k < n * m; k++) {
        if (!grid_cut(scratch, y, k / m * h, k % m * w, h, w, &tile)) return false;
        for (int g = 0; g < MOTIONS; g++)
            if (bits[k] >> g & 1 && !ts_grid_equal(moved[g], tile)) bits[k] &= ~(1u << g);
        if (!bits[k]) return false;
    }
    return true;
}

// Tiles of n by m; the first one is the piece itself, or the piece moved.
static void add_tiles(Select *s, Lasts *l, int n, int m) {
    Quest *q = s->q;
    unsigned bits[MOST_TILES * MOST_TILES];
    for (int k = 0; k < n * m; k++) bits[k] = (1u << MOTIONS) - 1;
    Last *lasts = &l->at[l->count];
    for (int d = 0; d < q->demos; d++) {
        ts_grid moved[MOTIONS];
        arena_reset(&s->scratch);
        if (!tile_motions(&s->scratch, q->outputs[d], n, m, bits, moved)) return;
        for (int g = 0; g < MOTIONS; g++) lasts[g].want[d] = grid_hash(moved[motion_inverse(g)]);
    }
    ts_grid motions = grid_blank(&q->arena, n, m, MOTION_NONE);
    if (!motions.cells) return;
    bool moves = false;
    for (int k = 0; k < n * m; k++) {
        int motion = bits[k] >> MOTION_NONE & 1 ? MOTION_NONE : __builtin_ctz(bits[k]);
        grid_edit(motions)[k] = (signed char)motion;
        moves |= motion != MOTION_NONE;
    }
    for (int g = 0; g < MOTIONS; g++) {
        lasts[g].kind = LAST_TILED;
        lasts[g].motion = g;
        lasts[g].n = n;
        lasts[g].m = m;
        lasts[g].motions = motions;
        lasts[g].cost = 1.5 + moves + (g == MOTION_NONE ? 0 : 1);
    }
    l->count += MOTIONS;
}

static Lasts *last_steps(Select *s) {
    Lasts *l = arena_alloc(&s->q->arena, sizeof *l);
    if (!l) return NULL;
    memset(l, 0, sizeof *l);
    add_moves(s, l);
    add_scales(s->q, l);
    for (int n = 1; n <= MOST_TILES; n++)
        for (int m = 1; m <= MOST_TILES; m++)
            if (n * m > 1 && l->count + MOTIONS <= MOST_LASTS) add_tiles(s, l, n, m);
    return l;
}

// ---- Choices ----

typedef struct {
    Choice choice;
    double cost;
    int16_t pick[64]; // of each sample; -1 for none
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

static void add_choice(Select *s, const Pieces *p, ChoiceRules *rules, Choice choice) {
    if (rules->count == MOST_CHOICES) return;
    ChoiceRule *r = &rules->at[rules->count];
    *r = (ChoiceRule){.choice = choice, .cost = choice_cost(&choice)};
    bool equals = choice.prop == CROP_EQUAL || choice.kind == CHOICE_COMMON, tied = false;
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

// Values of a property that some piece of each sample has.
int shared_values(Select *s, const Pieces *p, int prop, int *values) {
    int n = 0;
    for (int k = 0; k < p[0].count && n < 8; k++) {
        int v = p[0].props[k * CROPS + prop];
        bool shared = true;
        for (int i = 0; i < n; i++) shared &= values[i] != v;
        for (int d = 1; d < s->q->samples && shared; d++) {
            shared = false;
            for (int l = 0; l < p[d].count && !shared; l++) shared = p[d].props[l * CROPS + prop] == v;
        }
        if (shared) values[n++] = v;
    }
    return n;
}

bool is_condition(int prop) {
    switch (prop) {
    case PROP_COLOR:
    case PROP_BORDER:
    case PROP_HOLES:
    case PROP_RECTANGLE:
    case PROP_SQUARE:
    case PROP_LINE:
    case PROP_MIRROR_H:
    case PROP_MIRROR_V:
    case PROP_SYMMETRIES:
    case PROP_COLORS:
    case PROP_SAME_SHAPE:
    case PROP_SAME_COLOR:
    case PROP_SIZE:
    case PROP_HEIGHT:
    case PROP_WIDTH:
    case PROP_INSIDE:
    case PROP_CONTAINS:
    case PROP_NEIGHBORS:
    case CROP_COLORS:
    case PROP_SIZE_RANK:
    case CROP_COMMON:
    case CROP_MIRROR_H:
    case CROP_MIRROR_V:
    case CROP_MIRROR_D:
    case CROP_SYMMETRIES:
    case CROP_EQUAL:
    case CROP_LIKE:
    case CROP_PARTS:
    case CROP_HEIGHT:
    case CROP_WIDTH: return true;
    default: return prop >= CROP_COUNT_OF;
    }
}

static void add_choices(Select *s, int source, const Pieces *p, ChoiceRules *rules, int where, int equals) {
    for (int prop = 0; prop < CROPS; prop++) {
        if (!prop_fits(source, prop) || prop == where) continue;
        for (int kind = 0; kind < (where < 0 ? CHOICES : CHOICE_ONLY); kind++) {
            if (kind == CHOICE_ONLY && (prop == CROP_INDEX || prop == CROP_EQUAL)) continue;
            add_choice(s, p, rules, (Choice){where, equals, prop, kind});
        }
    }
}

static bool choices_of(Select *s, int source, const Pieces *p, ChoiceRules *rules) {
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
        for (int where = 0; where < CROPS; where++) {
            if (!prop_fits(source, where) || !is_condition(where)) continue;
            int n = shared_values(s, p, where, values);
            for (int k = 0; k < n; k++) {
                if (wide) add_choices(s, source, p, rules, where, values[k]);
                else add_choice(s, p, rules, (Choice){where, values[k], CROP_INDEX, CHOICE_LEAST});
                if (!quest_spend(s->q, 2000)) return false;
            }
        }
    return true;
}

// ---- Pieces that fit ----

typedef struct {
    const Last *last;
    uint8_t fits[32][PIECES_MOST]; // of each demo and piece: whether, or by which factor
} Fit;

// Which colour becomes which, 10 for none yet. False where it takes more than that.
static bool learn_colors(ts_grid from, ts_grid to, int8_t table[10]) {
    if (from.height != to.height || from.width != to.width) return false;
    for (int k = 0; k < from.height * from.width; k++) {
        int c = from.cells[k];
        if (c < 0 || c > 9) return false;
        if (table[c] == 10) table[c] = to.cells[k];
        else if (table[c] != to.cells[k]) return false;
    }
    return true;
}

static bool is_tiled(ts_grid tile, ts_grid y) {
    if (y.height % tile.height || y.width % tile.width) return false;
    for (int i = 0; i < y.height; i++)
        for (int j = 0; j < y.width; j++)
            if (y.cells[i * y.width + j] != tile.cells[i % tile.height * tile.width + j % tile.width])
                return false;
    return true;
}

// The one colour, plus one, that all of a piece but the background gets; 0 where there is none.
static int painted(ts_grid piece, int ground, ts_grid y) {
    int color = -1;
    if (piece.height != y.height || piece.width != y.width) return 0;
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
    if (second < 0 || !grid_cut(a, piece, 0, 0, piece.height, piece.width, out)) return false;
    for (int k = 0; k < piece.height * piece.width; k++)
        grid_edit(*out)[k] = (signed char)(piece.cells[k] == first ? second : first);
    return true;
}

static bool is_swapped(Select *s, ts_grid piece, ts_grid y) {
    ts_grid swapped;
    if (piece.height != y.height || piece.width != y.width) return false;
    arena_reset(&s->scratch);
    return swap_colors(&s->scratch, piece, &swapped) && ts_grid_equal(swapped, y);
}

static int fits(Select *s, const Lasts *l, const Last *last, int demo, ts_grid piece, int ground,
                uint64_t hash) {
    int8_t table[10];
    switch (last->kind) {
    case LAST_RECOLORED:
        memset(table, 10, sizeof table);
        return learn_colors(piece, s->before[last->motion][demo], table);
    case LAST_SCALED_BY:
        for (int k = 1; k <= MOST_SCALE; k++)
            if (l->scaled[demo][k] == hash) return k;
        return 0;
    case LAST_TILED_BY: return is_tiled(piece, s->q->outputs[demo]);
    case LAST_PAINTED: return painted(piece, ground, s->q->outputs[demo]);
    case LAST_SWAPPED: return is_swapped(s, piece, s->q->outputs[demo]);
    default: return last->want[demo] == hash;
    }
}

// The pieces that fit after a last step. False where too few demos have one.
static bool find_fit(Select *s, const Lasts *l, const Last *last, const Pieces *p, ts_grid **views,
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
    Select *s;
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

static void print_colors(Text *t, const int8_t colors[10]) {
    int last = 9, from = 1, x = 2;
    while (last > 0 && (colors[last] == 10 || colors[last] == last)) last--;
    for (int c = 0; c <= last; c++) {
        if (colors[c] == 10 || colors[c] == c) continue;
        text_print(t, "x%d = ofcolor(x1, %d)\n", x, c);
        if (c == last) text_print(t, "O = fill(x%d, %d, x%d)\n", from, colors[c], x);
        else text_print(t, "x%d = fill(x%d, %d, x%d)\n", x + 1, from, colors[c], x);
        from = x + 1;
        x += 2;
    }
}

static void print_try(const Try *y) {
    Text *t = &y->s->text;
    const Last *last = y->fit->last;
    bool plain = last->kind == LAST_MOVED && last->motion == MOTION_NONE;
    print_choice(t, plain ? "O" : "x1", y->source, y->view, &y->rule->choice);
    switch (last->kind) {
    case LAST_MOVED:
        if (!plain) text_print(t, "O = mir_rot_t(x1, %d)\n", last->motion);
        break;
    case LAST_SCALED: text_print(t, "O = upscale(x1, %d)\n", last->n); break;
    case LAST_TILED:
        if (last->motion != MOTION_NONE) text_print(t, "x2 = mir_rot_t(x1, %d)\n", last->motion);
        text_print(t, "O = tiled(%s, (%d, %d), ", last->motion != MOTION_NONE ? "x2" : "x1", last->n,
                   last->m);
        quest_print_grid(t, last->motions);
        text_add(t, ")\n");
        break;
    case LAST_RECOLORED:
        if (last->motion != MOTION_NONE) {
            text_clear(t);
            print_choice(t, "x0", y->source, y->view, &y->rule->choice);
            text_print(t, "x1 = mir_rot_t(x0, %d)\n", last->motion);
        }
        print_colors(t, y->colors);
        break;
    case LAST_SCALED_BY:
        text_add(t, "x2 = ");
        print_measure(t, y->by[0]);
        text_add(t, "\nO = upscale(x1, x2)\n");
        break;
    case LAST_TILED_BY:
        for (int k = 0; k < 2; k++) {
            text_print(t, "x%d = ", k + 2);
            print_measure(t, y->by[k]);
            text_char(t, '\n');
        }
        text_add(t, "x4 = astuple(x2, x3)\nO = tiled(x1, x4, ((7,),))\n");
        break;
    case LAST_PAINTED:
        text_add(t, "x2 = ");
        print_measure(t, y->by[0]);
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
    memset(y->colors, 10, sizeof y->colors);
    for (int d = 0; d < q->demos; d++)
        if (y->mask >> d & 1 &&
            !learn_colors(y->views[d][y->rule->pick[d]], y->s->before[y->fit->last->motion][d], y->colors))
            return false;
    for (int c = 0; c < 10; c++) changes += y->colors[c] != 10 && y->colors[c] != c;
    y->cost += changes;
    for (int k = q->demos; k < q->samples; k++) {
        ts_grid g = y->views[k][y->rule->pick[k]];
        bool unknown = false;
        for (int i = 0; i < g.height * g.width; i++) unknown |= y->colors[(unsigned)g.cells[i] % 10] == 10;
        if (unknown) y->cost += 1.5;
    }
    return changes > 0;
}

// Factors must vary over the demos (else they are no factors to be measured), and be measured by something.
static bool learn_factors(Try *y) {
    const Quest *q = y->s->q;
    int factors[2][32], varies[2] = {0, 0}, two = y->fit->last->kind == LAST_TILED_BY;
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
        if (!(y->by[k] = measure_of(y->s, factors[k]))) return false;
        y->cost += y->by[k]->cost;
    }
    return true;
}

static bool try_answer(Try *y, int sample, ts_grid *out) {
    Arena *a = &y->s->scratch;
    ts_grid g = y->views[sample][y->rule->pick[sample]];
    const Last *last = y->fit->last;
    static const signed char still[1] = {MOTION_NONE};
    int n = last->n, m = last->m;
    if (!g.height) return false;
    switch (last->kind) {
    case LAST_MOVED: return grid_moved(a, g, last->motion, out);
    case LAST_SCALED_BY: n = y->by[0]->values[sample]; // fall through
    case LAST_SCALED: return grid_scaled(a, g, n, out);
    case LAST_TILED: return grid_moved(a, g, last->motion, &g) && grid_tiled(a, g, n, m, last->motions, out);
    case LAST_TILED_BY:
        n = y->by[0]->values[sample], m = y->by[1]->values[sample];
        return grid_tiled(a, g, n, m, (ts_grid){1, 1, still}, out);
    case LAST_PAINTED:
        if (!grid_cut(a, g, 0, 0, g.height, g.width, out)) return false;
        for (int k = 0; k < g.height * g.width; k++)
            if (g.cells[k] != y->p[0].ground) grid_edit(*out)[k] = (signed char)y->by[0]->values[sample];
        return true;
    case LAST_SWAPPED: return swap_colors(a, g, out);
    case LAST_RECOLORED:
        if (!grid_moved(a, g, last->motion, &g) || !grid_cut(a, g, 0, 0, g.height, g.width, out))
            return false;
        for (int k = 0; k < out->height * out->width; k++) {
            int c = y->colors[(unsigned)out->cells[k] % 10];
            if (c != 10) grid_edit(*out)[k] = (signed char)c;
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
    if (!is_worth_noting(y->s, y->mask)) return;
    y->cost = source_cost(y->source) + view_cost(y->view) + last->cost + y->rule->cost;
    if (y->source == SOURCE_WHOLE) y->cost -= y->rule->cost; // there is nothing to choose
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
    if (!note(y->s, FAMILY_CHOOSE, y->mask, answers, y->cost)) return;
    print_try(y);
    note_lines(y->s);
}

// ---- All sources and views ----

static bool views_of(Select *s, const Pieces *p, int view, ts_grid **views, uint64_t **hashes) {
    arena_reset(&s->views);
    for (int k = 0; k < s->q->samples; k++) {
        for (int i = 0; i < p[k].count; i++) {
            ts_grid *g = &views[k][i];
            if (!piece_view(&s->views, &p[k], i, view, g)) *g = (ts_grid){0};
            hashes[k][i] = g->height ? grid_hash(*g) : 0;
        }
        if (!quest_spend(s->q, 100 * p[k].count)) return false;
    }
    return true;
}

static bool choose_from(Select *s, const Lasts *l, int source, const Pieces *p, ChoiceRules *rules,
                        ts_grid **views, uint64_t **hashes, Fit *fit) {
    static const uint8_t cuts[][2] = {
        {VIEW_BOX, VIEW_FULL},       {VIEW_BOX, VIEW_TRIM},     {VIEW_BOX, VIEW_MERGE},
        {VIEW_BOX, VIEW_SHRINK},     {VIEW_BOX, VIEW_SIFT},     {VIEW_BOX, VIEW_DOT},
        {VIEW_ALONE, VIEW_FULL},     {VIEW_ALONE, VIEW_MERGE},  {VIEW_ALONE, VIEW_SHRINK},
        {VIEW_INNER, VIEW_FULL},     {VIEW_INNER, VIEW_TRIM},   {VIEW_INNER, VIEW_SHRINK},
        {VIEW_INNER, VIEW_DOT},      {VIEW_WIDER, VIEW_FULL},   {VIEW_CONTENT, VIEW_FULL},
        {VIEW_CONTENT, VIEW_SHRINK}, {VIEW_QUARTER, VIEW_FULL}, {VIEW_TOP, VIEW_FULL},
        {VIEW_SIDE, VIEW_FULL},      {VIEW_BOX, VIEW_PLAIN},    {VIEW_ALONE, VIEW_PLAIN},
        {VIEW_CONTENT, VIEW_DOT},    {VIEW_BOX, VIEW_BAR},
    };
    rules->count = 0;
    for (size_t v = 0; v < sizeof cuts / sizeof *cuts; v++) {
        int view = cuts[v][0] + VIEW_CUTS * cuts[v][1];
        if (!views_of(s, p, view, views, hashes)) return false;
        for (int k = 0; k < l->count; k++) {
            if (!find_fit(s, l, &l->at[k], p, views, hashes, fit)) continue;
            if (!rules->count && !choices_of(s, source, p, rules)) return false;
            Try y = {.s = s, .source = source, .view = view, .p = p, .views = views, .fit = fit};
            for (int r = 0; r < rules->count; r++) {
                y.rule = &rules->at[r];
                try_rule(&y);
            }
            if (!quest_spend(s->q, 20 * rules->count)) return false;
        }
    }
    return true;
}

bool select_choose(Select *s) {
    Arena *a = &s->q->arena;
    const Lasts *l = last_steps(s);
    ChoiceRules rules = {0};
    Fit *fit = arena_alloc(a, sizeof *fit);
    ts_grid *views[64];
    uint64_t *hashes[64];
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

// ---- The engine ----

// Sources that have pieces in all samples, with their properties.
static bool find_pieces(Select *s) {
    Quest *q = s->q;
    for (int source = 0; source < SOURCES; source++) s->sources[s->source_count++] = source;
    static const int tiles[][2] = {{1, 2}, {2, 1}, {2, 2}, {1, 3}, {3, 1}, {3, 3}, {1, 4}, {4, 1}};
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles; k++)
        s->sources[s->source_count++] = SOURCE_TILES + 30 * tiles[k][0] + tiles[k][1];
    ts_grid y = q->outputs[0];
    int as_output = SOURCE_TILES + 30 * y.height + y.width;
    bool known = false;
    for (int k = 0; k < s->source_count; k++) known |= s->sources[k] == as_output;
    if (!known && y.height < 30 && y.width < 30) s->sources[s->source_count++] = as_output;
    if (y.height < 30 && y.width < 30) s->sources[s->source_count++] = SOURCE_SIZED + 30 * y.height + y.width;
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
            if (!quest_spend(q, 1000 * p[i].count)) return false;
        }
        s->pieces[k] = any ? p : NULL;
    }
    return true;
}

// How far rules that fit all demos are borne out: what they are worth beside those that fit all but one,
// where that is most.
static double evidence(const Select *s) {
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

static int bucket(double share) { return share > 0.9 ? 3 : share > 0.6 ? 2 : share > 0.3 ? 1 : 0; }

static void offer_all(Select *s) {
    double all = 0, proof = evidence(s);
    for (int k = 0; k < s->found_count; k++)
        if (s->found[k].mask == all_demos(s)) all += s->found[k].worth;
    for (int n = 0; n < 6; n++) {
        Found *best = NULL;
        for (int k = 0; k < s->found_count; k++) {
            Found *f = &s->found[k];
            bool fits = f->mask == all_demos(s);
            if (!f->lines || (!fits && (all > 0 || n > 1))) continue;
            if (!best || f->worth > best->worth) best = f;
        }
        if (!best) return;
        double agreement = all > 0 ? best->worth / all : 0;
        quest_offer(s->q, ENGINE_select,
                    (int)best->family * 8 + bucket(proof * agreement) * 2 + (best->cost < 5), best->lines);
        best->lines = NULL;
    }
}

static bool move_back(Select *s) {
    for (int m = 0; m < MOTIONS; m++)
        for (int d = 0; d < s->q->demos; d++) {
            if (!grid_moved(&s->q->arena, s->q->outputs[d], motion_inverse(m), &s->before[m][d]))
                return false;
            s->before_hash[m][d] = grid_hash(s->before[m][d]);
        }
    return true;
}

// The steps: none, scaled by 2 to 6, tiled by 1 to 3 each way.
enum { STEPS = 1 + 5 + 8 };

static bool before_step(Select *s, ts_grid y, ts_grid *out) {
    if (s->step.kind == STEP_SCALED) return unscaled(&s->q->arena, y, s->step.n, out);
    int n = s->step.n, m = s->step.m;
    if (y.height % n || y.width % m) return false;
    return grid_cut(&s->q->arena, y, 0, 0, y.height / n, y.width / m, out) && is_tiled(*out, y);
}

// Takes a step back. False where it cannot be taken back for all demos.
static bool set_step(Select *s, int number) {
    int tile = number - 5;
    if (number == 0) s->step = (Step){STEP_NONE, 1, 1};
    else if (tile <= 0) s->step = (Step){STEP_SCALED, number + 1, 1};
    else s->step = (Step){STEP_TILED, tile / 3 + 1, tile % 3 + 1};
    for (int d = 0; d < s->q->demos; d++) {
        if (!before_step(s, s->q->outputs[d], &s->targets[d])) return false;
        for (int m = 0; m < MOTIONS; m++) {
            ts_grid moved;
            if (!grid_moved(&s->q->arena, s->targets[d], motion_inverse(m), &moved)) return false;
            s->target_hash[m][d] = grid_hash(moved);
        }
    }
    return true;
}

bool engine_select(Quest *q) {
    if (q->demos > 31 || q->samples > 63) return true;
    Select *s = arena_alloc(&q->arena, sizeof *s);
    if (!s) return true;
    memset(s, 0, sizeof *s);
    s->q = q;
    arena_init(&s->scratch, SCRATCH_BYTES);
    arena_init(&s->views, SCRATCH_BYTES);
    bool done = move_back(s) && find_pieces(s) && select_choose(s);
    for (int k = 0; done && k < STEPS; k++)
        if (set_step(s, k)) done = select_arrange(s) && select_tables(s) && select_counts(s);
    if (done && set_step(s, 0)) done = select_krons(s);
    offer_all(s);
    arena_free(&s->scratch);
    arena_free(&s->views);
    text_free(&s->text);
    return done;
}
