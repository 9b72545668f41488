// The half of the engine that learns journeys: which way each part goes, by itself.
//
// Where a part has gone is seen in the output, and that is the end of all motion: a part that goes until it
// is stopped lies there at a place from which it could not go on. So a way is looked at part by part, at
// little cost, and only what suits all parts is carried out. A table of directions is learnt the same way:
// for each value of a property the directions that suit all parts with that value.
#include <string.h>

#include "move/move_engine.h"

enum { LENGTHS = 4, MOST_STEPS = 4, MOST_FAR = 32 };

// Where a part may have gone, as the output has it.
typedef struct {
    uint8_t stops;           // the directions in which it may have gone until it was stopped
    int8_t gone[DIRECTIONS]; // and how far
} Trace;

typedef struct {
    int demo, part, color; // color: that it arrives in
    Landing to;
} Goer;

struct Trips {
    Move *m;
    const Sight *s;
    const SightChoice *choice;
    int lost; // the colour of other parts that come to nothing, -1: none do
    int far_count;
    int16_t far[MOST_FAR]; // how far a part may go
    Trace *traces[2];      // in their own colours, in one colour
    const Trace *seen;     // one of them
    bool painted;          // which
    // Of the demos' parts:
    bool *chosen;
    bool *changed;   // some cell of it is not as it was
    bool *left;      // no cell of it is as it was
    Plan *holes;     // where the hole of its shape is, once that is known
    bool *searched;  // whether it is
    int16_t *order;  // of each demo, those first of which something has changed
    uint8_t *suited; // the directions that suit it, as bits
    Plan *plans;     // of the chosen in demos that are planned
    bool planned[QUEST_MOST_DEMOS];
    Goer *goers; // those that go anywhere
    int goer_count;
};

// ---- Where parts have gone ----

// The colour that a part has in the output where it comes to lie so: its own (-1), or one for all; -2 where
// it is not there.
static int arrival(const Trips *t, int demo, int part, const Landing *to) {
    const Parts *p = &t->s->scenes[demo].parts;
    const Part *x = &p->parts[part];
    ts_grid in = p->grid, out = t->m->q->outputs[demo];
    int color = -2;
    for (int i = x->top; i <= x->bottom; i++)
        for (int j = x->left; j <= x->right; j++) {
            int k = to->flips_rows ? to->rows - i : to->rows + i;
            int l = to->flips_columns ? to->columns - j : to->columns + j;
            if (p->label[i * in.width + j] != part || k < 0 || l < 0 || k >= in.height || l >= in.width)
                continue;
            int is = out.cells[k * in.width + l], was = in.cells[i * in.width + j];
            if (!t->painted && is != was) return -2;
            if (t->painted && (is == p->background || (color >= 0 && is != color))) return -2;
            color = t->painted ? is : -1;
        }
    return color;
}

// Whether a part n steps on could not take another one: at the border, or something lies there.
static bool is_stopped(const Trips *t, int demo, int part, int direction, int n) {
    const Parts *p = &t->s->scenes[demo].parts;
    const Part *x = &p->parts[part];
    ts_grid out = t->m->q->outputs[demo];
    if (n == journey_room(out, x, direction)) return true;
    int di = direction_rows[direction], dj = direction_columns[direction];
    for (int i = x->top; i <= x->bottom; i++)
        for (int j = x->left; j <= x->right; j++) {
            if (p->label[i * out.width + j] != part) continue;
            int k = i + di, l = j + dj;
            bool own =
                k >= 0 && l >= 0 && k < out.height && l < out.width && p->label[k * out.width + l] == part;
            if (!own && out.cells[(i + (n + 1) * di) * out.width + j + (n + 1) * dj] != p->background)
                return true;
        }
    return false;
}

static void trace_part(const Trips *t, int demo, int part, Trace *trace) {
    const Parts *p = &t->s->scenes[demo].parts;
    int cost = 0;
    *trace = (Trace){0};
    for (int d = 0; d < DIRECTIONS; d++) {
        int room = journey_room(p->grid, &p->parts[part], d);
        for (int n = 0; n <= room; n++) {
            Landing to = {.rows = n * direction_rows[d], .columns = n * direction_columns[d]};
            cost += 30;
            if (arrival(t, demo, part, &to) == -2 || !is_stopped(t, demo, part, d, n)) continue;
            trace->stops |= (uint8_t)(1 << d);
            trace->gone[d] = (int8_t)n;
            if (n) break; // rather than that it did not move
        }
    }
    quest_spend(t->m->q, cost);
}

