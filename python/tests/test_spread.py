"""Work done by executors: threads, processes, Dask; workers that die, lie, or are of another version."""

import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
import zlib
from collections import Counter
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

import tessera
from elsewhere import Inline, Through, break_down, dask_client, die, die_later, length, work
from tessera import _spread
from tessera._spread import BadResult, Piece, Retries, Stock, spread

FORK, SPAWN = (multiprocessing.get_context(name) for name in ("fork", "spawn"))
forked = partial(ProcessPoolExecutor, 2, mp_context=FORK)


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(_spread, "PAUSE", 0.01)
    _spread._kept.clear()


class Squares:
    """Gives out numbers, and takes their squares."""

    ahead = 2

    def __init__(self, orders, stocks=(), check=lambda number, result: None):
        self.orders, self.stocks, self.check = list(orders), stocks, check
        self.next = self.ticks = 0
        self.results, self.lost, self.processes = {}, {}, set()

    def give(self, workers):
        if self.next == len(self.orders):
            return None
        self.next += 1
        return Piece(self.next - 1, self.orders[self.next - 1], self.stocks)

    def take(self, number, result):
        self.check(number, result)
        assert number not in self.results and number not in self.lost
        self.results[number], process = result
        self.processes.add(process)

    def give_up(self, number, why):
        self.lost[number] = why

    def is_over(self):
        return len(self.results) + len(self.lost) == len(self.orders)

    def tick(self):
        self.ticks += 1

    def run(self, executor, **options):
        spread(Retries(self, self.give_up), work, executor, **options)
        return self


def squares(count, **odd):
    """Orders, some of which are not to square a number but something else."""
    return [(odd.get(f"_{k}", "square"), k) for k in range(count)]


@pytest.mark.parametrize("make", [Inline, forked, partial(ThreadPoolExecutor, 3), partial(ProcessPoolExecutor, 1, mp_context=SPAWN)])
def test_all_is_done(make):
    expected = {k: k * k for k in range(50)}
    with make() as executor:
        source = Squares(squares(50)).run(executor)
        assert source.results == expected and source.ticks and executor.submit(abs, -3).result() == 3
    if make is not Inline:
        assert Squares(squares(50)).run(make).results == expected
    assert Squares([]).run(make).results == {}


def test_how_many_are_under_way():
    """Twice as many as there are workers, as long as there are pieces."""
    under_way, most = [], []

    class Slow(Inline):
        def submit(self, function, *arguments):
            future = Future()
            under_way.append((future, function, arguments))
            most.append(len(under_way))
            if len(under_way) == 6 or arguments[2] == ("square", 19):
                for held, function, arguments in under_way[:]:
                    under_way.pop(0)
                    held.set_result(function(*arguments))
            return future

    assert len(Squares(squares(20)).run(Slow()).results) == 20 and max(most) == 6


def worker_count(executor, workers=None):
    return _spread._Given(executor, workers).count()


class Client:
    """As Dask's."""

    closed = 0

    def nthreads(self):
        return {"tcp://a": 4, "tcp://b": 8}

    def get_executor(self):
        executor = Inline()
        executor._client, executor._max_workers = self, None
        return executor

    def close(self):
        Client.closed += 1


def test_workers_are_counted(monkeypatch):
    with ThreadPoolExecutor(5) as pool:
        assert worker_count(pool) == 5 and worker_count(pool, 9) == 9
    assert worker_count(partial(ThreadPoolExecutor, 4)) == 4 and worker_count(Inline()) == 3
    assert worker_count(Client()) == worker_count(Client) == 12
    monkeypatch.setattr(Inline, "_max_workers", None)
    assert worker_count(Inline()) == os.cpu_count()


def test_a_client_that_is_made_is_closed():
    for executor, closed in ((Client(), 0), (Client, 1), (lambda: Client(), 2)):
        assert len(Squares(squares(9)).run(executor).results) == 9 and Client.closed == closed


@pytest.mark.parametrize("wrong", [7, "ProcessPoolExecutor", lambda: 7, dict])
def test_what_is_no_executor(wrong):
    with pytest.raises(TypeError, match="executor"):
        Squares(squares(3)).run(wrong)


