// Judges: the points of a grid are those of the bundled differs; what is said of a program is what a battery
// and an engine say of it, whatever stands in the same block.
//
//     judge [SEED [LAST]]     with this seed (1), or with all from SEED to LAST
//
// Runs in the root of the project, for it reads tests/golden/programs.py and tasks/.
#include <stdlib.h>

#include "battery/battery.h"
#include "check.h"
#include "generate.h"
#include "judge/judge.h"

#define MEMORY ((size_t)256 << 20)
enum { GRIDS = 400, MOST_ITEMS = 64 };

typedef struct {
    Checks checks;
    Ctx c, scratch;
    Gen g;
    ts_programs *golden, *bundled_programs, *differs;
    ts_tasks *tasks;
    Graph graph; // of the differs
    Sheet sheet;
    Ctx scores;
    int most; // the longest side of random grids
} Unit;

// ---- Points ----

static Value random_grid(Unit *u, int height, int width, int colors, int noise) {
    Obj *o = value_grid_new(&u->c, height, width);
    int8_t ground = (int8_t)gen_below(&u->g, 10);
    bool odd = gen_chance(&u->g, 10);
    for (int k = 0; o && k < height * width; k++) {
        int8_t color = (int8_t)gen_below(&u->g, (uint32_t)colors);
        if (odd) color = (int8_t)gen_from(&u->g, -128, 127);
        grid_cells(o)[k] = gen_chance(&u->g, (uint32_t)noise) ? color : ground;
    }
    return o ? value_of_obj(o) : VALUE_FAILED;
}

// A grid that has much in common with another: some cells changed, or of another size.
static Value grid_like(Unit *u, Value v) {
    const Obj *like = value_obj(v);
    int height = (int)like->n, width = (int)like->width;
    if (gen_chance(&u->g, 30)) height = (int)gen_from(&u->g, 1, u->most);
    if (gen_chance(&u->g, 30)) width = (int)gen_from(&u->g, 1, u->most);
    Obj *o = value_grid_new(&u->c, height, width);
    uint32_t changed = gen_below(&u->g, 30);
    for (int i = 0; o && i < height; i++)
        for (int j = 0; j < width; j++) {
            int8_t cell = obj_cells(like)[i % (int)like->n * (int)like->width + j % (int)like->width];
            if (gen_chance(&u->g, changed)) cell = (int8_t)gen_below(&u->g, 10);
            grid_cells(o)[i * width + j] = cell;
        }
    return o ? value_of_obj(o) : VALUE_FAILED;
}

// Cells that touch no other of their colour are the most objects that there can be.
static Value checkered(Unit *u) {
    const int most = u->most;
    Obj *o = value_grid_new(&u->c, most, most);
    for (int k = 0; o && k < most * most; k++) grid_cells(o)[k] = (int8_t)(1 + (k + k / most) % 2);
    return o ? value_of_obj(o) : VALUE_FAILED;
}

// The score that the differs give a grid, run as programs.
// A grid that can be no answer is not there for them, as among the grids of a lane.
static int32_t differs_say(Unit *u, Value input, Value right, Value grid, int side) {
    if (!points_comparable(value_obj(grid), side)) grid = VALUE_NONE;
    GridEntry entry = {.grid = grid, .right = value_equal(grid, right)};
    Grids grids = {.entries = &entry, .count = 1, .side = side};
    differs_score(&u->sheet, &u->scores, VALUE_NO_TUPLE, input, right, &grids);
    return entry.score;
}

