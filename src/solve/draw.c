// The engine that draws for each part of the input: rays, boxes, rings, copies, stamps; up to four pieces of
// it, one upon the other.
//
//   view     one way of seeing all samples' inputs, with the parts of all of them numbered through, and the
//            selectors that tell these parts apart, each as a set of parts
//   list     what one patch draws for each part of a view: places, numbered through over all samples
//   piece    a drawing (selector, patch, paint, layer) that draws nothing wrong on any demo
//   group    pieces that put the same demo cells right; where they differ on the tests they vote
//
// Which colours a part's patch may have is the meet of what the demos' outputs allow over its places; so the
// parts that a paint is right for are a set, and a selector is valid where its set lies within. That is a few
// words for each of some ten thousand (patch, paint, selector).
//
// A cover is found from the top: first a piece that is right wherever it draws; what lies under it may be
// anything, so that the next one, which is drawn before it, may be wrong there.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "rule/draw.h"
#include "solve/quest.h"

enum {
    MOST_PIECES = 4,
    MOST_CHOICES = 500,
    MOST_LISTS = 700,
    MOST_COMBOS = 1600,
    MOST_PARTS = 1024, // of all samples
    MOST_CELLS = 60000,
    MOST_GROUPS = 2048,
    MOST_OUTCOMES = 4,
    MOST_SOLUTIONS = 24,
    MOST_STATES = 64,
    ANY_COLOR = 0x3FF,
};

typedef struct {
    Selector selector;
    int cost; // in tenths of a bit
} Choice;

typedef struct {
    Patch patch;
    int cost;
    bool brings_colors;
    uint32_t *start; // of each part's places, and one more
    uint16_t *at;
    int8_t *color;
    uint16_t *allowed[LAYERS]; // colours, for each part
    uint64_t *useful[LAYERS];  // parts that put something right
    uint64_t hash;
} List;

typedef struct {
    Patch patch;
    int cost, count;
    int16_t lists[8]; // one for each direction
} Combo;

typedef struct {
    PartsKind kind;
    Scene *scenes;
    int *first; // of each sample's parts, and one more
    int parts, words;
    Choice *choices;
    uint64_t *chosen;  // for each choice
    uint64_t *targets; // parts of samples that are not learnt from
    int choice_count;
    List *lists;
    Combo *combos;
    int list_count, combo_count;
    Paint paints[24];
    int8_t *paint_colors[24];
    int paint_costs[24];
    int paint_count;
} View;

typedef struct {
    const View *view;
    const Choice *choice;
    const Combo *combo;
    Paint paint;
    Layer layer;
    int cost;
} Piece;

typedef struct {
    uint64_t hash;
    double weight;
    Piece best;
} Outcome;

typedef struct {
    uint64_t hash;
    int gain;
    unsigned demos; // a bit for each that it helps
    int outcome_count;
    Outcome outcomes[MOST_OUTCOMES];
} Group;

typedef struct {
    int count;
    Piece pieces[MOST_PIECES];
    const Group *groups[MOST_PIECES];
    int wrong; // demo cells left
    int cost, number;
    bool blank;
} Path;

typedef struct {
    Quest *q;
    int cells, demo_cells;
    int *offset;           // of each sample's cells
    const int8_t *input;   // of all samples
    int8_t *ground;        // of each sample
    int8_t *output, *base; // of the demos; of all
    bool learns[64];       // from this demo
    uint16_t *allowed;     // colours, for each cell
    uint8_t *wrong;
    int8_t *scratch;
    uint64_t *mask;
    View views[PARTS_KINDS];
    int view_count;
    Group *groups[MOST_PIECES];
    int beams[MOST_PIECES];
    Path path, solutions[MOST_SOLUTIONS], partial;
    int solution_count;
    uint64_t states[MOST_STATES]; // hashes of what was left to do, where that was explored
    int state_count;
    bool over; // the units are spent
} Draw;

#define TAKE(q, type, n) ((type *)arena_alloc(&(q)->arena, (size_t)(n) * sizeof(type) + 1))

// ---- Views ----

static void choose(const View *v, int samples, const Selector *s, uint64_t *set) {
    bool chosen[SCENE_MOST_PARTS];
    memset(set, 0, (size_t)v->words * sizeof *set);
    for (int k = 0; k < samples; k++) {
        selector_apply(s, v->scenes[k].parts.count, v->scenes[k].props, chosen);
        for (int n = 0; n < v->scenes[k].parts.count; n++)
            if (chosen[n]) set[(v->first[k] + n) / 64] |= 1ULL << (v->first[k] + n) % 64;
    }
}

static bool any_below(const uint64_t *set, int n) {
    for (int k = 0; k < n / 64; k++)
        if (set[k]) return true;
    return n % 64 && set[n / 64] & ((1ULL << n % 64) - 1);
}

// Keeps a selector unless a cheaper one takes the same parts. Those that take no part of a demo are of no
// use.
static void add_choice(Draw *d, View *v, const Selector *s, int cost) {
    uint64_t *set = v->chosen + (size_t)v->choice_count * (size_t)v->words;
    choose(v, d->q->samples, s, set);
    quest_spend(d->q, 10 + 4 * v->parts);
    if (!any_below(set, v->first[d->q->demos])) return;
    size_t bytes = (size_t)v->words * sizeof *set;
    for (int k = 0; k < v->choice_count; k++)
        if (memcmp(v->chosen + (size_t)k * (size_t)v->words, set, bytes) == 0) {
            if (cost < v->choices[k].cost) v->choices[k] = (Choice){*s, cost};
            return;
        }
    v->choices[v->choice_count++] = (Choice){*s, cost};
}

