// Patterns of a grid: a template completed where some of its cells are, a pattern replaced wherever it
// occurs, empty places of a shape filled.
//
// The rules are a few numbers each, as in the language; what an engine learns and what a primitive carries
// out go through the same functions. Each writes a grid of the size of the one it is given and returns the
// work it took in units; where the rule is none for this grid, or memory is short, -1 less the work.
#ifndef TESSERA_PATTERNS_PATTERNS_H
#define TESSERA_PATTERNS_PATTERNS_H

#include "parts/parts.h"
#include "words/words.h"

enum {
    PATTERN_ANY = 10, // any colour is there, or it stays what it is
    PATTERN_OWN = 11, // a colour that is no background, the same in all these cells of a place
};

// ---- Templates ----

enum {
    TEMPLATE_PICKS = TemplatePick_MOST_DETAILED + 1,
    MIRROR_PICKS = MirrorPick_MOST_COLORFUL + 1,
    TEMPLATE_TURNED = 1 << TemplateOptions_TURNED,
    TEMPLATE_SCALED = 1 << TemplateOptions_SCALED,
    TEMPLATE_MOVED = 1 << TemplateOptions_MOVED, // if it was completed anywhere
    TEMPLATE_TINTED = 1 << TemplateOptions_TINTED,
    TEMPLATE_OVER = 1 << TemplateOptions_OVER_ANYTHING,
    TEMPLATE_FLAGS = 2 * TEMPLATE_OVER,
    MIRROR_DIAGONALS = 1 << MirrorOptions_DIAGONALS_TOO,
    MIRROR_NOT_DOWN = 1 << MirrorOptions_NOT_UPSIDE_DOWN,
    MIRROR_NOT_ACROSS = 1 << MirrorOptions_NOT_LEFT_TO_RIGHT,
    MIRROR_FLAGS = 2 * MIRROR_NOT_ACROSS
};

// A part of several colours, or of most, the larger of equals, is completed (a Completion):
//     WHERE_MARKED     all its cells of the colours that lie about elsewhere are there, and none of the
//                      others; where it is scaled, they make up whole parts
//     WHERE_PART_FITS  it holds all cells of another part, and as many as can be
//     AROUND_CONTENT   all cells of its box that are not its own are there
// MIRROR_ABOUT and MIRROR_TO_MARKS have no templates.
typedef struct {
    int kind;   // a TemplateParts
    int anchor; // a Completion
    int pick;   // a TemplatePick, or a MirrorPick
    int flags;  // TEMPLATE_, MIRROR_, or how far apart what is repeated lies
} Completion;
enum { REPEAT_GAPS = 4 };

int64_t patterns_complete(Arena *a, ts_grid grid, const Completion *rule, int8_t *out);

// ---- A pattern with what takes its place ----

enum {
    REPLACE_TURNED = Replacing_TURNED_TOO,
    REPLACE_APART = Replacing_APART,
    REPLACE_FLAGS = Replacing_TURNED_AND_APART + 1
};

// The two are of one size; PATTERN_ANY in the first is any colour, in the second no change; PATTERN_OWN in
// the second is what it was in the first.
int64_t patterns_replace(Arena *a, ts_grid grid, ts_grid from, ts_grid to, int flags, int8_t *out);

// ---- Places of one colour ----

typedef struct {
    int kind;  // a Place
    int a, b;  // sides; of Place_SHAPE_OF a colour and a set of ShapeOptions
    int inset; // how many cells from the border of the rectangle are left as they are, or Inset_FRAME_ONLY
} Place;
enum { SHAPE_TURNED = 1 << ShapeOptions_TURNED_SHAPES, SHAPE_TOGETHER = 1 << ShapeOptions_CELLS_TOGETHER };

// Fills the places in which all cells are of colour `ground`, a PlaceGround.
int64_t patterns_fill_places(Arena *a, ts_grid grid, int ground, const Place *place, int color, int8_t *out);

// ---- One cell of a lattice ----

typedef struct {
    int what; // a CellMeasure
    bool least;
    int use;   // a CellUse
    int color; // of CellUse_GOES_TO
} CellRule;
enum { CELL_MEASURES = CellMeasure_CELLS_COLORED + 10, CELL_USES = CellUse_FILLS_MARKED + 1 };

int64_t patterns_from_cell(ts_grid grid, const CellRule *rule, int8_t *out);

// ---- For complete.c and patterns.c ----

enum { WORK_MOST = 4000000 }; // a rule that takes more is given up
#define TAKE_FROM(arena, type, n) ((type *)arena_alloc(arena, (size_t)(n) * sizeof(type)))
// Where there is no rule, the work that this took.
static inline int64_t no_rule(int64_t work) { return -1 - work; }

#endif
