// Fuzzes pools: whatever the bytes of the file are, opening, reading, adding and pruning end with an answer
// or a reason, and a program that comes out of it is what the reader takes for it.
//
// The first byte says what becomes of the others: all of them are the file, or those after the first page of
// zeros are its log or its journal.
// max_len: 8192
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tessera.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PAGE = 512 };

static char path[64];
static ts_programs *programs; // one to add

static void name_of(char *name, size_t size, const char *end) { snprintf(name, size, "%s%s", path, end); }

static void remove_all(void) {
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    char name[80];
    for (int k = 0; k < 4; k++) {
        name_of(name, sizeof name, ends[k]);
        unlink(name);
    }
}

static void begin(void) {
    static const char text[] = "def solve_one(I):\n    return rot90(I)\n";
    ts_status s;
    snprintf(path, sizeof path, "%s/tessera-fuzz-%d.db", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (int)getpid());
    programs = ts_programs_new();
    if (!programs || !ts_programs_add_text(programs, "", text, strlen(text), true, NULL, NULL, &s)) abort();
    atexit(remove_all);
}

static void write_file(const char *end, const uint8_t *data, size_t size) {
    char name[80];
    name_of(name, sizeof name, end);
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

static const uint8_t *page_of_zeros(const uint8_t *data, size_t size) {
    static const uint8_t zeros[PAGE];
    return memmem(data, size, zeros, PAGE);
}

static void write_files(const uint8_t *data, size_t size) {
    const uint8_t *split = data[0] % 3 ? page_of_zeros(data + 1, size - 1) : NULL, *end = data + size;
    remove_all();
    write_file("", data + 1, (size_t)((split ? split : end) - data - 1));
    if (split) write_file(data[0] % 3 == 1 ? "-wal" : "-journal", split + PAGE, (size_t)(end - split - PAGE));
}

// A failure has a reason.
static bool said(bool good, const ts_status *s) {
    if (!good && (s->code == TS_OK || !s->message[0])) abort();
    return good;
}

static void visit_score(void *user, const char *task, const ts_pool_score *score) {
    (void)user;
    if (!task || score->demos < 0 || score->tests < 0) abort();
}

static void visit_task(void *user, const ts_pool_task *task) {
    (void)user;
    if (!task->id || task->demos < 0) abort();
}

static void read_all(ts_pool *pool, bool best_first) {
    ts_status s;
    ts_pool_view view = {0};
    const ts_pool_query query = {.best_first = best_first};
    if (said(ts_pool_load(pool, &query, &view, &s), &s) &&
        said(ts_pool_read(pool, &view, NULL, 0, NULL, NULL, &s), &s))
        for (size_t k = 0; k < view.count; k++) {
            const ts_pool_entry *e = &view.entries[k];
            said(ts_pool_scores(pool, e->hash, visit_score, NULL, &s), &s);
            if (e->program < 0) continue;
            char *text = ts_programs_print(view.programs, (size_t)e->program);
            ts_programs *again = ts_programs_new();
            if (!text || !again || !ts_programs_add_text(again, "", text, strlen(text), true, NULL, NULL, &s))
                abort();
            ts_programs_free(again);
            free(text);
        }
    ts_pool_view_free(&view);
}

static void change(ts_pool *pool) {
    ts_status s;
    char hash[17];
    bool is_new, kept;
    size_t removed;
    const ts_pool_facts facts = {.origin = "fuzz", .units = 5};
    const ts_pool_score score = {.demos_right = 1, .demos = 2, .score = 1500, .behaviour = 7, .each = true};
    const ts_pool_cut cut = {.winners = 1, .near = 1, .lines = 3};
    if (said(ts_pool_add_program(pool, programs, 0, &facts, hash, &is_new, &s), &s))
        said(ts_pool_add_score(pool, hash, "t", &score, &kept, &s), &s);
    ts_pool_wants(pool, "t", 100, 2);
    ts_pool_has_behaviour(pool, "t", 7, 2);
    const uint64_t keys[] = {1, 2, 1};
    bool known[3];
    if (said(ts_pool_dealt(pool, keys, 3, known, &s), &s) && (!known[2] || !ts_pool_was_dealt(pool, 2)))
        abort();
    said(ts_pool_prune(pool, &cut, &removed, &s), &s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ts_status s;
    ts_pool_counts counts;
    if (!programs) begin();
    if (size == 0) return 0;
    write_files(data, size);
    for (int write = 0; write < 2; write++) {
        ts_pool *pool = ts_pool_open(path, write ? TS_POOL_WRITE : TS_POOL_READ, &s);
        if (!said(pool != NULL, &s)) continue;
        ts_pool_was_dealt(pool, 3);
        if (write) change(pool);
        said(ts_pool_count(pool, &counts, &s), &s);
        said(ts_pool_tasks(pool, visit_task, NULL, &s), &s);
        read_all(pool, write);
        ts_pool_close(pool);
    }
    return 0;
}
