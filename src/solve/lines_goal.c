// What is known of the answer, and how entries of the bank meet it.
//
// Grids. A goal is what the demos ask of a grid, as a hash, with the lines that make the outputs of it: the
// outputs themselves; turned, mirrored, scaled down; a half of them where the other half is its mirror image.
// A grid as large as the output may also miss it by colours alone, a larger one may hold it at a fixed place.
//
// Patches. A grid as large as the target (the outputs, or a tile of them that is as large as the inputs) is a
// base; the cells where it differs from the target are what is missing. A patch may be filled where the target
// is of one colour on all of it, an object may be painted where the target agrees with it. So a patch is
// checked once, for all bases, by masks with a bit for each cell of all demos. What covers all that is missing
// is an answer; what covers some of it is a piece, and after each cost pieces are laid together, at most three.
// Where a colour is only wrong on some cells of a patch, it may still do below another patch: under the ground
// of a base (underfill), or under a piece that has all that is missing in its own colour. Such a place is a
// layer.
//
// Conditions. A truth value that is true for some demos may choose between two answers.
#include "base/hash.h"
#include "solve/lines.h"

enum {
    GOALS_MOST = 96,
    GOAL_DEPTH = 3,
    BASES_MOST = 16,
    PIECE_BASES = 4,   // bases that pieces are kept for
    PIECES_MOST = 256, // of a base
    LAYERS_MOST = 12,
    UNDERFILL_BASES = 4,
    CROPS_MOST = 12, // grids that are searched for the output
    MASK_WORDS = LINES_MOST_DEMOS * 15,
    MASKS = 1 << LINES_MOST_DEMOS, // subsets of the demos
    OFFERS_MOST = 40,
    KEPT_MOST = 8, // candidates
    PATIENCE = 2,  // costs beyond the first answer
    PARTIAL_MOST = 2,
};

typedef enum {
    FAMILY_GRID,
    FAMILY_RECOLOR,
    FAMILY_FILL,
    FAMILY_PAIR, // of pieces, each of which is of use on several demos
    FAMILY_WEAK_PAIR,
    FAMILY_THREE,
    FAMILY_WEAK_THREE,
    FAMILY_BRANCH,
} Family;

typedef struct {
    uint64_t hash;
    const char *around; // the lines, with $ for the grid
    int parent, depth;  // what they make; -1 for the outputs
    int height, width;  // on the first demo
    bool turned;        // by these lines
} GridGoal;

typedef struct {
    const char *text; // the lines, with $ for the grid
    int cost;
    uint64_t *covers;
} Piece;

typedef struct {
    const char *text;
    int cost;
    uint64_t missing[MASK_WORDS];
    Piece *pieces;
    int piece_count;
    bool news; // pieces since they were last put together
} Base;

typedef struct {
    int base;
    const char *above; // the lines that come after, with $ for the grid; NULL: this is for underfill
    int cost;
    const uint64_t *covered; // by those lines, of what is missing
    uint64_t within[MASK_WORDS]; // where a patch shows
    bool is_new;
} Layer;

struct Goals {
    Value outputs[LINES_MOST_DEMOS]; // the target
    int target;                      // the goal that this is
    GridGoal grids[GOALS_MOST];
    int grid_count, crops;
    int start[LINES_MOST_DEMOS + 1]; // words of the mask
    uint64_t of_color[10][MASK_WORDS];
    Base bases[BASES_MOST];
    Layer layers[LAYERS_MOST];
    int base_count, layer_count;
    uint64_t output_hash[LINES_MOST_DEMOS];
    const char *right[MASKS]; // the first grid that is right on these demos alone
    int right_cost[MASKS];
    const char *truth[MASKS]; // the first condition that holds on these demos
    int truth_cost[MASKS];
    bool new_choice;                    // among these since they were last put together
    uint32_t size[2], shape;            // entries that give height, width or both of the output; 0 for none yet
    int offers, kept, best;             // best: the cost of the first answer
};

// ---- Offering ----

