// What a rule may ask about a cell of a grid, as columns of small numbers.
//
// A scene is a grid laid out for a rule: an input, a layout, and the base that the layout makes of it, of the
// size of what is to come out. A feature gives a number for each cell of the base: a colour, a count, a yes
// or no. The learner asks for all of them and the primitive for those in its tree, through the same code.
// Layouts and features are shapes of words/words.def; the codes of their words are used here.
#ifndef TESSERA_TREE_FEATURES_H
#define TESSERA_TREE_FEATURES_H

#include "grid/lattice.h"
#include "parts/parts.h"
#include "words/words.h"

// A form of shape Layout, as its codes.
typedef struct {
    int kind, n, m, how;
} CellLayout;
enum { Layout_ANY = -1 }; // of a feature: it needs no layout
// The last code of a layout, where it tells apart those that have one kind.
enum { LAYOUT_REPEATED, LAYOUT_SCALED_UP };
enum { LAYOUT_BLOCKS_OF, LAYOUT_BLOCKS, LAYOUT_ROOMS };
enum { CUTS = Cut_COLOR_BOX_INSIDE + 10 };

// Of a part: its properties, then where the cell is in its box, then whether it is most or least of some.
enum {
    PART_PLACES = 11,
    PART_RANKED = 16,
    PART_OUTLINES = 3,
    PART_FEATURES = PROPS + PART_PLACES + 2 * PART_RANKED + PART_OUTLINES,
    PART_COLORS = 4
};
// The place of a feature in its family.
#define PLACE(word) (Feature_##word % 100)

typedef enum { FEATURE_COLOR, FEATURE_NUMBER, FEATURE_FLAG } FeatureKind;

typedef enum {
#define FAMILY(number, name, ...) FAMILY_##name,
#include "tree/features.def"
    FAMILIES
} FeatureFamily;

typedef struct {
    int number, count, price, layout;
    FeatureKind kind;
} FamilyInfo;
extern const FamilyInfo feature_families[FAMILIES];

typedef struct {
    Arena *arena;
    ts_grid input, base;
    CellLayout layout; // with n and m as measured
    int background;
    Lattice input_rooms;      // for blocks
    Parts parts[PARTS_KINDS]; // of the base
    const int *props[PARTS_KINDS];
    uint8_t *columns[FAMILIES]; // as cell_scene_column filled them in
} CellScene;

// False where the layout is not for this input, the input is no picture (colours 0 to 9, sides up to 64), or
// memory is short.
bool cell_scene_init(CellScene *s, Arena *a, ts_grid input, CellLayout layout);

// The features of a family, each `stride` after the one before, a byte for each cell of the base: 1 more than
// the number, 0 for none. False where memory is short.
bool cell_scene_fill(CellScene *s, FeatureFamily family, uint8_t *to, size_t stride);
// One feature by its number; NULL where there is none such for this layout, or memory is short.
const uint8_t *cell_scene_column(CellScene *s, int feature);
// About what that costs, in units.
int64_t cell_scene_cost(const CellScene *s, FeatureFamily family);
// The family that a feature is of, FAMILIES for none.
FeatureFamily feature_family_of(int feature);

// ---- For layouts.c and features.c ----

enum { FEATURE_MOST = 126 };
static inline uint8_t feature_byte(int v) {
    return (uint8_t)((v < -1 ? -1 : v > FEATURE_MOST ? FEATURE_MOST : v) + 1);
}
// In a function that fills a family in: for all cells of the base, and a feature of the family for such a
// cell.
#define EACH_CELL(s)                                                       \
    for (int i = 0, h = (s)->base.height, w = (s)->base.width; i < h; i++) \
        for (int j = 0; j < w; j++)                                        \
            for (size_t cell = (size_t)(i * w + j), once = 1; once; once = 0)
#define SET(feature, value) (to[(size_t)(feature)*stride + cell] = feature_byte(value))
// Fills in a family of neighbours or rays; false where it is no such. (around.c)
bool cell_fill_around(const CellScene *s, FeatureFamily family, uint8_t *to, size_t stride);
// For each cell how far the first one in a direction is that is no background, 1 more than that, 0 for none.
void cell_ray_distances(const CellScene *s, int d, uint8_t *to);
// The directions as features have them: opposite ones four apart, and of each four the first two are sides.
static const int8_t cell_directions[DIRECTIONS] = {
    [Neighbor_NORTH] = Direction_NORTH,         [Neighbor_WEST] = Direction_WEST,
    [Neighbor_NORTHWEST] = Direction_NORTHWEST, [Neighbor_NORTHEAST] = Direction_NORTHEAST,
    [Neighbor_SOUTH] = Direction_SOUTH,         [Neighbor_EAST] = Direction_EAST,
    [Neighbor_SOUTHEAST] = Direction_SOUTHEAST, [Neighbor_SOUTHWEST] = Direction_SOUTHWEST,
};
static inline int cell_step_i(int d) { return direction_rows[cell_directions[d]]; }
static inline int cell_step_j(int d) { return direction_columns[cell_directions[d]]; }
bool layout_apply(CellScene *s);
bool layout_fill(CellScene *s, FeatureFamily family, uint8_t *to, size_t stride);
// The rooms between lines, of the background only where there are no others; 0 by 0 where there are none.
void tree_rooms_of(ts_grid grid, int background, Lattice *rooms);
// A cell of the grid moved by a symmetry, by its code in CopySymmetry; -1 where rows and columns are
// exchanged and it is not square.
int tree_moved_cell(ts_grid g, int way, int i, int j);

#endif