static bool trace_all(Trips *t, bool painted) {
    const Sight *s = t->s;
    int demos = t->m->q->demos;
    Trace *traces = TAKE(t->m->q, Trace, s->first[demos]);
    if (!traces) return false;
    t->painted = painted;
    for (int k = 0; k < demos; k++)
        for (int n = 0; n < s->scenes[k].parts.count; n++) trace_part(t, k, n, &traces[s->first[k] + n]);
    t->traces[painted] = traces;
    return true;
}

static void add_far(Trips *t, int far) { t->far[t->far_count++] = (int16_t)far; }

static void list_how_far(Trips *t) {
    for (int far = HowFar_TILL_STOPPED; far <= HowFar_MIRRORED_AT_MIDDLE; far++) add_far(t, far);
    for (int k = 0; k < LENGTHS; k++) add_far(t, HowFar_LENGTHS + k);
    for (int n = 1; n <= MOST_STEPS; n++) add_far(t, HowFar_STEPS + n);
    for (int c = 0; c < 10; c++)
        if (t->m->counted >> c & 1) add_far(t, HowFar_AS_MANY_AS + c);
}

static void list_parts(Trips *t, const uint64_t *touched) {
    for (int k = 0; k < t->m->q->demos; k++) {
        int n = t->s->first[k];
        for (int changed = 1; changed >= 0; changed--)
            for (int part = t->s->first[k]; part < t->s->first[k + 1]; part++)
                if (set_has(touched, part) == changed) t->order[n++] = (int16_t)(part - t->s->first[k]);
    }
}

Trips *move_trips(Move *m, const Sight *s, const uint64_t *moved, const uint64_t *touched) {
    Trips *t = TAKE(m->q, Trips, 1);
    int parts = s->first[m->q->demos];
    if (!t) return NULL;
    *t = (Trips){.m = m,
                 .s = s,
                 .chosen = TAKE(m->q, bool, parts),
                 .changed = TAKE(m->q, bool, parts),
                 .left = TAKE(m->q, bool, parts),
                 .holes = TAKE(m->q, Plan, parts),
                 .searched = TAKE(m->q, bool, parts),
                 .order = TAKE(m->q, int16_t, parts),
                 .suited = TAKE(m->q, uint8_t, parts),
                 .plans = TAKE(m->q, Plan, parts),
                 .goers = TAKE(m->q, Goer, parts)};
    if (!t->chosen || !t->changed || !t->left || !t->holes || !t->searched || !t->order || !t->suited ||
        !t->plans || !t->goers)
        return NULL;
    if (!trace_all(t, false) || (m->recolors && !trace_all(t, true))) return NULL;
    for (int k = 0; k < parts; k++) {
        t->left[k] = set_has(moved, k);
        t->changed[k] = set_has(touched, k);
        t->searched[k] = false;
    }
    list_parts(t, touched);
    list_how_far(t);
    return t;
}

// ---- A way, and how far ----

// Whether each cell of a part may have gone this way by itself.
static bool cells_may_fall(const Trips *t, int demo, int part, int direction) {
    const Parts *p = &t->s->scenes[demo].parts;
    const Part *x = &p->parts[part];
    ts_grid out = t->m->q->outputs[demo];
    for (int i = x->top; i <= x->bottom; i++)
        for (int j = x->left; j <= x->right; j++) {
            int at = i * out.width + j, k = i, l = j;
            if (p->label[at] != part) continue;
            while (k >= 0 && l >= 0 && k < out.height && l < out.width &&
                   out.cells[k * out.width + l] != p->grid.cells[at])
                k += direction_rows[direction], l += direction_columns[direction];
            if (k < 0 || l < 0 || k >= out.height || l >= out.width) return false;
        }
    return true;
}

