import json

import numpy as np
import pytest

import tessera

TASKS = {
    "a": {"train": [{"input": [[1]], "output": [[2]]}], "test": [{"input": [[1, 1]], "output": [[2, 2]]}]},
    "b": {"train": [{"input": [[1]], "output": [[2]]}], "test": [{"input": [[1]], "output": [[3]]}, {"input": [[5]]}]},
}
MINE = {
    "a": [{"attempt_1": [[0]], "attempt_2": [[2, 2]]}],
    "b": [{"attempt_1": [[3]], "attempt_2": [[4]]}, {"attempt_1": [[5]], "attempt_2": [[5]]}],
}
THEIRS = {"b": [{"attempt_1": [[4]]}, {"attempt_1": [[6]], "attempt_2": [[7]]}], "c": [{"attempt_1": [[9]]}]}


def test_score():
    assert tessera.score(MINE, TASKS) == tessera.Score(right=2, outputs=2, tasks_right=1, tasks=1, lacking=0)


def test_score_of_a_file(tmp_path):
    (tmp_path / "s.json").write_text(json.dumps(MINE))
    assert tessera.score(tmp_path / "s.json", TASKS).right == 2
    with pytest.raises(FileNotFoundError):
        tessera.score(tmp_path / "none.json", TASKS)


def test_score_in_part():
    with pytest.raises(tessera.InputError, match="there is no task 'c'|attempt_2 is missing"):
        tessera.score(THEIRS, TASKS)
    assert tessera.score(THEIRS, TASKS, part=True) == (0, 1, 0, 0, 1)


def test_merge():
    merged = tessera.merge(MINE, THEIRS)
    assert list(merged) == ["a", "b", "c"]
    assert merged["b"] == [{"attempt_1": [[4]], "attempt_2": [[3]]}, {"attempt_1": [[5]], "attempt_2": [[6]]}]
    assert merged["c"] == [{"attempt_1": [[9]], "attempt_2": [[9]]}]
    assert tessera.merge(MINE, THEIRS, weights=[3, 1])["b"][0] == {"attempt_1": [[3]], "attempt_2": [[4]]}


def test_merge_for_tasks_is_whole(tmp_path):
    merged = tessera.merge(THEIRS, tasks=TASKS, out=tmp_path / "m.json")
    assert list(merged) == ["a", "b"] and merged["a"] == [{"attempt_1": [[1, 1]], "attempt_2": [[2]]}]
    assert json.loads((tmp_path / "m.json").read_text()) == merged
    tessera.score(tmp_path / "m.json", TASKS)


def test_merge_takes_arrays():
    assert tessera.merge({"c": [{"attempt_1": np.array([[1, 2]])}]}) == {"c": [{"attempt_1": [[1, 2]], "attempt_2": [[1, 2]]}]}


def test_confidence_is_the_weight_of_a_solution(tasks):
    task = tessera.tasks([tasks["seesaw"]])
    solution = tessera.solve(task, per_task=0.05)
    first = solution["seesaw"].attempts[0][0]
    other = {"seesaw": [{"attempt_1": [[8]]} for _ in task[0].test]}
    assert first.confidence > 0.5
    assert tessera.merge(other, solution)["seesaw"][0]["attempt_1"] == first.grid.tolist()
    assert tessera.merge(other, solution, weights=[2, 1])["seesaw"][0]["attempt_1"] == [[8]]


def test_what_is_refused():
    with pytest.raises(tessera.InputError, match="2 tests in 'submission' and 1 in 'submission'"):
        tessera.merge(MINE, {"b": [{"attempt_1": [[1]]}]})
    with pytest.raises(tessera.InputError, match="row 1, cell 1 is 12, not a digit"):
        tessera.merge({"b": [{"attempt_1": [[12]]}]})
    with pytest.raises(ValueError, match="a weight is a number above 0"):
        tessera.merge(MINE, weights=[0])
    with pytest.raises(ValueError, match="1 submissions have 1 weights, not 2"):
        tessera.merge(MINE, weights=[1, 2])
    with pytest.raises(ValueError, match="give the submissions"):
        tessera.merge()


FITS = {"t": {"train": [{"input": [[n, n], [n, n]], "output": [[n, n], [n, n]]} for n in (1, 3)], "test": [{"input": [[1, 2], [3, 4]]}]}}
TURN = "def mine(I):\n    x1 = vmirror(I)\n    x2 = hmirror(x1)\n    return dmirror(x2)\n"


def test_a_whole_program_of_a_person_is_trusted():
    plain = tessera.solve(FITS, per_task=0.02, pool=tessera.parse(TURN))["t"].attempts[0]
    trusted = tessera.solve(FITS, per_task=0.02, pool=tessera.parse(TURN), trust_pool=True)["t"].attempts[0]
    assert trusted[0].grid.tolist() == [[4, 2], [3, 1]] and trusted[0].confidence > 0.9
    for attempts in (plain, trusted):
        assert sum(attempt.confidence for attempt in attempts) <= 1


def test_others_are_merged_with_what_is_found():
    theirs = {"t": [{"attempt_1": [[9]]}]}
    for others in (theirs, [theirs], [theirs, theirs]):
        solution = tessera.solve(FITS, per_task=0.001, pool=tessera.parse(TURN), trust_pool=True, others=others)
        given = solution.submission()["t"][0]
        assert [[9]] in given.values() and [[4, 2], [3, 1]] in given.values()


def test_others_by_path_and_weight(tmp_path):
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps({"t": [{"attempt_1": [[9]]}], "u": []}))
    for weight, first in ((5, [[9]]), (0.1, [[4, 2], [3, 1]])):
        solution = tessera.solve(FITS, per_task=0.001, pool=tessera.parse(TURN), trust_pool=True, others={path: weight})
        assert solution.submission()["t"][0]["attempt_1"] == first
    with pytest.raises(ValueError, match="a weight is a number above 0"):
        tessera.solve(FITS, per_task=0.001, others={path: 0})


def test_what_another_run_left_is_kept(tmp_path):
    out = tmp_path / "out.json"
    tessera.solve(FITS, per_task=0.001, pool=tessera.parse(TURN), out=out)
    first = out.read_text()
    tessera.solve(FITS, per_task=0.001, pool=tessera.parse(TURN), trust_pool=True, out=out, fresh=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    out.write_text(first + "\n")
    with pytest.warns(RuntimeWarning, match="was there: what it held is kept as .*out.json.1"):
        tessera.solve(FITS, per_task=0.001, pool=False, out=out)
    assert (tmp_path / "out.json.1").read_text() == first + "\n"
