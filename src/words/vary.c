// Values of a shape that are made up, and values that differ from one at a single place.
//
// A place is a word or a number (another of the shape), a list (an item less, or one more), or a set (a
// member less or more). Fields that are not written count like those that are. What comes out is read again,
// so that it is in its one form.
#include "words/rows.h"

enum { TREE_DEPTH = 3, TRIES = 8, TRIES_ANEW = 64 }; // anew: there is nothing to fall back on

typedef struct {
    Ctx *c;
    Rng *r;
    int left; // places before the one to be changed; below zero: it is done
    ShapeChange *made;
} Vary;

static Value make(Vary *x, int shape, int yields, int depth);

static Value tuple_of(Ctx *c, const Value *items, int n) {
    Gather g = gather_room(c, (size_t)n);
    for (int k = 0; k < n; k++) gather_add(&g, items[k]);
    return gather_tuple(&g);
}

// Rows that a value can be of, through those that are included.
static int count_rows(int shape) {
    int n = 0;
    for (EACH_ROW(r, shape))
        n += r->kind == ROW_INCLUDES ? count_rows(r->other) : r->kind != ROW_FIELDS && r->kind != ROW_ITEMS;
    return n;
}

static const Row *row_at(int shape, int *k) {
    for (EACH_ROW(r, shape)) {
        if (r->kind == ROW_INCLUDES) {
            const Row *found = row_at(r->other, k);
            if (found) return found;
        } else if ((*k)-- == 0) return r;
    }
    return NULL;
}

static const Row *any_row(Vary *x, int shape) {
    int k = (int)rng_below(x->r, (uint32_t)count_rows(shape));
    return row_at(shape, &k);
}

// Numbers near zero are what is mostly meant.
static int any_number(Vary *x, const Row *r) {
    int least = r->code, most = r->most;
    if (most - least > 20) {
        if (least < -3) least = -3;
        if (most > least + 12) most = least + 12;
    }
    return least + (int)rng_below(x->r, (uint32_t)(most - least + 1));
}

static int yield_of(Value v, int yields) {
    Value head = value_is(v, KIND_TUPLE) && value_obj(v)->n ? obj_items(value_obj(v))[0] : v;
    if (!value_is_word(head)) return yields;
    Shape own = row_of_word((int)value_word(head))->yields;
    return own == SHAPE_NONE ? yields : (int)own;
}

// Fields in order; those at the end now and then left out. The number of them, in `out`.
static int make_fields(Vary *x, const Row *r, int yields, int depth, Value *out) {
    Fields f;
    int n = 0;
    fields_of_row(&f, r);
    for (int k = 0; k < f.count; k++) {
        const Field field = f.at[k];
        if (field.shape == SHAPE_PAD) continue;
        if (field.missing != REQUIRED && rng_below(x->r, 2)) break;
        int shape = field.shape == SHAPE_YIELDED ? yields : field.shape;
        if (field.stride == SPLICED) {
            const Row *inner = any_row(x, shape);
            out[n++] = value_of_word((unsigned)inner->word);
            fields_splice(&f, k, shape, inner);
            continue;
        }
        out[n] = make(x, shape, yields, depth + 1);
        yields = yield_of(out[n++], yields);
    }
    return n;
}

static Value make_row(Vary *x, const Row *r, int yields, int depth) {
    if (r->kind == ROW_NUMBER) return value_of_small(any_number(x, r));
    Value out[MOST_ELEMENTS + 1] = {value_of_word((unsigned)r->word)};
    int n = make_fields(x, r, yields, depth, out + 1);
    return n ? tuple_of(x->c, out, n + 1) : out[0];
}

