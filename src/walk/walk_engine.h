// What the files of the walking engine share. It learns which walkers begin where, and the habits that take
// them over the cells that the outputs have changed.
//
//   form     where walkers begin and how they go: from, heading, gait, rhythm
//   start    a form with the parts and the paint that it is for, such that no walker is wrong before it meets
//            something
//   rule     a start with habits; right where no walker is wrong anywhere
//
// Habits are learnt by depth-first search: walkers go until one meets what there is no habit for, and each
// deed is tried in turn. What a walker has coloured wrong by then ends a branch at once.
#ifndef TESSERA_WALK_WALK_ENGINE_H
#define TESSERA_WALK_WALK_ENGINE_H

#include "base/hash.h"
#include "draw/sight.h"
#include "walk/walker.h"

enum {
    WALK_MOST_FORMS = 400,
    WALK_STARTS = 4096,
    WALK_SLOTS = 2 * WALK_STARTS,
    WALK_MOST_WALKERS = 400, // of a rule, on all demos
    WALK_MOST_PARTIAL = 48,
    WALK_MOST_SOLUTIONS = 6,
    WALK_SIGHTS = PartsKind_REGIONS + 1,
};

typedef struct {
    Walk walk;
    int cost;
    int sights; // a bit for each kind of parts that it is for
} WalkForm;

typedef struct {
    const Sight *sight;
    const SightChoice *choice;
    Walk walk;
    WalkEyes eyes;
    bool vanishes;           // some walkers leave nothing
    int cost, worth, number; // of a start: how promising it is, and how many were found before it
    int gain;                // changed cells that it colours, as far as is known
    uint64_t *covered;       // these, of the demos
} WalkRule;

typedef struct {
    WalkRule of[2]; // the second is drawn over the first
    int count, cost;
} WalkSolution;

// One walker of a rule on the demos.
typedef struct {
    int demo;
    WalkBegin begin;
    int color;
} WalkSent;

typedef struct {
    Quest *q;
    Sight sights[WALK_SIGHTS];
    int sight_count;
    WalkForm *forms;
    int form_count;
    Walker walker;
    WalkBegin *begins;
    int *offset; // of each demo's cells in a set of them all; a demo begins with a word of its own
    int words;   // of such a set
    uint64_t *changed;
    uint16_t new_colors; // of changed cells
    bool erases;         // all demos have cells that become background
    bool learns[QUEST_MOST_DEMOS];
    int to_cover; // changed cells of the demos that are learnt from
    WalkRule *starts;
    int start_count;
    uint64_t *hashes; // of the starts
    int16_t *slots;   // the starts by their hash
    WalkSent *sent;   // of the start at hand
    int sent_count;
    uint64_t *covered[WALK_METS + 1]; // with so many habits learnt
    bool strict;                      // a rule has to do everything
    int64_t until;                    // so many units are left when the start at hand has had its share
    bool over;                        // it has
    bool unseen;                      // it leaves the ground as it is
    int bound;                        // the cost of the simplest solution from it
    WalkRule partial[WALK_MOST_PARTIAL];
    int partial_count;
    WalkSolution solutions[WALK_MOST_SOLUTIONS];
    int solution_count, wanted;
} WalkLearner;

// ---- Starts (walk_starts.c) ----

void walk_make_forms(WalkLearner *e);
// Finds the starts that are not wrong at once, the simplest first.
void walk_find_starts(WalkLearner *e);

// ---- Habits (walk_learn.c) ----

// Finds up to `wanted` solutions from the demos that are learnt from.
void walk_learn(WalkLearner *e);
// What a rule draws on the canvas of a sample. False where a walker is puzzled.
bool walk_draw(WalkLearner *e, const WalkRule *r, int sample, int8_t *canvas);

#endif
