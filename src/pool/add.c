// What goes into a pool and out of it: programs, scores, the limit on near-winners, pruning.
#include "pool/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "program/program.h"

// ---- Programs ----

// The canonical text under the name `solve`, so that one program under two names is one.
static bool print_canonical(Text *t, const ts_programs *programs, size_t index) {
    Program p = programs->programs[index];
    p.name = "solve";
    text_clear(t);
    program_print(t, &p);
    return !t->failed;
}

bool ts_programs_hash(const ts_programs *programs, size_t index, char hash[17]) {
    Text t = {0};
    bool good = print_canonical(&t, programs, index);
    if (good) pool_hash(t.data, hash);
    text_free(&t);
    return good;
}

bool ts_programs_key(const ts_programs *programs, size_t index, uint64_t *key) {
    char hash[17];
    bool good = ts_programs_hash(programs, index, hash);
    if (good) *key = strtoull(hash, NULL, 16);
    return good;
}

// A program that is known: the row's units and pin only grow.
static bool meet_again(ts_pool *pool, sqlite3_stmt *row, const ts_pool_facts *facts, int64_t units,
                       const char *hash, Status *s) {
    int64_t id = sqlite3_column_int64(row, 0);
    bool same = strcmp(pool_column_text(row, 1), pool->text.data) == 0;
    bool more = units > sqlite3_column_int64(row, 2) || facts->pinned > sqlite3_column_int(row, 3);
    sqlite3_reset(row);
    if (same) return !more || pool_run(pool, POOL_RAISE_PROGRAM, s, id, units, (int64_t)facts->pinned);
    return pool_problem(pool->path, s, TS_INPUT, "another program has the hash %s; this one cannot be stored",
                        hash);
}

static bool add_program(ts_pool *pool, const Program *p, const ts_pool_facts *facts, const char *hash,
                        bool *is_new, Status *s) {
    int64_t units = facts->units < INT64_MAX ? (int64_t)facts->units : INT64_MAX;
    sqlite3_stmt *row = pool_query(pool, POOL_FIND_PROGRAM, s, hash);
    int found = row ? pool_next(pool, row, s) : -1;
    *is_new = found == 0;
    if (found < 0) return false;
    if (found > 0) return meet_again(pool, row, facts, units, hash, s);
    const char *name = facts->name ? facts->name : p->name;
    return pool_run(pool, POOL_ADD_PROGRAM, s, hash, pool->text.data, name, (int64_t)p->line_count, units,
                    facts->origin, (int64_t)facts->round, (int64_t)facts->pinned);
}

bool ts_pool_add_program(ts_pool *pool, const ts_programs *programs, size_t index, const ts_pool_facts *facts,
                         char hash[17], bool *is_new, ts_status *status) {
    bool own;
    pool->text.failed = false; // a lack of memory earlier need not last
    if (!print_canonical(&pool->text, programs, index))
        return status_fail(status, TS_SYSTEM, "out of memory");
    pool_hash(pool->text.data, hash);
    if (!pool_enter(pool, &own, status)) return false;
    bool good = add_program(pool, &programs->programs[index], facts, hash, is_new, status);
    return pool_leave(pool, own, good, status);
}

// ---- Near-winners ----

void pool_forget_bars(ts_pool *pool) {
    if (pool->bars) memset(pool->bars, 0, pool->bar_room * sizeof *pool->bars);
    if (pool->deeds) memset(pool->deeds, 0, pool->deed_room * sizeof *pool->deeds);
    pool->bar_count = pool->deed_count = 0;
}

static uint64_t key_of(const char *task) { return hash_bytes(hash_seed, task, strlen(task)) | 1; } // never 0

// The place of a task in the table: its bar, or a free one. NULL where memory is short.
static PoolBar *bar_of(ts_pool *pool, const char *task) {
    if (pool->bar_count * 2 >= pool->bar_room) { // bars are but remembered: a larger table starts anew
        size_t room = pool->bar_room ? pool->bar_room * 2 : 1024;
        PoolBar *grown = calloc(room, sizeof *grown);
        if (!grown) return NULL;
        free(pool->bars);
        pool->bars = grown;
        pool->bar_room = room;
        pool->bar_count = 0;
    }
    uint64_t key = key_of(task);
    size_t at = (key >> 1) & (pool->bar_room - 1);
    while (pool->bars[at].task && pool->bars[at].task != key) at = (at + 1) & (pool->bar_room - 1);
    pool->bar_count += !pool->bars[at].task;
    pool->bars[at].task = key;
    return &pool->bars[at];
}

// The place of what a program does on a task: that of one which does the same, or a free one. There is one.
static PoolDeed *find_deed(const ts_pool *pool, uint64_t key) {
    size_t at = (key >> 1) & (pool->deed_room - 1);
    while (pool->deeds[at].key && pool->deeds[at].key != key) at = (at + 1) & (pool->deed_room - 1);
    return &pool->deeds[at];
}

