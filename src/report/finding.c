// What there is to say of a task: which programs come near it, what they answer, and whether that is right.
//
// Programs of the pool that are right on a demo, or score on one, come from the battery; programs that a
// search found come from the file of candidates. Those that are right on a demo go into a search that looks
// for nothing: it ranks their answers. A submission's attempts take the place of these answers.
#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"
#include "report/report.h"

enum {
    MOST_OF_POOL = 32, // programs of the pool that are looked at
    MOST_PROGRAMS = 32,
    MOST_ANSWERS = 16,
    FINDING_BYTES = 256 << 20,
};

typedef struct {
    const ReportInput *input;
    size_t index; // of the task
    ReportFinding *f;
    ts_search *search;
    size_t room; // for programs
} Work;

static bool short_of_memory(Status *s) { return status_fail(s, TS_SYSTEM, "not enough memory"); }

// ---- Programs ----

static ReportProgram *find_text(const ReportFinding *f, const char *text) {
    for (size_t k = 0; k < f->count; k++)
        if (strcmp(f->programs[k].text, text) == 0) return &f->programs[k];
    return NULL;
}

static ReportProgram *add_program(Work *w, const char *text, const char *engine) {
    ReportFinding *f = w->f;
    ReportProgram *known = find_text(f, text);
    if (known) return known;
    if (f->count == w->room) {
        size_t room = w->room ? 2 * w->room : 2 * MOST_OF_POOL;
        ReportProgram *programs = arena_alloc(&f->arena, room * sizeof *programs);
        if (!programs) return NULL;
        if (f->count) memcpy(programs, f->programs, f->count * sizeof *programs);
        f->programs = programs;
        w->room = room;
    }
    const char *copy = arena_text(&f->arena, text, strlen(text));
    if (!copy) return NULL;
    f->programs[f->count] = (ReportProgram){.text = copy, .engine = engine, .order = f->count};
    return &f->programs[f->count++];
}

typedef struct {
    size_t program;
    int right, score;
} Rated;

static bool is_better(Rated a, Rated b) { return a.right != b.right ? a.right > b.right : a.score > b.score; }

// The best programs of the pool for the task, by what the battery gave; returns how many.
static size_t rate_pool(const Work *w, Rated best[MOST_OF_POOL]) {
    const size_t programs = ts_programs_count(w->input->options->programs);
    const uint8_t *outcomes = ts_battery_outcomes(w->input->battery, w->index);
    const int16_t *scores = ts_battery_scores(w->input->battery, w->index);
    size_t n = 0;
    for (size_t p = 0; outcomes && p < programs; p++) {
        Rated r = {.program = p};
        for (int d = 0; d < w->f->task->demos; d++) {
            r.right += (outcomes[(size_t)d * programs + p] & 7) == TS_RIGHT;
            if (scores) r.score += scores[(size_t)d * programs + p];
        }
        if (!r.right && r.score <= 0) continue;
        size_t at = n;
        while (at > 0 && is_better(r, best[at - 1])) at--;
        if (at == MOST_OF_POOL) continue;
        if (n < MOST_OF_POOL) n++;
        memmove(best + at + 1, best + at, (n - at - 1) * sizeof *best);
        best[at] = r;
    }
    return n;
}

static bool add_pool(Work *w) {
    Rated best[MOST_OF_POOL];
    if (!w->input->battery) return true;
    size_t n = rate_pool(w, best);
    bool good = true;
    for (size_t k = 0; good && k < n; k++) {
        char *text = ts_programs_print(w->input->options->programs, best[k].program);
        ReportProgram *p = text ? add_program(w, text, "pool") : NULL;
        if (p && best[k].score > p->score) p->score = best[k].score;
        if (p && best[k].right)
            ts_search_add_program(w->search, w->input->options->programs, best[k].program);
        good = p != NULL;
        free(text);
    }
    return good;
}

// The lines were sorted by task, and read once before: what is wrong in them was said.
static bool add_candidates(Work *w, Status *s) {
    const ReportInput *in = w->input;
    size_t low = 0, high = in->line_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (in->lines[middle].task < w->index) low = middle + 1;
        else high = middle;
    }
    for (; low < in->line_count && in->lines[low].task == w->index; low++)
        if (!ts_search_read(w->search, in->options->candidates, in->candidates.data + in->lines[low].at,
                            in->lines[low].length, s))
            return false;
    return true;
}