static void test_points(Unit *u) {
    check_begin(&u->checks, "points are those of the differs");
    int between = 0;
    for (int k = 0; k < GRIDS; k++) {
        ctx_begin(&u->c, INT64_MAX / 2);
        u->most = gen_chance(&u->g, 2) ? GRID_TASK_SIDE : gen_chance(&u->g, 20) ? GRID_USUAL_SIDE : 9;
        const int most = u->most;
        int noise = (int)gen_from(&u->g, 0, 100), colors = (int)gen_from(&u->g, 1, 10);
        int width = (int)gen_from(&u->g, 1, most), height = (int)gen_from(&u->g, 1, most);
        Value right = random_grid(u, height, width, colors, noise);
        if (gen_chance(&u->g, 3)) right = checkered(u);
        Value input = grid_like(u, right), grid = gen_chance(&u->g, 20) ? input : grid_like(u, right);
        if (gen_chance(&u->g, 3)) grid = checkered(u);
        PointsSight a, b, c;
        points_look(value_obj(grid), &a);
        points_look(value_obj(input), &b);
        points_look(value_obj(right), &c);
        int32_t score = points_score(points_give(&a, &c), points_give(&b, &c));
        if (value_equal(grid, right)) score = POINTS_PERFECT;
        between += score > 0 && score < POINTS_PERFECT;
        int32_t wanted = differs_say(u, input, right, grid, GRID_TASK_SIDE);
        check(&u->checks, score == wanted, "%d, the differs say %d", score, wanted);
    }
    check(&u->checks, between > GRIDS / 10, "only %d grids with a part of the points", between);
    check_end(&u->checks);
}

// ---- Verdicts ----

typedef struct {
    char *texts[MOST_ITEMS];
    ts_judge_item items[MOST_ITEMS];
    size_t count;
    ts_judge_options options;
} Case;

static const char *const odd_programs[] = {
    "def f(I): return 5",
    "def f(I): return I",
    "def f(S, I, C): return last(first(S))",
    "def f(S, I, C): return hconcat(I, C)",
    "def f(I): return ((1, 2), (3, 4))",
    "def f(I): return compose(size, palette)",
    "def f(I): return upscale(I, 9)",
    "def f(I): return first(())",
    "def f(I):\n    x1 = fork(combine, identity, identity)\n    x2 = power(x1, 40)\n    return x2(I)",
    "def f(I):\n    x1 = upscale(I, 9)\n    x2 = asindices(x1)\n    return product(x2, x2)",
    "def f(I): return apply(compose(first, first), order(asindices(upscale(I, 3)), first))",
};

static char *random_text(Unit *u) {
    uint32_t kind = gen_below(&u->g, 4);
    const ts_programs *from = kind == 0 ? u->golden : u->bundled_programs;
    if (kind < 2) return ts_programs_print(from, gen_below(&u->g, (uint32_t)ts_programs_count(from)));
    if (kind == 2) return strdup(odd_programs[gen_below(&u->g, sizeof odd_programs / sizeof *odd_programs)]);
    ctx_begin(&u->c, INT64_MAX / 2);
    Text text = {0};
    Value grid = gen_typed(&u->g, "Grid"), wanted;
    if (!gen_program(&u->g, "solve_random", grid, &text, &wanted)) text_free(&text);
    return text.data;
}

static void make_case(Unit *u, Case *k) {
    *k = (Case){.options = {.tests = true}};
    if (gen_chance(&u->g, 50)) k->options.units = 200 + gen_below(&u->g, 20000);
    for (uint32_t n = 1 + gen_below(&u->g, MOST_ITEMS); n > 0; n--) {
        const ts_task *task = ts_tasks_at(u->tasks, gen_below(&u->g, (uint32_t)ts_tasks_count(u->tasks)));
        const ts_judge_item *before = k->count ? &k->items[gen_below(&u->g, (uint32_t)k->count)] : NULL;
        const bool again = before && gen_chance(&u->g, 40); // with calls that are known by then
        char *text = again ? strdup(before->text) : random_text(u);
        if (!text) continue;
        k->texts[k->count] = text;
        k->items[k->count++] = (ts_judge_item){again ? before->task : task, text, strlen(text)};
    }
}

static void free_case(Case *k) {
    for (size_t i = 0; i < k->count; i++) free(k->texts[i]);
}

static bool same_grid(ts_grid a, ts_grid b) {
    if (a.height != b.height || a.width != b.width || !a.cells != !b.cells) return false;
    return !a.cells || ts_grid_equal(a, b);
}

