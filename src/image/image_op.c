// The functions on images as primitives: values are taken for images, and what comes out is made a value
// again.
//
// An image is (place, grid), the image of nothing ((0, 0), ()), a list a tuple of images. An image that was
// read shares the cells of the grid.
#include "dsl/ops.h"
#include "image/image.h"

enum { MOST_PLACE = 1000 };

static bool need_image(Ctx *c, Value v, Image *out) {
    const Obj *o = value_is(v, KIND_TUPLE) && value_obj(v)->n == 2 ? value_obj(v) : NULL;
    const Value *items = o ? obj_items(o) : NULL;
    bool nothing = o && value_same(items[1], VALUE_NO_TUPLE);
    *out = (Image){0};
    if (!o || !value_is_loc(items[0]) || !(nothing || value_is_grid(items[1])))
        return ctx_fail(c, TS_FAIL_TYPE), false;
    if (nothing) return true;
    int i = word_i(value_word(items[0])), j = word_j(value_word(items[0]));
    const Obj *grid = value_obj(items[1]);
    bool fits = i >= -MOST_PLACE && i <= MOST_PLACE && j >= -MOST_PLACE && j <= MOST_PLACE;
    if (!fits || grid->n > IMAGE_MOST_SIDE || grid->width > IMAGE_MOST_SIDE ||
        grid->n * grid->width > IMAGE_MOST_CELLS)
        return ctx_fail(c, TS_FAIL_VALUE), false;
    *out = (Image){(int16_t)i, (int16_t)j, (int16_t)grid->n, (int16_t)grid->width, obj_cells(grid)};
    uint8_t wrong = 0;
    for (int k = 0; k < image_cells(out); k++) wrong |= (uint8_t)out->cells[k] >= IMAGE_COLORS;
    if (wrong) ctx_fail(c, TS_FAIL_VALUE);
    return !c->failure;
}

// A list too. Those of nothing are left out of it.
static bool need_images(Ctx *c, Value v, Images *out) {
    const Obj *o = value_is(v, KIND_TUPLE) ? value_obj(v) : NULL;
    if (!o) return ctx_fail(c, TS_FAIL_TYPE), false;
    bool is_list = !(o->n == 2 && value_is_loc(obj_items(o)[0]));
    uint32_t n = is_list ? o->n : 1;
    if (n > IMAGES_MOST) return ctx_fail(c, TS_FAIL_VALUE), false;
    Image *at = ctx_alloc(c, (n + 1) * sizeof *at);
    if (!at) return false;
    *out = (Images){.is_list = is_list, .at = at};
    for (uint32_t k = 0, cells = 0; k < n; k++) {
        if (!need_image(c, is_list ? obj_items(o)[k] : v, &at[out->count])) return false;
        cells += (uint32_t)image_cells(&at[out->count]);
        if (cells > IMAGES_MOST_CELLS) return ctx_fail(c, TS_FAIL_VALUE), false;
        out->count += image_cells(&at[out->count]) > 0 || !is_list;
    }
    return true;
}

static Value image_value(Ctx *c, const Image *x) {
    Value grid = value_grid(c, (ts_grid){x->h, x->w, x->cells});
    return c->failure ? VALUE_FAILED : value_pair(c, value_loc(c, x->i, x->j), grid);
}

static Value images_value(Ctx *c, const Images *x) {
    if (!x->is_list) return image_value(c, &x->at[0]);
    Gather g = gather_room(c, (size_t)x->count);
    for (int k = 0; k < x->count && !c->failure; k++) gather_add(&g, image_value(c, &x->at[k]));
    return gather_tuple(&g);
}

// A height and a width, as a blank image.
static bool need_size(Ctx *c, Value v, Image *out) {
    int64_t h, w;
    *out = (Image){0};
    if (!unpack_ints(c, v, &h, &w)) return ctx_fail(c, TS_FAIL_TYPE), false;
    bool fits = h > 0 && w > 0 && h <= IMAGE_MOST_SIDE && w <= IMAGE_MOST_SIDE && h * w <= IMAGE_MOST_CELLS;
    if (!fits) return ctx_fail(c, TS_FAIL_VALUE), false;
    if (ctx_charge(c, h * w / 8) && !image_blank(&c->arena, (int)h, (int)w, out)) ctx_fail(c, TS_FAIL_BUDGET);
    return !c->failure;
}

static Value apply(Ctx *c, int fn, const Value *a) {
    Images in, out;
    Image size;
    bool sized = image_fns[fn].kind == IMAGE_SIZED;
    if (!need_images(c, a[0], &in) || (sized && !need_size(c, a[1], &size))) return VALUE_FAILED;
    int choice;
    if (!shape_code(c, image_fns[fn].shape, a[1 + sized], &choice)) return VALUE_FAILED;
    if (!ctx_charge(c, images_units(fn, &in, sized ? &size : NULL))) return VALUE_FAILED;
    if (!images_apply(&c->arena, fn, choice, &in, sized ? &size : NULL, &out))
        return ctx_fail(c, TS_FAIL_VALUE);
    return images_value(c, &out);
}

#define IMAGE_FN(name, kind, shape, variants, weight) \
    OP_FN(image_##name) { return apply(c, IMAGE_FN_##name, a); }
#include "image/image_functions.def"

OP_FN(image) {
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    return value_pair(c, value_loc(c, 0, 0), a[0]);
}

OP_FN(image_grid) {
    Image x;
    if (!need_image(c, a[0], &x)) return VALUE_FAILED;
    return image_cells(&x) ? obj_items(value_obj(a[0]))[1] : ctx_fail(c, TS_FAIL_EMPTY);
}

OP_FN(image_blank) {
    Image x;
    return need_size(c, a[0], &x) ? image_value(c, &x) : VALUE_FAILED;
}

OP_FN(image_lay) {
    Image x, y, out;
    int how;
    if (!need_image(c, a[0], &x) || !need_image(c, a[1], &y) || !shape_code(c, SHAPE_ImageLay, a[2], &how))
        return VALUE_FAILED;
    int64_t cells = image_cells(&x) + image_cells(&y);
    if (!ctx_charge(c, 50 + (how < ImageLay_FOR_EACH_CELL ? cells / 2 : IMAGE_MOST_CELLS)))
        return VALUE_FAILED;
    if (!image_lay(&c->arena, how, &x, &y, &out)) return ctx_fail(c, TS_FAIL_VALUE);
    return image_value(c, &out);
}
