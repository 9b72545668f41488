// The engine that moves parts: by an amount, until something blocks them, to the wall, towards another part.
//
// Each rule (selector, motion, paint) is tried as it stands: it moves the parts of the demos' inputs, and
// what comes out is compared. Only selectors are tried that take every part of which nothing is left in
// place; of the shifts, only those that bring the first chosen part to where the output has it. Rules that
// are right on all demos vote on the tests; those that are right on all demos but one tell how far the vote
// is to be trusted.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "move/move_engine.h"

// Parts a demo: more are a texture.
enum { MOST_MOTIONS = 320, MOST_SHIFTS = 6, MOST_COUNTED = 12, MOST_GOING = 40 };

typedef struct {
    Motion motion;
    int cost;
} CostedMotion;

// ---- What is tried ----

typedef struct {
    CostedMotion *at;
    int count;
    bool leaves; // whether the parts stay where they are as well
} Motions;

static void add_motion(Motions *all, int cost, int kind, int a, int b) {
    if (all->count < MOST_MOTIONS)
        all->at[all->count++] = (CostedMotion){{(int16_t)kind, (int16_t)a, (int16_t)b, all->leaves}, cost};
}

static void all_motions(const Quest *q, Motions *all) {
    unsigned colors = colors_in(q->inputs[0]);
    for (int d = 0; d < DIRECTIONS; d++) {
        bool straight = d < Direction_NORTHEAST;
        add_motion(all, straight ? 10 : 15, Motion_SLIDE, d, 0);
        add_motion(all, straight ? 12 : 17, Motion_MOVE_TO_WALL, d, 0);
        if (straight) add_motion(all, 10, Motion_FALL, d, 0);
        for (int length = OwnLength_BY_HEIGHT; length <= OwnLength_BY_SIZE + straight; length++)
            add_motion(all, 20, Motion_BY_OWN, d, length);
        int turn = d; // there are as many
        if (turn != Turn_AS_IS) add_motion(all, 15, Motion_ROTATE, turn, 0);
    }
    for (int line = Line_ALIGN_TOP; line <= Line_ALIGN_RIGHT; line++) {
        for (int c = 0; c < 10; c++)
            if (colors >> c & 1) add_motion(all, 18, Motion_ALIGN, line, c);
        add_motion(all, 15, Motion_ALIGN, line, AnyColor_ANY_COLOR);
    }
    for (int reach = Reach_UNTIL_BLOCKED; reach <= Reach_PAST_ANYTHING; reach++) {
        add_motion(all, 12 + 3 * reach, Motion_TOWARDS, AnyColor_ANY_COLOR, reach);
        for (int c = 0; c < 10; c++)
            if (colors >> c & 1) add_motion(all, 16 + 3 * reach, Motion_TOWARDS, c, reach);
    }
}

// Whether a part of a demo, moved by (di, dj), is what the output has there.
static bool arrives(const Quest *q, const Scene *s, int demo, int part, int di, int dj) {
    ts_grid in = q->inputs[demo], out = q->outputs[demo];
    int inside = 0;
    for (int n = s->first[part]; n < s->first[part + 1]; n++) {
        int i = s->cells[n].row, j = s->cells[n].column, k = i + di, l = j + dj;
        if (k < 0 || l < 0 || k >= in.height || l >= in.width) continue;
        inside++;
        if (out.cells[k * in.width + l] != in.cells[i * in.width + j]) return false;
    }
    return inside > 0;
}

