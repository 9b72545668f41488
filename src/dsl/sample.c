// What the demos of a task have in common: S, a tuple of pairs (input, output).
//
// Workload: three or four pairs of grids, and a function that finds something in each grid, mostly its
// colours. Each lane asks again, so a program that asks for the samples pays for all of them on each.
#include "dsl/ops.h"
#include "grid/geometry.h"

// All that the function finds in the inputs (side 0) or the outputs (side 1), each once.
static Value found_in(Ctx *c, Value samples, Value function, int side) {
    Gather all = gather(c);
    Value sample;
    for (Iter it = iter(c, samples); iter_next(&it, &sample);) {
        Value of_side[2];
        if (!unpack_two(c, sample, &of_side[0], &of_side[1])) break;
        Value found = func_call1(c, function, of_side[side]);
        if (!c->failure) gather_all(&all, found);
    }
    Value together = gather_tuple(&all);
    return c->failure ? VALUE_FAILED : CALL(dedupe, together);
}

// What is found on one side and not on the other.
static Value only_in(Ctx *c, Value samples, Value function, int side) {
    Value here = found_in(c, samples, function, side), there = found_in(c, samples, function, !side);
    return c->failure ? VALUE_FAILED : CALL(difference, here, there);
}

OP_FN(c_iz) { return only_in(c, a[0], a[1], 0); }

OP_FN(c_zo) { return only_in(c, a[0], a[1], 1); }

OP_FN(c_iz_n) { return func_call1(c, a[2], only_in(c, a[0], a[1], 0)); }

OP_FN(c_zo_n) { return func_call1(c, a[2], only_in(c, a[0], a[1], 1)); }

// Whether this symmetry turns every input into its output. As soon as one does not, the others are not looked
// at.
static bool turns_all(Ctx *c, Value samples, int64_t symmetry) {
    Value sample, input, output;
    for (Iter it = iter(c, samples); iter_next(&it, &sample);) {
        if (!unpack_two(c, sample, &input, &output)) return false;
        Value turned = CALL(mir_rot_t, input, value_of_small(symmetry));
        if (c->failure || !py_equal(c, output, turned)) return false;
    }
    return !c->failure;
}

OP_FN(a_mr) {
    for (int64_t symmetry = 0; symmetry < SYMMETRIES && !c->failure; symmetry++)
        if (turns_all(c, a[0], symmetry)) return value_of_small(symmetry);
    return VALUE_NONE;
}

OP_FN(dedupe_pair_tuple) {
    Gather g = gather(c);
    Value sample, input, output;
    for (Iter it = iter(c, a[0]); iter_next(&it, &sample);)
        if (unpack_two(c, sample, &input, &output) && !py_equal(c, input, output))
            gather_add(&g, value_pair(c, input, output));
    return gather_tuple(&g);
}
