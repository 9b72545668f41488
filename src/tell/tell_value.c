// Constants in English, by what they are for: colours by name, ranks as "the second", directions, sizes,
// places.
#include "tell/teller.h"

enum { MOST_LISTED = 6, MOST_SHAPED = 1500 }; // values; characters

void tell_color(Text *out, int64_t color) {
    if (color >= 0 && color < 10) color_tell(out, (int)color);
    else text_int(out, color);
}

static void tell_rank(Text *out, int64_t rank) {
    static const char *const ranks[] = {"first", "second", "third",   "fourth",
                                        "fifth", "sixth",  "seventh", "eighth"};
    if (rank >= 0 && rank < 8) text_add(out, ranks[rank]);
    else if (rank >= 0) text_print(out, "one with rank %lld", (long long)rank + 1);
    else if (rank == -1) text_add(out, "last");
    else if (rank >= -8) text_print(out, "%s from the end", ranks[-rank - 1]);
    else text_print(out, "one with rank %lld from the end", -(long long)rank);
}

static void tell_number(Text *out, int64_t n, ConstantKind kind) {
    if (kind == CONSTANT_COLOR) tell_color(out, n);
    else if (kind == CONSTANT_RANK) tell_rank(out, n);
    else if (kind == CONSTANT_FLAG) text_add(out, n ? "yes" : "no");
    else if (n < 0) text_print(out, "minus %lld", -(long long)n);
    else text_int(out, n);
}

static bool is_unit(int n) { return n >= -1 && n <= 1; }

static void tell_way(Text *out, int i, int j) {
    static const char *const rows[] = {"up", "down"}, *const columns[] = {"to the left", "to the right"};
    const bool one = is_unit(i) && is_unit(j);
    if (!i && !j) text_add(out, "not at all");
    if (i && !one) text_print(out, "%d ", i < 0 ? -i : i);
    if (i) text_add(out, rows[i > 0]);
    if (i && j) text_add(out, one ? " " : " and ");
    if (j && !one) text_print(out, "%d ", j < 0 ? -j : j);
    if (j) text_add(out, columns[j > 0]);
}

static void tell_pair(Text *out, int i, int j, ConstantKind kind) {
    if (kind == CONSTANT_SIZE) text_print(out, "%d by %d", i, j);
    else if (!i && !j && kind != CONSTANT_DIRECTION) text_add(out, "the upper left cell");
    else if (kind == CONSTANT_DIRECTION || (kind != CONSTANT_PAIR && is_unit(i) && is_unit(j)) || i < 0 ||
             j < 0)
        tell_way(out, i, j);
    else {
        text_add(out, "the cell ");
        if (i) text_print(out, "%d down", i);
        if (i && j) text_add(out, " and ");
        if (j) text_print(out, "%d right", j);
        text_add(out, " of the upper left one");
    }
}

static bool all_numbers(const Obj *o) {
    for (uint32_t k = 0; k < o->n; k++)
        if (!value_is_small(obj_items(o)[k])) return false;
    return true;
}

static void tell_numbers(Text *out, const Obj *o, ConstantKind kind) {
    for (uint32_t k = 0; k < o->n; k++) {
        if (k) text_add(out, k + 1 < o->n ? ", " : " and ");
        tell_number(out, value_small(obj_items(o)[k]), kind);
    }
}

static void tell_object(Text *out, const Obj *o, ConstantKind kind) {
    const char *s = o->n == 1 ? "" : "s";
    switch ((Kind)o->kind) {
    case KIND_BIG: text_int(out, value_int_of(value_of_obj(o))); return;
    case KIND_GRID: text_print(out, "a given pattern of %u by %u", o->n, o->width); return;
    case KIND_LOCS:
    case KIND_CELLS: text_print(out, "%u given cell%s", o->n, s); return;
    case KIND_FUNC: text_add(out, "something worked out"); return;
    case KIND_TUPLE:
    case KIND_SET: break;
    }
    if (o->n == 0) text_add(out, "nothing");
    else if (o->n <= MOST_LISTED && all_numbers(o)) tell_numbers(out, o, kind);
    else text_print(out, "%u given value%s", o->n, s);
}

