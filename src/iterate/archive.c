// The archive: what the pool has for each task, as parents are picked from it.
//
// It follows the view of the pool: each program that the view gets is looked up with all its scores, and a
// score that a round stores is noted at once. Of the near-winners of a task it holds the best, one for each
// behaviour on the demos, in the order in which the pool keeps them: so none of them is one that the pool has
// dropped for a better one.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "iterate/iterate.h"
#include "mutate/mutator.h"

// ---- Tasks and entries by their names ----

static uint32_t hash_text(const char *text) { return (uint32_t)hash_bytes(hash_seed, text, strlen(text)); }

static bool index_tasks(ts_iterate *it) {
    for (size_t k = 0; k < it->count; k++) {
        uint32_t hash = hash_text(it->tasks[k]->id), at = hash;
        if (!index_reserve(&it->task_index)) return false;
        while (index_next(&it->task_index, hash, &at)) {}
        index_put(&it->task_index, at, hash, (uint32_t)k);
    }
    return true;
}

static size_t find_task(const ts_iterate *it, const char *id) {
    uint32_t hash = hash_text(id), at = hash, k;
    while (it->task_index.slots && (k = index_next(&it->task_index, hash, &at)))
        if (strcmp(it->tasks[k - 1]->id, id) == 0) return k - 1;
    return SIZE_MAX;
}

static size_t find_entry(const ts_iterate *it, const char *hash_of) {
    uint32_t hash = hash_text(hash_of), at = hash, k;
    while (it->entry_index.slots && (k = index_next(&it->entry_index, hash, &at)))
        if (strcmp(it->view.entries[k - 1].hash, hash_of) == 0) return k - 1;
    return SIZE_MAX;
}

size_t archive_entry_of(const ts_iterate *it, size_t program) {
    const ts_pool_view *v = &it->view;
    for (size_t n = 0; n < v->count; n++) { // where it is, or behind that: some programs could not be read
        const size_t at = (program + n) % v->count;
        if (v->entries[at].program == (ptrdiff_t)program) return at;
    }
    return SIZE_MAX;
}

size_t archive_program(const ts_iterate *it, const char *hash) {
    const size_t entry = find_entry(it, hash);
    const bool is_there = entry != SIZE_MAX && it->view.entries[entry].program >= 0;
    return is_there ? (size_t)it->view.entries[entry].program : SIZE_MAX;
}

// ---- Near-winners ----

static bool is_better(const Near *a, const Near *b) {
    if (a->score != b->score) return a->score > b->score;
    return a->lines != b->lines ? a->lines < b->lines : a->hash < b->hash;
}

// Which of two that do the same the pool keeps.
static bool replaces(const Near *a, const Near *b) {
    return a->lines != b->lines ? a->lines < b->lines : is_better(a, b);
}

static void add_near(IterateKnown *known, Near new) {
    size_t at = known->near_count;
    for (size_t k = 0; k < known->near_count; k++)
        if (known->near[k].program == new.program || known->near[k].behaviour == new.behaviour) at = k;
    if (at < known->near_count) {
        if (known->near[at].program != new.program && !replaces(&new, &known->near[at])) return;
    } else if (at == ARCHIVE_NEAR) {
        at = 0;
        for (size_t k = 1; k < ARCHIVE_NEAR; k++)
            if (is_better(&known->near[at], &known->near[k])) at = k;
        if (!is_better(&new, &known->near[at])) return;
    } else known->near_count++;
    known->near[at] = new;
}

