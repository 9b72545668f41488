// The loop as a library: a run in parts is a run in one go, ends where it is told to, and a loop that was
// stopped or has failed goes on. Differs that evolve are worth what hand-made cases say, and are the same
// whatever the threads and the parts of a run.
//
//     build/obj/tests/iterate
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/text.h"
#include "check.h"
#include "iterate/iterate.h"

typedef struct {
    Checks *k;
    ts_tasks *tasks;
    const ts_task **chosen;
    size_t count;
    char path[64];
    ts_pool *pool;
    ts_status s;
} Test;

// A new pool with the bundled programs in it, or with nothing.
static void open_pool(Test *t, bool planted) {
    ts_programs *set = ts_programs_new();
    char hash[17];
    bool is_new, good = ts_programs_add_file(set, "tasks/solvers.py", true, NULL, NULL, &t->s);
    strcpy(t->path, "/tmp/tessera-iterate-XXXXXX");
    close(mkstemp(t->path));
    unlink(t->path);
    t->pool = ts_pool_open(t->path, TS_POOL_CREATE, &t->s);
    for (size_t n = 0; planted && t->pool && n < ts_programs_count(set); n++)
        good &= ts_pool_add_program(t->pool, set, n, &(ts_pool_facts){.origin = "test", .pinned = true}, hash,
                                    &is_new, &t->s);
    check(t->k, good && t->pool, "no pool: %s", t->s.message);
    ts_programs_free(set);
}

static void close_pool(Test *t) {
    ts_pool_close(t->pool);
    check_remove_pool(t->path);
}

static ts_iterate *start(Test *t, const ts_iterate_options *options) {
    ts_iterate *loop = ts_iterate_new(t->pool, t->chosen, t->count, options, &t->s);
    check(t->k, loop, "%s", t->s.message);
    return loop;
}

// All programs of the pool with what is known of them.
static char *contents(Test *t) {
    ts_pool_view view = {0};
    Text text = {0};
    check(t->k, ts_pool_load(t->pool, NULL, &view, &t->s), "%s", t->s.message);
    for (size_t n = 0; n < view.count; n++) {
        const ts_pool_entry *e = &view.entries[n];
        text_print(&text, "%s %s %d %s %zu %lld\n%s", e->hash, e->origin, (int)e->round,
                   e->task ? e->task : "", e->wins, (long long)e->score.score, e->text);
    }
    ts_pool_view_free(&view);
    return text_take(&text);
}

// ---- Tests ----

// What a run of this seed leaves behind, made in runs of so many rounds.
static char *after_rounds(Test *t, int rounds, int each) {
    open_pool(t, true);
    ts_iterate *loop = start(t, &(ts_iterate_options){.seed = 5, .rate = 0.05, .threads = 1 + each % 2});
    for (int done = 0; loop && done < rounds; done += each)
        check(t->k, ts_iterate_run(loop, (uint64_t)each, 0, NULL, NULL, &t->s), "%s", t->s.message);
    const ts_iterate_counts n = ts_iterate_count(loop);
    ts_pool_counts held;
    ts_pool_count(t->pool, &held, &t->s);
    check(t->k, n.rounds == (uint64_t)rounds && n.held == held.programs && n.tasks == t->count,
          "%d rounds, holds %zu of %zu", (int)n.rounds, n.held, held.programs);
    check(t->k, n.solved == t->count && n.correct == t->count && n.score == n.most && n.most > 0,
          "%zu solved, %zu correct, score %lld of %lld", n.solved, n.correct, (long long)n.score,
          (long long)n.most);
    ts_iterate_free(loop);
    char *text = contents(t);
    close_pool(t);
    return text;
}

static void test_parts(Test *t) {
    check_begin(t->k, "a run in parts is a run in one go");
    char *whole = after_rounds(t, 12, 12), *parts = after_rounds(t, 12, 3);
    check(t->k, whole && parts && strcmp(whole, parts) == 0, "%s\nis not\n%s", parts, whole);
    free(whole);
    free(parts);
    check_end(t->k);
}

static bool count_calls(void *user, const ts_iterate_counts *counts) {
    int *calls = user;
    return (uint64_t)++ * calls == counts->rounds && *calls < 3;
}

static void test_watch(Test *t) {
    check_begin(t->k, "it is watched after each round, and ends when that says so");
    int calls = 0;
    open_pool(t, false);
    ts_iterate *loop = start(t, &(ts_iterate_options){.threads = 1});
    check(t->k, ts_iterate_run(loop, 0, 0, count_calls, &calls, &t->s), "%s", t->s.message);
    check(t->k, calls == 3 && ts_iterate_count(loop).rounds == 3, "%d calls", calls);
    check(t->k, ts_iterate_count(loop).near > 0 && ts_iterate_count(loop).seconds > 0, "nothing was done");
    ts_iterate_free(loop);
    close_pool(t);
    check_end(t->k);
}

