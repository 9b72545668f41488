// What comes out of a pool: programs with what is known of them, scores, counts.
//
// A view of 10,000 programs is what the search picks some dozens from in each round. So loading takes what
// the file says (25 ms, and when loaded again only what came since), and a program's text is read (10 ms for
// a thousand) once somebody wants the program. Many are read in one go, joined to a text of about a megabyte,
// as the reader's own tables take as long to make as a program to read.
//
// The file may come from a stranger. A text is believed only if it is one program and has the hash that the
// row says; so whatever is printed later, for Python too, has gone through the reader.
#include "pool/pool.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"

enum { CHUNK = 1 << 20, NOT_READ = -1, UNREADABLE = -2, WAITING = -3 };
static const char def[] = "def solve"; // how each text begins

// ---- Facts ----

// A count, which the tables allow to be of any size.
static int count_of(sqlite3_stmt *row, int column) {
    int64_t n = sqlite3_column_int64(row, column);
    return n < INT_MAX ? (int)n : INT_MAX;
}

// What each demo has. The tables allow more points than there are.
static void take_points(ts_pool_score *score, const unsigned char *points, int n) {
    for (int k = 0; k < n && k < TS_POOL_DEMOS; k++) {
        int p = points[2 * k] | points[2 * k + 1] << 8;
        score->points[k] = (uint16_t)(p < 1000 ? p : 1000);
    }
}

static ts_pool_score score_of_row(sqlite3_stmt *row, int column) {
    ts_pool_score score = {.demos_right = count_of(row, column),
                           .demos = count_of(row, column + 1),
                           .tests_right = count_of(row, column + 2),
                           .tests = count_of(row, column + 3),
                           .score = sqlite3_column_int64(row, column + 4),
                           .units = (uint64_t)sqlite3_column_int64(row, column + 5),
                           .behaviour = (uint64_t)sqlite3_column_int64(row, column + 6),
                           .answers = (uint64_t)sqlite3_column_int64(row, column + 7),
                           .right_on = (uint32_t)sqlite3_column_int64(row, column + 8)};
    const unsigned char *points = sqlite3_column_blob(row, column + 9);
    score.each = points && sqlite3_column_type(row, column + 8) != SQLITE_NULL;
    if (score.each) take_points(&score, points, sqlite3_column_bytes(row, column + 9) / 2);
    else score.right_on = 0;
    return score;
}

// A text of the row, kept with the programs.
static char *keep_text(ts_pool_view *v, sqlite3_stmt *row, int column) {
    const char *text = pool_column_text(row, column);
    return arena_text(&v->programs->ctx.arena, text, strlen(text));
}

static bool make_room(ts_pool_view *v) {
    if (v->count < v->room) return true;
    size_t room = v->room ? v->room * 2 : 256;
    ts_pool_entry *grown = realloc(v->entries, room * sizeof *grown);
    if (!grown) return false;
    v->entries = grown;
    v->room = room;
    return true;
}

// False where memory is short.
static bool take_row(ts_pool_view *v, sqlite3_stmt *row) {
    if (!make_room(v)) return false;
    ts_pool_entry e = {.id = sqlite3_column_int64(row, 0),
                       .text = keep_text(v, row, 2),
                       .name = keep_text(v, row, 3),
                       .origin = keep_text(v, row, 4),
                       .size = (size_t)sqlite3_column_int64(row, 5),
                       .units = (uint64_t)sqlite3_column_int64(row, 6),
                       .round = (uint64_t)sqlite3_column_int64(row, 7),
                       .made = sqlite3_column_int64(row, 8),
                       .pinned = sqlite3_column_int(row, 9) != 0,
                       .wins = (size_t)sqlite3_column_int64(row, 21),
                       .program = NOT_READ};
    strncpy(e.hash, pool_column_text(row, 1), sizeof e.hash - 1);
    bool scored = sqlite3_column_type(row, 10) != SQLITE_NULL;
    if (scored) {
        e.task = keep_text(v, row, 10);
        e.score = score_of_row(row, 11);
    }
    if (!e.text || !e.name || !e.origin || (scored && !e.task)) return false;
    v->entries[v->count++] = e;
    if (e.id > v->last) v->last = e.id;
    return true;
}

// What solves a task comes first: by the confidence in it, then by how many it solves; then the share of the
// score, the size, the units.
static int by_worth(const void *a, const void *b) {
    const ts_pool_entry *x = a, *y = b;
    if (!x->wins != !y->wins) return x->wins ? -1 : 1;
    if (x->score.confidence != y->score.confidence) return x->score.confidence > y->score.confidence ? -1 : 1;
    if (x->wins != y->wins) return x->wins > y->wins ? -1 : 1;
    const double p = x->task ? (double)x->score.score / x->score.demos : -1;
    const double q = y->task ? (double)y->score.score / y->score.demos : -1;
    if (p != q) return p > q ? -1 : 1;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    if (x->units != y->units) return x->units < y->units ? -1 : 1;
    return strcmp(x->hash, y->hash);
}