// Shifts that may be meant, the shortest first.
static void shifts_of(Quest *q, const Sight *s, const uint64_t *chosen, Motions *shifts) {
    int part = 0, demo = 0;
    while (part < s->first[q->demos] && !set_has(chosen, part)) part++;
    while (s->first[demo + 1] <= part) demo++;
    part -= s->first[demo];
    int most =
        q->inputs[demo].height > q->inputs[demo].width ? q->inputs[demo].height : q->inputs[demo].width;
    for (int far = 1; far < 2 * most && shifts->count < MOST_SHIFTS; far++)
        for (int di = -far; di <= far && shifts->count < MOST_SHIFTS; di++)
            for (int side = -1; side <= 1 && shifts->count < MOST_SHIFTS; side += 2) {
                int dj = side * (far - abs(di));
                if ((side > 0 && dj == 0) || !arrives(q, &s->scenes[demo], demo, part, di, dj)) continue;
                add_motion(shifts, 12 + 2 * far, Motion_BY, di, dj);
            }
    quest_spend(q, 8 * most * most);
}

// Parts of the demos of which no cell is left as it was, and those of which some cell is not.
static void find_moved(const Quest *q, const Sight *s, uint64_t *moved, uint64_t *touched) {
    memset(moved, 0, (size_t)s->words * sizeof *moved);
    memset(touched, 0, (size_t)s->words * sizeof *touched);
    for (int k = 0; k < q->demos; k++) {
        const Parts *p = &s->scenes[k].parts;
        int kept[SCENE_MOST_PARTS] = {0};
        for (int n = 0; n < p->grid.height * p->grid.width; n++)
            if (p->label[n] >= 0) kept[p->label[n]] += p->grid.cells[n] == q->outputs[k].cells[n];
        for (int n = 0; n < p->count; n++) {
            if (!kept[n]) set_add(moved, s->first[k] + n);
            if (kept[n] < p->parts[n].size) set_add(touched, s->first[k] + n);
        }
    }
}

// ---- Trying ----

// False where the rule says nothing about a part.
static bool run_rule(Move *m, const Rule *r, int sample) {
    const Sight *s = r->sight;
    const uint64_t *set = sight_chosen(s, r->choice);
    bool chosen[SCENE_MOST_PARTS];
    for (int k = s->first[sample]; k < s->first[sample + 1]; k++)
        chosen[k - s->first[sample]] = set_has(set, k);
    int64_t work = 0;
    bool done = true;
    if (r->sends) done = journey_apply(&s->scenes[sample], chosen, &r->journey, &r->paint, m->canvas, &work);
    else work = move_apply(&s->scenes[sample], chosen, &r->motion, &r->paint, m->canvas);
    quest_spend(m->q, work);
    return done;
}

static size_t cells_of(ts_grid g) { return (size_t)(g.height * g.width); }

static void keep_rule(Move *m, Rule *r) {
    bool still = true; // moves nothing
    r->hash = 1;
    for (int k = m->q->demos; k < m->q->samples; k++) {
        if (!run_rule(m, r, k)) continue;
        r->hash = hash_bytes(r->hash, m->canvas, cells_of(m->q->inputs[k]));
        still &= memcmp(m->canvas, m->q->inputs[k].cells, cells_of(m->q->inputs[k])) == 0;
    }
    if (still) return;
    m->right_on_all += r->weight;
    int at = 0;
    while (at < m->rule_count && m->rules[at].hash != r->hash) at++;
    if (at == m->rule_count && at < MOVE_RULES) m->rules[m->rule_count++] = *r;
    else if (at < MOVE_RULES) {
        double weight = m->rules[at].weight + r->weight;
        if (r->cost < m->rules[at].cost) m->rules[at] = *r;
        m->rules[at].weight = weight;
    }
}

bool move_is_right(Move *m, const Rule *r, int demo) {
    ts_grid out = m->q->outputs[demo];
    return run_rule(m, r, demo) && memcmp(m->canvas, out.cells, cells_of(out)) == 0;
}

int move_try(Move *m, Rule *r) {
    Quest *q = m->q;
    int misses = 0, missed = 0;
    for (int k = 0; k < q->demos && misses < 2; k++) {
        if (move_is_right(m, r, k)) continue;
        misses++;
        missed = k;
        if (q->demos < 3) return 2;
    }
    q->tried[ENGINE_move]++;
    r->weight = 1;
    for (int k = 0; k < r->cost; k += 10) r->weight /= 2;
    if (misses == 0) keep_rule(m, r);
    else if (misses == 1) m->wrong_on[missed] += r->weight;
    return misses;
}

