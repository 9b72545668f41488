// A value in a few words, for messages: "a set of 7 objects", "a grid of 3 × 4", "the number 143".
//
// However large or deep a value is, its description is short: it counts elements and never goes further in
// than their own elements' kind.
#include "dsl/ops.h"

enum { MOST_LISTED = 6, MOST_LOOKED_AT = 1000 };

// What an element is, in the plural; NULL: there is no word for it.
static const char *kind_of(Value v) {
    switch (value_tag(v)) {
    case TAG_INT: return "numbers";
    case TAG_LOC: return "pairs";
    case TAG_CELL: return "cells";
    case TAG_OP: return "functions";
    case TAG_WORD: return "words";
    case TAG_OBJ: break;
    default: return NULL;
    }
    switch ((Kind)value_obj(v)->kind) {
    case KIND_BIG: return "numbers";
    case KIND_GRID: return "grids";
    case KIND_LOCS: return "sets of locations";
    case KIND_CELLS: return "objects";
    case KIND_FUNC: return "functions";
    case KIND_TUPLE: return "tuples";
    case KIND_SET: return "sets";
    }
    return NULL;
}

// The kind that all elements have; "elements" where they are of several, or too many to say.
static const char *kind_of_elements(const Obj *o) {
    const char *kind = kind_of(obj_items(o)[0]);
    for (uint32_t k = 1; k < o->n && kind; k++)
        if (k >= MOST_LOOKED_AT || kind != kind_of(obj_items(o)[k])) kind = NULL;
    return kind ? kind : "elements";
}

static void describe_container(Text *t, const Obj *o) {
    const char *what = o->kind == KIND_TUPLE ? "tuple" : "set";
    if (o->n == 0) {
        text_print(t, "an empty %s", what);
        return;
    }
    const char *kind = kind_of_elements(o);
    if (o->n <= MOST_LISTED && strcmp(kind, "numbers") == 0) {
        text_print(t, "the %s ", what);
        literal_print(t, value_of_obj(o));
        return;
    }
    const char *of = strstr(kind, "s of ");
    text_print(t, "a %s of %u ", what, o->n);
    if (o->n > 1) text_add(t, kind);
    else if (of) text_print(t, "%.*s%s", (int)(of - kind), kind, of + 1); // "set of locations"
    else text_put(t, kind, strlen(kind) - 1);
}

static void describe_obj(Text *t, Value v) {
    const Obj *o = value_obj(v);
    const char *s = o->n == 1 ? "" : "s";
    switch ((Kind)o->kind) {
    case KIND_BIG: text_print(t, "the number %lld", (long long)value_int_of(v)); break;
    case KIND_GRID: text_print(t, "a grid of %u × %u", o->n, o->width); break;
    case KIND_LOCS: text_print(t, "a set of %u location%s", o->n, s); break;
    case KIND_CELLS: text_print(t, "an object of %u cell%s", o->n, s); break;
    case KIND_FUNC: text_print(t, "a function of %u argument%s", o->arity, o->arity == 1 ? "" : "s"); break;
    case KIND_TUPLE:
    case KIND_SET: describe_container(t, o); break;
    }
}

void literal_describe(Text *t, Value v) {
    switch (value_tag(v)) {
    case TAG_INT: text_add(t, "the number "); break;
    case TAG_LOC: text_add(t, "the pair "); break;
    case TAG_CELL: text_add(t, "the cell "); break;
    case TAG_OP: text_add(t, "the function "); break;
    case TAG_WORD: text_add(t, "the word "); break;
    case TAG_OBJ: describe_obj(t, v); return;
    default: break;
    }
    literal_print(t, v);
}
