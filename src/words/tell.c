// Values in words told in English, as part of a sentence, by the phrases of words.def. What reads badly as a
// phrase with gaps, conditions and trees, has a function here.
#include <ctype.h>
#include <stdio.h>

#include "words/rows.h"

static void tell(Text *t, int shape, Value v, int yields);

void color_tell(Text *t, int color) {
    static const char *const names[] = {"black", "blue", "red",    "green", "yellow",
                                        "grey",  "pink", "orange", "cyan",  "maroon"};
    if (color >= 0 && color <= 9) text_add(t, names[color]);
    else text_print(t, "colour %d", color);
}

static void tell_number(Text *t, const Row *r, int n) {
    bool is_color = r->shape == SHAPE_Color || r->shape == SHAPE_ColorSet || r->shape == SHAPE_Tree;
    for (const char *p = r->phrase; *p; p++) {
        if (strncmp(p, "{0}", 3) != 0) {
            text_char(t, *p);
            continue;
        }
        if (is_color) color_tell(t, n);
        else text_int(t, n);
        p += 2;
    }
}

// One side of what a flag says, yes|no; false where there is no such side.
static bool tell_side(Text *t, const char *phrase, bool yes) {
    const char *bar = strchr(phrase, '|');
    if (yes) text_put(t, phrase, bar ? (size_t)(bar - phrase) : strlen(phrase));
    else if (bar) text_add(t, bar + 1);
    return yes || bar;
}

static void tell_phrase(Text *t, const Form *f, const char *phrase);

static void tell_field(Text *t, const Form *f, int k) {
    Form inner;
    if (k < 0 || k >= f->fields.count) return;
    if (f->fields.at[k].stride == OR_ELSE && value_is_word(f->values[k]) &&
        value_word(f->values[k]) == WORD_OTHERWISE)
        text_add(t, word_phrase(WORD_OTHERWISE));
    else if (f->no && form_open(field_shape(f, k), f->values[k], f->yields, &inner) && inner.arm.row &&
             inner.arm.row->kind != ROW_NUMBER) {
        inner.no = true;
        tell_phrase(t, &inner, row_of_word(inner.arm.row->word)->phrase);
    } else tell(t, field_shape(f, k), f->values[k], f->yields);
}

// ---- Fields that are spliced in ----
//
// A phrase numbers the fields of its row. In the form those of a word that is spliced in follow that word.

static void tell_phrase(Text *t, const Form *f, const char *phrase);

static int spliced_at(const Form *f) {
    int k = 0;
    while (k < f->fields.count && f->fields.at[k].stride != SPLICED) k++;
    return k;
}

static int place_of_field(const Form *f, int k) {
    const int at = spliced_at(f);
    Arm arm;
    if (k <= at || !value_is_word(f->values[at]) ||
        !arm_of_word(field_shape(f, at), (int)value_word(f->values[at]), &arm))
        return k;
    int own = row_field_count(arm.row);
    while (at + 1 + own < f->fields.count && f->fields.at[at + 1 + own].shape == SHAPE_PAD) own++;
    return k + own;
}

static void tell_spliced(Text *t, const Form *f, int at) {
    Form own = {.yields = f->yields};
    if (!value_is_word(f->values[at]) ||
        !arm_of_word(field_shape(f, at), (int)value_word(f->values[at]), &own.arm))
        return;
    own.fields.count = row_field_count(own.arm.row);
    memcpy(own.fields.at, f->fields.at + at + 1, sizeof *own.fields.at * (size_t)own.fields.count);
    memcpy(own.values, f->values + at + 1, sizeof *own.values * (size_t)own.fields.count);
    memcpy(own.written, f->written + at + 1, sizeof *own.written * (size_t)own.fields.count);
    tell_phrase(t, &own, row_of_word(own.arm.row->word)->phrase);
}

static void tell_field_of_row(Text *t, const Form *f, int k) {
    if (k < f->fields.count && f->fields.at[k].stride == SPLICED) tell_spliced(t, f, k);
    else tell_field(t, f, place_of_field(f, k));
}

// Whether a field within these brackets says something.
static bool says(const Form *f, const char *p) {
    for (; *p && *p != ']'; p++)
        if (*p == '{' && isdigit((unsigned char)p[1]) && f->written[place_of_field(f, p[1] - '1')])
            return true;
    return false;
}

// A phrase may have several parts: noun//clause that a value ends//clause of a flag~clause that there is one.
static bool ends_part(const char *p) { return !*p || *p == '~' || (p[0] == '/' && p[1] == '/'); }