// Offers what makes the outputs. Returns the number of demos that it is right on.
static int offer(Lines *b, Family family, int cost, const char *expression) {
    Goals *g = b->goals;
    if (g->offers >= OFFERS_MOST || g->kept >= KEPT_MOST) return 0;
    Text t = {0};
    text_print(&t, "O = %s\n", expression);
    size_t before = b->q->count;
    int least = family >= FAMILY_PAIR && family <= FAMILY_WEAK_THREE ? 10 : 5;
    int bucket = cost <= least ? 0 : cost <= least + 2 ? 1 : cost <= least + 5 ? 2 : 3;
    g->offers++;
    int right = t.failed ? -1 : quest_offer(b->q, ENGINE_lines, (int)family * 4 + bucket, t.data);
    if (right == b->q->demos) {
        g->kept += b->q->count > before;
        if (cost < g->best) g->best = cost;
    }
    text_free(&t);
    return right;
}

bool goals_done(const Lines *b, int cost) {
    const Goals *g = b->goals;
    return g->offers >= OFFERS_MOST || g->kept >= KEPT_MOST || cost >= g->best + PATIENCE;
}

static const char *kept_text(Lines *b, Text *t) {
    const char *kept = t->failed ? NULL : arena_text(&b->q->arena, t->data, t->length);
    text_free(t);
    return kept;
}

static const char *entry_text(Lines *b, uint32_t entry) {
    Text t = {0};
    lines_print(&t, b, entry);
    return kept_text(b, &t);
}

// Writes lines with the inner expression in the place of each $.
static void put_around(Text *t, const char *around, const char *inner) {
    for (; *around; around++)
        if (*around == '$') text_add(t, inner);
        else text_char(t, *around);
}

// The same, where the text is that of the inner expression or of the lines.
static void wrap(Text *t, const char *around) {
    Text inner = *t;
    *t = (Text){0};
    if (!inner.failed) put_around(t, around, inner.data);
    t->failed |= inner.failed;
    text_free(&inner);
}
static void wrap_over(Text *t, const char *inner) {
    Text around = *t;
    *t = (Text){0};
    if (!around.failed) put_around(t, around.data, inner);
    t->failed |= around.failed;
    text_free(&around);
}

// Offers an expression that meets a goal.
static void offer_goal(Lines *b, int goal, Family family, int cost, const char *inner) {
    Text t = {0};
    text_add(&t, inner);
    for (; goal > 0; goal = b->goals->grids[goal].parent, cost++) wrap(&t, b->goals->grids[goal].around);
    if (!t.failed) offer(b, family, cost, t.data);
    text_free(&t);
}

// ---- The goals for grids ----

static ts_grid grid_of(Value v) {
    const Obj *o = value_obj(v);
    return (ts_grid){(int)o->n, (int)o->width, (signed char *)(uintptr_t)obj_cells(o)};
}

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
        results[d] = value_move(&b->q->arena, &c->arena, v, &bytes);
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
        ts_grid g = grid_of(values[d]);
        int side = across ? g.width : g.height, each = side / parts;
        size_t bytes = 0;
        if (side % parts || side < parts) return false;
        ctx_begin(c, 1000000);
        Value start = value_of_loc(across ? loc_word(0, part * each) : loc_word(part * each, 0));
        Value size = value_of_loc(across ? loc_word(g.height, each) : loc_word(each, g.width));
        Value v = CALL(crop, values[d], start, size);
        if (c->failure || !value_is_grid(v)) return false;
        results[d] = value_move(&b->q->arena, &c->arena, v, &bytes);
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
        const char *by = cut_demos(b, values, across, part, parts, other) ? motion_between(b, first, other) : NULL;
        if (!by) {
            text_free(&t);
            return;
        }
        Text u = {0};
        text_print(&u, *by ? "%s(%s, %s($))" : "%s(%s, %s$)", across ? "hconcat" : "vconcat", t.data, by);
        text_free(&t);
        t = u;
    }
    const char *around = kept_text(b, &t);
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
        const char *around = kept_text(b, &t);
        if (around) add_goal(b, results, around, goal, false);
    }
    bool turned = b->goals->grids[goal].turned;
    for (int k = 0; k < RIGID && !turned; k++) {
        Text t = {0};
        text_print(&t, "%s($)", ops_table[rigid[k].op].name);
        const char *around = kept_text(b, &t);
        if (around && turn_demos(b, rigid[k].inverse, values, results)) add_goal(b, results, around, goal, true);
    }
}

