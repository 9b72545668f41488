// Fuzzes the search: the bytes make up a task of any number of demos and tests, and each engine in turn, or
// all of them, searches it with few units. Grids are not only noise: bytes choose what is drawn, and what
// becomes of an input. What was found holds, and the same search finds the same again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "search/quest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_SIDE = 30, MOST_CELLS = MOST_SIDE * MOST_SIDE, PROGRAM_UNITS = 300 * 1000, MEMORY = 48 << 20 };

// ---- Bytes ----

typedef struct {
    const uint8_t *at, *end;
    Rng rng; // for what bytes need not say one by one
} Bytes;

static int byte(Bytes *b) { return b->at < b->end ? *b->at++ : 0; }
static int below(Bytes *b, int n) { return byte(b) % n; }
static int any(Bytes *b, int n) { return (int)(rng_next(&b->rng) % (uint64_t)n); }

// ---- Grids ----

typedef struct {
    int h, w;
    signed char cells[MOST_CELLS];
} Grid;

static signed char *cell(Grid *g, int i, int j) { return &g->cells[i * g->w + j]; }

static void fill(Grid *g, int top, int left, int h, int w, int color) {
    for (int i = top; i < top + h && i < g->h; i++)
        for (int j = left; j < left + w && j < g->w; j++) *cell(g, i, j) = (signed char)color;
}

static void draw_boxes(Bytes *b, Grid *g, int colors) {
    for (int n = below(b, 12); n > 0; n--) {
        int h = 1 + any(b, 6), w = 1 + any(b, 6), i = any(b, g->h), j = any(b, g->w);
        fill(g, i, j, h, w, any(b, colors));
        if (h > 2 && w > 2 && any(b, 2)) fill(g, i + 1, j + 1, h - 2, w - 2, any(b, colors));
    }
}

static void draw_lattice(Bytes *b, Grid *g, int colors) {
    int step_i = 2 + below(b, 6), step_j = 2 + below(b, 6), line = 1 + any(b, 9);
    for (int i = 0; i < g->h; i++)
        for (int j = 0; j < g->w; j++)
            *cell(g, i, j) = (signed char)(i % step_i == 0 || j % step_j == 0 ? line
                                           : any(b, 3)                        ? 0
                                                                              : any(b, colors));
}

static void draw_tiles(Bytes *b, Grid *g, int colors) {
    int h = 1 + below(b, 5), w = 1 + below(b, 5);
    for (int i = 0; i < g->h; i++)
        for (int j = 0; j < g->w; j++)
            *cell(g, i, j) = (signed char)(i < h && j < w ? any(b, colors) : *cell(g, i % h, j % w));
}

static void draw_symmetric(Bytes *b, Grid *g, int colors) {
    for (int i = 0; i < g->h; i++)
        for (int j = 0; j < g->w; j++) {
            int k = i < g->h - 1 - i ? i : g->h - 1 - i, l = j < g->w - 1 - j ? j : g->w - 1 - j;
            *cell(g, i, j) = (signed char)(k == i && l == j ? any(b, colors) : *cell(g, k, l));
        }
    if (below(b, 2)) fill(g, any(b, g->h), any(b, g->w), 1 + any(b, 5), 1 + any(b, 5), any(b, 10));
}

static void draw_lines(Bytes *b, Grid *g, int colors) {
    for (int n = below(b, 8); n > 0; n--) {
        int i = any(b, g->h), j = any(b, g->w), di = any(b, 3) - 1, dj = any(b, 3) - 1,
            color = any(b, colors);
        for (int length = any(b, MOST_SIDE); length >= 0 && i >= 0 && j >= 0 && i < g->h && j < g->w;
             length--, i += di, j += dj)
            *cell(g, i, j) = (signed char)color;
    }
}

static void draw(Bytes *b, Grid *g) {
    int kind = below(b, 8), colors = 1 + below(b, 10), h = 1 + below(b, MOST_SIDE),
        w = 1 + below(b, MOST_SIDE);
    *g = (Grid){.h = h, .w = w};
    fill(g, 0, 0, h, w, kind % 2 ? 0 : any(b, 10));
    switch (kind) {
    case 0: break;
    case 1: draw_boxes(b, g, colors); break;
    case 2: draw_lattice(b, g, colors); break;
    case 3: draw_tiles(b, g, colors); break;
    case 4: draw_symmetric(b, g, colors); break;
    case 5: draw_lines(b, g, colors); break;
    case 6: // cell by cell as the bytes say
        for (int k = 0; k < h * w && k < 64; k++) g->cells[k] = (signed char)below(b, 10);
        break;
    default:
        for (int k = 0; k < h * w; k++) g->cells[k] = (signed char)any(b, colors);
    }
}

// ---- What becomes of an input ----

static void crop(Grid *to, Grid *from, int top, int left, int h, int w) {
    *to = (Grid){.h = h, .w = w};
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) *cell(to, i, j) = *cell(from, top + i, left + j);
}

