// The set of tasks: entries in the order in which they were read, and an index of their ids.
//
// Workload: 400 to 1,000 tasks, filled once, then looked up. The entries double when full; what they leave
// behind stays in the arena, which at worst doubles their few tens of kilobytes. Invariant: ids differ.
#include "task/task.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static uint32_t hash_of(const char *id, size_t length) { return (uint32_t)hash_bytes(hash_seed, id, length); }

// The number of an id, plus one; 0 where there is none, `at` then being its slot.
static uint32_t find(const ts_tasks *set, const char *id, size_t length, uint32_t hash, uint32_t *at) {
    uint32_t k;
    *at = hash;
    while ((k = index_next(&set->ids, hash, at))) {
        const char *other = set->entries[k - 1].task.id;
        if (strlen(other) == length && memcmp(other, id, length) == 0) break;
    }
    return k;
}

static bool make_room(ts_tasks *set) {
    if (!index_reserve(&set->ids)) return false;
    if (set->count < set->capacity) return true;
    size_t capacity = set->capacity ? set->capacity * 2 : 64;
    TaskEntry *entries = arena_alloc(&set->arena, capacity * sizeof *entries);
    if (!entries) return false;
    if (set->count) memcpy(entries, set->entries, set->count * sizeof *entries);
    set->entries = entries;
    set->capacity = capacity;
    return true;
}

TaskEntry *task_set_find(const ts_tasks *set, const char *id, size_t length) {
    uint32_t at, k = set->count ? find(set, id, length, hash_of(id, length), &at) : 0;
    return k ? &set->entries[k - 1] : NULL;
}

TaskEntry *task_set_add(ts_tasks *set, const char *id, size_t length) {
    uint32_t hash = hash_of(id, length), at;
    if (set->count == UINT32_MAX - 1 || !make_room(set)) return NULL;
    const char *copy = arena_text(&set->arena, id, length);
    if (!copy) return NULL;
    find(set, id, length, hash, &at);
    index_put(&set->ids, at, hash, (uint32_t)set->count);
    TaskEntry *entry = &set->entries[set->count++];
    *entry = (TaskEntry){.task.id = copy};
    return entry;
}

bool task_set_drop_bad(ts_tasks *set) {
    size_t count = set->count;
    index_clear(&set->ids);
    set->count = 0;
    for (size_t k = 0; k < count; k++) {
        if (set->entries[k].bad) continue;
        const TaskEntry entry = set->entries[k];
        const size_t length = strlen(entry.task.id);
        uint32_t hash = hash_of(entry.task.id, length), at;
        if (!index_reserve(&set->ids)) return false;
        find(set, entry.task.id, length, hash, &at);
        index_put(&set->ids, at, hash, (uint32_t)set->count);
        set->entries[set->count++] = entry;
    }
    return true;
}

int task_side(const ts_task *task) {
    for (int k = 0; task->samples && k < task->demos + task->tests; k++) {
        const ts_sample *s = &task->samples[k];
        if (!grid_fits(s->input, GRID_USUAL_SIDE) ||
            (k < task->demos && !grid_fits(s->output, GRID_USUAL_SIDE)))
            return GRID_TASK_SIDE;
    }
    return GRID_USUAL_SIDE;
}

// ---- The public side ----

void ts_tasks_free(ts_tasks *tasks) {
    if (!tasks) return;
    for (ts_tasks *part = tasks->parts, *next; part; part = next) {
        next = part->next;
        ts_tasks_free(part);
    }
    arena_free(&tasks->arena);
    index_free(&tasks->ids);
    free(tasks);
}

size_t ts_tasks_count(const ts_tasks *tasks) { return tasks->count; }

const ts_task *ts_tasks_at(const ts_tasks *tasks, size_t index) {
    return index < tasks->count ? &tasks->entries[index].task : NULL;
}

const ts_task *ts_tasks_find(const ts_tasks *tasks, const char *id) {
    TaskEntry *entry = task_set_find(tasks, id, strlen(id));
    return entry ? &entry->task : NULL;
}
