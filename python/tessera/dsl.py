"""The language as plain Python: every primitive, constant and word, on ints, tuples and frozensets.

    from tessera.dsl import *

stands for `from dsl import *` and `from constants import *` of the public arc-dsl, and has what the dialect of
`solve(S, I, C)` and the coarse steps of the search need beside. So a program, found or written, is ordinary Python that runs
as it is and can be stepped through.

>>> from tessera.dsl import *
>>> def solve(I):
...     x1 = objects(I, T, F, T)
...     x2 = argmax(x1, size)
...     return fill(I, RED, x2)
>>> solve(((1, 0, 3), (0, 0, 3)))
((1, 0, 2), (0, 0, 2))

The engine does the work, so results are the engine's: sets are gone through in sorted order. Functions may be those of the
language or any callable; one of the language that is made of primitives alone is run by the engine as a whole.

>>> apply(lambda x: x * x, (1, 2, 3))
(1, 4, 9)
>>> compose(size, objects)(((1, 0), (0, 2)))
Traceback (most recent call last):
    ...
tessera.ArityFailure: compose(size, objects)(((1, 0), (0, 2))) failed: arity, a function called with the wrong number of arguments

Words such as REGIONS are texts. What fails raises an exception of the kind that Python has for it, which is a
`tessera.Failure` as well. In one thing Python differs: arguments are worked out before a call, so `choose(condition, a, b)`
fails where one of them does, chosen or not; write `a if condition else b`.
"""

from __future__ import annotations

from typing import Any, Callable, Container, FrozenSet, Iterable, List, Tuple, Union

from ._call import primitives as _primitives
from ._core import text as _text
from ._grids import value_out as _value_out
from ._tessera import ffi as _ffi, lib as _lib

# The types of the public language, for the hints of programs.
Boolean = bool
Integer = int
IntegerTuple = Tuple[Integer, Integer]
Numerical = Union[Integer, IntegerTuple]
IntegerSet = FrozenSet[Integer]
Grid = Tuple[Tuple[Integer, ...], ...]
Cell = Tuple[Integer, IntegerTuple]
Object = FrozenSet[Cell]
Objects = FrozenSet[Object]
Indices = FrozenSet[IntegerTuple]
IndicesSet = FrozenSet[Indices]
Patch = Union[Object, Indices]
Element = Union[Object, Grid]
Piece = Union[Grid, Patch]
TupleTuple = Tuple[Tuple[Any, ...], ...]
ContainerContainer = Container[Container[Any]]

__all__ = [
    "Any", "Boolean", "Callable", "Cell", "Container", "ContainerContainer", "Element", "FrozenSet", "Grid", "Indices",
    "IndicesSet", "Integer", "IntegerSet", "IntegerTuple", "Iterable", "List", "Numerical", "Object", "Objects", "Patch",
    "Piece", "Tuple", "TupleTuple", "Union",
]  # fmt: skip


def _names() -> dict[str, Any]:
    """The primitives, also by their other names, the constants and the words."""
    names: dict[str, Any] = {}
    for op, function in _primitives:
        names.update(dict.fromkeys((op.name, *op.aliases), function))
    value, index = _ffi.new("ts_value *"), 0
    while True:
        name = _text(_lib.ts_constant(index, value))
        if not name:
            return {**names, "T": True, "F": False}
        names[name] = _value_out(value[0])
        index += 1


globals().update(_names())
__all__ += _names()
