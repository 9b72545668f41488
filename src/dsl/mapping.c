// A function over the elements of a container.
//
// Workload: 1 to 900 elements (the objects of a grid, the cells of an object, the rows of a grid) and a
// function of one to five parts. The function goes over all elements as columns (column.c). What is done
// around that is kept small: a filtered set stays sorted and is not sorted again; mapply lays the results end
// to end without the set between.
#include "dsl/column.h"
#include "dsl/patch.h"

// ---- Keys ----

// The elements and what each is compared by. As in Python, None for the function means the element itself.
typedef struct {
    const Value *items, *keys;
    size_t n;
} Keyed;

static bool with_keys(Ctx *c, Value container, Value f, Keyed *k) {
    k->keys = k->items = column_of(c, container, &k->n);
    if (!k->items) return false;
    if (value_tag(f) == TAG_NONE) return true;
    Value *keys = ctx_alloc(c, (k->n + 1) * sizeof *keys);
    k->keys = keys;
    return keys && column_call1(c, f, k->items, k->n, keys);
}

OP_FN(order) {
    Keyed k;
    if (!with_keys(c, a[0], a[1], &k)) return VALUE_FAILED;
    uint32_t *places = column_order(c, k.keys, k.n, false);
    Value *ordered = places ? ctx_alloc(c, (k.n + 1) * sizeof *ordered) : NULL;
    if (!ordered) return VALUE_FAILED;
    for (size_t o = 0; o < k.n; o++) ordered[o] = k.items[places[o]];
    return value_tuple(c, ordered, k.n);
}

// The place of the first greatest or least key of n > 0.
static size_t best_place(Ctx *c, const Value *keys, size_t n, bool greatest) {
    size_t best = 0;
    for (size_t k = 1; k < n && !c->failure; k++) {
        const Value low = keys[greatest ? best : k], high = keys[greatest ? k : best];
        const bool small = value_is_small(low) && value_is_small(high) && ctx_charge(c, 1);
        if (small ? value_small(low) < value_small(high) : value_less(c, low, high)) best = k;
    }
    return best;
}

// Of an empty container the key of zero.
static Value best_key(Ctx *c, const Value *a, bool greatest) {
    Keyed k;
    if (value_tag(a[1]) == TAG_NONE) return ctx_fail(c, TS_FAIL_TYPE); // the key itself is asked for
    if (!with_keys(c, a[0], a[1], &k)) return VALUE_FAILED;
    return k.n ? k.keys[best_place(c, k.keys, k.n, greatest)] : func_call1(c, a[1], value_of_small(0));
}

static Value best_item(Ctx *c, const Value *a, bool greatest) {
    Keyed k;
    if (!with_keys(c, a[0], a[1], &k)) return VALUE_FAILED;
    return k.n ? k.items[best_place(c, k.keys, k.n, greatest)] : ctx_fail(c, TS_FAIL_EMPTY);
}

OP_FN(valmax) { return best_key(c, a, true); }

OP_FN(valmin) { return best_key(c, a, false); }

OP_FN(argmax) { return best_item(c, a, true); }

OP_FN(argmin) { return best_item(c, a, false); }

// ---- Keys by their rank ----

// Where the rank is in the order of the keys; k->n where it is out of range. The first and the last of
// integers, which are asked for most, are found without sorting.
static size_t place_of_rank(Ctx *c, const Keyed *k, Value at, bool descending) {
    int64_t rank = need_int(c, at), n = (int64_t)k->n;
    bool small = !c->plain;
    for (size_t o = 0; o < k->n && small; o++) small = value_is_small(k->keys[o]);
    if (rank < 0) rank += n;
    const bool in_range = !c->failure && rank >= 0 && rank < n;
    if (!small || (rank > 0 && rank < n - 1)) {
        const Value *keys = c->failure ? NULL : patch_cells_by_rows(c, k->keys, k->n);
        uint32_t *places = keys ? column_order(c, keys, k->n, descending) : NULL;
        return places && in_range ? places[rank] : k->n;
    }
    if (!in_range || !ctx_charge(c, n)) return k->n;
    size_t best = 0; // of equal keys the first one is first, the last one last
    for (size_t o = 1; o < k->n; o++) {
        int64_t key = value_small(k->keys[o]), most = value_small(k->keys[best]);
        if (rank == 0 ? (descending ? key > most : key < most) : (descending ? key <= most : key >= most))
            best = o;
    }
    return best;
}

OP_FN(get_arg_rank) {
    Keyed k;
    if (!with_keys(c, a[0], a[1], &k)) return VALUE_FAILED;
    size_t place = place_of_rank(c, &k, a[2], true);
    if (place < k.n) return k.items[place];
    return value_is_set(a[0]) ? VALUE_NO_SET : VALUE_NO_TUPLE;
}

