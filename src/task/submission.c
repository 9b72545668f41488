// A submission: for every test of some tasks two attempts, or three, at its output.
//
//     {"007bbfb7": [{"attempt_1": [[0,7],[7,0]], "attempt_2": [[7,7],[0,0]]}, …], …}
//
// In memory each attempt has room for the largest answer that its task may have (task_side), so that setting
// one cannot fail: some 420 outputs of a set take a megabyte. Only what is read may be larger. A new
// submission is complete from the start, with answers of last resort. What is read has every task of the set
// once, every test in its place, two attempts or three, and grids as they may be; the first thing that is
// not so ends the reading. A part of one may lack tasks and second attempts, and have tasks of its own.
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/index.h"
#include "base/replace.h"
#include "base/text.h"
#include "base/utf8.h"
#include "grid/colors.h"
#include "task/task.h"

enum { LEAST_ATTEMPTS = 2, MOST_AREA = GRID_TASK_SIDE * GRID_TASK_SIDE };

typedef struct {
    int height, width; // 0: none
    float confidence;  // that it is right; below zero: not known
    int room;          // for cells
    signed char *cells;
} Attempt;

typedef struct {
    Attempt attempts[TS_MOST_ATTEMPTS];
} Output;

struct ts_submission {
    char *name;    // of the file that it was read from, or empty
    ts_tasks *own; // where the tasks are known by what was read alone, else NULL
    const ts_task **tasks;
    size_t count;
    size_t *first; // output of each task, and the number of all
    Output *outputs;
};

static Attempt *attempt_at(const ts_submission *s, size_t task, int test, int attempt) {
    return &s->outputs[s->first[task] + (size_t)test].attempts[attempt];
}

// False where memory is short.
static bool make_room(Attempt *a, int cells) {
    if (cells <= a->room) return true;
    signed char *more = realloc(a->cells, (size_t)cells);
    if (!more) return false;
    a->cells = more;
    a->room = cells;
    return true;
}

static bool make_outputs(ts_submission *s) {
    bool good = (s->outputs = calloc(s->first[s->count] + 1, sizeof *s->outputs));
    for (size_t k = 0; good && k < s->count; k++) {
        const int side = task_side(s->tasks[k]);
        for (int n = 0; good && n < s->tasks[k]->tests * TS_MOST_ATTEMPTS; n++)
            good = make_room(attempt_at(s, k, n / TS_MOST_ATTEMPTS, n % TS_MOST_ATTEMPTS), side * side);
    }
    return good;
}

ts_submission *task_submission(const char *name, const ts_task *const *tasks, size_t count, Status *status) {
    ts_submission *s = calloc(1, sizeof *s);
    if (s) {
        s->name = strdup(name);
        s->tasks = calloc(count + 1, sizeof *s->tasks);
        s->first = calloc(count + 1, sizeof *s->first);
        s->count = count;
    }
    for (size_t k = 0; s && s->name && s->tasks && s->first && k < count; k++) {
        s->tasks[k] = tasks[k];
        s->first[k + 1] = s->first[k] + (size_t)tasks[k]->tests;
    }
    if (s && s->name && s->tasks && s->first && make_outputs(s)) return s;
    ts_submission_free(s);
    status_fail(status, TS_SYSTEM, "no memory for the answers to %zu tasks", count);
    return NULL;
}

ts_submission *task_submission_own(const char *name, ts_tasks *own, Status *status) {
    const ts_task **tasks = calloc(own->count + 1, sizeof *tasks);
    for (size_t k = 0; tasks && k < own->count; k++) tasks[k] = &own->entries[k].task;
    ts_submission *s = NULL;
    if (tasks) s = task_submission(name, tasks, own->count, status);
    else status_fail(status, TS_SYSTEM, "no memory for the answers to %zu tasks", own->count);
    free(tasks);
    if (s) s->own = own;
    return s;
}

const char *task_submission_name(const ts_submission *s) { return s->name; }

