// The winners of a pool as witnesses for one another: what confidence.c makes of them.
#include <stdlib.h>
#include <string.h>

#include "pool/confidence.h"
#include "pool/pool.h"

// All winners of one task.
typedef struct {
    Text task;
    PoolWitness *witnesses;
    struct Name {
        int64_t id;
        char hash[17];
    } * names; // whose they are
    size_t count, room;
} Winners;

typedef void UseWinners(void *user, const Winners *w);

static bool make_room(Winners *w) {
    if (w->count < w->room) return true;
    const size_t room = w->room ? 2 * w->room : 64;
    PoolWitness *witnesses = realloc(w->witnesses, room * sizeof *witnesses);
    if (witnesses) w->witnesses = witnesses;
    struct Name *names = realloc(w->names, room * sizeof *names);
    if (names) w->names = names;
    if (witnesses && names) w->room = room;
    return witnesses && names;
}

// What the search has found with one engine is kin; who wrote a file of programs may have had many ideas.
static void find_kin(uint64_t kin[POOL_KIN], const char *hash, const char *origin, const char *text) {
    kin[0] = strtoull(hash, NULL, 16);
    kin[1] = pool_shape(text);
    pool_parents(origin, kin + 2, POOL_KIN - 2);
    if (strncmp(origin, "solve ", 6) == 0) kin[2] = pool_hash_bytes(1, origin, strlen(origin));
}

static bool take_row(Winners *w, sqlite3_stmt *row) {
    if (!make_room(w)) return false;
    struct Name *name = &w->names[w->count];
    *name = (struct Name){.id = sqlite3_column_int64(row, 1)};
    strncpy(name->hash, pool_column_text(row, 2), sizeof name->hash - 1);
    PoolWitness *witness = &w->witnesses[w->count++];
    *witness = (PoolWitness){.answers = (uint64_t)sqlite3_column_int64(row, 6),
                             .lines = (size_t)sqlite3_column_int64(row, 5)};
    find_kin(witness->kin, name->hash, pool_column_text(row, 3), pool_column_text(row, 4));
    return true;
}

// Hands on the winners of each task (task NULL), or of one, with the confidence in them.
static bool with_winners(ts_pool *pool, const char *task, UseWinners *use, void *user, Status *s) {
    Winners w = {0};
    bool good = true;
    sqlite3_stmt *row = task ? pool_query(pool, POOL_WINNERS_OF, s, task) : pool_query(pool, POOL_WINNERS, s);
    int more = row ? pool_next(pool, row, s) : -1;
    while (good && more > 0) {
        text_clear(&w.task);
        text_add(&w.task, pool_column_text(row, 0));
        good = !w.task.failed;
        for (w.count = 0; good && more > 0 && strcmp(w.task.data, pool_column_text(row, 0)) == 0;) {
            good = take_row(&w, row);
            if (good) more = pool_next(pool, row, s);
        }
        good = good && pool_weigh(w.witnesses, w.count);
        if (good) use(user, &w);
    }
    if (row) sqlite3_reset(row);
    if (!good) status_fail(s, TS_SYSTEM, "out of memory");
    text_free(&w.task);
    free(w.witnesses);
    free(w.names);
    return good && more == 0;
}

// ---- Entries, which are in the order of their ids ----

typedef struct {
    ts_pool_entry *entries;
    size_t count;
} Entries;

static void trust_entries(void *user, const Winners *w) {
    const Entries *e = user;
    size_t at = 0, end = e->count;
    for (size_t k = 0; k < w->count; k++) { // ids grow here, too
        for (size_t low = at, high = end; low < high;) {
            const size_t middle = low + (high - low) / 2;
            if (e->entries[middle].id < w->names[k].id) low = middle + 1;
            else high = middle;
            at = low;
        }
        ts_pool_entry *entry = at < end ? &e->entries[at] : NULL;
        if (entry && entry->id == w->names[k].id && entry->task && strcmp(entry->task, w->task.data) == 0)
            entry->score.confidence = w->witnesses[k].confidence;
    }
}

bool pool_trust_entries(ts_pool *pool, ts_pool_entry *entries, size_t count, const char *task, Status *s) {
    Entries e = {entries, count};
    return with_winners(pool, task, trust_entries, &e, s);
}

// ---- One score ----

typedef struct {
    const char *hash;
    double confidence;
} One;

static void trust_one(void *user, const Winners *w) {
    One *one = user;
    for (size_t k = 0; k < w->count; k++)
        if (strcmp(w->names[k].hash, one->hash) == 0) one->confidence = w->witnesses[k].confidence;
}

bool pool_trust_score(ts_pool *pool, const char *task, const char *hash, double *confidence, Status *s) {
    One one = {.hash = hash};
    const bool good = with_winners(pool, task, trust_one, &one, s);
    *confidence = one.confidence;
    return good;
}
