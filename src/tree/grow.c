// Greedy: of all questions the one that tells most about which leaf is right is asked first.
//
// A leaf is a colour or the copy of a feature, and many may be right for a cell; so before each question the
// cells are sorted into groups by the leaf that is right for most of them, then for most of the rest, and so
// on. What counts is the information on the group, or how many cells the best leaf on each side is right for.
// A question about a feature with values in the tests that no demo has is worth less: this brought more than
// all weights.
#include "tree/grow.h"

#include <string.h>

#include "base/hash.h"

// ---- Growing ----

#define THRIFT 0.02 // what a unit of price counts against all that there is to know
enum { LABELS = GROW_GROUPS, VALUES = FEATURE_MOST + 2 };

typedef struct {
    const TreeTable *t;
    const GrowPlan *plan;
    Tree *tree;
    int *rows;      // those of a node lie together
    uint8_t *group; // of the rows of a node: which leaf would be right
    uint64_t *sets; // the rows of each group; then those that have none yet
    int questions;
    bool given_up; // it gets too large, or units are short
} Grower;

// A leaf: a colour, or a column to copy.
typedef struct {
    int column, color; // column -1 for a colour
    int covered;
    double worth;
} Leaf;

static double leaf_price(const TreeTable *t, const Leaf *leaf) {
    return leaf->column < 0 ? 0.5 : t->column[leaf->column].price;
}

// A leaf that is right for all is better than any that is not.
static void weigh(const Grower *g, Leaf leaf, int all, Leaf *best) {
    leaf.worth = leaf.covered * (1 - 0.02 * leaf_price(g->t, &leaf)) + (leaf.covered == all ? all : 0);
    if (leaf.worth > best->worth) *best = leaf;
}

static int count_both(const uint64_t *a, const uint64_t *b, int words) {
    int n = 0;
    for (int w = 0; w < words; w++) n += __builtin_popcountll(a[w] & b[w]);
    return n;
}

// The leaf that is right for most of the rows that have no group yet.
static Leaf best_leaf(const Grower *g, bool copies) {
    const TreeTable *t = g->t;
    const uint64_t *open = g->sets + LABELS * t->words;
    Leaf best = {.column = -1};
    int all = count_both(open, open, t->words);
    for (int c = 0; c < GROW_COLORS; c++)
        weigh(g, (Leaf){-1, c, count_both(open, t->colored + c * t->words, t->words), 0}, all, &best);
    for (int k = 0; k < t->copied_count && copies; k++) {
        const Column *column = &t->column[t->copied[k]];
        if (!g->plan->copies[column->family]) continue;
        weigh(g, (Leaf){t->copied[k], 0, count_both(open, column->right, t->words), 0}, all, &best);
    }
    return best;
}

// Gives each row the group of the leaf that would be right for it, the largest groups first. Returns the
// number of groups; the first leaf comes out too.
static int make_groups(Grower *g, const int *rows, int n, Leaf *first) {
    const TreeTable *t = g->t;
    int groups = 0;
    uint64_t *open = g->sets + LABELS * t->words, left = (uint64_t)n;
    memset(open, 0, (size_t)t->words * sizeof *open);
    for (int k = 0; k < n; k++) open[rows[k] / 64] |= 1ULL << rows[k] % 64;
    for (; left; groups++) {
        Leaf leaf = best_leaf(g, groups < 3);
        if (groups == 0) *first = leaf;
        bool last = groups == LABELS - 1;
        const uint64_t *right =
            leaf.column < 0 ? t->colored + leaf.color * t->words : t->column[leaf.column].right;
        uint64_t *set = g->sets + groups * t->words;
        left = 0;
        for (int w = 0; w < t->words; w++) {
            set[w] = last ? open[w] : open[w] & right[w];
            left |= open[w] &= ~set[w];
        }
    }
    return groups;
}

// The same row by row.
static void name_groups(Grower *g, const int *rows, int n, int groups) {
    int words = g->t->words;
    for (int k = 0; k < n; k++) {
        int group = 0, at = rows[k];
        while (group < groups - 1 && !(g->sets[group * words + at / 64] >> at % 64 & 1)) group++;
        g->group[k] = (uint8_t)group;
    }
}