// The n-th part from the noun on, the last where there are fewer.
static const char *phrase_part(const char *phrase, int n) {
    for (const char *p = phrase; n > 0 && *p && *p != '~'; p++)
        if (ends_part(p)) phrase = p += 2, n--;
    return phrase;
}

static const char *phrase_if_any(const char *phrase) {
    const char *mark = strchr(phrase, '~');
    return mark ? mark + 1 : NULL;
}

// One part, and of that one side.
static void tell_phrase(Text *t, const Form *f, const char *phrase) {
    for (const char *p = phrase; f->no && !ends_part(p); p++)
        if (*p == '|') {
            phrase = p + 1;
            break;
        }
    for (const char *p = phrase; !ends_part(p) && *p != '|'; p++) {
        if (*p == '[') {
            if (says(f, p)) continue;
            while (*p && *p != ']') p++;
            if (!*p) return;
        } else if (strncmp(p, "{#}", 3) == 0) {
            text_add(t, f->amount ? f->amount : "how many");
            p += 2;
        } else if (*p == '{' && isdigit((unsigned char)p[1]) && p[2] == '}') {
            tell_field_of_row(t, f, p[1] - '1');
            p += 2;
        } else if (*p != ']') text_char(t, *p);
    }
}

// ---- Lists and sets ----

typedef struct {
    Value v;
    uint32_t n;
} Items;

static Items items_of(Value v) {
    if (value_is_loc(v)) return (Items){v, 2};
    return (Items){v, value_tag(v) == TAG_OBJ ? value_obj(v)->n : 0};
}

// A row of a grid that has two cells is a pair.
static Value item_at(Items items, uint32_t k) {
    if (value_is_loc(items.v))
        return value_of_small(k ? word_j(value_word(items.v)) : word_i(value_word(items.v)));
    const Obj *o = value_obj(items.v);
    if (o->kind == KIND_TUPLE || o->kind == KIND_SET) return obj_items(o)[k];
    if (o->kind == KIND_GRID && o->width == 2)
        return value_of_loc(loc_word(obj_cells(o)[2 * k], obj_cells(o)[2 * k + 1]));
    return VALUE_NONE;
}

static void tell_items(Text *t, int shape, Value v, int yields, const char *last) {
    Items items = items_of(v);
    for (uint32_t k = 0; k < items.n; k++) {
        if (k) text_add(t, k + 1 == items.n ? last : ", ");
        tell(t, shape, item_at(items, k), yields);
    }
    if (!items.n) text_add(t, "none");
}

// The usual sets of directions have a name.
static bool tell_directions(Text *t, Items items) {
    static const struct {
        unsigned set;
        const char *name;
    } names[] = {{0x05, "up and down"},
                 {0x0A, "to the left and to the right"},
                 {0x0F, "to all four sides"},
                 {0xF0, "in all four diagonal directions"},
                 {0xFF, "in all eight directions"}};
    unsigned set = 0;
    for (uint32_t k = 0; k < items.n; k++) set |= 1U << (value_word(item_at(items, k)) - WORD_NORTH);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (names[k].set != set) continue;
        text_add(t, names[k].name);
        return true;
    }
    return false;
}

static void tell_set(Text *t, int shape, Value v, int yields) {
    Items items = items_of(v);
    if (shape == SHAPE_DirectionSet && tell_directions(t, items)) return;
    for (uint32_t k = 0; k < items.n; k++) {
        Form f;
        if (k) text_add(t, k + 1 == items.n ? " and " : ", ");
        if (!form_open(shape, item_at(items, k), yields, &f)) continue;
        if (f.arm.row->kind == ROW_NUMBER) tell_number(t, f.arm.row, f.arm.code);
        else tell_phrase(t, &f, row_of_word(f.arm.row->word)->phrase);
    }
    if (!items.n) text_add(t, "none");
}

static void tell_list(Text *t, int shape, Value v, int yields) {
    const Row *r = first_row(shape);
    if (shape == SHAPE_StampCells) text_print(t, "%u cells", items_of(v).n);
    else tell_items(t, r->other, v, yields, shape == SHAPE_Conditions ? " and " : ", ");
}

// ---- Conditions ----

static void tell_flag_condition(Text *t, const char *phrase, int test, int value, bool not ) {
    bool yes = test == Test_LEAST ? false : test == Test_EQUALS ? value != 0 : true;
    if (test == Test_UNIQUE || test == Test_COMMONEST) {
        text_add(t, (test == Test_UNIQUE) != not ? "that differs from all others in whether it "
                                                 : "that is like most in whether it ");
        tell_side(t, phrase, true);
        return;
    }
    text_add(t, "that ");
    tell_side(t, phrase, yes != not );
}

