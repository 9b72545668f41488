// A quest: one task as the search sees it, the work that may still be done on it, and the candidates so far.
//
// An engine (trees, bank, draw, …) looks at the demos and the test inputs, finds rules, and offers each as
// the text of a program. The program alone counts: the quest reads the text, runs it on all samples, and what
// it gives there is the answer. So every answer can be printed, checked alone, stored and explained, and an
// engine that is wrong about its own rule does no harm.
//
// Work is counted in units, about one a nanosecond, never by the clock: with the same units and seed a quest
// gives the same candidates on any machine. A deadline, where there is one, only ends it early.
//
// A task may have any number of demos and tests. Engines look at the first of them, so that they can count on
// bounds; a program that is offered is run on all.
#ifndef TESSERA_SEARCH_QUEST_H
#define TESSERA_SEARCH_QUEST_H

#include "grid/colors.h"
#include "base/text.h"
#include "tessera.h"

typedef enum {
#define ENGINE(name, share, doc) ENGINE_##name,
#include "search/engines.def"
    ENGINES
} EngineId;

enum {
    QUEST_CLASSES = 128,
    QUEST_MOST_DEMOS = 31, // that engines look at, and tests
    QUEST_MOST_TESTS = 32,
    QUEST_MOST_SAMPLES = QUEST_MOST_DEMOS + QUEST_MOST_TESTS,
    QUEST_MOST_CANDIDATES = 64 * ENGINES,
    QUEST_MOST_OF_ENGINE = 64
};

typedef struct {
    EngineId engine;
    int class;        // what kind of rule, to the engine: it decides how far it is to be trusted
    int demos_right;  // of all demos
    char *program;    // canonical text, with the name solve_TASK
    ts_grid *answers; // for each test; the height is 0 where it has none
    uint64_t hash;    // over all answers
    uint64_t units;   // that the program spends, on the dearest sample
    size_t lines;
} Candidate;

typedef struct Quest {
    const char *id;
    int all_demos, all_tests;  // of the task
    int demos, tests, samples; // of these what engines look at; samples: the demos, then the tests
    int side;                  // the most rows or columns that an answer may have (task_side)
    const ts_grid *inputs;     // of the samples
    const ts_grid *outputs;    // of the demos
    const ts_programs *donors; // programs whose lines `lines` builds on; NULL: none
    bool public_only;          // `lines` offers programs of the public language alone
    uint64_t seed;
    int64_t units;           // left to spend, by the engine that runs
    double deadline;         // by clock_ms, 0 for none
    const ts_stop *stop;     // set from outside: come to an end; may be NULL
    struct Profile *profile; // where the time of the engines goes, NULL: nowhere
    ArenaStock *stock;       // of the thread that runs it, NULL for none
    struct Device *device;   // of the thread that runs it, NULL for none: it changes no result
    Arena arena;             // for the engine that runs; reset before the next one
    size_t memory;           // bytes that an engine may hold, arena and all

    Candidate *candidates;
    size_t count;
    uint64_t tried[ENGINES]; // programs: entries computed or found equal, rules tried
    double ms[ENGINES];
    bool through[ENGINES]; // engines that more units would not help
    // For a quest that was made from another: what is offered to it goes here instead.
    int (*offer)(struct Quest *q, EngineId engine, int class, const char *lines);
    struct Quest *parent;
    int view; // of the parent
    // The quest's own:
    const ts_task *task;
    ts_engine *runner; // NULL until something is offered
    Arena kept;        // texts and answers of the candidates
    Arena trial;       // the answers of what is offered, until it is kept
    int64_t until_clock;
    bool late;
    // Since it was run, memory was short, and there may be more to find:
    bool full;    // an engine has held all that it may
    bool starved; // malloc has failed
} Quest;

// Makes a quest of a task; the solutions of its tests are not looked at. False where memory is short.
bool quest_init(Quest *q, const ts_task *task, uint64_t seed);
void quest_free(Quest *q);
// Runs the engines of these names (NULL: all) one after the other, but for those that are through. (search.c)
void quest_run(Quest *q, const char *names, int64_t units);
// Gives back all memory but that of the candidates, until it is run again.
void quest_rest(Quest *q);

// Lets it take memory from a stock and give it back there, while nothing of it is in use; NULL: no longer.
void quest_use_stock(Quest *q, ArenaStock *stock);
// An arena of an engine's own.
void quest_arena(const Quest *q, Arena *a, size_t limit);
// Gives back what an engine is done with; where malloc had failed for it, the quest notes that.
void quest_free_arena(Quest *q, Arena *a);
void quest_free_text(Quest *q, Text *t);
// Notes whether memory was short so far. False where malloc has failed.
bool quest_is_fed(Quest *q);

