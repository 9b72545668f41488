"""The search for programs that nobody wrote yet."""

from __future__ import annotations

import json
import os
import warnings
from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from ._core import (
    Progress,
    ShowProgress,
    StrPath,
    Watch,
    c_new_path,
    fail,
    listed,
    owned,
    take_text,
    text,
    thread_count,
    whole_number,
    work,
    write_whole,
)
from ._grids import Grid, grid_out, is_right, right_word, svg
from ._live import LivePage, title_of
from ._orders import Solving, do_order
from ._pool import Pool
from ._profile import Profile, Recording, WantsProfile
from ._programs import Programs, load, programs_of
from ._spread import ExecutorError, apart, spread
from ._tasks import Task, Tasks, tasks as tasks_of
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._programs import ProgramsLike
    from ._spread import AnyExecutor
    from ._tasks import TasksLike


class Attempt(NamedTuple):
    """An answer for a test, the program that gives it (None for an answer of last resort), and how far to trust it."""

    grid: Grid
    confidence: float
    program: Optional[str]
    agreeing: int  # programs that give it
    right: Optional[bool] = None  # None where the solution is not known

    def _repr_svg_(self) -> str:
        return svg([self.grid], [f"attempt: {self.confidence:.2f}{right_word(self.right)}"])


class Answer(NamedTuple):
    """What was found for a task."""

    task: Task
    attempts: list[list[Attempt]]  # for each test, the best first
    solved: bool  # a program is right on all demos
    program: Optional[str]  # that of the first attempt
    confidence: float

    def _repr_html_(self) -> str:
        return _answer_html(self)


class Score(NamedTuple):
    """A submission against the known solutions, with two attempts for each test."""

    right: int  # outputs
    outputs: int
    tasks_right: int  # all outputs right
    tasks: int
    lacking: int = 0  # tasks of which the submission has nothing: they do not count


def score_of(submission: Any) -> Score:
    """The score of a submission of the library."""
    score = lib.ts_submission_score(submission)
    return Score(score.right[1], score.outputs, score.whole[1], score.tasks, score.lacking)


class Solution:
    """What `solve` found: `solution[id]` is the `Answer` for a task. `starved` are the ids of tasks that memory was short
    for, `lost` those that were given up, with why. A notebook draws it."""

    def __init__(
        self,
        tasks: Tasks,
        answers: list[Answer],
        submission: str,
        score: Score,
        end: Progress,
        interrupted: bool,
        starved: list[str],
        lost: dict[str, str],
    ):
        self.tasks, self.answers, self.starved, self.lost = tasks, answers, starved, lost
        self.seconds, self.tried, self.interrupted = end.seconds, end.tried, interrupted
        self._submission, self._score = submission, score
        self.profile: Optional[Profile] = None

    def __len__(self) -> int:
        return len(self.answers)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __getitem__(self, task: Union[str, int, Task]) -> Answer:
        return self.answers[self.tasks.index(task)]

    @property
    def solved(self) -> list[str]:
        """The ids of the tasks for which a program is right on all demos."""
        return [answer.task.id for answer in self.answers if answer.solved]

    def submission(self) -> dict[str, list[dict[str, list[list[int]]]]]:
        """Two attempts for each test, in the form that Kaggle takes."""
        whole: dict[str, list[dict[str, list[list[int]]]]] = json.loads(self._submission)
        return whole

    def write(self, path: StrPath) -> None:
        """Writes the submission as a file."""
        write_whole(path, self._submission)

    def score(self) -> Score:
        """How many outputs are right, of those that are known."""
        return self._score

    def __str__(self) -> str:
        score = f"; {self._score.right} of {self._score.outputs} outputs right" if self._score.outputs else ""
        early = ", interrupted" if self.interrupted else ""
        return f"{len(self.solved)} of {len(self)} tasks solved on their demos in {self.seconds:.1f} s{early}{score}"

    def __repr__(self) -> str:
        return f"<tessera.Solution, {self}>"

    def _repr_html_(self) -> str:
        shown = self.answers[:20]
        more = f"<p>… and {len(self) - len(shown)} more</p>" if len(self) > len(shown) else ""
        return f"<p>{escape(str(self))}</p>{''.join(map(_answer_html, shown))}{more}"


SubmissionLike = Union[StrPath, Mapping[str, Any], Solution]


