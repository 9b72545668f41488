"""The primitives of the language."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ._core import take_text, text
from ._tessera import ffi, lib


class Op(NamedTuple):
    """A primitive: its name, types, what it does, and an expression with it."""

    name: str
    family: str
    parameters: tuple[str, ...]
    types: tuple[str, ...]  # of the parameters
    result: str
    doc: str
    example: str
    aliases: tuple[str, ...]
    dialect: bool  # in the dialect of solve(S, I, C) only, not in arc-dsl
    ours: bool  # a coarse step of the search, in no other dialect of the language
    added: bool = False  # registered with `tessera.primitive`

    @property
    def signature(self) -> str:
        """As `name(parameter: Type, …) -> Type`."""
        parameters = ", ".join(f"{name}: {kind}" for name, kind in zip(self.parameters, self.types))
        return f"{self.name}({parameters}) -> {self.result}"

    def __str__(self) -> str:
        return f"{self.signature}\n  {self.doc}\n  {self.example}"


def _aliases(index: int) -> tuple[str, ...]:
    names: list[str] = []
    while True:
        name = lib.ts_ops_alias(index, len(names))
        if name == ffi.NULL:
            return tuple(names)
        names.append(text(name))


def _table() -> tuple[Op, ...]:
    return _rows(lib.ts_ops_count())


@lru_cache(maxsize=1)
def _rows(count: int) -> tuple[Op, ...]:
    table = []
    for index in range(count):
        op = lib.ts_ops_at(index)
        parameters = tuple(text(op.parameters[k]) for k in range(op.arity))
        types = tuple(text(op.types[k]) for k in range(op.arity))
        texts = (text(op.name), text(op.family), parameters, types, text(op.result), text(op.doc), text(op.example))
        table.append(Op(*texts, _aliases(index), bool(op.dialect), bool(op.ours), bool(op.added)))
    return tuple(table)


def ops() -> dict[str, Op]:
    """All primitives by name, with those that were registered.

    >>> import tessera
    >>> print(tessera.ops()["gravitate"])
    gravitate(source: Patch, destination: Patch) -> IntegerTuple
      the way source goes until it touches destination
      gravitate({(0, 0)}, {(0, 4)})
    """
    return {op.name: op for op in _table()}


def prompt() -> str:
    """The public language on one card of at most 8 KB, for the prompt of a model: grammar, types, constants, all primitives.

    >>> import tessera
    >>> len(tessera.prompt().encode()) <= 8192
    True
    """
    return take_text(lib.ts_ops_prompt())
