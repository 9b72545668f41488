// Which form a text of tasks has: seen from how deep the first list named "train" or "test" lies.
//
//     {"train": [                      one task
//     {"007bbfb7": {"train": [         tasks by id
//     {"train": {"007bbfb7": {"test": [    parts of tasks by id
//
// Workload: the answer stands within the first bytes of every real file, so this look ahead costs nothing; a
// text without any such list is parsed to its end for nothing but a good message.
#include "task/task.h"

#include <string.h>

enum { DEEPEST = 3 }; // objects around the list

typedef struct {
    int depth;   // objects open
    int in_list; // brackets open from the outermost list on: nothing in a list is a task
    bool named;  // the value to come has the key "train" or "test"
    bool has_list;
    TaskForm form;
} Look;

static bool on_key(void *user, const char *text, size_t length, size_t at) {
    (void)at;
    Look *look = user;
    look->named =
        (length == 5 && memcmp(text, "train", 5) == 0) || (length == 4 && memcmp(text, "test", 4) == 0);
    return true;
}

static bool on_open(void *user, char bracket, size_t at) {
    (void)at;
    static const TaskForm forms[DEEPEST + 1] = {TASK_FORM_NONE, TASK_FORM_ONE, TASK_FORM_MANY,
                                                TASK_FORM_PARTS};
    Look *look = user;
    if (look->in_list) {
        look->in_list++;
    } else if (bracket == '{') {
        look->depth++;
    } else if (look->named && look->depth <= DEEPEST) {
        look->form = forms[look->depth];
        return false;
    } else {
        look->has_list |= look->depth == 1;
        look->in_list = 1;
    }
    look->named = false;
    return true;
}

static bool on_close(void *user, size_t at) {
    (void)at;
    Look *look = user;
    *(look->in_list ? &look->in_list : &look->depth) -= 1;
    return true;
}

static bool on_scalar(void *user, TaskJsonScalar kind, const char *text, size_t length, size_t at) {
    (void)user, (void)kind, (void)text, (void)length, (void)at;
    return true;
}

TaskForm task_form(const char *text, size_t length, TaskJsonError *error) {
    static const TaskJsonListener listener = {
        .open = on_open, .close = on_close, .key = on_key, .scalar = on_scalar};
    Look look = {0};
    switch (task_json_parse(text, length, &listener, &look, error)) {
    case TASK_JSON_STOPPED: return look.form;
    case TASK_JSON_BROKEN: return TASK_FORM_BROKEN;
    case TASK_JSON_DONE: break;
    }
    return look.has_list ? TASK_FORM_SOLUTIONS : TASK_FORM_NONE;
}