void ts_submission_free(ts_submission *s) {
    if (!s) return;
    for (size_t k = 0; s->outputs && k < s->first[s->count]; k++)
        for (int m = 0; m < TS_MOST_ATTEMPTS; m++) free(s->outputs[k].attempts[m].cells);
    free(s->name);
    ts_tasks_free(s->own);
    free(s->tasks);
    free(s->first);
    free(s->outputs);
    free(s);
}

// Whether there is an answer to a task that more is known of than its id.
static bool is_there(const ts_submission *s, size_t task) {
    return !s->own && (!s->tasks[task]->tests || attempt_at(s, task, 0, 0)->height);
}

void ts_submission_set(ts_submission *s, size_t task, int test, int attempt, ts_grid grid) {
    Attempt *a = attempt_at(s, task, test, attempt);
    if (!grid_fits(grid, GRID_TASK_SIDE) || !make_room(a, grid.height * grid.width)) grid.height = 0;
    a->height = grid.height;
    a->width = grid.width;
    a->confidence = -1;
    if (grid.height) memcpy(a->cells, grid.cells, (size_t)(grid.height * grid.width));
}

ts_grid ts_submission_at(const ts_submission *s, size_t task, int test, int attempt) {
    const Attempt *a = attempt_at(s, task, test, attempt);
    return (ts_grid){a->height, a->width, a->height ? a->cells : NULL};
}

size_t ts_submission_count(const ts_submission *s) { return s->count; }
const ts_task *ts_submission_task(const ts_submission *s, size_t task) { return s->tasks[task]; }

void ts_submission_trust(ts_submission *s, size_t task, int test, int attempt, double confidence) {
    attempt_at(s, task, test, attempt)->confidence = (float)confidence;
}

double ts_submission_confidence(const ts_submission *s, size_t task, int test, int attempt) {
    return (double)attempt_at(s, task, test, attempt)->confidence;
}

// ---- Answers of last resort ----

static signed char commonest_cell(const ts_task *task, int cell) {
    int counts[10] = {0};
    for (int k = 0; k < task->demos; k++) counts[task->samples[k].output.cells[cell]]++;
    return (signed char)colors_by_count(counts, -1, false);
}

// What the outputs of the demos have in common where they are all of one size; else the first of them.
static ts_grid usual_output(const ts_task *task, signed char cells[MOST_AREA]) {
    ts_grid first = task->samples[0].output;
    bool alike = true;
    for (int k = 1; k < task->demos; k++) alike &= grid_same_size(task->samples[k].output, first);
    for (int cell = 0; cell < first.height * first.width; cell++)
        cells[cell] = alike ? commonest_cell(task, cell) : first.cells[cell];
    return (ts_grid){first.height, first.width, cells};
}

void ts_submission_guess(ts_submission *s, size_t task, int test, int from) {
    const ts_task *t = s->tasks[task];
    if (!t->samples) return; // a stub: there is nothing to guess from
    signed char cells[MOST_AREA];
    ts_grid guesses[] = {t->samples[t->demos + test].input, usual_output(t, cells)};
    // Where the attempt before has this very answer, the other one.
    for (int n = from, guess = 0; n < LEAST_ATTEMPTS; n++, guess ^= 1) {
        if (n > 0 && ts_grid_equal(ts_submission_at(s, task, test, n - 1), guesses[guess])) guess ^= 1;
        ts_submission_set(s, task, test, n, guesses[guess]);
        ts_submission_trust(s, task, test, n, 0);
    }
}

ts_submission *ts_submission_new(const ts_task *const *tasks, size_t count, ts_status *status) {
    ts_submission *s = task_submission("", tasks, count, status);
    for (size_t k = 0; s && k < count; k++)
        for (int n = 0; n < tasks[k]->tests; n++) ts_submission_guess(s, k, n, 0);
    return s;
}

// ---- Writing ----

