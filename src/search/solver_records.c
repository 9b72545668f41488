// What a job has done, as records: lines of the journal, and of what another process sends back.
//
//     pool   hash of its programs
//     found  task  engine  class  program
//     run    task  seconds of work  candidates  seconds so far  whether it is over, then for each engine:
//            name  whether it is through  programs tried  milliseconds
//     time   seconds so far
//     gave   task  engine  class  program  demos right  units  lines  its answers, as 2x3:012345, with ;
//     behind
//            each (of a result, in place of `found`, where workers are trusted)
//     memory  task  whether an engine has held all that it may  whether the machine had no more (of a result)
//
// A piece is what was found for a task and then its run, or any other record. Nothing that a record says of a
// program counts but its text and its class: when records are read, the program is read and run. But for
// `gave`: that is believed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "program/program.h"
#include "search/solver.h"

enum { RUN_FIELDS = 6, ENGINE_FIELDS = 4 }; // of a record `run`
_Static_assert(RUN_FIELDS + ENGINE_FIELDS * (int)ENGINES <= (int)JOURNAL_MOST_FIELDS,
               "a record has room for all engines");

// ---- Writing ----

static void print_answers(const Candidate *c, int count, Text *t) {
    for (int k = 0; k < count; k++) {
        const ts_grid g = c->answers[k];
        text_print(t, "%dx%d:", g.height, g.width);
        for (int n = 0; n < g.height * g.width; n++) text_char(t, (char)('0' + g.cells[n]));
        text_char(t, ';');
    }
}

void solver_print_run(const ts_solver *s, const Job *job, size_t from, bool gives, bool is_over, Text *t) {
    const Quest *q = &job->search.quest;
    for (; from < q->count; from++) {
        const Candidate *c = &q->candidates[from];
        text_add(t, gives ? "gave" : "found");
        journal_field(t, job->task->id);
        text_print(t, "\t%s\t%d", engines_table[c->engine].name, c->class);
        journal_field(t, c->program);
        if (gives) {
            text_print(t, "\t%d\t%llu\t%zu\t", c->demos_right, (unsigned long long)c->units, c->lines);
            print_answers(c, q->all_tests, t);
        }
        text_char(t, '\n');
    }
    text_add(t, "run");
    journal_field(t, job->task->id);
    text_print(t, "\t%.9g\t%zu\t%.3f\t%d", job->given, q->count, solver_spent(s), is_over);
    for (int e = 0; e < ENGINES; e++)
        text_print(t, "\t%s\t%d\t%llu\t%.3f", engines_table[e].name, q->through[e],
                   (unsigned long long)q->tried[e], q->ms[e]);
    text_char(t, '\n');
}

void solver_print_memory(const Job *job, Text *t) {
    if (!job->search.quest.full && !job->starved) return;
    text_add(t, "memory");
    journal_field(t, job->task->id);
    text_print(t, "\t%d\t%d\n", job->search.quest.full, job->starved);
}

void solver_record_run(ts_solver *s, Job *job) {
    Text t = {0};
    solver_print_run(s, job, job->journaled, false, job->is_over, &t);
    job->journaled = job->search.quest.count;
    journal_add(&s->journal, &t);
    text_free(&t);
}

void solver_record_time(ts_solver *s) {
    Text t = {0};
    text_print(&t, "time\t%.3f\n", solver_spent(s));
    pthread_mutex_lock(&s->lock);
    journal_add(&s->journal, &t);
    pthread_mutex_unlock(&s->lock);
    journal_sync(&s->journal);
    text_free(&t);
}

uint64_t solver_hash_pool(const ts_programs *pool) {
    uint64_t programs = 0;
    char hash[17];
    for (size_t k = 0; pool && k < ts_programs_count(pool); k++)
        if (ts_programs_hash(pool, k, hash)) programs = hash_bytes(programs, hash, sizeof hash);
    return programs;
}

void solver_record_pool(ts_solver *s) {
    Text t = {0};
    text_print(&t, "pool\t%016llx\n", (unsigned long long)solver_hash_pool(s->options.pool));
    journal_add(&s->journal, &t);
    text_free(&t);
}

// ---- Reading ----

typedef struct {
    ts_solver *solver;
    const Journal *journal;
    const Order *order; // whose jobs it may speak of; NULL: of all
} Reading;

