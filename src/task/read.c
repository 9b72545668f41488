// One JSON text of tasks or of solutions, from events to byte grids.
//
//     file {  part {  task {  samples [  sample {  grid [  row [ cell
//     file {                             solutions [  grid [  row [ cell
//
// The reader knows at which of these places it is; what a place may hold stands in `places`. A grid is
// gathered in a buffer and copied to the arena when it is whole, samples in two lists (in the text, tests may
// come before demos), a task gets its samples when its brace closes and counts from then on.
//
// Workload: 80 thousand rows, 6 thousand grids, 800 tasks in 2.6 MB; rows come whole from the fast path of
// json.c. Invariants: an entry of the set is bad until its task is whole, so whatever ends the reading leaves
// no half task behind; after a problem, events are passed over until the depth is that of the container of
// tasks again.
#include "task/task.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "task/json.h"

enum { MOST_PARTS = 16, LONGEST_ID = 200, DEEPEST = 7 };

typedef enum {
    AT_TOP,
    AT_FILE,
    AT_PART,
    AT_TASK,
    AT_SAMPLES,
    AT_SAMPLE,
    AT_SOLUTIONS,
    AT_GRID,
    AT_ROW
} Place;

// The bracket that opens a value at this place, and what it should be.
static const struct {
    char bracket;
    const char *name;
} values[] = {
    [AT_TOP] = {'{', "an object"},
    [AT_FILE] = {'{', "an object"},
    [AT_PART] = {'{', "an object"},
    [AT_TASK] = {'[', "a list"},
    [AT_SAMPLES] = {'{', "an object"},
    [AT_SAMPLE] = {'[', "a list of rows"},
    [AT_SOLUTIONS] = {'[', "a list of rows"},
    [AT_GRID] = {'[', "a list of cells"},
    [AT_ROW] = {0, "a number from 0 to 9"},
};

typedef struct {
    ts_sample *items;
    int count, capacity;
} Samples;

typedef struct {
    TaskLoad *load;
    const TaskSource *source;
    TaskForm form;

    Place place[DEEPEST + 1]; // of each open bracket, [0] is AT_TOP
    int depth;
    int resume;  // events are passed over while the depth is greater
    bool pass;   // the value to come does not matter
    int outside; // the depth of the container of tasks

    const char *parts[MOST_PARTS];
    int part_count;
    bool split_seen;

    StatusPlace known; // of the text

    TaskEntry *entry; // the task in hand, NULL where there is none
    size_t entry_at;
    bool has_train, has_test;
    Samples demos, tests; // tests also hold the grids of solutions
    Samples *list;        // one of the two

    int number; // of the sample in hand, from 1, 0 where there is none
    ts_sample sample;
    size_t sample_at;
    bool has_input, has_output;
    const char *field; // "input", "output", "solution", NULL outside

    int height, width;
    signed char cells[GRID_TASK_SIDE * GRID_TASK_SIDE];
    signed char row[GRID_TASK_SIDE];
    int row_count;
    size_t grid_at, row_at;
} Reader;

// ---- Problems ----

// "task 'abc', demo 2, output: ", as far as is known.
static void describe_place(const Reader *r, char *text, size_t size) {
    text[0] = 0;
    if (!r->entry) return;
    int n = snprintf(text, size, "task '%s'", r->entry->task.id);
    if (r->number)
        n += snprintf(text + n, size - (size_t)n, ", %s %d", r->list == &r->demos ? "demo" : "test",
                      r->number);
    if (r->field) n += snprintf(text + n, size - (size_t)n, ", %s", r->field);
    snprintf(text + n, size - (size_t)n, ": ");
}

// Forgets the task in hand and passes over what is left of it.
static void leave_task(Reader *r) {
    if (r->entry) r->entry->bad = true;
    r->entry = NULL;
    r->number = 0;
    r->field = NULL;
    if (r->depth > r->outside) r->resume = r->outside;
}

