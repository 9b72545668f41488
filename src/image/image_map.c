// Functions of one image: its colours, its box, what is cut out of it, how it lies, what is counted in it.
#include "image/image_cells.h"
#include "grid/geometry.h"

ImageMaps image_do_keep, image_do_erase, image_do_recolor, image_do_box, image_do_trim, image_do_rigid,
    image_do_half, image_do_count;

// ---- Colours ----

// The cells of the image are left where `to` is the same.
static bool unless_same(const Image *in, const int8_t *to, Image *out) {
    if (memcmp(in->cells, to, (size_t)image_cells(in)) == 0) *out = *in;
    return true;
}

// All cells that are 0, in the lowest colour that the others have.
static bool inverted(Arena *a, const Image *in, Image *out) {
    int n = image_cells(in), colors = (int)image_palette(in) & ~1;
    int8_t *restrict to = image_new(a, in->i, in->j, in->h, in->w, out);
    const int8_t *restrict from = in->cells;
    if (!to) return false;
    int8_t color = (int8_t)(colors ? __builtin_ctz((unsigned)colors) : 1);
    for (int k = 0; k < n; k++) to[k] = from[k] ? 0 : color;
    return true;
}

// Only the cells of a colour; for 0 the image inverted.
bool image_do_keep(Arena *a, int color, const Image *in, Image *out) {
    if (!color) return inverted(a, in, out);
    int n = image_cells(in);
    int8_t *restrict to = image_new(a, in->i, in->j, in->h, in->w, out), kept = (int8_t)color;
    const int8_t *restrict from = in->cells;
    if (!to) return false;
    for (int k = 0; k < n; k++) to[k] = from[k] == kept ? kept : 0;
    return unless_same(in, to, out);
}

// All cells but those of a colour; for 0 all but those of the commonest.
bool image_do_erase(Arena *a, int color, const Image *in, Image *out) {
    int n = image_cells(in);
    int8_t *restrict to = image_new(a, in->i, in->j, in->h, in->w, out);
    int8_t erased = (int8_t)(color ? color : image_color(in));
    const int8_t *restrict from = in->cells;
    if (!to) return false;
    for (int k = 0; k < n; k++) to[k] = from[k] == erased ? 0 : from[k];
    return unless_same(in, to, out);
}

// One colour for all cells that are not 0.
bool image_do_recolor(Arena *a, int color, const Image *in, Image *out) {
    int n = image_cells(in);
    int8_t *restrict to = image_new(a, in->i, in->j, in->h, in->w, out), new = (int8_t)color;
    const int8_t *restrict from = in->cells;
    if (!to) return false;
    for (int k = 0; k < n; k++) to[k] = from[k] ? new : 0;
    return unless_same(in, to, out);
}

// ---- Its box ----

bool image_do_box(Arena *a, int variant, const Image *in, Image *out) {
    int h = in->h, w = in->w;
    bool blank = variant == ImageBox_BLANK_BOX || variant == ImageBox_BLANK_BOX_AT_ORIGIN;
    int color = blank || variant == ImageBox_MIDDLE ? 0 : image_color(in);
    switch (variant) {
    case ImageBox_FILLED_BOX:
    case ImageBox_BLANK_BOX: return image_full(a, in->i, in->j, h, w, color, out);
    case ImageBox_FILLED_BOX_AT_ORIGIN:
    case ImageBox_BLANK_BOX_AT_ORIGIN: return image_full(a, 0, 0, h, w, color, out);
    case ImageBox_FIRST_CELL: return image_full(a, in->i, in->j, 1, 1, color, out);
    case ImageBox_MIDDLE: { //, 1 or 2 cells high and wide
        int high = 2 - h % 2, wide = 2 - w % 2;
        return image_full(a, in->i + (h - high) / 2, in->j + (w - wide) / 2, high, wide, 1, out);
    }
    default: return image_full(a, 0, 0, 1, 1, color, out);
    }
}

// ---- Less of it ----

// The part that holds all cells that are not 0.
static bool cropped(Arena *a, const Image *in, Image *out) {
    int top = 0, bottom = in->h - 1, left = in->w, right = -1, w = in->w;
    static const int8_t blank[IMAGE_MOST_SIDE];
    while (top <= bottom && !memcmp(in->cells + top * w, blank, (size_t)w)) top++;
    if (top > bottom) return *out = IMAGE_NOTHING, true;
    while (!memcmp(in->cells + bottom * w, blank, (size_t)w)) bottom--;
    for (int i = top; i <= bottom; i++) {
        const int8_t *row = in->cells + i * w;
        int j = 0;
        while (j < left && !row[j]) j++;
        left = j;
        for (j = w - 1; j > right && !row[j];) j--;
        right = j > right ? j : right;
    }
    return image_part(a, in, top, left, bottom - top + 1, right - left + 1, out);
}

// The rows and columns that are wanted, at the origin.
static bool selected(Arena *a, const Image *in, const bool *rows, const bool *columns, Image *out) {
    int across[IMAGE_MOST_SIDE], h = 0, w = 0;
    for (int i = 0; i < in->h; i++) h += rows[i];
    for (int j = 0; j < in->w; j++)
        if (columns[j]) across[w++] = j;
    *out = IMAGE_NOTHING;
    if (!h || !w) return true;
    if (h == in->h && w == in->w) return *out = (Image){0, 0, in->h, in->w, in->cells}, true;
    int8_t *to = image_new(a, 0, 0, h, w, out);
    if (!to) return false;
    for (int i = 0; i < in->h; i++) {
        if (!rows[i]) continue;
        for (int k = 0; k < w; k++) to[k] = in->cells[i * in->w + across[k]];
        to += w;
    }
    return true;
}

