// What is known of the answer, and how entries of the bank meet it.
//
// Grids. A goal is what the demos ask of a grid, as a hash, with the lines that make the outputs of it: the
// outputs themselves; turned, mirrored, scaled down; a half of them where the other half is its mirror image.
// A grid as large as the output may also miss it by colours alone, a larger one may hold it at a fixed place.
//
// Conditions. A truth value that is true for some demos may choose between two answers.
#include "lines/lines_goal.h"

#include "base/hash.h"

// ---- Offering ----

// The class of an offer: what kind it is, and what is left of its cost when the demos are held against it.
// Many cells that a cheap program gets right are hardly chance.
static int class_of(const Lines *b, GoalFamily family, int cost) {
    static const int8_t limits[] = {-6, -3, 0, 3, 6, 10, 16};
    int level = 0, left = cost - b->goals->evidence;
    if (family != GOAL_GRID && b->resize) family = GOAL_FILL_OTHER_SIZE;
    while (level < 7 && left > limits[level]) level++;
    return (int)family * 8 + level;
}

// Whether the newest candidate has answers that no earlier one of this engine has.
static bool is_new_answer(const Quest *q) {
    for (size_t k = 0; k + 1 < q->count; k++)
        if (q->candidates[k].engine == ENGINE_lines &&
            q->candidates[k].hash == q->candidates[q->count - 1].hash)
            return false;
    return true;
}

static void offer(Lines *b, GoalFamily family, int cost, const char *expression) {
    Goals *g = b->goals;
    if (g->offers >= OFFERS_MOST || g->kept >= KEPT_MOST) return;
    Text t = {0};
    text_print(&t, "O = %s\n", expression);
    size_t before = b->q->count;
    g->offers++;
    int right = t.failed ? -1 : quest_offer(b->q, ENGINE_lines, class_of(b, family, cost), t.data);
    if (right == b->q->all_demos) {
        g->kept += b->q->count > before && is_new_answer(b->q);
        if (cost < g->best) g->best = cost;
    }
    quest_free_text(b->q, &t);
}

const char *goals_keep_text(Lines *b, Text *t) {
    const char *kept = t->failed ? NULL : arena_text(&b->q->arena, t->data, t->length);
    quest_free_text(b->q, t);
    return kept;
}

const char *goals_entry_text(Lines *b, uint32_t entry) {
    Text t = {0};
    lines_print(&t, b, entry);
    return goals_keep_text(b, &t);
}

void goals_wrap(Text *t, const char *around, const char *inner) {
    Text own = *t;
    *t = (Text){.failed = own.failed};
    if (!around) around = own.data;
    if (!inner) inner = own.data;
    for (; !own.failed && *around; around++)
        if (*around == '$') text_add(t, inner);
        else text_char(t, *around);
    text_free(&own);
}

bool goals_done(const Lines *b, int cost) {
    const Goals *g = b->goals;
    return g->offers >= OFFERS_MOST || g->kept >= KEPT_MOST || cost >= g->best + PATIENCE;
}

void goals_offer(Lines *b, int goal, GoalFamily family, int cost, const char *expression) {
    Text t = {0};
    text_add(&t, expression);
    for (; goal > 0; goal = b->goals->grids[goal].parent, cost++)
        goals_wrap(&t, b->goals->grids[goal].around, NULL);
    if (!t.failed) offer(b, family, cost, t.data);
    quest_free_text(b->q, &t);
}

// ---- The goals for grids ----

static uint64_t hash_demos(const Lines *b, const Value *values) {
    uint64_t h = 0;
    for (int d = 0; d < b->demos; d++) h = hash_mix(h, value_hash(values[d]));
    return h;
}

static bool equal_demos(const Lines *b, const Value *x, const Value *y) {
    for (int d = 0; d < b->demos; d++)
        if (!value_equal(x[d], y[d])) return false;
    return true;
}

