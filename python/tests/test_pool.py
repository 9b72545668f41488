import gc
import threading

import pytest

import tessera
from tessera import Pool, PoolScore


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pool.db"


@pytest.fixture
def pool(path):
    with Pool(path, "a") as pool:
        yield pool


def test_modes(path):
    for mode in ("r", "r+"):
        with pytest.raises(FileNotFoundError):
            Pool(path, mode)
    with pytest.raises(ValueError, match="mode is one of"):
        Pool(path, "w")
    Pool(path, "a").close()
    with Pool(path) as reader, pytest.raises(OSError):
        reader.add("def a(I):\n    return I")
    path.write_text("no pool at all")
    with pytest.raises((ValueError, OSError), match="pool.db"):
        Pool(path)


def test_add_and_ask(pool, programs):
    hashes = pool.add(programs, origin="a test")
    assert len(pool) == len(programs) == len(set(hashes)) and hashes == [program.hash for program in programs]
    entries = list(pool)
    assert {e.origin for e in entries} == {"a test"} and all(e.pinned and e.task is None for e in entries)
    assert pool.entries(hash=hashes[3][:8])[0].name == programs[3].name
    assert pool.counts()["unscored"] == len(programs)
    assert [program.hash for program in pool.programs()] == hashes


def test_scores(pool):
    good, near = "def a(I):\n    return rot90(I)", "def b(I):\n    return vmirror(rot180(I))"
    (first,) = pool.add(good, {"x": PoolScore(3, 3, 1, 1), "y": PoolScore(1, 3, score=1500)})
    (second,) = pool.add(near, {"x": PoolScore(1, 3)})
    assert pool.best("x").hash == first and pool.best("z") is None
    assert [e.hash for e in pool.entries("x", best_first=True)] == [first, second]
    assert [e.hash for e in pool.entries("x", solved=True)] == [first]
    trusted = pool.best("x").score.confidence
    assert 0.5 < trusted < 1 and pool.best("y").score.confidence == 0
    assert pool.scores(first) == {"x": PoolScore(3, 3, 1, 1, 3000, 0, confidence=trusted), "y": PoolScore(1, 3, 0, 0, 1500, 0)}
    x, y = pool.tasks()
    assert (x.id, x.winners, x.near, x.correct, x.best, x.demos) == ("x", 1, 1, True, 3000, 3)
    assert pool.programs("x", best_first=True).names == [f"solve_{first}_x", f"solve_{second}_x"]
    assert pool.prune(near=0) == 1 and len(pool) == 1


def test_single_demos(pool):
    each = PoolScore(1, 3, score=1700, behaviour=2**64 - 1, answers=5, right=(True, False, False), points=(1000, 700, 0))
    (hash,) = pool.add("def a(I):\n    return rot90(I)", {"x": each})
    assert pool.scores(hash) == {"x": each} and pool.best("x").score == each
    pool.add("def b(I):\n    return rot90(rot90(I))", {"x": each})  # longer, and does the same
    assert [entry.hash for entry in pool.entries("x")] == [hash]
    assert [(task.shortest, task.near) for task in pool.tasks()] == [(0, 1)]
    with pytest.raises(ValueError, match="expected 3"):
        pool.add("def c(I):\n    return I", {"x": PoolScore(1, 3, right=(True,), points=(1000,))})
    assert pool.counts()["dealt"] == 0 and pool.prune(dealt=True) == 0


def test_results(pool, programs, tasks):
    assert pool.add_result(tessera.evaluate(programs, tasks)) == 14
    assert {task.id for task in pool.tasks() if task.correct} == set(tasks.ids)


def test_load_reads_a_pool(pool, path, programs):
    pool.add(programs)
    assert len(tessera.load(path)) == len(programs)


def test_transactions(pool):
    with pytest.raises(ZeroDivisionError):
        with pool.transaction():
            pool.add("def a(I):\n    return I")
            pool.add("def b(I):\n    return rot90(I)")
            assert len(pool) == 2
            1 / 0
    assert len(pool) == 0
    with pytest.raises(tessera.ProgramError):
        pool.add(["def a(I):\n    return I", "nonsense"])
    assert len(pool) == 0


def test_bad_scores_change_nothing(pool):
    with pytest.raises((ValueError, OSError)):
        pool.add("def a(I):\n    return rot90(I)", {"x": PoolScore(5, 3)})
    assert len(pool) == 0


def test_closed(pool):
    pool.close()
    pool.close()
    with pytest.raises(ValueError, match="closed"):
        len(pool)
    assert "closed" in repr(pool)


def test_two_pools_and_threads(path):
    def fill(k):
        with Pool(path, "a") as mine:
            for n in range(20):
                mine.add(f"def p(I):\n    return fill(I, {k}, {{({n}, 0)}})")

    threads = [threading.Thread(target=fill, args=(k,)) for k in range(3)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    with Pool(path) as pool:
        assert len(pool) == 60


def test_programs_outlive_the_pool(path):
    with Pool(path, "a") as pool:
        pool.add("def p(I):\n    return vmirror(I)")
        programs = pool.programs()
    del pool
    gc.collect()
    assert programs[0]([[1, 2]]).tolist() == [[2, 1]]


def test_a_pool_is_not_closed_within_its_transaction(tmp_path, programs):
    with tessera.Pool(tmp_path / "p.db", "a") as pool:
        with pytest.raises(ValueError, match="within its transaction"):
            with pool.transaction():
                pool.add(programs[:2])
                pool.close()
        assert len(pool) == 0


def test_names_with_a_zero_are_refused(tmp_path, programs):
    with tessera.Pool(tmp_path / "p.db", "a") as pool:
        with pytest.raises(ValueError, match="no zero"):
            pool.add(programs[0], {"a\0b": tessera.PoolScore(1, 1)})
        assert len(pool) == 0
