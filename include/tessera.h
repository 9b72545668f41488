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

// The version is said here and nowhere else: the build, the package and the pages take it from this line. The
// second number is that of the shared library, libtessera.so.N. It is raised where a program that was linked
// with an earlier one would not run with this.
#define TS_VERSION "0.4.0"
#define TS_ABI 2

// The version of the library that is there when the program runs, which need not be that of the header.
const char *ts_version(void);

// ---- Errors: a code, a message, and where ----

typedef enum {
    TS_OK,
    TS_USAGE,  // a call or a command line is wrong
    TS_INPUT,  // a file or text says something it may not say
    TS_SYSTEM, // a file cannot be opened, memory has run out
} ts_code;

// What is wrong with the text of a program.
typedef enum {
    TS_PROBLEM_OTHER,
    TS_PROBLEM_SYNTAX,   // no Python
    TS_PROBLEM_NAME,     // a name that stands for nothing here
    TS_PROBLEM_ARGUMENT, // too many, too few, or one that cannot be
    TS_PROBLEM_TYPE,     // a value of another kind is wanted
    TS_PROBLEM_UNSAID,   // Python, but the language has nothing like it
    TS_PROBLEM_LIMIT,    // too long, too deep, too large
    TS_PROBLEM_KINDS
} ts_problem;

typedef struct ts_status {
    ts_code code;
    int line, column; // from 1; 0 where there is none
    char file[256];   // "" where there is none
    char message[512];
    char excerpt[256]; // the line of text concerned, "" where there is none
    int caret;         // where in the excerpt, from 0
    ts_problem kind;
    int length; // bytes of the text from there on that are meant; 0: not known
    int remedy; // where in the message what to write instead begins; 0: it does not say
} ts_status;

// Called for each problem of a reader that goes on after one. May be NULL.
typedef void ts_report(void *user, const ts_status *problem);

const char *ts_problem_name(ts_problem kind); // "syntax", "name", …
// Problems as JSON: [{"kind": , "line": , "column": , "length": , "message": , "remedy": , "excerpt": }], the
// message without the remedy; what is not known is left out. To be freed; NULL where memory is short.
char *ts_problems_json(const ts_status *problems, size_t count);

// ---- Stopping ----

// A flag that ends work early. All zero it is not set; it may be set at any moment, from another thread or in
// a signal handler, and lives as long as the work. Only to be touched through these.
typedef struct ts_stop {
    bool set;
} ts_stop;

void ts_stop_set(ts_stop *stop, bool set);
bool ts_stop_is_set(const ts_stop *stop); // NULL never is

// ---- Grids ----

#define TS_MOST_SIDE 127  // the most rows or columns that a grid of a task may have, and so an answer
#define TS_KAGGLE_SIDE 30 // the most that ARC's own tasks have, and Kaggle takes

typedef struct ts_grid {
    int height, width;
    const signed char *cells; // row by row
} ts_grid;

bool ts_grid_equal(ts_grid a, ts_grid b);
// How many cells of a grid are not as in the one that is wanted; -1 where their shapes differ.
int ts_grid_off(ts_grid grid, ts_grid wanted);

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
// The union of what several paths have, in this order. A task that is there again with the same samples is
// one; under one id two that differ are a problem, in which the first one stays. `split` is for the paths
// that have parts.
ts_tasks *ts_tasks_read_all(const char *const *paths, size_t count, const char *split, bool keep_going,
                            ts_report *report, void *user, ts_status *status);
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
    bool dialect;              // in the dialect of solve(S, I, C) only, not in arc-dsl
    bool ours;                 // a coarse step of the search, in no other dialect of the language
    bool added;                // registered with ts_primitive_add
} ts_op;

size_t ts_ops_count(void);
ts_op ts_ops_at(size_t index);
ptrdiff_t ts_ops_find(const char *name);            // by its name or an alias; -1 where there is none
const char *ts_ops_alias(size_t index, size_t nth); // another name of a primitive, NULL after the last
const char *ts_ops_nearest(const char *name);       // the name spelt most like this, NULL where none is

// The public language on one card for the prompt of a model: grammar, types, constants and all its primitives
// in at most 8,192 bytes. And the whole language as docs/LANGUAGE.md has it, in Markdown. To be freed; NULL
// where memory is short.
char *ts_ops_prompt(void);
char *ts_ops_markdown(void);

// What the parameters of coarse primitives take, in words: the manual of a word (REGIONS) or a shape (Which,
// as types of parameters name it), of all shapes where name is NULL; empty where there is none such. To be
// freed; NULL where memory is short.
char *ts_words_print(const char *name);
char *ts_words_json(void); // all of it: [{"shape": , "doc": , "forms": [{"word": , "form": , "says": }]}]

// ---- Programs ----

typedef struct ts_programs ts_programs;

ts_programs *ts_programs_new(void);
void ts_programs_free(ts_programs *programs);
// Add the programs of a text or file: lines of calls, or Python as models write it, which becomes that. Bad
// ones are reported, each with all its problems, and left out; with strict none is added from the first on.
// Returns true if there was no problem; else *status holds the first.
bool ts_programs_add_text(ts_programs *programs, const char *name, const char *text, size_t length,
                          bool strict, ts_report *report, void *user, ts_status *status);
bool ts_programs_add_file(ts_programs *programs, const char *path, bool strict, ts_report *report, void *user,
                          ts_status *status);
size_t ts_programs_count(const ts_programs *programs);
const char *ts_programs_name(const ts_programs *programs, size_t index);
ptrdiff_t ts_programs_find(const ts_programs *programs, const char *name); // -1 where there is none
size_t ts_programs_lines(const ts_programs *programs, size_t index);       // of the program in canonical form
// Whether a search has found it. What is read from a text counts as written by a person, until this is set;
// programs of a pool have it by their origin. `solve` trusts both as far as either was right on training
// tasks.
bool ts_programs_found(const ts_programs *programs, size_t index);
void ts_programs_set_found(ts_programs *programs, size_t index, bool found);
// The program in canonical form. The text is yours to free().
char *ts_programs_print(const ts_programs *programs, size_t index);
// The same in the dialect of solve(S, I, C), for the Python that dialect comes from. NULL, with *status,
// where the dialect has no words for it; its line is that of the text that the program was read from.
char *ts_programs_print_dialect(const ts_programs *programs, size_t index, ts_status *status);
// What the program does, in a few sentences of plain English on one line; of a long program in part, which is
// said. Not enough for running it again: for a person who reads it. The text is yours to free(); NULL where
// memory is short.
char *ts_programs_tell(const ts_programs *programs, size_t index);
// The same of the first program of a text. NULL where there is none or memory is short.
char *ts_tell(const char *text);

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
    TS_FAIL_FOREIGN,  // a primitive of your own says so; see ts_engine_message
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
// Once the flag is set evaluations fail soon, with TS_FAIL_BUDGET: what came out after that counts for
// nothing. NULL: never.
void ts_engine_set_stop(ts_engine *engine, const ts_stop *stop);

typedef struct ts_result {
    ts_value value;
    ts_failure failure; // TS_FAIL_NONE where the value counts
    int line;           // line of the text that failed, 0 where none did
    uint64_t units;     // work done
} ts_result;

// Runs a program on an input grid. Values of an earlier evaluation are gone.
ts_result ts_run(ts_engine *engine, const ts_programs *programs, size_t index, ts_grid input);
// Whether memory has ended in an evaluation since this was last asked: the machine's, and not what an engine
// may take. Then the failure says nothing of the program.
bool ts_engine_starved(ts_engine *engine);
// As ts_run on sample `sample` of a task: programs that take S get the demos.
ts_result ts_run_sample(ts_engine *engine, const ts_programs *programs, size_t index, const ts_task *task,
                        int sample);
// As ts_run with S, the demos of a task, and C: what a differ takes to compare I with C.
ts_result ts_run_differ(ts_engine *engine, const ts_programs *differs, size_t index, const ts_task *task,
                        ts_grid input, ts_grid expected);

// A line of a program in canonical form, and what it gave.
typedef struct ts_trace_line {
    int number, count;  // from 1, of so many; the last gives the program's result
    const char *text;   // as it prints: "x1 = vmirror(I)"; until the visit is over
    ts_value value;     // until the engine's next evaluation
    ts_failure failure; // TS_FAIL_NONE where the value counts
    int source;         // line of the text that the program was read from
    uint64_t units;     // work done in this line; 0 where it was not run
} ts_trace_line;

typedef bool ts_trace_visit(void *user, const ts_trace_line *line); // false: no more lines
// Runs a program and visits each line in order, with S the demos of a task (NULL: none), I the input and C
// (NULL: None). A line that needs one that failed is not run and fails like it; others are run all the same,
// until the units of the engine are spent. What comes back is what ts_run gives; where the visitor ended it,
// what the lines up to there gave. The visitor may not evaluate with this engine.
ts_result ts_trace(ts_engine *engine, const ts_programs *programs, size_t index, const ts_task *task,
                   ts_grid input, const ts_grid *expected, ts_trace_visit *visit, void *user);

