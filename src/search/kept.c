#include "search/kept.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replace.h"

bool search_keep(SearchKept *k, const char *path, Status *s) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || !info.st_size) return true;
    int number = 1;
    do {
        text_clear(&k->path);
        text_print(&k->path, "%s.%d", path, number++);
        if (k->path.failed) return status_fail(s, TS_SYSTEM, "memory is short");
    } while (access(k->path.data, F_OK) == 0);
    if (!text_read_found(&k->text, path, s) || !replace_with(k->path.data, k->text.data, k->text.length, s))
        return false;
    snprintf(k->words, sizeof k->words,
             "'%.200s' was there: what it held is kept as '%.200s', unless the same comes out", path,
             k->path.data);
    return true;
}

void search_kept_compare(const SearchKept *k, const char *text) {
    if (k->text.data && strcmp(k->text.data, text) == 0) unlink(k->path.data);
}

void search_kept_free(SearchKept *k) {
    text_free(&k->path);
    text_free(&k->text);
}
