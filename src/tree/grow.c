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

// ---- The table ----

// The scenes of all examples, those of the demos first; false where one does not fit its output.
static bool make_scenes(TreeTable *t, const Example *examples, int count, CellScene *scenes) {
    for (int k = 0; k < count; k++) {
        const Example *e = &examples[k];
        bool is_demo = e->output.height > 0;
        CellScene *s = &scenes[t->sample_count];
        if (!cell_scene_init(s, &t->quest->arena, e->input, t->layout)) {
            if (is_demo) return false;
            continue; // a test that it says nothing about
        }
        int cells = s->base.height * s->base.width;
        if (t->all_rows + cells > GROW_MOST_ROWS) return false;
        t->samples[t->sample_count++] = (Rows){t->all_rows, cells, e->sample};
        if (is_demo) {
            if (!grid_same_size(e->output, s->base)) return false;
            for (int c = 0; c < cells; c++) t->label[t->all_rows + c] = (uint8_t)(e->output.cells[c] + 1);
            t->demo_rows = t->sample_count;
            t->rows += cells;
        }
        t->all_rows += cells;
    }
    return t->rows > 0;
}

// Finds the values that occur. False where memory is short.
static bool look_over(const TreeTable *t, Column *c) {
    bool seen[256] = {false};
    uint8_t code[256];
    for (int k = 0; k < t->rows; k++) seen[c->cells[k]] = true;
    c->distinct = 0;
    for (int v = 0; v < 256; v++)
        if (seen[v]) code[v] = (uint8_t)c->distinct++;
    c->is_new = false;
    for (int k = t->rows; k < t->all_rows; k++) c->is_new |= !seen[c->cells[k]];
    uint8_t *codes = arena_alloc(&t->quest->arena, (size_t)t->rows);
    uint8_t *values = arena_alloc(&t->quest->arena, (size_t)c->distinct);
    if (!codes || !values) return false;
    for (int v = 0; v < 256; v++)
        if (seen[v]) values[code[v]] = (uint8_t)v;
    for (int k = 0; k < t->rows; k++) codes[k] = code[c->cells[k]];
    c->codes = codes;
    c->values = values;
    return true;
}

// Takes the columns of a family that part the cells and are not there yet.
static bool add_family(TreeTable *t, CellScene *scenes, FeatureFamily family, uint64_t *seen, size_t mask) {
    const FamilyInfo *info = &feature_families[family];
    size_t stride = (size_t)t->all_rows;
    uint8_t *block = arena_alloc(&t->quest->arena, stride * (size_t)info->count);
    if (!block || t->quest->units <= 0) return false;
    for (int k = 0; k < t->sample_count; k++) {
        quest_spend(t->quest, cell_scene_cost(&scenes[k], family));
        if (!cell_scene_fill(&scenes[k], family, block + t->samples[k].first, stride)) return false;
    }
    for (int f = 0; f < info->count; f++) {
        Column c = {.cells = block + (size_t)f * stride,
                    .feature = info->number * 100 + f,
                    .price = info->price,
                    .family = family};
        if (memcmp(c.cells, c.cells + 1, (size_t)t->rows - 1) == 0) continue; // all alike
        uint64_t hash = hash_bytes(info->kind == FEATURE_COLOR, c.cells, stride) | 1;
        size_t slot = (size_t)hash & mask;
        while (seen[slot] && seen[slot] != hash) slot = (slot + 1) & mask;
        if (seen[slot]) continue;
        seen[slot] = hash;
        if (!look_over(t, &c)) return false;
        t->column[t->columns++] = c;
    }
    return true;
}

// The logarithm to base 2 of a number from 1 on: bit by bit, the same on every machine.
static float log_2(int n) {
    int whole = 31 - __builtin_clz((unsigned)n);
    double x = (double)n / (double)(1u << whole), bit = 1, sum = whole;
    for (int k = 0; k < 24; k++) {
        x *= x;
        bit /= 2;
        if (x >= 2) x /= 2, sum += bit;
    }
    return (float)sum;
}

bool tree_table_make(TreeTable *t, Quest *q, CellLayout layout, const Example *examples, int count,
                     const bool *wanted) {
    *t = (TreeTable){.quest = q, .layout = layout};
    size_t features = 0, slots = 4096;
    for (int f = 0; f < FAMILIES; f++) features += (size_t)feature_families[f].count;
    CellScene *scenes = arena_alloc(&q->arena, GROW_MOST_SAMPLES * sizeof *scenes);
    t->samples = arena_alloc(&q->arena, GROW_MOST_SAMPLES * sizeof *t->samples);
    t->label = arena_alloc(&q->arena, GROW_MOST_ROWS);
    t->column = arena_alloc(&q->arena, features * sizeof *t->column);
    uint64_t *seen = arena_alloc(&q->arena, slots * sizeof *seen);
    if (count > GROW_MOST_SAMPLES) return false;
    if (!scenes || !t->samples || !t->label || !t->column || !seen ||
        !make_scenes(t, examples, count, scenes))
        return false;
    memset(seen, 0, slots * sizeof *seen);
    for (int price = 0; price < 10; price++)
        for (int f = 0; f < FAMILIES; f++) {
            bool applies =
                feature_families[f].layout == Layout_ANY || feature_families[f].layout == layout.kind;
            if (wanted && !wanted[f]) continue;
            if (feature_families[f].price == price && applies &&
                !add_family(t, scenes, (FeatureFamily)f, seen, slots - 1))
                return false;
        }
    t->n_log_n = arena_alloc(&q->arena, (size_t)(t->rows + 1) * sizeof *t->n_log_n);
    t->order = arena_alloc(&q->arena, (size_t)t->rows * sizeof *t->order);
    t->group = arena_alloc(&q->arena, (size_t)t->rows);
    char *right = arena_alloc(&q->arena, (size_t)(t->rows + 1) * sizeof *t->right);
    if (!t->n_log_n || !t->order || !t->group || !right) return false;
    t->right = (Counts *)(right + (-(uintptr_t)right & (sizeof *t->right - 1)));
    t->n_log_n[0] = 0;
    for (int n = 1; n <= t->rows; n++) t->n_log_n[n] = (float)n * log_2(n);
    return quest_spend(q, t->columns * (int64_t)t->all_rows);
}