def test_stocks_go_to_each_process_once():
    sent = Counter()

    def see(count, function, arguments):
        sent.update(arguments[4].keys())

    stocks = Stock(length, b"x" * 1000), Stock(length, b"y" * 10)
    with ThreadPoolExecutor(2) as pool:
        source = Squares(squares(60), stocks).run(Through(pool, see))
    assert source.results == {k: k * k + 1010 for k in range(60)}
    assert all(sent[stock.key] == 2 for stock in stocks) and set(_spread._kept) == {stock.key for stock in stocks}
    sent.clear()

    def forget(count, function, arguments):
        sent.update(arguments[4].keys())
        if count == 30:
            _spread._kept.clear()

    assert Squares(squares(60), stocks).run(Through(Inline(), forget)).results == source.results
    assert sent == {stock.key: 3 + 1 for stock in stocks}
    with forked() as pool:
        assert Squares(squares(60), stocks).run(pool).results == source.results


def test_old_stocks_go():
    stocks = [Stock(length, bytes([k]) * 400) for k in range(7)]
    for stock in stocks:
        Squares(squares(2), (stock,)).run(Inline())
    assert list(_spread._kept) == [stock.key for stock in stocks[-4:]]
    assert Squares(squares(9), tuple(stocks)).run(Inline()).results[2] == 7 * 400 + 4


def test_a_death_is_made_good(tmp_path):
    """Of a pool that is made here; what it had is done by the next one."""
    made = []

    def change(count, function, arguments):
        folder = tmp_path / str(arguments[2][1])
        folder.mkdir(exist_ok=True)
        return die, folder, 1 if arguments[2][1] in (3, 20) else 0, function, *arguments

    def make():
        made.append(forked())
        return Through(made[-1], change)

    source = Squares(squares(40)).run(make)
    assert source.results == {k: k * k for k in range(40)} and not source.lost and 2 <= len(made) <= 3
    for pool in made:
        with pytest.raises(RuntimeError):  # shut down
            pool.submit(abs, 1)


def test_a_deadly_piece_is_given_up(monkeypatch):
    source = Squares(squares(30, _7="die", _19="die")).run(forked)
    assert source.results == {k: k * k for k in range(30) if k not in (7, 19)}
    assert sorted(source.lost) == [7, 19] and all("BrokenProcessPool" in why for why in source.lost.values())


def test_many_deadly_pieces():
    """One after another: more executors break than may, but each new one works."""
    deadly = range(6)
    source = Squares(squares(20, **{f"_{k}": "die" for k in deadly})).run(forked)
    assert source.results == {k: k * k for k in range(20) if k not in deadly} and sorted(source.lost) == [*deadly]


def test_suspects_are_tried_by_themselves():
    """Without processes: what was lost among others twice has nothing beside it."""
    source = Squares(squares(6))
    retries = Retries(source, source.give_up)
    for _ in range(2):
        pieces = [retries.give(2) for _ in range(4)]
        assert sorted(piece.number for piece in pieces) == [0, 1, 2, 3]
        for piece in pieces:
            retries.lose(piece.number, "gone", False)
    tried = []
    while (piece := retries.give(2)).number < 4:
        assert retries.give(2) is None  # beside it
        tried.append(piece.number)
        if piece.number == 0:
            retries.lose(0, "gone again", True)
        else:
            retries.take(piece.number, (0, 0))
    assert sorted(tried) == [0, 0, 0, 1, 2, 3] and source.lost == {0: "gone again"}
    assert retries.give(2).number == 5 and not retries.is_over()


def test_a_broken_executor_is_an_error():
    """It is its owner's; what was done before counts."""
    with forked() as pool:
        source = Squares(squares(30, _12="die"))
        with pytest.raises(tessera.ExecutorError, match=r"BrokenProcessPool.*Nothing that is done is lost.*executor=lambda") as info:
            source.run(pool)
        assert isinstance(info.value.__cause__, BrokenExecutor) and set(source.results) < set(range(30))
        with pytest.raises(tessera.ExecutorError, match="is broken"):
            Squares(squares(3)).run(pool)
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(tessera.ExecutorError, match="takes no work: .*after shutdown"):
        Squares(squares(3)).run(pool)


