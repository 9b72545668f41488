// Tasks from a text in memory.
#include "task/task.h"

ts_tasks *ts_tasks_read_text(const char *name, const char *text, size_t length, const char *split,
                             ts_status *status) {
    TaskSource source = {.name = name, .text = text, .length = length};
    TaskOptions options = {.split = split};
    return task_read_text(&source, NULL, name, &options, status);
}
