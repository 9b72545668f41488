// Ranking: which answers for a test are most likely right, and how likely.
//
// Each engine's rules of a class were right in so many of the cases on the training tasks (confidence.def).
// For programs of a pool the class itself is the level of the confidence (origin.c).
// Candidates of one engine are no independent witnesses, those of different engines nearly are: of each
// engine the best candidate for an answer counts, its others add nothing, and 1 - (1 - p)(1 - q)… over the
// engines is the support of the answer. What the demos have in common is asked of an answer, too (facts.def):
// each breach lowers the odds. By support answers are ranked.
//
// Only one of the different answers can be right, and perhaps none is: the confidence in each is its odds
// among all of them and one for none. The odds of an engine's support are stretched first (STRETCH, SHIFT):
// it is made to rank by, and too low for what comes first. Both were fitted on training tasks; on others held
// back the expected calibration error is below 0.05 (bench/candidates --calibration, docs/SEARCH.md).
#include <assert.h>
#include <math.h>

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
static const double STRETCH = 1.15, SHIFT = 1.7, MOST_CONFIDENCE = 0.99;
static const double TRUSTED_ODDS = 1e6; // of what the user says is right, times what it has besides

double class_confidence(EngineId engine, int class) {
    assert((unsigned)engine < ENGINES && class >= 0 && class < QUEST_CLASSES);
    if (engine == ENGINE_pool) return (class % LEVELS + 0.5) / LEVELS;
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
    if (a->support > b->support + 1e-9 || b->support > a->support + 1e-9) return a->support > b->support;
    return a->candidate < b->candidate;
}

static double odds_of(double p) { return p / fmax(1e-9, 1 - p); }
static double of_odds(double odds) { return odds / (1 + odds); }
// A probability whose odds have become so many times what they were.
static double lowered(double p, double times) { return p * times / (p * times + 1 - p); }

// All that speaks for the answer of candidate k, which is the first with it. *odds are those of being right,
// before other answers are looked at.
static Answer weigh(const Quest *q, const Facts *facts, int test, size_t k, double *odds) {
    ts_grid grid = q->candidates[k].answers[test];
    Answer a = {.grid = grid, .candidate = k};
    double best[ENGINES] = {0}, all = 0, miss = 1, trusted = 0;
    for (size_t n = k; n < q->count; n++) {
        const Candidate *c = &q->candidates[n];
        if (!ts_grid_equal(c->answers[test], grid)) continue;
        double p = candidate_confidence(q, c);
        if (c->engine == ENGINE_pool && c->class >= CLASS_TRUSTED) trusted = fmax(trusted, odds_of(p));
        if (p > best[c->engine]) best[c->engine] = p;
        if (p > all) {
            all = p;
            a.candidate = n;
        }
        a.agreeing++;
    }
    for (int e = 0; e < ENGINES; e++) miss *= e == ENGINE_pool ? 1 : 1 - best[e];
    a.broken = facts_broken(facts, q->task->samples[q->all_demos + test].input, grid);
    const double times = facts_odds(a.broken), pool = best[ENGINE_pool];
    a.support = lowered(1 - miss * (1 - pool), times);
    *odds = exp(SHIFT) * pow(odds_of(lowered(1 - miss, times)), STRETCH);
    *odds = odds_of(1 - (1 - of_odds(*odds)) * (1 - lowered(pool, times)));
    if (trusted > 0) *odds = TRUSTED_ODDS * trusted;
    if (trusted > 0) a.support = 1 + trusted;
    return a;
}

size_t quest_rank(const Quest *q, int test, Answer *answers, size_t most) {
    assert(test >= 0 && test < q->all_tests);
    size_t n = 0;
    double all = 1, odds; // of all answers, and of none of them
    const Facts facts = facts_of(q);
    for (size_t k = 0; k < q->count; k++) {
        ts_grid grid = q->candidates[k].answers[test];
        bool seen = !grid.height;
        for (size_t m = 0; m < k && !seen; m++) seen = ts_grid_equal(q->candidates[m].answers[test], grid);
        if (seen) continue;
        Answer a = weigh(q, &facts, test, k, &odds);
        a.confidence = odds;
        all += odds;
        size_t at = n;
        for (; at > 0 && better(&a, &answers[at - 1]); at--)
            if (at < most) answers[at] = answers[at - 1];
        if (at < most) answers[at] = a;
        if (n < most) n++;
    }
    double least = MOST_CONFIDENCE; // what is ranked behind is not more likely
    for (size_t k = 0; k < n; k++) least = answers[k].confidence = fmin(least, answers[k].confidence / all);
    return n;
}

double quest_trust(const Quest *q) {
    double least = q->count ? 1 : 0;
    for (int test = 0; test < q->all_tests && least > 0; test++) {
        Answer best;
        const double p = quest_rank(q, test, &best, 1) ? best.support : 0;
        if (p < least) least = p;
    }
    return least;
}
