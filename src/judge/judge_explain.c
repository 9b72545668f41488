// What is wrong with the text of a program, for the model that wrote it: all that the reader has found, or
// what became of each sample; as JSON, and as one text for a prompt.
//
// Nothing of it is worked out while programs are judged: whoever asks has the text read and run once more.
#include <stdlib.h>

#include "base/utf8.h"
#include "judge/judge.h"
#include "program/blame.h"

enum { MOST_PROBLEMS = 20, MOST_LISTED = 8 };

// What is wrong on a sample.
typedef struct {
    ts_fault fault;
    ts_status place; // of the call in the text: line, column and excerpt
    int sample;
    bool told; // together with another one
} SampleFault;

typedef struct {
    const ts_judge_item *item;
    ts_status *problems; // of the reader; so many were kept, so many there are
    size_t kept, problem_count;
    SampleFault *faults;
    size_t fault_count;
    bool failed; // there is no memory
} Findings;

// ---- Looking ----

static void keep_problem(void *user, const ts_status *problem) {
    Findings *f = user;
    if (f->problem_count++ < MOST_PROBLEMS) f->problems[f->kept++] = *problem;
}

// Reads the text. Whether it is one program.
static bool read_again(ts_judge *j, Findings *f) {
    ts_status status;
    programs_reset(j->programs);
    const bool good = ts_programs_add_text(j->programs, "", f->item->text, f->item->length, false,
                                           keep_problem, f, &status);
    f->failed |= j->programs->ctx.arena.starved || (!good && status.code == TS_SYSTEM);
    const size_t count = j->programs->count;
    if (good && count == 1) return true;
    if (good && count == 0) status_fail(&status, TS_INPUT, "expected a program: def solve(I): …");
    else if (good) status_fail(&status, TS_INPUT, "expected one program, there are %zu", count);
    if (!f->problem_count) keep_problem(f, &status);
    return false;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Where in a line the only call of this name stands; else where the line begins.
static size_t place_of_call(const char *line, size_t length, const char *name) {
    size_t blank = 0, found = 0, count = 0;
    while (blank < length && (line[blank] == ' ' || line[blank] == '\t')) blank++;
    const size_t n = name ? strlen(name) : 0;
    for (size_t k = blank; n && k + n <= length; k++) {
        if (memcmp(line + k, name, n) != 0 || (k && is_letter(line[k - 1]))) continue;
        if (k + n < length && is_letter(line[k + n])) continue;
        found = k;
        count++;
    }
    return count == 1 ? found : blank < length ? blank : 0;
}

static void find_place(const ts_judge_item *item, SampleFault *s) {
    const char *line = item->text, *end = line + item->length;
    s->place = (ts_status){0};
    if (!s->fault.line) return;
    for (int k = 1; k < s->fault.line && line; k++) {
        line = memchr(line, '\n', (size_t)(end - line));
        if (line) line++;
    }
    if (!line) return;
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    const size_t length = (size_t)((newline ? newline : end) - line);
    status_locate(&s->place, NULL, "", item->text, item->length,
                  (size_t)(line - item->text) + place_of_call(line, length, s->fault.primitive));
}

static void run_again(ts_judge *j, Findings *f) {
    const Program *p = &j->programs->programs[0];
    const ts_task *task = f->item->task;
    const ReadyTask *ready = memory_task(&j->memory, task);
    const int count = task->demos + (j->options.tests ? task->tests : 0);
    f->faults = ready ? calloc((size_t)count + 1, sizeof *f->faults) : NULL;
    f->failed |= !f->faults;
    for (int k = 0; k < count && !f->failed; k++) {
        const ReadySample *s = &ready->samples[k];
        const BlameGiven given = {p->takes_samples ? ready->demos : VALUE_NO_TUPLE, s->input, VALUE_NONE};
        const ts_grid *wanted = s->sample->has_output ? &s->sample->output : NULL;
        SampleFault *found = &f->faults[f->fault_count];
        ctx_begin(&j->ctx, (int64_t)j->options.units);
        if (!program_explain(&j->ctx, p, &given, wanted, (int64_t)j->options.units, &found->fault)) continue;
        found->sample = k;
        find_place(f->item, found);
        f->fault_count++;
    }
    f->failed |= j->ctx.arena.starved;
}

// ---- As JSON ----

static const char *sample_kind(const Findings *f, const SampleFault *s) {
    return s->sample < f->item->task->demos ? "demo" : "test";
}

static int sample_number(const Findings *f, const SampleFault *s) {
    const int demos = f->item->task->demos;
    return s->sample < demos ? s->sample + 1 : s->sample - demos + 1;
}

// An object of the library's, with something of ours at its beginning.
static void add_object(Text *t, const char *begin, char *object) {
    if (object) text_print(t, "%s%s", begin, object + 1 + (object[0] == '['));
    if (object && object[0] == '[') t->length -= !t->failed; // the list's end
    t->failed |= !object;
    free(object);
}

static void write_errors(Text *t, const Findings *f) {
    text_add(t, "{\"errors\": [");
    for (size_t k = 0; k < f->kept; k++) {
        if (k) text_add(t, ", ");
        add_object(t, "{\"stage\": \"read\", ", ts_problems_json(&f->problems[k], 1));
    }
    for (size_t k = 0; k < f->fault_count; k++) {
        const SampleFault *s = &f->faults[k];
        text_print(t, "%s{\"stage\": \"%s\", \"%s\": %d, ", k ? ", " : "",
                   s->fault.failure ? "run" : "answer", sample_kind(f, s), sample_number(f, s));
        if (s->place.column) text_print(t, "\"column\": %d, ", s->place.column);
        if (s->place.excerpt[0]) {
            text_add(t, "\"excerpt\": ");
            text_json(t, s->place.excerpt);
            text_add(t, ", ");
        }
        add_object(t, "", ts_fault_json(&s->fault));
    }
    text_char(t, ']');
}

// ---- As a text ----

static void write_excerpt(Text *t, const ts_status *s) {
    if (s->excerpt[0]) text_print(t, "    %s\n    %*s^\n", s->excerpt, s->caret, "");
}

static void write_problems(Text *t, const Findings *f) {
    text_print(t, "The program cannot be read: %zu error%s.\n", f->problem_count,
               f->problem_count == 1 ? "" : "s");
    for (size_t k = 0; k < f->kept; k++) {
        const ts_status *s = &f->problems[k];
        if (s->line) text_print(t, "Line %d, column %d: ", s->line, s->column);
        text_print(t, "%s\n", s->message);
        write_excerpt(t, s);
    }
    if (f->problem_count > f->kept) text_print(t, "… and %zu more.\n", f->problem_count - f->kept);
}

static bool is_same(const SampleFault *a, const SampleFault *b) {
    const ts_fault *x = &a->fault, *y = &b->fault;
    return strcmp(x->kind, y->kind) == 0 && x->number == y->number && x->argument == y->argument &&
           x->primitive == y->primitive;
}

static bool is_like_one(const Findings *f, size_t k, size_t other) {
    const SampleFault *a = &f->faults[k], *b = &f->faults[other];
    return is_same(a, b) && (a->fault.failure || strcmp(a->fault.message, b->fault.message) == 0);
}

// One failure, with the other samples on which it is the same.
static void write_fault(Text *t, Findings *f, size_t k) {
    const SampleFault *s = &f->faults[k];
    const char *word = s->fault.failure ? "the program fails" : "the result is wrong";
    text_print(t, "On %s %d %s", sample_kind(f, s), sample_number(f, s), word);
    if (s->fault.line) text_print(t, " in line %d", s->fault.line);
    text_print(t, ": %s.", s->fault.message);
    if (s->fault.remedy[0]) text_print(t, " Remedy: %s.", s->fault.remedy);
    size_t more = 0;
    for (size_t other = k + 1; other < f->fault_count; other++) {
        if (!is_like_one(f, k, other)) continue;
        f->faults[other].told = true;
        if (more++ < MOST_LISTED)
            text_print(t, "%s %s %d", more == 1 ? " The same on" : ",", sample_kind(f, &f->faults[other]),
                       sample_number(f, &f->faults[other]));
    }
    if (more > MOST_LISTED) text_print(t, " and %zu more", more - MOST_LISTED);
    text_add(t, more ? ".\n" : "\n");
    write_excerpt(t, &s->place);
}

static void write_faults(Text *t, Findings *f) {
    const ts_task *task = f->item->task;
    const size_t all = (size_t)(task->demos + task->tests);
    size_t told = 0;
    for (size_t k = 0; k < f->fault_count && k < all; k++) {
        if (f->faults[k].told) continue;
        if (told++ < MOST_LISTED) write_fault(t, f, k);
    }
    if (told > MOST_LISTED) text_print(t, "… and on %zu more.\n", told - MOST_LISTED);
}

char *ts_judge_explain(ts_judge *j, const ts_judge_item *item) {
    Findings f = {.item = item, .problems = calloc(MOST_PROBLEMS, sizeof *f.problems)};
    Text all = {0}, prompt = {0};
    f.failed = !f.problems;
    if (!f.failed && read_again(j, &f) && !f.failed) run_again(j, &f);
    text_add(&prompt, "");
    if (f.problem_count) write_problems(&prompt, &f);
    else if (f.fault_count) write_faults(&prompt, &f);
    write_errors(&all, &f);
    text_add(&all, ", \"prompt\": ");
    text_json(&all, prompt.data ? prompt.data : "");
    text_char(&all, '}');
    all.failed |= prompt.failed || f.failed;
    text_free(&prompt);
    free(f.problems);
    free(f.faults);
    return text_take(&all);
}