static bool find_choices(Draw *d, View *v) {
    Quest *q = d->q;
    v->choices = TAKE(q, Choice, MOST_CHOICES + 1);
    v->targets = TAKE(q, uint64_t, v->words);
    v->chosen = TAKE(q, uint64_t, (MOST_CHOICES + 1) * v->words);
    Costed *conditions = TAKE(q, Costed, CONDITIONS_MOST);
    int *parts = TAKE(q, int, q->samples);
    const int **props = TAKE(q, const int *, q->samples);
    if (!v->choices || !v->chosen || !v->targets || !conditions || !parts || !props) return false;
    for (int k = 0; k < q->samples; k++) parts[k] = v->scenes[k].parts.count, props[k] = v->scenes[k].props;
    int n = conditions_for(q->demos, parts, props, conditions);
    Selector s = {0};
    add_choice(d, v, &s, 0);
    s.count = 1;
    for (int k = 0; k < n && v->choice_count < MOST_CHOICES; k++) {
        s.at[0] = conditions[k].condition;
        add_choice(d, v, &s, conditions[k].cost);
    }
    int singles = v->choice_count;
    s.count = 2;
    for (int k = 1; k < singles; k++)
        for (int l = 1; l < singles; l++) {
            int cost = v->choices[k].cost + v->choices[l].cost + 5;
            if (cost > 32 || k == l || v->choice_count == MOST_CHOICES) continue;
            s.at[0] = v->choices[k].selector.at[0];
            s.at[1] = v->choices[l].selector.at[0];
            add_choice(d, v, &s, cost);
        }
    return true;
}

// ---- Patches ----

static void add_patch(View *v, int cost, Patch p) {
    if (v->list_count == MOST_LISTS || v->combo_count == MOST_COMBOS) return;
    v->combos[v->combo_count] =
        (Combo){.patch = p, .cost = cost, .count = 1, .lists = {(int16_t)v->list_count}};
    v->combo_count++;
    v->lists[v->list_count++] = (List){.patch = p, .cost = cost};
}

// A patch for each single direction, and for the sets of directions that are to be expected.
static void add_directed(View *v, int cost, Patch p, unsigned among) {
    static const uint8_t sets[] = {1,  2,    4,    8,    16,   32,   64,   128,  5,   10,
                                   15, 0x50, 0xA0, 0xF0, 0xFF, 0x30, 0x60, 0xC0, 0x90};
    if (v->list_count + 8 > MOST_LISTS) return;
    int16_t lists[8] = {0};
    for (int k = 0; k < 8; k++) {
        if (!(among >> k & 1)) continue;
        lists[k] = (int16_t)v->list_count;
        v->lists[v->list_count++] = (List){.patch = p, .cost = cost};
        v->lists[lists[k]].patch.a = (int16_t)(1 << k);
    }
    for (size_t k = 0; k < sizeof sets; k++) {
        if ((sets[k] & ~among) || v->combo_count == MOST_COMBOS) continue;
        Combo *c = &v->combos[v->combo_count++];
        *c = (Combo){.patch = p, .cost = cost + (k < 8 ? 10 : 12)};
        c->patch.a = sets[k];
        for (int m = 0; m < 8; m++)
            if (sets[k] >> m & 1) c->lists[c->count++] = lists[m];
    }
}

static void add_rays(View *v, unsigned colors) {
    for (int from = 0; from < 3; from++) {
        unsigned among = from == 0 ? 0xFF : from == 1 ? 0xF : 0xF0;
        int cost = 5 + 5 * from;
        for (int stop = STOP_WALL; stop <= STOP_ONLY_OTHER; stop++)
            add_directed(v, cost + 3 * stop, (Patch){PATCH_RAY, 0, (int16_t)from, (int16_t)stop, DASH_NONE},
                         among);
        if (from == 2) continue;
        for (int c = 0; c < 10; c++)
            for (int kind = STOP_COLOR; (colors >> c & 1) && kind <= STOP_THROUGH_COLOR; kind += 10)
                add_directed(v, cost + 20,
                             (Patch){PATCH_RAY, 0, (int16_t)from, (int16_t)(kind + c), DASH_NONE}, among);
        if (from == 1) continue;
        for (int dash = DASH_ODD; dash <= DASH_HIT; dash++)
            for (int stop = STOP_WALL; stop <= STOP_THING; stop++)
                add_directed(v, cost + 15, (Patch){PATCH_RAY, 0, 0, (int16_t)stop, (int16_t)dash}, among);
    }
    for (int things = 0; things < 2; things++)
        add_directed(v, 20, (Patch){PATCH_BOUNCE, 0, (int16_t)things, 0, 0}, 0xF0);
}

static void add_copies(View *v) {
    for (int unit = 0; unit < 3; unit++)
        for (int times = 0; times < 2; times++)
            for (int shape = 0; shape < 2; shape++)
                add_directed(v, 10 + 3 * unit + 5 * shape,
                             (Patch){PATCH_COPY, 0, (int16_t)unit, (int16_t)times, (int16_t)shape}, 0xFF);
    for (int motion = 1; motion < 8; motion++) {
        add_patch(v, 18, (Patch){PATCH_REFLECT, (int16_t)motion, 0, 0, 0});
        for (int beside = 0; beside < 5; beside++)
            for (int gap = 0; gap < (beside ? 2 : 1); gap++)
                add_patch(v, 18 + 5 * gap,
                          (Patch){PATCH_TURN, (int16_t)motion, (int16_t)beside, (int16_t)gap, 0});
    }
}

