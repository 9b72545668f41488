// The table of features that trees grow on: the cells of all samples, a column of bytes for each feature.
//
// A column is there once, however many features say the same. Where it has few values, and most have two or
// three, the rows of each value are a set of bits, so that a question is weighed by counting bits.
#include <string.h>

#include "base/hash.h"
#include "tree/grow.h"
#include "value/bits.h"

static int most_rows(const Quest *q) { return q->side > GRID_USUAL_SIDE ? GROW_LARGE_ROWS : GROW_MOST_ROWS; }

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
        if (t->all_rows + cells > most_rows(t->quest)) return false;
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

// Which of 64 bytes are the same.
static uint64_t same_bytes(const uint8_t *a, const uint8_t *b) {
    return bits_same(a, b) | (uint64_t)bits_same(a + BITS_CELLS, b + BITS_CELLS) << BITS_CELLS;
}

// The demos' rows in which a column is what another is; `step` 0 where that is the same 64 bytes throughout.
// Both have PADDING bytes more.
enum { PADDING = 64 };
static void mark_same(const TreeTable *t, const uint8_t *a, const uint8_t *b, size_t step, uint64_t *set) {
    for (int w = 0; w < t->words; w++, a += 64, b += step) set[w] = same_bytes(a, b);
    if (t->rows % 64) set[t->words - 1] &= (1ULL << t->rows % 64) - 1;
}

// Finds the values that occur, in any order, and the rows of each. Returns how many there are, one more than
// GROW_MOST_SETS where there are more.
static int find_values(const TreeTable *t, const uint8_t *cells, uint8_t *values, uint64_t *sets) {
    int n = 0;
    for (int w = 0; w < t->words; w++) {
        uint64_t left = w == t->words - 1 && t->rows % 64 ? (1ULL << t->rows % 64) - 1 : ~0ULL;
        for (int k = 0; k < n; k++) left &= ~sets[k * t->words + w];
        while (left) {
            uint8_t all[64];
            if (n == GROW_MOST_SETS) return n + 1;
            values[n] = cells[64 * w + __builtin_ctzll(left)];
            memset(all, values[n], sizeof all);
            mark_same(t, cells, all, 0, sets + n * t->words);
            left &= ~sets[n++ * t->words + w];
        }
    }
    return n;
}

// Takes over the values that occur, ascending.
static bool take_values(const TreeTable *t, Column *c, const bool *seen) {
    uint8_t *codes = arena_alloc(&t->quest->arena, 256), *values;
    c->distinct = 0;
    for (int v = 0; codes && v < 256; v++)
        if (seen[v]) codes[v] = (uint8_t)c->distinct++;
    values = arena_alloc(&t->quest->arena, (size_t)c->distinct);
    if (!codes || !values) return false;
    for (int v = 0; v < 256; v++)
        if (seen[v]) values[codes[v]] = (uint8_t)v;
    c->codes = codes;
    c->values = values;
    return true;
}

static bool take_sets(const TreeTable *t, Column *c, const uint8_t *found, const uint64_t *sets) {
    size_t bytes = (size_t)t->words * sizeof *sets;
    uint64_t *kept = arena_alloc(&t->quest->arena, (size_t)c->distinct * bytes);
    for (int k = 0; kept && k < c->distinct; k++)
        memcpy(kept + c->codes[found[k]] * t->words, sets + k * t->words, bytes);
    c->sets = kept;
    return kept != NULL;
}

// Finds the values that occur. False where memory is short.
static bool look_over(const TreeTable *t, Column *c) {
    bool seen[256] = {false};
    uint8_t found[GROW_MOST_SETS];
    int n = find_values(t, c->cells, found, t->scratch);
    bool few = n <= GROW_MOST_SETS;
    for (int k = 0; k < n && few; k++) seen[found[k]] = true;
    for (int k = 0; k < t->rows && !few; k++) seen[c->cells[k]] = true;
    if (!take_values(t, c, seen) || (few && !take_sets(t, c, found, t->scratch))) return false;
    c->is_new = false;
    for (int k = t->rows; k < t->all_rows; k++) c->is_new |= !seen[c->cells[k]];
    c->right = NULL;
    if (feature_families[c->family].kind != FEATURE_COLOR) return true;
    uint64_t *right = arena_alloc(&t->quest->arena, (size_t)t->words * sizeof *right);
    if (!right) return false;
    mark_same(t, c->cells, t->label, 64, right);
    c->right = right;
    return true;
}

// Takes the columns of a family that part the cells and are not there yet.
static bool add_family(TreeTable *t, CellScene *scenes, FeatureFamily family, uint64_t *seen, size_t mask) {
    const FamilyInfo *info = &feature_families[family];
    size_t stride = (size_t)t->all_rows;
    uint8_t *block = arena_alloc(&t->quest->arena, stride * (size_t)info->count + PADDING);
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
        if (c.right) t->copied[t->copied_count++] = t->columns;
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

// Room for sets of rows, and the rows of each colour.
static bool make_sets(TreeTable *t) {
    t->words = (t->rows + 63) / 64;
    size_t bytes = (size_t)t->words * sizeof *t->scratch;
    t->scratch = arena_alloc(&t->quest->arena, GROW_MOST_SETS * bytes);
    t->sets = arena_alloc(&t->quest->arena, (GROW_GROUPS + 1) * bytes);
    t->colored = arena_alloc(&t->quest->arena, GROW_COLORS * bytes);
    if (!t->scratch || !t->sets || !t->colored) return false;
    for (int c = 0; c < GROW_COLORS; c++) {
        uint8_t all[64];
        memset(all, c + 1, sizeof all);
        mark_same(t, t->label, all, 0, t->colored + c * t->words);
    }
    return true;
}

bool tree_table_make(TreeTable *t, Quest *q, CellLayout layout, const Example *examples, int count,
                     const bool *wanted) {
    *t = (TreeTable){.quest = q, .layout = layout};
    size_t features = 0, slots = 4096;
    for (int f = 0; f < FAMILIES; f++) features += (size_t)feature_families[f].count;
    CellScene *scenes = arena_alloc(&q->arena, GROW_MOST_SAMPLES * sizeof *scenes);
    t->samples = arena_alloc(&q->arena, GROW_MOST_SAMPLES * sizeof *t->samples);
    t->label = arena_alloc(&q->arena, (size_t)most_rows(q) + PADDING);
    t->column = arena_alloc(&q->arena, features * sizeof *t->column);
    t->copied = arena_alloc(&q->arena, features * sizeof *t->copied);
    uint64_t *seen = arena_alloc(&q->arena, slots * sizeof *seen);
    if (count > GROW_MOST_SAMPLES) return false;
    if (!scenes || !t->samples || !t->label || !t->column || !t->copied || !seen ||
        !make_scenes(t, examples, count, scenes) || !make_sets(t))
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
