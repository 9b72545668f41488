// The table of functions on images, applied to single ones and to lists; one image laid on another.
#include <assert.h>

#include "image/image_cells.h"

#define MAPS ImageMaps
#define SIZED ImageSized
#define SPLITS ImageSplits
#define JOINS ImageJoins
#define SIFTS ImageSifts
#define IMAGE_FN(name, kind, shape, variants, weight) kind image_do_##name;
#include "image/image_functions.def"
#undef MAPS
#undef SIZED
#undef SPLITS
#undef JOINS
#undef SIFTS

const ImageFn image_fns[IMAGE_FNS] = {
#define IMAGE_FN(name, kind, shape, variants, weight) \
    {"image_" #name, IMAGE_##kind, SHAPE_##shape, variants, weight},
#include "image/image_functions.def"
};

static const union {
    ImageMaps *maps;
    ImageSized *sized;
    ImageSplits *splits;
    ImageJoins *joins;
    ImageSifts *sifts;
} calls[IMAGE_FNS] = {
#define MAPS maps
#define SIZED sized
#define SPLITS splits
#define JOINS joins
#define SIFTS sifts
#define IMAGE_FN(name, kind, shape, variants, weight) {.kind = image_do_##name},
#include "image/image_functions.def"
};

// Each image of a list, or the one; what comes out as nothing is left out of a list.
static bool apply_each(Arena *a, int fn, int variant, const Images *in, const Image *size, Images *out) {
    Image *at = arena_alloc(a, (size_t)(in->count ? in->count : 1) * sizeof *at);
    if (!at) return false;
    *out = (Images){.is_list = in->is_list, .at = at};
    for (int k = 0, cells = 0; k < in->count; k++) {
        const Image *x = &in->at[k];
        Image *y = &at[out->count];
        if (!image_cells(x) && !size) *y = IMAGE_NOTHING;
        else if (size ? !calls[fn].sized(a, variant, x, size, y) : !calls[fn].maps(a, variant, x, y))
            return false;
        if ((cells += image_cells(y)) > IMAGES_MOST_CELLS) return false;
        out->count += image_cells(y) > 0 || !in->is_list;
    }
    return true;
}

bool images_apply(Arena *a, int fn, int variant, const Images *in, const Image *size, Images *out) {
    assert(fn >= 0 && fn < IMAGE_FNS && variant >= 0 && variant < image_fns[fn].variants);
    ImageKind kind = image_fns[fn].kind;
    if (kind == IMAGE_MAPS) return apply_each(a, fn, variant, in, NULL, out);
    if (kind == IMAGE_SIZED) return image_cells(size) && apply_each(a, fn, variant, in, size, out);
    if (in->is_list == (kind == IMAGE_SPLITS)) return false;
    bool empty = !in->count || !image_cells(&in->at[0]);
    *out = (Images){.is_list = true};
    if (kind == IMAGE_SPLITS) return empty || calls[fn].splits(a, variant, &in->at[0], out);
    if (kind == IMAGE_SIFTS) return empty || calls[fn].sifts(a, variant, in, out);
    Image *one = arena_alloc(a, sizeof *one);
    if (!one) return false;
    *one = IMAGE_NOTHING;
    *out = (Images){.count = 1, .at = one};
    return empty || calls[fn].joins(a, variant, in, one);
}

int64_t images_units(int fn, const Images *in, const Image *size) {
    int64_t cells = size ? image_cells(size) : 0;
    for (int k = 0; k < in->count; k++) cells += image_cells(&in->at[k]);
    return 30 + 20 * in->count + cells * image_fns[fn].weight / 16;
}

// ---- Two images ----

bool image_blank(Arena *a, int h, int w, Image *out) { return image_full(a, 0, 0, h, w, 0, out); }

static int least(int a, int b) { return a < b ? a : b; }
static int greatest(int a, int b) { return a > b ? a : b; }

// The box of the result, in the places of the images; false where it is empty.
static bool box_of(int how, const Image *x, const Image *y, int *i, int *j, int *h, int *w) {
    int bottom = x->i + x->h, right = x->j + x->w;
    *i = x->i;
    *j = x->j;
    if (how == ImageLay_UNITED) {
        *i = least(*i, y->i);
        *j = least(*j, y->j);
        bottom = greatest(bottom, y->i + y->h);
        right = greatest(right, y->j + y->w);
    } else if (how == ImageLay_IN_COMMON || how == ImageLay_AS_MASK) {
        *i = greatest(*i, y->i);
        *j = greatest(*j, y->j);
        bottom = least(bottom, y->i + y->h);
        right = least(right, y->j + y->w);
    }
    *h = bottom - *i;
    *w = right - *j;
    return *h > 0 && *w > 0;
}

// A row of y, n cells, on a row of the result.
static void lay_row(int how, int8_t *restrict to, const int8_t *restrict y, int n) {
    switch (how) {
    case ImageLay_ERASING:
    case ImageLay_AS_MASK:
        for (int k = 0; k < n; k++) to[k] = y[k] ? to[k] : 0;
        break;
    case ImageLay_REPLACING: memcpy(to, y, (size_t)n); break;
    case ImageLay_AS_HOLE:
        for (int k = 0; k < n; k++) to[k] = y[k] ? 0 : to[k];
        break;
    default:
        for (int k = 0; k < n; k++) to[k] = y[k] ? y[k] : to[k];
    }
}

// An image for each cell of another.
static bool stamp(Arena *a, bool tinted, const Image *x, const Image *y, Image *out) {
    int h = x->h * y->h, w = x->w * y->w;
    int8_t *to = image_new(a, x->i * y->h + y->i, x->j * y->w + y->j, h, w, out);
    if (!to) return false;
    for (int i = 0; i < h; i++, to += w)
        for (int j = 0; j < x->w; j++) {
            int8_t cell = x->cells[i / y->h * x->w + j];
            const int8_t *row = y->cells + i % y->h * y->w;
            for (int k = 0; k < y->w; k++) to[j * y->w + k] = !cell || !row[k] ? 0 : tinted ? cell : row[k];
        }
    return true;
}

bool image_lay(Arena *a, int how, const Image *x, const Image *y, Image *out) {
    int i, j, h, w;
    *out = IMAGE_NOTHING;
    if (how == ImageLay_UNITED && !image_cells(x)) return *out = *y, true;
    if (!image_cells(x)) return true;
    if (!image_cells(y)) {
        if (how != ImageLay_IN_COMMON && how != ImageLay_AS_MASK && how < ImageLay_FOR_EACH_CELL) *out = *x;
        return true;
    }
    if (how >= ImageLay_FOR_EACH_CELL) return stamp(a, how == ImageLay_FOR_EACH_CELL_TINTED, x, y, out);
    if (!box_of(how, x, y, &i, &j, &h, &w)) return true;
    int8_t *to = image_new(a, i, j, h, w, out);
    if (!to) return false;
    if (how == ImageLay_UNITED) memset(to, 0, (size_t)(h * w));
    int x_top = greatest(x->i, i), x_left = greatest(x->j, j), x_width = least(x->j + x->w, j + w) - x_left;
    for (int r = x_top; r < x->i + x->h && r < i + h; r++)
        memcpy(to + (r - i) * w + x_left - j, x->cells + (r - x->i) * x->w + x_left - x->j, (size_t)x_width);
    int top = greatest(y->i, i), left = greatest(y->j, j), n = least(y->j + y->w, j + w) - left;
    for (int r = top; n > 0 && r < y->i + y->h && r < i + h; r++)
        lay_row(how, to + (r - i) * w + left - j, y->cells + (r - y->i) * y->w + left - y->j, n);
    return true;
}
