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

// Sets of directions.
enum {
    N = 1 << Direction_NORTH,
    E = 1 << Direction_EAST,
    S = 1 << Direction_SOUTH,
    W = 1 << Direction_WEST,
    NE = 1 << Direction_NORTHEAST,
    SE = 1 << Direction_SOUTHEAST,
    SW = 1 << Direction_SOUTHWEST,
    NW = 1 << Direction_NORTHWEST,
    SIDES = N | E | S | W,
    CORNERS = NE | SE | SW | NW,
    ALL_WAYS = SIDES | CORNERS,
};

// A patch for each single direction, and for the sets of directions that are to be expected.
static void add_directed(DrawView *v, int cost, Patch p, unsigned among) {
    static const uint8_t sets[] = {N,        E,       S,       W,       NE,      SE,      SW,
                                   NW,       N | S,   E | W,   SIDES,   NE | SW, SE | NW, CORNERS,
                                   ALL_WAYS, NE | SE, SE | SW, SW | NW, NE | NW};
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
    for (int16_t dash = Dash_DASHED; dash <= Dash_TARGET_ONLY; dash++) {
        for (int16_t stop = Stop_TO_WALL; stop <= Stop_TO_THING; stop++)
            add_directed(v, 20, (Patch){Drawn_RAY, 0, RayFrom_FROM_CELLS, stop, dash}, ALL_WAYS);
        if (dash < Dash_END_ONLY) continue;
        add_directed(v, 28, (Patch){Drawn_RAY, 0, RayFrom_FROM_CENTER, Stop_TO_THING, dash}, SIDES);
        for (int16_t stop = Stop_ONLY_TO; stop < Stop_ONLY_TO + 10; stop++)
            if (colors >> (stop - Stop_ONLY_TO) & 1)
                add_directed(v, 30, (Patch){Drawn_RAY, 0, RayFrom_FROM_CELLS, stop, dash}, SIDES);
    }
}

static void add_rays(DrawView *v, unsigned colors) {
    static const uint8_t ways[] = {
        [RayFrom_FROM_CELLS] = ALL_WAYS,       [RayFrom_FROM_CENTER] = SIDES,
        [RayFrom_FROM_CORNERS] = CORNERS,      [RayFrom_FROM_RAREST_CELLS] = ALL_WAYS,
        [RayFrom_FROM_OPEN_CORNERS] = CORNERS, [RayFrom_FROM_FILLED_CORNERS] = CORNERS};
    for (int from = RayFrom_FROM_CELLS; from <= RayFrom_FROM_FILLED_CORNERS; from++) {
        unsigned among = ways[from];
        int cost = 5 + 5 * from;
        for (int stop = Stop_TO_WALL; stop <= Stop_ONLY_TO_OTHER; stop++)
            add_directed(v, cost + 3 * stop, (Patch){Drawn_RAY, 0, (int16_t)from, (int16_t)stop, Dash_SOLID},
                         among);
        if (from > RayFrom_FROM_CENTER) continue;
        for (int c = 0; c < 10; c++)
            for (int kind = Stop_THROUGH_UP_TO; (colors >> c & 1) && kind <= Stop_THROUGH_TO; kind += 10)
                add_directed(v, cost + 20,
                             (Patch){Drawn_RAY, 0, (int16_t)from, (int16_t)(kind + c), Dash_SOLID}, among);
    }
    add_dashes(v, colors);
    for (int by = BouncedBy_BY_WALLS; by <= BouncedBy_BY_TOP_AND_BOTTOM; by++)
        add_directed(v, 20, (Patch){Drawn_BOUNCE, 0, (int16_t)by, 0, 0}, CORNERS);
    for (int16_t either = 0; either < 2; either++) { // a Hand, an Elbow, a Cornered
        add_directed(v, 22, (Patch){Drawn_WALK, 0, either, 0, 0}, SIDES);
        for (int c = 0; c < 10; c++)
            if (colors >> c & 1) add_patch(v, 25, (Patch){Drawn_ELBOW_TO, (int16_t)c, either, 0, 0});
        add_patch(v, 20, (Patch){Drawn_ELBOW_TO, AnyColor_ANY_COLOR, either, 0, 0});
        add_patch(v, 15, (Patch){Drawn_CORNERED, either, 0, 0, 0});
    }
    for (int way = BeamWay_AWAY_FROM_MIDDLE; way <= BeamWay_THROUGH_MIDDLE; way++)
        for (int stop = Stop_TO_WALL; stop <= Stop_ONLY_TO_THING; stop++)
            add_patch(v, 22 + 3 * stop, (Patch){Drawn_BEAM, (int16_t)way, (int16_t)stop, 0, 0});
}

