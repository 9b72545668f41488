// The coarse steps for keys; words/key.def says what they may be told.
#include "cutout/cutout_op.h"
#include "key/key.h"

static bool need_grid(Ctx *c, Value v, ts_grid *grid) {
    if (!value_is_grid(v)) {
        ctx_fail(c, TS_FAIL_TYPE);
        return false;
    }
    *grid = value_as_grid(v);
    if (!grid_fits(*grid, PIECE_MOST_SIDE)) ctx_fail(c, TS_FAIL_VALUE);
    return !c->failure && ctx_charge(c, 4 * (int64_t)grid->height * grid->width);
}

OP_FN(key_over) {
    ts_grid grid, key, mask, out = {0};
    int join, h, w;
    if (!need_grid(c, a[0], &grid) || !need_grid(c, a[1], &key) || !need_grid(c, a[2], &mask) ||
        !shape_code(c, SHAPE_KeyJoin, a[3], &join))
        return VALUE_FAILED;
    bool done = key_join_size(key, mask, join, &h, &w) && ctx_charge(c, 10 * (int64_t)h * w) &&
                key_over(&c->arena, key_ground(grid, mask), key, mask, join, &out);
    return cutout_grid_value(c, done, out);
}

// The pieces of a grid, with what it takes to look at them all.
static bool need_pieces(Ctx *c, ts_grid g, int source, Pieces *p) {
    if (!ctx_charge(c, 30 * (int64_t)g.height * g.width)) return false;
    if (!pieces_of(&c->arena, g, source, p)) ctx_fail(c, TS_FAIL_BUDGET);
    int64_t work = 0;
    for (int k = 0; !c->failure && k < p->count; k++)
        work += 20 + 12 * (int64_t)(p->at[k].height + 2) * (p->at[k].width + 2);
    return !c->failure && ctx_charge(c, work);
}

OP_FN(key_paint) {
    ts_grid grid, out = {0};
    int form[4], use[3];
    unsigned used;
    Pieces pieces, of;
    KeyTable table;
    if (!need_grid(c, a[0], &grid) || !shape_codes(c, SHAPE_KeyForm, a[1], form) ||
        !shape_codes(c, SHAPE_KeyUse, a[2], use) || !need_pieces(c, grid, form[0], &pieces))
        return VALUE_FAILED;
    bool done = key_read(&c->arena, grid, &pieces, &(KeyForm){form[0], form[1], form[2], form[3]}, &table) &&
                table.count && need_pieces(c, table.rest, use[1], &of) &&
                key_paint(&c->arena, grid, &table, &of, &(KeyUse){use[0], use[1], use[2]}, &used, &out);
    return cutout_grid_value(c, done, out);
}
