// The properties of all parts of a grid at once.
//
// Workload: as in parts.c, some 12 parts a grid and some 10,000 grids a second. A part is seen as a word of
// bits for each row of its box, bit j being column j of the grid, so that its holes, its rim and its
// symmetries are a few words and not a walk over cells. What compares parts with one another runs over arrays
// of what is compared. part_prop is the plain path: one property of one part, cell by cell.
#include <string.h>

#include "base/hash.h"
#include "parts/parts.h"

typedef struct {
    const Parts *p;
    const Part *x;                                            // the part that is looked at,
    int index;                                                // its number,
    int h, w;                                                 // its box
    const uint64_t *rows;                                     // and its cells
    uint64_t *all_rows;                                       // of all parts, one after the other
    uint64_t columns;                                         // of the grid
    uint64_t solid[GRID_MOST_SIDE], labelled[GRID_MOST_SIDE]; // cells that are no background; of any part
    int16_t *seen_by; // of each part: the last one that lies beside it
    // Of each part:
    uint64_t *shape, *turned; // equal for equal shapes; for shapes that are equal when turned
    int *size, *color, *top, *left, *bottom, *right;
} Measuring;

// ---- Cells as bits ----

static bool take_masks(Arena *a, Measuring *v) {
    const Parts *p = v->p;
    int h = p->grid.height, w = p->grid.width, rows = 0;
    size_t n = (size_t)p->count;
    int *first = arena_alloc(a, n * sizeof *first + 1);
    v->seen_by = arena_alloc(a, n * sizeof *v->seen_by + 1);
    v->shape = arena_alloc(a, 2 * n * sizeof *v->shape + 1);
    v->size = arena_alloc(a, 6 * n * sizeof *v->size + 1);
    if (!first || !v->seen_by || !v->shape || !v->size) return false;
    v->turned = v->shape + n;
    v->color = v->size + n, v->top = v->color + n, v->left = v->top + n, v->bottom = v->left + n,
    v->right = v->bottom + n;
    for (int k = 0; k < p->count; k++) {
        const Part *x = &p->parts[k];
        v->size[k] = x->size, v->color[k] = x->color, v->top[k] = x->top, v->left[k] = x->left;
        v->bottom[k] = x->bottom, v->right[k] = x->right;
        v->seen_by[k] = -1;
        first[k] = rows - x->top;
        rows += x->bottom - x->top + 1;
    }
    v->all_rows = arena_alloc(a, (size_t)rows * sizeof *v->all_rows + 1);
    if (!v->all_rows) return false;
    memset(v->all_rows, 0, (size_t)rows * sizeof *v->all_rows);
    v->columns = w ? ~0ULL >> (64 - w) : 0;
    for (int i = 0, at = 0; i < h; i++) {
        uint64_t solid = 0, labelled = 0;
        for (int j = 0; j < w; j++, at++) {
            int label = p->label[at];
            solid |= (uint64_t)(p->grid.cells[at] != p->background) << j;
            if (label < 0) continue;
            labelled |= 1ULL << j;
            v->all_rows[first[label] + i] |= 1ULL << j;
        }
        v->solid[i] = solid, v->labelled[i] = labelled;
    }
    return true;
}

static uint64_t box_columns(const Measuring *v) { return (~0ULL >> (64 - v->w)) << v->x->left; }

// ---- Holes ----

// Spreads what is reached over the free cells that hang together with it.
static void spread(uint64_t *reached, const uint64_t *free, int h) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (int n = 0; n < 2 * h; n++) { // down, and up again
            int i = n < h ? n : 2 * h - 1 - n;
            uint64_t now = reached[i], was;
            if (i > 0) now |= reached[i - 1];
            if (i < h - 1) now |= reached[i + 1];
            now &= free[i];
            do {
                was = now;
                now |= (now << 1 | now >> 1) & free[i];
            } while (now != was);
            changed |= now != reached[i];
            reached[i] = now;
        }
    }
}

static void find_holes(const Measuring *v, int *of) {
    int h = v->h, holes = 0, cells = 0;
    uint64_t free[GRID_MOST_SIDE], reached[GRID_MOST_SIDE], box = box_columns(v);
    uint64_t rim = 1ULL << v->x->left | 1ULL << v->x->right;
    of[Property_HOLES] = of[Property_HOLE_CELLS] = 0;
    if (h < 3 || v->w < 3 || v->x->size < 4 || v->x->size == h * v->w) return;
    for (int i = 0; i < h; i++) {
        free[i] = box & ~v->rows[i];
        reached[i] = i == 0 || i == h - 1 ? free[i] : free[i] & rim;
    }
    spread(reached, free, h);
    for (int i = 0; i < h; i++) {
        free[i] &= ~reached[i];
        cells += __builtin_popcountll(free[i]);
    }
    of[Property_HOLE_CELLS] = cells;
    for (int i = 0; cells && i < h; i++)
        while (free[i]) {
            holes++;
            memset(reached, 0, (size_t)h * sizeof *reached);
            reached[i] = free[i] & -free[i];
            spread(reached, free, h);
            for (int k = i; k < h; k++) free[k] &= ~reached[k];
        }
    of[Property_HOLES] = holes;
}

