"""Texts of programs from anybody, each on the samples of its task: what a generator of programs asks for."""

from __future__ import annotations

import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from html import escape
from typing import TYPE_CHECKING, Any, Iterable, Iterator, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from ._core import FAILURES, ProgramError, ShowProgress, Watch, fail, input_error, program_texts, thread_count, whole_number, work
from ._evaluate import FAILED, OUTCOMES, RIGHT
from ._faults import Diagnosis, explain_text, new_judge
from ._grids import Grid, grid_out, svg
from ._programs import MOST_UNITS
from ._tasks import Sample, Task, Tasks, tasks as tasks_of
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


class SampleVerdict(NamedTuple):
    """What a program did on a sample."""

    sample: Sample
    is_test: bool
    outcome: str  # one of tessera.OUTCOMES
    score: int  # of a demo: 0 (no better than the input) to 1000 (right)
    failure: Optional[str]  # one of tessera.FAILURES
    line: int  # of the text that failed, 0 for none
    output: Optional[Grid]  # what it gave, where outputs were asked for and it is a grid

    def _repr_svg_(self) -> str:
        grids, titles = [self.sample.input], ["input"]
        if self.sample.output is not None:
            grids.append(self.sample.output)
            titles.append("wanted")
        if self.output is not None:
            grids.append(self.output)
            titles.append("got")
        else:
            titles[-1] += f"; {self.outcome}" + (f": {self.failure} in line {self.line}" if self.failure else "")
        wanted = [None] * (len(grids) - 1) + [self.sample.output if self.output is not None else None]
        return svg(grids, titles, wanted)


class Judged(NamedTuple):
    """What became of one text: what it did on each sample that it was run on, the demos first. A notebook draws it."""

    task: Task
    error: Optional[ProgramError]  # why it is no program
    samples: list[SampleVerdict]
    score: int

    @property
    def solved(self) -> bool:
        """Right on all demos."""
        demos = [sample for sample in self.samples if not sample.is_test]
        return bool(demos) and all(sample.outcome == "right" for sample in demos)

    def _repr_html_(self) -> str:
        if self.error is not None:
            return f"<pre>{escape(str(self.error))}</pre>"
        head = f"{self.task.id}: {_letters(self)}, {self.score} points"
        return f"<p>{escape(head)}</p>{''.join(f'<div>{sample._repr_svg_()}</div>' for sample in self.samples)}"


def _letters(judged: Judged) -> str:
    """The samples in words, as `2 right, 1 failed (type)`."""
    counts = Counter(f"failed ({s.failure})" if s.failure else s.outcome for s in judged.samples)
    return ", ".join(f"{n} {word}" for word, n in counts.items())


class Judgement:
    """What became of texts: arrays with a row for each. `judgement[k]` is all about text k, as a `Judged`.

    `readable`: it is a program; else `errors[k]` says why text k is none, and all else is 0. `diagnose(k)` says all that is wrong
    with text k. `demos_right`, `tests_right`: counts. `score`: 0 to 1000 for each demo, summed up; `scores` has them by text and demo. `units`: work done. `line`: the line
    that failed first, 0 for none; `lines` has them by text and sample. `outputs`: for each text a list of what it gave, a grid or
    None for each sample; None unless asked for.

    >>> import tessera
    >>> judgement = tessera.judge(["def a(I):\\n    return hmirror(I)", "def b(I):\\n    return nothing(I)"], {"x": {
    ...     "train": [{"input": [[1], [2]], "output": [[2], [1]]}], "test": [{"input": [[3]], "output": [[3]]}]}}, tests=True)
    >>> judgement.solved, judgement.score, judgement.right
    (array([ True, False]), array([1000,    0]), array([[ True,  True],
           [False, False]]))
    >>> judgement.errors[1].message
    "unknown primitive 'nothing'"
    >>> judgement.scores.tolist(), judgement[0].samples[1].outcome
    ([[1000, 0], [0, 0]], 'right')
    """

    def __init__(self, tasks: Tasks, run: "_Run"):
        verdicts = run.verdicts
        self.tasks, self.errors = tasks, dict(sorted(run.errors.items()))
        self._outcomes = run.outcomes
        self.scores: npt.NDArray[np.int16] = run.scores
        self.lines: npt.NDArray[np.int32] = run.lines
        self.outputs: Optional[list[list[Optional[Grid]]]] = run.outputs
        self._texts = run.texts  # what was judged, and how
        self._options = {name: getattr(run.options, name) for name in ("tests", "no_scores", "outputs", "units", "memory")}
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
        options = ffi.new("ts_judge_options *", self._options)
        return explain_text(new_judge(options), self.tasks[k]._task, self._texts[k])

    def prompt(self, index: int) -> str:
        """The same as one text for a model that is to mend it; "" where nothing is wrong."""
        return self.diagnose(index).prompt

    def __getitem__(self, index: int) -> Judged:
        k = range(len(self))[index]
        task = self.tasks[k]
        demos, tests = task.train, task.test
        samples = []
        for n, sample in enumerate([*demos, *tests][: self._outcomes.shape[1]]):
            outcome, kind = int(self._outcomes[k, n]) & 7, int(self._outcomes[k, n]) >> 3
            given = None if self.outputs is None or n >= len(self.outputs[k]) else self.outputs[k][n]
            failure = FAILURES[kind] if outcome == FAILED else None
            found = OUTCOMES[outcome], int(self.scores[k, n]), failure, int(self.lines[k, n])
            if outcome:
                samples.append(SampleVerdict(sample, n >= len(demos), *found, given))
        return Judged(task, self.errors.get(k), samples, int(self.score[k]))

    def __iter__(self) -> Iterator[Judged]:
        return (self[k] for k in range(len(self)))

    def _repr_html_(self) -> str:
        best = np.argsort(-self.score, kind="stable")[:20].tolist()
        rows = [f"<tr><td>{k}</td><td>{escape(self[k].task.id)}</td><td>{self.score[k]}</td><td>{_cell(self[k])}</td></tr>" for k in best]
        more = f"<p>… and {len(self) - len(best)} more</p>" if len(self) > len(best) else ""
        first = self[best[0]]._repr_html_() if best else ""
        head = "<tr><th>text</th><th>task</th><th>score</th><th>samples</th></tr>"
        return f"<p>{escape(repr(self)[1:-1])}</p><table>{head}{''.join(rows)}</table>{more}{first}"

    def __repr__(self) -> str:
        return f"<tessera.Judgement, {len(self)} texts, {self.readable.sum()} programs, {self.solved.sum()} right on all demos>"


