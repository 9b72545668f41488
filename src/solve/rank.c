// Ranking: which answers for a test are most likely right.
//
// Each engine's rules of a class were right in so many of the cases on the training tasks (confidence.def).
// Candidates of one engine are no independent witnesses, those of different engines nearly are: of each
// engine the best candidate for an answer counts in full and its others a little, and 1 - (1 - p)(1 - q)…
// over the engines is the confidence in the answer.
#include <math.h>

#include "solve/quest.h"

typedef struct {
    float full, partial; // right where all demos are, where some are
} Confidence;

static const Confidence confidences[ENGINES][QUEST_CLASSES] = {
#define CONFIDENCE(engine, class, full, partial) [ENGINE_##engine][class] = {full, partial},
#include "solve/confidence.def"
};

enum { UNKNOWN_FULL = 40, UNKNOWN_PARTIAL = 4 }; // percent, for classes that were never seen

double class_confidence(EngineId engine, int class) {
    float p = confidences[engine][class].full;
    return p > 0 ? (double)p : UNKNOWN_FULL / 100.0;
}

double candidate_confidence(const Quest *q, const Candidate *c) {
    Confidence p = confidences[c->engine][c->class];
    if (c->demos_right == q->demos) return class_confidence(c->engine, c->class);
    double part = (double)c->demos_right / q->demos;
    return (p.partial > 0 ? (double)p.partial : UNKNOWN_PARTIAL / 100.0) * part;
}

static bool better(const Answer *a, const Answer *b) {
    if (a->confidence > b->confidence + 1e-9 || b->confidence > a->confidence + 1e-9)
        return a->confidence > b->confidence;
    return a->candidate < b->candidate;
}

// All that speaks for the answer of candidate k, which is the first with it.
static Answer weigh(const Quest *q, int test, size_t k) {
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
    a.confidence = 1 - miss;
    return a;
}

size_t quest_rank(const Quest *q, int test, Answer *answers, size_t most) {
    size_t n = 0;
    for (size_t k = 0; k < q->count; k++) {
        ts_grid grid = q->candidates[k].answers[test];
        bool seen = !grid.height;
        for (size_t m = 0; m < k && !seen; m++) seen = ts_grid_equal(q->candidates[m].answers[test], grid);
        if (seen) continue;
        Answer a = weigh(q, test, k);
        size_t at = n;
        for (; at > 0 && better(&a, &answers[at - 1]); at--)
            if (at < most) answers[at] = answers[at - 1];
        if (at < most) answers[at] = a;
        if (n < most) n++;
    }
    return n;
}