typedef struct {
    int column, number; // in bytes of the column
    TreeKind kind;
    double worth;
} Split;

// The bits that two groups of cells need which hold `in` and `total - in` of each label.
static float bits_of(const float *n_log_n, const int *in, const int *total, int labels, int n) {
    int n_in = 0;
    float bits = 0;
    for (int l = 0; l < labels; l++) {
        n_in += in[l];
        bits -= n_log_n[in[l]] + n_log_n[total[l] - in[l]];
    }
    return bits + n_log_n[n_in] + n_log_n[n - n_in];
}

// Gain: the share of what is to be found out, 0 to 1.
static void try_split(const Grower *g, const Split *s, float gain, Split *best) {
    const Column *column = &g->t->column[s->column];
    double doubt = !column->is_new ? 0 : s->kind == TREE_EQUALS ? 15 : 5;
    double worth = gain - THRIFT * (column->price + doubt);
    if (gain > 1e-4F && worth > best->worth) *best = *s, best->worth = worth;
}

static void split_by_information(const Grower *g, int c, const int *rows, int n, const int *total, int labels,
                                 float all_bits, Split *best) {
    const Column *column = &g->t->column[c];
    int counts[VALUES][LABELS], above[LABELS] = {0};
    int words = g->t->words;
    if (column->sets && column->distinct * labels * words <= 3 * n) {
        int *rest = counts[column->distinct - 1]; // what the others leave
        memcpy(rest, total, sizeof *counts);
        for (int v = 0; v < column->distinct - 1; v++)
            for (int l = 0; l < labels; l++)
                rest[l] -= counts[v][l] = count_both(column->sets + v * words, g->sets + l * words, words);
    } else {
        memset(counts, 0, (size_t)column->distinct * sizeof *counts);
        for (int k = 0; k < n; k++) counts[column->codes[column->cells[rows[k]]]][g->group[k]]++;
    }
    bool ordered = feature_families[column->family].kind == FEATURE_NUMBER;
    int last = -1; // the next higher value that occurs
    for (int v = column->distinct - 1; v >= 0; v--) {
        int here = 0, value = column->values[v];
        for (int l = 0; l < labels; l++) here += counts[v][l];
        if (!here) continue;
        if (here == n) return;
        if (ordered && last >= 0) { // all that is above v
            float bits_above = bits_of(g->t->n_log_n, above, total, labels, n);
            try_split(g, &(Split){c, (value + last + 1) / 2, TREE_AT_LEAST, 0}, 1 - bits_above / all_bits,
                      best);
        }
        float bits = bits_of(g->t->n_log_n, counts[v], total, labels, n);
        try_split(g, &(Split){c, value, TREE_EQUALS, 0}, 1 - bits / all_bits, best);
        for (int l = 0; l < labels && ordered; l++) above[l] += counts[v][l];
        last = value;
    }
}

static int most_of(const Counts *c) {
    uint16_t most = 0, all[LEAVES];
    memcpy(all, c, sizeof all);
    for (int k = 0; k < LEAVES; k++) most = all[k] > most ? all[k] : most;
    return most;
}

// Counts for each value of a column the rows that each leaf is right for. The commonest value has what the
// others leave.
static void count_right(const Grower *g, const Column *column, const Counts *total, Counts *counts) {
    const TreeTable *t = g->t;
    const uint64_t *node = g->sets + LABELS * t->words;
    int commonest = 0, most = -1;
    Counts rest = *total;
    for (int v = 0; v < column->distinct; v++) {
        int n = count_both(node, column->sets + v * t->words, t->words);
        if (n > most) most = n, commonest = v;
    }
    for (int v = 0; v < column->distinct; v++) {
        Counts sum = {0};
        for (int w = 0; w < t->words && v != commonest; w++)
            for (uint64_t left = node[w] & column->sets[v * t->words + w]; left; left &= left - 1)
                sum += t->right[64 * w + __builtin_ctzll(left)];
        counts[v] = sum;
        rest -= sum;
    }
    counts[commonest] = rest;
}