// All demos by a primitive, whose other arguments are the same for all. False where it fails on one of them.
static bool run_demos(Lines *b, int op, const Value *values, Value second, Value third, Value *results) {
    Ctx *c = &b->scratch;
    for (int d = 0; d < b->demos; d++) {
        size_t bytes = 0;
        ctx_begin(c, 1000000);
        Value v = ops_table[op].fn(c, (const Value[]){values[d], second, third});
        if (c->failure || !value_is_grid(v)) return false;
        results[d] = value_move(&b->q->arena, &c->arena, v, VALUE_MOVE_ENOUGH, &bytes);
        if (value_tag(results[d]) == TAG_FAIL) return false;
    }
    return true;
}

static bool turn_demos(Lines *b, int op, const Value *values, Value *results) {
    return run_demos(b, op, values, VALUE_NONE, VALUE_NONE, results);
}

static const struct {
    int op, inverse;
} rigid[] = {
    {OP_hmirror, OP_hmirror}, {OP_vmirror, OP_vmirror}, {OP_dmirror, OP_dmirror}, {OP_cmirror, OP_cmirror},
    {OP_rot180, OP_rot180},   {OP_rot90, OP_rot270},    {OP_rot270, OP_rot90},
};
enum { RIGID = sizeof rigid / sizeof *rigid };

static void add_goal(Lines *b, const Value *values, const char *around, int parent, bool turned);

// One of several equal parts side by side, or one below the other.
static bool cut_demos(Lines *b, const Value *values, bool across, int part, int parts, Value *results) {
    Ctx *c = &b->scratch;
    for (int d = 0; d < b->demos; d++) {
        ts_grid g = value_as_grid(values[d]);
        int side = across ? g.width : g.height, each = side / parts;
        size_t bytes = 0;
        if (side % parts || side < parts) return false;
        ctx_begin(c, 1000000);
        Value start = value_of_loc(across ? loc_word(0, part * each) : loc_word(part * each, 0));
        Value size = value_of_loc(across ? loc_word(g.height, each) : loc_word(each, g.width));
        Value v = CALL(crop, values[d], start, size);
        if (c->failure || !value_is_grid(v)) return false;
        results[d] = value_move(&b->q->arena, &c->arena, v, VALUE_MOVE_ENOUGH, &bytes);
        if (value_tag(results[d]) == TAG_FAIL) return false;
    }
    return true;
}

// The name of the motion that turns one into the other; "" where they are equal, NULL where there is none.
static const char *motion_between(Lines *b, const Value *from, const Value *to) {
    Value moved[LINES_MOST_DEMOS];
    if (equal_demos(b, from, to)) return "";
    for (int k = 0; k < RIGID; k++)
        if (turn_demos(b, rigid[k].op, from, moved) && equal_demos(b, moved, to))
            return ops_table[rigid[k].op].name;
    return NULL;
}

// Parts side by side, each of which is the first one or a rigid motion of it.
static void add_tiles(Lines *b, const Value *values, int goal, bool across, int parts) {
    Value first[LINES_MOST_DEMOS], other[LINES_MOST_DEMOS];
    if (!cut_demos(b, values, across, 0, parts, first)) return;
    Text t = {0};
    text_char(&t, '$');
    for (int part = 1; part < parts && !t.failed; part++) {
        const char *by =
            cut_demos(b, values, across, part, parts, other) ? motion_between(b, first, other) : NULL;
        if (!by) {
            quest_free_text(b->q, &t);
            return;
        }
        Text u = {0};
        text_print(&u, *by ? "%s(%s, %s($))" : "%s(%s, %s$)", across ? "hconcat" : "vconcat", t.data, by);
        quest_free_text(b->q, &t);
        t = u;
    }
    const char *around = goals_keep_text(b, &t);
    if (around) add_goal(b, first, around, goal, false);
}