// ---- Growing ----

#define THRIFT 0.02 // what a unit of price counts against all that there is to know
enum { LABELS = 8, VALUES = FEATURE_MOST + 2 };

typedef struct {
    const TreeTable *t;
    const GrowPlan *plan;
    Tree *tree;
    int *rows;      // in the order of the groups
    uint8_t *group; // of the rows of a node: which leaf would be right
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

// The leaf that is right for most of the rows that have no group yet.
static Leaf best_leaf(const Grower *g, const int *rows, int n, bool copies) {
    const TreeTable *t = g->t;
    Leaf best = {.column = -1};
    int counts[12] = {0}, all = 0;
    for (int k = 0; k < n; k++)
        if (g->group[k] == LABELS) counts[t->label[rows[k]]]++, all++;
    for (int c = 1; c <= 10; c++) weigh(g, (Leaf){-1, c - 1, counts[c], 0}, all, &best);
    for (int c = 0; c < t->columns && copies; c++) {
        const Column *column = &t->column[c];
        if (feature_families[column->family].kind != FEATURE_COLOR || !g->plan->copies[column->family])
            continue;
        int covered = 0;
        for (int k = 0; k < n; k++)
            covered += g->group[k] == LABELS && column->cells[rows[k]] == t->label[rows[k]];
        weigh(g, (Leaf){c, 0, covered, 0}, all, &best);
    }
    return best;
}

// Gives each row the group of the leaf that would be right for it, the largest groups first. Returns the
// number of groups; the first leaf comes out too.
static int make_groups(Grower *g, const int *rows, int n, Leaf *first) {
    const TreeTable *t = g->t;
    int groups = 0;
    memset(g->group, LABELS, (size_t)n);
    for (int left = n; left > 0; groups++) {
        Leaf leaf = best_leaf(g, rows, n, groups < 3);
        if (groups == 0) *first = leaf;
        bool last = groups == LABELS - 1;
        const uint8_t *copied = leaf.column < 0 ? NULL : t->column[leaf.column].cells;
        for (int k = 0; k < n; k++) {
            if (g->group[k] != LABELS) continue;
            int label = t->label[rows[k]];
            if (!last && (copied ? copied[rows[k]] != label : leaf.color + 1 != label)) continue;
            g->group[k] = (uint8_t)groups;
            left--;
        }
    }
    return groups;
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
    memset(counts, 0, (size_t)column->distinct * sizeof *counts);
    for (int k = 0; k < n; k++) counts[column->codes[rows[k]]][g->group[k]]++;
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
        for (int l = 0; l < labels; l++) above[l] += counts[v][l];
        last = value;
    }
}

static int most_of(const Counts *c) {
    int most = 0;
    for (int k = 0; k < LEAVES; k++)
        if ((*c)[k] > most) most = (*c)[k];
    return most;
}

static void split_by_coverage(const Grower *g, int c, const int *rows, int n, const Counts *total,
                              Split *best) {
    const Column *column = &g->t->column[c];
    Counts counts[VALUES], above = {0}, rest;
    memset(counts, 0, (size_t)column->distinct * sizeof *counts);
    for (int k = 0; k < n; k++) counts[column->codes[rows[k]]] += g->t->right[k];
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
    Leaf leaves[LEAVES];
    int count = 0, counts[12] = {0};
    for (int k = 0; k < n; k++) counts[t->label[rows[k]]]++;
    for (int c = 1; c <= 10; c++)
        if (counts[c] && count < LEAVES / 2) leaves[count++] = (Leaf){-1, c - 1, counts[c], 0};
    int colors = count;
    for (int c = 0; c < t->columns; c++) {
        const Column *column = &t->column[c];
        if (feature_families[column->family].kind != FEATURE_COLOR || !g->plan->copies[column->family])
            continue;
        Leaf leaf = {.column = c};
        for (int k = 0; k < n; k++) leaf.covered += column->cells[rows[k]] == t->label[rows[k]];
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
        t->right[k] = right;
        *total += right;
    }
}

static Split best_split(Grower *g, const int *rows, int n, int labels) {
    const TreeTable *t = g->t;
    Split best = {.column = -1, .worth = -1e9};
    int labelled[LABELS] = {0};
    for (int k = 0; k < n; k++) labelled[g->group[k]]++;
    float all_bits = t->n_log_n[n];
    for (int l = 0; l < labels; l++) all_bits -= t->n_log_n[labelled[l]];
    Counts total = {0};
    if (g->plan->by_coverage) mark_right(g, rows, n, &total);
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
    Grower g = {.t = t, .plan = plan, .tree = tree, .rows = t->order, .group = t->group};
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