static void add_patches(View *v, unsigned colors) {
    for (int which = 0; which < 7; which++)
        add_patch(v, which == 0 ? 0 : 15, (Patch){PATCH_CELLS, (int16_t)which, 0, 0, 0});
    for (int grow = -2; grow <= 3; grow++)
        for (int style = 0; style < 8; style++)
            add_patch(v, 5 + 6 * abs(grow) + 2 * style,
                      (Patch){PATCH_BOX, (int16_t)grow, (int16_t)style, 0, 0});
    add_patch(v, 5, (Patch){PATCH_HOLES, 0, 0, 0, 0});
    for (int which = 0; which < 3; which++)
        for (int far = 1; far < 3; far++)
            add_patch(v, 5 + 8 * far, (Patch){PATCH_AROUND, (int16_t)which, (int16_t)far, 0, 0});
    for (int which = 0; which < 3; which++)
        for (int middle = 0; middle < 2; middle++)
            add_patch(v, 8 + 5 * middle, (Patch){PATCH_BAND, (int16_t)which, (int16_t)middle, 0, 0});
    for (int side = 0; side < 4; side++)
        for (int box = 0; box < 2; box++)
            add_patch(v, 18, (Patch){PATCH_HALF, (int16_t)side, (int16_t)box, 0, 0});
    add_rays(v, colors);
    add_copies(v);
}

// What a patch draws for all parts of a view.
static bool fill_list(Draw *d, View *v, List *l, Brush *b) {
    Quest *q = d->q;
    uint32_t n = 0, room = 0;
    l->start = TAKE(q, uint32_t, v->parts + 1);
    if (!l->start) return false;
    uint16_t *at = (uint16_t *)d->mask; // gathered here, then copied
    int8_t *color = d->scratch;
    room = MOST_CELLS;
    int64_t work = 0;
    for (int k = 0; k < q->samples; k++)
        for (int part = 0; part < v->scenes[k].parts.count; part++) {
            l->start[v->first[k] + part] = n;
            work += patch_of(&v->scenes[k], part, &l->patch, b);
            for (int m = 0; m < b->n && n < room; m++) {
                at[n] = (uint16_t)(d->offset[k] + b->at[m]);
                color[n++] = b->color[m];
                l->brings_colors |= b->color[m] >= 0;
            }
        }
    l->start[v->parts] = n;
    l->at = TAKE(q, uint16_t, n);
    l->color = l->brings_colors ? TAKE(q, int8_t, n) : NULL;
    if (!l->at || (l->brings_colors && !l->color)) return false;
    memcpy(l->at, at, n * sizeof *at);
    if (l->color) memcpy(l->color, color, n);
    l->hash =
        hash_bytes(hash_bytes(1, l->start, (size_t)(v->parts + 1) * sizeof *l->start), at, n * sizeof *at);
    if (l->color) l->hash = hash_bytes(l->hash, color, n);
    for (int layer = 0; layer < LAYERS; layer++) {
        l->allowed[layer] = TAKE(q, uint16_t, v->parts);
        l->useful[layer] = TAKE(q, uint64_t, v->words);
        if (!l->allowed[layer] || !l->useful[layer]) return false;
    }
    return quest_spend(q, work + n);
}

// Leaves out what draws the same as something cheaper.
static void drop_equal_combos(View *v) {
    uint64_t hashes[MOST_COMBOS];
    int n = 0;
    for (int k = 0; k < v->combo_count; k++) {
        Combo *c = &v->combos[k];
        uint64_t hash = 0; // in any order
        for (int m = 0; m < c->count; m++) {
            uint64_t one = v->lists[c->lists[m]].hash;
            if (v->lists[c->lists[m]].start[v->parts]) hash += hash_mix(one, 1);
        }
        int same = 0;
        while (same < n && hashes[same] != hash) same++;
        if (hash == 0) continue; // draws nothing
        if (same == n) {
            hashes[n] = hash;
            v->combos[n++] = *c;
        } else if (c->cost < v->combos[same].cost) v->combos[same] = *c;
    }
    v->combo_count = n;
}

static void add_paint(Draw *d, View *v, int kind, int value, int cost) {
    Paint p = {.kind = (int8_t)kind, .value = (int8_t)value};
    int8_t *colors = TAKE(d->q, int8_t, v->parts);
    if (!colors || v->paint_count == 24) return;
    for (int k = 0; k < d->q->samples; k++)
        for (int n = 0; n < v->scenes[k].parts.count; n++)
            colors[v->first[k] + n] = (int8_t)paint_of(&v->scenes[k], n, &p);
    v->paints[v->paint_count] = p;
    v->paint_costs[v->paint_count] = cost;
    v->paint_colors[v->paint_count++] = colors;
    quest_spend(d->q, 20 * v->parts);
}

// The colours that changed cells have in the outputs.
static unsigned new_colors(const Draw *d) {
    unsigned colors = 0;
    for (int k = 0; k < d->demo_cells; k++)
        if (d->input[k] != d->output[k]) colors |= 1U << d->output[k];
    return colors;
}

// Whether another view shows the same parts.
static bool seen_before(const Draw *d, const View *v) {
    for (int k = 0; k < d->view_count; k++) {
        const View *o = &d->views[k];
        bool same = o->parts == v->parts;
        for (int n = 0; n < d->q->samples && same; n++)
            same = memcmp(o->scenes[n].parts.label, v->scenes[n].parts.label,
                          (size_t)(d->offset[n + 1] - d->offset[n]) * sizeof(int16_t)) == 0;
        if (same) return true;
    }
    return false;
}

