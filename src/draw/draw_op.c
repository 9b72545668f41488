// Drawing for each part of a grid, and moving parts. The rules are numbers in tuples, which draw/drawing.h and
// move/motion.h explain; a number that means nothing there fails.
#include "dsl/ops.h"
#include "move/motion.h"

// ---- Rules from tuples ----

// Exactly n whole numbers of this range.
static bool ints_of(Ctx *c, Value v, int *out, int n, int least, int most) {
    if (!value_is_tuple(v) || value_length(c, v) != n) return false;
    for (int k = 0; k < n; k++) {
        Value e = value_element(c, v, (uint32_t)k);
        if (!value_is_small(e) || value_small(e) < least || value_small(e) > most) return false;
        out[k] = (int)value_small(e);
    }
    return true;
}

static bool int_of(Value v, int least, int most, int *out) {
    if (!value_is_small(v) || value_small(v) < least || value_small(v) > most) return false;
    *out = (int)value_small(v);
    return true;
}

// The elements of a tuple of `least` to `most`; how many, or -1.
static int items_of(Ctx *c, Value v, int least, int most, Value *items) {
    if (!value_is_tuple(v)) return -1;
    int64_t n = value_length(c, v);
    if (n < least || n > most) return -1;
    for (int k = 0; k < n; k++) items[k] = value_element(c, v, (uint32_t)k);
    return (int)n;
}

static bool selector_of(Ctx *c, Value v, Selector *s) {
    Value items[SELECTOR_MOST];
    int n = items_of(c, v, 0, SELECTOR_MOST, items), numbers[4];
    if (n < 0) return false;
    *s = (Selector){.count = n};
    for (int k = 0; k < n; k++) {
        if (!ints_of(c, items[k], numbers, 4, -1000, 5000)) return false;
        if (numbers[0] < 0 || numbers[0] >= PROPS || numbers[1] < 0 || numbers[1] >= TESTS) return false;
        s->at[k] =
            (Condition){(uint8_t)numbers[0], (uint8_t)numbers[1], (int16_t)numbers[2], numbers[3] != 0};
    }
    return true;
}

static bool stamp_of(Ctx *c, Value v, Patch *p) {
    if (!value_is_tuple(v) || value_length(c, v) > STAMP_MOST) return false;
    p->cells = (int)value_length(c, v);
    StampCell *cells = ctx_alloc(c, (size_t)p->cells * sizeof *cells + 1);
    p->stamp = cells;
    for (int k = 0; cells && k < p->cells; k++) {
        int numbers[3];
        if (!ints_of(c, value_element(c, v, (uint32_t)k), numbers, 3, -64, 64)) return false;
        if (numbers[2] < 0 || numbers[2] > STAMP_OWN) return false;
        cells[k] = (StampCell){(int8_t)numbers[0], (int8_t)numbers[1], (int8_t)numbers[2]};
    }
    return cells;
}

static bool patch_from(Ctx *c, Value v, Patch *p) {
    Value items[2];
    int numbers[5];
    *p = (Patch){0};
    if (items_of(c, v, 2, 2, items) == 2) {
        p->kind = PATCH_STAMP;
        return value_is_small(items[0]) && value_small(items[0]) == PATCH_STAMP && stamp_of(c, items[1], p);
    }
    if (!ints_of(c, v, numbers, 5, -20, 255) || numbers[0] < 0 || numbers[0] >= PATCHES) return false;
    *p = (Patch){(int16_t)numbers[0], (int16_t)numbers[1], (int16_t)numbers[2], (int16_t)numbers[3],
                 (int16_t)numbers[4]};
    return true;
}

static bool paint_from(Ctx *c, Value v, Paint *p) {
    Value items[3], entries[PAINT_ENTRIES];
    int n = items_of(c, v, 2, 3, items), kind, value, pair[2];
    if (n < 0 || !int_of(items[0], 0, PAINTS - 1, &kind) || !int_of(items[1], 0, PROPS - 1, &value))
        return false;
    if (kind == PAINT_COLOR && value > 9) return false;
    *p = (Paint){.kind = (int8_t)kind, .value = (int8_t)value};
    if ((kind == PAINT_TABLE) != (n == 3)) return false;
    if (n == 2) return true;
    p->entries = items_of(c, items[2], 0, PAINT_ENTRIES, entries);
    for (int k = 0; k < p->entries; k++) {
        if (!ints_of(c, entries[k], pair, 2, 0, 5000) || pair[1] > 9) return false;
        p->from[k] = (int16_t)pair[0];
        p->to[k] = (int8_t)pair[1];
    }
    return p->entries >= 0;
}

