// Patterns of a grid: a template completed where some of its cells are, a pattern replaced wherever it
// occurs, empty places of a shape filled.
//
// The rules are a few numbers each, as in the language; what an engine learns and what a primitive carries
// out go through the same functions. Each writes a grid of the size of the one it is given and returns the
// work it took in units; where the rule is none for this grid, or memory is short, -1 less the work.
#ifndef TESSERA_PATTERNS_PATTERNS_H
#define TESSERA_PATTERNS_PATTERNS_H

#include "parts/parts.h"

enum {
    PATTERN_ANY = 10, // any colour is there, or it stays what it is
    PATTERN_OWN = 11, // a colour that is no background, the same in all these cells of a place
};

// ---- Templates ----

typedef enum {
    PICK_COLORFUL, // each part of several colours is a template
    PICK_LARGEST,  // the part with most cells
    PICK_MOST,     // the part with most colours, the larger of equals
    PICKS
} TemplatePick;

typedef enum {
    ANCHOR_COLORS, // all its cells of the colours that lie about elsewhere are there, and none of the others;
                   // where it is scaled, they make up whole parts
    ANCHOR_PART,   // it holds all cells of another part, and as many as can be
    ANCHOR_MIDDLE, // its middle is a part of one cell
    ANCHOR_SHAPE,  // another part has its shape, in whatever colours
    // No template, but:
    ANCHOR_MIRROR, // everything is mirrored about the middle of a part (PICK_COLORFUL: the smallest one); 2:
                   // left to right only, 4: upside down only, 1: over diagonals too
    ANCHORS
} TemplateAnchor;

enum {
    TEMPLATE_TURNED = 1, // turned and mirrored too
    TEMPLATE_SCALED = 2, // two to four times as large too
    TEMPLATE_MOVED = 4,  // the template itself goes, if it was completed anywhere
    TEMPLATE_TINTED = 8, // its commonest colour gives way to that of the cell in its middle
    TEMPLATE_FLAGS = 16
};

typedef struct {
    PartsKind kind;
    TemplatePick pick;
    TemplateAnchor anchor;
    int flags;
} Completion;

int64_t patterns_complete(Arena *a, ts_grid grid, const Completion *rule, int8_t *out);

// ---- A pattern with what takes its place ----

enum {
    REPLACE_TURNED = 1,
    REPLACE_APART = 2, // places do not overlap: the first one row by row counts
    REPLACE_FLAGS = 4
};

// The two are of one size; PATTERN_ANY in the first is any colour, in the second no change; PATTERN_OWN in
// the second is what it was in the first.
int64_t patterns_replace(Arena *a, ts_grid grid, ts_grid from, ts_grid to, int flags, int8_t *out);

// ---- Places of one colour ----

typedef enum {
    PLACE_EXACT,   // each rectangle of a by b
    PLACE_EITHER,  // … or b by a
    PLACE_APART,   // rectangles of a by b that do not overlap, the first ones row by row
    PLACE_LARGEST, // the rectangles with most cells, with sides of a and b at least
    PLACE_SQUARES, // the largest squares
    PLACE_MAXIMAL, // rectangles that cannot grow, with sides of a and b at least, in either order
    PLACE_THROUGH, // those of them that go from border to border
    PLACE_SHAPE,   // the shape of each part of colour a; b: 1 turned and mirrored too, 2 of all cells of it
    PLACES
} PlaceKind;

typedef struct {
    PlaceKind kind;
    int a, b;
    int inset; // how many cells from the border of the rectangle are left as they are; -1: its frame alone
} Place;

// Fills the places in which all cells are of colour `ground` (PATTERN_ANY: the background).
int64_t patterns_fill_places(Arena *a, ts_grid grid, int ground, const Place *place, int color, int8_t *out);

// ---- One cell of a lattice ----

// What the chosen cell has most, or least, of.
typedef enum {
    CELL_THINGS, // cells that are not background
    CELL_COLORS, // colours
    CELL_ALIKE,  // cells of the lattice with the same content
    CELL_FIRST,  // it is the first one
    CELL_COLOR,  // + X: cells of colour X
    CELL_WHATS = CELL_COLOR + 10
} CellWhat;

typedef enum {
    USE_ALONE,       // all others become background
    USE_FILL,        // the same, and it is filled with its commonest colour
    USE_MAP,         // each cell is filled with the colour at its place in the chosen one
    USE_COPY,        // it is copied to all empty ones
    USE_UNDER,       // it is laid under all others
    USE_UNDER_LINES, // … in the colour of the lines
    USE_GO,          // all others become background, and it goes where it has a colour
    USES
} CellUse;

typedef struct {
    int what;
    bool least;
    CellUse use;
    int color; // of USE_GO
} CellRule;

int64_t patterns_from_cell(ts_grid grid, const CellRule *rule, int8_t *out);

#endif
