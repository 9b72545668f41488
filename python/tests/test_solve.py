import json
import subprocess
import sys
import time

import numpy as np
import pytest

import tessera


@pytest.fixture(scope="module")
def few(tasks):
    return tessera.tasks([tasks[name] for name in ("seesaw", "wallpaper", "gift_wrap")])


@pytest.fixture(scope="module")
def solution(few):
    return tessera.solve(few, per_task=0.02, seed=1)


def test_answers(solution, few):
    assert len(solution) == 3 and solution.solved and not solution.interrupted
    for task, answer in zip(few, solution):
        assert answer is solution[task.id] and len(answer.attempts) == len(task.test)
        for attempts in answer.attempts:
            assert 1 <= len(attempts) <= 3 and attempts[0].grid.dtype == np.int8
            assert all(a.confidence >= b.confidence for a, b in zip(attempts, attempts[1:]))


def test_the_program_gives_the_answer(solution, few):
    for task, answer in zip(few, solution):
        for test, attempts in zip(task.test, answer.attempts):
            for attempt in attempts:
                if attempt.program:
                    (program,) = tessera.parse(attempt.program)
                    assert np.array_equal(program(test.input, samples=task), attempt.grid)


def test_submission_and_score(solution, few, tmp_path):
    submission = solution.submission()
    assert list(submission) == few.ids
    right = 0
    for task in few:
        for n, (test, given) in enumerate(zip(task.test, submission[task.id])):
            assert given["attempt_1"] == solution[task.id].attempts[n][0].grid.tolist()
            right += test.output.tolist() in (given["attempt_1"], given["attempt_2"])
    assert solution.score().right == right and solution.score().outputs == sum(len(task.test) for task in few)
    solution.write(tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == submission
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_work_counted_in_units_repeats(solution, few):
    again = tessera.solve(few, per_task=0.02, seed=1, threads=1)
    assert again.submission() == solution.submission()


def test_seconds(few):
    start = time.process_time()
    solution = tessera.solve(few, seconds=2, threads=2)
    assert solution.solved and time.process_time() - start < 2 * 2 + 2  # a busy machine gives less


def test_pools(few, programs, tmp_path):
    task = few[0]
    by_pool = tessera.solve(task, per_task=0.001, pool=programs)[0]
    assert by_pool.solved and np.array_equal(by_pool.attempts[0][0].grid, task.test[0].output)
    assert tessera.solve(task, per_task=0.001, pool="tasks/solvers.py")[0].solved
    with tessera.Pool(tmp_path / "p.db", "a") as pool:
        pool.add(programs)
        assert tessera.solve(task, per_task=0.001, pool=pool)[0].solved
    tessera.solve(task, per_task=0.001, pool=False)


def test_out(few, tmp_path):
    path = tmp_path / "submission.json"
    solution = tessera.solve(few, per_task=0.01, out=path)
    assert json.loads(path.read_text()) == solution.submission()
    assert [p.name for p in tmp_path.iterdir()] == ["submission.json"]  # the journal goes when all is done
    with pytest.raises(OSError):
        tessera.solve(few, per_task=0.01, out=tmp_path / "no" / "folder.json")


def test_bad_options(few):
    for options, words in (
        ({"seconds": 1, "per_task": 1}, "either"),
        ({"seconds": 0}, "seconds is more than 0"),
        ({"per_task": -1}, "per_task is more than 0"),
        ({"seconds": float("nan")}, "seconds"),
        ({"per_task": 1, "seed": -1}, "seed"),
        ({"per_task": 1, "threads": 0}, "threads"),
    ):
        with pytest.raises(ValueError, match=words):
            tessera.solve(few, **options)


def test_progress(few):
    seen = []
    tessera.solve(few, per_task=0.05, progress=seen.append)
    assert seen[-1].what == "solve" and seen[-1].done == 3 and seen[-1].tried > 0


def test_no_tasks():
    assert len(tessera.solve([], per_task=0.01)) == 0


def test_many_demos_and_tests():
    grid = np.arange(12).reshape(3, 4) % 10
    pairs = [{"input": np.roll(grid, k, 0).tolist(), "output": np.roll(grid, k, 0)[:, ::-1].tolist()} for k in range(3)]
    solution = tessera.solve({"many": {"train": pairs, "test": pairs * 14}}, per_task=0.05, pool=False)
    assert solution.score().right == 42 and len(solution["many"].attempts) == 42


def test_short_memory():
    """In a process of its own, with little more memory than it has when the search begins."""
    script = """if True:
        import resource, warnings
        import tessera
        tasks = tessera.tasks("tasks")
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        most = used + (40 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            solution = tessera.solve(tasks, per_task=0.05, threads=1, pool=False)
        assert len(solution) == 14 and solution.starved, solution
        assert any("memory was short" in str(w.message) for w in caught), caught
        assert len(solution.submission()) == 14
    """
    subprocess.run([sys.executable, "-c", script], check=True)


def test_changed_pool(few, tmp_path):
    out = tmp_path / "out.json"
    def stop(progress):
        raise KeyboardInterrupt
    one, two = (tessera.parse(f"def solve(I):\n    return {name}(I)\n") for name in ("vmirror", "hmirror"))
    assert tessera.solve(few, per_task=0.5, pool=one, out=out, progress=stop).interrupted
    with pytest.warns(RuntimeWarning, match="the pool has changed"):
        assert len(tessera.solve(few, per_task=0.5, pool=two, out=out)) == 3


def test_a_task_given_twice_is_refused(few, tmp_path):
    twice = tessera.Tasks([few[0], few[1], few[0]])
    with pytest.raises(ValueError, match="each task once.*: seesaw$"):
        tessera.solve(twice, per_task=0.001, out=tmp_path / "s.json")
    assert not list(tmp_path.iterdir())


def test_devices_change_nothing(few, solution, monkeypatch):
    monkeypatch.setenv("TESSERA_FAULTY", "")
    assert tessera.solve(few, per_task=0.02, seed=1, device="force").submission() == solution.submission()
    monkeypatch.setenv("TESSERA_FAULTY", "1:build")
    with pytest.warns(RuntimeWarning, match="cannot be built .*going on with the CPU"):
        failed = tessera.solve(few, per_task=0.02, seed=1, device="force")
    assert failed.submission() == solution.submission()
    with pytest.raises(ValueError, match="a device is auto, none, force, or numbers"):
        tessera.solve(few, device="quick")
    monkeypatch.delenv("TESSERA_FAULTY")
    monkeypatch.setenv("TESSERA_OPENCL", "/nowhere")
    with pytest.warns(RuntimeWarning, match="no such device"):
        tessera.solve(few, per_task=0.001, device=0)
