// What a constant of a program is for: a colour, a rank, a direction, … and what else it could have been.
#ifndef TESSERA_PROGRAM_CONSTANTS_H
#define TESSERA_PROGRAM_CONSTANTS_H

#include "base/rng.h"
#include "program/types.h"

typedef enum {
    CONSTANT_OTHER, // nothing to be exchanged: a literal grid or set, a function
    CONSTANT_COLOR,
    CONSTANT_RANK,
    CONSTANT_FLAG,
    CONSTANT_SYMMETRY,
    CONSTANT_FLAGS, // three truth values as a number
    CONSTANT_SIDE,  // one of four
    CONSTANT_COUNT,
    CONSTANT_INTEGER,
    CONSTANT_DIRECTION,
    CONSTANT_SIZE, // height and width
    CONSTANT_PAIR,
    CONSTANT_WORDS, // of a shape (words/words.h)
    CONSTANT_KINDS
} ConstantKind;

const char *constant_kind_name(ConstantKind kind);
// What this parameter of a primitive is for, where the value is passed.
ConstantKind constant_kind_of_parameter(Op op, int argument, Value v);
// What the result of a primitive is, where that is compared with a constant.
ConstantKind constant_kind_of_result(Op op);
// What the constant that a line has as this argument is for: it may be that of a function that is bound to
// it, or follow from what it is compared with.
ConstantKind constant_kind(const Program *p, const Type *types, uint32_t line, int argument);
// The shape of a constant of words; SHAPE_NONE where that is not to be seen.
Shape constant_shape(const Program *p, const Type *types, uint32_t line, int argument);
// Another value of the same kind, which is not CONSTANT_WORDS; any value of that kind where v is None.
Value constant_exchange(ConstantKind kind, Value v, Rng *r);

#endif
