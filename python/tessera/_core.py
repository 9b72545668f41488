"""What all parts share: errors, texts from and to C, and work that is watched and can be stopped.

Whatever the engine does for longer than a moment runs in a thread of its own (`work`), while the caller's thread waits,
draws the progress, and hears of Ctrl-C. The engine tells how far it is in a struct that both can see, so that it never
waits for Python's lock.
"""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import threading
import time
from importlib.metadata import PackageNotFoundError, files, version as _version
from pathlib import Path
from typing import Any, Callable, Iterable, NamedTuple, NoReturn, Optional, TypeVar, Union

from ._tessera import ffi, lib

T = TypeVar("T")
StrPath = Union[str, "os.PathLike[str]"]

VERSION = _version("tessera-arc")


# ---- Errors ----


class InputError(ValueError):
    """A text or a file that says something it may not say.

    `message` is what is wrong; `line` and `column` (from 1) and `file` are where, as far as that is known.
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0, excerpt: str = "", caret: int = 0):
        super().__init__(message)
        self.message, self.file, self.line, self.column = message, file, line, column
        self.excerpt, self.caret = excerpt, caret

    def __str__(self) -> str:
        position = f"{self.line}:{self.column}:" if self.line else ""
        where = f"{self.file}:{position}" if self.file else position
        picture = f"\n  {self.excerpt}\n  {' ' * self.caret}^" if self.excerpt else ""
        return f"{where} {self.message}{picture}".lstrip()

    @property
    def prompt(self) -> str:
        """The error as a text for the prompt of a model: place, what is wrong, and the line."""
        where = f"Line {self.line}, column {self.column}: " if self.line else ""
        picture = f"    {self.excerpt}\n    {' ' * self.caret}^\n" if self.excerpt else ""
        return f"{where}{self.message}\n{picture}"


class ProgramError(InputError):
    """A text that is no program of the language.

    Of a list of texts `index` is the one concerned, else None.

    >>> import tessera
    >>> tessera.parse("def solve(I):\\n    O = objcts(I, T, F, T)\\n    return O\\n")
    Traceback (most recent call last):
        ...
    tessera.ProgramError: <text>:2:9: unknown primitive 'objcts'; did you mean 'objects'?
          O = objcts(I, T, F, T)
              ^
    """

    index: Optional[int] = None


class TaskError(InputError):
    """A file, a text or an object that holds no tasks, or bad ones."""


class Failure(Exception):
    """A program that failed on its input, as it would have raised an exception in Python.

    `kind` is one of `tessera.FAILURES`: type, value, index, empty, zero, overflow, arity, depth, budget, python. `line` is the
    line of the text that failed, 0 where there is none. `message` says what was wrong: which argument of which primitive, and what it
    was given; or what a function that was registered with `tessera.primitive` raised. It is worked out when somebody asks, as
    printing does.
    """

    def __init__(self, kind: str, line: int = 0, program: str = "", explain: Optional[Callable[[], str]] = None):
        super().__init__(kind, line, program)
        self.kind, self.line, self.program = kind, line, program
        self._explain, self._message = explain, ""

    @property
    def message(self) -> str:
        """What was wrong, as "first of an empty set (x3)"; "" where that is not known."""
        if self._explain is not None:
            self._message, self._explain = self._explain(), None
        return self._message

    def __reduce__(self) -> Any:
        return type(self), self.args, {"_message": self.message}

    def __str__(self) -> str:
        program = f"{self.program} " if self.program else ""
        why = f"\n  {self.message}" if self.message else ""
        return f"{program}failed{f' in line {self.line}' if self.line else ''}: {_FAILURE_TEXTS[self.kind]}{why}"


_FAILURE_TEXTS = {
    "none": "no failure",
    "type": "type, a value of the wrong kind",
    "value": "value, one that the primitive cannot take",
    "index": "index, outside of a tuple",
    "empty": "empty, an element of an empty container",
    "zero": "zero, a division by zero",
    "overflow": "overflow, an integer that does not fit 64 bits",
    "arity": "arity, a function called with the wrong number of arguments",
    "depth": "depth, calls or values nested too deeply",
    "budget": "budget, the work or the memory of one evaluation is spent",
    "python": "python, a function that was registered with `tessera.primitive`",
}


def text(c_text: Any) -> str:
    """A text of the library that stays the library's; none is empty."""
    if not c_text:
        return ""
    raw: bytes = ffi.string(c_text)
    return raw.decode("utf-8", "replace")


