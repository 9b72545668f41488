"""A program line by line: what each line gives on a grid."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence, Union, overload

import numpy as np

from ._core import FAILURES, Bound, take_text, text
from ._grids import COLUMNS, Grid, c_grid, grid_in, svg, value_out
from ._programs import Program, WithInput, engine, programs_of
from ._tasks import Sample
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._grids import GridLike
    from ._programs import Samples

MOST_SHOWN = 240  # characters of a value


class TraceLine(NamedTuple):
    """A line of a program, and what it gave."""

    number: int  # from 1
    text: str
    value: Any  # as a program gives it; the beginning of its text where it is too large for Python; None where it failed
    failure: Optional[str]  # one of tessera.FAILURES; None where the value counts
    units: int  # of work done in this line; 0 where it was not run
    source: int  # line of the text that the program was read from


class Trace(Bound, Sequence[TraceLine]):
    """The lines of a program, each with its value. Printed, or in a notebook, the values are pictures.

    `result` is what the program gives, None where it fails; `failure` is how it fails, else None; `units` the work that it
    did. `expected` is the output of the sample, `right` whether the result is that; both are None where it is not known.
    It pickles as what was run, which is run again; `source` is then the line of `program.text`.
    """

    def __init__(self, program: Program, grid: Any, expected: Optional[Grid], run: "_Run"):
        self.program, self.input, self.expected = program, Grid(grid), expected
        self._run = run
        self._lines, end = run.visit(_line)
        self.result, self.failure, self.units = end.value, end.failure, end.units

    def _content(self) -> tuple[Any, ...]:
        run = self._run
        return self.program, self.input, self.expected, run.task and run.task.pairs, run.array, run.units

    @classmethod
    def _restored(cls, program: Program, grid: Any, expected: Optional[Grid], pairs: Any, array: Any, units: Any) -> "Trace":
        given = grid_in(grid)
        return cls(program, given, expected, _Run(program, given, None if pairs is None else WithInput(pairs, given), array, units))

    @property
    def right(self) -> Optional[bool]:
        """Whether the result is the output of the sample; None where there is none to compare with."""
        if self.expected is None:
            return None
        return isinstance(self.result, Grid) and np.array_equal(self.result, self.expected)

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, which: int) -> TraceLine: ...
    @overload
    def __getitem__(self, which: slice) -> list[TraceLine]: ...
    def __getitem__(self, which: Union[int, slice]) -> Union[TraceLine, list[TraceLine]]:
        return self._lines[which]

    def __repr__(self) -> str:
        fails = next((line for line in self._lines if line.failure), None)
        end = "" if fails is None else f", fails in line {fails.number}: {fails.failure}"
        return f"<tessera.Trace of {self.program.name}, {len(self)} lines{end}>"

    def __str__(self) -> str:
        shown, _ = self._run.visit(_shown)
        return "\n".join(part.rstrip("\n") for part in shown)

    def _repr_html_(self) -> str:
        grids, titles = [self.input], ["input"]
        if self.expected is not None:
            grids, titles = [self.input, self.expected], ["input", "expected"]
        wanted: list[Optional[Grid]] = [None] * len(grids)
        if self.right is False and isinstance(self.result, Grid) and self.result.size:
            grids, titles, wanted = [*grids, self.result], [*titles, "got"], [*wanted, self.expected]
        rows, _ = self._run.visit(_row)
        head = f"<p>{escape(self.program.name)}</p>"
        return f'{head}<div>{svg(grids, titles, wanted)}</div><ol style="padding-left:2em">{"".join(rows)}</ol>'


class _Run:
    """Traces a program, as often as it is asked to: the values of a trace live no longer than its engine is held."""

    def __init__(self, program: Program, grid: Any, task: Optional[WithInput], expected: Any, units: Optional[int]):
        self.program, self.task, self.units = program, task, units
        self.grid, self.input = grid, c_grid(grid)
        self.array = expected
        self.expected = ffi.NULL if expected is None else c_grid(expected)

    def visit(self, take: "Callable[[Any, Any], Any]") -> tuple[list[Any], "_End"]:
        """What is taken of each line, and how it ended."""
        lines = ffi.gc(ffi.new("traced *"), lib.free_traced)
        task = ffi.NULL if self.task is None else self.task.pointer
        with engine(self.units) as mine:
            result = lib.ts_trace(
                mine, self.program._set, self.program._place, task, self.input[0], self.expected,
                ffi.addressof(lib, "keep_line"), lines,
            )  # fmt: skip
            if lines.failed or lib.ts_engine_starved(mine):
                raise MemoryError("tessera: not enough memory")
            taken = [take(lines.lines[k], self.input[0]) for k in range(lines.count)]
            return taken, _End(_value(result), _failure(result), result.units)


class _End(NamedTuple):
    value: Any
    failure: Optional[str]
    units: int


def _failure(of: Any) -> Optional[str]:
    return FAILURES[of.failure] if of.failure else None


def _value(of: Any) -> Any:
    if of.failure:
        return None
    try:
        return value_out(of.value)
    except ValueError:  # too large
        return _short(of)


def _line(line: Any, like: Any) -> TraceLine:
    return TraceLine(line.number, text(line.text), _value(line), _failure(line), line.units, line.source)


def _short(line: Any) -> str:
    return take_text(lib.ts_value_print_some(line.value, MOST_SHOWN, ffi.NULL))


def _picture(line: Any, like: Any, draw: Any, *arguments: Any) -> Optional[str]:
    picture = draw(line.value, like, *arguments)
    return take_text(picture) if picture else None


def _shown(line: Any, like: Any) -> str:
    """A line, and its value below it, moved in."""
    if line.failure:
        value = f"fails: {FAILURES[line.failure]}"
    else:
        value = _picture(line, like, lib.ts_draw_value, lib.TS_COLOR_NONE, COLUMNS) or _short(line)
    moved = "\n".join(f"    {row}".rstrip() for row in value.rstrip("\n").split("\n"))
    return f"{text(line.text)}\n{moved}"


def _row(line: Any, like: Any) -> str:
    if line.failure:
        value = f"<p>fails: {FAILURES[line.failure]}</p>"
    else:
        value = _picture(line, like, lib.ts_svg_value) or f"<code>{escape(_short(line))}</code>"
    return f"<li><code>{escape(text(line.text))}</code><div>{value}</div></li>"


def trace(
    program: Union[Program, str],
    on: Union["GridLike", Sample],
    samples: Optional["Samples"] = None,
    expected: Optional["GridLike"] = None,
    units: Optional[int] = None,
) -> Trace:
    """Runs a program, or its text, on a grid or a sample, and gives what each line gives.

    A program `(S, I, C)` gets the demos of `samples` as S, a task or pairs of input and output, and `expected` as C. Of a sample
    the input is taken; its output is what `right` compares with, and no part of what the program sees. A line that needs one
    that failed fails like it; others have their values all the same. `units` as for calling a program: a trace does what a
    call does.

    >>> import tessera
    >>> lines = tessera.trace("def solve(I):\\n    x1 = vmirror(I)\\n    x2 = hconcat(I, x1)\\n    return x2", [[1, 2]])
    >>> lines
    <tessera.Trace of solve, 2 lines>
    >>> lines[0].text, lines[0].value.tolist()
    ('x1 = vmirror(I)', [[2, 1]])
    >>> print(lines)
    x1 = vmirror(I)
        2 1
    O = hconcat(I, x1)
        1 2 2 1
    """
    if not isinstance(program, Program):
        given = programs_of(program)
        if len(given) != 1:
            raise ValueError(f"trace takes one program, not {len(given)}")
        program = given[0]
    sample = on if isinstance(on, Sample) else Sample(Grid(on), None)
    array = grid_in(sample.input)
    task = None if samples is None else WithInput(samples, array)
    right = None if expected is None else grid_in(expected, "expected grid")
    return Trace(program, array, sample.output, _Run(program, array, task, right, units))
