// The public face of the search for one task: the engines run one after the other, each with its share of the
// units and what those before it left over.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "solve/quest.h"

struct ts_search {
    Quest quest;
};

static bool is_named(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = list; at && *at;) {
        const char *end = strchrnul(at, ',');
        if ((size_t)(end - at) == n && strncmp(at, name, n) == 0) return true;
        at = *end ? end + 1 : end;
    }
    return false;
}

static bool check_names(const char *list, Status *s) {
    for (const char *at = list; at && *at;) {
        const char *end = strchrnul(at, ',');
        int known = 0;
        for (int e = 0; e < ENGINES; e++)
            known |= strlen(engines[e].name) == (size_t)(end - at) &&
                     !strncmp(at, engines[e].name, (size_t)(end - at));
        if (!known) return status_fail(s, TS_USAGE, "no engine '%.*s'", (int)(end - at), at);
        at = *end ? end + 1 : end;
    }
    return true;
}

static void run_engines(Quest *q, const char *names, int64_t units) {
    int shares = 0;
    for (int e = 0; e < ENGINES; e++)
        if (!names || is_named(names, engines[e].name)) shares += engines[e].share;
    for (int e = 0; e < ENGINES && shares; e++) {
        if ((names && !is_named(names, engines[e].name)) || q->late) continue;
        int64_t most = units / shares * engines[e].share;
        double start = clock_ms();
        arena_reset(&q->arena);
        q->units = most;
        engines[e].run(q);
        q->ms[e] += clock_ms() - start;
        units -= most - q->units;
        shares -= engines[e].share;
    }
}

ts_search *ts_search_new(const ts_task *task, const ts_search_options *options, ts_status *status) {
    const ts_search_options none = {0}, *o = options ? options : &none;
    if (!check_names(o->engines, status)) return NULL;
    ts_search *search = calloc(1, sizeof *search);
    if (!search || !quest_init(&search->quest, task, o->seed)) {
        free(search);
        status_fail(status, TS_SYSTEM, "memory is short");
        return NULL;
    }
    Quest *q = &search->quest;
    if (o->memory) q->memory = q->arena.limit = o->memory;
    if (o->deadline > 0) q->deadline = clock_ms() + o->deadline * 1e3;
    q->stop = o->stop;
    run_engines(q, o->engines, (int64_t)((o->seconds > 0 ? o->seconds : 1) * 1e9));
    arena_free(&q->arena);
    return search;
}

void ts_search_free(ts_search *search) {
    if (search) quest_free(&search->quest);
    free(search);
}

size_t ts_search_count(const ts_search *search) { return search->quest.count; }

ts_found ts_search_at(const ts_search *search, size_t index) {
    const Candidate *c = &search->quest.candidates[index];
    return (ts_found){.engine = engines[c->engine].name,
                      .program = c->program,
                      .rule = c->class,
                      .demos_right = c->demos_right,
                      .demos = search->quest.demos,
                      .confidence = candidate_confidence(&search->quest, c),
                      .answers = c->answers,
                      .units = c->units,
                      .lines = c->lines};
}

size_t ts_search_attempts(const ts_search *search, int test, ts_attempt *attempts, size_t most) {
    Answer answers[16];
    size_t n = quest_rank(&search->quest, test, answers, most < 16 ? most : 16);
    for (size_t k = 0; k < n; k++)
        attempts[k] =
            (ts_attempt){answers[k].grid, answers[k].confidence, answers[k].candidate, answers[k].agreeing};
    return n;
}

const char *ts_search_engine(const ts_search *search, size_t index, uint64_t *tried, double *ms) {
    if (index >= ENGINES) return NULL;
    *tried = search->quest.tried[index];
    *ms = search->quest.ms[index];
    return engines[index].name;
}
