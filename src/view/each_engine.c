// The engine of parts by themselves: where the output differs from the input within the boxes of parts only
// (or in the cells of a lattice), each box with what becomes of it is a demo of its own, for the rule
// engines. What they find is a function that is applied to each box.
//
// A program that is a chain, each line taking the one before as its first argument and else constants, is a
// composed function: x1 = f(I, 2), O = g(x1, 3) is compose(rbind(g, 3), rbind(f, 2)).
#include <ctype.h>
#include <string.h>

#include "view/view.h"
#include "search/quest.h"

static const EngineId runs[] = {ENGINE_repair, ENGINE_draw, ENGINE_trees};
enum { RUNS = sizeof runs / sizeof *runs, MOST_DEMOS = 8, MOST_TESTS = 3, MOST_STEPS = 4, BUCKETS = 4 };
_Static_assert(((int)EachKind_LATTICE + 1) * (int)BUCKETS <= (int)QUEST_CLASSES, "each has a class");

// ---- From lines to a function ----

// One line of a chain, in parts of the text.
typedef struct {
    const char *op, *arguments; // the arguments after the first
    size_t op_length, arguments_length;
} Step;

static size_t word_length(const char *at) {
    size_t n = 0;
    while (at[n] == '_' || isalnum((unsigned char)at[n])) n++;
    return n;
}

// Whether a variable (I, x1, …) is among the arguments.
static bool has_variable(const char *at, size_t n) {
    for (size_t k = 0; k < n;) {
        size_t word = word_length(at + k);
        if (word && ((at[k] == 'I' && word == 1) || (at[k] == 'x' && isdigit((unsigned char)at[k + 1]))))
            return true;
        k += word ? word : 1;
    }
    return false;
}

// Reads "x2 = op(x1, …)\n" where x1 is `before`. Moves *at past it. False where it is no such line.
static bool read_step(const char **at, const char **before, size_t *before_length, Step *step) {
    const char *name = *at, *end = strchrnul(name, '\n');
    size_t name_length = word_length(name);
    const char *op = name + name_length;
    if (strncmp(op, " = ", 3) != 0) return false;
    step->op = op += 3;
    step->op_length = word_length(op);
    const char *argument = op + step->op_length;
    if (*argument++ != '(' || word_length(argument) != *before_length ||
        strncmp(argument, *before, *before_length) != 0 || end[-1] != ')')
        return false;
    argument += *before_length;
    step->arguments = argument;
    step->arguments_length = (size_t)(end - 1 - argument);
    *before = name;
    *before_length = name_length;
    *at = *end ? end + 1 : end;
    return !has_variable(step->arguments, step->arguments_length);
}

// The step as a function of its first argument: rbind(rbind(op, b), a) for op(x, a, b).
static void put_step(Text *t, const Step *step) {
    size_t starts[4], n = 0;
    int depth = 0;
    for (size_t k = 0; k < step->arguments_length && n < 4; k++) {
        char c = step->arguments[k];
        depth += (c == '(' || c == '{') - (c == ')' || c == '}');
        if (c == ',' && depth == 0) starts[n++] = k + 1;
    }
    for (size_t k = 0; k < n; k++) text_add(t, "rbind(");
    text_put(t, step->op, step->op_length);
    for (size_t k = n, end = step->arguments_length; k-- > 0; end = starts[k] - 1)
        text_print(t, ",%.*s)", (int)(end - starts[k]), step->arguments + starts[k]);
}

// The lines as a function of I; false where they are no chain.
static bool put_function(Text *t, const char *lines) {
    Step steps[MOST_STEPS];
    int n = 0;
    const char *before = "I";
    size_t before_length = 1;
    while (*lines) {
        if (n == MOST_STEPS || !read_step(&lines, &before, &before_length, &steps[n++])) return false;
    }
    for (int k = n - 1; k > 0; k--) {
        text_add(t, "compose(");
        put_step(t, &steps[k]);
        text_add(t, ", ");
    }
    if (n) put_step(t, &steps[0]);
    for (int k = 1; k < n; k++) text_char(t, ')');
    return n > 0;
}