static void put_grid(Text *t, const Attempt *a) {
    for (int i = 0; i < a->height; i++) {
        text_add(t, i ? ",[" : "[[");
        for (int j = 0; j < a->width; j++) {
            if (j) text_char(t, ',');
            text_char(t, (char)('0' + a->cells[i * a->width + j]));
        }
        text_char(t, ']');
    }
    text_char(t, ']');
}

char *ts_submission_print(const ts_submission *s) {
    Text t = {0};
    text_char(&t, '{');
    for (size_t k = 0; k < s->count; k++) {
        if (k) text_add(&t, ",\n");
        text_json(&t, s->tasks[k]->id);
        text_add(&t, ": [");
        for (int n = 0; n < s->tasks[k]->tests; n++) {
            text_add(&t, n ? ", {" : "{");
            for (int m = 0; m < TS_MOST_ATTEMPTS && attempt_at(s, k, n, m)->height; m++) {
                text_print(&t, "%s\"attempt_%d\": ", m ? ", " : "", m + 1);
                put_grid(&t, attempt_at(s, k, n, m));
            }
            text_char(&t, '}');
        }
        text_char(&t, ']');
    }
    text_add(&t, "}\n");
    return text_take(&t);
}

bool ts_submission_write(const ts_submission *s, const char *path, ts_status *status) {
    char *text = ts_submission_print(s);
    bool good = text ? replace_with(path, text, strlen(text), status)
                     : status_fail(status, TS_SYSTEM, "no memory to write '%.300s'", path);
    free(text);
    return good;
}

// ---- Reading ----

typedef enum { AT_TOP, AT_FILE, AT_OUTPUTS, AT_OUTPUT, AT_GRID, AT_ROW } Place;

typedef struct {
    ts_submission *into;
    const char *name, *text;
    size_t length;
    Status *status;
    ts_submission_part *part; // NULL: it has to be whole
    bool *seen;               // tasks
    Index ids;                // of the tasks
    int passing;              // what is open of a task that is not in the set, and the key itself; 0: nothing

    Place place;     // inside of what it is: each holds only the next
    size_t task;     // the one in hand; those that are not yet named by a key are SIZE_MAX and -1
    int test;        // likewise
    int attempt;     // likewise
    size_t value_at; // of what is open: the output, the row
    int row, cells;  // whole rows so far, cells of the one in hand
} Reader;

// Says what is wrong and where. Returns false.
__attribute__((format(printf, 3, 4))) static bool wrong(Reader *r, size_t at, const char *format, ...) {
    char where[300] = "", what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    size_t n = 0;
    if (r->task != SIZE_MAX)
        n += (size_t)snprintf(where, sizeof where, "task '%.200s'", r->into->tasks[r->task]->id);
    if (r->test >= 0) n += (size_t)snprintf(where + n, sizeof where - n, ", test %d", r->test + 1);
    if (r->attempt >= 0) n += (size_t)snprintf(where + n, sizeof where - n, ", attempt_%d", r->attempt + 1);
    status_fail(r->status, TS_INPUT, "%s%s%s", where, n ? ": " : "", what);
    return status_locate(r->status, NULL, r->name, r->text, r->length, at);
}

static Attempt *in_hand(const Reader *r) { return attempt_at(r->into, r->task, r->test, r->attempt); }

static bool wrong_value(Reader *r, const char *found, size_t at) {
    switch (r->place) {
    case AT_TOP: return wrong(r, at, "the text is %s, not an object", found);
    case AT_FILE: return wrong(r, at, "this is %s, not a list of answers", found);
    case AT_OUTPUTS: return wrong(r, at, "this is %s, not an object with attempts", found);
    case AT_OUTPUT: return wrong(r, at, "this is %s, not a list of rows", found);
    case AT_GRID: return wrong(r, at, "row %d is %s, not a list of cells", r->row + 1, found);
    case AT_ROW: break;
    }
    return wrong(r, at, "row %d, cell %d is %s, not a digit from 0 to 9", r->row + 1, r->cells + 1, found);
}

