// The engine `keys`: colours by a key that is in the grid.
//
// Rules are few enough to be tried one after the other, the simple ones first: which pieces are key and mask
// and how they go together, or how the entries of a table look and what they colour. A rule must have used two
// different entries of its key: one alone is no key. Rules that miss one demo are noted as well: that demo is
// foreseen where the cheapest rule that fits all others is right on it too.
#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "cutout/cutout_engine.h"
#include "key/key.h"
#include "search/quest.h"

enum { SCRATCH_BYTES = 64 << 20, MOST_RULES = 64, MOST_OFFERS = 4 };
enum { MOST_IMAGES = 120, MOST_PICKS = 40, MOST_PIECES = 30 };

// A grid of each sample: a piece that is chosen in the same way.
typedef struct {
    int source, view;
    Choice choice;
    double cost;
    uint64_t hash; // over all samples
    bool is_key;   // has several colours
    ts_grid grids[QUEST_MOST_SAMPLES];
} KeyImage;

typedef struct {
    double cost;
    uint64_t answers;
    // A join, or a form with its use where there is no mask:
    const KeyImage *key, *mask;
    int join;
    KeyForm form;
    KeyUse use;
} KeyRule;

typedef struct {
    Quest *q;
    int image_count, rule_count;
    KeyImage *images[MOST_IMAGES];
    KeyRule rules[MOST_RULES];
    double cheapest;                   // of the rules that are right on all demos
    double without[QUEST_MOST_DEMOS];  // of those that are wrong on this demo alone
    Arena scratch;                     // given back after each rule
} Keys;

// ---- Rules ----

// Notes how many demos a rule missed, and the rule itself where that is none.
static void note(Keys *e, KeyRule *r, int misses, int missed) {
    e->q->tried[ENGINE_keys]++;
    if (misses == 1 && r->cost < e->without[missed]) e->without[missed] = r->cost;
    if (misses) return;
    if (r->cost < e->cheapest) e->cheapest = r->cost;
    for (int k = 0; k < e->rule_count; k++) {
        if (e->rules[k].answers != r->answers) continue;
        if (r->cost < e->rules[k].cost) e->rules[k] = *r;
        return;
    }
    if (e->rule_count < MOST_RULES) e->rules[e->rule_count++] = *r;
}

static void print_image(Text *t, const char *name, const KeyImage *m) {
    text_print(t, "%s = cutout(I, (%d, %d), (%d, %d, %d, %d))\n", name, m->source, m->view, m->choice.where,
               m->choice.equals, m->choice.prop, m->choice.kind);
}

static void print_rule(Text *t, const KeyRule *r) {
    text_clear(t);
    if (!r->mask) {
        text_print(t, "O = key_paint(I, (%d, %d, %d, %d), (%d, %d, %d))\n", r->form.pieces, r->form.entry,
                   r->form.way, r->form.turns, r->use.of, r->use.painted, r->use.rest);
        return;
    }
    print_image(t, "x1", r->key);
    print_image(t, "x2", r->mask);
    text_print(t, "O = key_over(I, x1, x2, %d)\n", r->join);
}

// The class: a join or a table, whether demos are foreseen, and whether it is the first answer.
static void offer_rules(Keys *e) {
    int foreseen = 0;
    for (int d = 0; d < e->q->demos; d++) foreseen += e->cheapest < e->without[d];
    int trust = foreseen == e->q->demos ? 0 : foreseen ? 1 : 2;
    Text t = {0};
    for (int n = 0; n < MOST_OFFERS; n++) {
        KeyRule *best = NULL;
        for (int k = 0; k < e->rule_count; k++)
            if (e->rules[k].cost < (best ? best->cost : 1e9)) best = &e->rules[k];
        if (!best) break;
        print_rule(&t, best);
        int class = (best->mask ? 0 : 12) + 6 * (n > 0) + 2 * trust + (best->cost > 8);
        if (t.data && !t.failed) quest_offer(e->q, ENGINE_keys, class, t.data);
        best->cost = 1e9;
    }
    quest_free_text(e->q, &t);
}

// ---- Images ----

