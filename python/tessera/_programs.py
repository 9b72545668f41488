"""Programs: read from texts and files, run one at a time on a grid."""

from __future__ import annotations

import copy
import operator
import os
from collections import deque
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, Sequence, Union, overload

import numpy as np
import numpy.typing as npt

from ._core import (
    FAILURES,
    Bound,
    Failure,
    InputError,
    Problems,
    ProgramError,
    StrPath,
    c_path,
    fail,
    owned,
    program_texts,
    raise_ending,
    take_text,
    text,
    whole_number,
)
from ._grids import c_grid, grid_in, value_out
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._grids import GridLike
    from ._tasks import Task

    Samples = Union[Task, Sequence[tuple[GridLike, GridLike]]]
    ProgramsLike = Union["Programs", "Program", str, Iterable[Union[str, "Program"]]]

# Texts that go into one set, and so into one battery: enough to share lines, few enough for their values to fit into the
# memory that a battery gives one sample.
BLOCK = 4096
MOST_UNITS = 10**12

DEFAULT_UNITS = 10**7

# Engines that nobody uses. Between any two instructions of Python another thread, a signal handler or a finalizer may call,
# and an engine's values last until its next evaluation only: so who evaluates takes an engine away, and gives it back when
# the values are taken out.
_spare: "deque[Any]" = deque(maxlen=16)


@contextmanager
def engine(units: Optional[int]) -> Iterator[Any]:
    """An engine that is the caller's alone."""
    limit = DEFAULT_UNITS if units is None else whole_number(units, "units", 1, MOST_UNITS)
    try:
        taken = _spare.pop()
    except IndexError:
        taken = owned(lib.ts_engine_new(), lib.ts_engine_free)
    lib.ts_engine_set_units(taken, limit)
    try:
        yield taken
    finally:
        _spare.append(taken)
        raise_ending()


def _outcome(mine: Any, result: Any, name: str, explain: Callable[[Any, Any], bool], units: Optional[int]) -> Any:
    """The value; or the failure, with what explains it, given an engine and a ts_fault, when it is asked."""
    if not result.failure:
        return value_out(result.value)

    def message() -> str:
        fault = ffi.new("ts_fault *")
        with engine(units) as other:
            return text(fault.message) if explain(other, fault) else ""

    raised = text(lib.ts_engine_message(mine))  # by a primitive of Python's own
    raise Failure(FAILURES[result.failure], result.line, name, (lambda: raised) if raised else message)


def eval(expression: str, units: Optional[int] = None) -> Any:
    """The value of an expression of the language.

    >>> import tessera
    >>> tessera.eval("shift({(0, 0), (1, 1)}, (2, 2))") == {(2, 2), (3, 3)}
    True
    >>> tessera.eval("vmirror(((1, 2), (3, 4)))")
    Grid([[2, 1],
          [4, 3]], dtype=int8)
    >>> tessera.eval("divide(1, 0)")
    Traceback (most recent call last):
        ...
    tessera.Failure: failed in line 1: zero, a division by zero
      divide divides by zero: argument 2 of divide is the number 0
    """
    data, = program_texts([expression])
    result, status = ffi.new("ts_result *"), ffi.new("ts_status *")
    with engine(units) as mine:
        if not lib.ts_eval(mine, data, len(data), result, status):
            fail(status, ProgramError)
        return _outcome(mine, result, "", lambda engine, fault: lib.ts_explain_eval(engine, data, len(data), fault), units)


