// Images: grids with a place and with transparent cells (0), and lists of them. The coarse steps of the search
// work on these: split an image into pieces, pick one, mirror, fill, smear, lay one on another.
//
// In the language an image is the tuple (place, grid) and a list is a tuple of images; each function here is a
// primitive there, and a number chooses among its variants: image_smear(x, 3).
#ifndef TESSERA_IMAGE_H
#define TESSERA_IMAGE_H

#include "base/arena.h"
#include "tessera.h"

enum { IMAGE_MOST_SIDE = 100, IMAGE_MOST_CELLS = 1600, IMAGES_MOST = 100, IMAGES_MOST_CELLS = 8000 };

typedef struct {
    int16_t i, j;        // where its upper left cell lies
    int16_t h, w;        // 0 by 0 for the image of nothing
    const int8_t *cells; // row by row, 0 is transparent
} Image;

typedef struct {
    int count;
    bool is_list; // else there is exactly one
    const Image *at;
} Images;

typedef enum {
    IMAGE_MAPS,   // image to image; of a list, each of its images
    IMAGE_SPLITS, // image to list
    IMAGE_JOINS,  // list to image
    IMAGE_SIFTS,  // list to list
    IMAGE_SIZED,  // image and a second one that gives the size, to image; of a list, each
    IMAGE_KINDS
} ImageKind;

// A function with its variants: variant v of n is choice v in the language.
typedef struct {
    const char *name; // of the primitive
    ImageKind kind;
    int variants;
    bool (*apply)(Arena *a, int variant, const Images *in, const Image *size, Images *out);
} ImageFn;

extern const ImageFn image_fns[];
extern const int image_fn_count;

// False where the function is not for these images, the result would be too large, or memory is short.
// What comes out lives in the arena, or shares cells with what came in.
bool images_apply(Arena *a, int fn, int variant, const Images *in, const Image *size, Images *out);
uint64_t images_hash(const Images *x);
bool images_equal(const Images *a, const Images *b);

#endif