static bool make_view(Draw *d, PartsKind kind) {
    Quest *q = d->q;
    View *v = &d->views[d->view_count];
    *v = (View){.kind = kind};
    v->scenes = TAKE(q, Scene, q->samples);
    v->first = TAKE(q, int, q->samples + 1);
    if (!v->scenes || !v->first) return false;
    for (int k = 0; k < q->samples; k++) {
        v->first[k] = v->parts;
        if (!scene_of(&q->arena, q->inputs[k], kind, &v->scenes[k])) return false;
        v->parts += v->scenes[k].parts.count;
        quest_spend(q, v->scenes[k].parts.count * 2000);
    }
    v->first[q->samples] = v->parts;
    if (v->parts > MOST_PARTS || v->first[q->demos] == 0 || q->units <= 0 || seen_before(d, v)) return false;
    v->words = v->parts / 64 + 1;
    unsigned colors = 0;
    for (int k = 0; k < d->demo_cells; k++) colors |= 1U << d->input[k];
    v->lists = TAKE(q, List, MOST_LISTS);
    v->combos = TAKE(q, Combo, MOST_COMBOS);
    if (!v->lists || !v->combos || !find_choices(d, v)) return false;
    add_patches(v, colors & ~(1U << d->ground[0]));
    Brush b = {0};
    Arena *a = &q->arena;
    ts_grid largest = {64, 64, NULL};
    if (!brush_init(a, &b, largest)) return false;
    for (int k = 0; k < v->list_count; k++)
        if (!fill_list(d, v, &v->lists[k], &b)) return false;
    drop_equal_combos(v);
    unsigned wanted = new_colors(d);
    for (int c = 0; c < 10; c++)
        if (wanted >> c & 1) add_paint(d, v, PAINT_COLOR, c, 8);
    static const int8_t costs[PAINTS] = {[PAINT_OWN] = 5,      [PAINT_GROUND] = 10,   [PAINT_RARE] = 15,
                                         [PAINT_INSIDE] = 18,  [PAINT_TOUCHED] = 18,  [PAINT_NEAREST] = 22,
                                         [PAINT_LARGEST] = 20, [PAINT_SMALLEST] = 20, [PAINT_RAREST] = 20};
    for (int kind_of = PAINT_OWN; kind_of < PAINT_TABLE; kind_of++)
        add_paint(d, v, kind_of, 0, costs[kind_of]);
    d->view_count++;
    return true;
}

// ---- What may be drawn ----

static int sample_of(const Draw *d, int cell) {
    int k = 0;
    while (d->offset[k + 1] <= cell) k++;
    return k;
}

// Looks up, for each part, what colours the demos allow for a list's cells and whether it puts something
// right.
static void judge(const Draw *d, const View *v, List *l) {
    for (int layer = 0; layer < LAYERS; layer++) memset(l->useful[layer], 0, (size_t)v->words * 8);
    for (int k = 0; k < d->q->demos; k++) {
        int background = d->ground[k];
        for (int part = v->first[k]; part < v->first[k + 1]; part++) {
            uint16_t over[2] = {ANY_COLOR, ANY_COLOR};
            bool useful[2] = {false, false};
            for (uint32_t n = l->start[part]; n < l->start[part + 1]; n++) {
                int at = l->at[n], thing = d->input[at] != background;
                uint16_t allowed = d->allowed[at];
                if (l->color && l->color[n] >= 0) allowed = allowed >> l->color[n] & 1 ? ANY_COLOR : 0;
                over[thing] &= allowed;
                useful[thing] |= d->wrong[at];
            }
            l->allowed[LAYER_OVER][part] = over[0] & over[1];
            l->allowed[LAYER_UNDER][part] = over[0];
            l->allowed[LAYER_THINGS][part] = over[1];
            uint64_t bit = 1ULL << part % 64;
            if (useful[0] || useful[1]) l->useful[LAYER_OVER][part / 64] |= bit;
            if (useful[0]) l->useful[LAYER_UNDER][part / 64] |= bit;
            if (useful[1]) l->useful[LAYER_THINGS][part / 64] |= bit;
        }
    }
}

// ---- Pieces and groups ----

typedef struct {
    Draw *d;
    Group *groups;
    int count;
    int16_t slots[2 * MOST_GROUPS];
} Found;

// Draws a piece's parts of one sample on a canvas that starts at the sample's first cell.
static void draw_sample(const Draw *d, const Piece *p, const uint64_t *chosen, const int8_t *colors,
                        int sample, int8_t *canvas) {
    const View *v = p->view;
    int start = d->offset[sample];
    for (int part = v->first[sample]; part < v->first[sample + 1]; part++) {
        if (!(chosen[part / 64] >> part % 64 & 1)) continue;
        for (int m = 0; m < p->combo->count; m++) {
            const List *l = &v->lists[p->combo->lists[m]];
            for (uint32_t n = l->start[part]; n < l->start[part + 1]; n++) {
                int c = l->color && l->color[n] >= 0 ? l->color[n] : colors[part];
                if (c >= 0 && layer_takes(p->layer, d->input[l->at[n]], d->ground[sample]))
                    canvas[l->at[n] - start] = (int8_t)c;
            }
        }
    }
}

static const uint64_t *chosen_by(const Piece *p) {
    return p->view->chosen + (size_t)(p->choice - p->view->choices) * (size_t)p->view->words;
}

