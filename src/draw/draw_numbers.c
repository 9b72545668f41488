// Drawings with a number that is worked out: rays as long as the part has colours, boxes grown by half their
// width.
//
// A ladder is such a drawing with each of the numbers from 1 on, its rungs, in each direction. What the demos
// want of a part is the rung that puts most right and draws nothing wrong. An amount that gives these numbers
// for parts of most demos is worth a combination, which is then tried with all layers, paints and selectors
// as any other.
#include <string.h>

#include "draw/draw_engine.h"

enum { MOST_KEPT = 6 };

// ---- Amounts ----

static void add_amount(Draw *d, DrawView *v, int code, int cost) {
    int8_t *values = TAKE(d->q, int8_t, v->sight.parts);
    bool differ = false;
    int64_t work = v->amount_count;
    if (!values) return;
    for (int k = 0; k < d->q->samples; k++)
        for (int n = 0; n < v->sight.scenes[k].parts.count; n++) {
            int part = v->sight.first[k] + n;
            Patch p = {.kind = Drawn_BOX, .a = (int16_t)code};
            work += drawing_work_out(&v->sight.scenes[k], n, &p);
            values[part] = (int8_t)p.a;
            differ |= part < v->sight.first[d->q->demos] && p.a != values[0];
        }
    quest_spend(d->q, work);
    if (!differ) return; // a plain number would do
    Amount a = {(int16_t)code, cost, values, hash_bytes(3, values, (size_t)v->sight.parts)};
    int same = 0;
    while (same < v->amount_count && v->amounts[same].hash != a.hash) same++;
    if (same == v->amount_count) v->amounts[v->amount_count++] = a;
    else if (cost < v->amounts[same].cost) v->amounts[same] = a;
}

static void add_multiples(Draw *d, DrawView *v, int code, int cost) {
    for (int times = Multiple_ONE_TIME; times <= Multiple_TRIPLED; times++)
        for (int more = More_NO_MORE; more <= More_TWO_LESS; more++)
            add_amount(d, v, code + 10 * times + more, cost + (times ? 6 : 0) + (more ? 8 : 0));
}

static bool add_amounts(Draw *d, DrawView *v) {
    // clang-format off
    static const uint8_t props[] = { // those to be expected most come first
        Property_HEIGHT, Property_WIDTH, Property_SIZE, Property_COLOR_COUNT, Property_HOLES,
        Property_LONGER_SIDE, Property_SAME_COLOR, Property_SIZE_RANK, Property_ODD_CELLS, Property_CONTAINS,
        Property_HOLE_CELLS, Property_SAME_SHAPE, Property_ROW_RANK, Property_COLUMN_RANK, Property_GAPS,
        Property_FOREIGN_CELLS, Property_NEIGHBOR_PARTS, Property_COLOR, Property_TOP, Property_LEFTMOST,
    };
    // clang-format on
    _Static_assert((sizeof props + 1) * 4 * 5 <= MOST_AMOUNTS,
                   "there is room for each multiple, more or less");
    if (!(v->amounts = TAKE(d->q, Amount, MOST_AMOUNTS))) return false;
    for (int k = 0; k < (int)sizeof props; k++) add_multiples(d, v, Computed_ITS + 50 * props[k], 6 + k);
    add_multiples(d, v, Computed_DISTANCE_APART, 12);
    return true;
}

// ---- Ladders ----

// Where `nested`, each rung has all cells of the one below.
typedef struct {
    Patch patch;
    uint8_t cost, among;
    bool nested;
} Ladder;

static const Ladder ladders[MOST_LADDERS] = {
    {{Drawn_BOX, 0, BoxPart_FILLED, 0, 0}, 6, 1, true},
    {{Drawn_BOX, 0, BoxPart_REST, 0, 0}, 8, 1, true},
    {{Drawn_BOX, 0, BoxPart_FRAME, 0, 0}, 8, 1, false},
    {{Drawn_RINGS, 0, 0, 0, 0}, 12, 1, false},
    {{Drawn_RAY, 0, RayFrom_FROM_CELLS, 0, 0}, 5, 255, true},
    {{Drawn_COPIES, 0, Step_EVERY, 0, 0}, 12, 255, false},
    {{Drawn_COPIES, 0, Step_EVERY, 1, 0}, 12, 255, false},
};

static bool is_directed(const Ladder *l) { return l->among != 1; }

static void put_number(Patch *p, int code, int direction) {
    switch (p->kind) {
    case Drawn_BOX:
    case Drawn_RINGS: p->a = (int16_t)code; return;
    case Drawn_RAY: p->c = (int16_t)(Stop_FOR + code); break;
    default: p->b = (int16_t)(Step_EVERY + code); break;
    }
    p->a = (int16_t)(1 << direction);
}

// ---- What the demos want ----

// The rung that a part wants, and what that puts right.
typedef struct {
    uint8_t rung[SIGHT_PARTS];
    uint16_t gain[SIGHT_PARTS];
} Wanted;

// Whether some part may want a rung, or a higher one; notes those that want it.
static bool note_wanted(const Draw *d, const DrawView *v, const List *l, int rung, Layer layer, Wanted *w) {
    const Sight *s = &v->sight;
    bool some = false;
    for (int k = 0; k < d->q->demos; k++)
        for (int part = s->first[k]; part < s->first[k + 1] && d->learns[k]; part++) {
            if (!l->allowed[layer][part]) continue;
            some |= l->gain[layer][part] > 0;
            if (l->gain[layer][part] <= w->gain[part]) continue;
            w->rung[part] = (uint8_t)rung;
            w->gain[part] = l->gain[layer][part];
        }
    return some;
}