def test_executors_that_only_break():
    with pytest.raises(tessera.ExecutorError, match="12 executors broke one after another"):
        Squares(squares(30)).run(partial(forked, initializer=break_down))


def test_errors_are_raised_at_once():
    for make in (forked, Inline):
        source = Squares(squares(100, _5="raise"))
        with make() as pool, pytest.raises(ZeroDivisionError, match="a bug"):
            source.run(pool)
    assert source.next == 6
    with pytest.raises(tessera.ExecutorError, match=r"cannot begin: ModuleNotFoundError: No module named 'no_such_module'.*needs Tessera"):
        Squares(squares(9, _1="import")).run(Inline())


def test_what_a_machine_lacks():
    """Another may have it: the piece is done again, three times at most."""
    for make in (forked, Inline):
        source = Squares(squares(20, _5="starve", _9="read")).run(make)
        assert sorted(source.lost) == [5, 9] and "MemoryError" in source.lost[5] and "OSError" in source.lost[9]
        assert len(source.results) == 18

    class Full(Inline):
        def submit(self, *arguments):
            raise BlockingIOError(11, "Resource temporarily unavailable")

    with pytest.raises(tessera.ExecutorError, match="takes no work: BlockingIOError: .*Resource temporarily unavailable"):
        Squares(squares(3)).run(Full())


def test_another_version(monkeypatch):
    def older(count, function, arguments):
        def other(*arguments):
            with monkeypatch.context() as there:
                there.setattr(_spread, "VERSION", "0.3.0")
                return function(*arguments)

        return other, *arguments

    with pytest.raises(tessera.ExecutorError, match=f"workers have Tessera 0.3.0, build [0-9]+, here it is Tessera {tessera.__version__}"):
        Squares(squares(9)).run(Through(Inline(), older))


@pytest.mark.parametrize("rubbish", [None, 7, ("done",), ("odd", 1), ("done", (-1, 0)), ("lacks", "x"), [("done", (1, 0))]])
def test_rubbish_is_lost(rubbish):
    """A piece for which something odd comes back is given out again, three times at most."""

    def check(number, result):
        if result[0] < 0:
            raise BadResult("a square is not negative")

    def change(times, count, function, arguments):
        seen[arguments[2][1]] += 1
        bad = arguments[2][1] == 4 and seen[4] <= times
        return (lambda *_: rubbish) if bad else function, *arguments

    for times, lost in ((1, []), (2, []), (3, [4])):
        seen = Counter()
        source = Squares(squares(9), check=check).run(Through(Inline(), partial(change, times)))
        assert sorted(source.lost) == lost and len(source.results) == 9 - len(lost) and seen[4] == min(times + 1, 3)


def test_a_worker_that_never_has_a_stock():
    """It is sent once more, and then that is no answer."""
    sent = Counter()

    def lacking(whose, function, order, keys, stocks):
        return ("lacks", keys[0]) if order[1] == 4 else _spread.perform(whose, function, order, keys, stocks)

    def change(count, function, arguments):
        sent[arguments[2][1]] += 1
        return lacking, *arguments

    source = Squares(squares(9), (Stock(length, b""),)).run(Through(Inline(), change))
    assert sorted(source.lost) == [4] and len(source.results) == 8 and sent[4] == 6 and sent[5] == 1


@pytest.mark.parametrize("times, lost", [(3, []), (10**9, [4])])
def test_what_somebody_cancels_is_done_again(times, lost):
    """But not for ever."""

    class Fickle(Inline):
        left = times

        def submit(self, function, *arguments):
            if not self.left or arguments[2][1] != 4:
                return super().submit(function, *arguments)
            self.left -= 1
            future = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    source = Squares(squares(9)).run(Fickle())
    assert sorted(source.lost) == lost and len(source.results) == 9 - len(lost)


def test_it_is_stopped():
    """What has not begun is cancelled, and nobody waits."""
    held = []

    class Never(Inline):
        def submit(self, function, *arguments):
            held.append(Future())
            return held[-1]

    stop = threading.Event()
    source = Squares(squares(100))
    source.tick = stop.set
    source.run(Never(), stopped=stop.is_set)
    assert len(held) == 6 and all(future.cancelled() for future in held) and not source.results