static bool which_from(Ctx *c, Value v, PartsKind *kind, Selector *s) {
    Value items[2];
    int number;
    if (items_of(c, v, 2, 2, items) != 2 || !int_of(items[0], 0, PARTS_KINDS - 1, &number)) return false;
    *kind = (PartsKind)number;
    return selector_of(c, items[1], s);
}

static bool drawing_from(Ctx *c, Value which, Value how, Drawing *d) {
    Value items[3];
    int layer;
    if (!which_from(c, which, &d->kind, &d->selector)) return false;
    if (items_of(c, how, 3, 3, items) != 3 || !int_of(items[2], 0, LAYERS - 1, &layer)) return false;
    d->layer = (Layer)layer;
    return patch_from(c, items[0], &d->patch) && paint_from(c, items[1], &d->paint);
}

static bool motion_from(Ctx *c, Value v, Motion *m) {
    int numbers[4];
    if (!ints_of(c, v, numbers, 4, -64, 64) || numbers[0] < 0 || numbers[0] >= MOVES) return false;
    int most = numbers[0] == MOVE_TOWARDS ? 10 : numbers[0] == MOVE_ALIGN ? 5 : 7;
    if (numbers[0] != MOVE_BY && (numbers[1] < 0 || numbers[1] > most)) return false;
    *m = (Motion){(int16_t)numbers[0], (int16_t)numbers[1], (int16_t)numbers[2], numbers[3] != 0};
    return true;
}

// ---- The primitives ----

// What seeing a grid's parts with all their properties costs, and the memory that takes.
static bool see(Ctx *c, ts_grid grid, PartsKind kind, Scene *scene) {
    int64_t cells = (int64_t)grid.height * grid.width;
    if (grid.height > 64 || grid.width > 64) return ctx_fail(c, TS_FAIL_TYPE), false;
    if (!ctx_charge(c, 20 * cells)) return false;
    if (!scene_of(&c->arena, grid, kind, scene)) return ctx_fail(c, TS_FAIL_BUDGET), false;
    int64_t parts = scene->parts.count;
    return ctx_charge(c, parts * (PROPS * 50 + 2 * cells));
}

static ts_grid grid_of(const Obj *o) { return (ts_grid){(int)o->n, (int)o->width, obj_cells(o)}; }

OP_FN(draw) {
    if (!value_is_grid(a[0]) || !value_is_grid(a[1])) return ctx_fail(c, TS_FAIL_TYPE);
    ts_grid canvas = grid_of(value_obj(a[0])), source = grid_of(value_obj(a[1]));
    Drawing d;
    if (canvas.height != source.height || canvas.width != source.width || !drawing_from(c, a[2], a[3], &d))
        return ctx_fail(c, TS_FAIL_TYPE);
    Scene scene;
    Brush brush;
    if (!see(c, source, d.kind, &scene)) return VALUE_FAILED;
    if (!brush_init(&c->arena, &brush, source)) return ctx_fail(c, TS_FAIL_BUDGET);
    Obj *o = grid_new(c, canvas.height, canvas.width);
    if (!o) return VALUE_FAILED;
    memcpy(grid_cells(o), canvas.cells, (size_t)(canvas.height * canvas.width));
    ctx_charge(c, drawing_apply(&scene, &d, &brush, grid_cells(o)));
    return c->failure ? VALUE_FAILED : value_of_obj(o);
}

OP_FN(shift_parts) {
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    ts_grid grid = grid_of(value_obj(a[0]));
    PartsKind kind;
    Selector selector;
    Motion motion;
    Paint paint;
    if (!which_from(c, a[1], &kind, &selector) || !motion_from(c, a[2], &motion) ||
        !paint_from(c, a[3], &paint))
        return ctx_fail(c, TS_FAIL_TYPE);
    Scene scene;
    if (!see(c, grid, kind, &scene)) return VALUE_FAILED;
    bool chosen[SCENE_MOST_PARTS];
    selector_apply(&selector, scene.parts.count, scene.props, chosen);
    ctx_charge(c, 30 * scene.parts.count * selector.count);
    Obj *o = grid_new(c, grid.height, grid.width);
    if (!o) return VALUE_FAILED;
    ctx_charge(c, move_apply(&scene, chosen, &motion, &paint, grid_cells(o)));
    return c->failure ? VALUE_FAILED : value_of_obj(o);
}