class Program(Bound):
    """One program. Called with a grid it gives what it makes of it.

    >>> import tessera
    >>> mirror, = tessera.parse("def solve(I):\\n    return vmirror(I)\\n")
    >>> mirror([[1, 2], [3, 4]])
    Grid([[2, 1],
          [4, 3]], dtype=int8)
    >>> mirror.name, mirror.lines
    ('solve', 1)
    >>> print(mirror)
    def solve(I):
        O = vmirror(I)
        return O

    It pickles as its text, by itself, whatever set it is of. Lines in failures are then those of this text.

    >>> import pickle
    >>> pickle.loads(pickle.dumps(mirror)) == mirror, pickle.loads(pickle.dumps(mirror)).text == mirror.text
    (False, True)
    """

    def __init__(self, handle: Any, place: int, index: int):
        self._set, self._place = handle, place  # the set stays as long as this does
        self.index = index

    def _content(self) -> tuple[Any, ...]:
        return self.text, self.index, bool(lib.ts_programs_found(self._set, self._place))

    @classmethod
    def _restored(cls, text: str, index: int, found: bool) -> "Program":
        return cls(_set_of([text], [0] if found else []), 0, index)

    def __copy__(self) -> "Program":
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> "Program":
        return self

    @property
    def name(self) -> str:
        """That the text gives it."""
        return text(lib.ts_programs_name(self._set, self._place))

    @property
    def text(self) -> str:
        """The program in canonical form: two texts that say the same have the same."""
        return take_text(lib.ts_programs_print(self._set, self._place)).rstrip("\n")

    @property
    def words(self) -> str:
        """What the program does, in a few sentences; of a long program in part.

        >>> import tessera
        >>> program, = tessera.parse("def solve(I):\\n    x1 = objects(I, T, F, T)\\n    return fill(I, RED, argmax(x1, size))")
        >>> program.words
        'Fill the largest of the objects of the input with red.'
        """
        return take_text(lib.ts_programs_tell(self._set, self._place))

    @property
    def lines(self) -> int:
        """How many lines it has in this form."""
        return int(lib.ts_programs_lines(self._set, self._place))

    @property
    def hash(self) -> str:
        """Of the canonical text, whatever the program's name: what a pool knows it by."""
        room = ffi.new("char[17]")
        if not lib.ts_programs_hash(self._set, self._place, room):
            raise MemoryError("tessera: not enough memory")
        return text(room)

    def __call__(self, grid: "GridLike", samples: Optional["Samples"] = None, units: Optional[int] = None) -> Any:
        """What the program makes of a grid: a `Grid`, or an integer, tuple or frozenset where the value is none.

        A program `(S, I, C)` gets the demos of `samples` as S, a task or pairs of input and output. `units` is the work
        that it may do, of about a nanosecond each (10 million). Where it fails, `tessera.Failure` says how and in which
        line.

        >>> import tessera
        >>> program, = tessera.parse("def solve(I):\\n    x1 = palette(I)\\n    return x1")
        >>> sorted(program(((3, 3), (0, 8))))
        [0, 3, 8]
        >>> program([[1, 2], [3]])
        Traceback (most recent call last):
            ...
        ValueError: the rows of a grid are equally long; row 1 has 1 cells, row 0 has 2
        """
        array = grid_in(grid)
        task = None if samples is None else WithInput(samples, array)

        def explain(engine: Any, fault: Any) -> bool:
            pointer = ffi.NULL if task is None else task.pointer
            return bool(lib.ts_explain(engine, self._set, self._place, pointer, c_grid(array)[0], ffi.NULL, fault))

        with engine(units) as mine:
            if task is None:
                result = lib.ts_run(mine, self._set, self._place, c_grid(array)[0])
            else:
                result = lib.ts_run_sample(mine, self._set, self._place, task.pointer, task.demos)
            return _outcome(mine, result, self.name, explain, units)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<tessera.Program {self.name}, {self.lines} lines>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre><p>{escape(self.words)}</p>"


class WithInput:
    """A task for one run: the demos, and a grid as its only test."""

    def __init__(self, samples: "Samples", grid: npt.NDArray[np.int8]):
        from ._tasks import Task

        pairs = samples.train if isinstance(samples, Task) else samples
        arrays = [(grid_in(i, "sample's input"), grid_in(o, "sample's output")) for i, o in pairs]
        self.demos, self.pairs = len(arrays), arrays
        self._samples = ffi.new("ts_sample[]", self.demos + 1)
        for sample, (given, expected) in zip(self._samples, arrays):
            sample.input, sample.output, sample.has_output = c_grid(given)[0], c_grid(expected)[0], True
        self._samples[self.demos].input, self._samples[self.demos].is_test = c_grid(grid)[0], True
        self._kept = arrays, grid, ffi.new("char[]", b"samples")
        self.pointer = ffi.new(
            "ts_task *", {"id": self._kept[2], "samples": self._samples, "demos": self.demos, "tests": 1}
        )


