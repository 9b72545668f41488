"""Pages that show what was solved, and how, and what two runs solved."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Union

from ._core import ShowProgress, StrPath, Watch, c_new_path, c_path, fail, installed, text, thread_count, work
from ._live import title_of
from ._profile import Profile, profile as profile_of
from ._solve import Solution, SubmissionLike, one_set, pool_programs
from ._submissions import read_submission
from ._tasks import tasks as tasks_of
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._pool import Pool
    from ._programs import ProgramsLike
    from ._tasks import TasksLike


def report(
    folder: StrPath,
    tasks: Optional["TasksLike"] = None,
    *,
    pool: Union[None, StrPath, "ProgramsLike", "Pool"] = None,
    submission: Optional[SubmissionLike] = None,
    candidates: Optional[StrPath] = None,
    profile: Union[None, StrPath, Mapping[str, Any], Profile] = None,
    title: Optional[str] = None,
    playground: Union[None, bool, StrPath] = None,
    threads: Optional[int] = None,
    progress: ShowProgress = None,
) -> Path:
    """Writes pages about tasks into a folder, and gives the path of the first one, `index.html`: a wall with a tile for each
    task, and a page for each with its samples, the attempts, the best program with the value of each line, and what failed.
    They need no network and no server.

    `tasks`: those that ship with Tessera where none are given. The programs are those of `pool`, a path, programs or a `Pool`,
    and those of `candidates`, a file that `solve(candidates=…)` wrote. The attempts are those of `submission`, a path, what
    `json.load` made of one or a `Solution`; else the answers that rank first and second. One of these three has to be there.
    `profile`: where the time went. `playground`: True puts the playground beside them, and links to it that hold task and program; the
    wheel has it, else name the page that `make playground` builds. `threads` and `progress` as for `evaluate`. Files in the folder that are not of a report stay.

    >>> import tessera, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = tessera.report(folder, pool=tessera.load())
    ...     page.name, "seesaw" in page.read_text()
    ('index.html', True)
    """
    given = tasks_of(tasks)
    if pool is None and submission is None and candidates is None:
        raise ValueError("give programs, pool=…, or answers, submission=… or candidates=…")
    options, status, watch = ffi.new("ts_pages_options *"), ffi.new("ts_status *"), Watch("report")
    kept: list[Any] = []  # what the options point to

    def c_text(data: bytes) -> Any:
        kept.append(ffi.new("char[]", data))
        return kept[-1]

    options.folder = c_text(c_new_path(folder))
    if title is None:
        title = title_of(tasks)
    options.title = ffi.NULL if title is None else c_text(title.encode())
    pointers = given._pointers()
    options.tasks, options.count = pointers, len(given)
    if pool is not None:
        kept.append(one_set(pool_programs(pool)))
        options.programs = kept[-1]
    if submission is not None:
        kept.append(read_submission(submission, given, False))
        options.submission = kept[-1]
    if candidates is not None:
        options.candidates = c_text(c_path(candidates))
    if playground is not None and playground is not False:
        options.playground = c_text(c_path(_playground() if playground is True else playground))
    options.threads = thread_count(threads)
    with tempfile.TemporaryDirectory() as room:
        if profile is not None:
            file = os.path.join(room, "profile.json")
            profile_of(profile).write(file)
            options.profile = c_text(os.fsencode(file))

        def write() -> None:
            if not lib.ts_pages_write(options, ffi.addressof(lib, "watch_battery"), watch.structs, status):
                fail(status)

        _, interrupted = work(write, watch, progress)
    if interrupted:
        raise KeyboardInterrupt
    return Path(folder) / "index.html"


def _playground() -> str:
    page = installed("tessera", "playground.html")
    if page is None:
        raise FileNotFoundError("this package came without the playground: `make playground` builds playground.html, whose path is to be given")
    return page


class Comparison(NamedTuple):
    """What became of tasks between two files of answers, by their ids."""

    won: list[str]  # solved by the second alone
    lost: list[str]  # solved by the first alone
    both: list[str]
    neither: list[str]
    changed: list[str]  # neither solves them, and the answers differ
    lacking: tuple[int, int]  # tasks that each of them does not have: they count as not solved there
    page: Optional[Path]

    def __str__(self) -> str:
        return ", ".join(f"{name} {len(ids)}" for name, ids in zip(self._fields[:5], self[:5]))


def compare(
    tasks: Optional["TasksLike"],
    before: SubmissionLike,
    after: SubmissionLike,
    *,
    out: Optional[StrPath] = None,
    title: Optional[str] = None,
) -> Comparison:
    """Holds two runs against each other: what was won and what was lost from the first to the second.

    Each is a submission, a path, what `json.load` made of one or a `Solution`; or the path of a file that
    `solve(candidates=…)` wrote. Solved: right in one of two attempts; where the solution is not known, and both are files of
    candidates, a program is right on all demos. With `out`, a folder, `index.html` there shows it: a wall of tiles, and a
    table with the answers of both. `tasks`: those that ship with Tessera where it is None.

    >>> import tessera
    >>> tasks = {"swap": {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]], "output": [[4, 3]]}]}}
    >>> wrong, right = ({"swap": [{"attempt_1": grid, "attempt_2": [[0]]}]} for grid in ([[3, 4]], [[4, 3]]))
    >>> print(tessera.compare(tasks, wrong, right))
    won 1, lost 0, both 0, neither 0, changed 0
    """
    given = tasks_of(tasks)
    options, status = ffi.new("ts_pages_options *"), ffi.new("ts_status *")
    folder = ffi.NULL if out is None else ffi.new("char[]", c_new_path(out))
    name = title_of(tasks) if title is None else title
    heading, pointers = ffi.NULL if name is None else ffi.new("char[]", name.encode()), given._pointers()
    options.folder, options.title, options.tasks, options.count = folder, heading, pointers, len(given)
    changes, lacking = ffi.new("ts_change[]", len(given) + 1), ffi.new("size_t[2]")
    with tempfile.TemporaryDirectory() as room:
        sides = []
        for side, source in (("before", before), ("after", after)):
            if not isinstance(source, (str, os.PathLike)):
                answers = source.submission() if isinstance(source, Solution) else source
                path = Path(room) / f"{side}.json"
                path.write_text(json.dumps(answers, default=lambda grid: grid.tolist()))
                source = path
            sides.append(c_path(source))
        if not lib.ts_compare_write(options, *sides, changes, lacking, status):
            fail(status)
    became: dict[str, list[str]] = {text(lib.ts_change_name(k)): [] for k in range(lib.TS_CHANGES)}
    for k, task in enumerate(given):
        became[text(lib.ts_change_name(changes[k]))].append(task.id)
    return Comparison(**became, lacking=(lacking[0], lacking[1]), page=None if out is None else Path(out) / "index.html")
