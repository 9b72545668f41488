# The bundled differs. Each compares a grid I with the right one C and gives (score from 0 to 1000, detail).


# Whether height and width are right; the detail is both shapes.
def differ_shape(S, I, C):
    x1 = shape(I)
    x2 = shape(C)
    x3 = equality(x1, x2)
    x4 = multiply(x3, 1000)
    x5 = astuple(x1, x2)
    return astuple(x4, x5)


# How many cells are right, of a grid of the right shape or larger; the detail is where they are not.
def differ_cells(S, I, C):
    x1 = cellwise(C, I, NEG_ONE)
    x2 = ofcolor(x1, NEG_ONE)
    x3 = height(C)
    x4 = width(C)
    x5 = multiply(x3, x4)
    x6 = size(x2)
    x7 = subtract(x5, x6)
    x8 = multiply(x7, 1000)
    x9 = divide(x8, x5)
    return astuple(x9, x2)


# Colours that the right grid has and this one has lost.
def differ_colors_lost(S, I, C):
    x1 = palette(C)
    x2 = palette(I)
    x3 = difference(x1, x2)
    x4 = size(x3)
    x5 = multiply(x4, 100)
    x6 = subtract(1000, x5)
    return astuple(x6, x3)


# Colours that this grid has gained and the right one lacks.
def differ_colors_gained(S, I, C):
    x1 = palette(I)
    x2 = palette(C)
    x3 = difference(x1, x2)
    x4 = size(x3)
    x5 = multiply(x4, 100)
    x6 = subtract(1000, x5)
    return astuple(x6, x3)


# Sizes of objects, without the background, that the right grid has and this one has lost.
def differ_objects_lost(S, I, C):
    x1 = objects(C, T, F, T)
    x2 = apply(size, x1)
    x3 = objects(I, T, F, T)
    x4 = apply(size, x3)
    x5 = difference(x2, x4)
    x6 = size(x5)
    x7 = multiply(x6, 1000)
    x8 = size(insert(0, x2))
    x9 = divide(x7, x8)
    x10 = subtract(1000, x9)
    return astuple(x10, x5)


# Sizes of objects, without the background, that this grid has gained and the right one lacks.
def differ_objects_gained(S, I, C):
    x1 = objects(I, T, F, T)
    x2 = apply(size, x1)
    x3 = objects(C, T, F, T)
    x4 = apply(size, x3)
    x5 = difference(x2, x4)
    x6 = size(x5)
    x7 = multiply(x6, 1000)
    x8 = size(insert(0, x2))
    x9 = divide(x7, x8)
    x10 = subtract(1000, x9)
    return astuple(x10, x5)