// Where the part lies at the end; false where it has no way to go. *fits: whether the output has it there.
static bool end_of(const Trips *t, int demo, int part, int far, Landing *to, bool *fits) {
    const Plan *plan = &t->plans[t->s->first[demo] + part];
    const Trace *trace = &t->seen[t->s->first[demo] + part];
    int d = plan->direction;
    if (!plan->lands && d < 0) return false;
    if (!plan->lands && far == HowFar_TILL_STOPPED) {
        *to = (Landing){.rows = trace->gone[d] * direction_rows[d],
                        .columns = trace->gone[d] * direction_columns[d]};
        *fits = trace->stops >> d & 1;
        return true;
    }
    if (!plan->lands && far == HowFar_CELLS_TILL_STOPPED) {
        *to = (Landing){0};
        *fits = !t->painted && cells_may_fall(t, demo, part, d);
        return true;
    }
    if (!journey_landing(&t->s->scenes[demo], part, plan, far, to)) return false;
    *fits = arrival(t, demo, part, to) != -2;
    return true;
}

// Those of some how-fars (as bits) with which the output has the part where it comes to lie. One that has no
// way to go must be as it was, or have vanished. Notes with which it moves.
static unsigned suit_part(const Trips *t, int demo, int part, unsigned fars, unsigned *moving) {
    int at = t->s->first[demo] + part;
    unsigned suited = 0;
    for (int k = 0; k < t->far_count; k++) {
        Landing to;
        bool fits = !t->changed[at] || t->left[at];
        if (!(fars >> k & 1)) continue;
        if (end_of(t, demo, part, t->far[k], &to, &fits) && fits)
            *moving |= (unsigned)(to.rows || to.columns || t->far[k] == HowFar_CELLS_TILL_STOPPED) << k;
        suited |= (unsigned)fits << k;
    }
    return suited;
}

// What a hole is does not depend on what else is chosen.
static bool plan_part(Trips *t, int demo, const Way *way, int part, int64_t *work) {
    int first = t->s->first[demo], at = first + part;
    const Scene *scene = &t->s->scenes[demo];
    if (way->kind != Way_INTO_ITS_HOLE)
        return journey_plan(scene, t->chosen + first, way, part, &t->plans[at], work);
    if (!t->searched[at]) journey_plan(scene, t->chosen + first, way, part, &t->holes[at], work);
    t->searched[at] = true;
    t->plans[at] = t->holes[at];
    return true;
}

// The same for all parts of a demo; plans them as long as there is any.
static unsigned suit_demo(Trips *t, int demo, const Way *way, unsigned fars, unsigned *moving,
                          int64_t *work) {
    int first = t->s->first[demo];
    for (int k = first; k < t->s->first[demo + 1] && fars; k++) {
        int part = t->order[k];
        if (!t->chosen[first + part]) continue;
        fars = plan_part(t, demo, way, part, work) ? suit_part(t, demo, part, fars, moving) : 0;
        *work += 10 + 8 * __builtin_popcount(fars);
    }
    t->planned[demo] = fars != 0;
    return fars;
}

// ---- What is learnt besides ----

static void find_goers(Trips *t, int far) {
    t->goer_count = 0;
    for (int k = 0; k < t->m->q->demos; k++)
        for (int part = 0; part < t->s->scenes[k].parts.count && t->planned[k]; part++) {
            Landing to;
            bool fits = false;
            if (t->chosen[t->s->first[k] + part] && end_of(t, k, part, far, &to, &fits) && fits)
                t->goers[t->goer_count++] = (Goer){k, part, arrival(t, k, part, &to), to};
        }
}

static bool paints_all(const Trips *t, const Paint *paint) {
    for (int k = 0; k < t->goer_count; k++) {
        const Goer *g = &t->goers[k];
        if (drawing_paint(&t->s->scenes[g->demo], g->part, paint) != g->color) return false;
    }
    return true;
}

// A property is no place: that is where it is, not what.
static bool is_trait(int prop) { return prop < Property_TOP || prop > Property_RIGHTMOST; }