static ts_stop stop;
static bool set_stop(void *user, const ts_iterate_counts *counts) {
    (void)user, (void)counts;
    ts_stop_set(&stop, true);
    return true;
}

static void test_stop(Test *t) {
    check_begin(t->k, "a loop that was stopped goes on");
    open_pool(t, true);
    ts_stop_set(&stop, true);
    ts_iterate *loop = start(t, &(ts_iterate_options){.threads = 1, .stop = &stop});
    check(t->k, ts_iterate_run(loop, 0, 0, NULL, NULL, &t->s), "%s", t->s.message);
    check(t->k, ts_iterate_count(loop).rounds == 0, "it was not stopped");
    ts_stop_set(&stop, false);
    check(t->k, ts_iterate_run(loop, 0, 0, set_stop, NULL, &t->s), "%s", t->s.message);
    check(t->k, ts_iterate_count(loop).rounds == 1, "it was not stopped");
    check(t->k, ts_iterate_count(loop).solved == t->count, "the programs that were there have not been run");
    ts_iterate_free(loop);
    close_pool(t);
    check_end(t->k);
}

// No time at all: the first round has run nothing, so its programs are still to be run.
static void test_no_time(Test *t) {
    check_begin(t->k, "what a round had no time for comes in the next");
    open_pool(t, true);
    ts_iterate *loop = start(t, &(ts_iterate_options){.threads = 1});
    for (int n = 0; n < 1000 && !ts_iterate_count(loop).rounds; n++)
        check(t->k, ts_iterate_run(loop, 0, 1e-5, NULL, NULL, &t->s), "%s", t->s.message);
    check(t->k, ts_iterate_run(loop, 1, 0, NULL, NULL, &t->s), "%s", t->s.message);
    const ts_iterate_counts n = ts_iterate_count(loop);
    check(t->k, n.solved == t->count, "%zu of %zu tasks solved", n.solved, n.tasks);
    for (size_t k = 0; k < t->count; k++) {
        const ts_iterate_found f = ts_iterate_at(loop, k);
        check(t->k, f.winners > 0 && f.correct && f.score == 1000 * t->chosen[k]->demos, "%s",
              t->chosen[k]->id);
    }
    ts_iterate_free(loop);
    close_pool(t);
    check_end(t->k);
}

static void count_reports(void *user, const ts_status *s) {
    (void)s;
    ++*(int *)user;
}

static void test_trouble(Test *t) {
    check_begin(t->k, "what is wrong is said");
    open_pool(t, true);
    int reports = 0;
    const ts_iterate_options good = {.threads = 1, .report = count_reports, .user = &reports};
    for (double rate = -1; rate < 3; rate += 3) {
        ts_iterate *none =
            ts_iterate_new(t->pool, t->chosen, t->count, &(ts_iterate_options){.rate = rate}, &t->s);
        check(t->k, !none && t->s.code == TS_USAGE && t->s.message[0], "a rate of %g", rate);
        ts_iterate_free(none);
    }
    ts_pool_close(t->pool);
    t->pool = ts_pool_open(t->path, TS_POOL_READ, &t->s);
    ts_iterate *loop = start(t, &good);
    check(t->k, !ts_iterate_run(loop, 1, 0, NULL, NULL, &t->s) && strstr(t->s.message, "read"),
          "a pool that may only be read was written");
    check(t->k, ts_iterate_count(loop).rounds == 0 && ts_iterate_count(loop).winners == 0 && !reports,
          "what was not stored counts");
    check(t->k, !ts_iterate_at(loop, 0).winners, "what was not stored is known");
    ts_iterate_free(loop);
    close_pool(t);
    check_end(t->k);
}

// ---- Differs that evolve ----

static const char useless[] = "def differ_useless(S, I, C):\n    x1 = size(C)\n    return astuple(500, x1)\n";
static const char perverse[] = "def differ_perverse(S, I, C):\n"
                               "    x1 = size(ofcolor(cellwise(C, I, NEG_ONE), NEG_ONE))\n"
                               "    return astuple(multiply(x1, 100), x1)\n";

// A name that no file has.
static void free_name(char *path) {
    strcpy(path, "/tmp/tessera-differs-XXXXXX");
    close(mkstemp(path));
    unlink(path);
}

