// Memory that runs out: everything the library does is done again and again, with the first, the second, …
// allocation failing, alone or with all that come after it. Each step has to say that it failed, or to give
// what it gives with memory enough; the sanitizers see to it that nothing leaks or is touched after its end.
//
// The linker sends the library's malloc, calloc and realloc here (see the Makefile), and SQLite is told to
// use the same.
#include <malloc.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "battery/battery.h"
#include "check.h"
#include "iterate/iterate.h"
#include "iterate/iterate_worker.h"

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *piece, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *piece, size_t bytes);

static atomic_long left = -1;         // allocations until one fails; below zero none does
static atomic_bool has_failed, lasts; // lasts: once one has failed all do

static bool fails(void) {
    long now = left;
    while (now >= lasts && !atomic_compare_exchange_weak(&left, &now, now - 1)) continue;
    if (now) return false;
    has_failed = true;
    return true;
}

void *__wrap_malloc(size_t bytes) { return fails() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t n, size_t bytes) { return fails() ? NULL : __real_calloc(n, bytes); }
void *__wrap_realloc(void *piece, size_t bytes) { return fails() ? NULL : __real_realloc(piece, bytes); }

// A template for a file or folder; in memory, so that nobody waits for a disk thousands of times.
typedef struct {
    char path[64];
} Temporary;

