// The normal form of colours (bank/normal.h), as a primitive.
#include "bank/normal.h"

#include "dsl/ops.h"

// A form is a pair: the colours that are kept, then the features.
static bool read_form(Ctx *c, Value v, NormalForm *form) {
    Value kept, features, number;
    *form = (NormalForm){.kept = 1};
    if (!unpack_two(c, v, &kept, &features)) return false;
    for (Iter it = iter(c, kept); iter_next(&it, &number);) {
        int64_t color = need_int(c, number);
        if (c->failure || color < 0 || color > 9) return false;
        form->kept |= 1u << color;
    }
    for (Iter it = iter(c, features); iter_next(&it, &number);) {
        int64_t feature = need_int(c, number);
        if (c->failure || feature < 0 || feature >= NORMAL_FEATURES || form->count == 9) return false;
        form->features[form->count++] = (uint8_t)feature;
    }
    return !c->failure;
}

OP_FN(normal_colors) {
    NormalForm form;
    if (!value_is_grid(a[0]) || !value_is_grid(a[1]) || !read_form(c, a[2], &form))
        return ctx_fail(c, TS_FAIL_TYPE);
    const Obj *grid = value_obj(a[0]);
    ts_grid input = value_as_grid(a[1]);
    int8_t map[10], inverse[10];
    size_t cells = (size_t)grid->n * grid->width;
    if (!grid_fits(input, GRID_MOST_SIDE)) return ctx_fail(c, TS_FAIL_TYPE);
    if (!ctx_charge(c, 1000 + input.height * input.width * 20 + (int64_t)cells)) return VALUE_FAILED;
    normal_map(&form, input, map);
    normal_inverse(map, inverse);
    const int8_t *to = py_truth(a[3]) ? inverse : map;
    Obj *o = value_grid_new(c, grid->n, grid->width);
    if (!o) return VALUE_FAILED;
    for (size_t k = 0; k < cells; k++) {
        int8_t color = obj_cells(grid)[k];
        grid_cells(o)[k] = color >= 0 && color < 10 ? to[color] : color;
    }
    return value_of_obj(o);
}
