#include "iterate/iterate_worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "iterate/iterate_found.h"
#include "task/task.h"

#define MOST_UNITS ((uint64_t)1 << 50)
enum { MOST_LINES = 1 << 30 };

struct IterateStock {
    ts_tasks *set;
    const ts_task **tasks;
    size_t count;
    ts_programs *differs, *donors;
    uint64_t units;
    ts_profile *profile;
    char name[MESSAGE_STOCK];
};

static bool short_of_memory(Status *s) {
    return s->message[0] ? false : status_fail(s, TS_SYSTEM, "not enough memory for a worker");
}

static bool is_record(const Journal *j, const char *kind, int fields) {
    return strcmp(j->fields[0], kind) == 0 && j->count == fields;
}

// Programs of a field; as many as there are.
static bool read_programs(const Journal *j, ts_programs *into, Status *s) {
    return program_add_ours(into, j->path, j->fields[1], strlen(j->fields[1]), s);
}

// Differs, in place of those that were there.
static bool read_differs(const Journal *j, ts_programs **differs, Status *s) {
    ts_programs_free(*differs);
    *differs = ts_programs_new();
    return *differs &&
           ts_programs_add_text(*differs, j->path, j->fields[1], strlen(j->fields[1]), true, NULL, NULL, s);
}

// ---- The stock ----

static bool read_tasks(IterateStock *stock, const Journal *j, Status *s) {
    const char *json = j->fields[1];
    const TaskOptions options = {0};
    if (stock->tasks) return journal_damaged(j, 0, "the tasks once", s);
    if (strcmp(json, "{}") != 0) {
        stock->set = task_read_text(&(TaskSource){"stock", json, strlen(json)}, NULL, NULL, &options, s);
        if (!stock->set) return false;
        stock->count = ts_tasks_count(stock->set);
    }
    stock->tasks = calloc(stock->count + 1, sizeof *stock->tasks);
    for (size_t k = 0; stock->tasks && k < stock->count; k++) stock->tasks[k] = ts_tasks_at(stock->set, k);
    return stock->tasks;
}

static bool read_stock_record(IterateStock *stock, const Journal *j, Status *s) {
    if (is_record(j, "tasks", 2)) return read_tasks(stock, j, s);
    if (is_record(j, "units", 2)) return journal_count(j, 1, MOST_UNITS, &stock->units, s);
    if (is_record(j, "differs", 2)) return read_differs(j, &stock->differs, s);
    if (is_record(j, "donors", 2)) return read_programs(j, stock->donors, s);
    return journal_damaged(j, 0, "tasks, units, differs or donors", s);
}

static bool read_stock(IterateStock *stock, Journal *j, Status *s) {
    bool good = true;
    while (good && (good = journal_next(j, s)) && j->count) good = read_stock_record(stock, j, s);
    if (!good) return false;
    if (!stock->tasks || !stock->units) return status_fail(s, TS_INPUT, "damaged: the stock is not whole");
    if (stock->differs) return true;
    stock->differs = ts_programs_new();
    return stock->differs && ts_differs_bundled(stock->differs, s);
}

IterateStock *iterate_stock_read(const char *text, size_t length, Status *s) {
    Journal j;
    *s = (Status){0};
    IterateStock *stock = calloc(1, sizeof *stock);
    const bool good = message_open(&j, "stock", "tasks", text, length, s) && message_whole(&j, s) && stock &&
                      (stock->donors = ts_programs_new()) && read_stock(stock, &j, s);
    journal_close(&j, false);
    if (good) {
        message_name(text, length, stock->name);
        return stock;
    }
    short_of_memory(s);
    iterate_stock_free(stock);
    return NULL;
}

void iterate_stock_free(IterateStock *stock) {
    if (!stock) return;
    ts_tasks_free(stock->set);
    ts_programs_free(stock->differs);
    ts_programs_free(stock->donors);
    free(stock->tasks);
    free(stock);
}

void iterate_stock_profile(IterateStock *stock, ts_profile *profile) { stock->profile = profile; }

// ---- Orders ----

typedef struct {
    const IterateStock *stock;
    bool begun, grows, public_only;
    uint64_t number, seed, longest;
    IterateBar *bars;
    size_t bar_count;
    ts_programs *differs, *programs, *donors; // NULL: there are none
    IterateVisit *visits;
    const ts_task *tasks[ITERATE_BATCH];
    size_t visit_count;
    double seconds; // 0: no limit
} Order;

