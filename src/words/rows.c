#include "words/rows.h"

#define FIELD(name, shape, stride, missing) \
    { #name, SHAPE_##shape, stride, missing }

const Row words_rows[] = {
#define SHAPE(name, kind_, doc) {.kind = ROW_SHAPE, .shape = SHAPE_##name, .shape_kind = kind_},
#define WORD(shape_, code_, name, yields_, phrase_, ...) \
    {.kind = ROW_WORD,                                   \
     .shape = SHAPE_##shape_,                            \
     .code = code_,                                      \
     .word = WORD_##name,                                \
     .yields = SHAPE_##yields_,                          \
     .phrase = phrase_,                                  \
     .fields = {__VA_ARGS__}},
#define SAME(shape_, code_, name) \
    {.kind = ROW_SAME, .shape = SHAPE_##shape_, .code = code_, .word = WORD_##name},
#define INCLUDES(shape_, other_, offset) \
    {.kind = ROW_INCLUDES, .shape = SHAPE_##shape_, .other = SHAPE_##other_, .code = offset},
#define NUMBER(shape_, least, most_, phrase_) \
    {.kind = ROW_NUMBER, .shape = SHAPE_##shape_, .code = least, .most = most_, .phrase = phrase_},
#define FIELDS_OF(shape_, phrase_, ...) \
    {.kind = ROW_FIELDS, .shape = SHAPE_##shape_, .phrase = phrase_, .fields = {__VA_ARGS__}},
#define ITEMS(shape_, item, least, most_) \
    {.kind = ROW_ITEMS, .shape = SHAPE_##shape_, .other = SHAPE_##item, .code = least, .most = most_},
#include "words/words.def"
    {.kind = ROW_SHAPE},
};

// The place of each row, for finding those of shapes and words.
enum {
#define SHAPE(name, ...) PLACE_OF_##name,
#define WORD(shape, code, name, ...) PLACE_WORD_##name,
#define SAME(shape, code, name) PLACE_SAME_##shape##_##name,
#define INCLUDES(shape, other, ...) PLACE_##shape##_INCLUDES_##other,
#define NUMBER(shape, ...) PLACE_NUMBER_##shape,
#define FIELDS_OF(shape, ...) PLACE_FIELDS_##shape,
#define ITEMS(shape, ...) PLACE_ITEMS_##shape,
#include "words/words.def"
};

const uint16_t words_row_of_shape[SHAPES] = {
#define SHAPE(name, ...) [SHAPE_##name] = PLACE_OF_##name,
#include "words/words.def"
};
const uint16_t words_row_of_word[WORDS] = {
#define WORD(shape, code, name, ...) PLACE_WORD_##name,
#include "words/words.def"
};

const char *const word_names[WORDS] = {
#define WORD(shape, code, name, ...) #name,
#include "words/words.def"
};
const ShapeInfo shapes_table[SHAPES] = {
#define SHAPE(name, kind, doc) [SHAPE_##name] = {#name, doc},
#include "words/words.def"
};

Shape word_shape(Word word) { return row_of_word((int)word)->shape; }
const char *word_phrase(Word word) { return row_of_word((int)word)->phrase; }

int row_field_count(const Row *r) {
    int n = 0;
    while (n < MOST_FIELDS && r->fields[n].name) n++;
    return n;
}

// ---- Which row ----

bool arm_of_word(int shape, int word, Arm *arm) {
    const Row *own = row_of_word(word);
    if (own->shape == (Shape)shape) {
        *arm = (Arm){own, own->code};
        return true;
    }
    for (EACH_ROW(r, shape)) {
        if (r->kind == ROW_SAME && r->word == word) {
            *arm = (Arm){r, r->code};
            return true;
        }
        if (r->kind == ROW_INCLUDES && arm_of_word(r->other, word, arm)) {
            arm->code += r->code;
            return true;
        }
    }
    return false;
}

// Whether it is the code of some form. What is yielded is not known here.
static bool takes_code(int shape, int code) {
    Arm arm;
    int fields[MOST_FIELDS];
    if (shape == SHAPE_YIELDED) return true;
    if (shape_kind(shape) == PACKED) return arm_of_code(shape, code, &arm, fields);
    if (shape_kind(shape) != SET) return true;
    if (code < 0) return false;
    for (int bit = 0; code >> bit; bit++)
        if (code >> bit & 1 && !arm_of_code(shape, bit, &arm, fields)) return false;
    return true;
}

// Takes a code apart into those of the fields, the one with the largest stride first.
static bool unpack(const Row *r, int rest, int *fields) {
    int n = row_field_count(r);
    unsigned done = 0;
    for (int step = 0; step < n; step++) {
        int k = 0;
        while (done >> k & 1) k++;
        for (int f = k + 1; f < n; f++)
            if (!(done >> f & 1) && r->fields[f].stride > r->fields[k].stride) k = f;
        done |= 1U << k;
        fields[k] = rest / r->fields[k].stride;
        rest %= r->fields[k].stride;
        if (!takes_code(r->fields[k].shape, fields[k])) return false;
    }
    return rest == 0;
}

bool arm_of_code(int shape, int code, Arm *arm, int *fields) {
    bool packed = shape_kind(shape) == PACKED;
    for (EACH_ROW(r, shape)) {
        *arm = (Arm){r, r->code};
        switch (r->kind) {
        case ROW_WORD:
            if (packed && r->fields[0].name ? code >= r->code && unpack(r, code - r->code, fields)
                                            : code == r->code)
                return true;
            break;
        case ROW_SAME:
            if (code == r->code) return true;
            break;
        case ROW_NUMBER:
            arm->code = code;
            if (code >= r->code && code <= r->most) return true;
            break;
        case ROW_INCLUDES:
            if (!arm_of_code(r->other, code - r->code, arm, fields)) break;
            arm->code += r->code;
            return true;
        default: break;
        }
    }
    return false;
}

Shape shape_code_yields(Shape shape, int code) {
    Arm arm;
    int fields[MOST_FIELDS];
    if (!arm_of_code((int)shape, code, &arm, fields) || arm.row->kind == ROW_NUMBER) return SHAPE_NONE;
    return row_of_word(arm.row->word)->yields;
}

// ---- Fields ----

void fields_of_row(Fields *f, const Row *r) {
    f->count = row_field_count(r);
    for (int k = 0; k < f->count; k++) f->at[k] = r->fields[k];
}

void fields_splice(Fields *f, int at, int shape, const Row *r) {
    int own = row_field_count(r), width = 0, n = 0;
    Field inner[MOST_ELEMENTS];
    for (int k = 0; k < own; k++) {
        inner[n++] = r->fields[k];
        width += r->fields[k].shape == SHAPE_YIELDED ? 1 : shape_width((Shape)r->fields[k].shape);
    }
    for (; width < shape_width((Shape)shape) - 1; width++) inner[n++] = (Field){"pad", SHAPE_PAD, 1, 0};
    memmove(f->at + at + 1 + n, f->at + at + 1, sizeof *f->at * (size_t)(f->count - at - 1));
    memcpy(f->at + at + 1, inner, sizeof *f->at * (size_t)n);
    f->count += n;
}

bool shape_follows(Shape shape) {
    for (EACH_ROW(r, shape)) {
        if (r->kind == ROW_ITEMS && shape_follows(r->other)) return true;
        if (r->kind == ROW_FIELDS && r->fields[0].shape == SHAPE_YIELDED) return true;
        if (r->kind == ROW_WORD && r->yields == SHAPE_NONE && shape_kind((int)shape) == PACKED &&
            r->fields[0].shape == SHAPE_YIELDED)
            return true;
    }
    return false;
}

int shape_width(Shape shape) {
    int width = 0;
    switch (shape_kind((int)shape)) {
    case PACKED:
    case DIGITS:
    case SET: return 1;
    case TREE: return 0;
    case LIST: {
        const Row *r = first_row((int)shape);
        return 1 + r->most * shape_width(r->other);
    }
    default: break;
    }
    for (EACH_ROW(r, shape)) {
        int own = 0;
        for (int k = 0; k < row_field_count(r); k++)
            own += r->fields[k].shape == SHAPE_YIELDED ? 1 : shape_width((Shape)r->fields[k].shape);
        if (own > width) width = own;
    }
    return width + (shape_kind((int)shape) == FLAT);
}
