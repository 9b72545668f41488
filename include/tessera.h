// Tessera: runs programs of the arc-dsl grid language on ARC tasks.
//
// The one public header. Ownership: what a function named …_new or …_read gives back is yours to free with
// the …_free of the same name; everything reached through it (names, grids, values) belongs to it and lives
// as long as it does, values until the engine's next evaluation. Threads: a set of programs or tasks may be
// used by many threads at once; an engine by one at a time.
#ifndef TESSERA_H
#define TESSERA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What is declared here is what the shared library shows; the rest of it is hidden.
#pragma GCC visibility push(default)

#define TS_VERSION "0.1.0"

// ---- Errors: a code, a message, and where ----

typedef enum {
    TS_OK,
    TS_USAGE,  // a call or a command line is wrong
    TS_INPUT,  // a file or text says something it may not say
    TS_SYSTEM, // a file cannot be opened, memory has run out
} ts_code;

typedef struct ts_status {
    ts_code code;
    int line, column; // from 1; 0 where there is none
    char file[256];   // "" where there is none
    char message[512];
    char excerpt[256]; // the line of text concerned, "" where there is none
    int caret;         // where in the excerpt, from 0
} ts_status;

// Called for each problem of a reader that goes on after one. May be NULL.
typedef void ts_report(void *user, const ts_status *problem);

// ---- Grids ----

typedef struct ts_grid {
    int height, width;
    const signed char *cells; // row by row
} ts_grid;

bool ts_grid_equal(ts_grid a, ts_grid b);

// ---- Tasks ----

typedef struct ts_tasks ts_tasks;

typedef struct ts_sample {
    ts_grid input, output;
    bool is_test;
    bool has_output; // false for a test whose solution is not known
} ts_sample;

typedef struct ts_task {
    const char *id;
    const ts_sample *samples; // the demos, then the tests
    int demos, tests;
} ts_task;

// Reads a folder of ID.json, one task file, a Kaggle challenges file (with the solutions file beside it), or
// a data file with the parts "train" and "eval", of which `split` chooses one (NULL: all there is). With
// keep_going bad tasks are reported and left out; without it the first problem ends the reading. NULL on
// failure, with *status filled in.
ts_tasks *ts_tasks_read(const char *path, const char *split, bool keep_going, ts_report *report, void *user,
                        ts_status *status);
// The same from a text in memory, without going on after problems.
ts_tasks *ts_tasks_read_text(const char *name, const char *text, size_t length, const char *split,
                             ts_status *status);
void ts_tasks_free(ts_tasks *tasks);
size_t ts_tasks_count(const ts_tasks *tasks);
const ts_task *ts_tasks_at(const ts_tasks *tasks, size_t index);
const ts_task *ts_tasks_find(const ts_tasks *tasks, const char *id); // NULL where there is none

// ---- Primitives ----

typedef struct ts_op {
    const char *name, *family;
    int arity;
    const char *parameters[4];
    const char *types[4], *result;
    const char *doc, *example; // the example is an expression
} ts_op;

size_t ts_ops_count(void);
ts_op ts_ops_at(size_t index);
const char *ts_ops_nearest(const char *name); // the primitive spelt most like this, NULL where none is

// ---- Programs ----

typedef struct ts_programs ts_programs;

ts_programs *ts_programs_new(void);
void ts_programs_free(ts_programs *programs);
// Add the programs of a text or file. Bad ones are reported and left out; with strict the first ends the
// reading. Returns true if there was no problem; else *status holds the first.
bool ts_programs_add_text(ts_programs *programs, const char *name, const char *text, size_t length,
                          bool strict, ts_report *report, void *user, ts_status *status);
bool ts_programs_add_file(ts_programs *programs, const char *path, bool strict, ts_report *report, void *user,
                          ts_status *status);