static Value make(Vary *x, int shape, int yields, int depth) {
    Gather g = gather(x->c);
    if (x->c->failure) return VALUE_FAILED;
    switch (shape_kind(shape)) {
    case RECORD: {
        Value out[MOST_ELEMENTS];
        int n = make_fields(x, first_row(shape), yields, depth, out);
        return tuple_of(x->c, out, n);
    }
    case DIGITS:
    case LIST: {
        const Row *r = first_row(shape);
        int n = r->code + (int)rng_below(x->r, (uint32_t)(r->most - r->code < 3 ? r->most - r->code + 1 : 4));
        for (int k = 0; k < n; k++) gather_add(&g, make(x, r->other, yields, depth + 1));
        return gather_tuple(&g);
    }
    case SET:
        for (int n = 1 + (int)rng_below(x->r, 3); n > 0; n--)
            gather_add(&g, make_row(x, any_row(x, shape), yields, depth));
        return gather_set(&g);
    case TREE:
        if (depth >= TREE_DEPTH)
            return rng_below(x->r, 2) ? value_of_word(WORD_KEEP) : value_of_small(rng_below(x->r, 10));
        break;
    default: break;
    }
    return make_row(x, any_row(x, shape), yields, depth);
}

static Value in_one_form(Ctx *c, Shape yields, Shape shape, Value v) {
    return c->failure ? VALUE_FAILED : shape_read_after(c, yields, shape, v, NULL);
}

// Fields that fit may make up a form that does not, as a number below zero that has no code: another try.
Value shape_random(Ctx *c, Rng *r, Shape yields, Shape shape) {
    Vary x = {.c = c, .r = r};
    Value v = VALUE_FAILED;
    for (int k = 0; k < TRIES_ANEW && !c->failure; k++) {
        v = in_one_form(c, yields, shape, make(&x, (int)shape, (int)yields, 0));
        if (c->failure != TS_FAIL_VALUE || k + 1 == TRIES_ANEW) break;
        c->failure = TS_FAIL_NONE;
    }
    return v;
}

// ---- Another value ----

static Value change(Vary *x, int shape, Value v, int yields);

static void note_change(Vary *x, Value from, Value to) {
    if (x->made) *x->made = (ShapeChange){from, to};
}

// A number becomes a neighbour of it as often as any other.
static Value other_number(Vary *x, const Row *r, int old) {
    int n = rng_below(x->r, 2) ? old + (rng_below(x->r, 2) ? 1 : -1) : any_number(x, r);
    if (n < r->code) n = r->code + 1;
    if (n > r->most) n = r->most - 1;
    return value_of_small(n);
}

// Another row of the shape. Fields of the old one stay where the new one has the like at their place.
static Value other_row(Vary *x, int shape, const Form *f, int yields) {
    const Row *r = any_row(x, shape);
    if (f->arm.row->kind == ROW_NUMBER && (r->kind == ROW_NUMBER || rng_below(x->r, 2)))
        return other_number(x, f->arm.row, f->arm.code);
    if (r->kind == ROW_NUMBER) return value_of_small(any_number(x, r));
    Value out[MOST_ELEMENTS + 1] = {value_of_word((unsigned)r->word)};
    int n = row_field_count(r), given = yields;
    given = yield_of(out[0], given);
    for (int k = 0; k < n; k++) {
        int wanted = r->fields[k].shape;
        bool stays = k < f->fields.count && f->fields.at[k].shape == wanted && wanted != SHAPE_YIELDED &&
                     value_tag(f->values[k]) != TAG_NONE;
        if (!stays && r->fields[k].missing != REQUIRED) {
            n = k;
            break;
        }
        out[k + 1] = stays ? f->values[k] : make(x, wanted == SHAPE_YIELDED ? given : wanted, given, 1);
        given = yield_of(out[k + 1], given);
    }
    return n ? tuple_of(x->c, out, n + 1) : out[0];
}

// Whether this is the place; counts it.
static bool is_place(Vary *x) { return x->left-- == 0; }

