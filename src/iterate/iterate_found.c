#include "iterate/iterate_found.h"

#include <stdlib.h>
#include <string.h>

#include "program/program.h"

enum { MOST_BYTES = 64 << 20, MOST_LINES = 100000 };
#define MOST_GROWN ((uint64_t)1 << 50)

// ---- Writing ----

typedef struct {
    uint32_t *nodes; // of the programs that were written, in their order
    size_t count, room;
} Written;

// The number of the program that a node is, cut out once however many tasks it is good for.
static bool write_program(Text *t, Written *w, ts_battery *battery, uint32_t node, size_t *number,
                          Status *s) {
    for (*number = 0; *number < w->count; ++*number)
        if (w->nodes[*number] == node) return true;
    if (w->count == w->room) {
        const size_t room = w->room ? 2 * w->room : 64;
        uint32_t *grown = realloc(w->nodes, room * sizeof *grown);
        if (!grown) return status_fail(s, TS_SYSTEM, "not enough memory to tell what was found");
        w->nodes = grown;
        w->room = room;
    }
    ts_programs *cut = ts_programs_new();
    Text text = {0};
    const bool good = cut && ts_battery_cut(battery, node, "solve", cut, s);
    if (good) program_print(&text, &cut->programs[0]);
    text_add(t, "program");
    journal_field(t, text.data ? text.data : "");
    text_char(t, '\n');
    t->failed |= text.failed;
    text_free(&text);
    ts_programs_free(cut);
    w->nodes[w->count++] = node;
    return good;
}

static bool is_let(const IterateBar *bar, const ts_task_result *r, const ts_candidate *c) {
    return iterate_bar_lets(bar, c->demos_right == (uint32_t)r->task->demos, c->score, c->lines);
}

static bool write_task(Text *t, Text *tasks, Written *w, ts_battery *battery, const IterateBar *bar,
                       size_t place, Status *s) {
    const ts_task_result r = ts_battery_task(battery, place);
    bool good = true, any = false;
    for (size_t k = 0; good && k < r.top_count; k++) {
        const ts_candidate *c = &r.top[k];
        size_t number;
        if (!is_let(bar, &r, c)) continue;
        if (!any) text_print(tasks, "task\t%zu", place);
        any = true;
        good = write_program(t, w, battery, c->node, &number, s);
        text_print(tasks, "\t%zu %u %u %d", number, c->program, c->demos_right, c->score);
    }
    if (any) text_char(tasks, '\n');
    return good;
}

bool iterate_found_write(Text *t, const char *stock, uint64_t number, bool whole, uint64_t grown,
                         ts_battery *battery, const IterateBar *bars, size_t tasks, Status *s) {
    Text list = {0};
    Written w = {0};
    bool good = true;
    message_begin(t, "found", stock);
    text_print(t, "found\t%llu\t%d\t%llu\n", (unsigned long long)number, whole, (unsigned long long)grown);
    for (size_t k = 0; good && battery && k < tasks; k++)
        good = write_task(t, &list, &w, battery, &bars[k], k, s);
    if (list.length) text_put(t, list.data, list.length);
    t->failed |= list.failed;
    message_end(t);
    text_free(&list);
    free(w.nodes);
    if (!good) return false;
    return !t->failed || status_fail(s, TS_SYSTEM, "not enough memory to tell what was found");
}

// ---- Reading ----

bool iterate_found_numbers(const Journal *j, int field, uint64_t most, uint64_t *numbers, size_t room,
                           size_t *count, Status *s) {
    const char *at = j->fields[field];
    for (*count = 0; *at;) {
        uint64_t n = 0;
        const char *start = at;
        for (; *at >= '0' && *at <= '9' && n <= most; at++) {
            if (n > (UINT64_MAX - 9) / 10) break;
            n = 10 * n + (uint64_t)(*at - '0');
        }
        if (at == start || n > most || (*at && *at != ' ') || *count == room)
            return journal_damaged(j, field, "whole numbers", s);
        numbers[(*count)++] = n;
        at += *at == ' ';
    }
    return true;
}

void iterate_found_free(IterateFound *f) {
    if (!f) return;
    ts_programs_free(f->programs);
    free(f->claims);
    free(f);
}

static bool read_head(const Journal *j, const IterateRound *r, bool timed, IterateFound *f, Status *s) {
    uint64_t number, whole;
    if (j->count != 4 || strcmp(j->fields[0], "found") != 0)
        return status_fail(s, TS_INPUT, "damaged: expected what was found");
    if (!journal_count(j, 1, UINT64_MAX - 1, &number, s) || !journal_count(j, 2, 1, &whole, s) ||
        !journal_count(j, 3, MOST_GROWN, &f->grown, s))
        return false;
    f->whole = whole;
    if (number != r->number)
        return status_fail(s, TS_INPUT, "this is the result of round %llu", (unsigned long long)number);
    return whole || timed || status_fail(s, TS_INPUT, "a round that had all the time is not whole");
}

