import json
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

import tessera
from tessera import Pool


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pool.db"


@pytest.fixture
def filled(path, programs):
    with Pool(path, "a") as pool:
        pool.add(programs)
    return path


def contents(path):
    with Pool(path) as pool:
        return sorted((e.hash, e.text, e.origin, e.round, e.units, e.task or "", tuple(e.score or ())) for e in pool)


COUNTS = "rounds", "tried", "grown", "winners", "near", "pool", "solved"  # as the command calls them


def counts(iteration):
    it = iteration
    return it.rounds, it.tried, it.growth, it.winners, it.near, it.held, it.solved


def test_programs_of_the_pool_are_run_first(filled, tasks):
    iteration = tessera.iterate(filled, tasks, rounds=1)
    assert iteration.rounds == 1 and iteration.tried == 14 and sorted(iteration.solved) == sorted(tasks.ids)
    assert not iteration.interrupted and not iteration.errors and len(iteration) == 14
    for grown in iteration:
        assert grown.winners and grown.correct and grown.score == 1000 * len(grown.task.train)
        assert iteration[grown.task.id] is grown
    with Pool(filled) as pool:
        assert len(pool) == iteration.held and all(task.correct for task in pool.tasks())


def test_from_nothing_and_on(path, tasks):
    first = tessera.iterate(path, tasks, rounds=5, seed=3)
    assert first.near > 0 and first.held > 0
    second = tessera.iterate(path, tasks, rounds=2, seed=3)
    assert second.rounds == 2 and second.held >= 1


def test_the_same_seed(tmp_path, programs, tasks):
    paths = [tmp_path / name for name in ("a.db", "b.db", "c.db")]
    for path, seed, threads in zip(paths, (7, 7, 8), (1, 2, 2)):
        with Pool(path, "a") as pool:
            pool.add(programs)
        tessera.iterate(path, tasks, rounds=8, seed=seed, threads=threads)
    assert contents(paths[0]) == contents(paths[1]) != contents(paths[2])


def test_the_command_does_the_same(tmp_path, programs, tasks, command):
    paths = [tmp_path / "a.db", tmp_path / "b.db"]
    for path in paths:
        with Pool(path, "a") as pool:
            pool.add(programs)
    iteration = tessera.iterate(paths[0], tasks, rounds=6, programs=20, rate=0.2)
    words = ["iterate", "--pool", paths[1], "--tasks", "tasks", "--rounds", "6", "--programs", "20", "--rate", "0.2", "--json"]
    said = json.loads(subprocess.run([command, *words], check=True, capture_output=True, text=True).stdout)
    assert counts(iteration) == tuple(said[key] for key in COUNTS)
    assert contents(paths[0]) == contents(paths[1])


def test_strategies(tmp_path, programs, tasks, command):
    """Each as the command has it, evolve unless said otherwise; the pools of all differ."""
    pools = {}
    for strategy in ("evolve", "cards", "blind"):
        paths = [tmp_path / f"{strategy}{k}.db" for k in range(2)]
        for path in paths:
            with Pool(path, "a") as pool:
                pool.add([program for program in programs if program.name < "solve_g"])
        seen = []
        chosen = {} if strategy == "evolve" else {"strategy": strategy}
        iteration = tessera.iterate(paths[0], tasks, rounds=8, progress=seen.append, **chosen)
        words = ["iterate", "--pool", paths[1], "--tasks", "tasks", "--rounds", "8", "--strategy", strategy, "--json"]
        said = json.loads(subprocess.run([command, *words], check=True, capture_output=True, text=True).stdout)
        assert counts(iteration) == tuple(said[key] for key in COUNTS)
        assert (iteration.growth > 0) == (strategy == "evolve")
        assert (seen[-1].tried, seen[-1].growth) == (iteration.tried, iteration.growth)
        assert (seen[-1].solved, seen[-1].correct) == (len(iteration.solved), said["correct"])
        assert sum(grown.correct for grown in iteration) == said["correct"] > 0
        pools[strategy] = contents(paths[0])
        assert pools[strategy] == contents(paths[1])
    assert pools["evolve"] != pools["cards"] != pools["blind"] != pools["evolve"]


def test_a_pool_that_is_open(filled, tasks):
    with Pool(filled, "r+") as pool:
        iteration = tessera.iterate(pool, tasks, rounds=1)
        assert len(pool) == iteration.held
        with pytest.raises(ValueError, match="within its transaction"):
            with pool.transaction():
                tessera.iterate(pool, tasks, rounds=1)
    with pytest.raises(ValueError, match="closed"):
        tessera.iterate(pool, tasks, rounds=1)
    with Pool(filled) as pool, pytest.raises(ValueError, match="read only"):
        tessera.iterate(pool, tasks, rounds=1)


def test_seconds(filled, tasks):
    start = time.monotonic()
    iteration = tessera.iterate(filled, tasks, seconds=0.5)
    assert time.monotonic() - start >= 0.45 and iteration.rounds >= 1 and iteration.seconds >= 0.45


