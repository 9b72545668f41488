// The engine as the page calls it: texts in, JSON out.
//
// Each call gets what a person has typed, pasted or opened from a link, and gives a text that the page frees
// with page_free; NULL says that memory is short. The page runs two of these, each in a worker of its own
// with its own memory: one for what is written, one for the search. So a call may take long, and be ended.
//
// Workload: a program of some ten lines on some ten samples after each key, within the units of an
// evaluation.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "search/quest.h"
#include "show/svg.h"
#include "task/task.h"
#include "tessera.h"

#define PAGE __attribute__((used, visibility("default"))) // exported by the name that it has here

enum {
    MOST_PROBLEMS = 20,
    MOST_TEXT = 400, // bytes of a value that is printed
    MOST_LINES = 200,
    MOST_TRACES = 40,    // of a text, one for each line that no other has brought
    MOST_MENDED = 20000, // bytes of a text that is read without its wrong lines
    MOST_UNITS = 100 * 1000 * 1000,
    MOST_SHOWN = 20,    // candidates
    MOST_TASKS = 10000, // what a page shows without being slow
    MOST_SAMPLES = 200,
    MOST_CELLS = 1000 * 1000, // of a task
    BENCH_SEED = 2026,
};
// Of a search: room that it may take, and the seconds of work in its first round, which grow from round to
// round.
static const size_t SEARCH_MEMORY = (size_t)384 << 20;
static const double FIRST_ROUND = 0.05, GROWTH = 3;

// One page, one of these.
static struct {
    ts_engine *engine;
    ts_tasks *tasks; // the task that is looked at, alone
    ts_programs *pool;
    ts_solver *solver;  // holds the search
    double round, left; // seconds: of the round under way, of the budget behind it
    int64_t units;      // left of the round
    int next, shares;   // of the round: the next engine, the shares of those to come
} page;

PAGE void *page_alloc(size_t bytes) { return malloc(bytes); }
PAGE void page_free(void *bytes) { free(bytes); }

static char *end(Text *t) { return text_take(t); }

// ---- JSON ----

static void put_status(Text *t, const ts_status *s) {
    text_add(t, "{\"message\": ");
    text_json(t, s->message);
    text_print(t, ", \"line\": %d, \"column\": %d}", s->line, s->column);
}

static char *fail_with(const ts_status *s) {
    Text t = {0};
    text_add(&t, "{\"error\": ");
    put_status(&t, s);
    text_char(&t, '}');
    return end(&t);
}

// Cells as letters: a digit each, a dot for what has no colour.
static void put_grid(Text *t, ts_grid g) {
    text_print(t, "{\"h\": %d, \"w\": %d, \"cells\": \"", g.height, g.width);
    for (int k = 0; k < g.height * g.width; k++)
        text_char(t, g.cells[k] >= 0 && g.cells[k] <= 9 ? (char)('0' + g.cells[k]) : '.');
    text_add(t, "\"}");
}

// Frees the text.
static void put_owned(Text *t, char *text) {
    if (text) text_json(t, text);
    else text_add(t, "null");
    free(text);
}

// ---- Tasks ----

static void put_samples(Text *t, const ts_task *task, int from, int to) {
    for (int k = from; k < to; k++) {
        text_add(t, k > from ? ", {\"input\": " : "{\"input\": ");
        put_grid(t, task->samples[k].input);
        if (task->samples[k].has_output) {
            text_add(t, ", \"output\": ");
            put_grid(t, task->samples[k].output);
        }
        text_char(t, '}');
    }
}

static void put_tasks(Text *t, const ts_tasks *tasks) {
    text_add(t, "{\"tasks\": [");
    for (size_t k = 0; k < ts_tasks_count(tasks); k++) {
        const ts_task *task = ts_tasks_at(tasks, k);
        text_add(t, k ? ", {\"id\": " : "{\"id\": ");
        text_json(t, task->id);
        text_add(t, ", \"train\": [");
        put_samples(t, task, 0, task->demos);
        text_add(t, "], \"test\": [");
        put_samples(t, task, task->demos, task->demos + task->tests);
        text_add(t, "]}");
    }
    text_add(t, "]}");
}