static bool on_open(void *user, char bracket, size_t at) {
    Reader *r = user;
    if (r->passing) return ++r->passing;
    bool object = r->place == AT_TOP || r->place == AT_OUTPUTS;
    if (r->place == AT_OUTPUTS && r->test + 1 < r->into->tasks[r->task]->tests) r->test++;
    else if (r->place == AT_OUTPUTS) {
        int tests = r->into->tasks[r->task]->tests;
        r->test = -1;
        return wrong(r, at, "there are more answers than the %d test%s", tests, tests == 1 ? "" : "s");
    }
    if (r->place == AT_ROW || (bracket == '{') != object)
        return wrong_value(r, bracket == '{' ? "an object" : "a list", at);
    r->place++;
    r->value_at = at;
    if (r->place == AT_GRID) r->row = 0;
    if (r->place == AT_ROW) r->cells = 0;
    return true;
}

static bool end_row(Reader *r) {
    Attempt *a = in_hand(r);
    int row = r->row + 1;
    if (row > GRID_TASK_SIDE) return wrong(r, r->value_at, "there are more than %d rows", GRID_TASK_SIDE);
    if (r->cells == 0) return wrong(r, r->value_at, "row %d has no cells", row);
    if (row == 1) a->width = r->cells;
    if (r->cells != a->width)
        return wrong(r, r->value_at, "row %d has %d cell%s, row 1 has %d", row, r->cells,
                     r->cells == 1 ? "" : "s", a->width);
    r->row = row;
    return true;
}

static bool end_grid(Reader *r, size_t at) {
    if (r->row == 0) return wrong(r, at, "the grid has no rows");
    in_hand(r)->height = r->row;
    r->attempt = -1;
    return true;
}

static bool end_output(Reader *r, size_t at) {
    for (int k = 0; k < LEAST_ATTEMPTS; k++)
        if (!attempt_at(r->into, r->task, r->test, k)->height && (k == 0 || !r->part))
            return wrong(r, at, "attempt_%d is missing", k + 1);
    return true;
}

static bool end_outputs(Reader *r, size_t at) {
    int tests = r->into->tasks[r->task]->tests, answers = r->test + 1;
    r->test = -1;
    if (answers < tests)
        return wrong(r, at, "there %s %d answer%s for %d tests", answers == 1 ? "is" : "are", answers,
                     answers == 1 ? "" : "s", tests);
    r->task = SIZE_MAX;
    return true;
}

static bool end_file(Reader *r, size_t at) {
    size_t missing = 0, first = 0;
    for (size_t k = r->into->count; k-- > 0;)
        if (!r->seen[k]) missing++, first = k;
    const char *id = missing ? r->into->tasks[first]->id : "";
    if (r->part) r->part->lacking = missing;
    if (r->part) return true;
    if (missing == 1) return wrong(r, at, "task '%.100s' is missing", id);
    return !missing || wrong(r, at, "task '%.100s' is missing, and %zu more", id, missing - 1);
}

// What was open is closed; with the last of it the task is passed over.
static bool passed(Reader *r) {
    if (--r->passing <= 1) r->passing = 0;
    return true;
}

static bool on_close(void *user, size_t at) {
    Reader *r = user;
    if (r->passing) return passed(r);
    switch (r->place--) {
    case AT_FILE: return end_file(r, at);
    case AT_OUTPUTS: return end_outputs(r, at);
    case AT_OUTPUT: return end_output(r, at);
    case AT_GRID: return end_grid(r, at);
    case AT_ROW: return end_row(r);
    case AT_TOP: break;
    }
    return true;
}

// The number of the first task with this id, plus one; 0 where there is none, `slot` then being its place.
static uint32_t find_task(const Reader *r, const char *text, size_t length, uint32_t hash, uint32_t *slot) {
    uint32_t k;
    *slot = hash;
    while ((k = index_next(&r->ids, hash, slot))) {
        const char *id = r->into->tasks[k - 1]->id;
        if (strlen(id) == length && memcmp(id, text, length) == 0) break;
    }
    return k;
}