static bool learn_paint_table(const Trips *t, int prop, Paint *paint) {
    *paint = (Paint){.kind = Paint_BY_TABLE, .value = (int8_t)prop};
    for (int k = 0; k < t->goer_count; k++) {
        const Goer *g = &t->goers[k];
        int value = t->s->scenes[g->demo].props[g->part * PROPS + prop], at = 0;
        while (at < paint->entries && paint->from[at] != value) at++;
        if (at == PAINT_ENTRIES || (at < paint->entries && paint->to[at] != g->color)) return false;
        if (at == paint->entries) paint->entries++;
        paint->from[at] = (int16_t)value;
        paint->to[at] = (int8_t)g->color;
    }
    return paint->entries < t->goer_count;
}

// In which colour they arrive. Returns what saying it costs, -1 where nothing says it.
static int learn_paint(const Trips *t, Rule *r) {
    r->paint = (Paint){.kind = Paint_OWN_COLOR};
    if (!t->painted) return 0;
    if (t->goer_count == 0) return -1;
    if (paints_all(t, &r->paint)) return r->journey.ends |= 1 << JourneyEnds_ALL_IN_MAIN_COLOR, 5;
    r->paint = (Paint){.kind = Paint_IN_COLOR, .value = (int8_t)t->goers[0].color};
    if (paints_all(t, &r->paint)) return 10;
    for (int kind = Paint_RAREST_OF_IT; kind < Paint_BY_TABLE; kind++) {
        r->paint = (Paint){.kind = (int8_t)kind};
        if (paints_all(t, &r->paint)) return 12;
    }
    int first = r->journey.way.kind == Way_HEADING_BY ? r->journey.way.value : Property_SIZE;
    for (int k = 0; k <= PROPS; k++) {
        int prop = k ? k - 1 : first;
        if (is_trait(prop) && learn_paint_table(t, prop, &r->paint)) return 10 + 4 * r->paint.entries;
    }
    return -1;
}

// What the first that goes has left where it was.
static int learn_trail(const Trips *t) {
    for (int k = 0; k < t->goer_count; k++) {
        const Goer *g = &t->goers[k];
        const Parts *p = &t->s->scenes[g->demo].parts;
        const Part *x = &p->parts[g->part];
        if (g->to.flips_rows || g->to.flips_columns || (g->to.rows == 0 && g->to.columns == 0)) continue;
        int i = x->first / p->grid.width - g->to.rows, j = x->first % p->grid.width - g->to.columns;
        bool covers = i >= 0 && j >= 0 && i < p->grid.height && j < p->grid.width &&
                      p->label[i * p->grid.width + j] == g->part;
        int left = t->m->q->outputs[g->demo].cells[x->first];
        if (covers) continue; // it lies there still
        return left == p->background ? Trail_NO_TRAIL
               : left == x->color    ? Trail_TRAIL_OWN
                                     : Trail_TRAIL_IN + left;
    }
    return Trail_NO_TRAIL;
}

// Whether a part that has no way to go has vanished.
static bool learn_vanishing(const Trips *t, int far) {
    for (int k = 0; k < t->m->q->demos; k++)
        for (int part = 0; part < t->s->scenes[k].parts.count && t->planned[k]; part++) {
            Landing to;
            bool fits;
            int at = t->s->first[k] + part;
            if (t->chosen[at] && t->left[at] && !end_of(t, k, part, far, &to, &fits)) return true;
        }
    return false;
}

// ---- Ways ----

static bool is_landing(const Way *way) {
    return (way->kind >= Way_INTO_ITS_HOLE && way->kind <= Way_ACROSS_GRID) || journey_is_stack(way);
}

// What becomes of other parts that come to nothing: the way leads to them, or over them.
static void learn_losses(const Trips *t, Journey *j) {
    if (t->lost < 0) return;
    if (journey_has_target(&j->way) && j->way.value == t->lost) j->ends |= 1 << JourneyEnds_TARGETS_VANISH;
    else if (j->trail == Trail_NO_TRAIL && t->goer_count)
        j->trail = (int16_t)(Trail_TRAIL_IN + t->s->scenes[t->goers[0].demo].parts.background);
}

