// The engine of evolution: programs that are nearly right, mutated until one is right.
//
// It works on what the other engines left: candidates right on some demos only. A program's score is the
// share of cells that it gets right on each demo, a demo that is right as a whole counting as much again. The
// best dozen are the parents; each mutant that beats the last of them takes its place.
#include <stdlib.h>
#include <string.h>

#include "program/engine.h"
#include "search/mutate.h"
#include "solve/quest.h"

enum {
    PARENTS = 12,
    SCORE_OF_DEMO = 1000,
    RUN_UNITS = 1000 * 1000, // that a mutant may spend on a demo
    MUTATION_UNITS = 12000,
    CLASS_ALL = 0,
    CLASS_SOME = 1,
};

typedef struct {
    ts_programs *set; // holds one program
    int score;
} Parent;

typedef struct {
    Quest *q;
    ts_engine *engine;
    Parent parents[PARENTS];
    int count;
} Evolve;

static int score_of_demo(ts_grid given, ts_grid wanted) {
    if (given.height != wanted.height || given.width != wanted.width) return 0;
    int cells = wanted.height * wanted.width, right = 0;
    for (int k = 0; k < cells; k++) right += given.cells[k] == wanted.cells[k];
    return SCORE_OF_DEMO * right / cells + (right == cells ? SCORE_OF_DEMO : 0);
}

// The sum over the demos; a program that fails on one is not gone on with.
static int score_of(Evolve *e, const Program *p) {
    Quest *q = e->q;
    int sum = 0;
    for (int k = 0; k < q->demos; k++) {
        Ctx *c = &e->engine->ctx;
        uint32_t line;
        ctx_begin(c, RUN_UNITS);
        Value input = value_grid(c, q->inputs[k]);
        Value v = program_run(c, p, VALUE_NO_TUPLE, input, VALUE_NONE, &line);
        if (!quest_spend(q, RUN_UNITS - c->units) || c->failure || !value_is_grid(v)) return -1;
        const Obj *o = value_obj(v);
        sum += score_of_demo((ts_grid){(int)o->n, (int)o->width, obj_cells(o)}, q->outputs[k]);
    }
    return sum;
}

static ts_programs *read_program(const char *text) {
    ts_status status;
    ts_programs *set = ts_programs_new();
    if (set && ts_programs_add_text(set, "parent", text, strlen(text), true, NULL, NULL, &status)) return set;
    ts_programs_free(set);
    return NULL;
}

// Takes a program among the parents, where it is good enough; the set is the parents' from here on.
static void add_parent(Evolve *e, ts_programs *set, int score) {
    int at = e->count;
    while (at > 0 && score > e->parents[at - 1].score) at--;
    if (!set || at == PARENTS) {
        ts_programs_free(set);
        return;
    }
    if (e->count == PARENTS) ts_programs_free(e->parents[--e->count].set);
    memmove(e->parents + at + 1, e->parents + at, (size_t)(e->count - at) * sizeof *e->parents);
    e->parents[at] = (Parent){set, score};
    e->count++;
}

static void offer(Evolve *e, const char *text, int score) {
    bool all = score == 2 * SCORE_OF_DEMO * e->q->demos;
    quest_offer_program(e->q, ENGINE_evolve, all ? CLASS_ALL : CLASS_SOME, text, strlen(text));
}

static bool is_known(const Evolve *e, int score) {
    for (int k = 0; k < e->count; k++)
        if (e->parents[k].score == score) return true;
    return false;
}

// One mutant. False where memory is short.
static bool try_mutant(Evolve *e, Mutator *m) {
    size_t made[TS_MUTATIONS] = {0};
    uint32_t pick = rng_below(&m->rng, (uint32_t)e->count);
    if (rng_below(&m->rng, 2)) pick = rng_below(&m->rng, pick + 1); // the better ones twice as often
    Program mutant;
    e->q->units -= MUTATION_UNITS;
    e->q->tried[ENGINE_evolve]++;
    if (!mutate_program(m, &e->parents[pick].set->programs[0], 0.05, &mutant, made)) return !m->failed;
    int score = score_of(e, &mutant);
    if (score <= e->parents[e->count - 1].score || is_known(e, score)) return true;
    Text text = {0};
    mutant.name = "solve_mutant";
    program_print(&text, &mutant);
    if (!text.failed) {
        if (score > e->parents[0].score) offer(e, text.data, score);
        add_parent(e, read_program(text.data), score);
    }
    text_free(&text);
    return true;
}

// Whether an answer is there that is right on all demos.
static bool is_solved(const Quest *q) {
    for (size_t k = 0; k < q->count; k++)
        if (q->candidates[k].demos_right == q->demos) return true;
    return false;
}

bool engine_evolve(Quest *q) {
    if (is_solved(q) || !q->count) return true;
    Evolve e = {.q = q, .engine = ts_engine_new()};
    for (size_t k = 0; k < q->count && e.engine; k++) {
        ts_programs *set = read_program(q->candidates[k].program);
        int score = set ? score_of(&e, &set->programs[0]) : -1;
        if (score >= 0) add_parent(&e, set, score);
        else ts_programs_free(set);
    }
    if (e.count) {
        ts_colors colors = ts_task_colors(q->task);
        char *best = ts_programs_print(e.parents[0].set, 0);
        ts_programs *source = best ? read_program(best) : NULL; // parts to graft come from the best one
        Mutator m;
        mutator_init(&m, source, colors);
        m.rng.state = q->seed;
        while (source && quest_spend(q, 0) && try_mutant(&e, &m) && !is_solved(q)) {}
        mutator_free(&m);
        ts_programs_free(source);
        free(best);
    }
    for (int k = 0; k < e.count; k++) ts_programs_free(e.parents[k].set);
    ts_engine_free(e.engine);
    return false;
}