static void add_copies(DrawView *v) {
    static const int16_t mirrors[] = {Turn_UPSIDE_DOWN, Turn_LEFT_TO_RIGHT, Turn_TURNED_ROUND};
    for (int step = Step_BY_ONE; step <= Step_SPACED; step++)
        for (int times = 0; times < 2; times++)
            for (int tint = 0; tint <= Tint_SHAPE_ONLY; tint++)
                add_directed(v, 10 + 3 * step + 5 * tint,
                             (Patch){Drawn_COPIES, 0, (int16_t)step, (int16_t)times, (int16_t)tint},
                             ALL_WAYS);
    for (int turn = Turn_AS_IS + 1; turn <= Turn_ANTI_TRANSPOSED; turn++) {
        add_patch(v, 18, (Patch){Drawn_REFLECT, (int16_t)turn, 0, 0, 0});
        for (int where = Beside_IN_PLACE; where <= DRAWING_BESIDE + Direction_WEST; where++)
            for (int gap = 0; gap < (where == Beside_IN_PLACE ? 1 : 2); gap++)
                add_patch(v, 18 + 5 * gap,
                          (Patch){Drawn_TURN, (int16_t)turn, (int16_t)where, (int16_t)gap, 0});
    }
    for (int16_t which = 0; which < 3; which++) { // an Other, Anchors, a mirror
        add_patch(v, 20, (Patch){Drawn_CLONE, which, 0, 0, 0});
        for (int turned = 0; turned <= Turned_ALSO_TURNED; turned++)
            add_patch(v, 18 + 4 * turned, (Patch){Drawn_LIKE_IT, which, (int16_t)turned, 0, 0});
        for (int at = MirroredAt_AT_NEAREST_PART; at <= MirroredAt_AT_RAREST_CELLS; at++)
            add_patch(v, 20, (Patch){Drawn_MIRROR, mirrors[which], (int16_t)at, 0, 0});
    }
}

static void add_patches(DrawView *v, unsigned colors) {
    for (int which = CellsOf_ALL_CELLS; which <= CellsOf_CHECKERED_SECOND; which++)
        add_patch(v, which == CellsOf_ALL_CELLS ? 0 : 15, (Patch){Drawn_CELLS, (int16_t)which, 0, 0, 0});
    for (int grow = -2; grow <= 3; grow++)
        for (int which = BoxPart_FILLED; which <= BoxPart_RISING_DIAGONAL; which++)
            add_patch(v, 5 + 6 * abs(grow) + 2 * which,
                      (Patch){Drawn_BOX, (int16_t)grow, (int16_t)which, 0, 0});
    add_patch(v, 5, (Patch){Drawn_ENCLOSED, 0, 0, 0, 0});
    for (int near = Nearby_OVER_SIDES; near <= Nearby_ALL_AROUND; near++)
        for (int far = 1; far < 3; far++)
            add_patch(v, 5 + 8 * far, (Patch){Drawn_AROUND, (int16_t)near, (int16_t)far, 0, 0});
    for (int which = BandOf_ITS_ROWS; which <= BandOf_ITS_ROWS_AND_COLUMNS; which++)
        for (int middle = 0; middle <= Middle_MIDDLE_ONLY; middle++)
            add_patch(v, 8 + 5 * middle, (Patch){Drawn_BAND, (int16_t)which, (int16_t)middle, 0, 0});
    for (int side = Direction_NORTH; side <= Direction_WEST; side++)
        for (int of = HalfOf_OF_CELLS; of <= HalfOf_OF_BOX; of++)
            add_patch(v, 18, (Patch){Drawn_HALF, (int16_t)side, (int16_t)of, 0, 0});
    add_rays(v, colors);
    add_copies(v);
}

// Takes what was put down to places that are numbered through. True where it brings colours.
static bool take_drawn(const Brush *b, uint32_t n, int offset, uint16_t *restrict at,
                       int8_t *restrict color) {
    const uint16_t *restrict from = b->at;
    int8_t none = -1;
    for (uint32_t k = 0; k < n; k++) at[k] = (uint16_t)(from[k] + offset);
    for (uint32_t k = 0; k < n; k++) none &= color[k] = b->color[k];
    return none >= 0; // a colour has no sign, and each that is brought takes it away
}

