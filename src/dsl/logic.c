// Conditions. Anything may stand where a condition is asked for: zero, None and what is empty are false.
#include "dsl/ops.h"

OP_FN(even) { return value_bool(need_int(c, a[0]) % 2 == 0); }

OP_FN(flip) {
    (void)c;
    return value_bool(!py_truth(a[0]));
}

OP_FN(equality) { return value_bool(py_equal(c, a[0], a[1])); }

OP_FN(contained) { return value_bool(value_contains(c, a[1], a[0])); }

OP_FN(greater) { return value_bool(value_less(c, a[1], a[0])); }

OP_FN(both) {
    (void)c;
    return py_truth(a[0]) ? a[1] : a[0];
}

OP_FN(either) {
    (void)c;
    return py_truth(a[0]) ? a[0] : a[1];
}

OP_FN(positive) { return value_bool(need_int(c, a[0]) > 0); }

OP_FN(branch) {
    (void)c;
    return py_truth(a[0]) ? a[1] : a[2];
}

// The one that is not chosen may be a failure: whoever runs lines lets that through (program.h).
OP_FN(choose) { return op_branch(c, a); }
