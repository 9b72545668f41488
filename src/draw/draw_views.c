// The views of the drawing engine: which patches there are, and what they draw for each part.
#include <stdlib.h>
#include <string.h>

#include "draw/draw_engine.h"

// ---- Patches ----

static void add_patch(DrawView *v, int cost, Patch p) {
    if (v->list_count == MOST_LISTS || v->combo_count == MOST_COMBOS) return;
    v->combos[v->combo_count] =
        (Combo){.patch = p, .cost = cost, .count = 1, .lists = {&v->lists[v->list_count]}};
    v->combo_count++;
    v->lists[v->list_count++] = (List){.patch = p, .cost = cost};
}

// A patch for each single direction, and for the sets of directions that are to be expected.
static void add_directed(DrawView *v, int cost, Patch p, unsigned among) {
    static const uint8_t sets[] = {1,  2,    4,    8,    16,   32,   64,   128,  5,   10,
                                   15, 0x50, 0xA0, 0xF0, 0xFF, 0x30, 0x60, 0xC0, 0x90};
    if (v->list_count + 8 > MOST_LISTS) return;
    List *lists[8] = {0};
    for (int k = 0; k < 8; k++) {
        if (!(among >> k & 1)) continue;
        lists[k] = &v->lists[v->list_count++];
        *lists[k] = (List){.patch = p, .cost = cost};
        lists[k]->patch.a = (int16_t)(1 << k);
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

static void add_dashes(DrawView *v, unsigned colors) {
    for (int dash = DASH_ODD; dash <= DASH_HIT; dash++) {
        for (int stop = STOP_WALL; stop <= STOP_THING; stop++)
            add_directed(v, 20, (Patch){PATCH_RAY, 0, 0, (int16_t)stop, (int16_t)dash}, 0xFF);
        if (dash < DASH_LAST) continue;
        add_directed(v, 28, (Patch){PATCH_RAY, 0, 1, STOP_THING, (int16_t)dash}, 0xF);
        for (int c = 0; c < 10; c++)
            if (colors >> c & 1)
                add_directed(v, 30, (Patch){PATCH_RAY, 0, 0, (int16_t)(STOP_ONLY_COLOR + c), (int16_t)dash},
                             0xF);
    }
}

static void add_rays(DrawView *v, unsigned colors) {
    for (int from = 0; from < 6; from++) {
        unsigned among = from == 1 ? 0xF : from == 0 || from == 3 ? 0xFF : 0xF0;
        int cost = 5 + 5 * from;
        for (int stop = STOP_WALL; stop <= STOP_ONLY_OTHER; stop++)
            add_directed(v, cost + 3 * stop, (Patch){PATCH_RAY, 0, (int16_t)from, (int16_t)stop, DASH_NONE},
                         among);
        if (from >= 2) continue;
        for (int c = 0; c < 10; c++)
            for (int kind = STOP_COLOR; (colors >> c & 1) && kind <= STOP_THROUGH_COLOR; kind += 10)
                add_directed(v, cost + 20,
                             (Patch){PATCH_RAY, 0, (int16_t)from, (int16_t)(kind + c), DASH_NONE}, among);
    }
    add_dashes(v, colors);
    for (int by = 0; by < 4; by++) add_directed(v, 20, (Patch){PATCH_BOUNCE, 0, (int16_t)by, 0, 0}, 0xF0);
    for (int left = 0; left < 2; left++) {
        add_directed(v, 22, (Patch){PATCH_WALK, 0, (int16_t)left, 0, 0}, 0xF);
        for (int c = 0; c <= 10; c++)
            if (c == 10 || colors >> c & 1)
                add_patch(v, c == 10 ? 20 : 25, (Patch){PATCH_ELBOW, (int16_t)c, (int16_t)left, 0, 0});
        add_patch(v, 15, (Patch){PATCH_CORNERS, (int16_t)left, 0, 0, 0});
    }
    for (int through = 0; through < 2; through++)
        for (int stop = STOP_WALL; stop <= STOP_ONLY_THING; stop++)
            add_patch(v, 22 + 3 * stop, (Patch){PATCH_BEAM, (int16_t)through, (int16_t)stop, 0, 0});
}

static void add_copies(DrawView *v) {
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
    for (int which = 0; which < 3; which++) {
        add_patch(v, 20, (Patch){PATCH_CLONE, (int16_t)which, 0, 0, 0});
        for (int turned = 0; turned < 2; turned++)
            add_patch(v, 18 + 4 * turned, (Patch){PATCH_LIKE, (int16_t)which, (int16_t)turned, 0, 0});
        for (int at_own = 0; at_own < 2; at_own++)
            add_patch(v, 20, (Patch){PATCH_MIRROR, (int16_t)(2 * which + 2), (int16_t)at_own, 0, 0});
    }
}

static void add_patches(DrawView *v, unsigned colors) {
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

bool draw_fill_list(Draw *d, const DrawView *v, List *l) {
    Quest *q = d->q;
    uint32_t n = 0, room = 0;
    l->start = TAKE(q, uint32_t, v->sight.parts + 1);
    if (!l->start) return false;
    uint16_t *at = (uint16_t *)d->mask; // gathered here, then copied
    int8_t *color = d->scratch;
    room = MOST_CELLS;
    int64_t work = 0;
    for (int k = 0; k < q->samples; k++)
        for (int part = 0; part < v->sight.scenes[k].parts.count; part++) {
            l->start[v->sight.first[k] + part] = n;
            work += drawing_patch(&v->sight.scenes[k], part, &l->patch, &d->brush);
            for (int m = 0; m < d->brush.n && n < room; m++) {
                at[n] = (uint16_t)(d->offset[k] + d->brush.at[m]);
                color[n++] = d->brush.color[m];
                l->brings_colors |= d->brush.color[m] >= 0;
            }
        }
    l->start[v->sight.parts] = n;
    l->at = TAKE(q, uint16_t, n);
    l->color = l->brings_colors ? TAKE(q, int8_t, n) : NULL;
    if (!l->at || (l->brings_colors && !l->color)) return false;
    memcpy(l->at, at, n * sizeof *at);
    if (l->color) memcpy(l->color, color, n);
    l->hash = hash_bytes(hash_bytes(1, l->start, (size_t)(v->sight.parts + 1) * sizeof *l->start), at,
                         n * sizeof *at);
    if (l->color) l->hash = hash_bytes(l->hash, color, n);
    for (int layer = 0; layer < LAYERS; layer++) {
        l->allowed[layer] = TAKE(q, uint16_t, v->sight.parts);
        l->gain[layer] = TAKE(q, uint16_t, v->sight.parts);
        if (!l->allowed[layer] || !l->gain[layer]) return false;
    }
    return quest_spend(q, work + n);
}

// Leaves out what draws the same as something cheaper.
static void drop_equal_combos(DrawView *v) {
    uint64_t hashes[MOST_COMBOS];
    int n = 0;
    for (int k = 0; k < v->combo_count; k++) {
        Combo *c = &v->combos[k];
        uint64_t hash = 0; // in any order
        for (int m = 0; m < c->count; m++) {
            uint64_t one = c->lists[m]->hash;
            if (c->lists[m]->start[v->sight.parts]) hash += hash_mix(one, 1);
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

void draw_colors(const Draw *d, const DrawView *v, const Paint *paint, int8_t *colors) {
    for (int k = 0; k < d->q->samples; k++)
        for (int n = 0; n < v->sight.scenes[k].parts.count; n++)
            colors[v->sight.first[k] + n] = (int8_t)drawing_paint(&v->sight.scenes[k], n, paint);
    quest_spend(d->q, 10 * v->sight.parts);
}

static void add_paint(Draw *d, DrawView *v, int kind, int value, int cost) {
    Paint p = {.kind = (int8_t)kind, .value = (int8_t)value};
    int8_t *colors = TAKE(d->q, int8_t, v->sight.parts);
    if (!colors || v->paint_count == 24) return;
    draw_colors(d, v, &p, colors);
    v->paints[v->paint_count] = p;
    v->paint_costs[v->paint_count] = cost;
    v->paint_colors[v->paint_count++] = colors;
}

// The colours that changed cells have in the outputs.
static unsigned new_colors(const Draw *d) {
    unsigned colors = 0;
    for (int k = 0; k < d->demo_cells; k++)
        if (d->input[k] != d->output[k]) colors |= 1U << d->output[k];
    return colors;
}

bool draw_make_view(Draw *d, PartsKind kind) {
    Quest *q = d->q;
    DrawView *v = &d->views[d->view_count];
    *v = (DrawView){0};
    const Sight *others[PARTS_KINDS];
    for (int k = 0; k < d->view_count; k++) others[k] = &d->views[k].sight;
    if (!sight_of(q, d->grids, kind, others, d->view_count, &v->sight)) return false;
    v->targets = TAKE(q, uint64_t, v->sight.words);
    v->lists = TAKE(q, List, MOST_LISTS);
    v->combos = TAKE(q, Combo, MOST_COMBOS);
    if (!v->lists || !v->combos || !v->targets) return false;
    add_patches(v, colors_in((ts_grid){1, d->demo_cells, d->input}) & ~(1U << d->ground[0]));
    for (int k = 0; k < v->list_count; k++)
        if (!draw_fill_list(d, v, &v->lists[k])) return false;
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

void draw_judge(const Draw *d, const DrawView *v, List *l) {
    for (int k = 0; k < d->q->demos; k++) {
        int background = d->ground[k];
        for (int part = v->sight.first[k]; part < v->sight.first[k + 1]; part++) {
            uint16_t over[2] = {ANY_COLOR, ANY_COLOR}, gain[2] = {0, 0};
            for (uint32_t n = l->start[part]; n < l->start[part + 1]; n++) {
                int at = l->at[n], thing = d->input[at] != background;
                uint16_t allowed = d->allowed[at];
                if (l->color && l->color[n] >= 0) allowed = allowed >> l->color[n] & 1 ? ANY_COLOR : 0;
                over[thing] &= allowed;
                gain[thing] = (uint16_t)(gain[thing] + d->wrong[at]);
            }
            l->allowed[LAYER_OVER][part] = over[0] & over[1];
            l->allowed[LAYER_UNDER][part] = over[0];
            l->allowed[LAYER_THINGS][part] = over[1];
            l->gain[LAYER_OVER][part] = (uint16_t)(gain[0] + gain[1]);
            l->gain[LAYER_UNDER][part] = gain[0];
            l->gain[LAYER_THINGS][part] = gain[1];
        }
    }
}