// The fields of a form, one of them changed perhaps. What a property yields may be another now: a value that
// does not fit any more is made up anew.
static Value change_fields(Vary *x, const Form *f, const Value *head, int yields) {
    Value out[MOST_ELEMENTS + 1];
    int n = 0;
    if (head) out[n++] = *head;
    for (int k = 0; k < f->fields.count; k++) {
        int shape = f->fields.at[k].shape;
        if (shape == SHAPE_PAD) continue;
        int before = x->left;
        Value v = f->values[k];
        if (shape == SHAPE_YIELDED) {
            shape = yields;
            Value same = shape_read(x->c, (Shape)shape, v, NULL);
            if (x->c->failure == TS_FAIL_VALUE) {
                x->c->failure = TS_FAIL_NONE;
                v = make(x, shape, yields, 1);
            } else v = same;
        }
        if (f->fields.at[k].stride == SPLICED) {
            out[n++] = v; // its fields follow
            continue;
        }
        if (value_tag(v) == TAG_NONE) { // nothing says what is meant where it is not written
            v = is_place(x) ? make(x, shape, yields, 1) : v;
            if (before >= 0 && x->left < 0) note_change(x, VALUE_NONE, v);
            if (value_tag(v) == TAG_NONE) break; // only the last ones are such
        } else v = change(x, shape, v, yields);
        yields = yield_of(v, yields);
        out[n++] = v;
    }
    return tuple_of(x->c, out, n);
}

static Value change_list(Vary *x, int shape, Value v, int yields) {
    const Row *r = first_row(shape);
    int64_t n = value_length(x->c, v);
    bool here = is_place(x), drops = here && n > r->code && (n == r->most || rng_below(x->r, 2));
    bool adds = here && !drops && n < r->most;
    uint32_t at = drops ? rng_below(x->r, (uint32_t)n) : 0;
    Gather g = gather(x->c);
    for (uint32_t k = 0; k < n; k++) {
        Value e = value_element(x->c, v, k);
        if (drops && k == at) {
            note_change(x, e, VALUE_NONE);
            continue;
        }
        gather_add(&g, here ? e : change(x, r->other, e, yields));
    }
    if (adds) {
        Value item = make(x, r->other, yields, 1);
        note_change(x, VALUE_NONE, item);
        gather_add(&g, item);
    }
    return gather_tuple(&g);
}

static Value change_set(Vary *x, int shape, Value v) {
    if (!is_place(x)) return v;
    Value member = make_row(x, any_row(x, shape), SHAPE_Number, 0), e;
    bool had = value_contains(x->c, v, member) && value_length(x->c, v) > 1;
    Gather g = gather(x->c);
    for (Iter it = iter(x->c, v); iter_next(&it, &e);)
        if (!had || !value_equal(e, member)) gather_add(&g, e);
    if (!had) gather_add(&g, member);
    Value made = gather_set(&g);
    note_change(x, v, made);
    return made;
}

// A number that only tells words of one code apart.
static bool has_one_form(int shape) {
    const Row *r = first_row(shape);
    return r->kind == ROW_NUMBER && r->code == r->most && r[1].kind == ROW_SHAPE;
}

static Value change(Vary *x, int shape, Value v, int yields) {
    if (x->left < 0 || x->c->failure) return v;
    ShapeKind kind = shape_kind(shape);
    if (kind == LIST || kind == DIGITS) return change_list(x, shape, v, yields);
    if (kind == SET) return change_set(x, shape, v);
    Form f;
    if (!form_open(shape, v, yields, &f)) return v;
    if (kind != RECORD && !has_one_form(shape) && is_place(x)) {
        Value made = other_row(x, shape, &f, yields);
        note_change(x, v, made);
        return made;
    }
    if (!f.fields.count) return v;
    Value head = f.arm.row ? value_of_word((unsigned)f.arm.row->word) : VALUE_NONE;
    return change_fields(x, &f, f.arm.row ? &head : NULL, f.arm.row ? yield_of(head, yields) : yields);
}

Value shape_mutate(Ctx *c, Rng *r, Shape yields, Shape shape, Value v, ShapeChange *made) {
    enum { MANY = 1 << 20 };
    Vary count = {.c = c, .r = r, .left = MANY};
    change(&count, (int)shape, v, (int)yields);
    int places = MANY - count.left;
    for (int k = 0; k < TRIES && places > 0 && !c->failure; k++) {
        Vary x = {.c = c, .r = r, .left = (int)rng_below(r, (uint32_t)places), .made = made};
        Value other = in_one_form(c, yields, shape, change(&x, (int)shape, v, (int)yields));
        if (c->failure == TS_FAIL_VALUE) c->failure = TS_FAIL_NONE; // a form that does not fit: another try
        else if (!c->failure && !value_equal(other, v)) return other;
    }
    return c->failure ? VALUE_FAILED : v;
}
