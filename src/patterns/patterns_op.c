// The coarse steps for patterns of a grid. The rules are numbers in tuples, which patterns/patterns.h
// explains; a number that means nothing there fails.
#include "patterns/patterns.h"

#include "dsl/ops.h"

// The n numbers of a tuple, each from 0 (or `least`, the last one) to 64.
static bool numbers_of(Ctx *c, Value v, int n, int least, int *out) {
    if (!value_is_tuple(v) || value_length(c, v) != n) return false;
    for (int k = 0; k < n; k++) {
        Value e = value_element(c, v, (uint32_t)k);
        if (!value_is_small(e) || value_small(e) < (k == n - 1 ? least : 0) || value_small(e) > 64)
            return false;
        out[k] = (int)value_small(e);
    }
    return true;
}

static Value give(Ctx *c, Obj *out, int64_t work) {
    if (!ctx_charge(c, work < 0 ? -1 - work : work)) return VALUE_FAILED;
    return work < 0 ? ctx_fail(c, TS_FAIL_VALUE) : value_of_obj(out);
}

OP_FN(complete_templates) {
    int n[4];
    if (!value_is_grid(a[0]) || !numbers_of(c, a[1], 4, 0, n)) return ctx_fail(c, TS_FAIL_TYPE);
    if (n[0] > PARTS_BY_COLOR || n[1] >= PICKS || n[2] >= ANCHORS || n[3] >= TEMPLATE_FLAGS)
        return ctx_fail(c, TS_FAIL_VALUE);
    ts_grid grid = value_as_grid(a[0]);
    Completion rule = {(PartsKind)n[0], (TemplatePick)n[1], (TemplateAnchor)n[2], n[3]};
    Obj *o = value_grid_new(c, grid.height, grid.width);
    return o ? give(c, o, patterns_complete(&c->arena, grid, &rule, grid_cells(o))) : VALUE_FAILED;
}

OP_FN(replace_pattern) {
    int64_t flags = need_int(c, a[3]);
    if (!value_is_grid(a[0]) || !value_is_grid(a[1]) || !value_is_grid(a[2]))
        return ctx_fail(c, TS_FAIL_TYPE);
    if (c->failure || flags < 0 || flags >= REPLACE_FLAGS) return ctx_fail(c, TS_FAIL_VALUE);
    ts_grid grid = value_as_grid(a[0]), from = value_as_grid(a[1]), to = value_as_grid(a[2]);
    Obj *o = value_grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    return give(c, o, patterns_replace(&c->arena, grid, from, to, (int)flags, grid_cells(o)));
}

OP_FN(fill_places) {
    int n[4];
    int64_t ground = need_int(c, a[1]), color = need_int(c, a[3]);
    if (!value_is_grid(a[0]) || !numbers_of(c, a[2], 4, -1, n)) return ctx_fail(c, TS_FAIL_TYPE);
    if (c->failure || !fits_cell(ground) || !fits_cell(color) || n[0] >= PLACES ||
        (n[0] != PLACE_SHAPE && (n[1] < 1 || n[2] < 1)))
        return ctx_fail(c, TS_FAIL_VALUE);
    ts_grid grid = value_as_grid(a[0]);
    Place place = {(PlaceKind)n[0], n[1], n[2], n[3]};
    Obj *o = value_grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    return give(c, o, patterns_fill_places(&c->arena, grid, (int)ground, &place, (int)color, grid_cells(o)));
}

OP_FN(from_cell) {
    int n[4];
    if (!value_is_grid(a[0]) || !numbers_of(c, a[1], 4, 0, n)) return ctx_fail(c, TS_FAIL_TYPE);
    if (n[0] >= CELL_WHATS || n[1] > 1 || n[2] >= USES || n[3] > 9) return ctx_fail(c, TS_FAIL_VALUE);
    ts_grid grid = value_as_grid(a[0]);
    CellRule rule = {n[0], n[1] != 0, (CellUse)n[2], n[3]};
    Obj *o = value_grid_new(c, grid.height, grid.width);
    return o ? give(c, o, patterns_from_cell(grid, &rule, grid_cells(o))) : VALUE_FAILED;
}
