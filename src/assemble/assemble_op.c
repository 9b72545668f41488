// The primitives `assemble` and `fitted`: rules said in words become what assembly.h and fit.h have.
#include "assemble/assembly.h"
#include "assemble/fit.h"
#include "cutout/cutout_op.h"

enum { ASSEMBLING_CODES = 5, FITTING_CODES = 4 };

OP_FN(assemble) {
    Pieces p;
    Choice order;
    ts_grid out = {0};
    int view, codes[ASSEMBLING_CODES], pieces[PIECES_MOST];
    if (!shape_codes(c, SHAPE_Assembling, a[3], codes) ||
        !cutout_need_choice(c, a, SHAPE_PieceOrder, &p, &view, &order))
        return VALUE_FAILED;
    int n = pieces_ordered(&p, &order, pieces);
    ts_grid *all = ctx_alloc(c, (PIECES_MOST + 1) * sizeof *all);
    if (!all || !ctx_charge(c, 20 * (int64_t)p.count * p.count)) return VALUE_FAILED;
    for (int k = 0; k < n && n <= ASSEMBLY_MOST; k++)
        if (!piece_view(&c->arena, &p, pieces[k], view, &all[pieces[k]])) all[pieces[k]] = (ts_grid){0};
    Assembly how = {codes[0], codes[1], codes[2], codes[3], codes[4]};
    int64_t work = 0;
    bool done = assembly_made(&c->arena, &p, all, pieces, n, &how, NULL, &work, &out);
    ctx_charge(c, work);
    return cutout_grid_value(c, done, out);
}

OP_FN(fitted) {
    Pieces p;
    Choice choice;
    ts_grid view, out = {0};
    int look, ties, codes[FITTING_CODES];
    if (!shape_codes(c, SHAPE_Fitting, a[3], codes) ||
        !cutout_need_choice(c, a, SHAPE_Choice, &p, &look, &choice))
        return VALUE_FAILED;
    int k = piece_chosen(&p, &choice, &ties);
    if (k < 0) return ctx_fail(c, TS_FAIL_EMPTY);
    Fitting how = {codes[0], codes[1], codes[2], codes[3]};
    int64_t work = 0;
    bool done =
        piece_view(&c->arena, &p, k, look, &view) && fit_made(&c->arena, &p, k, view, &how, &work, &out);
    ctx_charge(c, work);
    return cutout_grid_value(c, done, out);
}
