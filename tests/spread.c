// Solving elsewhere: a solver whose orders workers do gives the bytes of one that does all by itself,
// whatever becomes of the workers and in whatever order their results come. What is no result is refused, and
// the work done again. No text makes anything crash.
//
//     build/obj/tests/spread [FIRST [COUNT]]      seeds
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/text.h"
#include "check.h"
#include "search/message.h"
#include "tessera.h"

enum { MOST_OUT = 8, MOST_TASKS = 64, STEPS = 100000 };
static const double SECONDS = 0.02; // of work on a task

typedef struct {
    Checks *k;
    ts_tasks *tasks;
    const ts_task *chosen[MOST_TASKS];
    size_t count;
    ts_programs *pool;
    char *submission, *candidates, *found[MOST_TASKS]; // what a solver by itself gives; for each task
    char path[64];
    Rng rng;
    bool trusting; // of workers
    int given;     // orders
} Test;

// What a run of a solver has brought.
typedef struct {
    char *submission, *candidates;
    size_t lost, others; // tasks that were given up; of the rest those with other candidates
} Outcome;

typedef struct {
    uint64_t number;
    char *text;
} Out;

// Does a worker's order, or makes something else of it. NULL: the worker is lost.
typedef char *Doing(Test *t, ts_worker *w, const char *order, size_t at);

static char *read_file(Test *t, const char *path) {
    Text text = {0};
    ts_status s;
    check(t->k, text_read_file(&text, path, &s), "%s", s.message);
    return text_take(&text);
}

static Outcome outcome_of(Test *t, ts_solver *solver) {
    ts_status s;
    Outcome o = {.submission = ts_submission_print(ts_solver_submission(solver))};
    check(t->k, ts_solver_candidates(solver, t->path, &s), "%s", s.message);
    o.candidates = read_file(t, t->path);
    for (size_t k = 0; k < t->count; k++) {
        char *found = ts_search_print(ts_solver_search(solver, k));
        const bool is_lost = ts_solver_lost(solver, k);
        o.lost += is_lost;
        o.others += !is_lost && t->found[k] && strcmp(found, t->found[k]) != 0;
        if (t->found[k]) free(found);
        else t->found[k] = found;
    }
    return o;
}

static void free_outcome(Outcome *o) {
    free(o->submission);
    free(o->candidates);
}

static ts_solver_options options_of(const Test *t) {
    return (ts_solver_options){
        .search.seconds = SECONDS, .threads = 1, .pool = t->pool, .trust_workers = t->trusting};
}

static Outcome run_here(Test *t) {
    ts_status s;
    const ts_solver_options options = options_of(t);
    ts_solver *solver = ts_solver_new(t->chosen, t->count, &options, &s);
    check(t->k, solver && ts_solver_run(solver, NULL, NULL, &s), "%s", s.message);
    Outcome o = outcome_of(t, solver);
    ts_solver_free(solver);
    return o;
}

static char *do_order(Test *t, ts_worker *w, const char *order, const char *stock) {
    ts_status s;
    if (ts_worker_lacks(w, order, strlen(order)))
        check(t->k, ts_worker_stock(w, stock, strlen(stock), &s), "the stock: %s", s.message);
    char *result = ts_worker_do(w, order, strlen(order), NULL, &s);
    check(t->k, result, "the order: %s", s.message);
    return result;
}

// One of those that are out, at random, comes back.
static void bring_back(Test *t, ts_solver *solver, ts_worker *w, const char *stock, Doing *act, Out *out,
                       int *count, size_t at) {
    ts_status s;
    const int which = (int)rng_below(&t->rng, (uint32_t)*count);
    Out one = out[which];
    out[which] = out[--*count];
    char *result = act ? act(t, w, one.text, at) : do_order(t, w, one.text, stock);
    if (!result) ts_solver_lose(solver, one.number, "it died", true);
    else {
        const bool good = ts_solver_take(solver, one.number, result, strlen(result), &s);
        check(t->k, good || act, "the result: %s", s.message);
    }
    free(result);
    free(one.text);
}