bool ts_pool_load(ts_pool *pool, const ts_pool_query *query, ts_pool_view *view, ts_status *status) {
    static const ts_pool_query everything = {0};
    if (!query) query = &everything;
    if (!view->programs) view->programs = ts_programs_new();
    if (!view->programs) return status_fail(status, TS_SYSTEM, "out of memory");
    const size_t before = view->count;
    const bool cut = query->limit && query->limit < INT64_MAX;
    sqlite3_stmt *row = pool_query(pool, POOL_LOAD, status, view->last, query->task ? query->task : "",
                                   query->hash ? query->hash : "", (int64_t)query->solved,
                                   cut && !query->best_first ? (int64_t)query->limit : (int64_t)-1);
    int more = row ? pool_next(pool, row, status) : -1;
    for (; more > 0; more = pool_next(pool, row, status))
        if (!take_row(view, row)) {
            sqlite3_reset(row);
            return status_fail(status, TS_SYSTEM, "out of memory");
        }
    if (more < 0) return false;
    ts_pool_entry *loaded = view->entries ? view->entries + before : NULL;
    const size_t count = view->count - before;
    if ((query->best_first || query->confidence) && count &&
        !pool_trust_entries(pool, loaded, count, query->task, status))
        return false;
    if (!query->best_first || !count) return true;
    qsort(loaded, count, sizeof *loaded, by_worth);
    if (cut && count > query->limit) view->count = before + query->limit;
    return true;
}

void ts_pool_view_free(ts_pool_view *view) {
    ts_programs_free(view->programs);
    free(view->entries);
    *view = (ts_pool_view){0};
}

// ---- Programs ----

typedef struct {
    ts_pool *pool;
    ts_pool_view *view;
    ts_report *report;
    void *user;
    Text text; // programs that wait to be read
    struct Waiting {
        size_t entry, start; // where it begins in the text
    } * waiting;
    size_t count, room;
} Reading;

// A name of one's own for each program: solve_HASH_TASK for the task it is best at, so that `run` pairs it
// with that task; else with what its first name ended in.
static void add_name(Text *t, const ts_pool_entry *e) {
    const char *end = e->task ? e->task : e->name;
    if (!e->task && strncmp(end, "solve", 5) == 0) end += 5;
    while (*end == '_') end++;
    if (strncmp(end, e->hash, 16) == 0) end += 16; // it has been exported before
    while (*end == '_') end++;
    text_print(t, "solve_%s%s", e->hash, *end ? "_" : "");
    for (; *end; end++) {
        bool good = (*end >= '0' && *end <= '9') || ((*end | 32) >= 'a' && (*end | 32) <= 'z');
        text_char(t, good ? *end : '_');
    }
}

static void report_unreadable(Reading *r, const ts_pool_entry *e, const char *why) {
    Status s;
    pool_problem(r->pool->path, &s, TS_INPUT, "program %s cannot be used: %s", e->hash, why);
    if (r->report) r->report(r->user, &s);
}

// Who stores a program says where it comes from; of these words of ours the programs were found.
static bool is_found(const char *origin) {
    static const char *const ours[] = {"solve ", "mutation of ", "part of ", "grown for "};
    for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
        if (strncmp(origin, ours[k], strlen(ours[k])) == 0) return true;
    return false;
}

// The texts of `count` waiting ones as exactly that many programs, or none of them.
static bool read_texts(Reading *r, const struct Waiting *w, size_t count, Status *s) {
    ts_programs *programs = r->view->programs;
    size_t before = programs->count;
    size_t end = w + count < r->waiting + r->count ? w[count].start : r->text.length;
    bool good = program_add_ours(programs, "", r->text.data + w->start, end - w->start, s);
    if (good && programs->count != before + count) good = status_fail(s, TS_INPUT, "it is not one program");
    for (size_t k = 0; good && k < count; k++) {
        ts_pool_entry *e = &r->view->entries[w[k].entry];
        good = strncmp(programs->programs[before + k].name, "solve_", 6) == 0 &&
               strncmp(programs->programs[before + k].name + 6, e->hash, 16) == 0;
        e->program = (ptrdiff_t)(before + k);
        programs->programs[before + k].found = is_found(e->origin);
        if (!good) status_fail(s, TS_INPUT, "its text is not what was stored");
    }
    if (good) return true;
    programs->count = before;
    for (size_t k = 0; k < count; k++) r->view->entries[w[k].entry].program = WAITING;
    return false;
}

