"""Work in pieces, done by an executor of somebody: processes of this machine, or many machines.

A *source* gives out pieces and takes results; a *function*, known here and there by its name, makes one of the other. The
source decides what a piece is, in which order pieces are done, and what a result is worth: nobody has to trust a worker.
`spread` keeps so many pieces under way that no worker waits, carries what many pieces share (a `Stock`) to each process
about once, and hears of what goes wrong:

- a worker that dies loses its pieces; a broken pool all that were under way. The source hears of it and gives them out
  again, or has `Retries` do that. An executor that is broken for good is made anew, if its user gave what makes one;
- so is a piece lost for which a machine lacks memory, a file or the like;
- whatever else is raised in a piece is an error here, at once: it would be raised again elsewhere;
- so is another version of this package there.

The executor is its owner's: one that was given is never shut down, nor is anything in it that is not ours cancelled.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import queue
import sys
import threading
import time
from collections import OrderedDict, deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, wait as wait_for
from typing import Any, Callable, NamedTuple, Optional, Protocol, Union

from ._core import LOOK_EVERY, VERSION, raise_ending, text, whole_number
from ._tessera import lib

AnyExecutor = Union[Executor, Callable[[], Executor]]

SECONDS = 0.5  # that a piece should take
TIMES = 3  # that a piece is lost before it is given up
MOST_BREAKS = 12  # of executors, one after another, in which nothing is done
PAUSE = 0.2  # seconds before a broken executor is taken for one
PATIENCE = 5.0  # seconds for what is under way when time is over
ASK_EVERY = 5.0  # seconds, how many workers there are
KEPT = 4  # stocks that a process keeps: what is made of a large pool may take gigabytes

# What executors raise in place of a result when a worker has died: Dask's after some deaths, Ray's. Known by name, for
# they need not be installed here.
_DEATHS = {"KilledWorker", "WorkerCrashedError", "RayActorError", "ActorDiedError", "NodeDiedError", "OutOfMemoryError"}


class ExecutorError(RuntimeError):
    """The executor of `executor=…`, or one of its workers, cannot do what it is asked to.

    `result` is what was done until then, where there is something.
    """

    result: Any = None


class Piece(NamedTuple):
    """What a source gives out."""

    number: int  # its own, of which no two are under way at once
    order: Any  # for the function; small, of bytes and numbers
    stocks: "tuple[Stock, ...]" = ()


class Stock:
    """What many pieces share. A process makes it of its bytes once, by `make`, a function of a module; what was made may be
    used by several threads."""

    def __init__(self, make: Callable[[bytes], Any], data: bytes):
        self.make, self.data = make, data
        self.key = hashlib.sha256(make.__qualname__.encode() + b"\0" + data).hexdigest()[:32]


class Source(Protocol):
    """What gives out work. It is called by one thread."""

    ahead: int  # pieces that a worker may have: with 2 it need not wait for the next one

    def give(self, workers: int) -> Optional[Piece]:
        """The next piece, for one of so many workers. None: there is none now; some are under way, or it is over."""

    def take(self, number: int, result: Any) -> None:
        """Takes what the function made. A `BadResult` says that it is none: then the piece is lost."""

    def lose(self, number: int, why: str, is_sure: bool) -> None:
        """A piece will have no result. `is_sure`: it is the reason; else it may be one of those beside it."""

    def is_over(self) -> bool:
        """Whether there is nothing to wait for, be it that time is over."""

    def tick(self) -> None:
        """Called ten times a second or so: for files, and what else there is to look after."""


class BadResult(Exception):
    """What a worker gave is no result."""


def seconds_of(said: Any) -> float:
    """The seconds that a worker says it took, if it can be so."""
    if not isinstance(said, float) or not 0 <= said < 1e9:
        raise BadResult("what came back is no result")
    return max(said, 1e-6)


class Retries:
    """A source for one that only gives each piece once: what is lost is given out again. `give_up(number, why)` is called
    where it was the third time; until then that one is not over, but for its time.

    Where many pieces are lost with a pool, one of them may be the reason. What was among them twice is tried by itself, with
    nothing beside it, and only that counts.
    """

    def __init__(self, source: Any, give_up: Callable[[int, str], None]):
        self.source, self.give_up, self.ahead = source, give_up, source.ahead
        self.under_way: dict[int, Piece] = {}
        self.lost: deque[Piece] = deque()
        self.suspects: deque[Piece] = deque()
        self.doubts: dict[int, int] = {}  # how often it was among others
        self.deaths: dict[int, int] = {}  # how often it was the reason

    def give(self, workers: int) -> Optional[Piece]:
        alone = len(self.under_way) == 1 and self._is_suspect(next(iter(self.under_way)))
        if alone:
            return None
        piece: Optional[Piece]
        if self.suspects:
            piece = None if self.under_way else self.suspects.popleft()
        elif self.lost:
            piece = self.lost.popleft()
        else:
            piece = self.source.give(workers)
        if piece is not None:
            self.under_way[piece.number] = piece
        return piece

    def _is_suspect(self, number: int) -> bool:
        return self.doubts.get(number, 0) > 1

    def take(self, number: int, result: Any) -> None:
        self.source.take(number, result)
        self._forget(number)

    def _forget(self, number: int) -> Piece:
        self.doubts.pop(number, None)
        self.deaths.pop(number, None)
        return self.under_way.pop(number)

    def lose(self, number: int, why: str, is_sure: bool) -> None:
        if is_sure or self._is_suspect(number):  # nothing was beside that
            self.deaths[number] = self.deaths.get(number, 0) + 1
            if self.deaths[number] >= TIMES:
                self._forget(number)
                return self.give_up(number, why)
        else:
            self.doubts[number] = self.doubts.get(number, 0) + 1
        piece = self.under_way.pop(number)
        (self.suspects if self._is_suspect(number) else self.lost).append(piece)

    def is_over(self) -> bool:
        return bool(self.source.is_over())

    def tick(self) -> None:
        self.source.tick()


# ---- In a worker ----

_kept: "OrderedDict[str, Any]" = OrderedDict()  # stocks of this process by key, the one used last at the end
_lock = threading.RLock()


def _after_fork() -> None:
    global _lock
    _lock = threading.RLock()  # another thread of the parent may have held it


os.register_at_fork(after_in_child=_after_fork)


def identity() -> str:
    """What all who work together have the same of."""
    return f"Tessera {VERSION}, build {text(lib.ts_build())}"


def perform(whose: str, *piece: Any) -> tuple[str, Any]:
    """Does a piece: gives a word for how it went, and what there is to say."""
    if whose != identity():
        return "other", identity()
    function, order, keys, sent = piece
    stocks = []
    for key in keys:
        with _lock:
            if key not in _kept and key not in sent:
                return "lacks", key
            if key not in _kept:
                make, data = sent[key]
                _kept[key] = make(data)
            _kept.move_to_end(key)
            stocks.append(_kept[key])
            if len(_kept) > KEPT:
                _kept.popitem(last=False)
    result = function(order, *stocks)
    raise_ending()  # by Ctrl-C, say, in a primitive of Python's: then this is not what the others would give
    return "done", result


# ---- Executors ----


class _Given:
    """The executor, or what makes one."""

    def __init__(self, given: Any, workers: Optional[int]):
        self.makes, self.given, self.workers = _makes_one(given), given, workers
        self.made: Any = None  # what it has made: an executor, or a client of Dask, which has one
        self.executor: Any = None if self.makes else _executor_of(given)
        self.breaks = 0  # since something was done
        self._asked, self._count = -ASK_EVERY, 1

    def have(self) -> Any:
        if self.executor is None:
            self.made = self.given()
            executor = _executor_of(self.made)
            if isinstance(executor, type) or not hasattr(executor, "submit"):
                raise TypeError(f"what executor=… has made is no executor but {type(executor).__name__}")
            self.executor = executor
        return self.executor

    def count(self) -> int:
        """How many workers there are: some executors get more of them, or lose some."""
        if self.workers is not None:
            return self.workers
        now = time.monotonic()
        if now - self._asked >= ASK_EVERY:
            self._asked, self._count = now, max(1, _workers_of(self.have()))
        return self._count

    def processes(self) -> list[Any]:
        """Of an executor that was made here, and can be ended with it."""
        return list((getattr(self.executor, "_processes", None) or {}).values()) if self.makes else []

    def drop(self, wait: bool) -> None:
        """Shuts down what was made here. Where nobody waits for what it does, its processes end."""
        if self.executor is None or not self.makes:
            return
        processes = self.processes()
        executor, self.executor = self.executor, None
        calls = getattr(executor, "_call_queue", None)
        executor.shutdown(wait=wait)
        if self.made is not executor:
            self.made.close()
        for process in [] if wait else processes:
            if hasattr(process, "terminate"):
                process.terminate()
        if not wait and calls is not None and sys.version_info < (3, 11, 7):
            calls._reader.close()  # else what it has yet to send them, if a pipe does not hold it, keeps Python from ending


def _makes_one(given: Any) -> bool:
    """Whether it makes an executor; else it is one."""
    is_one = hasattr(given, "submit") or hasattr(given, "get_executor")
    if is_one and not isinstance(given, type):
        return False
    if not callable(given):
        raise TypeError(
            f"executor is one of concurrent.futures, or a function that makes one, not {type(given).__name__}; for example "
            "executor=lambda: ProcessPoolExecutor(4)"
        )
    return True


def _executor_of(given: Any) -> Any:
    """A client of Dask has one, and some of its methods."""
    return given.get_executor() if hasattr(given, "get_executor") else given


def _workers_of(executor: Any) -> int:
    client = getattr(executor, "_client", None)  # of Dask
    if client is not None and hasattr(client, "nthreads"):
        return sum(client.nthreads().values())
    for name in ("_max_workers", "num_workers"):
        count = getattr(executor, name, None)
        if isinstance(count, int):
            return count
    return os.cpu_count() or 1


def apart(executor: Optional[AnyExecutor], workers: Optional[int], **here: Any) -> Optional[int]:
    """The number of workers that somebody names. What is for this process alone is refused where there is an executor."""
    if executor is not None:
        _makes_one(executor)
    for name, value in here.items():
        if executor is not None and value is not None:
            raise ValueError(f"{name} is for this process; with an executor there is none of it")
    if workers is None:
        return None
    if executor is None:
        raise ValueError("workers are those of an executor")
    return whole_number(workers, "workers", 1, 1_000_000)


# ---- Here ----


def spread(
    source: Source,
    function: Callable[..., Any],
    executor: AnyExecutor,
    *,
    workers: Optional[int] = None,
    stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Has a source's pieces done, until it is over or `stopped` says so: then what has not begun is cancelled, and nobody waits
    for the rest.

    `function(order, *made)` is done by a worker, with what was made of the piece's stocks; `workers` is how many there are, where the
    executor does not say.
    """
    run = _Run(source, function, _Given(executor, workers), stopped)
    clean = False
    try:
        run.loop()
        clean = not run.under_way and not stopped()
    finally:
        run.cancel()
        run.given.drop(wait=clean)


