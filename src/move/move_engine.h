// What the two halves of the engine share: shifts, which are tried one and all (move_engine.c), and journeys,
// which are learnt from where the outputs have the parts (send_engine.c). All rules vote together.
#ifndef TESSERA_MOVE_MOVE_ENGINE_H
#define TESSERA_MOVE_MOVE_ENGINE_H

#include "draw/sight.h"
#include "move/journey.h"
#include "move/motion.h"

enum { MOVE_RULES = 64, MOVE_SIGHTS = PartsKind_COLORS + 1 };

typedef struct {
    const Sight *sight;
    const SightChoice *choice;
    bool sends; // a journey, else a motion
    Motion motion;
    Journey journey;
    Paint paint;
    int cost;
    double weight;
    uint64_t hash; // of what it gives for the tests
} Rule;

typedef struct {
    Quest *q;
    Sight sights[MOVE_SIGHTS];
    int sight_count;
    int8_t *canvas;
    Rule rules[MOVE_RULES];
    int rule_count;
    // Weights of the rules that are right, or wrong on this demo alone.
    double right_on_all, wrong_on[QUEST_MOST_DEMOS];
    unsigned new_colors; // of changed cells in the outputs
    bool more;           // than background in all outputs than in the inputs
    bool recolors;       // there are more cells of some colour in an output, background left out
    unsigned counted;    // of which all inputs have a few cells
} Move;

// Whether the rule is right on a demo.
bool move_is_right(Move *m, const Rule *r, int demo);
// Tries a rule on all demos, and keeps it where it is right. On how many it is wrong; 2 stands for more, too.
int move_try(Move *m, Rule *r);

// Journeys in one sight, of which some parts have moved (nothing of them is left in place) and some are
// touched. NULL where memory is short.
typedef struct Trips Trips;
Trips *move_trips(Move *m, const Sight *s, const uint64_t *moved, const uint64_t *touched);
// Tries journeys of the parts that a choice takes, in which others of a colour (-1: none) come to nothing.
// True where one is right on all demos, or on all but one.
bool move_try_trips(Trips *t, const SightChoice *choice, int lost);

#endif