static Temporary temporary(void) {
    Temporary t;
    snprintf(t.path, sizeof t.path, "%s/tessera-memory-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    return t;
}

static void *sqlite_malloc(int bytes) { return malloc((size_t)bytes); }
static void *sqlite_realloc(void *piece, int bytes) { return realloc(piece, (size_t)bytes); }
static int sqlite_size(void *piece) { return (int)malloc_usable_size(piece); }
static int sqlite_round(int bytes) { return (bytes + 7) & ~7; }
static int sqlite_begin(void *user) { return (void)user, SQLITE_OK; }
static void sqlite_end(void *user) { (void)user; }

static bool starve_sqlite(void) {
    static sqlite3_mem_methods methods = {sqlite_malloc, free,         sqlite_realloc, sqlite_size,
                                          sqlite_round,  sqlite_begin, sqlite_end,     NULL};
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK && sqlite3_initialize() == SQLITE_OK;
}

// What a step gave, as text; NULL where it said that it failed.
typedef char *Step(void);

static char *copy(const char *text) {
    long before = left;
    left = -1;
    char *copied = strdup(text);
    left = before;
    return copied;
}

static const char program_text[] =
    "def solve_a(I):\n    x1 = objects(I, T, F, T)\n    x2 = argmax(x1, size)\n"
    "    x3 = (x2, x1, {(1, (2, 3)), (4, (5, 6))})\n    O = subgrid(first(x3), I)\n"
    "    return O\n";
static const signed char cells[] = {0, 1, 1, 0, 1, 0, 2, 2, 2};
static const ts_grid grid = {3, 3, cells};

static char *step_print_program(void) {
    ts_status s;
    char *text = NULL;
    ts_programs *set = ts_programs_new();
    if (set && ts_programs_add_text(set, "", program_text, sizeof program_text - 1, true, NULL, NULL, &s))
        text = ts_programs_print(set, 0);
    ts_programs_free(set);
    return text;
}

static char *step_print_dialect(void) {
    static const char made[] =
        "def a(I):\n    x1 = apply(lbind(rbind, upscale), (1, 2))\n    x2 = rapply(x1, I)\n"
        "    x3 = astuple(lbind(lbind, shift), lbind(lbind, rbind)(subtract))\n"
        "    x4 = paint(first(x2), {(1, (2, 3)), (4, (5, 6))})\n"
        "    return fill(x4, TWO, first(x3)(ofcolor(I, ONE))(UNITY))\n";
    ts_status s;
    char *text = NULL;
    ts_programs *set = ts_programs_new();
    if (set && ts_programs_add_text(set, "", made, sizeof made - 1, true, NULL, NULL, &s))
        text = ts_programs_print_dialect(set, 0, &s);
    ts_programs_free(set);
    return text;
}

static char *step_tell_program(void) {
    return ts_tell("def a(I):\n    x1 = objects(I, T, F, T)\n    x2 = fork(shift, identity, rbind(gravitate, "
                   "ofcolor(I, GRAY)))\n"
                   "    x3 = cover(I, merge(colorfilter(x1, TWO)))\n    x4 = sfilter(x1, compose(flip, "
                   "rbind(bordering, x3)))\n"
                   "    return paint(hmirror(x3), mapply(x2, difference(x4, sfilter(x4, square))))\n");
}

static char *step_run_program(void) {
    ts_status s;
    char *text = NULL;
    ts_programs *set = ts_programs_new();
    ts_engine *engine = ts_engine_new();
    if (engine && set &&
        ts_programs_add_text(set, "", program_text, sizeof program_text - 1, true, NULL, NULL, &s)) {
        ts_result r = ts_run(engine, set, 0, grid);
        text = r.failure ? NULL : ts_value_print(r.value);
    }
    ts_engine_free(engine);
    ts_programs_free(set);
    return text;
}

// Codes that are read as words, told and run; words that do not fit, and what is said of them.
static char *step_words(void) {
    static const char good_text[] =
        "def solve_w(I):\n"
        "    x1 = draw(I, I, (5, ((14, 0, 0, 0),)), ((0, 0, 0, 0, 0), (10, 0, ((1, 3), (2, 4))), 0))\n"
        "    x2 = shift_parts(x1, (PARTS, ((COLOR, EQUALS, 2), (SIZE, MOST))), (SLIDE, SOUTH), OWN_COLOR)\n"
        "    x3 = rbind(rbind(cell_tree, (2540, 0, 1, 3, (203, 1, 4, (101,), (0,)))), (0,))\n"
        "    return x3(x2)\n";
    static const char bad_text[] =
        "def solve_b(I):\n    return shift_parts(I, (PARTS,), (SLIDE, 77), OWN_COLOR)\n";
    ts_status s, problem = {0};
    char *text = NULL, *printed = NULL, *told = NULL, *value = NULL;
    ts_programs *set = ts_programs_new(), *bad = ts_programs_new();
    ts_engine *engine = ts_engine_new();
    if (engine && bad && set &&
        ts_programs_add_text(set, "", good_text, sizeof good_text - 1, true, NULL, NULL, &s) &&
        !ts_programs_add_text(bad, "", bad_text, sizeof bad_text - 1, true, NULL, NULL, &problem) &&
        problem.code == TS_INPUT) {
        ts_result r = ts_run(engine, set, 0, grid);
        value = r.failure ? NULL : ts_value_print(r.value);
        printed = value ? ts_programs_print(set, 0) : NULL;
        told = printed ? ts_programs_tell(set, 0) : NULL;
    }
    long before = left;
    left = -1; // this is not the library
    if (told && asprintf(&text, "%s%s\n%s\n%s", printed, told, value, problem.message) < 0) text = NULL;
    left = before;
    free(value);
    free(printed);
    free(told);
    ts_engine_free(engine);
    ts_programs_free(set);
    ts_programs_free(bad);
    return text;
}

static void add_problem(void *user, const ts_status *problem) {
    long before = left;
    left = -1; // this is not the library
    text_print(user, "%d: %s\n", problem->line, problem->message);
    left = before;
}

// Programs as models write them, and all that is wrong with others.
static char *step_models(void) {
    static const char good_text[] =
        "Here it is:\n```python\ndef largest(grid):\n    return max(objects(grid, T, F, T), key=size)\n\n"
        "def solve_m(I):\n    out = I\n    for c in (1, 2):\n        out = replace(out, c, c + 1)\n"
        "    near = [o for o in objects(I, T, F, T) if size(o) > 1 and color(o) != 2]\n"
        "    f = lambda o: shift(o, (1, 0)) if height(o) > 1 else o\n"
        "    return paint(paint(out, largest(I)), merge(apply(f, near)))\n```\n";
    static const char bad_text[] =
        "def solve_x(I):\n    a = objcts(I)\n    b = {1: 2}\n    c = fill(I, I, I, I)\n    return "
        "hmirror(3)\n"
        "def solve_y(I):\n    while True:\n        I = rot90(I)\n    return fill(I, {1}, 3)\n"
        "def solve_z(I): return\n";
    ts_status s = {0};
    Text said = {0};
    char *printed = NULL, *value = NULL, *text = NULL;
    ts_programs *set = ts_programs_new(), *bad = ts_programs_new();
    ts_engine *engine = ts_engine_new();
    if (engine && bad && set &&
        ts_programs_add_text(set, "", good_text, sizeof good_text - 1, true, NULL, NULL, &s) &&
        !ts_programs_add_text(bad, "", bad_text, sizeof bad_text - 1, false, add_problem, &said, &s) &&
        s.code == TS_INPUT) {
        ts_result r = ts_run(engine, set, 0, grid);
        value = r.failure ? NULL : ts_value_print(r.value);
        printed = value ? ts_programs_print(set, 0) : NULL;
    }
    long before = left;
    left = -1; // this is not the library
    if (printed && asprintf(&text, "%s%s\n%s", printed, value, said.data) < 0) text = NULL;
    left = before;
    text_free(&said);
    free(value);
    free(printed);
    ts_engine_free(engine);
    ts_programs_free(set);
    ts_programs_free(bad);
    return text;
}

// The manual of the words, as text and as JSON.
static char *step_manual(void) {
    char *all = ts_words_print(NULL), *json = all ? ts_words_json() : NULL, *text = NULL;
    long before = left;
    left = -1; // this is not the library
    if (json && asprintf(&text, "%s%s", all, json) < 0) text = NULL;
    left = before;
    free(all);
    free(json);
    return text;
}

static bool add_line(void *user, const ts_trace_line *line) {
    char *value = line->failure ? NULL : ts_value_print(line->value);
    long before = left;
    left = -1; // this is not the library
    text_print(user, "%s => %s\n", line->text, value ? value : "!");
    left = before;
    free(value);
    return true;
}

static char *step_trace(void) {
    ts_status s;
    Text text = {0};
    ts_programs *set = ts_programs_new();
    ts_engine *engine = ts_engine_new();
    bool good = engine && set &&
                ts_programs_add_text(set, "", program_text, sizeof program_text - 1, true, NULL, NULL, &s);
    if (good) {
        ts_result r = ts_trace(engine, set, 0, NULL, grid, NULL, add_line, &text);
        good = !r.failure && !ts_engine_starved(engine) && !strchr(text.data, '!');
    }
    ts_engine_free(engine);
    ts_programs_free(set);
    if (good) return text_take(&text);
    text_free(&text);
    return NULL;
}

static char *step_read_file(void) {
    ts_status s;
    ts_programs *set = ts_programs_new();
    bool good = set && ts_programs_add_file(set, "tasks/solvers.py", false, NULL, NULL, &s);
    char *text = good ? ts_programs_print(set, ts_programs_count(set) - 1) : NULL;
    ts_programs_free(set);
    return text;
}

static char *step_eval(void) {
    static const char expression[] = "product(interval(0, 40, 1), {(1, 2), (2, (3, 4)), 5})";
    ts_status s;
    ts_result r;
    ts_engine *engine = ts_engine_new();
    bool good = engine && ts_eval(engine, expression, sizeof expression - 1, &r, &s) && !r.failure;
    char *text = good ? ts_value_print(r.value) : NULL;
    ts_engine_free(engine);
    return text;
}

static char *step_check(void) {
    static const char lines[] = "add(1, 2) => 3\nadd(1, 2) => 4\nfirst(()) => !\n";
    ts_check_result result;
    ts_engine *engine = ts_engine_new();
    bool good = engine && ts_check(engine, NULL, "", lines, sizeof lines - 1, NULL, NULL, &result);
    ts_engine_free(engine);
    return good ? copy(result.passed == 2 && result.failed == 1 ? "2 of 3" : "wrong") : NULL;
}

static char *describe_tasks(ts_tasks *tasks) {
    if (!tasks) return NULL;
    char text[64];
    const ts_task *task = ts_tasks_at(tasks, 0);
    snprintf(text, sizeof text, "%zu %s %d %d", ts_tasks_count(tasks), task->id, task->demos, task->tests);
    ts_tasks_free(tasks);
    return copy(text);
}

static char *step_task_folder(void) {
    ts_status s;
    return describe_tasks(ts_tasks_read("tests/data/tasks/good/folder", NULL, false, NULL, NULL, &s));
}

static char *step_task_challenges(void) {
    ts_status s;
    const char *path = "tests/data/tasks/good/arc-agi_training_challenges.json";
    return describe_tasks(ts_tasks_read(path, NULL, false, NULL, NULL, &s));
}

static char *step_task_parts(void) {
    ts_status s;
    return describe_tasks(ts_tasks_read("tests/data/tasks/good/parts.json", "eval", false, NULL, NULL, &s));
}

static char *step_task_union(void) {
    ts_status s;
    const char *const paths[] = {"tests/data/tasks/good/one.json", "tests/data/tasks/good/folder",
                                 "tests/data/tasks/good/folder"};
    return describe_tasks(ts_tasks_read_all(paths, 3, NULL, false, NULL, NULL, &s));
}

// A user's differs, one of which has no score to give.
static char *step_differs(void) {
    static const char good[] = "def a(S, I, C):\n    x1 = size(palette(I))\n    return astuple(x1, C)\n",
                      bad[] = "def b(S, I, C):\n    return palette(I)\n";
    ts_status s = {0};
    ts_programs *set = ts_programs_new();
    char *said = NULL;
    bool added = set && ts_differs_add_text(set, "good", good, sizeof good - 1, &s) &&
                 !ts_differs_add_text(set, "bad", bad, sizeof bad - 1, &s);
    if (added && s.code == TS_INPUT) said = copy(s.message);
    ts_programs_free(set);
    return said;
}

static char *step_draw(void) {
    const ts_grid grids[] = {grid, grid};
    const char *const titles[] = {"one", "two"};
    return ts_draw(grids, titles, 2, TS_COLOR_FULL, 80);
}

static const ts_sample samples[] = {{.input = grid, .output = grid, .has_output = true},
                                    {.input = grid, .is_test = true}};
static const ts_task task = {.id = "t", .samples = samples, .demos = 1, .tests = 1};

// Held against what is wanted, as text and as SVG.
static char *step_draw_against(void) {
    static const signed char other[9] = {0};
    const ts_grid grids[] = {grid, grid}, wanted[] = {{0}, {3, 3, other}};
    const char *const titles[] = {"input", NULL};
    char *text = ts_draw_against(grids, wanted, titles, 2, TS_COLOR_FULL, 80), *both = NULL;
    char *svg = text ? ts_svg_against(grids, wanted, titles, 2) : NULL;
    if (svg && asprintf(&both, "%s%s", text, svg) < 0) both = NULL;
    free(text);
    free(svg);
    return both;
}

static char *step_draw_task(void) { return ts_draw_task(&task, TS_COLOR_256, 80); }

static char *step_progress_line(void) { return ts_progress_line("solve", 0.5, "3/6 tasks, 2s left", 80); }

static char *step_png(void) {
    Temporary t = temporary();
    char *path = t.path;
    int file = mkstemp(path);
    if (file < 0) return NULL;
    close(file);
    ts_status s;
    bool good = ts_png_task(&task, path, &s) && ts_png_answers(&task, (ts_grid[2]){grid}, path, &s);
    unlink(path);
    return good ? copy("written") : NULL;
}

// Programs into a pool and out again.
static char *step_pool(void) {
    Temporary t = temporary();
    char *path = t.path, hash[17];
    int file = mkstemp(path);
    if (file < 0) return NULL;
    close(file);
    ts_status s;
    bool is_new, kept;
    ts_pool_view view = {0};
    ts_pool *pool = ts_pool_open(path, TS_POOL_CREATE, &s);
    ts_programs *set = ts_programs_new();
    bool good = pool && set && ts_programs_add_file(set, "tasks/solvers.py", true, NULL, NULL, &s);
    if (pool) ts_pool_set_near(pool, 2, 60);
    for (size_t k = 0; good && k < 5; k++)
        good = ts_pool_add_program(pool, set, k, &(ts_pool_facts){"test"}, hash, &is_new, &s) &&
               ts_pool_add_score(pool, hash, "t",
                                 &(ts_pool_score){k % 2, 1, .score = 100 * (long)k, .behaviour = k + 1},
                                 &kept, &s) &&
               ts_pool_dealt(pool, &(uint64_t){k}, 1, NULL, &s);
    good = good && ts_pool_load(pool, &(ts_pool_query){.confidence = true}, &view, &s) &&
           ts_pool_read(pool, &view, NULL, 0, NULL, NULL, &s) && ts_programs_count(view.programs) == 4;
    char *text = good ? ts_programs_print(view.programs, 3) : NULL;
    ts_pool_view_free(&view);
    ts_programs_free(set);
    ts_pool_close(pool);
    check_remove_pool(path);
    return text;
}

static char *step_card(void) {
    static const char other[] =
        "def solve_b(I):\n    return fill(I, 3, box(merge(objects(I, T, F, T))))\n"
        "def solve_c(I):\n    return shift_parts(I, (PARTS,), (SLIDE, SOUTH), OWN_COLOR)\n";
    const ts_card_options options = {.each = 3, .seed = 5, .rate = 0.5, .colors = ts_task_colors(&task)};
    ts_status s;
    ts_card_counts counts;
    Text text = {0};
    ts_programs *set = ts_programs_new();
    ts_card *card = NULL;
    if (set && ts_programs_add_text(set, "", program_text, sizeof program_text - 1, true, NULL, NULL, &s) &&
        ts_programs_add_text(set, "", other, sizeof other - 1, true, NULL, NULL, &s))
        card = ts_card_new(set, NULL, &options, &s);
    bool good = card && ts_card_count(card, &counts) && counts.programs == 12;
    for (size_t k = 0; good && k < counts.programs; k++) {
        char *printed = ts_programs_print(ts_card_programs(card), k);
        text_print(&text, "%s %s", ts_card_at(card, k).note, printed ? printed : "");
        good = printed && !text.failed;
        free(printed);
    }
    ts_card_free(card);
    ts_programs_free(set);
    if (good) return text_take(&text);
    text_free(&text);
    return NULL;
}

static const char battery_programs[] =
    "def solve_a(I):\n    x1 = objects(I, T, F, T)\n    x2 = argmax(x1, size)\n    return subgrid(x2, I)\n"
    "def solve_b(S, I, C):\n    x1 = canvas(3, (40, 40))\n    x2 = last(first(S))\n    return hconcat(x2, "
    "vmirror(I))\n"
    "def solve_c(I):\n    x1 = compose(rot90, hmirror)\n    return x1(I)\n";

static bool add_all(ts_programs *set, const char *text, ts_status *s) {
    return set && ts_programs_add_text(set, "", text, strlen(text), true, NULL, NULL, s);
}

// A battery that scores, and its best candidate, cut out. All samples are run, so that no line can fail
// unseen.
static char *step_battery(void) {
    ts_status s;
    char *text = NULL;
    const ts_task *const tasks[] = {&task, &task, &task};
    ts_programs *set = ts_programs_new(), *differs = ts_programs_new(), *cut = ts_programs_new();
    ts_profile *profile = ts_profile_new();
    ts_battery_options options = {
        .threads = 1, .chunk = 2, .top = 3, .full = true, .differs = differs, .profile = profile};
    bool good = profile && add_all(set, battery_programs, &s) && differs && ts_differs_bundled(differs, &s);
    ts_battery *b = good ? ts_battery_new(set, &options, &s) : NULL;
    if (b && cut && ts_battery_run(b, tasks, 3, NULL, NULL, &s) &&
        ts_battery_cut(b, ts_battery_task(b, 2).top[0].node, "best", cut, &s) &&
        (text = ts_programs_print(cut, 0))) {
        ts_battery_counts n = ts_battery_count(b);
        ts_task_result r = ts_battery_task(b, 1);
        char *all = NULL;
        long before = left;
        left = -1; // this is not the library
        if (asprintf(&all, "%s%zu lanes, %zu candidates, %zu distinct, score %d, %zu failures", text, n.lanes,
                     (size_t)n.candidates, (size_t)n.distinct, r.top[1].score,
                     (size_t)n.failures[TS_FAIL_BUDGET]) < 0)
            all = NULL;
        left = before;
        free(text);
        text = all;
    }
    ts_battery_free(b);
    ts_profile_free(profile);
    ts_programs_free(set);
    ts_programs_free(differs);
    ts_programs_free(cut);
    return text;
}

// A battery on two threads, with a user's differs, whose lanes have next to no room: most is late.
static char *step_late(void) {
    static const char scoring[] =
        "def differ_a(S, I, C):\n    x1 = repeat(I, 9)\n    return astuple(500, x1)\n"
        "def differ_b(S, I, C): return (size(palette(C)), S)\n";
    static const SheetLimits tight = {.lane = 100, .fixed = 0, .sure_units = 2000};
    ts_status s;
    Text text = {0};
    const ts_task *const tasks[] = {&task, &task, &task};
    ts_programs *set = ts_programs_new(), *differs = ts_programs_new();
    ts_battery_options options = {
        .threads = 2, .chunk = 1, .top = 3, .full = true, .differs = differs, .scores = true};
    ts_battery *b = add_all(set, battery_programs, &s) && add_all(differs, scoring, &s)
                        ? ts_battery_new(set, &options, &s)
                        : NULL;
    if (b) b->limits = b->differ_limits = tight;
    bool good = b && ts_battery_run(b, tasks, 3, NULL, NULL, &s);
    long before = left;
    left = -1; // this is not the library
    for (size_t k = 0; good && k < 3; k++) {
        ts_task_result r = ts_battery_task(b, k);
        text_print(&text, "%zu candidates, %zu distinct, scores", r.candidates, r.distinct);
        for (size_t n = 0; n < r.top_count; n++) text_print(&text, " %d", r.top[n].score);
        for (size_t n = 0; n < 3; n++)
            text_print(&text, ", %d %d", ts_battery_outcomes(b, k)[n], ts_battery_scores(b, k)[n]);
        text_char(&text, '\n');
    }
    left = before;
    ts_battery_free(b);
    ts_programs_free(set);
    ts_programs_free(differs);
    return good ? text_take(&text) : NULL;
}

static char *describe_loop(const ts_iterate *loop, ts_pool *pool, ts_status *s) {
    const ts_iterate_counts n = ts_iterate_count(loop);
    const ts_iterate_found found = ts_iterate_at(loop, 0);
    ts_pool_counts counts;
    char text[160];
    if (!ts_pool_count(pool, &counts, s)) return NULL;
    snprintf(text, sizeof text,
             "%d rounds, %zu tried, %zu + %zu stored, %zu for the task; pool: %zu, %zu, %zu", (int)n.rounds,
             n.tried, n.winners, n.near, found.winners, counts.programs, counts.winners, counts.near);
    return copy(text);
}

// Two rounds on a pool. A round that has failed is as if it had never been: with memory again, the same loop
// comes to the same end.
static char *step_iterate(void) {
    Temporary t = temporary();
    char *path = t.path, hash[17];
    int file = mkstemp(path);
    if (file < 0) return NULL;
    close(file);
    ts_status s;
    bool is_new;
    const ts_task *const tasks[] = {&task};
    const ts_iterate_options options = {.programs = 4, .rate = 0.2, .seed = 2, .threads = 1};
    ts_pool *pool = ts_pool_open(path, TS_POOL_CREATE, &s);
    ts_programs *set = ts_programs_new();
    bool good = pool && add_all(set, battery_programs, &s);
    for (size_t k = 0; good && k < 3; k++)
        good = ts_pool_add_program(pool, set, k, &(ts_pool_facts){"test"}, hash, &is_new, &s);
    ts_iterate *loop = good ? ts_iterate_new(pool, tasks, 1, &options, &s) : NULL;
    if (loop && !ts_iterate_run(loop, 2, 0, NULL, NULL, &s)) {
        left = -1;
        if (!s.message[0]) abort(); // it fails without a word
        const uint64_t rounds = ts_iterate_count(loop).rounds;
        if (rounds < 2 && !ts_iterate_run(loop, 2 - rounds, 0, NULL, NULL, &s)) abort();
    }
    char *text = loop ? describe_loop(loop, pool, &s) : NULL;
    ts_iterate_free(loop);
    ts_programs_free(set);
    ts_pool_close(pool);
    check_remove_pool(path);
    return text;
}

// Three rounds, two of them under way at a time, done by a worker.
static char *step_elsewhere(void) {
    Temporary t = temporary();
    char *path = t.path, hash[17];
    int file = mkstemp(path);
    if (file < 0) return NULL;
    close(file);
    ts_status s;
    bool is_new;
    const ts_task *const tasks[] = {&task};
    const ts_iterate_options options = {.programs = 4, .rate = 0.2, .seed = 2, .threads = 1, .slots = 2};
    ts_pool *pool = ts_pool_open(path, TS_POOL_CREATE, &s);
    ts_programs *set = ts_programs_new();
    bool good = pool && add_all(set, battery_programs, &s);
    for (size_t k = 0; good && k < 3; k++)
        good = ts_pool_add_program(pool, set, k, &(ts_pool_facts){"test"}, hash, &is_new, &s);
    ts_iterate *loop = good ? ts_iterate_new(pool, tasks, 1, &options, &s) : NULL;
    good = loop && ts_iterate_begin(loop, 3, 0, &s);
    char *shared = good ? ts_iterate_stock(loop) : NULL;
    IterateStock *stock = shared ? iterate_stock_read(shared, strlen(shared), &s) : NULL;
    good = stock;
    while (good && !ts_iterate_is_over(loop)) {
        uint64_t number;
        char *order = ts_iterate_give(loop, &number, &s), *result = NULL;
        if (order) result = iterate_do(order, strlen(order), stock, 1, NULL, &s);
        good = result && ts_iterate_take(loop, number, result, strlen(result), &s);
        if (!good && !s.message[0]) abort(); // it fails without a word
        free(order);
        free(result);
    }
    good = good && ts_iterate_end(loop, &s);
    char *text = good ? describe_loop(loop, pool, &s) : NULL;
    free(shared);
    iterate_stock_free(stock);
    ts_iterate_free(loop);
    ts_programs_free(set);
    ts_pool_close(pool);
    check_remove_pool(path);
    return text;
}

// The pages of a report, on two threads: all that they say.
static char *step_report(void) {
    Temporary t = temporary();
    char *folder = t.path, path[100];
    if (!mkdtemp(folder)) return NULL;
    ts_status s;
    const ts_task *const tasks[] = {&task};
    ts_programs *set = ts_programs_new();
    const ts_pages_options options = {
        .folder = folder, .tasks = tasks, .count = 1, .programs = set, .threads = 2};
    bool good = add_all(set, battery_programs, &s) && ts_pages_write(&options, NULL, NULL, &s);
    ts_programs_free(set);
    long before = left;
    left = -1;
    Text all = {0};
    const char *const names[] = {"index.html", "t.html"};
    for (int k = 0; k < 2; k++) {
        Text page = {0};
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        if (good) good = text_read_file(&page, path, &s);
        if (good) text_put(&all, page.data, page.length);
        unlink(path);
        text_free(&page);
    }
    rmdir(folder);
    left = before;
    if (good) return text_take(&all);
    text_free(&all);
    return NULL;
}

// A submission, new, printed and read again.
static char *step_submission(void) {
    ts_status s;
    const ts_task *const tasks[] = {&task};
    char *text = NULL;
    ts_submission *made = ts_submission_new(tasks, 1, &s), *again = NULL;
    char *printed = made ? ts_submission_print(made) : NULL;
    if (printed) again = ts_submission_read_text("", printed, strlen(printed), tasks, 1, &s);
    if (again) text = ts_submission_print(again);
    free(printed);
    ts_submission_free(made);
    ts_submission_free(again);
    return text;
}

// Lines of JSON to a judge: programs that can be read, one that cannot, and a line that is none.
static char *step_judge(void) {
    static const char tasks_text[] =
        "{\"t\": {\"train\": [{\"input\": [[1, 2]], \"output\": [[2, 1]]}], \"test\": [{\"input\": [[1]]}]}}";
    static const char lines[] =
        "{\"task\": \"t\", \"program\": \"def f(I):\\n    return vmirror(I)\", \"outputs\": true}\n"
        "{\"task\": \"t\", \"program\": \"def f(S, I, C):\\n    x1 = objects(I, T, F, F)\\n    return "
        "paint(I, "
        "first(x1))\"}\n"
        "{\"task\": \"t\", \"program\": \"def f(I): return vmiror(I)\"}\n{\"task\": \n";
    ts_status s;
    ts_judge_answers answers;
    ts_tasks *tasks = ts_tasks_read_text("", tasks_text, sizeof tasks_text - 1, NULL, &s);
    ts_judge *judge = tasks ? ts_judge_new(&(ts_judge_options){.tests = true}, &s) : NULL;
    char *text = NULL;
    if (judge && ts_judge_lines(judge, tasks, lines, sizeof lines - 1, 1, &answers, &s)) {
        long before = left;
        left = -1;
        text = strndup(answers.text, answers.length);
        left = before;
    }
    ts_judge_free(judge);
    ts_tasks_free(tasks);
    return text;
}

// A task with something to find for most engines: each of two shapes gets a frame, the ground another colour.
// clang-format off
static const signed char search_cells[5][36] = {
    {0, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0},
    {2, 2, 2, 2, 1, 1, 2, 3, 3, 2, 1, 1, 2, 3, 3, 2, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 5, 2, 1, 1, 1, 2, 2, 2},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 6, 6, 0, 0, 0, 0, 0, 0, 0, 0},
    {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 4, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 6, 6, 6, 2, 1, 2, 2, 2, 2, 2, 1},
    {0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7, 0, 0, 0, 0, 7, 7, 0, 0, 0, 0, 0, 0, 0}};