// A short text can hold more than a page can show.
static bool can_be_shown(const ts_tasks *tasks, ts_status *s) {
    const size_t count = ts_tasks_count(tasks);
    if (count > MOST_TASKS)
        return status_fail(s, TS_INPUT, "these are %zu tasks, and %d are the most that can be shown", count,
                           MOST_TASKS);
    for (size_t k = 0; k < count; k++) {
        const ts_task *task = ts_tasks_at(tasks, k);
        const int samples = task->demos + task->tests;
        int64_t cells = 0;
        for (int m = 0; m < samples; m++) {
            const ts_sample *sample = &task->samples[m];
            cells += sample->input.height * sample->input.width;
            if (sample->has_output) cells += sample->output.height * sample->output.width;
        }
        if (samples > MOST_SAMPLES || cells > MOST_CELLS)
            return status_fail(
                s, TS_INPUT,
                "task '%s' has %d samples with %lld cells, and %d with %d are the most that can "
                "be shown",
                task->id, samples, (long long)cells, MOST_SAMPLES, MOST_CELLS);
    }
    return true;
}

// Tasks of a text in any of the forms of ARC, in one form, or what is wrong. `id` is the name of one that has
// none; a Kaggle file may come with its solutions. Without a text they are those that are bundled.
PAGE char *page_read(const char *id, size_t id_length, const char *text, size_t length, const char *solutions,
                     size_t solutions_length) {
    (void)id_length; // a zero closes it
    ts_status status = {.code = TS_SYSTEM, .message = "memory is short"};
    Text t = {0};
    const TaskSource source = {.name = id, .text = text, .length = length};
    const TaskSource outputs = {.name = "solutions", .text = solutions, .length = solutions_length};
    ts_tasks *tasks =
        length ? task_read_text(&source, solutions_length ? &outputs : NULL, id, &(TaskOptions){0}, &status)
               : ts_tasks_bundled(NULL, &status);
    if (!tasks) return fail_with(&status);
    const bool good = can_be_shown(tasks, &status);
    if (good) put_tasks(&t, tasks);
    ts_tasks_free(tasks);
    return good ? end(&t) : fail_with(&status);
}

// The task that programs are run on and searched for from now on.
PAGE char *page_task(const char *text, size_t length) {
    ts_status status = {.code = TS_SYSTEM, .message = "memory is short"};
    ts_tasks *tasks = ts_tasks_read_text("task", text, length, NULL, &status);
    if (!tasks) return fail_with(&status);
    ts_solver_free(page.solver);
    page.solver = NULL;
    ts_tasks_free(page.tasks);
    page.tasks = tasks;
    return strdup("{}");
}

static const ts_task *the_task(void) {
    return page.tasks && ts_tasks_count(page.tasks) ? ts_tasks_at(page.tasks, 0) : NULL;
}

static bool has_engine(void) {
    if (!page.engine) page.engine = ts_engine_new();
    return page.engine;
}

// ---- Writing ----

typedef struct {
    ts_status items[MOST_PROBLEMS];
    size_t count;
} Problems;

static void on_problem(void *user, const ts_status *problem) {
    Problems *p = user;
    if (p->count < MOST_PROBLEMS) p->items[p->count++] = *problem;
}

static void put_problems(Text *t, const Problems *p) {
    char *problems = ts_problems_json(p->items, p->count);
    text_print(t, "\"problems\": %s", problems ? problems : "[]");
    free(problems);
}

static void put_value(Text *t, ts_value value, ts_grid like) {
    static SvgPictures pictures;
    text_add(t, ", \"is\": ");
    put_owned(t, ts_value_describe(value));
    if (svg_pictures(&pictures, value, like)) {
        text_add(t, ", \"pictures\": [");
        for (int k = 0; k < pictures.count; k++) {
            if (k) text_add(t, ", ");
            put_grid(t, pictures.grids[k]);
        }
        text_char(t, ']');
        if (!pictures.titles[0]) return;
        text_add(t, ", \"titles\": [");
        for (int k = 0; k < pictures.count; k++) {
            if (k) text_add(t, ", ");
            text_json(t, pictures.titles[k]);
        }
        text_char(t, ']');
        return;
    }
    text_add(t, ", \"value\": ");
    put_owned(t, ts_value_print_some(value, MOST_TEXT, NULL));
}

