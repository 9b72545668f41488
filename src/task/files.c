// Tasks from the disk: what a path stands for, and what belongs to it.
//
//     a folder             every ID.json in it, by name; folders and what begins with '.' are passed over
//     a file               one task (its id is the file's name), tasks by id, or parts of tasks by id
//     *challenges*.json    tasks by id; *solutions*.json beside it, where there is one, has the outputs
//
// Workload: one file of some megabytes, or 400 to 1,000 files of some kilobytes. One text is in memory at a
// time.
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "task/task.h"

// ---- A reading in progress ----

bool task_load_begin(TaskLoad *load, const TaskOptions *options) {
    *load = (TaskLoad){.options = *options, .set = calloc(1, sizeof *load->set)};
    if (load->set) {
        arena_init(&load->set->arena, TASK_BYTES);
        return true;
    }
    load->fatal = true;
    Status s;
    status_fail(&s, TS_SYSTEM, "no memory for tasks");
    return task_load_problem(load, &s);
}

bool task_load_goes_on(const TaskLoad *load) {
    return load->problems == 0 || (load->options.keep_going && !load->fatal);
}

bool task_load_problem(TaskLoad *load, const Status *problem) {
    if (load->problems++ == 0 || load->fatal) load->first = *problem;
    bool goes_on = task_load_goes_on(load);
    if (goes_on && load->options.report) load->options.report(load->options.user, problem);
    return goes_on;
}

ts_tasks *task_load_finish(TaskLoad *load, const char *what, Status *status) {
    ts_tasks *set = load->set;
    load->set = NULL;
    *status = (Status){0};
    if (!task_load_goes_on(load)) {
        *status = load->first;
    } else if (!task_set_drop_bad(set)) {
        status_fail(status, TS_SYSTEM, "no memory for tasks");
    } else if (set->count == 0 && load->problems) {
        Status s;
        status_fail(&s, TS_INPUT, "no task could be read: %s", load->first.message);
        *status = load->first;
        memcpy(status->message, s.message, sizeof s.message);
    } else if (set->count == 0) {
        status_fail(status, TS_INPUT, "there are no tasks in '%s'", what);
    } else {
        return set;
    }
    ts_tasks_free(set);
    return NULL;
}

ts_tasks *task_read_text(const TaskSource *tasks, const TaskSource *solutions, const char *id,
                         const TaskOptions *options, Status *status) {
    TaskLoad load;
    if (task_load_begin(&load, options) && task_load_text(&load, tasks, id, false) && load.many && solutions)
        task_load_solutions(&load, solutions);
    return task_load_finish(&load, tasks->name, status);
}

// ---- Paths ----

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_json(const char *name) {
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

// The file name without ".json", yours to free.
static char *id_of(const char *path) {
    const char *name = strcmp(path, "-") == 0 ? "stdin" : base_name(path);
    return strndup(name, strlen(name) - (is_json(name) ? 5 : 0));
}

// Where the solutions of a challenges file would lie, yours to free: the last "challenges" of its name
// becomes "solutions". NULL where the name has none.
static char *solutions_path(const char *path) {
    static const char word[] = "challenges";
    const char *found = NULL;
    for (const char *at = base_name(path); (at = strstr(at, word)); at++) found = at;
    char *other = NULL;
    if (found && asprintf(&other, "%.*ssolutions%s", (int)(found - path), path, found + strlen(word)) < 0)
        return NULL;
    return other;
}

// ---- Files and folders ----

// `found`: in a folder, where it has to be an ordinary file and one task.
static bool load_file(TaskLoad *load, const char *path, Text *text, bool found) {
    Status s;
    text_clear(text);
    bool good = found ? text_read_found(text, path, &s) : text_read_file(text, path, &s);
    if (!good) return task_load_problem(load, &s);
    char *id = id_of(path);
    if (!id) {
        load->fatal = true;
        status_fail(&s, TS_SYSTEM, "no memory to read '%s'", path);
        return task_load_problem(load, &s);
    }
    TaskSource source = {.name = path, .text = text->data, .length = text->length};
    bool goes_on = task_load_text(load, &source, id, found);
    free(id);
    return goes_on;
}

// The solutions beside a challenges file, where there are any. One that cannot be read ends the reading:
// tasks without their outputs would pass for tasks that never had any.
static bool load_solutions_beside(TaskLoad *load, const char *path, Text *text) {
    char *beside = load->many ? solutions_path(path) : NULL;
    struct stat info;
    bool goes_on = true;
    if (beside && (stat(beside, &info) == 0 || errno != ENOENT)) {
        Status s;
        text_clear(text);
        if (text_read_found(text, beside, &s)) {
            goes_on = task_load_solutions(
                load, &(TaskSource){.name = beside, .text = text->data, .length = text->length});
        } else {
            load->fatal = true;
            goes_on = task_load_problem(load, &s);
        }
    }
    free(beside);
    return goes_on;
}

static int is_task_file(const struct dirent *entry) {
    return entry->d_name[0] != '.' && is_json(entry->d_name);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool load_folder_entry(TaskLoad *load, const char *folder, const char *name, Text *text) {
    char *path = NULL;
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    Status s;
    if (asprintf(&path, "%s%s%s", folder, slash, name) < 0) {
        load->fatal = true;
        status_fail(&s, TS_SYSTEM, "no memory to read '%s'", folder);
        return task_load_problem(load, &s);
    }
    struct stat info;
    bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    bool goes_on = is_folder || load_file(load, path, text, true);
    free(path);
    return goes_on;
}

static bool load_folder(TaskLoad *load, const char *folder, Text *text) {
    Status s;
    if (load->options.split && !load->options.part_of_some) {
        load->fatal = true;
        status_fail(&s, TS_USAGE, "there is no part '%.80s', for '%.300s' is a folder", load->options.split,
                    folder);
        return task_load_problem(load, &s);
    }
    struct dirent **entries;
    int count = scandir(folder, &entries, is_task_file, by_name);
    if (count < 0) {
        status_fail(&s, TS_SYSTEM, "cannot read the folder '%.300s': %s", folder, strerror(errno));
        return task_load_problem(load, &s);
    }
    bool goes_on = true;
    for (int k = 0; k < count; k++) {
        goes_on = goes_on && load_folder_entry(load, folder, entries[k]->d_name, text);
        free(entries[k]);
    }
    free(entries);
    if (count == 0) {
        status_fail(&s, TS_INPUT, "the folder '%.300s' has no file ID.json", folder);
        return task_load_problem(load, &s);
    }
    return goes_on;
}

ts_tasks *task_read_path(const char *path, const TaskOptions *options, bool *has_parts, Status *status) {
    TaskLoad load;
    Text text = {0};
    struct stat info;
    if (task_load_begin(&load, options)) {
        if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) load_folder(&load, path, &text);
        else if (load_file(&load, path, &text, false)) load_solutions_beside(&load, path, &text);
    }
    text_free(&text);
    *has_parts = load.parts;
    return task_load_finish(&load, path, status);
}

ts_tasks *ts_tasks_read(const char *path, const char *split, bool keep_going, ts_report *report, void *user,
                        ts_status *status) {
    TaskOptions options = {.split = split, .keep_going = keep_going, .report = report, .user = user};
    bool has_parts;
    return task_read_path(path, &options, &has_parts, status);
}