// Evaluates one expression. False, with *status, where the text is no expression.
bool ts_eval(ts_engine *engine, const char *text, size_t length, ts_result *result, ts_status *status);

// What is wrong with a program on an input, for people and models: why it failed, or how what it gave differs
// from what is wanted.
typedef struct ts_fault {
    ts_failure failure;    // TS_FAIL_NONE: it gave something that is not right
    const char *kind;      // ts_failure_name, or "no grid", "shape", "cells"
    int line;              // of the text, 0 where there is none
    int number;            // of the program's line, as ts_trace counts them; 0 where there is none
    const char *primitive; // that failed, perhaps in a function that the line calls; NULL: none
    int argument;          // of it that is to blame, from 1; 0: none alone
    char given[128];       // that argument in words, "a set of 7 objects"; "" where there is none
    char message[512];     // "argument 1 of vmirror wants a Grid, x1 is a set of 7 objects"
    char remedy[256];      // what could be done about it; "" where that is not clear
    // Of a grid that is not right: its shape, that of the grid wanted, and how many cells differ; -1 where
    // the shapes do.
    int height, width, wanted_height, wanted_width, off;
} ts_fault;

// Runs a program as ts_trace does, and explains what is wrong with it; `wanted` may be NULL: then only a
// failure is, and what is no grid. False where nothing is wrong. It costs some runs of the program: nothing
// is noted while programs run that this needs.
bool ts_explain(ts_engine *engine, const ts_programs *programs, size_t index, const ts_task *task,
                ts_grid input, const ts_grid *wanted, ts_fault *fault);
// The same of one expression that fails. False where it does not, or is none.
bool ts_explain_eval(ts_engine *engine, const char *text, size_t length, ts_fault *fault);
// As JSON: {"kind": , "line": , "primitive": , "argument": , "given": , "message": , "remedy": }; what there
// is not is left out. Of a grid "height", "width", "wanted_height", "wanted_width" and "off". To be freed.
char *ts_fault_json(const ts_fault *fault);

bool ts_value_is_grid(ts_value value);
ts_grid ts_value_grid(ts_value value); // of a value that is a grid
bool ts_value_equal(ts_value a, ts_value b);
char *ts_value_print(ts_value value); // as a literal; the text is yours to free()
// The same for people: about `most` bytes of it, and where that is not all " … 12,345 more elements". A value
// may hold one part so often that its whole text would fill the memory. *whole, unless NULL, says whether it
// is all.
char *ts_value_print_some(ts_value value, size_t most, bool *whole);
// In a few words: "a set of 7 objects", "a grid of 3 × 4", "the number 143". The text is yours to free().
char *ts_value_describe(ts_value value);
uint64_t ts_value_hash(ts_value value);

// ---- Values of a caller's own, and primitives called with them ----

// Where values are made: for an engine's see ts_call_begin. A value that could not be made, for want of
// memory or because it nests too deeply, is the caller's no more than any other failure: the call says so.
typedef struct Ctx ts_context;

// Begins a call: values of an earlier evaluation are gone. What is made from here on costs no units.
ts_context *ts_call_begin(ts_engine *engine);
ts_value ts_make_none(void);
ts_value ts_make_int(ts_context *context, int64_t n);
ts_value ts_make_tuple(ts_context *context, const ts_value *items, size_t count);
ts_value ts_make_set(ts_context *context, ts_value *items, size_t count); // changes the order of the items
bool ts_make_word(const char *name, ts_value *word);                      // false where there is none such
ts_value ts_make_op(size_t index);
// What compose, rbind, … make of as many parts as they take. Fails as they do.
ts_value ts_make_function(ts_context *context, size_t index, const ts_value *parts);
// A function that only the caller knows, by a number, and of so many arguments: values may hold it, and the
// engine calls it where it has to (see ts_call). Where nobody is there for it that fails with TS_FAIL_TYPE.
ts_value ts_make_handle(ts_context *context, int64_t n, int arity);

// What calls such functions: makes the result in the context, or says how it failed. It may not use this
// engine.
typedef ts_failure ts_call_handle(void *user, ts_context *context, int64_t n, const ts_value *arguments,
                                  size_t count, ts_value *result);
// Calls a function, such as ts_make_op gives. Without handles in what it is given, `handles` may be NULL;
// with it, everything is done on the plain paths, element after element.
ts_result ts_call(ts_engine *engine, ts_value function, const ts_value *arguments, size_t count,
                  ts_call_handle *handles, void *user);

typedef enum {
    TS_KIND_NONE,
    TS_KIND_INT,
    TS_KIND_TUPLE,
    TS_KIND_SET,
    TS_KIND_WORD,
    TS_KIND_FUNCTION, // a primitive, or one that is made of parts
    TS_KIND_HANDLE
} ts_kind;
ts_kind ts_value_kind(ts_value value);
int64_t ts_value_int(ts_value value);      // an integer, or the number of a handle; else 0
const char *ts_value_name(ts_value value); // of a word
size_t ts_value_op(ts_value value);        // of a function: the primitive that it is, or was made by
size_t ts_value_length(ts_value value);    // elements of a tuple or a set; parts of a function
// Of these; those of a set are sorted. Fails where there are not so many.
ts_value ts_value_at(ts_context *context, ts_value value, size_t k);

// The names of the language that are values: constants such as UNITY or NEG_ONE, then the words of coarse
// primitives. NULL after the last.
const char *ts_constant(size_t index, ts_value *value);

// ---- Primitives of your own ----

// A function that is called as a primitive. Its arguments are as many as declared and of the types declared;
// else the primitive fails without a call. What it gives is made in the context, an argument or a part of
// one. It is called by any thread of any evaluation, by several at once, and gives the same for the same
// arguments each time. All that is made in this context is charged. A failure sticks: whatever is made after
// it is a failed value, and what the function returns counts for nothing; so it need not look after each
// step.
typedef ts_value ts_primitive_call(ts_context *context, const ts_value *arguments, void *user);

ts_value ts_make_grid(ts_context *context, ts_grid grid); // the cells are copied
// Calls a function that was passed, as a primitive of the language would.
ts_value ts_context_call(ts_context *context, ts_value function, const ts_value *arguments, size_t count);
// Work beside what is made: a unit is about a nanosecond. False where no more may be done.
bool ts_context_charge(ts_context *context, uint64_t units);
// Fails, with a text of which the first 500 bytes are kept.
ts_value ts_context_fail(ts_context *context, const char *message);
// Fails in another way: with TS_FAIL_BUDGET the evaluation ends, whatever may fail in it.
ts_value ts_context_fail_as(ts_context *context, ts_failure kind);
ts_failure ts_context_failure(const ts_context *context); // TS_FAIL_NONE while all is well

#define TS_MOST_PRIMITIVES 64

typedef struct ts_primitive {
    const char *name; // of up to 31 letters, digits and '_'
    int arity;        // 1 to 4
    // Types are those of `tessera ops` but for shapes: Grid, Integer, Boolean, IntegerTuple, Indices, Object,
    // Patch, Objects, Tuple, FrozenSet, Callable, Any, …
    const char *parameters[4]; // NULL: a, b, c, d. Mutation and search go by names such as color
    const char *types[4], *result;
    const char *doc, *example; // NULL: none
    ts_primitive_call *call;
    void *user;
    uint64_t units; // of a call, beside those for arguments and result; 0: 100
    int cost; // of a line in the search, small ones are tried first; 0: by its types; below 0: no such line
    bool forgetful; // each call is made; else what was given for the same arguments is given again, for some
                    // MiB
} ts_primitive;

// Registers a primitive for all that is read and searched in this process from now on, by any thread; texts
// are copied. It stays to the end of the process, and so must what `call` and `user` point to. False, with
// *status, where something of it may not be so, the name is taken, or there are TS_MOST_PRIMITIVES.
bool ts_primitive_add(const ts_primitive *primitive, ts_status *status);
// Forgets what a primitive gave so far, where it would give something else now.
void ts_primitive_forget(const char *name);
// What such a primitive said as it failed the last evaluation of an engine, with its name; until the next
// evaluation. NULL where it failed in another way, or not.
const char *ts_engine_message(const ts_engine *engine);

// Checks lines `expression => value` (programs NULL) or `name INPUT => OUTPUT`; '!' stands for a failure,
// lines that start with '#' and blank ones are passed over. Each mismatch is reported. False where a line
// cannot be read, or the engine is starved.
typedef struct ts_check_result {
    size_t passed, failed;
} ts_check_result;
bool ts_check(ts_engine *engine, const ts_programs *programs, const char *name, const char *text,
              size_t length, ts_report *report, void *user, ts_check_result *result);