// Notes a problem with the task in hand. True where the reading goes on behind that task.
__attribute__((format(printf, 3, 4))) static bool problem(Reader *r, size_t at, const char *format, ...) {
    char where[LONGEST_ID + 80], what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    describe_place(r, where, sizeof where);
    Status s;
    status_fail(&s, TS_INPUT, "%s%s", where, what);
    status_locate(&s, &r->known, r->source->name, r->source->text, r->source->length, at);
    leave_task(r);
    return task_load_problem(r->load, &s) && r->form != TASK_FORM_ONE;
}

static bool no_memory(Reader *r) {
    Status s;
    status_fail(&s, TS_SYSTEM, "no memory for the tasks of '%s'", r->source->name);
    r->load->fatal = true;
    return task_load_problem(r->load, &s);
}

// A value of the wrong kind at a place.
static bool wrong_value(Reader *r, Place place, const char *found, size_t at) {
    const char *wanted = values[place].name;
    switch (place) {
    case AT_TOP: return problem(r, at, "the text is %s, not %s", found, wanted);
    case AT_FILE:
        if (r->form == TASK_FORM_SOLUTIONS) return problem(r, at, "this is %s, not a list of grids", found);
        if (r->form == TASK_FORM_PARTS)
            return problem(r, at, "part '%s' is %s, not %s", r->parts[r->part_count - 1], found, wanted);
        break;
    case AT_TASK:
        return problem(r, at, "\"%s\" is %s, not %s", r->list == &r->demos ? "train" : "test", found, wanted);
    case AT_GRID: return problem(r, at, "row %d is %s, not %s", r->height + 1, found, wanted);
    case AT_ROW:
        return problem(r, at, "row %d, cell %d is %s, not %s", r->height + 1, r->row_count + 1, found,
                       wanted);
    case AT_PART:
    case AT_SAMPLES:
    case AT_SAMPLE:
    case AT_SOLUTIONS: break;
    }
    return problem(r, at, "this is %s, not %s", found, wanted);
}

// ---- Rows and grids ----

static void begin_row(Reader *r, size_t at) {
    r->row_count = 0;
    r->row_at = at;
}

static bool end_row(Reader *r) {
    int row = r->height + 1;
    if (row > GRID_TASK_SIDE) return problem(r, r->row_at, "there are more than %d rows", GRID_TASK_SIDE);
    if (r->row_count == 0) return problem(r, r->row_at, "row %d has no cells", row);
    if (r->height == 0) r->width = r->row_count;
    if (r->row_count != r->width)
        return problem(r, r->row_at, "row %d has %d cell%s, row 1 has %d", row, r->row_count,
                       r->row_count == 1 ? "" : "s", r->width);
    memcpy(r->cells + r->height * r->width, r->row, (size_t)r->width);
    r->height++;
    return true;
}

static bool add_cell(Reader *r, const char *text, size_t length, size_t at) {
    if (r->row_count == GRID_TASK_SIDE)
        return problem(r, at, "row %d has more than %d cells", r->height + 1, GRID_TASK_SIDE);
    if (length != 1 || text[0] < '0' || text[0] > '9') {
        int shown = length > 24 ? 24 : (int)length;
        return problem(r, at, "row %d, cell %d is %.*s%s, not a digit from 0 to 9", r->height + 1,
                       r->row_count + 1, shown, text, (size_t)shown < length ? "..." : "");
    }
    r->row[r->row_count++] = (signed char)(text[0] - '0');
    return true;
}