static void add_goal(Lines *b, const Value *values, const char *around, int parent, bool turned) {
    Goals *g = b->goals;
    int depth = parent < 0 ? 0 : g->grids[parent].depth + 1, id = g->grid_count;
    uint64_t hash = hash_demos(b, values);
    for (int k = 0; k < id; k++)
        if (g->grids[k].hash == hash) return;
    if (id == GOALS_MOST || depth > GOAL_DEPTH) return;
    ts_grid first = grid_of(values[0]);
    g->grids[id] = (GridGoal){hash, around, parent, depth, first.height, first.width, turned};
    g->grid_count++;
    bool as_input = b->resize && !g->target;
    for (int d = 0; d < b->demos; d++) {
        ts_grid in = b->q->inputs[d], out = grid_of(values[d]);
        as_input &= in.height == out.height && in.width == out.width;
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
            Text u = {0};
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
        if (!line.failed) offer_goal(b, b->goals->target, FAMILY_RECOLOR, cost + from_cost + into_cost, line.data);
        text_free(&line);
    }
    text_free(&t);
    text_free(&u);
}

// A grid that becomes the target when its colours are changed.
static void meet_recolored(Lines *b, const char *text, int cost, const Value *values) {
    int8_t each[LINES_MOST_DEMOS][10], to[10];
    bool alike = true;
    int changes = 0;
    memset(to, -1, sizeof to);
    for (int d = 0; d < b->demos; d++) {
        if (!colors_of_demo(grid_of(values[d]), grid_of(b->goals->outputs[d]), each[d])) return;
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
    if (recolor_text(&t, text, to)) offer_goal(b, b->goals->target, FAMILY_RECOLOR, cost + changes + 1, t.data);
    text_free(&t);
}

static bool holds_at(ts_grid in, ts_grid out, int i, int j) {
    if (i + out.height > in.height || j + out.width > in.width) return false;
    for (int row = 0; row < out.height; row++)
        if (memcmp(in.cells + (i + row) * in.width + j, out.cells + row * out.width, (size_t)out.width)) return false;
    return true;
}

// A grid that holds outputs of one size, all at the same place.
static void meet_crop(Lines *b, const char *text, int cost, const Value *values) {
    ts_grid size = b->q->outputs[0], first = grid_of(values[0]);
    for (int d = 1; d < b->demos; d++)
        if (b->q->outputs[d].height != size.height || b->q->outputs[d].width != size.width) return;
    for (int i = 0; i + size.height <= first.height; i++)
        for (int j = 0; j + size.width <= first.width; j++) {
            bool good = true;
            for (int d = 0; d < b->demos && good; d++) good = holds_at(grid_of(values[d]), b->q->outputs[d], i, j);
            if (!good) continue;
            Text t = {0};
            text_print(&t, "crop(%s, (%d, %d), (%d, %d))", text, i, j, size.height, size.width);
            if (!t.failed) offer(b, FAMILY_GRID, cost + 5, t.data);
            text_free(&t);
            return;
        }
}

static void set_bit(uint64_t *mask, int start, int cell) {
    mask[start + cell / 64] |= (uint64_t)1 << (cell % 64);
}

static int ground_color(ts_grid g) {
    int counts[10] = {0}, best = 0;
    for (int k = 0; k < g.height * g.width; k++)
        if (g.cells[k] >= 0 && g.cells[k] <= 9) counts[g.cells[k]]++;
    for (int c = 1; c < 10; c++)
        if (counts[c] > counts[best]) best = c;
    return best;
}

static void add_base(Lines *b, const char *text, int cost, const Value *values) {
    Goals *g = b->goals;
    if (g->base_count == BASES_MOST) return;
    Base *base = &g->bases[g->base_count];
    *base = (Base){.text = text, .cost = cost};
    Layer *layer = g->base_count < UNDERFILL_BASES ? &g->layers[g->layer_count++] : NULL;
    if (layer) *layer = (Layer){.base = g->base_count};
    for (int d = 0; d < b->demos; d++) {
        ts_grid in = grid_of(values[d]), out = grid_of(g->outputs[d]);
        int ground = ground_color(in);
        for (int k = 0; k < in.height * in.width; k++) {
            if (in.cells[k] != out.cells[k]) set_bit(base->missing, g->start[d], k);
            if (layer && in.cells[k] == ground) set_bit(layer->within, g->start[d], k);
        }
    }
    if (g->base_count < PIECE_BASES) base->pieces = arena_alloc(&b->q->arena, PIECES_MOST * sizeof *base->pieces);
    g->base_count++;
}

// Remembers the first grid that is right on some demos.
static void meet_some(Lines *b, const char **text, uint32_t entry, const Value *values) {
    Goals *g = b->goals;
    unsigned right = 0;
    for (int d = 0; d < b->demos; d++) right |= (unsigned)(value_hash(values[d]) == g->output_hash[d]) << d;
    if (!right || g->right[right] || (!*text && !(*text = entry_text(b, entry)))) return;
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
        if (g->grids[k].hash == hash && (text || (text = entry_text(b, entry))))
            offer_goal(b, k, FAMILY_GRID, cost, text);
    meet_some(b, &text, entry, values);
    bool larger = b->shrink && g->crops < CROPS_MOST, same = hash != g->grids[g->target].hash;
    for (int d = 0; d < b->demos; d++) {
        ts_grid in = grid_of(values[d]), out = grid_of(g->outputs[d]), all = b->q->outputs[d];
        same &= in.height == out.height && in.width == out.width;
        larger &= in.height >= all.height && in.width >= all.width && in.height + in.width > all.height + all.width;
    }
    if ((!same && !larger) || (!text && !(text = entry_text(b, entry)))) return;
    if (larger) {
        g->crops++;
        meet_crop(b, text, cost, values);
    }
    if (same) {
        meet_recolored(b, text, cost, values);
        add_base(b, text, cost, values);
    }
}

// ---- Patches ----

typedef struct {
    bool fills, paints, is_object;
    unsigned layers; // in which it fills: a bit for each
    int8_t color[LINES_MOST_DEMOS], layer_color[LAYERS_MOST][LINES_MOST_DEMOS];
    uint64_t mask[MASK_WORDS];
} Match;

// The colour of the target on all of a part of the mask: -1 for an empty one, -2 for several.
static int color_of(const Goals *g, const uint64_t *mask, const uint64_t *within, int from, int to) {
    for (int k = from; k < to; k++) {
        uint64_t bits = within ? mask[k] & within[k] : mask[k];
        if (!bits) continue;
        int c = 0;
        while (c < 10 && !(g->of_color[c][k] & bits)) c++;
        if (c == 10) return -2;
        for (int w = k; w < to; w++)
            if ((within ? mask[w] & within[w] : mask[w]) & ~g->of_color[c][w]) return -2;
        return c;
    }
    return -1;
}

// Cells of a demo that a patch covers; false where it is no patch.
static bool mask_patch(const Goals *g, int d, Value v, Match *m) {
    ts_grid out = grid_of(g->outputs[d]);
    bool words = value_is(v, KIND_CELLS) || value_is(v, KIND_LOCS);
    if (!words && !value_is(v, KIND_TUPLE) && !value_same(v, VALUE_NO_SET)) return false;
    const Obj *o = value_obj(v);
    m->is_object |= value_is(v, KIND_CELLS) || value_is(v, KIND_TUPLE);
    for (uint32_t k = 0; k < o->n; k++) {
        if (!words && !value_is_cell(obj_items(o)[k])) return false;
        uint32_t word = words ? obj_words(o)[k] : value_word(obj_items(o)[k]);
        int i = word_i(word), j = word_j(word);
        if (i < 0 || j < 0 || i >= out.height || j >= out.width) continue;
        int cell = i * out.width + j;
        set_bit(m->mask, g->start[d], cell);
        if (m->paints && m->is_object && out.cells[cell] != word_v(word)) m->paints = false;
    }
    return true;
}

// Whether a patch may be filled or painted on this demo; narrows what it may be on all of them.
static bool match_demo(const Goals *g, int d, Value v, Match *m) {
    int from = g->start[d], to = g->start[d + 1];
    memset(m->mask + from, 0, (size_t)(to - from) * sizeof *m->mask);
    if (!mask_patch(g, d, v, m)) return false;
    int color = color_of(g, m->mask, NULL, from, to);
    m->color[d] = (int8_t)color;
    if (color == -2) m->fills = false;
    for (unsigned left = m->layers; left; left &= left - 1) {
        int k = __builtin_ctz(left), under = color_of(g, m->mask, g->layers[k].within, from, to);
        m->layer_color[k][d] = (int8_t)under;
        if (under == -2) m->layers &= ~(1u << k);
    }
    return m->fills || m->layers || (m->paints && m->is_object);
}

static bool same_words(const uint64_t *x, const uint64_t *y, int n) {
    return !memcmp(x, y, (size_t)n * sizeof *x);
}

// A piece that has all that is missing of a base in its colour opens a layer below it.
static void add_layer(Lines *b, int base, const Piece *piece, const int8_t *colors, const uint64_t *mask) {
    Goals *g = b->goals;
    if (g->layer_count == LAYERS_MOST || !colors) return;
    for (int d = 0; d < b->demos; d++)
        for (int w = g->start[d]; w < g->start[d + 1]; w++) {
            uint64_t own = colors[d] < 0 ? 0 : g->of_color[colors[d]][w];
            if (piece->covers[w] != (g->bases[base].missing[w] & own)) return;
        }
    Layer *layer = &g->layers[g->layer_count++];
    *layer = (Layer){.base = base, .above = piece->text, .cost = piece->cost, .covered = piece->covers, .is_new = true};
    for (int w = 0; w < g->start[b->demos]; w++) layer->within[w] = ~mask[w];
}

// A line that adds a patch to a base: offered where it covers all that is missing, kept where it covers some.
// Without colours it paints. `mask` is where it may be seen, and NULL for what opens no layer.
static void meet_base(Lines *b, int base_id, uint32_t entry, const Layer *layer, const int8_t *colors,
                      const uint64_t *covers, const uint64_t *mask) {
    Goals *g = b->goals;
    Base *base = &g->bases[base_id];
    int words = g->start[b->demos];
    uint64_t any = 0;
    for (int k = 0; k < words; k++) any |= covers[k];
    bool all = same_words(covers, base->missing, words);
    if (!any || (!all && (!base->pieces || base->piece_count == PIECES_MOST))) return;
    for (int p = 0; p < base->piece_count && !all; p++)
        if (same_words(base->pieces[p].covers, covers, words)) return;
    Text color = {0}, t = {0};
    int cost = colors ? lines_print_color(&color, b, colors) : 0;
    const char *patch = cost >= 0 && !color.failed ? entry_text(b, entry) : NULL;
    if (patch) {
        cost += b->entries[entry].cost + 1;
        if (colors) text_print(&t, "%s($, %s, %s)", layer && !layer->above ? "underfill" : "fill", color.data, patch);
        else text_print(&t, "paint($, %s)", patch);
        if (layer && layer->above) wrap(&t, layer->above);
        if (layer) cost += layer->cost;
        if (all) wrap_over(&t, base->text);
    }
    text_free(&color);
    if (!patch || t.failed) {
        text_free(&t);
    } else if (all) {
        offer_goal(b, g->target, layer && layer->above ? FAMILY_PAIR : FAMILY_FILL, cost + base->cost, t.data);
        text_free(&t);
    } else {
        Piece piece = {.text = kept_text(b, &t), .cost = cost};
        piece.covers = arena_alloc(&b->q->arena, (size_t)words * sizeof *covers);
        if (!piece.text || !piece.covers) return;
        memcpy(piece.covers, covers, (size_t)words * sizeof *covers);
        base->pieces[base->piece_count++] = piece;
        base->news = true;
        if (mask) add_layer(b, base_id, &piece, colors, mask);
    }
}

// Holds a patch against some layers, and against all bases.
static void meet_patch(Lines *b, uint32_t entry, const Value *values, unsigned layers, bool bases) {
    Goals *g = b->goals;
    Match m = {.fills = bases, .paints = bases, .layers = layers};
    uint64_t covers[MASK_WORDS];
    int words = g->start[b->demos], base_count = bases ? g->base_count : 0;
    for (int d = 0; d < b->demos; d++)
        if (!match_demo(g, d, values[d], &m)) return;
    for (int k = 0; k < base_count; k++) {
        for (int w = 0; w < words; w++) covers[w] = m.mask[w] & g->bases[k].missing[w];
        if (m.paints && m.is_object) meet_base(b, k, entry, NULL, NULL, covers, m.mask);
        if (m.fills) meet_base(b, k, entry, NULL, m.color, covers, m.mask);
    }
    for (; m.layers && !m.fills; m.layers &= m.layers - 1) {
        int k = __builtin_ctz(m.layers);
        const Layer *layer = &g->layers[k];
        for (int w = 0; w < words; w++) {
            covers[w] = m.mask[w] & layer->within[w] & g->bases[layer->base].missing[w];
            if (layer->above) covers[w] |= layer->covered[w];
        }
        if (!layer->above || !same_words(covers, layer->covered, words))
            meet_base(b, layer->base, entry, layer, m.layer_color[k], covers, NULL);
    }
    b->q->tried[ENGINE_lines] += (uint64_t)base_count;
}

static unsigned all_layers(const Goals *g) { return (1u << g->layer_count) - 1; }

// ---- Pieces laid together ----

typedef struct {
    Lines *b;
    const Base *base;
    int words, used[4], found;
} Cover;

static bool is_of_use_twice(const Lines *b, const Piece *p) {
    int demos = 0;
    for (int d = 0; d < b->demos; d++) {
        uint64_t any = 0;
        for (int w = b->goals->start[d]; w < b->goals->start[d + 1]; w++) any |= p->covers[w];
        demos += any != 0;
    }
    return demos > 1;
}

static void offer_cover(Cover *c, int n) {
    Text t = {0};
    int cost = c->base->cost;
    bool weak = false;
    text_add(&t, c->base->text);
    for (int k = 0; k < n && !t.failed; k++) {
        const Piece *p = &c->base->pieces[c->used[k]];
        wrap(&t, p->text);
        cost += p->cost;
        weak |= !is_of_use_twice(c->b, p);
    }
    Family family = n == 2 ? (weak ? FAMILY_WEAK_PAIR : FAMILY_PAIR) : weak ? FAMILY_WEAK_THREE : FAMILY_THREE;
    if (!t.failed) offer_goal(c->b, c->b->goals->target, family, cost, t.data);
    text_free(&t);
    c->found++;
}

static void cover(Cover *c, const uint64_t *missing, int n, int most) {
    int word = 0;
    while (word < c->words && !missing[word]) word++;
    if (word == c->words) {
        offer_cover(c, n);
        return;
    }
    if (n == most) return;
    uint64_t bit = missing[word] & -missing[word], left[MASK_WORDS];
    for (int p = 0; p < c->base->piece_count && c->found < 3; p++) {
        const Piece *piece = &c->base->pieces[p];
        if (!(piece->covers[word] & bit)) continue;
        for (int w = 0; w < c->words; w++) left[w] = missing[w] & ~piece->covers[w];
        c->used[n] = p;
        if (!quest_spend(c->b->q, c->words)) return;
        cover(c, left, n + 1, most);
    }
}

// Patches that were there before a layer was.
static void meet_layers(Lines *b) {
    Goals *g = b->goals;
    unsigned layers = 0;
    for (int k = 0; k < g->layer_count; k++) {
        if (g->layers[k].is_new) layers |= 1u << k;
        g->layers[k].is_new = false;
    }
    for (uint32_t e = OPS; e < b->count && layers; e++) {
        if (b->entries[e].sort != SORT_OBJECT && b->entries[e].sort != SORT_INDICES) continue;
        meet_patch(b, e, lines_values(b, e), layers, false);
        if (!quest_spend(b->q, 100)) return;
    }
}

// ---- Sizes and conditions ----

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
    for (uint32_t e = OPS; e < b->given; e++) {
        Value v = lines_values(b, e)[0];
        if (b->entries[e].sort != SORT_COLOR || value_small(v) != ground_color(b->q->outputs[0])) continue;
        lines_try(b, OP_canvas, SORT_GRID, cost, (uint32_t[]){e, shape});
    }
}