static void change(Bytes *b, int kind, Grid *in, Grid *out) {
    int h = in->h, w = in->w, n = 1 + kind / 16 % 3, color = kind % 10;
    *out = *in;
    switch (kind % 12) {
    case 0: break;
    case 1: // turned
        *out = (Grid){.h = w, .w = h};
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) *cell(out, j, h - 1 - i) = *cell(in, i, j);
        break;
    case 2: // scaled
        if (h * n > MOST_SIDE || w * n > MOST_SIDE) break;
        *out = (Grid){.h = h * n, .w = w * n};
        for (int i = 0; i < h * n; i++)
            for (int j = 0; j < w * n; j++) *cell(out, i, j) = *cell(in, i / n, j / n);
        break;
    case 3: // tiled
        if (h * n > MOST_SIDE || w * n > MOST_SIDE) break;
        *out = (Grid){.h = h * n, .w = w * n};
        for (int i = 0; i < h * n; i++)
            for (int j = 0; j < w * n; j++) *cell(out, i, j) = *cell(in, i % h, j % w);
        break;
    case 4: crop(out, in, 0, 0, (h + 1) / 2, (w + n) / (n + 1)); break;
    case 5: crop(out, in, any(b, h), any(b, w), 1, 1); break;
    case 6: // another colour
        for (int k = 0; k < h * w; k++)
            if (out->cells[k] == n) out->cells[k] = (signed char)color;
        break;
    case 7: // moved
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++) *cell(out, i, j) = (signed char)(i < n ? 0 : *cell(in, i - n, j));
        break;
    case 8: // what has neighbours
        for (int i = 1; i + 1 < h; i++)
            for (int j = 1; j + 1 < w; j++)
                if (*cell(in, i - 1, j) && *cell(in, i, j - 1)) *cell(out, i, j) = (signed char)color;
        break;
    case 9: fill(out, any(b, h), any(b, w), n, n, color); break;
    case 10: *out = (Grid){.h = n, .w = color + 1}; break;
    default: draw(b, out);
    }
}

// ---- Tasks ----

// Mostly a few; now and then more than any engine looks at.
static int number(Bytes *b) {
    int n = byte(b);
    return n < 240 ? 1 + n % 5 : 1 + (n - 240) * 6;
}

typedef struct {
    ts_task task;
    ts_sample *samples;
    Grid *grids; // two for each
} Made;

static Made make_task(Bytes *b) {
    Made m = {.task = {.id = "fuzz", .demos = number(b), .tests = number(b)}};
    int count = m.task.demos + m.task.tests, kind = byte(b), mixed = below(b, 8) == 0;
    m.samples = calloc((size_t)count, sizeof *m.samples);
    m.grids = calloc((size_t)count * 2, sizeof *m.grids);
    if (!m.samples || !m.grids) abort();
    for (int k = 0; k < count; k++) {
        Grid *in = &m.grids[2 * k], *out = in + 1;
        if (k && b->at == b->end) { // like those before, in other places
            int like = any(b, k);
            *in = m.grids[2 * like];
            fill(in, any(b, in->h), any(b, in->w), 2, 2, any(b, 10));
        } else draw(b, in);
        change(b, mixed ? byte(b) : kind, in, out);
        m.samples[k] = (ts_sample){.input = {in->h, in->w, in->cells},
                                   .output = {out->h, out->w, out->cells},
                                   .is_test = k >= m.task.demos,
                                   .has_output = k < m.task.demos};
    }
    m.task.samples = m.samples;
    return m;
}

// ---- Searching ----

static ts_engine *runner(void) {
    ts_engine *engine = ts_engine_new();
    if (!engine) abort();
    ts_engine_set_units(engine, PROGRAM_UNITS);
    return engine;
}

static bool is_answer(ts_grid g) {
    if (g.height < 1 || g.height > MOST_SIDE || g.width < 1 || g.width > MOST_SIDE) return false;
    for (int k = 0; k < g.height * g.width; k++)
        if (g.cells[k] < 0 || g.cells[k] > 9) return false;
    return true;
}

static void check_candidate(const Quest *q, const Candidate *c) {
    if (c->demos_right < 1 || c->demos_right > q->task->demos || c->class < 0 || c->class >= QUEST_CLASSES)
        abort();
    for (int k = 0; k < q->task->tests; k++)
        if (c->answers[k].height && !is_answer(c->answers[k])) abort();
    double p = candidate_confidence(q, c);
    if (!(p >= 0 && p <= 1)) abort();
}

// All that was found, as one number.
static uint64_t search(const ts_task *task, const char *names, int64_t units) {
    Quest q;
    uint64_t hash = 0;
    if (!quest_init(&q, task, 1)) abort();
    q.memory = q.arena.limit = MEMORY;
    q.runner = runner();
    quest_run(&q, names, units);
    if (q.starved) abort(); // there is memory enough
    for (size_t k = 0; k < q.count; k++) {
        check_candidate(&q, &q.candidates[k]);
        hash = hash_bytes(hash, q.candidates[k].program, strlen(q.candidates[k].program));
        hash = hash_mix(hash, q.candidates[k].hash);
    }
    for (int e = 0; e < ENGINES; e++) hash = hash_mix(hash, q.tried[e] * 2 + q.through[e]);
    for (int test = 0; test < task->tests; test++) {
        Answer answers[2];
        size_t n = quest_rank(&q, test, answers, 2);
        for (size_t k = 0; k < n; k++)
            if (!is_answer(answers[k].grid) || !(answers[k].confidence >= 0 && answers[k].confidence <= 1))
                abort();
    }
    quest_free(&q);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Bytes b = {data, data + size, {hash_bytes(0, data, size)}};
    int engine = below(&b, ENGINES + 1);
    int64_t units = (int64_t)50000 << below(&b, 6);
    Made m = make_task(&b);
    const char *names = engine < ENGINES ? engines_table[engine].name : NULL;
    if (search(&m.task, names, units) != search(&m.task, names, units)) abort();
    free(m.samples);
    free(m.grids);
    return 0;
}