size_t ts_programs_count(const ts_programs *programs);
const char *ts_programs_name(const ts_programs *programs, size_t index);
ptrdiff_t ts_programs_find(const ts_programs *programs, const char *name); // -1 where there is none
// The program in canonical form. The text is yours to free().
char *ts_programs_print(const ts_programs *programs, size_t index);

// ---- Evaluation ----

typedef enum {
    TS_FAIL_NONE,
    TS_FAIL_TYPE,     // a value of the wrong kind
    TS_FAIL_VALUE,    // a value that the primitive cannot take
    TS_FAIL_INDEX,    // outside of a tuple
    TS_FAIL_EMPTY,    // an element of an empty container
    TS_FAIL_ZERO,     // division by zero
    TS_FAIL_OVERFLOW, // an integer that does not fit 64 bits
    TS_FAIL_ARITY,    // a function called with the wrong number of arguments
    TS_FAIL_DEPTH,    // calls or values nested too deeply
    TS_FAIL_BUDGET,   // the work units or the memory of this evaluation are spent
    TS_FAIL_KINDS
} ts_failure;

const char *ts_failure_name(ts_failure kind);

typedef struct ts_engine ts_engine;

typedef struct ts_value {
    uint64_t bits;
} ts_value;

ts_engine *ts_engine_new(void);
void ts_engine_free(ts_engine *engine);
void ts_engine_set_units(ts_engine *engine, uint64_t units); // per evaluation
// Fast paths off: every primitive takes its plain reference path. For tests and for measuring.
void ts_engine_set_plain(ts_engine *engine, bool plain);

typedef struct ts_result {
    ts_value value;
    ts_failure failure; // TS_FAIL_NONE where the value counts
    int line;           // line of the text that failed, 0 where none did
    uint64_t units;     // work done
} ts_result;

// Runs a program on an input grid. Values of an earlier evaluation are gone.
ts_result ts_run(ts_engine *engine, const ts_programs *programs, size_t index, ts_grid input);
// As ts_run on sample `sample` of a task: programs that take S get the demos.
ts_result ts_run_sample(ts_engine *engine, const ts_programs *programs, size_t index, const ts_task *task,
                        int sample);
// Evaluates one expression. False, with *status, where the text is no expression.
bool ts_eval(ts_engine *engine, const char *text, size_t length, ts_result *result, ts_status *status);

bool ts_value_is_grid(ts_value value);
ts_grid ts_value_grid(ts_value value); // of a value that is a grid
bool ts_value_equal(ts_value a, ts_value b);
char *ts_value_print(ts_value value); // as a literal; the text is yours to free()
uint64_t ts_value_hash(ts_value value);

// Checks lines `expression => value` (programs NULL) or `name INPUT => OUTPUT`; '!' stands for a failure,
// lines that start with '#' and blank ones are passed over. Each mismatch is reported. False where a line
// cannot be read.
typedef struct ts_check_result {
    size_t passed, failed;
} ts_check_result;
bool ts_check(ts_engine *engine, const ts_programs *programs, const char *name, const char *text,
              size_t length, ts_report *report, void *user, ts_check_result *result);

// Times primitive `index` for so many seconds on arguments that the seed decides.
typedef struct ts_op_time {
    double ns;       // per call, of the fastest round
    size_t calls;    // different sets of arguments
    size_t failures; // sets on which the primitive fails
    uint64_t hash;   // over all results
} ts_op_time;
ts_op_time ts_bench_op(ts_engine *engine, size_t index, uint64_t seed, double seconds);

// ---- Pictures ----

typedef enum { TS_COLOR_NONE, TS_COLOR_256, TS_COLOR_FULL } ts_color;

// Grids side by side with titles (NULL: none), as text for a terminal of `columns` columns. Yours to free().
char *ts_draw(const ts_grid *grids, const char *const *titles, int count, ts_color color, int columns);
char *ts_draw_task(const ts_task *task, ts_color color, int columns);
bool ts_png_task(const ts_task *task, const char *path, ts_status *status);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