static void meet_truth(Lines *b, uint32_t entry, const Value *values) {
    Goals *g = b->goals;
    unsigned holds = 0;
    for (int d = 0; d < b->demos; d++) holds |= (unsigned)(value_small(values[d]) != 0) << d;
    if (g->truth[holds] || !(g->truth[holds] = entry_text(b, entry))) return;
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
    if (yes < 0 || no < 0) return;
    Text t = {0};
    text_print(&t, "branch(%s, %s, %s)", g->truth[holds], g->right[yes], g->right[no]);
    if (!t.failed)
        offer(b, FAMILY_BRANCH, g->truth_cost[holds] + g->right_cost[yes] + g->right_cost[no] + 2, t.data);
    text_free(&t);
}

// ---- All goals ----

void goals_compose(Lines *b, int cost) {
    Goals *g = b->goals;
    meet_layers(b);
    for (int k = 0; k < g->base_count && k < PIECE_BASES; k++) {
        Base *base = &g->bases[k];
        if (!base->news) continue;
        base->news = false;
        Cover c = {.b = b, .base = base, .words = g->start[b->demos]};
        for (int most = 2; most <= 3 && !c.found; most++) cover(&c, base->missing, 0, most);
    }
    for (unsigned holds = 1; holds + 1 < 1u << b->demos && g->new_choice && b->demos > 2; holds++)
        if (g->truth[holds] && g->best > LINES_MOST_COST) offer_branch(b, holds);
    g->new_choice = false;
    use_size(b, cost);
}