OP_FN(get_val_rank) {
    Keyed k;
    if (value_tag(a[1]) == TAG_NONE) return ctx_fail(c, TS_FAIL_TYPE); // the key itself is asked for
    if (!with_keys(c, a[0], a[1], &k)) return VALUE_FAILED;
    size_t place = place_of_rank(c, &k, a[2], false);
    return place < k.n ? k.keys[place] : func_call1(c, a[1], value_of_small(0));
}

OP_FN(get_nth_by_key_t) {
    Keyed k;
    if (!with_keys(c, a[0], a[2], &k)) return VALUE_FAILED;
    if (k.n == 0) return VALUE_NONE;
    size_t place = place_of_rank(c, &k, a[1], false);
    return place < k.n ? k.items[place] : ctx_fail(c, TS_FAIL_INDEX);
}

OP_FN(get_nth_by_key_f) {
    Keyed k;
    if (!with_keys(c, a[0], a[2], &k)) return VALUE_FAILED;
    int64_t rank = need_range(c, a[1]);
    size_t place = place_of_rank(c, &k, value_int(c, rank), false);
    return place < k.n ? k.items[place] : VALUE_NONE;
}

// ---- Filters ----

// The results of the function for each element, with room for one more; NULL once something has failed.
static Value *results(Ctx *c, Value f, Value container, const Value **items, size_t *n) {
    *items = column_of(c, container, n);
    Value *out = *items ? ctx_alloc(c, (*n + 1) * sizeof *out) : NULL;
    return out && column_call1(c, f, *items, *n, out) ? out : NULL;
}

static Value filter_words(Ctx *c, const Obj *from, const Value *held) {
    Obj *o = packed_new(c, (Kind)from->kind, from->n);
    if (!o) return VALUE_FAILED;
    size_t n = 0;
    for (uint32_t k = 0; k < from->n; k++) {
        packed_of(o)[n] = obj_words(from)[k];
        n += py_truth(held[k]);
    }
    return packed_finish_sorted(c, o, n);
}

// Whether a function only asks if what `first` gives is a value, or is not.
static bool asks_for_first(Value f, Value *wanted, bool *is_wanted) {
    const Value first = value_of_op(OP_first);
    if (!value_is(f, KIND_FUNC)) return false;
    const Value *parts = obj_items(value_obj(f));
    const unsigned by = value_obj(f)->detail;
    *wanted = parts[1];
    *is_wanted = true;
    if (by == OP_matcher) return value_same(parts[0], first);
    if (by != OP_compose) return false;
    if (value_same(parts[0], value_of_op(OP_flip)) && value_is(parts[1], KIND_FUNC)) {
        const Value *inner = obj_items(value_obj(parts[1]));
        *wanted = inner[1];
        *is_wanted = false;
        return value_obj(parts[1])->detail == OP_matcher && value_same(inner[0], first);
    }
    if (!value_same(parts[1], first) || !value_is(parts[0], KIND_FUNC)) return false;
    const Value *outer = obj_items(value_obj(parts[0]));
    const unsigned held_by = value_obj(parts[0])->detail;
    *wanted = outer[1];
    return (held_by == OP_rbind || held_by == OP_lbind) && value_same(outer[0], value_of_op(OP_equality));
}

// Cells are sorted by colour, and locations by row: those of one are a run, which stays or goes as a whole.
static bool filter_by_first(Ctx *c, Value container, Value f, Value *result) {
    Value wanted;
    bool is_wanted;
    const Obj *from = patch_fast(c, container);
    if (!from || !asks_for_first(f, &wanted, &is_wanted)) return false;
    const bool cells = from->kind == KIND_CELLS;
    const int64_t bias = cells ? CELL_BIAS : LOC_BIAS,
                  n = value_is_small(wanted) ? value_small(wanted) : -bias - 1;
    uint32_t begin = 0, end = 0;
    if (n >= -bias && n < bias) {
        const unsigned shift = cells ? 24 : 12;
        begin = packed_before(from, (uint64_t)(n + bias) << shift);
        end = packed_before(from, (uint64_t)(n + bias + 1) << shift);
    }
    const uint32_t count = is_wanted ? end - begin : from->n - (end - begin);
    Obj *o = ctx_charge(c, from->n / PATCH_LANES) ? packed_new(c, (Kind)from->kind, count) : NULL;
    *result = VALUE_FAILED;
    if (!o) return true;
    const uint32_t first = is_wanted ? begin : 0, second = is_wanted ? end : begin;
    memcpy(packed_of(o), obj_words(from) + first, (second - first) * sizeof(uint32_t));
    if (!is_wanted) memcpy(packed_of(o) + begin, obj_words(from) + end, (from->n - end) * sizeof(uint32_t));
    *result = packed_finish_sorted(c, o, count);
    return true;
}

