// A user's differs: read, and tried before they score anything.
//
// A differ that does not give (score, detail) would be a silent zero in every mean. So its types are looked
// at, which see what it can give at all, and it is run on some small pairs of grids. It passes if it gives a
// score on one of these and nothing else on the others; to fail on some grids is its good right.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "battery/battery.h"
#include "program/types.h"

#define WANTED "where (score, detail) is expected, the score a whole number from 0 to 1000"

enum { SIDE = 6, TRIAL_UNITS = 1000000, MOST_SHOWN = 60 }; // units: as in the scoring

// ---- The grids ----

// Objects of several sizes and colours, a ring, a line; the same with some cells changed; two small ones.
static const signed char scene_cells[SIDE * SIDE] = {0, 1, 1, 0, 0, 2, //
                                                     0, 1, 1, 0, 0, 2, //
                                                     0, 0, 0, 0, 0, 2, //
                                                     3, 3, 3, 0, 4, 0, //
                                                     3, 0, 3, 0, 0, 0, //
                                                     3, 3, 3, 0, 5, 5};
static const signed char other_cells[SIDE * SIDE] = {0, 1, 1, 0, 0, 2, //
                                                     0, 1, 6, 0, 0, 2, //
                                                     0, 0, 0, 0, 0, 2, //
                                                     3, 3, 3, 0, 0, 0, //
                                                     3, 7, 3, 0, 0, 0, //
                                                     3, 3, 3, 0, 0, 5};
static const signed char small_cells[] = {1, 0, 2, 0, 1, 0, 2, 0, 1}, tall_cells[] = {1, 2, 2, 1, 0, 0, 3, 3};

enum { SCENE, OTHER, SMALL, TALL, GRIDS };
static const ts_grid grids[GRIDS] = {
    {SIDE, SIDE, scene_cells}, {SIDE, SIDE, other_cells}, {3, 3, small_cells}, {4, 2, tall_cells}};

