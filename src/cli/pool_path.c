// The programs that a path stands for: a pool, a file of programs, or a folder of such files.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

bool cli_is_pool(const char *path) {
    static const char magic[] = "SQLite format 3";
    char start[sizeof magic] = "";
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL; // no pipe is one
    if (!file) return false;
    size_t n = fread(start, 1, sizeof magic, file);
    fclose(file);
    return n == sizeof magic && memcmp(start, magic, sizeof magic) == 0;
}

static ExitCode read_pool(const char *path, const char *task, ts_programs **programs, int *problems) {
    ts_status s;
    ts_pool_view view = {0};
    const ts_pool_query query = {.task = task, .best_first = task != NULL};
    ts_pool *pool = ts_pool_open(path, TS_POOL_READ, &s);
    bool good = pool && ts_pool_load(pool, &query, &view, &s) &&
                ts_pool_read(pool, &view, NULL, 0, cli_report, problems, &s);
    if (good && view.programs) {
        ts_programs_free(*programs);
        *programs = view.programs; // they need nothing else of the view
        view.programs = NULL;
    }
    ts_pool_view_free(&view);
    ts_pool_close(pool);
    return good ? EXIT_GOOD : cli_fail(&s);
}

// A file with something to use in it is good enough: what cannot be read was reported.
static ExitCode read_file(const char *path, ts_programs *programs, int *problems) {
    ts_status s;
    if (ts_programs_add_file(programs, path, false, cli_report, problems, &s)) return EXIT_GOOD;
    if (ts_programs_count(programs)) return EXIT_GOOD;
    return s.code == TS_SYSTEM ? EXIT_SYSTEM : EXIT_INPUT;
}

// The same for a file of a folder.
static ExitCode read_found(const char *path, ts_programs *programs, int *problems) {
    ts_status s;
    Text text = {0};
    bool good = text_read_found(&text, path, &s);
    if (!good) cli_report(problems, &s);
    else good = ts_programs_add_text(programs, path, text.data, text.length, false, cli_report, problems, &s);
    text_free(&text);
    if (good || ts_programs_count(programs)) return EXIT_GOOD;
    return s.code == TS_SYSTEM ? EXIT_SYSTEM : EXIT_INPUT;
}

static int is_program_file(const struct dirent *entry) {
    size_t n = strlen(entry->d_name);
    return n > 3 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 3, ".py") == 0;
}

// The files of a folder, in the order of their names.
static ExitCode read_folder(const char *path, ts_programs *programs, int *problems) {
    struct dirent **entries;
    int n = scandir(path, &entries, is_program_file, alphasort);
    if (n < 0) cli_say("cannot read '%s': %s", path, strerror(errno));
    if (n == 0) cli_say("there is no file *.py in '%s'", path);
    ExitCode worst = n < 0 ? EXIT_SYSTEM : n == 0 ? EXIT_INPUT : EXIT_GOOD;
    for (int k = 0; k < n; k++) {
        Text file = {0};
        text_print(&file, "%s/%s", path, entries[k]->d_name);
        ExitCode code = file.failed ? cli_no_memory() : read_found(file.data, programs, problems);
        if (code > worst) worst = code;
        text_free(&file);
        free(entries[k]);
    }
    if (n >= 0) free(entries);
    return worst;
}

ts_programs *cli_pool_programs(const char *path, const char *task, int *problems, ExitCode *code) {
    struct stat info;
    ts_programs *programs = ts_programs_new();
    if (!programs) *code = cli_no_memory();
    else if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) *code = read_folder(path, programs, problems);
    else if (cli_is_pool(path)) *code = read_pool(path, task, &programs, problems);
    else *code = read_file(path, programs, problems);
    if (*code == EXIT_GOOD) return programs;
    ts_programs_free(programs);
    return NULL;
}
