// Words and shapes: what the parameters of a coarse primitive may hold, as a person reads it.
//
// A word is a value that stands for itself, such as REGIONS. A shape is a set of forms: a word, a word with
// fields in a tuple, (THROUGH_TO, 3), a number, a set, a list, or a record of fields. All of them are rows of
// words.def; every program prints, is read, checked, mutated, made up and told by one walk over those rows.
//
// To the C code a form is a few whole numbers, its codes, and that is what programs carried before there were
// words. A shape of kind
//     PACKED  has one code: that of the word, plus that of each field times its stride
//     FLAT    has several: that of the word, then those of its fields, filled up with 0
//     SET     has one, the sum of the powers of two of its members
//     RECORD  has those of its fields; one that is SPLICED lies in the tuple itself, not in one of its own
//     LIST    has the number of its items, then theirs, filled up with 0
//     DIGITS  is a list with one code: its items are the decimal digits
//     TREE    has none: trees are walked by who needs them
// Wherever a word may stand, its code is understood too; what is read becomes words.
//
// One form for each meaning: fields at the end that say what goes without saying are left out, and a word
// that is alone needs no tuple.
#ifndef TESSERA_WORDS_WORDS_H
#define TESSERA_WORDS_WORDS_H

#include "base/rng.h"
#include "value/value.h"

// The shapes; the types of ops.def that are none count as SHAPE_NONE.
enum {
    SHAPE_NONE,
#define SHAPE(name, ...) SHAPE_##name,
#include "words/words.def"
    SHAPES,
#define TYPE(name, doc) SHAPE_##name = SHAPE_NONE,
#include "words/types.def"
};
typedef int Shape; // an int, as codes are

// The words, and the code of each in its shape: Stop_WALL.
typedef enum {
#define WORD(shape, code, name, ...) WORD_##name,
#include "words/words.def"
    WORDS
} Word;

enum {
#define WORD(shape, code, name, ...) shape##_##name = code,
#define SAME(shape, code, name) shape##_##name = code,
#include "words/words.def"
};

typedef struct {
    const char *name; // of the shape
    const char *doc;
} ShapeInfo;
extern const ShapeInfo shapes_table[SHAPES];
extern const char *const word_names[WORDS];

Shape word_shape(Word word); // that owns it
const char *word_phrase(Word word);

// ---- Reading ----

// What was wrong where a value does not fit.
typedef struct {
    int leaf;     // how many words and numbers stand before it in the value as it is written
    Shape wanted; // SHAPE_NONE: a tuple of another length
    Value found;
} ShapeFault;

// The value in words, whether it holds words or codes. On failure the context fails with `value`.
Value shape_read(Ctx *c, Shape shape, Value v, ShapeFault *fault);
// A parameter may be about what the one before it yields, such as the values of a property: it follows that
// one. What does not follow takes SHAPE_Number for it.
bool shape_follows(Shape shape);
Shape shape_yields(Ctx *c, Shape shape, Value v);
Value shape_read_after(Ctx *c, Shape yields, Shape shape, Value v, ShapeFault *fault);
bool shape_codes_after(Ctx *c, Shape yields, Shape shape, Value v, int *codes);
// What the shape takes, for an error: its words, or the first of them.
void shape_print_allowed(Text *t, Shape shape, size_t most);
// For the manual (word_manual.c).
void shape_print_manual(Text *t, Shape shape);
void word_print_manual(Text *t, Word word);
void shapes_print_json(Text *t);

// ---- Codes ----

// What the word of a code yields; SHAPE_NONE where there is none.
Shape shape_code_yields(Shape shape, int code);
// How many a form of this shape has; no shape has more than this.
enum { SHAPE_MOST_CODES = 4096 };
int shape_width(Shape shape);
// All codes of a value, in words or not. False, with the failure set, where it does not fit.
bool shape_codes(Ctx *c, Shape shape, Value v, int *codes);
// For a shape of one code.
bool shape_code(Ctx *c, Shape shape, Value v, int *code);

// ---- Trees ----

// A tree in words is a colour, KEEP, (COPY, feature) or (IF, feature, EQUALS or AT_LEAST, value, tree, tree).
// What stands before and in it.
typedef struct {
    bool is_color, is_copy; // else it asks
    int color;
    int feature, relation, number; // codes
    Value yes, no;
} TreeForm;
bool shape_tree(Ctx *c, Value v, TreeForm *form);

// ---- Others ----

// A value of the shape, made up.
Value shape_random(Ctx *c, Rng *r, Shape yields, Shape shape);
// What was changed, as SIZE to HEIGHT; None for what was not there, or is not there any more.
typedef struct {
    Value from, to;
} ShapeChange;
// A value that differs at one place: another word, another number, an item more or less. The same where
// there is none.
Value shape_mutate(Ctx *c, Rng *r, Shape yields, Shape shape, Value v, ShapeChange *change);
// In English, as part of a sentence.
void shape_tell(Text *t, Shape shape, Value v);
void shape_tell_after(Text *t, Shape yields, Shape shape, Value v);
// One field of a record; false where it is not written.
bool shape_tell_field(Text *t, Shape shape, Value v, int field);
// What a value in words yields, for telling what stands after it.
Shape shape_told_yields(Shape shape, Value v);
void color_tell(Text *t, int color);

#endif
