"""The store of programs and of how they do on tasks: one file, which several processes may use at once."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from datetime import datetime, timezone
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Optional

import numpy as np

from ._core import Bound, Problems, ProgramError, StrPath, c_new_path, c_path, fail, text
from ._evaluate import Result
from ._programs import Program, Programs, programs_of
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._programs import ProgramsLike

_MODES = {"r": lib.TS_POOL_READ, "r+": lib.TS_POOL_WRITE, "a": lib.TS_POOL_CREATE}


class PoolScore(NamedTuple):
    """How a program does on a task; it solves the task if it is right on all demos."""

    demos_right: int
    demos: int
    tests_right: int = 0
    tests: int = 0
    score: Optional[int] = None  # 0 to 1000 for each demo; None: 1000 for each that is right
    units: int = 0
    behaviour: int = 0  # a hash of what it gives on the demos; 0: not known
    answers: int = 0  # the same for the tests
    right: Optional[tuple[bool, ...]] = None  # on each demo, the first 31 of them; None: not known
    points: Optional[tuple[int, ...]] = None  # that each demo has of the score; None: not known
    confidence: float = 0.0  # that a winner is right on the tests, by what else solves the task; not stored

    def _struct(self) -> Any:
        score = 1000 * self.demos_right if self.score is None else self.score
        told = min(self.demos, lib.TS_POOL_DEMOS)
        each = self.right is not None and self.points is not None
        right, points = (self.right or (), self.points or ()) if each else ((), ())
        if each and (len(right) != told or len(points) != told):
            raise ValueError(f"expected {told} of `right` and of `points`, not {len(right)} and {len(points)}")
        mask = sum(1 << k for k, good in enumerate(right) if good)
        return ffi.new(
            "ts_pool_score *", [*self[:4], score, self.units, self.behaviour, self.answers, each, mask, list(points)]
        )


def _score(s: Any) -> PoolScore:
    told = range(min(s.demos, lib.TS_POOL_DEMOS)) if s.each else None
    return PoolScore(
        s.demos_right, s.demos, s.tests_right, s.tests, s.score, s.units, s.behaviour, s.answers,
        None if told is None else tuple(bool(s.right_on >> k & 1) for k in told),
        None if told is None else tuple(s.points[k] for k in told), s.confidence,
    )  # fmt: skip


class PoolEntry(NamedTuple):
    """A program of a pool, with the score it is best at, or that for the task that was asked for."""

    hash: str
    name: str
    text: str
    lines: int
    origin: str
    units: int
    round: int
    made: datetime
    pinned: bool
    wins: int  # tasks that it solves
    task: Optional[str]
    score: Optional[PoolScore]


class PoolTask(NamedTuple):
    """What a pool has for a task."""

    id: str
    winners: int
    near: int  # other programs with a score
    correct: bool  # a winner is right on the tests, too
    best: int  # score
    demos: int
    shortest: int  # lines of the shortest winner, 0 where there is none


def _name(value: str) -> bytes:
    if "\0" in value:
        raise ValueError(f"a name has no zero in it, as {value!r:.40} has")
    return value.encode()


def _entry(e: Any) -> PoolEntry:
    made = datetime.fromtimestamp(e.made, timezone.utc)
    scored = e.task != ffi.NULL
    return PoolEntry(
        text(e.hash), text(e.name), text(e.text), e.size, text(e.origin), e.units, e.round, made, bool(e.pinned), e.wins,
        text(e.task) if scored else None, _score(e.score) if scored else None,
    )  # fmt: skip


class Pool(Bound):
    """A pool in a file. `mode`: "r" only reads, "r+" writes too, "a" makes the file where there is none.

    It pickles as its path: who reads it opens the file anew, which has to be there.

    >>> import tessera, tempfile, os
    >>> folder = tempfile.TemporaryDirectory()
    >>> with tessera.Pool(os.path.join(folder.name, "pool.db"), "a") as pool:
    ...     result = tessera.evaluate(tessera.load("tasks/solvers.py"), tessera.tasks("tasks"))
    ...     pool.add_result(result)
    ...     len(pool), pool.best("seesaw").name, pool.best("seesaw").score.demos_right
    14
    (14, 'solve_seesaw', 4)
    """

    def __init__(self, path: StrPath, mode: str = "r"):
        if mode not in _MODES:
            raise ValueError(f"mode is one of {', '.join(map(repr, _MODES))}, not {mode!r}")
        name = c_new_path(path) if mode == "a" else c_path(path)
        status = ffi.new("ts_status *")
        pool = lib.ts_pool_open(name, _MODES[mode], status)
        if not pool:
            fail(status)
        self.path, self.mode = os.fspath(path), mode
        self._where = os.path.abspath(self.path)
        self._process, getpid = os.getpid(), os.getpid
        close = lambda it, process=self._process: lib.ts_pool_close(it) if getpid() == process else None
        self._open: Optional[Any] = ffi.gc(pool, close)
        self._lock = threading.RLock()  # a pool is used by one thread at a time
        self._uses = 0  # under way, one in another: a signal handler may use it while its thread does
        self._depth = 0  # transactions that are open, one in another

    def _content(self) -> tuple[Any, ...]:
        if self._open is None:
            raise TypeError("a pool that is closed can neither be copied nor pickled")
        if self._depth:
            raise TypeError("a pool can neither be copied nor pickled within its transaction: that belongs to one connection")
        return self._where, "r" if self.mode == "r" else "r+"

    @classmethod
    def _restored(cls, path: str, mode: str) -> "Pool":
        return cls(path, mode)

    @contextmanager
    def _use(self) -> Iterator[Any]:
        if os.getpid() != self._process:  # SQLite's connections do not live through a fork
            raise ValueError("the pool was opened by another process; open it again in this one")
        with self._lock:
            if self._open is None:
                raise ValueError("the pool is closed")
            self._uses += 1
            try:
                yield self._open
            finally:
                self._uses -= 1

    def close(self) -> None:
        """Closes the file; the pool is of no more use. A `with` does it at its end."""
        if self._open is None:
            return
        with self._use():
            if self._uses > 1:
                within = "within its transaction" if self._depth else "while it is in use"
                raise ValueError(f"the pool cannot be closed {within}")
            if self._open is not None:
                ffi.release(self._open)
            self._open = None

    def __enter__(self) -> "Pool":
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<tessera.Pool {self.path}{'' if self._open is not None else ', closed'}>"

    # ---- Reading ----

    @contextmanager
    def _view(self, **query: Any) -> Iterator[tuple[Any, Any]]:
        """What a query gives, loaded."""
        kept = {key: ffi.new("char[]", _name(value)) for key, value in query.items() if isinstance(value, str)}
        c_query = ffi.new("ts_pool_query *", {**{k: v for k, v in query.items() if v is not None}, **kept})
        view, status = ffi.new("ts_pool_view *"), ffi.new("ts_status *")
        with self._use() as pool:
            try:
                if not lib.ts_pool_load(pool, c_query, view, status):
                    fail(status)
                yield pool, view
            finally:
                lib.ts_pool_view_free(view)

    def entries(
        self,
        task: Optional[str] = None,
        *,
        hash: Optional[str] = None,
        solved: bool = False,
        best_first: bool = False,
        limit: int = 0,
    ) -> list[PoolEntry]:
        """The programs of the pool: of a task, whose hash begins so, that solve it or any; the most trusted winners first,
        or the oldest."""
        with self._view(
            task=task, hash=hash, solved=solved, best_first=best_first, limit=limit, confidence=True
        ) as (_, view):
            return [_entry(view.entries[k]) for k in range(view.count)]

    def __iter__(self) -> Iterator[PoolEntry]:
        return iter(self.entries())

    def __len__(self) -> int:
        return self.counts()["programs"]

    def best(self, task: str) -> Optional[PoolEntry]:
        """The best program for a task, of several winners the most trusted; None where it has none."""
        found = self.entries(task, best_first=True, limit=1)
        return found[0] if found else None

    def programs(self, task: Optional[str] = None, *, solved: bool = False, best_first: bool = False, limit: int = 0) -> Programs:
        """The programs, ready to run; chosen as by `entries`. What cannot be read is left out and stands in `errors`."""
        problems, status = Problems(ProgramError), ffi.new("ts_status *")
        with self._view(task=task, solved=solved, best_first=best_first, limit=limit) as (pool, view):
            if not lib.ts_pool_read(pool, view, ffi.NULL, 0, lib.report_problem, problems.user, status):
                fail(status)
            handle, view.programs = view.programs, ffi.NULL  # they need nothing else of the view
            return Programs([ffi.gc(handle, lib.ts_programs_free)] if handle else [], problems.errors)

    def scores(self, hash: str) -> dict[str, PoolScore]:
        """All scores of a program, by task, the best first."""
        with self._rows(lib.ts_pool_scores, _name(hash), ffi.addressof(lib, "keep_score")) as rows:
            return {text(row.task.id): _score(row.score) for row in rows}

    def tasks(self) -> list[PoolTask]:
        """What the pool has for each task."""
        with self._rows(lib.ts_pool_tasks, ffi.addressof(lib, "keep_task")) as rows:
            tasks = [row.task for row in rows]
            return [PoolTask(text(t.id), t.winners, t.near, bool(t.correct), t.best, t.demos, t.shortest) for t in tasks]

    @contextmanager
    def _rows(self, function: Any, *arguments: Any) -> Iterator[Iterator[Any]]:
        """What a function visits, collected without Python: that could call the pool again in the midst of it."""
        kept, status = ffi.gc(ffi.new("rows *"), lib.free_rows), ffi.new("ts_status *")
        with self._use() as pool:
            if not function(pool, *arguments, kept, status):
                fail(status)
        if kept.failed:
            raise MemoryError("tessera: not enough memory")
        yield (kept.rows[k] for k in range(kept.count))

    def counts(self) -> dict[str, int]:
        """How many programs there are, how many solve a task, are near, have no score; the bytes of the file; and how many are
        remembered as tried."""
        counts, status = ffi.new("ts_pool_counts *"), ffi.new("ts_status *")
        with self._use() as pool:
            if not lib.ts_pool_count(pool, counts, status):
                fail(status)
        return {name: getattr(counts, name) for name in ("programs", "winners", "near", "unscored", "bytes", "dealt")}

    # ---- Writing ----

    @contextmanager
    def transaction(self) -> Iterator["Pool"]:
        """All that is added in it is there together, or not at all where an exception ends it. Waits for other writers.

        One within another is part of that.
        """
        status = ffi.new("ts_status *")
        with self._use() as pool:
            outermost = not self._depth
            self._depth += 1  # who comes in between begins none of its own
            try:
                if outermost and not lib.ts_pool_begin(pool, status):
                    fail(status)
                try:
                    yield self
                    if outermost and not lib.ts_pool_commit(pool, status):
                        fail(status)
                except BaseException:
                    if outermost:
                        lib.ts_pool_rollback(pool)
                    raise
            finally:
                self._depth -= 1

    def add(
        self,
        programs: "ProgramsLike",
        scores: Optional[Mapping[str, PoolScore]] = None,
        *,
        origin: str = "python",
        units: int = 0,
        pinned: Optional[bool] = None,
    ) -> list[str]:
        """Stores programs, each with the scores given for tasks; gives their hashes.

        `pinned` programs stay without a score until they are pruned; those that come without scores are, unless said
        otherwise.
        """
        scores = scores or {}
        kept = ffi.new("char[]", _name(origin))
        facts = ffi.new("ts_pool_facts *", {"origin": kept, "units": units, "pinned": not scores if pinned is None else pinned})
        given = [programs] if isinstance(programs, Program) else list(programs_of(programs))
        with self.transaction():
            return [self._add(program, facts, scores) for program in given]

    def _add(self, program: Program, facts: Any, scores: Mapping[str, PoolScore]) -> str:
        hash, is_new, status = ffi.new("char[17]"), ffi.new("bool *"), ffi.new("ts_status *")
        with self._use() as pool:
            if not lib.ts_pool_add_program(pool, program._set, program._place, facts, hash, is_new, status):
                fail(status)
            for task, score in scores.items():
                if not lib.ts_pool_add_score(pool, hash, _name(task), score._struct(), is_new, status):
                    fail(status)
        return text(hash)

    def add_result(self, result: Result, *, origin: str = "python") -> int:
        """Stores the programs of an evaluation that solve a task, with their scores there; gives how many these are."""
        kept = ffi.new("char[]", _name(origin))
        facts = ffi.new("ts_pool_facts *", {"origin": kept})
        solved, tests_right = result.solved, result.tests_right
        winners = np.flatnonzero(solved.any(axis=1))
        with self.transaction():
            for k in winners.tolist():
                scores = {}
                for n in np.flatnonzero(solved[k]).tolist():
                    task = result.tasks[n]
                    demos, tests = task._task.demos, task._task.tests
                    scores[task.id] = PoolScore(demos, demos, int(tests_right[k, n]), tests)
                self._add(result.programs[k], facts, scores)
        return len(winners)

    def prune(
        self, *, winners: int = -1, near: int = -1, lines: int = -1, unscored: bool = False, dealt: bool = False
    ) -> int:
        """Drops all but so many winners and others of each task, longer programs that solve nothing, and those without a
        score; below zero is no limit. With `dealt` it forgets what was tried. Gives how many programs went."""
        cut = ffi.new("ts_pool_cut *", [winners, near, lines, unscored, dealt])
        removed, status = ffi.new("size_t *"), ffi.new("ts_status *")
        with self._use() as pool:
            if not lib.ts_pool_prune(pool, cut, removed, status):
                fail(status)
        return int(removed[0])