// The group for the demo cells that the chosen parts put right.
static Group *group_for(Found *f, const Piece *p, const uint64_t *chosen, const uint64_t *useful) {
    Draw *d = f->d;
    const View *v = p->view;
    int words = d->demo_cells / 64 + 1, gain = 0;
    memset(d->mask, 0, (size_t)words * 8);
    unsigned demos = 0;
    int64_t work = 20 + words;
    for (int k = 0; k < d->q->demos; k++)
        for (int part = v->first[k]; part < v->first[k + 1]; part++) {
            if (!(chosen[part / 64] & useful[part / 64] & 1ULL << part % 64)) continue;
            for (int m = 0; m < p->combo->count; m++) {
                const List *l = &v->lists[p->combo->lists[m]];
                for (uint32_t n = l->start[part]; n < l->start[part + 1]; n++) {
                    int at = l->at[n];
                    if (!d->wrong[at] || !layer_takes(p->layer, d->input[at], d->ground[k])) continue;
                    gain += !(d->mask[at / 64] >> at % 64 & 1);
                    d->mask[at / 64] |= 1ULL << at % 64;
                    demos |= 1U << k;
                }
                work += 2 * (l->start[part + 1] - l->start[part]);
            }
        }
    quest_spend(d->q, work);
    uint64_t hash = hash_bytes(1, d->mask, (size_t)words * 8);
    for (size_t at = hash % (2 * MOST_GROUPS);; at = (at + 1) % (2 * MOST_GROUPS)) {
        if (f->slots[at] >= 0) {
            if (f->groups[f->slots[at]].hash == hash) return &f->groups[f->slots[at]];
            continue;
        }
        if (f->count == MOST_GROUPS) return NULL;
        f->slots[at] = (int16_t)f->count;
        Group *g = &f->groups[f->count++];
        *g = (Group){.hash = hash, .gain = gain, .demos = demos};
        return g;
    }
}

static uint64_t hash_targets(Draw *d, const Piece *p, const uint64_t *chosen, const int8_t *colors,
                             bool *draws) {
    uint64_t hash = 7;
    *draws = true;
    for (int k = 0; k < d->q->samples; k++) {
        if (k < d->q->demos && d->learns[k]) continue;
        size_t n = (size_t)(d->offset[k + 1] - d->offset[k]);
        const int8_t *input = d->base + d->offset[k];
        memcpy(d->scratch, input, n);
        draw_sample(d, p, chosen, colors, k, d->scratch);
        if (memcmp(d->scratch, input, n) == 0) *draws = false;
        hash = hash_bytes(hash, d->scratch, n);
        quest_spend(d->q, (int64_t)n / 2 + 50);
    }
    return hash;
}

static double weight_of(int cost) {
    static const double tenths[10] = {1, 0.933, 0.871, 0.812, 0.758, 0.707, 0.660, 0.616, 0.574, 0.536};
    double w = tenths[cost % 10];
    for (int k = 0; k < cost / 10; k++) w /= 2;
    return w;
}

static void vote(Group *g, uint64_t hash, const Piece *p, double weight) {
    int k = 0;
    while (k < g->outcome_count && g->outcomes[k].hash != hash) k++;
    if (k == g->outcome_count) {
        if (k == MOST_OUTCOMES) { // the last one has to go
            k--;
            if (g->outcomes[k].weight >= weight) return;
        } else g->outcome_count++;
        g->outcomes[k] = (Outcome){hash, 0, *p};
    }
    Outcome *o = &g->outcomes[k];
    o->weight += weight;
    if (p->cost < o->best.cost) o->best = *p;
    for (; k > 0 && g->outcomes[k - 1].weight < g->outcomes[k].weight; k--) {
        Outcome swap = g->outcomes[k];
        g->outcomes[k] = g->outcomes[k - 1];
        g->outcomes[k - 1] = swap;
    }
}

static void found_piece(Found *f, Piece *p, double weight, const uint64_t *useful, const int8_t *colors) {
    const uint64_t *chosen = chosen_by(p);
    Group *g = group_for(f, p, chosen, useful);
    if (!g || g->gain == 0) return;
    bool draws;
    uint64_t hash = hash_targets(f->d, p, chosen, colors, &draws);
    if (!draws) p->cost += 30, weight /= 8;
    vote(g, hash, p, weight);
}

// Choices that come to the same: they take the same useful parts, and the same of the targets.
typedef struct {
    uint64_t hash;
    double weight;
    const Choice *best;
} Alike;

static int alike_choices(const View *v, const uint64_t *fits, const uint64_t *useful, Alike *alike) {
    int count = 0;
    for (int k = 0; k < v->choice_count; k++) {
        const uint64_t *chosen = v->chosen + (size_t)k * (size_t)v->words;
        const Choice *choice = &v->choices[k];
        uint64_t hash = 0, helps = 0, wrong = 0;
        for (int w = 0; w < v->words && !wrong; w++) {
            wrong = chosen[w] & ~fits[w];
            helps |= chosen[w] & useful[w];
        }
        if (wrong || !helps) continue;
        for (int w = 0; w < v->words; w++) hash = hash_mix(hash, chosen[w] & (useful[w] | v->targets[w]));
        int n = 0;
        while (n < count && alike[n].hash != hash) n++;
        if (n == count) alike[count++] = (Alike){hash, 0, choice};
        alike[n].weight += weight_of(choice->cost);
        if (choice->cost < alike[n].best->cost) alike[n].best = choice;
    }
    return count;
}