// What the search made of them.
static bool add_found(Work *w) {
    for (size_t k = 0; k < ts_search_count(w->search); k++) {
        ts_found found = ts_search_at(w->search, k);
        ReportProgram *p = add_program(w, found.program, found.engine);
        if (!p) return false;
        p->demos_right = found.demos_right;
        if (found.confidence > p->confidence) p->confidence = found.confidence;
    }
    return true;
}

static int best_first(const void *a, const void *b) {
    const ReportProgram *p = a, *q = b;
    if (p->leads != q->leads) return p->leads ? -1 : 1;
    if (p->demos_right != q->demos_right) return q->demos_right - p->demos_right;
    if (p->confidence < q->confidence || p->confidence > q->confidence)
        return p->confidence > q->confidence ? -1 : 1;
    if (p->score != q->score) return q->score - p->score;
    return (p->order > q->order) - (p->order < q->order);
}

static void keep_best(ReportFinding *f) {
    if (f->count) qsort(f->programs, f->count, sizeof *f->programs, best_first);
    if (f->count > MOST_PROGRAMS) f->count = MOST_PROGRAMS;
}

// ---- What they give ----

static bool keep_outcome(Arena *a, const ts_sample *sample, const ts_result *r, ReportOutcome *o) {
    *o = (ReportOutcome){.outcome = TS_FAILED, .failure = r->failure, .line = r->line};
    if (r->failure) return true;
    o->outcome = sample->has_output ? TS_WRONG : TS_UNKNOWN;
    if (!ts_value_is_grid(r->value)) return true;
    ts_grid g = ts_value_grid(r->value);
    if (g.height < 1 || g.width < 1 || !grid_fits(g, GRID_TASK_SIDE)) return true;
    if (!grid_copy(a, g, &o->grid)) return false;
    if (sample->has_output && ts_grid_equal(o->grid, sample->output)) o->outcome = TS_RIGHT;
    return true;
}

// A line that failed, in a trace that has come to the first.
typedef struct {
    Arena *arena;
    const char *step;
} FailedLine;

static bool note_failed(void *user, const ts_trace_line *line) {
    FailedLine *failed = user;
    if (line->failure) failed->step = arena_text(failed->arena, line->text, strlen(line->text));
    return !line->failure;
}

static bool run_sample(ReportFinding *f, ts_engine *engine, const ts_programs *programs, int sample,
                       ReportOutcome *o) {
    const ts_sample *on = &f->task->samples[sample];
    ts_result r = ts_run_sample(engine, programs, 0, f->task, sample);
    if (ts_engine_starved(engine) || !keep_outcome(&f->arena, on, &r, o)) return false;
    if (!r.failure) return true;
    FailedLine failed = {&f->arena, NULL};
    ts_trace(engine, programs, 0, f->task, on->input, NULL, note_failed, &failed);
    o->step = failed.step;
    return o->step && !ts_engine_starved(engine);
}

static bool run_program(ReportFinding *f, ts_engine *engine, ReportProgram *p, Status *s) {
    const int samples = f->task->demos + f->task->tests;
    ts_programs *programs = ts_programs_new();
    p->outcomes = arena_alloc(&f->arena, (size_t)samples * sizeof *p->outcomes);
    bool good = programs && p->outcomes
                    ? ts_programs_add_text(programs, "report", p->text, strlen(p->text), true, NULL, NULL, s)
                    : short_of_memory(s);
    if (good) {
        const char *name = ts_programs_name(programs, 0);
        p->lines = ts_programs_lines(programs, 0);
        p->name = arena_text(&f->arena, name, strlen(name));
        good = p->name || short_of_memory(s);
    }
    p->demos_right = 0;
    for (int k = 0; good && k < samples; k++) {
        good = run_sample(f, engine, programs, k, &p->outcomes[k]) || short_of_memory(s);
        p->demos_right += k < f->task->demos && p->outcomes[k].outcome == TS_RIGHT;
    }
    ts_programs_free(programs);
    return good;
}

static bool run_programs(ReportFinding *f, Status *s) {
    ts_engine *engine = ts_engine_new();
    bool good = engine || short_of_memory(s);
    if (engine) ts_engine_set_units(engine, REPORT_UNITS);
    for (size_t k = 0; good && k < f->count; k++) good = run_program(f, engine, &f->programs[k], s);
    ts_engine_free(engine);
    return good;
}

// ---- Attempts ----