// Remembers what a near-winner does. One that has gone since has done so for its score, and whatever does the
// same is kept out by that. Where memory is short less is remembered.
static void note_deed(ts_pool *pool, const char *task, sqlite3_stmt *near) {
    if (sqlite3_column_type(near, 3) == SQLITE_NULL) return;
    if (pool->deed_count * 2 >= pool->deed_room) {
        size_t old = pool->deed_room, room = old ? old * 2 : 1024;
        PoolDeed *before = pool->deeds, *grown = calloc(room, sizeof *grown);
        if (!grown) return;
        pool->deeds = grown;
        pool->deed_room = room;
        for (size_t k = 0; k < old; k++)
            if (before[k].key) *find_deed(pool, before[k].key) = before[k];
        free(before);
    }
    uint64_t key = hash_mix(key_of(task), (uint64_t)sqlite3_column_int64(near, 3)) | 1;
    PoolDeed *deed = find_deed(pool, key);
    pool->deed_count += !deed->key;
    *deed = (PoolDeed){key, sqlite3_column_int64(near, 2)};
}

// Drops the near-winners of a task that are too many, too long or do what another does, and the programs that
// have no score left. The worst one that stays becomes the bar. *kept tells whether program `id` still has
// its score.
static bool trim(ts_pool *pool, const char *task, int64_t id, bool *kept, Status *s) {
    int64_t score = -1, size = 0, stay = 0, *out = NULL;
    size_t count = 0, room = 0;
    sqlite3_stmt *row = pool_query(pool, POOL_NEAR_WINNERS, s, task);
    int more = row ? pool_next(pool, row, s) : -1;
    for (; more > 0; more = pool_next(pool, row, s)) {
        if (stay < pool->near_most && sqlite3_column_int64(row, 2) <= pool->near_lines &&
            !sqlite3_column_int(row, 4)) {
            stay++;
            note_deed(pool, task, row);
            score = sqlite3_column_int64(row, 1);
            size = sqlite3_column_int64(row, 2);
            continue;
        }
        if (count == room) {
            room = room ? room * 2 : 16;
            int64_t *grown = realloc(out, room * sizeof *out);
            if (!grown) {
                sqlite3_reset(row);
                free(out);
                return status_fail(s, TS_SYSTEM, "out of memory");
            }
            out = grown;
        }
        out[count++] = sqlite3_column_int64(row, 0);
    }
    bool good = more == 0;
    for (size_t k = 0; good && k < count; k++) {
        *kept &= out[k] != id;
        good =
            pool_run(pool, POOL_DROP_SCORE, s, out[k], task) && pool_run(pool, POOL_DROP_PROGRAM, s, out[k]);
    }
    free(out);
    PoolBar *bar = good ? bar_of(pool, task) : NULL;
    if (bar) {
        bar->score = stay < pool->near_most ? -1 : score;
        bar->size = size;
    }
    return good;
}

// The bar of a task; NULL where memory is short. One that was not asked about before is looked up.
static PoolBar *look_up(ts_pool *pool, const char *task) {
    size_t known = pool->bar_count;
    PoolBar *bar = bar_of(pool, task);
    if (!bar || pool->bar_count == known) return bar;
    Status ignored;
    int64_t place = 0;
    *bar = (PoolBar){.task = bar->task, .score = -1};
    sqlite3_stmt *row = pool->version > 1 ? pool_query(pool, POOL_NEAR_WINNERS, &ignored, task) : NULL;
    while (row && place < pool->near_most && pool_next(pool, row, &ignored) > 0) {
        note_deed(pool, task, row);
        if (++place < pool->near_most) continue;
        bar->score = sqlite3_column_int64(row, 1);
        bar->size = sqlite3_column_int64(row, 2);
    }
    sqlite3_reset(row);
    return bar;
}

bool ts_pool_wants(ts_pool *pool, const char *task, int64_t score, size_t lines) {
    if ((int64_t)lines > pool->near_lines || pool->near_most == 0) return false;
    const PoolBar *bar = look_up(pool, task);
    return !bar || score > bar->score || (score == bar->score && (int64_t)lines < bar->size);
}

void pool_bar(ts_pool *pool, const char *task, int64_t *score, size_t *size, size_t *longest) {
    const PoolBar *bar = pool->near_most ? look_up(pool, task) : NULL;
    *score = bar ? bar->score : pool->near_most ? -1 : INT64_MAX;
    *size = bar && bar->size > 0 ? (size_t)bar->size : 0;
    *longest = pool->near_lines > 0 ? (size_t)pool->near_lines : 0;
}