// Tries all selectors for a patch in a layer, with a paint that is right for the parts in `fits`.
static void try_choices(Found *f, Piece *p, int cost, const uint64_t *fits, const uint64_t *useful,
                        const int8_t *colors) {
    const View *v = p->view;
    Alike alike[MOST_CHOICES];
    int n = alike_choices(v, fits, useful, alike);
    for (int k = 0; k < n; k++) {
        p->choice = alike[k].best;
        p->cost = cost + p->choice->cost;
        found_piece(f, p, weight_of(cost) * alike[k].weight, useful, colors);
    }
    f->d->q->tried[ENGINE_draw] += (uint64_t)v->choice_count;
    quest_spend(f->d->q, 2 * v->choice_count);
}

static void try_paints(Found *f, Piece *p, const uint16_t *allowed, const uint64_t *useful) {
    const View *v = p->view;
    uint64_t fits[MOST_PARTS / 64 + 1];
    int demo_parts = v->first[f->d->q->demos], layer_cost = p->layer == LAYER_OVER    ? 0
                                                            : p->layer == LAYER_UNDER ? 4
                                                                                      : 12;
    bool brings = v->lists[p->combo->lists[0]].brings_colors;
    unsigned possible = 0;
    for (int k = 0; k < demo_parts; k++)
        if (useful[k / 64] >> k % 64 & 1) possible |= allowed[k];
    if (!possible) return;
    for (int m = 0; m < v->paint_count; m++) {
        const int8_t *colors = v->paint_colors[m];
        if (brings && v->paints[m].kind != PAINT_OWN) continue;
        if (v->paints[m].kind == PAINT_COLOR && !(possible >> v->paints[m].value & 1)) continue;
        for (int w = 0; w < v->words; w++) fits[w] = ~0ULL;
        bool any = false;
        for (int k = 0; k < demo_parts; k++) {
            bool fit = brings ? allowed[k] != 0 : colors[k] >= 0 && allowed[k] >> colors[k] & 1;
            if (!fit) fits[k / 64] &= ~(1ULL << k % 64);
            else any |= useful[k / 64] >> k % 64 & 1;
        }
        quest_spend(f->d->q, demo_parts);
        if (!any) continue;
        p->paint = v->paints[m];
        try_choices(f, p, p->combo->cost + layer_cost + v->paint_costs[m], fits, useful, colors);
    }
}

static void find_pieces(Found *f) {
    Draw *d = f->d;
    uint16_t allowed[MOST_PARTS];
    uint64_t useful[MOST_PARTS / 64 + 1];
    for (int k = 0; k < d->view_count; k++) {
        View *v = &d->views[k];
        int demo_parts = v->first[d->q->demos];
        for (int n = 0; n < v->list_count; n++) {
            judge(d, v, &v->lists[n]);
            quest_spend(d->q, (int64_t)v->lists[n].start[demo_parts] + 5 * demo_parts);
        }
        for (int n = 0; n < v->combo_count; n++) {
            const Combo *c = &v->combos[n];
            for (int layer = 0; layer < LAYERS; layer++) {
                uint64_t any = 0;
                for (int w = 0; w < v->words; w++) {
                    useful[w] = 0;
                    for (int m = 0; m < c->count; m++) useful[w] |= v->lists[c->lists[m]].useful[layer][w];
                    any |= useful[w];
                }
                if (!any) continue;
                for (int part = 0; part < demo_parts; part++) allowed[part] = ANY_COLOR;
                for (int m = 0; m < c->count; m++)
                    for (int part = 0; part < demo_parts; part++)
                        allowed[part] &= v->lists[c->lists[m]].allowed[layer][part];
                Piece p = {.view = v, .combo = c, .layer = (Layer)layer};
                try_paints(f, &p, allowed, useful);
                if (!quest_spend(d->q, demo_parts)) {
                    d->over = true;
                    return;
                }
            }
        }
    }
}

// ---- Covers ----

static const int8_t *colors_of(const Piece *p) {
    for (int m = 0; m < p->view->paint_count; m++)
        if (p->view->paints[m].kind == p->paint.kind && p->view->paints[m].value == p->paint.value)
            return p->view->paint_colors[m];
    return NULL;
}

// Takes what a piece covers as settled.
static void settle(Draw *d, const Piece *p) {
    const View *v = p->view;
    const uint64_t *chosen = chosen_by(p);
    for (int part = 0; part < v->first[d->q->demos]; part++) {
        if (!(chosen[part / 64] >> part % 64 & 1)) continue;
        for (int m = 0; m < p->combo->count; m++) {
            const List *l = &v->lists[p->combo->lists[m]];
            for (uint32_t n = l->start[part]; n < l->start[part + 1]; n++) {
                int at = l->at[n];
                if (!layer_takes(p->layer, d->input[at], d->ground[sample_of(d, at)])) continue;
                d->allowed[at] = ANY_COLOR;
                d->wrong[at] = 0;
            }
        }
    }
}

static int wrong_left(const Draw *d) {
    int n = 0;
    for (int k = 0; k < d->demo_cells; k++) n += d->wrong[k];
    return n;
}

// What a group is worth as the next piece: the more it puts right, in the more demos, by the simpler rule.
static double worth(const Group *g, int demos) {
    return g->gain * (1.0 + (double)__builtin_popcount(g->demos) / demos) * (1.0 + g->outcomes[0].weight);
}