// Steps that may have come last, undone.
static void add_inverses(Lines *b, const Value *values, int goal) {
    Value results[LINES_MOST_DEMOS], back[LINES_MOST_DEMOS];
    for (int parts = 2; parts <= 4; parts++) {
        add_tiles(b, values, goal, true, parts);
        add_tiles(b, values, goal, false, parts);
    }
    for (int n = 2; n <= 5; n++) {
        Value factor = value_of_small(n);
        if (!run_demos(b, OP_downscale, values, factor, VALUE_NONE, results) ||
            !run_demos(b, OP_upscale, results, factor, VALUE_NONE, back) || !equal_demos(b, values, back))
            continue;
        Text t = {0};
        text_print(&t, "upscale($, %d)", n);
        const char *around = goals_keep_text(b, &t);
        if (around) add_goal(b, results, around, goal, false);
    }
    bool turned = b->goals->grids[goal].turned;
    for (int k = 0; k < RIGID && !turned; k++) {
        Text t = {0};
        text_print(&t, "%s($)", ops_table[rigid[k].op].name);
        const char *around = goals_keep_text(b, &t);
        if (around && turn_demos(b, rigid[k].inverse, values, results))
            add_goal(b, results, around, goal, true);
    }
}

static void add_goal(Lines *b, const Value *values, const char *around, int parent, bool turned) {
    Goals *g = b->goals;
    int depth = parent < 0 ? 0 : g->grids[parent].depth + 1, id = g->grid_count;
    uint64_t hash = hash_demos(b, values);
    for (int k = 0; k < id; k++)
        if (g->grids[k].hash == hash) return;
    if (id == GOALS_MOST || depth > GOAL_DEPTH) return;
    ts_grid first = value_as_grid(values[0]);
    g->grids[id] = (GridGoal){hash, around, parent, depth, first.height, first.width, turned};
    g->grid_count++;
    bool as_input = b->resize && !g->target;
    for (int d = 0; d < b->demos; d++) {
        ts_grid in = b->q->inputs[d], out = value_as_grid(values[d]);
        as_input &= grid_same_size(in, out);
    }
    if (as_input) {
        g->target = id;
        memcpy(g->outputs, values, (size_t)b->demos * sizeof *values);
    }
    add_inverses(b, values, id);
}

// ---- Grids that meet a goal, or nearly ----

// Replaces and exchanges colours one by one, as `to` says. False where they go round in a longer circle.
static bool recolor_text(Text *t, const char *text, int8_t *to) {
    text_add(t, text);
    for (bool more = true, moved = true; more; moved = false) {
        more = false;
        for (int c = 0; c < 10; c++) {
            int d = to[c];
            if (d == c) continue;
            more = true;
            bool swaps = to[d] == c;
            if (to[d] != d && !swaps) continue; // first away with what is of colour d now
            Text u = {.failed = t->failed};
            text_print(&u, "%s(%s, %d, %d)", swaps ? "switch" : "replace", t->data, c, d);
            text_free(t);
            *t = u;
            if (swaps) to[d] = (int8_t)d;
            to[c] = (int8_t)c;
            moved = true;
        }
        if (more && !moved) return false;
    }
    return !t->failed;
}

// What each colour of a demo has to become; false where that is not one colour.
static bool colors_of_demo(ts_grid in, ts_grid out, int8_t *to) {
    memset(to, -1, 10);
    for (int k = 0; k < in.height * in.width; k++) {
        int c = in.cells[k];
        if (c < 0 || c > 9 || (to[c] >= 0 && to[c] != out.cells[k])) return false;
        to[c] = out.cells[k];
    }
    return true;
}