static void split_by_coverage(const Grower *g, int c, const int *rows, int n, const Counts *total,
                              Split *best) {
    const Column *column = &g->t->column[c];
    Counts counts[VALUES], above = {0}, rest;
    if (column->sets && column->distinct * g->t->words <= n) count_right(g, column, total, counts);
    else {
        memset(counts, 0, (size_t)column->distinct * sizeof *counts);
        for (int k = 0; k < n; k++) counts[column->codes[column->cells[rows[k]]]] += g->t->right[rows[k]];
    }
    bool ordered = feature_families[column->family].kind == FEATURE_NUMBER;
    int covered = most_of(total), last = -1;
    float open = (float)(n - covered);
    for (int v = column->distinct - 1; v >= 0; v--) {
        int value = column->values[v], here = most_of(&counts[v]);
        if (!here) continue; // no row, as a colour would be right for one at least, or none that can be had
        if (ordered && last >= 0) {
            rest = *total - above;
            int both = most_of(&above) + most_of(&rest);
            try_split(g, &(Split){c, (value + last + 1) / 2, TREE_AT_LEAST, 0},
                      (float)(both - covered) / open, best);
        }
        rest = *total - counts[v];
        int both = here + most_of(&rest);
        try_split(g, &(Split){c, value, TREE_EQUALS, 0}, (float)(both - covered) / open, best);
        above += counts[v];
        last = value;
    }
}

// Which of the leaves that cover most are right for each row: the colours first, then what can be copied.
static void mark_right(const Grower *g, const int *rows, int n, Counts *total) {
    const TreeTable *t = g->t;
    uint64_t *node = g->sets + LABELS * t->words;
    Leaf leaves[LEAVES];
    int count = 0;
    memset(node, 0, (size_t)t->words * sizeof *node);
    for (int k = 0; k < n; k++) node[rows[k] / 64] |= 1ULL << rows[k] % 64;
    for (int c = 0; c < GROW_COLORS; c++) {
        int covered = count_both(node, t->colored + c * t->words, t->words);
        if (covered && count < LEAVES / 2) leaves[count++] = (Leaf){-1, c, covered, 0};
    }
    int colors = count;
    for (int k = 0; k < t->copied_count; k++) {
        const Column *column = &t->column[t->copied[k]];
        if (!g->plan->copies[column->family]) continue;
        Leaf leaf = {.column = t->copied[k], .covered = count_both(node, column->right, t->words)};
        int place = count < LEAVES ? count++ : LEAVES;
        for (; place > colors && leaves[place - 1].covered < leaf.covered; place--)
            if (place < LEAVES) leaves[place] = leaves[place - 1];
        if (place < LEAVES) leaves[place] = leaf;
    }
    *total = (Counts){0};
    for (int k = 0; k < n; k++) {
        Counts right = {0};
        for (int l = 0; l < count; l++) {
            int byte =
                leaves[l].column < 0 ? leaves[l].color + 1 : t->column[leaves[l].column].cells[rows[k]];
            right[l] = byte == t->label[rows[k]];
        }
        t->right[rows[k]] = right;
        *total += right;
    }
}

static Split best_split(Grower *g, const int *rows, int n, int labels) {
    const TreeTable *t = g->t;
    Split best = {.column = -1, .worth = -1e9};
    int labelled[LABELS] = {0};
    for (int l = 0; l < labels; l++)
        labelled[l] = count_both(g->sets + l * t->words, g->sets + l * t->words, t->words);
    float all_bits = t->n_log_n[n];
    for (int l = 0; l < labels; l++) all_bits -= t->n_log_n[labelled[l]];
    Counts total = {0};
    if (g->plan->by_coverage) mark_right(g, rows, n, &total);
    else name_groups(g, rows, n, labels);
    for (int c = 0; c < t->columns; c++) {
        if (!g->plan->asks[t->column[c].family]) continue;
        if (g->plan->by_coverage) split_by_coverage(g, c, rows, n, &total, &best);
        else split_by_information(g, c, rows, n, labelled, labels, all_bits, &best);
        quest_spend(t->quest, 3 * n + 80);
    }
    if (t->quest->units <= 0) g->given_up = true;
    return best;
}

