import json
import subprocess
import time

import numpy as np
import pytest

import tessera
from tessera import FAILURES

SWAP = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}, {"input": [[3, 4]], "output": [[4, 3]]}],
        "test": [{"input": [[5, 6]], "output": [[6, 5]]}]}  # fmt: skip
GOOD, SAME, FAILS, BAD = (
    "def a(I):\n    return vmirror(I)",
    "def b(I):\n    return I",
    "def c(I):\n    x1 = vmirror(I)\n    return branch(x1, 1, divide(1, 0))",
    "def d(I):\n    return objcts(I)",
)


def test_verdicts():
    judged = tessera.judge([GOOD, SAME, FAILS, BAD], SWAP, tests=True)
    assert judged.readable.tolist() == [True, True, True, False]
    assert judged.solved.tolist() == [True, False, False, False]
    assert judged.demos_right.tolist() == [2, 0, 0, 0] and judged.tests_right.tolist() == [1, 0, 0, 0]
    assert judged.right.tolist() == [[True] * 3, [False] * 3, [False] * 3, [False] * 3]
    assert judged.score[0] == 2000 and judged.score[1] == 0 and judged.units[0] > 0
    assert FAILURES[judged.failures[2, 0]] == "zero" and judged.line.tolist() == [0, 0, 3, 0]
    assert list(judged.errors) == [3] and (judged.errors[3].line, judged.errors[3].column, judged.errors[3].index) == (2, 12, 3)


def test_a_task_for_each(programs, tasks):
    pairs = [(program, task) for program in programs for task in tasks]
    judged = tessera.judge([program.text for program, _ in pairs], [task for _, task in pairs], tests=True)
    result = tessera.evaluate(programs, tasks, full=True)
    assert judged.demos_right.tolist() == result.demos_right.ravel().tolist()
    assert judged.tests_right.tolist() == result.tests_right.ravel().tolist()
    scores = [result.scores[program.index, result.columns(task)].sum() for program, task in pairs]
    assert judged.score.tolist() == scores


def test_as_the_command_line(command, programs, tasks):
    lines = "".join(json.dumps({"id": k, "task": "seesaw", "program": program.text}) + "\n" for k, program in enumerate(programs))
    said = subprocess.run([command, "judge", "--tasks", "tasks"], input=lines.encode(), capture_output=True, check=True).stdout
    judged = tessera.judge([program.text for program in programs], tasks["seesaw"])
    assert [json.loads(line)["score"] for line in said.splitlines()] == judged.score.tolist()


def test_many_and_threads(tasks):
    texts = [f"def p(I):\n    return fill(I, {k % 10}, {{({k // 10 % 30}, {k // 300})}})" for k in range(3000)]
    texts[::7] = [BAD] * len(texts[::7])
    one, two = (tessera.judge(texts, tasks["seesaw"], threads=n) for n in (1, 2))
    assert (one.score == two.score).all() and (one._outcomes == two._outcomes).all()
    assert list(one.errors) == list(two.errors) == list(range(0, 3000, 7))


def test_nothing_harms():
    nasty = ["", "\0", "(" * 50_000, "def a(I):\n" + "    x = I\n" * 50_000, "é", GOOD + "\n" + SAME, "import os\n" + GOOD,
             "def a(I):\n    return power(double, 1000)(1)", "def a(I):\n    return I.__class__"]  # fmt: skip
    judged = tessera.judge(nasty + [GOOD], SWAP)
    assert not judged.solved[: len(nasty)].sum() > 1 and judged.solved[-1]


def test_limits(tasks):
    assert not tessera.judge(GOOD, SWAP, units=1).solved.any()
    assert len(tessera.judge([], SWAP)) == 0
    with pytest.raises(ValueError, match="14 tasks for 2 texts"):
        tessera.judge([GOOD, SAME], tasks)
    with pytest.raises(TypeError, match="number 0 of the list is int"):
        tessera.judge([1], SWAP)
    assert tessera.judge(SAME, SWAP, scores=False).score.tolist() == [0]
    assert np.array_equal(tessera.judge(GOOD, SWAP, memory=1 << 20).score, [2000])


def test_half_a_surrogate_pair_spoils_only_its_text(tasks):
    texts = ["def a(I): return I", "def b(I): return \ud800", "def c(I): return I # \ud800"]
    judgement = tessera.judge(texts, tasks[0])
    assert judgement.readable.tolist() == [True, False, False] and judgement.errors[1].column == 18
    assert [error.index for error in tessera.parse(texts, strict=False).errors] == [1, 2]  # Python reads neither


def test_bytes_are_no_text(tasks):
    for read in (tessera.parse, tessera.eval, lambda text: tessera.judge(text, tasks[0])):
        with pytest.raises(TypeError, match="a program is a text"):
            read(b"def a(I): return I")


def test_literals_in_literals_are_bounded(tasks):
    text = "def a(I):\n x = (1,)\n" + " x = (x, x)\n" * 23 + " y = (x,)\n" * 1000 + " return I\n"
    start = time.process_time()
    assert "literal is too large" in tessera.judge(text, tasks[0]).errors[0].message
    assert time.process_time() - start < 20  # seconds; hours, were they not


def test_each_sample():
    judged = tessera.judge([GOOD, SAME, FAILS, BAD], SWAP, tests=True, outputs=True)
    assert judged.scores.tolist() == [[1000, 1000, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert judged.scores.sum(axis=1).tolist() == judged.score.tolist()
    assert judged.lines.tolist() == [[0] * 3, [0] * 3, [3] * 3, [0] * 3]
    assert [grid.tolist() for grid in judged.outputs[0]] == [[[2, 1]], [[4, 3]], [[6, 5]]]
    assert judged.outputs[2] == [None] * 3 and judged.outputs[3] == []
    assert tessera.judge([GOOD], SWAP).outputs is None
    good, same, fails, bad = judged
    assert good.solved and [s.outcome for s in good.samples] == ["right"] * 3 and good.samples[2].is_test
    assert not same.solved and same.samples[0].outcome == "wrong" and same.samples[0].output.tolist() == [[1, 2]]
    assert (fails.samples[0].failure, fails.samples[0].line, fails.samples[0].output) == ("zero", 3, None)
    assert bad.error is judged.errors[3] and bad.samples == [] and not bad.solved
    assert judged[-1] == bad and len(list(judged)) == 4
    with pytest.raises(IndexError):
        judged[4]


def test_scores_are_those_of_evaluate(tasks):
    texts = [program.text for program in tessera.load()]
    judged = tessera.judge(texts, tasks["seesaw"])
    result = tessera.evaluate(texts, tasks["seesaw"], full=True)
    assert judged.scores.tolist() == result.scores[:, :4].tolist()
