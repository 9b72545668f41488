// How far something is, as one line of a terminal, which must not wrap: what has wrapped cannot be written
// over.
//
//     solve [############------------------] 24/60 tasks, 48s left, 19 solved, pass 2      wide
//     solve [######------] 24/60 tasks, 48s left                                           narrower: less of
//     all solve 24/60 tasks                                                                    no room for a
//     bar
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "tessera.h"

enum { MOST_BAR = 30, LEAST_BAR = 6 };

// The length of the text without its last piece; 0 where it is only one.
static size_t shorter(const char *text, size_t length) {
    while (length > 0 && memcmp(text + length - 1, ", ", 2) != 0) length--;
    return length ? length - 1 : 0;
}

// Columns that are left beside `what` and so much of the text, with the spaces between them.
static int room(const char *what, const char *text, size_t length, int columns) {
    return columns - utf8_columns(what, strlen(what)) - 1 - utf8_columns(text, length);
}

static void put_bar(Text *line, double part, int width) {
    const int done = part >= 1 ? width : (int)(part * width);
    text_char(line, '[');
    for (int k = 0; k < width; k++) text_char(line, k < done ? '#' : '-');
    text_add(line, "] ");
}

char *ts_progress_line(const char *what, double part, const char *text, int columns) {
    Text line = {0};
    const int most = columns - 1; // the last column stays free: some terminals wrap when it is taken
    const int frame = part >= 0 ? 3 + LEAST_BAR : 0;
    size_t length = strlen(text);
    while (length && room(what, text, length, most) < frame) length = shorter(text, length);
    const bool has_bar = length && frame; // else only as much of the text as there is room for
    if (!length) length = strlen(text);
    while (!has_bar && room(what, text, length, most) < 0 && shorter(text, length))
        length = shorter(text, length);
    text_print(&line, "%s ", what);
    if (has_bar) {
        const int width = room(what, text, length, most) - 3;
        put_bar(&line, part, width < MOST_BAR ? width : MOST_BAR);
    }
    text_put(&line, text, length);
    char *whole = text_take(&line);
    if (whole) whole[utf8_fit_columns(whole, strlen(whole), most > 0 ? most : 0, NULL)] = 0;
    return whole;
}
