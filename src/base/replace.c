#include "base/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool cannot_write(const char *path, const char *why, Status *s) {
    return status_fail(s, TS_SYSTEM, "cannot write '%.300s': %s", path, why);
}

// A new file beside the path; NULL, with errno, where there can be none.
static FILE *open_beside(const char *path, char **name) {
    for (int attempt = 0; attempt < 100; attempt++) {
        if (asprintf(name, "%s.%ld-%d.tmp", path, (long)getpid(), attempt) < 0) {
            *name = NULL;
            return NULL;
        }
        int file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        FILE *stream = file >= 0 ? fdopen(file, "wb") : NULL;
        if (stream) return stream;
        if (file >= 0) {
            close(file);
            unlink(*name);
        }
        free(*name);
        *name = NULL;
        if (errno != EEXIST) return NULL;
    }
    return NULL;
}

bool replace_open(Replace *r, const char *path, Status *s) {
    *r = (Replace){.path = path};
    // A rename would put a file in the place of a device such as /dev/null.
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return cannot_write(path, "it is no ordinary file", s);
    r->file = open_beside(path, &r->name);
    return r->file || cannot_write(path, strerror(errno), s);
}

bool replace_close(Replace *r, bool good, Status *s) {
    bool written = fflush(r->file) == 0 && !ferror(r->file);
    if (fclose(r->file) != 0) written = false;
    if (good && !written) good = cannot_write(r->path, strerror(errno), s);
    if (good && rename(r->name, r->path) != 0) good = cannot_write(r->path, strerror(errno), s);
    if (!good) unlink(r->name);
    free(r->name);
    *r = (Replace){0};
    return good;
}

// Whether this is how open_beside names what belongs to a file.
static bool is_beside(const char *name, const char *file, size_t length) {
    long pid;
    int attempt, end = 0;
    return strncmp(name, file, length) == 0 &&
           sscanf(name + length, ".%ld-%d.tmp%n", &pid, &attempt, &end) == 2 && end &&
           !name[length + (size_t)end];
}

void replace_tidy(const char *path) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(file - path)) : strdup(".");
    DIR *entries = folder ? opendir(folder) : NULL;
    for (struct dirent *e; entries && (e = readdir(entries));)
        if (is_beside(e->d_name, file, strlen(file))) unlinkat(dirfd(entries), e->d_name, 0);
    if (entries) closedir(entries);
    free(folder);
}

bool replace_with(const char *path, const char *text, size_t length, Status *s) {
    Replace r;
    if (!replace_open(&r, path, s)) return false;
    fwrite(text, 1, length, r.file); // what goes wrong is seen when it is closed
    return replace_close(&r, true, s);
}