// Pieces that are chosen by these properties, and how they are seen.
static const int image_sources[] = {
    Source_CLUSTERS,     PartsKind_THINGS_DIAGONAL, PartsKind_PARTS_DIAGONAL,    Source_LATTICE,
    Source_BLACK_LATTICE, Source_SQUARE_TILES,      Source_TILES + 30 * 1 + 2, Source_TILES + 30 * 2 + 1,
    Source_FRAMES,       Source_RECTANGLES,         Source_WHOLE};
static const int image_views[] = {PieceView_WHOLE_BOX, PieceView_WHOLE_BOX + Reduction_SHRUNK,
                                  PieceView_WHOLE_BOX + Reduction_MERGED, PieceView_WITHOUT_FRAME,
                                  PieceView_WHOLE_BOX + Reduction_TRIMMED,
                                  PieceView_BY_ITSELF + Reduction_SHRUNK};
static const int image_props[] = {PieceProperty_COLORS_INSIDE, PieceProperty_BOX_AREA,
                                  PieceProperty_FILLED_CELLS,  PieceProperty_INDEX,
                                  PieceProperty_PARTS_INSIDE,  PieceProperty_EQUAL_PIECES};
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

// The pieces of all samples, and those that choices have picked of them.
typedef struct {
    int source, picks;
    Pieces pieces[QUEST_MOST_SAMPLES];
    int16_t picked[MOST_PICKS][QUEST_MOST_SAMPLES];
} KeySource;

// Picks a piece in each sample; false where one has none or several, or where the same are picked already.
static bool pick(const Quest *q, KeySource *s, const Choice *choice) {
    int16_t *picked = s->picked[s->picks];
    for (int k = 0; k < q->samples; k++) {
        int ties, piece = piece_chosen(&s->pieces[k], choice, &ties);
        if (piece < 0 || (ties && choice->prop != PieceProperty_INDEX)) return false;
        picked[k] = (int16_t)piece;
    }
    for (int n = 0; n < s->picks; n++)
        if (!memcmp(s->picked[n], picked, (size_t)q->samples * sizeof *picked)) return false;
    return ++s->picks;
}

// Adds an image: a view of the pieces that were picked last. Nothing where a sample has no such view, or it is
// there already.
static void add_image(Keys *e, const KeySource *s, const Choice *choice, int view) {
    Quest *q = e->q;
    const int16_t *picked = s->picked[s->picks - 1];
    KeyImage *m = arena_alloc(&q->arena, sizeof *m);
    if (!m || e->image_count == MOST_IMAGES) return;
    *m = (KeyImage){.source = s->source, .view = view, .choice = *choice, .hash = 1, .is_key = true};
    m->cost = cutout_source_cost(s->source) + cutout_view_cost(view) + cutout_prop_cost(choice->prop) +
              (choice->where >= 0);
    for (int k = 0; k < q->samples; k++) {
        if (!quest_spend(q, 500) || !piece_view(&q->arena, &s->pieces[k], picked[k], view, &m->grids[k])) return;
        m->hash = hash_mix(m->hash, grid_hash(m->grids[k]));
        m->is_key &= colors_only(colors_in(m->grids[k])) < 0;
    }
    for (int k = 0; k < e->image_count; k++)
        if (e->images[k]->hash == m->hash) return;
    e->images[e->image_count++] = m;
}

static void add_choices(Keys *e, KeySource *s) {
    for (int filled = 0; filled <= 1; filled++)
        for (int p = 0; p < COUNT(image_props) + 10; p++)
            for (int kind = Superlative_MOST; kind <= Superlative_LEAST; kind++) {
                int prop = p < COUNT(image_props) ? image_props[p]
                                                  : PieceProperty_CELLS_OF + p - COUNT(image_props);
                Choice c = {filled ? PieceProperty_FILLED_CELLS + CHOICE_NOT : -1, 0, prop, kind};
                if (s->picks == MOST_PICKS || !quest_spend(e->q, 300)) return;
                if (!pick(e->q, s, &c)) continue;
                for (int v = 0; v < COUNT(image_views); v++) add_image(e, s, &c, image_views[v]);
            }
}

static void add_images(Keys *e) {
    Quest *q = e->q;
    KeySource *s = arena_alloc(&q->arena, sizeof *s);
    for (int n = 0; s && n < COUNT(image_sources); n++) {
        bool any = true;
        s->source = image_sources[n];
        s->picks = 0;
        for (int k = 0; k < q->samples && any; k++) {
            Pieces *p = &s->pieces[k];
            any = quest_spend(q, 10000) && pieces_of(&q->arena, q->inputs[k], s->source, p) && p->count &&
                  p->count <= MOST_PIECES && quest_spend(q, 4000 * p->count) && pieces_props(&q->arena, p);
        }
        if (any) add_choices(e, s);
    }
}

