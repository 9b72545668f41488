// Habits, learnt by depth-first search; walk_engine.h says how.
#include <string.h>

#include "walk/walk_engine.h"

enum { MOST_TRIES = 300 };

typedef struct {
    int8_t deed;
    bool takes;
    int8_t cost;
} Reaction;

// What is tried, in this order, at a thing, at the border, at its own trail.
static const Reaction at_thing[] = {{Deed_STOPS, false, 0},
                                    {Deed_GOES_OVER, false, 4},
                                    {Deed_GOES_UNDER, false, 4},
                                    {Deed_TURNS_RIGHT, false, 5},
                                    {Deed_TURNS_LEFT, false, 5},
                                    {Deed_HITS, false, 6},
                                    {Deed_IS_REFLECTED, false, 6},
                                    {Deed_FORKS, false, 8},
                                    {Deed_PASSES_RIGHT, false, 8},
                                    {Deed_PASSES_LEFT, false, 8},
                                    {Deed_PASSES_BOTH, false, 8},
                                    {Deed_SOAKS, false, 8},
                                    {Deed_TURNS_FREE, false, 8},
                                    {Deed_GOES_UNDER, true, 8},
                                    {Deed_GOES_OVER, true, 8},
                                    {Deed_IS_REFLECTED, true, 12},
                                    {Deed_TURNS_RIGHT, true, 12},
                                    {Deed_TURNS_LEFT, true, 12},
                                    {Deed_COMES_BACK_RIGHT, false, 14},
                                    {Deed_COMES_BACK_LEFT, false, 14}};
static const Reaction at_border[] = {{Deed_STOPS, false, 0},           {Deed_TURNS_RIGHT, false, 5},
                                     {Deed_TURNS_LEFT, false, 5},      {Deed_IS_REFLECTED, false, 6},
                                     {Deed_FORKS, false, 8},           {Deed_TURNS_FREE, false, 8},
                                     {Deed_WRAPS, false, 8},           {Deed_COMES_BACK_RIGHT, false, 10},
                                     {Deed_COMES_BACK_LEFT, false, 10}};
static const Reaction at_trail[] = {{Deed_GOES_OVER, false, 0},
                                    {Deed_STOPS, false, 4},
                                    {Deed_TURNS_RIGHT, false, 8},
                                    {Deed_TURNS_LEFT, false, 8}};

// ---- A rule on a demo ----

typedef enum { FITS, WRONG, PUZZLED } Verdict;

// Sends all walkers of a rule off on the demos that are learnt from.
static Verdict judge(WalkLearner *e, WalkRule *r, uint64_t *covered, bool *wrong_so_far) {
    Quest *q = e->q;
    Walker *x = &e->walker;
    x->walk = &r->walk;
    x->eyes = r->eyes;
    memset(covered, 0, (size_t)e->words * sizeof *covered);
    const uint64_t *chosen = sight_chosen(r->sight, r->choice);
    for (int demo = 0; demo < q->demos; demo++) {
        if (!e->learns[demo]) continue;
        x->scene = &r->sight->scenes[demo];
        const int8_t *output = q->outputs[demo].cells;
        for (int part = 0; part < x->scene->parts.count; part++) {
            if (!set_has(chosen, r->sight->first[demo] + part)) continue;
            int n = walk_begins(x->scene, part, &r->walk, e->begins);
            for (int k = 0; k < n; k++) {
                int color = walk_color(x->scene, part, &r->walk, e->begins[k]);
                WalkEnd end = walker_go(x, e->begins[k], color);
                bool wrong = false;
                for (int m = 0; m < x->n && !wrong; m++) wrong = x->color[m] != output[x->at[m]];
                *wrong_so_far = wrong;
                if (end == WALK_PUZZLED) return wrong && !r->vanishes ? WRONG : PUZZLED;
                if (end == WALK_ENDED && wrong) return WRONG;
                for (int m = 0; m < x->n && end == WALK_ENDED; m++)
                    set_add(covered, e->offset[demo] + x->at[m]);
            }
        }
    }
    return FITS;
}

static int count_common(const uint64_t *a, const uint64_t *b, int words) {
    int n = 0;
    for (int k = 0; k < words; k++) n += __builtin_popcountll(a[k] & b[k]);
    return n;
}

// ---- What was found ----

static void keep_solution(WalkLearner *e, const WalkRule *first, const WalkRule *second) {
    if (e->solution_count == e->wanted) return;
    WalkSolution *s = &e->solutions[e->solution_count++];
    *s = (WalkSolution){.of = {*first}, .count = 1, .cost = first->cost};
    if (!second) return;
    s->of[s->count++] = *second;
    s->cost += second->cost + 20;
}

// Keeps a rule that is right but leaves something to do, for a second one; of those that do the same the
// cheapest.
static void keep_partial(WalkLearner *e, const WalkRule *r) {
    int at = -1;
    size_t bytes = (size_t)e->words * sizeof *r->covered;
    for (int k = 0; k < e->partial_count; k++) {
        WalkRule *p = &e->partial[k];
        if (p->gain == r->gain && !memcmp(p->covered, r->covered, bytes)) {
            if (p->cost <= r->cost) return;
            at = k;
            break;
        }
    }
    if (at < 0 && e->partial_count < WALK_MOST_PARTIAL) {
        at = e->partial_count++;
        e->partial[at].covered = TAKE(e->q, uint64_t, e->words);
        if (!e->partial[at].covered) {
            e->partial_count--;
            return;
        }
    }
    for (int k = 0; at < 0 && k < e->partial_count; k++)
        if (e->partial[k].gain < r->gain) at = k;
    if (at < 0) return;
    uint64_t *covered = e->partial[at].covered;
    memcpy(covered, r->covered, bytes);
    e->partial[at] = *r;
    e->partial[at].covered = covered;
}

