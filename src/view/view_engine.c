// The engine of views: the task is seen in a simpler way (view/view.h), the other rule engines are run on
// what is seen, and the programs they offer get a line before and a line after.
#include "view/view.h"

#include <ctype.h>

#include "base/hash.h"
#include "search/quest.h"

// The first one only where the view changes what lies beside what; colours mean little to it.
static const EngineId runs[] = {ENGINE_patterns, ENGINE_cutout, ENGINE_repair,
                                ENGINE_move,     ENGINE_draw,   ENGINE_trees};
// The bank takes black for background; the others find it for themselves.
static const EngineId runs_on_black[] = {ENGINE_bank};
enum { RUNS = sizeof runs / sizeof *runs, RUNS_ON_BLACK = sizeof runs_on_black / sizeof *runs_on_black };
// How far a rule is to be trusted without the view, in steps.
static const double steps[] = {0.03, 0.08, 0.17, 0.33, 0.5, 0.67, 0.84};
enum { BUCKETS = sizeof steps / sizeof *steps + 1 };
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
    {View_GROUND_AS_BLACK, true},
};
enum { LOOKS = sizeof looks / sizeof *looks };

// The view decides the class, and how far the rule was to be trusted without it.
static int class_in_view(const Quest *q, EngineId engine, int class) {
    int bucket = 0;
    while (bucket < BUCKETS - 1 && class_confidence(engine, class) > steps[bucket]) bucket++;
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
    const int view = looks[number].view;
    if (view == View_GROUND_AS_BLACK)
        return quest_run_within(&sub, ENGINE_views, runs_on_black, RUNS_ON_BLACK, units);
    const int first = view != View_LATTICE_COLORS && view != View_BLOCKS_AS_CELLS;
    return quest_run_within(&sub, ENGINE_views, runs + first, RUNS - first, units);
}

// Whether a task that is seen is the one that an earlier look has shown; else it is noted.
static bool was_seen(const Quest *q, const ts_grid *grids, uint64_t *hashes, int count) {
    uint64_t hash = 1;
    for (int k = 0; k < q->samples + q->demos; k++) hash = hash_mix(hash, grid_hash(grids[k]));
    hashes[count] = hash;
    while (hashes[count - 1] != hash && count > 1) count--;
    return hashes[count - 1] == hash;
}

bool engine_views(Quest *q) {
    // Of each look the inputs and outputs, NULL where there is nothing new to see.
    ts_grid *seen[LOOKS];
    uint64_t hashes[LOOKS + 1] = {0};
    int left = 0;
    for (int k = 0; k < LOOKS; k++) {
        seen[k] = arena_alloc(&q->arena, (size_t)(q->samples + q->demos) * sizeof *seen[k]);
        if (!seen[k]) return true;
        if (!look_at(q, looks[k], seen[k], seen[k] + q->samples) || was_seen(q, seen[k], hashes, left + 1))
            seen[k] = NULL;
        left += seen[k] != NULL;
    }
    int64_t units = q->units;
    bool through = true;
    for (int k = 0; k < LOOKS && units > 0 && !q->late; k++) {
        if (!seen[k]) continue;
        int64_t most = units / left--, rest = run_in_view(q, k, seen[k], seen[k] + q->samples, most);
        units -= most - rest;
        through &= rest > 0;
    }
    q->units = units;
    return through;
}