// ---- A key over a mask ----

// The colours of a key that there are in what was made with it.
static unsigned shown(ts_grid key, int ground, ts_grid out) {
    return colors_in(key) & colors_in(out) & ~(1U << ground);
}

// Whether the two go together in all samples and give what is as large as the output, but for one demo.
static bool sizes_fit(const Quest *q, const KeyImage *key, const KeyImage *mask, int join) {
    int misses = 0, h, w;
    for (int k = 0; k < q->samples; k++) {
        bool fits = key_join_size(key->grids[k], mask->grids[k], join, &h, &w);
        if (k < q->demos) fits = fits && h == q->outputs[k].height && w == q->outputs[k].width;
        misses += fits ? 0 : k < q->demos ? 1 : 2;
        if (misses > (q->demos > 2)) return false;
    }
    return true;
}

static void try_join(Keys *e, const KeyImage *key, const KeyImage *mask, int join) {
    Quest *q = e->q;
    int misses = 0, missed = 0;
    unsigned colors = 0;
    KeyRule r = {.key = key, .mask = mask, .join = join, .answers = 1};
    r.cost = key->cost + mask->cost + join / KEY_HOLES;
    arena_reset(&e->scratch);
    for (int k = 0; k < q->samples; k++) {
        ts_grid out;
        int ground = key_ground(q->inputs[k], mask->grids[k]);
        bool done = key_over(&e->scratch, ground, key->grids[k], mask->grids[k], join, &out);
        if (!quest_spend(q, 2000 + (done ? 10 * out.height * out.width : 0))) return;
        if (k >= q->demos) {
            if (!done) return;
            r.answers = hash_mix(r.answers, grid_hash(out));
        } else if (done && ts_grid_equal(out, q->outputs[k])) colors |= shown(key->grids[k], ground, out);
        else if (misses++) return;
        else missed = k;
    }
    if (colors & (colors - 1)) note(e, &r, misses, missed);
}

static void try_joins(Keys *e) {
    for (int k = 0; k < e->image_count; k++)
        for (int m = 0; m < e->image_count && e->images[k]->is_key; m++) {
            if (!quest_spend(e->q, 250)) return;
            for (int join = 0; join < KEY_JOINS; join++) {
                if (k == m || !sizes_fit(e->q, e->images[k], e->images[m], join)) continue;
                try_join(e, e->images[k], e->images[m], join);
                try_join(e, e->images[k], e->images[m], join + KEY_HOLES);
            }
        }
}

// ---- Tables of colours ----

typedef struct {
    KeyForm form;
    double cost;
    KeyTable tables[QUEST_MOST_SAMPLES];
    const Pieces *of; // of each sample without the key
} Tables;

static void try_paint(Keys *e, const Tables *t, const KeyUse *use, double cost) {
    Quest *q = e->q;
    int misses = 0, missed = 0, entries = 0;
    bool seen[100] = {0};
    KeyRule r = {.cost = cost, .answers = 1, .form = t->form, .use = *use};
    arena_reset(&e->scratch);
    for (int k = 0; k < q->samples; k++) {
        ts_grid out, grid = q->inputs[k];
        unsigned used;
        if (!quest_spend(q, 10 * grid.height * grid.width)) return;
        bool done = key_paint(&e->scratch, grid, &t->tables[k], t->of + k, use, &used, &out);
        if (!done && k >= q->demos) return;
        if (k >= q->demos) r.answers = hash_mix(r.answers, grid_hash(out));
        else if (!done || !ts_grid_equal(out, q->outputs[k])) {
            if (misses++) return;
            missed = k;
        } else
            for (int c = 0; c < 10; c++)
                if (used >> c & 1) seen[10 * c + t->tables[k].colors[c]] = true;
    }
    for (int k = 0; k < 100; k++) entries += seen[k];
    if (entries > 1) note(e, &r, misses, missed);
}

