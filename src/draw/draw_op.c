// The primitive `draw`: a rule said in words becomes what drawing.h has.
#include "draw/draw_op.h"

#include "dsl/ops.h"

// ---- Rules from words ----

void draw_which_of(const int *codes, PartsKind *kind, Selector *s) {
    *kind = codes[0];
    *s = (Selector){.count = codes[1]};
    for (int k = 0; k < s->count; k++) {
        const int *at = codes + 2 + 4 * k;
        s->at[k] = (Condition){(uint8_t)at[0], (uint8_t)at[1], (int16_t)at[2], at[3] != 0};
    }
}

void draw_paint_of(const int *codes, Paint *p) {
    *p = (Paint){.kind = (int8_t)codes[0], .value = (int8_t)codes[1]};
    if (p->kind != Paint_BY_TABLE) return;
    p->entries = codes[2];
    for (int k = 0; k < p->entries; k++) {
        p->from[k] = (int16_t)codes[3 + 2 * k];
        p->to[k] = (int8_t)codes[4 + 2 * k];
    }
}

static bool patch_from_codes(Ctx *c, const int *codes, Patch *p) {
    *p = (Patch){.kind = (int16_t)codes[0]};
    if (p->kind == Drawn_STAMP) {
        p->cells = codes[1];
        StampCell *cells = ctx_alloc(c, (size_t)p->cells * sizeof *cells + 1);
        p->stamp = cells;
        for (int k = 0; cells && k < p->cells; k++) {
            const int *at = codes + 2 + 3 * k;
            cells[k] = (StampCell){(int8_t)at[0], (int8_t)at[1], (int8_t)at[2]};
        }
        return cells;
    }
    p->a = (int16_t)codes[1], p->b = (int16_t)codes[2], p->c = (int16_t)codes[3], p->d = (int16_t)codes[4];
    return true;
}

static bool drawing_from(Ctx *c, Value which, Value how, Drawing *d) {
    int parts[WHICH_CODES], codes[DRAWING_CODES], drawn = shape_width(SHAPE_Drawn);
    if (!shape_codes(c, SHAPE_Which, which, parts) || !shape_codes(c, SHAPE_Drawing, how, codes))
        return false;
    draw_which_of(parts, &d->kind, &d->selector);
    draw_paint_of(codes + drawn, &d->paint);
    d->layer = codes[drawn + shape_width(SHAPE_Paint)];
    return patch_from_codes(c, codes, &d->patch);
}

// ---- The primitives ----

// What seeing a grid's parts with all their properties costs, and the memory that takes.
bool draw_see(Ctx *c, ts_grid grid, PartsKind kind, Scene *scene) {
    int64_t cells = (int64_t)grid.height * grid.width;
    if (!grid_fits(grid, GRID_TASK_SIDE)) return ctx_fail(c, TS_FAIL_TYPE), false;
    if (!ctx_charge(c, 20 * cells)) return false;
    if (!scene_of(&c->arena, grid, kind, scene)) return ctx_fail(c, TS_FAIL_BUDGET), false;
    int64_t parts = scene->parts.count;
    return ctx_charge(c, parts * (PROPS * 50 + 2 * cells));
}

void draw_choose(Ctx *c, const Scene *scene, const Selector *s, bool chosen[SCENE_MOST_PARTS]) {
    selector_apply(s, scene->parts.count, scene->props, chosen);
    ctx_charge(c, 30 * scene->parts.count * s->count);
}

OP_FN(draw) {
    if (!value_is_grid(a[0]) || !value_is_grid(a[1])) return ctx_fail(c, TS_FAIL_TYPE);
    ts_grid canvas = value_as_grid(a[0]), source = value_as_grid(a[1]);
    Drawing d;
    if (!grid_same_size(canvas, source)) return ctx_fail(c, TS_FAIL_TYPE);
    if (!drawing_from(c, a[2], a[3], &d)) return VALUE_FAILED;
    Scene scene;
    Brush brush;
    if (!draw_see(c, source, d.kind, &scene)) return VALUE_FAILED;
    if (!brush_init(&c->arena, &brush, source)) return ctx_fail(c, TS_FAIL_BUDGET);
    Obj *o = value_grid_new(c, canvas.height, canvas.width);
    if (!o) return VALUE_FAILED;
    memcpy(grid_cells(o), canvas.cells, (size_t)(canvas.height * canvas.width));
    ctx_charge(c, drawing_apply(&scene, &d, &brush, grid_cells(o)));
    return c->failure ? VALUE_FAILED : value_of_obj(o);
}