// ---- Lines ----
//
// A trace has the lines that the result needs. While somebody writes, other lines matter as much: one that
// nothing needs yet, those above and below one that is half written. So each that no trace has brought is
// made the end of a program: the text up to there, without lines that are wrong, and what it is called is
// returned. Lines of the text stay where they are.

typedef struct {
    Text of[MOST_LINES + 1]; // by the line of the text, from 1
    bool is_known[MOST_LINES + 1];
    const ts_sample *sample;
    uint64_t units; // spent so far
    int traces;
} Lines;

static bool put_line(void *user, const ts_trace_line *line) {
    Lines *lines = user;
    lines->units += line->units;
    if (line->source < 1 || line->source > MOST_LINES || lines->is_known[line->source]) return true;
    Text *t = &lines->of[line->source];
    text_print(t, "%s{\"source\": %d, \"text\": ", t->length ? ", " : "", line->source);
    text_json(t, line->text);
    if (line->failure) text_print(t, ", \"failure\": \"%s\"", ts_failure_name(line->failure));
    else put_value(t, line->value, lines->sample->input);
    text_char(t, '}');
    return true;
}

static void trace(Lines *lines, const ts_programs *programs) {
    const size_t count = ts_programs_count(programs);
    if (!count) return;
    ts_trace(page.engine, programs, count - 1, the_task(), lines->sample->input, NULL, put_line, lines);
    for (int k = 1; k <= MOST_LINES; k++) lines->is_known[k] |= lines->of[k].length > 0;
    lines->traces++;
}

// The length of the name that a line gives a value to, and where it begins; 0 where it is no such line.
static size_t named(const char *line, size_t length, const char **name) {
    size_t at = 0, n = 0;
    while (at < length && line[at] == ' ') at++;
    *name = line + at;
    while (at + n < length && (isalnum((unsigned char)(*name)[n]) || (*name)[n] == '_')) n++;
    size_t sign = at + n;
    while (sign < length && line[sign] == ' ') sign++;
    return at && sign + 1 < length && line[sign] == '=' && line[sign + 1] != '=' ? n : 0;
}

static void trace_up_to(Lines *lines, const char *text, const char *line, size_t length) {
    const char *name;
    const size_t n = named(line, length, &name);
    ts_status status;
    Text t = {0};
    ts_programs *programs = n ? ts_programs_new() : NULL;
    if (programs) {
        text_put(&t, text, (size_t)(line - text) + length);
        text_print(&t, "\n%.*sreturn %.*s\n", (int)(name - line), line, (int)n, name);
        if (!t.failed &&
            ts_programs_add_text(programs, "program", t.data, t.length, true, NULL, NULL, &status))
            trace(lines, programs);
    }
    text_free(&t);
    ts_programs_free(programs);
}

// The lines of a text that no trace has brought, the last first: it needs most of the others.
static void trace_others(Lines *lines, const char *text, size_t length) {
    const char *starts[MOST_LINES + 2] = {NULL, text};
    int count = 1;
    for (const char *at = text; count <= MOST_LINES && (at = memchr(at, '\n', (size_t)(text + length - at)));)
        starts[++count] = ++at;
    for (int k = count; k >= 1; k--) {
        if (k > MOST_LINES || lines->is_known[k]) continue;
        if (lines->traces >= MOST_TRACES || lines->units > MOST_UNITS) break;
        const char *line = starts[k], *over = k < count ? starts[k + 1] - 1 : text + length;
        trace_up_to(lines, text, line, (size_t)(over - line));
    }
}