// Times primitive `index` for so many seconds on arguments that the seed decides.
typedef struct ts_op_time {
    double ns;       // per call, of the fastest round
    double units;    // per call, as a line of a program is charged
    size_t calls;    // different sets of arguments
    size_t failures; // sets on which the primitive fails
    uint64_t hash;   // over all results
} ts_op_time;
ts_op_time ts_bench_op(ts_engine *engine, size_t index, uint64_t seed, double seconds);

// ---- Pool ----

// The store of programs and of how they do on tasks: one file, which several processes may use at once. What
// was committed survives the end of the process at any moment. A pool is used by one thread at a time.
typedef struct ts_pool ts_pool;

typedef enum {
    TS_POOL_READ,   // a pool that is there, perhaps one that may not be written
    TS_POOL_WRITE,  // a pool that is there
    TS_POOL_CREATE, // made where there is none
} ts_pool_mode;

ts_pool *ts_pool_open(const char *path, ts_pool_mode mode, ts_status *status);
void ts_pool_close(ts_pool *pool);
// Each task keeps the best `most` programs that do not solve it (20), none of more than so many lines (60).
void ts_pool_set_near(ts_pool *pool, size_t most, size_t lines);

// All that is added between begin and commit is there together or not at all. Begin waits for other processes
// that write. After a failure of anything in between, roll back. Without begin each call is by itself.
bool ts_pool_begin(ts_pool *pool, ts_status *status);
bool ts_pool_commit(ts_pool *pool, ts_status *status);
void ts_pool_rollback(ts_pool *pool);

typedef struct ts_pool_facts {
    const char *origin; // where it came from: "import solvers.py", "mutation of …"
    uint64_t units;     // its cost: the largest over the samples it was checked on
    uint64_t round;     // of the search that made it, 0 for none
    bool pinned;        // stays without a score, until it is pruned
    const char *name;   // that it is stored under; NULL: its own
} ts_pool_facts;

// The hash of the canonical text, whatever the program's name. False where memory is short.
bool ts_programs_hash(const ts_programs *programs, size_t index, char hash[17]);
bool ts_programs_key(const ts_programs *programs, size_t index, uint64_t *key); // the same as a number
// Stores a program, unless it is there already. Its scores come in the same transaction.
bool ts_pool_add_program(ts_pool *pool, const ts_programs *programs, size_t index, const ts_pool_facts *facts,
                         char hash[17], bool *is_new, ts_status *status);

// Demos of a task that are told apart; of more, the first.
#define TS_POOL_DEMOS 31

typedef struct ts_pool_score {
    int demos_right, demos, tests_right, tests;
    int64_t score; // 0 to 1000 for each demo
    uint64_t units;
    uint64_t behaviour;             // ts_grid_digest of what it gives on the demos; 0: not known
    uint64_t answers;               // the same of what it gives for the tests' inputs
    bool each;                      // the next two are known
    uint32_t right_on;              // bit k: right on demo k
    uint16_t points[TS_POOL_DEMOS]; // what each demo has of the score
    // That a program which solves the task is right on its tests, by what else solves it: where scores are
    // read (see ts_pool_query), 0 for others. It is not stored.
    double confidence;
} ts_pool_score;

// A digest of grids, the same in every build, for files to keep: starts as 0, takes one grid after the other,
// where there is none one of height 0, and is never 0 again.
uint64_t ts_grid_digest(uint64_t digest, ts_grid grid);

// Stores how a program does on a task; it solves the task if it is right on all demos. What was known of the
// two and is not given now stays known. A score that is not among those kept for the task goes, with *kept
// false, and with its last score a program that is not pinned. Of those that do not solve the task the best
// few are kept (see ts_pool_set_near), and of several with the same behaviour the shortest alone.
bool ts_pool_add_score(ts_pool *pool, const char *hash, const char *task, const ts_pool_score *score,
                       bool *kept, ts_status *status);
// Whether a program that does not solve the task would be kept with this score and so many lines: a hint that
// costs nothing, to ask before a program is worked out. It knows what others wrote up to the last begin.
bool ts_pool_wants(ts_pool *pool, const char *task, int64_t score, size_t lines);
// Whether a program that does not solve the task, is kept for it and has no more lines behaves like this: a
// hint as well.
bool ts_pool_has_behaviour(ts_pool *pool, const char *task, uint64_t behaviour, size_t lines);

// What was tried already. A pool remembers the programs that were dealt by the hash of their canonical text
// (ts_programs_key), the last 4 million or as many as it is told to; the oldest go first, in portions.
void ts_pool_set_dealt(ts_pool *pool, size_t most);
// Whether it was dealt: a hint that costs nothing, which knows what others wrote up to the last begin.
bool ts_pool_was_dealt(ts_pool *pool, uint64_t key);
// Notes programs as dealt. known[k], unless NULL: whether it had been noted, or stands among those before it.
bool ts_pool_dealt(ts_pool *pool, const uint64_t *keys, size_t count, bool *known, ts_status *status);

// What the pool knows of a program, with the score it is best at. Its texts belong to the view.
typedef struct ts_pool_entry {
    int64_t id; // grows with each program that is stored
    char hash[17];
    const char *name, *origin; // the name it had when it was stored
    const char *text;          // as stored; see ts_pool_read
    size_t size;               // lines
    uint64_t units, round;
    int64_t made; // seconds since 1970
    bool pinned;
    size_t wins;      // tasks that it solves
    const char *task; // NULL without a score
    ts_pool_score score;
    ptrdiff_t program; // its place in the view's programs; below zero while it is not read, or not readable
} ts_pool_entry;

// Starts as {0}.
typedef struct ts_pool_view {
    ts_pool_entry *entries;
    size_t count, room;
    int64_t last;          // the largest id seen
    ts_programs *programs; // those that were read, with names solve_HASH_TASK
} ts_pool_view;

typedef struct ts_pool_query {
    const char *task; // only programs with a score for this task, and that score; NULL: for all
    const char *hash; // only those whose hash begins so; NULL: all
    bool solved;      // only those that solve the task, or any
    bool best_first;  // what solves a task, the most trusted first, then what comes near; else as they came
    size_t limit;     // 0: all
    bool confidence;  // work out the confidence of scores, as best_first does
} ts_pool_query;

// Adds to the view what came since it was last loaded (query NULL: of all programs).
bool ts_pool_load(ts_pool *pool, const ts_pool_query *query, ts_pool_view *view, ts_status *status);
// Reads the programs of these entries (which NULL: of all) that were not read before. What cannot be read is
// reported and has no program.
bool ts_pool_read(ts_pool *pool, ts_pool_view *view, const size_t *which, size_t count, ts_report *report,
                  void *user, ts_status *status);
void ts_pool_view_free(ts_pool_view *view);

// All scores of a program, the best first.
typedef void ts_pool_visit_score(void *user, const char *task, const ts_pool_score *score);
bool ts_pool_scores(ts_pool *pool, const char *hash, ts_pool_visit_score *visit, void *user,
                    ts_status *status);

// What the pool has for each task, in the order of the ids.
typedef struct ts_pool_task {
    const char *id;
    size_t winners, near; // programs that solve it, and others with a score
    bool correct;         // a winner is right on the tests too
    int64_t best;         // score
    int demos;
    size_t shortest; // lines of the shortest winner, 0 where there is none
} ts_pool_task;
typedef void ts_pool_visit_task(void *user, const ts_pool_task *task);
bool ts_pool_tasks(ts_pool *pool, ts_pool_visit_task *visit, void *user, ts_status *status);

typedef struct ts_pool_counts {
    size_t programs, winners, near, unscored; // winners solve a task, near-winners have scores only
    uint64_t bytes;
    size_t dealt; // programs that are remembered as dealt
} ts_pool_counts;
bool ts_pool_count(ts_pool *pool, ts_pool_counts *counts, ts_status *status);

// Drops scores, and programs that lose their last one. Below zero: no limit.
typedef struct ts_pool_cut {
    int64_t winners; // for each task keep the shortest
    int64_t near;    // and so many others
    int64_t lines;   // drop longer programs that solve nothing
    bool unscored;   // drop programs without a score
    bool dealt;      // forget what was dealt
} ts_pool_cut;
bool ts_pool_prune(ts_pool *pool, const ts_pool_cut *cut, size_t *removed, ts_status *status);

// ---- Profiles: where the time goes ----

typedef struct ts_profile ts_profile;

typedef enum {
    TS_STAGE_READ,
    TS_STAGE_GENERATE,
    TS_STAGE_RUN,
    TS_STAGE_SCORE,
    TS_STAGE_EXTRACT,
    TS_STAGE_CHECK,
    TS_STAGE_STORE,
    TS_STAGE_OTHER,
    TS_STAGES
} ts_stage;

