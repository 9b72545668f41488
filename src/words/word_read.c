// Reading: a value in words or codes, brought to the one form in words, and its codes.
//
// One walk does both. Where nothing is to be built (the codes alone are wanted, for a program that runs) it
// takes no memory.
#include "words/rows.h"

enum { READ_UNITS = 20 }; // for a word or a number, and for each shape

typedef struct {
    Ctx *c;
    bool build;
    int yields; // of the last property or feature
    int leaf;   // words and numbers gone through
    ShapeFault *fault;
    bool failed;
} Walk;

static Value walk(Walk *w, int shape, Value v, int *codes);

static Value refuse(Walk *w, int wanted, Value found) {
    if (!w->failed && w->fault)
        *w->fault = (ShapeFault){.leaf = w->leaf, .wanted = (Shape)wanted, .found = found};
    w->failed = true;
    return VALUE_FAILED;
}

static Value tuple_of(Walk *w, const Value *items, int n) {
    if (!w->build || w->failed) return VALUE_NONE;
    Gather g = gather_room(w->c, (size_t)n);
    for (int k = 0; k < n; k++) gather_add(&g, items[k]);
    return gather_tuple(&g);
}

static Value value_of_arm(const Arm *arm) {
    return arm->row->kind == ROW_NUMBER ? value_of_small(arm->code) : value_of_word((unsigned)arm->row->word);
}

static void note_yield(Walk *w, const Arm *arm) {
    if (arm->row->kind == ROW_NUMBER) return;
    Shape yields = row_of_word(arm->row->word)->yields;
    if (yields != SHAPE_NONE) w->yields = yields;
}

// The value that a field has where it is not written.
static Value missing_value(Walk *w, int shape, int missing) {
    Arm arm;
    int fields[MOST_FIELDS];
    if (shape_kind(shape) == LIST) return VALUE_NO_TUPLE;
    if (shape_kind(shape) == SET) return VALUE_NO_SET;
    (void)w;
    return arm_of_code(shape, missing, &arm, fields) ? value_of_arm(&arm) : VALUE_NONE;
}

static bool is_otherwise(Value v) {
    return value_is_small(v) ? value_small(v) < 0 : value_is_word(v) && value_word(v) == WORD_OTHERWISE;
}

// Old programs fill tuples up with 0.
static void skip_zero(Walk *w, Value v) {
    if (value_same(v, value_of_small(0))) w->leaf++;
    else refuse(w, SHAPE_NONE, v);
}

// Goes through fields with the elements of a tuple from `from` on. Writes the values up to the last one that
// says something to `out`; their number, or -1. `code_of` gets the codes of the fields one after the other.
static int walk_fields(Walk *w, Fields *f, const Value *elements, int n, bool legacy, Value *out,
                       int *codes) {
    int at = 0, used = 0, last = 0;
    for (int k = 0; k < f->count && !w->failed; k++) {
        const Field field = f->at[k];
        int shape = field.shape == SHAPE_YIELDED ? w->yields : field.shape;
        if (shape == SHAPE_PAD) {
            if (legacy && at < n) skip_zero(w, elements[at++]);
            *codes++ = 0;
            continue;
        }
        int width = shape_width((Shape)shape);
        bool spliced = field.stride == SPLICED;
        if (at >= n) {
            if (field.missing == REQUIRED) refuse(w, SHAPE_NONE, VALUE_NONE);
            if (width) memset(codes, 0, sizeof *codes * (size_t)width), *codes = field.missing;
            out[used++] = missing_value(w, shape, field.missing);
        } else if (field.stride == OR_ELSE && is_otherwise(elements[at])) {
            *codes = Otherwise_OTHERWISE;
            out[used++] = value_of_word(WORD_OTHERWISE);
            last = used;
            at++, w->leaf++;
        } else if (spliced) {
            Value e = elements[at++];
            Arm arm;
            int inner[MOST_FIELDS];
            bool is_code = value_is_small(e), known = false;
            w->leaf++;
            if (is_code) known = arm_of_code(shape, (int)value_small(e), &arm, inner);
            else if (value_is_word(e)) known = arm_of_word(shape, (int)value_word(e), &arm);
            if (!known) return w->leaf--, refuse(w, shape, e), -1;
            legacy |= is_code;
            fields_splice(f, k, shape, arm.row);
            *codes = arm.code;
            out[used++] = value_of_arm(&arm);
            last = used;
            width = 1; // the rest are fields by now
        } else if (field.missing != REQUIRED && value_same(elements[at], value_of_small(field.missing)) &&
                   shape_kind(shape) != LIST) {
            at++, w->leaf++;
            if (width) memset(codes, 0, sizeof *codes * (size_t)width), *codes = field.missing;
            out[used++] = missing_value(w, shape, field.missing);
        } else {
            out[used++] = walk(w, shape, elements[at++], codes);
            bool says = field.missing == REQUIRED || *codes != field.missing;
            for (int i = 1; i < width && !says; i++) says = codes[i] != 0;
            if (says) last = used;
        }
        codes += width;
    }
    for (; at < n && !w->failed; at++)
        if (legacy) skip_zero(w, elements[at]);
        else refuse(w, SHAPE_NONE, elements[at]);
    return w->failed ? -1 : last;
}

