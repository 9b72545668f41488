// Fuzzes what the tool wrote and reads back. The first byte chooses: candidates, a profile, a journal, or the
// records of a journal that has the right beginning. A file that is refused is refused with a reason, and a
// journal is left as it was.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/table.h"
#include "report/report.h"
#include "search/quest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { UNITS = 100 * 1000 };

static const signed char cells[] = {1, 2, 3, 4, 2, 1, 4, 3, 5, 6};
static const ts_sample samples[] = {
    {.input = {2, 2, cells}, .output = {2, 2, cells + 4}, .has_output = true},
    {.input = {1, 2, cells + 8}, .is_test = true},
};
static const ts_task task = {.id = "a", .samples = samples, .demos = 1, .tests = 1};
static const ts_task *const tasks[] = {&task};

// ---- A file in memory ----

static int file = -1;
static char path[40];

static void put_file(const void *bytes, size_t n) {
    if (file < 0 && (file = memfd_create("fuzz", 0)) < 0) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (ftruncate(file, 0) != 0 || pwrite(file, bytes, n, 0) != (ssize_t)n) abort();
}

static bool has_file(const void *bytes, size_t n) {
    char *now = malloc(n + 1);
    bool same = pread(file, now, n + 1, 0) == (ssize_t)n && memcmp(now, bytes, n) == 0;
    free(now);
    return same;
}

static void check_refusal(const ts_status *s, bool has_place) {
    if (!s->message[0] || (s->code != TS_INPUT && s->code != TS_SYSTEM)) abort();
    if (has_place && (s->line < 1 || s->column < 1 || !s->file[0])) abort();
}

// ---- Candidates ----

static void read_candidates(const char *text, size_t size) {
    ts_status s;
    ts_search *search = ts_search_new(&task, &(ts_search_options){.engines = ""}, &s);
    if (!search || !(search->quest.runner = ts_engine_new())) abort();
    ts_engine_set_units(search->quest.runner, UNITS);
    if (!ts_search_read(search, "f", text, size, &s)) check_refusal(&s, true);
    for (size_t k = 0; k < ts_search_count(search); k++) {
        ts_found f = ts_search_at(search, k);
        if (f.demos_right != 1 || !(f.confidence >= 0 && f.confidence <= 1) || f.answers[0].height > 30)
            abort();
    }
    ts_search_free(search);
    put_file(text, size);
    ReportInput pages = {.options = &(ts_pages_options){.tasks = tasks, .count = 1, .candidates = path}};
    if (!report_read_candidates(&pages, &s)) check_refusal(&s, true);
    text_free(&pages.candidates);
    free(pages.lines);
}

// ---- Profiles ----

static void read_profile(const char *text, size_t size) {
    ts_status s;
    Text t = {0};
    bool good = profile_print(&t, "f", text, size, &(ProfileTable){.outlier = 10}, &s);
    if (!good) check_refusal(&s, false);
    text_free(&t);
    put_file(text, size);
    ReportInput pages = {.options = &(ts_pages_options){.profile = path}};
    if (report_timing(&pages, &s) != good) abort();
    text_free(&pages.timing);
    text_free(&pages.curve);
}

// ---- Journals ----

static ts_solver *open_journal(ts_status *s) {
    ts_solver_options options = {.threads = 1, .journal = path};
    return ts_solver_new(tasks, 1, &options, s);
}

// What a journal begins with.
static const Text *beginning(void) {
    static Text text;
    ts_status s;
    if (text.length) return &text;
    put_file("", 0);
    ts_solver_free(open_journal(&s));
    if (!text_read_file(&text, path, &s)) abort();
    return &text;
}

static void read_journal(const char *text, size_t size, bool begun) {
    ts_status s;
    Text whole = {0};
    if (begun) text_put(&whole, beginning()->data, beginning()->length);
    text_put(&whole, text, size);
    put_file(whole.data, whole.length);
    ts_solver *solver = open_journal(&s);
    if (!solver) {
        check_refusal(&s, begun && s.code == TS_INPUT);
        if (!has_file(whole.data, whole.length)) abort();
    }
    ts_solver_free(solver);
    text_free(&whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    // A copy with nothing behind it, closed by a zero as texts of files are.
    Text text = {0};
    text_put(&text, (const char *)data + 1, size - 1);
    switch (data[0] % 4) {
    case 0: read_candidates(text.data, text.length); break;
    case 1: read_profile(text.data, text.length); break;
    case 2: read_journal(text.data, text.length, false); break;
    default: read_journal(text.data, text.length, true);
    }
    text_free(&text);
    return 0;
}
