// What the image functions share: making images, counting colours, and images as bits.
#ifndef TESSERA_IMAGE_IMAGE_CELLS_H
#define TESSERA_IMAGE_IMAGE_CELLS_H

#include <string.h>

#include "image/image.h"

typedef bool ImageMaps(Arena *a, int variant, const Image *in, Image *out);
// Of these the first image may be nothing.
typedef bool ImageSized(Arena *a, int variant, const Image *in, const Image *size, Image *out);
typedef bool ImageSplits(Arena *a, int variant, const Image *in, Images *out);
typedef bool ImageJoins(Arena *a, int variant, const Images *in, Image *out); // of a list that is not empty
typedef bool ImageSifts(Arena *a, int variant, const Images *in, Images *out);

#define IMAGE_NOTHING ((Image){0})

// Fills in *out but for its cells, which are to be filled in by the caller. NULL where it would be too large
// or memory is short. At least one cell; the caller may write some bytes more.
static inline int8_t *image_new_for(Arena *a, int i, int j, int h, int w, int more, Image *out) {
    if (h > IMAGE_MOST_SIDE || w > IMAGE_MOST_SIDE || h * w > IMAGE_MOST_CELLS) return NULL;
    int8_t *cells = arena_alloc(a, (size_t)(h * w + more));
    *out = (Image){(int16_t)i, (int16_t)j, (int16_t)h, (int16_t)w, cells};
    return cells;
}
static inline int8_t *image_new(Arena *a, int i, int j, int h, int w, Image *out) {
    return image_new_for(a, i, j, h, w, 0, out);
}

// An image of one colour; nothing where it has no cells.
static inline bool image_full(Arena *a, int i, int j, int h, int w, int color, Image *out) {
    *out = IMAGE_NOTHING;
    if (h <= 0 || w <= 0) return true;
    int8_t *cells = image_new(a, i, j, h, w, out);
    if (cells) memset(cells, color, (size_t)(h * w));
    return cells;
}

// The part of an image from a cell on, at the place where it was.
static inline bool image_part(Arena *a, const Image *in, int i, int j, int h, int w, Image *out) {
    *out = IMAGE_NOTHING;
    if (h <= 0 || w <= 0) return true;
    if (w == in->w) {
        *out = (Image){(int16_t)(in->i + i), in->j, (int16_t)h, (int16_t)w, in->cells + i * w};
        return true;
    }
    int8_t *cells = image_new(a, in->i + i, in->j + j, h, w, out);
    if (!cells) return false;
    for (int r = 0; r < h; r++) memcpy(cells + r * w, in->cells + (i + r) * in->w + j, (size_t)w);
    return true;
}

// ---- Counting ----

// Cells of each colour. Ten sums of six bits in one word, emptied before they overflow.
static inline void image_tally(const Image *x, int counts[IMAGE_COLORS]) {
    int n = image_cells(x);
    memset(counts, 0, IMAGE_COLORS * sizeof *counts);
    for (int from = 0; from < n; from += 62) {
        uint64_t sums = 0, others = 0;
        int to = n - from < 62 ? n : from + 62, k = from;
        for (; k + 1 < to; k += 2) {
            sums += (uint64_t)1 << 6 * x->cells[k];
            others += (uint64_t)1 << 6 * x->cells[k + 1];
        }
        if (k < to) sums += (uint64_t)1 << 6 * x->cells[k];
        sums += others;
        for (int color = 0; color < IMAGE_COLORS; color++) counts[color] += (int)(sums >> 6 * color & 63);
    }
}

// The commonest colour that is not 0, the lowest of equals; 0 where there is none.
static inline int image_color(const Image *x) {
    int counts[IMAGE_COLORS], best = 0, most = 0;
    image_tally(x, counts);
    for (int color = 1; color < IMAGE_COLORS; color++)
        if (counts[color] > most) most = counts[color], best = color;
    return best;
}

// The cells that are not 0. Bytes are summed up as bytes, 32 at once, in stretches that do not overflow.
static inline int image_count(const Image *x) {
    int n = image_cells(x), count = 0;
    for (int from = 0; from < n; from += 128) {
        uint8_t some = 0;
        int to = n - from < 128 ? n : from + 128;
        for (int k = from; k < to; k++) some = (uint8_t)(some + (x->cells[k] != 0));
        count += some;
    }
    return count;
}

// A bit for each colour that is there.
static inline unsigned image_palette(const Image *x) {
    unsigned colors = 0;
    for (int k = 0, n = image_cells(x); k < n; k++) colors |= 1U << x->cells[k];
    return colors;
}

// ---- As bits ----

// A word for each row, bit j for column j. Images wider than 63 cells have none.
typedef struct {
    int h, w;
    uint64_t all; // the bits of a whole row
    uint64_t rows[IMAGE_MOST_SIDE];
} Bits;

// Where it is not 0. False where it is too wide.
bool bits_of(const Image *x, Bits *out);
// As an image of one colour.
bool bits_image(Arena *a, const Bits *bits, int i, int j, int color, Image *out);
// The cells of the image where the bits are set.
bool bits_mask(Arena *a, const Bits *bits, const Image *x, Image *out);
// Grows the bits within those of `within`, over sides and, where asked, corners, as far as it gets.
void bits_flood(Bits *grown, const Bits *within, bool corners);
// What is connected to the first bit of `from`, which is taken out of it; false where there is none.
bool bits_component(Bits *from, bool corners, Bits *component);
int bits_count(const Bits *bits);
// The cells that are not set and from which the border is reached through such cells.
void bits_outside(const Bits *bits, bool corners, Bits *outside);
// The cells beside those that are set, over corners too where asked, and these themselves.
void bits_dilate(const Bits *bits, bool corners, Bits *out);

#endif
