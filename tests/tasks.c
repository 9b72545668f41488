// Reads every path of tests/tasks.expect through the public header and compares what comes of it:
//     PATH [PATH…] [--split PART] [--keep-going] => a fragment of the message, or `ok: N tasks, …`
// Runs in the root of the project.
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/text.h"
#include "check.h"
#include "task/task.h"

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

// ---- The fast path ----
//
// Texts of tasks in two parts, most of them spoilt somewhere, read by the fast and by the plain path: both
// have to give the same tasks, or the same problems at the same places.

static void write_grid(Rng *rng, Text *t, bool blanks) {
    const uint32_t most = rng_below(rng, 8)   ? 12
                          : rng_below(rng, 8) ? 33
                                              : 128,
                   height = 1 + rng_below(rng, most), width = 1 + rng_below(rng, most);
    for (uint32_t i = 0; i < height; i++) {
        text_add(t, i ? ",[" : "[[");
        for (uint32_t j = 0; j < width; j++) {
            if (j) text_add(t, ",");
            if (blanks && rng_below(rng, 9) == 0) text_add(t, "\n ");
            text_print(t, "%u", rng_below(rng, 10));
        }
        text_add(t, "]");
    }
    text_add(t, "]");
}

static void write_samples(Rng *rng, Text *t, const char *name, bool blanks) {
    text_print(t, "\"%s\":[", name);
    for (uint32_t k = 0, n = 1 + rng_below(rng, 2); k < n; k++) {
        text_add(t, k ? ",{\"input\":" : "{\"input\":");
        write_grid(rng, t, blanks);
        text_add(t, blanks ? ", \"output\" : " : ",\"output\":");
        write_grid(rng, t, blanks);
        if (rng_below(rng, 20) == 0) text_add(t, ",\"note\":{\"a\":[1,[2,{}],\"\\u00e9 é\",12,-1.5e3,null]}");
        text_add(t, "}");
    }
    text_add(t, "]");
}

static void write_parts(Rng *rng, Text *t) {
    const bool blanks = rng_below(rng, 4) == 0;
    static const char *const parts[] = {"{\"train\":{", "},\"eval\":{"};
    for (int part = 0; part < 2; part++) {
        text_add(t, parts[part]);
        for (uint32_t k = 0, n = 1 + rng_below(rng, 3); k < n; k++) {
            text_print(t, "%s\"%d%u\":{", k ? "," : "", part, rng_below(rng, 6));
            write_samples(rng, t, "train", blanks);
            text_add(t, ",");
            write_samples(rng, t, "test", blanks);
            text_add(t, "}");
        }
    }
    text_add(t, "}}");
}

// Bytes of the text replaced, taken out, or put in, or its end cut off.
static void spoil(Rng *rng, Text *t) {
    static const char bytes[] = "0123456789,,,[[]]{}\"\"::  \n\tnulltrue.e-+\\\x01\x7F\x80\xC3\xA9";
    for (uint32_t n = rng_below(rng, 4); n > 0; n--) {
        size_t at = rng_below(rng, (uint32_t)t->length);
        if (rng_below(rng, 2)) // strings are few
            while (at > 0 && t->data[at - 1] != '"') at--;
        if (at > 1 && rng_below(rng, 4) == 0) at -= 2; // what is before the quote, more than once
        const char byte = rng_below(rng, 2) ? t->data[at] : bytes[rng_below(rng, sizeof bytes - 1)];
        switch (rng_below(rng, 8)) {
        case 0:
            memmove(t->data + at, t->data + at + 1, t->length - at);
            t->length--;
            break;
        case 1:
        case 2:
            text_char(t, 0);
            memmove(t->data + at + 1, t->data + at, t->length - at - 1);
            t->data[at] = byte;
            break;
        case 3: t->length = rng_below(rng, 4) ? t->length : at + 1; break;
        default: t->data[at] = byte;
        }
    }
}

static void note(void *user, const ts_status *s) {
    text_print(user, "%s:%d:%d: %s|%s|%d\n", s->file, s->line, s->column, s->message, s->excerpt,
               (int)s->code);
}

