#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { EXCERPT_BEFORE = 100, EXCERPT_LENGTH = 160 };

bool status_fail(Status *s, ts_code code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    *s = (Status){.code = code};
    vsnprintf(s->message, sizeof s->message, format, args);
    va_end(args);
    return false;
}

bool status_locate(Status *s, const char *file, const char *text, size_t length, size_t at) {
    if (at > length) at = length;
    if (at > 0 && at < length && text[at] == '\n' && text[at - 1] == '\r')
        at--; // both are the end of the line
    size_t start = at;
    while (start > 0 && text[start - 1] != '\n') start--;
    if (start == 0 && at >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        start = 3; // a byte order mark is no column
    s->line = 1;
    for (size_t k = 0; k < start; k++) s->line += text[k] == '\n';
    s->column = (int)(at - start) + 1;
    snprintf(s->file, sizeof s->file, "%s", file ? file : "");
    // A long line is shown from some way before the position.
    size_t from = at - start > EXCERPT_BEFORE ? at - EXCERPT_BEFORE : start, n = 0;
    for (; from + n < length && n < EXCERPT_LENGTH && text[from + n] != '\n'; n++)
        s->excerpt[n] = (unsigned char)text[from + n] < ' ' ? ' ' : text[from + n];
    s->excerpt[n] = 0;
    s->caret = (int)(at - from < n ? at - from : n);
    return false;
}
