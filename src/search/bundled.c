// What ships with the engine, laid into the library as text, so that it works anywhere without files: the
// programs of pool/, and the tasks of tasks/ with the programs written for them.
#include <string.h>

#include "base/lay_in.h"
#include "base/status.h"

// BUNDLED_POOL, all files of pool/ as one, and BUNDLED_TASKS, {ID: task, …}, are made by the Makefile.
LAY_IN(bundled_pool, BUNDLED_POOL);
LAY_IN(bundled_tasks, BUNDLED_TASKS);
LAY_IN(bundled_examples, "tasks/solvers.py");

bool ts_programs_bundled(ts_programs *into, ts_status *status) {
    const size_t before = ts_programs_count(into), length = strlen(bundled_pool);
    const bool good = ts_programs_add_text(into, "pool", bundled_pool, length, true, NULL, NULL, status);
    for (size_t k = before; k < ts_programs_count(into); k++) ts_programs_set_found(into, k, true);
    return good;
}

ts_tasks *ts_tasks_bundled(const char *split, ts_status *status) {
    return ts_tasks_read_text("bundled tasks", bundled_tasks, strlen(bundled_tasks), split, status);
}

bool ts_programs_examples(ts_programs *into, ts_status *status) {
    return ts_programs_add_text(into, "tasks/solvers.py", bundled_examples, strlen(bundled_examples), true,
                                NULL, NULL, status);
}