ts_profile *ts_profile_new(void); // starts the clock, in the stage "read"
void ts_profile_free(ts_profile *profile);
// What the calling thread does from here on. Every call may be made with a profile that is NULL.
void ts_profile_stage(ts_profile *profile, ts_stage stage);
// Adds to the time of a task.
void ts_profile_task(ts_profile *profile, const char *id, double ms);
// A point of the curve of a search: what it has solved and tried by now, against the core-seconds of the
// process since the profile was made. By one thread at a time; of many points some hundred are kept, the last
// in any case.
void ts_profile_point(ts_profile *profile, uint64_t solved, uint64_t programs);
// Stops the clock and gives the report as JSON, yours to free(); NULL where memory is short.
char *ts_profile_report(ts_profile *profile, const char *command);
void ts_engine_set_profile(ts_engine *engine, ts_profile *profile); // NULL: off
// A report as a table for people: a task that takes over `outlier` times the median is one, left out of the
// averages if so said. `name` is for messages. Yours to free(); NULL, with *status, where the text is no
// report.
char *ts_profile_print(const char *name, const char *report, size_t length, double outlier,
                       bool without_outliers, ts_status *status);

// ---- Batteries: many programs as one graph, on every sample of every task ----

typedef struct ts_battery ts_battery;

typedef struct ts_battery_options { // all zero is a good choice
    int threads;                    // 0: one for each processor
    int chunk;                      // tasks that are run side by side; 0: chosen by the size of the battery
    uint64_t units;                 // that a program may spend on a sample; 0: TS_BATTERY_UNITS
    uint64_t lane_units;            // that all programs together may spend on a sample; 0: no limit
    double lane_seconds;            // the same by the clock, as a last resort; 0: no limit
    double deadline;                // seconds from the start of a run by the clock; 0: none
    const ts_stop *stop;            // set at any moment to end a run early; may be NULL
    bool full;                      // go on with what has missed a demo
    bool hopeful;                   // without differs and `full`: leave out what cannot be right. See below
    int top;                        // candidates to keep for each task, the best first
    const ts_programs *differs;     // score candidates with these; NULL: only by what is right. See below
    bool scores;                    // with differs: score what the programs give, for ts_battery_scores
    ts_profile *profile;            // NULL: off
    bool plain, no_text_sharing;    // for measuring
} ts_battery_options;

#define TS_BATTERY_UNITS 250000

// Hopeful is for whoever wants to know what is right, and nothing else. What is seen to be wrong on the first
// demo before it is run, by its size or by the colours that it paints, is not run: a program that ends so has
// no outcome (TS_NOT_RUN), where it would be wrong or fail. Candidates are the lines that are grids by their
// types and right on the first demo; where a task has no demos, all that give grids.

// Merges the programs. They, and the differs, must outlive the battery.
ts_battery *ts_battery_new(const ts_programs *programs, const ts_battery_options *options, ts_status *status);
void ts_battery_free(ts_battery *battery);

typedef bool ts_progress(void *user, size_t done, size_t all); // from any thread, one at a time; false: stop
// Runs it. What came out stays with the battery until the next run. Stopped by `progress`, the deadline, or
// the flag in the middle of a program, the tasks that were not through have no lanes, and the result is true.
bool ts_battery_run(ts_battery *battery, const ts_task *const *tasks, size_t count, ts_progress *progress,
                    void *user, ts_status *status);

typedef struct ts_battery_counts {
    size_t programs, lines, nodes; // lines of all programs; nodes that they share
    size_t tasks, lanes;           // lanes: samples that were run
    uint64_t evaluated, shared, skipped;
    uint64_t failures[TS_FAIL_KINDS]; // of programs on samples
    uint64_t candidates, distinct;    // nodes that gave grids; different ones
    size_t solved, correct;           // tasks with a candidate right on all demos; on all tests, too
    size_t over;                      // lanes that spent lane_units or lane_seconds
    double merge_ms, run_ms, score_ms;
} ts_battery_counts;
ts_battery_counts ts_battery_count(const ts_battery *battery);

typedef struct ts_candidate {
    uint32_t node;               // names it within the battery
    uint32_t program;            // one that has it among its lines
    uint32_t lines;              // of the program that it is, cut out
    uint32_t agreeing;           // nodes that gave the same
    uint32_t demos_right, demos; // demos it was run on
    uint32_t tests_right;        // of the tests
    int32_t score;               // 0 (no better than the input) to 1000 (right) for each demo, summed up
    uint64_t outputs;            // hash over all grids that it gave
    uint32_t whole;              // plus one: the first program that gives it as its result; 0: none does
} ts_candidate;

typedef struct ts_task_result {
    const ts_task *task;
    bool solved, correct;
    size_t candidates, distinct;
    const ts_candidate *top; // the best first
    size_t top_count;
    int lanes, over; // samples that were run; that ran out
    double ms;       // share of the time; with a profile, of a processor's
} ts_task_result;
ts_task_result ts_battery_task(const ts_battery *battery, size_t task);

typedef enum { TS_NOT_RUN, TS_RIGHT, TS_WRONG, TS_UNKNOWN, TS_FAILED } ts_outcome;
ts_outcome ts_battery_outcome(const ts_battery *battery, size_t program, size_t task, int sample,
                              ts_failure *failure);
// The same for all programs: [sample * programs + program], a ts_outcome in the low three bits, the
// ts_failure above them.
const uint8_t *ts_battery_outcomes(const ts_battery *battery, size_t task);
// Their scores: [demo * programs + program], 0 to 1000, and 0 where nothing was run. NULL where the options
// did not ask for them.
const int16_t *ts_battery_scores(const ts_battery *battery, size_t task);
// Cuts a candidate out with only the lines that it needs, prints it, and reads the text into a set under this
// name. False where memory is short.
bool ts_battery_cut(ts_battery *battery, uint32_t node, const char *name, ts_programs *into,
                    ts_status *status);

// The bundled differs: programs (S, I, C) that compare a grid I with the right one C and give (score,
// detail).
bool ts_differs_bundled(ts_programs *into, ts_status *status);
// Adds the differs of a user's text or file, and tries each: one that cannot give (score, detail) by its
// types, gives something else for a pair of small grids, or fails for all of them, is an error with its name
// and place. Then nothing is to be scored with the set: a differ that was not tried counts as 0 wherever it
// gives no score.
bool ts_differs_add_text(ts_programs *into, const char *name, const char *text, size_t length,
                         ts_status *status);
bool ts_differs_add_file(ts_programs *into, const char *path, ts_status *status);

// ---- Judging: texts of programs, each on the samples of its task ----

// A judge reads the text of a program, runs it and says what came out, in the same numbers as a battery. The
// text may be anything, from anybody: nothing it says can hang the judge, reach beyond it, or take more than
// its units and memory. Used by one thread at a time; each thread may have its own.
typedef struct ts_judge ts_judge;

typedef struct ts_judge_options { // all zero is a good choice
    uint64_t units;               // that a program may spend on a sample; 0: TS_BATTERY_UNITS
    size_t memory;                // bytes that it may take meanwhile, behind the units; 0: 64 MiB
    bool tests;                   // run it on the tests, too
    bool no_scores;               // only what is right scores
    bool outputs;                 // ts_judge_lines: the grids of every line
    bool errors;                  // ts_judge_lines: what is wrong with every program, as ts_judge_explain
    const ts_stop *stop;          // set from outside to end a block early; may be NULL
} ts_judge_options;

ts_judge *ts_judge_new(const ts_judge_options *options, ts_status *status); // NULL: no memory
void ts_judge_free(ts_judge *judge);

typedef struct ts_judge_item {
    const ts_task *task; // has to outlive the judge
    const char *text;    // exactly one program, def NAME(I): … of any name
    size_t length;
} ts_judge_item;

typedef struct ts_verdict_sample {
    ts_outcome outcome;
    ts_failure failure; // of TS_FAILED
    int line;           // of the text, where it failed
    int score;          // of a demo: 0 (no better than the input) to 1000 (right), by the bundled differs
    uint64_t units;
    ts_grid output; // what it gave; height 0: no grid; cells NULL: too large for an answer
} ts_verdict_sample;

typedef struct ts_verdict {
    const ts_status *problem;         // why the text cannot be read, and nothing else counts; NULL: it can
    const ts_verdict_sample *samples; // the demos, then the tests if they were asked for
    int demos, demos_right, tests, tests_right;
    int64_t score;  // of the demos, summed up
    uint64_t units; // of all samples
} ts_verdict;

