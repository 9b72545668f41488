"""What tests send to other processes, which import it from here."""

import os
import signal
import time
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path


def stacked(grid: "Grid") -> "Grid":
    return grid + grid


def die(folder, times, function, *arguments):
    """Does it, but for the first times: then the process is gone."""
    for k in range(times):
        if not (mark := Path(folder, str(k))).exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return function(*arguments)


@contextmanager
def dask_client(**config):
    """Of a cluster with two workers. One that dies is there again after any time: by itself Dask gives it up after 15 seconds, which a
    busy machine takes to start Python, and without workers it waits for ever."""
    import dask
    import distributed

    patient = {"distributed.deploy.lost-worker-timeout": "1h", "distributed.worker.daemon": True, **config}
    with dask.config.set(patient), distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:
        yield client


def die_later(*arguments):
    """Does what `die` does, when whoever started this process has heard that it did."""
    time.sleep(1)
    return die(*arguments)


def work(order, *stocks):
    """A piece: what to do, and with which number."""
    what, number = order
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "raise":
        raise ZeroDivisionError("a bug")
    if what == "starve":
        raise MemoryError("caf\udce9")  # not all that is said can be written
    if what == "read":
        raise OSError(5, "Input/output error")
    if what == "import":
        import no_such_module  # noqa: F401
    return number * number + sum(stocks), os.getpid()


def length(data):
    """A stock that is as much as it has bytes."""
    return len(data)


def break_down():
    raise OSError("this worker cannot start")


class Inline(Executor):
    """Does all at once, in this thread."""

    _max_workers = 3

    def submit(self, function, *arguments):
        future = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


class Through(Executor):
    """Hands on to another executor what `change(count, function, arguments)` makes of it."""

    def __init__(self, inner, change):
        self.inner, self.change, self.count = inner, change, 0

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def submit(self, function, *arguments):
        self.count += 1
        function, *arguments = self.change(self.count, function, arguments) or (function, *arguments)
        return self.inner.submit(function, *arguments)

    def shutdown(self, *arguments, **keywords):
        self.inner.shutdown(*arguments, **keywords)
