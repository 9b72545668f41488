// The file of a pool: opening and making it, transactions, statements.
//
// Durable means: what was committed is there after kill -9 at any moment. A commit appends to the write-ahead
// log without waiting for the disk (synchronous=NORMAL): a small transaction takes 0.2 ms, with the wait 2 to
// 5 here and far more on a slow disk, each round of the search. The price is that a power failure may take
// the last commits, never more: the file stays whole.
#include "pool/pool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

enum {
    APPLICATION = 0x54537031, // "TSp1": what makes a database a pool
    VERSION = 2,
    BUSY_MS = 30 * 1000, // how long to wait for another process
    NEAR_MOST = 20,
    NEAR_LINES = 60,
    DEALT_MOST = 4 * 1000 * 1000,
};

// The tables of each version. A file has to have them to the letter.
#define PROGRAM_TABLE                                                                       \
    "CREATE TABLE program ("                                                                \
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"                                                \
    " hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 16 AND hash NOT GLOB '*[^0-9a-f]*')," \
    " text TEXT NOT NULL CHECK (text GLOB 'def solve(*'),"                                  \
    " name TEXT NOT NULL CHECK (name <> ''),"                                               \
    " size INTEGER NOT NULL CHECK (size >= 0),"                                             \
    " units INTEGER NOT NULL CHECK (units >= 0),"                                           \
    " origin TEXT NOT NULL,"                                                                \
    " round INTEGER NOT NULL CHECK (round >= 0),"                                           \
    " made INTEGER NOT NULL,"                                                               \
    " pinned INTEGER NOT NULL CHECK (pinned IN (0, 1))"                                     \
    ") STRICT;"
#define SCORE_COLUMNS                                                        \
    "CREATE TABLE score ("                                                   \
    " program INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,"   \
    " task TEXT NOT NULL CHECK (task <> ''),"                                \
    " demos_right INTEGER NOT NULL CHECK (demos_right BETWEEN 0 AND demos)," \
    " demos INTEGER NOT NULL CHECK (demos > 0),"                             \
    " tests_right INTEGER NOT NULL CHECK (tests_right BETWEEN 0 AND tests)," \
    " tests INTEGER NOT NULL CHECK (tests >= 0),"                            \
    " score INTEGER NOT NULL CHECK (score BETWEEN 0 AND 1000 * demos),"      \
    " units INTEGER NOT NULL CHECK (units >= 0),"                            \
    " solved INTEGER NOT NULL GENERATED ALWAYS AS (demos_right = demos) VIRTUAL,"
#define SCORE_REST                 \
    " PRIMARY KEY (program, task)" \
    ") STRICT, WITHOUT ROWID;"     \
    "CREATE INDEX score_of_task ON score (task, solved, score);"
#define SCORE_TABLE                                                              \
    SCORE_COLUMNS " behaviour INTEGER CHECK (behaviour <> 0),"                   \
                  " answers INTEGER CHECK (answers <> 0),"                       \
                  " right_on INTEGER CHECK (right_on BETWEEN 0 AND 2147483647)," \
                  " points BLOB CHECK (length(points) = 2 * min(demos, 31))," SCORE_REST
#define DEALT_TABLE                                                                              \
    "CREATE TABLE dealt ("                                                                       \
    " id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),"                                      \
    " hashes BLOB NOT NULL CHECK (length(hashes) BETWEEN 8 AND 4000 AND length(hashes) % 8 = 0)" \
    ") STRICT;"

const char *const pool_schemas[] = {"", PROGRAM_TABLE SCORE_COLUMNS SCORE_REST,
                                    PROGRAM_TABLE SCORE_TABLE DEALT_TABLE};

// From version 1 to 2. The tables are made by their own words, as altered ones would have SQLite's.
#define OLD_COLUMNS "program, task, demos_right, demos, tests_right, tests, score, units"
static const char upgrade[] =
    "CREATE TEMP TABLE old AS SELECT " OLD_COLUMNS
    " FROM main.score; DROP TABLE main.score;" SCORE_TABLE DEALT_TABLE "INSERT INTO score (" OLD_COLUMNS
    ") SELECT " OLD_COLUMNS " FROM temp.old; DROP TABLE temp.old";