// Judges a block of texts: some hundred at a time are as fast as any number. What comes of them belongs to
// the judge until the next block. False where memory is short, or it was stopped.
bool ts_judge_run(ts_judge *judge, const ts_judge_item *items, size_t count, ts_status *status);
ts_verdict ts_judge_at(const ts_judge *judge, size_t index);

// What is wrong with a text, for whoever is to mend it: {"errors": […], "prompt": TEXT}. An error has a
// "stage", and is of its reader ("read", as ts_problems_json), a failure ("run", as ts_fault_json, with
// "demo" or "test") or a result that is not right ("answer"). The prompt says it all in one text; it is empty
// where nothing is wrong. The text is read and run again for it. To be freed; NULL where memory is short.
char *ts_judge_explain(ts_judge *judge, const ts_judge_item *item);

// The same for lines of JSON {"id": …, "task": ID, "program": TEXT}, an answer in a line of JSON each (see
// `tessera judge --help`). What is wrong with a line is its answer. Where it was stopped, the lines before
// that have answers, and the result is true.
typedef struct ts_judge_answers {
    const char *text; // belongs to the judge until the next block
    size_t length;
    size_t judged, unread; // lines: run; with something wrong
    bool stopped;          // the last ones have no answer
} ts_judge_answers;
enum { TS_JUDGE_LINE = 1 << 20 }; // bytes that a line may have
// `number` is that of the first line, for messages.
bool ts_judge_lines(ts_judge *judge, const ts_tasks *tasks, const char *lines, size_t length, uint64_t number,
                    ts_judge_answers *answers, ts_status *status);

// ---- The card: programs picked from a set and mutated ----

// Which colours occur in the inputs and in the outputs of the demos: bit n for colour n.
typedef struct ts_colors {
    uint16_t inputs, outputs;
} ts_colors;
ts_colors ts_task_colors(const ts_task *task);

typedef enum {
    TS_MUTATE_CONSTANT,  // another constant of the same kind: colour, rank, direction, …
    TS_MUTATE_COLOR,     // a colour taken from the samples
    TS_MUTATE_PRIMITIVE, // another primitive with the same types
    TS_MUTATE_ARGUMENT,  // another earlier value of the same type
    TS_MUTATE_INSERT,    // one line more
    TS_MUTATE_DROP,      // one line less
    TS_MUTATE_GRAFT,     // a part of another program
    TS_MUTATE_GROW,      // a whole expression for an argument, made up
    TS_MUTATE_CHAIN,     // what one program gives is the input of another
    TS_MUTATE_MEASURE,   // lines that work out what was a constant, or the reverse
    TS_MUTATE_CROSS,     // an argument as another program has it, of another type perhaps
    TS_MUTATE_RETYPE,    // a value of another type, where all uses take it
    TS_MUTATE_COVER,     // another program where a condition says so
    TS_MUTATIONS
} ts_mutation;
// The small changes alone, up to a part of another program.
enum { TS_MUTATIONS_CLASSIC = (1 << (TS_MUTATE_GRAFT + 1)) - 1 };
const char *ts_mutation_name(ts_mutation kind);

typedef struct ts_card_options {
    size_t count;  // programs to pick, the same one again perhaps, each then mutated
    size_t each;   // where not 0, nothing is picked: every program, followed by so many mutants of it
    bool freeze;   // no mutation; no program twice
    uint64_t seed; // the same seed, the same card
    double rate;   // probability of a mutation at each line, 0 to 1; one is made in any case
    ts_colors colors;
    unsigned kinds;      // that may be made, bit n for ts_mutation n; 0: all
    const double *worth; // factors of how often each kind is made, TS_MUTATIONS of them; NULL: 1 for all
} ts_card_options;

typedef struct ts_card ts_card;

typedef struct ts_card_entry {
    size_t parent;      // index in the source
    unsigned mutations; // 0 where it is the parent itself
    unsigned kinds;     // of these, bit n for ts_mutation n
    const char *note;   // what was changed; or why nothing was, "" where nothing was to be
} ts_card_entry;

// Every program of the card type-checks, and shares nothing with the source. A program that does not
// type-check itself is taken as it is. Weights, one for each program of the source, are not negative; NULL
// stands for equal ones. NULL on failure, with *status filled in.
ts_card *ts_card_new(const ts_programs *source, const double *weights, const ts_card_options *options,
                     ts_status *status);
// A weight for a program with this score; NULL: none is known.
double ts_card_weight(const ts_pool_score *score);
void ts_card_free(ts_card *card);
const ts_programs *ts_card_programs(const ts_card *card);
ts_card_entry ts_card_at(const ts_card *card, size_t index);
void ts_card_drop(ts_card *card, const bool *drop); // takes out the programs that are marked, one for each

typedef struct ts_card_counts {
    size_t programs, lines;
    size_t distinct;  // lines once equal ones are one
    size_t unchanged; // programs that are as in the source
    size_t mutations[TS_MUTATIONS];
} ts_card_counts;
bool ts_card_count(const ts_card *card, ts_card_counts *counts); // false where memory is short

// ---- Iterating: a pool that grows ----

// Each round picks programs of a pool by their scores, mutates them, runs them as one battery on all tasks,
// and stores what solves a task, or comes nearer to it, after running it alone. Programs of the pool without
// a score are run as they are before that; an empty pool starts from single primitives. The pool is all that
// a run leaves behind: another one on the same pool goes on from there, several at once share what they find,
// and what a round has stored is safe whenever the process ends. Used by one thread at a time.
typedef struct ts_iterate ts_iterate;

// How programs are looked for.
typedef enum ts_strategy {
    TS_EVOLVE, // mutants of winners and near-winners, and programs grown for tasks from lines of the pool's
    TS_CARDS,  // mutants alone
    TS_BLIND,  // one classic mutation of a program that was there at the start, whatever came of others
} ts_strategy;

typedef struct ts_iterate_options { // all zero is a good choice
    ts_strategy strategy;
    size_t programs;            // in a round; 0: 32
    double rate;                // probability of a mutation at each line beside the first, 0 to 1
    uint64_t seed;              // the same seed on the same pool, the same programs
    uint64_t units;             // that a program may spend on a sample; 0: TS_BATTERY_UNITS
    int threads;                // 0: one for each processor
    const ts_programs *differs; // score with these; NULL: with the bundled ones
    const char *evolve_differs; // a file: the differs evolve, and those in use are there; NULL: they stay
    int slots; // rounds under way at once: a round knows what all but so many before it have brought; 0: 1
    const ts_stop *stop; // set at any moment, from any thread or a signal, to end a run; may be NULL
    ts_profile *profile; // NULL: off
    ts_report *report;   // called for programs of the pool that cannot be read, and such; may be NULL
    void *user;          // of the report
} ts_iterate_options;

// The pool, which nobody else may use meanwhile, the tasks and what the options name must outlive it. NULL,
// with *status, where the pool cannot be read or written.
ts_iterate *ts_iterate_new(ts_pool *pool, const ts_task *const *tasks, size_t count,
                           const ts_iterate_options *options, ts_status *status);
void ts_iterate_free(ts_iterate *iterate);

typedef struct ts_iterate_counts {
    uint64_t rounds;
    double seconds;                // by the clock, in runs
    size_t tried;                  // programs, on all tasks
    uint64_t grown;                // programs that growth has tried, each on one task
    size_t winners, near;          // stored that were new: those that solve a task, others
    size_t held;                   // programs that the pool has, as far as is known
    size_t tasks, solved, correct; // solved on all demos by a program of the pool, right on the tests, too
    int64_t score, most;           // the best scores of all tasks summed up, and what that can be
} ts_iterate_counts;

typedef bool ts_iterate_watch(void *user, const ts_iterate_counts *counts); // after each round; false: stop
// Makes so many rounds more, within so many seconds by the clock; 0: no limit, but there are `watch`, which
// may be NULL, and the flag. Once the flag is set, or the time is over, the round under way ends early, in
// the middle of a program if need be, and what it has by then is stored. False, with *status, where the pool
// cannot be written or memory is short: then the round has stored nothing, and it may be run again.
bool ts_iterate_run(ts_iterate *iterate, uint64_t rounds, double seconds, ts_iterate_watch *watch, void *user,
                    ts_status *status);
ts_iterate_counts ts_iterate_count(const ts_iterate *iterate);

// The same with the rounds done elsewhere (see "Work done elsewhere"): so many of them, of the options'
// `slots` at a time, are given out as orders. Results may come in any order; they are merged in that of the
// rounds. ts_iterate_begin says how many rounds more there are to be, and for how long.
bool ts_iterate_begin(ts_iterate *iterate, uint64_t rounds, double seconds, ts_status *status);
// The next round, to be freed, with its number. NULL, *status saying nothing, where there is none now.
char *ts_iterate_give(ts_iterate *iterate, uint64_t *number, ts_status *status);
char *ts_iterate_stock(const ts_iterate *iterate); // to be freed; NULL where memory is short
// Takes a result, and stores what it and those that waited for it have brought, if it is its turn. False,
// with *status, where it is no result of that round, which is then given out again; or, the code being
// TS_SYSTEM, where the pool cannot be written.
bool ts_iterate_take(ts_iterate *iterate, uint64_t number, const char *result, size_t length,
                     ts_status *status);