def take_bytes(c_text: Any) -> bytes:
    """A text that the library gave away, as it is; freed here."""
    if not c_text:
        raise MemoryError("tessera: not enough memory")
    try:
        raw: bytes = ffi.string(c_text)
        return raw
    finally:
        lib.free(c_text)


def take_text(c_text: Any) -> str:
    """The same in Python's form."""
    return take_bytes(c_text).decode("utf-8", "replace")


# The library calls a primitive that is not its own "foreign"; to Python these are its own functions.
FAILURES = tuple(
    "python" if kind == lib.TS_FAIL_FOREIGN else text(lib.ts_failure_name(kind)) for kind in range(lib.TS_FAIL_KINDS)
)


def owned(pointer: Any, free: Any) -> Any:
    """What a function named …_new gave, freed when nobody holds it any more."""
    if not pointer:
        raise MemoryError("tessera: not enough memory")
    return ffi.gc(pointer, free)


E = TypeVar("E", bound=InputError)


def input_error(status: Any, kind: type[E]) -> E:
    return kind(text(status.message), text(status.file), status.line, status.column, text(status.excerpt), status.caret)


def fail(status: Any, kind: type[InputError] = InputError) -> NoReturn:
    """Raises what a status says."""
    if status.code == lib.TS_INPUT:
        raise input_error(status, kind)
    message = str(input_error(status, InputError))
    if status.code == lib.TS_USAGE:
        raise ValueError(message)
    raise MemoryError(message) if "memory" in message else OSError(message)


class Problems:
    """Collects what a reader reports. `user` is what it takes for a void pointer."""

    def __init__(self, kind: type[InputError]):
        self.kind = kind
        self.errors: list[InputError] = []
        self.user = ffi.new_handle(self)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def report_problem(user: Any, problem: Any) -> None:
    problems: Problems = ffi.from_handle(user)
    problems.errors.append(input_error(problem, problems.kind))


def c_path(path: StrPath) -> bytes:
    """The path of something that must be there."""
    os.stat(path)
    return os.fsencode(path)


def c_new_path(path: StrPath) -> bytes:
    """The path of something that may be there or is to be made."""
    name = os.fsencode(path)
    if not name or b"\0" in name:
        raise ValueError(f"this is no path: {path!r}")
    return name


def installed(folder: str, name: str) -> Optional[str]:
    """The path of a file that came with this package beside its modules, wherever it was put."""
    try:
        parts = files("tessera-arc") or []
    except PackageNotFoundError:
        parts = []
    for part in parts:
        if part.name == name and part.parent.name == folder and os.path.exists(part.locate()):
            return os.fspath(part.locate())
    return None


def program_texts(texts: Union[str, Iterable[str]]) -> list[bytes]:
    """Texts for the reader of programs, which says what is wrong with them: with half a surrogate pair, too."""
    if isinstance(texts, (bytes, bytearray)):
        raise TypeError(f"a program is a text, not {type(texts).__name__}")
    pieces = [texts] if isinstance(texts, str) else list(texts)
    for k, piece in enumerate(pieces):
        if not isinstance(piece, str):
            raise TypeError(f"a program is a text; number {k} of the list is {type(piece).__name__}")
    return [piece.encode("utf-8", "surrogatepass") for piece in pieces]


FORM = 1  # of what is pickled; a version that pickles something else has another number


def restored(kind: type[T], form: int, version: str, *content: Any) -> T:
    """What `Bound` has pickled, perhaps another version of this package."""
    if form != FORM:
        here = f"Tessera {VERSION}, which is here, pickles another one ({FORM})"
        raise pickle.UnpicklingError(f"this tessera.{kind.__name__} was pickled by Tessera {version} in a form ({form}) of its own; {here}")
    try:
        made: T = kind._restored(*content)  # type: ignore[attr-defined]
    except InputError as error:
        other = "" if version == VERSION else f" It comes from Tessera {version}, this is {VERSION}."
        raise pickle.UnpicklingError(f"this tessera.{kind.__name__} cannot be read here: {error}{other}{_hint(error)}") from None
    return made