// Where each demo asks for one colour to be replaced, or two to be exchanged, but not the same ones: colours
// that the bank knows.
static void meet_own_colors(Lines *b, const char *text, int cost, int8_t (*to)[10]) {
    int8_t from[LINES_MOST_DEMOS], into[LINES_MOST_DEMOS];
    bool swaps = true, replaces = true;
    for (int d = 0; d < b->demos; d++) {
        int changed[10], n = 0;
        from[d] = into[d] = -1;
        for (int c = 0; c < 10; c++)
            if (to[d][c] >= 0 && to[d][c] != c) changed[n++] = c;
        if (n == 0) continue;
        from[d] = (int8_t)changed[0];
        into[d] = to[d][changed[0]];
        replaces &= n == 1;
        swaps &= n == 2 && into[d] == changed[1] && to[d][changed[1]] == changed[0];
    }
    if (!swaps && !replaces) return;
    Text t = {0}, u = {0};
    int from_cost = lines_print_color(&t, b, from), into_cost = lines_print_color(&u, b, into);
    if (from_cost >= 0 && into_cost >= 0 && !t.failed && !u.failed) {
        Text line = {0};
        text_print(&line, "%s(%s, %s, %s)", replaces ? "replace" : "switch", text, t.data, u.data);
        if (!line.failed)
            goals_offer(b, b->goals->target, GOAL_GRID, cost + from_cost + into_cost, line.data);
        quest_free_text(b->q, &line);
    }
    quest_free_text(b->q, &t);
    quest_free_text(b->q, &u);
}

// A grid that becomes the target when its colours are changed.
static void meet_recolored(Lines *b, const char *text, int cost, const Value *values) {
    int8_t each[LINES_MOST_DEMOS][10], to[10];
    bool alike = true;
    int changes = 0;
    memset(to, -1, sizeof to);
    for (int d = 0; d < b->demos; d++) {
        if (!colors_of_demo(value_as_grid(values[d]), value_as_grid(b->goals->outputs[d]), each[d])) return;
        for (int c = 0; c < 10; c++) {
            if (each[d][c] < 0) continue;
            alike &= to[c] < 0 || to[c] == each[d][c];
            to[c] = each[d][c];
        }
    }
    if (!alike) {
        meet_own_colors(b, text, cost, each);
        return;
    }
    for (int c = 0; c < 10; c++) {
        if (to[c] < 0) to[c] = (int8_t)c;
        changes += to[c] != c;
    }
    Text t = {0};
    if (recolor_text(&t, text, to)) goals_offer(b, b->goals->target, GOAL_GRID, cost + changes + 1, t.data);
    quest_free_text(b->q, &t);
}

static bool holds_at(ts_grid in, ts_grid out, int i, int j) {
    if (i + out.height > in.height || j + out.width > in.width) return false;
    for (int row = 0; row < out.height; row++)
        if (memcmp(in.cells + (i + row) * in.width + j, out.cells + row * out.width, (size_t)out.width))
            return false;
    return true;
}

// A grid that holds outputs of one size, all at the same place.
static void meet_crop(Lines *b, const char *text, int cost, const Value *values) {
    ts_grid size = b->q->outputs[0], first = value_as_grid(values[0]);
    for (int d = 1; d < b->demos; d++)
        if (!grid_same_size(b->q->outputs[d], size)) return;
    for (int i = 0; i + size.height <= first.height; i++)
        for (int j = 0; j + size.width <= first.width; j++) {
            bool good = true;
            for (int d = 0; d < b->demos && good; d++)
                good = holds_at(value_as_grid(values[d]), b->q->outputs[d], i, j);
            if (!good) continue;
            Text t = {0};
            text_print(&t, "crop(%s, (%d, %d), (%d, %d))", text, i, j, size.height, size.width);
            if (!t.failed) offer(b, GOAL_GRID, cost + 5, t.data);
            quest_free_text(b->q, &t);
            return;
        }
}

// Remembers the first grid that is right on some demos.
static void meet_some(Lines *b, const char **text, uint32_t entry, const Value *values) {
    Goals *g = b->goals;
    unsigned right = 0;
    for (int d = 0; d < b->demos; d++) right |= (unsigned)(value_hash(values[d]) == g->output_hash[d]) << d;
    if (!right || g->right[right] || (!*text && !(*text = goals_entry_text(b, entry)))) return;
    g->right[right] = *text;
    g->right_cost[right] = b->entries[entry].cost;
    g->new_choice = true;
}

