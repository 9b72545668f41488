"""Submissions, of Tessera and of other solvers: their score, and several of them as one."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from ._core import StrPath, c_path, fail, owned, take_text, write_whole
from ._solve import Score, Solution, SubmissionLike, score_of
from ._tasks import Tasks, tasks as tasks_of
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._tasks import TasksLike

Submission = dict[str, list[dict[str, list[list[int]]]]]


def read_submission(source: SubmissionLike, tasks: Optional[Tasks], part: bool) -> Any:
    """A submission of the library: of these tasks, which the caller holds on to, or of those that it names."""
    status = ffi.new("ts_status *")
    pointers, count = (ffi.NULL, 0) if tasks is None else (tasks._pointers(), len(tasks))
    if isinstance(source, (str, os.PathLike)):
        path = c_path(source)
        if part:
            made = lib.ts_submission_read_part(path, pointers, count, ffi.NULL, status)
        else:
            made = lib.ts_submission_read(path, pointers, count, status)
    else:
        given = source.submission() if isinstance(source, Solution) else source
        data = json.dumps(given, default=lambda grid: grid.tolist()).encode()
        if part:
            made = lib.ts_submission_read_part_text(b"submission", data, len(data), pointers, count, ffi.NULL, status)
        else:
            made = lib.ts_submission_read_text(b"submission", data, len(data), pointers, count, status)
    if not made:
        fail(status)
    submission = owned(made, lib.ts_submission_free)
    if isinstance(source, Solution):
        _trust(submission, source)
    return submission


def _trust(submission: Any, solution: Solution) -> None:
    """Gives the attempts of a submission the confidence that the search has in them."""
    for k in range(lib.ts_submission_count(submission)):
        task = ffi.string(lib.ts_submission_task(submission, k).id).decode()
        if task not in solution.tasks.ids:
            continue
        for test, attempts in enumerate(solution[task].attempts):
            for n, attempt in enumerate(attempts[: lib.TS_MOST_ATTEMPTS]):
                if lib.ts_submission_at(submission, k, test, n).height:
                    lib.ts_submission_trust(submission, k, test, n, attempt.confidence)


def score(submission: SubmissionLike, tasks: "TasksLike", *, part: bool = False) -> Score:
    """How many outputs of a submission are right: a path, what `json.load` made of one, or a `Solution`.

    It has to have all tasks, and two attempts for each test. With `part` it may lack some, which do not count, and has
    perhaps others, which do not count either.

    >>> import tessera
    >>> tasks = {"swap": {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]], "output": [[4, 3]]}]}}
    >>> tessera.score({"swap": [{"attempt_1": [[3, 4]], "attempt_2": [[4, 3]]}]}, tasks)
    Score(right=1, outputs=1, tasks_right=1, tasks=1, lacking=0)
    """
    given = tasks_of(tasks)
    return score_of(read_submission(submission, given, part))


def merge(
    *submissions: SubmissionLike,
    weights: Optional[Sequence[float]] = None,
    tasks: Optional["TasksLike"] = None,
    out: Optional[StrPath] = None,
) -> Submission:
    """Several submissions as one: for each test the two answers that weigh most.

    Each is a path, what `json.load` made of one, or a `Solution`. An attempt of a `Solution` weighs as much as the confidence in
    it, others 1/2 as the first for a test, 1/4 as the second, 1/8 as a third; times the weight of the submission (1 unless
    given). Where submissions agree the weights add up. They may have parts of the tasks, and one attempt only. The result
    has all tasks that one of them has; with `tasks` just those, and answers of last resort where there is none. It is
    written to `out`, too, as a whole or not at all.

    >>> import tessera
    >>> mine = {"swap": [{"attempt_1": [[1]], "attempt_2": [[2]]}]}
    >>> theirs = {"swap": [{"attempt_1": [[2]], "attempt_2": [[3]]}]}
    >>> tessera.merge(mine, theirs)
    {'swap': [{'attempt_1': [[2]], 'attempt_2': [[1]]}]}
    >>> tessera.merge(mine, theirs, weights=[2, 0.5])
    {'swap': [{'attempt_1': [[1]], 'attempt_2': [[2]]}]}
    """
    if not submissions:
        raise ValueError("give the submissions to merge")
    weights = [1.0] * len(submissions) if weights is None else list(weights)
    if len(weights) != len(submissions):
        raise ValueError(f"{len(submissions)} submissions have {len(submissions)} weights, not {len(weights)}")
    given = None if tasks is None else tasks_of(tasks)
    read = [read_submission(source, given, part=True) for source in submissions]
    sources = ffi.new("ts_merge_source[]", [{"submission": s, "weight": w} for s, w in zip(read, weights)])
    pointers, count = (ffi.NULL, 0) if given is None else (given._pointers(), len(given))
    status = ffi.new("ts_status *")
    made = lib.ts_merge(sources, len(read), pointers, count, status)
    if not made:
        fail(status)
    content = take_text(lib.ts_submission_print(owned(made, lib.ts_submission_free)))
    if out is not None:
        write_whole(out, content)
    merged: Submission = json.loads(content)
    return merged