void tell_value(Text *out, Value v, ConstantKind kind) {
    switch (value_tag(v)) {
    case TAG_INT: tell_number(out, value_small(v), kind); return;
    case TAG_LOC: tell_pair(out, word_i(value_word(v)), word_j(value_word(v)), kind); return;
    case TAG_CELL:
        text_add(out, "a ");
        tell_color(out, word_v(value_word(v)));
        text_add(out, " cell");
        return;
    case TAG_OBJ: tell_object(out, value_obj(v), kind); return;
    case TAG_NONE: text_add(out, "nothing"); return;
    case TAG_WORD: shape_tell(out, word_shape((Word)value_word(v)), v); return;
    default: text_add(out, "something");
    }
}

// ---- What coarse primitives take ----

// The whole grid, and the tile that it repeats, are one piece.
static bool is_one_piece(const Expr *from) {
    Value look = from->value;
    if (from->kind != EXPR_VALUE) return false;
    if (value_is(look, KIND_TUPLE) && value_obj(look)->n) look = obj_items(value_obj(look))[0];
    return value_is_word(look) && (value_word(look) == WORD_WHOLE || value_word(look) == WORD_REPEATED_TILE);
}

void tell_pieces(Text *out, const Expr *call, int argument, bool each) {
    const Shape shape = ops_table[call->op].shapes[argument];
    const Value v = call->args[argument]->value;
    text_add(out, each && !is_one_piece(call->args[argument]) ? "each " : "the ");
    if (shape == SHAPE_Look) shape_tell_field(out, shape, v, 0);
    else shape_tell(out, shape, v);
}

void tell_cut(Text *out, const Expr *call, int argument) {
    const size_t start = out->length;
    text_add(out, ", ");
    if (!shape_tell_field(out, SHAPE_Look, call->args[argument]->value, 1) && !out->failed)
        out->length = start;
}

void tell_choice(Text *out, const Expr *call, int argument) {
    if (is_one_piece(call->args[argument - 1])) return;
    text_char(out, ' ');
    shape_tell(out, SHAPE_Choice, call->args[argument]->value);
}

// Of one piece the greatest is the only one.
void tell_measure(Text *out, const Expr *call, int argument) {
    const Value v = call->args[argument]->value;
    const Expr *source = call->args[argument - 2];
    bool one = is_one_piece(source) && value_is_word(v);
    if (one && value_word(v) != WORD_HOW_MANY && value_word(v) != WORD_HOW_MANY_DIFFERENT)
        text_add(out, "the");
    else tell_shaped(out, call, argument);
}

bool tell_shaped(Text *out, const Expr *e, int argument) {
    const Shape *shapes = ops_table[e->op].shapes, shape = shapes[argument];
    const Expr *before = argument > 0 ? e->args[argument - 1] : NULL;
    if (shape == SHAPE_NONE || e->args[argument]->kind != EXPR_VALUE) return false;
    const size_t start = out->length;
    Shape yields = SHAPE_Number;
    if (before && before->kind == EXPR_VALUE) yields = shape_told_yields(shapes[argument - 1], before->value);
    shape_tell_after(out, yields, shape, e->args[argument]->value);
    if (out->length - start > MOST_SHAPED && !out->failed) { // a tree of many questions
        out->length = start + MOST_SHAPED;
        while (out->data[out->length] != ' ') out->length--;
        text_add(out, " … and so on");
    }
    return true;
}

bool tell_is_silent(const Expr *call, int argument) {
    const Value v = call->args[argument]->value;
    const Shape shape = ops_table[call->op].shapes[argument];
    if (shape == SHAPE_Paint) return value_is_word(v) && value_word(v) == WORD_OWN_COLOR;
    if (shape == SHAPE_ImageLay) return value_is_word(v) && value_word(v) == WORD_ON_TOP;
    if (shape == SHAPE_NormalForm) { // said on the way there
        const Expr *way = call->args[argument + 1];
        return way->kind == EXPR_VALUE && value_same(way->value, value_of_word(WORD_FROM_NORMAL));
    }
    return value_equal(v, VALUE_NO_TUPLE);
}