// Says that a round will have no result. It is given out again, as the same order, and three times at most.
// False where that was the third time, or `for_good` says that it is to be the last: *status names the round
// and why, and it counts as one that found nothing.
bool ts_iterate_lose(ts_iterate *iterate, uint64_t number, const char *why, bool for_good, ts_status *status);
// Nothing to wait for; also when it is stopped or out of time.
bool ts_iterate_is_over(const ts_iterate *iterate);
// Ends it as ts_iterate_run does.
bool ts_iterate_end(ts_iterate *iterate, ts_status *status);

// What the pool has for a task, by its place: what it had at the start and what was stored since.
typedef struct ts_iterate_found {
    size_t winners; // programs that solve it
    bool correct;   // one of them is right on the tests, too
    int64_t score;  // the best, 0 to 1000 for each demo
} ts_iterate_found;
ts_iterate_found ts_iterate_at(const ts_iterate *iterate, size_t task);

// Differs that evolve. Every 64 rounds they are mutated, and those stay whose scores best foretell which
// parents have winning children: a differ, or a set of them, is worth the share of pairs in which the parent
// of a winner, not solving the task itself, has a better score for it than another parent of that round, a
// tie counting half. 0.5 is no better than chance. A set that proves better by cases that it was not picked
// by is used from then on. The file holds the set in use as text, and a run on a file that is there begins
// with it.
typedef struct ts_iterate_evolved {
    size_t cases, pairs;            // winners with a parent, the last 128; pairs of these
    double worth_first, worth_used; // of the set of the options, and of that in use, by all cases
} ts_iterate_evolved;
// How many differs are held: those of the options first; 0 where they do not evolve.
size_t ts_iterate_differs(const ts_iterate *iterate, ts_iterate_evolved *evolved);
typedef struct ts_iterate_differ {
    const char *name, *text, *origin; // these belong to the loop until its next run
    double worth;                     // alone
    size_t pairs;                     // 0: not measured
    bool first, used;                 // of the options; in use
} ts_iterate_differ;
ts_iterate_differ ts_iterate_differ_at(const ts_iterate *iterate, size_t index);

// ---- Devices: other processors that do a part of the search ----

// Steps on images, of which the engine `bank` does millions, can be done by a graphics processor. Whether one
// is used, and which, changes no result. Nothing of it has to be there: the driver, OpenCL 1.2, is looked for
// when the program runs.
typedef struct ts_devices ts_devices;

// Which devices are to be used: "auto", those that are worth it as measured, once for each and kept in the
// user's cache folder; "none"; "force", all there are, for all they can do, whatever it costs; or their
// numbers with commas between, as "0" or "0,2". NULL: none, but all of them are listed, as "auto" sees them.
// Where a device cannot be had the search goes on without, and ts_devices_warning says why. NULL, with
// *status, where memory is short or the words are none of these.
ts_devices *ts_devices_open(const char *which, ts_status *status);
void ts_devices_close(ts_devices *devices); // whoever used them is done; NULL is fine

typedef struct ts_device {
    const char *backend, *name; // what drives it, and what that calls it
    bool is_processor;          // which runs this program anyway: "auto" leaves it alone
    uint64_t memory;            // bytes
    bool is_used;               // of those with NULL: "auto" would use it
    const char *why;            // it is not used; "" where it is
    bool is_measured;
    double fixed_us;   // of a wave, a call with many jobs; where it is measured
    double break_even; // the jobs from which on a wave is quicker than on the CPU; 0: it never is
} ts_device;
size_t ts_devices_count(const ts_devices *devices);
ts_device ts_devices_at(const ts_devices *devices, size_t index);
// Why none is listed, or none of those that were asked for is there; "" where there is nothing to say.
const char *ts_devices_why(const ts_devices *devices);

typedef struct ts_device_price {
    const char *function;      // a primitive on images
    double device_ns, host_ns; // for each job: on the device, 0 where it is not for it; here
    double break_even;         // as of the device, in a wave of this function alone
} ts_device_price;
// What was measured of a device for a function; false after the last one.
bool ts_devices_price(const ts_devices *devices, size_t index, size_t function, ts_device_price *price);
// Measures a device, where that is not known from an earlier time or `anew` asks for it. Takes some seconds.
// False, with *status, where it cannot be used, or gives results that are wrong; ts_devices_at then says so
// as well.
bool ts_devices_measure(ts_devices *devices, size_t index, bool anew, ts_status *status);

// What threads have had done by devices so far, to be read when they are through.
typedef struct ts_device_counts {
    uint64_t waves, jobs;          // calls; steps in them
    uint64_t left;                 // jobs that the device has left to the CPU
    uint64_t bytes_up, bytes_down; // that went to it and came from it
} ts_device_counts;
ts_device_counts ts_devices_counts(const ts_devices *devices);
// Sentences that a user should see, NULL where there are none: what was done to open them (a device was
// measured), and what is wrong (there is none of those that were asked for, one was given up while it was
// used). Any thread may ask, at any moment.
const char *ts_devices_note(const ts_devices *devices);
const char *ts_devices_warning(const ts_devices *devices);

// ---- Search: programs for a task that nobody wrote one for ----

typedef struct ts_search_options { // all zero is a good choice
    double seconds;                // of work on the task, counted in units, a billion a second; 0: one second
    uint64_t seed;
    const char *engines; // names of those to use, with commas between; NULL: all, "": none; not copied
    size_t memory;       // bytes at most; 0: 1 GiB
    double deadline;     // seconds from now by the clock, 0 for none: then results need not repeat
    const ts_stop *stop; // set at any moment, from any thread or a signal, to end it early; may be NULL
} ts_search_options;

typedef struct ts_search ts_search;

// A program found, with what it gives. All of it belongs to the search.
typedef struct ts_found {
    const char *engine, *program;
    int rule; // the engine's own kind of rule
    int demos_right, demos;
    double confidence;      // that it is right, by itself
    const ts_grid *answers; // for each test; the height is 0 where it has none
    uint64_t units;
    size_t lines;
} ts_found;

typedef struct ts_attempt {
    ts_grid grid;      // height 0: there is none
    double confidence; // that it is right; of all different answers to a test the sum is at most 1
    size_t found;      // the best program that gives it
    size_t agreeing;   // programs that give it
    uint64_t breaks;   // bit k: what ts_fact(k) says holds for all demos and not for this
} ts_attempt;

// Searches. NULL, with *status, where the options are wrong or memory is short.
ts_search *ts_search_new(const ts_task *task, const ts_search_options *options, ts_status *status);
// Goes on with so many seconds of work; deadline as above. False where more of it would bring no more.
bool ts_search_more(ts_search *search, double seconds, double deadline);
void ts_search_free(ts_search *search);
// Adds a program as if an engine had found it. False where it is right on no demo, or there is no such
// engine.
bool ts_search_add(ts_search *search, const char *engine, int rule, const char *program);
// Adds a program of a set, trusted as one of a pool would be: by whether a person wrote it, perhaps for this
// task. False where it is right on no demo, or memory is short.
bool ts_search_add_program(ts_search *search, const ts_programs *programs, size_t index);
// All programs found, with what they give, a JSON object a line. Yours to free(); NULL where memory is short.
char *ts_search_print(const ts_search *search);
// Adds the programs for its task in a text of such lines, and runs them.
bool ts_search_read(ts_search *search, const char *name, const char *text, size_t length, ts_status *status);
// Adds winners to a pool: of the programs that are right on all demos the five that are most to be trusted,
// but for those of the engine "pool", which came from one. In a transaction of the caller's, where it has
// begun one; the task must still be there.
bool ts_search_store(const ts_search *search, ts_pool *pool, ts_status *status);
// Whether an engine has held all the memory that the options allow, or the machine had no more: with more of
// it there may be more to find. What a starved search has found depends on more than its options.
bool ts_search_full(const ts_search *search);
bool ts_search_starved(const ts_search *search);
size_t ts_search_count(const ts_search *search);
ts_found ts_search_at(const ts_search *search, size_t index);
// The best different answers for a test, the best first; returns how many there are.
size_t ts_search_attempts(const ts_search *search, int test, ts_attempt *attempts, size_t most);
// What demos may have in common, and is then asked of answers: a sentence; NULL after the last one.
const char *ts_fact(size_t index);
// Programs tried and milliseconds taken by an engine; NULL after the last one.
const char *ts_search_engine(const ts_search *search, size_t index, uint64_t *tried, double *ms);
// The engines that there are, in the order in which they run: the name, and what it does in a few words where
// `about` is not NULL. NULL after the last one.
const char *ts_search_engine_at(size_t index, const char **about);