def _hint(error: InputError) -> str:
    if "unknown primitive" not in error.message:
        return ""
    return "\nWhat was registered with tessera.primitive has to be registered in the process that reads it, too."


class Bound:
    """What holds memory of the library, which another process does not have and a copy would free a second time. It is pickled
    as texts and other plain values: its `_content`, of which `_restored` makes it again."""

    def _content(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def __reduce__(self) -> Any:
        return restored, (type(self), FORM, VERSION, *self._content())


def whole_number(value: Any, name: str, least: int, most: int) -> int:
    """An argument that is a number within bounds."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is a whole number, not {value!r}")
    number: int = value.__index__()
    if not least <= number <= most:
        raise ValueError(f"{name} is {least} to {most}, not {number}")
    return number


def thread_count(threads: Optional[int]) -> int:
    return 0 if threads is None else whole_number(threads, "threads", 1, 256)


# ---- Work ----


class Progress(NamedTuple):
    """How far `evaluate`, `solve` or `iterate` is, as their `progress` gets it."""

    what: str
    done: int  # tasks; of several batteries together; rounds of `iterate`
    all: int  # 0 where there is no number
    seconds: float  # since it began
    left: Optional[float]  # seconds to come, as far as is known
    solved: int = 0  # of a search: tasks with a program that is right on all demos
    tried: int = 0  # and the programs that it tried
    growth: int = 0  # of `iterate`: programs tried by growth, each on one task
    correct: int = 0  # of `iterate`: solved tasks that are right on the tests, too


ShowProgress = Union[None, bool, Callable[[Progress], object]]

LOOK_EVERY = 0.1  # seconds
QUIET_FOR = 1.0  # what is done sooner shows nothing


_UNITS = {"iterate": "rounds", "judge": "programs", "report": "steps"}


def _line(progress: Progress, part: float, columns: int) -> str:
    """How far it is, in one line that is not longer than the place it is drawn in."""
    count = f"{progress.done}/{progress.all}" if progress.all else f"{progress.done}"
    pieces = [f"{count} {_UNITS.get(progress.what, 'tasks')}"]
    if progress.left is not None:
        pieces.append(f"{progress.left:.0f}s left")
    if progress.what in ("solve", "iterate"):
        pieces.append(f"{progress.solved} solved on demos")
    return take_text(lib.ts_progress_line(progress.what.encode(), part, ", ".join(pieces).encode(), columns))


class _Terminal:
    """A line of stderr that renews itself and goes in the end. It never wraps: that would be a line more each time."""

    @property
    def columns(self) -> int:
        try:
            return os.get_terminal_size(sys.stderr.fileno()).columns
        except (OSError, ValueError):  # no terminal, or no file at all
            return shutil.get_terminal_size().columns

    def show(self, line: str) -> None:
        print(f"\r{line}\033[K", end="", file=sys.stderr, flush=True)

    def end(self, line: str) -> None:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


class _Notebook:
    """One line below a notebook's cell that renews itself, and stays as it was last."""

    columns = 100

    def __init__(self, display: Callable[..., Any]):
        self.display = display
        self.handle: Any = None

    def show(self, line: str) -> None:
        shown = {"text/plain": line}
        if self.handle is None:
            self.handle = self.display(shown, raw=True, display_id=True)
        else:
            self.handle.update(shown, raw=True)

    def end(self, line: str) -> None:
        self.show(line)


def _place(show: ShowProgress) -> Union[None, _Terminal, _Notebook]:
    """Where progress is drawn: in a notebook and on a terminal, unless it is said not to be."""
    if show is False or callable(show):
        return None
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and getattr(shell, "kernel", None) is not None:
        from IPython.display import display  # type: ignore[import-not-found, unused-ignore]

        return _Notebook(display)
    is_terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return _Terminal() if show is True or is_terminal else None


class _Thread(threading.local):
    ending: Optional[BaseException] = None


_here = _Thread()
_watches: set["Watch"] = set()  # of the work under way


def end_evaluation(error: BaseException) -> None:
    """A primitive of Python's was ended by what is no failure of its own, KeyboardInterrupt say: so is all that is under way."""
    _here.ending = error
    for watch in tuple(_watches):
        watch.ending = error
        watch.stop()


def raise_ending() -> None:
    """Raises what has ended the evaluation that this thread made."""
    if _here.ending is not None:
        error, _here.ending = _here.ending, None
        raise error


class Watch:
    """Sees and stops the runs that share its structs, one for each run."""

    ending: Optional[BaseException] = None  # what ended it from within

    def __init__(self, what: str, runs: int = 1, budget: float = 0):
        self.what, self.runs, self.budget = what, runs, budget
        self.structs = ffi.new("watch[]", runs)
        for k in range(runs):
            self.structs[k].left = -1
        self.start = time.monotonic()

    def stop(self) -> None:
        for k in range(self.runs):
            lib.ts_stop_set(ffi.addressof(self.structs[k], "stop"), True)

    @property
    def stopped(self) -> bool:
        return bool(lib.ts_stop_is_set(ffi.addressof(self.structs[0], "stop")))

    def progress(self) -> Progress:
        structs = [self.structs[k] for k in range(self.runs)]
        done, seconds = sum(s.done for s in structs), time.monotonic() - self.start
        every = max(s.all for s in structs) * self.runs
        left: Optional[float] = structs[0].left
        if structs[0].left < 0:
            left = seconds / done * (every - done) if done and every else None
            if self.budget:
                left = max(0.0, min(self.budget - seconds, left if left is not None else self.budget))
        first = structs[0]
        return Progress(self.what, done, every, seconds, left, first.solved, first.tried, first.growth, first.correct)

    def part(self, progress: Progress) -> float:
        of_time = progress.seconds / self.budget if self.budget else 0.0
        if self.what == "solve" and self.budget:  # it goes over its tasks again and again
            return of_time
        return max(of_time, progress.done / progress.all if progress.all else 0.0)


def work(call: Callable[[], T], watch: Watch, show: ShowProgress) -> tuple[T, bool]:
    """Runs a call of the engine; gives what it gave, and whether Ctrl-C ended it early. A second Ctrl-C does not wait."""
    if sys.is_finalizing():  # a thread that is started now never runs, up to Python 3.11
        raise RuntimeError("tessera: Python is ending, no work can begin")
    outcome: list[T] = []
    problem: list[BaseException] = []
    finished = threading.Event()  # a thread's own join takes an interrupt for its end, up to Python 3.12

    def run() -> None:
        try:
            outcome.append(call())
        except BaseException as error:
            problem.append(error)
        finally:
            finished.set()

    place = _place(show)
    drawn = interrupted = False
    thread = threading.Thread(target=run, name=f"tessera {watch.what}")
    _watches.add(watch)
    try:
        thread.start()
        while not finished.wait(LOOK_EVERY):
            now = watch.progress()
            if callable(show):
                show(now)
            elif place is not None and (now.all or watch.budget) and now.seconds > QUIET_FOR:
                place.show(_line(now, watch.part(now), place.columns))
                drawn = True
        if callable(show):
            show(watch.progress())
    except BaseException as error:
        watch.stop()
        if thread.ident is not None:  # it was started
            finished.wait()
        interrupted = isinstance(error, KeyboardInterrupt) and finished.is_set()
        if not interrupted:
            raise
    finally:
        _watches.discard(watch)
        if drawn and place is not None:
            now = watch.progress()
            place.end(_line(now, watch.part(now), place.columns))
    if watch.ending is not None:
        raise watch.ending
    if problem:
        raise problem[0]
    return outcome[0], interrupted


def write_whole(path: StrPath, content: str) -> None:
    """Writes a file that is there as a whole or not at all."""
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        draft.write_text(content, encoding="utf-8")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def listed(items: Iterable[object], most: int = 5) -> str:
    """Some of the items, for a message."""
    names = [str(item) for item in items]
    return ", ".join(names[:most]) + (f", … ({len(names)})" if len(names) > most else "")
