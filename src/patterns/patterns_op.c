// The coarse steps for patterns of a grid; words/patterns.def says what their rules may be.
#include "patterns/patterns.h"

#include "dsl/ops.h"

static Value give(Ctx *c, Obj *out, int64_t work) {
    if (!ctx_charge(c, work < 0 ? -1 - work : work)) return VALUE_FAILED;
    return work < 0 ? ctx_fail(c, TS_FAIL_VALUE) : value_of_obj(out);
}

OP_FN(complete_templates) {
    int n[4];
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    if (!shape_codes(c, SHAPE_TemplateRule, a[1], n)) return VALUE_FAILED;
    ts_grid grid = value_as_grid(a[0]);
    Completion rule = {n[0], n[1], n[2], n[3]};
    Obj *o = value_grid_new(c, grid.height, grid.width);
    return o ? give(c, o, patterns_complete(&c->arena, grid, &rule, grid_cells(o))) : VALUE_FAILED;
}

OP_FN(replace_pattern) {
    int flags;
    if (!value_is_grid(a[0]) || !value_is_grid(a[1]) || !value_is_grid(a[2]))
        return ctx_fail(c, TS_FAIL_TYPE);
    if (!shape_code(c, SHAPE_Replacing, a[3], &flags)) return VALUE_FAILED;
    ts_grid grid = value_as_grid(a[0]), from = value_as_grid(a[1]), to = value_as_grid(a[2]);
    Obj *o = value_grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    return give(c, o, patterns_replace(&c->arena, grid, from, to, flags, grid_cells(o)));
}

OP_FN(fill_places) {
    int ground, color, n[4];
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    if (!shape_code(c, SHAPE_PlaceGround, a[1], &ground) || !shape_codes(c, SHAPE_Place, a[2], n) ||
        !shape_code(c, SHAPE_Color, a[3], &color))
        return VALUE_FAILED;
    ts_grid grid = value_as_grid(a[0]);
    Place place = {n[0], n[1], n[2], n[3]};
    Obj *o = value_grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    return give(c, o, patterns_fill_places(&c->arena, grid, ground, &place, color, grid_cells(o)));
}

OP_FN(from_cell) {
    int n[4];
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    if (!shape_codes(c, SHAPE_CellRule, a[1], n)) return VALUE_FAILED;
    ts_grid grid = value_as_grid(a[0]);
    CellRule rule = {n[0], n[1] == CellSuperlative_LEAST, n[2], n[3]};
    Obj *o = value_grid_new(c, grid.height, grid.width);
    return o ? give(c, o, patterns_from_cell(grid, &rule, grid_cells(o))) : VALUE_FAILED;
}