// ---- Submissions: answers for the tests of a set of tasks ----

typedef struct ts_submission ts_submission;
enum { TS_MOST_ATTEMPTS = 3 };

// Two attempts for each test, answers of last resort at first. The tasks must outlive it.
ts_submission *ts_submission_new(const ts_task *const *tasks, size_t count, ts_status *status);
// Reads {ID: [{"attempt_1": grid, "attempt_2": grid}, …], …} with every task of the set, and a third attempt
// where there is one. NULL, with what is wrong and where.
ts_submission *ts_submission_read(const char *path, const ts_task *const *tasks, size_t count,
                                  ts_status *status);
ts_submission *ts_submission_read_text(const char *name, const char *text, size_t length,
                                       const ts_task *const *tasks, size_t count, ts_status *status);
// The same of a part of one: tasks of the set that it does not have get no attempts, tasks that are not in
// the set are passed over, and second attempts may be missing. *part, unless NULL, counts the tasks. Without
// a set (tasks NULL) they are those that it names, of which nothing but the ids and how many tests they have
// is known.
typedef struct ts_submission_part {
    size_t lacking, others; // tasks of the set that it lacks; tasks that are not in the set
} ts_submission_part;
ts_submission *ts_submission_read_part(const char *path, const ts_task *const *tasks, size_t count,
                                       ts_submission_part *part, ts_status *status);
ts_submission *ts_submission_read_part_text(const char *name, const char *text, size_t length,
                                            const ts_task *const *tasks, size_t count,
                                            ts_submission_part *part, ts_status *status);
void ts_submission_free(ts_submission *submission);
size_t ts_submission_count(const ts_submission *submission); // tasks
const ts_task *ts_submission_task(const ts_submission *submission, size_t task);
// Attempts count from 0 here. The grid is copied; height 0: none.
void ts_submission_set(ts_submission *submission, size_t task, int test, int attempt, ts_grid grid);
ts_grid ts_submission_at(const ts_submission *submission, size_t task, int test, int attempt);
// How likely an attempt is right, 0 to 1; below 0: not known, as when it was set or read. What answers of
// last resort have is 0.
void ts_submission_trust(ts_submission *submission, size_t task, int test, int attempt, double confidence);
double ts_submission_confidence(const ts_submission *submission, size_t task, int test, int attempt);
// Fills the attempts from this one to the second with answers of last resort: the input, what outputs have in
// common.
void ts_submission_guess(ts_submission *submission, size_t task, int test, int from);
char *ts_submission_print(const ts_submission *submission); // yours to free(); NULL where memory is short
bool ts_submission_write(const ts_submission *submission, const char *path, ts_status *status);

typedef struct ts_score {
    size_t outputs, unknown;        // with a known solution, without
    size_t tasks;                   // whose solutions are all known
    size_t right[TS_MOST_ATTEMPTS]; // outputs right with the first attempt, one of the first two, of three
    size_t whole[TS_MOST_ATTEMPTS]; // tasks with all outputs right, likewise
    size_t lacking;                 // tasks without any attempt: they are in none of these
} ts_score;
ts_score ts_submission_score(const ts_submission *submission);

// Several submissions as one: for each output the two grids that weigh most. An attempt of known confidence
// weighs that much, others 1/2, 1/4 and 1/8 as the first, second and third of a submission; all of it times
// the weight of the submission (1 is usual), and where submissions agree weights add up. The result is for
// these tasks, with answers of last resort where nobody has one; without them (tasks NULL) for all that a
// submission has. NULL, with *status, where two of them disagree on how many tests a task has.
typedef struct ts_merge_source {
    const ts_submission *submission;
    double weight;
} ts_merge_source;
ts_submission *ts_merge(const ts_merge_source *sources, size_t count, const ts_task *const *tasks,
                        size_t task_count, ts_status *status);

// ---- Solving: many tasks at once, within a budget ----

// The pool that ships with the library: programs found on training tasks.
bool ts_programs_bundled(ts_programs *into, ts_status *status);
// The tasks that ship with it, to try things on, and the programs that were written for them, solve_ID each.
ts_tasks *ts_tasks_bundled(const char *split, ts_status *status);
bool ts_programs_examples(ts_programs *into, ts_status *status);

typedef struct ts_solver_options { // all zero: a second of work for each task
    ts_search_options search;      // for each task; there is no deadline but the budget
    // Seconds by the clock for all tasks together: a short pass over all of them, then more and more for
    // those without an answer to trust. 0: each task gets search.seconds, and what comes out depends on no
    // clock.
    double budget;
    double spent;            // seconds of the budget that are gone already
    int threads;             // 0: one for each processor
    const ts_programs *pool; // programs to try first; NULL: none
    const char *submission;  // a file that is whole at every moment; NULL: none
    const char *journal;     // a file from which a run that was ended goes on; NULL: none
    bool fresh;              // begin anew, whatever the journal says, and replace a submission that is there
    ts_profile *profile;     // NULL: off
    bool trust_pool;         // what programs of the pool answer comes first, where they fit all demos
    // Answers of others to these tasks, in this order: they are merged with those found, as ts_merge does.
    const ts_merge_source *others;
    size_t others_count;
    ts_devices *devices; // that do a part of the work; NULL: none
    // Workers (see "Work done elsewhere") are as good as this process: what they say that programs give is
    // not looked at again, which is most of the work of taking a result.
    bool trust_workers;
} ts_solver_options;

typedef struct ts_solver ts_solver;

// A task that has got a program right on all demos.
typedef struct ts_solved {
    size_t task;
    const char *engine; // of the best program
    size_t lines;
    double confidence;
    const char *program; // its text, which lives as long as the solver
} ts_solved;

typedef struct ts_solver_progress {
    size_t tasks, done; // done: searched once at least
    size_t solved;      // on the demos
    size_t news_count;  // tasks solved since the last call
    const ts_solved *news;
    uint64_t tried;       // programs
    double seconds, left; // by the clock: so far, in earlier runs too; still to come, as far as is known
    int pass;             // the least that a task under way has had, from 1
} ts_solver_progress;
typedef void ts_solver_watch(void *user, const ts_solver_progress *progress); // by one thread at a time

// The tasks, no two of one id, and what the options name, must outlive the solver. With a journal that is
// there it is as far as the earlier run was. A submission of a run that has ended is kept as FILE.1, or with
// the next number that is free, but for `fresh`. NULL, with *status, where the journal is that of another
// run, or a file cannot be written.
ts_solver *ts_solver_new(const ts_task *const *tasks, size_t count, const ts_solver_options *options,
                         ts_status *status);
void ts_solver_free(ts_solver *solver);
// What is worth knowing before it runs, as a sentence: that the pool has changed since the run that is taken
// up, that an earlier submission was kept. NULL: nothing.
const char *ts_solver_warning(const ts_solver *solver);
// Searches until all is done, the budget is spent, or search.stop is set; the submission is written then, in
// any case. The journal goes, unless it was stopped or, without a budget, tasks are starved: then the next
// run goes on with these.
bool ts_solver_run(ts_solver *solver, ts_solver_watch *watch, void *user, ts_status *status);
size_t ts_solver_count(const ts_solver *solver); // tasks
// What was found for a task, to be read while the solver does not run.
ts_search *ts_solver_search(ts_solver *solver, size_t task);
const ts_submission *ts_solver_submission(const ts_solver *solver);
// What was found for all tasks, while the solver does not run: as lines of JSON (ts_search_print) into a
// file, which is replaced as a whole or not at all; winners (ts_search_store) into a pool, in one
// transaction.
bool ts_solver_candidates(ts_solver *solver, const char *path, ts_status *status);
bool ts_solver_store(ts_solver *solver, ts_pool *pool, ts_status *status);
// Whether memory has run out for a task, in its last search or for the pool: see ts_search_starved.
bool ts_solver_starved(const ts_solver *solver, size_t task);

// ---- Work done elsewhere: by other processes, on other machines ----

// A solver, and a loop, can have their work done by others. They give out *orders*, texts that the caller
// carries to workers by whatever means there are; what a worker makes of an order, a *result*, is a text,
// too, and is taken back. A result is programs and counts: programs are run again before they count, so
// nobody has to trust a worker. What many orders share, a *stock*, is sent to each worker once.
//
// In place of ts_solver_run: ask for orders as long as there are any and workers have nothing to do, take
// what comes back, look after the files (ts_solver_watch_over) now and then, until it is over; then
// ts_solver_end. Without a budget the result is that of ts_solver_run, to the byte, whatever the workers,
// however many of them die, and in whatever order results come.
//
// Used by one thread at a time.

