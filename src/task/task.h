// Tasks in memory and on their way there.
//
//     files.c   what lies on the disk: a folder, a file, a solutions file beside it
//     form.c    which of the forms a text has
//     read.c    one JSON text: tasks or solutions, every rule of the format
//     json.c    JSON events
//     scan.c    grids and values in JSON text that are seen at a glance
//     set.c     the tasks themselves, found by index and by id
//     union.c   the tasks of several paths as one set
//     submission.c    answers for the tests of a set of tasks
//     task_print.c    tasks as JSON again
//     stubs.c   the tasks that a submission names
//     merge.c   the answers of several submissions as one
//
// A TaskLoad is a reading in progress: a set that fills, and what to do about problems. All that a set holds
// belongs to its arena, which never grows beyond TASK_BYTES.
#ifndef TESSERA_TASK_TASK_H
#define TESSERA_TASK_TASK_H

#include "base/arena.h"
#include "base/index.h"
#include "base/status.h"
#include "base/text.h"
#include "task/json.h"

#define TASK_BYTES ((size_t)1 << 30)

// ---- The set ----

typedef struct {
    ts_task task;
    ts_sample *samples; // what task.samples points to, while solutions are still to come
    bool bad;           // to be left out
    bool solved;        // the solutions file has spoken of it
} TaskEntry;

struct ts_tasks {
    Arena arena;
    TaskEntry *entries;
    size_t count, capacity;
    Index ids;       // of the entries
    ts_tasks *parts; // sets that hold what entries of this one point to
    ts_tasks *next;  // of such a list
};

TaskEntry *task_set_find(const ts_tasks *set, const char *id, size_t length); // NULL where there is none
TaskEntry *task_set_add(ts_tasks *set, const char *id, size_t length);        // a new id; NULL: no memory
bool task_set_drop_bad(ts_tasks *set);                                        // false: no memory

// The most rows or columns that an answer to a task may have: as many as Kaggle takes, unless a grid of the
// task has more. Solutions of tests are not looked at.
int task_side(const ts_task *task);

// ---- The forms of a text ----

typedef enum {
    TASK_FORM_NONE,      // no task in sight
    TASK_FORM_BROKEN,    // no JSON
    TASK_FORM_ONE,       // {"train": […], "test": […]}
    TASK_FORM_MANY,      // {ID: task, …}
    TASK_FORM_PARTS,     // {"train": {ID: task, …}, "eval": {…}}
    TASK_FORM_SOLUTIONS, // {ID: [grid, …], …}
} TaskForm;

// Looks no further than the first "train" or "test" that is a list.
TaskForm task_form(const char *text, size_t length, TaskJsonError *error);

// ---- Reading ----

typedef struct {
    const char *split; // NULL: all parts
    bool part_of_some; // what has no parts is taken as a whole, whatever `split` says
    bool keep_going;
    bool plain; // the JSON fast path off, for tests and for measuring
    ts_report *report;
    void *user;
} TaskOptions;

typedef struct {
    TaskOptions options;
    ts_tasks *set;
    Status first; // the first problem
    size_t problems;
    bool broken; // a text ended before its time, so tasks may be missing
    bool many;   // the text read last was {ID: task, …}: solutions may belong to it
    bool parts;  // a text had parts
    bool fatal;  // there is no going on, whatever the options say
} TaskLoad;

typedef struct {
    const char *name; // of the file, for messages
    const char *text;
    size_t length;
} TaskSource;

bool task_load_begin(TaskLoad *load, const TaskOptions *options); // false: no memory
bool task_load_goes_on(const TaskLoad *load); // no problem so far, or none that ends the reading
// Notes a problem. True where the reading goes on after it.
bool task_load_problem(TaskLoad *load, const Status *problem);
// Adds the tasks of a text. `id` is that of a text which is one task, or NULL where it may not be one; with
// `only_one` it has to be. These two return false where the reading is to end.
bool task_load_text(TaskLoad *load, const TaskSource *source, const char *id, bool only_one);
// Adds the solutions {ID: [grid, …]} to the tasks that are there.
bool task_load_solutions(TaskLoad *load, const TaskSource *source);
// Ends the reading: the set, or NULL with *status where it failed or nothing was loaded.
ts_tasks *task_load_finish(TaskLoad *load, const char *what, Status *status);

// All of it for a path, and whether it has parts.
ts_tasks *task_read_path(const char *path, const TaskOptions *options, bool *has_parts, Status *status);
// All of it for texts in memory; solutions may be NULL.
ts_tasks *task_read_text(const TaskSource *tasks, const TaskSource *solutions, const char *id,
                         const TaskOptions *options, Status *status);

// A task as JSON, with the solutions of its tests or without. (task_print.c)
void task_print(Text *t, const ts_task *task, bool solutions);

// ---- Submissions ----

// One without any attempt, for tasks that outlive it. The name is that of its file, or empty.
ts_submission *task_submission(const char *name, const ts_task *const *tasks, size_t count, Status *status);
// The same for tasks that it takes over, where it does not fail.
ts_submission *task_submission_own(const char *name, ts_tasks *own, Status *status);
const char *task_submission_name(const ts_submission *s);

// The tasks that the text of a submission names: their ids and how many tests they have, no samples. What is
// wrong with the text is for its reader to say. NULL where memory is short.
ts_tasks *task_stubs(const char *text, size_t length);
ts_tasks *task_stubs_new(void);

// Grids that are proposed for an output, each with the sum of the weights of those who do.
typedef struct {
    ts_grid grid;
    double weight;
} TaskVote;

typedef struct {
    TaskVote votes[64]; // what comes after so many different ones does not count
    size_t count;
} TaskVotes;

void task_vote(TaskVotes *v, ts_grid grid, double weight);
// What a submission proposes, each of its grids once.
void task_vote_all(TaskVotes *v, const ts_merge_source *source, size_t task, int test);
void task_sort_votes(TaskVotes *v); // the heaviest first; of equal ones the one that was proposed first
// Puts the first two into a submission, answers of last resort where there are less.
void task_elect(const TaskVotes *v, ts_submission *into, size_t task, int test);

#endif