class Programs(Bound, Sequence[Program]):
    """A sequence of programs, also by name; `errors` is what was left out where the reading was not strict.

    `source[k]` is the text that program k came from, of those that were given as a list.

    >>> import tessera
    >>> programs = tessera.parse(["def a(I):\\n    return I", "def b(I):\\n    return rot90(I"], strict=False)
    >>> len(programs), programs["a"].index, programs.errors[0].index
    (1, 0, 1)
    >>> print(programs.errors[0])
    <text 1>:2:19: expected ',' or ')', found the end of the line
          return rot90(I
                        ^
    """

    def __init__(self, sets: Sequence[Any], errors: Iterable[InputError] = (), source: Optional[npt.NDArray[np.int64]] = None):
        self._sets = list(sets)
        sizes = [lib.ts_programs_count(handle) for handle in self._sets]
        self._starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self.errors = list(errors)
        self.source = np.zeros(len(self), dtype=np.int64) if source is None else source
        self._names: Optional[dict[str, int]] = None

    def _content(self) -> tuple[Any, ...]:
        blocks, found = [], []
        for handle in self._sets:
            places = range(lib.ts_programs_count(handle))
            blocks.append([take_text(lib.ts_programs_print(handle, k)) for k in places])
            found.append([k for k in places if lib.ts_programs_found(handle, k)])
        return blocks, found, self.errors, self.source if self.source.any() else None

    @classmethod
    def _restored(cls, blocks: list[list[str]], found: list[list[int]], errors: list[InputError], source: Any) -> "Programs":
        return cls(list(map(_set_of, blocks, found)), errors, source)

    def __copy__(self) -> "Programs":
        return type(self)(self._sets, self.errors, self.source)

    def __deepcopy__(self, memo: Any) -> "Programs":
        return type(self)(self._sets, copy.deepcopy(self.errors, memo), self.source.copy())

    def __len__(self) -> int:
        return int(self._starts[-1])

    @property
    def names(self) -> list[str]:
        """Of all programs, in order."""
        return [program.name for program in self]

    def _at(self, index: int) -> Program:
        block = int(np.searchsorted(self._starts, index, side="right")) - 1
        return Program(self._sets[block], index - int(self._starts[block]), index)

    @overload
    def __getitem__(self, which: Union[int, str]) -> Program: ...
    @overload
    def __getitem__(self, which: slice) -> "Programs": ...
    def __getitem__(self, which: Union[int, str, slice]) -> Union[Program, "Programs"]:
        if isinstance(which, slice):
            return programs_of([self._at(k) for k in range(*which.indices(len(self)))])
        if isinstance(which, str):
            if self._names is None:
                names: dict[str, int] = {}
                for program in self:
                    names.setdefault(program.name, program.index)
                self._names = names  # whole, for others may look while it is made
            if which not in self._names:
                raise KeyError(which)
            return self._at(self._names[which])
        index = operator.index(which)
        if not -len(self) <= index < len(self):
            raise IndexError(f"program {index} of {len(self)}")
        return self._at(index % len(self))

    def __iter__(self) -> Iterator[Program]:
        return (self._at(k) for k in range(len(self)))

    def __repr__(self) -> str:
        left_out = f", {len(self.errors)} problems" if self.errors else ""
        return f"<tessera.Programs, {len(self)} programs{left_out}>"


# ---- Reading ----


def _new_set() -> Any:
    return owned(lib.ts_programs_new(), lib.ts_programs_free)


def _read_texts(data: Sequence[bytes], first: int, strict: bool, is_list: bool, problems: Problems) -> tuple[Any, Any]:
    """Reads texts into a set; also gives how many programs it has after each. Problems get the index of their text."""
    ends = np.cumsum(np.fromiter(map(len, data), dtype=np.uint64, count=len(data)), dtype=np.uint64)
    counts = np.zeros(len(data), dtype=np.uint32)
    joined = b"".join(data)
    whole, status, handle = ffi.from_buffer(joined), ffi.new("ts_status *"), _new_set()
    report = ffi.NULL if strict else lib.report_problem
    done = start = 0
    while done < len(data):
        # The texts from `done` on; their ends count from where they begin.
        c_ends = ffi.from_buffer("size_t[]", np.ascontiguousarray(ends[done:] - np.uint64(start)))
        c_counts = ffi.from_buffer("uint32_t[]", counts[done:])
        known = len(problems.errors)
        done += lib.add_texts(
            handle, b"<text>", whole + start, c_ends, len(data) - done, strict, report, problems.user, c_counts, status
        )
        if done == len(data):
            break
        if strict or len(problems.errors) == known:
            problems.errors.append(_text_error(status))
        for error in problems.errors[known:]:
            if is_list:
                error.index, error.file = first + done, f"<text {first + done}>"  # type: ignore[attr-defined]
        if strict:
            raise problems.errors[known]
        start = int(ends[done])
        done += 1
    return handle, counts


