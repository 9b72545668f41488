// Rounds as texts for workers, and the stock that they share. Records are as in message.h.
//
// The stock, for one run of a loop:
//
//     tasks    JSON {ID: task, …} in the loop's order; outputs of tests are not in it
//     units    that a program may spend on a sample
//     differs  text; without this record the bundled ones
//     donors   text of programs that growth may build on: those of the pool as the run began
//
// An order:
//
//     round    number, deal or grow, seed, most lines of a near-winner, 1 for the public language alone
//     bars     of each task of the round "lines score lines": what a winner may have, and what another one
//     has
//              to exceed; - none of these, = as the task before
//     differs  text, where they are not those of the stock
//     programs text of the programs to be run as a battery on all tasks (deal)
//     donors   text of programs that the stock has not (grow)
//     visit    place of the task, units, donors: numbers of the stock's, then of the order's (grow)
//     within   seconds that are left, where the run has a limit; it is added as the order is given out
//     end      as in message.h, in both
//
// Texts of the pool begin with "def solve"; here each program has its number behind it. An order of mutants
// is some 10 KB, and 60 bytes for each program that a visit has as a donor and the stock has not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "iterate/iterate.h"
#include "search/message.h"
#include "task/task.h"

static const char no_stock[MESSAGE_STOCK] = "-";
static const char def[] = "def solve"; // how the texts of a pool begin

static void add_field(Text *t, const char *kind, Text *field) {
    text_add(t, kind);
    journal_field(t, field->data ? field->data : "");
    text_char(t, '\n');
    t->failed |= field->failed;
    text_free(field);
}

// ---- The stock ----

static void put_tasks(Text *t, const ts_iterate *it) {
    Text json = {0};
    text_char(&json, '{');
    for (size_t k = 0; k < it->count; k++) {
        const ts_task *task = it->tasks[k];
        if (k) text_char(&json, ',');
        text_json(&json, task->id);
        text_char(&json, ':');
        task_print(&json, task, false);
    }
    text_char(&json, '}');
    add_field(t, "tasks", &json);
}

static void put_program(Text *t, const char *text, size_t number) {
    text_print(t, "%s_%zu%s", def, number, text + sizeof def - 1);
}

static uint32_t slot_of(uint64_t hash) { return (uint32_t)(hash >> 32 ^ hash); }

// Its number among the programs of the stock; SIZE_MAX: it is not there.
static size_t find_in_stock(const ts_iterate *it, uint64_t hash) {
    uint32_t at = slot_of(hash), k;
    while (it->stock_index.slots && (k = index_next(&it->stock_index, slot_of(hash), &at)))
        if (it->stock_hashes[k - 1] == hash) return k - 1;
    return SIZE_MAX;
}

static bool is_donor(const ts_iterate *it, size_t entry) {
    const ts_pool_entry *e = &it->view.entries[entry];
    return e->program >= 0 && strncmp(e->text, def, sizeof def - 1) == 0;
}

// All programs of the view: each may be a donor.
static bool put_donors(ts_iterate *it, Text *t) {
    Text programs = {0};
    index_clear(&it->stock_index);
    free(it->stock_hashes);
    it->stock_count = 0;
    it->stock_hashes = malloc((it->view.count + 1) * sizeof *it->stock_hashes);
    bool good = it->stock_hashes;
    for (size_t k = 0; good && k < it->view.count; k++) {
        if (it->options.strategy != TS_EVOLVE || !is_donor(it, k)) continue;
        const uint64_t hash = strtoull(it->view.entries[k].hash, NULL, 16);
        if (!(good = index_reserve(&it->stock_index))) break;
        uint32_t at = slot_of(hash);
        while (index_next(&it->stock_index, slot_of(hash), &at)) {}
        index_put(&it->stock_index, at, slot_of(hash), (uint32_t)it->stock_count);
        it->stock_hashes[it->stock_count] = hash;
        put_program(&programs, it->view.entries[k].text, it->stock_count++);
    }
    add_field(t, "donors", &programs);
    return good;
}

static void put_differs(Text *t, const ts_programs *differs) {
    for (size_t k = 0; k < differs->count; k++) program_print(t, &differs->programs[k]);
}

