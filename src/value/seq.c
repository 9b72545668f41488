// Elements of containers, whatever their form: counting, indexing, iterating, gathering.
#include <assert.h>

#include "value/value.h"

int64_t value_length(Ctx *c, Value v) {
    if (value_is_loc(v) || value_is_cell(v)) return 2;
    if (value_is_container(v)) return value_obj(v)->n;
    ctx_fail(c, TS_FAIL_TYPE);
    return 0;
}

Value value_element(Ctx *c, Value v, uint32_t k) {
    assert(value_is_container(v) && k < value_length(c, v));
    uint32_t word = value_word(v);
    if (value_is_loc(v)) return value_of_small(k ? word_j(word) : word_i(word));
    if (value_is_cell(v)) return k ? value_of_loc(word_loc(word)) : value_of_small(word_v(word));
    const Obj *o = value_obj(v);
    switch (o->kind) {
    case KIND_GRID: return value_row(c, obj_cells(o) + (size_t)k * o->width, o->width);
    case KIND_LOCS: return value_of_loc(obj_words(o)[k]);
    case KIND_CELLS: return value_of_cell(obj_words(o)[k]);
    default: return obj_items(o)[k];
    }
}

void values_of(Ctx *c, Value container, Value *out) {
    if (value_tag(container) != TAG_OBJ) {
        out[0] = value_element(c, container, 0);
        out[1] = value_element(c, container, 1);
        return;
    }
    const Obj *o = value_obj(container);
    switch (o->kind) {
    case KIND_GRID:
        if (o->width == 2)
            for (uint32_t k = 0; k < o->n; k++)
                out[k] = value_of_loc(loc_word(obj_cells(o)[2 * k], obj_cells(o)[2 * k + 1]));
        else
            for (uint32_t k = 0; k < o->n; k++)
                out[k] = value_row_slow(c, obj_cells(o) + (size_t)k * o->width, o->width);
        break;
    case KIND_LOCS:
        for (uint32_t k = 0; k < o->n; k++) out[k] = value_of_loc(obj_words(o)[k]);
        break;
    case KIND_CELLS:
        for (uint32_t k = 0; k < o->n; k++) out[k] = value_of_cell(obj_words(o)[k]);
        break;
    default:
        if (o->n) memcpy(out, obj_items(o), o->n * sizeof *out);
        break;
    }
}

Value value_item(Ctx *c, Value v, int64_t k) {
    if (!value_is_tuple(v)) return ctx_fail(c, TS_FAIL_TYPE);
    int64_t n = value_length(c, v);
    if (k < 0) k += n;
    if (k < 0 || k >= n) return ctx_fail(c, TS_FAIL_INDEX);
    return value_element(c, v, (uint32_t)k);
}

Iter iter(Ctx *c, Value v) {
    int64_t n = value_length(c, v);
    ctx_charge(c, n);
    const bool has_items = value_is(v, KIND_TUPLE) || value_is(v, KIND_SET);
    return (Iter){.c = c, .v = v, .items = has_items ? obj_items(value_obj(v)) : NULL, .n = (uint32_t)n};
}

enum { MANY_WORDS = 256 }; // to look among fewer is in the price

static bool set_contains(Ctx *c, const Obj *o, Value v) {
    if (o->kind == KIND_LOCS) return value_is_loc(v) && packed_contain(o, value_word(v));
    if (o->kind == KIND_CELLS) return value_is_cell(v) && packed_contain(o, value_word(v));
    uint32_t low = 0, high = o->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        int order = value_compare(c, obj_items(o)[middle], v);
        if (order == 0) return true;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return false;
}

bool value_contains(Ctx *c, Value container, Value v) {
    if (value_is_set(container)) {
        const Obj *set = value_obj(container);
        const int halvings = 31 - __builtin_clz(set->n | 1);
        ctx_charge(c, 1 + (int64_t)value_weight(v) / 8 +
                          (set->kind == KIND_SET ? halvings
                           : set->n < MANY_WORDS ? 0
                                                 : halvings / 2));
        return set_contains(c, set, v);
    }
    Value e;
    for (Iter it = iter(c, container); iter_next(&it, &e);)
        if (ctx_charge(c, value_equal_units(e, v)) && value_equal(e, v)) return true;
    return false;
}

Gather gather_room(Ctx *c, size_t n) {
    Gather g = {.c = c};
    if (n > VALUE_MOST_WEIGHT) ctx_fail(c, TS_FAIL_BUDGET);
    else if (n && !c->failure && (g.items = ctx_alloc(c, n * sizeof *g.items))) g.room = n;
    return g;
}

bool gather_reserve(Gather *g, size_t n) {
    if (g->room - g->n >= n) return true;
    size_t room = g->room * 2 > g->n + n ? g->room * 2 : g->n + n;
    if (room < 16) room = 16;
    Value *items = g->c->failure ? NULL : ctx_alloc(g->c, room * sizeof *items);
    if (!items) return false;
    if (g->n) memcpy(items, g->items, g->n * sizeof *items);
    g->items = items;
    g->room = room;
    return true;
}

void gather_all(Gather *g, Value container) {
    Iter it = iter(g->c, container);
    if (g->c->failure || it.n == 0 || !gather_reserve(g, it.n)) return;
    values_of(g->c, container, g->items + g->n);
    g->n += it.n;
}

Value gather_tuple(Gather *g) { return value_tuple(g->c, g->items, g->n); }

Value gather_set(Gather *g) { return value_set(g->c, g->items, g->n); }

Value value_like(Ctx *c, Value like, Value *items, size_t n) {
    return value_is_tuple(like) ? value_tuple(c, items, n) : value_set(c, items, n);
}

Value gather_as(Gather *g, Value like) { return value_like(g->c, like, g->items, g->n); }
