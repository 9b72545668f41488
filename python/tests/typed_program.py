"""A program with type hints, for mypy: what tessera.dsl says of the language fits how programs use it."""

from tessera.dsl import *


def solve_red(I: Grid) -> Grid:
    x1 = objects(I, T, F, T)
    x2: Object = argmax(x1, size)
    x3: Integer = color(x2)
    x4 = apply(lbind(shift, x2), (UNITY, ORIGIN))
    x5: str = REGIONS
    x6: Grid = draw(I, I, (x5,), (CELLS, (IN_COLOR, x3)))
    return fill(x6, add(x3, ONE), merge_f(x4))
