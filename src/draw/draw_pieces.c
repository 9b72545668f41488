// The pieces of the drawing engine: all drawings that draw nothing wrong, in groups that vote.
#include <string.h>

#include "draw/draw_engine.h"

static const int layer_costs[LAYERS] = {[Layer_UNDER] = 4, [Layer_ON_THINGS] = 12};

// What the lists of a combination come to, in one layer.
typedef struct {
    unsigned possible; // colours that some useful part may have
    uint16_t allowed[SIGHT_PARTS], gain[SIGHT_PARTS];
    uint64_t useful[SIGHT_PARTS / 64 + 1]; // parts that put something right
} Meet;

// ---- Pieces and groups ----

// False where no part is put right.
static bool meet_lists(const DrawView *v, int demo_parts, const Combo *c, Layer layer, Meet *meet) {
    uint16_t *restrict allowed = meet->allowed, *restrict gain = meet->gain;
    size_t bytes = (size_t)demo_parts * sizeof *allowed;
    memcpy(allowed, c->lists[0]->allowed[layer], bytes);
    memcpy(gain, c->lists[0]->gain[layer], bytes);
    for (int m = 1; m < c->count; m++) {
        const uint16_t *also = c->lists[m]->allowed[layer], *more = c->lists[m]->gain[layer];
        for (int part = 0; part < demo_parts; part++) {
            allowed[part] &= also[part];
            gain[part] = (uint16_t)(gain[part] + more[part]);
        }
    }
    uint16_t possible = 0, right = 0; // right: not 0 where some part that may be drawn puts something right
    for (int part = 0; part < demo_parts; part++) {
        possible |= gain[part] ? allowed[part] : 0;
        right |= allowed[part] ? gain[part] : 0;
    }
    meet->possible = possible;
    if (!right) return false;
    memset(meet->useful, 0, (size_t)v->sight.words * sizeof *meet->useful);
    for (int part = 0; part < demo_parts; part++)
        meet->useful[part / 64] |= (uint64_t)(gain[part] != 0) << part % 64;
    return true;
}

// The next part of a set from `part` on that is below `end`; end where there is none.
static int next_part(const uint64_t *set, const uint64_t *also, int part, int end) {
    while (part < end) {
        uint64_t left = (also ? set[part / 64] & also[part / 64] : set[part / 64]) >> part % 64;
        if (left) {
            part += __builtin_ctzll(left);
            return part < end ? part : end;
        }
        part = (part / 64 + 1) * 64;
    }
    return end;
}

void draw_sample(const Draw *d, const DrawPiece *p, const int8_t *colors, int sample, int8_t *canvas) {
    const uint64_t *chosen = chosen_by(p);
    const DrawView *v = p->view;
    int start = d->offset[sample], end = v->sight.first[sample + 1];
    for (int part = v->sight.first[sample]; (part = next_part(chosen, NULL, part, end)) < end; part++) {
        for (int m = 0; m < p->combo->count; m++) {
            const List *l = p->combo->lists[m];
            for (uint32_t n = l->start[part]; n < l->start[part + 1]; n++) {
                int c = l->color && l->color[n] >= 0 ? l->color[n] : colors[part];
                if (c >= 0 && layer_takes(p->layer, d->input[l->at[n]], d->ground[sample]))
                    canvas[l->at[n] - start] = (int8_t)c;
            }
        }
    }
}

