// The primitive `shift_parts`: a rule said in words becomes what motion.h has.
#include "draw/draw_op.h"
#include "dsl/ops.h"
#include "move/motion.h"

enum { MOVING_CODES = 4 };

OP_FN(shift_parts) {
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    const Obj *given = value_obj(a[0]);
    ts_grid grid = {(int)given->n, (int)given->width, obj_cells(given)};
    PartsKind kind;
    Selector selector;
    Motion motion;
    Paint paint;
    int which[WHICH_CODES], moving[MOVING_CODES], painted[PAINT_CODES];
    if (!shape_codes(c, SHAPE_Which, a[1], which) || !shape_codes(c, SHAPE_Moving, a[2], moving) ||
        !shape_codes(c, SHAPE_Paint, a[3], painted))
        return VALUE_FAILED;
    draw_which_of(which, &kind, &selector);
    draw_paint_of(painted, &paint);
    motion = (Motion){(int16_t)moving[0], (int16_t)moving[1], (int16_t)moving[2], moving[3] != 0};
    Scene scene;
    if (!draw_see(c, grid, kind, &scene)) return VALUE_FAILED;
    bool chosen[SCENE_MOST_PARTS];
    selector_apply(&selector, scene.parts.count, scene.props, chosen);
    ctx_charge(c, 30 * scene.parts.count * selector.count);
    Obj *o = value_grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    ctx_charge(c, move_apply(&scene, chosen, &motion, &paint, grid_cells(o)));
    return c->failure ? VALUE_FAILED : value_of_obj(o);
}
