// Ranking: which answers for a test are most likely right.
//
// Each engine's rules of a class were right in so many of the cases on the training tasks (confidence.def).
// For programs of a pool the class itself is the level of the confidence (solver.c).
// Candidates of one engine are no independent witnesses, those of different engines nearly are: of each
// engine the best candidate for an answer counts, its others add nothing, and 1 - (1 - p)(1 - q)… over the
// engines is the confidence in the answer.
//
// What the demos have in common is asked of an answer, too (facts.def): each breach lowers the odds.
#include <assert.h>

#include "search/facts.h"

typedef struct {
    float full, partial; // right where all demos are, where some are
} Confidence;

static const Confidence confidences[ENGINES][QUEST_CLASSES] = {
#define CONFIDENCE(engine, class, full, partial) [ENGINE_##engine][class] = {full, partial},
#include "search/confidence.def"
};

enum { UNKNOWN_FULL = 15, UNKNOWN_PARTIAL = 4 }; // percent, for classes that were never seen
enum { LEVELS = 32, MOST_LEVEL = 29 }; // of programs of a pool: 0.92, of the best 0.91 to 0.98 are right

double class_confidence(EngineId engine, int class) {
    assert((unsigned)engine < ENGINES && class >= 0 && class < QUEST_CLASSES);
    if (engine == ENGINE_pool) return ((class < MOST_LEVEL ? class : MOST_LEVEL) + 0.5) / LEVELS;
    float p = confidences[engine][class].full;
    return p > 0 ? (double)p : UNKNOWN_FULL / 100.0;
}

int class_of_level(double confidence) {
    const int level = (int)(confidence * LEVELS);
    return level < MOST_LEVEL ? level : MOST_LEVEL;
}

double candidate_confidence(const Quest *q, const Candidate *c) {
    Confidence p = confidences[c->engine][c->class];
    if (c->demos_right == q->all_demos) return class_confidence(c->engine, c->class);
    double part = (double)c->demos_right / q->all_demos;
    return (p.partial > 0 ? (double)p.partial : UNKNOWN_PARTIAL / 100.0) * part;
}

// ---- Ranking ----

static bool better(const Answer *a, const Answer *b) {
    if (a->confidence > b->confidence + 1e-9 || b->confidence > a->confidence + 1e-9)
        return a->confidence > b->confidence;
    return a->candidate < b->candidate;
}

// A confidence whose odds have become so many times what they were.
static double lowered(double p, double times) { return p * times / (p * times + 1 - p); }

// All that speaks for the answer of candidate k, which is the first with it.
static Answer weigh(const Quest *q, const Facts *facts, int test, size_t k) {
    ts_grid grid = q->candidates[k].answers[test];
    Answer a = {.grid = grid, .candidate = k};
    double best[ENGINES] = {0}, all = 0, miss = 1;
    for (size_t n = k; n < q->count; n++) {
        const Candidate *c = &q->candidates[n];
        if (!ts_grid_equal(c->answers[test], grid)) continue;
        double p = candidate_confidence(q, c);
        if (p > best[c->engine]) best[c->engine] = p;
        if (p > all) {
            all = p;
            a.candidate = n;
        }
        a.agreeing++;
    }
    for (int e = 0; e < ENGINES; e++) miss *= 1 - best[e];
    a.broken = facts_broken(facts, q->task->samples[q->all_demos + test].input, grid);
    a.confidence = lowered(1 - miss, facts_odds(a.broken));
    return a;
}

size_t quest_rank(const Quest *q, int test, Answer *answers, size_t most) {
    assert(test >= 0 && test < q->all_tests);
    size_t n = 0;
    const Facts facts = facts_of(q);
    for (size_t k = 0; k < q->count; k++) {
        ts_grid grid = q->candidates[k].answers[test];
        bool seen = !grid.height;
        for (size_t m = 0; m < k && !seen; m++) seen = ts_grid_equal(q->candidates[m].answers[test], grid);
        if (seen) continue;
        Answer a = weigh(q, &facts, test, k);
        size_t at = n;
        for (; at > 0 && better(&a, &answers[at - 1]); at--)
            if (at < most) answers[at] = answers[at - 1];
        if (at < most) answers[at] = a;
        if (n < most) n++;
    }
    return n;
}

double quest_trust(const Quest *q) {
    double least = q->count ? 1 : 0;
    for (int test = 0; test < q->all_tests && least > 0; test++) {
        Answer best;
        const double p = quest_rank(q, test, &best, 1) ? best.confidence : 0;
        if (p < least) least = p;
    }
    return least;
}