static void compare_sample(Unit *u, const ts_judge_item *item, int k, const ts_verdict_sample *v,
                           const ts_result *r) {
    const ts_sample *sample = &item->task->samples[k];
    ts_grid output = !r->failure && ts_value_is_grid(r->value) ? ts_value_grid(r->value) : (ts_grid){0};
    bool right = output.height && ts_grid_equal(output, sample->output);
    int32_t score = 0;
    if (output.height && !sample->is_test) {
        ctx_begin(&u->c, INT64_MAX / 2);
        score = differs_say(u, value_grid(&u->c, sample->input), value_grid(&u->c, sample->output),
                            value_grid(&u->c, output), task_side(item->task));
    }
    if (!grid_fits(output, task_side(item->task))) output.cells = NULL;
    ts_outcome outcome = r->failure ? TS_FAILED : right ? TS_RIGHT : TS_WRONG;
    check(&u->checks, v->outcome == outcome && v->failure == r->failure && v->line == r->line,
          "%s sample %d: outcome %d, failure %d, line %d, not %d, %d, %d\n%s", item->task->id, k, v->outcome,
          v->failure, v->line, outcome, r->failure, r->line, item->text);
    check(&u->checks, v->units == r->units, "%s sample %d: %llu units, not %llu\n%s", item->task->id, k,
          (unsigned long long)v->units, (unsigned long long)r->units, item->text);
    check(&u->checks, v->score == score, "%s sample %d: score %d, not %d\n%s", item->task->id, k, v->score,
          score, item->text);
    check(&u->checks, same_grid(v->output, output), "%s sample %d: another grid\n%s", item->task->id, k,
          item->text);
}

// What the verdict says, against the engine and the battery.
static void compare(Unit *u, const Case *k, size_t i, const ts_verdict *v, ts_engine *engine) {
    const ts_judge_item *item = &k->items[i];
    ts_battery_options options = {.full = true, .threads = 1, .units = k->options.units};
    ts_programs *one = ts_programs_new();
    ts_status s;
    ts_programs_add_text(one, "", item->text, item->length, true, NULL, NULL, &s);
    ts_battery *b = ts_battery_new(one, &options, &s);
    check(&u->checks, b && ts_battery_run(b, &item->task, 1, NULL, NULL, &s), "no battery");
    check(&u->checks, !v->problem && v->demos == item->task->demos && v->tests == item->task->tests,
          "samples are missing");
    for (int sample = 0; b && !v->problem && sample < v->demos + v->tests; sample++) {
        ts_failure failure = TS_FAIL_NONE;
        ts_outcome outcome = ts_battery_outcome(b, 0, 0, sample, &failure);
        const ts_verdict_sample *w = &v->samples[sample];
        check(&u->checks, w->outcome == outcome && (outcome != TS_FAILED || w->failure == failure),
              "%s sample %d: the battery says %d, %d, the judge %d, %d\n%s", item->task->id, sample, outcome,
              failure, w->outcome, w->failure, item->text);
        ts_result r = ts_run_sample(engine, one, 0, item->task, sample);
        compare_sample(u, item, sample, w, &r);
    }
    ts_battery_free(b);
    ts_programs_free(one);
}

static void test_verdicts(Unit *u) {
    check_begin(&u->checks, "verdicts are what the battery and the engine say");
    Case k;
    make_case(u, &k);
    ts_status s;
    ts_engine *engine = ts_engine_new();
    ts_engine_set_units(engine, k.options.units ? k.options.units : TS_BATTERY_UNITS);
    ts_judge *judge = ts_judge_new(&k.options, &s), *other = ts_judge_new(&k.options, &s);
    check(&u->checks, ts_judge_run(judge, k.items, k.count, &s), "%s", s.message);
    for (size_t i = 0; i < k.count; i++) {
        ts_verdict v = ts_judge_at(judge, i);
        compare(u, &k, i, &v, engine);
        // Alone in a block, from the last to the first: nothing depends on what came before.
        size_t from_end = k.count - 1 - i;
        ts_verdict here = ts_judge_at(judge, from_end);
        check(&u->checks, ts_judge_run(other, &k.items[from_end], 1, &s), "%s", s.message);
        ts_verdict alone = ts_judge_at(other, 0);
        check(&u->checks, alone.score == here.score && alone.units == here.units, "another verdict alone");
    }
    ts_judge_free(judge);
    ts_judge_free(other);
    ts_engine_free(engine);
    free_case(&k);
    check_end(&u->checks);
}

// ---- Texts that hold no program, or several ----