// clang-format on
static const ts_sample search_samples[] = {
    {.input = {6, 6, search_cells[0]}, .output = {6, 6, search_cells[1]}, .has_output = true},
    {.input = {6, 6, search_cells[2]}, .output = {6, 6, search_cells[3]}, .has_output = true},
    {.input = {6, 6, search_cells[4]}, .is_test = true}};
static const ts_task search_task = {.id = "s", .samples = search_samples, .demos = 2, .tests = 1};

// A generation of differs. One that has failed is as if it had never been.
static char *step_evolve(void) {
    Temporary t = temporary();
    char *path = t.path, differs[80];
    int file = mkstemp(path);
    if (file < 0) return NULL;
    close(file);
    snprintf(differs, sizeof differs, "%s.py", path);
    ts_status s;
    const ts_task *const tasks[] = {&search_task};
    const ts_iterate_options options = {
        .programs = 4, .seed = 2, .threads = 1, .strategy = TS_CARDS, .evolve_differs = differs};
    ts_pool *pool = ts_pool_open(path, TS_POOL_CREATE, &s);
    ts_grid inputs[8], outputs[8];
    for (int k = 0; k < search_task.demos && k < 8; k++)
        inputs[k] = search_task.samples[k].input, outputs[k] = search_task.samples[k].output;
    const ts_grid *const grids[] = {outputs, inputs};
    ts_iterate *loop = pool ? ts_iterate_new(pool, tasks, 1, &options, &s) : NULL;
    bool good = loop;
    for (int k = 0; good && k < 24; k++) good = iterate_differs_case(loop, &search_task, grids, 2);
    if (good) loop->so_far.rounds = loop->next = 64;
    if (good && !iterate_differs_step(loop, &s)) {
        left = -1;
        if (!s.message[0]) abort(); // it fails without a word
        if (!iterate_differs_step(loop, &s)) abort();
    }
    const long before = left;
    left = -1; // this is not the library
    ts_iterate_evolved e = {0};
    Text text = {0};
    const size_t n = good ? ts_iterate_differs(loop, &e) : 0;
    text_print(&text, "%zu differs, %zu cases", n, e.cases);
    for (size_t k = 0; k < n; k++) {
        const ts_iterate_differ d = ts_iterate_differ_at(loop, k);
        text_print(&text, "\n%s %g %zu %d", d.name, d.worth, d.pairs, d.used);
    }
    ts_iterate_free(loop);
    ts_pool_close(pool);
    check_remove_pool(path);
    unlink(differs);
    left = before;
    if (good) return text_take(&text);
    text_free(&text);
    return NULL;
}

