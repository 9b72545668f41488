// Tasks as ARC's JSON.
#include "task/task.h"

static void print_grid(Text *t, ts_grid g) {
    text_char(t, '[');
    for (int r = 0; r < g.height; r++) {
        text_add(t, r ? ",[" : "[");
        for (int c = 0; c < g.width; c++) {
            if (c) text_char(t, ',');
            text_int(t, g.cells[r * g.width + c]);
        }
        text_char(t, ']');
    }
    text_char(t, ']');
}

static void print_samples(Text *t, const ts_sample *samples, int count, bool outputs) {
    for (int k = 0; k < count; k++) {
        text_add(t, k ? ",{\"input\":" : "{\"input\":");
        print_grid(t, samples[k].input);
        if (outputs && samples[k].has_output) {
            text_add(t, ",\"output\":");
            print_grid(t, samples[k].output);
        }
        text_char(t, '}');
    }
}

void task_print(Text *t, const ts_task *task, bool solutions) {
    text_add(t, "{\"train\":[");
    print_samples(t, task->samples, task->demos, true);
    text_add(t, "],\"test\":[");
    print_samples(t, task->samples + task->demos, task->tests, solutions);
    text_add(t, "]}");
}
