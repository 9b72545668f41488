// The engine `keys`: colours by a key that is in the grid.
//
// Rules are few enough to be tried one after the other: which pieces are key and mask and how they go
// together, or how the entries of a table look and what they colour. A rule must have used two different
// entries of its key: one alone is no key. Rules that miss one demo are noted as well: that demo is foreseen
// where the cheapest rule that fits all others is right on it too.
#include <string.h>

#include "base/hash.h"
#include "cutout/cutout_engine.h"
#include "key/key.h"
#include "search/quest.h"

enum { SCRATCH_BYTES = 64 << 20, MOST_RULES = 64, MOST_OFFERS = 2 };
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

typedef enum { KEY_JOIN, KEY_TABLE } KeyFamily;
typedef struct {
    double cost;
    uint64_t answers;
    KeyFamily family;
    const KeyImage *key, *mask; // KEY_JOIN
    int join;
    KeyForm form; // KEY_TABLE
    KeyUse use;
    // While it is tried, of each sample:
    const KeyTable *tables;
    const Pieces *pieces;
} KeyRule;

typedef struct {
    Quest *q;
    int image_count, rule_count;
    KeyImage *images[MOST_IMAGES];
    KeyRule rules[MOST_RULES];
    double cheapest;                  // of the rules that are right on all demos
    double without[QUEST_MOST_DEMOS]; // of those that are wrong on this demo alone
    Arena scratch;                    // given back after each rule
} Keys;

// ---- Rules ----

// What a rule gives for a sample. *entries gets a bit for each colour that an entry stood for, and, above
// those, for each that stood for another.
static bool apply(Keys *e, const KeyRule *r, int k, unsigned *entries, ts_grid *out) {
    ts_grid grid = e->q->inputs[k];
    Arena *a = &e->scratch;
    unsigned used;
    *entries = 0;
    if (r->family == KEY_JOIN) {
        ts_grid key = r->key->grids[k], mask = r->mask->grids[k];
        int ground = key_ground(grid, mask);
        if (!key_over(a, ground, key, mask, r->join, out)) return false;
        if (!ts_grid_equal(*out, key) && !ts_grid_equal(*out, mask)) // else that alone is the answer
            *entries = colors_in(key) & colors_in(*out) & ~(1U << ground);
        return true;
    }
    if (!key_paint(a, grid, &r->tables[k], &r->pieces[k], &r->use, &used, out)) return false;
    for (int c = 0; c < 10; c++)
        if (used >> c & 1) *entries |= 1U << r->tables[k].colors[c] | 1U << (10 + c);
    return true;
}

// Keeps a rule that is right on all demos: the cheapest for its answers.
static void keep(Keys *e, const KeyRule *r) {
    if (r->cost < e->cheapest) e->cheapest = r->cost;
    for (int k = 0; k < e->rule_count; k++) {
        if (e->rules[k].answers != r->answers) continue;
        if (r->cost < e->rules[k].cost) e->rules[k] = *r;
        return;
    }
    if (e->rule_count < MOST_RULES) e->rules[e->rule_count++] = *r;
}

// Tries a rule on all samples. It must give something for each test, and two entries must have been of use.
static void try_rule(Keys *e, KeyRule r) {
    Quest *q = e->q;
    int misses = 0, missed = 0;
    unsigned entries = 0, used;
    r.answers = 1;
    q->tried[ENGINE_keys]++;
    arena_reset(&e->scratch);
    for (int k = 0; k < q->samples; k++) {
        ts_grid out = {0};
        bool done = apply(e, &r, k, &used, &out);
        if (!quest_spend(q, 300 + 4 * (out.height * out.width + q->inputs[k].height * q->inputs[k].width)))
            return;
        if (k >= q->demos) {
            if (!done) return;
            r.answers = hash_mix(r.answers, grid_hash(out));
        } else if (done && ts_grid_equal(out, q->outputs[k])) entries |= used;
        else if (misses++) return;
        else missed = k;
    }
    unsigned to = entries & 0x3FF, from = entries >> 10;
    if (!(to & (to - 1)) && !(from & (from - 1))) return;
    if (!misses) keep(e, &r);
    else if (r.cost < e->without[missed]) e->without[missed] = r.cost;
}