static bool try_journey(Trips *t, const Way *way, int far, int cost) {
    quest_spend(t->m->q, 40 * t->s->first[t->m->q->demos]);
    find_goers(t, far);
    Rule r = {
        .sight = t->s, .choice = t->choice, .sends = true, .journey = {.way = *way, .far = (int16_t)far}};
    if (!is_landing(way)) r.journey.trail = (int16_t)learn_trail(t);
    if (learn_vanishing(t, far)) r.journey.ends |= 1 << JourneyEnds_VANISHING;
    learn_losses(t, &r.journey);
    int paint_cost = learn_paint(t, &r);
    if (paint_cost < 0) return false;
    r.cost = t->choice->cost + cost + paint_cost + (r.journey.trail ? 10 : 0) + 5 * (r.journey.ends != 0);
    // What shifts say as well.
    if (way->kind == Way_GOING && !t->painted && !r.journey.trail) return false;
    bool any = move_try(t->m, &r) < 2;
    if (r.journey.trail != Trail_TRAIL_OWN) return any;
    r.journey.trail = Trail_LEAVING_COPY;
    return move_try(t->m, &r) < 2 || any;
}

static int cost_of_far(int far) {
    return far >= HowFar_STEPS                ? 6 + far - HowFar_STEPS
           : far >= HowFar_AS_MANY_AS         ? 12
           : far >= HowFar_LENGTHS            ? 8
           : far >= HowFar_UP_TO_IT           ? 4
           : far == HowFar_TO_THE_BORDER      ? 3
           : far == HowFar_CELLS_TILL_STOPPED ? 5
                                              : 0;
}

// The how-fars that make sense for a way, as bits.
static unsigned fars_for(const Trips *t, const Way *way) {
    unsigned all = 0;
    for (int k = 0; k < t->far_count; k++) {
        int far = t->far[k];
        if (is_landing(way) && far != HowFar_TILL_STOPPED) continue;
        if (far >= HowFar_UP_TO_IT && far <= HowFar_MIRRORED_AT_MIDDLE && !journey_has_target(way)) continue;
        if (far == HowFar_CELLS_TILL_STOPPED && way->kind == Way_GOING) continue; // a shift says it
        all |= 1U << k;
    }
    return all;
}

// Tries a way with each how-far that suits all demos, or all but one.
static bool try_way(Trips *t, const Way *way, int cost) {
    Quest *q = t->m->q;
    int64_t work = 0;
    if (q->units <= 0) return false;
    unsigned alive = fars_for(t, way), missed = q->demos < 3 ? alive : 0, moving = 0;
    for (int k = 0; k < q->demos && alive; k++) {
        unsigned misses = alive & ~suit_demo(t, k, way, alive, &moving, &work);
        alive &= ~(misses & missed);
        missed |= misses;
    }
    if (!quest_spend(q, 80 + 2 * work)) return false;
    bool any = false;
    for (int k = 0; k < t->far_count; k++)
        if ((alive & moving) >> k & 1) any |= try_journey(t, way, t->far[k], cost + cost_of_far(t->far[k]));
    return any;
}

// What all demos, or all but one, have of: a colour among the parts that stay, one of those among the others.
static unsigned targets_of(const Trips *t) {
    unsigned all = 0xFFF, missed = t->m->q->demos < 3 ? all : 0;
    for (int k = 0; k < t->m->q->demos; k++) {
        unsigned still = 0, chosen = 0;
        for (int part = t->s->first[k]; part < t->s->first[k + 1]; part++) {
            unsigned colors = t->s->scenes[k].parts.parts[part - t->s->first[k]].colors;
            if (t->chosen[part]) chosen |= colors;
            else still |= colors;
        }
        unsigned has =
            still | (still ? 1U << Target_ANY_COLOR : 0) | (still & chosen ? 1U << Target_OWN_COLOR : 0);
        all &= has | ~missed;
        missed |= ~has;
    }
    return all;
}