def test_it_is_stopped_before_workers_have_begun(monkeypatch):
    """What the pool has to send to them, more than a pipe holds, is forgotten; nothing is left, and nothing is said."""
    said, pools, processes, threads = [], [], [], []

    def make():
        pools.append(ProcessPoolExecutor(8, mp_context=FORK, initializer=time.sleep, initargs=(3600,)))
        return pools[-1]

    def tick():
        processes.extend(pools[0]._processes.values())
        threads.append(pools[0]._executor_manager_thread)
        stop.set()

    monkeypatch.setattr(threading, "excepthook", said.append)
    stop = threading.Event()
    source = Squares([("square", bytes(10**6))] * 100)
    source.tick = tick
    source.run(make, stopped=stop.is_set)
    threads[0].join(600)
    assert not threads[0].is_alive() and not any(process.is_alive() for process in processes) and not said


# ---- evaluate ----


@pytest.fixture(scope="module")
def alone(programs, tasks):
    return tessera.evaluate(programs, tasks, full=True)


def same(result, alone):
    assert (result._outcomes == alone._outcomes).all()
    assert (result._scores is None) == (alone._scores is None) and (alone._scores is None or (result._scores == alone._scores).all())
    return True


@pytest.mark.parametrize("make", [Inline, forked, partial(ThreadPoolExecutor, 2), partial(ProcessPoolExecutor, 1, mp_context=SPAWN)])
def test_evaluate(make, programs, tasks, alone):
    with make() as executor:
        assert same(tessera.evaluate(programs, tasks, full=True, executor=executor), alone)
        assert same(tessera.evaluate(programs, tasks, executor=executor, workers=7), tessera.evaluate(programs, tasks))


def test_evaluate_with_options(programs, tasks):
    three = "def three(S, I, C):\n    x1 = equality(index(I, ORIGIN), index(C, ORIGIN))\n    return astuple(multiply(x1, 500), x1)"
    bad = "def bad(S, I, C):\n    return 5"
    with partial(ThreadPoolExecutor, 2)() as executor:
        for options in ({"scores": True}, {"differs": [three]}, {"only_differs": three, "full": True}, {"units": 1500}):
            assert same(tessera.evaluate(programs, tasks, executor=executor, **options), tessera.evaluate(programs, tasks, **options))
        with pytest.raises(tessera.ProgramError, match="gives Integer, where"):
            tessera.evaluate(programs, tasks, differs=bad, executor=executor)
        for options in ({"threads": 2}, {"profile": True}, {"workers": 0}):
            with pytest.raises(ValueError, match=next(iter(options))):
                tessera.evaluate(programs, tasks, executor=executor, **options)


def test_evaluate_in_many_pieces(programs, tasks, alone, monkeypatch):
    """Sets, sets that are cut for few tasks, pieces of many tasks, tasks that are there often."""
    monkeypatch.setattr("tessera._programs.BLOCK", 3)
    many = tessera.parse([program.text for program in programs])
    assert same(tessera.evaluate(many, tasks, full=True, executor=Inline()), alone)
    monkeypatch.setattr("tessera._pieces.FEWEST", 2)
    for given in (programs, many):
        cut = tessera.evaluate(given, tasks[:1], executor=Inline(), workers=50, scores=True)
        assert same(cut, tessera.evaluate(given, tasks[:1], scores=True))
    monkeypatch.setattr("tessera._pieces.SECONDS", 1e6)
    often = tessera.Tasks([*tasks, tasks[0], *tasks] * 3)
    sizes = []

    def see(count, function, arguments):
        sizes.append(len(pickle.loads(zlib.decompress(arguments[2]))))

    assert same(tessera.evaluate(programs, often, executor=Through(Inline(), see), workers=1), tessera.evaluate(programs, often))
    assert sizes[0] == 1 and sum(sizes) == len(often) and max(sizes) > 1


