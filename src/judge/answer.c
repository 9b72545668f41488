// Lines of JSON in, lines of JSON out.
//
// An answer is written straight into memory that has room for the longest it can be, since at 200,000 lines a
// second a check for each piece would be felt.
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "judge/judge.h"
#include "task/task.h"

// ---- Writing ----

typedef struct {
    char *at;
} Pen;

static void put(Pen *p, const char *text, size_t n) {
    memcpy(p->at, text, n);
    p->at += n;
}
#define PUT(pen, literal) put(pen, literal, sizeof literal - 1)

static void put_number(Pen *p, uint64_t n) {
    char digits[20], *first = digits + sizeof digits;
    do *--first = (char)('0' + n % 10);
    while (n /= 10);
    put(p, first, (size_t)(digits + sizeof digits - first));
}

enum { LONGEST_ESCAPE = 6 };

// Messages may quote a part of a text that ends within a character.
static void put_string(Pen *p, const char *text, size_t n) {
    const unsigned char *s = (const unsigned char *)text, *end = s + n;
    *p->at++ = '"';
    while (s < end) {
        size_t length = utf8_length(s, (size_t)(end - s));
        if (*s == '"' || *s == '\\') *p->at++ = '\\';
        if (length == 0) {
            PUT(p, "\xEF\xBF\xBD"); // U+FFFD, where a character should be
            s++;
        } else if (*s < ' ') {
            static const char hex[] = "0123456789abcdef";
            PUT(p, "\\u00");
            *p->at++ = hex[*s >> 4];
            *p->at++ = hex[*s++ & 15];
        } else {
            put(p, (const char *)s, length);
            s += length;
        }
    }
    *p->at++ = '"';
}

static void put_grid(Pen *p, ts_grid g) {
    if (!g.cells) {
        if (g.height == 0) PUT(p, "null");
        else p->at += sprintf(p->at, "{\"height\": %d, \"width\": %d}", g.height, g.width);
        return;
    }
    *p->at++ = '[';
    for (int i = 0; i < g.height; i++) {
        *p->at++ = '[';
        for (int j = 0; j < g.width; j++) {
            int cell = g.cells[i * g.width + j];
            if (cell >= 0 && cell <= 9) *p->at++ = (char)('0' + cell);
            else p->at += sprintf(p->at, "%d", cell);
            *p->at++ = ',';
        }
        p->at[-1] = ']';
        *p->at++ = ',';
    }
    p->at[-1] = ']';
}

// ---- Answers ----

// Lists are written with ", " after each element, the last of which goes when the list is closed.
static void close_list(Pen *p) {
    if (p->at[-1] == ' ') p->at -= 2;
    *p->at++ = ']';
}

static void put_right(Pen *p, const ts_verdict_sample *samples, int n) {
    *p->at++ = '[';
    for (int k = 0; k < n; k++) {
        if (samples[k].outcome == TS_RIGHT) PUT(p, "true, ");
        else if (samples[k].outcome == TS_UNKNOWN) PUT(p, "null, ");
        else PUT(p, "false, ");
    }
    close_list(p);
}

static void put_scores(Pen *p, const ts_verdict_sample *samples, int n) {
    *p->at++ = '[';
    for (int k = 0; k < n; k++) {
        put_number(p, (uint64_t)samples[k].score);
        PUT(p, ", ");
    }
    close_list(p);
}

static void put_outputs(Pen *p, const ts_verdict_sample *samples, int n) {
    *p->at++ = '[';
    for (int k = 0; k < n; k++) {
        put_grid(p, samples[k].output);
        PUT(p, ", ");
    }
    close_list(p);
}

static void put_failures(Pen *p, const ts_verdict *v) {
    *p->at++ = '[';
    for (int k = 0; k < v->demos + v->tests; k++) {
        const ts_verdict_sample *s = &v->samples[k];
        if (s->outcome != TS_FAILED) continue;
        if (k < v->demos) PUT(p, "{\"demo\": ");
        else PUT(p, "{\"test\": ");
        put_number(p, (uint64_t)(k < v->demos ? k : k - v->demos) + 1);
        PUT(p, ", \"kind\": \"");
        const char *kind = ts_failure_name(s->failure);
        put(p, kind, strlen(kind));
        PUT(p, "\", \"line\": ");
        put_number(p, (uint64_t)s->line);
        PUT(p, "}, ");
    }
    close_list(p);
}