static bool read_round(Order *o, const Journal *j, Status *s) {
    uint64_t is_public;
    if (o->begun || j->count != 6) return journal_damaged(j, 0, "the head of a round, once", s);
    o->begun = true;
    o->grows = strcmp(j->fields[2], "grow") == 0;
    if (!o->grows && strcmp(j->fields[2], "deal") != 0) return journal_damaged(j, 2, "deal or grow", s);
    if (!journal_count(j, 1, UINT64_MAX - 1, &o->number, s) ||
        !journal_count(j, 3, UINT64_MAX, &o->seed, s) || !journal_count(j, 4, MOST_LINES, &o->longest, s) ||
        !journal_count(j, 5, 1, &is_public, s))
        return false;
    o->public_only = is_public;
    return true;
}

// A number up to the next blank; false where there is none. `none`: what a - stands for.
static bool take_number(const char **at, uint64_t none, uint64_t *n) {
    const char *start = *at;
    *n = 0;
    if (**at == '-') *n = none, ++*at;
    else
        for (; **at >= '0' && **at <= '9' && *n < INT64_MAX / 16; ++*at)
            *n = 10 * *n + (uint64_t)(**at - '0');
    const bool good = *at > start && (!**at || **at == ' ');
    *at += **at == ' ';
    return good;
}

static bool read_bar(const Order *o, const char **at, IterateBar *bar) {
    uint64_t winner, score, lines;
    if (!take_number(at, SIZE_MAX, &winner) || !take_number(at, INT64_MAX, &score) ||
        !take_number(at, 0, &lines))
        return false;
    *bar = (IterateBar){.winner_lines = (size_t)winner,
                        .score = score == INT64_MAX ? INT64_MAX : (int64_t)score - 1,
                        .lines = (size_t)lines,
                        .longest = (size_t)o->longest};
    return true;
}

static bool read_bars(Order *o, const Journal *j, Status *s) {
    if (o->bars) return journal_damaged(j, 0, "bars once", s);
    const size_t room = o->grows ? ITERATE_BATCH : o->stock->count;
    o->bars = calloc(room + 1, sizeof *o->bars);
    if (!o->bars) return false;
    for (const char *at = j->fields[1]; *at; o->bar_count++) {
        if (o->bar_count == room) return journal_damaged(j, 1, "no more bars", s);
        if (*at == '=' && o->bar_count && (!at[1] || at[1] == ' ')) {
            o->bars[o->bar_count] = o->bars[o->bar_count - 1];
            at += at[1] ? 2 : 1;
        } else if (!read_bar(o, &at, &o->bars[o->bar_count])) return journal_damaged(j, 1, "bars", s);
    }
    return true;
}

static bool read_visit(Order *o, const Journal *j, Status *s) {
    uint64_t task, units, donors[ITERATE_DONORS];
    size_t count;
    const size_t known = o->stock->donors->count + (o->donors ? o->donors->count : 0);
    if (!o->grows || o->visit_count == ITERATE_BATCH || !o->stock->count)
        return journal_damaged(j, 0, "no more visits", s);
    if (!journal_count(j, 1, o->stock->count - 1, &task, s) || !journal_count(j, 2, MOST_UNITS, &units, s) ||
        !iterate_found_numbers(j, 3, UINT32_MAX, donors, ITERATE_DONORS, &count, s))
        return false;
    if (!o->visits) o->visits = calloc(ITERATE_BATCH, sizeof *o->visits);
    if (!o->visits) return false;
    IterateVisit *v = &o->visits[o->visit_count];
    o->tasks[o->visit_count++] = o->stock->tasks[task];
    v->task = (size_t)task;
    v->units = (double)units;
    for (size_t k = 0; k < count; k++) {
        if (donors[k] >= known) return journal_damaged(j, 3, "donors that are there", s);
        v->donors[v->donor_count++] = (size_t)donors[k];
    }
    return true;
}

static bool read_some(const Journal *j, ts_programs **into, Status *s) {
    if (*into) return journal_damaged(j, 0, "programs once", s);
    *into = ts_programs_new();
    return *into && read_programs(j, *into, s);
}