static char *describe_search(const ts_search *search) {
    Text t = {0};
    long before = left;
    left = -1;
    text_print(&t, "%zu found\n", ts_search_count(search));
    for (size_t k = 0; k < ts_search_count(search); k++) {
        ts_found f = ts_search_at(search, k);
        text_print(&t, "%s %d %d\n%s", f.engine, f.rule, f.demos_right, f.program);
    }
    left = before;
    return text_take(&t);
}

// All engines, each with so little work that all of it can be done for each allocation.
static char *step_search(void) {
    ts_status s;
    ts_search *search = ts_search_new(&search_task, &(ts_search_options){.seconds = 0.01}, &s);
    char *text = search && !ts_search_starved(search) ? describe_search(search) : NULL;
    ts_search_free(search);
    return text;
}

// Programs found, as text and back, and the winners into a pool: what the text and the pool say.
static char *step_found(void) {
    static const char *const programs[] = {
        "def solve_s(I):\n    return I\n", "def solve_s(S, I, C):\n    x1 = first(S)\n    return last(x1)\n",
        "def solve_s(S, I, C):\n    x1 = last(S)\n    return last(x1)\n",
        "def solve_s(S, I, C):\n    x1 = first(S)\n    x2 = last(S)\n    x3 = first(x1)\n"
        "    x4 = equality(x3, I)\n    return branch(x4, last(x1), last(x2))\n"};
    ts_status s;
    const ts_search_options none = {.engines = ""};
    ts_search *search = ts_search_new(&search_task, &none, &s), *again = NULL;
    Temporary t = temporary();
    int file = mkstemp(t.path);
    if (file >= 0) close(file);
    for (int k = 0; search && k < 4; k++) ts_search_add(search, "bank", k, programs[k]);
    char *printed = search && !ts_search_starved(search) ? ts_search_print(search) : NULL;
    if (printed) again = ts_search_new(&search_task, &none, &s);
    bool good = again && ts_search_read(again, "", printed, strlen(printed), &s) && !ts_search_starved(again);
    char *once_more = good ? ts_search_print(again) : NULL, *text = NULL;
    ts_pool *pool = once_more ? ts_pool_open(t.path, TS_POOL_CREATE, &s) : NULL;
    ts_pool_counts n = {0};
    if (pool && ts_search_store(again, pool, &s) && ts_pool_count(pool, &n, &s)) {
        long before = left;
        left = -1; // this is not the library
        if (asprintf(&text, "%s%s%zu programs, %zu winners", printed,
                     strcmp(printed, once_more) == 0 ? "" : "not the same again ", n.programs, n.winners) < 0)
            text = NULL;
        left = before;
    }
    free(printed);
    free(once_more);
    ts_pool_close(pool);
    ts_search_free(search);
    ts_search_free(again);
    check_remove_pool(t.path);
    return text;
}

