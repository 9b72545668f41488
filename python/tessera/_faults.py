"""What is wrong with programs, for the people and models that wrote them: why one cannot be read, why it fails, how what it
gives differs from what is wanted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Optional

from ._core import fail, owned, program_texts, take_text, whole_number
from ._programs import MOST_UNITS
from ._tessera import ffi, lib

if TYPE_CHECKING:
    from ._tasks import TasksLike


class Fault(NamedTuple):
    """One thing that is wrong with a program.

    `stage` is "read" (the text is no program; `kind` is syntax, name, argument, type, …), "run" (it fails; `kind` is one of
    `tessera.FAILURES`) or "answer" (`kind` is "no grid", "shape" or "cells"). What is not known is None.
    """

    stage: str
    kind: str
    message: str  # as "argument 1 of vmirror wants a Piece (Grid, Object or Indices), x1 is a set of 7 objects"
    remedy: Optional[str] = None  # what could be done about it
    demo: Optional[int] = None  # on which it is so, from 1
    test: Optional[int] = None
    line: Optional[int] = None  # of the text, from 1
    column: Optional[int] = None
    excerpt: Optional[str] = None  # that line
    primitive: Optional[str] = None  # that failed
    argument: Optional[int] = None  # of it that is to blame, from 1
    given: Optional[str] = None  # that argument in words
    shape: Optional[tuple[int, int]] = None  # of the grid that it gave
    wanted_shape: Optional[tuple[int, int]] = None
    off: Optional[int] = None  # cells that differ, where the shapes do not


class Diagnosis:
    """All that is wrong with one text: `errors`, a list of `Fault`, and `prompt`, the same as one text for a model.

    It is false where nothing is wrong, and prints as its prompt.
    """

    def __init__(self, errors: list[Fault], prompt: str):
        self.errors, self.prompt = errors, prompt

    def __len__(self) -> int:
        return len(self.errors)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self.errors)

    def __str__(self) -> str:
        return self.prompt

    def __repr__(self) -> str:
        return f"<tessera.Diagnosis, {len(self)} errors>"


def _fault(found: dict[str, Any]) -> Fault:
    for shape, height, width in (("shape", "height", "width"), ("wanted_shape", "wanted_height", "wanted_width")):
        if height in found:
            found[shape] = found.pop(height), found.pop(width)
    return Fault(**{key: value for key, value in found.items() if key in Fault._fields})


def explain_text(judge: Any, task: Any, data: bytes) -> Diagnosis:
    """What a judge finds wrong with a text."""
    kept = ffi.from_buffer(data)
    item = ffi.new("ts_judge_item *", {"task": task, "text": kept, "length": len(data)})
    found = json.loads(take_text(lib.ts_judge_explain(judge, item)))
    return Diagnosis([_fault(error) for error in found["errors"]], found["prompt"])


def new_judge(options: Any) -> Any:
    status = ffi.new("ts_status *")
    judge = lib.ts_judge_new(options, status)
    if not judge:
        fail(status)
    return owned(judge, lib.ts_judge_free)


def diagnose(program: str, task: "TasksLike", *, tests: bool = False, units: Optional[int] = None) -> Diagnosis:
    """All that is wrong with the text of a program on a task: `tessera.judge` for one text, with the reasons.

    `units` is the work that it may do on a sample (250,000); `tests` runs it on the tests, too.

    >>> import tessera
    >>> task = {"x": {"train": [{"input": [[1, 0]], "output": [[0, 1]]}], "test": [{"input": [[3]]}]}}
    >>> found = tessera.diagnose("def solve(I):\\n    objs = objects(I, T, F, F)\\n    return rot90(objs)", task)
    >>> found.errors[0].primitive, found.errors[0].argument, found.errors[0].given
    ('rot90', 1, 'a set of 2 objects')
    >>> print(tessera.diagnose("def solve(I):\\n    return 143", task))
    On demo 1 the result is wrong: returned 143, not a grid.
    <BLANKLINE>
    >>> bool(tessera.diagnose("def solve(I):\\n    return vmirror(I)", task))
    False
    """
    from ._tasks import tasks as tasks_of

    data, = program_texts([program])
    given = tasks_of(task)
    if len(given) != 1:
        raise ValueError(f"diagnose takes one task, not {len(given)}")
    options = ffi.new("ts_judge_options *", {"tests": bool(tests)})
    options.units = 0 if units is None else whole_number(units, "units", 1, MOST_UNITS)
    return explain_text(new_judge(options), given[0]._task, data)
