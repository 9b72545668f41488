// The file of candidates, cut into lines and sorted by task.
//
// A page needs the lines of one task only, and a search that reads them says nothing of the others: so that a
// thousand tasks do not read a large file a thousand times, it is read once here. What is no JSON is said
// here too, with its place in the file.
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "search/candidates.h"

typedef struct {
    const char *id;
    size_t task;
} Id;

static int by_id(const void *a, const void *b) { return strcmp(((const Id *)a)->id, ((const Id *)b)->id); }

static int by_task(const void *a, const void *b) {
    const struct ReportLine *x = a, *y = b;
    if (x->task != y->task) return x->task < y->task ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

// Reads the line at `at` and notes it if it is of one of the tasks.
static bool read_line(ReportInput *in, const Id *ids, Text *id, size_t at, size_t length, Status *s) {
    const Text *file = &in->candidates;
    TaskJsonError error;
    if (!candidates_task(file->data + at, length, id, &error)) {
        status_fail(s, TS_INPUT, "bad JSON: %s", error.message);
        return status_locate(s, NULL, in->options->candidates, file->data, file->length, at + error.at);
    }
    if (id->failed) return status_fail(s, TS_SYSTEM, "not enough memory");
    if (!*id->data) {
        status_fail(s, TS_INPUT, "expected an object with \"task\" and \"program\"");
        return status_locate(s, NULL, in->options->candidates, file->data, file->length, at);
    }
    const Id wanted = {.id = id->data};
    const Id *found = bsearch(&wanted, ids, in->options->count, sizeof *ids, by_id);
    if (found) in->lines[in->line_count++] = (struct ReportLine){found->task, at, length};
    return true;
}

static bool read_lines(ReportInput *in, const Id *ids, Status *s) {
    const Text *file = &in->candidates;
    Text id = {0};
    bool good = true;
    for (size_t at = 0, end; good && at < file->length; at = end + 1) {
        const char *newline = memchr(file->data + at, '\n', file->length - at);
        end = newline ? (size_t)(newline - file->data) : file->length;
        if (end > at) good = read_line(in, ids, &id, at, end - at, s);
    }
    text_free(&id);
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