static void tell_condition(Text *t, const Form *f) {
    const Row *property = row_of_word((int)value_word(f->values[0]));
    int word = (int)value_word(f->values[1]), last = f->fields.count - 1;
    bool not = f->written[last];
    Arm arm;
    arm_of_word(SHAPE_Test, word, &arm);
    if (property->yields == SHAPE_Flag) {
        int value = value_is_small(f->values[2]) ? (int)value_small(f->values[2]) : 0;
        tell_flag_condition(t, property->phrase, arm.code, value, not );
        return;
    }
    if (property->word == WORD_TOUCHES && (arm.code == Test_HOLDS || arm.code == Test_EQUALS)) {
        text_add(t, not ? "that does not touch " : "that touches ");
        tell_field(t, f, 2);
        if (arm.code == Test_EQUALS) text_add(t, " and no other colour");
        return;
    }
    switch (arm.code) {
    case Test_MOST: text_add(t, not ? "without the greatest " : "with the greatest "); break;
    case Test_LEAST: text_add(t, not ? "without the least " : "with the least "); break;
    default: text_add(t, "whose "); break;
    }
    text_add(t, property->phrase);
    switch (arm.code) {
    case Test_MOST:
    case Test_LEAST: break;
    case Test_UNIQUE: text_add(t, not ? " others have, too" : " no other has"); break;
    case Test_COMMONEST: text_add(t, not ? " is not the commonest" : " is the commonest"); break;
    case Test_IS_ODD: text_add(t, not ? " is even" : " is odd"); break;
    case Test_HOLDS:
        text_add(t, not ? " does not hold " : " holds ");
        tell_field(t, f, 2);
        break;
    default:
        text_add(t, not ? " is not " : " is ");
        if (arm.code == Test_AT_LEAST) text_add(t, "at least ");
        tell_field(t, f, 2);
    }
}

// ---- Which piece ----

// What a flag says of one of several: "that is a line".
static void tell_flag(Text *t, const char *phrase, int superlative) {
    bool differs = superlative == Superlative_UNIQUE;
    if (differs || superlative == Superlative_COMMONEST)
        text_add(t, differs ? "that differs from all others in whether it "
                            : "that is like most in whether it ");
    else text_add(t, "that ");
    tell_side(t, phrase, superlative != Superlative_LEAST && superlative != Superlative_SECOND_MOST);
}

// "with the greatest number of cells", by a property and a superlative.
static void tell_superlative(Text *t, const Form *f) {
    static const char *const before[] = {[Superlative_MOST] = "with the greatest ",
                                         [Superlative_LEAST] = "with the least ",
                                         [Superlative_UNIQUE] = "with a ",
                                         [Superlative_SECOND_MOST] = "with the second greatest ",
                                         [Superlative_COMMONEST] = "with the commonest "};
    Form property;
    Arm arm;
    if (!form_open(field_shape(f, 0), f->values[0], SHAPE_Number, &property) ||
        !value_is_word(f->values[1]) || !arm_of_word(SHAPE_Superlative, (int)value_word(f->values[1]), &arm))
        return;
    const Row *r = row_of_word(property.arm.row->word);
    bool early = r->word == WORD_EARLINESS, most = arm.code == Superlative_MOST;
    if (early || (r->word == WORD_INDEX && arm.code <= Superlative_LEAST)) {
        text_add(t, early == most ? "that comes first" : "that comes last");
        return;
    }
    if (r->yields == SHAPE_Flag) {
        tell_flag(t, r->phrase, arm.code);
        return;
    }
    text_add(t, before[arm.code]);
    tell_phrase(t, &property, r->phrase);
    if (arm.code == Superlative_UNIQUE) text_add(t, " of its own");
}

// "of those that touch red": the pieces that a choice is among.
static void tell_among(Text *t, const Form *f) {
    Form property;
    if (!value_is_word(f->values[2]) || value_word(f->values[2]) == WORD_ALL_PIECES ||
        !form_open(SHAPE_PieceProperty, f->values[3], SHAPE_Number, &property))
        return;
    const Row *r = row_of_word(property.arm.row->word);
    bool not = value_word(f->values[2]) == WORD_WITHOUT;
    text_add(t, ", of those ");
    if (r->yields == SHAPE_Flag && value_is_small(f->values[4])) {
        text_add(t, "of which each ");
        tell_side(t, r->phrase, (value_small(f->values[4]) != 0) != not );
        return;
    }
    text_add(t, "whose ");
    tell_phrase(t, &property, r->phrase);
    text_add(t, not ? " is not " : " is ");
    tell(t, r->yields == SHAPE_NONE ? SHAPE_Number : (int)r->yields, f->values[4], SHAPE_Number);
}