class _Run:
    def __init__(self, source: Source, function: Callable[..., Any], given: _Given, stopped: Callable[[], bool]):
        self.source, self.function, self.given, self.stopped = source, function, given, stopped
        self.under_way: dict[Any, tuple[Piece, bool]] = {}  # by future, and whether all its stocks went with it
        self.done: "queue.SimpleQueue[Any]" = queue.SimpleQueue()  # futures
        self.carried: dict[str, int] = {}  # how often a stock was sent unasked

    def loop(self) -> None:
        self.looked = self.over = time.monotonic()
        while not self.stopped() and not self.is_late():
            self.look()
            while not self.stopped() and not self.source.is_over() and len(self.under_way) < self.source.ahead * self.given.count():
                piece = self.source.give(self.given.count())
                if piece is None:
                    break
                self.submit(piece)
                self.settle(0)  # an executor may do it at once
                self.look()
            if not self.under_way and self.done.empty():
                if self.source.is_over():
                    break
                time.sleep(LOOK_EVERY)  # nothing to do now: time is what it waits for
            else:
                self.settle(LOOK_EVERY)
        self.source.tick()

    def is_late(self) -> bool:
        """Whether time is over, and what workers still have under way is not waited for."""
        now = time.monotonic()
        if not self.source.is_over():
            self.over = now
        return now - self.over > PATIENCE

    def look(self) -> None:
        if time.monotonic() - self.looked >= LOOK_EVERY:
            self.source.tick()
            self.looked = time.monotonic()

    def submit(self, piece: Piece, lacking: bool = False) -> None:
        """Gives a piece to the executor. Its stocks go with the first ones, so that most workers have them, and with one that
        somebody could not do without."""
        keys = tuple(stock.key for stock in piece.stocks)
        while not self.stopped():
            sent = {}
            for stock in piece.stocks:
                count = self.carried.get(stock.key, 0)
                if lacking or count < self.given.count():
                    sent[stock.key] = stock.make, stock.data
                    self.carried[stock.key] = count + 1
            try:
                future = self.given.have().submit(perform, identity(), self.function, piece.order, keys, sent)
            except BrokenExecutor as error:
                self.broken(error, None)  # it did not come to this piece, which the next one gets
                continue
            except (RuntimeError, OSError) as error:
                raise ExecutorError(f"the executor takes no work: {_why(error)}") from error
            self.under_way[future] = piece, len(sent) == len(piece.stocks)
            future.add_done_callback(self.done.put)
            break

    def settle(self, patience: float) -> None:
        """Takes what is done; waits for the first."""
        try:
            future = self.done.get(timeout=patience) if patience else self.done.get_nowait()
            while True:
                self.end(future)
                future = self.done.get_nowait()
        except queue.Empty:
            pass

    def end(self, future: Any) -> None:
        if future not in self.under_way:  # was lost with its executor
            return
        try:
            said = future.result()
        except BrokenExecutor as error:
            return self.broken(error, future)
        except (CancelledError, KeyboardInterrupt) as error:  # by somebody else, or by Ctrl-C in the worker
            return self.lose(future, _why(error), False)
        except (MemoryError, OSError) as error:  # another machine may have more
            return self.lose(future, _why(error), True)
        except Exception as error:
            if _is_death(error):
                # Whoever was on that worker is blamed, its neighbours and what waited there, too.
                return self.lose(future, _why(error), len(self.under_way) == 1)
            raise self.plain(error) from error
        word, content = said if isinstance(said, tuple) and len(said) == 2 else ("", None)
        if word == "other":
            raise ExecutorError(f"the executor's workers have {content}, here it is {identity()}: all need the same")
        piece, is_whole = self.under_way[future]
        if word == "lacks" and not is_whole:
            del self.under_way[future]
            return self.submit(piece, lacking=True)
        if word != "done":
            return self.lose(future, "what came back is no result", True)
        try:
            self.source.take(piece.number, content)
        except BadResult as error:
            return self.lose(future, str(error), True)
        del self.under_way[future]
        self.given.breaks = 0

    def lose(self, future: Any, why: str, is_sure: bool) -> None:
        self.source.lose(self.under_way.pop(future)[0].number, why, is_sure)

    def broken(self, error: BaseException, first: Any) -> None:
        """All that an executor had is lost with it, but for what was done before."""
        self.given.breaks += 1
        self.pause()
        done = [f for f in self.under_way if f is not first and f.done() and not f.cancelled() and f.exception() is None]
        if self.given.makes:
            gone = [future for future in self.under_way if future not in done]
            for future in gone:
                self.lose(future, _why(error), len(gone) == 1)
            self.given.drop(wait=False)
            self.carried.clear()
        for future in done:
            self.end(future)
        if not self.given.makes and not self.stopped():
            raise ExecutorError(
                f"the executor is broken: {_why(error)}. Nothing that is done is lost. Give what makes an executor, and a new one is "
                "made where one breaks: executor=lambda: ProcessPoolExecutor(4), for example"
            ) from error
        if self.given.breaks > MOST_BREAKS and not self.works():
            raise ExecutorError(f"{MOST_BREAKS} executors broke one after another: {_why(error)}") from error

    def works(self) -> bool:
        """Whether a new executor does anything at all: then it is for the pieces that those before it broke."""
        try:
            future = self.given.have().submit(identity)
            while not self.stopped() and not wait_for([future], LOOK_EVERY).done:
                self.look()
            self.given.breaks = 0
            return not future.done() or future.exception() is None
        except (RuntimeError, OSError):
            return False

    def pause(self) -> None:
        """Ctrl-C in a terminal is for the workers, too, and breaks their pool perhaps before it is heard here."""
        until = time.monotonic() + PAUSE
        while not self.stopped() and time.monotonic() < until:
            time.sleep(PAUSE / 10)

    def plain(self, error: Exception) -> Exception:
        """An error that a piece has raised, for who called."""
        if isinstance(error, (ImportError, AttributeError, pickle.PickleError)):
            return ExecutorError(
                f"a worker of the executor cannot begin: {type(error).__name__}: {error}. It needs {identity()}, as it is here, and "
                "primitives that were registered here have to be registered there, too"
            )
        return error

    def cancel(self) -> None:
        """What has not begun; but where processes end it ends with them, and a pool of Python's, up to 3.12, fails at what was cancelled."""
        for future in [] if self.given.processes() else self.under_way:
            future.cancel()


def _is_death(error: BaseException) -> bool:
    return any(kind.__name__ in _DEATHS for kind in type(error).__mro__)


def _why(error: BaseException) -> str:
    said = str(error).strip().split("\n")[0][:300]
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
