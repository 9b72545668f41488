// Judging: texts of programs, any number of them and from anywhere, each on the samples of its task.
//
//     judge.c     the public face: reads a text, runs the program, says what came out
//     memory.c    tasks made ready for running, and the grids that were met, each scored once
//     known.c     calls that come again in other programs, each done once
//     line.c      one line of JSON, taken apart
//     answer.c    lines of JSON in, lines of JSON out
//     judge_explain.c  what is wrong with a text, for whoever asks
//
// A judge works alone in its own memory, so several of them judge side by side. What a program gives and
// costs is what it gives and costs in a battery; it is run by itself, because each text is met once and its
// task may be another than its neighbour's.
#ifndef TESSERA_JUDGE_JUDGE_H
#define TESSERA_JUDGE_JUDGE_H

#include "battery/points.h"
#include "program/program.h"
#include "task/task.h"

// ---- What stays from block to block (memory.c) ----

// A sample made ready: as values that no evaluation takes away.
typedef struct {
    const ts_sample *sample;
    Value input;
    const PointsSight *right; // of a demo, where scores are wanted
    int32_t input_points;
    int side; // task_side
} ReadySample;

typedef struct {
    const ts_task *task; // NULL: this place is free
    Value demos;         // S
    ReadySample *samples;
} ReadyTask;

// A grid that a program gave for a sample.
typedef struct {
    uint64_t hash;
    const ReadySample *sample;
    int32_t score;         // -1: nobody has asked for it yet
    _Alignas(16) Obj grid; // its cells follow
} Met;

// A call with arguments that stay where they are, and what came of it (known.c).
typedef struct {
    Value args[LINE_MOST_ARGS], value; // a failure where it has failed
    int64_t units, needs;              // what it took, and what had to be left; units 0: this place is free
    int64_t op;
} Known;

enum { MEMORY_LEAST_WEIGHT = 100 };

typedef struct {
    Ctx fixed; // holds what was made ready
    ReadyTask *tasks;
    size_t task_count, task_room; // room: a power of two
    ReadyTask *last;
    Arena grids; // holds the grids that were met
    size_t grid_bytes;
    Met **met;                  // NULL: this place is free
    size_t met_count, met_room; // room: a power of two
    Known *calls;
    size_t call_count, call_room; // room: a power of two, or 0
    bool scores;
} Memory;

bool memory_init(Memory *m, bool scores); // false: no memory
void memory_free(Memory *m);
void memory_begin(Memory *m);                                 // forgets grids where they have become many
const ReadyTask *memory_task(Memory *m, const ts_task *task); // NULL: no memory
Met *memory_grid(Memory *m, const ReadySample *s, const Obj *grid); // NULL: no memory
int32_t memory_score_slow(Met *met);
static inline int32_t memory_score(Met *met) { return met->score < 0 ? memory_score_slow(met) : met->score; }
bool memory_full(const Memory *m); // so that nothing more is kept in this block but what its answers need
// Runs a program as program_run does, and costs and gives what that does, with calls that are known done
// once. (known.c) A result that is among the grids that were met is given as such, too.
Value memory_run(Memory *m, Ctx *c, const Program *p, Value samples, const ReadySample *s, Met **met,
                 uint32_t *failed_line);
void memory_forget_calls(Memory *m);

// ---- Lines of JSON (line.c) ----

typedef struct {
    const char *text;
    uint64_t number;
    const char *id; // as it was written; NULL: there is none
    size_t id_length;
    const char *task, *program; // NULL: there is none
    size_t task_length, program_length;
    bool outputs, errors; // asked for
    const char *problem;  // what is wrong with the line, NULL where all is well
    size_t at;            // where
    bool judged;          // it is among the items of the block
} JudgeLine;

// Takes a line apart. Texts that had to be unescaped are written to *room, which is moved on; they take no
// more than the line does, but there must be some bytes to spare behind the last line's.
enum { JUDGE_LINE_SPARE = 32 };
void judge_line_read(JudgeLine *l, const char *line, size_t length, char **room);

struct ts_judge {
    ts_judge_options options;
    ts_programs *programs; // the one of the text under way
    Ctx ctx;               // of its evaluation
    Memory memory;
    bool remembers; // calls that come again
    // Of the last block:
    Arena results;
    ts_verdict *verdicts;
    size_t count;
    // For lines of JSON:
    JudgeLine *lines;
    ts_judge_item *items;
    char *unescaped, *answers;
    size_t line_room, unescaped_room, answers_room, answers_length;
};

// As ts_judge_run, but true where it was stopped, with the verdicts up to there.
bool judge_items(ts_judge *j, const ts_judge_item *items, size_t count, ts_status *status);

#endif
