"""solve and iterate by executors: the bytes of one thread, whatever becomes of the workers."""

import json
import multiprocessing
import os
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import pytest

import tessera
from elsewhere import Inline, Through, dask_client, die, die_later, work
from tessera import _spread

FORK = multiprocessing.get_context("fork")
forked = partial(ProcessPoolExecutor, 2, mp_context=FORK)
SHORT = {"per_task": 0.02}


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(_spread, "PAUSE", 0.01)
    _spread._kept.clear()


@pytest.fixture(scope="module")
def alone(tasks):
    return tessera.solve(tasks, threads=1, **SHORT)


def same(solution, alone):
    assert solution._submission == alone._submission and not solution.lost
    for mine, other in zip(solution, alone):
        assert mine.program == other.program and mine.solved == other.solved and mine.confidence == other.confidence
    return True


@pytest.mark.parametrize("make", [Inline, forked, partial(ThreadPoolExecutor, 3)])
def test_the_same(make, tasks, alone, tmp_path):
    with make() as executor:
        assert same(tessera.solve(tasks, executor=executor, out=tmp_path / "a.json", **SHORT), alone)
        assert (tmp_path / "a.json").read_text() == alone._submission and not (tmp_path / "a.json.journal").exists()
    assert same(tessera.solve(tasks, executor=make, workers=5, **SHORT), alone)


