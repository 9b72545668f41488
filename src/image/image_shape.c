// Functions of one image that see what it encloses and what surrounds it.
#include "image/image_cells.h"

ImageMaps image_do_inside, image_do_ring;

// Holes are what the border is not reached from. Outer cells touch the border or what is reached from it,
// corners included.
bool image_do_inside(Arena *a, int variant, const Image *in, Image *out) {
    Bits filled, outside, near;
    if (!bits_of(in, &filled)) return false;
    int h = in->h;
    if (variant == ImageInside_HOLES_FILLED || variant == ImageInside_HOLES_ALONE) {
        bits_outside(&filled, false, &outside);
        for (int i = 0; i < h; i++)
            outside.rows[i] =
                ~(outside.rows[i] | (variant == ImageInside_HOLES_ALONE ? filled.rows[i] : 0)) & filled.all;
        return bits_image(a, &outside, in->i, in->j, image_color(in), out);
    }
    bits_outside(&filled, true, &outside);
    bits_dilate(&outside, true, &near);
    near.rows[0] = near.rows[h - 1] = near.all;
    uint64_t sides = 1 | (uint64_t)1 << (in->w - 1),
             others = variant == ImageInside_INNER_CELLS ? near.all : 0, differs = 0;
    for (int i = 0; i < h; i++) {
        near.rows[i] = (near.rows[i] | sides) ^ others;
        differs |= filled.rows[i] & ~near.rows[i];
    }
    if (!differs) return *out = *in, true;
    return bits_mask(a, &near, in, out);
}

bool image_do_ring(Arena *a, int variant, const Image *in, Image *out) {
    if (variant == ImageRing_RING || variant == ImageRing_RING_WITHOUT_CORNERS) {
        Bits filled, near;
        if (!bits_of(in, &filled)) return false;
        bits_dilate(&filled, variant == ImageRing_RING, &near);
        for (int i = 0; i < in->h; i++) near.rows[i] &= ~filled.rows[i];
        return bits_image(a, &near, in->i, in->j, 1, out);
    }
    int h = in->h + 2, w = in->w + 2;
    int8_t *to = image_new(a, in->i - 1, in->j - 1, h, w, out);
    if (!to) return false;
    memset(to, variant == ImageRing_IN_BLUE_FRAME ? 1 : image_color(in), (size_t)(h * w));
    for (int i = 0; i < in->h; i++) memcpy(to + (i + 1) * w + 1, in->cells + i * in->w, (size_t)in->w);
    return true;
}
