// Reads every path of tests/tasks.expect through the public header and compares what comes of it:
//     PATH [--split PART] [--keep-going] => a fragment of the message, or `ok: N tasks, …`
// Runs in the root of the project.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "check.h"

static void count(void *user, const ts_status *problem) {
    (void)problem;
    ++*(int *)user;
}

// What was read, in the words of tasks.expect.
static void summarize(Text *t, const ts_tasks *tasks, int problems) {
    int demos = 0, tests = 0, known = 0;
    for (size_t k = 0; k < ts_tasks_count(tasks); k++) {
        const ts_task *task = ts_tasks_at(tasks, k);
        demos += task->demos;
        tests += task->tests;
        for (int s = task->demos; s < task->demos + task->tests; s++) known += task->samples[s].has_output;
    }
    text_print(t, "ok: %zu tasks, %d demos, %d tests, %d known outputs, %d problems", ts_tasks_count(tasks),
               demos, tests, known, problems);
}

static void check_line(Checks *k, char *line, const char *expected) {
    const char *path = strsep(&line, " "), *split = NULL;
    bool keep_going = false;
    for (char *word; (word = strsep(&line, " "));) {
        if (strcmp(word, "--split") == 0) split = strsep(&line, " ");
        if (strcmp(word, "--keep-going") == 0) keep_going = true;
    }
    int problems = 0;
    ts_status s = {0};
    Text t = {0};
    ts_tasks *tasks = ts_tasks_read(path, split, keep_going, count, &problems, &s);
    if (tasks) summarize(&t, tasks, problems);
    else text_add(&t, s.message);
    check(k, strstr(t.data, expected), "expected '%s', got '%s'", expected, t.data);
    check(k, tasks || s.code != TS_OK, "a failure without a code");
    text_free(&t);
    ts_tasks_free(tasks);
}

int main(void) {
    Checks k = {0};
    Text t = {0};
    ts_status s;
    if (!text_read_file(&t, "tests/tasks.expect", &s)) {
        printf("%s\n0 passed, 1 failed\n", s.message);
        return 1;
    }
    char *rest = t.data;
    for (char *line; (line = strsep(&rest, "\n"));) {
        char *arrow = strstr(line, " => ");
        if (line[0] == '#' || !arrow) continue;
        char *name = strndup(line, (size_t)(arrow - line));
        *arrow = 0;
        check_begin(&k, name);
        check_line(&k, line, arrow + 4);
        check_end(&k);
        free(name);
    }
    text_free(&t);
    return check_summary(&k);
}