// Without rows and columns that are all 0; or without those that are as the one before.
static bool thinned(Arena *a, const Image *in, bool repeated, Image *out) {
    bool rows[IMAGE_MOST_SIDE], columns[IMAGE_MOST_SIDE];
    int8_t seen[IMAGE_MOST_SIDE] = {0};
    int w = in->w;
    for (int i = 0; i < in->h; i++) {
        const int8_t *row = in->cells + i * w;
        int8_t any = 0;
        if (repeated) {
            rows[i] = i == 0 || memcmp(row, row - w, (size_t)w) != 0;
            for (int j = 1; j < w; j++) seen[j] |= (int8_t)(row[j] ^ row[j - 1]);
        } else {
            for (int j = 0; j < w; j++) seen[j] |= row[j], any |= row[j];
            rows[i] = any;
        }
    }
    for (int j = 0; j < w; j++) columns[j] = seen[j] || (repeated && j == 0);
    return selected(a, in, rows, columns, out);
}

bool image_do_trim(Arena *a, int variant, const Image *in, Image *out) {
    switch (variant) {
    case ImageTrim_AT_ORIGIN: return *out = (Image){0, 0, in->h, in->w, in->cells}, true;
    case ImageTrim_TO_CONTENT: return cropped(a, in, out);
    case ImageTrim_NO_BORDER: return image_part(a, in, 1, 1, in->h - 2, in->w - 2, out);
    default: return thinned(a, in, variant == ImageTrim_NO_REPEATED_LINES, out);
    }
}

bool image_do_half(Arena *a, int variant, const Image *in, Image *out) {
    int h = in->h, w = in->w;
    switch (variant) {
    case ImageHalf_LEFT_HALF: return image_part(a, in, 0, 0, h, w / 2, out);
    case ImageHalf_RIGHT_HALF: return image_part(a, in, 0, w - w / 2, h, w / 2, out);
    case ImageHalf_UPPER_HALF: return image_part(a, in, 0, 0, h / 2, w, out);
    default: return image_part(a, in, h - h / 2, 0, h / 2, w, out);
    }
}

// ---- How it lies ----

// Whether it is more out of balance up and down than left and right.
static bool leans_down(const Image *in) {
    int count = 0, across = 0, down = 0;
    for (int i = 0; i < in->h; i++)
        for (int j = 0; j < in->w; j++)
            if (in->cells[i * in->w + j]) count++, across += j, down += i;
    int across_off = across * 2 - (in->w - 1) * count, down_off = down * 2 - (in->h - 1) * count;
    return (across_off < 0 ? -across_off : across_off) < (down_off < 0 ? -down_off : down_off);
}

static bool moved(Arena *a, int variant, const Image *in, Image *out) {
#define MOVED(word) [ImageMotion_##word] = Symmetry_##word
    static const int8_t symmetry[] = {MOVED(TURNED_LEFT),    MOVED(TURNED_ROUND), MOVED(TURNED_RIGHT),
                                      MOVED(LEFT_TO_RIGHT),  MOVED(UPSIDE_DOWN),  MOVED(TRANSPOSED),
                                      MOVED(ANTI_TRANSPOSED)};
#undef MOVED
    bool exchanges = symmetry_exchanges(symmetry[variant]);
    int8_t *to = image_new(a, in->i, in->j, exchanges ? in->w : in->h, exchanges ? in->h : in->w, out);
    if (to) symmetry_cells(symmetry[variant], in->h, in->w, in->cells, to);
    return to;
}

bool image_do_rigid(Arena *a, int variant, const Image *in, Image *out) {
    Image under;
    switch (variant) {
    case ImageMotion_TO_LIGHTER_SIDE:
        return moved(a, leans_down(in) ? ImageMotion_UPSIDE_DOWN : ImageMotion_LEFT_TO_RIGHT, in, out);
    case ImageMotion_ON_LEFT_TO_RIGHT:
        return moved(a, ImageMotion_LEFT_TO_RIGHT, in, &under) &&
               image_lay(a, ImageLay_ON_TOP, &under, in, out);
    case ImageMotion_ON_UPSIDE_DOWN:
        return moved(a, ImageMotion_UPSIDE_DOWN, in, &under) &&
               image_lay(a, ImageLay_ON_TOP, &under, in, out);
    case ImageMotion_ON_TURNED_ROUND:
        return moved(a, ImageMotion_TURNED_ROUND, in, &under) &&
               image_lay(a, ImageLay_ON_TOP, &under, in, out);
    default: return moved(a, variant, in, out);
    }
}

// ---- What is counted ----

// Components hang together over corners.
bool image_do_count(Arena *a, int variant, const Image *in, Image *out) {
    int counts[IMAGE_COLORS], number = 0, color = 0, form = variant % (CountForm_AS_COLUMN + 1),
                              what = variant - form;
    image_tally(in, counts);
    for (int k = 1; k < IMAGE_COLORS; k++) {
        if (counts[k] && (!color || counts[k] > counts[color])) color = k;
        number += what == ImageCount_COUNT_CELLS ? counts[k] : counts[k] > 0;
    }
    if (what == ImageCount_COUNT_COMPONENTS) {
        Bits left, component;
        if (!bits_of(in, &left)) return false;
        for (number = 0; bits_component(&left, true, &component);) number++;
    }
    return image_full(a, 0, 0, form == CountForm_AS_ROW ? 1 : number,
                      form == CountForm_AS_COLUMN ? 1 : number, color, out);
}
