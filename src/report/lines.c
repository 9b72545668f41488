// The file of candidates, cut into lines and sorted by task.
//
// A page needs the lines of one task only, and a search that reads them says nothing of the others: so that a
// thousand tasks do not read a large file a thousand times, it is read once here. What is no JSON is said
// here too, with its place in the file.
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "task/json.h"

typedef struct {
    const char *id;
    size_t task;
} Id;

typedef struct {
    int depth;
    bool is_task;
    Text id;
} Line;

static int by_id(const void *a, const void *b) { return strcmp(((const Id *)a)->id, ((const Id *)b)->id); }

static bool on_open(void *user, char bracket, size_t at) {
    (void)bracket, (void)at;
    ((Line *)user)->depth++;
    return true;
}

static bool on_close(void *user, size_t at) {
    (void)at;
    ((Line *)user)->depth--;
    return true;
}

static bool on_key(void *user, const char *text, size_t length, size_t at) {
    (void)at;
    Line *l = user;
    l->is_task = l->depth == 1 && length == 4 && memcmp(text, "task", 4) == 0;
    return true;
}

static bool on_scalar(void *user, TaskJsonScalar kind, const char *text, size_t length, size_t at) {
    (void)at;
    Line *l = user;
    if (l->is_task && l->depth == 1 && kind == TASK_JSON_STRING) {
        text_clear(&l->id);
        text_put(&l->id, text, length);
    }
    l->is_task = false;
    return true;
}

static int by_task(const void *a, const void *b) {
    const struct ReportLine *x = a, *y = b;
    if (x->task != y->task) return x->task < y->task ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

// Reads the line at `at` and notes it if it is of one of the tasks.
static bool read_line(ReportInput *in, const Id *ids, Line *l, size_t at, size_t length, Status *s) {
    static const TaskJsonListener listener = {
        .open = on_open, .close = on_close, .key = on_key, .scalar = on_scalar};
    const Text *file = &in->candidates;
    TaskJsonError error;
    l->depth = 0;
    text_clear(&l->id);
    if (task_json_parse(file->data + at, length, &listener, l, &error) != TASK_JSON_DONE) {
        status_fail(s, TS_INPUT, "bad JSON: %s", error.message);
        return status_locate(s, in->options->candidates, file->data, file->length, at + error.at);
    }
    if (!l->id.data || !*l->id.data) {
        status_fail(s, TS_INPUT, "expected an object with \"task\" and \"program\"");
        return status_locate(s, in->options->candidates, file->data, file->length, at);
    }
    const Id wanted = {.id = l->id.data};
    const Id *found = bsearch(&wanted, ids, in->options->count, sizeof *ids, by_id);
    if (found) in->lines[in->line_count++] = (struct ReportLine){found->task, at, length};
    return !l->id.failed || status_fail(s, TS_SYSTEM, "not enough memory");
}

static bool read_lines(ReportInput *in, const Id *ids, Status *s) {
    const Text *file = &in->candidates;
    Line l = {0};
    bool good = true;
    for (size_t at = 0, end; good && at < file->length; at = end + 1) {
        const char *newline = memchr(file->data + at, '\n', file->length - at);
        end = newline ? (size_t)(newline - file->data) : file->length;
        if (end > at) good = read_line(in, ids, &l, at, end - at, s);
    }
    text_free(&l.id);
    if (in->line_count) qsort(in->lines, in->line_count, sizeof *in->lines, by_task);
    return good;
}

bool report_read_candidates(ReportInput *in, Status *s) {
    const ts_pages_options *o = in->options;
    if (!o->candidates) return true;
    if (!text_read_file(&in->candidates, o->candidates, s)) return false;
    size_t most = 1;
    for (size_t k = 0; k < in->candidates.length; k++) most += in->candidates.data[k] == '\n';
    Id *ids = calloc(o->count + 1, sizeof *ids);
    in->lines = calloc(most, sizeof *in->lines);
    bool good = (ids && in->lines) || status_fail(s, TS_SYSTEM, "not enough memory");
    for (size_t k = 0; good && k < o->count; k++) ids[k] = (Id){o->tasks[k]->id, k};
    if (good) qsort(ids, o->count, sizeof *ids, by_id);
    good = good && read_lines(in, ids, s);
    free(ids);
    return good;
}
