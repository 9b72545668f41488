// What the files of the drawing engine share. It draws for each part of the input: rays, boxes, rings,
// copies, stamps; up to four pieces of it, one upon the other.
//
//   view     one way of seeing all samples' inputs, with the parts of all of them numbered through, and the
//            selectors that tell these parts apart, each as a set of parts
//   list     what one patch draws for each part of a view: places, numbered through over all samples
//   piece    a drawing (selector, patch, paint, layer) that draws nothing wrong on any demo
//   group    pieces that put the same demo cells right; where they differ on the tests they vote
//   ladder   a patch with each of the numbers from 1 on, to see which of them the demos want
//
// Which colours a part's patch may have is the meet of what the demos' outputs allow over its places; so the
// parts that a paint is right for are a set, and a selector is valid where its set lies within. That is a few
// words for each of some ten thousand (patch, paint, selector).
//
// A cover is found from the top: first a piece that is right wherever it draws; what lies under it may be
// anything, so that the next one, which is drawn before it, may be wrong there.
#ifndef TESSERA_DRAW_DRAW_ENGINE_H
#define TESSERA_DRAW_DRAW_ENGINE_H

#include "base/hash.h"
#include "draw/sight.h"

enum {
    MOST_PIECES = 4,
    MOST_LISTS = 1000,
    MOST_COMBOS = 2400,
    MOST_CELLS = 60000,
    MOST_GROUPS = 2048,
    MOST_OUTCOMES = 4,
    MOST_SOLUTIONS = 24,
    MOST_STATES = 64,
    ANY_COLOR = 0x3FF,
    MOST_LADDERS = 7,
    MOST_NUMBERED = 128,
    MOST_AMOUNTS = 420,
    RUNGS = 10,
};

typedef struct {
    Patch patch;
    int cost;
    bool brings_colors;
    uint32_t *start; // of each part's places, and one more
    uint16_t *at;
    int8_t *color;
    uint16_t *allowed[LAYERS]; // colours, for each part
    uint16_t *gain[LAYERS];    // cells that it puts right, for each part
    uint64_t hash;
} List;

typedef struct {
    Patch patch;
    int cost, count;
    List *lists[8]; // one for each direction
} Combo;

// A number that may be worked out, and what it is for each part.
typedef struct {
    int16_t code;
    int cost;
    int8_t *values;
    uint64_t hash;
} Amount;

typedef struct {
    Sight sight;
    uint64_t *targets; // parts of samples that are not learnt from
    List *lists;
    Combo *combos;
    int list_count, combo_count;
    Amount *amounts;                // numbers that may be worked out
    List *rungs[MOST_LADDERS][8];   // of ladders (draw_numbers.c), for each direction
    Combo *numbered[MOST_NUMBERED]; // with a number that is worked out
    bool wanted[MOST_NUMBERED];     // by the demos that are learnt from
    int amount_count, numbered_count;
    Paint paints[24];
    int8_t *paint_colors[24];
    uint16_t *paint_sets[24]; // the same as bits, 0 for none
    int paint_costs[24];
    int paint_count;
} DrawView;

typedef struct {
    const DrawView *view;
    const SightChoice *choice;
    const Combo *combo;
    Paint paint;
    Layer layer;
    int cost;
} DrawPiece;

typedef struct {
    uint64_t hash;
    double weight;
    DrawPiece best;
} Outcome;

typedef struct {
    uint64_t hash;
    int gain;
    unsigned demos; // a bit for each that it helps
    int outcome_count;
    Outcome outcomes[MOST_OUTCOMES];
} Group;

typedef struct {
    int count;
    DrawPiece pieces[MOST_PIECES];
    const Group *groups[MOST_PIECES];
    int wrong; // demo cells left
    int cost, number;
    bool blank;
} Path;

typedef struct {
    Quest *q;
    int cells, demo_cells;
    int *offset;                   // of each sample's cells
    int8_t *input;                 // of all samples: the cells of `grids`
    int8_t *ground;                // of each sample
    int8_t *output, *base;         // of the demos; of all
    bool learns[QUEST_MOST_DEMOS]; // from this demo
    uint16_t *allowed;             // colours, for each cell
    uint8_t *wrong;
    uint32_t *may, *wrongs; // the same for draw_judge, half by half: of the ground, of things
    int8_t *scratch;
    Brush brush;
    uint64_t *mask;
    DrawView views[PARTS_KINDS];
    int view_count;
    const ts_grid *grids; // of all samples: the inputs, or what was made of them
    Text made;            // the lines that made them
    int lines;
    Group *groups[MOST_PIECES];
    int beams[MOST_PIECES];
    Path path, solutions[MOST_SOLUTIONS], partial;
    int solution_count;
    uint64_t states[MOST_STATES]; // hashes of what was left to do, where that was explored
    int state_count;
    bool over; // the units are spent
} Draw;

// ---- Views (draw_views.c) ----

bool draw_make_view(Draw *d, PartsKind kind);
// Puts a patch down for all parts of a view. False where memory is short.
bool draw_fill_list(Draw *d, const DrawView *v, List *l);
// Takes over what is allowed and what is wrong, as things stand.
void draw_note_state(Draw *d);
// Looks up, for each part, what colours the demos allow for a list's cells and whether it puts something
// right.
void draw_judge(const Draw *d, const DrawView *v, List *l);
// The colours that a paint gives the parts of a view.
void draw_colors(const Draw *d, const DrawView *v, const Paint *paint, int8_t *colors);

// ---- Pieces (draw_pieces.c) ----

typedef struct {
    Draw *d;
    Group *groups;
    int count;
    int least_gain; // cells that a piece must put right
    int16_t slots[2 * MOST_GROUPS];
} DrawFound;

// Finds all pieces that are right as things stand, in groups.
void draw_find_pieces(DrawFound *f);
// Draws a piece's parts of one sample on a canvas of the sample's size.
void draw_sample(const Draw *d, const DrawPiece *p, const int8_t *colors, int sample, int8_t *canvas);
static inline const uint64_t *chosen_by(const DrawPiece *p) {
    return sight_chosen(&p->view->sight, p->choice);
}

// ---- Numbers (draw_numbers.c) ----

// Finds what is drawn with a number that is worked out, as things stand.
void draw_find_numbers(Draw *d, DrawView *v);

#endif