static bool try_motions(Move *m, Rule *r, const Motions *motions) {
    bool any = false;
    for (int k = 0; k < motions->count; k++) {
        r->motion = motions->at[k].motion;
        r->paint = (Paint){.kind = Paint_OWN_COLOR};
        r->cost = r->choice->cost + motions->at[k].cost;
        any |= move_try(m, r) < 2;
        for (int c = 0; c < 10; c++) {
            if (!(m->new_colors >> c & 1)) continue;
            r->paint = (Paint){.kind = Paint_IN_COLOR, .value = (int8_t)c};
            r->cost = r->choice->cost + motions->at[k].cost + 10;
            any |= move_try(m, r) < 2;
        }
    }
    return any;
}

static bool try_shifts(Move *m, const Sight *s, const SightChoice *choice, const Motions *motions) {
    Rule r = {.sight = s, .choice = choice};
    CostedMotion some[MOST_SHIFTS];
    Motions shifts = {some, 0, motions->leaves};
    shifts_of(m->q, s, sight_chosen(s, choice), &shifts);
    bool any = try_motions(m, &r, motions);
    any |= try_motions(m, &r, &shifts);
    return any;
}

static const Part *sight_part(const Sight *s, int part) {
    int sample = 0;
    while (s->first[sample + 1] <= part) sample++;
    return &s->scenes[sample].parts.parts[part - s->first[sample]];
}

// Of choices that take the same parts of the demos, if none is right for the first then none is for the
// others. Without motions it is journeys that are tried: they have much to say themselves, so those who go
// have one condition at most.
static void try_sight(Move *m, const Sight *s, const Motions *motions) {
    Quest *q = m->q;
    uint64_t moved[SIGHT_PARTS / 64 + 1], touched[SIGHT_PARTS / 64 + 1], hopeless[SIGHT_CHOICES];
    int first = s->first[q->demos], count = 0;
    find_moved(q, s, moved, touched);
    Trips *trips = motions ? NULL : move_trips(m, s, moved, touched);
    if (!motions && !trips) return;
    for (int k = 0; k < s->choice_count && q->units > 0; k++) {
        if (trips && s->choices[k].selector.count > 1) break; // pairs of conditions come last
        const uint64_t *chosen = sight_chosen(s, &s->choices[k]);
        uint64_t hash = 0;
        int n = 0;
        bool any = m->more;
        unsigned others = 0; // colours of parts that were not chosen, and have moved
        for (int part = 0; part < first; part++) {
            any |= set_has(chosen, part) && set_has(touched, part);
            if (set_has(chosen, part)) hash = hash_mix(hash, (uint64_t)part + 1);
            else if (set_has(moved, part)) others |= sight_part(s, part)->colors;
        }
        while (n < count && hopeless[n] != hash) n++;
        if (!any || n < count || (others && (!trips || colors_only(others) < 0))) continue;
        if (trips ? !move_try_trips(trips, &s->choices[k], colors_only(others))
                  : !try_shifts(m, s, &s->choices[k], motions))
            hopeless[count++] = hash;
    }
}

// ---- The engine ----