@pytest.mark.parametrize("options", [{"pool": False}, {"seed": 7}, {"engines": "trees,lines"}, {"memory": 1 << 22}, {"pool": "tasks/solvers.py", "trust_pool": True}])
def test_options_go_along(options, tasks, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    wanted = tessera.solve(tasks, threads=1, candidates=here, **options, **SHORT)
    assert same(tessera.solve(tasks, executor=Inline(), candidates=there, **options, **SHORT), wanted)
    assert here.read_text() == there.read_text()


def test_a_budget(tasks, monkeypatch):
    monkeypatch.setattr(_spread, "PATIENCE", 600)  # on a busy machine what is under way comes late
    solution = tessera.solve(tasks, 3, executor=forked)
    assert solution.tried and not solution.lost and len(solution.answers) == len(tasks)


class Never(Executor):
    """Never comes to an end with anything."""

    def submit(self, *arguments):
        return Future()


def test_workers_do_not_hold_up_a_budget(tasks, tmp_path, monkeypatch):
    monkeypatch.setattr(_spread, "PATIENCE", 0.1)
    assert not tessera.solve(tasks, 0.5, executor=Never()).solved
    assert tessera.iterate(tmp_path / "pool.db", tasks, seconds=0.5, executor=Never()).rounds == 0


def test_what_is_for_one_process(tasks):
    for options in ({"threads": 2}, {"profile": True}, {"workers": 0}):
        with pytest.raises(ValueError, match=next(iter(options))):
            tessera.solve(tasks, executor=Inline(), **options)
    with pytest.raises(ValueError, match="workers are those of an executor"):
        tessera.solve(tasks, workers=2)


def test_what_is_no_executor(tasks, tmp_path):
    """It is said before a file is touched."""
    with pytest.raises(TypeError, match="executor is one of concurrent.futures, or a function that makes one, not int"):
        tessera.solve(tasks, executor=7, out=tmp_path / "out.json")
    assert not list(tmp_path.iterdir())


def test_the_submission_is_written_as_results_come(tasks, alone, tmp_path):
    """One worker waits until the file has what another one has found."""
    out, first = tmp_path / "out.json", []

    def wait(*arguments):
        end = time.monotonic() + 600
        while out.read_text() == first[0]:
            assert time.monotonic() < end
            time.sleep(0.01)
        return _spread.perform(*arguments)

    def change(count, function, arguments):
        first.append(out.read_text())
        return wait if count == 4 else function, *arguments

    with ThreadPoolExecutor(2) as executor:
        assert same(tessera.solve(tasks, executor=Through(executor, change), out=out, **SHORT), alone)


def test_solutions_stay_here(tasks, alone):
    """No worker gets the outputs of tests."""
    seen = []

    def see(count, function, arguments):
        seen.append(arguments[2])

    tessera.solve(tasks, executor=Through(Inline(), see), **SHORT)
    text = b"".join(seen)
    for task in tasks:
        for sample in task.test:
            if not any(sample.output.tolist() == s.output.tolist() for s in task.train):
                assert json.dumps(sample.output.tolist()).replace(" ", "").encode() not in text


def test_deaths_are_made_good(tasks, alone, tmp_path):
    def change(count, function, arguments):
        folder = tmp_path / str(count)
        folder.mkdir(exist_ok=True)
        return die, folder, count in (2, 5), function, *arguments

    assert same(tessera.solve(tasks, executor=lambda: Through(forked(), change), **SHORT), alone)
    assert (tmp_path / "2/0").exists()


def test_a_deadly_task_is_given_up(tasks, alone, tmp_path):
    """The others go on, and the same call searches it again."""

    def change(count, function, arguments):
        return die, tmp_path, 1000 * (b"\tseesaw\t" in arguments[2]) , function, *arguments

    options = {"out": tmp_path / "out.json", **SHORT}
    with pytest.warns(RuntimeWarning, match="given up: seesaw, lost three times: BrokenProcessPool"):
        solution = tessera.solve(tasks, executor=lambda: Through(forked(), change), **options)
    assert list(solution.lost) == ["seesaw"] and not solution["seesaw"].program
    assert all(mine.program == other.program for mine, other in zip(solution, alone) if mine.task.id != "seesaw")
    assert same(tessera.solve(tasks, executor=Inline(), **options), alone)


def fakes(times, give):
    """An executor whose workers give something else for what they get first."""

    def change(count, function, arguments):
        return (give if count <= times else function), *arguments

    return Through(Inline(), change)


def text_of(*arguments):
    word, (good, result) = _spread.perform(*arguments)
    return result


@pytest.mark.parametrize(
    "give",
    [
        lambda *arguments: None,
        lambda *arguments: ("done", None),
        lambda *arguments: ("done", (True, None)),
        lambda *arguments: ("done", (True, b"")),
        lambda *arguments: ("done", (True, b"rubbish")),
        lambda *arguments: ("done", (True, b"\0" * 1000)),
        lambda *arguments: ("done", (True, b"x" * (65 << 20))),
        lambda *arguments: ("done", (False, b"not enough memory")),
        lambda *arguments: ("done", (True, text_of(*arguments)[:-40])),
        lambda *arguments: ("done", (True, text_of(*arguments) * 2)),
        lambda *arguments: ("done", (True, text_of(*arguments).replace(b"found", b"lost"))),
        lambda *arguments: ("done", (True, text_of(*arguments).replace(b"I", b"7"))),
        lambda *arguments: ("done", (True, text_of(*arguments).replace(b"run\t", b"run\tx"))),
    ],
)
def test_rubbish(give, tasks, alone):
    assert same(tessera.solve(tasks, executor=fakes(2, give), **SHORT), alone)


def test_a_machine_with_too_little_memory(tasks):
    with pytest.warns(RuntimeWarning, match=r"given up: .*lost three times: MemoryError: caf\?.*\(14\)"):
        solution = tessera.solve(tasks, executor=fakes(10**6, lambda *arguments: work(("starve", 1))), **SHORT)
    assert len(solution.lost) == 14


def test_nothing_but_rubbish(tasks):
    with pytest.warns(RuntimeWarning, match=r"given up: .*lost three times: .*this is no result.*\(14\)"):
        solution = tessera.solve(tasks, executor=fakes(10**6, lambda *arguments: ("done", (True, b"rubbish"))), **SHORT)
    assert len(solution.lost) == 14 and not solution.solved and len(solution.submission()) == 14


def hash_bytes(data):
    """As src/base/hash.h has it, of 64 bytes and more."""
    whole = 2**64 - 1

    def mix(h, word):
        product = (((h ^ word) + 0xD6E8FEB86659FD93) & whole) * 0x9E3779B97F4A7C15
        return (product & whole) ^ (product >> 64)

    lanes, at = [0, 1, 2, 3], 0
    for at in range(32, len(data) + 1, 32):
        lanes = [mix(h, int.from_bytes(data[at - 32 + 8 * k :][:8], "little")) for k, h in enumerate(lanes)]
    h = lanes[0]
    for k in range(1, 4):
        h = mix(h, (lanes[k] + k) & whole)
    while len(data) - at >= 8:
        h, at = mix(h, int.from_bytes(data[at : at + 8], "little")), at + 8
    return mix(h, (len(data) - at) << 8 * (len(data) - at) | int.from_bytes(data[at:], "big"))


def ended(message):
    """A message with an end that is right."""
    return message + b"end\t%016x\n" % hash_bytes(message)


def test_end_of_message(tasks):
    result = []
    tessera.solve(tasks[:1], executor=fakes(1, lambda *arguments: result.append(text_of(*arguments))), **SHORT)
    assert ended(result[0][: result[0].rindex(b"end\t")]) == result[0]


def test_a_lie_is_found_out(tasks):
    """A program that is said to solve a task is run here."""

    def lie(*arguments):
        # A program of another task, or one that does nothing.
        result = text_of(*arguments)
        head, *lines, _, _ = result.split(b"\n")
        lies = [line for line in lines if not line.startswith(b"found")]
        ids = [line.split(b"\t")[1] for line in lies if line.startswith(b"run")]
        found = [b"found\t" + id + b"\tlines\t0\tdef solve_x(I):\\n    return I\\n" for id in ids]
        return "done", (True, ended(b"\n".join([head, *found, *lies, b""])))

    with pytest.warns(RuntimeWarning, match="given up: .*another program that is right on a demo"):
        solution = tessera.solve(tasks, executor=fakes(10**6, lie), **SHORT)
    assert not solution.solved


def test_another_build(tasks, monkeypatch):
    """Of the library, though Python's part says it is the same."""

    def other(*arguments):
        order = arguments[2].replace(_spread.identity().split()[-1].encode(), b"1234567", 1)
        return _spread.perform(*arguments[:2], order, *arguments[3:])

    with pytest.raises(tessera.InputError, match="another build of Tessera .1234567 there"):
        tessera.solve(tasks, executor=fakes(10**6, other), **SHORT)


def test_what_is_done_is_kept(tasks, alone, tmp_path):
    """Where the executor breaks; the same call goes on."""

    def gone(*arguments):
        raise BrokenExecutor("gone")

    def change(count, function, arguments):
        return gone if count > 4 else function, *arguments

    options = {"out": tmp_path / "out.json", **SHORT}
    with pytest.raises(tessera.ExecutorError, match="gone.*Nothing that is done is lost") as info:
        tessera.solve(tasks, executor=Through(Inline(), change), **options)
    done = [answer.task.id for answer in info.value.result if answer.program]
    assert done and len(done) < len(alone.solved) + 5 and (tmp_path / "out.json.journal").exists()
    calls = []
    assert same(tessera.solve(tasks, executor=Through(Inline(), lambda count, *_: calls.append(count)), **options), alone)
    assert calls and not (tmp_path / "out.json.journal").exists()


# ---- iterate ----

ROUNDS = {"rounds": 24, "slots": 6, "seed": 3}


def dump(path):
    """All that a pool has, but for the times."""
    db = sqlite3.connect(path)
    try:
        columns = [row[1] for row in db.execute("PRAGMA table_info(program)")]
        kept = ", ".join(c for c in columns if c != "made")
        return db.execute(f"SELECT {kept} FROM program ORDER BY id").fetchall(), db.execute("SELECT * FROM score ORDER BY 1, 2").fetchall()
    finally:
        db.close()


def grown(path, tasks, **options):
    with tessera.Pool(path, "a") as pool:
        pool.add(tessera.load("tasks/solvers.py"))
    return tessera.iterate(path, tasks, **{**ROUNDS, **options})


@pytest.fixture(scope="module")
def pool_alone(tasks, tmp_path_factory):
    path = tmp_path_factory.mktemp("alone") / "pool.db"
    grown(path, tasks)
    return dump(path)


@pytest.mark.parametrize("make", [Inline, forked, partial(ThreadPoolExecutor, 3)])
def test_iterate(make, tasks, pool_alone, tmp_path):
    iteration = grown(tmp_path / "pool.db", tasks, executor=make)
    assert dump(tmp_path / "pool.db") == pool_alone and iteration.rounds == 24 and len(iteration.solved) == 14


def test_rounds_go_together(tasks, tmp_path):
    """As many as take half a second, by what those before them took."""
    for each, most in ((0.24, 2), (1e-3, 8), (2.0, 1)):
        sizes = []

        def change(count, function, arguments):
            def timed(*arguments):
                word, (seconds, results) = _spread.perform(*arguments)
                return word, (each * len(results), results)

            sizes.append(len(arguments[2]))
            return timed, *arguments

        grown(tmp_path / f"{most}.db", tasks, slots=16, executor=Through(Inline(), change), workers=1)
        assert sum(sizes) == 24 and sizes[0] == 1 and max(sizes) == most


def test_iterate_makes_deaths_good(tasks, pool_alone, tmp_path):
    def change(count, function, arguments):
        folder = tmp_path / str(count)
        folder.mkdir(exist_ok=True)
        return die, folder, count in (2, 5), function, *arguments

    grown(tmp_path / "pool.db", tasks, executor=lambda: Through(forked(), change))
    assert dump(tmp_path / "pool.db") == pool_alone and (tmp_path / "2/0").exists()


@pytest.mark.parametrize(
    "give",
    [
        lambda *arguments: None,
        lambda *arguments: ("done", (True, b"rubbish")),
        lambda *arguments: ("done", (0.1, [])),
        lambda *arguments: ("done", (float("nan"), _spread.perform(*arguments)[1][1])),
        lambda *arguments: ("done", (1, _spread.perform(*arguments)[1][1])),
        lambda *arguments: ("done", (0.1, [(True, b"rubbish")])),
        lambda *arguments: ("done", (0.1, [(True, None)])),
        lambda *arguments: ("done", (0.1, [(False, b"not enough memory")])),
    ],
)
@pytest.mark.filterwarnings("ignore:.*had no result")
def test_iterate_takes_no_rubbish(give, tasks, pool_alone, tmp_path):
    grown(tmp_path / "pool.db", tasks, executor=fakes(2, give))
    assert dump(tmp_path / "pool.db") == pool_alone


def test_iterate_gives_up(tasks, tmp_path):
    """A round that kills is passed over, with a warning, and the others go on."""

    def change(count, function, arguments):
        return die, tmp_path, 1000 * (arguments[2][0] == first[0]), function, *arguments

    first = []

    def make():
        def see(count, function, arguments):
            first.append(arguments[2][0])
            return change(count, function, arguments)

        return Through(forked(), see)

    with pytest.warns(RuntimeWarning, match="had no result: round 0 was given up: BrokenProcessPool"):
        iteration = grown(tmp_path / "pool.db", tasks, executor=make)
    assert iteration.rounds == 24


INTERRUPTED = """
import multiprocessing, os, signal, sys, tessera, time
from concurrent.futures import ProcessPoolExecutor
class Slow(ProcessPoolExecutor):
    count = 0
    def submit(self, *call):
        self.count += 1
        return super().submit(*(call if self.count < 3 else (time.sleep, 3600)))
signal.signal(signal.SIGINT, signal.default_int_handler)
sent = []
def progress(now):
    if now.done and not sent:
        sent.append(True)
        os.kill(os.getpid(), signal.SIGINT)
tasks = tessera.tasks("tasks")
context = multiprocessing.get_context("fork")
solution = tessera.solve(tasks, per_task=0.02, out=sys.argv[1], progress=progress, executor=lambda: Slow(2, mp_context=context))
print(solution.interrupted, len(solution.answers), os.path.exists(sys.argv[1]), os.path.exists(sys.argv[1] + ".journal"))
"""


def test_ctrl_c(tmp_path):
    """With two orders done, and others that would take an hour."""
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path / "out.json")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert result.stdout.split() == ["True", "14", "True", "True"], result.stderr


def test_dask(tasks, alone, tmp_path):
    """A worker that is killed in the middle."""

    def change(count, function, arguments):
        return (die_later, str(tmp_path), 1, function, *arguments) if count == 3 else None

    with dask_client() as client:
        assert same(tessera.solve(tasks, executor=Through(client.get_executor(), change), **SHORT), alone)
    assert (tmp_path / "0").exists()


MPI = """
import sys
import tessera
from mpi4py.futures import MPIPoolExecutor

if __name__ == "__main__":
    tasks = tessera.tasks("tasks")
    for executor in MPIPoolExecutor(), MPIPoolExecutor:
        tessera.solve(tasks, per_task=0.02, executor=executor, out=sys.argv[1], fresh=True)
        sys.stdout.write(open(sys.argv[1]).read())
        if executor is not MPIPoolExecutor:
            executor.shutdown()
"""


def test_mpi4py(alone, tmp_path):
    """One that is given, and one that is made."""
    script = tmp_path / "search.py"
    script.write_text(MPI)
    command = ["mpirun", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", script, tmp_path / "out.json"]
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800)
    assert result.stdout == 2 * alone._submission, result.stderr
