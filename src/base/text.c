#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"

void text_free(Text *t) {
    free(t->data);
    *t = (Text){0};
}

void text_clear(Text *t) {
    t->length = 0;
    if (t->data) t->data[0] = 0;
}

char *text_take(Text *t) {
    if (t->failed) text_free(t);
    char *data = t->data;
    *t = (Text){0};
    return data;
}

// Room for n more bytes and the closing zero.
static bool reserve(Text *t, size_t n) {
    assert(t->length <= t->capacity);
    if (t->failed) return false;
    if (t->capacity - t->length > n) return true;
    size_t capacity = t->capacity ? t->capacity * 2 : 256;
    while (capacity - t->length <= n) capacity *= 2;
    char *data = realloc(t->data, capacity);
    if (!data) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->capacity = capacity;
    return true;
}

void text_put(Text *t, const char *bytes, size_t n) {
    if (!reserve(t, n)) return;
    if (n) memcpy(t->data + t->length, bytes, n);
    t->length += n;
    t->data[t->length] = 0;
}

void text_add(Text *t, const char *string) { text_put(t, string, strlen(string)); }

void text_char(Text *t, char c) { text_put(t, &c, 1); }

void text_int(Text *t, long long n) {
    char digits[24], *p = digits + sizeof digits;
    unsigned long long u = n < 0 ? 0ULL - (unsigned long long)n : (unsigned long long)n;
    do *--p = (char)('0' + u % 10);
    while (u /= 10);
    if (n < 0) *--p = '-';
    text_put(t, p, (size_t)(digits + sizeof digits - p));
}

void text_print(Text *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && reserve(t, (size_t)n)) {
        vsnprintf(t->data + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
    }
    va_end(again);
}

void text_json(Text *t, const char *string) {
    text_char(t, '"');
    const unsigned char *s = (const unsigned char *)string, *end = s + strlen(string);
    for (size_t n; s < end; s += n) {
        n = utf8_length(s, (size_t)(end - s));
        const bool shown = utf8_printable(s, (size_t)(end - s)) > 0;
        if (shown && *s != '"' && *s != '\\') text_put(t, (const char *)s, n);
        else if (shown) text_print(t, "\\%c", *s);
        else if (n) text_print(t, "\\u%04x", n == 1 ? s[0] : s[1]); // U+0080 to U+009F end in the byte itself
        else n = 1, text_add(t, "\\ufffd");
    }
    text_char(t, '"');
}

// Where the text is large, each of its pages would be asked for by itself when it is first written to, which
// takes as long as the reading.
static void ask_for_large_pages(const Text *t) {
#ifdef MADV_HUGEPAGE
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), large = (size_t)4 << 20;
    char *first = (char *)(((uintptr_t)t->data + page - 1) & ~(uintptr_t)(page - 1));
    if (t->capacity >= large) madvise(first, (t->capacity - page) & ~(page - 1), MADV_HUGEPAGE);
#else
    (void)t;
#endif
}

static bool read_stream(Text *t, FILE *f, const char *path, Status *s) {
    const size_t most = (size_t)1 << 30;
    struct stat info;
    if (fstat(fileno(f), &info) == 0 && S_ISREG(info.st_mode) && (size_t)info.st_size < most)
        reserve(t, (size_t)info.st_size + 1);
    ask_for_large_pages(t);
    text_put(t, "", 0);
    bool good = true;
    while (good && !t->failed && reserve(t, 4096)) {
        size_t n = fread(t->data + t->length, 1, t->capacity - t->length - 1, f);
        t->length += n;
        t->data[t->length] = 0;
        if (ferror(f)) good = status_fail(s, TS_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
        else if (t->length > most) good = status_fail(s, TS_INPUT, "'%s' is larger than 1 GiB", path);
        else if (n == 0) break;
    }
    if (good && t->failed) good = status_fail(s, TS_SYSTEM, "no memory to read '%s'", path);
    return good;
}

static bool cannot_open(const char *path, Status *s) {
    return status_fail(s, TS_SYSTEM, "cannot open '%s': %s", path, strerror(errno));
}

bool text_read_file(Text *t, const char *path, Status *s) {
    if (strcmp(path, "-") == 0) return read_stream(t, stdin, path, s);
    FILE *f = fopen(path, "rb");
    if (!f) return cannot_open(path, s);
    bool good = read_stream(t, f, path, s);
    fclose(f);
    return good;
}

bool text_read_found(Text *t, const char *path, Status *s) {
    struct stat info;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *f = file < 0 ? NULL : fdopen(file, "rb");
    if (!f) {
        cannot_open(path, s);
        if (file >= 0) close(file);
        return false;
    }
    bool good = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    if (!good) status_fail(s, TS_INPUT, "'%s' is no ordinary file", path);
    good = good && read_stream(t, f, path, s);
    fclose(f);
    return good;
}

// ---- Spelling ----

int text_distance(const char *a, const char *b) {
    enum { LONGEST = 32 };
    size_t n = strlen(a), m = strlen(b);
    if (n >= LONGEST || m >= LONGEST) return LONGEST;
    int d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (int)(i + j);
                continue;
            }
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanged && d[i - 2][j - 2] + 1 < best) best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

const char *text_nearest(const char *word, const char *(*name_at)(size_t index, const void *of),
                         const void *of) {
    const size_t length = strlen(word);
    int least = length < 2 ? 1 : length < 4 ? 2 : 3; // a short name is near to everything
    const char *nearest = NULL, *begun = NULL, *name;
    for (size_t k = 0; (name = name_at(k, of)); k++) {
        const int distance = text_distance(word, name);
        if (distance < least) least = distance, nearest = name;
        if (!begun && length > 1 && strncmp(name, word, length) == 0) begun = name;
    }
    return nearest ? nearest : begun;
}