static bool try_stacks(Trips *t) {
    static const int16_t orders[] = {Property_SIZE,     Property_HEIGHT,      Property_WIDTH,
                                     Property_ROW_RANK, Property_COLUMN_RANK, Property_COLOR};
    bool any = false;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
        for (int n = 0; n < 16; n++) {
            int along = n % 4, against = (along + 1 + n / 4 % 2 * 2) % 4;
            any |= try_way(t,
                           &(Way){.kind = n < 8 ? Way_STACKED_RISING : Way_STACKED_FALLING,
                                  .value = orders[k],
                                  .along = (int8_t)along,
                                  .against = (int8_t)against},
                           20);
        }
    return any;
}

static bool try_ways(Trips *t) {
    bool any = false;
    for (int d = 0; d < DIRECTIONS; d++)
        any |= try_way(t, &(Way){.kind = Way_GOING, .value = (int16_t)d}, d < Direction_NORTHEAST ? 12 : 17);
    unsigned targets = targets_of(t);
    for (int target = 0; target <= Target_OWN_COLOR; target++) {
        if (!(targets >> target & 1)) continue;
        int cost = target < 10 ? 16 : 12;
        any |= try_way(t, &(Way){.kind = Way_HEADING_TO, .value = (int16_t)target}, cost);
        any |= try_way(t, &(Way){.kind = Way_HEADING_FROM, .value = (int16_t)target}, cost + 3);
        any |= try_way(t, &(Way){.kind = Way_HEADING_ASLANT_TO, .value = (int16_t)target}, cost + 4);
        any |= try_way(t, &(Way){.kind = Way_ONTO_NEAREST, .value = (int16_t)target}, cost + 3);
    }
    for (int kind = Way_WHERE_IT_POINTS; kind <= Way_ONTO_ITS_MARK; kind++)
        any |= try_way(t, &(Way){.kind = (int16_t)kind}, 15);
    for (int kind = Way_TO_MIDDLE; kind <= Way_FROM_MIDDLE; kind++)
        any |= try_way(t, &(Way){.kind = (int16_t)kind}, 15);
    if (t->painted) return any; // those below would be a change of colours, and no motion
    static const int16_t alike[] = {Property_COLOR_COUNT, Property_COLOR,  Property_SIZE,
                                    Property_SAME_SHAPE,  Property_HEIGHT, Property_WIDTH};
    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++)
        any |= try_way(t, &(Way){.kind = Way_EXCHANGED, .value = alike[k]}, 15);
    static const int16_t turns[] = {Turn_UPSIDE_DOWN, Turn_LEFT_TO_RIGHT, Turn_TURNED_ROUND};
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++)
        any |= try_way(t, &(Way){.kind = Way_ACROSS_GRID, .value = turns[k]}, 15);
    return try_stacks(t) || any;
}

// ---- Tables of directions ----

// The directions that suit a part, for each how-far that a table may have.
static uint8_t directions_of(Trips *t, int demo, int part, int far) {
    Plan *plan = &t->plans[t->s->first[demo] + part];
    uint8_t all = 0;
    if (far == HowFar_TILL_STOPPED) return t->seen[t->s->first[demo] + part].stops;
    for (int d = 0; d < DIRECTIONS; d++) {
        Landing to;
        bool fits = false;
        *plan = (Plan){.direction = (int8_t)d, .target = -1};
        if (end_of(t, demo, part, far, &to, &fits) && fits) all |= (uint8_t)(1 << d);
    }
    return all;
}

// Learns the table for a property from all demos but one (-1: all).
static bool learn_table(const Trips *t, const uint8_t *suited, int prop, int without, Way *way) {
    uint8_t common[WAY_ENTRIES];
    *way = (Way){.kind = Way_HEADING_BY, .value = (int16_t)prop};
    for (int k = 0; k < t->m->q->demos; k++)
        for (int part = 0; part < t->s->scenes[k].parts.count && k != without; part++) {
            int at = t->s->first[k] + part, entry = 0;
            if (!t->chosen[at]) continue;
            int value = t->s->scenes[k].props[part * PROPS + prop];
            while (entry < way->entries && way->from[entry] != value) entry++;
            if (entry == WAY_ENTRIES) return false;
            if (entry == way->entries) common[way->entries++] = 0xFF;
            way->from[entry] = (int16_t)value;
            common[entry] &= suited[at];
            if (!common[entry]) return false;
        }
    for (int k = 0; k < way->entries; k++) way->to[k] = (int8_t)__builtin_ctz(common[k]);
    return way->entries > 0;
}