static bool was_explored(Draw *d) {
    uint64_t hash = hash_bytes(hash_bytes(1, d->wrong, (size_t)d->demo_cells), d->allowed,
                               (size_t)d->demo_cells * sizeof *d->allowed);
    for (int k = 0; k < d->state_count; k++)
        if (d->states[k] == hash) return true;
    if (d->state_count < MOST_STATES) d->states[d->state_count++] = hash;
    return false;
}

static void explore(Draw *d, int depth) {
    int wrong = wrong_left(d);
    d->path.count = depth;
    d->path.wrong = wrong;
    if (depth && (wrong == 0 || d->partial.count == 0 || wrong < d->partial.wrong)) {
        d->path.cost = 0;
        for (int k = 0; k < depth; k++) d->path.cost += d->path.pieces[k].cost + 15;
        if (wrong) d->partial = d->path;
        else if (d->solution_count < MOST_SOLUTIONS) {
            d->path.number = d->solution_count;
            d->solutions[d->solution_count++] = d->path;
        }
    }
    if (wrong == 0 || depth == MOST_PIECES || d->over || was_explored(d)) return;
    Found f = {.d = d, .groups = d->groups[depth]};
    memset(f.slots, -1, sizeof f.slots);
    find_pieces(&f);
    uint16_t *allowed = TAKE(d->q, uint16_t, d->demo_cells);
    uint8_t *were_wrong = TAKE(d->q, uint8_t, d->demo_cells);
    if (!allowed || !were_wrong) return;
    memcpy(allowed, d->allowed, (size_t)d->demo_cells * sizeof *allowed);
    memcpy(were_wrong, d->wrong, (size_t)d->demo_cells);
    for (int n = 0; n < d->beams[depth]; n++) {
        Group *best = NULL;
        for (int k = 0; k < f.count; k++)
            if (f.groups[k].gain && (!best || worth(&f.groups[k], d->q->demos) > worth(best, d->q->demos)))
                best = &f.groups[k];
        static const int least_share[MOST_PIECES] = {8, 5, 3,
                                                     1}; // the last one has to be right on all that is left
        if (!best || best->gain * least_share[depth] < wrong) return;
        d->path.pieces[depth] = best->outcomes[0].best;
        Group *kept = TAKE(d->q, Group, 1);
        if (!kept) return;
        *kept = *best;
        d->path.groups[depth] = kept;
        best->gain = 0;
        settle(d, &d->path.pieces[depth]);
        explore(d, depth + 1);
        memcpy(d->allowed, allowed, (size_t)d->demo_cells * sizeof *allowed);
        memcpy(d->wrong, were_wrong, (size_t)d->demo_cells);
    }
}

// ---- Programs ----

static void print_selector(Text *t, const Selector *s) {
    text_char(t, '(');
    for (int k = 0; k < s->count; k++) {
        const Condition *c = &s->at[k];
        text_print(t, "(%d, %d, %d, %d)%s", c->prop, c->test, c->value, c->negated,
                   k + 1 < s->count ? ", "
                   : s->count == 1  ? ","
                                    : "");
    }
    text_char(t, ')');
}

static void print_paint(Text *t, const Paint *p) {
    if (p->kind != PAINT_TABLE) {
        text_print(t, "(%d, %d)", p->kind, p->value);
        return;
    }
    text_print(t, "(%d, %d, (", p->kind, p->value);
    for (int k = 0; k < p->entries; k++)
        text_print(t, "(%d, %d)%s", p->from[k], p->to[k],
                   k + 1 < p->entries ? ", "
                   : p->entries == 1  ? ","
                                      : "");
    text_add(t, "))");
}

static void print_piece(Text *t, const Piece *p) {
    const Patch *c = &p->combo->patch;
    text_print(t, "(%d, ", p->view->kind);
    print_selector(t, &p->choice->selector);
    text_print(t, "), ((%d, %d, %d, %d, %d), ", c->kind, c->a, c->b, c->c, c->d);
    print_paint(t, &p->paint);
    text_print(t, ", %d)", p->layer);
}

// The piece that was found last is drawn first.
static void print_path(Text *t, const Draw *d, const Path *path) {
    int x = 0;
    text_clear(t);
    if (path->blank) {
        text_print(t, "x1 = shape(I)\nx2 = canvas(%d, x1)\n", d->ground[0]);
        x = 2;
    }
    for (int k = path->count - 1; k >= 0; k--) {
        if (k == 0) text_add(t, "O = draw(");
        else text_print(t, "x%d = draw(", x + 1);
        if (x == 0) text_add(t, "I, I, ");
        else text_print(t, "x%d, I, ", x);
        print_piece(t, &path->pieces[k]);
        text_add(t, ")\n");
        x++;
    }
}

// ---- The engine ----

