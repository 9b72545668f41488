// The engine `repair`: complete a symmetry or a period.
//
// A rule is a mask colour, a way (repair/repair.h), the size of the result, and a last step: nothing, what
// the mask hid alone, or other colours. There are a few hundred; each is tried on the demos, the first ones
// that it fails on end it. The answers are offered in the order of what the rules cost to say.
#include "repair/repair.h"

#include <string.h>

#include "base/hash.h"
#include "cutout/crop.h"
#include "search/quest.h"

typedef enum { SIZE_OF_INPUT, SIZE_TIMES, SIZE_CONSTANT } SizeKind;
typedef enum { LAST_NONE, LAST_HIDDEN, LAST_COLORS, LASTS } LastKind;

typedef struct {
    int mask, how;
    SizeKind size;
    int rows, columns; // factors, or the size itself
    LastKind last;
    int8_t colors[10]; // which becomes which
} Rule;

enum { MOST_OFFERS = 6, SCRATCH_BYTES = 16 << 20 };

typedef struct {
    Quest *q;
    Arena scratch;
    int offers;
    uint64_t offered[MOST_OFFERS];
} Repair;

// ---- Sizes ----

static bool size_is(const Rule *r, ts_grid in, int *h, int *w) {
    *h = r->size == SIZE_OF_INPUT ? in.height : r->size == SIZE_TIMES ? in.height * r->rows : r->rows;
    *w = r->size == SIZE_OF_INPUT ? in.width : r->size == SIZE_TIMES ? in.width * r->columns : r->columns;
    return *h <= REPAIR_MOST_SIDE && *w <= REPAIR_MOST_SIDE;
}

// The size that outputs have where they are larger than inputs: so many times the input's, or always the
// same.
static bool learn_size(const Quest *q, Rule *r) {
    ts_grid in = q->inputs[0], out = q->outputs[0];
    bool larger = true, same = true, times = true, constant = true;
    for (int d = 0; d < q->demos; d++) {
        ts_grid x = q->inputs[d], y = q->outputs[d];
        larger &= y.height >= x.height && y.width >= x.width;
        same &= y.height <= x.height && y.width <= x.width;
        times &= y.height * in.height == x.height * out.height && y.width * in.width == x.width * out.width;
        constant &= grid_same_size(y, out);
    }
    r->size = same ? SIZE_OF_INPUT : SIZE_CONSTANT;
    r->rows = out.height;
    r->columns = out.width;
    if (same || !larger) return same;
    if (times && out.height % in.height == 0 && out.width % in.width == 0) {
        r->size = SIZE_TIMES;
        r->rows = out.height / in.height;
        r->columns = out.width / in.width;
        return true;
    }
    return constant;
}

// ---- Rules ----

static bool hidden_part(Arena *a, ts_grid in, int mask, ts_grid whole, ts_grid *out) {
    Box box;
    return grid_box(in, mask, true, &box) && grid_cut(a, whole, box, out);
}

static bool apply(Repair *e, const Rule *r, ts_grid in, ts_grid *out) {
    int h, w;
    ts_grid whole;
    int64_t units = INT64_MAX; // they are paid for rule by rule
    if (!size_is(r, in, &h, &w) || !repair_grid(&e->scratch, in, r->mask, r->how, h, w, &units, &whole))
        return false;
    *out = whole;
    return r->last != LAST_HIDDEN || hidden_part(&e->scratch, in, r->mask, whole, out);
}

// Whether a rule is right on all demos; learns the colours of those that change them.
static bool fits(Repair *e, Rule *r) {
    bool changes = false;
    arena_reset(&e->scratch);
    memset(r->colors, COLOR_UNSEEN, sizeof r->colors);
    for (int d = 0; d < e->q->demos; d++) {
        ts_grid out;
        if (!apply(e, r, e->q->inputs[d], &out)) return false;
        if (r->last == LAST_COLORS ? !colors_learn(out, e->q->outputs[d], r->colors)
                                   : !ts_grid_equal(out, e->q->outputs[d]))
            return false;
    }
    for (int c = 0; c < 10; c++) changes |= r->colors[c] != COLOR_UNSEEN && r->colors[c] != c;
    return r->last != LAST_COLORS || changes;
}