// The elements of a tuple; -1 where it is none, or has too many.
static int elements_of(Walk *w, Value v, Value *elements, int most) {
    if (!value_is_tuple(v)) return -1;
    int64_t n = value_length(w->c, v);
    if (n > most) return -1;
    for (int k = 0; k < n; k++) elements[k] = value_element(w->c, v, (uint32_t)k);
    return (int)n;
}

// Up, down, … as the language has them.
static bool direction_of(Value v, int *code) {
    static const int8_t rows[8] = {-1, 0, 1, 0, -1, 1, 1, -1}, columns[8] = {0, 1, 0, -1, 1, 1, -1, -1};
    if (!value_is_loc(v)) return false;
    for (*code = 0; *code < 8; ++*code)
        if (word_i(value_word(v)) == rows[*code] && word_j(value_word(v)) == columns[*code]) return true;
    return false;
}

// False where a field has no place in the code: one below zero.
static bool pack(const Arm *arm, const int *codes, int *code) {
    *code = arm->code;
    bool fits = true;
    for (int k = 0; k < row_field_count(arm->row); k++) {
        *code += arm->row->fields[k].stride * codes[k];
        fits &= codes[k] >= 0;
    }
    return fits;
}

// A word or a number of the shape, with the elements of its fields.
static Value walk_arm(Walk *w, int shape, const Arm *arm, const Value *elements, int n, bool legacy,
                      int *codes) {
    Fields f;
    Value out[MOST_ELEMENTS];
    ShapeKind kind = shape_kind(shape);
    fields_of_row(&f, arm->row);
    note_yield(w, arm);
    out[0] = value_of_arm(arm);
    int inner[MOST_FIELDS] = {0}, *to = kind == FLAT ? codes + 1 : inner;
    int count = walk_fields(w, &f, elements, n, legacy, out + 1, to);
    if (count < 0) return VALUE_FAILED;
    note_yield(w, arm); // again, for a field may be a property that yields something else
    if ((kind == PACKED || kind == SET) && !pack(arm, inner, codes))
        return refuse(w, shape, n ? elements[0] : out[0]);
    if (kind == FLAT) *codes = arm->code;
    return count ? tuple_of(w, out, count + 1) : out[0];
}

static Value walk_code(Walk *w, int shape, int64_t code, Value v, int *codes) {
    Arm arm;
    int inner[MOST_FIELDS];
    Value elements[MOST_FIELDS];
    if (code < INT32_MIN / 2 || code > INT32_MAX / 2 || !arm_of_code(shape, (int)code, &arm, inner))
        return refuse(w, shape, v);
    w->leaf++;
    int n = shape_kind(shape) == PACKED ? row_field_count(arm.row) : 0, leaf = w->leaf;
    for (int k = 0; k < n; k++) elements[k] = value_of_small(inner[k]);
    Value found = walk_arm(w, shape, &arm, elements, n, false, codes);
    w->leaf = leaf;
    return found;
}

