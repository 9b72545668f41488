// `tessera pool import`: programs of files, and of folders as the loop of the dialect leaves them:
//
//     solver_dir/solve_TASK/SCORE/TIME/HASH.py    a link to the next
//     solver_md5/HASH.py                          a file with one def solve(S, I, C)
//
// A folder is walked by name, down to some depth: every *.py that is an ordinary file or a link to one. Links
// to folders are not followed, so the walk ends. A link to a file that lay elsewhere once, as such links do
// when they are copied, is looked for under the same name in the folders around. A program that is just
// called `solve` gets the name of the folder solve_TASK; its origin is the path, with score and hash.
//
// What cannot be read in a folder is reported and left out; a word that is not there ends the import before
// anything is stored. The programs of a word are one transaction.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
    MOST_DEPTH = 16,
    MOST_FILES = 1000 * 1000,
    MOST_BYTES = 1 << 20,
    LONGEST_NAME = 64,
    LONGEST_PATH = 4096
};

// A file that was read: its programs are those up to `end`.
typedef struct {
    char *path;
    char name[LONGEST_NAME]; // for a program called `solve`; "": its own
    size_t end;
} Source;

typedef struct {
    ts_programs *programs;
    Source *sources;
    size_t count, room;
    int problems;
    ExitCode code;    // why it ended, EXIT_GOOD: it did not
    const char *root; // of the walk
} Import;

static void end_import(Import *im, ExitCode code) {
    if (!im->code) im->code = code;
}

static void report(Import *im, ts_code code, const char *format, const char *path, const char *why) {
    ts_status s;
    status_fail(&s, code, format, path, why);
    cli_report(&im->problems, &s);
}

// ---- One file ----

