// Reads every path of tests/tasks.expect through the public header and compares what comes of it:
//     PATH [PATH…] [--split PART] [--keep-going] => a fragment of the message, or `ok: N tasks, …`
// Runs in the root of the project.
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    enum { MOST_PATHS = 8 };
    const char *paths[MOST_PATHS], *split = NULL;
    size_t path_count = 0;
    bool keep_going = false;
    for (char *word; (word = strsep(&line, " "));) {
        if (strcmp(word, "--split") == 0) split = strsep(&line, " ");
        else if (strcmp(word, "--keep-going") == 0) keep_going = true;
        else if (path_count < MOST_PATHS) paths[path_count++] = word;
    }
    int problems = 0;
    ts_status s = {0};
    Text t = {0};
    ts_tasks *tasks = ts_tasks_read_all(paths, path_count, split, keep_going, count, &problems, &s);
    if (tasks) summarize(&t, tasks, problems);
    else text_add(&t, s.message);
    check(k, strstr(t.data, expected), "expected '%s', got '%s'", expected, t.data);
    check(k, tasks || s.code != TS_OK, "a failure without a code");
    text_free(&t);
    ts_tasks_free(tasks);
}

// ---- Many tasks ----
//
// Times are processor times, compared with that of reading the good tasks: about the same, or, where there
// is work for each pair of tasks, a hundred times as much.

static const char good[] = "{\"train\":[{\"input\":[[0]],\"output\":[[0]]}],\"test\":[{\"input\":[[0]]}]}";

static ts_tasks *read_many(const char *last, int many, int *problems, double *seconds) {
    Text t = {0};
    text_print(&t, "{\"t\":%s", good);
    for (int k = 0; k < many; k++) text_print(&t, ",\"t%d\":%s", k, last);
    text_char(&t, '}');
    char path[] = "/tmp/tessera-tasks-XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || write(file, t.data, t.length) != (ssize_t)t.length) abort();
    close(file);
    text_free(&t);
    ts_status s;
    clock_t start = clock();
    ts_tasks *tasks = ts_tasks_read(path, NULL, true, count, problems, &s);
    *seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    unlink(path);
    return tasks;
}

static void test_many(Checks *k) {
    enum { MANY = 200000, ANSWERED = 30000, FACTOR = 20 };
    int problems = 0;
    double reading, failing, submitting;
    check_begin(k, "many problems on one line");
    ts_tasks *tasks = read_many(good, MANY, &problems, &reading);
    check(k, tasks && ts_tasks_count(tasks) == MANY + 1 && !problems, "%d problems", problems);
    ts_tasks *few =
        read_many("{\"train\":[{\"input\":[[0]],\"output\":[[10]]}],\"test\":[{\"input\":[[0]]}]}", MANY,
                  &problems, &failing);
    check(k, few && ts_tasks_count(few) == 1 && problems == MANY, "%d problems", problems);
    check(k, failing < FACTOR * reading, "%.3f s, good ones %.3f s", failing, reading);
    ts_tasks_free(few);
    ts_tasks_free(tasks);
    check_end(k);

    tasks = read_many(good, ANSWERED, &problems, &reading);
    check_begin(k, "a submission for many tasks");
    const ts_task **all = calloc(ANSWERED + 1, sizeof *all);
    if (!all) abort();
    for (size_t n = 0; n <= ANSWERED; n++) all[n] = ts_tasks_at(tasks, ANSWERED - n); // the last first
    ts_status s = {0};
    ts_submission *answers = ts_submission_new(all, ANSWERED + 1, &s);
    char *text = answers ? ts_submission_print(answers) : NULL;
    for (size_t n = 0; n <= ANSWERED; n++) all[n] = ts_tasks_at(tasks, n);
    clock_t start = clock();
    ts_submission *again =
        text ? ts_submission_read_text("", text, strlen(text), all, ANSWERED + 1, &s) : NULL;
    submitting = (double)(clock() - start) / CLOCKS_PER_SEC;
    check(k, again, "%s", s.message);
    check(k, submitting < FACTOR * reading, "%.3f s, the tasks themselves %.3f s", submitting, reading);
    ts_submission_free(answers);
    ts_submission_free(again);
    free(text);
    free(all);
    ts_tasks_free(tasks);
    check_end(k);
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
    test_many(&k);
    return check_summary(&k);
}
