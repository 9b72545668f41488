// Primitives that a user registers: what may be registered, how they are called, and where they are used.
//
// Closes with `N passed, N failed`. What is registered stays, so each test has names of its own.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dsl/ops.h"
#include "program/grammar.h"

static int calls_made; // of functions that count, by one thread at a time

// ---- Functions of a user ----

// What no other step makes of a grid.
static ts_value mix(ts_context *call, const ts_value *arguments, void *user) {
    const ts_grid grid = ts_value_grid(arguments[0]);
    const size_t n = (size_t)grid.height * (size_t)grid.width;
    signed char *cells = malloc(n);
    for (size_t k = 0; k < n; k++) {
        const int i = (int)k / grid.width, j = (int)k % grid.width;
        cells[k] = (signed char)((3 * grid.cells[k] + i * i + 2 * j + *(const int *)user) % 10);
    }
    const ts_value mixed = ts_make_grid(call, (ts_grid){grid.height, grid.width, cells});
    free(cells);
    __atomic_add_fetch(&calls_made, 1, __ATOMIC_RELAXED);
    return mixed;
}

// Seven times the cells, and their rows: a number that tells objects apart as nothing else does.
static ts_value oddness(ts_context *call, const ts_value *arguments, void *user) {
    (void)user;
    int64_t sum = 0;
    for (size_t k = 0; k < ts_value_length(arguments[0]); k++) {
        const ts_value cell = ts_value_at(call, arguments[0], k), place = ts_value_at(call, cell, 1);
        sum += 7 + ts_value_int(ts_value_at(call, place, 0));
    }
    return ts_make_int(call, sum % 11);
}

static ts_value turn_pair(ts_context *call, const ts_value *arguments, void *user) {
    (void)user;
    const ts_value turned[] = {ts_value_at(call, arguments[0], 1), ts_value_at(call, arguments[0], 0)};
    return ts_make_tuple(call, turned, 2);
}

static ts_value twice(ts_context *call, const ts_value *arguments, void *user) {
    (void)user;
    const ts_value once = ts_context_call(call, arguments[0], &arguments[1], 1);
    return ts_context_call(call, arguments[0], &once, 1);
}

static ts_value ends(ts_context *call, const ts_value *arguments, void *user) {
    (void)user;
    const size_t n = ts_value_length(arguments[0]);
    ts_value both[] = {ts_value_at(call, arguments[0], n - 1), ts_value_at(call, arguments[0], 0),
                       ts_value_at(call, arguments[0], 0)};
    return ts_make_set(call, both, 3);
}

static ts_value complain(ts_context *call, const ts_value *arguments, void *user) {
    (void)arguments, (void)user;
    __atomic_add_fetch(&calls_made, 1, __ATOMIC_RELAXED);
    return ts_context_fail(call, "this is not for me");
}

// Gives what it is told to: all that may be wrong.
static ts_value misbehave(ts_context *call, const ts_value *arguments, void *user) {
    (void)user;
    static const signed char cells[] = {1, 2, 3, 77};
    switch (ts_value_int(arguments[0])) {
    case 0: return (ts_value){0};
    case 1: return ts_make_int(call, 5);
    case 2: return ts_make_grid(call, (ts_grid){2, 2, cells});
    case 3: return ts_make_grid(call, (ts_grid){-2, 2, cells});
    case 4: return ts_make_grid(call, (ts_grid){0, 0, cells});
    case 5: return ts_value_at(call, arguments[0], 0);
    case 6: return ts_value_at(call, ts_make_grid(call, (ts_grid){2, 2, cells}), 2);
    case 7: return ts_make_tuple(call, (const ts_value[]){{0}}, 1);
    case 8: return ts_make_set(call, (ts_value[]){{0}}, SIZE_MAX / 8);
    case 9: return ts_context_call(call, arguments[0], arguments, 1);
    case 10: return ts_context_call(call, arguments[0], arguments, 9);
    case 11: return ts_context_fail_as(call, (ts_failure)99);
    case 12: return ts_context_fail(call, NULL);
    case 13: ts_context_fail(call, "first"); return ts_make_grid(call, (ts_grid){1, 1, cells});
    case 14: return ts_context_charge(call, UINT64_MAX) ? arguments[0] : (ts_value){0};
    default: break;
    }
    ts_value v = arguments[0]; // deeper and deeper
    for (int k = 0; k < 100000; k++) v = ts_make_tuple(call, &v, 1);
    return v;
}