static bool index_tasks(Reader *r) {
    for (size_t k = 0; k < r->into->count; k++) {
        const char *id = r->into->tasks[k]->id;
        uint32_t hash = (uint32_t)hash_bytes(hash_seed, id, strlen(id)), slot;
        if (!index_reserve(&r->ids)) return false;
        if (!find_task(r, id, strlen(id), hash, &slot)) index_put(&r->ids, slot, hash, (uint32_t)k);
    }
    return true;
}

static bool key_of_task(Reader *r, const char *text, size_t length, size_t at) {
    uint32_t slot, k = 0, hash = (uint32_t)hash_bytes(hash_seed, text, length);
    if (r->into->count) k = find_task(r, text, length, hash, &slot);
    if (!k && r->part) {
        r->part->others++;
        r->passing = 1;
        return true;
    }
    if (!k) return wrong(r, at, "there is no task '%.*s' in the set", (int)utf8_fit(text, length, 100), text);
    if (r->seen[k - 1]) return wrong(r, at, "task '%s' is there twice", r->into->tasks[k - 1]->id);
    r->seen[k - 1] = true;
    r->task = k - 1;
    return true;
}

static bool key_of_attempt(Reader *r, const char *text, size_t length, size_t at) {
    static const char start[] = "attempt_";
    const size_t n = sizeof start - 1;
    int k = length == n + 1 && memcmp(text, start, n) == 0 ? text[n] - '1' : -1;
    if (k < 0 || k >= TS_MOST_ATTEMPTS)
        return wrong(r, at, "the key '%.*s' is none of attempt_1 to attempt_%d",
                     (int)utf8_fit(text, length, 100), text, TS_MOST_ATTEMPTS);
    if (attempt_at(r->into, r->task, r->test, k)->height)
        return wrong(r, at, "attempt_%d is there twice", k + 1);
    r->attempt = k;
    return true;
}

static bool on_key(void *user, const char *text, size_t length, size_t at) {
    Reader *r = user;
    if (r->passing) return true;
    return r->place == AT_FILE ? key_of_task(r, text, length, at) : key_of_attempt(r, text, length, at);
}

static bool on_scalar(void *user, TaskJsonScalar kind, const char *text, size_t length, size_t at) {
    static const char *const names[] = {"null", "true or false", "a number", "a text"};
    Reader *r = user;
    if (r->passing > 1) return true;
    if (r->passing) return passed(r); // it was no list
    if (r->place == AT_OUTPUTS && r->test + 1 < r->into->tasks[r->task]->tests) r->test++;
    if (r->place != AT_ROW || kind != TASK_JSON_NUMBER) return wrong_value(r, names[kind], at);
    if (r->cells == GRID_TASK_SIDE)
        return wrong(r, at, "row %d has more than %d cells", r->row + 1, GRID_TASK_SIDE);
    char number[32];
    snprintf(number, sizeof number, "%.*s%s", length > 24 ? 24 : (int)length, text, length > 24 ? "..." : "");
    if (length != 1 || text[0] < '0' || text[0] > '9') return wrong_value(r, number, at);
    Attempt *a = in_hand(r);
    int cell = r->row ? r->row * a->width + r->cells : r->cells;
    if (cell < MOST_AREA) { // a row too many is said when it ends
        if (cell >= a->room && !make_room(a, MOST_AREA))
            return status_fail(r->status, TS_SYSTEM, "no memory to read '%.300s'", r->name);
        a->cells[cell] = (signed char)(text[0] - '0');
    }
    r->cells++;
    return true;
}

static bool wants_grid(void *user) { return ((Reader *)user)->place == AT_OUTPUT; }

static bool on_grid(void *user, const TaskScanGrid *grid, size_t at) {
    (void)at;
    Reader *r = user;
    const ts_grid attempt = {grid->height, grid->width, grid->cells};
    ts_submission_set(r->into, r->task, r->test, r->attempt, attempt);
    if (!in_hand(r)->height) return status_fail(r->status, TS_SYSTEM, "no memory to read '%.300s'", r->name);
    r->attempt = -1;
    return true;
}