// Makes a line empty, if it is one within a program.
static bool empty_line(char *text, size_t length, int number) {
    char *line = text, *end = text + length;
    for (int k = 1; line && k < number; k++) {
        line = memchr(line, '\n', (size_t)(end - line));
        if (line) line++;
    }
    bool was_there = false;
    for (char *c = line; line && *line == ' ' && c < end && *c != '\n'; c++) {
        was_there |= *c != ' ';
        *c = ' ';
    }
    return was_there;
}

// Without the lines that are wrong, and without those that need one of them, and so on.
static void empty_wrong_lines(char *text, size_t length) {
    bool again = true;
    for (int round = 0; again && round < MOST_PROBLEMS; round++) {
        Problems *problems = calloc(1, sizeof *problems);
        ts_programs *programs = ts_programs_new();
        ts_status status;
        if (problems && programs)
            ts_programs_add_text(programs, "program", text, length, false, on_problem, problems, &status);
        again = false;
        for (size_t k = 0; problems && k < problems->count; k++)
            again |= empty_line(text, length, problems->items[k].line);
        ts_programs_free(programs);
        free(problems);
    }
}

static void put_lines(Text *t, const ts_programs *programs, const char *text, size_t length, int sample) {
    const ts_task *task = the_task();
    const int count = task ? task->demos + task->tests : 0;
    Lines *lines = count && has_engine() ? calloc(1, sizeof *lines) : NULL;
    if (!lines) return;
    lines->sample = &task->samples[sample >= 0 && sample < count ? sample : 0];
    Text right = {0};
    text_put(&right, text, length);
    if (programs) trace(lines, programs);
    else if (!right.failed && length <= MOST_MENDED) empty_wrong_lines(right.data, right.length);
    if (!right.failed) trace_others(lines, right.data ? right.data : "", right.length);
    text_free(&right);
    text_add(t, ", \"lines\": [");
    for (int k = 1, put = 0; k <= MOST_LINES; k++) {
        if (lines->of[k].length && !lines->of[k].failed)
            text_print(t, "%s%s", put++ ? ", " : "", lines->of[k].data);
        text_free(&lines->of[k]);
    }
    text_char(t, ']');
    free(lines);
}

// ---- What it all comes to ----

static void put_fault(Text *t, const ts_programs *programs, size_t index, const ts_task *task, int sample) {
    const ts_sample *s = &task->samples[sample];
    ts_fault fault;
    if (!ts_explain(page.engine, programs, index, task, s->input, s->has_output ? &s->output : NULL, &fault))
        return;
    char *json = ts_fault_json(&fault);
    if (json) text_print(t, ", \"fault\": %s", json);
    free(json);
}

static void put_sample(Text *t, const ts_programs *programs, size_t index, const ts_task *task, int sample) {
    const ts_sample *s = &task->samples[sample];
    const ts_result r = ts_run_sample(page.engine, programs, index, task, sample);
    const bool is_grid = !r.failure && ts_value_is_grid(r.value);
    const ts_grid grid = is_grid ? ts_value_grid(r.value) : (ts_grid){0};
    const bool fits = is_grid && grid.height <= TS_MOST_SIDE && grid.width <= TS_MOST_SIDE;
    text_print(t, "{\"units\": %llu, \"known\": %s", (unsigned long long)r.units,
               s->has_output ? "true" : "false");
    if (r.failure) text_print(t, ", \"failure\": \"%s\", \"line\": %d", ts_failure_name(r.failure), r.line);
    if (fits) {
        text_add(t, ", \"grid\": ");
        put_grid(t, grid);
    }
    if (fits && s->has_output)
        text_print(t, ", \"right\": %s, \"off\": %d", ts_grid_equal(grid, s->output) ? "true" : "false",
                   ts_grid_off(grid, s->output));
    text_char(t, '}');
}

static void put_runs(Text *t, const ts_programs *programs, size_t index, int sample) {
    const ts_task *task = the_task();
    const int count = task ? task->demos + task->tests : 0;
    if (!count || !has_engine()) return;
    text_add(t, ", \"samples\": [");
    for (int k = 0; k < count; k++) {
        if (k) text_add(t, ", ");
        put_sample(t, programs, index, task, k);
    }
    text_char(t, ']');
    put_fault(t, programs, index, task, sample >= 0 && sample < count ? sample : 0);
}

