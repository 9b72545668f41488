// Problems of a text, for programs to read.
#include <stdio.h>

#include "base/text.h"

const char *ts_problem_name(ts_problem kind) {
    static const char *const names[TS_PROBLEM_KINDS] = {"other", "syntax", "name", "argument",
                                                        "type",  "unsaid", "limit"};
    return (unsigned)kind < TS_PROBLEM_KINDS ? names[kind] : "unknown";
}

char *ts_problems_json(const ts_status *problems, size_t count) {
    Text t = {0};
    text_char(&t, '[');
    for (size_t k = 0; k < count; k++) {
        const ts_status *s = &problems[k];
        const int said = s->remedy ? s->remedy - 2 : (int)sizeof s->message;
        text_print(&t, "%s{\"kind\": \"%s\"", k ? ", " : "", ts_problem_name(s->kind));
        if (s->line) text_print(&t, ", \"line\": %d", s->line);
        if (s->column) text_print(&t, ", \"column\": %d", s->column);
        if (s->length) text_print(&t, ", \"length\": %d", s->length);
        text_add(&t, ", \"message\": ");
        char message[sizeof s->message];
        snprintf(message, sizeof message, "%.*s", said, s->message);
        text_json(&t, message);
        if (s->remedy) {
            text_add(&t, ", \"remedy\": ");
            text_json(&t, s->message + s->remedy);
        }
        if (s->excerpt[0]) {
            text_add(&t, ", \"excerpt\": ");
            text_json(&t, s->excerpt);
        }
        text_char(&t, '}');
    }
    text_char(&t, ']');
    return text_take(&t);
}
