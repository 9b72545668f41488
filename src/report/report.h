// What the files of this folder share.
//
//     pages.c     all of it: runs the programs, makes each page on some thread, writes the files
//     report_lines.c   the file of candidates, cut into lines and sorted by task
//     finding.c   what there is to say of a task: programs, attempts, status
//     html.c      escapes, the frame of a page, pictures of grids
//     picture.c   the small picture of a tile, as a PNG in a data URI
//     wall.c      the first page
//     timing.c    the part of the first page that comes from a profile
//     report_sheet.c   the page of a task
//     playground.c   links to the playground
//     live.c      the first page while the work goes on
//     compare.c   two files of answers held against each other
#ifndef TESSERA_REPORT_REPORT_H
#define TESSERA_REPORT_REPORT_H

#include "base/arena.h"
#include "base/text.h"
#include "show/svg.h"
#include "tessera.h"

// ---- Findings ----

enum { REPORT_UNITS = 20 * 1000 * 1000 }; // that a program may spend on a sample, as in the search

typedef enum { REPORT_SOLVED, REPORT_PARTLY, REPORT_NOT, REPORT_STATUSES } ReportStatus;

// What a program gave on a sample.
typedef struct {
    ts_outcome outcome;
    ts_failure failure;
    int line;         // of the text, where it failed
    const char *step; // and what it says
    ts_grid grid;     // height 0: none
} ReportOutcome;

typedef struct {
    const char *text; // canonical
    const char *name, *engine;
    size_t lines;
    int demos_right, score; // score: of a program of the pool, 0 to 1000 for each demo
    double confidence;      // 0 where the ranking does not know it
    bool leads;             // the best for some answer
    size_t order;           // in which it came
    ReportOutcome *outcomes;
} ReportProgram;

typedef struct {
    ts_grid grid; // height 0: none
    bool right;
    double confidence; // below 0: not known
    ptrdiff_t program; // the best that gives it; below 0: none
} ReportAttempt;

typedef struct {
    ReportAttempt attempts[TS_MOST_ATTEMPTS];
    int count;
    bool known, right; // right with one of the first two
} ReportTest;

typedef struct {
    const ts_task *task;
    Arena arena;             // holds all of it
    ReportProgram *programs; // the best first
    size_t count;
    ReportTest *tests;
    ptrdiff_t shown; // the program that is shown line by line; below 0: none
    bool known;      // the solution of some test
    ReportStatus status;
} ReportFinding;

// What pages.c has read and run for all tasks.
typedef struct {
    const ts_pages_options *options;
    ts_battery *battery; // NULL without programs
    Text candidates;     // the file
    struct ReportLine {
        size_t task, at, length;
    } * lines; // of that file, by task
    size_t line_count;
    const char **files; // of the pages, by task
    Text curve, timing; // parts of the first page that come from the profile
} ReportInput;

bool report_read_candidates(ReportInput *input, Status *s);
bool report_find(const ReportInput *input, size_t task, ReportFinding *finding, Status *s);
void report_finding_free(ReportFinding *finding);

// ---- The playground ----

#define REPORT_PLAYGROUND "playground.html" // beside the pages
// A link to it with a task and a program for it, which may be NULL.
void report_playground_link(Text *t, const ts_task *task, const char *program);

// ---- HTML ----

void report_escape_all(Text *t, const char *text);

void report_begin(Text *t, const char *title); // up to <main>
void report_end(Text *t);

extern const char *const report_status_names[REPORT_STATUSES]; // as classes and values of data-status
// For people. Where no solution is known, all there is to say is how the demos came out.
const char *report_status_words(ReportStatus status, bool known);

// A grid as SVG with a label for those who do not see it; cells that are not as in `wanted` (NULL: none) are
// marked.
void report_grid(Text *t, ts_grid grid, const char *label, const ts_grid *wanted);
// The first demo, input beside output, as the URI of a PNG. False where memory is short.
bool report_thumbnail(Text *t, const ts_task *task);

// ---- Pages ----

// The statuses that a wall tells apart: their names, as classes and values of data-status, words, and what
// stands on the filters.
enum { REPORT_MOST_KINDS = 5 };
typedef struct {
    size_t count;
    const char *names[REPORT_MOST_KINDS], *words[REPORT_MOST_KINDS], *labels[REPORT_MOST_KINDS];
} ReportKinds;
// The wall without its tiles, up to the list of them, with filters for each kind, and for the sources where
// there is more than one. Closed by report_wall_end.
void report_wall_begin(Text *t, const ReportKinds *kinds, const size_t *counts, size_t tasks,
                       const char *const *sources, size_t source_count);
void report_wall_end(Text *t);
void report_bar(Text *t, const ReportKinds *kinds, const size_t *counts, size_t tasks);
// A tile with its picture. Without a href it leads nowhere, but can be reached with keys; without a source
// no filter asks for one.
void report_picture_tile(Text *t, const ts_task *task, const char *status, const char *words,
                         const char *source, const char *href, const char *picture);
bool report_make_folder(const char *path, Status *s);
bool report_write(const char *folder, const char *file, const Text *page, Status *s);

typedef struct {
    double seconds, solved, programs;
} ReportPoint;
// Nothing where there is nothing to draw. `unit` is that of the seconds.
void report_curve(Text *t, const ReportPoint *points, size_t count, const char *unit);

// What the first page says of a task.
typedef struct {
    ReportStatus status;
    int outputs, right; // tests whose solution is known; of these right
    const char *engine; // of the program that is shown, NULL: none; lives as long as the library
    Text tile;
} ReportSummary;

void report_tile(ReportSummary *summary, const ReportFinding *finding, const char *file);
bool report_wall(Text *t, const ReportInput *input, const ReportSummary *summaries, Status *s);
// Fills in curve and timing from the profile of the options; a hint where there is none.
bool report_timing(ReportInput *input, Status *s);
bool report_sheet(Text *t, const ReportInput *input, size_t task, const ReportFinding *finding, Status *s);

#endif
