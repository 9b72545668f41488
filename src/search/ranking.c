// Ranking: which answers for a test are most likely right.
//
// Each engine's rules of a class were right in so many of the cases on the training tasks (confidence.def).
// For programs of a pool the class itself is the level of the confidence (solver.c).
// Candidates of one engine are no independent witnesses, those of different engines nearly are: of each
// engine the best candidate for an answer counts, its others add nothing, and 1 - (1 - p)(1 - q)… over the
// engines is the confidence in the answer.
//
// What the demos have in common holds for answers, too: an answer that breaks it is hardly ever right.
#include <assert.h>

#include "search/quest.h"

typedef struct {
    float full, partial; // right where all demos are, where some are
} Confidence;

static const Confidence confidences[ENGINES][QUEST_CLASSES] = {
#define CONFIDENCE(engine, class, full, partial) [ENGINE_##engine][class] = {full, partial},
#include "search/confidence.def"
};

enum { UNKNOWN_FULL = 15, UNKNOWN_PARTIAL = 4 }; // percent, for classes that were never seen
enum { MOST_LEVEL = 29 }; // of programs of a pool: 0.92, of the best 0.91 to 0.98 are right

double class_confidence(EngineId engine, int class) {
    assert((unsigned)engine < ENGINES && class >= 0 && class < QUEST_CLASSES);
    if (engine == ENGINE_pool) return (class + 0.5) / QUEST_CLASSES;
    float p = confidences[engine][class].full;
    return p > 0 ? (double)p : UNKNOWN_FULL / 100.0;
}

int class_of_level(double confidence) {
    const int level = (int)(confidence * QUEST_CLASSES);
    return level < MOST_LEVEL ? level : MOST_LEVEL;
}

double candidate_confidence(const Quest *q, const Candidate *c) {
    Confidence p = confidences[c->engine][c->class];
    if (c->demos_right == q->all_demos) return class_confidence(c->engine, c->class);
    double part = (double)c->demos_right / q->all_demos;
    return (p.partial > 0 ? (double)p.partial : UNKNOWN_PARTIAL / 100.0) * part;
}

// ---- What the demos have in common ----

typedef struct {
    unsigned colors; // that any output has, as bits
    unsigned always; // that all outputs have
    bool no_new;     // outputs have no colour that their input has not
    bool same_size;  // as the input
    bool one_size;   // outputs have one size, seen at least three times
    bool changes;    // no output is its input
} Facts;

static Facts facts_of(const Quest *q) {
    Facts f = {.always = ~0U, .no_new = true, .same_size = true, .one_size = q->demos > 2, .changes = true};
    for (int k = 0; k < q->demos; k++) {
        ts_grid in = q->inputs[k], out = q->outputs[k];
        unsigned colors = colors_in(out);
        f.colors |= colors;
        f.always &= colors;
        f.no_new &= !(colors & ~colors_in(in));
        f.same_size &= grid_same_size(in, out);
        f.one_size &= grid_same_size(q->outputs[0], out);
        f.changes &= !ts_grid_equal(in, out);
    }
    return f;
}

// What is left of the confidence in an answer. On the training tasks no answer that was right lost more than
// a half.
static double plausible(const Quest *q, const Facts *f, int test, ts_grid answer) {
    ts_grid input = q->task->samples[q->all_demos + test].input;
    unsigned colors = colors_in(answer), given = colors_in(input);
    double left = 1;
    if (f->no_new && (colors & ~given)) left *= 0.2;
    if (colors & ~(f->colors | given)) left *= 0.2;
    if (f->same_size && !grid_same_size(answer, input)) left *= 0.1;
    if (f->one_size && !grid_same_size(answer, q->outputs[0])) left *= 0.4;
    if (f->changes && ts_grid_equal(answer, input)) left *= 0.1;
    if (f->always & ~colors) left *= 0.7;
    return left;
}

// ---- Ranking ----

static bool better(const Answer *a, const Answer *b) {
    if (a->confidence > b->confidence + 1e-9 || b->confidence > a->confidence + 1e-9)
        return a->confidence > b->confidence;
    return a->candidate < b->candidate;
}

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
    a.confidence = (1 - miss) * plausible(q, facts, test, grid);
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