static void meet_grid(Lines *b, uint32_t entry, const Value *values) {
    Goals *g = b->goals;
    uint64_t hash = hash_demos(b, values);
    int cost = b->entries[entry].cost;
    const char *text = NULL;
    for (int k = 0; k < g->grid_count; k++)
        if (g->grids[k].hash == hash && (text || (text = goals_entry_text(b, entry))))
            goals_offer(b, k, GOAL_GRID, cost, text);
    meet_some(b, &text, entry, values);
    bool larger = b->shrink && g->crops < CROPS_MOST, same = hash != g->grids[g->target].hash;
    for (int d = 0; d < b->demos; d++) {
        ts_grid in = value_as_grid(values[d]), out = value_as_grid(g->outputs[d]), all = b->q->outputs[d];
        same &= grid_same_size(in, out);
        larger &=
            in.height >= all.height && in.width >= all.width && in.height + in.width > all.height + all.width;
    }
    if ((!same && !larger) || (!text && !(text = goals_entry_text(b, entry)))) return;
    if (larger) {
        g->crops++;
        meet_crop(b, text, cost, values);
    }
    if (same) {
        meet_recolored(b, text, cost, values);
        patches_add_base(b, text, cost, values);
    }
}

// ---- Sizes and conditions ----

int lines_ground_color(ts_grid g) {
    int counts[10];
    colors_count(g, counts);
    int best = colors_by_count(counts, -1, false);
    return best < 0 ? 0 : best;
}

// Remembers what gives the size of the outputs.
static void meet_size(Lines *b, uint32_t entry, const Value *values) {
    Goals *g = b->goals;
    bool height = !g->size[0], width = !g->size[1], shape = !g->shape;
    for (int d = 0; d < b->demos && (height || width || shape); d++) {
        ts_grid out = b->q->outputs[d];
        height &= value_same(values[d], value_of_small(out.height));
        width &= value_same(values[d], value_of_small(out.width));
        shape &= value_same(values[d], value_of_loc(loc_word(out.height, out.width)));
    }
    if (height) g->size[0] = entry;
    if (width) g->size[1] = entry;
    if (shape) g->shape = entry;
}

// Once the size of the outputs is known, empty grids of that size are bases.
static void use_size(Lines *b, int cost) {
    Goals *g = b->goals;
    if (!b->resize || g->shape == UINT32_MAX) return;
    if (!g->shape && g->size[0] && g->size[1]) lines_try(b, OP_astuple, SORT_PAIR, cost, g->size);
    if (!g->shape) return;
    uint32_t shape = g->shape;
    g->shape = UINT32_MAX;
    for (uint32_t e = b->ops; e < b->given; e++) {
        Value v = lines_values(b, e)[0];
        if (b->entries[e].sort != SORT_COLOR || value_small(v) != lines_ground_color(b->q->outputs[0]))
            continue;
        lines_try(b, OP_canvas, SORT_GRID, cost, (uint32_t[]){e, shape});
    }
}

static void meet_truth(Lines *b, uint32_t entry, const Value *values) {
    Goals *g = b->goals;
    unsigned holds = 0;
    for (int d = 0; d < b->demos; d++) holds |= (unsigned)(value_small(values[d]) != 0) << d;
    if (g->truth[holds] || !(g->truth[holds] = goals_entry_text(b, entry))) return;
    g->truth_cost[holds] = b->entries[entry].cost;
    g->new_choice = true;
}

// The cheapest grid that is right on these demos at least.
static int best_on(const Goals *g, unsigned demos) {
    int best = -1;
    for (int mask = 1; mask < MASKS; mask++)
        if (g->right[mask] && ((unsigned)mask & demos) == demos &&
            (best < 0 || g->right_cost[mask] < g->right_cost[best]))
            best = mask;
    return best;
}