// All that is to be said of a program while it is typed: its problems, or its words and what it gives on all
// samples of the task; and its lines on the one that is chosen. Of several programs the last counts.
PAGE char *page_write(const char *text, size_t length, int sample) {
    ts_programs *programs = ts_programs_new();
    Problems *problems = calloc(1, sizeof *problems);
    ts_status status;
    Text t = {0};
    if (!programs || !problems) {
        ts_programs_free(programs);
        free(problems);
        return NULL;
    }
    ts_programs_add_text(programs, "program", text, length, false, on_problem, problems, &status);
    const size_t count = ts_programs_count(programs);
    text_char(&t, '{');
    put_problems(&t, problems);
    if (count && !problems->count) {
        text_add(&t, ", \"name\": ");
        text_json(&t, ts_programs_name(programs, count - 1));
        text_add(&t, ", \"words\": ");
        put_owned(&t, ts_programs_tell(programs, count - 1));
        text_add(&t, ", \"text\": ");
        put_owned(&t, ts_programs_print(programs, count - 1));
        put_runs(&t, programs, count - 1, sample);
    }
    put_lines(&t, problems->count ? NULL : programs, text, length, sample);
    text_char(&t, '}');
    ts_programs_free(programs);
    free(problems);
    return end(&t);
}

// ---- The language ----

static void put_op(Text *t, size_t index) {
    const ts_op op = ts_ops_at(index);
    text_add(t, "{\"name\": ");
    text_json(t, op.name);
    text_print(t, ", \"family\": \"%s\", \"ours\": %s, \"result\": \"%s\", \"parameters\": [", op.family,
               op.ours ? "true" : "false", op.result);
    for (int k = 0; k < op.arity; k++)
        text_print(t, "%s[\"%s\", \"%s\"]", k ? ", " : "", op.parameters[k], op.types[k]);
    text_add(t, "], \"doc\": ");
    text_json(t, op.doc ? op.doc : "");
    ts_status status;
    ts_result r;
    if (op.example && ts_eval(page.engine, op.example, strlen(op.example), &r, &status) && !r.failure) {
        text_add(t, ", \"example\": ");
        text_json(t, op.example);
        text_add(t, ", \"gives\": ");
        put_owned(t, ts_value_print_some(r.value, MOST_TEXT / 4, NULL));
    }
    text_char(t, '}');
}

// The primitives, each with an example and what that gives, and the names that are values.
PAGE char *page_language(void) {
    Text t = {0};
    if (!has_engine()) return NULL;
    text_print(&t, "{\"version\": \"%s\", \"ops\": [", ts_version());
    for (size_t k = 0; k < ts_ops_count(); k++) {
        if (k) text_add(&t, ",\n");
        put_op(&t, k);
    }
    text_add(&t, "], \"constants\": [");
    ts_value value;
    const char *name;
    for (size_t k = 0; (name = ts_constant(k, &value)); k++) {
        text_print(&t, "%s[\"%s\", ", k ? ", " : "", name);
        put_owned(&t, ts_value_print_some(value, MOST_TEXT / 4, NULL));
        text_char(&t, ']');
    }
    text_add(&t, "]}");
    return end(&t);
}

// ---- Searching ----

static bool has_pool(ts_status *status) {
    if (!page.pool) page.pool = ts_programs_new();
    if (!page.pool || ts_programs_count(page.pool)) return page.pool;
    return ts_programs_bundled(page.pool, status);
}

static Quest *the_quest(void) {
    return (Quest *)ts_solver_search(page.solver, 0); // the first thing that a search holds
}

static void begin_round(double seconds) {
    const Quest *q = the_quest();
    page.round = seconds < page.left ? seconds : page.left;
    page.left -= page.round;
    page.units = (int64_t)(page.round * 1e9);
    page.next = page.shares = 0;
    for (int e = 0; e < ENGINES; e++)
        if (!q->through[e]) page.shares += engines_table[e].share;
}