def test_progress_and_interrupts(filled, tasks):
    seen = []

    def stop(progress):
        seen.append(progress)
        if progress.done:
            raise KeyboardInterrupt

    iteration = tessera.iterate(filled, tasks, seconds=10_000, progress=stop)
    assert iteration.interrupted and iteration.rounds >= 1 and "interrupted" in str(iteration)
    assert seen[-1].what == "iterate" and seen[-1].all == 0 and 0 < seen[-1].left <= 10_000
    seen.clear()
    assert tessera.iterate(filled, tasks, rounds=3, progress=seen.append).rounds == 3
    assert seen[-1].done == seen[-1].all == 3 and seen[-1].tried > 0 and seen[-1].solved == 14

    def fail(progress):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tessera.iterate(filled, tasks, seconds=10_000, progress=fail)
    assert sorted(tessera.iterate(filled, tasks, rounds=1).solved) == sorted(tasks.ids)


def test_ctrl_c(filled):
    """What was found is the result, and in the pool."""
    script = f"""if True:
        import os, signal
        import tessera
        signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell in the background turns off
        tasks = tessera.tasks("tasks")
        def ended(progress):
            if progress.done >= 1:
                os.kill(os.getpid(), signal.SIGINT)
        iteration = tessera.iterate({str(filled)!r}, tasks, seconds=10000, progress=ended)
        assert iteration.interrupted and len(iteration.solved) == 14, iteration
        print("stored", iteration.held)
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "stored" in done.stdout, done.stderr
    with Pool(filled) as pool:
        assert len(pool) == int(done.stdout.split()[1]) >= 14


def test_the_bar(filled, tasks, capsys, monkeypatch):
    monkeypatch.setattr("tessera._core.QUIET_FOR", 0)
    tessera.iterate(filled, tasks, seconds=0.5, progress=True)
    drawn = capsys.readouterr().err
    assert "iterate [" in drawn and "14 solved on demos" in drawn and "s left" in drawn


def test_two_at_once(filled, tasks):
    results = []
    threads = [
        threading.Thread(target=lambda seed=seed: results.append(tessera.iterate(filled, tasks, rounds=6, seed=seed, threads=1)))
        for seed in (1, 2)
    ]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert [len(result.solved) for result in results] == [14, 14]
    assert sqlite3.connect(filled).execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_differs(filled, tasks):
    half = "def differ_half(S, I, C):\n    x1 = size(palette(C))\n    return astuple(500, x1)\n"
    assert tessera.iterate(filled, tasks, rounds=2, differs=half).rounds == 2
    with pytest.raises(tessera.ProgramError):
        tessera.iterate(filled, tasks, rounds=1, differs="nonsense")
    assert tessera.iterate(filled, tasks, rounds=2, only_differs=half).rounds == 2
    with pytest.raises(tessera.ProgramError, match=r"differ 'a' gives Grid, where \(score, detail\) is expected"):
        tessera.iterate(filled, tasks, rounds=1, only_differs="def a(S, I, C):\n    return I")


def test_evolve_differs(filled, tasks, tmp_path):
    path = tmp_path / "differs.py"
    iteration = tessera.iterate(filled, tasks, rounds=2, evolve_differs=path)
    assert len(iteration.differs) == 6 and all(d.used and 0 <= d.worth <= 1 for d in iteration.differs)
    assert len(tessera.load(path)) == 6 and iteration.differs[0].text in path.read_text()
    assert tessera.iterate(filled, tasks, rounds=1).differs == []
    path.write_text("def a(S, I, C):\n    return I")
    with pytest.raises(tessera.InputError, match=r"differ 'a' gives Grid"):
        tessera.iterate(filled, tasks, rounds=1, evolve_differs=path)


def test_unreadable_programs_are_named(filled, tasks):
    with sqlite3.connect(filled) as db:
        db.execute("UPDATE program SET text = 'def solve(I): return nonsense(I)' WHERE id = 1")
    with pytest.warns(RuntimeWarning, match="programs of the pool"):
        iteration = tessera.iterate(filled, tasks, rounds=1)
    assert len(iteration.errors) >= 1 and len(iteration.solved) == 13


def test_bad_arguments(path, filled, tasks, tmp_path):
    for arguments, message in (
        ({}, "rounds or seconds"),
        ({"rounds": 0}, "rounds is 1 to"),
        ({"seconds": -1}, "more than 0"),
        ({"rounds": 1, "programs": 0}, "programs is 1 to"),
        ({"rounds": 1, "rate": 2}, "0 to 1"),
        ({"rounds": 1, "rate": float("nan")}, "0 to 1"),
        ({"rounds": 1, "seed": -1}, "seed is 0 to"),
        ({"rounds": 1, "threads": 0}, "threads is 1 to"),
        ({"rounds": 1, "strategy": "luck"}, "strategy is evolve, cards or blind, not 'luck'"),
    ):
        with pytest.raises(ValueError, match=message):
            tessera.iterate(filled, tasks, **arguments)
    with pytest.raises(ValueError, match="each task once"):
        tessera.iterate(filled, tessera.Tasks([tasks[0], tasks[0]]), rounds=1)
    (tmp_path / "text.db").write_text("no pool")
    with pytest.raises((ValueError, OSError), match="text.db"):
        tessera.iterate(tmp_path / "text.db", tasks, rounds=1)
    with pytest.raises(OSError):
        tessera.iterate(tmp_path / "no" / "such.db", tasks, rounds=1)


def test_drawn(filled, tasks):
    html = tessera.iterate(filled, tasks, rounds=1)._repr_html_()
    assert html.count('role="img"') == 14 and html.count("solved, tests right") == 28  # as title and label