static bool read_program(const Journal *j, IterateFound *f, size_t most, Status *s) {
    const size_t before = f->programs->count;
    if (j->count != 2) return journal_damaged(j, 0, "a program", s);
    if (before == most) return journal_damaged(j, 0, "no more programs", s);
    if (!program_add_ours(f->programs, "result", j->fields[1], strlen(j->fields[1]), s)) return false;
    const Program *p = &f->programs->programs[before];
    if (f->programs->count != before + 1 || strcmp(p->name, "solve") != 0)
        return journal_damaged(j, 1, "one program, solve", s);
    return p->line_count <= MOST_LINES || journal_damaged(j, 1, "a shorter program", s);
}

static bool add_claim(IterateFound *f, const IterateClaim *claim, Status *s) {
    if (f->count == f->room) {
        const size_t room = f->room ? 2 * f->room : 64;
        IterateClaim *grown = realloc(f->claims, room * sizeof *grown);
        if (!grown) return status_fail(s, TS_SYSTEM, "not enough memory for a result");
        f->claims = grown;
        f->room = room;
    }
    f->claims[f->count++] = *claim;
    return true;
}

static bool read_candidate(const ts_iterate *it, const IterateRound *r, const Journal *j, int field,
                           size_t place, IterateFound *f, Status *s) {
    uint64_t n[4];
    size_t count;
    const ts_task *task = it->tasks[iterate_task(r, place)];
    const size_t dealt = r->card ? ts_programs_count(ts_card_programs(r->card)) : SIZE_MAX;
    if (!iterate_found_numbers(j, field, UINT32_MAX, n, 4, &count, s)) return false;
    if (count != 4 || n[0] >= f->programs->count || n[1] >= dealt || n[2] > (uint64_t)task->demos ||
        n[3] > 1000 * (uint64_t)task->demos)
        return journal_damaged(j, field, "a candidate", s);
    const IterateClaim claim = {.place = place,
                                .candidate = {.node = (uint32_t)n[0],
                                              .program = (uint32_t)n[1],
                                              .lines = f->programs->programs[n[0]].line_count,
                                              .demos_right = (uint32_t)n[2],
                                              .demos = (uint32_t)task->demos,
                                              .score = (int32_t)n[3]}};
    return add_claim(f, &claim, s);
}

static bool read_task(const ts_iterate *it, const IterateRound *r, const Journal *j, size_t *next,
                      IterateFound *f, Status *s) {
    uint64_t place;
    const size_t tasks = iterate_task_count(it, r);
    if (strcmp(j->fields[0], "task") != 0 || j->count < 3 || j->count > 2 + ITERATE_TOP || !tasks)
        return journal_damaged(j, 0, "a task with its candidates", s);
    if (!journal_count(j, 1, tasks - 1, &place, s)) return false;
    if (place < *next) return journal_damaged(j, 1, "each task once, in their order", s);
    *next = (size_t)place + 1;
    bool good = true;
    for (int k = 2; good && k < j->count; k++) good = read_candidate(it, r, j, k, (size_t)place, f, s);
    return good;
}

static bool read_all(const ts_iterate *it, const IterateRound *r, Journal *j, IterateFound *f, Status *s) {
    const size_t most = iterate_task_count(it, r) * ITERATE_TOP;
    size_t next = 0;
    bool good = message_whole(j, s) && journal_next(j, s) && read_head(j, r, it->seconds > 0, f, s);
    while (good && (good = journal_next(j, s)) && j->count)
        good = strcmp(j->fields[0], "program") == 0 ? read_program(j, f, most, s)
                                                    : read_task(it, r, j, &next, f, s);
    return good;
}

IterateFound *iterate_read_found(const ts_iterate *it, const IterateRound *r, const char *text, size_t length,
                                 Status *s) {
    Journal j;
    if (length > MOST_BYTES) {
        status_fail(s, TS_INPUT, "a result of %zu bytes is too large", length);
        return NULL;
    }
    IterateFound *f = calloc(1, sizeof *f);
    bool good = message_open(&j, "result", "found", text, length, s) && f &&
                (f->programs = ts_programs_new()) && read_all(it, r, &j, f, s);
    journal_close(&j, false);
    if (good) return f;
    iterate_found_free(f);
    if (!s->message[0]) status_fail(s, TS_SYSTEM, "not enough memory for a result");
    return NULL;
}