static void put_verdict(Pen *p, const ts_verdict *v, bool scores, bool tests, bool outputs) {
    PUT(p, ", \"right\": ");
    put_right(p, v->samples, v->demos);
    if (tests) {
        PUT(p, ", \"tests_right\": ");
        put_right(p, v->samples + v->demos, v->tests);
    }
    if (scores) {
        PUT(p, ", \"score\": ");
        put_number(p, (uint64_t)v->score);
        PUT(p, ", \"scores\": ");
        put_scores(p, v->samples, v->demos);
    }
    PUT(p, ", \"failures\": ");
    put_failures(p, v);
    PUT(p, ", \"units\": ");
    put_number(p, v->units);
    if (!outputs) return;
    PUT(p, ", \"outputs\": ");
    put_outputs(p, v->samples, v->demos);
    if (!tests) return;
    PUT(p, ", \"tests_outputs\": ");
    put_outputs(p, v->samples + v->demos, v->tests);
}

// Line and column where there are any; the excerpt of the text.
static void put_error(Pen *p, const char *kind, const ts_status *s) {
    PUT(p, ", \"error\": {\"kind\": \"");
    put(p, kind, strlen(kind));
    PUT(p, "\", \"message\": ");
    put_string(p, s->message, strlen(s->message));
    if (s->line) p->at += sprintf(p->at, ", \"line\": %d", s->line);
    if (s->column) p->at += sprintf(p->at, ", \"column\": %d", s->column);
    if (s->excerpt[0]) {
        PUT(p, ", \"excerpt\": ");
        put_string(p, s->excerpt, strlen(s->excerpt));
    }
    *p->at++ = '}';
}

// The most that an answer takes.
static size_t answer_room(const JudgeLine *l, const ts_verdict *v, bool outputs) {
    enum { FRAME = 512, SAMPLE = 128, CELL = 5 };
    size_t room = FRAME + l->id_length + l->task_length * LONGEST_ESCAPE;
    if (!v || v->problem) return room + sizeof(ts_status) * LONGEST_ESCAPE;
    for (int k = 0; k < v->demos + v->tests; k++) {
        ts_grid g = v->samples[k].output;
        room += SAMPLE;
        if (outputs && g.cells) room += ((size_t)g.height + 1) * ((size_t)g.width + 1) * CELL;
    }
    return room;
}

// Room for so many bytes more; NULL where memory is short.
static char *reserve(ts_judge *j, size_t n) {
    if (j->answers_room - j->answers_length >= n) return j->answers + j->answers_length;
    size_t room = 2 * j->answers_room + n;
    char *answers = realloc(j->answers, room);
    if (!answers) return NULL;
    j->answers = answers;
    j->answers_room = room;
    return answers + j->answers_length;
}

// What is wrong with a line, or with its task.
static void put_line_error(Pen *p, const JudgeLine *l, size_t tasks) {
    ts_status s;
    status_fail(&s, TS_INPUT, "%s", l->problem ? l->problem : "");
    if (!l->problem) {
        snprintf(s.message, sizeof s.message, "there is no such task among the %zu tasks", tasks);
        put_error(p, "task", &s);
        return;
    }
    s.column = 1; // in characters
    for (size_t k = 0; k < l->at; k++) s.column += (l->text[k] & 0xC0) != 0x80;
    put_error(p, "line", &s);
}

// What is wrong with the program, {"errors": …}; NULL where memory is short, or nothing is to be explained.
static char *explanation(ts_judge *j, const JudgeLine *l, const ts_verdict *v, const ts_task *task) {
    if (!v || !(l->errors || j->options.errors)) return NULL;
    return ts_judge_explain(j, &(ts_judge_item){task, l->program, l->program_length});
}

