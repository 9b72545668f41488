// Quests: programs are read, run on all samples, and kept with their answers.
#include "search/quest.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/threads.h"
#include "grid/colors.h"
#include "program/evaluator.h"
#include "task/task.h"

enum {
    CLOCK_EVERY = 100000,         // units between two looks at the clock: some work is dearer than its units
    PROGRAM_UNITS = 20 * 1000000, // that an offered program may spend on a sample
    READING_UNITS = 100,          // for each letter of an offered program
    KEPT_BYTES = 256 << 20,
    DEFAULT_MEMORY = 1 << 30,
};

bool quest_init(Quest *q, const ts_task *task, uint64_t seed) {
    *q = (Quest){.id = task->id,
                 .task = task,
                 .all_demos = task->demos,
                 .all_tests = task->tests,
                 .demos = task->demos < QUEST_MOST_DEMOS ? task->demos : QUEST_MOST_DEMOS,
                 .tests = task->tests < QUEST_MOST_TESTS ? task->tests : QUEST_MOST_TESTS,
                 .side = task_side(task),
                 .seed = seed,
                 .memory = DEFAULT_MEMORY,
                 .until_clock = CLOCK_EVERY};
    q->samples = q->demos + q->tests;
    arena_init(&q->arena, q->memory);
    arena_init(&q->kept, KEPT_BYTES);
    arena_init(&q->trial, KEPT_BYTES);
    ts_grid *inputs = arena_alloc(&q->kept, (size_t)(q->samples + q->demos) * sizeof *inputs);
    q->candidates = malloc(QUEST_MOST_CANDIDATES * sizeof *q->candidates);
    if (!inputs || !q->candidates) {
        quest_free(q);
        return false;
    }
    for (int k = 0; k < q->demos; k++) {
        inputs[k] = task->samples[k].input;
        inputs[q->samples + k] = task->samples[k].output;
    }
    for (int k = 0; k < q->tests; k++) inputs[q->demos + k] = task->samples[q->all_demos + k].input;
    q->inputs = inputs;
    q->outputs = inputs + q->samples;
    return true;
}

void quest_use_stock(Quest *q, ArenaStock *stock) {
    assert(!q->arena.blocks && !q->trial.blocks && !q->runner); // it rests
    q->stock = q->arena.stock = q->trial.stock = stock;
}

void quest_arena(const Quest *q, Arena *a, size_t limit) { arena_init_from(a, limit, q->stock); }

void quest_free_arena(Quest *q, Arena *a) {
    q->starved |= a->starved;
    arena_free(a);
}

void quest_free_text(Quest *q, Text *t) {
    q->starved |= t->failed;
    text_free(t);
}

static void note_starved(Quest *q, Arena *a) {
    q->starved |= a->starved;
    a->starved = false;
}

bool quest_is_fed(Quest *q) {
    q->full |= q->arena.full;
    note_starved(q, &q->arena);
    note_starved(q, &q->kept);
    note_starved(q, &q->trial);
    if (q->runner) note_starved(q, &q->runner->ctx.arena);
    return !q->starved;
}

void quest_rest(Quest *q) {
    quest_is_fed(q);
    arena_free(&q->arena);
    arena_free(&q->trial);
    ts_engine_free(q->runner);
    q->runner = NULL;
}

void quest_free(Quest *q) {
    quest_rest(q);
    arena_free(&q->kept);
    free(q->candidates);
    q->candidates = NULL;
}

bool quest_slow(Quest *q) {
    q->until_clock = CLOCK_EVERY;
    if (threads_stopped(q->stop) || (q->deadline > 0 && clock_ms() > q->deadline)) q->late = true;
    if (q->late) q->units = 0;
    return !q->late;
}

static bool is_answer(const Quest *q, ts_value v) {
    if (!ts_value_is_grid(v)) return false;
    ts_grid g = ts_value_grid(v);
    return g.height >= 1 && g.width >= 1 && grid_fits(g, q->side) && colors_everywhere(g);
}

// Runs program 0 on all samples. False where it has no answer for any test.
static bool run_all(Quest *q, const ts_programs *programs, Candidate *c) {
    bool any = false;
    ts_engine_set_stop(q->runner, q->stop);
    for (int k = 0; k < q->all_demos + q->all_tests; k++) {
        ts_result r = ts_run_sample(q->runner, programs, 0, q->task, k);
        if (r.units > c->units) c->units = r.units;
        q->units -= (int64_t)r.units;
        q->until_clock -= (int64_t)r.units;
        if (q->until_clock < 0 && !quest_slow(q)) return false;
        bool good = r.failure == TS_FAIL_NONE && is_answer(q, r.value);
        ts_grid grid = good ? ts_value_grid(r.value) : (ts_grid){0};
        if (k < q->all_demos) c->demos_right += good && ts_grid_equal(grid, q->task->samples[k].output);
        else {
            ts_grid *answer = &c->answers[k - q->all_demos];
            *answer = (ts_grid){0};
            if (good && !grid_copy(&q->trial, grid, answer)) return false;
            c->hash = hash_mix(c->hash, grid_hash(*answer));
            any |= good;
        }
    }
    const bool stopped = threads_stopped(q->stop); // perhaps in the middle of it
    if (stopped) quest_slow(q);
    return any && !stopped;
}