def _cell(judged: Judged) -> str:
    return escape(judged.error.message if judged.error is not None else _letters(judged))


class _Run:
    def __init__(self, texts: list[bytes], tasks: Tasks, options: Any, threads: int):
        self.ends = np.cumsum(np.fromiter(map(len, texts), dtype=np.uint64, count=len(texts)), dtype=np.uint64)
        self.joined = b"".join(texts)
        self.texts, self.tasks, self.options, self.threads = texts, tasks, options, threads or len(os.sched_getaffinity(0))
        self.pointers = tasks._pointers()
        width = max((t._task.demos + (t._task.tests if options.tests else 0) for t in tasks), default=0)
        self.verdicts: npt.NDArray[Any] = np.zeros(len(texts), dtype=_VERDICT)
        self.outcomes: npt.NDArray[np.uint8] = np.zeros((len(texts), width), dtype=np.uint8)
        self.lines: npt.NDArray[np.int32] = np.zeros((len(texts), width), dtype=np.int32)
        self.scores: npt.NDArray[np.int16] = np.zeros((len(texts), width), dtype=np.int16)
        self.outputs: Optional[list[list[Optional[Grid]]]] = [[] for _ in texts] if options.outputs else None
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
        part = slice(first, first + count)
        verdicts, rows = self.verdicts[part], ffi.new("verdict_rows *", {"width": self.outcomes.shape[1]})
        rows.outcomes = ffi.from_buffer("uint8_t[]", self.outcomes[part])
        rows.lines = ffi.from_buffer("int32_t[]", self.lines[part])
        rows.scores = ffi.from_buffer("int16_t[]", self.scores[part])
        good = lib.judge_texts(
            judge, self.pointers + first, ffi.from_buffer(self.joined) + start, ffi.from_buffer("size_t[]", ends), count,
            ffi.from_buffer("verdict[]", verdicts), rows, status,
        )  # fmt: skip
        if self.watch.stopped:  # perhaps in the middle of a program
            return
        if not good:
            fail(status)
        for k in np.flatnonzero(~verdicts["readable"]).tolist():
            error = input_error(lib.ts_judge_at(judge, k).problem, ProgramError)
            error.index, error.file = first + k, f"<text {first + k}>"
            self.errors[first + k] = error
        if self.outputs is not None:
            for k in np.flatnonzero(verdicts["readable"]).tolist():
                self.outputs[first + k] = _outputs(lib.ts_judge_at(judge, k))
        with self.lock:
            self.watch.structs[0].done += count


def _outputs(verdict: Any) -> list[Optional[Grid]]:
    grids = [verdict.samples[n].output for n in range(verdict.demos + verdict.tests)]
    return [grid_out(grid) if grid.height and grid.cells else None for grid in grids]


def judge(
    texts: Iterable[str],
    tasks: "TasksLike",
    *,
    tests: bool = False,
    scores: bool = True,
    outputs: bool = False,
    threads: Optional[int] = None,
    units: Optional[int] = None,
    memory: Optional[int] = None,
    progress: ShowProgress = None,
) -> Judgement:
    """Reads texts of one program each, runs them on all demos of a task, and scores what comes out.

    `tasks` is one task for all of them, or one for each. A text may say anything: what is no program is noted, what would
    run for ever or fill the memory fails with `budget`, after `units` of work (250,000) or `memory` bytes (64 MiB) on a
    sample. `tests` runs them on the tests, too. Without `scores` only what is right counts; with `outputs` the grids that they give are kept. `threads` and `progress` as for
    `evaluate`.
    """
    pieces = program_texts(texts)
    given = tasks_of(tasks)
    if len(given) == 1:
        given = Tasks([given[0]] * len(pieces))
    if len(given) != len(pieces):
        raise ValueError(f"there are {len(given)} tasks for {len(pieces)} texts; give one, or one for each")
    options = ffi.new("ts_judge_options *", {"tests": bool(tests), "no_scores": not scores, "outputs": bool(outputs)})
    options.units = 0 if units is None else whole_number(units, "units", 1, MOST_UNITS)
    options.memory = 0 if memory is None else whole_number(memory, "memory", 1, 2**40)
    run = _Run(pieces, given, options, thread_count(threads))
    _, interrupted = work(run.all, run.watch, progress)
    if interrupted:
        raise KeyboardInterrupt
    return Judgement(given, run)
