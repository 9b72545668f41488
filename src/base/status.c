#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { EXCERPT_BEFORE = 100, EXCERPT_LENGTH = 160 };

void status_escape(char *into, size_t size, const char *text, size_t length) {
    const unsigned char *from = (const unsigned char *)text;
    size_t n = 0;
    for (size_t k = 0, bytes; k < length; k += bytes) {
        size_t shown = bytes = utf8_printable(from + k, length - k);
        if (!bytes) shown = 4, bytes = 1;
        if (n + shown >= size) break;
        if (shown == bytes) memcpy(into + n, text + k, bytes);
        else snprintf(into + n, size - n, "\\x%02x", from[k]);
        n += shown;
    }
    into[n] = 0;
}

// The length without the half of a character that the end of the room may have left.
static size_t without_half(const char *text, size_t length) {
    size_t start = length;
    while (start > 0 && (text[start - 1] & 0xC0) == 0x80) start--;
    if (start > 0 && (text[start - 1] & 0xC0) == 0xC0) start--;
    return utf8_length((const unsigned char *)text + start, length - start) == length - start ? length
                                                                                              : start;
}

bool status_fail(Status *s, ts_code code, const char *format, ...) {
    char message[sizeof s->message];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    *s = (Status){.code = code};
    size_t length = n < 0 ? 0 : (size_t)n;
    if (length >= sizeof message) length = without_half(message, sizeof message - 1);
    status_escape(s->message, sizeof s->message, message, length);
    return false;
}

bool status_advise(Status *s, ts_problem kind, const char *format, ...) {
    char remedy[sizeof s->message];
    size_t n = strlen(s->message);
    va_list args;
    va_start(args, format);
    int length = vsnprintf(remedy, sizeof remedy, format, args);
    va_end(args);
    s->kind = kind;
    if (length <= 0 || n + 3 >= sizeof s->message) return false;
    if ((size_t)length >= sizeof remedy) length = (int)without_half(remedy, sizeof remedy - 1);
    memcpy(s->message + n, "; ", 2);
    s->remedy = (int)n + 2;
    status_escape(s->message + n + 2, sizeof s->message - n - 2, remedy, (size_t)length);
    return false;
}

void status_in_file(Status *s, const char *file) {
    status_escape(s->file, sizeof s->file, file ? file : "", file ? strlen(file) : 0);
}

// The line of a byte. Mostly it lies behind what is known.
static void find_line(StatusPlace *p, const char *text, size_t at) {
    const char *end;
    while (at < p->line_start) {
        p->seen = --p->line_start;
        while (p->line_start > 0 && text[p->line_start - 1] != '\n') p->line_start--;
        p->lines--;
    }
    while (p->seen < at && (end = memchr(text + p->seen, '\n', at - p->seen))) {
        p->line_start = p->seen = (size_t)(end - text) + 1;
        p->lines++;
    }
    if (p->seen < at) p->seen = at;
}

bool status_locate(Status *s, StatusPlace *known, const char *file, const char *text, size_t length,
                   size_t at) {
    StatusPlace nothing = {0};
    if (!known) known = &nothing;
    if (at > length) at = length;
    // Both are the end of the line.
    if (at > 0 && at < length && text[at] == '\n' && text[at - 1] == '\r') at--;
    find_line(known, text, at);
    size_t start = known->line_start;
    // A byte order mark is no column.
    if (start == 0 && at >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) start = 3;
    s->line = known->lines + 1;
    s->column = (int)(at - start) + 1;
    status_in_file(s, file);
    // A long line is shown from some way before the position, a byte of text by a byte: the caret stands
    // below.
    size_t from = at - start > EXCERPT_BEFORE ? at - EXCERPT_BEFORE : start, n = 0;
    while (from + n < length && n < EXCERPT_LENGTH && text[from + n] != '\n') {
        size_t bytes = utf8_printable((const unsigned char *)text + from + n, length - from - n);
        if (bytes > EXCERPT_LENGTH - n) break;
        if (bytes) memcpy(s->excerpt + n, text + from + n, bytes);
        else s->excerpt[n] = ' ', bytes = 1;
        n += bytes;
    }
    s->excerpt[n] = 0;
    s->caret = (int)(at - from < n ? at - from : n);
    return false;
}
