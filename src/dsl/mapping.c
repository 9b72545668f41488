// A function over the elements of a container.
//
// Workload: 1 to 900 elements (the objects of a grid, the cells of an object, the rows of a grid) and a
// function of one to five parts. The time goes into the calls, so what is done around them is kept small: a
// filtered set of words stays sorted and is not sorted again; mapply lays the results end to end without the
// set between.
#include "dsl/ops.h"

// ---- Keys ----

typedef struct {
    Value key, item;
} Keyed;

// What an element is compared by. As in Python, None for the function means the element itself.
static Value key_of(Ctx *c, Value f, Value e) { return value_tag(f) == TAG_NONE ? e : call1(c, f, e); }

// The elements with their keys; NULL once something has failed.
static Keyed *with_keys(Ctx *c, Value container, Value f, size_t *n) {
    Iter it = iter(c, container);
    *n = it.n;
    Keyed *all = c->failure ? NULL : ctx_alloc(c, (it.n + 1) * sizeof *all);
    if (!all) return NULL;
    Value e;
    for (Keyed *k = all; iter_next(&it, &e); k++) *k = (Keyed){key_of(c, f, e), e};
    return c->failure ? NULL : all;
}

// A stable merge sort.
static Keyed *sort_keyed(Ctx *c, Keyed *from, size_t n) {
    Keyed *to = ctx_alloc(c, n * sizeof *to);
    if (!to) return from;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t start = 0; start < n && !c->failure; start += 2 * run) {
            size_t a = start, middle = start + run < n ? start + run : n;
            size_t b = middle, end = middle + run < n ? middle + run : n;
            for (size_t o = start; o < end; o++) {
                bool second = a >= middle || (b < end && value_sorts_before(c, from[b].key, from[a].key));
                to[o] = second ? from[b++] : from[a++];
            }
        }
        Keyed *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

OP_FN(order) {
    size_t n;
    Keyed *all = with_keys(c, a[0], a[1], &n);
    if (!all) return VALUE_FAILED;
    if (n > 1) all = sort_keyed(c, all, n);
    Gather g = gather(c);
    for (size_t k = 0; k < n; k++) gather_add(&g, all[k].item);
    return gather_tuple(&g);
}

// The first element with the greatest or least key. False where the container is empty.
static bool best(Ctx *c, Value container, Value f, bool greatest, Keyed *result) {
    bool any = false;
    Value e;
    for (Iter it = iter(c, container); iter_next(&it, &e); any = true) {
        Value key = key_of(c, f, e);
        if (c->failure) return false;
        if (!any || (greatest ? value_less(c, result->key, key) : value_less(c, key, result->key)))
            *result = (Keyed){key, e};
    }
    return any;
}

// Of an empty container the key of zero.
static Value best_key(Ctx *c, const Value *a, bool greatest) {
    Keyed found;
    if (value_tag(a[1]) == TAG_NONE) return ctx_fail(c, TS_FAIL_TYPE); // the key itself is asked for
    if (best(c, a[0], a[1], greatest, &found)) return found.key;
    return c->failure ? VALUE_FAILED : call1(c, a[1], value_of_small(0));
}

static Value best_item(Ctx *c, const Value *a, bool greatest) {
    Keyed found;
    return best(c, a[0], a[1], greatest, &found) ? found.item : ctx_fail(c, TS_FAIL_EMPTY);
}

OP_FN(valmax) { return best_key(c, a, true); }

OP_FN(valmin) { return best_key(c, a, false); }

OP_FN(argmax) { return best_item(c, a, true); }

OP_FN(argmin) { return best_item(c, a, false); }

// ---- Filters ----

static bool holds(Ctx *c, Value condition, Value e) {
    Value result = call1(c, condition, e);
    return !c->failure && truth(result);
}

static Value filter_words(Ctx *c, const Obj *from, Value condition) {
    Obj *o = ctx_charge(c, from->n) ? words_new(c, (Kind)from->kind, from->n) : NULL;
    if (!o) return VALUE_FAILED;
    size_t n = 0;
    unsigned tag = from->kind == KIND_LOCS ? TAG_LOC : TAG_CELL;
    for (uint32_t k = 0; k < from->n && !c->failure; k++)
        if (holds(c, condition, value_from(tag, obj_words(from)[k]))) words_of(o)[n++] = obj_words(from)[k];
    return words_finish_sorted(c, o, n);
}

OP_FN(sfilter) {
    if (!c->plain && (value_is(a[0], KIND_LOCS) || value_is(a[0], KIND_CELLS)))
        return filter_words(c, value_obj(a[0]), a[1]);
    Gather g = gather(c);
    Value e;
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);)
        if (holds(c, a[1], e)) gather_add(&g, e);
    if (!c->plain && value_is_set(a[0])) return value_set_sorted(c, g.items, g.n);
    return gather_as(&g, a[0]);
}

OP_FN(mfilter) {
    Value kept = CALL(sfilter, a[0], a[1]);
    return c->failure ? VALUE_FAILED : CALL(merge, kept);
}

OP_FN(extract) {
    Value e;
    for (Iter it = iter(c, a[0]); iter_next(&it, &e);)
        if (holds(c, a[1], e)) return e;
    return ctx_fail(c, TS_FAIL_EMPTY);
}

// ---- Maps ----

// The results of the function, in order, not yet a container.
static Gather results(Ctx *c, Value f, Value container) {
    Iter it = iter(c, container);
    Gather g = gather_room(c, it.n);
    Value e;
    while (iter_next(&it, &e)) gather_add(&g, call1(c, f, e));
    return g;
}

OP_FN(apply) {
    Gather g = results(c, a[0], a[1]);
    return gather_as(&g, a[1]);
}

OP_FN(rapply) {
    Gather g = gather(c);
    Value f;
    for (Iter it = iter(c, a[0]); iter_next(&it, &f);) gather_add(&g, call1(c, f, a[1]));
    return gather_as(&g, a[0]);
}

OP_FN(mapply) {
    Gather g = results(c, a[0], a[1]);
    if (c->failure) return VALUE_FAILED;
    Value united;
    if (!c->plain && value_is_set(a[1]) && words_unite(c, g.items, g.n, &united)) return united;
    Value mapped = gather_as(&g, a[1]);
    return c->failure ? VALUE_FAILED : CALL(merge, mapped);
}

OP_FN(papply) {
    Gather g = gather(c);
    Value x, y;
    Iter first = iter(c, a[1]), second = iter(c, a[2]);
    while (iter_next(&first, &x) && iter_next(&second, &y)) gather_add(&g, call2(c, a[0], x, y));
    return gather_tuple(&g);
}

OP_FN(mpapply) {
    Value mapped = CALL(papply, a[0], a[1], a[2]);
    return c->failure ? VALUE_FAILED : CALL(merge, mapped);
}

OP_FN(prapply) {
    Gather g = gather(c);
    Value i, j;
    for (Iter second = iter(c, a[2]); iter_next(&second, &j);)
        for (Iter first = iter(c, a[1]); iter_next(&first, &i);) gather_add(&g, call2(c, a[0], i, j));
    return gather_set(&g);
}
