// Journeys: each chosen part goes a way of its own, all at the same time. Which way follows from a property
// of the part, from what lies around it, or from its own look; the shape Journey of words/move.def says what
// there is, and has its codes here.
//
// First each part makes a plan, by the grid as it is: a direction, and where there is one the part that it
// goes to. Then all are lifted. Those that go until they are stopped step together, a cell at a time, until
// none can; the others are put down where their plan says, whatever lies there.
#ifndef TESSERA_MOVE_JOURNEY_H
#define TESSERA_MOVE_JOURNEY_H

#include "draw/drawing.h"

enum { JOURNEY_WAYS = Way_STACKED_FALLING + 1, WAY_ENTRIES = 8 };

typedef struct {
    int16_t kind, value; // a Way; its direction, target, turn or property
    int entries;         // of HEADING_BY
    int16_t from[WAY_ENTRIES];
    int8_t to[WAY_ENTRIES];
    int8_t along, against; // directions, of stacks
} Way;

typedef struct {
    Way way;
    int16_t far, trail; // a HowFar and a Trail
    int ends;           // JourneyEnds, as bits
} Journey;
static inline bool journey_ends(const Journey *j, int end) { return j->ends >> end & 1; }

static inline bool journey_is_stack(const Way *way) {
    return way->kind == Way_STACKED_RISING || way->kind == Way_STACKED_FALLING;
}
static inline bool journey_has_target(const Way *way) {
    return way->kind == Way_HEADING_TO || way->kind == Way_HEADING_FROM || way->kind == Way_ONTO_NEAREST ||
           way->kind == Way_HEADING_ASLANT_TO;
}

// Where a part comes to lie: cell (i, j) at (i + rows, j + columns), or at (rows - i, …) where it is
// mirrored.
typedef struct {
    int rows, columns;
    bool flips_rows, flips_columns;
} Landing;

// What a part is up to: a direction, or a place at once.
typedef struct {
    int8_t direction; // -1: none
    bool lands;       // at a place: a hole, a mark
    int16_t target;   // the part that it goes to or from, -1: none
    int16_t gap;      // cells between them
    Landing landing;  // where it lands
} Plan;

// The plan of a chosen part. False where it has a value that the way knows nothing of. Adds the work.
bool journey_plan(const Scene *s, const bool *chosen, const Way *way, int part, Plan *plan, int64_t *work);
// Where the plan leads. False where it leads nowhere, or how far depends on the others.
bool journey_landing(const Scene *s, int part, const Plan *plan, int far, Landing *landing);
static inline bool journey_joint(int far) {
    return far == HowFar_TILL_STOPPED || far == HowFar_CELLS_TILL_STOPPED;
}
// The cells between a box and the border that way.
int journey_room(ts_grid grid, const Part *p, int direction);

// Carries a journey out; the result goes to canvas. False where something has no way, or no colour, in a
// table. Adds the work.
bool journey_apply(const Scene *s, const bool *chosen, const Journey *j, const Paint *paint, int8_t *canvas,
                   int64_t *work);

#endif
