// Values as text that the reader reads back: (1, 2), {(0, 1)}, {} for the empty set, None, and functions as
// the expression that makes them: rbind(add, 1). In Python's own terms a set is frozenset({(0, 1)}).
#include "value/value.h"

static const char *const op_names[] = {
#define OP(family, name, ...) #name,
#include "dsl/ops.def"
};

static void print_value(Text *t, Value v, bool python);

static void open_set(Text *t, bool python) { text_add(t, python ? "frozenset({" : "{"); }
static void close_set(Text *t, bool python) { text_add(t, python ? "})" : "}"); }

static void print_items(Text *t, const Value *items, uint32_t n, bool python) {
    for (uint32_t k = 0; k < n; k++) {
        if (k) text_put(t, ", ", 2);
        print_value(t, items[k], python);
    }
}

static void print_loc(Text *t, uint32_t word) {
    text_char(t, '(');
    text_int(t, word_i(word));
    text_put(t, ", ", 2);
    text_int(t, word_j(word));
    text_char(t, ')');
}

static void print_cell(Text *t, uint32_t word) {
    text_char(t, '(');
    text_int(t, word_v(word));
    text_put(t, ", ", 2);
    print_loc(t, word);
    text_char(t, ')');
}

static void print_grid(Text *t, const Obj *o) {
    text_char(t, '(');
    for (uint32_t i = 0; i < o->n; i++) {
        text_add(t, i ? ", (" : "(");
        for (uint32_t j = 0; j < o->width; j++) {
            if (j) text_put(t, ", ", 2);
            text_int(t, obj_cells(o)[(size_t)i * o->width + j]);
        }
        text_add(t, o->width == 1 ? ",)" : ")");
    }
    text_add(t, o->n == 1 ? ",)" : ")");
}

static void print_words(Text *t, const Obj *o, bool python) {
    open_set(t, python);
    for (uint32_t k = 0; k < o->n; k++) {
        if (k) text_put(t, ", ", 2);
        (o->kind == KIND_LOCS ? print_loc : print_cell)(t, obj_words(o)[k]);
    }
    close_set(t, python);
}

static void print_obj(Text *t, Value v, bool python) {
    const Obj *o = value_obj(v);
    switch ((Kind)o->kind) {
    case KIND_BIG: text_int(t, value_int_of(v)); break;
    case KIND_GRID: print_grid(t, o); break;
    case KIND_LOCS:
    case KIND_CELLS: print_words(t, o, python); break;
    case KIND_TUPLE:
        text_char(t, '(');
        print_items(t, obj_items(o), o->n, python);
        text_add(t, o->n == 1 ? ",)" : ")");
        break;
    case KIND_SET:
        if (o->n == 0 && python) {
            text_add(t, "frozenset()");
            break;
        }
        open_set(t, python);
        print_items(t, obj_items(o), o->n, python);
        close_set(t, python);
        break;
    case KIND_FUNC:
        text_add(t, op_names[o->detail]);
        text_char(t, '(');
        print_items(t, obj_items(o), o->n, python);
        text_char(t, ')');
        break;
    }
}

static void print_value(Text *t, Value v, bool python) {
    switch (value_tag(v)) {
    case TAG_INT: text_int(t, value_small(v)); break;
    case TAG_LOC: print_loc(t, value_word(v)); break;
    case TAG_CELL: print_cell(t, value_word(v)); break;
    case TAG_OP: text_add(t, op_names[value_op(v)]); break;
    case TAG_NONE: text_add(t, "None"); break;
    case TAG_OBJ: print_obj(t, v, python); break;
    default: text_char(t, '!'); break;
    }
}

void value_print(Text *t, Value v) { print_value(t, v, false); }

void value_print_python(Text *t, Value v) { print_value(t, v, true); }
