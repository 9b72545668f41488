"""Many programs on many tasks, through the battery.

Outcomes stand in one array of bytes, a row for each sample of all tasks, one after another, a column for each program, as the
battery writes them; what users see is made of it when they ask. A set of programs is one battery; where there are many sets
they run side by side.
"""

from __future__ import annotations

import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
import numpy.typing as npt

from ._core import FAILURES, ProgramError, ShowProgress, Watch, fail, owned, thread_count, whole_number, work
from ._profile import Profile, Recording, WantsProfile
from ._programs import MOST_UNITS, Program, Programs, programs_of
from ._spread import ExecutorError, apart
from ._tasks import Task, Tasks, tasks as tasks_of
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._programs import ProgramsLike
    from ._spread import AnyExecutor
    from ._tasks import TasksLike

NOT_RUN, RIGHT, WRONG, UNKNOWN, FAILED = range(5)
OUTCOMES = ("not run", "right", "wrong", "unknown", "failed")


@lru_cache(maxsize=None)
def _bundled_differs() -> Any:
    return differs_of(None, None)


def differs_of(more: Optional["ProgramsLike"], only: Optional["ProgramsLike"]) -> Any:
    """What scores a grid that is not right: the bundled differs, or none of them where there are `only` others, and more."""
    handle, status = owned(lib.ts_programs_new(), lib.ts_programs_free), ffi.new("ts_status *")
    if only is None and not lib.ts_differs_bundled(handle, status):
        fail(status)
    for program in [program for given in (more, only) if given is not None for program in programs_of(given)]:
        data = program.text.encode()
        if not lib.ts_differs_add_text(handle, b"", data, len(data), status):
            fail(status, ProgramError)
    if not lib.ts_programs_count(handle):
        raise ValueError("only_differs has no differ")
    return handle


class Result:
    """What programs gave on tasks.

    The arrays have a row for each program. Those by sample have a column for each sample of all tasks, the demos of a task
    before its tests: `sample_task[k]` is the task of column k, `sample_is_test[k]` whether it is a test. `columns(task)`
    is the slice of a task. A notebook draws the result: a tile for each task.

    >>> import tessera
    >>> tasks = tessera.tasks("tasks")
    >>> result = tessera.evaluate(tessera.load("tasks/solvers.py"), tasks, full=True)
    >>> result.right.shape, result.solved.shape
    ((14, 72), (14, 14))
    >>> result.best("seesaw").name
    'solve_seesaw'
    >>> print(result)
    14 programs on 14 tasks: 14 tasks solved on all demos, 14 of them right on the tests; failures: empty 166
    """

    def __init__(
        self, programs: Programs, tasks: Tasks, outcomes: npt.NDArray[np.uint8], scores: Optional[npt.NDArray[np.int16]]
    ):
        self.programs, self.tasks = programs, tasks
        self._outcomes, self._scores = outcomes, scores  # [sample, program]
        self.profile: Optional[Profile] = None
        demos = [task._task.demos for task in tasks]
        tests = [task._task.tests for task in tasks]
        sizes = np.array(demos, dtype=np.int64) + np.array(tests, dtype=np.int64)
        self._starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self._demos = np.array(demos, dtype=np.int64)
        self.sample_task: npt.NDArray[np.int64] = np.repeat(np.arange(len(tasks), dtype=np.int64), sizes)
        places = np.arange(len(self.sample_task)) - self._starts[self.sample_task]
        self.sample_is_test: npt.NDArray[np.bool_] = places >= self._demos[self.sample_task]

    def __reduce__(self) -> Any:
        # Without what follows from these.
        return type(self), (self.programs, self.tasks, self._outcomes, self._scores), {"profile": self.profile}

    def columns(self, task: Union[str, int, Task]) -> slice:
        """The columns of a task's samples."""
        index = self.tasks.index(task)
        return slice(int(self._starts[index]), int(self._starts[index + 1]))

    @property
    def outcomes(self) -> npt.NDArray[np.uint8]:
        """By program and sample: 0 not run, 1 right, 2 wrong, 3 unknown (a test without an output), 4 failed."""
        return np.bitwise_and(self._outcomes, np.uint8(7)).T

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """By program and sample."""
        return np.equal(self._outcomes, RIGHT).T  # without a failure in the upper bits

    @property
    def failures(self) -> npt.NDArray[np.uint8]:
        """By program and sample: the number of the kind in `tessera.FAILURES`, 0 where the program did not fail."""
        return np.right_shift(self._outcomes, np.uint8(3)).T

    @property
    def scores(self) -> npt.NDArray[np.int16]:
        """By program and sample: 0 (no better than the input) to 1000 (right). Tests have 0."""
        if self._scores is None:
            raise ValueError("there are no scores: ask evaluate for them with scores=True")
        return self._scores.T

    def _by_task(self, tests: bool) -> npt.NDArray[np.int32]:
        """By program and task: how many demos, or tests, are right."""
        counts = np.zeros((len(self.tasks), len(self.programs)), dtype=np.int32)
        right = self.right.T
        for task, count in enumerate(counts):
            first, middle, end = self._starts[task], self._starts[task] + self._demos[task], self._starts[task + 1]
            np.sum(right[middle:end] if tests else right[first:middle], axis=0, out=count)
        return counts.T

    @cached_property
    def demos_right(self) -> npt.NDArray[np.int32]:
        """By program and task: how many demos it gets right."""
        return self._by_task(tests=False)

    @cached_property
    def tests_right(self) -> npt.NDArray[np.int32]:
        """By program and task: how many tests it gets right. Without `full` only what is right on all demos is tested."""
        return self._by_task(tests=True)

    @property
    def solved(self) -> npt.NDArray[np.bool_]:
        """By program and task: right on all demos."""
        return np.equal(self.demos_right, self._demos)

    @property
    def correct(self) -> npt.NDArray[np.bool_]:
        """By program and task: right on all demos, and on all tests, whose outputs are known."""
        tests = np.diff(self._starts) - self._demos
        return self.solved & np.equal(self.tests_right, tests)

    def winners(self, task: Union[str, int, Task]) -> list[Program]:
        """The programs that are right on all demos of a task."""
        return [self.programs[int(k)] for k in np.flatnonzero(self.solved[:, self.tasks.index(task)])]

    def best(self, task: Union[str, int, Task]) -> Optional[Program]:
        """The program with the most demos of a task right, by score where these are the same; None where all have none."""
        index = self.tasks.index(task)
        points = self.demos_right[:, index].astype(np.int64) * 1_000_000
        if self._scores is not None:
            points += self._scores[self.columns(index)].sum(axis=0, dtype=np.int64)
        if not len(points) or not points.max():
            return None
        return self.programs[int(points.argmax())]

    def failure_counts(self) -> dict[str, int]:
        """How often each kind of failure occurred."""
        counts = np.bincount(self._outcomes.ravel() >> 3, minlength=len(FAILURES))
        return {name: int(n) for name, n in zip(FAILURES[1:], counts[1:]) if n}

    def __str__(self) -> str:
        solved, correct = self.solved.any(axis=0), self.correct.any(axis=0)
        failures = ", ".join(f"{name} {n}" for name, n in self.failure_counts().items()) or "none"
        return (
            f"{len(self.programs)} programs on {len(self.tasks)} tasks: {solved.sum()} tasks solved on all demos, "
            f"{correct.sum()} of them right on the tests; failures: {failures}"
        )

    def __repr__(self) -> str:
        return f"<tessera.Result, {self}>"

    def _repr_html_(self) -> str:
        best = self.demos_right.max(axis=0, initial=0)
        correct = np.any(self.correct, axis=0)
        tiles = [
            tile(task.id, best[k] == n, correct[k], best[k], f"best {best[k]} of {n} demos right")
            for k, (task, n) in enumerate(zip(self.tasks, self._demos))
        ]
        return wall(str(self), tiles)


