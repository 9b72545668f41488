"""A primitive of the engine, called with Python's own values.

A call is one call into C (values.c), which takes ints, bools, tuples, frozensets and functions over, runs the primitive and
makes Python's values of what it gives. A function of the language knows what it is made of (`_made`), so that the engine
runs it itself; any other callable is called back.
"""

from __future__ import annotations

import inspect
import reprlib
from collections import deque
from typing import Any, Callable, Optional

from ._core import FAILURES, Failure, owned, raise_ending, text
from ._ops import Op, _table
from ._tessera import ffi, lib

_RAISED, _TOO_LARGE = -1, -2  # values.c

# Engines that nobody uses: who calls takes one away, since another thread, or a function called back, may call meanwhile.
_spare: "deque[Any]" = deque(maxlen=16)


def call(function: Any, arguments: tuple[Any, ...]) -> Any:
    """Calls a primitive, by its number, or a function of the language."""
    box = [function, arguments, _make, _arity]
    try:
        engine = _spare.pop()
    except IndexError:
        engine = owned(lib.ts_engine_new(), lib.ts_engine_free)
    outcome = lib.call_python(engine, id(box))
    message = text(lib.ts_engine_message(engine))
    _spare.append(engine)
    raise_ending()
    if not outcome:
        return box[4]
    if outcome == _RAISED:
        raise box[4] if len(box) > 4 else MemoryError("tessera: not enough memory")
    name = primitives[function][0].name if isinstance(function, int) else repr(function)
    raise failure(FAILURES[lib.TS_FAIL_BUDGET if outcome == _TOO_LARGE else outcome], name, arguments, message) from None


# ---- Failures ----


class PrimitiveFailure(Failure):
    """A primitive that failed, called from Python; also an exception of the kind that Python has for it.

    `kind` is one of `tessera.FAILURES`, `program` the primitive, `arguments` what it was given.

    >>> from tessera.dsl import *
    >>> first(())
    Traceback (most recent call last):
        ...
    tessera.EmptyFailure: first(()) failed: empty, an element of an empty container
    >>> try:
    ...     divide(1, 0)
    ... except ZeroDivisionError as error:
    ...     print(error.kind)
    zero
    """

    def __init__(self, kind: str, program: str = "", arguments: tuple[Any, ...] = (), message: str = ""):
        super().__init__(kind, 0, program, (lambda: message) if message else None)
        self.arguments = arguments

    def __reduce__(self) -> Any:
        return failure, (self.kind, self.program, self.arguments, self.message)

    def __str__(self) -> str:
        given = ", ".join(map(_short.repr, self.arguments))
        return super().__str__().replace(f"{self.program} ", f"{self.program}({given}) ", 1)


class _Short(reprlib.Repr):
    """Values for a message: their beginnings, and functions by their names."""

    def __init__(self) -> None:
        super().__init__()
        self.maxtuple = self.maxfrozenset = self.maxset = 4
        self.maxlevel = 2

    def repr_function(self, function: Any, level: int) -> str:
        return str(function.__name__)


_short = _Short()

# As max(()), int("x") and a tuple's index do; what Python has no kind for is a RuntimeError.
_PYTHON: dict[str, type[Exception]] = {
    "type": TypeError, "value": ValueError, "index": IndexError, "empty": ValueError, "zero": ZeroDivisionError,
    "overflow": OverflowError, "arity": TypeError, "depth": RecursionError,
}  # fmt: skip
_CLASSES: dict[str, type[PrimitiveFailure]] = {}


def failure(kind: str, name: str, arguments: tuple[Any, ...], message: str = "") -> PrimitiveFailure:
    if kind not in _CLASSES:
        bases = PrimitiveFailure, _PYTHON.get(kind, RuntimeError)
        _CLASSES[kind] = type(f"{kind.capitalize()}Failure", bases, {"__module__": "tessera"})
    return _CLASSES[kind](kind, name, arguments, message)


# ---- Functions ----


class Function:
    """What compose, rbind and the like make: a function that knows its parts.

    Two that are made of the same are equal, as in the engine. It is called by the engine as a whole; parts that are
    functions of Python's own are called back.

    >>> from tessera.dsl import *
    >>> f = compose(double, lambda x: x + 1)
    >>> f(4), apply(f, (1, 2))
    (10, (4, 6))
    >>> rbind(add, 1), rbind(add, 1) == rbind(add, 1)
    (rbind(add, 1), True)
    """

    __slots__ = ("_made", "__weakref__")

    def __init__(self, index: int, parts: tuple[Any, ...]):
        self._made = (index, *parts)

    def __call__(self, *arguments: Any) -> Any:
        return call(self, arguments)

    def __reduce__(self) -> Any:
        index, *parts = self._made  # the number is that of this version
        return _again, (primitives[index][1], tuple(parts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and self._made == other._made

    def __hash__(self) -> int:
        return hash(self._made)

    def __repr__(self) -> str:
        index, *parts = self._made
        return f"{primitives[index][0].name}({', '.join(map(_short.repr, parts))})"


def _again(primitive: Any, parts: tuple[Any, ...]) -> Function:
    return Function(primitive._made[0], parts)


def _make(index: int, parts: tuple[Any, ...]) -> Any:
    """A function of the engine as one of Python's."""
    return Function(index, parts) if parts else primitives[index][1]


def _arity(function: Any) -> int:
    """How many arguments a function of Python's own takes, as rbind and lbind ask: 1 where it does not say."""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        return 1
    taken: int = code.co_argcount - inspect.ismethod(function)
    return min(max(taken, 1), 4)


# ---- Primitives ----

_SOURCE = "<tessera.dsl>"


def _define(index: int, op: Op) -> Callable[..., Any]:
    """A primitive as a function with its parameters, so that it takes keywords and says what it takes."""
    taken = ", ".join(op.parameters)
    given = f"({taken},)"
    body = f"_call({index}, {given})"
    if op.family == "function" and op.result == "Callable":
        body = f"_made({index}, {given})"
    elif op.result == "Boolean":
        body = f"_truth({body})"
    space: dict[str, Any] = {"_call": call, "_made": _combine, "_truth": _truth, "__name__": "tessera.dsl"}
    exec(compile(f"def {op.name}({taken}):\n    return {body}\n", _SOURCE, "exec"), space)
    function: Callable[..., Any] = space[op.name]
    function.__doc__ = f"{op.doc}\n\n    {op.signature}\n    {op.example}\n"
    function._made = (index,)  # type: ignore[attr-defined]
    return function


def _truth(value: Any) -> Any:
    """A condition as Python has it. Odd arguments may give something else."""
    return bool(value) if isinstance(value, int) and value in (0, 1) else value


def _combine(index: int, parts: tuple[Any, ...]) -> Any:
    """A function made of others. What the engine would refuse at once is refused at once; the rest shows when it is called."""
    op = primitives[index][0]
    if op.name in ("rbind", "lbind") and not callable(parts[0]):
        raise failure("type", op.name, parts)
    if op.name == "power":
        if not isinstance(parts[1], int):
            raise failure("type", op.name, parts)
        if parts[1] < 1:  # Python would recurse without end
            raise failure("depth", op.name, parts)
        if parts[1] == 1:
            return parts[0]
    return Function(index, parts)


primitives: list[tuple[Op, Callable[..., Any]]] = [(op, _define(index, op)) for index, op in enumerate(_table())]