// The nearest folder of the path that is called solve_TASK.
static void name_of_task(const char *path, char name[LONGEST_NAME]) {
    const char *end = strrchr(path, '/');
    name[0] = 0;
    while (end) {
        const char *start = end;
        while (start > path && start[-1] != '/') start--;
        size_t n = (size_t)(end - start);
        bool fits = n > 6 && n < LONGEST_NAME && strncmp(start, "solve_", 6) == 0;
        if (fits && strspn(start, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") >= n) {
            memcpy(name, start, n);
            name[n] = 0;
            return;
        }
        end = start > path ? start - 1 : NULL;
    }
}

static void add_source(Import *im, const char *path, bool found) {
    if (im->count == im->room) {
        size_t room = im->room ? im->room * 2 : 64;
        Source *grown = realloc(im->sources, room * sizeof *grown);
        if (!grown) {
            end_import(im, cli_no_memory());
            return;
        }
        im->sources = grown;
        im->room = room;
    }
    Source *s = &im->sources[im->count];
    *s = (Source){.path = strdup(path), .end = ts_programs_count(im->programs)};
    if (!s->path) end_import(im, cli_no_memory());
    else im->count++;
    if (found) name_of_task(path, s->name);
}

// A file of a folder. It is read from another place than its path where that is a link that leads nowhere.
static void read_found(Import *im, const char *path, const char *from) {
    ts_status s;
    Text text = {0};
    if (text_read_found(&text, from, &s))
        ts_programs_add_text(im->programs, path, text.data, text.length, false, cli_report, &im->problems,
                             &s);
    else cli_report(&im->problems, &s);
    text_free(&text);
    add_source(im, path, true);
}

// ---- A folder ----

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// Where the file is that a link of the dialect's meant: the last two parts of what it says, in one of the
// folders on the way to it or in one of the two above the root. False where there is none.
static bool find_moved(const Import *im, const char *link, char moved[LONGEST_PATH]) {
    char said[LONGEST_PATH];
    ssize_t n = readlink(link, said, sizeof said - 1);
    if (n <= 0) return false;
    said[n] = 0;
    const char *tail = said + n;
    for (int parts = 0; tail > said && parts<2; parts += tail> said && tail[-1] == '/') tail--;
    size_t length = strlen(link), root = strlen(im->root);
    while (length > root) {
        if (link[--length] != '/') continue;
        int size = snprintf(moved, LONGEST_PATH, "%.*s/%s", (int)length, link, tail);
        if (size < LONGEST_PATH && is_file(moved)) return true;
    }
    for (int up = 1; up <= 2; up++) {
        int size = snprintf(moved, LONGEST_PATH, "%s/%s%s", im->root, up == 1 ? "../" : "../../", tail);
        if (size < LONGEST_PATH && is_file(moved)) return true;
    }
    return false;
}

static bool is_program(const char *name) {
    size_t n = strlen(name);
    return n > 3 && strcmp(name + n - 3, ".py") == 0;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.' && strcmp(entry->d_name, "__pycache__") != 0;
}

// By bytes, the same wherever it runs.
static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void walk(Import *im, const char *folder, int depth);

static void visit(Import *im, const char *path, int depth) {
    struct stat info, target;
    char moved[LONGEST_PATH];
    if (lstat(path, &info) != 0) {
        report(im, TS_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
        return;
    }
    if (S_ISDIR(info.st_mode)) {
        if (depth < MOST_DEPTH) walk(im, path, depth + 1);
        else report(im, TS_INPUT, "'%s' lies too deep%s", path, "");
        return;
    }
    if (!is_program(path)) return;
    const char *from = path;
    if (S_ISLNK(info.st_mode) && stat(path, &target) != 0 && find_moved(im, path, moved)) from = moved;
    if (im->count == MOST_FILES) {
        cli_say("there are more than %d files in '%s'", MOST_FILES, im->root);
        end_import(im, EXIT_INPUT);
    } else if (stat(from, &target) == 0 && target.st_size > MOST_BYTES) {
        report(im, TS_INPUT, "'%s' is too large for a program%s", path, "");
    } else read_found(im, path, from);
}

static void walk(Import *im, const char *folder, int depth) {
    struct dirent **entries;
    int n = scandir(folder, &entries, is_visible, by_name);
    if (n < 0) report(im, TS_SYSTEM, "cannot read '%s': %s", folder, strerror(errno));
    for (int k = 0; k < n; k++) {
        char path[LONGEST_PATH];
        int length = snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
        if (length >= LONGEST_PATH) report(im, TS_INPUT, "a path in '%s' is too long%s", folder, "");
        else if (!im->code) visit(im, path, depth);
        free(entries[k]);
    }
    if (n >= 0) free(entries);
}

// ---- Words ----

static void read_folder(Import *im, const char *word) {
    size_t before = im->count;
    int problems = im->problems;
    Text root = {0}; // without slashes at its end
    text_add(&root, word);
    while (root.length > 1 && root.data[root.length - 1] == '/') root.data[--root.length] = 0;
    if (root.failed) end_import(im, cli_no_memory());
    else {
        im->root = root.data;
        walk(im, root.data, 0);
    }
    text_free(&root);
    if (im->code || im->count > before || im->problems > problems) return;
    cli_say("there is no file *.py in '%s'", word);
    end_import(im, EXIT_INPUT);
}

static void read_word(Import *im, const char *word) {
    struct stat info;
    ts_status s;
    if (stat(word, &info) == 0 && S_ISDIR(info.st_mode)) {
        read_folder(im, word);
        return;
    }
    if (!ts_programs_add_file(im->programs, word, false, cli_report, &im->problems, &s) &&
        s.code == TS_SYSTEM)
        end_import(im, EXIT_SYSTEM);
    add_source(im, word, false);
}

// ---- Into the pool ----

static bool add_program(Import *im, ts_pool *pool, const Source *source, size_t k, size_t counts[2]) {
    ts_status s;
    bool is_new;
    char hash[17], origin[300];
    memcpy(origin, "import ", 8);
    status_escape(origin + 7, sizeof origin - 7, source->path, strlen(source->path));
    bool unnamed = source->name[0] && strcmp(ts_programs_name(im->programs, k), "solve") == 0;
    const ts_pool_facts facts = {.origin = origin, .pinned = true, .name = unnamed ? source->name : NULL};
    if (ts_pool_add_program(pool, im->programs, k, &facts, hash, &is_new, &s)) counts[is_new]++;
    else if (s.code == TS_INPUT) cli_report(&im->problems, &s); // this program only
    else end_import(im, cli_fail(&s));
    return !im->code;
}

// The sources of a word, in one transaction.
static void add_sources(Import *im, ts_pool *pool, size_t from, size_t to, size_t counts[2]) {
    ts_status s;
    if (!ts_pool_begin(pool, &s)) {
        end_import(im, cli_fail(&s));
        return;
    }
    for (size_t k = from; k < to && !im->code; k++)
        for (size_t n = k ? im->sources[k - 1].end : 0; n < im->sources[k].end; n++)
            if (!add_program(im, pool, &im->sources[k], n, counts)) break;
    if (im->code) ts_pool_rollback(pool);
    else if (!ts_pool_commit(pool, &s)) end_import(im, cli_fail(&s));
}

// Sources of word k are those up to ends[k].
static void store(Import *im, const Cli *cli, const char *path, const size_t *ends) {
    ts_status s;
    ts_pool_counts total;
    size_t counts[2] = {0}; // known, new
    ts_pool *pool = ts_pool_open(path, TS_POOL_CREATE, &s);
    if (!pool) end_import(im, cli_fail(&s));
    for (int k = 1; k < cli->word_count && !im->code; k++)
        add_sources(im, pool, ends[k - 1], ends[k], counts);
    if (!im->code && !ts_pool_count(pool, &total, &s)) end_import(im, cli_fail(&s));
    ts_pool_close(pool);
    if (im->code) return;
    if (cli_has(cli, "json"))
        printf("{\"new\": %zu, \"known\": %zu, \"problems\": %d, \"programs\": %zu}\n", counts[1], counts[0],
               im->problems, total.programs);
    else printf("%s: %zu new, %zu known; %zu programs now\n", path, counts[1], counts[0], total.programs);
    if (im->problems) end_import(im, EXIT_INPUT);
}

ExitCode cli_pool_import(const Cli *cli, const char *path) {
    Import im = {.programs = ts_programs_new()};
    size_t *ends = calloc((size_t)cli->word_count, sizeof *ends);
    if (!im.programs || !ends) end_import(&im, cli_no_memory());
    for (int k = 1; k < cli->word_count && !im.code; k++) {
        read_word(&im, cli->words[k]);
        ends[k] = im.count;
    }
    if (!im.code) store(&im, cli, path, ends);
    for (size_t k = 0; k < im.count; k++) free(im.sources[k].path);
    free(im.sources);
    free(ends);
    ts_programs_free(im.programs);
    return im.code;
}
