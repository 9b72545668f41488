// Pages about tasks, programs and answers: what `tessera report` writes.
//
//     index.html   how many are right; the wall, a tile for each task; where the time went
//     ID.html      a task: its samples, the attempts, the program line by line, what agrees, what failed
//
// A page is one file with style and script in it. The programs run as one battery on all tasks; then threads
// take a task each, gather what there is to say (finding.c), and write its page; the first page comes last,
// so that its links lead somewhere. Nothing in a page depends on the clock, or on which thread made it.
//
// What tests and people may rely on in the pages:
//
//     index.html   #solved-count, #output-count; .tile[data-id][data-status=solved|partly|not][data-source];
//                  #filter-all, #filter-solved, #filter-partly, #filter-not, #source, #sort, #search, #shown,
//                  #none; #curve, #rate, .stage, .category; the state is in the address: #status=…&find=…
//     ID.html      .sample[data-sample], .attempt[data-test][data-attempt][data-right=yes|no|unknown],
//                  #sample-N (the choice), .line[data-line] .value[data-sample], .agree, .passed-over,
//                  .near; a[rel=prev], a[rel=next]; a.playground, where there is one
//     both         #theme; svg.grid, one for each grid, with its label; html[data-theme]
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/replace.h"
#include "base/threads.h"
#include "report/report.h"

typedef struct {
    ReportInput input;
    ReportSummary *summaries;
    ts_progress *progress;
    void *user;
    pthread_mutex_t lock; // for what follows
    size_t next, done;
    bool stopped;
    Status *status; // of the first failure
    bool failed;
} Pages;

// ---- Names of files ----

