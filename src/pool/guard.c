// What a stranger's file could do, and why it does not.
//
// SQLite runs what a schema says: a view or a trigger of the right name is a program of the file's maker, and
// may never end or change what is stored. So the schema has to be ours to the letter before any table is
// read. Then SQLite checks the whole file: each page is used once, each value is of its type and in its
// range. (Otherwise rows could share pages, and some kilobytes be read as gigabytes.) That takes 7 ms for
// 10,000 programs, a quarter of what loading them takes.
//
// The files beside it count as well. A pipe would block. A rollback journal may name another file, which is
// deleted with it; none of ours does. A log is nothing but pages, which are checked like others.
//
// As a last resort, a statement that takes far more steps than the file has bytes is ended.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pool/pool.h"

enum {
    LONGEST = 64 << 20,    // a text or a row, in bytes
    STEPS_AT_ONCE = 1000,  // of SQLite's machine, between two looks
    FREE_STEPS = 10000000, // some tenths of a second
    STEPS_A_BYTE = 32,     // the hungriest statement takes 1.3
};

// ---- Files beside it ----

// Whether a journal ends in the name of another one, as SQLite has it in transactions on several files.
static bool names_another(const char *path) {
    static const unsigned char mark[8] = {0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7};
    unsigned char end[sizeof mark];
    FILE *file = fopen(path, "rb");
    bool names = file && fseek(file, -(long)sizeof end, SEEK_END) == 0 &&
                 fread(end, sizeof end, 1, file) == 1 && memcmp(end, mark, sizeof end) == 0;
    if (file) fclose(file);
    return names;
}

bool pool_look_beside(const char *path, Status *s) {
    static const char *const ends[] = {"-journal", "-wal", "-shm"};
    char *file = realpath(path, NULL);
    bool good = true;
    for (int k = 0; good && file && k < 3; k++) {
        Text beside = {0};
        struct stat info;
        text_print(&beside, "%s%s", file, ends[k]);
        if (beside.failed) good = pool_problem(path, s, TS_SYSTEM, "out of memory");
        else if (lstat(beside.data, &info) != 0) good = true;
        else if (!S_ISREG(info.st_mode))
            good = pool_problem(beside.data, s, TS_INPUT, "this is no ordinary file, and belongs to no pool");
        else if (k == 0 && names_another(beside.data))
            good = pool_problem(beside.data, s, TS_INPUT,
                                "this journal names another file, and belongs to no pool");
        text_free(&beside);
    }
    free(file);
    return good;
}

// ---- The connection ----

static int64_t bytes_of(const char *path, const char *end) {
    char *name = NULL;
    struct stat info;
    int64_t bytes = asprintf(&name, "%s%s", path, end) >= 0 && stat(name, &info) == 0 ? info.st_size : 0;
    free(name);
    return bytes;
}

// Whether the statement under way is to end: not 0.
static int count_steps(void *user) {
    ts_pool *pool = user;
    pool->steps += STEPS_AT_ONCE;
    if (pool->steps < pool->most_steps) return 0;
    int64_t bytes = bytes_of(pool->path, "") + bytes_of(pool->path, "-wal"); // the pool may have grown
    pool->most_steps = FREE_STEPS + STEPS_A_BYTE * bytes;
    return pool->steps >= pool->most_steps;
}

bool pool_guard(ts_pool *pool, Status *s) {
    static const struct {
        int option, value;
    } options[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (sqlite3_db_config(pool->db, options[k].option, options[k].value, NULL) != SQLITE_OK)
            return pool_fail(pool, s);
    sqlite3_limit(pool->db, SQLITE_LIMIT_LENGTH, LONGEST);
    sqlite3_limit(pool->db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_progress_handler(pool->db, STEPS_AT_ONCE, count_steps, pool);
    return pool_exec(pool, "PRAGMA cell_size_check = ON", s);
}

// ---- The schema ----

// By the name that the table of tables has from the start: a stranger's table may have the other one.
static const char list[] = "SELECT type, name, tbl_name, sql FROM main.sqlite_master ORDER BY type, name";
enum { LIST_COLUMNS = 4 };

static bool same_row(sqlite3_stmt *a, sqlite3_stmt *b) {
    for (int k = 0; k < LIST_COLUMNS; k++)
        if (sqlite3_column_type(a, k) != sqlite3_column_type(b, k) ||
            strcmp(pool_column_text(a, k), pool_column_text(b, k)) != 0)
            return false;
    return true;
}

// Whether both give the same rows. *code: SQLite's, of the first.
static bool same_rows(sqlite3_stmt *theirs, sqlite3_stmt *ours, int *code) {
    while ((*code = sqlite3_step(theirs)) == SQLITE_ROW)
        if (sqlite3_step(ours) != SQLITE_ROW || !same_row(theirs, ours)) return false;
    return *code == SQLITE_DONE && sqlite3_step(ours) == SQLITE_DONE;
}

bool pool_has_schema(ts_pool *pool, Status *s) {
    sqlite3 *model = NULL;
    sqlite3_stmt *theirs = NULL, *ours = NULL;
    bool made =
        sqlite3_open_v2(":memory:", &model, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        sqlite3_exec(model, pool_schemas[pool->version], NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(model, list, -1, &ours, NULL) == SQLITE_OK;
    int code = sqlite3_prepare_v2(pool->db, list, -1, &theirs, NULL);
    bool same = made && code == SQLITE_OK && same_rows(theirs, ours, &code);
    if (!made) pool_problem(pool->path, s, TS_SYSTEM, "out of memory");
    else if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) pool_fail(pool, s);
    else if (!same)
        pool_problem(pool->path, s, TS_INPUT,
                     "this pool is not as Tessera makes them: its tables are others");
    sqlite3_finalize(theirs);
    sqlite3_finalize(ours);
    sqlite3_close(model);
    return same;
}

// ---- The content ----

bool pool_is_sound(ts_pool *pool, Status *s) {
    sqlite3_stmt *row = pool_query(pool, POOL_CHECK, s);
    if (!row || pool_next(pool, row, s) < 0) return false;
    bool sound = strcmp(pool_column_text(row, 0), "ok") == 0;
    if (!sound)
        pool_problem(pool->path, s, TS_INPUT, "this pool is damaged: %.200s", pool_column_text(row, 0));
    sqlite3_reset(row);
    return sound;
}