// ---- What lies around and within ----

static void look_around(Measuring *v, int *of) {
    const Parts *p = v->p;
    const Part *x = v->x;
    int h = p->grid.height, w = p->grid.width, colors = 0, n = 0;
    for (int i = x->top > 0 ? x->top - 1 : 0; i <= x->bottom + 1 && i < h; i++) {
        int k = i - x->top;
        uint64_t own = k >= 0 && k < v->h ? v->rows[k] : 0;
        uint64_t beyond = (k > 0 ? v->rows[k - 1] : 0) | (k < v->h - 1 ? v->rows[k + 1] : 0);
        uint64_t all = own | beyond, others = v->columns & ~own;
        uint64_t sides = (beyond | own << 1 | own >> 1) & others & v->solid[i];
        uint64_t corners = (all | all << 1 | all >> 1) & others & v->labelled[i];
        for (; sides; sides &= sides - 1) {
            int color = p->grid.cells[i * w + __builtin_ctzll(sides)];
            if (color >= 0 && color <= 9) colors |= 1 << color;
        }
        for (; corners; corners &= corners - 1) {
            int label = p->label[i * w + __builtin_ctzll(corners)];
            n += v->seen_by[label] != v->index;
            v->seen_by[label] = (int16_t)v->index;
        }
    }
    of[Property_NEIGHBOR_PARTS] = n;
    of[Property_TOUCHES] = colors;
}

static void look_within(const Measuring *v, int *of) {
    const Part *x = v->x;
    uint64_t box = box_columns(v);
    int foreign = 0, odd = 0;
    bool plain = !(x->colors & (x->colors - 1));
    for (int i = 0; i < v->h; i++) {
        foreign += __builtin_popcountll(v->solid[x->top + i] & box & ~v->rows[i]);
        const signed char *cells = v->p->grid.cells + (x->top + i) * v->p->grid.width;
        for (uint64_t left = plain ? 0 : v->rows[i]; left; left &= left - 1)
            odd += cells[__builtin_ctzll(left)] != x->color;
    }
    of[Property_FOREIGN_CELLS] = foreign;
    of[Property_ODD_CELLS] = odd;
}

// ---- Shapes ----

static uint64_t reversed(uint64_t row, int w) {
    row = (row & 0x5555555555555555ULL) << 1 | (row >> 1 & 0x5555555555555555ULL);
    row = (row & 0x3333333333333333ULL) << 2 | (row >> 2 & 0x3333333333333333ULL);
    row = (row & 0x0F0F0F0F0F0F0F0FULL) << 4 | (row >> 4 & 0x0F0F0F0F0F0F0F0FULL);
    return __builtin_bswap64(row) >> (64 - w);
}

// The least of what shape, mirrored in all ways, comes to; the first is as it is.
static uint64_t key_of(const uint64_t *rows, int h, int w, uint64_t *as_it_is) {
    uint64_t key[4], least;
    for (int k = 0; k < 4; k++) key[k] = hash_mix((uint64_t)h, (uint64_t)w);
    for (int i = 0; i < h; i++) {
        uint64_t down = rows[i], up = rows[h - 1 - i];
        key[0] = hash_mix(key[0], down);
        key[1] = hash_mix(key[1], up);
        key[2] = hash_mix(key[2], reversed(down, w));
        key[3] = hash_mix(key[3], reversed(up, w));
    }
    *as_it_is = least = key[0];
    for (int k = 1; k < 4; k++)
        if (key[k] < least) least = key[k];
    return least;
}

static void look_at_shape(Measuring *v, int *of) {
    uint64_t rows[GRID_MOST_SIDE], columns[GRID_MOST_SIDE] = {0}, other, least;
    int h = v->h, w = v->w, left = v->x->left;
    bool updown = true, leftright = true, diagonal = h == w;
    for (int i = 0; i < h; i++) {
        rows[i] = v->rows[i] >> left;
        updown &= v->rows[i] == v->rows[h - 1 - i];
        leftright &= reversed(rows[i], w) == rows[i];
        for (uint64_t rest = rows[i]; rest; rest &= rest - 1) columns[__builtin_ctzll(rest)] |= 1ULL << i;
    }
    for (int i = 0; i < h && diagonal; i++) diagonal = rows[i] == columns[i];
    v->turned[v->index] = key_of(rows, h, w, &v->shape[v->index]);
    least = key_of(columns, w, h, &other);
    if (least < v->turned[v->index]) v->turned[v->index] = least;
    if (v->x->colors & (v->x->colors - 1)) { // the colours have to be the same, too
        updown = updown && part_prop(v->p, v->index, Property_IS_MIRRORED_UPDOWN);
        leftright = leftright && part_prop(v->p, v->index, Property_IS_MIRRORED_LEFTRIGHT);
        diagonal = diagonal && part_prop(v->p, v->index, Property_IS_MIRRORED_DIAGONAL);
    }
    of[Property_IS_MIRRORED_UPDOWN] = updown;
    of[Property_IS_MIRRORED_LEFTRIGHT] = leftright;
    of[Property_IS_MIRRORED_DIAGONAL] = diagonal;
    of[Property_SYMMETRIES] = updown + leftright + diagonal;
}

