// Coarse steps that cut pieces out of a grid, choose among them, lay them out and sum them up (cutout/crop.h,
// cutout/summary.h). All that says which pieces are meant are numbers, as the search learns them.
#include "dsl/ops.h"
#include "cutout/summary.h"

// The table of an overlay of three pieces by their colours has up to a thousand entries.
enum { TABLE_MOST = 1000 };

// Exactly n small integers of a tuple.
static bool need_ints(Ctx *c, Value v, int *out, int n) {
    if (!value_is_tuple(v) || value_length(c, v) != n) {
        ctx_fail(c, TS_FAIL_TYPE);
        return false;
    }
    Value e;
    for (Iter it = iter(c, v); iter_next(&it, &e);) {
        int64_t k = need_int(c, e);
        if (k < INT32_MIN / 2 || k > INT32_MAX / 2) ctx_fail(c, TS_FAIL_VALUE);
        *out++ = (int)k;
    }
    return !c->failure;
}

static int need_small(Ctx *c, Value v) {
    int64_t k = need_int(c, v);
    if (k < INT32_MIN / 2 || k > INT32_MAX / 2) ctx_fail(c, TS_FAIL_VALUE);
    return c->failure ? 0 : (int)k;
}

static bool need_grid(Ctx *c, Value v, ts_grid *grid) {
    if (!value_is_grid(v)) {
        ctx_fail(c, TS_FAIL_TYPE);
        return false;
    }
    *grid = value_as_grid(v);
    if (!grid_fits(*grid, SUMMARY_MOST_SIDE)) ctx_fail(c, TS_FAIL_VALUE);
    return !c->failure;
}

static bool need_table(Ctx *c, Value v, KeyValue **table, int *n) {
    int64_t length = value_is_tuple(v) ? value_length(c, v) : -1;
    if (length < 0 || length > TABLE_MOST) ctx_fail(c, TS_FAIL_TYPE);
    *n = (int)length;
    *table = c->failure ? NULL : ctx_alloc(c, sizeof **table * (size_t)(length + 1));
    if (!*table) return false;
    KeyValue *next = *table;
    Value e;
    for (Iter it = iter(c, v); iter_next(&it, &e); next++) {
        int entry[2];
        if (need_ints(c, e, entry, 2)) *next = (KeyValue){entry[0], entry[1]};
    }
    return !c->failure;
}

static Value grid_value(Ctx *c, bool done, ts_grid grid) {
    if (c->failure) return VALUE_FAILED;
    return done ? value_grid(c, grid) : ctx_fail(c, TS_FAIL_VALUE);
}

// The pieces of a grid with their properties.
static bool need_pieces(Ctx *c, Value grid, int source, Pieces *p) {
    ts_grid g;
    if (!need_grid(c, grid, &g) || !ctx_charge(c, 30 * (int64_t)g.height * g.width)) return false;
    bool done = pieces_of(&c->arena, g, source, p);
    int64_t work = done ? 20 * (int64_t)p->count * p->count : 0;
    for (int k = 0; done && k < p->count; k++) work += 60 * (int64_t)p->at[k].height * p->at[k].width;
    if (!ctx_charge(c, work)) return false;
    if (!done || !pieces_props(&c->arena, p)) ctx_fail(c, TS_FAIL_BUDGET);
    return !c->failure;
}

// The pieces, the view and the choice of `cutout` and `cutouts`.
static bool need_choice(Ctx *c, const Value *a, Pieces *p, int *view, Choice *choice) {
    int look[2], rule[4];
    if (!need_ints(c, a[1], look, 2) || !need_ints(c, a[2], rule, 4)) return false;
    if (!need_pieces(c, a[0], look[0], p)) return false;
    *view = look[1];
    *choice = (Choice){.where = rule[0], .equals = rule[1], .prop = rule[2], .kind = rule[3]};
    int where = choice->where < CHOICE_NOT ? choice->where : choice->where - CHOICE_NOT;
    if (where < CROPS && choice->prop >= 0 && choice->prop < CROPS) return true;
    ctx_fail(c, TS_FAIL_VALUE);
    return false;
}

