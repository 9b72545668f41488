// The terminal: how wide it is, what colours it has, text that fits into it, and a line that tells how far a
// command is.
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/cli.h"

static bool is_smart(FILE *out) {
    const char *term = getenv("TERM");
    return isatty(fileno(out)) && term && strcmp(term, "dumb") != 0;
}

ts_color cli_color(FILE *out) {
    const char *no = getenv("NO_COLOR"), *color = getenv("COLORTERM");
    if ((no && *no) || !is_smart(out)) return TS_COLOR_NONE;
    if (color && (strstr(color, "truecolor") || strstr(color, "24bit"))) return TS_COLOR_FULL;
    return TS_COLOR_256;
}

// Of the first sixteen colours, which everybody has chosen so that they can be read.
const char *cli_ink(FILE *out, CliInk ink) {
    static const char *const codes[] = {
        [CLI_PLAIN] = "\x1b[0m", [CLI_GOOD] = "\x1b[32m", [CLI_FAIR] = "\x1b[33m", [CLI_BAD] = "\x1b[31m"};
    return cli_color(out) == TS_COLOR_NONE ? "" : codes[ink];
}

enum { MOST_COLUMNS = 10000 }; // that COLUMNS is believed

int cli_columns(FILE *out) {
    struct winsize size;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    const char *columns = getenv("COLUMNS");
    const long n = columns ? strtol(columns, NULL, 10) : 0; // of what is no number, 0
    return n > 0 && n <= MOST_COLUMNS ? (int)n : 80;
}

// ---- Text that fits ----

size_t cli_line_length(const char *text, int columns) {
    const size_t length = strlen(text), fitting = utf8_fit_columns(text, length, columns, NULL);
    if (fitting == length) return length;
    size_t n = fitting;
    while (n > 0 && text[n] != ' ') n--;
    return n ? n : strcspn(text, " ");
}

void cli_print_wrapped(const char *start, const char *text, int columns) {
    const int taken = utf8_columns(start, strlen(start)), room = columns > taken + 1 ? columns - taken : 1;
    while (*text) {
        const size_t n = cli_line_length(text, room);
        printf("%s%.*s\n", start, (int)n, text);
        text += n;
        text += strspn(text, " ");
    }
}

enum { LEAST_ROOM = 20 }; // columns for a text beside another

void cli_print_beside(FILE *out, const char *left, int indent, const char *text, int columns) {
    int at = fprintf(out, "%s", left) > 0 ? utf8_columns(left, strlen(left)) : 0;
    const int room = columns > indent + LEAST_ROOM ? columns - indent : LEAST_ROOM;
    if (at && at >= indent) {
        fputc('\n', out);
        at = 0;
    }
    do {
        const size_t n = cli_line_length(text, room);
        fprintf(out, "%*s%.*s\n", indent - at, "", (int)n, text);
        text += n;
        text += strspn(text, " ");
        at = 0;
    } while (*text);
}

void cli_print_line(const char *text, int indent) {
    const int columns = cli_columns(stdout);
    const size_t n = isatty(STDOUT_FILENO) ? cli_line_length(text, columns) : strlen(text);
    const char *rest = text + n + strspn(text + n, " ");
    printf("%.*s\n", (int)n, text);
    if (*rest) cli_print_beside(stdout, "", indent, rest, columns);
}

int cli_entry_text(const char *line, size_t length) {
    const char *gap = length > 3 && strncmp(line, "  ", 2) == 0 && line[2] != ' ' && line[2] != '{'
                          ? memmem(line + 2, length - 2, "  ", 2)
                          : NULL;
    if (!gap) return 0;
    return (int)((size_t)(gap - line) + strspn(gap, " "));
}

ExitCode cli_print_lines(Text *t) {
    const bool whole = !t->failed;
    for (char *at = t->data, *end; whole && at && *at; at = end) {
        end = strchrnul(at, '\n');
        if (*end) *end++ = 0;
        const int entry = cli_entry_text(at, strlen(at));
        cli_print_line(at, entry && entry < 2 * LEAST_ROOM ? entry : (int)strspn(at, " ") + 4);
    }
    text_free(t);
    return whole ? EXIT_GOOD : cli_no_memory();
}

const char *cli_time_text(double seconds, char text[32]) {
    const long n = (long)seconds;
    if (n >= 3600) snprintf(text, 32, "%ldh%02ldm", n / 3600, n / 60 % 60);
    else if (n >= 60) snprintf(text, 32, "%ldm%02lds", n / 60, n % 60);
    else snprintf(text, 32, "%.0fs", seconds);
    return text;
}

const char *cli_count_text(double n, char text[32]) {
    if (n >= 999500) snprintf(text, 32, "%.1f M", n / 1e6);
    else if (n >= 9999.5) snprintf(text, 32, "%.0f k", n / 1e3);
    else snprintf(text, 32, "%.0f", n);
    return text;
}

// ---- Progress ----

enum { SHOW_EVERY_MS = 100 };

CliProgress cli_progress(const char *what, const char *unit) {
    return (CliProgress){.what = what, .unit = unit, .start = clock_ms(), .on = is_smart(stderr)};
}

static bool is_time(const CliProgress *p) { return p->on && clock_ms() - p->shown >= SHOW_EVERY_MS; }

void cli_progress_show(CliProgress *p, size_t done, size_t all, const char *more) {
    if (!is_time(p)) return;
    char text[256], left[32] = "";
    if (done) cli_time_text((clock_ms() - p->start) / (double)done * (double)(all - done) / 1000, left);
    snprintf(text, sizeof text, "%zu/%zu %s%s%s%s%s%s", done, all, p->unit, done ? ", " : "", left,
             done ? " left" : "", *more ? ", " : "", more);
    cli_progress_bar(p, all ? (double)done / (double)all : 1, text);
}

void cli_progress_bar(CliProgress *p, double part, const char *text) {
    if (!is_time(p)) return;
    p->shown = clock_ms();
    p->drawn = true;
    char *line = ts_progress_line(p->what, part, text, cli_columns(stderr)); // it may be another one by now
    if (line) fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    free(line);
}

void cli_progress_log(CliProgress *p, const char *line) {
    fprintf(stderr, p->on ? "\r%s\033[K\n" : "%s\n", line);
    p->shown = 0;
    p->drawn = false; // it was written over
}

void cli_progress_end(CliProgress *p) {
    if (p->drawn) fputs("\r\033[K", stderr);
}
