// The pool: programs and how they do on tasks, in one SQLite file that several processes use at once.
//
//     program   id, hash, text, name, size, units, origin, round, made, pinned
//     score     program, task, demos_right, demos, tests_right, tests, score, units; solved follows from
//               these; behaviour, answers, right_on, points, each NULL where it is not known
//     dealt     id, hashes: what was tried (dealt.c)
//
// A program is stored once: `text` is its canonical text under the name `solve`, `hash` the hash of that. An
// id is never given twice and grows with time, so whoever has seen all up to one id asks for what came later.
// A program stays as long as it has a score or is pinned (a person asked for it). Scores of solvers stay; of
// the others, the near-winners, each task keeps the best few, and of those that behave alike one.
//
// A file of version 1 has no `dealt`, and scores without what may be NULL. It is brought up to date, in one
// transaction, when it is opened to be written; whoever may only read it reads it as it is.
//
// Statements are prepared once a pool and kept. All SQL is in a table (store.c), each statement with the
// types of its parameters: 'i' an int64_t, 'n' a pointer to one or NULL, 's' a text, 'b' bytes and an int.
#ifndef TESSERA_POOL_POOL_H
#define TESSERA_POOL_POOL_H

#include <sqlite3.h>

#include "base/text.h"
#include "tessera.h"

typedef enum {
    POOL_APPLICATION,
    POOL_VERSION,
    POOL_TABLES,
    POOL_CHECK,
    POOL_BEGIN,
    POOL_COMMIT,
    POOL_ROLLBACK,
    POOL_CHANGES_OF_OTHERS,
    POOL_FIND_PROGRAM,
    POOL_ADD_PROGRAM,
    POOL_RAISE_PROGRAM,
    POOL_DROP_PROGRAM,
    POOL_ADD_SCORE,
    POOL_DROP_SCORE,
    POOL_NEAR_WINNERS,
    POOL_LOAD,
    POOL_WINNERS,
    POOL_WINNERS_OF,
    POOL_SCORES,
    POOL_COUNTS,
    POOL_LOAD_V1, // on a file of version 1, in the same order
    POOL_WINNERS_V1,
    POOL_WINNERS_OF_V1,
    POOL_SCORES_V1,
    POOL_COUNTS_V1,
    POOL_TASKS,
    POOL_DEALT_RANGE,
    POOL_DEALT,
    POOL_ADD_DEALT,
    POOL_SET_DEALT,
    POOL_DROP_DEALT,
    POOL_STATEMENTS
} PoolStatement;

// What the worst near-winner of a task has, once the task has as many as it may have.
typedef struct {
    uint64_t task; // hash of its id; 0 for a free place
    int64_t score, size;
} PoolBar;

// A near-winner by what it does.
typedef struct {
    uint64_t key; // hash of task and behaviour; 0 for a free place
    int64_t size;
} PoolDeed;

enum { POOL_BLOCK = 500 }; // hashes in a row of `dealt`: it fills a page of the file

// The table `dealt` in memory. (dealt.c)
typedef struct {
    uint64_t *slots; // open hash table; 0 for a free place
    size_t count, room;
    int64_t first, last;                 // ids of the rows that are in it; 0, 0: none
    size_t filled;                       // hashes of the last row
    unsigned char block[8 * POOL_BLOCK]; // that row
    int64_t most_blocks;
    bool fresh; // as the file is, as far as is known
} PoolDealt;

struct ts_pool {
    sqlite3 *db;
    char *path; // as it was given
    sqlite3_stmt *statements[POOL_STATEMENTS];
    int version; // of the file
    Text text;   // of the program that is being added
    bool stuck;  // a transaction that is to be rolled back is still open
    int64_t near_most, near_lines;
    PoolBar *bars; // open hash table: for ts_pool_wants
    size_t bar_count, bar_room;
    PoolDeed *deeds; // the same for ts_pool_has_behaviour
    size_t deed_count, deed_room;
    PoolDealt dealt;
    int64_t changes_seen;      // of other processes
    int64_t steps, most_steps; // of the statement under way, for guard.c
};

// A status about the file. Returns false.
bool pool_problem(const char *path, Status *s, ts_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same with SQLite's words on what went wrong.
bool pool_fail(ts_pool *pool, Status *s);
// A statement with its parameters, to be stepped; NULL on failure.
sqlite3_stmt *pool_query(ts_pool *pool, PoolStatement which, Status *s, ...);
// To the next row: 1, or 0 after the last, -1 on failure. After the last the statement is free again; whoever
// leaves earlier calls sqlite3_reset.
int pool_next(ts_pool *pool, sqlite3_stmt *statement, Status *s);
// A statement without rows.
bool pool_run(ts_pool *pool, PoolStatement which, Status *s, ...);
bool pool_exec(ts_pool *pool, const char *sql, Status *s);
const char *pool_column_text(sqlite3_stmt *statement, int column); // "" for none

// A transaction of its own for what has to be whole, where the caller has not begun one.
bool pool_enter(ts_pool *pool, bool *own, Status *s);
bool pool_leave(ts_pool *pool, bool own, bool good, Status *s);

// What ts_pool_wants asks for: a better score than this, or the same with fewer than `size` lines; of no
// program of more than `longest`.
void pool_bar(ts_pool *pool, const char *task, int64_t *score, size_t *size, size_t *longest);

extern const char *const pool_schemas[3]; // that of version k at place k (store.c)

// Against what a stranger's file could do. (guard.c)
bool pool_look_beside(const char *path, Status *s); // before it is opened
bool pool_guard(ts_pool *pool, Status *s);          // right after
bool pool_has_schema(ts_pool *pool, Status *s);     // before a table is read: the tables are ours
bool pool_is_sound(ts_pool *pool, Status *s);       // and what is in them is as they say

// Fills in the confidence of scores. (trust.c)
bool pool_trust_entries(ts_pool *pool, ts_pool_entry *entries, size_t count, const char *task, Status *s);
bool pool_trust_score(ts_pool *pool, const char *task, const char *hash, double *confidence, Status *s);

void pool_forget_bars(ts_pool *pool);
void pool_forget_dealt(ts_pool *pool); // what is in memory is not what the file says

uint64_t pool_hash_bytes(uint64_t h, const void *bytes, size_t n);
void pool_hash(const char *text, char hash[17]);

#endif