const Near *archive_pick(const ts_iterate *it, size_t task, Rng *rng) {
    const IterateKnown *known = &it->known[task];
    const Near *left[ARCHIVE_NEAR];
    size_t n = known->near_count;
    if (!n) return NULL;
    for (size_t k = 0; k < n; k++) left[k] = &known->near[k];
    int order[TS_POOL_DEMOS], demos = left[0]->demos;
    for (int k = 0; k < demos; k++) order[k] = k;
    for (int k = demos - 1; k > 0; k--) {
        int other = (int)rng_below(rng, (uint32_t)k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    for (int k = 0; k < demos && n > 1; k++) {
        int best = 0;
        size_t stay = 0;
        for (size_t j = 0; j < n; j++)
            if (left[j]->points[order[k]] > best) best = left[j]->points[order[k]];
        for (size_t j = 0; j < n; j++)
            if (left[j]->points[order[k]] == best) left[stay++] = left[j];
        n = stay;
    }
    return left[rng_below(rng, (uint32_t)n)];
}

// ---- Taking in ----

static bool add_source(ts_iterate *it, size_t entry) {
    if (it->is_source[entry]) return true;
    if (it->source_count == it->source_room) {
        size_t room = it->source_room ? 2 * it->source_room : 256;
        size_t *grown = realloc(it->sources, room * sizeof *grown);
        if (!grown) return false;
        it->sources = grown;
        it->source_room = room;
    }
    it->is_source[entry] = true;
    it->sources[it->source_count++] = (size_t)it->view.entries[entry].program;
    return true;
}

typedef struct {
    ts_iterate *it;
    size_t entry;
    bool good;
} Taking;

static void take_score(void *user, const char *id, const ts_pool_score *score) {
    Taking *t = user;
    ts_iterate *it = t->it;
    size_t task = find_task(it, id);
    const bool solved = score->demos_right == score->demos;
    if (solved) t->good = t->good && add_source(it, t->entry);
    if (solved || task == SIZE_MAX) return;
    const ts_pool_entry *e = &it->view.entries[t->entry];
    Near near = {.program = (size_t)e->program,
                 .score = score->score,
                 .lines = e->size,
                 .hash = strtoull(e->hash, NULL, 16),
                 .behaviour = score->behaviour ? score->behaviour : t->entry + 1,
                 .demos = score->each ? (score->demos < TS_POOL_DEMOS ? score->demos : TS_POOL_DEMOS) : 0};
    memcpy(near.points, score->points, sizeof near.points);
    add_near(&it->known[task], near);
}

static bool take_entry(ts_iterate *it, size_t entry, Status *s) {
    const ts_pool_entry *e = &it->view.entries[entry];
    Taking taking = {it, entry, true};
    uint32_t hash = hash_text(e->hash), at = hash;
    if (!index_reserve(&it->entry_index)) return false;
    while (index_next(&it->entry_index, hash, &at)) {}
    index_put(&it->entry_index, at, hash, (uint32_t)entry);
    if (e->program < 0) return true;
    OpOrigin language = mutator_origin(&it->view.programs->programs[e->program]);
    if (language > it->language) it->language = language;
    if (e->pinned && !add_source(it, entry)) return false;
    return (!e->task || ts_pool_scores(it->pool, e->hash, take_score, &taking, s)) && taking.good;
}

bool archive_refresh(ts_iterate *it, Status *s) {
    if (!it->task_index.slots && !index_tasks(it)) return false;
    if (!ts_pool_load(it->pool, NULL, &it->view, s) ||
        !ts_pool_read(it->pool, &it->view, NULL, 0, it->options.report, it->options.user, s))
        return false;
    bool *grown = it->seen < it->view.count ? realloc(it->is_source, it->view.count * sizeof *grown) : NULL;
    if (it->seen < it->view.count && !grown) return false;
    if (grown) {
        it->is_source = grown;
        memset(grown + it->seen, 0, (it->view.count - it->seen) * sizeof *grown);
    }
    for (; it->seen < it->view.count; it->seen++)
        if (!take_entry(it, it->seen, s)) return false;
    return true;
}

void archive_count_originals(ts_iterate *it) {
    it->originals = 0;
    for (size_t k = 0; k < it->seen && it->view.entries[k].id <= it->last_original; k++)
        it->originals += it->is_source[k];
}

void archive_note(ts_iterate *it, size_t task, const char *hash, const ts_pool_score *score) {
    size_t entry = find_entry(it, hash);
    if (entry == SIZE_MAX || it->view.entries[entry].program < 0) return;
    Taking taking = {it, entry, true};
    take_score(&taking, it->tasks[task]->id, score);
}

void archive_forget(ts_iterate *it) {
    ts_pool_view_free(&it->view);
    it->view = (ts_pool_view){0};
    it->seen = it->source_count = it->next_unscored = 0;
    index_clear(&it->entry_index);
    for (size_t k = 0; k < it->count; k++) it->known[k].near_count = 0;
}

void archive_free(ts_iterate *it) {
    ts_pool_view_free(&it->view);
    index_free(&it->entry_index);
    index_free(&it->task_index);
    free(it->is_source);
    free(it->sources);
}