static void print_image(Text *t, const char *name, const KeyImage *m) {
    text_print(t, "%s = cutout(I, (%d, %d), (%d, %d, %d, %d))\n", name, m->source, m->view, m->choice.where,
               m->choice.equals, m->choice.prop, m->choice.kind);
}

static void print_rule(Text *t, const KeyRule *r) {
    text_clear(t);
    if (r->family == KEY_JOIN) {
        print_image(t, "x1", r->key);
        print_image(t, "x2", r->mask);
        text_print(t, "O = key_over(I, x1, x2, %d)\n", r->join);
    } else
        text_print(t, "O = key_paint(I, (%d, %d, %d, %d), (%d, %d, %d))\n", r->form.pieces, r->form.entry,
                   r->form.way, r->form.turns, r->use.painted, r->use.of, r->use.rest);
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
        int class = (best->family == KEY_JOIN ? 0 : 12) + 6 * (n > 0) + 2 * trust + (best->cost > 8);
        if (t.data && !t.failed) quest_offer(e->q, ENGINE_keys, class, t.data);
        best->cost = 1e9;
    }
    quest_free_text(e->q, &t);
}

// ---- Images ----

// Pieces that are chosen by these properties, and how they are seen.
static const int image_sources[] = {Source_CLUSTERS,
                                    PartsKind_THINGS_DIAGONAL,
                                    PartsKind_PARTS_DIAGONAL,
                                    Source_LATTICE,
                                    Source_BLACK_LATTICE,
                                    Source_SQUARE_TILES,
                                    Source_TILES + 30 * 1 + 2,
                                    Source_TILES + 30 * 2 + 1,
                                    Source_FRAMES,
                                    Source_RECTANGLES,
                                    Source_WHOLE};
static const int image_views[] = {
    PieceView_WHOLE_BOX,     PieceView_WHOLE_BOX + Reduction_SHRUNK,  PieceView_WHOLE_BOX + Reduction_MERGED,
    PieceView_WITHOUT_FRAME, PieceView_WHOLE_BOX + Reduction_TRIMMED, PieceView_BY_ITSELF + Reduction_SHRUNK};
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

// Adds an image: a view of the pieces that were picked last. Nothing where a sample has no such view, or it
// is there already.
static void add_image(Keys *e, const KeySource *s, const Choice *choice, int view) {
    Quest *q = e->q;
    const int16_t *picked = s->picked[s->picks - 1];
    KeyImage *m = arena_alloc(&q->arena, sizeof *m);
    if (!m || e->image_count == MOST_IMAGES) return;
    *m = (KeyImage){.source = s->source, .view = view, .choice = *choice, .hash = 1, .is_key = true};
    m->cost = cutout_source_cost(s->source) + cutout_view_cost(view) + cutout_prop_cost(choice->prop) +
              (choice->where >= 0);
    for (int k = 0; k < q->samples; k++) {
        if (!quest_spend(q, 500) || !piece_view(&q->arena, &s->pieces[k], picked[k], view, &m->grids[k]))
            return;
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
                int prop =
                    p < COUNT(image_props) ? image_props[p] : PieceProperty_CELLS_OF + p - COUNT(image_props);
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
            any = quest_spend(q, 5 * q->inputs[k].height * q->inputs[k].width) &&
                  pieces_of(&q->arena, q->inputs[k], s->source, p) && p->count && p->count <= MOST_PIECES &&
                  quest_spend(q, 2000 * p->count) && pieces_props(&q->arena, p);
        }
        if (any) add_choices(e, s);
    }
}

// ---- A key over a mask ----

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

static void try_joins(Keys *e) {
    for (int k = 0; k < e->image_count; k++)
        for (int m = 0; m < e->image_count && e->images[k]->is_key; m++) {
            if (!quest_spend(e->q, 250)) return;
            for (int join = 0; join < KEY_JOINS; join++) {
                if (k == m || !sizes_fit(e->q, e->images[k], e->images[m], join)) continue;
                try_rule(e, (KeyRule){.family = KEY_JOIN,
                                      .key = e->images[k],
                                      .mask = e->images[m],
                                      .join = join,
                                      .cost = e->images[k]->cost + e->images[m]->cost});
            }
        }
}

