// What was dealt: hashes of programs that were tried, so that no process tries them again.
//
// The file has them in blocks of 500, each a row that fills a page, the newest at the end: a round of 32
// writes one page, and four million take 33 MB. Each process holds them in a hash table in memory (64 MB for
// four million) and reads what others have added since. Once there are too many, the oldest eighth goes at
// one time, and every process that finds the first row gone loads the table anew; so what is known is what
// the file says, however long a process has run.
//
// TRIED: a row for each hash (random pages: 32 of them written in each round, 80 MB, and a check of four
// million rows whenever the pool is opened); a page for each range of hashes (the same writes).
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "pool/pool.h"

enum { MOST_AT_ONCE = 10 * 1000 }; // rows that room is made for, whatever ids a file may have

// ---- In memory ----

static uint64_t *find(const PoolDealt *d, uint64_t key) {
    key += !key; // 0 is a free place
    size_t at = hash_mix(hash_seed, key) & (d->room - 1);
    while (d->slots[at] && d->slots[at] != key) at = (at + 1) & (d->room - 1);
    return &d->slots[at];
}

// False where memory is short.
static bool make_room(PoolDealt *d, size_t more) {
    size_t old = d->room, room = old ? old : 1024;
    while (room / 3 * 2 < d->count + more) room *= 2;
    if (room == old) return true;
    uint64_t *before = d->slots, *grown = calloc(room, sizeof *grown);
    if (!grown) return false;
    d->slots = grown;
    d->room = room;
    for (size_t k = 0; k < old; k++)
        if (before[k]) *find(d, before[k]) = before[k];
    free(before);
    return true;
}

// There is room. Whether it is new.
static bool put(PoolDealt *d, uint64_t key) {
    uint64_t *slot = find(d, key);
    if (*slot) return false;
    *slot = key + !key;
    d->count++;
    return true;
}

void pool_forget_dealt(ts_pool *pool) {
    PoolDealt *d = &pool->dealt;
    free(d->slots);
    *d = (PoolDealt){.most_blocks = d->most_blocks};
}

// ---- The file ----

static void store_key(unsigned char *to, uint64_t key) {
    for (int k = 0; k < 8; k++) to[k] = (unsigned char)(key >> 8 * k);
}

static uint64_t load_key(const unsigned char *from) {
    uint64_t key = 0;
    for (int k = 0; k < 8; k++) key |= (uint64_t)from[k] << 8 * k;
    return key;
}

// What of a row is not in memory yet. False where memory is short.
static bool take_row(PoolDealt *d, sqlite3_stmt *row) {
    const int64_t id = sqlite3_column_int64(row, 0);
    const unsigned char *bytes = sqlite3_column_blob(row, 1);
    size_t n = (size_t)sqlite3_column_bytes(row, 1) / 8, known = id == d->last ? d->filled : 0;
    if (!bytes || n > POOL_BLOCK || !make_room(d, n)) return false;
    for (size_t k = known; k < n; k++) put(d, load_key(bytes + 8 * k));
    memcpy(d->block, bytes, 8 * n);
    d->last = id;
    d->filled = n;
    return true;
}

// Brings memory to what the file says.
static bool refresh(ts_pool *pool, Status *s) {
    PoolDealt *d = &pool->dealt;
    sqlite3_stmt *row = pool_query(pool, POOL_DEALT_RANGE, s);
    int more = row ? pool_next(pool, row, s) : -1;
    if (more < 0) return false;
    const int64_t first = sqlite3_column_int64(row, 0), last = sqlite3_column_int64(row, 1);
    sqlite3_reset(row);
    if (first != d->first || last < d->last) pool_forget_dealt(pool);
    d->first = first;
    const int64_t from = d->last ? d->last : first;
    if (last - from < MOST_AT_ONCE) make_room(d, (size_t)(last - from + 1) * POOL_BLOCK); // once for all
    row = pool_query(pool, POOL_DEALT, s, from);
    more = row ? pool_next(pool, row, s) : -1;
    for (; more > 0; more = pool_next(pool, row, s))
        if (!take_row(d, row)) {
            sqlite3_reset(row);
            pool_forget_dealt(pool);
            return status_fail(s, TS_SYSTEM, "out of memory");
        }
    d->fresh = more == 0;
    return d->fresh;
}

// The last block as it is now: a new row, or the last one again.
static bool write_block(ts_pool *pool, bool is_new, Status *s) {
    PoolDealt *d = &pool->dealt;
    const int bytes = (int)(8 * d->filled);
    if (!is_new) return pool_run(pool, POOL_SET_DEALT, s, d->last, d->block, bytes);
    if (!pool_run(pool, POOL_ADD_DEALT, s, d->block, bytes)) return false;
    d->last = sqlite3_last_insert_rowid(pool->db);
    if (!d->first) d->first = d->last;
    return true;
}

static bool add(ts_pool *pool, const uint64_t *keys, size_t count, bool *known, Status *s) {
    PoolDealt *d = &pool->dealt;
    if (!refresh(pool, s)) return false;
    if (!make_room(d, count)) return status_fail(s, TS_SYSTEM, "out of memory");
    bool good = true, is_new = !d->last, changed = false;
    for (size_t k = 0; good && k < count; k++) {
        const bool added = put(d, keys[k]);
        if (known) known[k] = !added;
        if (!added) continue;
        if (d->filled == POOL_BLOCK) {
            good = !changed || write_block(pool, is_new, s);
            d->filled = 0;
            is_new = true;
        }
        store_key(d->block + 8 * d->filled++, keys[k] + !keys[k]);
        changed = true;
    }
    good = good && (!changed || write_block(pool, is_new, s));
    if (!good || d->last - d->first < d->most_blocks) return good;
    const int64_t gone = d->last - d->most_blocks + d->most_blocks / 8;
    pool_forget_dealt(pool);
    return pool_run(pool, POOL_DROP_DEALT, s, gone);
}

// ---- The public face ----

void ts_pool_set_dealt(ts_pool *pool, size_t most) {
    const size_t blocks = most / POOL_BLOCK + (most % POOL_BLOCK != 0);
    pool->dealt.most_blocks = blocks < INT32_MAX ? (int64_t)blocks : INT32_MAX;
}

bool ts_pool_was_dealt(ts_pool *pool, uint64_t key) {
    Status ignored;
    const PoolDealt *d = &pool->dealt;
    if (!d->fresh && (pool->version < 2 || !refresh(pool, &ignored))) return false;
    return d->room && *find(d, key);
}

bool ts_pool_dealt(ts_pool *pool, const uint64_t *keys, size_t count, bool *known, ts_status *status) {
    bool own;
    if (!pool_enter(pool, &own, status)) return false;
    return pool_leave(pool, own, add(pool, keys, count, known, status), status);
}
