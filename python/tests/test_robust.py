"""Threads, interrupts, memory."""

import gc
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tessera


def test_threads_evaluate_at_once(programs, tasks):
    alone = tessera.evaluate(programs, tasks, threads=1, full=True)
    with ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: tessera.evaluate(programs, tasks, threads=1, full=True), range(8)):
            assert (result._outcomes == alone._outcomes).all() and (result.scores == alone.scores).all()


def test_threads_run_programs_at_once(programs, tasks):
    cases = [(programs[f"solve_{task.id}"], sample) for task in tasks for sample in task.train]
    expected = [np.array_equal(program(sample.input), sample.output) for program, sample in cases]
    assert all(expected)
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            assert list(pool.map(lambda case: np.array_equal(case[0](case[1].input), case[1].output), cases)) == expected


def test_the_lock_is_free_while_the_engine_runs(tasks):
    turns, done = 0, threading.Event()

    def count():
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    tessera.solve(tasks, per_task=0.1, threads=1)
    done.set()
    counter.join()
    assert turns > 50  # of a thousand and more; were it not free, of one or two


INTERRUPTED = """
import os, signal, threading, time, tessera
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is started without
timers = []
def progress(_):  # it is under way
    if not timers:
        timers.append(threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)))
        timers[0].start()
try:
    {work}
except KeyboardInterrupt:
    print("KeyboardInterrupt" if time.process_time() < 60 else "too late")
"""


def interrupted(work):
    code = INTERRUPTED.format(work=work)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1800)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


def test_an_interrupt_ends_solve_with_what_it_has():
    work = "s = tessera.solve(tessera.tasks('tasks'), seconds=7200, progress=progress); print(s.interrupted, len(s.submission()))"
    assert interrupted(work) == ["True", "14"]


def test_an_interrupt_ends_evaluate():
    tasks = "tessera.Tasks(list(tessera.tasks('tasks')) * 5000)"
    work = f"tessera.evaluate(tessera.load('tasks/solvers.py'), {tasks}, full=True, progress=progress)"
    assert interrupted(work) == ["KeyboardInterrupt"]


@pytest.mark.parametrize("call", ["evaluate(texts, tasks", "judge(texts, tasks[0]"])
def test_an_interrupt_is_heard_in_the_middle_of_a_program(call):
    texts = "['def p(I):\\n    x1 = power(identity, %d)\\n    return x1(I)' % (10**18 + k) for k in range(60)]"
    work = f"texts, tasks = {texts}, tessera.tasks('tasks'); progress(0); tessera.{call}, units=10**9)"
    assert interrupted(work) == ["KeyboardInterrupt"]


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_nothing_leaks(tasks, tmp_path):
    texts = [f"def p(I):\n    return fill(I, {k % 10}, {{({k // 10}, 0)}})" for k in range(300)] + ["nonsense"]

    def once():
        programs = tessera.parse(texts, strict=False)
        result = tessera.evaluate(programs, tasks[:3], scores=True, full=True)
        result._repr_html_(), tasks[0]._repr_svg_(), result.failure_counts()
        programs[0](tasks[0].train[0].input, samples=tasks[0])
        with pytest.raises(tessera.Failure):
            tessera.eval("divide(1, 0)")
        tessera.tasks("tasks"), tessera.load("tasks/solvers.py")
        with tessera.Pool(tmp_path / "p.db", "a") as pool:
            pool.add(programs[:3])
            pool.programs(), list(pool), pool.tasks()
        tessera.solve(tasks[0], per_task=0.002, threads=1)

    for _ in range(5):
        once()
    gc.collect()
    before = resident()
    for _ in range(25):
        once()
    gc.collect()
    assert resident() - before < 8 << 20


def test_nothing_of_python_is_run():
    for text in (
        "import os\ndef a(I):\n    return os.system('true')",
        "def a(I):\n    return __import__('os')",
        "def a(I):\n    return open('/etc/passwd')",
        "def a(I):\n    return I.__class__",
        "def a(I):\n    return eval('I')",
    ):
        with pytest.raises(tessera.ProgramError):
            tessera.parse(text)


def test_work_that_begins_when_python_ends_is_refused():
    code = """
import tessera
class Late:
    def __del__(self, evaluate=tessera.evaluate, tasks=tessera.tasks("tasks")):
        evaluate("def a(I): return I", tasks)
late = Late()
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1800)
    assert "Python is ending" in result.stderr


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_what_is_no_path_is_refused(path, tasks):
    with pytest.raises(ValueError, match="no path"):
        tessera.Pool(path, "a")
    with pytest.raises(ValueError, match="no path"):
        tessera.solve(tasks[0], per_task=0.001, out=path)
