// The primitive `walk`: a rule said in words becomes what walker.h has.
#include <string.h>

#include "draw/draw_op.h"
#include "dsl/ops.h"
#include "grid/colors.h"
#include "walk/walker.h"

enum { HABIT_CODES = 3, WALK_CODES = PAINT_CODES + HABIT_CODES * WALK_METS + 8 };

static bool walk_from(Ctx *c, Value how, Walk *w) {
    int codes[WALK_CODES];
    if (!shape_codes(c, SHAPE_Walk, how, codes)) return false;
    const int *at = codes;
    *w = (Walk){.heading = *at++};
    draw_paint_of(at, &w->paint);
    at += shape_width(SHAPE_Paint);
    walk_clear_habits(w);
    for (int k = 0; k < at[0]; k++) {
        const int *habit = at + 1 + HABIT_CODES * k;
        w->deeds[habit[0]] = (int8_t)habit[1];
        w->takes[habit[0]] = habit[2] != 0;
    }
    walk_default_habits(w);
    at += shape_width(SHAPE_Habits);
    w->from = at[0], w->gait = at[1], w->rhythm = at[2], w->colors_start = at[3] != 0;
    return true;
}

// Draws what the walkers of a part leave. False where one meets what it does not know.
static bool draw_ways(Ctx *c, Walker *x, int part, WalkBegin *begins, int8_t *canvas) {
    const Part *p = &x->scene->parts.parts[part];
    if (!ctx_charge(c, 20 * (p->bottom - p->top + 1) * (p->right - p->left + 1))) return false;
    int n = walk_begins(x->scene, part, x->walk, begins);
    if (!ctx_charge(c, 100 * n)) return false;
    for (int k = 0; k < n; k++) {
        int color = walk_color(x->scene, part, x->walk, begins[k]);
        if (color < 0) continue;
        x->steps = 0;
        WalkEnd end = walker_go(x, begins[k], color);
        if (!ctx_charge(c, x->steps)) return false;
        if (end == WALK_PUZZLED) return ctx_fail(c, TS_FAIL_VALUE), false;
        for (int m = 0; m < x->n && end == WALK_ENDED; m++) canvas[x->at[m]] = x->color[m];
    }
    return true;
}

OP_FN(walk) {
    if (!value_is_grid(a[0]) || !value_is_grid(a[1])) return ctx_fail(c, TS_FAIL_TYPE);
    ts_grid canvas = value_as_grid(a[0]), source = value_as_grid(a[1]);
    PartsKind kind;
    Selector selector;
    Walk walk;
    int which[WHICH_CODES];
    if (!grid_same_size(canvas, source)) return ctx_fail(c, TS_FAIL_TYPE);
    if (!shape_codes(c, SHAPE_Which, a[2], which) || !walk_from(c, a[3], &walk)) return VALUE_FAILED;
    draw_which_of(which, &kind, &selector);
    Scene scene;
    Walker walker;
    bool chosen[SCENE_MOST_PARTS];
    if (!draw_see(c, source, kind, &scene)) return VALUE_FAILED;
    // What walkers meet is a colour or a word: other numbers have no habit.
    if (!colors_everywhere(source)) return ctx_fail(c, TS_FAIL_VALUE);
    WalkBegin *begins = ctx_alloc(c, WALK_MOST_BEGINS * sizeof *begins);
    if (!begins || !walker_init(&c->arena, &walker, source.height * source.width))
        return ctx_fail(c, TS_FAIL_BUDGET);
    walker.scene = &scene, walker.walk = &walk;
    draw_choose(c, &scene, &selector, chosen);
    Obj *o = value_grid_new(c, canvas.height, canvas.width);
    if (!o) return VALUE_FAILED;
    memcpy(grid_cells(o), canvas.cells, (size_t)(canvas.height * canvas.width));
    for (int k = 0; k < scene.parts.count; k++)
        if (chosen[k] && !draw_ways(c, &walker, k, begins, grid_cells(o))) return VALUE_FAILED;
    return c->failure ? VALUE_FAILED : value_of_obj(o);
}