static void spread(Test *t, ts_solver *solver, Doing *act) {
    ts_status s;
    Out out[MOST_OUT];
    int count = 0;
    char *stock = ts_solver_stock(solver);
    ts_worker *w = ts_worker_new();
    const int most = 1 + (int)rng_below(&t->rng, MOST_OUT);
    for (size_t at = 0; at < STEPS && !ts_solver_is_over(solver); at++) {
        char *order = NULL;
        uint64_t number = 0;
        while (count < most && (order = ts_solver_give(solver, most, &number, &s)))
            out[count++] = (Out){number, order}, t->given++;
        check(t->k, count || ts_solver_is_over(solver), "nothing to do, and not over: %s", s.message);
        if (!count) break;
        bring_back(t, solver, w, stock, act, out, &count, at);
    }
    check(t->k, ts_solver_is_over(solver) && (!count || ts_solver_has_budget(solver)), "it does not end");
    while (count) free(out[--count].text);
    check(t->k, ts_solver_end(solver, NULL, NULL, &s), "%s", s.message);
    ts_worker_free(w);
    free(stock);
}

static Outcome run_spread(Test *t, Doing *act) {
    ts_status s;
    const ts_solver_options options = options_of(t);
    ts_solver *solver = ts_solver_new(t->chosen, t->count, &options, &s);
    check(t->k, solver, "%s", s.message);
    spread(t, solver, act);
    Outcome o = outcome_of(t, solver);
    ts_solver_free(solver);
    return o;
}

static void same(Test *t, const Outcome *o) {
    check(t->k, strcmp(o->submission, t->submission) == 0, "another submission");
    check(t->k, strcmp(o->candidates, t->candidates) == 0, "other candidates");
}

// ---- Workers that do what they are told, that die, that lie ----

static char *stock_text;

static char *good_or_dead(Test *t, ts_worker *w, const char *order, size_t at) {
    (void)at;
    return rng_below(&t->rng, 6) == 0 ? NULL : do_order(t, w, order, stock_text);
}

// Results with something changed in them: cut off, a byte that is another one, a part that comes twice.
static char *damage(Rng *rng, const char *text) {
    size_t n = strlen(text);
    char *bad = malloc(2 * n + 1);
    memcpy(bad, text, n + 1);
    const size_t at = rng_below(rng, (uint32_t)n), end = at + rng_below(rng, (uint32_t)(n - at));
    switch (rng_below(rng, 4)) {
    case 0: bad[at] = 0; break;
    case 1: bad[at] = (char)(1 + rng_below(rng, 255)); break;
    case 2: memmove(bad + at, bad + end, n - end + 1); break;
    default: memcpy(bad + end, text + at, n - at + 1);
    }
    return bad;
}

static char *good_or_damaged(Test *t, ts_worker *w, const char *order, size_t at) {
    (void)at;
    char *result = do_order(t, w, order, stock_text);
    if (rng_below(&t->rng, 5)) return result;
    char *bad = damage(&t->rng, result);
    free(result);
    return bad;
}

enum { END = 21 }; // bytes that a message ends with

// With an end that is right: what somebody says who means harm.
static char *forged(char *text) {
    Text t = {0};
    const size_t n = strlen(text);
    text_put(&t, text, n > END ? n - END : 0);
    message_end(&t);
    free(text);
    return text_take(&t);
}

static char *good_or_forged(Test *t, ts_worker *w, const char *order, size_t at) {
    const bool is_good = rng_below(&t->rng, 5);
    return is_good ? do_order(t, w, order, stock_text) : forged(good_or_damaged(t, w, order, at));
}

static char *rubbish(Test *t, ts_worker *w, const char *order, size_t at) {
    static const char *const texts[] = {"", "rubbish", "tessera", "tessera\tresult\n",
                                        "tessera\tresult\t1\t2\t-\nfound\n"};
    if (at % 3) return do_order(t, w, order, stock_text);
    return strdup(texts[at % (sizeof texts / sizeof *texts)]);
}

