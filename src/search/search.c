// The public face of the search for one task: the engines run one after the other, each with its share of the
// units and what those before it left over, until there is an answer to trust.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/profile.h"
#include "base/text.h"
#include "search/facts.h"

static bool is_named(const char *list, int engine) {
    for (const char *at = list; at && *at;) {
        const char *end = strchrnul(at, ',');
        if ((int)engines_find(at, (size_t)(end - at)) == engine) return true;
        at = *end ? end + 1 : end;
    }
    return false;
}

static const char *engine_name(size_t index, const void *unused) {
    (void)unused;
    return ts_search_engine_at(index, NULL);
}

static bool no_engine(const char *name, size_t length, Status *s) {
    char word[40];
    snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : (int)sizeof word - 1, name);
    const char *nearest = text_nearest(word, engine_name, NULL);
    return status_fail(s, TS_USAGE, "no engine '%s'%s%s%s", word, nearest ? "; did you mean '" : "",
                       nearest ? nearest : "", nearest ? "'?" : "");
}

static bool check_names(const char *list, Status *s) {
    for (const char *at = list; at && *at;) {
        const char *end = strchrnul(at, ',');
        const size_t length = (size_t)(end - at);
        if (engines_find(at, length) == ENGINES) return no_engine(at, length, s);
        at = *end ? end + 1 : end;
    }
    return true;
}

static bool is_wanted(const Quest *q, const char *names, int engine) {
    return !q->through[engine] && (!names || is_named(names, engine));
}

void quest_run(Quest *q, const char *names, int64_t units) {
    int shares = 0;
    q->late = q->full = q->starved = false;
    for (int e = 0; e < ENGINES; e++)
        if (is_wanted(q, names, e)) shares += engines_table[e].share;
    for (int e = 0; e < ENGINES && shares; e++) {
        if (!is_wanted(q, names, e) || q->late || quest_trust(q) >= QUEST_TRUSTED) continue;
        int64_t most = units / shares * engines_table[e].share;
        double start = clock_ms();
        uint64_t before = q->tried[e];
        arena_reset(&q->arena);
        q->units = most;
        q->through[e] = engines_table[e].run(q) && !q->late && quest_is_fed(q);
        q->ms[e] += clock_ms() - start;
        profile_lap(q->profile, PROFILE_ENGINES + (unsigned)e, q->tried[e] - before);
        units -= most - q->units;
        shares -= engines_table[e].share;
    }
}

int64_t quest_run_within(Quest *sub, EngineId as, const EngineId *runs, int count, int64_t units) {
    assert(sub->parent && sub->demos <= QUEST_MOST_DEMOS && sub->tests <= QUEST_MOST_TESTS);
    const Quest *q = sub->parent;
    sub->id = q->id;
    sub->samples = sub->demos + sub->tests;
    sub->side = q->side;
    sub->seed = q->seed;
    sub->deadline = q->deadline;
    sub->stop = q->stop;
    sub->memory = q->memory / 2;
    sub->stock = q->stock;
    sub->device = q->device;
    quest_arena(sub, &sub->arena, sub->memory);
    sub->until_clock = 1; // looks at the clock at once
    for (int k = 0; k < count && !sub->late; k++) {
        arena_reset(&sub->arena);
        int64_t most = sub->units = units / (count - k);
        engines_table[runs[k]].run(sub);
        sub->full |= sub->arena.full;
        units -= most - sub->units;
        sub->parent->tried[as] += sub->tried[runs[k]];
    }
    quest_free_arena(sub, &sub->arena);
    sub->parent->late |= sub->late;
    sub->parent->full |= sub->full;
    sub->parent->starved |= sub->starved;
    return units;
}

bool ts_search_more(ts_search *search, double seconds, double deadline) {
    Quest *q = &search->quest;
    q->deadline = deadline > 0 ? clock_ms() + deadline * 1e3 : 0;
    quest_run(q, search->engines, (int64_t)(seconds * 1e9));
    quest_rest(q);
    for (int e = 0; e < ENGINES; e++)
        if (engines_table[e].share && is_wanted(q, search->engines, e)) return true;
    return false;
}

bool search_init(ts_search *search, const ts_task *task, const ts_search_options *o, ts_status *status) {
    Quest *q = &search->quest;
    if (!check_names(o->engines, status)) return false;
    if (!quest_init(q, task, o->seed)) return status_fail(status, TS_SYSTEM, "memory is short");
    if (o->memory) q->memory = q->arena.limit = o->memory;
    q->stop = o->stop;
    search->engines = o->engines;
    return true;
}

ts_search *ts_search_new(const ts_task *task, const ts_search_options *options, ts_status *status) {
    const ts_search_options none = {0}, *o = options ? options : &none;
    ts_search *search = calloc(1, sizeof *search);
    if (!search) status_fail(status, TS_SYSTEM, "memory is short");
    if (!search || !search_init(search, task, o, status)) {
        free(search);
        return NULL;
    }
    ts_search_more(search, o->seconds > 0 ? o->seconds : 1, o->deadline);
    return search;
}

bool ts_search_add(ts_search *search, const char *engine, int rule, const char *program) {
    EngineId id = engines_find(engine, strlen(engine));
    return id < ENGINES && rule >= 0 && rule < QUEST_CLASSES &&
           quest_offer_program(&search->quest, id, rule, program, strlen(program)) > 0;
}

bool ts_search_read(ts_search *search, const char *name, const char *text, size_t length, ts_status *status) {
    return candidates_read(&search->quest, name, text, length, status);
}

void ts_search_free(ts_search *search) {
    if (search) quest_free(&search->quest);
    free(search);
}

bool ts_search_full(const ts_search *search) { return search->quest.full; }
bool ts_search_starved(const ts_search *search) { return search->quest.starved; }

size_t ts_search_count(const ts_search *search) { return search->quest.count; }

ts_found ts_search_at(const ts_search *search, size_t index) {
    const Candidate *c = &search->quest.candidates[index];
    return (ts_found){.engine = engines_table[c->engine].name,
                      .program = c->program,
                      .rule = c->class,
                      .demos_right = c->demos_right,
                      .demos = search->quest.all_demos,
                      .confidence = candidate_confidence(&search->quest, c),
                      .answers = c->answers,
                      .units = c->units,
                      .lines = c->lines};
}

size_t ts_search_attempts(const ts_search *search, int test, ts_attempt *attempts, size_t most) {
    Answer answers[16];
    size_t n = quest_rank(&search->quest, test, answers, most < 16 ? most : 16);
    for (size_t k = 0; k < n; k++)
        attempts[k] = (ts_attempt){answers[k].grid, answers[k].confidence, answers[k].candidate,
                                   answers[k].agreeing, answers[k].broken};
    return n;
}

const char *ts_fact(size_t index) { return index < FACTS ? facts_words((Fact)index) : NULL; }

const char *ts_search_engine(const ts_search *search, size_t index, uint64_t *tried, double *ms) {
    if (index >= ENGINES) return NULL;
    *tried = search->quest.tried[index];
    *ms = search->quest.ms[index];
    return engines_table[index].name;
}