def tile(id: str, solved: bool, correct: bool, near: Any, more: str) -> str:
    """A task as a small square in the colour of how it stands."""
    color = "#2ecc40" if correct else "#a8e6b0" if solved else "#ffdc00" if near else "#c8c8c8"
    word = "solved, tests right" if correct else "solved on demos" if solved else "not solved"
    label = f"{escape(id)}: {word}, {more}"
    style = f"display:inline-block;width:14px;height:14px;margin:1px;border-radius:2px;background:{color}"
    return f'<span role="img" title="{label}" aria-label="{label}" style="{style}"></span>'


def wall(title: str, tiles: list[str]) -> str:
    return f'<p>{escape(title)}</p><div style="line-height:0;max-width:640px">{"".join(tiles)}</div>'


def evaluate(
    programs: "ProgramsLike",
    tasks: "TasksLike",
    *,
    threads: Optional[int] = None,
    full: bool = False,
    scores: Optional[bool] = None,
    differs: Optional["ProgramsLike"] = None,
    only_differs: Optional["ProgramsLike"] = None,
    units: Optional[int] = None,
    progress: ShowProgress = None,
    profile: WantsProfile = False,
    executor: Optional["AnyExecutor"] = None,
    workers: Optional[int] = None,
) -> Result:
    """Runs all programs on all samples of all tasks.

    What has missed a demo is not run on the task's other samples, unless `full` is set. `scores` asks for partial scores,
    which take a little more time; they come with `full` and with differs unless said otherwise. `differs`: programs (S, I, C)
    to score with beside the bundled ones, each giving (score from 0 to 1000, detail); `only_differs`: instead of these. One
    that gives something else raises `ProgramError`. `threads`: else one for each
    processor; they change no result. `units`: the work that a program may do on a sample, of about a nanosecond each
    (250,000). `progress`: True draws a bar on stderr, False none, None if that is a terminal; a function is called with a
    `Progress` about ten times a second. Ctrl-C ends it. `profile`: True, or a file to write it to; the result's `profile` then
    says where the time went.

    `executor`: any of `concurrent.futures`, or of Dask, MPI, Ray, that does the work in pieces of half a second, perhaps on other
    machines, which need the same version of Tessera. The result is the same. Better is a function that makes one, such as
    `lambda: ProcessPoolExecutor(4)`: where a worker dies and breaks its pool a new one is made. What a dead worker had is
    given out again; what was lost three times is given up with a `RuntimeWarning`, and counts as not run. `workers`: how many it
    has, where it does not say. What cannot go on raises `ExecutorError`. Programs that solve a task are run once more here,
    so workers need not be trusted.

    >>> import tessera
    >>> result = tessera.evaluate(["def a(I):\\n    return hmirror(I)"], {"x": {
    ...     "train": [{"input": [[1], [2]], "output": [[2], [1]]}], "test": [{"input": [[3]], "output": [[4]]}]}})
    >>> result.right
    array([[ True, False]])
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     int(tessera.evaluate(tessera.load(), tessera.tasks(), executor=pool).correct.any(axis=0).sum())
    14
    """
    given, on = programs_of(programs), tasks_of(tasks)
    own = differs is not None or only_differs is not None
    scores = full or own if scores is None else scores
    options = ffi.new("ts_battery_options *", {"full": bool(full), "scores": bool(scores)})
    options.threads = thread_count(threads)
    options.units = 0 if units is None else whole_number(units, "units", 1, MOST_UNITS)
    scoring = differs_of(differs, only_differs) if own else _bundled_differs()
    if scores:
        options.differs = scoring
    recording = Recording(profile, "battery")
    count = apart(executor, workers, threads=threads, profile=profile or None)
    if executor is not None:
        return _evaluate_apart(given, on, options, scoring if own else None, executor, count, progress)
    run = _Run(given, on, options, recording)
    _, interrupted = work(run.all, run.watch, progress)
    if interrupted:
        raise KeyboardInterrupt
    result = Result(given, on, run.outcomes, run.scores)
    result.profile = recording.profile
    return result


