// The coarse step that completes what a symmetry or a period says (repair/repair.h).
#include "repair/repair.h"

#include "dsl/ops.h"

OP_FN(repaired) {
    int mask, how;
    int64_t height, width;
    if (!value_is_grid(a[0])) return ctx_fail(c, TS_FAIL_TYPE);
    if (!shape_code(c, SHAPE_Mask, a[1], &mask) || !shape_code(c, SHAPE_Repair, a[2], &how) ||
        !unpack_ints(c, a[3], &height, &width))
        return VALUE_FAILED;
    ts_grid out, g = value_as_grid(a[0]);
    if (!grid_fits(g, REPAIR_MOST_SIDE) || height < 1 || height > REPAIR_MOST_SIDE || width < 1 ||
        width > REPAIR_MOST_SIDE)
        return ctx_fail(c, TS_FAIL_VALUE);
    int64_t units = c->units;
    bool done = repair_grid(&c->arena, g, mask, how, (int)height, (int)width, &units, &out);
    if (!ctx_charge(c, units)) return VALUE_FAILED;
    return done ? value_grid(c, out) : ctx_fail(c, TS_FAIL_VALUE);
}
