// The primitives `shift_parts` and `send_parts`: a rule said in words becomes what motion.h or journey.h has.
#include <assert.h>

#include "draw/draw_op.h"
#include "dsl/ops.h"
#include "move/journey.h"
#include "move/motion.h"

enum { MOVING_CODES = 4, JOURNEY_CODES = 3 + 2 * WAY_ENTRIES + 3 };

OP_FN(shift_parts) {
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    ts_grid grid = value_as_grid(a[0]);
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
    draw_choose(c, &scene, &selector, chosen);
    Obj *o = value_grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    ctx_charge(c, move_apply(&scene, chosen, &motion, &paint, grid_cells(o)));
    return c->failure ? VALUE_FAILED : value_of_obj(o);
}

static Journey journey_of(const int *codes) {
    const int *rest = codes + shape_width(SHAPE_Way);
    Journey j = {.way = {.kind = (int16_t)codes[0], .value = (int16_t)codes[1]},
                 .far = (int16_t)rest[0],
                 .trail = (int16_t)rest[1],
                 .ends = rest[2]};
    if (journey_is_stack(&j.way)) j.way.along = (int8_t)codes[2], j.way.against = (int8_t)codes[3];
    if (j.way.kind != Way_HEADING_BY) return j;
    j.way.entries = codes[2];
    for (int k = 0; k < j.way.entries; k++) {
        j.way.from[k] = (int16_t)codes[3 + 2 * k];
        j.way.to[k] = (int8_t)codes[4 + 2 * k];
    }
    return j;
}

OP_FN(send_parts) {
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    ts_grid grid = value_as_grid(a[0]);
    PartsKind kind;
    Selector selector;
    Paint paint;
    int which[WHICH_CODES], codes[JOURNEY_CODES], painted[PAINT_CODES];
    assert(shape_width(SHAPE_Journey) == JOURNEY_CODES);
    if (!shape_codes(c, SHAPE_Which, a[1], which) || !shape_codes(c, SHAPE_Journey, a[2], codes) ||
        !shape_codes(c, SHAPE_Paint, a[3], painted))
        return VALUE_FAILED;
    draw_which_of(which, &kind, &selector);
    draw_paint_of(painted, &paint);
    Journey journey = journey_of(codes);
    Scene scene;
    if (!draw_see(c, grid, kind, &scene)) return VALUE_FAILED;
    bool chosen[SCENE_MOST_PARTS];
    draw_choose(c, &scene, &selector, chosen);
    Obj *o = value_grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    int64_t work = 0;
    if (!journey_apply(&scene, chosen, &journey, &paint, grid_cells(o), &work))
        return ctx_fail(c, TS_FAIL_VALUE);
    ctx_charge(c, work);
    return c->failure ? VALUE_FAILED : value_of_obj(o);
}