// The attempts at a test: those of the submission, or the first two answers of the ranking. Programs that
// lead to one are marked.
static bool fill_test(Work *w, int test) {
    const ts_submission *submission = w->input->options->submission;
    ReportFinding *f = w->f;
    ReportTest *r = &f->tests[test];
    ts_attempt answers[MOST_ANSWERS];
    size_t n = ts_search_attempts(w->search, test, answers, MOST_ANSWERS);
    *r = (ReportTest){.count = submission ? TS_MOST_ATTEMPTS : n < 2 ? (int)n : 2};
    for (int k = 0; k < r->count; k++) {
        ReportAttempt *a = &r->attempts[k];
        ts_grid grid = submission ? ts_submission_at(submission, w->index, test, k) : answers[k].grid;
        *a = (ReportAttempt){.confidence = -1, .program = -1};
        if (!grid_copy(&f->arena, grid, &a->grid)) return false;
        for (size_t m = 0; m < n && grid.height; m++) {
            if (!ts_grid_equal(answers[m].grid, grid)) continue;
            a->confidence = answers[m].confidence;
            ReportProgram *p = find_text(f, ts_search_at(w->search, answers[m].found).program);
            if (p) p->leads = true;
        }
    }
    while (r->count > 0 && !r->attempts[r->count - 1].grid.height) r->count--;
    return true;
}

static bool fill_tests(Work *w) {
    ReportFinding *f = w->f;
    f->tests = arena_alloc(&f->arena, (size_t)(f->task->tests + 1) * sizeof *f->tests);
    bool good = f->tests != NULL;
    for (int k = 0; good && k < f->task->tests; k++) good = fill_test(w, k);
    return good;
}

// Which attempts are right, and which program is the best that gives each.
static void judge_tests(ReportFinding *f) {
    for (int test = 0; test < f->task->tests; test++) {
        const ts_sample *sample = &f->task->samples[f->task->demos + test];
        ReportTest *r = &f->tests[test];
        r->known = sample->has_output;
        for (int k = 0; k < r->count; k++) {
            ReportAttempt *a = &r->attempts[k];
            a->right = r->known && ts_grid_equal(a->grid, sample->output);
            r->right |= a->right && k < 2;
            for (size_t p = f->count; p-- > 0;)
                if (a->grid.height &&
                    ts_grid_equal(f->programs[p].outcomes[f->task->demos + test].grid, a->grid))
                    a->program = (ptrdiff_t)p;
        }
    }
}

static int most_demos_right(const ReportFinding *f) {
    int most = 0;
    for (size_t k = 0; k < f->count; k++)
        if (f->programs[k].demos_right > most) most = f->programs[k].demos_right;
    return most;
}

// The program of the first attempt that is right; else of the first attempt with a program that is right on
// as many demos as any; else the first that is so. An attempt may be a guess that a useless program gives
// too.
static ptrdiff_t choose_shown(const ReportFinding *f) {
    const int most = most_demos_right(f);
    ptrdiff_t first = -1;
    for (int test = 0; test < f->task->tests; test++)
        for (int k = 0; k < f->tests[test].count; k++) {
            const ReportAttempt *a = &f->tests[test].attempts[k];
            if (a->program < 0) continue;
            if (a->right) return a->program;
            if (first < 0 && f->programs[a->program].demos_right == most) first = a->program;
        }
    for (size_t k = 0; first < 0 && k < f->count; k++)
        if (f->programs[k].demos_right == most) first = (ptrdiff_t)k;
    return first;
}

static void judge(ReportFinding *f) {
    int known = 0, right = 0, demos = most_demos_right(f);
    for (int k = 0; k < f->task->tests; k++) {
        known += f->tests[k].known;
        right += f->tests[k].right;
    }
    f->known = known > 0;
    bool all_known = f->known && known == f->task->tests;
    f->status = right == known && (all_known || demos == f->task->demos) ? REPORT_SOLVED
                : right || demos                                         ? REPORT_PARTLY
                                                                         : REPORT_NOT;
}

// ---- All of it ----

bool report_find(const ReportInput *input, size_t task, ReportFinding *f, Status *s) {
    *f = (ReportFinding){.task = input->options->tasks[task]};
    arena_init(&f->arena, FINDING_BYTES);
    Work w = {.input = input, .index = task, .f = f};
    w.search = ts_search_new(f->task, &(ts_search_options){.engines = ""}, s);
    bool good = w.search != NULL;
    if (good) good = add_candidates(&w, s);
    if (good && (!add_pool(&w) || !add_found(&w) || !fill_tests(&w))) good = short_of_memory(s);
    ts_search_free(w.search);
    if (!good) return false;
    keep_best(f);
    if (!run_programs(f, s)) return false;
    judge_tests(f);
    f->shown = choose_shown(f);
    judge(f);
    return true;
}

void report_finding_free(ReportFinding *f) { arena_free(&f->arena); }