// Whether a candidate stands for this one already, or its engine has offered enough.
static bool is_known(const Quest *q, const Candidate *c) {
    int of_engine = 0;
    for (size_t k = 0; k < q->count; k++) {
        const Candidate *o = &q->candidates[k];
        of_engine += o->engine == c->engine;
        if (of_engine == QUEST_MOST_OF_ENGINE) return true;
        if (o->hash == c->hash && o->engine == c->engine && o->class == c->class &&
            o->demos_right >= c->demos_right)
            return true;
    }
    return false;
}

static bool keep_answers(Quest *q, Candidate *c) {
    const ts_grid *trial = c->answers;
    c->answers = arena_alloc(&q->kept, (size_t)q->all_tests * sizeof *c->answers);
    for (int k = 0; c->answers && k < q->all_tests; k++) {
        c->answers[k] = trial[k];
        if (trial[k].height && !grid_copy(&q->kept, trial[k], &c->answers[k])) return false;
    }
    return c->answers != NULL;
}

static bool keep(Quest *q, const ts_programs *programs, Candidate *c) {
    if (!keep_answers(q, c)) return false;
    char *text = ts_programs_print(programs, 0);
    q->starved |= !text;
    if (!text) return false;
    c->program = arena_text(&q->kept, text, strlen(text));
    c->lines = ts_programs_lines(programs, 0);
    free(text);
    if (!c->program) return false;
    assert(q->count < QUEST_MOST_CANDIDATES);
    q->candidates[q->count++] = *c;
    return true;
}

bool quest_take_over(Quest *q, const Candidate *c) {
    Candidate mine = *c;
    if (q->count == QUEST_MOST_CANDIDATES || !keep_answers(q, &mine)) return false;
    mine.program = arena_text(&q->kept, c->program, strlen(c->program));
    if (!mine.program) return false;
    mine.hash = 0;
    for (int k = 0; k < q->all_tests; k++) mine.hash = hash_mix(mine.hash, grid_hash(mine.answers[k]));
    q->candidates[q->count++] = mine;
    return true;
}

static bool ready_to_run(Quest *q) {
    arena_reset(&q->trial);
    if (q->runner) return true;
    q->runner = ts_engine_new();
    q->starved |= !q->runner;
    if (!q->runner) return false;
    q->runner->ctx.arena.stock = q->stock;
    ts_engine_set_units(q->runner, PROGRAM_UNITS);
    return true;
}

int quest_offer_program(Quest *q, EngineId engine, int class, const char *text, size_t length) {
    assert((unsigned)engine < ENGINES && class >= 0 && class < QUEST_CLASSES);
    if (q->late || !ready_to_run(q)) return -1;
    ts_programs *programs = ts_programs_new();
    ts_status status = {.code = TS_SYSTEM};
    Candidate c = {.engine = engine, .class = class};
    int right = -1;
    q->units -= READING_UNITS * (int64_t)length;
    bool read = programs && ts_programs_add_text(programs, "offer", text, length, true, NULL, NULL, &status);
    q->starved |= !programs || programs->ctx.arena.starved || (!read && status.code == TS_SYSTEM);
    if (read && ts_programs_count(programs) == 1 &&
        (c.answers = arena_alloc(&q->trial, (size_t)q->all_tests * sizeof *c.answers)) &&
        run_all(q, programs, &c)) {
        right = c.demos_right;
        if (right > 0 && !is_known(q, &c) && !keep(q, programs, &c)) right = -1;
    }
    ts_programs_free(programs);
    quest_is_fed(q);
    return right;
}

void quest_name(const Quest *q, Text *t) {
    text_add(t, "solve_");
    for (const char *at = q->id; *at; at++) text_char(t, isalnum((unsigned char)*at) ? *at : '_');
}

int quest_offer(Quest *q, EngineId engine, int class, const char *lines) {
    assert((unsigned)engine < ENGINES && class >= 0 && class < QUEST_CLASSES);
    if (q->offer) return q->offer(q, engine, class, lines);
    Text text = {0};
    text_add(&text, "def ");
    quest_name(q, &text);
    text_add(&text, "(I):\n");
    for (const char *at = lines; *at;) {
        const char *end = strchrnul(at, '\n');
        text_print(&text, "    %.*s\n", (int)(end - at), at);
        at = *end ? end + 1 : end;
    }
    text_add(&text, "    return O\n");
    int right = text.failed ? -1 : quest_offer_program(q, engine, class, text.data, text.length);
    quest_free_text(q, &text);
    return right;
}
