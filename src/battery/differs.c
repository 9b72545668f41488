#include "battery/differs.h"

#include "battery/points.h"

enum { DIFFER_WIDTH = 64 }; // grids at a time

// For the values of all differs on a grid, and for those that are the same for all grids.
const SheetLimits differs_limits = {.lane = 4 << 20, .fixed = 64 << 20, .sure_units = UINT32_MAX};

size_t differs_room(const SheetLimits *limits) { return arena_room(DIFFER_WIDTH * limits->lane); }

bool differs_init(Sheet *s, const Graph *differs, const SheetLimits *limits, bool plain, Profile *profile) {
    SheetOptions options = {
        .units = POINTS_UNITS, .lane_units = INT64_MAX, .limits = *limits, .plain = plain};
    if (!sheet_init(s, differs, DIFFER_WIDTH, &options, profile)) return false;
    s->alike = NEEDS_S | NEEDS_C;
    return true;
}

// What a differ gives for a grid; if it did not fit, it is run alone.
static Value result_of(Sheet *s, const Member *m, uint32_t lane) {
    Value v = sheet_value(s, m->result, lane);
    if (!value_is_late(v)) return sheet_affords(s, m->result, lane) ? v : VALUE_FAILED;
    uint32_t line;
    ctx_begin(&s->scratch, s->options.units);
    return program_run(&s->scratch, m->program, sheet_value(s, SLOT_S, lane), sheet_value(s, SLOT_I, lane),
                       sheet_value(s, SLOT_C, lane), &line);
}

// The score that one differ gave: the first element of its result.
static int32_t points_of(Ctx *c, Value v) {
    if (value_is_failure(v) || !value_is_tuple(v)) return 0;
    c->failure = TS_FAIL_NONE;
    c->units = POINTS_UNITS;
    Value score = value_item(c, v, 0);
    if (c->failure || !value_is_small(score)) return 0;
    int64_t n = value_small(score);
    return n < 0 ? 0 : n > POINTS_PERFECT ? POINTS_PERFECT : (int32_t)n;
}

// The points of some grids, at most DIFFER_WIDTH of them.
static void give_points(Sheet *s, Ctx *c, Value samples, const Value *grids, uint32_t n, Value expected,
                        int32_t *points) {
    const Graph *g = s->graph;
    ctx_begin(c, s->options.units);
    sheet_begin(s);
    for (uint32_t k = 0; k < n; k++) sheet_give(s, k, &c->arena, samples, grids[k], expected);
    sheet_run(s);
    for (uint32_t k = 0; k < n; k++) {
        points[k] = 0;
        for (uint32_t m = 0; m < g->member_count; m++)
            points[k] += points_of(c, result_of(s, &g->members[m], k));
        points[k] /= (int32_t)g->member_count;
    }
}

void differs_score(Sheet *s, Ctx *c, Value samples, Value input, Value expected, Grids *grids) {
    Value batch[DIFFER_WIDTH];
    uint32_t entries[DIFFER_WIDTH], n = 0;
    int32_t points[DIFFER_WIDTH], input_points = -1;
    s->options.units = grids->side > GRID_USUAL_SIDE ? POINTS_LARGE_UNITS : POINTS_UNITS;
    batch[n++] = input; // the first of the first batch
    for (uint32_t k = 0; k < grids->count; k++) {
        GridEntry *e = &grids->entries[k];
        e->score = e->right ? POINTS_PERFECT : 0;
        if (!e->right && !e->unseen && value_is_grid(e->grid)) {
            entries[n] = k;
            batch[n++] = e->grid;
        }
        if (n == 0 || (n < DIFFER_WIDTH && k + 1 < grids->count)) continue;
        give_points(s, c, samples, batch, n, expected, points);
        uint32_t from = input_points < 0;
        if (from) input_points = points[0];
        for (uint32_t i = from; i < n; i++)
            grids->entries[entries[i]].score = points_score(points[i], input_points);
        n = 0;
    }
}

void differs_score_bundled(Value input, Value expected, Grids *grids) {
    PointsSight right, sight;
    points_look(value_obj(expected), &right);
    points_look(value_obj(input), &sight);
    const int32_t input_points = points_give(&sight, &right);
    for (uint32_t k = 0; k < grids->count; k++) {
        GridEntry *e = &grids->entries[k];
        e->score = e->right ? POINTS_PERFECT : 0;
        if (e->right || e->unseen || !value_is_grid(e->grid)) continue;
        points_look(value_obj(e->grid), &sight);
        e->score = points_score(points_give(&sight, &right), input_points);
    }
}