static bool read_record(Order *o, const Journal *j, Status *s) {
    if (strcmp(j->fields[0], "round") == 0) return read_round(o, j, s);
    if (!o->begun) return journal_damaged(j, 0, "the head of a round", s);
    if (is_record(j, "bars", 2)) return read_bars(o, j, s);
    if (is_record(j, "differs", 2)) return read_differs(j, &o->differs, s);
    if (is_record(j, "programs", 2) && !o->grows) return read_some(j, &o->programs, s);
    if (is_record(j, "donors", 2) && !o->visit_count) return read_some(j, &o->donors, s);
    if (is_record(j, "visit", 4)) return read_visit(o, j, s);
    if (is_record(j, "within", 2)) return journal_seconds(j, 1, &o->seconds, s);
    return journal_damaged(j, 0, "a record of an order", s);
}

static bool read_order(Order *o, const char *text, size_t length, Status *s) {
    Journal j;
    char kind[MESSAGE_STOCK], stock[MESSAGE_STOCK];
    bool good = message_open(&j, "order", "round", text, length, s) && message_whole(&j, s);
    if (good && (!message_peek(text, length, kind, stock) || strcmp(stock, o->stock->name) != 0))
        good = status_fail(s, TS_INPUT, "this order goes with another stock");
    while (good && (good = journal_next(&j, s)) && j.count) good = read_record(o, &j, s);
    journal_close(&j, false);
    if (!good) return false;
    const size_t tasks = o->grows ? o->visit_count : o->stock->count;
    const bool whole = o->begun && o->bars && o->bar_count == tasks && (o->visits || o->programs);
    return whole || status_fail(s, TS_INPUT, "damaged: the order is not whole");
}

static void free_order(Order *o) {
    free(o->bars);
    free(o->visits);
    ts_programs_free(o->differs);
    ts_programs_free(o->programs);
    ts_programs_free(o->donors);
}

// ---- Doing ----

// The donors of the stock, and after them those of the order.
static Program *join_donors(const Order *o) {
    const size_t n = o->stock->donors->count, more = o->donors ? o->donors->count : 0;
    Program *all = malloc((n + more + 1) * sizeof *all);
    if (all && n) memcpy(all, o->stock->donors->programs, n * sizeof *all);
    if (all && more) memcpy(all + n, o->donors->programs, more * sizeof *all);
    return all;
}

static bool grow(Order *o, const IterateMeans *means, uint64_t *grown, Status *s) {
    Program *donors = join_donors(o);
    if (donors)
        o->programs = iterate_grow(means, o->visits, o->tasks, o->visit_count, donors, o->seed,
                                   o->public_only, grown, s);
    free(donors);
    return o->programs;
}

static bool is_whole(const IterateMeans *means) {
    return !(means->deadline > 0 && clock_ms() >= means->deadline);
}

static bool do_order(Order *o, IterateMeans *means, Text *t, Status *s) {
    const ts_task *const *tasks = o->grows ? o->tasks : o->stock->tasks;
    const size_t count = o->grows ? o->visit_count : o->stock->count;
    ts_battery *battery = NULL;
    uint64_t grown = 0;
    if (o->grows && !grow(o, means, &grown, s)) return false;
    if (!o->grows || ts_programs_count(o->programs)) {
        battery = iterate_play(means, o->programs, tasks, count, !o->grows, s);
        if (!battery) return false;
    }
    bool good = true;
    if (ts_stop_is_set(means->stop)) good = status_fail(s, TS_SYSTEM, "the worker was stopped");
    else
        good = iterate_found_write(t, o->stock->name, o->number, is_whole(means), grown, battery, o->bars,
                                   count, s);
    ts_battery_free(battery);
    return good;
}

char *iterate_do(const char *order, size_t length, const IterateStock *stock, int threads,
                 const ts_stop *stop, Status *s) {
    const double start = clock_ms();
    Order o = {.stock = stock};
    Text t = {0};
    *s = (Status){0};
    bool good = read_order(&o, order, length, s);
    if (good) {
        IterateMeans means = {.differs = o.differs ? o.differs : stock->differs,
                              .units = stock->units,
                              .threads = threads,
                              .deadline = o.seconds > 0 ? start + 1000 * o.seconds : 0,
                              .stop = stop,
                              .profile = stock->profile};
        good = do_order(&o, &means, &t, s);
    }
    free_order(&o);
    if (good) return text_take(&t);
    text_free(&t);
    short_of_memory(s);
    return NULL;
}
