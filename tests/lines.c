// Lines of other programs in the bank of lines: what is offered is what the program gives.
//
//     build/obj/tests/lines [SEED [LAST]]     random programs with this seed (1), or with all from SEED to
//     LAST
//
// Runs in the root of the project. A task is made of what a program gives on random grids, and is to be found
// with this program as a donor; whatever the bank offers is read and held against the outputs.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "generate.h"
#include "lines/lines.h"
#include "mutate/mutator.h"
#include "search/quest.h"

enum { UNITS = 40 * 1000 * 1000, SOME_DONORS = 30, RANDOM_TASKS = 12 };

typedef struct {
    Checks k;
    Rng rng;
    ts_engine *alone;
} Unit;

// ---- Tasks ----

static void write_grid(Text *t, ts_grid g) {
    for (int i = 0; i < g.height; i++)
        for (int j = 0; j < g.width; j++)
            text_print(t, "%s%d", j ? "," : i ? "],[" : "[[", g.cells[i * g.width + j]);
    text_add(t, "]]");
}

static bool is_output(ts_result r) {
    if (r.failure || !ts_value_is_grid(r.value)) return false;
    const ts_grid g = ts_value_grid(r.value);
    bool good = g.height <= 30 && g.width <= 30;
    for (int k = 0; good && k < g.height * g.width; k++) good = g.cells[k] >= 0 && g.cells[k] <= 9;
    return good;
}

static bool write_sample(Unit *u, const ts_programs *set, size_t program, Text *t, int side, bool is_test) {
    signed char cells[30 * 30];
    const uint32_t colors = 2 + rng_below(&u->rng, 3);
    for (int k = 0; k < side * side; k++) {
        const bool ground = rng_below(&u->rng, 3);
        cells[k] = (signed char)(ground ? 0 : 1 + rng_below(&u->rng, colors));
    }
    const ts_grid input = {side, side, cells};
    const ts_result r = ts_run(u->alone, set, program, input);
    if (!is_output(r)) return false;
    text_add(t, "{\"input\":");
    write_grid(t, input);
    if (!is_test) {
        text_add(t, ",\"output\":");
        write_grid(t, ts_value_grid(r.value));
    }
    text_char(t, '}');
    return true;
}

// What a program makes of random grids. NULL where that is no task.
static ts_tasks *make_task(Unit *u, const ts_programs *set, size_t program, int demos, int tests, int side) {
    Text t = {0};
    ts_status s;
    bool good = true;
    text_add(&t, "{\"t\":{\"train\":[");
    for (int n = 0; n < demos + tests && good; n++) {
        if (n) text_add(&t, n == demos ? "],\"test\":[" : ",");
        const int smaller = side > 4 && side < 30 ? (int)rng_below(&u->rng, 3) : 0;
        good = write_sample(u, set, program, &t, side - smaller, n >= demos);
    }
    text_add(&t, "]}}");
    ts_tasks *tasks = good ? ts_tasks_read_text("made", t.data, t.length, NULL, &s) : NULL;
    text_free(&t);
    return tasks;
}

// ---- Searching ----

static Checks *watching; // the hook has no place for a user

// Whatever is offered can be read, and is right on the demos that the bank looks at.
static int watch(Quest *q, EngineId engine, int class, const char *lines) {
    Text t = {0};
    ts_status s = {0};
    ts_programs *set = ts_programs_new();
    text_print(&t, "def solve(I):\n    %s    return O\n", lines);
    check(watching, ts_programs_add_text(set, "offer", t.data, t.length, true, NULL, NULL, &s), "%s: %.2000s",
          s.message, lines);
    ts_programs_free(set);
    text_free(&t);
    q->offer = NULL;
    const int right = quest_offer(q, engine, class, lines);
    q->offer = watch;
    // Without an answer for the test it may be right. What is laid below others goes by the commonest colour,
    // which those may have changed.
    const bool sure = q->all_demos <= LINES_MOST_DEMOS && !strstr(lines, "underfill");
    check(watching, right == q->all_demos || right < 0 || q->units <= 0 || !sure,
          "right on %d of %d: %.2000s", right, q->all_demos, lines);
    return right;
}

typedef struct {
    const ts_task *task;
    const ts_programs *donors;
    bool watched, public_only;
    int64_t units;
    bool solved, fed; // what came of it
    char *text;       // all candidates
} Search;

