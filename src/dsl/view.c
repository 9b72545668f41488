// Views of a grid, and back from them; see rule/view.h.
#include "rule/view.h"

#include "dsl/ops.h"

// The grid in a form that views take: NULL cells, with the failure set, where it is none.
static ts_grid need_grid(Ctx *c, Value v) {
    if (!value_is_grid(v)) {
        ctx_fail(c, TS_FAIL_TYPE);
        return (ts_grid){0};
    }
    const Obj *o = value_obj(v);
    ctx_charge(c, (int64_t)o->n * o->width * 4);
    return (ts_grid){(int)o->n, (int)o->width, obj_cells(o)};
}

static View need_view(Ctx *c, Value v) {
    int64_t view = need_int(c, v);
    if (!c->failure && (view < 0 || view >= VIEWS)) ctx_fail(c, TS_FAIL_VALUE);
    return c->failure ? VIEWS : (View)view;
}

static Value give(Ctx *c, bool good, ts_grid grid) {
    if (c->failure) return VALUE_FAILED;
    return good ? value_grid(c, grid) : ctx_fail(c, TS_FAIL_VALUE);
}

OP_FN(view) {
    ts_grid grid = need_grid(c, a[0]), seen = {0};
    View view = need_view(c, a[1]);
    return give(c, !c->failure && view_take(&c->arena, view, grid, &seen), seen);
}

OP_FN(unview) {
    ts_grid input = need_grid(c, a[0]), result = need_grid(c, a[2]), back = {0};
    View view = need_view(c, a[1]);
    return give(c, !c->failure && view_back(&c->arena, view, input, result, &back), back);
}
