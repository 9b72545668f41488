// Patches and the target: what may be filled or painted where.
//
// A grid as large as the target (the outputs, or a tile of them that is as large as the inputs) is a
// base; the cells where it differs from the target are what is missing. A patch may be filled where the
// target is of one colour on all of it, an object may be painted where the target agrees with it. So a patch
// is checked once, for all bases, by masks with a bit for each cell of all demos. What covers all that is
// missing is an answer; what covers some of it is a piece, and after each cost pieces are laid together, at
// most three. Where a colour is only wrong on some cells of a patch, it may still do below another patch:
// under the ground of a base (underfill), or under a piece that has all that is missing in its own colour.
// Such a place is a layer.
#include "lines/lines_goal.h"

// ---- Bases ----

static void set_bit(uint64_t *mask, int start, int cell) {
    mask[start + cell / 64] |= (uint64_t)1 << (cell % 64);
}

// An empty mask; NULL where memory is short.
static uint64_t *new_mask(Lines *b) {
    const size_t bytes = (size_t)b->goals->start[b->demos] * sizeof(uint64_t);
    uint64_t *mask = arena_alloc(&b->q->arena, bytes);
    if (mask) memset(mask, 0, bytes);
    return mask;
}

bool patches_begin(Lines *b) {
    Goals *g = b->goals;
    for (int d = 0; d < b->demos; d++) {
        ts_grid out = value_as_grid(g->outputs[d]);
        g->start[d + 1] = g->start[d] + (out.height * out.width + 63) / 64;
    }
    for (int c = 0; c < 10; c++)
        if (!(g->of_color[c] = new_mask(b))) return false;
    for (int d = 0; d < b->demos; d++) {
        ts_grid out = value_as_grid(g->outputs[d]);
        for (int k = 0; k < out.height * out.width; k++)
            if (out.cells[k] >= 0 && out.cells[k] <= 9) set_bit(g->of_color[out.cells[k]], g->start[d], k);
    }
    return (g->mask = new_mask(b)) && (g->covers = new_mask(b));
}

void patches_add_base(Lines *b, const char *text, int cost, const Value *values) {
    Goals *g = b->goals;
    if (g->base_count == BASES_MOST) return;
    Base *base = &g->bases[g->base_count];
    *base = (Base){.text = text, .cost = cost, .missing = new_mask(b)};
    bool under = g->base_count < UNDERFILL_BASES && g->layer_count < LAYERS_MOST;
    GoalLayer *layer = under ? &g->layers[g->layer_count] : NULL;
    if (layer) *layer = (GoalLayer){.base = g->base_count, .within = new_mask(b)};
    if (!base->missing || (layer && !layer->within)) return;
    g->layer_count += under;
    for (int d = 0; d < b->demos; d++) {
        ts_grid in = value_as_grid(values[d]), out = value_as_grid(g->outputs[d]);
        int ground = lines_ground_color(in);
        for (int k = 0; k < in.height * in.width; k++) {
            if (in.cells[k] != out.cells[k]) set_bit(base->missing, g->start[d], k);
            if (layer && in.cells[k] == ground) set_bit(layer->within, g->start[d], k);
        }
    }
    if (g->base_count < PIECE_BASES)
        base->pieces = arena_alloc(&b->q->arena, GOAL_PIECES_MOST * sizeof *base->pieces);
    g->base_count++;
}

// ---- Patches ----

typedef struct {
    bool fills, paints, is_object;
    unsigned layers; // in which it fills: a bit for each
    int8_t color[LINES_MOST_DEMOS], layer_color[LAYERS_MOST][LINES_MOST_DEMOS];
    uint64_t *mask;
} Match;

// The colour of the target on all of a part of the mask: -1 for an empty one, -2 for several.
static int color_of(const Goals *g, const uint64_t *mask, const uint64_t *within, int from, int to) {
    for (int k = from; k < to; k++) {
        uint64_t bits = within ? mask[k] & within[k] : mask[k];
        if (!bits) continue;
        int c = 0;
        while (c < 10 && !(g->of_color[c][k] & bits)) c++;
        if (c == 10) return -2;
        for (int w = k; w < to; w++)
            if ((within ? mask[w] & within[w] : mask[w]) & ~g->of_color[c][w]) return -2;
        return c;
    }
    return -1;
}

// Cells of a demo that a patch covers; false where it is no patch.
static bool mask_patch(const Goals *g, int d, Value v, Match *m) {
    ts_grid out = value_as_grid(g->outputs[d]);
    bool words = value_is(v, KIND_CELLS) || value_is(v, KIND_LOCS);
    if (!words && !value_is(v, KIND_TUPLE) && !value_same(v, VALUE_NO_SET)) return false;
    const Obj *o = value_obj(v);
    m->is_object |= value_is(v, KIND_CELLS) || value_is(v, KIND_TUPLE);
    for (uint32_t k = 0; k < o->n; k++) {
        if (!words && !value_is_cell(obj_items(o)[k])) return false;
        uint32_t word = words ? obj_words(o)[k] : value_word(obj_items(o)[k]);
        int i = word_i(word), j = word_j(word);
        if (i < 0 || j < 0 || i >= out.height || j >= out.width) continue;
        int cell = i * out.width + j;
        set_bit(m->mask, g->start[d], cell);
        if (m->paints && m->is_object && out.cells[cell] != word_v(word)) m->paints = false;
    }
    return true;
}

