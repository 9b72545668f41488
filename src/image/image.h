// Images: grids with a place and with transparent cells (0), and lists of them. The coarse steps of the
// search work on these: split an image into pieces, pick one, mirror, fill, smear, lay one on another.
//
// In the language an image is the tuple (place, grid) and a list is a tuple of images; each function here is
// a primitive there, and a number chooses among its variants: image_smear(x, 3).
//
// There is an image of nothing, 0 by 0 at (0, 0): what remains where the cut-out is empty, nothing could be
// picked, and so on. A function of nothing gives nothing, but cut off or padded to a size it is a blank
// image; a list holds none of these. So a step that finds nothing in one demo is no failure there, and what
// comes of it, laid on another, changes nothing.
#ifndef TESSERA_IMAGE_IMAGE_H
#define TESSERA_IMAGE_IMAGE_H

#include "base/arena.h"
#include "tessera.h"
#include "words/words.h"

enum {
    IMAGE_MOST_SIDE = 100, // longer than of a grid: pieces are laid in a row
    IMAGE_MOST_CELLS = 1600,
    IMAGES_MOST = 100,
    IMAGES_MOST_CELLS = 8000,
    IMAGE_COLORS = 10, // cells are 0 to 9
};

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

// IMAGE_FN_keep is the number of image_keep, and so on.
enum {
#define IMAGE_FN(name, kind, shape, variants, weight) IMAGE_FN_##name,
#include "image/image_functions.def"
    IMAGE_FNS
};

// A function with its variants: variant v of n is choice v in the language, where it is name(x, v), and
// name(x, size, v) for the sized ones.
typedef struct {
    const char *name; // of the primitive
    ImageKind kind;
    Shape shape; // of a choice
    int variants;
    int weight; // what a cell costs, in sixteenths of a unit
} ImageFn;

extern const ImageFn image_fns[IMAGE_FNS];

// False where the function is not for these images (lists, splits), the result would be too large, or memory
// is short. What comes out lives in the arena, or shares cells with what came in: an image that is unchanged
// has the very cells it had.
bool images_apply(Arena *a, int fn, int variant, const Images *in, const Image *size, Images *out);
// What that costs, about.
int64_t images_units(int fn, const Images *in, const Image *size);

uint64_t images_hash(const Images *x);
// Of a list, from those of its images.
uint64_t images_hash_list(const uint64_t *hashes, int count);

// ---- Two images ----

// By an ImageLay (words/bank.def).
bool image_lay(Arena *a, int how, const Image *x, const Image *y, Image *out);

static inline int image_cells(const Image *x) { return x->h * x->w; }
// A blank one at the origin.
bool image_blank(Arena *a, int h, int w, Image *out);

#endif