// Makes as much as it is let.
static ts_value flood(ts_context *call, const ts_value *arguments, void *user) {
    (void)user;
    ts_value v = arguments[0];
    while (!ts_context_failure(call)) {
        const ts_value two[] = {v, v, arguments[0]};
        v = ts_make_tuple(call, two, 3);
    }
    return v;
}

// ---- Helpers ----

static bool add(const ts_primitive *p, ts_status *s) { return ts_primitive_add(p, s); }

static ts_result eval(ts_engine *engine, const char *text, ts_status *s) {
    ts_result r = {.failure = TS_FAIL_KINDS};
    *s = (ts_status){0};
    ts_eval(engine, text, strlen(text), &r, s);
    return r;
}

static void check_value(Checks *k, ts_engine *engine, const char *text, const char *wanted) {
    ts_status s;
    const ts_result r = eval(engine, text, &s);
    char *found = r.failure ? NULL : ts_value_print(r.value);
    check(k, found && strcmp(found, wanted) == 0, "%s: %s, %s%s", text, found ? found : "-",
          r.failure < TS_FAIL_KINDS ? ts_failure_name(r.failure) : "", s.message);
    free(found);
}

static void check_failure(Checks *k, ts_engine *engine, const char *text, ts_failure kind, const char *says) {
    ts_status s;
    const ts_result r = eval(engine, text, &s);
    const char *message = ts_engine_message(engine);
    check(k, r.failure == kind, "%s: %s %s", text, ts_failure_name(r.failure), s.message);
    check(k, says ? message && strstr(message, says) : !message, "%s says %s", text, message ? message : "-");
}

// ---- Tests ----

