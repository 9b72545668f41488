// Functions that bring an image to a size.
#include "image/image_cells.h"

ImageSized image_do_fit;

static bool embedded(Arena *a, const Image *in, const Image *size, Image *out) {
    if (in->i == size->i && in->j == size->j && in->h == size->h && in->w == size->w) return *out = *in, true;
    int8_t *to = image_new(a, size->i, size->j, size->h, size->w, out);
    if (!to) return false;
    memset(to, 0, (size_t)image_cells(out));
    int i = in->i - size->i, j = in->j - size->j; // where it lies in the result
    int left = j > 0 ? j : 0, right = j + in->w < out->w ? j + in->w : out->w;
    if (left >= right) return true;
    for (int r = i > 0 ? i : 0; r < out->h && r < i + in->h; r++)
        memcpy(to + r * out->w + left, in->cells + (r - i) * in->w + left - j, (size_t)(right - left));
    return true;
}

// A line too long for the size goes on in the next row, or column.
static bool wrapped(Arena *a, const Image *in, const Image *size, Image *out) {
    int8_t *to = image_new(a, 0, 0, size->h, size->w, out);
    if (!to) return false;
    memset(to, 0, (size_t)image_cells(out));
    for (int i = 0; i < in->h; i++)
        for (int j = 0; j < in->w; j++) {
            int column = j + i / out->h * in->w, row = i % out->h + column / out->w * in->h;
            column %= out->w;
            if (row < out->h) to[row * out->w + column] = in->cells[i * in->w + j];
        }
    return true;
}

// What one cell of the result covers of rows or columns: for each, by how much, in parts of a cell of the
// image.
typedef struct {
    int from, to;    // these, the last excluded
    int first, last; // by how much the first and the last of them
} Cover;

static void cover(int cells, int parts, Cover *covers) {
    for (int k = 0; k < parts; k++) {
        int from = k * cells, to = (k + 1) * cells; // each cell is `parts` wide
        Cover *c = &covers[k];
        c->from = from / parts;
        c->to = (to + parts - 1) / parts;
        c->first = (c->from + 1) * parts - from;
        c->last = to - (c->to - 1) * parts;
        if (c->to - c->from == 1) c->first = c->last = cells;
    }
}

static int covered(const Cover *c, int k, int whole) {
    return k == c->from ? c->first : k == c->to - 1 ? c->last : whole;
}

// The colour that covers most of a cell; of equals the one that is commoner in all, then the lowest.
static int8_t covering(const Image *in, const Cover *rows, int h, const Cover *columns, int w,
                       const int *counts) {
    int weights[IMAGE_COLORS], best = in->cells[rows->from * in->w + columns->from];
    unsigned seen = 1U << best;
    for (int y = rows->from; y < rows->to; y++)
        for (int x = columns->from; x < columns->to; x++) seen |= 1U << in->cells[y * in->w + x];
    if (!(seen & (seen - 1))) return (int8_t)best;
    memset(weights, 0, sizeof weights);
    for (int y = rows->from; y < rows->to; y++) {
        int high = covered(rows, y, h);
        for (int x = columns->from; x < columns->to; x++)
            weights[in->cells[y * in->w + x]] += high * covered(columns, x, w);
    }
    for (best = __builtin_ctz(seen); seen; seen &= seen - 1) {
        int c = __builtin_ctz(seen);
        if (weights[c] > weights[best] || (weights[c] == weights[best] && counts[c] > counts[best])) best = c;
    }
    return (int8_t)best;
}

// Each cell in the colour that covers most of it.
static bool rescaled(Arena *a, const Image *in, const Image *size, Image *out) {
    int h = size->h, w = size->w;
    int8_t *to = image_new(a, size->i, size->j, h, w, out);
    if (!to) return false;
    if (h % in->h == 0 && w % in->w == 0) {
        int high = h / in->h, wide = w / in->w;
        for (int i = 0; i < in->h; i++) {
            int8_t *row = to + i * high * w;
            for (int j = 0; j < in->w; j++) memset(row + j * wide, in->cells[i * in->w + j], (size_t)wide);
            for (int k = 1; k < high; k++) memcpy(row + k * w, row, (size_t)w);
        }
        return true;
    }
    int counts[IMAGE_COLORS];
    Cover rows[IMAGE_MOST_SIDE], columns[IMAGE_MOST_SIDE];
    image_tally(in, counts);
    cover(in->h, h, rows);
    cover(in->w, w, columns);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) to[i * w + j] = covering(in, &rows[i], h, &columns[j], w, counts);
    return true;
}

// For each of n places, counted from `start`, which of `cells` lies there where they are repeated, each
// second time mirrored if asked; -1 for the gap between two copies.
static void repetition(int start, int n, int cells, int gap, bool mirrored, int *which) {
    int period = cells + gap, turn = mirrored ? 2 * period : period;
    int at = (start % turn + turn) % turn;
    for (int k = 0; k < n; k++) {
        int within = at % period;
        which[k] = within >= cells ? -1 : at >= period ? cells - 1 - within : within;
        if (++at == turn) at = 0;
    }
}

static bool repeated(Arena *a, const Image *in, const Image *size, int gap, bool mirrored, Image *out) {
    int rows[IMAGE_MOST_SIDE], columns[IMAGE_MOST_SIDE];
    int8_t *to = image_new(a, size->i, size->j, size->h, size->w, out);
    if (!to) return false;
    repetition(size->i - in->i, size->h, in->h, gap, mirrored, rows);
    repetition(size->j - in->j, size->w, in->w, gap, mirrored, columns);
    for (int i = 0, w = size->w; i < size->h; i++) {
        int8_t *row = to + i * w;
        int same = i - 1; // a row that is done already and shows the same row of the image
        while (same >= 0 && rows[same] != rows[i]) same--;
        if (same >= 0 || rows[i] < 0) {
            if (rows[i] < 0) memset(row, 0, (size_t)w);
            else memcpy(row, to + same * w, (size_t)w);
            continue;
        }
        const int8_t *from = in->cells + rows[i] * in->w;
        for (int j = 0; j < w; j++) row[j] = columns[j] < 0 ? 0 : from[columns[j]];
    }
    return true;
}

bool image_do_fit(Arena *a, int variant, const Image *in, const Image *size, Image *out) {
    if (!image_cells(in) && variant != ImageFit_CROPPED_OR_PADDED) return *out = IMAGE_NOTHING, true;
    switch (variant) {
    case ImageFit_CROPPED_OR_PADDED: return embedded(a, in, size, out);
    case ImageFit_WRAPPED_ROUND: return wrapped(a, in, size, out);
    case ImageFit_RESIZED: return rescaled(a, in, size, out);
    case ImageFit_IN_COPIES: return repeated(a, in, size, 0, false, out);
    case ImageFit_IN_COPIES_WITH_GAPS: return repeated(a, in, size, 1, false, out);
    case ImageFit_IN_MIRRORED_COPIES: return repeated(a, in, size, 0, true, out);
    default: return repeated(a, in, size, 1, true, out);
    }
}
