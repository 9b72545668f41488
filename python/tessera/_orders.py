"""A search by an executor: the library gives out orders and takes results, both of them texts, and workers of the library do
what an order says. Programs that come back are run here before they count, so workers need not be trusted.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Any, Optional

from ._core import fail, owned, take_bytes, text
from ._spread import SECONDS, BadResult, Piece, Stock, seconds_of
from ._tessera import ffi, lib

# ---- In a worker ----


class _Hands:
    """The library's workers of this process that have a stock, one for each thread that does orders at the same time."""

    def __init__(self, stock: bytes = b""):
        self.stock = stock
        self.free: "deque[Any]" = deque()

    def do(self, order: bytes) -> tuple[bool, bytes]:
        """The result; or False, and why there is none."""
        status = ffi.new("ts_status *")
        try:
            worker = self.free.pop()
        except IndexError:
            worker = owned(lib.ts_worker_new(), lib.ts_worker_free)
            if self.stock and not lib.ts_worker_stock(worker, self.stock, len(self.stock), status):
                fail(status)
        result = lib.ts_worker_do(worker, order, len(order), ffi.NULL, status)
        self.free.append(worker)
        if result:
            return True, take_bytes(result)
        if status.code == lib.TS_INPUT:  # so it would be elsewhere
            fail(status)
        return False, text(status.message).encode()


_bare = _Hands()


def do_order(order: bytes, hands: _Hands = _bare) -> tuple[bool, bytes]:
    return hands.do(order)


def do_rounds(orders: tuple[bytes, ...], hands: _Hands) -> tuple[float, list[tuple[bool, bytes]]]:
    """Several orders, and the seconds that they took."""
    begin = time.perf_counter()
    results = [hands.do(order) for order in orders]
    return time.perf_counter() - begin, results


# ---- Here ----


def stocks_of(stock: Any) -> tuple[Stock, ...]:
    """What orders go with, of a text that the library gave away."""
    data = take_bytes(stock)
    return (Stock(_Hands, data),) if data else ()


def result_of(result: Any) -> bytes:
    """The text that a worker made, if it is one."""
    if not isinstance(result, tuple) or len(result) != 2 or not isinstance(result[1], bytes):
        raise BadResult("what came back is no result")
    if result[0] is not True:
        raise BadResult(result[1].decode("utf-8", "replace")[:300])
    return result[1]


class Solving:
    """A solver as a source of pieces. It counts by itself how often a task was lost."""

    def __init__(self, solver: Any, watch: Any):
        self.solver, self.watch = solver, watch
        self.ahead = 1 if lib.ts_solver_has_budget(solver) else 2  # what waits loses time of the budget
        self.stocks = stocks_of(lib.ts_solver_stock(solver))
        self.number, self.status = ffi.new("uint64_t *"), ffi.new("ts_status *")

    def give(self, workers: int) -> Optional[Piece]:
        order = lib.ts_solver_give(self.solver, workers, self.number, self.status)
        if order:
            return Piece(self.number[0], take_bytes(order), self.stocks)
        if self.status.message[0] != b"\0":
            fail(self.status)
        return None

    def take(self, number: int, result: Any) -> None:
        data = result_of(result)
        if not lib.ts_solver_take(self.solver, number, data, len(data), self.status):
            raise BadResult(text(self.status.message))

    def lose(self, number: int, why: str, is_sure: bool) -> None:
        lib.ts_solver_lose(self.solver, number, why.encode("utf-8", "replace"), is_sure)

    def is_over(self) -> bool:
        return bool(lib.ts_solver_is_over(self.solver))

    def tick(self) -> None:
        lib.ts_solver_watch_over(self.solver, ffi.addressof(lib, "watch_solver"), self.watch.structs)


class Iterating:
    """A loop as a source of pieces, each of as many rounds as take half a second. To be used behind `Retries`."""

    ahead = 2

    def __init__(self, loop: Any, watch: Any, slots: int):
        self.loop, self.watch, self.slots = loop, watch, slots
        self.stocks = stocks_of(lib.ts_iterate_stock(loop))
        self.number, self.status = ffi.new("uint64_t *"), ffi.new("ts_status *")
        self.under_way: dict[int, list[int]] = {}  # rounds by the number of their piece
        self.pace = 0.0  # seconds for a round
        self.refused: list[str] = []

    def give(self, workers: int) -> Optional[Piece]:
        most = int(SECONDS / self.pace) if self.pace else 1
        orders: list[bytes] = []
        rounds: list[int] = []
        while len(orders) < max(1, min(most, self.slots // (2 * workers))):
            order = lib.ts_iterate_give(self.loop, self.number, self.status)
            if not order:
                if self.status.message[0] != b"\0":
                    fail(self.status)
                break
            orders.append(take_bytes(order))
            rounds.append(int(self.number[0]))
        if not orders:
            return None
        self.under_way[rounds[0]] = rounds
        return Piece(rounds[0], tuple(orders), self.stocks)

    def take(self, number: int, result: Any) -> None:
        rounds = self.under_way[number]
        if not isinstance(result, tuple) or len(result) != 2 or not isinstance(result[1], list):
            raise BadResult("what came back is no result")
        if len(result[1]) != len(rounds):
            raise BadResult("what came back has another number of rounds")
        texts = [result_of(one) for one in result[1]]
        self.pace = seconds_of(result[0]) / len(rounds)
        del self.under_way[number]
        for n, data in zip(rounds, texts):
            self._note(lib.ts_iterate_take(self.loop, n, data, len(data), self.status))

    def _note(self, good: bool) -> None:
        """What is wrong with one round is told at the end; the library gives it out again, three times at most."""
        if not good and self.status.code == lib.TS_SYSTEM:
            fail(self.status)
        if not good:
            self.refused.append(text(self.status.message))

    def lose(self, number: int, why: str, is_sure: bool) -> None:
        raise NotImplementedError("Retries gives out again what was lost")

    def give_up(self, number: int, why: str) -> None:
        for n in self.under_way.pop(number):
            self._note(lib.ts_iterate_lose(self.loop, n, why.encode("utf-8", "replace"), True, self.status))

    def is_over(self) -> bool:
        return bool(lib.ts_iterate_is_over(self.loop))

    def tick(self) -> None:
        lib.watch_iterate(self.watch.structs, ffi.new("ts_iterate_counts *", lib.ts_iterate_count(self.loop)))