static void pair_up(WalkLearner *e) {
    for (int a = 0; a < e->partial_count; a++)
        for (int b = a + 1; b < e->partial_count; b++) {
            const WalkRule *x = &e->partial[a], *y = &e->partial[b];
            int missing = 0;
            if (x->gain + y->gain < e->to_cover) continue;
            int common = count_common(x->covered, y->covered, e->words);
            missing = e->to_cover - x->gain - y->gain + common;
            if (missing > 0) continue;
            keep_solution(e, x, y);
        }
    quest_spend(e->q, (int64_t)e->partial_count * e->partial_count * (5 + e->words));
}

// ---- The search ----

static bool search(WalkLearner *e, WalkRule *r, uint64_t *covered);

static bool try_deeds(WalkLearner *e, WalkRule *r, int met, bool wrong, uint64_t *covered) {
    const Reaction *all = at_thing;
    int n = sizeof at_thing / sizeof *at_thing;
    if (met == Met_BORDER) all = at_border, n = sizeof at_border / sizeof *at_border;
    if (met == Met_ITS_TRAIL || met == Met_NEAR_TRAIL) all = at_trail, n = sizeof at_trail / sizeof *at_trail;
    static const Reaction gone = {Deed_VANISHES, false, 5};
    if (wrong) all = &gone, n = 1;
    if (r->walk.gait == Gait_FLOODING && n > 3) n = 3;
    bool found = false;
    for (int k = 0; k < n && !found && e->tries > 0; k++) {
        r->walk.deeds[met] = all[k].deed;
        r->walk.takes[met] = all[k].takes;
        r->cost += all[k].cost + 4;
        found = search(e, r, covered);
        r->cost -= all[k].cost + 4;
    }
    r->walk.deeds[met] = WALK_UNSET;
    r->walk.takes[met] = false;
    return found;
}

// Whether habits were found that do everything.
static bool search(WalkLearner *e, WalkRule *r, uint64_t *covered) {
    bool wrong = false;
    e->tries--;
    e->q->tried[ENGINE_walk]++;
    Verdict v = judge(e, r, covered, &wrong);
    int met = e->walker.met;
    if (!quest_spend(e->q, e->walker.steps + 30)) e->tries = 0;
    e->walker.steps = 0;
    if (v == WRONG) return false;
    if (v == PUZZLED) return try_deeds(e, r, met, wrong, covered);
    for (int k = 0; k < e->words; k++) covered[k] &= e->changed[k];
    r->covered = covered;
    r->gain = count_common(covered, e->changed, e->words);
    if (r->gain == e->to_cover) {
        keep_solution(e, r, NULL);
        return true;
    }
    if (r->gain) keep_partial(e, r);
    return false;
}

void walk_learn(WalkLearner *e) {
    Quest *q = e->q;
    e->to_cover = e->solution_count = e->partial_count = 0;
    for (int demo = 0; demo < q->demos; demo++)
        for (int n = e->offset[demo]; n < e->offset[demo + 1] && e->learns[demo]; n++)
            e->to_cover += set_has(e->changed, n);
    walk_find_starts(e);
    uint64_t *covered = TAKE(q, uint64_t, e->words);
    if (!covered || !e->to_cover) return;
    for (int k = 0; k < e->start_count && q->units > 0 && e->solution_count < e->wanted; k++)
        for (int eyes = 0; eyes < WALK_EYES; eyes++) {
            WalkRule r = e->starts[k];
            r.eyes = (WalkEyes)eyes;
            r.cost += 4 * eyes;
            e->tries = MOST_TRIES;
            if (search(e, &r, covered)) break;
        }
    if (!e->solution_count) pair_up(e);
}

bool walk_draw(WalkLearner *e, const WalkRule *r, int sample, int8_t *canvas) {
    Walker *x = &e->walker;
    Walk walk = r->walk;
    walk_default_habits(&walk);
    x->scene = &r->sight->scenes[sample];
    x->walk = &walk;
    x->eyes = EYES_THINGS; // as the primitive
    const uint64_t *chosen = sight_chosen(r->sight, r->choice);
    for (int part = 0; part < x->scene->parts.count; part++) {
        if (!set_has(chosen, r->sight->first[sample] + part)) continue;
        int n = walk_begins(x->scene, part, &walk, e->begins);
        for (int k = 0; k < n; k++) {
            int color = walk_color(x->scene, part, &walk, e->begins[k]);
            if (color < 0) continue;
            WalkEnd end = walker_go(x, e->begins[k], color);
            if (end == WALK_PUZZLED) return false;
            for (int m = 0; m < x->n && end == WALK_ENDED; m++) canvas[x->at[m]] = x->color[m];
        }
    }
    quest_spend(e->q, x->steps);
    x->steps = 0;
    return true;
}