static char *never(Test *t, ts_worker *w, const char *order, size_t at) {
    (void)t;
    (void)w;
    (void)order;
    (void)at;
    return NULL;
}

static void test_same(Test *t) {
    check_begin(t->k, "the bytes of one thread");
    for (int n = 0; n < 3; n++) {
        Outcome o = run_spread(t, NULL);
        same(t, &o);
        check(t->k, !o.lost, "a task was given up");
        free_outcome(&o);
    }
    check_end(t->k);
}

// A task is given up when it was lost three times; with one death in six that is seldom, but it may be.
static void same_but_lost(Test *t, const Outcome *o) {
    check(t->k, o->lost < t->count && !o->others, "%zu tasks were given up, %zu have other candidates",
          o->lost, o->others);
    if (!o->lost) same(t, o);
}

static void test_deaths(Test *t) {
    check_begin(t->k, "workers that die");
    Outcome o = run_spread(t, good_or_dead);
    same_but_lost(t, &o);
    free_outcome(&o);
    o = run_spread(t, never);
    check(t->k, o.lost == t->count, "%zu of %zu tasks were given up", o.lost, t->count);
    free_outcome(&o);
    check_end(t->k);
}

static void test_rubbish(Test *t) {
    check_begin(t->k, "rubbish for results");
    Outcome o = run_spread(t, rubbish);
    same_but_lost(t, &o);
    free_outcome(&o);
    check_end(t->k);
    check_begin(t->k, "damaged results");
    o = run_spread(t, good_or_damaged);
    same_but_lost(t, &o);
    free_outcome(&o);
    check_end(t->k);
    if (t->trusting) return; // who is trusted could say anything
    check_begin(t->k, "forged results");
    o = run_spread(t, good_or_forged);
    free_outcome(&o);
    check_end(t->k);
}

static void put_named(Text *t, const char *text, const char *id) {
    for (; *text; text++) {
        if (*text == '%') text_add(t, id);
        else text_char(t, *text);
    }
}

// A true result with something behind it, or with other words about programs; % stands for the task.
static char *lie(const char *result, const char *id, const char *found, const char *after, size_t least) {
    Text t = {0};
    const char *head = strchr(result, '\n') + 1, *run = strstr(result, "\nrun\t") + 1;
    text_put(&t, result, (size_t)((found ? head : result + strlen(result) - END) - result));
    if (found) {
        put_named(&t, found, id);
        text_put(&t, run, strlen(run) - END);
    }
    put_named(&t, after, id);
    while (t.length <= least) text_put(&t, result, strlen(result));
    message_end(&t);
    return text_take(&t);
}