static int better(const void *a, const void *b) {
    const ts_search *search = ts_solver_search(page.solver, 0);
    const ts_found x = ts_search_at(search, *(const size_t *)a), y = ts_search_at(search, *(const size_t *)b);
    if (x.demos_right != y.demos_right) return y.demos_right - x.demos_right;
    if (x.confidence != y.confidence) return x.confidence < y.confidence ? 1 : -1;
    if (x.lines != y.lines) return x.lines < y.lines ? -1 : 1;
    return *(const size_t *)a < *(const size_t *)b ? -1 : 1;
}

static void put_found(Text *t) {
    const ts_search *search = ts_solver_search(page.solver, 0);
    const size_t count = ts_search_count(search);
    size_t *order = malloc((count + 1) * sizeof *order);
    for (size_t k = 0; order && k < count; k++) order[k] = k;
    if (order) qsort(order, count, sizeof *order, better);
    for (size_t k = 0; order && k < count && k < MOST_SHOWN; k++) {
        const ts_found f = ts_search_at(search, order[k]);
        text_print(t, "%s{\"number\": %zu, \"engine\": \"%s\", \"right\": %d, \"demos\": %d, ", k ? ", " : "",
                   order[k], f.engine, f.demos_right, f.demos);
        text_print(t, "\"confidence\": %.4f, \"lines\": %zu, \"program\": ", f.confidence, f.lines);
        text_json(t, f.program);
        text_add(t, ", \"words\": ");
        put_owned(t, ts_tell(f.program));
        if (f.answers && f.answers[0].height) {
            text_add(t, ", \"answer\": ");
            put_grid(t, f.answers[0]);
        }
        text_char(t, '}');
    }
    free(order);
}

static bool is_over(void) {
    const Quest *q = the_quest();
    return !page.shares || quest_trust(q) >= QUEST_TRUSTED || (page.next == ENGINES && page.left <= 0);
}

static char *tell_found(double part, const char *engine) {
    Text t = {0};
    text_print(&t, "{\"part\": %.4f, \"over\": %s, \"engine\": \"%s\", \"count\": %zu, \"found\": [", part,
               is_over() ? "true" : "false", engine, ts_search_count(ts_solver_search(page.solver, 0)));
    put_found(&t);
    text_add(&t, "]}");
    return end(&t);
}

// Begins a search for the task with so many seconds of work: the programs of the pool come first.
PAGE char *page_search(double seconds) {
    const ts_task *task = the_task();
    ts_status status = {.code = TS_SYSTEM, .message = "memory is short"};
    ts_solver_options options = {.search = {.seconds = FIRST_ROUND, .engines = "", .memory = SEARCH_MEMORY},
                                 .threads = 1};
    ts_solver_free(page.solver);
    page.solver = NULL;
    if (!task || !has_pool(&status)) return fail_with(&status);
    options.pool = page.pool;
    page.solver = ts_solver_new(&task, 1, &options, &status);
    if (!page.solver || !ts_solver_run(page.solver, NULL, NULL, &status)) return fail_with(&status);
    page.left = seconds;
    begin_round(FIRST_ROUND);
    return tell_found(0, "pool");
}

// Runs the next engine. The rounds grow, each with shares for all engines, as quest_run gives them.
PAGE char *page_more(void) {
    if (!page.solver) return strdup("{\"over\": true, \"found\": []}");
    Quest *q = the_quest();
    while (page.next < ENGINES && (q->through[page.next] || !engines_table[page.next].share)) page.next++;
    const char *name = "";
    if (page.next < ENGINES && page.shares > 0) {
        const int share = engines_table[page.next].share;
        const int64_t most = page.units / page.shares * share;
        name = engines_table[page.next].name;
        quest_run(q, name, most);
        quest_rest(q);
        page.units -= most - (q->units > 0 ? q->units : 0);
        page.shares -= page.shares > share ? share : 0;
        page.next++;
    }
    if (page.next == ENGINES && page.left > 0) begin_round(page.round * GROWTH);
    return tell_found(page.left, name);
}

// ---- What it does must be what it does elsewhere ----