bool draw_fill_list(Draw *d, const DrawView *v, List *l) {
    Quest *q = d->q;
    uint32_t n = 0;
    l->start = TAKE(q, uint32_t, v->sight.parts + 1);
    if (!l->start) return false;
    uint16_t *at = (uint16_t *)d->mask; // gathered here, then copied
    int8_t *color = d->scratch;
    int64_t work = 0;
    for (int k = 0; k < q->samples; k++)
        for (int part = 0; part < v->sight.scenes[k].parts.count; part++) {
            l->start[v->sight.first[k] + part] = n;
            work += drawing_patch(&v->sight.scenes[k], part, &l->patch, &d->brush);
            uint32_t drawn = (uint32_t)d->brush.n < MOST_CELLS - n ? (uint32_t)d->brush.n : MOST_CELLS - n;
            l->brings_colors |= take_drawn(&d->brush, drawn, d->offset[k], at + n, color + n);
            n += drawn;
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
    enum { SLOTS = 8192 };
    _Static_assert(SLOTS > 2 * MOST_COMBOS, "it does not fill up");
    uint64_t hashes[MOST_COMBOS];
    int16_t slots[SLOTS];
    int n = 0;
    memset(slots, -1, sizeof slots);
    for (int k = 0; k < v->combo_count; k++) {
        Combo *c = &v->combos[k];
        uint64_t hash = 0; // in any order
        for (int m = 0; m < c->count; m++) {
            uint64_t one = c->lists[m]->hash;
            if (c->lists[m]->start[v->sight.parts]) hash += hash_mix(one, 1);
        }
        if (hash == 0) continue; // draws nothing
        size_t slot = hash % SLOTS;
        while (slots[slot] >= 0 && hashes[slots[slot]] != hash) slot = (slot + 1) % SLOTS;
        int same = slots[slot];
        if (same < 0) {
            slots[slot] = (int16_t)n;
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
    uint16_t *sets = TAKE(d->q, uint16_t, v->sight.parts);
    if (!colors || !sets || v->paint_count == 24) return;
    draw_colors(d, v, &p, colors);
    for (int k = 0; k < v->sight.parts; k++) sets[k] = (uint16_t)(colors[k] < 0 ? 0 : 1 << colors[k]);
    v->paint_sets[v->paint_count] = sets;
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
        if (wanted >> c & 1) add_paint(d, v, Paint_IN_COLOR, c, 8);
    static const int8_t costs[PAINTS] = {
        [Paint_OWN_COLOR] = 5,         [Paint_BACKGROUND] = 10,        [Paint_RAREST_OF_IT] = 15,
        [Paint_COLOR_INSIDE] = 18,     [Paint_COLOR_TOUCHED] = 18,     [Paint_COLOR_OF_NEAREST] = 22,
        [Paint_COLOR_OF_LARGEST] = 20, [Paint_COLOR_OF_SMALLEST] = 20, [Paint_RAREST_OF_GRID] = 20};
    for (int kind_of = Paint_OWN_COLOR; kind_of < Paint_BY_TABLE; kind_of++)
        add_paint(d, v, kind_of, 0, costs[kind_of]);
    d->view_count++;
    return true;
}

// ---- What may be drawn ----

enum { THINGS = 16 }; // the bit at which the upper half begins

void draw_note_state(Draw *d) {
    for (int k = 0; k < d->q->demos; k++)
        for (int at = d->offset[k]; at < d->offset[k + 1]; at++) {
            int half = d->input[at] != d->ground[k] ? THINGS : 0;
            uint32_t other = (uint32_t)ANY_COLOR << (THINGS - half); // says nothing about the other half
            d->may[at] = (uint32_t)d->allowed[at] << half | other;
            d->wrongs[at] = (uint32_t)d->wrong[at] << half;
        }
}

// The same for a cell that brings its colour: all or nothing.
static uint32_t may_bring(uint32_t may, uint32_t allowed, int color, bool thing) {
    if (color < 0) return may;
    if (allowed >> color & 1) return ~0U;
    return thing ? ANY_COLOR : (uint32_t)ANY_COLOR << THINGS;
}

void draw_judge(const Draw *d, const DrawView *v, List *l) {
    for (int k = 0; k < d->q->demos; k++) {
        int background = d->ground[k];
        for (int part = v->sight.first[k]; part < v->sight.first[k + 1]; part++) {
            uint32_t may = (uint32_t)ANY_COLOR << THINGS | ANY_COLOR, gain = 0;
            const uint16_t *at = l->at + l->start[part], *end = l->at + l->start[part + 1];
            if (l->color) {
                const int8_t *color = l->color + l->start[part];
                for (const uint16_t *n = at; n < end; n++)
                    may &= may_bring(d->may[*n], d->allowed[*n], color[n - at], d->input[*n] != background);
                for (; at < end; at++) gain += d->wrongs[*at];
            } else
                for (; at < end; at++) {
                    may &= d->may[*at];
                    gain += d->wrongs[*at];
                }
            l->allowed[Layer_OVER][part] = (uint16_t)(may & may >> THINGS);
            l->allowed[Layer_UNDER][part] = (uint16_t)may;
            l->allowed[Layer_ON_THINGS][part] = (uint16_t)(may >> THINGS);
            l->gain[Layer_OVER][part] = (uint16_t)(gain + (gain >> THINGS));
            l->gain[Layer_UNDER][part] = (uint16_t)gain;
            l->gain[Layer_ON_THINGS][part] = (uint16_t)(gain >> THINGS);
        }
    }
}
