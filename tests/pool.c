// The pool against a plain list of what it should hold, and its odd cases.
//     pool [SEED [SEEDS]]      the tests
//     pool work PATH SEED      stores programs for ever, for tests/pool.py to kill: after each commit a line
//                              with the hash of each solver in it
//     pool read PATH           how many programs it has, and once more after a line from stdin
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/text.h"
#include "check.h"

enum { TASKS = 5, NEAR = 4, LINES = 8 };

// A program of so many lines that no other number gives.
static bool add_numbered(ts_programs *programs, uint64_t number, unsigned lines, ts_status *s) {
    Text t = {0};
    text_print(&t, "def solve(I):\n    x0 = replace(I, 0, %llu)\n", (unsigned long long)number);
    for (unsigned k = 1; k < lines; k++) text_print(&t, "    x%u = replace(x%u, 1, %u)\n", k, k - 1, k + 10);
    text_print(&t, "    return x%u\n", lines - 1);
    bool good = !t.failed && ts_programs_add_text(programs, "", t.data, t.length, true, NULL, NULL, s);
    text_free(&t);
    return good;
}

// ---- A folder for the pools of the tests ----

static char folder[] = "/tmp/tessera-pool-XXXXXX";

static const char *path_of(const char *name) {
    static char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_pool(const char *name) { check_remove_pool(path_of(name)); }

// One number from the file itself, by SQL.
static long long ask(const char *sql) {
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    long long number = -1;
    if (sqlite3_open(path_of("p"), &db) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
        number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return number;
}

// ---- Against a plain list ----

typedef struct {
    char hash[17];
    int task; // -1 for a program without a score
    bool solved, pinned, gone;
    int64_t score;
    size_t size;
    uint64_t behaviour;
} Plain; // one score

typedef struct {
    Plain rows[4000];
    size_t count;
} Model;

static bool better(const Plain *a, const Plain *b) {
    if (a->score != b->score) return a->score > b->score;
    if (a->size != b->size) return a->size < b->size;
    return strcmp(a->hash, b->hash) < 0;
}

// Whether another near-winner of the task does the same and is shorter.
static bool is_again(const Model *m, const Plain *r) {
    for (size_t k = 0; r->behaviour && k < m->count; k++) {
        const Plain *o = &m->rows[k];
        if (o->task != r->task || o->gone || o->solved || o->behaviour != r->behaviour) continue;
        if (o->size < r->size || (o->size == r->size && better(o, r))) return true;
    }
    return false;
}

// Whether a near-winner is among the best of its task.
static bool stays(const Model *m, const Plain *r) {
    size_t ahead = 0;
    for (size_t k = 0; k < m->count; k++) {
        const Plain *o = &m->rows[k];
        ahead += o->task == r->task && !o->gone && !o->solved && o->size <= LINES && !is_again(m, o) &&
                 better(o, r);
    }
    return r->size <= LINES && ahead < NEAR && !is_again(m, r);
}

static bool has_behaviour(const Model *m, const Plain *r) {
    for (size_t k = 0; r->behaviour && k < m->count; k++) {
        const Plain *o = &m->rows[k];
        if (o->task == r->task && !o->gone && !o->solved && o->behaviour == r->behaviour &&
            o->size <= r->size)
            return true;
    }
    return false;
}

// Whether a near-winner would be better than the worst that its task has, or finds room; ties do not count.
static bool is_wanted(const Model *m, const Plain *r) {
    size_t as_good = 0;
    for (size_t k = 0; k < m->count; k++) {
        const Plain *o = &m->rows[k];
        bool worse = o->score < r->score || (o->score == r->score && o->size > r->size);
        as_good += o->task == r->task && !o->gone && !o->solved && !worse;
    }
    return r->size <= LINES && as_good < NEAR;
}

static size_t programs_in(const Model *m) {
    size_t n = 0;
    for (size_t k = 0; k < m->count; k++) {
        if (m->rows[k].gone && !m->rows[k].pinned) continue;
        bool seen = false;
        for (size_t o = 0; o < k && !seen; o++)
            seen = (!m->rows[o].gone || m->rows[o].pinned) && strcmp(m->rows[o].hash, m->rows[k].hash) == 0;
        n += !seen;
    }
    return n;
}

static void model_add(Model *m, const Plain *row) {
    for (size_t k = 0; k < m->count; k++) // the same program and task again
        if (m->rows[k].task == row->task && strcmp(m->rows[k].hash, row->hash) == 0 && !m->rows[k].gone) {
            m->rows[k].gone = true;
        }
    m->rows[m->count++] = *row;
    bool out[sizeof m->rows / sizeof *m->rows] = {false};
    for (size_t k = 0; k < m->count; k++)
        out[k] =
            m->rows[k].task == row->task && !m->rows[k].gone && !m->rows[k].solved && !stays(m, &m->rows[k]);
    for (size_t k = 0; k < m->count; k++) m->rows[k].gone |= out[k];
}

static const char *task_name(int task) {
    static char name[20];
    snprintf(name, sizeof name, "task-%d", task);
    return name;
}

// What a program does on a task is the same each time that it is asked: few things, each with its score.
static void behave(Plain *row, unsigned number) {
    unsigned deed = (number * 7 + (unsigned)row->task * 13) % 25;
    row->solved = deed == 0;
    row->score = row->solved ? 3000 : deed * 100;
    row->behaviour = deed == 1 ? 0 : deed + 1;
}

// Stores one random program with a score, in the pool and in the list.
static bool add_random(Checks *c, ts_pool *pool, Model *m, Rng *rng, bool behaves) {
    ts_status s = {0};
    ts_programs *programs = ts_programs_new();
    unsigned number = rng_below(rng, 300), lines = 1 + number % (LINES + 2);
    Plain row = {.task = (int)rng_below(rng, TASKS), .pinned = number % 7 == 0, .size = lines};
    row.solved = rng_below(rng, 5) == 0;
    row.score = rng_below(rng, 30) * 100;
    if (behaves) behave(&row, number);
    bool is_new, kept = false, good = programs && add_numbered(programs, number, lines, &s);
    ts_pool_facts facts = {"test", .units = number, .pinned = row.pinned};
    ts_pool_score score = {row.solved ? 3 : 2, 3, 0, 1, row.score, number, row.behaviour, number};
    good = good && ts_pool_add_program(pool, programs, 0, &facts, row.hash, &is_new, &s);
    bool wanted = ts_pool_wants(pool, task_name(row.task), row.score, row.size);
    check(c, wanted == is_wanted(m, &row), "wanted is %d", wanted);
    // One that has gone, for its score, may be remembered: who does the same is not wanted either.
    bool has = ts_pool_has_behaviour(pool, task_name(row.task), row.behaviour, row.size);
    check(c, has_behaviour(m, &row) ? has : !has || !wanted, "has_behaviour is %d", has);
    good = good && ts_pool_add_score(pool, row.hash, task_name(row.task), &score, &kept, &s);
    check(c, good, "cannot add: %s", s.message);
    model_add(m, &row);
    check(c, kept == !m->rows[m->count - 1].gone, "kept is %d", kept);
    ts_programs_free(programs);
    return good;
}

static void compare(Checks *c, ts_pool *pool, const Model *m) {
    ts_status s = {0};
    ts_pool_counts counts = {0};
    check(c, ts_pool_count(pool, &counts, &s), "%s", s.message);
    check(c, counts.programs == programs_in(m), "%zu programs, not %zu", counts.programs, programs_in(m));
    for (int task = 0; task < TASKS; task++) {
        ts_pool_view view = {0};
        const ts_pool_query query = {.task = task_name(task)};
        check(c, ts_pool_load(pool, &query, &view, &s), "%s", s.message);
        size_t wanted = 0;
        for (size_t k = 0; k < m->count; k++) {
            const Plain *r = &m->rows[k];
            if (r->gone || r->task != task) continue;
            wanted++;
            bool found = false;
            for (size_t e = 0; e < view.count && !found; e++)
                found = strcmp(view.entries[e].hash, r->hash) == 0 &&
                        view.entries[e].score.score == r->score && (view.entries[e].wins == 1) == r->solved &&
                        view.entries[e].size == r->size && view.entries[e].score.behaviour == r->behaviour &&
                        view.entries[e].score.answers == view.entries[e].units;
            check(c, found, "%s is not there for task %d", r->hash, task);
        }
        check(c, view.count == wanted, "%zu programs for task %d, not %zu", view.count, task, wanted);
        ts_pool_view_free(&view);
    }
}

// With an odd seed what behaves alike is kept once; with an even one a program may do better the next time.
static void test_against_list(Checks *c, uint64_t seed) {
    ts_status s = {0};
    Rng rng = {seed};
    Model *m = calloc(1, sizeof *m);
    check_begin(c, "a pool and a plain list");
    remove_pool("p");
    // Two connections as of two processes, one or the other in each round.
    ts_pool *pools[] = {ts_pool_open(path_of("p"), TS_POOL_CREATE, &s),
                        ts_pool_open(path_of("p"), TS_POOL_CREATE, &s)};
    Model *before = calloc(1, sizeof *before);
    check(c, pools[0] && pools[1] && m && before, "%s", s.message);
    for (int k = 0; k < 2 && !c->bad; k++) ts_pool_set_near(pools[k], NEAR, LINES);
    for (int round = 0; round < 20 && !c->bad; round++) {
        ts_pool *pool = pools[rng_below(&rng, 2)];
        *before = *m;
        check(c, ts_pool_begin(pool, &s), "%s", s.message);
        for (int k = 0; k < 20 && !c->bad; k++) add_random(c, pool, m, &rng, seed % 2);
        if (rng_below(&rng, 4) == 0) {
            ts_pool_rollback(pool);
            *m = *before;
        } else check(c, ts_pool_commit(pool, &s), "%s", s.message);
        compare(c, pool, m);
    }
    ts_pool_close(pools[0]);
    ts_pool_close(pools[1]);
    free(before);
    free(m);
    check_end(c);
}

// ---- Odd cases ----

static void test_same_program(Checks *c) {
    static const char text[] = "def solve_a(I):\n    return vmirror(hmirror(I))\n"
                               "def solve_b(I):\n    x = hmirror(I)\n    y = vmirror(x)\n    return y\n";
    ts_status s = {0};
    char first[17], second[17], plain[17];
    bool is_new = false, known_is_new = true;
    check_begin(c, "one program under two names");
    remove_pool("p");
    ts_pool *pool = ts_pool_open(path_of("p"), TS_POOL_CREATE, &s);
    ts_programs *programs = ts_programs_new();
    bool good =
        pool && programs && ts_programs_add_text(programs, "", text, sizeof text - 1, true, NULL, NULL, &s);
    good = good &&
           ts_pool_add_program(pool, programs, 0, &(ts_pool_facts){"x", .units = 5}, first, &is_new, &s) &&
           ts_pool_add_program(pool, programs, 1, &(ts_pool_facts){"y", .units = 7, .pinned = true}, second,
                               &known_is_new, &s) &&
           ts_programs_hash(programs, 1, plain);
    check(c, good, "%s", s.message);
    check(c, is_new && !known_is_new && strcmp(first, second) == 0 && strcmp(first, plain) == 0,
          "not the same");
    ts_pool_close(pool);
    check(c, ask("SELECT count(*) FROM program WHERE name = 'solve_a' AND origin = 'x'") == 1,
          "not the first one's facts");
    check(c, ask("SELECT units FROM program") == 7 && ask("SELECT pinned FROM program") == 1, "units or pin");
    ts_programs_free(programs);
    check_end(c);
}

// A row whose text is not what its hash says: the program that has the hash cannot be stored.
static void test_clash(Checks *c) {
    ts_status s = {0};
    char hash[17];
    bool is_new;
    int problems = 0;
    check_begin(c, "two programs with one hash");
    remove_pool("p");
    ts_pool *pool = ts_pool_open(path_of("p"), TS_POOL_CREATE, &s);
    ts_programs *programs = ts_programs_new();
    bool good = pool && programs && add_numbered(programs, 1, 3, &s) &&
                ts_pool_add_program(pool, programs, 0, &(ts_pool_facts){"x"}, hash, &is_new, &s);
    check(c, good, "%s", s.message);
    ask("UPDATE program SET text = replace(text, 'replace', 'switch') RETURNING id");
    check(c, good && !ts_pool_add_program(pool, programs, 0, &(ts_pool_facts){"x"}, hash, &is_new, &s),
          "merged");
    check(c, s.code == TS_INPUT && strstr(s.message, hash), "says '%s'", s.message);
    ts_pool_view view = {0};
    check(c,
          good && ts_pool_load(pool, NULL, &view, &s) &&
              ts_pool_read(pool, &view, NULL, 0, NULL, &problems, &s),
          "%s", s.message);
    check(c, view.count == 1 && view.entries[0].program < 0, "a text with another hash is read");
    ts_pool_view_free(&view);
    ts_pool_close(pool);
    ts_programs_free(programs);
    check_end(c);
}

static void count_report(void *user, const ts_status *problem) {
    *(int *)user += problem->code == TS_INPUT && strstr(problem->message, "returns nothing");
}

// A view that is loaded again has what came since, from another connection too; bad texts are left out.
static void test_view(Checks *c) {
    enum { PROGRAMS = 30 };
    ts_status s = {0};
    int problems = 0;
    bool is_new, good = true;
    char hash[17];
    check_begin(c, "a view grows");
    remove_pool("p");
    ts_pool *pool = ts_pool_open(path_of("p"), TS_POOL_CREATE, &s);
    ts_pool *other = ts_pool_open(path_of("p"), TS_POOL_READ, &s);
    ts_programs *programs = ts_programs_new();
    ts_pool_view view = {0};
    const size_t which[] = {3, 1, 3};
    check(c, pool && other && programs, "%s", s.message);
    for (unsigned k = 0; k < PROGRAMS && !c->bad; k++) {
        good = add_numbered(programs, k, 1 + k % 4, &s) &&
               ts_pool_add_program(pool, programs, k, &(ts_pool_facts){"x"}, hash, &is_new, &s) &&
               (k % 10 != 9 || ts_pool_load(other, NULL, &view, &s));
        check(c, good, "%s", s.message);
        if (k % 10 == 9) check(c, view.count == k + 1, "%zu programs after %u", view.count, k + 1);
    }
    if (!c->bad) {
        check(c, ts_pool_read(other, &view, which, 3, count_report, &problems, &s), "%s", s.message);
        check(c,
              ts_programs_count(view.programs) == 2 && view.entries[1].program >= 0 &&
                  view.entries[0].program < 0,
              "not those that were asked for");
        // Its hash is right, but it is no program: a stranger may have made the file.
        check(c,
              ask("UPDATE program SET text = 'def solve(I):' || char(10), hash = '20a0d82196596c07'"
                  " WHERE id = 5 RETURNING id") == 5,
              "no program 5");
        ts_pool_view_free(&view);
        check(c,
              ts_pool_load(other, NULL, &view, &s) &&
                  ts_pool_read(other, &view, NULL, 0, count_report, &problems, &s),
              "%s", s.message);
        check(c, problems == 1 && ts_programs_count(view.programs) == PROGRAMS - 1, "%d problems", problems);
        for (size_t k = 0; k < view.count; k++) {
            char own[17] = "";
            if (view.entries[k].program < 0) continue;
            ts_programs_hash(view.programs, (size_t)view.entries[k].program, own);
            check(c, strcmp(own, view.entries[k].hash) == 0, "program %zu is not its entry's", k);
        }
    }
    ts_pool_view_free(&view);
    ts_programs_free(programs);
    ts_pool_close(other);
    ts_pool_close(pool);
    check_end(c);
}

// Rows that may not be are refused, and leave nothing behind.
static void test_refused(Checks *c) {
    static const ts_pool_score bad[] = {{4, 3, 0, 0, 0, 0},  {0, 0, 0, 0, 0, 0},    {1, 3, 2, 1, 0, 0},
                                        {1, 3, 0, 0, -1, 0}, {1, 3, 0, 0, 3001, 0}, {-1, 3, 0, 0, 0, 0}};
    ts_status s = {0};
    bool is_new, kept;
    char hash[17];
    check_begin(c, "scores that cannot be");
    remove_pool("p");
    ts_pool *pool = ts_pool_open(path_of("p"), TS_POOL_CREATE, &s);
    ts_programs *programs = ts_programs_new();
    check(c,
          pool && programs && add_numbered(programs, 1, 1, &s) &&
              ts_pool_add_program(pool, programs, 0, &(ts_pool_facts){"x"}, hash, &is_new, &s),
          "%s", s.message);
    for (size_t k = 0; k < sizeof bad / sizeof *bad && !c->bad; k++)
        check(c, !ts_pool_add_score(pool, hash, "t", &bad[k], &kept, &s) && s.code == TS_USAGE,
              "score %zu is taken", k);
    check(c, !c->bad && !ts_pool_add_score(pool, "0123456789abcdef", "t", &(ts_pool_score){1, 1}, &kept, &s),
          "a score of no program is taken");
    check(c, !c->bad && ts_pool_add_score(pool, hash, "t", &(ts_pool_score){1, 1}, &kept, &s), "%s",
          s.message);
    ts_pool_close(pool);
    check(c, ask("SELECT count(*) FROM score") == 1, "more than the good one");
    ts_programs_free(programs);
    check_end(c);
}

// What is known of single demos comes out as it went in, and stays where a score comes again without it.
static void test_each_demo(Checks *c) {
    enum { DEMOS = 40 };
    ts_status s = {0};
    bool is_new, kept;
    char hash[17];
    check_begin(c, "single demos");
    remove_pool("p");
    ts_pool *pool = ts_pool_open(path_of("p"), TS_POOL_CREATE, &s);
    ts_programs *programs = ts_programs_new();
    ts_pool_score score = {.demos_right = 2, .demos = DEMOS, .score = 9000, .each = true};
    score.behaviour = 0xFEDCBA9876543210;
    score.answers = 5;
    score.right_on = 1U << 30 | 1;
    for (int k = 0; k < TS_POOL_DEMOS; k++) score.points[k] = (uint16_t)(k * 33);
    const ts_pool_score plain = {.demos_right = 3, .demos = DEMOS, .score = 9100};
    ts_pool_view views[2] = {{0}};
    bool good = pool && programs && add_numbered(programs, 1, 1, &s) &&
                ts_pool_add_program(pool, programs, 0, &(ts_pool_facts){"x"}, hash, &is_new, &s);
    for (int k = 0; good && k < 2; k++)
        good = ts_pool_add_score(pool, hash, "t", k ? &plain : &score, &kept, &s) &&
               ts_pool_load(pool, NULL, &views[k], &s);
    check(c, good, "%s", s.message);
    for (int k = 0; good && k < 2; k++) {
        const ts_pool_score *got = &views[k].entries[0].score;
        check(c, got->score == (k ? 9100 : 9000) && got->behaviour == score.behaviour && got->answers == 5,
              "%d: other hashes", k);
        check(c, got->each && got->right_on == score.right_on, "%d: right on %x", k, got->right_on);
        check(c, memcmp(got->points, score.points, sizeof score.points) == 0, "%d: other points", k);
    }
    score.points[3] = 1001;
    check(c, good && !ts_pool_add_score(pool, hash, "t", &score, &kept, &s) && s.code == TS_USAGE,
          "1001 points are taken");
    score.points[3] = 0;
    score.right_on = 1U << 31;
    check(c, good && !ts_pool_add_score(pool, hash, "t", &score, &kept, &s) && s.code == TS_USAGE,
          "demo 32 is taken");
    for (int k = 0; k < 2; k++) ts_pool_view_free(&views[k]);
    ts_pool_close(pool);
    ts_programs_free(programs);
    check_end(c);
}

static void test_digest(Checks *c) {
    const signed char cells[] = {1, 2, 3, 4, 5, 6};
    const ts_grid grids[] = {{2, 3, cells}, {3, 2, cells}, {2, 2, cells}, {1, 1, cells}, {0}};
    check_begin(c, "digests");
    uint64_t all[25];
    for (int k = 0; k < 25; k++) {
        all[k] = ts_grid_digest(ts_grid_digest(0, grids[k / 5]), grids[k % 5]);
        for (int o = 0; o < k; o++) check(c, all[o] != all[k], "%d and %d are one", o, k);
    }
    // In files: it may not change.
    check(c, all[0] == 0x10e4db56d1f773ad, "%llx", (unsigned long long)all[0]);
    check_end(c);
}

// What the last task line says, and the shortest winner.
static void take_task(void *user, const ts_pool_task *task) { *(ts_pool_task *)user = *task; }

static void test_shortest(Checks *c) {
    ts_status s = {0};
    bool is_new, kept, good = true;
    char hash[17];
    ts_pool_task task = {0};
    check_begin(c, "the shortest winner");
    remove_pool("p");
    ts_pool *pool = ts_pool_open(path_of("p"), TS_POOL_CREATE, &s);
    ts_programs *programs = ts_programs_new();
    check(c, pool && programs, "%s", s.message);
    for (unsigned k = 0; k < 3 && good && !c->bad; k++) { // the second and third solve it
        const ts_pool_score score = {.demos_right = k ? 2 : 1, .demos = 2, .score = 1500};
        good = add_numbered(programs, k, k ? 7 - k : 2, &s) &&
               ts_pool_add_program(pool, programs, k, &(ts_pool_facts){"x"}, hash, &is_new, &s) &&
               ts_pool_add_score(pool, hash, "a", &score, &kept, &s) &&
               ts_pool_tasks(pool, take_task, &task, &s);
        check(c, good && task.shortest == (k ? 7 - k : 0), "%u: %zu lines %s", k, task.shortest, s.message);
    }
    ts_programs_free(programs);
    ts_pool_close(pool);
    check_end(c);
}

// ---- Confidence ----

typedef struct {
    unsigned lines;
    const char *origin; // with * for the hash of the first one
    uint64_t answers;
} Winner;

// Stores them as winners of a task; the confidence in the first, and the number of lines of the best.
static double weigh(Checks *c, const Winner *winners, size_t count, size_t *best) {
    ts_status s = {0};
    bool is_new, kept, good = true;
    char first[17] = "", hash[17], origin[100];
    double confidence = 0;
    remove_pool("p");
    ts_pool *pool = ts_pool_open(path_of("p"), TS_POOL_CREATE, &s);
    ts_programs *programs = ts_programs_new();
    for (unsigned k = 0; good && k < count; k++) {
        const ts_pool_score score = {2, 2, .score = 2000, .answers = winners[k].answers};
        const char *star = strchr(winners[k].origin, '*');
        snprintf(origin, sizeof origin, "%.*s%s%s", star ? (int)(star - winners[k].origin) : 99,
                 winners[k].origin, star ? first : "", star ? star + 1 : "");
        good = pool && programs && add_numbered(programs, k + 1, winners[k].lines, &s) &&
               ts_pool_add_program(pool, programs, k, &(ts_pool_facts){origin}, hash, &is_new, &s) &&
               ts_pool_add_score(pool, hash, "t", &score, &kept, &s);
        if (k == 0) memcpy(first, hash, sizeof first);
    }
    ts_pool_view view = {0};
    good = good && ts_pool_load(pool, &(ts_pool_query){.best_first = true}, &view, &s);
    check(c, good && view.count == count, "%s", s.message);
    for (size_t k = 0; k < view.count; k++)
        if (strcmp(view.entries[k].hash, first) == 0) confidence = view.entries[k].score.confidence;
    if (best) *best = view.count ? view.entries[0].size : 0;
    ts_pool_view_free(&view);
    ts_programs_free(programs);
    ts_pool_close(pool);
    return confidence;
}

// What each of two winners says about the first. Programs of one length differ in constants alone.
static void test_confidence(Checks *c) {
    enum { SAME, MORE, LESS };
    static const struct {
        Winner winners[2];
        int than_alone;
    } cases[] = {
        {{{2, "import a", 5}, {3, "import a", 5}}, MORE},
        {{{2, "import a", 5}, {2, "import a", 5}}, SAME}, // but for constants
        {{{2, "import a", 5}, {3, "mutation of *: line 1", 5}}, SAME},
        {{{2, "part of 0123456789abcdef", 5}, {3, "mutation of 0123456789abcdef: line 1", 5}}, SAME},
        {{{2, "part of 0123456789abcdef", 5}, {3, "mutation of 0123456789abcdee: line 1", 5}}, MORE},
        {{{2, "part of 0123456789abcdef", 5}, {3, "chain of 1111111111111111 and 0123456789abcdef", 5}},
         SAME},
        {{{2, "solve draw", 5}, {3, "solve draw", 5}}, SAME},
        {{{2, "solve draw", 5}, {3, "solve lines", 5}}, MORE},
        {{{2, "import a", 5}, {3, "import a", 6}}, LESS},
        {{{2, "import a", 5}, {3, "mutation of *: line 1", 6}}, LESS},
        {{{2, "import a", 5}, {3, "import a", 0}}, SAME}, // it is not known what it gives
    };
    check_begin(c, "confidence");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double alone = weigh(c, cases[k].winners, 1, NULL), both = weigh(c, cases[k].winners, 2, NULL);
        const int than_alone = both > alone ? MORE : both < alone ? LESS : SAME;
        check(c, alone > 0.5 && alone < 1 && both < 1 && than_alone == cases[k].than_alone,
              "case %zu: %g alone, %g with another", k, alone, both);
    }
    size_t best = 0;
    const Winner many[] = {{1, "a", 1}, {2, "b", 2}, {3, "c", 2}, {4, "d", 2}};
    check(c, weigh(c, many, 4, &best) < 0.5 && best == 2, "the best has %zu lines", best);
    const Winner unknown[] = {{3, "a", 0}, {1, "b", 0}};
    check(c, weigh(c, unknown, 1, &best) > weigh(c, unknown, 2, &best) && best == 1, "not the shortest");
    check_end(c);
}

// ---- What was dealt ----

// Two connections and a plain list; rounds that are rolled back; the oldest go.
static void test_dealt(Checks *c, uint64_t seed) {
    enum { MOST = 4000, KEYS = 12000, ROUNDS = 300, A_ROUND = 60 };
    ts_status s = {0};
    Rng rng = {seed};
    int order[KEYS] = {0}; // when a key was noted; 0: never
    int noted = 0, dropped = 0;
    check_begin(c, "what was dealt");
    remove_pool("p");
    ts_pool *pools[2] = {0};
    for (int k = 0; k < 2; k++) {
        pools[k] = ts_pool_open(path_of("p"), TS_POOL_CREATE, &s);
        check(c, pools[k], "%s", s.message);
        if (pools[k]) ts_pool_set_dealt(pools[k], MOST);
    }
    for (int round = 0; round < ROUNDS && !c->bad; round++) {
        const int which = (int)rng_below(&rng, 2);
        uint64_t keys[A_ROUND];
        bool known[A_ROUND], roll_back = rng_below(&rng, 5) == 0;
        if (round == ROUNDS / 2) { // a process that starts now knows no less
            ts_pool_close(pools[which]);
            pools[which] = ts_pool_open(path_of("p"), TS_POOL_WRITE, &s);
            if (!check(c, pools[which], "%s", s.message)) break;
            ts_pool_set_dealt(pools[which], MOST);
        }
        check(c, ts_pool_begin(pools[which], &s), "%s", s.message);
        for (int k = 0; k < A_ROUND; k++) keys[k] = 1 + rng_below(&rng, KEYS - 1);
        const int before = noted;
        for (int k = 0; k < A_ROUND; k++) {
            bool was = order[keys[k]] > dropped;
            check(c, ts_pool_was_dealt(pools[which], keys[k]) == (was && order[keys[k]] <= before),
                  "round %d: %d is dealt, or not", round, (int)keys[k]);
            if (!was) order[keys[k]] = ++noted;
        }
        check(c, ts_pool_dealt(pools[which], keys, A_ROUND, known, &s), "%s", s.message);
        for (int k = 0; k < A_ROUND; k++) { // known: from before, or from earlier in the round
            bool wanted = order[keys[k]] <= before;
            for (int o = 0; o < k; o++) wanted |= keys[o] == keys[k];
            check(c, known[k] == wanted, "round %d: key %d: known is %d", round, (int)keys[k], known[k]);
        }
        if (roll_back) {
            ts_pool_rollback(pools[which]);
            for (int k = 0; k < KEYS; k++)
                if (order[k] > before) order[k] = 0;
            noted = before;
            // A key that was forgotten and noted again in this round is forgotten still: its order is 0.
            continue;
        }
        check(c, ts_pool_commit(pools[which], &s), "%s", s.message);
        if (noted - dropped > MOST) dropped += 1000; // of nine blocks of 500 the last seven stay
        ts_pool_counts counts = {0};
        check(c, ts_pool_count(pools[which], &counts, &s) && (int)counts.dealt == noted - dropped,
              "%zu are remembered, not %d", counts.dealt, noted - dropped);
    }
    check(c, c->bad || dropped > MOST, "only %d were dropped", dropped);
    size_t removed;
    check(c, c->bad || ts_pool_prune(pools[0], &(ts_pool_cut){-1, -1, -1, .dealt = true}, &removed, &s), "%s",
          s.message);
    uint64_t key = 0; // the same as 1
    bool known[3] = {true, true, true};
    for (int k = 0; k < 3 && !c->bad; k++)
        check(c, ts_pool_dealt(pools[k % 2], &key, 1, &known[k], &s) && known[k] == (k > 0), "%d: %s", k,
              s.message);
    for (int k = 0; k < 2; k++) ts_pool_close(pools[k]);
    check_end(c);
}

// ---- Pruning ----

static void test_prune(Checks *c) {
    ts_status s = {0};
    bool is_new, kept, good = true;
    char hash[17];
    size_t removed = 0;
    check_begin(c, "prune");
    remove_pool("p");
    ts_pool *pool = ts_pool_open(path_of("p"), TS_POOL_CREATE, &s);
    ts_programs *programs = ts_programs_new();
    check(c, pool && programs, "%s", s.message);
    // Numbers 0 to 9 solve task a with 10 to 1 lines; 10 to 19 come near; 20 to 24 have no score.
    for (unsigned k = 0; k < 25 && good && !c->bad; k++) {
        ts_pool_score score = {k < 10 ? 2 : 1, 2, 0, 1, 100 * k, 0};
        good = add_numbered(programs, k, k < 10 ? 10 - k : 1 + k % 5, &s) &&
               ts_pool_add_program(pool, programs, k, &(ts_pool_facts){"x", .pinned = k % 2}, hash, &is_new,
                                   &s) &&
               (k >= 20 || ts_pool_add_score(pool, hash, "a", &score, &kept, &s));
        check(c, good, "%s", s.message);
    }
    const struct {
        ts_pool_cut cut;
        size_t removed;
        const char *left;
        long long count;
    } steps[] = {
        {{-1, -1, -1, false}, 0, "SELECT count(*) FROM program", 25},
        {{3, -1, -1, false},
         7,
         "SELECT sum(size) FROM program JOIN score ON id = program WHERE solved",
         1 + 2 + 3},
        {{-1, 6, -1, false}, 4, "SELECT min(score) FROM score WHERE NOT solved", 1400},
        {{-1, -1, 3, false}, 5, "SELECT count(*) FROM program WHERE size > 3", 0},
        {{-1, -1, -1, true},
         3,
         "SELECT count(*) FROM program WHERE id NOT IN (SELECT program FROM score)",
         0},
        {{1, 0, 0, true}, 5, "SELECT size FROM program", 1},
    };
    for (size_t k = 0; k < sizeof steps / sizeof *steps && !c->bad; k++) {
        check(c, ts_pool_prune(pool, &steps[k].cut, &removed, &s), "%s", s.message);
        check(c, removed == steps[k].removed, "step %zu removes %zu", k, removed);
        check(c, ask(steps[k].left) == steps[k].count, "step %zu leaves %lld", k, ask(steps[k].left));
    }
    ts_programs_free(programs);
    ts_pool_close(pool);
    check_end(c);
}

// ---- To be killed ----

static int work(const char *path, uint64_t seed) {
    Rng rng = {seed};
    ts_status s;
    Text done = {0};
    bool good, is_new, kept;
    char hash[17], task[16];
    ts_pool *pool = ts_pool_open(path, TS_POOL_CREATE, &s);
    for (good = pool; good;) {
        ts_programs *programs = ts_programs_new();
        text_clear(&done);
        good = programs && ts_pool_begin(pool, &s);
        for (unsigned k = 0; good && k < 8; k++) {
            bool solved = rng_below(&rng, 3) == 0;
            ts_pool_score score = {solved ? 3 : 1, 3, solved, 1, solved ? 3000 : rng_below(&rng, 3000), 1};
            snprintf(task, sizeof task, "t%u", rng_below(&rng, 6));
            unsigned lines = 1 + rng_below(&rng, 20);
            uint64_t number = rng_next(&rng) >> 2; // so many that none comes twice, with another score
            good = add_numbered(programs, number, lines, &s) &&
                   ts_pool_add_program(pool, programs, k, &(ts_pool_facts){"work"}, hash, &is_new, &s) &&
                   ts_pool_add_score(pool, hash, task, &score, &kept, &s);
            if (solved) text_print(&done, "%s\n", hash);
        }
        good = good && ts_pool_commit(pool, &s);
        ts_programs_free(programs);
        if (good && (fputs(done.data ? done.data : "", stdout) < 0 || fflush(stdout) != 0)) break;
    }
    fprintf(stderr, "%s: %s\n", s.file, s.message);
    text_free(&done);
    ts_pool_close(pool);
    return s.code == TS_SYSTEM ? 4 : 3;
}

static int read_twice(const char *path) {
    ts_status s = {0};
    ts_pool_view view = {0};
    ts_pool *pool = ts_pool_open(path, TS_POOL_READ, &s);
    bool good = pool;
    for (int k = 0; good && k < 2; k++) {
        good = ts_pool_load(pool, NULL, &view, &s);
        printf("%zu\n", view.count);
        fflush(stdout);
        if (k == 0) getchar();
    }
    if (!good) fprintf(stderr, "%s\n", s.message);
    ts_pool_view_free(&view);
    ts_pool_close(pool);
    return !good;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "work") == 0) return work(argv[2], strtoull(argv[3], NULL, 10));
    if (argc == 3 && strcmp(argv[1], "read") == 0) return read_twice(argv[2]);
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1,
             seeds = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    Checks c = {0};
    if (!mkdtemp(folder)) return 1;
    for (uint64_t k = 0; k < seeds; k++) test_against_list(&c, seed + k);
    test_same_program(&c);
    test_clash(&c);
    test_view(&c);
    test_refused(&c);
    test_each_demo(&c);
    test_digest(&c);
    test_shortest(&c);
    test_confidence(&c);
    for (uint64_t k = 0; k < seeds; k++) test_dealt(&c, seed + k);
    test_prune(&c);
    remove_pool("p");
    rmdir(folder);
    return check_summary(&c);
}