static void *search(void *user) {
    Search *s = user;
    Quest q;
    Text t = {0};
    if (!quest_init(&q, s->task, 1)) return NULL;
    q.donors = s->donors;
    q.public_only = s->public_only;
    if (s->watched) q.offer = watch;
    quest_run(&q, "lines", s->units ? s->units : UNITS);
    quest_rest(&q);
    s->fed = !q.starved && !q.full;
    text_add(&t, "candidates:\n");
    for (size_t k = 0; k < q.count; k++) {
        const Candidate *c = &q.candidates[k];
        s->solved |= c->demos_right == s->task->demos;
        text_print(&t, "%d, right on %d\n%s", c->class, c->demos_right, c->program);
    }
    quest_free(&q);
    s->text = text_take(&t);
    return NULL;
}

static ts_programs *read_programs(const char *text) {
    ts_status s;
    ts_programs *set = ts_programs_new();
    if (!ts_programs_add_text(set, "donors", text, strlen(text), true, NULL, NULL, &s)) puts(s.message);
    return set;
}

// A task of the first program of a set is found with the set as donors.
static void check_found(Unit *u, const ts_programs *set, int demos, int tests, int side) {
    ts_tasks *tasks = make_task(u, set, 0, demos, tests, side);
    if (!check(&u->k, tasks, "no task")) return;
    watching = &u->k;
    Search s = {.task = ts_tasks_at(tasks, 0), .donors = set, .watched = true};
    if (side == 30) s.units = 6 * (int64_t)UNITS; // more, so that it comes to the donors
    search(&s);
    check(&u->k, s.fed, "memory was short");
    check(&u->k, s.solved, "not found with %d demos, %d tests, side %d: %s", demos, tests, side, s.text);
    free(s.text);
    ts_tasks_free(tasks);
}

// ---- Tests ----

// Each is more than the bank would come upon by itself. The last lines are the same: a grid x, and what is
// not a fill of the input.
#define END "    return hconcat(x, rot180(x))\n"
static const struct {
    const char *name, *lines;
} odd[] = {
    {"a line on a line",
     "    x1 = hconcat(I, rot90(I))\n    x2 = downscale(x1, 2)\n    x = upscale(vconcat(x2, x2), 2)\n" END},
    {"how to look for objects, computed",
     "    x1 = subtract(height(I), 1)\n    x2 = o_g(I, x1)\n    x = fill(I, 7, apply(center, x2))\n" END},
    {"an empty set", "    x1 = insert((1, 2), frozenset())\n    x = fill(I, 7, insert((2, 4), x1))\n" END},
    {"a set of locations", "    x = fill(I, 7, frozenset({(0, 1), (2, 4), (3, 3)}))\n" END},
    {"a set of cells", "    x = paint(I, frozenset({(3, (0, 1)), (5, (2, 4)), (6, (3, 3))}))\n" END},
    {"a grid",
     "    x1 = ((1, 2, 3), (4, 5, 6), (7, 8, 9))\n    x = vconcat(x1, crop(I, (0, 0), (3, 3)))\n" END},
    {"a large number",
     "    x1 = add(4611686018427387000, height(I))\n    x2 = subtract(x1, 4611686018427387000)\n"
     "    x3 = canvas(3, (x2, 2))\n    x = paint(x3, asobject(crop(I, (1, 1), (2, 2))))\n" END},
    {"a number where a colour is the rule",
     "    x1 = insert(12, insert(3, frozenset()))\n    x2 = other(x1, 3)\n    x3 = subtract(x2, 5)\n"
     "    x = replace(I, 0, x3)\n" END},
    {"far away",
     "    x1 = shift(asindices(I), astuple(3000, 3000))\n    x2 = shift(x1, astuple(-3000, -2999))\n"
     "    x = fill(I, 6, x2)\n" END},
    {"colours that are none",
     "    x1 = replace(replace(I, 0, 100), 1, -3)\n    x2 = crop(hconcat(x1, cmirror(x1)), (1, 2), (3, 4))\n"
     "    x = replace(replace(x2, 100, 6), -3, 8)\n" END},
    {"a call of a function", "    x1 = fork(hconcat, rot180, identity)\n    x2 = compose(x1, cmirror)\n"
                             "    x = crop(x2(I), (1, 2), (3, 4))\n" END},
    {"a call with two arguments", "    x1 = lbind(fill, I)\n    x2 = x1(3, shift(ofcolor(I, 0), (1, 2)))\n"
                                  "    x = crop(x2, (1, 2), (3, 4))\n" END},
    {"a function that a function gives",
     "    x1 = lbind(lbind, shift)\n    x2 = x1(asobject(I))\n    x = paint(I, x2((1, 2)))\n" END},
    {"a function on sets",
     "    x1 = fork(combine, identity, rbind(shift, (1, 2)))\n    x = fill(I, 7, x1(ofcolor(I, 2)))\n" END},
    {"far too many times",
     "    x1 = power(dmirror, 1000000000000000000)\n    x2 = x1(I)\n    x3 = hconcat(I, rot180(I))\n"
     "    x = crop(x3, (1, 2), (4, 5))\n" END},
    {"words", "    x1 = shift_parts(I, (PARTS,), (SLIDE, SOUTH), OWN_COLOR)\n"
              "    x = crop(hconcat(x1, x1), (1, 2), (4, 5))\n" END},
    {"a choice", "    x1 = choose(even(height(I)), rot180(I), hmirror(I))\n"
                 "    x = crop(hconcat(x1, x1), (1, 2), (4, 5))\n" END},
};