bool iterate_write_stock(ts_iterate *it, Status *s) {
    Text *t = &it->stock, differs = {0};
    text_free(t);
    text_free(&it->stock_differs);
    message_begin(t, "tasks", no_stock);
    put_tasks(t, it);
    text_print(t, "units\t%llu\n", (unsigned long long)it->options.units);
    put_differs(&it->stock_differs, it->options.differs);
    text_put(&differs, it->stock_differs.data, it->stock_differs.length);
    if (it->options.differs != it->differs) add_field(t, "differs", &differs);
    text_free(&differs);
    const bool donors = put_donors(it, t);
    message_end(t);
    const bool good = donors && !t->failed && !it->stock_differs.failed;
    if (good) message_name(t->data, t->length, it->stock_name);
    return good || status_fail(s, TS_SYSTEM, "not enough memory for the stock of %zu tasks", it->count);
}

// ---- Orders ----

static void put_bars(Text *t, const ts_iterate *it, const IterateRound *r) {
    Text bars = {0};
    for (size_t n = 0; n < iterate_task_count(it, r); n++) {
        const IterateBar *b = &r->bars[n], *before = n ? &r->bars[n - 1] : NULL;
        if (n) text_char(&bars, ' ');
        if (before && before->winner_lines == b->winner_lines && before->score == b->score &&
            before->lines == b->lines) {
            text_char(&bars, '=');
            continue;
        }
        if (b->winner_lines == SIZE_MAX) text_char(&bars, '-');
        else text_print(&bars, "%zu", b->winner_lines);
        if (b->score == INT64_MAX) text_add(&bars, " - 0");
        else text_print(&bars, " %lld %zu", (long long)b->score + 1, b->lines);
    }
    add_field(t, "bars", &bars);
}

static void put_programs(Text *t, const ts_programs *set) {
    Text programs = {0};
    for (size_t k = 0; k < set->count; k++) {
        char name[32];
        Program p = set->programs[k];
        snprintf(name, sizeof name, "solve_%zu", k);
        p.name = name;
        program_print(&programs, &p);
    }
    add_field(t, "programs", &programs);
}

// The donors of a growth that the stock has not.
typedef struct {
    uint64_t hashes[ITERATE_BATCH * ITERATE_DONORS];
    size_t count;
    Text text;
} More;

static size_t number_of(const ts_iterate *it, More *more, size_t program) {
    const size_t entry = archive_entry_of(it, program);
    if (entry == SIZE_MAX || !is_donor(it, entry)) return SIZE_MAX;
    const ts_pool_entry *e = &it->view.entries[entry];
    const uint64_t hash = strtoull(e->hash, NULL, 16);
    const size_t known = find_in_stock(it, hash);
    if (known != SIZE_MAX) return known;
    for (size_t k = 0; k < more->count; k++)
        if (more->hashes[k] == hash) return it->stock_count + k;
    put_program(&more->text, e->text, more->count);
    more->hashes[more->count++] = hash;
    return it->stock_count + more->count - 1;
}

static bool put_visits(Text *t, const ts_iterate *it, const IterateRound *r) {
    More *more = calloc(1, sizeof *more);
    Text visits = {0};
    for (size_t k = 0; more && k < r->visit_count; k++) {
        const IterateVisit *v = &r->visits[k];
        text_print(&visits, "visit\t%zu\t%.0f\t", v->task, v->units);
        for (size_t n = 0, any = 0; n < v->donor_count; n++) {
            const size_t number = number_of(it, more, v->donors[n]);
            if (number != SIZE_MAX) text_print(&visits, any++ ? " %zu" : "%zu", number);
        }
        text_char(&visits, '\n');
    }
    if (more) add_field(t, "donors", &more->text);
    if (visits.data) text_put(t, visits.data, visits.length);
    const bool good = more && !visits.failed;
    text_free(&visits);
    free(more);
    return good;
}

bool iterate_write_order(ts_iterate *it, IterateRound *r, Status *s) {
    Text t = {0};
    message_begin(&t, "round", it->stock_name);
    text_print(&t, "round\t%llu\t%s\t%llu\t%zu\t%d\n", (unsigned long long)r->number,
               r->card ? "deal" : "grow", (unsigned long long)r->seed,
               iterate_task_count(it, r) ? r->bars[0].longest : 0, r->public_only);
    put_bars(&t, it, r);
    if (r->differs && (!it->stock_differs.data || strcmp(r->differs, it->stock_differs.data) != 0)) {
        Text differs = {0};
        text_add(&differs, r->differs);
        add_field(&t, "differs", &differs);
    }
    bool good = true;
    if (r->card) put_programs(&t, ts_card_programs(r->card));
    else good = put_visits(&t, it, r);
    r->order_length = t.length;
    t.failed |= !good;
    r->order = text_take(&t);
    return r->order || status_fail(s, TS_SYSTEM, "not enough memory for an order");
}