OP_FN(sfilter) {
    Value filtered;
    if (filter_by_first(c, a[0], a[1], &filtered)) return filtered;
    const Value *items;
    size_t n, kept = 0;
    Value *held = results(c, a[1], a[0], &items, &n);
    if (!held) return VALUE_FAILED;
    if (value_is(a[0], KIND_LOCS) || value_is(a[0], KIND_CELLS))
        return filter_words(c, value_obj(a[0]), held);
    for (size_t k = 0; k < n; k++)
        if (py_truth(held[k])) held[kept++] = items[k];
    return value_is_set(a[0]) ? value_set_sorted(c, held, kept) : value_tuple(c, held, kept);
}

OP_FN(mfilter) {
    Value kept = CALL(sfilter, a[0], a[1]);
    return c->failure ? VALUE_FAILED : CALL(merge, kept);
}

OP_FN(mfilter_t) {
    const Value *items;
    size_t n, kept = 0;
    Value *held = results(c, a[1], a[0], &items, &n);
    if (!held) return VALUE_FAILED;
    for (size_t k = 0; k < n; k++)
        if (py_truth(held[k])) held[kept++] = items[k];
    return value_set(c, held, kept);
}

// Stops at the first one, so the elements after it may be such as the condition fails for.
OP_FN(extract) {
    Value e;
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);) {
        Value held = func_call1(c, a[1], e);
        if (!c->failure && py_truth(held)) return e;
    }
    return ctx_fail(c, TS_FAIL_EMPTY);
}

// ---- Maps ----

OP_FN(apply) {
    if (!c->plain && value_is_loc(a[1])) {
        uint32_t word = value_word(a[1]);
        Value i = func_call1(c, a[0], value_of_small(word_i(word))),
              j = func_call1(c, a[0], value_of_small(word_j(word)));
        return c->failure ? VALUE_FAILED : value_pair(c, i, j);
    }
    const Value *items;
    size_t n;
    Value *out = results(c, a[0], a[1], &items, &n);
    return out ? value_like(c, a[1], out, n) : VALUE_FAILED;
}

OP_FN(rapply) {
    Gather g = gather(c);
    Value f;
    for (Iter it = iter(c, a[0]); iter_next(&it, &f);) gather_add(&g, func_call1(c, f, a[1]));
    return gather_as(&g, a[0]);
}

// The set that a function moves by what it is given: shift with that argument fixed. NULL for any other one.
static const Obj *set_to_move(Value f) {
    if (!value_is(f, KIND_FUNC) || value_obj(f)->detail != OP_lbind) return NULL;
    const Value *parts = obj_items(value_obj(f));
    const bool words = value_is(parts[1], KIND_LOCS) || value_is(parts[1], KIND_CELLS);
    return words && value_same(parts[0], value_of_op(OP_shift)) ? value_obj(parts[1]) : NULL;
}

OP_FN(mapply) {
    const Value *items;
    size_t n;
    const Obj *set = !c->plain && value_is(a[1], KIND_LOCS) ? set_to_move(a[0]) : NULL;
    Value united;
    if (set && packed_unite_moved(c, set, value_obj(a[1]), &united)) return united;
    Value *out = results(c, a[0], a[1], &items, &n);
    if (!out) return VALUE_FAILED;
    if (!c->plain && value_is_set(a[1]) && packed_unite(c, out, n, &united)) return united;
    if (!c->plain && value_is_set(a[1])) { // a set of them between would change nothing
        Gather g = gather(c);
        for (size_t k = 0; k < n; k++) gather_all(&g, out[k]);
        return gather_set(&g);
    }
    Value mapped = value_like(c, a[1], out, n);
    return c->failure ? VALUE_FAILED : CALL(merge, mapped);
}

OP_FN(papply) {
    size_t n, m;
    const Value *x = column_of(c, a[1], &n), *y = column_of(c, a[2], &m);
    if (m < n) n = m;
    Value *out = x && y ? ctx_alloc(c, (n + 1) * sizeof *out) : NULL;
    return out && column_call2(c, a[0], x, y, n, out) ? value_tuple(c, out, n) : VALUE_FAILED;
}

OP_FN(mpapply) {
    Value mapped = CALL(papply, a[0], a[1], a[2]);
    return c->failure ? VALUE_FAILED : CALL(merge, mapped);
}

// All pairs, those with the first element of b first. Where b is empty, a may be anything.
OP_FN(prapply) {
    size_t n, m;
    Value lines;
    if (value_same(a[0], value_of_op(OP_connect)) && patch_lines_between(c, a[1], a[2], &lines)) return lines;
    const Value *y = column_of(c, a[2], &m);
    if (y && m == 0) return VALUE_NO_SET;
    const Value *x = y ? column_of(c, a[1], &n) : NULL;
    if (!x) return VALUE_FAILED;
    if (n == 0) return VALUE_NO_SET;
    Value *out = m < INT32_MAX / n ? ctx_alloc(c, n * m * sizeof *out) : NULL;
    if (!out) return ctx_fail(c, TS_FAIL_BUDGET);
    return column_cross(c, a[0], x, n, y, m, out) ? value_set(c, out, n * m) : VALUE_FAILED;
}