// Programs with the score they are best at, of one task where one is given. A row's plain columns are those
// of the score with the largest max().
#define LOAD(more)                                                                                          \
    "SELECT p.id, p.hash, p.text, p.name, p.origin, p.size, p.units, p.round, p.made, p.pinned, s.task,"    \
    " s.demos_right, s.demos, s.tests_right, s.tests, s.score, s.units, " more ","                          \
    " ifnull(sum(s.solved), 0) AS wins, max(s.solved * 2000000 + s.score * 1000 / s.demos) AS best"         \
    " FROM program p LEFT JOIN score s ON s.program = p.id AND (?2 = '' OR s.task = ?2)"                    \
    " WHERE p.id > ?1 AND (?2 = '' OR s.task IS NOT NULL) AND (?3 = '' OR p.hash BETWEEN ?3 AND ?3 || 'g')" \
    " GROUP BY p.id HAVING ?4 = 0 OR wins > 0 ORDER BY p.id LIMIT ?5"
#define WINNERS(answers, condition)                                   \
    "SELECT s.task, p.id, p.hash, p.origin, p.text, p.size, " answers \
    " FROM score s JOIN program p ON p.id = s.program WHERE s.solved" condition " ORDER BY s.task, p.id"
#define SCORES(more)                                                                         \
    "SELECT task, demos_right, demos, tests_right, tests, score, units, " more " FROM score" \
    " WHERE program = (SELECT id FROM program WHERE hash = ?)"                               \
    " ORDER BY solved DESC, score * 1000 / demos DESC, task"
#define COUNTS(dealt)                                                                                  \
    "SELECT (SELECT count(*) FROM program), (SELECT count(DISTINCT program) FROM score WHERE solved)," \
    " (SELECT count(DISTINCT program) FROM score), page_count * page_size, " dealt                     \
    " FROM pragma_page_count, pragma_page_size"
#define MORE "s.behaviour, s.answers, s.right_on, s.points"
#define NO_MORE "NULL, NULL, NULL, NULL"
// All rows but the last are full.
#define COUNT_DEALT "(SELECT (max(id) - (SELECT min(id) FROM dealt)) * 500 + length(hashes) / 8 FROM dealt)"

static const struct {
    const char *sql, *types;
} table[POOL_STATEMENTS] = {
    [POOL_APPLICATION] = {"PRAGMA application_id", ""},
    [POOL_VERSION] = {"PRAGMA user_version", ""},
    [POOL_TABLES] = {"SELECT count(*) FROM main.sqlite_master", ""},
    [POOL_CHECK] = {"PRAGMA quick_check(1)", ""},
    [POOL_BEGIN] = {"BEGIN IMMEDIATE", ""}, // takes the lock at once, so that no wait comes in the middle
    [POOL_COMMIT] = {"COMMIT", ""},
    [POOL_ROLLBACK] = {"ROLLBACK", ""},
    [POOL_CHANGES_OF_OTHERS] = {"PRAGMA data_version", ""},
    [POOL_FIND_PROGRAM] = {"SELECT id, text, units, pinned FROM program WHERE hash = ?", "s"},
    [POOL_ADD_PROGRAM] = {"INSERT INTO program (hash, text, name, size, units, origin, round, made, pinned)"
                          " VALUES (?, ?, ?, ?, ?, ?, ?, unixepoch(), ?)",
                          "sssiisii"},
    [POOL_RAISE_PROGRAM] =
        {"UPDATE program SET units = max(units, ?2), pinned = max(pinned, ?3) WHERE id = ?1", "iii"},
    [POOL_DROP_PROGRAM] = {"DELETE FROM program WHERE id = ?1 AND NOT pinned"
                           " AND NOT EXISTS (SELECT 1 FROM score WHERE program = ?1)",
                           "i"},
    [POOL_ADD_SCORE] =
        {"INSERT INTO score (program, task, demos_right, demos, tests_right, tests, score, units,"
         " behaviour, answers, right_on, points) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
         " ON CONFLICT DO UPDATE SET demos_right = excluded.demos_right, demos = excluded.demos,"
         " tests_right = excluded.tests_right, tests = excluded.tests, score = excluded.score,"
         " units = excluded.units, behaviour = ifnull(excluded.behaviour, behaviour),"
         " answers = ifnull(excluded.answers, answers), right_on = ifnull(excluded.right_on, right_on),"
         " points = ifnull(excluded.points, points)",
         "isiiiiiinnnb"},
    [POOL_DROP_SCORE] = {"DELETE FROM score WHERE program = ? AND task = ?", "is"},
    [POOL_NEAR_WINNERS] =
        {"SELECT s.program, s.score, p.size, s.behaviour, s.behaviour NOT NULL AND"
         " row_number() OVER (PARTITION BY s.behaviour ORDER BY p.size, s.score DESC, p.hash) > 1"
         " FROM score s JOIN program p ON p.id = s.program"
         " WHERE s.task = ? AND s.solved = 0 ORDER BY s.score DESC, p.size, p.hash",
         "s"},
    [POOL_LOAD] = {LOAD(MORE), "issii"},
    [POOL_LOAD_V1] = {LOAD(NO_MORE), "issii"},
    [POOL_WINNERS] = {WINNERS("s.answers", ""), ""},
    [POOL_WINNERS_V1] = {WINNERS("NULL", ""), ""},
    [POOL_WINNERS_OF] = {WINNERS("s.answers", " AND s.task = ?"), "s"},
    [POOL_WINNERS_OF_V1] = {WINNERS("NULL", " AND s.task = ?"), "s"},
    [POOL_SCORES] = {SCORES("behaviour, answers, right_on, points"), "s"},
    [POOL_SCORES_V1] = {SCORES(NO_MORE), "s"},
    [POOL_TASKS] =
        {"SELECT task, sum(solved), sum(NOT solved), max(solved AND tests > 0 AND tests_right = tests),"
         " max(score), max(demos), min(CASE WHEN solved THEN p.size END)"
         " FROM score JOIN program p ON p.id = program GROUP BY task",
         ""},
    [POOL_COUNTS] = {COUNTS(COUNT_DEALT), ""},
    [POOL_COUNTS_V1] = {COUNTS("0"), ""},
    [POOL_DEALT_RANGE] = {"SELECT (SELECT min(id) FROM dealt), (SELECT max(id) FROM dealt)", ""},
    [POOL_DEALT] = {"SELECT id, hashes FROM dealt WHERE id >= ? ORDER BY id", "i"},
    [POOL_ADD_DEALT] = {"INSERT INTO dealt (hashes) VALUES (?)", "b"},
    [POOL_SET_DEALT] = {"UPDATE dealt SET hashes = ?2 WHERE id = ?1", "ib"},
    [POOL_DROP_DEALT] = {"DELETE FROM dealt WHERE id <= ?", "i"},
};

