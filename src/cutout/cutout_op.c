// Coarse steps that cut pieces out of a grid, choose among them, lay them out and sum them up (cutout/crop.h,
// cutout/summary.h). What says which pieces are meant is in words (words/cutout.def).
#include "cutout/cutout_op.h"

#include "cutout/summary.h"

static bool need_grid(Ctx *c, Value v, ts_grid *grid) {
    if (!value_is_grid(v)) {
        ctx_fail(c, TS_FAIL_TYPE);
        return false;
    }
    *grid = value_as_grid(v);
    if (!grid_fits(*grid, GRID_TASK_SIDE)) ctx_fail(c, TS_FAIL_VALUE);
    return !c->failure;
}

// A table whose keys are what the parameter before yields. It may have a thousand entries: that of an overlay
// of three pieces by their colours.
static bool need_table(Ctx *c, Shape yields, Shape shape, Value v, KeyValue **table, int *n) {
    int codes[SHAPE_MOST_CODES];
    if (!shape_codes_after(c, yields, shape, v, codes)) return false;
    _Static_assert(sizeof(KeyValue) == 2 * sizeof(int), "an entry is two codes");
    *n = codes[0];
    *table = ctx_alloc(c, sizeof **table * (size_t)(*n + 1));
    if (*table) memcpy(*table, codes + 1, sizeof **table * (size_t)*n);
    return *table;
}

