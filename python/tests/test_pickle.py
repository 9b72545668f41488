"""What users get from the package is pickled, copied, and read by other processes."""

import copy
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import tessera
from tessera import dsl

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)
SWAP = {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": [{"input": [[3, 4]], "output": [[4, 3]]}, {"input": [[5, 5]]}]}
FIRST = "def solve(I):\n    x1 = objects(I, T, F, T)\n    return first(x1)\n"


def again(thing, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(thing, protocol))


def ways(thing):
    """The thing as it comes back in every way."""
    return [*(again(thing, protocol) for protocol in PROTOCOLS), copy.copy(thing), copy.deepcopy(thing)]


def shown(thing):
    """All that can be seen of a thing, as plain values."""
    if isinstance(thing, np.ndarray):
        return type(thing).__name__, thing.dtype.str, thing.tolist()
    if isinstance(thing, tessera.Program):
        return thing.text, thing.index, thing.hash, thing.name
    if isinstance(thing, tessera.Task):
        return thing.id, shown(thing.train), shown(thing.test)
    if isinstance(thing, Exception):
        return type(thing).__name__, str(thing), {k: shown(v) for k, v in vars(thing).items() if k not in ("_explain", "_message")}
    if isinstance(thing, dict):
        return {k: shown(v) for k, v in thing.items()}
    if isinstance(thing, (tuple, list, tessera.Programs, tessera.Tasks)):
        more = {} if isinstance(thing, (tuple, list)) else {k: shown(getattr(thing, k)) for k in ("errors", "source") if hasattr(thing, k)}
        return type(thing).__name__, [shown(item) for item in thing], more
    if type(thing).__module__ == "tessera":
        hidden = ("_starts", "_demos", "_outcomes", "_run", "demos_right", "tests_right")
        return type(thing).__name__, {k: shown(v) for k, v in vars(thing).items() if k not in hidden}
    return thing


def failure(call):
    with pytest.raises(tessera.InputError if call == "read" else tessera.Failure) as info:
        tessera.parse("def a(I):\n    return objcts(I)") if call == "read" else call()
    return info.value


def all_kinds(tmp_path):
    tasks, programs = tessera.tasks("tasks"), tessera.load("tasks/solvers.py")
    program, = tessera.parse(FIRST)
    result = tessera.evaluate(programs, tasks[:3], full=True, profile=True)
    judgement = tessera.judge([FIRST, "def b(I):\n    return vmirror(I)", "nonsense"], {"t": SWAP}, outputs=True, tests=True)
    solution = tessera.solve(tasks["seesaw"], per_task=0.02)
    pool = tmp_path / "p.db"
    with tessera.Pool(pool, "a") as opened:
        opened.add(programs)
        entries = [opened.entries(), opened.tasks()]
    yield from [tasks, tasks["seesaw"], tasks["seesaw"].train[0], tasks["seesaw"].train[0].input, tessera.tasks({"t": SWAP})]
    yield from [programs, programs[3], programs[3:5], tessera.parse([FIRST, "nonsense", FIRST], strict=False), program]
    yield from [failure("read"), failure(lambda: program([[0, 0]])), failure(lambda: dsl.first(()))]
    yield from [result, result.profile, judgement, *judgement, judgement.diagnose(2), solution, solution["seesaw"], *solution["seesaw"].attempts[0]]
    yield from [*entries, tessera.iterate(pool, tasks[:2], rounds=1), tessera.ops()["first"], tessera.show([[1]]), solution.score()]
    yield from [tessera.trace(program, [[0, 3]]), tessera.trace(programs["solve_seesaw"].text, tasks["seesaw"].train[0], tasks["seesaw"])]
    yield tessera.explain(tasks["seesaw"], pool=programs)
    yield tessera.compare({"t": SWAP}, {"t": [{"attempt_1": [[1]], "attempt_2": [[2]]}] * 2}, {"t": [{"attempt_1": [[1]], "attempt_2": [[2]]}] * 2})


def test_everything_comes_back(tmp_path):
    kinds = set()
    for thing in all_kinds(tmp_path):
        kinds.add(type(thing).__name__)
        for back in ways(thing):
            assert type(back) is type(thing) and shown(back) == shown(thing), type(thing)
            assert repr(back) == repr(thing) or " at 0x" in repr(thing)
            if isinstance(thing, tessera.Trace):
                assert str(back) == str(thing)
    assert len(kinds) > 20


def test_it_works_on(tasks, programs):
    program, task = again(programs["solve_seesaw"]), again(tasks["seesaw"])
    assert np.array_equal(program(task.train[0].input, samples=task), tasks["seesaw"].train[0].output)
    assert (tessera.evaluate(again(programs), again(tasks), full=True)._outcomes == tessera.evaluate(programs, tasks, full=True)._outcomes).all()
    result = again(tessera.evaluate(programs, tasks))
    assert result.best("seesaw").name == "solve_seesaw" and result.correct.any(axis=0).all() and result._repr_html_()
    judgement = again(tessera.judge([FIRST], tasks["seesaw"]))
    assert judgement.diagnose(0).errors and judgement[0].task.id == "seesaw"
    solution = again(tessera.solve(tasks["seesaw"], per_task=0.02))
    assert solution.submission().keys() == {"seesaw"} and solution._repr_html_() and solution.answers[0].task is solution.tasks[0]
    trace = again(tessera.trace(FIRST, [[0, 3]]))
    assert str(trace) == str(tessera.trace(FIRST, [[0, 3]])) and trace._repr_html_()


def test_what_it_is_made_of_stays(programs, monkeypatch):
    """Sets, marks of what was found, places, problems."""
    monkeypatch.setattr("tessera._programs.BLOCK", 3)
    texts = [*(program.text for program in programs), "nonsense", "def x(I):\n    return I\ndef y(S, I, C):\n    return rot90(I)"]
    given = tessera.parse(texts, strict=False)
    tessera._programs.lib.ts_programs_set_found(given._sets[1], 2, True)
    for back in ways(given):
        sizes = [tessera._programs.lib.ts_programs_count(handle) for handle in back._sets]
        assert sizes == [3, 3, 3, 3, 2, 2] and back.source.tolist() == given.source.tolist() == [*range(14), 15, 15]
        found = [tessera._programs.lib.ts_programs_found(p._set, p._place) for p in back]
        assert [k for k, is_found in enumerate(found) if is_found] == [5]
        assert back.names == given.names and back["y"].index == 15 and back.errors[0].index == 14
        assert again(back[5]).index == 5 and tessera._programs.lib.ts_programs_found(again(back[5])._set, 0)


@pytest.mark.parametrize("path", ["tasks/solvers.py", "pool/arc1.py", "pool/arc2.py"])
def test_texts_say_all_of_a_program(path):
    given = tessera.load(path)
    back = again(given)
    assert [(p.name, p.text, p.hash) for p in back] == [(p.name, p.text, p.hash) for p in given]


def test_the_dialect():
    given, = tessera.parse("def p(S, I, C):\n    x1 = o_g(I, R5)\n    x2 = get_nth_f(x1, F0)\n    return fill(I, RED, x2)")
    back = again(given)
    assert back.text == given.text and "S, I, C" in back.text


def test_sets_of_tasks():
    """An id with two tasks, tasks that are there often, ids of all kinds."""
    one, other = tessera.tasks({"a": SWAP})[0], tessera.tasks({"a": {**SWAP, "test": SWAP["test"][:1]}})[0]
    many = tessera.Tasks([one, other, one] * 2)
    for protocol in PROTOCOLS:
        back = again(many, protocol)
        assert [shown(task) for task in back] == [shown(task) for task in many]
        assert back[0] is back[2] is back[3] and back[0] is not back[1]
    names = ["train", "test", "eval", 'é"\\', "id"]
    assert again(tessera.tasks({name: SWAP for name in names})).ids == names


def test_they_are_small(programs, tasks):
    for protocol in PROTOCOLS:
        for task in tasks:
            said = {key: [{k: g.tolist() for k, g in zip(("input", "output"), s)} for s in getattr(task, key)] for key in ("train", "test")}
            assert len(pickle.dumps(task, protocol)) < len(json.dumps(said, separators=(",", ":"))) + 150
        for program in programs:
            assert len(pickle.dumps(program, protocol)) < len(program.text) + 150
        alone = sum(len(pickle.dumps(task, protocol)) for task in tasks)
        assert len(pickle.dumps(tasks, protocol)) < alone
        assert len(pickle.dumps(programs, protocol)) < sum(len(program.text) + 10 for program in programs) + 400


def test_functions():
    made = [dsl.compose(dsl.size, dsl.objects), dsl.rbind(dsl.add, 1), dsl.fork(dsl.astuple, dsl.rbind(dsl.power, 2), dsl.identity)]
    for function in made:
        for back in ways(function):
            assert back == function and hash(back) == hash(function) and repr(back) == repr(function)
    for name in dsl.__all__:
        value = getattr(dsl, name)
        if callable(value) and hasattr(value, "_made"):
            assert all(back is value for back in ways(value)), name
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(dsl.compose(dsl.double, lambda x: x))


def test_a_pool_is_opened_anew(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with tessera.Pool("p.db", "a") as pool:
        pool.add(FIRST)
        monkeypatch.chdir("/")
        for back in ways(pool):
            assert back.mode == "r+" and len(back) == len(pool)
            back.add(f"def b(I):\n    return fill(I, {len(pool)}, {{(0, 0)}})")
            back.close()
        assert len(pool) == 1 + len(ways(1))
        with pool.transaction(), pytest.raises(TypeError, match="within its transaction"):
            pickle.dumps(pool)
        data = pickle.dumps(pool)
    with pytest.raises(TypeError, match="closed"):
        pickle.dumps(pool)
    with tessera.Pool(tmp_path / "p.db") as pool, again(pool) as back:
        assert back.mode == "r"
    os.remove(tmp_path / "p.db")
    with pytest.raises(FileNotFoundError):
        pickle.loads(data)


def test_another_version(programs, tasks, monkeypatch):
    program, task, newer = programs[0], tasks[0], None
    with monkeypatch.context() as other:
        other.setattr("tessera._core.FORM", 7)
        other.setattr("tessera._core.VERSION", "9.8")
        newer = pickle.dumps([program, task])
    with pytest.raises(pickle.UnpicklingError, match=r"Program was pickled by Tessera 9.8 in a form \(7\) of its own; Tessera"):
        pickle.loads(newer)
    with monkeypatch.context() as other:
        other.setattr("tessera._core.VERSION", "9.8")
        other.setattr("tessera.Program._content", lambda self: ("def a(I):\n    return later(I)", 0, False))
        later = pickle.dumps(program)
    with pytest.raises(pickle.UnpicklingError, match=r"(?s)unknown primitive 'later'.* comes from Tessera 9.8, this is .*registered"):
        pickle.loads(later)


def name_of(thing):
    return type(thing).__name__, len(thing) if hasattr(thing, "__len__") else thing.id if hasattr(thing, "id") else thing.text


def test_another_process(programs, tasks, tmp_path):
    """Which starts anew, and knows nothing of this one."""
    with tessera.Pool(tmp_path / "p.db", "a") as pool:
        pool.add(FIRST)
        given = [programs, programs[2], tasks, tasks[5], pool, tessera.Tasks(tasks), tessera.evaluate(programs, tasks).programs]
        with open(tmp_path / "given", "wb") as file:
            pickle.dump([*given, tessera.evaluate(programs, tasks)], file)
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as executor:
            assert list(executor.map(name_of, given)) == [name_of(thing) for thing in given]
    code = f"import pickle; things = pickle.load(open({str(tmp_path / 'given')!r}, 'rb')); print(len(things), things[-1])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith("8 14 programs on 14 tasks: 14 tasks solved")