// ---- Errors ----

bool pool_problem(const char *path, Status *s, ts_code code, const char *format, ...) {
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    status_fail(s, code, "%s", message);
    status_in_file(s, path);
    return false;
}

bool pool_fail(ts_pool *pool, Status *s) {
    const char *words = sqlite3_errmsg(pool->db);
    int system = sqlite3_system_errno(pool->db);
    switch (sqlite3_errcode(pool->db) & 0xFF) {
    case SQLITE_NOTADB: return pool_problem(pool->path, s, TS_INPUT, "this is no pool: %s", words);
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: // a table or column that is not as it has to be
        return pool_problem(pool->path, s, TS_INPUT, "this pool is damaged: %s", words);
    case SQLITE_INTERRUPT:
        return pool_problem(pool->path, s, TS_INPUT, "this pool is damaged: reading it does not end");
    case SQLITE_TOOBIG: return pool_problem(pool->path, s, TS_INPUT, "%s", words);
    case SQLITE_CONSTRAINT: return pool_problem(pool->path, s, TS_USAGE, "%s", words);
    case SQLITE_READONLY:
        return pool_problem(pool->path, s, TS_SYSTEM, "%s: the file and its folder have to be writable",
                            words);
    case SQLITE_BUSY:
        return pool_problem(pool->path, s, TS_SYSTEM, "another process has kept this pool busy for %d s",
                            BUSY_MS / 1000);
    default:
        return pool_problem(pool->path, s, TS_SYSTEM, system ? "%s (%s)" : "%s", words, strerror(system));
    }
}

// ---- Statements ----

// SQLite itself rolls back after some errors, such as a full disk. To roll back takes memory: where there is
// none the transaction is stuck, and ends before anything else is done.
static bool roll_back(ts_pool *pool, Status *s) {
    pool->stuck = !sqlite3_get_autocommit(pool->db) && !pool_run(pool, POOL_ROLLBACK, s);
    return !pool->stuck;
}