static void test_texts(Unit *u) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "expected a program"},
        {"# nothing\n", "expected a program"},
        {"def f(I): return I\ndef g(I): return I\n", "there are 2"},
        {"def f(I): return I\ndef g(I): return\n", "returns nothing"},
        {"import os\n", "expected a program"},
        {"def f(I): return open(I)\n", "unknown primitive 'open'"},
    };
    check_begin(&u->checks, "texts without a program, or with several");
    ts_status s;
    ts_judge *judge = ts_judge_new(&(ts_judge_options){0}, &s);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ts_judge_item item = {ts_tasks_at(u->tasks, 0), cases[k].text, strlen(cases[k].text)};
        ts_judge_run(judge, &item, 1, &s);
        ts_verdict v = ts_judge_at(judge, 0);
        check(&u->checks, v.problem && strstr(v.problem->message, cases[k].message), "'%s': %s",
              cases[k].text, v.problem ? v.problem->message : "no problem");
    }
    ts_judge_free(judge);
    check_end(&u->checks);
}

// The memory of grids is forgotten now and then, which changes nothing but the time.
static void test_many_grids(Unit *u) {
    enum { BLOCKS = 60, BLOCK = 200 };
    check_begin(&u->checks, "many different grids");
    ts_status s;
    ts_judge *judge = ts_judge_new(&(ts_judge_options){0}, &s);
    const ts_task *task = ts_tasks_at(u->tasks, 0);
    size_t most = 0;
    for (int block = 0; block < BLOCKS; block++) {
        static char texts[BLOCK][160];
        ts_judge_item items[BLOCK];
        for (int k = 0; k < BLOCK; k++) {
            int n = block * BLOCK + k; // a cell for each digit
            int length =
                snprintf(texts[k], sizeof texts[k],
                         "def f(I): return fill(fill(canvas(%d, (30, 30)), %d, {(%d, %d)}), 7, {(%d, 29)})",
                         n % 6, n / 6 % 6, n / 36 % 20, n / 720 % 20, n / 14400 % 30);
            items[k] = (ts_judge_item){task, texts[k], (size_t)length};
        }
        check(&u->checks, ts_judge_run(judge, items, BLOCK, &s), "%s", s.message);
        for (int k = 0; k < BLOCK; k++) {
            ts_verdict v = ts_judge_at(judge, (size_t)k);
            int n = block * BLOCK + k, at = n / 36 % 20 * 30 + n / 720 % 20;
            check(&u->checks, !v.problem && v.samples[0].output.cells[at] == n / 6 % 6, "another grid");
        }
        size_t held = judge->memory.grids.held + judge->memory.met_room * sizeof(Met *);
        if (held > most) most = held;
    }
    check(&u->checks, most > ((size_t)16 << 20) && most < ((size_t)64 << 20), "%zu bytes at most", most);
    ts_judge_free(judge);
    check_end(&u->checks);
}

int main(int argc, char **argv) {
    static Unit u;
    ts_status s = {0};
    gen_context(&u.c, MEMORY);
    gen_context(&u.scratch, MEMORY);
    gen_context(&u.scores, MEMORY);
    u.golden = ts_programs_new();
    u.bundled_programs = ts_programs_new();
    u.differs = ts_programs_new();
    u.tasks = ts_tasks_read("tasks", NULL, false, NULL, NULL, &s);
    if (!u.tasks || !ts_programs_add_file(u.golden, "tests/golden/programs.py", true, NULL, NULL, &s) ||
        !ts_programs_add_file(u.bundled_programs, "tasks/solvers.py", true, NULL, NULL, &s) ||
        !ts_differs_bundled(u.differs, &s) || !graph_make(&u.graph, u.differs, true) ||
        !differs_init(&u.sheet, &u.graph, &differs_limits, false, NULL)) {
        printf("%s\n", s.message);
        return 1;
    }
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : first;
    for (uint64_t seed = first; seed <= last; seed++) {
        u.g = (Gen){.rng = {seed}, .c = &u.c, .scratch = &u.scratch};
        test_points(&u);
        test_verdicts(&u);
    }
    test_texts(&u);
    test_many_grids(&u);
    sheet_free(&u.sheet);
    graph_free(&u.graph);
    ts_programs_free(u.differs);
    ts_programs_free(u.golden);
    ts_programs_free(u.bundled_programs);
    ts_tasks_free(u.tasks);
    arena_free(&u.c.arena);
    arena_free(&u.scratch.arena);
    arena_free(&u.scores.arena);
    return check_summary(&u.checks);
}
