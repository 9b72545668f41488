import json
import subprocess

import numpy as np
import pytest

import tessera
from tessera import FAILURES, OUTCOMES

IDENTITY = "def same(I):\n    return I"
FAILS = "def fails(I):\n    return divide(1, 0)"


@pytest.fixture(scope="module")
def full(programs, tasks):
    return tessera.evaluate(programs, tasks, full=True)


def test_shapes(full, programs, tasks):
    samples = sum(len(task.train) + len(task.test) for task in tasks)
    for array in (full.outcomes, full.right, full.failures, full.scores):
        assert array.shape == (len(programs), samples)
    assert full.sample_task.shape == full.sample_is_test.shape == (samples,)
    assert full.sample_is_test.sum() == sum(len(task.test) for task in tasks)
    columns = full.columns("seesaw")
    assert (full.sample_task[columns] == tasks.index("seesaw")).all() and columns.stop - columns.start == 6


def test_as_each_program_by_itself(full, programs, tasks):
    for k, program in enumerate(programs):
        for n, task in enumerate(tasks):
            for column, sample in zip(range(*full.columns(n).indices(10**6)), task.train + task.test):
                try:
                    value = program(sample.input, samples=task)
                    right = isinstance(value, np.ndarray) and np.array_equal(value, sample.output)
                    expected = ("right" if right else "wrong", "none")
                except tessera.Failure as failure:
                    expected = ("failed", failure.kind)
                assert (OUTCOMES[full.outcomes[k, column]], FAILURES[full.failures[k, column]]) == expected


def test_as_the_command_line(command, programs, tasks):
    words = [command, "battery", "tasks/solvers.py", "--tasks", "tasks", "--json", "--outcomes"]
    said = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    result = tessera.evaluate(programs, tasks)
    failures = {kind: n for kind, n in said["failures"].items() if n}
    assert result.failure_counts() == failures
    assert [task.id for n, task in enumerate(tasks) if result.correct[:, n].any()] == said["correct"]


def test_summaries(full, programs, tasks):
    assert full.solved.any(axis=0).all() and full.correct.any(axis=0).all()
    for task in tasks:
        assert full.best(task).name == f"solve_{task.id}"
        assert full.best(task).name in [program.name for program in full.winners(task.id)]
    assert (full.demos_right.sum() + full.tests_right.sum()) == full.right.sum()


def test_scores(full, tasks):
    assert full.scores.min() >= 0 and full.scores.max() == 1000
    demos = ~full.sample_is_test
    assert (full.scores[full.right & demos] == 1000).all()
    assert (full.scores[:, full.sample_is_test] == 0).all()
    partly = full.scores[(full.outcomes == OUTCOMES.index("wrong")) & demos]
    assert ((partly > 0) & (partly < 1000)).any()
    with pytest.raises(ValueError, match="scores=True"):
        tessera.evaluate(IDENTITY, tasks).scores
    assert tessera.evaluate(IDENTITY, tasks, scores=True).best("seesaw") is None


def test_differs(full, programs, tasks):
    with open("src/battery/differs.py") as file:
        bundled = tessera.parse(file.read())
    assert (tessera.evaluate(programs, tasks, full=True, only_differs=bundled).scores == full.scores).all()
    task = {"t": {"train": [{"input": [[1, 2]], "output": [[3, 3]]}], "test": [{"input": [[4, 4]]}]}}
    three = "def three(I):\n    return ((3, 4),)"
    corner = "def corner(S, I, C):\n    x1 = equality(index(I, ORIGIN), index(C, ORIGIN))\n    return astuple(multiply(x1, 1000), x1)"
    only = tessera.evaluate([three], task, only_differs=corner).scores[0, 0]
    more = tessera.evaluate([three], task, differs=[corner]).scores[0, 0]
    assert only == 999 and 0 < tessera.evaluate([three], task, scores=True).scores[0, 0] < more < only
    for bad, words in (
        ("return 5", "gives Integer, where"),
        ("return (1, 2, 3)", r"gives \(1, 2, 3\), where"),
        ("return astuple(first(()), 0)", "fails on all"),
    ):
        with pytest.raises(tessera.ProgramError, match=f"differ 'bad' {words}"):
            tessera.evaluate(programs, tasks, differs=f"def bad(S, I, C):\n    {bad}")
    with pytest.raises(ValueError, match="no differ"):
        tessera.evaluate(programs, tasks, only_differs=[])


def test_stops_early_unless_full(programs, tasks, full):
    early = tessera.evaluate(programs, tasks)
    ran = early.outcomes != 0
    assert ran.sum() < ran.size and (full.outcomes != 0).all()
    assert (early.outcomes[ran] == full.outcomes[ran]).all() and (early.solved == full.solved).all()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(programs, tasks, full, threads):
    result = tessera.evaluate(programs, tasks, threads=threads, full=True)
    assert (result._outcomes == full._outcomes).all() and (result.scores == full.scores).all()


def test_blocks_change_nothing(programs, tasks, monkeypatch, full):
    monkeypatch.setattr("tessera._programs.BLOCK", 3)
    pieces = tessera.parse([program.text for program in programs])
    assert len(pieces._sets) == 5
    for threads in (1, 3):
        result = tessera.evaluate(pieces, tasks, threads=threads, full=True)
        assert (result._outcomes == full._outcomes).all() and (result.scores == full.scores).all()


def test_whatever_stands_for_programs(programs, tasks):
    task = tasks["seesaw"]
    for given in (programs, programs["solve_seesaw"], programs["solve_seesaw"].text, [programs["solve_seesaw"], IDENTITY],
                  (text for text in [programs["solve_seesaw"].text])):  # fmt: skip
        assert tessera.evaluate(given, task).solved.any()
    with pytest.raises(tessera.ProgramError):
        tessera.evaluate("nonsense", task)


def test_unknown_outputs():
    task = {"train": [{"input": [[1]], "output": [[1]]}], "test": [{"input": [[2]]}]}
    result = tessera.evaluate([IDENTITY, FAILS], task, full=True)
    assert [[OUTCOMES[k] for k in row] for row in result.outcomes] == [["right", "unknown"], ["failed", "failed"]]
    assert FAILURES[result.failures[1, 0]] == "zero"
    assert result.solved[0, 0] and not result.correct.any()


@pytest.mark.parametrize("programs, tasks", [([], "tasks"), (IDENTITY, []), ([], [])])
def test_nothing_to_do(programs, tasks):
    result = tessera.evaluate(programs, tasks)
    assert result.right.size == 0 and "solved" in str(result) and result._repr_html_()


def test_units(tasks):
    result = tessera.evaluate("def a(I):\n    return rot90(I)", tasks[0], units=1, full=True)
    assert result.failure_counts() == {"budget": result.right.size}


@pytest.mark.parametrize("options", [{"threads": 0}, {"threads": 1000}, {"threads": -1}, {"units": 0}])
def test_bad_options(options, tasks):
    with pytest.raises(ValueError, match=next(iter(options))):
        tessera.evaluate(IDENTITY, tasks, **options)


def test_progress(programs, tasks, capfd):
    seen = []
    tessera.evaluate(programs, tasks, progress=seen.append)
    assert seen and seen[-1].done == seen[-1].all == 14 and seen[-1].what == "evaluate"
    with pytest.raises(ZeroDivisionError):
        tessera.evaluate(programs, tasks, progress=lambda now: 1 / 0)
    tessera.evaluate(programs, tasks)
    assert capfd.readouterr().err == ""