// The verdict is NULL where the line itself is wrong, or there is no such task. False: no memory.
static bool answer(ts_judge *j, const JudgeLine *l, const ts_verdict *v, const ts_task *task, size_t tasks) {
    bool outputs = l->outputs || j->options.outputs;
    char *explained = explanation(j, l, v, task);
    const size_t length = explained ? strlen(explained) : 0;
    char *room = reserve(j, answer_room(l, v, outputs) + length);
    if (!room) return free(explained), false;
    Pen pen = {room}, *p = &pen;
    if (l->id) {
        PUT(p, "{\"id\": ");
        put(p, l->id, l->id_length);
    } else {
        PUT(p, "{\"line\": ");
        put_number(p, l->number);
    }
    if (l->task) {
        PUT(p, ", \"task\": ");
        put_string(p, l->task, l->task_length);
    }
    if (!v) put_line_error(p, l, tasks);
    else if (v->problem) put_error(p, "program", v->problem);
    else put_verdict(p, v, !j->options.no_scores, j->options.tests, outputs);
    if (explained) {
        PUT(p, ", ");
        put(p, explained + 1, length - 2); // without its braces
    }
    free(explained);
    PUT(p, "}\n");
    j->answers_length += (size_t)(p->at - room);
    return true;
}

// ---- A block of lines ----

static bool is_blank(const char *line, size_t length) {
    while (length && (*line == ' ' || *line == '\t' || *line == '\r')) line++, length--;
    return length == 0;
}

static const ts_task *find_task(const ts_tasks *tasks, const JudgeLine *l) {
    if (l->problem) return NULL;
    const TaskEntry *entry = task_set_find(tasks, l->task, l->task_length);
    return entry ? &entry->task : NULL;
}

// Room for so many lines with so many bytes; false where memory is short.
static bool make_room(ts_judge *j, size_t lines, size_t bytes) {
    if (j->unescaped_room < bytes) {
        free(j->unescaped);
        j->unescaped = malloc(bytes);
        j->unescaped_room = j->unescaped ? bytes : 0;
    }
    if (j->line_room < lines) {
        free(j->lines);
        free(j->items);
        j->lines = malloc(lines * sizeof *j->lines);
        j->items = malloc(lines * sizeof *j->items);
        j->line_room = j->lines && j->items ? lines : 0;
    }
    return j->unescaped_room >= bytes && j->line_room >= lines;
}

// Reads all lines; those that can be judged become items. Gives how many lines are not blank.
static size_t read_lines(ts_judge *j, const ts_tasks *tasks, const char *text, size_t length, uint64_t number,
                         size_t *items) {
    char *unescaped = j->unescaped;
    size_t count = 0;
    *items = 0;
    const char *const end = text + length;
    if (number == 1 && length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3; // a byte order mark
    for (; text < end; number++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text)), *stop = newline ? newline : end;
        size_t n = (size_t)(stop - text);
        if (!is_blank(text, n)) {
            JudgeLine *l = &j->lines[count++];
            judge_line_read(l, text, n, &unescaped);
            l->number = number;
            const ts_task *task = find_task(tasks, l);
            l->judged = task != NULL;
            if (task) j->items[(*items)++] = (ts_judge_item){task, l->program, l->program_length};
        }
        text = stop + 1;
    }
    return count;
}

bool ts_judge_lines(ts_judge *j, const ts_tasks *tasks, const char *lines, size_t length, uint64_t number,
                    ts_judge_answers *answers, ts_status *status) {
    size_t count = 1, items, item = 0;
    for (const char *at = lines, *end = lines + length; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        count++;
    j->answers_length = 0;
    *answers = (ts_judge_answers){0};
    if (!make_room(j, count, length + JUDGE_LINE_SPARE))
        return status_fail(status, TS_SYSTEM, "no memory to read %zu lines", count);
    count = read_lines(j, tasks, lines, length, number, &items);
    if (!judge_items(j, j->items, items, status)) return false;
    for (size_t k = 0; k < count; k++) {
        answers->stopped = j->lines[k].judged && item == j->count;
        if (answers->stopped) break;
        const bool judged = j->lines[k].judged;
        const ts_verdict *v = judged ? &j->verdicts[item] : NULL;
        const ts_task *task = judged ? j->items[item++].task : NULL;
        if (!answer(j, &j->lines[k], v, task, ts_tasks_count(tasks)))
            return status_fail(status, TS_SYSTEM, "no memory for the answers to %zu lines", count);
        if (v && !v->problem) answers->judged++;
        else answers->unread++;
    }
    answers->text = j->answers;
    answers->length = j->answers_length;
    return true;
}
