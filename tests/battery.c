// Batteries: what a program gives among others is what it gives alone, on any number of threads, in chunks of
// any size, with and without sharing; and what is said of candidates holds for them, cut out.
//
//     battery [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
//
// Runs in the root of the project, for it reads tests/golden/programs.py and tasks/.
//
// A Case is a random battery: programs (golden, bundled, random, odd ones, mutants of them) and tasks
// (bundled, and random ones whose outputs mostly come from one of the programs, so that some are right for a
// while). The plain reference beside the battery is ts_run_sample, one program on one sample at a time, and
// for candidates the same with every node cut out as a program. Hostile programs are among them, that take
// what they can or fail in some way; and lanes often have next to no memory, so that much is late.
#include <stdlib.h>

#include "battery/battery.h"
#include "check.h"
#include "generate.h"
#include "task/task.h"

#define MEMORY ((size_t)256 << 20)
enum { MOST_TASKS = 12, MOST_SIDE = GRID_TASK_SIDE };

typedef struct {
    Checks checks;
    Ctx c, scratch;
    Gen g;
    ts_programs *golden, *bundled_programs;
    ts_tasks *bundled;
    ts_engine *engine;
} Unit;

typedef struct {
    ts_programs *source;
    ts_card *card; // NULL where there is none
    const ts_programs *programs;
    ts_tasks *made;
    const ts_task *tasks[MOST_TASKS];
    size_t count, lanes;
} Case;

// ---- Random batteries ----

// What is odd about a program as an answer: it returns what it is given, or nothing that is a grid, or it
// fails in every lane, or spends all it can.
static const char odd_programs[] =
    "def odd_input(I): return I\n"
    "def odd_grid(I): return ((1, 2), (3, 4))\n"
    "def odd_number(I): return 5\n"
    "def odd_samples(S, I, C): return S\n"
    "def odd_candidate(S, I, C): return C\n"
    "def odd_function(I): return compose(size, palette)\n"
    "def odd_first_output(S, I, C):\n    x1 = first(S)\n    return last(x1)\n"
    "def odd_use_of_none(S, I, C): return hconcat(I, C)\n"
    "def odd_call(I):\n    x1 = compose(hmirror, vmirror)\n    return x1(I)\n"
    "def odd_call_of_call(I):\n    x1 = lbind(rbind, hconcat)\n    x2 = x1(I)\n    return x2(I)\n"
    "def odd_call_of_number(I):\n    x1 = size(I)\n    return x1(I)\n"
    "def odd_fixed(I): return canvas(3, (4, 2))\n"
    "def odd_fixed_failure(I):\n    x1 = first(())\n    x2 = fill(I, x1, x1)\n    return vconcat(x2, I)\n"
    "def odd_two_failures(I):\n    x1 = divide(height(I), 0)\n    x2 = first(crop(I, (1, 1), (0, 0)))\n"
    "    return fill(I, x1, x2)\n"
    "def odd_late_failure(I):\n    x1 = objects(I, T, T, F)\n    x2 = apply(outbox, x1)\n    x3 = size(x2)\n"
    "    x4 = canvas(x3, (40, 40))\n    x5 = first(())\n    x6 = paint(x4, x5)\n    return x6\n"
    "def odd_failure_or_budget(I):\n    x1 = upscale(I, 3)\n    x2 = asindices(x1)\n    x3 = order(x2, "
    "first)\n"
    "    x4 = apply(compose(first, first), x3)\n    return x4\n"
    "def odd_after_failure(I):\n    x1 = first(())\n    x2 = rot90(I)\n    x3 = rot90(x2)\n"
    "    return astuple(x1, x3)\n"
    "def odd_for_square(I):\n    x1 = rot90(I)\n    x2 = cellwise(x1, I, 0)\n    x3 = trim(x2)\n"
    "    return astuple(x2, x3)\n"
    "def odd_runaway(I):\n    x1 = fork(combine, identity, identity)\n    x2 = power(x1, 40)\n"
    "    return x2(I)\n"
    "def odd_wide(I):\n    x1 = upscale(I, 9)\n    x2 = asindices(x1)\n    return product(x2, x2)\n";

// Neighbours that nobody wants, with a number in a range: values that are small and would be huge as trees,
// large ones, deep ones, some that just fit the units or just do not, some that are the same in every lane;
// and all kinds of failures.
static const struct {
    const char *text;
    int from, to;
} hostile_programs[] = {
    {"def h_repeats(I):\n    x1 = rbind(repeat, NUMBER)\n    x2 = power(x1, 3)\n    return x2(height(I))\n",
     2, 400},
    {"def h_repeated(I):\n    x1 = repeat(I, NUMBER)\n    x2 = repeat(x1, 90)\n    x3 = repeat(x2, 5)\n"
     "    return first(last(first(x3)))\n",
     2, 300},
    {"def h_fork(I):\n    x1 = fork(astuple, identity, identity)\n    x2 = power(x1, NUMBER)\n    x3 = "
     "x2(I)\n"
     "    return astuple(x3, I)\n",
     1, 30},
    {"def h_wide(I):\n    x1 = fork(hconcat, identity, identity)\n    x2 = power(x1, NUMBER)\n    return "
     "x2(I)\n",
     1, 20},
    {"def h_product(I):\n    x1 = interval(height(I), NUMBER, 1)\n    return product(x1, x1)\n", 1, 400},
    {"def h_product_fixed(I):\n    x1 = interval(0, NUMBER, 1)\n    x2 = product(x1, x1)\n"
     "    return canvas(size(x2), shape(I))\n",
     1, 220},
    {"def h_canvas(I):\n    x1 = astuple(1000, add(NUMBER, height(I)))\n    return canvas(1, x1)\n", 1, 2100},
    {"def h_canvas_fixed(I):\n    x1 = canvas(1, (NUMBER, 1000))\n    x2 = hmirror(x1)\n"
     "    return astuple(x2, I)\n",
     1, 2100},
    {"def h_just(I):\n    x1 = canvas(1, (NUMBER, 80))\n    x2 = trim(x1)\n    return crop(x2, ORIGIN, "
     "shape(I))\n",
     1, 25000},
    {"def h_held(I):\n    x1 = canvas(2, astuple(NUMBER, height(I)))\n    x2 = lbind(astuple, x1)\n"
     "    x3 = x2(I)\n    return last(x3)\n",
     1, 100000},
    {"def h_deep(I):\n    x1 = power(initset, NUMBER)\n    return x1(width(I))\n", 150, 250},
    {"def h_deep_tuple(I):\n    x1 = rbind(repeat, 1)\n    x2 = power(x1, NUMBER)\n    x3 = x2(I)\n"
     "    return first(x3)\n",
     150, 250},
    {"def h_indices(I):\n    x1 = upscale(I, NUMBER)\n    x2 = asindices(x1)\n    x3 = apply(initset, x2)\n"
     "    return merge(x3)\n",
     1, 9},
    {"def h_type(I):\n    x1 = canvas(1, (1000, NUMBER))\n    x2 = add(x1, size)\n    return fill(I, x2, "
     "x1)\n",
     1, 2100},
    {"def h_late_type(I):\n    x1 = canvas(1, astuple(NUMBER, height(I)))\n    x2 = hmirror(x1)\n"
     "    return hconcat(size(x2), x1)\n",
     1, 100000},
    {"def h_value(I): return interval(height(I), NUMBER, 0)\n", 1, 9},
    {"def h_zero(I): return canvas(divide(NUMBER, subtract(height(I), height(I))), shape(I))\n", 1, 9},
    {"def h_empty(I): return paint(I, first(difference(palette(I), palette(I))))\n", 1, 1},
    {"def h_overflow(I):\n    x1 = power(double, NUMBER)\n    return x1(height(I))\n", 50, 70},
    {"def h_arity(I):\n    x1 = compose(hmirror, vmirror)\n    x2 = repeat(I, NUMBER)\n    return x1(I, "
     "x2)\n",
     1, 300},
    {"def h_budget(I):\n    x1 = fork(combine, identity, identity)\n    x2 = power(x1, NUMBER)\n    return "
     "x2(I)\n",
     1, 60},
};
enum { HOSTILE = sizeof hostile_programs / sizeof *hostile_programs };

// The room that lanes have for their values in the runs to come; what is the same in every lane, and the
// differs, have as much. USUAL_ROOM: as it is without tests.
#define USUAL_ROOM SIZE_MAX
static size_t room = USUAL_ROOM;

static bool add_text(ts_programs *set, const char *text, size_t length) {
    ts_status s;
    return ts_programs_add_text(set, "test.py", text, length, false, NULL, NULL, &s);
}

static void add_program_of(ts_programs *set, const ts_programs *from, size_t index) {
    char *text = ts_programs_print(from, index);
    if (text) add_text(set, text, strlen(text));
    free(text);
}

static void add_random_program(Unit *u, ts_programs *set) {
    ctx_begin(&u->c, INT64_MAX / 2);
    Text text = {0};
    Value grid = gen_typed(&u->g, "Grid"), wanted;
    if (gen_program(&u->g, "solve_random", grid, &text, &wanted)) add_text(set, text.data, text.length);
    text_free(&text);
}

static void add_odd_programs(Unit *u, ts_programs *set) {
    ts_programs *odd = ts_programs_new();
    bool good = add_text(odd, odd_programs, sizeof odd_programs - 1);
    check(&u->checks, good, "the odd programs cannot be read");
    size_t count = ts_programs_count(odd);
    for (size_t k = 0; k < count; k++) // the last two spend all they can, which takes time
        if (gen_chance(&u->g, k + 2 < count ? 40 : 10)) add_program_of(set, odd, k);
    ts_programs_free(odd);
}