static void test_found(Checks *k) {
    static const char begins[] = "\n{\"task\": \"s\", \"engine\": \"bank\", \"class\": 3, \"demos\": 2, "
                                 "\"demos_right\": 2, ";
    check_begin(k, "what was found reads back, and its winners are stored");
    char *text = step_found();
    const char *last = text ? strstr(text, begins) : NULL;
    check(k, last && strstr(last, "}\n1 programs, 1 winners"), "%s", text ? text : "failed");
    free(text);
    check_end(k);
}

// Two tasks, with a pool.
static char *step_solver(void) {
    ts_status s;
    const ts_task *const tasks[] = {&task, &task};
    ts_programs *pool = ts_programs_new();
    ts_solver_options options = {
        .search = {.seconds = 1e-5, .engines = "pool,cutout"}, .threads = 1, .pool = pool};
    ts_solver *solver = add_all(pool, battery_programs, &s) ? ts_solver_new(tasks, 2, &options, &s) : NULL;
    char *text = NULL;
    if (solver && ts_solver_run(solver, NULL, NULL, &s) && !ts_solver_starved(solver, 0) &&
        !ts_solver_starved(solver, 1))
        text = describe_search(ts_solver_search(solver, 1));
    ts_solver_free(solver);
    ts_programs_free(pool);
    return text;
}