// Nothing of a result counts that is refused, and one that is too large is not even read.
static void test_lies(Test *t) {
    static const struct {
        const char *found, *after, *says; // found: NULL: what is true
        size_t least;
    } lies[] = {
        {"found\t%\tlines\t0\tdef solve_x(I):\\n    return I\\n\n", "", "right on a demo", 0},
        {"found\t%\tlines\t0\tdef solve_x(I):\\n    return nothing(I)\\n\n", "", "that can be read", 0},
        {"found\t%\tlines\t0\timport os\n", "", "right on a demo", 0},
        {"found\t%\tluck\t0\tdef solve_x(I):\\n    return I\\n\n", "", "the name of an engine", 0},
        {"found\tother\tlines\t0\tdef solve_x(I):\\n    return I\\n\n", "", "that was given out with it", 0},
        {"gave\t%\tlines\t0\tdef solve_x(I):\\n    return I\\n\t3\t1\t1\t1x1:0;\n", "", "expected found", 0},
        {"run\t%\t1\t0\t0\t0\n", "", "fields, not", 0},
        {"memory\t%\t2\t0\n", "", "0 to 1", 0},
        {"time\t1\n", "", "expected found", 0},
        {NULL, "memory\t%\t1\t1\nodd\n", "expected found", 0},
        {NULL, "memory\tother\t1\t1\n", "that was given out with it", 0},
        {NULL, "", "are the most", 64 << 20},
    };
    ts_status s;
    check_begin(t->k, "what a worker says is not believed");
    const ts_solver_options options = options_of(t);
    ts_worker *w = ts_worker_new();
    for (size_t n = 0; n < sizeof lies / sizeof *lies; n++) {
        ts_solver *solver = ts_solver_new(t->chosen, 1, &options, &s);
        uint64_t number = 99, again = 99;
        char *order = ts_solver_give(solver, 1, &number, &s), *result = do_order(t, w, order, stock_text);
        char *bad = lie(result, t->chosen[0]->id, lies[n].found, lies[n].after, lies[n].least);
        const bool taken = ts_solver_take(solver, number, bad, strlen(bad), &s);
        check(t->k, !taken && strstr(s.message, lies[n].says), "lie %zu: %s", n, s.message);
        ts_search *search = ts_solver_search(solver, 0);
        check(t->k, !ts_search_count(search) && !ts_search_full(search) && !ts_solver_starved(solver, 0),
              "something of lie %zu counts", n);
        // It is given out again, and taken when it is true.
        free(order);
        order = ts_solver_give(solver, 1, &again, &s);
        check(t->k, order && again != number, "it is not given out again");
        check(t->k, ts_solver_take(solver, again, result, strlen(result), &s), "%s", s.message);
        char *found = ts_search_print(search);
        check(t->k, strcmp(found, t->found[0]) == 0, "something else was found");
        free(found);
        free(bad);
        free(result);
        free(order);
        ts_solver_free(solver);
    }
    ts_worker_free(w);
    check_end(t->k);
}

// Orders and stocks that are damaged are refused, or done; nothing else happens.
static void test_damaged_orders(Test *t, int rounds) {
    ts_status s;
    check_begin(t->k, "damaged orders");
    const ts_solver_options options = options_of(t);
    ts_solver *solver = ts_solver_new(t->chosen, 2, &options, &s);
    uint64_t number;
    char *order = ts_solver_give(solver, 1, &number, &s);
    ts_worker *w = ts_worker_new();
    for (int n = 0; order && n < rounds; n++) {
        char *bad = damage(&t->rng, n % 4 ? order : stock_text);
        if (n % 8 < 6) bad = forged(bad);
        if (n % 4 == 0) ts_worker_stock(w, bad, strlen(bad), &s);
        else {
            if (ts_worker_lacks(w, order, strlen(order)))
                ts_worker_stock(w, stock_text, strlen(stock_text), &s);
            free(ts_worker_do(w, bad, strlen(bad), NULL, &s));
        }
        free(bad);
    }
    check(t->k, order, "%s", s.message);
    free(order);
    ts_worker_free(w);
    ts_solver_free(solver);
    check_end(t->k);
}

