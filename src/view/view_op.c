// Views of a grid, and back from them; see view/view.h.
#include "view/view.h"

#include "dsl/ops.h"

// The grid in a form that views take: NULL cells, with the failure set, where it is none.
static ts_grid need_grid(Ctx *c, Value v) {
    if (!value_is_grid(v)) {
        ctx_fail(c, TS_FAIL_TYPE);
        return (ts_grid){0};
    }
    ts_grid g = value_as_grid(v);
    ctx_charge(c, (int64_t)g.height * g.width * 4);
    return g;
}

static Value give(Ctx *c, bool good, ts_grid grid) {
    if (c->failure) return VALUE_FAILED;
    return good ? value_grid(c, grid) : ctx_fail(c, TS_FAIL_VALUE);
}

OP_FN(view) {
    ts_grid grid = need_grid(c, a[0]), seen = {0};
    int view;
    return give(c, shape_code(c, SHAPE_View, a[1], &view) && view_take(&c->arena, view, grid, &seen), seen);
}

OP_FN(unview) {
    ts_grid input = need_grid(c, a[0]), result = need_grid(c, a[2]), back = {0};
    int view;
    return give(c, shape_code(c, SHAPE_View, a[1], &view) && view_back(&c->arena, view, input, result, &back),
                back);
}

// Lays what the function makes of a box over it; it must be as large as the box.
static void change_box(Ctx *c, ts_grid grid, Box box, Value function, int8_t *cells) {
    ts_grid part;
    if (!grid_cut(&c->arena, grid, box, &part)) {
        ctx_fail(c, TS_FAIL_BUDGET);
        return;
    }
    Value made = func_call1(c, function, value_grid(c, part));
    if (c->failure) return;
    const Obj *o = value_is_grid(made) ? value_obj(made) : NULL;
    if (!o || (int)o->n != part.height || (int)o->width != part.width) {
        ctx_fail(c, o ? TS_FAIL_VALUE : TS_FAIL_TYPE);
        return;
    }
    ctx_charge(c, part.height * part.width);
    grid_put((ts_grid){grid.height, grid.width, cells}, value_as_grid(made), box.top, box.left);
}

OP_FN(each_part) {
    ts_grid grid = need_grid(c, a[0]);
    int kind, count;
    if (!shape_code(c, SHAPE_EachKind, a[1], &kind)) return VALUE_FAILED;
    const Box *boxes = view_boxes(&c->arena, grid, kind, &count);
    if (!boxes) return ctx_fail(c, TS_FAIL_VALUE);
    Obj *o = value_grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    memcpy(grid_cells(o), grid.cells, (size_t)(grid.height * grid.width));
    for (int k = 0; k < count && !c->failure; k++) change_box(c, grid, boxes[k], a[2], grid_cells(o));
    return c->failure ? VALUE_FAILED : value_of_obj(o);
}
