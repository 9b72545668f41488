"""Pages that show what was solved, and how."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from ._core import ShowProgress, StrPath, Watch, c_new_path, c_path, fail, thread_count, work
from ._profile import Profile, profile as profile_of
from ._solve import SubmissionLike, one_set, pool_programs
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
    playground: Optional[StrPath] = None,
    threads: Optional[int] = None,
    progress: ShowProgress = None,
) -> Path:
    """Writes pages about tasks into a folder, and gives the path of the first one, `index.html`: a wall with a tile for each
    task, and a page for each with its samples, the attempts, the best program with the value of each line, and what failed.
    They need no network and no server.

    `tasks`: those that ship with Tessera where none are given. The programs are those of `pool`, a path, programs or a `Pool`,
    and those of `candidates`, a file that `solve(candidates=…)` wrote. The attempts are those of `submission`, a path, what
    `json.load` made of one or a `Solution`; else the answers that rank first and second. One of these three has to be there.
    `profile`: where the time went. `playground`: the page that `make playground` builds, to be put beside them, with links to it
    that hold task and program. `threads` and `progress` as for `evaluate`. Files in the folder that are not of a report stay.

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
        title = "bundled tasks" if tasks is None else Path(tasks).name if isinstance(tasks, (str, os.PathLike)) else None
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
    if playground is not None:
        options.playground = c_text(c_path(playground))
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