// Stocks that are whole, and yet are none.
static void test_odd_stocks(Test *t) {
    static const struct {
        const char *kind, *text, *says;
    } odd[] = {
        {"pool", "program\t0\t\n", "one program"},
        {"pool", "program\t1\t\\n# nothing\\n\n", "one program"},
        {"pool", "program\t0\tdef solve_a(I):\\n    return I\\ndef solve_b(I):\\n    return I\\n\n",
         "one program"},
        {"pool", "tasks\t{}\n", "a program"},
        {"tasks", "tasks\t{\"train\":[],\"test\":[{\"input\":[[0]]}]}\nunits\t1\n", "task without an id"},
        {"tasks", "tasks\t{\"x\":1,\"test\":[{\"input\":[[0]]}]}\nunits\t1\n", "task without an id"},
        {"tasks", "tasks\t[[0]]\nunits\t1\n", "there is no task here"},
        {"tasks", "tasks\t{}\ntasks\t{}\nunits\t1\n", "the tasks once"},
        {"tasks", "tasks\t{}\n", "the stock is not whole"},
        {"tasks", "units\t1\n", "the stock is not whole"},
        {"tasks", "tasks\t{}\nunits\t-1\n", "a whole number"},
        {"tasks", "rubbish\n", "tasks, units, differs or donors"},
    };
    ts_status s;
    check_begin(t->k, "odd stocks");
    ts_worker *w = ts_worker_new();
    for (size_t n = 0; n < sizeof odd / sizeof *odd; n++) {
        Text text = {0};
        message_begin(&text, odd[n].kind, "-");
        text_add(&text, odd[n].text);
        message_end(&text);
        check(t->k, !ts_worker_stock(w, text.data, text.length, &s) && strstr(s.message, odd[n].says),
              "%zu: %s", n, s.message);
        text_free(&text);
    }
    ts_worker_free(w);
    check_end(t->k);
}

// With a budget a task comes again, with what was found before.
static void test_budget(Test *t) {
    ts_status s;
    t->given = 0;
    check_begin(t->k, "a budget");
    ts_solver_options options = options_of(t);
    options.budget = 4;
    ts_solver *solver = ts_solver_new(t->chosen, t->count, &options, &s);
    spread(t, solver, NULL);
    check(t->k, t->given, "no order was given");
    for (size_t k = 0; k < t->count; k++)
        check(t->k, !ts_solver_lost(solver, k), "a task was given up: %s", ts_solver_lost(solver, k));
    ts_solver_free(solver);
    check_end(t->k);
}

static size_t count_tasks(const char *order) {
    size_t n = 0;
    while (order && (order = strstr(order, "\ntask\t"))) order++, n++;
    return n;
}

// A budget that is nearly spent when it begins, or far from it; the share of each task follows from the
// budget alone.
static ts_solver *begin_budget(Test *t, double budget, double left) {
    ts_status s;
    ts_solver_options options = options_of(t);
    options.pool = NULL;
    options.budget = budget;
    options.spent = budget - left;
    ts_solver *solver = ts_solver_new(t->chosen, t->count, &options, &s);
    check(t->k, solver, "%s", s.message);
    return solver;
}

// While the last task of the first pass is under way, the others are for all workers, not for the next one.
static void test_second_pass(Test *t) {
    ts_status s;
    Out out[MOST_TASKS];
    uint64_t number;
    size_t given = 0;
    check_begin(t->k, "the second pass begins with small orders");
    ts_solver *solver = begin_budget(t, 1, 1000);
    ts_worker *w = ts_worker_new();
    while (given < t->count && (out[given].text = ts_solver_give(solver, 8, &out[given].number, &s)))
        check(t->k, count_tasks(out[given++].text) == 1, "too many tasks for eight workers");
    check(t->k, given == t->count, "%zu orders: %s", given, s.message);
    for (size_t k = 0; k < given; k++) {
        char *result = k ? do_order(t, w, out[k].text, "") : NULL;
        if (result) ts_solver_take(solver, out[k].number, result, strlen(result), &s);
        free(result);
        free(out[k].text);
    }
    for (int n = 0; n < 3; n++) {
        char *order = ts_solver_give(solver, 8, &number, &s);
        check(t->k, count_tasks(order) == 1, "%zu tasks in one order", count_tasks(order));
        free(order);
    }
    ts_worker_free(w);
    ts_solver_free(solver);
    check_end(t->k);
}

