#include "search/journal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char head[] = "tessera journal 1\n";

static bool fail(const Journal *j, const char *what, Status *s) {
    return status_fail(s, TS_SYSTEM, "cannot %s '%.300s': %s", what, j->path, strerror(errno));
}

static bool put_all(int file, const char *bytes, size_t n) {
    while (n) {
        ssize_t written = write(file, bytes, n);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        n -= (size_t)written;
    }
    return true;
}

// ---- Opening ----

// The value of the field of this name in a key, up to the next tab.
static size_t value_of(const char *key, const char *name, size_t length, const char **value) {
    for (const char *at = key; *at; at += strcspn(at, "\t"), at += *at == '\t')
        if (strncmp(at, name, length) == 0 && at[length] == ' ') {
            *value = at + length + 1;
            return strcspn(*value, "\t");
        }
    *value = "none";
    return 4;
}

static bool refuse(const Journal *j, const char *theirs, const char *ours, Status *s) {
    for (const char *at = ours; *at; at += strcspn(at, "\t"), at += *at == '\t') {
        const char *mine, *other;
        size_t name = strcspn(at, " "), n = value_of(ours, at, name, &mine),
               m = value_of(theirs, at, name, &other);
        if (n == m && memcmp(mine, other, n) == 0) continue;
        return status_fail(s, TS_INPUT,
                           "'%.200s' is the journal of another run (%.*s: %.*s there, %.*s here); go on with "
                           "that one, or begin anew with --fresh",
                           j->path, (int)name, at, (int)m, other, (int)n, mine);
    }
    return status_fail(s, TS_INPUT, "'%.200s' is the journal of another run; begin anew with --fresh",
                       j->path);
}

static bool begin(Journal *j, const char *key, Status *s) {
    Text t = {0};
    text_print(&t, "%s%s\n", head, key);
    bool good = !t.failed && ftruncate(j->file, 0) == 0 && put_all(j->file, t.data, t.length);
    if (!good) fail(j, "write", s);
    j->is_new = true;
    j->length = t.length;
    text_free(&t);
    return good;
}

// Whether there is a head with a key; a file that ends before is that of a run which did not get so far.
static bool check_key(Journal *j, const char *key, bool *is_whole, Status *s) {
    const size_t n = sizeof head - 1;
    Text *t = &j->text;
    *is_whole = false;
    if (memcmp(t->data, head, t->length < n ? t->length : n) != 0)
        return status_fail(s, TS_INPUT, "'%.200s' is in the way: it is no journal of tessera", j->path);
    char *end = t->length > n ? memchr(t->data + n, '\n', t->length - n) : NULL;
    if (!end) return true;
    *is_whole = true;
    *end = 0;
    j->at = (size_t)(end - t->data) + 1;
    bool same = strcmp(t->data + n, key) == 0 || refuse(j, t->data + n, key, s);
    *end = '\n';
    return same;
}