static Job *find_job(const Reading *r, const char *id) {
    ts_solver *s = r->solver;
    for (size_t k = 0; r->order && k < r->order->count; k++)
        if (strcmp(s->jobs[r->order->jobs[k]].task->id, id) == 0) return &s->jobs[r->order->jobs[k]];
    const uint32_t hash = (uint32_t)hash_bytes(hash_seed, id, strlen(id));
    uint32_t at = hash, k;
    while (!r->order && s->ids.slots && (k = index_next(&s->ids, hash, &at)))
        if (strcmp(s->jobs[k - 1].task->id, id) == 0) return &s->jobs[k - 1];
    return NULL;
}

static Job *job_of(const Reading *r, Status *status) {
    Job *job = find_job(r, r->journal->fields[1]);
    if (!job)
        journal_damaged(r->journal, 1,
                        r->order ? "the id of a task that was given out with it"
                                 : "the id of a task of this run",
                        status);
    return job;
}

static bool read_engine(const Journal *j, int field, EngineId *engine, Status *status) {
    *engine = engines_find(j->fields[field], strlen(j->fields[field]));
    return *engine < ENGINES || journal_damaged(j, field, "the name of an engine", status);
}

// Whether the program can be read as it was written. If not, it may need a primitive that was registered
// then.
static bool check_found(const Journal *j, Status *status) {
    char expected[300];
    Status problem = {.code = TS_SYSTEM};
    ts_programs *set = ts_programs_new();
    const char *text = j->fields[4];
    const bool good = set && program_add_ours(set, "", text, strlen(text), &problem);
    ts_programs_free(set);
    if (good) return true;
    if (problem.code == TS_SYSTEM)
        return status_fail(status, TS_SYSTEM, "no memory to read '%.300s'", j->path);
    snprintf(expected, sizeof expected, "a program that can be read (%.200s)", problem.message);
    return journal_damaged(j, 4, expected, status);
}

static bool read_found(const Reading *r, Status *status) {
    const Journal *j = r->journal;
    uint64_t class;
    EngineId engine;
    Job *job = job_of(r, status);
    if (!job || !read_engine(j, 2, &engine, status) ||
        !journal_count(j, 3, QUEST_CLASSES - 1, &class, status) || !check_found(j, status))
        return false;
    Quest *q = &job->search.quest;
    size_t before = q->count;
    if (r->order && engine == ENGINE_pool && !r->solver->options.pool)
        return journal_damaged(j, 2, "an engine that was asked for: there is no pool", status);
    if (r->order && engine == ENGINE_pool && class >= CLASS_TRUSTED && !r->solver->options.trust_pool)
        return journal_damaged(j, 3, "the class of a program that nobody has to trust", status);
    quest_offer_program(q, engine, (int)class, j->fields[4], strlen(j->fields[4]));
    if (!quest_is_fed(q)) return status_fail(status, TS_SYSTEM, "no memory to read '%.300s'", j->path);
    if (q->count == before) return journal_damaged(j, 4, "another program that is right on a demo", status);
    return !r->order || q->units > 0 ||
           journal_damaged(j, 4, "programs that take no more work than was given out", status);
}

// The next answer of a text, its cells into `cells`. False where it is none.
static bool read_answer(const char **at, signed char *cells, ts_grid *g) {
    char *end;
    const long height = strtol(*at, &end, 10), width = *end == 'x' ? strtol(end + 1, &end, 10) : -1;
    if (*end != ':' || height < 0 || width < 0 || height > GRID_TASK_SIDE || width > GRID_TASK_SIDE)
        return false;
    const size_t n = (size_t)(height * width);
    const char *from = end + 1;
    if (strspn(from, "0123456789") != n || from[n] != ';') return false;
    for (size_t k = 0; k < n; k++) cells[k] = (signed char)(from[k] - '0');
    *g = (ts_grid){(int)height, (int)width, cells};
    *at = from + n + 1;
    return true;
}

// What a trusted worker says of a program.
static bool read_gave(const Reading *r, Status *status) {
    const Journal *j = r->journal;
    uint64_t class, right, lines;
    Candidate c = {0};
    Job *job = job_of(r, status);
    if (!job || !read_engine(j, 2, &c.engine, status) ||
        !journal_count(j, 3, QUEST_CLASSES - 1, &class, status) ||
        !journal_count(j, 5, (uint64_t)job->task->demos, &right, status) ||
        !journal_count(j, 6, INT64_MAX, &c.units, status) || !journal_count(j, 7, UINT32_MAX, &lines, status))
        return false;
    Quest *q = &job->search.quest;
    const char *at = j->fields[8];
    const size_t size = (size_t)GRID_TASK_SIDE * GRID_TASK_SIDE, tests = (size_t)q->all_tests;
    signed char *cells = malloc((tests + 1) * size);
    c.answers = malloc((tests + 1) * sizeof *c.answers);
    bool good = r->solver->options.trust_workers || journal_damaged(j, 0, "found", status);
    if (good && (!cells || !c.answers)) good = status_fail(status, TS_SYSTEM, "no memory to read a result");
    for (size_t k = 0; good && k < tests; k++)
        good = read_answer(&at, cells + k * size, &c.answers[k]) ||
               journal_damaged(j, 8, "an answer for each test", status);
    c.class = (int)class;
    c.demos_right = (int)right;
    c.lines = (size_t)lines;
    c.program = j->fields[4];
    if (good && !quest_take_over(q, &c)) good = status_fail(status, TS_SYSTEM, "no memory to read a result");
    free(cells);
    free(c.answers);
    return good;
}

