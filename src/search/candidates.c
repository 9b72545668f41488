// Candidates as text: a JSON object a line, as `tessera solve --candidates` writes them.
//
// When they are read, of a line only the task, the engine, the class and the program are read: what the
// program is right on, and what it answers, comes from running it.
#include <stdlib.h>
#include <string.h>

#include "search/candidates.h"

#include "base/replace.h"
#include "search/facts.h"

enum { TASK, ENGINE_NAME, CLASS, PROGRAM, MEMBERS };
static const char *const members[MEMBERS] = {"task", "engine", "class", "program"};

typedef struct {
    int depth;
    Text key, values[MEMBERS];
} Found;

static void put(Text *t, const char *text, size_t length) {
    text_clear(t);
    text_put(t, text, length);
}

static bool on_open(void *user, char bracket, size_t at) {
    (void)bracket, (void)at;
    ((Found *)user)->depth++;
    return true;
}

static bool on_close(void *user, size_t at) {
    (void)at;
    ((Found *)user)->depth--;
    return true;
}

static bool on_key(void *user, const char *text, size_t length, size_t at) {
    (void)at;
    Found *f = user;
    if (f->depth == 1) put(&f->key, text, length);
    return true;
}

static bool on_scalar(void *user, TaskJsonScalar kind, const char *text, size_t length, size_t at) {
    (void)kind, (void)at;
    Found *f = user;
    for (int k = 0; k < MEMBERS; k++)
        if (f->depth == 1 && f->key.data && strcmp(f->key.data, members[k]) == 0)
            put(&f->values[k], text, length);
    return true;
}

// Forgets the line before; what a line does not say is empty.
static void clear(Found *f) {
    f->depth = 0;
    put(&f->key, "", 0);
    for (int k = 0; k < MEMBERS; k++) put(&f->values[k], "", 0);
}

static bool is_short_of_memory(const Found *f) {
    bool failed = f->key.failed;
    for (int k = 0; k < MEMBERS; k++) failed |= f->values[k].failed;
    return failed;
}

static void free_found(Found *f) {
    text_free(&f->key);
    for (int k = 0; k < MEMBERS; k++) text_free(&f->values[k]);
}

// A class by its digits, and nothing else; -1 where it is none.
static int class_of(const Text *t) {
    int class = 0;
    for (size_t k = 0; k < t->length; k++) {
        if (t->data[k] < '0' || t->data[k] > '9') return -1;
        class = 10 * class + (t->data[k] - '0');
        if (class >= QUEST_CLASSES) return -1;
    }
    return t->length ? class : -1;
}

// Lines of engines and classes that are not known here are passed over.
static void offer(Quest *q, const Found *f) {
    const Text *program = &f->values[PROGRAM];
    EngineId engine = engines_find(f->values[ENGINE_NAME].data, f->values[ENGINE_NAME].length);
    int class = class_of(&f->values[CLASS]);
    if (engine < ENGINES && class >= 0) quest_offer_program(q, engine, class, program->data, program->length);
}

static bool parse_line(Found *f, const char *line, size_t length, TaskJsonError *error) {
    static const TaskJsonListener listener = {
        .open = on_open, .close = on_close, .key = on_key, .scalar = on_scalar};
    clear(f);
    return task_json_parse(line, length, &listener, f, error) == TASK_JSON_DONE;
}

bool candidates_task(const char *line, size_t length, Text *id, TaskJsonError *error) {
    Found f = {0};
    bool good = parse_line(&f, line, length, error);
    text_free(id);
    *id = f.values[TASK];
    id->failed |= is_short_of_memory(&f);
    f.values[TASK] = (Text){0};
    free_found(&f);
    return good;
}

// Whole, with any byte in it.
static bool is_text(const Text *t, const char *text) {
    return t->length == strlen(text) && memcmp(t->data, text, t->length) == 0;
}