// The text, with the number for the word NUMBER wherever that stands.
static void add_numbered(Unit *u, ts_programs *set, const char *text, int number) {
    static const char word[] = "NUMBER";
    Text t = {0};
    for (const char *at; (at = strstr(text, word)); text = at + strlen(word))
        text_print(&t, "%.*s%d", (int)(at - text), text, number);
    text_add(&t, text);
    check(&u->checks, add_text(set, t.data, t.length), "%s", t.data);
    text_free(&t);
}

static void add_hostile_program(Unit *u, ts_programs *set) {
    uint32_t k = gen_below(&u->g, HOSTILE);
    add_numbered(u, set, hostile_programs[k].text,
                 (int)gen_from(&u->g, hostile_programs[k].from, hostile_programs[k].to));
}

// One that chooses between two that are there.
static void add_choice(Unit *u, ts_programs *set) {
    Text t = {0};
    if (!ts_programs_count(set)) return;
    gen_choice(&u->g.rng, set, "solve_choice", &t);
    check(&u->checks, add_text(set, t.data, t.length), "%s", t.data);
    text_free(&t);
}

// One that ends in grids painted over each other, with patches and colours that come from all kinds of lines.
static void add_painted_program(Unit *u, ts_programs *set) {
    static const char *const lines[] = {
        "fill(%s, mostcolor(I), ofcolor(I, %u))",
        "fill(%s, %u, ofcolor(I, 1))",
        "underfill(%s, leastcolor(I), asindices(I))",
        "underfill(%s, %u, ofcolor(I, 0))",
        "paint(%s, recolor(%u, ofcolor(I, 2)))",
        "underpaint(%s, shift(asobject(I), (%u, 1)))",
        "paint(%s, first(objects(I, T, F, T)))",
        "cover(%s, ofcolor(I, %u))",
        "move(%s, asobject(I), (0, %u))",
        "replace(%s, 0, %u)",
        "switch(%s, 0, %u)",
        "hmirror(%s)",
        "rot90(%s)",
        "dmirror(%s)",
        "rot180(%s)",
        "fill(%s, subtract(%u, width(I)), ofcolor(I, 0))",
        "paint(%s, recolor(height(I), ofcolor(I, 0)))",
        "fill(%s, I, ofcolor(I, %u))",
    };
    Text t = {0};
    text_print(&t, "def solve_painted(I):\n    x0 = %s\n", gen_chance(&u->g, 70) ? "I" : "tophalf(I)");
    const uint32_t count = 1 + gen_below(&u->g, 4);
    for (uint32_t k = 0; k < count; k++) {
        char below[16], line[80];
        snprintf(below, sizeof below, "x%u", k);
        const char *form = lines[gen_below(&u->g, sizeof lines / sizeof *lines)];
        snprintf(line, sizeof line, form, below, gen_below(&u->g, 10));
        text_print(&t, "    x%u = %s\n", k + 1, line);
    }
    text_print(&t, "    return x%u\n", count);
    check(&u->checks, add_text(set, t.data, t.length), "%s", t.data);
    text_free(&t);
}

static void make_programs(Unit *u, Case *k) {
    Gen *g = &u->g;
    k->source = ts_programs_new();
    for (uint32_t n = gen_below(g, 12); n > 0; n--)
        add_program_of(k->source, u->golden, gen_below(g, (uint32_t)ts_programs_count(u->golden)));
    for (uint32_t n = gen_below(g, 8); n > 0; n--) add_random_program(u, k->source);
    for (uint32_t n = gen_below(g, 4); n > 0; n--)
        add_program_of(k->source, u->bundled_programs,
                       gen_below(g, (uint32_t)ts_programs_count(u->bundled_programs)));
    for (uint32_t n = gen_below(g, 6); n > 0; n--) add_painted_program(u, k->source);
    if (gen_chance(g, 70)) add_odd_programs(u, k->source);
    for (uint32_t n = gen_chance(g, 40) ? gen_below(g, 6) : 0; n > 0; n--) add_hostile_program(u, k->source);
    for (uint32_t n = gen_chance(g, 60) ? gen_below(g, 8) : 0; n > 0; n--) add_choice(u, k->source);
    k->programs = k->source;
    if (ts_programs_count(k->source) == 0 || gen_chance(g, 50)) return;
    ts_status s;
    ts_card_options options = {.count = 1 + gen_below(g, 20), .rate = 0.05};
    options.seed = gen_below(g, 1000000);
    if (gen_chance(g, 30)) options.each = 1;
    k->card = ts_card_new(k->source, NULL, &options, &s);
    if (check(&u->checks, k->card, "no card: %s", s.message)) k->programs = ts_card_programs(k->card);
}

static void write_grid(Text *t, ts_grid grid) {
    for (int i = 0; i < grid.height; i++) {
        text_add(t, i ? "],[" : "[[");
        for (int j = 0; j < grid.width; j++) text_print(t, j ? ",%d" : "%d", grid.cells[i * grid.width + j]);
    }
    text_add(t, "]]");
}

static bool is_task_grid(ts_grid grid) {
    if (grid.height > MOST_SIDE || grid.width > MOST_SIDE) return false;
    for (int k = 0; k < grid.height * grid.width; k++)
        if (grid.cells[k] < 0 || grid.cells[k] > 9) return false;
    return true;
}

static ts_grid random_grid(Unit *u, signed char cells[MOST_SIDE * MOST_SIDE], bool tiny) {
    Gen *g = &u->g;
    int most = tiny                ? 1
               : gen_chance(g, 90) ? 7
               : gen_chance(g, 95) ? 20
                                   : 40,
        colors = 1 + (int)gen_below(g, 10);
    int height = (int)gen_from(g, 1, most), width = (int)gen_from(g, 1, most);
    ts_grid grid = {height, width, cells};
    if (gen_chance(g, 30)) grid.width = grid.height;
    for (int k = 0; k < grid.height * grid.width; k++)
        cells[k] = (signed char)(gen_chance(g, 50) ? 0 : gen_below(g, (uint32_t)colors));
    return grid;
}

// What becomes of the inputs of a task, for as many of its samples as `lasts` says.
typedef struct {
    ptrdiff_t program; // below 0: nothing in particular
    int lasts;
    bool tiny;
} Rule;

static void write_sample(Unit *u, const Case *k, Text *t, Rule rule, int sample, bool hidden) {
    signed char cells[MOST_SIDE * MOST_SIDE], others[MOST_SIDE * MOST_SIDE];
    ts_grid input = random_grid(u, cells, rule.tiny), output = random_grid(u, others, rule.tiny);
    text_add(t, sample ? ",{\"input\":" : "{\"input\":");
    write_grid(t, input);
    if (rule.program >= 0 && sample < rule.lasts) {
        ts_result r = ts_run(u->engine, k->programs, (size_t)rule.program, input);
        if (!r.failure && ts_value_is_grid(r.value) && is_task_grid(ts_value_grid(r.value)))
            output = ts_value_grid(r.value);
    }
    if (!hidden) {
        text_add(t, ",\"output\":");
        write_grid(t, output);
    }
    text_char(t, '}');
}

static void write_task(Unit *u, const Case *k, Text *t, int number) {
    Gen *g = &u->g;
    int demos = gen_chance(g, 10) ? 20 : gen_chance(g, 20) ? 1 : (int)gen_from(g, 2, 4);
    int tests = (int)gen_from(g, 1, 3), hidden = gen_chance(g, 30) ? (int)gen_below(g, 8) : 0;
    uint32_t programs = (uint32_t)ts_programs_count(k->programs);
    Rule rule = {.program = programs && gen_chance(g, 85) ? (ptrdiff_t)gen_below(g, programs) : -1};
    rule.lasts = gen_chance(g, 50) ? 100 : (int)gen_below(g, 6);
    rule.tiny = gen_chance(g, 8);
    text_print(t, "%s\"t%d\":{\"train\":[", number ? "," : "{", number);
    for (int n = 0; n < demos; n++) write_sample(u, k, t, rule, n, false);
    text_add(t, "],\"test\":[");
    rule.lasts -= demos;
    for (int n = 0; n < tests; n++) write_sample(u, k, t, rule, n, hidden >> n & 1);
    text_add(t, "]}");
}

static void make_tasks(Unit *u, Case *k) {
    ts_status s;
    Text t = {0};
    int made = (int)gen_from(&u->g, 1, 7), bundled = (int)gen_below(&u->g, 4);
    ts_engine_set_units(u->engine, TS_BATTERY_UNITS);
    for (int n = 0; n < made; n++) write_task(u, k, &t, n);
    text_char(&t, '}');
    k->made = ts_tasks_read_text("made", t.data, t.length, NULL, &s);
    check(&u->checks, k->made, "%s\n%s", s.message, t.data);
    for (int n = 0; k->made && n < made; n++) k->tasks[k->count++] = ts_tasks_at(k->made, (size_t)n);
    for (; bundled > 0; bundled--) { // anywhere among the others
        size_t at = gen_below(&u->g, (uint32_t)k->count + 1);
        memmove(k->tasks + at + 1, k->tasks + at, (k->count++ - at) * sizeof *k->tasks);
        k->tasks[at] = ts_tasks_at(u->bundled, gen_below(&u->g, (uint32_t)ts_tasks_count(u->bundled)));
    }
    for (size_t n = 0; n < k->count; n++) k->lanes += (size_t)(k->tasks[n]->demos + k->tasks[n]->tests);
    text_free(&t);
}