OP_FN(cutout) {
    Pieces p;
    Choice choice;
    ts_grid out = {0};
    int view, ties;
    if (!need_choice(c, a, &p, &view, &choice)) return VALUE_FAILED;
    int k = piece_chosen(&p, &choice, &ties);
    if (k < 0) return ctx_fail(c, TS_FAIL_EMPTY);
    return grid_value(c, piece_view(&c->arena, &p, k, view, &out), out);
}

OP_FN(cutouts) {
    Pieces p;
    Choice choice;
    ts_grid out = {0};
    int view, layout = need_small(c, a[3]);
    if (!need_choice(c, a, &p, &view, &choice)) return VALUE_FAILED;
    if (layout < 0 || layout >= PIECE_LAYOUTS) return ctx_fail(c, TS_FAIL_VALUE);
    bool done = ctx_charge(c, 1000 + 20 * (int64_t)p.count * p.count) &&
                pieces_arranged(&c->arena, &p, view, &choice, layout, &out);
    return grid_value(c, done, out);
}

OP_FN(gist) {
    Pieces p;
    KeyValue *table;
    ts_grid out = {0};
    int n, source = need_small(c, a[1]), prop = need_small(c, a[2]);
    if (!need_pieces(c, a[0], source, &p) || !need_table(c, a[3], &table, &n)) return VALUE_FAILED;
    if (prop < 0 || prop >= CROPS) return ctx_fail(c, TS_FAIL_VALUE);
    bool done = ctx_charge(c, (int64_t)p.count * (n + 1)) && pieces_gist(&c->arena, &p, prop, table, n, &out);
    return grid_value(c, done, out);
}

OP_FN(overlaid) {
    Pieces p;
    KeyValue *table;
    ts_grid out = {0};
    int n, source = need_small(c, a[1]), how = need_small(c, a[2]);
    if (!need_pieces(c, a[0], source, &p) || !need_table(c, a[3], &table, &n)) return VALUE_FAILED;
    if (how < 0 || how >= OVERLAYS || !p.count) return ctx_fail(c, TS_FAIL_VALUE);
    bool done = ctx_charge(c, (int64_t)p.at[0].height * p.at[0].width * (p.count + n)) &&
                pieces_overlaid(&c->arena, &p, (Overlay)how, table, n, &out);
    return grid_value(c, done, out);
}

OP_FN(measure) {
    Pieces p;
    int value, source = need_small(c, a[1]), prop = need_small(c, a[2]), how = need_small(c, a[3]);
    if (!need_pieces(c, a[0], source, &p)) return VALUE_FAILED;
    if (prop < 0 || prop >= CROPS || !ctx_charge(c, (int64_t)p.count * p.count) ||
        !pieces_measure(&p, prop, how, &value))
        return ctx_fail(c, TS_FAIL_VALUE);
    return value_of_small(value);
}

OP_FN(tiled) {
    ts_grid grid, motions, out = {0};
    int shape[2];
    if (!need_grid(c, a[0], &grid) || !need_grid(c, a[2], &motions) || !need_ints(c, a[1], shape, 2))
        return VALUE_FAILED;
    bool done = ctx_charge(c, 8 * SUMMARY_MOST_SIDE * SUMMARY_MOST_SIDE) &&
                summary_tiled(&c->arena, grid, shape[0], shape[1], motions, &out);
    return grid_value(c, done, out);
}

OP_FN(kron) {
    ts_grid each, copy, out = {0};
    int how = need_small(c, a[2]);
    if (!need_grid(c, a[0], &each) || !need_grid(c, a[1], &copy) || c->failure) return VALUE_FAILED;
    bool done = ctx_charge(c, 2 * SUMMARY_MOST_SIDE * SUMMARY_MOST_SIDE) &&
                summary_kron(&c->arena, each, copy, how, &out);
    return grid_value(c, done, out);
}

OP_FN(lookup) {
    if (!value_is_tuple(a[1])) return ctx_fail(c, TS_FAIL_TYPE);
    Value e, key, value;
    for (Iter it = iter(c, a[1]); iter_next(&it, &e);)
        if (unpack_two(c, e, &key, &value) && py_equal(c, key, a[0])) return value;
    return a[2];
}
