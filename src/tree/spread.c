// Rules that spread: a line that grows until it hits something, a flood, a ball that bounces. What a cell
// becomes depends on neighbours that have changed before it, so the rule is learnt from the steps in between.
//
// These are not given. They are made up: the cells that change do so one after the other, in waves that start
// beside what does not change. A tree learns to take each of some steps to the next, and the last to itself.
#include "tree/spread.h"

#include <string.h>

#include "tree/grow.h"

enum { STEPS = 5, MOST_WAVES = 250, FIRST_CLASS = 29 };

// Which wave reaches each cell: 0 those that stay as they are. Waves pass through cells of one colour only,
// or through all that change, over sides or over corners too.
typedef struct {
    bool one_color, corners;
} Manner;

// The number of waves, 0 where some cell is not reached.
static int find_waves(ts_grid in, ts_grid out, int background, Manner manner, uint8_t *wave) {
    int h = in.height, w = in.width, left = 0, waves = 0;
    for (int k = 0; k < h * w; k++) {
        wave[k] = in.cells[k] == out.cells[k] ? 0 : 255;
        left += wave[k] > 0;
    }
    for (int reached = 1; reached && left; left -= reached) {
        reached = 0;
        if (++waves == MOST_WAVES) return 0;
        for (int k = 0; k < h * w; k++) {
            if (wave[k] != 255) continue;
            for (int d = 0; d < (manner.corners ? DIRECTIONS : 4); d++) {
                int y = k / w + direction_rows[d], x = k % w + direction_columns[d], other = y * w + x;
                if (y < 0 || x < 0 || y >= h || x >= w) continue;
                if (wave[other] >= waves || out.cells[other] == background) continue;
                if (manner.one_color && out.cells[other] != out.cells[k]) continue;
                wave[k] = (uint8_t)waves;
                reached++;
                break;
            }
        }
    }
    return left ? 0 : waves;
}

// The grid after so many waves.
static ts_grid after_waves(Arena *a, ts_grid in, ts_grid out, const uint8_t *wave, int waves) {
    int n = in.height * in.width;
    int8_t *cells = arena_alloc(a, (size_t)n);
    if (!cells) return in;
    for (int k = 0; k < n; k++) cells[k] = wave[k] <= waves ? out.cells[k] : in.cells[k];
    return (ts_grid){in.height, in.width, cells};
}

// The first steps, some in the middle, and the end. Returns how many examples there are; 0 where the demos
// are not such.
static int make_steps(Quest *q, Manner manner, Example *examples) {
    int n = 0, longest = 0;
    uint8_t wave[GRID_TASK_SIDE * GRID_TASK_SIDE];
    for (int d = 0; d < q->demos; d++) {
        ts_grid in = q->inputs[d], out = q->outputs[d];
        if (!grid_fits(in, GRID_TASK_SIDE) || n + STEPS > GROW_MOST_SAMPLES) return 0;
        int waves = find_waves(in, out, ground_of(in), manner, wave);
        if (waves == 0 && !ts_grid_equal(in, out)) return 0;
        if (waves > longest) longest = waves;
        int last = -1;
        for (int s = 0; s < STEPS; s++) {
            int step = s == STEPS - 1 ? waves : s < 2 ? s : s * waves / STEPS;
            if (step <= last || step > waves) continue;
            last = step;
            examples[n++] = (Example){after_waves(&q->arena, in, out, wave, step),
                                      after_waves(&q->arena, in, out, wave, step + 1), d};
        }
    }
    for (int k = q->demos; k < q->samples && n < GROW_MOST_SAMPLES; k++)
        examples[n++] = (Example){q->inputs[k], {0}, k};
    return longest > 1 ? n : 0;
}

static void offer_repeated(Quest *q, const Tree *tree) {
    Text text = {0};
    text_add(&text, "O = cell_tree(I, ");
    layout_print(&text, (CellLayout){Layout_SAME_GRID, 99, 0, 0});
    text_add(&text, ", ");
    tree_print(&text, tree);
    text_add(&text, ")\n");
    int class = FIRST_CLASS + (tree->leaves > 4) + (tree->leaves > 7);
    if (!text.failed) quest_offer(q, ENGINE_trees, class, text.data);
    quest_free_text(q, &text);
}

static bool is_near(FeatureFamily f) {
    return f == FAMILY_near_has || f == FAMILY_near_full || f == FAMILY_near_color;
}

void tree_spread(Quest *q) {
    static const Manner manners[] = {{true, true}, {false, true}, {false, false}};
    static const int reach[] = {2, 3, 8}; // the last family that is asked about
    Example examples[GROW_MOST_SAMPLES];
    for (int m = 0; m < 3; m++) {
        int n = make_steps(q, manners[m], examples);
        GrowPlan plan;
        TreeTable table;
        bool wanted[FAMILIES];
        for (int f = 0; f < FAMILIES; f++)
            wanted[f] = feature_families[f].number <= 8 || is_near((FeatureFamily)f) || f == FAMILY_regions;
        if (n == 0 || !tree_table_make(&table, q, (CellLayout){0}, examples, n, wanted)) continue;
        for (int p = 0; p < 6; p++) {
            Tree tree;
            for (int f = 0; f < FAMILIES; f++)
                plan.asks[f] = plan.copies[f] =
                    feature_families[f].number <= reach[p % 3] || is_near((FeatureFamily)f);
            plan.asks[FAMILY_regions] = p % 3 == 2;
            plan.by_coverage = p >= 3;
            if (tree_grow(&table, &plan, -1, &tree)) offer_repeated(q, &tree);
            if (q->units <= 0) return;
        }
    }
}