bool ts_pool_has_behaviour(ts_pool *pool, const char *task, uint64_t behaviour, size_t lines) {
    if (!behaviour || !look_up(pool, task) || !pool->deed_room) return false;
    const PoolDeed *deed = find_deed(pool, hash_mix(key_of(task), behaviour) | 1);
    return deed->key && deed->size <= (int64_t)lines;
}

// ---- Scores ----

static bool add_score(ts_pool *pool, const char *hash, const char *task, const ts_pool_score *score,
                      bool *kept, Status *s) {
    sqlite3_stmt *row = pool_query(pool, POOL_FIND_PROGRAM, s, hash);
    int found = row ? pool_next(pool, row, s) : -1;
    int64_t id = found > 0 ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_reset(row);
    if (found < 0) return false;
    if (!found) return status_fail(s, TS_USAGE, "no program with the hash %.16s to score", hash);
    *kept = true;
    const int64_t behaviour = (int64_t)score->behaviour, answers = (int64_t)score->answers;
    const int64_t right_on = score->right_on;
    unsigned char points[2 * TS_POOL_DEMOS];
    const int told = score->demos < TS_POOL_DEMOS ? score->demos : TS_POOL_DEMOS;
    for (int k = 0; k < told; k++) {
        if (score->each && score->points[k] > 1000)
            return status_fail(s, TS_USAGE, "a demo has 1000 points at most, not %d", score->points[k]);
        points[2 * k] = (unsigned char)score->points[k];
        points[2 * k + 1] = (unsigned char)(score->points[k] >> 8);
    }
    return pool_run(pool, POOL_ADD_SCORE, s, id, task, (int64_t)score->demos_right, (int64_t)score->demos,
                    (int64_t)score->tests_right, (int64_t)score->tests, score->score, (int64_t)score->units,
                    behaviour ? &behaviour : NULL, answers ? &answers : NULL, score->each ? &right_on : NULL,
                    score->each ? points : NULL, 2 * told) &&
           trim(pool, task, id, kept, s);
}

bool ts_pool_add_score(ts_pool *pool, const char *hash, const char *task, const ts_pool_score *score,
                       bool *kept, ts_status *status) {
    bool own;
    if (!pool_enter(pool, &own, status)) return false;
    return pool_leave(pool, own, add_score(pool, hash, task, score, kept, status), status);
}

// ---- Pruning ----

// Of the scores that are solved or not, each task keeps the first `keep` by `order`.
static bool thin_out(ts_pool *pool, int solved, int64_t keep, const char *order, Status *s) {
    char sql[512];
    snprintf(sql, sizeof sql,
             "DELETE FROM score WHERE (program, task) IN (SELECT program, task FROM"
             " (SELECT s.program, s.task, row_number() OVER (PARTITION BY s.task ORDER BY %s) AS place"
             " FROM score s JOIN program p ON p.id = s.program WHERE s.solved = %d) WHERE place > %lld)",
             order, solved, (long long)keep);
    return keep < 0 || pool_exec(pool, sql, s);
}

static bool prune(ts_pool *pool, const ts_pool_cut *cut, Status *s) {
    char long_ones[256];
    snprintf(long_ones, sizeof long_ones,
             "DELETE FROM program WHERE size > %lld AND id NOT IN (SELECT program FROM score WHERE solved)",
             (long long)cut->lines);
    return pool_exec(pool, "CREATE TEMP TABLE scored AS SELECT DISTINCT program FROM main.score", s) &&
           thin_out(pool, 1, cut->winners, "p.size, s.units, p.hash", s) &&
           thin_out(pool, 0, cut->near, "s.score DESC, p.size, p.hash", s) &&
           // What has lost its last score goes, and with `unscored` what never had one.
           pool_exec(pool,
                     "DELETE FROM program WHERE id IN (SELECT program FROM scored)"
                     " AND id NOT IN (SELECT program FROM score)",
                     s) &&
           (cut->lines < 0 || pool_exec(pool, long_ones, s)) &&
           (!cut->unscored ||
            pool_exec(pool, "DELETE FROM program WHERE id NOT IN (SELECT program FROM score)", s)) &&
           (!cut->dealt || pool_exec(pool, "DELETE FROM dealt", s)) &&
           pool_exec(pool, "DROP TABLE temp.scored", s);
}

bool ts_pool_prune(ts_pool *pool, const ts_pool_cut *cut, size_t *removed, ts_status *status) {
    bool own;
    ts_pool_counts before, after;
    pool_forget_bars(pool);
    pool_forget_dealt(pool);
    if (!pool_enter(pool, &own, status)) return false;
    bool good = ts_pool_count(pool, &before, status) && prune(pool, cut, status) &&
                ts_pool_count(pool, &after, status);
    if (!pool_leave(pool, own, good, status)) return false;
    *removed = before.programs - after.programs;
    return true;
}