static int bind_number(sqlite3_stmt *statement, int place, const int64_t *number) {
    return number ? sqlite3_bind_int64(statement, place, *number) : sqlite3_bind_null(statement, place);
}

static sqlite3_stmt *query(ts_pool *pool, PoolStatement which, Status *s, va_list args) {
    if (pool->version == 1 && which >= POOL_LOAD && which <= POOL_COUNTS) which += POOL_LOAD_V1 - POOL_LOAD;
    sqlite3_stmt **place = &pool->statements[which];
    if (pool->stuck && which != POOL_ROLLBACK && !roll_back(pool, s)) return NULL;
    pool->steps = 0;
    if (!*place &&
        sqlite3_prepare_v3(pool->db, table[which].sql, -1, SQLITE_PREPARE_PERSISTENT, place, NULL)) {
        pool_fail(pool, s);
        return NULL;
    }
    int code = SQLITE_OK;
    for (int k = 0; table[which].types[k] && code == SQLITE_OK; k++) {
        switch (table[which].types[k]) {
        case 'i': code = sqlite3_bind_int64(*place, k + 1, va_arg(args, int64_t)); break;
        case 'n': code = bind_number(*place, k + 1, va_arg(args, const int64_t *)); break;
        case 's':
            code = sqlite3_bind_text(*place, k + 1, va_arg(args, const char *), -1, SQLITE_STATIC);
            break;
        case 'b': {
            const void *bytes = va_arg(args, const void *);
            code = sqlite3_bind_blob(*place, k + 1, bytes, va_arg(args, int), SQLITE_STATIC);
        }
        }
    }
    if (code == SQLITE_OK) return *place;
    pool_fail(pool, s);
    return NULL;
}

sqlite3_stmt *pool_query(ts_pool *pool, PoolStatement which, Status *s, ...) {
    va_list args;
    va_start(args, s);
    sqlite3_stmt *statement = query(pool, which, s, args);
    va_end(args);
    return statement;
}

int pool_next(ts_pool *pool, sqlite3_stmt *statement, Status *s) {
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) return 1;
    if (code != SQLITE_DONE) pool_fail(pool, s); // before the reset, which clears SQLite's words
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? 0 : -1;
}

bool pool_run(ts_pool *pool, PoolStatement which, Status *s, ...) {
    va_list args;
    va_start(args, s);
    sqlite3_stmt *statement = query(pool, which, s, args);
    va_end(args);
    return statement && pool_next(pool, statement, s) == 0;
}

bool pool_exec(ts_pool *pool, const char *sql, Status *s) {
    pool->steps = 0;
    return sqlite3_exec(pool->db, sql, NULL, NULL, NULL) == SQLITE_OK || pool_fail(pool, s);
}

const char *pool_column_text(sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

// FNV-1a. What is in files must not change with the hash that the rest of the library uses in memory.
uint64_t pool_hash_bytes(uint64_t h, const void *bytes, size_t n) {
    const unsigned char *b = bytes;
    for (size_t k = 0; k < n; k++) h = (h ^ b[k]) * 0x100000001B3ULL;
    return h;
}

static const uint64_t hash_start = 0xCBF29CE484222325ULL;

void pool_hash(const char *text, char hash[17]) {
    uint64_t h = pool_hash_bytes(hash_start, text, strlen(text));
    snprintf(hash, 17, "%016llx", (unsigned long long)h);
}

uint64_t ts_grid_digest(uint64_t digest, ts_grid grid) {
    const unsigned char size[4] = {(unsigned char)grid.height, (unsigned char)(grid.height >> 8),
                                   (unsigned char)grid.width, (unsigned char)(grid.width >> 8)};
    digest = pool_hash_bytes(digest ? digest : hash_start, size, sizeof size);
    if (grid.height && grid.cells)
        digest = pool_hash_bytes(digest, grid.cells, (size_t)grid.height * (size_t)grid.width);
    return digest ? digest : 1;
}

// ---- Transactions ----

bool ts_pool_begin(ts_pool *pool, ts_status *status) {
    if (!pool_run(pool, POOL_BEGIN, status)) return false;
    sqlite3_stmt *statement = pool_query(pool, POOL_CHANGES_OF_OTHERS, status);
    int64_t changes =
        statement && pool_next(pool, statement, status) > 0 ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_reset(statement);
    if (changes != pool->changes_seen) {
        pool_forget_bars(pool);
        pool->dealt.fresh = false;
    }
    pool->changes_seen = changes;
    return true;
}

bool ts_pool_commit(ts_pool *pool, ts_status *status) {
    if (pool_run(pool, POOL_COMMIT, status)) return true;
    ts_pool_rollback(pool);
    return false;
}

void ts_pool_rollback(ts_pool *pool) {
    Status ignored;
    pool_forget_bars(pool);
    pool_forget_dealt(pool);
    roll_back(pool, &ignored);
}

bool pool_enter(ts_pool *pool, bool *own, Status *s) {
    *s = (Status){0};
    if (pool->stuck && !roll_back(pool, s)) return false;
    *own = sqlite3_get_autocommit(pool->db);
    return !*own || ts_pool_begin(pool, s);
}

bool pool_leave(ts_pool *pool, bool own, bool good, Status *s) {
    if (own && good) return ts_pool_commit(pool, s);
    if (own) ts_pool_rollback(pool);
    return good;
}

// ---- Opening ----

// Whether there is a file that can be a pool. A pipe would block, a device would swallow what is written.
static bool look_at(const char *path, ts_pool_mode mode, Status *s) {
    struct stat info;
    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) return pool_problem(path, s, TS_SYSTEM, "this is a folder, not a pool");
        return S_ISREG(info.st_mode) || pool_problem(path, s, TS_SYSTEM, "this is no ordinary file");
    }
    if (errno == ENOENT && mode == TS_POOL_CREATE) return true;
    return pool_problem(path, s, TS_SYSTEM, "cannot open this pool: %s", strerror(errno));
}