// The same by a worker. What it cannot do, and a result that cannot be taken, is given out again.
static char *step_solver_elsewhere(void) {
    ts_status s;
    const ts_task *const tasks[] = {&task, &search_task};
    ts_programs *pool = ts_programs_new();
    const ts_solver_options options = {
        .search = {.seconds = 1e-5, .engines = "pool,cutout"}, .threads = 1, .pool = pool};
    ts_solver *solver = add_all(pool, battery_programs, &s) ? ts_solver_new(tasks, 2, &options, &s) : NULL;
    ts_worker *worker = ts_worker_new();
    char *stock = solver ? ts_solver_stock(solver) : NULL, *text = NULL;
    bool good = worker && stock && ts_worker_stock(worker, stock, strlen(stock), &s);
    while (good && !ts_solver_is_over(solver)) {
        uint64_t number;
        char *order = ts_solver_give(solver, 1, &number, &s), *result = NULL;
        good = order;
        if (order) result = ts_worker_do(worker, order, strlen(order), NULL, &s);
        const bool taken = result && ts_solver_take(solver, number, result, strlen(result), &s);
        if (!taken && !s.message[0]) abort(); // it fails without a word
        if (order && !result) ts_solver_lose(solver, number, s.message, true);
        free(order);
        free(result);
    }
    for (size_t k = 0; good && k < 2; k++) good = !ts_solver_starved(solver, k) && !ts_solver_lost(solver, k);
    if (good) text = describe_search(ts_solver_search(solver, 0));
    ts_worker_free(worker);
    ts_solver_free(solver);
    ts_programs_free(pool);
    free(stock);
    return text;
}

