"""Texts of programs from anybody, each on the samples of its task: what a generator of programs asks for."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Iterable, Optional

import numpy as np
import numpy.typing as npt

from ._core import ProgramError, ShowProgress, Watch, fail, input_error, program_texts, thread_count, whole_number, work
from ._evaluate import RIGHT
from ._faults import Diagnosis, explain_text, new_judge
from ._programs import MOST_UNITS
from ._tasks import Tasks, tasks as tasks_of
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._tasks import TasksLike

BLOCK = 512  # texts judged in one call
_VERDICT = np.dtype(
    [("score", np.int64), ("units", np.uint64), ("demos_right", np.int32), ("tests_right", np.int32), ("line", np.int32),
     ("readable", np.bool_)],
    align=True,
)  # fmt: skip
assert _VERDICT.itemsize == ffi.sizeof("verdict")


class Judgement:
    """What became of texts: arrays with a row for each.

    `readable`: it is a program; else `errors[k]` says why text k is none, and all else is 0. `diagnose(k)` says all that is wrong
    with text k. `demos_right`, `tests_right`:
    counts. `score`: 0 to 1000 for each demo, summed up. `units`: work done. `line`: the line that failed first, 0 for none.

    >>> import tessera
    >>> judgement = tessera.judge(["def a(I):\\n    return hmirror(I)", "def b(I):\\n    return nothing(I)"], {"x": {
    ...     "train": [{"input": [[1], [2]], "output": [[2], [1]]}], "test": [{"input": [[3]], "output": [[3]]}]}}, tests=True)
    >>> judgement.solved, judgement.score, judgement.right
    (array([ True, False]), array([1000,    0]), array([[ True,  True],
           [False, False]]))
    >>> judgement.errors[1].message
    "unknown primitive 'nothing'"
    """

    def __init__(
        self, tasks: Tasks, verdicts: npt.NDArray[Any], outcomes: npt.NDArray[np.uint8], errors: dict[int, ProgramError]
    ):
        self.tasks, self.errors = tasks, errors
        self._outcomes = outcomes
        self._source: tuple[list[bytes], Any] = [], None  # what was judged, and how
        self.readable: npt.NDArray[np.bool_] = verdicts["readable"]
        self.score: npt.NDArray[np.int64] = verdicts["score"]
        self.units: npt.NDArray[np.uint64] = verdicts["units"]
        self.demos_right: npt.NDArray[np.int32] = verdicts["demos_right"]
        self.tests_right: npt.NDArray[np.int32] = verdicts["tests_right"]
        self.line: npt.NDArray[np.int32] = verdicts["line"]

    def __len__(self) -> int:
        return len(self.readable)

    @property
    def outcomes(self) -> npt.NDArray[np.uint8]:
        """By text and sample of its task, the demos first; as in a `Result`. 0 beyond the samples that were run."""
        return np.bitwise_and(self._outcomes, np.uint8(7))

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """By text and sample."""
        return np.equal(self._outcomes, RIGHT)

    @property
    def failures(self) -> npt.NDArray[np.uint8]:
        """By text and sample: the number of the kind in `tessera.FAILURES`."""
        return np.right_shift(self._outcomes, np.uint8(3))

    @property
    def solved(self) -> npt.NDArray[np.bool_]:
        """By text: right on all demos."""
        demos = np.array([task._task.demos for task in self.tasks], dtype=np.int32)
        return np.equal(self.demos_right, demos) & self.readable

    def diagnose(self, index: int) -> Diagnosis:
        """All that is wrong with a text: why it cannot be read, why it fails, how its results differ. It is run once more."""
        k = range(len(self))[index]
        texts, options = self._source
        return explain_text(new_judge(options), self.tasks[k]._task, texts[k])

    def prompt(self, index: int) -> str:
        """The same as one text for a model that is to mend it; "" where nothing is wrong."""
        return self.diagnose(index).prompt

    def __repr__(self) -> str:
        return f"<tessera.Judgement, {len(self)} texts, {self.readable.sum()} programs, {self.solved.sum()} right on all demos>"


class _Run:
    def __init__(self, texts: list[bytes], tasks: Tasks, options: Any, threads: int):
        self.ends = np.cumsum(np.fromiter(map(len, texts), dtype=np.uint64, count=len(texts)), dtype=np.uint64)
        self.joined = b"".join(texts)
        self.tasks, self.options, self.threads = tasks, options, threads or len(os.sched_getaffinity(0))
        self.pointers = tasks._pointers()
        width = max((t._task.demos + (t._task.tests if options.tests else 0) for t in tasks), default=0)
        self.verdicts: npt.NDArray[Any] = np.zeros(len(texts), dtype=_VERDICT)
        self.outcomes: npt.NDArray[np.uint8] = np.zeros((len(texts), width), dtype=np.uint8)
        self.errors: dict[int, ProgramError] = {}
        self.watch = Watch("judge")
        self.watch.structs[0].all = len(texts)
        self.options.stop = ffi.addressof(self.watch.structs[0], "stop")
        self.next = iter(range(0, len(texts), BLOCK))
        self.lock = threading.Lock()

    def all(self) -> None:
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(self.worker, range(self.threads)))

    def worker(self, _: int) -> None:
        """Judges one block after another, until there is none."""
        status = ffi.new("ts_status *")
        judge = lib.ts_judge_new(self.options, status)
        if not judge:
            fail(status)
        try:
            while not self.watch.stopped:
                with self.lock:
                    first = next(self.next, None)
                if first is None:
                    break
                self.block(judge, first, status)
        finally:
            lib.ts_judge_free(judge)

    def block(self, judge: Any, first: int, status: Any) -> None:
        count = min(BLOCK, len(self.verdicts) - first)
        start = int(self.ends[first - 1]) if first else 0
        ends = np.ascontiguousarray(self.ends[first : first + count] - np.uint64(start))
        verdicts, outcomes = self.verdicts[first : first + count], self.outcomes[first : first + count]
        good = lib.judge_texts(
            judge, self.pointers + first, ffi.from_buffer(self.joined) + start, ffi.from_buffer("size_t[]", ends), count,
            ffi.from_buffer("verdict[]", verdicts), ffi.from_buffer("uint8_t[]", outcomes), outcomes.shape[1], status,
        )  # fmt: skip
        if self.watch.stopped:  # perhaps in the middle of a program
            return
        if not good:
            fail(status)
        for k in np.flatnonzero(~verdicts["readable"]).tolist():
            error = input_error(lib.ts_judge_at(judge, k).problem, ProgramError)
            error.index, error.file = first + k, f"<text {first + k}>"
            self.errors[first + k] = error
        with self.lock:
            self.watch.structs[0].done += count


def judge(
    texts: Iterable[str],
    tasks: "TasksLike",
    *,
    tests: bool = False,
    scores: bool = True,
    threads: Optional[int] = None,
    units: Optional[int] = None,
    memory: Optional[int] = None,
    progress: ShowProgress = None,
) -> Judgement:
    """Reads texts of one program each, runs them on all demos of a task, and scores what comes out.

    `tasks` is one task for all of them, or one for each. A text may say anything: what is no program is noted, what would
    run for ever or fill the memory fails with `budget`, after `units` of work (250,000) or `memory` bytes (64 MiB) on a
    sample. `tests` runs them on the tests, too. Without `scores` only what is right counts. `threads` and `progress` as for
    `evaluate`.
    """
    pieces = program_texts(texts)
    given = tasks_of(tasks)
    if len(given) == 1:
        given = Tasks([given[0]] * len(pieces))
    if len(given) != len(pieces):
        raise ValueError(f"there are {len(given)} tasks for {len(pieces)} texts; give one, or one for each")
    options = ffi.new("ts_judge_options *", {"tests": bool(tests), "no_scores": not scores})
    options.units = 0 if units is None else whole_number(units, "units", 1, MOST_UNITS)
    options.memory = 0 if memory is None else whole_number(memory, "memory", 1, 2**40)
    run = _Run(pieces, given, options, thread_count(threads))
    _, interrupted = work(run.all, run.watch, progress)
    if interrupted:
        raise KeyboardInterrupt
    judgement = Judgement(given, run.verdicts, run.outcomes, dict(sorted(run.errors.items())))
    options.stop = ffi.NULL
    judgement._source = pieces, options
    return judgement