// All at once; where one of them is bad, one by one. False where memory is short, which says nothing of them.
static bool read_waiting(Reading *r) {
    Status s;
    bool good = !r->count || read_texts(r, r->waiting, r->count, &s);
    for (size_t k = 0; !good && k < r->count && s.code != TS_SYSTEM; k++) {
        ts_pool_entry *e = &r->view->entries[r->waiting[k].entry];
        if (read_texts(r, &r->waiting[k], 1, &s)) continue;
        if (s.code == TS_SYSTEM) break;
        e->program = UNREADABLE;
        report_unreadable(r, e, s.message);
    }
    if (!good && s.code == TS_SYSTEM) return false;
    text_clear(&r->text);
    r->count = 0;
    return true;
}

// False where memory is short.
static bool add_waiting(Reading *r, size_t entry) {
    ts_pool_entry *e = &r->view->entries[entry];
    if (e->program != NOT_READ) return true;
    char hash[17];
    pool_hash(e->text, hash);
    if (strcmp(hash, e->hash) != 0 || strncmp(e->text, def, sizeof def - 1) != 0) {
        e->program = UNREADABLE;
        report_unreadable(r, e, "its text is not what was stored");
        return true;
    }
    if (r->count == r->room) {
        size_t room = r->room ? r->room * 2 : 256;
        struct Waiting *grown = realloc(r->waiting, room * sizeof *grown);
        if (!grown) return false;
        r->waiting = grown;
        r->room = room;
    }
    e->program = WAITING;
    r->waiting[r->count++] = (struct Waiting){entry, r->text.length};
    text_add(&r->text, "def ");
    add_name(&r->text, e);
    text_add(&r->text, e->text + sizeof def - 1);
    if (r->text.failed) return false;
    return r->text.length < CHUNK || read_waiting(r);
}

bool ts_pool_read(ts_pool *pool, ts_pool_view *view, const size_t *which, size_t count, ts_report *report,
                  void *user, ts_status *status) {
    Reading r = {.pool = pool, .view = view, .report = report, .user = user};
    bool good = true;
    if (!which) count = view->count;
    for (size_t k = 0; good && k < count; k++) good = add_waiting(&r, which ? which[k] : k);
    good = good && read_waiting(&r);
    for (size_t k = 0; k < r.count; k++) { // memory was short: they can be read another time
        ts_pool_entry *e = &view->entries[r.waiting[k].entry];
        if (e->program == WAITING) e->program = NOT_READ;
    }
    text_free(&r.text);
    free(r.waiting);
    return good || status_fail(status, TS_SYSTEM, "out of memory");
}

// ---- Scores, tasks, counts ----

bool ts_pool_scores(ts_pool *pool, const char *hash, ts_pool_visit_score *visit, void *user,
                    ts_status *status) {
    sqlite3_stmt *row = pool_query(pool, POOL_SCORES, status, hash);
    int more = row ? pool_next(pool, row, status) : -1;
    for (; more > 0; more = pool_next(pool, row, status)) {
        ts_pool_score score = score_of_row(row, 1);
        const char *task = pool_column_text(row, 0);
        if (score.demos_right == score.demos &&
            !pool_trust_score(pool, task, hash, &score.confidence, status)) {
            sqlite3_reset(row);
            return false;
        }
        visit(user, task, &score);
    }
    return more == 0;
}

bool ts_pool_tasks(ts_pool *pool, ts_pool_visit_task *visit, void *user, ts_status *status) {
    sqlite3_stmt *row = pool_query(pool, POOL_TASKS, status);
    int more = row ? pool_next(pool, row, status) : -1;
    for (; more > 0; more = pool_next(pool, row, status)) {
        ts_pool_task task = {.id = pool_column_text(row, 0),
                             .winners = (size_t)sqlite3_column_int64(row, 1),
                             .near = (size_t)sqlite3_column_int64(row, 2),
                             .correct = sqlite3_column_int(row, 3) != 0,
                             .best = sqlite3_column_int64(row, 4),
                             .demos = count_of(row, 5),
                             .shortest = (size_t)sqlite3_column_int64(row, 6)};
        visit(user, &task);
    }
    return more == 0;
}

bool ts_pool_count(ts_pool *pool, ts_pool_counts *counts, ts_status *status) {
    sqlite3_stmt *row = pool_query(pool, POOL_COUNTS, status);
    if (!row || pool_next(pool, row, status) < 0) return false;
    int64_t programs = sqlite3_column_int64(row, 0), winners = sqlite3_column_int64(row, 1);
    int64_t scored = sqlite3_column_int64(row, 2);
    *counts = (ts_pool_counts){.programs = (size_t)programs,
                               .winners = (size_t)winners,
                               .near = (size_t)(scored - winners),
                               .unscored = (size_t)(programs - scored),
                               .bytes = (uint64_t)sqlite3_column_int64(row, 3),
                               .dealt = (size_t)sqlite3_column_int64(row, 4)};
    sqlite3_reset(row);
    return true;
}
