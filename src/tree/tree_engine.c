// The engine of trees: a rule for each cell, as a tree of questions about it (tree/cell_tree.h).
//
// For each layout that fits the sizes, trees are grown on many choices of the families of features. Those
// that say the same about the tests are one answer; the simplest of each stands for it. An answer is trusted
// by the number of leaves, by how many of the trees give it, and by whether trees grown in the same way
// without one of the demos are right on that demo. (A vote of the trees on each cell was tried and brought no
// answer that no tree gave.)
#include "base/rng.h"
#include "tree/grow.h"
#include "tree/spread.h"
#include "tree/templates.h"

enum { PLANS = 26, MOST_ANSWERS = 32, MOST_OFFERS = 5, MOST_HOPELESS = 14 };

// Classes: of trees whose layout is the input itself, of others, and of those that learnt from flipped demos.
// (Those that are repeated come last, in spread.c.)
enum { SURE_SAME = 0, UNSURE_SAME = 2, SURE_OTHER = 14, UNSURE_OTHER = 16, FLIPPED = 25 };

typedef struct {
    Tree tree;
    int plan, votes;
} TreeAnswer;

typedef struct {
    TreeTable table;
    bool flipped;
    GrowPlan plans[PLANS];
    TreeAnswer answers[MOST_ANSWERS];
    int count, grown; // trees grown in all
} Trial;

// Families that go well together: the number of the first, and how many numbers on.
typedef struct {
    int first, count;
} Span;
#define ALL \
    { 0, 100 }
#define CELL \
    { 0, 1 }
#define OF_LAYOUT \
    { 60, 40 }
static const struct {
    Span asks[3], copies[3];
    bool by_coverage;
} themes[] = {
    {{ALL}, {ALL}, false},
    {{ALL}, {ALL}, true},
    {{{0, 4}, {52, 1}, {58, 42}}, {{0, 4}, {59, 41}}, false},      // neighbours
    {{CELL, {4, 5}, OF_LAYOUT}, {CELL, {4, 5}, OF_LAYOUT}, false}, // rays
    {{CELL, {20, 30}}, {CELL, {30, 10}, OF_LAYOUT}, false},        // parts
    {{CELL, {7, 10}, {53, 2}}, {CELL, {7, 10}}, true},             // lines and places
    {{OF_LAYOUT}, {CELL, OF_LAYOUT}, true},                        // for layouts only, from here on
    {{{62, 1}, {66, 1}, {69, 1}}, {OF_LAYOUT}, true},              // what it counts
};
enum { THEMES = sizeof themes / sizeof *themes, THEMES_OF_ALL = THEMES - 2 };

static bool spans(const Span span[3], int number) {
    for (int k = 0; k < 3; k++)
        if (number >= span[k].first && number < span[k].first + span[k].count) return true;
    return false;
}

// The themes first; then half of the families by chance, the cell itself and those of the layout always.
static void make_plans(Trial *trial, uint64_t seed) {
    Rng r = {seed};
    int of_theme = trial->table.layout.kind == Layout_SAME_GRID ? THEMES_OF_ALL : THEMES;
    for (int p = 0; p < PLANS; p++) {
        GrowPlan *plan = &trial->plans[p];
        for (int f = 0; f < FAMILIES; f++) {
            bool taken =
                f == FAMILY_cell || feature_families[f].layout != Layout_ANY || rng_below(&r, 2) == 0;
            plan->asks[f] = p < of_theme ? spans(themes[p].asks, feature_families[f].number) : taken;
            plan->copies[f] = p < of_theme ? spans(themes[p].copies, feature_families[f].number) : taken;
        }
        plan->by_coverage = p < of_theme ? themes[p].by_coverage : p % 3 == 0;
    }
}

static void note_answer(Trial *trial, const Tree *tree, int plan) {
    for (int k = 0; k < trial->count; k++) {
        TreeAnswer *a = &trial->answers[k];
        if (a->tree.answer != tree->answer) continue;
        a->votes++;
        bool better = tree->wrong != a->tree.wrong ? tree->wrong < a->tree.wrong : tree->cost < a->tree.cost;
        if (better) a->tree = *tree, a->plan = plan;
        return;
    }
    if (trial->count == MOST_ANSWERS) return;
    trial->answers[trial->count++] = (TreeAnswer){*tree, plan, 1};
}

static bool before(const TreeAnswer *a, const TreeAnswer *b) {
    if ((a->tree.wrong == 0) != (b->tree.wrong == 0)) return a->tree.wrong == 0;
    return a->tree.cost < b->tree.cost;
}

// Whether trees grown in the same way without a demo are right on it, for each of them.
static bool foresees_all(const Trial *trial, const TreeAnswer *a) {
    const TreeTable *t = &trial->table;
    for (int d = 0; d < t->quest->demos; d++) {
        Tree tree;
        if (!tree_grow(t, &trial->plans[a->plan], d, &tree)) return false;
        for (int s = 0; s < t->demo_rows; s++)
            if (t->samples[s].sample == d && tree_wrong(t, &tree, &t->samples[s]) > 0) return false;
    }
    return true;
}

