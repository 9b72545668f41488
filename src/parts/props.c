// The properties of all parts of a grid at once.
//
// Workload: as in parts.c, some 12 parts a grid and some 10,000 grids a second. A part is seen as a word of
// bits for each row of its box, bit j being column j of the grid, so that its holes, its rim and its
// symmetries are a few words and not a walk over cells. What compares parts with one another runs over arrays
// of what is compared. All of it is in props_rows.def, for words of 64 bits and, where grids are larger, of
// 128. part_prop is the plain path: one property of one part, cell by cell.
#include <string.h>

#include "base/hash.h"
#include "parts/parts.h"

typedef uint64_t Row64;
typedef GridRow Row128;
enum { SHORT_ROW = 64 };
_Static_assert(GRID_TASK_SIDE <= 128, "a word has a bit for each column");

static inline int count64(Row64 row) { return __builtin_popcountll(row); }
static inline int first64(Row64 row) { return __builtin_ctzll(row); }
static inline uint64_t mix64(uint64_t hash, Row64 row) { return hash_mix(hash, row); }
static inline Row64 mirrored64(Row64 row) {
    row = (row & 0x5555555555555555ULL) << 1 | (row >> 1 & 0x5555555555555555ULL);
    row = (row & 0x3333333333333333ULL) << 2 | (row >> 2 & 0x3333333333333333ULL);
    row = (row & 0x0F0F0F0F0F0F0F0FULL) << 4 | (row >> 4 & 0x0F0F0F0F0F0F0F0FULL);
    return __builtin_bswap64(row);
}

static inline int count128(Row128 row) { return grid_row_count(row); }
static inline int first128(Row128 row) { return grid_row_first(row); }
static inline uint64_t mix128(uint64_t hash, Row128 row) {
    return hash_mix(hash_mix(hash, (uint64_t)row), (uint64_t)(row >> 64));
}
static inline Row128 mirrored128(Row128 row) {
    return (Row128)mirrored64((uint64_t)row) << 64 | mirrored64((uint64_t)(row >> 64));
}

#define ROW 64
#include "parts/props_rows.def"
#define ROW 128
#include "parts/props_rows.def"

const int *parts_props(Arena *a, const Parts *p) {
    return grid_fits(p->grid, SHORT_ROW) ? props64(a, p) : props128(a, p);
}

const uint64_t *parts_shapes(Arena *a, const Parts *p) {
    return grid_fits(p->grid, SHORT_ROW) ? shapes64(a, p) : shapes128(a, p);
}
