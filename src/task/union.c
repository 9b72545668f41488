// The tasks of several paths as one set.
//
// Each path is read by itself, into a set that the union keeps: its tasks stay where they are, only the
// entries are copied. A task that is there again, sample for sample, is one; two that differ under one id are
// a problem, which names both files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "task/task.h"

static bool same_output(const ts_sample *a, const ts_sample *b) {
    return a->has_output == b->has_output && (!a->has_output || ts_grid_equal(a->output, b->output));
}

static bool same_task(const ts_task *a, const ts_task *b) {
    bool same = a->demos == b->demos && a->tests == b->tests;
    for (int k = 0; same && k < a->demos + a->tests; k++)
        same = ts_grid_equal(a->samples[k].input, b->samples[k].input) &&
               same_output(&a->samples[k], &b->samples[k]);
    return same;
}

// The file of a path that holds a task.
static void name_file(char *name, size_t size, const char *path, const char *id) {
    struct stat info;
    const bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    const size_t n = strlen(path);
    if (is_folder) snprintf(name, size, "%s%s%s.json", path, n && path[n - 1] == '/' ? "" : "/", id);
    else snprintf(name, size, "%s", path);
}

typedef struct {
    TaskLoad load;
    const char *const *paths;
    ts_tasks **sets; // what was read of each
} Union;

// Notes that the task is another one than the first of its id.
static bool differs(Union *u, size_t path, const ts_task *task) {
    size_t first = 0;
    while (!ts_tasks_find(u->sets[first], task->id)) first++;
    char here[300], there[300];
    name_file(here, sizeof here, u->paths[path], task->id);
    name_file(there, sizeof there, u->paths[first], task->id);
    Status s;
    status_fail(&s, TS_INPUT, "task '%.80s' is in '%s', too, and is another one there", task->id, there);
    status_in_file(&s, here);
    return task_load_problem(&u->load, &s);
}

static bool add_set(Union *u, size_t path) {
    const ts_tasks *set = u->sets[path];
    for (size_t k = 0; k < set->count; k++) {
        const ts_task *task = &set->entries[k].task;
        const size_t length = strlen(task->id);
        TaskEntry *entry = task_set_find(u->load.set, task->id, length);
        if (entry && same_task(&entry->task, task)) continue;
        if (entry) {
            if (!differs(u, path, task)) return false;
            continue; // the first one stays
        }
        if (!(entry = task_set_add(u->load.set, task->id, length))) {
            Status s;
            u->load.fatal = true;
            status_fail(&s, TS_SYSTEM, "no memory for tasks");
            return task_load_problem(&u->load, &s);
        }
        const char *id = entry->task.id;
        *entry = set->entries[k];
        entry->task.id = id;
    }
    return true;
}

// A part that is asked for is that of the paths that have parts: one of them at least.
static bool read_sets(Union *u, size_t count, const TaskOptions *options, Status *status) {
    bool found = !options->split;
    for (size_t k = 0; k < count; k++) {
        bool has_parts = false;
        if (!(u->sets[k] = task_read_path(u->paths[k], options, &has_parts, status))) return false;
        found |= has_parts;
    }
    return found ||
           status_fail(status, TS_USAGE, "there is no part '%.80s', for none of the %zu paths has parts",
                       options->split, count);
}

static ts_tasks *unite(Union *u, size_t count, const TaskOptions *options, Status *status) {
    if (!read_sets(u, count, options, status)) return NULL;
    bool goes_on = task_load_begin(&u->load, options);
    for (size_t k = 0; k < count && goes_on; k++) goes_on = add_set(u, k);
    ts_tasks *whole = task_load_finish(&u->load, u->paths[0], status);
    for (size_t k = 0; whole && k < count; k++) { // which they live as long as
        u->sets[k]->next = whole->parts;
        whole->parts = u->sets[k];
        u->sets[k] = NULL;
    }
    return whole;
}

ts_tasks *ts_tasks_read_all(const char *const *paths, size_t count, const char *split, bool keep_going,
                            ts_report *report, void *user, ts_status *status) {
    if (count == 1) return ts_tasks_read(paths[0], split, keep_going, report, user, status);
    Union u = {.paths = paths, .sets = calloc(count + 1, sizeof *u.sets)};
    ts_tasks *whole = NULL;
    TaskOptions options = {
        .split = split, .part_of_some = true, .keep_going = keep_going, .report = report, .user = user};
    *status = (ts_status){0};
    if (!count) status_fail(status, TS_USAGE, "there is no path to read tasks from");
    else if (!u.sets) status_fail(status, TS_SYSTEM, "no memory for tasks");
    else whole = unite(&u, count, &options, status);
    for (size_t k = 0; u.sets && k < count; k++) ts_tasks_free(u.sets[k]);
    free(u.sets);
    return whole;
}
