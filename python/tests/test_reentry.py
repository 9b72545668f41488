"""Calls within calls: signal handlers, finalizers, progress, threads and other processes.

Python runs a signal handler, or what a finalizer does, between any two instructions. `at_every_instruction` does what
they may do at each of them, so that nothing depends on when a signal comes.
"""

import copy
import gc
import os
import pickle
import signal
import sys
import threading
from contextlib import contextmanager

import numpy as np
import pytest

import tessera
from tessera import Pool, PoolScore

PACKAGE = os.path.dirname(tessera.__file__)
ROWS = tuple((k, k + 1, k + 2) for k in range(7))


@contextmanager
def at_every_instruction(action):
    """Calls it before each instruction of the package. What it raises is raised in the end."""
    problems = []

    def trace(frame, event, arg):
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        frame.f_trace_opcodes = True
        try:
            if event == "opcode" and not problems:
                action()
        except BaseException as problem:
            problems.append(problem)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
    if problems:
        raise problems[0]


def other_work():
    """Values of other sizes, failures, and limits of its own."""
    assert tessera.eval("canvas(8, (20, 20))").sum() == 3200
    with pytest.raises(tessera.Failure, match="budget"):
        tessera.eval("canvas(8, (20, 20))", units=20)


def small_work():
    """Some calls; each knows what it must give."""
    assert tessera.eval(f"dmirror({ROWS})").tolist() == np.transpose(ROWS).tolist()
    assert tessera.eval("interval(0, 9, 1)", units=10000) == tuple(range(9))
    with pytest.raises(tessera.Failure, match="zero"):
        tessera.eval("divide(1, 0)")


def test_a_call_within_a_call():
    with at_every_instruction(other_work):
        small_work()


def test_a_program_within_a_program(programs, tasks):
    task = tasks["seesaw"]
    with at_every_instruction(other_work):
        for sample in task.train:
            assert np.array_equal(programs["solve_seesaw"](sample.input, samples=task), sample.output)


def test_names_are_asked_for_while_they_are_found():
    programs = tessera.parse(["def a(I):\n    return I", "def b(I):\n    return rot90(I)"])
    with at_every_instruction(lambda: programs._names is None or programs["b"]):
        assert programs["a"].index == 0 and programs["b"].index == 1


def test_a_task_is_read_while_it_is_read(tasks):
    """One that was pickled: by one thread, and at any moment by another, or by a signal handler."""
    task, sets = pickle.loads(pickle.dumps(tasks["seesaw"])), []

    def other():
        assert len(task.train) == 4 and copy.copy(task) is task and pickle.dumps(task)
        sets.append(task._tasks)

    with at_every_instruction(other):
        assert len(task.test) == 2
    assert sets and all(handle is sets[0] for handle in sets)


def test_a_signal_handler():
    calls = depth = 0

    def handler(*_):
        nonlocal calls, depth
        calls += 1
        if depth == 3:  # on a busy machine the next signal comes before this one is done, and so on
            return
        depth += 1
        try:
            other_work()
        finally:
            depth -= 1

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)
    try:
        while calls < 1000:
            small_work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_finalizer():
    class Held:
        def __del__(self):
            other_work()

    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(50):
            held = Held()
            held.itself = held
            del held
            small_work()
    finally:
        gc.set_threshold(*before)


def test_progress(programs, tasks):
    alone = tessera.solve(tasks["seesaw"], per_task=0.02)
    inner = []

    def progress(_):
        small_work()
        inner.append(tessera.solve(tasks["seesaw"], per_task=0.02))
        assert tessera.evaluate(programs, tasks[:2]).solved.any(axis=0).all()

    outer = tessera.solve(tasks["seesaw"], per_task=0.02, progress=progress)
    assert inner and all(s.submission() == alone.submission() for s in [outer, *inner])


def test_threads():
    wrong = []

    def loop():
        try:
            for _ in range(200):
                small_work()
                other_work()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=loop) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def in_a_child(work):
    """Whether this process, forked, does it."""
    child = os.fork()
    if not child:
        try:
            work()
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_another_process(programs, tasks):
    small_work()

    def work():
        small_work()
        other_work()
        assert tessera.evaluate(programs, tasks, threads=2).solved.any(axis=0).all()
        assert tessera.judge([programs[0].text], tasks["bead_stairs"]).readable[0]
        assert len(tessera.solve(tasks["seesaw"], per_task=0.01, threads=2).submission()) == 1

    assert in_a_child(work)
    small_work()


def scored_pool(path):
    pool = Pool(path, "a")
    pool.add("def a(I):\n    return rot90(I)", {f"t{k}": PoolScore(3, 3) for k in range(6)})
    return pool


def test_a_pool_of_another_process_is_refused(tmp_path):
    pool = scored_pool(tmp_path / "p.db")

    def work():
        with pytest.raises(ValueError, match="opened by another process"):
            len(pool)
        with pytest.raises(ValueError, match="opened by another process"):
            pool.close()
        with Pool(tmp_path / "p.db", "r+") as own:
            own.add("def b(I):\n    return rot180(I)")

    assert in_a_child(work)
    assert len(pool) == 2
    pool.add("def c(I):\n    return rot270(I)")
    assert len(pool) == 3


def test_a_pool_within_itself(tmp_path):
    pool, turns = scored_pool(tmp_path / "p.db"), 0
    (hash,) = [entry.hash for entry in pool]

    def action():
        nonlocal turns
        turns += 1
        assert len(pool.scores(hash)) == len(pool.tasks()) == 6
        if turns % 50 == 0:
            pool.add(f"def a(I):\n    return fill(I, {turns // 50 % 10}, {{(0, {turns // 500})}})")

    with at_every_instruction(action):
        assert [task.id for task in pool.tasks()] == [f"t{k}" for k in range(6)]
        assert list(pool.scores(hash)) == [f"t{k}" for k in range(6)]
        pool.add("def b(I):\n    return rot180(I)", {"t0": PoolScore(1, 3)})
    assert len(pool) == turns // 50 + 2
    pool.close()


def test_a_pool_in_use_is_not_closed(tmp_path):
    pool, refused = scored_pool(tmp_path / "p.db"), 0

    def action():
        nonlocal refused
        try:
            if pool._uses:
                pool.close()
        except ValueError as error:
            assert "in use" in str(error)
            refused += 1

    with at_every_instruction(action):
        assert len(pool.tasks()) == 6
    assert refused
    pool.close()
