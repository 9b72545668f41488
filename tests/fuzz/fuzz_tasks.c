// Fuzzes the reader of tasks, and holds its fast path against the plain one.
//
// The input is a text of tasks; after a zero byte, which no JSON may hold, may follow the text of its
// solutions. Each is read four ways (all parts or one, stopping or going on), each way by the fast and by the
// plain path: they have to give the same tasks, or the same problems at the same places.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "task/task.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t hash_text(uint64_t h, const char *text) { return hash_bytes(h, text, strlen(text)); }

static uint64_t hash_status(uint64_t h, const ts_status *s) {
    h = hash_mix(hash_mix(h, (uint64_t)s->code), (uint64_t)s->line << 32 | (uint64_t)s->column);
    return hash_text(hash_text(hash_text(h, s->file), s->message), s->excerpt);
}

static void note(void *user, const ts_status *problem) {
    uint64_t *h = user;
    *h = hash_status(*h, problem);
}

static uint64_t hash_grid(uint64_t h, ts_grid g) {
    if (g.height < 1 || g.height > 30 || g.width < 1 || g.width > 30) abort();
    for (int k = 0; k < g.height * g.width; k++)
        if (g.cells[k] < 0 || g.cells[k] > 9) abort();
    return hash_bytes(hash_mix(h, (uint64_t)(g.height * 31 + g.width)), g.cells,
                      (size_t)(g.height * g.width));
}

static uint64_t hash_tasks(uint64_t h, const ts_tasks *tasks) {
    if (ts_tasks_count(tasks) == 0) abort();
    for (size_t k = 0; k < ts_tasks_count(tasks); k++) {
        const ts_task *task = ts_tasks_at(tasks, k);
        if (ts_tasks_find(tasks, task->id) != task || task->demos < 1 || task->tests < 1) abort();
        h = hash_text(h, task->id);
        for (int n = 0; n < task->demos + task->tests; n++) {
            const ts_sample *sample = &task->samples[n];
            if (sample->is_test != (n >= task->demos) || (!sample->is_test && !sample->has_output)) abort();
            h = hash_grid(h, sample->input);
            if (sample->has_output) h = hash_grid(h, sample->output);
        }
    }
    return h;
}

// A hash over all that a reading gives.
static uint64_t read_once(const TaskSource *tasks, const TaskSource *solutions, TaskOptions options) {
    uint64_t h = 0;
    options.report = note;
    options.user = &h;
    ts_status status;
    ts_tasks *read = task_read_text(tasks, solutions, "id", &options, &status);
    if (!read && (status.code == TS_OK || !status.message[0])) abort();
    h = read ? hash_tasks(h, read) : hash_status(h, &status);
    ts_tasks_free(read);
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *zero = size ? memchr(data, 0, size) : NULL;
    size_t first = zero ? (size_t)(zero - (const char *)data) : size;
    // Copies of just the right size, so that the sanitizer sees a read beyond the end.
    char *text = malloc(first + 1), *more = zero ? malloc(size - first) : NULL;
    if (!text || (zero && !more)) abort();
    if (first) memcpy(text, data, first);
    if (zero) memcpy(more, zero + 1, size - first - 1);
    text = realloc(text, first ? first : 1);
    TaskSource tasks = {.name = "tasks", .text = text, .length = first};
    TaskSource solutions = {.name = "solutions", .text = more, .length = zero ? size - first - 1 : 0};
    for (int way = 0; way < 4; way++) {
        TaskOptions options = {.split = way & 1 ? "train" : NULL, .keep_going = way & 2};
        uint64_t fast = read_once(&tasks, zero ? &solutions : NULL, options);
        options.plain = true;
        if (fast != read_once(&tasks, zero ? &solutions : NULL, options)) abort();
    }
    free(text);
    free(more);
    return 0;
}