// What a worker brings that has worked until the end of the budget counts.
static void test_end_of_budget(Test *t) {
    ts_status s;
    uint64_t number;
    check_begin(t->k, "the end of a budget");
    const double before = clock_ms();
    ts_solver *solver = begin_budget(t, 400, 2.1); // two seconds are for what comes after the search
    const double made = clock_ms();
    ts_worker *w = ts_worker_new();
    char *order = ts_solver_give(solver, 1, &number, &s);
    char *result = order ? do_order(t, w, order, "") : NULL; // no order: the machine is slow
    while (clock_ms() < made + 101) usleep(1000);
    const bool is_over = ts_solver_is_over(solver);
    if (order && clock_ms() < before + 1000) {
        check(t->k, !is_over, "it does not wait for a result");
        check(t->k, result && ts_solver_take(solver, number, result, strlen(result), &s), "%s", s.message);
        check(t->k, ts_solver_is_over(solver), "it waits for nothing");
    }
    free(result);
    free(order);
    ts_worker_free(w);
    ts_solver_free(solver);
    check_end(t->k);
}

// Stopped in the middle it goes on from its journal, here or elsewhere, to the same end.
static void test_resume(Test *t) {
    ts_status s;
    char journal[80];
    snprintf(journal, sizeof journal, "%s.journal", t->path);
    check_begin(t->k, "going on from a journal");
    ts_solver_options options = options_of(t);
    options.journal = journal;
    ts_worker *w = ts_worker_new();
    for (int n = 0; n < 3; n++) {
        ts_solver *solver = ts_solver_new(t->chosen, t->count, &options, &s);
        check(t->k, solver, "%s", s.message);
        uint64_t number;
        char *order = ts_solver_give(solver, 4, &number, &s);
        char *result = order ? do_order(t, w, order, stock_text) : NULL;
        check(t->k, result && ts_solver_take(solver, number, result, strlen(result), &s), "%s", s.message);
        free(result);
        free(order);
        ts_solver_free(solver); // as if it was killed
    }
    ts_solver *solver = ts_solver_new(t->chosen, t->count, &options, &s);
    check(t->k, solver && ts_solver_run(solver, NULL, NULL, &s), "%s", s.message);
    Outcome o = outcome_of(t, solver);
    same(t, &o);
    free_outcome(&o);
    ts_solver_free(solver);
    ts_worker_free(w);
    check(t->k, access(journal, F_OK) != 0, "the journal is still there");
    unlink(journal);
    check_end(t->k);
}

int main(int argc, char **argv) {
    Checks k = {0};
    ts_status s;
    Test t = {.k = &k, .pool = ts_programs_new()};
    const int first = argc > 1 ? atoi(argv[1]) : 1, count = argc > 2 ? atoi(argv[2]) : 2;
    strcpy(t.path, "/tmp/tessera-spread-XXXXXX");
    close(mkstemp(t.path));
    check_begin(&k, "what the tests begin with");
    t.tasks = ts_tasks_bundled(NULL, &s);
    t.count = ts_tasks_count(t.tasks);
    for (size_t n = 0; n < t.count; n++) t.chosen[n] = ts_tasks_at(t.tasks, n);
    check(&k, ts_programs_bundled(t.pool, &s), "%s", s.message);
    Outcome o = run_here(&t);
    t.submission = o.submission, t.candidates = o.candidates;
    const ts_solver_options options = options_of(&t);
    ts_solver *solver = ts_solver_new(t.chosen, t.count, &options, &s);
    stock_text = ts_solver_stock(solver);
    ts_solver_free(solver);
    check_end(&k);
    for (int seed = first; seed < first + count; seed++) {
        t.rng = (Rng){(uint64_t)seed};
        test_same(&t);
        t.trusting = true;
        test_same(&t);
        test_rubbish(&t);
        t.trusting = false;
        test_deaths(&t);
        test_rubbish(&t);
        test_damaged_orders(&t, 40);
        test_resume(&t);
    }
    test_lies(&t);
    test_odd_stocks(&t);
    test_budget(&t);
    test_second_pass(&t);
    test_end_of_budget(&t);
    for (size_t n = 0; n < t.count; n++) free(t.found[n]);
    free_outcome(&o);
    free(stock_text);
    ts_programs_free(t.pool);
    ts_tasks_free(t.tasks);
    unlink(t.path);
    return check_summary(&k);
}
