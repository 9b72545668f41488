// Where walkers may begin; walk_engine.h says what forms and starts are.
//
// For each form all parts send their walkers off without any habit, so that each goes until it meets
// something. The colours that the outputs have on that way are those that the walker may have; a choice of
// parts and a paint go together if each chosen part gets a colour that it may have.
#include <stdlib.h>
#include <string.h>

#include "walk/walk_engine.h"

enum {
    ALL_COLORS = 0x3FF,
    OWN_FITS = 0x400,
    SET_WORDS = SIGHT_PARTS / 64 + 1,
    MOST_FLOODS = 12,
    LATE = 24,
    MOST_LATE = 100
};

// ---- Forms ----

// Kinds of parts, a bit for each, that a form is for: others would send the same walkers.
enum {
    OF_ONE_COLOR = 1 << PartsKind_PARTS | 1 << PartsKind_PARTS_DIAGONAL,
    OF_MANY_COLORS = 1 << PartsKind_THINGS | 1 << PartsKind_THINGS_DIAGONAL,
    OF_BOTH = OF_ONE_COLOR | OF_MANY_COLORS,
    OF_CELLS = OF_ONE_COLOR | 1 << PartsKind_COLORS,
    OF_GROUND = 1 << PartsKind_REGIONS
};

static void add_form(WalkLearner *e, int sights, int cost, int from, int heading, int gait, int rhythm) {
    bool either = rhythm == Rhythm_SOLID && heading != Heading_NOWHERE;
    for (int start = 0; start < (either ? 2 : 1) && e->form_count < WALK_MOST_FORMS; start++) {
        Walk w = {.from = from, .heading = heading, .gait = gait, .rhythm = rhythm, .colors_start = start};
        walk_clear_habits(&w);
        e->forms[e->form_count++] = (WalkForm){w, cost + 5 * start, sights};
    }
}

// Each direction, then sets of them: what these do follows from the single ones.
static void add_headings(WalkLearner *e, int sights, int cost, int from, int gait, int rhythm) {
    static const int sets[] = {0x0F, 0xF0, 0xFF, 0x05, 0x0A, 0x50, 0xA0};
    bool either = rhythm == Rhythm_SOLID && gait == Gait_STRAIGHT_ON;
    for (int start = 0; start < (either ? 2 : 1); start++) { // the sets come right behind their directions
        for (int k = 0; k < DIRECTIONS + (int)(sizeof sets / sizeof *sets); k++) {
            int heading = k < DIRECTIONS ? 1 << k : sets[k - DIRECTIONS];
            bool many = k >= DIRECTIONS && k < DIRECTIONS + 3;
            if (e->form_count == WALK_MOST_FORMS) return;
            Walk w = {
                .from = from, .heading = heading, .gait = gait, .rhythm = rhythm, .colors_start = start};
            walk_clear_habits(&w);
            e->forms[e->form_count++] = (WalkForm){w, cost + (many ? 8 : 12) + 5 * start, sights};
        }
    }
}