static Case case_new(Unit *u) {
    Case k = {0};
    make_programs(u, &k);
    make_tasks(u, &k);
    return k;
}

static void case_free(Case *k) {
    ts_card_free(k->card);
    ts_programs_free(k->source);
    ts_tasks_free(k->made);
}

// ---- The plain reference ----

static ts_outcome outcome_alone(Unit *u, const ts_programs *set, size_t program, const ts_task *task, int n,
                                ts_failure *failure) {
    const ts_sample *sample = &task->samples[n];
    ts_result r = ts_run_sample(u->engine, set, program, task, n);
    *failure = r.failure;
    if (r.failure) return TS_FAILED;
    if (!sample->has_output) return TS_UNKNOWN;
    bool right = ts_value_is_grid(r.value) && ts_grid_equal(ts_value_grid(r.value), sample->output);
    return right ? TS_RIGHT : TS_WRONG;
}

static void set_engine(Unit *u, const ts_battery_options *o) {
    ts_engine_set_units(u->engine, o->units ? o->units : TS_BATTERY_UNITS);
    ts_engine_set_plain(u->engine, o->plain);
}

// All outcomes as a battery keeps them, [lane * programs + program]; to be freed.
static uint8_t *outcomes_alone(Unit *u, const Case *k, const ts_battery_options *o) {
    size_t programs = ts_programs_count(k->programs);
    uint8_t *all = malloc(k->lanes * programs + 1), *at = all;
    set_engine(u, o);
    for (size_t t = 0; all && t < k->count; t++)
        for (int n = 0; n < k->tasks[t]->demos + k->tasks[t]->tests; n++)
            for (size_t p = 0; p < programs; p++) {
                ts_failure failure;
                ts_outcome outcome = outcome_alone(u, k->programs, p, k->tasks[t], n, &failure);
                *at++ = outcome == TS_FAILED ? outcome_failed(failure) : (uint8_t)outcome;
            }
    return all;
}

// ---- A battery against it ----

static ts_battery *run_case(Unit *u, const Case *k, const ts_battery_options *o) {
    ts_status s = {0};
    ts_battery *b = ts_battery_new(k->programs, o, &s);
    if (b && room != USUAL_ROOM) { // then what costs little may go beyond the memory of a program alone
        b->limits = (SheetLimits){room, room, room % 2 ? 400 : UINT32_MAX};
        b->differ_limits = b->limits;
    }
    if (check(&u->checks, b && ts_battery_run(b, k->tasks, k->count, NULL, NULL, &s), "%s", s.message))
        return b;
    ts_battery_free(b);
    return NULL;
}

// How a run was made, for messages.
static const char *shown(const ts_battery_options *o) {
    static char text[160];
    snprintf(text, sizeof text, "units %llu, lane %llu, room %zd, threads %d, chunk %d%s%s%s%s",
             (unsigned long long)o->units, (unsigned long long)o->lane_units, (ssize_t)room, o->threads,
             o->chunk, o->full ? ", full" : "", o->hopeful ? ", hopeful" : "", o->plain ? ", plain" : "",
             o->no_text_sharing ? ", text not shared" : "");
    return text;
}

static size_t hopeless; // outcomes that a battery did not ask for, as they could not be right

static void check_outcome(Unit *u, const Case *k, ts_battery *b, const ts_battery_options *o, size_t p,
                          size_t t, int n, uint8_t wanted, bool *goes_on) {
    ts_failure failure;
    ts_outcome outcome = ts_battery_outcome(b, p, t, n, &failure);
    uint8_t got = outcome == TS_FAILED ? outcome_failed(failure) : (uint8_t)outcome;
    bool has_to_run = n == 0 || o->full || *goes_on;
    if (n < k->tasks[t]->demos) *goes_on = *goes_on && got == TS_RIGHT;
    bool ran_out = has_to_run && got == outcome_failed(TS_FAIL_BUDGET) && ts_battery_task(b, t).over;
    if (ran_out || got == (has_to_run ? wanted : TS_NOT_RUN)) return;
    if (o->hopeful && !o->full && !o->differs && n == 0 && k->tasks[t]->demos && got == TS_NOT_RUN &&
        wanted != TS_RIGHT) {
        hopeless++;
        return;
    }
    char *text = ts_programs_print(k->programs, p);
    check(&u->checks, false, "%s: %d/%s for %d/%s, sample %d of %s (%s)\n%s", shown(o), got % 8,
          ts_failure_name((ts_failure)(got / 8)), wanted % 8, ts_failure_name((ts_failure)(wanted / 8)), n,
          k->tasks[t]->id, has_to_run ? "to be run" : "not to be run", text);
    free(text);
}

static void check_outcomes(Unit *u, const Case *k, ts_battery *b, const ts_battery_options *o,
                           const uint8_t *wanted) {
    size_t programs = ts_programs_count(k->programs);
    for (size_t t = 0; t < k->count; t++) {
        int samples = k->tasks[t]->demos + k->tasks[t]->tests;
        for (size_t p = 0; p < programs; p++) {
            bool goes_on = true;
            for (int n = 0; n < samples; n++)
                check_outcome(u, k, b, o, p, t, n, wanted[(size_t)n * programs + p], &goes_on);
        }
        wanted += (size_t)samples * programs;
    }
}

// Lines that are the same in every lane, of nodes or of programs.
static uint64_t fixed_nodes(const ts_battery *b) {
    uint64_t fixed = 0;
    for (uint32_t k = 0; k < b->graph.count; k++) fixed += !b->graph.nodes[k].needs;
    return fixed;
}

static uint64_t fixed_lines(const Program *p) {
    uint64_t fixed = 0;
    uint32_t first = SLOTS_GIVEN + p->constant_count;
    bool *varies = calloc(first + p->line_count, sizeof *varies);
    varies[SLOT_S] = varies[SLOT_I] = varies[SLOT_C] = true;
    for (uint32_t k = 0; k < p->line_count; k++) {
        const Line *l = &p->lines[k];
        varies[first + k] = l->op == LINE_CALLS_VALUE && varies[l->callee];
        for (int arg = 0; arg < l->n; arg++) varies[first + k] |= varies[l->args[arg]];
        fixed += !varies[first + k];
    }
    free(varies);
    return fixed;
}

// The counts add up: every line of every program in every lane was evaluated, shared or skipped, and what is
// the same in every lane was evaluated once more, before.
static void check_counts(Unit *u, const Case *k, ts_battery *b, const ts_battery_options *o) {
    ts_battery_counts n = ts_battery_count(b), sum = {0};
    uint64_t lines = 0, fixed = 0, failures[TS_FAIL_KINDS] = {0};
    for (size_t p = 0; p < ts_programs_count(k->programs); p++) {
        lines += k->programs->programs[p].line_count;
        fixed += fixed_lines(&k->programs->programs[p]);
    }
    for (size_t t = 0; t < k->count; t++) {
        ts_task_result r = ts_battery_task(b, t);
        sum.lanes += (size_t)r.lanes;
        sum.over += (size_t)r.over;
        sum.candidates += r.candidates;
        sum.distinct += r.distinct;
        sum.solved += r.solved;
        sum.correct += r.correct;
        check(&u->checks, r.task == k->tasks[t] && r.distinct <= r.candidates && r.over <= r.lanes,
              "task %zu", t);
        check(&u->checks, r.top_count == (r.distinct < (size_t)o->top ? r.distinct : (size_t)o->top), "top");
        for (int s = 0; s < k->tasks[t]->demos + k->tasks[t]->tests; s++)
            for (size_t p = 0; p < n.programs; p++) {
                ts_failure failure;
                if (ts_battery_outcome(b, p, t, s, &failure) == TS_FAILED) failures[failure]++;
            }
    }
    check(&u->checks, n.programs == ts_programs_count(k->programs) && n.lines == lines, "programs, lines");
    check(&u->checks, n.nodes == b->graph.count && n.nodes <= lines, "%zu nodes", n.nodes);
    check(&u->checks, !o->no_text_sharing || (n.nodes == lines && fixed_nodes(b) == fixed),
          "nodes are shared");
    check(&u->checks, fixed_nodes(b) <= fixed, "%zu fixed nodes", (size_t)fixed_nodes(b));
    check(&u->checks, n.evaluated + n.shared + n.skipped == n.lines * n.lanes + fixed_nodes(b),
          "%s: %zu + %zu + %zu of %zu lines, %zu lanes, %zu fixed nodes", shown(o), (size_t)n.evaluated,
          (size_t)n.shared, (size_t)n.skipped, n.lines, n.lanes, (size_t)fixed_nodes(b));
    check(&u->checks, memcmp(failures, n.failures, sizeof failures) == 0, "%s: failures", shown(o));
    check(&u->checks, n.tasks == k->count && n.lanes == sum.lanes && n.over == sum.over,
          "tasks, lanes, over");
    check(&u->checks, n.candidates == sum.candidates && n.distinct == sum.distinct, "candidates");
    check(&u->checks, n.solved == sum.solved && n.correct == sum.correct, "solved");
}

// ---- The same over and over ----

// What of a result has to be the same: outcomes and answers; also which nodes gave them; also how much was
// done for it.
typedef enum { SAME_ANSWERS, SAME_NODES, SAME_ALL } Same;