// Climbs a ladder in a direction. False where memory is short or nothing is wanted.
static bool climb(Draw *d, DrawView *v, int ladder, int direction, Wanted wanted[2]) {
    List **rungs = &v->rungs[ladder][direction];
    int demo_parts = v->sight.first[d->q->demos];
    bool some = true, any = false;
    if (!*rungs) {
        if (!(*rungs = TAKE(d->q, List, RUNGS))) return false;
        memset(*rungs, 0, RUNGS * sizeof **rungs);
    }
    memset(wanted, 0, 2 * sizeof *wanted);
    for (int n = 0; n < RUNGS && (some || !ladders[ladder].nested); n++) {
        List *l = &(*rungs)[n];
        if (!l->gain[LAYERS - 1]) { // it is not filled yet
            l->patch = ladders[ladder].patch;
            put_number(&l->patch, n + 1, direction);
            if (!draw_fill_list(d, v, l)) return false;
        }
        draw_judge(d, v, l);
        if (!quest_spend(d->q, (int64_t)l->start[demo_parts] + 7 * demo_parts)) return false;
        some = note_wanted(d, v, l, n + 1, Layer_OVER, &wanted[0]);
        some |= note_wanted(d, v, l, n + 1, Layer_UNDER, &wanted[1]);
        any |= some;
    }
    return any;
}

// What an amount puts right of the parts that want just so much, in most demos; 0 where that is too little,
// or a plain number does it.
static int hits(const Draw *d, const DrawView *v, const Wanted *w, const Amount *a) {
    const Sight *s = &v->sight;
    int gain = 0, demos = 0, learnt = 0, first = 0;
    bool differ = false;
    for (int k = 0; k < d->q->demos; k++) {
        int before = gain;
        for (int part = s->first[k]; part < s->first[k + 1] && d->learns[k]; part++) {
            if (!w->rung[part] || a->values[part] != w->rung[part]) continue;
            gain += w->gain[part];
            if (!first) first = w->rung[part];
            differ |= w->rung[part] != first;
        }
        demos += gain > before;
        learnt += d->learns[k];
    }
    return differ && 2 * demos > learnt && (demos > 1 || learnt == 1) ? gain : 0;
}

// ---- Combinations ----

static bool same_patch(const Patch *p, const Patch *q) {
    return p->kind == q->kind && p->a == q->a && p->b == q->b && p->c == q->c;
}

// Memory is bounded: each is made once, however many demos it is left out of.
static void add_combo(Draw *d, DrawView *v, const Ladder *l, const Amount *a, unsigned ways) {
    Combo made = {.patch = l->patch, .cost = l->cost + a->cost};
    put_number(&made.patch, a->code, 0);
    if (is_directed(l)) {
        made.cost += ways & (ways - 1) ? 12 : 10;
        made.patch.a = (int16_t)ways;
    }
    int n = 0;
    while (n < v->numbered_count && !same_patch(&v->numbered[n]->patch, &made.patch)) n++;
    if (n < v->numbered_count) v->wanted[n] = true;
    if (n < v->numbered_count || n == MOST_NUMBERED) return;
    Combo *c = TAKE(d->q, Combo, 1);
    List *lists = TAKE(d->q, List, 8);
    if (!c || !lists) return;
    for (int k = 0; k < 8; k++) {
        if (!(ways >> k & 1)) continue;
        lists[k] = (List){.patch = l->patch};
        put_number(&lists[k].patch, a->code, k);
        if (!draw_fill_list(d, v, &lists[k])) return;
        made.lists[made.count++] = &lists[k];
    }
    *c = made;
    v->numbered[n] = c;
    v->wanted[n] = true;
    v->numbered_count++;
}

// The combinations of a ladder with the amounts that put most right.
static void add_best(Draw *d, DrawView *v, const Ladder *l, int *gains, const uint8_t *ways) {
    for (int kept = 0; kept < MOST_KEPT; kept++) {
        int best = -1;
        for (int n = 0; n < v->amount_count; n++)
            if (gains[n] &&
                (best < 0 || gains[n] * 4 - v->amounts[n].cost > gains[best] * 4 - v->amounts[best].cost))
                best = n;
        if (best < 0) return;
        const Amount *a = &v->amounts[best];
        for (int k = 0; k < 8; k++)
            if (ways[best] >> k & 1) add_combo(d, v, l, a, 1U << k);
        if (ways[best] & (ways[best] - 1)) add_combo(d, v, l, a, ways[best]);
        gains[best] = 0;
    }
}

void draw_find_numbers(Draw *d, DrawView *v) {
    memset(v->wanted, 0, sizeof v->wanted);
    if (v->sight.kind == PartsKind_REGIONS || v->sight.kind == PartsKind_PATCHES) return;
    if (!v->amounts && !add_amounts(d, v)) return;
    for (int m = 0; m < MOST_LADDERS && !d->over; m++) {
        Wanted wanted[2];
        uint8_t ways[MOST_AMOUNTS] = {0};
        int gains[MOST_AMOUNTS] = {0};
        for (int k = 0; k < 8 && !d->over; k++) {
            d->over = d->q->units <= 0;
            if (!(ladders[m].among >> k & 1) || !climb(d, v, m, k, wanted)) continue;
            for (int n = 0; n < 2 * v->amount_count; n++) {
                int gain = hits(d, v, &wanted[n % 2], &v->amounts[n / 2]);
                if (gain) ways[n / 2] |= (uint8_t)(1 << k);
                gains[n / 2] += gain;
            }
            quest_spend(d->q, 2 * (int64_t)v->amount_count * v->sight.first[d->q->demos]);
        }
        add_best(d, v, &ladders[m], gains, ways);
    }
}