def test_evaluate_in_pieces_of_half_a_second(programs, tasks, alone):
    for each, most in ((0.24, 2), (0.1, 5), (2.0, 1)):
        sizes = []

        def change(count, function, arguments):
            def timed(*arguments):
                word, (seconds, outcomes, scores) = function(*arguments)
                return word, (each * sizes[-1], outcomes, scores)

            sizes.append(len(pickle.loads(zlib.decompress(arguments[2]))))
            return timed, *arguments

        assert same(tessera.evaluate(programs, tasks, full=True, executor=Through(Inline(), change), workers=1), alone)
        assert sum(sizes) == len(tasks) and sizes[0] == 1 and max(sizes) == most


@pytest.mark.parametrize("programs, tasks", [([], "tasks"), ("def a(I):\n    return I", []), ([], [])])
def test_evaluate_nothing(programs, tasks):
    assert tessera.evaluate(programs, tasks, executor=Inline()).right.size == 0


def test_evaluate_makes_deaths_good(programs, tasks, alone, tmp_path, monkeypatch):
    monkeypatch.setattr("tessera._programs.BLOCK", 5)
    many = tessera.parse([program.text for program in programs])
    made = []

    def change(count, function, arguments):
        folder = tmp_path / str(count)
        folder.mkdir(exist_ok=True)
        return die, folder, count in (2, 9), function, *arguments

    def make():
        made.append(Through(forked(), change))
        return made[-1]

    assert same(tessera.evaluate(many, tasks, full=True, executor=make), alone) and len(made) >= 2
    assert (tmp_path / "2/0").exists() and (tmp_path / "9/0").exists()


def test_evaluate_gives_up(programs, tasks, alone, tmp_path):
    def change(count, function, arguments):
        given = pickle.loads(zlib.decompress(arguments[2]))
        return die, tmp_path, 1000 * ("seesaw" in given), function, *arguments

    with pytest.warns(RuntimeWarning, match="given up, and not run: programs 0 to 13 on tasks .*seesaw.*, lost three times: Broken"):
        result = tessera.evaluate(programs, tasks, full=True, executor=lambda: Through(forked(), change))
    ran = (result.outcomes != 0).any(axis=0)
    assert not ran[result.columns("seesaw")].any() and (result._outcomes[ran] == alone._outcomes[ran]).all() and ran.sum() >= len(ran) / 2


def tampered(change):
    """An executor whose workers say something else."""

    def there(function, *arguments):
        word, content = function(*arguments)
        seconds, outcomes, scores = content
        return word, change(seconds, np.frombuffer(zlib.decompress(outcomes), dtype=np.uint8).copy(), scores)

    return Through(Inline(), lambda count, function, arguments: (there, function, *arguments))


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda seconds, outcomes, scores: None, "no result"),
        (lambda seconds, outcomes, scores: (float("nan"), zlib.compress(outcomes.tobytes(), 1), scores), "no result"),
        (lambda seconds, outcomes, scores: (-1.0, zlib.compress(outcomes.tobytes(), 1), scores), "no result"),
        (lambda seconds, outcomes, scores: (seconds, b"rubbish", scores), "cannot be unpacked"),
        (lambda seconds, outcomes, scores: (seconds, None, scores), "cannot be unpacked"),
        (lambda seconds, outcomes, scores: (seconds, zlib.compress(bytes(10**7)), scores), "more than there is to say"),
        (lambda seconds, outcomes, scores: (seconds, zlib.compress(b""), scores), "less than there is to say"),
        (lambda seconds, outcomes, scores: (seconds, zlib.compress((outcomes | 7).tobytes()), scores), "that there are not"),
        (lambda seconds, outcomes, scores: (seconds, zlib.compress((outcomes | 8).tobytes()), scores), "that there are not"),
        (lambda seconds, outcomes, scores: (seconds, zlib.compress(outcomes.tobytes()), zlib.compress(b"\xff" * 2 * len(outcomes))), "scores"),
    ],
)
def test_evaluate_takes_no_rubbish(change, says, programs, tasks):
    with pytest.warns(RuntimeWarning, match=f"lost three times: what came back.*{says}"):
        result = tessera.evaluate(programs, tasks[:3], full=True, executor=tampered(change))
    assert not result.outcomes.any()


