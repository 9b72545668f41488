"""Why an answer comes first: the programs that give it, what else was found, and what each line does."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from ._core import StrPath, Watch, fail, text, whole_number, work
from ._grids import Grid, drawn, grid_out, is_right, right_word, svg
from ._pool import Pool
from ._programs import Program, Programs, is_pool, parse
from ._solve import pool_programs
from ._tasks import Task, tasks as tasks_of
from ._tessera import ffi, lib
from ._trace import Trace, trace

if TYPE_CHECKING:
    from ._programs import ProgramsLike
    from ._tasks import TasksLike

MOST_ANSWERS = 16
MOST_NAMED = 6


class Found(NamedTuple):
    """A program that was found for a task."""

    engine: str  # that found it
    rule: int  # the engine's own kind of rule
    program: str
    demos_right: int
    demos: int
    lines: int
    units: int
    confidence: float  # that it is right, by itself

    def __str__(self) -> str:
        lines = f"{self.lines} line{'' if self.lines == 1 else 's'}"
        right = f"right on {self.demos_right} of {self.demos} demos"
        return f"{self.engine}, class {self.rule}, {right}, {lines}, {self.units} units; by itself {self.confidence:.2f}"


class Ranked(NamedTuple):
    """An answer for a test, and why it stands where it does."""

    grid: Grid
    confidence: float
    right: Optional[bool]  # None where the solution is not known
    best: Found
    others: list[Found]  # that give the same
    less_likely: list[str]  # what all demos keep and this does not


class Explanation:
    """What `explain` found. `answers[test]` are the different answers for a test, the best first, each a `Ranked`; `programs`
    all programs, as `Found`; `trace` what each line of the first one gives on a demo. Printed it is what the command
    `tessera explain` says; a notebook draws it.
    """

    def __init__(self, task: Task, programs: list[Found], answers: list[list[Ranked]], demo: int):
        self.task, self.programs, self.answers, self.demo = task, programs, answers, demo
        self.trace: Optional[Trace] = None
        if self.first is not None:
            self.trace = trace(self.first, task.train[demo], task, units=10**9)

    def _place(self, place: int) -> Optional[Program]:
        ranked = [test[place] for test in self.answers if len(test) > place]
        return parse(ranked[0].best.program)[0] if ranked else None

    @property
    def first(self) -> Optional[Program]:
        """The program whose answer comes first."""
        return self._place(0)

    @property
    def second(self) -> Optional[Program]:
        """The one whose answer comes second."""
        return self._place(1)

    def __repr__(self) -> str:
        return f"<tessera.Explanation of {self.task.id}, {len(self.programs)} programs>"

    def __str__(self) -> str:
        parts = [f"{_ranking(self, k, test)}\n{drawn(*_grids(self, k)).rstrip()}" for k, test in enumerate(self.answers)]
        first, second = self.first, self.second
        if first is not None:
            parts += [f"The first, in words:\n{first.words}", f"The first, on demo {self.demo + 1}:\n{self.trace}"]
        if second is not None:
            parts.append(f"The second:\n{second.words}\n{second.text}")
        return "\n\n".join(parts)

    def _repr_html_(self) -> str:
        parts = [
            f"<pre>{escape(_ranking(self, k, test))}</pre><div>{svg(*_grids(self, k))}</div>"
            for k, test in enumerate(self.answers)
        ]
        if self.first is not None and self.trace is not None:
            parts.append(f"<p>{escape(self.first.words)}</p>{self.trace._repr_html_()}")
        return f"<h4>{escape(self.task.id)}</h4>{''.join(parts)}"


def _grids(explanation: Explanation, test: int) -> tuple[list[Grid], list[str], list[Optional[Grid]]]:
    """The input and the first two answers, with their titles and what is wanted of them."""
    sample, answers = explanation.task.test[test], explanation.answers[test][:2]
    titles = [f"{place}{right_word(answer.right)}" for place, answer in zip(("first", "second"), answers)]
    return [sample.input, *[a.grid for a in answers]], ["input", *titles], [None, *[sample.output] * len(answers)]


def _ranking(explanation: Explanation, test: int, ranked: list[Ranked]) -> str:
    """The first two answers for a test, and the reasons."""
    programs, more = len(explanation.programs), " or more" if len(ranked) == MOST_ANSWERS else ""
    lines = [
        f"test {test + 1}: {programs} program{'' if programs == 1 else 's'}, "
        f"{len(ranked)}{more} different answer{'' if len(ranked) == 1 else 's'}"
    ]
    for place, answer in zip(("first", "second"), ranked):
        lines.append(f"{place}: confidence {answer.confidence:.2f}{right_word(answer.right)}")
        lines.append(f"  {answer.best}")
        lines.append(f"  {_others(answer.others)}")
        lines += [f"  less likely, for in all demos {fact}" for fact in answer.less_likely]
    return "\n".join(lines)


def _others(others: list[Found]) -> str:
    if not others:
        return "no other program gives it"
    named = [f"{o.engine} {o.rule} ({o.confidence:.2f}, {o.demos_right}/{o.demos})" for o in others[:MOST_NAMED]]
    more = ", …" if len(others) > MOST_NAMED else ""
    give = f"{len(others)} other{' gives' if len(others) == 1 else 's give'} it (engine, class; by itself, demos)"
    return f"{give}: {', '.join(named)}{more}"


def _found(search: Any, k: int) -> Found:
    f = lib.ts_search_at(search, k)
    return Found(text(f.engine), f.rule, text(f.program), f.demos_right, f.demos, f.lines, f.units, f.confidence)


def _facts(breaks: int) -> list[str]:
    facts, k = [], 0
    while lib.ts_fact(k) != ffi.NULL:
        if breaks >> k & 1:
            facts.append(text(lib.ts_fact(k)))
        k += 1
    return facts


def _ranked(search: Any, task: Task, test: int, programs: list[Found]) -> list[Ranked]:
    room = ffi.new("ts_attempt[]", MOST_ANSWERS)
    sample, ranked = task.test[test], []
    given = [lib.ts_search_at(search, k).answers[test] for k in range(len(programs))]
    for k in range(lib.ts_search_attempts(search, test, room, MOST_ANSWERS)):
        attempt = room[k]
        grid = grid_out(attempt.grid)
        right = is_right(grid, sample.output)
        others = [
            programs[n] for n, answer in enumerate(given) if n != attempt.found and lib.ts_grid_equal(answer, attempt.grid)
        ]
        ranked.append(Ranked(grid, attempt.confidence, right, programs[attempt.found], others, _facts(attempt.breaks)))
    return ranked


def explain(
    task: Union[Task, "TasksLike"],
    *,
    candidates: Optional[StrPath] = None,
    pool: Union[None, StrPath, "ProgramsLike"] = None,
    demo: int = 0,
    seconds: float = 1,
    seed: int = 0,
) -> Explanation:
    """Why an answer for a task comes first: the answers in their order with their reasons, the programs that give them in
    words, and what each line of the first gives on a demo.

    The programs are those of `candidates`, a file that `solve(candidates=…)` wrote; or of `pool`, a pool or other programs;
    else what a search finds with `seconds` of work. `demo` is the one that the lines are shown on.

    >>> import tessera
    >>> explanation = tessera.explain(tessera.tasks()["seesaw"], pool=tessera.load())
    >>> best = explanation.answers[0][0]
    >>> best.right, best.best.demos_right
    (True, 4)
    >>> print(explanation)
    test 1: 1 program, 1 different answer
    ...
    """
    given = tasks_of(task)
    if len(given) != 1:
        raise ValueError(f"explain takes one task, not {len(given)}")
    it = given[0]
    whole_number(demo, "demo", 0, it._task.demos - 1)
    if not 0 < seconds < 1e9:
        raise ValueError(f"seconds is more than 0, not {seconds}")
    status, watch = ffi.new("ts_status *"), Watch("explain")
    none = ffi.new("char[]", b"")
    options = ffi.new("ts_search_options *", {"seconds": seconds, "seed": whole_number(seed, "seed", 0, 2**64 - 1)})
    options.stop = ffi.addressof(watch.structs[0], "stop")
    if candidates is not None or pool is not None:
        options.engines = none
    made, interrupted = work(lambda: lib.ts_search_new(it._task, options, status), watch, False)
    if not made:
        fail(status)
    search = ffi.gc(made, lib.ts_search_free)
    if interrupted:
        raise KeyboardInterrupt
    _fill(search, it, candidates, pool, status)
    programs = [_found(search, k) for k in range(lib.ts_search_count(search))]
    answers = [_ranked(search, it, k, programs) for k in range(it._task.tests)]
    ffi.release(search)
    return Explanation(it, programs, answers, demo)


def _fill(search: Any, task: Task, candidates: Optional[StrPath], pool: Any, status: Any) -> None:
    """Programs that are given."""
    if candidates is not None:
        with open(candidates, "rb") as file:
            data = file.read()
        if not lib.ts_search_read(search, str(candidates).encode(), data, len(data), status):
            fail(status)
    if pool is not None:
        for program in _programs(pool, task):
            lib.ts_search_add_program(search, program._set, program._place)


def _programs(pool: Any, task: Task) -> Programs:
    """The programs of a pool that have a score for the task, all where none has; or those that are given."""
    if isinstance(pool, (str, os.PathLike)) and is_pool(pool):
        with Pool(pool) as opened:
            return _programs(opened, task)
    if isinstance(pool, Pool):
        scored = pool.programs(task.id)
        return scored if len(scored) else pool.programs()
    return pool_programs(pool)