// Lines `expression => value`, or `name INPUT => OUTPUT` where there are programs.
PAGE char *page_check(const char *text, size_t length, const char *program, size_t program_length) {
    Text t = {0};
    Problems *problems = calloc(1, sizeof *problems);
    ts_programs *programs = program_length ? ts_programs_new() : NULL;
    ts_check_result result = {0};
    ts_status status;
    bool good = problems && has_engine();
    if (good && programs)
        good = ts_programs_add_text(programs, "programs", program, program_length, false, on_problem,
                                    problems, &status);
    const double start = clock_ms();
    if (good) good = ts_check(page.engine, programs, "check", text, length, on_problem, problems, &result);
    text_print(&t, "{\"good\": %s, \"passed\": %zu, \"failed\": %zu, \"ms\": %.3f, ", good ? "true" : "false",
               result.passed, result.failed, clock_ms() - start);
    if (problems) put_problems(&t, problems);
    text_char(&t, '}');
    ts_programs_free(programs);
    free(problems);
    return end(&t);
}

// As `tessera bench` does; the time is without the hash.
static uint64_t run_examples(const ts_programs *programs, const ts_tasks *tasks, size_t *samples) {
    uint64_t signature = 0;
    for (size_t p = 0; p < ts_programs_count(programs); p++)
        for (size_t k = 0; k < ts_tasks_count(tasks); k++) {
            const ts_task *task = ts_tasks_at(tasks, k);
            for (int s = 0; s < task->demos + task->tests; s++) {
                const ts_result r = ts_run_sample(page.engine, programs, p, task, s);
                if (!samples) continue;
                signature = hash_mix(signature, r.failure ? 1 : ts_value_hash(r.value));
                ++*samples;
            }
        }
    return signature;
}

// The signature of `tessera bench`, and the time for a sample of the fastest of so many rounds.
PAGE char *page_bench(int rounds) {
    ts_status status;
    Text t = {0};
    ts_tasks *tasks = ts_tasks_bundled(NULL, &status);
    ts_programs *programs = ts_programs_new();
    if (tasks && programs && has_engine() && ts_programs_examples(programs, &status)) {
        size_t samples = 0;
        uint64_t signature = run_examples(programs, tasks, &samples);
        double fastest = 0;
        for (int k = 0; k < rounds; k++) {
            const double before = clock_ms();
            run_examples(programs, tasks, NULL);
            const double ms = clock_ms() - before;
            if (k == 0 || ms < fastest) fastest = ms;
        }
        for (size_t k = 0; k < ts_ops_count(); k++)
            signature = hash_mix(signature, ts_bench_op(page.engine, k, BENCH_SEED, 0).hash);
        text_print(&t, "{\"signature\": \"%016llx\", \"us\": %.3f}", (unsigned long long)signature,
                   fastest * 1e3 / (double)samples);
    }
    ts_programs_free(programs);
    ts_tasks_free(tasks);
    return end(&t);
}

// The submission for tasks of a text, those that are bundled where it has none, as `tessera solve` writes it.
PAGE char *page_solve(const char *text, size_t length, double seconds) {
    ts_status status = {.code = TS_SYSTEM, .message = "memory is short"};
    ts_tasks *tasks =
        length ? ts_tasks_read_text("tasks", text, length, NULL, &status) : ts_tasks_bundled(NULL, &status);
    const size_t count = tasks ? ts_tasks_count(tasks) : 0;
    const ts_task **list = calloc(count + 1, sizeof *list);
    ts_solver_options options = {.search = {.seconds = seconds}, .threads = 1};
    ts_solver *solver = NULL;
    char *result = NULL;
    for (size_t k = 0; list && k < count; k++) list[k] = ts_tasks_at(tasks, k);
    if (list && tasks && has_pool(&status)) {
        options.pool = page.pool;
        solver = ts_solver_new(list, count, &options, &status);
    }
    if (solver && ts_solver_run(solver, NULL, NULL, &status))
        result = ts_submission_print(ts_solver_submission(solver));
    ts_solver_free(solver);
    free(list);
    ts_tasks_free(tasks);
    return result ? result : fail_with(&status);
}
