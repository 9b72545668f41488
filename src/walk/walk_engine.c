// The engine of walkers; walk_engine.h says how it learns.
//
// The simplest rules that do all that the outputs show are offered. How far they are to be trusted is what
// leaving a demo out tells: whether the rule that is learnt without it foresees it.
#include "walk/walk_engine.h"

#include <string.h>

// Classes: for each of these three by trust, as all, some or none of the demos are foreseen. Where all that
// was found gives the same answer there is no doubt.
enum {
    CLASS_CHEAP = 0,
    CLASS_DEAR = 3,
    CLASS_DOUBTFUL = 6, // the best of several answers
    CLASS_OTHER = 9,
    CLASS_PAIR = 12,
    DEAR = 45, // what costs more
    MOST_OFFERS = 3
};

static int cells_of(ts_grid grid) { return grid.height * grid.width; }

static bool look(WalkLearner *e) {
    Quest *q = e->q;
    int cells = 0, most = 0;
    e->offset = TAKE(q, int, q->demos + 1);
    if (!e->offset) return false;
    for (int k = 0; k < q->samples; k++) {
        ts_grid in = q->inputs[k], out = k < q->demos ? q->outputs[k] : in;
        if (!grid_fits(in, GRID_TASK_SIDE) || !grid_same_size(in, out)) return false;
        int n = in.height * in.width;
        for (int m = 0; m < n; m++)
            if (in.cells[m] < 0 || in.cells[m] > 9 || out.cells[m] < 0 || out.cells[m] > 9) return false;
        if (k < q->demos) e->offset[k] = cells;
        if (k < q->demos) cells += (n + 63) / 64 * 64;
        if (n > most) most = n;
    }
    e->offset[q->demos] = cells;
    e->words = cells / 64;
    e->changed = TAKE(q, uint64_t, e->words);
    if (!e->changed || !walker_init(&q->arena, &e->walker, most)) return false;
    memset(e->changed, 0, (size_t)e->words * sizeof *e->changed);
    e->erases = true;
    for (int k = 0; k < q->demos; k++) {
        int ground = ground_of(q->inputs[k]);
        bool erases = false;
        for (int m = 0; m < cells_of(q->inputs[k]); m++) {
            int to = q->outputs[k].cells[m];
            if (q->inputs[k].cells[m] == to) continue;
            set_add(e->changed, e->offset[k] + m);
            e->new_colors |= (uint16_t)(1 << to);
            erases |= to == ground;
        }
        e->erases &= erases;
    }
    return quest_spend(q, 10 * (int64_t)cells);
}

static bool prepare(WalkLearner *e) {
    Quest *q = e->q;
    if (!look(e) || !e->new_colors) return false;
    e->forms = TAKE(q, WalkForm, WALK_MOST_FORMS);
    e->begins = TAKE(q, WalkBegin, WALK_MOST_BEGINS);
    e->sent = TAKE(q, WalkSent, WALK_MOST_WALKERS);
    e->starts = TAKE(q, WalkRule, WALK_STARTS);
    e->hashes = TAKE(q, uint64_t, WALK_STARTS);
    e->slots = TAKE(q, int16_t, WALK_SLOTS);
    for (int k = 0; k <= WALK_METS; k++)
        if (!(e->covered[k] = TAKE(q, uint64_t, e->words))) return false;
    if (!e->forms || !e->begins || !e->sent || !e->starts || !e->hashes || !e->slots) return false;
    walk_make_forms(e);
    const Sight *others[WALK_SIGHTS];
    for (int kind = 0; kind < WALK_SIGHTS && q->units > 0; kind++) {
        Sight *s = &e->sights[e->sight_count];
        if (sight_of(q, q->inputs, kind, others, e->sight_count, s)) others[e->sight_count++] = s;
    }
    return e->sight_count > 0;
}