static bool add_sample(Reader *r, ts_sample sample) {
    Samples *list = r->list;
    if (list->count == list->capacity) {
        int capacity = list->capacity ? list->capacity * 2 : 16;
        ts_sample *items = realloc(list->items, (size_t)capacity * sizeof *items);
        if (!items) return no_memory(r);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = sample;
    return true;
}

static void begin_grid(Reader *r, size_t at) {
    r->height = 0;
    r->grid_at = at;
}

static bool add_grid(Reader *r, int height, int width, const signed char *cells) {
    size_t count = (size_t)height * (size_t)width;
    signed char *copy = arena_alloc(&r->load->set->arena, count);
    if (!copy) return no_memory(r);
    memcpy(copy, cells, count);
    ts_grid grid = {.height = height, .width = width, .cells = copy};
    if (r->form == TASK_FORM_SOLUTIONS) return add_sample(r, (ts_sample){.output = grid});
    *(strcmp(r->field, "input") == 0 ? &r->sample.input : &r->sample.output) = grid;
    r->field = NULL;
    return true;
}

static bool end_grid(Reader *r) {
    if (r->height == 0) return problem(r, r->grid_at, "the grid has no rows");
    return add_grid(r, r->height, r->width, r->cells);
}

// ---- Samples and tasks ----

static void begin_sample(Reader *r, size_t at) {
    r->sample = (ts_sample){.is_test = r->list == &r->tests};
    r->sample_at = at;
    r->has_input = r->has_output = false;
}

static bool end_sample(Reader *r) {
    if (!r->has_input) return problem(r, r->sample_at, "\"input\" is missing");
    if (!r->has_output && !r->sample.is_test) return problem(r, r->sample_at, "\"output\" is missing");
    r->sample.has_output = r->has_output;
    r->number = 0;
    return add_sample(r, r->sample);
}

static void begin_task(Reader *r, size_t at) {
    r->entry_at = at;
    r->has_train = r->has_test = false;
    r->demos.count = r->tests.count = 0;
}

static bool end_task(Reader *r) {
    const Samples *demos = &r->demos, *tests = &r->tests;
    if (!r->has_train) return problem(r, r->entry_at, "\"train\" is missing");
    if (!r->has_test) return problem(r, r->entry_at, "\"test\" is missing");
    if (demos->count == 0) return problem(r, r->entry_at, "there are no demos, \"train\" is empty");
    if (tests->count == 0) return problem(r, r->entry_at, "there are no tests, \"test\" is empty");
    size_t count = (size_t)demos->count + (size_t)tests->count;
    ts_sample *samples = arena_alloc(&r->load->set->arena, count * sizeof *samples);
    if (!samples) return no_memory(r);
    memcpy(samples, demos->items, (size_t)demos->count * sizeof *samples);
    memcpy(samples + demos->count, tests->items, (size_t)tests->count * sizeof *samples);
    TaskEntry *entry = r->entry;
    entry->samples = samples;
    entry->task.samples = samples;
    entry->task.demos = demos->count;
    entry->task.tests = tests->count;
    entry->bad = false;
    r->entry = NULL;
    return true;
}

// The grids of a list of solutions go to the tests of their task.
static bool end_solutions(Reader *r) {
    TaskEntry *entry = r->entry;
    ts_sample *tests = entry->samples + entry->task.demos;
    r->number = 0;
    r->field = NULL;
    if (r->tests.count != entry->task.tests)
        return problem(r, r->entry_at, "the number of solutions is %d, that of tests %d", r->tests.count,
                       entry->task.tests);
    for (int k = 0; k < entry->task.tests; k++) {
        ts_grid solution = r->tests.items[k].output;
        if (tests[k].has_output && !ts_grid_equal(tests[k].output, solution))
            return problem(r, r->entry_at, "solution %d is not the output that the test itself has", k + 1);
        tests[k].output = solution;
        tests[k].has_output = true;
    }
    r->entry = NULL;
    return true;
}

// ---- Keys ----

#define ID_RULE "a task id has 1 to %d bytes of UTF-8 and no control characters"

static bool is_id(const char *text, size_t length) {
    if (length == 0 || length > LONGEST_ID) return false;
    for (size_t k = 0, bytes; k < length; k += bytes)
        if (!(bytes = utf8_printable((const unsigned char *)text + k, length - k))) return false;
    return true;
}

static bool key_of_task(Reader *r, const char *text, size_t length, size_t at) {
    r->pass = true;
    if (!is_id(text, length)) return problem(r, at, ID_RULE, LONGEST_ID);
    if (task_set_find(r->load->set, text, length))
        return problem(r, at, "task '%.*s' is there twice", (int)length, text);
    r->entry = task_set_add(r->load->set, text, length);
    if (!r->entry) return no_memory(r);
    r->entry->bad = true;
    r->entry_at = at;
    r->pass = false;
    return true;
}

static bool key_of_solutions(Reader *r, const char *text, size_t length, size_t at) {
    r->pass = true;
    TaskEntry *entry = is_id(text, length) ? task_set_find(r->load->set, text, length) : NULL;
    if (!entry && r->load->broken) return true; // its task may be among those that were not read
    if (!entry && !is_id(text, length)) return problem(r, at, "this is no task id");
    if (!entry) return problem(r, at, "there are solutions for '%.*s', but no such task", (int)length, text);
    if (entry->solved) return problem(r, at, "task '%s': its solutions are there twice", entry->task.id);
    entry->solved = true;
    if (entry->bad) return true;
    r->pass = false;
    r->entry = entry;
    r->entry_at = at;
    r->list = &r->tests;
    r->tests.count = 0;
    r->field = "solution";
    return true;
}

static bool key_of_part(Reader *r, const char *text, size_t length, size_t at) {
    r->pass = true;
    if (!is_id(text, length)) return problem(r, at, "this is no name of a part");
    for (int k = 0; k < r->part_count; k++)
        if (strncmp(r->parts[k], text, length) == 0 && r->parts[k][length] == 0)
            return problem(r, at, "part '%s' is there twice", r->parts[k]);
    if (r->part_count == MOST_PARTS) return problem(r, at, "there are more than %d parts", MOST_PARTS);
    const char *name = arena_text(&r->load->set->arena, text, length);
    if (!name) return no_memory(r);
    r->parts[r->part_count++] = name;
    const char *split = r->load->options.split;
    bool wanted = !split || strcmp(split, name) == 0;
    r->split_seen |= wanted;
    r->pass = !wanted;
    return true;
}

static bool key_of_field(Reader *r, const char *text, size_t length, size_t at) {
    bool in_task = r->place[r->depth] == AT_TASK;
    const char *first = in_task ? "train" : "input", *second = in_task ? "test" : "output";
    bool is_first = length == strlen(first) && memcmp(text, first, length) == 0;
    bool is_second = length == strlen(second) && memcmp(text, second, length) == 0;
    if (!is_first && !is_second) {
        r->pass = true;
        return true;
    }
    bool *seen =
        in_task ? (is_first ? &r->has_train : &r->has_test) : (is_first ? &r->has_input : &r->has_output);
    const char *name = is_first ? first : second;
    if (*seen) return problem(r, at, "\"%s\" is there twice", name);
    *seen = true;
    if (in_task) r->list = is_first ? &r->demos : &r->tests;
    else r->field = name;
    return true;
}

// ---- Events ----

static bool ignores(const Reader *r) { return r->depth > r->resume; }

// Before a value: true where it is to be passed over.
static bool passes(Reader *r) {
    if (r->pass) {
        r->pass = false;
        return true;
    }
    Place place = r->place[r->depth];
    if (place == AT_SAMPLES || place == AT_SOLUTIONS) r->number = r->list->count + 1;
    return false;
}

static void begin(Reader *r, Place place, size_t at) {
    r->place[r->depth] = place;
    switch (place) {
    case AT_TASK: begin_task(r, r->form == TASK_FORM_ONE ? at : r->entry_at); break;
    case AT_SAMPLE: begin_sample(r, at); break;
    case AT_GRID: begin_grid(r, at); break;
    case AT_ROW: begin_row(r, at); break;
    default: break;
    }
}

static Place place_inside(const Reader *r, Place place) {
    switch (place) {
    case AT_TOP: return r->form == TASK_FORM_ONE ? AT_TASK : AT_FILE;
    case AT_FILE:
        return r->form == TASK_FORM_PARTS ? AT_PART : r->form == TASK_FORM_SOLUTIONS ? AT_SOLUTIONS : AT_TASK;
    case AT_PART: return AT_TASK;
    case AT_TASK: return AT_SAMPLES;
    case AT_SAMPLES: return AT_SAMPLE;
    case AT_SAMPLE:
    case AT_SOLUTIONS: return AT_GRID;
    case AT_GRID:
    case AT_ROW: break;
    }
    return AT_ROW;
}

static bool on_open(void *user, char bracket, size_t at) {
    Reader *r = user;
    if (ignores(r)) {
        r->depth++;
        return true;
    }
    Place place = r->place[r->depth];
    char wanted = r->form == TASK_FORM_SOLUTIONS && place == AT_FILE ? '[' : values[place].bracket;
    bool pass = passes(r);
    r->depth++;
    if (!pass && bracket == wanted) {
        begin(r, place_inside(r, place), at);
        return true;
    }
    r->resume = r->depth - 1;
    return pass || wrong_value(r, place, bracket == '{' ? "an object" : "a list", at);
}

static bool on_close(void *user, size_t at) {
    (void)at;
    Reader *r = user;
    bool ignored = ignores(r);
    Place place = ignored ? AT_TOP : r->place[r->depth];
    r->depth--;
    if (ignored) {
        if (!ignores(r)) r->resume = INT_MAX;
        return true;
    }
    switch (place) {
    case AT_TASK: return end_task(r);
    case AT_SAMPLE: return end_sample(r);
    case AT_SOLUTIONS: return end_solutions(r);
    case AT_GRID: return end_grid(r);
    case AT_ROW: return end_row(r);
    default: return true;
    }
}

static bool on_key(void *user, const char *text, size_t length, size_t at) {
    Reader *r = user;
    if (ignores(r)) return true;
    switch (r->place[r->depth]) {
    case AT_FILE:
        if (r->form == TASK_FORM_SOLUTIONS) return key_of_solutions(r, text, length, at);
        if (r->form == TASK_FORM_PARTS) return key_of_part(r, text, length, at);
        return key_of_task(r, text, length, at);
    case AT_PART: return key_of_task(r, text, length, at);
    default: return key_of_field(r, text, length, at);
    }
}

static bool on_scalar(void *user, TaskJsonScalar kind, const char *text, size_t length, size_t at) {
    static const char *const names[] = {"null", "true or false", "a number", "a text"};
    Reader *r = user;
    if (ignores(r) || passes(r)) return true;
    Place place = r->place[r->depth];
    if (place == AT_ROW && kind == TASK_JSON_NUMBER) return add_cell(r, text, length, at);
    return wrong_value(r, place, names[kind], at);
}

static bool passes_over(void *user) {
    const Reader *r = user;
    return ignores(r) || r->pass;
}

static bool wants_grid(void *user) {
    const Reader *r = user;
    return passes_over(user) || r->place[r->depth] == AT_SAMPLE || r->place[r->depth] == AT_SOLUTIONS;
}

static bool on_grid(void *user, const TaskScanGrid *grid, size_t at) {
    (void)at;
    Reader *r = user;
    return ignores(r) || passes(r) || add_grid(r, grid->height, grid->width, grid->cells);
}

static bool wants_sample(void *user) {
    const Reader *r = user;
    return !passes_over(user) && r->place[r->depth] == AT_SAMPLES;
}

static bool on_sample(void *user, const TaskScanGrid grids[2], size_t at) {
    static const char *const fields[] = {"input", "output"};
    Reader *r = user;
    passes(r);
    begin_sample(r, at);
    for (int k = 0; k < 2; k++) {
        r->field = fields[k];
        if (!add_grid(r, grids[k].height, grids[k].width, grids[k].cells)) return false;
    }
    r->has_input = r->has_output = true;
    return end_sample(r);
}

// ---- The whole text ----

static Reader new_reader(TaskLoad *load, const TaskSource *source, TaskForm form) {
    int outside = form == TASK_FORM_ONE ? 0 : form == TASK_FORM_PARTS ? 2 : 1;
    return (Reader){.load = load, .source = source, .form = form, .resume = INT_MAX, .outside = outside};
}

// Runs the events of the text through the reader. True where it was read to its end.
static bool read_events(Reader *r) {
    TaskJsonListener listener = {.open = on_open, .close = on_close, .key = on_key, .scalar = on_scalar};
    if (!r->load->options.plain) {
        listener.wants_grid = wants_grid;
        listener.grid = on_grid;
        listener.wants_sample = wants_sample;
        listener.sample = on_sample;
        listener.passes_over = passes_over;
    }
    TaskJsonError error;
    TaskJsonEnd end = task_json_parse(r->source->text, r->source->length, &listener, r, &error);
    if (end == TASK_JSON_BROKEN) {
        problem(r, error.at, "bad JSON: %s", error.message);
        r->load->broken = true;
    }
    free(r->demos.items);
    free(r->tests.items);
    return end == TASK_JSON_DONE;
}

// A problem of the file as a whole.
__attribute__((format(printf, 4, 5))) static bool file_problem(TaskLoad *load, const TaskSource *source,
                                                               ts_code code, const char *format, ...) {
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    Status s;
    status_fail(&s, code, "%s", message);
    status_in_file(&s, source->name);
    if (code == TS_USAGE) load->fatal = true;
    return task_load_problem(load, &s);
}

static bool no_such_part(const Reader *r) {
    char names[256] = "";
    size_t n = 0;
    for (int k = 0; k < r->part_count && n < sizeof names; k++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s'%s'", k ? ", " : "", r->parts[k]);
    return file_problem(r->load, r->source, TS_USAGE, "there is no part '%.80s', only %s",
                        r->load->options.split, names);
}

static bool load_one(TaskLoad *load, const TaskSource *source, const char *id) {
    if (!id)
        return file_problem(
            load, source, TS_INPUT,
            "there is one task without an id here, where a file of tasks {ID: task} is expected");
    if (!is_id(id, strlen(id)))
        return file_problem(load, source, TS_INPUT, "the name of this file is no task id: " ID_RULE,
                            LONGEST_ID);
    Reader r = new_reader(load, source, TASK_FORM_ONE);
    key_of_task(&r, id, strlen(id), 0);
    TaskEntry *entry = r.entry;
    if (entry && !read_events(&r)) entry->bad = true;
    return task_load_goes_on(load);
}

static bool load_many(TaskLoad *load, const TaskSource *source, TaskForm form) {
    Reader r = new_reader(load, source, form);
    bool whole = read_events(&r);
    if (whole && form == TASK_FORM_PARTS && load->options.split && !r.split_seen) return no_such_part(&r);
    return task_load_goes_on(load);
}

bool task_load_text(TaskLoad *load, const TaskSource *source, const char *id, bool only_one) {
    TaskJsonError error;
    TaskForm form = task_form(source->text, source->length, &error);
    const char *split = load->options.split;
    bool several = form == TASK_FORM_MANY || form == TASK_FORM_PARTS;
    load->many = form == TASK_FORM_MANY;
    load->parts |= form == TASK_FORM_PARTS;
    if (form == TASK_FORM_BROKEN) {
        Status s;
        status_fail(&s, TS_INPUT, "bad JSON: %s", error.message);
        status_locate(&s, NULL, source->name, source->text, source->length, error.at);
        return task_load_problem(load, &s);
    }
    if (only_one && several)
        return file_problem(load, source, TS_INPUT,
                            "there are many tasks here; a file in a folder holds one");
    if (form == TASK_FORM_SOLUTIONS && !only_one)
        return file_problem(load, source, TS_INPUT,
                            "there is no task here; if these are solutions, give the "
                            "challenges file beside them");
    if (form == TASK_FORM_NONE && !only_one)
        return file_problem(load, source, TS_INPUT, "there is no task here: no list \"train\" or \"test\"");
    if (split && form != TASK_FORM_PARTS && !load->options.part_of_some)
        return file_problem(load, source, TS_USAGE, "there is no part '%.80s', for this is %s without parts",
                            split, several ? "a file of tasks" : "one task");
    return several ? load_many(load, source, form) : load_one(load, source, id);
}

bool task_load_solutions(TaskLoad *load, const TaskSource *source) {
    Reader r = new_reader(load, source, TASK_FORM_SOLUTIONS);
    bool whole = read_events(&r);
    if (!task_load_goes_on(load)) return false;
    int missing = 0;
    for (size_t k = 0; k < load->set->count; k++) {
        TaskEntry *entry = &load->set->entries[k];
        if (entry->bad || entry->solved) continue;
        entry->bad = true;
        missing++;
        if (whole &&
            !file_problem(load, source, TS_INPUT, "task '%s': there are no solutions for it", entry->task.id))
            return false;
    }
    if (!whole && missing)
        file_problem(load, source, TS_INPUT, "%d tasks whose solutions could not be read are left out",
                     missing);
    return task_load_goes_on(load);
}
