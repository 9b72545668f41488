// Images as bits, a word a row: floods and components go row by row instead of cell by cell.
#include "image/image_cells.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "eight cells are read as a word, the first lowest");

#define EIGHT_ONES 0x0101010101010101ULL

// Whether each of eight cells is other than 0, as eight bits.
static inline uint64_t bits_of_eight(uint64_t cells) {
    uint64_t high = ((cells + EIGHT_ONES * 0x7F) & (EIGHT_ONES * 0x80)) >> 7;
    return high * 0x0102040810204080ULL >> 56;
}

// Eight bits as eight bytes, 0 or 1.
static inline uint64_t eight_of_bits(uint64_t bits) {
    uint64_t one_each = (bits & 0xFF) * EIGHT_ONES & 0x8040201008040201ULL;
    return ((one_each + EIGHT_ONES * 0x7F) & (EIGHT_ONES * 0x80)) >> 7;
}

bool bits_of(const Image *x, Bits *out) {
    if (x->w > 63) return false;
    out->h = x->h;
    out->w = x->w;
    out->all = ((uint64_t)1 << x->w) - 1;
    const int8_t *cells = x->cells, *end = cells + image_cells(x);
    for (int i = 0; i < x->h; i++, cells += x->w) {
        uint64_t row = 0, eight;
        int j = 0;
        for (; j < x->w && end - (cells + j) >= 8; j += 8) {
            memcpy(&eight, cells + j, 8);
            row |= bits_of_eight(eight) << j;
        }
        for (; j < x->w; j++) row |= (uint64_t)(cells[j] != 0) << j;
        out->rows[i] = row & out->all;
    }
    return true;
}

// Writes rows of 0 or 255 to cells of width w; up to 7 bytes after a row are written over by the next one.
static void spread_rows(const Bits *bits, int8_t *cells, uint64_t factor) {
    int w = bits->w;
    int8_t *end = cells + bits->h * w;
    for (int i = 0; i < bits->h; i++, cells += w) {
        int j = 0;
        for (; j < w && end - (cells + j) >= 8; j += 8) {
            uint64_t eight = eight_of_bits(bits->rows[i] >> j) * factor;
            memcpy(cells + j, &eight, 8);
        }
        for (; j < w; j++) cells[j] = (int8_t)((bits->rows[i] >> j & 1) * factor);
    }
}

bool bits_image(Arena *a, const Bits *bits, int i, int j, int color, Image *out) {
    int8_t *cells = image_new(a, i, j, bits->h, bits->w, out);
    if (cells) spread_rows(bits, cells, (uint64_t)color);
    return cells;
}

bool bits_mask(Arena *a, const Bits *bits, const Image *x, Image *out) {
    int8_t *cells = image_new(a, x->i, x->j, x->h, x->w, out);
    if (!cells) return false;
    spread_rows(bits, cells, 0x7F);
    for (int k = 0; k < image_cells(x); k++) cells[k] &= x->cells[k];
    return true;
}

// All stretches of set bits of `within` that have a bit of `row`.
static inline uint64_t fill_row(uint64_t row, uint64_t within, int w) {
    // Upwards by a carry that runs through each stretch, downwards by doubling.
    row = (within & ~(within + row)) | row;
    for (int by = 1; by < w; by *= 2) {
        row |= within & row >> by;
        within &= within >> by;
    }
    return row;
}

static inline uint64_t reach(uint64_t row, bool corners) { return corners ? row | row << 1 | row >> 1 : row; }

// Takes over from the row above or below; whether that brings anything new.
static inline bool grow_row(Bits *grown, const Bits *within, int i, int from, bool corners) {
    uint64_t fresh = reach(grown->rows[from], corners) & within->rows[i] & ~grown->rows[i];
    if (!fresh) return false;
    grown->rows[i] = fill_row(grown->rows[i] | fresh, within->rows[i], within->w);
    return true;
}

void bits_flood(Bits *grown, const Bits *within, bool corners) {
    int h = within->h;
    for (int i = 0; i < h; i++)
        if (grown->rows[i]) grown->rows[i] = fill_row(grown->rows[i], within->rows[i], within->w);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 1; i < h; i++) grow_row(grown, within, i, i - 1, corners);
        for (int i = h - 2; i >= 0; i--) changed |= grow_row(grown, within, i, i + 1, corners);
    }
}

bool bits_component(Bits *from, bool corners, Bits *component) {
    int h = from->h, top = 0;
    while (top < h && !from->rows[top]) top++;
    if (top == h) return false;
    component->h = h;
    component->w = from->w;
    component->all = from->all;
    memset(component->rows, 0, (size_t)h * sizeof *component->rows);
    uint64_t first = from->rows[top] & (~from->rows[top] + 1);
    component->rows[top] = fill_row(first, from->rows[top], from->w);
    // It lies between these rows, of which all above `top` are empty.
    int bottom = top;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = top + 1; i < h; i++) {
            if (grow_row(component, from, i, i - 1, corners)) {
                if (i > bottom) bottom = i;
            } else if (i > bottom) break;
        }
        for (int i = bottom - 1; i >= top; i--) changed |= grow_row(component, from, i, i + 1, corners);
    }
    for (int i = top; i <= bottom; i++) from->rows[i] &= ~component->rows[i];
    return true;
}

int bits_count(const Bits *bits) {
    int count = 0;
    for (int i = 0; i < bits->h; i++) count += __builtin_popcountll(bits->rows[i]);
    return count;
}

void bits_outside(const Bits *bits, bool corners, Bits *outside) {
    Bits clear; // filled in as far as needed: the rows are many
    clear.h = bits->h;
    clear.w = bits->w;
    clear.all = bits->all;
    uint64_t sides = 1 | (uint64_t)1 << (bits->w - 1);
    outside->h = bits->h;
    outside->w = bits->w;
    outside->all = bits->all;
    for (int i = 0; i < bits->h; i++) {
        clear.rows[i] = ~bits->rows[i] & bits->all;
        outside->rows[i] = clear.rows[i] & (i == 0 || i == bits->h - 1 ? bits->all : sides);
    }
    bits_flood(outside, &clear, corners);
}

void bits_dilate(const Bits *bits, bool corners, Bits *out) {
    out->h = bits->h;
    out->w = bits->w;
    out->all = bits->all;
    for (int i = 0; i < bits->h; i++) {
        uint64_t above = i ? bits->rows[i - 1] : 0, below = i + 1 < bits->h ? bits->rows[i + 1] : 0;
        out->rows[i] = (reach(bits->rows[i], true) | reach(above | below, corners)) & bits->all;
    }
}