static void test_odd(Unit *u) {
    for (size_t n = 0; n < sizeof odd / sizeof *odd; n++) {
        Text t = {0};
        check_begin(&u->k, odd[n].name);
        text_print(&t, "def solve_odd(I):\n%s", odd[n].lines);
        ts_programs *set = read_programs(t.data);
        if (check(&u->k, ts_programs_count(set) == 1, "%s", t.data)) check_found(u, set, 4, 1, 7);
        ts_programs_free(set);
        text_free(&t);
        check_end(&u->k);
    }
}

static void test_sizes(Unit *u) {
    static const struct {
        int demos, tests, side;
    } sizes[] = {{1, 1, 7}, {6, 3, 7}, {31, 1, 7}, {40, 33, 5}, {4, 1, 1}, {5, 2, 30}};
    static const char text[] = "def solve_local(I):\n    x1 = fill(I, 7, ofcolor(hmirror(I), 1))\n"
                               "    x2 = fill(x1, 8, ofcolor(rot180(x1), 2))\n    return cmirror(x2)\n";
    check_begin(&u->k, "any number of samples, and grids of any size");
    ts_programs *set = read_programs(text);
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
        check_found(u, set, sizes[n].demos, sizes[n].tests, sizes[n].side);
    ts_programs_free(set);
    check_end(&u->k);
}

static void test_long(Unit *u) {
    check_begin(&u->k, "a thousand lines; lines that would be too much to write down");
    Text t = {0};
    text_add(&t, "def solve_long(I):\n    x0 = I\n");
    for (int n = 1; n < 1000; n++)
        text_print(&t, "    x%d = %s(x%d)\n", n, n % 3 ? "rot90" : "hmirror", n - 1);
    text_add(&t, "    x = fill(x100, 7, ofcolor(hmirror(x999), 1))\n" END);
    text_add(&t, "def solve_shared(I):\n    x0 = fill(I, 7, ofcolor(hmirror(I), 1))\n");
    for (int n = 1; n < 60; n++)
        text_print(&t, "    x%d = fill(x%d, %d, ofcolor(rot90(x%d), %d))\n", n, n - 1, n % 10, n - 1,
                   (n + 1) % 10);
    text_add(&t, "    return x59\n");
    ts_programs *set = read_programs(t.data);
    if (check(&u->k, ts_programs_count(set) == 2, "no programs")) check_found(u, set, 3, 1, 7);
    ts_programs_free(set);
    text_free(&t);
    check_end(&u->k);
}

// Programs of the golden file from a place on, with those after it as donors beside them.
static void test_golden(Unit *u, ts_programs *golden) {
    int found = 0, tasks = 0;
    check_begin(&u->k, "golden programs are found again");
    for (int n = 0; n < RANDOM_TASKS; n++) {
        const uint32_t count = (uint32_t)ts_programs_count(golden),
                       at = rng_below(&u->rng, count - SOME_DONORS);
        ts_programs some = {.programs = golden->programs + at, .count = SOME_DONORS};
        ts_tasks *made = make_task(u, golden, at, 3, 1, 9);
        if (!made) continue;
        watching = &u->k;
        Search s = {.task = ts_tasks_at(made, 0), .donors = &some, .watched = true};
        search(&s);
        tasks++;
        found += s.solved;
        free(s.text);
        ts_tasks_free(made);
    }
    check(&u->k, tasks > 2 && found == tasks, "%d of %d", found, tasks);
    check_end(&u->k);
}