def _answer_html(answer: Answer) -> str:
    rows = []
    for test, attempts in zip(answer.task.test, answer.attempts):
        grids, titles = [test.input], ["input"]
        for k, attempt in enumerate(attempts[:2]):
            grids.append(attempt.grid)
            titles.append(f"attempt {k + 1}: {attempt.confidence:.2f}{right_word(attempt.right)}")
        wanted = [None, *[test.output] * (len(grids) - 1)]
        rows.append(f"<div>{svg(grids, titles, wanted)}</div>")
    program = f"<pre>{escape(answer.program)}</pre>" if answer.program else ""
    word = "solved on its demos" if answer.solved else "not solved"
    return f"<h4>{escape(answer.task.id)}: {word}</h4>{''.join(rows)}{program}"


def _attempts(search: Any, submission: Any, task: int, test: int, wanted: Optional[Grid]) -> list[Attempt]:
    """What the search has for a test; where it has less than two, answers of last resort of the submission."""
    room = ffi.new("ts_attempt[]", lib.TS_MOST_ATTEMPTS)
    attempts = []
    for k in range(lib.ts_search_attempts(search, test, room, lib.TS_MOST_ATTEMPTS)):
        found = lib.ts_search_at(search, room[k].found)
        given = grid_out(room[k].grid)
        attempts.append(Attempt(given, room[k].confidence, text(found.program), room[k].agreeing, is_right(given, wanted)))
    for k in range(len(attempts), 2):
        grid = lib.ts_submission_at(submission, task, test, k)
        if grid.height:
            guess = grid_out(grid)
            attempts.append(Attempt(guess, 0.0, None, 0, is_right(guess, wanted)))
    return attempts


def _answer(solver: Any, task: Task, index: int) -> Answer:
    search, submission = lib.ts_solver_search(solver, index), lib.ts_solver_submission(solver)
    attempts = [_attempts(search, submission, index, k, sample.output) for k, sample in enumerate(task.test)]
    best = attempts[0][0] if attempts and attempts[0] else None
    solved = False
    for k in range(lib.ts_search_count(search)):
        found = lib.ts_search_at(search, k)
        solved |= found.demos_right == found.demos
    return Answer(task, attempts, solved, best.program if best else None, best.confidence if best else 0.0)


def _pool(pool: Union[None, bool, StrPath, "ProgramsLike", "Pool"]) -> Optional[Any]:
    """The programs to try first, as one set."""
    if pool is False:
        return None
    if pool is None or pool is True:
        handle, status = owned(lib.ts_programs_new(), lib.ts_programs_free), ffi.new("ts_status *")
        if not lib.ts_programs_bundled(handle, status):
            fail(status)
        return handle
    return one_set(pool_programs(pool))


def pool_programs(pool: Union[StrPath, "ProgramsLike", "Pool"]) -> Programs:
    """The programs of a path, a `Pool`, or programs as they are."""
    if isinstance(pool, (str, os.PathLike)):
        return load(pool, strict=False)
    return pool.programs() if isinstance(pool, Pool) else programs_of(pool)


def one_set(programs: Programs) -> Any:
    """Programs as one set of the library."""
    if len(programs._sets) == 1:
        return programs._sets[0]
    handle, status = owned(lib.ts_programs_new(), lib.ts_programs_free), ffi.new("ts_status *")
    for program in programs:
        data = program.text.encode()
        if not lib.ts_programs_add_text(handle, b"pool", data, len(data), True, ffi.NULL, ffi.NULL, status):
            fail(status)
        lib.ts_programs_set_found(handle, lib.ts_programs_count(handle) - 1, lib.ts_programs_found(program._set, program._place))
    return handle


def _sources(others: Any, tasks: Tasks) -> tuple[Any, list[Any]]:
    """The submissions of others with their weights, as the library takes them; and what they point to."""
    from ._submissions import read_submission  # which needs Solution, in this file

    if others is None:
        return ffi.NULL, []
    if isinstance(others, (str, os.PathLike, Solution)):
        others = [others]
    if isinstance(others, Mapping) and all(isinstance(weight, (int, float)) for weight in others.values()):
        weighted = list(others.items())
    else:  # the text of a submission is a mapping, too
        weighted = [(source, 1.0) for source in ([others] if isinstance(others, Mapping) else others)]
    read = [read_submission(source, tasks, part=True) for source, _ in weighted]
    for _, weight in weighted:
        if not 0 < weight < 1e9:
            raise ValueError(f"a weight is a number above 0, not {weight}")
    return ffi.new("ts_merge_source[]", [{"submission": s, "weight": w} for s, (_, w) in zip(read, weighted)]), read