// ---- Tables of colours ----

static const int use_sources[] = {
    Source_WHOLE,  PartsKind_PARTS_DIAGONAL, PartsKind_COLORS, PartsKind_THINGS_DIAGONAL, Source_CLUSTERS,
    Source_FRAMES, Source_LATTICE,           PartsKind_PARTS};

// The pieces of a source in a grid of each sample; false where one has none.
static bool find_pieces(Quest *q, int source, const ts_grid *grids, Pieces *pieces) {
    for (int k = 0; k < q->samples; k++)
        if (!quest_spend(q, 20 * grids[k].height * grids[k].width) ||
            !pieces_of(&q->arena, grids[k], source, &pieces[k]) || !pieces[k].count)
            return false;
    return true;
}

// Tries all uses of the tables of a form.
static void try_uses(Keys *e, const KeyForm *form, const KeyTable *tables, double cost) {
    Quest *q = e->q;
    ts_grid rest[QUEST_MOST_SAMPLES];
    Pieces *pieces = arena_alloc(&q->arena, (size_t)q->samples * sizeof *pieces);
    for (int k = 0; k < q->samples; k++) rest[k] = tables[k].rest;
    for (int s = 0; pieces && s < COUNT(use_sources); s++) {
        bool cells = use_sources[s] == Source_WHOLE;
        if (!find_pieces(q, use_sources[s], rest, pieces)) continue;
        for (int painted = !cells; painted <= (cells ? 0 : KeyPainted_OTHERS_IN_BOX); painted++)
            for (int left = 0; left <= KeyRest_REST_ALONE; left++)
                try_rule(e,
                         (KeyRule){.family = KEY_TABLE,
                                   .form = *form,
                                   .use = {painted, use_sources[s], left},
                                   .tables = tables,
                                   .pieces = pieces,
                                   .cost = cost + cutout_source_cost(use_sources[s]) + painted + left / 2.0});
    }
}

// Tries a form, looked up in each way that makes a difference.
static void try_form(Keys *e, const Pieces *pieces, KeyForm form, KeyTable *tables) {
    Quest *q = e->q;
    double cost = cutout_source_cost(form.pieces) + (form.way == KeyWay_EACH_FOR_OTHER);
    for (int k = 0; k < q->samples; k++)
        if (!quest_spend(q, 1000 + 200 * pieces[k].count) ||
            !key_read(&q->arena, q->inputs[k], &pieces[k], &form, &tables[k]) || !tables[k].count)
            return;
    for (; form.turns <= KeyTurns_TO_THE_END; form.turns++) {
        bool differs = !form.turns;
        for (int k = 0; k < q->samples; k++) {
            int8_t before[10];
            memcpy(before, tables[k].colors, sizeof before);
            key_turn(&tables[k], form.turns);
            differs |= memcmp(before, tables[k].colors, sizeof before) != 0;
        }
        if (differs) try_uses(e, &form, tables, cost + 1.5 * form.turns);
    }
}

static void try_tables(Keys *e) {
    static const int sources[] = {PartsKind_THINGS, PartsKind_THINGS_DIAGONAL, Source_CLUSTERS,
                                  Source_LATTICE};
    Quest *q = e->q;
    Pieces *pieces = arena_alloc(&q->arena, (size_t)q->samples * sizeof *pieces);
    KeyTable *tables = arena_alloc(&q->arena, (size_t)q->samples * sizeof *tables);
    for (int s = 0; pieces && tables && s < COUNT(sources); s++) {
        if (!find_pieces(q, sources[s], q->inputs, pieces)) continue;
        for (int entry = 0; entry <= KeyEntry_TOP_TO_BOTTOM; entry++)
            for (int way = 0; way <= KeyWay_EACH_FOR_OTHER; way++)
                try_form(e, pieces, (KeyForm){sources[s], entry, way, KeyTurns_AT_ONCE}, tables);
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
    quest_arena(q, &e->scratch, SCRATCH_BYTES);
    try_tables(e);
    add_images(e);
    try_joins(e);
    offer_rules(e);
    quest_free_arena(q, &e->scratch);
    return q->units > 0;
}
