// Fuzzes the judge. The first byte chooses: even, the rest are lines of JSON, each of which has one answer,
// the same alone and among others, and JSON itself; odd, the rest is the text of a program, of which the
// judge says what an engine says.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "task/json.h"
#include "tessera.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { UNITS = 20 * 1000 };

static const char tasks_text[] =
    "{\"a\": {\"train\": [{\"input\": [[1, 2], [3, 4]], \"output\": [[2, 1], [4, 3]]}, {\"input\": [[0, 5, "
    "5]], "
    "\"output\": [[5, 5, 0]]}], \"test\": [{\"input\": [[1]]}]}, \"b\": {\"train\": [{\"input\": [[0]], "
    "\"output\": [[7]]}], \"test\": [{\"input\": [[1]], \"output\": [[2]]}]}}";

static const ts_tasks *tasks(void) {
    static ts_tasks *set;
    ts_status s;
    if (!set) set = ts_tasks_read_text("fuzz", tasks_text, sizeof tasks_text - 1, NULL, &s);
    if (!set) abort();
    return set;
}

static ts_judge *new_judge(bool outputs) {
    ts_status s;
    ts_judge *judge = ts_judge_new(
        &(ts_judge_options){.units = UNITS, .tests = true, .outputs = outputs, .errors = outputs}, &s);
    if (!judge) abort();
    return judge;
}

// ---- Lines ----

static bool open(void *user, char bracket, size_t at) { return (void)user, (void)at, bracket != 0; }
static bool close(void *user, size_t at) { return (void)user, (void)at, true; }
static bool key(void *user, const char *text, size_t length, size_t at) {
    return (void)user, (void)text, (void)length, (void)at, true;
}
static bool scalar(void *user, TaskJsonScalar kind, const char *text, size_t length, size_t at) {
    return (void)user, (void)kind, (void)text, (void)length, (void)at, true;
}

static bool is_blank(const char *line, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (!memchr(" \t\r", line[k], 3)) return false;
    return true;
}

static void check_json(const char *text, size_t length) {
    const TaskJsonListener listener = {.open = open, .close = close, .key = key, .scalar = scalar};
    TaskJsonError error;
    if (task_json_parse(text, length, &listener, NULL, &error) != TASK_JSON_DONE) abort();
}

static void judge_lines(const char *text, size_t size) {
    static ts_judge *together, *alone;
    ts_judge_answers all, one;
    ts_status s;
    if (!together) together = new_judge(true);
    if (!alone) alone = new_judge(true);
    if (!ts_judge_lines(together, tasks(), text, size, 1, &all, &s)) abort();
    const char *answer = all.length ? all.text : "", *end = answer + all.length;
    uint64_t number = 1;
    size_t lines = 0;
    for (const char *at = text, *stop = text + size; at < stop; number++) {
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        size_t n = (size_t)((newline ? newline : stop) - at);
        if (!ts_judge_lines(alone, tasks(), at, n, number, &one, &s)) abort();
        // The first may have a byte order mark.
        if (number > 1 && is_blank(at, n) != (one.length == 0)) abort();
        if (one.length > (size_t)(end - answer)) abort();
        if (one.length && memcmp(one.text, answer, one.length) != 0) abort();
        if (one.length) check_json(one.text, one.length);
        answer += one.length;
        lines += one.length > 0;
        at += n + 1;
    }
    if (answer != end || all.judged + all.unread != lines) abort();
}

// ---- Programs ----

static void judge_program(const char *text, size_t size) {
    static ts_judge *judge;
    static ts_engine *engine;
    ts_status s;
    if (!judge) judge = new_judge(false);
    if (!engine) {
        engine = ts_engine_new();
        ts_engine_set_units(engine, UNITS);
    }
    ts_programs *programs = ts_programs_new();
    if (!programs || !engine) abort();
    bool good = ts_programs_add_text(programs, "", text, size, true, NULL, NULL, &s);
    good &= ts_programs_count(programs) == 1;
    for (size_t t = 0; t < ts_tasks_count(tasks()); t++) {
        ts_judge_item item = {ts_tasks_at(tasks(), t), text, size};
        if (!ts_judge_run(judge, &item, 1, &s)) abort();
        ts_verdict v = ts_judge_at(judge, 0);
        if (good != !v.problem || (v.problem && !v.problem->message[0])) abort();
        for (int k = 0; good && k < v.demos + v.tests; k++) {
            ts_result r = ts_run_sample(engine, programs, 0, item.task, k);
            const ts_verdict_sample *w = &v.samples[k];
            if (w->failure != r.failure || w->line != r.line || w->units != r.units) abort();
            if (w->score < 0 || w->score > 1000 ||
                (w->score == 1000) != (w->outcome == TS_RIGHT && k < v.demos))
                abort();
            bool is_grid = !r.failure && ts_value_is_grid(r.value);
            ts_fault f;
            bool wrong = ts_explain(engine, programs, 0, item.task, item.task->samples[k].input, NULL, &f);
            if (wrong == is_grid ||
                (wrong && (f.failure != w->failure || f.line != w->line || !f.message[0])))
                abort();
            r = ts_run_sample(engine, programs, 0, item.task, k); // what it gave is gone
            if (is_grid != (w->output.height > 0)) abort();
            if (is_grid && w->output.cells && !ts_grid_equal(w->output, ts_value_grid(r.value))) abort();
        }
    }
    ts_programs_free(programs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    // A copy of just the right size, so that the sanitizer sees a read beyond the end.
    char *text = malloc(size > 1 ? size - 1 : 1);
    if (!text) abort();
    memcpy(text, data + 1, size - 1);
    if (*data % 2) judge_program(text, size - 1);
    else judge_lines(text, size - 1);
    free(text);
    return 0;
}