static int offer_for_each(Quest *q, EngineId engine, int class, const char *lines) {
    Text text = {0};
    int bucket = (int)(class_confidence(engine, class) * BUCKETS), right = -1;
    if (bucket >= BUCKETS) bucket = BUCKETS - 1;
    text_print(&text, "O = each_part(I, %d, ", q->view);
    int64_t units = q->parent->units;
    if (put_function(&text, lines)) {
        text_add(&text, ")\n");
        if (!text.failed) right = quest_offer(q->parent, ENGINE_each, q->view * BUCKETS + bucket, text.data);
    }
    q->units -= units - q->parent->units;
    quest_free_text(q, &text);
    return right;
}

// ---- From a task to boxes ----

typedef struct {
    ts_grid inputs[MOST_DEMOS + MOST_TESTS], outputs[MOST_DEMOS];
    ts_grid tests[MOST_TESTS];
    int demos, tests_count, changed;
} Pieces;

static bool is_same_outside(ts_grid a, ts_grid b, const Box *boxes, int count) {
    for (int i = 0; i < a.height; i++)
        for (int j = 0; j < a.width; j++) {
            bool inside = false;
            if (a.cells[i * a.width + j] == b.cells[i * a.width + j]) continue;
            for (int k = 0; k < count && !inside; k++) inside = box_holds(boxes[k], i, j);
            if (!inside) return false;
        }
    return true;
}

// Adds the boxes of a demo that are changed, or those that are not.
static bool add_boxes(Quest *q, Pieces *p, int demo, const Box *boxes, int count, bool changed) {
    for (int k = 0; k < count && p->demos < MOST_DEMOS; k++) {
        ts_grid in, out;
        if (!grid_cut(&q->arena, q->inputs[demo], boxes[k], &in) ||
            !grid_cut(&q->arena, q->outputs[demo], boxes[k], &out))
            return false;
        if (ts_grid_equal(in, out) == changed) continue;
        bool known = false;
        for (int n = 0; n < p->demos && !known; n++) known = ts_grid_equal(p->inputs[n], in);
        if (known) continue;
        p->inputs[p->demos] = in;
        p->outputs[p->demos++] = out;
        p->changed += changed;
    }
    return true;
}

// The boxes as demos, the changed ones first. False where the task is not of this kind.
static bool take_pieces(Quest *q, int kind, Pieces *p) {
    *p = (Pieces){0};
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < q->demos; k++) {
            int count;
            ts_grid in = q->inputs[k], out = q->outputs[k];
            const Box *boxes = view_boxes(&q->arena, in, kind, &count);
            if (!boxes || count < 1 || !grid_same_size(in, out) || !is_same_outside(in, out, boxes, count) ||
                !add_boxes(q, p, k, boxes, count, pass == 0))
                return false;
        }
    for (int k = q->demos; k < q->samples; k++) {
        int count;
        const Box *boxes = view_boxes(&q->arena, q->inputs[k], kind, &count);
        for (int n = 0; boxes && n < count && p->tests_count < MOST_TESTS; n++)
            if (!grid_cut(&q->arena, q->inputs[k], boxes[n], &p->tests[p->tests_count++])) return false;
    }
    memcpy(p->inputs + p->demos, p->tests, (size_t)p->tests_count * sizeof *p->tests);
    return p->changed >= 2 && p->tests_count > 0;
}

static int64_t run_on_pieces(Quest *q, int kind, const Pieces *p, int64_t units) {
    Quest sub = {.parent = q,
                 .demos = p->demos,
                 .tests = p->tests_count,
                 .inputs = p->inputs,
                 .outputs = p->outputs,
                 .offer = offer_for_each,
                 .view = kind};
    return quest_run_within(&sub, ENGINE_each, runs, RUNS, units);
}

bool engine_each(Quest *q) {
    static const int kinds[] = {EachKind_LATTICE, PartsKind_THINGS_DIAGONAL, PartsKind_THINGS,
                                PartsKind_PARTS, PartsKind_PARTS_DIAGONAL};
    int64_t units = q->units;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && units > 0 && !q->late; k++) {
        Pieces pieces;
        if (!take_pieces(q, kinds[k], &pieces)) continue;
        int64_t most = units / 2;
        units -= most - run_on_pieces(q, kinds[k], &pieces, most);
    }
    q->units = units;
    return true;
}
