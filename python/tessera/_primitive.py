"""Primitives of the language that are functions in Python.

The engine calls them from any of its threads, through values.c, with Python's lock held. It checks and charges arguments and
results and remembers what was given for the same arguments; so what costs time is each call that is new.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import typing
from typing import Any, Callable, Optional, Sequence, Union, overload

from . import dsl
from ._call import _arity, _make, primitives
from ._core import end_evaluation, fail, whole_number
from ._grids import Grid
from ._ops import Op
from ._tessera import ffi, lib

UNITS = 2000  # of a call: about what the way to Python and back takes, in nanoseconds
_lock = threading.RLock()
_registered: dict[str, "_Entry"] = {}


class Primitive:
    """A function that is a primitive of the language; see `primitive`. Called from Python it is the function itself.

    `op` is its row among `tessera.ops()`. `error` is the last exception that it raised when the engine called it, with its
    traceback, else None.
    """

    error: Optional[BaseException] = None

    def __init__(self, function: Callable[..., Any], op: Op, index: int, terms: tuple[int, Optional[int], bool]):
        functools.update_wrapper(self, function)
        self.function, self.op, self._terms = function, op, terms
        self._made = (index,)  # what the engine knows it by, where it is passed to a function of tessera.dsl

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.function(*arguments, **keywords)

    def __reduce__(self) -> Any:
        # By the name of the function, where this stands for it; else the function, to be registered where it is read.
        path = getattr(self.function, "__qualname__", "")
        found: Any = sys.modules.get(getattr(self.function, "__module__", ""))
        for part in path.split("."):
            found = getattr(found, part, None)
        return path if found is self else (_again, (self.function, self.op.name, self.op.types, self.op.result, *self._terms))

    def __copy__(self) -> "Primitive":
        return self

    def __deepcopy__(self, memo: Any) -> "Primitive":
        return self

    def forget(self) -> None:
        """Forgets what it gave so far, where it would give something else now."""
        lib.ts_primitive_forget(self.op.name.encode())

    def __repr__(self) -> str:
        return f"<tessera.Primitive {self.op.signature}>"


class _Entry:
    """What the engine calls: the function that has the name now."""

    primitive: Primitive

    def __init__(self, signature: tuple[Any, ...]):
        self.signature = signature  # with which it was registered
        self.flags = [k for k, kind in enumerate(signature[1]) if kind == "Boolean"]
        self.own = (self.enter, len(signature[1]), _make, _arity)

    def enter(self, *arguments: Any) -> Any:
        """A tuple of the result; a text where the function raises; None where that ends the evaluation."""
        primitive = self.primitive
        try:
            if self.flags:
                arguments = tuple(bool(a) if k in self.flags else a for k, a in enumerate(arguments))
            return (primitive.function(*arguments),)
        except Exception as error:
            primitive.error = error
            return _said(error, primitive.function)
        except BaseException as error:
            primitive.error = error
            end_evaluation(error)
            return None


def _said(error: Exception, function: Callable[..., Any]) -> str:
    """What was raised, and in which line of the function."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code is getattr(function, "__code__", None):
            line = trace.tb_lineno
        trace = trace.tb_next
    text = f"{type(error).__name__}: {error}".rstrip(": ")
    return text[:300] + (f" (line {line})" if line else "")


# ---- Types ----


def _form(hint: Any) -> Any:
    """A hint as tuples, the same however it is written: Tuple[int, int] and tuple[int, int]."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is None or origin is typing.get_origin(Callable[..., Any]):
        return origin or {typing.Tuple: tuple, typing.FrozenSet: frozenset, Callable: typing.get_origin(Callable[..., Any])}.get(hint, hint)
    parts = tuple(map(_form, arguments))
    return (origin, frozenset(parts) if origin is Union else parts)


def _forms() -> dict[Any, str]:
    names = (
        "Boolean", "Integer", "IntegerTuple", "Numerical", "IntegerSet", "Grid", "Cell", "Object", "Objects", "Indices", "Patch",
        "Element", "Piece", "TupleTuple", "ContainerContainer",
    )  # fmt: skip
    forms = {_form(getattr(dsl, name)): name for name in names}
    forms.update({_form(typing.Tuple[typing.Tuple[int]]): "Grid", Grid: "Grid"})  # as arc-dsl writes it; our class
    forms.update({tuple: "Tuple", frozenset: "FrozenSet", typing.get_origin(Callable[..., Any]): "Callable", Any: "Any"})
    return forms


_FORMS = _forms()
_NAMES = frozenset(_FORMS.values()) | {"Container"}


def _type_name(hint: Any, what: str) -> str:
    if isinstance(hint, str) and hint in _NAMES:
        return hint
    name = None if hint is None or isinstance(hint, str) else _FORMS.get(_form(hint))
    if name is None:
        shown = "no type" if hint is inspect.Parameter.empty else f"the type {hint!r}"
        raise TypeError(f"{what} has {shown}; it is one of {', '.join(sorted(_NAMES))}, or what stands for it in tessera.dsl")
    return name


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The hints of a function. Texts that name a type of the language stay; others mean what they mean where it is defined."""
    hints = dict(getattr(function, "__annotations__", {}))
    if all(not isinstance(hint, str) or hint in _NAMES for hint in hints.values()):
        return hints
    try:
        return {**typing.get_type_hints(function), **{k: h for k, h in hints.items() if h in _NAMES}}
    except Exception as error:
        raise TypeError(f"the types of {function.__name__} cannot be read: {error}") from None