static bool prepare(Draw *d) {
    Quest *q = d->q;
    int cells = 0;
    d->offset = TAKE(q, int, q->samples + 1);
    d->ground = TAKE(q, int8_t, q->samples);
    if (!d->offset || !d->ground || q->demos > 60) return false;
    for (int k = 0; k < q->samples; k++) {
        ts_grid in = q->inputs[k];
        if (in.height > 30 || in.width > 30) return false;
        if (k < q->demos && (in.height != q->outputs[k].height || in.width != q->outputs[k].width))
            return false;
        d->offset[k] = cells;
        d->ground[k] = (int8_t)ground_of(in);
        cells += in.height * in.width;
    }
    if (cells > MOST_CELLS / 2) return false;
    d->offset[q->samples] = d->cells = cells;
    d->demo_cells = d->offset[q->demos];
    int8_t *input = TAKE(q, int8_t, cells);
    d->input = input;
    d->base = TAKE(q, int8_t, cells);
    d->output = TAKE(q, int8_t, d->demo_cells);
    d->allowed = TAKE(q, uint16_t, d->demo_cells);
    d->wrong = TAKE(q, uint8_t, d->demo_cells);
    d->scratch = TAKE(q, int8_t, MOST_CELLS + 64 * 64);
    d->mask = TAKE(q, uint64_t, MOST_CELLS / 4 + 1);
    if (!input || !d->base || !d->output || !d->allowed || !d->wrong || !d->scratch || !d->mask) return false;
    for (int k = 0; k < q->samples; k++) {
        size_t n = (size_t)(d->offset[k + 1] - d->offset[k]);
        memcpy(input + d->offset[k], q->inputs[k].cells, n);
        if (k < q->demos) memcpy(d->output + d->offset[k], q->outputs[k].cells, n);
    }
    for (int k = 0; k < cells; k++)
        if (input[k] < 0 || input[k] > 9 || (k < d->demo_cells && (d->output[k] < 0 || d->output[k] > 9)))
            return false;
    for (int k = 0; k < MOST_PIECES; k++)
        if (!(d->groups[k] = TAKE(q, Group, MOST_GROUPS))) return false;
    return true;
}

// Starts a search that learns from all demos but one (-1: from all).
static void begin(Draw *d, int left_out, bool blank) {
    d->path = d->partial = (Path){.blank = blank};
    d->solution_count = d->state_count = 0;
    for (int k = 0; k < d->q->samples; k++) {
        if (k < d->q->demos) d->learns[k] = k != left_out;
        for (int n = d->offset[k]; n < d->offset[k + 1]; n++) {
            d->base[n] = blank ? d->ground[k] : d->input[n];
            if (k >= d->q->demos) continue;
            bool counts = d->learns[k];
            d->allowed[n] = counts ? (uint16_t)(1 << d->output[n]) : ANY_COLOR;
            d->wrong[n] = counts && d->base[n] != d->output[n];
        }
        for (int n = 0; n < d->view_count; n++) {
            View *v = &d->views[n];
            if (k == 0) memset(v->targets, 0, (size_t)v->words * sizeof *v->targets);
            for (int part = v->first[k]; part < v->first[k + 1] && (k >= d->q->demos || k == left_out);
                 part++)
                v->targets[part / 64] |= 1ULL << part % 64;
        }
    }
}

static bool predicts(Draw *d, const Path *path, int sample) {
    int start = d->offset[sample], n = d->offset[sample + 1] - start;
    memcpy(d->scratch, d->base + start, (size_t)n);
    for (int k = path->count - 1; k >= 0; k--)
        draw_sample(d, &path->pieces[k], chosen_by(&path->pieces[k]), colors_of(&path->pieces[k]), sample,
                    d->scratch);
    return memcmp(d->scratch, d->output + start, (size_t)n) == 0;
}

static int by_cost(const void *a, const void *b) {
    const Path *x = a, *y = b;
    return x->cost != y->cost ? x->cost - y->cost : x->number - y->number;
}

static int foresight(Draw *d, bool blank) {
    int right = 0;
    for (int k = 0; k < d->q->demos && !d->over; k++) {
        begin(d, k, blank);
        memcpy(d->beams, (int[]){1, 1, 1, 1}, sizeof d->beams);
        explore(d, 0);
        right += d->solution_count && predicts(d, &d->solutions[0], k);
    }
    return right;
}

static void offer_all(Draw *d) {
    Path best[MOST_SOLUTIONS];
    int n = d->solution_count;
    memcpy(best, d->solutions, (size_t)n * sizeof *best);
    qsort(best, (size_t)n, sizeof *best, by_cost);
    Path partial = d->partial;
    bool blank = d->path.blank;
    int right = n ? foresight(d, blank) : 0;
    int trust = right == d->q->demos ? 0 : right ? 1 : 2;
    Text t = {0};
    for (int k = 0; k < n && k < 3; k++) {
        print_path(&t, d, &best[k]);
        if (t.data) quest_offer(d->q, ENGINE_draw, (best[k].count - 1) * 3 + trust, t.data);
        for (int m = 0; k == 0 && m < best[k].count; m++) { // the same but for one outcome
            if (best[k].groups[m]->outcome_count < 2) continue;
            Path other = best[k];
            other.pieces[m] = other.groups[m]->outcomes[1].best;
            print_path(&t, d, &other);
            if (t.data) quest_offer(d->q, ENGINE_draw, 12 + trust, t.data);
        }
    }
    if (n == 0 && partial.count) {
        print_path(&t, d, &partial);
        if (t.data) quest_offer(d->q, ENGINE_draw, 15, t.data);
    }
    text_free(&t);
}

bool engine_draw(Quest *q) {
    Draw *d = TAKE(q, Draw, 1);
    if (!d) return true;
    *d = (Draw){.q = q};
    if (!prepare(d)) return true;
    for (PartsKind k = 0; k < PARTS_KINDS; k++) make_view(d, k);
    int wrong_at_first = 0;
    for (int blank = 0; blank < 2; blank++) {
        begin(d, -1, blank);
        if (blank && wrong_left(d) >= wrong_at_first) break; // the input is no worse
        wrong_at_first = wrong_left(d);
        memcpy(d->beams, (int[]){3, 2, 1, 1}, sizeof d->beams);
        explore(d, 0);
        bool solved = d->solution_count;
        offer_all(d);
        if (solved || d->over) break;
    }
    return !d->over;
}