static void add_special_headings(WalkLearner *e, int sights, int cost, int from) {
    add_form(e, sights, cost + 8, from, Heading_OUT_OF_IT, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_form(e, sights, cost + 12, from, Heading_TO_NEAREST, Gait_STRAIGHT_ON, Rhythm_SOLID);
    if (from != WalkFrom_FROM_CELLS)
        add_form(e, sights, cost + 12, from, Heading_THROUGH_IT, Gait_STRAIGHT_ON, Rhythm_SOLID);
}

void walk_make_forms(WalkLearner *e) {
    static const int plain_rhythms[] = {Rhythm_DASHED, Rhythm_DASHED_SECOND, Rhythm_THINGS_ALONE};
    enum { CELLS = WalkFrom_FROM_CELLS, RAREST = WalkFrom_FROM_RAREST_CELLS };
    add_headings(e, OF_CELLS, 0, CELLS, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_special_headings(e, OF_ONE_COLOR, 0, CELLS);
    add_headings(e, OF_BOTH, 10, WalkFrom_FROM_CENTER, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_headings(e, OF_BOTH, 10, WalkFrom_FROM_CORNERS, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_headings(e, OF_MANY_COLORS, 10, RAREST, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_special_headings(e, OF_MANY_COLORS, 10, RAREST);
    add_headings(e, OF_ONE_COLOR, 10, WalkFrom_FROM_TIPS, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_special_headings(e, OF_BOTH, 10, WalkFrom_FROM_TIPS);
    for (int k = 0; k < 3; k++)
        add_headings(e, OF_ONE_COLOR, 10 + 3 * k, CELLS, Gait_STRAIGHT_ON, plain_rhythms[k]);
    for (int n = 1; n <= 2; n++) {
        add_headings(e, OF_ONE_COLOR, 8 + 2 * n, CELLS, Gait_STAIRS_RIGHT + n, Rhythm_SOLID);
        add_headings(e, OF_ONE_COLOR, 8 + 2 * n, CELLS, Gait_STAIRS_LEFT + n, Rhythm_SOLID);
    }
    for (int c = 0; c < 10; c++) {
        if (!(e->new_colors >> c & 1)) continue;
        add_headings(e, OF_ONE_COLOR, 15, CELLS, Gait_STRAIGHT_ON, Rhythm_ALTERNATING + c);
        add_form(e, OF_CELLS, 22, CELLS, 0x0F, Gait_FLOODING, Rhythm_ALTERNATING + c);
    }
    add_form(e, OF_CELLS, 12, CELLS, 0x0F, Gait_FLOODING, Rhythm_SOLID);
    add_form(e, OF_CELLS, 15, CELLS, 0xFF, Gait_FLOODING, Rhythm_SOLID);
    add_form(e, OF_MANY_COLORS, 12, RAREST, 0x0F, Gait_FLOODING, Rhythm_SOLID);
    add_form(e, OF_CELLS, 12, CELLS, 0x0F, Gait_FLOODING, Rhythm_OWN_EVERY_SECOND);
    add_form(e, OF_BOTH, 15, WalkFrom_FROM_GAPS, Heading_OUT_OF_IT, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_form(e, OF_BOTH, 18, WalkFrom_FROM_GAPS, Heading_FANNING_OUT, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_form(e, OF_CELLS, 5, CELLS, Heading_NOWHERE, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_form(e, OF_BOTH, 8, WalkFrom_FROM_INSIDE, Heading_NOWHERE, Gait_STRAIGHT_ON, Rhythm_SOLID);
    add_form(e, OF_MANY_COLORS, 12, RAREST, Heading_NOWHERE, Gait_STRAIGHT_ON, Rhythm_SOLID);
    for (int side = Direction_NORTHEAST; side < DIRECTIONS; side++)
        for (int d = 0; d < Direction_NORTHEAST; d++)
            add_form(e, OF_GROUND, 20, WalkFrom_FROM_SIDE + side, 1 << d, Gait_STRAIGHT_ON, Rhythm_SOLID);
}

// ---- Ways until something is met ----

// What the walkers of a part may be coloured.
typedef struct {
    uint16_t allowed, allowed_if; // if: those that would have to vanish do
    uint16_t gain;
    bool may_gain; // now, or beyond what it meets
    bool vanishes;
    int walkers;
    uint64_t hash; // of where they begin
} Outlook;

// Whether something changes further on, should the walker go straight on through what it met.
static bool changes_ahead(const WalkLearner *e, int demo, const Walker *x) {
    ts_grid g = e->q->inputs[demo];
    int at = x->ahead, i = at < 0 ? -1 : at / g.width, j = at < 0 ? -1 : at % g.width;
    for (; i >= 0 && j >= 0 && i < g.height && j < g.width;
         i += direction_rows[x->facing], j += direction_columns[x->facing])
        if (set_has(e->changed, e->offset[demo] + i * g.width + j)) return true;
    return false;
}

// Colours that the first part of a way may have, and whether the walker's own colour does.
static unsigned colors_of_way(const WalkLearner *e, int demo, int own, int *gain) {
    const Walker *x = &e->walker;
    const int8_t *output = e->q->outputs[demo].cells;
    unsigned allowed = ALL_COLORS;
    for (int k = 0; k < x->n; k++) {
        if (x->color[k] >= 0) allowed &= x->color[k] == output[x->at[k]] ? ALL_COLORS : 0;
        else allowed &= 1U << output[x->at[k]];
        *gain += set_has(e->changed, e->offset[demo] + x->at[k]);
    }
    return allowed | (allowed >> own & 1 ? OWN_FITS : 0);
}

// Whether a walker would at once colour background that stays as it was: most would.
static bool is_idle(const WalkLearner *e, const Parts *p, const Walk *w, int demo, WalkBegin b) {
    if (w->gait == Gait_FLOODING || w->heading == Heading_NOWHERE || w->rhythm == Rhythm_DASHED_SECOND ||
        w->rhythm == Rhythm_THINGS_ALONE)
        return false;
    int i = b.at / p->grid.width + direction_rows[b.direction];
    int j = b.at % p->grid.width + direction_columns[b.direction], at = i * p->grid.width + j;
    return i >= 0 && j >= 0 && i < p->grid.height && j < p->grid.width &&
           p->grid.cells[at] == p->background && !set_has(e->changed, e->offset[demo] + at);
}

static bool stays_as_it_was(const WalkLearner *e, int demo) {
    for (int k = 0; k < e->walker.n; k++)
        if (!set_has(e->changed, e->offset[demo] + e->walker.at[k])) return true;
    return false;
}

static Outlook look_ahead(WalkLearner *e, const Sight *s, const WalkForm *form, int demo, int part) {
    Outlook o = {.allowed = ALL_COLORS | OWN_FITS, .allowed_if = ALL_COLORS | OWN_FITS};
    const Scene *scene = &s->scenes[demo];
    Walker *x = &e->walker;
    x->scene = scene;
    x->walk = &form->walk;
    o.walkers = walk_begins(scene, part, &form->walk, e->begins);
    if (o.walkers > (form->walk.gait == Gait_FLOODING ? MOST_FLOODS : WALK_MOST_WALKERS))
        o.allowed = o.allowed_if = 0;
    for (int k = 0; k < o.walkers && o.allowed_if; k++) {
        int gain = 0, at = e->begins[k].at;
        o.hash += hash_mix(1, (uint64_t)(demo << 20 | at << 4 | e->begins[k].direction)); // in any order
        if (is_idle(e, &scene->parts, &form->walk, demo, e->begins[k])) {
            o.vanishes = true;
            o.allowed = (uint16_t)(e->erases ? o.allowed & 1 << scene->parts.background : 0);
            if (!o.allowed) continue; // else it may be one that erases what it meets
        }
        bool puzzled = walker_go(x, e->begins[k], -1) == WALK_PUZZLED;
        int own =
            scene->parts.label[at] == part ? scene->parts.grid.cells[at] : scene->parts.parts[part].color;
        unsigned allowed = colors_of_way(e, demo, own, &gain);
        o.allowed &= (uint16_t)allowed;
        o.gain += (uint16_t)gain;
        o.may_gain |= gain || (puzzled && changes_ahead(e, demo, x));
        if (stays_as_it_was(e, demo)) o.vanishes = true;
        else o.allowed_if &= (uint16_t)allowed;
    }
    quest_spend(e->q, x->steps + 25 + 12 * o.walkers);
    x->steps = 0;
    return o;
}

// ---- Starts ----

static const int paint_kinds[] = {Paint_OWN_COLOR,        Paint_BACKGROUND,        Paint_RAREST_OF_IT,
                                  Paint_COLOR_INSIDE,     Paint_COLOR_TOUCHED,     Paint_COLOR_OF_NEAREST,
                                  Paint_COLOR_OF_LARGEST, Paint_COLOR_OF_SMALLEST, Paint_RAREST_OF_GRID};
enum { PAINT_KINDS = sizeof paint_kinds / sizeof *paint_kinds };

typedef struct {
    WalkLearner *e;
    const Sight *s;
    const WalkForm *form;
    const Outlook *outlooks;       // of the demos' parts
    int8_t (*colors)[SIGHT_PARTS]; // of each kind of paint
    // Parts that cannot be chosen: their walkers are wrong in any colour, if they do not vanish or even so.
    uint64_t dead[2][SET_WORDS];
} Starting;

// Of the walkers, in their colours, and how they go.
static uint64_t hash_of_start(const WalkRule *r, uint64_t walkers) {
    const Walk *w = &r->walk;
    uint64_t h =
        hash_mix(walkers, (uint64_t)(w->gait << 8 | w->rhythm << 2 | w->colors_start << 1 | r->vanishes));
    return w->gait == Gait_FLOODING ? hash_mix(h, (uint64_t)w->heading) : h;
}

// Keeps a start, unless a cheaper one sends the same walkers.
static void add_start(const Starting *x, WalkRule r, Paint paint, int cost, uint64_t walkers) {
    WalkLearner *e = x->e;
    r.walk.paint = paint;
    r.cost += cost;
    uint64_t hash = hash_of_start(&r, walkers);
    size_t slot = hash % WALK_SLOTS;
    for (; e->slots[slot] >= 0; slot = (slot + 1) % WALK_SLOTS) {
        int k = e->slots[slot];
        if (e->hashes[k] != hash) continue;
        if (r.cost < e->starts[k].cost) e->starts[k] = r;
        return;
    }
    if (e->start_count == WALK_STARTS) return;
    e->hashes[e->start_count] = hash;
    e->slots[slot] = (int16_t)e->start_count;
    e->starts[e->start_count++] = r;
}

// Whether all chosen parts may have the colour that a kind of paint gives them, or this color (-1: none); and
// a hash of their walkers in it.
static bool is_painted(const Starting *x, const uint64_t *chosen, int kind, int constant, bool vanishes,
                       uint64_t *hash) {
    int parts = x->s->first[x->e->q->demos];
    *hash = 0;
    for (int part = 0; part < parts; part++) {
        const Outlook *o = &x->outlooks[part];
        if (!set_has(chosen, part) || !o->walkers) continue;
        int color = constant >= 0 ? constant : x->colors[kind][part];
        int allowed = vanishes ? o->allowed_if : o->allowed;
        bool own = constant < 0 && paint_kinds[kind] == Paint_OWN_COLOR;
        if (own ? !(allowed & OWN_FITS) : color < 0 || !(allowed >> color & 1)) return false;
        bool several = own && (x->s->kind == PartsKind_THINGS || x->s->kind == PartsKind_THINGS_DIAGONAL);
        *hash += o->hash * (uint64_t)(2 * (several ? 10 : color) + 3); // the same however they are parted
    }
    return true;
}

// Adds the paints that a choice of parts may have. Each demo has to gain something.
static void add_choice(const Starting *x, const SightChoice *choice, bool vanishes) {
    const uint64_t *chosen = sight_chosen(x->s, choice);
    const Quest *q = x->e->q;
    int gains = 0, walkers = 0;
    unsigned allowed = ALL_COLORS | OWN_FITS;
    bool gone = false, late = false;
    uint64_t hash = 0;
    for (int k = 0; k < x->s->words; k++)
        if (chosen[k] & x->dead[vanishes][k]) return;
    for (int demo = 0; demo < q->demos; demo++) {
        int gain = 0;
        bool may_gain = !x->e->learns[demo];
        for (int part = x->s->first[demo]; part < x->s->first[demo + 1] && x->e->learns[demo]; part++) {
            const Outlook *o = &x->outlooks[part];
            if (!set_has(chosen, part) || !o->walkers) continue;
            allowed &= vanishes ? o->allowed_if : o->allowed;
            gain += o->gain;
            may_gain |= o->may_gain;
            walkers += o->walkers;
            gone |= o->vanishes;
        }
        if (!may_gain) return;
        gains += gain;
        late |= x->e->learns[demo] && !gain;
    }
    if (walkers > WALK_MOST_WALKERS || (vanishes && !gone)) return;
    if ((late && choice->cost > 12) || ((late || vanishes) && walkers > MOST_LATE)) return;
    WalkRule r = {
        .sight = x->s, .choice = choice, .walk = x->form->walk, .vanishes = vanishes, .gain = gains};
    r.cost = choice->cost + x->form->cost + 20 * vanishes;
    r.worth = late ? -LATE : 0;
    for (int c = 0; c < 10; c++)
        if (allowed >> c & 1 && x->e->new_colors >> c & 1 && is_painted(x, chosen, 0, c, vanishes, &hash))
            add_start(x, r, (Paint){.kind = Paint_IN_COLOR, .value = (int8_t)c}, 8, hash);
    for (int k = 0; k < PAINT_KINDS; k++)
        if (is_painted(x, chosen, k, -1, vanishes, &hash)) {
            bool erases = paint_kinds[k] == Paint_BACKGROUND && x->e->erases;
            add_start(x, r, (Paint){.kind = (int8_t)paint_kinds[k]}, k == 0 ? 0 : erases ? 5 : 15, hash);
        }
}

// What a set of directions does is what each of them does.
static Outlook look_at_set(Outlook *const *by_direction, int heading, int part) {
    Outlook all = {.allowed = ALL_COLORS | OWN_FITS, .allowed_if = ALL_COLORS | OWN_FITS};
    for (int d = 0; d < DIRECTIONS; d++) {
        if (!(heading >> d & 1)) continue;
        const Outlook *o = &by_direction[d][part];
        all.allowed &= o->allowed;
        all.allowed_if &= o->allowed_if;
        all.gain += o->gain;
        all.may_gain |= o->may_gain;
        all.vanishes |= o->vanishes;
        all.walkers += o->walkers;
        all.hash += o->hash;
    }
    return all;
}

// Looks at what becomes of all parts. False where a demo gains nothing from any of them; a set may still gain
// from what was seen.
static bool look_at_all(Starting *x, Outlook *const *by_direction, Outlook *outlooks) {
    const Sight *s = x->s;
    const Walk *w = &x->form->walk;
    bool is_set =
        w->gait != Gait_FLOODING && w->heading < Heading_OUT_OF_IT && (w->heading & (w->heading - 1));
    bool all = true;
    memset(x->dead, 0, sizeof x->dead);
    for (int demo = 0; demo < x->e->q->demos; demo++) {
        bool any = !x->e->learns[demo];
        for (int part = s->first[demo]; part < s->first[demo + 1]; part++) {
            outlooks[part] = (Outlook){0};
            if (!x->e->learns[demo]) continue;
            Outlook o = is_set ? look_at_set(by_direction, w->heading, part)
                               : look_ahead(x->e, s, x->form, demo, part - s->first[demo]);
            outlooks[part] = o;
            if (!o.allowed) set_add(x->dead[false], part);
            if (!o.allowed_if) set_add(x->dead[true], part);
            any |= o.may_gain && o.allowed_if;
        }
        all &= any;
    }
    quest_spend(x->e->q, is_set ? 15 * (int64_t)s->first[x->e->q->demos] : 0);
    return all;
}

static void find_in_sight(WalkLearner *e, const Sight *s, int8_t (*colors)[SIGHT_PARTS],
                          Outlook *const *by_direction) {
    Quest *q = e->q;
    for (int demo = 0; demo < q->demos; demo++)
        for (int part = s->first[demo]; part < s->first[demo + 1]; part++)
            for (int k = 0; k < PAINT_KINDS; k++)
                colors[k][part] = (int8_t)drawing_paint(&s->scenes[demo], part - s->first[demo],
                                                        &(Paint){.kind = (int8_t)paint_kinds[k]});
    quest_spend(q, (int64_t)s->first[q->demos] * 400);
    for (int f = 0; f < e->form_count && q->units > 0; f++) {
        const WalkForm *form = &e->forms[f];
        int heading = form->walk.heading;
        bool single = heading > 0 && heading < Heading_OUT_OF_IT && !(heading & (heading - 1));
        Outlook *outlooks = by_direction[single ? __builtin_ctz((unsigned)heading) : DIRECTIONS];
        Starting x = {.e = e, .s = s, .form = form, .outlooks = outlooks, .colors = colors};
        if (!(form->sights >> s->kind & 1) || !look_at_all(&x, by_direction, outlooks)) continue;
        for (int k = 0; k < s->choice_count; k++) {
            add_choice(&x, &s->choices[k], false);
            if (form->cost <= 12 && s->choices[k].cost <= 15) add_choice(&x, &s->choices[k], true);
        }
        quest_spend(q, (int64_t)s->choice_count * (15 + s->first[q->demos] / 3));
    }
}

// The simplest first, and those that do much before they meet anything.
static int by_worth(const void *a, const void *b) {
    const WalkRule *x = a, *y = b;
    return x->worth != y->worth ? y->worth - x->worth : x->number - y->number;
}

void walk_find_starts(WalkLearner *e) {
    int8_t(*colors)[SIGHT_PARTS] = (int8_t(*)[SIGHT_PARTS])TAKE(e->q, int8_t, PAINT_KINDS * SIGHT_PARTS);
    Outlook *by_direction[DIRECTIONS + 1]; // and one for what is no single direction
    for (int k = 0; k <= DIRECTIONS; k++)
        if (!(by_direction[k] = TAKE(e->q, Outlook, SIGHT_PARTS))) return;
    e->start_count = 0;
    memset(e->slots, -1, WALK_SLOTS * sizeof *e->slots);
    if (!colors) return;
    for (int k = 0; k < e->sight_count && e->q->units > 0; k++)
        find_in_sight(e, &e->sights[k], colors, by_direction);
    for (int k = 0; k < e->start_count; k++) {
        WalkRule *r = &e->starts[k];
        r->worth += 24 * (r->gain < e->to_cover ? r->gain : e->to_cover) / e->to_cover - r->cost;
        r->number = k;
    }
    qsort(e->starts, (size_t)e->start_count, sizeof *e->starts, by_worth);
    quest_spend(e->q, (int64_t)e->start_count * 400);
}