// The group for the demo cells that the chosen parts put right.
static Group *group_for(DrawFound *f, const DrawPiece *p, const Meet *meet) {
    Draw *d = f->d;
    const DrawView *v = p->view;
    const uint64_t *chosen = chosen_by(p);
    int words = d->demo_cells / 64 + 1, gain = 0;
    memset(d->mask, 0, (size_t)words * 8);
    unsigned demos = 0;
    int64_t work = 20 + words;
    for (int k = 0; k < d->q->demos; k++) {
        int end = v->sight.first[k + 1];
        for (int part = v->sight.first[k]; (part = next_part(chosen, meet->useful, part, end)) < end; part++)
            for (int m = 0; m < p->combo->count; m++) {
                const List *l = p->combo->lists[m];
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
    if (gain < f->least_gain) return NULL;
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

static uint64_t hash_targets(Draw *d, const DrawPiece *p, const int8_t *colors, bool *draws) {
    uint64_t hash = 7;
    *draws = true;
    for (int k = 0; k < d->q->samples; k++) {
        if (k < d->q->demos && d->learns[k]) continue;
        size_t n = (size_t)(d->offset[k + 1] - d->offset[k]);
        const int8_t *input = d->base + d->offset[k];
        memcpy(d->scratch, input, n);
        draw_sample(d, p, colors, k, d->scratch);
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

static void vote(Group *g, uint64_t hash, const DrawPiece *p, double weight) {
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

static void found_piece(DrawFound *f, DrawPiece *p, double weight, const Meet *meet, const int8_t *colors) {
    Group *g = group_for(f, p, meet);
    if (!g) return;
    bool draws;
    uint64_t hash = hash_targets(f->d, p, colors, &draws);
    if (!draws) p->cost += 30, weight /= 8;
    vote(g, hash, p, weight);
}

// Choices that come to the same: they take the same useful parts, and the same of the targets.
typedef struct {
    uint64_t hash;
    double weight;
    const SightChoice *best;
} Alike;

static int alike_choices(const DrawFound *f, const DrawView *v, const uint64_t *fits, const Meet *meet,
                         Alike *alike) {
    int count = 0;
    for (int k = 0; k < v->sight.choice_count; k++) {
        const uint64_t *chosen = v->sight.chosen + (size_t)k * (size_t)v->sight.words;
        const SightChoice *choice = &v->sight.choices[k];
        uint64_t hash = 0, helps = 0, wrong = 0;
        for (int w = 0; w < v->sight.words && !wrong; w++) {
            wrong = chosen[w] & ~fits[w];
            helps |= chosen[w] & meet->useful[w];
        }
        if (wrong || !helps) continue;
        int gain = 0;
        for (int w = 0; w < v->sight.words; w++) {
            uint64_t left = chosen[w] & meet->useful[w];
            hash = hash_mix(hash, left | (chosen[w] & v->targets[w]));
            for (; left; left &= left - 1) gain += meet->gain[64 * w + __builtin_ctzll(left)];
        }
        if (gain < f->least_gain) continue;
        int n = 0;
        while (n < count && alike[n].hash != hash) n++;
        if (n == count) alike[count++] = (Alike){hash, 0, choice};
        alike[n].weight += weight_of(choice->cost);
        if (choice->cost < alike[n].best->cost) alike[n].best = choice;
    }
    return count;
}

// Tries all selectors for a patch in a layer, with a paint that is right for the parts in `fits`.
static void try_choices(DrawFound *f, DrawPiece *p, int cost, const uint64_t *fits, const Meet *meet,
                        const int8_t *colors) {
    const DrawView *v = p->view;
    Alike alike[SIGHT_CHOICES];
    int n = alike_choices(f, v, fits, meet, alike);
    for (int k = 0; k < n; k++) {
        p->choice = alike[k].best;
        p->cost = cost + p->choice->cost;
        found_piece(f, p, weight_of(cost) * alike[k].weight, meet, colors);
    }
    f->d->q->tried[ENGINE_draw] += (uint64_t)v->sight.choice_count;
    quest_spend(f->d->q, 2 * v->sight.choice_count);
}

static void try_paints(DrawFound *f, DrawPiece *p, const Meet *meet) {
    const DrawView *v = p->view;
    uint64_t fits[SIGHT_PARTS / 64 + 1];
    int demo_parts = v->sight.first[f->d->q->demos], cost = p->combo->cost + layer_costs[p->layer];
    bool brings = p->combo->lists[0]->brings_colors;
    uint16_t any_color[SIGHT_PARTS];
    for (int k = 0; k < demo_parts && brings; k++) any_color[k] = ANY_COLOR;
    for (int m = 0; m < v->paint_count; m++) {
        const int8_t *colors = v->paint_colors[m];
        if (brings && v->paints[m].kind != Paint_OWN_COLOR) continue;
        if (v->paints[m].kind == Paint_IN_COLOR && !(meet->possible >> v->paints[m].value & 1)) continue;
        const uint16_t *sets = brings ? any_color : v->paint_sets[m];
        int gain = 0;
        for (int k = 0; k < demo_parts; k++) gain += meet->allowed[k] & sets[k] ? meet->gain[k] : 0;
        quest_spend(f->d->q, demo_parts);
        if (gain < f->least_gain) continue;
        for (int w = 0; w < v->sight.words; w++) fits[w] = ~0ULL;
        for (int k = 0; k < demo_parts; k++)
            fits[k / 64] &= ~((uint64_t) !(meet->allowed[k] & sets[k]) << k % 64);
        p->paint = v->paints[m];
        try_choices(f, p, cost + v->paint_costs[m], fits, meet, colors);
    }
}

// ---- Colours by a property ----

// The table that gives each chosen part a colour that it may have. False where there is none, or it says less
// than a single colour would.
static bool learn_table(const Draw *d, const DrawView *v, const uint64_t *chosen, const uint16_t *allowed,
                        Paint *table) {
    const Sight *s = &v->sight;
    uint16_t may[PAINT_ENTRIES];
    unsigned colors = 0;
    table->entries = 0;
    for (int k = 0; k < d->q->demos; k++)
        for (int part = s->first[k]; part < s->first[k + 1] && d->learns[k]; part++) {
            if (!set_has(chosen, part)) continue;
            int value = s->scenes[k].props[(part - s->first[k]) * PROPS + table->value], n = 0;
            while (n < table->entries && table->from[n] != value) n++;
            if (n == PAINT_ENTRIES) return false;
            if (n == table->entries) table->from[table->entries++] = (int16_t)value, may[n] = ANY_COLOR;
            if (!(may[n] &= allowed[part])) return false;
        }
    int kept = 0;
    for (int n = 0; n < table->entries; n++) {
        if (may[n] & (may[n] - 1)) continue; // several: nothing is drawn there
        table->from[kept] = table->from[n];
        table->to[kept++] = (int8_t)__builtin_ctz(may[n]);
        colors |= may[n];
    }
    table->entries = kept;
    return kept >= 2 && colors & (colors - 1);
}

static void try_tables(DrawFound *f, DrawPiece *p, const Meet *meet) {
    // clang-format off
    static const uint8_t props[] = {
        Property_COLOR, Property_SIZE, Property_HOLES, Property_SIZE_RANK, Property_HEIGHT, Property_WIDTH,
        Property_SAME_SHAPE, Property_COLOR_COUNT, Property_SYMMETRIES, Property_ROW_RANK,
        Property_COLUMN_RANK, Property_IS_RECTANGLE, Property_IS_SQUARE, Property_AT_BORDER,
        Property_SAME_SIZE, Property_TOUCHES, Property_NEIGHBOR_PARTS, Property_CONTAINS,
        Property_HOLE_CELLS, Property_LONGER_SIDE, Property_HAS_ODD_SIZE, Property_SAME_COLOR,
        Property_SAME_SHAPE_TURNED,
    };
    // clang-format on
    Draw *d = f->d;
    const DrawView *v = p->view;
    const Sight *s = &v->sight;
    int8_t colors[SIGHT_PARTS];
    for (int k = 0; k < s->choice_count; k++) {
        const uint64_t *chosen = s->chosen + (size_t)k * (size_t)s->words;
        if (s->choices[k].cost > 15) continue;
        for (size_t m = 0; m < sizeof props; m++) {
            p->paint = (Paint){.kind = Paint_BY_TABLE, .value = (int8_t)props[m]};
            quest_spend(d->q, 2 * s->first[d->q->demos] + 20);
            if (!learn_table(d, v, chosen, meet->allowed, &p->paint)) continue;
            draw_colors(d, v, &p->paint, colors);
            p->choice = &s->choices[k];
            p->cost = p->combo->cost + layer_costs[p->layer] + p->choice->cost + 10 + 10 * p->paint.entries;
            for (int part = s->first[d->q->demos]; part < s->parts; part++) // of a test, and not in the table
                if (set_has(chosen, part) && colors[part] < 0) p->cost += 10;
            found_piece(f, p, weight_of(p->cost), meet, colors);
        }
    }
}

// ---- Stamps ----

// Learnt from all chosen parts at once: what the cell at each offset from their first corners always becomes.
// Choices that take the same parts of the demos learn the same.
enum { STAMP_REACH = 7, STAMP_SIDE = 2 * STAMP_REACH + 1, MOST_STAMPS = 300 };

typedef struct {
    int top, left, color, height, width, start, ground; // start: of the sample's cells
} Anchor;

typedef struct {
    uint64_t hash; // of the chosen parts of the demos, and the layer
    Combo *combos[2];
} Stamps;

static int find_anchors(const Draw *d, const Sight *s, const uint64_t *chosen, Anchor *anchors) {
    int n = 0;
    for (int k = 0; k < d->q->demos; k++)
        for (int part = s->first[k]; part < s->first[k + 1] && d->learns[k]; part++) {
            const Part *p = &s->scenes[k].parts.parts[part - s->first[k]];
            if (set_has(chosen, part))
                anchors[n++] =
                    (Anchor){p->top,       p->left,     p->color, d->grids[k].height, d->grids[k].width,
                             d->offset[k], d->ground[k]};
        }
    return n;
}

// The colours that the cell at an offset may have, with bit StampColor_OWN where each may have its part's
// own; 0 where it is not part of a stamp.
static unsigned learn_cell(const Draw *d, const Anchor *anchors, int n, Layer layer, int row, int column,
                           int *gain) {
    unsigned may = ANY_COLOR | 1U << StampColor_OWN;
    int seen = 0, outside = 0;
    *gain = 0;
    for (int k = 0; k < n && may; k++) {
        const Anchor *a = &anchors[k];
        int i = a->top + row, j = a->left + column, at = a->start + i * a->width + j;
        if (i < 0 || j < 0 || i >= a->height || j >= a->width) outside++;
        else if (layer_takes(layer, d->input[at], a->ground)) {
            seen++;
            may &= d->allowed[at] | ((unsigned)d->allowed[at] >> a->color & 1U) << StampColor_OWN;
            *gain += d->wrong[at];
        }
    }
    return *gain && seen >= outside ? may : 0;
}

static Combo *make_stamp(Draw *d, const DrawView *v, const StampCell *cells, int n) {
    List *l = TAKE(d->q, List, 1);
    Combo *c = TAKE(d->q, Combo, 1);
    StampCell *kept = TAKE(d->q, StampCell, n);
    if (!l || !c || !kept) return NULL;
    memcpy(kept, cells, (size_t)n * sizeof *kept);
    Patch patch = {.kind = Drawn_STAMP, .cells = n, .stamp = kept};
    *l = (List){.patch = patch};
    *c = (Combo){.patch = patch, .cost = 20 + 25 * n, .count = 1, .lists = {l}};
    if (!draw_fill_list(d, v, l)) return NULL;
    draw_judge(d, v, l);
    return c;
}

// The stamp of constant colours, where they can be, and the one of the parts' own.
static void learn_stamps(DrawFound *f, const DrawView *v, const Anchor *anchors, int count, Layer layer,
                         Stamps *stamps) {
    Draw *d = f->d;
    StampCell cells[2][STAMP_SIDE * STAMP_SIDE];
    int n = 0, all_gain = 0, gain;
    bool differ = false;
    for (int k = 0; k < STAMP_SIDE * STAMP_SIDE && n < STAMP_MOST; k++) {
        int row = k / STAMP_SIDE - STAMP_REACH, column = k % STAMP_SIDE - STAMP_REACH;
        unsigned may = learn_cell(d, anchors, count, layer, row, column, &gain), constant = may & ANY_COLOR;
        bool own = may >> StampColor_OWN & 1, one = constant && !(constant & (constant - 1));
        if (!own && !one) continue;
        int color = one ? __builtin_ctz(constant) : StampColor_OWN;
        cells[0][n] = (StampCell){(int8_t)row, (int8_t)column, (int8_t)color};
        cells[1][n++] = (StampCell){(int8_t)row, (int8_t)column, (int8_t)(own ? StampColor_OWN : color)};
        differ |= own && one;
        all_gain += gain;
    }
    quest_spend(d->q, STAMP_SIDE * STAMP_SIDE * (4 + count));
    if (n < 2 || all_gain < f->least_gain) return;
    for (int own = 0; own < 1 + differ; own++) stamps->combos[own] = make_stamp(d, v, cells[own], n);
}

static void add_stamp(DrawFound *f, const DrawView *v, const SightChoice *choice, Layer layer,
                      const Combo *c) {
    Draw *d = f->d;
    DrawPiece p = {
        .view = v, .layer = layer, .combo = c, .choice = choice, .paint = {.kind = Paint_OWN_COLOR}};
    p.cost = c->cost + choice->cost + layer_costs[layer];
    int8_t colors[SIGHT_PARTS] = {0}; // a stamp brings its own
    Meet meet;
    if (meet_lists(v, v->sight.first[d->q->demos], c, layer, &meet))
        found_piece(f, &p, weight_of(p.cost), &meet, colors);
}

static void try_stamps(DrawFound *f, const DrawView *v) {
    Draw *d = f->d;
    const Sight *s = &v->sight;
    Stamps known[MOST_STAMPS];
    Anchor anchors[SIGHT_PARTS];
    int count = 0;
    for (int n = 0; n < 2 * s->choice_count; n++) {
        const SightChoice *choice = &s->choices[n / 2];
        Layer layer = n % 2 ? Layer_UNDER : Layer_OVER;
        if (choice->cost > 22) continue;
        int anchor_count = find_anchors(d, s, sight_chosen(s, choice), anchors), k = 0;
        uint64_t hash = hash_bytes((uint64_t)layer, anchors, (size_t)anchor_count * sizeof *anchors);
        while (k < count && known[k].hash != hash) k++;
        if (k == MOST_STAMPS) return;
        if (k == count) {
            known[count++] = (Stamps){.hash = hash};
            learn_stamps(f, v, anchors, anchor_count, layer, &known[k]);
        }
        for (int own = 0; own < 2; own++)
            if (known[k].combos[own]) add_stamp(f, v, choice, layer, known[k].combos[own]);
    }
}

// ---- All pieces ----

// Tries a combination in all layers, with all paints and selectors. Its lists are judged.
static void try_combo(DrawFound *f, const DrawView *v, const Combo *c) {
    Draw *d = f->d;
    int demo_parts = v->sight.first[d->q->demos];
    Meet meet;
    for (Layer layer = 0; layer < LAYERS && !d->over; layer++) {
        d->over = !quest_spend(d->q, demo_parts);
        if (!meet_lists(v, demo_parts, c, layer, &meet)) continue;
        DrawPiece p = {.view = v, .combo = c, .layer = layer};
        try_paints(f, &p, &meet);
        if (c->cost <= 15 && layer != Layer_ON_THINGS && !c->lists[0]->brings_colors)
            try_tables(f, &p, &meet);
    }
}

static void judge(const Draw *d, const DrawView *v, List *l) {
    int demo_parts = v->sight.first[d->q->demos];
    draw_judge(d, v, l);
    quest_spend(d->q, (int64_t)l->start[demo_parts] + 5 * demo_parts);
}

void draw_find_pieces(DrawFound *f) {
    Draw *d = f->d;
    for (int k = 0; k < d->view_count; k++) {
        DrawView *v = &d->views[k];
        for (int n = 0; n < v->list_count; n++) judge(d, v, &v->lists[n]);
        for (int n = 0; n < v->combo_count && !d->over; n++) try_combo(f, v, &v->combos[n]);
        for (int n = 0; n < v->numbered_count && !d->over; n++) {
            const Combo *c = v->numbered[n];
            if (!v->wanted[n]) continue;
            for (int m = 0; m < c->count; m++) judge(d, v, c->lists[m]);
            try_combo(f, v, c);
        }
        if (!d->over && v->sight.kind != PartsKind_REGIONS && v->sight.kind != PartsKind_PATCHES)
            try_stamps(f, v);
    }
}
