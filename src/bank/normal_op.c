// The normal form of colours (bank/normal.h), as a primitive.
#include "bank/normal.h"

#include "dsl/ops.h"

static bool read_form(Ctx *c, Value v, NormalForm *form) {
    int codes[2 + 9];
    if (!shape_codes(c, SHAPE_NormalForm, v, codes)) return false;
    *form = (NormalForm){.kept = 1U | (unsigned)codes[0], .count = codes[1]};
    for (int k = 0; k < form->count; k++) form->features[k] = (uint8_t)codes[2 + k];
    return true;
}

OP_FN(normal_colors) {
    NormalForm form;
    int way;
    if (!value_is_grid(a[0]) || !value_is_grid(a[1])) return ctx_fail(c, TS_FAIL_TYPE);
    if (!read_form(c, a[2], &form) || !shape_code(c, SHAPE_NormalWay, a[3], &way)) return VALUE_FAILED;
    const Obj *grid = value_obj(a[0]);
    ts_grid input = value_as_grid(a[1]);
    int8_t map[10], inverse[10];
    size_t cells = (size_t)grid->n * grid->width;
    if (!grid_fits(input, NORMAL_MOST_SIDE)) return ctx_fail(c, TS_FAIL_VALUE);
    if (!ctx_charge(c, 1000 + input.height * input.width * 20 + (int64_t)cells)) return VALUE_FAILED;
    normal_map(&form, input, map);
    normal_inverse(map, inverse);
    const int8_t *to = way == NormalWay_FROM_NORMAL ? inverse : map;
    Obj *o = value_grid_new(c, grid->n, grid->width);
    if (!o) return VALUE_FAILED;
    for (size_t k = 0; k < cells; k++) {
        int8_t color = obj_cells(grid)[k];
        grid_cells(o)[k] = color >= 0 && color < 10 ? to[color] : color;
    }
    return value_of_obj(o);
}
