// What the parts of the engine `cutout` share: the pieces of all samples, and the rules that fit.
//
// A rule is worth 2^-cost; its cost is what it takes to say it, in bits, roughly. Rules that give the same
// answers for the tests stand together, under the cheapest; rules that miss one demo are noted as well: how
// much they are worth beside those that fit all says how easily a rule fits a demo by chance.
#ifndef TESSERA_CUTOUT_CUTOUT_ENGINE_H
#define TESSERA_CUTOUT_CUTOUT_ENGINE_H

#include "cutout/summary.h"
#include "search/quest.h"

enum { SELECT_SOURCES = 40, SELECT_MOST_FOUND = 256, SELECT_MOST_MEASURES = 400 };

typedef enum { CUTOUT_CHOOSE, CUTOUT_ARRANGE, CUTOUT_TABLE, CUTOUT_COUNT, CUTOUT_FAMILIES } CutoutFamily;

typedef struct {
    uint64_t answers;    // hash of the answers for all tests
    uint32_t mask;       // demos that it is right on
    double cost;         // of the cheapest
    double worth;        // of all, by family
    CutoutFamily family; // of the cheapest
    char *lines;
} CutoutFound;

typedef struct {
    int source, prop, how;
    double cost;
    const int *values; // of each sample
} MeasureRule;

// The different orders that properties give the pieces of a source.
typedef struct {
    int prop, kind;
    double cost;
    int *order[QUEST_MOST_SAMPLES]; // of each sample
} OrderRule;
typedef struct {
    int count;
    OrderRule at[2 * PIECE_PROPERTIES];
    uint64_t hashes[2 * PIECE_PROPERTIES];
} Orders;

// A last step that is the same for all demos, taken back before rules are tried.
typedef struct {
    enum { STEP_NONE, STEP_SCALED, STEP_TILED } kind;
    int n, m;
} CutoutStep;

typedef struct {
    Quest *q;
    int source_count;
    int sources[SELECT_SOURCES];
    Pieces *pieces[SELECT_SOURCES]; // of each sample; NULL where a sample has none
    Orders *orders[SELECT_SOURCES];
    int measure_count;
    MeasureRule measures[SELECT_MOST_MEASURES];
    int found_count;
    CutoutFound found[SELECT_MOST_FOUND];
    CutoutFound *current;                         // whose lines are being written
    ts_grid before[SYMMETRIES][QUEST_MOST_DEMOS]; // the outputs moved back
    uint64_t before_hash[SYMMETRIES][QUEST_MOST_DEMOS];
    CutoutStep step;                   // the last one of all rules that are being tried
    ts_grid targets[QUEST_MOST_DEMOS]; // the outputs before it
    uint64_t target_hash[SYMMETRIES][QUEST_MOST_DEMOS];
    Arena scratch; // given back after each rule
    Arena views;   // those of one source
    Text text;
} Cutout;

double cutout_source_cost(int source);
double cutout_view_cost(int view);
double cutout_prop_cost(int prop);

_Static_assert(QUEST_MOST_DEMOS < 32, "the demos fit a mask");
static inline uint32_t all_demos(const Cutout *s) { return (1u << s->q->demos) - 1; }
// Whether it is worth noting: right on all demos but one at the most, and on two at the least unless there is
// one alone.
bool cutout_is_worth_noting(const Cutout *s, uint32_t mask);
// Notes a rule. True where its lines are wanted: they are to be put into s->text, and cutout_note_lines
// called.
static inline const char *result_name(const Cutout *s) { return s->step.kind == STEP_NONE ? "O" : "x9"; }
bool cutout_note(Cutout *s, CutoutFamily family, uint32_t mask, uint64_t answers, double cost);
void cutout_note_lines(Cutout *s);
// The grids that a rule gives for all samples, before the step: sees what they are worth, and notes them. The
// result of the lines is called result_name then.
bool cutout_note_grids(Cutout *s, CutoutFamily family, const ts_grid *grids, double cost);

// Whether a property makes a condition; values of it that some piece of each sample has, up to 8.
bool cutout_is_condition(int prop);
int cutout_shared_values(Cutout *s, const Pieces *p, int prop, int *values);

// The rules (cutout_choose.c, cutout_sums.c).
bool cutout_choose(Cutout *s);
bool cutout_arrange(Cutout *s);
bool cutout_tables(Cutout *s);
bool cutout_counts(Cutout *s);
bool cutout_krons(Cutout *s);

// A measure that has these values on the demos; NULL for none.
const MeasureRule *cutout_measure_of(Cutout *s, const int *values);
void cutout_print_measure(Text *t, const MeasureRule *m); // as an expression

#endif