static bool read_run(const Reading *r, Status *status) {
    const Journal *j = r->journal;
    uint64_t candidates, over;
    ts_solver *s = r->solver;
    Job *job = job_of(r, status);
    if (!job) return false;
    Quest *q = &job->search.quest;
    if (!journal_seconds(j, 2, &job->given, status) ||
        !journal_count(j, 3, QUEST_MOST_CANDIDATES, &candidates, status) ||
        !journal_seconds(j, 4, &s->before, status) || !journal_count(j, 5, 1, &over, status))
        return false;
    if (candidates != q->count) return journal_damaged(j, 3, "the number of programs found so far", status);
    if (!r->order) job->journaled = q->count;
    job->is_over = over;
    s->done += job->runs++ == 0;
    for (int k = RUN_FIELDS; k < j->count; k += ENGINE_FIELDS) {
        uint64_t through, tried;
        EngineId e;
        if (!read_engine(j, k, &e, status) || !journal_count(j, k + 1, 1, &through, status) ||
            !journal_count(j, k + 2, INT64_MAX, &tried, status) ||
            !journal_seconds(j, k + 3, &q->ms[e], status))
            return false;
        q->through[e] = through;
        s->tried += tried - q->tried[e];
        q->tried[e] = tried;
    }
    return true;
}

static bool read_pool(const Reading *r, Status *status) {
    ts_solver *s = r->solver;
    const char *hash = r->journal->fields[1];
    if (strlen(hash) != 16 || strspn(hash, "0123456789abcdef") != 16)
        return journal_damaged(r->journal, 1, "a hash of 16 digits", status);
    s->has_pool = strtoull(hash, NULL, 16) == solver_hash_pool(s->options.pool);
    s->warning = s->has_pool
                     ? NULL
                     : "the pool has changed since this run was begun: tasks that were searched before are "
                       "not searched again";
    return true;
}

static bool read_memory(const Reading *r, Status *status) {
    const Journal *j = r->journal;
    uint64_t full, starved;
    Job *job = job_of(r, status);
    if (!job || !journal_count(j, 2, 1, &full, status) || !journal_count(j, 3, 1, &starved, status))
        return false;
    job->search.quest.full = full;
    job->starved_there = starved;
    return true;
}

static bool read_time(const Reading *r, Status *status) {
    return journal_seconds(r->journal, 1, &r->solver->before, status);
}

// Another process speaks of its order alone.
static bool read_record(const Reading *r, Status *status) {
    static const struct {
        const char *kind;
        int fields;
        bool of_order, of_journal;
        bool (*read)(const Reading *r, Status *status);
    } kinds[] = {{"found", 5, true, true, read_found},
                 {"run", RUN_FIELDS + ENGINE_FIELDS * ENGINES, true, true, read_run},
                 {"gave", 9, true, false, read_gave},
                 {"memory", 4, true, false, read_memory},
                 {"pool", 2, false, true, read_pool},
                 {"time", 2, false, true, read_time}};
    const Journal *j = r->journal;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(j->fields[0], kinds[k].kind) != 0 || !(r->order ? kinds[k].of_order : kinds[k].of_journal))
            continue;
        char expected[60];
        snprintf(expected, sizeof expected, "%d fields, not %d", kinds[k].fields, j->count);
        if (j->count != kinds[k].fields) return journal_damaged(j, 0, expected, status);
        return kinds[k].read(r, status);
    }
    return journal_damaged(j, 0, r->order ? "found, run or memory" : "pool, found, run or time", status);
}

bool solver_restore(ts_solver *s, Journal *j, const Order *order, Status *status) {
    const Reading r = {.solver = s, .journal = j, .order = order};
    for (;;) {
        if (!journal_next(j, status)) return false;
        if (!j->count) return true;
        if (!read_record(&r, status)) return false;
    }
}
