"""Grids and other values, on their way in and out.

A grid comes in as a list, a tuple or an array, and goes out as a `Grid`: a numpy array that a notebook draws. Other values
go out as what they are in Python: integers, tuples, frozensets, None. A function is a text that makes it, as `rbind(add, 1)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._core import take_text
from ._tessera import ffi, lib

if TYPE_CHECKING:
    GridLike = Union[Sequence[Sequence[int]], npt.NDArray[Any]]

MOST = 127  # rows and columns of a grid


class Grid(np.ndarray[Any, "np.dtype[np.int8]"]):
    """A numpy array of int8 that a notebook shows as a picture, where it has two dimensions and colours from 0 to 9.

    >>> import tessera
    >>> tessera.Grid([[0, 1], [2, 3]]).T
    Grid([[0, 2],
          [1, 3]], dtype=int8)
    """

    def __new__(cls, cells: "GridLike") -> "Grid":
        return grid_in(cells).view(cls)

    def _repr_svg_(self) -> Optional[str]:
        return svg([self], [None]) if _is_drawable(self) else None


def _is_drawable(cells: Any) -> bool:
    """Whether it is a grid for the library, which draws larger ones than a task may have, too."""
    return isinstance(cells, Grid) and cells.ndim == 2 and cells.dtype == np.int8 and cells.size > 0


# ---- In ----


def _problem(array: npt.NDArray[Any], name: str = "grid") -> Optional[str]:
    """What is wrong with an array as a grid."""
    if array.ndim != 2:
        return f"a {name} has rows and columns, this has {array.ndim} dimension{'' if array.ndim == 1 else 's'}"
    if array.dtype.kind not in "iub":
        return f"a {name} has whole numbers, this has {array.dtype}"
    height, width = array.shape
    if not height or not width:
        return f"a {name} has a row and a column at least, this is {height} x {width}"
    if height > MOST or width > MOST:
        return f"a {name} has at most {MOST} rows and columns, this is {height} x {width}"
    if array.dtype.kind != "b" and (array.min() < 0 or array.max() > 9):
        i, j = np.argwhere((array < 0) | (array > 9))[0]
        return f"the cells of a {name} are 0 to 9, this has {array[i, j]} at row {i}, column {j}"
    return None


def _list_problem(cells: Any, name: str) -> str:
    """What is wrong with what numpy made no array of whole numbers of."""
    if isinstance(cells, (str, bytes)) or not hasattr(cells, "__len__") or not hasattr(cells, "__iter__"):
        return f"a {name} is a list of rows or an array, not {type(cells).__name__}"
    width: Optional[int] = None
    for i, row in enumerate(cells):
        if isinstance(row, (str, bytes)) or not hasattr(row, "__len__"):
            return f"a {name} is a list of rows; row {i} is {row!r:.40}"
        width = len(row) if width is None else width
        if len(row) != width:
            return f"the rows of a {name} are equally long; row {i} has {len(row)} cells, row 0 has {width}"
        for j, cell in enumerate(row):
            if not hasattr(cell, "__index__"):
                return f"the cells of a {name} are whole numbers, this has {cell!r:.40} at row {i}, column {j}"
            if not 0 <= cell <= 9:
                return f"the cells of a {name} are 0 to 9, this has {cell!r:.40} at row {i}, column {j}"
    return f"a {name} has a row and a column at least, this is {len(cells)} x {width or 0}"


def grid_in(cells: Any, name: str = "grid") -> npt.NDArray[np.int8]:
    """A grid as an array of int8 whose rows lie one after another; a ValueError says what is wrong with it."""
    if isinstance(cells, np.ndarray) or hasattr(cells, "__array__"):
        array = np.asarray(cells)
    else:
        try:
            array = np.array(cells)
        except (ValueError, TypeError, OverflowError):
            raise ValueError(_list_problem(cells, name)) from None
        if array.dtype.kind not in "iub" or array.ndim < 2:
            raise ValueError(_list_problem(cells, name))
    problem = _problem(array, name)
    if problem:
        raise ValueError(problem)
    return np.ascontiguousarray(array, dtype=np.int8)


def c_grid(array: npt.NDArray[np.int8]) -> Any:
    """A ts_grid that looks at an array, which must outlive it."""
    height, width = array.shape
    return ffi.new("ts_grid *", {"height": height, "width": width, "cells": ffi.from_buffer("signed char[]", array)})


# ---- Out ----


def grid_out(grid: Any) -> Grid:
    """A copy of a ts_grid."""
    cells = np.frombuffer(ffi.buffer(grid.cells, grid.height * grid.width), dtype=np.int8)
    return cells.reshape(grid.height, grid.width).copy().view(Grid)


_TOKEN = re.compile(r"-?\d+|[(){}]|[A-Za-z_]\w*")


def _literal(literal: str) -> Any:
    """Reads what ts_value_print writes, however deep it is nested."""
    stack: list[list[Any]] = [[]]
    function, depth = -1, 0  # where the text of a function begins, and its open brackets
    for match in _TOKEN.finditer(literal):
        token = match.group()
        if function >= 0:
            depth += {"(": 1, ")": -1}.get(token, 0)
            if not depth:
                stack[-1].append(literal[function : match.end()])
                function = -1
        elif token in "({":
            stack.append([])
        elif token == ")":
            items = tuple(stack.pop())
            stack[-1].append(items)
        elif token == "}":
            members = frozenset(stack.pop())
            stack[-1].append(members)
        elif token == "None":
            stack[-1].append(None)
        elif not token[-1].isdigit() and literal.startswith("(", match.end()):
            function = match.start()
        elif token[0].isalpha():
            stack[-1].append(token)
        else:
            stack[-1].append(int(token))
    return stack[0][0]


MOST_TEXT = 10_000_000  # characters of a value that becomes Python's objects, some 50 bytes for each


def value_out(value: Any) -> Any:
    """What it is in Python. Where the engine holds one part a million times Python would have a million: too many are refused."""
    if lib.ts_value_is_grid(value):
        return grid_out(lib.ts_value_grid(value))
    whole = ffi.new("bool *")
    text = take_text(lib.ts_value_print_some(value, MOST_TEXT, whole))
    if not whole[0]:
        left = text[text.rindex("…") + 2 :]
        raise ValueError(f"the value is too large for Python: beyond the first {MOST_TEXT:,} characters there are {left}")
    return _literal(text)


# ---- Pictures ----


def svg(grids: Sequence[Any], titles: Sequence[Optional[str]], wanted: Optional[Sequence[Any]] = None) -> str:
    """Grids side by side as SVG; cells that are not as in the grid wanted, where there is one, are marked."""
    return _draw(lib.ts_svg_against, grids, titles, wanted)


COLUMNS = 100  # of what is drawn as text


def drawn(grids: Sequence[Any], titles: Sequence[Optional[str]], wanted: Optional[Sequence[Any]] = None) -> str:
    """The same as text."""
    return _draw(lib.ts_draw_against, grids, titles, wanted, lib.TS_COLOR_NONE, COLUMNS)


def _draw(draw: Any, grids: Sequence[Any], titles: Sequence[Optional[str]], wanted: Optional[Sequence[Any]], *more: Any) -> str:
    arrays = [np.ascontiguousarray(grid) if _is_drawable(grid) else grid_in(grid) for grid in grids]
    c_grids = ffi.new("ts_grid[]", [c_grid(array)[0] for array in arrays])
    right = [None if grid is None else grid_in(grid) for grid in wanted or []]
    none = ffi.new("ts_grid *")
    c_wanted = ffi.new("ts_grid[]", [none[0] if array is None else c_grid(array)[0] for array in right]) if right else ffi.NULL
    kept = [ffi.new("char[]", title.encode()) if title else ffi.NULL for title in titles]
    c_titles = ffi.new("char *[]", kept) if any(titles) else ffi.NULL
    return take_text(draw(c_grids, c_wanted, c_titles, len(arrays), *more))


def right_word(right: Optional[bool]) -> str:
    """What is said of an answer behind other words; nothing where it is not known."""
    return "" if right is None else ", right" if right else ", wrong"


def is_right(grid: Any, wanted: Any) -> Optional[bool]:
    """Whether it is what is wanted; None where that is not known."""
    return None if wanted is None else bool(np.array_equal(grid, wanted))


class Picture:
    """Something drawn: a notebook shows it, `svg` is its text, `save` writes it to a file."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Any) -> None:
        """Writes it as a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def show(
    *grids: "GridLike", titles: Optional[Sequence[str]] = None, wanted: Optional[Sequence[Optional["GridLike"]]] = None
) -> Picture:
    """Grids side by side as a picture, with a title each if given. After a title `input` comes an arrow.

    `wanted` has for each what it should be, or None: where both have one shape, the cells that are off are marked by a dot,
    and the title says how many.

    >>> import tessera
    >>> picture = tessera.show([[0, 1]], [[1, 0]], titles=["before", "after"])
    >>> picture.svg.startswith("<svg")
    True
    >>> "got, 2 cells off" in tessera.show([[0, 1]], titles=["got"], wanted=[[[1, 0]]]).svg
    True
    """
    if titles is not None and len(titles) != len(grids):
        raise ValueError(f"{len(titles)} titles for {len(grids)} grids")
    if not grids:
        raise ValueError("show takes one grid or more")
    if wanted is not None and len(wanted) != len(grids):
        raise ValueError(f"{len(wanted)} grids wanted for {len(grids)} grids")
    return Picture(svg(grids, titles or [None] * len(grids), wanted))