// Which sources the library was built from: those who work together must have the same.
const char *ts_build(void);

// The next order for one of so many workers, to be freed, with its number: tasks for about half a second.
// NULL, *status saying nothing, where there is none now: then some are under way, or it is over.
char *ts_solver_give(ts_solver *solver, int workers, uint64_t *number, ts_status *status);
// What these orders share; empty: nothing. Yours to free(); NULL where memory is short.
char *ts_solver_stock(const ts_solver *solver);
// Takes the result of an order. False, with *status, where it is no such result: then nothing of it counts,
// and its tasks are given out again, as by ts_solver_lose.
bool ts_solver_take(ts_solver *solver, uint64_t number, const char *result, size_t length, ts_status *status);
// Says that an order will have no result, and why. Its tasks are given out again, each by itself; one that
// was lost three times is given up, and the others go on. `is_sure`: this order is the reason. Else, as where
// all that a pool of processes had is lost with one of them, its tasks are tried one at a time later, with
// nothing beside them, before any is given up.
void ts_solver_lose(ts_solver *solver, uint64_t number, const char *why, bool is_sure);
bool ts_solver_has_budget(const ts_solver *solver); // else what comes out depends on no clock
// Why a task was given up; NULL: it was not.
const char *ts_solver_lost(const ts_solver *solver, size_t task);
// Whether there is nothing to wait for any more; also when it is stopped, or the budget is spent.
bool ts_solver_is_over(const ts_solver *solver);
// Tells `watch`, which may be NULL, how far it is; writes submission and journal where it is time to.
void ts_solver_watch_over(ts_solver *solver, ts_solver_watch *watch, void *user);
// Ends it as ts_solver_run does: the journal goes if no task is left.
bool ts_solver_end(ts_solver *solver, ts_solver_watch *watch, void *user, ts_status *status);

// Does what orders say, of solvers and of loops. Used by one thread at a time.
typedef struct ts_worker ts_worker;
ts_worker *ts_worker_new(void); // NULL where memory is short
void ts_worker_free(ts_worker *worker);
// Whether the order goes with a stock that this worker has not.
bool ts_worker_lacks(const ts_worker *worker, const char *order, size_t length);
// Gives it a stock, in place of the one that it had. False, with *status, where the text is none.
bool ts_worker_stock(ts_worker *worker, const char *stock, size_t length, ts_status *status);
// The result of an order, to be freed. NULL, with *status, where it is no order of this build, its stock is
// lacking, memory is short, or `stop`, which may be NULL, was set.
char *ts_worker_do(ts_worker *worker, const char *order, size_t length, const ts_stop *stop,
                   ts_status *status);

// ---- Pictures ----

typedef enum { TS_COLOR_NONE, TS_COLOR_256, TS_COLOR_FULL } ts_color;

// Grids side by side with titles (NULL: none), as text for a terminal of `columns` columns. Yours to free().
char *ts_draw(const ts_grid *grids, const char *const *titles, int count, ts_color color, int columns);
// The same, held against what is wanted of each grid (height 0: nothing is). Where both have one shape, the
// cells that are off are marked, by '*' before the cell or '><' on its colour, and the title says how many.
char *ts_draw_against(const ts_grid *grids, const ts_grid *wanted, const char *const *titles, int count,
                      ts_color color, int columns);
char *ts_draw_task(const ts_task *task, ts_color color, int columns);
// A value as a picture: a grid, an image, or locations and objects on a ground of the size of `like`. NULL
// where it is none of these, or memory is short. Yours to free().
char *ts_draw_value(ts_value value, ts_grid like, ts_color color, int columns);
// The same as SVG, as wide as its cells and titles need; each grid carries its title and size as a label for
// those who do not see it. Yours to free(). Of ts_svg_value what was said of ts_draw_value is true.
char *ts_svg(const ts_grid *grids, const char *const *titles, int count);
// As ts_draw_against; the mark is a white dot with a black edge.
char *ts_svg_against(const ts_grid *grids, const ts_grid *wanted, const char *const *titles, int count);
char *ts_svg_task(const ts_task *task);
char *ts_svg_value(ts_value value, ts_grid like);
bool ts_png_task(const ts_task *task, const char *path, ts_status *status);
// The same with what a program gave beside each sample's output (height 0: no grid), cells that are off
// marked by a white square with a black edge. An answer of more than 127 rows or columns is drawn as a
// question mark.
bool ts_png_answers(const ts_task *task, const ts_grid *answers, const char *path, ts_status *status);

// How far something is, as one line of fewer than so many columns: `what [####----] text`. A part below 0 has
// no bar. Of the text, whose pieces have ", " between them, the last ones are left out where it is narrow,
// and then the bar; characters that take two columns count so. Yours to free(); NULL where memory is short.
char *ts_progress_line(const char *what, double part, const char *text, int columns);

// ---- Report pages ----

// Static pages about tasks: index.html with a tile for each, and a page for each, one file with all in it.
typedef struct ts_pages_options {
    const char *folder;          // made where it is not there; files in it that are not ours stay
    const char *title;           // of the first page; NULL: "Report"
    const ts_task *const *tasks; // one at least
    size_t count;
    const ts_programs *programs;     // run on all tasks; NULL: none
    const ts_submission *submission; // of these tasks: its attempts are shown; NULL: the best answers are
    const char *candidates;          // a file that `tessera solve --candidates` wrote; NULL: none
    const char *profile;             // a file that --profile wrote; NULL: none
    int threads;                     // 0: one for each processor
    const char *playground; // a page that `make playground` built: it is put beside them, and they link to it
} ts_pages_options;

// The same input gives the same pages, whatever the threads. Stopped by `progress` it is true, and some pages
// are not there.
bool ts_pages_write(const ts_pages_options *options, ts_progress *progress, void *user, ts_status *status);

// What the playground opens by itself: a task and a program for it (NULL: none), as JSON to put in the place
// of `null` in its element #given. Yours to free; NULL where memory is short.
char *ts_playground_given(const ts_task *task, const char *program);

// The first page while the work goes on: FOLDER/index.html, whole at every moment, renewed every two seconds
// at most, and less often where it would take more than a hundredth of the process's time. It reloads by
// itself until it is closed. Used by one thread at a time.
typedef struct ts_live ts_live;

// Where the work is.
typedef struct ts_live_point {
    size_t solved;  // tasks with a program that is right on all demos
    size_t correct; // of these right on the tests, as far as is known
    double seconds; // by the clock
    double left;    // to come; below 0: nobody knows
    double tried;   // programs
} ts_live_point;

// Makes the folder where it is not there, and writes a first page. The tasks must outlive it. NULL, with
// *status, where it cannot be written.
ts_live *ts_live_open(const char *folder, const char *title, const ts_task *const *tasks, size_t count,
                      ts_status *status);
// A task has got a program that is right on all demos: its text, which is copied, and who found it, which
// lives as long as the library. Does not write.
void ts_live_solved(ts_live *live, size_t task, const char *engine, const char *program);
// Renews the page where it is time to. False, with *status, where it could not be written; it is tried again.
bool ts_live_renew(ts_live *live, const ts_live_point *now, ts_status *status);
// Both at once, from what a solver tells its watch; the tasks are the solver's.
bool ts_live_watch_solver(ts_live *live, const ts_solver_progress *now, ts_status *status);
// And from a loop on these tasks, which ends after so many rounds and seconds (0: not by that), for its watch
// and once when it has ended. The programs come from the file of its pool, which is looked at where the page
// is written.
bool ts_live_watch_iterate(ts_live *live, const ts_iterate *loop, const char *pool, uint64_t rounds,
                           double seconds, bool has_ended, ts_status *status);
// Writes the last page, which does not reload, and frees; NULL is fine. With a submission of these tasks it
// says which are right, where that is known.
bool ts_live_close(ts_live *live, const ts_submission *submission, ts_status *status);

// What became of a task between two files of answers.
typedef enum ts_change { TS_WON, TS_LOST, TS_BOTH, TS_NEITHER, TS_CHANGED, TS_CHANGES } ts_change;
const char *ts_change_name(ts_change change);

// Holds two files against each other, submissions or files that `solve --candidates` wrote: won is what B
// solves and A does not, lost the other way round; changed what neither solves, with other answers. Solved:
// right in one of two attempts; where the solution is not known, and both are files of candidates, a program
// is right on all demos. Of each task what became of it goes into `changes`, of each submission how many
// of the tasks it does not have, which are not solved there, into `lacking`; the pages, as one file, into the
// folder of the options, unless it is NULL. The options' own programs, submission, candidates and profile are
// not looked at.
bool ts_compare_write(const ts_pages_options *options, const char *a, const char *b, ts_change *changes,
                      size_t lacking[2], ts_status *status);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