typedef struct {
    int given, right; // of the grids
} Pair;
static const Pair pairs[] = {{OTHER, SCENE}, {SCENE, SCENE}, {SCENE, OTHER}, {SMALL, SCENE},
                             {SCENE, SMALL}, {TALL, SMALL},  {SMALL, TALL}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

// ---- What a differ gives ----

typedef struct {
    const char *file, *text;
    size_t length;
    const ts_programs *set;
    ts_engine *engine;
} Trial;

// Where a line of the text, from 1, begins; of line 0 where the program does.
static size_t place_of(const Trial *t, const Program *p, uint32_t line) {
    size_t at = 0;
    const size_t n = strlen(p->name);
    for (uint32_t k = 1; at < t->length; k++) {
        const char *text = t->text + at;
        size_t inner = 0;
        while (at + inner < t->length && (text[inner] == ' ' || text[inner] == '\t')) inner++;
        const char *word = text + inner;
        const size_t left = t->length - at - inner;
        const bool begins = left > n + 4 && memcmp(word, "def ", 4) == 0 &&
                            memcmp(word + 4, p->name, n) == 0 && (word[n + 4] == '(' || word[n + 4] == ' ');
        if (line ? k == line : begins) return at + inner;
        const char *end = memchr(text, '\n', t->length - at);
        if (!end) break;
        at = (size_t)(end - t->text) + 1;
    }
    return 0;
}

static bool fail_at(const Trial *t, const Program *p, uint32_t line, const char *what, Status *s) {
    status_fail(s, TS_INPUT, "differ '%.80s' %s", p->name, what);
    return status_locate(s, NULL, t->file, t->text, t->length, place_of(t, p, line));
}

// The line of the text that gives the result, 0 where that is a constant or an argument.
static uint32_t last_line(const Program *p) {
    const uint32_t first = SLOTS_GIVEN + p->constant_count;
    return p->result >= first ? p->lines[p->result - first].source : 0;
}

// Refuses what cannot be a pair with a number first, whatever the grids are.
static bool check_types(const Trial *t, const Program *p, Status *s) {
    Type *types = malloc(program_slots(p) * sizeof *types);
    if (!types) return status_fail(s, TS_SYSTEM, "not enough memory to try a differ");
    TypeProblem problem;
    Text what = {0};
    bool good = program_types(p, types, &problem);
    uint32_t line = last_line(p);
    if (!good) {
        line = p->lines[problem.line].source;
        text_add(&what, "cannot work in ");
        type_problem_print(&what, &problem); // "line 2: …", of the program as it prints
    } else {
        const Type result = types[p->result];
        const bool is_other = result.self == TYPE_TUPLE && result.element &&
                              !(result.element & (TYPE_INT | TYPE_BOOL)); // a tuple, and no number in it
        good = (result.self & (TYPE_PAIR | TYPE_CELL | TYPE_TUPLE)) && !is_other;
        text_add(&what, "gives ");
        type_print(&what, result);
        text_add(&what, ", " WANTED);
    }
    if (!good && what.failed) status_fail(s, TS_SYSTEM, "not enough memory to try a differ");
    else if (!good) fail_at(t, p, line, what.data, s);
    text_free(&what);
    free(types);
    return good;
}

static bool is_score(Value v) {
    Ctx c = {.units = TRIAL_UNITS};
    if (!value_is_tuple(v) || value_length(&c, v) != 2) return false;
    return value_is_int(value_item(&c, v, 0));
}

static bool run_trials(const Trial *t, size_t index, Status *s) {
    const Program *p = &t->set->programs[index];
    const ts_sample samples[] = {{.input = grids[OTHER], .output = grids[SCENE], .has_output = true},
                                 {.input = grids[TALL], .output = grids[SMALL], .has_output = true}};
    const ts_task task = {.id = "trial", .samples = samples, .demos = 2};
    ts_result first = {0}; // that failed
    char what[256];
    int scores = 0;
    for (int k = 0; k < PAIRS; k++) {
        ts_result r =
            ts_run_differ(t->engine, t->set, index, &task, grids[pairs[k].given], grids[pairs[k].right]);
        if (ts_engine_starved(t->engine))
            return status_fail(s, TS_SYSTEM, "not enough memory to try a differ");
        if (r.failure && !first.failure) first = r;
        if (r.failure) continue;
        if (is_score(r.value)) {
            scores++;
            continue;
        }
        char *shown = ts_value_print_some(r.value, MOST_SHOWN, NULL);
        snprintf(what, sizeof what, "gives %s, " WANTED, shown ? shown : "something else");
        free(shown);
        return fail_at(t, p, last_line(p), what, s);
    }
    if (scores) return true;
    snprintf(what, sizeof what, "fails on all %d pairs of small grids that it was tried on (%s), " WANTED,
             PAIRS, ts_failure_name(first.failure));
    return fail_at(t, p, (uint32_t)first.line, what, s);
}

// ---- The public side ----

bool ts_differs_add_text(ts_programs *into, const char *name, const char *text, size_t length,
                         ts_status *status) {
    const size_t before = ts_programs_count(into);
    if (!ts_programs_add_text(into, name, text, length, true, NULL, NULL, status)) return false;
    Trial t = {.file = name, .text = text, .length = length, .set = into, .engine = ts_engine_new()};
    bool good = t.engine || status_fail(status, TS_SYSTEM, "not enough memory to try a differ");
    if (t.engine) ts_engine_set_units(t.engine, TRIAL_UNITS);
    for (size_t k = before; good && k < ts_programs_count(into); k++)
        good = check_types(&t, &into->programs[k], status) && run_trials(&t, k, status);
    if (good && ts_programs_count(into) == before) {
        good = status_fail(status, TS_INPUT, "there is no differ here: def NAME(S, I, C): …");
        status_in_file(status, name);
    }
    ts_engine_free(t.engine);
    return good;
}

bool ts_differs_add_file(ts_programs *into, const char *path, ts_status *status) {
    Text text = {0};
    bool good = text_read_file(&text, path, status) &&
                ts_differs_add_text(into, path, text.data ? text.data : "", text.length, status);
    text_free(&text);
    return good;
}