// Whether a patch may be filled or painted on this demo; narrows what it may be on all of them.
static bool match_demo(const Goals *g, int d, Value v, Match *m) {
    int from = g->start[d], to = g->start[d + 1];
    memset(m->mask + from, 0, (size_t)(to - from) * sizeof *m->mask);
    if (!mask_patch(g, d, v, m)) return false;
    int color = color_of(g, m->mask, NULL, from, to);
    m->color[d] = (int8_t)color;
    if (color == -2) m->fills = false;
    for (unsigned left = m->layers; left; left &= left - 1) {
        int k = __builtin_ctz(left), under = color_of(g, m->mask, g->layers[k].within, from, to);
        m->layer_color[k][d] = (int8_t)under;
        if (under == -2) m->layers &= ~(1u << k);
    }
    return m->fills || m->layers || (m->paints && m->is_object);
}

static bool same_words(const uint64_t *x, const uint64_t *y, int n) {
    return !memcmp(x, y, (size_t)n * sizeof *x);
}

// A piece that has all that is missing of a base in its colour opens a layer below it.
static void add_layer(Lines *b, int base, const GoalPiece *piece, const GoalLayer *under,
                      const int8_t *colors, const uint64_t *mask) {
    Goals *g = b->goals;
    if (g->layer_count == LAYERS_MOST || !colors || (under && !under->above)) return;
    for (int d = 0; d < b->demos; d++)
        for (int w = g->start[d]; w < g->start[d + 1]; w++) {
            uint64_t own = colors[d] < 0 ? 0 : g->of_color[colors[d]][w];
            uint64_t above = under ? under->covered[w] : 0;
            if (piece->covers[w] != ((g->bases[base].missing[w] & own) | above)) return;
        }
    GoalLayer *layer = &g->layers[g->layer_count];
    *layer = (GoalLayer){
        .base = base, .above = piece->text, .cost = piece->cost, .covered = piece->covers, .is_new = true};
    if (!(layer->within = new_mask(b))) return;
    g->layer_count++;
    for (int w = 0; w < g->start[b->demos]; w++)
        layer->within[w] = (under ? under->within[w] : ~(uint64_t)0) & ~mask[w];
}

// A line that adds a patch to a base: offered where it covers all that is missing, kept where it covers some.
// Without colours it paints. `mask` is all of the patch.
static void meet_base(Lines *b, int base_id, uint32_t entry, const GoalLayer *layer, const int8_t *colors,
                      const uint64_t *covers, const uint64_t *mask) {
    Goals *g = b->goals;
    Base *base = &g->bases[base_id];
    int words = g->start[b->demos];
    uint64_t any = 0;
    for (int k = 0; k < words; k++) any |= covers[k];
    bool all = same_words(covers, base->missing, words);
    if (!any || (!all && (!base->pieces || base->piece_count == GOAL_PIECES_MOST))) return;
    for (int p = 0; p < base->piece_count && !all; p++)
        if (same_words(base->pieces[p].covers, covers, words)) return;
    Text color = {0}, t = {0};
    int cost = colors ? lines_print_color(&color, b, colors) : 0;
    const char *patch = cost >= 0 && !color.failed ? goals_entry_text(b, entry) : NULL;
    if (patch) {
        cost += b->entries[entry].cost + 1;
        if (colors)
            text_print(&t, "%s($, %s, %s)", layer && !layer->above ? "underfill" : "fill", color.data, patch);
        else text_print(&t, "paint($, %s)", patch);
        if (layer && layer->above) goals_wrap(&t, layer->above, NULL);
        if (layer) cost += layer->cost;
        if (all) goals_wrap(&t, NULL, base->text);
    }
    quest_free_text(b->q, &color);
    if (!patch || t.failed) {
        quest_free_text(b->q, &t);
    } else if (all) {
        goals_offer(b, g->target, layer && layer->above ? GOAL_PIECES : GOAL_FILL, cost + base->cost, t.data);
        quest_free_text(b->q, &t);
    } else {
        GoalPiece piece = {.text = goals_keep_text(b, &t), .cost = cost};
        piece.covers = arena_alloc(&b->q->arena, (size_t)words * sizeof *covers);
        if (!piece.text || !piece.covers) return;
        memcpy(piece.covers, covers, (size_t)words * sizeof *covers);
        base->pieces[base->piece_count++] = piece;
        base->news = true;
        add_layer(b, base_id, &piece, layer, colors, mask);
    }
}