static ts_iterate_differ find_differ(const ts_iterate *loop, const char *name) {
    ts_iterate_evolved e;
    const size_t n = ts_iterate_differs(loop, &e);
    for (size_t k = 0; k < n; k++)
        if (strcmp(ts_iterate_differ_at(loop, k).name, name) == 0) return ts_iterate_differ_at(loop, k);
    return (ts_iterate_differ){.worth = -1};
}

// Takes in cases whose parents are right but for one cell, their rivals but for two or three.
static void feed(Test *t, ts_iterate *loop, int cases) {
    static const signed char black[4] = {0}, wanted[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const signed char near[9] = {0, 1, 1, 1, 1, 1, 1, 1, 1}, far[9] = {0, 0, 1, 1, 1, 1, 1, 1, 1},
                             farther[9] = {0, 0, 0, 1, 1, 1, 1, 1, 1};
    static const ts_sample sample = {.input = {2, 2, black}, .output = {3, 3, wanted}, .has_output = true};
    static const ts_task task = {.id = "cases", .samples = &sample, .demos = 1};
    const ts_grid parent[] = {{3, 3, near}}, rival[] = {{3, 3, far}}, worse[] = {{3, 3, farther}};
    const ts_grid *grids[] = {parent, rival, worse};
    for (int k = 0; loop && k < cases; k++)
        check(t->k, iterate_differs_case(loop, &task, grids, 3), "not enough memory");
}

static void test_worth(Test *t) {
    check_begin(t->k, "a differ is worth what it foretells");
    char path[64];
    ts_programs *differs = ts_programs_new();
    ts_iterate_evolved e;
    check(t->k,
          ts_differs_bundled(differs, &t->s) &&
              ts_differs_add_text(differs, "useless", useless, strlen(useless), &t->s) &&
              ts_differs_add_text(differs, "perverse", perverse, strlen(perverse), &t->s),
          "%s", t->s.message);
    free_name(path);
    open_pool(t, true);
    ts_iterate *loop =
        start(t, &(ts_iterate_options){.threads = 1, .differs = differs, .evolve_differs = path});
    check(t->k, ts_iterate_differs(loop, &e) == 8 && e.cases == 0, "%zu cases", e.cases);
    check(t->k, find_differ(loop, "differ_cells").pairs == 0, "measured without a case");
    feed(t, loop, 200);
    check(t->k, ts_iterate_run(loop, 1, 0, NULL, NULL, &t->s), "%s", t->s.message); // no winner is new
    const ts_iterate_differ good = find_differ(loop, "differ_cells"),
                            none = find_differ(loop, "differ_useless"),
                            bad = find_differ(loop, "differ_perverse");
    check(t->k, ts_iterate_differs(loop, &e) == 8 && e.cases == 128 && e.pairs == 256, "%zu cases, %zu pairs",
          e.cases, e.pairs);
    check(t->k, good.worth == 1 && good.pairs == 256 && good.used && good.first, "the cells: %g", good.worth);
    check(t->k, none.worth == 0.5, "the useless one: %g", none.worth);
    check(t->k, bad.worth == 0, "the perverse one: %g", bad.worth);
    check(t->k, e.worth_first == e.worth_used && e.worth_first > 0.5, "the set: %g", e.worth_first);
    // A set that is better by cases that it was not picked by is used, and is what the file has then.
    check(t->k, ts_iterate_run(loop, 64, 0, NULL, NULL, &t->s), "%s", t->s.message);
    ts_programs *file = ts_programs_new();
    check(t->k, ts_differs_add_file(file, path, &t->s), "%s", t->s.message);
    size_t used = 0;
    for (size_t k = 0, n = ts_iterate_differs(loop, &e); k < n; k++)
        used += ts_iterate_differ_at(loop, k).used;
    check(t->k, e.worth_used >= e.worth_first, "%g in use, %g before", e.worth_used, e.worth_first);
    check(t->k, ts_programs_count(file) == used && used > 0, "%zu in the file, %zu in use",
          ts_programs_count(file), used);
    ts_programs_free(file);
    ts_iterate_free(loop);
    ts_programs_free(differs);
    close_pool(t);
    unlink(path);
    check_end(t->k);
}

// Puts programs into the pool that are one mutation away from solving a bundled task.
static void add_mutants(Test *t) {
    ts_programs *set = ts_programs_new();
    char hash[17];
    bool is_new, good = ts_programs_add_file(set, "tasks/solvers.py", true, NULL, NULL, &t->s);
    const ts_card_options options = {.count = 60, .seed = 1, .kinds = TS_MUTATIONS_CLASSIC};
    ts_card *card = good ? ts_card_new(set, NULL, &options, &t->s) : NULL;
    for (size_t n = 0; card && n < ts_programs_count(ts_card_programs(card)); n++)
        good &= ts_pool_add_program(t->pool, ts_card_programs(card), n, &(ts_pool_facts){.origin = "test"},
                                    hash, &is_new, &t->s);
    check(t->k, good && card, "no mutants: %s", t->s.message);
    ts_card_free(card);
    ts_programs_free(set);
}

// What the file and the pool have after rounds from mutants, made in runs of so many rounds.
static char *evolved(Test *t, int rounds, int each, int threads) {
    char path[64];
    Text text = {0};
    ts_iterate_evolved e;
    free_name(path);
    open_pool(t, false);
    add_mutants(t);
    ts_iterate *loop = start(
        t,
        &(ts_iterate_options){.seed = 3, .strategy = TS_CARDS, .threads = threads, .evolve_differs = path});
    feed(t, loop, 30);
    for (int done = 0; loop && done < rounds; done += each)
        check(t->k, ts_iterate_run(loop, (uint64_t)each, 0, NULL, NULL, &t->s), "%s", t->s.message);
    const size_t n = ts_iterate_differs(loop, &e);
    text_print(&text, "%zu cases, %zu pairs, %g %g\n", e.cases, e.pairs, e.worth_first, e.worth_used);
    for (size_t k = 0; k < n; k++) {
        const ts_iterate_differ d = ts_iterate_differ_at(loop, k);
        text_print(&text, "%s %g %zu %d: %s\n%s", d.name, d.worth, d.pairs, d.used, d.origin, d.text);
    }
    check(t->k, e.cases > 30 && n > 6, "%zu cases, %zu differs: nothing has evolved", e.cases, n);
    check(t->k, text_read_file(&text, path, &t->s), "%s", t->s.message);
    char *pool = contents(t);
    text_add(&text, pool);
    free(pool);
    ts_iterate_free(loop);
    close_pool(t);
    unlink(path);
    return text_take(&text);
}

static void test_evolved(Test *t) {
    check_begin(t->k, "differs evolve the same on any number of threads, in parts or in one go");
    char *whole = evolved(t, 130, 130, 1), *parts = evolved(t, 130, 26, 2);
    check(t->k, whole && parts && strcmp(whole, parts) == 0, "%s\nis not\n%s", parts, whole);
    free(whole);
    free(parts);
    check_end(t->k);
}

// Whether a program still has a score on a task.
typedef struct {
    const char *task;
    bool is_there;
} Alive;

static void look_at_score(void *user, const char *task, const ts_pool_score *score) {
    Alive *a = user;
    (void)score;
    a->is_there |= strcmp(task, a->task) == 0;
}

// How many near-winners there are that may be parents; each is in the pool as one.
static size_t check_parents(Test *t, const ts_iterate *loop) {
    size_t count = 0;
    for (size_t task = 0; task < t->count; task++)
        for (size_t n = 0; n < loop->known[task].near_count; n++, count++) {
            Alive alive = {.task = t->chosen[task]->id};
            char hash[17];
            snprintf(hash, sizeof hash, "%016llx", (unsigned long long)loop->known[task].near[n].hash);
            ts_pool_scores(t->pool, hash, look_at_score, &alive, &t->s);
            check(t->k, alive.is_there, "%s has gone from %s, and is a parent", hash, alive.task);
        }
    return count;
}

static void test_parents(Test *t) {
    check_begin(t->k, "what the pool has dropped is no parent");
    open_pool(t, false);
    ts_iterate *loop = start(t, &(ts_iterate_options){.threads = 1, .strategy = TS_CARDS, .seed = 1});
    for (int n = 0; loop && n < 12; n++) {
        check(t->k, ts_iterate_run(loop, 4, 0, NULL, NULL, &t->s), "%s", t->s.message);
        check(t->k, archive_refresh(loop, &t->s), "%s", t->s.message); // what the last round has stored
        check(t->k, check_parents(t, loop) > t->count, "hardly any parents");
    }
    ts_iterate_free(loop);
    close_pool(t);
    check_end(t->k);
}

static void test_unreadable(Test *t) {
    check_begin(t->k, "a pool of which nothing can be read is planted");
    for (int strategy = TS_EVOLVE; strategy <= TS_BLIND; strategy++) {
        open_pool(t, true);
        sqlite3 *db = NULL;
        static const char spoil[] = "UPDATE program SET text = replace(text, 'return', 'returns')";
        check(t->k,
              sqlite3_open(t->path, &db) == SQLITE_OK &&
                  sqlite3_exec(db, spoil, NULL, NULL, NULL) == SQLITE_OK,
              "%s", sqlite3_errmsg(db));
        sqlite3_close(db);
        ts_iterate *loop = start(t, &(ts_iterate_options){.threads = 1, .strategy = (ts_strategy)strategy});
        check(t->k, loop && ts_iterate_run(loop, 3, 0, NULL, NULL, &t->s), "%s", t->s.message);
        check(t->k, ts_iterate_count(loop).tried > 20, "nothing was tried");
        ts_iterate_free(loop);
        close_pool(t);
    }
    check_end(t->k);
}

// So many programs that the view is loaded anew once they have gone.
static void test_pruned(Test *t) {
    check_begin(t->k, "a loop whose pool is emptied by others goes on");
    for (int strategy = TS_EVOLVE; strategy <= TS_BLIND; strategy++) {
        Text text = {0};
        ts_programs *set = ts_programs_new();
        char hash[17];
        bool is_new, good = true;
        size_t gone = 0;
        open_pool(t, false);
        for (int n = 0; n < 1200; n++)
            text_print(&text, "def solve_%d(I):\n    return fill(I, %d, {(%d, %d)})\n", n, n % 10,
                       n / 10 % 10, n / 100);
        good = ts_programs_add_text(set, "many", text.data, text.length, true, NULL, NULL, &t->s) &&
               ts_pool_begin(t->pool, &t->s);
        for (size_t n = 0; good && n < ts_programs_count(set); n++)
            good = ts_pool_add_program(t->pool, set, n, &(ts_pool_facts){.origin = "test", .pinned = true},
                                       hash, &is_new, &t->s);
        check(t->k, good && ts_pool_commit(t->pool, &t->s), "%s", t->s.message);
        ts_iterate *loop = start(t, &(ts_iterate_options){.threads = 1, .strategy = (ts_strategy)strategy});
        const ts_pool_cut all = {.winners = 0, .near = 0, .lines = -1, .unscored = true};
        check(t->k, ts_pool_prune(t->pool, &all, &gone, &t->s) && gone == 1200, "%zu gone", gone);
        check(t->k, ts_iterate_run(loop, 4, 0, NULL, NULL, &t->s), "%s", t->s.message);
        check(t->k, loop->view.count < 1200 && loop->originals > 0 && loop->originals <= loop->source_count,
              "%zu of %zu are originals", loop->originals, loop->source_count);
        ts_iterate_free(loop);
        ts_programs_free(set);
        text_free(&text);
        close_pool(t);
    }
    check_end(t->k);
}

// A loop that has dealt everything which another one deals, and of which nothing was stored.
static void test_exhausted(Test *t) {
    check_begin(t->k, "where mutants are known already, programs are grown");
    open_pool(t, false);
    ts_pool_set_near(t->pool, 0, 0);
    const ts_task *hard = ts_tasks_find(t->tasks, "seesaw");
    ts_iterate_options options = {.threads = 1, .programs = 2, .strategy = TS_CARDS};
    for (int n = 0; n < 2; n++) {
        ts_iterate *loop = ts_iterate_new(t->pool, &hard, 1, &options, &t->s);
        check(t->k, loop && ts_iterate_run(loop, 400, 0, NULL, NULL, &t->s), "%s", t->s.message);
        const ts_iterate_counts c = ts_iterate_count(loop);
        check(t->k, n == 0 || (c.tried < 100 && !c.winners), "%zu were dealt twice", c.tried);
        check(t->k, n == 0 || loop->known[0].visits > 1, "grown %u times", loop->known[0].visits);
        ts_iterate_free(loop);
        options.strategy = TS_EVOLVE;
    }
    close_pool(t);
    check_end(t->k);
}

int main(void) {
    Checks k = {0};
    Test t = {.k = &k};
    t.tasks = ts_tasks_read("tasks", NULL, false, NULL, NULL, &t.s);
    if (!t.tasks) return 1;
    t.count = ts_tasks_count(t.tasks);
    t.chosen = calloc(t.count, sizeof *t.chosen);
    for (size_t n = 0; t.chosen && n < t.count; n++) t.chosen[n] = ts_tasks_at(t.tasks, n);
    test_parts(&t);
    test_watch(&t);
    test_stop(&t);
    test_no_time(&t);
    test_trouble(&t);
    test_worth(&t);
    test_evolved(&t);
    test_parents(&t);
    test_unreadable(&t);
    test_pruned(&t);
    test_exhausted(&t);
    free(t.chosen);
    ts_tasks_free(t.tasks);
    return check_summary(&k);
}