static void offer_branch(Lines *b, unsigned holds) {
    Goals *g = b->goals;
    unsigned all = (1u << b->demos) - 1;
    int yes = best_on(g, holds), no = best_on(g, all & ~holds);
    if (yes < 0 || no < 0 || g->branched[holds]) return;
    g->branched[holds] = true;
    Text t = {0};
    text_print(&t, "branch(%s, %s, %s)", g->truth[holds], g->right[yes], g->right[no]);
    if (!t.failed)
        offer(b, GOAL_GRID, g->truth_cost[holds] + g->right_cost[yes] + g->right_cost[no] + 2, t.data);
    quest_free_text(b->q, &t);
}

// ---- All goals ----

void goals_compose(Lines *b, int cost) {
    Goals *g = b->goals;
    patches_compose(b);
    for (unsigned holds = 1; holds + 1 < 1u << b->demos && g->new_choice && b->demos > 2; holds++)
        if (g->truth[holds]) offer_branch(b, holds);
    g->new_choice = false;
    use_size(b, cost);
}

void goals_settle(Lines *b) {
    Goals *g = b->goals;
    if (g->best <= LINES_MOST_COST) return;
    for (int n = b->demos - 1, offered = 0; n > 0; n--)
        for (int mask = 1; mask < MASKS; mask++) {
            if (__builtin_popcount((unsigned)mask) != n || !g->right[mask] || offered == PARTIAL_MOST)
                continue;
            offer(b, GOAL_GRID, g->right_cost[mask], g->right[mask]);
            offered++;
        }
}

void goals_meet(Lines *b, uint32_t entry, const Value *values) {
    Sort sort = (Sort)b->entries[entry].sort;
    if (sort == SORT_GRID) meet_grid(b, entry, values);
    if (sort == SORT_OBJECT || sort == SORT_INDICES) patches_meet(b, entry, values);
    if (sort == SORT_NUMBER || sort == SORT_PAIR) meet_size(b, entry, values);
    if (sort == SORT_TRUTH) meet_truth(b, entry, values);
}

bool goals_hope(const Lines *b, Sort sort, Value first) {
    const Goals *g = b->goals;
    if (sort == SORT_GRID) {
        for (int k = 0; k < g->grid_count; k++)
            if (g->grids[k].height == (int)value_obj(first)->n &&
                g->grids[k].width == (int)value_obj(first)->width)
                return true;
        return false;
    }
    return (sort == SORT_OBJECT || sort == SORT_INDICES) && patches_hope(b, first);
}

// One and a half for each time that the cells to be explained double: those that change, or all of the
// outputs where they are of another size.
static int evidence_of(const Quest *q) {
    unsigned cells = 1;
    for (int d = 0; d < q->demos; d++) {
        ts_grid in = q->inputs[d], out = q->outputs[d];
        bool same = grid_same_size(in, out);
        for (int k = 0; k < out.height * out.width; k++) cells += !same || in.cells[k] != out.cells[k];
    }
    return 3 * (31 - __builtin_clz(cells)) / 2;
}

bool goals_init(Lines *b) {
    Goals *g = b->goals = arena_alloc(&b->q->arena, sizeof *g);
    if (!g) return false;
    memset(g, 0, sizeof *g);
    g->best = LINES_MOST_COST + 1;
    for (int d = 0; d < b->demos; d++) {
        size_t bytes = 0;
        ctx_begin(&b->scratch, 100000);
        Value v = value_grid(&b->scratch, b->q->outputs[d]);
        g->outputs[d] = value_move(&b->q->arena, &b->scratch.arena, v, VALUE_MOVE_ENOUGH, &bytes);
        if (!value_is_grid(g->outputs[d]) || !grid_fits(value_as_grid(v), b->q->side)) return false;
        g->output_hash[d] = value_hash(g->outputs[d]);
    }
    Value outputs[LINES_MOST_DEMOS]; // the target may become another
    memcpy(outputs, g->outputs, sizeof outputs);
    add_goal(b, outputs, "$", -1, false);
    if (!patches_begin(b)) return false;
    g->evidence = evidence_of(b->q);
    return true;
}