// How SQLite is told of the file. A path with a slash is never one of its names with a meaning, such as
// ':memory:'.
static char *name_of(const char *path, bool immutable) {
    Text t = {0};
    if (immutable) text_add(&t, "file:");
    if (path[0] != '/') text_add(&t, "./");
    for (; *path; path++) {
        if (immutable && strchr("%?#", *path)) text_print(&t, "%%%02X", *path);
        else text_char(&t, *path);
    }
    if (immutable) text_add(&t, "?immutable=1");
    return text_take(&t);
}

static bool connect_to(ts_pool *pool, ts_pool_mode mode, bool immutable, Status *s) {
    char *name = name_of(pool->path, immutable);
    int flags =
        SQLITE_OPEN_NOMUTEX | (immutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE);
    if (mode == TS_POOL_CREATE) flags |= SQLITE_OPEN_CREATE;
    int code = name ? sqlite3_open_v2(name, &pool->db, flags, NULL) : SQLITE_NOMEM;
    free(name);
    if (!pool->db) return pool_problem(pool->path, s, TS_SYSTEM, "out of memory");
    if (code != SQLITE_OK) return pool_fail(pool, s);
    if (mode != TS_POOL_READ && sqlite3_db_readonly(pool->db, "main") > 0)
        return pool_problem(pool->path, s, TS_SYSTEM, "this file is read-only");
    sqlite3_extended_result_codes(pool->db, 1);
    sqlite3_busy_timeout(pool->db, BUSY_MS);
    // Temporary tables need no disk.
    return pool_guard(pool, s) &&
           pool_exec(pool,
                     "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY",
                     s) &&
           (mode != TS_POOL_READ || pool_exec(pool, "PRAGMA query_only = ON", s));
}

// The one number that a statement gives.
static bool number_of(ts_pool *pool, PoolStatement which, int64_t *number, Status *s) {
    sqlite3_stmt *row = pool_query(pool, which, s);
    if (!row || pool_next(pool, row, s) < 0) return false;
    *number = sqlite3_column_int64(row, 0);
    sqlite3_reset(row);
    return true;
}

static bool identify_file(ts_pool *pool, bool *fresh, Status *s) {
    int64_t application, version, tables;
    if (!number_of(pool, POOL_APPLICATION, &application, s) || !number_of(pool, POOL_VERSION, &version, s) ||
        !number_of(pool, POOL_TABLES, &tables, s))
        return false;
    *fresh = application == 0 && version == 0 && tables == 0;
    if (*fresh) return true;
    if (application != APPLICATION)
        return pool_problem(pool->path, s, TS_INPUT, "this is a database, but no pool of Tessera");
    if (version < 1 || version > VERSION)
        return pool_problem(pool->path, s, TS_INPUT,
                            "this pool has version %lld, and this Tessera (" TS_VERSION
                            ") knows version %d%s",
                            (long long)version, VERSION, version > VERSION ? "; a newer one is needed" : "");
    pool->version = (int)version;
    return pool_has_schema(pool, s) && pool_is_sound(pool, s);
}