static bool read_line(Quest *q, Found *f, const char *line, size_t length, TaskJsonError *error) {
    if (length && !parse_line(f, line, length, error)) return false;
    if (length && !is_short_of_memory(f) && is_text(&f->values[TASK], q->id)) offer(q, f);
    return true;
}

bool candidates_read(Quest *q, const char *name, const char *text, size_t length, Status *s) {
    Found f = {0};
    bool good = true;
    for (const char *at = text, *end = text + length; good && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        TaskJsonError error;
        if (!read_line(q, &f, at, (size_t)(stop - at), &error)) {
            status_fail(s, TS_INPUT, "bad JSON: %s", error.message);
            good = status_locate(s, NULL, name, text, length, (size_t)(at - text) + error.at);
        } else if (is_short_of_memory(&f)) good = status_fail(s, TS_SYSTEM, "memory is short");
        at = stop + 1;
    }
    free_found(&f);
    return good;
}

// ---- Writing ----

static void put_grid(Text *t, ts_grid g) {
    if (!g.height) text_add(t, "null");
    for (int i = 0; i < g.height; i++) {
        text_add(t, i ? ",[" : "[[");
        for (int j = 0; j < g.width; j++) text_print(t, j ? ",%d" : "%d", g.cells[i * g.width + j]);
        text_add(t, i + 1 < g.height ? "]" : "]]");
    }
}

// The names of the facts that an answer breaks.
static void put_broken(Text *t, const Quest *q, const Facts *facts, int test, ts_grid answer) {
    const char *between = "";
    text_char(t, '[');
    const ts_grid input = q->task->samples[q->all_demos + test].input;
    const uint64_t broken = answer.height ? facts_broken(facts, input, answer) : 0;
    for (int n = 0; n < FACTS; n++) {
        if (!(broken >> n & 1)) continue;
        text_print(t, "%s\"%s\"", between, facts_name((Fact)n));
        between = ", ";
    }
    text_char(t, ']');
}

static void put_candidate(Text *t, const Quest *q, const Facts *facts, const ts_found *f) {
    text_add(t, "{\"task\": ");
    text_json(t, q->id);
    text_print(t, ", \"engine\": \"%s\", \"class\": %d, \"demos\": %d, \"demos_right\": %d, ", f->engine,
               f->rule, f->demos, f->demos_right);
    text_print(t, "\"confidence\": %.4f, \"units\": %llu, \"lines\": %zu, \"answers\": [", f->confidence,
               (unsigned long long)f->units, f->lines);
    for (int n = 0; n < q->all_tests; n++) {
        if (n) text_char(t, ',');
        put_grid(t, f->answers[n]);
    }
    text_add(t, "], \"breaks\": [");
    for (int n = 0; n < q->all_tests; n++) {
        if (n) text_char(t, ',');
        put_broken(t, q, facts, n, f->answers[n]);
    }
    text_add(t, "], \"program\": ");
    text_json(t, f->program);
    char *words = ts_tell(f->program);
    if (words) {
        text_add(t, ", \"words\": ");
        text_json(t, words);
    } else t->failed = true;
    free(words);
    text_add(t, "}\n");
}

char *ts_search_print(const ts_search *search) {
    Text t = {0};
    text_add(&t, "");
    const Facts facts = facts_of(&search->quest);
    for (size_t n = 0; n < ts_search_count(search); n++) {
        const ts_found f = ts_search_at(search, n);
        put_candidate(&t, &search->quest, &facts, &f);
    }
    return text_take(&t);
}

bool ts_solver_candidates(ts_solver *solver, const char *path, ts_status *status) {
    Replace r;
    if (!replace_open(&r, path, status)) return false;
    bool good = true;
    for (size_t k = 0; good && k < ts_solver_count(solver); k++) {
        char *text = ts_search_print(ts_solver_search(solver, k));
        good = text || status_fail(status, TS_SYSTEM, "not enough memory");
        if (text) fputs(text, r.file); // what goes wrong is seen when it is closed
        free(text);
    }
    return replace_close(&r, good, status);
}