Value cutout_grid_value(Ctx *c, bool done, ts_grid grid) {
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

bool cutout_need_choice(Ctx *c, const Value *a, Shape shape, Pieces *p, int *view, Choice *choice) {
    enum { PROPERTY, KIND, AMONG, WHERE, EQUALS, CODES };
    int look[2], rule[CODES];
    if (!shape_codes(c, SHAPE_Look, a[1], look) || !shape_codes(c, shape, a[2], rule)) return false;
    *view = look[1];
    *choice = (Choice){.where = rule[AMONG] == Among_ALL_PIECES ? -1 : rule[WHERE],
                       .equals = rule[EQUALS],
                       .prop = rule[PROPERTY],
                       .kind = rule[KIND]};
    if (rule[AMONG] == Among_WITHOUT) choice->where += CHOICE_NOT;
    return need_pieces(c, a[0], look[0], p);
}

OP_FN(cutout) {
    Pieces p;
    Choice choice;
    ts_grid out = {0};
    int view, ties;
    if (!cutout_need_choice(c, a, SHAPE_Choice, &p, &view, &choice)) return VALUE_FAILED;
    int k = piece_chosen(&p, &choice, &ties);
    if (k < 0) return ctx_fail(c, TS_FAIL_EMPTY);
    return cutout_grid_value(c, piece_view(&c->arena, &p, k, view, &out), out);
}

OP_FN(cutouts) {
    Pieces p;
    Choice choice;
    ts_grid out = {0};
    int view, layout;
    if (!shape_code(c, SHAPE_PieceLayout, a[3], &layout)) return VALUE_FAILED;
    if (!cutout_need_choice(c, a, SHAPE_PieceOrder, &p, &view, &choice)) return VALUE_FAILED;
    bool done = ctx_charge(c, 1000 + 20 * (int64_t)p.count * p.count) &&
                pieces_arranged(&c->arena, &p, view, &choice, layout, &out);
    return cutout_grid_value(c, done, out);
}

// The pieces of `gist` and `overlaid`, what is asked of them, and the table that is keyed by it.
static bool need_keyed(Ctx *c, const Value *a, Shape asked, Shape table_shape, Pieces *p, int *what,
                       KeyValue **table, int *n) {
    int source;
    if (!shape_code(c, SHAPE_Source, a[1], &source) || !shape_code(c, asked, a[2], what)) return false;
    Shape yields = shape_yields(c, asked, a[2]);
    return need_table(c, yields, table_shape, a[3], table, n) && need_pieces(c, a[0], source, p);
}

OP_FN(gist) {
    Pieces p;
    KeyValue *table;
    ts_grid out = {0};
    int n, prop;
    if (!need_keyed(c, a, SHAPE_PieceProperty, SHAPE_GistTable, &p, &prop, &table, &n)) return VALUE_FAILED;
    bool done = ctx_charge(c, (int64_t)p.count * (n + 1)) && pieces_gist(&c->arena, &p, prop, table, n, &out);
    return cutout_grid_value(c, done, out);
}

OP_FN(overlaid) {
    Pieces p;
    KeyValue *table;
    ts_grid out = {0};
    int n, how;
    if (!need_keyed(c, a, SHAPE_Overlay, SHAPE_OverlayTable, &p, &how, &table, &n)) return VALUE_FAILED;
    if (!p.count) return ctx_fail(c, TS_FAIL_VALUE);
    bool done = ctx_charge(c, (int64_t)p.at[0].height * p.at[0].width * (p.count + n)) &&
                pieces_overlaid(&c->arena, &p, how, table, n, &out);
    return cutout_grid_value(c, done, out);
}

OP_FN(measure) {
    Pieces p;
    int value, source, prop, how;
    if (!shape_code(c, SHAPE_Source, a[1], &source) || !shape_code(c, SHAPE_PieceProperty, a[2], &prop))
        return VALUE_FAILED;
    Shape yields = shape_yields(c, SHAPE_PieceProperty, a[2]);
    if (!shape_codes_after(c, yields, SHAPE_Measure, a[3], &how) || !need_pieces(c, a[0], source, &p))
        return VALUE_FAILED;
    if (!ctx_charge(c, (int64_t)p.count * p.count) || !pieces_measure(&p, prop, how, &value))
        return ctx_fail(c, TS_FAIL_VALUE);
    return value_of_small(value);
}

// The motions as a grid of the codes of symmetries.
static bool need_motions(Ctx *c, Value v, ts_grid *motions) {
    int codes[SHAPE_MOST_CODES];
    if (!shape_codes(c, SHAPE_TileMotions, v, codes)) return false;
    int h = codes[0], w = codes[1], each = shape_width(SHAPE_TileRow);
    *motions = grid_blank(&c->arena, h, w, 0);
    for (int i = 0; motions->cells && i < h; i++) {
        const int *row = codes + 1 + i * each;
        if (row[0] != w) {
            if (ctx_charge(c, (int64_t)h * w)) ctx_fail(c, TS_FAIL_VALUE);
            return false;
        }
        for (int j = 0; j < w; j++) grid_edit(*motions)[i * w + j] = (signed char)row[1 + j];
    }
    if (!motions->cells) ctx_fail(c, TS_FAIL_BUDGET);
    return !c->failure;
}

OP_FN(tiled) {
    ts_grid grid, motions, out = {0};
    int64_t rows, columns;
    if (!need_grid(c, a[0], &grid) || !unpack_ints(c, a[1], &rows, &columns) ||
        !need_motions(c, a[2], &motions))
        return VALUE_FAILED;
    const int most = summary_side(grid);
    bool fits = rows > 0 && rows <= most / grid.height && columns > 0 && columns <= most / grid.width;
    // One for each symmetry, then the copies.
    bool done = fits && ctx_charge(c, (SYMMETRIES + rows * columns) * grid.height * grid.width) &&
                summary_tiled(&c->arena, grid, (int)rows, (int)columns, motions, &out);
    return cutout_grid_value(c, done, out);
}

OP_FN(kron) {
    ts_grid each, copy, out = {0};
    int how;
    if (!need_grid(c, a[0], &each) || !need_grid(c, a[1], &copy) ||
        !shape_code(c, SHAPE_CopyCells, a[2], &how))
        return VALUE_FAILED;
    const int64_t height = (int64_t)each.height * copy.height, width = (int64_t)each.width * copy.width;
    const int most = summary_side(each);
    bool done = height <= most && width <= most && ctx_charge(c, 2 * height * width) &&
                summary_kron(&c->arena, each, copy, how, &out);
    return cutout_grid_value(c, done, out);
}

OP_FN(lookup) {
    if (!value_is_tuple(a[1])) return ctx_fail(c, TS_FAIL_TYPE);
    Value e, key, value;
    for (Iter it = iter(c, a[1]); iter_next(&it, &e);)
        if (unpack_two(c, e, &key, &value) && py_equal(c, key, a[0])) return value;
    return a[2];
}
