// Two open hash tables: of tasks by their address, of grids by sample and content. Grids are forgotten all at
// once when they have taken GRIDS_MOST, between two blocks: the verdicts of a block point to them.
#include <stdlib.h>

#include "base/hash.h"
#include "judge/judge.h"

#define GRIDS_MOST ((size_t)16 << 20)
#define GRIDS_LIMIT ((size_t)4 << 30) // of one block
#define FIXED_LIMIT ((size_t)4 << 30)

enum { FIRST_TASKS = 64, FIRST_GRIDS = 4096 };

bool memory_init(Memory *m, bool scores) {
    *m = (Memory){.scores = scores, .task_room = FIRST_TASKS, .met_room = FIRST_GRIDS};
    arena_init(&m->fixed.arena, FIXED_LIMIT);
    arena_init(&m->grids, GRIDS_LIMIT);
    ctx_begin(&m->fixed, INT64_MAX / 2);
    m->tasks = calloc(m->task_room, sizeof *m->tasks);
    m->met = calloc(m->met_room, sizeof *m->met);
    return m->tasks && m->met;
}

void memory_free(Memory *m) {
    arena_free(&m->fixed.arena);
    arena_free(&m->grids);
    free(m->tasks);
    free(m->met);
    free(m->calls);
}

bool memory_full(const Memory *m) {
    return m->grid_bytes + m->met_room * sizeof *m->met + m->call_room * sizeof *m->calls >= GRIDS_MOST;
}

void memory_begin(Memory *m) {
    if (!memory_full(m)) return;
    // What a large block has taken beyond that is given back; else the memory is used again.
    if (m->grids.held < 2 * GRIDS_MOST) arena_reset(&m->grids);
    else arena_free(&m->grids);
    Met **fewer = m->met_room * sizeof *m->met < GRIDS_MOST ? NULL : calloc(FIRST_GRIDS, sizeof *fewer);
    if (fewer) {
        free(m->met);
        m->met = fewer;
        m->met_room = FIRST_GRIDS;
    } else memset(m->met, 0, m->met_room * sizeof *m->met);
    m->met_count = m->grid_bytes = 0;
    memory_forget_calls(m);
}

// ---- Tasks ----

static ReadyTask *place_of_task(ReadyTask *tasks, size_t room, const ts_task *task) {
    size_t at = hash_mix(0, (uintptr_t)task) & (room - 1);
    while (tasks[at].task && tasks[at].task != task) at = (at + 1) & (room - 1);
    return &tasks[at];
}

static bool grow_tasks(Memory *m) {
    size_t room = m->task_room * 2;
    ReadyTask *tasks = calloc(room, sizeof *tasks);
    if (!tasks) return false;
    for (size_t k = 0; k < m->task_room; k++)
        if (m->tasks[k].task) *place_of_task(tasks, room, m->tasks[k].task) = m->tasks[k];
    free(m->tasks);
    m->tasks = tasks;
    m->task_room = room;
    m->last = NULL;
    return true;
}

// As much of a sight as is set. NULL: no memory.
static const PointsSight *keep_sight(Arena *a, const PointsSight *sight) {
    const size_t bytes = offsetof(PointsSight, sizes) + (size_t)sight->size_words * sizeof *sight->sizes;
    PointsSight *kept = arena_alloc(a, bytes);
    if (kept) memcpy(kept, sight, bytes);
    return kept;
}

static bool make_ready(Memory *m, ReadyTask *r, const ts_task *task) {
    Ctx *c = &m->fixed;
    const int count = task->demos + task->tests, side = task_side(task);
    c->failure = TS_FAIL_NONE; // of a task for which memory was short
    Value demos = program_samples(c, task);
    ReadySample *samples = arena_alloc(&c->arena, ((size_t)count + 1) * sizeof *samples);
    if (!samples) return false;
    for (int k = 0; k < count; k++) {
        ReadySample *s = &samples[k];
        *s = (ReadySample){.sample = &task->samples[k], .side = side};
        s->input = value_grid(c, task->samples[k].input);
        if (c->failure) return false;
        if (!m->scores || k >= task->demos) continue;
        Value right = value_grid(c, task->samples[k].output);
        if (c->failure) return false;
        PointsSight sight;
        points_look(value_obj(right), &sight);
        if (!(s->right = keep_sight(&c->arena, &sight))) return false;
        points_look(value_obj(s->input), &sight);
        s->input_points = points_give(&sight, s->right);
    }
    *r = (ReadyTask){.task = task, .demos = demos, .samples = samples};
    return true;
}

const ReadyTask *memory_task(Memory *m, const ts_task *task) {
    if (m->last && m->last->task == task) return m->last;
    if (m->task_count * 2 >= m->task_room && !grow_tasks(m)) return NULL;
    ReadyTask *r = place_of_task(m->tasks, m->task_room, task);
    if (!r->task) {
        if (!make_ready(m, r, task)) return NULL;
        m->task_count++;
    }
    return m->last = r;
}

// ---- Grids ----

static bool grow_met(Memory *m) {
    size_t room = m->met_room * 2;
    Met **met = calloc(room, sizeof *met);
    if (!met) return false;
    for (size_t k = 0; k < m->met_room; k++) {
        if (!m->met[k]) continue;
        size_t at = m->met[k]->hash & (room - 1);
        while (met[at]) at = (at + 1) & (room - 1);
        met[at] = m->met[k];
    }
    free(m->met);
    m->met = met;
    m->met_room = room;
    return true;
}

int32_t memory_score_slow(Met *met) {
    const ReadySample *s = met->sample;
    PointsSight sight;
    points_look(&met->grid, &sight);
    return met->score = points_score(points_give(&sight, s->right), s->input_points);
}

Met *memory_grid(Memory *m, const ReadySample *s, const Obj *grid) {
    const size_t cells = (size_t)grid->n * grid->width;
    uint64_t hash =
        hash_bytes(hash_seed ^ (uintptr_t)s ^ (uint64_t)grid->n << 56 ^ (uint64_t)grid->width << 48,
                   obj_cells(grid), cells);
    size_t at = hash & (m->met_room - 1);
    for (; m->met[at]; at = (at + 1) & (m->met_room - 1)) {
        Met *k = m->met[at];
        if (k->hash == hash && k->sample == s && k->grid.n == grid->n && k->grid.width == grid->width &&
            memcmp(obj_cells(&k->grid), obj_cells(grid), cells) == 0)
            return k;
    }
    if (m->met_count * 2 >= m->met_room) {
        if (!grow_met(m)) return NULL;
        at = hash & (m->met_room - 1);
        while (m->met[at]) at = (at + 1) & (m->met_room - 1);
    }
    Met *met = arena_alloc(&m->grids, sizeof *met + cells);
    if (!met) return NULL;
    const bool is_scored = m->scores && !s->sample->is_test;
    *met = (Met){.hash = hash, .sample = s, .score = is_scored ? -1 : 0, .grid = *grid};
    memcpy(grid_cells(&met->grid), obj_cells(grid), cells);
    m->met[at] = met;
    m->met_count++;
    m->grid_bytes += sizeof *met + cells;
    return met;
}