// Bounds of a scale: how many of them a number is above.
static int step_of(int number, const int *bounds, int n) {
    int step = 0;
    while (step < n && number > bounds[step]) step++;
    return step;
}

// By what trees without a demo say about it, by its size, and by the share of all trees that give this
// answer.
static int class_of(const Trial *trial, const TreeAnswer *a) {
    static const int same_sizes[] = {2, 4, 7}, other_sizes[] = {3, 6}, shares[] = {19, 49};
    int leaves = a->tree.leaves, doubt = 2 - step_of(a->votes * 100 / trial->grown, shares, 2);
    bool sure = leaves <= 7 && foresees_all(trial, a);
    if (trial->flipped) return FLIPPED + (sure ? 0 : 1 + step_of(leaves, same_sizes + 1, 2));
    if (trial->table.layout.kind == Layout_SAME_GRID) {
        if (sure) return SURE_SAME + (leaves > 4 || doubt);
        return UNSURE_SAME + step_of(leaves, same_sizes, 3) * 3 + doubt;
    }
    if (sure) return SURE_OTHER + (leaves > 3 || doubt);
    return UNSURE_OTHER + step_of(leaves, other_sizes, 2) * 3 + doubt;
}

// Returns whether one of them is as good as sure.
static bool offer_best(Trial *trial) {
    Quest *q = trial->table.quest;
    bool sure = false;
    for (int offers = 0; offers < MOST_OFFERS && offers < trial->count; offers++) {
        int best = offers;
        for (int k = offers + 1; k < trial->count; k++)
            if (before(&trial->answers[k], &trial->answers[best])) best = k;
        TreeAnswer a = trial->answers[best];
        trial->answers[best] = trial->answers[offers];
        trial->answers[offers] = a;
        Text text = {0};
        text_add(&text, "O = cell_tree(I, ");
        layout_print(&text, trial->table.layout);
        text_add(&text, ", ");
        tree_print(&text, &a.tree);
        text_add(&text, ")\n");
        int class = class_of(trial, &a);
        if (!text.failed) quest_offer(q, ENGINE_trees, class, text.data);
        quest_free_text(q, &text);
        sure |= class == SURE_SAME || class == SURE_OTHER;
    }
    return sure;
}

// The demos, each in so many symmetries, then the tests.
static int make_examples(Quest *q, int symmetries, Example *examples) {
    static const int8_t order[SYMMETRIES] = {
        Symmetry_AS_IS,      Symmetry_LEFT_TO_RIGHT, Symmetry_UPSIDE_DOWN,  Symmetry_TURNED_ROUND,
        Symmetry_TRANSPOSED, Symmetry_TURNED_LEFT,   Symmetry_TURNED_RIGHT, Symmetry_ANTI_TRANSPOSED,
    };
    int n = 0;
    for (int k = 0; k < q->samples; k++)
        for (int s = 0; s < (k < q->demos ? symmetries : 1) && n < GROW_MOST_SAMPLES; s++) {
            Example e = {.sample = k};
            if (!grid_moved(&q->arena, q->inputs[k], order[s], &e.input)) return n;
            if (k < q->demos && !grid_moved(&q->arena, q->outputs[k], order[s], &e.output)) return n;
            examples[n++] = e;
        }
    return n;
}

// Returns whether an answer is as good as sure.
static bool try_layout(Quest *q, CellLayout layout, int symmetries, int plans) {
    Example examples[GROW_MOST_SAMPLES];
    int n = make_examples(q, symmetries, examples), hopeless = 0;
    int64_t reserve = q->units / 5; // to see how far to trust what is found
    Trial *trial = arena_alloc(&q->arena, sizeof *trial);
    if (!trial || !tree_table_make(&trial->table, q, layout, examples, n, NULL)) return false;
    trial->count = trial->grown = 0;
    trial->flipped = symmetries > 1;
    make_plans(trial, q->seed ^ 0x7A3D);
    for (int p = 0; p < plans && q->units > reserve; p++) {
        Tree tree;
        if (!tree_grow(&trial->table, &trial->plans[p], -1, &tree)) {
            if (++hopeless == MOST_HOPELESS) break;
            continue;
        }
        trial->grown++;
        tree.answer = tree_answer(&trial->table, &tree);
        note_answer(trial, &tree, p);
    }
    return offer_best(trial);
}

bool engine_trees(Quest *q) {
    CellLayout layouts[TEMPLATES_MOST];
    int count = templates_find(q, layouts);
    for (int k = 0; k < count; k++) {
        bool sure = try_layout(q, layouts[k], 1, PLANS);
        if (layouts[k].kind == Layout_SAME_GRID && !sure) {
            try_layout(q, layouts[k], SYMMETRIES, 2);
            tree_spread(q);
        }
        if (q->units <= 0) return false;
    }
    return true;
}