bool journal_open(Journal *j, const char *path, const char *key, bool fresh, Status *s) {
    *j = (Journal){.path = path, .file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
    if (j->file < 0) return fail(j, "write", s);
    bool is_whole = false;
    if (flock(j->file, LOCK_EX | LOCK_NB) != 0)
        return status_fail(s, TS_SYSTEM, "'%.300s' is in use by another run", path);
    if (!fresh && (!text_read_file(&j->text, path, s) || !check_key(j, key, &is_whole, s))) return false;
    if (!is_whole) return begin(j, key, s);
    j->resumed = true;
    j->length = j->text.length;
    return true;
}

bool journal_open_text(Journal *j, const char *name, const char *text, size_t length, Status *s) {
    *j = (Journal){.path = name, .file = -1, .is_sent = true};
    text_put(&j->text, text, length);
    return !j->text.failed || status_fail(s, TS_SYSTEM, "no memory to read a %s", name);
}

// ---- Reading ----

static bool damaged_at(const Journal *j, size_t at, const char *expected, Status *s) {
    if (j->is_sent) status_fail(s, TS_INPUT, "damaged: expected %s", expected);
    else
        status_fail(s, TS_INPUT, "the journal is damaged: expected %s; mend it, or begin anew with --fresh",
                    expected);
    return status_locate(s, NULL, j->path, j->text.data, j->text.length, at);
}

bool journal_damaged(const Journal *j, int field, const char *expected, Status *s) {
    assert(field >= 0 && field < j->count);
    return damaged_at(j, j->starts[field], expected, s);
}

void journal_trim(Journal *j, const char *kind) {
    size_t n = strlen(kind), whole = j->at;
    const char *data = j->text.data, *end;
    for (size_t at = j->at; (end = memchr(data + at, '\n', j->text.length - at));
         at = (size_t)(end - data) + 1)
        if ((size_t)(end - (data + at)) < n || memcmp(data + at, kind, n) != 0)
            whole = (size_t)(end - data) + 1;
    j->text.length = whole;
}

static void unescape(char *field) {
    char *to = field;
    for (const char *at = field; *at; at++) {
        if (*at != '\\' || !at[1]) *to++ = *at;
        else *to++ = *++at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
    }
    *to = 0;
}

bool journal_next(Journal *j, Status *s) {
    const char *line = j->text.data + j->at, *zero;
    size_t start = j->at, left = j->text.length - start;
    j->count = 0;
    if (!left) return true;
    const char *end = memchr(line, '\n', left);
    size_t n = end ? (size_t)(end - line) : left;
    if ((zero = memchr(line, 0, n))) return damaged_at(j, (size_t)(zero - j->text.data), "no zero byte", s);
    text_clear(&j->record);
    text_put(&j->record, line, n);
    if (j->record.failed) return status_fail(s, TS_SYSTEM, "no memory to read '%.300s'", j->path);
    for (char *at = j->record.data; at;) {
        size_t place = start + (size_t)(at - j->record.data);
        if (j->count == JOURNAL_MOST_FIELDS) return damaged_at(j, place, "no more fields", s);
        j->starts[j->count] = place;
        j->fields[j->count++] = at;
        if ((at = strchr(at, '\t'))) *at++ = 0;
    }
    for (int k = 0; k < j->count; k++) unescape(j->fields[k]);
    j->at = start + n + (end != NULL);
    return true;
}

bool journal_count(const Journal *j, int field, uint64_t most, uint64_t *value, Status *s) {
    assert(field >= 0 && field < j->count);
    const char *text = j->fields[field];
    size_t n = strlen(text);
    errno = 0;
    *value = strtoull(text, NULL, 10);
    if (n && strspn(text, "0123456789") == n && *value <= most && !errno) return true;
    char expected[60];
    snprintf(expected, sizeof expected, "a whole number from 0 to %llu", (unsigned long long)most);
    return journal_damaged(j, field, expected, s);
}

bool journal_seconds(const Journal *j, int field, double *value, Status *s) {
    assert(field >= 0 && field < j->count);
    const char *text = j->fields[field];
    char *end;
    *value = strtod(text, &end);
    if (*text >= '0' && *text <= '9' && !*end && !strpbrk(text, "xX") && isfinite(*value)) return true;
    return journal_damaged(j, field, "a number from 0 on", s);
}

bool journal_keep(Journal *j, Status *s) {
    j->length = j->at;
    text_free(&j->text);
    text_free(&j->record);
    return ftruncate(j->file, (off_t)j->length) == 0 || fail(j, "write", s);
}

// ---- Writing ----

void journal_field(Text *t, const char *field) {
    text_char(t, '\t');
    for (const char *at = field; *at; at++) {
        if (*at == '\n') text_add(t, "\\n");
        else if (*at == '\t') text_add(t, "\\t");
        else if (*at == '\\') text_add(t, "\\\\");
        else text_char(t, *at);
    }
}

void journal_add(Journal *j, const Text *records) {
    if (j->file < 0 || j->failed) return;
    j->failed = records->failed || !put_all(j->file, records->data, records->length);
    if (!j->failed) j->length += records->length;
    // Half a piece would spoil what comes after it.
    else if (ftruncate(j->file, (off_t)j->length) != 0) return;
}

void journal_sync(const Journal *j) {
    if (j->file >= 0) fdatasync(j->file);
}

void journal_close(Journal *j, bool is_done) {
    text_free(&j->text);
    text_free(&j->record);
    if (j->file < 0) return;
    if (is_done) unlink(j->path);
    close(j->file);
    j->file = -1;
}
