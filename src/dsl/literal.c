// Values as text that the reader reads back: (1, 2), {(0, 1)}, {} for the empty set, None, and functions as
// the expression that makes them: rbind(add, 1). In Python's own terms a set is frozenset({(0, 1)}).
#include "dsl/ops.h"

// A printer may have an end: then it stops before the first element that begins beyond it, and says how many
// are left. That is the weight of the value less what was written, so the rest need not be gone through,
// which may be a million times as much as the memory that holds it.
typedef struct {
    Text *t;
    bool python;     // sets are frozensets
    bool in_program; // the empty one at least
    size_t end;      // of the text; SIZE_MAX: none
    int64_t left;    // elements at all levels, counted as value_weight does
} Printer;

// All that print return whether they have written all of it.
static bool print_value(Printer *p, Value v);

static bool is_full(const Printer *p) { return p->t->length >= p->end; }

static void open_set(Printer *p) { text_add(p->t, p->python ? "frozenset({" : "{"); }
static void close_set(Printer *p) { text_add(p->t, p->python ? "})" : "}"); }

static bool print_items(Printer *p, const Value *items, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        if (is_full(p)) return false;
        if (k) text_put(p->t, ", ", 2);
        if (!print_value(p, items[k])) return false;
    }
    return true;
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

static bool print_row(Printer *p, const int8_t *cells, uint32_t width) {
    p->left--;
    for (uint32_t j = 0; j < width; j++) {
        if (is_full(p)) return false;
        if (j) text_put(p->t, ", ", 2);
        text_int(p->t, cells[j]);
        p->left--;
    }
    return true;
}

static bool print_grid(Printer *p, const Obj *o) {
    text_char(p->t, '(');
    for (uint32_t i = 0; i < o->n; i++) {
        if (is_full(p)) return false;
        text_add(p->t, i ? ", (" : "(");
        if (!print_row(p, obj_cells(o) + (size_t)i * o->width, o->width)) return false;
        text_add(p->t, o->width == 1 ? ",)" : ")");
    }
    text_add(p->t, o->n == 1 ? ",)" : ")");
    return true;
}

static bool print_words(Printer *p, const Obj *o) {
    open_set(p);
    for (uint32_t k = 0; k < o->n; k++) {
        if (is_full(p)) return false;
        if (k) text_put(p->t, ", ", 2);
        (o->kind == KIND_LOCS ? print_loc : print_cell)(p->t, obj_words(o)[k]);
        p->left -= o->kind == KIND_LOCS ? 3 : 5;
    }
    close_set(p);
    return true;
}

static bool print_set(Printer *p, const Obj *o) {
    if (o->n == 0 && (p->python || p->in_program)) {
        text_add(p->t, "frozenset()");
        return true;
    }
    open_set(p);
    if (!print_items(p, obj_items(o), o->n)) return false;
    close_set(p);
    return true;
}

static bool print_obj(Printer *p, Value v) {
    const Obj *o = value_obj(v);
    p->left--;
    switch ((Kind)o->kind) {
    case KIND_BIG: text_int(p->t, value_int_of(v)); return true;
    case KIND_GRID: return print_grid(p, o);
    case KIND_LOCS:
    case KIND_CELLS: return print_words(p, o);
    case KIND_SET: return print_set(p, o);
    case KIND_TUPLE: text_char(p->t, '('); break;
    case KIND_FUNC:
        text_add(p->t, ops_table[o->detail].name);
        text_char(p->t, '(');
        break;
    }
    if (!print_items(p, obj_items(o), o->n)) return false;
    text_add(p->t, o->kind == KIND_TUPLE && o->n == 1 ? ",)" : ")");
    return true;
}

static bool print_value(Printer *p, Value v) {
    const unsigned tag = value_tag(v);
    if (tag == TAG_OBJ) return print_obj(p, v);
    p->left -= value_weight(v);
    switch (tag) {
    case TAG_INT: text_int(p->t, value_small(v)); break;
    case TAG_LOC: print_loc(p->t, value_word(v)); break;
    case TAG_CELL: print_cell(p->t, value_word(v)); break;
    case TAG_OP: text_add(p->t, ops_table[value_op(v)].name); break;
    case TAG_WORD: text_add(p->t, word_names[value_word(v)]); break;
    case TAG_NONE: text_add(p->t, "None"); break;
    default: text_char(p->t, '!'); break;
    }
    return true;
}

void literal_print(Text *t, Value v) { print_value(&(Printer){.t = t, .end = SIZE_MAX}, v); }

void literal_print_python(Text *t, Value v) {
    print_value(&(Printer){.t = t, .python = true, .end = SIZE_MAX}, v);
}

void literal_print_words(Text *t, Value v) {
    print_value(&(Printer){.t = t, .in_program = true, .end = SIZE_MAX}, v);
}

// As 12,345,678.
static void print_count(Text *t, int64_t n) {
    if (n >= 1000) {
        print_count(t, n / 1000);
        text_print(t, ",%03d", (int)(n % 1000));
    } else text_int(t, n);
}

bool literal_print_some(Text *t, Value v, size_t most) {
    Printer p = {.t = t, .end = t->length + most, .left = value_weight(v)};
    if (p.end < most) p.end = SIZE_MAX;
    if (print_value(&p, v)) return true;
    text_add(t, " … ");
    print_count(t, p.left);
    text_add(t, p.left == 1 ? " more element" : " more elements");
    return false;
}
