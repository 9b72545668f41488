// Values in words, taken apart: for telling, varying and walking trees.
#include "words/rows.h"

static int resolve(const Form *f, int shape) { return shape == SHAPE_YIELDED ? f->yields : shape; }

int field_shape(const Form *f, int k) { return resolve(f, f->fields.at[k].shape); }

static Value element(Value v, uint32_t k) {
    const Obj *o;
    if (value_is_loc(v)) {
        uint32_t word = value_word(v);
        return value_of_small(k ? word_j(word) : word_i(word));
    }
    o = value_obj(v);
    return obj_items(o)[k];
}

static uint32_t length(Value v) { return value_is_loc(v) ? 2 : value_obj(v)->n; }

static void note_yield(Form *f, int word) {
    Shape yields = row_of_word(word)->yields;
    if (yields != SHAPE_NONE) f->yields = yields;
}

// The value that stands for a field which is not written.
static Value unwritten(int shape, int missing) {
    Arm arm;
    int fields[MOST_FIELDS];
    if (shape_kind(shape) == LIST) return VALUE_NO_TUPLE;
    if (shape_kind(shape) == SET) return VALUE_NO_SET;
    if (!arm_of_code(shape, missing, &arm, fields)) return VALUE_NONE;
    return arm.row->kind == ROW_NUMBER ? value_of_small(arm.code) : value_of_word((unsigned)arm.row->word);
}

static bool open_fields(Form *f, Value v, uint32_t at) {
    uint32_t n = value_is_tuple(v) ? length(v) : 0;
    for (int k = 0; k < f->fields.count; k++) {
        const Field field = f->fields.at[k];
        int shape = field_shape(f, k);
        f->written[k] = false;
        f->values[k] = VALUE_NONE;
        if (shape == SHAPE_PAD) continue;
        if (at >= n) {
            if (field.missing == REQUIRED) return false;
            f->values[k] = unwritten(shape, field.missing);
            continue;
        }
        Value e = f->values[k] = element(v, at++);
        f->written[k] = field.missing == REQUIRED || !value_same(e, unwritten(shape, field.missing));
        Value head = value_is(e, KIND_TUPLE) && value_obj(e)->n ? obj_items(value_obj(e))[0] : e;
        if (value_is_word(head) && shape_kind(shape) != SET) note_yield(f, (int)value_word(head));
        if (field.stride != SPLICED) continue;
        Arm arm;
        if (!value_is_word(e) || !arm_of_word(shape, (int)value_word(e), &arm)) return false;
        fields_splice(&f->fields, k, shape, arm.row);
    }
    return at >= n;
}

// A grid of numbers is no tuple of words, but a list of records of numbers may look like one.
bool form_open(int shape, Value v, int yields, Form *f) {
    *f = (Form){.yields = yields};
    if (shape_kind(shape) == RECORD) {
        if (!value_is_loc(v) && !value_is(v, KIND_TUPLE)) return false;
        fields_of_row(&f->fields, first_row(shape));
        return open_fields(f, v, 0);
    }
    if (value_is_small(v)) {
        int fields[MOST_FIELDS];
        return arm_of_code(shape, (int)value_small(v), &f->arm, fields);
    }
    Value head = value_is(v, KIND_TUPLE) && value_obj(v)->n ? obj_items(value_obj(v))[0] : v;
    if (!value_is_word(head) || !arm_of_word(shape, (int)value_word(head), &f->arm)) return false;
    note_yield(f, (int)value_word(head));
    fields_of_row(&f->fields, f->arm.row);
    return open_fields(f, v, 1);
}
