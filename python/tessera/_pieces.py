"""An evaluation in pieces, for an executor: so many programs on so many tasks.

Programs go in sets, as they lie, since those of a set share their lines; a set is cut only where there are too few tasks for
all workers. Tasks go with the piece, a set of programs once to each worker. A piece is of half a second, by what those before it
took; towards the end they get smaller, so that no worker waits long for the last one.

What comes back is outcomes. That a program solves a task counts after it was run here as well; that it does not is believed.
"""

from __future__ import annotations

import pickle
import time
import zlib
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._core import FAILURES, Watch, listed
from ._evaluate import FAILED, RIGHT, _bundled_differs, _Run
from ._profile import Recording
from ._programs import Programs, programs_of
from ._spread import SECONDS, AnyExecutor, BadResult, Piece, Retries, Stock, seconds_of, spread
from ._tasks import Tasks
from ._tessera import ffi, lib

QUICKER = 8  # times that a piece may have as many tasks as the one that was measured
AHEAD = 4  # pieces for each worker, at least, as far as there are tasks and programs
FEWEST = 64  # programs of a set that was cut


# ---- In a worker ----


def _given(data: bytes) -> tuple[Programs, Optional[Programs], dict[str, Any]]:
    """What all pieces of a set share: the programs, the differs where they are not the bundled ones, the options."""
    programs, differs, options = pickle.loads(zlib.decompress(data))
    return programs, differs, options


def _piece(order: bytes, given: tuple[Programs, Optional[Programs], dict[str, Any]]) -> tuple[float, bytes, Optional[bytes]]:
    """The programs on some tasks: seconds that it took, outcomes and scores by sample and program."""
    programs, differs, options = given
    tasks = pickle.loads(zlib.decompress(order))
    begin = time.perf_counter()
    run = _run(programs, tasks, options, differs)
    seconds = time.perf_counter() - begin
    scores = None if run.scores is None else zlib.compress(run.scores.tobytes(), 1)
    return seconds, zlib.compress(run.outcomes.tobytes(), 1), scores


def _run(programs: Programs, tasks: Tasks, chosen: dict[str, Any], differs: Optional[Programs]) -> _Run:
    options = ffi.new("ts_battery_options *", {"threads": 1, **chosen})
    scoring = _bundled_differs() if differs is None else differs._sets[0]
    if options.scores:
        options.differs = scoring
    run = _Run(programs, tasks, options, Recording(False, "battery"))
    run.all()
    return run


# ---- Here ----


class _Part:
    """A set of programs, or a part of one, and how far it is."""

    def __init__(self, programs: Programs, first: int):
        self.programs, self.columns = programs, slice(first, first + len(programs))
        self.next = 0  # task
        self.stock: Optional[Stock] = None