static const int use_sources[] = {PartsKind_PARTS_DIAGONAL, PartsKind_COLORS, PartsKind_THINGS_DIAGONAL,
                                  Source_CLUSTERS, Source_FRAMES, Source_LATTICE, PartsKind_PARTS};

static void try_uses(Keys *e, Tables *t) {
    Quest *q = e->q;
    Pieces *of = arena_alloc(&q->arena, (size_t)q->samples * sizeof *of);
    t->of = of;
    for (int s = 0; of && s < COUNT(use_sources) + 1; s++) {
        int source = s ? use_sources[s - 1] : Source_WHOLE;
        bool any = true;
        for (int k = 0; k < q->samples && any; k++)
            any = quest_spend(q, 20 * 900) && pieces_of(&q->arena, t->tables[k].rest, source, &of[k]) && of[k].count;
        for (int painted = s > 0; any && painted < (s ? KeyPainted_GROUND_AROUND + 1 : 1); painted++)
            for (int rest = 0; rest <= KeyRest_REST_ALONE; rest++) {
                KeyUse use = {source, painted, rest};
                try_paint(e, t, &use, t->cost + painted + rest / 2.0 + (s ? cutout_source_cost(source) : 0));
            }
    }
}

// Whether there are entries in all samples, and two different ones in the demos.
static bool read_tables(Keys *e, Pieces *pieces, Tables *t) {
    Quest *q = e->q;
    for (int k = 0; k < q->samples; k++) {
        KeyTable *table = &t->tables[k];
        if (!quest_spend(q, 5000 + 200 * pieces[k].count)) return false;
        if (!key_read(&q->arena, q->inputs[k], &pieces[k], &t->form, table) || !table->count) return false;
    }
    return true;
}

static void try_form(Keys *e, Pieces *pieces, Tables *t, int entry, int way) {
    static const double entry_costs[] = {0, 0, 2, 2};
    double cost = cutout_source_cost(t->form.pieces) + entry_costs[entry] + (way == KeyWay_EACH_FOR_OTHER);
    t->form.entry = entry;
    t->form.way = way;
    t->form.turns = KeyTurns_AT_ONCE;
    if (!read_tables(e, pieces, t)) return;
    for (int turns = 0; turns <= KeyTurns_TO_THE_END; turns++) {
        bool differs = !turns;
        for (int k = 0; k < e->q->samples; k++) {
            int8_t before[10];
            memcpy(before, t->tables[k].colors, sizeof before);
            key_turn(&t->tables[k], turns);
            differs |= memcmp(before, t->tables[k].colors, sizeof before) != 0;
        }
        t->form.turns = turns;
        t->cost = cost + 1.5 * turns;
        if (differs) try_uses(e, t);
    }
}

static void try_tables(Keys *e) {
    static const int sources[] = {PartsKind_THINGS, PartsKind_THINGS_DIAGONAL, Source_CLUSTERS, Source_LATTICE};
    Quest *q = e->q;
    Pieces *pieces = arena_alloc(&q->arena, (size_t)q->samples * sizeof *pieces);
    Tables *t = arena_alloc(&q->arena, sizeof *t);
    for (int s = 0; pieces && t && s < COUNT(sources); s++) {
        bool any = true;
        t->form.pieces = sources[s];
        for (int k = 0; k < q->samples && any; k++)
            any = quest_spend(q, 20 * 900) && pieces_of(&q->arena, q->inputs[k], sources[s], &pieces[k]) &&
                  pieces[k].count;
        for (int entry = 0; any && entry <= KeyEntry_ALONG_LINE; entry++)
            for (int way = 0; way <= KeyWay_EACH_FOR_OTHER; way++) try_form(e, pieces, t, entry, way);
    }
}

// ---- The engine ----

bool engine_keys(Quest *q) {
    Keys *e = arena_alloc(&q->arena, sizeof *e);
    if (!e) return true;
    for (int k = 0; k < q->samples; k++)
        if (!grid_fits(q->inputs[k], GRID_TASK_SIDE)) return true;
    *e = (Keys){.q = q, .cheapest = 1e9};
    for (int d = 0; d < q->demos; d++) e->without[d] = 1e9;
    arena_init(&e->scratch, SCRATCH_BYTES);
    try_tables(e);
    add_images(e);
    try_joins(e);
    offer_rules(e);
    quest_free_arena(q, &e->scratch);
    return q->units > 0;
}