// Looks at the demos as a whole: colours that there are more of in each output, and whether there is more
// than background altogether. False where sizes change, or colours are none.
static bool look(Move *m) {
    Quest *q = m->q;
    m->new_colors = m->counted = 0x3FF;
    m->more = true;
    for (int k = 0; k < q->samples; k++) {
        ts_grid in = q->inputs[k], out = k < q->demos ? q->outputs[k] : in;
        int change[10] = {0};
        if (!grid_fits(in, GRID_TASK_SIDE) || !grid_same_size(in, out)) return false;
        for (size_t n = 0; n < cells_of(in); n++) {
            if (in.cells[n] < 0 || in.cells[n] > 9 || out.cells[n] < 0 || out.cells[n] > 9) return false;
            change[in.cells[n]]--;
            change[out.cells[n]]++;
        }
        int ground = ground_of(in), counts[10];
        colors_count(in, counts);
        for (int c = 0; c < 10 && k < q->demos; c++) {
            if (change[c] <= 0) m->new_colors &= ~(1U << c);
            m->recolors |= change[c] > 0 && c != ground;
        }
        m->more &= k >= q->demos || change[ground] < 0;
        for (int c = 0; c < 10; c++)
            if (counts[c] < 1 || counts[c] > MOST_COUNTED || c == ground) m->counted &= ~(1U << c);
    }
    m->new_colors &= ~(1U << ground_of(q->inputs[0]));
    return true;
}

static void print_journey(Text *t, const Journey *j) {
    text_print(t, ", ((%d, %d", j->way.kind, j->way.value);
    if (journey_is_stack(&j->way)) text_print(t, ", %d, %d", j->way.along, j->way.against);
    if (j->way.kind == Way_HEADING_BY) {
        text_add(t, ", (");
        for (int k = 0; k < j->way.entries; k++) text_print(t, "(%d, %d), ", j->way.from[k], j->way.to[k]);
        text_add(t, ")");
    }
    text_print(t, "), %d, %d, %d), ", j->far, j->trail, j->ends);
}

static void print_rule(Text *t, const Rule *r) {
    text_clear(t);
    text_print(t, "O = %s(I, ", r->sends ? "send_parts" : "shift_parts");
    sight_print_which(t, r->sight->kind, &r->choice->selector);
    if (r->sends) print_journey(t, &r->journey);
    else text_print(t, ", (%d, %d, %d, %d), ", r->motion.kind, r->motion.a, r->motion.b, r->motion.leaves);
    sight_print_paint(t, &r->paint);
    text_add(t, ")\n");
}

static void offer_rules(Move *m) {
    int foreseen = 0;
    for (int k = 0; k < m->q->demos; k++) foreseen += m->right_on_all > m->wrong_on[k];
    int trust = foreseen == m->q->demos ? 0 : foreseen ? 1 : 2;
    Text t = {0};
    for (int n = 0; n < 3; n++) {
        Rule *best = NULL;
        for (int k = 0; k < m->rule_count; k++)
            if (m->rules[k].weight > (best ? best->weight : 0)) best = &m->rules[k];
        if (!best) break;
        const int kind = best->sends ? 9 : 0, rank = n ? 6 : best->cost > 30 ? 3 : 0;
        print_rule(&t, best);
        if (t.data && !t.failed) quest_offer(m->q, ENGINE_move, kind + rank + trust, t.data);
        best->weight = 0;
    }
    quest_free_text(m->q, &t);
}

bool engine_move(Quest *q) {
    Move *m = TAKE(q, Move, 1);
    if (!m) return true;
    *m = (Move){.q = q};
    Motions motions = {.at = TAKE(q, CostedMotion, MOST_MOTIONS)};
    m->canvas = TAKE(q, int8_t, GRID_TASK_SIDE * GRID_TASK_SIDE);
    if (!m->canvas || !motions.at || !look(m)) return true;
    motions.leaves = m->more;
    all_motions(q, &motions);
    const Sight *others[MOVE_SIGHTS];
    for (int kind = 0; kind < MOVE_SIGHTS && q->units > 0; kind++) {
        Sight *s = &m->sights[m->sight_count];
        if (!sight_of(q, q->inputs, kind, others, m->sight_count, s)) continue;
        others[m->sight_count++] = s;
        if (s->first[q->demos] <= MOST_GOING * q->demos) try_sight(m, s, NULL);
    }
    for (int k = 0; k < m->sight_count && q->units > 0; k++) try_sight(m, &m->sights[k], &motions);
    offer_rules(m);
    return q->units > 0;
}
