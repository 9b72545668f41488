// The loop as a library: a run in parts is a run in one go, ends where it is told to, and a loop that was
// stopped or has failed goes on.
//
//     build/obj/tests/iterate
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "check.h"

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
    static const char *const ends[] = {"", "-wal", "-shm"};
    char name[80];
    ts_pool_close(t->pool);
    for (int n = 0; n < 3; n++) {
        snprintf(name, sizeof name, "%s%s", t->path, ends[n]);
        unlink(name);
    }
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
    free(t.chosen);
    ts_tasks_free(t.tasks);
    return check_summary(&k);
}
