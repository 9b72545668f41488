// The set of tasks: entries in the order in which they were read, and a hash table over their ids.
//
// Workload: 400 to 1,000 tasks, filled once, then looked up. The entries and the table double when full; what
// they leave behind stays in the arena, which at worst doubles their few tens of kilobytes.
// Invariants: ids differ; the table is never more than half full.
#include "task/task.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static uint32_t *slot_of(const ts_tasks *set, const char *id, size_t length) {
    size_t mask = set->slot_count - 1;
    for (size_t k = hash_bytes(0, id, length) & mask;; k = (k + 1) & mask) {
        uint32_t *slot = &set->slots[k];
        if (*slot == 0) return slot;
        const char *other = set->entries[*slot - 1].task.id;
        if (strlen(other) == length && memcmp(other, id, length) == 0) return slot;
    }
}

// Fills a table of `count` slots with all entries.
static bool build_table(ts_tasks *set, size_t count) {
    uint32_t *slots = arena_alloc(&set->arena, count * sizeof *slots);
    if (!slots) return false;
    memset(slots, 0, count * sizeof *slots);
    set->slots = slots;
    set->slot_count = count;
    for (size_t k = 0; k < set->count; k++) {
        const char *id = set->entries[k].task.id;
        *slot_of(set, id, strlen(id)) = (uint32_t)(k + 1);
    }
    return true;
}

static bool make_room(ts_tasks *set) {
    if (set->count < set->capacity) return true;
    size_t capacity = set->capacity ? set->capacity * 2 : 64;
    TaskEntry *entries = arena_alloc(&set->arena, capacity * sizeof *entries);
    if (!entries) return false;
    if (set->count) memcpy(entries, set->entries, set->count * sizeof *entries);
    set->entries = entries;
    set->capacity = capacity;
    return build_table(set, capacity * 2);
}

TaskEntry *task_set_find(const ts_tasks *set, const char *id, size_t length) {
    if (!set->slot_count) return NULL;
    uint32_t slot = *slot_of(set, id, length);
    return slot ? &set->entries[slot - 1] : NULL;
}

TaskEntry *task_set_add(ts_tasks *set, const char *id, size_t length) {
    if (set->count == UINT32_MAX - 1 || !make_room(set)) return NULL;
    const char *copy = arena_text(&set->arena, id, length);
    if (!copy) return NULL;
    TaskEntry *entry = &set->entries[set->count++];
    *entry = (TaskEntry){.task.id = copy};
    *slot_of(set, id, length) = (uint32_t)set->count;
    return entry;
}

bool task_set_drop_bad(ts_tasks *set) {
    size_t kept = 0;
    for (size_t k = 0; k < set->count; k++)
        if (!set->entries[k].bad) set->entries[kept++] = set->entries[k];
    if (kept == set->count) return true;
    set->count = kept;
    return build_table(set, set->slot_count);
}

// ---- The public side ----

void ts_tasks_free(ts_tasks *tasks) {
    if (!tasks) return;
    arena_free(&tasks->arena);
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

bool ts_grid_equal(ts_grid a, ts_grid b) {
    if (a.height != b.height || a.width != b.width) return false;
    size_t cells = (size_t)a.height * (size_t)a.width;
    return cells == 0 || memcmp(a.cells, b.cells, cells) == 0;
}