class Evaluation:
    """The source of the pieces."""

    ahead = 2

    def __init__(self, programs: Programs, tasks: Tasks, options: Any, differs: Any):
        self.programs, self.tasks = programs, tasks
        self.options = {"full": bool(options.full), "scores": bool(options.scores), "units": int(options.units)}
        self.differs = None if differs is None else Programs([differs])
        self.rows = np.cumsum([0] + [task._task.demos + task._task.tests for task in tasks])
        shape = (int(self.rows[-1]), len(programs))
        self.outcomes: npt.NDArray[np.uint8] = np.zeros(shape, dtype=np.uint8)
        self.scores: Optional[npt.NDArray[np.int16]] = np.zeros(shape, dtype=np.int16) if options.scores else None
        self.watch = Watch("evaluate")
        self.parts: Optional[list[_Part]] = None  # those with tasks left
        self.under_way: dict[int, tuple[_Part, int, int]] = {}  # by number: tasks from, to
        self.given = 0
        self.pace = 0.0  # seconds for a program on a task, of the piece that came last
        self.most = 1  # tasks of a piece, by how large those were that were measured
        self.lost: list[str] = []

    def all(self, executor: AnyExecutor, workers: Optional[int]) -> None:
        source = Retries(self, self.give_up)
        spread(source, _piece, executor, workers=workers, stopped=lambda: self.watch.stopped)

    # ---- Giving ----

    def give(self, workers: int) -> Optional[Piece]:
        if self.parts is None:
            self.parts = self._cut(workers)
            self.watch.structs[0].all = len(self.parts) * len(self.tasks)
        if not self.parts:
            return None
        part = self.parts[0]
        if part.stock is None:
            data = pickle.dumps((part.programs, self.differs, self.options))
            part.stock = Stock(_given, zlib.compress(data, 1))
        first, last = part.next, min(part.next + self._size(part, workers), len(self.tasks))
        part.next = last
        if last == len(self.tasks):
            self.parts.pop(0)
        self.given += 1
        self.under_way[self.given] = part, first, last
        return Piece(self.given, zlib.compress(pickle.dumps(self.tasks[first:last]), 1), (part.stock,))

    def _cut(self, workers: int) -> list[_Part]:
        if not len(self.tasks):
            return []
        parts: list[_Part] = []
        wanted = -(-AHEAD * workers // (len(self.tasks) * max(len(self.programs._sets), 1)))  # of each set
        for handle, first, end in zip(self.programs._sets, self.programs._starts.tolist(), self.programs._starts[1:].tolist()):
            step = max(FEWEST, -(-(end - first) // wanted))
            if first < end <= first + step:
                parts.append(_Part(Programs([handle]), first))
            else:
                parts += [_Part(self.programs[k : min(k + step, end)], k) for k in range(first, end, step)]
        return parts

    def _size(self, part: _Part, workers: int) -> int:
        """Tasks of the next piece."""
        assert self.parts is not None
        left = sum(len(self.tasks) - other.next for other in self.parts)
        size = left // (2 * workers)
        if self.pace:
            size = min(size, int(SECONDS / (self.pace * len(part.programs))))
        return max(1, min(size, self.most))

    # ---- Taking ----

    def take(self, number: int, result: Any) -> None:
        part, first, last = self.under_way[number]
        seconds, outcomes, scores = self._read(number, result)
        rows = slice(int(self.rows[first]), int(self.rows[last]))
        self._confirm(number, outcomes)
        self.outcomes[rows, part.columns] = outcomes
        if self.scores is not None:
            self.scores[rows, part.columns] = scores
        self.pace = seconds / ((last - first) * len(part.programs))
        self.most = max(self.most, QUICKER * (last - first))
        self._end(number)

    def _end(self, number: int) -> None:
        _, first, last = self.under_way.pop(number)
        self.watch.structs[0].done += last - first

    def _read(self, number: int, result: Any) -> tuple[float, Any, Any]:
        """What a worker said, if it can be so."""
        part, first, last = self.under_way[number]
        shape = int(self.rows[last] - self.rows[first]), len(part.programs)
        if not isinstance(result, tuple) or len(result) != 3:
            raise BadResult("what came back is no result")
        outcomes = _array(result[1], shape, np.dtype(np.uint8))
        scores = None if self.scores is None else _array(result[2], shape, np.dtype(np.int16))
        kinds, failures = outcomes & 7, outcomes >> 3
        if kinds.max(initial=0) > FAILED or failures.max(initial=0) >= len(FAILURES) or ((kinds == FAILED) != (failures > 0)).any():
            raise BadResult("what came back has outcomes that there are not")
        if scores is not None and (scores.min(initial=0) < 0 or scores.max(initial=0) > 1000):
            raise BadResult("what came back has scores that there are not")
        return seconds_of(result[0]), outcomes, scores

    def _confirm(self, number: int, outcomes: Any) -> None:
        """Runs again what solves a task."""
        part, first, last = self.under_way[number]
        options = {**self.options, "scores": False}
        for place in range(first, last):
            task, row = self.tasks[place], int(self.rows[place] - self.rows[first])
            said = outcomes[row : row + task._task.demos + task._task.tests]
            solvers = np.flatnonzero((said[: task._task.demos] == RIGHT).all(axis=0) & (said == RIGHT).any(axis=0)).tolist()
            if not solvers:
                continue
            here = _run(programs_of([part.programs[k] for k in solvers]), Tasks([task]), options, None).outcomes
            differ = np.flatnonzero((here != said[:, solvers]).any(axis=0))
            if len(differ):
                name = part.programs[solvers[differ[0]]].name
                raise BadResult(
                    f"a worker said that program {name} solves task {task.id} and how it does on its tests, which is not so here"
                )

    def give_up(self, number: int, why: str) -> None:
        self.lost.append(f"{self._name(number)}, lost three times: {why}")
        self._end(number)

    def _name(self, number: int) -> str:
        part, first, last = self.under_way[number]
        columns = part.columns
        return f"programs {columns.start} to {columns.stop - 1} on tasks {listed(self.tasks[k].id for k in range(first, last))}"

    def is_over(self) -> bool:
        return self.parts == [] and not self.under_way

    def tick(self) -> None:
        pass


def _array(data: Any, shape: tuple[int, int], kind: "np.dtype[Any]") -> npt.NDArray[Any]:
    """Numbers that were packed, and no more of them than there should be."""
    size = shape[0] * shape[1] * kind.itemsize
    try:
        reader = zlib.decompressobj()
        cells = reader.decompress(data, size + 1)
    except (TypeError, zlib.error):
        raise BadResult("what came back cannot be unpacked") from None
    if len(cells) != size:
        raise BadResult(f"what came back has {'more' if len(cells) > size else 'less'} than there is to say")
    return np.frombuffer(cells, dtype=kind).reshape(shape)