// A tuple of codes alone. Words may share a code and differ in their fields: the first that fits is meant.
static Value walk_flat(Walk *w, int shape, const Value *elements, int n, int *codes) {
    const Walk before = *w;
    int64_t code = value_small(elements[0]);
    for (EACH_ROW(r, shape)) {
        if (r->kind != ROW_WORD || r->code != code) continue;
        *w = before;
        w->leaf++;
        Value found = walk_arm(w, shape, &(Arm){r, r->code}, elements + 1, n - 1, true, codes);
        if (!w->failed) return found;
    }
    return refuse(w, shape, elements[0]);
}

static Value walk_union(Walk *w, int shape, Value v, int *codes) {
    Arm arm;
    Value elements[MOST_ELEMENTS];
    int direction;
    if (shape_kind(shape) == FLAT) memset(codes, 0, sizeof *codes * (size_t)shape_width((Shape)shape));
    if (value_is_small(v)) return walk_code(w, shape, value_small(v), v, codes);
    if (value_is_word(v)) {
        if (!arm_of_word(shape, (int)value_word(v), &arm)) return refuse(w, shape, v);
        w->leaf++;
        return walk_arm(w, shape, &arm, NULL, 0, false, codes);
    }
    if (direction_of(v, &direction) && arm_of_word(shape, WORD_NORTH + direction, &arm)) {
        w->leaf++;
        return walk_arm(w, shape, &arm, NULL, 0, false, codes);
    }
    int n = elements_of(w, v, elements, MOST_ELEMENTS);
    if (n < 1) return refuse(w, shape, v);
    if (value_is_small(elements[0]) && shape_kind(shape) == FLAT)
        return walk_flat(w, shape, elements, n, codes);
    if (!value_is_word(elements[0]) || !arm_of_word(shape, (int)value_word(elements[0]), &arm))
        return refuse(w, shape, elements[0]);
    w->leaf++;
    return walk_arm(w, shape, &arm, elements + 1, n - 1, false, codes);
}

static Value walk_set(Walk *w, int shape, Value v, int *codes) {
    Gather g = gather(w->c);
    unsigned bits = 0;
    if (value_is_small(v)) {
        int64_t code = value_small(v);
        if (code < 0 || code > 0xFFFFFF) return refuse(w, shape, v);
        for (int bit = 0; bit < 24; bit++) {
            int inner;
            if (!(code >> bit & 1)) continue;
            Value member = walk_code(w, shape, bit, v, &inner);
            if (w->failed) return VALUE_FAILED;
            if (w->build) gather_add(&g, member);
            w->leaf--;
        }
        w->leaf++;
        bits = (unsigned)code;
    } else {
        if (!value_is_set(v) && !value_is_tuple(v)) return refuse(w, shape, v);
        Value e;
        for (Iter it = iter(w->c, v); iter_next(&it, &e);) {
            int code = 0;
            Value member = walk_union(w, shape, e, &code);
            if (w->failed) return VALUE_FAILED;
            bits |= 1U << (code & 31);
            if (w->build) gather_add(&g, member);
        }
    }
    *codes = (int)bits;
    return w->build ? gather_set(&g) : VALUE_NONE;
}

// Programs of old have some records in another order, as four numbers.
static int in_new_order(int shape, Value *e, int n) {
    if (n != 4 || (shape != SHAPE_TemplateRule && shape != SHAPE_Choice && shape != SHAPE_PieceOrder))
        return n;
    for (int k = 0; k < n; k++)
        if (!value_is_small(e[k])) return n;
    if (shape == SHAPE_TemplateRule) {
        Value pick = e[1];
        e[1] = e[2];
        e[2] = pick;
        return n;
    }
    enum { OLD_NOT = 100 };
    int64_t where = value_small(e[0]);
    bool not = where >= OLD_NOT;
    Value value = e[1];
    e[0] = e[2];
    e[1] = e[3];
    if (where < 0) return 2;
    e[2] = value_of_word(not ? WORD_WITHOUT : WORD_WITH);
    e[3] = value_of_small(not ? where - OLD_NOT : where);
    e[4] = value;
    return 5;
}

