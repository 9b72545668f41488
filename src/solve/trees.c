// The engine of trees: a rule for each cell, as a tree of questions about it (rule/tree.h).
//
// For each layout that fits the sizes, trees are grown on many choices of the families of features. Those
// that say the same about the tests are one answer; the simplest of each stands for it. A tree is trusted by
// its number of leaves, and by whether trees grown in the same way without one of the demos are right on it.
#ifdef TREES_DEBUG
#include <stdio.h>
#endif
#include "base/rng.h"
#include "solve/grow.h"
#include "solve/spread.h"
#include "solve/templates.h"

enum { PLANS = 26, MOST_ANSWERS = 32, MOST_OFFERS = 5, MOST_HOPELESS = 14 };

typedef struct {
    Tree tree;
    int plan, votes;
    double weight;
} TreeAnswer;

typedef struct {
    Table table;
    bool flipped;
    GrowPlan plans[PLANS];
    TreeAnswer answers[MOST_ANSWERS];
    int count, grown; // trees grown in all
} Trial;

// Groups of families that go well together, by their numbers, and that of the layout.
typedef struct {
    int from, to;
} Span;
static const struct {
    Span asks[4], copies[3];
    bool by_coverage;
} themes[] = {
    {{{0, 99}}, {{0, 99}}, false},
    {{{0, 99}}, {{0, 99}}, true},
    {{{60, 99}}, {{0, 0}, {60, 99}}, true},
    {{{66, 66}, {69, 69}, {62, 62}}, {{60, 99}}, true},
    {{{0, 3}, {52, 52}, {58, 99}}, {{0, 3}, {59, 99}}, false},
    {{{0, 0}, {4, 8}, {60, 99}}, {{0, 0}, {4, 8}, {60, 99}}, false},
    {{{0, 0}, {20, 49}}, {{0, 0}, {30, 38}, {60, 99}}, false},
    {{{0, 0}, {7, 16}, {53, 54}}, {{0, 0}, {7, 16}}, true},
};
enum { THEMES = sizeof themes / sizeof *themes };

static bool spans(const Span *s, int n, int number) {
    for (int k = 0; k < n; k++)
        if (number >= s[k].from && number <= s[k].to && (k == 0 || s[k].to > 0)) return true;
    return false;
}

// The themes first; then half of the families by chance, the cell itself and those of the layout always.
static void make_plans(Trial *trial, uint64_t seed) {
    Rng r = {seed};
    for (int p = 0; p < PLANS; p++) {
        GrowPlan *plan = &trial->plans[p];
        for (int f = 0; f < FAMILIES; f++) {
            bool taken = f == FAMILY_cell || families[f].layout != LAYOUT_ANY || rng_below(&r, 2) == 0;
            plan->asks[f] = p < THEMES ? spans(themes[p].asks, 4, families[f].number) : taken;
            plan->copies[f] = p < THEMES ? spans(themes[p].copies, 3, families[f].number) : taken;
        }
        plan->by_coverage = p < THEMES ? themes[p].by_coverage : p % 3 == 0;
    }
}

// How likely a rule like this is, before anything is known of it: it halves with each two units of cost.
static double tree_weight(const Tree *tree) {
    double weight = tree->wrong ? 1e-3 : 1;
    for (double cost = tree->cost; cost > 0; cost -= 2) weight /= 2;
    return weight;
}

static void note_answer(Trial *trial, const Tree *tree, int plan) {
    for (int k = 0; k < trial->count; k++) {
        TreeAnswer *a = &trial->answers[k];
        if (a->tree.answer != tree->answer) continue;
        a->votes++;
        a->weight += tree_weight(tree);
        bool better = tree->wrong != a->tree.wrong ? tree->wrong < a->tree.wrong : tree->cost < a->tree.cost;
        if (better) a->tree = *tree, a->plan = plan;
        return;
    }
    if (trial->count == MOST_ANSWERS) return;
    trial->answers[trial->count++] = (TreeAnswer){*tree, plan, 1, tree_weight(tree)};
}

static bool before(const TreeAnswer *a, const TreeAnswer *b) {
    if ((a->tree.wrong == 0) != (b->tree.wrong == 0)) return a->tree.wrong == 0;
    return a->tree.cost < b->tree.cost;
}

// Demos that a tree is right on which was grown without them.
static int foreseen(const Trial *trial, const TreeAnswer *a) {
    const Table *t = &trial->table;
    int right = 0;
    for (int d = 0; d < t->quest->demos; d++) {
        Tree tree;
        if (t->quest->demos < 2 || !tree_grow(t, &trial->plans[a->plan], d, &tree)) return 0;
        bool good = true;
        for (int s = 0; s < t->demo_rows; s++)
            if (t->samples[s].sample == d) good &= tree_wrong(t, &tree, &t->samples[s]) == 0;
        right += good;
    }
    return right;
}

// Bounds of a scale: how many of them a number is above.
static int step_of(int number, const int *bounds, int n) {
    int step = 0;
    while (step < n && number > bounds[step]) step++;
    return step;
}