def _devices(which: Union[str, int]) -> Any:
    """The devices that a search may use, as the library has them."""
    status = ffi.new("ts_status *")
    return owned(lib.ts_devices_open(str(which).encode(), status) or fail(status), lib.ts_devices_close)


def _warn(message: str) -> None:
    if message:
        warnings.warn(message, RuntimeWarning, stacklevel=3)


def solve(
    tasks: "TasksLike",
    seconds: Optional[float] = None,
    *,
    per_task: Optional[float] = None,
    threads: Optional[int] = None,
    seed: int = 0,
    pool: Union[None, bool, StrPath, "ProgramsLike", Pool] = None,
    out: Optional[StrPath] = None,
    candidates: Optional[StrPath] = None,
    store: Union[None, StrPath, Pool] = None,
    engines: Union[None, str, Iterable[str]] = None,
    memory: Optional[int] = None,
    profile: WantsProfile = False,
    progress: ShowProgress = None,
    trust_pool: bool = False,
    others: Union[None, SubmissionLike, Sequence[SubmissionLike], Mapping[StrPath, float]] = None,
    fresh: bool = False,
    device: Union[str, int] = "auto",
    pages: Optional[StrPath] = None,
    executor: Optional["AnyExecutor"] = None,
    workers: Optional[int] = None,
) -> Solution:
    """Searches programs for tasks, and gives for each test the answers that are most likely right.

    `seconds` is the time for all tasks together, by the clock. Or else `per_task` is the work on each (1), in seconds of a
    billion units: then what comes out depends on the seed alone. `pool`: programs to try first, a path, programs or a
    `Pool`; those that ship with Tessera unless given, none with False. A program that a person wrote is trusted as such were
    right on training tasks; with `trust_pool` what programs of the pool answer comes first, where they fit all demos. `out`
    is a file for the submission, whole at every moment; beside it a journal from which the same call goes on, should this
    one be ended. What another run has left there is kept as a file of its own, with a warning, and lost with `fresh`.
    `others` are submissions of other solvers, which are merged with what is found as `merge` does: one or several, or
    weights by paths; the attempts of the result are then those of the search alone. `candidates`
    is a file for all programs found, which `explain` and `report` read; `store` a pool that gets the winners. `engines`: only
    these, by their names; `memory`: bytes that each thread may hold (1 GiB). `device` says where steps on images are done,
    which changes no result: "auto" takes the graphics processors that are worth it, as measured once and kept in the cache
    folder, "none" none, "force" all devices whatever it costs; or numbers as `tessera devices` lists them, such as 0 or
    "0,2". One that fails, or that was asked for and is not there, is given up with a `RuntimeWarning`.
    `progress` and `profile` as for `evaluate`. `pages`: a folder for a page to watch the search by, `index.html`, which is
    renewed as it goes on; where it can no longer be written, a `RuntimeWarning` says so at the end.
    `executor` and `workers` as for `evaluate`: others search the tasks, about half a second of them at a time. With `per_task` the
    result is the same to the byte, whoever does the work and whoever of them dies; a task that was lost three times is given up
    with a `RuntimeWarning`. Workers give programs back, which are run here before they count. What cannot go on raises
    `ExecutorError`, its `result` being what there was until then; with `out` the same call goes on from there.
    Ctrl-C ends the search; what it has found so far is the result, with `interrupted` set. Where memory was short, so that
    more may be found with more of it, or a pool has changed since the run that is taken up, a `RuntimeWarning` says so.

    >>> import tessera
    >>> solution = tessera.solve(tessera.tasks("tasks")["seesaw"], per_task=0.05)
    >>> solution["seesaw"].solved, len(solution["seesaw"].attempts)
    (True, 2)
    """
    given = tasks_of(tasks)
    twice = [id for id, times in Counter(given.ids).items() if times > 1]
    if twice:  # a submission has one entry for each id
        raise ValueError(f"solve takes each task once; given more often: {listed(twice)}")
    if seconds is not None and per_task is not None:
        raise ValueError("give either seconds, for all tasks together, or per_task")
    for name, value in (("seconds", seconds), ("per_task", per_task)):
        if value is not None and not 0 < value < 1e9:
            raise ValueError(f"{name} is more than 0, not {value}")
    options, status = ffi.new("ts_solver_options *"), ffi.new("ts_status *")
    options.budget = seconds or 0
    options.search.seconds = per_task or 0
    options.search.seed = whole_number(seed, "seed", 0, 2**64 - 1)
    options.threads = thread_count(threads)
    options.search.memory = 0 if memory is None else whole_number(memory, "memory", 1, 2**62)
    chosen = engines if engines is None or isinstance(engines, str) else ",".join(engines)
    names = ffi.NULL if chosen is None else ffi.new("char[]", chosen.encode())
    options.search.engines = names
    count = apart(executor, workers, threads=threads, profile=profile or None)
    recording = Recording(profile, "solve")
    programs = _pool(pool)
    options.pool = ffi.NULL if programs is None else programs
    watch = Watch("solve", budget=seconds or 0)
    options.search.stop = ffi.addressof(watch.structs[0], "stop")
    files = [] if out is None else [ffi.new("char[]", c_new_path(out) + end) for end in (b"", b".journal")]
    if files:
        options.submission, options.journal = files
    options.trust_pool, options.fresh = trust_pool, fresh
    devices = _devices(device if executor is None else "none")
    options.devices = devices
    pointers = given._pointers()
    sources = _sources(others, given)
    options.others, options.others_count = sources[0], len(sources[1])
    page = LivePage(pages, title_of(tasks), given, watch)
    options.profile = recording.begin()
    made = lib.ts_solver_new(pointers, len(given), options, status)
    if not made:
        fail(status)
    looks_at = given, pointers, options, programs, files, watch, sources, names, recording, devices  # these stay until it is gone
    solver = ffi.gc(made, lambda it, _=looks_at: lib.ts_solver_free(it))

    _warn(text(lib.ts_solver_warning(solver)))

    trouble: list[ExecutorError] = []

    def run() -> None:
        good = ends(executor) if executor is not None else lib.ts_solver_run(solver, step, watch.structs, status)
        if not good:
            fail(status)
        recording.end()
        page.close(lib.ts_solver_submission(solver))

    def ends(elsewhere: "AnyExecutor") -> Any:
        try:
            spread(Solving(solver, watch), do_order, elsewhere, workers=count, stopped=lambda: watch.stopped)
        except ExecutorError as error:
            trouble.append(error)
        return lib.ts_solver_end(solver, step, watch.structs, status)

    step = ffi.addressof(lib, "watch_solver")
    _, interrupted = work(run, watch, progress)
    _warn(page.trouble)
    _warn(text(lib.ts_devices_warning(devices)))
    _keep(solver, candidates, store, status)
    answers = [_answer(solver, task, k) for k, task in enumerate(given)]
    submission = lib.ts_solver_submission(solver)
    counts = score_of(submission)
    text_of_all = take_text(lib.ts_submission_print(submission))
    starved = [task.id for k, task in enumerate(given) if lib.ts_solver_starved(solver, k)]
    lost = {task.id: why for k, task in enumerate(given) if (why := text(lib.ts_solver_lost(solver, k)))}
    if starved:
        _warn(f"memory was short for {len(starved)} of {len(given)} tasks: with more of it, or on fewer threads, more may be found")
    if lost:
        _warn(f"given up: {listed(f'{id}, lost three times: {why}' for id, why in lost.items())}")
    solution = Solution(given, answers, text_of_all, counts, watch.progress(), interrupted, starved, lost)
    solution.profile = recording.profile
    for error in trouble:
        error.result = solution
        raise error
    return solution


def _keep(solver: Any, candidates: Optional[StrPath], store: Union[None, StrPath, Pool], status: Any) -> None:
    """What was found, as a file and in a pool."""
    if candidates is not None and not lib.ts_solver_candidates(solver, c_new_path(candidates), status):
        fail(status)
    if store is None:
        return
    pool = store if isinstance(store, Pool) else Pool(store, "a")
    try:
        with pool._use() as handle:
            if not lib.ts_solver_store(solver, handle, status):
                fail(status)
    finally:
        if pool is not store:
            pool.close()
