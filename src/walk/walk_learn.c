// Habits, learnt by depth-first search; walk_engine.h says how.
#include <string.h>

#include "walk/walk_engine.h"

enum { NO_BOUND = 1 << 20, MOST_FOR_PAIRS = 100, UNITS_ALONE = 8000000, UNITS_FOR_PAIRS = 5000000 };
// The units that a start may take, by its place: what fits is among the first, or simple.
static const int units_by_place[][2] = {{16, 300000}, {64, 60000}, {256, 20000}, {512, 8000}};

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
// Of walkers that leave the ground as it is, which are never wrong on it.
static const Reaction unseen[] = {{Deed_GOES_UNDER, false, 4},
                                  {Deed_GOES_OVER, false, 4},
                                  {Deed_SOAKS, false, 6},
                                  {Deed_HITS, false, 6},
                                  {Deed_STOPS, false, 0}};
static const Reaction at_trail[] = {{Deed_GOES_OVER, false, 0},
                                    {Deed_STOPS, false, 4},
                                    {Deed_TURNS_RIGHT, false, 8},
                                    {Deed_TURNS_LEFT, false, 8}};

// ---- A rule on the demos ----

// All walkers of a rule. False where there are too many, or a changed demo has none.
static bool send_all(WalkLearner *e, const WalkRule *r) {
    const uint64_t *chosen = sight_chosen(r->sight, r->choice);
    e->sent_count = 0;
    for (int demo = 0; demo < e->q->demos; demo++) {
        const Scene *s = &r->sight->scenes[demo];
        for (int part = 0; part < s->parts.count && e->learns[demo]; part++) {
            if (!set_has(chosen, r->sight->first[demo] + part)) continue;
            int n = walk_begins(s, part, &r->walk, e->begins);
            if (e->sent_count + n > WALK_MOST_WALKERS) return false;
            for (int k = 0; k < n; k++)
                e->sent[e->sent_count++] =
                    (WalkSent){demo, e->begins[k], walk_color(s, part, &r->walk, e->begins[k])};
        }
    }
    quest_spend(e->q, 100 + 30 * e->sent_count);
    return true;
}

// Whether all that a demo has changed is covered.
static bool is_done(const WalkLearner *e, int demo, const uint64_t *covered) {
    for (int k = e->offset[demo] / 64; k < e->offset[demo + 1] / 64; k++)
        if (e->changed[k] & ~covered[k]) return false;
    return true;
}

typedef enum { FITS, WRONG, PUZZLED } Verdict;

// Lets walkers go from the n-th on; `covered` is what those before it have coloured. Where one is puzzled, n
// is that one.
static Verdict judge(WalkLearner *e, const WalkRule *r, int *n, uint64_t *covered, bool *wrong) {
    Walker *x = &e->walker;
    x->walk = &r->walk;
    x->eyes = r->eyes;
    for (; *n < e->sent_count; ++*n) {
        const WalkSent *s = &e->sent[*n];
        const int8_t *output = e->q->outputs[s->demo].cells;
        x->scene = &r->sight->scenes[s->demo];
        WalkEnd end = walker_go(x, s->begin, s->color);
        *wrong = false;
        for (int m = 0; m < x->n && !*wrong; m++) *wrong = x->color[m] != output[x->at[m]];
        if (*wrong && end != WALK_VANISHED && !(r->vanishes && end == WALK_PUZZLED)) return WRONG;
        if (end == WALK_PUZZLED) return PUZZLED;
        for (int m = 0; m < x->n && end == WALK_ENDED; m++) set_add(covered, e->offset[s->demo] + x->at[m]);
        bool last = *n + 1 == e->sent_count || s[1].demo != s->demo;
        if (last && e->strict && !is_done(e, s->demo, covered)) return WRONG;
    }
    return FITS;
}

static int count_common(const uint64_t *a, const uint64_t *b, int words) {
    int n = 0;
    for (int k = 0; k < words; k++) n += __builtin_popcountll(a[k] & b[k]);
    return n;
}

// ---- What was found ----