def _set_of(texts: Sequence[str], found: Iterable[int]) -> Any:
    """Texts of one program each as a set; those whose places are given count as found by a search."""
    problems = Problems(ProgramError)
    handle, counts = _read_texts(program_texts(texts), 0, True, True, problems)
    if len(texts) and not np.array_equal(counts, np.arange(1, len(texts) + 1)):
        raise ProgramError("a text is not one program")
    for place in found:
        lib.ts_programs_set_found(handle, place, True)
    return handle


def _text_error(status: Any) -> InputError:
    try:
        fail(status, ProgramError)
    except ProgramError as error:
        return error


def parse(texts: Union[str, Iterable[str]], strict: bool = True) -> Programs:
    """The programs of a text, or of each text of a list.

    A bad one raises `ProgramError`; with `strict=False` it is left out and stands in `errors`. In one text no two programs
    have one name; texts of a list may have the same.

    >>> import tessera
    >>> tessera.parse("def solve(I):\\n    return rot90(I)\\n")
    <tessera.Programs, 1 programs>
    """
    is_list = not isinstance(texts, str)
    pieces = program_texts(texts)
    problems, sets, sources = Problems(ProgramError), [], []
    for first in range(0, len(pieces), BLOCK):
        handle, counts = _read_texts(pieces[first : first + BLOCK], first, strict, is_list, problems)
        sets.append(handle)
        here = np.diff(counts, prepend=np.uint32(0)) if len(counts) else counts
        sources.append(np.repeat(np.arange(first, first + len(counts), dtype=np.int64), here))
    return Programs(sets, problems.errors, np.concatenate(sources) if sources else None)


def load(path: Optional[StrPath] = None, strict: bool = True) -> Programs:
    """The programs of a file, of all files *.py of a folder, or of a pool. Bad ones as with `parse`. Without a path those
    that were written for the tasks of `tessera.tasks()`.

    >>> import tessera
    >>> tessera.load()["solve_seesaw"]
    <tessera.Program solve_seesaw, 10 lines>
    """
    if path is None:
        examples, problem = _new_set(), ffi.new("ts_status *")
        if not lib.ts_programs_examples(examples, problem):
            fail(problem)
        return Programs([examples], [])
    name = c_path(path)
    if is_pool(path):
        from ._pool import Pool

        with Pool(path) as pool:
            return pool.programs()
    files = [name]
    if os.path.isdir(name):
        found = [file for file in sorted(Path(path).glob("*.py")) if not file.name.startswith(".") and file.is_file()]
        files = [os.fsencode(file) for file in found]
        if not files:
            raise ValueError(f"there is no file *.py in '{os.fspath(path)}'")
    handle, status, problems = _new_set(), ffi.new("ts_status *"), Problems(ProgramError)
    report = ffi.NULL if strict else lib.report_problem
    for file in files:
        good = lib.ts_programs_add_file(handle, file, strict, report, problems.user, status)
        if not good and (strict or status.code != lib.TS_INPUT):
            fail(status, ProgramError)
    return Programs([handle], problems.errors)


def is_pool(path: StrPath) -> bool:
    """Whether a file is a database."""
    if os.path.isdir(path):
        return False
    with open(path, "rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def programs_of(given: "ProgramsLike") -> Programs:
    """Programs from whatever may stand for them: they themselves, one, texts. Single ones are read anew."""
    if isinstance(given, Programs):
        return given
    if isinstance(given, (str, Program)):
        given = [given]
    if not isinstance(given, Iterable):
        raise TypeError(f"programs are those of tessera.parse or tessera.load, or texts, not {type(given).__name__}")
    return parse([item.text if isinstance(item, Program) else item for item in given])