static Value walk_record(Walk *w, int shape, Value v, int *codes) {
    Fields f;
    Value elements[MOST_ELEMENTS], out[MOST_ELEMENTS];
    int n = elements_of(w, v, elements, MOST_ELEMENTS);
    if (n < 0) return refuse(w, shape, v);
    fields_of_row(&f, first_row(shape));
    n = in_new_order(shape, elements, n);
    memset(codes, 0, sizeof *codes * (size_t)shape_width((Shape)shape));
    int count = walk_fields(w, &f, elements, n, false, out, codes);
    return count < 0 ? VALUE_FAILED : tuple_of(w, out, count);
}

static Value walk_list(Walk *w, int shape, Value v, int *codes) {
    const Row *r = first_row(shape);
    int64_t n = value_is_tuple(v) ? value_length(w->c, v) : -1;
    if (n < r->code || n > r->most) return refuse(w, shape, v);
    int width = shape_width(r->other);
    memset(codes, 0, sizeof *codes * (size_t)(1 + r->most * width));
    *codes = (int)n;
    Gather g = gather(w->c);
    for (int k = 0; k < n; k++) {
        int yields = w->yields; // the same for all
        Value item = walk(w, r->other, value_element(w->c, v, (uint32_t)k), codes + 1 + k * width);
        w->yields = yields;
        if (w->failed) return VALUE_FAILED;
        if (w->build) gather_add(&g, item);
    }
    return w->build ? gather_tuple(&g) : VALUE_NONE;
}

// Of a code the digits that are not 0 are known, and that there are as many as the shape takes at least.
static Value walk_digits(Walk *w, int shape, Value v, int *codes) {
    const Row *r = first_row(shape);
    Value items[MOST_ELEMENTS];
    int n = 0, digit;
    *codes = 0;
    if (value_is_small(v)) {
        int64_t rest = value_small(v), places = 1;
        for (; n < r->code || rest / places; places *= 10)
            if (rest < 0 || n++ == r->most) return refuse(w, shape, v);
        for (int k = 0; k < n; k++) items[k] = value_of_small(rest / (places /= 10) % 10);
        w->leaf++;
        *codes = (int)rest;
        return tuple_of(w, items, n);
    }
    n = elements_of(w, v, items, r->most);
    if (n < r->code) return refuse(w, shape, v);
    for (int k = 0; k < n && !w->failed; k++) {
        items[k] = walk(w, r->other, items[k], &digit);
        *codes = *codes * 10 + digit;
    }
    return tuple_of(w, items, n);
}

// The old forms of a tree, (feature,) and (feature, relation, number, yes, no), have no word in front.
static Value walk_tree(Walk *w, int shape, Value v) {
    Value elements[MOST_ELEMENTS];
    int n = elements_of(w, v, elements, MOST_ELEMENTS), none;
    bool old = n > 0 && value_is_small(elements[0]);
    if (!old && n > 0 && value_is_word(elements[0])) {
        Arm arm;
        if (!arm_of_word(shape, (int)value_word(elements[0]), &arm)) return refuse(w, shape, elements[0]);
        w->leaf++;
        bool itself = n == 2 && (value_same(elements[1], value_of_small(Feature_ITSELF)) ||
                                 value_same(elements[1], value_of_word(WORD_ITSELF)));
        if (arm.code == Tree_COPY && itself) return w->leaf++, value_of_word(WORD_KEEP);
        return walk_arm(w, shape, &arm, elements + 1, n - 1, false, &none);
    }
    if (!old) return walk_union(w, shape, v, &none);
    if (n == 1 && value_same(elements[0], value_of_small(0))) return w->leaf++, value_of_word(WORD_KEEP);
    if (n != 1 && n != 5) return refuse(w, shape, v);
    Arm arm;
    arm_of_word(shape, n == 1 ? WORD_COPY : WORD_IF, &arm);
    return walk_arm(w, shape, &arm, elements, n, false, &none);
}