def _evaluate_apart(
    given: Programs, on: Tasks, options: Any, differs: Any, executor: Any, count: Optional[int], progress: ShowProgress
) -> Result:
    """The same by an executor."""
    from ._pieces import Evaluation
    pieces = Evaluation(given, on, options, differs)
    result = Result(given, on, pieces.outcomes, pieces.scores)
    try:
        _, interrupted = work(lambda: pieces.all(executor, count), pieces.watch, progress)
    except ExecutorError as error:
        error.result = result
        raise
    if interrupted:
        raise KeyboardInterrupt
    if pieces.lost:
        warnings.warn(f"given up, and not run: {'; '.join(pieces.lost)}", RuntimeWarning, 3)
    return result


class _Run:
    """The batteries of an evaluation, one for each set of programs."""

    def __init__(self, programs: Programs, tasks: Tasks, options: Any, recording: Recording):
        self.programs, self.tasks, self.options, self.recording = programs, tasks, options, recording
        self.pointers = tasks._pointers()
        self.demos = [task._task.demos for task in tasks]
        self.sizes = [task._task.demos + task._task.tests for task in tasks]
        shape = (sum(self.sizes), len(programs))
        self.outcomes: npt.NDArray[np.uint8] = np.zeros(shape, dtype=np.uint8)
        self.scores: Optional[npt.NDArray[np.int16]] = np.zeros(shape, dtype=np.int16) if options.scores else None
        self.watch = Watch("evaluate", max(len(programs._sets), 1))
        self.options.stop = ffi.addressof(self.watch.structs[0], "stop")

    def all(self) -> None:
        self.options.profile = self.recording.begin()
        self.blocks()
        self.recording.end()

    def blocks(self) -> None:
        blocks = range(len(self.programs._sets))
        threads = self.options.threads or len(os.sched_getaffinity(0))
        if len(blocks) < 2 or threads < 2 or self.options.profile:  # which is of one run at a time
            for block in blocks:
                self.one(block)
        else:
            self.options.threads = max(1, threads // len(blocks))
            with ThreadPoolExecutor(min(threads, len(blocks))) as pool:
                list(pool.map(self.one, blocks))

    def one(self, block: int) -> None:
        """Runs a battery and takes its outcomes over."""
        if self.watch.stopped:
            return
        status = ffi.new("ts_status *")
        battery = lib.ts_battery_new(self.programs._sets[block], self.options, status)
        if not battery:
            fail(status)
        try:
            step = ffi.addressof(lib, "watch_battery")
            user = self.watch.structs + block
            if not lib.ts_battery_run(battery, self.pointers, len(self.tasks), step, user, status):
                fail(status)
            self._take(battery, slice(*self.programs._starts[block : block + 2]))
        finally:
            lib.ts_battery_free(battery)

    def _take(self, battery: Any, columns: slice) -> None:
        row, width = 0, columns.stop - columns.start
        for task, (size, demos) in enumerate(zip(self.sizes, self.demos)):
            data = ffi.buffer(lib.ts_battery_outcomes(battery, task), size * width)
            self.outcomes[row : row + size, columns] = np.frombuffer(data, dtype=np.uint8).reshape(size, width)
            if self.scores is not None:
                data = ffi.buffer(lib.ts_battery_scores(battery, task), demos * width * 2)
                self.scores[row : row + demos, columns] = np.frombuffer(data, dtype=np.int16).reshape(demos, width)
            row += size