static int grow(Grower *g, int *rows, int n) {
    Tree *tree = g->tree;
    Leaf leaf = {.column = -1};
    int labels = make_groups(g, rows, n, &leaf), self = tree->count++;
    Split split = {.column = -1};
    if (labels > 1 && !g->given_up) split = best_split(g, rows, n, labels);
    if (split.column < 0) {
        bool copy = leaf.column >= 0;
        tree->nodes[self] = (TreeNode){.kind = copy ? TREE_COPY : TREE_COLOR,
                                       .feature = copy ? g->t->column[leaf.column].feature : 0,
                                       .number = leaf.color};
        tree->column[self] = leaf.column;
        tree->cost += 1 + leaf_price(g->t, &leaf);
        tree->wrong += n - leaf.covered;
        tree->leaves++;
        return self;
    }
    if (++g->questions == GROW_MOST_LEAVES) g->given_up = true;
    const Column *column = &g->t->column[split.column];
    tree->cost += 2 + column->price;
    tree->column[self] = split.column;
    int yes = 0;
    for (int k = 0; k < n; k++) {
        int byte = column->cells[rows[k]], row = rows[k];
        if (split.kind == TREE_EQUALS ? byte != split.number : byte < split.number) continue;
        rows[k] = rows[yes];
        rows[yes++] = row;
    }
    int on_yes = grow(g, rows, yes), on_no = grow(g, rows + yes, n - yes);
    tree->nodes[self] = (TreeNode){split.kind, column->feature, split.number - 1, on_yes, on_no};
    return self;
}

bool tree_grow(const TreeTable *t, const GrowPlan *plan, int without, Tree *tree) {
    Grower g = {.t = t, .plan = plan, .tree = tree, .rows = t->order, .group = t->group, .sets = t->sets};
    tree->count = tree->leaves = tree->wrong = 0;
    tree->cost = 0;
    int n = 0;
    for (int s = 0; s < t->demo_rows; s++) {
        const Rows *r = &t->samples[s];
        for (int k = 0; r->sample != without && k < r->count; k++) g.rows[n++] = r->first + k;
    }
    if (n == 0 || t->quest->units <= 0) return false;
    grow(&g, g.rows, n);
    t->quest->tried[ENGINE_trees]++;
    return !g.given_up;
}

// ---- What a tree gives ----

static void tree_columns(const TreeTable *t, const Tree *tree, const uint8_t **columns) {
    for (int k = 0; k < tree->count; k++)
        columns[k] = tree->column[k] < 0 ? NULL : t->column[tree->column[k]].cells;
}

int tree_wrong(const TreeTable *t, const Tree *tree, const Rows *rows) {
    const uint8_t *columns[GROW_MOST_NODES];
    int wrong = 0;
    tree_columns(t, tree, columns);
    for (int k = rows->first; k < rows->first + rows->count; k++)
        wrong += tree_color(tree->nodes, columns, (size_t)k) + 1 != t->label[k];
    return wrong;
}

uint64_t tree_answer(const TreeTable *t, const Tree *tree) {
    const uint8_t *columns[GROW_MOST_NODES];
    uint64_t hash = 1;
    tree_columns(t, tree, columns);
    for (int k = t->rows; k < t->all_rows; k++)
        hash = hash_mix(hash, (uint64_t)(tree_color(tree->nodes, columns, (size_t)k) + 1));
    return hash;
}

static void print_node(Text *text, const Tree *tree, int k) {
    const TreeNode *t = &tree->nodes[k];
    if (t->kind == TREE_COLOR) text_int(text, t->number);
    else if (t->kind == TREE_COPY) text_print(text, "(%d,)", t->feature);
    else {
        text_print(text, "(%d, %d, %d, ", t->feature, t->kind == TREE_AT_LEAST, t->number);
        print_node(text, tree, t->yes);
        text_add(text, ", ");
        print_node(text, tree, t->no);
        text_add(text, ")");
    }
}

void tree_print(Text *text, const Tree *tree) { print_node(text, tree, 0); }

void layout_print(Text *text, CellLayout layout) {
    text_print(text, "(%d, %d, %d, %d)", layout.kind, layout.n, layout.m, layout.how);
}
