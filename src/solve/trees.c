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
#include "solve/templates.h"

enum { PLANS = 24, MOST_ANSWERS = 32, MOST_OFFERS = 8 };

typedef struct {
    Tree tree;
    int plan, votes;
    double weight;
} TreeAnswer;

typedef struct {
    Table table;
    bool flipped;
    bool families[PLANS][FAMILIES];
    TreeAnswer answers[MOST_ANSWERS];
    int count;
} Trial;

// All families first; then half of them by chance, the cell itself always.
static void make_plans(Trial *trial, uint64_t seed) {
    Rng r = {seed};
    for (int p = 0; p < PLANS; p++)
        for (int f = 0; f < FAMILIES; f++)
            trial->families[p][f] =
                p == 0 || f == FAMILY_cell || families[f].layout != LAYOUT_ANY || rng_below(&r, 2) == 0;
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
        GrowPlan plan = {trial->families[a->plan], 0.02, d};
        if (t->quest->demos < 2 || !tree_grow(t, &plan, &tree)) return 0;
        bool good = true;
        for (int s = 0; s < t->demo_rows; s++)
            if (t->samples[s].sample == d) good &= tree_wrong(t, &tree, &t->samples[s]) == 0;
        right += good;
    }
    return right;
}

static int class_of(const Trial *trial, const TreeAnswer *a) {
    int right = foreseen(trial, a), leaves = a->tree.leaves, demos = trial->table.quest->demos;
    int doubt = right == demos ? 0 : right > 0 ? 1 : 2;
    if (trial->flipped) return 27 + (doubt == 0 ? (leaves > 4) : leaves <= 4 ? 2 : leaves <= 10 ? 3 : 4);
    if (trial->table.layout.kind != LAYOUT_SAME)
        return 18 + (leaves <= 3 ? 0 : leaves <= 6 ? 1 : 2) * 3 + doubt;
    int size = leaves <= 2 ? 0 : leaves <= 4 ? leaves - 2 : leaves <= 6 ? 3 : leaves <= 10 ? 4 : 5;
    return size * 3 + doubt;
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
        fprintf(stderr, "DBG %s %zu %d %d %d wrong %d leaves %d cost %.2f votes %d weight %.3g loo %d/%d plan %d\n", q->id, q->count > count_before ? count_before : 9999, trial->table.layout.kind, trial->flipped, offers, a.tree.wrong, a.tree.leaves, a.tree.cost, a.votes, a.weight, loo, q->demos, a.plan);
#endif
        text_free(&text);
    }
}

static void try_layout(Quest *q, Layout layout, unsigned motions, int plans) {
    Trial *trial = arena_alloc(&q->arena, sizeof *trial);
    if (!trial || !table_make(&trial->table, q, layout, motions)) return;
    trial->count = 0;
    trial->flipped = motions != 1;
    make_plans(trial, q->seed ^ 0x7A3D);
    for (int p = 0; p < plans; p++) {
        Tree tree;
        GrowPlan plan = {trial->families[p], 0.02, -1};
        if (!tree_grow(&trial->table, &plan, &tree)) break;
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
        }
        if (q->units <= 0) return false;
    }
    return true;
}