static void tell_order(Text *t, const Form *f) {
    Form property;
    if (!form_open(SHAPE_PieceProperty, f->values[0], SHAPE_Number, &property)) return;
    const Row *r = row_of_word(property.arm.row->word);
    bool most = value_is_word(f->values[1]) && value_word(f->values[1]) == WORD_MOST_FIRST;
    if (r->word == WORD_INDEX) text_add(t, most ? "the last one first" : "one after the other");
    else if (r->yields == SHAPE_Flag) {
        text_add(t, "first each that ");
        tell_side(t, r->phrase, most);
    } else {
        text_add(t, "by ");
        tell_phrase(t, &property, r->phrase);
        text_add(t, most ? ", the greatest first" : ", the least first");
    }
    tell_among(t, f);
}

// "the room that comes first: it is laid under all other rooms".
static void tell_room(Text *t, const Form *f) {
    text_add(t, "the room ");
    tell_superlative(t, f);
    text_add(t, ": ");
    tell_phrase(t, f, first_row(SHAPE_CellRule)->phrase);
}

// ---- Trees ----

// Whether there is what the feature gives: by a clause of its own, or as "there is no", with a noun after
// "the".
static void tell_any(Text *t, Form *feature, const char *phrase, bool any) {
    const char *clause = phrase_if_any(phrase);
    feature->no = !any;
    if (!clause) text_add(t, any ? "there is a " : "there is no ");
    tell_phrase(t, feature, clause ? clause : phrase + 4);
}

static void tell_compared(Text *t, const Form *f, const Form *feature, bool at_least) {
    bool is_number = value_is_small(f->values[2]);
    int number = is_number ? (int)value_small(f->values[2]) : -1;
    text_add(t, at_least ? " is at least " : " is ");
    if (!is_number) text_add(t, "nothing");
    else if (feature->yields == SHAPE_Color || feature->yields == SHAPE_MaybeColor) color_tell(t, number);
    else if (feature->yields == SHAPE_ColorSet && !at_least) { // more or less has no meaning for sets
        for (int c = 0, n = 0; c < 10; c++)
            if (number >> c & 1) {
                text_add(t, n++ ? " and " : "");
                color_tell(t, c);
            }
        if (number == 0) text_add(t, "empty");
    } else text_int(t, number);
    if (feature->yields == SHAPE_ColorSet && at_least) text_add(t, " (as bits)");
}

// A feature and what it is compared with, as a clause.
static void tell_question(Text *t, const Form *f) {
    Form feature;
    char amount[40];
    if (!form_open(SHAPE_Feature, f->values[0], SHAPE_Number, &feature)) return;
    const char *phrase = row_of_word(feature.arm.row->word)->phrase;
    bool at_least = value_same(f->values[1], value_of_word(WORD_AT_LEAST));
    bool nothing = value_same(f->values[2], value_of_word(WORD_NOTHING));
    int number = value_is_small(f->values[2]) ? (int)value_small(f->values[2]) : -1;
    bool is_flag = feature.yields == SHAPE_Flag || feature.yields == SHAPE_MaybeFlag;
    bool asks_any = (nothing && !at_least) || (at_least && number == 0);
    bool can_lack = phrase_if_any(phrase) || (!is_flag && strncmp(phrase, "the ", 4) == 0);
    if (asks_any && can_lack) {
        tell_any(t, &feature, phrase, !nothing);
        return;
    }
    if (is_flag) {
        if (asks_any) text_add(t, nothing ? "it is open whether " : "it is known whether ");
        feature.no = number == 0 && !at_least;
        tell_phrase(t, &feature, phrase_part(phrase, 2));
    } else if (strstr(phrase, "{#}")) {
        snprintf(amount, sizeof amount,
                 nothing    ? "an unknown number"
                 : at_least ? "at least %d"
                 : number   ? "exactly %d"
                            : "none",
                 number);
        feature.amount = amount;
        tell_phrase(t, &feature, phrase);
    } else {
        tell_phrase(t, &feature, phrase_part(phrase, 1));
        tell_compared(t, f, &feature, at_least);
    }
}

// If a, b; else if c, d; else e. A question within the first branch is bracketed.
static void tell_tree(Text *t, Value v) {
    Form f;
    for (;;) {
        if (!form_open(SHAPE_Tree, v, SHAPE_Number, &f)) return;
        if (f.arm.row->kind == ROW_NUMBER || f.arm.code != Tree_IF) break;
        text_add(t, "if ");
        tell_question(t, &f);
        text_add(t, ", ");
        Form inner;
        bool nested = form_open(SHAPE_Tree, f.values[3], SHAPE_Number, &inner) && inner.fields.count == 5;
        if (nested) text_char(t, '(');
        tell_tree(t, f.values[3]);
        text_add(t, nested ? "); else " : "; else ");
        v = f.values[4];
    }
    if (f.arm.row->kind == ROW_NUMBER) tell_number(t, f.arm.row, f.arm.code);
    else tell_phrase(t, &f, f.arm.row->phrase);
}

