"""The loop that lets a pool grow: pick programs, mutate, run, check, store, and again."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import TYPE_CHECKING, Any, Iterator, Literal, NamedTuple, Optional, Union

from ._core import (
    InputError,
    Problems,
    ProgramError,
    ShowProgress,
    StrPath,
    Watch,
    c_new_path,
    fail,
    listed,
    text,
    thread_count,
    whole_number,
    work,
)
from ._evaluate import differs_of, tile, wall
from ._live import LivePage, title_of
from ._orders import Iterating, do_rounds
from ._pool import Pool
from ._profile import Profile, Recording, WantsProfile
from ._programs import MOST_UNITS
from ._spread import ExecutorError, Retries, apart, spread
from ._tasks import Task, Tasks, tasks as tasks_of
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._programs import ProgramsLike
    from ._spread import AnyExecutor
    from ._tasks import TasksLike


SLOTS = 64  # with an executor

Strategy = Literal["evolve", "cards", "blind"]
_STRATEGIES = {"evolve": lib.TS_EVOLVE, "cards": lib.TS_CARDS, "blind": lib.TS_BLIND}


class Grown(NamedTuple):
    """What the pool has for a task after `iterate`."""

    task: Task
    winners: int  # programs that solve it
    correct: bool  # one of them is right on the tests, too
    score: int  # the best, 0 to 1000 for each demo


class DifferWorth(NamedTuple):
    """A differ that took part in the evolution of `iterate(evolve_differs=…)`."""

    name: str
    text: str
    origin: str  # where it came from
    worth: float  # how often it scores the parent of a winner above another parent; 0.5 is chance
    pairs: int  # that were looked at
    used: bool  # in use at the end


class Iteration:
    """What `iterate` did: `iteration[id]` is what the pool has for a task now. A notebook draws it: a tile for each task.

    `rounds`, `seconds` and `tried` are those of this call, as is `growth`: programs that growth has tried, each on one task,
    where those of `tried` ran on all. `winners` and `near` are the programs that it has stored, `held` those that the pool has
    now. `errors` are programs of the pool that were left out, `differs` those that took part in their evolution, if there was
    one.
    """

    def __init__(self, tasks: Tasks, counts: Any, grown: list[Grown], errors: list[InputError], interrupted: bool):
        self.tasks, self.grown, self.errors, self.interrupted = tasks, grown, errors, interrupted
        self.rounds: int = counts.rounds
        self.seconds: float = counts.seconds
        self.tried: int = counts.tried
        self.growth: int = counts.grown
        self.winners: int = counts.winners
        self.near: int = counts.near
        self.held: int = counts.held
        self.differs: list[DifferWorth] = []
        self.profile: Optional[Profile] = None

    def __len__(self) -> int:
        return len(self.grown)

    def __iter__(self) -> Iterator[Grown]:
        return iter(self.grown)

    def __getitem__(self, task: Union[str, int, Task]) -> Grown:
        return self.grown[self.tasks.index(task)]

    @property
    def solved(self) -> list[str]:
        """The ids of the tasks for which the pool has a program that is right on all demos."""
        return [grown.task.id for grown in self.grown if grown.winners]

    def __str__(self) -> str:
        correct = sum(grown.correct for grown in self.grown)
        return (
            f"{self.rounds} rounds in {self.seconds:.1f} s, {self.tried} programs tried; stored {self.winners} winners and "
            f"{self.near} near-winners, the pool holds {self.held}; {len(self.solved)} of {len(self)} tasks solved on all demos, "
            f"{correct} of them right on the tests{', interrupted' if self.interrupted else ''}"
        )

    def __repr__(self) -> str:
        return f"<tessera.Iteration, {self}>"

    def _repr_html_(self) -> str:
        tiles = [
            tile(g.task.id, g.winners > 0, g.correct, g.score, f"score {g.score} of {1000 * g.task._task.demos}")
            for g in self.grown
        ]
        return wall(str(self), tiles)


def _open(pool: Union[StrPath, Pool]) -> Pool:
    """A connection for the loop alone: it runs in a thread of its own, and a pool is used by one at a time."""
    if not isinstance(pool, Pool):
        return Pool(pool, "a")
    if pool.mode == "r":
        raise ValueError("the pool was opened to be read only; iterate writes to it")
    with pool._use():  # not closed, and of this process
        if pool._depth:
            raise ValueError("iterate cannot write to the pool within its transaction")
    return Pool(pool.path, "r+")


def iterate(
    pool: Union[StrPath, Pool],
    tasks: "TasksLike",
    *,
    rounds: Optional[int] = None,
    seconds: Optional[float] = None,
    strategy: Strategy = "evolve",
    programs: int = 32,
    rate: float = 0.05,
    seed: int = 0,
    units: Optional[int] = None,
    threads: Optional[int] = None,
    differs: Optional["ProgramsLike"] = None,
    only_differs: Optional["ProgramsLike"] = None,
    evolve_differs: Optional[StrPath] = None,
    progress: ShowProgress = None,
    profile: WantsProfile = False,
    pages: Optional[StrPath] = None,
    slots: Optional[int] = None,
    executor: Optional["AnyExecutor"] = None,
    workers: Optional[int] = None,
) -> Iteration:
    """Lets a pool grow: each round picks programs from it by their scores, mutates them, runs them on all tasks, and stores
    what solves a task, or comes nearer to it, after running it alone.

    `pool` is a path or a `Pool`; a file that is not there is made, and an empty pool starts from single primitives. Programs
    without a score, such as imported ones, are run as they are first. It ends after `rounds`, or `seconds` by the clock; give
    one of them at least. `strategy`: "evolve" mutates what is nearest and grows programs for single tasks; "cards" is mutants
    alone; "blind" is one mutation of what was there at the start, to compare with. `programs` are those of a round, `rate` the
    probability of a mutation at each line beside the first. The same `seed` on the same pool gives the same programs on any
    number of `threads`. `differs`: programs (S, I, C) to score with beside the bundled ones, `only_differs` instead of these,
    as for `evaluate`. `evolve_differs`: a file; the differs evolve, those in use are kept there, and the result's `differs`
    says what each is worth. `units`, `progress` and `profile` as for `evaluate`, `pages` as for `solve`. `slots` rounds
    are under way at once, of which none knows what the others bring (1; with an executor 64): some eight for each worker keep them
    busy. What is found depends on `slots`, not on who does the work. `executor` and `workers` as for `evaluate`: the pool stays
    here, and programs that come back are run before they are stored. Ctrl-C ends it early, with what it has stored as the
    result and `interrupted` set. The next call goes on from the pool; other processes may work on it, too.

    >>> import tessera, tempfile, os
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = os.path.join(folder.name, "pool.db")
    >>> with tessera.Pool(path, "a") as pool:
    ...     hashes = pool.add(tessera.load("tasks/solvers.py"))
    >>> iteration = tessera.iterate(path, "tasks", rounds=2)
    >>> iteration.rounds, len(iteration.solved), iteration["seesaw"].correct
    (2, 14, True)
    """
    given = tasks_of(tasks)
    twice = [id for id, times in Counter(given.ids).items() if times > 1]
    if twice:
        raise ValueError(f"iterate takes each task once; given more often: {listed(twice)}")
    if rounds is None and seconds is None:
        raise ValueError("give rounds or seconds")
    if seconds is not None and not 0 < seconds < 1e9:
        raise ValueError(f"seconds is more than 0, not {seconds}")
    if strategy not in _STRATEGIES:
        raise ValueError(f"strategy is evolve, cards or blind, not {strategy!r}")
    count = apart(executor, workers, threads=threads, profile=profile or None)
    many = (1 if executor is None else SLOTS) if slots is None else whole_number(slots, "slots", 1, 4096)
    watch, problems, status = Watch("iterate", budget=seconds or 0), Problems(ProgramError), ffi.new("ts_status *")
    watch.structs[0].all = 0 if rounds is None else whole_number(rounds, "rounds", 1, 2**63 - 1)
    options = ffi.new("ts_iterate_options *", {"rate": rate, "report": lib.report_problem, "user": problems.user})
    options.strategy = _STRATEGIES[strategy]
    options.programs = whole_number(programs, "programs", 1, 100_000)
    options.seed = whole_number(seed, "seed", 0, 2**64 - 1)
    options.units = 0 if units is None else whole_number(units, "units", 1, MOST_UNITS)
    options.threads = thread_count(threads)
    options.slots = many
    options.stop = ffi.addressof(watch.structs[0], "stop")
    evolving = ffi.NULL if evolve_differs is None else ffi.new("char[]", c_new_path(evolve_differs))
    options.evolve_differs = evolving
    page = LivePage(pages, title_of(tasks), given, watch)
    scoring, pointers, own = differs_of(differs, only_differs), given._pointers(), _open(pool)
    options.differs = scoring
    recording = Recording(profile, "iterate")
    options.profile = recording.begin()
    made = lib.ts_iterate_new(own._open, pointers, len(given), options, status)
    if not made:
        own.close()
        fail(status)
    looks_at = given, pointers, options, scoring, evolving, problems, watch, own, recording  # these stay until it is gone
    loop = ffi.gc(made, lambda it, _=looks_at: lib.ts_iterate_free(it))
    page.follow(loop, own.path, seconds or 0)

    trouble: list[ExecutorError] = []
    refused: list[str] = []

    def run() -> None:
        step = ffi.addressof(lib, "watch_iterate")
        good = ends(executor) if executor is not None else lib.ts_iterate_run(loop, watch.structs[0].all, seconds or 0, step, watch.structs, status)
        if not good:
            fail(status)
        recording.end()
        page.close()

    def ends(elsewhere: "AnyExecutor") -> Any:
        if not lib.ts_iterate_begin(loop, watch.structs[0].all, seconds or 0, status):
            return False
        source = Iterating(loop, watch, many)
        try:
            spread(Retries(source, source.give_up), do_rounds, elsewhere, workers=count, stopped=lambda: watch.stopped)
        except ExecutorError as error:
            trouble.append(error)
        refused.extend(source.refused)
        return lib.ts_iterate_end(loop, status)

    _, interrupted = work(run, watch, progress)
    grown = []
    for k, task in enumerate(given):
        found = lib.ts_iterate_at(loop, k)
        grown.append(Grown(task, found.winners, bool(found.correct), found.score))
    counts = lib.ts_iterate_count(loop)
    iteration = Iteration(given, counts, grown, problems.errors, interrupted)
    for k in range(lib.ts_iterate_differs(loop, ffi.new("ts_iterate_evolved *"))):
        d = lib.ts_iterate_differ_at(loop, k)
        words = text(d.name), text(d.text), text(d.origin)
        iteration.differs.append(DifferWorth(*words, d.worth, d.pairs, bool(d.used)))
    iteration.profile = recording.profile
    ffi.release(loop)
    own.close()
    if page.trouble:
        warnings.warn(page.trouble, RuntimeWarning, 2)
    if refused:
        warnings.warn(f"{len(refused)} times a round had no result: {listed(refused)}", RuntimeWarning, 2)
    if problems.errors:
        first = problems.errors[0]
        warnings.warn(f"{len(problems.errors)} problems with programs of the pool; the first: {first}", RuntimeWarning, 2)
    for error in trouble:
        error.result = iteration
        raise error
    return iteration