static void dump_task(Text *t, const ts_task_result *r, Same same) {
    text_print(t, "%s: solved %d, correct %d, distinct %zu, lanes %d, over %d", r->task->id, r->solved,
               r->correct, r->distinct, r->lanes, r->over);
    if (same >= SAME_NODES) text_print(t, ", candidates %zu", r->candidates);
    text_char(t, '\n');
    for (size_t k = 0; k < r->top_count; k++) {
        const ts_candidate *c = &r->top[k];
        text_print(t, "    lines %u, demos %u of %u, tests %u, score %d, outputs %016llx", c->lines,
                   c->demos_right, c->demos, c->tests_right, c->score, (unsigned long long)c->outputs);
        if (same >= SAME_NODES) text_print(t, ", node %u, agreeing %u", c->node, c->agreeing);
        text_char(t, '\n');
    }
}

static void dump(Text *t, const Case *k, const ts_battery *b, Same same) {
    ts_battery_counts n = ts_battery_count(b);
    text_clear(t);
    for (int kind = 0; kind < TS_FAIL_KINDS; kind++)
        text_print(t, "%s: %llu\n", ts_failure_name((ts_failure)kind), (unsigned long long)n.failures[kind]);
    if (same == SAME_ALL)
        text_print(t, "nodes %zu, evaluated %llu, shared %llu, skipped %llu\n", n.nodes,
                   (unsigned long long)n.evaluated, (unsigned long long)n.shared,
                   (unsigned long long)n.skipped);
    for (size_t task = 0; task < k->count; task++) {
        ts_task_result r = ts_battery_task(b, task);
        dump_task(t, &r, same);
        for (int s = 0; s < k->tasks[task]->demos + k->tasks[task]->tests; s++, text_char(t, '\n'))
            for (size_t p = 0; p < n.programs; p++) {
                ts_failure failure;
                ts_outcome outcome = ts_battery_outcome(b, p, task, s, &failure);
                text_print(t, " %d%d", outcome, failure);
            }
    }
}

// Both dumps from the first line on in which they differ.
static void check_same(Unit *u, const ts_battery_options *o, const Text *wanted, const Text *got) {
    size_t line = 0, k = 0;
    while (wanted->data[k] && wanted->data[k] == got->data[k])
        if (wanted->data[k++] == '\n') line = k;
    check(&u->checks, !wanted->data[k] && !got->data[k], "%s:\n%.*s\nis\n%.*s", shown(o),
          (int)strcspn(wanted->data + line, "\n"), wanted->data + line, (int)strcspn(got->data + line, "\n"),
          got->data + line);
}