// A task with a device, the kernels in C, which may be given up and changes nothing then.
static char *step_device(void) {
    ts_status s;
    const ts_task *const tasks[] = {&task};
    ts_devices *devices = ts_devices_open("force", &s);
    ts_solver_options options = {
        .search = {.seconds = 1e-4, .engines = "bank"}, .threads = 1, .devices = devices};
    ts_solver *solver = devices ? ts_solver_new(tasks, 1, &options, &s) : NULL;
    char *text = NULL;
    if (solver && ts_solver_run(solver, NULL, NULL, &s) && !ts_solver_starved(solver, 0) &&
        (has_failed || ts_devices_counts(devices).jobs))
        text = describe_search(ts_solver_search(solver, 0));
    ts_solver_free(solver);
    ts_devices_close(devices);
    return text;
}

// Alone each allocation fails. Where all after it do, the step ends there, much as for its neighbours: of the
// later ones only some.
static void fail_each(Checks *k, Step *step, const char *wanted) {
    enum { MOST = 100000, ALL = 64 };
    has_failed = true;
    for (long n = 0; has_failed && n < MOST; n += lasts ? 1 + n / ALL : 1) {
        left = n;
        has_failed = false;
        char *got = step();
        left = -1;
        check(k, !got || strcmp(got, wanted) == 0, "allocation %ld failed%s: got '%s' for '%s'", n,
              lasts ? ", and all after it" : "", got, wanted);
        check(k, got || has_failed, "fails without cause");
        free(got);
    }
}