static void test_refused(Checks *k) {
    static int user;
    const ts_primitive good = {.name = "fine",
                               .arity = 1,
                               .types = {"Grid"},
                               .result = "Grid",
                               .call = mix,
                               .user = &user,
                               .cost = -1};
    ts_status s;
    ts_primitive p;
    const size_t before = ts_ops_count();
    check_begin(k, "what may not be registered");
#define REFUSED(change, says) \
    p = good;                 \
    change;                   \
    check(k, !add(&p, &s) && s.code == TS_USAGE && strstr(s.message, says), "%s: %s", #change, s.message)
    REFUSED(p.name = NULL, "has a name");
    REFUSED(p.name = "", "has a name");
    REFUSED(p.name = "2x", "has a name");
    REFUSED(p.name = "a b", "has a name");
    REFUSED(p.name = "gr\xc3\xbcn", "has a name");
    REFUSED(p.name = "abcdefghijklmnopqrstuvwxyzabcdef", "has a name");
    REFUSED(p.name = "x12", "variables");
    REFUSED(p.name = "I", "variables");
    REFUSED(p.name = "hmirror", "already");
    REFUSED(p.name = "hmirror_t", "already");
    REFUSED(p.name = "THREE", "already");
    REFUSED(p.name = "REGIONS", "already");
    REFUSED(p.name = "lambda", "already");
    REFUSED(p.name = "frozenset", "already");
    REFUSED(p.arity = 0, "1 to 4");
    REFUSED(p.arity = 5, "1 to 4");
    REFUSED(p.call = NULL, "no function");
    REFUSED(p.types[0] = NULL, "type of");
    REFUSED(p.types[0] = "grid", "type of");
    REFUSED(p.types[0] = "Which", "type of");
    REFUSED(p.result = "List", "type of the result");
    REFUSED(p.arity = 2, "type of");
    REFUSED(p.parameters[0] = "a-b", "no name");
    REFUSED((p.arity = 2, p.types[1] = "Grid", p.parameters[0] = p.parameters[1] = "g"), "two parameters");
    REFUSED(p.cost = 10, "at most 9");
    REFUSED(p.units = UINT64_MAX, "at most");
    check(k, ts_ops_count() == before, "some of it was registered");
    check(k, add(&good, &s), "%s", s.message);
    p = good;
    REFUSED((void)0, "there is a primitive 'fine' already");
    check_end(k);
}

static void test_calls(Checks *k, ts_engine *engine) {
    static int plus = 0;
    ts_status s;
    check_begin(k, "calls");
    check(k,
          add(&(ts_primitive){.name = "mixed",
                              .arity = 1,
                              .types = {"Grid"},
                              .result = "Grid",
                              .call = mix,
                              .user = &plus,
                              .doc = "mixed up"},
              &s),
          "%s", s.message);
    check(k,
          add(
              &(ts_primitive){
                  .name = "oddness", .arity = 1, .types = {"Object"}, .result = "Integer", .call = oddness},
              &s),
          "%s", s.message);
    check(k,
          add(&(ts_primitive){.name = "turn_pair",
                              .arity = 1,
                              .parameters = {"pair"},
                              .types = {"IntegerTuple"},
                              .result = "IntegerTuple",
                              .call = turn_pair},
              &s),
          "%s", s.message);
    check(k,
          add(
              &(ts_primitive){
                  .name = "twice", .arity = 2, .types = {"Callable", "Any"}, .result = "Any", .call = twice},
              &s),
          "%s", s.message);
    check(k,
          add(
              &(ts_primitive){
                  .name = "ends", .arity = 1, .types = {"Container"}, .result = "FrozenSet", .call = ends},
              &s),
          "%s", s.message);
    check_value(k, engine, "mixed(((1, 2), (3, 4)))", "((3, 8), (0, 5))");
    check_value(k, engine, "oddness({(3, (0, 0)), (4, (2, 1))})", "5");
    check_value(k, engine, "turn_pair((5, 7))", "(7, 5)");
    check_value(k, engine, "turn_pair(pair=(5, 7))", "(7, 5)");
    check_value(k, engine, "apply(turn_pair, ((1, 2), (3, 4)))", "((2, 1), (4, 3))");
    check_value(k, engine, "twice(increment, 4)", "6");
    check_value(k, engine, "twice(lbind(twice, double), 1)", "16");
    check_value(k, engine, "compose(mixed, mixed)(((1, 2), (3, 4)))", "((9, 6), (1, 8))");
    check_value(k, engine, "ends((5, 6, 3))", "{3, 5}");
    check_value(k, engine, "astuple(mixed, twice)", "(mixed, twice)");
    check_failure(k, engine, "mixed(3)", TS_FAIL_TYPE, NULL);
    check_failure(k, engine, "mixed(((1, 2), (3, 99)))", TS_FAIL_TYPE, NULL);
    check_failure(k, engine, "turn_pair((1, 2, 3))", TS_FAIL_TYPE, NULL);
    check_failure(k, engine, "ends(())", TS_FAIL_INDEX, NULL);
    check_failure(k, engine, "twice(twice, 1)", TS_FAIL_ARITY, NULL);
    check_failure(k, engine,
                  "power(lbind(twice, lbind(twice, lbind(twice, lbind(twice, lbind(twice, double))))), 9)(1)",
                  TS_FAIL_OVERFLOW, NULL);
    const ts_result wrong = eval(engine, "mixed(1, 2)", &s);
    check(k, wrong.failure == TS_FAIL_KINDS && strstr(s.message, "mixed"), "arity: %s", s.message);
    eval(engine, "mixd(3)", &s);
    check(k, strstr(s.message, "did you mean 'mixed'"), "spelling: %s", s.message);
    const ts_op op = ts_ops_at((size_t)ts_ops_find("mixed"));
    check(k, op.added && strcmp(op.doc, "mixed up") == 0 && strcmp(op.parameters[0], "a") == 0, "its row");
    char *told = ts_tell("def solve(I):\n    x1 = mixed(I)\n    return vmirror(x1)\n");
    check(k, told && strstr(told, "mixed of the input"), "told: %s", told ? told : "-");
    free(told);
    check_end(k);
}

static void test_failures(Checks *k, ts_engine *engine) {
    ts_status s;
    char text[60];
    check_begin(k, "failures");
    check(k,
          add(
              &(ts_primitive){
                  .name = "complain", .arity = 1, .types = {"Any"}, .result = "Any", .call = complain},
              &s),
          "%s", s.message);
    check(k,
          add(
              &(ts_primitive){
                  .name = "misbehave", .arity = 1, .types = {"Integer"}, .result = "Grid", .call = misbehave},
              &s),
          "%s", s.message);
    check(k,
          add(&(ts_primitive){.name = "flood", .arity = 1, .types = {"Any"}, .result = "Any", .call = flood},
              &s),
          "%s", s.message);
    for (int again = 0; again < 2; again++) // what is remembered says the same
        check_failure(k, engine, "complain(3)", TS_FAIL_FOREIGN, "this is not for me");
    check_value(k, engine, "choose(1, 5, complain(3))", "5");
    for (int n = 0; n < 16; n++) {
        snprintf(text, sizeof text, "misbehave(%d)", n);
        const ts_result r = eval(engine, text, &s);
        check(k, r.failure && r.failure < TS_FAIL_KINDS, "%s does not fail", text);
    }
    check_failure(k, engine, "misbehave(1)", TS_FAIL_FOREIGN, "misbehave gave 5, which is no Grid");
    check_failure(k, engine, "misbehave(2)", TS_FAIL_FOREIGN, "not all 0 to 9");
    check_failure(k, engine, "misbehave(13)", TS_FAIL_FOREIGN, "first");
    check_failure(k, engine, "misbehave(14)", TS_FAIL_BUDGET, NULL);
    check_failure(k, engine, "misbehave(15)", TS_FAIL_DEPTH, NULL);
    const ts_result r = eval(engine, "flood((1, 2, 3))", &s);
    check(k, r.failure == TS_FAIL_BUDGET || r.failure == TS_FAIL_DEPTH, "flood: %s",
          ts_failure_name(r.failure));
    check_end(k);
}

// A call costs the same whether it is made or remembered, and some are made again.
static void test_memory(Checks *k, ts_engine *engine) {
    static int plus = 1;
    ts_status s;
    char text[60];
    check_begin(k, "memory");
    check(k,
          add(&(ts_primitive){.name = "remembered",
                              .arity = 1,
                              .types = {"Grid"},
                              .result = "Grid",
                              .call = mix,
                              .user = &plus},
              &s),
          "%s", s.message);
    check(k,
          add(&(ts_primitive){.name = "forgotten",
                              .arity = 1,
                              .types = {"Grid"},
                              .result = "Grid",
                              .call = mix,
                              .user = &plus,
                              .forgetful = true},
              &s),
          "%s", s.message);
    calls_made = 0;
    const uint64_t units = eval(engine, "remembered(((1, 2), (3, 4)))", &s).units;
    for (int n = 0; n < 5; n++)
        check(k, eval(engine, "remembered(((1, 2), (3, 4)))", &s).units == units, "other units");
    check(k, calls_made == 1, "%d calls", calls_made);
    for (int n = 0; n < 5; n++) eval(engine, "forgotten(((1, 2), (3, 4)))", &s);
    check(k, calls_made == 6, "%d calls", calls_made);
    for (uint64_t fewer = 1; fewer < units; fewer += 7) {
        ts_engine_set_units(engine, fewer);
        const ts_result r = eval(engine, "remembered(((1, 2), (3, 4)))", &s);
        check(k, r.failure == TS_FAIL_BUDGET && r.units == fewer, "%d units", (int)fewer);
    }
    ts_engine_set_units(engine, 10000000);
    plus = 2;
    check_value(k, engine, "remembered(((1, 2), (3, 4)))", "((4, 9), (1, 6))");
    ts_primitive_forget("remembered");
    ts_primitive_forget("forgotten");
    ts_primitive_forget("hmirror");
    ts_primitive_forget("no_such");
    check_value(k, engine, "remembered(((1, 2), (3, 4)))", "((5, 0), (2, 7))");
    for (int n = 0; n < 40000; n++) { // more than it holds
        snprintf(text, sizeof text, "remembered(canvas(%d, (%d, %d)))", n % 10, 1 + n / 10 % 60, 1 + n / 600);
        check(k, !eval(engine, text, &s).failure, "%s", text);
    }
    check_end(k);
}

// Rows in brackets, as Python or JSON has them.
static void write_grid(Text *t, ts_grid g, const char *brackets) {
    for (int i = 0; i < g.height; i++) {
        if (i) text_add(t, ", ");
        else text_char(t, brackets[0]);
        text_char(t, brackets[0]);
        for (int j = 0; j < g.width; j++) text_print(t, "%s%d", j ? ", " : "", g.cells[i * g.width + j]);
        text_char(t, brackets[1]);
    }
    text_char(t, brackets[1]);
}

// A task of what an expression for a function makes of random grids, five or six rows of six cells.
static ts_tasks *task_of(ts_engine *engine, const char *expression) {
    Text json = {0}, call = {0};
    ts_status s;
    unsigned seed = 5;
    bool good = true;
    text_add(&json, "{\"t\":{\"train\":[");
    for (int n = 0; n < 4; n++) {
        signed char cells[36];
        const ts_grid input = {5 + n % 2, 6, cells};
        for (int k = 0; k < 36; k++) {
            seed = seed * 1103515245 + 12345;
            cells[k] = (signed char)(seed >> 16 & 1 ? 0 : (seed >> 18) % 6);
        }
        text_clear(&call);
        text_print(&call, "%s(", expression);
        write_grid(&call, input, "()");
        text_char(&call, ')');
        const ts_result r = eval(engine, call.data, &s);
        good &= !r.failure;
        text_print(&json, "%s{\"input\":", n == 3 ? "],\"test\":[" : n ? "," : "");
        write_grid(&json, input, "[]");
        if (n < 3 && good) {
            text_add(&json, ",\"output\":");
            write_grid(&json, ts_value_grid(r.value), "[]");
        }
        text_char(&json, '}');
    }
    text_add(&json, "]}}");
    ts_tasks *tasks = good ? ts_tasks_read_text("made", json.data, json.length, NULL, &s) : NULL;
    text_free(&json);
    text_free(&call);
    return tasks;
}

// The search finds a program with the primitive that is right on all demos.
static void check_found(Checks *k, ts_engine *engine, const char *expression, const char *name) {
    const ts_search_options options = {.seconds = 0.4, .engines = "lines"};
    ts_status s;
    ts_tasks *tasks = task_of(engine, expression);
    ts_search *search = tasks ? ts_search_new(ts_tasks_at(tasks, 0), &options, &s) : NULL;
    bool found = false;
    for (size_t n = 0; search && n < ts_search_count(search); n++) {
        const ts_found f = ts_search_at(search, n);
        found |= f.demos_right == 3 && strstr(f.program, name);
    }
    check(k, found, "%s: nothing was found with %s", expression, name);
    ts_search_free(search);
    ts_tasks_free(tasks);
}

static void test_search(Checks *k, ts_engine *engine) {
    check_begin(k, "search");
    check_found(k, engine, "mixed", "mixed");
    check_found(k, engine, "compose(vmirror, mixed)", "mixed");
    check_found(k, engine, "compose(mixed, rot90)", "mixed");
    check_found(
        k, engine,
        "fork(paint, identity, compose(lbind(recolor, 8), compose(rbind(argmax, oddness), rbind(o_g, 5))))",
        "oddness");
    check_end(k);
}

static void test_battery(Checks *k, ts_engine *engine) {
    static const char text[] =
        "def a(I):\n    return mixed(I)\ndef b(I):\n    return hmirror(mixed(I))\n"
        "def c(I):\n    return complain(I)\ndef d(I):\n    x1 = mixed(I)\n    return mixed(x1)\n";
    ts_status s;
    check_begin(k, "battery");
    ts_tasks *tasks = task_of(engine, "compose(hmirror, mixed)");
    ts_programs *programs = ts_programs_new();
    check(k, ts_programs_add_text(programs, "t", text, strlen(text), true, NULL, NULL, &s), "%s", s.message);
    ts_battery *battery = ts_battery_new(programs, &(ts_battery_options){.threads = 2, .full = true}, &s);
    const ts_task *task = ts_tasks_at(tasks, 0);
    check(k, ts_battery_run(battery, &task, 1, NULL, NULL, &s), "%s", s.message);
    static const ts_outcome wanted[] = {TS_WRONG, TS_RIGHT, TS_FAILED, TS_WRONG};
    for (size_t n = 0; n < 4; n++) {
        ts_failure failure;
        check(k, ts_battery_outcome(battery, n, 0, 0, &failure) == wanted[n], "outcome of program %d",
              (int)n);
        check(k, (failure == TS_FAIL_FOREIGN) == (n == 2), "failure of program %d", (int)n);
    }
    ts_battery_free(battery);
    ts_programs_free(programs);
    ts_tasks_free(tasks);
    check_end(k);
}

// Mutants use what is registered, and what they print is read again.
static void test_mutation(Checks *k) {
    static const char text[] = "def a(I):\n    x1 = hmirror(I)\n    return rot90(x1)\n";
    ts_status s;
    int used = 0;
    check_begin(k, "mutation");
    ts_programs *source = ts_programs_new();
    ts_programs_add_text(source, "t", text, strlen(text), true, NULL, NULL, &s);
    ts_card *card = ts_card_new(source, NULL, &(ts_card_options){.count = 300, .rate = 0.3}, &s);
    check(k, card, "%s", s.message);
    const ts_programs *made = card ? ts_card_programs(card) : source;
    for (size_t n = 0; n < ts_programs_count(made); n++) {
        char *printed = ts_programs_print(made, n);
        ts_programs *again = ts_programs_new();
        check(k, ts_programs_add_text(again, "t", printed, strlen(printed), true, NULL, NULL, &s), "%s: %s",
              s.message, printed);
        used += strstr(printed, "mixed(") != NULL;
        ts_programs_free(again);
        free(printed);
    }
    check(k, used > 3, "%d mutants with a registered primitive", used);
    ts_card_free(card);
    ts_programs_free(source);
    check_end(k);
}

// Threads that register, read and run at once. In the end the table is full.
static void *register_many(void *arg) {
    Checks *k = arg;
    ts_engine *engine = ts_engine_new();
    ts_status s;
    static int next, plus;
    char name[20], text[60];
    for (bool room = true; room;) {
        snprintf(name, sizeof name, "own_%d", __atomic_add_fetch(&next, 1, __ATOMIC_RELAXED));
        room = add(&(ts_primitive){.name = name,
                                   .arity = 1,
                                   .types = {"Grid"},
                                   .result = "Grid",
                                   .call = mix,
                                   .user = &plus,
                                   .cost = -1},
                   &s);
        snprintf(text, sizeof text, "%s(((1, 2), (3, 4)))", name);
        const ts_result r = eval(engine, text, &s);
        check(k, room == !r.failure, "%s: %s", text, s.message);
    }
    ts_engine_free(engine);
    return NULL;
}

static void test_threads(Checks *k) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    static Checks own[THREADS];
    ts_status s;
    check_begin(k, "threads");
    for (int n = 0; n < THREADS; n++) {
        check_begin(&own[n], "threads");
        pthread_create(&threads[n], NULL, register_many, &own[n]);
    }
    for (int n = 0; n < THREADS; n++) {
        pthread_join(threads[n], NULL);
        k->bad |= own[n].bad;
    }
    check(k, ts_ops_count() == OPS_MOST, "%d primitives", (int)ts_ops_count());
    check(k,
          !add(
              &(ts_primitive){
                  .name = "one_more", .arity = 1, .types = {"Any"}, .result = "Any", .call = complain},
              &s) &&
              strstr(s.message, "no more fit"),
          "%s", s.message);
    check_end(k);
}

// Every primitive of ops.def is named in grammar.def or gets rules by its types, which nothing has yet.
static void test_grammar(Checks *k) {
    static GrammarMore more;
    check_begin(k, "grammar");
    grammar_learn_more(&more);
    check(k, more.rule_count == 0 && more.bare_count == 0, "%d rules for primitives of ops.def",
          more.rule_count);
    check_end(k);
}

int main(void) {
    Checks k = {0};
    ts_engine *engine = ts_engine_new();
    test_grammar(&k);
    test_refused(&k);
    test_calls(&k, engine);
    test_failures(&k, engine);
    test_memory(&k, engine);
    test_search(&k, engine);
    test_battery(&k, engine);
    test_mutation(&k);
    test_threads(&k);
    ts_engine_free(engine);
    return check_summary(&k);
}