// ---- Paints ----

static void tell_table_of_flag(Text *t, const char *phrase, Value table) {
    Items items = items_of(table);
    for (uint32_t k = 0; k < items.n; k++) {
        Value entry = item_at(items, k);
        if (!value_is_loc(entry)) continue;
        if (k) text_add(t, items.n == 2 ? ", else " : ", ");
        color_tell(t, word_j(value_word(entry)));
        if (k && items.n == 2) continue;
        text_add(t, " if it ");
        tell_side(t, phrase, word_i(value_word(entry)) != 0);
    }
    if (!items.n) text_add(t, "no colour");
}

// "green if it touches the border, …", or "the colour for its height: red for 1, …"
static void tell_paint_by_table(Text *t, const Form *f) {
    const Row *property = row_of_word((int)value_word(f->values[0]));
    if (property->yields == SHAPE_Flag) tell_table_of_flag(t, property->phrase, f->values[1]);
    else {
        text_print(t, "the colour for its %s (", property->phrase);
        tell_field(t, f, 1);
        text_char(t, ')');
    }
}

// ---- All of it ----

static void tell(Text *t, int shape, Value v, int yields) {
    if (shape == SHAPE_PAD || shape == SHAPE_NONE) return;
    ShapeKind kind = shape_kind(shape);
    if (kind == LIST || kind == DIGITS) tell_list(t, shape, v, yields);
    else if (kind == SET) tell_set(t, shape, v, yields);
    else if (kind == TREE) tell_tree(t, v);
    else {
        Form f;
        if (!form_open(shape, v, yields, &f)) {
            text_add(t, "something else");
            return;
        }
        if (shape == SHAPE_Condition) tell_condition(t, &f);
        else if (shape == SHAPE_Choice) {
            tell_superlative(t, &f);
            tell_among(t, &f);
        } else if (shape == SHAPE_PieceOrder) tell_order(t, &f);
        else if (shape == SHAPE_CellRule) tell_room(t, &f);
        else if (shape == SHAPE_Paint && f.arm.code == Paint_BY_TABLE) tell_paint_by_table(t, &f);
        else if (kind == RECORD) tell_phrase(t, &f, first_row(shape)->phrase);
        else if (f.arm.row->kind == ROW_NUMBER) tell_number(t, f.arm.row, f.arm.code);
        else tell_phrase(t, &f, row_of_word(f.arm.row->word)->phrase);
    }
}

void shape_tell(Text *t, Shape shape, Value v) { tell(t, (int)shape, v, SHAPE_Number); }
bool shape_tell_field(Text *t, Shape shape, Value v, int field) {
    Form f;
    if (!form_open((int)shape, v, SHAPE_Number, &f) || field >= f.fields.count || !f.written[field])
        return false;
    tell_field(t, &f, field);
    return true;
}

Shape shape_told_yields(Shape shape, Value v) {
    Form f;
    if (shape == SHAPE_NONE || shape_kind((int)shape) != PACKED) return SHAPE_Number;
    return form_open((int)shape, v, SHAPE_Number, &f) ? (Shape)f.yields : SHAPE_Number;
}

void shape_tell_after(Text *t, Shape yields, Shape shape, Value v) { tell(t, (int)shape, v, (int)yields); }

// ---- For errors and the manual ----

static void print_rows(Text *t, int shape, size_t *left) {
    for (EACH_ROW(r, shape)) {
        if (r->kind == ROW_INCLUDES) print_rows(t, r->other, left);
        if (r->kind != ROW_WORD && r->kind != ROW_SAME && r->kind != ROW_NUMBER) continue;
        if (*left == 0) return;
        if (--*left == 0) {
            text_add(t, ", …");
            return;
        }
        if (t->length && t->data[t->length - 1] != ' ') text_add(t, ", ");
        if (r->kind == ROW_NUMBER) text_print(t, "%d to %d", r->code, r->most);
        else text_add(t, word_names[r->word]);
    }
}

void shape_print_allowed(Text *t, Shape shape, size_t most) {
    if (shape_kind((int)shape) == LIST || shape_kind((int)shape) == RECORD) text_add(t, "a tuple");
    else print_rows(t, (int)shape, &most);
}
