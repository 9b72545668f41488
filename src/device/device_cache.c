// Files in the user's cache folder. A file is a line, `tessera HASH KEY`, and what was kept; the hash is over
// all that comes after it. So a file that was cut off, changed or kept for something else is known as such.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/replace.h"
#include "device/device_cache.h"

enum { HASH_DIGITS = 16 };
static const char mark[] = "tessera ";

// Puts the path of the folder, and makes it where asked; false where there is none to be had.
static bool put_folder(Text *path, bool make) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/') text_add(path, cache);
    else if (home && home[0] == '/') text_print(path, "%s/.cache", home);
    if (path->failed || !path->length) return false;
    if (make) mkdir(path->data, 0700); // one that is there stays as it is
    text_add(path, "/tessera");
    if (make && !path->failed) mkdir(path->data, 0700);
    return !path->failed;
}

static bool put_path(Text *path, const char *name, bool make) {
    if (!put_folder(path, make)) return false;
    text_print(path, "/%s", name);
    return !path->failed;
}

// The first line without the hash, and what follows, as it is hashed.
static void put_body(Text *t, const char *key, const char *bytes, size_t length) {
    text_print(t, " %s\n", key);
    text_put(t, bytes, length);
}

bool device_cache_read(const char *name, const char *key, Text *into) {
    const size_t start = sizeof mark - 1 + HASH_DIGITS, line = start + 1 + strlen(key) + 1;
    Text path = {0}, file = {0};
    Status ignored;
    bool good = put_path(&path, name, false) && text_read_found(&file, path.data, &ignored) && !file.failed &&
                file.length >= line && memcmp(file.data, mark, sizeof mark - 1) == 0 &&
                file.data[start] == ' ' && memcmp(file.data + start + 1, key, strlen(key)) == 0 &&
                file.data[line - 1] == '\n';
    if (good) {
        char digits[HASH_DIGITS + 1];
        const uint64_t hash = hash_bytes(0, file.data + start, file.length - start);
        snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
        good = memcmp(digits, file.data + sizeof mark - 1, HASH_DIGITS) == 0;
    }
    if (good) text_put(into, file.data + line, file.length - line);
    text_free(&path);
    text_free(&file);
    return good && !into->failed;
}

void device_cache_write(const char *name, const char *key, const char *bytes, size_t length) {
    Text path = {0}, body = {0}, whole = {0};
    Status ignored;
    put_body(&body, key, bytes, length);
    if (put_path(&path, name, true) && !body.failed) {
        text_print(&whole, "%s%016llx", mark, (unsigned long long)hash_bytes(0, body.data, body.length));
        text_put(&whole, body.data, body.length);
        if (!whole.failed) replace_with(path.data, whole.data, whole.length, &ignored);
    }
    text_free(&path);
    text_free(&body);
    text_free(&whole);
}