static void print_rule(Text *t, const char *name, const char *canvas, const WalkRule *r) {
    const Walk *w = &r->walk;
    text_print(t, "%s = walk(%s, I, ", name, canvas);
    sight_print_which(t, r->sight->kind, &r->choice->selector);
    text_print(t, ", (%d, ", w->heading);
    sight_print_paint(t, &w->paint);
    text_add(t, ", (");
    Walk plain = *w;
    walk_clear_habits(&plain);
    walk_default_habits(&plain);
    for (int k = 0; k < WALK_METS; k++)
        if (w->deeds[k] != WALK_UNSET && (w->deeds[k] != plain.deeds[k] || w->takes[k]))
            text_print(t, "(%d, %d, %d), ", k, w->deeds[k], w->takes[k]);
    text_print(t, "), %d, %d, %d, %d))\n", w->from, w->gait, w->rhythm, w->colors_start);
}

// What a solution makes of a sample. False where it makes nothing of it.
static bool run(WalkLearner *e, const WalkSolution *s, int sample, int8_t *canvas) {
    ts_grid in = e->q->inputs[sample];
    memcpy(canvas, in.cells, (size_t)(in.height * in.width));
    for (int k = 0; k < s->count; k++)
        if (!walk_draw(e, &s->of[k], sample, canvas)) return false;
    return true;
}

// How many demos are foreseen by what is learnt without them.
static int foresight(WalkLearner *e, int8_t *canvas) {
    Quest *q = e->q;
    int right = 0;
    e->wanted = 1;
    for (int k = 0; k < q->demos && q->units > 0 && q->demos > 1; k++) {
        e->learns[k] = false;
        walk_learn(e);
        e->learns[k] = true;
        right += e->solution_count && run(e, &e->solutions[0], k, canvas) &&
                 !memcmp(canvas, q->outputs[k].cells, (size_t)cells_of(q->outputs[k]));
    }
    return right;
}

// A hash of what it gives for the tests; 0 where it gives nothing for one.
static uint64_t answers_of(WalkLearner *e, const WalkSolution *s, int8_t *canvas) {
    uint64_t hash = 1;
    for (int k = e->q->demos; k < e->q->samples; k++) {
        if (!run(e, s, k, canvas)) return 0;
        hash = hash_bytes(hash, canvas, (size_t)cells_of(e->q->inputs[k]));
    }
    return hash;
}

static void print_solution(Text *t, const WalkSolution *s) {
    text_clear(t);
    if (s->count > 1) print_rule(t, "x1", "I", &s->of[0]);
    print_rule(t, "O", s->count > 1 ? "x1" : "I", &s->of[s->count - 1]);
}

// Keeps those that give different answers, the best of each. Returns how many there are.
static int different(WalkLearner *e, WalkSolution *found, int8_t *canvas) {
    uint64_t answers[WALK_MOST_SOLUTIONS];
    int count = 0;
    for (int k = 0; k < e->solution_count; k++) {
        int same = 0;
        found[count] = e->solutions[k];
        answers[count] = answers_of(e, &found[count], canvas);
        while (same < count && answers[same] != answers[count]) same++;
        count += answers[count] && same == count;
    }
    return count;
}

static void offer(WalkLearner *e) {
    Quest *q = e->q;
    int8_t *canvas = TAKE(q, int8_t, GRID_TASK_SIDE * GRID_TASK_SIDE);
    WalkSolution found[WALK_MOST_SOLUTIONS];
    if (!canvas) return;
    int n = different(e, found, canvas);
    if (!n) return;
    int right = foresight(e, canvas);
    int trust = right == q->demos ? 0 : right ? 1 : 2;
    Text t = {0};
    for (int k = 0; k < n && k < MOST_OFFERS; k++) {
        int class = found[k].cost > DEAR ? CLASS_DEAR : CLASS_CHEAP;
        if (n > 1) class = k ? CLASS_OTHER : CLASS_DOUBTFUL;
        if (found[k].count > 1) class = CLASS_PAIR;
        if (class == CLASS_PAIR && (k || trust == 2)) break; // such were hardly ever right
        print_solution(&t, &found[k]);
        if (t.data && !t.failed) quest_offer(q, ENGINE_walk, class + trust, t.data);
    }
    quest_free_text(q, &t);
}

bool engine_walk(Quest *q) {
    WalkLearner *e = TAKE(q, WalkLearner, 1);
    if (!e) return true;
    *e = (WalkLearner){.q = q, .wanted = WALK_MOST_SOLUTIONS};
    if (!prepare(e)) return true;
    for (int k = 0; k < q->demos; k++) e->learns[k] = true;
    walk_learn(e);
    offer(e);
    return q->units > 0;
}