def test_evaluate_believes_nobody(programs, tasks, alone):
    """Nothing of a piece with a lie counts; others do it, if there are some."""
    left = [10**6]

    def lie(seconds, outcomes, scores):
        if left[0]:
            outcomes[:] = 1
            left[0] -= 1
        return seconds, zlib.compress(outcomes.tobytes()), scores

    with pytest.warns(RuntimeWarning, match="programs 0 to 13 on tasks .* lost three times: .* said that program solve_.* not so here"):
        result = tessera.evaluate(programs, tasks, full=True, executor=tampered(lie))
    assert not result.outcomes.any()
    left[0] = 2
    assert same(tessera.evaluate(programs, tasks, full=True, executor=tampered(lie)), alone)


def test_evaluate_keeps_what_is_done(programs, tasks, alone):
    """Where the executor breaks."""

    def gone(*arguments):
        raise BrokenExecutor("gone")

    def change(count, function, arguments):
        return gone if count > 8 else function, *arguments

    with pytest.raises(tessera.ExecutorError, match="gone") as info:
        tessera.evaluate(programs, tasks, full=True, executor=Through(Inline(), change))
    done = info.value.result._outcomes
    assert 0 < done.astype(bool).sum() < done.size and (done[done > 0] == alone._outcomes[done > 0]).all()


def test_evaluate_tells_how_far_it_is(programs, tasks, monkeypatch):
    seen = []
    tessera.evaluate(programs, tasks, executor=Inline(), progress=seen.append)
    assert seen[-1].done == seen[-1].all == 14 and seen[-1].what == "evaluate"


INTERRUPTED = """
import multiprocessing, os, signal, threading, time, tessera
from concurrent.futures import ProcessPoolExecutor
signal.signal(signal.SIGINT, signal.default_int_handler)
timers = []
def progress(now):
    if now.done and not timers:
        timers.append(True)
        {kill}
tasks = tessera.Tasks(list(tessera.tasks('tasks')) * 5000)
programs = tessera.load('tasks/solvers.py')
context = multiprocessing.get_context("fork")
if __name__ == "__main__":
    pool = ProcessPoolExecutor(2, mp_context=context)
    made = {made}
    try:
        tessera.evaluate(programs, tasks, full=True, progress=progress, executor=made)
    except KeyboardInterrupt:
        print("KeyboardInterrupt")
    print(pool.submit(abs, -5).result())
    pool.shutdown()
    print(len(multiprocessing.active_children()) if made is pool else "made")
"""


@pytest.mark.parametrize(
    "kill, made, says",
    [
        ("os.kill(os.getpid(), signal.SIGINT)", "pool", ["KeyboardInterrupt", "5", "0"]),
        ("os.kill(os.getpid(), signal.SIGINT)", "lambda: ProcessPoolExecutor(2, mp_context=context)", ["KeyboardInterrupt", "5", "made"]),
        ("os.killpg(os.getpgid(0), signal.SIGINT)", "lambda: ProcessPoolExecutor(2, mp_context=context)", ["KeyboardInterrupt", "5", "made"]),
    ],
)
def test_ctrl_c_ends_evaluate(kill, made, says):
    """Also where the workers hear it, too, as in a terminal."""
    code = INTERRUPTED.format(kill=kill, made=made)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=1800, start_new_session=True)
    assert result.stdout.split() == says, result.stderr


# ---- Dask ----


def test_dask(programs, tasks, alone, tmp_path, monkeypatch):
    """Dask gives out again what a dead worker had; what killed too many of them comes back to us."""

    def change(count, function, arguments):
        times = {3: 1, 7: 2}.get(count, 0)
        folder = tmp_path / str(count)
        folder.mkdir(exist_ok=True)
        return (die_later, str(folder), times, function, *arguments) if times else None

    lost, lose = [], Retries.lose
    monkeypatch.setattr(Retries, "lose", lambda self, number, why, is_sure: (lost.append(why), lose(self, number, why, is_sure)))
    with dask_client(**{"distributed.scheduler.allowed-failures": 1}) as client:
        assert worker_count(client) == 2
        executor = Through(client.get_executor(), change)
        assert same(tessera.evaluate(programs, tasks, full=True, executor=executor), alone)
        assert (tmp_path / "3/0").exists() and (tmp_path / "7/0").exists()
        assert lost and all("KilledWorker" in why for why in lost)
        assert same(tessera.evaluate(programs, tasks, full=True, executor=client), alone)
