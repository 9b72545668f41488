// What the playground opens: a task and a program for it, as JSON, or as the end of an address.
// (playground/open.js reads both.)
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

enum { MOST_ADDRESS = 1500000 }; // bytes: browsers refuse longer ones

static void put_rows(Text *t, ts_grid g) {
    text_add(t, "[");
    for (int i = 0; i < g.height; i++) {
        text_add(t, i ? ",[" : "[");
        for (int j = 0; j < g.width; j++) text_print(t, "%s%d", j ? "," : "", g.cells[i * g.width + j]);
        text_add(t, "]");
    }
    text_add(t, "]");
}

static void put_samples(Text *t, const ts_task *task, int from, int to) {
    for (int k = from; k < to; k++) {
        text_add(t, k > from ? ",{\"input\":" : "{\"input\":");
        put_rows(t, task->samples[k].input);
        if (task->samples[k].has_output) {
            text_add(t, ",\"output\":");
            put_rows(t, task->samples[k].output);
        }
        text_add(t, "}");
    }
}

// A program that is not UTF-8 would not be JSON; text_json sees to that, as it does for the id.
static void put_given(Text *t, const ts_task *task, const char *program) {
    text_add(t, "{\"id\":");
    text_json(t, task->id);
    text_add(t, ",\"task\":{\"train\":[");
    put_samples(t, task, 0, task->demos);
    text_add(t, "],\"test\":[");
    put_samples(t, task, task->demos, task->demos + task->tests);
    text_add(t, "]}");
    if (program) text_add(t, ",\"program\":");
    if (program) text_json(t, program);
    text_add(t, "}");
}

char *ts_playground_given(const ts_task *task, const char *program) {
    Text plain = {0}, safe = {0};
    put_given(&plain, task, program);
    for (size_t k = 0; k < plain.length; k++) // it stands in a page, and must not end it
        if (plain.data[k] == '<') text_add(&safe, "\\u003c");
        else text_char(&safe, plain.data[k]);
    safe.failed |= plain.failed;
    text_free(&plain);
    return text_take(&safe);
}

void report_playground_link(Text *t, const ts_task *task, const char *program) {
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~[],:";
    Text given = {0}, address = {0};
    put_given(&given, task, program);
    for (size_t k = 0; k < given.length; k++)
        if (strchr(safe, given.data[k]) && given.data[k]) text_char(&address, given.data[k]);
        else text_print(&address, "%%%02X", (unsigned char)given.data[k]);
    t->failed |= given.failed || address.failed;
    if (!address.failed && address.length <= MOST_ADDRESS)
        text_print(t,
                   "<p><a class=\"playground\" href=\"" REPORT_PLAYGROUND
                   "#j=%s\">Change it in the playground</a></p>\n",
                   address.data);
    text_free(&given);
    text_free(&address);
}