// Whether the file is a pool of ours, or, with *fresh, nothing yet: as it is at one moment, while others
// write.
static bool identify(ts_pool *pool, bool *fresh, Status *s) {
    Status ignored;
    if (!pool_exec(pool, "SAVEPOINT look", s)) return false;
    bool good = identify_file(pool, fresh, s);
    pool_exec(pool, "RELEASE look", &ignored);
    return good;
}

// SQLite does not wait where it changes the kind of log, so we do.
static bool use_log(ts_pool *pool, Status *s) {
    for (double start = clock_ms();; usleep(5000)) {
        int code = sqlite3_exec(pool->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if (code == SQLITE_OK) return true;
        if ((code & 0xFF) != SQLITE_BUSY || clock_ms() - start > BUSY_MS) return pool_fail(pool, s);
    }
}

// Makes the tables, or brings those of an older version up to date, unless another process has just done it.
// Killed in between, it leaves the file as it was.
static bool make_tables(ts_pool *pool, Status *s) {
    bool fresh;
    Text sql = {0};
    if (!ts_pool_begin(pool, s)) return false;
    bool good = identify(pool, &fresh, s);
    if (good && (fresh || pool->version < VERSION)) {
        text_print(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION, VERSION);
        text_add(&sql, fresh ? pool_schemas[VERSION] : upgrade);
        good = sql.failed ? status_fail(s, TS_SYSTEM, "out of memory") : pool_exec(pool, sql.data, s);
        if (good) pool->version = VERSION;
    }
    text_free(&sql);
    return pool_leave(pool, true, good, s);
}

static bool prepare(ts_pool *pool, ts_pool_mode mode, Status *s) {
    bool fresh;
    if (!identify(pool, &fresh, s)) return false;
    if (fresh && mode != TS_POOL_CREATE)
        return pool_problem(pool->path, s, TS_INPUT, "this file is empty: no pool yet");
    return mode == TS_POOL_READ || (use_log(pool, s) && (pool->version == VERSION || make_tables(pool, s)));
}

// A pool on a read-only disk or in a folder of others has no place for the log and its index. Where there is
// no log nobody is writing, and it is read as it stands; nothing is left beside it.
static bool only_as_it_stands(const char *path) {
    char *file = realpath(path, NULL), *log = NULL;
    bool stands = file && asprintf(&log, "%s-wal", file) >= 0 && access(log, F_OK) != 0;
    if (stands && access(file, W_OK) == 0) {
        strrchr(file, '/')[1] = 0; // the folder
        stands = access(file, W_OK) != 0;
    }
    free(log);
    free(file);
    return stands;
}

ts_pool *ts_pool_open(const char *path, ts_pool_mode mode, ts_status *status) {
    *status = (ts_status){0};
    if (!look_at(path, mode, status) || !pool_look_beside(path, status)) return NULL;
    ts_pool *pool = calloc(1, sizeof *pool);
    if (pool) pool->path = strdup(path);
    if (!pool || !pool->path) {
        free(pool);
        status_fail(status, TS_SYSTEM, "out of memory");
        return NULL;
    }
    ts_pool_set_near(pool, NEAR_MOST, NEAR_LINES);
    ts_pool_set_dealt(pool, DEALT_MOST);
    bool immutable = mode == TS_POOL_READ && only_as_it_stands(path);
    if (connect_to(pool, mode, immutable, status) && prepare(pool, mode, status)) return pool;
    ts_pool_close(pool);
    return NULL;
}

void ts_pool_close(ts_pool *pool) {
    if (!pool) return;
    for (int k = 0; k < POOL_STATEMENTS; k++) sqlite3_finalize(pool->statements[k]);
    sqlite3_close(pool->db);
    text_free(&pool->text);
    free(pool->bars);
    free(pool->deeds);
    free(pool->dealt.slots);
    free(pool->path);
    free(pool);
}

void ts_pool_set_near(ts_pool *pool, size_t most, size_t lines) {
    pool->near_most = most < INT32_MAX ? (int64_t)most : INT32_MAX;
    pool->near_lines = lines < INT32_MAX ? (int64_t)lines : INT32_MAX;
    pool_forget_bars(pool);
}