// ---- Parts beside one another ----

static void compare_all(const Measuring *v, int *of) {
    int k = v->index, same_color = 0, same_size = 0, same_shape = 0, same_turned = 0;
    int inside = 0, contains = 0, above = 0, before = 0, larger = 0;
    int size = v->size[k], top = v->top[k], left = v->left[k], bottom = v->bottom[k], right = v->right[k];
    for (int n = 0; n < v->p->count; n++) {
        int t = v->top[n], l = v->left[n], b = v->bottom[n], r = v->right[n];
        int same = (t == top) & (l == left) & (b == bottom) & (r == right);
        inside |= (top >= t) & (left >= l) & (bottom <= b) & (right <= r) & !same;
        contains += (t >= top) & (l >= left) & (b <= bottom) & (r <= right) & !same;
        above += t < top;
        before += l < left;
        same_size += v->size[n] == size;
        same_color += v->color[n] == v->x->color;
        larger += v->size[n] > size;
    }
    for (int n = 0; n < v->p->count; n++) {
        same_shape += v->shape[n] == v->shape[k];
        same_turned += v->turned[n] == v->turned[k];
    }
    of[Property_SAME_COLOR] = same_color;
    of[Property_SAME_SIZE] = same_size;
    of[Property_SAME_SHAPE] = same_shape;
    of[Property_SAME_SHAPE_TURNED] = same_turned;
    of[Property_IS_INSIDE] = inside;
    of[Property_CONTAINS] = contains;
    of[Property_ROW_RANK] = above;
    of[Property_COLUMN_RANK] = before;
    of[Property_SIZE_RANK] = larger;
}

static void measure(const Measuring *v, int *of) {
    const Part *x = v->x;
    int h = v->h, w = v->w;
    of[Property_SIZE] = x->size;
    of[Property_COLOR] = x->color;
    of[Property_COLOR_COUNT] = __builtin_popcount(x->colors);
    of[Property_HEIGHT] = h;
    of[Property_WIDTH] = w;
    of[Property_AREA] = h * w;
    of[Property_LONGER_SIDE] = h > w ? h : w;
    of[Property_GAPS] = h * w - x->size;
    of[Property_TOP] = x->top;
    of[Property_LEFTMOST] = x->left;
    of[Property_BOTTOM] = x->bottom;
    of[Property_RIGHTMOST] = x->right;
    of[Property_AT_BORDER] =
        x->top == 0 || x->left == 0 || x->bottom == v->p->grid.height - 1 || x->right == v->p->grid.width - 1;
    of[Property_IS_RECTANGLE] = h * w == x->size;
    of[Property_IS_SQUARE] = h == w;
    of[Property_IS_LINE] = h == 1 || w == 1;
    of[Property_HAS_ODD_SIZE] = x->size & 1;
}

// Goes on to the next part; the first after take_masks is part 0.
static void take_part(Measuring *v, int k, const uint64_t **rows) {
    v->x = &v->p->parts[k], v->index = k, v->rows = *rows;
    v->h = v->x->bottom - v->x->top + 1, v->w = v->x->right - v->x->left + 1;
    *rows += v->h;
}

const int *parts_props(Arena *a, const Parts *p) {
    int *all = arena_alloc(a, (size_t)p->count * PROPS * sizeof *all + 1);
    if (!all) return NULL;
    Arena then = *a; // what follows is given back
    Measuring v = {.p = p};
    if (!take_masks(a, &v)) return NULL;
    const uint64_t *rows = v.all_rows;
    for (int k = 0; k < p->count; k++) {
        int *of = all + k * PROPS;
        take_part(&v, k, &rows);
        measure(&v, of);
        find_holes(&v, of);
        look_around(&v, of);
        look_within(&v, of);
        look_at_shape(&v, of);
    }
    for (int k = 0; k < p->count; k++) {
        v.x = &p->parts[k], v.index = k;
        compare_all(&v, all + k * PROPS);
    }
    arena_return(a, &then);
    return all;
}

const uint64_t *parts_shapes(Arena *a, const Parts *p) {
    uint64_t *all = arena_alloc(a, (size_t)p->count * sizeof *all + 1);
    if (!all) return NULL;
    Arena then = *a;
    Measuring v = {.p = p};
    if (!take_masks(a, &v)) return NULL;
    const uint64_t *rows = v.all_rows;
    for (int k = 0; k < p->count; k++) {
        int of[PROPS];
        take_part(&v, k, &rows);
        look_at_shape(&v, of);
        all[k] = v.turned[k];
    }
    arena_return(a, &then);
    return all;
}