// By what trees without a demo say about it, then by size and by the share of all trees that give this
// answer.
static int class_of(const Trial *trial, const TreeAnswer *a) {
    static const int same_sizes[] = {2, 4, 7}, other_sizes[] = {3, 6};
    int leaves = a->tree.leaves, share = a->votes * 100 / trial->grown,
        doubt = share >= 50   ? 0
                : share >= 20 ? 1
                              : 2;
    bool sure = leaves <= 7 && foreseen(trial, a) == trial->table.quest->demos;
    if (trial->flipped) return 25 + (sure ? 0 : 1 + step_of(leaves, same_sizes + 1, 2));
    if (trial->table.layout.kind == LAYOUT_SAME) {
        if (sure) return leaves > 4 || doubt;
        return 2 + step_of(leaves, same_sizes, 3) * 3 + doubt;
    }
    if (sure) return 14 + (leaves > 3 || doubt);
    return 16 + step_of(leaves, other_sizes, 2) * 3 + doubt;
}

static void offer_best(Trial *trial) {
    Quest *q = trial->table.quest;
    for (int offers = 0; offers < MOST_OFFERS && offers < trial->count; offers++) {
        int best = offers;
        for (int k = offers + 1; k < trial->count; k++)
            if (before(&trial->answers[k], &trial->answers[best])) best = k;
        TreeAnswer a = trial->answers[best];
        trial->answers[best] = trial->answers[offers];
        trial->answers[offers] = a;
        Text text = {0};
        text_add(&text, "O = cell_tree(I, ");
        tree_print(&text, &a.tree, trial->table.layout);
        text_add(&text, ")\n");
#ifdef TREES_DEBUG
        size_t count_before = q->count;
        int loo = foreseen(trial, &a);
#endif
        if (!text.failed) quest_offer(q, ENGINE_trees, class_of(trial, &a), text.data);
#ifdef TREES_DEBUG
        fprintf(stderr,
                "DBG %s %zu %d %d %d wrong %d leaves %d cost %.2f votes %d weight %.3g loo %d/%d plan %d\n",
                q->id, q->count > count_before ? count_before : 9999, trial->table.layout.kind,
                trial->flipped, offers, a.tree.wrong, a.tree.leaves, a.tree.cost, a.votes, a.weight, loo,
                q->demos, a.plan);
#endif
        text_free(&text);
    }
}

static ts_grid flipped(Arena *a, ts_grid g, int motion) {
    bool exchanged = motion >= 4;
    int h = exchanged ? g.width : g.height, w = exchanged ? g.height : g.width;
    int8_t *cells = arena_alloc(a, (size_t)(h * w));
    if (motion == 0 || !cells) return g;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int y = exchanged ? j : i, x = exchanged ? i : j;
            if (motion & 1) x = g.width - 1 - x;
            if (motion & 2) y = g.height - 1 - y;
            cells[i * w + j] = g.cells[y * g.width + x];
        }
    return (ts_grid){h, w, cells};
}

// The demos, each in all these motions, then the tests.
static int make_examples(Quest *q, unsigned motions, Example *examples) {
    int n = 0;
    for (int k = 0; k < q->samples; k++)
        for (int motion = 0; motion < (k < q->demos ? 8 : 1); motion++) {
            if (!(motions >> motion & 1) || n == GROW_MOST_SAMPLES) continue;
            Example e = {flipped(&q->arena, q->inputs[k], motion), {0}, k};
            if (k < q->demos) e.output = flipped(&q->arena, q->outputs[k], motion);
            examples[n++] = e;
        }
    return n;
}

static void try_layout(Quest *q, Layout layout, unsigned motions, int plans) {
    Example examples[GROW_MOST_SAMPLES];
    int n = make_examples(q, motions, examples), hopeless = 0;
    Trial *trial = arena_alloc(&q->arena, sizeof *trial);
    if (!trial || !table_make(&trial->table, q, layout, examples, n, NULL)) return;
    trial->count = trial->grown = 0;
    trial->flipped = motions != 1;
    make_plans(trial, q->seed ^ 0x7A3D);
    for (int p = 0; p < plans; p++) {
        Tree tree;
        if (!tree_grow(&trial->table, &trial->plans[p], -1, &tree)) {
            if (q->units <= 0 || ++hopeless == MOST_HOPELESS) break;
            continue;
        }
        trial->grown++;
        tree.answer = tree_answer(&trial->table, &tree);
        note_answer(trial, &tree, p);
    }
    offer_best(trial);
}

bool engine_trees(Quest *q) {
    Layout layouts[TEMPLATES_MOST];
    int count = templates_find(q, layouts);
    for (int k = 0; k < count; k++) {
        try_layout(q, layouts[k], 1, PLANS);
        if (layouts[k].kind == LAYOUT_SAME) {
            try_layout(q, layouts[k], 0x0F, 1);
            try_layout(q, layouts[k], 0xFF, 1);
            trees_repeated(q);
        }
        if (q->units <= 0) return false;
    }
    return true;
}