static void print_rule(Text *t, const Rule *r) {
    if (r->size == SIZE_CONSTANT) text_print(t, "x0 = astuple(%d, %d)\n", r->rows, r->columns);
    else text_add(t, "x0 = shape(I)\n");
    if (r->size == SIZE_TIMES) text_print(t, "x00 = multiply(x0, (%d, %d))\n", r->rows, r->columns);
    text_print(t, "%s = repaired(I, %d, %d, %s)\n", r->last == LAST_NONE ? "O" : "x1", r->mask, r->how,
               r->size == SIZE_TIMES ? "x00" : "x0");
    if (r->last == LAST_HIDDEN) text_print(t, "x2 = ofcolor(I, %d)\nO = subgrid(x2, x1)\n", r->mask);
    if (r->last == LAST_COLORS) colors_print(t, r->colors);
}

// The class: the last step, and whether it is a period, a symmetry, or a vote.
static int class_of(const Rule *r) {
    int kind = r->how & REPAIR_VOTE ? 2 : r->how % REPAIR_OPTION >= Repair_MIRROR_UPSIDE_DOWN;
    if (r->how & REPAIR_PARTS) kind = 3;
    return (int)r->last * 8 + kind * 2 + (r->how & REPAIR_BOX ? 1 : 0);
}

static void offer(Repair *e, const Rule *r) {
    uint64_t answers = 1;
    for (int k = e->q->demos; k < e->q->samples; k++) {
        ts_grid out;
        if (!apply(e, r, e->q->inputs[k], &out)) return;
        answers = hash_mix(answers, grid_hash(out));
    }
    answers = hash_mix(answers, (uint64_t)r->last);
    for (int k = 0; k < e->offers; k++)
        if (e->offered[k] == answers) return;
    if (e->offers == MOST_OFFERS) return;
    e->offered[e->offers++] = answers;
    Text t = {0};
    print_rule(&t, r);
    if (!t.failed) quest_offer(e->q, ENGINE_repair, class_of(r), t.data);
    quest_free_text(e->q, &t);
}

// ---- All rules ----

// A bit for each mask that may be meant: a colour that all inputs have, bit 10 for none.
static unsigned masks_of(const Quest *q, unsigned *only_in_inputs) {
    unsigned all = 1023, outputs = 0;
    for (int k = 0; k < q->demos; k++) {
        all &= colors_in(q->inputs[k]);
        outputs |= colors_in(q->outputs[k]);
    }
    *only_in_inputs = all & ~outputs;
    return all | 1u << 10;
}

static bool may_be(const Rule *r, bool smaller) {
    int kind = r->how % REPAIR_OPTION;
    bool symmetry = kind >= Repair_MIRROR_UPSIDE_DOWN, none = r->mask == Mask_NO_MASK;
    if (smaller != (r->last == LAST_HIDDEN)) return false;
    if (r->how & REPAIR_VOTE)
        return none && kind <= Repair_PERIOD_DOWN && kind != Repair_SKEWED_PERIODS &&
               r->how == (kind | REPAIR_VOTE);
    if (r->how & REPAIR_PARTS) return symmetry && !none && r->how == (kind | REPAIR_PARTS) && !smaller;
    if (r->how & REPAIR_BOX) return !symmetry && !none;
    return !none || r->size != SIZE_OF_INPUT;
}

static bool try_mask(Repair *e, Rule r, int mask) {
    bool smaller = false;
    for (int d = 0; d < e->q->demos; d++)
        smaller |= e->q->outputs[d].height < e->q->inputs[d].height ||
                   e->q->outputs[d].width < e->q->inputs[d].width;
    r.mask = mask;
    for (int flags = 0; flags < REPAIR_HOWS; flags += 16)
        for (int kind = 0; kind < REPAIR_KINDS; kind++)
            for (int last = 0; last < LASTS; last++) {
                r.how = flags | kind;
                r.last = (LastKind)last;
                if (!may_be(&r, smaller)) continue;
                e->q->tried[ENGINE_repair]++;
                if (fits(e, &r)) offer(e, &r);
                if (!quest_spend(e->q, 300 * e->q->inputs[0].height * e->q->inputs[0].width)) return false;
            }
    return true;
}

bool engine_repair(Quest *q) {
    Repair e = {.q = q};
    Rule rule = {0};
    unsigned only_in_inputs, masks = masks_of(q, &only_in_inputs);
    if (!learn_size(q, &rule)) return true;
    quest_arena(q, &e.scratch, SCRATCH_BYTES);
    bool done = true;
    for (int pass = 0; pass < 2 && done; pass++)
        for (int mask = -1; mask < 10 && done; mask++) {
            unsigned bit = 1u << (mask < 0 ? 10 : mask);
            if (masks & bit && (pass == 0) == ((only_in_inputs & bit) != 0)) done = try_mask(&e, rule, mask);
        }
    quest_free_arena(q, &e.scratch);
    return done;
}