static bool is_safe(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// The file of a task: its id where that is a plain name on every system, also one that does not know capitals
// from small letters; else what is plain of it with a hash.
static bool name_file(Text *t, const char *id) {
    enum { MOST_LETTERS = 64 };
    size_t length = strlen(id), kept = length < MOST_LETTERS ? length : MOST_LETTERS;
    bool is_plain = length == kept && length > 0 && strcmp(id, "index") != 0 && strcmp(id, "playground") != 0;
    for (size_t k = 0; k < kept; k++) {
        is_plain &= is_safe(id[k]);
        text_char(t, is_safe(id[k]) ? id[k] : '_');
    }
    if (!is_plain) text_print(t, "~%016llx", (unsigned long long)hash_bytes(0, id, length));
    text_add(t, ".html");
    return !t->failed;
}

static int by_name(const void *a, const void *b) {
    const char **x = *(const char ***)(uintptr_t)a, **y = *(const char ***)(uintptr_t)b;
    int order = strcmp(*x, *y);
    return order ? order : (x > y) - (x < y);
}

// Hashes can be made to be equal: of tasks with one name, all but the first get a number besides.
static bool name_apart(const char **files, size_t count) {
    const char ***order = calloc(count + 1, sizeof *order);
    if (!order) return false;
    for (size_t k = 0; k < count; k++) order[k] = &files[k];
    qsort(order, count, sizeof *order, by_name);
    bool good = true;
    for (size_t first = 0, k = 1; good && k < count; k++) {
        if (strcmp(*order[k], *order[first]) != 0) {
            first = k;
            continue;
        }
        Text t = {0};
        text_print(&t, "%.*s~%zu.html", (int)strcspn(*order[k], "."), *order[k], k - first + 1);
        free((void *)(uintptr_t)*order[k]);
        good = (*order[k] = text_take(&t)) != NULL;
    }
    free(order);
    return good;
}

static bool name_files(ReportInput *in, Status *s) {
    in->files = calloc(in->options->count + 1, sizeof *in->files);
    bool good = in->files != NULL;
    for (size_t k = 0; good && k < in->options->count; k++) {
        Text t = {0};
        good = name_file(&t, in->options->tasks[k]->id);
        in->files[k] = text_take(&t);
    }
    good = good && name_apart(in->files, in->options->count);
    return good || status_fail(s, TS_SYSTEM, "not enough memory");
}

bool report_write(const char *folder, const char *file, const Text *page, Status *s) {
    Text path = {0};
    text_print(&path, "%s/%s", folder, file);
    bool good = !path.failed && !page->failed;
    if (good) good = replace_with(path.data, page->data, page->length, s);
    else status_fail(s, TS_SYSTEM, "not enough memory");
    text_free(&path);
    return good;
}

// The playground, beside the pages that link to it.
static bool copy_playground(const ReportInput *in, Status *s) {
    Text page = {0};
    bool good = !in->options->playground || (text_read_file(&page, in->options->playground, s) &&
                                             report_write(in->options->folder, REPORT_PLAYGROUND, &page, s));
    text_free(&page);
    return good;
}

bool report_make_folder(const char *path, Status *s) {
    struct stat info;
    if (mkdir(path, 0777) == 0) return true;
    int why = errno;
    if (why == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return true;
    return status_fail(s, TS_SYSTEM, "cannot make the folder '%.300s': %s", path, strerror(why));
}

// ---- Programs ----

// The battery is the first half of the work, the pages are the second.
static bool battery_progress(void *user, size_t done, size_t all) {
    Pages *p = user;
    (void)all;
    p->stopped = p->progress && !p->progress(p->user, done, 2 * p->input.options->count);
    return !p->stopped;
}

// On the demos only: those choose the programs, and the few that are chosen run again, on the tests too.
static bool run_battery(Pages *p, const ts_programs *differs, Status *s) {
    const ts_pages_options *o = p->input.options;
    const ts_battery_options options = {
        .threads = o->threads, .full = true, .differs = differs, .scores = true};
    ts_task *demos = calloc(o->count, sizeof *demos);
    const ts_task **tasks = calloc(o->count, sizeof *tasks);
    bool good = (demos && tasks) || status_fail(s, TS_SYSTEM, "not enough memory");
    for (size_t k = 0; good && k < o->count; k++) {
        demos[k] = *o->tasks[k];
        demos[k].tests = 0;
        tasks[k] = &demos[k];
    }
    good = good && (p->input.battery = ts_battery_new(o->programs, &options, s)) &&
           ts_battery_run(p->input.battery, tasks, o->count, battery_progress, p, s);
    free(tasks);
    free(demos); // nothing asks the battery for its tasks
    return good;
}

// ---- Pages of tasks ----

static bool make_page(Pages *p, size_t task, Status *s) {
    ReportFinding finding;
    Text page = {0};
    bool good = report_find(&p->input, task, &finding, s) &&
                report_sheet(&page, &p->input, task, &finding, s) &&
                report_write(p->input.options->folder, p->input.files[task], &page, s);
    if (good) report_tile(&p->summaries[task], &finding, p->input.files[task]);
    report_finding_free(&finding);
    text_free(&page);
    return good;
}

static void make_pages(void *arg, int number) {
    (void)number;
    Pages *p = arg;
    const size_t count = p->input.options->count;
    pthread_mutex_lock(&p->lock);
    while (p->next < count && !p->failed && !p->stopped) {
        size_t task = p->next++;
        Status s;
        pthread_mutex_unlock(&p->lock);
        bool good = make_page(p, task, &s);
        pthread_mutex_lock(&p->lock);
        if (!good && !p->failed) *p->status = s;
        p->failed |= !good;
        p->done++;
        if (p->progress && !p->progress(p->user, count + p->done, 2 * count)) p->stopped = true;
    }
    pthread_mutex_unlock(&p->lock);
}

// ---- All of it ----

static bool make_wall(Pages *p, Status *s) {
    Text page = {0};
    bool good = report_wall(&page, &p->input, p->summaries, s) &&
                report_write(p->input.options->folder, "index.html", &page, s);
    text_free(&page);
    return good;
}

static bool prepare(Pages *p, ts_programs *differs, Status *s) {
    const ts_pages_options *o = p->input.options;
    p->summaries = calloc(o->count + 1, sizeof *p->summaries);
    if (!p->summaries || !differs) return status_fail(s, TS_SYSTEM, "not enough memory");
    // What cannot be read is said before the work.
    bool good = report_make_folder(o->folder, s) && copy_playground(&p->input, s) &&
                report_timing(&p->input, s) && report_read_candidates(&p->input, s) &&
                name_files(&p->input, s) && ts_differs_bundled(differs, s);
    if (!good || !o->programs || !ts_programs_count(o->programs)) return good;
    return run_battery(p, differs, s);
}

static void free_pages(Pages *p) {
    for (size_t k = 0; k < p->input.options->count; k++) {
        if (p->input.files) free((void *)(uintptr_t)p->input.files[k]);
        if (p->summaries) text_free(&p->summaries[k].tile);
    }
    ts_battery_free(p->input.battery);
    text_free(&p->input.candidates);
    text_free(&p->input.curve);
    text_free(&p->input.timing);
    free(p->input.lines);
    free(p->input.files);
    free(p->summaries);
    pthread_mutex_destroy(&p->lock);
}

bool ts_pages_write(const ts_pages_options *options, ts_progress *progress, void *user, ts_status *status) {
    *status = (ts_status){0};
    if (!options->count) return status_fail(status, TS_USAGE, "there is no task to report on");
    Pages p = {.input.options = options,
               .progress = progress,
               .user = user,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .status = status};
    ts_programs *differs = ts_programs_new();
    bool good = prepare(&p, differs, status);
    if (good && !p.stopped) {
        threads_run(options->threads > 0 ? options->threads : threads_processors(), make_pages, &p);
        good = !p.failed && (p.stopped || make_wall(&p, status));
    }
    free_pages(&p);
    ts_programs_free(differs);
    return good;
}