static void read_by(const Text *text, TaskOptions options, Text *said) {
    // A copy of just the right size, so that a sanitizer sees a read beyond the end.
    char *copy = malloc(text->length ? text->length : 1);
    if (!copy) abort();
    memcpy(copy, text->data, text->length);
    const TaskSource source = {.name = "text", .text = copy, .length = text->length};
    options.report = note;
    options.user = said;
    ts_status status;
    ts_tasks *tasks = task_read_text(&source, NULL, "id", &options, &status);
    if (!tasks) note(said, &status);
    for (size_t k = 0; tasks && k < ts_tasks_count(tasks); k++) {
        const ts_task *task = ts_tasks_at(tasks, k);
        text_print(said, "%s %d %d\n", task->id, task->demos, task->tests);
        for (int s = 0; s < task->demos + task->tests; s++) {
            const ts_grid grids[] = {task->samples[s].input, task->samples[s].output};
            for (int side = 0; side < 1 + task->samples[s].has_output; side++) {
                text_print(said, "%d %d\n", grids[side].height, grids[side].width);
                for (int cell = 0; cell < grids[side].height * grids[side].width; cell++)
                    text_char(said, (char)('0' + grids[side].cells[cell]));
            }
        }
    }
    ts_tasks_free(tasks);
    free(copy);
}

// Reads a text in four ways by both paths; whether there was no problem.
static bool compare_paths(Checks *k, const Text *text) {
    bool good_ones = true;
    for (int way = 0; way < 4; way++) {
        Text fast = {0}, plain = {0};
        TaskOptions options = {.split = way & 1 ? "train" : NULL, .keep_going = way & 2};
        read_by(text, options, &fast);
        options.plain = true;
        read_by(text, options, &plain);
        check(k, fast.length == plain.length && memcmp(fast.data, plain.data, fast.length) == 0,
              "'%.300s', not '%.300s'", fast.data, plain.data);
        good_ones &= strstr(fast.data, "text:") == NULL;
        text_free(&fast);
        text_free(&plain);
    }
    return good_ones;
}

// What has gone wrong once, or might: each behind a part that is good, in one that may be passed over.
static const char *const hard[] = {
    "{\"a\":{\"train\":[{{\"input\":[[1]],\"output\":[[1]]},{}]}}",
    "{\"a\":{{\"train\":[]}}}",
    "{\"a\":{\"train\":[{\"input\":[[1]],\"output\":[[1]]}{\"input\":[[1]],\"output\":[[1]]}]}}",
    "{\"a\":{\"train\":[[[1,2]]:{}]}}",
    "{\"a\":{\"b\":12,\"c\":01}}",
    "{\"a\":{\"b\nc\":1}}",
    "{\"a\":{\"b\":[1,2,]}}",
    "{\"a\":{\"b\":1,}}",
    "{\"a\":{\"b\":{}}{}}",
    "{\"a\" {\"b\":{}}}",
    "{\"a\":{\"b\":\"\xC3\xA9\"}} {}",
};

static void test_paths(Checks *k) {
    enum { TEXTS = 1000 };
    check_begin(k, "texts that are hard for the fast path");
    for (size_t n = 0; n < sizeof hard / sizeof *hard; n++) {
        Text text = {0};
        text_print(&text, "{\"train\":{\"0\":%s},\"eval\":%s}", good, hard[n]);
        compare_paths(k, &text);
        text_free(&text);
    }
    check_end(k);
    int good_ones = 0;
    check_begin(k, "the fast path reads what the plain one does");
    for (uint64_t seed = 0; seed < TEXTS; seed++) {
        Rng rng = {seed};
        Text text = {0};
        write_parts(&rng, &text);
        spoil(&rng, &text);
        good_ones += compare_paths(k, &text);
        text_free(&text);
    }
    check(k, good_ones > TEXTS / 10 && good_ones < TEXTS * 9 / 10, "%d texts without a problem", good_ones);
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
    test_paths(&k);
    return check_summary(&k);
}
