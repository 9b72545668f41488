#include "battery/differs.h"

enum {
    DIFFER_WIDTH = 64,       // grids at a time
    DIFFER_UNITS = 200000,   // for each line of a differ on each grid
    DIFFER_MEMORY = 4 << 20, // for all differs on each grid
    DIFFER_SIDE = 30,        // a larger grid is no answer to any task, and is not compared
    DIFFER_PERFECT = 1000,
};

bool differs_init(Sheet *s, const Graph *differs, bool plain, Profile *profile) {
    SheetOptions options = {
        .units = DIFFER_UNITS, .lane_units = INT64_MAX, .lane_memory = DIFFER_MEMORY, .plain = plain};
    if (!sheet_init(s, differs, DIFFER_WIDTH, &options, profile)) return false;
    s->alike = NEEDS_S | NEEDS_C;
    return true;
}

// The score that one differ gave: the first element of its result.
static int32_t points_of(Ctx *c, Value v) {
    if (value_is_failure(v) || !value_is_tuple(v)) return 0;
    c->failure = TS_FAIL_NONE;
    c->units = DIFFER_UNITS;
    Value score = value_item(c, v, 0);
    if (c->failure || !value_is_small(score)) return 0;
    int64_t n = value_small(score);
    return n < 0 ? 0 : n > DIFFER_PERFECT ? DIFFER_PERFECT : (int32_t)n;
}

// The points of some grids, at most DIFFER_WIDTH of them.
static void give_points(Sheet *s, Ctx *c, Value samples, const Value *grids, uint32_t n, Value expected,
                        int32_t *points) {
    const Graph *g = s->graph;
    ctx_begin(c, DIFFER_UNITS);
    sheet_begin(s);
    for (uint32_t k = 0; k < n; k++) sheet_give(s, k, &c->arena, samples, grids[k], expected);
    sheet_run(s);
    for (uint32_t k = 0; k < n; k++) {
        points[k] = 0;
        for (uint32_t m = 0; m < g->member_count; m++)
            points[k] += points_of(c, sheet_value(s, g->members[m].result, k));
        points[k] /= (int32_t)g->member_count;
    }
}

static int32_t score_of(int32_t points, int32_t input_points) {
    if (points <= input_points) return 0;
    // Only what is right gets all of it.
    int32_t score = DIFFER_PERFECT * (points - input_points) / (DIFFER_PERFECT - input_points);
    return score < DIFFER_PERFECT ? score : DIFFER_PERFECT - 1;
}

static bool is_comparable(const Obj *grid) { return grid->n <= DIFFER_SIDE && grid->width <= DIFFER_SIDE; }

void differs_score(Sheet *s, Ctx *c, Value samples, Value input, Value expected, Grids *grids) {
    Value batch[DIFFER_WIDTH];
    uint32_t entries[DIFFER_WIDTH], n = 0;
    int32_t points[DIFFER_WIDTH], input_points = -1;
    batch[n++] = input; // the first of the first batch
    for (uint32_t k = 0; k < grids->count; k++) {
        GridEntry *e = &grids->entries[k];
        e->score = e->right ? DIFFER_PERFECT : 0;
        if (!e->right && is_comparable(value_obj(e->grid))) {
            entries[n] = k;
            batch[n++] = e->grid;
        }
        if (n == 0 || (n < DIFFER_WIDTH && k + 1 < grids->count)) continue;
        give_points(s, c, samples, batch, n, expected, points);
        uint32_t from = input_points < 0;
        if (from) input_points = points[0];
        for (uint32_t i = from; i < n; i++)
            grids->entries[entries[i]].score = score_of(points[i], input_points);
        n = 0;
    }
}