// Reads into a submission, which is freed where that fails.
static ts_submission *read_into(ts_submission *into, const char *name, const char *text, size_t length,
                                ts_submission_part *part, ts_status *status) {
    static const TaskJsonListener listener = {on_open, on_close, on_key, on_scalar, wants_grid, on_grid};
    Reader r = {.into = into, .name = name, .text = text, .length = length, .status = status, .part = part};
    r.task = SIZE_MAX;
    r.test = r.attempt = -1;
    if (!into) return NULL;
    r.seen = calloc(into->count + 1, sizeof *r.seen);
    TaskJsonError error;
    TaskJsonEnd end = TASK_JSON_STOPPED;
    if (!r.seen || !index_tasks(&r)) status_fail(status, TS_SYSTEM, "no memory to read '%.300s'", name);
    else end = task_json_parse(text, length, &listener, &r, &error);
    if (end == TASK_JSON_BROKEN) wrong(&r, error.at, "bad JSON: %s", error.message);
    free(r.seen);
    index_free(&r.ids);
    if (end == TASK_JSON_DONE) return into;
    ts_submission_free(into);
    return NULL;
}

ts_submission *ts_submission_read_text(const char *name, const char *text, size_t length,
                                       const ts_task *const *tasks, size_t count, ts_status *status) {
    ts_submission *into = task_submission(name, tasks, count, status);
    return read_into(into, name, text, length, NULL, status);
}

ts_submission *ts_submission_read(const char *path, const ts_task *const *tasks, size_t count,
                                  ts_status *status) {
    Text text = {0};
    ts_submission *s = NULL;
    if (text_read_file(&text, path, status))
        s = ts_submission_read_text(path, text.data, text.length, tasks, count, status);
    text_free(&text);
    return s;
}

ts_submission *ts_submission_read_part_text(const char *name, const char *text, size_t length,
                                            const ts_task *const *tasks, size_t count,
                                            ts_submission_part *part, ts_status *status) {
    ts_submission_part ignored;
    if (!part) part = &ignored;
    *part = (ts_submission_part){0};
    ts_tasks *own = tasks ? NULL : task_stubs(text, length);
    ts_submission *into = NULL;
    if (own && !(into = task_submission_own(name, own, status))) ts_tasks_free(own);
    if (tasks) into = task_submission(name, tasks, count, status);
    else if (!own) status_fail(status, TS_SYSTEM, "no memory to read '%.300s'", name);
    return read_into(into, name, text, length, part, status);
}

ts_submission *ts_submission_read_part(const char *path, const ts_task *const *tasks, size_t count,
                                       ts_submission_part *part, ts_status *status) {
    Text text = {0};
    ts_submission *s = NULL;
    if (text_read_file(&text, path, status))
        s = ts_submission_read_part_text(path, text.data, text.length, tasks, count, part, status);
    text_free(&text);
    return s;
}

// ---- Scoring ----

ts_score ts_submission_score(const ts_submission *s) {
    ts_score score = {0};
    for (size_t k = 0; k < s->count; k++) {
        const ts_task *task = s->tasks[k];
        if (!is_there(s, k)) {
            score.lacking++;
            continue;
        }
        int known = 0, right[TS_MOST_ATTEMPTS] = {0};
        for (int n = 0; n < task->tests; n++) {
            const ts_sample *test = &task->samples[task->demos + n];
            if (!test->has_output) continue;
            known++;
            bool hit = false;
            for (int m = 0; m < TS_MOST_ATTEMPTS; m++) {
                hit |= ts_grid_equal(ts_submission_at(s, k, n, m), test->output);
                right[m] += hit;
            }
        }
        score.outputs += (size_t)known;
        score.unknown += (size_t)(task->tests - known);
        score.tasks += known == task->tests;
        for (int m = 0; m < TS_MOST_ATTEMPTS; m++) {
            score.right[m] += (size_t)right[m];
            score.whole[m] += right[m] == task->tests;
        }
    }
    return score;
}