static Value walk(Walk *w, int shape, Value v, int *codes) {
    if (shape == SHAPE_NONE || w->failed) return refuse(w, shape, v);
    switch (shape_kind(shape)) {
    case SET: return walk_set(w, shape, v, codes);
    case RECORD: return walk_record(w, shape, v, codes);
    case LIST: return walk_list(w, shape, v, codes);
    case DIGITS: return walk_digits(w, shape, v, codes);
    case TREE: return walk_tree(w, shape, v);
    default: return walk_union(w, shape, v, codes);
    }
}

// ---- The public face ----

Shape shape_yields(Ctx *c, Shape shape, Value v) {
    int codes[MOST_CODES];
    Walk w = {.c = c, .yields = SHAPE_Number};
    if (shape != SHAPE_NONE && shape_width(shape) <= MOST_CODES) walk(&w, (int)shape, v, codes);
    return w.failed ? SHAPE_Number : (Shape)w.yields;
}

Value shape_read_after(Ctx *c, Shape yields, Shape shape, Value v, ShapeFault *fault) {
    int codes[MOST_CODES];
    Walk w = {.c = c, .build = true, .yields = (int)yields, .fault = fault};
    Value found = walk(&w, (int)shape, v, codes);
    if (w.failed) return ctx_fail(c, TS_FAIL_VALUE);
    return c->failure ? VALUE_FAILED : found;
}

Value shape_read(Ctx *c, Shape shape, Value v, ShapeFault *fault) {
    return shape_read_after(c, SHAPE_Number, shape, v, fault);
}

bool shape_codes_after(Ctx *c, Shape yields, Shape shape, Value v, int *codes) {
    Walk w = {.c = c, .yields = (int)yields};
    walk(&w, (int)shape, v, codes);
    ctx_charge(c, READ_UNITS * (1 + w.leaf));
    // What a rule says is short; what is refused may be of any size, and was read up to where it is wrong.
    if (w.failed && ctx_charge(c, (int64_t)value_weight(v))) ctx_fail(c, TS_FAIL_VALUE);
    return !c->failure;
}

bool shape_codes(Ctx *c, Shape shape, Value v, int *codes) {
    return shape_codes_after(c, SHAPE_Number, shape, v, codes);
}

bool shape_code(Ctx *c, Shape shape, Value v, int *code) {
    assert(shape_width(shape) == 1);
    return shape_codes(c, shape, v, code);
}

// One node of a tree; its branches stay as they are.
bool shape_tree(Ctx *c, Value v, TreeForm *t) {
    Walk w = {.c = c, .yields = SHAPE_Number};
    Value elements[MOST_ELEMENTS];
    int n = elements_of(&w, v, elements, MOST_ELEMENTS);
    *t = (TreeForm){0};
    if (value_is_small(v)) {
        t->is_color = true;
        walk(&w, SHAPE_Color, v, &t->color);
    } else if (value_is_word(v)) {
        t->is_copy = true;
        w.failed = value_word(v) != WORD_KEEP;
    } else if (n > 0) {
        const Value *e = elements;
        if (value_is_word(*e)) {
            w.failed = value_word(*e) != (n == 2 ? WORD_COPY : WORD_IF);
            e++, n--;
        }
        t->is_copy = n == 1;
        if (n != 1 && n != 5) w.failed = true;
        walk(&w, SHAPE_Feature, e[0], &t->feature);
        if (n == 5) {
            walk(&w, SHAPE_Relation, e[1], &t->relation);
            walk(&w, w.yields, e[2], &t->number);
            t->yes = e[3], t->no = e[4];
        }
    } else w.failed = true;
    if (w.failed) ctx_fail(c, TS_FAIL_VALUE);
    return !c->failure;
}
