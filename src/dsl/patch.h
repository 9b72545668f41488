// What the fast paths share about patches, that is LOCS and CELLS (never empty, sorted words), and about the
// colours of grids.
#ifndef TESSERA_DSL_PATCH_H
#define TESSERA_DSL_PATCH_H

#include "dsl/ops.h"
#include "grid/geometry.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

// ---- Patches (patch.c) ----

// The words of an ordinary patch; NULL for any other value and where fast paths are off.
static inline const Obj *patch_fast(const Ctx *c, Value v) {
    if (c->plain || value_tag(v) != TAG_OBJ) return NULL;
    const Obj *o = value_obj(v);
    return o->kind == KIND_LOCS || o->kind == KIND_CELLS ? o : NULL;
}

// Whether the locations of the words, colours left out, are sorted and distinct: LOCS, or CELLS of one
// colour.
static inline bool patch_is_flat(const Obj *o) {
    return o->kind == KIND_LOCS || obj_words(o)[0] >> 24 == obj_words(o)[o->n - 1] >> 24;
}

// The same for what Python takes for a patch too: a tuple of locations or of cells becomes a set of them.
// Only where neither order nor repetitions nor the kind of container matter.
const Obj *patch_loose(Ctx *c, Value v);

enum { PATCH_LANES = 4 }; // words that a pass takes at a time

// The patch of a fast path, paid for one pass over its words, four at a time.
static inline const Obj *patch_paid(Ctx *c, Value v) {
    const Obj *o = patch_fast(c, v);
    if (o) ctx_charge(c, o->n / PATCH_LANES);
    return o;
}

static inline const Obj *patch_paid_loose(Ctx *c, Value v) {
    const Obj *o = patch_loose(c, v);
    if (o) ctx_charge(c, o->n / PATCH_LANES);
    return o;
}

// Element k of all pairs of any patch's locations, as a tuple: for plain paths.
Value patch_coordinates(Ctx *c, Value patch, int k);

// Sets a bit for each location: row i at rows[i - top], column j at bit j - left. (distance.c)
void patch_set_bits(uint64_t *rows, const Obj *o, int top, int left);

void patch_rows(const Obj *o, int *top, int *bottom);
void patch_columns(const Obj *o, int *left, int *right);
Box patch_box(const Obj *o);
// The same where nothing was paid for a pass yet.
static inline Box patch_box_paid(Ctx *c, const Obj *o) {
    ctx_charge(c, o->n / (8 * PATCH_LANES));
    return patch_box(o);
}

// ---- Words, a vector at a time ----
//
// A patch is read some words beyond its end, and one that is made last written to as well (see ARENA_SLACK).

#ifdef __AVX2__
enum { PATCH_WORDS = 8 };
#define PATCH_NUMBERS \
    { 0, 1, 2, 3, 4, 5, 6, 7 }
#else
enum { PATCH_WORDS = 4 };
#define PATCH_NUMBERS \
    { 0, 1, 2, 3 }
#endif
typedef uint32_t PatchWords __attribute__((vector_size(PATCH_WORDS * sizeof(uint32_t))));
typedef int32_t PatchNumbers __attribute__((vector_size(PATCH_WORDS * sizeof(int32_t))));
_Static_assert(sizeof(PatchWords) <= ARENA_SLACK, "what is too much lies in the slack");

static inline PatchWords patch_load(const uint32_t *from) {
    PatchWords w;
    memcpy(&w, from, sizeof w);
    return w;
}

static inline void patch_store(uint32_t *to, PatchWords w) { memcpy(to, &w, sizeof w); }

// Whether any bit is set.
static inline bool patch_any(PatchWords w) {
#ifdef __AVX2__
    return !_mm256_testz_si256((__m256i)w, (__m256i)w);
#else
    uint64_t half[2];
    memcpy(half, &w, sizeof half);
    return (half[0] | half[1]) != 0;
#endif
}

// All bits of the first n words.
static inline PatchWords patch_first(size_t n) {
    const PatchNumbers numbers = PATCH_NUMBERS;
    return (PatchWords)(numbers < (int32_t)(n < PATCH_WORDS ? n : PATCH_WORDS));
}

// Writes n words from `first` on, each `step` more than the last, and some beyond. Returns where the next
// goes.
static inline uint32_t *patch_steps(uint32_t *to, uint32_t first, uint32_t step, size_t n) {
    PatchWords w = first + step * (PatchWords)PATCH_NUMBERS;
    uint32_t *end = to + n;
    for (; to < end; to += PATCH_WORDS, w += PATCH_WORDS * step) patch_store(to, w);
    return end;
}
// The same along a row.
static inline uint32_t *patch_run(uint32_t *to, uint32_t first, size_t n) {
    return patch_steps(to, first, 1, n);
}

// Where in a grid the next words lie, moved by (di, dj): at which of its cells, counted by rows. For
// those outside it is the number of all cells, which is the first place behind them.
static inline PatchWords patch_places(const uint32_t *from, const Obj *grid, int di, int dj) {
    const PatchWords w = patch_load(from), i = (w >> 12 & 0xFFF) + (uint32_t)(di - LOC_BIAS),
                     j = (w & 0xFFF) + (uint32_t)(dj - LOC_BIAS);
    const PatchWords inside = (PatchWords)(i < grid->n) & (PatchWords)(j < grid->width);
    return ((i * grid->width + j) & inside) | (grid->n * grid->width & ~inside);
}

// Copies all words of a patch with their colour replaced: by 0 for locations, by a colour + CELL_BIAS for
// cells.
void patch_colored(uint32_t *to, const uint32_t *from, size_t n, uint32_t color);

// The set of the lines between each of one set of locations and each of another (line.c); false where they
// are no such sets, or lie too far apart.
bool patch_lines_between(Ctx *c, Value a, Value b, Value *lines);

// ---- Grids (the locations in patch.c, the colours in color.c) ----

// A grid whose locations all fit LOCs, of at most 2^20 cells; NULL for any other value and where fast paths
// are off.
static inline const Obj *grid_fast(const Ctx *c, Value v) {
    if (c->plain || !value_is_grid(v)) return NULL;
    const Obj *o = value_obj(v);
    bool fits = o->n <= LOC_LIMIT - LOC_BIAS && o->width <= LOC_LIMIT - LOC_BIAS;
    return fits && o->n * o->width <= 1 << 20 ? o : NULL;
}

// Writes the words of all cells of a colour: `high` holds the bits above the location. Returns where the next
// word goes, and may write beyond that (see bits_write_words).
uint32_t *patch_of_color(uint32_t *to, const Obj *grid, int8_t color, uint32_t high);

uint32_t color_count(const int8_t *cells, size_t n, int8_t color);

// The colours that occur, ascending, and how often. The cells are those of a grid, up to its end.
typedef struct {
    int n;
    int8_t color[256];
    uint32_t count[256];
} Tally;
void color_tally(Tally *t, const int8_t *cells, size_t n);

#endif
