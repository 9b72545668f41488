// The engine of views: the task is seen in a simpler way (view/view.h), the other rule engines are run on
// what is seen, and the programs they offer get a line before and a line after.
#include "view/view.h"

#include <ctype.h>

#include "search/quest.h"

static const EngineId runs[] = {ENGINE_cutout, ENGINE_repair, ENGINE_move, ENGINE_draw, ENGINE_trees};
enum { RUNS = sizeof runs / sizeof *runs, BUCKETS = 3 };
_Static_assert((int)VIEWS *(int)BUCKETS <= (int)QUEST_CLASSES, "each has a class");

// A view and whether the output is seen in it too, or as it is.
typedef struct {
    int view;
    bool output_too;
} Look;

static const Look looks[] = {
    {View_LATTICE_COLORS, true},   {View_LATTICE_COLORS, false},  {View_BLOCKS_AS_CELLS, true},
    {View_BLOCKS_AS_CELLS, false}, {View_COLORS_BY_RARITY, true}, {View_COLORS_BY_COUNT, true},
    {View_CONTENT_BOX, true},      {View_CONTENT_BOX, false},     {View_UNFRAMED, true},
    {View_UNFRAMED, false},        {View_LARGEST_THING, true},    {View_LARGEST_THING, false},
    {View_SMALLEST_THING, false},  {View_UPRIGHT, true},          {View_ROWS_AS_COLUMNS, true},
};
enum { LOOKS = sizeof looks / sizeof *looks };

// The view decides the class, and how far the rule was to be trusted without it.
static int class_in_view(const Quest *q, EngineId engine, int class) {
    int bucket = (int)(class_confidence(engine, class) * BUCKETS);
    if (bucket >= BUCKETS) bucket = BUCKETS - 1;
    return (int)looks[q->view].view * BUCKETS + bucket;
}

// The lines with I and O called `seen` and `found`.
static void put_renamed(Text *t, const char *lines) {
    for (const char *at = lines; *at;) {
        size_t n = 0;
        while (at[n] == '_' || isalnum((unsigned char)at[n])) n++;
        if (n == 1 && *at == 'I') text_add(t, "seen");
        else if (n == 1 && *at == 'O') text_add(t, "found");
        else text_put(t, at, n ? n : 1);
        at += n ? n : 1;
    }
}

static int offer_in_view(Quest *q, EngineId engine, int class, const char *lines) {
    Look look = looks[q->view];
    Text text = {0};
    text_print(&text, "seen = view(I, %d)\n", look.view);
    put_renamed(&text, lines);
    text_print(&text, look.output_too ? "O = unview(I, %d, found)\n" : "O = identity(found)\n", look.view);
    int64_t units = q->parent->units;
    int right =
        text.failed ? -1 : quest_offer(q->parent, ENGINE_views, class_in_view(q, engine, class), text.data);
    q->units -= units - q->parent->units;
    quest_free_text(q, &text);
    return right;
}

// The task as it is seen. False where some sample has no such view, or where nothing is changed by it.
static bool look_at(Quest *q, Look look, ts_grid *inputs, ts_grid *outputs) {
    bool changed = false;
    for (int k = 0; k < q->samples; k++) {
        if (!view_take(&q->arena, look.view, q->inputs[k], &inputs[k])) return false;
        changed |= !ts_grid_equal(inputs[k], q->inputs[k]);
    }
    for (int k = 0; k < q->demos; k++) {
        outputs[k] = q->outputs[k];
        if (look.output_too && !view_output(&q->arena, look.view, q->inputs[k], q->outputs[k], &outputs[k]))
            return false;
    }
    return changed;
}

// Returns the units that are left.
static int64_t run_in_view(Quest *q, int number, const ts_grid *inputs, const ts_grid *outputs,
                           int64_t units) {
    Quest sub = {.parent = q,
                 .demos = q->demos,
                 .tests = q->tests,
                 .inputs = inputs,
                 .outputs = outputs,
                 .offer = offer_in_view,
                 .view = number};
    return quest_run_within(&sub, ENGINE_views, runs, RUNS, units);
}

bool engine_views(Quest *q) {
    ts_grid *inputs = arena_alloc(&q->arena, (size_t)(q->samples + q->demos) * sizeof *inputs);
    if (!inputs) return true;
    int64_t units = q->units;
    for (int k = 0; k < LOOKS && units > 0 && !q->late; k++) {
        if (!look_at(q, looks[k], inputs, inputs + q->samples)) continue;
        int64_t most = units / 4; // so that the first views do not take it all
        units -= most - run_in_view(q, k, inputs, inputs + q->samples, most);
    }
    q->units = units;
    return true;
}