// Holds a patch against some layers, and against all bases.
static void meet_patch(Lines *b, uint32_t entry, const Value *values, unsigned layers, bool bases) {
    Goals *g = b->goals;
    Match m = {.fills = bases, .paints = bases, .layers = layers, .mask = g->mask};
    uint64_t *covers = g->covers;
    int words = g->start[b->demos], base_count = bases ? g->base_count : 0;
    for (int d = 0; d < b->demos; d++)
        if (!match_demo(g, d, values[d], &m)) return;
    for (int k = 0; k < base_count; k++) {
        for (int w = 0; w < words; w++) covers[w] = m.mask[w] & g->bases[k].missing[w];
        if (m.paints && m.is_object) meet_base(b, k, entry, NULL, NULL, covers, m.mask);
        if (m.fills) meet_base(b, k, entry, NULL, m.color, covers, m.mask);
    }
    for (; m.layers && !m.fills; m.layers &= m.layers - 1) {
        int k = __builtin_ctz(m.layers);
        const GoalLayer *layer = &g->layers[k];
        for (int w = 0; w < words; w++) {
            covers[w] = m.mask[w] & layer->within[w] & g->bases[layer->base].missing[w];
            if (layer->above) covers[w] |= layer->covered[w];
        }
        if (!layer->above || !same_words(covers, layer->covered, words))
            meet_base(b, layer->base, entry, layer, m.layer_color[k], covers, m.mask);
    }
    b->q->tried[ENGINE_lines] += (uint64_t)base_count;
}

static unsigned all_layers(const Goals *g) { return (1u << g->layer_count) - 1; }

void patches_meet(Lines *b, uint32_t entry, const Value *values) {
    if (b->goals->base_count) meet_patch(b, entry, values, all_layers(b->goals), true);
}

bool patches_hope(const Lines *b, Value first) {
    const Goals *g = b->goals;
    Match m = {.fills = true, .paints = true, .layers = all_layers(g), .mask = g->mask};
    return g->base_count && match_demo(g, 0, first, &m);
}

// ---- Pieces laid together ----

typedef struct {
    Lines *b;
    const Base *base;
    int words, used[4], found;
} Cover;

static bool is_of_use_twice(const Lines *b, const GoalPiece *p) {
    int demos = 0;
    for (int d = 0; d < b->demos; d++) {
        uint64_t any = 0;
        for (int w = b->goals->start[d]; w < b->goals->start[d + 1]; w++) any |= p->covers[w];
        demos += any != 0;
    }
    return demos > 1;
}

static void offer_cover(Cover *c, int n) {
    Text t = {0};
    int cost = c->base->cost;
    text_add(&t, c->base->text);
    for (int k = 0; k < n && !t.failed; k++) {
        const GoalPiece *p = &c->base->pieces[c->used[k]];
        goals_wrap(&t, p->text, NULL);
        cost += p->cost;
        if (!is_of_use_twice(c->b, p)) cost += WEAK_COSTS;
    }
    if (!t.failed) goals_offer(c->b, c->b->goals->target, GOAL_PIECES, cost, t.data);
    quest_free_text(c->b->q, &t);
    c->found++;
}

static void cover(Cover *c, const uint64_t *missing, int n, int most) {
    int word = 0;
    while (word < c->words && !missing[word]) word++;
    if (word == c->words) {
        offer_cover(c, n);
        return;
    }
    if (n == most) return;
    uint64_t bit = missing[word] & -missing[word], left[MASK_WORDS];
    for (int p = 0; p < c->base->piece_count && c->found < 3; p++) {
        const GoalPiece *piece = &c->base->pieces[p];
        if (!(piece->covers[word] & bit)) continue;
        for (int w = 0; w < c->words; w++) left[w] = missing[w] & ~piece->covers[w];
        c->used[n] = p;
        if (!quest_spend(c->b->q, c->words)) return;
        cover(c, left, n + 1, most);
    }
}

// Patches that were there before a layer was.
static void meet_layers(Lines *b) {
    Goals *g = b->goals;
    unsigned layers = 0;
    for (int k = 0; k < g->layer_count; k++) {
        if (g->layers[k].is_new) layers |= 1u << k;
        g->layers[k].is_new = false;
    }
    for (uint32_t e = b->ops; e < b->count && layers; e++) {
        if (b->entries[e].sort != SORT_OBJECT && b->entries[e].sort != SORT_INDICES) continue;
        meet_patch(b, e, lines_values(b, e), layers, false);
        if (!quest_spend(b->q, 100)) return;
    }
}

void patches_compose(Lines *b) {
    Goals *g = b->goals;
    meet_layers(b);
    for (int k = 0; k < g->base_count && k < PIECE_BASES; k++) {
        Base *base = &g->bases[k];
        if (!base->news) continue;
        base->news = false;
        Cover c = {.b = b, .base = base, .words = g->start[b->demos]};
        for (int most = 2; most <= 3 && !c.found; most++) cover(&c, base->missing, 0, most);
    }
}