// Random programs as donors for a bundled task: what comes of it is the same again, on another thread, and
// after something else.
static void test_same(Unit *u, ts_programs *golden, const ts_task *task) {
    check_begin(&u->k, "the same on any thread, whatever was run before");
    const size_t at = rng_below(&u->rng, (uint32_t)ts_programs_count(golden) - SOME_DONORS);
    ts_programs some = {.programs = golden->programs + at, .count = SOME_DONORS};
    Search s[3];
    pthread_t threads[3];
    for (int n = 0; n < 3; n++) s[n] = (Search){.task = task, .donors = &some, .units = UNITS / 4};
    search(&s[0]);
    for (int n = 1; n < 3; n++) pthread_create(&threads[n], NULL, search, &s[n]);
    for (int n = 1; n < 3; n++) {
        pthread_join(threads[n], NULL);
        check(&u->k, s[n].text && strcmp(s[n].text, s[0].text) == 0, "%s\nis not\n%s", s[n].text, s[0].text);
    }
    for (int n = 0; n < 3; n++) free(s[n].text);
    check_end(&u->k);
}

static void test_none(Unit *u, const ts_task *task) {
    check_begin(&u->k, "without donors nothing changes");
    ts_programs none = {0};
    ts_programs *takes_samples = read_programs("def solve(S, I, C):\n    return last(last(S))\n");
    const ts_programs *sets[] = {NULL, &none, takes_samples};
    char *wanted = NULL;
    for (int n = 0; n < 3; n++) {
        Search s = {.task = task, .donors = sets[n], .units = UNITS / 4};
        search(&s);
        if (!n) wanted = s.text;
        else {
            check(&u->k, s.text && strcmp(s.text, wanted) == 0, "%s\nis not\n%s", s.text, wanted);
            free(s.text);
        }
    }
    free(wanted);
    ts_programs_free(takes_samples);
    check_end(&u->k);
}

// With donors of both languages, of which only one will do.
static void test_public(Unit *u) {
    static const char text[] = "def solve_ours(I):\n    x1 = o_g_t(I, 5)\n    x2 = mapply(outbox, x1)\n"
                               "    x3 = power(lbind(choose, 1), 1)\n    x = fill(I, 7, x2)\n" END
                               "def solve_public(I):\n    x1 = objects(I, T, F, T)\n"
                               "    x2 = mapply(outbox, x1)\n    x = fill(I, 7, x2)\n" END;
    check_begin(&u->k, "where only the public language will do, programs of no other are offered");
    ts_programs *both = read_programs(text);
    for (int n = 0; n < 2; n++) {
        ts_programs donors = {.programs = both->programs, .count = (size_t)n + 1};
        ts_tasks *made = make_task(u, both, 0, 4, 1, 7);
        if (!check(&u->k, made && ts_programs_count(both) == 2, "no task")) break;
        Search s = {.task = ts_tasks_at(made, 0), .donors = &donors, .public_only = true};
        search(&s);
        ts_programs *found = ts_programs_new();
        for (char *at = s.text; (at = strstr(at, "def solve"));) {
            char *end = strstr(at, "    return"), kept;
            end = strchr(end, '\n') + 1;
            kept = *end;
            *end = 0;
            ts_status status;
            check(&u->k, ts_programs_add_text(found, "found", at, strlen(at), true, NULL, NULL, &status),
                  "%s", at);
            *end = kept;
            at = end;
        }
        for (size_t k = 0; k < found->count; k++)
            check(&u->k, mutator_origin(&found->programs[k]) == ORIGIN_PUBLIC, "not public: %s", s.text);
        check(&u->k, n == 0 || s.solved, "not found: %s", s.text);
        ts_programs_free(found);
        free(s.text);
        ts_tasks_free(made);
    }
    ts_programs_free(both);
    check_end(&u->k);
}

int main(int count, char **arguments) {
    Unit u = {.alone = ts_engine_new()};
    const int first = count > 1 ? atoi(arguments[1]) : 1, last = count > 2 ? atoi(arguments[2]) : first;
    ts_status s;
    ts_programs *golden = ts_programs_new();
    ts_tasks *bundled = ts_tasks_read("tasks", NULL, false, NULL, NULL, &s);
    if (!bundled || !ts_programs_add_file(golden, "tests/golden/programs.py", true, NULL, NULL, &s)) {
        puts(s.message);
        return 1;
    }
    for (int seed = first; seed <= last; seed++) {
        u.rng.state = (uint64_t)seed;
        const ts_task *task = ts_tasks_at(bundled, rng_below(&u.rng, (uint32_t)ts_tasks_count(bundled)));
        test_odd(&u);
        test_sizes(&u);
        test_long(&u);
        test_golden(&u, golden);
        test_same(&u, golden, task);
        test_none(&u, task);
        test_public(&u);
    }
    ts_tasks_free(bundled);
    ts_programs_free(golden);
    ts_engine_free(u.alone);
    return check_summary(&u.k);
}