// Charges units. False where they are spent, or the deadline has passed: the engine returns soon.
bool quest_slow(Quest *q); // looks at the clock; also for long stretches whose units are charged later
static inline bool quest_spend(Quest *q, int64_t units) {
    q->units -= units;
    q->until_clock -= units;
    return q->units > 0 && (q->until_clock > 0 || quest_slow(q));
}

// The longest side of a grid that is worth keeping on the way to an answer, as grid_reach has it.
static inline int quest_reach(const Quest *q) { return q->side > GRID_USUAL_SIDE ? GRID_TASK_SIDE : 64; }

// The name that programs for the task have: solve_ID, with what no name may have in it as _.
void quest_name(const Quest *q, Text *t);
// Offers a program: the lines that give O from I, each with its newline and no indentation, such as
// "x1 = vmirror(I)\nO = hconcat(I, x1)\n". Returns on how many of all demos it is right, -1 where it could
// not be read or gives no grid for any test. It is kept if it is right on a demo at least, and no candidate
// has these very answers from the same engine and class.
int quest_offer(Quest *q, EngineId engine, int class, const char *lines);
// The same with the text of a whole program, def and all, which may take S too.
int quest_offer_program(Quest *q, EngineId engine, int class, const char *text, size_t length);

// Takes a candidate over as another quest of the same task has it, with its answers; nothing is run. False
// where there is no room for it, or memory is short.
bool quest_take_over(Quest *q, const Candidate *c);

// ---- The engines ----

// Spends at most q->units. True where it is through with all it knows: more units would bring no more.
typedef bool EngineFn(Quest *q);
#define ENGINE(name, share, doc) EngineFn engine_##name;
#include "search/engines.def"

typedef struct {
    const char *name, *doc;
    int share; // of the units of a pass, in percent
    EngineFn *run;
} Engine;
extern const Engine engines_table[ENGINES];

EngineId engines_find(const char *name, size_t length); // ENGINES where there is none

// Offers what JSON lines of candidates say for this task. (candidates.c)
bool candidates_read(Quest *q, const char *name, const char *text, size_t length, ts_status *status);

// Runs some engines on a quest that was made from another (its parent), on behalf of engine `as`. Its demos,
// tests, inputs, outputs, offer and view are set; the rest follows from the parent. Returns what is left of
// the units.
int64_t quest_run_within(Quest *sub, EngineId as, const EngineId *runs, int count, int64_t units);

// ---- Ranking (ranking.c) ----

typedef struct {
    ts_grid grid;      // height 0: there is none
    double support;    // what speaks for it, 0 to 1: by this answers are ranked
    double confidence; // that it is right; of all answers for a test the sum is below 1
    size_t candidate;  // the best of those that give it
    size_t agreeing;   // candidates that give it
    uint64_t broken;   // facts that hold for the demos and not for it (facts.h)
} Answer;

// How far rules of a class that are right on all demos are to be trusted.
double class_confidence(EngineId engine, int class);
// The class of a program of the pool that is right on all demos: the level of the confidence in it.
int class_of_level(double confidence);
enum {
    CLASS_OF_OWN = 31,  // of the pool: a person wrote it for the task
    CLASS_TRUSTED = 32, // and the class: the user says that it is right (trust_pool)
};
// The class of what a battery of the pool's programs gave for the task. (origin.c)
int class_of_candidate(const Quest *q, const ts_programs *pool, const ts_task_result *r,
                       const ts_candidate *c, bool trusted);
// How far a candidate is to be trusted by itself.
double candidate_confidence(const Quest *q, const Candidate *c);
// The best different answers for a test, the best first. Returns how many there are.
size_t quest_rank(const Quest *q, int test, Answer *answers, size_t most);
// What speaks for the best answers, of the test with the least: 0 where one has none.
double quest_trust(const Quest *q);
static const double QUEST_TRUSTED = 0.9; // so much support, and the task needs no more work

struct ts_search {
    Quest quest;
    const char *engines; // names, NULL for all
};
// A search that has not begun. False, with *status, where the options are wrong or memory is short.
// (search.c)
bool search_init(ts_search *search, const ts_task *task, const ts_search_options *options, ts_status *status);

#endif