static unsigned far_bit(const Trips *t, int far) {
    for (int k = 0; k < t->far_count; k++)
        if (t->far[k] == far) return 1U << k;
    return 0;
}

static bool is_one_direction(const Way *way) {
    for (int k = 1; k < way->entries; k++)
        if (way->to[k] != way->to[0]) return false;
    return true;
}

// A table that is right must foresee a demo that it was not learnt from: what does not is as if another rule
// that is wrong there alone stood against it.
static void doubt_table(Trips *t, const uint8_t *suited, Rule *r) {
    for (int k = 0; k < t->m->q->demos; k++) {
        Rule other = *r;
        if (!learn_table(t, suited, r->journey.way.value, k, &other.journey.way) ||
            !move_is_right(t->m, &other, k))
            t->m->wrong_on[k] += r->weight;
    }
}

static bool try_tables(Trips *t, int far, int cost) {
    uint8_t *suited = t->suited;
    if (!quest_spend(t->m->q, 20 * t->s->first[t->m->q->demos])) return false;
    for (int k = 0; k < t->m->q->demos; k++)
        for (int n = t->s->first[k]; n < t->s->first[k + 1]; n++) {
            int part = t->order[n], at = t->s->first[k] + part;
            if (t->chosen[at] && !(suited[at] = directions_of(t, k, part, far))) return false;
        }
    bool any = false;
    int64_t work = 0;
    unsigned moving = 0;
    for (int prop = 0; prop < PROPS && quest_spend(t->m->q, 200); prop++) {
        Rule r = {.sight = t->s, .choice = t->choice, .sends = true, .journey = {.far = (int16_t)far}};
        Way *way = &r.journey.way;
        if (!is_trait(prop) || !learn_table(t, suited, prop, -1, way) || is_one_direction(way)) continue;
        for (int k = 0; k < t->m->q->demos; k++) suit_demo(t, k, way, far_bit(t, far), &moving, &work);
        find_goers(t, far);
        r.journey.trail = (int16_t)learn_trail(t);
        int paint_cost = learn_paint(t, &r);
        if (paint_cost < 0) continue;
        r.cost = t->choice->cost + cost + paint_cost + 4 * way->entries + (prop == Property_COLOR ? 0 : 5) +
                 (r.journey.trail ? 10 : 0);
        int misses = move_try(t->m, &r);
        any |= misses < 2;
        if (misses == 0) doubt_table(t, suited, &r);
    }
    quest_spend(t->m->q, work);
    return any;
}

// Whether all demos, or all but one, have some of the chosen parts among these.
static bool moves_some(const Trips *t, const bool *these) {
    int demos = t->m->q->demos, without = 0;
    for (int k = 0; k < demos; k++) {
        int part = t->s->first[k];
        while (part < t->s->first[k + 1] && !(t->chosen[part] && these[part])) part++;
        without += part == t->s->first[k + 1];
    }
    return without <= (demos < 3 ? 0 : 1);
}

bool move_try_trips(Trips *t, const SightChoice *choice, int lost) {
    const uint64_t *set = sight_chosen(t->s, choice);
    bool any = false;
    t->choice = choice;
    t->lost = lost;
    for (int k = 0; k < t->s->first[t->m->q->demos]; k++) t->chosen[k] = set_has(set, k);
    for (int painted = 0; painted < (t->m->recolors ? 2 : 1) && t->m->q->units > 0; painted++) {
        if (!moves_some(t, painted ? t->left : t->changed)) continue;
        t->painted = painted;
        t->seen = t->traces[painted];
        any |= try_ways(t);
        if (lost >= 0) continue;
        any |= try_tables(t, HowFar_TILL_STOPPED, 15);
        any |= try_tables(t, HowFar_TO_THE_BORDER, 18);
        for (int k = 0; k < LENGTHS; k++) any |= try_tables(t, HowFar_LENGTHS + k, 22);
        for (int n = 1; n <= MOST_STEPS; n++) any |= try_tables(t, HowFar_STEPS + n, 20 + n);
    }
    return any;
}
