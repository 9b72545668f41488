// The rows of words.def as a table, and what the walks over them share.
#ifndef TESSERA_WORDS_ROWS_H
#define TESSERA_WORDS_ROWS_H

#include "words/words.h"

enum { REQUIRED = INT16_MIN, SPLICED = -1, OR_ELSE = -2, SHAPE_YIELDED = SHAPES + 1, SHAPE_PAD = SHAPES + 2 };
enum { MOST_FIELDS = 7, MOST_ELEMENTS = 12, MOST_CODES = SHAPE_MOST_CODES };

typedef enum { PACKED, FLAT, SET, RECORD, LIST, DIGITS, TREE } ShapeKind;
typedef enum { ROW_SHAPE, ROW_WORD, ROW_SAME, ROW_INCLUDES, ROW_NUMBER, ROW_FIELDS, ROW_ITEMS } RowKind;

typedef struct {
    const char *name; // NULL: there is no such field
    int shape;
    int16_t stride, missing;
} Field;

typedef struct {
    RowKind kind;
    Shape shape;
    int code; // ITEMS, NUMBER: the least
    int most;
    int word;     // WORD, SAME
    Shape other;  // INCLUDES, ITEMS
    Shape yields; // WORD
    ShapeKind shape_kind;
    const char *phrase;
    Field fields[MOST_FIELDS];
} Row;

extern const Row words_rows[];
extern const uint16_t words_row_of_shape[SHAPES], words_row_of_word[WORDS];

static inline const Row *row_of_word(int word) { return &words_rows[words_row_of_word[word]]; }
static inline ShapeKind shape_kind(int shape) { return words_rows[words_row_of_shape[shape]].shape_kind; }
static inline const Row *first_row(int shape) { return &words_rows[words_row_of_shape[shape]] + 1; }
// All rows of a shape.
#define EACH_ROW(r, shape)           \
    const Row *r = first_row(shape); \
    r->kind != ROW_SHAPE;            \
    r++

int row_field_count(const Row *r);

// A row that a value is of: a word or a number, with its code.
typedef struct {
    const Row *row; // WORD, SAME or NUMBER
    int code;       // of the word; of a NUMBER the number
} Arm;
bool arm_of_word(int shape, int word, Arm *arm);
// For a PACKED shape `fields` gets the codes of the fields.
bool arm_of_code(int shape, int code, Arm *arm, int *fields);

// The fields of a tuple, to be gone through in order: those of a row, and where one is spliced in, its own
// and as many pads as it has fewer codes than others of its shape.
typedef struct {
    int count;
    Field at[MOST_ELEMENTS];
} Fields;
void fields_of_row(Fields *f, const Row *r);
void fields_splice(Fields *f, int at, int shape, const Row *r);

// A value in words taken apart.
typedef struct {
    Arm arm; // row NULL for a record
    Fields fields;
    Value values[MOST_ELEMENTS]; // of each field, those that are not written too; VALUE_NONE for pads
    bool written[MOST_ELEMENTS]; // and says something
    int yields;                  // what a field of shape YIELDED is
    bool no;                     // in telling: the other side of what a flag says
    const char *amount;          // … and what {#} is
} Form;
bool form_open(int shape, Value v, int yields, Form *form);
int field_shape(const Form *form, int k); // resolved

#endif