static const ts_battery_options variants[] = {
    {.threads = 1, .chunk = 1},
    {.threads = 2, .chunk = 1},
    {.threads = 3, .chunk = 2},
    {.threads = 1, .chunk = 7},
    {.threads = 2, .chunk = 1000},
    {.threads = 0, .chunk = 0},
    {.threads = 1, .chunk = 7, .no_text_sharing = true},
    {.threads = 2, .chunk = 2, .no_text_sharing = true},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void choose_room(Unit *u) {
    static const size_t rooms[] = {USUAL_ROOM, USUAL_ROOM, 0, 1, 301, 4000, 60000, 60001};
    room = rooms[gen_below(&u->g, sizeof rooms / sizeof *rooms)];
}

// One case with one limit of units: alone, and then in all ways in which it can be a battery.
static void test_case(Unit *u, const Case *k, ts_battery_options base) {
    uint8_t *wanted = outcomes_alone(u, k, &base);
    ts_battery *first = run_case(u, k, &base);
    Text text = {0}, other = {0};
    for (int v = 0; first && v < VARIANTS; v++) {
        ts_battery_options o = variants[v];
        o.units = base.units;
        o.full = base.full;
        o.hopeful = base.hopeful;
        o.plain = base.plain;
        o.top = base.top;
        o.differs = base.differs;
        if (v > 0 && gen_chance(&u->g, 60)) continue;
        choose_room(u);
        ts_battery *b = run_case(u, k, &o);
        Same same = o.no_text_sharing ? SAME_ANSWERS : room == USUAL_ROOM ? SAME_ALL : SAME_NODES;
        if (b) check_outcomes(u, k, b, &o, wanted);
        if (b) check_counts(u, k, b, &o);
        // What is late is not seen to be hopeless.
        const bool comparable = !o.hopeful || (room == USUAL_ROOM && !o.no_text_sharing);
        room = USUAL_ROOM;
        if (!b) break;
        if (!comparable) {
            ts_battery_free(b);
            continue;
        }
        dump(&text, k, first, same);
        dump(&other, k, b, same);
        check_same(u, &o, &text, &other);
        ts_battery_free(b);
    }
    ts_battery_free(first);
    text_free(&text);
    text_free(&other);
    free(wanted);
}

static void test_cases(Unit *u, const ts_programs *differs) {
    static const uint64_t units[] = {50, 300, 1000, 10000, 0};
    enum { ROUNDS = 12 };
    check_begin(&u->checks, "a battery gives what its programs give alone, whatever the threads and chunks");
    for (int round = 0; round < ROUNDS; round++) {
        Case k = case_new(u);
        for (int limit = 0; limit < 5; limit++) {
            ts_battery_options o = {.threads = 1, .chunk = 3, .units = units[limit]};
            o.top = (int)gen_below(&u->g, 8);
            o.full = gen_chance(&u->g, 40);
            o.hopeful = gen_chance(&u->g, 50);
            o.plain = gen_chance(&u->g, 25);
            o.differs = gen_chance(&u->g, 30) ? differs : NULL;
            test_case(u, &k, o);
        }
        case_free(&k);
    }
    check(&u->checks, hopeless > 0, "whatever was asked for was run");
    check_end(&u->checks);
}

// ---- Candidates ----

// What a node gave on all samples of a task, cut out and run alone.
typedef struct {
    bool starts; // with a grid on the first sample
    uint32_t lines, right, demos, tests;
    uint64_t hash[64]; // of its grid on each sample; 0 for none
} Answer;

static uint64_t hash_of_result(ts_result r) {
    return r.failure || !ts_value_is_grid(r.value) ? 0 : ts_value_hash(r.value) | 1;
}

static Answer answer_of(Unit *u, const ts_programs *cut, const ts_task *task) {
    Answer a = {.lines = cut->programs[0].line_count};
    for (int n = 0; n < task->demos + task->tests; n++) {
        ts_failure failure;
        ts_result r = ts_run_sample(u->engine, cut, 0, task, n);
        a.hash[n] = hash_of_result(r);
        bool right = outcome_alone(u, cut, 0, task, n, &failure) == TS_RIGHT;
        if (n >= task->demos) a.tests += right;
        else {
            a.demos += a.hash[n] != 0;
            a.right += right;
        }
    }
    a.starts = a.hash[0] != 0;
    return a;
}

static ts_programs *cut_out(Unit *u, ts_battery *b, uint32_t node) {
    ts_status s = {0};
    ts_programs *cut = ts_programs_new();
    bool good = ts_battery_cut(b, node, "solve_cut", cut, &s) && ts_programs_count(cut) == 1;
    if (check(&u->checks, good, "node %u cannot be cut out: %s", node, s.message)) return cut;
    ts_programs_free(cut);
    return NULL;
}

// The candidates of a task in plain words: of all columns, those that start with a grid.
typedef struct {
    Answer *answers;
    uint32_t *columns;
    size_t count, distinct;
    bool solved, correct;
} Answers;

static size_t agreeing(const Answers *all, const Answer *a) {
    size_t n = 0;
    for (size_t k = 0; k < all->count; k++) n += memcmp(all->answers[k].hash, a->hash, sizeof a->hash) == 0;
    return n;
}

static Answers answers_alone(Unit *u, ts_battery *b, const ts_task *task) {
    const Graph *g = &b->graph;
    Answers all = {.answers = malloc(graph_columns(g) * sizeof *all.answers),
                   .columns = malloc(graph_columns(g) * sizeof *all.columns)};
    int known = 0;
    for (int n = 0; n < task->tests; n++) known += task->samples[task->demos + n].has_output;
    for (uint32_t column = 0; column < graph_columns(g); column++) {
        bool is_result = column >= g->first;
        for (uint32_t m = 0; m < g->member_count; m++) is_result |= g->members[m].result == column;
        ts_programs *cut = is_result ? cut_out(u, b, column) : NULL;
        if (!cut) continue;
        Answer a = answer_of(u, cut, task);
        ts_programs_free(cut);
        if (!a.starts) continue;
        bool solves = a.right == (uint32_t)task->demos;
        all.solved |= solves;
        all.correct |= solves && known && a.tests == (uint32_t)known;
        all.distinct += agreeing(&all, &a) == 0;
        all.columns[all.count] = column;
        all.answers[all.count++] = a;
    }
    return all;
}

static bool ranks_before(const ts_candidate *a, const ts_candidate *b) {
    if (a->demos_right != b->demos_right) return a->demos_right > b->demos_right;
    if (a->score != b->score) return a->score > b->score;
    return a->lines != b->lines ? a->lines < b->lines : a->node < b->node;
}

// With --full: candidates, distinct answers and the ranking are those of all nodes, each run alone.
static void check_answers(Unit *u, ts_battery *b, size_t task, const ts_battery_options *o) {
    ts_task_result r = ts_battery_task(b, task);
    Answers all = answers_alone(u, b, r.task);
    check(&u->checks, r.candidates == all.count && r.distinct == all.distinct,
          "%s: %zu candidates, %zu distinct for %zu, %zu", shown(o), r.candidates, r.distinct, all.count,
          all.distinct);
    check(&u->checks, r.solved == all.solved && r.correct == all.correct, "%s: solved %d, correct %d",
          shown(o), r.solved, r.correct);
    for (size_t n = 0; n < r.top_count; n++) {
        const ts_candidate *c = &r.top[n];
        const Answer *found = NULL;
        uint32_t shortest = UINT32_MAX;
        for (size_t k = 0; k < all.count; k++)
            if (all.columns[k] == c->node) found = &all.answers[k];
        for (size_t k = 0; found && k < all.count; k++)
            if (memcmp(all.answers[k].hash, found->hash, sizeof found->hash) == 0 &&
                all.answers[k].lines < shortest)
                shortest = all.answers[k].lines;
        check(&u->checks,
              found && c->lines == found->lines && c->lines == shortest && c->demos_right == found->right &&
                  c->demos == found->demos && c->tests_right == found->tests &&
                  c->agreeing == agreeing(&all, found),
              "%s: %s: node %u, %u lines, %u agreeing, %u of %u demos, %u tests", shown(o), r.task->id,
              c->node, c->lines, c->agreeing, c->demos_right, c->demos, c->tests_right);
        check(&u->checks, n == 0 || ranks_before(&r.top[n - 1], c), "%s: rank %zu", shown(o), n);
    }
    if (o->top > 0 && r.top_count)
        check(&u->checks, r.solved == (r.top[0].demos_right == (uint32_t)r.task->demos),
              "the best is not on top");
    free(all.answers);
    free(all.columns);
}

static void test_candidates(Unit *u) {
    enum { ROUNDS = 3 };
    check_begin(&u->checks, "candidates are the nodes that give grids, each cut out and run alone");
    for (int round = 0; round < ROUNDS; round++) {
        Case k = case_new(u);
        ts_battery_options o = {.full = true, .top = 1 + (int)gen_below(&u->g, 20)};
        o.units = gen_chance(&u->g, 30) ? 500 : 50000;
        choose_room(u);
        ts_battery *b = run_case(u, &k, &o);
        room = USUAL_ROOM;
        set_engine(u, &o);
        for (size_t t = 0; b && t < k.count; t++) check_answers(u, b, t, &o);
        o.full = false; // finds the same
        ts_battery *quick = run_case(u, &k, &o);
        for (size_t t = 0; b && quick && t < k.count; t++) {
            ts_task_result all = ts_battery_task(b, t), r = ts_battery_task(quick, t);
            check(&u->checks,
                  r.candidates == all.candidates && r.solved == all.solved && r.correct == all.correct,
                  "%s: %zu candidates, solved %d, correct %d; with full %zu, %d, %d", shown(&o), r.candidates,
                  r.solved, r.correct, all.candidates, all.solved, all.correct);
        }
        o.hopeful = true; // what is right in the end, too, but for lines that are no grids by their types
        ts_battery *hopeful = run_case(u, &k, &o);
        for (size_t t = 0; quick && hopeful && t < k.count; t++) {
            ts_task_result all = ts_battery_task(quick, t), r = ts_battery_task(hopeful, t);
            const bool whole = all.solved && all.top[0].whole;
            check(&u->checks, r.candidates <= all.candidates && (!r.solved || all.solved), "%s: %zu of %zu",
                  shown(&o), r.candidates, all.candidates);
            check(&u->checks, !whole || (r.solved && r.top[0].outputs == all.top[0].outputs),
                  "%s: the best is lost", shown(&o));
        }
        ts_battery_free(hopeful);
        ts_battery_free(quick);
        ts_battery_free(b);
        case_free(&k);
    }
    check_end(&u->checks);
}

// Without --full what is said of a candidate holds on the samples up to its first miss.
static void check_top(Unit *u, ts_battery *b, const ts_task_result *r, const ts_candidate *c,
                      const ts_battery_options *o) {
    ts_programs *cut = cut_out(u, b, c->node);
    if (!cut) return;
    Answer a = {0};
    bool missed = false;
    for (int n = 0; n < r->task->demos + r->task->tests && !missed; n++) {
        ts_failure failure;
        bool right = outcome_alone(u, cut, 0, r->task, n, &failure) == TS_RIGHT;
        a.demos += n < r->task->demos && hash_of_result(ts_run_sample(u->engine, cut, 0, r->task, n)) != 0;
        a.right += n < r->task->demos && right;
        a.tests += n >= r->task->demos && right;
        missed = n < r->task->demos && !right;
    }
    char *text = ts_programs_print(cut, 0);
    check(&u->checks,
          c->lines == cut->programs[0].line_count && c->demos == a.demos && c->demos_right == a.right &&
              c->tests_right == a.tests,
          "%s: %s: %u lines, %u of %u demos, %u tests; alone %u of %u, %u\n%s", shown(o), r->task->id,
          c->lines, c->demos_right, c->demos, c->tests_right, a.right, a.demos, a.tests, text);
    free(text);
    ts_programs_free(cut);
}

static void test_top(Unit *u) {
    enum { ROUNDS = 20 };
    check_begin(&u->checks, "what is said of a candidate holds for it, cut out and run alone");
    for (int round = 0; round < ROUNDS; round++) {
        Case k = case_new(u);
        ts_battery_options o = {.top = 1 + (int)gen_below(&u->g, 20)};
        o.units = gen_chance(&u->g, 30) ? 500 : 50000;
        choose_room(u);
        ts_battery *b = run_case(u, &k, &o);
        room = USUAL_ROOM;
        set_engine(u, &o);
        for (size_t t = 0; b && t < k.count; t++) {
            ts_task_result r = ts_battery_task(b, t);
            for (size_t n = 0; n < r.top_count; n++) check_top(u, b, &r, &r.top[n], &o);
        }
        ts_battery_free(b);
        case_free(&k);
    }
    check_end(&u->checks);
}

// ---- Lanes that run out ----

// Lanes may have a limit for all programs together: those that reach it fail, the same ones on any number of
// threads; where there is none no lane does.
static void check_chunks(Unit *u, const Case *k, const ts_battery_options *base, const uint8_t *wanted) {
    static const int chunks[] = {1, 2, 7, 1000};
    Text text = {0}, other = {0};
    for (int v = 0; v < 4; v++) {
        ts_battery_options o = *base;
        o.chunk = chunks[v];
        o.threads = 1 + v % 3;
        ts_battery *b = run_case(u, k, &o);
        if (!b) break;
        ts_battery_counts n = ts_battery_count(b);
        check_outcomes(u, k, b, &o, wanted);
        check_counts(u, k, b, &o);
        check(&u->checks, o.lane_units != 1 || n.over > 0 || n.evaluated == fixed_nodes(b),
              "no lane ran out");
        check(&u->checks, (o.lane_units && o.lane_units < UINT64_MAX / 2) || n.over == 0, "%zu lanes ran out",
              n.over);
        dump(v ? &other : &text, k, b, SAME_ALL);
        if (v) check_same(u, &o, &text, &other);
        ts_battery_free(b);
    }
    text_free(&text);
    text_free(&other);
}

static void test_limits(Unit *u) {
    static const uint64_t limits[] = {1, 300, 5000, 100000, UINT64_MAX};
    enum { ROUNDS = 3 };
    check_begin(&u->checks, "a lane that spends its units fails, and no other");
    for (int round = 0; round < ROUNDS; round++) {
        Case k = case_new(u);
        ts_battery_options o = {.units = round ? 0 : 400, .top = 3, .full = round == 1};
        uint8_t *wanted = outcomes_alone(u, &k, &o);
        for (int limit = 0; limit < 5; limit++) {
            o.lane_units = limits[limit];
            choose_room(u);
            check_chunks(u, &k, &o, wanted);
            room = USUAL_ROOM;
        }
        free(wanted);
        case_free(&k);
    }
    check_end(&u->checks);
}

// A case of `programs`, the word NUMBER in them exchanged for each number from first to last, on tasks with
// square inputs of these sides.
static Case square_case(Unit *u, const char *program, int first, int last, const int *sides, int tasks) {
    Case k = {.source = ts_programs_new()};
    Text t = {0};
    ts_status s;
    for (int n = first; n <= last; n++) add_numbered(u, k.source, program, n);
    for (int n = 0; n < tasks; n++) {
        static const signed char cells[MOST_SIDE * MOST_SIDE];
        ts_grid grid = {sides[n], sides[n], cells};
        text_print(&t, "%s\"t%d\":{\"train\":[{\"input\":", n ? "," : "{", n);
        write_grid(&t, grid);
        text_add(&t, ",\"output\":[[1]]}],\"test\":[{\"input\":");
        write_grid(&t, grid);
        text_add(&t, "}]}");
    }
    text_char(&t, '}');
    k.made = ts_tasks_read_text("made", t.data, t.length, NULL, &s);
    k.programs = k.source;
    for (int n = 0; n < tasks; n++) k.tasks[k.count++] = ts_tasks_at(k.made, (size_t)n);
    k.lanes = 2 * k.count;
    text_free(&t);
    return k;
}

// A side that fails costs what it had to be able to spend: with any number of units a battery and a program
// alone agree on which of them ended first.
static void test_forgiven_units(Unit *u) {
    static const char text[] =
        "def a(I):\n    x1 = asindices(canvas(0, (30, 30)))\n    x2 = chain(increment, double, color)\n"
        "    x3 = apply(x2, x1)\n    return choose(F, x3, hmirror(I))\n"
        "def b(I):\n    x1 = asindices(canvas(0, (20, height(I))))\n    x2 = chain(increment, double, "
        "color)\n"
        "    x3 = apply(x2, x1)\n    return choose(x3, canvas(1, (9, 9)), hmirror(I))\n"
        // One side is too heavy, which costs little; the other, the condition or an argument fails, too.
        "def c(I):\n    x1 = power(fork(astuple, identity, identity), 40)\n    x2 = x1(I)\n"
        "    x3 = first(())\n    return choose(F, x2, x3)\n"
        "def d(I):\n    x1 = power(fork(astuple, identity, identity), 40)\n    x2 = x1(I)\n"
        "    x3 = first(())\n    return choose(x3, x2, I)\n"
        "def e(I):\n    x1 = power(fork(astuple, identity, identity), 40)\n    x2 = x1(I)\n"
        "    x3 = first(())\n    return choose(F, astuple(x3, x2), I)\n";
    check_begin(&u->checks, "a failure that is forgiven has its price");
    Case k = {.source = ts_programs_new()};
    check(&u->checks, add_text(k.source, text, sizeof text - 1), "not read");
    k.programs = k.source;
    k.tasks[k.count++] = ts_tasks_at(u->bundled, 0);
    k.lanes = (size_t)(k.tasks[0]->demos + k.tasks[0]->tests);
    size_t right = 0, all = 0;
    for (uint64_t units = 1; units < 20000; units += 97) {
        ts_battery_options o = {.units = units, .full = true, .threads = 1};
        uint8_t *wanted = outcomes_alone(u, &k, &o);
        ts_battery *b = run_case(u, &k, &o);
        if (b) check_outcomes(u, &k, b, &o, wanted);
        right += wanted[0] == TS_WRONG;
        all++;
        ts_battery_free(b);
        free(wanted);
    }
    check(&u->checks, right > 10 && right + 10 < all, "%zu of %zu", right, all);
    case_free(&k);
    check_end(&u->checks);
}

// Large values, each larger than the one before: what an evaluation can have does not depend on earlier ones.
static void test_growing(Unit *u) {
    static const char program[] =
        "def f(I):\n    x1 = multiply(height(I), NUMBER)\n    x2 = compose(size, lbind(canvas, 0))\n"
        "    x3 = x2(astuple(x1, x1))\n    return canvas(2, astuple(1, x3))\n";
    static const int sides[] = {25, 3, 24};
    check_begin(&u->checks, "many large values, one after the other");
    Case k = square_case(u, program, 84, 115, sides, 3);
    ts_battery_options o = {.units = 2000000, .top = 3, .full = true};
    uint8_t *wanted = outcomes_alone(u, &k, &o);
    for (int chunk = 1; chunk <= 3; chunk++) {
        o.chunk = chunk;
        ts_battery *b = run_case(u, &k, &o);
        if (!b) break;
        check_outcomes(u, &k, b, &o, wanted);
        check(&u->checks, ts_battery_count(b).over == 0, "a lane ran out");
        ts_battery_free(b);
    }
    free(wanted);
    case_free(&k);
    check_end(&u->checks);
}

// Tasks that take more memory than a lane may keep, among others: nothing is lost.
static void test_memory(Unit *u) {
    static const char program[] =
        "def f(I):\n    x1 = multiply(height(I), 80)\n    x2 = astuple(x1, add(x1, NUMBER))\n"
        "    return canvas(0, x2)\n";
    static const int sides[] = {30, 3, 3, 30, 2};
    check_begin(&u->checks, "more memory than a lane may keep");
    Case k = square_case(u, program, 1, 60, sides, 5);
    ts_battery_options o = {.units = 2000000, .top = 3};
    uint8_t *wanted = outcomes_alone(u, &k, &o);
    check_chunks(u, &k, &o, wanted);
    ts_battery *b = run_case(u, &k, &o);
    for (size_t t = 0; b && t < k.count; t++) {
        ts_task_result r = ts_battery_task(b, t);
        check(&u->checks, r.over == 0 && r.candidates == 60, "task %zu: %d lanes ran out, %zu candidates", t,
              r.over, r.candidates);
    }
    ts_battery_free(b);
    free(wanted);
    case_free(&k);
    check_end(&u->checks);
}

// Programs whose values a lane can keep, among many that fill all memory: what is the same in every lane, and
// what is not. Their order is random.
static void make_hostile_case(Unit *u, Case *k) {
    ts_programs *ordered = ts_programs_new();
    for (int64_t n = gen_from(&u->g, 30, 60); n > 0; n--) add_hostile_program(u, ordered);
    for (size_t n = 0; n < ts_programs_count(u->bundled_programs); n++)
        add_program_of(ordered, u->bundled_programs, n);
    for (int n = 0; n < 4; n++) add_random_program(u, ordered);
    size_t count = ts_programs_count(ordered), order[100];
    for (size_t n = 0; n < count; n++) {
        size_t at = gen_below(&u->g, (uint32_t)n + 1);
        order[n] = order[at];
        order[at] = n;
    }
    k->programs = k->source = ts_programs_new();
    for (size_t n = 0; n < count; n++) add_program_of(k->source, ordered, order[n]);
    ts_programs_free(ordered);
    for (; k->count < 2; k->count++) {
        const ts_task *task = ts_tasks_at(u->bundled, gen_below(&u->g, (uint32_t)ts_tasks_count(u->bundled)));
        k->tasks[k->count] = task;
        k->lanes += (size_t)(task->demos + task->tests);
    }
}

static void test_hostile(Unit *u, const ts_programs *differs) {
    static const uint64_t units[] = {5000, 0};
    check_begin(&u->checks, "hostile neighbours change nothing");
    for (int limit = 0; limit < 2; limit++) {
        Case k = {0};
        make_hostile_case(u, &k);
        ts_battery_options o = {.units = units[limit], .top = 1000, .differs = differs};
        o.full = gen_chance(&u->g, 50);
        o.plain = gen_chance(&u->g, 20);
        uint8_t *wanted = outcomes_alone(u, &k, &o);
        choose_room(u); // the same for all chunks: so is the work
        check_chunks(u, &k, &o, wanted);
        room = USUAL_ROOM;
        test_case(u, &k, o);
        free(wanted);
        case_free(&k);
    }
    check_end(&u->checks);
}

// ---- Scores ----

static const char odd_differs[] =
    "def differ_number(S, I, C): return 7\n"
    "def differ_high(S, I, C): return (5000, 0)\n"
    "def differ_low(S, I, C): return (-5, 0)\n"
    "def differ_grid(S, I, C): return I\n"
    "def differ_empty(S, I, C): return ()\n"
    "def differ_failing(S, I, C): return first(())\n"
    "def differ_samples(S, I, C): return astuple(multiply(size(S), 100), S)\n"
    "def differ_size(S, I, C): return (size(palette(I)), size(palette(C)))\n"
    "def differ_huge(S, I, C): return (1000000000000000000, (9223372036854775807,))\n"
    "def differ_alone(I): return (multiply(height(I), 30), 0)\n"
    "def differ_dear(S, I, C):\n    x1 = interval(0, multiply(30, height(I)), 1)\n    x2 = product(x1, x1)\n"
    "    return (size(x1), size(x2))\n"
    "def differ_large(S, I, C):\n    x1 = canvas(1, (1000, 700))\n    x2 = canvas(2, astuple(60000, "
    "width(I)))\n"
    "    return astuple(multiply(width(I), 7), astuple(x1, x2))\n"
    "def differ_large_right(S, I, C):\n    x1 = canvas(2, astuple(50000, width(C)))\n"
    "    return astuple(height(C), hmirror(x1))\n"
    "def differ_repeats(S, I, C):\n    x1 = power(rbind(repeat, 300), 3)\n    x2 = x1(I)\n"
    "    return astuple(size(first(x2)), x2)\n";

// The points of a grid by the words of differs.h.
static int points_of(Unit *u, const ts_programs *differs, const ts_task *task, ts_grid grid, ts_grid right) {
    int64_t sum = 0;
    int count = (int)ts_programs_count(differs);
    for (int d = 0; d < count; d++) {
        ts_result r = ts_run_differ(u->engine, differs, (size_t)d, task, grid, right);
        if (r.failure || !value_is_tuple(r.value)) continue;
        ctx_begin(&u->c, 1000);
        Value first = value_item(&u->c, r.value, 0);
        int64_t score = !u->c.failure && value_is_int(first) ? value_int_of(first) : 0;
        sum += score < 0 ? 0 : score > 1000 ? 1000 : score;
    }
    return (int)(sum / count);
}

// What a differ may spend on a grid: more on those of a task with grids larger than usual.
static uint64_t differ_units(const ts_task *task) {
    return task_side(task) > GRID_USUAL_SIDE ? 16000000 : 1000000;
}

// The score of what a candidate gave for a demo.
static int score_of(Unit *u, const ts_programs *differs, const ts_task *task, int demo, ts_grid grid) {
    const ts_sample *sample = &task->samples[demo];
    if (ts_grid_equal(grid, sample->output)) return 1000;
    if (!grid_fits(grid, task_side(task))) return 0;
    int points = points_of(u, differs, task, grid, sample->output),
        before = points_of(u, differs, task, sample->input, sample->output);
    if (points <= before) return 0;
    int score = 1000 * (points - before) / (1000 - before);
    return score < 1000 ? score : 999;
}

static void check_score(Unit *u, ts_battery *b, const ts_task *task, const ts_candidate *c,
                        const ts_battery_options *o) {
    int wanted = 0, most = 1000 * task->demos;
    bool missed = false;
    ts_programs *cut = cut_out(u, b, c->node);
    for (int n = 0; cut && n < task->demos && (o->full || !missed); n++) {
        set_engine(u, o);
        ts_result r = ts_run_sample(u->engine, cut, 0, task, n);
        signed char cells[GRID_TASK_SIDE * GRID_TASK_SIDE];
        bool is_grid = !r.failure && ts_value_is_grid(r.value);
        ts_grid grid = is_grid ? ts_value_grid(r.value) : (ts_grid){0};
        missed = !is_grid || !ts_grid_equal(grid, task->samples[n].output);
        if (!is_grid) continue;
        size_t size = (size_t)grid.height * (size_t)grid.width;
        if (size <= sizeof cells) grid.cells = memcpy(cells, grid.cells, size);
        ts_engine_set_units(u->engine, differ_units(task));
        wanted += score_of(u, o->differs, task, n, grid);
    }
    check(&u->checks, c->score >= 0 && c->score <= most, "score %d of %d", c->score, most);
    check(&u->checks, c->score == wanted, "%s: %s: node %u: score %d for %d", shown(o), task->id, c->node,
          c->score, wanted);
    check(&u->checks, (c->demos_right == (uint32_t)task->demos) == (c->score == most),
          "score of a right one: %d", c->score);
    check(&u->checks, c->node != SLOT_I || c->score == (int)c->demos_right * 1000, "score of the input: %d",
          c->score);
    ts_programs_free(cut);
}

// What a program got for a demo is what its grid, made alone, gets; nothing where it was not run or gave
// none.
static void check_program_score(Unit *u, const ts_battery *b, const Case *k, size_t t, size_t program,
                                const ts_battery_options *o) {
    const ts_task *task = ts_battery_task(b, t).task;
    const size_t programs = ts_programs_count(k->programs);
    for (int n = 0; n < task->demos; n++) {
        int score = ts_battery_scores(b, t)[(size_t)n * programs + program], wanted = 0;
        uint8_t outcome = ts_battery_outcomes(b, t)[(size_t)n * programs + program];
        check(&u->checks, outcome % 8 == ts_battery_outcome(b, program, t, n, NULL), "outcome %u", outcome);
        set_engine(u, o);
        ts_result r = ts_run_sample(u->engine, k->programs, program, task, n);
        signed char cells[GRID_TASK_SIDE * GRID_TASK_SIDE];
        if (outcome % 8 != TS_NOT_RUN && !r.failure && ts_value_is_grid(r.value)) {
            ts_grid grid = ts_value_grid(r.value);
            size_t size = (size_t)grid.height * (size_t)grid.width;
            if (size <= sizeof cells) grid.cells = memcpy(cells, grid.cells, size);
            ts_engine_set_units(u->engine, differ_units(task));
            wanted = score_of(u, o->differs, task, n, grid);
        }
        check(&u->checks, score == wanted, "%s: %s: program %zu, demo %d: score %d for %d", shown(o),
              task->id, program, n, score, wanted);
    }
}

// Some of all differs, at least one.
static ts_programs *some_differs(Unit *u, const ts_programs *bundled) {
    ts_programs *all = ts_programs_new(), *some = ts_programs_new();
    check(&u->checks, add_text(all, odd_differs, sizeof odd_differs - 1), "the odd differs cannot be read");
    for (size_t d = 0; d < ts_programs_count(bundled); d++) add_program_of(all, bundled, d);
    uint32_t chance = gen_chance(&u->g, 50) ? 10 : 60;
    while (ts_programs_count(some) == 0)
        for (size_t d = 0; d < ts_programs_count(all); d++)
            if (gen_chance(&u->g, chance)) add_program_of(some, all, d);
    ts_programs_free(all);
    return some;
}

static void test_scores(Unit *u, const ts_programs *bundled) {
    enum { ROUNDS = 6 };
    check_begin(&u->checks,
                "scores are the way from the input to the right answer, by the differs run alone");
    for (int round = 0; round < ROUNDS; round++) {
        Case k = case_new(u);
        ts_programs *some = some_differs(u, bundled);
        ts_battery_options o = {.top = round % 3 == 1 ? 0 : 25,
                                .full = round % 2,
                                .units = 20000,
                                .differs = round < 2 ? bundled : some,
                                .scores = round % 3 < 2};
        choose_room(u);
        ts_battery *b = run_case(u, &k, &o);
        room = USUAL_ROOM;
        for (size_t t = 0; b && t < k.count; t++) {
            ts_task_result r = ts_battery_task(b, t);
            for (size_t n = 0; n < r.top_count; n++) {
                check_score(u, b, r.task, &r.top[n], &o);
                check(&u->checks, n == 0 || ranks_before(&r.top[n - 1], &r.top[n]), "%s: rank %zu", shown(&o),
                      n);
            }
            check(&u->checks, o.scores == (ts_battery_scores(b, t) != NULL),
                  "scores that were not asked for");
            for (size_t n = 0; o.scores && n < ts_programs_count(k.programs); n += 3)
                check_program_score(u, b, &k, t, n, &o);
        }
        ts_battery_free(b);
        ts_programs_free(some);
        case_free(&k);
    }
    check_end(&u->checks);
}

// ---- By hand ----

static const char small_task[] =
    "{\"train\":[{\"input\":[[1,2],[3,4]],\"output\":[[3,4],[1,2]]},{\"input\":[[5,6],[7,8]],\"output\":[[7,"
    "8],[5,6]]}],"
    "\"test\":[{\"input\":[[1,1],[0,2]],\"output\":[[0,2],[1,1]]},{\"input\":[[9]]}]}";

static void check_line(Unit *u, const char *programs, const char *differs, bool full, const char *wanted) {
    ts_status s;
    ts_programs *set = ts_programs_new(), *scoring = ts_programs_new();
    check(&u->checks, add_text(set, programs, strlen(programs)) || !programs[0], "%s", programs);
    if (differs) add_text(scoring, differs, strlen(differs));
    ts_tasks *tasks = ts_tasks_read_text("t", small_task, sizeof small_task - 1, NULL, &s);
    const ts_task *task = ts_tasks_at(tasks, 0);
    Case k = {.source = set, .programs = set, .made = tasks, .tasks = {task}, .count = 1, .lanes = 4};
    ts_battery_options o = {.top = 1, .full = full, .differs = differs ? scoring : NULL};
    ts_battery *b = run_case(u, &k, &o);
    Text t = {0};
    ts_task_result r = ts_battery_task(b, 0);
    text_print(&t, "lanes %d, candidates %zu, distinct %zu%s%s", r.lanes, r.candidates, r.distinct,
               r.solved ? ", solved" : "", r.correct ? ", correct" : "");
    if (r.top_count)
        text_print(&t, ": lines %u, agreeing %u, demos %u of %u, tests %u, score %d", r.top->lines,
                   r.top->agreeing, r.top->demos_right, r.top->demos, r.top->tests_right, r.top->score);
    for (size_t p = 0; p < ts_programs_count(set); p++) {
        text_add(&t, " |");
        for (int n = 0; n < 4; n++) {
            ts_failure failure;
            ts_outcome outcome = ts_battery_outcome(b, p, 0, n, &failure);
            text_print(&t, " %s",
                       outcome == TS_FAILED ? ts_failure_name(failure)
                                            : (const char *[]){"-", "right", "wrong", "unknown"}[outcome]);
        }
    }
    check(&u->checks, strcmp(t.data, wanted) == 0, "%s\n%s\nfor\n%s", programs, t.data, wanted);
    text_free(&t);
    ts_battery_free(b);
    ts_programs_free(scoring);
    case_free(&k);
}

static void test_by_hand(Unit *u) {
    static const char cells_and_shape[] =
        "def differ_cells(S, I, C):\n    x1 = ofcolor(cellwise(C, I, NEG_ONE), NEG_ONE)\n"
        "    x2 = multiply(size(x1), 250)\n    return astuple(subtract(1000, x2), x1)\n";
    check_begin(&u->checks, "small batteries, by hand");
    check_line(u, "", NULL, false, "lanes 1, candidates 0, distinct 0");
    check_line(u, "def f(I): return I", NULL, false,
               "lanes 1, candidates 1, distinct 1: lines 0, agreeing 1, demos 0 of 1, tests 0, score 0 | "
               "wrong - - -");
    check_line(u, "def f(I): return I", NULL, true,
               "lanes 4, candidates 1, distinct 1: lines 0, agreeing 1, demos 0 of 2, tests 0, score 0 | "
               "wrong wrong wrong unknown");
    check_line(u, "def f(I): return hmirror(I)", NULL, false,
               "lanes 4, candidates 1, distinct 1, solved, correct: lines 1, agreeing 1, demos 2 of 2, tests "
               "1, score 0"
               " | right right right unknown");
    check_line(
        u, "def f(I): return hmirror(I)\ndef g(I): return vmirror(rot180(I))\ndef h(I): return hmirror(I)",
        cells_and_shape, false,
        "lanes 4, candidates 3, distinct 2, solved, correct: lines 1, agreeing 2, demos 2 of 2, tests 1, "
        "score 2000"
        " | right right right unknown | right right right unknown | right right right unknown");
    check_line(u, "def f(I): return ((3, 4), (1, 2))", NULL, false,
               "lanes 2, candidates 1, distinct 1: lines 0, agreeing 1, demos 1 of 2, tests 0, score 0 | "
               "right wrong - -");
    check_line(u, "def f(I): return 5\ndef g(I): return size", NULL, true,
               "lanes 4, candidates 0, distinct 0 | wrong wrong wrong unknown | wrong wrong wrong unknown");
    check_line(u, "def f(S, I, C): return last(first(S))\ndef g(S, I, C): return S\ndef h(S, I, C): return C",
               NULL, false,
               "lanes 2, candidates 1, distinct 1: lines 2, agreeing 1, demos 1 of 2, tests 0, score 0"
               " | right wrong - - | wrong - - - | wrong - - -");
    check_line(u,
               "def f(I):\n    x1 = compose(vmirror, rot180)\n    return x1(I)\ndef g(I):\n    x1 = "
               "size(I)\n    return x1(I)",
               NULL, false,
               "lanes 4, candidates 1, distinct 1, solved, correct: lines 2, agreeing 1, demos 2 of 2, tests "
               "1, score 0"
               " | right right right unknown | type - - -");
    // Right on the first demo; the line that fails on the second takes nothing from the one that does not.
    check_line(u,
               "def f(I):\n    x1 = first(ofcolor(I, 3))\n    x2 = equality(x1, x1)\n    return branch(x2, "
               "hmirror(I), I)",
               NULL, false,
               "lanes 4, candidates 2, distinct 2, solved, correct: lines 1, agreeing 1, demos 2 of 2, tests "
               "1, score 0"
               " | right empty - -");
    // Of four cells: the input has none right, these have one, two, all.
    check_line(u, "def f(I): return replace(canvas(3, (2, 2)), 0, 0)", cells_and_shape, false,
               "lanes 1, candidates 2, distinct 1: lines 1, agreeing 2, demos 0 of 1, tests 0, score 250 | "
               "wrong - - -");
    check_line(u, "def f(I): return fill(hmirror(I), 9, initset(ORIGIN))", cells_and_shape, true,
               "lanes 4, candidates 2, distinct 2, solved, correct: lines 1, agreeing 1, demos 2 of 2, tests "
               "1, score 2000"
               " | wrong wrong wrong unknown");
    check_end(&u->checks);
}

// A task without demos, which no file can hold: all samples are to be run.
static void test_no_demos(Unit *u) {
    static const signed char cells[] = {1, 2, 3, 4};
    static const ts_grid grid = {2, 2, cells}, row = {1, 2, cells}, cell = {1, 1, cells};
    static const ts_sample samples[] = {{.input = cell, .output = cell, .is_test = true, .has_output = true},
                                        {.input = grid, .output = grid, .is_test = true, .has_output = true},
                                        {.input = row, .is_test = true}};
    static const ts_task task = {.id = "none", .samples = samples, .tests = 3};
    check_begin(&u->checks, "a task without demos");
    Case k = case_new(u),
         none = {.programs = k.programs, .tasks = {&task, k.tasks[0], &task}, .count = 3, .lanes = 6};
    none.lanes += (size_t)(k.tasks[0]->demos + k.tasks[0]->tests);
    ts_battery_options o = {.top = 2};
    uint8_t *wanted = outcomes_alone(u, &none, &o);
    for (int chunk = 1; chunk <= 3; chunk++) {
        o.chunk = chunk;
        ts_battery *b = run_case(u, &none, &o);
        if (b) check_outcomes(u, &none, b, &o, wanted);
        if (b) check_counts(u, &none, b, &o);
        ts_battery_free(b);
    }
    free(wanted);
    case_free(&k);
    check_end(&u->checks);
}

// ---- Stopping, and going again ----

typedef struct {
    size_t calls, last, stop_after;
    bool in_order;
    ts_stop flag;
} Progress;

static bool note_progress(void *user, size_t done, size_t all) {
    Progress *p = user;
    p->in_order = p->in_order && done > p->last && done <= all;
    p->last = done;
    return ++p->calls != p->stop_after;
}

static void check_stop(Unit *u, const Case *k, const ts_battery_options *o, size_t stop_after,
                       const uint8_t *wanted) {
    ts_status s = {0};
    Progress p = {.stop_after = stop_after, .in_order = true};
    ts_battery *b = ts_battery_new(k->programs, o, &s);
    check(&u->checks, b && ts_battery_run(b, k->tasks, k->count, note_progress, &p, &s), "%s", s.message);
    size_t reached = 0, programs = ts_programs_count(k->programs), lane = 0;
    for (size_t t = 0; b && t < k->count; t++) {
        ts_task_result r = ts_battery_task(b, t);
        size_t samples = (size_t)(k->tasks[t]->demos + k->tasks[t]->tests);
        Case one = {.programs = k->programs, .tasks = {k->tasks[t]}, .count = 1, .lanes = samples};
        reached += r.lanes > 0;
        check(&u->checks, r.lanes > 0 || (r.candidates == 0 && r.top_count == 0 && !r.solved),
              "a task not reached");
        for (size_t q = 0; r.lanes == 0 && q < samples * programs; q++) {
            ts_failure failure;
            ts_outcome outcome = ts_battery_outcome(b, q % programs, t, (int)(q / programs), &failure);
            check(&u->checks, outcome == TS_NOT_RUN && !failure, "an outcome of a task not reached");
        }
        if (r.lanes > 0) { // as if it were the only one
            ts_battery *alone = run_case(u, &one, o);
            if (alone) check_outcomes(u, &one, alone, o, wanted + lane * programs);
            ts_battery_free(alone);
        }
        lane += samples;
    }
    if (b) check_counts(u, k, b, o);
    check(&u->checks, p.in_order && reached == p.last, "%zu tasks reached, %zu reported", reached, p.last);
    check(&u->checks, stop_after == 0 ? reached == k->count : p.calls >= 1, "%zu calls, %zu tasks", p.calls,
          reached);
    if (o->threads == 1 && stop_after) check(&u->checks, p.calls <= stop_after, "went on");
    // The same battery again, now to the end, and on no task at all.
    check(&u->checks, b && ts_battery_run(b, k->tasks, k->count, NULL, NULL, &s), "%s", s.message);
    if (b) check_outcomes(u, k, b, o, wanted);
    if (b) check_counts(u, k, b, o);
    check(&u->checks, b && ts_battery_run(b, k->tasks, 0, NULL, NULL, &s), "%s", s.message);
    Case no_tasks = {.programs = k->programs};
    if (b) check_counts(u, &no_tasks, b, o);
    ts_battery_free(b);
}

// The same by a flag, which is heard between two nodes; at first after no chunk at all.
static bool set_flag(void *user, size_t done, size_t all) {
    Progress *p = user;
    (void)done, (void)all;
    ts_stop_set(&p->flag, ++p->calls == p->stop_after);
    return true;
}

static void check_flag(Unit *u, const Case *k, ts_battery_options o, size_t stop_after) {
    ts_status s = {0};
    Progress p = {.stop_after = stop_after, .flag = {!stop_after}};
    o.threads = 1;
    o.stop = &p.flag;
    ts_battery *b = ts_battery_new(k->programs, &o, &s);
    check(&u->checks, b && ts_battery_run(b, k->tasks, k->count, set_flag, &p, &s), "%s", s.message);
    size_t wanted = stop_after * (size_t)o.chunk, reached = 0, fixed = 0;
    for (size_t t = 0; b && t < k->count; t++) {
        ts_task_result r = ts_battery_task(b, t);
        reached += r.lanes > 0;
        check(&u->checks, t < wanted || (!r.lanes && !r.over && !r.candidates && !r.top_count && !r.solved),
              "a task not reached");
    }
    check(&u->checks, reached == (wanted < k->count ? wanted : k->count), "%zu tasks reached", reached);
    for (uint32_t n = 0; b && n < b->graph.count; n++) fixed += !b->graph.nodes[n].needs;
    if (b && !stop_after)
        check(&u->checks, ts_battery_count(b).evaluated <= fixed + (size_t)o.chunk, "went on");
    ts_battery_free(b);
}

static void test_progress(Unit *u) {
    check_begin(&u->checks, "progress, stopping, and running again");
    for (size_t stop_after = 0; stop_after < 4; stop_after++) {
        Case k = case_new(u);
        ts_battery_options o = {
            .top = 2, .chunk = 1 + (int)gen_below(&u->g, 2), .threads = 1 + (int)stop_after % 3};
        uint8_t *wanted = outcomes_alone(u, &k, &o);
        check_stop(u, &k, &o, stop_after, wanted);
        check_flag(u, &k, o, stop_after);
        free(wanted);
        case_free(&k);
    }
    check_end(&u->checks);
}

static void test_all(Unit *u, uint64_t seed, const ts_programs *differs) {
    u->g = (Gen){.rng = {seed}, .c = &u->c, .scratch = &u->scratch};
    test_cases(u, differs);
    test_candidates(u);
    test_top(u);
    test_limits(u);
    test_hostile(u, differs);
    test_scores(u, differs);
    test_no_demos(u);
    test_progress(u);
}

int main(int argc, char **argv) {
    static Unit u;
    ts_status s = {0};
    gen_context(&u.c, MEMORY);
    gen_context(&u.scratch, MEMORY);
    u.engine = ts_engine_new();
    u.golden = ts_programs_new();
    u.bundled_programs = ts_programs_new();
    u.bundled = ts_tasks_read("tasks", NULL, false, NULL, NULL, &s);
    ts_programs *differs = ts_programs_new();
    if (!u.bundled || !ts_programs_add_file(u.golden, "tests/golden/programs.py", true, NULL, NULL, &s) ||
        !ts_programs_add_file(u.bundled_programs, "tasks/solvers.py", true, NULL, NULL, &s) ||
        !ts_differs_bundled(differs, &s)) {
        printf("%s\n", s.message);
        return 1;
    }
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    for (uint64_t seed = first; seed <= last; seed++) test_all(&u, seed, differs);
    test_forgiven_units(&u);
    test_by_hand(&u);
    test_growing(&u);
    test_memory(&u);
    ts_programs_free(differs);
    ts_programs_free(u.golden);
    ts_programs_free(u.bundled_programs);
    ts_tasks_free(u.bundled);
    ts_engine_free(u.engine);
    arena_free(&u.c.arena);
    arena_free(&u.scratch.arena);
    return check_summary(&u.checks);
}