static void test_step(Checks *k, const char *name, Step *step) {
    check_begin(k, name);
    left = -1;
    char *wanted = step();
    check(k, wanted, "fails with memory enough");
    for (int way = 0; wanted && way < 2; way++) {
        lasts = way == 1;
        fail_each(k, step, wanted);
    }
    lasts = false;
    free(wanted);
    check_end(k);
}

int main(void) {
    Checks k = {0};
    if (!starve_sqlite()) return 1;
    test_step(&k, "print a program", step_print_program);
    test_step(&k, "print a program in the dialect", step_print_dialect);
    test_step(&k, "tell a program", step_tell_program);
    test_step(&k, "run a program", step_run_program);
    test_step(&k, "read, tell and run words", step_words);
    test_step(&k, "read and run programs as models write them", step_models);
    test_step(&k, "the manual of the words", step_manual);
    test_step(&k, "trace a program", step_trace);
    test_step(&k, "read a file of programs", step_read_file);
    test_step(&k, "evaluate an expression", step_eval);
    test_step(&k, "check lines", step_check);
    test_step(&k, "read a folder of tasks", step_task_folder);
    test_step(&k, "read challenges and solutions", step_task_challenges);
    test_step(&k, "read a part of a data file", step_task_parts);
    test_step(&k, "read the tasks of several paths", step_task_union);
    test_step(&k, "try differs", step_differs);
    test_step(&k, "draw grids", step_draw);
    test_step(&k, "draw grids against others", step_draw_against);
    test_step(&k, "draw a task", step_draw_task);
    test_step(&k, "make a line of progress", step_progress_line);
    test_step(&k, "write a PNG", step_png);
    test_step(&k, "programs into a pool and out", step_pool);
    test_step(&k, "deal a card", step_card);
    test_step(&k, "run a battery and cut out a candidate", step_battery);
    test_step(&k, "run a battery with little room", step_late);
    test_step(&k, "iterate on a pool", step_iterate);
    test_step(&k, "iterate by a worker", step_elsewhere);
    test_step(&k, "differs that evolve", step_evolve);
    test_step(&k, "write the pages of a report", step_report);
    test_step(&k, "make and read a submission", step_submission);
    test_step(&k, "judge lines", step_judge);
    test_step(&k, "search a task", step_search);
    test_found(&k);
    test_step(&k, "candidates as text and winners into a pool", step_found);
    test_step(&k, "solve tasks with a pool", step_solver);
    test_step(&k, "solve tasks by a worker", step_solver_elsewhere);
    setenv("TESSERA_FAULTY", "", 1);
    has_failed = false;
    test_step(&k, "solve a task with a device", step_device);
    return check_summary(&k);
}