void goals_settle(Lines *b) {
    Goals *g = b->goals;
    if (g->best <= LINES_MOST_COST) return;
    for (int n = b->demos - 1, offered = 0; n > 0; n--)
        for (int mask = 1; mask < MASKS; mask++) {
            if (__builtin_popcount((unsigned)mask) != n || !g->right[mask] || offered == PARTIAL_MOST) continue;
            offer(b, FAMILY_GRID, g->right_cost[mask], g->right[mask]);
            offered++;
        }
}

void goals_meet(Lines *b, uint32_t entry, const Value *values) {
    Sort sort = (Sort)b->entries[entry].sort;
    if (sort == SORT_GRID) meet_grid(b, entry, values);
    if (sort == SORT_OBJECT || sort == SORT_INDICES)
        meet_patch(b, entry, values, all_layers(b->goals), b->goals->base_count > 0);
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
    if ((sort != SORT_OBJECT && sort != SORT_INDICES) || !g->base_count) return false;
    Match m = {.fills = true, .paints = true, .layers = all_layers(g)};
    return match_demo(g, 0, first, &m);
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
        g->outputs[d] = value_move(&b->q->arena, &b->scratch.arena, v, &bytes);
        if (!value_is_grid(g->outputs[d]) || value_obj(v)->n > 30 || value_obj(v)->width > 30) return false;
        g->output_hash[d] = value_hash(g->outputs[d]);
    }
    Value outputs[LINES_MOST_DEMOS]; // the target may become another
    memcpy(outputs, g->outputs, sizeof outputs);
    add_goal(b, outputs, "$", -1, false);
    for (int d = 0; d < b->demos; d++) {
        ts_grid out = grid_of(g->outputs[d]);
        g->start[d + 1] = g->start[d] + (out.height * out.width + 63) / 64;
        for (int k = 0; k < out.height * out.width; k++)
            if (out.cells[k] >= 0 && out.cells[k] <= 9) set_bit(g->of_color[out.cells[k]], g->start[d], k);
    }
    return true;
}