static void keep_solution(WalkLearner *e, const WalkRule *r) {
    if (e->solution_count < e->wanted)
        e->solutions[e->solution_count++] = (WalkSolution){.of = {*r}, .count = 1, .cost = r->cost};
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

static bool do_all(const WalkLearner *e, const WalkRule *x, const WalkRule *y) {
    for (int demo = 0; demo < e->q->demos; demo++)
        for (int k = e->offset[demo] / 64; k < e->offset[demo + 1] / 64 && e->learns[demo]; k++)
            if (e->changed[k] & ~x->covered[k] & ~y->covered[k]) return false;
    return true;
}

// Keeps the cheapest pairs. One of them has to walk: two that stand are no business of ours.
static void keep_pair(WalkLearner *e, const WalkRule *x, const WalkRule *y) {
    if (x->walk.heading == Heading_NOWHERE && y->walk.heading == Heading_NOWHERE) return;
    WalkSolution pair = {{*x, *y}, 2, x->cost + y->cost + 20};
    int at = e->solution_count;
    while (at > 0 && e->solutions[at - 1].cost > pair.cost) at--;
    if (at == e->wanted) return;
    if (e->solution_count < e->wanted) e->solution_count++;
    memmove(&e->solutions[at + 1], &e->solutions[at],
            (size_t)(e->solution_count - 1 - at) * sizeof *e->solutions);
    e->solutions[at] = pair;
}

static void pair_up(WalkLearner *e) {
    for (int a = 0; a < e->partial_count; a++)
        for (int b = a + 1; b < e->partial_count; b++) {
            const WalkRule *x = &e->partial[a], *y = &e->partial[b];
            if (x->gain + y->gain >= e->to_cover && do_all(e, x, y)) keep_pair(e, x, y);
        }
    quest_spend(e->q, (int64_t)e->partial_count * e->partial_count * 10);
}

// ---- The search ----

static void search(WalkLearner *e, WalkRule *r, int n, int habits);

static void try_deeds(WalkLearner *e, WalkRule *r, int n, int habits, bool wrong) {
    static const Reaction gone = {Deed_VANISHES, false, 5};
    const Reaction *all = at_thing;
    int met = e->walker.met, count = sizeof at_thing / sizeof *at_thing;
    if (e->unseen) all = unseen, count = sizeof unseen / sizeof *unseen;
    if (met == Met_BORDER) all = at_border, count = sizeof at_border / sizeof *at_border;
    if (met == Met_ITS_TRAIL || met == Met_NEAR_TRAIL)
        all = at_trail, count = sizeof at_trail / sizeof *at_trail;
    if (wrong) all = &gone, count = 1;
    if (r->walk.gait == Gait_FLOODING && count > 3) count = 3;
    if (e->unseen && met >= Met_BORDER && !wrong) count = 1; // it goes straight on
    for (int k = 0; k < count && !e->over; k++) {
        if (r->cost + all[k].cost + 4 >= e->bound) continue;
        r->walk.deeds[met] = all[k].deed;
        r->walk.takes[met] = all[k].takes;
        r->cost += all[k].cost + 4;
        memcpy(e->covered[habits + 1], e->covered[habits], (size_t)e->words * sizeof *e->covered[0]);
        search(e, r, n, habits + 1);
        r->cost -= all[k].cost + 4;
    }
    r->walk.deeds[met] = WALK_UNSET;
    r->walk.takes[met] = false;
}

// Whether a rule colours more than the cells where its walkers begin: else others know it better.
static bool walks(const WalkLearner *e, const WalkRule *r) {
    int begun = 0;
    for (int k = 0; k < e->sent_count; k++)
        begun += k == 0 || e->sent[k].begin.at != e->sent[k - 1].begin.at ||
                 e->sent[k].demo != e->sent[k - 1].demo;
    return r->walk.heading != Heading_NOWHERE && (!r->walk.colors_start || r->gain > begun);
}

// Goes on with the n-th walker, so many habits being learnt. Of the habits that do everything the simplest
// are kept.
static void search(WalkLearner *e, WalkRule *r, int n, int habits) {
    bool wrong = false;
    uint64_t *covered = e->covered[habits];
    e->q->tried[ENGINE_walk]++;
    Verdict v = judge(e, r, &n, covered, &wrong);
    if (!quest_spend(e->q, e->walker.steps + 20 + e->words / 2) || e->q->units < e->until) e->over = true;
    e->walker.steps = 0;
    if (v == PUZZLED) try_deeds(e, r, n, habits, wrong);
    if (v != FITS) return;
    r->covered = covered;
    r->gain = count_common(covered, e->changed, e->words);
    if (r->gain == e->to_cover) {
        if (!walks(e, r)) return;
        if (e->bound < NO_BOUND) e->solution_count--; // what was found from this start is dearer
        keep_solution(e, r);
        e->bound = r->cost;
    } else if (r->gain) keep_partial(e, r);
}

// Searches all starts, the most promising first.
static void search_all(WalkLearner *e, int64_t units) {
    const int(*share)[2] = units_by_place, (*last)[2] = share + sizeof units_by_place / sizeof *share - 1;
    int most = e->strict ? (*last)[0] : MOST_FOR_PAIRS;
    int64_t end = e->q->units > units ? e->q->units - units : 0;
    for (int k = 0; k < e->start_count && k < most && e->q->units > end && e->solution_count < e->wanted;
         k++) {
        while (k >= (*share)[0]) share++;
        WalkRule r = e->starts[k];
        if ((e->strict && r.walk.heading == Heading_NOWHERE) || !send_all(e, &r)) continue;
        e->walker.things = 0;
        e->bound = NO_BOUND;
        e->unseen = r.walk.rhythm == Rhythm_THINGS_ALONE || r.walk.paint.kind == Paint_BACKGROUND;
        for (int eyes = 0; eyes < WALK_EYES; eyes++) {
            if (eyes && !(e->walker.things & (e->walker.things - 1))) break; // they would see the same
            e->until = e->q->units - (e->strict ? (*share)[1] : units / MOST_FOR_PAIRS);
            e->over = false;
            r.eyes = (WalkEyes)eyes;
            memset(e->covered[0], 0, (size_t)e->words * sizeof *e->covered[0]);
            search(e, &r, 0, 0);
            r.cost += 4;
        }
    }
}

void walk_learn(WalkLearner *e) {
    e->to_cover = e->solution_count = e->partial_count = 0;
    for (int demo = 0; demo < e->q->demos; demo++)
        for (int n = e->offset[demo] / 64; n < e->offset[demo + 1] / 64 && e->learns[demo]; n++)
            e->to_cover += __builtin_popcountll(e->changed[n]);
    if (!e->to_cover) return;
    walk_find_starts(e);
    e->strict = true;
    search_all(e, UNITS_ALONE);
    if (e->solution_count) return;
    e->strict = false;
    search_all(e, UNITS_FOR_PAIRS);
    pair_up(e);
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
