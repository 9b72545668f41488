// Fuzzes the reader of submissions: for two fixed tasks, one with two tests. What it takes has to be whole,
// and the same again when it is printed and read; what it refuses has a reason and a place. The same text is
// read as a part, and as a submission by itself, and merged: what comes out is whole.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tessera.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const signed char cells[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
#define GRID \
    { 3, 3, cells }
#define ROW \
    { 1, 2, cells }
static const ts_sample samples[] = {{.input = GRID, .output = ROW, .has_output = true},
                                    {.input = GRID, .output = ROW, .is_test = true, .has_output = true},
                                    {.input = ROW, .is_test = true}};
static const ts_task first = {.id = "aaa", .samples = samples, .demos = 1, .tests = 1};
static const ts_task second = {.id = "b\"b", .samples = samples, .demos = 1, .tests = 2};
static const ts_task *const tasks[] = {&first, &second};

static ts_submission *read_text(const char *text, size_t length, ts_status *s) {
    return ts_submission_read_text("fuzz", text, length, tasks, 2, s);
}

static void check_whole(const ts_submission *submission) {
    for (size_t task = 0; task < 2; task++)
        for (int test = 0; test < tasks[task]->tests; test++)
            for (int attempt = 0; attempt < TS_MOST_ATTEMPTS; attempt++) {
                ts_grid g = ts_submission_at(submission, task, test, attempt);
                if (g.height == 0 && attempt == 2) continue;
                if (g.height < 1 || g.height > 30 || g.width < 1 || g.width > 30) abort();
                for (int k = 0; k < g.height * g.width; k++)
                    if (g.cells[k] < 0 || g.cells[k] > 9) abort();
            }
    ts_score score = ts_submission_score(submission);
    if (score.outputs != 2 || score.unknown != 1 || score.tasks != 1) abort();
    if (score.right[0] > score.right[1] || score.right[1] > score.right[2] || score.right[2] > 2) abort();
}

// What is read without a set of tasks, and of a part of the two, can be merged.
static void merge(const char *text, size_t length) {
    ts_status s;
    ts_submission *own = ts_submission_read_part_text("own", text, length, NULL, 0, NULL, &s);
    if (!own && (s.code != TS_INPUT || !s.message[0] || s.line < 1)) abort();
    ts_submission *part = ts_submission_read_part_text("part", text, length, tasks, 2, NULL, &s);
    if (!part && (s.code != TS_INPUT || !s.message[0] || s.line < 1)) abort();
    const ts_merge_source sources[] = {{own, 1}, {own, 0.25}, {part, 2}};
    ts_submission *all = own ? ts_merge(sources, 2, NULL, 0, &s) : NULL;
    if (own && (!all || ts_submission_count(all) != ts_submission_count(own))) abort();
    ts_submission *whole = part ? ts_merge(sources + 2, 1, tasks, 2, &s) : NULL;
    if (part && !whole) abort();
    if (whole) check_whole(whole);
    ts_submission_free(own);
    ts_submission_free(part);
    ts_submission_free(all);
    ts_submission_free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // A copy of just the right size, so that the sanitizer sees a read beyond the end.
    char *text = malloc(size ? size : 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    ts_status s;
    ts_submission *submission = read_text(text, size, &s);
    if (!submission && (s.code != TS_INPUT || !s.message[0] || s.line < 1 || s.column < 1)) abort();
    if (submission) {
        check_whole(submission);
        char *printed = ts_submission_print(submission);
        ts_submission *again = printed ? read_text(printed, strlen(printed), &s) : NULL;
        char *once_more = again ? ts_submission_print(again) : NULL;
        if (!once_more || strcmp(printed, once_more) != 0) abort();
        free(printed);
        free(once_more);
        ts_submission_free(again);
    }
    ts_submission_free(submission);
    merge(text, size);
    free(text);
    return 0;
}