def _signature(
    function: Callable[..., Any], types: Optional[Sequence[Any]], result: Optional[Any]
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Names and types of the parameters, and the type of the result."""
    name = getattr(function, "__name__", "the function")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise TypeError(f"{name} does not say which arguments it takes; wrap it in a function that does") from None
    for p in parameters:
        if p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
            raise TypeError(f"{name} takes {p}; a primitive has one to four arguments, each with a name")
    names = tuple(p.name for p in parameters)
    if not 1 <= len(names) <= 4:
        raise TypeError(f"{name} takes {len(names)} arguments; a primitive has one to four")
    if types is not None and len(types) != len(names):
        raise TypeError(f"{name} takes {len(names)} arguments, and there are {len(types)} types")
    hints = _hints(function) if types is None or result is None else {}
    given = types if types is not None else [hints.get(n, inspect.Parameter.empty) for n in names]
    gives = result if result is not None else hints.get("return", inspect.Parameter.empty)
    return (
        names,
        tuple(_type_name(hint, f"{n} of {name}") for n, hint in zip(names, given)),
        _type_name(gives, f"what {name} gives"),
    )


# ---- Registering ----


def _add(op: Op, entry: _Entry, units: int, cost: int, remember: bool) -> None:
    arity = len(op.parameters)
    kept = [ffi.new("char[]", part.encode()) for part in (op.name, op.doc, op.result, *op.parameters, *op.types)]
    own = ffi.new("ts_primitive *", {"name": kept[0], "doc": kept[1], "result": kept[2], "arity": arity})
    for k in range(arity):
        own.parameters[k], own.types[k] = kept[3 + k], kept[3 + arity + k]
    own.units, own.cost, own.forgetful = units, cost, not remember
    status = ffi.new("ts_status *")
    if not lib.add_primitive(own, id(entry.own), status):
        fail(status)


F = Callable[..., Any]


@overload
def primitive(function: F) -> Primitive: ...
@overload
def primitive(
    *, name: Optional[str] = None, types: Optional[Sequence[Any]] = None, result: Optional[Any] = None,
    units: int = UNITS, cost: Optional[int] = None, remember: bool = True,
) -> Callable[[F], Primitive]: ...  # fmt: skip
def primitive(
    function: Optional[F] = None, *, name: Optional[str] = None, types: Optional[Sequence[Any]] = None,
    result: Optional[Any] = None, units: int = UNITS, cost: Optional[int] = None, remember: bool = True,
) -> Union[Primitive, Callable[[F], Primitive]]:  # fmt: skip
    """Makes a function a primitive of the language, for all that is read, run and searched from now on in this process.

    It takes and gives plain values: ints, bools, tuples, frozensets, grids as tuples of tuples, and functions. Its types are its
    hints, as in `tessera.dsl`, or `types` and `result`, by name: "Grid", "Integer", "Object", "Indices", … Mutation and
    search go by the names of parameters, such as `color`. It must give the same for the same arguments each time, and may
    be called by several threads.

    >>> import tessera
    >>> from tessera.dsl import Grid, Integer
    >>> @tessera.primitive
    ... def shadow(grid: Grid, color: Integer) -> Grid:
    ...     "a cell of the color below each cell that is not black"
    ...     above = ((0,) * len(grid[0]),) + grid
    ...     return tuple(tuple(b or (color if a else 0) for a, b in zip(*rows)) for rows in zip(above, grid))
    >>> program, = tessera.parse("def solve(I):\\n    return vmirror(shadow(I, GRAY))")
    >>> program([[3, 0], [0, 0]])
    Grid([[0, 3],
          [0, 5]], dtype=int8)
    >>> shadow(((1,), (0,)), 2)
    ((1,), (2,))

    What it raises is a `Failure` of kind python with that text; results that are not of its type are, too. `units` is what a
    call costs, beside arguments and result. `cost` is that of a line in the search, 1 to 9, where small ones are
    tried first (else by its types; 0: the search does not try it). With `remember` off each call is made. The same name once
    more, with the same types, replaces the function.
    """
    if function is None:
        return lambda f: _define(f, name, types, result, units, cost, remember)
    return _define(function, name, types, result, units, cost, remember)


def _define(
    function: F, name: Optional[str], types: Optional[Sequence[Any]], result: Optional[Any],
    units: int, cost: Optional[int], remember: bool,
) -> Primitive:  # fmt: skip
    if not callable(function):
        raise TypeError(f"a primitive is a function, not {function!r}")
    if isinstance(function, Primitive):
        function = function.function
    called = str(getattr(function, "__name__", "")) if name is None else name
    signature = _signature(function, types, result)
    price = whole_number(units, "units", 1, 10**9)
    line = 0 if cost is None else whole_number(cost, "cost", 0, 9) or -1
    doc = (inspect.getdoc(function) or "").strip().split("\n")[0]
    with _lock:
        entry = _registered.get(called)
        if entry is None:
            op = Op(called, "added", *signature, doc, "", (), False, False, True)
            entry = _Entry(signature)
            entry.primitive = Primitive(function, op, len(primitives), (units, cost, remember))
            _add(op, entry, price, line, remember)
            primitives.append((op, entry.primitive))
            _registered[called] = entry
        elif entry.signature != signature:
            raise ValueError(f"there is a primitive {entry.primitive.op.signature} already, with other parameters; use another name")
        else:
            index = entry.primitive._made[0]
            entry.primitive = Primitive(function, entry.primitive.op, index, (units, cost, remember))
            primitives[index] = (entry.primitive.op, entry.primitive)
            entry.primitive.forget()
        return entry.primitive


def _again(
    function: F, name: str, types: Sequence[str], result: str, units: int, cost: Optional[int], remember: bool
) -> Primitive:
    """One that was pickled: registered here, unless it is already."""
    entry = _registered.get(name)
    if entry is not None and entry.primitive.function is function:
        return entry.primitive
    return _define(function, name, types, result, units, cost, remember)
