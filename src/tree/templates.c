#include "tree/templates.h"

typedef struct {
    Quest *quest;
    CellLayout *layouts;
    int count;
} Finding;

// Takes a layout that fits all demos.
static void consider(Finding *f, CellLayout layout) {
    Quest *q = f->quest;
    if (f->count == TEMPLATES_MOST) return;
    for (int k = 0; k < q->demos; k++) {
        CellScene s;
        ts_grid in = q->inputs[k], out = q->outputs[k];
        quest_spend(q, in.height * in.width + out.height * out.width);
        if (!cell_scene_init(&s, &q->arena, in, layout) || !grid_same_size(s.base, out)) return;
    }
    f->layouts[f->count++] = layout;
}

static void find_parts(Finding *f, ts_grid in, ts_grid out) {
    for (int gap = 0; gap <= 2; gap++) {
        int n = (in.height + gap) / (out.height + gap), m = (in.width + gap) / (out.width + gap);
        if (n * m > 1 && n <= 8 && m <= 8) consider(f, (CellLayout){Layout_PANELS, n, m, gap});
    }
}

static void find_tiles(Finding *f, ts_grid in, ts_grid out) {
    int n = out.height / in.height, m = out.width / in.width;
    if (n * m < 2 || out.height % in.height || out.width % in.width) return;
    static const struct {
        int n, m;
    } measured[] = {
        {Times_GRID_HEIGHT, Times_GRID_WIDTH},
        {Times_GRID_COLORS, Times_GRID_COLORS},
        {Times_GRID_FOREGROUND_COLORS, Times_GRID_FOREGROUND_COLORS},
        {Times_GRID_FOREGROUND, Times_GRID_FOREGROUND},
        {Times_GRID_PARTS, Times_GRID_PARTS},
        {Times_GRID_HEIGHT, Times_GRID_HEIGHT},
        {Times_GRID_WIDTH, Times_GRID_WIDTH},
        {1, Times_GRID_FOREGROUND_COLORS},
        {Times_GRID_FOREGROUND_COLORS, 1},
        {1, Times_GRID_FOREGROUND},
        {Times_GRID_FOREGROUND, 1},
    };
    for (int how = LAYOUT_REPEATED; how <= LAYOUT_SCALED_UP; how++)
        consider(f, (CellLayout){Layout_REPEATED, n, m, how});
    int before = f->count;
    for (size_t k = 0; k < sizeof measured / sizeof *measured && f->count < before + 4; k++)
        for (int how = LAYOUT_REPEATED; how <= LAYOUT_SCALED_UP; how++)
            consider(f, (CellLayout){Layout_REPEATED, measured[k].n, measured[k].m, how});
}

static void find_blocks(Finding *f, ts_grid in, ts_grid out) {
    int h = in.height / out.height, w = in.width / out.width;
    consider(f, (CellLayout){Layout_ROOMS, 0, 0, LAYOUT_ROOMS});
    if (h * w < 2) return;
    consider(f, (CellLayout){Layout_BLOCKS, out.height, out.width, LAYOUT_BLOCKS});
    consider(f, (CellLayout){Layout_BLOCKS_OF, h, w, LAYOUT_BLOCKS_OF});
}

int templates_find(Quest *q, CellLayout layouts[TEMPLATES_MOST]) {
    Finding f = {q, layouts, 0};
    ts_grid in = q->inputs[0], out = q->outputs[0];
    consider(&f, (CellLayout){.kind = Layout_SAME_GRID});
    if (f.count) return f.count;
    find_parts(&f, in, out);
    find_tiles(&f, in, out);
    find_blocks(&f, in, out);
    int more_rows = out.height - in.height, more_columns = out.width - in.width;
    if (more_rows % 2 == 0 && more_columns % 2 == 0)
        consider(&f, (CellLayout){Layout_MARGIN, more_rows / 2, more_columns / 2, 0});
    for (int cut = 0; cut < CUTS; cut++) consider(&f, (CellLayout){Layout_CUT_OUT, cut, 0, 0});
    return f.count;
}
